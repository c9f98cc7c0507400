SELECT rank() FROM t1;
error: MISSING_OVER line 1:8: Window function rank requires an OVER clause
SELECT row_number(a) OVER () FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint\) for function row_number\. Expected: .*/
SELECT nosuch() OVER () FROM t1;
error: FUNCTION_NOT_FOUND line 1:8: Function 'nosuch' not registered
SELECT abs(a) OVER () FROM t1;
error: FUNCTION_NOT_WINDOW line 1:8: Not a window function: abs
SELECT sum(DISTINCT a) OVER () FROM t1;
error: NOT_SUPPORTED line 1:8: DISTINCT in window function parameters not yet supported: sum(DISTINCT a) OVER ()
SELECT array_agg(a ORDER BY b) OVER () FROM t1;
error: NOT_SUPPORTED line 1:8: Window function with ORDER BY is not supported
SELECT rank() FILTER (WHERE true) OVER () FROM t1;
error: FUNCTION_NOT_AGGREGATE line 1:8: Filter is only valid for aggregation functions
SELECT sum(a) IGNORE NULLS OVER () FROM t1;
error: NULL_TREATMENT_NOT_ALLOWED line 1:8: Cannot specify null treatment clause for sum function
SELECT count(a) IGNORE NULLS OVER () FROM t1;
error: NULL_TREATMENT_NOT_ALLOWED line 1:8: Cannot specify null treatment clause for count function
SELECT abs(a) IGNORE NULLS FROM t1;
error: NULL_TREATMENT_NOT_ALLOWED line 1:8: Cannot specify null treatment clause for abs function
SELECT IF(a > 1, 2) OVER () FROM t1;
error: SYNTAX_ERROR line 1:8: OVER clause not valid for 'if' function
SELECT lag(a) OVER () FROM t1;
error: MISSING_ORDER_BY line 1:20: lag function requires an ORDER BY window clause
SELECT lead(a) OVER (PARTITION BY b) FROM t1;
error: MISSING_ORDER_BY line 1:21: lead function requires an ORDER BY window clause
SELECT lag(a) OVER (ORDER BY b ROWS CURRENT ROW) FROM t1;
error: INVALID_WINDOW_FRAME line 1:20: Cannot specify window frame for lag function
SELECT lag(a, -1) OVER (ORDER BY b) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Offset must be at least 0
SELECT lead(a, 'x') OVER (ORDER BY b) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint, varchar\(1\)\) for function lead\. Expected: .*/
SELECT lag(a, 1, 'x') OVER (ORDER BY b) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint, integer, varchar\(1\)\) for function lag\. Expected: .*/
SELECT ntile(0) OVER (ORDER BY a) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Buckets must be greater than 0
SELECT ntile(-1) OVER (ORDER BY a) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Buckets must be greater than 0
SELECT ntile('a') OVER (ORDER BY a) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\)\) for function ntile\. Expected: .*/
SELECT nth_value(a, 0) OVER (ORDER BY a) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Offset must be at least 1
SELECT nth_value(a, -1) OVER (ORDER BY a) FROM t1;
error: INVALID_FUNCTION_ARGUMENT Offset must be at least 1
SELECT nth_value(a) OVER (ORDER BY a) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint\) for function nth_value\. Expected: .*/
SELECT sum(sum(a) OVER ()) OVER () FROM t1;
error: NESTED_WINDOW
SELECT sum(a) OVER (PARTITION BY sum(b) OVER ()) FROM t1;
error: NESTED_WINDOW line 1:34: Cannot nest window functions or row pattern measures inside window specification
SELECT sum(a) OVER (ORDER BY sum(b) OVER ()) FROM t1;
error: NESTED_WINDOW line 1:30: Cannot nest window functions or row pattern measures inside window specification
SELECT sum(a) FILTER (WHERE rank() OVER () > 1) OVER () FROM t1;
error: NESTED_WINDOW
SELECT a FROM t1 WHERE rank() OVER () > 1;
error: EXPRESSION_NOT_SCALAR line 1:39: WHERE clause cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
SELECT a FROM t1 GROUP BY rank() OVER ();
error: EXPRESSION_NOT_SCALAR line 1:27: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
SELECT sum(a) FROM t1 HAVING rank() OVER () > 1;
error: NESTED_WINDOW line 1:30: HAVING clause cannot contain window functions or row pattern measures
SELECT * FROM t1 JOIN t2 ON rank() OVER () = 1;
error: EXPRESSION_NOT_SCALAR line 1:44: JOIN clause cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
SELECT sum(a) OVER (PARTITION BY nosuch) FROM t1;
error: COLUMN_NOT_FOUND line 1:34: Column 'nosuch' cannot be resolved
SELECT sum(a) OVER (ORDER BY nosuch) FROM t1;
error: COLUMN_NOT_FOUND line 1:30: Column 'nosuch' cannot be resolved
SELECT rank() OVER (ORDER BY m) FROM words;
error: TYPE_MISMATCH line 1:30: map(integer, varchar) is not orderable, and therefore cannot be used in window function ORDER BY
SELECT rank() OVER (ORDER BY JSON '1') FROM words;
error: TYPE_MISMATCH line 1:30: json is not orderable, and therefore cannot be used in window function ORDER BY
SELECT rank() OVER (ORDER BY 1, 'a', j) FROM (VALUES JSON '1') t (j);
error: TYPE_MISMATCH line 1:38: json is not orderable, and therefore cannot be used in window function ORDER BY
SELECT sum(a) OVER (ROWS UNBOUNDED FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame start cannot be UNBOUNDED FOLLOWING
SELECT sum(a) OVER (ROWS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame start cannot be UNBOUNDED FOLLOWING
SELECT sum(a) OVER (ROWS 2 FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame starting from FOLLOWING cannot end with CURRENT ROW
SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND UNBOUNDED PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame end cannot be UNBOUNDED PRECEDING
SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND 5 PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame starting from CURRENT ROW cannot end with PRECEDING
SELECT sum(a) OVER (ROWS BETWEEN 2 FOLLOWING AND 5 PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame starting from FOLLOWING cannot end with PRECEDING
SELECT sum(a) OVER (ROWS BETWEEN 2 FOLLOWING AND CURRENT ROW) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame starting from FOLLOWING cannot end with CURRENT ROW
SELECT sum(a) OVER (RANGE 2 FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame starting from FOLLOWING cannot end with CURRENT ROW
SELECT sum(a) OVER (GROUPS BETWEEN 2 FOLLOWING AND CURRENT ROW) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame starting from FOLLOWING cannot end with CURRENT ROW
SELECT sum(a) OVER (GROUPS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW) FROM t1;
error: INVALID_WINDOW_FRAME line 1:21: Window frame start cannot be UNBOUNDED FOLLOWING
SELECT sum(a) OVER (ROWS 5e-1 PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:26: Window frame ROWS start value type must be exact numeric type with scale 0 (actual double)
SELECT sum(a) OVER (ROWS 'foo' PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:26: Window frame ROWS start value type must be exact numeric type with scale 0 (actual varchar(3))
SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND 5e-1 FOLLOWING) FROM t1;
error: TYPE_MISMATCH line 1:50: Window frame ROWS end value type must be exact numeric type with scale 0 (actual double)
SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND 'foo' FOLLOWING) FROM t1;
error: TYPE_MISMATCH line 1:50: Window frame ROWS end value type must be exact numeric type with scale 0 (actual varchar(3))
SELECT sum(a) OVER (ROWS 1.5 PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:26: Window frame ROWS start value type must be exact numeric type with scale 0 (actual decimal(2,1))
SELECT sum(a) OVER (ORDER BY b GROUPS 0.5 PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:39: Window frame GROUPS start value type must be exact numeric type with scale 0 (actual decimal(1,1))
SELECT sum(a) OVER (ORDER BY b GROUPS 'foo' PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:39: Window frame GROUPS start value type must be exact numeric type with scale 0 (actual varchar(3))
SELECT sum(a) OVER (ORDER BY b GROUPS BETWEEN CURRENT ROW AND 0.5 FOLLOWING) FROM t1;
error: TYPE_MISMATCH line 1:63: Window frame GROUPS end value type must be exact numeric type with scale 0 (actual decimal(1,1))
SELECT sum(a) OVER (ROWS -1 PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame -1 offset must not be negative
SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND -2 FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame -2 offset must not be negative
SELECT sum(a) OVER (ROWS CAST(NULL AS bigint) PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame starting offset must not be null
SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND CAST(NULL AS bigint) FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame ending offset must not be null
SELECT sum(a) OVER (ORDER BY a GROUPS -1 PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame -1 offset must not be negative
SELECT sum(a) OVER (ORDER BY a GROUPS BETWEEN CURRENT ROW AND -2 FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame -2 offset must not be negative
SELECT sum(a) OVER (ORDER BY a GROUPS CAST(NULL AS bigint) PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame starting offset must not be null
SELECT sum(a) OVER (ORDER BY a GROUPS BETWEEN CURRENT ROW AND CAST(NULL AS bigint) FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame ending offset must not be null
SELECT sum(a) OVER (ORDER BY a GROUPS BETWEEN a - 4 PRECEDING AND CURRENT ROW) FROM t1;
error: INVALID_WINDOW_FRAME Window frame -3 offset must not be negative
SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN a - 4 PRECEDING AND CURRENT ROW) FROM t1;
error: INVALID_WINDOW_FRAME Window frame -3 offset must not be negative
SELECT sum(a) OVER (ORDER BY a RANGE -1 PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame offset value must not be negative or null
SELECT sum(a) OVER (ORDER BY a RANGE BETWEEN CURRENT ROW AND -1 FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame offset value must not be negative or null
SELECT sum(a) OVER (ORDER BY a RANGE CAST(NULL AS bigint) PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame offset value must not be negative or null
SELECT sum(a) OVER (ORDER BY a RANGE BETWEEN CURRENT ROW AND CAST(NULL AS bigint) FOLLOWING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame offset value must not be negative or null
SELECT sum(a) OVER (ORDER BY DATE '2020-01-01' RANGE INTERVAL '-1' DAY PRECEDING) FROM t1;
error: INVALID_WINDOW_FRAME Window frame offset value must not be negative or null
SELECT sum(a) OVER (RANGE 1 PRECEDING) FROM t1;
error: MISSING_ORDER_BY line 1:20: Window frame of type RANGE PRECEDING or FOLLOWING requires ORDER BY
SELECT sum(a) OVER (RANGE BETWEEN CURRENT ROW AND 1 FOLLOWING) FROM t1;
error: MISSING_ORDER_BY line 1:20: Window frame of type RANGE PRECEDING or FOLLOWING requires ORDER BY
SELECT sum(a) OVER (GROUPS 1 PRECEDING) FROM t1;
error: MISSING_ORDER_BY line 1:20: Window frame of type GROUPS PRECEDING or FOLLOWING requires ORDER BY
SELECT sum(a) OVER (PARTITION BY a RANGE 1 PRECEDING) FROM t1;
error: MISSING_ORDER_BY line 1:20: Window frame of type RANGE PRECEDING or FOLLOWING requires ORDER BY
SELECT sum(a) OVER (ORDER BY a, b RANGE 1 PRECEDING) FROM t1;
error: INVALID_ORDER_BY /line 1:\d+: Window frame of type RANGE PRECEDING or FOLLOWING requires single sort item in ORDER BY \(actual: 2\)/
SELECT sum(n) OVER (ORDER BY name RANGE 1 PRECEDING) FROM words;
error: TYPE_MISMATCH line 1:30: Window frame of type RANGE PRECEDING or FOLLOWING requires that sort item type be numeric, datetime or interval (actual: varchar(5))
SELECT sum(n) OVER (ORDER BY true RANGE 1 PRECEDING) FROM words;
error: TYPE_MISMATCH line 1:30: Window frame of type RANGE PRECEDING or FOLLOWING requires that sort item type be numeric, datetime or interval (actual: boolean)
SELECT sum(a) OVER (ORDER BY a RANGE 'x' PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:38: Window frame RANGE value type (varchar(1)) not compatible with sort item type (bigint)
SELECT sum(a) OVER (ORDER BY DATE '2020-01-01' RANGE 1 PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:54: Window frame RANGE value type (integer) not compatible with sort item type (date)
SELECT sum(a) OVER (ORDER BY a RANGE INTERVAL '1' DAY PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:38: Window frame RANGE value type (interval day to second) not compatible with sort item type (bigint)
SELECT sum(a) OVER (ORDER BY INTERVAL '1' DAY RANGE INTERVAL '1' MONTH PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:53: Window frame RANGE value type (interval year to month) not compatible with sort item type (interval day to second)
SELECT sum(a) OVER (ROWS b PRECEDING) FROM (VALUES (1, -1)) t (a, b);
error: INVALID_WINDOW_FRAME Window frame -1 offset must not be negative
SELECT sum(a) OVER (ROWS (SELECT 'x') PRECEDING) FROM t1;
error: TYPE_MISMATCH line 1:26: Window frame ROWS start value type must be exact numeric type with scale 0 (actual varchar(1))
SELECT sum(a) OVER (ROWS sum(a) OVER () PRECEDING) FROM t1;
error: NESTED_WINDOW line 1:26: Cannot nest window functions or row pattern measures inside window specification
SELECT sum(a) OVER w FROM t1;
error: INVALID_WINDOW_REFERENCE line 1:20: Cannot resolve WINDOW name w
SELECT sum(a) OVER (w) FROM t1;
error: INVALID_WINDOW_REFERENCE line 1:21: Cannot resolve WINDOW name w
SELECT sum(a) OVER w2 FROM t1 WINDOW w1 AS (PARTITION BY a);
error: INVALID_WINDOW_REFERENCE line 1:20: Cannot resolve WINDOW name w2
SELECT sum(a) OVER w FROM t1 WINDOW w AS (PARTITION BY a), w AS (ORDER BY a);
error: DUPLICATE_WINDOW_NAME line 1:60: WINDOW name 'w' specified more than once
SELECT sum(a) OVER (w PARTITION BY b) FROM t1 WINDOW w AS (PARTITION BY a);
error: INVALID_PARTITION_BY line 1:36: WINDOW specification with named WINDOW reference cannot specify PARTITION BY
SELECT sum(a) OVER (w ORDER BY b) FROM t1 WINDOW w AS (PARTITION BY a ORDER BY a);
error: INVALID_ORDER_BY line 1:32: Cannot specify ORDER BY if referenced named WINDOW specifies ORDER BY
SELECT sum(a) OVER (w ORDER BY b) FROM t1 WINDOW w AS (PARTITION BY a ROWS CURRENT ROW);
error: INVALID_WINDOW_REFERENCE line 1:20: Cannot reference named WINDOW containing frame specification
SELECT sum(a) OVER (w RANGE CURRENT ROW) FROM t1 WINDOW w AS (PARTITION BY a ROWS CURRENT ROW);
error: INVALID_WINDOW_REFERENCE line 1:20: Cannot reference named WINDOW containing frame specification
SELECT sum(a) OVER w1 FROM t1 WINDOW w1 AS (w2), w2 AS (PARTITION BY a);
error: INVALID_WINDOW_REFERENCE line 1:45: Cannot resolve WINDOW name w2
SELECT sum(a) OVER "w" FROM t1 WINDOW w AS (PARTITION BY a);
error: INVALID_WINDOW_REFERENCE line 1:20: Cannot resolve WINDOW name w
SELECT a FROM t1 WINDOW w AS (ROWS 'x' PRECEDING);
error: TYPE_MISMATCH line 1:36: Window frame ROWS start value type must be exact numeric type with scale 0 (actual varchar(1))
SELECT a FROM t1 ORDER BY sum(a) OVER w;
error: INVALID_WINDOW_REFERENCE line 1:39: Cannot resolve WINDOW name w
SELECT first_value() OVER () FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function first_value\. Expected: .*/
SELECT first_value(a, 1) OVER () FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(bigint, integer\) for function first_value\. Expected: .*/
SELECT cume_dist(1) OVER (ORDER BY a) FROM t1;
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function cume_dist\. Expected: .*/
SELECT a, rank() OVER (ORDER BY c) AS c FROM t1 ORDER BY rank() OVER (ORDER BY nosuch);
error: COLUMN_NOT_FOUND line 1:80: Column 'nosuch' cannot be resolved
SELECT sum(DISTINCT a) OVER (PARTITION BY b) FROM t1;
error: NOT_SUPPORTED line 1:8: DISTINCT in window function parameters not yet supported: sum(DISTINCT a) OVER (PARTITION BY b)
SELECT sum(a) IGNORE NULLS FROM t1;
error: NULL_TREATMENT_NOT_ALLOWED line 1:8: Cannot specify null treatment clause for sum function
SELECT abs(a) RESPECT NULLS FROM t1;
error: NULL_TREATMENT_NOT_ALLOWED line 1:8: Cannot specify null treatment clause for abs function
