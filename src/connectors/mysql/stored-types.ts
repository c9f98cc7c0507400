/** Types of the engine as columns of new tables, and their values as literals. */
import type { PageValue } from "../../page/reader.ts";
import { QueryError } from "../../protocol/errors.ts";
import { DATE, displayType, TINYINT, type Type, VARBINARY, VARCHAR, varcharType } from "../../types/type.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import { dateText, quoted, timestampText, timeText } from "./dialect.ts";

const fractionDigitsMax = 6;
const picosPerMicro = 1_000_000n;
/** Characters of `varchar` and `char`, at most, in utf8mb4; longer ones are texts. */
const varcharLengthMax = 16_383;
const charLengthMax = 255;
const mediumTextLength = 16_777_215;

export interface StoredType {
  /** The type of the column when it is read. */
  readonly type: Type;
  readonly sql: string;
}

/** Texts keep their bytes, and their spaces. */
const textOptions = "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";

/** Throws NOT_SUPPORTED. */
export function storedTypeOf(type: Type): StoredType {
  switch (type.kind) {
    case "boolean":
      return { type: TINYINT, sql: "tinyint(1)" };
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return { type, sql: type.kind };
    case "real":
      return { type, sql: "float" };
    case "double":
      return { type, sql: "double" };
    case "decimal":
      return { type, sql: `decimal(${type.precision}, ${type.scale})` };
    case "varchar":
      return varcharOf(type.length);
    case "char":
      return type.length > charLengthMax
        ? varcharOf(type.length)
        : { type: type.length === 0 ? { ...type, length: 1 } : type, sql: `char(${Math.max(1, type.length)}) ${textOptions}` };
    case "varbinary":
      return { type: VARBINARY, sql: "longblob" };
    case "date":
      return { type: DATE, sql: "date" };
    case "time":
    case "timestamp":
    case "timestamp with time zone": {
      const precision = Math.min(fractionDigitsMax, type.precision);
      const names = { time: "time", timestamp: "datetime", "timestamp with time zone": "timestamp" };
      return { type: { ...type, precision }, sql: `${names[type.kind]}(${precision}) NULL` };
    }
    default:
      throw new QueryError("NOT_SUPPORTED", `Unsupported column type: ${displayType(type)}`);
  }
}

function varcharOf(length: number | undefined): StoredType {
  if (length === undefined || length > mediumTextLength) {
    return { type: VARCHAR, sql: `longtext ${textOptions}` };
  }
  return length > varcharLengthMax
    ? { type: varcharType(mediumTextLength), sql: `mediumtext ${textOptions}` }
    : { type: varcharType(Math.max(1, length)), sql: `varchar(${Math.max(1, length)}) ${textOptions}` };
}

/** A value of a page. The column of the table decides its type. Throws QueryError JDBC_ERROR. */
export function storedLiteral(type: Type, value: Exclude<PageValue, null>): string {
  switch (type.kind) {
    case "boolean":
      return value === true ? "1" : "0";
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return String(value as number);
    case "real":
    case "double":
      return Number.isFinite(value) ? String(value as number) : outOfRange(type);
    case "decimal":
      return decimalDigits(BigInt(value as bigint), type.scale);
    case "varchar":
    case "char":
      return quoted(decodeUtf8(value as Uint8Array));
    case "varbinary":
      return `X'${Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
    case "date":
      return quotedText(type, dateText(value as number));
    case "time":
      return `'${timeText(BigInt(value as bigint) / picosPerMicro)}'`;
    case "timestamp":
      return quotedText(type, timestampText(BigInt(value as bigint)));
    case "timestamp with time zone":
      // The instant is above the zone (types/time/zones.ts).
      return quotedText(type, timestampText(BigInt(value as bigint) >> 64n));
    default:
      throw new QueryError("NOT_SUPPORTED", `Unsupported column type: ${displayType(type)}`);
  }
}

function quotedText(type: Type, text: string | undefined): string {
  return text === undefined ? outOfRange(type) : `'${text}'`;
}

function outOfRange(type: Type): never {
  throw new QueryError("JDBC_ERROR", `A value of type ${displayType(type)} is out of the range of MySQL`);
}

function decimalDigits(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `-${text}` : text;
}
