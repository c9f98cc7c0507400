/** SQL of PostgreSQL. */
import type { DatabaseConnection } from "../../ports/databases.ts";
import type { DomainValue } from "../../types/domain/range.ts";
import { civilOf } from "../../types/time/calendar.ts";
import type { Type } from "../../types/type.ts";
import type { AppendValue, RemoteDialect, RemoteSplit } from "../shared/remote/dialect.ts";
import type { RemoteColumn, RemoteHandle } from "../shared/remote/remote-table.ts";
import { relationSql } from "../shared/remote/select.ts";
import type { TypeOptions } from "./types.ts";
import { appenderOf } from "./values.ts";

/**
 * Text forms that values.ts reads, and one order of rows for one snapshot: no scan that begins where another one is, and no parallel
 * workers, whose rows come as they are ready.
 */
export const sessionSettings = [
  "SET datestyle = 'ISO, YMD'",
  "SET intervalstyle = 'iso_8601'",
  "SET timezone = 'UTC'",
  "SET bytea_output = 'hex'",
  "SET extra_float_digits = 3",
  "SET standard_conforming_strings = on",
  "SET synchronize_seqscans = off",
  "SET max_parallel_workers_per_gather = 0",
  "SET cursor_tuple_fraction = 1",
  "SET idle_in_transaction_session_timeout = 0",
].join(";");

/** Dates of PostgreSQL: 4714-11-24 BC to 5874897-12-31. */
const firstDay = -2_440_588;
const lastDay = 2_145_031_948;

/** NUL and halves of surrogate pairs, which no text of PostgreSQL has. */
// oxlint-disable-next-line no-control-regex
const unwritable = /[\0\ud800-\udfff]/u;

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export class PostgresqlDialect implements RemoteDialect {
  readonly endRead = "ROLLBACK";
  readonly #splitBytes: number;
  readonly #types: TypeOptions;

  constructor({ splitBytes, types }: { readonly splitBytes: number; readonly types: TypeOptions }) {
    this.#splitBytes = splitBytes;
    this.#types = types;
  }

  quote(identifier: string): string {
    return `"${identifier.replaceAll('"', '""')}"`;
  }

  /** Arrays that are read as JSON are written as JSON. */
  selected({ remoteName, remoteType, type }: RemoteColumn): string {
    const name = this.quote(remoteName);
    return remoteType === "array" && type.kind === "json" ? `to_json(${name})` : name;
  }

  literal(type: Type, value: DomainValue): string | undefined {
    switch (type.kind) {
      case "smallint":
      case "integer":
      case "bigint":
        return Number(value) < 0 ? `(${value})` : String(value);
      case "decimal":
        return decimalText(BigInt(value), type.scale);
      case "double":
        return `${quoted(Object.is(value, -0) ? "-0" : String(value))}::float8`;
      case "varchar":
        return typeof value === "string" && !unwritable.test(value) ? quoted(value) : undefined;
      case "date":
        return dateText(Number(value));
      default:
        return undefined;
    }
  }

  operand(column: RemoteColumn, comparison: "equality" | "order"): string | undefined {
    const name = this.quote(column.remoteName);
    switch (column.remoteType) {
      case "int2":
      case "int4":
      case "int8":
      case "oid":
      case "numeric":
      case "float8":
      case "date":
        return name;
      case "text":
      case "varchar":
        // The order of bytes in UTF-8 is that of code points.
        return comparison === "equality" ? name : `${name} COLLATE "C"`;
      case "enum":
        return comparison === "equality" ? `${name}::text` : `${name}::text COLLATE "C"`;
      default:
        return undefined;
    }
  }

  appender(column: RemoteColumn, channel: number): AppendValue {
    return appenderOf(column, channel, this.#types.rounding);
  }

  async exportSnapshot(connection: DatabaseConnection): Promise<string> {
    const rows = await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT pg_export_snapshot()");
    return String(rows[0]?.[0]);
  }

  beginRead(snapshot: string | undefined): string {
    const begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    return snapshot === undefined ? begin : `${begin}; SET TRANSACTION SNAPSHOT ${quoted(snapshot)}`;
  }

  /** Parts of a table are ranges of its blocks, read in their order; an index would return the rows in another one. */
  readSettings({ part }: RemoteSplit): string {
    return part === undefined ? "" : "SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off";
  }

  async splits(connection: DatabaseConnection, { relation }: RemoteHandle, condition: string | undefined): Promise<readonly RemoteSplit[]> {
    if ("query" in relation) {
      return [{}];
    }
    const name = relationSql(this, relation);
    const [found] = await connection.query(
      `SELECT c.relkind, pg_relation_size(c.oid), current_setting('block_size'), c.reltuples FROM pg_class c WHERE c.oid = ${quoted(name)}::regclass`,
    );
    const [kind, bytes, blockBytes, tuples] = found ?? [];
    const rows = Math.max(0, Math.round(Number(tuples ?? 0)));
    if (kind === "p") {
      return [{ ...(condition !== undefined && { order: "tableoid, ctid" }), rows }];
    }
    if (kind !== "r" && kind !== "m") {
      return [{}];
    }
    const blocks = Math.ceil(Number(bytes) / Number(blockBytes));
    const blocksPerSplit = Math.max(1, Math.floor(this.#splitBytes / Number(blockBytes)));
    const count = Math.ceil(blocks / blocksPerSplit);
    const isWhole = count <= 1 || (condition !== undefined && !(await this.#scansAll(connection, name, condition)));
    if (isWhole) {
      return [{ ...(condition !== undefined && { order: "ctid" }), rows }];
    }
    // The last part has no end: the table may have grown since its size was read.
    return Array.from({ length: count }, (_, index) => {
      const [from, to] = [index * blocksPerSplit, (index + 1) * blocksPerSplit];
      const end = index === count - 1 ? "" : ` AND ctid < '(${to},0)'::tid`;
      return { part: `ctid >= '(${from},0)'::tid${end}`, rows: Math.ceil(rows / count) };
    });
  }

  /** Whether the database would read all blocks to find the rows that meet the condition, instead of using an index. */
  async #scansAll(connection: DatabaseConnection, name: string, condition: string): Promise<boolean> {
    const rows = await connection.query(`EXPLAIN (FORMAT JSON) SELECT 1 FROM ${name} WHERE ${condition}`);
    const plan = JSON.parse(String(rows[0]?.[0])) as readonly { readonly Plan?: { readonly "Node Type"?: string } }[];
    return plan[0]?.Plan?.["Node Type"] === "Seq Scan";
  }
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `(-${text})` : text;
}

function dateText(days: number): string | undefined {
  if (days < firstDay || days > lastDay) {
    return undefined;
  }
  const { year, month, day } = civilOf(days);
  const two = (value: number): string => String(value).padStart(2, "0");
  const isBefore = year <= 0;
  return `DATE '${String(isBefore ? 1 - year : year).padStart(4, "0")}-${two(month)}-${two(day)}${isBefore ? " BC" : ""}'`;
}
