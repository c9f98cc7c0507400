import { expect, test } from "vitest";
import { pushPredicates } from "../../../../../src/planner/optimizer/rules/push-predicates.ts";
import type { PlanNode } from "../../../../../src/planner/plan/node.ts";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";
import { add, after, column, compare, filter, ids, join, number, project, scan } from "./plans.ts";

test("a condition on one side goes to its table, an equality becomes the join's key", () => {
  const plan = filter(
    join("INNER", scan("t", "a", "b"), scan("u", "c", "d")),
    compare("$eq", column("a"), column("c")),
    compare("$lt", column("b"), number(5)),
    compare("$lt", column("b"), column("d")),
  );
  expect(after(pushPredicates, plan)).toBe(
    ['INNER join a=c on ("b" < "d") PARTITIONED', '  filter ("b" < 5)', "    scan t: a b", "  scan u: c d"].join("\n"),
  );
});

test("what holds for a key holds for the other side's key", () => {
  const plan = filter(join("INNER", scan("t", "a"), scan("u", "b"), { a: "b" }), compare("$eq", column("a"), number(1)));
  expect(after(pushPredicates, plan)).toBe(
    ["INNER join a=b PARTITIONED", '  filter ("a" = 1)', "    scan t: a", '  filter ("b" = 1)', "    scan u: b"].join("\n"),
  );
});

test("a computed key is projected below the join", () => {
  const plan = filter(join("INNER", scan("t", "a"), scan("u", "b")), compare("$eq", add(column("a"), number(1)), column("b")));
  expect(after(pushPredicates, plan)).toMatch(/^INNER join (key\w*)=b PARTITIONED\n {2}project a="a" \1=\("a" \+ 1\)/);
});

test("texts of different lengths are keys too: the shorter type is cast to the longer one", async () => {
  const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });
  const text = await planner.explain("SELECT count(*) FROM nation JOIN customer ON n_name = c_phone");
  expect(text).toMatch(/InnerJoin\[\("key\w*" = "n_name"\)\]/);
  expect(text).toContain(':= CAST("c_phone" AS varchar(25))');
  const unbounded = await planner.explain(
    "SELECT count(*) FROM nation JOIN (SELECT CAST(r_name AS varchar) AS r FROM region) ON n_name = r",
  );
  expect(unbounded).toContain(':= CAST("n_name" AS varchar)');
  const padded = await planner.explain(
    "SELECT count(*) FROM (SELECT CAST(n_name AS char(9)) AS a FROM nation) JOIN (SELECT CAST(r_name AS char(5)) AS b FROM region) ON a = b",
  );
  expect(padded).toMatch(/:= CAST\(CAST\("r_name" AS char\(5\)\) AS char\(9\)\)/);
});

test("a LEFT join keeps conditions on its right side above, unless they reject NULLs", () => {
  const make = (operator: string) =>
    filter(join("LEFT", scan("t", "a"), scan("u", "b"), { a: "b" }), compare(operator, column("b"), number(1)));
  expect(after(pushPredicates, make("$distinct"))).toBe(
    ['filter ("b" IS DISTINCT FROM 1)', "  LEFT join a=b PARTITIONED", "    scan t: a", "    scan u: b"].join("\n"),
  );
  expect(after(pushPredicates, make("$lt"))).toContain("INNER join");
});

test("a RIGHT join is a LEFT join of its right side", () => {
  const plan = filter(
    join("RIGHT", scan("t", "a"), scan("u", "b"), { a: "b" }),
    compare("$distinct", column("a"), number(1)),
    compare("$lt", column("b"), number(5)),
  );
  expect(after(pushPredicates, plan)).toBe(
    [
      'filter ("a" IS DISTINCT FROM 1)',
      "  LEFT join b=a PARTITIONED",
      '    filter ("b" < 5)',
      "      scan u: b",
      '    filter ("a" < 5)',
      "      scan t: a",
    ].join("\n"),
  );
});

test("the ON condition of a LEFT join filters its right side only", () => {
  const plan = join("LEFT", scan("t", "a"), scan("u", "b"), { a: "b" }, compare("$lt", column("a"), number(1)));
  expect(after(pushPredicates, plan)).toBe(
    ['LEFT join a=b on ("a" < 1) PARTITIONED', "  scan t: a", '  filter ("b" < 1)', "    scan u: b"].join("\n"),
  );
});

test("conditions go through projections by what the columns mean", () => {
  const plan = filter(project(scan("t", "a"), { b: add(column("a"), number(1)) }), compare("$lt", column("b"), number(3)));
  expect(after(pushPredicates, plan)).toBe(['project b=("a" + 1)', '  filter (("a" + 1) < 3)', "    scan t: a"].join("\n"));
});

test("a FULL join loses the sides whose missing rows a condition rejects", () => {
  const full = join("FULL", scan("t", "a"), scan("u", "b"), { a: "b" });
  const [onLeft, onRight] = [compare("$lt", column("a"), number(1)), compare("$lt", column("b"), number(1))];
  expect(after(pushPredicates, filter(full, onLeft))).toBe(
    ["LEFT join a=b PARTITIONED", '  filter ("a" < 1)', "    scan t: a", '  filter ("b" < 1)', "    scan u: b"].join("\n"),
  );
  expect(after(pushPredicates, filter(full, onRight))).toBe(
    ["LEFT join b=a PARTITIONED", '  filter ("b" < 1)', "    scan u: b", '  filter ("a" < 1)', "    scan t: a"].join("\n"),
  );
  expect(after(pushPredicates, filter(full, onLeft, onRight))).toMatch(/^INNER join/);
  expect(after(pushPredicates, filter(full, compare("$distinct", column("b"), number(1))))).toMatch(/^filter .*\n {2}FULL join/);
});

test("a FULL join without an equality has one key for all rows", () => {
  const full = join("FULL", scan("t", "a"), scan("u", "b"), {}, compare("$lt", column("a"), column("b")));
  expect(after(pushPredicates, full).replaceAll(/key\w*/g, "key")).toBe(
    [
      'FULL join key=key on ("a" < "b") PARTITIONED',
      '  project a="a" key=true',
      "    scan t: a",
      '  project b="b" key=true',
      "    scan u: b",
    ].join("\n"),
  );
});

function repeated(sets: readonly (readonly string[])[]): PlanNode {
  return {
    kind: "GroupId",
    id: ids.node(),
    source: scan("t", "a", "b"),
    columns: [
      { output: column("a_set"), input: column("a") },
      { output: column("b_set"), input: column("b") },
    ],
    sets,
    groupId: column("groupid"),
  };
}

test("below grouping sets go conditions on columns that every set has", () => {
  const plan = filter(
    repeated([["a_set"], ["a_set", "b_set"]]),
    compare("$eq", column("a_set"), number(1)),
    compare("$eq", column("b_set"), number(2)),
    compare("$lt", column("groupid"), number(1)),
  );
  expect(after(pushPredicates, plan)).toBe(
    ['filter (("b_set" = 2) AND ("groupid" < 1))', "  GroupId", '    filter ("a" = 1)', "      scan t: a b"].join("\n"),
  );
});

test("a group that is there without rows is asked again what its rows were asked", () => {
  const grouped: PlanNode = {
    kind: "Aggregation",
    id: ids.node(),
    source: repeated([["a_set"], []]),
    step: "SINGLE",
    keys: [column("a_set"), column("groupid")],
    aggregates: [],
    globalSets: { groupId: column("groupid"), numbers: [1] },
  };
  expect(after(pushPredicates, filter(grouped, compare("$eq", column("a_set"), number(1))))).toBe(
    ['filter ("a_set" = 1)', "  group by a_set groupid: ", '    filter ("a_set" = 1)', "      GroupId", "        scan t: a b"].join("\n"),
  );
});
