import { expect, test } from "vitest";
import type { RowExpression, Variable } from "../../../../../src/planner/plan/typed-expression.ts";
import { call, not } from "../../../../../src/planner/plan/expression-tree.ts";
import type { PlanNode } from "../../../../../src/planner/plan/node.ts";
import { joinRowKeys } from "../../../../../src/planner/optimizer/rules/join/join-row-keys.ts";
import { BIGINT, BOOLEAN, tupleType } from "../../../../../src/types/type.ts";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";
import { after, column, compare, filter, ids, number, project, scan } from "./plans.ts";

const pair = tupleType([BIGINT, BIGINT]);
const found: Variable = { kind: "variable", name: "found", type: BOOLEAN };

function row(...fields: readonly RowExpression[]): RowExpression {
  return call("$row", tupleType(fields.map(({ type }) => type)), fields);
}

/** Whether a row of `a` and `b` is among the rows of `x` and `y`. */
function rowsIn(filtering: PlanNode, key = row(column("x"), column("y"))): PlanNode {
  return {
    kind: "SemiJoin",
    id: ids.node(),
    source: project(scan("big", "a", "b"), { a: column("a"), k: row(column("a"), column("b")) }),
    filtering: project(filtering, { l: key }),
    sourceKey: { kind: "variable", name: "k", type: pair },
    filteringKey: { kind: "variable", name: "l", type: pair },
    output: found,
    distribution: "REPLICATED",
  };
}

test("as a condition it is a join by the fields with the distinct rows; no row is made", () => {
  expect(after(joinRowKeys, filter(rowsIn(scan("big", "x", "y")), found, compare("$lt", column("a"), number(3))))).toBe(
    [
      'filter ("a" < 3)',
      '  project a="a" k="k" found=true',
      "    INNER join a=x b=y PARTITIONED",
      '      project a="a" k=row("a", "b") b="b"',
      "        scan big: a b",
      "      group by x y: ",
      '        project l=row("x", "y") x="x" y="y"',
      "          scan big: x y",
    ].join("\n"),
  );
});

test("rows that are known to be distinct are joined as they are", () => {
  expect(after(joinRowKeys, filter(rowsIn(scan("small", "id", "y"), row(column("id"), column("y"))), found))).toMatch(
    /INNER join a=id b=y PARTITIONED\n.*\n.*\n {4}project l=/,
  );
});

test("fields that are computed are computed beside the row, and those of a column of rows are read from it", () => {
  const computed = filter(rowsIn(scan("big", "x"), row(column("x"), call("$add", BIGINT, [column("x"), number(1)]))), found);
  expect(after(joinRowKeys, computed)).toMatch(/INNER join a=x b=(key\w*) PARTITIONED[^]*project l=.* x="x" \1=\("x" \+ 1\)/);
  const stored: Variable = { kind: "variable", name: "s", type: pair };
  expect(after(joinRowKeys, filter(rowsIn(project(scan("big", "x", "y"), { s: row(column("x"), column("y")) }), stored), found))).toMatch(
    /INNER join a=(key\w*) b=(key\w*) PARTITIONED[^]*\1=\S+ \2=/,
  );
});

test("NOT IN, and what asks for more than whether it is true, stay as they are", () => {
  for (const predicate of [not(found), call("$distinct", BOOLEAN, [found, found])]) {
    expect(after(joinRowKeys, filter(rowsIn(scan("big", "x", "y")), predicate))).toContain("found: k in l");
  }
  expect(after(joinRowKeys, filter(rowsIn(scan("big", "x", "y")), found, not(found)))).toContain("found: k in l");
});

async function explain(statement: string): Promise<string> {
  const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });
  return planner.explain(`(TYPE LOGICAL) ${statement}`);
}

test("a statement: a hash join by both columns, without a nested loop and without rows", async () => {
  const plan = await explain(
    "SELECT count(*) FROM lineitem WHERE (l_partkey, l_suppkey) IN (SELECT ps_partkey, ps_suppkey FROM partsupp WHERE ps_availqty < 500)",
  );
  expect(plan).toMatch(/InnerJoin\[\("l_partkey" = "ps_partkey"\) AND \("l_suppkey" = "ps_suppkey"\)\]/);
  expect(plan).not.toMatch(/SemiJoin|CrossJoin|row\(/);
});

test("NOT IN is a semi-join by hash of the rows", async () => {
  const plan = await explain(
    "SELECT count(*) FROM lineitem WHERE (l_partkey, l_suppkey) NOT IN (SELECT ps_partkey, ps_suppkey FROM partsupp WHERE ps_availqty < 500)",
  );
  expect(plan).toMatch(/SemiJoin\[/);
  expect(plan).not.toMatch(/CrossJoin/);
});
