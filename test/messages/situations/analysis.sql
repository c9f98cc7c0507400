-- Clauses: what may stand where, ordinals, grouping (Trino's TestAnalyzer; StatementAnalyzer, AggregationAnalyzer).
SELECT *;
error: COLUMN_NOT_FOUND line 1:8: SELECT * not allowed in queries without FROM clause
SELECT foo.* FROM t1;
error: TABLE_NOT_FOUND line 1:8: Unable to resolve reference foo
SELECT a.b.c.d.* FROM t1;
error: TABLE_NOT_FOUND line 1:8: Unable to resolve reference a.b.c.d
SELECT x.* FROM (VALUES (1, 2)) t (x, y);
error: TABLE_NOT_FOUND line 1:8: Unable to resolve reference x
SELECT (1, 2).* AS (a) FROM t1;
error: MISMATCHED_COLUMN_ALIASES line 1:21: Column alias list has 1 entries but relation has 2 columns
SELECT (SELECT o.* FROM (VALUES 1) i) FROM (VALUES 2) o;
error: NOT_SUPPORTED line 1:9: SELECT * from outer scope table not supported with anonymous columns
SELECT t.a FROM (SELECT t.* FROM (VALUES 1) t (a));
error: COLUMN_NOT_FOUND line 1:8: Column 't.a' cannot be resolved
SELECT * FROM t1 GROUP BY 10;
error: INVALID_COLUMN_REFERENCE line 1:27: GROUP BY position 10 is not in select list
SELECT * FROM t1 GROUP BY 0;
error: INVALID_COLUMN_REFERENCE line 1:27: GROUP BY position 0 is not in select list
SELECT a FROM t1 ORDER BY 2;
error: INVALID_COLUMN_REFERENCE line 1:27: ORDER BY position 2 is not in select list
SELECT * FROM t1 GROUP BY 1;
error: EXPRESSION_NOT_AGGREGATE Column 't1.b' not in GROUP BY clause
SELECT * FROM (SELECT a + 1, b FROM t1) t GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE Column 1 not in GROUP BY clause
SELECT * FROM (SELECT a, b FROM t1) GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE Column 'a' not in GROUP BY clause
SELECT x, sum(y) FROM (VALUES (1, 2)) t (x, y) GROUP BY x, sum(y);
error: EXPRESSION_NOT_SCALAR line 1:60: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [sum(y)]
SELECT x, sum(y) FROM (VALUES (1, 2)) t (x, y) GROUP BY 1, 2;
error: EXPRESSION_NOT_SCALAR line 1:11: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [sum(y)]
SELECT sum(b) / a FROM t1 GROUP BY c;
error: EXPRESSION_NOT_AGGREGATE line 1:15: '(sum(b) / a)' must be an aggregate expression or appear in GROUP BY clause
SELECT sum(b) FROM t1 ORDER BY a + 1;
error: EXPRESSION_NOT_AGGREGATE line 1:34: '(a + 1)' must be an aggregate expression or appear in GROUP BY clause
SELECT a, sum(b) FROM t1 GROUP BY a HAVING c > 5;
error: EXPRESSION_NOT_AGGREGATE line 1:46: '(c > 5)' must be an aggregate expression or appear in GROUP BY clause
SELECT a FROM t1 GROUP BY ();
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT 'a', ARRAY[b][1] FROM t1 GROUP BY 1;
error: EXPRESSION_NOT_AGGREGATE line 1:13: 'ARRAY[b][1]' must be an aggregate expression or appear in GROUP BY clause
SELECT CASE a WHEN 1 THEN 'a' ELSE 'b' END, count(*) FROM t1;
error: EXPRESSION_NOT_AGGREGATE line 1:8: '(CASE a WHEN 1 THEN 'a' ELSE 'b' END)' must be an aggregate expression or appear in GROUP BY clause
SELECT CASE WHEN a = 1 THEN 'a' ELSE 'b' END, count(*) FROM t1;
error: EXPRESSION_NOT_AGGREGATE line 1:8: '(CASE WHEN (a = 1) THEN 'a' ELSE 'b' END)' must be an aggregate expression or appear in GROUP BY clause
SELECT IF(a IS NULL, 1, 0) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'IF((a IS NULL), 1, 0)' must be an aggregate expression or appear in GROUP BY clause
SELECT IF(CAST(a AS varchar) LIKE 'a', 1, 0) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'IF((CAST(a AS varchar) LIKE 'a'), 1, 0)' must be an aggregate expression or appear in GROUP BY clause
SELECT a IN (1, 2, 3) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:10: '(a IN (1, 2, 3))' must be an aggregate expression or appear in GROUP BY clause
SELECT row_number() OVER () AS a FROM (VALUES (41, 42)) t (a, b) GROUP BY a + b ORDER BY a + b;
error: EXPRESSION_NOT_AGGREGATE line 1:92: '(a + b)' must be an aggregate expression or appear in GROUP BY clause
SELECT count(*) OVER (PARTITION BY a) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:36: PARTITION BY expression 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT transform(ARRAY[1], y -> y + x) FROM (VALUES (1, 2)) t (x, z) GROUP BY z;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'transform(ARRAY[1], (y) -> (y + x))' must be an aggregate expression or appear in GROUP BY clause
SELECT (SELECT u.a FROM (VALUES 1) x (a)) FROM t1 u GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:16: Subquery uses 'u.a' which must appear in GROUP BY clause
SELECT (SELECT a + 2) FROM t1 GROUP BY a + 1;
error: EXPRESSION_NOT_AGGREGATE line 1:16: Subquery uses 'a' which must appear in GROUP BY clause
SELECT EXISTS (SELECT 1 FROM t1 WHERE a = u.a) FROM t1 u GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:43: Subquery uses 'u.a' which must appear in GROUP BY clause
SELECT a FROM t1 GROUP BY a ORDER BY (SELECT b);
error: EXPRESSION_NOT_AGGREGATE line 1:46: Subquery uses 'b' which must appear in GROUP BY clause
SELECT 1 FROM (VALUES 1) t (x) GROUP BY ROLLUP (x + 1);
error: INVALID_COLUMN_REFERENCE line 1:51: GROUP BY expression must be a column reference: (x + 1)
SELECT 1 FROM (VALUES 1) t (x) GROUP BY CUBE (x, x + 1);
error: INVALID_COLUMN_REFERENCE line 1:52: GROUP BY expression must be a column reference: (x + 1)
SELECT 1 FROM (VALUES 1) t (x) GROUP BY GROUPING SETS (x, x + 1);
error: INVALID_COLUMN_REFERENCE line 1:61: GROUP BY expression must be a column reference: (x + 1)
SELECT sum(a) x FROM t1 HAVING x > 5;
error: COLUMN_NOT_FOUND line 1:32: Column 'x' cannot be resolved
SELECT max(a) AS a FROM (VALUES (1, 2)) t (a, b) GROUP BY b ORDER BY max(a + b);
error: COLUMN_NOT_FOUND line 1:74: Invalid reference to output projection attribute from ORDER BY aggregation
SELECT 1 AS x FROM (VALUES (1, 2)) t (x, y) GROUP BY y ORDER BY sum(y) FILTER (WHERE x > 0);
error: COLUMN_NOT_FOUND line 1:86: Invalid reference to output projection attribute from ORDER BY aggregation
SELECT a AS b FROM t1 GROUP BY t1.a ORDER BY max((SELECT b));
error: COLUMN_NOT_FOUND line 1:58: Invalid reference to output projection attribute from ORDER BY aggregation
SELECT 1 AS c FROM (VALUES 1, 2) t (x) ORDER BY sum(x ORDER BY c);
error: COLUMN_NOT_FOUND line 1:64: ORDER BY clause in aggregation function must not reference query output columns
SELECT 1 AS a, array_agg(x ORDER BY a) FROM (VALUES 1, 2) t (x);
error: COLUMN_NOT_FOUND line 1:37: Column 'a' cannot be resolved
SELECT DISTINCT random() FROM t1 ORDER BY random();
error: EXPRESSION_NOT_IN_DISTINCT line 1:43: For SELECT DISTINCT, ORDER BY expressions must appear in select list
SELECT * FROM t1 WHERE a;
error: TYPE_MISMATCH line 1:24: WHERE clause must evaluate to a boolean: actual type bigint
SELECT sum(a) FROM t1 HAVING sum(a);
error: TYPE_MISMATCH line 1:30: HAVING clause must evaluate to a boolean: actual type bigint
SELECT * FROM (VALUES 1) a (x) JOIN (VALUES 1) b (x) ON 1;
error: TYPE_MISMATCH line 1:57: JOIN ON clause must evaluate to a boolean: actual type integer
SELECT * FROM (VALUES 1) a (x) JOIN (VALUES 1) b (x) ON a.x + b.x;
error: TYPE_MISMATCH line 1:61: JOIN ON clause must evaluate to a boolean: actual type integer
SELECT * FROM t1 WHERE sum(a) > 1;
error: EXPRESSION_NOT_SCALAR line 1:31: WHERE clause cannot contain aggregations, window functions or grouping operations: [sum(a)]
SELECT * FROM t1 JOIN t2 ON sum(t1.a) = t2.a;
error: EXPRESSION_NOT_SCALAR line 1:39: JOIN clause cannot contain aggregations, window functions or grouping operations: [sum(t1.a)]
SELECT * FROM t1 WHERE rank() OVER () > 1;
error: EXPRESSION_NOT_SCALAR line 1:39: WHERE clause cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
SELECT * FROM t1 GROUP BY rank() OVER ();
error: EXPRESSION_NOT_SCALAR line 1:27: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
SELECT 1 FROM (VALUES 1) HAVING count(*) OVER () > 1;
error: NESTED_WINDOW line 1:33: HAVING clause cannot contain window functions or row pattern measures
SELECT a, b, sum(c) FROM t1 WHERE grouping(a, b) = 1 GROUP BY GROUPING SETS ((a), (a, b));
error: EXPRESSION_NOT_SCALAR line 1:50: WHERE clause cannot contain aggregations, window functions or grouping operations: [GROUPING (a, b)]
SELECT a, b, sum(c) FROM t1 GROUP BY grouping(a, b);
error: EXPRESSION_NOT_SCALAR line 1:38: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [GROUPING (a, b)]
SELECT grouping(a) FROM t1;
error: MISSING_GROUP_BY line 1:1: A GROUPING() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause
SELECT * FROM t1 ORDER BY grouping(a);
error: MISSING_GROUP_BY line 1:1: A GROUPING() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause
SELECT grouping(a) FROM t1 GROUP BY b;
error: INVALID_ARGUMENTS line 1:8: The arguments to GROUPING() must be expressions referenced by the GROUP BY at the associated query level. Mismatch due to a.
SELECT * FROM t1 u (x, y);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 2 entries but 'u' has 4 columns available
SELECT * FROM (SELECT 1, 2) AS t (a);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 1 entries but 't' has 2 columns available
SELECT * FROM t1 FETCH FIRST 0 ROWS ONLY;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:18: FETCH FIRST row count must be positive (actual value: 0)
SELECT * FROM t1 FETCH FIRST 5 ROWS WITH TIES;
error: MISSING_ORDER_BY line 1:18: FETCH FIRST WITH TIES clause requires ORDER BY
SELECT * FROM (SELECT * FROM (VALUES 1, 3) t (a) ORDER BY a) FETCH FIRST 5 ROWS WITH TIES;
error: MISSING_ORDER_BY line 1:62: FETCH FIRST WITH TIES clause requires ORDER BY
SELECT * FROM t1 TABLESAMPLE BERNOULLI ('a');
error: TYPE_MISMATCH line 1:41: Sample percentage should be a numeric expression
SELECT * FROM t1 TABLESAMPLE BERNOULLI (a + 1);
error: EXPRESSION_NOT_CONSTANT line 1:43: Sample percentage cannot contain column references
SELECT * FROM t1 TABLESAMPLE BERNOULLI (-1);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:41: Sample percentage must be greater than or equal to 0
SELECT * FROM t1 TABLESAMPLE BERNOULLI (101);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:41: Sample percentage must be less than or equal to 100
VALUES (1, 2, 3), (1, 2);
error: TYPE_MISMATCH line 1:1: Values rows have mismatched sizes: 3 vs 2
VALUES (1, 2), 1;
error: TYPE_MISMATCH line 1:1: Values rows have mismatched sizes: 2 vs 1
VALUES (1, 2), ('a', 'b');
error: TYPE_MISMATCH line 1:1: Values rows have mismatched types: row(integer, integer) vs row(varchar(1), varchar(1))
SELECT a, b, c FROM t1 GROUP BY CUBE (a, b, c, d), CUBE (a, b, c, d), CUBE (a, b, c, d);
error: TOO_MANY_GROUPING_SETS line 1:33: GROUP BY has 4096 grouping sets but can contain at most 2048
WITH a AS (SELECT * FROM t1), a AS (SELECT * FROM t1) SELECT * FROM a;
error: DUPLICATE_NAMED_QUERY line 1:31: WITH query name 'a' specified more than once
WITH a AS (SELECT * FROM b), b AS (SELECT * FROM t1) SELECT * FROM a;
error: TABLE_NOT_FOUND line 1:26: Table 'memory.s1.b' does not exist
WITH a (x) AS (SELECT * FROM t1) SELECT * FROM a;
error: MISMATCHED_COLUMN_ALIASES line 1:9: Column alias list has 1 entries but relation has 4 columns
WITH a (x, y, z, x) AS (SELECT * FROM t1) SELECT * FROM a;
error: DUPLICATE_COLUMN_NAME line 1:18: Column name 'x' specified more than once
WITH RECURSIVE a AS (SELECT * FROM t1) SELECT * FROM a;
error: MISSING_COLUMN_ALIASES line 1:16: missing column aliases in recursive WITH query
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 2, n + 10 FROM t WHERE n < 6) SELECT * FROM t;
error: TYPE_MISMATCH line 1:45: base and step relations of recursion have different number of fields: 1, 2
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT BIGINT '9' FROM t WHERE n < 7) SELECT * FROM t;
error: TYPE_MISMATCH line 1:45: recursion step relation output type (bigint) is not coercible to recursion base relation output type (integer) at column 1
WITH RECURSIVE t (n) AS (SELECT 1 FROM t UNION ALL SELECT n + 2 FROM t WHERE n < 6) SELECT * FROM t;
error: INVALID_RECURSIVE_REFERENCE
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT a.n + 2 FROM t AS a, t AS b WHERE a.n < 6) SELECT * FROM t;
error: INVALID_RECURSIVE_REFERENCE
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL TABLE t) SELECT * FROM t;
error: INVALID_RECURSIVE_REFERENCE
WITH RECURSIVE t (n) AS (SELECT 1 INTERSECT SELECT n + 2 FROM t WHERE n < 6) SELECT * FROM t;
error: INVALID_RECURSIVE_REFERENCE
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM (SELECT 10) u LEFT JOIN t ON true WHERE n < 6) SELECT * FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:87: recursive reference in right source of LEFT join
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM t FULL JOIN (SELECT 10) u ON true WHERE n < 6) SELECT * FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:63: recursive reference in left source of FULL join
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL (SELECT n + 2 FROM ((SELECT 10) EXCEPT (TABLE t)) u (n))) SELECT * FROM t;
error: INVALID_RECURSIVE_REFERENCE line 1:85: recursive reference in right relation of EXCEPT DISTINCT
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM t WHERE n < 6 ORDER BY 1) SELECT * FROM t;
error: NOT_SUPPORTED /line 1:\d+: immediate ORDER BY clause in recursive query is not supported/
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM t WHERE n < 6 OFFSET 1) SELECT * FROM t;
error: NOT_SUPPORTED /line 1:\d+: immediate OFFSET clause in recursive query is not supported/
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM t WHERE n < 6 LIMIT 1) SELECT * FROM t;
error: INVALID_LIMIT_CLAUSE /line 1:77: immediate FETCH FIRST \/ LIMIT clause in recursive query( is not supported)?/
WITH RECURSIVE t (n) AS (SELECT * FROM (WITH RECURSIVE t2 (m) AS (SELECT 1) SELECT m FROM t2)) SELECT * FROM t;
error: NESTED_RECURSIVE
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t;
error: NOT_SUPPORTED Recursion depth limit exceeded (10). Use 'max_recursion_depth' session property to modify the limit.
SELECT x -> abs(x) FROM t1;
error: TYPE_MISMATCH line 1:8: Lambda expression should always be used inside a function
SELECT transform(ARRAY[1], y -> max(x)) FROM (VALUES 10) t (x);
error: EXPRESSION_NOT_SCALAR line 1:33: Lambda expression cannot contain aggregations, window functions or grouping operations: [max(x)]
SELECT transform(ARRAY[1], i -> (SELECT 3)) FROM t1;
error: NOT_SUPPORTED line 1:33: Lambda expression cannot contain subqueries
SELECT filter(ARRAY[5, 6], (x, y) -> x = 5);
error: INVALID_PARAMETER_USAGE line 1:28: Expected a lambda that takes 1 argument(s) but got 2
SELECT map_filter(MAP(ARRAY[5], ARRAY[6]), (x) -> x = 1);
error: INVALID_PARAMETER_USAGE line 1:44: Expected a lambda that takes 2 argument(s) but got 1
SELECT reduce(ARRAY[5, 20], 0, (s) -> s, s -> s);
error: INVALID_PARAMETER_USAGE line 1:32: Expected a lambda that takes 2 argument(s) but got 1
SELECT zip_with(ARRAY[1], ARRAY['a'], (x, y, z) -> x);
error: INVALID_PARAMETER_USAGE line 1:39: Expected a lambda that takes 2 argument(s) but got 3
SELECT TRY(transform(ARRAY[5], (x, y) -> x)[1] / 0);
error: INVALID_PARAMETER_USAGE line 1:32: Expected a lambda that takes 1 argument(s) but got 2
SELECT CASE random() WHEN > ALL (SELECT 0.5e0) THEN 1 END;
error: NOT_SUPPORTED line 1:22: Subquery in a WHEN clause of a CASE whose operand is not deterministic is not supported
SELECT (DATE '2020-01-01', DATE '2020-06-01', DATE '2020-12-31') OVERLAPS (DATE '2020-05-01', DATE '2020-07-01');
error: TYPE_MISMATCH line 1:66: OVERLAPS operand must be a row of two elements: row(date, date, date)
SELECT (1, 2) OVERLAPS (3, 4);
error: TYPE_MISMATCH line 1:15: OVERLAPS period start must be a datetime: integer
SELECT (DATE '2020-01-01', VARCHAR 'not a date') OVERLAPS (DATE '2020-05-01', DATE '2020-07-01');
error: TYPE_MISMATCH line 1:50: OVERLAPS period end must be a datetime or interval: varchar
SELECT (DATE '2020-01-01', DATE '2020-06-01') OVERLAPS (DATE '2020-05-01', INTERVAL '7' MONTH);
error: TYPE_MISMATCH line 1:47: Cannot apply OVERLAPS to row(date, date) and row(date, interval year to month)
