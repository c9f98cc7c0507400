-- Statements that are read, checked, and then refused since no connector can do them (protocol.md 10.5; wording of Trino's tasks and of its connectors' defaults), and those beside them that can be done.
CREATE SCHEMA memory.refused AUTHORIZATION bob;
expect: [[true]]
CREATE SCHEMA memory.refused_too AUTHORIZATION USER bob;
expect: [[true]]
DROP SCHEMA memory.refused_too;
expect: [[true]]
CREATE SCHEMA memory.refused_too AUTHORIZATION ROLE r;
error: ROLE_NOT_FOUND line 1:1: Role 'r' does not exist
CREATE TABLE memory.refused.t AS SELECT nationkey AS k, name FROM nation;
expect: [[25]]
CREATE VIEW memory.refused.v AS SELECT 1 AS one;
expect: [[true]]
-- Materialized views.
CREATE MATERIALIZED VIEW memory.refused.m AS SELECT 1 AS a;
error: NOT_SUPPORTED line 1:1: This connector does not support creating materialized views
CREATE OR REPLACE MATERIALIZED VIEW IF NOT EXISTS tpch.tiny.m COMMENT 'c' WITH (a = 1) AS SELECT 1 AS a;
error: SYNTAX_ERROR line 1:1: 'OR REPLACE' and 'IF NOT EXISTS' clauses can not be used together
CREATE OR REPLACE MATERIALIZED VIEW tpch.tiny.m COMMENT 'c' WITH (a = 1) AS SELECT 1 AS a;
error: NOT_SUPPORTED line 1:1: This connector does not support creating materialized views
CREATE MATERIALIZED VIEW memory.refused.m AS SELECT nope;
error: COLUMN_NOT_FOUND line 1:53: Column 'nope' cannot be resolved
CREATE MATERIALIZED VIEW memory.refused.m AS SELECT 1 FROM nope;
error: TABLE_NOT_FOUND line 1:60: Table 'tpch.tiny.nope' does not exist
CREATE MATERIALIZED VIEW memory.nope.m AS SELECT 1 AS a;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nope' does not exist
CREATE MATERIALIZED VIEW nope.nope.m AS SELECT 1 AS a;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
CREATE MATERIALIZED VIEW memory.refused.m GRACE PERIOD INTERVAL '1' DAY WHEN STALE INLINE COMMENT 'c' AS SELECT 1 AS a;
error: NOT_SUPPORTED line 1:1: This connector does not support creating materialized views
CREATE MATERIALIZED VIEW memory.refused.m WHEN STALE FAIL AS SELECT 1 AS a;
error: NOT_SUPPORTED line 1:1: This connector does not support creating materialized views
ALTER MATERIALIZED VIEW memory.refused.m SET PROPERTIES a = 1, b = DEFAULT;
error: TABLE_NOT_FOUND line 1:1: Materialized View 'memory.refused.m' does not exist
ALTER MATERIALIZED VIEW memory.refused.m SET AUTHORIZATION ROLE r;
error: TABLE_NOT_FOUND line 1:1: Materialized view 'memory.refused.m' does not exist
REFRESH MATERIALIZED VIEW memory.refused.m;
error: TABLE_NOT_FOUND line 1:1: Materialized view 'memory.refused.m' does not exist
REFRESH MATERIALIZED VIEW nope.refused.m;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
DROP MATERIALIZED VIEW memory.refused.v;
error: GENERIC_USER_ERROR line 1:1: Materialized view 'memory.refused.v' does not exist, but a view with that name exists. Did you mean DROP VIEW memory.refused.v?
DROP MATERIALIZED VIEW IF EXISTS memory.refused.m;
expect: [[true]]
ALTER MATERIALIZED VIEW memory.refused.m RENAME TO n;
error: TABLE_NOT_FOUND line 1:1: Materialized View 'memory.refused.m' does not exist
ALTER MATERIALIZED VIEW IF EXISTS memory.refused.m RENAME TO n;
expect: [[true]]
SHOW CREATE MATERIALIZED VIEW memory.refused.t;
error: NOT_SUPPORTED line 1:1: Relation 'memory.refused.t' is a table, not a materialized view
SHOW CREATE MATERIALIZED VIEW memory.refused.v;
error: NOT_SUPPORTED line 1:1: Relation 'memory.refused.v' is a view, not a materialized view
SHOW CREATE MATERIALIZED VIEW memory.refused.m;
error: TABLE_NOT_FOUND line 1:1: Materialized view 'memory.refused.m' does not exist
-- MERGE.
MERGE INTO nation AS t USING region AS r ON t.nationkey = r.regionkey
  WHEN MATCHED AND r.name = 'ASIA' THEN DELETE
  WHEN MATCHED THEN UPDATE SET name = r.name
  WHEN NOT MATCHED THEN INSERT (nationkey, name) VALUES (r.regionkey, r.name);
error: NOT_SUPPORTED line 1:1: This connector does not support modifying table rows
MERGE INTO memory.refused.v USING (VALUES 1) AS s (a) ON one = a WHEN MATCHED THEN DELETE;
error: NOT_SUPPORTED line 1:1: Merging into views is not supported
MERGE INTO memory.refused.nope USING region ON true WHEN MATCHED THEN DELETE;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.refused.nope' does not exist
MERGE INTO memory.refused.t USING region ON true;
error: SYNTAX_ERROR
MERGE INTO memory.refused.t USING region ON true WHEN NOT MATCHED THEN DELETE;
error: SYNTAX_ERROR line 1:72: mismatched input 'DELETE'. Expecting: 'INSERT'
-- ALTER.
ALTER SCHEMA memory.refused SET AUTHORIZATION bob;
error: NOT_SUPPORTED line 1:1: This connector does not support setting an owner on a schema
ALTER SCHEMA memory.nope SET AUTHORIZATION ROLE r;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nope' does not exist
ALTER TABLE memory.refused.t SET AUTHORIZATION USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support setting an owner on a table
ALTER TABLE memory.refused.nope SET AUTHORIZATION bob;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.refused.nope' does not exist
ALTER VIEW memory.refused.v SET AUTHORIZATION bob;
error: NOT_SUPPORTED line 1:1: This connector does not support setting an owner on a view
ALTER VIEW memory.refused.t SET AUTHORIZATION bob;
error: TABLE_NOT_FOUND line 1:1: View 'memory.refused.t' does not exist
ALTER TABLE memory.refused.t SET PROPERTIES a = 1, b = DEFAULT;
error: INVALID_TABLE_PROPERTY line 1:45: Catalog 'memory' does not support table property 'a'
ALTER TABLE memory.refused.nope SET PROPERTIES a = 1;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.refused.nope' does not exist
ALTER TABLE memory.refused.t ALTER COLUMN k SET DATA TYPE integer;
error: NOT_SUPPORTED line 1:1: This connector does not support setting column types
ALTER TABLE memory.refused.t ALTER COLUMN nope SET DATA TYPE integer;
error: COLUMN_NOT_FOUND line 1:1: Column 'nope' does not exist
ALTER TABLE memory.refused.t ALTER COLUMN k SET DATA TYPE nope;
error: TYPE_NOT_FOUND line 1:59: Unknown type 'nope' for column 'k'
ALTER TABLE IF EXISTS memory.refused.nope ALTER COLUMN k SET DATA TYPE integer;
expect: [[true]]
ALTER TABLE memory.refused.t EXECUTE optimize(file_size_threshold => '10MB') WHERE k > 1;
error: PROCEDURE_NOT_FOUND line 1:1: Table procedure not registered: optimize
ALTER TABLE memory.refused.t EXECUTE optimize;
error: PROCEDURE_NOT_FOUND line 1:1: Table procedure not registered: optimize
COMMENT ON VIEW memory.refused.v IS 'c';
expect: [[true]]
COMMENT ON VIEW memory.refused.t IS NULL;
error: TABLE_NOT_FOUND line 1:1: View 'memory.refused.t' does not exist, but a table with that name exists. Did you mean COMMENT ON TABLE memory.refused.t IS ...?
-- Roles.
CREATE ROLE r;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
CREATE ROLE r WITH ADMIN CURRENT_ROLE IN memory;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
CREATE ROLE r IN nope;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
DROP ROLE IF EXISTS r;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
GRANT "nonsense", SELECT ON nation TO bob;
error: INVALID_PRIVILEGE line 1:1: Unknown privilege: 'nonsense'
DROP ROLE r;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
GRANT r TO USER bob WITH ADMIN OPTION GRANTED BY ROLE other IN memory;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
REVOKE r FROM bob GRANTED BY CURRENT_USER;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
SHOW ROLES FROM memory;
expect: []
SHOW ROLES IN nope;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
SHOW CURRENT ROLES FROM memory;
expect: []
SHOW ROLE GRANTS;
expect: []
SHOW ROLE GRANTS IN memory;
expect: []
SHOW GRANTS;
expect: []
SHOW GRANTS ON TABLE memory.refused.nope;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.refused.nope' does not exist
SET ROLE NONE IN memory;
expect: [[true]]
-- The path of functions: the client of these statements does not say that it can keep one.
SET PATH memory.refused, tiny;
error: NOT_SUPPORTED SET PATH not supported by client
SELECT current_path;
expect: [[""]]
-- Numbers as newer versions write them.
SELECT 0x1F, 0XfF, 0b101, 0o17, 1_000_000, 0x_FF_FF, -0x10;
expect: [[31, 255, 5, 15, 1000000, 65535, -16]]
types: integer, integer, integer, integer, integer, integer, integer
SELECT 1_0.2_5, 0xFFFFFFFFF, 0x7FFFFFFFFFFFFFFF;
expect: [["10.25", 68719476735, 9223372036854775807]]
types: decimal(4, 2), bigint, bigint
SELECT 0x8000000000000000;
error: SYNTAX_ERROR line 1:8: Invalid numeric literal: 9223372036854775808
SELECT 1__0;
error: SYNTAX_ERROR line 1:8: identifiers must not start with a digit; surround the identifier with double quotes
SELECT 0xG;
error: SYNTAX_ERROR line 1:8: identifiers must not start with a digit; surround the identifier with double quotes
SELECT name FROM region ORDER BY regionkey LIMIT 0b10;
expect: [["AFRICA"], ["AMERICA"]]
-- GROUP BY ALL and DISTINCT: how sets that are the same are taken.
SELECT regionkey, name, count(*) FROM nation GROUP BY ALL CUBE (regionkey, name) ORDER BY 1, 2;
duckdb: SELECT regionkey, name, count(*) FROM nation GROUP BY CUBE (regionkey, name) ORDER BY 1 NULLS LAST, 2 NULLS LAST;
SELECT regionkey, name, count(*) FROM nation GROUP BY ALL ROLLUP (regionkey, name), CUBE (regionkey) ORDER BY 1, 2, 3;
duckdb: SELECT regionkey, name, count(*) FROM nation GROUP BY ROLLUP (regionkey, name), CUBE (regionkey) ORDER BY 1 NULLS LAST, 2 NULLS LAST, 3;
SELECT regionkey, count(*) FROM nation GROUP BY ALL GROUPING SETS ((regionkey), (regionkey), ()) ORDER BY 1, 2;
duckdb: SELECT regionkey, count(*) FROM nation GROUP BY GROUPING SETS ((regionkey), (regionkey), ()) ORDER BY 1 NULLS LAST, 2;
SELECT regionkey, count(*) FROM nation GROUP BY DISTINCT GROUPING SETS ((regionkey), (regionkey), ()) ORDER BY 1, 2;
duckdb: SELECT regionkey, count(*) FROM nation GROUP BY GROUPING SETS ((regionkey), ()) ORDER BY 1 NULLS LAST, 2;
SELECT regionkey, count(*) FROM nation GROUP BY DISTINCT ROLLUP (regionkey), CUBE (regionkey) ORDER BY 1, 2;
duckdb: SELECT regionkey, count(*) FROM nation GROUP BY GROUPING SETS ((regionkey), ()) ORDER BY 1 NULLS LAST, 2;
-- The rest of what may be explained and executed.
EXPLAIN (TYPE VALIDATE) CREATE MATERIALIZED VIEW memory.refused.m AS SELECT 1 AS a;
expect: [[true]]
EXECUTE IMMEDIATE 'SELECT ? + 0x10' USING 0b11;
expect: [[19]]
EXECUTE IMMEDIATE 'REFRESH MATERIALIZED VIEW memory.refused.m';
error: TABLE_NOT_FOUND line 1:1: Materialized view 'memory.refused.m' does not exist
DROP VIEW memory.refused.v;
expect: [[true]]
DROP TABLE memory.refused.t;
expect: [[true]]
DROP SCHEMA memory.refused;
expect: [[true]]
-- Types without = or < where a clause needs them (TestAnalyzer's testNonComparable...)
SELECT * FROM (SELECT approx_set(1)) GROUP BY 1;
error: TYPE_MISMATCH line 1:1: HyperLogLog is not comparable, and therefore cannot be used in GROUP BY
SELECT row_number() OVER (PARTITION BY t.x) FROM (VALUES(CAST (NULL AS HyperLogLog))) AS t(x);
error: TYPE_MISMATCH line 1:40: HyperLogLog is not comparable, and therefore cannot be used in window function PARTITION BY
SELECT row_number() OVER (ORDER BY t.x) FROM (VALUES(color('red'))) AS t(x);
error: TYPE_MISMATCH line 1:36: color is not orderable, and therefore cannot be used in window function ORDER BY
SELECT count(DISTINCT x) FROM (SELECT approx_set(1) x);
error: TYPE_MISMATCH line 1:8: DISTINCT can only be applied to comparable types (actual: HyperLogLog)
SELECT DISTINCT * FROM (SELECT approx_set(1) x);
error: TYPE_MISMATCH line 1:1: DISTINCT can only be applied to comparable types (actual: HyperLogLog)
SELECT DISTINCT x FROM (SELECT approx_set(1) x);
error: TYPE_MISMATCH line 1:1: DISTINCT can only be applied to comparable types (actual: HyperLogLog): x
SELECT approx_set(1) EXCEPT SELECT approx_set(2);
error: TYPE_MISMATCH line 1:22: Type HyperLogLog is not comparable and therefore cannot be used in EXCEPT
SELECT count(*) FROM (SELECT approx_set(1) UNION ALL SELECT approx_set(2));
expect: [[2]]
SELECT x FROM (VALUES JSON '2', JSON '1') t(x) ORDER BY x;
error: TYPE_MISMATCH line 1:1: Type json is not orderable, and therefore cannot be used in ORDER BY: x
VALUES MAP(ARRAY[1], ARRAY[2]) ORDER BY 1 DESC;
error: TYPE_MISMATCH line 1:1: Type map(integer, integer) is not orderable, and therefore cannot be used in ORDER BY: :input(0)
SELECT array_agg(x ORDER BY x) FROM (VALUES JSON '2', JSON '1') t(x);
error: TYPE_MISMATCH line 1:8: ORDER BY can only be applied to orderable types (actual: json)
SELECT NULL x ORDER BY x;
expect: [[null]]
-- A product's scale beyond what a decimal has
SELECT CAST(1 AS decimal(20, 20)) * CAST(1 AS decimal(20, 19));
error: INVALID_FUNCTION_ARGUMENT DECIMAL scale must be in range [0, precision (38)]: 39
SELECT CAST(0.1 AS decimal(20, 20)) * CAST(0.1 AS decimal(20, 18));
expect: [["0.01000000000000000000000000000000000000"]]
-- Calls where they may not stand: all of them, at the place of the whole expression
SELECT 1 FROM nation WHERE sum(nationkey) > count(*) OVER () + grouping(name);
error: EXPRESSION_NOT_SCALAR line 1:43: WHERE clause cannot contain aggregations, window functions or grouping operations: [sum(nationkey), count(*) OVER (), GROUPING (name)]
SELECT 1 FROM nation n JOIN region r ON sum(n.regionkey) = r.regionkey;
error: EXPRESSION_NOT_SCALAR line 1:58: JOIN clause cannot contain aggregations, window functions or grouping operations: [sum(n.regionkey)]
SELECT 1 FROM nation GROUP BY 1 + rank() OVER ();
error: EXPRESSION_NOT_SCALAR line 1:33: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
SELECT sum(1 + count(*)) FROM nation;
error: NESTED_AGGREGATION line 1:8: Cannot nest aggregations inside aggregation 'sum': [count(*)]
SELECT sum(rank() OVER ()) FROM nation;
error: NESTED_WINDOW line 1:8: Cannot nest window functions or row pattern measures inside aggregation 'sum': [rank() OVER ()]
SELECT count(*) FROM nation WHERE nationkey = (SELECT max(nationkey) FROM nation);
expect: [[1]]
-- Names of windows are identifiers of the standard
SELECT 1 FROM region WINDOW w AS (), W AS ();
error: DUPLICATE_WINDOW_NAME line 1:38: WINDOW name 'W' specified more than once
SELECT count(*) OVER w, count(*) OVER "w" FROM region WINDOW w AS (), "w" AS (PARTITION BY name) LIMIT 1;
expect: [[5, 1]]
SELECT count(*) OVER w FROM region WINDOW "w" AS ();
error: INVALID_WINDOW_REFERENCE line 1:22: Cannot resolve WINDOW name w
