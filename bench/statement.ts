/**
 * A minimal statement client: POST, then every nextUri, over one keep-alive agent.
 */
import { setTimeout } from "node:timers/promises";
import { Agent, request } from "undici";

interface Document {
  readonly id?: string;
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly data?: unknown[][];
  readonly error?: { readonly message: string };
}

export interface Answer {
  readonly id: string;
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: unknown[][];
}

/** The statement has failed, and the server says so. */
export class StatementError extends Error {}

/** An overloaded server is asked again, as any client does. */
const triesMax = 60;

export class BenchClient {
  readonly #agent = new Agent({ connections: 64, headersTimeout: 0, bodyTimeout: 0 });
  readonly #uri: string;
  readonly #headers: Record<string, string>;

  constructor(uri: string, session: { readonly catalog: string; readonly schema: string }) {
    this.#uri = uri;
    this.#headers = { "x-engine-user": "bench", "x-engine-catalog": session.catalog, "x-engine-schema": session.schema };
  }

  async rows(sql: string): Promise<unknown[][]> {
    return (await this.run(sql)).rows;
  }

  async run(sql: string): Promise<Answer> {
    let document = await this.#ask("POST", `${this.#uri}/v1/statement`, sql);
    const rows: unknown[][] = [...(document.data ?? [])];
    while (document.nextUri !== undefined) {
      document = await this.#ask("GET", document.nextUri);
      rows.push(...(document.data ?? []));
    }
    if (document.error !== undefined) {
      throw new StatementError(document.error.message);
    }
    const columns = document.columns ?? [];
    return {
      id: document.id ?? "",
      names: columns.map(({ name }) => name),
      types: columns.map(({ type }) => type.replace(/,(?=\d)/, ", ")),
      rows,
    };
  }

  /** GET /v1/query/{id}, after the query has ended. */
  async details(id: string): Promise<unknown> {
    return this.#ask("GET", `${this.#uri}/v1/query/${id}`);
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #ask(method: "GET" | "POST", url: string, body?: string): Promise<Document> {
    for (let tries = 1; ; tries++) {
      const answer = await request(url, {
        method,
        dispatcher: this.#agent,
        headers: this.#headers,
        ...(body === undefined ? {} : { body }),
      });
      if (answer.statusCode === 200) {
        return (await answer.body.json()) as Document;
      }
      const text = await answer.body.text();
      if (answer.statusCode !== 503 || tries === triesMax) {
        throw new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`);
      }
      await setTimeout(1000 * Number(answer.headers["retry-after"] ?? 1));
    }
  }
}
