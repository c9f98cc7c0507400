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
SET SESSION optimizer_rules = '-add_exchanges';
error: INVALID_SESSION_PROPERTY line 1:1: Optimizer rule 'add_exchanges' cannot be switched off: rows of different tasks meet in exchanges only
SET SESSION optimizer_rules = '-nosuch';
error: INVALID_SESSION_PROPERTY line 1:1: Unknown optimizer rule: 'nosuch'. Known rules: [fold_constants, push_predicates, infer_predicates, split_disjunctions, simplify_conditions, convert_outer_joins, remove_empty, join_row_keys, prune_columns, turn_semi_joins, merge_projections, combine_aggregations, use_windows, eliminate_cross_joins, reorder_joins, join_before_aggregation, group_distinct, aggregate_before_join, reduce_grouping_keys, push_limits, use_top_n, merge_windows, push_into_connectors, choose_build_side, choose_semi_join_side, choose_distribution, use_one_task, reuse_partitioning, partial_aggregation, partial_top_n, partial_limit, distributed_sort, dynamic_filters, share_subplans, remote_dynamic_filters, large_remote_filters, prune_splits]
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
SELECT greatest(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
error: TOO_MANY_ARGUMENTS line 1:8: Too many arguments for function call greatest()
SELECT from_base('', 2);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-2 number: 
SELECT CAST(0.0000000000000000000001 AS decimal(38,30)) * CAST(0.0000000001 AS decimal(38, 30));
error: INVALID_FUNCTION_ARGUMENT DECIMAL scale must be in range [0, precision (38)]: 60
CALL system.runtime.kill_query('a', 'b', 'c');
error: INVALID_ARGUMENTS line 1:1: Too many arguments for procedure
CALL system.runtime.kill_query('a', 'b');
error: NOT_FOUND Target query not found: a
CREATE TABLE y (LIKE nosuch.a.b);
error: CATALOG_NOT_FOUND line 1:1: LIKE table catalog 'nosuch' does not exist
CREATE TABLE y (LIKE nosuch);
error: TABLE_NOT_FOUND line 1:1: LIKE table 'memory.s1.nosuch' does not exist
CREATE TABLE y (LIKE v1);
error: TABLE_NOT_FOUND line 1:1: LIKE table 'memory.s1.v1' does not exist
CREATE TABLE y (LIKE tpch.tiny.nation INCLUDING PROPERTIES);
error: NOT_SUPPORTED line 1:1: CREATE TABLE LIKE table INCLUDING PROPERTIES across catalogs is not supported
CREATE TABLE y (LIKE t1, LIKE t1);
error: DUPLICATE_COLUMN_NAME line 1:26: Column name 'a' specified more than once
CREATE TABLE y (LIKE t1 INCLUDING PROPERTIES, LIKE t2 INCLUDING PROPERTIES);
error: DUPLICATE_COLUMN_NAME line 1:47: Column name 'a' specified more than once
CREATE TABLE y (a bigint DEFAULT 'x');
error: TYPE_MISMATCH line 1:34: Default value of column 'a' must be of type bigint (actual: varchar(1))
CREATE TABLE y (a varchar(2) DEFAULT 'abc');
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(3) to varchar(2) on INSERT
CREATE TABLE y (a bigint, A varchar);
error: DUPLICATE_COLUMN_NAME line 1:27: Column name 'A' specified more than once
CREATE TABLE y (a unknown);
error: COLUMN_TYPE_UNKNOWN line 1:17: Unknown type 'unknown' for column 'a'
CREATE TABLE y (a nosuch);
error: TYPE_NOT_FOUND line 1:17: Unknown type 'nosuch' for column 'a'
CREATE TABLE y AS SELECT 1;
error: MISSING_COLUMN_NAME line 1:1: Column name not specified at position 1
CREATE TABLE y AS SELECT 1 a, 2 a;
error: DUPLICATE_COLUMN_NAME line 1:1: Column name 'a' specified more than once
CREATE TABLE y (a) AS SELECT 1, 2;
error: MISMATCHED_COLUMN_ALIASES line 1:17: Column alias list has 1 entries but relation has 2 columns
CREATE TABLE y (a, a) AS SELECT 1, 2;
error: DUPLICATE_COLUMN_NAME line 1:20: Column name 'a' specified more than once
CREATE TABLE y AS SELECT NULL a;
error: COLUMN_TYPE_UNKNOWN line 1:1: Column type is unknown: a
CREATE TABLE y WITH (a = 1) AS SELECT 1 a;
error: INVALID_TABLE_PROPERTY line 1:22: Catalog 'memory' does not support table property 'a'
SELECT CAST(MAP(ARRAY[JSON 'null'], ARRAY[1]) AS map(integer, integer));
error: INVALID_CAST_ARGUMENT map key is null
SELECT CAST(JSON '{"a": 1}' AS map(json, integer));
error: TYPE_MISMATCH line 1:8: Cannot cast json to map(json, integer)
SELECT CAST(TIMESTAMP '294247-01-10 04:00:54.775' AS timestamp with time zone);
error: NUMERIC_VALUE_OUT_OF_RANGE Millis overflow: 9223372036854775
SELECT CAST('294247-01-11 04:00:54.775' AS timestamp);
error: INVALID_CAST_ARGUMENT Value cannot be cast to timestamp: 294247-01-11 04:00:54.775
SELECT CAST('294247-01-11 04:00:54.775 UTC' AS timestamp);
error: NUMERIC_VALUE_OUT_OF_RANGE Millis overflow: 9223372123254775
SELECT to_iso8601(TIMESTAMP '1800-01-01 00:00:00 Europe/Paris');
error: INVALID_ARGUMENTS Timezone with non-zero seconds offset cannot be rendered as ISO8601: +00:09:21
SELECT from_unixtime(1, 5000000000, 0);
error: INVALID_FUNCTION_ARGUMENT Time zone offset not in valid range -14:00 to 14:00: 300000000000
SELECT from_unixtime(1, 9223372036854775807, 1);
error: INVALID_FUNCTION_ARGUMENT Time zone offset not in valid range -14:00 to 14:00: 553402322211286550000
SELECT at_timezone(TIME '10:00:00 +01:00', INTERVAL '900' MINUTE);
error: INVALID_FUNCTION_ARGUMENT Time zone offset not in valid range -14:00 to 14:00: 900
SELECT TIME '10:00:00+01:00' AT TIME ZONE '+15:00';
error: INVALID_FUNCTION_ARGUMENT Time zone not supported: +15:00
SELECT geometry_to_bing_tiles(ST_GeometryFromText('LINESTRING (0 0, 0.1 0.1, 0.2 0, 0.3 0.1, 0.4 0)'), 23);
error: INVALID_FUNCTION_ARGUMENT The zoom level is too high or the geometry is too complex to compute a set of covering Bing tiles. Please use a lower zoom level or convert the geometry to its bounding box using the ST_Envelope function.
SELECT TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '9223372036854775' SECOND;
error: NUMERIC_VALUE_OUT_OF_RANGE timestamp addition overflow
SELECT * FROM t1 LEFT JOIN UNNEST(ARRAY[t1.a]) u (x) ON x = 1;
error: NOT_SUPPORTED line 1:15: LEFT JOIN involving UNNEST is only supported with condition ON TRUE
SELECT * FROM t1 RIGHT JOIN UNNEST(ARRAY[1]) u (x) ON x = 1;
error: NOT_SUPPORTED line 1:15: RIGHT JOIN involving UNNEST is only supported with condition ON TRUE
SELECT * FROM t1 FULL JOIN UNNEST(ARRAY[1]) u (x) ON x = 1;
error: NOT_SUPPORTED line 1:15: FULL JOIN involving UNNEST is only supported with condition ON TRUE
SELECT * FROM t1 JOIN UNNEST(ARRAY[1]) u (x) USING (a);
error: NOT_SUPPORTED line 1:15: INNER JOIN involving UNNEST is only supported with condition ON TRUE
SELECT * FROM t1 JOIN LATERAL (SELECT t1.a x) USING (x);
error: NOT_SUPPORTED line 1:15: Correlated join with criteria other than ON is not supported
SELECT * FROM t1 FULL JOIN LATERAL (SELECT t1.a x) u ON true;
error: INVALID_COLUMN_REFERENCE line 1:44: LATERAL reference not allowed in FULL JOIN
SELECT * FROM t1 RIGHT JOIN LATERAL (SELECT t1.a x) u ON true;
error: INVALID_COLUMN_REFERENCE line 1:45: LATERAL reference not allowed in RIGHT JOIN
WITH RECURSIVE r (n) AS (SELECT 1 UNION SELECT max(n) + 1 FROM r) SELECT * FROM r;
error: NOT_SUPPORTED line 1:48: recursive reference below aggregations and window functions is not supported in a recursive query with UNION DISTINCT
WITH RECURSIVE r (n) AS (SELECT 1 UNION SELECT n FROM (SELECT rank() OVER (ORDER BY n) n FROM r)) SELECT * FROM r;
error: NOT_SUPPORTED line 1:63: recursive reference below aggregations and window functions is not supported in a recursive query with UNION DISTINCT
WITH RECURSIVE r (n) AS (SELECT 1 UNION SELECT n FROM r ORDER BY n LIMIT 1) SELECT * FROM r;
error: NOT_SUPPORTED line 1:66: immediate ORDER BY clause in recursive query is not supported
WITH RECURSIVE r (n) AS (SELECT 1 UNION (SELECT n + 1 FROM r LIMIT 1)) SELECT * FROM r;
error: NOT_SUPPORTED line 1:62: recursive reference below LIMIT is not supported in a recursive query with UNION DISTINCT
WITH RECURSIVE r (n) AS (SELECT 1 UNION SELECT * FROM (SELECT n + 1 FROM r LIMIT 1)) SELECT * FROM r;
error: NOT_SUPPORTED line 1:76: recursive reference below LIMIT is not supported in a recursive query with UNION DISTINCT
SELECT (SELECT max(x) FROM (VALUES t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a, t1.a) v (x) WHERE x < t1.a) FROM t1;
error: NOT_SUPPORTED line 1:8: Given correlated subquery is not supported
SELECT a FROM t1 WHERE a < ALL (SELECT b FROM t2 WHERE t2.a = t1.a FETCH FIRST 1 ROW WITH TIES);
error: MISSING_ORDER_BY line 1:68: FETCH FIRST WITH TIES clause requires ORDER BY
SELECT ROW(1, approx_set(1)) < ALL (SELECT 1, approx_set(2));
error: TYPE_MISMATCH line 1:30: Type [row(integer, HyperLogLog)] must be comparable in order to be used in quantified comparison
SELECT MAP(ARRAY[1], ARRAY[1]) < ALL (SELECT MAP(ARRAY[1], ARRAY[1]));
error: TYPE_MISMATCH line 1:32: Type [map(integer, integer)] must be orderable in order to be used in quantified comparison
SELECT max(x) OVER (ORDER BY rank() OVER ()) FROM (VALUES 1) t (x);
error: NESTED_WINDOW line 1:30: Cannot nest window functions or row pattern measures inside window specification
SELECT sum(max(x) OVER ()) OVER () FROM (VALUES 1) t (x);
error: NESTED_WINDOW line 1:12: Cannot nest window functions or row pattern measures inside window function arguments
SELECT max(x) AS m, sum(m) OVER () FROM (VALUES 1) t (x);
error: COLUMN_NOT_FOUND line 1:25: Column 'm' cannot be resolved
SELECT 1 FROM (VALUES 1) t (x) HAVING rank() OVER () > 1;
error: NESTED_WINDOW line 1:39: HAVING clause cannot contain window functions or row pattern measures
SELECT m OVER w FROM t1 HAVING m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A) DEFINE A AS true) > 1;
error: INVALID_WINDOW_REFERENCE line 1:15: Cannot resolve WINDOW name w
SELECT a FROM t1 HAVING rank() OVER () > 1;
error: NESTED_WINDOW line 1:25: HAVING clause cannot contain window functions or row pattern measures
SELECT a, rank() OVER (ORDER BY a) r FROM t1 WHERE r > 1;
error: COLUMN_NOT_FOUND line 1:52: Column 'r' cannot be resolved
SELECT a FROM t1 ORDER BY rank() OVER (ORDER BY rank() OVER ());
error: NESTED_WINDOW line 1:49: Cannot nest window functions or row pattern measures inside window specification
SELECT INTERVAL '106751991168 1' DAY TO HOUR;
error: INVALID_LITERAL line 1:8: '106751991168 1' is not a valid interval literal
SELECT CAST(1 AS varchar(-1));
error: SYNTAX_ERROR /line 1:26: mismatched input '-'\. Expecting: .*/
SELECT CAST(1 AS varchar('5'));
error: SYNTAX_ERROR /line 1:26: mismatched input ''5''\. Expecting: .*/
SELECT CAST(1 AS decimal(bigint));
error: TYPE_MISMATCH line 1:8: Unknown type: decimal(bigint)
SELECT CAST(1 AS array(5));
error: TYPE_MISMATCH line 1:8: Unknown type: array(5)
SELECT CAST(1 AS row(5));
error: SYNTAX_ERROR /line 1:22: mismatched input '5'\. Expecting: .*/
SELECT CAST(1 AS map(5, 5));
error: TYPE_MISMATCH line 1:8: Unknown type: map(5, 5)
SELECT CAST(1 AS qdigest(5));
error: TYPE_MISMATCH line 1:8: Unknown type: qdigest(5)
SELECT CAST(1 AS timestamp(bigint));
error: TYPE_MISMATCH line 1:8: Unknown type: timestamp(bigint)
SELECT CAST(1 AS integer(5));
error: TYPE_MISMATCH line 1:8: Unknown type: integer(5)
ALTER TABLE narrowest DROP COLUMN a;
error: NOT_SUPPORTED line 1:1: Cannot drop the only column in a table
SHOW GRANTS;
headers: {"x-engine-catalog":"","x-engine-schema":""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set
SET SESSION AUTHORIZATION '   ';
headers: {"x-engine-client-capabilities":"SESSION_AUTHORIZATION"}
error: INVALID_ARGUMENTS line 1:1: Authorization user must not be empty
EXPLAIN ANALYZE INSERT INTO t1 VALUES (1);
error: TYPE_MISMATCH line 1:17: Insert query has mismatched column types: Table: [bigint, bigint, bigint, bigint], Query: [integer]
EXPLAIN ANALYZE USE memory.s1;
error: NOT_SUPPORTED EXPLAIN ANALYZE doesn't support statement type: Use
ALTER TABLE blackhole.default.bh ADD COLUMN x bigint NOT NULL;
error: NOT_SUPPORTED line 1:1: This connector does not support adding columns
ALTER TABLE blackhole.default.bh ADD COLUMN x bigint DEFAULT 5;
error: NOT_SUPPORTED line 1:1: This connector does not support adding columns
CREATE TABLE blackhole.nosuch.bh (a bigint);
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
CREATE TABLE blackhole.default.bh AS SELECT 1 a;
error: TABLE_ALREADY_EXISTS line 1:1: Destination table 'blackhole.default.bh' already exists
ALTER TABLE t1 SET PROPERTIES a = DEFAULT;
error: INVALID_TABLE_PROPERTY line 1:31: Catalog 'memory' does not support table property 'a'
CREATE FUNCTION memory.s1.py(x integer) RETURNS integer LANGUAGE PYTHON WITH (handler = 'f') AS $$ x $$;
error: NOT_SUPPORTED line 1:66: Unsupported function language: PYTHON
WITH FUNCTION f(x integer) RETURNS integer BEGIN FOR i IN 'a' TO 5 DO RETURN 1; END FOR; RETURN 2; END SELECT f(1);
error: TYPE_MISMATCH line 1:59: Lower bound of FOR statement must evaluate to a numeric type (actual: varchar(1))
WITH FUNCTION f(x integer) RETURNS integer BEGIN FOR i IN 1 TO true DO RETURN 1; END FOR; RETURN 2; END SELECT f(1);
error: TYPE_MISMATCH line 1:64: Upper bound of FOR statement must evaluate to a numeric type (actual: boolean)
SELECT from_unixtime(1, 900, 1);
error: INVALID_FUNCTION_ARGUMENT Time zone offset not in valid range -14:00 to 14:00: 54001
SELECT from_base('1', 1);
error: INVALID_FUNCTION_ARGUMENT Radix must be between 2 and 36
SELECT from_base(rpad('', 100, '1'), 2);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-2 number: 1111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111
SELECT word_stem(rpad('', 20000, 'a'), 'de');
error: INVALID_FUNCTION_ARGUMENT A word of 20000 characters is too long to be stemmed; the most is 10000
SELECT word_stem(rpad('', 20000, 'a'), 'fr');
error: INVALID_FUNCTION_ARGUMENT A word of 20000 characters is too long to be stemmed; the most is 10000
SELECT map_top_n_keys(MAP(ARRAY[1], ARRAY[2]), -1, (a, b) -> 0);
error: GENERIC_USER_ERROR n must be greater than or equal to 0
SELECT map_keys_by_top_n_values(MAP(ARRAY[1], ARRAY[2]), -1);
error: GENERIC_USER_ERROR n must be greater than or equal to 0
SELECT array_top_n(ARRAY[1], -1, (a, b) -> 0);
error: GENERIC_USER_ERROR Parameter n: -1 to ARRAY_TOP_N is negative
SELECT geometry_from_geojson('{"type": "LineString", "coordinates": []}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Geometry is empty.
SELECT ST_GeomFromBinary(X'00000000050000000100000000010000000000000000');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'000000000400000001000000000500000000');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'00000000030000000100000001000000000000000000000000000000');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeometryFromText('POINT (1 1');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT (1 1
SELECT ST_GeometryFromText('POINT 1 1)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT 1 1)
SELECT ST_GeometryFromText('MULTIPOINT (1 1 2 2)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: MULTIPOINT (1 1 2 2)
SELECT ST_GeometryFromText('LINESTRING ((1 1), (2 2))');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: LINESTRING ((1 1), (2 2))
SELECT ST_GeometryFromText('POINT ZM (1 1)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT ZM (1 1)
SELECT ST_GeometryFromText('POINT Z (1 1)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT Z (1 1)
SELECT ST_Buffer(ST_GeometryFromText('LINESTRING (0 0, 1e-300 1e-300)'), 1e-300);
error: INVALID_FUNCTION_ARGUMENT Coordinates of the geometry are too close together or too far apart for this operation
SELECT ST_Boundary(ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 2 2))'));
error: INVALID_FUNCTION_ARGUMENT ST_Boundary does not support GEOMETRY_COLLECTION
SELECT cardinality(CAST(X'020C0100' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT value_at_quantile(CAST(X'000000000000000000000000000000000000000000000000000000000000000000000000000000000000' AS qdigest(bigint)), 0.5);
error: INVALID_FUNCTION_ARGUMENT Invalid qdigest
SELECT from_iso8601_timestamp('2020-13-01T00:00:00');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "2020-13-01T00:00:00": Value 13 for monthOfYear must be in the range [1,12]
SELECT from_iso8601_timestamp('20-01-01');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "20-01-01"
SELECT from_iso8601_timestamp('x2020-01-01T00:00:00');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "x2020-01-01T00:00:00"
SELECT JSON_VALUE('{}', 'lax $x + $x' PASSING SMALLINT '32767' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax $x - $y' PASSING -9223372036854775808 AS "x", 1 AS "y" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax $x / $y' PASSING -9223372036854775808 AS "x", -1 AS "y" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax $x / $y' PASSING DECIMAL '1' AS "x", DECIMAL '0' AS "y" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax -$x' PASSING true AS "x" ERROR ON ERROR);
error: INVALID_PATH line 1:25: invalid operand type (boolean) in JSON path arithmetic unary expression
SELECT JSON_VALUE('{"a": 1}', 'lax $x + $.a' PASSING 'x' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid operand types to ADD operator (varchar(1), integer)
SELECT JSON_VALUE('{"a": 1}', 'lax $x + $.a' PASSING DATE '2020-01-01' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid operand types to ADD operator (date, integer)
SELECT JSON_VALUE('{"a": 1}', 'lax $.a[$x]' PASSING DATE '2020-01-01' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: date
SELECT JSON_VALUE('[1]', 'lax $[$x]' PASSING 1e300 AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax $x.double()' PASSING DATE '2020-01-01' AS "x" ERROR ON ERROR);
error: INVALID_PATH line 1:25: cannot perform JSON path double() method with date argument
SELECT JSON_VALUE('"999999999999999999999999999999999999999"', 'lax $' RETURNING decimal(38) ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type varchar to declared return type of function JSON_VALUE: decimal(38,0)
SELECT JSON_VALUE('{}', 'lax $x' PASSING nan() AS "x" RETURNING bigint ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type double to declared return type of function JSON_VALUE: bigint
SELECT JSON_VALUE('{}', 'lax $x' PASSING 1e300 AS "x" RETURNING decimal(5) ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type double to declared return type of function JSON_VALUE: decimal(5,0)
SELECT JSON_QUERY('{}', 'lax $x' PASSING approx_set(1) AS "x");
error: NOT_SUPPORTED line 1:8: Unsupported type of JSON path parameter: HyperLogLog
SELECT JSON_ARRAY(ARRAY[1]);
error: NOT_SUPPORTED line 1:8: Unsupported type of value passed to JSON_ARRAY function: array(integer)
SELECT JSON_ARRAY(MAP());
error: NOT_SUPPORTED line 1:8: Unsupported type of value passed to JSON_ARRAY function: map(unknown, unknown)
SELECT JSON_ARRAY(ROW(1));
error: NOT_SUPPORTED line 1:8: Unsupported type of value passed to JSON_ARRAY function: row(integer)
SELECT INTERVAL 'x 1' DAY TO HOUR;
error: INVALID_LITERAL line 1:8: 'x 1' is not a valid interval literal
SELECT INTERVAL '' DAY TO SECOND;
error: INVALID_LITERAL line 1:8: '' is not a valid interval literal
SELECT INTERVAL ' ' DAY TO HOUR;
error: INVALID_LITERAL line 1:8: ' ' is not a valid interval literal
SELECT INTERVAL '99999999999999999 1' DAY TO HOUR;
error: INVALID_LITERAL line 1:8: '99999999999999999 1' is not a valid interval literal
SELECT * FROM t1 FETCH FIRST ? PERCENT ROWS ONLY;
error: INVALID_PARAMETER_USAGE line 1:30: Query takes no parameters
EXECUTE IMMEDIATE 'SELECT a FROM t1 FETCH FIRST ? PERCENT ROWS ONLY' USING 'x';
error: TYPE_MISMATCH line 1:76: FETCH FIRST clause must evaluate to a double (actual: varchar(1))
EXECUTE IMMEDIATE 'SELECT a FROM t1 FETCH FIRST ? PERCENT ROWS ONLY' USING NULL;
error: INVALID_ARGUMENTS line 1:76: Parameter value provided for FETCH FIRST is NULL: null
EXECUTE IMMEDIATE 'SELECT a FROM t1 FETCH FIRST ? PERCENT ROWS ONLY' USING 200;
error: INVALID_LIMIT_CLAUSE line 1:18: FETCH FIRST percentage must be between 0 and 100 (actual value: 200)
SELECT a FROM t1 FETCH FIRST ('x') PERCENT ROWS ONLY;
error: TYPE_MISMATCH line 1:31: FETCH FIRST clause must evaluate to a double (actual: varchar(1))
SELECT * FROM t1 RIGHT JOIN JSON_TABLE('[1]', 'lax $' COLUMNS (x integer PATH 'lax $')) USING (a);
error: NOT_SUPPORTED line 1:15: RIGHT JOIN involving JSON_TABLE is only supported with condition ON TRUE
SELECT * FROM t1 FULL JOIN UNNEST(ARRAY[1]) u (x) USING (a);
error: NOT_SUPPORTED line 1:15: FULL JOIN involving UNNEST is only supported with condition ON TRUE
SELECT ROW(1, MAP(ARRAY[1], ARRAY[2])) < ALL (SELECT 1, MAP(ARRAY[1], ARRAY[2]));
error: TYPE_MISMATCH line 1:40: Type [row(integer, map(integer, integer))] must be orderable in order to be used in quantified comparison
SELECT ROW(1, color('red')) < ALL (SELECT 1, color('red'));
error: TYPE_MISMATCH line 1:29: Type [row(integer, color)] must be orderable in order to be used in quantified comparison
SELECT 1 < ALL (SELECT approx_set(1));
error: TYPE_MISMATCH line 1:10: Type [row(HyperLogLog)] must be comparable in order to be used in quantified comparison
SELECT array_agg(x ORDER BY m OVER w) FROM (VALUES 1) t (x) WINDOW w AS (MEASURES x AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A) DEFINE A AS true);
error: NESTED_WINDOW line 1:29: Cannot nest window functions or row pattern measures inside aggregation: [m OVER w]
SELECT sum(a ORDER BY rank() OVER ()) FROM t1;
error: NESTED_WINDOW line 1:23: Cannot nest window functions or row pattern measures inside aggregation: [rank() OVER ()]
SELECT rank() OVER (ORDER BY max(x) OVER ()), x FROM (VALUES 1) t (x);
error: NESTED_WINDOW line 1:30: Cannot nest window functions or row pattern measures inside window specification
SELECT lag(rank() OVER (ORDER BY x)) OVER (ORDER BY x) FROM (VALUES 1) t (x);
error: NESTED_WINDOW line 1:12: Cannot nest window functions or row pattern measures inside window function arguments
SELECT max(x) OVER (ORDER BY x ROWS rank() OVER () PRECEDING) FROM (VALUES 1) t (x);
error: NESTED_WINDOW line 1:37: Cannot nest window functions or row pattern measures inside window specification
SELECT CASE WHEN true THEN sum(x) OVER () END, sum(sum(x) OVER ()) FROM (VALUES 1) t (x) GROUP BY x;
error: NESTED_WINDOW line 1:48: Cannot nest window functions or row pattern measures inside aggregation 'sum': [sum(x) OVER ()]
SELECT map_agg(x, rank() OVER ()) FROM (VALUES 1) t (x);
error: NESTED_WINDOW line 1:8: Cannot nest window functions or row pattern measures inside aggregation 'map_agg': [rank() OVER ()]
SELECT CAST(NULL AS json) || NULL;
error: FUNCTION_NOT_FOUND line 1:27: Unexpected parameters (json, unknown) for function concat. Expected: concat(array(T)...) T, concat(varchar, varchar...) , concat(char(x), char(x)) , concat(varbinary, varbinary...) 
SELECT * FROM t1 MATCH_RECOGNIZE (MEASURES listagg(CAST(b AS varchar), ',') WITHIN GROUP (ORDER BY b) AS m PATTERN (A) DEFINE A AS true);
error: NOT_SUPPORTED line 1:44: Cannot use ORDER BY with listagg aggregate function in pattern recognition context
INSERT INTO blackhole.default.bh VALUES 'x';
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [bigint], Query: [varchar(1)]
CREATE ROLE r;
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set
SET SESSION AUTHORIZATION '';
headers: {"x-engine-client-capabilities": "SESSION_AUTHORIZATION"}
error: INVALID_ARGUMENTS line 1:1: Authorization user must not be empty
SELECT 1;
headers: {"x-engine-session": "nosuch=1"}
error: INVALID_SESSION_PROPERTY Session property 'nosuch' does not exist
SELECT 1;
headers: {"x-engine-session": "nosuch.x=1"}
error: NOT_FOUND Session property catalog does not exist: nosuch
CREATE TABLE y (a bigint DEFAULT 1 + 1);
error: SYNTAX_ERROR line 1:34: Default value of a column must be a literal
CREATE TABLE y (a bigint DEFAULT b);
error: SYNTAX_ERROR line 1:34: Default value of a column must be a literal
CREATE TABLE y (a bigint NOT NULL NOT NULL);
error: SYNTAX_ERROR /line 1:35: mismatched input 'NOT'\. Expecting: .*/
CREATE CATALOG x USING memory;
error: NOT_SUPPORTED CREATE CATALOG is not supported by the static catalog store; set catalog.management=dynamic
DROP CATALOG memory;
error: NOT_SUPPORTED DROP CATALOG is not supported by the static catalog store; set catalog.management=dynamic
DROP CATALOG memory CASCADE;
error: NOT_SUPPORTED line 1:1: CASCADE is not yet supported for DROP CATALOG
CREATE CATALOG x USING memory COMMENT 'c';
error: NOT_SUPPORTED line 1:1: CREATE CATALOG with COMMENT is not yet supported
CREATE CATALOG x USING memory AUTHORIZATION ann;
error: NOT_SUPPORTED line 1:1: CREATE CATALOG with AUTHORIZATION is not yet supported
CREATE CATALOG x USING memory WITH (a = 'a', a = 'b');
error: DUPLICATE_PROPERTY line 1:46: Duplicate property: a
CREATE CATALOG x USING memory WITH (a = NULL);
error: INVALID_CATALOG_PROPERTY line 1:37: Invalid value for catalog property 'a': the value is null
CREATE CATALOG x USING memory WITH (a = ARRAY[1]);
error: INVALID_CATALOG_PROPERTY line 1:37: Invalid value for catalog property 'a': Cannot convert array(integer) to varchar
