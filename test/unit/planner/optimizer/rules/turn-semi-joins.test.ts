import { expect, test } from "vitest";
import type { RowExpression, Variable } from "../../../../../src/planner/plan/typed-expression.ts";
import { FALSE, not, special } from "../../../../../src/planner/plan/expression-tree.ts";
import { turnSemiJoins } from "../../../../../src/planner/optimizer/rules/join/turn-semi-joins.ts";
import { BOOLEAN } from "../../../../../src/types/type.ts";
import { after, column, compare, filter, join, number, scan, semiJoin } from "./plans.ts";

const found: Variable = { kind: "variable", name: "found", type: BOOLEAN };
const missing = not(special("COALESCE", BOOLEAN, [found, FALSE]));

test("a filtering side with a key column becomes a plain join, because no row matches twice", () => {
  const plan = filter(semiJoin(scan("big", "a"), scan("small", "id"), { key: "a", among: "id", output: "found" }), found);
  expect(after(turnSemiJoins, plan)).toBe(
    ['project a="a" found=true', "  INNER join id=a PARTITIONED", "    scan small: id", "    scan big: a"].join("\n"),
  );
});

const withoutSides = ["choose_semi_join_side"] as const;

test("a small source with a key is built, the large filtering side passes by, and each row of the source comes out once", () => {
  const plan = filter(semiJoin(scan("small", "id", "a"), scan("big", "b"), { key: "a", among: "b", output: "found" }), found);
  expect(after(turnSemiJoins, plan, {}, withoutSides)).toBe(
    [
      'project id="id" a="a" found=true',
      "  group by id a: ",
      "    INNER join b=a PARTITIONED",
      "      scan big: b",
      "      scan small: id a",
    ].join("\n"),
  );
});

test("NOT EXISTS over a much larger side keeps the rows that nothing passed by", () => {
  const plan = filter(semiJoin(scan("small", "a"), scan("big", "b"), { key: "a", among: "b", output: "found" }), missing);
  expect(after(turnSemiJoins, plan, {}, withoutSides)).toBe(
    [
      'project a="a" found=false',
      '  filter ("b" IS NULL)',
      "    RIGHT join b=a PARTITIONED",
      "      scan big: b",
      "      scan small: a",
    ].join("\n"),
  );
});

test("a semi-join that can build its source stays one, unless the filtering side has joins to reorder", () => {
  const over = (filtering: Parameters<typeof semiJoin>[1], test: RowExpression) =>
    after(turnSemiJoins, filter(semiJoin(scan("small", "id", "a"), filtering, { key: "a", among: "b", output: "found" }), test));
  expect(over(scan("big", "b"), found)).toContain("found: a in b");
  expect(over(scan("big", "b"), missing)).toContain("found: a in b");
  expect(over(join("INNER", scan("big", "b"), scan("big_2", "c"), { b: "c" }), found)).toContain("group by id a");
});

test("other conditions stay above", () => {
  const plan = filter(
    semiJoin(scan("big", "a"), scan("small", "id"), { key: "a", among: "id", output: "found" }),
    compare("$lt", column("a"), number(3)),
    found,
  );
  expect(after(turnSemiJoins, plan)).toMatch(/^filter \("a" < 3\)\n {2}project/);
});

test("a semi-join stays one where rows may repeat, its NULL matters, or nothing is gained", () => {
  const stays = (source: Parameters<typeof semiJoin>[0], filtering: Parameters<typeof semiJoin>[1], test: RowExpression) =>
    expect(after(turnSemiJoins, filter(semiJoin(source, filtering, { key: "a", among: "b", output: "found" }), test))).toContain(
      "found: a in b",
    );
  // Duplicate rows of the source could not be distinguished after the join.
  stays(scan("small", "a"), scan("big", "b"), found);
  stays(scan("big", "a"), scan("small", "b"), found);
  // NOT IN: one NULL among the values removes all rows.
  stays(scan("small", "a"), scan("big", "b"), not(found));
  stays(scan("big_1", "a"), scan("big_2", "b"), missing);
});
