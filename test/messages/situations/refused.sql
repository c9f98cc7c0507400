-- Statements that a connector, a client or the grammar refuses.
EXPLAIN ANALYZE DROP TABLE nosuch;
error: NOT_SUPPORTED EXPLAIN ANALYZE doesn't support statement type: DropTable
EXPLAIN ANALYZE EXPLAIN ANALYZE SELECT 1;
error: NOT_SUPPORTED EXPLAIN ANALYZE doesn't support statement type: ExplainAnalyze
EXPLAIN ANALYZE SET SESSION a = 1;
error: NOT_SUPPORTED EXPLAIN ANALYZE doesn't support statement type: SetSession
EXPLAIN ANALYZE EXECUTE nosuch;
error: NOT_FOUND Prepared statement not found: nosuch
EXPLAIN ANALYZE COMMIT;
error: NOT_SUPPORTED EXPLAIN ANALYZE doesn't support statement type: Commit
SELECT max(sum(a) OVER ()) OVER () FROM t1;
error: NESTED_WINDOW line 1:12: Cannot nest window functions or row pattern measures inside window function arguments
SELECT * FROM (VALUES 1) t (a) JOIN (SELECT 1 AS a, 2 AS a) u USING (a);
error: AMBIGUOUS_NAME line 1:70: Column 'a' is ambiguous
SELECT * FROM (SELECT 1 AS a, 2 AS a) t JOIN (VALUES 1) u (a) USING (a);
error: AMBIGUOUS_NAME line 1:70: Column 'a' is ambiguous
SELECT lag(a, row_number() OVER ()) OVER () FROM t1;
error: MISSING_ORDER_BY line 1:42: lag function requires an ORDER BY window clause
SELECT sum(a) OVER (ORDER BY sum(a) OVER ()) FROM t1;
error: NESTED_WINDOW line 1:30: Cannot nest window functions or row pattern measures inside window specification
SELECT TIMESTAMP '2020-13-01 00:00:00 UTC';
error: INVALID_LITERAL line 1:8: '2020-13-01 00:00:00 UTC' is not a valid timestamp literal
SELECT TIMESTAMP '2021-03-28 02:30:00 Europe/Paris';
error: INVALID_LITERAL line 1:8: '2021-03-28 02:30:00 Europe/Paris' is not a valid timestamp literal
SELECT TIMESTAMP '2020-01-01 00:00:00 Nosuch/Zone';
error: INVALID_LITERAL line 1:8: '2020-01-01 00:00:00 Nosuch/Zone' is not a valid timestamp literal
SELECT TIMESTAMP '99999999-01-01 00:00:00 UTC';
error: INVALID_LITERAL line 1:8: '99999999-01-01 00:00:00 UTC' is not a valid timestamp literal
SELECT TIMESTAMP '2020-01-01 00:00:00.1234567890123 UTC';
error: INVALID_LITERAL line 1:8: '2020-01-01 00:00:00.1234567890123 UTC' is not a valid timestamp literal
SELECT TIME '00:00:00.1234567890123';
error: INVALID_LITERAL line 1:8: '00:00:00.1234567890123' is not a valid time literal
SELECT TIME '00:00:00+15:00';
error: INVALID_LITERAL line 1:8: '00:00:00+15:00' is not a valid time literal
SELECT U&'a' UESCAPE '';
error: SYNTAX_ERROR line 1:8: Empty Unicode escape character
SELECT U&'a' UESCAPE 'ab';
error: SYNTAX_ERROR line 1:8: Invalid Unicode escape character
SELECT U&'a' UESCAPE 5;
error: SYNTAX_ERROR line 1:8: Empty Unicode escape character
SELECT trim(LEADING 'a');
error: SYNTAX_ERROR /line 1:24: mismatched input '\)'\. Expecting: .*/
SELECT trim(BOTH FROM);
error: SYNTAX_ERROR line 1:22: mismatched input ')'. Expecting: <expression>
SELECT 1 FROM t1 NATURAL t2;
error: SYNTAX_ERROR line 1:26: mismatched input 't2'. Expecting: 'FULL', 'INNER', 'JOIN', 'LEFT', 'RIGHT'
EXECUTE IMMEDIATE 'SELECT 1 SELECT';
error: SYNTAX_ERROR /line 1:10: mismatched input 'SELECT'\. Expecting: .*/
EXECUTE IMMEDIATE 'SELECT';
error: SYNTAX_ERROR line 1:7: mismatched input '<EOF>'. Expecting: '*', 'ALL', 'DISTINCT', <expression>
EXECUTE IMMEDIATE 'EXECUTE a';
error: SYNTAX_ERROR line 1:19: Invalid statement type for EXECUTE IMMEDIATE: EXECUTE
ALTER TABLE t1 RENAME TO nosuch.s1.t9;
error: CATALOG_NOT_FOUND line 1:1: Target catalog 'nosuch' does not exist
ALTER TABLE t1 RENAME TO tpch.sf1.t9;
error: NOT_SUPPORTED line 1:1: Table rename across catalogs is not supported
ALTER TABLE tpch.tiny.nation RENAME TO x;
error: NOT_SUPPORTED line 1:1: This connector does not support renaming tables
ALTER TABLE tpch.tiny.nation ADD COLUMN x integer;
error: NOT_SUPPORTED line 1:1: This connector does not support adding columns
ALTER TABLE tpch.tiny.nation DROP COLUMN name;
error: NOT_SUPPORTED line 1:1: This connector does not support dropping columns
ALTER TABLE tpch.tiny.nation RENAME COLUMN name TO x;
error: NOT_SUPPORTED line 1:1: This connector does not support renaming columns
ALTER TABLE tpch.tiny.nation ALTER COLUMN name SET DATA TYPE integer;
error: NOT_SUPPORTED line 1:1: This connector does not support setting column types
ALTER TABLE tpch.tiny.nation SET PROPERTIES a = 1;
error: INVALID_TABLE_PROPERTY line 1:45: Catalog 'tpch' does not support table property 'a'
COMMENT ON TABLE tpch.tiny.nation IS 'x';
error: NOT_SUPPORTED line 1:1: This connector does not support setting table comments
COMMENT ON COLUMN tpch.tiny.nation.name IS 'x';
error: NOT_SUPPORTED line 1:1: This connector does not support setting column comments
ALTER TABLE t1 ADD COLUMN e integer NOT NULL;
error: NOT_SUPPORTED Unable to add NOT NULL column 'e' for non-empty table: s1.t1
ALTER TABLE t1 ADD COLUMN e nosuch;
error: TYPE_NOT_FOUND line 1:27: Unknown type 'nosuch' for column 'e'
ALTER TABLE one DROP COLUMN a;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.one' does not exist
DROP SCHEMA tpch.sf1;
error: NOT_SUPPORTED line 1:1: This connector does not support dropping schemas
CREATE TABLE tpch.tiny.x (a integer);
error: NOT_SUPPORTED line 1:1: This connector does not support creating tables
CREATE TABLE tpch.tiny.x AS SELECT 1 a;
error: NOT_SUPPORTED line 1:1: This connector does not support creating tables
INSERT INTO tpch.tiny.nation VALUES (1, 'a', 1, 'b');
error: NOT_SUPPORTED line 1:1: This connector does not support inserts
ANALYZE tpch.tiny.nation;
error: NOT_SUPPORTED line 1:1: This connector does not support analyze
DROP VIEW tpch.tiny.v;
error: TABLE_NOT_FOUND line 1:1: View 'tpch.tiny.v' does not exist
ALTER VIEW v1 RENAME TO tpch.tiny.v;
error: NOT_SUPPORTED line 1:1: View rename across catalogs is not supported
EXPLAIN ANALYZE CREATE TABLE x (a integer);
error: NOT_SUPPORTED EXPLAIN ANALYZE doesn't support statement type: CreateTable
SET PATH a;
headers: {"x-engine-client-capabilities":"PATH","x-engine-catalog":"","x-engine-schema":""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified for each path element when session catalog is not set
SET PATH a.b;
headers: {"x-engine-client-capabilities":"PATH"}
error: NOT_FOUND Catalog does not exist: a
SET TIME ZONE CAST(NULL AS varchar);
error: INVALID_SESSION_PROPERTY line 1:15: Time zone must not be null
SET TIME ZONE INTERVAL '15' HOUR;
error: INVALID_SESSION_PROPERTY line 1:15: Time zone not supported: +15:00
COMMENT ON COLUMN a IS 'x';
error: MISSING_TABLE line 1:1: Table must be specified
START TRANSACTION;
error: INCOMPATIBLE_CLIENT Client does not support transactions
START TRANSACTION ISOLATION LEVEL SERIALIZABLE, ISOLATION LEVEL SERIALIZABLE;
error: SYNTAX_ERROR line 1:1: Multiple transaction isolation levels specified
START TRANSACTION ISOLATION LEVEL NOSUCH;
error: SYNTAX_ERROR line 1:35: mismatched input 'NOSUCH'. Expecting: 'READ', 'REPEATABLE', 'SERIALIZABLE'
CALL system.runtime.kill_query('x', 'y');
error: NOT_FOUND Target query not found: x
CALL system.runtime.kill_query('');
error: INVALID_PROCEDURE_ARGUMENT id is empty
CALL system.runtime.kill_query(NULL);
error: INVALID_PROCEDURE_ARGUMENT Procedure argument cannot be null: query_id
CALL system.runtime.kill_query('20200101_000000_00000_abcde', NULL);
error: NOT_FOUND Target query not found: 20200101_000000_00000_abcde
CALL system.runtime.nosuch();
error: PROCEDURE_NOT_FOUND line 1:1: Procedure not registered: runtime.nosuch
CALL system.runtime.kill_query(1);
error: TYPE_MISMATCH line 1:32: Procedure argument 'query_id' must evaluate to a varchar (actual: integer)
CALL system.runtime.kill_query(query_id => 'a', query_id => 'b');
error: INVALID_ARGUMENTS line 1:49: Duplicate procedure argument: query_id
CALL system.runtime.kill_query(nosuch => 'a');
error: INVALID_ARGUMENTS line 1:32: Unknown argument name: nosuch
CALL system.runtime.kill_query('a', message => 'b', nosuch => 'c');
error: INVALID_ARGUMENTS line 1:1: Named and positional arguments cannot be mixed
CALL system.runtime.kill_query(query_id => 'a', 'b');
error: INVALID_ARGUMENTS line 1:1: Named and positional arguments cannot be mixed
CALL nosuch.a.b();
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
EXPLAIN EXPLAIN EXPLAIN EXPLAIN EXPLAIN EXPLAIN EXPLAIN EXPLAIN EXPLAIN SELECT 1;
error: SYNTAX_ERROR line 1:1: EXPLAIN is too deeply nested: more than 8 levels
