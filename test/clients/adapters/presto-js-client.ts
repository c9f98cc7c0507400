/** The official JavaScript client of Presto, @prestodb/presto-js-client. */
import { PrestoClient, type PrestoError } from "@prestodb/presto-js-client";
import {
  type Answer,
  type ClientAdapter,
  type ClientSession,
  executeOf,
  propertyHeader,
  type SessionOptions,
  StatementFailure,
} from "./adapter.ts";

class PrestoJsClientSession implements ClientSession {
  readonly #options: SessionOptions;
  readonly #client: PrestoClient;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#client = this.#connect({});
  }

  run(sql: string): Promise<Answer> {
    return this.#query(this.#client, sql);
  }

  runWith(sql: string, values: readonly (number | string)[]): Promise<Answer> {
    const client = this.#connect({ "X-Presto-Prepared-Statement": `one=${encodeURIComponent(sql)}` });
    return this.#query(client, executeOf("one", values));
  }

  async queryInfo(id: string): Promise<{ readonly queryId: string; readonly state: string }> {
    const info = await this.#client.getQueryInfo(id);
    if (info === undefined) {
      throw new Error("no document");
    }
    return info;
  }

  #connect(extraHeaders: Readonly<Record<string, string>>): PrestoClient {
    const { uri, catalog, schema, properties, timeZone } = this.#options;
    const { protocol, hostname, port } = new URL(uri);
    return new PrestoClient({
      host: `${protocol}//${hostname}`,
      port: Number(port),
      user: "bob",
      extraHeaders: { ...extraHeaders, ...(properties === undefined ? {} : { "X-Presto-Session": propertyHeader(properties) }) },
      ...(catalog === undefined ? {} : { catalog }),
      ...(schema === undefined ? {} : { schema }),
      ...(timeZone === undefined ? {} : { timezone: timeZone }),
    });
  }

  async #query(client: PrestoClient, sql: string): Promise<Answer> {
    try {
      const { columns = [], data = [] } = await client.query(sql);
      return { columns, rows: data };
    } catch (error) {
      const { message, errorName } = error as PrestoError;
      throw new StatementFailure(message, errorName);
    }
  }
}

const keepsNoState = "keeps nothing that a statement sets";
/** Its parser of 64-bit integers needs JSON.parse with source text access. */
const knowsSource = JSON.parse("1", (_key, _value, ...more: unknown[]) => more.length > 0) === true;

export const prestoJsClient: ClientAdapter = {
  name: "@prestodb/presto-js-client 1.1.0",
  family: "presto",
  lacks: {
    ...(knowsSource ? {} : { "bigint beyond 2^53": "needs a JSON.parse that gives a number's own text, which Node 20 has not" }),
    cancel: "cannot cancel",
    USE: keepsNoState,
    "SET SESSION": keepsNoState,
    nodes: "does not list nodes",
  },
  open: (options) => new PrestoJsClientSession(options),
};
