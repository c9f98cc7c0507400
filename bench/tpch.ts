/**
 * TPC-H queries 1, 3 and 6 from memory tables, two workers against DuckDB with two threads, over the same rows: both sides load what the tpch connector
 * generates (DuckDB through a CSV file).
 */
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { openDuckDb, type Oracle } from "../test/support/duckdb.ts";
import { startServer, stopServer } from "../test/support/server-process.ts";
import { median, say, table } from "./figures.ts";
import { BenchClient } from "./statement.ts";
import { writeCsv } from "./tables.ts";

const threads = 2;

/** The columns that the queries read. */
const tables: Readonly<Record<string, readonly string[]>> = {
  customer: ["custkey", "mktsegment"],
  orders: ["orderkey", "custkey", "orderdate", "shippriority"],
  lineitem: ["orderkey", "quantity", "extendedprice", "discount", "tax", "returnflag", "linestatus", "shipdate"],
};

const queries: Readonly<Record<string, string>> = {
  q1: `SELECT returnflag, linestatus, sum(quantity) AS sum_qty, sum(extendedprice) AS sum_base_price, sum(extendedprice * (1 - discount)) AS sum_disc_price,
    sum(extendedprice * (1 - discount) * (1 + tax)) AS sum_charge, avg(quantity) AS avg_qty, avg(extendedprice) AS avg_price, avg(discount) AS avg_disc, count(*) AS count_order
    FROM lineitem WHERE shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY GROUP BY returnflag, linestatus ORDER BY returnflag, linestatus`,
  q3: `SELECT l.orderkey, sum(l.extendedprice * (1 - l.discount)) AS revenue, o.orderdate, o.shippriority FROM customer c, orders o, lineitem l
    WHERE c.mktsegment = 'BUILDING' AND c.custkey = o.custkey AND l.orderkey = o.orderkey AND o.orderdate < DATE '1995-03-15' AND l.shipdate > DATE '1995-03-15'
    GROUP BY l.orderkey, o.orderdate, o.shippriority ORDER BY revenue DESC, o.orderdate LIMIT 10`,
  q6: `SELECT sum(extendedprice * discount) AS revenue FROM lineitem
    WHERE shipdate >= DATE '1994-01-01' AND shipdate < DATE '1995-01-01' AND discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AND quantity < 24`,
};

async function loadDuckDb(scale: string): Promise<Oracle> {
  const duckdb = await openDuckDb({ threads });
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  for (const [name, columns] of Object.entries(tables)) {
    const file = join(folder, `${name}.csv`);
    const stream = createWriteStream(file);
    const types = await writeCsv({
      scale,
      table: name,
      columns,
      write: (chunk) => (stream.write(chunk) ? undefined : once(stream, "drain")),
    });
    stream.end();
    await once(stream, "finish");
    await duckdb.run(`CREATE TABLE ${name} (${columns.map((column, index) => `${column} ${types[index]}`).join(", ")})`);
    await duckdb.run(`COPY ${name} FROM '${file}' (HEADER false)`);
    rmSync(file);
  }
  rmSync(folder, { recursive: true });
  return duckdb;
}

function sameAnswer(name: string, ours: unknown[][], theirs: unknown[][]): void {
  const same =
    ours.length === theirs.length &&
    ours.every((row, index) =>
      row.every((cell, column) => {
        const other = theirs[index]?.[column];
        return typeof cell === "number" ? Math.abs(cell - Number(other)) <= 1e-9 * Math.abs(cell) + 1e-9 : String(cell) === String(other);
      }),
    );
  if (!same) {
    throw new Error(
      `${name} differs\nOrrery ${JSON.stringify(ours.slice(0, 3))}\nDuckDB ${JSON.stringify(theirs.slice(0, 3), (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value))}`,
    );
  }
}

export async function measureTpch(scale: string, runs: number): Promise<void> {
  say(`\nTPC-H scale ${scale}, tables in memory, ${threads} workers against DuckDB with ${threads} threads; loading ...`);
  const duckdb = await loadDuckDb(scale);
  const server = await startServer(["--workers", String(threads)]);
  const client = new BenchClient(server.uri, { catalog: "memory", schema: "default" });
  for (const [name, columns] of Object.entries(tables)) {
    await client.rows(`CREATE TABLE ${name} AS SELECT ${columns.join(", ")} FROM tpch."sf${scale}".${name}`);
  }
  const rows: string[][] = [["query", "Orrery ms", "DuckDB ms", "ratio", "first run ms"]];
  for (const [name, sql] of Object.entries(queries)) {
    const ours: number[] = [];
    const theirs: number[] = [];
    let first = 0;
    for (let run = 0; run <= runs; run++) {
      let started = performance.now();
      const answer = await client.rows(sql);
      const our = performance.now() - started;
      started = performance.now();
      const other = await duckdb.rows(sql);
      const their = performance.now() - started;
      if (run === 0) {
        first = our;
        sameAnswer(name, answer, other);
      } else {
        ours.push(our);
        theirs.push(their);
      }
    }
    const ratio = median(ours.map((our, index) => our / (theirs[index] as number)));
    rows.push([name, median(ours).toFixed(1), median(theirs).toFixed(1), ratio.toFixed(2), first.toFixed(1)]);
  }
  say(table(rows));
  await client.close();
  await stopServer(server);
  duckdb.close();
}
