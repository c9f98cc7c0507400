/** Orders of joins that need what follows from keys, ranges and equalities, over TPC-H's statistics. */
import { expect, test } from "vitest";
import { TestPlanner, tpchConnector } from "../../../support/planning.ts";

const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });

/** `InnerJoin[...]` and scans in the order in which EXPLAIN shows them, with their estimated rows. */
async function outline(sql: string): Promise<readonly string[]> {
  const text = await planner.explain(sql);
  const found = [...text.matchAll(/- (\w*Join\[[^\n]*\]|TableScan\[[^\]]*\]) =>[^\n]*\n\s*Estimates: \{rows: (\d+)/g)];
  return found.map(([, node = "", rows]) => `${node.replace(/TableScan\[tpch:sf1\.(\w+)\]/, "$1")} ${rows}`);
}

test("a column that is equal to a third by way of a second is joined with it at once", async () => {
  const joins = await outline(
    "SELECT count(*) FROM nation, supplier, customer WHERE s_nationkey = n_nationkey AND s_nationkey = c_nationkey AND n_name = 'CHINA'",
  );
  expect(joins[0]).toMatch(/^InnerJoin\[\("c_nationkey" = "s_nationkey"\)\]/);
  expect(joins.some((join) => join.startsWith('InnerJoin[("s_nationkey" = "n_nationkey")]'))).toBe(true);
});

test("columns of one relation that are equal to the same column are compared before the join", async () => {
  const text = await planner.explain("SELECT count(*) FROM lineitem, orders WHERE l_orderkey = o_orderkey AND l_partkey = o_orderkey");
  expect(text).toMatch(/Filter\[filterPredicate = \("l_partkey" = "l_orderkey"\)\]/);
  expect(text.match(/InnerJoin\[[^\n]*\] =>/g)).toHaveLength(1);
  expect(text).not.toMatch(/InnerJoin\[[^\n]* AND [^\n]*\] =>/);
});

test("a join on the whole key of a table gives as many rows as the other side has, less what is filtered of the table", async () => {
  expect(await outline("SELECT count(*) FROM lineitem, partsupp WHERE ps_partkey = l_partkey AND ps_suppkey = l_suppkey")).toEqual([
    'InnerJoin[("l_partkey" = "ps_partkey") AND ("l_suppkey" = "ps_suppkey")] 6001215',
    "lineitem 6001215",
    "partsupp 800000",
  ]);
});

test("two bounds of a column are one range", async () => {
  const text = await planner.explain(
    "SELECT count(*) FROM orders WHERE o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01'",
  );
  expect(Number(/Filter[^\n]*\n\s*Estimates: \{rows: (\d+)/.exec(text)?.[1])).toBeCloseTo(227_651, -4);
});

test("the small tables are joined first and the large one probes once", async () => {
  const joins = await outline(
    "SELECT count(*) FROM lineitem, part, partsupp WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey AND p_partkey = l_partkey AND p_name LIKE '%green%'",
  );
  expect(joins.map((join) => join.replace(/ \d+$/, ""))).toEqual([
    'InnerJoin[("l_partkey" = "p_partkey") AND ("l_suppkey" = "ps_suppkey")]',
    "lineitem",
    'InnerJoin[("ps_partkey" = "p_partkey")]',
    "partsupp",
    "part",
  ]);
});
