-- CORRESPONDING: columns of a set operation by their names
SELECT nationkey, name FROM nation UNION CORRESPONDING SELECT name, regionkey, comment FROM region;
duckdb: SELECT name FROM nation UNION SELECT name FROM region
SELECT name, nationkey AS key FROM nation UNION ALL CORRESPONDING SELECT regionkey AS key, comment, name FROM region;
duckdb: SELECT name, nationkey AS key FROM nation UNION ALL SELECT name, regionkey FROM region
SELECT name, nationkey AS key FROM nation UNION ALL CORRESPONDING BY (key, name) SELECT regionkey AS key, comment, name FROM region;
duckdb: SELECT nationkey AS key, name FROM nation UNION ALL SELECT regionkey, name FROM region
SELECT * FROM nation INTERSECT CORRESPONDING BY (regionkey) SELECT * FROM region;
duckdb: SELECT regionkey FROM nation INTERSECT SELECT regionkey FROM region
SELECT * FROM nation EXCEPT ALL CORRESPONDING BY (RegionKey) SELECT * FROM region WHERE regionkey < 3;
duckdb: SELECT regionkey FROM nation EXCEPT ALL SELECT regionkey FROM region WHERE regionkey < 3
SELECT * FROM (SELECT 1 AS a, 2 AS b UNION CORRESPONDING SELECT 3 AS b, 4 AS a UNION SELECT 5, 6) ORDER BY a;
expect: [[1, 2], [4, 3], [5, 6]]
SELECT 1 AS a, 2 AS b UNION SELECT 3, 4 UNION CORRESPONDING SELECT 7 AS b;
duckdb: SELECT 2 UNION SELECT 4 UNION SELECT 7
SELECT 1 AS a, 2 AS b UNION CORRESPONDING SELECT 3 AS b, 4 AS a INTERSECT CORRESPONDING SELECT 4 AS a, 3 AS c;
duckdb: SELECT 1 UNION SELECT 4
SELECT 1 AS "A", 2 AS b UNION CORRESPONDING SELECT bigint '3' AS a, 4 AS c;
duckdb: SELECT 1 UNION SELECT 3
types: bigint
SELECT b, count(*) FROM (SELECT nationkey AS a, regionkey AS b FROM nation UNION ALL CORRESPONDING TABLE corresponding) GROUP BY b;
error: TABLE_NOT_FOUND line 1:106: Table 'tpch.tiny.corresponding' does not exist
WITH corresponding (a, b) AS (VALUES (1, 2)) SELECT b FROM corresponding UNION CORRESPONDING BY (b) TABLE corresponding;
expect: [[2]]
SELECT a FROM (VALUES 1) t (a) UNION CORRESPONDING (VALUES 2);
error: COLUMN_NOT_FOUND line 1:38: CORRESPONDING requires a column that both terms have
SELECT a FROM (VALUES 1) t (a) UNION CORRESPONDING BY (b) SELECT 1 AS b;
error: COLUMN_NOT_FOUND line 1:56: Column 'b' is missing from left side of CORRESPONDING
SELECT a FROM (VALUES 1) t (a) UNION CORRESPONDING BY (a) SELECT 1 AS b;
error: COLUMN_NOT_FOUND line 1:56: Column 'a' is missing from right side of CORRESPONDING
SELECT a FROM (VALUES 1) t (a) UNION CORRESPONDING BY (a, A) SELECT 1 AS a;
error: DUPLICATE_COLUMN_NAME line 1:59: CORRESPONDING BY lists column 'a' more than once
SELECT 1 AS a UNION CORRESPONDING SELECT 1 AS a, 2 AS a;
error: AMBIGUOUS_NAME line 1:21: Column 'a' is ambiguous
SELECT 1 AS a UNION CORRESPONDING SELECT 'x' AS a;
error: TYPE_MISMATCH line 1:15: column 1 in UNION query has incompatible types: integer, varchar(1)
SELECT 1 AS a UNION CORRESPONDING BY () SELECT 'x' AS a;
error: SYNTAX_ERROR line 1:39: mismatched input ')'. Expecting: <identifier>
WITH RECURSIVE t (a) AS (SELECT 1 AS a UNION ALL CORRESPONDING SELECT a + 1 AS a FROM t WHERE a < 3) SELECT * FROM t;
error: NOT_SUPPORTED line 1:50: immediate CORRESPONDING clause in recursive query is not supported
