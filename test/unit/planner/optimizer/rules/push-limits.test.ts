import { expect, test } from "vitest";
import type { PlanNode } from "../../../../../src/planner/plan/node.ts";
import { pushLimits } from "../../../../../src/planner/optimizer/rules/push-limits.ts";
import { add, after, column, ids, join, number, project, scan } from "./plans.ts";

function limit(source: PlanNode, count: number): PlanNode {
  return { kind: "Limit", id: ids.node(), source, count, partial: false };
}

function sort(source: PlanNode, by: string): PlanNode {
  return { kind: "Sort", id: ids.node(), source, orderBy: [{ variable: column(by), descending: false, nullsFirst: false }] };
}

test("each branch of a union gives as many rows as are asked of all, and no more", () => {
  const union: PlanNode = {
    kind: "Union",
    id: ids.node(),
    sources: [scan("t", "a"), scan("u", "b")],
    outputs: [column("c")],
    sourceVariables: [[column("a")], [column("b")]],
  };
  const once = ["Limit 3", "  union c", "    Limit 3", "      scan t: a", "    Limit 3", "      scan u: b"].join("\n");
  expect(after(pushLimits, limit(union, 3))).toBe(once);
});

test("the smaller of two limits holds", () => {
  expect(after(pushLimits, limit(limit(scan("t", "a"), 5), 3))).toBe(["Limit 3", "  scan t: a"].join("\n"));
  expect(after(pushLimits, limit(limit(scan("t", "a"), 3), 5))).toBe(["Limit 3", "  scan t: a"].join("\n"));
});

test("TopN goes below a projection that passes its columns on, and stays above one that computes them", () => {
  const passes = project(scan("t", "a", "b"), { x: column("a"), y: add(column("b"), number(1)) });
  expect(after(pushLimits, limit(sort(passes, "x"), 3))).toBe(['project x="a" y=("b" + 1)', "  TopN 3", "    scan t: a b"].join("\n"));
  expect(after(pushLimits, limit(sort(passes, "y"), 3))).toBe(["TopN 3", '  project x="a" y=("b" + 1)', "    scan t: a b"].join("\n"));
});

test("a limit that no memory could hold sorted stays above the sort; one above a join stays there", () => {
  expect(after(pushLimits, limit(sort(scan("t", "a"), "a"), 2_000_000))).toBe(["Limit 2000000", "  Sort", "    scan t: a"].join("\n"));
  expect(after(pushLimits, limit(join("INNER", scan("t", "a"), scan("u", "b"), { a: "b" }), 3))).toMatch(/^Limit 3\n {2}INNER join/);
});

test("a part of a limit goes to the side of an outer join whose rows all come out, and below a semi-join", () => {
  const left = join("LEFT", scan("t", "a"), scan("u", "b"), { a: "b" });
  expect(after(pushLimits, limit(left, 3))).toBe(
    ["Limit 3", "  LEFT join a=b PARTITIONED", "    Limit 3", "      scan t: a", "    scan u: b"].join("\n"),
  );
  const right = join("RIGHT", scan("t", "a"), scan("u", "b"), { a: "b" });
  expect(after(pushLimits, limit(right, 3))).toBe(
    ["Limit 3", "  RIGHT join a=b PARTITIONED", "    scan t: a", "    Limit 3", "      scan u: b"].join("\n"),
  );
  const semi: PlanNode = {
    kind: "SemiJoin",
    id: ids.node(),
    source: scan("t", "a"),
    filtering: scan("u", "b"),
    sourceKey: column("a"),
    filteringKey: column("b"),
    output: column("in"),
    distribution: "REPLICATED",
  };
  expect(after(pushLimits, limit(semi, 3))).toMatch(/^Limit 3\n {2}.*\n {4}Limit 3\n {6}scan t: a\n {4}scan u: b$/);
  const full = join("FULL", scan("t", "a"), scan("u", "b"), { a: "b" });
  expect(after(pushLimits, limit(full, 3))).toBe(["Limit 3", "  FULL join a=b PARTITIONED", "    scan t: a", "    scan u: b"].join("\n"));
});

test("a limit stays the whole one where it meets a part of another", () => {
  const part: PlanNode = { kind: "Limit", id: ids.node(), source: scan("t", "a"), count: 2, partial: true };
  const pushed = pushLimits.apply(limit(part, 3), { ids } as Parameters<typeof pushLimits.apply>[1]);
  expect(pushed).toMatchObject({ kind: "Limit", count: 2, partial: false });
});

test("a part of TopN goes into the branches of a union and to the kept side of an outer join, where its columns are from there", () => {
  const union: PlanNode = {
    kind: "Union",
    id: ids.node(),
    sources: [scan("t", "a"), scan("u", "b")],
    outputs: [column("c")],
    sourceVariables: [[column("a")], [column("b")]],
  };
  expect(after(pushLimits, limit(sort(union, "c"), 3))).toBe(
    ["TopN 3", "  union c", "    TopN 3", "      scan t: a", "    TopN 3", "      scan u: b"].join("\n"),
  );
  const left = join("LEFT", scan("t", "a"), scan("u", "b"), { a: "b" });
  expect(after(pushLimits, limit(sort(left, "a"), 3))).toBe(
    ["TopN 3", "  LEFT join a=b PARTITIONED", "    TopN 3", "      scan t: a", "    scan u: b"].join("\n"),
  );
  expect(after(pushLimits, limit(sort(left, "b"), 3))).toBe(
    ["TopN 3", "  LEFT join a=b PARTITIONED", "    scan t: a", "    scan u: b"].join("\n"),
  );
});
