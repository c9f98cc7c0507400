import { expect, test } from "vitest";
import type { RowExpression, Variable } from "../../../../../src/planner/plan/typed-expression.ts";
import { FALSE, not, special } from "../../../../../src/planner/plan/expression-tree.ts";
import { chooseDistribution } from "../../../../../src/planner/optimizer/rules/join/choose-distribution.ts";
import { BOOLEAN } from "../../../../../src/types/type.ts";
import { after, compare, column, filter, join, scan, semiJoin } from "./plans.ts";

const found: Variable = { kind: "variable", name: "found", type: BOOLEAN };
const among = (table: string) => semiJoin(scan("big", "a"), scan(table, "b"), { key: "a", among: "b", output: "found" });

test("join_distribution_type decides for every join that can be sent either way", () => {
  const plan = () => join("INNER", scan("big", "a"), scan("small", "b"), { a: "b" });
  expect(after(chooseDistribution, plan(), { joinDistribution: "PARTITIONED" })).toMatch(/^INNER join a=b PARTITIONED/);
  expect(after(chooseDistribution, plan(), { joinDistribution: "BROADCAST" })).toMatch(/^INNER join a=b REPLICATED/);
  const outer = join("FULL", scan("big", "a"), scan("small", "b"), { a: "b" });
  expect(after(chooseDistribution, outer, { joinDistribution: "BROADCAST" })).toMatch(/^FULL join a=b PARTITIONED/);
  const product = join("INNER", scan("big", "a"), scan("small", "b"), {}, compare("$lt", column("a"), column("b")));
  expect(after(chooseDistribution, product, { joinDistribution: "PARTITIONED" })).toMatch(/^INNER join on \("a" < "b"\) REPLICATED/);
});

test("a large filtering side is spread where the NULL of an IN is as good as false", () => {
  expect(after(chooseDistribution, filter(among("big_2"), found))).toContain("found: a in b PARTITIONED");
  expect(after(chooseDistribution, filter(among("big_2"), not(special("COALESCE", BOOLEAN, [found, FALSE]))))).toContain("PARTITIONED");
  expect(after(chooseDistribution, filter(among("small"), found))).toContain("found: a in b REPLICATED");
});

test("the source becomes the build side where it has fewer than half of the filtering side's rows", () => {
  const few = (test: RowExpression, session = {}) =>
    after(
      chooseDistribution,
      filter(semiJoin(scan("small", "a"), scan("big", "b"), { key: "a", among: "b", output: "found" }), test),
      session,
    );
  expect(few(found)).toContain("found: a in b PARTITIONED builds SOURCE");
  expect(few(not(special("COALESCE", BOOLEAN, [found, FALSE])))).toContain("builds SOURCE");
  expect(few(not(found))).toContain("found: a in b REPLICATED\n");
  expect(few(found, { joinDistribution: "BROADCAST" })).toContain("found: a in b REPLICATED\n");
  expect(after(chooseDistribution, filter(among("big_2"), found))).toContain("found: a in b PARTITIONED\n");
  const plan = filter(semiJoin(scan("small", "a"), scan("big", "b"), { key: "a", among: "b", output: "found" }), found);
  expect(after(chooseDistribution, plan, {}, ["choose_semi_join_side"])).toContain("found: a in b PARTITIONED\n");
});

test("NOT IN must know of every NULL: its filtering side goes everywhere", () => {
  expect(after(chooseDistribution, filter(among("big_2"), not(found)))).toContain("found: a in b REPLICATED");
});
