-- Types as the standard writes them, in angle brackets, wherever a type may stand; and the forms of Presto
SELECT CAST(ARRAY[1, 2] AS ARRAY<bigint>), CAST(MAP(ARRAY['a'], ARRAY[1]) AS MAP<varchar, double>);
expect: [[[1, 2], {"a": 1}]]
types: array(bigint), map(varchar, double)
SELECT CAST(ARRAY[ARRAY[1]] AS ARRAY<ARRAY<smallint>>);
expect: [[[[1]]]]
types: array(array(smallint))
SELECT CAST(ARRAY[ARRAY[ARRAY[1]]] AS array<array<array<real>>>) AS a;
expect: [[[[[1]]]]]
types: array(array(array(real)))
SELECT CAST(ROW(1, 'a') AS ROW<x bigint, y varchar(3)>);
expect: [[[1, "a"]]]
types: row(x bigint, y varchar(3))
SELECT CAST(ROW(1, 'a') AS ROW<bigint, varchar>);
expect: [[[1, "a"]]]
types: row(bigint, varchar)
SELECT CAST(NULL AS MAP<ROW<a integer>, ARRAY<MAP<varchar, decimal(5, 2)>>>);
expect: [[null]]
types: map(row(a integer), array(map(varchar, decimal(5, 2))))
SELECT CAST(ARRAY[1] AS ARRAY(ARRAY<bigint>));
error: TYPE_MISMATCH line 1:8: Cannot cast array(integer) to array(array(bigint))
SELECT TRY_CAST(JSON '[[1, "x"], null]' AS ARRAY<ARRAY<varchar>>);
expect: [[[["1", "x"], null]]]
SELECT CAST(JSON '{"a": {"b": 1}}' AS ROW<a ROW<b bigint>>).a.b;
expect: [[1]]
SELECT CAST(ARRAY[1] AS ARRAY<bigint>)= ARRAY[1], CAST(ARRAY[2] AS ARRAY<ARRAY<bigint>>) IS NULL;
error: TYPE_MISMATCH line 1:51: Cannot cast array(integer) to array(array(bigint))
SELECT CAST(ARRAY[1] AS bigint ARRAY), CAST(ARRAY[1] AS bigint ARRAY[5]), CAST(ARRAY[ARRAY[1]] AS tinyint ARRAY ARRAY[2]);
expect: [[[1], [1], [[1]]]]
types: array(bigint), array(bigint), array(array(tinyint))
SELECT CAST(NULL AS ARRAY<timestamp(3) with time zone>), CAST(NULL AS MAP<double precision, interval day to second>);
expect: [[null, null]]
types: array(timestamp(3) with time zone), map(double, interval day to second)
SELECT x FROM (VALUES 3) t (x) WHERE CAST(ARRAY[x] AS ARRAY<bigint>)>=ARRAY[2];
expect: [[3]]
CREATE TABLE memory.default.angles (a ARRAY<bigint>, m MAP<varchar, ARRAY<ROW<x integer, y date>>>, r ROW<a bigint> NOT NULL);
expect: [[true]]
SHOW COLUMNS FROM memory.default.angles;
expect: [["a", "array(bigint)", "", ""], ["m", "map(varchar, array(row(x integer, y date)))", "", ""], ["r", "row(a bigint)", "not null", ""]]
ALTER TABLE memory.default.angles ADD COLUMN b ARRAY<MAP<bigint, bigint>>;
expect: [[true]]
SELECT array_agg(CAST(nationkey AS bigint) ORDER BY nationkey) = CAST(JSON '[0,1,2]' AS ARRAY<bigint>) FROM nation WHERE nationkey < 3;
expect: [[true]]
DROP TABLE memory.default.angles;
expect: [[true]]
-- `<` stays a comparison behind the names that are no types of angle brackets
SELECT array < 2, map < 3, "row" < 4 FROM (VALUES (1, 2, 3)) t ("array", map, "row");
expect: [[true, true, true]]
SELECT CAST(1 AS ARRAY<bigint);
error: SYNTAX_ERROR line 1:30: mismatched input ')'. Expecting: '(', ',', '>'
SELECT CAST(1 AS bigint<integer>);
error: SYNTAX_ERROR line 1:24: mismatched input '<'. Expecting: '(', ')'
SELECT CAST(1 AS ARRAY<bigint>=);
error: SYNTAX_ERROR line 1:31: mismatched input '='. Expecting: ')'
SELECT CAST(1 AS ROW<>);
error: SYNTAX_ERROR line 1:21: mismatched input '<>'. Expecting: '(', ')'
