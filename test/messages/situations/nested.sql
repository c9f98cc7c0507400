SELECT ARRAY[1][0];
error: INVALID_FUNCTION_ARGUMENT SQL array indices start at 1
SELECT ARRAY[1][-1];
error: INVALID_FUNCTION_ARGUMENT Array subscript is negative: -1
SELECT ARRAY[1][2];
error: INVALID_FUNCTION_ARGUMENT Array subscript must be less than or equal to array length: 2 > 1
SELECT ARRAY[][1];
error: INVALID_FUNCTION_ARGUMENT Array subscript must be less than or equal to array length: 1 > 0
SELECT ARRAY[1]['a'];
error: TYPE_MISMATCH line 1:8: Cannot use varchar(1) for subscript of array(integer)
SELECT ARRAY[1][1.5];
error: TYPE_MISMATCH line 1:8: Cannot use decimal(2,1) for subscript of array(integer)
SELECT ARRAY[1][true];
error: TYPE_MISMATCH line 1:8: Cannot use boolean for subscript of array(integer)
SELECT 1[1];
error: TYPE_MISMATCH line 1:8: Cannot use integer for subscript of integer
SELECT 'abc'[1];
error: TYPE_MISMATCH line 1:8: Cannot use integer for subscript of varchar(3)
SELECT element_at(ARRAY[1], 0);
error: INVALID_FUNCTION_ARGUMENT SQL array indices start at 1
SELECT element_at(ARRAY[1], 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), varchar\(1\)\) for function element_at\. Expected: .*/
SELECT element_at(1, 1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, integer\) for function element_at\. Expected: .*/
SELECT MAP(ARRAY[1], ARRAY[2])[3];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: 3
SELECT MAP(ARRAY['a'], ARRAY[2])['b'];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: b
SELECT MAP(ARRAY[1], ARRAY[2])['a'];
error: TYPE_MISMATCH line 1:8: Cannot use varchar(1) for subscript of map(integer, integer)
SELECT MAP(ARRAY[1.5], ARRAY[2])[2.5];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: 2.5
SELECT MAP(ARRAY[DATE '2020-01-01'], ARRAY[2])[DATE '2020-01-02'];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: 2020-01-02
SELECT MAP(ARRAY[true], ARRAY[2])[false];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: false
SELECT MAP(ARRAY[1e0], ARRAY[2])[2e0];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: 2.0
SELECT MAP(ARRAY[ROW(1, 2)], ARRAY[2])[ROW(1, 3)];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: [1, 3]
SELECT MAP(ARRAY[ARRAY[1]], ARRAY[2])[ARRAY[2]];
error: INVALID_FUNCTION_ARGUMENT Key not present in map: [2]
SELECT MAP(ARRAY[1, 1], ARRAY[2, 3]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (1) are not allowed
SELECT MAP(ARRAY['a', 'b', 'a'], ARRAY[1, 2, 3]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (a) are not allowed
SELECT MAP(ARRAY[1.50, 1.5], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (1.50) are not allowed
SELECT MAP(ARRAY[DATE '2020-01-01', DATE '2020-01-01'], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (2020-01-01) are not allowed
SELECT MAP(ARRAY[TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00'], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (2020-01-01 00:00:00) are not allowed
SELECT MAP(ARRAY[true, true], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (true) are not allowed
SELECT MAP(ARRAY[1e0, 1e0], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (1.0) are not allowed
SELECT MAP(ARRAY[ROW(1, 'a'), ROW(1, 'a')], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys ([1, a]) are not allowed
SELECT MAP(ARRAY[ARRAY[1], ARRAY[1]], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys ([1]) are not allowed
SELECT MAP(ARRAY[NULL], ARRAY[1]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT MAP(ARRAY[1, NULL], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT MAP(ARRAY[ROW(1, NULL)], ARRAY[1]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be indeterminate: [1, null]
SELECT MAP(ARRAY[ARRAY[NULL]], ARRAY[1]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be indeterminate: [null]
SELECT MAP(ARRAY[1, 2], ARRAY[1]);
error: INVALID_FUNCTION_ARGUMENT Key and value arrays must be the same length
SELECT MAP(1, 2);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, integer\) for function map\. Expected: .*/
SELECT MAP(ARRAY[1]);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\)\) for function map\. Expected: .*/
SELECT map_from_entries(ARRAY[(1, 2), (1, 3)]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (1) are not allowed
SELECT map_from_entries(ARRAY[(1, 2), NULL]);
error: INVALID_FUNCTION_ARGUMENT map entry cannot be null
SELECT map_from_entries(ARRAY[(NULL, 2)]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT map_from_entries(ARRAY[1]);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\)\) for function map_from_entries\. Expected: .*/
SELECT multimap_from_entries(ARRAY[(1, 2), NULL]);
error: INVALID_FUNCTION_ARGUMENT map entry cannot be null
SELECT multimap_from_entries(ARRAY[(NULL, 2)]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT split_to_map('a=1=2', ',', '=');
error: INVALID_FUNCTION_ARGUMENT Key-value delimiter must appear exactly once in each entry. Bad input: 'a=1=2'
SELECT split_to_map('a=1', ',', ',');
error: INVALID_FUNCTION_ARGUMENT entryDelimiter and keyValueDelimiter must not be the same
SELECT split_to_map('a=1', '', '=');
error: INVALID_FUNCTION_ARGUMENT entryDelimiter is empty
SELECT split_to_map('a=1', ',', '');
error: INVALID_FUNCTION_ARGUMENT keyValueDelimiter is empty
SELECT split_to_multimap('a', ',', '=');
error: INVALID_FUNCTION_ARGUMENT Key-value delimiter must appear exactly once in each entry. Bad input: 'a'
SELECT split_to_multimap('a=1', ',', ',');
error: INVALID_FUNCTION_ARGUMENT entryDelimiter and keyValueDelimiter must not be the same
SELECT transform_keys(MAP(ARRAY[1, 2], ARRAY[3, 4]), (k, v) -> 1);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (1) are not allowed
SELECT transform_keys(MAP(ARRAY[1], ARRAY[3]), (k, v) -> NULL);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT transform_keys(MAP(ARRAY['a', 'b'], ARRAY[3, 4]), (k, v) -> 'x');
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (x) are not allowed
SELECT map_concat(MAP(ARRAY[1], ARRAY[2]), 1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(map\(integer, integer\), integer\) for function map_concat\. Expected: .*/
SELECT map_agg(x) FROM (VALUES 1) t (x);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function map_agg\. Expected: .*/
SELECT sequence(1, 5, -1);
error: INVALID_FUNCTION_ARGUMENT sequence stop value should be greater than or equal to start value if step is greater than zero otherwise stop should be less than or equal to start
SELECT sequence(5, 1, 1);
error: INVALID_FUNCTION_ARGUMENT sequence stop value should be greater than or equal to start value if step is greater than zero otherwise stop should be less than or equal to start
SELECT sequence(1, 5, 0);
error: INVALID_FUNCTION_ARGUMENT step must not be zero
SELECT sequence(1, 100000);
error: INVALID_FUNCTION_ARGUMENT result of sequence function must not have more than 10000 entries
SELECT sequence(DATE '2020-01-01', DATE '2020-02-01', INTERVAL '0' DAY);
error: INVALID_FUNCTION_ARGUMENT step must not be zero
SELECT sequence(DATE '2020-01-01', DATE '2020-02-01', INTERVAL '1' HOUR);
error: INVALID_FUNCTION_ARGUMENT sequence step must be a day interval if start and end values are dates
SELECT sequence(DATE '2020-01-01', DATE '2019-02-01', INTERVAL '1' DAY);
error: INVALID_FUNCTION_ARGUMENT sequence stop value should be greater than or equal to start value if step is greater than zero otherwise stop should be less than or equal to start
SELECT sequence('a', 'b');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\), varchar\(1\)\) for function sequence\. Expected: .*/
SELECT repeat(1, 10001);
error: INVALID_FUNCTION_ARGUMENT count argument of repeat function must be less than or equal to 10000
SELECT repeat('a', -1);
error: INVALID_FUNCTION_ARGUMENT count argument of repeat function must be greater than or equal to 0
SELECT slice(ARRAY[1], 0, 1);
error: INVALID_FUNCTION_ARGUMENT SQL array indices start at 1
SELECT slice(ARRAY[1], 1, -1);
error: INVALID_FUNCTION_ARGUMENT length must be greater than or equal to 0
SELECT ngrams(ARRAY[1], 0);
error: INVALID_FUNCTION_ARGUMENT N must be positive
SELECT ngrams(ARRAY[1], -1);
error: INVALID_FUNCTION_ARGUMENT N must be positive
SELECT combinations(ARRAY[1], -1);
error: INVALID_FUNCTION_ARGUMENT combination size must not be negative: -1
SELECT combinations(ARRAY[1, 2, 3, 4, 5, 6, 7], 6);
error: INVALID_FUNCTION_ARGUMENT combination size must not exceed 5: 6
SELECT combinations(repeat(1, 1000), 5);
error: INVALID_FUNCTION_ARGUMENT combinations exceed max size of 100000
SELECT trim_array(ARRAY[1], 2);
error: INVALID_FUNCTION_ARGUMENT size must not exceed array cardinality 1: 2
SELECT trim_array(ARRAY[1], -1);
error: INVALID_FUNCTION_ARGUMENT size must not be negative: -1
SELECT array_sort(ARRAY[1, 2, 3], (x, y) -> 5);
error: INVALID_FUNCTION_ARGUMENT Lambda comparator must return either -1, 0, or 1
SELECT array_sort(ARRAY[1, 2, 3], (x, y) -> NULL);
error: INVALID_FUNCTION_ARGUMENT Lambda comparator must return either -1, 0, or 1
SELECT array_sort(ARRAY[MAP(ARRAY[1], ARRAY[2])]);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(map\(integer, integer\)\)\) for function array_sort\. Expected: .*/
SELECT array_max(ARRAY[MAP(ARRAY[1], ARRAY[2])]);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(map\(integer, integer\)\)\) for function array_max\. Expected: .*/
SELECT array_min(1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function array_min\. Expected: .*/
SELECT array_join(ARRAY[ROW(1)], ',');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(row\(integer\)\), varchar\(1\)\) for function array_join\. Expected: .*/
SELECT array_join(ARRAY[ARRAY[1]], ',');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(array\(integer\)\), varchar\(1\)\) for function array_join\. Expected: .*/
SELECT array_join(1, ',');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, varchar\(1\)\) for function array_join\. Expected: .*/
SELECT array_position(ARRAY[1], 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), varchar\(1\)\) for function array_position\. Expected: .*/
SELECT contains(ARRAY[1], 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), varchar\(1\)\) for function contains\. Expected: .*/
SELECT contains(1, 1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, integer\) for function contains\. Expected: .*/
SELECT cardinality(1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function cardinality\. Expected: .*/
SELECT flatten(ARRAY[1]);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\)\) for function flatten\. Expected: .*/
SELECT zip(ARRAY[1]);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\)\) for function zip\. Expected: .*/
SELECT zip(ARRAY[1], 2);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), integer\) for function zip\. Expected: .*/
SELECT zip_with(ARRAY[1], ARRAY[2], 3);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), array\(integer\), integer\) for function zip_with\. Expected: .*/
SELECT reduce(ARRAY[1], 0, (s, x) -> 'a', s -> s);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), integer, function\(integer, integer, varchar\(1\)\), <function>\) for function reduce\. Expected: .*/
SELECT filter(ARRAY[1], x -> x);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), function\(integer, integer\)\) for function filter\. Expected: .*/
SELECT any_match(ARRAY[1], x -> 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), function\(integer, varchar\(1\)\)\) for function any_match\. Expected: .*/
SELECT transform(ARRAY[1], 1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), integer\) for function transform\. Expected: .*/
SELECT transform(1, x -> x);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, <function>\) for function transform\. Expected: .*/
SELECT x -> x;
error: TYPE_MISMATCH line 1:8: Lambda expression should always be used inside a function
SELECT array_union(ARRAY[1], ARRAY['a']);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), array\(varchar\(1\)\)\) for function array_union\. Expected: .*/
SELECT arrays_overlap(ARRAY[1], ARRAY['a']);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(integer\), array\(varchar\(1\)\)\) for function arrays_overlap\. Expected: .*/
SELECT ARRAY[1] || 'a';
error: FUNCTION_NOT_FOUND /line 1:17: Unexpected parameters \(array\(integer\), varchar\(1\)\) for function concat\. Expected: .*/
SELECT ARRAY[1] || ARRAY['a'];
error: FUNCTION_NOT_FOUND /line 1:17: Unexpected parameters \(array\(integer\), array\(varchar\(1\)\)\) for function concat\. Expected: .*/
SELECT ARRAY[1] < ARRAY['a'];
error: TYPE_MISMATCH line 1:17: Cannot apply operator: array(integer) < array(varchar(1))
SELECT ARRAY[1, NULL] < ARRAY[1, 2];
error: NOT_SUPPORTED ARRAY comparison not supported for arrays with null elements
SELECT ROW(1, NULL) < ROW(1, 2);
error: NOT_SUPPORTED ROW comparison not supported for fields with null elements
SELECT ROW(1) = ROW(1, 2);
error: TYPE_MISMATCH line 1:15: Cannot apply operator: row(integer) = row(integer, integer)
SELECT ROW(1) = ROW('a');
error: TYPE_MISMATCH line 1:15: Cannot apply operator: row(integer) = row(varchar(1))
SELECT ROW(1) < 1;
error: TYPE_MISMATCH line 1:15: Cannot apply operator: row(integer) < integer
SELECT ROW(1)[0];
error: INVALID_FUNCTION_ARGUMENT line 1:15: Invalid subscript index: 0. ROW indices start at 1
SELECT ROW(1)[2];
error: INVALID_FUNCTION_ARGUMENT line 1:15: Subscript index out of bounds: 2, max value is 1
SELECT ROW(1)[1 + 0];
error: EXPRESSION_NOT_CONSTANT line 1:17: Subscript expression on ROW requires a constant index
SELECT ROW(1)['a'];
error: EXPRESSION_NOT_CONSTANT line 1:15: Subscript expression on ROW requires a constant index
SELECT MAP(ARRAY[1], ARRAY[2]) < MAP(ARRAY[1], ARRAY[2]);
error: TYPE_MISMATCH line 1:32: Cannot apply operator: map(integer, integer) < map(integer, integer)
SELECT MAP(ARRAY[1], ARRAY[2]) = 1;
error: TYPE_MISMATCH line 1:32: Cannot apply operator: map(integer, integer) = integer
SELECT json_parse('{');
error: INVALID_FUNCTION_ARGUMENT Cannot convert value to JSON: '{'
SELECT json_parse('');
error: INVALID_FUNCTION_ARGUMENT Cannot convert value to JSON: ''
SELECT json_parse('[1,]');
error: INVALID_FUNCTION_ARGUMENT Cannot convert value to JSON: '[1,]'
SELECT json_parse('1 2');
error: INVALID_FUNCTION_ARGUMENT Cannot convert value to JSON: '1 2'
SELECT json_extract('{}', '$[');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: '$['
SELECT json_extract('{}', '');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: ''
SELECT json_extract('{}', '$x');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: '$x'
SELECT json_extract('{}', '$..x');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: '$..x'
SELECT json_extract_scalar('{}', '$.');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: '$.'
SELECT json_size('{}', '$[');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: '$['
SELECT json_array_get('[1]', 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(3\), varchar\(1\)\) for function json_array_get\. Expected: .*/
SELECT json_array_contains('[1]', ARRAY[1]);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(3\), array\(integer\)\) for function json_array_contains\. Expected: .*/
SELECT is_json_scalar('x');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON value: x
SELECT json_format(1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function json_format\. Expected: .*/
SELECT JSON '1' < JSON '2';
error: TYPE_MISMATCH line 1:17: Cannot apply operator: json < json
SELECT CAST(MAP(ARRAY[ARRAY[1]], ARRAY[1]) AS JSON);
error: TYPE_MISMATCH line 1:8: Cannot cast map(array(integer), integer) to json
SELECT CAST(ARRAY[X'00'] AS JSON);
error: TYPE_MISMATCH line 1:8: Cannot cast array(varbinary) to json
SELECT CAST(ARRAY[1] AS array(date));
error: TYPE_MISMATCH line 1:8: Cannot cast array(integer) to array(date)
SELECT CAST(ARRAY['a'] AS array(bigint));
error: INVALID_CAST_ARGUMENT Cannot cast 'a' to BIGINT
SELECT CAST(MAP(ARRAY['1', '01'], ARRAY[1, 2]) AS map(bigint, bigint));
error: INVALID_CAST_ARGUMENT duplicate keys
SELECT CAST(MAP(ARRAY['a'], ARRAY[1]) AS map(bigint, bigint));
error: INVALID_CAST_ARGUMENT Cannot cast 'a' to BIGINT
SELECT CAST(ROW(1, 2) AS row(a bigint));
error: TYPE_MISMATCH line 1:8: Cannot cast row(integer, integer) to row(a bigint)
SELECT CAST(ROW('a') AS row(a bigint));
error: INVALID_CAST_ARGUMENT Cannot cast 'a' to BIGINT
SELECT CAST(ROW(1) AS bigint);
error: TYPE_MISMATCH line 1:8: Cannot cast row(integer) to bigint
SELECT CAST(1 AS array(bigint));
error: TYPE_MISMATCH line 1:8: Cannot cast integer to array(bigint)
SELECT CAST(ARRAY[1] AS bigint);
error: TYPE_MISMATCH line 1:8: Cannot cast array(integer) to bigint
SELECT CAST(ARRAY[1] AS varchar);
error: TYPE_MISMATCH line 1:8: Cannot cast array(integer) to varchar
SELECT hamming_distance('a', 'ab');
error: INVALID_FUNCTION_ARGUMENT The input strings to hamming_distance function must have the same length
SELECT cosine_similarity(MAP(ARRAY['a'], ARRAY[1e0]), 1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(map\(varchar\(1\), double\), integer\) for function cosine_similarity\. Expected: .*/
SELECT map_zip_with(MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY['a'], ARRAY[2]), (k, a, b) -> a);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(map\(integer, integer\), map\(varchar\(1\), integer\), <function>\) for function map_zip_with\. Expected: .*/
SELECT shuffle(1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function shuffle\. Expected: .*/
SELECT array_sum(ARRAY['a']);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(varchar\(1\)\)\) for function array_sum\. Expected: .*/
SELECT array_average(ARRAY[true]);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(boolean\)\) for function array_average\. Expected: .*/
SELECT array_normalize(ARRAY[1e0], -1e0);
error: INVALID_FUNCTION_ARGUMENT array_normalize only supports non-negative p: -1.0
SELECT find_first(ARRAY[1], 0, x -> true);
error: INVALID_FUNCTION_ARGUMENT SQL array indices start at 1
SELECT array_cum_sum(ARRAY['a']);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(array\(varchar\(1\)\)\) for function array_cum_sum\. Expected: .*/
SELECT array_top_n(ARRAY[1], -1);
error: GENERIC_USER_ERROR Parameter n: -1 to ARRAY_TOP_N is negative
SELECT map_top_n(MAP(ARRAY[1], ARRAY[2]), -1);
error: GENERIC_USER_ERROR n must be greater than or equal to 0
SELECT map_top_n_keys(MAP(ARRAY[1], ARRAY[2]), -1);
error: GENERIC_USER_ERROR n must be greater than or equal to 0
