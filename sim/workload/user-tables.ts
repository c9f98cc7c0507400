/**
 * The history of a table that a user writes: its statements, and the content of the table after them as a query over immutable data. The
 * checker of tables uses the same queries to compute the expected content.
 */
import type { Stream } from "../world/streams.ts";

/** A statement on a user's own table in the workers' memory. */
export interface TableStep {
  readonly table: string;
  /**
   * `define` creates an empty table with NOT NULL on all columns but one; `insert-nulls` writes NULL into one of those; `replace` is CREATE
   * OR REPLACE TABLE AS.
   */
  readonly operation: "create" | "define" | "replace" | "insert" | "insert-nulls" | "merge" | "read" | "drop";
  /** For a write, the query whose rows it writes or merges; for a read, the query that contains the table's name. */
  readonly query: string;
  /** Of the files of a table that is created, if it has files. */
  readonly format?: "PARQUET" | "CSV" | "JSON";
  /** The name by which a read knows the table, if it is another one. */
  readonly readAs?: string;
}

const columns = "orderkey, custkey, totalprice, clerk";

export function tableStatement({ table, operation, query, format }: TableStep): string {
  switch (operation) {
    case "create":
      return `CREATE TABLE ${table}${format === undefined ? "" : ` WITH (format = '${format}')`} AS ${query}`;
    case "replace":
      return `CREATE OR REPLACE TABLE ${table} AS ${query}`;
    case "define":
      return `CREATE TABLE ${table} (orderkey bigint NOT NULL, custkey bigint NOT NULL, totalprice decimal(12, 2), clerk varchar(15) DEFAULT 'nobody' NOT NULL)`;
    case "insert":
    case "insert-nulls":
      return `INSERT INTO ${table} ${query}`;
    case "merge":
      return (
        `MERGE INTO ${table} t USING (${query}) s ON t.orderkey = s.orderkey WHEN MATCHED AND s.totalprice > ${dearPrice} THEN DELETE ` +
        "WHEN MATCHED THEN UPDATE SET custkey = t.custkey + 1000, clerk = s.clerk " +
        "WHEN NOT MATCHED AND s.custkey % 2 = 0 THEN INSERT (orderkey, custkey, clerk) VALUES (s.orderkey, s.custkey, s.clerk)"
      );
    case "read":
      return query;
    case "drop":
      return `DROP TABLE ${table}`;
  }
}

const dearPrice = 200_000;

/** Effect of a successful write on the rows. */
export interface TableWrite {
  readonly kind: "rows" | "merge";
  readonly query: string;
}

/** Content of a table after these writes, as a relation over immutable data. */
export function contentQuery(writes: readonly TableWrite[]): string {
  return `(${writes.reduce(rowsAfter, "")}) t`;
}

function rowsAfter(content: string, { kind, query }: TableWrite): string {
  if (kind === "rows") {
    return content === "" ? query : `${content} UNION ALL ${query}`;
  }
  return (
    "SELECT coalesce(t.orderkey, s.orderkey) AS orderkey, " +
    "CASE WHEN t.orderkey IS NULL THEN s.custkey WHEN s.orderkey IS NULL THEN t.custkey ELSE t.custkey + 1000 END AS custkey, " +
    "t.totalprice, CASE WHEN s.orderkey IS NULL THEN t.clerk ELSE s.clerk END AS clerk " +
    `FROM (${content}) t FULL JOIN (${query}) s ON t.orderkey = s.orderkey ` +
    `WHERE s.orderkey IS NULL OR (t.orderkey IS NOT NULL AND s.totalprice <= ${dearPrice}) OR (t.orderkey IS NULL AND s.custkey % 2 = 0)`
  );
}

/** Number of rows that a write changes, as a query over immutable data. */
export function changedRowsQuery({ kind, query }: TableWrite, writes: readonly TableWrite[]): string {
  return kind === "rows"
    ? `SELECT count(*) FROM ${contentQuery([{ kind, query }])}`
    : `SELECT count(*) FROM ${contentQuery(writes)} RIGHT JOIN (${query}) s ON t.orderkey = s.orderkey WHERE t.orderkey IS NOT NULL OR s.custkey % 2 = 0`;
}

/** No rows, with the columns of the table. */
export const noRows: TableWrite = { kind: "rows", query: `SELECT ${columns} FROM orders o WHERE false` };

const reads: readonly ((table: string) => string)[] = [
  (table) => `SELECT ${columns} FROM ${table}`,
  (table) => `SELECT count(*), count(DISTINCT custkey), sum(totalprice), max(clerk) FROM ${table}`,
  (table) => `SELECT custkey, count(*) FROM ${table} GROUP BY custkey ORDER BY 2 DESC, 1 LIMIT 30`,
];

/**
 * One step of a user with a table. Most steps are valid; some use a table that does not exist. `drawFilter` draws a condition over orders,
 * with alias o.
 */
export function drawTableStep(stream: Stream, table: string, place: number, drawFilter: (stream: Stream) => string): TableStep {
  const query = (): string => `SELECT ${columns} FROM orders o WHERE ${writtenFilter(stream, drawFilter)}`;
  const chosen = place === 0 ? 0 : stream.between(1, 14);
  if (chosen <= 1) {
    return stream.chance(1, 4) ? { table, operation: "define", query: "" } : { table, operation: "create", query: query() };
  }
  if (chosen <= 3) {
    return { table, operation: "insert", query: query() };
  }
  switch (chosen) {
    case 9:
      return { table, operation: "drop", query: "" };
    case 10:
    case 11:
      return { table, operation: "merge", query: query() };
    case 12:
      return { table, operation: "replace", query: query() };
    case 13: {
      const some = `o.custkey % ${stream.between(2, 5)} = 1`;
      return {
        table,
        operation: "insert-nulls",
        query: `SELECT orderkey, CAST(NULL AS bigint) AS custkey, totalprice, clerk FROM orders o WHERE ${some}`,
      };
    }
    default:
      return { table, operation: "read", query: stream.pick(reads)(table) };
  }
}

/** One step of a user with a table of files, which takes whole rows and changes none. */
export function drawFileStep(stream: Stream, table: string, place: number, drawFilter: (stream: Stream) => string): TableStep {
  const query = `SELECT ${columns} FROM orders o WHERE ${writtenFilter(stream, drawFilter)}`;
  const operation = place === 0 ? "create" : stream.pick(["create", "insert", "insert", "insert", "read", "read", "read", "drop"] as const);
  const format = stream.pick(["PARQUET", "PARQUET", "CSV", "JSON"] as const);
  switch (operation) {
    case "create":
      return { table, operation, query, format };
    case "insert":
      return { table, operation, query };
    case "read":
      return { table, operation, query: stream.pick(reads)(table) };
    case "drop":
      return { table, operation, query: "" };
  }
}

/** Selects many rows, one row, or none. */
function writtenFilter(stream: Stream, drawFilter: (stream: Stream) => string): string {
  switch (stream.nextInt(5)) {
    case 0:
      return `o.orderkey = ${stream.between(1, 7)}`;
    case 1:
      return "o.totalprice < 0";
    default:
      return drawFilter(stream);
  }
}
