/**
 * The 22 TPC-H queries with decimal money columns: workers against DuckDB with as many threads. Both sides have the rows that the tpch
 * connector generates: in memory, or in the same files, which DuckDB writes.
 */
import { createWriteStream, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { openDuckDb, type Oracle } from "../test/support/oracle/duckdb.ts";
import { type RunningServer, startServer, stopServer } from "../test/support/programs/server-process.ts";
import { compareQueries, type Repetitions, type Sides, sumRatio } from "./comparison.ts";
import { say } from "./figures.ts";
import { tpchQueries } from "./queries.ts";
import { drawQueries } from "./picture.ts";
import { BenchClient } from "./statement.ts";
import { type BenchTable, benchTables, createTableStatements, moneyColumns, moneyType, writeCsv } from "./tables.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { describeStore, type TableStore, writeStore } from "./table-store.ts";

export interface TpchOptions extends Repetitions {
  readonly scale: string;
  /** Workers of Orrery and threads of DuckDB. */
  readonly threads: number;
  readonly store: TableStore;
  /** Names such as q06; all if empty. */
  readonly queries: readonly string[];
  /** Path of the SVG file. */
  readonly picture: string;
}

export async function measureTpch(options: TpchOptions): Promise<void> {
  const { scale, store, threads } = options;
  const names = tpchNames(options.queries);
  say(`\nTPC-H scale ${scale}, tables in ${describeStore(store)}, ${threads} workers against DuckDB with ${threads} threads; loading ...`);
  const folder = temporaryFolder();
  const duckdb = await loadDuckDb(scale, threads, folder);
  let server: RunningServer | undefined;
  let client: BenchClient | undefined;
  try {
    await writeStore(store, { duckdb, folder, tables: Object.keys(benchTables) });
    server = await startServer(["--workers", String(threads), ...(store.kind === "memory" ? [] : ["--data", folder])]);
    client = new BenchClient(server.uri, { catalog: store.kind === "memory" ? "memory" : "files", schema: "default" });
    for (const sql of store.kind === "memory" ? createTableStatements(scale) : []) {
      await client.rows(sql);
    }
    await compare(names, { client, duckdb, threads, serverProcessId: server.process.pid as number }, options);
  } finally {
    await client?.close();
    if (server !== undefined) {
      await stopServer(server);
    }
    duckdb.close();
  }
}

async function compare(
  names: readonly string[],
  sides: Sides,
  { runs, warmUpRuns, scale, store, threads, picture }: TpchOptions,
): Promise<void> {
  const queries = names.map((name) => ({ name, sql: tpchQueries().get(name) as string, comparesRows: true }));
  const compared = await compareQueries(queries, sides, { runs, warmUpRuns });
  const title = `TPC-H at scale ${scale} in ${describeStore(store)}: Orrery in times of DuckDB, ${threads} threads each`;
  const pictured = compared.map(({ name, ratio, ours, shares }) => ({ name, ratio: ratio.wallMs, ms: ours.wallMs, shares }));
  writeFileSync(picture, drawQueries(`${title} (sum: ${sumRatio(compared).toFixed(2)})`, pictured));
  say(`\npicture: ${picture}`);
}

/** Those that are wanted; all if none is. */
export function tpchNames(wanted: readonly string[]): readonly string[] {
  const all = [...tpchQueries().keys()];
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    throw new Error(`No TPC-H query ${unknown.join(", ")}; there are ${all.join(", ")}`);
  }
  return wanted.length === 0 ? all : wanted;
}

export async function loadDuckDb(
  scale: string,
  threads: number,
  folder: string,
  tables: readonly string[] = Object.keys(benchTables),
): Promise<Oracle> {
  const duckdb = await openDuckDb({ threads });
  for (const name of tables) {
    const { prefix, columns } = benchTables[name] as BenchTable;
    const file = join(folder, `${name}.rows`);
    const stream = createWriteStream(file);
    const written = await writeCsv({
      scale,
      table: name,
      columns,
      write: (chunk) => (stream.write(chunk) ? undefined : once(stream, "drain")),
    });
    stream.end();
    await once(stream, "finish");
    await duckdb.run(
      `CREATE TABLE ${name} (${columns.map((column, index) => `${prefix}${column} ${moneyColumns.has(column) ? moneyType : written[index]?.type}`).join(", ")})`,
    );
    await duckdb.run(`COPY ${name} FROM '${file}' (FORMAT csv, HEADER false)`);
    rmSync(file);
  }
  return duckdb;
}
