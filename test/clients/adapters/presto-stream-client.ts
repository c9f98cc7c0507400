/** npm's presto-stream-client. */
import { createRequire } from "node:module";
import {
  type Answer,
  type ClientAdapter,
  type ClientSession,
  hostAndPort,
  rowsByName,
  type SessionOptions,
  StatementFailure,
} from "./adapter.ts";

interface StatementStream extends NodeJS.ReadableStream {
  readonly query_id: string;
  on(event: string, listener: (value: never) => void): this;
  cancel(): Promise<void>;
}

interface StreamClient {
  execute(options: Readonly<Record<string, unknown>>): Promise<StatementStream>;
  status(id: string): Promise<{ readonly queryId: string; readonly state: string }>;
  nodes(): Promise<readonly { readonly uri: string }[]>;
}

const { Client } = createRequire(import.meta.url)("presto-stream-client") as {
  readonly Client: new (options: Readonly<Record<string, unknown>>) => StreamClient;
};

class StreamClientSession implements ClientSession {
  readonly #client: StreamClient;
  readonly #timeZone: string | undefined;

  constructor({ uri, catalog, schema, timeZone }: SessionOptions) {
    this.#client = new Client({ ...hostAndPort(uri), user: "bob", pollInterval: 5, objectMode: true, catalog, schema });
    this.#timeZone = timeZone;
  }

  async run(query: string): Promise<Answer> {
    const statement = await this.#client.execute({ query, timezone: this.#timeZone });
    return new Promise((resolve, reject) => {
      const objects: Record<string, unknown>[] = [];
      let columns: Answer["columns"] = [];
      statement
        .on("columns", (some: Answer["columns"]) => {
          columns = some;
        })
        .on("data", (row: Record<string, unknown>) => objects.push(row))
        .on("end", () => resolve({ columns, rows: rowsByName(columns, objects) }))
        .on("error", (error: Error & { readonly data?: { readonly error?: { readonly errorName: string } } }) =>
          reject(new StatementFailure(error.message, error.data?.error?.errorName)),
        );
    });
  }

  async cancel(query: string): Promise<string> {
    const statement = await this.#client.execute({ query });
    await statement.cancel();
    return statement.query_id;
  }

  queryInfo(id: string): Promise<{ readonly queryId: string; readonly state: string }> {
    return this.#client.status(id);
  }

  async nodes(): Promise<readonly string[]> {
    return (await this.#client.nodes()).map(({ uri }) => uri);
  }
}

const noSession = "throws on the option itself: it writes to headers that it has not made";
const keepsNoState = "keeps nothing that a statement sets";

export const prestoStreamClient: ClientAdapter = {
  name: "presto-stream-client 1.0.15",
  family: "presto",
  lacks: {
    "bigint beyond 2^53": "JSON.parse makes a double of it, unless its user gives another parser",
    prepared: "sends no prepared statements",
    "prepared, any text": "sends no prepared statements",
    "session properties": noSession,
    "unknown session property": noSession,
    USE: keepsNoState,
    "SET SESSION": keepsNoState,
  },
  open: (options) => new StreamClientSession(options),
};
