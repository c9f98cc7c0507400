-- The counts of LIMIT, OFFSET and FETCH: constants of any form and parameters, and percentages of all rows, rounded up
SELECT nationkey FROM nation ORDER BY 1 LIMIT 1 + 1;
SELECT nationkey FROM nation ORDER BY 1 LIMIT (2 * 3 - 1);
SELECT nationkey FROM nation ORDER BY 1 OFFSET 20 + 2 ROWS FETCH NEXT abs(-2) ROWS ONLY;
expect: [[22], [23]]
SELECT nationkey FROM nation ORDER BY 1 LIMIT CAST('3' AS bigint);
SELECT count(*) FROM (SELECT 1 FROM nation LIMIT (SELECT 3));
error: NOT_SUPPORTED line 1:50: LIMIT clause cannot contain subqueries
SELECT nationkey FROM nation ORDER BY 1 LIMIT nationkey;
error: SYNTAX_ERROR line 1:47: mismatched input 'nationkey'. Expecting: 'ALL', <integer>
SELECT nationkey FROM nation ORDER BY 1 LIMIT -1;
error: SYNTAX_ERROR line 1:47: mismatched input '-'. Expecting: 'ALL', <integer>
SELECT nationkey FROM nation ORDER BY 1 LIMIT 1.5;
error: SYNTAX_ERROR line 1:47: mismatched input '1.5'. Expecting: 'ALL', <integer>
SELECT nationkey FROM nation ORDER BY 1 LIMIT (-1);
error: INVALID_LIMIT_CLAUSE line 1:48: LIMIT row count must be greater or equal to 0 (actual value: -1)
SELECT nationkey FROM nation ORDER BY 1 OFFSET (-1);
error: INVALID_LIMIT_CLAUSE line 1:49: OFFSET row count must be greater or equal to 0 (actual value: -1)
SELECT nationkey FROM nation ORDER BY 1 FETCH FIRST (0) ROWS ONLY;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:41: FETCH FIRST row count must be positive (actual value: 0)
SELECT nationkey FROM nation ORDER BY 1 LIMIT (nationkey);
error: INVALID_ARGUMENTS line 1:48: Non constant parameter value for LIMIT: nationkey
SELECT nationkey FROM nation ORDER BY 1 LIMIT (NULL);
error: INVALID_ARGUMENTS line 1:48: Parameter value provided for LIMIT is NULL: null
SELECT nationkey FROM nation ORDER BY 1 LIMIT ('5');
error: TYPE_MISMATCH line 1:48: LIMIT clause must evaluate to a bigint (actual: varchar(1))
SELECT nationkey FROM nation ORDER BY 1 LIMIT (1.5);
error: TYPE_MISMATCH line 1:48: LIMIT clause must evaluate to a bigint (actual: decimal(2,1))
SELECT nationkey FROM nation ORDER BY 1 LIMIT count(*);
error: EXPRESSION_NOT_SCALAR line 1:47: LIMIT clause cannot contain aggregations, window functions or grouping operations: [count(*)]
SELECT 1 LIMIT 9223372036854775808;
error: SYNTAX_ERROR line 1:16: Invalid numeric literal: 9223372036854775808
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 OFFSET ? LIMIT ?' USING 1 + 1, CAST(2 AS tinyint);
duckdb: SELECT nationkey FROM nation ORDER BY 1 LIMIT 2 OFFSET 2
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 LIMIT ? * 2' USING 2;
duckdb: SELECT nationkey FROM nation ORDER BY 1 LIMIT 4
EXECUTE IMMEDIATE 'SELECT x FROM (SELECT nationkey AS x FROM nation ORDER BY 1 FETCH FIRST (? * 2) ROWS ONLY)' USING 2;
duckdb: SELECT nationkey FROM nation WHERE nationkey < 4
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 LIMIT ?' USING NULL;
error: INVALID_ARGUMENTS line 1:75: Parameter value provided for LIMIT is NULL: null
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 LIMIT ?' USING -1;
error: INVALID_LIMIT_CLAUSE line 1:75: LIMIT row count must be greater or equal to 0 (actual value: -1)
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 LIMIT ?' USING 'a';
error: TYPE_MISMATCH line 1:75: LIMIT clause must evaluate to a bigint (actual: varchar(1))
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 OFFSET ?' USING -2;
error: INVALID_LIMIT_CLAUSE line 1:76: OFFSET row count must be greater or equal to 0 (actual value: -2)
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 FETCH FIRST ? ROWS ONLY' USING 0;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:41: FETCH FIRST row count must be positive (actual value: 0)
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 LIMIT ?' USING x;
error: INVALID_ARGUMENTS
SELECT nationkey FROM nation ORDER BY 1 FETCH FIRST 8 PERCENT ROWS ONLY;
duckdb: SELECT nationkey FROM nation ORDER BY 1 LIMIT 2
SELECT nationkey FROM nation ORDER BY 1 FETCH FIRST 8.5 PERCENT ROWS ONLY;
duckdb: SELECT nationkey FROM nation ORDER BY 1 LIMIT 3
SELECT nationkey FROM nation ORDER BY 1 FETCH FIRST 1e-3 PERCENT ROWS ONLY;
duckdb: SELECT nationkey FROM nation ORDER BY 1 LIMIT 1
SELECT nationkey FROM nation ORDER BY 1 FETCH FIRST 0 PERCENT ROWS ONLY;
duckdb: SELECT nationkey FROM nation WHERE false
SELECT nationkey FROM nation ORDER BY 1 FETCH FIRST 100 PERCENT ROWS ONLY;
duckdb: SELECT nationkey FROM nation ORDER BY 1
SELECT nationkey FROM nation ORDER BY 1 DESC OFFSET 2 ROWS FETCH FIRST 20 PERCENT ROWS ONLY;
duckdb: SELECT nationkey FROM nation ORDER BY 1 DESC LIMIT 5 OFFSET 2
SELECT regionkey FROM nation ORDER BY 1 DESC FETCH FIRST 10 PERCENT ROWS WITH TIES;
expect: [[4], [4], [4], [4], [4]]
SELECT regionkey FROM nation ORDER BY 1 DESC OFFSET 2 ROWS FETCH FIRST 10 PERCENT ROWS WITH TIES;
expect: [[4], [4], [4]]
SELECT count(*) FROM (SELECT 1 FROM lineitem FETCH FIRST 12.5 PERCENT ROWS ONLY);
duckdb: SELECT CAST(ceil(count(*) * 0.125) AS bigint) FROM lineitem
SELECT count(*) FROM (SELECT 1 FROM nation WHERE false FETCH FIRST 50 PERCENT ROWS ONLY);
expect: [[0]]
SELECT name, (SELECT count(*) FROM (SELECT 1 FROM nation n WHERE n.regionkey = r.regionkey FETCH FIRST 50 PERCENT ROWS ONLY)) FROM region r WHERE regionkey < 2;
expect: [["AFRICA", 3], ["AMERICA", 3]]
SELECT regionkey FROM nation FETCH FIRST 101 PERCENT ROWS ONLY;
error: INVALID_LIMIT_CLAUSE line 1:30: FETCH FIRST percentage must be between 0 and 100 (actual value: 101)
SELECT regionkey FROM nation FETCH FIRST (-1) PERCENT ROWS ONLY;
error: INVALID_LIMIT_CLAUSE line 1:30: FETCH FIRST percentage must be between 0 and 100 (actual value: -1)
SELECT regionkey FROM nation FETCH FIRST (nan()) PERCENT ROWS ONLY;
error: INVALID_LIMIT_CLAUSE line 1:30: FETCH FIRST percentage must be between 0 and 100 (actual value: NaN)
SELECT regionkey FROM nation FETCH FIRST ('x') PERCENT ROWS ONLY;
error: TYPE_MISMATCH line 1:43: FETCH FIRST clause must evaluate to a double (actual: varchar(1))
SELECT regionkey FROM nation FETCH FIRST 10 PERCENT ROWS WITH TIES;
error: MISSING_ORDER_BY line 1:30: FETCH FIRST WITH TIES clause requires ORDER BY
SELECT regionkey FROM nation FETCH FIRST PERCENT ROWS ONLY;
error: SYNTAX_ERROR line 1:42: mismatched input 'PERCENT'. Expecting: 'ROW', 'ROWS', <integer>
EXECUTE IMMEDIATE 'SELECT nationkey FROM nation ORDER BY 1 OFFSET ? FETCH FIRST ? PERCENT ROWS ONLY' USING 3, 10.0;
expect: [[3], [4], [5]]
-- LIMIT, OFFSET and percent are still names
SELECT offset FROM (VALUES 1, 2) offset (offset) ORDER BY 1 OFFSET 1;
expect: [[2]]
SELECT percent FROM (VALUES 1) limit (percent);
expect: [[1]]
