-- WITH SESSION: properties of one query
WITH SESSION hash_partition_count = 3 SELECT regionkey, count(*) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, count(*) FROM nation GROUP BY regionkey
WITH SESSION time_zone_id = 'Asia/Tokyo' SELECT current_timezone(), CAST(TIMESTAMP '2020-01-01 00:00:00' AS timestamp with time zone);
expect: [["Asia/Tokyo", "2020-01-01 00:00:00.000 Asia/Tokyo"]]
SELECT current_timezone();
expect: [["UTC"]]
WITH SESSION time_zone_id = 'Asia/Tokyo', query_max_run_time = '1' || 'h' WITH a AS (SELECT 1 AS x) SELECT x, current_timezone() FROM a;
expect: [[1, "Asia/Tokyo"]]
WITH SESSION max_recursion_depth = 2 WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT * FROM t;
error: NOT_SUPPORTED Recursion depth limit exceeded (2). Use 'max_recursion_depth' session property to modify the limit.
WITH SESSION max_recursion_depth = 20 WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 15) SELECT count(*) FROM t;
expect: [[15]]
EXECUTE IMMEDIATE 'WITH SESSION hash_partition_count = ? SELECT ?' USING 4, 5;
expect: [[5]]
EXPLAIN (TYPE LOGICAL) WITH SESSION nosuch = 1 SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:37: Session property 'nosuch' does not exist
WITH session AS (SELECT 1 AS x) SELECT * FROM session;
expect: [[1]]
WITH session (y) AS (SELECT 1 AS x) SELECT y FROM session;
expect: [[1]]
WITH SESSION nosuch = 1 SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:14: Session property 'nosuch' does not exist
WITH SESSION hash_partition_count = 0 SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:14: hash_partition_count must be an integer greater than or equal to 1: 0
WITH SESSION hash_partition_count = 'x' SELECT 1;
error: INVALID_SESSION_PROPERTY Unable to set session property 'hash_partition_count' to ''x'': Cannot cast type varchar(1) to integer
WITH SESSION hash_partition_count = 1, hash_partition_count = 2 SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:40: Session property 'hash_partition_count' is set more than once
WITH SESSION nosuch.hash_partition_count = 1 SELECT 1;
error: CATALOG_NOT_FOUND line 1:14: Catalog 'nosuch' does not exist
WITH SESSION time_zone_id = 'nowhere' SELECT 1;
error: INVALID_SESSION_PROPERTY line 1:14: Time zone not supported: nowhere
SELECT * FROM (WITH SESSION hash_partition_count = 1 SELECT 1);
error: SYNTAX_ERROR line 1:29: mismatched input 'hash_partition_count'. Expecting: '(', 'AS'
WITH SESSION hash_partition_count SELECT 1;
error: SYNTAX_ERROR line 1:35: mismatched input 'SELECT'. Expecting: '.', '='
-- EXPLAIN of what defines a table repeats it
EXPLAIN DROP TABLE IF EXISTS nosuch.schema.name;
expect: [["DROP TABLE IF EXISTS nosuch.schema.name"]]
EXPLAIN (TYPE VALIDATE) CREATE TABLE nosuch.schema.name (a bigint);
expect: [[true]]
EXPLAIN ANALYZE CREATE TABLE nosuch.schema.name (a bigint);
error: NOT_SUPPORTED EXPLAIN ANALYZE doesn't support statement type: CreateTable
