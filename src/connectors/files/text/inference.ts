/**
 * Infers the type of a column from the values in it.
 */
import { BIGINT, BOOLEAN, DATE, DOUBLE, type Type, VARCHAR } from "../../../types/type.ts";
import { fitsBigint, parseBoolean, parseDouble, parseInteger } from "./literals.ts";
import { type DateOrder, dateOrders, parseDate, parseOrdered, parseTime, parseTimestamp, parseZoned } from "./moments.ts";

/**
 * Flags of the kinds of values seen; a set is their union. Dates in other orders than that of ISO 8601 say which orders they are not: what
 * is left after all values is the order of the column.
 */
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
  zoned: 1 << 8,
  zonedMicros: 1 << 9,
  time: 1 << 10,
  timeMicros: 1 << 11,
  orderedDate: 1 << 12,
  orderedTimestamp: 1 << 13,
  orderedTimestampMicros: 1 << 14,
  notDayFirst: 1 << 15,
  notMonthFirst: 1 << 16,
  notYearFirst: 1 << 17,
});
export type Seen = number;

const orders = seen.notDayFirst | seen.notMonthFirst | seen.notYearFirst;

/** The order of the dates of a column; undefined if they are in that of ISO 8601, or there is none. */
export function dateOrderOf(kinds: Seen): DateOrder | undefined {
  if ((kinds & (seen.orderedDate | seen.orderedTimestamp | seen.orderedTimestampMicros)) === 0) {
    return undefined;
  }
  // Where both fit, the day comes first, as in DuckDB.
  return (kinds & seen.notYearFirst) === 0
    ? "ymd"
    : (kinds & seen.notDayFirst) === 0
      ? "dmy"
      : (kinds & seen.notMonthFirst) === 0
        ? "mdy"
        : undefined;
}

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

/** Kind of a cell that is a date, a time, a timestamp or text. */
export function kindOfTime(bytes: Uint8Array, start: number, end: number): Seen {
  const first = bytes[start] as number;
  // Texts mostly begin with a letter.
  if (start === end || first < 0x30 || first > 0x39) {
    return seen.text;
  }
  if (parseDate(bytes, start, end) !== undefined) {
    return seen.date;
  }
  const timestamp = parseTimestamp(bytes, start, end);
  if (timestamp !== undefined) {
    return timestamp.precision > timestampPrecisionMillis ? seen.timestampMicros : seen.timestamp;
  }
  const zoned = parseZoned(bytes, start, end);
  if (zoned !== undefined) {
    return zoned.precision > timestampPrecisionMillis ? seen.zonedMicros : seen.zoned;
  }
  const time = parseTime(bytes, start, end);
  if (time !== undefined) {
    return time.precision > timestampPrecisionMillis ? seen.timeMicros : seen.time;
  }
  return kindOfOrdered(bytes, start, end);
}

function kindOfOrdered(bytes: Uint8Array, start: number, end: number): Seen {
  const found = dateOrders.map((order) => parseOrdered(bytes, start, end, order));
  const any = found.find((value) => value !== undefined);
  if (any === undefined) {
    return seen.text;
  }
  const isDate = any.hasTime === false;
  const kind = isDate ? seen.orderedDate : any.precision > timestampPrecisionMillis ? seen.orderedTimestampMicros : seen.orderedTimestamp;
  const excluded = [seen.notDayFirst, seen.notMonthFirst, seen.notYearFirst].filter((_, index) => found[index] === undefined);
  return excluded.reduce((flags, flag) => flags | flag, kind);
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
      return (
        momentOf(known, { whole: seen.date, millis: seen.timestamp, micros: seen.timestampMicros, kind: "timestamp" }) ??
        momentOf(known, { whole: 0, millis: seen.zoned, micros: seen.zonedMicros, kind: "timestamp with time zone" }) ??
        momentOf(known, { whole: 0, millis: seen.time, micros: seen.timeMicros, kind: "time" }) ??
        orderedTypeOf(known) ??
        VARCHAR
      );
  }
}

interface Moments {
  readonly whole: Seen;
  readonly millis: Seen;
  readonly micros: Seen;
  readonly kind: "timestamp" | "timestamp with time zone" | "time";
}

function momentOf(kinds: Seen, { whole, millis, micros, kind }: Moments): Type | undefined {
  const all = whole | millis | micros;
  if (kinds === 0 || (kinds & ~all) !== 0) {
    return undefined;
  }
  return { kind, precision: (kinds & micros) === 0 ? timestampPrecisionMillis : timestampPrecisionMicros };
}

function orderedTypeOf(kinds: Seen): Type | undefined {
  if (dateOrderOf(kinds) === undefined) {
    return undefined;
  }
  const values = kinds & ~orders;
  return values === seen.orderedDate
    ? DATE
    : momentOf(values, {
        whole: seen.orderedDate,
        millis: seen.orderedTimestamp,
        micros: seen.orderedTimestampMicros,
        kind: "timestamp",
      });
}
