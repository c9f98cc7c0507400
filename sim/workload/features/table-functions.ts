/** Table functions with table arguments: partitions, copartitions, empty tables, pass-through columns, rows in any order. */
import type { Stream } from "../../world/streams.ts";
import type { Feature } from "./feature.ts";

function repeated(stream: Stream): string {
  const input = stream.pick([
    "TABLE(nation) PARTITION BY regionkey ORDER BY name",
    "TABLE(nation) ORDER BY nationkey DESC",
    "TABLE(SELECT orderkey, orderstatus, clerk FROM orders WHERE custkey < 90) PARTITION BY orderstatus",
    "TABLE(SELECT custkey, nullif(nationkey, 3) AS k FROM customer) PARTITION BY k ORDER BY custkey",
    "TABLE(SELECT nationkey FROM nation WHERE nationkey < 0) KEEP WHEN EMPTY",
    "TABLE(SELECT nationkey FROM nation WHERE nationkey < 0) PRUNE WHEN EMPTY",
  ]);
  const beyond = stream.chance(1, 6) ? ", BEYOND => 1" : "";
  return `SELECT * FROM TABLE(testing.testing.repeated(INPUT => ${input}, TIMES => ${stream.between(1, 3)}${beyond}))`;
}

function sizes(stream: Stream): string {
  const name = stream.pick(["sizes", "sizes", "pruned_sizes"]);
  const a = stream.pick([
    "TABLE(SELECT * FROM region WHERE regionkey <> 2)",
    "TABLE(region)",
    "TABLE(SELECT * FROM region WHERE regionkey > 9)",
  ]);
  const b = stream.pick([
    "TABLE(SELECT nationkey, nullif(regionkey, 1) AS regionkey FROM nation)",
    "TABLE(SELECT custkey, nationkey % 7 AS regionkey FROM customer)",
    "TABLE(SELECT * FROM region WHERE regionkey > 9)",
  ]);
  const keep = stream.pick(["", "", " KEEP WHEN EMPTY", " PRUNE WHEN EMPTY"]);
  switch (stream.nextInt(4)) {
    case 0:
      return `SELECT * FROM TABLE(testing.testing.${name}(A => ${a} AS a PARTITION BY regionkey ORDER BY name, B => ${b} AS b PARTITION BY regionkey${keep} COPARTITION (a, b)))`;
    case 1:
      return `SELECT * FROM TABLE(testing.testing.${name}(A => ${a} PARTITION BY regionkey ORDER BY name, B => ${b} PARTITION BY regionkey${keep}))`;
    case 2:
      return `SELECT * FROM TABLE(testing.testing.${name}(A => ${a} ORDER BY regionkey, B => ${b} PARTITION BY regionkey${keep}))`;
    default:
      return `SELECT * FROM TABLE(testing.testing.${name}(A => ${a} ORDER BY regionkey, B => ${b}${keep}))`;
  }
}

function rowwise(stream: Stream): string {
  const input = stream.pick([
    "TABLE(SELECT orderkey, clerk FROM orders WHERE custkey < 70)",
    "TABLE(nation)",
    "TABLE(SELECT 1 AS one WHERE 1 = 0)",
    "TABLE(SELECT orderstatus, count(*) AS c FROM orders GROUP BY orderstatus)",
  ]);
  return `SELECT * FROM TABLE(testing.testing.${stream.pick(["numbered", "numbered", "numbers"])}(INPUT => ${input}))`;
}

export const tableFunctionFeatures: readonly Feature[] = [
  repeated,
  repeated,
  repeated,
  sizes,
  sizes,
  sizes,
  sizes,
  rowwise,
  rowwise,
  (stream) =>
    `SELECT number, count(*) FROM TABLE(testing.testing.numbered(INPUT => TABLE(SELECT custkey FROM customer WHERE custkey < ${stream.between(5, 300)}))) GROUP BY number`,
  () => "SELECT name FROM TABLE(exclude_columns(INPUT => TABLE(nation), COLUMNS => DESCRIPTOR(comment, regionkey)))",
];
