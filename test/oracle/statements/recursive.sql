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
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t, t) SELECT 1 FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:65: multiple recursive references in the step relation of recursion
WITH RECURSIVE t(n) AS (VALUES 'a' UNION ALL SELECT n || 'b' FROM t) SELECT 1 FROM t;
error: TYPE_MISMATCH line 1:46: recursion step relation output type (varchar) is not coercible to recursion base relation output type (varchar(1)) at column 1
WITH RECURSIVE t(n) AS (SELECT n FROM t UNION ALL SELECT n + 1 FROM t) SELECT 1 FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:39: WITH table name is referenced in the base relation of recursion
WITH RECURSIVE t(n) AS (SELECT n FROM t) SELECT 1 FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:39: recursive reference not allowed in this context
WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5 LIMIT 1) SELECT 1 FROM t;
error: INVALID_LIMIT_CLAUSE line 1:76: immediate FETCH FIRST / LIMIT clause in recursive query
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
-- UNION DISTINCT keeps rows that are new, so that a walk through a circle ends.
WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n % 5 + 1 FROM t) SELECT * FROM t;
WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM t WHERE n < 5) SELECT count(*), sum(n) FROM t;
WITH RECURSIVE t(a, b) AS (SELECT * FROM (VALUES (1, 2), (1, 2), (2, 3), (3, 1), (3, NULL)) e(a, b) UNION SELECT t.a, e.b FROM t JOIN (VALUES (1, 2), (2, 3), (3, 1), (3, NULL), (4, 5)) e(a, b) ON e.a = t.b) SELECT * FROM t;
WITH RECURSIVE t(n) AS (SELECT regionkey FROM region WHERE name = 'ASIA' UNION DISTINCT SELECT n.nationkey % 5 FROM (SELECT DISTINCT n FROM t) t LEFT JOIN nation n ON n.regionkey = t.n) SELECT * FROM t;
duckdb: WITH RECURSIVE t(n) AS (SELECT regionkey FROM region WHERE name = 'ASIA' UNION SELECT n.nationkey % 5 FROM (SELECT DISTINCT n FROM t) t LEFT JOIN nation n ON n.regionkey = t.n) SELECT * FROM t;
WITH RECURSIVE t(n) AS (SELECT 1 UNION (SELECT n % 7 + 2 FROM t EXCEPT SELECT 4)) SELECT * FROM t;
duckdb: WITH RECURSIVE t(n) AS (SELECT 1 UNION (SELECT n % 7 + 2 FROM t WHERE n % 7 + 2 <> 4)) SELECT * FROM t;
WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM t) SELECT * FROM t;
error: NOT_SUPPORTED Recursion depth limit exceeded (10). Use 'max_recursion_depth' session property to modify the limit.
WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT max(n) + 1 FROM t) SELECT * FROM t;
error: NOT_SUPPORTED line 1:47: recursive reference below aggregations and window functions is not supported in a recursive query with UNION DISTINCT
WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM t GROUP BY n) SELECT * FROM t;
error: NOT_SUPPORTED
WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM (SELECT n FROM t ORDER BY n LIMIT 1) s) SELECT * FROM t;
error: NOT_SUPPORTED line 1:86: recursive reference below LIMIT is not supported in a recursive query with UNION DISTINCT
WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT s.n FROM (SELECT n.nationkey AS n FROM nation n WHERE n.nationkey - 1 IN (SELECT t.n FROM t)) s) SELECT * FROM t;
error: NOT_SUPPORTED line 1:137: recursive reference below subqueries in expressions is not supported in a recursive query with UNION DISTINCT
-- A query of an inner WITH that has the same name is no recursive reference.
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT t.n + 1 FROM t JOIN (WITH t AS (SELECT 5 AS n) SELECT n FROM t) s ON t.n < s.n) SELECT * FROM t;
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT s.n + 1 FROM (WITH q AS (SELECT n FROM t), t AS (SELECT 5 AS n) SELECT q.n FROM q, t WHERE q.n < t.n) s) SELECT * FROM t;
expect: [[1], [2], [3], [4], [5]]
WITH RECURSIVE t(n) AS (SELECT n FROM (WITH t AS (SELECT 5 AS n) SELECT n FROM t) s UNION ALL SELECT 1) SELECT * FROM t;
expect: [[5], [1]]
-- References below correlated subqueries: a plan does not double with every level.
WITH RECURSIVE t(n) AS (SELECT BIGINT '1' UNION ALL SELECT s.n + 1 FROM (SELECT o.nationkey AS n FROM nation o WHERE o.nationkey IN (SELECT t.n FROM t WHERE t.n < o.regionkey + 5)) s) SELECT * FROM t;
expect: [[1], [2], [3], [4], [5]]
WITH RECURSIVE t(n) AS (SELECT BIGINT '5' UNION ALL SELECT s.n FROM (SELECT DISTINCT o.nationkey AS n FROM nation o WHERE (o.nationkey + 2, o.nationkey + 2) IN (SELECT t.n, t.n FROM t WHERE t.n <= o.regionkey + 5)) s) SELECT * FROM t;
expect: [[5], [3], [1]]
WITH RECURSIVE t(n) AS (SELECT 5 UNION ALL SELECT s.n - 1 FROM (SELECT t.n FROM t WHERE t.n > 1 AND (SELECT max(z.k + t.n) FROM (SELECT o.nationkey AS k FROM nation o WHERE o.regionkey <> t.n ORDER BY o.nationkey LIMIT 3) z) > 4) s) SELECT * FROM t;
expect: [[5], [4], [3], [2]]
WITH RECURSIVE t(n) AS (SELECT 5 UNION ALL SELECT n - 1 FROM t WHERE n > 1 AND n IN (SELECT o.nationkey + 1 FROM nation o WHERE o.regionkey > t.n UNION SELECT n)) SELECT * FROM t;
expect: [[5], [4], [3], [2], [1]]
