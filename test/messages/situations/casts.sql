-- Casts by source and target (Trino's type operators and DecimalCasts). A cast of text is INVALID_CAST_ARGUMENT where a typed literal is INVALID_LITERAL.
SELECT CAST('x' AS boolean);
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to BOOLEAN
SELECT CAST('' AS boolean);
error: INVALID_CAST_ARGUMENT Cannot cast '' to BOOLEAN
SELECT CAST('128' AS tinyint);
error: INVALID_CAST_ARGUMENT Cannot cast '128' to TINYINT
SELECT CAST('1.5' AS smallint);
error: INVALID_CAST_ARGUMENT Cannot cast '1.5' to SMALLINT
SELECT CAST('x' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to INT
SELECT CAST('' AS bigint);
error: INVALID_CAST_ARGUMENT Cannot cast '' to BIGINT
SELECT CAST('9223372036854775808' AS bigint);
error: INVALID_CAST_ARGUMENT Cannot cast '9223372036854775808' to BIGINT
SELECT CAST('x' AS real);
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to REAL
SELECT CAST('1,5' AS double);
error: INVALID_CAST_ARGUMENT Cannot cast '1,5' to DOUBLE
SELECT CAST('x' AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast VARCHAR 'x' to DECIMAL(5, 2). Value is not a number.
SELECT CAST('1234' AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast VARCHAR '1234' to DECIMAL(5, 2). Value too large.
SELECT CAST('x' AS date);
error: INVALID_CAST_ARGUMENT Value cannot be cast to date: x
SELECT CAST('2013-02-29' AS date);
error: INVALID_CAST_ARGUMENT Value cannot be cast to date: 2013-02-29
SELECT CAST('x' AS time);
error: INVALID_CAST_ARGUMENT Value cannot be cast to time: x
SELECT CAST('25:00:00' AS time(3));
error: INVALID_CAST_ARGUMENT Value cannot be cast to time: 25:00:00
SELECT CAST('x' AS time with time zone);
error: INVALID_CAST_ARGUMENT Value cannot be cast to time with time zone: x
SELECT CAST('x' AS timestamp);
error: INVALID_CAST_ARGUMENT Value cannot be cast to timestamp: x
SELECT CAST('2020-01-01 24:00:00' AS timestamp(6));
error: INVALID_CAST_ARGUMENT Value cannot be cast to timestamp: 2020-01-01 24:00:00
SELECT CAST('x' AS timestamp with time zone);
error: INVALID_CAST_ARGUMENT Value cannot be cast to timestamp: x
SELECT CAST('x' AS uuid);
error: INVALID_CAST_ARGUMENT Cannot cast value to UUID: x
SELECT CAST('1.2.3' AS ipaddress);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPADDRESS: 1.2.3
SELECT CAST(X'00' AS uuid);
error: INVALID_CAST_ARGUMENT Invalid UUID binary length: 1
SELECT CAST(X'00' AS ipaddress);
error: INVALID_CAST_ARGUMENT Invalid IP address binary length: 1
SELECT CAST(2147483648 AS integer);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for integer: 2147483648
SELECT CAST(40000 AS smallint);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for smallint: 40000
SELECT CAST(200 AS tinyint);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for tinyint: 200
SELECT CAST(1e20 AS bigint);
error: INVALID_CAST_ARGUMENT Unable to cast 1.0E20 to bigint
SELECT CAST(nan() AS bigint);
error: INVALID_CAST_ARGUMENT Unable to cast NaN to bigint
SELECT CAST(1e10 AS integer);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for integer: 1.0E10
SELECT CAST(nan() AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast double NaN to integer
SELECT CAST(infinity() AS smallint);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for smallint: Infinity
SELECT CAST(1e3 AS tinyint);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for tinyint: 1000.0
SELECT CAST(REAL '1e10' AS integer);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for integer: 1.0E10
SELECT CAST(REAL 'NaN' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast real NaN to integer
SELECT CAST(REAL '1e20' AS bigint);
error: INVALID_CAST_ARGUMENT Unable to cast 1.0E20 to bigint
SELECT CAST(DECIMAL '99999999999999999999' AS bigint);
error: INVALID_CAST_ARGUMENT Cannot cast '99999999999999999999' to BIGINT
SELECT CAST(DECIMAL '9999999999.6' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast '10000000000' to INTEGER
SELECT CAST(DECIMAL '40000.4' AS smallint);
error: INVALID_CAST_ARGUMENT Cannot cast '40000' to SMALLINT
SELECT CAST(DECIMAL '-200' AS tinyint);
error: INVALID_CAST_ARGUMENT Cannot cast '-200' to TINYINT
SELECT CAST(CAST(200.5 AS decimal(38, 1)) AS tinyint);
error: INVALID_CAST_ARGUMENT Cannot cast '200.5' to TINYINT
SELECT CAST(1000 AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast INTEGER '1000' to DECIMAL(5, 2)
SELECT CAST(BIGINT '1000' AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast BIGINT '1000' to DECIMAL(5, 2)
SELECT CAST(SMALLINT '1000' AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast SMALLINT '1000' to DECIMAL(5, 2)
SELECT CAST(TINYINT '100' AS decimal(4, 2));
error: INVALID_CAST_ARGUMENT Cannot cast TINYINT '100' to DECIMAL(4, 2)
SELECT CAST(1000e0 AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast DOUBLE '1000.0' to DECIMAL(5, 2)
SELECT CAST(nan() AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast DOUBLE 'NaN' to DECIMAL(5, 2)
SELECT CAST(infinity() AS decimal(38, 2));
error: INVALID_CAST_ARGUMENT Cannot cast DOUBLE 'Infinity' to DECIMAL(38, 2)
SELECT CAST(REAL '1000' AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast REAL '1000.0' to DECIMAL(5, 2)
SELECT CAST(REAL 'NaN' AS decimal(20, 2));
error: INVALID_CAST_ARGUMENT Cannot cast REAL 'NaN' to DECIMAL(20, 2)
SELECT CAST(DECIMAL '1234.5' AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast DECIMAL '1234.5' to DECIMAL(5, 2)
SELECT CAST(DECIMAL '12345678901234567890.5' AS decimal(20, 2));
error: INVALID_CAST_ARGUMENT Cannot cast DECIMAL '12345678901234567890.5' to DECIMAL(20, 2)
SELECT CAST(1234 AS varchar(3));
error: INVALID_CAST_ARGUMENT Value 1234 cannot be represented as varchar(3)
SELECT CAST(DATE '2020-01-01' AS varchar(9));
error: INVALID_CAST_ARGUMENT Value 2020-01-01 cannot be represented as varchar(9)
SELECT CAST(true AS varchar(3));
error: INVALID_CAST_ARGUMENT Value true cannot be represented as varchar(3)
SELECT CAST(12.5e0 AS varchar(3));
error: INVALID_CAST_ARGUMENT Value 12.5 cannot be represented as varchar(3)
SELECT CAST(DECIMAL '12.34' AS varchar(4));
error: INVALID_CAST_ARGUMENT Value 12.34 cannot be represented as varchar(4)
SELECT CAST(MAP(ARRAY[1.1e0, 1.2e0], ARRAY[1, 2]) AS map(integer, integer));
error: INVALID_CAST_ARGUMENT duplicate keys
SELECT CAST(MAP(ARRAY['a'], ARRAY['x']) AS map(varchar, integer));
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to INT
SELECT CAST(ARRAY['x'] AS array(double));
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to DOUBLE
SELECT CAST(ROW('x') AS row(a date));
error: INVALID_CAST_ARGUMENT Value cannot be cast to date: x
SELECT CAST(JSON '"abc"' AS bigint);
error: INVALID_CAST_ARGUMENT Cannot cast '"abc"' to bigint
SELECT CAST(JSON '[1]' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast '[1]' to integer
SELECT CAST(JSON '128' AS tinyint);
error: INVALID_CAST_ARGUMENT Cannot cast '128' to tinyint
SELECT CAST(JSON '"x"' AS boolean);
error: INVALID_CAST_ARGUMENT Cannot cast '"x"' to boolean
SELECT CAST(JSON '{}' AS double);
error: INVALID_CAST_ARGUMENT Cannot cast '{}' to double
SELECT CAST(JSON '"x"' AS real);
error: INVALID_CAST_ARGUMENT Cannot cast '"x"' to real
SELECT CAST(JSON '[]' AS varchar);
error: INVALID_CAST_ARGUMENT Cannot cast '[]' to varchar
SELECT CAST(JSON '1000' AS decimal(5, 2));
error: INVALID_CAST_ARGUMENT Cannot cast input json to DECIMAL(5,2)
SELECT CAST(JSON '"x"' AS decimal(20, 2));
error: INVALID_CAST_ARGUMENT Cannot cast '"x"' to DECIMAL(20,2)
SELECT CAST(JSON '1' AS array(bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to array\(bigint\)\. Expected a json array, but got 1\n1/
SELECT CAST(JSON '{"a": 1}' AS array(bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to array\(bigint\)\. Expected a json array, but got \{\n\{"a":1\}/
SELECT CAST(JSON '[1, "b"]' AS array(bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to array\(bigint\)\. Cannot cast 'b' to BIGINT\n\[1,"b"\]/
SELECT CAST(JSON '[1]' AS map(varchar, bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to map\(varchar, bigint\)\. Expected a json object, but got \[\n\[1\]/
SELECT CAST(JSON '1' AS row(a bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to row\(a bigint\)\. Expected a json array or a json object, but got 1\n1/
SELECT TRY_CAST('x' AS nosuch);
error: TYPE_MISMATCH line 1:8: Unknown type: nosuch
SELECT CAST(JSON '[1, {}]' AS array(bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to array\(bigint\)\. Unexpected token when cast to bigint: \{\n\[1,\{\}\]/
SELECT CAST(JSON '[[1], {}]' AS array(array(bigint)));
error: INVALID_CAST_ARGUMENT /Cannot cast to array\(array\(bigint\)\)\. Expected a json array, but got \{\n\[\[1\],\{\}\]/
SELECT CAST(JSON '[1234567890123.456]' AS array(integer));
error: INVALID_CAST_ARGUMENT /Cannot cast to array\(integer\)\. Out of range for integer: (1\.234567890123456E12|1234567890123\.456)\n\[(1\.234567890123456E12|1234567890123\.456)\]/
SELECT CAST(JSON '{"1": {"a": 1}, "2": []}' AS map(varchar, map(varchar, bigint)));
error: INVALID_CAST_ARGUMENT /Cannot cast to map\(varchar, map\(varchar, bigint\)\)\. Expected a json object, but got \[\n\{"1":\{"a":1\},"2":\[\]\}/
SELECT CAST(JSON '{"a": "b"}' AS map(varchar, bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to map\(varchar, bigint\)\. Cannot cast 'b' to BIGINT\n\{"a":"b"\}/
SELECT CAST(JSON '{"1": 1, "01": 2}' AS map(bigint, bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to map\(bigint, bigint\)\. Duplicate keys are not allowed\n\{.*\}/
SELECT CAST(JSON '[{"1": 1, "01": 2}]' AS array(map(bigint, bigint)));
error: INVALID_CAST_ARGUMENT /Cannot cast to array\(map\(bigint, bigint\)\)\. Duplicate keys are not allowed\n\[\{.*\}\]/
SELECT CAST(JSON '{"a": 1, "b": {}}' AS row(a integer, b array(integer)));
error: INVALID_CAST_ARGUMENT /Cannot cast to row\(a integer, b array\(integer\)\)\. Expected a json array, but got \{\n\{"a":1,"b":\{\}\}/
SELECT CAST(JSON '[1, {}]' AS row(integer, array(integer)));
error: INVALID_CAST_ARGUMENT /Cannot cast to row\(integer, array\(integer\)\)\. Expected a json array, but got \{\n\[1,\{\}\]/
SELECT CAST(JSON '{"[]": 1}' AS map(array(bigint), bigint));
error: TYPE_MISMATCH line 1:8: Cannot cast json to map(array(bigint), bigint)
SELECT CAST(JSON '12345678901234567890' AS bigint);
error: INVALID_CAST_ARGUMENT Cannot cast '12345678901234567890' to bigint
SELECT CAST(JSON '"128.9"' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast '"128.9"' to integer
SELECT CAST(JSON '123456.0' AS smallint);
error: INVALID_CAST_ARGUMENT
SELECT CAST(JSON '1e309' AS bigint);
error: INVALID_CAST_ARGUMENT
SELECT CAST(JSON '12345678901234567890' AS boolean);
error: INVALID_CAST_ARGUMENT
SELECT CAST(JSON '1e309' AS boolean);
error: INVALID_CAST_ARGUMENT
SELECT CAST(JSON '{"x": 123}' AS decimal(10, 3));
error: INVALID_CAST_ARGUMENT Cannot cast '{"x":123}' to DECIMAL(10,3)
SELECT CAST(JSON '1234567890123456' AS decimal(10, 3));
error: INVALID_CAST_ARGUMENT Cannot cast input json to DECIMAL(10,3)
SELECT CAST(1 AS decimal(99999999999999999999));
error: SYNTAX_ERROR line 1:26: Invalid numeric literal: 99999999999999999999
SELECT CURRENT_TIMESTAMP(99999999999999999999);
error: SYNTAX_ERROR line 1:26: Invalid numeric literal: 99999999999999999999
SELECT name FROM tpch.tiny.nation ORDER BY 99999999999999999999;
error: INVALID_COLUMN_REFERENCE line 1:44: ORDER BY position 99999999999999999999 is not in select list
