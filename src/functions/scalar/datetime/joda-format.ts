/**
 * Joda date patterns (format_datetime, parse_datetime) and ISO 8601 text.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { civilOf } from "../../../types/time/calendar.ts";
import { formatOffset, utcKey, zoneId, zoneKeyOf, zoneKeyOfOffset, type ZoneKey } from "../../../types/time/zones.ts";
import { dayOfWeek, dayOfYear, daysOfMicros, isoWeekOf, microsOfDay } from "./dates.ts";
import {
  dayNames,
  daysOfFields,
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
import { invalid } from "../string/implementations.ts";
import { ofExistingLocal } from "./zoned.ts";

interface Token {
  /** A pattern letter; undefined for literal text. */
  readonly letter?: string;
  readonly count: number;
  readonly text: string;
}

/** Fraction digits of a Joda instant. Formatting rounds to them, parsing truncates. */
export const jodaPrecision = 3;

const letters = "GCYxweEyDMdaKhHkmsSZz";

/** Runs of a letter. Quoted text is literal; two quotes are one quote. */
function tokens(pattern: string): readonly Token[] {
  if (pattern === "") {
    return invalid("Invalid pattern specification");
  }
  requireShortPattern(pattern);
  const found: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const letter = pattern[at] as string;
    if (/[A-Za-z]/.test(letter)) {
      let end = at + 1;
      while (pattern[end] === letter) {
        end++;
      }
      if (!letters.includes(letter)) {
        invalid(`Illegal pattern component: ${pattern.slice(at, end)}`);
      }
      found.push({ letter, count: end - at, text: "" });
      at = end;
    } else if (letter === "'") {
      let text = "";
      let end = at + 1;
      for (; end < pattern.length && (pattern[end] !== "'" || pattern[end + 1] === "'"); end++) {
        text += pattern[end];
        end += pattern[end] === "'" ? 1 : 0;
      }
      found.push({ count: 0, text: end === at + 1 ? "'" : text });
      at = end + 1;
    } else {
      found.push({ count: 0, text: letter });
      at++;
    }
  }
  return found;
}

function padded(value: number, count: number): string {
  const digits = String(Math.abs(value)).padStart(count, "0");
  return value < 0 ? `-${digits}` : digits;
}

/** As in Joda, two letters are the year within its century. */
function year(value: number, count: number): string {
  return count === 2 ? padded(((value % 100) + 100) % 100, 2) : padded(value, count);
}

/** Zone of the formatted value, and its offset at that instant. */
export interface ShownZone {
  readonly key: ZoneKey;
  readonly offsetSeconds: number;
}

/** `Z` is an offset without a colon, `ZZ` an offset with a colon, `ZZZ` the zone id. */
function formatZone({ key, offsetSeconds }: ShownZone, letter: "Z" | "z", count: number): string {
  if (letter === "z" && key !== utcKey) {
    throw new QueryError("NOT_SUPPORTED", "Names of time zones are not supported in patterns: use Z, ZZ or ZZZ");
  }
  if (letter === "z" || count >= 3) {
    return zoneId(key);
  }
  const offset = formatOffset(Math.trunc(offsetSeconds / 60));
  return count === 1 ? offset.replace(":", "") : offset;
}

function noZone(): never {
  return invalid("format_datetime for TIMESTAMP type, cannot use 'Z' nor 'z' in format, as this type does not contain TZ information");
}

/** `micros` is the local time. */
export function formatJoda(micros: bigint, pattern: string, zone?: ShownZone): string {
  const days = daysOfMicros(micros);
  const date = civilOf(days);
  const time = microsOfDay(micros);
  const [hour, minute, second] = [Number(time / 3_600_000_000n), Number((time / 60_000_000n) % 60n), Number((time / 1_000_000n) % 60n)];
  const yearOfEra = date.year > 0 ? date.year : 1 - date.year;
  const named = (names: readonly string[], index: number, count: number) => {
    const name = names[index] as string;
    return count >= 4 ? name : name.slice(0, 3);
  };
  const fields: Readonly<Record<string, (count: number) => string>> = {
    G: () => (date.year > 0 ? "AD" : "BC"),
    C: (count) => padded(Math.floor(yearOfEra / 100), count),
    Y: (count) => year(yearOfEra, count),
    x: (count) => year(isoWeekOf(days).year, count),
    w: (count) => padded(isoWeekOf(days).week, count),
    e: (count) => padded(dayOfWeek(days), count),
    E: (count) => named(dayNames, dayOfWeek(days) - 1, count),
    y: (count) => year(date.year, count),
    D: (count) => padded(dayOfYear(days), count),
    M: (count) => (count >= 3 ? named(monthNames, date.month - 1, count) : padded(date.month, count)),
    d: (count) => padded(date.day, count),
    a: () => (hour < 12 ? "AM" : "PM"),
    K: (count) => padded(hour % 12, count),
    h: (count) => padded(((hour + 11) % 12) + 1, count),
    H: (count) => padded(hour, count),
    k: (count) => padded(hour === 0 ? 24 : hour, count),
    m: (count) => padded(minute, count),
    s: (count) => padded(second, count),
    S: (count) => (time % 1_000_000n).toString().padStart(6, "0").padEnd(count, "0").slice(0, count),
    Z: (count) => (zone === undefined ? noZone() : formatZone(zone, "Z", count)),
    z: (count) => (zone === undefined ? noZone() : formatZone(zone, "z", count)),
  };
  return tokens(pattern)
    .map(({ letter, count, text }) => (letter === undefined ? text : (fields[letter]?.(count) ?? "")))
    .join("");
}

const numberFields: Readonly<Record<string, readonly [field: NumberField, digitsMax: number]>> = Object.freeze({
  Y: ["year", 9],
  y: ["year", 9],
  x: ["weekYear", 9],
  w: ["week", 2],
  e: ["dayOfWeek", 1],
  D: ["dayOfYear", 3],
  M: ["month", 2],
  d: ["day", 2],
  K: ["halfHour", 2],
  h: ["clockHalfHour", 2],
  H: ["hour", 2],
  k: ["clockHour", 2],
  m: ["minute", 2],
  s: ["second", 2],
});

const yearLetters = "Yyx";

/** Number of characters of `rest` that the token consumes; undefined if it does not match. */
function read(parsed: ParsedFields, { letter, count, text }: Token, rest: string, nextIsNumber: boolean): number | undefined {
  if (letter === undefined) {
    return rest.startsWith(text) ? text.length : undefined;
  }
  const field = letter === "M" && count >= 3 ? undefined : numberFields[letter];
  if (field !== undefined) {
    return readNumber(parsed, field, { letter, count, nextIsNumber }, rest);
  }
  switch (letter) {
    case "M":
      return readName(monthNames, rest, (index) => (parsed.month = index + 1));
    case "E":
      return readName(dayNames, rest, (index) => (parsed.dayOfWeek = index + 1));
    case "a":
      return readHalfday(parsed, rest);
    case "S":
      return readFraction(parsed, rest, Math.min(9, count));
    case "Z":
    case "z":
      return readOffset(parsed, rest);
    default:
      return invalid(`Parsing not supported: ${letter}`);
  }
}

function readNumber(
  parsed: ParsedFields,
  [field, digitsMax]: readonly [NumberField, number],
  { letter, count, nextIsNumber }: { readonly letter: string; readonly count: number; readonly nextIsNumber: boolean },
  rest: string,
): number | undefined {
  const isYear = yearLetters.includes(letter);
  const most = isYear && nextIsNumber ? Math.max(count, 1) : Math.min(digitsMax, Math.max(count, digitsMax));
  const digits = new RegExp(`^${isYear ? "[+-]?" : ""}\\d{1,${most}}`).exec(rest)?.[0];
  if (digits === undefined) {
    return undefined;
  }
  const value = Number(digits);
  // Two letters with two digits: a year from 1970 to 2069.
  parsed[field] = isYear && count === 2 && digits.length === 2 ? (value < 70 ? 2000 + value : 1900 + value) : value;
  return digits.length;
}

/** Code units of an id of a zone and one more; the longest ids have some 30. */
const zoneUnitsMax = 64;

/** Parses an offset, `Z`, or a zone id. */
function readOffset(parsed: ParsedFields, rest: string): number | undefined {
  const [offset, sign, hours, minutes] = /^([+-])(\d{2})(?::?(\d{2}))?/.exec(rest) ?? [];
  if (offset !== undefined) {
    const total = Number(hours) * 60 + Number(minutes ?? 0);
    const key = zoneKeyOfOffset(sign === "-" ? -total : total);
    parsed.zone = key ?? utcKey;
    return key === undefined ? undefined : offset.length;
  }
  const id = /^[A-Za-z][A-Za-z0-9_+/-]*/.exec(rest.slice(0, zoneUnitsMax))?.[0];
  const key = id === undefined ? undefined : zoneKeyOf(id);
  parsed.zone = key ?? utcKey;
  return key === undefined ? undefined : id?.length;
}

/** Timestamp in the zone that the text names, else in `zone`. */
export function parseJodaZoned(text: string, pattern: string, zone: ZoneKey): bigint {
  const parsed: ParsedFields = {};
  let at = 0;
  const all = tokens(pattern);
  for (const [index, token] of all.entries()) {
    const next = all[index + 1];
    const nextIsNumber = next?.letter !== undefined && (next.letter === "S" || (numberFields[next.letter] !== undefined && next.count < 3));
    const length = read(parsed, token, text.slice(at), nextIsNumber) ?? malformed(text, at);
    at += length;
  }
  if (at < text.length) {
    malformed(text, at);
  }
  return existing(text, microsOfFields(parsed, text), parsed.zone ?? zone);
}

/** As in Joda, a local time that the zone skips is an error. */
function existing(text: string, local: bigint, zone: ZoneKey, picos = 0n): bigint {
  const illegal = `Cannot parse "${text}": Illegal instant due to time zone offset transition (${zoneId(zone)})`;
  return ofExistingLocal(local, zone, picos) ?? invalid(illegal);
}

const isoDate = /^([+-]?\d{4,9})(?:-(\d{2})(?:-(\d{2}))?|-(\d{3})|-W(\d{2})(?:-(\d))?)?$/;
const isoTime = /^(\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

function parseIsoFields(text: string): ParsedFields | undefined {
  const match = isoDate.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, written, month, day, ordinal, week, weekday] = match;
  const parsed: ParsedFields = {};
  if (week !== undefined) {
    Object.assign(parsed, { weekYear: Number(written), week: Number(week), dayOfWeek: Number(weekday ?? 1) });
  } else if (ordinal !== undefined) {
    Object.assign(parsed, { year: Number(written), dayOfYear: Number(ordinal) });
  } else {
    Object.assign(parsed, { year: Number(written), month: Number(month ?? 1), day: Number(day ?? 1) });
  }
  return parsed;
}

/** `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, `YYYY-DDD`, `YYYY-Www` or `YYYY-Www-D`; undefined for other text. */
export function parseIsoDate(text: string): number | undefined {
  const parsed = parseIsoFields(text);
  return parsed === undefined ? undefined : daysOfFields(parsed, text);
}

/** An ISO 8601 date with an optional time after `T` and an optional offset; without an offset the zone is `zone`. */
export function parseIsoZoned(text: string, zone: ZoneKey): bigint {
  const bad = (): never => invalid(`Invalid format: "${text}"`);
  const [date = "", time, ...more] = text.split("T", 3);
  const parsed = parseIsoFields(date) ?? bad();
  if (more.length > 0) {
    return bad();
  }
  let picos = 0n;
  if (time !== undefined && time !== "") {
    const [, hour, minute, second, fraction, offset] = isoTime.exec(time) ?? bad();
    Object.assign(parsed, { hour: Number(hour), minute: Number(minute ?? 0), second: Number(second ?? 0) });
    const digits = (fraction ?? "").padEnd(12, "0");
    parsed.micros = Number(digits.slice(0, 6));
    picos = BigInt(digits.slice(6));
    if (offset !== undefined && readOffset(parsed, offset) === undefined) {
      return bad();
    }
  }
  return existing(text, microsOfFields(parsed, text), parsed.zone ?? zone, picos);
}
