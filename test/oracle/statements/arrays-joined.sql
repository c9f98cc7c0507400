-- Arrays one after the other, with elements, and with NULL: what has two readings needs a cast
SELECT ARRAY[1] || CAST(NULL AS integer), CAST(NULL AS integer) || ARRAY[1], ARRAY[1] || CAST(NULL AS array(integer)), concat(CAST(NULL AS array(integer)), ARRAY[1]), concat(ARRAY[1], NULL, ARRAY[2]), concat(ARRAY[], ARRAY[], ARRAY[], NULL, ARRAY[]), ARRAY[NULL] || NULL, ARRAY[1, NULL] || ARRAY[3], ARRAY[NULL] || ARRAY[NULL];
types: array(integer), array(integer), array(integer), array(integer), array(integer), array(unknown), array(unknown), array(integer), array(unknown)
expect: [[[1, null], [null, 1], null, null, null, null, [null, null], [1, null, 3], [null, null]]]
SELECT ARRAY[1] || NULL;
error: AMBIGUOUS_FUNCTION_CALL
SELECT NULL || ARRAY[1];
error: AMBIGUOUS_FUNCTION_CALL
SELECT concat(ARRAY['a'], NULL);
error: AMBIGUOUS_FUNCTION_CALL
SELECT ARRAY[ARRAY[1]] || ARRAY[NULL];
error: AMBIGUOUS_FUNCTION_CALL
SELECT ARRAY[ARRAY[1]] || NULL;
error: AMBIGUOUS_FUNCTION_CALL
SELECT x || NULL FROM (VALUES ARRAY[1], NULL) t(x);
error: AMBIGUOUS_FUNCTION_CALL
-- An array without elements is one of the other's type
SELECT ARRAY[1] || ARRAY[], ARRAY[] || ARRAY[1], ARRAY[] || 1, 1 || ARRAY[], ARRAY[] || ARRAY[], concat(ARRAY[], ARRAY[333], ARRAY[]), ARRAY[NULL] || ARRAY[1];
types: array(integer), array(integer), array(integer), array(integer), array(unknown), array(integer), array(integer)
expect: [[[1], [1], [1], [1], [], [333], [null, 1]]]
-- An array beside an array of arrays is an element of it
SELECT ARRAY[ARRAY[1]] || ARRAY[2], ARRAY[2, 8] || ARRAY[ARRAY[3, 6], ARRAY[4]], ARRAY[ARRAY[1], ARRAY[2, 8]] || ARRAY[3, 6], ARRAY[ARRAY[1]] || ARRAY[ARRAY[2]], ARRAY[ARRAY[ARRAY[1]]] || ARRAY[ARRAY[2]], ARRAY[ARRAY[1]] || CAST(NULL AS array(integer)), ARRAY[ARRAY[1]] || CAST(NULL AS array(array(integer))), concat(ARRAY[ARRAY[1]], ARRAY[2]);
expect: [[[[1], [2]], [[2, 8], [3, 6], [4]], [[1], [2, 8], [3, 6]], [[1], [2]], [[[1]], [[2]]], [[1], null], null, [[1], [2]]]]
SELECT a || b, b || a, a || a || b FROM (VALUES (ARRAY[1], ARRAY[ARRAY[2]]), (ARRAY[], ARRAY[]), (NULL, ARRAY[ARRAY[3]]), (ARRAY[4], NULL)) t(a, b);
expect: [[[[1], [2]], [[2], [1]], [[1, 1], [2]]], [[[]], [[]], [[]]], [[null, [3]], [[3], null], [null, [3]]], [null, null, null]]
SELECT ARRAY[1] || 2.5, 2.5 || ARRAY[1], ARRAY[1] || ARRAY[2.0E0] || ARRAY[3], ARRAY['a'] || 'bcd', ARRAY[1, 2] || 3 || 4, ROW(1) || ARRAY[ROW(2)], ARRAY[2] || BIGINT '1', ARRAY[ARRAY[1]] || ARRAY[BIGINT '2'];
types: array(decimal(11, 1)), array(decimal(11, 1)), array(double), array(varchar(3)), array(integer), array(row(integer)), array(bigint), array(array(bigint))
expect: [[["1.0", "2.5"], ["2.5", "1.0"], [1, 2, 3], ["a", "bcd"], [1, 2, 3, 4], [[1], [2]], [2, 1], [[1], [2]]]]
SELECT ARRAY[ARRAY[1]] || ARRAY['x'];
error: FUNCTION_NOT_FOUND
SELECT ARRAY[ARRAY[1]] || ARRAY[ARRAY['x']];
error: FUNCTION_NOT_FOUND
SELECT ARRAY[ARRAY[1]] || 2;
error: FUNCTION_NOT_FOUND
SELECT concat(ARRAY[1], 2, 3);
error: FUNCTION_NOT_FOUND
SELECT 'a' || NULL, NULL || 'a', X'01' || NULL, concat('a', NULL, 'b');
expect: [[null, null, null, null]]
