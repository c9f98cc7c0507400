-- max, min, max_by, min_by of more than one value, and approx_percentile with weights and for arrays (protocol.md 10.4)
SELECT max(nationkey, 3), min(nationkey, 3), max(name, 2), min(name, 2) FROM nation;
types: array(bigint), array(bigint), array(varchar(25)), array(varchar(25))
SELECT regionkey, max(nationkey, 2), min(name, 9), max(CAST(nationkey AS double) / 4, 1) FROM nation GROUP BY regionkey;
SELECT max_by(name, nationkey, 3), min_by(name, nationkey, 3), max_by(nationkey, name, 2) FROM nation;
duckdb: SELECT arg_max(name, nationkey, 3), arg_min(name, nationkey, 3), arg_max(nationkey, name, 2) FROM nation;
types: array(varchar(25)), array(varchar(25)), array(bigint)
SELECT custkey, max(orderkey, 3), min_by(orderkey, orderdate * 1, 1) FROM (SELECT custkey, orderkey, orderkey AS orderdate FROM orders) GROUP BY custkey;
duckdb: SELECT custkey, max(orderkey, 3), arg_min(orderkey, orderkey, 1) FROM orders GROUP BY custkey;
SELECT shipmode, max(orderkey * 10 + linenumber, 200), min_by(linenumber, orderkey * 10 + linenumber, 100) FROM lineitem GROUP BY shipmode;
duckdb: SELECT shipmode, max(orderkey * 10 + linenumber, 200), arg_min(linenumber, orderkey * 10 + linenumber, 100) FROM lineitem GROUP BY shipmode;
SELECT max(orderkey, 10000) = array_sort(array_agg(orderkey), (a, b) -> CASE WHEN a < b THEN 1 WHEN a = b THEN 0 ELSE -1 END) FROM orders WHERE orderkey < 30000;
expect: [[true]]
-- NULLs: no values, no n, no key are no rows; a NULL beside a key is a value
SELECT max(x, 2), min(x, 2), max(x, n) FROM (VALUES (CAST(NULL AS bigint), 1), (5, 2), (3, NULL), (9, 7)) t (x, n);
expect: [[[9, 5], [3, 5], [9, 5]]]
SELECT max_by(x, y, 3), min_by(x, y, 2), max_by(x, y, n) FROM (VALUES ('a', 1, 1), (NULL, 4, 2), ('c', NULL, 2), ('d', 3, NULL)) t (x, y, n);
expect: [[[null, "d", "a"], ["a", "d"], [null]]]
SELECT max(x, 2), min_by(x, x, 2) FROM (VALUES CAST(NULL AS double)) t (x);
expect: [[null, null]]
SELECT max(nationkey, 2), min_by(name, nationkey, 2) FROM nation WHERE false;
expect: [[null, null]]
SELECT max(nationkey, 2) FILTER (WHERE nationkey < 10), min(DISTINCT regionkey, 3), max_by(DISTINCT regionkey, regionkey, 9) FROM nation;
expect: [[[9, 8], [0, 1, 2], [4, 3, 2, 1, 0]]]
-- Equals keep the order they came in
SELECT max_by(x, y, 2), min_by(x, y, 9) FROM (VALUES ('a', 1), ('b', 1), ('c', 1)) t (x, y);
expect: [[["a", "b"], ["a", "b", "c"]]]
-- Keys of any type that has an order
SELECT max_by(x, y), min_by(x, y), max_by(x, y, 2) FROM (VALUES (1, ARRAY[1, 2]), (2, ARRAY[1, 3]), (3, ARRAY[1])) t (x, y);
expect: [[2, 3, [2, 1]]]
SELECT max_by(x, y), min_by(x, y), min_by(x, y, 2) FROM (VALUES (1, ROW(1, 'b')), (2, ROW(1, 'a')), (3, ROW(2, NULL))) t (x, y);
expect: [[3, 2, [2, 1]]]
SELECT max(x, 2), min(x, 1) FROM (VALUES ARRAY['b'], ARRAY['a', 'z'], ARRAY['a']) t (x);
expect: [[[["b"], ["a", "z"]], [["a"]]]]
SELECT max(x, 2), max(y, 2), max(z, 1), min(w, 2) FROM (VALUES (DECIMAL '1.50', DATE '2020-01-01', true, TIMESTAMP '2020-01-01 00:00:00.000'), (DECIMAL '2.25', DATE '2019-12-31', false, TIMESTAMP '2019-01-01 00:00:00.000')) t (x, y, z, w);
expect: [[["2.25", "1.50"], ["2020-01-01", "2019-12-31"], [true], ["2019-01-01 00:00:00.000", "2020-01-01 00:00:00.000"]]]
SELECT max(nan_or, 2), min(nan_or, 1) FROM (VALUES 1e0, nan(), 3e0) t (nan_or);
expect: [[[3.0, 1.0], [1.0]]]
SELECT max_by(1, MAP(ARRAY[1], ARRAY[2]));
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer, map(integer, integer)) for function max_by. Expected: max_by(V, K) K:orderable, V, max_by(V, K, bigint) K:orderable, V
SELECT max(MAP(ARRAY[1], ARRAY[2]));
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (map(integer, integer)) for function max. Expected: max(T) T:orderable, max(T, bigint) T:orderable
-- Limits
SELECT max(nationkey, 0) FROM nation;
error: INVALID_FUNCTION_ARGUMENT second argument of max_n/min_n must be positive
SELECT min(nationkey, -3) FROM nation;
error: INVALID_FUNCTION_ARGUMENT second argument of max_n/min_n must be positive
SELECT max(nationkey, 10001) FROM nation;
error: INVALID_FUNCTION_ARGUMENT second argument of max_n/min_n must be less than or equal to 10000; found 10001
SELECT max_by(name, nationkey, 0) FROM nation;
error: INVALID_FUNCTION_ARGUMENT third argument of max_by/min_by must be a positive integer
SELECT min_by(name, CAST(NULL AS bigint), 10001) FROM nation;
error: INVALID_FUNCTION_ARGUMENT third argument of max_by/min_by must be less than or equal to 10000; found 10001
-- Windows
SELECT nationkey, max(nationkey, 2) OVER (ORDER BY nationkey), min(name, 2) OVER (PARTITION BY regionkey ORDER BY nationkey ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM nation;
SELECT nationkey, max_by(name, nationkey, 2) OVER (PARTITION BY regionkey), min_by(nationkey, name, 2) OVER (ORDER BY nationkey ROWS 3 PRECEDING) FROM nation;
duckdb: SELECT nationkey, arg_max(name, nationkey, 2) OVER (PARTITION BY regionkey), arg_min(nationkey, name, 2) OVER (ORDER BY nationkey ROWS 3 PRECEDING) FROM nation;
SELECT nationkey, max_by(nationkey, ARRAY[name]) OVER (ORDER BY nationkey) FROM nation;
duckdb: SELECT nationkey, arg_max(nationkey, name) OVER (ORDER BY nationkey) FROM nation;
-- Percentiles for an array of shares
SELECT approx_percentile(nationkey, ARRAY[0.0, 0.5, 1.0]), approx_percentile(CAST(nationkey AS real), ARRAY[0.1]), approx_percentile(nationkey * 1e0, ARRAY[1e0, 0e0]) FROM nation;
expect: [[[0, 12, 24], [2.0], [24.0, 0.0]]]
types: array(bigint), array(real), array(double)
SELECT regionkey, approx_percentile(nationkey, ARRAY[0.5, 0.9, 0.1]) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, quantile_disc(nationkey, [0.5, 0.9, 0.1]) FROM nation GROUP BY regionkey;
SELECT custkey, approx_percentile(totalprice, ARRAY[0.75, 0.25]) FROM orders WHERE custkey < 300 GROUP BY custkey;
duckdb: SELECT custkey, quantile_disc(totalprice::DOUBLE, [0.75, 0.25]) FROM orders WHERE custkey < 300 GROUP BY custkey;
SELECT approx_percentile(x, ARRAY[0.5]), approx_percentile(x, CAST(NULL AS array(double))), cardinality(approx_percentile(1, ARRAY[])) FROM (VALUES CAST(NULL AS bigint)) t (x);
expect: [[null, null, 0]]
SELECT approx_percentile(nationkey, ARRAY[0.5, NULL]) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Percentile cannot be null
SELECT approx_percentile(nationkey, ARRAY[0.5, 1.5]) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Percentile must be between 0 and 1
-- Weights: as many rows as the weight says
SELECT approx_percentile(x, w, 0.5), approx_percentile(x, w, ARRAY[0.0, 0.3, 0.9, 1.0]), approx_percentile(CAST(x AS real), w, 0.9), approx_percentile(x * 1e0, w, ARRAY[0.2]) FROM (VALUES (10, 1), (20, 2), (30, 6), (40, 1)) t (x, w);
expect: [[30, [10, 20, 30, 40], 30.0, [20.0]]]
types: bigint, array(bigint), real, array(double)
SELECT approx_percentile(x, w, 0.5) FROM (VALUES (1, 1.5e0), (2, 1e0), (3, 1.25e0)) t (x, w);
expect: [[2]]
SELECT regionkey, approx_percentile(nationkey, regionkey + 1, 0.5), approx_percentile(nationkey, nationkey + 1, ARRAY[0.25, 0.75]) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, (SELECT quantile_disc(n.nationkey, 0.5) FROM nation n WHERE n.regionkey = o.regionkey), (SELECT quantile_disc(n.nationkey, [0.25, 0.75]) FROM nation n, range(25) r(i) WHERE n.regionkey = o.regionkey AND r.i <= n.nationkey) FROM nation o GROUP BY regionkey;
SELECT abs(approx_percentile(orderkey, 1000, 0.5) - 30000) < 1200, abs(approx_percentile(orderkey, linenumber, ARRAY[0.9])[1] - 54000) < 1600 FROM lineitem;
expect: [[true, true]]
SELECT nationkey, approx_percentile(nationkey, 2, ARRAY[0.5]) OVER (ORDER BY nationkey ROWS 2 PRECEDING) FROM nation WHERE nationkey < 4;
expect: [[0, [0]], [1, [0]], [2, [1]], [3, [2]]]
SELECT approx_percentile(x, w, 0.5) FROM (VALUES (1, CAST(NULL AS double)), (NULL, 1e0)) t (x, w);
expect: [[null]]
SELECT approx_percentile(nationkey, 0, 0.5) FROM nation;
error: INVALID_FUNCTION_ARGUMENT weight must be >= 1, was 0.0
SELECT approx_percentile(nationkey, nan(), ARRAY[0.5]) FROM nation;
error: INVALID_FUNCTION_ARGUMENT weight must be >= 1, was NaN
-- Functions of several makes
SELECT width_bucket(x, ARRAY[0.0, 2.0, 4.0]), width_bucket(x, ARRAY[1]) FROM (VALUES -1e0, 0e0, 3.14e0, infinity(), NULL) t (x);
expect: [[0, 0], [1, 0], [2, 1], [3, 1], [null, null]]
SELECT width_bucket(3.14, ARRAY[]);
error: INVALID_FUNCTION_ARGUMENT Bins cannot be an empty array
SELECT width_bucket(nan(), ARRAY[1.0]);
error: INVALID_FUNCTION_ARGUMENT Operand cannot be NaN
SELECT width_bucket(3.14, ARRAY[1.0, 0.3, 0.0]);
error: INVALID_FUNCTION_ARGUMENT Bin values are not sorted in ascending order
SELECT width_bucket(3.14, ARRAY[0.0, infinity()]);
error: INVALID_FUNCTION_ARGUMENT Bin value must be finite, got Infinity
SELECT width_bucket(3.14, ARRAY[0.0, NULL]);
error: INVALID_FUNCTION_ARGUMENT Bin values cannot be NULL
SELECT from_utf8(X'61FF62', 63), from_utf8(X'E282', 128512), from_utf8(X'41', 65);
expect: [["a?b", "😀", "A"]]
SELECT from_utf8(X'61FF62', 55296);
error: INVALID_FUNCTION_ARGUMENT Invalid replacement character
SELECT from_utf8(X'61FF62', 1114112);
error: INVALID_FUNCTION_ARGUMENT Invalid replacement character
SELECT to_hex(CAST('aé' AS varbinary)), to_hex(VARBINARY 'xyz'), to_hex(CAST(CAST(NULL AS varchar) AS varbinary)), TRY_CAST(name AS varbinary) = to_utf8(name), CAST(ARRAY[name] AS array(varbinary))[1] = to_utf8(name) FROM nation WHERE nationkey = 3;
expect: [["61C3A9", "78797A", null, true, true]]
SELECT concat_ws(',', ARRAY['a', NULL, 'b']), concat_ws(',', ARRAY[]), concat_ws(CAST(NULL AS varchar), ARRAY['a']), concat_ws('-', CAST(NULL AS array(varchar)));
expect: [["a,b", "", null, null]]
SELECT to_hex(from_hex(to_utf8('4a'))), to_hex(from_base64(to_utf8('YWI='))), to_hex(from_base64url(to_utf8('_w=='))), truncate(DECIMAL '12.99'), to_base(255, 2), current_timezone();
expect: [["4A", "6162", "FF", "12", "11111111", "UTC"]]
types: varchar, varchar, varchar, decimal(2, 0), varchar(64), varchar
