-- Scans that leave out what the build side of their join has not: each statement asks a table of the tpch connector on the probe side
SELECT count(*), sum(o.totalprice), min(o.orderkey), max(o.orderkey) FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE c.mktsegment = 'BUILDING';
SELECT count(*), sum(l.quantity) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey WHERE o.orderdate = DATE '1995-03-15' AND l.shipdate > DATE '1995-03-20';
-- Keys by twos, and keys that no table has
SELECT count(*), sum(l.extendedprice) FROM lineitem l JOIN partsupp ps ON l.partkey = ps.partkey AND l.suppkey = ps.suppkey WHERE ps.availqty < 100;
SELECT count(*), sum(o.totalprice) FROM orders o JOIN (SELECT custkey + 1000000 AS k FROM customer) c ON o.custkey = c.k;
SELECT count(*), count(o.orderkey) FROM orders o JOIN (SELECT custkey FROM customer WHERE custkey < 0) c ON o.custkey = c.custkey;
SELECT count(*) FROM orders o JOIN (SELECT CAST(NULL AS bigint) AS k FROM nation) c ON o.custkey = c.k;
-- Keys of other types: texts, dates, decimals, doubles, a computed key, keys wide apart
SELECT o.orderkey, o.clerk FROM orders o JOIN (VALUES 'Clerk#000000951', 'Clerk#000000880', 'nobody') t (c) ON o.clerk = t.c;
SELECT o.orderkey, o.orderdate FROM orders o JOIN (VALUES DATE '1996-01-02', DATE '1998-08-02', DATE '2020-01-01', NULL) t (d) ON o.orderdate = t.d;
SELECT c.custkey, c.acctbal FROM customer c JOIN (SELECT acctbal FROM customer WHERE custkey IN (3, 77, 1203)) t ON c.acctbal = t.acctbal;
SELECT c.custkey FROM customer c JOIN (VALUES 4, 8, 15, 16, 23, 42) t (n) ON c.custkey * 2 = t.n;
SELECT l.orderkey, l.linenumber FROM lineitem l JOIN (VALUES BIGINT '1', BIGINT '60000', BIGINT '9223372036854775807', BIGINT '-9223372036854775807') t (k) ON l.orderkey = t.k;
-- Rows of the build side that met nothing come out of a RIGHT JOIN; a LEFT JOIN keeps its probe side
SELECT o.orderkey, t.k FROM orders o RIGHT JOIN (VALUES BIGINT '1', BIGINT '5', BIGINT '7', NULL) t (k) ON o.orderkey = t.k;
SELECT n.nationkey, t.k FROM nation n LEFT JOIN (VALUES BIGINT '1', BIGINT '5', NULL) t (k) ON n.nationkey = t.k;
-- IN, NOT IN and EXISTS
SELECT count(*), sum(totalprice) FROM orders WHERE custkey IN (SELECT custkey FROM customer WHERE nationkey = 3 AND acctbal > 0);
SELECT count(*) FROM orders WHERE custkey NOT IN (SELECT custkey FROM customer WHERE nationkey = 3);
SELECT count(*) FROM orders o WHERE EXISTS (SELECT 1 FROM lineitem l WHERE l.orderkey = o.orderkey AND l.quantity = 50 AND l.discount = 0.1);
SELECT count(*) FROM nation WHERE nationkey IN (SELECT nationkey FROM nation WHERE name LIKE 'A%') OR regionkey = 3;
-- Joins over joins: each tells the one scan its own column; groups and distinct rows between the join and the scan
SELECT count(*), sum(l.quantity) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey JOIN part p ON l.partkey = p.partkey WHERE p.size = 1 AND o.orderpriority = '1-URGENT';
SELECT g.custkey, g.n FROM (SELECT custkey, count(*) AS n FROM orders GROUP BY custkey) g JOIN (SELECT custkey FROM customer WHERE nationkey = 7 AND mktsegment = 'MACHINERY') c ON g.custkey = c.custkey;
SELECT d.custkey FROM (SELECT DISTINCT custkey FROM orders) d JOIN (VALUES BIGINT '1', BIGINT '2', BIGINT '3', BIGINT '4') t (k) ON d.custkey = t.k;
SELECT count(*) FROM supplier s JOIN nation n ON s.nationkey = n.nationkey JOIN region r ON n.regionkey = r.regionkey WHERE r.name = 'ASIA';
SELECT count(*) FROM lineitem a JOIN lineitem b ON a.orderkey = b.orderkey AND a.linenumber = b.linenumber JOIN orders o ON b.orderkey = o.orderkey WHERE o.orderkey < 100;
-- An aggregate over nothing has a row, and what a limit leaves is there
SELECT max(o.totalprice) FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE c.acctbal > 1000000;
SELECT count(*) FROM (SELECT o.orderkey FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE c.nationkey = 5 LIMIT 7) t;
-- Texts of different lengths: the keys of a join are of one type
SELECT a.x, b.y FROM (VALUES CAST('ab' AS char(2)), CAST('a' AS char(2))) a (x) JOIN (VALUES CAST('ab' AS char(5)), CAST('abc' AS char(5)), CAST('a' AS char(5))) b (y) ON a.x = b.y;
expect: [["ab", "ab   "], ["a ", "a    "]]
SELECT a.x, b.y FROM (VALUES (CAST('ab' AS varchar(2))), (CAST('a ' AS varchar(2)))) a (x) LEFT JOIN (VALUES (CAST('ab' AS varchar(5))), (CAST('abc' AS varchar(5))), (CAST('a' AS varchar))) b (y) ON a.x = b.y;
SELECT c.custkey FROM customer c JOIN (VALUES 'BUILDING', 'MACHINERY but longer') t (s) ON c.mktsegment = t.s WHERE c.custkey < 40;
