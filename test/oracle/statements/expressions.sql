-- Literals and types
SELECT 1;
types: integer
SELECT 2147483648, -1, 0;
types: bigint, integer, integer
SELECT 1.5, 00123.40;
types: decimal(2, 1), decimal(5, 2)
expect: [["1.5", "123.40"]]
SELECT 1e0, 1.5E-3, 2e10;
types: double, double, double
SELECT 'abc', 'it''s', '';
types: varchar(3), varchar(4), varchar(0)
SELECT true, false, NULL;
types: boolean, boolean, unknown
SELECT DATE '1970-01-01', DATE '2024-02-29', DATE '1995-12-31';
SELECT TIMESTAMP '2001-08-22 03:04:05.321';
expect: [["2001-08-22 03:04:05.321"]]
types: timestamp(3)
SELECT X'65683F';
expect: [["ZWg/"]]
types: varbinary
SELECT REAL '1.5', DOUBLE '2.5', BIGINT '7', SMALLINT '3', TINYINT '1';
duckdb: SELECT 1.5::REAL, 2.5::DOUBLE, 7::BIGINT, 3::SMALLINT, 1::TINYINT;
types: real, double, bigint, smallint, tinyint
SELECT DECIMAL '12345678901234567890.12';
types: decimal(22, 2)
expect: [["12345678901234567890.12"]]

-- Integer arithmetic
SELECT 7 + 3, 7 - 3, 7 * 3, -7 + 3;
SELECT 7 / 2, -7 / 2, 7 / -2, -7 / -2;
duckdb: SELECT 7 // 2, -3, -3, 3;
SELECT 7 % 3, -7 % 3, 7 % -3, -7 % -3;
SELECT mod(17, 5), mod(-17, 5);
SELECT - (-5), + 5, -(5 - 8);
SELECT 9223372036854775807, -9223372036854775807 - 1;
SELECT 1 / 0;
error: DIVISION_BY_ZERO Division by zero
SELECT 1 % 0;
error: DIVISION_BY_ZERO Division by zero
SELECT 9223372036854775807 + 1;
error: NUMERIC_VALUE_OUT_OF_RANGE bigint addition overflow: 9223372036854775807 + 1
SELECT -9223372036854775807 - 2;
error: NUMERIC_VALUE_OUT_OF_RANGE bigint subtraction overflow: -9223372036854775807 - 2
SELECT 9223372036854775807 * 2;
error: NUMERIC_VALUE_OUT_OF_RANGE bigint multiplication overflow: 9223372036854775807 * 2
SELECT 2147483647 + 1;
error: NUMERIC_VALUE_OUT_OF_RANGE integer addition overflow: 2147483647 + 1
SELECT 2147483647 * 2;
error: NUMERIC_VALUE_OUT_OF_RANGE integer multiplication overflow: 2147483647 * 2
SELECT CAST(2147483647 AS bigint) + 1;
SELECT CAST(100 AS tinyint) + CAST(27 AS tinyint);
expect: [[127]]
SELECT CAST(100 AS tinyint) + CAST(28 AS tinyint);
error: NUMERIC_VALUE_OUT_OF_RANGE tinyint addition overflow: 100 + 28
SELECT 1 + NULL, NULL * 2, NULL / 0;
expect: [[null, null, null]]

-- Doubles
SELECT 1e0 / 3, 7e0 / 2, 2e0 * 3.5e0, 1e0 - 0.1e0;
SELECT 1e0 / 0, -1e0 / 0;
expect: [["Infinity", "-Infinity"]]
SELECT is_nan(0e0 / 0);
expect: [[true]]
SELECT nan(), infinity(), -infinity();
expect: [["NaN", "Infinity", "-Infinity"]]
SELECT 5e0 % 3, -5e0 % 3;
SELECT 1 + 1e0, 1 + 1.5e0;
types: double, double

-- Decimals
SELECT 1.10 + 2.205, 1.10 - 2.205, 1.1 * 2.25;
types: decimal(5, 3), decimal(5, 3), decimal(5, 3)
expect: [["3.305", "-1.105", "2.475"]]
SELECT 1.0 / 3.0, 2.00 / 3, 10.00 / 3.000;
expect: [["0.3", "0.67", "3.333"]]
SELECT 7.5 % 2, -7.5 % 2;
expect: [["1.5", "-1.5"]]
SELECT 1.0 / 0;
error: DIVISION_BY_ZERO Division by zero
SELECT 0.05 + 0.01 = 0.06, 0.1 + 0.2 = 0.3;
expect: [[true, true]]
SELECT DECIMAL '99999999999999999999999999999999999999' + 1;
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT DECIMAL '12345678901234567890' * DECIMAL '12345678901234567';
expect: [["152415787532388361822892831526913630"]]
SELECT CAST(1 AS decimal(10, 2)) / CAST(3 AS decimal(10, 2));
expect: [["0.33"]]
SELECT 1.5 + 1, 1.5 + 1e0;
types: decimal(12, 1), double
expect: [["2.5", 2.5]]
SELECT -1.5, - DECIMAL '0.00';
expect: [["-1.5", "0.00"]]

-- Comparison and logic
SELECT 1 = 1, 1 <> 2, 1 < 2, 2 <= 2, 3 > 4, 3 >= 3, 1 != 1;
SELECT 'a' < 'b', 'a' = 'A', 'abc' > 'abd', '' < 'a', 'Z' < 'a';
SELECT 1 = 1.0, 1 < 1.5, 2 > 1e0;
SELECT DATE '2020-01-01' < DATE '2020-01-02', DATE '2020-01-01' = DATE '2020-01-01';
SELECT true AND false, true OR false, NOT true, true AND NOT false;
SELECT NULL AND false, NULL AND true, NULL OR true, NULL OR false, NOT NULL;
SELECT NULL = NULL, NULL <> 1, NULL IS NULL, 1 IS NOT NULL, NULL < 1;
SELECT 1 IS DISTINCT FROM NULL, NULL IS DISTINCT FROM NULL, 1 IS DISTINCT FROM 1, 1 IS NOT DISTINCT FROM 1;
SELECT 5 BETWEEN 1 AND 10, 5 NOT BETWEEN 1 AND 10, NULL BETWEEN 1 AND 2, 5 BETWEEN NULL AND 3;
SELECT 1 IN (1, 2, 3), 4 IN (1, 2, 3), 4 NOT IN (1, 2), NULL IN (1, 2), 1 IN (2, NULL), 1 IN (1, NULL);
SELECT 'b' IN ('a', 'b'), 'c' NOT IN ('a', 'b');
SELECT false AND 1 / 0 = 1;
expect: [[false]]
SELECT true OR 1 / 0 = 1;
expect: [[true]]
SELECT 1 = '1';
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer = varchar(1)
SELECT 'a' + 1;
error: TYPE_MISMATCH line 1:12: Cannot apply operator: varchar(1) + integer
SELECT -'a';
error: TYPE_MISMATCH line 1:8: Cannot negate varchar(1)
SELECT nan() = nan(), nan() <> nan(), nan() < 1e0, nan() > 1e0;
expect: [[false, true, false, false]]

-- LIKE
SELECT 'hello' LIKE 'he%', 'hello' LIKE '%lo', 'hello' LIKE '%ell%', 'hello' LIKE 'h_llo', 'hello' LIKE 'hello', 'hello' LIKE 'hell';
SELECT 'hello' NOT LIKE 'x%', '' LIKE '', '' LIKE '%', 'a' LIKE '', 'abc' LIKE '%%%', 'abc' LIKE '___', 'abc' LIKE '____';
SELECT '50%' LIKE '50#%' ESCAPE '#', '501' LIKE '50#%' ESCAPE '#', 'a_b' LIKE 'a\_b' ESCAPE '\';
SELECT NULL LIKE 'a', 'a' LIKE NULL;
SELECT 'special and requests' LIKE '%special%requests%', 'requests special' LIKE '%special%requests%';
SELECT 'äöü' LIKE '_ö_', 'äöü' LIKE '___', '日本語' LIKE '%本%';
SELECT 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaab' LIKE '%a%a%a%a%a%a%a%a%c';
SELECT 'a' LIKE 'a' ESCAPE 'xy';
error: INVALID_FUNCTION_ARGUMENT Escape string must be a single character

-- CASE and friends
SELECT CASE 1 WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE 'many' END;
SELECT CASE WHEN 1 > 2 THEN 'a' WHEN 2 > 1 THEN 'b' END, CASE WHEN false THEN 1 END;
SELECT CASE 3 WHEN 1 THEN 'one' END;
SELECT CASE NULL WHEN NULL THEN 'null' ELSE 'else' END;
SELECT CASE WHEN true THEN 1 ELSE 1 / 0 END;
expect: [[1]]
SELECT CASE WHEN true THEN 1 ELSE 2.5 END;
expect: [["1.0"]]
types: decimal(11, 1)
SELECT if(1 < 2, 'yes', 'no'), if(false, 1), if(NULL, 1, 2);
duckdb: SELECT 'yes', NULL, 2;
SELECT coalesce(NULL, 2, 3), coalesce(1, 1 / 0), coalesce(NULL, NULL);
expect: [[2, 1, null]]
SELECT nullif(1, 1), nullif(1, 2), nullif(NULL, 1);
SELECT try(1 / 0), try(CAST('x' AS integer)), try(5);
expect: [[null, null, 5]]
SELECT greatest(1, 5, 3), least(4, 2, 9), greatest('a', 'b'), least(1.5, 2);
SELECT greatest(1, NULL), least(NULL, 2);
expect: [[null, null]]

-- CAST
SELECT CAST('42' AS integer), CAST('-7' AS bigint), CAST('1.5' AS double), CAST('true' AS boolean);
SELECT CAST(1.5 AS integer), CAST(2.5 AS integer), CAST(-2.5 AS integer), CAST(2.4e0 AS bigint), CAST(2.5e0 AS integer);
expect: [[2, 3, -3, 2, 3]]
SELECT CAST(1 AS varchar), CAST(-1.50 AS varchar), CAST(true AS varchar), CAST(DATE '2020-02-03' AS varchar);
SELECT CAST(1e0 AS varchar), CAST(1.5e10 AS varchar), CAST(1e-5 AS varchar), CAST(123456789e0 AS varchar);
expect: [["1.0", "1.5E10", "1.0E-5", "1.23456789E8"]]
SELECT CAST('hello' AS varchar(3)), CAST('hi' AS char(4));
expect: [["hel", "hi  "]]
SELECT CAST('2020-02-30' AS date);
error: INVALID_CAST_ARGUMENT Value cannot be cast to date: 2020-02-30
SELECT CAST('abc' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast 'abc' to INT
SELECT CAST('abc' AS bigint);
error: INVALID_CAST_ARGUMENT Cannot cast 'abc' to BIGINT
SELECT CAST('maybe' AS boolean);
error: INVALID_CAST_ARGUMENT Cannot cast 'maybe' to BOOLEAN
SELECT CAST(300 AS tinyint);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for tinyint: 300
SELECT CAST(3000000000 AS integer);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for integer: 3000000000
SELECT TRY_CAST('abc' AS integer), TRY_CAST('5' AS integer), TRY_CAST(300 AS tinyint);
SELECT CAST(123.456 AS decimal(5, 2)), CAST('12.345' AS decimal(4, 2)), CAST(7 AS decimal(3, 1));
SELECT CAST(1234.5 AS decimal(4, 2));
error: INVALID_CAST_ARGUMENT Cannot cast DECIMAL '1234.5' to DECIMAL(4, 2)
SELECT CAST('abc' AS decimal(4, 2));
error: INVALID_CAST_ARGUMENT Cannot cast VARCHAR 'abc' to DECIMAL(4, 2). Value is not a number.
SELECT CAST(DATE '2020-05-17' AS timestamp), CAST(TIMESTAMP '2020-05-17 23:59:59' AS date);
expect: [["2020-05-17 00:00:00.000", "2020-05-17"]]
SELECT CAST(NULL AS integer), CAST(NULL AS varchar);
types: integer, varchar
SELECT CAST(true AS integer), CAST(0 AS boolean), CAST(2 AS boolean);
SELECT CAST(1.25 AS double), CAST(1 AS real), CAST(0.1e0 AS real);
duckdb: SELECT 1.25::DOUBLE, 1::REAL, 0.1::DOUBLE;
SELECT CAST(' 12 ' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast ' 12 ' to INT
SELECT CAST(DATE '2020-01-01' AS integer);
error: TYPE_MISMATCH line 1:8: Cannot cast date to integer
SELECT typeof(1), typeof('a'), typeof(1.5), typeof(DATE '2020-01-01'), typeof(NULL);
expect: [["integer", "varchar(1)", "decimal(2,1)", "date", "unknown"]]
