import { expect, test } from "vitest";
import { and, or } from "../../../../../src/planner/plan/expression-tree.ts";
import { printExpression } from "../../../../../src/planner/explain/print.ts";
import { impliedBy } from "../../../../../src/planner/optimizer/rules/disjunctions.ts";
import { pushPredicates } from "../../../../../src/planner/optimizer/rules/push-predicates.ts";
import { after, column, compare, filter, join, number, scan } from "./plans.ts";

const [a, b] = [column("a"), column("b")];
const nations = or([
  and([compare("$eq", a, number(1)), compare("$eq", b, number(2))]),
  and([compare("$eq", a, number(2)), compare("$eq", b, number(1))]),
]);

test("a disjunction implies a filter on each side of a join", () => {
  const plan = filter(join("INNER", scan("t", "a", "c"), scan("u", "b", "d"), { c: "d" }), nations);
  expect(after(pushPredicates, plan).split("\n")).toEqual([
    'INNER join c=d on ((("a" = 1) AND ("b" = 2)) OR (("a" = 2) AND ("b" = 1))) PARTITIONED',
    '  filter ("a" IN (1, 2))',
    "    scan t: a c",
    '  filter ("b" IN (2, 1))',
    "    scan u: b d",
  ]);
});

test("a disjunct without a condition on a side implies no filter on it", () => {
  const open = or([compare("$eq", a, number(1)), compare("$eq", b, number(2))]);
  expect(impliedBy(open, new Set(["a"]))).toBeUndefined();
});

test("conditions on one side alone are not evaluated twice", () => {
  const own = or([compare("$eq", a, number(1)), compare("$lt", a, number(0))]);
  expect(impliedBy(own, new Set(["a"]))).toBeUndefined();
});

test("conditions that are no equalities stay a disjunction", () => {
  const ranges = or([
    and([compare("$lt", a, number(1)), compare("$eq", b, number(2))]),
    and([compare("$gt", a, number(5)), compare("$eq", b, number(1))]),
  ]);
  const implied = impliedBy(ranges, new Set(["a"]));
  expect(implied && printExpression(implied)).toBe('(("a" < 1) OR ("a" > 5))');
});

test("the rows that a LEFT join keeps are not filtered by its condition", () => {
  const plan = join("LEFT", scan("t", "a", "c"), scan("u", "b", "d"), { c: "d" }, nations);
  expect(after(pushPredicates, plan).split("\n").slice(1)).toEqual(["  scan t: a c", '  filter ("b" IN (2, 1))', "    scan u: b d"]);
});
