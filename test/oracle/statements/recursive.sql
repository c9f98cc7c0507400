-- WITH RECURSIVE: the rows of all levels, and what Trino refuses (its StatementAnalyzer; the depth is a session property).
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT sum(n), count(*) FROM t;
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n * 2 FROM t WHERE n < 500) SELECT n FROM t ORDER BY n DESC;
WITH RECURSIVE t(k, p, d) AS (SELECT nationkey, name, 0 FROM nation WHERE nationkey = 0 UNION ALL SELECT n.nationkey, n.name, t.d + 1 FROM t JOIN nation n ON n.nationkey = t.k * 2 + 1) SELECT * FROM t;
WITH RECURSIVE t(k, d) AS (SELECT regionkey, 0 FROM region UNION ALL SELECT n.nationkey, d + 1 FROM nation n, t WHERE n.regionkey = t.k AND n.nationkey > t.k AND d < 3) SELECT d, count(*), sum(k) FROM t GROUP BY d;
WITH RECURSIVE t(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM t WHERE b < 50) SELECT a FROM t;
WITH RECURSIVE a(x) AS (SELECT 1), t(n) AS (SELECT x FROM a UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT * FROM t AS u, t AS v;
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT sum(n) FROM t;
error: NOT_SUPPORTED Recursion depth limit exceeded (10). Use 'max_recursion_depth' session property to modify the limit.
WITH RECURSIVE t AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT 1;
error: MISSING_COLUMN_ALIASES line 1:16: missing column aliases in recursive WITH query
WITH RECURSIVE t(n) AS (VALUES 1 UNION SELECT n + 1 FROM t WHERE n < 5) SELECT 1;
error: NOT_SUPPORTED line 1:25: UNION DISTINCT in recursive queries is not supported
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t, t) SELECT 1 FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:65: multiple recursive references in the step relation of recursion
WITH RECURSIVE t(n) AS (VALUES 'a' UNION ALL SELECT n || 'b' FROM t) SELECT 1 FROM t;
error: TYPE_MISMATCH line 1:46: recursion step relation output type (varchar) is not coercible to recursion base relation output type (varchar(1)) at column 1
WITH RECURSIVE t(n) AS (SELECT n FROM t UNION ALL SELECT n + 1 FROM t) SELECT 1 FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:39: WITH table name is referenced in the base relation of recursion
WITH RECURSIVE t(n) AS (SELECT n FROM t) SELECT 1 FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:39: recursive reference not allowed in this context
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5 LIMIT 1) SELECT 1 FROM t;
error: NOT_SUPPORTED line 1:76: immediate LIMIT clause in recursive query is not supported
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT 1 WHERE 2 IN (SELECT n FROM t)) SELECT 1 FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:79: recursive reference outside of FROM clause of the step relation of recursion
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT r.regionkey FROM region r LEFT JOIN t ON r.regionkey = t.n) SELECT 1 FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:87: recursive reference in right source of LEFT join
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n, n FROM t) SELECT 1 FROM t;
error: TYPE_MISMATCH line 1:44: base and step relations of recursion have different number of fields: 1, 2
SET SESSION max_recursion_depth = 101;
error: INVALID_SESSION_PROPERTY line 1:1: max_recursion_depth must be less than or equal to 100: 101
SET SESSION max_recursion_depth = 100;
expect: [[true]]
SET SESSION max_recursion_depth = 0;
error: INVALID_SESSION_PROPERTY line 1:1: max_recursion_depth must be an integer greater than or equal to 1: 0
SELECT TRY(TRY(TRY(1 / x))), TRY(TRY(x) + 1) FROM (VALUES 0) t (x);
expect: [[null, 1]]
