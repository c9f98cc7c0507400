/**
 * Single operators over tables in memory: CPU nanoseconds a row of Orrery's process and of DuckDB. The statements return one row, so that
 * only the operators count. Both sides have the same rows and threads, take turns, and must agree.
 */
import { startServer, stopServer } from "../test/support/programs/server-process.ts";
import { StatusLine } from "../sim/status-line.ts";
import { cpuMsOf, ownCpuMs } from "./cpu.ts";
import { say, table } from "./figures.ts";
import { BenchClient } from "./statement.ts";
import { createTableStatements } from "./tables.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { loadDuckDb } from "./tpch.ts";

const tables = ["lineitem", "orders", "partsupp", "part"];

interface Shape {
  readonly name: string;
  /** Its rows are those that are counted. */
  readonly rowsOf: string;
  readonly sql: string;
}

function grouped(name: string, keys: string, aggregate = "sum(l_quantity)"): Shape {
  const sql = `SELECT count(*), sum(a) FROM (SELECT ${keys}, ${aggregate} AS a FROM lineitem GROUP BY ${keys})`;
  return { name: `group ${name}`, rowsOf: "lineitem", sql };
}

/** "build" joins few rows with a large build side, "probe" many rows with a small one. */
const shapes: readonly Shape[] = [
  { name: "scan: count", rowsOf: "lineitem", sql: "SELECT count(*) FROM lineitem" },
  { name: "scan: three sums", rowsOf: "lineitem", sql: "SELECT sum(l_quantity), sum(l_tax), sum(l_partkey) FROM lineitem" },
  { name: "filter", rowsOf: "lineitem", sql: "SELECT count(*) FROM lineitem WHERE l_shipdate < DATE '1995-06-17' AND l_quantity < 24" },
  grouped("dictionary, 7 groups", "l_shipmode"),
  grouped("ascending, 1.5 M groups", "l_orderkey"),
  grouped("random, 200 K groups", "l_partkey"),
  grouped("two keys, 800 K groups", "l_partkey, l_suppkey"),
  {
    name: "group strings, 1.5 M groups",
    rowsOf: "orders",
    sql: "SELECT count(*), sum(a) FROM (SELECT o_comment, count(*) AS a FROM orders GROUP BY o_comment)",
  },
  {
    name: "probe, 200 K keys",
    rowsOf: "lineitem",
    sql: "SELECT count(*), sum(p_size) FROM lineitem JOIN part ON l_partkey = p_partkey",
  },
  {
    name: "build and probe, 1.5 M keys",
    rowsOf: "lineitem",
    sql: "SELECT count(*), sum(o_totalprice) FROM lineitem JOIN orders ON l_orderkey = o_orderkey",
  },
  {
    name: "two keys, 800 K",
    rowsOf: "lineitem",
    sql: "SELECT count(*), sum(ps_availqty) FROM lineitem JOIN partsupp ON l_partkey = ps_partkey AND l_suppkey = ps_suppkey",
  },
  {
    name: "sort",
    rowsOf: "orders",
    sql: "SELECT max(n), sum(o_custkey) FROM (SELECT o_custkey, row_number() OVER (ORDER BY o_totalprice, o_orderkey) AS n FROM orders)",
  },
];

export interface OperatorsOptions {
  readonly scale: string;
  readonly runs: number;
  readonly threads: number;
}

/** Least CPU time of the runs: other load on the machine only adds to it. */
export async function measureOperators({ scale, runs, threads }: OperatorsOptions): Promise<void> {
  say(`\nOperators at TPC-H scale ${scale}, CPU ns a row, least of ${runs} runs, ${threads} threads each; loading ...`);
  const duckdb = await loadDuckDb(scale, threads, temporaryFolder(), tables);
  const server = await startServer(["--workers", String(threads)]);
  const client = new BenchClient(server.uri, { catalog: "memory", schema: "default" });
  for (const sql of createTableStatements(scale, tables)) {
    await client.rows(sql);
  }
  const processId = server.process.pid as number;
  const rows: string[][] = [["shape", "Orrery", "DuckDB", "ratio"]];
  const status = new StatusLine();
  for (const { name, rowsOf, sql } of shapes) {
    status.show(() => `${name} ...`);
    const [[count]] = (await client.rows(`SELECT count(*) FROM ${rowsOf}`)) as [[number]];
    const nanos = (ms: readonly number[]): number => (Math.min(...ms) * 1e6) / Number(count);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let run = 0; run <= runs; run++) {
      const before = cpuMsOf(processId);
      const our = await client.rows(sql);
      ours.push(cpuMsOf(processId) - before);
      const used = ownCpuMs();
      const their = await duckdb.rows(sql);
      theirs.push(ownCpuMs() - used);
      if (String(our) !== String(their)) {
        throw new Error(`${name}: ${String(our)} here, ${String(their)} in DuckDB`);
      }
    }
    const [our, their] = [nanos(ours), nanos(theirs)];
    rows.push([name, our.toFixed(1), their.toFixed(1), (our / their).toFixed(2)]);
  }
  status.clear();
  say(table(rows));
  await client.close();
  await stopServer(server);
  duckdb.close();
}
