/**
 * Maps a Parquet leaf to an SQL type and names the conversion of its stored values. No digit is lost: where Parquet is wider than SQL, the
 * next wider SQL type is chosen. An annotation that does not belong to the physical type, or that is unknown, is ignored.
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
  rowType,
  shortDecimalPrecisionMax,
  SMALLINT,
  TINYINT,
  type Type,
  UNKNOWN,
  UUID,
  VARBINARY,
  VARCHAR,
} from "../../../types/type.ts";
import type { ThriftStruct } from "./thrift.ts";

/** Parquet's physical types by number. */
export const physical = Object.freeze({ boolean: 0, int32: 1, int64: 2, int96: 3, float: 4, double: 5, bytes: 6, fixed: 7 });
const physicalNames: readonly string[] = Object.freeze([
  "BOOLEAN",
  "INT32",
  "INT64",
  "INT96",
  "FLOAT",
  "DOUBLE",
  "BYTE_ARRAY",
  "FIXED_LEN_BYTE_ARRAY",
]);

/** Conversion of a stored value to its form in a page. Moments are timestamps of 128 bits, with or without a zone. */
export type Conversion =
  | "none"
  | "i32 to i8"
  | "i32 to i16"
  | "i32 to i64"
  | "i32 to i128"
  | "i64 to i128"
  | "u32 to i64"
  | "u64 to i128"
  | "millis to micros"
  | "nanos to moment"
  | "millis to zoned"
  | "micros to zoned"
  | "nanos to zoned"
  | "int96 to moment"
  | "int96 to micros"
  | "int96 to zoned"
  | "millis to time"
  | "micros to time"
  | "nanos to time"
  | "big-endian to i64"
  | "big-endian to i128"
  | "half to f32"
  | "interval to row";

/** Plain JSON, because it is part of splits. */
export interface ColumnEncoding {
  readonly type: Type;
  readonly physical: number;
  /** Bytes of a FIXED_LEN_BYTE_ARRAY. */
  readonly length: number;
  readonly conversion: Conversion;
}

/** A leaf of the schema. One that cannot be read has a reason, and the type that is nearest to it. */
export type LeafType = { readonly encoding: ColumnEncoding } | { readonly type: Type; readonly reason: string };

/** INTERVAL: three unsigned integers, which no SQL interval holds together. */
const intervalType = rowType([
  { name: "months", type: BIGINT },
  { name: "days", type: BIGINT },
  { name: "milliseconds", type: BIGINT },
]);

const convertedDecimal = 5;
/** Of a column that has no value but NULL. */
const logicalUnknown = 11;
/** Old annotations. Their timestamps have no zone, as in DuckDB. */
const convertedNames: Readonly<Record<number, string>> = Object.freeze({
  0: "string",
  4: "string",
  5: "decimal",
  6: "date",
  7: "time millis",
  8: "time micros",
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
  21: "interval",
});

function unitOf(annotation: ThriftStruct | undefined): string {
  const unit = annotation?.struct(2)?.fields[0];
  return unit === 1 ? "millis" : unit === 2 ? "micros" : "nanos";
}

/** The logical type, in one vocabulary for both generations of Parquet annotations; "" if there is none. */
function logicalTypeOf(element: ThriftStruct): string {
  const logical = element.struct(10);
  switch (logical?.fields[0]) {
    case 1:
    case 4:
    case 12:
      return "string";
    case 5:
      return "decimal";
    case 6:
      return "date";
    case 7:
      return `time ${unitOf(logical?.struct(7))}`;
    case 8: {
      const annotation = logical?.struct(8);
      return `${annotation?.boolean(1) === true ? "instant" : "timestamp"} ${unitOf(annotation)}`;
    }
    case 10: {
      const integer = logical?.struct(10);
      return `${integer?.boolean(2) === false ? "uint" : "int"} ${integer?.integer(1) ?? 64}`;
    }
    case 14:
      return "uuid";
    case 15:
      return "half";
    case undefined:
      return convertedNames[element.integer(6) ?? -1] ?? "";
    default:
      return "";
  }
}

const fixedBytes: Readonly<Record<string, number>> = Object.freeze({ uuid: 16, half: 2, interval: 12 });

export function leafType(element: ThriftStruct): LeafType {
  const stored = element.integer(1) ?? -1;
  const length = element.integer(2) ?? 0;
  if (stored < physical.boolean || stored > physical.fixed) {
    return { type: VARBINARY, reason: `Parquet has no physical type ${stored}` };
  }
  if (stored === physical.fixed && length < 1) {
    return { type: VARBINARY, reason: "values of a fixed length of no bytes are not supported" };
  }
  if (element.struct(10)?.has(logicalUnknown) === true) {
    return { encoding: { type: UNKNOWN, conversion: "none", physical: stored, length } };
  }
  const logicalType = logicalTypeOf(element);
  if (logicalType === "decimal") {
    return decimalOf(element, stored, length);
  }
  const known = typesOf[stored] ?? {};
  const isFitting = Object.hasOwn(known, logicalType) && (stored !== physical.fixed || (fixedBytes[logicalType] ?? length) === length);
  const { type, conversion } = known[isFitting ? logicalType : ""] as Typed;
  return { encoding: { type, conversion, physical: stored, length } };
}

type Typed = Pick<ColumnEncoding, "type" | "conversion">;

function timestamp(precision: number): Type {
  return { kind: "timestamp", precision };
}

function instant(precision: number): Type {
  return { kind: "timestamp with time zone", precision };
}

function time(precision: number): Type {
  return { kind: "time", precision };
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
    "time millis": { type: time(3), conversion: "millis to time" },
  },
  [physical.int64]: {
    "": { type: BIGINT, conversion: "none" },
    "int 64": { type: BIGINT, conversion: "none" },
    "uint 64": { type: decimalType(20, 0), conversion: "u64 to i128" },
    "timestamp millis": { type: timestamp(3), conversion: "millis to micros" },
    "timestamp micros": { type: timestamp(6), conversion: "none" },
    "timestamp nanos": { type: timestamp(9), conversion: "nanos to moment" },
    "instant millis": { type: instant(3), conversion: "millis to zoned" },
    "instant micros": { type: instant(6), conversion: "micros to zoned" },
    "instant nanos": { type: instant(9), conversion: "nanos to zoned" },
    "time micros": { type: time(6), conversion: "micros to time" },
    "time nanos": { type: time(9), conversion: "nanos to time" },
  },
  [physical.int96]: { "": { type: timestamp(9), conversion: "int96 to moment" } },
  [physical.float]: { "": { type: REAL, conversion: "none" } },
  [physical.double]: { "": { type: DOUBLE, conversion: "none" } },
  [physical.bytes]: {
    "": { type: VARBINARY, conversion: "none" },
    string: { type: VARCHAR, conversion: "none" },
  },
  [physical.fixed]: {
    "": { type: VARBINARY, conversion: "none" },
    string: { type: VARCHAR, conversion: "none" },
    uuid: { type: UUID, conversion: "none" },
    half: { type: REAL, conversion: "half to f32" },
    interval: { type: intervalType, conversion: "interval to row" },
  },
});

function decimalOf(element: ThriftStruct, stored: number, length: number): LeafType {
  const logical = element.integer(6) === convertedDecimal ? undefined : element.struct(10)?.struct(5);
  const precision = logical?.integer(2) ?? element.integer(8) ?? 0;
  const scale = logical?.integer(1) ?? element.integer(7) ?? 0;
  if (precision < 1 || precision > decimalPrecisionMax || scale < 0 || scale > precision) {
    const type = decimalType(decimalPrecisionMax, Math.max(0, Math.min(scale, decimalPrecisionMax)));
    return { type, reason: `decimal(${precision},${scale}) is not supported, the maximum is decimal(${decimalPrecisionMax},s)` };
  }
  const type = decimalType(precision, scale);
  const isShort = precision <= shortDecimalPrecisionMax;
  const encoding = (conversion: Conversion): LeafType => ({ encoding: { type, conversion, physical: stored, length } });
  switch (stored) {
    case physical.int32:
      return encoding(isShort ? "i32 to i64" : "i32 to i128");
    case physical.int64:
      return encoding(isShort ? "none" : "i64 to i128");
    case physical.bytes:
    case physical.fixed:
      return encoding(isShort ? "big-endian to i64" : "big-endian to i128");
    default:
      return { type, reason: `a decimal of physical type ${physicalNames[stored] ?? stored} is not supported` };
  }
}
