/**
 * Statements whose rows have an order, or a last column, that only the engine's determinism defines: ties of a sort, ranks among equals,
 * values in order of arrival. Two users submit them, one of whose operators never spill: both must get the same rows in the same order. The
 * other columns are those of an equivalent statement.
 */
import type { PlannedStatement, PlannedUser } from "../plan.ts";
import type { Stream } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

interface Tied {
  readonly columns: string;
  /** The last column. */
  readonly last: string;
  readonly rest: string;
  /** Defines the order but for ties. */
  readonly order?: string;
}

const fewOrders = "FROM orders WHERE orderkey < 6000";
const fewLines = "FROM lineitem WHERE orderkey < 2000";

const statements: readonly Tied[] = [
  { columns: "custkey, orderkey", last: "clerk", rest: fewOrders, order: "custkey" },
  { columns: "orderstatus, orderkey", last: "totalprice", rest: fewOrders, order: "orderstatus DESC" },
  { columns: "shipmode, orderkey, linenumber", last: "quantity", rest: fewLines, order: "shipmode, linenumber" },
  { columns: "custkey, orderkey", last: "row_number() OVER (PARTITION BY orderstatus ORDER BY orderpriority)", rest: fewOrders },
  { columns: "orderkey, linenumber", last: "lag(linenumber) OVER (PARTITION BY shipmode ORDER BY quantity)", rest: fewLines },
  { columns: "custkey, count(*)", last: "array_agg(orderkey)", rest: `${fewOrders} GROUP BY custkey` },
  { columns: "custkey, count(DISTINCT orderstatus)", last: "array_agg(DISTINCT orderpriority)", rest: `${fewOrders} GROUP BY custkey` },
  { columns: "suppkey, max(quantity)", last: "array_agg(linenumber ORDER BY shipmode)", rest: `${fewLines} GROUP BY suppkey` },
  {
    columns: "orderkey, custkey",
    last: "clerk",
    rest: `${fewOrders} AND custkey NOT IN (SELECT custkey FROM customer WHERE nationkey < 9)`,
  },
  { columns: "orderkey, custkey", last: "clerk", rest: `${fewOrders} AND custkey IN (SELECT custkey FROM customer WHERE nationkey < 9)` },
  {
    columns: "o.orderkey, c.custkey",
    last: "c.name",
    rest: "FROM orders o JOIN customer c ON o.custkey = c.custkey WHERE o.orderkey < 6000",
  },
  {
    columns: "c.custkey, o.orderkey",
    last: "o.clerk",
    rest: "FROM customer c LEFT JOIN orders o ON o.custkey = c.custkey AND o.orderkey < 3000",
  },
  {
    columns: "c.custkey, o.orderkey",
    last: "c.nationkey",
    rest: "FROM customer c FULL JOIN (SELECT orderkey, custkey FROM orders WHERE orderkey < 3000) o ON o.custkey = c.custkey AND o.orderkey > 700",
    order: "c.nationkey",
  },
  // Joins without keys, whose build side stays in memory.
  {
    columns: "c.custkey, s.suppkey",
    last: "s.name",
    rest: "FROM customer c JOIN supplier s ON s.nationkey > c.nationkey AND c.acctbal < s.acctbal WHERE c.custkey < 60",
  },
  {
    columns: "c.custkey, n.nationkey",
    last: "n.name",
    rest: "FROM customer c LEFT JOIN nation n ON n.nationkey < c.nationkey AND n.regionkey > 1 WHERE c.custkey < 60",
  },
  // Rows beyond the first and the last of a partition are NULL.
  {
    columns: "m.custkey, m.first_key",
    last: "m.beyond",
    rest: `FROM (SELECT * ${fewOrders}) MATCH_RECOGNIZE (
      PARTITION BY custkey ORDER BY orderkey
      MEASURES FIRST(a.orderkey) AS first_key, NEXT(LAST(b.orderkey)) AS beyond
      PATTERN (a b*) DEFINE b AS b.totalprice > PREV(b.totalprice)
    ) AS m`,
  },
  {
    columns: "m.orderkey, m.linenumber",
    last: "m.beyond",
    rest: `FROM (SELECT * ${fewLines}) MATCH_RECOGNIZE (
      PARTITION BY orderkey ORDER BY linenumber
      MEASURES PREV(a.quantity) AS beyond
      ALL ROWS PER MATCH PATTERN (a+) DEFINE a AS a.quantity < coalesce(NEXT(a.quantity), 100)
    ) AS m`,
  },
  { columns: "custkey, orderkey", last: "clerk", rest: `${fewOrders} ORDER BY custkey, orderkey OFFSET 3 LIMIT 200` },
];

/** The order of the groups and the last bits of their sums depend on where a partial aggregation gives its groups out. */
const grouped: readonly Tied[] = [
  { columns: "custkey, count(*)", last: "sum(CAST(totalprice AS double) / 7)", rest: `${fewOrders} GROUP BY custkey` },
  { columns: "partkey, suppkey, count(*)", last: "avg(CAST(extendedprice AS double) / 3)", rest: `${fewLines} GROUP BY partkey, suppkey` },
];

/** The same statements of a user whose operators may spill, and of one whose operators must not. */
export function drawTiedUsers(stream: Stream): readonly PlannedUser[] {
  const others = stream.shuffle(statements).slice(0, stream.between(2, 4, "statements"));
  const drawn = [stream.pick(grouped, "groups"), ...others];
  const paired = drawn.map(
    ({ columns, last, order, rest }): Omit<PlannedStatement, "thinkNanos"> => ({
      sql: `SELECT ${columns}, ${last} ${rest}${order === undefined ? "" : ` ORDER BY ${order}`}`,
      behaviour: { kind: "reads-all" },
      volatile: { equivalent: `SELECT ${columns} ${rest}`, isPaired: true },
    }),
  );
  return [
    { name: "p1", session: {} },
    { name: "p2", session: { spill_enabled: "false" } },
  ].map((user) => ({
    ...user,
    startNanos: stream.between(250, 1_500, "start") * nanosPerMs,
    statements: paired.map((statement) => ({ ...statement, thinkNanos: stream.between(0, 300) * nanosPerMs })),
  }));
}
