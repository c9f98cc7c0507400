/** Types of the engine as columns of new tables, and their values as literals. */
import type { PageValue } from "../../page/reader.ts";
import { QueryError } from "../../protocol/errors.ts";
import { displayType, SMALLINT, type Type } from "../../types/type.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import { dateText, quoted, timestampText } from "./dialect.ts";

const fractionDigitsMax = 6;
const picosPerMicro = 1_000_000n;
const microsPerSecond = 1_000_000n;

export interface StoredType {
  /** The type of the column when it is read. */
  readonly type: Type;
  readonly sql: string;
}

/** Throws NOT_SUPPORTED. */
export function storedTypeOf(type: Type): StoredType {
  switch (type.kind) {
    case "boolean":
    case "smallint":
    case "integer":
    case "bigint":
    case "real":
    case "date":
    case "uuid":
      return { type, sql: type.kind };
    case "tinyint":
      return { type: SMALLINT, sql: "smallint" };
    case "double":
      return { type, sql: "double precision" };
    case "decimal":
      return { type, sql: `numeric(${type.precision}, ${type.scale})` };
    case "varchar":
      return { type, sql: type.length === undefined || type.length === 0 ? "varchar" : `varchar(${type.length})` };
    case "char":
      return { type, sql: `char(${Math.max(1, type.length)})` };
    case "varbinary":
      return { type, sql: "bytea" };
    case "json":
      return { type, sql: "jsonb" };
    case "time":
    case "timestamp":
    case "timestamp with time zone": {
      const precision = Math.min(fractionDigitsMax, type.precision);
      const names = { time: "time", timestamp: "timestamp", "timestamp with time zone": "timestamptz" };
      return { type: { ...type, precision }, sql: `${names[type.kind]}(${precision})` };
    }
    default:
      throw new QueryError("NOT_SUPPORTED", `Unsupported column type: ${displayType(type)}`);
  }
}

/** A value of a page. The column of the table decides its type. Throws QueryError JDBC_ERROR. */
export function storedLiteral(type: Type, value: Exclude<PageValue, null>): string {
  switch (type.kind) {
    case "boolean":
      return value === true ? "true" : "false";
    case "smallint":
    case "integer":
    case "bigint":
      return `'${value as number}'`;
    case "real":
    case "double":
      return `'${Object.is(value, -0) ? "-0" : String(value as number)}'`;
    case "decimal":
      return `'${decimalDigits(BigInt(value as bigint), type.scale)}'`;
    case "varchar":
    case "char":
    case "json":
      return quoted(decodeUtf8(value as Uint8Array));
    case "varbinary":
      return `'\\x${hexOf(value as Uint8Array)}'`;
    case "uuid":
      return `'${hexOf(value as Uint8Array)}'`;
    case "date": {
      const text = dateText(value as number);
      return text === undefined ? outOfRange(type) : `'${text}'`;
    }
    case "time":
      return `'${timeText(BigInt(value as bigint) / picosPerMicro)}'`;
    case "timestamp": {
      const text = timestampText(BigInt(value as bigint));
      return text === undefined ? outOfRange(type) : `'${text}'`;
    }
    case "timestamp with time zone": {
      // The instant is above the zone (types/time/zones.ts).
      const text = timestampText(BigInt(value as bigint) >> 64n);
      return text === undefined ? outOfRange(type) : `'${text.replace(/( BC)?$/, "+00$1")}'`;
    }
    default:
      throw new QueryError("NOT_SUPPORTED", `Unsupported column type: ${displayType(type)}`);
  }
}

function outOfRange(type: Type): never {
  throw new QueryError("JDBC_ERROR", `A value of type ${displayType(type)} is out of the range of PostgreSQL`);
}

function decimalDigits(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `-${text}` : text;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function timeText(micros: bigint): string {
  const seconds = Number(micros / microsPerSecond);
  const two = (value: number): string => String(value).padStart(2, "0");
  const fraction = String(micros % microsPerSecond).padStart(fractionDigitsMax, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}`;
}
