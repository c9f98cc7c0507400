/**
 * Which parts of a query one task runs: those whose tables are known to have few rows.
 */
import { expect, test } from "vitest";
import { scansOf } from "../../../src/planner/fragmenter/fragment-walk.ts";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";
import { planQueryText } from "./tpch-catalog.ts";

const connector = tpchConnector();

/** The partitioning of each fragment with the number of its scans. */
async function fragments(sql: string, properties: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const planner = new TestPlanner(
    { tpch: connector },
    { catalog: "tpch", schema: "tiny", properties: { min_input_rows_per_task: "600000", ...properties } },
  );
  const { plan } = await planner.plan(sql);
  return plan.fragments.map(textOf);
}

function textOf(fragment: PlanFragment): string {
  return `${fragment.partitioning} ${scansOf(fragment).length}`;
}

const joined = `SELECT n_name, count(*) FROM supplier JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey
  WHERE r_name <> 'ASIA' GROUP BY n_name ORDER BY 2 DESC LIMIT 3`;

test("joins, groups and order of small tables are one fragment below the root", async () => {
  expect(await fragments(joined)).toEqual(["COORDINATOR 0", "SINGLE 3"]);
  expect(await fragments("SELECT * FROM nation WHERE n_nationkey = 7")).toEqual(["COORDINATOR 0", "SINGLE 1"]);
  expect(await fragments("SELECT n_name FROM nation UNION SELECT r_name FROM region")).toEqual(["COORDINATOR 0", "SINGLE 2"]);
});

test("tables with the rows of one task are in one fragment, others are distributed", async () => {
  // 60,175 rows twice.
  const twice = "SELECT (SELECT count(*) FROM lineitem), (SELECT max(l_tax) FROM lineitem)";
  expect(await fragments(twice)).toEqual(["COORDINATOR 0", "SINGLE 2"]);
  const large = await fragments(`SELECT n_name, c_custkey, count(*) FROM sf1.orders JOIN customer ON o_custkey = c_custkey
    JOIN nation ON c_nationkey = n_nationkey GROUP BY n_name, c_custkey`);
  expect(large).toEqual(["COORDINATOR 0", "SINGLE 0", "SOURCE 1", "SINGLE 2"]);
  expect(await fragments("SELECT * FROM nation WHERE EXISTS (SELECT 1 FROM sf1.orders WHERE o_custkey = n_nationkey)")).toContain(
    "SOURCE 1",
  );
});

test("only the smallest tables are in one task if all of them together have too many rows", async () => {
  const four = `SELECT count(*) FROM lineitem a, lineitem b, lineitem c, lineitem d, nation
    WHERE a.l_orderkey = b.l_orderkey AND b.l_orderkey = c.l_orderkey AND c.l_orderkey = d.l_orderkey AND d.l_suppkey = n_nationkey`;
  const least = (rows: number) => ({ min_input_rows_per_task: String(rows) });
  expect(await fragments(four, least(61_000))).toEqual(["COORDINATOR 0", "SINGLE 5"]);
  const some = await fragments(four, least(59_000));
  expect(some.filter((fragment) => fragment === "SOURCE 1")).toHaveLength(4);
  expect(some).toContain("SINGLE 1");
});

test("the root stage finishes few groups of many rows", async () => {
  const grouped = (keys: string) => `SELECT ${keys}, count(*) AS c FROM sf1.orders GROUP BY ${keys}`;
  const atRoot = ["COORDINATOR 0", "SOURCE 1"];
  const few = `${grouped("o_orderpriority")} HAVING count(*) > 1 ORDER BY c LIMIT 3`;
  expect(await fragments(few)).toEqual(atRoot);
  expect(await fragments(`SELECT upper(o_orderstatus), c FROM (${grouped("o_orderstatus")})`)).toEqual(atRoot);
  // By an estimate of 150,000 customers.
  expect(await fragments(grouped("o_custkey"))).toEqual(["COORDINATOR 0", "HASH 0", "SOURCE 1"]);
  // The texts are not known to be few.
  expect(await fragments(grouped("o_comment || o_clerk"))).toContain("HASH 0");
  // A join in the root stage would read all of its other side there.
  expect(await fragments(`SELECT * FROM (${grouped("o_orderstatus")}) LEFT JOIN sf1.customer ON c_custkey = c`)).toEqual([
    "COORDINATOR 0",
    "SINGLE 1",
    "SOURCE 1",
  ]);
  expect(await fragments(few, { optimizer_rules: "-use_one_task" })).toEqual(["COORDINATOR 0", "HASH 0", "SOURCE 1"]);
  // Five groups.
  expect(await fragments(few, { min_input_rows_per_task: "3000" })).toEqual(atRoot);
  expect(await fragments(few, { min_input_rows_per_task: "2999" })).toEqual(["COORDINATOR 0", "SINGLE 0", "SOURCE 1"]);
});

test("one task of a worker finishes groups that are few, with what is computed of them", async () => {
  const grouped = "SELECT l_suppkey AS s, sum(l_tax) AS c FROM sf1.lineitem GROUP BY l_suppkey";
  const least = (rows: number) => ({ min_input_rows_per_task: String(rows) });
  const joined = `SELECT * FROM sf1.supplier JOIN (${grouped}) ON s_suppkey = s WHERE c = (SELECT max(c) FROM (${grouped}))`;
  expect(await fragments(joined)).toEqual(["COORDINATOR 0", "SINGLE 1", "SOURCE 1"]);
  expect(await fragments(grouped)).toEqual(["COORDINATOR 0", "SINGLE 0", "SOURCE 1"]);
  // 10,000 suppliers.
  expect(await fragments(grouped, least(120_000))).toContain("SINGLE 0");
  expect(await fragments(grouped, least(119_999))).toContain("HASH 0");
});

test("one task of a worker finishes groups of which a join keeps few, if its keys filter the scan", async () => {
  // TPC-H q17: the average of each part of one brand and container.
  const kept = (parts: string) => `SELECT sum(l_extendedprice) FROM sf1.lineitem JOIN sf1.part ON p_partkey = l_partkey
    WHERE ${parts} AND l_quantity < (SELECT avg(l_quantity) FROM sf1.lineitem WHERE l_partkey = p_partkey)`;
  const few = kept("p_brand = 'Brand#23' AND p_container = 'MED BOX'");
  // With keys the join could be below the aggregation. A window would have no groups.
  const off = "-join_before_aggregation,-use_windows";
  expect(await fragments(few, { optimizer_rules: off })).toEqual(["COORDINATOR 0", "SOURCE 1", "SINGLE 1", "SOURCE 1"]);
  expect(await fragments(few, { optimizer_rules: off, enable_dynamic_filtering: "false" })).toContain("HASH 0");
  expect(await fragments(few, { optimizer_rules: `${off},-remote_dynamic_filters` })).toContain("HASH 0");
  // 40,000 parts.
  expect(await fragments(kept("p_size < 11"), { optimizer_rules: off })).toContain("HASH 0");
});

test("the coordinator's tables and small tables of workers are in different fragments", async () => {
  for (const sql of [
    "SELECT n_name FROM nation JOIN memory.runtime.nodes ON n_name = node_id",
    "SELECT n_name FROM nation UNION ALL SELECT node_id FROM memory.runtime.nodes",
    "SELECT (SELECT max(n_name) FROM nation), node_id FROM memory.runtime.nodes",
  ]) {
    const { plan } = await planQueryText(sql, { properties: { min_input_rows_per_task: "600000" } });
    expect(plan.fragments.map(textOf)).toEqual(["COORDINATOR 1", "SINGLE 1"]);
  }
});

test("a session has its own bound, and can switch it off", async () => {
  const spread = await fragments(joined, { optimizer_rules: "-use_one_task" });
  expect(spread.length).toBeGreaterThan(2);
  expect(await fragments(joined, { min_input_rows_per_task: "1" })).toEqual(spread);
  // The largest table has 100 rows.
  expect(await fragments(joined, { min_input_rows_per_task: "51" })).toEqual(["COORDINATOR 0", "SINGLE 3"]);
  expect((await fragments(joined, { min_input_rows_per_task: "50" })).filter((fragment) => fragment === "SOURCE 1")).toHaveLength(1);
});

test("what would hold the coordinator's thread is on a worker, and rows that only pass are not", async () => {
  const points = "(SELECT ST_Point(n, n) p FROM UNNEST(sequence(0, 9)) t (n))";
  expect(await fragments("SELECT sum(n) FROM UNNEST(sequence(0, 9)) t (n)")).toEqual(["COORDINATOR 0"]);
  expect(await fragments(`SELECT ST_Area(geometry_union_agg(p)) FROM ${points}`)).toEqual(["COORDINATOR 0", "SINGLE 0"]);
  expect(await fragments("SELECT ST_X(ST_Centroid(geometry_union_agg(ST_Point(c_custkey, 1)))) FROM sf100.customer")).toEqual([
    "COORDINATOR 0",
    "SINGLE 0",
    "SOURCE 1",
  ]);
  const columns = (count: number): string => Array.from({ length: count }, (_, column) => `n + ${column}`).join(", ");
  expect(await fragments(`SELECT ${columns(1_000)} FROM UNNEST(sequence(0, 9)) t (n)`)).toEqual(["COORDINATOR 0"]);
  expect(await fragments(`SELECT ${columns(1_001)} FROM UNNEST(sequence(0, 9)) t (n)`)).toEqual(["COORDINATOR 0", "SINGLE 0"]);
});
