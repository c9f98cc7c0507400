-- Ranking.
SELECT nationkey, row_number() OVER (ORDER BY nationkey) FROM nation;
SELECT name, row_number() OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
types: varchar(25), bigint
SELECT name, rank() OVER (ORDER BY regionkey) FROM nation;
SELECT name, dense_rank() OVER (ORDER BY regionkey DESC) FROM nation;
SELECT name, percent_rank() OVER (ORDER BY regionkey), cume_dist() OVER (ORDER BY regionkey) FROM nation;
types: varchar(25), double, double
SELECT name, percent_rank() OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, cume_dist() OVER (PARTITION BY regionkey ORDER BY length(name)) FROM nation ORDER BY name;
SELECT name, ntile(4) OVER (ORDER BY name) FROM nation;
SELECT name, ntile(7) OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, ntile(2) OVER (PARTITION BY regionkey ORDER BY name DESC) FROM nation;
SELECT name, ntile(nationkey + 1) OVER (ORDER BY nationkey) FROM nation;
SELECT rank() OVER (), dense_rank() OVER (), count(*) OVER () FROM region;
SELECT regionkey, rank() OVER (PARTITION BY regionkey) FROM nation;
SELECT orderkey, linenumber, rank() OVER (PARTITION BY orderkey ORDER BY quantity) FROM lineitem WHERE orderkey < 500;
SELECT custkey, orderkey, row_number() OVER (PARTITION BY custkey ORDER BY orderdate, orderkey) FROM orders;
SELECT custkey, orderkey, dense_rank() OVER (PARTITION BY custkey ORDER BY orderpriority) FROM orders WHERE custkey < 300;
SELECT k, rank() OVER (ORDER BY k), dense_rank() OVER (ORDER BY k DESC), cume_dist() OVER (ORDER BY k) FROM (VALUES 3, 1, NULL, 1, NULL, 2) t(k);
duckdb: SELECT k, rank() OVER (ORDER BY k), dense_rank() OVER (ORDER BY k DESC), cume_dist() OVER (ORDER BY k) FROM (VALUES (3), (1), (NULL), (1), (NULL), (2)) t(k);
SELECT k, rank() OVER (ORDER BY k NULLS FIRST), rank() OVER (ORDER BY k DESC NULLS FIRST) FROM (VALUES 3, 1, NULL, 1, NULL, 2) t(k);
duckdb: SELECT k, rank() OVER (ORDER BY k NULLS FIRST), rank() OVER (ORDER BY k DESC NULLS FIRST) FROM (VALUES (3), (1), (NULL), (1), (NULL), (2)) t(k);
SELECT k, count(*) OVER (PARTITION BY k) FROM (VALUES 3, 1, NULL, 1, NULL, 2) t(k);
duckdb: SELECT k, count(*) OVER (PARTITION BY k) FROM (VALUES (3), (1), (NULL), (1), (NULL), (2)) t(k);
-- Values of other rows.
SELECT name, lag(name) OVER (ORDER BY name), lead(name) OVER (ORDER BY name) FROM nation;
SELECT name, lag(nationkey, 2) OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, lead(nationkey, 3, -1) OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, lag(name, 1, 'none') OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, lead(name, 2, comment) OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, lag(nationkey, 0) OVER (ORDER BY name) FROM nation;
SELECT name, lag(nationkey, 100) OVER (ORDER BY name), lead(nationkey, 100, 7) OVER (ORDER BY name) FROM nation;
SELECT nationkey, lead(nationkey, regionkey) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, lag(nationkey, regionkey, -5) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, lag(nationkey, CAST(NULL AS bigint), -5) OVER (ORDER BY nationkey) FROM nation WHERE nationkey < 2;
expect: [[0, null], [1, null]]
SELECT nationkey, lag(nationkey, 9223372036854775807) OVER (ORDER BY nationkey) FROM nation WHERE nationkey < 2;
SELECT nationkey, lag(nationkey, 1, NULL) OVER (ORDER BY nationkey) FROM nation WHERE nationkey < 3;
SELECT nationkey, lag(nationkey, 1, 0.5) OVER (ORDER BY nationkey) FROM nation WHERE nationkey < 3;
expect: [[0, "0.5"], [1, "0.0"], [2, "1.0"]]
SELECT orderkey, lag(orderdate) OVER (PARTITION BY custkey ORDER BY orderdate, orderkey) FROM orders;
SELECT orderkey, totalprice - lag(totalprice) OVER (PARTITION BY custkey ORDER BY orderkey) FROM orders WHERE custkey < 200;
SELECT name, first_value(name) OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, last_value(name) OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, last_value(name) OVER (PARTITION BY regionkey ORDER BY name ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM nation;
SELECT name, nth_value(name, 2) OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT name, nth_value(name, 3) OVER (ORDER BY name ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM nation;
SELECT nationkey, nth_value(nationkey, nationkey + 1) OVER (ORDER BY nationkey ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM nation;
SELECT nationkey, nth_value(nationkey, CAST(NULL AS bigint)) OVER (ORDER BY nationkey) FROM nation WHERE nationkey < 2;
expect: [[0, null], [1, null]]
SELECT nationkey, first_value(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING), last_value(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING) FROM nation;
SELECT nationkey, first_value(name) OVER (ORDER BY nationkey ROWS BETWEEN 3 PRECEDING AND 5 PRECEDING) FROM nation WHERE nationkey < 3;
expect: [[0, null], [1, null], [2, null]]
-- IGNORE and RESPECT NULLS.
SELECT k, first_value(v) IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL)) t(k, v);
duckdb: SELECT k, first_value(v IGNORE NULLS) OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL)) t(k, v);
SELECT k, last_value(v) IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL)) t(k, v);
duckdb: SELECT k, last_value(v IGNORE NULLS) OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL)) t(k, v);
SELECT k, last_value(v) RESPECT NULLS OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL)) t(k, v);
duckdb: SELECT k, last_value(v) OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL)) t(k, v);
SELECT k, nth_value(v, 2) IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL)) t(k, v);
duckdb: SELECT k, nth_value(v, 2 IGNORE NULLS) OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL)) t(k, v);
SELECT k, lag(v) IGNORE NULLS OVER (ORDER BY k), lead(v) IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL), (6, 60)) t(k, v);
duckdb: SELECT k, lag(v IGNORE NULLS) OVER (ORDER BY k), lead(v IGNORE NULLS) OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL), (6, 60)) t(k, v);
SELECT k, lag(v, 2, -1) IGNORE NULLS OVER (ORDER BY k), lead(v, 2, k) IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20), (3, NULL), (4, 40), (5, NULL), (6, 60)) t(k, v);
expect: [[1, -1, 40], [2, -1, 60], [3, -1, 60], [4, -1, 4], [5, 20, 5], [6, 20, 6]]
SELECT p, k, lag(v) IGNORE NULLS OVER (PARTITION BY p ORDER BY k) FROM (VALUES (1, 1, 5), (1, 2, NULL), (1, 3, NULL), (2, 1, NULL), (2, 2, 7), (2, 3, NULL)) t(p, k, v);
duckdb: SELECT p, k, lag(v IGNORE NULLS) OVER (PARTITION BY p ORDER BY k) FROM (VALUES (1, 1, 5), (1, 2, NULL), (1, 3, NULL), (2, 1, NULL), (2, 2, 7), (2, 3, NULL)) t(p, k, v);
SELECT nationkey, first_value(nullif(regionkey, 0)) IGNORE NULLS OVER (ORDER BY nationkey ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) FROM nation;
duckdb: SELECT nationkey, first_value(nullif(regionkey, 0) IGNORE NULLS) OVER (ORDER BY nationkey ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) FROM nation;
SELECT nationkey, last_value(nullif(regionkey, 1)) IGNORE NULLS OVER (ORDER BY nationkey ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) FROM nation;
duckdb: SELECT nationkey, last_value(nullif(regionkey, 1) IGNORE NULLS) OVER (ORDER BY nationkey ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) FROM nation;
SELECT k, lag(v, 0) IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, NULL), (2, 20)) t(k, v);
expect: [[1, null], [2, 20]]
-- Aggregates over the default frame.
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY regionkey) FROM nation;
SELECT nationkey, sum(nationkey) OVER (PARTITION BY regionkey) FROM nation;
SELECT nationkey, avg(nationkey) OVER (PARTITION BY regionkey ORDER BY name) FROM nation;
SELECT nationkey, count(*) OVER (ORDER BY regionkey), count(*) OVER (PARTITION BY regionkey) FROM nation;
SELECT nationkey, min(name) OVER (PARTITION BY regionkey ORDER BY nationkey), max(name) OVER (PARTITION BY regionkey ORDER BY nationkey) FROM nation;
SELECT nationkey, max(name) OVER (ORDER BY nationkey DESC) FROM nation;
SELECT orderkey, sum(totalprice) OVER (PARTITION BY custkey ORDER BY orderkey) FROM orders;
SELECT orderkey, sum(totalprice) OVER (ORDER BY orderkey) FROM orders;
SELECT orderkey, count(*) OVER (PARTITION BY orderpriority ORDER BY orderdate) FROM orders;
SELECT orderkey, linenumber, sum(quantity) OVER (PARTITION BY orderkey) FROM lineitem WHERE orderkey < 9000;
SELECT orderkey, linenumber, sum(extendedprice) OVER (PARTITION BY suppkey ORDER BY orderkey, linenumber) FROM lineitem WHERE suppkey < 20;
SELECT nationkey, bool_and(nationkey < 10) OVER (ORDER BY nationkey), bool_or(nationkey > 20) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, stddev(nationkey) OVER (ORDER BY nationkey), var_pop(nationkey) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, min_by(name, regionkey) OVER (PARTITION BY nationkey % 3 ORDER BY nationkey) FROM nation;
duckdb: SELECT nationkey, arg_min(name, regionkey) OVER (PARTITION BY nationkey % 3 ORDER BY nationkey) FROM nation;
SELECT nationkey, count(nullif(regionkey, 2)) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, sum(nullif(regionkey, 0)) OVER (ORDER BY nationkey ROWS 1 PRECEDING) FROM nation;
SELECT nationkey, sum(CAST(NULL AS bigint)) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, count_if(regionkey = 1) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, sum(CAST(nationkey AS decimal(20, 2))) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, sum(CAST(nationkey AS double)) OVER (ORDER BY nationkey), avg(CAST(nationkey AS real)) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, sum(nationkey) FILTER (WHERE regionkey > 1) OVER (ORDER BY nationkey) FROM nation;
SELECT nationkey, count(*) FILTER (WHERE name LIKE '%A%') OVER (PARTITION BY regionkey) FROM nation;
-- ROWS.
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS 3 PRECEDING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS UNBOUNDED PRECEDING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS CURRENT ROW) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN 5 PRECEDING AND 3 PRECEDING), count(*) OVER (ORDER BY nationkey ROWS BETWEEN 5 PRECEDING AND 3 PRECEDING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN regionkey PRECEDING AND regionkey FOLLOWING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN UNBOUNDED PRECEDING AND regionkey FOLLOWING) FROM nation;
SELECT nationkey, max(name) OVER (ORDER BY nationkey ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) FROM nation;
SELECT nationkey, min(name) OVER (PARTITION BY regionkey ORDER BY nationkey ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) FROM nation;
SELECT orderkey, sum(totalprice) OVER (ORDER BY orderkey ROWS BETWEEN 50 PRECEDING AND 50 FOLLOWING) FROM orders;
SELECT orderkey, max(totalprice) OVER (ORDER BY orderkey ROWS BETWEEN 1000 PRECEDING AND 700 PRECEDING) FROM orders;
SELECT orderkey, min(clerk) OVER (ORDER BY orderkey ROWS BETWEEN 100 PRECEDING AND 100 FOLLOWING), count(*) OVER (ORDER BY orderkey ROWS BETWEEN 100 PRECEDING AND 100 FOLLOWING) FROM orders;
SELECT orderkey, avg(custkey) OVER (ORDER BY orderkey ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM orders;
SELECT orderkey, sum(custkey) OVER (PARTITION BY orderstatus ORDER BY orderkey ROWS BETWEEN 40 PRECEDING AND 5 FOLLOWING) FROM orders;
SELECT orderkey, max(clerk) OVER (PARTITION BY orderstatus ORDER BY orderkey ROWS BETWEEN custkey PRECEDING AND custkey FOLLOWING) FROM orders;
SELECT orderkey, sum(custkey) OVER (ORDER BY orderkey ROWS BETWEEN UNBOUNDED PRECEDING AND custkey PRECEDING) FROM orders;
-- RANGE.
SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey RANGE BETWEEN 3 PRECEDING AND 1 FOLLOWING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY regionkey RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY regionkey DESC RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM nation;
SELECT nationkey, count(*) OVER (ORDER BY regionkey RANGE BETWEEN 2 FOLLOWING AND 3 FOLLOWING) FROM nation;
SELECT nationkey, count(*) OVER (ORDER BY regionkey RANGE BETWEEN 3 PRECEDING AND 2 PRECEDING) FROM nation;
SELECT nationkey, count(*) OVER (ORDER BY regionkey RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM nation;
SELECT nationkey, count(*) OVER (ORDER BY regionkey RANGE UNBOUNDED PRECEDING) FROM nation;
SELECT k, sum(k) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING), count(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM (VALUES 1, 2, 2, 4, NULL, NULL, 7) t(k);
duckdb: SELECT k, sum(k) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING), count(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM (VALUES (1), (2), (2), (4), (NULL), (NULL), (7)) t(k);
SELECT k, count(*) OVER (ORDER BY k NULLS FIRST RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM (VALUES 1, 2, 2, 4, NULL, NULL, 7) t(k);
duckdb: SELECT k, count(*) OVER (ORDER BY k NULLS FIRST RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM (VALUES (1), (2), (2), (4), (NULL), (NULL), (7)) t(k);
SELECT k, count(*) OVER (ORDER BY k RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING), count(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING) FROM (VALUES 1, 2, 2, 4, NULL, NULL, 7) t(k);
duckdb: SELECT k, count(*) OVER (ORDER BY k RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING), count(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING) FROM (VALUES (1), (2), (2), (4), (NULL), (NULL), (7)) t(k);
SELECT k, sum(k) OVER (ORDER BY k RANGE BETWEEN 0.5 PRECEDING AND 0.5 FOLLOWING) FROM (VALUES 1.0, 1.4, 1.6, 2.5) t(k);
duckdb: SELECT k, sum(k) OVER (ORDER BY k RANGE BETWEEN 0.5 PRECEDING AND 0.5 FOLLOWING) FROM (VALUES (1.0), (1.4), (1.6), (2.5)) t(k);
SELECT k, count(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 1e0 FOLLOWING) FROM (VALUES 1e0, 1.5e0, 2.5e0, 9e0) t(k);
duckdb: SELECT k, count(*) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 1e0 FOLLOWING) FROM (VALUES (1e0), (1.5e0), (2.5e0), (9e0)) t(k);
SELECT orderkey, count(*) OVER (ORDER BY orderdate RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW) FROM orders;
SELECT orderkey, sum(totalprice) OVER (PARTITION BY custkey ORDER BY orderdate RANGE BETWEEN INTERVAL '3' MONTH PRECEDING AND INTERVAL '3' MONTH FOLLOWING) FROM orders;
SELECT orderkey, count(*) OVER (ORDER BY orderdate DESC RANGE BETWEEN INTERVAL '2' DAY PRECEDING AND INTERVAL '1' DAY FOLLOWING) FROM orders;
SELECT orderkey, count(*) OVER (ORDER BY CAST(orderdate AS timestamp) RANGE BETWEEN INTERVAL '36' HOUR PRECEDING AND CURRENT ROW) FROM orders WHERE orderkey < 5000 ORDER BY orderkey;
SELECT orderkey, sum(custkey) OVER (ORDER BY totalprice RANGE BETWEEN 1000 PRECEDING AND 1000 FOLLOWING) FROM orders WHERE orderkey < 10000;
SELECT nationkey, count(*) OVER (ORDER BY nationkey RANGE BETWEEN regionkey PRECEDING AND regionkey FOLLOWING) FROM nation;
SELECT nationkey, first_value(nationkey) OVER (ORDER BY nationkey RANGE BETWEEN 2 PRECEDING AND 2 FOLLOWING), last_value(nationkey) OVER (ORDER BY nationkey RANGE BETWEEN 2 PRECEDING AND 2 FOLLOWING) FROM nation;
-- GROUPS.
SELECT nationkey, count(*) OVER (ORDER BY regionkey GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY regionkey GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY regionkey GROUPS BETWEEN 2 FOLLOWING AND 3 FOLLOWING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY regionkey GROUPS BETWEEN 3 PRECEDING AND 1 PRECEDING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY regionkey GROUPS UNBOUNDED PRECEDING) FROM nation;
SELECT nationkey, sum(nationkey) OVER (ORDER BY regionkey GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM nation;
SELECT orderkey, count(*) OVER (PARTITION BY orderstatus ORDER BY orderdate GROUPS BETWEEN 2 PRECEDING AND 2 FOLLOWING) FROM orders;
SELECT orderkey, sum(custkey) OVER (PARTITION BY orderpriority ORDER BY orderdate DESC GROUPS 30 PRECEDING) FROM orders;
SELECT nationkey, count(*) OVER (ORDER BY regionkey GROUPS BETWEEN nationkey % 3 PRECEDING AND nationkey % 2 FOLLOWING) FROM nation;
-- Where windows stand.
SELECT name, rank() OVER w, sum(nationkey) OVER w FROM nation WINDOW w AS (PARTITION BY regionkey ORDER BY name);
SELECT name, rank() OVER (w ORDER BY name), count(*) OVER w FROM nation WINDOW w AS (PARTITION BY regionkey);
SELECT name, sum(nationkey) OVER (w ROWS 1 PRECEDING) FROM nation WINDOW w AS (PARTITION BY regionkey ORDER BY name);
SELECT name, rank() OVER w2 FROM nation WINDOW w AS (PARTITION BY regionkey), w2 AS (w ORDER BY name);
SELECT regionkey, sum(count(*)) OVER (ORDER BY regionkey) FROM nation GROUP BY regionkey;
SELECT regionkey, count(*), rank() OVER (ORDER BY count(*) DESC, regionkey) FROM nation GROUP BY regionkey;
SELECT custkey, sum(totalprice), rank() OVER (ORDER BY sum(totalprice) DESC) FROM orders GROUP BY custkey;
SELECT orderstatus, orderpriority, count(*), sum(count(*)) OVER (PARTITION BY orderstatus), count(*) * 1e2 / sum(count(*)) OVER (PARTITION BY orderstatus) FROM orders GROUP BY orderstatus, orderpriority;
SELECT count(*), sum(sum(nationkey)) OVER () FROM nation;
SELECT regionkey % 2, max(sum(nationkey)) OVER (PARTITION BY regionkey % 2) FROM nation GROUP BY regionkey, regionkey % 2 HAVING count(*) > 1;
SELECT name FROM nation ORDER BY row_number() OVER (ORDER BY name DESC);
SELECT name, nationkey FROM nation ORDER BY rank() OVER (PARTITION BY regionkey ORDER BY name), name;
SELECT DISTINCT regionkey, count(*) OVER (PARTITION BY regionkey) FROM nation;
SELECT * FROM (SELECT name, regionkey, row_number() OVER (PARTITION BY regionkey ORDER BY name) rn FROM nation) t WHERE rn <= 2;
SELECT * FROM (SELECT name, regionkey, row_number() OVER (PARTITION BY regionkey ORDER BY name) rn FROM nation) t WHERE regionkey = 2 AND rn < 4;
SELECT * FROM (SELECT custkey, orderkey, rank() OVER (PARTITION BY custkey ORDER BY totalprice DESC) r FROM orders) t WHERE r = 1;
SELECT count(*) FROM (SELECT rank() OVER (ORDER BY name) FROM nation) t;
SELECT n.name, r.name, rank() OVER (PARTITION BY r.name ORDER BY n.name) FROM nation n JOIN region r ON n.regionkey = r.regionkey;
SELECT rank() OVER (ORDER BY x), sum(y) OVER (PARTITION BY x) FROM (SELECT regionkey x, nationkey y FROM nation) t;
SELECT nationkey, sum(s) OVER (ORDER BY nationkey) FROM (SELECT nationkey, sum(nationkey) OVER (ORDER BY nationkey) s FROM nation) t;
SELECT nationkey, 1 + rank() OVER (ORDER BY nationkey) * 2, CASE WHEN row_number() OVER (ORDER BY nationkey) > 3 THEN 'late' ELSE 'early' END FROM nation;
SELECT row_number() OVER (ORDER BY a), rank() OVER (PARTITION BY b ORDER BY a), dense_rank() OVER (PARTITION BY a, b) FROM (VALUES (1, 'x'), (2, 'y'), (3, 'x')) t(a, b);
SELECT nationkey, row_number() OVER (PARTITION BY 1 ORDER BY nationkey) FROM nation WHERE nationkey < 4;
SELECT nationkey, sum(nationkey) OVER (ORDER BY 'x') FROM nation WHERE nationkey < 4;
SELECT nationkey, sum(nationkey) OVER (PARTITION BY (SELECT max(regionkey) FROM region)) FROM nation;
SELECT rank() OVER (ORDER BY nationkey) FROM nation WHERE nationkey < 0;
SELECT name, (SELECT max(rn) FROM (SELECT row_number() OVER (ORDER BY regionkey) rn FROM region) t) FROM nation;
WITH r AS (SELECT custkey, row_number() OVER (ORDER BY acctbal DESC, custkey) n FROM customer) SELECT custkey FROM r WHERE n BETWEEN 10 AND 20 ORDER BY n;
SELECT name, sum(nationkey) OVER (PARTITION BY regionkey ORDER BY name), rank() OVER (ORDER BY name), count(*) OVER (PARTITION BY regionkey, length(name)) FROM nation;
SELECT orderkey, linenumber, row_number() OVER (ORDER BY orderkey, linenumber) FROM lineitem WHERE orderkey < 9000;
SELECT orderkey, linenumber, lag(shipdate, 1, DATE '1990-01-01') OVER (PARTITION BY partkey ORDER BY orderkey, linenumber) FROM lineitem WHERE orderkey < 9000;
-- Errors.
SELECT rank() FROM nation;
error: MISSING_OVER line 1:8: Window function rank requires an OVER clause
SELECT rank() OVER (ORDER BY rank() OVER (ORDER BY name)) FROM nation;
error: NESTED_WINDOW line 1:30: Cannot nest window functions or row pattern measures inside window specification
SELECT sum(rank() OVER (ORDER BY name)) OVER (ORDER BY name) FROM nation;
error: NESTED_WINDOW line 1:12: Cannot nest window functions or row pattern measures inside window function arguments
SELECT sum(rank() OVER (ORDER BY name)) FROM nation;
error: NESTED_WINDOW
SELECT name FROM nation WHERE rank() OVER (ORDER BY name) = 1;
error: EXPRESSION_NOT_SCALAR
SELECT regionkey FROM nation GROUP BY regionkey HAVING rank() OVER (ORDER BY regionkey) = 1;
error: NESTED_WINDOW line 1:56: HAVING clause cannot contain window functions or row pattern measures
SELECT count(*) FROM nation GROUP BY rank() OVER (ORDER BY name);
error: EXPRESSION_NOT_SCALAR
SELECT rank() OVER (ORDER BY name) FROM nation GROUP BY 1;
error: EXPRESSION_NOT_SCALAR
SELECT rank() OVER (ORDER BY name) FROM nation GROUP BY regionkey;
error: EXPRESSION_NOT_AGGREGATE line 1:30: ORDER BY expression 'name' must be an aggregate expression or appear in GROUP BY clause
SELECT sum(nationkey) OVER (ORDER BY name ROWS UNBOUNDED FOLLOWING) FROM nation;
error: INVALID_WINDOW_FRAME line 1:43: Window frame start cannot be UNBOUNDED FOLLOWING
SELECT sum(nationkey) OVER (ORDER BY name ROWS BETWEEN CURRENT ROW AND UNBOUNDED PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME line 1:43: Window frame end cannot be UNBOUNDED PRECEDING
SELECT sum(nationkey) OVER (ORDER BY name ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME line 1:43: Window frame starting from CURRENT ROW cannot end with PRECEDING
SELECT sum(nationkey) OVER (ORDER BY name ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME line 1:43: Window frame starting from FOLLOWING cannot end with PRECEDING
SELECT sum(nationkey) OVER (ORDER BY name ROWS 1 FOLLOWING) FROM nation;
error: INVALID_WINDOW_FRAME line 1:43: Window frame starting from FOLLOWING cannot end with CURRENT ROW
SELECT sum(nationkey) OVER (RANGE 1 PRECEDING) FROM nation;
error: MISSING_ORDER_BY line 1:28: Window frame of type RANGE PRECEDING or FOLLOWING requires ORDER BY
SELECT sum(nationkey) OVER (GROUPS 1 PRECEDING) FROM nation;
error: MISSING_ORDER_BY line 1:28: Window frame of type GROUPS PRECEDING or FOLLOWING requires ORDER BY
SELECT sum(nationkey) OVER (ORDER BY regionkey, nationkey RANGE 1 PRECEDING) FROM nation;
error: INVALID_ORDER_BY line 1:38: Window frame of type RANGE PRECEDING or FOLLOWING requires single sort item in ORDER BY (actual: 2)
SELECT sum(nationkey) OVER (ORDER BY name RANGE 1 PRECEDING) FROM nation;
error: TYPE_MISMATCH line 1:38: Window frame of type RANGE PRECEDING or FOLLOWING requires that sort item type be numeric, datetime or interval (actual: varchar(25))
SELECT count(*) OVER (ORDER BY orderdate RANGE 1 PRECEDING) FROM orders;
error: TYPE_MISMATCH line 1:48: Window frame RANGE value type (integer) not compatible with sort item type (date)
SELECT count(*) OVER (ORDER BY orderdate ROWS 1.5 PRECEDING) FROM orders;
error: TYPE_MISMATCH line 1:47: Window frame ROWS start value type must be exact numeric type with scale 0 (actual decimal(2,1))
SELECT sum(nationkey) OVER (ORDER BY name ROWS -1 PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME Window frame -1 offset must not be negative
SELECT sum(nationkey) OVER (ORDER BY name ROWS BETWEEN CURRENT ROW AND nationkey - 5 FOLLOWING) FROM nation;
error: INVALID_WINDOW_FRAME Window frame -5 offset must not be negative
SELECT sum(nationkey) OVER (ORDER BY name ROWS nullif(nationkey, 3) PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME Window frame starting offset must not be null
SELECT sum(nationkey) OVER (ORDER BY name GROUPS -1 PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME Window frame -1 offset must not be negative
SELECT sum(nationkey) OVER (ORDER BY nationkey RANGE -1 PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME Window frame offset value must not be negative or null
SELECT sum(nationkey) OVER (ORDER BY nationkey RANGE nullif(nationkey, 3) PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME Window frame offset value must not be negative or null
SELECT lag(name) OVER () FROM nation;
error: MISSING_ORDER_BY line 1:23: lag function requires an ORDER BY window clause
SELECT lead(name) OVER (ORDER BY name ROWS 1 PRECEDING) FROM nation;
error: INVALID_WINDOW_FRAME line 1:24: Cannot specify window frame for lead function
SELECT lag(nationkey, -1) OVER (ORDER BY name) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Offset must be at least 0
SELECT nth_value(nationkey, 0) OVER (ORDER BY name) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Offset must be at least 1
SELECT ntile(0) OVER (ORDER BY name) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Buckets must be greater than 0
SELECT rank(1) OVER (ORDER BY name) FROM nation;
error: FUNCTION_NOT_FOUND
SELECT abs(1) OVER (ORDER BY name) FROM nation;
error: FUNCTION_NOT_WINDOW line 1:8: Not a window function: abs
SELECT nosuch(1) OVER (ORDER BY name) FROM nation;
error: FUNCTION_NOT_FOUND line 1:8: Function 'nosuch' not registered
SELECT count(DISTINCT name) OVER () FROM nation;
error: NOT_SUPPORTED line 1:8: DISTINCT in window function parameters not yet supported: count(DISTINCT name) OVER ()
SELECT rank() FILTER (WHERE true) OVER (ORDER BY name) FROM nation;
error: FUNCTION_NOT_AGGREGATE line 1:8: Filter is only valid for aggregation functions
SELECT sum(nationkey) IGNORE NULLS OVER (ORDER BY name) FROM nation;
error: NULL_TREATMENT_NOT_ALLOWED line 1:8: Cannot specify null treatment clause for sum function
SELECT rank() OVER w FROM nation;
error: INVALID_WINDOW_REFERENCE line 1:20: Cannot resolve WINDOW name w
SELECT rank() OVER w FROM nation WINDOW w AS (ORDER BY name), W AS (ORDER BY name);
error: DUPLICATE_WINDOW_NAME line 1:63: WINDOW name 'W' specified more than once
SELECT rank() OVER (w PARTITION BY name) FROM nation WINDOW w AS (ORDER BY name);
error: INVALID_PARTITION_BY line 1:36: WINDOW specification with named WINDOW reference cannot specify PARTITION BY
SELECT rank() OVER (w ORDER BY name) FROM nation WINDOW w AS (ORDER BY name);
error: INVALID_ORDER_BY line 1:32: Cannot specify ORDER BY if referenced named WINDOW specifies ORDER BY
SELECT rank() OVER (w) FROM nation WINDOW w AS (ORDER BY name ROWS 1 PRECEDING);
error: INVALID_WINDOW_REFERENCE line 1:20: Cannot reference named WINDOW containing frame specification
SELECT rank() OVER (ORDER BY nosuch) FROM nation;
error: COLUMN_NOT_FOUND line 1:30: Column 'nosuch' cannot be resolved
SELECT name FROM nation WINDOW w AS (ORDER BY nosuch);
error: COLUMN_NOT_FOUND line 1:47: Column 'nosuch' cannot be resolved
SELECT sum(k) OVER (ORDER BY k) FROM (VALUES 9223372036854775807, 1) t(k);
error: NUMERIC_VALUE_OUT_OF_RANGE
