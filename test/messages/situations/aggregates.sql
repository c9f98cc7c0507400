SELECT sum('a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\)\) for function sum\. Expected: .*/
SELECT sum(true);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(boolean\) for function sum\. Expected: .*/
SELECT avg(DATE '2020-01-01');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(date\) for function avg\. Expected: .*/
SELECT sum(a, b) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint, bigint\) for function sum\. Expected: .*/
SELECT sum() FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function sum\. Expected: .*/
SELECT sum(*) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function sum\. Expected: .*/
SELECT count(a, b) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint, bigint\) for function count\. Expected: .*/
SELECT max(m) FROM words;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(map\(integer, varchar\)\) for function max\. Expected: .*/
SELECT min(JSON '1');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(json\) for function min\. Expected: .*/
SELECT max(a, -1) FROM t1;
error: INVALID_FUNCTION_ARGUMENT second argument of max_n/min_n must be positive
SELECT max(a, 0) FROM t1;
error: INVALID_FUNCTION_ARGUMENT second argument of max_n/min_n must be positive
SELECT max(a, 10001) FROM t1;
error: INVALID_FUNCTION_ARGUMENT second argument of max_n/min_n must be less than or equal to 10000; found 10001
SELECT max_by(a, b, 0) FROM t1;
error: INVALID_FUNCTION_ARGUMENT third argument of max_by/min_by must be a positive integer
SELECT max_by(a, m) FROM (VALUES (1, MAP(ARRAY[1], ARRAY[2]))) t (a, m);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, map\(integer, integer\)\) for function max_by\. Expected: .*/
SELECT array_agg(DISTINCT x) FROM (VALUES HyperLogLog 'x') t (x);
error: INVALID_LITERAL line 1:43: No literal form for type HyperLogLog
SELECT sum(sum(a)) FROM t1;
error: NESTED_AGGREGATION line 1:8: Cannot nest aggregations inside aggregation 'sum': [sum(a)]
SELECT sum(rank() OVER ()) FROM t1;
error: NESTED_WINDOW line 1:8: Cannot nest window functions or row pattern measures inside aggregation 'sum': [rank() OVER ()]
SELECT sum(a) FILTER (WHERE b) FROM t1;
error: TYPE_MISMATCH line 1:29: FILTER clause must evaluate to a boolean: actual type bigint
SELECT sum(a) FILTER (WHERE sum(b) > 1) FROM t1;
error: EXPRESSION_NOT_SCALAR
SELECT abs(a) FILTER (WHERE true) FROM t1;
error: FUNCTION_NOT_AGGREGATE line 1:8: Filter is only valid for aggregation functions
SELECT abs(DISTINCT a) FROM t1;
error: FUNCTION_NOT_AGGREGATE line 1:8: DISTINCT is not supported for non-aggregation functions
SELECT abs(a ORDER BY b) FROM t1;
error: FUNCTION_NOT_AGGREGATE line 1:8: ORDER BY is only valid for aggregation functions
SELECT IF(DISTINCT a, b) FROM t1;
error: SYNTAX_ERROR line 1:8: DISTINCT not valid for 'if' function
SELECT COALESCE(a, b) FILTER (WHERE true) FROM t1;
error: SYNTAX_ERROR line 1:8: FILTER not valid for 'coalesce' function
SELECT array_agg(DISTINCT a ORDER BY b) FROM t1;
error: EXPRESSION_NOT_IN_DISTINCT line 1:38: For aggregate function with DISTINCT, ORDER BY expressions must appear in arguments
SELECT array_agg(a ORDER BY m) FROM (VALUES (1, MAP(ARRAY[1], ARRAY[2]))) t (a, m);
error: TYPE_MISMATCH line 1:8: ORDER BY can only be applied to orderable types (actual: map(integer, integer))
SELECT a, sum(b) FROM t1;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT a + 1, sum(b) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:10: '(a + 1)' must be an aggregate expression or appear in GROUP BY clause
SELECT a FROM t1 HAVING sum(b) > 1;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT sum(b) FROM t1 HAVING a > 1;
error: EXPRESSION_NOT_AGGREGATE line 1:32: '(a > 1)' must be an aggregate expression or appear in GROUP BY clause
SELECT sum(b) FROM t1 HAVING sum(b);
error: TYPE_MISMATCH line 1:30: HAVING clause must evaluate to a boolean: actual type bigint
SELECT count(*) FROM (VALUES JSON '1') t (j) GROUP BY HyperLogLog 'x';
error: INVALID_LITERAL line 1:55: No literal form for type HyperLogLog
SELECT sum(a) FROM t1 WHERE sum(a) > 1;
error: EXPRESSION_NOT_SCALAR line 1:36: WHERE clause cannot contain aggregations, window functions or grouping operations: [sum(a)]
SELECT sum(a) FROM t1 GROUP BY sum(a);
error: EXPRESSION_NOT_SCALAR line 1:32: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [sum(a)]
SELECT sum(a) FROM t1 GROUP BY 1;
error: EXPRESSION_NOT_SCALAR line 1:8: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [sum(a)]
SELECT sum(a) FROM t1 GROUP BY 0;
error: INVALID_COLUMN_REFERENCE line 1:32: GROUP BY position 0 is not in select list
SELECT sum(a) FROM t1 GROUP BY 3;
error: INVALID_COLUMN_REFERENCE line 1:32: GROUP BY position 3 is not in select list
SELECT sum(a) FROM t1 ORDER BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:32: 'b' must be an aggregate expression or appear in GROUP BY clause
SELECT DISTINCT a FROM t1 ORDER BY b;
error: EXPRESSION_NOT_IN_DISTINCT line 1:36: For SELECT DISTINCT, ORDER BY expressions must appear in select list
SELECT approx_percentile(a, 2) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Percentile must be between 0 and 1
SELECT approx_percentile(a, -0.5) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Percentile must be between 0 and 1
SELECT approx_percentile(a, 'x') FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint, varchar\(1\)\) for function approx_percentile\. Expected: .*/
SELECT approx_percentile(a, ARRAY[0.5, 2]) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Percentile must be between 0 and 1
SELECT approx_percentile(a, -1, 0.5) FROM t1;
error: INVALID_FUNCTION_ARGUMENT weight must be >= 1, was -1.0
SELECT approx_percentile(a, ARRAY[NULL]) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Percentile cannot be null
SELECT approx_distinct(a, 0.5) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Max standard error must be in [0.0040625, 0.26000]: 0.5
SELECT approx_distinct(a, 0.001) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Max standard error must be in [0.0040625, 0.26000]: 0.001
SELECT numeric_histogram(1, a) FROM t1;
error: INVALID_FUNCTION_ARGUMENT numeric_histogram bucket count must be greater than one
SELECT numeric_histogram(0, a) FROM t1;
error: INVALID_FUNCTION_ARGUMENT numeric_histogram bucket count must be greater than one
SELECT approx_most_frequent(0, a, 10) FROM t1;
error: INVALID_FUNCTION_ARGUMENT approx_most_frequent bucket count must be greater than one, input bucket count: 0
SELECT approx_most_frequent(2, a, 0) FROM t1;
error: INVALID_FUNCTION_ARGUMENT approx_most_frequent capacity must be positive, input capacity: 0
SELECT approx_most_frequent(1, a, 10) FROM t1;
error: INVALID_FUNCTION_ARGUMENT approx_most_frequent bucket count must be greater than one, input bucket count: 1
SELECT bitwise_and_agg(x) FROM (VALUES 1e0) t (x);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(double\) for function bitwise_and_agg\. Expected: .*/
SELECT bool_and(a) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint\) for function bool_and\. Expected: .*/
SELECT count_if(a) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint\) for function count_if\. Expected: .*/
SELECT geometric_mean('a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\)\) for function geometric_mean\. Expected: .*/
SELECT map_agg(m, 1) FROM (VALUES HyperLogLog 'x') t (m);
error: INVALID_LITERAL line 1:35: No literal form for type HyperLogLog
SELECT map_union(a) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint\) for function map_union\. Expected: .*/
SELECT map_union_sum(MAP(ARRAY['a'], ARRAY['b']));
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(map\(varchar\(1\), varchar\(1\)\)\) for function map_union_sum\. Expected: .*/
SELECT set_union(a) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint\) for function set_union\. Expected: .*/
SELECT reduce_agg(a, 0, (s, x) -> s + x) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint, integer, <function>\) for function reduce_agg\. Expected: .*/
SELECT reduce_agg(a, 0, (s, x) -> 'a', (s, t) -> s) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint, integer, .*\) for function reduce_agg\. Expected: reduce_agg\(.*/
SELECT listagg(a, ',') WITHIN GROUP (ORDER BY a) FROM t1;
error: TYPE_MISMATCH line 1:8: Expected expression of varchar, but 'a' has bigint type
SELECT corr('a', 1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\), integer\) for function corr\. Expected: .*/
SELECT regr_slope(1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function regr_slope\. Expected: .*/
SELECT entropy(-1);
error: INVALID_FUNCTION_ARGUMENT Entropy count argument must be non-negative
SELECT entropy('a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\)\) for function entropy\. Expected: .*/
SELECT merge(1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function merge\. Expected: .*/
SELECT merge(a) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint\) for function merge\. Expected: .*/
SELECT qdigest_agg('a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\)\) for function qdigest_agg\. Expected: .*/
SELECT qdigest_agg(1, 0);
error: INVALID_FUNCTION_ARGUMENT Percentile weight must be > 0
SELECT qdigest_agg(1, 1, 2);
error: INVALID_FUNCTION_ARGUMENT Percentile accuracy must be exclusively between 0 and 1, was 2.0
SELECT tdigest_agg('a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\)\) for function tdigest_agg\. Expected: .*/
SELECT tdigest_agg(1, -1);
error: INVALID_FUNCTION_ARGUMENT
SELECT value_at_quantile(tdigest_agg(1), 2);
error: INVALID_FUNCTION_ARGUMENT Quantile should be within bounds [0, 1], was: 2.0
SELECT value_at_quantile(qdigest_agg(1), 2);
error: INVALID_FUNCTION_ARGUMENT Quantile should be within bounds [0, 1], was: 2.0
SELECT quantile_at_value(qdigest_agg(1), 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(qdigest\(bigint\), varchar\(1\)\) for function quantile_at_value\. Expected: .*/
SELECT checksum();
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function checksum\. Expected: .*/
SELECT arbitrary();
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function arbitrary\. Expected: .*/
SELECT any_value();
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function any_value\. Expected: .*/
SELECT GROUPING(a) FROM t1;
error: MISSING_GROUP_BY line 1:1: A GROUPING() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause
SELECT GROUPING(b) FROM t1 GROUP BY a;
error: INVALID_ARGUMENTS line 1:8: The arguments to GROUPING() must be expressions referenced by the GROUP BY at the associated query level. Mismatch due to b.
SELECT a FROM t1 WHERE GROUPING(a) = 0 GROUP BY a;
error: EXPRESSION_NOT_SCALAR line 1:36: WHERE clause cannot contain aggregations, window functions or grouping operations: [GROUPING (a)]
SELECT a FROM t1 GROUP BY GROUPING SETS ((a), (a + 1));
error: INVALID_COLUMN_REFERENCE line 1:50: GROUP BY expression must be a column reference: (a + 1)
SELECT a FROM t1 GROUP BY ROLLUP (a + 1);
error: INVALID_COLUMN_REFERENCE line 1:37: GROUP BY expression must be a column reference: (a + 1)
SELECT a, b FROM t1 GROUP BY CUBE (a);
error: EXPRESSION_NOT_AGGREGATE line 1:11: 'b' must be an aggregate expression or appear in GROUP BY clause
SELECT a FROM t1 GROUP BY a, a LIMIT 'x';
error: SYNTAX_ERROR /line 1:38: mismatched input ''x''\. Expecting: .*/
SELECT sum(a) OVER () FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'sum(a) OVER ()' must be an aggregate expression or appear in GROUP BY clause
SELECT rank() OVER (ORDER BY a) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:30: ORDER BY expression 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT max(a) FROM t1 GROUP BY rank() OVER ();
error: EXPRESSION_NOT_SCALAR line 1:32: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
SELECT variance('a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\)\) for function variance\. Expected: .*/
SELECT skewness(true);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(boolean\) for function skewness\. Expected: .*/
SELECT count(*) OVER (ORDER BY a) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:32: ORDER BY expression 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT count(*) OVER (ORDER BY b ROWS a PRECEDING) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:39: Window frame start must be an aggregate expression or appear in GROUP BY clause
SELECT count(*) OVER (ORDER BY b ROWS BETWEEN CURRENT ROW AND a FOLLOWING) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:63: Window frame end must be an aggregate expression or appear in GROUP BY clause
SELECT count(*) OVER w FROM t1 GROUP BY b WINDOW w AS (PARTITION BY a);
error: EXPRESSION_NOT_AGGREGATE line 1:69: PARTITION BY expression 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT 1 + count(*) OVER (PARTITION BY a + 1) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:42: PARTITION BY expression '(a + 1)' must be an aggregate expression or appear in GROUP BY clause
SELECT rank() OVER (PARTITION BY b ORDER BY a + 1) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:47: ORDER BY expression '(a + 1)' must be an aggregate expression or appear in GROUP BY clause
SELECT sum(c) OVER (PARTITION BY a) FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:34: PARTITION BY expression 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT sum(c) OVER () FROM t1 GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'sum(c) OVER ()' must be an aggregate expression or appear in GROUP BY clause
SELECT b FROM t1 GROUP BY b ORDER BY rank() OVER (PARTITION BY a);
error: EXPRESSION_NOT_AGGREGATE line 1:64: PARTITION BY expression 'a' must be an aggregate expression or appear in GROUP BY clause
SELECT grouping(b) FROM t1;
error: MISSING_GROUP_BY line 1:1: A GROUPING() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause
SELECT sum(a) OVER (PARTITION BY rank() OVER ()) FROM t1;
error: NESTED_WINDOW line 1:34: Cannot nest window functions or row pattern measures inside window specification
SELECT b AS x FROM t1 GROUP BY b ORDER BY grouping(x);
error: INVALID_ARGUMENTS line 1:52: Invalid reference to output of SELECT clause from grouping() expression in ORDER BY
SELECT sum(b) AS x FROM t1 ORDER BY sum(x);
error: COLUMN_NOT_FOUND line 1:41: Invalid reference to output projection attribute from ORDER BY aggregation
SELECT sum(b) AS x FROM t1 ORDER BY sum(b) FILTER (WHERE x > 1);
error: COLUMN_NOT_FOUND line 1:58: Invalid reference to output projection attribute from ORDER BY aggregation
SELECT sum(b) AS x FROM t1 ORDER BY array_agg(b ORDER BY x);
error: COLUMN_NOT_FOUND line 1:58: ORDER BY clause in aggregation function must not reference query output columns
SELECT * FROM t1 PIVOT (sum(b), count(*) FOR a IN (1));
error: MISSING_COLUMN_ALIASES line 1:25: PIVOT with multiple aggregations requires an alias for each
SELECT * FROM t1 PIVOT (count(*) FOR b IN (1 AS x, 2 AS x));
error: DUPLICATE_COLUMN_NAME line 1:52: PIVOT produces duplicate output column name 'x'
SELECT * FROM t1 PIVOT (count(*) FOR (b, b) IN ((1, 2), (2)));
error: INVALID_ARGUMENTS line 1:57: Number of pivot values (1) does not match the number of pivot columns (2)
SELECT * FROM t1 PIVOT (count(*) FOR b IN (1) GROUP BY AUTO);
error: NOT_SUPPORTED line 1:56: GROUP BY AUTO requires a SELECT list
