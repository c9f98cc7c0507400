/** Types of PostgreSQL as types of the engine, as Trino's PostgreSQL connector maps them. */
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  charLengthMax,
  charType,
  DATE,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  JSON_TYPE,
  REAL,
  SMALLINT,
  type Type,
  UUID,
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../../types/type.ts";
import { soundType } from "../shared/remote/answers.ts";
import { dimensionsMax } from "./arrays.ts";
import type { Rounding } from "../shared/remote/text-values.ts";

export interface TypeOptions {
  readonly arrays: "DISABLED" | "AS_ARRAY" | "AS_JSON";
  readonly unsupported: "IGNORE" | "CONVERT_TO_VARCHAR";
  readonly decimals: "STRICT" | "ALLOW_OVERFLOW";
  /** Scale of numerics that have no precision, or more digits than a decimal. */
  readonly decimalScale: number;
  readonly rounding: Rounding;
  /** Names of types that are read as varchar. */
  readonly asVarchar: ReadonlySet<string>;
}

export interface RemoteType {
  /** pg_type.typname; that of a domain is the name of its base type. */
  readonly name: string;
  /** pg_type.typtype: `e` for an enumeration. */
  readonly kind: string;
  /** The modifier of the column, -1 for none. */
  readonly modifier: number;
  /** Of an array. */
  readonly element?: Pick<RemoteType, "name" | "kind">;
  readonly dimensions: number;
}

const fractionDigitsDefault = 6;
/** Modifiers of types with a length or a precision count this header. */
const modifierHeader = 4;

const plainTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["bool", BOOLEAN],
  ["int2", SMALLINT],
  ["int4", INTEGER],
  ["int8", BIGINT],
  ["oid", BIGINT],
  ["float4", REAL],
  ["float8", DOUBLE],
  ["text", VARCHAR],
  ["name", VARCHAR],
  ["money", VARCHAR],
  ["bytea", VARBINARY],
  ["date", DATE],
  ["uuid", UUID],
  ["json", JSON_TYPE],
  ["jsonb", JSON_TYPE],
]);

/** undefined if the column cannot be read. */
export function typeOf(remote: RemoteType, options: TypeOptions): Type | undefined {
  if (options.asVarchar.has(remote.name)) {
    return VARCHAR;
  }
  return soundType(mappedType(remote, options)) ?? (options.unsupported === "CONVERT_TO_VARCHAR" ? VARCHAR : undefined);
}

function mappedType(remote: RemoteType, options: TypeOptions): Type | undefined {
  const { name, kind, modifier, element, dimensions } = remote;
  if (element !== undefined) {
    return arrayOf({ ...element, modifier, dimensions: 0 }, dimensions, options);
  }
  if (kind === "e") {
    return VARCHAR;
  }
  const plain = plainTypes.get(name);
  if (plain !== undefined) {
    return plain;
  }
  const digits = modifier < 0 ? fractionDigitsDefault : modifier;
  switch (name) {
    case "numeric":
      return numericType(modifier, options);
    case "varchar":
      return modifier < 0 ? VARCHAR : varcharType(modifier - modifierHeader);
    case "bpchar":
      return modifier < 0 ? VARCHAR : bpcharType(modifier - modifierHeader);
    case "timestamp":
      return { kind: "timestamp", precision: digits };
    case "timestamptz":
      return { kind: "timestamp with time zone", precision: digits };
    case "time":
      return { kind: "time", precision: digits };
    default:
      return undefined;
  }
}

function bpcharType(length: number): Type {
  return length > charLengthMax ? VARCHAR : charType(length);
}

function arrayOf(element: RemoteType, dimensions: number, options: TypeOptions): Type | undefined {
  if (options.arrays === "DISABLED") {
    return undefined;
  }
  if (options.arrays === "AS_JSON") {
    return JSON_TYPE;
  }
  const inner = mappedType(element, options);
  if (inner === undefined || !(dimensions >= 1 && dimensions <= dimensionsMax)) {
    return undefined;
  }
  let type = inner;
  for (let level = 0; level < dimensions; level++) {
    type = arrayType(type);
  }
  return type;
}

/** Whether all values of `numeric` with the modifier are decimals. */
export function isExactNumeric(modifier: number): boolean {
  return exactDecimal(modifier) !== undefined;
}

function exactDecimal(modifier: number): Type | undefined {
  if (modifier < 0) {
    return undefined;
  }
  const precision = ((modifier - modifierHeader) >> 16) & 0xffff;
  // Eleven bits with a sign.
  const scale = (((modifier - modifierHeader) & 0x7ff) ^ 1024) - 1024;
  const digits = scale < 0 ? precision - scale : Math.max(precision, scale);
  return digits <= decimalPrecisionMax ? decimalType(digits, Math.max(0, scale)) : undefined;
}

function numericType(modifier: number, { decimals, decimalScale }: TypeOptions): Type | undefined {
  const exact = exactDecimal(modifier);
  if (exact !== undefined) {
    return exact;
  }
  return decimals === "STRICT" ? undefined : decimalType(decimalPrecisionMax, Math.min(decimalPrecisionMax, decimalScale));
}
