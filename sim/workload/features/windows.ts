/**
 * Window functions with NULL, zero, negative and huge arguments, frames without rows, and RANGE frames over every kind of number. Each
 * window has a total order.
 */
import type { Stream } from "../../world/streams.ts";
import type { Feature } from "./feature.ts";

const picked = ["first_value(v)", "last_value(v)", "nth_value(v, 2)", "nth_value(v, 1 + nationkey % 3)"] as const;
const offsets = [
  "lag(v, nationkey % 3)",
  "lead(v, nationkey % 4, 'none')",
  "lag(v, nullif(nationkey % 5, 2))",
  "lead(v, 9223372036854775807)",
  "lag(v, 0) IGNORE NULLS",
  "lead(v, 0) IGNORE NULLS",
  "lead(v, 2) IGNORE NULLS",
  "lag(v, nationkey % 2) IGNORE NULLS",
] as const;

function valuesOfFrames(stream: Stream): string {
  const frame = stream.pick([
    `BETWEEN ${stream.between(1, 3)} FOLLOWING AND ${stream.between(3, 5)} FOLLOWING`,
    "BETWEEN 9223372036854775807 PRECEDING AND 2 PRECEDING",
    "BETWEEN nationkey % 3 PRECEDING AND nationkey % 2 FOLLOWING",
  ]);
  const [one, two] = stream.shuffle(picked);
  const [three, four] = stream.shuffle(offsets);
  return (
    `SELECT nationkey, ${one} OVER (PARTITION BY regionkey ORDER BY nationkey ROWS ${frame}), ${two} IGNORE NULLS OVER (ORDER BY nationkey ROWS ${frame}), ` +
    `${three} OVER (ORDER BY nationkey), ${four} OVER (PARTITION BY regionkey ORDER BY nationkey) FROM (SELECT nationkey, regionkey, nullif(name, 'CANADA') AS v FROM nation)`
  );
}

/** Frames by value over a key of every physical type. The offsets of integers are columns. */
function rangeFrames(stream: Stream): string {
  const [type, offset] = stream.pick([
    ["real", "REAL '1.5'"],
    ["double", "2e0"],
    ["decimal(30, 2)", "DECIMAL '12345678901234567890.50'"],
    ["decimal(9, 1)", "CAST(regionkey AS decimal(9, 1))"],
    ["smallint", "CAST(regionkey AS smallint)"],
    ["bigint", "regionkey"],
  ]);
  const order = stream.pick(["", " DESC", " ASC NULLS FIRST", " DESC NULLS FIRST", " DESC NULLS LAST"]);
  return (
    `SELECT nationkey, count(*) OVER (ORDER BY k${order} RANGE BETWEEN ${offset} PRECEDING AND CURRENT ROW), ` +
    `min(nationkey) OVER (ORDER BY k${order} RANGE BETWEEN ${offset} FOLLOWING AND UNBOUNDED FOLLOWING) ` +
    `FROM (SELECT nationkey, regionkey, CAST(nullif(nationkey, ${stream.nextInt(24)}) AS ${type}) AS k FROM nation)`
  );
}

/** Statements that fail at a row: an argument or an offset that no row may have. */
function badArgument(stream: Stream): string {
  const call = stream.pick([
    "ntile(regionkey) OVER (ORDER BY nationkey)",
    "lag(name, regionkey - 2) OVER (ORDER BY nationkey)",
    "nth_value(name, regionkey) OVER (ORDER BY nationkey)",
    "nth_value(name, regionkey) IGNORE NULLS OVER (ORDER BY nationkey)",
    "count(*) OVER (ORDER BY nationkey ROWS nullif(nationkey, 7) PRECEDING)",
    "count(*) OVER (ORDER BY nationkey ROWS BETWEEN CURRENT ROW AND nationkey - 4 FOLLOWING)",
    "count(*) OVER (ORDER BY nationkey ROWS BETWEEN 1 PRECEDING AND nullif(nationkey, 9) FOLLOWING)",
    "count(*) OVER (ORDER BY nationkey GROUPS regionkey - 3 PRECEDING)",
    "count(*) OVER (ORDER BY CAST(nationkey AS double) RANGE CAST(regionkey - 1 AS double) PRECEDING)",
    "count(*) OVER (ORDER BY CAST(nationkey AS real) RANGE CAST(regionkey - 1 AS real) PRECEDING)",
    "count(*) OVER (ORDER BY CAST(nationkey AS decimal(30, 1)) RANGE CAST(regionkey - 1 AS decimal(30, 1)) PRECEDING)",
    "count(*) OVER (ORDER BY nationkey RANGE BETWEEN CURRENT ROW AND nullif(regionkey, 3) FOLLOWING)",
  ]);
  return `SELECT nationkey, ${call} FROM nation`;
}

export const windowFeatures: readonly Feature[] = [
  valuesOfFrames,
  valuesOfFrames,
  valuesOfFrames,
  rangeFrames,
  rangeFrames,
  rangeFrames,
  badArgument,
  badArgument,
  badArgument,
  (stream) =>
    `SELECT nationkey, ntile(${stream.between(2, 40)}) OVER (ORDER BY nationkey), ntile(nullif(nationkey % 4, 0)) OVER (PARTITION BY regionkey ORDER BY nationkey), percent_rank() OVER (PARTITION BY nationkey ORDER BY name), percent_rank() OVER (ORDER BY regionkey), cume_dist() OVER (ORDER BY regionkey DESC), dense_rank() OVER (ORDER BY regionkey) FROM nation`,
  (stream) =>
    `SELECT orderkey, sum(custkey) OVER (ORDER BY orderkey ROWS BETWEEN ${stream.between(40, 90)} PRECEDING AND ${stream.between(1, 70)} FOLLOWING), avg(totalprice) OVER (PARTITION BY orderstatus ORDER BY orderkey ROWS BETWEEN custkey % 40 PRECEDING AND custkey % 50 FOLLOWING), array_agg(custkey) OVER (ORDER BY orderkey ROWS ${stream.between(1, 4)} PRECEDING), count(nullif(custkey % 3, 1)) FILTER (WHERE custkey % 2 = 0) OVER (ORDER BY orderkey ROWS ${stream.between(50, 99)} PRECEDING) FROM orders WHERE custkey < 90`,
  () =>
    "SELECT nationkey, sum(nationkey * 1e18) OVER (ORDER BY nationkey) > 0, sum(nationkey * 70000000000000000) OVER (ORDER BY nationkey ROWS 20 PRECEDING) FROM nation",
];
