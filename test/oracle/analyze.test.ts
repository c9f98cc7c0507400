/**
 * EXPLAIN ANALYZE of a real join: its row counts equal those that DuckDB counts.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Oracle, openDuckDb } from "../support/oracle/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";
import { copyTpchTables } from "../support/oracle/tpch-tables.ts";

let cluster: LoopbackCluster;
let engine: Asker;
let duckdb: Oracle;

beforeAll(async () => {
  [cluster, duckdb] = await Promise.all([startLoopbackCluster(), openDuckDb({ threads: 1 })]);
  engine = new Asker(cluster, { "x-engine-user": "oracle", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" });
  await copyTpchTables(engine, duckdb);
}, 300_000);

afterAll(async () => {
  await cluster.stop();
  duckdb.close();
});

const customers = "c.mktsegment = 'BUILDING'";
const orders = "o.orderdate < DATE '1995-03-15'";
const lines = "l.shipdate > DATE '1995-03-15'";
const joined = `FROM customer c, orders o, lineitem l WHERE ${customers} AND c.custkey = o.custkey AND l.orderkey = o.orderkey AND ${orders} AND ${lines}`;
const q3 = `SELECT l.orderkey, sum(l.extendedprice * (1 - l.discount)) AS revenue, o.orderdate, o.shippriority ${joined}
  GROUP BY l.orderkey, o.orderdate, o.shippriority ORDER BY revenue DESC, o.orderdate LIMIT 10`;

async function count(rest: string): Promise<number> {
  const [row] = await duckdb.rows(`SELECT count(*) ${rest}`);
  return Number(row?.[0]);
}

/** Input and output rows of the first node whose line contains `text`. */
function figures(plan: string, text: string): readonly [input: number, output: number] {
  const lines = plan.slice(plan.indexOf(text)).split("\n").slice(1);
  const match = /Input: (\d+) rows? .*Output: (\d+) rows? /.exec(lines[0] ?? "");
  expect(match, `${text} in\n${plan}`).not.toBeNull();
  return [Number(match?.[1]), Number(match?.[2])];
}

it("counts the rows of every scan, join, group and limit of TPC-H's third query", async () => {
  // A dynamic filter reduces the scan's output to the joined rows, which the next test counts; here it is disabled.
  const rows = await engine.with({ "x-engine-session": "enable_dynamic_filtering=false" }).rows(`EXPLAIN ANALYZE ${q3}`);
  const plan = rows[0]?.[0] as string;
  expect(rows).toHaveLength(1);

  const tables = [
    ["customer", customers, "c"],
    ["orders", orders, "o"],
    ["lineitem", lines, "l"],
  ] as const;
  for (const [table, condition, alias] of tables) {
    const all = await count(`FROM ${table}`);
    const kept = await count(`FROM ${table} ${alias} WHERE ${condition}`);
    expect(figures(plan, `table = tpch:tiny.${table},`), table).toEqual([all, kept]);
  }

  const outputsOfJoins = plan
    .split("- InnerJoin")
    .slice(1)
    .map((rest) => figures(`- InnerJoin${rest}`, "- InnerJoin")[1]);
  const customersAndOrders = await count(`FROM customer c, orders o WHERE ${customers} AND c.custkey = o.custkey AND ${orders}`);
  const all = await count(joined);
  expect(outputsOfJoins.toSorted((a, b) => a - b)).toEqual([all, customersAndOrders]);

  const groups = await count(`FROM (SELECT DISTINCT l.orderkey ${joined})`);
  expect(figures(plan, "- Aggregate(FINAL)")[1]).toBe(groups);
  expect(figures(plan, "- TopN(FINAL)")[1]).toBe(10);
  expect(figures(plan, "- Output")).toEqual([10, 10]);
}, 300_000);

it("counts the rows that scans left out because the other side of the join has not their key", async () => {
  const [[plan] = []] = await engine.rows(
    `EXPLAIN ANALYZE SELECT count(*) FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE ${customers} AND ${orders}`,
  );
  const all = await count("FROM orders");
  const met = await count(`FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE ${customers}`);
  const kept = await count(`FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE ${customers} AND ${orders}`);
  expect(figures(plan as string, "table = tpch:tiny.orders, dynamicFilters = {")).toEqual([all, kept]);
  expect(plan).toContain(`Dynamic filters: ${all - met} rows filtered (${((100 * (all - met)) / all).toFixed(2)}%)`);
  expect(plan).toMatch(/dynamicFilterAssignments = \{custkey\w* -> #df_\d+\}/);
}, 300_000);

it("says what each operator did, where VERBOSE asks, and what fails is a failure", async () => {
  const [[plan] = []] = await engine.rows("EXPLAIN ANALYZE VERBOSE SELECT count(*) FROM nation WHERE regionkey = 1");
  expect(plan).toMatch(/ScanFilterAndProjectOperator: 1 driver, \d+ calls, CPU: .*, Output: 5 rows/);
  await expect(engine.rows("EXPLAIN ANALYZE SELECT 1 / (nationkey - 3) FROM nation")).rejects.toThrow("Division by zero");
});
