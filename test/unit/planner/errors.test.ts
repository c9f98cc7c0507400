/**
 * Errors of the analyzer: Presto's messages and locations.
 */
import { describe, expect, test } from "vitest";
import { QueryError } from "../../../src/protocol/errors.ts";
import { plan } from "./tpch-catalog.ts";

const refused: readonly (readonly [sql: string, name: string, message: string])[] = [
  ["SELECT * FROM nothing", "TABLE_NOT_FOUND", "line 1:15: Table 'tpch.sf1.nothing' does not exist"],
  ["SELECT * FROM nowhere.nation", "SCHEMA_NOT_FOUND", "line 1:15: Schema 'nowhere' does not exist"],
  ["SELECT * FROM x.y.z", "CATALOG_NOT_FOUND", "line 1:15: Catalog 'x' does not exist"],
  [
    `WITH t0 AS (SELECT 1 k), ${Array.from({ length: 1_000 }, (_, n) => `t${n + 1} AS (SELECT k FROM t${n})`).join()} SELECT * FROM t1000`,
    "NOT_SUPPORTED",
    "Statement has more than 256 levels of queries",
  ],
  ["SELECT foo FROM nation", "COLUMN_NOT_FOUND", "line 1:8: Column 'foo' cannot be resolved"],
  ["SELECT n.foo FROM nation n", "COLUMN_NOT_FOUND", "line 1:8: Column 'n.foo' cannot be resolved"],
  ["SELECT n_name FROM nation a, nation b", "AMBIGUOUS_NAME", "line 1:8: Column 'n_name' is ambiguous"],
  ["SELECT nope(1)", "FUNCTION_NOT_FOUND", "line 1:8: Function 'nope' not registered"],
  ["SELECT 1 + 'a'", "TYPE_MISMATCH", "line 1:10: Cannot apply operator: integer + varchar(1)"],
  ["SELECT 1 = 'a'", "TYPE_MISMATCH", "line 1:10: Cannot apply operator: integer = varchar(1)"],
  ["SELECT -'a'", "TYPE_MISMATCH", "line 1:8: Cannot negate varchar(1)"],
  ["SELECT CAST(DATE '2020-01-01' AS bigint)", "TYPE_MISMATCH", "line 1:8: Cannot cast date to bigint"],
  ["SELECT * FROM nation WHERE n_nationkey", "TYPE_MISMATCH", "line 1:28: WHERE clause must evaluate to a boolean: actual type bigint"],
  [
    "SELECT n_name, count(*) FROM nation",
    "EXPRESSION_NOT_AGGREGATE",
    "line 1:8: 'n_name' must be an aggregate expression or appear in GROUP BY clause",
  ],
  [
    "SELECT n_name FROM nation WHERE count(*) > 1",
    "EXPRESSION_NOT_SCALAR",
    "line 1:42: WHERE clause cannot contain aggregations, window functions or grouping operations: [count(*)]",
  ],
  ["SELECT sum(count(*)) FROM nation", "NESTED_AGGREGATION", "line 1:8: Cannot nest aggregations inside aggregation 'sum': [count(*)]"],
  ["SELECT n_name FROM nation GROUP BY 2", "INVALID_COLUMN_REFERENCE", "line 1:36: GROUP BY position 2 is not in select list"],
  ["SELECT n_name FROM nation ORDER BY 0", "INVALID_COLUMN_REFERENCE", "line 1:36: ORDER BY position 0 is not in select list"],
  ["SELECT *", "COLUMN_NOT_FOUND", "line 1:8: SELECT * not allowed in queries without FROM clause"],
  ["SELECT DATE '2020-02-30'", "INVALID_LITERAL", "line 1:8: '2020-02-30' is not a valid date literal"],
  ["SELECT TIMESTAMP 'x'", "INVALID_LITERAL", "line 1:8: 'x' is not a valid timestamp literal"],
  ["SELECT CAST(1 AS nonsense)", "TYPE_MISMATCH", "line 1:8: Unknown type: nonsense"],
  [
    "SELECT DISTINCT n_name FROM nation ORDER BY n_nationkey",
    "EXPRESSION_NOT_IN_DISTINCT",
    "line 1:45: For SELECT DISTINCT, ORDER BY expressions must appear in select list",
  ],
  ["SELECT 1 UNION SELECT 1, 2", "TYPE_MISMATCH", "line 1:10: UNION query has different number of fields: 1, 2"],
  ["SELECT 1 UNION SELECT 'a'", "TYPE_MISMATCH", "line 1:10: column 1 in UNION query has incompatible types: integer, varchar(1)"],
  [
    "SELECT 1 IN (SELECT n_nationkey, n_comment FROM nation)",
    "TYPE_MISMATCH",
    "line 1:10: Value expression and result of subquery must be of the same type: row(integer) vs row(n_nationkey bigint, n_comment varchar(152))",
  ],
  [
    `SELECT (SELECT (SELECT 1 FROM (SELECT 1 FROM nation WHERE n_regionkey = t.r_regionkey) TABLESAMPLE SYSTEM (9))
      FROM (SELECT * FROM region x WHERE x.r_regionkey = r.r_regionkey LIMIT 2) t) FROM region r`,
    "NOT_SUPPORTED",
    "line 1:16: Given correlated subquery is not supported",
  ],
  [
    "SELECT count(DISTINCT n_name) OVER () FROM nation",
    "NOT_SUPPORTED",
    "line 1:8: DISTINCT in window function parameters not yet supported: count(DISTINCT n_name) OVER ()",
  ],
  ["SELECT row_number() FROM nation", "MISSING_OVER", "line 1:8: Window function row_number requires an OVER clause"],
  ["WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1", "DUPLICATE_NAMED_QUERY", "line 1:23: WITH query name 'a' specified more than once"],
  ["SELECT * FROM (SELECT 1, 2) AS t (a)", "MISMATCHED_COLUMN_ALIASES", "Column alias list has 1 entries but 't' has 2 columns available"],
  ["CREATE TABLE memory.default.t AS SELECT 1 a", "TABLE_ALREADY_EXISTS", "line 1:1: Destination table 'memory.default.t' already exists"],
  ["CREATE TABLE memory.default.x AS SELECT 1", "MISSING_COLUMN_NAME", "line 1:1: Column name not specified at position 1"],
  ["CREATE TABLE memory.default.x AS SELECT 1 a, 2 A", "DUPLICATE_COLUMN_NAME", "line 1:1: Column name 'a' specified more than once"],
  [
    "INSERT INTO memory.default.t VALUES ('x', 'y')",
    "TYPE_MISMATCH",
    "line 1:1: Insert query has mismatched column types: Table: [bigint, varchar(5)], Query: [varchar(1), varchar(1)]",
  ],
  ["INSERT INTO nation SELECT * FROM nation", "NOT_SUPPORTED", "This connector does not support inserts"],
  ["USE nowhere.x", "NOT_FOUND", "Catalog does not exist: nowhere"],
  ["SET SESSION nope = 1", "INVALID_SESSION_PROPERTY", "line 1:1: Session property 'nope' does not exist"],
  ["EXECUTE p", "NOT_FOUND", "Prepared statement not found: p"],
  ["COMMIT", "NOT_IN_TRANSACTION", "No transaction in progress"],
];

describe("refused statements", () => {
  test.each(refused)("%s", async (sql, name, message) => {
    const error = await plan(sql).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(QueryError);
    const { errorName, message: text } = error as QueryError;
    expect([errorName, text.endsWith(message) ? message : text]).toEqual([name, message]);
  });
});

describe("names that need a session", () => {
  test("no catalog, no schema", async () => {
    const { catalog: _catalog, schema: _schema, ...bare } = { catalog: undefined, schema: undefined };
    const session = { ...bare, catalog: undefined, schema: undefined } as never;
    await expect(plan("SELECT * FROM nation", session)).rejects.toThrow(
      "line 1:15: Catalog must be specified when session catalog is not set",
    );
  });
});
