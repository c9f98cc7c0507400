SELECT 2147483647 + 1;
error: NUMERIC_VALUE_OUT_OF_RANGE integer addition overflow: 2147483647 + 1
SELECT -2147483647 - 2;
error: NUMERIC_VALUE_OUT_OF_RANGE integer subtraction overflow: -2147483647 - 2
SELECT 2147483647 * 2;
error: NUMERIC_VALUE_OUT_OF_RANGE integer multiplication overflow: 2147483647 * 2
SELECT INTEGER '-2147483648' / -1;
error: NUMERIC_VALUE_OUT_OF_RANGE integer division overflow: -2147483648 / -1
SELECT -(INTEGER '-2147483648');
error: NUMERIC_VALUE_OUT_OF_RANGE integer negation overflow: -2147483648
SELECT 9223372036854775807 + 1;
error: NUMERIC_VALUE_OUT_OF_RANGE bigint addition overflow: 9223372036854775807 + 1
SELECT -9223372036854775807 - 2;
error: NUMERIC_VALUE_OUT_OF_RANGE bigint subtraction overflow: -9223372036854775807 - 2
SELECT 9223372036854775807 * 2;
error: NUMERIC_VALUE_OUT_OF_RANGE bigint multiplication overflow: 9223372036854775807 * 2
SELECT BIGINT '-9223372036854775808' / -1;
error: NUMERIC_VALUE_OUT_OF_RANGE bigint division overflow: -9223372036854775808 / -1
SELECT -(BIGINT '-9223372036854775808');
error: NUMERIC_VALUE_OUT_OF_RANGE bigint negation overflow: -9223372036854775808
SELECT SMALLINT '32767' + SMALLINT '1';
error: NUMERIC_VALUE_OUT_OF_RANGE smallint addition overflow: 32767 + 1
SELECT SMALLINT '-32768' - SMALLINT '1';
error: NUMERIC_VALUE_OUT_OF_RANGE smallint subtraction overflow: -32768 - 1
SELECT SMALLINT '32767' * SMALLINT '2';
error: NUMERIC_VALUE_OUT_OF_RANGE smallint multiplication overflow: 32767 * 2
SELECT SMALLINT '-32768' / SMALLINT '-1';
error: NUMERIC_VALUE_OUT_OF_RANGE smallint division overflow: -32768 / -1
SELECT -(SMALLINT '-32768');
error: NUMERIC_VALUE_OUT_OF_RANGE smallint negation overflow: -32768
SELECT TINYINT '127' + TINYINT '1';
error: NUMERIC_VALUE_OUT_OF_RANGE tinyint addition overflow: 127 + 1
SELECT TINYINT '-128' - TINYINT '1';
error: NUMERIC_VALUE_OUT_OF_RANGE tinyint subtraction overflow: -128 - 1
SELECT TINYINT '127' * TINYINT '2';
error: NUMERIC_VALUE_OUT_OF_RANGE tinyint multiplication overflow: 127 * 2
SELECT TINYINT '-128' / TINYINT '-1';
error: NUMERIC_VALUE_OUT_OF_RANGE tinyint division overflow: -128 / -1
SELECT -(TINYINT '-128');
error: NUMERIC_VALUE_OUT_OF_RANGE tinyint negation overflow: -128
SELECT 1 / 0;
error: DIVISION_BY_ZERO Division by zero
SELECT 1 % 0;
error: DIVISION_BY_ZERO Division by zero
SELECT BIGINT '1' / 0;
error: DIVISION_BY_ZERO Division by zero
SELECT BIGINT '1' % 0;
error: DIVISION_BY_ZERO Division by zero
SELECT SMALLINT '1' / SMALLINT '0';
error: DIVISION_BY_ZERO Division by zero
SELECT TINYINT '1' % TINYINT '0';
error: DIVISION_BY_ZERO Division by zero
SELECT 1.0 / 0;
error: DIVISION_BY_ZERO Division by zero
SELECT 1.0 % 0;
error: DIVISION_BY_ZERO Division by zero
SELECT mod(1, 0);
error: DIVISION_BY_ZERO Division by zero
SELECT mod(DECIMAL '1.0', 0);
error: DIVISION_BY_ZERO Division by zero
SELECT DECIMAL '99999999999999999999999999999999999999' + 1;
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT DECIMAL '-99999999999999999999999999999999999999' - 1;
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT DECIMAL '99999999999999999999999999999999999999' * 10;
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT DECIMAL '99999999999999999999999999999999999999' / DECIMAL '0.1';
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT abs(INTEGER '-2147483648');
error: NUMERIC_VALUE_OUT_OF_RANGE Value -2147483648 is out of range for abs(integer)
SELECT abs(BIGINT '-9223372036854775808');
error: NUMERIC_VALUE_OUT_OF_RANGE Value -9223372036854775808 is out of range for abs(bigint)
SELECT abs(SMALLINT '-32768');
error: NUMERIC_VALUE_OUT_OF_RANGE Value -32768 is out of range for abs(smallint)
SELECT abs(TINYINT '-128');
error: NUMERIC_VALUE_OUT_OF_RANGE Value -128 is out of range for abs(tinyint)
SELECT DATE '2020-01-01' + INTERVAL '1' HOUR;
error: INVALID_FUNCTION_ARGUMENT Cannot add hour, minutes or seconds to a date
SELECT DATE '2020-01-01' - INTERVAL '1' SECOND;
error: INVALID_FUNCTION_ARGUMENT Cannot subtract hour, minutes or seconds from a date
SELECT DATE '2020-01-01' + 1;
error: TYPE_MISMATCH line 1:26: Cannot apply operator: date + integer
SELECT 1 + true;
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer + boolean
SELECT true - false;
error: TYPE_MISMATCH line 1:13: Cannot apply operator: boolean - boolean
SELECT 'a' * 2;
error: TYPE_MISMATCH line 1:12: Cannot apply operator: varchar(1) * integer
SELECT DATE '2020-01-01' * 2;
error: TYPE_MISMATCH line 1:26: Cannot apply operator: date * integer
SELECT 'a' || 1;
error: FUNCTION_NOT_FOUND /line 1:12: Unexpected parameters \(varchar\(1\), integer\) for function concat\. Expected: .*/
SELECT JSON '1' + 1;
error: TYPE_MISMATCH line 1:17: Cannot apply operator: json + integer
SELECT 5 % 'a';
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer % varchar(1)
SELECT ARRAY[1] + 1;
error: TYPE_MISMATCH line 1:17: Cannot apply operator: array(integer) + integer
SELECT INTERVAL '1' DAY + INTERVAL '1' MONTH;
error: TYPE_MISMATCH line 1:25: Cannot apply operator: interval day to second + interval year to month
SELECT INTERVAL '1' DAY / 0;
error: INVALID_FUNCTION_ARGUMENT Cannot divide by double 0.0
SELECT INTERVAL '1' MONTH / 0;
error: INVALID_FUNCTION_ARGUMENT Cannot divide by double 0.0
SELECT INTERVAL '178956970' YEAR + INTERVAL '1' YEAR;
error: NUMERIC_VALUE_OUT_OF_RANGE interval year to month addition overflow
SELECT TIME '01:00:00' + INTERVAL '1' MONTH;
error: TYPE_MISMATCH line 1:24: Cannot apply operator: time(0) + interval year to month
SELECT TIMESTAMP '2020-01-01 00:00:00' + TIMESTAMP '2020-01-01 00:00:00';
error: TYPE_MISMATCH line 1:40: Cannot apply operator: timestamp(0) + timestamp(0)
SELECT DATE '2020-01-01' + DATE '2020-01-01';
error: TYPE_MISMATCH line 1:26: Cannot apply operator: date + date
SELECT sum(x) FROM (VALUES 9223372036854775807, 1) t (x);
error: NUMERIC_VALUE_OUT_OF_RANGE bigint addition overflow: 9223372036854775807 + 1
SELECT sum(x) FROM (VALUES DECIMAL '99999999999999999999999999999999999999', DECIMAL '1') t (x);
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT avg(x) FROM (VALUES DECIMAL '99999999999999999999999999999999999999', DECIMAL '99999999999999999999999999999999999999') t (x);
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT sum(i) FROM (VALUES INTERVAL '178956970' YEAR, INTERVAL '178956970' YEAR) t (i);
error: NUMERIC_VALUE_OUT_OF_RANGE interval year to month addition overflow
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00' AS bigint);
error: TYPE_MISMATCH line 1:8: Cannot cast timestamp(0) to bigint
SELECT 1 BETWEEN 2;
error: SYNTAX_ERROR /line 1:19: mismatched input '<EOF>'\. Expecting: .*/
SELECT round(1.5, 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(decimal\(2,1\), varchar\(1\)\) for function round\. Expected: .*/
SELECT truncate(DECIMAL '1.5', 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(decimal\(2,1\), varchar\(1\)\) for function truncate\. Expected: .*/
SELECT round(DECIMAL '99999999999999999999999999999999999999', -1);
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT width_bucket(1.0, 0.0, 1.0, 0);
error: INVALID_FUNCTION_ARGUMENT bucketCount must be greater than 0
SELECT width_bucket(1.0, 1.0, 1.0, 2);
error: INVALID_FUNCTION_ARGUMENT bounds cannot equal each other
SELECT width_bucket(1.0, nan(), 1.0, 2);
error: INVALID_FUNCTION_ARGUMENT first bound must be finite
SELECT width_bucket(1.0, 0.0, infinity(), 2);
error: INVALID_FUNCTION_ARGUMENT second bound must be finite
SELECT width_bucket(1.0, ARRAY[]);
error: INVALID_FUNCTION_ARGUMENT Bins cannot be an empty array
SELECT width_bucket(1.0, ARRAY[2.0, 1.0]);
error: INVALID_FUNCTION_ARGUMENT Bin values are not sorted in ascending order
SELECT width_bucket(1.0, ARRAY[CAST(NULL AS double)]);
error: INVALID_FUNCTION_ARGUMENT Bin values cannot be NULL
SELECT width_bucket(nan(), ARRAY[1.0]);
error: INVALID_FUNCTION_ARGUMENT Operand cannot be NaN
SELECT inverse_normal_cdf(0, 0, 0.5);
error: INVALID_FUNCTION_ARGUMENT sd must be > 0
SELECT inverse_normal_cdf(0, 1, 2);
error: INVALID_FUNCTION_ARGUMENT p must be 0 > p > 1
SELECT normal_cdf(0, 0, 0.5);
error: INVALID_FUNCTION_ARGUMENT standardDeviation must be > 0
SELECT beta_cdf(0, 3, 0.5);
error: INVALID_FUNCTION_ARGUMENT a must be > 0
SELECT beta_cdf(1, 0, 0.5);
error: INVALID_FUNCTION_ARGUMENT b must be > 0
SELECT beta_cdf(1, 1, -0.1);
error: INVALID_FUNCTION_ARGUMENT value must be 0 >= v >= 1
SELECT inverse_beta_cdf(0, 3, 0.5);
error: INVALID_FUNCTION_ARGUMENT a must be > 0
SELECT inverse_beta_cdf(3, 0, 0.5);
error: INVALID_FUNCTION_ARGUMENT b must be > 0
SELECT inverse_beta_cdf(3, 5, 1.1);
error: INVALID_FUNCTION_ARGUMENT p must be 0 >= p >= 1
SELECT wilson_interval_lower(-1, 100, 2.575);
error: INVALID_FUNCTION_ARGUMENT number of successes must not be negative
SELECT wilson_interval_lower(0, 0, 2.575);
error: INVALID_FUNCTION_ARGUMENT number of trials must be positive
SELECT wilson_interval_lower(10, 5, 2.575);
error: INVALID_FUNCTION_ARGUMENT number of successes must not be larger than number of trials
SELECT wilson_interval_lower(0, 100, -1);
error: INVALID_FUNCTION_ARGUMENT z-score must not be negative
SELECT random(0);
error: INVALID_FUNCTION_ARGUMENT bound must be positive
SELECT random(5, 3);
error: INVALID_FUNCTION_ARGUMENT start value must be less than stop value
SELECT random(0, 0);
error: INVALID_FUNCTION_ARGUMENT start value must be less than stop value
SELECT rand(-1);
error: INVALID_FUNCTION_ARGUMENT bound must be positive
SELECT from_base('Z', 1);
error: INVALID_FUNCTION_ARGUMENT Radix must be between 2 and 36
SELECT from_base('Z', 37);
error: INVALID_FUNCTION_ARGUMENT Radix must be between 2 and 36
SELECT from_base('8', 8);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-8 number: 8
SELECT from_base('99999999999999999999', 10);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-10 number: 99999999999999999999
SELECT to_base(1, 1);
error: INVALID_FUNCTION_ARGUMENT Radix must be between 2 and 36
SELECT to_base(1, 37);
error: INVALID_FUNCTION_ARGUMENT Radix must be between 2 and 36
SELECT bit_count(1, 1);
error: INVALID_FUNCTION_ARGUMENT Bits specified in bit_count must be between 2 and 64, got 1
SELECT bit_count(1, 65);
error: INVALID_FUNCTION_ARGUMENT Bits specified in bit_count must be between 2 and 64, got 65
SELECT bit_count(2, 2);
error: INVALID_FUNCTION_ARGUMENT Number must be representable with the bits specified. 2 can not be represented with 2 bits
SELECT chr(-1);
error: INVALID_FUNCTION_ARGUMENT Not a valid Unicode code point: -1
SELECT chr(1114112);
error: INVALID_FUNCTION_ARGUMENT Not a valid Unicode code point: 1114112
SELECT codepoint('');
error: INVALID_FUNCTION_ARGUMENT Input string must be a single character string
SELECT codepoint('ab');
error: INVALID_FUNCTION_ARGUMENT Input string must be a single character string
SELECT concat_ws(1, 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, varchar\(1\)\) for function concat_ws\. Expected: .*/
