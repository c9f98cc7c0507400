/**
 * Statements that exceed resources, and hostile ones: a result or a clear error, no leaks, and the next query succeeds.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";

const headers = { "x-engine-user": "limits", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" };

/** All resources of the previous statement are released, and the cluster answers. */
async function expectRecovered(cluster: LoopbackCluster): Promise<void> {
  const leftovers = (): readonly number[] => cluster.nodes.flatMap((node) => Object.values(node.leftovers()));
  for (let round = 0; round < 500 && leftovers().some((left) => left !== 0); round++) {
    await cluster.wait(10);
  }
  expect(leftovers().every((left) => left === 0)).toBe(true);
  const sql = "SELECT r.name, count(*) FROM nation n JOIN region r ON n.regionkey = r.regionkey GROUP BY r.name ORDER BY r.name";
  expect((await new Asker(cluster, headers).answer(sql)).rows.map(([, count]) => count)).toEqual([5, 5, 5, 5, 5]);
}

describe("memory", () => {
  const join = "SELECT count(*) FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey AND o.comment <> l.comment";
  const cases: readonly { readonly limit: string; readonly sql: string; readonly operator: string }[] = [
    { limit: "2MB", sql: join, operator: "HashBuilderOperator" },
    {
      limit: "2MB",
      sql: "SELECT orderkey, comment, count(*) FROM lineitem GROUP BY orderkey, comment",
      operator: "HashAggregationOperator",
    },
    { limit: "2MB", sql: "SELECT count(*) FROM lineitem WHERE comment IN (SELECT comment FROM lineitem)", operator: "SetBuilderOperator" },
    { limit: "8MB", sql: "SELECT * FROM lineitem ORDER BY comment", operator: "OrderByOperator" },
    { limit: "8MB", sql: "SELECT * FROM lineitem ORDER BY comment LIMIT 40000", operator: "TopNOperator" },
    { limit: "8MB", sql: "SELECT * FROM lineitem", operator: "TaskOutputOperator" },
    {
      limit: "8MB",
      sql: "SELECT * FROM lineitem MATCH_RECOGNIZE (PARTITION BY suppkey ORDER BY comment ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true)",
      operator: "PatternRecognitionOperator",
    },
    {
      limit: "8MB",
      sql: "SELECT count(x) FROM orders MATCH_RECOGNIZE (ORDER BY orderkey MEASURES array_agg(orderkey) AS x AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true)",
      operator: "PatternRecognitionOperator",
    },
  ];
  for (const limit of ["2MB", "8MB"]) {
    describe(limit, () => {
      let cluster: LoopbackCluster;
      beforeAll(async () => {
        cluster = await startLoopbackCluster({ properties: { "query.max-memory-per-node": limit, "spill-enabled": "false" } });
      });
      afterEach(() => expectRecovered(cluster));
      afterAll(() => cluster.stop());

      for (const { sql, operator } of cases.filter((one) => one.limit === limit)) {
        it(`${operator}: ${sql}`, async () => {
          const { error } = await new Asker(cluster, headers).answer(sql);
          expect(error?.errorName).toBe("EXCEEDED_LOCAL_MEMORY_LIMIT");
          // The message names the operator that exceeded the limit: the intended one, or one that feeds it.
          expect(error?.message).toMatch(
            new RegExp(
              `^Query exceeded per-node user memory limit of ${limit} \\[(operator \\w+Operator [\\d.]+\\w+|operators of the task)\\]$`,
            ),
          );
        });
      }
    });
  }
});

describe("hostile statements", () => {
  let cluster: LoopbackCluster;
  beforeAll(async () => {
    cluster = await startLoopbackCluster({ properties: { "query.max-memory-per-node": "256MB" } });
  });
  afterEach(() => expectRecovered(cluster));
  afterAll(() => cluster.stop());

  const list = (count: number, item: (index: number) => string, separator = ", "): string =>
    Array.from({ length: count }, (_, index) => item(index)).join(separator);
  const deep = /^line 1:\d+: statement is too deeply nested/;

  const results: readonly { readonly name: string; readonly sql: string; readonly rows: number; readonly first?: readonly unknown[] }[] = [
    { name: "a literal of 900,000 letters", sql: `SELECT length('${"x".repeat(900_000)}')`, rows: 1, first: [900_000] },
    { name: "a comment of 900,000 letters", sql: `SELECT 1 /* ${"*".repeat(900_000)} */`, rows: 1, first: [1] },
    { name: "5,000 columns", sql: `SELECT ${list(5000, (i) => `nationkey + ${i} AS c${i}`)} FROM nation`, rows: 25 },
    { name: "300 columns as keys", sql: `SELECT count(*) FROM nation GROUP BY ${list(300, (i) => `nationkey + ${i}`)}`, rows: 25 },
    {
      name: "300 branches",
      sql: `SELECT sum(x) FROM (${list(300, (i) => `SELECT ${i} AS x`, " UNION ALL ")}) t`,
      rows: 1,
      first: [44_850],
    },
    { name: "10,000 branches", sql: list(10_000, (i) => `SELECT ${i}`, " UNION ALL "), rows: 10_000, first: [0] },
    { name: "20,000 rows", sql: `SELECT count(*), sum(x) FROM (VALUES ${list(20_000, (i) => `(${i}, 'v${i}')`)}) t (x, y)`, rows: 1 },
    {
      name: "a list of 20,000 numbers",
      sql: `SELECT count(*) FROM orders WHERE orderkey IN (${list(20_000, (i) => String(i * 3))})`,
      rows: 1,
      first: [4999],
    },
    {
      name: "a list of 124,000 numbers",
      sql: `SELECT sum(CASE WHEN orderkey NOT IN (${list(124_000, String)}) THEN 1 END), count(*) FROM orders`,
      rows: 1,
      first: [null, 15_000],
    },
    {
      name: "a list of 20,000 texts",
      sql: `SELECT count(*) FROM orders WHERE clerk IN (${list(20_000, (i) => `'Clerk#${String(i).padStart(9, "0")}'`)})`,
      rows: 1,
      first: [15_000],
    },
    {
      name: "a list of 5,000 expressions",
      sql: `SELECT count(*) FROM nation WHERE nationkey IN (${list(5000, (i) => `regionkey + ${i}`)})`,
      rows: 1,
    },
    {
      name: "5,000 conditions",
      sql: `SELECT count(*) FROM nation WHERE ${list(5000, (i) => `nationkey <> ${i + 5}`, " AND ")}`,
      rows: 1,
      first: [5],
    },
    {
      name: "10,000 alternatives",
      sql: `SELECT count(*) FROM nation WHERE ${list(10_000, (i) => `nationkey = ${i + 5}`, " OR ")}`,
      rows: 1,
      first: [20],
    },
    {
      name: "10,000 conditions that are computed only when nothing before them has decided",
      sql: `SELECT count(*), count_if(x), count_if(y) FROM (SELECT ${list(10_000, (i) => `1 / (nationkey + 1) = ${i + 2}`, " OR ")} x, ${list(10_000, (i) => `1 / (nationkey + 1) <> ${i + 1}`, " AND ")} y FROM nation) t`,
      rows: 1,
      first: [25, 0, 24],
    },
    {
      name: "a COALESCE of 10,000",
      sql: `SELECT count(x), min(x), max(x) FROM (SELECT coalesce(${list(10_000, (i) => `nullif(nationkey, nationkey + ${i} - ${i})`)}, 7) x FROM nation) t`,
      rows: 1,
      first: [25, 7, 7],
    },
    {
      name: "a CASE of 5,000 branches",
      sql: `SELECT max(CASE nationkey ${list(5000, (i) => `WHEN ${i} THEN ${i * 2}`, " ")} END) FROM nation`,
      rows: 1,
      first: [48],
    },
    {
      name: "a pattern that would go back and forth",
      sql: `SELECT '${"a".repeat(5000)}' LIKE '${"%a".repeat(200)}%b'`,
      rows: 1,
      first: [false],
    },
    {
      name: "a pattern with thousands of any letters",
      sql: `SELECT '${"a".repeat(5000)}' LIKE '%${"_".repeat(2000)}b%'`,
      rows: 1,
      first: [false],
    },
    {
      name: "regular expressions that would go back and forth",
      sql: `SELECT regexp_like('${"a".repeat(5000)}', '(a+)+b'), regexp_like('${"a".repeat(2000)}', '(a|aa)*c'), regexp_replace('${"a".repeat(2000)}', '(a*)*b', 'x') = ''`,
      rows: 1,
      first: [false, false, false],
    },
    {
      name: "15,000 partitions of windows",
      sql: "SELECT count(*), max(n) FROM (SELECT row_number() OVER (PARTITION BY orderkey ORDER BY custkey) n FROM orders) t",
      rows: 1,
      first: [15_000, 1],
    },
    {
      name: "127 arguments",
      sql: `SELECT greatest(${list(127, String)}), concat_ws(',', ${list(126, () => "''")}), cardinality(concat(${list(127, (i) => `ARRAY[${i}]`)})), format('%s', ${list(126, String)})`,
      rows: 1,
      first: [126, ",".repeat(125), 127, "0"],
    },
    { name: "an array of 100,000", sql: `SELECT cardinality(ARRAY[${list(100_000, () => "1")}])`, rows: 1, first: [100_000] },
    {
      name: "a row of 1,000 fields",
      sql: `SELECT r[1], r[1000], r = r FROM (SELECT ROW(${list(1000, (i) => (i % 2 === 0 ? `nationkey + ${i}` : "name"))}) r FROM nation WHERE nationkey = 0)`,
      rows: 1,
      first: [0, "ALGERIA", true],
    },
    {
      name: "a row pattern that would go back and forth",
      sql: "SELECT count(*) FROM lineitem MATCH_RECOGNIZE (ORDER BY orderkey, linenumber MEASURES 1 AS x PATTERN ((A+)+ (A | B)* X) DEFINE A AS true, X AS quantity > NEXT(quantity, 70000))",
      rows: 1,
      first: [0],
    },
    {
      name: "a window whose row pattern would go back and forth",
      sql: "SELECT sum(x) FROM (SELECT n OVER w AS x FROM orders WINDOW w AS (ORDER BY orderkey MEASURES count(*) AS n ROWS BETWEEN CURRENT ROW AND 30 FOLLOWING AFTER MATCH SKIP TO NEXT ROW SEEK PATTERN ((A+)+ X) DEFINE X AS totalprice < PREV(totalprice, 31)))",
      rows: 1,
      first: [null],
    },
    {
      name: "15,000 matches that overlap",
      sql: "SELECT count(*), sum(x) FROM orders MATCH_RECOGNIZE (PARTITION BY orderstatus ORDER BY orderkey MEASURES count(*) AS x AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true)",
      rows: 1,
    },
    { name: "a name of 500,000 letters", sql: `SELECT 1 AS "${"n".repeat(500_000)}"`, rows: 1, first: [1] },
    {
      name: "30 joins",
      sql: `SELECT count(*) FROM region r0 ${list(30, (i) => `JOIN region r${i + 1} ON r${i}.regionkey = r${i + 1}.regionkey`, " ")}`,
      rows: 1,
      first: [5],
    },
  ];
  for (const { name, sql, rows, first } of results) {
    it(`${name}: a result`, async () => {
      const { error, rows: found } = await new Asker(cluster, headers).answer(sql);
      expect(error).toBeUndefined();
      expect(found.length).toBe(rows);
      if (first !== undefined) {
        expect(found[0]).toEqual(first);
      }
    });
  }

  it("a row pattern that goes back and forth for years ends with its time", async () => {
    const sql =
      "SELECT count(*) FROM lineitem MATCH_RECOGNIZE (ORDER BY orderkey, linenumber MEASURES 1 AS x PATTERN ((A | B)+ X) DEFINE A AS sum(B.quantity) >= 0, X AS LAST(A.quantity) < 0)";
    const asker = new Asker(cluster, { ...headers, "x-engine-session": "query_max_execution_time=1s" });
    const { error } = await asker.answer(sql);
    expect(error?.errorName, error?.message).toBe("EXCEEDED_TIME_LIMIT");
  });

  const errors: readonly { readonly name: string; readonly sql: string; readonly error: string; readonly message: RegExp }[] = [
    { name: "1,000,001 letters", sql: `SELECT '${"x".repeat(1_000_000)}'`, error: "QUERY_TEXT_TOO_LARGE", message: /1000000/ },
    { name: "1,000 parentheses", sql: `SELECT ${"(".repeat(1000)}1${")".repeat(1000)}`, error: "SYNTAX_ERROR", message: deep },
    { name: "100,000 parentheses", sql: "(".repeat(100_000), error: "SYNTAX_ERROR", message: deep },
    { name: "10,000 additions", sql: `SELECT ${list(10_000, () => "1", " + ")}`, error: "SYNTAX_ERROR", message: deep },
    {
      name: "a CASE in a CASE, 1,000 times",
      sql: `SELECT ${"CASE WHEN nationkey > 3 THEN 1 ELSE ".repeat(1000)}0${" END".repeat(1000)} FROM nation`,
      error: "SYNTAX_ERROR",
      message: deep,
    },
    { name: "1,000 times NOT", sql: `SELECT ${"NOT ".repeat(1000)}true`, error: "SYNTAX_ERROR", message: deep },
    {
      name: "1,000 subqueries in FROM",
      sql: `SELECT * FROM ${"(SELECT * FROM ".repeat(1000)}nation${")".repeat(1000)}`,
      error: "SYNTAX_ERROR",
      message: deep,
    },
    {
      name: "1,000 scalar subqueries",
      sql: `${"SELECT (".repeat(1000)}SELECT 1${")".repeat(1000)}`,
      error: "SYNTAX_ERROR",
      message: deep,
    },
    {
      name: "AND and OR in turns, 1,000 deep",
      sql: `SELECT 1 FROM nation WHERE ${"(nationkey = 1 OR (nationkey = 2 AND ".repeat(500)}true${"))".repeat(500)}`,
      error: "SYNTAX_ERROR",
      message: deep,
    },
    {
      name: "1,000 unions in each other",
      sql: `SELECT count(*) FROM (${"(SELECT 1 UNION ".repeat(1000)}SELECT 2${")".repeat(1000)}) t`,
      error: "SYNTAX_ERROR",
      message: deep,
    },
    { name: "1,000 brackets", sql: `SELECT ${"ARRAY[".repeat(1000)}1${"]".repeat(1000)}`, error: "SYNTAX_ERROR", message: deep },
    {
      name: "a repetition of repetitions",
      sql: "SELECT regexp_like('a', '((a{1,1000}){1,1000}){1,1000}')",
      error: "INVALID_FUNCTION_ARGUMENT",
      message: /regular expression is too large/,
    },
    {
      name: "a number of 100,000 digits",
      sql: `SELECT ${"9".repeat(100_000)}`,
      error: "SYNTAX_ERROR",
      message: /^line 1:8: Invalid numeric literal: 9/,
    },
    {
      name: "20 cubes",
      sql: `SELECT count(*) FROM nation GROUP BY ${list(20, () => "CUBE (nationkey, regionkey)")}`,
      error: "TOO_MANY_GROUPING_SETS",
      message: /at most 2048$/,
    },
    {
      name: "128 arguments",
      sql: `SELECT greatest(${list(128, () => "nationkey")}) FROM nation`,
      error: "TOO_MANY_ARGUMENTS",
      message: /^line 1:8: Too many arguments for function call greatest\(\)$/,
    },
    {
      name: "128 arguments of an aggregate",
      sql: `SELECT count(*), max(${list(128, () => "nationkey")}) FROM nation`,
      error: "TOO_MANY_ARGUMENTS",
      message: /^line 1:18: Too many arguments for function call max\(\)$/,
    },
    {
      name: "128 arguments of a window function",
      sql: `SELECT lag(${list(128, () => "nationkey")}) OVER () FROM nation`,
      error: "TOO_MANY_ARGUMENTS",
      message: /^line 1:8: Too many arguments for function call lag\(\)$/,
    },
    {
      name: "an array of 100,001",
      sql: `SELECT ARRAY[${list(100_001, () => "1")}]`,
      error: "TOO_MANY_ARGUMENTS",
      message: /^line 1:8: Too many arguments for array constructor$/,
    },
    {
      name: "a row of 1,001 fields",
      sql: `SELECT ROW(${list(1001, () => "1")})`,
      error: "NOT_SUPPORTED",
      message: /^line 1:8: Rows of more than 1000 fields are not supported$/,
    },
    {
      name: "six arrays zipped",
      sql: `SELECT zip(${list(6, () => "ARRAY[1]")})`,
      error: "FUNCTION_NOT_FOUND",
      message: /^line 1:8: Unexpected parameters/,
    },
    {
      name: "300 tables joined",
      sql: `SELECT count(*) FROM orders r0 ${list(299, (i) => `JOIN orders r${i + 1} ON r${i}.orderkey = r${i + 1}.orderkey`, " ")}`,
      error: "QUERY_HAS_TOO_MANY_STAGES",
      message: /301/,
    },
    {
      name: "300 tables",
      sql: `SELECT count(*) FROM (${list(300, () => "SELECT nationkey AS x FROM nation", " UNION ALL ")}) t`,
      error: "QUERY_HAS_TOO_MANY_STAGES",
      message: /302/,
    },
    {
      name: "a plan that doubles 24 times",
      sql: `WITH a0 AS (SELECT 1 AS x), ${list(24, (i) => `a${i + 1} AS (SELECT x FROM a${i} UNION ALL SELECT x FROM a${i})`)} SELECT count(*) FROM a24`,
      error: "NOT_SUPPORTED",
      message: /more than 100000 nodes/,
    },
    {
      name: "60,000 columns",
      sql: `SELECT ${list(60_000, () => "1")}`,
      error: "NOT_SUPPORTED",
      message: /^Query has 60000 columns, more than the maximum of 10000$/,
    },
    {
      name: "a long text joined of many long ones",
      sql: "SELECT length(array_join(repeat(rpad('', 900000, 'x'), 334), ''))",
      error: "EXCEEDED_FUNCTION_MEMORY_LIMIT",
      message: /larger than the maximum/,
    },
    {
      name: "a long text from a short one",
      sql: "SELECT rpad('x', 2000000000, 'y')",
      error: "INVALID_FUNCTION_ARGUMENT",
      message: /too large/,
    },
    {
      name: "a text that grows a hundredfold, three times",
      sql: `WITH a AS (SELECT '${"a".repeat(10_000)}' x), ${["ab", "bc", "cd"].map(([from, to]) => `${to} AS (SELECT ${list(100, () => "x", "||")} x FROM ${from})`).join(", ")} SELECT length(x) FROM d`,
      error: "EXCEEDED_LOCAL_MEMORY_LIMIT",
      message: /operator FilterAndProjectOperator/,
    },
  ];
  for (const { name, sql, error: errorName, message } of errors) {
    it(`${name}: ${errorName}`, async () => {
      const { error } = await new Asker(cluster, headers).answer(sql);
      expect(error?.errorName, error?.message).toBe(errorName);
      expect(error?.message).toMatch(message);
    });
  }
});
