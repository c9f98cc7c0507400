/**
 * Benchmarks over a table that DuckDB generates: both sides have the same rows, in memory or in the same Parquet files. Values are drawn by
 * hashes of the row number, so that a table of a size is the same in every run.
 */
import { join } from "node:path";
import { openDuckDb } from "../../test/support/oracle/duckdb.ts";
import { type RunningServer, startServer, stopServer } from "../../test/support/programs/server-process.ts";
import { type ComparedQuery, compareQueries, type Repetitions } from "../comparison.ts";
import { say } from "../figures.ts";
import { BenchClient } from "../statement.ts";
import { describeStore, type TableStore, writeStore } from "../table-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export interface GeneratedTable {
  readonly name: string;
  /** A query of DuckDB. */
  readonly rows: string;
}

export interface Generated {
  readonly title: string;
  readonly tables: readonly GeneratedTable[];
  readonly queries: readonly ComparedQuery[];
}

export interface GeneratedOptions extends Repetitions {
  readonly rows: number;
  readonly threads: number;
  readonly store: TableStore;
  /** Names of queries; all if empty. */
  readonly queries: readonly string[];
}

export async function measureGenerated({ title, tables, queries }: Generated, options: GeneratedOptions): Promise<void> {
  const { rows, threads, store } = options;
  const wanted = options.queries.length === 0 ? queries : queries.filter(({ name }) => options.queries.includes(name));
  say(`\n${title}, ${rows} rows in ${describeStore(store)}, ${threads} threads each; generating ...`);
  const folder = temporaryFolder();
  const duckdb = await openDuckDb({ threads });
  let server: RunningServer | undefined;
  let client: BenchClient | undefined;
  try {
    for (const table of tables) {
      await duckdb.run(`CREATE TABLE ${table.name} AS ${table.rows}`);
      if (store.kind === "memory") {
        await duckdb.run(`COPY ${table.name} TO '${join(folder, `${table.name}.parquet`)}' (FORMAT parquet)`);
      }
    }
    await writeStore(store, { duckdb, folder, tables: tables.map(({ name }) => name) });
    server = await startServer(["--workers", String(threads), "--data", folder]);
    client = new BenchClient(server.uri, { catalog: store.kind === "memory" ? "memory" : "files", schema: "default" });
    for (const { name } of store.kind === "memory" ? tables : []) {
      await client.rows(`CREATE TABLE ${name} AS SELECT * FROM files.default.${name}`);
    }
    await compareQueries(wanted, { client, duckdb, threads, serverProcessId: server.process.pid as number }, options);
  } finally {
    await client?.close();
    if (server !== undefined) {
      await stopServer(server);
    }
    duckdb.close();
  }
}

/** An integer from 0 to `count` - 1 for row `i`. Draws with different numbers, up to 63, are independent. */
export function drawn(count: number, draw: number): string {
  return `CAST(hash(i * 64 + ${draw}) % ${count} AS BIGINT)`;
}

/** Like `drawn`, with small numbers far more often. */
export function skewed(count: number, draw: number): string {
  return `CAST(floor(${count} * pow(${drawn(1_000_000, draw)} / 1000000.0, 4)) AS BIGINT)`;
}
