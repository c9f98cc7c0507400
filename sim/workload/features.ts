/**
 * Statements for parts of the engine that the grammar of queries.ts does not reach: row pattern recognition, table functions, UNNEST,
 * recursion, IN over rows with NULLs, long lists, lambdas, frames with offsets from columns, and columns of every type. One correct result
 * exists under every schedule: windows and patterns have a total order, and no value is a sum of doubles.
 */
import type { Stream } from "../world/streams.ts";
import type { Feature } from "./features/feature.ts";
import { filteredJoinFeatures } from "./features/filtered-joins.ts";
import { patternFeatures } from "./features/patterns.ts";
import { subqueryFeatures } from "./features/subqueries.ts";
import { tableFunctionFeatures } from "./features/table-functions.ts";
import { valueFeatures } from "./features/values.ts";
import { windowFeatures } from "./features/windows.ts";

const skips = [
  "AFTER MATCH SKIP PAST LAST ROW",
  "AFTER MATCH SKIP TO NEXT ROW",
  "AFTER MATCH SKIP TO LAST UP",
  "AFTER MATCH SKIP TO FIRST UP",
] as const;
const patterns = [
  "A UP+",
  "A UP* DOWN",
  "A UP+? DOWN{1,3}",
  "(A | UP) DOWN+",
  "A UP{2}",
  "^A UP*",
  "PERMUTE(A, UP, DOWN)",
  "A UP* DOWN* $",
] as const;
const rowsPerMatch = [
  "ONE ROW PER MATCH",
  "ALL ROWS PER MATCH",
  "ALL ROWS PER MATCH OMIT EMPTY MATCHES",
  "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
] as const;

function recognised(stream: Stream): string {
  const pattern = stream.pick(patterns);
  const has = (label: string): boolean => pattern.includes(label);
  const skip = pattern.includes("UP+") ? stream.pick(skips) : stream.pick(skips.slice(0, 2));
  const rows = stream.pick(rowsPerMatch);
  const measures = [
    "MATCH_NUMBER() AS number",
    "CLASSIFIER() AS label",
    "count(*) AS size",
    "sum(totalprice) AS total",
    "FIRST(A.orderkey) AS begun",
    "LAST(orderkey, 1) AS before",
    ...(has("UP") ? [`${stream.pick(["max", "min"])}(UP.totalprice) AS best`, "count(UP.*) AS rises"] : []),
    ...(has("DOWN") ? ["array_agg(DOWN.orderpriority) AS priorities"] : []),
  ];
  const chosen = stream.shuffle(measures).slice(0, stream.between(1, 4));
  const names = chosen.map((measure) => measure.slice(measure.lastIndexOf(" ") + 1));
  const columns = ["custkey", ...(rows.startsWith("ALL") ? ["orderkey"] : []), ...names].join(", ");
  const definitions = [
    ...(has("UP") ? ["UP AS totalprice > PREV(totalprice)"] : []),
    ...(has("DOWN") ? [`DOWN AS totalprice < ${stream.pick(["PREV(totalprice)", "FIRST(totalprice)", "avg(A.totalprice) + 9000"])}`] : []),
  ];
  return (
    `SELECT ${columns} FROM (SELECT * FROM orders WHERE custkey < ${stream.between(30, 120)}) MATCH_RECOGNIZE (PARTITION BY custkey ORDER BY orderkey ` +
    `MEASURES ${chosen.join(", ")} ${rows} ${skip} PATTERN (${pattern}) DEFINE ${definitions.join(", ")})`
  );
}

function longList(stream: Stream): string {
  const step = stream.between(1, 5);
  const values = Array.from({ length: stream.between(64, 90) }, (_, index) => 1 + index * step);
  return `SELECT orderkey, orderstatus FROM orders WHERE custkey ${stream.pick(["", "NOT "])}IN (${values.join(", ")}) AND orderkey < 2000`;
}

const texts = "CAST(orderkey AS varchar)";

const features: readonly Feature[] = [
  recognised,
  recognised,
  recognised,
  longList,
  (stream) =>
    `SELECT orderkey, count(*) OVER w, label OVER w FROM orders WHERE custkey < 60 WINDOW w AS (ORDER BY orderkey MEASURES CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND ${stream.between(1, 9)} FOLLOWING PATTERN (A B*) DEFINE B AS totalprice < PREV(totalprice))`,
  (stream) =>
    `SELECT orderkey, sum(totalprice) OVER (PARTITION BY orderstatus ORDER BY orderkey ROWS BETWEEN orderkey % ${stream.between(2, 9)} PRECEDING AND custkey % 5 FOLLOWING) FROM orders`,
  (stream) =>
    `SELECT orderkey, max(clerk) OVER (ORDER BY orderkey ROWS BETWEEN ${stream.between(20, 90)} PRECEDING AND ${stream.between(0, 60)} FOLLOWING), min(${texts}) OVER (ORDER BY orderkey ROWS ${stream.between(35, 200)} PRECEDING) FROM orders WHERE custkey < ${stream.between(50, 400)}`,
  (stream) =>
    `SELECT orderkey, lag(v, ${stream.between(1, 3)}, -1) IGNORE NULLS OVER (ORDER BY orderkey), nth_value(v, 2) IGNORE NULLS OVER (PARTITION BY custkey % 4 ORDER BY orderkey ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING) FROM (SELECT orderkey, custkey, nullif(custkey % 3, 1) AS v FROM orders WHERE custkey < 80)`,
  (stream) =>
    `SELECT orderkey, ntile(${stream.between(2, 9)}) OVER (PARTITION BY orderpriority ORDER BY orderkey), percent_rank() OVER (PARTITION BY orderpriority ORDER BY orderstatus), cume_dist() OVER (PARTITION BY orderstatus ORDER BY orderpriority) FROM orders WHERE custkey < 90`,
  (stream) =>
    `SELECT orderkey, count(*) OVER (ORDER BY orderdate RANGE BETWEEN INTERVAL '${stream.between(5, 40)}' DAY PRECEDING AND INTERVAL '3' DAY FOLLOWING), sum(custkey) OVER (ORDER BY custkey GROUPS BETWEEN ${stream.between(0, 3)} PRECEDING AND 1 FOLLOWING) FROM orders WHERE custkey < 120`,
  (stream) =>
    `SELECT custkey, v, o FROM customer CROSS JOIN UNNEST(sequence(1, custkey % ${stream.between(2, 6)})) WITH ORDINALITY AS t (v, o)`,
  (stream) =>
    `SELECT nationkey, a, b, k, v FROM nation CROSS JOIN UNNEST(ARRAY[nationkey, regionkey], ARRAY[name], map(ARRAY['x', 'y', 'z'], ARRAY[1, ${stream.nextInt(9)}, NULL])) AS t (a, b, k, v)`,
  (stream) =>
    `SELECT c.custkey, t.v FROM customer c LEFT JOIN UNNEST(filter(sequence(1, 6), x -> x % ${stream.between(2, 4)} = c.custkey % 3)) AS t (v) ON true`,
  (stream) =>
    `SELECT orderstatus, array_agg(orderkey ORDER BY orderkey DESC), map_agg(orderkey, clerk) FROM orders WHERE custkey < ${stream.between(5, 60)} GROUP BY orderstatus`,
  (stream) =>
    `SELECT custkey, transform(sequence(1, custkey % 5 + 1), x -> x * custkey), reduce(sequence(1, custkey % 9), 0, (s, x) -> s + x, s -> s) FROM customer WHERE custkey < ${stream.between(20, 200)}`,
  (stream) =>
    `SELECT count(*), sum(sequential_number) FROM TABLE(sequence(${stream.nextInt(9)}, ${stream.between(10, 4_000)}, ${stream.between(1, 7)}))`,
  () => "SELECT * FROM TABLE(exclude_columns(TABLE(nation), DESCRIPTOR(comment, regionkey)))",
  (stream) =>
    `SELECT name FROM customer WHERE ROW(nationkey, nullif(custkey % 4, 1)) ${stream.pick(["IN", "NOT IN"])} (SELECT ROW(nationkey, nullif(regionkey, ${stream.nextInt(5)})) FROM nation)`,
  (stream) =>
    `SELECT custkey, ARRAY[nationkey, nullif(custkey % 3, 0)] IN (SELECT ARRAY[nationkey, nullif(regionkey, ${stream.nextInt(5)})] FROM nation) FROM customer`,
  (stream) =>
    `SELECT custkey FROM customer WHERE nullif(nationkey, 3) NOT IN (SELECT nullif(regionkey, ${stream.between(2, 9)}) FROM nation)`,
  (stream) =>
    `WITH RECURSIVE t (n, s) AS (SELECT nationkey, name FROM nation WHERE regionkey = ${stream.nextInt(5)} UNION ALL SELECT n + 7, s FROM t WHERE n < ${stream.between(20, 40)}) SELECT * FROM t`,
  () =>
    "SELECT nationkey, CAST(nationkey AS tinyint), CAST(nationkey AS smallint), CAST(nationkey AS real), CAST(nationkey AS double) / 4, nationkey = 3, to_utf8(name), json_parse('{\"a\":[1,null]}'), CAST(name AS char(9)) FROM nation",
  () =>
    "SELECT TIMESTAMP '2020-02-29 12:34:56.789', TIMESTAMP '2020-02-29 12:34:56.123456789', TIMESTAMP '2020-02-29 12:34 Europe/Berlin', TIME '01:02:03.004', TIME '01:02:03+05:30', INTERVAL '3' MONTH, INTERVAL '-2 03:04:05.006' DAY TO SECOND, DATE '0001-01-01'",
  () =>
    "SELECT nan(), infinity(), -infinity(), REAL '1.5', 1e300, DECIMAL '12345678901234567890.123', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', IPADDRESS '::1', X'00ff', U&'\\2603', CAST(NULL AS array(bigint))",
  (stream) =>
    `SELECT ROW(nationkey, name, ARRAY[regionkey, NULL]), map(ARRAY[name], ARRAY[ROW(nationkey, DATE '2020-01-0${stream.between(1, 9)}')]), ARRAY[ARRAY[TIMESTAMP '2020-01-01 00:00:00'], NULL, ARRAY[]] FROM nation WHERE nationkey > ${stream.nextInt(20)}`,
  (stream) =>
    `SELECT nullif(custkey % 7, ${stream.nextInt(7)}) AS k, orderkey FROM orders ORDER BY k ${stream.pick(["ASC NULLS FIRST", "DESC NULLS LAST", "DESC"])}, orderkey LIMIT ${stream.between(1, 400)}`,
  (stream) =>
    `SELECT * FROM (SELECT custkey % ${stream.between(3, 30)} AS k, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC FETCH FIRST ${stream.between(1, 5)} ROWS WITH TIES)`,
  (stream) =>
    `SELECT orderkey FROM orders WHERE custkey = ${stream.between(1, 90)} INTERSECT ALL SELECT orderkey FROM lineitem WHERE linenumber < ${stream.between(2, 5)}`,
  (stream) => `SELECT nationkey % ${stream.between(2, 9)} FROM nation EXCEPT ALL SELECT regionkey FROM region`,
  (stream) =>
    `SELECT o.orderkey, (SELECT max(l.extendedprice) FROM lineitem l WHERE l.orderkey = o.orderkey AND l.linenumber < ${stream.between(2, 6)}) FROM orders o WHERE o.custkey < 40`,
  (stream) =>
    `SELECT n.name, x.name FROM nation n, LATERAL (SELECT c.name FROM customer c WHERE c.nationkey = n.nationkey ORDER BY c.custkey LIMIT ${stream.between(1, 4)}) x`,
  (stream) =>
    `SELECT name FROM nation WHERE regexp_like(name, '${stream.pick(["^A", "[IU].*A$", "(A|E){2}"])}') OR name LIKE '%\\_%' ESCAPE '\\'`,
  (stream) =>
    `SELECT approx_distinct(clerk) > 0, count_if(totalprice > ${stream.between(1_000, 200_000)}), bool_or(orderstatus = 'P'), arbitrary(1) FROM orders`,
  (stream) =>
    `SELECT max_by(orderkey, totalprice), min(clerk, ${stream.between(1, 4)}), listagg(orderstatus, ',') WITHIN GROUP (ORDER BY orderkey) FROM orders WHERE custkey < ${stream.between(4, 40)}`,
];

const allFeatures: readonly Feature[] = [
  ...features,
  ...windowFeatures,
  ...patternFeatures,
  ...valueFeatures,
  ...subqueryFeatures,
  ...tableFunctionFeatures,
  ...filteredJoinFeatures,
];

/** Number of features. */
export const featureCount = allFeatures.length;

/** `number` chooses the feature, so that a bank of statements with consecutive numbers has all of them. */
export function drawFeature(stream: Stream, number: number): string {
  return (allFeatures[number % featureCount] as Feature)(stream);
}
