/**
 * MySQL date patterns: date_format and date_parse.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { civilOf } from "../../../types/time/calendar.ts";
import { codePoints } from "../../../types/utf8.ts";
import { invalid } from "../string/implementations.ts";
import { dayOfWeek, dayOfYear, daysOfMicros, isoWeekOf, microsOfDay } from "./dates.ts";
import {
  dayNames,
  malformed,
  microsOfFields,
  monthNames,
  type NumberField,
  type ParsedFields,
  readFraction,
  readHalfday,
  readName,
  requireShortPattern,
} from "./joda-fields.ts";

const unsupported = new Set("DUuVwX");

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function unsupportedSpecifier(letter: string): never {
  throw new QueryError("INVALID_FUNCTION_ARGUMENT", `%${letter} not supported in date format string`);
}

/** Pattern letters and the text between them. */
function* tokens(pattern: string): Generator<{ readonly letter?: string; readonly text?: string }> {
  requireShortPattern(pattern);
  const points = codePoints(pattern);
  for (let index = 0; index < points.length; index++) {
    const point = points[index] as string;
    const letter = points[index + 1];
    if (point === "%" && letter !== undefined) {
      index++;
      yield letter === "%" ? { text: "%" } : { letter };
    } else {
      yield { text: point };
    }
  }
}

/** `micros` must be whole milliseconds, the resolution of Joda. */
export function formatMysql(micros: bigint, pattern: string): string {
  const days = daysOfMicros(micros);
  const { year, month, day } = civilOf(days);
  const time = microsOfDay(micros);
  const [hour, minute, second] = [Number(time / 3_600_000_000n), Number((time / 60_000_000n) % 60n), Number((time / 1_000_000n) % 60n)];
  const hour12 = ((hour + 11) % 12) + 1;
  const fields: Readonly<Record<string, () => string>> = {
    a: () => (dayNames[dayOfWeek(days) - 1] as string).slice(0, 3),
    b: () => (monthNames[month - 1] as string).slice(0, 3),
    c: () => String(month),
    d: () => two(day),
    e: () => String(day),
    f: () => (time % 1_000_000n).toString().padStart(6, "0"),
    H: () => two(hour),
    h: () => two(hour12),
    I: () => two(hour12),
    i: () => two(minute),
    j: () => String(dayOfYear(days)).padStart(3, "0"),
    k: () => String(hour),
    l: () => String(hour12),
    M: () => monthNames[month - 1] as string,
    m: () => two(month),
    p: () => (hour < 12 ? "AM" : "PM"),
    r: () => `${two(hour12)}:${two(minute)}:${two(second)} ${hour < 12 ? "AM" : "PM"}`,
    S: () => two(second),
    s: () => two(second),
    T: () => `${two(hour)}:${two(minute)}:${two(second)}`,
    v: () => two(isoWeekOf(days).week),
    W: () => dayNames[dayOfWeek(days) - 1] as string,
    x: () => String(isoWeekOf(days).year),
    Y: () => String(year).padStart(4, "0"),
    y: () => two(((year % 100) + 100) % 100),
  };
  let text = "";
  for (const token of tokens(pattern)) {
    const { letter } = token;
    if (letter === undefined) {
      text += token.text ?? "";
    } else if (unsupported.has(letter)) {
      unsupportedSpecifier(letter);
    } else {
      text += fields[letter]?.() ?? letter;
    }
  }
  return text;
}

type Reader = (parsed: ParsedFields, rest: string) => number | undefined;

function number(field: NumberField, pattern: RegExp, implementation: (digits: string) => number = Number): Reader {
  return (parsed, rest) => {
    const digits = pattern.exec(rest)?.[0];
    if (digits !== undefined) {
      parsed[field] = implementation(digits);
    }
    return digits?.length;
  };
}

const twoDigits = /^\d{1,2}/;
const fourDigits = /^[+-]?\d{1,4}/;
const hour = number("hour", twoDigits);
const halfHour = number("clockHalfHour", twoDigits);
const minute = number("minute", twoDigits);
const second = number("second", twoDigits);
const month = number("month", twoDigits);
const day = number("day", twoDigits);
const readMonth: Reader = (parsed, rest) => readName(monthNames, rest, (index) => (parsed.month = index + 1));
const readWeekday: Reader = (parsed, rest) => readName(dayNames, rest, (index) => (parsed.dayOfWeek = index + 1));

const readers: Readonly<Record<string, Reader>> = Object.freeze({
  Y: number("year", fourDigits),
  x: number("weekYear", fourDigits),
  y: number("year", /^\d{2}/, (digits) => (Number(digits) < 70 ? 2000 : 1900) + Number(digits)),
  m: month,
  c: month,
  d: day,
  e: day,
  j: number("dayOfYear", /^\d{1,3}/),
  v: number("week", twoDigits),
  H: hour,
  k: hour,
  h: halfHour,
  I: halfHour,
  l: halfHour,
  i: minute,
  s: second,
  S: second,
  f: (parsed, rest) => readFraction(parsed, rest, 9),
  p: readHalfday,
  M: readMonth,
  b: readMonth,
  W: readWeekday,
  a: readWeekday,
});

/** Specifiers that expand to others. */
const composed: Readonly<Record<string, string>> = Object.freeze({ r: "%h:%i:%s %p", T: "%H:%i:%s" });

function* parserTokens(pattern: string): ReturnType<typeof tokens> {
  for (const token of tokens(pattern)) {
    const several = token.letter === undefined ? undefined : composed[token.letter];
    if (several === undefined) {
      yield token;
    } else {
      yield* tokens(several);
    }
  }
}

export function parseMysql(text: string, pattern: string): bigint {
  if (pattern === "") {
    return invalid("Both printing and parsing not supported");
  }
  const parsed: ParsedFields = {};
  let at = 0;
  for (const { letter, text: literal = "" } of parserTokens(pattern)) {
    const read = letter === undefined ? undefined : readers[letter];
    if (letter !== undefined && unsupported.has(letter)) {
      unsupportedSpecifier(letter);
    }
    const expected = letter === undefined ? literal : letter;
    const length = read === undefined ? (text.startsWith(expected, at) ? expected.length : undefined) : read(parsed, text.slice(at));
    at += length ?? malformed(text, at);
  }
  return at < text.length ? malformed(text, at) : microsOfFields(parsed, text);
}
