-- ORDER BY inside aggregates (protocol.md 10.4): the rows of a group in that order; what no order changes is the same with any.
SELECT regionkey, arbitrary(name ORDER BY name DESC) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, max(name) FROM nation GROUP BY regionkey;
SELECT arbitrary(name ORDER BY nationkey DESC, name), arbitrary(nationkey ORDER BY nationkey DESC) FROM nation;
expect: [["UNITED STATES", 24]]
SELECT l.returnflag, arbitrary(l.orderkey ORDER BY l.orderkey DESC) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey GROUP BY l.returnflag;
duckdb: SELECT returnflag, max(orderkey) FROM lineitem GROUP BY returnflag;
SELECT arbitrary(name ORDER BY nationkey) FILTER (WHERE regionkey = 2), count(*) FROM nation;
expect: [["INDIA", 25]]
SELECT max(name ORDER BY nationkey), count(DISTINCT name ORDER BY name), min(name ORDER BY name) FILTER (WHERE nationkey > 3) FROM nation;
expect: [["VIETNAM", 25, "CHINA"]]
SELECT arbitrary(DISTINCT name ORDER BY name DESC) FROM nation;
expect: [["VIETNAM"]]
SELECT regionkey, arbitrary(name ORDER BY name) FROM nation GROUP BY GROUPING SETS ((regionkey), ());
duckdb: SELECT regionkey, min(name) FROM nation GROUP BY GROUPING SETS ((regionkey), ());
SELECT arbitrary(name ORDER BY nationkey), arbitrary(name ORDER BY name DESC) FROM nation;
SELECT array_agg(nationkey ORDER BY name), array_agg(name ORDER BY nationkey DESC) FROM nation;
SELECT regionkey, array_agg(nationkey ORDER BY name), array_agg(name ORDER BY nationkey DESC), arbitrary(name ORDER BY nationkey DESC), arbitrary(nationkey ORDER BY name DESC), count(*) FROM nation GROUP BY regionkey;
SELECT array_agg(nationkey ORDER BY name), array_agg(DISTINCT nationkey % 3 ORDER BY nationkey % 3 DESC) FROM nation;
SELECT array_agg(x ORDER BY y), array_agg(y ORDER BY x DESC NULLS FIRST), arbitrary(x ORDER BY y DESC NULLS LAST, x), array_agg(x ORDER BY y DESC NULLS FIRST) FROM (VALUES (1, NULL), (NULL, 2), (3, 3), (4, 1)) t (x, y);
SELECT array_agg(x ORDER BY y), array_agg(y ORDER BY x), arbitrary(x ORDER BY y, x DESC), arbitrary(y ORDER BY x DESC) FROM (VALUES (1, 2)) t (x, y) WHERE x > 1;
SELECT regionkey, array_agg(nationkey ORDER BY name) FILTER (WHERE nationkey > 5), arbitrary(name ORDER BY nationkey DESC) FILTER (WHERE nationkey > 20) FROM nation GROUP BY GROUPING SETS ((regionkey), ());
SELECT o.custkey, array_agg(o.orderkey ORDER BY o.totalprice, o.orderkey), array_agg(o.orderkey ORDER BY o.orderdate DESC, o.orderkey), arbitrary(o.orderkey ORDER BY o.comment, o.orderkey) FROM orders o WHERE o.custkey < 200 GROUP BY o.custkey;
SELECT max_by(name, regionkey ORDER BY name), arbitrary(name ORDER BY name DESC), sum(nationkey ORDER BY nationkey) FROM nation;
expect: [["EGYPT", "VIETNAM", 300]]
SELECT count(DISTINCT name ORDER BY nationkey) FROM nation;
error: EXPRESSION_NOT_IN_DISTINCT line 1:37: For aggregate function with DISTINCT, ORDER BY expressions must appear in arguments
SELECT lower(name ORDER BY name) FROM nation;
error: FUNCTION_NOT_AGGREGATE line 1:8: ORDER BY is only valid for aggregation functions
