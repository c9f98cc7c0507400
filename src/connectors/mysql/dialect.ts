/** SQL of MySQL and MariaDB, under the settings of the connector's sessions. */
import type { DatabaseConnection } from "../../ports/databases.ts";
import type { DomainValue } from "../../types/domain/range.ts";
import { civilOf } from "../../types/time/calendar.ts";
import type { Type } from "../../types/type.ts";
import { countOf } from "../shared/remote/answers.ts";
import type { AppendValue, RemoteDialect, RemoteSplit } from "../shared/remote/dialect.ts";
import type { Relation, RemoteColumn, RemoteHandle } from "../shared/remote/remote-table.ts";
import type { SortedColumn } from "../table-metadata.ts";
import { zonedMicros } from "../shared/remote/text-values.ts";
import { appenderOf } from "./values.ts";

/** One statement. A backslash in a text is an escape, and texts in double quotes are texts. */
export const sessionSettings = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', SESSION time_zone = '+00:00'";

const integers: ReadonlySet<string> = new Set(
  ["tinyint", "smallint", "mediumint", "int", "bigint"].flatMap((name) => [name, `${name} unsigned`]),
);
const otherOperands: ReadonlySet<string> = new Set([
  "decimal",
  "decimal unsigned",
  "double",
  "double unsigned",
  "date",
  "datetime",
  "timestamp",
]);
const texts: ReadonlySet<string> = new Set(["char", "varchar", "tinytext", "text", "mediumtext", "longtext"]);
const binaries: ReadonlySet<string> = new Set(["binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"]);

/** Dates of MySQL: 0001-01-01 to 9999-12-31; those before 1000 are read, but not promised. */
const firstDay = -719_162;
const lastDay = 2_932_896;
const microsPerDay = 86_400_000_000n;
/** Characters of a text that ORDER BY compares whole: `max_sort_length` is 1024 bytes. */
const sortedLengthMax = 255;
/** Parts of a table, at most. */
const partsMax = 1000;

/** Halves of surrogate pairs, which no text has. */
const unwritable = /[\ud800-\udfff]/u;

export function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

export class MysqlDialect implements RemoteDialect {
  readonly endRead = "ROLLBACK";
  readonly assignsInOrder = true;
  readonly #splitBytes: number;

  constructor({ splitBytes }: { readonly splitBytes: number }) {
    this.#splitBytes = splitBytes;
  }

  quote(identifier: string): string {
    return `\`${identifier.replaceAll("`", "``")}\``;
  }

  /** A float is written with six digits, unless it is a double. */
  selected({ remoteName, remoteType }: RemoteColumn): string {
    const name = this.quote(remoteName);
    if (remoteType === "float" || remoteType === "float unsigned") {
      return `(${name} + 0e0)`;
    }
    if (remoteType === "bit") {
      return `(${name} + 0)`;
    }
    return binaries.has(remoteType) ? `HEX(${name})` : name;
  }

  literal(type: Type, value: DomainValue): string | undefined {
    switch (type.kind) {
      case "tinyint":
      case "smallint":
      case "integer":
      case "bigint":
        return Number(value) < 0 ? `(${value})` : String(value);
      case "decimal":
        return decimalText(BigInt(value), type.scale);
      case "double":
        return Number.isFinite(value) ? (Object.is(value, -0) ? "0e0" : `(${Number(value).toExponential()})`) : undefined;
      case "char":
      case "varchar":
        return typeof value === "string" && !unwritable.test(value) ? quoted(value) : undefined;
      case "date": {
        const text = dateText(Number(value));
        return text && `DATE '${text}'`;
      }
      case "timestamp": {
        const text = type.precision <= 6 ? timestampText(BigInt(value)) : undefined;
        return text && `TIMESTAMP '${text}'`;
      }
      case "timestamp with time zone": {
        // In the zone of the session.
        const micros = zonedMicros(type, value);
        const text = micros === undefined ? undefined : timestampText(micros);
        return text && `TIMESTAMP '${text}'`;
      }
      default:
        return undefined;
    }
  }

  /** Texts that are equal in the engine are equal in every collation. Order is that of the bytes in UTF-8. */
  operand(column: RemoteColumn, comparison: "equality" | "order"): string | undefined {
    const { remoteName, remoteType, type } = column;
    if (texts.has(remoteType)) {
      return type.kind !== "varchar" ? undefined : comparison === "equality" ? this.quote(remoteName) : this.exact(column);
    }
    return integers.has(remoteType) || otherOperands.has(remoteType) ? this.quote(remoteName) : undefined;
  }

  exact({ remoteName, remoteType, type }: RemoteColumn): string | undefined {
    return texts.has(remoteType) && type.kind === "varchar"
      ? `CAST(CONVERT(${this.quote(remoteName)} USING utf8mb4) AS BINARY)`
      : undefined;
  }

  isGroupKey({ remoteType }: RemoteColumn): boolean {
    const isDouble = remoteType === "double" || remoteType === "double unsigned";
    return !isDouble && (integers.has(remoteType) || otherOperands.has(remoteType) || remoteType === "time");
  }

  sortKey(column: RemoteColumn): string | undefined {
    const { remoteName, remoteType, type } = column;
    if (texts.has(remoteType) && (type.kind !== "varchar" || (type.length ?? sortedLengthMax + 1) > sortedLengthMax)) {
      return undefined;
    }
    return remoteType === "time" ? this.quote(remoteName) : this.operand(column, "order");
  }

  /** NULLs are first in an ascending order. */
  ordered(key: string, { descending, nullsFirst }: SortedColumn): string {
    return `${key} IS NULL ${nullsFirst ? "DESC" : "ASC"}, ${key} ${descending ? "DESC" : "ASC"}`;
  }

  tieBreakers(relation: Relation): readonly string[] {
    return "query" in relation ? [] : (relation.keys ?? []).map(({ remoteName }) => this.quote(remoteName));
  }

  aggregate(name: string, column: RemoteColumn | undefined): { readonly sql: string; readonly remoteType: string } | undefined {
    if (column === undefined) {
      return name === "count" ? { sql: "count(*)", remoteType: "bigint" } : undefined;
    }
    const { remoteType } = column;
    const sql = `${name}(${this.quote(column.remoteName)})`;
    const isExact = integers.has(remoteType) || remoteType === "decimal" || remoteType === "decimal unsigned";
    switch (name) {
      case "count":
        return { sql, remoteType: "bigint" };
      case "sum":
        return isExact ? { sql, remoteType: "decimal" } : undefined;
      case "min":
      case "max":
        return isExact || remoteType === "date" || remoteType === "datetime" || remoteType === "time" ? { sql, remoteType } : undefined;
      default:
        return undefined;
    }
  }

  appender(column: RemoteColumn, channel: number): AppendValue {
    return appenderOf(column, channel);
  }

  beginRead(): string {
    return "START TRANSACTION READ ONLY";
  }

  readSettings(): string {
    return "";
  }

  /** A table whose primary key is an integer is divided by ranges of the key. */
  async splits(connection: DatabaseConnection, { relation }: RemoteHandle, condition: string | undefined): Promise<readonly RemoteSplit[]> {
    if ("query" in relation) {
      return [{}];
    }
    const keys = this.tieBreakers(relation);
    const order = keys.length === 0 ? {} : { order: keys.join(", ") };
    const [found] = await connection.query(
      `SELECT table_rows, data_length FROM information_schema.tables WHERE table_schema = ${quoted(relation.schema)} AND table_name = ${quoted(relation.table)}`,
    );
    const rows = countOf(found?.[0]) ?? 0;
    const count = Math.min(partsMax, Math.floor((countOf(found?.[1]) ?? 0) / this.#splitBytes));
    const [key] = relation.keys ?? [];
    const [name] = keys;
    // An index would find the rows of a condition sooner than a walk along the key.
    if (
      count <= 1 ||
      keys.length !== 1 ||
      key === undefined ||
      name === undefined ||
      !integers.has(key.remoteType) ||
      condition !== undefined
    ) {
      return [{ ...order, rows }];
    }
    const [bounds] = await connection.query(
      `SELECT min(${name}), max(${name}) FROM ${this.quote(relation.schema)}.${this.quote(relation.table)}`,
    );
    const [low, high] = (bounds ?? []).map((bound) => (bound === null || !/^-?\d{1,20}$/.test(bound) ? undefined : BigInt(bound)));
    if (low === undefined || high === undefined) {
      return [{ ...order, rows }];
    }
    const [first, width] = [low, (high - low) / BigInt(count) + 1n];
    // The first and the last part are open: rows may come meanwhile.
    return Array.from({ length: count }, (_, index) => {
      const from = index === 0 ? [] : [`${name} >= ${first + width * BigInt(index)}`];
      const to = index === count - 1 ? [] : [`${name} < ${first + width * BigInt(index + 1)}`];
      return { part: [...from, ...to].join(" AND "), ...order, rows: Math.ceil(rows / count) };
    });
  }
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `(-${text})` : text;
}

/** undefined beyond the dates of MySQL. */
export function dateText(days: number): string | undefined {
  if (days < firstDay || days > lastDay) {
    return undefined;
  }
  const { year, month, day } = civilOf(days);
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** undefined beyond the dates of MySQL. */
export function timestampText(micros: bigint): string | undefined {
  const days = micros / microsPerDay - (micros % microsPerDay < 0n ? 1n : 0n);
  const date = dateText(Number(days));
  return date && `${date} ${timeText(micros - days * microsPerDay)}`;
}

export function timeText(micros: bigint): string {
  const seconds = Number(micros / 1_000_000n);
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return `${clock}.${String(micros % 1_000_000n).padStart(6, "0")}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
