/** Values of partitions and bounds of Iceberg ("Partition Transforms" and "Binary single-value serialization" of the specification). */
import { utcKey, zonedMoment } from "../../../../types/time/zones.ts";
import { civilOf, daysOf } from "../../../../types/time/calendar.ts";
import type { DoubleRange } from "../../../../types/domain/double-range.ts";
import type { NestedValue } from "../../../../types/nested/nested.ts";
import type { Type } from "../../../../types/type.ts";
import { decodeUtf8 } from "../../../../types/utf8.ts";

export const picosPerMicro = 1_000_000n;

/** The value of an identity partition in the form of domains; undefined if it must be read from the file. */
export function identityText(type: Type, value: unknown): string | null | undefined {
  if (value === null) {
    return null;
  }
  switch (type.kind) {
    case "integer":
    case "bigint":
    case "date":
    case "timestamp":
      return typeof value === "number" || typeof value === "bigint" ? String(value) : undefined;
    case "timestamp with time zone":
      return typeof value === "number" || typeof value === "bigint" ? String(zonedMoment(BigInt(value), utcKey)) : undefined;
    case "varchar":
      return typeof value === "string" ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? String(value) : undefined;
    case "decimal":
      return value instanceof Uint8Array ? String(bigEndian(value)) : undefined;
    default:
      return undefined;
  }
}

export function bigEndian(bytes: Uint8Array): bigint {
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return BigInt.asIntN(Math.max(1, bytes.length * 8), value);
}

/** The value of a bound; null if the bytes are none of the type. A column may have been widened since it was written. */
export function boundValue(type: Type, bytes: unknown): NestedValue {
  if (!(bytes instanceof Uint8Array)) {
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length === 4 ? BigInt(view.getInt32(0, true)) : bytes.length === 8 ? view.getBigInt64(0, true) : null;
  switch (type.kind) {
    case "boolean":
      return bytes.length === 1 ? bytes[0] !== 0 : null;
    case "integer":
    case "date":
      return whole === null || BigInt.asIntN(32, whole) !== whole ? null : Number(whole);
    case "bigint":
      return whole;
    case "time":
    case "timestamp":
    case "timestamp with time zone":
      return bytes.length === 8 && whole !== null ? momentOfMicros(type, whole) : null;
    case "real":
      return bytes.length === 4 ? view.getFloat32(0, true) : null;
    case "double":
      return bytes.length === 4 ? view.getFloat32(0, true) : bytes.length === 8 ? view.getFloat64(0, true) : null;
    case "decimal":
      return bytes.length > 0 && bytes.length <= 16 ? bigEndian(bytes) : null;
    case "varchar":
      return decodeUtf8(bytes);
    case "varbinary":
      return bytes;
    case "uuid":
      return bytes.length === 16 ? bytes : null;
    default:
      return null;
  }
}

/** A value of Iceberg in the unit of the type. */
export function momentOfMicros(type: Type, micros: bigint): bigint {
  return type.kind === "time" ? micros * picosPerMicro : type.kind === "timestamp" ? micros : zonedMoment(micros, utcKey);
}

/** A bound in the unit of statistics; undefined if the type has none there. */
export function binaryBound(type: Type, bytes: unknown): number | undefined {
  if (!["integer", "bigint", "date", "double", "decimal"].includes(type.kind)) {
    return undefined;
  }
  const value = boundValue(type, bytes);
  const number = value === null ? Number.NaN : Number(value) / (type.kind === "decimal" ? 10 ** type.scale : 1);
  return Number.isNaN(number) ? undefined : number;
}

/** Values of the source column in a partition; undefined if the transform does not tell. */
export function rangeOfPartition(type: Type, transform: string, value: unknown): DoubleRange | undefined {
  if (typeof value !== "number") {
    return undefined;
  }
  const width = /^truncate\[(\d+)\]$/.exec(transform)?.[1];
  if (width !== undefined) {
    return type.kind === "integer" || type.kind === "bigint" ? { low: value, high: value + Number(width) - 1 } : undefined;
  }
  if (type.kind !== "date") {
    return undefined;
  }
  switch (transform) {
    case "day":
      return { low: value, high: value };
    case "month":
      return { low: firstDay(value), high: firstDay(value + 1) - 1 };
    case "year":
      return { low: firstDay(value * 12), high: firstDay((value + 1) * 12) - 1 };
    default:
      return undefined;
  }
}

/** Of a month, counted from January 1970. */
function firstDay(month: number): number {
  const year = civilOf(0).year + Math.floor(month / 12);
  return daysOf({ year, month: month - Math.floor(month / 12) * 12 + 1, day: 1 });
}
