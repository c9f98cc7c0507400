/**
 * Values of every type with the bounds of their forms, expressions that have a branch of their own in the compiler, and routines of a
 * statement.
 */
import type { Stream } from "../../world/streams.ts";
import type { Feature } from "./feature.ts";

/** Values by type; a statement shows some of them. */
const values: readonly string[] = [
  "CAST(nationkey - 12 AS tinyint), CAST(-nationkey AS smallint), 9223372036854775807 - nationkey, -9007199254740993 + nationkey, 4503599627370497 * (nationkey % 3 - 1)",
  "CAST(nationkey * 100000000000 AS decimal(20, 0)), CAST(nationkey AS decimal(38, 10)) * -1000000000000000000, CAST(nationkey - 3 AS decimal(9, 0)), DECIMAL '-0.01'",
  "CAST(nationkey - 2 AS real) / 7, 0e0 / (nationkey - 25), -1e0 * 0, CAST(1e300 AS double), 1e21 * nationkey, 1e-7 * (nationkey - 4), REAL '3.4e38', CAST(3 AS real), REAL '-2.5'",
  "nan(), infinity(), -infinity(), CAST(nan() AS real), CAST(-infinity() AS real), CAST('-0.0' AS real), 1e15 + nationkey",
  "date_add('year', -3000, DATE '2020-02-29'), date_add('year', 9000, DATE '2020-02-29'), DATE '0000-01-01', TIMESTAMP '10000-01-01 00:00:00', TIMESTAMP '-0044-03-15 12:00:00.5'",
  "TIMESTAMP '2020-02-29 12:34:56', TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMP '1960-01-01 00:00:00.123456789012', TIME '01:02:03', TIME '01:02:03.123456789012', TIME '01:02:03.5-08:00', TIMESTAMP '2020-10-25 02:30:00.123456 Europe/Berlin', TIMESTAMP '2020-01-01 00:00:00.123456789 +01:00'",
  "INTERVAL '1' DAY * (nationkey - 3), INTERVAL '-13' MONTH, INTERVAL '2' YEAR, INTERVAL '0.001' SECOND, INTERVAL '-0.001' SECOND",
  "to_utf8(substr(name, 1, CAST(nationkey % 6 AS bigint))), X'', X'00', X'0001', X'000102ff', from_hex('DEADBEEF')",
  "CAST(name AS char(12)), CAST(U&'\\00e9\\20ac\\+01F600' AS char(6)), CAST('' AS char(3)), U&'\\0001\\0009\\000a\\000d\\0022\\005c\\007f\\2028', 'quote \" and \\ back', chr(8) || chr(12) || chr(31)",
  "ROW(nationkey, name, nullif(regionkey, 1)), ROW(ROW(1.5, NULL), ARRAY[ROW(name, 1)]), CAST(ROW(1, 'x') AS ROW(a bigint, b varchar)), ROW(CAST(NULL AS varchar))",
  "map(ARRAY[1, 2], ARRAY[name, NULL]), map(ARRAY[DATE '2020-01-01'], ARRAY[ARRAY[nationkey, NULL]]), map(ARRAY[ROW(1, 'a')], ARRAY[ROW(name, nationkey)]), map(), map(ARRAY[name], ARRAY[map(ARRAY['k'], ARRAY[1.5])])",
  "ARRAY[name, NULL, ''], ARRAY[ARRAY[], ARRAY[nationkey], NULL], ARRAY[1.5e0, NULL], ARRAY[X'00', NULL], ARRAY[true, false, NULL], repeat(name || name || name || name || name || name || name || name || name || name || name || name || name || name || name || name, 3)",
  "json_parse('{\"b\":[1,null,true],\"a\":\"\\u0041\\n\"}'), JSON '1e10', JSON 'null', json_object('k' : name), UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', IPADDRESS '10.0.0.1', IPADDRESS '2001:db8::1', CAST(IPADDRESS '10.1.2.3' AS varchar)",
  "color('red'), rgb(1, 2, 255), bing_tile(3, 5, 7), ST_Point(nationkey, 2), to_spherical_geography(ST_Point(1, 2)), ST_GeometryFromText('LINESTRING (0 0, 1 1)')",
  "CAST(NULL AS row(a bigint)), CAST(NULL AS map(varchar, bigint)), CAST(NULL AS hyperloglog), CAST(NULL AS timestamp(9) with time zone), NULL, CAST(NULL AS geometry), CAST(NULL AS char(2)), CAST(NULL AS varbinary)",
];

function shown(stream: Stream): string {
  const some = stream.shuffle(values).slice(0, 4);
  return `SELECT nationkey, ${some.join(", ")} FROM nation WHERE nationkey % ${stream.between(2, 5)} = 1`;
}

/** Aggregates whose results are sketches, models and other opaque values. */
const sketched: readonly string[] = [
  "make_set_digest(nationkey)",
  "approx_set(name)",
  "tdigest_agg(CAST(nationkey AS double))",
  "qdigest_agg(nationkey)",
  "histogram(regionkey)",
  "learn_regressor(CAST(nationkey AS double), features(CAST(regionkey AS double)))",
];

/** More values than are compared one by one. */
function searched(stream: Stream): string {
  const count = stream.between(64, 80);
  const list = (item: (index: number) => string): string => Array.from({ length: count }, (_, index) => item(index)).join(", ");
  const condition = stream.pick([
    `clerk IN (${list((index) => `'Clerk#00000000${index % 10}'`)}, 'Clerk#0000000', '', '${"é".repeat(3)}')`,
    `totalprice IN (${list((index) => `${1000 + index}.50`)}, NULL)`,
    `orderdate IN (${list((index) => `DATE '1995-0${1 + (index % 9)}-1${index % 9}'`)}, orderdate)`,
    `CAST(custkey AS double) IN (${list((index) => `${index}e0`)})`,
    `CAST(custkey AS decimal(30, 2)) NOT IN (${list((index) => `DECIMAL '123456789012345678901.${10 + index}'`)}, custkey)`,
    `nullif(custkey, 5) IN (${list((index) => String(index * 3))}, nullif(custkey, 6))`,
  ]);
  return `SELECT orderkey, custkey FROM orders WHERE custkey < 200 AND (${condition})`;
}

const computed: readonly string[] = [
  "TRY(100 / (nationkey % 3)), TRY_CAST(name AS bigint), TRY(CAST(substr(name, 1, 1) AS integer)), TRY_CAST(NULL AS bigint)",
  "coalesce(nullif(name, 'CHINA'), nullif(name, 'FRANCE'), 'x'), coalesce(NULL, nullif(regionkey, 2), 7), coalesce(nationkey, 3)",
  "CASE regionkey WHEN 0 THEN 'a' WHEN 1 THEN NULL WHEN 2 THEN 'c' END, CASE WHEN nationkey > 3 THEN 1e0 END, IF(nationkey > 5, REAL '1', REAL '2'), IF(regionkey = 1, name)",
  "nullif(nationkey, regionkey), nullif(regionkey, nullif(nationkey, 3)), nullif(CAST(nationkey AS double), 3e0), nullif(ARRAY[nationkey], ARRAY[nullif(nationkey, 2)])",
  "ROW(nationkey, nullif(regionkey, 1)) IN (ROW(1, 1), ROW(2, NULL), ROW(3, regionkey)), ARRAY[regionkey] IN (ARRAY[1], ARRAY[NULL], NULL)",
  "nationkey BETWEEN nullif(regionkey, 2) AND 10, name LIKE '%' || substr(name, 1, 1) || '_%', name LIKE 'a!%' ESCAPE '!', name LIKE nullif('%A', name), nationkey IS DISTINCT FROM nullif(regionkey, 1), ARRAY[nullif(nationkey, 1)] IS DISTINCT FROM ARRAY[2]",
  "transform(ARRAY[name, NULL], x -> x || '!'), filter(ARRAY[nationkey, NULL, 3], x -> x IS NOT NULL), reduce(ARRAY[1.5e0, nationkey], 0e0, (s, x) -> s + x, s -> CAST(s AS bigint)), map_filter(map(ARRAY[name], ARRAY[nationkey]), (k, v) -> v > 3), any_match(ARRAY[nationkey, NULL], x -> x > 4)",
  "array_sort(ARRAY[nationkey, 3, NULL, regionkey], (a, b) -> IF(a IS NULL, 1, IF(b IS NULL, -1, IF(a < b, 1, IF(a = b, 0, -1))))), zip_with(ARRAY[nationkey], ARRAY[name, 'z'], (a, b) -> ROW(a, b)), transform_values(map(ARRAY['a'], ARRAY[nationkey]), (k, v) -> k || CAST(v + regionkey AS varchar)), transform(sequence(1, 3), x -> transform(sequence(1, x), y -> y * nationkey))",
  "format('%s-%05d', name, nationkey), concat_ws(',', name, NULL, 'x'), greatest(nationkey, regionkey, 3), least(name, 'K'), width_bucket(CAST(nationkey AS double), 0, 25, 5), split(name, 'A'), regexp_replace(name, '([AEIOU])', x -> lower(x[1])), date_format(DATE '2020-02-29', '%Y-%m'), json_extract_scalar('{\"a\":1}', '$.a')",
];

const routine =
  "FUNCTION steps(x bigint) RETURNS bigint BEGIN DECLARE n bigint DEFAULT 0; WHILE x > 1 DO SET x = IF(x % 2 = 0, x / 2, 3 * x + 1); SET n = n + 1; END WHILE; RETURN n; END";

export const valueFeatures: readonly Feature[] = [
  shown,
  shown,
  shown,
  shown,
  shown,
  shown,
  searched,
  searched,
  searched,
  (stream) => `SELECT ${stream.shuffle(sketched).slice(0, 3).join(", ")}, count(*) FROM nation WHERE nationkey < ${stream.between(5, 20)}`,
  (stream) => `SELECT nationkey, ${stream.shuffle(computed).slice(0, 3).join(", ")} FROM nation`,
  (stream) => `SELECT nationkey, ${stream.shuffle(computed).slice(0, 3).join(", ")} FROM nation`,
  (stream) => `SELECT nationkey, ${stream.shuffle(computed).slice(0, 3).join(", ")} FROM nation WHERE nationkey > ${stream.nextInt(9)}`,
  (stream) => `WITH ${routine} SELECT custkey, steps(custkey) FROM customer WHERE steps(custkey) > ${stream.between(5, 40)}`,
  (stream) =>
    `WITH ${routine} SELECT steps(custkey) % ${stream.between(3, 9)}, count(*), max(steps(orderkey)) FROM orders WHERE custkey < 60 GROUP BY 1`,
  (stream) =>
    `WITH ${routine} SELECT n.name, c.custkey FROM nation n JOIN customer c ON n.nationkey = c.nationkey AND steps(c.custkey) % 7 < steps(n.nationkey + ${stream.between(1, 9)}) % 5`,
  (stream) =>
    `SELECT * FROM (VALUES (1, 'a', 1e0), (${stream.between(1, 9)}, NULL, -0e0), (3, 'c', nan()), (NULL, 'd', infinity())) t (a, b, c) WHERE a > 0 OR b LIKE 'd%'`,
  (stream) =>
    `SELECT a, b FROM (VALUES ${Array.from({ length: stream.between(20, 60) }, (_, row) => `(${row}, ROW(${row} % 7, 'r${row}'))`).join(", ")}) t (a, b) WHERE a % 3 <> 1`,
  () => "SELECT * FROM (VALUES (1, 1 / (SELECT count(*) - 25 FROM nation)))",
  (stream) => `SELECT * FROM (VALUES 1, ${stream.between(2, 9)}, 10 / (${stream.nextInt(3)} - 1), CAST('x' AS bigint)) t (a)`,
  (stream) => `SELECT nationkey FROM nation TABLESAMPLE BERNOULLI (${stream.pick([0, 100])})`,
];
