-- GROUPING SETS, CUBE, ROLLUP and grouping().
SELECT regionkey, count(*) FROM nation GROUP BY ROLLUP (regionkey);
SELECT regionkey, name, count(*), sum(nationkey) FROM nation GROUP BY ROLLUP (regionkey, name);
SELECT returnflag, linestatus, count(*), sum(quantity), min(shipdate) FROM lineitem GROUP BY CUBE (returnflag, linestatus);
SELECT returnflag, linestatus, count(*) FROM lineitem GROUP BY GROUPING SETS ((returnflag, linestatus), (linestatus), ());
SELECT returnflag, linestatus, count(*) FROM lineitem GROUP BY GROUPING SETS (returnflag, linestatus);
SELECT returnflag, linestatus, shipmode, count(*) FROM lineitem GROUP BY returnflag, ROLLUP (linestatus, shipmode);
SELECT returnflag, linestatus, shipmode, count(*) FROM lineitem GROUP BY CUBE (returnflag), GROUPING SETS ((linestatus), (shipmode));
SELECT returnflag, linestatus, grouping(returnflag), grouping(linestatus), grouping(returnflag, linestatus), grouping(linestatus, returnflag) FROM lineitem GROUP BY CUBE (returnflag, linestatus);
types: varchar(1), varchar(1), integer, integer, integer, integer
SELECT regionkey, grouping(regionkey) FROM nation GROUP BY regionkey;
SELECT regionkey % 2, name, grouping(name), count(*) FROM nation GROUP BY regionkey % 2, ROLLUP (name);
SELECT regionkey, count(DISTINCT name), count(DISTINCT nationkey % 3), sum(DISTINCT nationkey % 4) FROM nation GROUP BY ROLLUP (regionkey);
SELECT returnflag, linestatus, count(DISTINCT suppkey), count(DISTINCT shipmode) FILTER (WHERE quantity > 10) FROM lineitem GROUP BY CUBE (returnflag, linestatus);
SELECT regionkey, sum(regionkey), count(regionkey), max(regionkey) FROM nation GROUP BY ROLLUP (regionkey);
SELECT regionkey, count(*) FROM nation GROUP BY GROUPING SETS ((regionkey), (regionkey), ());
SELECT regionkey, count(*) FROM nation GROUP BY DISTINCT GROUPING SETS ((regionkey), (regionkey), ());
duckdb: SELECT regionkey, count(*) FROM nation GROUP BY GROUPING SETS ((regionkey), ());
SELECT regionkey, count(*) FROM nation GROUP BY ALL GROUPING SETS ((regionkey), (regionkey), ());
duckdb: SELECT regionkey, count(*) FROM nation GROUP BY GROUPING SETS ((regionkey), (regionkey), ());
SELECT regionkey, nationkey % 2 AS odd, count(*) FROM nation GROUP BY DISTINCT ROLLUP (regionkey), CUBE (regionkey), nationkey % 2;
duckdb: SELECT regionkey, nationkey % 2 AS odd, count(*) FROM nation GROUP BY GROUPING SETS ((regionkey, nationkey % 2), (nationkey % 2));
SELECT count(*), sum(x) FROM (SELECT nationkey AS x FROM nation WHERE nationkey < 0) GROUP BY GROUPING SETS (());
SELECT x, count(*), sum(x), grouping(x) FROM (SELECT nationkey AS x FROM nation WHERE nationkey < 0) GROUP BY ROLLUP (x);
SELECT x, y, count(*), count(DISTINCT y), max(y) FROM (SELECT nationkey AS x, name AS y FROM nation WHERE nationkey < 0) GROUP BY CUBE (x, y);
SELECT x, count(*) FROM (SELECT nationkey AS x FROM nation WHERE nationkey < 0) GROUP BY GROUPING SETS ((x), (), ());
SELECT x, count(*) FROM (SELECT nationkey AS x FROM nation WHERE nationkey < 0) GROUP BY ROLLUP (x) HAVING x = 1;
SELECT regionkey, count(*) FROM nation GROUP BY ROLLUP (regionkey) HAVING regionkey = 1;
SELECT regionkey, count(*) FROM nation GROUP BY ROLLUP (regionkey) HAVING regionkey IS NULL;
SELECT regionkey, name, count(*) FROM nation GROUP BY ROLLUP (regionkey, name) HAVING grouping(name) = 1;
SELECT regionkey, name, count(*) FROM nation GROUP BY ROLLUP (regionkey, name) HAVING grouping(regionkey, name) = 3 OR count(*) > 4;
SELECT regionkey, name FROM nation GROUP BY CUBE (regionkey, name) ORDER BY grouping(regionkey), grouping(name), 1, 2 LIMIT 40;
SELECT regionkey, sum(nationkey) * 2 + grouping(regionkey) FROM nation GROUP BY ROLLUP (regionkey) ORDER BY 2;
SELECT n.regionkey, r.name, count(*) FROM nation n JOIN region r ON n.regionkey = r.regionkey GROUP BY ROLLUP (n.regionkey, r.name);
SELECT regionkey, name, count(*) FROM nation GROUP BY ROLLUP ((regionkey, name));
SELECT regionkey, name, nationkey, count(*) FROM nation GROUP BY CUBE ((regionkey, name), nationkey);
SELECT x, y, count(*) FROM (VALUES (1, NULL), (NULL, 1), (NULL, NULL), (1, 1)) AS t (x, y) GROUP BY CUBE (x, y);
SELECT x, y, count(*), grouping(x, y) FROM (VALUES (1, NULL), (NULL, 1), (NULL, NULL), (1, 1)) AS t (x, y) GROUP BY CUBE (x, y);
SELECT count(*) FROM nation GROUP BY ();
SELECT count(*) FROM nation WHERE nationkey < 0 GROUP BY ();
SELECT count(*) FROM nation WHERE nationkey < 0 GROUP BY ROLLUP ();
expect: [[0]]
SELECT g, count(*) FROM (SELECT regionkey AS g, count(*) AS c FROM nation GROUP BY ROLLUP (regionkey)) GROUP BY ROLLUP (g);
SELECT regionkey, (SELECT max(name) FROM region r WHERE r.regionkey = n.regionkey) FROM nation n GROUP BY ROLLUP (regionkey);
SELECT custkey, orderstatus, orderpriority, count(*), sum(totalprice) FROM orders GROUP BY CUBE (orderstatus, orderpriority), custkey;
SELECT shipmode, returnflag, linestatus, shipinstruct, count(*), avg(discount) FROM lineitem GROUP BY CUBE (shipmode, returnflag, linestatus, shipinstruct);
SELECT regionkey, count(*) FROM nation GROUP BY ROLLUP (regionkey + 1);
error: INVALID_COLUMN_REFERENCE line 1:67: GROUP BY expression must be a column reference: (regionkey + 1)
SELECT regionkey, name FROM nation GROUP BY ROLLUP (regionkey);
error: EXPRESSION_NOT_AGGREGATE line 1:19: 'name' must be an aggregate expression or appear in GROUP BY clause
SELECT grouping(name) FROM nation GROUP BY regionkey;
error: INVALID_ARGUMENTS line 1:8: The arguments to GROUPING() must be expressions referenced by the GROUP BY at the associated query level. Mismatch due to name.
SELECT grouping(name) FROM nation;
error: MISSING_GROUP_BY line 1:1: A GROUPING() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause
SELECT 1 FROM nation WHERE grouping(name) = 1;
error: EXPRESSION_NOT_SCALAR line 1:43: WHERE clause cannot contain aggregations, window functions or grouping operations: [GROUPING (name)]
SELECT count(*) FROM lineitem GROUP BY CUBE (orderkey, partkey, suppkey, linenumber, quantity, extendedprice, discount, tax, returnflag, linestatus, shipdate, commitdate);
error: TOO_MANY_GROUPING_SETS line 1:40: GROUP BY has 4096 grouping sets but can contain at most 2048
SELECT count(*) FROM region GROUP BY CUBE (regionkey, name, comment, regionkey, name, comment, regionkey, name, comment, regionkey, name, comment, regionkey, name, comment, regionkey, name, comment, regionkey, name, comment, regionkey, name, comment, regionkey, name, comment, regionkey, name, comment, regionkey, name, comment);
error: TOO_MANY_GROUPING_SETS line 1:38: GROUP BY has more than 2147483647 grouping sets but can contain at most 2048
