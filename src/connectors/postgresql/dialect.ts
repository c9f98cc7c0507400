/** SQL of PostgreSQL. */
import type { DatabaseConnection } from "../../ports/databases.ts";
import type { DomainValue } from "../../types/domain/range.ts";
import { civilOf } from "../../types/time/calendar.ts";
import type { Type } from "../../types/type.ts";
import type { AppendValue, RemoteDialect, RemoteSplit } from "../shared/remote/dialect.ts";
import { countOf } from "../shared/remote/answers.ts";
import type { Relation, RemoteColumn, RemoteHandle } from "../shared/remote/remote-table.ts";
import { relationSql } from "../shared/remote/select.ts";
import { uuidText, zonedMicros } from "../shared/remote/text-values.ts";
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

/** Types whose equal values are equal in the engine, beside those of operands. */
const otherGroupKeys: ReadonlySet<string> = new Set(["bpchar", "time"]);
/** Types without min and max in PostgreSQL, or whose text has another order. */
const unaggregated: ReadonlySet<string> = new Set(["bool", "enum"]);
const sumTypes: ReadonlySet<string> = new Set(["int2", "int4", "int8", "numeric"]);

/** Dates of PostgreSQL: 4714-11-24 BC to 5874897-12-31. */
const firstDay = -2_440_588;
const lastDay = 2_145_031_948;
/** 294277-01-01 */
const lastTimestampDay = 106_751_991n;
const microsPerDay = 86_400_000_000n;

/** Parts of a table, at most; those of a larger one have more blocks. */
const splitsMax = 100_000;

/** NUL and halves of surrogate pairs, which no text of PostgreSQL has. */
// oxlint-disable-next-line no-control-regex
const unwritable = /[\0\ud800-\udfff]/u;

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export class PostgresqlDialect implements RemoteDialect {
  readonly endRead = "ROLLBACK";
  readonly likeSuffix = " ESCAPE ''";
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
      case "char":
      case "varchar":
        return typeof value === "string" && !unwritable.test(value) ? quoted(value) : undefined;
      case "date": {
        const text = dateText(Number(value));
        return text && `DATE '${text}'`;
      }
      case "timestamp":
        return timestampLiteral(type.precision, BigInt(value));
      case "timestamp with time zone": {
        const micros = zonedMicros(type, value);
        const text = micros === undefined ? undefined : timestampText(micros);
        return text && `'${zonedText(text)}'::timestamptz`;
      }
      case "uuid": {
        const text = uuidText(value);
        return text && `'${text}'::uuid`;
      }
      case "boolean":
        return value === true || value === "true" ? "true" : "false";
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
      case "timestamp":
      case "timestamptz":
      case "bool":
        return name;
      case "uuid":
        return comparison === "equality" ? name : undefined;
      case "bpchar":
        // Spaces at the end count in no comparison of both.
        return comparison === "equality" && column.type.kind === "char" ? name : undefined;
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

  isGroupKey(column: RemoteColumn): boolean {
    const { remoteType } = column;
    return remoteType !== "float8" && (this.operand(column, "equality") !== undefined || otherGroupKeys.has(remoteType));
  }

  /** NaN is the greatest number in the engine too. */
  sortKey(column: RemoteColumn): string | undefined {
    return column.remoteType === "time" ? this.quote(column.remoteName) : this.operand(column, "order");
  }

  tieBreakers(relation: Relation): readonly string[] {
    return "query" in relation || !relation.isOrdered ? [] : ["tableoid", "ctid"];
  }

  aggregate(name: string, column: RemoteColumn | undefined): { readonly sql: string; readonly remoteType: string } | undefined {
    if (column === undefined) {
      return name === "count" ? { sql: "count(*)", remoteType: "int8" } : undefined;
    }
    const { remoteType } = column;
    const quotedName = this.quote(column.remoteName);
    switch (name) {
      case "count":
        return { sql: `count(${quotedName})`, remoteType: "int8" };
      case "sum":
        return sumTypes.has(remoteType) ? { sql: `sum(${quotedName})`, remoteType: "numeric" } : undefined;
      case "min":
      case "max": {
        // -0.0 and 0.0 are equal, and either may be the least.
        const key = remoteType === "float8" || column.isLoose === true ? undefined : this.sortKey(column);
        return key !== undefined && !unaggregated.has(remoteType) ? { sql: `${name}(${key})`, remoteType } : undefined;
      }
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
    const rows = Math.round(countOf(tuples) ?? 0);
    if (kind === "p") {
      return [{ ...(condition !== undefined && { order: "tableoid, ctid" }), rows }];
    }
    if (kind !== "r" && kind !== "m") {
      return [{}];
    }
    const block = countOf(blockBytes) ?? 0;
    const blocks = block === 0 ? 0 : Math.ceil((countOf(bytes) ?? 0) / block);
    const blocksPerSplit = Math.max(1, Math.floor(this.#splitBytes / block), Math.ceil(blocks / splitsMax));
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
    return nodeTypeIn(String(rows[0]?.[0])) === "Seq Scan";
  }
}

/** Type of the root of a plan; undefined if the text is no plan. */
function nodeTypeIn(text: string): string | undefined {
  try {
    const plans = JSON.parse(text) as readonly ({ readonly Plan?: { readonly "Node Type"?: string } } | null)[] | null;
    return plans?.[0]?.Plan?.["Node Type"];
  } catch {
    return undefined;
  }
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `(-${text})` : text;
}

/** undefined beyond the dates of PostgreSQL. */
export function dateText(days: number): string | undefined {
  if (days < firstDay || days > lastDay) {
    return undefined;
  }
  const { year, month, day } = civilOf(days);
  const two = (value: number): string => String(value).padStart(2, "0");
  const isBefore = year <= 0;
  return `${String(isBefore ? 1 - year : year).padStart(4, "0")}-${two(month)}-${two(day)}${isBefore ? " BC" : ""}`;
}

/** An era stands after the zone. */
function zonedText(text: string): string {
  return text.endsWith(" BC") ? `${text.slice(0, -3)}+00 BC` : `${text}+00`;
}

function timestampLiteral(precision: number, micros: bigint): string | undefined {
  const text = precision <= 6 ? timestampText(micros) : undefined;
  return text && `TIMESTAMP '${text}'`;
}

/** undefined beyond the timestamps of PostgreSQL. */
export function timestampText(micros: bigint): string | undefined {
  const days = micros / microsPerDay - (micros % microsPerDay < 0n ? 1n : 0n);
  const rest = micros - days * microsPerDay;
  const date = dateText(Number(days));
  // Timestamps end earlier than dates.
  if (date === undefined || days >= lastTimestampDay) {
    return undefined;
  }
  const seconds = Number(rest / 1_000_000n);
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const [day, era = ""] = date.split(" ");
  return `${day} ${clock}.${String(rest % 1_000_000n).padStart(6, "0")}${era === "" ? "" : ` ${era}`}`;
}
