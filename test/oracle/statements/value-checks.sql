-- A lambda that gives NULL makes the whole text NULL; without a match it is not asked
SELECT regexp_replace('abc', '(b)|(x)', m -> COALESCE(m[2], 'null')), regexp_replace('abc', '(b)|(x)', m -> m[2]), regexp_replace('abc', '(b)', m -> NULL), regexp_replace('abc', '(z)', m -> NULL), regexp_replace('abcb', 'b', m -> IF(cardinality(m) = 0, NULL, 'q')), regexp_replace('a b', '(\w)', m -> NULLIF(upper(m[1]), 'B')), regexp_replace(NULL, '(b)', m -> 'x');
expect: [["anullc", null, null, "abc", null, null, null]]
SELECT x, regexp_replace(x, '(a)|(b)', m -> m[1] || '!') FROM (VALUES 'a', 'ab', 'c', NULL) t(x);
expect: [["a", "a!"], ["ab", null], ["c", "c"], [null, null]]
-- The value of a parameter goes up to the next one, whatever is in it
SELECT url_extract_parameter('http://a/?x=1=2', 'x'), url_extract_parameter('http://a/?x==2&y=1', 'x'), url_extract_parameter('http://a/?x&y=1', 'x'), url_extract_parameter('http://a/?x=&y=1', 'x'), url_extract_parameter('http://a/?x=a%3Db=c+d', 'x'), url_extract_parameter('http://a/?y=1', 'x'), url_extract_parameter('http://a/', 'x'), url_extract_parameter('http://a/?', ''), url_extract_parameter('http://a/?token=YWJj==&x=1', 'token');
expect: [["1=2", "=2", "", "", "a=b=c d", null, null, "", "YWJj=="]]
-- format pads char, and takes what can be cast to a text
SELECT format('%s|%5s|%-4s|', CAST('a' AS char(3)), CAST('b' AS char(3)), CAST('c' AS char(2))), format('%s', TIMESTAMP '2020-01-01 10:00:00 UTC'), format('%s', TIMESTAMP '2020-01-01 10:00:00.123 Europe/Paris'), format('%s', TIMESTAMP '2020-01-01 10:00:00.120456789 +05:30'), format('%1$tH:%1$tM %1$tz', TIMESTAMP '2020-07-01 10:05:00 Europe/Paris'), format('%s %s', TIME '10:00:00.12+01:00', TIME '10:00'), format('%s', DATE '10000-01-01'), format('%s', JSON '[1]'), format('%s', NULL);
expect: [["a  |  b  |c   |", "2020-01-01T10:00Z[UTC]", "2020-01-01T10:00:00.123+01:00[Europe/Paris]", "2020-01-01T10:00:00.120456789+05:30", "10:05 +0200", "10:00:00.12+01:00 10:00", "+10000-01-01", "[1]", "null"]]
SELECT format('%s', ARRAY[1, 2]);
error: NOT_SUPPORTED line 1:21: Type not supported for formatting: array(integer)
SELECT format('%s %s', 1, MAP(ARRAY[1], ARRAY[2]));
error: NOT_SUPPORTED line 1:27: Type not supported for formatting: map(integer, integer)
SELECT format('%s', ROW(1));
error: NOT_SUPPORTED line 1:21: Type not supported for formatting: row(integer)
SELECT format('%s', X'00');
error: NOT_SUPPORTED line 1:21: Type not supported for formatting: varbinary
-- What round cannot hold
SELECT round(TINYINT '127', -1);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for tinyint: 130
SELECT round(TINYINT '-128', -1);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for tinyint: -130
SELECT round(SMALLINT '32767', -1);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for smallint: 32770
SELECT round(2147483647, -1);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for integer: 2147483650
SELECT round(9223372036854775807, -1);
error: NUMERIC_VALUE_OUT_OF_RANGE numerical overflow: 9223372036854775807
SELECT round(BIGINT '-9223372036854775808', -3);
error: NUMERIC_VALUE_OUT_OF_RANGE numerical overflow: -9223372036854775808
SELECT round(BIGINT '1', -19);
error: NUMERIC_VALUE_OUT_OF_RANGE numerical overflow: 1
SELECT round(1, -2147483647);
error: NUMERIC_VALUE_OUT_OF_RANGE numerical overflow: 1
SELECT round(DECIMAL '99999999999999999999999999999999999999', -1);
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT round(9223372036854775807, -18), round(TINYINT '4', -1), round(-25, -1), round(1, 2147483647), round(TINYINT '127', -3);
expect: [[9000000000000000000, 0, -30, 1, 0]]
SELECT round(-1e18, 5), round(1.8E292, 16), round(-1.8E292, 16), round(1e300, 10), round(9223372036854775807e0, 1), round(123456789012345678901e0, 2), round(3000.1234567890123456789E0, 16), round(3000.1234567890123456789E0, -16), round(1.5e0, 400), round(1.5e0, -400), round(0e0, 400), round(nan(), 2), round(-infinity(), 2), round(REAL '3.4028235E38', 2), round(REAL '-1.5', 100);
expect: [[-1000000000000000000, 1.8e292, -1.8e292, 1e300, 9223372036854775807, 123456789012345680000, 3000.1234567890124, 0, 1.5, 0, 0, "NaN", "-Infinity", 3.4028235e38, -1.5]]
-- JSON of maps that have no entries, and so no types
SELECT CAST(MAP() AS JSON), CAST(MAP(ARRAY[], ARRAY[]) AS JSON), CAST(ROW(MAP()) AS JSON), CAST(ARRAY[MAP(), NULL] AS JSON), json_format(CAST(MAP() AS JSON)), CAST(MAP(ARRAY['a'], ARRAY[MAP()]) AS JSON), CAST(CAST(MAP() AS map(varchar, integer)) AS JSON), CAST(ARRAY[] AS JSON);
expect: [["{}", "{}", "[{}]", "[{},null]", "{}", "{\"a\":{}}", "{}", "[]"]]
SELECT CAST(MAP(ARRAY[DATE '2020-01-01'], ARRAY[1]) AS JSON);
error: TYPE_MISMATCH line 1:8: Cannot cast map(date, integer) to json
-- A column comes once in USING
SELECT 1 FROM nation a JOIN nation b USING (nationkey, nationkey);
error: DUPLICATE_COLUMN_NAME line 1:56: Column 'nationkey' appears multiple times in USING clause
SELECT 1 FROM nation a LEFT JOIN nation b USING (name, nationkey, NAME);
error: DUPLICATE_COLUMN_NAME line 1:67: Column 'NAME' appears multiple times in USING clause
-- Shares in ascending order
SELECT values_at_quantiles(tdigest_agg(x), ARRAY[0.9, 0.1]) FROM (VALUES 1e0, 2e0) t(x);
error: INVALID_FUNCTION_ARGUMENT percentiles must be sorted in increasing order
SELECT values_at_quantiles(qdigest_agg(x), ARRAY[0.5, 0.9, 0.1]) FROM (VALUES 1, 2) t(x);
error: INVALID_FUNCTION_ARGUMENT percentiles must be sorted in increasing order
SELECT values_at_quantiles(tdigest_agg(x), ARRAY[0.1, 0.1, 0.9]), values_at_quantiles(qdigest_agg(CAST(x AS bigint)), ARRAY[0.1, 0.9, 0.9]), approx_percentile(x, ARRAY[0.9, 0.1]) FROM (VALUES 1e0, 2e0) t(x);
expect: [[[1, 1, 2], [1, 2, 2], [2, 1]]]
-- Sizes that a decimal has no room for
SELECT parse_presto_data_size('99999999999999999999999999999999999999B'), parse_presto_data_size('1YB'), parse_presto_data_size('1.5kB'), parse_presto_data_size('.5kB'), parse_presto_data_size('1.B'), parse_presto_data_size('0.00000000000000000000000000000000000000001YB');
expect: [["99999999999999999999999999999999999999", "1208925819614629174706176", "1536", "512", "1", "0"]]
SELECT parse_presto_data_size('100000000000000000000000000000000000000B');
error: NUMERIC_VALUE_OUT_OF_RANGE Value out of range: '100000000000000000000000000000000000000B' ('100000000000000000000000000000000000000B')
SELECT parse_presto_data_size('99999999999999999999999999999999999999YB');
error: NUMERIC_VALUE_OUT_OF_RANGE Value out of range: '99999999999999999999999999999999999999YB' ('120892581961462917470617599999999999998791074180385370825293824B')
SELECT parse_presto_data_size('.kB');
error: INVALID_FUNCTION_ARGUMENT Invalid data size: '.kB'
SELECT parse_presto_data_size('1.5.5kB');
error: INVALID_FUNCTION_ARGUMENT Invalid data size: '1.5.5kB'
-- Sketches are not compared, wherever they are
SELECT a = b FROM (SELECT ROW(approx_set(1)) a, ROW(approx_set(2)) b);
error: TYPE_MISMATCH line 1:10: Cannot apply operator: row(HyperLogLog) = row(HyperLogLog)
SELECT a IS DISTINCT FROM b FROM (SELECT ARRAY[tdigest_agg(1e0)] a, ARRAY[tdigest_agg(2e0)] b);
error: TYPE_MISMATCH line 1:10: Cannot check if array(tdigest) is distinct from array(tdigest)
SELECT MAP(ARRAY[1], ARRAY[a]) = MAP(ARRAY[1], ARRAY[a]) FROM (SELECT qdigest_agg(1) a);
error: TYPE_MISMATCH line 1:32: Cannot apply operator: map(integer, qdigest(bigint)) = map(integer, qdigest(bigint))
SELECT MAP(ARRAY[a], ARRAY[1]) FROM (SELECT approx_set(1) a);
error: FUNCTION_NOT_FOUND
SELECT map_agg(a, 1) FROM (SELECT approx_set(1) a);
error: FUNCTION_NOT_FOUND
SELECT histogram(ROW(a)) FROM (SELECT approx_set(1) a);
error: FUNCTION_NOT_FOUND
SELECT contains(ARRAY[a], a) FROM (SELECT approx_set(1) a);
error: FUNCTION_NOT_FOUND
SELECT array_distinct(ARRAY[ROW(a)]) FROM (SELECT approx_set(1) a);
error: FUNCTION_NOT_FOUND
SELECT array_union(ARRAY[a], ARRAY[a]) FROM (SELECT approx_set(1) a);
error: FUNCTION_NOT_FOUND
SELECT approx_distinct(ROW(a)) FROM (SELECT approx_set(1) a);
error: FUNCTION_NOT_FOUND
SELECT nullif(ROW(a), ROW(a)) FROM (SELECT approx_set(1) a);
error: TYPE_MISMATCH line 1:8: Types are not comparable with NULLIF: row(HyperLogLog) vs row(HyperLogLog)
SELECT a IN (SELECT approx_set(1)) FROM (SELECT approx_set(1) a);
error: TYPE_MISMATCH
SELECT 1 FROM (SELECT ROW(approx_set(1)) a) t JOIN (SELECT ROW(approx_set(1)) a) u USING (a);
error: TYPE_MISMATCH
SELECT cardinality(a[1]), element_at(m, 1) IS NULL, cardinality(r[1]) FROM (SELECT ARRAY[approx_set(1)] a, MAP(ARRAY[2], ARRAY[approx_set(1)]) m, ROW(approx_set(1)) r);
expect: [[1, true, 1]]
-- Numbers as Java prints them, the smallest too
SELECT CAST(REAL '1.4E-45' AS varchar), CAST(REAL '2.8E-45' AS varchar), CAST(REAL '1E-44' AS varchar), CAST(4.9E-324 AS varchar), CAST(1e-323 AS varchar), CAST(-4.9E-324 AS varchar), CAST(REAL '-1.4E-45' AS varchar), CAST(2E23 AS varchar), CAST(REAL '1.17549435E-38' AS varchar), CAST(2.2250738585072014E-308 AS varchar), CAST(REAL '0.001' AS varchar), CAST(9e-5 AS varchar), CAST(REAL '3' AS varchar);
expect: [["1.4E-45", "2.8E-45", "9.8E-45", "4.9E-324", "9.9E-324", "-4.9E-324", "-1.4E-45", "2.0E23", "1.1754944E-38", "2.2250738585072014E-308", "0.001", "9.0E-5", "3.0"]]
SELECT CAST(CAST(REAL '1.4E-45' AS JSON) AS varchar), json_format(CAST(ARRAY[REAL '1.4E-45'] AS JSON)), array_join(ARRAY[REAL '1.4E-45', REAL '2.8E-45'], ','), format('%s', REAL '1.4E-45'), CAST(CAST('1.4E-45' AS real) AS decimal(38, 38)) = 0;
expect: [["1.4E-45", "[1.4E-45]", "1.4E-45,2.8E-45", "1.4E-45", true]]
-- The name of a type is a text of any length
SELECT typeof(1), typeof('abc'), typeof(typeof(1)), typeof(NULL), upper(typeof(1.5));
types: varchar, varchar, varchar, varchar, varchar
expect: [["integer", "varchar(3)", "varchar", "unknown", "DECIMAL(2,1)"]]
