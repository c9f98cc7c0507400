-- Sub-plans that occur several times are evaluated once: by both sides of a join, by a branch and the scalar beside it, by the branches of a union, by one that soon has enough.
WITH a (k, v, n) AS (SELECT custkey, sum(orderkey), count(*) FROM orders GROUP BY custkey) SELECT k, v FROM a WHERE v = (SELECT max(v) FROM a);
WITH a (k, v, n) AS (SELECT custkey, sum(orderkey), count(*) FROM orders GROUP BY custkey) SELECT x.k, x.v, y.n FROM a x JOIN a y ON x.k = y.k AND x.v > 300000 AND y.v + x.n > 300000;
WITH a (k, v, n) AS (SELECT custkey, sum(orderkey), count(*) FROM orders GROUP BY custkey) SELECT count(*), sum(v), sum(n) FROM (SELECT * FROM a UNION ALL SELECT * FROM a UNION ALL SELECT * FROM a) t;
WITH a (k, v, n) AS (SELECT custkey, sum(orderkey), count(*) FROM orders GROUP BY custkey) SELECT count(*), max(n) FROM (SELECT n, 1 z FROM a UNION ALL SELECT n, 2 FROM a WHERE v IN (SELECT v FROM a)) t;
WITH a (k, v, n) AS (SELECT custkey, sum(orderkey), count(*) FROM orders GROUP BY custkey) SELECT (SELECT count(*) FROM (SELECT v, n, k FROM a LIMIT 3) t), (SELECT count(*) FROM a WHERE n > 10);
WITH a (k, q) AS (SELECT o.custkey, sum(l.quantity) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey GROUP BY o.custkey) SELECT q, count(*) FROM a WHERE q > (SELECT avg(q) FROM a) AND q < (SELECT max(q) FROM a) GROUP BY q ORDER BY q DESC LIMIT 5;
WITH a (d, n) AS (SELECT orderdate, count(DISTINCT custkey) FROM orders GROUP BY orderdate) SELECT * FROM (SELECT d, n FROM a EXCEPT SELECT d, n FROM a) t;
WITH a (d, n) AS (SELECT orderdate, count(DISTINCT custkey) FROM orders GROUP BY orderdate) SELECT x.n, count(*), min(y.d) FROM a x LEFT JOIN a y ON x.n = y.n AND x.d = y.d GROUP BY x.n;
WITH a (k, v, n, t) AS (SELECT custkey, sum(orderkey), count(*), max(orderstatus) FROM orders GROUP BY custkey) SELECT x.k, x.v, y.n FROM a x JOIN a y ON x.k = y.k WHERE x.v > 400000;
WITH a (k, v, n, t) AS (SELECT custkey, sum(orderkey), count(*), max(orderstatus) FROM orders GROUP BY custkey) SELECT z.t, sum(x.v), max(y.n), count(*) FROM a x JOIN a y ON x.k = y.k JOIN a z ON z.k = y.k GROUP BY z.t;
WITH a AS (SELECT ps_partkey k, ps_suppkey s, ps_availqty q FROM (SELECT partkey ps_partkey, suppkey ps_suppkey, availqty ps_availqty FROM partsupp) ps JOIN (SELECT suppkey, nationkey FROM supplier WHERE nationkey < 9) s ON suppkey = ps_suppkey) SELECT x.k, x.a, x.b, y.a, y.b, y.c FROM (SELECT k, sum(q) a, sum(q) + 1 b FROM a GROUP BY k) x JOIN (SELECT k, max(s) a, sum(q) b, count(*) c FROM a GROUP BY k) y ON x.k = y.k;
SELECT * FROM (SELECT custkey, count(*) n, count(*) FILTER (WHERE orderkey % 2 = 0) e FROM orders GROUP BY custkey) x JOIN (SELECT custkey, count(*) FILTER (WHERE orderkey % 2 = 1) o, count(*) m FROM orders GROUP BY custkey) y ON x.custkey = y.custkey AND x.n = y.m AND x.e + y.o = y.m;
SELECT * FROM (SELECT custkey k, min(orderdate) d FROM orders GROUP BY custkey) x JOIN (SELECT custkey k, max(length(orderpriority)) p, min(orderdate) d FROM orders GROUP BY custkey) y ON x.k = y.k AND x.d = y.d;
WITH a AS (SELECT o.custkey k, o.orderkey o, o.clerk c, l.quantity q, l.suppkey t FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey WHERE l.shipdate > DATE '1998-06-01') SELECT * FROM (SELECT k, min(c), sum(q), sum(q) + 1, max(t) FROM a GROUP BY k) x JOIN (SELECT k, max(c), sum(t), sum(o), count(*) FROM a GROUP BY k) y ON x.k = y.k JOIN (SELECT k, min(q) z FROM a GROUP BY k) z ON y.k = z.k;
WITH a AS (SELECT c.custkey k, n.name n, c.mktsegment m, n.regionkey r, n.comment t FROM customer c JOIN nation n ON c.nationkey = n.nationkey) SELECT x.m, x.n, y.r, z.t FROM (SELECT m, min(n) n FROM a GROUP BY m) x JOIN (SELECT m, max(r) r, sum(k) FROM a GROUP BY m) y ON x.m = y.m JOIN (SELECT m, max(t) t, min(n) n FROM a GROUP BY m) z ON z.m = x.m AND z.n = x.n;
SELECT count(*) FROM (SELECT max(random()) r FROM orders UNION ALL SELECT max(random()) FROM orders) t GROUP BY r;
expect: [[1], [1]]
SET SESSION share_common_subplans = 'maybe';
error: INVALID_SESSION_PROPERTY Unable to set session property 'share_common_subplans' to ''maybe'': Cannot cast type varchar(5) to boolean
SET SESSION share_common_subplans = true;
expect: [[true]]
