-- TRY and TRY_CAST swallow the errors of their own expression, not those of a subquery whose columns they read.
SELECT try(x) FROM (SELECT 1 / (nationkey - 3) AS x FROM nation) t;
error: DIVISION_BY_ZERO
SELECT try(x + 1) FROM (SELECT 1 / (nationkey - 3) AS x FROM nation) t;
error: DIVISION_BY_ZERO
SELECT count(*) FROM (SELECT 1 / (nationkey - 3) AS x FROM nation) t WHERE try(x) IS NULL;
error: DIVISION_BY_ZERO
SELECT sum(try(x)) FROM (SELECT 1 / (nationkey - 3) AS x FROM nation) t;
error: DIVISION_BY_ZERO
SELECT sum(try(x)) FROM (SELECT DISTINCT x FROM (SELECT 1 / (nationkey - 3) AS x FROM nation) s) t;
error: DIVISION_BY_ZERO
SELECT count(*) FROM region r JOIN (SELECT 1 / (nationkey - 3) AS y, regionkey FROM nation) n ON n.regionkey = r.regionkey AND try(y) IS NULL;
error: DIVISION_BY_ZERO
SELECT try(a + b) FROM (SELECT sum(nationkey) AS a, 1 / (count(*) - 25) AS b FROM nation) t;
error: DIVISION_BY_ZERO
WITH t AS (SELECT 1 / (nationkey - 3) AS x FROM nation) SELECT try(x) FROM t UNION ALL SELECT 1;
error: DIVISION_BY_ZERO
SELECT try(v + x) FROM (VALUES 1, 2) a(v) CROSS JOIN LATERAL (SELECT 1 / (v - 1) AS x) t;
error: DIVISION_BY_ZERO
SELECT try(json_parse(x)) FROM (SELECT CAST(1 / (nationkey - 3) AS varchar) AS x FROM nation) t;
error: DIVISION_BY_ZERO
SELECT try(transform(ARRAY[1, 0], e -> e / x)) FROM (SELECT 1 / (nationkey - 3) AS x FROM nation) t;
error: DIVISION_BY_ZERO
SELECT try((SELECT 1 / (max(nationkey) - 24) FROM nation));
error: DIVISION_BY_ZERO
SELECT try((SELECT nationkey FROM nation));
error: SUBQUERY_MULTIPLE_ROWS
SELECT try((SELECT n.nationkey FROM nation n WHERE n.regionkey = r.regionkey)) FROM region r;
error: SUBQUERY_MULTIPLE_ROWS
SELECT try((SELECT max(1 / (n.nationkey - 3)) FROM nation n WHERE n.regionkey = r.regionkey)) FROM region r;
error: DIVISION_BY_ZERO
SELECT try((SELECT 1 / (max(n.nationkey) - 30) FROM nation n WHERE n.regionkey = r.regionkey)) FROM region r;
expect: [[0], [0], [0], [0], [0]]
SELECT try((SELECT 1 / (max(n.nationkey) - 23) FROM nation n WHERE n.regionkey = r.regionkey)) FROM region r;
error: DIVISION_BY_ZERO
SELECT try((SELECT 1 / r.regionkey)) FROM region r;
error: DIVISION_BY_ZERO
SELECT try_cast(1 / 0 AS varchar);
error: DIVISION_BY_ZERO
SELECT try_cast(ARRAY[1 / 0] AS array(varchar));
error: DIVISION_BY_ZERO
SELECT try_cast(x AS varchar) FROM (SELECT 1 / (nationkey - 3) AS x FROM nation) t;
error: DIVISION_BY_ZERO
-- Their own they do.
SELECT try(1 / (x - 3)) FROM (SELECT nationkey + 0 AS x FROM nation WHERE nationkey < 5) t;
expect: [[0], [0], [-1], [null], [1]]
SELECT try(1 / x) FROM (SELECT 2 / (nationkey - 3) AS x FROM nation WHERE nationkey IN (0, 2, 5)) t;
expect: [[null], [0], [1]]
SELECT try(x) FROM (SELECT try(1 / (nationkey - 3)) AS x FROM nation WHERE nationkey < 5) t;
expect: [[0], [0], [-1], [null], [1]]
SELECT try(transform(ARRAY[1, 0], e -> 5 / (e * x))) FROM (SELECT 1 / (nationkey - 2) AS x FROM nation WHERE nationkey = 1) t;
expect: [[null]]
SELECT try(10 / a) FROM (SELECT count(*) - 25 AS a FROM nation) t;
expect: [[null]]
SELECT try_cast('x' || name AS integer), try_cast(ARRAY['x', '1'] AS array(integer)), try_cast(ARRAY['2', '1'] AS array(integer)) FROM region WHERE regionkey = 0;
expect: [[null, null, [2, 1]]]
