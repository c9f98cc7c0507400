/**
 * Random queries over random rows. Each query that the analyzer accepts has a plan that is valid after each rule (the optimizer asserts it)
 * and splits into valid fragments. It produces the same rows as analyzed, as optimized, with dynamic filters everywhere, and distributed
 * over several tasks.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { analyzeQuery, finishLogical, optimizeQuery, startAnalysis } from "../../../src/planner/plan-query.ts";
import type { PlanNode } from "../../../src/planner/plan/node.ts";
import { dynamicFilters } from "../../../src/planner/optimizer/rules/dynamic-filters.ts";
import type { RuleContext } from "../../../src/planner/optimizer/rules/rule.ts";
import { Estimator } from "../../../src/planner/optimizer/stats/stats-calculator.ts";
import { sourcesOf } from "../../../src/planner/plan/plan-tree.ts";
import { validatePlan } from "../../../src/planner/plan/validate.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { keyOf, runFragments, runPlan, type Data, type Row } from "./interpreter.ts";
import { contextFor } from "./tpch-catalog.ts";

const names = ["a", "b", "c"] as const;
const name = fc.constantFrom(...names);
const relationName = fc.constantFrom("x", "y");

/** Every relation has the columns a, b and c, all bigint, so that most generated texts are valid queries. */
const scalar = fc.letrec<{ expression: string; condition: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    name,
    fc.integer({ min: 0, max: 9 }).map(String),
    fc.tuple(tie("expression"), fc.constantFrom("+", "*", "-"), tie("expression")).map(([l, o, r]) => `(${l} ${o} ${r})`),
    fc.tuple(tie("condition"), tie("expression")).map(([c, e]) => `IF(${c}, ${e})`),
  ),
  condition: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.tuple(tie("expression"), fc.constantFrom("=", "<", "<>"), tie("expression")).map(([l, o, r]) => `${l} ${o} ${r}`),
    fc.tuple(tie("condition"), fc.constantFrom("AND", "OR"), tie("condition")).map(([l, o, r]) => `(${l} ${o} ${r})`),
    tie("condition").map((c) => `NOT (${c})`),
    tie("expression").map((e) => `${e} IS NULL`),
    name.map((n) => `${n} IN (SELECT n_nationkey FROM nation)`),
    fc
      .tuple(name, name)
      .map(([n, m]) =>
        `${n} NOT IN (SELECT n_regionkey FROM nation WHERE n_nationkey <> 1)`.replace(
          "n_regionkey",
          m === "a" ? "n_nationkey" : "n_regionkey",
        ),
      ),
    name.map((n) => `EXISTS (SELECT 1 FROM region WHERE r_regionkey = ${n})`),
    name.map((n) => `${n} > (SELECT max(r_regionkey) FROM region)`),
    fc
      .tuple(name, name, fc.constantFrom("<>", "<", ">="))
      .map(([n, m, o]) => `EXISTS (SELECT 1 FROM nation WHERE n_regionkey = ${n} AND n_nationkey ${o} ${m})`),
    fc
      .tuple(name, fc.constantFrom("=", "<>", "<", ">="), fc.constantFrom("ANY", "ALL"))
      .map(([n, o, q]) => `${n} ${o} ${q} (SELECT n_nationkey FROM nation)`),
    fc
      .tuple(name, name, fc.constantFrom("=", "<>", "<", ">="), fc.constantFrom("ANY", "ALL"))
      .map(([n, m, o, q]) => `${n} ${o} ${q} (SELECT n_nationkey FROM nation WHERE n_regionkey = ${m})`),
    fc.tuple(name, name).map(([n, m]) => `${n} = (SELECT count(*) FROM nation WHERE n_regionkey = ${m})`),
    fc.tuple(name, name).map(([n, m]) => `${n} < (SELECT max(n_nationkey) + 1 FROM nation WHERE n_regionkey = ${m})`),
  ),
}));

const query = fc.letrec<{ relation: string; query: string }>((tie) => ({
  relation: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    fc.constant("(SELECT o_orderkey a, o_custkey b, o_custkey + 1 c FROM orders)"),
    fc.constant("(SELECT n_nationkey a, n_regionkey b, n_regionkey c FROM nation)"),
    fc.constant("(SELECT IF(node_id = 'x', BIGINT '1') a, BIGINT '1' b, BIGINT '2' c FROM memory.runtime.nodes)"),
    fc.constant("(VALUES (BIGINT '1', BIGINT '2', BIGINT '3'), (4, 5, NULL))"),
    tie("query").map((q) => `(${q})`),
    fc
      .tuple(tie("relation"), tie("relation"), fc.constantFrom("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"), name, name)
      .map(
        ([l, r, type, k, m]) =>
          `(SELECT x.a, y.b, x.c FROM ${l} AS x (a, b, c) ${type} ${r} AS y (a, b, c) ON x.${k} = y.${m} AND x.a < y.b)`,
      ),
    fc.tuple(tie("relation"), tie("relation")).map(([l, r]) => `(SELECT * FROM ${l} UNION ALL SELECT * FROM ${r})`),
    fc
      .tuple(tie("relation"), tie("relation"), fc.constantFrom("UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"))
      .map(([l, r, o]) => `(SELECT * FROM ${l} ${o} SELECT * FROM ${r})`),
  ),
  query: fc.oneof(
    fc
      .tuple(scalar.expression, scalar.expression, tie("relation"), scalar.condition, fc.boolean())
      .map(([e, f, r, c, d]) => `SELECT ${d ? "DISTINCT " : ""}a, ${e} AS b, ${f} AS c FROM ${r} AS x (a, b, c) WHERE ${c}`),
    fc
      .tuple(scalar.expression, tie("relation"), scalar.condition, name)
      .map(
        ([e, r, c, k]) =>
          `SELECT ${k} AS a, count(DISTINCT ${e}) AS b, sum(${e}) FILTER (WHERE ${c}) AS c FROM ${r} AS x (a, b, c) GROUP BY ${k} HAVING count(*) > 1`,
      ),
    fc
      .tuple(scalar.expression, tie("relation"), scalar.condition, name, fc.constantFrom("count", "sum", "max"))
      .map(
        ([e, r, c, k, f]) =>
          `SELECT ${k} AS a, count(DISTINCT ${e}) AS b, ${f}(DISTINCT ${e}) AS c FROM ${r} AS x (a, b, c) WHERE ${c} GROUP BY ${k}`,
      ),
    fc
      .tuple(tie("relation"), tie("relation"), name, fc.constantFrom("sum", "min", "max"))
      .map(
        ([l, r, k, f]) =>
          `SELECT x.a AS a, count(y.b) AS b, ${f}(y.c) AS c FROM (SELECT DISTINCT a FROM ${l} AS l (a, b, c)) x LEFT JOIN ${r} AS y (a, b, c) ON x.a = y.${k} GROUP BY x.a`,
      ),
    fc
      .tuple(scalar.expression, tie("relation"))
      .map(([e, r]) => `SELECT count(DISTINCT ${e}) AS a, sum(DISTINCT ${e}) AS b, BIGINT '1' AS c FROM ${r} AS x (a, b, c)`),
    fc
      .tuple(
        tie("relation"),
        fc.constantFrom("ROLLUP (a, b)", "CUBE (a, b)", "a, ROLLUP (b)", "GROUPING SETS ((a), (b), ())"),
        scalar.condition,
      )
      .map(
        ([r, g, c]) =>
          `SELECT a, sum(c + a) AS b, count(DISTINCT b) AS c FROM ${r} AS x (a, b, c) WHERE ${c} GROUP BY ${g} HAVING a = 1 OR a IS NULL`,
      ),
    fc
      .tuple(tie("relation"), name, fc.nat(9), fc.nat(3))
      .map(([r, k, n, o]) => `SELECT a, b, c FROM ${r} AS x (a, b, c) ORDER BY ${k} DESC, a, b, c OFFSET ${o} LIMIT ${n}`),
    // Without OFFSET: it is not determined which of the tied rows it would skip.
    fc
      .tuple(tie("relation"), name, fc.integer({ min: 1, max: 4 }))
      .map(([r, k, n]) => `SELECT a, b, c FROM ${r} AS x (a, b, c) ORDER BY ${k} FETCH FIRST ${n} ROWS WITH TIES`),
    fc
      .tuple(tie("relation"), relationName)
      .map(([r, n]) => `SELECT max(${n}.a) AS a, min(${n}.b) AS b, count(*) AS c FROM ${r} AS ${n} (a, b, c)`),
  ),
}));

const cell = fc.option(fc.bigInt({ min: 0n, max: 4n }));
const table = (...columns: readonly string[]) =>
  fc.array(fc.record(Object.fromEntries(columns.map((column) => [column, cell]))), { maxLength: 6 });
const data: fc.Arbitrary<Data> = fc.record({
  orders: table("o_orderkey", "o_custkey"),
  nation: table("n_nationkey", "n_regionkey"),
  region: table("r_regionkey"),
  nodes: fc.constant([{ node_id: "x" }, { node_id: "y" }]),
});

const distributions = fc.constantFrom("AUTOMATIC", "PARTITIONED", "BROADCAST");
const orders = fc.constantFrom("AUTOMATIC", "NONE", "ELIMINATE_CROSS_JOINS");

function bag(rows: readonly Row[]): readonly string[] {
  return rows.map(keyOf).toSorted();
}

const rulesContext: Omit<RuleContext, "ids"> = {
  estimator: new Estimator(() => ({ columns: {} })),
  session: { dynamicFiltering: true, joinDistribution: "AUTOMATIC", joinReordering: "AUTOMATIC" },
  rulesOff: new Set(),
  evaluateConstant: () => {
    throw new Error("nothing is evaluated");
  },
};

test("random queries have valid plans that keep their meaning", async () => {
  let planned = 0;
  let filtered = 0;
  await fc.assert(
    fc.asyncProperty(query.query, data, distributions, orders, async (sql, tables, distribution, reordering) => {
      const statement = parseStatement(sql);
      if (statement.kind !== "Query") {
        throw new Error("the generator writes queries");
      }
      try {
        const analysis = await startAnalysis(
          statement,
          contextFor({ properties: { join_distribution_type: distribution, join_reordering_strategy: reordering } }),
        );
        const analyzed = analyzeQuery(statement, analysis);
        const logical = optimizeQuery(analyzed, analysis);
        const { root } = logical;
        const { columns, plan } = finishLogical(logical, analysis);
        planned += 1;
        expect(columns).toHaveLength(3);
        for (const fragment of plan.fragments) {
          expect(scans(fragment.root) <= 1 || fragment.partitioning === "COORDINATOR").toBe(true);
        }
        const expected = bag(runPlan(analyzed, tables));
        expect(bag(runPlan(root, tables))).toEqual(expected);
        // In one task and without cost estimates, every join may have a dynamic filter.
        const told = dynamicFilters.apply(root, { ...rulesContext, ids: analysis.ids });
        validatePlan(told, dynamicFilters.name);
        filtered += Number(told !== root);
        expect(bag(runPlan(told, tables))).toEqual(expected);
        expect(bag(runFragments(plan, tables, 3))).toEqual(expected);
      } catch (error) {
        if (!(error instanceof QueryError && error.errorType === "USER_ERROR")) {
          throw error;
        }
      }
    }),
    { numRuns: 500 },
  );
  expect(planned).toBeGreaterThan(300);
  expect(filtered).toBeGreaterThan(10);
});

function scans(node: PlanNode): number {
  return (node.kind === "TableScan" ? 1 : 0) + sourcesOf(node).reduce((sum, source) => sum + scans(source), 0);
}
