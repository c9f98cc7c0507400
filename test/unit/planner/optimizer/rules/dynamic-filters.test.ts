import { expect, test } from "vitest";
import type { PlanNode } from "../../../../../src/planner/plan/node.ts";
import { call, FALSE, special } from "../../../../../src/planner/plan/expression-tree.ts";
import { dynamicFilters } from "../../../../../src/planner/optimizer/rules/dynamic-filters.ts";
import { BIGINT, BOOLEAN } from "../../../../../src/types/type.ts";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";
import { add, after, column, compare, filter, group, ids, join, number, project, scan, semiJoin } from "./plans.ts";

const found = { kind: "variable", name: "found", type: BOOLEAN } as const;

/** Renumbers ids such as `df_7` in order of appearance. */
function filtered(plan: PlanNode, session: Parameters<typeof after>[2] = {}): string {
  const names = new Map<string, string>();
  return after(dynamicFilters, plan, session).replace(/df_\w+/g, (id) => {
    names.set(id, names.get(id) ?? `df${names.size}`);
    return names.get(id) as string;
  });
}

function exchange(source: PlanNode, name: string): PlanNode {
  return { kind: "Exchange", id: ids.node(), sources: [source], outputs: [column(name)], partitioning: { kind: "BROADCAST" } };
}

test("a join's dynamic filter reaches the scan of its probe side, through filters and forwarded columns", () => {
  const probe = project(filter(scan("big", "a", "b"), compare("$lt", column("b"), number(3))), { k: column("a") });
  expect(filtered(join("INNER", probe, exchange(scan("small", "c"), "c"), { k: "c" }))).toBe(
    [
      "INNER join k=c PARTITIONED c->#df0",
      '  project k="a"',
      '    filter ("b" < 3)',
      "      scan big: a b a=#df0",
      "  exchange BROADCAST",
      "    scan small: c",
    ].join("\n"),
  );
});

test("where rows of the probe side are kept without a match, or the statement says so, there is none", () => {
  const plan = (type: "LEFT" | "FULL" | "RIGHT"): PlanNode => join(type, scan("big", "a"), scan("small", "c"), { a: "c" });
  expect(filtered(plan("LEFT"))).not.toContain("#");
  expect(filtered(plan("FULL"))).not.toContain("#");
  expect(filtered(plan("RIGHT"))).toContain("scan big: a a=#df0");
  expect(filtered(plan("RIGHT"), { dynamicFiltering: false })).not.toContain("#");
});

test("an exchange between the join and the scan is another task", () => {
  expect(filtered(join("INNER", exchange(scan("big", "a"), "a"), scan("small", "c"), { a: "c" }))).not.toContain("#");
});

test("a column that is computed, drawn for, limited or picked by chance is not the scan's", () => {
  const small = (): PlanNode => scan("small", "c");
  const probes: readonly PlanNode[] = [
    project(scan("big", "a"), { k: add(column("a"), number(1)) }),
    project(scan("big", "a"), { k: column("a"), r: call("$random_bits", BIGINT, [number(1)]) }),
    project({ kind: "Limit", id: ids.node(), source: scan("big", "a"), count: 3, partial: false }, { k: column("a") }),
    project({ kind: "Sample", id: ids.node(), source: scan("big", "a"), method: "BERNOULLI", ratio: 0.5 }, { k: column("a") }),
  ];
  for (const probe of probes) {
    expect(filtered(join("INNER", probe, small(), { k: "c" }))).not.toContain("#");
  }
});

test("several joins over one scan filter one column each, and a join filters each of its keys", () => {
  const below = join("INNER", scan("big", "a", "b"), scan("small", "c"), { a: "c" });
  expect(filtered(join("INNER", below, scan("tiny", "d", "e"), { a: "d", b: "e" }))).toBe(
    [
      "INNER join a=d b=e PARTITIONED d->#df0 e->#df1",
      "  INNER join a=c PARTITIONED c->#df2",
      "    scan big: a b a=#df0 b=#df1 a=#df2",
      "    scan small: c",
      "  scan tiny: d e",
    ].join("\n"),
  );
});

test("a key that an inner join below equates with a probe column filters that column", () => {
  const below = join("INNER", scan("big", "a"), scan("small", "c"), { a: "c" });
  expect(filtered(join("INNER", below, scan("tiny", "d"), { c: "d" }))).toContain("scan big: a a=#df0 a=#df1");
  const other = join("INNER", scan("big", "a"), scan("small", "c", "x"), { a: "c" });
  expect(filtered(join("INNER", other, scan("tiny", "d"), { x: "d" }))).toContain("INNER join x=d PARTITIONED\n");
});

test("groups are dropped whole: only by their keys", () => {
  const byKey = join("INNER", group(scan("big", "a"), ["a"], "n"), scan("small", "c"), { a: "c" });
  expect(filtered(byKey)).toContain("scan big: a a=#df0");
  const byCount = join("INNER", group(scan("big", "a"), ["a"], "n"), scan("small", "c"), { n: "c" });
  expect(filtered(byCount)).not.toContain("#");
});

test("IN tells its values where only rows that have one of them are kept", () => {
  const plan = (): PlanNode => semiJoin(scan("big", "a"), scan("small", "c"), { key: "a", among: "c", output: "found" });
  // With the source as the build side, keys of the filtering side that no source row has are of no use, whatever the condition.
  const turned = semiJoin(scan("small", "a"), scan("big", "c"), { key: "a", among: "c", output: "found" });
  expect(after(dynamicFilters, { ...turned, build: "SOURCE" } as PlanNode)).toMatch(/builds SOURCE a->#(\S+)\n.*\n.*scan big: c c=#\1$/);
  expect(filtered(filter(plan(), found))).toBe(
    ['filter "found"', "  found: a in c REPLICATED c->#df0", "    scan big: a a=#df0", "    scan small: c"].join("\n"),
  );
  expect(filtered(filter(plan(), special("COALESCE", BOOLEAN, [found, FALSE])))).not.toContain("#");
  expect(filtered(plan())).not.toContain("#");
});

test("a build side that has most values of the column drops too little, where estimates are known", async () => {
  const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });
  const joined = "SELECT count(*) FROM lineitem JOIN supplier ON l_suppkey = s_suppkey";
  expect(await planner.explain(joined)).not.toContain("dynamicFilter");
  const some = await planner.explain(`${joined} WHERE s_nationkey = 3`);
  expect(some).toMatch(/TableScan\[tpch:sf1\.lineitem, dynamicFilters = \{"l_suppkey" = #df_(\d+)\}\]/);
  expect(some).toMatch(/dynamicFilterAssignments = \{s_suppkey -> #df_(\d+)\}/);
});

test("a text whose type is made longer for the join is still the scan's", async () => {
  const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });
  const text = await planner.explain(
    "SELECT count(*) FROM orders JOIN (VALUES 'Clerk#000000951', 'a name of many more letters') t (c) ON o_clerk = c",
  );
  expect(text).toMatch(/TableScan\[tpch:sf1\.orders, dynamicFilters = \{"o_clerk" = #df_\d+\}\]/);
  const shorter = await planner.explain("SELECT count(*) FROM orders JOIN (VALUES 'Clerk') t (c) ON CAST(o_clerk AS varchar(5)) = c");
  expect(shorter).not.toContain("dynamicFilter");
});
