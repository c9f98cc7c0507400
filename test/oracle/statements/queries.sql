-- Scans, filters, projections
SELECT * FROM nation ORDER BY nationkey;
SELECT * FROM region;
SELECT name, regionkey FROM nation WHERE regionkey = 1 ORDER BY name;
SELECT count(*) FROM lineitem;
SELECT count(*) FROM orders WHERE orderdate < DATE '1995-01-01';
SELECT count(*), count(comment), count(1) FROM customer;
SELECT nationkey * 2 + 1, upper(name) FROM nation WHERE nationkey BETWEEN 3 AND 7;
SELECT orderkey, totalprice FROM orders WHERE orderkey IN (1, 2, 3, 4, 5, 6, 7, 32, 33);
SELECT name FROM nation WHERE name LIKE '%AN%' AND NOT name LIKE 'I%';
SELECT name FROM nation WHERE name >= 'M' OR regionkey = 0;
SELECT nationkey FROM nation WHERE NULL;
SELECT nationkey FROM nation WHERE nationkey = NULL;
SELECT 1 FROM nation WHERE false;
SELECT name AS "Nation Name", n.nationkey AS k FROM nation n WHERE n.nationkey < 3;
SELECT n.* FROM nation n WHERE regionkey = 4;
SELECT nation.name FROM nation WHERE nation.nationkey = 5;
SELECT tpch.tiny.nation.name FROM tpch.tiny.nation WHERE nationkey = 5;
duckdb: SELECT name FROM nation WHERE nationkey = 5;
SELECT phone, acctbal FROM customer WHERE acctbal < -990 ORDER BY acctbal, phone;
SELECT partkey, name, retailprice FROM part WHERE size = 15 AND type LIKE '%BRASS' ORDER BY partkey LIMIT 20;
SELECT min(orderdate), max(orderdate) FROM orders;
SELECT shipmode, shipinstruct FROM lineitem WHERE orderkey = 1 ORDER BY linenumber;
SELECT clerk, orderpriority, shippriority FROM orders WHERE orderkey < 10 ORDER BY orderkey;
SELECT suppkey, address, comment FROM supplier ORDER BY suppkey LIMIT 10;
SELECT DISTINCT regionkey FROM nation;
SELECT DISTINCT orderstatus, orderpriority FROM orders;
SELECT DISTINCT returnflag, linestatus FROM lineitem ORDER BY 1, 2;

-- Aggregation
SELECT sum(quantity), avg(quantity), min(quantity), max(quantity), count(quantity) FROM lineitem;
SELECT sum(nationkey), avg(nationkey), min(name), max(name) FROM nation;
types: bigint, double, varchar(25), varchar(25)
SELECT regionkey, count(*) FROM nation GROUP BY regionkey;
SELECT regionkey, count(*), sum(nationkey), min(name) FROM nation GROUP BY regionkey ORDER BY regionkey;
SELECT returnflag, linestatus, sum(quantity), sum(extendedprice), avg(discount), count(*) FROM lineitem GROUP BY returnflag, linestatus ORDER BY 1, 2;
SELECT orderpriority, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC, 1;
SELECT custkey, count(*) AS c FROM orders GROUP BY custkey HAVING count(*) > 25 ORDER BY c DESC, custkey;
SELECT custkey, sum(totalprice) FROM orders GROUP BY custkey HAVING sum(totalprice) > 4000000 ORDER BY 2 DESC;
SELECT count(DISTINCT custkey), count(DISTINCT orderstatus), count(*) FROM orders;
SELECT orderstatus, count(DISTINCT custkey), sum(DISTINCT shippriority) FROM orders GROUP BY orderstatus;
SELECT count(*) FILTER (WHERE regionkey = 1), sum(nationkey) FILTER (WHERE regionkey > 2) FROM nation;
SELECT regionkey, count(*) FILTER (WHERE name LIKE 'A%') FROM nation GROUP BY regionkey;
SELECT count(*), sum(nationkey), avg(nationkey), min(name), max(nationkey) FROM nation WHERE false;
SELECT regionkey, count(*) FROM nation WHERE false GROUP BY regionkey;
SELECT sum(x), avg(x), count(x), count(*) FROM (VALUES 1, NULL, 3) t (x);
SELECT x, count(*) FROM (VALUES 1, NULL, 3, NULL, 1) t (x) GROUP BY x;
SELECT count(DISTINCT x) FROM (VALUES 1, NULL, 3, NULL, 1) t (x);
SELECT min(x), max(x) FROM (VALUES 'b', 'a', NULL, 'c') t (x);
SELECT min(x), max(x), sum(x) FROM (VALUES 1.5, -2.25, 3.00) t (x);
SELECT avg(x) FROM (VALUES 1.00, 2.00, 2.00) t (x);
expect: [["1.67"]]
SELECT sum(x) FROM (VALUES 9223372036854775807, 1) t (x);
error: NUMERIC_VALUE_OUT_OF_RANGE bigint addition overflow: 9223372036854775807 + 1
SELECT bool_and(x), bool_or(x), every(x) FROM (VALUES true, false, NULL) t (x);
duckdb: SELECT bool_and(x), bool_or(x), bool_and(x) FROM (VALUES (true), (false), (NULL)) t (x);
SELECT count_if(x > 1) FROM (VALUES 1, 2, 3, NULL) t (x);
duckdb: SELECT 2;
SELECT stddev(nationkey), variance(nationkey), stddev_pop(nationkey), var_pop(nationkey), var_samp(nationkey) FROM nation;
SELECT nationkey % 3, count(*) FROM nation GROUP BY nationkey % 3;
SELECT nationkey % 3 AS m, count(*) FROM nation GROUP BY 1 ORDER BY m;
SELECT year(orderdate), count(*), sum(totalprice) FROM orders GROUP BY year(orderdate) ORDER BY 1;
SELECT substr(phone, 1, 2), count(*), avg(acctbal) FROM customer GROUP BY substr(phone, 1, 2) ORDER BY 1;
SELECT max(length(comment)), min(length(comment)) FROM lineitem;
SELECT shipdate, count(*) FROM lineitem GROUP BY shipdate ORDER BY 2 DESC, 1 LIMIT 10;
SELECT orderkey, sum(extendedprice * (1 - discount)) AS revenue FROM lineitem GROUP BY orderkey ORDER BY revenue DESC, orderkey LIMIT 10;
SELECT sum(extendedprice * discount) FROM lineitem WHERE shipdate >= DATE '1994-01-01' AND shipdate < DATE '1995-01-01' AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24;
duckdb: SELECT sum(extendedprice * discount) FROM lineitem WHERE shipdate >= DATE '1994-01-01' AND shipdate < DATE '1995-01-01' AND discount >= 0.05::DOUBLE AND discount <= 0.07::DOUBLE AND quantity < 24;
SELECT count(*) + sum(regionkey) * 2 FROM nation;
SELECT sum(a) FROM (SELECT regionkey AS a, count(*) AS c FROM nation GROUP BY regionkey);
SELECT partkey, suppkey, count(*) FROM lineitem GROUP BY partkey, suppkey HAVING count(*) > 14 ORDER BY 3 DESC, 1, 2;
SELECT nationkey, count(*) FROM nation;
error: EXPRESSION_NOT_AGGREGATE line 1:8: 'nationkey' must be an aggregate expression or appear in GROUP BY clause
SELECT count(*) FROM nation WHERE count(*) > 1;
error: EXPRESSION_NOT_SCALAR line 1:44: WHERE clause cannot contain aggregations, window functions or grouping operations: [count(*)]
SELECT sum(name) FROM nation;
error: FUNCTION_NOT_FOUND
SELECT name FROM nation GROUP BY 7;
error: INVALID_COLUMN_REFERENCE line 1:34: GROUP BY position 7 is not in select list
SELECT sum(count(*)) FROM nation;
error: NESTED_AGGREGATION

-- Sorting, limits
SELECT name FROM nation ORDER BY name DESC;
SELECT name, regionkey FROM nation ORDER BY regionkey DESC, name ASC;
SELECT name FROM nation ORDER BY length(name), name;
SELECT nationkey AS k FROM nation ORDER BY k LIMIT 3;
SELECT nationkey FROM nation ORDER BY nationkey OFFSET 20;
SELECT nationkey FROM nation ORDER BY nationkey OFFSET 5 LIMIT 5;
duckdb: SELECT nationkey FROM nation ORDER BY nationkey LIMIT 5 OFFSET 5;
SELECT nationkey FROM nation ORDER BY 1 DESC FETCH FIRST 4 ROWS ONLY;
duckdb: SELECT nationkey FROM nation ORDER BY 1 DESC LIMIT 4;
SELECT count(*) FROM (SELECT * FROM lineitem LIMIT 1000);
SELECT nationkey FROM nation LIMIT 0;
SELECT x FROM (VALUES 3, NULL, 1, 2) t (x) ORDER BY x;
duckdb: SELECT x FROM (VALUES (3), (NULL), (1), (2)) t (x) ORDER BY x NULLS LAST;
SELECT x FROM (VALUES 3, NULL, 1, 2) t (x) ORDER BY x DESC;
duckdb: SELECT x FROM (VALUES (3), (NULL), (1), (2)) t (x) ORDER BY x DESC NULLS LAST;
SELECT x FROM (VALUES 3, NULL, 1, 2) t (x) ORDER BY x NULLS FIRST;
duckdb: SELECT x FROM (VALUES (3), (NULL), (1), (2)) t (x) ORDER BY x NULLS FIRST;
SELECT orderkey, orderdate, totalprice FROM orders ORDER BY totalprice DESC, orderkey LIMIT 25;
SELECT orderkey, comment FROM orders ORDER BY comment, orderkey LIMIT 15;
SELECT orderkey, linenumber FROM lineitem ORDER BY shipdate, orderkey, linenumber LIMIT 50;
SELECT orderkey, linenumber, extendedprice FROM lineitem ORDER BY extendedprice DESC, orderkey, linenumber OFFSET 100 LIMIT 20;
duckdb: SELECT orderkey, linenumber, extendedprice FROM lineitem ORDER BY extendedprice DESC, orderkey, linenumber LIMIT 20 OFFSET 100;
SELECT custkey, name FROM customer ORDER BY acctbal DESC, custkey LIMIT 10;
SELECT name FROM nation ORDER BY 9;
error: INVALID_COLUMN_REFERENCE line 1:34: ORDER BY position 9 is not in select list
SELECT x FROM (VALUES 1e0, nan(), -1e0, infinity()) t (x) ORDER BY x;
expect: [[-1.0], [1.0], ["Infinity"], ["NaN"]]

-- Joins
SELECT n.name, r.name FROM nation n JOIN region r ON n.regionkey = r.regionkey ORDER BY n.name;
SELECT n.name, r.name FROM nation n, region r WHERE n.regionkey = r.regionkey AND r.name = 'EUROPE';
SELECT count(*) FROM nation, region;
SELECT count(*) FROM nation CROSS JOIN region;
SELECT c.name, o.orderkey FROM customer c JOIN orders o ON c.custkey = o.custkey WHERE o.orderkey < 100;
SELECT count(*), sum(l.quantity) FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey WHERE o.orderdate < DATE '1993-01-01';
SELECT c.custkey, count(o.orderkey) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey GROUP BY c.custkey;
SELECT count(*) FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.totalprice > 300000;
SELECT count(*) FROM orders o RIGHT JOIN customer c ON c.custkey = o.custkey;
SELECT a.nationkey, b.nationkey FROM nation a FULL JOIN nation b ON a.nationkey = b.nationkey + 20 ORDER BY 1, 2;
duckdb: SELECT a.nationkey, b.nationkey FROM nation a FULL JOIN nation b ON a.nationkey = b.nationkey + 20 ORDER BY 1 NULLS LAST, 2 NULLS LAST;
SELECT a.x, b.y FROM (VALUES 1, 2, NULL) a (x) LEFT JOIN (VALUES 2, NULL) b (y) ON a.x = b.y;
SELECT a.x, b.y FROM (VALUES 1, 2, NULL) a (x) FULL JOIN (VALUES 2, 3, NULL) b (y) ON a.x = b.y;
SELECT a.x, b.y FROM (VALUES 1, 2, 2) a (x) JOIN (VALUES 2, 2, 3) b (y) ON a.x = b.y;
SELECT a.x, b.y FROM (VALUES 1, 2, 3) a (x) JOIN (VALUES 1, 2, 3) b (y) ON a.x < b.y;
SELECT a.x, b.y FROM (VALUES 1, 2, 3) a (x) LEFT JOIN (VALUES 1, 2, 3) b (y) ON a.x = b.y AND b.y > 1;
SELECT a.x, b.y FROM (VALUES 1, 2, 3) a (x) LEFT JOIN (VALUES 1, 2) b (y) ON a.x > b.y + 1;
SELECT n.name, count(*) FROM supplier s JOIN nation n ON s.nationkey = n.nationkey GROUP BY n.name ORDER BY 2 DESC, 1;
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) t (k, v) JOIN (VALUES (1, 'x'), (3, 'y')) u (k, w) USING (k);
SELECT k, v, w FROM (VALUES (1, 'a'), (2, 'b')) t (k, v) NATURAL JOIN (VALUES (1, 'x'), (3, 'y')) u (k, w);
SELECT n1.name, n2.name FROM nation n1 JOIN nation n2 ON n1.regionkey = n2.regionkey AND n1.nationkey < n2.nationkey WHERE n1.regionkey = 0;
SELECT p.brand, count(*) FROM part p JOIN partsupp ps ON p.partkey = ps.partkey WHERE p.size < 5 GROUP BY p.brand ORDER BY 1;
SELECT r.name, n.name, count(*) FROM region r JOIN nation n ON r.regionkey = n.regionkey JOIN supplier s ON s.nationkey = n.nationkey GROUP BY 1, 2 ORDER BY 1, 2;
SELECT l.orderkey, sum(l.extendedprice * (1 - l.discount)) AS revenue, o.orderdate, o.shippriority FROM customer c, orders o, lineitem l WHERE c.mktsegment = 'BUILDING' AND c.custkey = o.custkey AND l.orderkey = o.orderkey AND o.orderdate < DATE '1995-03-15' AND l.shipdate > DATE '1995-03-15' GROUP BY l.orderkey, o.orderdate, o.shippriority ORDER BY revenue DESC, o.orderdate LIMIT 10;
SELECT n.name, sum(l.extendedprice * (1 - l.discount)) AS revenue FROM customer c, orders o, lineitem l, supplier s, nation n, region r WHERE c.custkey = o.custkey AND l.orderkey = o.orderkey AND l.suppkey = s.suppkey AND c.nationkey = s.nationkey AND s.nationkey = n.nationkey AND n.regionkey = r.regionkey AND r.name = 'ASIA' AND o.orderdate >= DATE '1994-01-01' AND o.orderdate < DATE '1995-01-01' GROUP BY n.name ORDER BY revenue DESC;
SELECT l.shipmode, sum(CASE WHEN o.orderpriority = '1-URGENT' OR o.orderpriority = '2-HIGH' THEN 1 ELSE 0 END) AS high, count(*) FROM orders o, lineitem l WHERE o.orderkey = l.orderkey AND l.shipmode IN ('MAIL', 'SHIP') AND l.commitdate < l.receiptdate AND l.shipdate < l.commitdate AND l.receiptdate >= DATE '1994-01-01' AND l.receiptdate < DATE '1995-01-01' GROUP BY l.shipmode ORDER BY l.shipmode;
SELECT 100e0 * sum(CASE WHEN p.type LIKE 'PROMO%' THEN l.extendedprice * (1 - l.discount) ELSE 0 END) / sum(l.extendedprice * (1 - l.discount)) FROM lineitem l, part p WHERE l.partkey = p.partkey AND l.shipdate >= DATE '1995-09-01' AND l.shipdate < DATE '1995-10-01';
SELECT name FROM nation n JOIN region r ON n.regionkey = r.regionkey;
error: AMBIGUOUS_NAME line 1:8: Column 'name' is ambiguous

-- Subqueries, WITH, VALUES, set operations
SELECT name FROM nation WHERE regionkey IN (SELECT regionkey FROM region WHERE name LIKE 'A%') ORDER BY name;
SELECT name FROM nation WHERE regionkey NOT IN (SELECT regionkey FROM region WHERE name LIKE 'A%') ORDER BY name;
SELECT x FROM (VALUES 1, 2, NULL) t (x) WHERE x IN (SELECT y FROM (VALUES 1, NULL) u (y));
SELECT x FROM (VALUES 1, 2, NULL) t (x) WHERE x NOT IN (SELECT y FROM (VALUES 1, NULL) u (y));
SELECT x, x IN (SELECT y FROM (VALUES 1, NULL) u (y)) FROM (VALUES 1, 2, NULL) t (x);
SELECT name FROM nation WHERE nationkey = (SELECT max(nationkey) FROM nation);
SELECT (SELECT count(*) FROM region), (SELECT name FROM region WHERE false);
SELECT (SELECT name FROM nation);
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT name FROM region WHERE EXISTS (SELECT 1 FROM nation WHERE nationkey > 100);
SELECT count(*) FROM region WHERE EXISTS (SELECT 1 FROM nation WHERE nationkey > 10);
WITH a AS (SELECT nationkey, name FROM nation WHERE regionkey = 2) SELECT * FROM a ORDER BY 1;
WITH a AS (SELECT regionkey r, count(*) c FROM nation GROUP BY regionkey), b AS (SELECT max(c) m FROM a) SELECT a.r, b.m FROM a, b ORDER BY 1;
WITH t (x, y) AS (VALUES (1, 'a'), (2, 'b')) SELECT x + 1, y FROM t;
VALUES 1, 2, 3;
VALUES (1, 'a'), (2, NULL), (3, 'c');
SELECT * FROM (VALUES (1, 2.5, 'x'), (2, 3.75, 'yy')) t (a, b, c);
types: integer, decimal(3, 2), varchar(2)
expect: [[1, "2.50", "x"], [2, "3.75", "yy"]]
SELECT nationkey FROM nation WHERE nationkey < 3 UNION ALL SELECT regionkey FROM region;
SELECT regionkey FROM nation UNION SELECT regionkey FROM region;
SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 1;
SELECT 1 AS x UNION ALL SELECT 2.5 ORDER BY x;
expect: [["1.0"], ["2.5"]]
SELECT name FROM nation WHERE nationkey < 2 UNION ALL SELECT name FROM region WHERE regionkey < 2 ORDER BY name DESC LIMIT 3;
SELECT count(*) FROM (SELECT orderkey FROM orders UNION ALL SELECT orderkey FROM lineitem);
SELECT a.name FROM (SELECT name, nationkey FROM nation ORDER BY nationkey LIMIT 5) a ORDER BY 1;
SELECT * FROM (SELECT * FROM (SELECT nationkey + 1 AS k FROM nation) WHERE k > 20) ORDER BY k;
SELECT 1 UNION ALL SELECT 'a';
error: TYPE_MISMATCH

-- Names and errors
SELECT nosuch FROM nation;
error: COLUMN_NOT_FOUND line 1:8: Column 'nosuch' cannot be resolved
SELECT * FROM nosuch;
error: TABLE_NOT_FOUND line 1:15: Table 'tpch.tiny.nosuch' does not exist
SELECT * FROM nosuch.nation;
error: SCHEMA_NOT_FOUND line 1:15: Schema 'nosuch' does not exist
SELECT * FROM nosuch.tiny.nation;
error: CATALOG_NOT_FOUND line 1:15: Catalog 'nosuch' does not exist
SELECT 1 FROM nation WHERE nationkey;
error: TYPE_MISMATCH line 1:28: WHERE clause must evaluate to a boolean: actual type bigint
SELEC 1;
error: SYNTAX_ERROR
SELECT FROM;
error: SYNTAX_ERROR
SELECT 1 FROM nation HAVING 1;
error: TYPE_MISMATCH
SELECT n.nosuch FROM nation n;
error: COLUMN_NOT_FOUND line 1:8: Column 'n.nosuch' cannot be resolved
SELECT NAME, "name", n.Name FROM Nation N WHERE NationKey = 1;
SELECT 1 AS a, 2 AS b, 3;

-- Statements about metadata
SHOW CATALOGS LIKE 'tp%';
expect: [["tpch"]]
SHOW SCHEMAS FROM tpch LIKE 'tiny';
expect: [["tiny"]]
SHOW TABLES;
expect: [["customer"], ["lineitem"], ["nation"], ["orders"], ["part"], ["partsupp"], ["region"], ["supplier"]]
SHOW TABLES FROM tiny LIKE 'p%';
expect: [["part"], ["partsupp"]]
SHOW COLUMNS FROM region;
expect: [["regionkey", "bigint", "", ""], ["name", "varchar(25)", "", ""], ["comment", "varchar(152)", "", ""]]
DESCRIBE nation;
expect: [["nationkey", "bigint", "", ""], ["name", "varchar(25)", "", ""], ["regionkey", "bigint", "", ""], ["comment", "varchar(152)", "", ""]]
SELECT table_name FROM information_schema.tables WHERE table_schema = 'tiny' AND table_type = 'BASE TABLE' ORDER BY 1;
expect: [["customer"], ["lineitem"], ["nation"], ["orders"], ["part"], ["partsupp"], ["region"], ["supplier"]]
SELECT column_name, ordinal_position, data_type, is_nullable FROM information_schema.columns WHERE table_schema = 'tiny' AND table_name = 'region' ORDER BY ordinal_position;
expect: [["regionkey", 1, "bigint", "YES"], ["name", 2, "varchar(25)", "YES"], ["comment", 3, "varchar(152)", "YES"]]
SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'sf1';
expect: [["sf1"]]
SELECT coordinator, state, count(*) > 0 FROM system.runtime.nodes WHERE coordinator GROUP BY 1, 2;
expect: [[true, "active", true]]
SELECT count(*) > 0 FROM system.runtime.queries WHERE state = 'RUNNING';
expect: [[true]]
EXPLAIN (TYPE VALIDATE) SELECT 1;
expect: [[true]]
