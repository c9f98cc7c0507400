-- SQL/JSON: paths, results, JSON_TABLE and its plans (Trino's TestJsonValueFunction, TestJsonQueryFunction, TestJsonTable, TestAnalyzer).
SELECT json_value('1', 'lax $x.ceiling()' PASSING 'a' AS x);
error: INVALID_PATH line 1:24: no value passed for parameter x. Try quoting "x" in the PASSING clause to match case
SELECT json_value('1', 'lax $x.floor()' PASSING true AS x);
error: INVALID_PATH line 1:24: no value passed for parameter x. Try quoting "x" in the PASSING clause to match case
SELECT json_value('1', 'lax $x.abs()' PASSING 'a' AS x);
error: INVALID_PATH line 1:24: no value passed for parameter x. Try quoting "x" in the PASSING clause to match case
SELECT json_value('1', 'lax $x.double()' PASSING true AS x);
error: INVALID_PATH line 1:24: no value passed for parameter x. Try quoting "x" in the PASSING clause to match case
SELECT json_value('1', 'lax $x.keyvalue()' PASSING 1 AS x);
error: INVALID_PATH line 1:24: no value passed for parameter x. Try quoting "x" in the PASSING clause to match case
SELECT json_value('1', 'lax $x.datetime()' PASSING 1 AS x);
error: INVALID_PATH line 1:24: no value passed for parameter x. Try quoting "x" in the PASSING clause to match case
SELECT json_value('1', 'lax $x' PASSING 1 AS x, 2 AS x);
error: DUPLICATE_PARAMETER_NAME line 1:54: X JSON path parameter is specified more than once
SELECT json_value('1', 'lax $nosuch');
error: INVALID_PATH line 1:24: no value passed for parameter nosuch
SELECT json_value('1', 'lax -$x' PASSING 'a' AS x);
error: INVALID_PATH line 1:24: no value passed for parameter x. Try quoting "x" in the PASSING clause to match case
SELECT json_value('1', 'lax $x + $y' PASSING 'a' AS x, 1 AS y);
error: INVALID_PATH line 1:24: no value passed for parameter x. Try quoting "x" in the PASSING clause to match case
SELECT json_value('1', 'lax $ ? (@ like_regex "(")');
error: INVALID_PATH line 1:24: invalid like_regex pattern in JSON path: end pattern with unmatched parenthesis
SELECT json_value('1', 'lax $ ?');
error: SYNTAX_ERROR line 1:32: mismatched input '<EOF>' expecting '('
SELECT json_value('1', 'nosuch $');
error: SYNTAX_ERROR line 1:25: mismatched input 'nosuch' expecting {'lax', 'strict'}
SELECT json_value('1', '');
error: SYNTAX_ERROR line 1:25: mismatched input '<EOF>' expecting {'lax', 'strict'}
SELECT json_value('1', 'lax $' AS p);
error: INVALID_PATH line 1:35: JSON path name is not allowed in JSON_VALUE function
SELECT json_exists('{', 'lax $' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT json_exists('{}', 'strict $.a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: missing member 'a' in JSON object
SELECT json_value('{', 'lax $' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT json_value('[1, 2]', 'lax $[*]' ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found multiple items
SELECT json_value('[1, 2]', 'strict $' ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found an item that cannot be converted to an SQL value
SELECT json_value('[]', 'lax $[0]' ERROR ON EMPTY);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found no items
SELECT json_value('"x"', 'lax $' RETURNING integer ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type varchar to declared return type of function JSON_VALUE: integer
SELECT json_value('1', 'lax $' RETURNING array(integer));
error: TYPE_MISMATCH line 1:8: Invalid return type of function JSON_VALUE: array(integer)
SELECT json_value('1', 'lax $' RETURNING nosuch);
error: TYPE_MISMATCH line 1:8: Unknown type: nosuch
SELECT json_value(1, 'lax $');
error: TYPE_MISMATCH line 1:19: Cannot read input of type integer as JSON using formatting JSON
SELECT json_query('1', 'lax $' RETURNING integer);
error: TYPE_MISMATCH line 1:8: Cannot output JSON value as integer using formatting JSON
SELECT json_query('[1, 2]', 'lax $[*]' ERROR ON ERROR);
error: JSON_OUTPUT_CONVERSION_ERROR conversion from JSON failed: JSON path found multiple items
SELECT json_query('[]', 'lax $[0]' ERROR ON EMPTY);
error: JSON_OUTPUT_CONVERSION_ERROR conversion from JSON failed: JSON path found no items
SELECT json_query('1', 'lax $' WITH WRAPPER OMIT QUOTES);
error: INVALID_FUNCTION_ARGUMENT line 1:8: OMIT QUOTES behavior specified with WITH UNCONDITIONAL ARRAY WRAPPER behavior
SELECT json_query('{', 'lax $' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT json_query('1', 'strict $.a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: OBJECT, actual: NUMBER
SELECT json_object('a' : 1, 'a' : 2 WITH UNIQUE KEYS);
error: INVALID_FUNCTION_ARGUMENT duplicate key passed to JSON_OBJECT function
SELECT json_object(1 : 2);
error: INVALID_FUNCTION_ARGUMENT line 1:20: Invalid type of JSON object key: integer
SELECT json_object(NULL : 2);
error: INVALID_FUNCTION_ARGUMENT line 1:20: Invalid type of JSON object key: unknown
SELECT json_object('a' : '[' FORMAT JSON);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT json_array('[' FORMAT JSON);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT json_array(1 RETURNING integer);
error: TYPE_MISMATCH line 1:8: Cannot output JSON value as integer using formatting JSON
SELECT json_array(1 FORMAT JSON);
error: TYPE_MISMATCH line 1:19: Cannot read input of type integer as JSON using formatting JSON
SELECT json_object('a' : '1' FORMAT JSON WITH UNIQUE KEYS);
error: NOT_SUPPORTED line 1:8: WITH UNIQUE KEYS behavior is not supported for JSON_OBJECT function when input expression has FORMAT
SELECT json_value('1', 'lax $' RETURNING integer DEFAULT 'x' ON EMPTY);
error: TYPE_MISMATCH line 1:58: Function JSON_VALUE default ON EMPTY result must evaluate to a integer (actual: varchar(1))
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $', a integer PATH 'lax $'));
error: DUPLICATE_COLUMN_OR_PATH_NAME line 1:77: All column and path names in JSON_TABLE invocation must be unique
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS "a" COLUMNS ("a" integer PATH 'lax $'));
error: DUPLICATE_COLUMN_OR_PATH_NAME line 1:60: All column and path names in JSON_TABLE invocation must be unique
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $') PLAN (p));
error: MISSING_PATH_NAME line 1:33: All JSON paths must be named when specific plan is given
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS p COLUMNS (NESTED PATH 'lax $' COLUMNS (a integer PATH 'lax $')) PLAN (p));
error: MISSING_PATH_NAME line 1:70: All JSON paths must be named when specific plan is given
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS p COLUMNS (NESTED PATH 'lax $' AS q COLUMNS (a integer PATH 'lax $')) PLAN (p));
error: INVALID_PLAN line 1:123: JSON_TABLE plan should contain all JSON paths available at each level of nesting. Paths not included: Q
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS p COLUMNS (NESTED PATH 'lax $' AS q COLUMNS (a integer PATH 'lax $')) PLAN (q));
error: INVALID_PLAN line 1:123: JSON_TABLE plan includes unavailable JSON path names: Q
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS p COLUMNS (NESTED PATH 'lax $' AS q COLUMNS (a integer PATH 'lax $'), NESTED PATH 'lax $' AS r COLUMNS (b integer PATH 'lax $')) PLAN (p OUTER q));
error: INVALID_PLAN line 1:190: JSON_TABLE plan should contain all JSON paths available at each level of nesting. Paths not included: R
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS p COLUMNS (NESTED PATH 'lax $' AS q COLUMNS (a integer PATH 'lax $'), NESTED PATH 'lax $' AS r COLUMNS (b integer PATH 'lax $')) PLAN (p OUTER (q UNION q)));
error: INVALID_PLAN line 1:191: JSON_TABLE plan should contain all JSON paths available at each level of nesting. Paths not included: R
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS p COLUMNS (NESTED PATH 'lax $' AS q COLUMNS (a integer PATH 'lax $'), NESTED PATH 'lax $' AS r COLUMNS (b integer PATH 'lax $')) PLAN (p UNION q));
error: INVALID_PLAN line 1:182: JSON_TABLE plan must either be a single path name or it must be rooted in parent-child relationship (OUTER or INNER)
SELECT * FROM JSON_TABLE('[1]', 'strict $[*].x' COLUMNS (a integer PATH 'lax $') ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: OBJECT, actual: NUMBER
SELECT * FROM JSON_TABLE('[', 'lax $[*]' COLUMNS (a integer PATH 'lax $') ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT * FROM JSON_TABLE('["x"]', 'lax $[*]' COLUMNS (a integer PATH 'lax $' ERROR ON ERROR));
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type varchar to declared return type of function JSON_VALUE: integer
SELECT * FROM JSON_TABLE(1, 'lax $[*]' COLUMNS (a integer PATH 'lax $'));
error: TYPE_MISMATCH line 1:26: Cannot read input of type integer as JSON using formatting JSON
SELECT json_value('1', 'lax $x.ceiling()' PASSING 'a' AS "x");
error: INVALID_PATH line 1:24: cannot perform JSON path ceiling() method with varchar(1) argument
SELECT json_value('1', 'lax $x.floor()' PASSING true AS "x");
error: INVALID_PATH line 1:24: cannot perform JSON path floor() method with boolean argument
SELECT json_value('1', 'lax $x.abs()' PASSING 'a' AS "x");
error: INVALID_PATH line 1:24: cannot perform JSON path abs() method with varchar(1) argument
SELECT json_value('1', 'lax $x.double()' PASSING true AS "x");
error: INVALID_PATH line 1:24: cannot perform JSON path double() method with boolean argument
SELECT json_value('1', 'lax $x.keyvalue()' PASSING 1 AS "x");
error: INVALID_PATH line 1:24: cannot perform JSON path keyvalue() method with integer argument
SELECT json_value('1', 'lax $x.datetime()' PASSING 1 AS "x");
error: INVALID_PATH line 1:24: cannot perform JSON path datetime() method with integer argument
SELECT json_value('1', 'lax -$x' PASSING 'a' AS "x");
error: INVALID_PATH line 1:24: invalid operand type (varchar(1)) in JSON path arithmetic unary expression
SELECT json_value('1', 'lax $x + $y' PASSING 'a' AS "x", 1 AS "y");
error: INVALID_PATH line 1:24: invalid operand types (varchar(1) and integer) in JSON path arithmetic binary expression: Cannot apply operator: varchar(1) + integer
SELECT json_value('1', 'strict $[1]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: ARRAY, actual: NUMBER
SELECT json_value('[1]', 'strict $[1]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript: [1, 1] for array of size 1
SELECT json_value('[1]', 'strict $["a"]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: varchar(1)
SELECT json_value('[1]', 'strict $[1 to 0]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript: [1, 0] for array of size 1
SELECT json_value('"a"', 'lax $.ceiling()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT json_value('"a"', 'lax $.double()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT json_value('"a"', 'lax -$' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT json_value('"a"', 'lax $ + 1' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT json_value('1', 'lax $ / 0' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT json_value('"a"', 'lax $.keyvalue()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: OBJECT, actual: STRING
SELECT json_value('1', 'strict $.size()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: ARRAY, actual: NUMBER
SELECT json_value('1', 'lax $.datetime()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: TEXT, actual: NUMBER
SELECT json_value('"2020"', 'lax $.datetime()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT json_value('1', 'lax $.nosuch()' ERROR ON ERROR);
error: SYNTAX_ERROR line 1:37: mismatched input '(' expecting {'%', '*', '+', '-', '.', '..', '/', '?', '[', <EOF>}
SELECT json_value('1', 'lax $.a.');
error: SYNTAX_ERROR line 1:33: mismatched input '<EOF>' expecting {'*', <identifier>, <string>}
SELECT json_value('1', 'lax $[');
error: SYNTAX_ERROR line 1:31: mismatched input '<EOF>' expecting {'$', '(', '*', '+', '-', '@', 'last', <literal>}
SELECT json_value('1', 'lax (');
error: SYNTAX_ERROR line 1:30: mismatched input '<EOF>' expecting {'$', '(', '+', '-', '@', 'last', <literal>}
SELECT json_value('1', 'lax $ extra');
error: SYNTAX_ERROR line 1:31: mismatched input 'extra' expecting {'%', '*', '+', '-', '.', '..', '/', '?', '[', <EOF>}
SELECT json_value('1', 5);
error: SYNTAX_ERROR line 1:24: mismatched input '5'. Expecting: <string>
SELECT a.b.c FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax $'));
error: TYPE_MISMATCH line 1:8: Expression a is not of type ROW
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS p COLUMNS (NESTED PATH 'lax $' AS q COLUMNS (a integer PATH 'lax $')) PLAN (p OUTER (q CROSS q)));
error: INVALID_PLAN line 1:132: JSON_TABLE plan includes JSON path more than once: Q
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS p COLUMNS (NESTED PATH 'lax $' AS q COLUMNS (NESTED PATH 'lax $' AS r COLUMNS (a integer PATH 'lax $'))) PLAN (p OUTER q));
error: INVALID_PLAN line 1:166: JSON_TABLE plan should contain all JSON paths available at each level of nesting. Paths not included: R
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a nosuch PATH 'lax $'));
error: TYPE_MISMATCH line 1:53: Unknown type: nosuch
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a integer PATH 'lax nosuch'));
error: SYNTAX_ERROR line 1:73: mismatched input 'nosuch' expecting {'$', '(', '+', '-', '@', 'last', <literal>}
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS ());
error: SYNTAX_ERROR line 1:53: mismatched input ')'. Expecting: <identifier>
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a array(integer) PATH 'lax $'));
error: TYPE_MISMATCH line 1:53: Invalid return type of function JSON_TABLE: array(integer)
SELECT JSON_VALUE('{"a": 1}', 'lax $.a / 0' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{"a": 9223372036854775807}', 'lax $.a + 1' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{"a": 9223372036854775807}', 'lax $.a * 2' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{"a": -9223372036854775808}', 'lax -$.a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{"a": 99999999999999999999999999999999999999}', 'lax $.a * $.a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: cannot convert 99999999999999999999999999999999999999 to Trino value (value too big)
SELECT JSON_VALUE('{"a": 99999999999999999999999999999999999999}', 'lax $.a + $.a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: cannot convert 99999999999999999999999999999999999999 to Trino value (value too big)
SELECT JSON_VALUE('{}', 'lax $x + $x' PASSING TINYINT '127' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax -$x' PASSING TINYINT '-128' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax $x + $x' PASSING 'a' AS "x" ERROR ON ERROR);
error: INVALID_PATH line 1:25: invalid operand types (varchar(1) and varchar(1)) in JSON path arithmetic binary expression: Cannot apply operator: varchar(1) + varchar(1)
SELECT JSON_VALUE('{"a": "x"}', 'lax $.a + 1' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT JSON_VALUE('{"a": "x"}', 'lax -$.a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT JSON_VALUE('[1, 2]', 'lax $[*] + 1' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: arithmetic binary expression requires singleton operands
SELECT JSON_VALUE('[]', 'strict $[0]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript for empty array
SELECT JSON_VALUE('[1]', 'strict $[5]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript: [5, 5] for array of size 1
SELECT JSON_VALUE('[1]', 'strict $[1 to 0]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript: [1, 0] for array of size 1
SELECT JSON_VALUE('[1]', 'lax last' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: accessing the last array index with no enclosing array
SELECT JSON_VALUE('[1]', 'lax @' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: accessing current filter item with no enclosing filter
SELECT JSON_VALUE('[1]', 'lax $[$]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: ARRAY
SELECT JSON_VALUE('[1]', 'lax $["x"]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: varchar(1)
SELECT JSON_VALUE('[[1, 2]]', 'lax $[0][$[0][*]]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: array subscript 'from' value must be singleton numeric
SELECT JSON_VALUE('["x"]', 'lax $[0].double()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('[true]', 'lax $[0].double()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER or TEXT, actual: BOOLEAN
SELECT JSON_VALUE('["x"]', 'lax $[0].abs()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT JSON_VALUE('["x"]', 'lax $[0].ceiling()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT JSON_VALUE('["x"]', 'lax $[0].floor()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT JSON_VALUE('{}', 'lax $x.abs()' PASSING -9223372036854775808 AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('["x"]', 'lax $[0].keyvalue()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: OBJECT, actual: STRING
SELECT JSON_VALUE('5', 'strict $.size()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: ARRAY, actual: NUMBER
SELECT JSON_VALUE('{"a": 1}', 'strict $.b' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: missing member 'b' in JSON object
SELECT JSON_VALUE('5', 'strict $.b' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: OBJECT, actual: NUMBER
SELECT JSON_VALUE('5', 'strict $[*]' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: ARRAY, actual: NUMBER
SELECT JSON_VALUE('5', 'strict $.*' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: OBJECT, actual: NUMBER
SELECT JSON_VALUE('123456789012345678901234567890123456789012', 'lax $' ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found an item that cannot be converted to an SQL value
SELECT JSON_EXISTS('"abc"', 'lax $?(@ like_regex "(")');
error: INVALID_PATH line 1:29: invalid like_regex pattern in JSON path: end pattern with unmatched parenthesis
SELECT JSON_EXISTS('"abc"', 'lax $?(@ like_regex "a" flag "z")');
error: INVALID_PATH line 1:29: invalid like_regex pattern in JSON path: Invalid flags of like_regex: z
SELECT JSON_EXISTS('1', 'lax $?(@ > )');
error: SYNTAX_ERROR line 1:37: mismatched input ')' expecting {'$', '(', '+', '-', '@', 'last', <literal>}
SELECT JSON_EXISTS('1', 'lax');
error: SYNTAX_ERROR line 1:29: mismatched input '<EOF>' expecting {'$', '(', '+', '-', '@', 'last', <literal>}
SELECT JSON_EXISTS('1', '');
error: SYNTAX_ERROR line 1:26: mismatched input '<EOF>' expecting {'lax', 'strict'}
SELECT JSON_EXISTS('1', 'lax $.nosuch()');
error: SYNTAX_ERROR line 1:38: mismatched input '(' expecting {'%', '*', '+', '-', '.', '..', '/', '?', '[', <EOF>}
SELECT JSON_EXISTS('1', 'lax $.datetime("x")');
error: SYNTAX_ERROR line 1:41: mismatched input '"x"' expecting ')'
SELECT JSON_EXISTS('1', 'lax 99999999999999999999');
error: SYNTAX_ERROR line 1:30: Invalid numeric literal: 99999999999999999999
SELECT JSON_EXISTS('1', 'lax 99999999999999999999999999999999999999999.5');
error: SYNTAX_ERROR line 1:30: Invalid numeric literal: 99999999999999999999999999999999999999999.5
SELECT JSON_EXISTS('1', concat('lax ', 'x'));
error: SYNTAX_ERROR /line 1:25: mismatched input 'concat'\. Expecting: .*/
SELECT JSON_VALUE('[1, 2]', 'lax $[*]' ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found multiple items
SELECT JSON_VALUE('[1, 2]', 'lax $' ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found an item that cannot be converted to an SQL value
SELECT JSON_VALUE('{}', 'lax $.a' ERROR ON EMPTY);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found no items
SELECT JSON_QUERY('{}', 'lax $.a' ERROR ON EMPTY);
error: JSON_OUTPUT_CONVERSION_ERROR conversion from JSON failed: JSON path found no items
SELECT JSON_QUERY('[1, 2]', 'lax $[*]' ERROR ON ERROR);
error: JSON_OUTPUT_CONVERSION_ERROR conversion from JSON failed: JSON path found multiple items
SELECT JSON_VALUE('"x"', 'lax $' RETURNING integer ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type varchar to declared return type of function JSON_VALUE: integer
SELECT JSON_VALUE('"2020-99-99"', 'lax $' RETURNING date ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type varchar to declared return type of function JSON_VALUE: date
SELECT JSON_VALUE('1.5e300', 'lax $' RETURNING integer ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type double to declared return type of function JSON_VALUE: integer
SELECT JSON_VALUE('99999', 'lax $' RETURNING tinyint ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type integer to declared return type of function JSON_VALUE: tinyint
SELECT JSON_VALUE('true', 'lax $' RETURNING date ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type boolean to declared return type of function JSON_VALUE: date
SELECT JSON_VALUE('12345.678', 'lax $' RETURNING decimal(3, 1) ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type double to declared return type of function JSON_VALUE: decimal(3,1)
SELECT JSON_VALUE('"x"', 'lax $' RETURNING boolean ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type varchar to declared return type of function JSON_VALUE: boolean
SELECT JSON_VALUE('x', 'lax $' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT JSON_QUERY('x', 'lax $' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT JSON_EXISTS('x', 'lax $' ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT JSON_VALUE('{}', 'lax $x' PASSING 'x' FORMAT JSON AS "x" ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT JSON_OBJECT(CAST(NULL AS varchar) : 1);
error: INVALID_FUNCTION_ARGUMENT null value passed for JSON object key to JSON_OBJECT function
SELECT JSON_OBJECT('a' : 1, 'a' : 2 WITH UNIQUE KEYS);
error: INVALID_FUNCTION_ARGUMENT duplicate key passed to JSON_OBJECT function
SELECT JSON_OBJECT('a' : 'x' FORMAT JSON);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT JSON_ARRAY('x' FORMAT JSON);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT JSON_ARRAY(approx_set(1));
error: NOT_SUPPORTED line 1:8: Unsupported type of value passed to JSON_ARRAY function: HyperLogLog
SELECT JSON_ARRAY(ST_Point(1, 1));
error: NOT_SUPPORTED line 1:8: Unsupported type of value passed to JSON_ARRAY function: Geometry
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $', a integer PATH 'lax $'));
error: DUPLICATE_COLUMN_OR_PATH_NAME line 1:80: All column and path names in JSON_TABLE invocation must be unique
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $[*]' AS p COLUMNS (a integer PATH 'lax $', NESTED PATH 'lax $' AS p COLUMNS (b integer PATH 'lax $')));
error: DUPLICATE_COLUMN_OR_PATH_NAME line 1:108: All column and path names in JSON_TABLE invocation must be unique
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $') PLAN (p OUTER q));
error: MISSING_PATH_NAME line 1:36: All JSON paths must be named when specific plan is given
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $[*]' AS p COLUMNS (a integer PATH 'lax $', NESTED PATH 'lax $' COLUMNS (b integer PATH 'lax $')) PLAN (p OUTER q));
error: MISSING_PATH_NAME line 1:97: All JSON paths must be named when specific plan is given
SELECT * FROM JSON_TABLE('["x"]', 'lax $[*]' COLUMNS (a integer PATH 'lax $.b' ERROR ON EMPTY));
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: JSON path found no items
SELECT * FROM JSON_TABLE('x', 'lax $[*]' COLUMNS (a integer PATH 'lax $') ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR conversion to JSON failed: 
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $[*' COLUMNS (a integer PATH 'lax $'));
error: SYNTAX_ERROR line 1:44: mismatched input '<EOF>' expecting ']'
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $[*]' COLUMNS (a nosuch PATH 'lax $'));
error: TYPE_MISMATCH line 1:56: Unknown type: nosuch
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $[*]' COLUMNS (a integer PATH 'lax $')) RIGHT;
error: SYNTAX_ERROR /line 1:86: mismatched input '<EOF>'\. Expecting: .*/
SELECT * FROM JSON_TABLE('[1]', 'lax $' COLUMNS (a integer PATH 'lax $' DEFAULT 'x' ON EMPTY));
error: TYPE_MISMATCH line 1:81: Function JSON_TABLE default ON EMPTY result must evaluate to a integer (actual: varchar(1))
SELECT JSON_VALUE('{}', 'lax $x + $x' PASSING DECIMAL '99999999999999999999999999999999999999' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax $x * $x' PASSING DECIMAL '99999999999999999999999999999999999999' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax $x % $x' PASSING DATE '2020-01-01' AS "x" ERROR ON ERROR);
error: INVALID_PATH line 1:25: invalid operand types (date and date) in JSON path arithmetic binary expression: Cannot apply operator: date % date
SELECT JSON_VALUE('[{"a": 1}, {"a": "x"}]', 'lax $[0].a + $[1].a' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: STRING
SELECT JSON_VALUE('{}', 'lax $x + $y' PASSING true AS "x", 1 AS "y" ERROR ON ERROR);
error: INVALID_PATH line 1:25: invalid operand types (boolean and integer) in JSON path arithmetic binary expression: Cannot apply operator: boolean + integer
SELECT JSON_VALUE('{}', 'lax $x' PASSING CAST('99999999999999999999999999999999' AS decimal(38,0)) AS "x" RETURNING integer ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type decimal(38,0) to declared return type of function JSON_VALUE: integer
SELECT JSON_VALUE('12345', 'lax $' RETURNING decimal(3, 1) ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type integer to declared return type of function JSON_VALUE: decimal(3,1)
SELECT JSON_VALUE('"x"', 'lax $' RETURNING decimal(3, 1) ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type varchar to declared return type of function JSON_VALUE: decimal(3,1)
SELECT JSON_VALUE('{}', 'lax $x' PASSING DATE '5000000-01-01' AS "x" RETURNING timestamp(6) ERROR ON ERROR);
error: JSON_VALUE_RESULT_ERROR cannot extract SQL scalar from JSON: Cannot cast value of type date to declared return type of function JSON_VALUE: timestamp(6)
SELECT JSON_VALUE('[1]', strict $);
error: SYNTAX_ERROR /line 1:26: mismatched input 'strict'\. Expecting: .*/
SELECT JSON_VALUE('"-"', 'lax $.double()' ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT JSON_VALUE('{}', 'lax $x.double()' PASSING 'x' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
SELECT * FROM t1 LEFT JOIN JSON_TABLE('[1]', 'lax $' COLUMNS (x integer PATH 'lax $')) ON x = a;
error: NOT_SUPPORTED line 1:15: LEFT JOIN involving JSON_TABLE is only supported with condition ON TRUE
SELECT JSON_VALUE('{}', 'lax $x - 1701411835' PASSING DECIMAL '701411835.00000000000000000000000000001' AS "x" ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: 
