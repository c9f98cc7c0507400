/**
 * A subquery without tables keeps the join's keys: EXPLAIN shows a hash join, and pairs that the keys exclude are never produced.
 */
import { describe, expect, it } from "vitest";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";

const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });
const pair = "SELECT count(*) FROM lineitem l JOIN orders o ON";

/** The joins of EXPLAIN with their conditions, reduced to column names. */
async function joins(sql: string): Promise<readonly string[]> {
  const text = await planner.explain(`(TYPE LOGICAL) ${sql}`);
  return [...text.matchAll(/- (\w*Join\[.*?\]|CrossJoin)/g)].map(([, join = ""]) => join);
}

describe("conditions with one key", () => {
  const conditions = [
    "l_orderkey IN (SELECT o_orderkey)",
    "o_orderkey IN (SELECT l_orderkey)",
    "(SELECT l_orderkey) IN (SELECT o_orderkey)",
    "l_orderkey IN (VALUES o_orderkey)",
    "l_orderkey = ANY (SELECT o_orderkey)",
    "l_orderkey = (SELECT o_orderkey)",
    "(SELECT o_orderkey) = l_orderkey",
    "EXISTS (SELECT 1 WHERE l_orderkey = o_orderkey)",
    "EXISTS (SELECT 1 WHERE l_orderkey IN (SELECT o_orderkey))",
    "NOT (l_orderkey NOT IN (SELECT o_orderkey))",
    "l_orderkey IN (SELECT DISTINCT o_orderkey)",
    "l_orderkey IN (SELECT o_orderkey ORDER BY 1 LIMIT 1)",
    "l_orderkey = (SELECT max(o_orderkey))",
    "l_orderkey IN (SELECT sum(o_orderkey) HAVING count(*) > 0)",
    "l_orderkey = (SELECT o_orderkey + 1)",
    "l_orderkey + 1 IN (SELECT 2 * o_orderkey)",
    "l_orderkey IN (SELECT o_orderkey WHERE o_totalprice > 100)",
    "l_orderkey IN (SELECT k FROM (SELECT o_orderkey AS k) t WHERE k > 5)",
    "l_orderkey IN (SELECT o_orderkey + 1 WHERE o_totalprice / o_shippriority > 100)",
  ];

  it.each(conditions)("%s", async (condition) => {
    for (const sql of [`${pair} ${condition}`, `SELECT count(*) FROM lineitem, orders WHERE ${condition}`]) {
      const found = await joins(sql);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^InnerJoin\[\("\w+" = "\w+"\)\]$/);
    }
  });
});

describe("further conditions", () => {
  const conditions: readonly (readonly [string, RegExp])[] = [
    ["(l_orderkey, l_linenumber) IN (SELECT o_orderkey, o_shippriority)", /^InnerJoin\[\("\w+" = "\w+"\) AND \("\w+" = "\w+"\)\]$/],
    ["l_orderkey IN (SELECT o_orderkey WHERE l_extendedprice < o_totalprice)", /^InnerJoin\[\("\w+" = "\w+"\) AND \("\w+" < "\w+"\)\]$/],
    ["l_orderkey = (SELECT o_orderkey WHERE l_extendedprice < o_totalprice)", /^InnerJoin\[\("\w+" = "\w+"\) AND \("\w+" < "\w+"\)\]$/],
    ["EXISTS (SELECT 1 WHERE l_orderkey = o_orderkey AND l_tax < o_totalprice)", /^InnerJoin\[\("\w+" = "\w+"\) AND \("\w+" < "\w+"\)\]$/],
  ];

  it.each(conditions)("%s", async (condition, expected) => {
    expect(await joins(`${pair} ${condition}`)).toEqual([expect.stringMatching(expected)]);
  });

  it("a guard of what may fail stays around it, below the join", async () => {
    const text = await planner.explain(`(TYPE LOGICAL) ${pair} l_orderkey IN (SELECT 10 / o_shippriority WHERE o_shippriority <> 0)`);
    expect(text).toMatch(/InnerJoin\[\("l_orderkey" = "value"\)\]/);
    expect(text).toMatch(/value := IF\(\("o_shippriority" <> 0\), CAST\(\(10 \/ "o_shippriority"\) AS bigint\), null\)/);
  });
});

describe("outer joins", () => {
  it.each([
    ["LEFT", "LeftJoin"],
    ["RIGHT", "LeftJoin"],
    ["FULL", "FullJoin"],
  ])("%s JOIN", async (type, shown) => {
    const conditions = [
      "l_orderkey IN (SELECT o_orderkey)",
      "l_orderkey = (SELECT o_orderkey)",
      "EXISTS (SELECT 1 WHERE l_orderkey = o_orderkey)",
    ];
    for (const condition of conditions) {
      const found = await joins(`SELECT count(*), count(l_tax), count(o_comment) FROM lineitem ${type} JOIN orders ON ${condition}`);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(String.raw`^(${shown}|RightJoin)\[\("\w+" = "\w+"\)\]$`));
    }
  });
});

describe("conditions that are not keys", () => {
  it.each([
    "l_orderkey NOT IN (SELECT o_orderkey)",
    "l_orderkey < (SELECT o_orderkey)",
    "l_orderkey IN (SELECT o_orderkey UNION ALL SELECT o_custkey)",
  ])("%s", async (condition) => {
    const [found, ...others] = await joins(`${pair} ${condition}`);
    expect(others).toEqual([]);
    expect(found).not.toMatch(/"\w+" = "\w+"\)\]$/);
  });
});
