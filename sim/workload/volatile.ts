/**
 * Statements whose last column is drawn at random by the engine. A query that runs again must draw the same: a client that has a part of
 * the rows cannot be given others. The other columns are those of an equivalent statement.
 */
import type { Stream } from "../world/streams.ts";

export interface Volatile {
  readonly sql: string;
  /** Without the last column. */
  readonly equivalent: string;
}

const draws = ["random(1000000)", "rand()", "uuid()", "shuffle(ARRAY[1, 2, 3, 4, 5, 6])", "random(10, 90)"] as const;

export function drawVolatile(stream: Stream): Volatile {
  const draw = stream.pick(draws, "random function");
  const [columns, rest] = stream.pick(
    [
      ["orderkey, custkey", `FROM orders WHERE custkey > ${stream.between(0, 200)}`],
      ["orderkey, linenumber", `FROM lineitem WHERE linenumber < ${stream.between(2, 5)}`],
      ["c.custkey, o.orderkey", "FROM customer c JOIN orders o ON c.custkey = o.custkey"],
      ["partkey, suppkey", "FROM partsupp ORDER BY partkey, suppkey"],
      ["custkey, count(*)", "FROM orders GROUP BY custkey"],
    ] as const,
    "statement",
  );
  return { sql: `SELECT ${columns}, ${draw} ${rest}`, equivalent: `SELECT ${columns} ${rest}` };
}

/** The rows without their last column. */
export function withoutDraws(rows: readonly unknown[]): readonly unknown[] {
  return rows.map((row) => (Array.isArray(row) ? row.slice(0, -1) : row));
}
