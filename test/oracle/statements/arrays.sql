-- Arrays and rows: constructors, subscripts, comparison, functions, lambdas (protocol 1.11, 10.1, 10.3, 10.4).
SELECT ARRAY[1, 2, NULL], ARRAY['a', 'bcd'], ARRAY[ARRAY[1], NULL];
types: array(integer), array(varchar(3)), array(array(integer))
SELECT ARRAY[1.5, 2];
types: array(decimal(11, 1))
expect: [[["1.5", "2.0"]]]
SELECT ARRAY[], cardinality(ARRAY[]);
types: array(unknown), bigint
expect: [[[], 0]]
SELECT ARRAY[true, false], ARRAY[1e0, nan(), -infinity()], ARRAY[DATE '2020-01-31'], ARRAY[X'65'];
expect: [[[true, false], [1.0, "NaN", "-Infinity"], ["2020-01-31"], ["ZQ=="]]]
SELECT ROW(1, 'a', NULL), ROW(ARRAY[1], ROW(2, 3));
types: row(integer, varchar(1), unknown), row(array(integer), row(integer, integer))
expect: [[[1, "a", null], [[1], [2, 3]]]]
SELECT (1, 'x');
expect: [[[1, "x"]]]
SELECT CAST(ROW(1, 'x') AS ROW(a bigint, b varchar));
types: row(a bigint, b varchar)
expect: [[[1, "x"]]]
SELECT CAST(ROW(1, 'x') AS ROW(a bigint, b varchar)).b, ROW(1, 'x')[1];
expect: [["x", 1]]
SELECT r.a, t.r.b, t.r.c.d FROM (SELECT CAST(ROW(1, 'x', ROW(5)) AS ROW(a bigint, b varchar, c ROW(d integer))) r) t;
expect: [[1, "x", 5]]
SELECT r.nope FROM (SELECT CAST(ROW(1) AS ROW(a bigint)) r) t;
error: COLUMN_NOT_FOUND line 1:8: Column 'r.nope' cannot be resolved
SELECT ARRAY[1, 2, 3][2], ARRAY['a', 'b'][1], ARRAY[1, NULL][2];
SELECT ARRAY[1, 2, 3][5];
error: INVALID_FUNCTION_ARGUMENT Array subscript must be less than or equal to array length: 5 > 3
SELECT ARRAY[1, 2, 3][0];
error: INVALID_FUNCTION_ARGUMENT SQL array indices start at 1
SELECT ARRAY[1, 2, 3][-1];
error: INVALID_FUNCTION_ARGUMENT Array subscript is negative: -1
SELECT try(ARRAY[1, 2, 3][9]);
expect: [[null]]
SELECT 1[1];
error: TYPE_MISMATCH line 1:8: Cannot use integer for subscript of integer
SELECT element_at(ARRAY[1, 2, 3], 2), element_at(ARRAY[1, 2, 3], -1), element_at(ARRAY[1, 2, 3], 4), element_at(ARRAY[1, 2, 3], -4), element_at(ARRAY['x'], 9);
duckdb: SELECT 2, 3, NULL, NULL, NULL;
SELECT element_at(ARRAY[1], 0);
error: INVALID_FUNCTION_ARGUMENT SQL array indices start at 1
SELECT ARRAY[1, 2] = ARRAY[1, 2], ARRAY[1, 2] = ARRAY[1], ARRAY[1, 2] <> ARRAY[2, 1], ARRAY[1, 2] < ARRAY[1, 3], ARRAY[1] < ARRAY[1, 0], ARRAY['b'] > ARRAY['a', 'z'];
SELECT ARRAY[1, NULL] = ARRAY[1, 2], ARRAY[1, NULL] = ARRAY[2, NULL], ARRAY[1, NULL] <> ARRAY[2, 3], ARRAY[NULL] = ARRAY[1, 2];
expect: [[null, false, true, false]]
SELECT ARRAY[1, NULL] IS DISTINCT FROM ARRAY[1, NULL], ARRAY[1, NULL] IS DISTINCT FROM ARRAY[1, 2], ARRAY[0e0] IS DISTINCT FROM ARRAY[-0e0];
SELECT ARRAY[1, NULL] < ARRAY[1, 2];
error: NOT_SUPPORTED ARRAY comparison not supported for arrays with null elements
SELECT ROW(1, 2) = ROW(1, 2), ROW(1, 2) < ROW(1, 3), ROW(1, NULL) = ROW(1, 2), ROW(2, NULL) = ROW(1, 2);
expect: [[true, true, null, false]]
SELECT ARRAY[nan()] = ARRAY[nan()], ARRAY[nan()] IS DISTINCT FROM ARRAY[nan()];
expect: [[false, false]]
SELECT ARRAY[1] = ARRAY['a'];
error: TYPE_MISMATCH line 1:17: Cannot apply operator: array(integer) = array(varchar(1))
SELECT ARRAY[1, 'a'];
error: TYPE_MISMATCH
SELECT ARRAY[1, 2] IN (ARRAY[1, 2], ARRAY[3]), ARRAY[1, 2] IN (ARRAY[1], ARRAY[3]), ARRAY[1] IN (ARRAY[NULL], ARRAY[2]), ARRAY[1] NOT IN (ARRAY[2], ARRAY[3]);
expect: [[true, false, null, true]]
SELECT a, count(*) FROM (VALUES ARRAY[1, 2], ARRAY[1, 2], ARRAY[3], ARRAY[NULL], ARRAY[NULL], NULL) t(a) GROUP BY a;
duckdb: SELECT a, count(*) FROM (VALUES (ARRAY[1, 2]), (ARRAY[1, 2]), (ARRAY[3]), (ARRAY[NULL]), (ARRAY[NULL]), (NULL)) t(a) GROUP BY a;
SELECT DISTINCT ROW(regionkey, regionkey % 2) FROM nation;
duckdb: SELECT DISTINCT [regionkey, regionkey % 2] FROM nation;
SELECT a FROM (VALUES ARRAY[2], ARRAY[1, 5], ARRAY[1], ARRAY[], ARRAY[10]) t(a) ORDER BY a;
expect: [[[]], [[1]], [[1, 5]], [[2]], [[10]]]
SELECT max(a), min(a), max(r) FROM (VALUES (ARRAY[2], ROW(1, 'z')), (ARRAY[1, 5], ROW(2, 'a'))) t(a, r);
expect: [[[2], [1, 5], [2, "a"]]]
SELECT n.name, r.name FROM nation n JOIN region r ON ARRAY[n.regionkey, 1] = ARRAY[r.regionkey, 1] WHERE n.nationkey < 5;
SELECT count(*) FROM (VALUES ARRAY[1, NULL]) t(a) JOIN (VALUES ARRAY[1, NULL]) u(b) ON a = b;
expect: [[0]]
SELECT n.nationkey FROM nation n WHERE ROW(n.nationkey, n.regionkey) IN (ROW(1, 1), ROW(2, 9), ROW(3, 1));
expect: [[1], [3]]
SELECT cardinality(ARRAY[1, NULL, 3]), contains(ARRAY[1, 2], 2), contains(ARRAY[1, 2], 3), contains(ARRAY[1, NULL], 1), contains(ARRAY[1, NULL], 2), contains(ARRAY['a', 'bc'], 'bc');
expect: [[3, true, false, true, null, true]]
SELECT contains(ARRAY[ARRAY[1], ARRAY[2]], ARRAY[2]);
SELECT array_distinct(ARRAY[1, 2, 1, NULL, NULL]), array_union(ARRAY[1, 2], ARRAY[2, 3]), array_intersect(ARRAY[1, 2, 2, 3], ARRAY[3, 2]), array_except(ARRAY[1, 2, 3, 3], ARRAY[2]);
expect: [[[1, 2, null], [1, 2, 3], [2, 3], [1, 3]]]
SELECT array_distinct(ARRAY[ARRAY[1], ARRAY[2], ARRAY[1]]), array_distinct(ARRAY[nan(), nan(), 0e0, -0e0]);
expect: [[[[1], [2]], ["NaN", 0.0]]]
SELECT arrays_overlap(ARRAY[1, 2], ARRAY[2, 3]), arrays_overlap(ARRAY[1], ARRAY[2]), arrays_overlap(ARRAY[1, NULL], ARRAY[2]), arrays_overlap(ARRAY[], ARRAY[1]);
expect: [[true, false, null, false]]
SELECT array_join(ARRAY['a', NULL, 'b'], '-'), array_join(ARRAY['a', NULL, 'b'], '-', '?'), array_join(ARRAY[1, 2, 3], ', '), array_join(ARRAY[1.5e0, NULL], '/', 'n'), array_join(ARRAY[DATE '2020-01-01'], '');
expect: [["a-b", "a-?-b", "1, 2, 3", "1.5/n", "2020-01-01"]]
SELECT array_max(ARRAY[2, 3, 1]), array_min(ARRAY['b', 'a']), array_max(ARRAY[1, NULL]), array_min(ARRAY[]);
expect: [[3, "a", null, null]]
SELECT array_position(ARRAY['a', 'b', 'b'], 'b'), array_position(ARRAY[1], 2), array_position(ARRAY[1, 2, 1, 1], 1, 2), array_position(ARRAY[1, 2, 1], 1, -1);
expect: [[2, 0, 3, 3]]
SELECT array_remove(ARRAY[1, 2, 1, NULL], 1), array_sort(ARRAY[3, NULL, 1]), reverse(ARRAY[1, 2, 3]), flatten(ARRAY[ARRAY[1, 2], NULL, ARRAY[3]]);
expect: [[[2, null], [1, 3, null], [3, 2, 1], [1, 2, 3]]]
SELECT array_sort(ARRAY[MAP()]);
error: FUNCTION_NOT_FOUND
SELECT combinations(ARRAY['a', 'b', 'c'], 2), combinations(ARRAY[1, 2, 3, 4], 2), combinations(ARRAY[1], 2), combinations(ARRAY[1, 2], 0);
expect: [[[["a", "b"], ["a", "c"], ["b", "c"]], [[1, 2], [1, 3], [2, 3], [1, 4], [2, 4], [3, 4]], [], [[]]]]
SELECT combinations(ARRAY[1, 2], 6);
error: INVALID_FUNCTION_ARGUMENT combination size must not exceed 5: 6
SELECT concat(ARRAY[1], ARRAY[2, 3], ARRAY[4]), ARRAY[1] || ARRAY[2, 3], ARRAY[1] || 2, 0 || ARRAY[1], ARRAY['a'] || 'bc';
expect: [[[1, 2, 3, 4], [1, 2, 3], [1, 2], [0, 1], ["a", "bc"]]]
SELECT contains_sequence(ARRAY[1, 2, 3], ARRAY[2, 3]), contains_sequence(ARRAY[1, 2, 3], ARRAY[1, 3]), contains_sequence(ARRAY[1], ARRAY[]);
expect: [[true, false, true]]
SELECT ngrams(ARRAY['a', 'b', 'c'], 2), ngrams(ARRAY['a'], 3);
expect: [[[["a", "b"], ["b", "c"]], [["a"]]]]
SELECT ngrams(ARRAY['a'], 0);
error: INVALID_FUNCTION_ARGUMENT N must be positive
SELECT repeat('a', 3), repeat(NULL, 2), repeat(1, 0);
expect: [[["a", "a", "a"], [null, null], []]]
SELECT repeat(1, -1);
error: INVALID_FUNCTION_ARGUMENT count argument of repeat function must be greater than or equal to 0
SELECT slice(ARRAY[1, 2, 3, 4], 2, 2), slice(ARRAY[1, 2, 3, 4], -2, 2), slice(ARRAY[1, 2], 5, 1), slice(ARRAY[1, 2], 1, 9);
expect: [[[2, 3], [3, 4], [], [1, 2]]]
SELECT slice(ARRAY[1], 0, 1);
error: INVALID_FUNCTION_ARGUMENT SQL array indices start at 1
SELECT slice(ARRAY[1], 1, -1);
error: INVALID_FUNCTION_ARGUMENT length must be greater than or equal to 0
SELECT zip(ARRAY[1, 2], ARRAY['a']), zip(ARRAY[1], ARRAY[2], ARRAY[3]);
types: array(row(integer, varchar(1))), array(row(integer, integer, integer))
expect: [[[[1, "a"], [2, null]], [[1, 2, 3]]]]
SELECT transform(ARRAY[1, 2, NULL], x -> x * 2), transform(ARRAY[1, 2], x -> 'a'), transform(ARRAY[], x -> x);
expect: [[[2, 4, null], ["a", "a"], []]]
SELECT nationkey, transform(ARRAY[1, 2], x -> x + nationkey) FROM nation WHERE nationkey < 5;
duckdb: SELECT nationkey, list_transform([1, 2], lambda x: x + nationkey) FROM nation WHERE nationkey < 5;
SELECT nationkey, filter(ARRAY[0, 1, 2, 3], x -> x < n.regionkey AND n.name LIKE '%A%') FROM nation n;
duckdb: SELECT nationkey, list_filter([0, 1, 2, 3], lambda x: x < n.regionkey AND n.name LIKE '%A%') FROM nation n;
SELECT transform(ARRAY[ARRAY[1, 2], ARRAY[3]], x -> transform(x, y -> y * cardinality(x)));
expect: [[[[2, 4], [3]]]]
SELECT transform(ARRAY[1, 0], x -> 1 / x);
error: DIVISION_BY_ZERO Division by zero
SELECT try(transform(ARRAY[1, 0], x -> 1 / x));
expect: [[null]]
SELECT transform(ARRAY['x', 'Y'], s -> upper(s) || lower(s) || 'z');
expect: [[["Xxz", "Yyz"]]]
SELECT filter(ARRAY[5, -6, NULL, 7], x -> x > 0), any_match(ARRAY[1, 2], x -> x = 2), all_match(ARRAY[1, 2], x -> x = 2), none_match(ARRAY[1, NULL], x -> x = 2), any_match(ARRAY[], x -> true);
expect: [[[5, 7], true, false, null, false]]
SELECT reduce(ARRAY[5, 20, 50], 0, (s, x) -> s + x, s -> s), reduce(ARRAY[5, 20], CAST(ROW(0, 0) AS ROW(total bigint, n integer)), (s, x) -> CAST(ROW(s.total + x, s.n + 1) AS ROW(total bigint, n integer)), s -> s.total / s.n);
expect: [[75, 12]]
SELECT reduce(ARRAY[BIGINT '5'], 0, (s, x) -> s + x, s -> s), reduce(ARRAY[], 1, (s, x) -> s, s -> s * 10);
types: bigint, integer
expect: [[5, 10]]
SELECT array_sort(ARRAY[3, 2, 5, 1, 2], (x, y) -> IF(x < y, 1, IF(x = y, 0, -1)));
expect: [[[5, 3, 2, 2, 1]]]
SELECT array_sort(ARRAY[3, 2], (x, y) -> 7);
error: INVALID_FUNCTION_ARGUMENT Lambda comparator must return either -1, 0, or 1
SELECT zip_with(ARRAY[1, 3], ARRAY['a', 'b', 'c'], (x, y) -> y || CAST(x AS varchar));
expect: [[["a1", "b3", null]]]
SELECT x -> x + 1;
error: TYPE_MISMATCH line 1:8: Lambda expression should always be used inside a function
SELECT transform(ARRAY[1], (x, y) -> x);
error: INVALID_PARAMETER_USAGE line 1:28: Expected a lambda that takes 1 argument(s) but got 2
SELECT transform(1, x -> x);
error: FUNCTION_NOT_FOUND
SELECT transform(ARRAY[1], x -> nosuch);
error: COLUMN_NOT_FOUND line 1:33: Column 'nosuch' cannot be resolved
SELECT CAST(ARRAY[1, 2] AS ARRAY(varchar)), CAST(ARRAY['1', NULL] AS ARRAY(double)), CAST(ARRAY[ARRAY[1]] AS ARRAY(ARRAY(bigint))), CAST(NULL AS ARRAY(integer));
types: array(varchar), array(double), array(array(bigint)), array(integer)
expect: [[["1", "2"], [1.0, null], [[1]], null]]
SELECT CAST(ARRAY['x'] AS ARRAY(integer));
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to INT
SELECT TRY_CAST(ARRAY['x'] AS ARRAY(integer));
expect: [[null]]
SELECT CAST(ARRAY[1] AS integer);
error: TYPE_MISMATCH line 1:8: Cannot cast array(integer) to integer
SELECT typeof(ARRAY[1]), typeof(ROW(1, 2e0)), typeof(ARRAY[ROW('x')]);
expect: [["array(integer)", "row(integer, double)", "array(row(varchar(1)))"]]
SELECT regionkey, array_sort(transform(ARRAY[max(name), min(name)], x -> substr(x, 1, 3))) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, [substr(min(name), 1, 3), substr(max(name), 1, 3)] FROM nation GROUP BY regionkey;
SELECT coalesce(NULL, ARRAY[1]), IF(false, ARRAY[1], ARRAY[2e0]), CASE WHEN true THEN ARRAY['a'] END, nullif(ARRAY[1], ARRAY[1]);
expect: [[[1], [2.0], ["a"], null]]
SELECT ARRAY[1] UNION SELECT ARRAY[BIGINT '1'] UNION SELECT ARRAY[2];
expect: [[[1]], [[2]]]
