-- Subqueries that read no table: what they say is an expression of the enclosing rows, and an equality in it is a key of the join. Over 60,000 rows on both
-- sides these statements end soon only when they are hashed.
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT l2.orderkey);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l2.orderkey IN (SELECT l1.orderkey);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l2.orderkey = l1.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON (SELECT l1.orderkey) IN (SELECT l2.orderkey) AND l1.linenumber < l2.linenumber;
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l1.linenumber < l2.linenumber;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = (SELECT l2.orderkey);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON (SELECT l2.orderkey) = l1.orderkey;
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l2.orderkey = l1.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON EXISTS (SELECT 1 WHERE l1.orderkey = l2.orderkey);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON EXISTS (SELECT 1 WHERE l1.orderkey = l2.orderkey AND l1.linenumber <= l2.linenumber) AND l1.quantity > 10;
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l1.linenumber <= l2.linenumber AND l1.quantity > 10;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = ANY (SELECT l2.orderkey);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (VALUES l2.orderkey);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey + 1 IN (SELECT l2.orderkey + 1);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey + 1 = l2.orderkey + 1;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey * 2 IN (SELECT l2.orderkey - 2);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey * 2 = l2.orderkey - 2;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON (l1.orderkey, l1.linenumber) IN (SELECT l2.orderkey, l2.linenumber + 1);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON (l1.orderkey, l1.linenumber) = (l2.orderkey, l2.linenumber + 1);
SELECT count(*) FROM lineitem l1, lineitem l2 WHERE l1.orderkey IN (SELECT l2.orderkey);
duckdb: SELECT count(*) FROM lineitem l1, lineitem l2 WHERE l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 CROSS JOIN lineitem l2 WHERE l1.orderkey = (SELECT l2.orderkey) AND l1.suppkey = (SELECT l2.suppkey);
duckdb: SELECT count(*) FROM lineitem l1 CROSS JOIN lineitem l2 WHERE l1.orderkey = l2.orderkey AND l1.suppkey = l2.suppkey;
SELECT count(*) FROM lineitem l1, lineitem l2 WHERE EXISTS (SELECT l1.comment WHERE l2.orderkey = l1.orderkey);
duckdb: SELECT count(*) FROM lineitem l1, lineitem l2 WHERE l2.orderkey = l1.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT max(l2.orderkey));
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1, lineitem l2 WHERE l1.orderkey = (SELECT min(l2.orderkey) WHERE l2.linenumber > 1);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l2.linenumber > 1;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT sum(l2.orderkey) HAVING count(*) = 1);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT DISTINCT l2.orderkey);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT k FROM (SELECT l2.orderkey AS k) t WHERE k > 100);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l2.orderkey > 100;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT l2.orderkey WHERE l1.linenumber < l2.linenumber);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l1.linenumber < l2.linenumber;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = (SELECT l2.orderkey WHERE l1.linenumber < l2.linenumber);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l1.linenumber < l2.linenumber;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT l2.orderkey ORDER BY 1 LIMIT 1);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON EXISTS (SELECT 1 WHERE l1.orderkey IN (SELECT l2.orderkey));
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey;
SELECT count(*), count(l2.orderkey) FROM lineitem l1 LEFT JOIN lineitem l2 ON l1.orderkey IN (SELECT l2.orderkey) AND l2.quantity > 45;
duckdb: SELECT count(*), count(l2.orderkey) FROM lineitem l1 LEFT JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l2.quantity > 45;
SELECT count(*), count(l1.orderkey) FROM lineitem l1 RIGHT JOIN lineitem l2 ON EXISTS (SELECT 1 WHERE l1.orderkey = l2.orderkey AND l1.quantity > 45);
duckdb: SELECT count(*), count(l1.orderkey) FROM lineitem l1 RIGHT JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l1.quantity > 45;
SELECT count(*), count(l1.orderkey), count(l2.orderkey) FROM lineitem l1 FULL JOIN lineitem l2 ON l1.orderkey = (SELECT l2.orderkey WHERE l2.quantity > 45 AND l1.quantity > 45);
duckdb: SELECT count(*), count(l1.orderkey), count(l2.orderkey) FROM lineitem l1 FULL JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l2.quantity > 45 AND l1.quantity > 45;
SELECT count(*) FROM (SELECT DISTINCT l1.orderkey FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT l2.orderkey)) t;
duckdb: SELECT count(*) FROM (SELECT DISTINCT l1.orderkey FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey) t;
SELECT count(*) FROM (SELECT l1.orderkey AS a, l2.orderkey AS b FROM lineitem l1, lineitem l2) t WHERE a IN (SELECT b);
duckdb: SELECT count(*) FROM (SELECT l1.orderkey AS a, l2.orderkey AS b FROM lineitem l1, lineitem l2) t WHERE a = b;
SELECT count(*) FROM orders o WHERE EXISTS (SELECT 1 FROM lineitem l WHERE l.orderkey IN (SELECT o.orderkey) AND l.quantity > 49);
SELECT count(*) FROM orders o JOIN customer c ON o.custkey IN (SELECT c.custkey) JOIN nation n ON c.nationkey = (SELECT n.nationkey);
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT l2.orderkey WHERE l2.quantity > (SELECT avg(quantity) FROM lineitem));
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey WHERE l2.quantity > (SELECT avg(quantity) FROM lineitem);
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT l2.orderkey WHERE l2.suppkey IN (SELECT suppkey FROM supplier WHERE nationkey < 3));
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey WHERE l2.suppkey IN (SELECT suppkey FROM supplier WHERE nationkey < 3);
-- NULLs on either side.
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON a.k IN (SELECT b.k);
SELECT a.k, b.k, a.k IN (SELECT b.k) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k, a.k NOT IN (SELECT b.k) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON a.k NOT IN (SELECT b.k);
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON NOT EXISTS (SELECT 1 WHERE a.k = b.k);
SELECT a.k, b.k, EXISTS (SELECT 1 WHERE a.k = b.k) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k, a.k = (SELECT b.k WHERE b.k > 1) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k, a.k IN (SELECT b.k WHERE b.k > 1) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k, a.k NOT IN (SELECT b.k WHERE a.k > 1) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON NOT (a.k IN (SELECT b.k WHERE b.k > 1));
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON (a.k IN (SELECT b.k)) IS NULL;
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON (SELECT b.k) IS NOT DISTINCT FROM a.k;
SELECT a.k, b.k, a.k < ALL (SELECT b.k), a.k < ANY (SELECT b.k), a.k <> ALL (SELECT b.k), a.k <> ANY (SELECT b.k), a.k = ALL (SELECT b.k WHERE b.k > 1) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k, a.k >= ALL (SELECT b.k WHERE a.k > 1), a.k >= ANY (SELECT b.k WHERE a.k > 1) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k, a.k IN (SELECT NULL WHERE b.k > 1) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a LEFT JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON a.k IN (SELECT b.k WHERE a.k > 1);
duckdb: SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a LEFT JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON a.k = b.k AND a.k > 1;
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a FULL JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON a.k IN (SELECT b.k);
duckdb: SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a FULL JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON a.k = b.k;
SELECT a.k, b.k, (a.k, 1) IN (SELECT b.k, 1), (a.k, 1) IN (SELECT b.k, 2), (a.k, b.k) NOT IN (SELECT b.k, a.k WHERE a.k > b.k) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
duckdb: SELECT a.k, b.k, a.k = b.k, CASE WHEN a.k <> b.k THEN FALSE ELSE FALSE END, CASE WHEN a.k > b.k THEN TRUE ELSE TRUE END FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
-- More rows than one.
SELECT a.k, b.k, a.k IN (SELECT b.k UNION ALL SELECT b.k + 1), a.k NOT IN (SELECT b.k UNION SELECT b.k + 1 WHERE b.k > 0) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k, a.k > ALL (SELECT b.k UNION ALL SELECT b.k + 1), a.k > ANY (SELECT b.k UNION ALL SELECT b.k - 1 WHERE b.k > 1) FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a, (SELECT nullif(regionkey, 2) AS k FROM nation) b;
SELECT a.k, b.k FROM (SELECT nullif(nationkey, 3) AS k FROM nation WHERE nationkey < 6) a JOIN (SELECT nullif(regionkey, 2) AS k FROM nation) b ON EXISTS (SELECT 1 WHERE a.k = b.k UNION ALL SELECT 1 WHERE a.k = b.k + 1);
SELECT n.name, (SELECT n.nationkey UNION ALL SELECT n.regionkey WHERE n.regionkey >= n.nationkey) FROM nation n;
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT r.regionkey, (SELECT 7 WHERE r.regionkey > 2 UNION ALL SELECT 8 WHERE r.regionkey < 2) FROM region r;
-- Aggregates of one row.
SELECT r.regionkey, (SELECT count(*) WHERE r.regionkey > 2), (SELECT count(nullif(r.regionkey, 3))), (SELECT sum(r.regionkey) WHERE r.regionkey > 2), (SELECT max(r.name) FILTER (WHERE r.regionkey > 2)) FROM region r;
duckdb: SELECT regionkey, CASE WHEN regionkey > 2 THEN 1 ELSE 0 END, CASE WHEN regionkey = 3 THEN 0 ELSE 1 END, CASE WHEN regionkey > 2 THEN regionkey END, CASE WHEN regionkey > 2 THEN name END FROM region;
SELECT r.regionkey, (SELECT avg(r.regionkey) WHERE r.regionkey > 2), (SELECT bool_and(r.regionkey > 1)), (SELECT count(*) WHERE r.regionkey > 2 HAVING count(*) = 0), (SELECT any_value(r.name) GROUP BY r.regionkey HAVING max(r.regionkey) > 3) FROM region r;
duckdb: SELECT regionkey, CASE WHEN regionkey > 2 THEN CAST(regionkey AS DOUBLE) END, regionkey > 1, CASE WHEN regionkey <= 2 THEN 0 END, CASE WHEN regionkey > 3 THEN name END FROM region;
SELECT r.regionkey, (SELECT sum(CAST(r.regionkey AS decimal(5, 2)) / 4)), (SELECT min(CAST(r.regionkey AS double))), (SELECT array_agg(r.regionkey)) FROM region r;
duckdb: SELECT regionkey, CAST(regionkey AS decimal(10, 2)) / 4, CAST(regionkey AS double), [regionkey] FROM region;
-- What a subquery's own filter guards is not computed where the filter leaves its row out.
SELECT r.regionkey, (SELECT 12 / r.regionkey WHERE r.regionkey > 0), 4 IN (SELECT 12 / r.regionkey WHERE r.regionkey <> 0) FROM region r;
duckdb: SELECT regionkey, CASE WHEN regionkey > 0 THEN 12 // regionkey END, CASE WHEN regionkey = 0 THEN FALSE ELSE 12 // regionkey = 4 END FROM region;
SELECT r.name, s.name FROM region r JOIN region s ON r.regionkey IN (SELECT 12 / s.regionkey WHERE s.regionkey > 0);
duckdb: SELECT r.name, s.name FROM region r, region s WHERE s.regionkey > 0 AND r.regionkey = 12 // nullif(s.regionkey, 0);
SELECT r.name, s.name FROM region r JOIN region s ON r.regionkey = (SELECT 4 / s.regionkey WHERE s.regionkey > 0 AND r.regionkey < 3);
duckdb: SELECT r.name, s.name FROM region r, region s WHERE s.regionkey > 0 AND r.regionkey < 3 AND r.regionkey = 4 // nullif(s.regionkey, 0);
SELECT r.name FROM region r WHERE EXISTS (SELECT 12 / r.regionkey);
SELECT r.name, s.name FROM region r JOIN region s ON IF(s.regionkey > 0, r.regionkey = 12 / s.regionkey, false);
duckdb: SELECT r.name, s.name FROM region r, region s WHERE s.regionkey > 0 AND r.regionkey = 12 // nullif(s.regionkey, 0);
SELECT r.name FROM region r WHERE try((SELECT 1 / r.regionkey)) IS NULL;
error: DIVISION_BY_ZERO Division by zero
SELECT r.name, try((SELECT 12 / r.regionkey WHERE r.regionkey > 1) / (r.regionkey - 2)) FROM region r;
duckdb: SELECT name, CASE WHEN regionkey > 2 THEN (12 // regionkey) // (regionkey - 2) END FROM region;
-- Grouped rows around.
SELECT n.regionkey, (SELECT n.regionkey + 1 WHERE n.regionkey > 1), n.regionkey IN (SELECT count(*)), EXISTS (SELECT 1 WHERE n.regionkey = 2) FROM nation n GROUP BY n.regionkey;
duckdb: SELECT regionkey, CASE WHEN regionkey > 1 THEN regionkey + 1 END, regionkey = 1, regionkey = 2 FROM region;
SELECT n.regionkey, sum((SELECT n.nationkey WHERE n.nationkey > 10)), count(*) FILTER (WHERE n.nationkey IN (SELECT n.regionkey)) FROM nation n GROUP BY n.regionkey HAVING max(n.nationkey) > (SELECT n.regionkey * 6);
duckdb: SELECT regionkey, sum(CASE WHEN nationkey > 10 THEN nationkey END), count(*) FILTER (WHERE nationkey = regionkey) FROM nation GROUP BY regionkey HAVING max(nationkey) > regionkey * 6;
SELECT n.regionkey, (SELECT n.name) FROM nation n GROUP BY n.regionkey;
error: EXPRESSION_NOT_AGGREGATE line 1:29: Subquery uses 'n.name' which must appear in GROUP BY clause
SELECT n.regionkey, EXISTS (SELECT n.name WHERE n.regionkey > 1) FROM nation n GROUP BY n.regionkey;
error: EXPRESSION_NOT_AGGREGATE line 1:36: Subquery uses 'n.name' which must appear in GROUP BY clause
-- Chance is asked once for a row.
SELECT count(*) FROM (SELECT (SELECT x - x FROM (SELECT random() + n.nationkey AS x) t) AS d FROM nation n) u WHERE d <> 0;
expect: [[0]]
-- NaN is equal to nothing, a negative zero to a positive one.
SELECT x, y, x = ANY (SELECT y), x IN (SELECT y), x NOT IN (SELECT y WHERE x > 0) FROM (VALUES (nan(), nan()), (1e0, nan()), (0e0, -0e0), (NULL, 1e0)) t(x, y);
expect: [["NaN", "NaN", false, false, true], [1, "NaN", false, false, true], [0, 0, true, true, true], [null, 1, null, null, true]]
SELECT count(*) FROM (VALUES nan(), 0e0, 1e0) a(x) JOIN (VALUES nan(), -0e0, 2e0) b(y) ON a.x IN (SELECT b.y);
expect: [[1]]
SELECT a, b, (a, b) IN (SELECT b, a), ROW(a, b) = (SELECT ROW(b, a)), ARRAY[a] IN (SELECT ARRAY[b]) FROM (VALUES (1, 1), (1, NULL), (NULL, NULL), (1, 2)) t(a, b);
expect: [[1, 1, true, true, true], [1, null, null, null, null], [null, null, null, null, null], [1, 2, false, false, false]]
SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey IN (SELECT l2.orderkey) AND l1.linenumber NOT IN (SELECT l2.linenumber);
duckdb: SELECT count(*) FROM lineitem l1 JOIN lineitem l2 ON l1.orderkey = l2.orderkey AND l1.linenumber <> l2.linenumber;
SELECT count(*) FROM (SELECT CAST(name AS varchar(30)) AS k FROM customer) a JOIN customer b ON a.k IN (SELECT b.name);
duckdb: SELECT 1500;
SELECT a.regionkey, b.regionkey FROM region a JOIN region b ON CASE WHEN a.regionkey > 2 THEN a.regionkey IN (SELECT b.regionkey) ELSE EXISTS (SELECT 1 WHERE a.regionkey = b.regionkey + 1) END;
duckdb: SELECT a.regionkey, b.regionkey FROM region a, region b WHERE CASE WHEN a.regionkey > 2 THEN a.regionkey = b.regionkey ELSE a.regionkey = b.regionkey + 1 END;
