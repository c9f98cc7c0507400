/**
 * Infers the type of a column from the values in it.
 */
import { BIGINT, BOOLEAN, DATE, DOUBLE, TIMESTAMP, type Type, VARCHAR } from "../../../types/type.ts";
import { fitsBigint, parseBoolean, parseDate, parseDouble, parseInteger, parseTimestamp } from "./literals.ts";

/** Flags of the kinds of values seen; a set is their union. */
export const seen = Object.freeze({
  nothing: 0,
  boolean: 1,
  bigint: 2,
  double: 4,
  date: 8,
  timestamp: 16,
  timestampMicros: 32,
  text: 64,
  longInteger: 128,
});
export type Seen = number;

const timestampPrecisionMicros = 6;
const timestampPrecisionMillis = 3;

/** Spaces around a value are ignored, except in text. */
export function trimStart(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] === 0x20) {
    at++;
  }
  return at;
}

export function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && bytes[at - 1] === 0x20) {
    at--;
  }
  return at;
}

/** Kind of a cell that may be of any type. */
export function kindOfText(bytes: Uint8Array, from: number, to: number): Seen {
  const start = trimStart(bytes, from, to);
  const end = trimEnd(bytes, start, to);
  const number = kindOfNumber(bytes, start, end);
  if (number !== seen.text) {
    return number;
  }
  if (parseBoolean(bytes, start, end) !== undefined) {
    return seen.boolean;
  }
  return kindOfTime(bytes, start, end);
}

/** Kind of a cell that is a number or text. */
export function kindOfNumber(bytes: Uint8Array, start: number, end: number): Seen {
  const integer = parseInteger(bytes, start, end);
  if (integer !== undefined) {
    return fitsBigint(integer) ? seen.bigint : seen.longInteger;
  }
  return parseDouble(bytes, start, end) === undefined ? seen.text : seen.double;
}

/** Kind of a cell that is a date, a timestamp or text. */
export function kindOfTime(bytes: Uint8Array, start: number, end: number): Seen {
  if (parseDate(bytes, start, end) !== undefined) {
    return seen.date;
  }
  const timestamp = parseTimestamp(bytes, start, end);
  if (timestamp === undefined) {
    return seen.text;
  }
  return timestamp.precision > timestampPrecisionMillis ? seen.timestampMicros : seen.timestamp;
}

export function typeOf(kinds: Seen): Type {
  // Integers beyond bigint stay text, so that no digit is lost. In a column with doubles they are doubles without an exponent.
  const known = (kinds & seen.double) === 0 ? kinds : kinds & ~seen.longInteger;
  switch (known) {
    case seen.boolean:
      return BOOLEAN;
    case seen.bigint:
      return BIGINT;
    case seen.double:
    case seen.bigint | seen.double:
      return DOUBLE;
    case seen.date:
      return DATE;
    default:
      return timestampOf(known) ?? VARCHAR;
  }
}

function timestampOf(kinds: Seen): Type | undefined {
  const times = seen.date | seen.timestamp | seen.timestampMicros;
  if ((kinds & ~times) !== 0 || (kinds & times) === 0) {
    return undefined;
  }
  return (kinds & seen.timestampMicros) === 0 ? TIMESTAMP : { kind: "timestamp", precision: timestampPrecisionMicros };
}
