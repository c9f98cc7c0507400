-- Subqueries that use rows of the query around them, in every place where no equality alone carries them.
SELECT n.name, (SELECT max(x) FROM (SELECT n.nationkey + r.regionkey AS x FROM region r) t) FROM nation n;
SELECT n.name, (SELECT r.name FROM region r WHERE r.regionkey = n.regionkey) FROM nation n;
SELECT n.name, (SELECT r.name FROM region r WHERE r.regionkey = n.nationkey) FROM nation n;
SELECT r.name, (SELECT n.name FROM nation n WHERE r.regionkey = n.regionkey) FROM region r;
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT r.name, (SELECT n.name FROM nation n WHERE n.nationkey > r.regionkey * 8) FROM region r;
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT r.name, (SELECT n.name FROM nation n WHERE n.nationkey > r.regionkey * 8 AND n.nationkey < r.regionkey * 8 + 2) FROM region r;
SELECT r.name, (SELECT n.name FROM nation n WHERE r.regionkey = n.regionkey ORDER BY n.name DESC LIMIT 1) FROM region r;
SELECT r.name, (SELECT count(*) FROM nation n WHERE n.nationkey > r.regionkey * 6) FROM region r;
SELECT r.name, (SELECT approx_distinct(n.name) FROM nation n WHERE n.regionkey = r.regionkey + 3) FROM region r;
expect: [["AFRICA", 5], ["AMERICA", 5], ["ASIA", 0], ["EUROPE", 0], ["MIDDLE EAST", 0]]
SELECT r.name FROM region r WHERE EXISTS (SELECT 1 FROM nation n WHERE n.nationkey > r.regionkey * 6 AND n.nationkey < r.regionkey + 11);
SELECT r.name FROM region r WHERE NOT EXISTS (SELECT 1 FROM nation n WHERE n.nationkey > r.regionkey * 6 AND n.nationkey < r.regionkey + 11);
SELECT r.name, (SELECT max(x) FROM (VALUES r.regionkey, 2) t(x)) FROM region r;
SELECT r.name, (SELECT count(*) FROM (SELECT name FROM nation WHERE regionkey = r.regionkey UNION ALL SELECT name FROM region k WHERE k.regionkey < r.regionkey) t) FROM region r;
SELECT r.name, r.regionkey IN (SELECT n.nationkey - r.regionkey FROM nation n WHERE n.nationkey < 6) FROM region r;
SELECT x, (SELECT count(*) FROM (VALUES 1, 2, NULL) u(y) WHERE u.y IS NOT DISTINCT FROM t.x) FROM (VALUES 1, NULL, 3) t(x);
SELECT x, y, (SELECT count(*) FROM (VALUES ('a', 1), ('b', NULL)) u(a, b) WHERE u.a = t.x AND (u.b < t.y OR t.y IS NULL)) FROM (VALUES ('a', 2), ('a', NULL), (NULL, 2), ('b', 3)) t(x, y);
SELECT r.name, (SELECT max(c) FROM (SELECT (SELECT count(*) FROM nation n WHERE n.regionkey = r.regionkey AND n.nationkey > k.regionkey) AS c FROM region k) t) FROM region r;
SELECT r.name, (SELECT sum(s) OVER () FROM (SELECT r.regionkey AS s) t) FROM region r;
SELECT o.orderkey, (SELECT sum(l.linenumber) FROM lineitem l WHERE l.orderkey = o.orderkey AND l.partkey > o.custkey) FROM orders o WHERE o.orderkey < 1000;
SELECT r.name, (SELECT count(DISTINCT n.nationkey % (r.regionkey + 1)) FROM nation n) FROM region r;
SELECT r.name, (SELECT max(c) FROM (SELECT count(*) AS c FROM nation n GROUP BY n.nationkey % (r.regionkey + 1)) t) FROM region r;
SELECT r.name, (SELECT count(*) FROM nation n JOIN region k ON k.regionkey = n.regionkey AND n.nationkey > r.regionkey * k.regionkey) FROM region r;
SELECT r.name, (SELECT count(k.name) FROM nation n LEFT JOIN (SELECT * FROM region WHERE regionkey > r.regionkey) k ON k.regionkey = n.regionkey) FROM region r;
SELECT r.name, (SELECT max(n.nationkey) FROM (SELECT nationkey FROM nation WHERE nationkey < r.regionkey * 5 ORDER BY nationkey DESC OFFSET 1 LIMIT 3) n) FROM region r;
duckdb: SELECT r.name, (SELECT max(n.nationkey) FROM (SELECT nationkey FROM nation WHERE nationkey < r.regionkey * 5 ORDER BY nationkey DESC LIMIT 3 OFFSET 1) n) FROM region r;
SELECT n.name FROM nation n WHERE n.nationkey > (SELECT avg(m.nationkey) FROM (SELECT * FROM nation k WHERE k.regionkey = n.regionkey AND k.nationkey <> n.nationkey) m);
SELECT r.name, r.regionkey < ALL (SELECT n.nationkey - r.regionkey FROM nation n WHERE n.nationkey > 2 * r.regionkey) FROM region r;
SELECT r.name, (SELECT count(*) FROM nation n WHERE n.regionkey IN (SELECT k.regionkey FROM region k WHERE k.regionkey < 3) AND n.nationkey > r.regionkey * 4) FROM region r;
SELECT r.name, (SELECT count(*) FROM nation n FULL JOIN region k ON k.regionkey = n.regionkey AND n.nationkey > r.regionkey) FROM region r;
duckdb: SELECT r.name, 25 + (SELECT count(*) FROM region k WHERE NOT EXISTS (SELECT 1 FROM nation n WHERE n.regionkey = k.regionkey AND n.nationkey > r.regionkey)) FROM region r;
-- Enclosing rows that would be others if they were computed twice are computed once; columns beside what the subquery reads do not matter.
SELECT count(v) = count(*) FROM (SELECT (SELECT max(v) FROM (SELECT l.quantity + o.orderkey AS v FROM lineitem l WHERE l.orderkey = o.orderkey ORDER BY l.linenumber LIMIT 2)) AS v FROM orders o TABLESAMPLE BERNOULLI (50)) t;
expect: [[true]]
SELECT count(*), count(v) FROM (SELECT (SELECT max(v) FROM (SELECT n.nationkey + o.orderkey AS v FROM nation n WHERE n.nationkey <= o.orderkey ORDER BY n.nationkey LIMIT 2)) AS v FROM (SELECT orderkey FROM orders LIMIT 9) o) t;
SELECT count(*), count(v), sum(v) FROM (SELECT (SELECT count(*) FROM nation n GROUP BY n.nationkey % o.place HAVING count(*) > 20) AS v FROM (SELECT row_number() OVER (ORDER BY orderstatus) AS place FROM orders) o) t;
SELECT (SELECT max(c) FROM (SELECT count(*) AS c FROM nation n GROUP BY n.nationkey % (o.place + 1)) t) FROM (SELECT avg(discount) AS place FROM lineitem GROUP BY linenumber) o;
SELECT r.regionkey, (SELECT max(c) FROM (SELECT count(*) AS c FROM nation n GROUP BY n.nationkey % (r.regionkey + 1)) t) FROM region r CROSS JOIN (SELECT name FROM nation LIMIT 3) n;
SELECT r.place, (SELECT max(c) FROM (SELECT count(*) AS c FROM nation n GROUP BY n.nationkey % r.place) t) FROM (SELECT regionkey, rank() OVER (ORDER BY name) AS place, row_number() OVER () AS other FROM region) r;
SELECT o.most, (SELECT max(c) FROM (SELECT count(*) AS c FROM nation n GROUP BY n.nationkey % (o.most + 1)) t) FROM (SELECT max(linenumber) AS most, avg(discount) AS other, sum(quantity) AS total FROM lineitem GROUP BY returnflag) o;
