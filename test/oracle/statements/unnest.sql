-- UNNEST of arrays, maps and arrays of rows, alone, correlated and in outer joins (protocol 10.5).
SELECT * FROM UNNEST(ARRAY[1, 2, 3]);
duckdb: SELECT unnest([1, 2, 3]);
SELECT x FROM UNNEST(ARRAY['a', NULL, 'b']) t(x);
SELECT * FROM UNNEST(ARRAY[1, 2, 3], ARRAY['a']) WITH ORDINALITY AS t(x, y, n);
types: integer, varchar(1), bigint
expect: [[1, "a", 1], [2, null, 2], [3, null, 3]]
SELECT * FROM UNNEST(MAP(ARRAY['a', 'b'], ARRAY[1, 2])) t(k, v);
expect: [["a", 1], ["b", 2]]
SELECT * FROM UNNEST(ARRAY[ROW(1, 'a'), ROW(2, 'b'), NULL]) t(x, y);
expect: [[1, "a"], [2, "b"], [null, null]]
SELECT a, b FROM UNNEST(CAST(ARRAY[ROW(1, 'a')] AS ARRAY(ROW(a integer, b varchar))));
expect: [[1, "a"]]
SELECT x FROM UNNEST(ARRAY[]) t(x);
expect: []
SELECT x FROM UNNEST(CAST(NULL AS ARRAY(integer))) t(x);
expect: []
SELECT n.name, x FROM nation n CROSS JOIN UNNEST(ARRAY[n.nationkey, n.regionkey]) u(x) WHERE n.nationkey < 10;
duckdb: SELECT n.name, unnest([n.nationkey, n.regionkey]) FROM nation n WHERE n.nationkey < 10;
SELECT n.name, x, o FROM nation n, UNNEST(ARRAY[n.nationkey, n.regionkey]) WITH ORDINALITY u(x, o) WHERE x > 3 AND n.regionkey = 1;
duckdb: SELECT name, x, o FROM (SELECT name, unnest([nationkey, regionkey]) x, unnest([1, 2]) o FROM nation WHERE regionkey = 1) WHERE x > 3;
SELECT id, x, n FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (3, NULL)) t(id, a) LEFT JOIN UNNEST(a) WITH ORDINALITY u(x, n) ON TRUE;
expect: [[1, 10, 1], [1, 20, 2], [2, null, null], [3, null, null]]
SELECT id, x FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (3, NULL)) t(id, a) CROSS JOIN UNNEST(t.a) u(x);
expect: [[1, 10], [1, 20]]
SELECT id, x FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[5])) t(id, a) INNER JOIN UNNEST(a) u(x) ON TRUE WHERE x > 5 AND id = 1;
expect: [[1, 10], [1, 20]]
SELECT id, x, y FROM (VALUES (1, ARRAY[ARRAY[1, 2], ARRAY[3]])) t(id, a) CROSS JOIN UNNEST(a) u(x) CROSS JOIN UNNEST(x) v(y);
expect: [[1, [1, 2], 1], [1, [1, 2], 2], [1, [3], 3]]
SELECT n.name, (SELECT sum(x) FROM UNNEST(ARRAY[n.nationkey, 1]) u(x)) FROM nation n;
duckdb: SELECT name, nationkey + 1 FROM nation;
SELECT n.nationkey FROM nation n WHERE EXISTS (SELECT 1 FROM UNNEST(ARRAY[1, 3, 99]) t(x) WHERE x = n.nationkey);
expect: [[1], [3]]
SELECT n.nationkey FROM nation n WHERE nationkey IN (SELECT x FROM UNNEST(ARRAY[2, 4]) t(x));
expect: [[2], [4]]
SELECT regionkey, count(*), sum(x) FROM nation CROSS JOIN UNNEST(repeat(nationkey, 1000)) t(x) GROUP BY regionkey;
duckdb: SELECT regionkey, count(*) * 1000, sum(nationkey) * 1000 FROM nation GROUP BY regionkey;
SELECT count(*), min(n), max(n), sum(n) FROM (SELECT n FROM nation CROSS JOIN UNNEST(repeat('x', 10000)) WITH ORDINALITY t(x, n));
expect: [[250000, 1, 10000, 1250125000]]
SELECT x FROM UNNEST(1) t(x);
error: INVALID_FUNCTION_ARGUMENT line 1:22: Cannot unnest type: integer
SELECT x FROM UNNEST(ARRAY[1]) t(x, y);
error: MISMATCHED_COLUMN_ALIASES
SELECT n FROM nation RIGHT JOIN UNNEST(ARRAY[1]) t(n) ON n > 0;
error: NOT_SUPPORTED line 1:15: RIGHT JOIN involving UNNEST is only supported with condition ON TRUE
SELECT n FROM nation LEFT JOIN UNNEST(ARRAY[1]) t(n) ON n > 1;
error: NOT_SUPPORTED
WITH RECURSIVE_FREE AS (SELECT ARRAY[1, 2] a) SELECT x * 10 FROM RECURSIVE_FREE, UNNEST(a) u(x) ORDER BY 1 DESC LIMIT 1;
expect: [[20]]
