/**
 * Type coercions: implicit (Presto's TypeCoercion), explicit (CAST), and the common super type of two types.
 */
import type { NestedType } from "../../types/nested/nested.ts";
import {
  arrayType,
  charLengthMax,
  charType,
  decimalPrecisionMax,
  decimalType,
  HYPER_LOG_LOG,
  innerTypes,
  isCharacter,
  isNested,
  isNumeric,
  isOpaque,
  isSketch,
  mapType,
  rowType,
  sameType,
  type Type,
  type TypeKind,
  unboundedVarcharLength,
  varcharType,
} from "../../types/type.ts";

const numericRank: Readonly<Partial<Record<TypeKind, number>>> = Object.freeze({
  tinyint: 0,
  smallint: 1,
  integer: 2,
  bigint: 3,
  decimal: 4,
  real: 5,
  double: 6,
});

/** The smallest decimal type that holds every value of an integral type. */
export function decimalOf(type: Type): Type & { readonly kind: "decimal" } {
  const digits: Partial<Record<TypeKind, number>> = { tinyint: 3, smallint: 5, integer: 10, bigint: 19 };
  if (type.kind === "decimal") {
    return type;
  }
  return { kind: "decimal", precision: digits[type.kind] ?? decimalPrecisionMax, scale: 0 };
}

/** Maximum length of a text type in code points; 0 for other types. */
export function textLength(type: Type): number {
  return type.kind === "varchar" || type.kind === "char" ? (type.length ?? unboundedVarcharLength) : 0;
}

/** Whether `from` is implicitly coerced to `to`. True for equal types. Field names are ignored; the result has those of `to`. */
export function canCoerce(from: Type, to: Type): boolean {
  if (isNested(from) && isNested(to)) {
    const [inner, wanted] = [innerTypes(from), innerTypes(to)];
    return from.kind === to.kind && inner.length === wanted.length && inner.every((type, index) => canCoerce(type, wanted[index] as Type));
  }
  const common = commonSuperType(from, to);
  return common !== undefined && sameType(common, to);
}

/** The type that both types coerce to; undefined if there is none. */
export function commonSuperType(a: Type, b: Type): Type | undefined {
  if (a.kind === "unknown") {
    return b;
  }
  if (b.kind === "unknown" || sameType(a, b)) {
    return a;
  }
  if (isNumeric(a) && isNumeric(b)) {
    return commonNumeric(a, b);
  }
  if (isCharacter(a) && isCharacter(b)) {
    const length = Math.max(textLength(a), textLength(b));
    return a.kind === "varchar" && b.kind === "varchar" ? varcharType(length) : charType(Math.min(length, charLengthMax));
  }
  const logs = [a.kind, b.kind];
  if (logs.includes("HyperLogLog") && logs.includes("P4HyperLogLog")) {
    return HYPER_LOG_LOG;
  }
  const common = commonTemporal(a, b) ?? commonTemporal(b, a);
  if (common !== undefined) {
    return common;
  }
  return isNested(a) && isNested(b) ? commonNested(a, b) : undefined;
}

/** Coerces `low` to the kind of `high`: date to timestamp, timestamp or time to the kind with time zone. The larger precision is kept. */
function commonTemporal(low: Type, high: Type): Type | undefined {
  switch (high.kind) {
    case "timestamp":
    case "time":
      if (low.kind === high.kind) {
        return low.precision >= high.precision ? low : high;
      }
      return high.kind === "timestamp" && low.kind === "date" ? high : undefined;
    case "timestamp with time zone":
      if (low.kind === "timestamp" || low.kind === high.kind) {
        return { kind: high.kind, precision: Math.max(low.precision, high.precision) };
      }
      return low.kind === "date" ? high : undefined;
    case "time with time zone":
      return low.kind === "time" || low.kind === high.kind
        ? { kind: high.kind, precision: Math.max(low.precision, high.precision) }
        : undefined;
    default:
      return undefined;
  }
}

/** Arrays, maps and rows with equal field counts coerce element by element; a field keeps its name only if both sides have the same. */
function commonNested(a: NestedType, b: NestedType): Type | undefined {
  if (a.kind !== b.kind || (a.kind === "row" && a.fields.length !== (b as typeof a).fields.length)) {
    return undefined;
  }
  const others = innerTypes(b);
  const inner: Type[] = [];
  for (const [index, type] of innerTypes(a).entries()) {
    const common = commonSuperType(type, others[index] as Type);
    if (common === undefined) {
      return undefined;
    }
    inner.push(common);
  }
  const [first, second] = inner as [Type, Type];
  switch (a.kind) {
    case "array":
      return arrayType(first);
    case "map":
      return mapType(first, second);
    case "row": {
      const { fields } = b as typeof a;
      return rowType(
        a.fields.map(({ name }, index) => ({
          ...(name === undefined || name !== fields[index]?.name ? {} : { name }),
          type: inner[index] as Type,
        })),
      );
    }
  }
}

function commonNumeric(a: Type, b: Type): Type {
  const rankA = numericRank[a.kind] ?? 0;
  const rankB = numericRank[b.kind] ?? 0;
  const [low, high] = rankA <= rankB ? [a, b] : [b, a];
  if (high.kind !== "decimal") {
    return high;
  }
  const [p, q] = [decimalOf(low), high];
  const scale = Math.max(p.scale, q.scale);
  return decimalType(Math.min(decimalPrecisionMax, Math.max(p.precision - p.scale, q.precision - q.scale) + scale), scale);
}

function canCastNested(from: Type, to: Type): boolean {
  const [inner, wanted] = [innerTypes(from), innerTypes(to)];
  return from.kind === to.kind && inner.length === wanted.length && inner.every((type, index) => canCast(type, wanted[index] as Type));
}

const scalarKindsOfJson: ReadonlySet<TypeKind> = new Set([
  "boolean",
  "tinyint",
  "smallint",
  "integer",
  "bigint",
  "real",
  "double",
  "decimal",
  "varchar",
  "json",
]);

/** The key type may be unknown, because a map may have no entries. */
function isJsonKey({ kind }: Type): boolean {
  return kind === "unknown" || (kind !== "json" && scalarKindsOfJson.has(kind));
}

function canCastToJson(from: Type): boolean {
  if (isNested(from)) {
    return innerTypes(from).every(canCastToJson) && (from.kind !== "map" || isJsonKey(from.key));
  }
  return scalarKindsOfJson.has(from.kind) || from.kind === "date" || from.kind === "timestamp" || from.kind === "unknown";
}

function canCastFromJson(to: Type): boolean {
  if (isNested(to)) {
    return innerTypes(to).every(canCastFromJson) && (to.kind !== "map" || (scalarKindsOfJson.has(to.key.kind) && to.key.kind !== "json"));
  }
  return scalarKindsOfJson.has(to.kind);
}

const temporalCasts: Readonly<Partial<Record<TypeKind, readonly TypeKind[]>>> = Object.freeze({
  date: ["timestamp", "timestamp with time zone"],
  timestamp: ["date", "timestamp with time zone", "time", "time with time zone"],
  "timestamp with time zone": ["date", "timestamp", "time", "time with time zone"],
  time: ["time with time zone", "timestamp", "timestamp with time zone"],
  "time with time zone": ["time", "timestamp", "timestamp with time zone"],
});

const notOfText: ReadonlySet<TypeKind> = new Set(["unknown", "interval day to second", "interval year to month", "color", "BingTile"]);

/** Whether CAST(from AS to) exists. */
export function canCast(from: Type, to: Type): boolean {
  if (from.kind !== to.kind && from.kind !== "unknown" && (from.kind === "json" || to.kind === "json")) {
    return from.kind === "json" ? canCastFromJson(to) : canCastToJson(from);
  }
  if (from.kind !== "unknown" && (isNested(from) || isNested(to))) {
    return canCastNested(from, to);
  }
  if (from.kind === to.kind && (from.kind === "qdigest" || from.kind === "Classifier")) {
    return sameType(from, to);
  }
  if (from.kind === "unknown" || from.kind === to.kind) {
    return to.kind !== "unknown" || from.kind === "unknown";
  }
  if (isNumeric(from) || from.kind === "boolean") {
    return isNumeric(to) || to.kind === "boolean" || to.kind === "varchar" || (from.kind === "bigint" && to.kind === "BingTile");
  }
  switch (from.kind) {
    case "varchar":
      return !notOfText.has(to.kind) && !isOpaque(to);
    case "char":
      return to.kind === "varchar";
    case "date":
    case "timestamp":
    case "timestamp with time zone":
    case "time":
    case "time with time zone":
      return to.kind === "varchar" || temporalCasts[from.kind]?.includes(to.kind) === true;
    case "uuid":
      return to.kind === "varchar" || to.kind === "varbinary";
    case "ipaddress":
      return to.kind === "varchar" || to.kind === "varbinary" || to.kind === "ipprefix";
    case "BingTile":
      return to.kind === "bigint";
    case "ipprefix":
      return to.kind === "varchar" || to.kind === "ipaddress";
    case "varbinary":
      return to.kind === "uuid" || to.kind === "ipaddress" || isSketch(to);
    case "HyperLogLog":
    case "P4HyperLogLog":
      return to.kind === "varbinary" || to.kind.endsWith("HyperLogLog");
    case "tdigest":
    case "qdigest":
    case "setdigest":
      return to.kind === "varbinary";
    case "interval day to second":
    case "interval year to month":
      return to.kind === "varchar";
    default:
      return false;
  }
}
