-- Errors that a statement can meet and that no other file meets (test/oracle/coverage.test.ts says which have to be here)
SELECT DISTINCT name FROM nation ORDER BY regionkey;
error: EXPRESSION_NOT_IN_DISTINCT line 1:43: For SELECT DISTINCT, ORDER BY expressions must appear in select list
WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1;
error: DUPLICATE_NAMED_QUERY line 1:23: WITH query name 'a' specified more than once
CREATE SCHEMA memory.default;
error: SCHEMA_ALREADY_EXISTS line 1:1: Schema 'memory.default' already exists
SET SESSION join_distribution_type = 'x';
error: INVALID_SESSION_PROPERTY line 1:1: Invalid value [x]. Valid values: [BROADCAST, PARTITIONED, AUTOMATIC]
SET SESSION nosuch = 1;
error: INVALID_SESSION_PROPERTY line 1:1: Session property 'nosuch' does not exist
EXECUTE nosuch;
error: NOT_FOUND Prepared statement not found: nosuch
DEALLOCATE PREPARE nosuch;
error: NOT_FOUND Prepared statement not found: nosuch
COMMIT;
error: NOT_IN_TRANSACTION No transaction in progress
ROLLBACK;
error: NOT_IN_TRANSACTION No transaction in progress
START TRANSACTION;
error: INCOMPATIBLE_CLIENT Client does not support transactions
EXECUTE IMMEDIATE 'SELECT ?';
error: INVALID_PARAMETER_USAGE line 1:1: Incorrect number of parameters: expected 1 but found 0
EXECUTE IMMEDIATE 'SELECT ?' USING 1, 2;
error: INVALID_PARAMETER_USAGE line 1:1: Incorrect number of parameters: expected 1 but found 2
SELECT 1 + ?;
error: INVALID_PARAMETER_USAGE line 1:12: Query takes no parameters
SELECT 1 LIMIT ?;
error: INVALID_PARAMETER_USAGE line 1:16: Query takes no parameters
CREATE TABLE memory.default.properties (a bigint) WITH (nosuch = 1);
error: INVALID_TABLE_PROPERTY line 1:57: Catalog 'memory' does not support table property 'nosuch'
SELECT grouping() FROM nation GROUP BY 1;
error: INVALID_ARGUMENTS line 1:8: GROUPING requires at least one argument
SELECT * FROM nation FETCH FIRST 2 ROWS WITH TIES;
error: MISSING_ORDER_BY line 1:22: FETCH FIRST WITH TIES clause requires ORDER BY
SELECT * FROM nation ORDER BY 99;
error: INVALID_COLUMN_REFERENCE line 1:31: ORDER BY position 99 is not in select list
SELECT *;
error: COLUMN_NOT_FOUND line 1:8: SELECT * not allowed in queries without FROM clause
SELECT nationkey FROM nation GROUP BY 1 ORDER BY zz;
error: COLUMN_NOT_FOUND line 1:50: Column 'zz' cannot be resolved
INSERT INTO nation VALUES 1;
error: NOT_SUPPORTED line 1:1: This connector does not support inserts
CALL nosuch();
error: PROCEDURE_NOT_FOUND line 1:1: Procedure not registered: tiny.nosuch
SHOW TABLES FROM nosuch.x;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
SELECT CAST(1 AS nosuch);
error: TYPE_MISMATCH line 1:8: Unknown type: nosuch
SELECT grouping(nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey, nationkey) FROM nation GROUP BY nationkey;
error: TOO_MANY_ARGUMENTS line 1:8: GROUPING supports up to 63 column arguments
WITH RECURSIVE a (n) AS (WITH RECURSIVE b (m) AS (SELECT 1) SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 2) SELECT * FROM a;
error: NESTED_RECURSIVE
SELECT ROW(1, 2)[nationkey] FROM nation;
error: EXPRESSION_NOT_CONSTANT line 1:18: Subscript expression on ROW requires a constant index
SHOW TABLES FROM a.b.c;
error: INVALID_SCHEMA_PROPERTY line 1:1: Too many parts in schema name: a.b.c
COMMENT ON COLUMN a IS 'x';
error: MISSING_TABLE line 1:1: Table must be specified
-- What a connector has no properties for cannot be given any
CREATE SCHEMA memory.zz WITH (nosuch = 1);
error: INVALID_SCHEMA_PROPERTY line 1:31: Catalog 'memory' does not support schema property 'nosuch'
CREATE TABLE memory.default.zz (a bigint WITH (x = 1));
error: INVALID_COLUMN_PROPERTY line 1:48: Catalog 'memory' does not support column property 'x'
CREATE TABLE memory.default.zz WITH (nosuch = 1) AS SELECT 1 AS a;
error: INVALID_TABLE_PROPERTY line 1:38: Catalog 'memory' does not support table property 'nosuch'
CREATE TABLE memory.default.properties (a bigint);
expect: [[true]]
ALTER TABLE memory.default.properties ADD COLUMN b bigint WITH (x = 1);
error: INVALID_COLUMN_PROPERTY line 1:65: Catalog 'memory' does not support column property 'x'
DROP TABLE memory.default.properties;
expect: [[true]]
-- A timestamp is so many microseconds as 64 bits can count
SELECT TIMESTAMP '999999-01-01 00:00:00';
error: INVALID_LITERAL line 1:8: '999999-01-01 00:00:00' is not a valid timestamp literal
SELECT TIMESTAMP '294247-01-10 04:00:54.775808';
error: INVALID_LITERAL line 1:8: '294247-01-10 04:00:54.775808' is not a valid timestamp literal
SELECT TIMESTAMP '294247-01-10 04:00:54.775807';
expect: [["+294247-01-10 04:00:54.775807"]]
SELECT TIMESTAMP '-999999-01-01 00:00:00';
error: INVALID_LITERAL line 1:8: '-999999-01-01 00:00:00' is not a valid timestamp literal
SELECT CAST('999999-01-01 00:00:00' AS timestamp), 1;
error: INVALID_CAST_ARGUMENT Value cannot be cast to timestamp: 999999-01-01 00:00:00
CREATE CATALOG x USING memory WITH (a = NULL);
error: INVALID_CATALOG_PROPERTY line 1:37: Invalid value for catalog property 'a': the value is null
