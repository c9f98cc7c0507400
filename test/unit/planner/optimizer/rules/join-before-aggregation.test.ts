import { expect, test } from "vitest";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";

const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });

/** Joins, aggregations and scans in EXPLAIN's order, without exchanges. */
async function outline(sql: string): Promise<readonly string[]> {
  const text = await planner.explain(sql);
  return [...text.matchAll(/- (\w*Join\[[^\n]*\]|Aggregate(?:\(PARTIAL\))?\[[^\n]*\]|TableScan\[tpch:sf1\.\w+[^\n]*\]) =>/g)].map(
    ([, node = ""]) => node.replace(/^TableScan\[tpch:sf1\.(\w+).*$/, "$1"),
  );
}

const average = "(SELECT l_partkey AS k, avg(l_quantity) AS a FROM lineitem GROUP BY l_partkey)";

test("only the rows of the parts that are wanted are aggregated", async () => {
  expect(await outline(`SELECT a, p_name FROM ${average} JOIN part ON k = p_partkey WHERE p_size = 1`)).toEqual([
    "Aggregate(PARTIAL)[l_partkey]",
    'InnerJoin[("l_partkey" = "p_partkey")]',
    "lineitem",
    "part",
  ]);
});

test("a join that leaves all groups stays above, with fewer rows to join", async () => {
  const nodes = await outline(`SELECT a, p_name FROM ${average} JOIN part ON k = p_partkey`);
  expect(nodes.findIndex((node) => node.startsWith("InnerJoin"))).toBeLessThan(nodes.findIndex((node) => node.startsWith("Aggregate")));
});

test("a relation that may have several rows for a group stays above: each would be counted", async () => {
  const nodes = await outline(`SELECT a FROM ${average} JOIN partsupp ON k = ps_partkey WHERE ps_availqty = 1`);
  expect(nodes.findIndex((node) => node.startsWith("InnerJoin"))).toBeLessThan(nodes.findIndex((node) => node.startsWith("Aggregate")));
});

test("conditions on results of the aggregation stay above it", async () => {
  const text = await planner.explain(`SELECT p_name FROM ${average} JOIN part ON k = p_partkey AND a > p_retailprice WHERE p_size = 1`);
  expect(text).toMatch(/Filter\[filterPredicate = [^\n]*"avg"[^\n]*"p_retailprice[^\n]*\n[\s\S]*Aggregate\(FINAL\)\[l_partkey\]/);
});
