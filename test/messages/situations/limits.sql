WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t;
error: NOT_SUPPORTED Recursion depth limit exceeded (10). Use 'max_recursion_depth' session property to modify the limit.
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 20) SELECT max(n) FROM t;
error: NOT_SUPPORTED Recursion depth limit exceeded (10). Use 'max_recursion_depth' session property to modify the limit.
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT max(n) FROM t;
headers: {"x-engine-session": "max_recursion_depth=2"}
error: NOT_SUPPORTED Recursion depth limit exceeded (2). Use 'max_recursion_depth' session property to modify the limit.
SELECT 1;
headers: {"x-engine-session": "query_max_execution_time=-1s"}
error: INVALID_SESSION_PROPERTY query_max_execution_time is invalid: duration is not a valid data duration string: -1s
SELECT 1;
headers: {"x-engine-session": "query_max_execution_time=1"}
error: INVALID_SESSION_PROPERTY query_max_execution_time is invalid: duration is not a valid data duration string: 1
SELECT 1;
headers: {"x-engine-session": "query_max_run_time=x"}
error: INVALID_SESSION_PROPERTY query_max_run_time is invalid: duration is not a valid data duration string: x
SELECT count(*) FROM tpch.sf1.lineitem a, tpch.sf1.lineitem b, tpch.sf1.lineitem c;
headers: {"x-engine-session": "query_max_execution_time=10ms"}
error: EXCEEDED_TIME_LIMIT Query exceeded the maximum execution time limit of 10.00ms
SELECT count(*) FROM tpch.sf1.lineitem a, tpch.sf1.lineitem b, tpch.sf1.lineitem c;
headers: {"x-engine-session": "query_max_run_time=10ms"}
error: EXCEEDED_TIME_LIMIT Query exceeded maximum time limit of 10.00ms
SELECT lpad('x', -1, 'y');
error: INVALID_FUNCTION_ARGUMENT Target length must be in the range [0..2147483647]
SELECT rpad('x', 5, '');
error: INVALID_FUNCTION_ARGUMENT Padding string must not be empty
SELECT CAST('x' AS varchar(99999999999));
error: INVALID_FUNCTION_ARGUMENT VARCHAR length must be in range [0, 2147483646], got 99999999999
SELECT CAST('x' AS char(99999999999));
error: INVALID_FUNCTION_ARGUMENT CHAR length must be in range [0, 65536], got 99999999999
SELECT CAST(1 AS decimal(99999999999));
error: INVALID_FUNCTION_ARGUMENT DECIMAL precision must be in range [1, 38]: 99999999999
SELECT repeat('x', 10001);
error: INVALID_FUNCTION_ARGUMENT count argument of repeat function must be less than or equal to 10000
SELECT array_agg(x) FROM (SELECT repeat(1, 99999) x);
error: INVALID_FUNCTION_ARGUMENT count argument of repeat function must be less than or equal to 10000
SELECT regexp_replace('x', '(', '');
error: INVALID_FUNCTION_ARGUMENT end pattern with unmatched parenthesis
