/**
 * Joins whose build keys filter the scan of the other side: keys are columns of one type on both sides, so that the filter reaches the
 * scan. Few keys are listed, many and dense ones are a bitmap, sparse ones are gaps.
 */
import type { Stream } from "../../world/streams.ts";
import type { Feature } from "./feature.ts";

/** Rows of a build side: none, few, or many. */
function someOrders(stream: Stream): string {
  return stream.pick(["custkey < 0", "custkey < 4", "custkey < 25", "custkey % 3 = 1", "orderkey % 500 < 3", "orderkey > 0"]);
}

/** The build side has the keys of some orders, in a column of the same type as the probe side's. */
function keysOfOrders(stream: Stream): string {
  const key = stream.pick(["clerk", "clerk", "totalprice", "orderdate", "orderpriority", "comment", "custkey", "orderkey"]);
  const join = stream.pick(["JOIN", "JOIN", "RIGHT JOIN"]);
  const build = `(SELECT ${key} AS k, count(*) AS c FROM orders WHERE ${someOrders(stream)} GROUP BY ${key})`;
  return `SELECT o.orderkey, b.k, b.c FROM orders o ${join} ${build} b ON o.${key} = b.k`;
}

function keysOfLines(stream: Stream): string {
  const [key, build] = stream.pick([
    ["orderkey", `(SELECT orderkey AS k FROM orders WHERE ${someOrders(stream)})`],
    ["suppkey", `(SELECT suppkey AS k FROM supplier WHERE suppkey % ${stream.between(2, 5)} = 1)`],
    ["shipmode", "(SELECT DISTINCT shipmode AS k FROM lineitem WHERE quantity > 48)"],
    ["shipdate", `(SELECT DISTINCT orderdate AS k FROM orders WHERE ${someOrders(stream)})`],
    ["quantity", "(SELECT DISTINCT quantity AS k FROM lineitem WHERE quantity < 4)"],
  ]);
  return `SELECT l.orderkey, l.linenumber, b.k FROM lineitem l JOIN ${build} b ON l.${key} = b.k`;
}

function members(stream: Stream): string {
  const key = stream.pick(["clerk", "orderdate", "totalprice", "orderkey", "custkey"]);
  return `SELECT orderkey, custkey FROM orders WHERE ${key} ${stream.pick(["IN", "IN", "NOT IN"])} (SELECT ${key} FROM orders WHERE ${someOrders(stream)})`;
}

/** The filter of the join crosses an aggregation on its key. */
function groupsOfKeys(stream: Stream): string {
  const build = `(SELECT orderkey AS k FROM orders WHERE ${someOrders(stream)})`;
  return `SELECT b.k, g.c, g.q FROM (SELECT orderkey, count(*) AS c, max(quantity) AS q FROM lineitem GROUP BY orderkey) g JOIN ${build} b ON g.orderkey = b.k`;
}

export const filteredJoinFeatures: readonly Feature[] = [
  keysOfOrders,
  keysOfOrders,
  keysOfOrders,
  keysOfLines,
  keysOfLines,
  members,
  members,
  groupsOfKeys,
];
