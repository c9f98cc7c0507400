-- JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT, JSON_ARRAY and the path language: the examples of Trino's page of JSON functions, then those of its tests
-- The page's examples: a table of customers
WITH customers(id, description) AS (VALUES (101, '{"comment" : "nice", "children" : [10, 13, 16]}'), (102, '{"comment" : "problematic", "children" : [8, 11]}'), (103, '{"comment" : "knows best", "children" : [2]}')) SELECT id, json_exists(description, 'lax $.children[*]?(@ > 10)') FROM customers;
expect: [[101, true], [102, true], [103, false]]
types: integer, boolean
WITH customers(id, description) AS (VALUES (101, '{"comment" : "nice", "children" : [10, 13, 16]}'), (102, '{"comment" : "problematic", "children" : [8, 11]}'), (103, '{"comment" : "knows best", "children" : [2]}')) SELECT id, json_exists(description, 'strict $.children[2]?(@ > 10)' UNKNOWN ON ERROR) FROM customers;
expect: [[101, true], [102, null], [103, null]]
WITH customers(id, description) AS (VALUES (101, '{"comment" : "nice", "children" : [10, 13, 16]}'), (102, '{"comment" : "problematic", "children" : [8, 11]}'), (103, '{"comment" : "knows best", "children" : [2]}')) SELECT id, json_query(description, 'lax $.children') AS children, json_query(description, 'lax $.children[*]' WITHOUT ARRAY WRAPPER NULL ON ERROR), json_query(description, 'lax $.children[last]' WITH ARRAY WRAPPER) AS last_child, json_query(description, 'strict $.children[*]?(@ > 12)' WITH ARRAY WRAPPER EMPTY ARRAY ON EMPTY) FROM customers;
expect: [[101, "[10,13,16]", null, "[16]", "[13,16]"], [102, "[8,11]", null, "[11]", "[]"], [103, "[2]", "2", "[2]", "[]"]]
types: integer, varchar, varchar, varchar, varchar
WITH customers(id, description) AS (VALUES (101, '{"comment" : "nice", "children" : [10, 13, 16]}'), (102, '{"comment" : "problematic", "children" : [8, 11]}'), (103, '{"comment" : "knows best", "children" : [2]}')) SELECT id, json_query(description, 'strict $.comment' KEEP QUOTES) AS quoted_comment, json_query(description, 'strict $.comment' OMIT QUOTES) AS unquoted_comment FROM customers;
expect: [[101, "\"nice\"", "nice"], [102, "\"problematic\"", "problematic"], [103, "\"knows best\"", "knows best"]]
WITH customers(id, description) AS (VALUES (101, '{"comment" : "nice", "children" : [10, 13, 16]}'), (102, '{"comment" : "problematic", "children" : [8, 11]}'), (103, '{"comment" : "knows best", "children" : [2]}')) SELECT id, json_value(description, 'lax $.comment' RETURNING char(12)), json_value(description, 'lax $.children[0]' RETURNING tinyint), json_value(description, 'strict $.children[2]' DEFAULT 'err' ON ERROR), json_value(description, 'lax $.children[2]' DEFAULT 'missing' ON EMPTY) FROM customers;
expect: [[101, "nice        ", 10, "16", "16"], [102, "problematic ", 8, "err", "missing"], [103, "knows best  ", 2, "err", "missing"]]
types: integer, char(12), tinyint, varchar, varchar
-- JSON_ARRAY
SELECT json_array(true, 12e-1, 'text'), json_array('[  "text"  ] ' FORMAT JSON, X'5B0035005D00' FORMAT JSON ENCODING UTF16), json_array(json_query('{"key" : [  "value"  ]}', 'lax $.key')), json_array(DATE '2001-01-31', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'), json_array(), json_array(true, null, 1), json_array(true, null, 1 ABSENT ON NULL), json_array(true, null, 1 NULL ON NULL);
expect: [["[true,1.2,\"text\"]", "[[\"text\"],[5]]", "[[\"value\"]]", "[\"2001-01-31\",\"12151fd2-7586-11e9-8f9e-2a86e4085a59\"]", "[]", "[true,1]", "[true,1]", "[true,null,1]"]]
SELECT json_array(true, 1 RETURNING VARCHAR(100)), to_hex(json_array(true, 1 RETURNING VARBINARY)), to_hex(json_array(true, 1 RETURNING VARBINARY FORMAT JSON ENCODING UTF8)), to_hex(json_array(true, 1 RETURNING VARBINARY FORMAT JSON ENCODING UTF16)), to_hex(json_array(true, 1 RETURNING VARBINARY FORMAT JSON ENCODING UTF32));
expect: [["[true,1]", "5B747275652C315D", "5B747275652C315D", "5B0074007200750065002C0031005D00", "5B000000740000007200000075000000650000002C000000310000005D000000"]]
types: varchar(100), varchar, varchar, varchar, varchar
SELECT json_array(), json_array(RETURNING varchar), json_array(CAST(null AS varchar) FORMAT JSON, json_array(1, json_object('a' : json_array())), json_exists('[1]', 'lax $[0]'), json_value('["x"]', 'lax $[0]') NULL ON NULL);
expect: [["[]", "[]", "[null,[1,{\"a\":[]}],true,\"x\"]"]]
SELECT json_array(TINYINT '1', SMALLINT '2', 3, BIGINT '9223372036854775807', REAL '1.5', 1e100, DECIMAL '12.50', 'a"b\', CAST('c' AS char(3)), TIMESTAMP '2001-01-31 10:11:12.345', TIME '10:11:12', INTERVAL '2' DAY, nan(), JSON '{"b": [1], "a": 2}');
expect: [["[1,2,3,9223372036854775807,1.5,1.0E100,12.50,\"a\\\"b\\\\\",\"c  \",\"2001-01-31 10:11:12.345\",\"10:11:12\",\"2 00:00:00.000\",\"NaN\",{\"a\":2,\"b\":[1]}]"]]
SELECT json_array(name, nationkey) FROM nation WHERE nationkey < 3;
duckdb: SELECT CAST(json_array(name, nationkey) AS varchar) FROM nation WHERE nationkey < 3;
-- JSON_OBJECT
SELECT json_object('key1' : 1, 'key2' : true), json_object(KEY 'key1' VALUE 1, KEY 'key2' VALUE true), json_object('key1' VALUE 1, 'key2' VALUE true), json_object('x' : true, 'y' : 12e-1, 'z' : 'text'), json_object('x' : '[  "text"  ] ' FORMAT JSON, 'y' : X'5B0035005D00' FORMAT JSON ENCODING UTF16), json_object('x' : json_query('{"key" : [  "value"  ]}', 'lax $.key')), json_object('x' : DATE '2001-01-31', 'y' : UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'), json_object();
expect: [["{\"key1\":1,\"key2\":true}", "{\"key1\":1,\"key2\":true}", "{\"key1\":1,\"key2\":true}", "{\"x\":true,\"y\":1.2,\"z\":\"text\"}", "{\"x\":[\"text\"],\"y\":[5]}", "{\"x\":[\"value\"]}", "{\"x\":\"2001-01-31\",\"y\":\"12151fd2-7586-11e9-8f9e-2a86e4085a59\"}", "{}"]]
SELECT json_object('x' : null, 'y' : 1), json_object('x' : null, 'y' : 1 NULL ON NULL), json_object('x' : null, 'y' : 1 ABSENT ON NULL), json_object('x' : 1 RETURNING VARCHAR(100)), to_hex(json_object('x' : 1 RETURNING VARBINARY)), to_hex(json_object('x' : 1 RETURNING VARBINARY FORMAT JSON ENCODING UTF8)), to_hex(json_object('x' : 1 RETURNING VARBINARY FORMAT JSON ENCODING UTF16)), to_hex(json_object('x' : 1 RETURNING VARBINARY FORMAT JSON ENCODING UTF32));
expect: [["{\"x\":null,\"y\":1}", "{\"x\":null,\"y\":1}", "{\"y\":1}", "{\"x\":1}", "7B2278223A317D", "7B2278223A317D", "7B002200780022003A0031007D00", "7B0000002200000078000000220000003A000000310000007D000000"]]
SELECT json_object('x' : null, 'x' : 1 WITH UNIQUE KEYS);
error: INVALID_FUNCTION_ARGUMENT duplicate key passed to JSON_OBJECT function
SELECT json_object('x' : null, 'x' : 1), json_object('x' : 1, 'x' : 2 WITHOUT UNIQUE KEYS), json_object('a' : 1, 'b' : 2 WITH UNIQUE), json_object('a' : null, 'a' : 2 ABSENT ON NULL WITH UNIQUE KEYS);
expect: [["{\"x\":null,\"x\":1}", "{\"x\":1,\"x\":2}", "{\"a\":1,\"b\":2}", "{\"a\":2}"]]
SELECT json_object(CAST(null AS varchar) : 1);
error: INVALID_FUNCTION_ARGUMENT null value passed for JSON object key to JSON_OBJECT function
SELECT json_object('X' : 'Y'), json_object(KEY 'X' VALUE 'Y'), json_object('X' VALUE 'Y'), json_object('key' : null), json_object('key' : '[ 1, true, "a", null ]' FORMAT JSON), json_object('key' : X'7B002200610022003A0031007D00' FORMAT JSON ENCODING UTF16), json_object('key' : '{"a" : 1, "a" : 1}' FORMAT JSON), json_object('key' : 1e0), json_object('key' : json_object('a' : 1)), json_object((SELECT 'key') : (SELECT 1));
expect: [["{\"X\":\"Y\"}", "{\"X\":\"Y\"}", "{\"X\":\"Y\"}", "{\"key\":null}", "{\"key\":[1,true,\"a\",null]}", "{\"key\":{\"a\":1}}", "{\"key\":{\"a\":1}}", "{\"key\":1.0}", "{\"key\":{\"a\":1}}", "{\"key\":1}"]]
SELECT json_object(key VALUE value), json_object(KEY key VALUE value), json_object(key : value), json_object(KEY value VALUE key), json_object(CAST(key AS char(3)) : 1), json_object(key || 'z' VALUE value || 'y') FROM (VALUES ('a', 'b')) t(key, value);
expect: [["{\"a\":\"b\"}", "{\"a\":\"b\"}", "{\"a\":\"b\"}", "{\"b\":\"a\"}", "{\"a  \":1}", "{\"az\":\"by\"}"]]
SELECT json_object('key' : '[...' FORMAT JSON);
error: JSON_INPUT_CONVERSION_ERROR
SELECT json_object('key' : '{"a" : 1, "a" : 1}' FORMAT JSON WITH UNIQUE KEYS);
error: NOT_SUPPORTED line 1:8: WITH UNIQUE KEYS behavior is not supported for JSON_OBJECT function when input expression has FORMAT
SELECT json_object('key' : (SELECT approx_set(1)));
error: NOT_SUPPORTED line 1:8: Unsupported type of value passed to JSON_OBJECT function: HyperLogLog
SELECT json_object(null : 1);
error: INVALID_FUNCTION_ARGUMENT line 1:20: Invalid type of JSON object key: unknown
SELECT json_object(0 : 1);
error: INVALID_FUNCTION_ARGUMENT line 1:20: Invalid type of JSON object key: integer
SELECT json_object('key' : 1e0 FORMAT JSON);
error: TYPE_MISMATCH line 1:28: Cannot read input of type double as JSON using formatting JSON
SELECT json_object('key' : 1 RETURNING some_type);
error: TYPE_MISMATCH line 1:8: Unknown type: some_type
SELECT json_object('key' : 1 RETURNING integer);
error: TYPE_MISMATCH line 1:8: Cannot output JSON value as integer using formatting JSON
SELECT json_object('key' : 1 RETURNING integer FORMAT JSON ENCODING UTF16);
error: TYPE_MISMATCH line 1:8: Cannot output JSON value as integer using formatting JSON ENCODING UTF16
SELECT json_object('key' : a) FROM (VALUES ('x', 1), ('y', 2)) t(a, b) GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'JSON_OBJECT(KEY 'key' VALUE a NULL ON NULL WITHOUT UNIQUE KEYS)' must be an aggregate expression or appear in GROUP BY clause
SELECT json_object(a : 1) FROM (VALUES ('x', 1), ('y', 2)) t(a, b) GROUP BY b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'JSON_OBJECT(KEY a VALUE 1 NULL ON NULL WITHOUT UNIQUE KEYS)' must be an aggregate expression or appear in GROUP BY clause
SELECT json_object(a : count(*), 'key' : a) FROM (VALUES ('x', 1), ('y', 2), ('y', 3)) t(a, b) GROUP BY a;
expect: [["{\"x\":1,\"key\":\"x\"}"], ["{\"y\":2,\"key\":\"y\"}"]]
SELECT json_array(approx_set(1));
error: NOT_SUPPORTED line 1:8: Unsupported type of value passed to JSON_ARRAY function: HyperLogLog
SELECT json_array(1e0 FORMAT JSON);
error: TYPE_MISMATCH line 1:19: Cannot read input of type double as JSON using formatting JSON
SELECT json_array(true RETURNING some_type);
error: TYPE_MISMATCH line 1:8: Unknown type: some_type
SELECT json_array(true RETURNING integer);
error: TYPE_MISMATCH line 1:8: Cannot output JSON value as integer using formatting JSON
SELECT json_array(b) FROM (VALUES ('x', 1), ('y', 2)) t(a, b) GROUP BY a;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'JSON_ARRAY(b ABSENT ON NULL)' must be an aggregate expression or appear in GROUP BY clause
-- JSON_QUERY
SELECT json_query('["a", "b", "c"]', 'lax $'), json_query('["a", "b", "c"]', 'strict $'), json_query('["a", "b", "c"]', 'strict $[100]'), json_query('["a", "b", "c"]', 'strict $[100]' NULL ON ERROR), json_query('["a", "b", "c"]', 'strict $[100]' EMPTY ARRAY ON ERROR), json_query('["a", "b", "c"]', 'strict $[100]' EMPTY OBJECT ON ERROR), json_query('["a", "b", "c"]', 'lax $[100]'), json_query('["a", "b", "c"]', 'lax $[100]' NULL ON EMPTY), json_query('["a", "b", "c"]', 'lax $[100]' EMPTY ARRAY ON EMPTY), json_query('["a", "b", "c"]', 'lax $[100]' EMPTY OBJECT ON EMPTY);
expect: [["[\"a\",\"b\",\"c\"]", "[\"a\",\"b\",\"c\"]", null, null, "[]", "{}", null, null, "[]", "{}"]]
SELECT json_query('["a", "b", "c"]', 'strict $[100]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript: [100, 100] for array of size 3
SELECT json_query('["a", "b", "c"]', 'lax $[100]' ERROR ON EMPTY);
error: JSON_OUTPUT_CONVERSION_ERROR conversion from JSON failed: JSON path found no items
SELECT json_query('["a", "b", "c"]', 'lax $[0 to 2]' ERROR ON ERROR);
error: JSON_OUTPUT_CONVERSION_ERROR conversion from JSON failed: JSON path found multiple items
SELECT json_query('["a", "b", "c"]', 'lax $[0 to 2]'), json_query('["a", "b", "c"]', 'lax $[0 to 2]' EMPTY ARRAY ON ERROR), json_query('["a", "b", "c"]', 'lax $[0 to 2]' EMPTY OBJECT ON ERROR), json_query('["a", "b", "c"]', 'lax $[1]'), json_query('["a", "b", "c"]' FORMAT JSON, 'lax $[1]');
expect: [[null, "[]", "{}", "\"b\"", "\"b\""]]
SELECT json_query('["a", "b", "c"]' FORMAT JSON ENCODING UTF8, 'lax $[1]');
error: TYPE_MISMATCH line 1:19: Cannot read input of type varchar(15) as JSON using formatting JSON ENCODING UTF8
SELECT json_query(X'5B2261222C2262225D', 'lax $[1]'), json_query(X'5B2261222C2262225D' FORMAT JSON, 'lax $[1]'), json_query(X'5B2261222C2262225D' FORMAT JSON ENCODING UTF8, 'lax $[1]'), json_query(X'5B0022006100220 02C00220062002200 5D00' FORMAT JSON ENCODING UTF16, 'lax $[1]'), json_query(X'5B00000031000000 2C000000320000005D000000' FORMAT JSON ENCODING UTF32, 'lax $[1]'), json_query(X'5B0022006100' FORMAT JSON ENCODING UTF8, 'lax $[1]'), json_query(X'5BFF5D', 'lax $'), json_query(X'5B005D', 'lax $' EMPTY OBJECT ON ERROR), json_query(X'22EFBFBD22', 'lax $');
expect: [["\"b\"", "\"b\"", "\"b\"", "\"b\"", "2", null, null, "{}", "\"\ufffd\""]]
SELECT json_query(X'5B00' FORMAT JSON ENCODING UTF8, 'lax $[1]' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR
SELECT json_query('[...', 'lax $[1]'), json_query('[...', 'lax $[1]' NULL ON ERROR), json_query('[...', 'lax $[1]' EMPTY ARRAY ON ERROR), json_query('[...', 'lax $[1]' EMPTY OBJECT ON ERROR);
expect: [[null, null, "[]", "{}"]]
SELECT json_query('[...', 'lax $[1]' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR
SELECT json_query('["a", "b", "c"]', 'lax $number + 1' PASSING 2 AS number);
error: INVALID_PATH line 1:38: no value passed for parameter number. Try quoting "number" in the PASSING clause to match case
SELECT json_query('["a", "b", "c"]', 'lax $nobody');
error: INVALID_PATH line 1:38: no value passed for parameter nobody
SELECT json_query('["a", "b", "c"]', 'lax $number + 1' PASSING 5 AS "number"), json_query('["a", "b", "c"]', 'lax $array[0]' PASSING '[1, 2, 3]' FORMAT JSON AS "array"), json_query('["a", "b", "c"]', 'lax $array[0]' PASSING '[...' FORMAT JSON AS "array"), json_query('["a", "b", "c"]', 'lax $[$number]' PASSING 5 AS "number"), json_query('["a", "b", "c"]', 'lax $parameter' PASSING DATE '2001-01-31' AS "parameter"), json_query('["a", "b", "c"]', 'lax $parameter' PASSING INTERVAL '2' DAY AS "parameter"), json_query('["a", "b", "c"]', 'lax $parameter' PASSING UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' AS "parameter"), json_query('["a", "b", "c"]', 'lax $NUMBER' PASSING 1 AS number);
expect: [["6", "1", null, null, null, "\"2 00:00:00.000\"", "\"12151fd2-7586-11e9-8f9e-2a86e4085a59\"", "1"]]
SELECT json_query('["a", "b", "c"]', 'lax $array[0]' PASSING '[...' FORMAT JSON AS "array" ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR
SELECT json_query('[]', 'lax $a' PASSING 1 AS "a", 2 AS "a");
error: DUPLICATE_PARAMETER_NAME line 1:57: a JSON path parameter is specified more than once
SELECT json_query('[]', 'lax $a' PASSING DATE '2001-01-31' AS "a" ERROR ON ERROR);
error: JSON_OUTPUT_CONVERSION_ERROR conversion from JSON failed: JSON path returned a scalar SQL value of type date that cannot be represented as JSON
SELECT json_query('["a", "b", "c"]', 'lax 1'), json_query('["a", "b", "c"]', 'lax true' RETURNING varchar FORMAT JSON), json_query('["a", "b", "c"]', 'lax null' RETURNING varchar FORMAT JSON), json_query('["a", "b", "c"]', 'lax $[1]' RETURNING char(10)), json_query('["a", "b", "c"]', 'lax "text too long"' RETURNING char(10)), json_query('["a", "b", "c"]', 'lax "text too long"' RETURNING varchar(4)), to_hex(json_query('["a", "b", "c"]', 'lax $' RETURNING varbinary)), to_hex(json_query('["a", "b", "c"]', 'lax $[0]' RETURNING varbinary FORMAT JSON ENCODING UTF16)), to_hex(json_query('["a", "b", "c"]', 'lax $[0]' RETURNING varbinary FORMAT JSON ENCODING UTF32));
expect: [["1", "true", "null", "\"b\"       ", "\"text too ", "\"tex", "5B2261222C2262222C2263225D", "220061002200", "220000006100000022000000"]]
types: varchar, varchar, varchar, char(10), char(10), varchar(4), varchar, varchar, varchar
SELECT json_query('["a", "b", "c"]', 'lax 1' RETURNING tinyint);
error: TYPE_MISMATCH line 1:8: Cannot output JSON value as tinyint using formatting JSON
SELECT json_query('["a"]', 'lax $' RETURNING varchar FORMAT JSON ENCODING UTF8);
error: TYPE_MISMATCH line 1:8: Cannot output JSON value as varchar using formatting JSON ENCODING UTF8
SELECT json_query('["a", "b", "c"]', 'lax $[0 to 1]' WITH CONDITIONAL ARRAY WRAPPER), json_query('["a", "b", "c"]', 'lax $[0]' WITH CONDITIONAL ARRAY WRAPPER), json_query('["a", "b", "c"]', 'lax $' WITH CONDITIONAL ARRAY WRAPPER), json_query('{"key" : 1}', 'lax $' WITH CONDITIONAL WRAPPER), json_query('["a", "b", "c"]', 'lax $[0 to 1]' WITH UNCONDITIONAL ARRAY WRAPPER), json_query('["a", "b", "c"]', 'lax $[0]' WITH UNCONDITIONAL ARRAY WRAPPER), json_query('["a", "b", "c"]', 'lax $' WITH WRAPPER), json_query('{"key" : 1}', 'lax $' WITH UNCONDITIONAL ARRAY WRAPPER);
expect: [["[\"a\",\"b\"]", "[\"a\"]", "[\"a\",\"b\",\"c\"]", "{\"key\":1}", "[\"a\",\"b\"]", "[\"a\"]", "[[\"a\",\"b\",\"c\"]]", "[{\"key\":1}]"]]
SELECT json_query('[1]', 'lax "some scalar text value"'), json_query('[1]', 'lax "some scalar text value"' KEEP QUOTES ON SCALAR STRING), json_query('[1]', 'lax "some scalar text value"' OMIT QUOTES ON SCALAR STRING), json_query('["a", "b", "c"]', 'lax $' OMIT QUOTES), json_query('{"a" : {"b" : 1}, "c" :  [true, {"c" : {"c" : null}}]}', 'lax $..c' WITH ARRAY WRAPPER);
expect: [["\"some scalar text value\"", "\"some scalar text value\"", "some scalar text value", "[\"a\",\"b\",\"c\"]", "[[true,{\"c\":{\"c\":null}}],{\"c\":null},null]"]]
SELECT json_query('[]', 'lax $' WITH ARRAY WRAPPER OMIT QUOTES ON SCALAR STRING);
error: INVALID_FUNCTION_ARGUMENT line 1:8: OMIT QUOTES behavior specified with WITH UNCONDITIONAL ARRAY WRAPPER behavior
SELECT json_query(null, 'lax $'), json_query('["a"]', 'lax $var' PASSING null AS "var"), json_query('["a"]', 'lax $var' PASSING null FORMAT JSON AS "var" EMPTY ARRAY ON EMPTY), json_exists(null, 'lax $'), json_value(null, 'lax $');
expect: [[null, "null", "[]", null, null]]
SELECT json_query(a, 'lax $.abs() + $some_number' PASSING b AS "some_number") FROM (VALUES ('-1', 10, '100'), ('-2', 20, '200')) t(a, b, c) GROUP BY a, b;
expect: [["11"], ["22"]]
SELECT json_query(c, 'lax $.abs() + $some_number' PASSING b AS "some_number") FROM (VALUES ('-1', 10, '100'), ('-2', 20, '200')) t(a, b, c) GROUP BY a, b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'JSON_QUERY(c FORMAT JSON, 'lax $.abs() + $some_number' PASSING b AS "some_number" WITHOUT ARRAY WRAPPER NULL ON EMPTY NULL ON ERROR)' must be an aggregate expression or appear in GROUP BY clause
SELECT json_query('[1]', 'lax $' AS path_name);
error: INVALID_PATH line 1:37: JSON path name is not allowed in JSON_QUERY function
-- JSON_VALUE
SELECT json_value('["a", "b", "c"]', 'lax $[1]'), json_value('["a", "b", "c"]', 'strict $[1]'), json_value('["a", "b", "c"]', 'lax $[2 to 100]'), json_value('["a", "b", "c"]', 'strict $[100]'), json_value('["a", "b", "c"]', 'strict $[100]' DEFAULT 'x' ON ERROR), json_value('["a", "b", "c"]', 'lax $[100]'), json_value('["a", "b", "c"]', 'lax $[100]' DEFAULT 'x' ON EMPTY), json_value('["a", "b", "c"]', 'lax $[0 to 2]'), json_value('["a", "b", "c"]', 'lax $[0 to 2]' DEFAULT 'x' ON ERROR), json_value('[...', 'lax $[1]'), json_value('[...', 'lax $[1]' DEFAULT 'x' ON ERROR);
expect: [["b", "b", "c", null, "x", null, "x", null, "x", null, "x"]]
SELECT json_value('["a", "b", "c"]', 'lax $[100]' ERROR ON EMPTY);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found no items
SELECT json_value('["a", "b", "c"]', 'lax $[0 to 2]' ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found multiple items
SELECT json_value('["a", "b", "c"]', 'lax $' ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found an item that cannot be converted to an SQL value
SELECT json_value('["a"]', 'lax $[0]' RETURNING bigint ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type varchar to declared return type of function JSON_VALUE: bigint
SELECT json_value('["a"]', 'lax $parameter' PASSING INTERVAL '2' DAY AS "parameter"), json_value('["a"]', 'lax $parameter' PASSING UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' AS "parameter"), json_value('["a"]', 'lax 1'), json_value('["a"]', 'lax true'), json_value('["a"]', 'lax null'), json_value('["b"]', 'lax $[0]' RETURNING char(10)), json_value('["a"]', 'lax 1000' RETURNING tinyint), json_value('["a"]', 'lax 1000' RETURNING tinyint DEFAULT TINYINT '-1' ON ERROR), json_value('["a"]', 'lax 1000000000000 * 1000000000000' RETURNING bigint DEFAULT TINYINT '-1' ON ERROR);
expect: [["2 00:00:00.000", "12151fd2-7586-11e9-8f9e-2a86e4085a59", "1", "true", null, "b         ", null, -1, -1]]
types: varchar, varchar, varchar, varchar, varchar, char(10), tinyint, tinyint, bigint
SELECT json_value('["a"]', 'lax $var' PASSING null AS "var"), json_value('["a"]', 'lax $var' PASSING null FORMAT JSON AS "var" DEFAULT 'was empty...' ON EMPTY), json_value('["a"]', 'lax 1' DEFAULT null ON EMPTY DEFAULT null ON ERROR), json_value('["a"]', 'lax $[100]' DEFAULT null ON EMPTY), json_value('["a"]', 'lax 1 + $[0]' DEFAULT null ON ERROR);
expect: [[null, "was empty...", "1", null, null]]
SELECT json_value('[1]', 'lax $[0]' RETURNING varchar(3)), json_value('["abcdef"]', 'lax $[0]' RETURNING varchar(3)), json_value('[1.5]', 'lax $[0]' RETURNING bigint), json_value('[2.5e0]', 'lax $[0]' RETURNING decimal(5,2)), json_value('["12.345"]', 'lax $[0]' RETURNING decimal(5,2)), json_value('[true]', 'lax $[0]' RETURNING integer), json_value('[0]', 'lax $[0]' RETURNING boolean), json_value('["true"]', 'lax $[0]' RETURNING boolean), json_value('["2001-01-31"]', 'lax $[0]' RETURNING date), json_value('["2001-01-31 10:11:12.345678"]', 'lax $[0]' RETURNING timestamp(6)), json_value('["10:11:12"]', 'lax $[0]' RETURNING time(0)), json_value('[16777217]', 'lax $[0]' RETURNING real), json_value('[9223372036854775807]', 'lax $[0]' RETURNING double), json_value('[123456789012345678901234567890]', 'lax $[0]' DEFAULT 'too big' ON ERROR);
expect: [["1", "abc", 2, "2.50", "12.35", 1, false, true, "2001-01-31", "2001-01-31 10:11:12.345678", "10:11:12", 16777216, 9.223372036854775807e18, "too big"]]
SELECT json_value('[]', 'lax $' RETURNING tdigest);
error: TYPE_MISMATCH line 1:8: Invalid return type of function JSON_VALUE: tdigest
SELECT json_value('[]', 'lax $' RETURNING some_type(10));
error: TYPE_MISMATCH line 1:8: Unknown type: some_type(10)
SELECT json_value('[]', 'lax $.double()' RETURNING double DEFAULT 'text' ON EMPTY);
error: TYPE_MISMATCH line 1:67: Function JSON_VALUE default ON EMPTY result must evaluate to a double (actual: varchar(4))
SELECT json_value('[]', 'lax $.double()' RETURNING double DEFAULT 'text' ON ERROR);
error: TYPE_MISMATCH line 1:67: Function JSON_VALUE default ON ERROR result must evaluate to a double (actual: varchar(4))
SELECT json_value('[]', 'lax $.a' RETURNING double DEFAULT 1.0 ON EMPTY), json_value('[]', 'lax $.a' DEFAULT CAST(1 / x AS varchar) ON EMPTY), json_value('[]', 'lax $.a' DEFAULT CAST(1 / x AS varchar) ON EMPTY DEFAULT 'failed' ON ERROR), json_value('[1]', 'lax $[0]' DEFAULT CAST(1 / x AS varchar) ON EMPTY DEFAULT CAST(1 / x AS varchar) ON ERROR), json_value('[]', 'lax $.a' DEFAULT 'e' || CAST(x AS varchar) ON EMPTY) FROM (VALUES 0) t(x);
expect: [[1.0, null, "failed", "1", "e0"]]
SELECT json_value('[]', 'lax $.a' RETURNING integer DEFAULT 1 / x ON EMPTY ERROR ON ERROR) FROM (VALUES 0) t(x);
error: DIVISION_BY_ZERO Division by zero
SELECT json_value('[', 'lax $.a' RETURNING integer DEFAULT 1 / x ON ERROR) FROM (VALUES 0) t(x);
error: DIVISION_BY_ZERO Division by zero
SELECT json_value(a, 'lax $.abs() + $some_number' PASSING b AS "some_number" DEFAULT lower(b) ON EMPTY DEFAULT upper(b) ON ERROR) FROM (VALUES ('-1', 'x', 100), ('-2', 'y', 200)) t(a, b, c) GROUP BY a, b;
expect: [["X"], ["Y"]]
SELECT json_value(b, 'lax $.abs() + $some_number' PASSING b AS "some_number" DEFAULT c ON EMPTY) FROM (VALUES (-1, '10', '100'), (-2, '20', '200')) t(a, b, c) GROUP BY a, b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'JSON_VALUE(b FORMAT JSON, 'lax $.abs() + $some_number' PASSING b AS "some_number" DEFAULT c ON EMPTY NULL ON ERROR)' must be an aggregate expression or appear in GROUP BY clause
SELECT json_value('[1]', 'lax $' AS path_name);
error: INVALID_PATH line 1:37: JSON path name is not allowed in JSON_VALUE function
SELECT json_value('["a"]', 'certainly not a valid path');
error: SYNTAX_ERROR line 1:29: mismatched input 'certainly' expecting {'lax', 'strict'}
SELECT json_value(max(json), 'lax $.a' RETURNING bigint DEFAULT min(k) ON EMPTY), sum(json_value(json, 'lax $.a' RETURNING bigint)) OVER () FROM (VALUES ('{"a": 1}', 7), ('{"b": 1}', 3)) t(json, k) GROUP BY json;
expect: [[1, 1], [3, 1]]
SELECT nationkey, json_value(j, 'lax $.name'), json_value(j, 'lax $.k' RETURNING bigint), json_exists(j, 'lax $?(@.k > 20)') FROM (SELECT nationkey, json_object('name' : name, 'k' : nationkey) AS j FROM nation) t;
duckdb: SELECT nationkey, json_extract_string(j, '$.name'), CAST(json_extract(j, '$.k') AS bigint), nationkey > 20 FROM (SELECT nationkey, json_object('name', name, 'k', nationkey) AS j FROM nation) t;
SELECT json_value(j, 'lax $.o.k[1]' RETURNING bigint) % 7 AS r, count(*), sum(json_value(j, 'lax $.o.p' RETURNING decimal(15,2))) FROM (SELECT json_object('o' : json_object('k' : json_array(1, orderkey), 'p' : totalprice)) AS j FROM orders) t GROUP BY 1;
duckdb: SELECT orderkey % 7 AS r, count(*), sum(totalprice) FROM orders GROUP BY 1;
SELECT count(*) FROM orders WHERE json_exists(json_array(orderkey, custkey, orderstatus), 'lax $[*]?(@ starts with "F")');
duckdb: SELECT count(*) FROM orders WHERE orderstatus = 'F';
-- JSON_EXISTS
SELECT json_exists('["a", "b", "c"]', 'lax $[1]'), json_exists('["a", "b", "c"]', 'strict $[1]'), json_exists('["a", "b", "c"]', 'lax $[5]'), json_exists('["a", "b", "c"]', 'strict $[5]'), json_exists('["a", "b", "c"]', 'strict $[5]' TRUE ON ERROR), json_exists('["a", "b", "c"]', 'strict $[5]' FALSE ON ERROR), json_exists('["a", "b", "c"]', 'strict $[5]' UNKNOWN ON ERROR), json_exists('[...', 'lax $'), json_exists('[...', 'lax $' TRUE ON ERROR), json_exists('[...', 'lax $' UNKNOWN ON ERROR), json_exists(JSON '[1]', 'lax $[0]'), json_exists('null', 'lax $'), json_exists('[]', 'lax $[*]');
expect: [[true, true, false, false, true, false, null, false, true, null, true, true, false]]
SELECT json_exists('[...', 'lax $' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR
SELECT json_exists(5, 'lax $');
error: TYPE_MISMATCH line 1:20: Cannot read input of type integer as JSON using formatting JSON
SELECT json_exists('[]', 'lax $[2]' PASSING (SELECT approx_set(1)) AS parameter_hll);
error: NOT_SUPPORTED line 1:8: Unsupported type of JSON path parameter: HyperLogLog
SELECT json_exists('[1, 2, 3]', 'lax $[2]' AS path_name);
error: INVALID_PATH line 1:47: JSON path name is not allowed in JSON_EXISTS function
SELECT json_exists(c, 'lax $.abs() + $some_number' PASSING b AS "some_number") FROM (VALUES ('-1', 10, '100'), ('-2', 20, '200')) t(a, b, c) GROUP BY a, b;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'JSON_EXISTS(c FORMAT JSON, 'lax $.abs() + $some_number' PASSING b AS "some_number" FALSE ON ERROR)' must be an aggregate expression or appear in GROUP BY clause
-- The path language: accessors
SELECT json_query(j, 'lax $.customer' WITH WRAPPER), json_query(j, 'strict $[*].customer' WITH WRAPPER), json_query(j, 'lax $.*' WITH WRAPPER), json_query(j, 'strict $[*].*' WITH WRAPPER), json_query(j, 'lax $?(@.region != "ASIA")' WITH WRAPPER), json_query(j, 'lax $?(!exists(@.customer))' WITH WRAPPER), json_query(j, 'lax $.keyvalue()' WITH WRAPPER), json_query(j, 'lax $."customer"' WITH WRAPPER) FROM (VALUES '[{"customer" : 100, "region" : "AFRICA"}, {"region" : "ASIA"}, {"customer" : 300, "region" : "AFRICA", "comment" : null}]') t(j);
expect: [["[100,300]", null, "[100,\"AFRICA\",\"ASIA\",300,\"AFRICA\",null]", "[100,\"AFRICA\",\"ASIA\",300,\"AFRICA\",null]", "[{\"customer\":100,\"region\":\"AFRICA\"},{\"customer\":300,\"region\":\"AFRICA\",\"comment\":null}]", "[{\"region\":\"ASIA\"}]", "[{\"name\":\"customer\",\"value\":100,\"id\":0},{\"name\":\"region\",\"value\":\"AFRICA\",\"id\":0},{\"name\":\"region\",\"value\":\"ASIA\",\"id\":1},{\"name\":\"customer\",\"value\":300,\"id\":2},{\"name\":\"region\",\"value\":\"AFRICA\",\"id\":2},{\"name\":\"comment\",\"value\":null,\"id\":2}]", "[100,300]"]]
SELECT json_query('{"id" : 1, "notes" : [{"type" : 1, "comment" : "foo"}, {"type" : 2, "comment" : null}], "comment" : ["bar", "baz"]}', 'lax $..comment' WITH WRAPPER), json_query('{"id" : 1, "notes" : [{"type" : 1, "comment" : "foo"}, {"type" : 2, "comment" : null}], "comment" : ["bar", "baz"]}', 'strict $.."comment"' WITH WRAPPER);
expect: [["[[\"bar\",\"baz\"],\"foo\",null]", "[[\"bar\",\"baz\"],\"foo\",null]"]]
SELECT json_query(j, 'lax $[*][last]' WITH WRAPPER), json_query(j, 'lax $[*][2 to 3]' WITH WRAPPER), json_query(j, 'lax $[*][1, 0, 0]' WITH WRAPPER), json_query(j, 'lax $[*][*]' WITH WRAPPER), json_query(j, 'lax $[*].size()' WITH WRAPPER), json_query(j, 'strict $[*][2 to 3]' WITH WRAPPER EMPTY ARRAY ON ERROR), json_query(j, 'lax $[0][2 to 1]' WITH WRAPPER EMPTY OBJECT ON EMPTY), json_query(j, 'lax $[0][last - 1]'), json_query(j, 'lax $[1][last, 0 to 1, $[0][1]]' WITH WRAPPER), json_query(j, 'lax $[-1, 1.6]' WITH WRAPPER) FROM (VALUES '[[0, 1, 2], ["a", "b", "c", "d"], [null, null]]') t(j);
expect: [["[2,\"d\",null]", "[2,\"c\",\"d\"]", "[1,0,0,\"b\",\"a\",\"a\",null,null,null]", "[0,1,2,\"a\",\"b\",\"c\",\"d\",null,null]", "[3,4,2]", "[]", "{}", "1", "[\"d\",\"a\",\"b\",\"b\"]", "[[null,null]]"]]
-- Lax mode over [1, "a", null], {"key1" : 1.0, "key2" : true}, -2e3
SELECT json_query(j, 'lax $[*][*]' WITH WRAPPER), json_query(j, 'lax $[*].size()' WITH WRAPPER), json_query(j, 'lax $[*].floor()' WITH WRAPPER EMPTY ARRAY ON ERROR), json_query(j, 'lax $[*].key1'), json_query(j, 'lax $.key1' WITH WRAPPER), json_query(j, 'strict $.key1' EMPTY ARRAY ON ERROR) FROM (VALUES '[[1, "a", null], {"key1" : 1.0, "key2" : true}, -2e3]') t(j);
expect: [["[1,\"a\",null,{\"key1\":1.0,\"key2\":true},-2000.0]", "[3,1,1]", "[]", "1.0", "[1.0]", "[]"]]
-- Item methods
SELECT json_query('[-1, 23e4, "5.6"]', 'lax $.double()' WITH WRAPPER), json_query('[-1.5, -1, 1.3]', 'lax $.ceiling()' WITH WRAPPER), json_query('[-1.5, -1, 1.3]', 'lax $.floor()' WITH WRAPPER), json_query('[-1.5, -1, 1.3]', 'lax $.abs()' WITH WRAPPER), json_query('[null, 1, "a", true, [1], {}]', 'strict $[*].type()' WITH WRAPPER), json_query('[1]', 'lax $.type()'), json_query('[]', 'lax $a.type()' PASSING DATE '2001-01-31' AS "a"), json_query('[]', 'lax $a.type()' PASSING TIMESTAMP '2001-01-31 00:00:00' AS "a"), json_query('[]', 'lax $a.type()' PASSING TIME '00:00:00' AS "a"), json_query('[]', 'lax $a.type()' PASSING TIMESTAMP '2001-01-31 00:00:00 UTC' AS "a"), json_query('[]', 'lax $a.type()' PASSING TIME '00:00:00 +01:00' AS "a"), json_value('"x"', 'lax $.double()' RETURNING double DEFAULT 7 ON ERROR);
expect: [["[-1.0,230000.0,5.6]", "[-1.0,-1,2.0]", "[-2.0,-1,1.0]", "[1.5,1,1.3]", "[\"null\",\"number\",\"string\",\"boolean\",\"array\",\"object\"]", "\"array\"", "\"date\"", "\"timestamp without time zone\"", "\"time without time zone\"", "\"timestamp with time zone\"", "\"time with time zone\"", 7.0]]
SELECT json_value('["2001-01-31", "10:11:12.5", "2001-01-31 10:11:12.345", "10:11:12+05:30", "2001-01-31 10:11:12 +01:00"]', 'lax $[0].datetime()' RETURNING date), json_query('["2001-01-31", "10:11:12.5", "2001-01-31 10:11:12.345", "10:11:12+05:30", "2001-01-31 10:11:12 +01:00"]', 'lax $.datetime().type()' WITH WRAPPER), json_exists('["2001-01-31"]', 'lax $?(@.datetime() < $d)' PASSING DATE '2001-02-01' AS "d"), json_exists('["2001-01-31"]', 'lax $?(@.datetime() < $d)' PASSING TIMESTAMP '2001-01-30 00:00:01.5' AS "d"), json_exists('["nope"]', 'lax $.datetime()' UNKNOWN ON ERROR);
expect: [["2001-01-31", "[\"date\",\"time without time zone\",\"timestamp without time zone\",\"time with time zone\",\"timestamp with time zone\"]", true, false, null]]
-- Arithmetic
SELECT json_query('[]', 'lax 1 + 2 * 3 - 4 % 3'), json_query('[]', 'lax (1 + 2) * 3'), json_query('[]', 'lax 7 / 2'), json_query('[]', 'lax 7.0 / 2'), json_query('[]', 'lax 7e0 / 2'), json_query('[]', 'lax -7 % 3'), json_query('[5]', 'lax -$[0] + 1'), json_query('[1, 2]', 'lax -$' WITH WRAPPER), json_query('[1, 2]', 'lax +$' WITH WRAPPER), json_query('[]', 'lax 1.10 + 2.205'), json_query('[]', 'lax 1.5 * 1.5'), json_query('[2147483647]', 'lax $[0] + 1' EMPTY ARRAY ON ERROR), json_query('[2147483648]', 'lax $[0] + 1'), json_query('[]', 'lax 1 / 0' EMPTY OBJECT ON ERROR), json_query('[]', 'lax 1e0 / 0'), json_query('[]', 'lax $a + $b' PASSING DECIMAL '1.5' AS "a", BIGINT '2' AS "b"), json_query('[]', 'lax $a - 1' PASSING REAL '1.5' AS "a"), json_query('[1, 2]', 'lax $ + 1' EMPTY ARRAY ON ERROR), json_query('["a"]', 'lax $[0] + 1' EMPTY ARRAY ON ERROR);
expect: [["6", "9", "3", "3.5", "3.5", "-1", "-4", "[-1,-2]", "[1,2]", "3.305", "2.25", "[]", "2147483649", "{}", "\"Infinity\"", "3.5", "0.5", "[]", "[]"]]
SELECT json_value('[]', 'lax $[0] + 1' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: arithmetic binary expression requires singleton operands
SELECT json_value('["a"]', 'lax -$[0]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT json_value('{}', 'strict $.a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: missing member 'a' in JSON object
SELECT json_value('[]', 'strict $[0]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript for empty array
SELECT json_value('[1]', 'strict $.a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: OBJECT, actual: ARRAY
SELECT json_value('1', 'strict $[0]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: ARRAY, actual: NUMBER
SELECT json_value('1', 'strict $.size()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: ARRAY, actual: NUMBER
SELECT json_value('"a"', 'lax $.keyvalue()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: OBJECT, actual: STRING
SELECT json_value('true', 'lax $.double()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER or TEXT, actual: BOOLEAN
SELECT json_value('[1]', 'lax last' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: accessing the last array index with no enclosing array
SELECT json_value('[1]', 'lax @' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: accessing current filter item with no enclosing filter
SELECT json_value('[1]', 'lax $["a"]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: varchar(1)
SELECT json_value('[1, 2]', 'lax $[$[*]]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: array subscript 'from' value must be singleton numeric
SELECT json_value('[1, 2]', 'lax $[0 to $[*]]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: array subscript 'to' value must be singleton numeric
SELECT json_value('[1]', 'lax "a" + 1');
error: INVALID_PATH line 1:26: invalid operand types (varchar(1) and integer) in JSON path arithmetic binary expression: Cannot apply operator: varchar(1) + integer
SELECT json_value('[1]', 'lax -"a"');
error: INVALID_PATH line 1:26: invalid operand type (varchar(1)) in JSON path arithmetic unary expression
SELECT json_value('[1]', 'lax true.double()');
error: INVALID_PATH line 1:26: cannot perform JSON path double() method with boolean argument
SELECT json_value('[1]', 'lax $?(@ like_regex "(")');
error: INVALID_PATH
-- Predicates
SELECT x, json_query('[1, 2, 3, null, "a", true]', 'lax $?(@ == 2)' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?(@ <> 2)' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?(@ == null)' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?(@ != null)' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?(@ < 3 && @ > 1)' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?(@ < 2 || @ >= 3)' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?((@ < 3) is unknown)' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?(!(@ <= 2))' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?(@ == true)' WITH WRAPPER), json_query('[1, 2, 3, null, "a", true]', 'lax $?(@ > "A")' WITH WRAPPER) FROM (VALUES 1) t(x);
expect: [[1, "[2]", "[1,3,null]", "[null]", "[1,2,3,\"a\",true]", "[2]", "[1,3]", "[\"a\",true]", "[3,null]", "[true]", "[\"a\"]"]]
SELECT json_exists('[[1, 2], 3]', 'lax $?(@[*] == 2)'), json_exists('[[1, 2], 3]', 'strict $?(@ == 3)' UNKNOWN ON ERROR), json_exists('{"a": [1]}', 'strict $?(@.a == 1)'), json_exists('{"a": [1]}', 'strict $?((@.a == 1) is unknown)'), json_exists('{"a": [1]}', 'lax $?(@.a == 1)'), json_exists('[1, "a"]', 'strict $[*]?($[*] == 1)'), json_exists('[1, "a"]', 'lax $?($[*] == 1)'), json_exists('["a", 1]', 'lax $?($[*] == 1)'), json_exists('{"a": {}}', 'lax $?(@.a == null)'), json_exists('{"a": {}}', 'lax $?(@.a <> null)'), json_exists('{}', 'lax $?(@.x == 1)'), json_exists('[1]', 'lax $?(exists(@[5]))'), json_exists('[[1]]', 'strict $[*]?((exists(@[5])) is unknown)'), json_exists('[1]', 'lax $?((1 + 1) * 2 == 4)'), json_exists('[1]', 'lax $?(((@)) == (1))'), json_exists('[1.0]', 'lax $?(@ == 1)'), json_exists('[]', 'lax $a?(@ == 1.50)' PASSING DECIMAL '1.5' AS "a"), json_exists('[]', 'lax $a?(@ == "x")' PASSING CAST('x' AS char(5)) AS "a");
expect: [[true, false, false, true, true, false, true, false, false, true, false, false, true, true, true, true, true, true]]
SELECT json_query('["abc", "Abd", "xyz", "a\nc"]', 'lax $?(@ starts with "a")' WITH WRAPPER), json_query('["abc", "Abd", "xyz", "a\nc"]', 'lax $?(@ starts with $p)' PASSING 'Ab' AS "p" WITH WRAPPER), json_query('["abc", 1, "a"]', 'strict $[*]?(@ starts with "a")' WITH WRAPPER), json_query('["abc", 1, "a"]', 'lax $?((@ starts with "a") is unknown)' WITH WRAPPER), json_query('["abc", "Abd", "xyz", "a\nc"]', 'lax $?(@ like_regex "^ab")' WITH WRAPPER), json_query('["abc", "Abd", "xyz", "a\nc"]', 'lax $?(@ like_regex "^AB" flag "i")' WITH WRAPPER), json_query('["abc", "Abd", "xyz", "a\nc"]', 'lax $?(@ like_regex "a.c" flag "s")' WITH WRAPPER), json_query('["abc", "Abd", "xyz", "a\nc"]', 'lax $?(@ like_regex "^c$" flag "m")' WITH WRAPPER), json_query('["abc", "Abd", "xyz", "a\nc"]', 'lax $?(@ like_regex " a b [c] " flag "x")' WITH WRAPPER), json_exists('[1]', 'lax $?((@ like_regex "1") is unknown)');
expect: [["[\"abc\",\"a\\nc\"]", "[\"Abd\"]", "[\"abc\",\"a\"]", "[1]", "[\"abc\"]", "[\"abc\",\"Abd\"]", "[\"abc\",\"a\\nc\"]", "[\"a\\nc\"]", "[\"abc\"]", true]]
-- Words of the language are names as well; strings double their quotes
SELECT json_query('{"lax": {"to": 1, "exists": 2, "size": 3, "a\"b": 4, "last": [5, 6]}}', 'lax $.lax.to'), json_query('{"lax": {"to": 1, "exists": 2}}', 'lax $?(exists(@.lax.exists)).lax.exists'), json_query('{"size": 3}', 'lax $.size'), json_query('{"a\"b": 4}', 'lax $."a""b"'), json_query('{"last": [5, 6]}', 'lax $.last[last]'), json_query('{"é": 1}', 'lax $."é"'), json_query('[1,2]', 'lax   $ [ 0 ,  last ]  ' WITH WRAPPER), json_query('[0.5]', 'lax $[.5 - 0.5]'), json_query('[3]', 'lax $[0]-1');
expect: [["1", "2", "3", "4", "6", "1", "[1,2]", "0.5", "2"]]
SELECT json_query('[]', 'lax $.');
error: SYNTAX_ERROR line 1:32: mismatched input '<EOF>' expecting {'*', <identifier>, <string>}
SELECT json_query('[]', 'lax $[1');
error: SYNTAX_ERROR
SELECT json_query('[]', 'LAX $');
error: SYNTAX_ERROR line 1:26: mismatched input 'LAX' expecting {'lax', 'strict'}
SELECT json_query('[]', 'lax $ # 1');
error: SYNTAX_ERROR
SELECT json_query('[]', 'lax
 $ $');
error: SYNTAX_ERROR
SELECT json_query('[]', 'lax $?(@ ==)');
error: SYNTAX_ERROR
SELECT json_query('[]', 'lax 99999999999999999999');
error: SYNTAX_ERROR line 1:30: Invalid numeric literal: 99999999999999999999
-- JSON in, JSON out
SELECT json_query(JSON '{"b": 1, "a": [2]}', 'lax $'), json_value(JSON '{"b": 1, "a": [2]}', 'lax $.b' RETURNING bigint), json_query(JSON '{"b": 1, "a": [2]}', 'lax $.a' RETURNING varchar), typeof(json_query(JSON '[1]', 'lax $'));
expect: [["{\"a\":[2],\"b\":1}", 1, "[2]", "json"]]
types: json, bigint, varchar, varchar
-- In every clause
SELECT json_value(j, 'lax $.k' RETURNING bigint) AS k, count(*) FROM (VALUES '{"k": 1}', '{"k": 2}', '{"k": 1}', '{}') t(j) WHERE json_exists(j, 'lax $') GROUP BY json_value(j, 'lax $.k' RETURNING bigint) HAVING count(*) > 0 ORDER BY json_value(j, 'lax $.k' RETURNING bigint) DESC;
expect: [[2, 1], [1, 2], [null, 1]]
SELECT a.name FROM nation a JOIN region b ON json_value(json_array(a.regionkey), 'lax $[0]' RETURNING bigint) = b.regionkey WHERE b.name = 'ASIA';
duckdb: SELECT a.name FROM nation a JOIN region b ON a.regionkey = b.regionkey WHERE b.name = 'ASIA';
SELECT json_value(json_object('a' : (SELECT max(nationkey) FROM nation n WHERE n.regionkey = r.regionkey)), 'lax $.a' RETURNING bigint), r.name FROM region r;
duckdb: SELECT (SELECT max(nationkey) FROM nation n WHERE n.regionkey = r.regionkey), r.name FROM region r;
SELECT count(*) FILTER (WHERE json_exists(j, 'lax $.b')), max(json_value(j, 'lax $.a')) OVER (PARTITION BY json_value(j, 'lax $.b')) FROM (VALUES '{"a": "x"}', '{"a": "y", "b": 1}') t(j) GROUP BY j;
expect: [[0, "x"], [1, "y"]]
SELECT transform(ARRAY['{"a": 1}', '{"a": 2}', '{}'], j -> json_value(j, 'lax $.a' RETURNING integer DEFAULT -1 ON EMPTY)), filter(ARRAY['[1]', '[2]'], j -> json_exists(j, 'lax $?(@ > 1)'));
expect: [[[1, 2, -1], ["[2]"]]]
