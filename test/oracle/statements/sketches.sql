-- Sketches as values (protocol.md 10.1, 10.4): few values are exact, many within the error that is promised, and parts merge to the same
SELECT cardinality(approx_set(nationkey)), cardinality(approx_set(regionkey)), cardinality(approx_set(name)), cardinality(approx_set(CAST(nationkey AS double))) FROM nation;
duckdb: SELECT count(DISTINCT nationkey), count(DISTINCT regionkey), count(DISTINCT name), count(DISTINCT nationkey) FROM nation;
SELECT regionkey, cardinality(approx_set(name)), cardinality(approx_set(nationkey) FILTER (WHERE nationkey < 10)) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, count(DISTINCT name), nullif(count(DISTINCT nationkey) FILTER (WHERE nationkey < 10), 0) FROM nation GROUP BY regionkey;
SELECT cardinality(approx_set(x)), approx_set(x) IS NULL FROM (VALUES CAST(NULL AS bigint)) t (x);
expect: [[null, true]]
SELECT abs(cardinality(approx_set(orderkey)) - count(DISTINCT orderkey)) < 0.06e0 * count(DISTINCT orderkey) FROM orders;
expect: [[true]]
SELECT abs(cardinality(approx_set(comment)) - count(DISTINCT comment)) < 0.06e0 * count(DISTINCT comment) FROM orders;
expect: [[true]]
SELECT cardinality(merge(s)) = (SELECT cardinality(approx_set(orderkey)) FROM orders) FROM (SELECT approx_set(orderkey) s FROM orders GROUP BY custkey);
expect: [[true]]
SELECT CAST(merge(s) AS varbinary) = (SELECT CAST(approx_set(custkey) AS varbinary) FROM orders) FROM (SELECT approx_set(custkey) s FROM orders GROUP BY orderpriority, orderstatus);
expect: [[true]]
SELECT cardinality(merge(CAST(CAST(s AS varbinary) AS HyperLogLog))) FROM (SELECT regionkey, approx_set(nationkey) s FROM nation GROUP BY regionkey);
expect: [[25]]
SELECT cardinality(CAST(approx_set(nationkey) AS P4HyperLogLog)), length(CAST(CAST(approx_set(nationkey) AS P4HyperLogLog) AS varbinary)) FROM nation;
expect: [[25, 2053]]
SELECT empty_approx_set(), cardinality(empty_approx_set()), typeof(empty_approx_set());
expect: [["AgwAAA==", 0, "HyperLogLog"]]
types: HyperLogLog, bigint, varchar
SELECT nationkey, cardinality(approx_set(regionkey) OVER (ORDER BY nationkey ROWS 3 PRECEDING)) FROM nation;
duckdb: SELECT nationkey, count(DISTINCT regionkey) OVER (ORDER BY nationkey ROWS 3 PRECEDING) FROM nation;
SELECT count(*) FROM (SELECT cardinality(approx_set(orderkey) OVER (ORDER BY orderkey ROWS BETWEEN 150 PRECEDING AND 150 FOLLOWING)) c FROM orders WHERE orderkey < 6000) WHERE c BETWEEN 149 AND 303;
duckdb: SELECT count(*) FROM orders WHERE orderkey < 6000;
SELECT cardinality(CAST(X'00' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT merge(s) FROM (VALUES CAST(X'020C0000' AS HyperLogLog), CAST(X'020B0000' AS HyperLogLog)) t (s);
error: INVALID_FUNCTION_ARGUMENT Cannot merge HLLs with different number of buckets: 4096 vs 2048
SELECT CAST('x' AS HyperLogLog);
error: TYPE_MISMATCH line 1:8: Cannot cast varchar(1) to HyperLogLog
SELECT approx_set(nationkey) < approx_set(regionkey) FROM nation;
error: TYPE_MISMATCH
SELECT value_at_quantile(tdigest_agg(x), 0.5), value_at_quantile(tdigest_agg(x), 0), value_at_quantile(tdigest_agg(x), 1), values_at_quantiles(tdigest_agg(x), ARRAY[0.25, 0.75]) FROM (VALUES 1e0, 2e0, 3e0, 4e0, 5e0) t (x);
expect: [[3, 1, 5, [2, 4]]]
SELECT value_at_quantile(tdigest_agg(x, w), 0.5), quantile_at_value(tdigest_agg(x, w), 0), quantile_at_value(tdigest_agg(x, w), 9) FROM (VALUES (1e0, 1), (5e0, 9)) t (x, w);
expect: [[4.555555555555555, 0, 1]]
SELECT tdigest_agg(x) IS NULL, value_at_quantile(tdigest_agg(x), 0.5) FROM (VALUES CAST(NULL AS double)) t (x);
expect: [[true, null]]
SELECT abs(value_at_quantile(tdigest_agg(totalprice), 0.5) - approx_percentile(totalprice, 0.5)) < 2000e0 FROM (SELECT CAST(totalprice AS double) totalprice FROM orders);
expect: [[true]]
SELECT bool_and(abs(value_at_quantile(d, q) / 15000 - q) < 0.01) FROM (SELECT tdigest_agg(row_number) d FROM (SELECT row_number() OVER () row_number FROM orders)), (VALUES 0.01, 0.1, 0.5, 0.9, 0.99) t (q);
expect: [[true]]
SELECT bool_and(abs(value_at_quantile(d, q) / 15000 - q) < 0.01) FROM (SELECT merge(d) d FROM (SELECT tdigest_agg(n) d FROM (SELECT row_number() OVER () n, custkey FROM orders) GROUP BY custkey)), (VALUES 0.01, 0.1, 0.5, 0.9, 0.99) t (q);
expect: [[true]]
SELECT value_at_quantile(tdigest_agg(nationkey), 1.5) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Quantile should be within bounds [0, 1], was: 1.5
SELECT tdigest_agg(nan());
error: INVALID_FUNCTION_ARGUMENT Value must be finite, was: NaN
SELECT tdigest_agg(x, 0) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Weight must be positive and finite, was: 0.0
SELECT value_at_quantile(qdigest_agg(nationkey), 0.5), values_at_quantiles(qdigest_agg(nationkey), ARRAY[0, 0.2, 1]), typeof(qdigest_agg(nationkey)) FROM nation;
expect: [[12, [0, 4, 24], "qdigest(bigint)"]]
SELECT value_at_quantile(qdigest_agg(x), 0.5), value_at_quantile(qdigest_agg(CAST(x AS real)), 0), typeof(qdigest_agg(CAST(x AS real))) FROM (VALUES -1.5e0, 0e0, 2.25e0) t (x);
expect: [[0, -1.5, "qdigest(real)"]]
SELECT value_at_quantile(qdigest_agg(x, w), 0.5), value_at_quantile(qdigest_agg(x, w, 0.05), 0.05) FROM (VALUES (BIGINT '1', BIGINT '1'), (5, 9)) t (x, w);
expect: [[5, 1]]
SELECT bool_and(abs(CAST(value_at_quantile(d, q) AS double) / 15000 - q) <= 0.011) FROM (SELECT qdigest_agg(n) d FROM (SELECT row_number() OVER () n FROM orders)), (VALUES 0.01, 0.1, 0.5, 0.9, 0.99) t (q);
expect: [[true]]
SELECT bool_and(abs(CAST(value_at_quantile(d, q) AS double) / 15000 - q) <= 0.02) FROM (SELECT merge(d) d FROM (SELECT qdigest_agg(n) d FROM (SELECT row_number() OVER () n, custkey FROM orders) GROUP BY custkey % 100)), (VALUES 0.01, 0.1, 0.5, 0.9, 0.99) t (q);
expect: [[true]]
SELECT quantile_at_value(qdigest_agg(nationkey), BIGINT '24'), quantile_at_value(qdigest_agg(nationkey), BIGINT '4'), quantile_at_value(qdigest_agg(nationkey), BIGINT '-1') FROM nation;
expect: [[1, 0.2, 0]]
SELECT nationkey, value_at_quantile(qdigest_agg(nationkey) OVER (ORDER BY nationkey ROWS 2 PRECEDING), 1) FROM nation;
duckdb: SELECT nationkey, nationkey FROM nation;
SELECT qdigest_agg(x, w) FROM (VALUES (BIGINT '1', BIGINT '0')) t (x, w);
error: INVALID_FUNCTION_ARGUMENT Percentile weight must be > 0
SELECT qdigest_agg(x, BIGINT '1', 2e0) FROM (VALUES BIGINT '1') t (x);
error: INVALID_FUNCTION_ARGUMENT Percentile accuracy must be exclusively between 0 and 1, was 2.0
SELECT value_at_quantile(CAST(CAST(qdigest_agg(nationkey) AS varbinary) AS qdigest(bigint)), 1) FROM nation;
expect: [[24]]
-- Histograms: means of buckets with their weights, and the most frequent values
SELECT numeric_histogram(3, x) FROM (VALUES 1e0, 1e0, 2e0, 10e0, 11e0, 50e0) t (x);
expect: [[{"1.3333333333333333": 3, "10.5": 2, "50.0": 1}]]
types: map(double, double)
SELECT numeric_histogram(10, x, w) FROM (VALUES (1e0, 2), (3e0, 4), (1e0, 1)) t (x, w);
expect: [[{"1.0": 3, "3.0": 4}]]
SELECT numeric_histogram(2, CAST(x AS real)), typeof(numeric_histogram(2, CAST(x AS real))) FROM (VALUES 1, 2, 8) t (x);
expect: [[{"1.5": 2, "8.0": 1}, "map(real, real)"]]
SELECT cardinality(numeric_histogram(20, totalprice)), reduce(map_values(numeric_histogram(20, totalprice)), 0e0, (s, x) -> s + x, s -> s) FROM (SELECT CAST(totalprice AS double) totalprice FROM orders);
expect: [[20, 15000]]
SELECT numeric_histogram(5, x) FROM (VALUES CAST(NULL AS double)) t (x);
expect: [[null]]
SELECT numeric_histogram(1, 1e0);
error: INVALID_FUNCTION_ARGUMENT numeric_histogram bucket count must be greater than one
SELECT approx_most_frequent(3, regionkey, 10) FROM nation WHERE nationkey NOT IN (5, 6, 7);
expect: [[{"1": 5, "2": 5, "4": 5}]]
SELECT approx_most_frequent(2, x, 10) FROM (VALUES 'a', 'b', 'a', 'c', 'a', 'b', NULL) t (x);
expect: [[{"a": 3, "b": 2}]]
types: map(varchar, bigint)
SELECT approx_most_frequent(2, orderstatus, 3) FROM orders;
duckdb: SELECT map(['O', 'F'], [(SELECT count(*) FROM orders WHERE orderstatus = 'O'), (SELECT count(*) FROM orders WHERE orderstatus = 'F')]);
SELECT approx_most_frequent(2, x, 10) FROM (VALUES CAST(NULL AS bigint)) t (x);
expect: [[null]]
SELECT approx_most_frequent(1, nationkey, 10) FROM nation;
error: INVALID_FUNCTION_ARGUMENT approx_most_frequent bucket count must be greater than one, input bucket count: 1
-- Colours
SELECT color('red'), color('#f80'), rgb(1, 2, 255), color(0.5, rgb(255, 0, 0), rgb(0, 255, 0)), color(15, 10, 20, rgb(0, 0, 0), rgb(255, 255, 255));
expect: [["red", "#ff8800", "#0102ff", "#ffff00", "#808080"]]
types: color, color, color, color, color
SELECT replace(render('x', color('green')), chr(27), '^'), replace(render(12, rgb(255, 0, 0)), chr(27), '^'), replace(render(true), chr(27), '^'), replace(render(1.5e0, color('black')), chr(27), '^');
expect: [["^[38;5;2mx^[0m", "^[38;5;196m12^[0m", "^[38;5;2m✓^[0m", "^[38;5;0m1.5^[0m"]]
SELECT replace(bar(0.5, 4), chr(27), '^'), replace(bar(1, 2, rgb(0, 0, 0), rgb(255, 255, 255)), chr(27), '^'), length(bar(0, 10));
expect: [["^[38;5;196m█^[38;5;214m█^[0m  ", "^[38;5;16m█^[38;5;231m█^[0m", 14]]
SELECT color('pink');
error: INVALID_FUNCTION_ARGUMENT Invalid color: 'pink'
SELECT rgb(0, 256, 0);
error: INVALID_FUNCTION_ARGUMENT green must be between 0 and 255
SELECT color(1, color('red'), rgb(0, 0, 0));
error: INVALID_FUNCTION_ARGUMENT lowColor not a valid RGB color
CREATE TABLE memory.default.sketches AS SELECT regionkey, approx_set(name) names, tdigest_agg(nationkey) t, qdigest_agg(nationkey) q, color('red') c FROM nation GROUP BY regionkey;
expect: [[5]]
SELECT cardinality(merge(names)), value_at_quantile(merge(t), 1), value_at_quantile(merge(q), 0), arbitrary(c) FROM memory.default.sketches;
expect: [[25, 24, 0, "red"]]
SELECT ARRAY[c][1], ARRAY[names][1] IS NULL, cardinality(MAP(ARRAY[1], ARRAY[names])[1]) FROM memory.default.sketches WHERE regionkey = 1;
expect: [["red", false, 5]]
DROP TABLE memory.default.sketches;
expect: [[true]]
-- Colors are equal or not; none is greater than another.
SELECT color('red') = color('red'), color('red') <> rgb(255, 0, 0), color('red') IS DISTINCT FROM NULL, color('red') IN (color('blue'), color('red'));
expect: [[true, true, true, true]]
SELECT nullif(color('red'), color('red')), CASE color('red') WHEN color('blue') THEN 1 WHEN color('red') THEN 2 END;
expect: [[null, 2]]
SELECT count(*) FROM (VALUES color('red'), color('blue')) t (x) JOIN (VALUES color('red')) u (x) USING (x);
expect: [[1]]
SELECT color('red') < color('blue');
error: TYPE_MISMATCH line 1:21: Cannot apply operator: color < color
SELECT nullif(approx_set(1), approx_set(2));
error: TYPE_MISMATCH line 1:8: Types are not comparable with NULLIF: HyperLogLog vs HyperLogLog
