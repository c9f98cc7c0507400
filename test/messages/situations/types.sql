-- Types as written, parameters of types, types that a clause cannot use.
SELECT CAST(1 AS nosuch);
error: TYPE_MISMATCH line 1:8: Unknown type: nosuch
SELECT CAST(1 AS MAP);
error: TYPE_MISMATCH line 1:8: Unknown type: map
SELECT CAST(1 AS array);
error: TYPE_MISMATCH line 1:8: Unknown type: array
SELECT TRY_CAST(1 AS nosuch);
error: TYPE_MISMATCH line 1:8: Unknown type: nosuch
SELECT CAST(1 AS array(nosuch));
error: TYPE_MISMATCH line 1:8: Unknown type: array(nosuch)
SELECT CAST(NULL AS unknown);
error: TYPE_MISMATCH line 1:8: UNKNOWN is not a valid type
SELECT CAST(1 AS bigint(3));
error: TYPE_MISMATCH line 1:8: Unknown type: bigint(3)
SELECT nosuch '1';
error: TYPE_NOT_FOUND line 1:8: Unknown type: nosuch
SELECT CAST(1 AS decimal(39));
error: INVALID_FUNCTION_ARGUMENT DECIMAL precision must be in range [1, 38]: 39
SELECT CAST(1 AS decimal(0));
error: INVALID_FUNCTION_ARGUMENT DECIMAL precision must be in range [1, 38]: 0
SELECT CAST(1 AS decimal(5, 6));
error: INVALID_FUNCTION_ARGUMENT DECIMAL scale must be in range [0, precision (5)]: 6
SELECT CAST('a' AS char(65537));
error: INVALID_FUNCTION_ARGUMENT CHAR length must be in range [0, 65536], got 65537
SELECT CAST('2020-01-01' AS timestamp(13));
error: NUMERIC_VALUE_OUT_OF_RANGE TIMESTAMP precision must be in range [0, 12]: 13
SELECT CAST('2020-01-01' AS timestamp(13) with time zone);
error: NUMERIC_VALUE_OUT_OF_RANGE TIMESTAMP WITH TIME ZONE precision must be in range [0, 12]: 13
SELECT CAST('01:00' AS time(13));
error: NUMERIC_VALUE_OUT_OF_RANGE TIME precision must be in range [0, 12]: 13
SELECT current_timestamp(13);
error: NUMERIC_VALUE_OUT_OF_RANGE TIMESTAMP WITH TIME ZONE precision must be in range [0, 12]: 13
SELECT localtime(13);
error: NUMERIC_VALUE_OUT_OF_RANGE TIME precision must be in range [0, 12]: 13
CREATE TABLE nope (a nosuch);
error: TYPE_NOT_FOUND line 1:20: Unknown type 'nosuch' for column 'a'
CREATE TABLE nope (a unknown);
error: COLUMN_TYPE_UNKNOWN line 1:20: Unknown type 'unknown' for column 'a'
CREATE TABLE nope AS SELECT NULL a;
error: COLUMN_TYPE_UNKNOWN line 1:1: Column type is unknown: a
CREATE TABLE nope (x) AS SELECT NULL;
error: COLUMN_TYPE_UNKNOWN line 1:1: Column type is unknown at position 1
SELECT CAST(DATE '2014-01-01' AS bigint);
error: TYPE_MISMATCH line 1:8: Cannot cast date to bigint
SELECT TRY_CAST(DATE '2014-01-01' AS bigint);
error: TYPE_MISMATCH line 1:8: Cannot cast date to bigint
SELECT CAST(1 AS date);
error: TYPE_MISMATCH line 1:8: Cannot cast integer to date
SELECT CAST(ROW(1, 2) AS row(x integer));
error: TYPE_MISMATCH line 1:8: Cannot cast row(integer, integer) to row(x integer)
SELECT CAST(MAP(ARRAY[1], ARRAY[2]) AS varchar);
error: TYPE_MISMATCH line 1:8: Cannot cast map(integer, integer) to varchar
SELECT CAST(X'00' AS varchar);
error: TYPE_MISMATCH line 1:8: Cannot cast varbinary to varchar
SELECT NOT 1;
error: TYPE_MISMATCH line 1:12: Value of logical NOT expression must evaluate to a boolean (actual: integer)
SELECT 1 AND true;
error: TYPE_MISMATCH line 1:8: Logical expression term must evaluate to a boolean (actual: integer)
SELECT true OR 'x';
error: TYPE_MISMATCH line 1:16: Logical expression term must evaluate to a boolean (actual: varchar(1))
SELECT 1 = 'a';
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer = varchar(1)
SELECT 1 > 'a';
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer > varchar(1)
SELECT 1 <= 'a';
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer <= varchar(1)
SELECT 1 <> 'a';
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer <> varchar(1)
SELECT 1 != 'a';
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer <> varchar(1)
SELECT 1 IS DISTINCT FROM 'a';
error: TYPE_MISMATCH line 1:10: Cannot check if integer is distinct from varchar(1)
SELECT 1 IS NOT DISTINCT FROM 'a';
error: TYPE_MISMATCH line 1:10: Cannot check if integer is distinct from varchar(1)
SELECT 'a' + 1;
error: TYPE_MISMATCH line 1:12: Cannot apply operator: varchar(1) + integer
SELECT 1 - 'a';
error: TYPE_MISMATCH line 1:10: Cannot apply operator: integer - varchar(1)
SELECT true * false;
error: TYPE_MISMATCH line 1:13: Cannot apply operator: boolean * boolean
SELECT DATE '2020-01-01' / 2;
error: TYPE_MISMATCH line 1:26: Cannot apply operator: date / integer
SELECT INTERVAL '1' DAY + INTERVAL '1' YEAR;
error: TYPE_MISMATCH line 1:25: Cannot apply operator: interval day to second + interval year to month
SELECT 'a' % 2;
error: TYPE_MISMATCH line 1:12: Cannot apply operator: varchar(1) % integer
SELECT MAP(ARRAY[1], ARRAY[2]) > MAP(ARRAY[1], ARRAY[2]);
error: TYPE_MISMATCH line 1:32: Cannot apply operator: map(integer, integer) > map(integer, integer)
SELECT -'a';
error: TYPE_MISMATCH line 1:8: Cannot negate varchar(1)
SELECT +'a';
error: TYPE_MISMATCH line 1:8: Unary '+' operator cannot by applied to varchar(1) type
SELECT NULLIF(1, 'a');
error: TYPE_MISMATCH line 1:8: Types are not comparable with NULLIF: integer vs varchar(1)
SELECT IF(1, 2, 3);
error: TYPE_MISMATCH line 1:11: IF condition must evaluate to a boolean (actual: integer)
SELECT IF(true, 1, 'a');
error: TYPE_MISMATCH line 1:8: Result types for IF must be the same: integer vs varchar(1)
SELECT CASE WHEN true THEN 'a' ELSE 1 END;
error: TYPE_MISMATCH line 1:37: All CASE results must be the same type or coercible to a common type. Cannot find common type between varchar(1) and integer, all types (without duplicates): [varchar(1), integer]
SELECT CASE WHEN '1' THEN 1 ELSE 2 END;
error: TYPE_MISMATCH line 1:18: CASE WHEN clause must evaluate to a boolean (actual: varchar(1))
SELECT CASE 1 WHEN 'a' THEN 2 END;
error: TYPE_MISMATCH line 1:20: CASE operand type does not match WHEN clause operand type: integer vs varchar(1)
SELECT CASE 1 WHEN 1 THEN 2 WHEN 3 THEN 4e0 ELSE 'a' END;
error: TYPE_MISMATCH line 1:50: All CASE results must be the same type or coercible to a common type. Cannot find common type between double and varchar(1), all types (without duplicates): [integer, double, varchar(1)]
SELECT COALESCE(1, 'a');
error: TYPE_MISMATCH line 1:20: All COALESCE operands must be the same type or coercible to a common type. Cannot find common type between integer and varchar(1), all types (without duplicates): [integer, varchar(1)]
SELECT ARRAY[1, 'a', true];
error: TYPE_MISMATCH line 1:17: All ARRAY elements must be the same type or coercible to a common type. Cannot find common type between integer and varchar(1), all types (without duplicates): [integer, varchar(1), boolean]
SELECT 1 IN ('a');
error: TYPE_MISMATCH line 1:14: IN value and list items must be the same type or coercible to a common type. Cannot find common type between integer and varchar(1), all types (without duplicates): [integer, varchar(1)]
SELECT 'a' IN (1, 'b');
error: TYPE_MISMATCH line 1:16: IN value and list items must be the same type or coercible to a common type. Cannot find common type between varchar(1) and integer, all types (without duplicates): [varchar(1), integer]
SELECT 1 BETWEEN 'a' AND 2;
error: TYPE_MISMATCH line 1:10: Cannot check if integer is BETWEEN varchar(1) and integer
SELECT 1 NOT BETWEEN 0 AND 'b';
error: TYPE_MISMATCH line 1:10: Cannot check if integer is BETWEEN integer and varchar(1)
SELECT JSON '1' BETWEEN JSON '0' AND JSON '2';
error: TYPE_MISMATCH line 1:17: Cannot check if json is BETWEEN json and json
SELECT 1 LIKE 'a';
error: TYPE_MISMATCH line 1:8: Left side of LIKE expression must evaluate to a varchar (actual: integer)
SELECT 'a' LIKE 1;
error: TYPE_MISMATCH line 1:17: Pattern for LIKE expression must evaluate to a varchar (actual: integer)
SELECT 'a' LIKE 'b' ESCAPE 1;
error: TYPE_MISMATCH line 1:28: Escape for LIKE expression must evaluate to a varchar (actual: integer)
SELECT EXTRACT(DAY FROM 'a');
error: TYPE_MISMATCH line 1:25: Cannot extract DAY from varchar(1)
SELECT EXTRACT(HOUR FROM DATE '2020-01-01');
error: TYPE_MISMATCH line 1:26: Cannot extract HOUR from date
SELECT EXTRACT(YEAR FROM TIME '01:00:00');
error: TYPE_MISMATCH line 1:26: Cannot extract YEAR from time(0)
SELECT EXTRACT(TIMEZONE_HOUR FROM TIMESTAMP '2020-01-01 00:00:00');
error: TYPE_MISMATCH line 1:35: Cannot extract TIMEZONE_HOUR from timestamp(0)
SELECT EXTRACT(MONTH FROM INTERVAL '1' DAY);
error: TYPE_MISMATCH line 1:27: Cannot extract MONTH from interval day to second
SELECT EXTRACT(CENTURY FROM DATE '2020-01-01');
error: SYNTAX_ERROR line 1:8: Invalid EXTRACT field: CENTURY
SELECT 'abc' AT TIME ZONE 'UTC';
error: TYPE_MISMATCH line 1:8: Type of value must be a time or timestamp with or without time zone (actual varchar(3))
SELECT ROW(1, 'a')[x] FROM (VALUES 1) t (x);
error: EXPRESSION_NOT_CONSTANT line 1:20: Subscript expression on ROW requires a constant index
SELECT ROW(1, 'a')[9999999999];
error: TYPE_MISMATCH line 1:20: Subscript expression on ROW requires integer index, found bigint
SELECT ROW(1, 'a')[0];
error: INVALID_FUNCTION_ARGUMENT line 1:20: Invalid subscript index: 0. ROW indices start at 1
SELECT ROW(1, 'a')[5];
error: INVALID_FUNCTION_ARGUMENT line 1:20: Subscript index out of bounds: 5, max value is 2
SELECT ARRAY[1]['x'];
error: TYPE_MISMATCH line 1:8: Cannot use varchar(1) for subscript of array(integer)
SELECT MAP(ARRAY[1], ARRAY[2])['x'];
error: TYPE_MISMATCH line 1:8: Cannot use varchar(1) for subscript of map(integer, integer)
SELECT DISTINCT x FROM (SELECT approx_set(1) x);
error: TYPE_MISMATCH line 1:1: DISTINCT can only be applied to comparable types (actual: HyperLogLog): x
SELECT * FROM (SELECT approx_set(1)) GROUP BY 1;
error: TYPE_MISMATCH line 1:1: HyperLogLog is not comparable, and therefore cannot be used in GROUP BY
SELECT x FROM (SELECT approx_set(1) x) ORDER BY 1;
error: TYPE_MISMATCH line 1:1: Type HyperLogLog is not orderable, and therefore cannot be used in ORDER BY: :input(0)
SELECT row_number() OVER (PARTITION BY t.x) FROM (VALUES CAST(NULL AS HyperLogLog)) AS t (x);
error: TYPE_MISMATCH line 1:40: HyperLogLog is not comparable, and therefore cannot be used in window function PARTITION BY
SELECT row_number() OVER (ORDER BY t.x) FROM (VALUES color('red')) AS t (x);
error: TYPE_MISMATCH line 1:36: color is not orderable, and therefore cannot be used in window function ORDER BY
