/**
 * Statements that fail on purpose, and statements about the service itself. A declared error is also a correct result: it must be the same
 * under every schedule, so no statement stops early before the failing row.
 */
import type { Stream } from "../world/streams.ts";
import { drawQuery } from "./queries.ts";

type Shape = (stream: Stream) => string;

/** Errors while rows are computed. */
const runtimeErrors: readonly Shape[] = [
  (stream) => `SELECT 1 / (nationkey - ${stream.nextInt(30)}) FROM nation`,
  (stream) => `SELECT orderkey, totalprice / (custkey % ${stream.between(2, 9)}) FROM orders WHERE orderkey > ${stream.nextInt(9_000)}`,
  (stream) => `SELECT sum(CAST(substr(name, ${stream.between(1, 3)}, 2) AS bigint)) FROM customer`,
  () => "SELECT sum(orderkey * 9223372036854775807) FROM orders",
  (stream) => `SELECT max(CAST(custkey AS tinyint)) FROM orders WHERE custkey > ${stream.between(1, 300)}`,
  (stream) => `SELECT name, (SELECT nationkey FROM nation n WHERE n.nationkey > ${stream.nextInt(25)}) FROM region`,
  (stream) => `SELECT CAST(orderdate AS date), CAST(clerk AS date) FROM orders WHERE custkey = ${stream.between(1, 400)}`,
  (stream) =>
    `SELECT n.name, count(*) FROM nation n JOIN customer c ON n.nationkey = c.nationkey GROUP BY n.name HAVING 1 / (count(*) % ${stream.between(2, 5)}) >= 0`,
];

/** Errors before execution. */
const analysisErrors: readonly Shape[] = [
  () => "SELECT nosuchcolumn FROM nation",
  () => "SELECT * FROM nosuchtable",
  () => "SELECT nosuchfunction(1)",
  () => "SELECT name + 1 FROM nation",
  () => "SELECT name, count(*) FROM nation",
  () => "SELECT name FROM nation GROUP BY 2",
  () => "SELECT nationkey FROM nation n, customer c",
  () => "SELEC 1",
  () => "SELECT * FROM nation WHERE name LIKE",
  () => "SELECT sum(count(*)) FROM nation",
  () => "SELECT nationkey FROM nation UNION SELECT name FROM nation",
  () => "DROP TABLE memory.default.nosuchtable",
  (stream) => stream.pick(["START TRANSACTION", "COMMIT", "ROLLBACK WORK", "START TRANSACTION READ ONLY"]),
  () => "SELECT count(DISTINCT name) OVER (PARTITION BY regionkey) FROM nation",
  () => "SELECT name FROM nation WHERE rank() OVER (ORDER BY name) < 3",
];

/** Statements about the service instead of data. */
const questions: readonly Shape[] = [
  () => "SHOW TABLES FROM tiny",
  () => "SHOW CATALOGS LIKE 't%'",
  () => "SHOW SCHEMAS FROM tpch",
  (stream) => `SHOW COLUMNS FROM ${stream.pick(["orders", "lineitem", "nation"])}`,
  (stream) => `SHOW FUNCTIONS LIKE '${stream.pick(["a", "date", "m"])}%'`,
  (stream) => `DESCRIBE ${stream.pick(["customer", "part"])}`,
  (stream) =>
    `SELECT table_name, column_name, data_type FROM tpch.information_schema.columns WHERE table_schema = 'sf1' AND ordinal_position < ${stream.between(2, 9)}`,
  (stream) => `EXPLAIN (TYPE VALIDATE) ${drawQuery(stream)}`,
];

export function drawRuntimeError(stream: Stream): string {
  return stream.pick(runtimeErrors)(stream);
}

export function drawAnalysisError(stream: Stream): string {
  return stream.pick(analysisErrors)(stream);
}

export function drawQuestion(stream: Stream): string {
  return stream.pick(questions)(stream);
}

/** A statement whose values are passed as parameters instead of literals. */
export function drawPrepared(stream: Stream): string {
  switch (stream.nextInt(3)) {
    case 0:
      return `EXECUTE IMMEDIATE 'SELECT custkey, count(*) FROM orders WHERE totalprice > ? GROUP BY custkey' USING ${stream.between(1_000, 400_000)}`;
    case 1:
      return `EXECUTE IMMEDIATE 'SELECT n.name FROM nation n JOIN region r ON n.regionkey = r.regionkey WHERE r.name = ? OR n.nationkey < ?' USING 'ASIA', ${stream.nextInt(25)}`;
    default:
      return `EXECUTE IMMEDIATE '${drawQuery(stream).replaceAll("'", "''")}'`;
  }
}
