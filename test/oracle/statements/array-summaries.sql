-- Functions of arrays, maps and sets beyond protocol.md 10.4: Presto's documentation, functions/array.rst, map.rst, plugin-loaded-functions.rst and aggregate.rst; Trino's array.md for trim_array, array_first, array_last, array_histogram
SELECT array_first(ARRAY[3, 1]), array_last(ARRAY[3, 1]), array_first(ARRAY[]), array_last(ARRAY[1, NULL]), array_first(CAST(NULL AS array(integer)));
expect: [[3, 1, null, null, null]]
SELECT trim_array(ARRAY[1, 2, 3, 4], 0), trim_array(ARRAY['a', NULL], 1), trim_array(ARRAY[1], 1), trim_array(ARRAY[1], NULL);
expect: [[[1, 2, 3, 4], ["a"], [], null]]
SELECT trim_array(ARRAY[1, 2, 3, 4], 5);
error: INVALID_FUNCTION_ARGUMENT size must not exceed array cardinality 4: 5
SELECT trim_array(ARRAY[1, 2, 3, 4], -1);
error: INVALID_FUNCTION_ARGUMENT size must not be negative: -1
SELECT array_sum(ARRAY[1, 2, NULL]), array_sum(ARRAY[]), array_sum(ARRAY[NULL, CAST(NULL AS bigint)]), array_sum(ARRAY[1.5, 2.25]), array_sum(ARRAY[CAST(1 AS real), NULL]), array_sum(CAST(NULL AS array(double)));
expect: [[3, 0, 0, 3.75, 1.0, null]]
SELECT array_sum(ARRAY[9223372036854775807, 1]);
error: NUMERIC_VALUE_OUT_OF_RANGE bigint addition overflow: 9223372036854775807 + 1
SELECT regionkey, array_sum(array_agg(nationkey)), array_average(array_agg(nationkey)) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, CAST(sum(nationkey) AS bigint), avg(nationkey) FROM nation GROUP BY regionkey;
SELECT array_average(ARRAY[1, 2, NULL]), array_average(ARRAY[]), array_average(ARRAY[CAST(NULL AS double)]);
expect: [[1.5, null, null]]
SELECT array_cum_sum(ARRAY[1, 2, NULL, 3]), array_cum_sum(ARRAY[NULL, 1]), array_cum_sum(ARRAY[0.5e0, 0.25e0]), array_cum_sum(ARRAY[3000000000, 1]), array_cum_sum(CAST(ARRAY[] AS array(integer)));
expect: [[[1, 3, null, null], [null, null], [0.5, 0.75], [3000000000, 3000000001], []]]
types: array(integer), array(integer), array(double), array(bigint), array(integer)
SELECT array_cum_sum(ARRAY[2147483647, 1]);
error: NUMERIC_VALUE_OUT_OF_RANGE integer addition overflow: 2147483647 + 1
SELECT array_frequency(ARRAY['a', 'b', NULL, 'a']), array_frequency(ARRAY[]), array_histogram(ARRAY[1.5e0, 1.5e0, NULL]), array_histogram(CAST(NULL AS array(integer)));
expect: [[{"a": 2, "b": 1}, {}, {"1.5": 2}, null]]
types: map(varchar(1), integer), map(unknown, integer), map(double, bigint), map(integer, bigint)
SELECT array_duplicates(ARRAY[5, 2, 5, 1, 1, NULL, 5]), array_duplicates(ARRAY[NULL, 1, NULL]), array_duplicates(ARRAY['a', 'b']), array_duplicates(ARRAY[ARRAY[1], ARRAY[1]]);
expect: [[[5, 1], [null], [], [[1]]]]
SELECT array_duplicates(ARRAY[ROW(1, NULL), ROW(1, NULL)]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null or contain nulls
SELECT array_has_duplicates(ARRAY[1, 2]), array_has_duplicates(ARRAY[1, 2, 1]), array_has_duplicates(ARRAY[NULL, 1, NULL]), array_has_duplicates(ARRAY[]);
expect: [[false, true, true, false]]
SELECT array_least_frequent(ARRAY[1, 0, 5]), array_least_frequent(ARRAY[1, NULL, 1]), array_least_frequent(ARRAY[3, 2, 2, 6, 6, 1, 1], 3), array_least_frequent(ARRAY[1, 2], 0), array_least_frequent(ARRAY[CAST(NULL AS integer)]), array_least_frequent(ARRAY[]);
expect: [[[0], [1], [3, 1, 2], [], null, null]]
SELECT array_least_frequent(ARRAY[1], -1);
error: GENERIC_USER_ERROR n must be greater than or equal to 0
SELECT array_least_frequent(ARRAY[ROW(1, NULL), ROW(1, NULL)]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null or contain nulls
SELECT array_normalize(ARRAY[3e0, 4e0], 2e0), array_normalize(ARRAY[1e0, -3e0], 1e0), array_normalize(ARRAY[1e0, 2e0], 0e0), array_normalize(ARRAY[0e0], 2e0), array_normalize(ARRAY[1e0, NULL], 2e0), array_normalize(ARRAY[REAL '3', REAL '4'], REAL '2');
expect: [[[0.6, 0.8], [0.25, -0.75], [1.0, 2.0], [0.0], null, [0.6, 0.8]]]
SELECT array_normalize(ARRAY[1e0], -1e0);
error: INVALID_FUNCTION_ARGUMENT array_normalize only supports non-negative p: -1.0
SELECT array_sort_desc(ARRAY[NULL, 100, NULL, 1, 10, 50]), array_sort_desc(ARRAY[ARRAY['a', NULL], NULL, ARRAY['a']]), array_sort_desc(CAST(ARRAY[] AS array(varchar)));
expect: [[[100, 50, 10, 1, null, null], [["a", null], ["a"], null], []]]
SELECT array_top_n(ARRAY[1, 100, 2, 5, 3], 3), array_top_n(ARRAY[1, 100], 5), array_top_n(ARRAY['a', 'zzz', 'zz', 'b', 'g', 'f'], 3), array_top_n(ARRAY[1, NULL, 2], 3), array_top_n(ARRAY[1], 0);
expect: [[[100, 5, 3], [100, 1], ["zzz", "zz", "g"], [2, 1, null], []]]
SELECT array_top_n(ARRAY[1], -1);
error: GENERIC_USER_ERROR Parameter n: -1 to ARRAY_TOP_N is negative
SELECT array_top_n(ARRAY[100, 1, 3, -10, 6, -5], 3, (x, y) -> IF(abs(x) < abs(y), -1, IF(abs(x) = abs(y), 0, 1))), array_top_n(ARRAY[2, 1], 9, (x, y) -> IF(x < y, 1, IF(x = y, 0, -1)));
expect: [[[100, -10, 6], [1, 2]]]
SELECT array_top_n(ARRAY[2, 1], 1, (x, y) -> 7);
error: INVALID_FUNCTION_ARGUMENT Lambda comparator must return either -1, 0, or 1
SELECT array_split_into_chunks(ARRAY[1, 2, 3, 4], 3), array_split_into_chunks(ARRAY[1, NULL], 1), array_split_into_chunks(ARRAY[], 2), array_split_into_chunks(ARRAY[1], 5);
expect: [[[[1, 2, 3], [4]], [[1], [null]], [], [[1]]]]
SELECT array_split_into_chunks(ARRAY[1], 0);
error: GENERIC_USER_ERROR Invalid slice size: 0. Size must be greater than zero.
SELECT array_split_into_chunks(flatten(repeat(sequence(1, 10000), 2)), 1);
error: GENERIC_USER_ERROR Cannot split array of size: 20000 into more than 10000 parts.
SELECT remove_nulls(ARRAY[1, NULL, 2, NULL]), remove_nulls(ARRAY[NULL]), remove_nulls(CAST(NULL AS array(integer)));
expect: [[[1, 2], [], null]]
SELECT array_intersect(ARRAY[ARRAY[1, 2, 3, 2, NULL], ARRAY[1, 2, 2, 4, NULL], ARRAY[1, 2, 3, 4, NULL]]), array_intersect(ARRAY[ARRAY['a', 'a']]), array_intersect(CAST(ARRAY[] AS array(array(integer)))), array_intersect(ARRAY[ARRAY[1], NULL]);
expect: [[[1, 2, null], ["a"], [], null]]
-- Searches with a lambda
SELECT array_max_by(ARRAY['a', 'bbb', 'cc'], x -> length(x)), array_min_by(ARRAY['aa', 'b', 'c'], x -> length(x)), array_max_by(ARRAY['aa', 'b', 'cc'], x -> length(x)), array_max_by(ARRAY[1, 2], x -> CASE WHEN x > 1 THEN x END), array_max_by(CAST(ARRAY[] AS array(integer)), x -> x);
expect: [["bbb", "b", "cc", null, null]]
SELECT find_first(ARRAY[3, 4, 5, 6], x -> x > 4), find_first(ARRAY[3, 4, 5, 6], 2, x -> x > 0), find_first(ARRAY[3, 4, 5, 6], -2, x -> x > 0), find_first(ARRAY[3, 4, 5, 6], 2, x -> x < 4), find_first(ARRAY[3, 4, 5, 6], -2, x -> x > 5), find_first(ARRAY[1], 5, x -> true);
expect: [[5, 4, 5, null, null, null]]
SELECT find_first_index(ARRAY[3, 4, 5, 6], x -> x > 4), find_first_index(ARRAY[3, 4, 5, 6], 2, x -> x > 0), find_first_index(ARRAY[3, 4, 5, 6], -2, x -> x > 0), find_first_index(ARRAY[3, 4, 5, 6], 2, x -> x < 4), find_first_index(ARRAY[NULL, 1], x -> x IS NULL);
expect: [[3, 2, 3, null, 1]]
SELECT find_first(ARRAY[1], 0, x -> true);
error: INVALID_FUNCTION_ARGUMENT SQL array indices start at 1
-- Maps
SELECT map_subset(MAP(ARRAY[1, 2, 3], ARRAY['a', NULL, 'c']), ARRAY[2, 9, NULL]), map_subset(MAP(ARRAY['a'], ARRAY[1]), ARRAY[]), map_key_exists(MAP(ARRAY[1], ARRAY[NULL]), 1), map_key_exists(MAP(ARRAY[1], ARRAY[2]), 3);
expect: [[{"2": null}, {}, true, false]]
SELECT map_top_n(MAP(ARRAY['a', 'b', 'c', 'd'], ARRAY[2, 3, NULL, 2]), 3), map_top_n(MAP(ARRAY['a', 'b'], ARRAY[NULL, 1]), 5), map_top_n(MAP(), 1);
expect: [[{"b": 3, "d": 2, "a": 2}, {"b": 1, "a": null}, {}]]
SELECT map_keys_by_top_n_values(MAP(ARRAY['a', 'b', 'c'], ARRAY[2, 1, 3]), 2), map_keys_by_top_n_values(MAP(ARRAY['a', 'b'], ARRAY[1, 1]), 1), map_top_n_keys(MAP(ARRAY['a', 'b', 'c'], ARRAY[3, 2, 1]), 2), map_top_n_values(MAP(ARRAY['a', 'b', 'c'], ARRAY[1, NULL, 3]), 3);
expect: [[["c", "a"], ["b"], ["c", "b"], [3, 1, null]]]
SELECT map_top_n_keys(MAP(ARRAY[1, 2, 3], ARRAY[3, 2, 1]), 2, (x, y) -> IF(x < y, 1, IF(x = y, 0, -1))), map_top_n_values(MAP(ARRAY['a', 'b', 'c'], ARRAY[1, NULL, 3]), 3, (x, y) -> IF(x < y, 1, IF(x = y, 0, -1)));
expect: [[[1, 2], [1, 3, null]]]
SELECT map_top_n(MAP(ARRAY[1], ARRAY[2]), -1);
error: GENERIC_USER_ERROR n must be greater than or equal to 0
SELECT map_normalize(MAP(ARRAY['a', 'b', 'c'], ARRAY[1, 4, NULL])), map_normalize(MAP(ARRAY['a'], ARRAY[CAST(NULL AS double)])), map_remove_null_values(MAP(ARRAY[1, 2], ARRAY['a', NULL]));
expect: [[{"a": 0.2, "b": 0.8, "c": null}, {"a": null}, {"1": "a"}]]
SELECT any_keys_match(m, k -> k = 'a'), all_keys_match(m, k -> length(k) = 1), no_keys_match(m, k -> k = 'd'), any_values_match(m, v -> v = 1), no_values_match(m, v -> v = 4), any_values_match(m, v -> v = 9), no_values_match(m, v -> v = 1) FROM (SELECT MAP(ARRAY['a', 'b', 'c'], ARRAY[1, 2, NULL]) m);
expect: [[true, true, true, true, null, null, false]]
SELECT any_keys_match(MAP(), k -> true), all_keys_match(MAP(), k -> false), no_keys_match(CAST(NULL AS map(integer, integer)), k -> true);
expect: [[false, true, null]]
-- Sets and sums of maps over rows
SELECT array_sort(set_agg(regionkey)), cardinality(set_agg(name)), set_agg(1) FROM nation;
expect: [[[0, 1, 2, 3, 4], 25, [1]]]
types: array(bigint), bigint, array(integer)
SELECT set_agg(x), set_agg(x) FILTER (WHERE x > 1), set_agg(DISTINCT x) FROM (VALUES 1, 2, NULL, 2, NULL) t (x);
expect: [[[1, 2, null], [2], [1, 2, null]]]
SELECT set_agg(nationkey), set_union(ARRAY[nationkey]), map_union_sum(MAP(ARRAY[nationkey], ARRAY[1])) FROM nation WHERE false;
expect: [[null, null, null]]
SELECT set_union(x), set_union(y), set_union(x) FILTER (WHERE x IS NULL) FROM (VALUES (ARRAY[1, 2, NULL], ARRAY['a']), (ARRAY[2, 3], NULL), (NULL, ARRAY['b', 'a'])) t (x, y);
expect: [[[1, 2, null, 3], ["a", "b"], []]]
SELECT regionkey, array_sort(set_agg(nationkey % 3)), cardinality(set_union(ARRAY[nationkey, nationkey % 2])) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, list_sort(list(DISTINCT nationkey % 3)), (SELECT count(DISTINCT x) FROM (SELECT unnest([nationkey, nationkey % 2]) x FROM nation n WHERE n.regionkey = o.regionkey)) FROM nation o GROUP BY regionkey;
SELECT map_union_sum(m) FROM (VALUES MAP(ARRAY['a', 'b'], ARRAY[1, 2]), MAP(ARRAY['b', 'c'], ARRAY[3, NULL]), NULL, MAP(ARRAY['a', 'd'], ARRAY[5, 6])) t (m);
expect: [[{"a": 6, "b": 5, "c": 0, "d": 6}]]
types: map(varchar(1), integer)
SELECT map_union_sum(MAP(ARRAY[regionkey], ARRAY[nationkey * 0.5e0])), map_union_sum(MAP(ARRAY[1], ARRAY[CAST(nationkey AS real)])) FROM nation;
expect: [[{"0": 25.0, "1": 23.5, "2": 34.0, "3": 38.5, "4": 29.0}, {"1": 300.0}]]
SELECT map_union_sum(MAP(ARRAY[1], ARRAY[2147483647])) FROM (VALUES 1, 2) t (x);
error: NUMERIC_VALUE_OUT_OF_RANGE integer addition overflow: 2147483647 + 2147483647
SELECT map_union_sum(MAP(ARRAY[1], ARRAY['a']));
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (map(integer, varchar(1))) for function map_union_sum. Expected: map_union_sum(map(K,V)) K:comparable, V
SELECT set_union(1);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer) for function set_union. Expected: set_union(array(T)) T:comparable
SELECT nationkey, set_agg(regionkey) OVER (ORDER BY nationkey ROWS 2 PRECEDING), set_union(ARRAY[regionkey]) OVER (ORDER BY nationkey ROWS 1 PRECEDING) FROM nation WHERE nationkey < 3;
expect: [[0, [0], [0]], [1, [0, 1], [0, 1]], [2, [0, 1], [1]]]
-- Regression and folds of bits
SELECT regr_avgx(y, x), regr_avgy(y, x), regr_count(y, x), regr_r2(y, x), regr_sxx(y, x), regr_sxy(y, x), regr_syy(y, x) FROM (SELECT CAST(totalprice AS double) y, CAST(orderkey % 97 AS double) x FROM orders) t;
types: double, double, double, double, double, double, double
SELECT k, regr_avgx(y, x), regr_avgy(y, x), regr_count(y, x), regr_r2(y, x), regr_sxx(y, x), regr_sxy(y, x), regr_syy(y, x) FROM (SELECT custkey k, CAST(totalprice AS double) y, CASE WHEN orderkey % 5 > 0 THEN CAST(orderkey % 97 AS double) END x FROM orders WHERE custkey < 100) t GROUP BY k;
SELECT regr_avgx(y, x), regr_avgy(y, x), regr_count(y, x), regr_r2(y, x), regr_sxx(y, x), regr_sxy(y, x), regr_syy(y, x) FROM (VALUES (1e0, CAST(NULL AS double))) t (y, x);
expect: [[null, null, null, null, null, null, null]]
SELECT regr_r2(y, x), regr_r2(x, y), regr_r2(x, x), regr_count(y, x) FROM (VALUES (7e0, 1e0), (7e0, 2e0)) t (y, x);
expect: [[1.0, null, 1.0, 2.0]]
SELECT regr_avgx(CAST(y AS real), CAST(x AS real)), regr_syy(CAST(y AS real), CAST(x AS real)) FROM (VALUES (1, 2), (3, 5)) t (y, x);
expect: [[3.5, 2.0]]
types: real, real
SELECT bitwise_xor_agg(nationkey), bitwise_xor_agg(nationkey) FILTER (WHERE nationkey < 0), bitwise_xor_agg(x) FROM nation CROSS JOIN (VALUES 6) t (x);
duckdb: SELECT bit_xor(nationkey), NULL, 6 FROM nation;
SELECT regionkey, bitwise_xor_agg(nationkey * 7 - 50) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, bit_xor(nationkey * 7 - 50) FROM nation GROUP BY regionkey;
-- What is said of calls with lambdas that fit nothing
SELECT array_max_by(ARRAY[1], 2, x -> x);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (array(integer), integer, <function>) for function array_max_by. Expected: array_max_by(array(T), function(T,U)) U:orderable, T
SELECT no_such_function(ARRAY[1], x -> x);
error: FUNCTION_NOT_FOUND line 1:8: Function 'no_such_function' not registered
SELECT any_keys_match(MAP(ARRAY[1], ARRAY[2]), (k, v) -> true);
error: INVALID_PARAMETER_USAGE line 1:48: Expected a lambda that takes 1 argument(s) but got 2
