-- JSON_TABLE: the examples of Trino's page, then those of its tests
SELECT * FROM json_table('[{"id":1,"name":"Africa","wikiDataId":"Q15"}, {"id":2,"name":"Americas","wikiDataId":"Q828"}, {"id":3,"name":"Asia","wikiDataId":"Q48"}, {"id":4,"name":"Europe","wikiDataId":"Q51"}]', 'strict $' COLUMNS (NESTED PATH 'strict $[*]' COLUMNS (id integer PATH 'strict $.id', name varchar PATH 'strict $.name', wiki_data_id varchar PATH 'strict $."wikiDataId"')));
expect: [[1, "Africa", "Q15"], [2, "Americas", "Q828"], [3, "Asia", "Q48"], [4, "Europe", "Q51"]]
types: integer, varchar, varchar
SELECT * FROM json_table('[{"continent": "Asia", "countries": [{"name": "Japan", "population": 125.7}, {"name": "Thailand", "population": 71.6}]}, {"continent": "Europe", "countries": [{"name": "France", "population": 67.4}, {"name": "Germany", "population": 83.2}]}]', 'lax $' COLUMNS (NESTED PATH 'lax $[*]' COLUMNS (continent varchar PATH 'lax $.continent', NESTED PATH 'lax $.countries[*]' COLUMNS (country varchar PATH 'lax $.name', population double PATH 'lax $.population'))));
expect: [["Asia", "Japan", 125.7], ["Asia", "Thailand", 71.6], ["Europe", "France", 67.4], ["Europe", "Germany", 83.2]]
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "nested_path" COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN ("root_path" OUTER "nested_path"));
expect: [["A", null]]
types: varchar(1), varchar(1)
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "nested_path" COLUMNS (b varchar(1) PATH 'lax "B"')) PLAN ("root_path" INNER "nested_path"));
expect: []
SELECT first, last FROM (SELECT '{"a" : [1, 2, 3], "b" : [4, 5, 6]}') t(json_col), JSON_TABLE(json_col, 'lax $.a' COLUMNS(first bigint PATH 'lax $[0]', last bigint PATH 'lax $[last]'));
expect: [[1, 3]]
SELECT c1, c2, c3 FROM (SELECT '{"a" : {"b" : [1, 2, 3], "c" : [[4, 5, 6], [7, 8, 9]]}}') t(json_col), JSON_TABLE(json_col, 'lax $.a' AS "path_a" COLUMNS(NESTED PATH 'lax $.b[*]' AS "path_b" COLUMNS (c1 integer PATH 'lax $ * 10'), NESTED PATH 'lax $.c' AS "path_c" COLUMNS (NESTED PATH 'lax $[0][*]' AS "path_d" COLUMNS (c2 integer PATH 'lax $ * 100'), NESTED PATH 'lax $[last][*]' AS "path_e" COLUMNS (c3 integer PATH 'lax $ * 1000'))) PLAN ("path_a" OUTER ("path_b" UNION ("path_c" INNER ("path_d" CROSS "path_e")))));
expect: [[10, null, null], [20, null, null], [30, null, null], [null, 400, 7000], [null, 400, 8000], [null, 400, 9000], [null, 500, 7000], [null, 500, 8000], [null, 500, 9000], [null, 600, 7000], [null, 600, 8000], [null, 600, 9000]]
-- Subqueries and columns of the left in the document, in PASSING and in defaults
SELECT empty_default, error_default FROM (SELECT '[[1, 2, 3], [4, 5, 6]]') t(json_col), JSON_TABLE((SELECT json_col), 'lax $[$index]' PASSING (SELECT 0) AS "index" COLUMNS(empty_default bigint PATH 'lax $[-42]' DEFAULT (SELECT -42) ON EMPTY, error_default bigint PATH 'strict $[42]' DEFAULT (SELECT 42) ON ERROR));
expect: [[-42, 42]]
SELECT empty_default, error_default FROM (SELECT '[[1, 2, 3], [4, 5, 6]]', 0, -42, 42) t(json_col, index_col, empty_default_col, error_default_col), JSON_TABLE(json_col, 'lax $[$index]' PASSING index_col AS "index" COLUMNS(empty_default bigint PATH 'lax $[-42]' DEFAULT empty_default_col ON EMPTY, error_default bigint PATH 'strict $[42]' DEFAULT error_default_col ON ERROR));
expect: [[-42, 42]]
SELECT * FROM (SELECT '[[1, 2, 3], [4, 5, 6]]', 0, -42, 42) t(json_col, index_col, empty_default_col, error_default_col), JSON_TABLE(json_col, 'lax $[$index]' PASSING index_col AS "index" COLUMNS(empty_default bigint PATH 'lax $[-42]' DEFAULT empty_default_col * 2 ON EMPTY, error_default bigint PATH 'strict $[42]' DEFAULT error_default_col * 2 ON ERROR));
expect: [["[[1, 2, 3], [4, 5, 6]]", 0, -42, 42, -84, 84]]
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "p" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $' AS "p1" COLUMNS (b varchar(1) PATH 'lax "B"', NESTED PATH 'lax $' AS "p2 "COLUMNS (c varchar(1) PATH 'lax "C"', d varchar(1) PATH 'lax "D"'), e varchar(1) PATH 'lax "E"'), f varchar(1) PATH 'lax "F"', NESTED PATH 'lax $' AS "p3" COLUMNS (g varchar(1) PATH 'lax "G"'), h varchar(1) PATH 'lax "H"') PLAN DEFAULT (CROSS));
expect: [["A", "B", "C", "D", "E", "F", "G", "H"]]
-- Joins
SELECT * FROM (VALUES ('[1, 2, 3]'), ('[4, 5, 6, 7, 8]')) t(json_col), JSON_TABLE(json_col, 'lax $[4]' COLUMNS(a integer PATH 'lax $'));
expect: [["[4, 5, 6, 7, 8]", 8]]
SELECT * FROM (VALUES ('[1, 2, 3]'), ('[4, 5, 6, 7, 8]')) t(json_col) INNER JOIN JSON_TABLE(json_col, 'lax $[4]' COLUMNS(a integer PATH 'lax $')) ON TRUE;
expect: [["[4, 5, 6, 7, 8]", 8]]
SELECT * FROM (VALUES ('[1, 2, 3]'), ('[4, 5, 6, 7, 8]')) t(json_col) LEFT JOIN JSON_TABLE(json_col, 'lax $[4]' COLUMNS(a integer PATH 'lax $')) ON TRUE;
expect: [["[1, 2, 3]", null], ["[4, 5, 6, 7, 8]", 8]]
SELECT * FROM (VALUES ('[1, 2, 3]'), ('[4, 5, 6, 7, 8]')) t(json_col) CROSS JOIN JSON_TABLE(json_col, 'lax $[*]' COLUMNS(o FOR ORDINALITY, a integer PATH 'lax $')) AS j(ordinal, value) WHERE j.ordinal > 3;
expect: [["[4, 5, 6, 7, 8]", 4, 7], ["[4, 5, 6, 7, 8]", 5, 8]]
SELECT * FROM (VALUES 1) t(x) RIGHT JOIN JSON_TABLE('[1, 2, 3]', 'lax $[4]' COLUMNS(a integer PATH 'lax $')) ON TRUE;
expect: []
SELECT * FROM (VALUES 1) t(x) FULL JOIN JSON_TABLE('[1, 2, 3]', 'lax $[4]' COLUMNS(a integer PATH 'lax $')) ON TRUE;
expect: [[1, null]]
SELECT * FROM (VALUES 2, 3, 4) t(x) FULL JOIN JSON_TABLE('[1, 2, 3]', 'lax $[*]' COLUMNS(a integer PATH 'lax $')) j ON t.x = j.a;
expect: [[2, 2], [3, 3], [4, null], [null, 1]]
SELECT * FROM (VALUES '[1]') t(x) RIGHT JOIN JSON_TABLE(x, 'lax $[*]' COLUMNS(a integer PATH 'lax $')) ON TRUE;
error: INVALID_COLUMN_REFERENCE line 1:57: LATERAL reference not allowed in RIGHT JOIN
SELECT * FROM (VALUES '[1]') t(x) LEFT JOIN JSON_TABLE(x, 'lax $[*]' COLUMNS(a integer PATH 'lax $')) j ON j.a = 1;
error: NOT_SUPPORTED line 1:15: LEFT JOIN involving JSON_TABLE is only supported with condition ON TRUE
SELECT * FROM JSON_TABLE('[[1, 2], [3]]', 'lax $[*]' COLUMNS(j varchar FORMAT JSON PATH 'lax $')) a, JSON_TABLE(a.j, 'lax $[*]' COLUMNS(x integer PATH 'lax $')) b;
expect: [["[1,2]", 1], ["[1,2]", 2], ["[3]", 3]]
SELECT (SELECT sum(x) FROM JSON_TABLE(t.j, 'lax $[*]' COLUMNS(x integer PATH 'lax $'))) FROM (VALUES '[1, 2]', '[]', '[5]') t(j);
expect: [[3], [null], [5]]
-- Parents and children
SELECT * FROM JSON_TABLE('[[], [1]]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "nested_path_1" COLUMNS (b varchar(1) PATH 'lax "B"', NESTED PATH 'lax $[*]' AS "nested_path_2" COLUMNS(c varchar(1) PATH 'lax "C"'))) PLAN ("root_path" OUTER ("nested_path_1" OUTER "nested_path_2")));
expect: [["A", "B", null], ["A", "B", "C"]]
SELECT * FROM JSON_TABLE('[[], [1]]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "nested_path_1" COLUMNS (b varchar(1) PATH 'lax "B"', NESTED PATH 'lax $[*]' AS "nested_path_2" COLUMNS(c varchar(1) PATH 'lax "C"'))) PLAN ("root_path" OUTER ("nested_path_1" INNER "nested_path_2")));
expect: [["A", "B", "C"]]
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "nested_path_1" COLUMNS (b varchar(1) PATH 'lax "B"', NESTED PATH 'lax $' AS "nested_path_2" COLUMNS(c varchar(1) PATH 'lax "C"'))) PLAN ("root_path" OUTER ("nested_path_1" INNER "nested_path_2")));
expect: [["A", null, null]]
-- Siblings
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $' AS "nested_path_b" COLUMNS (b varchar(1) PATH 'lax "B"'), NESTED PATH 'lax $' AS "nested_path_c" COLUMNS (c varchar(1) PATH 'lax "C"'), NESTED PATH 'lax $' AS "nested_path_d" COLUMNS (d varchar(1) PATH 'lax "D"')) PLAN ("root_path" INNER ("nested_path_c" UNION ("nested_path_d" CROSS "nested_path_b"))));
expect: [["A", null, "C", null], ["A", "B", null, "D"]]
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "nested_path_1" COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[*]' AS "nested_path_2" COLUMNS (c integer PATH 'lax $ * 2'), NESTED PATH 'lax $[*]' AS "nested_path_3" COLUMNS (d integer PATH 'lax $ * 3')) PLAN ("root_path" INNER ("nested_path_2" UNION ("nested_path_3" CROSS "nested_path_1"))));
expect: [["A", null, 20, null], ["A", null, 2000, null], ["A", 10, null, 30], ["A", 10, null, 3000], ["A", 1000, null, 30], ["A", 1000, null, 3000]]
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "nested_path_1" COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[42]' AS "nested_path_2" COLUMNS (c integer PATH 'lax $ * 2')) PLAN ("root_path" INNER ("nested_path_1" CROSS "nested_path_2")));
expect: []
SELECT * FROM JSON_TABLE('[10, 1000]', 'lax $' AS "root_path" COLUMNS(a varchar(1) PATH 'lax "A"', NESTED PATH 'lax $[*]' AS "nested_path_1" COLUMNS (b integer PATH 'lax $ * 1'), NESTED PATH 'lax $[42]' AS "nested_path_2" COLUMNS (c integer PATH 'lax $ * 2')) PLAN ("root_path" INNER ("nested_path_1" UNION "nested_path_2")));
expect: [["A", 10, null], ["A", 1000, null]]
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $' COLUMNS(NESTED 'lax $[*]' COLUMNS (b integer PATH 'lax $'), NESTED PATH 'lax $[*]' COLUMNS (c integer PATH 'lax $')) PLAN DEFAULT (CROSS, INNER));
expect: [[1, 1], [1, 2], [2, 1], [2, 2]]
SELECT * FROM JSON_TABLE('[1, 2]', 'lax $' COLUMNS(NESTED 'lax $[*]' COLUMNS (b integer PATH 'lax $'), NESTED PATH 'lax $[*]' COLUMNS (c integer PATH 'lax $')));
expect: [[1, null], [2, null], [null, 1], [null, 2]]
-- A column without a path
SELECT * FROM JSON_TABLE('{"A" : 42, "b" : true}', 'lax $' COLUMNS(a integer, "b" boolean));
expect: [[42, true]]
SELECT * FROM JSON_TABLE('{"A" : 42, "b" : true}', 'lax $' COLUMNS(c varchar (5) DEFAULT 'empty' ON EMPTY DEFAULT 'error' ON ERROR));
expect: [["empty"]]
SELECT nested, path FROM JSON_TABLE('{"NESTED" : 42, "PATH" : true}', 'lax $' COLUMNS(nested integer, path boolean));
expect: [[42, true]]
-- Errors of the root path, of nested paths, of columns
SELECT * FROM JSON_TABLE('[]', 'strict $[42]' COLUMNS(a integer PATH 'lax 1') EMPTY ON ERROR);
expect: []
SELECT * FROM JSON_TABLE('[]', 'strict $[42]' COLUMNS(a integer PATH 'lax 1'));
expect: []
SELECT * FROM JSON_TABLE('[]', 'strict $[42]' COLUMNS(a integer PATH 'lax 1') ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript for empty array
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "root_path" COLUMNS(a integer PATH 'lax 1', NESTED PATH 'strict $[42]' AS "nested_path" COLUMNS(b integer PATH 'lax 2')) PLAN DEFAULT(INNER) EMPTY ON ERROR);
expect: []
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "root_path" COLUMNS(a integer PATH 'lax 1', NESTED PATH 'strict $[42]' AS "nested_path" COLUMNS(b integer PATH 'lax 2')) PLAN DEFAULT(INNER));
expect: []
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "root_path" COLUMNS(a integer PATH 'lax 1', NESTED PATH 'strict $[42]' AS "nested_path" COLUMNS(b integer PATH 'lax 2')) PLAN DEFAULT(INNER) ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript for empty array
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a integer PATH 'strict $[42]' ERROR ON ERROR) EMPTY ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript for empty array
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a integer PATH 'strict $[42]') EMPTY ON ERROR);
expect: [[null]]
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a integer PATH 'strict $[42]') ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: structural error: invalid array subscript for empty array
SELECT * FROM JSON_TABLE('[...', 'lax $' COLUMNS(a integer PATH 'lax 1'));
expect: []
SELECT * FROM JSON_TABLE('[...', 'lax $' COLUMNS(a integer PATH 'lax 1') ERROR ON ERROR);
error: JSON_INPUT_CONVERSION_ERROR
-- NULL
SELECT * FROM (SELECT '[]' WHERE rand() > 1) t(json_col), JSON_TABLE(json_col, 'lax $' COLUMNS(a integer PATH 'lax 1'));
expect: []
SELECT * FROM JSON_TABLE(CAST (null AS varchar), 'lax $' COLUMNS(a integer PATH 'lax 1'));
expect: []
SELECT * FROM (VALUES (CAST(null AS varchar)), (CAST(null AS varchar)), (CAST(null AS varchar))) t(json_col), JSON_TABLE(json_col, 'lax $' COLUMNS(NESTED PATH 'lax $' COLUMNS(a integer PATH 'lax 1')));
expect: []
SELECT * FROM JSON_TABLE(CAST (null AS varchar) FORMAT JSON, 'lax $' COLUMNS(a varchar FORMAT JSON PATH 'lax $'));
expect: []
SELECT * FROM (SELECT '[1, 2, 3]', CAST(null AS integer)) t(json_col, index_col), JSON_TABLE(json_col, 'lax $[$index]' PASSING index_col AS "index" COLUMNS(a integer PATH 'lax 1') ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: invalid item type. Expected: NUMBER, actual: NULL
SELECT * FROM (SELECT '[1, 2, 3]', CAST(null AS varchar)) t(json_col, index_col), JSON_TABLE(json_col, 'lax $[$index]' PASSING index_col FORMAT JSON AS "index" COLUMNS(a integer PATH 'lax 1') ERROR ON ERROR);
error: PATH_EVALUATION_ERROR path evaluation failed: array subscript 'from' value must be singleton numeric
SELECT a FROM (SELECT null) t(empty_default), JSON_TABLE('[1, 2, 3]', 'lax $' COLUMNS(a integer PATH 'lax $[42]' DEFAULT empty_default ON EMPTY DEFAULT -1 ON ERROR));
expect: [[null]]
SELECT a FROM (SELECT null) t(error_default), JSON_TABLE('[1, 2, 3]', 'lax $' COLUMNS(a integer PATH 'strict $[42]' DEFAULT -1 ON EMPTY DEFAULT error_default ON ERROR));
expect: [[null]]
-- Types
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $' COLUMNS(a real PATH 'lax $[last]', b real PATH 'lax $[42]' DEFAULT 42 ON EMPTY, c real PATH 'lax $[42]', d real PATH 'strict $[42]' DEFAULT 42 ON ERROR, e real PATH 'strict $[42]'));
expect: [[3, 42, null, 42, null]]
types: real, real, real, real, real
SELECT a, to_hex(b), c, to_hex(d), e FROM JSON_TABLE('[{"a" : true}]', 'lax $' COLUMNS(a varchar(50) FORMAT JSON PATH 'lax $[0]', b varbinary FORMAT JSON ENCODING UTF16 PATH 'lax $[0]', c char(5) FORMAT JSON PATH 'lax $[42]' EMPTY OBJECT ON EMPTY, d varbinary FORMAT JSON ENCODING UTF16 PATH 'strict $[42]' EMPTY ARRAY ON ERROR, e varbinary FORMAT JSON ENCODING UTF16 PATH 'lax $[42]' NULL ON EMPTY));
expect: [["{\"a\":true}", "7B002200610022003A0074007200750065007D00", "{}   ", "5B005D00", null]]
SELECT * FROM JSON_TABLE('["x", {"y": 1}]', 'lax $[*]' COLUMNS(a varchar FORMAT JSON PATH 'lax $' OMIT QUOTES, b varchar FORMAT JSON PATH 'lax $' WITH CONDITIONAL WRAPPER, c varchar PATH 'lax $' DEFAULT 'none' ON ERROR));
expect: [["x", "[\"x\"]", "x"], ["{\"y\":1}", "{\"y\":1}", "none"]]
-- Ordinality
SELECT * FROM JSON_TABLE('["a", "b", "c", "d", "e", "f", "g", "h"]', 'lax $[*]' AS "root_path" COLUMNS(o FOR ORDINALITY, x varchar(1) PATH 'lax $'));
expect: [[1, "a"], [2, "b"], [3, "c"], [4, "d"], [5, "e"], [6, "f"], [7, "g"], [8, "h"]]
types: bigint, varchar(1)
SELECT o, x1, o1, x2, o2, x3, o3 FROM (VALUES ('[["a", "b"], ["c", "d"], ["e", "f"]]'), ('[["g", "h"], ["i", "j"], ["k", "l"]]')) t(json_col), JSON_TABLE(json_col, 'lax $' AS "root_path" COLUMNS(o FOR ORDINALITY, NESTED PATH 'lax $[0][*]' AS "nested_path_1" COLUMNS (x1 varchar PATH 'lax $', o1 FOR ORDINALITY), NESTED PATH 'lax $[1][*]' AS "nested_path_2" COLUMNS (x2 varchar PATH 'lax $', o2 FOR ORDINALITY), NESTED PATH 'lax $[2][*]' AS "nested_path_3" COLUMNS (x3 varchar PATH 'lax $', o3 FOR ORDINALITY)) PLAN ("root_path" INNER ("nested_path_2" UNION ("nested_path_3" CROSS "nested_path_1"))));
expect: [[1, "a", 1, null, null, "e", 1], [1, "a", 1, null, null, "f", 2], [1, "b", 2, null, null, "e", 1], [1, "b", 2, null, null, "f", 2], [1, null, null, "c", 1, null, null], [1, null, null, "d", 2, null, null], [1, "g", 1, null, null, "k", 1], [1, "g", 1, null, null, "l", 2], [1, "h", 2, null, null, "k", 1], [1, "h", 2, null, null, "l", 2], [1, null, null, "i", 1, null, null], [1, null, null, "j", 2, null, null]]
-- Refused
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a integer, A bigint));
error: DUPLICATE_COLUMN_OR_PATH_NAME line 1:59: All column and path names in JSON_TABLE invocation must be unique
SELECT * FROM JSON_TABLE('[]', 'lax $' AS "A" COLUMNS(a integer));
error: DUPLICATE_COLUMN_OR_PATH_NAME line 1:55: All column and path names in JSON_TABLE invocation must be unique
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a integer) PLAN (p));
error: MISSING_PATH_NAME line 1:32: All JSON paths must be named when specific plan is given
SELECT * FROM JSON_TABLE('[]', 'lax $' AS p COLUMNS(NESTED 'lax $' COLUMNS (a integer)) PLAN (p OUTER q));
error: MISSING_PATH_NAME line 1:60: All JSON paths must be named when specific plan is given
SELECT * FROM JSON_TABLE('[]', 'lax $' AS p COLUMNS(NESTED 'lax $' AS q COLUMNS (a integer)) PLAN (p));
error: INVALID_PLAN line 1:100: JSON_TABLE plan should contain all JSON paths available at each level of nesting. Paths not included: Q
SELECT * FROM JSON_TABLE('[]', 'lax $' AS p COLUMNS(NESTED 'lax $' AS q COLUMNS (a integer)) PLAN (p OUTER r));
error: INVALID_PLAN line 1:108: JSON_TABLE plan includes unavailable JSON path names: R
SELECT * FROM JSON_TABLE('[]', 'lax $' AS p COLUMNS(NESTED 'lax $' AS q COLUMNS (a integer)) PLAN (p UNION q));
error: INVALID_PLAN line 1:100: JSON_TABLE plan must either be a single path name or it must be rooted in parent-child relationship (OUTER or INNER)
SELECT * FROM JSON_TABLE('[]', 'lax $' AS p COLUMNS(NESTED 'lax $' AS q COLUMNS (a integer)) PLAN (p OUTER (q UNION q)));
error: INVALID_PLAN line 1:109: JSON_TABLE plan includes JSON path more than once: Q
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a array(integer)));
error: TYPE_MISMATCH line 1:48: Invalid return type of function JSON_TABLE: array(integer)
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a integer FORMAT JSON));
error: TYPE_MISMATCH line 1:48: Cannot output JSON value as integer using formatting JSON
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a integer PATH 'nope'));
error: SYNTAX_ERROR line 1:64: mismatched input 'nope' expecting {'lax', 'strict'}
SELECT * FROM JSON_TABLE('[]', 'lax $' COLUMNS(a integer DEFAULT 'x' ON EMPTY));
error: TYPE_MISMATCH line 1:66: Function JSON_TABLE default ON EMPTY result must evaluate to a integer (actual: varchar(1))
SELECT * FROM JSON_TABLE(1, 'lax $' COLUMNS(a integer));
error: TYPE_MISMATCH line 1:26: Cannot read input of type integer as JSON using formatting JSON
-- Many rows
SELECT count(*), sum(k), sum(v), count(DISTINCT o) FROM orders, JSON_TABLE(json_array(orderkey, custkey, totalprice), 'lax $' COLUMNS(k bigint PATH 'lax $[0]', NESTED 'lax $[*]' COLUMNS(o FOR ORDINALITY, v decimal(15,2) PATH 'lax $'))) WHERE orderkey % 3 = 0;
duckdb: SELECT 3 * count(*), 3 * sum(orderkey), sum(orderkey + custkey + totalprice), 3 FROM orders WHERE orderkey % 3 = 0;
SELECT c.custkey, j.k FROM customer c LEFT JOIN JSON_TABLE(json_object('ks' : json_query('[' || coalesce((SELECT array_join(array_agg(orderkey ORDER BY orderkey), ',') FROM orders o WHERE o.custkey = c.custkey), '') || ']', 'lax $')), 'lax $.ks[*]' COLUMNS(k bigint PATH 'lax $')) j ON TRUE WHERE c.custkey < 50;
duckdb: SELECT c.custkey, o.orderkey FROM customer c LEFT JOIN orders o ON o.custkey = c.custkey WHERE c.custkey < 50;
SELECT * FROM (VALUES 2, 3, 4) t(x) FULL JOIN JSON_TABLE('[1, 2, 3]', 'lax $[*]' COLUMNS(a integer PATH 'lax $')) j ON t.x = j.a AND EXISTS (SELECT 1 FROM nation n WHERE n.nationkey = t.x + j.a AND n.regionkey > t.x);
expect: [[2, 2], [3, null], [4, null], [null, 1], [null, 3]]
SELECT * FROM (VALUES 2, 3, 4) t(x) RIGHT JOIN JSON_TABLE('[1, 2, 3]', 'lax $[*]' COLUMNS(a integer PATH 'lax $')) j USING (x);
error: NOT_SUPPORTED line 1:15: RIGHT JOIN involving JSON_TABLE is only supported with condition ON TRUE
