-- array_agg and the aggregates that give maps, sequences and splits (protocol 10.4).
SELECT array_agg(x), array_agg(x) FILTER (WHERE x > 1), array_agg(ARRAY[x]) FROM (VALUES 1, 2, NULL) t(x);
expect: [[[1, 2, null], [2], [[1], [2], [null]]]]
SELECT array_agg(x) FROM (VALUES 1) t(x) WHERE x > 1;
expect: [[null]]
SELECT regionkey, array_sort(array_agg(name)) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, list_sort(list(name)) FROM nation GROUP BY regionkey;
SELECT custkey, array_sort(array_agg(totalprice)), cardinality(array_agg(orderkey)) FROM orders WHERE custkey < 20 GROUP BY custkey;
duckdb: SELECT custkey, list_sort(list(totalprice::double)), count(*) FROM orders WHERE custkey < 20 GROUP BY custkey;
SELECT cardinality(array_agg(orderkey)), cardinality(array_agg(DISTINCT custkey)), array_max(array_agg(comment)) FROM orders;
duckdb: SELECT count(*), count(DISTINCT custkey), max(comment) FROM orders;
SELECT nationkey, array_agg(nationkey) OVER (PARTITION BY regionkey ORDER BY nationkey) FROM nation;
duckdb: SELECT nationkey, list(nationkey) OVER (PARTITION BY regionkey ORDER BY nationkey) FROM nation;
SELECT transform(array_agg(name), x -> x || '!') FROM nation WHERE nationkey < 3 GROUP BY regionkey HAVING cardinality(array_agg(name)) = 1;
expect: [[["ALGERIA!"]]]
SELECT multimap_agg(k, v), map_agg(k, v), histogram(k) FROM (VALUES ('a', 1), ('b', 2), ('a', 3), (NULL, 4)) t(k, v);
types: map(varchar(1), array(integer)), map(varchar(1), integer), map(varchar(1), bigint)
expect: [[{"a": [1, 3], "b": [2]}, {"a": 1, "b": 2}, {"a": 2, "b": 1}]]
SELECT map_agg(k, v), histogram(k) FROM (VALUES ('a', 1)) t(k, v) WHERE v > 1;
expect: [[null, null]]
SELECT map_union(m) FROM (VALUES MAP(ARRAY[1], ARRAY['a']), MAP(ARRAY[1, 2], ARRAY['b', 'c']), NULL) t(m);
expect: [[{"1": "a", "2": "c"}]]
SELECT regionkey, histogram(length(name) > 7) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, histogram(length(name) > 7) FROM nation GROUP BY regionkey;
SELECT map_union(1) FROM nation;
error: FUNCTION_NOT_FOUND
SELECT sequence(1, 5), sequence(5, 1), sequence(1, 10, 4), sequence(10, 1, -4), sequence(3, 3);
expect: [[[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [1, 5, 9], [10, 6, 2], [3]]]
SELECT sequence(DATE '2020-02-28', DATE '2020-03-01'), sequence(DATE '2020-01-31', DATE '2020-03-31', INTERVAL '1' MONTH);
expect: [[["2020-02-28", "2020-02-29", "2020-03-01"], ["2020-01-31", "2020-02-29", "2020-03-31"]]]
SELECT sequence(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 02:00:00', INTERVAL '1' HOUR);
expect: [[["2020-01-01 00:00:00", "2020-01-01 01:00:00", "2020-01-01 02:00:00"]]]
SELECT sequence(1, 100000);
error: INVALID_FUNCTION_ARGUMENT result of sequence function must not have more than 10000 entries
SELECT sequence(1, 5, 0);
error: INVALID_FUNCTION_ARGUMENT step must not be zero
SELECT sequence(1, 5, -1);
error: INVALID_FUNCTION_ARGUMENT
SELECT sequence(DATE '2020-01-01', DATE '2020-01-02', INTERVAL '1' HOUR);
error: INVALID_FUNCTION_ARGUMENT sequence step must be a day interval if start and end values are dates
SELECT sum(x) FROM UNNEST(sequence(1, 10000)) t(x);
duckdb: SELECT sum(x) FROM range(1, 10001) t(x);
SELECT split('a,b,,c', ','), split('a,b,c', ',', 2), split('', ','), split('abc', 'x');
expect: [[["a", "b", "", "c"], ["a", "b,c"], [""], ["abc"]]]
SELECT split('a', '');
error: INVALID_FUNCTION_ARGUMENT The delimiter may not be the empty string
SELECT split('a', ',', 0);
error: INVALID_FUNCTION_ARGUMENT Limit must be positive
SELECT regexp_extract_all('1a 2b 14m', '\d+'), regexp_extract_all('1a 2b', '(\d+)([a-z]+)', 2), regexp_split('1a 2b 14m', '\s*[a-z]+\s*');
expect: [[["1", "2", "14"], ["a", "b"], ["1", "2", "14", ""]]]
SELECT regexp_extract_all('1a', '(\d)', 2);
error: INVALID_FUNCTION_ARGUMENT Pattern has 1 groups. Cannot access group 2
SELECT count(*) FROM orders CROSS JOIN UNNEST(split(comment, ' ')) t(word) WHERE word = 'carefully';
duckdb: SELECT count(*) FROM (SELECT unnest(string_split(comment, ' ')) word FROM orders) WHERE word = 'carefully';
