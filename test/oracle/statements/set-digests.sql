-- Set digests: the documented values, exact while there are few values, and within the error of the estimate when there are many
SELECT cardinality(make_set_digest(value)) FROM (VALUES 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5) T(value);
expect: [[5]]
SELECT intersection_cardinality(make_set_digest(v1), make_set_digest(v2)) FROM (VALUES (1, 1), (NULL, 2), (2, 3), (3, 4)) T(v1, v2);
expect: [[3]]
SELECT jaccard_index(make_set_digest(v1), make_set_digest(v2)) FROM (VALUES (1, 1), (NULL,2), (2, 3), (NULL, 4)) T(v1, v2);
expect: [[0.5]]
SELECT hash_counts(make_set_digest(value)) FROM (VALUES 1, 1, 1, 2, 2) T(value);
expect: [[{"-2447670524089286488": 2, "19144387141682250": 3}]]
types: map(bigint, smallint)
SELECT cardinality(merge_set_digest(a)) FROM (SELECT make_set_digest(value) a FROM (VALUES 4,3,2,1) T(value));
expect: [[4]]
SELECT cardinality(make_set_digest(value)), typeof(make_set_digest(value)) FROM (VALUES 'Trino', 'SQL', 'on', 'everything') T(value);
expect: [[4, "setdigest"]]
SELECT make_set_digest(x) IS NULL, cardinality(make_set_digest(x)) FROM (VALUES CAST(NULL AS bigint)) t (x);
expect: [[true, null]]
SELECT regionkey, cardinality(make_set_digest(name)), cardinality(make_set_digest(nationkey) FILTER (WHERE nationkey < 10)) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, count(DISTINCT name), nullif(count(DISTINCT nationkey) FILTER (WHERE nationkey < 10), 0) FROM nation GROUP BY regionkey;
SELECT cardinality(make_set_digest(custkey)) FROM orders;
duckdb: SELECT count(DISTINCT custkey) FROM orders;
SELECT intersection_cardinality(a, b) FROM (SELECT make_set_digest(custkey) a FROM customer), (SELECT make_set_digest(custkey) b FROM orders);
duckdb: SELECT count(*) FROM (SELECT custkey FROM customer INTERSECT SELECT custkey FROM orders);
SELECT abs(cardinality(make_set_digest(orderkey)) - count(DISTINCT orderkey)) < 0.08e0 * count(DISTINCT orderkey) FROM orders;
expect: [[true]]
SELECT abs(jaccard_index(a, b) - 0.5e0) < 0.05e0, abs(intersection_cardinality(a, b) - 10000) < 1200 FROM (SELECT make_set_digest(x) FILTER (WHERE x <= 15000) a, make_set_digest(x) FILTER (WHERE x > 5000) b FROM UNNEST(sequence(1, 10000), sequence(10001, 20000)) u (l, h) CROSS JOIN UNNEST(ARRAY[l, h]) v (x));
expect: [[true, true]]
SELECT CAST(merge_set_digest(s) AS varbinary) = (SELECT CAST(make_set_digest(custkey) AS varbinary) FROM orders) FROM (SELECT make_set_digest(custkey) s FROM orders GROUP BY orderpriority, orderstatus);
expect: [[true]]
SELECT map_values(hash_counts(make_set_digest(regionkey))) FROM nation;
expect: [[[5, 5, 5, 5, 5]]]
SELECT reduce(map_values(hash_counts(make_set_digest(custkey))), 0, (s, x) -> s + x, s -> s) FROM orders;
duckdb: SELECT count(*) FROM orders;
SELECT map_values(hash_counts(make_set_digest(1))) FROM lineitem;
expect: [[[32767]]]
SELECT nationkey, cardinality(make_set_digest(regionkey) OVER (ORDER BY nationkey ROWS 3 PRECEDING)) FROM nation;
duckdb: SELECT nationkey, count(DISTINCT regionkey) OVER (ORDER BY nationkey ROWS 3 PRECEDING) FROM nation;
SELECT cardinality(CAST(CAST(make_set_digest(x) AS varbinary) AS setdigest)) FROM (VALUES X'00', X'01') t (x);
expect: [[2]]
SELECT cardinality(CAST(X'00' AS setdigest));
error: INVALID_FUNCTION_ARGUMENT Invalid setdigest
SELECT make_set_digest(1) = make_set_digest(2);
error: TYPE_MISMATCH
SELECT make_set_digest(1e0);
error: FUNCTION_NOT_FOUND
