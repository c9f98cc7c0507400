/**
 * The statements of simulated users. Many are drawn from a grammar (queries.ts), some have results that are known from another engine
 * (known.ts), some cover plan shapes that deserve a statement of their own, and some fail on purpose. One correct result exists under every
 * schedule: all types are exact (the catalog maps doubles to decimals), and a statement that sorts or limits uses a total order.
 */
import type { Stream } from "../world/streams.ts";
import { drawFeature, featureCount } from "./features.ts";
import { drawAnalysisError, drawPrepared, drawQuestion, drawRuntimeError } from "./failures.ts";
import { drawKnown } from "./known.ts";
import { drawQuery } from "./queries.ts";
import { drawFileStep as drawUserFileStep, drawTableStep as drawUserTableStep, type TableStep } from "./user-tables.ts";

/** Catalog and schema of every simulated user. */
export const workloadCatalog = "tpch";
export { smallSchema, workloadSchema } from "./tables.ts";

type Shape = (stream: Stream) => string;

const comparisons = ["=", "<>", "<", "<=", ">", ">="] as const;

function orderFilter(stream: Stream): string {
  switch (stream.nextInt(5)) {
    case 0:
      return `o.totalprice > ${stream.between(1_000, 300_000)}`;
    case 1:
      return `o.orderdate < DATE '${1992 + stream.nextInt(7)}-0${stream.between(1, 9)}-1${stream.nextInt(9)}'`;
    case 2:
      return `o.orderstatus IN ('F', '${stream.pick(["O", "P"])}')`;
    case 3:
      return `o.custkey % ${stream.between(2, 7)} ${stream.pick(comparisons)} ${stream.nextInt(4)}`;
    default:
      return `o.clerk LIKE '%${stream.nextInt(10)}'`;
  }
}

function lineFilter(stream: Stream): string {
  switch (stream.nextInt(4)) {
    case 0:
      return `l.quantity < ${stream.between(2, 50)}`;
    case 1:
      return `l.shipdate >= DATE '${1992 + stream.nextInt(7)}-01-01'`;
    case 2:
      return `l.discount BETWEEN 0.0${stream.nextInt(5)} AND 0.0${stream.between(5, 9)}`;
    default:
      return `l.shipmode IN ('AIR', '${stream.pick(["RAIL", "TRUCK", "MAIL"])}')`;
  }
}

const shapes: readonly Shape[] = [
  () => "SELECT 1, 'one', 1.50, DATE '2020-02-29', NULL",
  (stream) => `SELECT * FROM nation WHERE regionkey = ${stream.nextInt(6)} ORDER BY nationkey`,
  (stream) => `SELECT orderkey, totalprice FROM orders o WHERE ${orderFilter(stream)}`,
  (stream) =>
    `SELECT orderkey, custkey, orderstatus, totalprice, orderdate, orderpriority, clerk FROM orders o WHERE ${orderFilter(stream)} AND ${orderFilter(stream)} ORDER BY orderkey`,
  (stream) => `SELECT orderkey, clerk FROM orders ORDER BY totalprice DESC, orderkey LIMIT ${stream.between(1, 200)}`,
  (stream) =>
    `SELECT orderkey, linenumber FROM lineitem ORDER BY orderkey, linenumber OFFSET ${stream.nextInt(3_000)} LIMIT ${stream.between(0, 500)}`,
  (stream) => `SELECT count(*), sum(l.quantity), min(l.shipinstruct), max(l.shipdate) FROM lineitem l WHERE ${lineFilter(stream)}`,
  (stream) =>
    `SELECT returnflag, linestatus, count(*), sum(extendedprice * (1 - discount)), avg(quantity) FROM lineitem l WHERE ${lineFilter(stream)} GROUP BY returnflag, linestatus`,
  (stream) =>
    `SELECT custkey, count(*) c, sum(totalprice) FROM orders o WHERE ${orderFilter(stream)} GROUP BY custkey HAVING count(*) > ${stream.between(1, 12)}`,
  (stream) => `SELECT DISTINCT orderpriority, orderstatus FROM orders o WHERE ${orderFilter(stream)}`,
  (stream) => `SELECT count(DISTINCT custkey), count(DISTINCT clerk) FILTER (WHERE ${orderFilter(stream)}) FROM orders o`,
  (stream) =>
    `SELECT c.name, count(*), sum(o.totalprice) FROM customer c JOIN orders o ON c.custkey = o.custkey WHERE ${orderFilter(stream)} GROUP BY c.name ORDER BY 3 DESC, 1 LIMIT ${stream.between(1, 20)}`,
  (stream) =>
    `SELECT o.orderkey, l.linenumber, l.extendedprice FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey WHERE ${orderFilter(stream)} AND ${lineFilter(stream)}`,
  (stream) =>
    `SELECT c.custkey, o.orderkey FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND ${orderFilter(stream)} ORDER BY 1, 2`,
  (stream) => `SELECT c.custkey, o.orderkey FROM orders o RIGHT JOIN customer c ON c.custkey = o.custkey AND ${orderFilter(stream)}`,
  (stream) => `SELECT a.nationkey, b.nationkey FROM nation a FULL JOIN nation b ON a.nationkey = b.nationkey + ${stream.nextInt(30)}`,
  () => "SELECT n.name, r.name FROM nation n CROSS JOIN region r",
  (stream) => `SELECT name FROM customer WHERE custkey IN (SELECT custkey FROM orders o WHERE ${orderFilter(stream)})`,
  (stream) =>
    `SELECT 'o', orderkey FROM orders o WHERE ${orderFilter(stream)} UNION ALL SELECT 'l', orderkey FROM lineitem l WHERE ${lineFilter(stream)}`,
  (stream) =>
    `WITH big AS (SELECT * FROM orders o WHERE ${orderFilter(stream)}) SELECT orderpriority, count(*) FROM big GROUP BY 1 ORDER BY 1`,
  (stream) => `SELECT CASE WHEN quantity > ${stream.between(5, 45)} THEN 'many' ELSE 'few' END AS q, count(*) FROM lineitem GROUP BY 1`,
];

export function drawStatement(stream: Stream): string {
  switch (stream.nextInt(28)) {
    case 0:
      return drawRuntimeError(stream);
    case 1:
      return drawAnalysisError(stream);
    case 2:
      return drawQuestion(stream);
    case 3:
      return drawPrepared(stream);
    case 4:
      return stream.pick(shapes)(stream);
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
      return drawQuery(stream);
    case 14:
      return drawFeature(stream, stream.nextInt(featureCount));
    default:
      return drawKnown(stream);
  }
}

/** One step of a user with a table. */
export function drawTableStep(stream: Stream, table: string, place: number): TableStep {
  return drawUserTableStep(stream, table, place, orderFilter);
}

/** One step of a user with a table of files. */
export function drawFileStep(stream: Stream, table: string, place: number): TableStep {
  return drawUserFileStep(stream, table, place, orderFilter);
}

const clauses = [
  "OVER",
  "LATERAL",
  "TIES",
  "CUBE",
  "ROLLUP",
  "GROUPING SETS",
  "INTERSECT",
  "EXCEPT",
  "UNION",
  "FULL JOIN",
  "RIGHT JOIN",
  "LEFT JOIN",
  "CROSS JOIN",
  "JOIN",
  "GROUP BY",
  "DISTINCT",
  "OFFSET",
  "LIMIT",
  "ORDER BY",
] as const;

/** Name of what a statement exercises: `CREATE TABLE`, `SELECT with JOIN`. */
export function kindOf(sql: string): string {
  if (!/^(SELECT|WITH)\b/.test(sql)) {
    return /^(?:PREPARE|EXECUTE(?: IMMEDIATE)?|DEALLOCATE|USE|CREATE OR REPLACE \w+|\w+ \w+)/.exec(sql)?.[0] ?? sql;
  }
  const clause = clauses.find((one) => new RegExp(`\\b${one}\\b`).test(sql));
  return clause === undefined ? "SELECT" : `SELECT with ${clause}`;
}
