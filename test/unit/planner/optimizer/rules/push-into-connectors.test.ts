import { expect, test } from "vitest";
import { pushIntoConnectors } from "../../../../../src/planner/optimizer/rules/push-into-connectors.ts";
import type { PlanNode } from "../../../../../src/planner/plan/node.ts";
import { TRUE } from "../../../../../src/planner/plan/expression-tree.ts";
import { extendProject } from "../../../../../src/planner/plan/plan-tree.ts";
import { BIGINT, BOOLEAN } from "../../../../../src/types/type.ts";
import { add, after, column, compare, filter, group, ids, join, number, output, project, scan, window } from "./plans.ts";

const isTrue = { kind: "variable", name: "t", type: BOOLEAN } as const;
const rows = (): PlanNode => scan("small", "a", "b");
const limit = (source: PlanNode, count: number): PlanNode => ({ kind: "Limit", id: ids.node(), source, count, partial: false });
const top = (source: PlanNode, by: string, more = {}): PlanNode => ({
  kind: "TopN",
  id: ids.node(),
  source,
  count: 3,
  orderBy: [{ variable: column(by), descending: true, nullsFirst: false }],
  step: "SINGLE",
  ...more,
});
const pushed = (plan: PlanNode): string => after(pushIntoConnectors, plan);

test("an aggregation goes to the connector with the filter below it", () => {
  const source = project(filter(rows(), compare("$ne", column("b"), number(1))), { a: column("a") });
  expect(pushed(output(group(source, ["a"], "n"), "a", "n"))).toBe("Output\n  scan small: a n from a count(*) where $ne(b 1)");
});

test("operations nest", () => {
  expect(pushed(output(limit(group(rows(), ["a"], "n"), 5), "a", "n"))).toBe(
    "Output\n  scan small: a n from [a count(*)] a count(*) limit 5",
  );
});

test("TopN stays above its rows, and is not pushed with ties", () => {
  expect(pushed(output(top(rows(), "b"), "a"))).toBe("Output\n  TopN 3\n    scan small: a b from a b order b desc limit 3");
  expect(pushed(output(top(rows(), "b", { withTies: true }), "a"))).toBe("Output\n  TopN 3\n    scan small: a b");
});

test("a join goes to the connector if it returns much fewer rows than its tables", () => {
  const selective = join("INNER", filter(scan("small_1", "a"), compare("$ne", column("a"), number(1))), scan("big", "id", "c"), {
    a: "id",
  });
  expect(pushed(output(selective, "a", "c"))).toBe("Output\n  scan small_1: a id c from a where $ne(a 1) join id c on a=id");
  const keys = join("INNER", scan("small_1", "a"), scan("small_2", "id"), { a: "id" });
  expect(pushed(output(keys, "a"))).toContain("INNER join a=id");
  const outer = join("LEFT", scan("small_1", "a"), scan("big", "id", "c"), { a: "id" });
  expect(pushed(output(outer, "a"))).toContain("LEFT join a=id");
  const on = join("INNER", scan("small_1", "a"), scan("big", "id", "c"), { a: "id" }, compare("$lt", column("a"), column("c")));
  expect(pushed(output(on, "a"))).toContain("INNER join a=id on");
});

test("what the connector refuses stays, and so does all above expressions, masks and other nodes", () => {
  const summed = (source: PlanNode, more = {}): PlanNode => ({
    kind: "Aggregation",
    id: ids.node(),
    source,
    step: "SINGLE",
    keys: [],
    aggregates: [{ output: column("s"), name: "sum", argumentTypes: [BIGINT], args: [column("b")], ...more }],
  });
  expect(pushed(output(summed(rows()), "s"))).toBe("Output\n  group by : s\n    scan small: a b");
  expect(
    pushed(output(summed(extendProject(ids, rows(), [{ output: isTrue, expression: TRUE }]), { name: "max", mask: isTrue }), "s")),
  ).toContain("group by : s");
  expect(pushed(output(group(project(rows(), { a: add(column("a"), number(1)) }), ["a"], "n"), "n"))).toContain("scan small: a b");
  expect(pushed(output(limit(window(rows(), {}, { w: "b" }), 2), "a"))).toContain("Limit 2");
  const opaque = compare("$lt", add(column("b"), number(1)), number(3));
  expect(pushed(output(limit(filter(rows(), { kind: "cast", type: opaque.type, arg: opaque, safe: true }), 2), "a"))).toContain("Limit 2");
});

test("conditions that are no constraint narrow the scan below the filter", () => {
  const source = filter(rows(), compare("$ne", column("b"), number(1)), compare("$lt", column("a"), number(9)));
  expect(pushed(output(source, "a"))).toBe('Output\n  filter (("b" <> 1) AND ("a" < 9))\n    scan small: a b from narrowed $ne(b 1)');
});
