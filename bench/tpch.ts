/**
 * The 22 TPC-H queries on memory tables with decimal money columns: two workers against DuckDB with two threads. Both sides load the rows
 * that the tpch connector generates (DuckDB through a CSV file).
 */
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { differenceInOrder } from "../test/oracle/compare.ts";
import { openDuckDb, type Oracle } from "../test/support/oracle/duckdb.ts";
import { startServer, stopServer } from "../test/support/programs/server-process.ts";
import { StatusLine } from "../sim/status-line.ts";
import { median, say, table } from "./figures.ts";
import { tpchQueries } from "./queries.ts";
import { drawQueries, type PicturedQuery } from "./picture.ts";
import { describeShares, sharesOf } from "./shares.ts";
import { BenchClient } from "./statement.ts";
import { benchTables, createTableStatements, moneyColumns, moneyType, writeCsv } from "./tables.ts";

const threads = 2;

async function loadDuckDb(scale: string): Promise<Oracle> {
  const duckdb = await openDuckDb({ threads });
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  for (const [name, { prefix, columns }] of Object.entries(benchTables)) {
    const file = join(folder, `${name}.csv`);
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
    await duckdb.run(`COPY ${name} FROM '${file}' (HEADER false)`);
    rmSync(file);
  }
  rmSync(folder, { recursive: true });
  return duckdb;
}

/** `picture` is the path of the SVG file. */
export async function measureTpch(scale: string, runs: number, picture: string): Promise<void> {
  say(`\nTPC-H scale ${scale}, tables in memory, ${threads} workers against DuckDB with ${threads} threads; loading ...`);
  const duckdb = await loadDuckDb(scale);
  const server = await startServer(["--workers", String(threads)]);
  const client = new BenchClient(server.uri, { catalog: "memory", schema: "default" });
  for (const sql of createTableStatements(scale)) {
    await client.rows(sql);
  }
  const rows: string[][] = [["query", "Orrery ms", "DuckDB ms", "ratio", "first run ms", ""]];
  const shares: string[] = [];
  const pictured: PicturedQuery[] = [];
  const status = new StatusLine();
  const sums = { ours: 0, theirs: 0 };
  for (const [name, sql] of tpchQueries()) {
    status.show(() => `${name} ...`);
    const measured = await measureQuery(name, sql, { client, duckdb, runs });
    const { our, their, ratio } = measured;
    sums.ours += our;
    sums.theirs += their;
    rows.push([name, our.toFixed(1), their.toFixed(1), ratio.toFixed(2), measured.first.toFixed(1), bar(ratio)]);
    shares.push(`${name}  ${describeShares(measured.shares)}`);
    pictured.push({ name, ratio, ms: our, shares: measured.shares });
  }
  status.clear();
  const all = sums.ours / sums.theirs;
  rows.push(["sum", sums.ours.toFixed(1), sums.theirs.toFixed(1), all.toFixed(2), "", bar(all)]);
  say(table(rows));
  say(`\nwhere Orrery's time goes\n${shares.join("\n")}`);
  writeFileSync(
    picture,
    drawQueries(`TPC-H at scale ${scale}: Orrery in times of DuckDB, ${threads} threads each (sum: ${all.toFixed(2)})`, pictured),
  );
  say(`\npicture: ${picture}`);
  await client.close();
  await stopServer(server);
  duckdb.close();
}

/** One mark per tenth of DuckDB's time, with `|` after ten: a line that ends before it is faster than DuckDB. */
function bar(ratio: number): string {
  const tenths = Math.min(40, Math.max(1, Math.round(ratio * 10)));
  return `${"#".repeat(Math.min(tenths, 10)).padEnd(10, ".")}|${"#".repeat(Math.max(0, tenths - 10))}`.padEnd(41);
}

interface Sides {
  readonly client: BenchClient;
  readonly duckdb: Oracle;
  readonly runs: number;
}

async function measureQuery(name: string, sql: string, { client, duckdb, runs }: Sides) {
  const ours: number[] = [];
  const theirs: number[] = [];
  let first = 0;
  let id = "";
  for (let run = 0; run <= runs; run++) {
    let started = performance.now();
    const answer = await client.run(sql);
    const our = performance.now() - started;
    id = answer.id;
    started = performance.now();
    const other = await duckdb.rows(sql);
    const their = performance.now() - started;
    if (run === 0) {
      first = our;
      const found = differenceInOrder(sql, answer.rows, other, answer);
      if (found !== undefined) {
        throw new Error(`${name}: ${found}`);
      }
    } else {
      ours.push(our);
      theirs.push(their);
    }
  }
  const ratio = median(ours.map((our, index) => our / (theirs[index] as number)));
  const shares = sharesOf(await client.details(id), threads);
  return { our: median(ours), their: median(theirs), ratio, first, shares };
}
