/** npm's trino-client. */
import { expect } from "vitest";
import { BasicAuth, type QueryResult, Trino } from "trino-client";
import { type Answer, type ClientAdapter, type ClientSession, executeOf, type SessionOptions, StatementFailure } from "./adapter.ts";

class TrinoClientSession implements ClientSession {
  readonly #trino: Trino;

  constructor({ uri, catalog, schema, properties, timeZone }: SessionOptions) {
    this.#trino = Trino.create({
      server: uri,
      auth: new BasicAuth("bob"),
      ...(catalog === undefined ? {} : { catalog }),
      ...(schema === undefined ? {} : { schema }),
      ...(properties === undefined ? {} : { session: properties }),
      ...(timeZone === undefined ? {} : { extraHeaders: { "X-Trino-Time-Zone": timeZone } }),
    });
  }

  async run(sql: string): Promise<Answer> {
    const rows: unknown[][] = [];
    let columns: Answer["columns"] = [];
    for await (const result of await this.#trino.query(sql)) {
      if (result.error !== undefined) {
        throw new StatementFailure(result.error.message, result.error.errorName);
      }
      columns = result.columns ?? columns;
      rows.push(...((result.data ?? []) as unknown[][]));
    }
    return { columns, rows };
  }

  async runWith(sql: string, values: readonly (number | string)[]): Promise<Answer> {
    await this.run(`PREPARE one FROM ${sql}`);
    return this.run(executeOf("one", values));
  }

  async cancel(sql: string): Promise<string> {
    const iterator = await this.#trino.query(sql);
    // It returns no id before the first rows, so the query is found among the running ones.
    const ended = iterator.next();
    const { rows } = await this.run(`SELECT query_id FROM system.runtime.queries WHERE query = '${sql}' ORDER BY query_id DESC LIMIT 1`);
    const id = String(rows[0]?.[0]);
    await this.#trino.cancel(id);
    expect(((await ended).value as QueryResult).error?.errorName).toBe("USER_CANCELED");
    return id;
  }

  async queryInfo(id: string): Promise<{ readonly queryId: string; readonly state: string }> {
    return (await this.#trino.queryInfo(id)) as unknown as { readonly queryId: string; readonly state: string };
  }
}

export const trinoClient: ClientAdapter = {
  name: "trino-client 0.2.9",
  family: "trino",
  lacks: {
    "bigint beyond 2^53": "JSON.parse makes a double of it",
    nodes: "does not list nodes",
  },
  open: (options) => new TrinoClientSession(options),
};
