/** Values of partitions and bounds of Iceberg ("Partition Transforms" and "Binary single-value serialization" of the specification). */
import { utcKey, zonedMoment } from "../../../../types/time/zones.ts";
import { civilOf, daysOf } from "../../../../types/time/calendar.ts";
import type { DoubleRange } from "../../../../types/domain/double-range.ts";
import type { Type } from "../../../../types/type.ts";

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

function bigEndian(bytes: Uint8Array): bigint {
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return BigInt.asIntN(Math.max(1, bytes.length * 8), value);
}

/** A bound in the unit of statistics; undefined if the type has none there. A column may have been widened since. */
export function binaryBound(type: Type, bytes: unknown): number | undefined {
  if (!(bytes instanceof Uint8Array)) {
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type.kind) {
    case "integer":
    case "bigint":
    case "date":
      return bytes.length === 4 ? view.getInt32(0, true) : bytes.length === 8 ? Number(view.getBigInt64(0, true)) : undefined;
    case "double": {
      const value = bytes.length === 4 ? view.getFloat32(0, true) : bytes.length === 8 ? view.getFloat64(0, true) : Number.NaN;
      return Number.isNaN(value) ? undefined : value;
    }
    case "decimal":
      return bytes.length > 0 && bytes.length <= 16 ? Number(bigEndian(bytes)) / 10 ** type.scale : undefined;
    default:
      return undefined;
  }
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
