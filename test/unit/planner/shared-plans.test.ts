/**
 * Plans with several consumers that are computed once, over TPC-H.
 */
import { describe, expect, test } from "vitest";
import type { FragmentedPlan } from "../../../src/planner/fragmenter/fragment.ts";
import { sourceFragmentsOf } from "../../../src/planner/fragmenter/fragment-walk.ts";
import { outputsOf, type PlanNode } from "../../../src/planner/plan/node.ts";
import { visitPlan } from "../../../src/planner/plan/plan-tree.ts";
import { atOnce } from "../../../src/planner/pieces.ts";
import { validateInPieces } from "../../../src/planner/plan/validate.ts";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";

const connector = tpchConnector();
const session = { catalog: "tpch", schema: "sf1" };
const planner = new TestPlanner({ tpch: connector }, session);
// share_common_subplans has no effect on shared plans, which are not chosen by cost.
const apart = new TestPlanner({ tpch: connector }, { ...session, properties: { share_common_subplans: "false" } });

async function fragments(sql: string, by: TestPlanner = apart): Promise<FragmentedPlan> {
  const { plan } = await by.plan(sql);
  atOnce(validateInPieces(plan));
  return plan;
}

function scansOf(plan: FragmentedPlan, table: string): number {
  let scans = 0;
  for (const { root } of plan.fragments) {
    visitPlan(root, (node) => {
      if (node.kind === "TableScan" && node.table.name.table === table) {
        scans++;
      }
    });
  }
  return scans;
}

/** Fragments with several consumers, and the number of consumers. */
function readers(plan: FragmentedPlan): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const id of plan.fragments.flatMap(sourceFragmentsOf)) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > 1));
}

const first = "(SELECT max(s.s_acctbal) FROM (SELECT * FROM supplier WHERE s_suppkey <= n.n_nationkey ORDER BY s_suppkey LIMIT 3) s)";

describe("enclosing rows that may be others the second time", () => {
  test.each([
    ["drawn by chance", "SELECT n_nationkey + random(9) AS n_nationkey FROM nation"],
    ["the first that come", "SELECT * FROM nation LIMIT 7"],
    ["a sample", "SELECT * FROM nation TABLESAMPLE BERNOULLI (50)"],
  ])("are computed once: %s", async (_name, from) => {
    const plan = await fragments(`SELECT n.n_nationkey, ${first} FROM (${from}) n`);
    expect(scansOf(plan, "nation")).toBe(1);
    expect([...readers(plan).values()]).toEqual([2]);
  });

  test("are computed twice where they are the same twice", async () => {
    const plan = await fragments(`SELECT n.n_nationkey, ${first} FROM nation n`);
    expect(scansOf(plan, "nation")).toBeGreaterThan(1);
    expect(readers(plan).size).toBe(0);
  });

  test("are read in the order that each reader wants", async () => {
    const step = "SELECT w.a + 1, w.b FROM w JOIN nation n ON n.n_regionkey = w.b WHERE w.a < 3";
    await fragments(
      `WITH RECURSIVE w(a, b) AS (SELECT n_nationkey, n_name FROM nation UNION ALL ${step.replace("n.n_regionkey", "n.n_name")}) SELECT 1 FROM w JOIN nation n ON w.b = n.n_name`,
    );
    await fragments(`WITH RECURSIVE w(a, b) AS (SELECT 1, CAST(n_nationkey AS integer) FROM nation UNION ALL ${step}) SELECT b FROM w`);
  });

  test("have the columns that either reader wants and no others", async () => {
    const plan = await fragments(`SELECT n.n_name, ${first} FROM (SELECT * FROM nation LIMIT 7) n`);
    const [shared] = readers(plan).keys();
    const root = plan.fragments[shared as number]?.root as PlanNode;
    expect(outputsOf(root).map(({ name }) => name.replace(/_\d+$/, ""))).toEqual(expect.arrayContaining(["n_name", "n_nationkey"]));
    expect(outputsOf(root)).toHaveLength(2);
  });

  test("stand before every fragment that reads them, also one inside the other", async () => {
    const inner = "SELECT m.n_nationkey + random(9) AS n_nationkey, m.n_regionkey FROM (SELECT * FROM nation LIMIT 20) m";
    const plan = await fragments(`SELECT n.n_nationkey, ${first}, ${first.replace("max", "min")} FROM (${inner}) n`);
    for (const fragment of plan.fragments) {
      for (const source of sourceFragmentsOf(fragment)) {
        expect(source).toBeGreaterThan(fragment.id);
      }
    }
    expect(scansOf(plan, "nation")).toBe(1);
  });

  test("are in the text of EXPLAIN below each reader", async () => {
    const text = await planner.explain(`SELECT n.n_nationkey, ${first} FROM (SELECT * FROM nation LIMIT 7) n`);
    expect(text).not.toContain("SharedSource");
  });
});

describe("levels of a recursion", () => {
  const recursion = (step: string): string =>
    `WITH RECURSIVE t (k) AS (SELECT n_nationkey FROM nation WHERE n_nationkey = 0 UNION ALL ${step}) SELECT count(*) FROM t`;

  test("are each computed once, so that stages grow with the depth", async () => {
    const step = "SELECT n_nationkey FROM nation WHERE n_nationkey - 1 IN (SELECT t.k FROM t WHERE t.k <= n_regionkey + 5)";
    const stages: number[] = [];
    for (const depth of ["3", "6", "9"]) {
      const deep = new TestPlanner(
        { tpch: connector },
        { ...session, properties: { max_recursion_depth: depth, share_common_subplans: "false" } },
      );
      stages.push((await fragments(recursion(`SELECT s.n_nationkey FROM (${step}) s`), deep)).fragments.length);
    }
    const [a = 0, b = 0, c = 0] = stages;
    expect(c - b).toBe(b - a);
  });

  test("read their tables once a level", async () => {
    const plan = await fragments(recursion("SELECT n.n_nationkey FROM t JOIN nation n ON n.n_nationkey = t.k + 1"));
    // The anchor, ten levels, and the one after the last.
    expect(scansOf(plan, "nation")).toBe(12);
  });
});
