/**
 * Maps a Parquet column to an SQL type and converts its stored values. Where Parquet is wider than SQL, the next wider SQL type is chosen
 * (unsigned integers). Nanoseconds are the exception: they are truncated to microseconds.
 */
import {
  BIGINT,
  BOOLEAN,
  DATE,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  REAL,
  shortDecimalPrecisionMax,
  SMALLINT,
  TINYINT,
  type Type,
  VARBINARY,
  VARCHAR,
} from "../../../types/type.ts";
import type { ThriftStruct } from "./thrift.ts";

/** Parquet's physical types by number. */
export const physical = Object.freeze({ boolean: 0, int32: 1, int64: 2, int96: 3, float: 4, double: 5, bytes: 6, fixed: 7 });
export const physicalNames: readonly string[] = Object.freeze([
  "BOOLEAN",
  "INT32",
  "INT64",
  "INT96",
  "FLOAT",
  "DOUBLE",
  "BYTE_ARRAY",
  "FIXED_LEN_BYTE_ARRAY",
]);

/** Conversion of a stored value: none, another width, another unit, a decimal from big-endian bytes, text from a UUID. */
export type Conversion =
  | "none"
  | "i32 to i8"
  | "i32 to i16"
  | "i32 to i64"
  | "u32 to i64"
  | "u64 to i128"
  | "millis to micros"
  | "nanos to micros"
  | "int96 to micros"
  | "big-endian to i64"
  | "big-endian to i128"
  | "uuid to text";

/** Plain JSON, because it is part of splits. */
export interface ColumnEncoding {
  readonly type: Type;
  readonly physical: number;
  /** Bytes of a FIXED_LEN_BYTE_ARRAY. */
  readonly length: number;
  readonly optional: boolean;
  readonly conversion: Conversion;
}

const convertedDecimal = 5;
const convertedNames: Readonly<Record<number, string>> = Object.freeze({
  0: "string",
  4: "string",
  5: "decimal",
  6: "date",
  7: "time",
  8: "time",
  9: "timestamp millis",
  10: "timestamp micros",
  11: "uint 8",
  12: "uint 16",
  13: "uint 32",
  14: "uint 64",
  15: "int 8",
  16: "int 16",
  17: "int 32",
  18: "int 64",
  19: "string",
  20: "bytes",
  21: "interval",
});

/** The logical type, in one vocabulary for both generations of Parquet annotations; "" if there is none. */
function logicalTypeOf(element: ThriftStruct): string {
  const logical = element.struct(10);
  const kind = logical?.fields[0];
  switch (kind) {
    case 1:
    case 4:
    case 12:
      return "string";
    case 5:
      return "decimal";
    case 6:
      return "date";
    case 7:
      return "time";
    case 8: {
      const unit = logical?.struct(8)?.struct(2)?.fields[0];
      return `timestamp ${unit === 1 ? "millis" : unit === 2 ? "micros" : "nanos"}`;
    }
    case 10: {
      const integer = logical?.struct(10);
      return `${integer?.boolean(2) === false ? "uint" : "int"} ${integer?.integer(1) ?? 64}`;
    }
    case 11:
      return "";
    case 13:
      return "bytes";
    case 14:
      return "uuid";
    case undefined: {
      const converted = element.integer(6);
      return converted === undefined ? "" : (convertedNames[converted] ?? "unknown");
    }
    default:
      return "unknown";
  }
}

/** undefined if the column cannot be read. */
export function columnEncoding(element: ThriftStruct): ColumnEncoding | undefined {
  const stored = element.integer(1) ?? -1;
  const length = element.integer(2) ?? 0;
  const logicalType = logicalTypeOf(element);
  const found = logicalType === "decimal" ? decimalOf(element, stored, length) : typeOf(stored, logicalType, length);
  return found === undefined ? undefined : { ...found, physical: stored, length, optional: element.integer(3) === 1 };
}

type Typed = Pick<ColumnEncoding, "type" | "conversion">;

function typeOf(stored: number, logicalType: string, length: number): Typed | undefined {
  const plain: Readonly<Record<string, Typed>> = typesOf[stored] ?? {};
  if (logicalType === "uuid" && length !== 16) {
    return undefined;
  }
  return Object.hasOwn(plain, logicalType) ? plain[logicalType] : undefined;
}

function timestamp(precision: number): Type {
  return { kind: "timestamp", precision };
}

const typesOf: Readonly<Record<number, Readonly<Record<string, Typed>>>> = Object.freeze({
  [physical.boolean]: { "": { type: BOOLEAN, conversion: "none" } },
  [physical.int32]: {
    "": { type: INTEGER, conversion: "none" },
    "int 8": { type: TINYINT, conversion: "i32 to i8" },
    "int 16": { type: SMALLINT, conversion: "i32 to i16" },
    "int 32": { type: INTEGER, conversion: "none" },
    "uint 8": { type: SMALLINT, conversion: "i32 to i16" },
    "uint 16": { type: INTEGER, conversion: "none" },
    "uint 32": { type: BIGINT, conversion: "u32 to i64" },
    date: { type: DATE, conversion: "none" },
  },
  [physical.int64]: {
    "": { type: BIGINT, conversion: "none" },
    "int 64": { type: BIGINT, conversion: "none" },
    "uint 64": { type: decimalType(20, 0), conversion: "u64 to i128" },
    "timestamp millis": { type: timestamp(3), conversion: "millis to micros" },
    "timestamp micros": { type: timestamp(6), conversion: "none" },
    "timestamp nanos": { type: timestamp(6), conversion: "nanos to micros" },
  },
  [physical.int96]: { "": { type: timestamp(6), conversion: "int96 to micros" } },
  [physical.float]: { "": { type: REAL, conversion: "none" } },
  [physical.double]: { "": { type: DOUBLE, conversion: "none" } },
  [physical.bytes]: {
    "": { type: VARBINARY, conversion: "none" },
    bytes: { type: VARBINARY, conversion: "none" },
    string: { type: VARCHAR, conversion: "none" },
  },
  [physical.fixed]: {
    "": { type: VARBINARY, conversion: "none" },
    uuid: { type: VARCHAR, conversion: "uuid to text" },
  },
});

function decimalOf(element: ThriftStruct, stored: number, length: number): Typed | undefined {
  const logical = element.integer(6) === convertedDecimal ? undefined : element.struct(10)?.struct(5);
  const precision = logical?.integer(2) ?? element.integer(8) ?? 0;
  const scale = logical?.integer(1) ?? element.integer(7) ?? 0;
  if (precision < 1 || precision > decimalPrecisionMax || scale < 0 || scale > precision) {
    return undefined;
  }
  const type = decimalType(precision, scale);
  const isShort = precision <= shortDecimalPrecisionMax;
  switch (stored) {
    case physical.int32:
      return isShort ? { type, conversion: "i32 to i64" } : undefined;
    case physical.int64:
      return isShort ? { type, conversion: "none" } : undefined;
    case physical.bytes:
      return { type, conversion: isShort ? "big-endian to i64" : "big-endian to i128" };
    case physical.fixed:
      return length < 1 || length > 16 ? undefined : { type, conversion: isShort ? "big-endian to i64" : "big-endian to i128" };
    default:
      return undefined;
  }
}
