INSERT INTO nosuch VALUES 1;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
INSERT INTO nosuch.t1 VALUES 1;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
INSERT INTO nosuch.s1.t1 VALUES 1;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
INSERT INTO a.b.c.d VALUES 1;
error: SYNTAX_ERROR line 1:1: Too many dots in table name: a.b.c.d
INSERT INTO t1 VALUES 1;
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [bigint, bigint, bigint, bigint], Query: [integer]
INSERT INTO t1 VALUES (1, 2, 3, 'x');
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [bigint, bigint, bigint, bigint], Query: [integer, integer, integer, varchar(1)]
INSERT INTO t1 (a) VALUES (1, 2);
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [bigint], Query: [integer, integer]
INSERT INTO t1 (nosuch) VALUES 1;
error: COLUMN_NOT_FOUND line 1:1: Insert column name does not exist in target table: nosuch
INSERT INTO t1 (a, a) VALUES (1, 2);
error: DUPLICATE_COLUMN_NAME line 1:1: Insert column name is specified more than once: a
INSERT INTO t1 (a, A) VALUES (1, 2);
error: DUPLICATE_COLUMN_NAME line 1:1: Insert column name is specified more than once: a
INSERT INTO t1 SELECT nosuch;
error: COLUMN_NOT_FOUND line 1:23: Column 'nosuch' cannot be resolved
INSERT INTO t1 SELECT * FROM t2;
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [bigint, bigint, bigint, bigint], Query: [bigint, bigint]
INSERT INTO v1 VALUES (1, 2, 3, 4);
error: NOT_SUPPORTED line 1:1: Inserting into views is not supported
INSERT INTO words (name) VALUES 1;
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [varchar(5)], Query: [integer]
INSERT INTO words (name) VALUES 'abcdef';
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(6) to varchar(5) on INSERT
INSERT INTO words (n) VALUES 9999999999;
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for integer: 9999999999
INSERT INTO words (x) VALUES 12345.678;
error: INVALID_CAST_ARGUMENT Cannot cast DECIMAL '12345.678' to DECIMAL(5, 2)
INSERT INTO words (m) VALUES 'x';
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [map(integer, varchar)], Query: [varchar(1)]
INSERT INTO words (name, n) VALUES ('a', 'b');
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [varchar(5), integer], Query: [varchar(1), varchar(1)]
INSERT INTO blackhole.nosuch.t VALUES 1;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
INSERT INTO tpch.tiny.nation VALUES (1, 'x', 1, 'y');
error: NOT_SUPPORTED
INSERT INTO t1;
error: SYNTAX_ERROR /line 1:15: mismatched input '<EOF>'\. Expecting: .*/
INSERT t1 VALUES 1;
error: SYNTAX_ERROR /line 1:8: mismatched input 't1'\. Expecting: .*/
DELETE FROM nosuch;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
DELETE FROM v1;
error: NOT_SUPPORTED line 1:1: Deleting from views is not supported
DELETE FROM t1 WHERE nosuch = 1;
error: COLUMN_NOT_FOUND line 1:22: Column 'nosuch' cannot be resolved
DELETE FROM t1 WHERE a;
error: TYPE_MISMATCH line 1:22: WHERE clause must evaluate to a boolean: actual type bigint
DELETE FROM t1 WHERE sum(a) > 1;
error: EXPRESSION_NOT_SCALAR line 1:29: WHERE clause cannot contain aggregations, window functions or grouping operations: [sum(a)]
DELETE FROM t1 WHERE rank() OVER () > 1;
error: EXPRESSION_NOT_SCALAR line 1:37: WHERE clause cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
DELETE FROM tpch.tiny.nation;
error: NOT_SUPPORTED
DELETE FROM tpch.tiny.nation WHERE nationkey = 1;
error: NOT_SUPPORTED
DELETE t1;
error: SYNTAX_ERROR /line 1:8: mismatched input 't1'\. Expecting: .*/
UPDATE nosuch SET a = 1;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
UPDATE v1 SET a = 1;
error: NOT_SUPPORTED line 1:1: Updating through views is not supported
UPDATE t1 SET nosuch = 1;
error: COLUMN_NOT_FOUND /line 1:\d+: The UPDATE SET target column nosuch doesn't exist/
UPDATE t1 SET a = 1, a = 2;
error: DUPLICATE_COLUMN_NAME
UPDATE t1 SET a = 'x';
error: TYPE_MISMATCH line 1:1: UPDATE table column types don't match SET expressions: Table: [bigint], Expressions: [varchar(1)]
UPDATE t1 SET a = nosuch;
error: COLUMN_NOT_FOUND line 1:19: Column 'nosuch' cannot be resolved
UPDATE t1 SET a = sum(b);
error: EXPRESSION_NOT_SCALAR
UPDATE t1 SET a = 1 WHERE b;
error: TYPE_MISMATCH line 1:27: WHERE clause must evaluate to a boolean: actual type bigint
UPDATE t1 SET a = 1 WHERE sum(b) > 1;
error: EXPRESSION_NOT_SCALAR line 1:34: WHERE clause cannot contain aggregations, window functions or grouping operations: [sum(b)]
UPDATE words SET name = 5;
error: TYPE_MISMATCH line 1:1: UPDATE table column types don't match SET expressions: Table: [varchar(5)], Expressions: [integer]
UPDATE tpch.tiny.nation SET name = 'x';
error: NOT_SUPPORTED
UPDATE t1;
error: SYNTAX_ERROR /line 1:10: mismatched input '<EOF>'\. Expecting: .*/
MERGE INTO nosuch USING t2 ON true WHEN MATCHED THEN DELETE;
error: TABLE_NOT_FOUND
MERGE INTO v1 USING t2 ON true WHEN MATCHED THEN DELETE;
error: NOT_SUPPORTED
TRUNCATE TABLE nosuch;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
TRUNCATE TABLE v1;
error: NOT_SUPPORTED line 1:1: Cannot truncate a view
TRUNCATE TABLE tpch.tiny.nation;
error: NOT_SUPPORTED
CREATE TABLE t1 (x bigint);
error: TABLE_ALREADY_EXISTS line 1:1: Table 'memory.s1.t1' already exists
CREATE TABLE v1 (x bigint);
error: TABLE_ALREADY_EXISTS line 1:1: Table 'memory.s1.v1' already exists
CREATE TABLE n1 (x nosuch);
error: TYPE_NOT_FOUND line 1:18: Unknown type 'nosuch' for column 'x'
CREATE TABLE n1 (x bigint, x bigint);
error: DUPLICATE_COLUMN_NAME line 1:28: Column name 'x' specified more than once
CREATE TABLE n1 (x bigint, X varchar);
error: DUPLICATE_COLUMN_NAME line 1:28: Column name 'X' specified more than once
CREATE TABLE nosuch.n1 (x bigint);
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
CREATE TABLE nosuch.s1.n1 (x bigint);
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
CREATE TABLE a.b.c.d (x bigint);
error: SYNTAX_ERROR line 1:1: Too many dots in table name: a.b.c.d
CREATE TABLE n1 (x bigint) WITH (nosuch = 1);
error: INVALID_TABLE_PROPERTY line 1:34: Catalog 'memory' does not support table property 'nosuch'
CREATE TABLE n1 (x bigint WITH (nosuch = 1));
error: INVALID_COLUMN_PROPERTY line 1:33: Catalog 'memory' does not support column property 'nosuch'
CREATE TABLE n1 ();
error: SYNTAX_ERROR /line 1:18: mismatched input '\)'\. Expecting: .*/
CREATE TABLE n1 (LIKE nosuch);
error: TABLE_NOT_FOUND line 1:1: LIKE table 'memory.s1.nosuch' does not exist
CREATE TABLE n1 (LIKE t1, a bigint);
error: DUPLICATE_COLUMN_NAME line 1:27: Column name 'a' specified more than once
CREATE TABLE n1 (LIKE t1, LIKE t1);
error: DUPLICATE_COLUMN_NAME line 1:27: Column name 'a' specified more than once
CREATE TABLE blackhole.default.n1 (x bigint NOT NULL);
error: NOT_SUPPORTED line 1:36: Catalog 'blackhole' does not support non-null column for column name 'x'
CREATE TABLE n1 (x decimal(50, 2));
error: INVALID_FUNCTION_ARGUMENT DECIMAL precision must be in range [1, 38]: 50
CREATE TABLE n1 (x char(70000));
error: INVALID_FUNCTION_ARGUMENT CHAR length must be in range [0, 65536], got 70000
CREATE TABLE tpch.tiny.n1 (x bigint);
error: NOT_SUPPORTED
CREATE TABLE n1 AS SELECT 1;
error: MISSING_COLUMN_NAME line 1:1: Column name not specified at position 1
CREATE TABLE n1 AS SELECT 1 a, 2 a;
error: DUPLICATE_COLUMN_NAME line 1:1: Column name 'a' specified more than once
CREATE TABLE n1 AS SELECT NULL a;
error: COLUMN_TYPE_UNKNOWN line 1:1: Column type is unknown: a
CREATE TABLE n1 (x) AS SELECT NULL;
error: COLUMN_TYPE_UNKNOWN line 1:1: Column type is unknown at position 1
CREATE TABLE n1 (x, y) AS SELECT 1;
error: MISMATCHED_COLUMN_ALIASES line 1:18: Column alias list has 2 entries but relation has 1 columns
CREATE TABLE n1 (x, x) AS SELECT 1, 2;
error: DUPLICATE_COLUMN_NAME line 1:21: Column name 'x' specified more than once
CREATE TABLE t1 AS SELECT 1 a;
error: TABLE_ALREADY_EXISTS line 1:1: Destination table 'memory.s1.t1' already exists
CREATE TABLE n1 AS SELECT nosuch;
error: COLUMN_NOT_FOUND line 1:27: Column 'nosuch' cannot be resolved
CREATE TABLE n1 AS SELECT * FROM nosuch;
error: TABLE_NOT_FOUND line 1:34: Table 'memory.s1.nosuch' does not exist
CREATE TABLE n1 WITH (nosuch = 1) AS SELECT 1 a;
error: INVALID_TABLE_PROPERTY line 1:23: Catalog 'memory' does not support table property 'nosuch'
CREATE TABLE tpch.tiny.n1 AS SELECT 1 a;
error: NOT_SUPPORTED
DROP TABLE nosuch;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
DROP TABLE v1;
error: GENERIC_USER_ERROR line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists. Did you mean DROP VIEW memory.s1.v1?
DROP TABLE nosuch.t1;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
DROP TABLE nosuch.s1.t1;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
DROP TABLE tpch.tiny.nation;
error: NOT_SUPPORTED
ALTER TABLE nosuch RENAME TO x;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
ALTER TABLE t1 RENAME TO t2;
error: TABLE_ALREADY_EXISTS line 1:1: Target table 'memory.s1.t2' already exists
ALTER TABLE t1 RENAME TO nosuch.t1;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
ALTER TABLE t1 RENAME TO tpch.tiny.x;
error: NOT_SUPPORTED line 1:1: Table rename across catalogs is not supported
ALTER TABLE v1 RENAME TO x;
error: TABLE_NOT_FOUND
ALTER TABLE t1 ADD COLUMN a bigint;
error: COLUMN_ALREADY_EXISTS line 1:1: Column 'a' already exists
ALTER TABLE t1 ADD COLUMN x nosuch;
error: TYPE_NOT_FOUND line 1:27: Unknown type 'nosuch' for column 'x'
ALTER TABLE t1 ADD COLUMN x bigint WITH (nosuch = 1);
error: INVALID_COLUMN_PROPERTY line 1:42: Catalog 'memory' does not support column property 'nosuch'
ALTER TABLE nosuch ADD COLUMN x bigint;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
ALTER TABLE t1 DROP COLUMN nosuch;
error: COLUMN_NOT_FOUND line 1:1: Column 'nosuch' does not exist
ALTER TABLE nosuch DROP COLUMN a;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
ALTER TABLE t1 RENAME COLUMN nosuch TO x;
error: COLUMN_NOT_FOUND line 1:1: Column 'nosuch' does not exist
ALTER TABLE t1 RENAME COLUMN a TO b;
error: COLUMN_ALREADY_EXISTS line 1:1: Column 'b' already exists
ALTER TABLE t1 ALTER COLUMN nosuch SET DATA TYPE bigint;
error: COLUMN_NOT_FOUND line 1:1: Column 'nosuch' does not exist
ALTER TABLE t1 SET PROPERTIES nosuch = 1;
error: INVALID_TABLE_PROPERTY line 1:31: Catalog 'memory' does not support table property 'nosuch'
ALTER TABLE t1 EXECUTE nosuch;
error: PROCEDURE_NOT_FOUND line 1:1: Table procedure not registered: nosuch
COMMENT ON TABLE nosuch IS 'x';
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
COMMENT ON COLUMN t1.nosuch IS 'x';
error: COLUMN_NOT_FOUND line 1:1: Column does not exist: nosuch
COMMENT ON COLUMN nosuch.a IS 'x';
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
COMMENT ON VIEW t1 IS 'x';
error: TABLE_NOT_FOUND line 1:1: View 'memory.s1.t1' does not exist, but a table with that name exists. Did you mean COMMENT ON TABLE memory.s1.t1 IS ...?
CREATE VIEW v1 AS SELECT 1 a;
error: TABLE_ALREADY_EXISTS line 1:1: View already exists: 'memory.s1.v1'
CREATE VIEW t1 AS SELECT 1 a;
error: TABLE_ALREADY_EXISTS line 1:1: Table already exists: 'memory.s1.t1'
CREATE OR REPLACE VIEW t1 AS SELECT 1 a;
error: TABLE_ALREADY_EXISTS line 1:1: Table already exists: 'memory.s1.t1'
CREATE VIEW n1 AS SELECT 1;
error: MISSING_COLUMN_NAME line 1:1: Column name not specified at position 1
CREATE VIEW n1 AS SELECT 1 a, 2 a;
error: DUPLICATE_COLUMN_NAME line 1:1: Column name 'a' specified more than once
CREATE VIEW n1 AS SELECT NULL a;
error: COLUMN_TYPE_UNKNOWN line 1:1: Column type is unknown: a
CREATE VIEW n1 AS SELECT nosuch;
error: COLUMN_NOT_FOUND line 1:26: Column 'nosuch' cannot be resolved
CREATE VIEW n1 AS SELECT * FROM n1;
error: TABLE_NOT_FOUND line 1:33: Table 'memory.s1.n1' does not exist
CREATE OR REPLACE VIEW v1 AS SELECT * FROM v1;
error: VIEW_IS_RECURSIVE line 1:44: Statement would create a recursive view
CREATE VIEW nosuch.v AS SELECT 1 a;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
CREATE VIEW tpch.tiny.v AS SELECT 1 a;
error: NOT_SUPPORTED
DROP VIEW nosuch;
error: TABLE_NOT_FOUND line 1:1: View 'memory.s1.nosuch' does not exist
DROP VIEW t1;
error: GENERIC_USER_ERROR line 1:1: View 'memory.s1.t1' does not exist, but a table with that name exists. Did you mean DROP TABLE memory.s1.t1?
ALTER VIEW nosuch RENAME TO x;
error: TABLE_NOT_FOUND line 1:1: View 'memory.s1.nosuch' does not exist
ALTER VIEW v1 RENAME TO t1;
error: TABLE_ALREADY_EXISTS line 1:1: Target view 'memory.s1.t1' does not exist, but a table with that name exists.
CREATE SCHEMA s1;
error: SCHEMA_ALREADY_EXISTS line 1:1: Schema 'memory.s1' already exists
CREATE SCHEMA nosuch.x;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
CREATE SCHEMA a.b.c;
error: INVALID_SCHEMA_PROPERTY line 1:1: Too many parts in schema name: a.b.c
CREATE SCHEMA x WITH (nosuch = 1);
error: INVALID_SCHEMA_PROPERTY line 1:23: Catalog 'memory' does not support schema property 'nosuch'
CREATE SCHEMA tpch.x;
error: NOT_SUPPORTED
DROP SCHEMA nosuch;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nosuch' does not exist
DROP SCHEMA s1;
error: SCHEMA_NOT_EMPTY Schema not empty: s1
DROP SCHEMA nosuch.s1;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
ALTER SCHEMA nosuch RENAME TO x;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nosuch' does not exist
ALTER SCHEMA s1 RENAME TO s1;
error: SCHEMA_ALREADY_EXISTS line 1:1: Target schema 'memory.s1' already exists
SHOW COLUMNS FROM nosuch;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
SHOW CREATE TABLE nosuch;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
SHOW CREATE VIEW nosuch;
error: TABLE_NOT_FOUND line 1:1: View 'memory.s1.nosuch' does not exist
SHOW CREATE SCHEMA nosuch;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nosuch' does not exist
SHOW STATS FOR nosuch;
error: TABLE_NOT_FOUND line 1:16: Table 'memory.s1.nosuch' does not exist
SHOW TABLES FROM nosuch;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
SHOW SCHEMAS FROM nosuch;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
DESCRIBE nosuch;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
ANALYZE nosuch;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
ANALYZE v1;
error: NOT_SUPPORTED line 1:1: Analyzing views is not supported
ANALYZE t1 WITH (nosuch = 1);
error: INVALID_ANALYZE_PROPERTY line 1:18: Catalog 'memory' does not support analyze property 'nosuch'
CALL nosuch.x();
error: PROCEDURE_NOT_FOUND line 1:1: Procedure not registered: nosuch.x
CALL memory.s1.nosuch();
error: PROCEDURE_NOT_FOUND line 1:1: Procedure not registered: s1.nosuch
CALL system.runtime.kill_query();
error: INVALID_ARGUMENTS line 1:1: Required procedure argument 'query_id' is missing
CALL system.runtime.kill_query('x', 1);
error: TYPE_MISMATCH line 1:37: Procedure argument 'message' must evaluate to a varchar (actual: integer)
REFRESH MATERIALIZED VIEW nosuch;
error: TABLE_NOT_FOUND line 1:1: Materialized view 'memory.s1.nosuch' does not exist
CREATE MATERIALIZED VIEW n1 AS SELECT 1 a;
error: NOT_SUPPORTED
DROP MATERIALIZED VIEW nosuch;
error: TABLE_NOT_FOUND line 1:1: Materialized view 'memory.s1.nosuch' does not exist
GRANT SELECT ON nosuch TO USER x;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
EXPLAIN SELECT nosuch;
error: COLUMN_NOT_FOUND line 1:16: Column 'nosuch' cannot be resolved
EXPLAIN (TYPE nosuch) SELECT 1;
error: SYNTAX_ERROR /line 1:15: mismatched input 'nosuch'\. Expecting: .*/
EXPLAIN (FORMAT nosuch) SELECT 1;
error: SYNTAX_ERROR /line 1:17: mismatched input 'nosuch'\. Expecting: .*/
EXPLAIN ANALYZE SELECT nosuch;
error: COLUMN_NOT_FOUND line 1:24: Column 'nosuch' cannot be resolved
