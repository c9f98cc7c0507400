import { expect, test } from "vitest";
import type { Variable } from "../../../../../src/planner/plan/typed-expression.ts";
import type { AggregateCall, AggregationNode, PlanNode } from "../../../../../src/planner/plan/node.ts";
import { aggregateBeforeJoin } from "../../../../../src/planner/optimizer/rules/join/aggregate-before-join.ts";
import { BIGINT, BOOLEAN, DOUBLE } from "../../../../../src/types/type.ts";
import { add, after, column, compare, ids, join, number, project, scan } from "./plans.ts";

/** A relation with a key column. */
function keyed(name: string): AggregationNode {
  return { kind: "Aggregation", id: ids.node(), source: scan("big_l", name), step: "SINGLE", keys: [column(name)], aggregates: [] };
}

function aggregated(source: PlanNode, by: readonly string[], ...calls: readonly Partial<AggregateCall>[]): AggregationNode {
  const aggregates = calls.map((call, index): AggregateCall => {
    return { output: column(`r_${index}`), name: "count", argumentTypes: [BIGINT], args: [column("c")], ...call };
  });
  return { kind: "Aggregation", id: ids.node(), source, step: "SINGLE", keys: by.map(column), aggregates };
}

const right = () => scan("big_r", "b", "c");

test("rows of the right side are aggregated by what they are joined on, and a row of the left that meets none counts nothing", () => {
  const plan = aggregated(join("LEFT", keyed("a"), right(), { a: "b" }), ["a"], {}, { name: "sum" });
  expect(after(aggregateBeforeJoin, plan)).toMatch(
    new RegExp(
      [
        String.raw`project a="a" r_0=COALESCE\("(\w+)", 0\) r_1="(\w+)"`,
        "  LEFT join a=b PARTITIONED",
        "    group by a: ",
        "      scan big_l: a",
        String.raw`    group by b: \1 \2`,
        "      scan big_r: b c",
      ].join("\n"),
    ),
  );
});

test("a projection that leaves columns out may be between; one that computes may not", () => {
  const joined = () => join("LEFT", keyed("a"), right(), { a: "b" });
  expect(after(aggregateBeforeJoin, aggregated(project(joined(), { a: column("a"), c: column("c") }), ["a"], {}))).toMatch(/^project/);
  // COALESCE(c, 1) is not NULL for a row without a match, so it must stay above the join.
  expect(after(aggregateBeforeJoin, aggregated(project(joined(), { a: column("a"), c: add(column("c"), number(1)) }), ["a"], {}))).toMatch(
    /^group by a/,
  );
});

test("the aggregation stays if rows of the left share a group, are counted themselves, or the join has more than equalities", () => {
  const stays = (plan: AggregationNode) => expect(after(aggregateBeforeJoin, plan)).toMatch(/^group by/);
  const joined = () => join("LEFT", keyed("a"), right(), { a: "b" });
  stays(aggregated(join("LEFT", scan("big_l", "a"), right(), { a: "b" }), ["a"], {}));
  stays(aggregated(join("INNER", keyed("a"), right(), { a: "b" }), ["a"], {}));
  stays(aggregated(join("LEFT", keyed("a"), right(), { a: "b" }, compare("$lt", column("a"), column("c"))), ["a"], {}));
  stays(aggregated(joined(), ["a"], { args: [], argumentTypes: [] }));
  stays(aggregated(joined(), ["a"], { args: [column("a")] }));
  stays(aggregated(joined(), ["a"], { name: "array_agg" }));
  stays(aggregated(joined(), ["a", "b"], {}));
  stays(aggregated(joined(), ["a"]));
});

test("a mask is part of what an aggregate reads, and stays above", () => {
  const mask: Variable = { kind: "variable", name: "m", type: BOOLEAN };
  const masked = project(right(), { b: column("b"), c: column("c"), m: compare("$lt", column("c"), number(3)) });
  expect(after(aggregateBeforeJoin, aggregated(join("LEFT", keyed("a"), masked, { a: "b" }), ["a"], { mask }))).toMatch(/^group by/);
});

test("0e0 and -0e0 join with the same row, so grouping by doubles stays above the join", () => {
  const double = (name: string): Variable => ({ kind: "variable", name, type: DOUBLE });
  const asDouble = (source: PlanNode, from: string, to: string, ...others: readonly string[]): PlanNode => ({
    kind: "Project",
    id: ids.node(),
    source,
    assignments: [
      { output: double(to), expression: { kind: "cast", type: DOUBLE, arg: column(from), safe: false } },
      ...others.map((name) => ({ output: column(name), expression: column(name) })),
    ],
  });
  const left = asDouble(keyed("k"), "k", "a", "k");
  const plan: PlanNode = {
    ...join("LEFT", left, asDouble(scan("big_r", "d", "c"), "d", "b", "c"), {}),
    criteria: [{ left: double("a"), right: double("b") }],
  };
  expect(after(aggregateBeforeJoin, aggregated(plan, ["k"], {}))).toMatch(/^group by/);
});

test("few rows a group are not worth a second grouping", () => {
  const distinct = { ...keyed("b"), source: scan("big_r", "b") };
  expect(after(aggregateBeforeJoin, aggregated(join("LEFT", keyed("a"), distinct, { a: "b" }), ["a"], { args: [column("b")] }))).toMatch(
    /^group by a/,
  );
});
