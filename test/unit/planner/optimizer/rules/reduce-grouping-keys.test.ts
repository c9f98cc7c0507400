import { expect, test } from "vitest";
import { reduceGroupingKeys } from "../../../../../src/planner/optimizer/rules/reduce-grouping-keys.ts";
import { after, column, compare, filter, group, join, scan } from "./plans.ts";

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
