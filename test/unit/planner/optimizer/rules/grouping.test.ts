import { expect, test } from "vitest";
import type { AggregateCall, PlanNode } from "../../../../../src/planner/plan/node.ts";
import { groupDistinct } from "../../../../../src/planner/optimizer/rules/group-distinct.ts";
import { reduceGroupingKeys } from "../../../../../src/planner/optimizer/rules/reduce-grouping-keys.ts";
import { BIGINT, BOOLEAN } from "../../../../../src/types/type.ts";
import { after, column, compare, filter, group, ids, join, number, project, scan } from "./plans.ts";

const marker = { kind: "variable", name: "distinct", type: BOOLEAN } as const;

/** `count(DISTINCT x)` as the analyzer plans it: MarkDistinct over `keys`, and a count with the mark as its mask. */
function counting(source: PlanNode, by: readonly string[], ...calls: readonly Partial<AggregateCall>[]): PlanNode {
  return {
    kind: "Aggregation",
    id: ids.node(),
    source,
    step: "SINGLE",
    keys: by.map(column),
    aggregates: calls.map((call, index) => ({
      output: column(`count_${index}`),
      name: "count",
      argumentTypes: [BIGINT],
      args: [column("x")],
      mask: marker,
      ...call,
    })),
  };
}

function marked(source: PlanNode, ...keys: readonly string[]): PlanNode {
  return { kind: "MarkDistinct", id: ids.node(), source, marker, keys: keys.map(column) };
}

test("one DISTINCT is a grouping by its columns, and the aggregation of what that leaves", () => {
  expect(after(groupDistinct, counting(marked(scan("t", "k", "x"), "k", "x"), ["k"], {}))).toBe(
    ["group by k: count_0", "  group by k x: ", "    scan t: k x"].join("\n"),
  );
  expect(after(groupDistinct, counting(marked(scan("t", "x"), "x"), [], {}))).toBe(
    ["group by : count_0", "  group by x: ", "    scan t: x"].join("\n"),
  );
});

test("several aggregates may read the same distinct rows, and a projection that leaves columns out may be between", () => {
  const between = project(marked(scan("t", "k", "x", "y"), "k", "x"), { k: column("k"), x: column("x"), distinct: marker });
  expect(after(groupDistinct, counting(between, ["k"], {}, { name: "sum" }))).toBe(
    ["group by k: count_0 count_1", "  group by k x: ", "    scan t: k x y"].join("\n"),
  );
});

test("marks stay where an aggregate reads all rows, other rows, a computed column, or sets of groups are asked for", () => {
  const stays = (plan: PlanNode) => expect(after(groupDistinct, plan)).toContain("MarkDistinct");
  const source = () => marked(scan("t", "k", "x", "y"), "k", "x");
  const whole = counting(source(), ["k"], {}, { argumentTypes: [], args: [] }) as PlanNode & { kind: "Aggregation" };
  stays({ ...whole, aggregates: whole.aggregates.map((call, index) => (index === 0 ? call : withoutMask(call))) });
  const other = { kind: "variable", name: "other", type: BOOLEAN } as const;
  const twice: PlanNode = { kind: "MarkDistinct", id: ids.node(), source: source(), marker: other, keys: [column("k"), column("y")] };
  stays(counting(twice, ["k"], {}, { mask: other, args: [column("y")] }));
  stays(counting(source(), ["k"], { args: [column("y")] }));
  stays(counting(source(), ["y"], {}));
  stays({
    ...counting(source(), ["k"], {}),
    globalSets: { groupId: column("k"), numbers: [0] },
  } as PlanNode);
});

test("a constant counted once is read of the groups", () => {
  expect(after(groupDistinct, counting(marked(scan("t", "k", "x"), "k"), ["k"], { args: [number(1)] }))).toBe(
    ["group by k: count_0", "  group by k: ", "    scan t: k x"].join("\n"),
  );
});

function withoutMask({ mask: _mask, ...call }: AggregateCall): AggregateCall {
  return call;
}

test("what follows from a key of the table is carried by its groups", () => {
  expect(after(reduceGroupingKeys, group(scan("t", "id", "a", "b"), ["a", "id", "b"], "n"))).toMatch(
    /^project a="(\w+)" id="id" b="(\w+)" n="n"\n {2}group by id: n (\1 \2|\2 \1)\n {4}scan t: id a b$/,
  );
});

test("a column that equals another follows from it, by a filter or by a join", () => {
  const filtered = group(filter(scan("t", "a", "b"), compare("$eq", column("a"), column("b"))), ["a", "b"], "n");
  expect(after(reduceGroupingKeys, filtered)).toContain("group by a: n ");
  const joined = group(join("INNER", scan("t", "a"), scan("u", "b"), { a: "b" }), ["a", "b"], "n");
  expect(after(reduceGroupingKeys, joined)).toContain("group by a: n ");
});

test("keys stay where nothing follows: an outer join's NULLs, a single key, other columns", () => {
  const outer = group(join("LEFT", scan("t", "a"), scan("u", "b"), { a: "b" }), ["a", "b"], "n");
  expect(after(reduceGroupingKeys, outer)).toMatch(/^group by a b: n/);
  expect(after(reduceGroupingKeys, group(scan("t", "a", "b"), ["a", "b"], "n"))).toMatch(/^group by a b: n/);
  expect(after(reduceGroupingKeys, group(scan("t", "id"), ["id"], "n"))).toMatch(/^group by id: n/);
});
