/**
 * Situations whose statements are too long to write out: one more than each limit of the language.
 */
import type { Situation } from "./situations.ts";

const times = (count: number, text: string): string => Array.from({ length: count }, () => text).join(", ");
const nested = (count: number, open: string, inside: string, close: string): string => open.repeat(count) + inside + close.repeat(count);
const columns = Array.from({ length: 64 }, (_, index) => `c${index}`);
const routines = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const value = index === 0 ? "x" : `f${index - 1}(x)`;
    return `FUNCTION f${index}(x bigint) RETURNS bigint RETURN ${value}`;
  }).join(", ");

interface Limit {
  readonly what: string;
  readonly sql: string;
  readonly name: string;
  /** A regular expression between slashes, or the whole message. */
  readonly message: string;
}

const limits: readonly Limit[] = [
  {
    what: "columns of a query",
    sql: `SELECT ${times(10_001, "1")}`,
    name: "NOT_SUPPORTED",
    message: "Query has 10001 columns, more than the maximum of 10000",
  },
  {
    what: "arguments of a function",
    sql: `SELECT concat(${times(128, "'a'")})`,
    name: "TOO_MANY_ARGUMENTS",
    message: "line 1:8: Too many arguments for function call concat()",
  },
  {
    what: "arguments of an aggregate",
    sql: `SELECT count(${times(128, "1")})`,
    name: "TOO_MANY_ARGUMENTS",
    message: "line 1:8: Too many arguments for function call count()",
  },
  {
    what: "elements of an array",
    sql: `SELECT ARRAY[${times(100_001, "1")}]`,
    name: "TOO_MANY_ARGUMENTS",
    message: "line 1:8: Too many arguments for array constructor",
  },
  {
    what: "fields of a row",
    sql: `SELECT ROW(${times(1001, "1")})`,
    name: "NOT_SUPPORTED",
    message: "line 1:8: Rows of more than 1000 fields are not supported",
  },
  {
    what: "fields of a row that a subquery gives",
    sql: `SELECT 1 = ANY (SELECT ${times(1001, "1")})`,
    name: "NOT_SUPPORTED",
    message: "/line 1:\\d+: .*/",
  },
  {
    what: "arguments of JSON_ARRAY",
    sql: `SELECT JSON_ARRAY(${times(10_001, "1")})`,
    name: "NOT_SUPPORTED",
    message: "line 1:8: JSON objects and arrays of more than 10000 arguments are not supported",
  },
  {
    what: "columns of GROUPING",
    sql: `SELECT grouping(${columns.join(", ")}) FROM (VALUES ROW(${times(64, "1")})) t (${columns.join(", ")}) GROUP BY ${columns.join(", ")}`,
    name: "TOO_MANY_ARGUMENTS",
    message: "line 1:8: GROUPING supports up to 63 column arguments",
  },
  {
    what: "parentheses inside each other",
    sql: `SELECT ${nested(600, "(", "1", ")")}`,
    name: "SYNTAX_ERROR",
    message: "/line 1:\\d+: statement is too deeply nested: more than 500 levels/",
  },
  {
    what: "operators in a row",
    sql: `SELECT ${Array.from({ length: 600 }, () => "x").join(" || ")} FROM (VALUES 'a') t (x)`,
    name: "SYNTAX_ERROR",
    message: "/line 1:\\d+: statement is too deeply nested: more than 500 levels/",
  },
  {
    what: "types inside each other",
    sql: `SELECT CAST(NULL AS ${nested(600, "array(", "integer", ")")})`,
    name: "SYNTAX_ERROR",
    message: "/line 1:\\d+: statement is too deeply nested: more than 500 levels/",
  },
  {
    what: "parentheses of a JSON path",
    sql: `SELECT JSON_EXISTS('1', 'lax ${nested(300, "(", "$", ")")}')`,
    name: "SYNTAX_ERROR",
    message: "/line 1:\\d+: JSON path is too deeply nested: more than 200 levels/",
  },
  {
    what: "the filler of listagg",
    sql: `SELECT listagg('a', ',' ON OVERFLOW TRUNCATE '${"x".repeat(70_000)}' WITH COUNT) WITHIN GROUP (ORDER BY 1)`,
    name: "INVALID_FUNCTION_ARGUMENT",
    message: "Overflow filler length 70000 exceeds maximum length 65536",
  },
  {
    what: "stages",
    sql: Array.from({ length: 110 }, () => "SELECT count(*) FROM tpch.tiny.nation GROUP BY name").join(" UNION ALL "),
    name: "QUERY_HAS_TOO_MANY_STAGES",
    message: "/Number of stages in the query \\(221\\) exceeds the allowed maximum \\(100\\)\\. If the query contains multiple CTEs .*/",
  },
  {
    what: "correlated rows of VALUES",
    sql: `SELECT (SELECT max(x) FROM (VALUES ${times(60, "t1.a")}) v (x) WHERE x < t1.a) FROM t1`,
    name: "NOT_SUPPORTED",
    message: "line 1:8: Given correlated subquery is not supported",
  },
  {
    what: "functions that call each other",
    sql: `WITH ${routines(102)} SELECT f101(1)`,
    name: "COMPILER_ERROR",
    message: "Statement is too large (stack overflow)",
  },
];

export const limitSituations: readonly Situation[] = limits.map(({ what, sql, name, message }) => ({
  place: `limits.ts: ${what}`,
  sql,
  headers: {},
  error: { name, message },
}));
