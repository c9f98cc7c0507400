/**
 * npm's lento, a streaming client of Presto.
 */
import { createRequire } from "node:module";
import { type Answer, type ClientAdapter, type ClientSession, hostAndPort, type SessionOptions, StatementFailure } from "./adapter.ts";

interface LentoStream extends NodeJS.ReadableStream {
  on(event: string, listener: (value: never) => void): this;
  destroy(): void;
}

interface LentoClient {
  createRowStream(sql: string, options: Readonly<Record<string, unknown>>): LentoStream;
  set(name: string, value: string, callback: (error?: Error) => void): void;
}

const lento = createRequire(import.meta.url)("lento") as (options: Readonly<Record<string, unknown>>) => LentoClient;

class LentoSession implements ClientSession {
  readonly #client: LentoClient;
  readonly #properties: Readonly<Record<string, string>>;
  #isSet = false;

  constructor({ uri, catalog, schema, properties = {}, timeZone }: SessionOptions) {
    const { host, port } = hostAndPort(uri);
    this.#client = lento({ hostname: host, port, user: "bob", pollInterval: 5, catalog, schema, timezone: timeZone });
    this.#properties = properties;
  }

  async run(sql: string): Promise<Answer> {
    if (!this.#isSet) {
      this.#isSet = true;
      for (const [name, value] of Object.entries(this.#properties)) {
        await new Promise<void>((resolve, reject) => {
          this.#client.set(name, value, (error) => (error === undefined ? resolve() : reject(failureOf(error))));
        });
      }
    }
    return new Promise((resolve, reject) => {
      const rows: unknown[][] = [];
      let columns: Answer["columns"] = [];
      this.#client
        .createRowStream(sql, { rowFormat: "array" })
        .on("columns", (some: Answer["columns"]) => {
          columns = some;
        })
        .on("data", (row: unknown[]) => rows.push(row.map(textOfDate)))
        .on("end", () => resolve({ columns, rows }))
        .on("error", (error: Error) => reject(failureOf(error)));
    });
  }

  cancel(sql: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let noted = "";
      const stream = this.#client.createRowStream(sql, {});
      stream
        .on("id", (id: string) => {
          noted = id;
          stream.destroy();
        })
        .on("close", () => resolve(noted))
        .on("error", reject)
        .resume();
    });
  }
}

/** It converts a timestamp to a Date in UTC. */
function textOfDate(value: unknown): unknown {
  return value instanceof Date ? value.toISOString().replace("T", " ").replace("Z", "") : value;
}

/** It prefixes the message with the error's name. */
function failureOf(error: Error & { readonly code?: string }): StatementFailure {
  const prefix = `${error.code}: `;
  return new StatementFailure(error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message, error.code);
}

export const lentoClient: ClientAdapter = {
  name: "lento 0.3.2",
  family: "presto",
  lacks: {
    "bigint beyond 2^53": "JSON.parse makes a double of it",
    prepared: "sends no prepared statements",
    "prepared, any text": "sends no prepared statements",
    USE: "keeps no catalog and schema that a statement sets",
    "query's document": "does not read queries",
    nodes: "does not list nodes",
  },
  open: (options) => new LentoSession(options),
};
