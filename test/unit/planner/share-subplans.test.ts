/**
 * Which subplans of a statement are evaluated once, over TPC-H.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { FragmentedPlan } from "../../../src/planner/fragmenter/fragment.ts";
import { shareInSteps } from "../../../src/planner/fragmenter/share-subplans.ts";
import { visitPlan } from "../../../src/planner/plan/plan-tree.ts";
import { atOnce } from "../../../src/planner/pieces.ts";
import { validateInPieces } from "../../../src/planner/plan/validate.ts";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";

const connector = tpchConnector();
/** Windows over the rows of a sub-plan would leave less to share. */
const properties = { optimizer_rules: "-use_windows" };
const session = { catalog: "tpch", schema: "sf1", properties };
const sharing = new TestPlanner({ tpch: connector }, session);
const apart = new TestPlanner({ tpch: connector }, { ...session, properties: { ...properties, share_common_subplans: "false" } });

/** Number of scans by table. */
async function scans(planner: TestPlanner, sql: string): Promise<Readonly<Record<string, number>>> {
  const { plan } = await planner.plan(sql);
  atOnce(validateInPieces(plan));
  const found: Record<string, number> = {};
  for (const { root } of plan.fragments) {
    visitPlan(root, (node) => {
      if (node.kind === "TableScan") {
        found[node.table.name.table] = (found[node.table.name.table] ?? 0) + 1;
      }
    });
  }
  return found;
}

/** The fragments that each fragment reads. */
function reads({ fragments }: FragmentedPlan): readonly (readonly number[])[] {
  return fragments.map(({ root }) => {
    const found: number[] = [];
    visitPlan(root, (node) => {
      if (node.kind === "RemoteSource") {
        found.push(...node.fragmentIds);
      }
    });
    return found;
  });
}

const revenue = "WITH revenue (s, r) AS (SELECT l_suppkey, sum(l_extendedprice) FROM lineitem WHERE l_tax < 0.05 GROUP BY l_suppkey)";

describe("a sub-plan that a statement holds twice", () => {
  test("is one fragment with two readers: query 15 reads lineitem once", async () => {
    const file = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "oracle", "tpch", "q15.sql");
    const sql = readFileSync(file, "utf8");
    expect(await scans(apart, sql)).toEqual({ lineitem: 2, supplier: 1 });
    expect(await scans(sharing, sql)).toEqual({ lineitem: 1, supplier: 1 });
    expect(reads((await sharing.plan(sql)).plan)).toEqual([[1], [2], [5, 3], [4], [5], []]);
  });

  test("may be read twice by one remote source, and by many", async () => {
    const sql = `${revenue} SELECT count(*), sum(r) FROM (SELECT * FROM revenue UNION ALL SELECT * FROM revenue UNION ALL SELECT * FROM revenue)`;
    expect(await scans(apart, sql)).toEqual({ lineitem: 3 });
    expect(await scans(sharing, sql)).toEqual({ lineitem: 1 });
  });

  test("of a recursion's levels is each one: they lie below the union and below the next level", async () => {
    const step = "SELECT n_nationkey AS k FROM nation WHERE n_nationkey - 1 IN (SELECT t.k FROM t WHERE t.k <= n_regionkey + 5)";
    const sql = `WITH RECURSIVE t(k) AS (SELECT BIGINT '1' UNION ALL SELECT s.k FROM (${step}) s) SELECT * FROM t`;
    const stages = async (depth: number): Promise<number> => {
      const properties = { max_recursion_depth: String(depth) };
      return (await new TestPlanner({ tpch: connector }, { ...session, properties }).plan(sql)).plan.fragments.length;
    };
    const [some, more] = [await stages(9), await stages(12)];
    // Linear growth: each further level adds the same number of fragments.
    expect((more - some) / 3).toBeLessThanOrEqual(5);
  });

  test("includes its sources, which are not read twice either", async () => {
    const sql = `WITH a (k, v) AS (SELECT o_custkey, sum(l_quantity) FROM lineitem, orders WHERE l_orderkey = o_orderkey AND o_orderdate < DATE '1993-01-01' GROUP BY 1)
      SELECT k, v FROM a WHERE v = (SELECT max(v) FROM a)`;
    expect(await scans(apart, sql)).toEqual({ lineitem: 2, orders: 2 });
    expect(await scans(sharing, sql)).toEqual({ lineitem: 1, orders: 1 });
  });

  test("differs from one with another constant, column or table", async () => {
    const one = (text: string) => `SELECT l_suppkey k, sum(l_quantity) v FROM lineitem WHERE ${text} GROUP BY 1`;
    const both = (a: string, b: string) => scans(sharing, `SELECT count(*), sum(v) FROM (${one(a)} UNION ALL ${one(b)})`);
    expect(await both("l_tax < 0.05", "l_tax < 0.05")).toEqual({ lineitem: 1 });
    expect(await both("l_tax < 0.05", "l_tax < 0.06")).toEqual({ lineitem: 2 });
    expect(await both("l_tax < 0.05", "l_discount < 0.05")).toEqual({ lineitem: 2 });
    const tiny = `SELECT count(*), sum(v) FROM (${one("l_tax < 0.05")} UNION ALL ${one("l_tax < 0.05").replace("lineitem", "tpch.tiny.lineitem")})`;
    expect(await scans(sharing, tiny)).toEqual({ lineitem: 2 });
  });

  test("is evaluated each time where chance has a say in it", async () => {
    const twice = (from: string, where: string) =>
      `WITH a (k, v) AS (SELECT l_suppkey, sum(l_quantity) FROM lineitem ${from} WHERE ${where} GROUP BY 1) SELECT count(*), sum(v) FROM (SELECT * FROM a UNION ALL SELECT * FROM a)`;
    expect(await scans(sharing, twice("", "random() < 0.5"))).toEqual({ lineitem: 2 });
    expect(await scans(sharing, twice("TABLESAMPLE BERNOULLI (10)", "true"))).toEqual({ lineitem: 2 });
    expect(await scans(sharing, twice("", "true"))).toEqual({ lineitem: 1 });
  });

  test("is one fragment also if it only filters a small table, whatever the order of the values in IN", async () => {
    const joined = (ofSuppliers: string, ofCustomers: string) =>
      `SELECT s_name, c_name FROM supplier, customer, nation n1, nation n2 WHERE s_nationkey = n1.n_nationkey
      AND c_nationkey = n2.n_nationkey AND s_suppkey = c_custkey AND n1.n_name IN (${ofSuppliers}) AND n2.n_name IN (${ofCustomers})`;
    const one = { supplier: 1, customer: 1, nation: 1 };
    expect(await scans(apart, joined("'PERU', 'CHINA'", "'PERU', 'CHINA'"))).toEqual({ ...one, nation: 2 });
    expect(await scans(sharing, joined("'PERU', 'CHINA'", "'CHINA', 'PERU'"))).toEqual(one);
    expect(await scans(sharing, joined("'PERU', 'CHINA'", "'CHINA', 'KENYA'"))).toEqual({ ...one, nation: 2 });
    // 300,000 rows would wait for the slower reader.
    const many = "SELECT o_custkey k FROM orders WHERE o_orderpriority = '1-URGENT'";
    expect(await scans(sharing, `SELECT * FROM (${many}) UNION ALL SELECT * FROM (${many})`)).toEqual({ orders: 2 });
  });

  test("is evaluated each time where it has no bytes, or its rows are more than what it reads", async () => {
    expect(await scans(sharing, "SELECT count(*) FROM (SELECT n_name FROM nation UNION ALL SELECT n_name FROM nation)")).toEqual({
      nation: 2,
    });
    const many = "SELECT x.o_orderkey a, y.o_orderkey b FROM orders x, orders y WHERE x.o_orderdate = y.o_orderdate";
    expect(await scans(sharing, `WITH a AS (${many}) SELECT * FROM a UNION ALL SELECT * FROM a`)).toEqual({ orders: 4 });
    const few = `${many} AND x.o_custkey = y.o_custkey AND x.o_orderpriority = y.o_orderpriority AND x.o_orderkey < 100`;
    expect(await scans(sharing, `WITH a AS (${few}) SELECT * FROM a UNION ALL SELECT * FROM a`)).toEqual({ orders: 2 });
  });
});

describe("sub-plans that differ in what they give of the same rows", () => {
  const sums =
    "WITH a (k, v, n) AS (SELECT o_custkey, sum(o_totalprice), count(*) FROM orders WHERE o_orderdate < DATE '1993-01-01' GROUP BY 1)";

  test("are one that gives all of it, and each reader takes its own", async () => {
    const sql = `${sums} SELECT count(*), sum(x.v), sum(y.n) FROM a x JOIN a y ON x.k = y.k`;
    expect(await scans(apart, sql)).toEqual({ orders: 2 });
    expect(await scans(sharing, sql)).toEqual({ orders: 1 });
    const text = await sharing.explain(sql);
    expect(text.match(/Aggregate\(PARTIAL\)\[o_custkey[_0-9]*\]/g)).toHaveLength(1);
    expect(text).toMatch(/Project\[\] => \[[^\]]*\]\n[^\n]*\n *- RemoteSource\[\d+\] => \[[^\]]*unread_/);
  });

  test("also where columns of scans and joins below differ, and where one has a column twice", async () => {
    const rows =
      "SELECT ps_partkey k, ps_suppkey s, ps_availqty q, ps_supplycost c FROM partsupp JOIN supplier ON ps_suppkey = s_suppkey WHERE s_acctbal > 9000";
    const sql = `WITH a AS (${rows}) SELECT * FROM (SELECT k, min(c), sum(q), sum(q) + 1, max(q * c) FROM a GROUP BY k) x
      JOIN (SELECT k, max(c), sum(q), sum(s), count(*) FROM a GROUP BY k) y ON x.k = y.k`;
    expect(await scans(apart, sql)).toEqual({ partsupp: 2, supplier: 2 });
    expect(await scans(sharing, sql)).toEqual({ partsupp: 1, supplier: 1 });
  });

  test("and where the other side of a join gives other columns of the same rows", async () => {
    const rows =
      "SELECT o_custkey k, o_orderkey o, o_clerk c, l_quantity q, l_tax t FROM orders JOIN lineitem ON o_orderkey = l_orderkey WHERE l_shipdate > DATE '1998-06-01'";
    const sql = `WITH a AS (${rows}) SELECT * FROM (SELECT k, min(c), sum(q), sum(q) + 1, max(t) FROM a GROUP BY k) x
      JOIN (SELECT k, max(c), sum(t), sum(o), count(*) FROM a GROUP BY k) y ON x.k = y.k
      JOIN (SELECT k, min(q) z FROM a GROUP BY k) z ON y.k = z.k`;
    expect(await scans(apart, sql)).toEqual({ orders: 3, lineitem: 3 });
    expect(await scans(sharing, sql)).toEqual({ orders: 1, lineitem: 1 });
  });

  test("not where the other side of a join has other rows", async () => {
    const rows = (day: string) =>
      `SELECT o_custkey k, max(l_tax) t FROM orders JOIN lineitem ON o_orderkey = l_orderkey WHERE l_shipdate > DATE '1998-06-${day}' GROUP BY o_custkey`;
    const both = (a: string, b: string) => scans(sharing, `SELECT * FROM (${a}) x JOIN (${b}) y ON x.k = y.k`);
    expect(await both(rows("01"), rows("01").replace("l_tax", "l_discount"))).toEqual({ orders: 1, lineitem: 1 });
    expect(await both(rows("01"), rows("02").replace("l_tax", "l_discount"))).toEqual({ orders: 2, lineitem: 2 });
  });

  test("not where their rows differ: other groups, another filter, another kind of join, another mask", async () => {
    const both = (a: string, b: string) => scans(sharing, `SELECT * FROM (${a}) t (k, v) JOIN (${b}) u (l, w) ON k = l`);
    const one = "SELECT o_custkey, sum(o_shippriority) FROM orders GROUP BY 1";
    expect(await both(one, "SELECT o_custkey, max(o_clerk) FROM orders GROUP BY 1")).toEqual({ orders: 1 });
    expect(await both(one, "SELECT o_orderkey, max(o_clerk) FROM orders GROUP BY 1")).toEqual({ orders: 2 });
    expect(await both(one, "SELECT o_custkey, max(o_clerk) FROM orders WHERE o_orderkey > 7 GROUP BY 1")).toEqual({ orders: 2 });
    expect(await both(one, "SELECT o_custkey, max(o_clerk) FROM orders GROUP BY 1, o_orderdate")).toEqual({ orders: 2 });
    const masked = await sharing.plan(
      `SELECT * FROM (${one}) t (k, v) JOIN (SELECT o_custkey, sum(o_shippriority) FILTER (WHERE o_clerk > 'C') FROM orders GROUP BY 1) u (l, w) ON k = l`,
    );
    const partial = JSON.stringify(masked.plan.fragments.at(-1)?.root);
    expect(partial.match(/"name":"sum","argumentTypes"/g)).toHaveLength(2);
    expect(partial.match(/"mask":/g)).toHaveLength(1);
  });
});

test("a plan without a common subplan is unchanged", async () => {
  const { plan } = await apart.plan("SELECT o_custkey, count(*) FROM orders, lineitem WHERE o_orderkey = l_orderkey GROUP BY 1");
  expect(atOnce(shareInSteps(plan, () => ({ columns: {} })))).toBe(plan);
});
