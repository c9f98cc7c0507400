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
error: NOT_SUPPORTED Aggregations with different ORDER BY in one query are not supported
SELECT count(DISTINCT name ORDER BY nationkey) FROM nation;
error: EXPRESSION_NOT_IN_DISTINCT line 1:37: For aggregate function with DISTINCT, ORDER BY expressions must appear in arguments
SELECT lower(name ORDER BY name) FROM nation;
error: FUNCTION_NOT_AGGREGATE line 1:8: ORDER BY is only valid for aggregation functions
