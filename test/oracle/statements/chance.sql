-- random, rand, uuid, shuffle: what holds for every draw (protocol.md 10.4).
SELECT random() BETWEEN 0 AND 1, count(DISTINCT r), min(r) >= 0, max(r) < 1, avg(r) BETWEEN 0.45 AND 0.55 FROM (SELECT random() AS r FROM orders);
expect: [[true, 15000, true, true, true]]
types: boolean, bigint, boolean, boolean, boolean
SELECT count(*) BETWEEN 7000 AND 8000 FROM orders WHERE random() < 0.5;
expect: [[true]]
SELECT count(*) BETWEEN 3400 AND 4100 FROM orders WHERE random() < 0.5 AND rand() < 0.5;
expect: [[true]]
SELECT r, count(*) BETWEEN 2000 AND 3000 FROM (SELECT random(1, 7) AS r FROM orders) GROUP BY r ORDER BY r;
expect: [[1, true], [2, true], [3, true], [4, true], [5, true], [6, true]]
SELECT min(r), max(r), count(DISTINCT r) FROM (SELECT rand(10) AS r FROM orders);
expect: [[0, 9, 10]]
types: integer, integer, bigint
SELECT random(TINYINT '1'), random(SMALLINT '1'), random(BIGINT '1'), rand(1), rand(BIGINT '-1', BIGINT '0'), random(SMALLINT '4', SMALLINT '5');
expect: [[0, 0, 0, 0, -1, 4]]
types: tinyint, smallint, bigint, integer, bigint, smallint
SELECT random(-9223372036854775807, 9223372036854775807) BETWEEN -9223372036854775807 AND 9223372036854775806;
expect: [[true]]
SELECT random(0);
error: INVALID_FUNCTION_ARGUMENT bound must be positive
SELECT random(7, 7);
error: INVALID_FUNCTION_ARGUMENT start value must be less than stop value
SELECT TRY(random(-1)), random(CAST(NULL AS bigint));
expect: [[null, null]]
SELECT random('a');
error: FUNCTION_NOT_FOUND
SELECT a = b, a = a FROM (SELECT random() AS a, random() AS b);
expect: [[false, true]]
SELECT count(DISTINCT uuid()), count(DISTINCT u) FROM (SELECT uuid() AS u FROM lineitem);
expect: [[60175, 60175]]
SELECT count(*) FROM (SELECT CAST(uuid() AS varchar) AS u FROM orders) WHERE NOT regexp_like(u, '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$');
expect: [[0]]
SELECT typeof(uuid()), typeof(random()), typeof(shuffle(ARRAY[1]));
expect: [["uuid", "double", "array(integer)"]]
SELECT array_sort(shuffle(sequence(1, 9))), shuffle(ARRAY[]), shuffle(ARRAY[NULL, NULL]), shuffle(CAST(NULL AS array(bigint)));
expect: [[[1, 2, 3, 4, 5, 6, 7, 8, 9], [], [null, null], null]]
SELECT count(DISTINCT s) BETWEEN 20 AND 24, min(n), max(n) FROM (SELECT array_join(shuffle(ARRAY['a', 'b', 'c', 'd']), '') AS s, 4 AS n FROM orders);
expect: [[true, 4, 4]]
SELECT first, count(*) BETWEEN 4500 AND 5500 FROM (SELECT shuffle(ARRAY['x', 'y', 'z'])[1] AS first FROM orders) GROUP BY first ORDER BY first;
expect: [["x", true], ["y", true], ["z", true]]
SELECT cardinality(array_distinct(transform(sequence(1, 1000), x -> random())));
expect: [[1000]]
SELECT count(DISTINCT sum) FROM (SELECT sum(random()) AS sum FROM orders GROUP BY orderkey % 100);
expect: [[100]]
SELECT count(*) BETWEEN 10 AND 1000 FROM nation a JOIN nation b ON random() < 0.5;
expect: [[true]]
SELECT count(*) FROM (VALUES random(), random(), random()) t (x) WHERE x >= 0 AND x < 1;
expect: [[3]]
