/**
 * The values of join_reordering_strategy, compared on the same plan and on the same statement.
 */
import { expect, test } from "vitest";
import { eliminateCrossJoins } from "../../../../../src/planner/optimizer/rules/join/eliminate-cross-joins.ts";
import { chooseDistribution } from "../../../../../src/planner/optimizer/rules/join/choose-distribution.ts";
import { reorderJoins } from "../../../../../src/planner/optimizer/rules/join/reorder-joins.ts";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";
import { after, column, compare, filter, join, number, scan } from "./plans.ts";

/** `FROM small_1, small_2, big WHERE a = c AND b = d`: no condition connects the first two tables. */
function withProduct() {
  return join("INNER", join("INNER", scan("small_1", "a"), scan("small_2", "b")), scan("big", "c", "d"), { a: "c", b: "d" });
}

test("ELIMINATE_CROSS_JOINS joins a relation when something connects it, in the order of the statement and with its right side built", () => {
  expect(after(eliminateCrossJoins, withProduct(), { joinReordering: "ELIMINATE_CROSS_JOINS" })).toBe(
    ["INNER join d=b PARTITIONED", "  INNER join a=c PARTITIONED", "    scan small_1: a", "    scan big: c d", "  scan small_2: b"].join(
      "\n",
    ),
  );
});

test("ELIMINATE_CROSS_JOINS leaves an order alone in which everything is connected, however dear", () => {
  const few = filter(scan("small", "c"), compare("$lt", column("c"), number(1)));
  const plan = join("INNER", join("INNER", scan("big_1", "a"), scan("big_2", "b", "d"), { a: "b" }), few, { d: "c" });
  const result = after(eliminateCrossJoins, plan, { joinReordering: "ELIMINATE_CROSS_JOINS" });
  expect(result).toBe(
    [
      "INNER join d=c PARTITIONED",
      "  INNER join a=b PARTITIONED",
      "    scan big_1: a",
      "    scan big_2: b d",
      '  filter ("c" < 1)',
      "    scan small: c",
    ].join("\n"),
  );
  expect(after(reorderJoins, plan)).not.toBe(result);
});

test("a product that no order avoids stays, and conditions are asked where their columns meet", () => {
  const plan = join(
    "INNER",
    join("INNER", join("INNER", scan("t", "a"), scan("u", "b")), scan("v", "c"), { a: "c" }),
    scan("w", "d"),
    {},
    compare("$lt", column("b"), column("c")),
  );
  expect(after(eliminateCrossJoins, plan, { joinReordering: "ELIMINATE_CROSS_JOINS" })).toBe(
    [
      "INNER join REPLICATED",
      '  INNER join on ("b" < "c") REPLICATED',
      "    INNER join a=c PARTITIONED",
      "      scan t: a",
      "      scan v: c",
      "    scan u: b",
      "  scan w: d",
    ].join("\n"),
  );
});

test("outer joins and their inputs are not reordered", () => {
  const outer = join("LEFT", withProduct(), filter(scan("u", "e"), compare("$lt", column("e"), number(1))), { a: "e" });
  const result = after(eliminateCrossJoins, outer, { joinReordering: "ELIMINATE_CROSS_JOINS" });
  expect(result).toMatch(/^LEFT join a=e PARTITIONED\n {2}INNER join d=b PARTITIONED\n {4}INNER join a=c/);
});

test("NONE and AUTOMATIC have no effect on it", () => {
  const plan = withProduct();
  const product = /INNER join [A-Z]+/;
  for (const joinReordering of ["NONE", "AUTOMATIC"] as const) {
    expect(after(eliminateCrossJoins, plan, { joinReordering })).toMatch(product);
  }
  for (const joinReordering of ["NONE", "ELIMINATE_CROSS_JOINS"] as const) {
    expect(after(reorderJoins, plan, { joinReordering })).toMatch(product);
  }
  expect(after(reorderJoins, plan)).not.toMatch(product);
});

test("the sides of a join are the statement's when neither order nor distribution is left to estimates", () => {
  const plan = join("INNER", scan("small", "a"), scan("big", "b"), { a: "b" });
  const fixed = { joinReordering: "NONE", joinDistribution: "PARTITIONED" } as const;
  expect(after(chooseDistribution, plan, fixed)).toMatch(/^INNER join a=b PARTITIONED/);
  expect(after(chooseDistribution, plan, { ...fixed, joinDistribution: "AUTOMATIC" })).toMatch(/^INNER join b=a REPLICATED/);
  expect(after(chooseDistribution, plan, { ...fixed, joinReordering: "AUTOMATIC" })).toMatch(/^INNER join b=a PARTITIONED/);
});

/** Tables in EXPLAIN's order, and whether the plan has a cross join. */
async function shape(strategy: string): Promise<{ readonly tables: readonly string[]; readonly product: boolean }> {
  const properties = { join_reordering_strategy: strategy, join_distribution_type: "PARTITIONED" };
  const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1", properties });
  const text = await planner.explain(
    "(TYPE LOGICAL) SELECT count(*) FROM customer, supplier, nation, orders WHERE o_custkey = c_custkey AND c_nationkey = n_nationkey AND s_nationkey = n_nationkey",
  );
  return { tables: [...text.matchAll(/TableScan\[tpch:sf1\.(\w+)\]/g)].map(([, name = ""]) => name), product: text.includes("CrossJoin") };
}

test("a statement under each of the three strategies", async () => {
  const shapes = new Map<string, Awaited<ReturnType<typeof shape>>>();
  for (const strategy of ["NONE", "ELIMINATE_CROSS_JOINS", "AUTOMATIC"]) {
    shapes.set(strategy, await shape(strategy));
  }
  expect(shapes.get("NONE")).toEqual({ tables: ["customer", "supplier", "nation", "orders"], product: true });
  expect(shapes.get("ELIMINATE_CROSS_JOINS")).toEqual({ tables: ["customer", "nation", "supplier", "orders"], product: false });
  expect(shapes.get("AUTOMATIC")).toEqual({ tables: ["orders", "customer", "supplier", "nation"], product: false });
});
