/**
 * The interface of a running cluster for tests, simulated or real: requests, responses, and the addresses of its nodes.
 */
import type { Headers, HttpMethod, HttpResponse } from "../../src/ports/network.ts";
import { findDocument } from "../../src/protocol/documents/documents.ts";
import { type JsonValue, parseJson } from "../../src/protocol/json.ts";
import { firstHeader } from "../../src/protocol/http/headers.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/types/utf8.ts";
import { checkAnswer } from "./openapi.ts";

export interface Service {
  /** `http://host:port` of the coordinator. */
  readonly uri: string;
  readonly workerUris: readonly string[];
  request(method: HttpMethod, url: string, options?: { readonly headers?: Headers; readonly body?: Uint8Array }): Promise<HttpResponse>;
  /** Advances the service's own time. */
  wait(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Members of a JSON object. */
export type Fields = Record<string, JsonValue>;

/** A member that must exist and be text. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value !== "string") {
    throw new Error(`expected text, got ${String(JSON.stringify(value))}`);
  }
  return value;
}

export interface StatementAnswer {
  readonly error?: { readonly errorName: string; readonly message: string };
  readonly rows: JsonValue[][];
}

/** Sends requests to a service. Every response is checked against the schema of its document and the OpenAPI document. */
export class Asker {
  readonly service: Service;
  readonly #headers: Headers;

  constructor(service: Service, headers: Headers = {}) {
    this.service = service;
    this.#headers = headers;
  }

  with(headers: Headers): Asker {
    return new Asker(this.service, { ...this.#headers, ...headers });
  }

  async ask(method: HttpMethod, path: string, body = "", headers: Headers = {}): Promise<Answer> {
    const url = path.startsWith("http") ? path : `${this.service.uri}${path}`;
    const response = await this.service.request(method, url, { headers: { ...this.#headers, ...headers }, body: encodeUtf8(body) });
    const text = decodeUtf8(response.body);
    const local = url.replace(/^http:\/\/[^/]+/, "");
    checkAnswer({ method, path: local }, { status: response.status, type: firstHeader(response.headers, "content-type"), text });
    if (response.status === 200 && response.headers["content-type"] === "application/json") {
      const entry = findDocument(method, local, "response");
      if (entry !== undefined) {
        entry.schema.parse(parseJson(text));
      }
    }
    return { status: response.status, headers: response.headers, text };
  }

  async json(method: HttpMethod, path: string, body = "", headers: Headers = {}): Promise<JsonValue> {
    const answer = await this.ask(method, path, body, headers);
    if (answer.status !== 200) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    }
    return parseJson(answer.text);
  }

  async object(method: HttpMethod, path: string, body = "", headers: Headers = {}): Promise<Record<string, JsonValue>> {
    return (await this.json(method, path, body, headers)) as Record<string, JsonValue>;
  }

  /** Runs a statement to its end and returns every response. */
  async chain(sql: string, headers: Headers = {}): Promise<Record<string, JsonValue>[]> {
    const responses = [await this.object("POST", "/v1/statement", sql, headers)];
    for (;;) {
      const next = responses.at(-1)?.["nextUri"];
      if (typeof next !== "string") {
        return responses;
      }
      responses.push(await this.object("GET", next, "", headers));
    }
  }

  /** All rows of a statement, and its error. */
  async answer(sql: string, headers: Headers = {}): Promise<StatementAnswer> {
    const responses = await this.chain(sql, headers);
    const error = responses.at(-1)?.["error"] as StatementAnswer["error"];
    return { rows: responses.flatMap((response) => (response["data"] ?? []) as JsonValue[][]), ...(error !== undefined && { error }) };
  }

  /** Rows of a statement; throws its error. */
  async rows(sql: string, headers: Headers = {}): Promise<JsonValue[][]> {
    const { error, rows } = await this.answer(sql, headers);
    if (error !== undefined) {
      throw new Error(`${error.errorName}: ${error.message}`);
    }
    return rows;
  }
}

/** A client of one header family on the tpch catalog. `headers` are named without the family's prefix. */
export function clientOf(service: Service, family: string, headers: Readonly<Record<string, string>> = {}): Asker {
  const all = { user: "bob", catalog: "tpch", schema: "tiny", ...headers };
  return new Asker(service, Object.fromEntries(Object.entries(all).map(([name, value]) => [`x-${family}-${name}`, value])));
}
