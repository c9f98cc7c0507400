/** Single values of Iceberg ("Binary single-value serialization" and "Partition Transforms" of its specification), and their texts. */
import type { NestedValue } from "../../../../types/nested/nested.ts";
import { civilOf } from "../../../../types/time/calendar.ts";
import { DATE, INTEGER, type Type } from "../../../../types/type.ts";
import { encodeBase64 } from "../../../../types/base64.ts";
import { bigintOf, integerOf } from "../json.ts";
import { bigEndian, momentOfMicros, picosPerMicro } from "../iceberg/values.ts";
import { scalarText } from "../../write/text/scalars.ts";

const microsPerSecond = 1_000_000n;
const secondsPerDay = 86_400;

/** The type of the values of a partition field. */
export function transformedType(source: Type, transform: string): Type {
  if (/^(?:year|month|hour|bucket\[\d+\])$/.test(transform)) {
    return INTEGER;
  }
  return transform === "day" ? DATE : source;
}

/** A value of Avro as one of the type; null if it is none. */
export function partitionValue(type: Type, value: unknown): NestedValue {
  const micros = bigintOf(value);
  switch (type.kind) {
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "integer":
    case "date":
      return integerOf(value);
    case "real":
    case "double":
      return typeof value === "number" ? value : null;
    case "bigint":
      return bigintOf(value);
    case "time":
    case "timestamp":
    case "timestamp with time zone":
      return micros === null ? null : momentOfMicros(type, micros);
    case "decimal":
      return value instanceof Uint8Array && value.length > 0 && value.length <= 16 ? bigEndian(value) : null;
    case "varchar":
      return typeof value === "string" ? value : null;
    case "varbinary":
    case "uuid":
      return value instanceof Uint8Array ? value : null;
    default:
      return null;
  }
}

/** As Iceberg's library prints the value of a partition field, or of a column with the transform `identity`. */
export function humanText(type: Type, transform: string, value: NestedValue): string {
  if (value === null) {
    return "null";
  }
  switch (transform) {
    case "year":
      return padded(1970 + Number(value), 4);
    case "month":
      return monthText(Number(value));
    case "hour": {
      const hours = Number(value);
      return `${dayText(Math.floor(hours / 24))}-${padded(hours - Math.floor(hours / 24) * 24, 2)}`;
    }
    default:
      return identityText(type, value);
  }
}

function identityText(type: Type, value: Exclude<NestedValue, null>): string {
  switch (type.kind) {
    case "date":
      return dayText(value as number);
    case "time":
      return clockText((value as bigint) / picosPerMicro);
    case "timestamp":
      return timestampText(value as bigint);
    case "timestamp with time zone":
      return `${timestampText((value as bigint) >> 64n)}Z`;
    case "real":
      return numberText(Number(scalarText(type, value)));
    case "double":
      return numberText(value as number);
    case "varchar":
      return value as string;
    case "varbinary":
      return encodeBase64(value as Uint8Array);
    case "uuid":
      return Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, "0"))
        .join("")
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    default:
      return scalarText(type, value);
  }
}

function padded(value: number, digits: number): string {
  return value < 0 ? `-${String(-value).padStart(digits, "0")}` : String(value).padStart(digits, "0");
}

function monthText(months: number): string {
  const year = Math.floor(months / 12);
  return `${padded(1970 + year, 4)}-${padded(months - year * 12 + 1, 2)}`;
}

function dayText(days: number): string {
  const { year, month, day } = civilOf(days);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

function timestampText(micros: bigint): string {
  const inDay = BigInt(secondsPerDay) * microsPerSecond;
  const rest = ((micros % inDay) + inDay) % inDay;
  return `${dayText(Number((micros - rest) / inDay))}T${clockText(rest)}`;
}

/** As Java prints a LocalTime: seconds and their fraction only if they are not zero. */
function clockText(micros: bigint): string {
  const [seconds, rest] = [Number(micros / microsPerSecond), Number(micros % microsPerSecond)];
  const minutes = `${padded(Math.floor(seconds / 3600), 2)}:${padded(Math.floor(seconds / 60) % 60, 2)}`;
  const fraction = rest === 0 ? "" : `.${padded(rest, 6).replace(/000$/, "")}`;
  return seconds % 60 === 0 && rest === 0 ? minutes : `${minutes}:${padded(seconds % 60, 2)}${fraction}`;
}

/** As Java prints a double. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) {
    return String(value);
  }
  const size = Math.abs(value);
  if (value === 0) {
    return Object.is(value, -0) ? "-0.0" : "0.0";
  }
  if (size >= 1e-3 && size < 1e7) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
