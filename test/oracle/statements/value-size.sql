-- A value may have 64 MB: what would grow beyond ends the query and nothing else.
SELECT length(array_join(repeat(rpad('x', 1000000, 'y'), 10000), ','));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT length(array_join(repeat(rpad('x', 10000, 'y'), 7000), ','));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT length(array_join(repeat(rpad('x', 10000, 'y'), 600), ','));
expect: [[6000599]]
SELECT cardinality(flatten(repeat(sequence(1, 10000), 1000)));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT cardinality(ngrams(sequence(1, 10000), 5000));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT TRY(cardinality(ngrams(sequence(1, 10000), 5000)));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT reduce(sequence(1, 40), CAST(nationkey AS varchar), (s, x) -> s || s, s -> length(s)) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Concatenated string is too large
SELECT count(*) FROM region WHERE regionkey = 1 AND TRY(reduce(sequence(1, 40), CAST(regionkey AS varchar), (s, x) -> s || s, s -> length(s))) IS NULL;
expect: [[1]]
SELECT reduce(sequence(1, 40), CAST(name AS varbinary), (s, x) -> s || s, s -> length(s)) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Concatenated string is too large
SELECT reduce(sequence(1, 40), ARRAY[rpad(name, 10000, 'y')], (s, x) -> s || s, s -> cardinality(s)) FROM nation;
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT reduce(sequence(1, 40), CAST(rpad(name, 1000000, 'y') AS json), (s, x) -> CAST(ARRAY[s, s] AS json), s -> s) FROM nation;
error: EXCEEDED_LOCAL_MEMORY_LIMIT Query exceeded per-node user memory limit of 512MB [operator ScanFilterAndProjectOperator 500.57MB]
-- One text, many times: the sum of the lengths is beyond 32 bits.
SELECT ARRAY[x, x, x, x, x, x, x, x] FROM (SELECT rpad(name, 9000000, 'y') AS x FROM nation WHERE nationkey < 5);
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT ROW(x, x, x, x, x, x, x, x) FROM (SELECT rpad(name, 16000000, 'y') AS x FROM nation);
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT MAP(ARRAY[1, 2, 3, 4, 5], ARRAY[x, x, x, x, x]) FROM (SELECT rpad(name, 16000000, 'y') AS x FROM nation WHERE nationkey < 5);
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
WITH FUNCTION doubled(n bigint) RETURNS bigint BEGIN DECLARE t varchar DEFAULT 'abcdefgh'; LOOP SET t = t || t; END LOOP; RETURN n; END SELECT doubled(nationkey) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Concatenated string is too large
