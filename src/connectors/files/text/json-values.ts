/**
 * JSON values as values of SQL types, as host functions see them (types/nested).
 */
import type { NestedValue } from "../../../types/nested/nested-order.ts";
import type { Type } from "../../../types/type.ts";
import { zonedMoment } from "../../../types/time/zones.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import { BadData } from "../../shared/file-errors.ts";
import { JsonCursor } from "./json-cursor.ts";
import { fitsBigint, parseDecimal, parseDouble, parseInteger } from "./literals.ts";
import { parseDate, type ParsedTimestamp, parseTime, parseTimestamp, parseZoned } from "./moments.ts";

/** The value at [start, end), which is well-formed JSON. Throws BadData if it has another type. */
export function jsonValue(type: Type, u8: Uint8Array, start: number, end: number): NestedValue {
  return readValue(type, new JsonCursor(u8, start, end));
}

function wrong(): never {
  throw new BadData("it has another type");
}

function readValue(type: Type, cursor: JsonCursor): NestedValue {
  const { kind } = cursor;
  if (kind === "null") {
    cursor.scalar();
    return null;
  }
  switch (type.kind) {
    case "array": {
      const values: NestedValue[] = [];
      requireKind(kind === "array");
      cursor.elements(() => values.push(readValue(type.element, cursor)));
      return values;
    }
    case "map":
      requireKind(kind === "object");
      return readMap(type.value, cursor);
    case "row":
      requireKind(kind === "object");
      return readRow(type, cursor);
    default:
      return kind === "object" || kind === "array" ? readText(type, cursor) : readScalar(type, cursor);
  }
}

function requireKind(isRight: boolean): void {
  if (!isRight) {
    wrong();
  }
}

/** The last value of a key counts. */
function readMap(type: Type, cursor: JsonCursor): NestedValue {
  const entries = new Map<string, NestedValue>();
  cursor.members((name) => entries.set(name, readValue(type, cursor)));
  return [...entries];
}

/** Fields are found without regard to case; keys that are no field are passed over. */
function readRow({ fields }: Extract<Type, { kind: "row" }>, cursor: JsonCursor): NestedValue {
  const values: NestedValue[] = fields.map(() => null);
  cursor.members((name) => {
    const key = name.toLowerCase();
    const index = fields.findIndex((field) => (field.name ?? "").toLowerCase() === key);
    const field = fields[index];
    if (field === undefined) {
      cursor.skip();
    } else {
      values[index] = readValue(field.type, cursor);
    }
  });
  return values;
}

/** Nested values are text where they have no type in common. */
function readText(type: Type, cursor: JsonCursor): NestedValue {
  requireKind(type.kind === "varchar");
  const { start, end } = cursor.skip();
  return decodeUtf8(cursor.u8, start, end);
}

function readScalar(type: Type, cursor: JsonCursor): NestedValue {
  const { kind, u8 } = cursor;
  const { start, end, isEscaped } = cursor.scalar();
  if (type.kind === "varchar") {
    const written = decodeUtf8(u8, start, end);
    return isEscaped ? (JSON.parse(`"${written}"`) as string) : written;
  }
  if (kind === "boolean" || kind === "number") {
    return (kind === "boolean" ? booleanOf(type, u8, start) : numberOf(type, u8, start, end)) ?? wrong();
  }
  return momentOf(type, u8, start, end) ?? wrong();
}

function booleanOf(type: Type, u8: Uint8Array, start: number): boolean | undefined {
  return type.kind === "boolean" ? u8[start] === 0x74 : undefined;
}

function numberOf(type: Type, u8: Uint8Array, start: number, end: number): NestedValue | undefined {
  switch (type.kind) {
    case "bigint": {
      const value = parseInteger(u8, start, end);
      return value === undefined || !fitsBigint(value) ? undefined : BigInt(value);
    }
    case "double":
      return parseDouble(u8, start, end);
    case "decimal":
      return parseDecimal(u8, start, end, type);
    default:
      return undefined;
  }
}

function microsOf({ seconds, micros }: ParsedTimestamp): bigint {
  return BigInt(seconds) * 1_000_000n + BigInt(micros);
}

function momentOf(type: Type, u8: Uint8Array, start: number, end: number): NestedValue | undefined {
  switch (type.kind) {
    case "date":
      return parseDate(u8, start, end);
    case "time": {
      const found = parseTime(u8, start, end);
      return found !== undefined && found.precision <= type.precision ? microsOf(found) * 1_000_000n : undefined;
    }
    case "timestamp": {
      const days = parseDate(u8, start, end);
      const found = days === undefined ? parseTimestamp(u8, start, end) : { seconds: days * 86400, micros: 0, precision: 0 };
      return found !== undefined && found.precision <= type.precision ? microsOf(found) : undefined;
    }
    case "timestamp with time zone": {
      const found = parseZoned(u8, start, end);
      return found !== undefined && found.precision <= type.precision ? zonedMoment(microsOf(found), found.zone) : undefined;
    }
    default:
      return undefined;
  }
}
