-- LATERAL and TABLESAMPLE.
SELECT r.name, n.name FROM region r, LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey) n;
SELECT r.name, n.c FROM region r CROSS JOIN LATERAL (SELECT count(*) AS c FROM nation WHERE regionkey = r.regionkey AND nationkey > 10) n;
SELECT r.name, n.c, n.m FROM region r CROSS JOIN LATERAL (SELECT count(*) + 1 AS c, max(nationkey) AS m FROM nation WHERE nationkey = r.regionkey * 10) n;
SELECT r.name, x.y FROM region r, LATERAL (SELECT r.regionkey * 2 AS y) x;
SELECT r.name, x.y, z.w FROM region r, LATERAL (SELECT r.regionkey * 2 AS y) x, LATERAL (SELECT x.y + r.regionkey AS w) z;
SELECT n.name, m.name FROM nation n CROSS JOIN LATERAL (SELECT name FROM nation k WHERE k.nationkey < n.nationkey AND k.regionkey = n.regionkey) m;
SELECT n.name, m.name FROM nation n CROSS JOIN LATERAL (SELECT name FROM region k WHERE k.regionkey > n.nationkey) m;
SELECT r.name, n.name FROM region r LEFT JOIN LATERAL (SELECT name FROM nation WHERE nationkey = r.regionkey * 8) n ON true;
SELECT r.name, n.name FROM region r INNER JOIN LATERAL (SELECT name FROM nation WHERE nationkey = r.regionkey * 8) n ON true;
SELECT r.name, t.k, t.c FROM region r, LATERAL (SELECT nationkey % 2 AS k, count(*) AS c FROM nation WHERE regionkey = r.regionkey GROUP BY nationkey % 2) t;
SELECT r.name, t.both FROM region r, LATERAL (SELECT concat(r.name, n.name) AS both FROM nation n WHERE n.regionkey = r.regionkey) t;
SELECT r.name, t.a, t.b FROM region r, LATERAL (SELECT n.name, n.nationkey FROM nation n WHERE n.regionkey = r.regionkey) AS t (a, b) WHERE t.b > 12;
SELECT * FROM (VALUES 1, 2) AS t (x), LATERAL (SELECT * FROM (VALUES 10, 20) AS u (y)) v;
SELECT x FROM LATERAL (SELECT 1 AS x);
SELECT o.orderkey, l.total FROM orders o, LATERAL (SELECT sum(quantity) AS total FROM lineitem WHERE orderkey = o.orderkey) l WHERE o.custkey < 40;
SELECT r.name, n.name FROM region r, LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey ORDER BY nationkey LIMIT 1) n;
SELECT r.name, n.c FROM region r, LATERAL (SELECT count(*) AS c FROM nation WHERE regionkey = r.regionkey HAVING count(*) = 0) n;
SELECT n.name FROM LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey) n, region r;
error: COLUMN_NOT_FOUND line 1:71: Column 'r.regionkey' cannot be resolved
SELECT count(*) FROM lineitem TABLESAMPLE BERNOULLI (100);
duckdb: SELECT count(*) FROM lineitem;
SELECT count(*) FROM lineitem TABLESAMPLE BERNOULLI (0);
expect: [[0]]
SELECT count(*) FROM lineitem TABLESAMPLE SYSTEM (100);
duckdb: SELECT count(*) FROM lineitem;
SELECT count(*) FROM lineitem TABLESAMPLE SYSTEM (0);
expect: [[0]]
SELECT count(*) BETWEEN 5500 AND 6500 FROM lineitem TABLESAMPLE BERNOULLI (10);
expect: [[true]]
SELECT count(*) BETWEEN 14000 AND 16000, max(l.orderkey) <= 60000 FROM lineitem AS l TABLESAMPLE BERNOULLI (25.0) WHERE l.orderkey > 0;
expect: [[true, true]]
SELECT count(*) = 0 FROM (SELECT linenumber, orderkey FROM lineitem TABLESAMPLE BERNOULLI (5) EXCEPT SELECT linenumber, orderkey FROM lineitem);
expect: [[true]]
SELECT (SELECT count(*) FROM orders TABLESAMPLE BERNOULLI (50) WHERE orderkey > 100) < (SELECT count(*) FROM orders);
expect: [[true]]
SELECT 1 FROM nation TABLESAMPLE BERNOULLI (101);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:45: Sample percentage must be less than or equal to 100
SELECT 1 FROM nation TABLESAMPLE SYSTEM (-1);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:42: Sample percentage must be greater than or equal to 0
SELECT 1 FROM nation TABLESAMPLE BERNOULLI (name);
error: EXPRESSION_NOT_CONSTANT line 1:45: Sample percentage cannot contain column references
SELECT r.name FROM region r WHERE EXISTS (SELECT count(*) FROM nation WHERE regionkey = r.regionkey + 4);
SELECT r.name FROM region r WHERE NOT EXISTS (SELECT count(*) FROM nation WHERE regionkey = r.regionkey + 4);
SELECT r.name FROM region r WHERE r.regionkey - 1 IN (SELECT count(*) FROM nation WHERE regionkey = r.regionkey + 4);
SELECT r.name, 0 >= ALL (SELECT count(*) FROM nation WHERE regionkey = r.regionkey + 4) FROM region r;
SELECT r.name FROM region r WHERE EXISTS (SELECT 1 FROM nation WHERE regionkey = r.regionkey + 4 HAVING count(*) = 0);
SELECT r.name, x.y FROM region r LEFT JOIN LATERAL (SELECT concat(name, r.name) AS y FROM nation WHERE nationkey = r.regionkey * 8) x ON true;
SELECT r.name, n.name FROM region r, LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey ORDER BY nationkey OFFSET 1 LIMIT 2) n;
duckdb: SELECT r.name, n.name FROM region r, LATERAL (SELECT name FROM nation WHERE regionkey = r.regionkey ORDER BY nationkey LIMIT 2 OFFSET 1) n;
SELECT r.name, n.name, n.k FROM region r, LATERAL (SELECT name, row_number() OVER (ORDER BY nationkey) AS k FROM nation WHERE nationkey > r.regionkey * 5) n;
SELECT r.name, n.x FROM region r, LATERAL (SELECT nationkey + r.regionkey AS x FROM nation WHERE regionkey = r.regionkey UNION SELECT r.regionkey) n;
