/**
 * Rules that rely on table keys, with those of TPC-H.
 */
import { expect, test } from "vitest";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";

const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });

async function aggregations(sql: string): Promise<readonly string[]> {
  return [...(await planner.explain(sql)).matchAll(/- (Aggregate(?!\(PARTIAL\))[^\n]*) =>/g)].map(([, head = ""]) => head);
}

test("what follows from a table's key is not grouped by", async () => {
  const sql =
    "SELECT c_name, c_custkey, o_orderkey, o_orderdate, sum(o_totalprice) FROM customer, orders WHERE c_custkey = o_custkey GROUP BY 1, 2, 3, 4";
  expect(await aggregations(sql)).toEqual(["Aggregate(FINAL)[o_orderkey]"]);
  expect(await planner.explain(sql)).toMatch(/c_name_\d+ := arbitrary\("c_name_\d+"\)/);
});

test("keys that tell nothing of each other stay", async () => {
  expect(await aggregations("SELECT o_custkey, o_orderdate, count(*) FROM orders GROUP BY 1, 2")).toEqual([
    "Aggregate(FINAL)[o_custkey, o_orderdate]",
  ]);
});

test("part of a key is not a key", async () => {
  expect(await aggregations("SELECT ps_partkey, ps_availqty FROM partsupp GROUP BY 1, 2")).toEqual([
    "Aggregate(FINAL)[ps_partkey, ps_availqty]",
  ]);
});

test("the side that an outer join makes NULL tells nothing", async () => {
  const sql = "SELECT c_custkey, c_name, o_custkey FROM orders LEFT JOIN customer ON o_orderkey = c_custkey GROUP BY 1, 2, 3";
  expect(await aggregations(sql)).toEqual(["Aggregate(FINAL)[c_custkey, c_name, o_custkey]"]);
});

test("a part with the same supplier twice makes a table without a key", async () => {
  const at = async (schema: string) => (await tpchConnector().metadata.getTable({ schema, table: "partsupp" }))?.uniqueKeys;
  expect(await at("sf1")).toEqual([["ps_partkey", "ps_suppkey"]]);
  expect(await at("tiny")).toEqual([["ps_partkey", "ps_suppkey"]]);
  expect(await at("sf0.012")).toBeUndefined();
});

test("IN over a key is a join", async () => {
  const text = await planner.explain("SELECT count(*) FROM lineitem WHERE l_partkey IN (SELECT p_partkey FROM part WHERE p_size = 1)");
  expect(text).toMatch(/InnerJoin\[\("l_partkey" = "p_partkey"\)\]/);
  expect(text).not.toContain("SemiJoin");
});

test("a small source is built and the large filtering side passes by", async () => {
  const text = await planner.explain(
    "SELECT o_orderpriority FROM orders WHERE o_orderdate = DATE '1995-01-01' AND EXISTS (SELECT * FROM lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)",
  );
  expect(text).toMatch(/SemiJoin\[o_orderkey = l_orderkey\][\s\S]*Build side: SOURCE[\s\S]*"l_orderkey" = #df/);
});

test("NOT EXISTS over a large side keeps what nothing met", async () => {
  const text = await planner.explain(
    "SELECT count(*) FROM customer WHERE c_nationkey = 1 AND NOT EXISTS (SELECT * FROM orders WHERE o_custkey = c_custkey)",
  );
  expect(text).toMatch(/SemiJoin\[c_custkey = o_custkey\][\s\S]*Build side: SOURCE[\s\S]*"o_custkey" = #df/);
});

test("NOT IN knows NULLs and stays a semi-join; so does a small filtering side with repeated keys", async () => {
  expect(
    await planner.explain("SELECT count(*) FROM customer WHERE c_nationkey = 1 AND c_custkey NOT IN (SELECT o_custkey FROM orders)"),
  ).toContain("SemiJoin");
  expect(await planner.explain("SELECT count(*) FROM orders WHERE o_custkey IN (SELECT c_nationkey FROM customer)")).toContain("SemiJoin");
});
