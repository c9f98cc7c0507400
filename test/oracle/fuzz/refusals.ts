/**
 * Statements that are broken in one place, with the name of the error that the engine must return. The rest of the statement is drawn. The
 * columns k (integer) and s (varchar) are in every table.
 */
import type { Random } from "./random.ts";

export interface Refusal {
  readonly sql: string;
  readonly error: string;
}

type Broken = readonly [error: string, expression: string];

/** Expressions that no place allows. */
const expressions: readonly Broken[] = [
  ["COLUMN_NOT_FOUND", "nosuch"],
  ["COLUMN_NOT_FOUND", "y.k"],
  ["TYPE_MISMATCH", "k + s"],
  ["TYPE_MISMATCH", "NOT k"],
  ["TYPE_MISMATCH", "k LIKE 'a'"],
  ["TYPE_MISMATCH", "k = s"],
  ["TYPE_MISMATCH", "k IN (1, 'a')"],
  ["TYPE_MISMATCH", "k BETWEEN 1 AND 'b'"],
  ["TYPE_MISMATCH", "CASE WHEN k THEN 1 END"],
  ["TYPE_MISMATCH", "CASE WHEN k = 1 THEN 1 ELSE s END"],
  ["TYPE_MISMATCH", "IF(s, 1, 2)"],
  ["TYPE_MISMATCH", "coalesce(k, s)"],
  ["TYPE_MISMATCH", "nullif(k, s)"],
  ["TYPE_MISMATCH", "CAST(k AS map(varchar, bigint))"],
  ["FUNCTION_NOT_FOUND", "no_such_function(k)"],
  ["FUNCTION_NOT_FOUND", "length(k)"],
  ["FUNCTION_NOT_FOUND", "abs(s)"],
  ["FUNCTION_NOT_FOUND", "substr(s)"],
  ["MISSING_OVER", "rank()"],
  ["MISSING_OVER", "row_number()"],
  ["SYNTAX_ERROR", "k +"],
  ["SYNTAX_ERROR", "(k"],
  ["SYNTAX_ERROR", "CASE k END"],
  ["INVALID_LITERAL", "DATE '2024-02-30'"],
  ["INVALID_LITERAL", "TIMESTAMP '2024-01-01 25:00:00'"],
];

/** Whole statements. */
const statements: readonly Broken[] = [
  ["TABLE_NOT_FOUND", "SELECT 1 FROM no_such_table"],
  ["SCHEMA_NOT_FOUND", "SELECT 1 FROM no_such_schema.t1"],
  ["CATALOG_NOT_FOUND", "SELECT 1 FROM no_such_catalog.default.t1"],
  ["EXPRESSION_NOT_AGGREGATE", "SELECT k, count(*) FROM TABLE"],
  ["EXPRESSION_NOT_AGGREGATE", "SELECT k, s FROM TABLE GROUP BY k"],
  ["EXPRESSION_NOT_AGGREGATE", "SELECT k FROM TABLE GROUP BY k HAVING s = 'a'"],
  ["EXPRESSION_NOT_AGGREGATE", "SELECT k FROM TABLE GROUP BY k ORDER BY s"],
  ["EXPRESSION_NOT_SCALAR", "SELECT k FROM TABLE WHERE count(*) > 1"],
  ["EXPRESSION_NOT_SCALAR", "SELECT count(*) FROM TABLE GROUP BY sum(k)"],
  ["NESTED_AGGREGATION", "SELECT sum(count(*)) FROM TABLE"],
  ["NESTED_WINDOW", "SELECT sum(rank() OVER (ORDER BY k)) OVER () FROM TABLE"],
  ["EXPRESSION_NOT_SCALAR", "SELECT k FROM TABLE WHERE rank() OVER (ORDER BY k) = 1"],
  ["AMBIGUOUS_NAME", "SELECT k FROM TABLE x CROSS JOIN TABLE y"],
  ["AMBIGUOUS_NAME", "SELECT a FROM (SELECT k AS a, s AS a FROM TABLE)"],
  ["COLUMN_NOT_FOUND", "SELECT xx.nosuch FROM TABLE xx"],
  ["COLUMN_NOT_FOUND", "SELECT k FROM TABLE x JOIN TABLE y USING (nosuch)"],
  ["INVALID_COLUMN_REFERENCE", "SELECT k FROM TABLE ORDER BY 2"],
  ["INVALID_COLUMN_REFERENCE", "SELECT k FROM TABLE GROUP BY 3"],
  ["EXPRESSION_NOT_IN_DISTINCT", "SELECT DISTINCT k FROM TABLE ORDER BY s"],
  ["TYPE_MISMATCH", "SELECT k FROM TABLE WHERE k"],
  ["TYPE_MISMATCH", "SELECT k FROM TABLE GROUP BY k HAVING k"],
  ["TYPE_MISMATCH", "SELECT x.k FROM TABLE x JOIN TABLE y ON x.k"],
  ["TYPE_MISMATCH", "SELECT k, s FROM TABLE UNION ALL SELECT k FROM TABLE"],
  ["TYPE_MISMATCH", "SELECT k FROM TABLE EXCEPT SELECT s FROM TABLE"],
  ["TYPE_MISMATCH", "SELECT k FROM TABLE WHERE k IN (SELECT s FROM TABLE)"],
  ["TYPE_MISMATCH", "VALUES (1, 'a'), ('b', 2)"],
  ["MISMATCHED_COLUMN_ALIASES", "SELECT 1 FROM (SELECT k, s FROM TABLE) x (a)"],
  ["MISSING_COLUMN_NAME", "CREATE TABLE refused AS SELECT k + 1 FROM TABLE"],
  ["DUPLICATE_COLUMN_NAME", "CREATE TABLE refused AS SELECT k, s AS k FROM TABLE"],
  ["DUPLICATE_COLUMN_NAME", "CREATE TABLE refused (a bigint, a bigint)"],
  ["DUPLICATE_NAMED_QUERY", "WITH a AS (SELECT 1 AS b), a AS (SELECT 2 AS b) SELECT b FROM a"],
  ["TABLE_ALREADY_EXISTS", "CREATE TABLE t1 (a bigint)"],
  ["SUBQUERY_MULTIPLE_ROWS", "SELECT (SELECT a FROM (VALUES 1, 2) x (a)) FROM (VALUES 1) y"],
  ["MISSING_ORDER_BY", "SELECT k FROM TABLE FETCH FIRST 1 ROW WITH TIES"],
  ["MISSING_ORDER_BY", "SELECT count(*) OVER (RANGE 1 PRECEDING) FROM TABLE"],
  ["INVALID_WINDOW_FRAME", "SELECT count(*) OVER (ORDER BY k ROWS UNBOUNDED FOLLOWING) FROM TABLE"],
  ["INVALID_WINDOW_FRAME", "SELECT count(*) OVER (ORDER BY k ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM TABLE"],
  ["INVALID_ORDER_BY", "SELECT count(*) OVER (ORDER BY k, s RANGE 1 PRECEDING) FROM TABLE"],
];

/** Places in which an expression of any type but one may stand. */
const places: readonly string[] = [
  "SELECT EXPRESSION FROM TABLE x",
  "SELECT x.s FROM TABLE x ORDER BY EXPRESSION",
  "SELECT count(*) FROM TABLE x WHERE (EXPRESSION) IS NULL",
  "SELECT max(EXPRESSION) FROM TABLE x",
  "SELECT z FROM (SELECT (EXPRESSION) AS z FROM TABLE x) v",
  "SELECT 1 FROM TABLE x WHERE EXISTS (SELECT EXPRESSION)",
];

/** More columns than any drawn statement has. */
const columnsMany = 60;
const numbered = (text: string): string => Array.from({ length: columnsMany }, (_, index) => text.replace("#", String(index))).join(", ");

/** A valid statement, GOOD, in a place that breaks a rule whatever its columns are. */
const around: readonly Broken[] = [
  ["COLUMN_NOT_FOUND", "SELECT nosuch FROM (GOOD) z"],
  ["COLUMN_NOT_FOUND", "SELECT 1 FROM (GOOD) z WHERE y.nosuch = 1"],
  ["COLUMN_NOT_FOUND", "SELECT 1 FROM (GOOD) z ORDER BY nosuch"],
  ["COLUMN_NOT_FOUND", "SELECT 1 FROM (GOOD) z CROSS JOIN LATERAL (SELECT nosuch) y"],
  ["COLUMN_NOT_FOUND", "SELECT 1 FROM (GOOD) z WHERE EXISTS (SELECT 1 FROM (VALUES 1) y (a) WHERE nosuch = a)"],
  ["COLUMN_NOT_FOUND", "SELECT count(*) OVER (PARTITION BY nosuch) FROM (GOOD) z"],
  ["COLUMN_NOT_FOUND", "SELECT 1 FROM (GOOD) z JOIN (VALUES 1) y (nosuch) USING (nosuch)"],
  ["COLUMN_NOT_FOUND", "SELECT count(*) FROM (GOOD) z GROUP BY nosuch"],
  ["TABLE_NOT_FOUND", "SELECT y.* FROM (GOOD) z"],
  ["TABLE_NOT_FOUND", "WITH q AS (GOOD) SELECT 1 FROM q, no_such_table"],
  ["MISMATCHED_COLUMN_ALIASES", `SELECT 1 FROM (GOOD) z (${numbered("c#")})`],
  ["MISMATCHED_COLUMN_ALIASES", `WITH q (${numbered("c#")}) AS (GOOD) SELECT 1 FROM q`],
  ["TYPE_MISMATCH", `SELECT * FROM (GOOD) z UNION ALL SELECT ${numbered("#")}`],
  ["TYPE_MISMATCH", `SELECT ${numbered("#")} INTERSECT SELECT * FROM (GOOD) z`],
  ["TYPE_MISMATCH", "SELECT 1 FROM (GOOD) z WHERE 'a'"],
  ["TYPE_MISMATCH", "SELECT count(*) FILTER (WHERE 1) FROM (GOOD) z"],
  ["TYPE_MISMATCH", "SELECT count(*) FROM (GOOD) z HAVING count(*)"],
  ["TYPE_MISMATCH", "SELECT 1 FROM (GOOD) z JOIN (VALUES 1) y (a) ON y.a"],
  ["TYPE_MISMATCH", "SELECT 1 FROM (GOOD) z WHERE 1 IN (SELECT 'a')"],
  ["EXPRESSION_NOT_SCALAR", "SELECT 1 FROM (GOOD) z WHERE count(*) > 0"],
  ["EXPRESSION_NOT_SCALAR", "SELECT 1 FROM (GOOD) z GROUP BY row_number() OVER ()"],
  ["EXPRESSION_NOT_SCALAR", "SELECT 1 FROM (GOOD) z JOIN (VALUES 1) y (a) ON max(y.a) = 1"],
  ["NESTED_AGGREGATION", "SELECT max(min(1)) FROM (GOOD) z"],
  ["NESTED_WINDOW", "SELECT sum(row_number() OVER ()) OVER () FROM (GOOD) z"],
  ["EXPRESSION_NOT_AGGREGATE", "SELECT y.a, count(*) FROM (GOOD) z CROSS JOIN (VALUES 1) y (a)"],
  ["EXPRESSION_NOT_AGGREGATE", "SELECT count(*) FROM (GOOD) z CROSS JOIN (VALUES (1, 2)) y (a, b) GROUP BY y.a ORDER BY y.b"],
  ["EXPRESSION_NOT_AGGREGATE", "SELECT y.b FROM (GOOD) z CROSS JOIN (VALUES (1, 2)) y (a, b) GROUP BY ROLLUP (y.a)"],
  ["EXPRESSION_NOT_IN_DISTINCT", "SELECT DISTINCT 1 FROM (GOOD) z CROSS JOIN (VALUES 1) y (a) ORDER BY y.a"],
  ["INVALID_COLUMN_REFERENCE", "SELECT 1 FROM (GOOD) z ORDER BY 2"],
  ["INVALID_COLUMN_REFERENCE", "SELECT 1 FROM (GOOD) z GROUP BY 2"],
  ["AMBIGUOUS_NAME", "SELECT a FROM (GOOD) z CROSS JOIN (VALUES 1) x (a) CROSS JOIN (VALUES 1) y (a)"],
  ["DUPLICATE_NAMED_QUERY", "WITH q AS (GOOD), q AS (VALUES 1) SELECT 1 FROM q"],
  ["MISSING_ORDER_BY", "SELECT 1 FROM (GOOD) z FETCH FIRST 2 ROWS WITH TIES"],
  ["MISSING_ORDER_BY", "SELECT count(*) OVER (RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (GOOD) z"],
  ["MISSING_ORDER_BY", "SELECT count(*) OVER (GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (GOOD) z"],
  ["INVALID_WINDOW_FRAME", "SELECT count(*) OVER (ROWS BETWEEN 1 FOLLOWING AND CURRENT ROW) FROM (GOOD) z"],
  ["INVALID_WINDOW_FRAME", "SELECT count(*) OVER (ROWS BETWEEN CURRENT ROW AND UNBOUNDED PRECEDING) FROM (GOOD) z"],
  ["MISSING_OVER", "SELECT first_value(1) FROM (GOOD) z"],
  ["FUNCTION_NOT_FOUND", "SELECT no_such_function(1) FROM (GOOD) z"],
  ["FUNCTION_NOT_FOUND", "SELECT sum('a') FROM (GOOD) z"],
  ["FUNCTION_NOT_FOUND", "SELECT lag() OVER (ORDER BY 1) FROM (GOOD) z"],
  ["FUNCTION_NOT_WINDOW", "SELECT abs(1) OVER () FROM (GOOD) z"],
  ["FUNCTION_NOT_AGGREGATE", "SELECT abs(DISTINCT 1) FROM (GOOD) z"],
  ["SUBQUERY_MULTIPLE_ROWS", "SELECT (SELECT a FROM (VALUES 1, 2) y (a)) FROM (SELECT 1 FROM (GOOD) z UNION ALL SELECT 1) x"],
];

export function drawRefusal(random: Random, good: () => string): Refusal {
  if (random.chance(50)) {
    const [error, broken] = random.pick(around);
    return { error, sql: broken.replace("GOOD", good) };
  }
  const [error, sql] = random.chance(50) ? random.pick(statements) : placed(random);
  return { error, sql: sql.replaceAll(/(?<!CREATE )\bTABLE\b/g, () => random.pick(["t0", "t1", "t2"])) };
}

function placed(random: Random): Broken {
  const [error, expression] = random.pick(expressions);
  return [error, random.pick(places).replace("EXPRESSION", expression)];
}
