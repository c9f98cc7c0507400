-- Rows beside subqueries: IN, ANY and ALL over rows, and several columns as one row.
SELECT (1, 2) IN (SELECT 1, 2);
SELECT (1, 2) IN (VALUES (1, 2), (3, NULL));
SELECT (1, 2) IN (SELECT (1, 2));
duckdb: SELECT true;
SELECT ROW(1, 2) IN (SELECT ROW(1, 3));
duckdb: SELECT false;
SELECT (1, NULL) IN (VALUES (2, 3));
duckdb: SELECT 1 = 2 AND NULL = 3;
SELECT (1, NULL) IN (VALUES (1, 3));
SELECT (1, NULL) NOT IN (VALUES (2, 3));
duckdb: SELECT NOT (1 = 2 AND NULL = 3);
SELECT (1, NULL) NOT IN (VALUES (1, 3));
SELECT (NULL, NULL) IN (VALUES (1, 3));
SELECT (NULL, NULL) IN (SELECT 1, 3 WHERE false);
SELECT (1, 2) IN (SELECT 1, 2 WHERE false), (1, 2) NOT IN (SELECT 1, 2 WHERE false);
SELECT (1, 2) NOT IN (VALUES (1, NULL), (2, 2));
SELECT (1, 2) NOT IN (VALUES (2, NULL), (2, 2));
duckdb: SELECT NOT ((1 = 2 AND 2 = NULL) OR (1 = 2 AND 2 = 2));
SELECT (1, 2) IN (VALUES (1, NULL), (1, 2)), (1, 2) IN (VALUES (NULL, NULL), (1, 3));
SELECT (1, 2.5) IN (SELECT 1e0, 2.5), (1, 'a') IN (SELECT 1, 'a'), (DATE '2020-01-01', 'ab') IN (SELECT DATE '2020-01-01', 'abc');
SELECT a, b, (a, b) IN (SELECT c, d FROM (VALUES (1, 2), (3, NULL), (NULL, 5)) AS u (c, d)) FROM (VALUES (1, 2), (1, 3), (3, 4), (4, 5), (4, 6), (NULL, 2), (NULL, 7), (1, NULL), (9, NULL), (NULL, NULL)) AS t (a, b);
duckdb: SELECT a, b, CASE WHEN EXISTS (SELECT 1 FROM (VALUES (1, 2), (3, NULL), (NULL, 5)) AS u (c, d) WHERE a = c AND b = d) THEN true WHEN EXISTS (SELECT 1 FROM (VALUES (1, 2), (3, NULL), (NULL, 5)) AS u (c, d) WHERE (a = c AND b = d) IS NULL) THEN NULL ELSE false END FROM (VALUES (1, 2), (1, 3), (3, 4), (4, 5), (4, 6), (NULL, 2), (NULL, 7), (1, NULL), (9, NULL), (NULL, NULL)) AS t (a, b);
SELECT a, b, (a, b) NOT IN (SELECT c, d FROM (VALUES (1, 2), (3, NULL), (NULL, 5)) AS u (c, d)) FROM (VALUES (1, 2), (1, 3), (3, 4), (4, 5), (4, 6), (NULL, 2), (NULL, 7), (1, NULL), (9, NULL), (NULL, NULL)) AS t (a, b);
duckdb: SELECT a, b, CASE WHEN EXISTS (SELECT 1 FROM (VALUES (1, 2), (3, NULL), (NULL, 5)) AS u (c, d) WHERE a = c AND b = d) THEN false WHEN EXISTS (SELECT 1 FROM (VALUES (1, 2), (3, NULL), (NULL, 5)) AS u (c, d) WHERE (a = c AND b = d) IS NULL) THEN NULL ELSE true END FROM (VALUES (1, 2), (1, 3), (3, 4), (4, 5), (4, 6), (NULL, 2), (NULL, 7), (1, NULL), (9, NULL), (NULL, NULL)) AS t (a, b);
SELECT a, b, (a, b) IN (SELECT c, d FROM (VALUES (1, 2), (3, 4)) AS u (c, d)) FROM (VALUES (1, 2), (1, 3), (3, 4), (NULL, 2), (NULL, 7), (1, NULL), (9, NULL), (NULL, NULL)) AS t (a, b);
duckdb: SELECT a, b, CASE WHEN EXISTS (SELECT 1 FROM (VALUES (1, 2), (3, 4)) AS u (c, d) WHERE a = c AND b = d) THEN true WHEN EXISTS (SELECT 1 FROM (VALUES (1, 2), (3, 4)) AS u (c, d) WHERE (a = c AND b = d) IS NULL) THEN NULL ELSE false END FROM (VALUES (1, 2), (1, 3), (3, 4), (NULL, 2), (NULL, 7), (1, NULL), (9, NULL), (NULL, NULL)) AS t (a, b);
SELECT a, b FROM (VALUES (1, 2), (1, 3), (3, 4), (NULL, 2), (1, NULL)) AS t (a, b) WHERE (a, b) IN (SELECT c, d FROM (VALUES (1, 2), (1, 2), (3, NULL), (3, 4)) AS u (c, d));
SELECT a, b FROM (VALUES (1, 2), (1, 3), (3, 4), (NULL, 2), (NULL, 9), (1, NULL)) AS t (a, b) WHERE (a, b) NOT IN (SELECT c, d FROM (VALUES (1, 2), (1, 2)) AS u (c, d));
duckdb: SELECT a, b FROM (VALUES (1, 2), (1, 3), (3, 4), (NULL, 2), (NULL, 9), (1, NULL)) AS t (a, b) WHERE NOT EXISTS (SELECT 1 FROM (VALUES (1, 2), (1, 2)) AS u (c, d) WHERE coalesce(a = c AND b = d, true));
SELECT a, b FROM (VALUES (1, 2), (1, 3), (3, 4), (NULL, 2), (NULL, 9), (1, NULL)) AS t (a, b) WHERE (a, b) NOT IN (SELECT c, d FROM (VALUES (1, 2), (7, NULL)) AS u (c, d));
duckdb: SELECT a, b FROM (VALUES (1, 2), (1, 3), (3, 4), (NULL, 2), (NULL, 9), (1, NULL)) AS t (a, b) WHERE NOT EXISTS (SELECT 1 FROM (VALUES (1, 2), (7, NULL)) AS u (c, d) WHERE coalesce(a = c AND b = d, true));
SELECT a, b FROM (VALUES (1, 2), (1, 3), (3, 4)) AS t (a, b) WHERE (a, b) IN (SELECT c, d FROM (VALUES (1, 2)) AS u (c, d)) OR a = 3;
SELECT count(*) FROM lineitem WHERE (partkey, suppkey) IN (SELECT partkey, suppkey FROM partsupp WHERE availqty < 500);
SELECT count(*) FROM lineitem WHERE (partkey, suppkey) NOT IN (SELECT partkey, suppkey FROM partsupp WHERE availqty < 5000);
SELECT count(*), sum(quantity) FROM lineitem l WHERE (l.orderkey, l.partkey) IN (SELECT o.orderkey, p.partkey FROM orders o, part p WHERE o.orderkey < 100 AND p.partkey < 200);
SELECT count(*) FROM lineitem WHERE (orderkey, linenumber, shipmode) IN (SELECT orderkey, linenumber, shipmode FROM lineitem WHERE quantity > 45) AND quantity < 47;
SELECT count(*) FROM partsupp WHERE (partkey, suppkey) IN (SELECT partkey, suppkey FROM lineitem);
SELECT count(*) FROM partsupp WHERE (partkey, suppkey) NOT IN (SELECT partkey, suppkey FROM lineitem);
SELECT n.name FROM nation n WHERE (n.nationkey, n.regionkey) IN (SELECT max(m.nationkey), m.regionkey FROM nation m GROUP BY m.regionkey);
SELECT n.name FROM nation n WHERE (n.regionkey, n.name) IN (SELECT r.regionkey, n.name FROM region r WHERE r.name LIKE 'A%');
duckdb: SELECT n.name FROM nation n JOIN region r USING (regionkey) WHERE r.name LIKE 'A%';
SELECT o.orderkey FROM orders o WHERE (o.custkey, o.totalprice) IN (SELECT p.custkey, max(p.totalprice) FROM orders p WHERE p.orderstatus = o.orderstatus GROUP BY p.custkey) AND o.custkey < 60;
duckdb: SELECT orderkey FROM (SELECT orderkey, custkey, totalprice, max(totalprice) OVER (PARTITION BY custkey, orderstatus) AS m FROM orders) WHERE totalprice = m AND custkey < 60;
SELECT n.name, (n.nationkey, 1) IN (SELECT m.nationkey, m.regionkey FROM nation m WHERE m.regionkey = n.regionkey) FROM nation n;
duckdb: SELECT name, regionkey = 1 FROM nation;
SELECT t.a, t.g, (t.a, t.g) IN (SELECT u.a, u.b FROM (VALUES (1, 1, 1), (NULL, 1, 1), (2, 2, 2), (NULL, NULL, 3)) AS u (a, b, g) WHERE u.g = t.g) FROM (VALUES (1, 1), (2, 1), (NULL, 1), (2, 2), (3, 2), (1, 3), (1, 4), (NULL, 4), (NULL, NULL)) AS t (a, g);
duckdb: SELECT t.a, t.g, CASE WHEN EXISTS (SELECT 1 FROM (VALUES (1, 1, 1), (NULL, 1, 1), (2, 2, 2), (NULL, NULL, 3)) AS u (a, b, g) WHERE u.g = t.g AND t.a = u.a AND t.g = u.b) THEN true WHEN EXISTS (SELECT 1 FROM (VALUES (1, 1, 1), (NULL, 1, 1), (2, 2, 2), (NULL, NULL, 3)) AS u (a, b, g) WHERE u.g = t.g AND (t.a = u.a AND t.g = u.b) IS NULL) THEN NULL ELSE false END FROM (VALUES (1, 1), (2, 1), (NULL, 1), (2, 2), (3, 2), (1, 3), (1, 4), (NULL, 4), (NULL, NULL)) AS t (a, g);
SELECT t.a, t.g, (t.a, t.g) NOT IN (SELECT u.a, u.b FROM (VALUES (1, 1, 1), (NULL, 1, 1), (2, 2, 2), (NULL, NULL, 3)) AS u (a, b, g) WHERE u.g <= t.g) FROM (VALUES (1, 1), (2, 1), (NULL, 1), (2, 2), (3, 2), (1, 3), (1, 4), (NULL, 4), (NULL, NULL)) AS t (a, g);
duckdb: SELECT t.a, t.g, CASE WHEN EXISTS (SELECT 1 FROM (VALUES (1, 1, 1), (NULL, 1, 1), (2, 2, 2), (NULL, NULL, 3)) AS u (a, b, g) WHERE u.g <= t.g AND t.a = u.a AND t.g = u.b) THEN false WHEN EXISTS (SELECT 1 FROM (VALUES (1, 1, 1), (NULL, 1, 1), (2, 2, 2), (NULL, NULL, 3)) AS u (a, b, g) WHERE u.g <= t.g AND (t.a = u.a AND t.g = u.b) IS NULL) THEN NULL ELSE true END FROM (VALUES (1, 1), (2, 1), (NULL, 1), (2, 2), (3, 2), (1, 3), (1, 4), (NULL, 4), (NULL, NULL)) AS t (a, g);
SELECT t.a FROM (VALUES 1, 2, 3) AS t (a) WHERE (t.a, 2) IN (SELECT 1, t.a + 1);
duckdb: SELECT 1;
SELECT t.a FROM (VALUES 1, 2, 3) AS t (a) WHERE (t.a, 6) IN (SELECT max(u.b), count(*) * 2 FROM (VALUES 1, 2, 3) AS u (b) WHERE u.b <= t.a);
duckdb: SELECT 3;
SELECT regionkey, count(*) FROM nation GROUP BY regionkey HAVING (regionkey, count(*)) IN (SELECT regionkey, 5 FROM region WHERE regionkey > 1);
SELECT (regionkey, count(*)) IN (SELECT regionkey, 5 FROM region WHERE regionkey > 2) FROM nation GROUP BY regionkey;
SELECT (1, (2, NULL)) IN (SELECT 1, (2, 3)), (1, (2, NULL)) IN (SELECT 1, (3, 3)), (1, (2, 3)) IN (SELECT 1, (2, 3));
duckdb: SELECT NULL, false, true;
SELECT (1, ARRAY[2, NULL]) IN (SELECT 1, ARRAY[2, 3]), (1, ARRAY[2, NULL]) IN (SELECT 1, ARRAY[3, 3]), (1, ARRAY[2, NULL]) IN (SELECT 1, ARRAY[2]), (1, ARRAY[2, 3]) IN (SELECT 1, ARRAY[2, 3]);
duckdb: SELECT NULL, false, false, true;
SELECT (1, MAP(ARRAY[1], ARRAY[NULL])) IN (SELECT 1, MAP(ARRAY[1], ARRAY[3])), (1, MAP(ARRAY[1], ARRAY[3])) IN (SELECT 1, MAP(ARRAY[1], ARRAY[3]));
duckdb: SELECT NULL, true;
SELECT a, a IN (SELECT b FROM (VALUES ARRAY[1, 2], ARRAY[3, NULL]) AS u (b)) FROM (VALUES ARRAY[1, NULL], ARRAY[1, 2], ARRAY[3, NULL], ARRAY[3, 4], ARRAY[5, 6], NULL) AS t (a);
expect: [[[1, null], null], [[1, 2], true], [[3, null], null], [[3, 4], null], [[5, 6], false], [null, null]]
SELECT r, r IN (SELECT q FROM (VALUES ROW((1, 2)), ROW((3, NULL)), ROW((5, 5))) AS u (q)) FROM (VALUES ROW((1, 2)), ROW((1, NULL)), ROW((3, 3)), ROW((4, 4)), ROW(NULL)) AS t (r);
expect: [[[1, 2], true], [[1, null], null], [[3, 3], null], [[4, 4], false], [null, null]]
SELECT a, a IN (SELECT b FROM (VALUES ARRAY[1, 2], NULL) AS u (b)) FROM (VALUES ARRAY[1, 2], ARRAY[5, 6]) AS t (a);
expect: [[[1, 2], true], [[5, 6], null]]
SELECT a FROM (VALUES ARRAY[1, NULL], ARRAY[1, 2], ARRAY[3, 4]) AS t (a) WHERE a NOT IN (SELECT b FROM (VALUES ARRAY[1, 2], ARRAY[7, 8]) AS u (b));
expect: [[[3, 4]]]
SELECT a, a IN (SELECT u.b FROM (VALUES (ARRAY[1, 2], 1), (ARRAY[3, NULL], 1), (ARRAY[9], 2)) AS u (b, g) WHERE u.g = t.g) FROM (VALUES (ARRAY[1, NULL], 1), (ARRAY[1, 2], 1), (ARRAY[3, 4], 1), (ARRAY[5, 6], 1), (ARRAY[1, NULL], 2), (ARRAY[9], 2), (NULL, 2), (NULL, 3)) AS t (a, g);
expect: [[[1, null], null], [[1, 2], true], [[3, 4], null], [[5, 6], false], [[1, null], false], [[9], true], [null, null], [null, false]]
SELECT (nan(), 1) IN (SELECT nan(), 1), (nan(), 1) IN (SELECT CAST(NULL AS double), 1), (nan(), NULL) IN (SELECT 1e0, 2), (nan(), NULL) IN (SELECT NULL, 2);
expect: [[false, null, false, null]]
SELECT (0e0, 1) IN (SELECT -0e0, 1), (infinity(), 'x') IN (SELECT infinity(), 'x');
duckdb: SELECT true, true;
SELECT ROW(1) IN (SELECT 1), ROW(1) IN (SELECT 2), ROW(NULL) IN (SELECT 2), ROW(1) IN (SELECT ROW(1));
expect: [[true, false, null, true]]
SELECT t.a, ROW(t.a) IN (SELECT u.b FROM (VALUES 1, 2) AS u (b) WHERE u.b >= t.a) FROM (VALUES 1, 3, NULL) AS t (a);
duckdb: SELECT t.a, t.a IN (SELECT u.b FROM (VALUES (1), (2)) AS u (b) WHERE u.b >= t.a) FROM (VALUES (1), (3), (NULL)) AS t (a);
SELECT NULL IN (SELECT 1, 2), NULL IN (SELECT 1, 2 WHERE false);
expect: [[null, false]]
SELECT (1, 2) = ANY (SELECT (1, 2)), (1, 2) <> ALL (SELECT (1, 3)), (1, 2) = SOME (SELECT 1, 2);
duckdb: SELECT true, true, true;
SELECT (1, 2) = ANY (VALUES (1, NULL), (1, 2)), (1, 2) <> ALL (VALUES (1, NULL)), (1, 2) <> ALL (VALUES (2, NULL)), (1, 2) = ANY (SELECT 1, 2 WHERE false);
expect: [[true, null, true, false]]
SELECT (1, 2) = ALL (VALUES (1, 2), (1, 2)), (1, 2) = ALL (VALUES (1, 2), (1, NULL)), (1, 2) = ALL (VALUES (1, 2), (2, NULL)), (1, NULL) = ALL (VALUES (2, 2)), (1, 2) = ALL (SELECT 1, 2 WHERE false);
expect: [[true, null, false, false, true]]
SELECT (1, 2) <> ANY (VALUES (1, 2), (1, 2)), (1, 2) <> ANY (VALUES (1, 2), (1, NULL)), (1, 2) <> ANY (VALUES (1, 2), (2, NULL)), (1, 2) <> ANY (SELECT 1, 2 WHERE false);
expect: [[false, null, true, false]]
SELECT a, b, (a, b) = ALL (SELECT c, d FROM (VALUES (1, 2), (1, NULL)) AS u (c, d)) FROM (VALUES (1, 2), (1, 3), (2, 2), (NULL, 2), (NULL, NULL)) AS t (a, b);
expect: [[1, 2, null], [1, 3, false], [2, 2, false], [null, 2, null], [null, null, null]]
SELECT (1, 2) < ALL (VALUES (1, 3), (2, 0)), (1, 2) < ALL (VALUES (1, 2), (2, 0)), (1, 2) <= ALL (VALUES (1, 2), (2, 0)), (1, 2) > ANY (VALUES (1, 1), (9, 9)), (1, 2) >= ANY (VALUES (1, 3), (9, 9)), (1, 2) > ALL (VALUES (1, 1), (0, 5)), (1, 2) < ANY (VALUES (1, 1), (0, 5));
expect: [[true, false, true, true, false, true, false]]
SELECT (1, 2) < ALL (SELECT 1, 2 WHERE false), (1, 2) < ANY (SELECT 1, 2 WHERE false);
duckdb: SELECT true, false;
SELECT (1, NULL) < ALL (VALUES (2, 0)), (1, 2) < ANY (VALUES (2, NULL));
expect: [[true, true]]
SELECT (1, NULL) < ALL (VALUES (1, 0));
error: NOT_SUPPORTED ROW comparison not supported for fields with null elements
SELECT (1, 2) < ALL (VALUES (1, NULL));
error: NOT_SUPPORTED ROW comparison not supported for fields with null elements
SELECT name FROM nation WHERE (regionkey, name) >= ALL (SELECT regionkey, name FROM nation);
duckdb: SELECT name FROM nation ORDER BY regionkey DESC, name DESC LIMIT 1;
SELECT n.name FROM nation n WHERE (n.regionkey, n.name) >= ALL (SELECT m.regionkey, m.name FROM nation m WHERE m.regionkey = n.regionkey);
duckdb: SELECT max(name) FROM nation GROUP BY regionkey;
SELECT n.name FROM nation n WHERE (n.regionkey, n.name) = ALL (SELECT m.regionkey, m.name FROM nation m WHERE m.nationkey = n.nationkey);
duckdb: SELECT name FROM nation;
SELECT n.name FROM nation n WHERE (n.regionkey, n.name) <> ANY (SELECT m.regionkey, m.name FROM nation m WHERE m.nationkey = n.regionkey);
duckdb: SELECT n.name FROM nation n WHERE EXISTS (SELECT * FROM nation m WHERE m.nationkey = n.regionkey AND (m.regionkey <> n.regionkey OR m.name <> n.name));
SELECT n.name FROM nation n WHERE (n.regionkey, n.name) <> ALL (SELECT m.regionkey, m.name FROM nation m WHERE m.nationkey = n.regionkey);
duckdb: SELECT n.name FROM nation n WHERE NOT EXISTS (SELECT * FROM nation m WHERE m.nationkey = n.regionkey AND m.regionkey = n.regionkey AND m.name = n.name);
SELECT (1, 2) < ALL (SELECT max(regionkey), count(*) FROM region), (1, 2) = ALL (SELECT 1, 2);
duckdb: SELECT true, true;
SELECT (SELECT 1, 2);
expect: [[[1, 2]]]
types: row(integer, integer)
SELECT (SELECT 1 AS a, 'x' AS b);
expect: [[[1, "x"]]]
types: row(a integer, b varchar(1))
SELECT (SELECT 1, 2 WHERE false), (SELECT 1, 2 WHERE false) IS NULL;
expect: [[null, true]]
SELECT (SELECT CAST(NULL AS integer), CAST(NULL AS integer)) IS NULL;
expect: [[false]]
SELECT (SELECT regionkey AS k, name AS n FROM region WHERE regionkey = 1).n;
duckdb: SELECT name FROM region WHERE regionkey = 1;
SELECT (SELECT regionkey, name FROM region);
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT (1, 2) = (SELECT 1, 2), (1, 2) < (SELECT 1, 3), (1, NULL) = (SELECT 1, 2), (1, 2) = (SELECT 1, 2 WHERE false);
expect: [[true, true, null, null]]
SELECT n.name, (SELECT r.regionkey, r.name FROM region r WHERE r.regionkey = n.nationkey) FROM nation n WHERE n.nationkey IN (3, 7);
expect: [["CANADA", [3, "EUROPE"]], ["GERMANY", null]]
SELECT r.name, (SELECT count(*), max(n.nationkey) FROM nation n WHERE n.regionkey = r.regionkey AND n.nationkey > 20) FROM region r;
expect: [["AFRICA", [0, null]], ["AMERICA", [1, 24]], ["ASIA", [1, 21]], ["EUROPE", [2, 23]], ["MIDDLE EAST", [0, null]]]
SELECT r.name, (SELECT n.nationkey, n.name FROM nation n WHERE n.regionkey = r.regionkey ORDER BY n.nationkey DESC LIMIT 1)[2] FROM region r;
duckdb: SELECT r.name, (SELECT n.name FROM nation n WHERE n.regionkey = r.regionkey ORDER BY n.nationkey DESC LIMIT 1) FROM region r;
SELECT t.a, (SELECT t.a, t.a + 1) FROM (VALUES 1, 2) AS t (a);
expect: [[1, [1, 2]], [2, [2, 3]]]
SELECT name FROM nation WHERE (nationkey, name) = (SELECT max(nationkey), max(name) FROM nation WHERE nationkey = 24);
duckdb: SELECT name FROM nation WHERE nationkey = 24;
SELECT (1, 2) IN (SELECT 1, 2, 3);
error: TYPE_MISMATCH line 1:15: Value expression and result of subquery must be of the same type: row(integer, integer) vs row(integer, integer, integer)
SELECT 1 IN (SELECT 1, 2);
error: TYPE_MISMATCH line 1:10: Value expression and result of subquery must be of the same type: row(integer) vs row(integer, integer)
SELECT (1, 2) IN (SELECT 1);
error: TYPE_MISMATCH line 1:15: Value expression and result of subquery must be of the same type: row(integer, integer) vs row(integer)
SELECT (1, 2) IN (SELECT 1, 'x');
error: TYPE_MISMATCH line 1:15: Value expression and result of subquery must be of the same type: row(integer, integer) vs row(integer, varchar(1))
SELECT (1, 2) < ALL (SELECT 1 AS a, 2 AS b, 3 AS c);
error: TYPE_MISMATCH line 1:15: Value expression and result of subquery must be of the same type: row(integer, integer) vs row(a integer, b integer, c integer)
SELECT (1, MAP()) < ALL (SELECT 1, MAP());
error: TYPE_MISMATCH line 1:19: Type [row(integer, map(unknown, unknown))] must be orderable in order to be used in quantified comparison
SELECT a, a = ALL (SELECT b FROM (VALUES ARRAY[1, 2], ARRAY[1, NULL]) AS u (b)), a <> ANY (SELECT b FROM (VALUES ARRAY[1, 2], ARRAY[1, NULL], ARRAY[1, 9]) AS u (b)) FROM (VALUES ARRAY[1, 2], ARRAY[1, 3], ARRAY[2, NULL], NULL) AS t (a);
expect: [[[1, 2], null, true], [[1, 3], false, true], [[2, null], false, true], [null, null, null]]
SELECT MAP(ARRAY[1], ARRAY[2]) = ALL (SELECT MAP(ARRAY[1], ARRAY[2])), (1, MAP(ARRAY[1], ARRAY[2])) = ALL (SELECT 1, MAP(ARRAY[1], ARRAY[NULL])), (1, MAP(ARRAY[1], ARRAY[2])) = ALL (SELECT 1, MAP(ARRAY[1], ARRAY[3])), ARRAY[1] = ALL (SELECT ARRAY[2] WHERE false);
expect: [[true, null, false, true]]
SELECT t.x, (t.x, ARRAY[t.x]) = ALL (SELECT u.y, ARRAY[u.z] FROM (VALUES (1, 1), (2, NULL), (3, 3), (3, 4)) AS u (y, z) WHERE u.y = t.x) FROM (VALUES 1, 2, 3, 4) AS t (x);
expect: [[1, true], [2, null], [3, false], [4, true]]
