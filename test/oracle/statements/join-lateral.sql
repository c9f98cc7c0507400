-- JOIN LATERAL with any condition.
SELECT r.name, n.name FROM region r JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey) n ON n.nationkey > 10;
SELECT r.name, n.name FROM region r LEFT JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey) n ON n.nationkey > 20;
SELECT r.name, n.name FROM region r LEFT JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey) n ON n.nationkey > r.regionkey * 6;
SELECT r.name, n.name FROM region r INNER JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey > r.regionkey) n ON n.nationkey % 5 = r.regionkey;
SELECT r.name, n.name FROM region r LEFT JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey) n ON r.regionkey > 2;
duckdb: SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND r.regionkey > 2;
SELECT r.name, n.name FROM region r LEFT JOIN LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey) n ON false;
duckdb: SELECT name, NULL FROM region;
SELECT r.name, n.name FROM region r LEFT JOIN LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey) n ON n.name IS NULL;
SELECT r.name, n.name FROM region r JOIN LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey) n ON NULL;
SELECT r.name, t.c FROM region r LEFT JOIN LATERAL (SELECT count(*) AS c FROM nation WHERE regionkey = r.regionkey AND nationkey > 10) t ON t.c > 2;
SELECT r.name, t.c, t.m FROM region r JOIN LATERAL (SELECT count(*) AS c, max(nationkey) AS m FROM nation WHERE nationkey > r.regionkey * 7) t ON t.c < 15 AND t.m > r.regionkey;
SELECT r.name, t.x FROM region r LEFT JOIN LATERAL (SELECT r.regionkey * 2 AS x) t ON t.x > 3;
SELECT r.name, t.x FROM region r JOIN LATERAL (SELECT r.regionkey * 2 AS x WHERE r.regionkey <> 3) t ON t.x <> 4;
SELECT r.name, t.name FROM region r LEFT JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey ORDER BY nationkey DESC LIMIT 2) t ON t.nationkey < 20;
SELECT r.name, t.name, t.k FROM region r LEFT JOIN LATERAL (SELECT name, row_number() OVER (ORDER BY nationkey) AS k FROM nation WHERE regionkey = r.regionkey) t ON t.k = r.regionkey;
SELECT r.name, t.k, t.c FROM region r LEFT JOIN LATERAL (SELECT nationkey % 2 AS k, count(*) AS c FROM nation WHERE regionkey = r.regionkey GROUP BY nationkey % 2) t ON t.k = r.regionkey % 2 AND t.c > 1;
SELECT r.name, n.name FROM region r LEFT JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey) n ON n.nationkey IN (SELECT suppkey FROM supplier WHERE suppkey < 12);
duckdb: SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND n.nationkey BETWEEN 1 AND 11;
SELECT r.name, n.name FROM region r LEFT JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey) n ON EXISTS (SELECT 1 FROM nation m WHERE m.regionkey = r.regionkey AND m.nationkey < n.nationkey - 12);
duckdb: SELECT r.name, n.name FROM region r LEFT JOIN (SELECT *, (SELECT min(m.nationkey) FROM nation m WHERE m.regionkey = k.regionkey) AS least FROM nation k) n ON n.regionkey = r.regionkey AND n.least < n.nationkey - 12;
SELECT r.name, n.name FROM region r JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey) n ON n.nationkey > (SELECT avg(m.nationkey) FROM nation m WHERE m.regionkey = r.regionkey);
duckdb: SELECT r.name, n.name FROM region r JOIN nation n ON n.regionkey = r.regionkey WHERE n.nationkey > (SELECT avg(m.nationkey) FROM nation m WHERE m.regionkey = r.regionkey);
SELECT r.name, t.name, u.name FROM region r LEFT JOIN LATERAL (SELECT name, nationkey FROM nation WHERE regionkey = r.regionkey) t ON t.nationkey > 15 LEFT JOIN LATERAL (SELECT s.name FROM supplier s WHERE s.nationkey = t.nationkey) u ON u.name > 'Supplier#000000050';
SELECT r.name, (SELECT count(t.name) FROM nation n LEFT JOIN LATERAL (SELECT s.name FROM supplier s WHERE s.nationkey = n.nationkey) t ON n.regionkey = r.regionkey) FROM region r;
duckdb: SELECT r.name, (SELECT count(*) FROM nation n, supplier s WHERE s.nationkey = n.nationkey AND n.regionkey = r.regionkey) FROM region r;
SELECT r.name, (SELECT count(*) FROM nation n JOIN LATERAL (SELECT s.name, s.suppkey FROM supplier s WHERE s.nationkey = n.nationkey) t ON t.suppkey > r.regionkey * 20 AND n.regionkey = r.regionkey) FROM region r;
duckdb: SELECT r.name, (SELECT count(*) FROM nation n, supplier s WHERE s.nationkey = n.nationkey AND n.regionkey = r.regionkey AND s.suppkey > r.regionkey * 20) FROM region r;
SELECT count(*), count(l.quantity) FROM orders o LEFT JOIN LATERAL (SELECT quantity FROM lineitem WHERE orderkey = o.orderkey) l ON l.quantity > 40 AND o.custkey > 100;
duckdb: SELECT count(*), count(l.quantity) FROM orders o LEFT JOIN lineitem l ON l.orderkey = o.orderkey AND l.quantity > 40 AND o.custkey > 100;
-- RIGHT and FULL JOIN of a LATERAL that sees nothing of the left are those of a derived table.
SELECT r.name, x FROM region r RIGHT JOIN LATERAL (SELECT 1 AS x) n ON true;
SELECT r.name, x FROM region r FULL JOIN LATERAL (SELECT 1 AS x) n ON true;
SELECT r.name, n.name FROM (SELECT * FROM region WHERE regionkey < 2) r RIGHT JOIN LATERAL (SELECT name, regionkey FROM nation WHERE nationkey < 9) n ON n.regionkey = r.regionkey;
SELECT r.name, n.name FROM (SELECT * FROM region WHERE regionkey < 2) r FULL JOIN LATERAL (SELECT name, regionkey FROM nation WHERE nationkey BETWEEN 3 AND 9) n ON n.regionkey = r.regionkey AND n.name > 'C';
SELECT r.name, x FROM (SELECT * FROM region WHERE regionkey > 9) r FULL JOIN LATERAL (SELECT 1 AS x) n ON true;
SELECT r.name, x FROM (SELECT * FROM region WHERE regionkey > 9) r RIGHT JOIN LATERAL (SELECT 1 AS x) n ON false;
SELECT r.name, (SELECT count(*) FROM nation n RIGHT JOIN LATERAL (SELECT r.regionkey AS x) t ON n.regionkey = t.x AND n.nationkey > 20) FROM region r;
SELECT r.name FROM region r RIGHT JOIN LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey) n ON true;
error: INVALID_COLUMN_REFERENCE line 1:91: LATERAL reference not allowed in RIGHT JOIN
SELECT r.name FROM region r FULL JOIN LATERAL (SELECT count(*) FROM (SELECT 1 FROM nation WHERE regionkey > r.regionkey)) n ON r.regionkey > 1;
error: INVALID_COLUMN_REFERENCE line 1:109: LATERAL reference not allowed in FULL JOIN
SELECT r.name FROM region r JOIN LATERAL (SELECT regionkey FROM nation WHERE nationkey > r.regionkey) n USING (regionkey);
error: NOT_SUPPORTED line 1:20: Correlated join with criteria other than ON is not supported
SELECT r.name FROM region r NATURAL JOIN LATERAL (SELECT regionkey FROM nation WHERE nationkey > r.regionkey) n;
error: NOT_SUPPORTED line 1:20: Correlated join with criteria other than ON is not supported
SELECT r.name FROM region r JOIN LATERAL (SELECT regionkey FROM nation WHERE nationkey > r.regionkey) n ON 7;
error: TYPE_MISMATCH line 1:108: JOIN ON clause must evaluate to a boolean: actual type integer
SELECT r.name FROM region r JOIN LATERAL (SELECT regionkey FROM nation WHERE nationkey > r.regionkey) n ON count(*) > 1;
error: EXPRESSION_NOT_SCALAR line 1:117: JOIN clause cannot contain aggregations, window functions or grouping operations: [count(*)]
-- RIGHT and FULL JOIN of UNNEST.
SELECT n.name, x FROM nation n RIGHT JOIN UNNEST(ARRAY[1, 2]) t(x) ON TRUE WHERE n.nationkey < 3;
duckdb: SELECT n.name, x FROM nation n, (VALUES (1), (2)) t(x) WHERE n.nationkey < 3;
SELECT n.name, x FROM (SELECT * FROM nation WHERE nationkey > 99) n RIGHT JOIN UNNEST(ARRAY[1, 2]) t(x) ON TRUE;
expect: [[null, 1], [null, 2]]
SELECT n.name, x FROM (SELECT * FROM nation WHERE nationkey > 99) n FULL JOIN UNNEST(ARRAY[1, 2], ARRAY['a']) WITH ORDINALITY t(x, y, z) ON TRUE;
expect: [[null, 1], [null, 2]]
SELECT n.name, x, y, z FROM (SELECT * FROM nation WHERE nationkey > 99) n FULL JOIN UNNEST(ARRAY[1, 2], ARRAY['a']) WITH ORDINALITY t(x, y, z) ON TRUE;
expect: [[null, 1, "a", 1], [null, 2, null, 2]]
SELECT r.name, x FROM region r FULL JOIN UNNEST(CAST(ARRAY[] AS array(bigint))) t(x) ON TRUE;
duckdb: SELECT name, NULL FROM region;
SELECT r.name, x FROM region r RIGHT JOIN UNNEST(CAST(ARRAY[] AS array(bigint))) t(x) ON TRUE;
expect: []
SELECT r.name, k, v FROM region r FULL JOIN UNNEST(MAP(ARRAY['a'], ARRAY[1])) t(k, v) ON TRUE WHERE r.regionkey < 2;
expect: [["AFRICA", "a", 1], ["AMERICA", "a", 1]]
SELECT r.name, (SELECT count(x) FROM nation n RIGHT JOIN UNNEST(ARRAY[r.regionkey, 7]) t(x) ON TRUE WHERE n.regionkey = r.regionkey) FROM region r;
duckdb: SELECT name, 10 FROM region;
SELECT r.name, (SELECT sum(x) FROM (SELECT 1 AS one FROM nation WHERE nationkey > 99) n FULL JOIN UNNEST(ARRAY[r.regionkey, 7]) t(x) ON TRUE) FROM region r;
duckdb: SELECT name, regionkey + 7 FROM region;
SELECT n.name FROM nation n RIGHT JOIN UNNEST(ARRAY[n.nationkey]) t(x) ON TRUE;
error: INVALID_COLUMN_REFERENCE line 1:53: LATERAL reference not allowed in RIGHT JOIN
SELECT name FROM nation FULL JOIN UNNEST(ARRAY[1, nationkey]) t(x) ON TRUE;
error: INVALID_COLUMN_REFERENCE line 1:51: LATERAL reference not allowed in FULL JOIN
SELECT n.name FROM nation n FULL JOIN UNNEST(ARRAY[1]) t(x) ON x = 1;
error: NOT_SUPPORTED line 1:20: FULL JOIN involving UNNEST is only supported with condition ON TRUE
-- Subqueries over an unnested column of the enclosing row.
SELECT id, (SELECT sum(x) FROM UNNEST(t.a) u(x)) FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (3, NULL), (4, ARRAY[NULL, 5])) t(id, a);
expect: [[1, 30], [2, null], [3, null], [4, 5]]
SELECT id, (SELECT count(*) FROM UNNEST(t.a) u(x) WHERE x > (SELECT avg(y) FROM UNNEST(t.a) v(y))) FROM (VALUES (1, ARRAY[10, 20, 60]), (2, ARRAY[]), (3, NULL), (4, ARRAY[NULL, 5])) t(id, a);
expect: [[1, 1], [2, 0], [3, 0], [4, 0]]
SELECT id, (SELECT max(x) - min(x) FROM UNNEST(t.a, t.b) u(x, y) WHERE y <> 'no') FROM (VALUES (1, ARRAY[10, 20, 60], ARRAY['yes', 'yes', 'no']), (2, ARRAY[], ARRAY['yes']), (3, NULL, NULL)) t(id, a, b);
expect: [[1, 10], [2, null], [3, null]]
SELECT id FROM (VALUES (1, ARRAY[10, 20, 60]), (2, ARRAY[]), (3, NULL), (4, ARRAY[7])) t(id, a) WHERE EXISTS (SELECT 1 FROM UNNEST(t.a) u(x) WHERE x < 10);
expect: [[4]]
SELECT id, 20 IN (SELECT x FROM UNNEST(t.a) u(x)), 20 NOT IN (SELECT x + 1 FROM UNNEST(t.a) u(x)) FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (3, NULL), (4, ARRAY[NULL, 5]), (5, ARRAY[19])) t(id, a);
expect: [[1, true, true], [2, false, true], [3, false, true], [4, null, null], [5, false, false]]
SELECT id, 15 > ALL (SELECT x FROM UNNEST(t.a) u(x)), 15 > ANY (SELECT x FROM UNNEST(t.a) u(x)) FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (4, ARRAY[NULL, 5]), (5, ARRAY[19])) t(id, a);
expect: [[1, false, true], [2, true, false], [4, null, true], [5, false, false]]
SELECT id, (SELECT sum(x * (SELECT count(*) FROM UNNEST(t.a) v(y) WHERE y <= x)) FROM UNNEST(t.a) u(x)) FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (3, NULL), (4, ARRAY[NULL, 5, 5])) t(id, a);
expect: [[1, 50], [2, null], [3, null], [4, 20]]
SELECT id, (SELECT sum(s) FROM UNNEST(t.a) u(b) CROSS JOIN LATERAL (SELECT sum(x) AS s FROM UNNEST(u.b) v(x)) w) FROM (VALUES (1, ARRAY[ARRAY[1, 2], ARRAY[3]]), (2, ARRAY[]), (3, ARRAY[ARRAY[], NULL])) t(id, a);
expect: [[1, 6], [2, null], [3, null]]
SELECT id, (SELECT array_agg(x ORDER BY x DESC) FROM UNNEST(t.a) u(x)) FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (4, ARRAY[3, 5, 4])) t(id, a);
expect: [[1, [20, 10]], [2, null], [4, [5, 4, 3]]]
SELECT id, (SELECT sum(DISTINCT x) FILTER (WHERE x > 3) FROM UNNEST(t.a) u(x)) FROM (VALUES (1, ARRAY[10, 10, 20]), (2, ARRAY[1]), (4, ARRAY[3, 5, 4])) t(id, a);
expect: [[1, 30], [2, null], [4, 9]]
SELECT id, (SELECT x FROM UNNEST(t.a) u(x) ORDER BY x DESC LIMIT 1) FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (4, ARRAY[3, 5, 4])) t(id, a);
expect: [[1, 20], [2, null], [4, 5]]
SELECT id, (SELECT x FROM UNNEST(t.a) u(x) GROUP BY x HAVING count(*) > 1) FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (4, ARRAY[3, 5, 3])) t(id, a);
expect: [[1, null], [2, null], [4, 3]]
SELECT id, (SELECT count(*) FROM nation n, UNNEST(t.a) u(x) WHERE n.regionkey = x) FROM (VALUES (1, ARRAY[1, 2]), (2, ARRAY[]), (4, ARRAY[3, 5, 3])) t(id, a);
expect: [[1, 10], [2, 0], [4, 10]]
SELECT r.name, (SELECT sum(x) FROM UNNEST(sequence(0, r.regionkey)) u(x)) FROM region r;
duckdb: SELECT name, regionkey * (regionkey + 1) // 2 FROM region;
SELECT r.name FROM region r WHERE (SELECT count(*) FROM UNNEST(split(r.name, 'A')) u(x) WHERE x = '') > 1;
duckdb: SELECT name FROM region WHERE len(list_filter(string_split(name, 'A'), lambda x: x = '')) > 1;
SELECT sum((SELECT max(x) FROM UNNEST(t.a) u(x))), count((SELECT 1 FROM UNNEST(t.a) u(x) WHERE x > 15)) FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (4, ARRAY[3, 16, 4])) t(id, a);
expect: [[36, 2]]
SELECT g, (SELECT count(*) FROM UNNEST(t.g) u(x) WHERE x > 1), count(*) FROM (VALUES ARRAY[1, 2], ARRAY[1, 2], ARRAY[3]) t(g) GROUP BY g;
expect: [[[1, 2], 1, 2], [[3], 1, 1]]
SELECT id, (SELECT k FROM UNNEST(t.m) u(k, v) WHERE v = (SELECT max(w) FROM UNNEST(t.m) z(j, w))) FROM (VALUES (1, MAP(ARRAY['a', 'b'], ARRAY[1, 2])), (2, MAP())) t(id, m);
expect: [[1, "b"], [2, null]]
SELECT t.id, u.id FROM (VALUES (1, ARRAY[1, 2]), (2, ARRAY[3])) t(id, a) LEFT JOIN (VALUES (1, ARRAY[2]), (2, ARRAY[4])) u(id, a) ON EXISTS (SELECT 1 FROM UNNEST(t.a) v(x) JOIN UNNEST(u.a) w(y) ON TRUE WHERE x = y);
expect: [[1, 1], [2, null]]
WITH RECURSIVE t(n) AS (SELECT 0 UNION ALL SELECT t.n + 1 FROM t LEFT JOIN LATERAL (SELECT nationkey AS x FROM nation WHERE nationkey = t.n) u ON u.x < 3 WHERE t.n < 4) SELECT * FROM t;
expect: [[0], [1], [2], [3], [4]]
