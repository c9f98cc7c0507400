-- Maps: constructors, subscripts, comparison, functions, lambdas (protocol 1.11, 10.3, 10.4).
SELECT MAP(ARRAY['a', 'b'], ARRAY[1, NULL]), MAP(ARRAY[1, 2], ARRAY[DATE '2020-01-01', NULL]), MAP();
types: map(varchar(1), integer), map(integer, date), map(unknown, unknown)
expect: [[{"a": 1, "b": null}, {"1": "2020-01-01", "2": null}, {}]]
SELECT MAP(ARRAY[1.50, 2], ARRAY['x', 'y']), MAP(ARRAY[true], ARRAY[ARRAY[1]]);
expect: [[{"1.50": "x", "2.00": "y"}, {"true": [1]}]]
SELECT MAP(ARRAY['a'], ARRAY[5])['a'], MAP(ARRAY[1, 2], ARRAY['x', NULL])[2], element_at(MAP(ARRAY['a'], ARRAY[5]), 'b');
expect: [[5, null, null]]
SELECT MAP(ARRAY['a'], ARRAY[5])['zz'];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: zz
SELECT MAP(ARRAY[1], ARRAY[5])[3];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: 3
SELECT MAP(ARRAY['a', 'a'], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (a) are not allowed
SELECT MAP(ARRAY['a', NULL], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT MAP(ARRAY['a'], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Key and value arrays must be the same length
SELECT MAP(ARRAY[1, 2], ARRAY[3, 4]) = MAP(ARRAY[2, 1], ARRAY[4, 3]), MAP(ARRAY[1], ARRAY[2]) = MAP(ARRAY[1], ARRAY[3]), MAP(ARRAY[1], ARRAY[NULL]) = MAP(ARRAY[1], ARRAY[3]), MAP(ARRAY[1], ARRAY[2]) <> MAP(ARRAY[2], ARRAY[2]);
expect: [[true, false, null, true]]
SELECT MAP(ARRAY[1], ARRAY[2]) < MAP(ARRAY[1], ARRAY[3]);
error: TYPE_MISMATCH
SELECT count(*), cardinality(m) FROM (VALUES MAP(ARRAY[1, 2], ARRAY[3, 4]), MAP(ARRAY[2, 1], ARRAY[4, 3]), MAP(ARRAY[2], ARRAY[4])) t(m) GROUP BY m;
expect: [[2, 2], [1, 1]]
SELECT cardinality(MAP(ARRAY[1, 2], ARRAY[3, 4])), map_keys(MAP(ARRAY[1, 2], ARRAY['a', 'b'])), map_values(MAP(ARRAY[1, 2], ARRAY['a', 'b'])), map_entries(MAP(ARRAY[1, 2], ARRAY['a', NULL]));
expect: [[2, [1, 2], ["a", "b"], [[1, "a"], [2, null]]]]
SELECT map_from_entries(ARRAY[ROW(1, 'a'), ROW(2, 'b')]), multimap_from_entries(ARRAY[ROW(1, 'a'), ROW(1, 'b')]);
types: map(integer, varchar(1)), map(integer, array(varchar(1)))
expect: [[{"1": "a", "2": "b"}, {"1": ["a", "b"]}]]
SELECT map_from_entries(ARRAY[ROW(1, 'a'), ROW(1, 'b')]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (1) are not allowed
SELECT map_concat(MAP(ARRAY[1, 2], ARRAY['a', 'b']), MAP(ARRAY[2, 3], ARRAY['c', 'd'])), map_concat(MAP(ARRAY[1], ARRAY[2]), MAP());
expect: [[{"1": "a", "2": "c", "3": "d"}, {"1": 2}]]
SELECT map_filter(MAP(ARRAY[1, 2], ARRAY['a', NULL]), (k, v) -> v IS NOT NULL), transform_keys(MAP(ARRAY[1, 2], ARRAY['a', 'b']), (k, v) -> CAST(k AS varchar) || v), transform_values(MAP(ARRAY[1, 2], ARRAY[10, 20]), (k, v) -> v + k);
expect: [[{"1": "a"}, {"1a": "a", "2b": "b"}, {"1": 11, "2": 22}]]
SELECT transform_keys(MAP(ARRAY[1, 2], ARRAY['a', 'b']), (k, v) -> 1);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (1) are not allowed
SELECT map_zip_with(MAP(ARRAY[1, 2], ARRAY[10, 20]), MAP(ARRAY[2, 3], ARRAY[5, 6]), (k, p, q) -> k + coalesce(p, 0) - coalesce(q, 0));
expect: [[{"1": 11, "2": 17, "3": -3}]]
SELECT split_to_map('a=1;b=2', ';', '='), split_to_multimap('a=1;a=2;b=3', ';', '=');
expect: [[{"a": "1", "b": "2"}, {"a": ["1", "2"], "b": ["3"]}]]
SELECT split_to_map('a=1;a=2', ';', '=');
error: INVALID_FUNCTION_ARGUMENT Duplicate keys (a) are not allowed
SELECT split_to_map('a', ';', '=');
error: INVALID_FUNCTION_ARGUMENT Key-value delimiter must appear exactly once in each entry. Bad input: 'a'
SELECT CAST(MAP(ARRAY[1], ARRAY['5']) AS MAP(varchar, double)), CAST(MAP() AS MAP(varchar, bigint));
types: map(varchar, double), map(varchar, bigint)
expect: [[{"1": 5.0}, {}]]
SELECT CAST(MAP(ARRAY['1', '01'], ARRAY[1, 2]) AS MAP(integer, integer));
error: INVALID_CAST_ARGUMENT duplicate keys
SELECT round(cosine_similarity(MAP(ARRAY['a', 'b'], ARRAY[1e0, 2e0]), MAP(ARRAY['a', 'c'], ARRAY[1e0, 1e0])), 6);
expect: [[0.316228]]
SELECT name, MAP(ARRAY[name], ARRAY[nationkey])[name] FROM nation WHERE nationkey < 3;
duckdb: SELECT name, nationkey FROM nation WHERE nationkey < 3;
-- A key that holds a NULL is neither equal to another nor different
SELECT MAP(ARRAY[ARRAY[NULL]], ARRAY[2]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be indeterminate: [null]
SELECT map_from_entries(ARRAY[ROW(ROW(1, NULL), 2)]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be indeterminate: [1, null]
