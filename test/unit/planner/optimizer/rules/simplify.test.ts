/**
 * The small rules: constants, projections, empty plans, limits, distribution.
 */
import { expect, test } from "vitest";
import type { RowExpression } from "../../../../../src/planner/plan/typed-expression.ts";
import { and, call, FALSE, not, or, special, TRUE } from "../../../../../src/planner/plan/expression-tree.ts";
import type { PlanNode } from "../../../../../src/planner/plan/node.ts";
import { chooseDistribution } from "../../../../../src/planner/optimizer/rules/join/choose-distribution.ts";
import { foldConstants } from "../../../../../src/planner/optimizer/rules/fold-constants.ts";
import { mergeProjections } from "../../../../../src/planner/optimizer/rules/merge-projections.ts";
import { pushLimits } from "../../../../../src/planner/optimizer/rules/push-limits.ts";
import { removeEmpty } from "../../../../../src/planner/optimizer/rules/remove-empty.ts";
import type { RuleContext } from "../../../../../src/planner/optimizer/rules/rule.ts";
import { QueryError } from "../../../../../src/protocol/errors.ts";
import { BIGINT } from "../../../../../src/types/type.ts";
import { add, after, column, compare, filter, ids, join, number, project, scan, text } from "./plans.ts";

const a = column("a");
const b = column("b");

test("constants fold, and errors stay for the rows that reach them", () => {
  const plan = project(scan("t", "a"), { x: add(add(number(1), number(2)), a), y: call("$divide", BIGINT, [number(1), number(0)]) });
  expect(after(foldConstants, plan)).toBe(['project x=(3 + "a") y=(1 / 0)', "  scan t: a"].join("\n"));
});

test("a constant that stands often is computed once, one that fails too", () => {
  const computed: string[] = [];
  const evaluateConstant = (expression: RowExpression): string => {
    computed.push(expression.kind === "call" ? expression.name : expression.kind);
    if (expression.kind === "call" && expression.name === "$divide") {
      throw new QueryError("DIVISION_BY_ZERO", "Division by zero");
    }
    return "3";
  };
  const [three, failing] = [add(number(1), number(2)), call("$divide", BIGINT, [number(1), number(0)])];
  const plan = project(scan("t", "a"), { x: three, y: failing, z: three, w: failing });
  const folded = foldConstants.apply(plan, { evaluateConstant } as unknown as RuleContext);
  expect(computed).toEqual(["$add", "$divide"]);
  expect(text(folded)).toBe(["project x=3 y=(1 / 0) z=3 w=(1 / 0)", "  scan t: a"].join("\n"));
});

test("truth values simplify and the common part of alternatives comes out", () => {
  const [p, q, r] = [1, 2, 3].map((n) => compare("$lt", a, number(n))) as [
    ReturnType<typeof compare>,
    ReturnType<typeof compare>,
    ReturnType<typeof compare>,
  ];
  expect(after(foldConstants, filter(scan("t", "a"), or([and([p, q]), and([p, r])])))).toContain(
    '(("a" < 1) AND (("a" < 2) OR ("a" < 3)))',
  );
  expect(after(foldConstants, filter(scan("t", "a"), special("OR", TRUE.type, [p, TRUE])))).toContain("filter true");
  expect(after(foldConstants, filter(scan("t", "a"), not(not(p))))).toContain('filter ("a" < 1)');
});

test("neighbouring projections merge where nothing is computed twice", () => {
  const once = project(project(scan("t", "a"), { b: add(a, number(1)) }), { c: add(b, number(2)) });
  expect(after(mergeProjections, once)).toBe(['project c=(("a" + 1) + 2)', "  scan t: a"].join("\n"));
  const twice = project(project(scan("t", "a"), { b: add(a, number(1)) }), { c: add(b, b) });
  expect(after(mergeProjections, twice).split("\n")).toHaveLength(3);
  expect(after(mergeProjections, project(scan("t", "a"), { a }))).toBe("scan t: a");
});

test("a filter that is never true reads nothing", () => {
  const empty = (source: PlanNode): PlanNode => ({ kind: "Filter", id: ids.node(), source, predicate: FALSE });
  expect(after(removeEmpty, join("INNER", scan("t", "a"), empty(scan("u", "b")), { a: "b" }))).toBe("values a b: 0");
  expect(after(removeEmpty, join("LEFT", scan("t", "a"), empty(scan("u", "b")), { a: "b" }))).toContain("LEFT join");
});

test("LIMIT meets ORDER BY below OFFSET and projections", () => {
  const sorted: PlanNode = {
    kind: "Sort",
    id: ids.node(),
    source: scan("t", "a", "b"),
    orderBy: [{ variable: a, descending: false, nullsFirst: false }],
  };
  const offset: PlanNode = { kind: "Offset", id: ids.node(), source: project(sorted, { a, c: add(b, number(1)) }), count: 5 };
  const limited: PlanNode = { kind: "Limit", id: ids.node(), source: offset, count: 10, partial: false };
  expect(after(pushLimits, limited)).toBe(["Offset 5", '  project a="a" c=("b" + 1)', "    TopN 15", "      scan t: a b"].join("\n"));
  expect(after(pushLimits, { ...limited, count: 0 } as PlanNode)).toBe("values a c: 0");
});

test("the smaller side is built and sent to all when it is small", () => {
  expect(after(chooseDistribution, join("INNER", scan("small", "a"), scan("big", "b"), { a: "b" }))).toMatch(/^INNER join b=a REPLICATED/);
  expect(after(chooseDistribution, join("INNER", scan("big_1", "a"), scan("big_2", "b"), { a: "b" }))).toMatch(/PARTITIONED/);
  expect(after(chooseDistribution, join("FULL", scan("big", "a"), scan("small", "b"), { a: "b" }))).toMatch(/PARTITIONED/);
  expect(after(chooseDistribution, join("LEFT", scan("small", "a"), scan("big", "b"), { a: "b" }))).toMatch(/^RIGHT join b=a PARTITIONED/);
});
