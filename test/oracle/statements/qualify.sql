-- QUALIFY: rows by what window functions have computed.
SELECT regionkey, name FROM nation QUALIFY row_number() OVER (PARTITION BY regionkey ORDER BY name DESC) <= 2;
SELECT orderkey, linenumber, quantity FROM lineitem WHERE orderkey < 300 QUALIFY quantity > avg(quantity) OVER (PARTITION BY orderkey);
SELECT custkey, count(*) AS orders FROM orders GROUP BY custkey HAVING count(*) > 20 QUALIFY rank() OVER (ORDER BY count(*) DESC, custkey) <= 7 ORDER BY custkey;
-- Names of SELECT, behind those of FROM.
SELECT name, row_number() OVER (PARTITION BY regionkey ORDER BY name) AS n FROM nation QUALIFY n = 1;
SELECT -nationkey AS nationkey, name FROM nation QUALIFY nationkey > 20 AND count(*) OVER (PARTITION BY regionkey) = 5;
-- Without a window function, with DISTINCT, subqueries and named windows.
SELECT name FROM nation QUALIFY regionkey = 1;
duckdb: SELECT name FROM nation WHERE regionkey = 1;
SELECT DISTINCT regionkey FROM nation QUALIFY count(*) OVER (PARTITION BY regionkey) > 4 ORDER BY regionkey LIMIT 2;
SELECT name FROM nation QUALIFY row_number() OVER w = (SELECT min(regionkey) + 3 FROM region) WINDOW w AS (ORDER BY name);
duckdb: SELECT name FROM (SELECT name, row_number() OVER (ORDER BY name) AS n FROM nation) WHERE n = 3;
SELECT name FROM nation WINDOW w AS (ORDER BY name) QUALIFY row_number() OVER w = 3;
SELECT name FROM nation n QUALIFY exists(SELECT 1 FROM region r WHERE r.regionkey = n.regionkey AND r.regionkey > 2) AND lag(nationkey) OVER (ORDER BY nationkey) % 2 = 0;
duckdb: SELECT name FROM (SELECT name, regionkey, lag(nationkey) OVER (ORDER BY nationkey) AS l FROM nation) WHERE regionkey > 2 AND l % 2 = 0;
SELECT sum(totalprice) OVER () FROM orders WHERE false QUALIFY true;
duckdb: SELECT sum(totalprice) OVER () FROM orders WHERE false;
-- The word is still a name.
SELECT qualify.regionkey FROM nation qualify WHERE qualify.nationkey = 3;
duckdb: SELECT regionkey FROM nation WHERE nationkey = 3;
SELECT x.a qualify FROM (VALUES 1) x (a);
expect: [[1]]
SELECT name FROM nation QUALIFY regionkey;
error: TYPE_MISMATCH line 1:33: QUALIFY clause must evaluate to a boolean: actual type bigint
SELECT name, rank() OVER (ORDER BY regionkey) AS r FROM nation QUALIFY rank() OVER (ORDER BY r) = 1;
error: NESTED_WINDOW line 1:94: Cannot nest window functions or row pattern measures inside window function arguments
SELECT count(*) FROM nation QUALIFY nationkey = 3;
error: EXPRESSION_NOT_AGGREGATE line 1:47: '(nationkey = 3)' must be an aggregate expression or appear in GROUP BY clause
-- AUTO: the columns of SELECT that no aggregate is in.
SELECT orderstatus, year(orderdate), count(*), sum(totalprice) FROM orders GROUP BY AUTO;
duckdb: SELECT orderstatus, year(orderdate), count(*), sum(totalprice) FROM orders GROUP BY ALL;
SELECT regionkey + 1, nationkey % 2 = 0, max(name) FROM nation GROUP BY ALL AUTO HAVING count(*) > 1;
duckdb: SELECT regionkey + 1, nationkey % 2 = 0, max(name) FROM nation GROUP BY ALL HAVING count(*) > 1;
SELECT * FROM (VALUES 1, 2, 1) t (a) GROUP BY DISTINCT AUTO;
expect: [[1], [2]]
SELECT count(*), max(name) FROM nation GROUP BY AUTO;
duckdb: SELECT count(*), max(name) FROM nation;
SELECT (SELECT max(x.name) FROM nation x WHERE x.regionkey = n.regionkey), count(*) FROM nation n GROUP BY AUTO;
duckdb: SELECT max(name), 5 FROM nation GROUP BY regionkey;
SELECT regionkey, sum(nationkey) FROM nation GROUP BY AUTO, ROLLUP (name);
duckdb: SELECT regionkey, sum(nationkey) FROM nation GROUP BY regionkey, ROLLUP (name);
SELECT auto, sum(b) FROM (VALUES (1, 10), (1, 20)) t (auto, b) GROUP BY t.auto;
expect: [[1, 30]]
SELECT regionkey + count(*) FROM nation GROUP BY AUTO;
error: EXPRESSION_NOT_AGGREGATE line 1:18: '(regionkey + count(*))' must be an aggregate expression or appear in GROUP BY clause
