/**
 * The worlds that must agree on a statement: one worker; three workers with small buffers, slices and responses; two workers whose kernels are interpreted; and
 * DuckDB. Holds the tables in each of them.
 */
import type { JsonValue } from "../../../src/protocol/json.ts";
import { type Oracle, openDuckDb } from "../../support/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../../support/loopback-cluster.ts";
import { Asker } from "../../support/service.ts";
import { difference, type Row } from "../compare.ts";
import type { Query } from "./queries.ts";
import type { Table } from "./tables.ts";

export interface Outcome {
  readonly error?: { readonly name: string; readonly message: string };
  readonly types: readonly string[];
  readonly rows: readonly Row[];
}

export interface Verdict {
  /** What is wrong, for the statement's reader. */
  readonly wrong?: string;
  /** Why nothing was compared with the oracle. */
  readonly skipped?: string;
}

const settings: readonly { readonly name: string; readonly workers: number; readonly properties: Readonly<Record<string, string>> }[] = [
  { name: "one worker", workers: 1, properties: {} },
  {
    name: "three workers, small buffers",
    workers: 3,
    properties: {
      "sink.max-buffer-size": "4kB",
      "exchange.max-buffer-size": "8kB",
      "exchange.max-response-size": "2kB",
      "task.max-slice-rows": "50",
    },
  },
  { name: "two workers, interpreted", workers: 2, properties: { "node.kernel-backend": "interpreter", "task.max-slice-rows": "500" } },
];

/** Depend on what is evaluated first, or on the oracle's wider types. */
const arithmeticErrors = new Set(["NUMERIC_VALUE_OUT_OF_RANGE", "DIVISION_BY_ZERO", "INVALID_CAST_ARGUMENT", "INVALID_FUNCTION_ARGUMENT"]);

interface Running {
  readonly name: string;
  readonly cluster: LoopbackCluster;
  readonly engine: Asker;
}

export class Worlds {
  readonly #clusters: readonly Running[];
  readonly #duckdb: Oracle;
  #tables: readonly string[] = [];

  private constructor(clusters: readonly Running[], duckdb: Oracle) {
    this.#clusters = clusters;
    this.#duckdb = duckdb;
  }

  static async open(): Promise<Worlds> {
    const duckdb = await openDuckDb({ threads: 1 });
    const clusters: Running[] = [];
    for (const { name, workers, properties } of settings) {
      const cluster = await startLoopbackCluster({ workers, properties: { "query.max-length": "5000000", ...properties } });
      const headers = { "x-engine-user": "fuzz", "x-engine-catalog": "memory", "x-engine-schema": "default" };
      clusters.push({ name, cluster, engine: new Asker(cluster, headers) });
    }
    return new Worlds(clusters, duckdb);
  }

  async close(): Promise<void> {
    for (const { cluster } of this.#clusters) {
      await cluster.stop();
    }
    this.#duckdb.close();
  }

  /** In the place of the tables before. */
  async useTables(tables: readonly Table[]): Promise<void> {
    for (const { engine } of this.#clusters) {
      for (const name of this.#tables) {
        await engine.rows(`DROP TABLE ${name}`);
      }
      for (const table of tables) {
        await engine.rows(table.create.engine);
      }
    }
    for (const name of this.#tables) {
      await this.#duckdb.run(`DROP TABLE ${name}`);
    }
    for (const table of tables) {
      await this.#duckdb.run(table.create.duckdb);
    }
    this.#tables = tables.map((table) => table.name);
  }

  async check(query: Query): Promise<Verdict> {
    const outcomes: { readonly name: string; readonly outcome: Outcome }[] = [];
    for (const { name, engine } of this.#clusters) {
      outcomes.push({ name, outcome: await ask(engine, query.text.engine) });
    }
    const [{ outcome: first }, ...others] = outcomes as [(typeof outcomes)[number], ...typeof outcomes];
    for (const { name, outcome } of others) {
      const wrong = differs(outcome, first, query.ordered);
      if (wrong !== undefined) {
        return { wrong: `${name} against one worker: ${wrong}` };
      }
    }
    const expected = await this.#expected(query.text.duckdb);
    if (first.error !== undefined) {
      return arithmeticErrors.has(first.error.name) || (typeof expected !== "string" && first.error.name === "NOT_SUPPORTED")
        ? { skipped: first.error.name }
        : { wrong: `${first.error.name}: ${first.error.message} (DuckDB: ${typeof expected === "string" ? expected : "rows"})` };
    }
    if (typeof expected === "string") {
      return { skipped: `DuckDB: ${expected.split("\n")[0]}` };
    }
    const wrong = difference(first.rows, expected, { types: first.types, ordered: query.ordered });
    return wrong === undefined ? {} : { wrong: `against DuckDB: ${wrong}` };
  }

  /** Rows, or the error's text. */
  async #expected(sql: string): Promise<readonly Row[] | string> {
    try {
      return await this.#duckdb.rows(sql);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function differs(outcome: Outcome, first: Outcome, ordered: boolean): string | undefined {
  if (outcome.error?.name !== first.error?.name) {
    const both = [outcome, first].every(({ error }) => error === undefined || arithmeticErrors.has(error.name));
    return both ? undefined : `${outcome.error?.message ?? "rows"} against ${first.error?.message ?? "rows"}`;
  }
  return outcome.error === undefined ? difference(outcome.rows, first.rows, { types: first.types, ordered }) : undefined;
}

async function ask(engine: Asker, sql: string): Promise<Outcome> {
  const responses = await engine.chain(sql);
  const last = responses.at(-1) ?? {};
  const error = last["error"] as { errorName: string; message: string } | undefined;
  if (error !== undefined) {
    return { error: { name: error.errorName, message: error.message }, types: [], rows: [] };
  }
  const columns = (last["columns"] ?? []) as { type: string }[];
  return {
    types: columns.map((column) => column.type),
    rows: responses.flatMap((response) => (response["data"] ?? []) as JsonValue[][]),
  };
}
