/**
 * SQL types as plain frozen data; plan fragments carry them as JSON.
 */

export type Type =
  | { readonly kind: "boolean" }
  | { readonly kind: "tinyint" }
  | { readonly kind: "smallint" }
  | { readonly kind: "integer" }
  | { readonly kind: "bigint" }
  | { readonly kind: "real" }
  | { readonly kind: "double" }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  /** `length` in code points; absent if unbounded. */
  | { readonly kind: "varchar"; readonly length?: number }
  | { readonly kind: "char"; readonly length: number }
  | { readonly kind: "varbinary" }
  /** Days since 1970-01-01. */
  | { readonly kind: "date" }
  /**
   * Time since 1970-01-01 00:00:00: microseconds up to a precision of six digits, otherwise 128 bits of microseconds and picoseconds
   * (scalar/datetime/long-timestamps.ts). `precision` is the number of fraction digits, 0 to 12.
   */
  | { readonly kind: "timestamp"; readonly precision: number }
  /** An instant and a zone. */
  | { readonly kind: "timestamp with time zone"; readonly precision: number }
  /** Picoseconds since midnight; `precision` is the number of fraction digits, 0 to 12. */
  | { readonly kind: "time"; readonly precision: number }
  /** A time of day and an offset. */
  | { readonly kind: "time with time zone"; readonly precision: number }
  /** Milliseconds. */
  | { readonly kind: "interval day to second" }
  /** Months. */
  | { readonly kind: "interval year to month" }
  /** UTF-8 text in canonical form. */
  | { readonly kind: "json" }
  /** 16 bytes in the order in which they are printed. */
  | { readonly kind: "uuid" }
  /** 16 bytes of an IPv6 address; an IPv4 address is stored as its IPv4-mapped address. */
  | { readonly kind: "ipaddress" }
  /** 16 bytes of the first address and one byte of prefix length; the length is that of IPv4 for a mapped address. */
  | { readonly kind: "ipprefix" }
  /** Type of the color functions: 0xrrggbb, or -1 minus the number of a terminal color. */
  | { readonly kind: "color" }
  /** Sketches as bytes: distinct counts (functions/sketch/hyperloglog.ts) and distributions (tdigest.ts, qdigest.ts). */
  | { readonly kind: "HyperLogLog" }
  | { readonly kind: "P4HyperLogLog" }
  | { readonly kind: "tdigest" }
  | { readonly kind: "qdigest"; readonly element: Type }
  /** A HyperLogLog and a MinHash of the same values (functions/sketch/set-digest.ts). */
  | { readonly kind: "setdigest" }
  /** Well-known binary, planar and in degrees on a sphere (functions/scalar/geometry). */
  | { readonly kind: "Geometry" }
  | { readonly kind: "SphericalGeography" }
  /** Models of the learn functions, as bytes (functions/learning); a classifier returns labels of the element type. */
  | { readonly kind: "Classifier"; readonly element: Type }
  | { readonly kind: "Regressor" }
  /** An integer that encodes column, row and zoom level. */
  | { readonly kind: "BingTile" }
  /** A byte string in the encoding of types/nested/nested.ts. */
  | { readonly kind: "array"; readonly element: Type }
  | { readonly kind: "map"; readonly key: Type; readonly value: Type }
  | { readonly kind: "row"; readonly fields: readonly RowField[] }
  /** Type of lambda expressions; pages never contain its values. */
  | { readonly kind: "function"; readonly args: readonly Type[]; readonly result: Type }
  /** The type of NULL. */
  | { readonly kind: "unknown" };

/** A field of a row type; a field without a name is accessible by position only. */
export interface RowField {
  readonly name?: string;
  readonly type: Type;
}

export type ArrayType = Extract<Type, { kind: "array" }>;
export type MapType = Extract<Type, { kind: "map" }>;
export type FunctionType = Extract<Type, { kind: "function" }>;
export type RowType = Extract<Type, { kind: "row" }>;

export type TypeKind = Type["kind"];

/** Layout of a value in a page: see page/page.ts. `bytes` is a (u32 address, u32 length) pair, `i128` is (lo, hi). */
export type PhysicalType = "i8" | "i16" | "i32" | "i64" | "i128" | "f32" | "f64" | "bytes";

export const BOOLEAN: Type = Object.freeze({ kind: "boolean" });
export const TINYINT: Type = Object.freeze({ kind: "tinyint" });
export const SMALLINT: Type = Object.freeze({ kind: "smallint" });
export const INTEGER: Type = Object.freeze({ kind: "integer" });
export const BIGINT: Type = Object.freeze({ kind: "bigint" });
export const REAL: Type = Object.freeze({ kind: "real" });
export const DOUBLE: Type = Object.freeze({ kind: "double" });
export const VARCHAR: Type = Object.freeze({ kind: "varchar" });
export const VARBINARY: Type = Object.freeze({ kind: "varbinary" });
export const DATE: Type = Object.freeze({ kind: "date" });
export const TIMESTAMP: Type = Object.freeze({ kind: "timestamp", precision: 3 });
export const INTERVAL_DAY_TO_SECOND: Type = Object.freeze({ kind: "interval day to second" });
export const INTERVAL_YEAR_TO_MONTH: Type = Object.freeze({ kind: "interval year to month" });
export const JSON_TYPE: Type = Object.freeze({ kind: "json" });
export const UUID: Type = Object.freeze({ kind: "uuid" });
export const IPADDRESS: Type = Object.freeze({ kind: "ipaddress" });
export const IPPREFIX: Type = Object.freeze({ kind: "ipprefix" });
export const COLOR: Type = Object.freeze({ kind: "color" });
export const HYPER_LOG_LOG: Type = Object.freeze({ kind: "HyperLogLog" });
export const P4_HYPER_LOG_LOG: Type = Object.freeze({ kind: "P4HyperLogLog" });
export const TDIGEST: Type = Object.freeze({ kind: "tdigest" });
export const SET_DIGEST: Type = Object.freeze({ kind: "setdigest" });
export const GEOMETRY: Type = Object.freeze({ kind: "Geometry" });
export const SPHERICAL_GEOGRAPHY: Type = Object.freeze({ kind: "SphericalGeography" });
export const REGRESSOR: Type = Object.freeze({ kind: "Regressor" });
export const BING_TILE: Type = Object.freeze({ kind: "BingTile" });
export const UNKNOWN: Type = Object.freeze({ kind: "unknown" });

export const decimalPrecisionMax = 38;
/** Decimals up to this precision take 8 bytes, longer ones 16. */
export const shortDecimalPrecisionMax = 18;
export const unboundedVarcharLength = 2147483647;

export function decimalType(precision: number, scale: number): Type {
  return Object.freeze({ kind: "decimal", precision, scale });
}

export function varcharType(length: number): Type {
  return length >= unboundedVarcharLength ? VARCHAR : Object.freeze({ kind: "varchar", length });
}

export const charLengthMax = 65536;

export function charType(length: number): Type {
  return Object.freeze({ kind: "char", length });
}

export function arrayType(element: Type): ArrayType {
  return Object.freeze({ kind: "array", element });
}

export function mapType(key: Type, value: Type): MapType {
  return Object.freeze({ kind: "map", key, value });
}

export function qdigestType(element: Type): Type {
  return Object.freeze({ kind: "qdigest", element });
}

export function classifierType(element: Type): Type {
  return Object.freeze({ kind: "Classifier", element });
}

export function rowType(fields: readonly RowField[]): RowType {
  return Object.freeze({ kind: "row", fields: Object.freeze([...fields]) });
}

export function functionType(args: readonly Type[], result: Type): FunctionType {
  return Object.freeze({ kind: "function", args, result });
}

/** A row type with anonymous fields. */
export function tupleType(types: readonly Type[]): RowType {
  return rowType(types.map((type) => ({ type })));
}

/** Whether the type is composed of other types: array, map and row. */
export function isNested(type: Type): type is ArrayType | MapType | RowType {
  return type.kind === "array" || type.kind === "map" || type.kind === "row";
}

/** Component types of a nested type, in order; empty for other types. */
export function innerTypes(type: Type): readonly Type[] {
  switch (type.kind) {
    case "array":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "row":
      return type.fields.map((field) => field.type);
    default:
      return [];
  }
}

/** Whether values have an instant and a zone, of which only the instant is compared. */
export function isZoned(type: Type): boolean {
  return type.kind === "timestamp with time zone" || type.kind === "time with time zone";
}

/** Up to this precision a timestamp is whole microseconds. */
export const microsPrecision = 6;

/** Whether a timestamp has more fraction digits than microseconds. */
export function isLongMoment(type: Type): boolean {
  return (type.kind === "timestamp" || type.kind === "timestamp with time zone") && type.precision > microsPrecision;
}

export function physicalType(type: Type): PhysicalType {
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "function":
    case "unknown":
      return "i8";
    case "smallint":
      return "i16";
    case "integer":
    case "date":
    case "interval year to month":
    case "color":
      return "i32";
    case "timestamp":
      return type.precision > microsPrecision ? "i128" : "i64";
    case "bigint":
    case "time":
    case "interval day to second":
    case "BingTile":
      return "i64";
    case "time with time zone":
    case "timestamp with time zone":
      return "i128";
    case "decimal":
      return type.precision <= shortDecimalPrecisionMax ? "i64" : "i128";
    case "real":
      return "f32";
    case "double":
      return "f64";
    case "varchar":
    case "char":
    case "varbinary":
    case "json":
    case "uuid":
    case "ipaddress":
    case "ipprefix":
    case "HyperLogLog":
    case "P4HyperLogLog":
    case "tdigest":
    case "qdigest":
    case "setdigest":
    case "Geometry":
    case "SphericalGeography":
    case "Classifier":
    case "Regressor":
    case "array":
    case "map":
    case "row":
      return "bytes";
  }
}

const physicalWidths: Readonly<Record<PhysicalType, number>> = Object.freeze({
  i8: 1,
  i16: 2,
  i32: 4,
  i64: 8,
  i128: 16,
  f32: 4,
  f64: 8,
  bytes: 8,
});

/** Bytes per value in a column's `values` array. */
export function isBytes(type: Type): boolean {
  return physicalType(type) === "bytes";
}

export function physicalWidth(physical: PhysicalType): number {
  return physicalWidths[physical];
}

export function sameType(a: Type, b: Type): boolean {
  return a === b || (a.kind === b.kind && displayType(a) === displayType(b));
}

/** Type name in results and messages: `decimal(10,2)`, `map(varchar(5), timestamp(3))`. */
export function displayType(type: Type): string {
  return typeText(type, ",");
}

/** Type name in formatted SQL and in the columns of Trino's results: `decimal(10, 2)`. */
export function sqlTypeText(type: Type): string {
  return typeText(type, ", ");
}

function typeText(type: Type, comma: "," | ", "): string {
  const inner = (part: Type) => typeText(part, comma);
  switch (type.kind) {
    case "decimal":
      return `decimal(${type.precision}${comma}${type.scale})`;
    case "varchar":
      return type.length === undefined ? "varchar" : `varchar(${type.length})`;
    case "char":
      return `char(${type.length})`;
    case "timestamp":
    case "time":
      return `${type.kind}(${type.precision})`;
    case "timestamp with time zone":
      return `timestamp(${type.precision}) with time zone`;
    case "time with time zone":
      return `time(${type.precision}) with time zone`;
    case "array":
    case "qdigest":
    case "Classifier":
      return `${type.kind}(${inner(type.element)})`;
    case "map":
      return `map(${inner(type.key)}, ${inner(type.value)})`;
    case "row":
      return `row(${type.fields.map(({ name, type: part }) => (name === undefined ? "" : `${displayFieldName(name)} `) + inner(part)).join(", ")})`;
    case "function":
      return `function(${[...type.args, type.result].map(inner).join(", ")})`;
    default:
      return type.kind;
  }
}

/** Quotes a name that is not a plain identifier, so that the text can be parsed again. */
export function displayFieldName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function isNumeric(type: Type): boolean {
  return isIntegral(type) || type.kind === "real" || type.kind === "double" || type.kind === "decimal";
}

export const integralKinds = ["tinyint", "smallint", "integer", "bigint"] as const;

export const integralBits = Object.freeze({ tinyint: 8, smallint: 16, integer: 32, bigint: 64 });

export type IntegralKind = (typeof integralKinds)[number];

export function isIntegral(type: Type): type is Type & { readonly kind: IntegralKind } {
  return type.kind === "tinyint" || type.kind === "smallint" || type.kind === "integer" || type.kind === "bigint";
}

export function isInterval(type: Type): boolean {
  return type.kind === "interval day to second" || type.kind === "interval year to month";
}

export function isCharacter(type: Type): boolean {
  return type.kind === "varchar" || type.kind === "char";
}

const sketchKinds: ReadonlySet<TypeKind> = new Set(["HyperLogLog", "P4HyperLogLog", "tdigest", "qdigest", "setdigest"]);

export function isSketch(type: Type): boolean {
  return sketchKinds.has(type.kind);
}

function isGeometry(type: Type): boolean {
  return type.kind === "Geometry" || type.kind === "SphericalGeography";
}

function isModel(type: Type): boolean {
  return type.kind === "Classifier" || type.kind === "Regressor";
}

/** Whether equality of the bytes says nothing about equality of the values: one value has many encodings. */
export function isOpaque(type: Type): boolean {
  return isSketch(type) || isGeometry(type) || isModel(type);
}

/** Kinds that are comparable for equality but have no order. */
const unorderedKinds: ReadonlySet<TypeKind> = new Set(["map", "json", "function", "color", "BingTile"]);

/** Whether the type supports `=`. */
export function isComparable(type: Type): boolean {
  return type.kind !== "function" && !isOpaque(type) && innerTypes(type).every(isComparable);
}

/** Whether the type supports `<`. */
export function isOrderable(type: Type): boolean {
  return !unorderedKinds.has(type.kind) && !isOpaque(type) && innerTypes(type).every(isOrderable);
}
