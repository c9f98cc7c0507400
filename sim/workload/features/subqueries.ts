/**
 * Subqueries and joins by the kinds of their keys: no rows, only NULLs, texts, wide numbers, nested values. Scalar subqueries with no row
 * or with too many.
 */
import type { Stream } from "../../world/streams.ts";
import type { Feature } from "./feature.ts";

/** Keys of a join whose build side may filter the scan of the other. */
function keyedJoin(stream: Stream): string {
  const [probe, build] = stream.pick([
    ["o.clerk", "'Clerk#00000000' || CAST(c.custkey % 4 AS varchar)"],
    ["o.totalprice", "CAST(c.custkey * 1000 + 0.5 AS decimal(12, 2))"],
    ["o.orderdate", "date_add('day', c.custkey, DATE '1995-01-01')"],
    ["o.custkey", "nullif(c.custkey, c.custkey)"],
    ["CAST(o.custkey AS decimal(30, 1))", "CAST(c.custkey AS decimal(30, 1))"],
    ["CAST(o.custkey AS double)", "CAST(c.custkey AS double)"],
    ["o.orderpriority", "c.mktsegment"],
    ["o.custkey", "c.custkey * 100000"],
    ["ROW(o.custkey, o.orderstatus)", "ROW(c.custkey, 'F')"],
  ]);
  const filter = stream.pick(["true", "c.custkey < 0", `c.custkey < ${stream.between(5, 90)}`, "c.nationkey = 3", "c.name LIKE '%7'"]);
  return `SELECT o.orderkey, c.name FROM orders o JOIN customer c ON ${probe} = ${build} WHERE ${filter}`;
}

function listedMembers(stream: Stream): string {
  const isNot = stream.pick(["", "NOT "]);
  const [value, member, source] = stream.pick([
    ["nullif(name, 'CHINA')", "nullif(name, 'ASIA')", "region"],
    ["ARRAY[regionkey]", "ARRAY[nullif(regionkey, 2)]", "region WHERE regionkey > 9"],
    ["ARRAY[regionkey]", "ARRAY[regionkey]", "region WHERE regionkey > 2"],
    ["ARRAY[nullif(regionkey, 1)]", "nullif(ARRAY[regionkey], ARRAY[2])", "region"],
    ["nullif(ARRAY[nationkey], ARRAY[3])", "ARRAY[regionkey]", "region"],
    ["ROW(regionkey, nullif(nationkey, 2))", "ROW(regionkey, nullif(regionkey, 3))", "region"],
    ["CAST(regionkey AS decimal(25, 1))", "CAST(regionkey AS decimal(25, 1))", "region WHERE regionkey < 3"],
    ["regionkey", "CAST(NULL AS bigint)", "region"],
    ["nullif(regionkey, 1)", "regionkey", "region WHERE regionkey > 9"],
    ["map(ARRAY['k'], ARRAY[regionkey])", "map(ARRAY['k'], ARRAY[regionkey])", "region WHERE regionkey <> 1"],
  ]);
  const condition = `${value} ${isNot}IN (SELECT ${member} FROM ${source})`;
  return stream.chance(1, 2) ? `SELECT nationkey, ${condition} FROM nation` : `SELECT nationkey, name FROM nation WHERE ${condition}`;
}

function scalar(stream: Stream): string {
  const subquery = stream.pick([
    "(SELECT name FROM region WHERE regionkey > 9)",
    "(SELECT name FROM region WHERE regionkey = 3)",
    "(SELECT name FROM region)",
    "(SELECT r.name FROM region r WHERE r.regionkey = n.regionkey)",
    "(SELECT r.name FROM region r WHERE r.regionkey >= n.regionkey)",
    "(SELECT max(name) FROM region WHERE regionkey > 9)",
    "(SELECT count(*) FROM customer c WHERE c.nationkey = n.nationkey AND c.custkey > n.regionkey)",
    "(SELECT name FROM region ORDER BY regionkey LIMIT 1)",
  ]);
  return `SELECT n.nationkey, ${subquery} FROM nation n WHERE n.nationkey < ${stream.between(10, 25)}`;
}

function unnested(stream: Stream): string {
  const source = stream.pick([
    "CROSS JOIN UNNEST(IF(custkey % 3 = 0, NULL, sequence(1, custkey % 5))) WITH ORDINALITY AS t (v, o)",
    "LEFT JOIN UNNEST(sequence(1, custkey % 3), ARRAY[name, NULL, 'x']) WITH ORDINALITY AS t (v, w, o) ON true",
    "CROSS JOIN UNNEST(ARRAY[ROW(custkey, name), NULL, ROW(NULL, 'y')]) AS t (v, w)",
    "CROSS JOIN UNNEST(map(ARRAY[name, 'b'], ARRAY[custkey, NULL])) WITH ORDINALITY AS t (k, v, o)",
    "LEFT JOIN UNNEST(nullif(ARRAY[nationkey], ARRAY[3])) AS t (v) ON true",
    "CROSS JOIN UNNEST(ARRAY[nationkey, 2], ARRAY[]) AS t (v, w)",
  ]);
  return `SELECT custkey, t.* FROM customer ${source} WHERE custkey % ${stream.between(2, 4)} = 1`;
}

export const subqueryFeatures: readonly Feature[] = [
  keyedJoin,
  keyedJoin,
  keyedJoin,
  keyedJoin,
  listedMembers,
  listedMembers,
  listedMembers,
  scalar,
  scalar,
  unnested,
  unnested,
  (stream) =>
    `WITH RECURSIVE t (n, s) AS (SELECT regionkey, CAST(name AS varchar) FROM region UNION ALL SELECT n + 5, s || 'x' FROM t WHERE n < ${stream.between(10, 30)}) SELECT n, count(*), max(s) FROM t GROUP BY n`,
  (stream) =>
    `WITH big AS (SELECT custkey, count(*) AS c FROM orders GROUP BY custkey) SELECT a.custkey, a.c FROM big a JOIN big b ON a.c = b.custkey WHERE b.c > ${stream.between(1, 12)} UNION ALL SELECT custkey, c FROM big WHERE custkey < 9`,
  (stream) =>
    `SELECT orderstatus, orderpriority, count(*), grouping(orderstatus, orderpriority) FROM orders WHERE custkey < ${stream.between(30, 300)} GROUP BY GROUPING SETS ((orderstatus), (orderpriority), (orderstatus, orderpriority), ())`,
  (stream) =>
    `SELECT regionkey, count(DISTINCT nationkey) FILTER (WHERE nationkey > ${stream.nextInt(20)}), array_agg(DISTINCT name ORDER BY name), sum(DISTINCT nationkey % 4), listagg(name, '/' ON OVERFLOW TRUNCATE '...' WITH COUNT) WITHIN GROUP (ORDER BY name) FROM nation GROUP BY regionkey`,
  (stream) =>
    `SELECT c.name, o.orderkey FROM customer c JOIN orders o ON c.custkey < o.custkey AND o.custkey < ${stream.between(4, 12)} WHERE c.acctbal > o.totalprice / 100`,
  (stream) =>
    `SELECT n.name, c.name FROM nation n LEFT JOIN customer c ON n.nationkey = c.nationkey AND c.acctbal / (c.custkey % 50 - ${stream.nextInt(3)}) > 100`,
  (stream) =>
    `SELECT nationkey, sum(nationkey) FROM nation GROUP BY 1 HAVING sum(9223372036854775807 / ${stream.between(1, 3)}) + nationkey > 0`,
];
