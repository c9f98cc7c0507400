/** Long statements are planned with many turns; their plans are those of one piece. */
import { expect, it } from "vitest";
import { analyzeInPieces, startAnalysis } from "../../../src/planner/plan-query.ts";
import { planStatement } from "../../../src/planner/plan-statement.ts";
import type { Query } from "../../../src/sql/ast/ast.ts";
import { type Walk, walked } from "../../../src/planner/pieces.ts";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";

const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "tiny" });

function listOf(length: number, element: (index: number) => string, separator = ", "): string {
  return Array.from({ length }, (_, index) => element(index)).join(separator);
}

/** Elements between two turns, and those of the part in which they are reached. */
const elementsMax = 4_096;

it.each([
  ["columns", `SELECT ${listOf(3_000, (n) => `n_nationkey + ${n}`)} FROM nation`, 12],
  ["grouping keys", `SELECT count(*) FROM nation GROUP BY ${listOf(2_500, (n) => `n_nationkey + ${n}`)}`, 3],
  ["rows", `VALUES ${listOf(4_000, (n) => `(${n}, 'a${n}')`)}`, 8],
  ["terms", listOf(90, (n) => `SELECT n_nationkey + ${n} FROM nation`, " UNION ALL "), 90],
  ["queries of WITH", `WITH ${listOf(200, (n) => `t${n} AS (SELECT n_nationkey + ${n} k FROM nation)`)} SELECT * FROM t0`, 199],
  ["windows", `SELECT ${listOf(300, (n) => `sum(n_nationkey) OVER (ORDER BY n_nationkey + ${n})`)} FROM nation`, 4],
  ["values of IN", `SELECT * FROM nation WHERE n_nationkey IN (${listOf(1_500, (n) => (n % 2 === 0 ? `${n}` : `${n}.5`))})`, 3],
  ["rows of IN", `SELECT * FROM nation WHERE (n_nationkey, 1) IN (${listOf(600, (n) => `(${n}, ${n} - 1)`)})`, 3],
  ["branches", `SELECT CASE ${listOf(900, (n) => `WHEN n_nationkey = ${n} THEN 1 + ${n}`, " ")} END, 1 FROM nation`, 3],
  ["elements of an array", `SELECT cardinality(ARRAY[${listOf(900, (n) => `1 + ${n}`)}]) FROM nation`, 3],
])("%s", async (_name, sql, yieldsMin) => {
  const statement = parseStatement(sql) as Query;
  const pieces = [...analyzeInPieces(statement, await startAnalysis(statement, planner.context))];
  expect(pieces.length).toBeGreaterThanOrEqual(yieldsMin);
  expect(Math.max(...pieces)).toBeLessThanOrEqual(elementsMax);
  let turns = 0;
  const turn = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  const planned = await planStatement(statement, { ...planner.context, turn });
  expect(planned).toEqual(await planner.plan(sql));
  const elements = pieces.reduce((sum, one) => sum + one, 0);
  expect(turns).toBeGreaterThan(Math.floor(elements / elementsMax));
});

it("estimates the bytes of a chain of windows by their columns", async () => {
  const count = 40;
  const sql = `SELECT ${listOf(count, (n) => `sum(n_nationkey) OVER (PARTITION BY n_regionkey ORDER BY n_nationkey + ${n})`)} FROM nation`;
  const { estimates = new Map() } = await planner.plan(sql);
  const sizes = [...estimates.values()].map(({ outputSizeInBytes, outputRowCount }) => outputSizeInBytes / outputRowCount);
  const windows = sizes.toSorted((a, b) => a - b).slice(-count);
  // Each adds a bigint with its NULL flag.
  expect(windows.slice(1).map((size, index) => size - (windows[index] as number))).toEqual(Array.from({ length: count - 1 }, () => 9));
});

const wide = `(SELECT ${listOf(1_500, (n) => `n_nationkey + ${n} AS c${n}`)} FROM nation)`;

it.each([
  // Each key looked at all pairs of columns: half a minute of 1,500 columns.
  ["ORDER BY", `SELECT ${listOf(1_500, (n) => `c${n}`)} FROM ${wide} ORDER BY ${listOf(1_500, (n) => `c${n}`)}`],
  ["equalities of a join", `SELECT count(*) FROM ${wide} a JOIN ${wide} b ON ${listOf(1_500, (n) => `a.c${n} = b.c${n}`, " AND ")}`],
  ["NATURAL JOIN", `SELECT count(*) FROM ${wide} a NATURAL JOIN ${wide} b`],
])("the columns of %s are not compared in pairs", async (_name, sql) => {
  const { plan } = await planner.plan(sql);
  expect(plan.fragments.length).toBeGreaterThan(1);
});

it("a chain of WITH queries that are read twice is analyzed in pieces, up to its limit", async () => {
  const chain = listOf(60, (n) => `t${n + 1} AS (SELECT a.k FROM t${n} a JOIN t${n} b ON a.k = b.k)`);
  const sql = `WITH t0 AS (SELECT n_nationkey k FROM nation), ${chain} SELECT count(*) FROM t60`;
  const analysis = await startAnalysis(parseStatement(sql), planner.context);
  let [elements, most] = [0, 0];
  const count = (): void => {
    for (const piece of analyzeInPieces(parseStatement(sql) as Query, analysis)) {
      elements += piece;
      most = Math.max(most, piece);
    }
  };
  expect(count).toThrow("Plan has more than 100000 nodes");
  expect(elements).toBeGreaterThan(100_000);
  expect(most).toBeLessThan(elementsMax);
});

it("a walk over a plan takes no more of the stack for a deep one, and may be left at each level", () => {
  function* depth(levels: number): Walk<number> {
    yield;
    return levels === 0 ? 0 : 1 + ((yield depth(levels - 1)) as number);
  }
  const steps = walked(depth(50_000));
  let yields = 0;
  let next = steps.next();
  for (; next.done !== true; next = steps.next()) {
    yields++;
  }
  expect(next.value).toBe(50_000);
  expect(yields).toBe(50_001);
});

const columns = listOf(40, (n) => `n_nationkey + ${n} AS c${n}`);

it.each([
  [`SELECT C7, t.c39 FROM (SELECT ${columns} FROM nation) t ORDER BY T.C3`, undefined],
  [`SELECT u.c7 FROM (SELECT ${columns} FROM nation) t, (SELECT ${columns} FROM nation) u`, undefined],
  [`SELECT c7 FROM (SELECT ${columns} FROM nation) t, (SELECT ${columns} FROM nation) u`, "Column 'c7' is ambiguous"],
  [`SELECT c40 FROM (SELECT ${columns} FROM nation) t`, "Column 'c40' cannot be resolved"],
  [`SELECT u.c7 FROM (SELECT ${columns} FROM nation) t`, "Column 'u.c7' cannot be resolved"],
  [`SELECT ${columns}, 1 AS C5 FROM nation ORDER BY c5`, "Column 'c5' is ambiguous"],
  [`SELECT ${columns}, n_nationkey + 5 AS C5 FROM nation ORDER BY c5`, undefined],
  [
    `SELECT count(*) FROM (SELECT ${columns}, 1 AS C5 FROM nation) t JOIN (SELECT ${columns} FROM nation) u USING (c5)`,
    "Column 'c5' is ambiguous",
  ],
])("names among many columns: %#", async (sql, message) => {
  const planned = planner.plan(sql);
  if (message === undefined) {
    await planned;
  } else {
    await expect(planned).rejects.toThrow(message);
  }
});

it.each(["EXPLAIN (TYPE LOGICAL) SELECT", "SHOW STATS FOR (SELECT"])("%s takes turns", async (first) => {
  const end = first.endsWith("(SELECT") ? ")" : "";
  let turns = 0;
  const turn = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  await planStatement(parseStatement(`${first} ${listOf(1_500, (n) => `n_nationkey + ${n} AS c${n}`)} FROM nation${end}`), {
    ...planner.context,
    turn,
  });
  expect(turns).toBeGreaterThan(20);
});
