import { expect, test } from "vitest";
import type { Variable } from "../../../../../src/planner/plan/typed-expression.ts";
import type { AggregateCall, AggregationNode, PlanNode } from "../../../../../src/planner/plan/node.ts";
import { aggregateBeforeJoin } from "../../../../../src/planner/optimizer/rules/join/aggregate-before-join.ts";
import { combineAggregations } from "../../../../../src/planner/optimizer/rules/join/combine-aggregations.ts";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";
import { BIGINT, BOOLEAN, DOUBLE } from "../../../../../src/types/type.ts";
import { add, after, column, compare, filter, ids, join, number, project, scan } from "./plans.ts";

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

test("the second of two aggregations of one table by one key becomes masked calls of the first one", () => {
  const columns = [column("k"), column("v")].map(({ name, type }) => ({ name, type }));
  const second = { ...scan("big_l", "k_2", "v_2"), columns } as PlanNode;
  const groups = aggregated(filter(second, compare("$lt", column("v_2"), number(3))), ["k_2"], {
    output: column("s"),
    args: [column("v_2")],
  });
  const first = join("INNER", scan("big_o", "a"), aggregated(scan("big_l", "k", "v"), ["k"], { args: [column("v")] }), { a: "k" });
  expect(after(combineAggregations, join("LEFT", first, groups, { a: "k_2" })).replaceAll(/(mask|rows)_\d+/g, "$1")).toBe(
    [
      'project a="a" k="k" r_0="r_0" k_2=IF(("rows" > 0), "a", null) s=IF(("rows" > 0), "s", null)',
      "  INNER join a=k PARTITIONED",
      "    scan big_o: a",
      "    group by k: r_0 s rows",
      '      project k="k" v="v" v_2="v" mask=("v" < 3)',
      "        scan big_l: k v",
    ].join("\n"),
  );
});

const connector = tpchConnector();

/** Number of scans of lineitem, and the final aggregations. */
async function shape(sql: string, rules = ""): Promise<{ readonly scans: number; readonly aggregates: readonly string[] }> {
  const properties = { optimizer_rules: rules, share_common_subplans: "false" };
  const text = await new TestPlanner({ tpch: connector }, { catalog: "tpch", schema: "sf1", properties }).explain(sql);
  return {
    scans: [...text.matchAll(/TableScan\[tpch:sf1\.lineitem/g)].length,
    aggregates: [...text.matchAll(/Aggregate\((?:FINAL|SINGLE)\)\[(\w+)\]/g)].map(([, key = ""]) => key.replace(/_\d+$/, "")),
  };
}

const late = "l.l_receiptdate > l.l_commitdate";
const other = "l.l_orderkey = o.o_orderkey AND l.l_suppkey <> o.o_custkey";
const both = (first: string, second: string): string => `SELECT o.o_clerk FROM orders o
  WHERE EXISTS (SELECT * FROM lineitem l WHERE ${other} AND ${first})
    AND NOT EXISTS (SELECT * FROM lineitem l WHERE ${other} AND ${second})`;

test("EXISTS and NOT EXISTS by one key read the table once", async () => {
  const sql = both("true", late);
  expect(await shape(sql)).toEqual({ scans: 1, aggregates: ["l_orderkey"] });
  expect((await shape(sql, "-combine_aggregations")).scans).toBe(2);
  // The first one has conditions that the second one has, too; the columns may differ.
  expect((await shape(both(late, `${late} AND l.l_shipmode = 'AIR'`))).scans).toBe(1);
  expect((await shape(both(late, late))).scans).toBe(1);
});

test("the second one may need rows that the first one does not have", async () => {
  expect((await shape(both(late, "true"))).scans).toBe(2);
  expect((await shape(both(late, "l.l_shipmode = 'AIR'"))).scans).toBe(2);
});

const groups = (columns: string, where = ""): string => `(SELECT l_orderkey AS k, ${columns} FROM lineitem ${where} GROUP BY l_orderkey)`;
const joined = (first: string, second: string, on = "x.k = y.k"): string =>
  `SELECT x.k, x.c, y.d FROM ${first} x JOIN orders ON o_orderkey = x.k LEFT JOIN ${second} y ON ${on}`;

test("groups of a LEFT join are computed with those of an inner join, if the key alone decides", async () => {
  const [first, second] = [groups("count(*) AS c"), groups("sum(l_quantity) AS d", "WHERE l_tax > 0")];
  expect((await shape(joined(first, second))).scans).toBe(1);
  expect((await shape(joined(first, second, "o_orderkey = y.k"))).scans).toBe(1);
  expect((await shape(joined(first, second, "x.k = y.k AND x.c < y.d"))).scans).toBe(2);
  expect((await shape(joined(first, second, "x.c = y.k"))).scans).toBe(2);
  expect((await shape(joined(first, "(SELECT l_partkey AS k, sum(l_quantity) AS d FROM lineitem GROUP BY l_partkey)"))).scans).toBe(2);
  expect((await shape(joined(first, "(SELECT l_orderkey AS k, l_partkey, sum(l_quantity) AS d FROM lineitem GROUP BY 1, 2)"))).scans).toBe(
    2,
  );
  expect((await shape(joined(groups("count(*) AS c", "WHERE random() < 2"), second))).scans).toBe(2);
  const outer = `SELECT x.k, y.d FROM orders LEFT JOIN ${first} x ON o_orderkey = x.k LEFT JOIN ${second} y ON o_orderkey = y.k`;
  expect((await shape(outer)).scans).toBe(2);
});

test("an argument that may fail is evaluated where the conditions of its aggregation hold", async () => {
  const text = await new TestPlanner({ tpch: connector }, { catalog: "tpch", schema: "sf1" }).explain(
    joined(groups("count(*) AS c"), groups("max(100 / l_linenumber) AS d", "WHERE l_linenumber <> 3")),
  );
  expect(text).toMatch(/:= IF\(\("l_linenumber\w*" <> 3\), \(100 \/ "l_linenumber\w*"\), null\)/i);
});
