-- Definitions, grants, sessions, limits of rows and other statements.
CREATE OR REPLACE TABLE IF NOT EXISTS x (a bigint);
error: SYNTAX_ERROR line 1:1: 'OR REPLACE' and 'IF NOT EXISTS' clauses can not be used together
CREATE OR REPLACE TABLE IF NOT EXISTS x AS SELECT 1 a;
error: SYNTAX_ERROR line 1:1: 'OR REPLACE' and 'IF NOT EXISTS' clauses can not be used together
CREATE OR REPLACE TABLE blackhole.default.x (a bigint);
error: NOT_SUPPORTED line 1:1: This connector does not support replacing tables
CREATE OR REPLACE TABLE tpch.tiny.x (a bigint);
error: NOT_SUPPORTED line 1:1: This connector does not support creating tables
CREATE OR REPLACE TABLE v1 (a bigint);
error: TABLE_ALREADY_EXISTS line 1:1: View already exists: 'memory.s1.v1'
CREATE TABLE blackhole.default.x (a bigint NOT NULL);
error: NOT_SUPPORTED line 1:35: Catalog 'blackhole' does not support non-null column for column name 'a'
CREATE TABLE blackhole.default.x (a bigint DEFAULT 1);
error: NOT_SUPPORTED line 1:35: Catalog 'blackhole' does not support default value for column name 'a'
CREATE TABLE blackhole.default.x (a bigint) COMMENT 'x';
error: NOT_SUPPORTED line 1:1: This connector does not support creating tables with table comment
CREATE TABLE t1 (a bigint);
error: TABLE_ALREADY_EXISTS line 1:1: Table 'memory.s1.t1' already exists
CREATE TABLE v1 (a bigint);
error: TABLE_ALREADY_EXISTS line 1:1: Table 'memory.s1.v1' already exists
CREATE SCHEMA nosuch.s;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
CREATE SCHEMA x AUTHORIZATION ROLE nosuch;
error: ROLE_NOT_FOUND line 1:1: Role 'nosuch' does not exist
CREATE SCHEMA blackhole.x WITH (a = 1);
error: NOT_SUPPORTED line 1:1: This connector does not support creating schemas
CREATE SCHEMA blackhole.x;
error: NOT_SUPPORTED line 1:1: This connector does not support creating schemas
ALTER SCHEMA s1 RENAME TO default;
error: SCHEMA_ALREADY_EXISTS line 1:1: Target schema 'memory.default' already exists
ALTER SCHEMA blackhole.default RENAME TO x;
error: NOT_SUPPORTED line 1:1: This connector does not support renaming schemas
ALTER SCHEMA tpch.tiny RENAME TO x;
error: NOT_SUPPORTED line 1:1: This connector does not support renaming schemas
ALTER SCHEMA s1 RENAME TO memory2.x;
error: SYNTAX_ERROR /line 1:34: mismatched input '\.'\. Expecting: .*/
ALTER SCHEMA s1 SET AUTHORIZATION bob;
error: NOT_SUPPORTED line 1:1: This connector does not support setting an owner on a schema
ALTER TABLE t1 ADD COLUMN e bigint NOT NULL;
error: NOT_SUPPORTED Unable to add NOT NULL column 'e' for non-empty table: s1.t1
ALTER TABLE t1 ADD COLUMN e bigint WITH (x = 1);
error: INVALID_COLUMN_PROPERTY line 1:42: Catalog 'memory' does not support column property 'x'
ALTER TABLE t1 ADD COLUMN e bigint DEFAULT 'x';
error: TYPE_MISMATCH line 1:44: Default value of column 'e' must be of type bigint (actual: varchar(1))
ALTER TABLE blackhole.default.x ADD COLUMN e bigint;
error: TABLE_NOT_FOUND line 1:1: Table 'blackhole.default.x' does not exist
ALTER TABLE tpch.tiny.nation ADD COLUMN e bigint;
error: NOT_SUPPORTED line 1:1: This connector does not support adding columns
ALTER TABLE t1 RENAME TO nosuch.t2;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
ALTER TABLE t1 ALTER COLUMN a DROP NOT NULL;
error: NOT_SUPPORTED line 1:1: Column is already nullable
ALTER TABLE t1 ALTER COLUMN nosuch DROP NOT NULL;
error: COLUMN_NOT_FOUND line 1:1: Column 'nosuch' does not exist
ALTER TABLE t1 ALTER COLUMN nosuch SET NOT NULL;
error: COLUMN_NOT_FOUND line 1:1: Column 'nosuch' does not exist
ALTER TABLE t1 ALTER COLUMN nosuch SET DATA TYPE varchar;
error: COLUMN_NOT_FOUND line 1:1: Column 'nosuch' does not exist
ALTER TABLE t1 ALTER COLUMN a SET DATA TYPE array(bigint);
error: NOT_SUPPORTED line 1:1: This connector does not support setting column types
ALTER TABLE t1 ALTER COLUMN nosuch SET DEFAULT 5;
error: COLUMN_NOT_FOUND line 1:1: Column 'nosuch' does not exist
ALTER TABLE t1 ALTER COLUMN a SET DEFAULT 'x';
error: TYPE_MISMATCH line 1:43: Default value of column 'a' must be of type bigint (actual: varchar(1))
ALTER TABLE holes ALTER COLUMN a SET NOT NULL;
error: CONSTRAINT_VIOLATION Column 'a' contains NULL values
ALTER TABLE tpch.tiny.nation ALTER COLUMN name DROP NOT NULL;
error: NOT_SUPPORTED line 1:1: Column is already nullable
ALTER TABLE tpch.tiny.nation ALTER COLUMN name SET NOT NULL;
error: NOT_SUPPORTED line 1:1: This connector does not support setting a not null constraint
ALTER TABLE tpch.tiny.nation ALTER COLUMN name SET DEFAULT 'x';
error: NOT_SUPPORTED line 1:1: This connector does not support setting default value
ALTER TABLE tpch.tiny.nation ALTER COLUMN name DROP DEFAULT;
error: NOT_SUPPORTED line 1:1: This connector does not support dropping default value
ALTER TABLE tpch.tiny.nation ALTER COLUMN name SET DATA TYPE bigint;
error: NOT_SUPPORTED line 1:1: This connector does not support setting column types
ALTER TABLE t1 SET PROPERTIES x = 1;
error: INVALID_TABLE_PROPERTY line 1:31: Catalog 'memory' does not support table property 'x'
ALTER TABLE tpch.tiny.nation SET PROPERTIES x = 1;
error: INVALID_TABLE_PROPERTY line 1:45: Catalog 'tpch' does not support table property 'x'
ALTER MATERIALIZED VIEW nosuch SET PROPERTIES x = 1;
error: TABLE_NOT_FOUND line 1:1: Materialized View 'memory.s1.nosuch' does not exist
ALTER MATERIALIZED VIEW nosuch RENAME TO x;
error: TABLE_NOT_FOUND line 1:1: Materialized View 'memory.s1.nosuch' does not exist
ALTER TABLE t1 SET AUTHORIZATION bob;
error: NOT_SUPPORTED line 1:1: This connector does not support setting an owner on a table
ALTER VIEW nosuch SET AUTHORIZATION bob;
error: TABLE_NOT_FOUND line 1:1: View 'memory.s1.nosuch' does not exist
ALTER VIEW v1 SET AUTHORIZATION bob;
error: NOT_SUPPORTED line 1:1: This connector does not support setting an owner on a view
ALTER VIEW t1 RENAME TO x;
error: TABLE_NOT_FOUND line 1:1: View 'memory.s1.t1' does not exist, but a table with that name exists. Did you mean ALTER TABLE memory.s1.t1 RENAME TO ...?
ALTER MATERIALIZED VIEW nosuch SET AUTHORIZATION bob;
error: TABLE_NOT_FOUND line 1:1: Materialized view 'memory.s1.nosuch' does not exist
INSERT INTO strict VALUES (NULL, 1);
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
INSERT INTO strict (b) VALUES 1;
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
UPDATE strict SET a = NULL;
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
INSERT INTO strict SELECT CAST(NULL AS bigint), 1;
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
MERGE INTO strict USING t2 ON strict.a = t2.a WHEN MATCHED THEN UPDATE SET a = NULL;
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
MERGE INTO strict USING t2 ON strict.a = t2.a + 100 WHEN NOT MATCHED THEN INSERT (b) VALUES (1);
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
MERGE INTO tpch.tiny.nation USING t2 ON true WHEN MATCHED THEN DELETE;
error: NOT_SUPPORTED line 1:1: This connector does not support modifying table rows
MERGE INTO t1 USING nosuch ON true WHEN MATCHED THEN DELETE;
error: TABLE_NOT_FOUND line 1:21: Table 'memory.s1.nosuch' does not exist
MERGE INTO t1 USING t2 ON nosuch = 1 WHEN MATCHED THEN DELETE;
error: COLUMN_NOT_FOUND line 1:27: Column 'nosuch' cannot be resolved
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN MATCHED AND sum(t1.a) = 1 THEN DELETE;
error: EXPRESSION_NOT_SCALAR line 1:56: MERGE WHEN clause cannot contain aggregations, window functions or grouping operations: [sum(t1.a)]
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN MATCHED AND t2.a THEN DELETE;
error: TYPE_MISMATCH line 1:56: MERGE WHEN clause must evaluate to a boolean: actual type bigint
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN MATCHED THEN UPDATE SET nosuch = 1;
error: COLUMN_NOT_FOUND line 1:1: Merge column name does not exist in target table: nosuch
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN MATCHED THEN UPDATE SET a = 1, a = 2;
error: DUPLICATE_COLUMN_NAME line 1:1: Merge column name is specified more than once: a
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN MATCHED THEN UPDATE SET a = 'x';
error: TYPE_MISMATCH line 1:1: MERGE table column types don't match for MERGE case 0, SET expressions: Table: [bigint], Expressions: [varchar(1)]
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN NOT MATCHED THEN INSERT VALUES (1);
error: INVALID_ARGUMENTS line 1:39: Number of merge columns (4) isn't equal to number of expressions (1)
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN NOT MATCHED THEN INSERT (a, b) VALUES (1);
error: INVALID_ARGUMENTS line 1:39: Number of merge columns (2) isn't equal to number of expressions (1)
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN NOT MATCHED THEN INSERT (nosuch) VALUES (1);
error: COLUMN_NOT_FOUND line 1:1: Merge column name does not exist in target table: nosuch
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN NOT MATCHED THEN INSERT (a, a) VALUES (1, 2);
error: DUPLICATE_COLUMN_NAME line 1:1: Merge column name is specified more than once: a
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN NOT MATCHED THEN INSERT (a) VALUES ('x');
error: TYPE_MISMATCH line 1:1: MERGE table column types don't match for MERGE case 0, SET expressions: Table: [bigint], Expressions: [varchar(1)]
MERGE INTO t1 USING t2 ON t1.a = t2.a WHEN NOT MATCHED THEN INSERT (a) VALUES (nosuch);
error: COLUMN_NOT_FOUND line 1:80: Column 'nosuch' cannot be resolved
MERGE INTO t1 USING (VALUES 1, 1) s (x) ON t1.a = s.x WHEN MATCHED THEN DELETE;
error: MERGE_TARGET_ROW_MULTIPLE_MATCHES One MERGE target table row matched more than one source row
MERGE INTO t1 USING t2 ON true;
error: SYNTAX_ERROR /line 1:31: mismatched input '<EOF>'\. Expecting: .*/
MERGE INTO t1 USING t2 ON true WHEN MATCHED THEN INSERT VALUES (1);
error: SYNTAX_ERROR /line 1:50: mismatched input 'INSERT'\. Expecting: .*/
MERGE INTO t1 USING t2 ON true WHEN NOT MATCHED THEN DELETE;
error: SYNTAX_ERROR /line 1:54: mismatched input 'DELETE'\. Expecting: .*/
MERGE INTO t1 t USING t2 ON t1.a = t2.a WHEN MATCHED THEN DELETE;
error: COLUMN_NOT_FOUND line 1:29: Column 't1.a' cannot be resolved
COMMENT ON TABLE v1 IS 'x';
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists. Did you mean COMMENT ON VIEW memory.s1.v1 IS ...?
COMMENT ON VIEW nosuch IS 'x';
error: TABLE_NOT_FOUND line 1:1: View 'memory.s1.nosuch' does not exist
COMMENT ON COLUMN v1.nosuch IS 'x';
error: COLUMN_NOT_FOUND line 1:1: Column does not exist: nosuch
SELECT * FROM gone;
error: INVALID_VIEW line 1:15: Failed analyzing stored view 'memory.s1.gone': line 3:3: Table 'memory.s1.under' does not exist
SELECT * FROM narrow;
error: VIEW_IS_STALE line 1:15: View 'memory.s1.narrow' is stale or in invalid state: stored view column count (1) does not match column count derived from the view query analysis (2)
SHOW CREATE MATERIALIZED VIEW t1;
error: NOT_SUPPORTED line 1:1: Relation 'memory.s1.t1' is a table, not a materialized view
SHOW CREATE MATERIALIZED VIEW v1;
error: NOT_SUPPORTED line 1:1: Relation 'memory.s1.v1' is a view, not a materialized view
SHOW CREATE MATERIALIZED VIEW nosuch;
error: TABLE_NOT_FOUND line 1:1: Materialized view 'memory.s1.nosuch' does not exist
REFRESH MATERIALIZED VIEW nosuch.a.b;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
DROP MATERIALIZED VIEW nosuch.a.b;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
CREATE MATERIALIZED VIEW x AS SELECT 1 a;
error: NOT_SUPPORTED line 1:1: This connector does not support creating materialized views
EXPLAIN ANALYZE SET SESSION query_max_run_time = '1h';
error: NOT_SUPPORTED EXPLAIN ANALYZE doesn't support statement type: SetSession
DROP TABLE nosuch.t.x;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
ALTER TABLE v1 ADD COLUMN x bigint;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER TABLE v1 DROP COLUMN a;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER TABLE v1 RENAME COLUMN a TO x;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER TABLE v1 ALTER COLUMN a SET DATA TYPE bigint;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER TABLE v1 ALTER COLUMN a DROP NOT NULL;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER TABLE v1 ALTER COLUMN a SET DEFAULT 5;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER TABLE v1 SET PROPERTIES x = 1;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER TABLE v1 EXECUTE optimize;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER TABLE t1 ALTER COLUMN a SET DATA TYPE nosuch;
error: TYPE_NOT_FOUND line 1:45: Unknown type 'nosuch' for column 'a'
ALTER TABLE t1 ALTER COLUMN a SET DATA TYPE unknown;
error: COLUMN_TYPE_UNKNOWN line 1:45: Unknown type 'unknown' for column 'a'
ALTER TABLE t1 RENAME TO v1;
error: TABLE_ALREADY_EXISTS line 1:1: Target table 'memory.s1.v1' already exists
ALTER VIEW v1 RENAME TO gone;
error: GENERIC_USER_ERROR line 1:1: Target view 'memory.s1.gone' already exists
ALTER VIEW v1 RENAME TO nosuch.x;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
ALTER VIEW v1 RENAME TO tpch.tiny.x;
error: NOT_SUPPORTED line 1:1: View rename across catalogs is not supported
ALTER SCHEMA nosuch SET AUTHORIZATION bob;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nosuch' does not exist
ALTER MATERIALIZED VIEW v1 SET PROPERTIES x = 1;
error: TABLE_NOT_FOUND line 1:1: Materialized View 'memory.s1.v1' does not exist, but a view with that name exists.
ALTER MATERIALIZED VIEW t1 SET PROPERTIES x = 1;
error: TABLE_NOT_FOUND line 1:1: Materialized View 'memory.s1.t1' does not exist, but a table with that name exists. Did you mean ALTER TABLE memory.s1.t1 SET PROPERTIES ...?
ALTER MATERIALIZED VIEW v1 RENAME TO x;
error: TABLE_NOT_FOUND line 1:1: Materialized View 'memory.s1.v1' does not exist, but a view with that name exists. Did you mean ALTER VIEW memory.s1.v1 RENAME ...?
ALTER MATERIALIZED VIEW t1 RENAME TO x;
error: TABLE_NOT_FOUND line 1:1: Materialized View 'memory.s1.t1' does not exist, but a table with that name exists. Did you mean ALTER TABLE memory.s1.t1 RENAME TO ...?
DROP MATERIALIZED VIEW v1;
error: GENERIC_USER_ERROR line 1:1: Materialized view 'memory.s1.v1' does not exist, but a view with that name exists. Did you mean DROP VIEW memory.s1.v1?
DROP MATERIALIZED VIEW t1;
error: GENERIC_USER_ERROR line 1:1: Materialized view 'memory.s1.t1' does not exist, but a table with that name exists. Did you mean DROP TABLE memory.s1.t1?
DROP MATERIALIZED VIEW IF EXISTS t1;
error: GENERIC_USER_ERROR line 1:1: Materialized view 'memory.s1.t1' does not exist, but a table with that name exists. Did you mean DROP TABLE memory.s1.t1?
GRANT SELECT ON SCHEMA nosuch TO USER bob;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nosuch' does not exist
GRANT SELECT ON SCHEMA s1 TO USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support grants on schemas
GRANT nosuch ON t1 TO USER bob;
error: INVALID_PRIVILEGE line 1:1: Unknown privilege: 'nosuch'
GRANT SELECT ON t1 TO USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support grants on tables
GRANT SELECT ON nosuch TO USER bob;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
DENY SELECT ON t1 TO USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support denies on tables
REVOKE SELECT ON t1 FROM USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support revokes on tables
GRANT ALL PRIVILEGES ON t1 TO ROLE admin WITH GRANT OPTION;
error: NOT_SUPPORTED line 1:1: This connector does not support grants on tables
SHOW GRANTS ON nosuch;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nosuch' does not exist
CREATE ROLE r;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
CREATE ROLE r IN nosuch;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
DROP ROLE r;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
GRANT r TO USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
REVOKE r FROM USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
SET ROLE r;
error: ROLE_NOT_FOUND line 1:1: Role 'r' does not exist
SET ROLE r IN nosuch;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
SHOW ROLES IN nosuch;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
SHOW CURRENT ROLES IN nosuch;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
SHOW ROLE GRANTS IN nosuch;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
SET SESSION AUTHORIZATION bob;
error: NOT_SUPPORTED SET SESSION AUTHORIZATION not supported by client
RESET SESSION AUTHORIZATION;
error: NOT_SUPPORTED RESET SESSION AUTHORIZATION not supported by client
SET SESSION AUTHORIZATION '';
error: NOT_SUPPORTED SET SESSION AUTHORIZATION not supported by client
WITH SESSION query_max_run_time = '1h', query_max_run_time = '2h' SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:41: Session property 'query_max_run_time' is set more than once
WITH SESSION nosuch = 1 SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:14: Session property 'nosuch' does not exist
WITH SESSION query_max_run_time = 5 SELECT 1;
error: INVALID_SESSION_PROPERTY Unable to set session property 'query_max_run_time' to '5': Cannot cast type integer to varchar
WITH SESSION query_max_run_time = 'x' SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:14: query_max_run_time is invalid: duration is not a valid data duration string: x
WITH SESSION memory.nosuch = 1 SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:14: Session property 'memory.nosuch' does not exist
WITH SESSION nosuch.x = 1 SELECT 1;
error: CATALOG_NOT_FOUND line 1:14: Catalog 'nosuch' does not exist
WITH SESSION a.b.c = 1 SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:14: Invalid session property 'a.b.c'
WITH SESSION max_recursion_depth = 1000000 SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:14: max_recursion_depth must be less than or equal to 100: 1000000
WITH SESSION query_max_run_time = (SELECT '1h') SELECT 1;
error: INVALID_SESSION_PROPERTY Unable to set session property 'query_max_run_time' to '(SELECT '1h')': SET SESSION cannot contain subqueries
WITH SESSION query_max_run_time = ? SELECT 1;
error: INVALID_SESSION_PROPERTY Unable to set session property 'query_max_run_time' to '?': Query takes no parameters
SET SESSION max_recursion_depth = 1000000;
error: INVALID_SESSION_PROPERTY line 1:1: max_recursion_depth must be less than or equal to 100: 1000000
SET SESSION time_zone_id = 'Mars/Phobos';
error: INVALID_SESSION_PROPERTY line 1:1: Time zone not supported: Mars/Phobos
SET SESSION query_max_scan_physical_bytes = 'x';
error: INVALID_SESSION_PROPERTY line 1:1: query_max_scan_physical_bytes is invalid: size is not a valid data size string: x
RESET SESSION memory.nosuch;
error: INVALID_SESSION_PROPERTY line 1:1: Session property 'memory.nosuch' does not exist
SET TIME ZONE 'Mars/Phobos';
error: INVALID_SESSION_PROPERTY line 1:15: Time zone not supported: Mars/Phobos
SELECT * FROM t1 UNION CORRESPONDING SELECT 1 AS z;
error: COLUMN_NOT_FOUND line 1:24: CORRESPONDING requires a column that both terms have
SELECT a, b FROM t1 UNION CORRESPONDING BY (nosuch) SELECT a, b FROM t2;
error: COLUMN_NOT_FOUND line 1:45: Column 'nosuch' is missing from left side of CORRESPONDING
SELECT a, b FROM t1 UNION CORRESPONDING BY (a, a) SELECT a, b FROM t2;
error: DUPLICATE_COLUMN_NAME line 1:48: CORRESPONDING BY lists column 'a' more than once
SELECT a, b FROM t1 UNION CORRESPONDING BY (c) SELECT a, b, 1 AS c FROM t2;
error: COLUMN_NOT_FOUND line 1:45: Column 'c' is missing from left side of CORRESPONDING
SELECT a, b, 1 AS c FROM t1 UNION CORRESPONDING BY (c) SELECT a, b FROM t2;
error: COLUMN_NOT_FOUND line 1:53: Column 'c' is missing from right side of CORRESPONDING
SELECT a, a FROM t1 INTERSECT CORRESPONDING SELECT a, b FROM t2;
error: AMBIGUOUS_NAME line 1:31: Column 'a' is ambiguous
SELECT a, b FROM t1 EXCEPT CORRESPONDING SELECT a, a FROM t2;
error: AMBIGUOUS_NAME line 1:28: Column 'a' is ambiguous
SELECT a FROM t1 UNION CORRESPONDING SELECT 'x' AS a;
error: TYPE_MISMATCH line 1:18: column 1 in UNION query has incompatible types: bigint, varchar(1)
SELECT a FROM t1 FETCH FIRST 101 PERCENT ROWS ONLY;
error: INVALID_LIMIT_CLAUSE line 1:18: FETCH FIRST percentage must be between 0 and 100 (actual value: 101)
SELECT a FROM t1 FETCH FIRST -1 PERCENT ROWS ONLY;
error: SYNTAX_ERROR /line 1:30: mismatched input '-'\. Expecting: .*/
SELECT a FROM t1 FETCH FIRST 'x' PERCENT ROWS ONLY;
error: SYNTAX_ERROR /line 1:30: mismatched input ''x''\. Expecting: .*/
SELECT a FROM t1 FETCH FIRST nan() PERCENT ROWS ONLY;
error: INVALID_LIMIT_CLAUSE line 1:18: FETCH FIRST percentage must be between 0 and 100 (actual value: NaN)
SELECT a FROM t1 FETCH FIRST NULL PERCENT ROWS ONLY;
error: SYNTAX_ERROR /line 1:30: mismatched input 'NULL'\. Expecting: .*/
SELECT a FROM t1 FETCH FIRST PERCENT ROWS ONLY;
error: SYNTAX_ERROR /line 1:30: mismatched input 'PERCENT'\. Expecting: .*/
SELECT a FROM t1 FETCH FIRST a PERCENT ROWS ONLY;
error: SYNTAX_ERROR /line 1:30: mismatched input 'a'\. Expecting: .*/
SELECT a FROM t1 FETCH FIRST 10 PERCENT ROWS WITH TIES;
error: MISSING_ORDER_BY line 1:18: FETCH FIRST WITH TIES clause requires ORDER BY
SELECT a FROM t1 FETCH FIRST 0 ROWS ONLY;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:18: FETCH FIRST row count must be positive (actual value: 0)
SELECT a FROM t1 FETCH FIRST -1 ROWS ONLY;
error: SYNTAX_ERROR /line 1:30: mismatched input '-'\. Expecting: .*/
SELECT a FROM t1 FETCH FIRST 1 ROW WITH TIES;
error: MISSING_ORDER_BY line 1:18: FETCH FIRST WITH TIES clause requires ORDER BY
SELECT a FROM t1 LIMIT 'x';
error: SYNTAX_ERROR /line 1:24: mismatched input ''x''\. Expecting: .*/
SELECT a FROM t1 LIMIT NULL;
error: SYNTAX_ERROR /line 1:24: mismatched input 'NULL'\. Expecting: .*/
SELECT a FROM t1 LIMIT a;
error: SYNTAX_ERROR /line 1:24: mismatched input 'a'\. Expecting: .*/
SELECT a FROM t1 LIMIT 1 + nosuch;
error: INVALID_ARGUMENTS line 1:26: Non constant parameter value for LIMIT: (1 + nosuch)
SELECT a FROM t1 LIMIT (SELECT 1);
error: NOT_SUPPORTED line 1:24: LIMIT clause cannot contain subqueries
SELECT a FROM t1 LIMIT sum(1);
error: EXPRESSION_NOT_SCALAR line 1:24: LIMIT clause cannot contain aggregations, window functions or grouping operations: [sum(1)]
SELECT a FROM t1 LIMIT 1 / 0;
error: DIVISION_BY_ZERO Division by zero
SELECT a FROM t1 LIMIT 9999999999999999999;
error: SYNTAX_ERROR line 1:24: Invalid numeric literal: 9999999999999999999
SELECT a FROM t1 OFFSET -1;
error: SYNTAX_ERROR /line 1:25: mismatched input '-'\. Expecting: .*/
SELECT a FROM t1 OFFSET 'x';
error: SYNTAX_ERROR /line 1:25: mismatched input ''x''\. Expecting: .*/
SELECT a FROM t1 OFFSET NULL;
error: SYNTAX_ERROR /line 1:25: mismatched input 'NULL'\. Expecting: .*/
SELECT a FROM t1 OFFSET 9999999999999999999;
error: SYNTAX_ERROR line 1:25: Invalid numeric literal: 9999999999999999999
EXECUTE IMMEDIATE 'SELECT a FROM t1 LIMIT ?' USING -1;
error: INVALID_LIMIT_CLAUSE line 1:52: LIMIT row count must be greater or equal to 0 (actual value: -1)
EXECUTE IMMEDIATE 'SELECT a FROM t1 LIMIT ?' USING 'x';
error: TYPE_MISMATCH line 1:52: LIMIT clause must evaluate to a bigint (actual: varchar(1))
EXECUTE IMMEDIATE 'SELECT a FROM t1 LIMIT ?' USING NULL;
error: INVALID_ARGUMENTS line 1:52: Parameter value provided for LIMIT is NULL: null
EXECUTE IMMEDIATE 'SELECT a FROM t1 LIMIT ?' USING a;
error: INVALID_ARGUMENTS line 1:52: Non constant parameter value for LIMIT: a
EXECUTE IMMEDIATE 'SELECT a FROM t1 OFFSET ?' USING -1;
error: INVALID_LIMIT_CLAUSE line 1:53: OFFSET row count must be greater or equal to 0 (actual value: -1)
EXECUTE IMMEDIATE 'SELECT a FROM t1 FETCH FIRST ? ROWS ONLY' USING 0;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:18: FETCH FIRST row count must be positive (actual value: 0)
SELECT * FROM t1 JOIN t2 USING (a, a);
error: DUPLICATE_COLUMN_NAME line 1:36: Column 'a' appears multiple times in USING clause
SELECT (1).*;
error: TYPE_MISMATCH line 1:8: expected expression of type Row
SELECT (ROW(1, 2)).* AS (x);
error: MISMATCHED_COLUMN_ALIASES line 1:26: Column alias list has 1 entries but relation has 2 columns
SELECT t1.*, nosuch.* FROM t1;
error: TABLE_NOT_FOUND line 1:14: Unable to resolve reference nosuch
SELECT a.* FROM t1;
error: TABLE_NOT_FOUND line 1:8: Unable to resolve reference a
SELECT * FROM t1 TABLESAMPLE BERNOULLI (NULL);
error: INVALID_ARGUMENTS line 1:41: Sample percentage cannot be NULL (unknown)
SELECT * FROM t1 TABLESAMPLE BERNOULLI ('x');
error: TYPE_MISMATCH line 1:41: Sample percentage should be a numeric expression
SELECT * FROM t1 TABLESAMPLE BERNOULLI (a);
error: EXPRESSION_NOT_CONSTANT line 1:41: Sample percentage cannot contain column references
SELECT INTERVAL '99999999999999999999' DAY;
error: INVALID_LITERAL line 1:8: '99999999999999999999' is not a valid interval literal
SELECT INTERVAL '9223372036854775807' HOUR;
error: INVALID_LITERAL line 1:8: '9223372036854775807' is not a valid interval literal
SELECT INTERVAL '1 x' DAY TO HOUR;
error: INVALID_LITERAL line 1:8: '1 x' is not a valid interval literal
SELECT "$eq"(1, 2);
error: FUNCTION_NOT_FOUND line 1:8: Function '$eq' not registered
SELECT "$row"(1);
error: FUNCTION_NOT_FOUND line 1:8: Function '$row' not registered
SELECT CAST(1 AS varchar(x));
error: TYPE_MISMATCH line 1:8: Unknown type: varchar(x)
SELECT CAST(1 AS array(varchar(x)));
error: TYPE_MISMATCH line 1:8: Unknown type: array(varchar(x))
SELECT CAST(1 AS nosuch(5));
error: TYPE_MISMATCH line 1:8: Unknown type: nosuch(5)
SELECT CAST(1 AS timestamp(x));
error: TYPE_MISMATCH line 1:8: Unknown type: timestamp(x)
SELECT CAST(1 AS decimal(x));
error: TYPE_MISMATCH line 1:8: Unknown type: decimal(x)
SELECT CAST(1 AS decimal('x'));
error: SYNTAX_ERROR /line 1:26: mismatched input ''x''\. Expecting: .*/
SELECT count(*) OVER (ORDER BY max(a) OVER ()) FROM t1;
error: NESTED_WINDOW line 1:32: Cannot nest window functions or row pattern measures inside window specification
SELECT max(rank() OVER ()) FROM t1;
error: NESTED_WINDOW line 1:8: Cannot nest window functions or row pattern measures inside aggregation 'max': [rank() OVER ()]
SELECT max(a) FILTER (WHERE rank() OVER () > 1) FROM t1;
error: NESTED_WINDOW line 1:29: Cannot nest window functions or row pattern measures inside window function arguments
SELECT rank() OVER (PARTITION BY rank() OVER ()) FROM t1;
error: NESTED_WINDOW line 1:34: Cannot nest window functions or row pattern measures inside window specification
SELECT array_agg(a ORDER BY sum(b)) FROM t1;
error: NESTED_AGGREGATION line 1:29: Cannot nest aggregations inside aggregation: [sum(b)]
VALUES sum(1);
error: EXPRESSION_NOT_SCALAR line 1:8: VALUES cannot contain aggregations, window functions or grouping operations: [sum(1)]
SELECT * FROM UNNEST(ARRAY[sum(1)]);
error: EXPRESSION_NOT_SCALAR line 1:28: UNNEST cannot contain aggregations, window functions or grouping operations: [sum(1)]
SELECT ARRAY[ARRAY[1]] || NULL;
error: AMBIGUOUS_FUNCTION_CALL /line 1:24: Could not choose a best candidate operator\. Explicit type casts must be added\.\nCandidates are:\n.*/
