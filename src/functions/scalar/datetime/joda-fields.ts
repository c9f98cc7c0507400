/**
 * Date and time fields parsed from a text, and the timestamp they form, computed as in Joda's parsers: larger fields first, each checked
 * against the bounds that apply by then. Shared by MySQL patterns, Joda patterns and ISO 8601.
 */
import { civilOf, daysInMonth, daysOf } from "../../../types/time/calendar.ts";
import type { ZoneKey } from "../../../types/time/zones.ts";
import { dayOfWeek, isoWeekOf, microsPerDay } from "./dates.ts";
import { dateOf } from "../../runtime/formats.ts";
import { invalid } from "../string/implementations.ts";

export interface ParsedFields {
  year?: number;
  weekYear?: number;
  month?: number;
  week?: number;
  dayOfYear?: number;
  day?: number;
  dayOfWeek?: number;
  hour?: number;
  /** 1 to 24. */
  clockHour?: number;
  /** 0 to 11. */
  halfHour?: number;
  /** 1 to 12. */
  clockHalfHour?: number;
  afternoon?: boolean;
  minute?: number;
  second?: number;
  micros?: number;
  zone?: ZoneKey;
}

export type NumberField = Exclude<keyof ParsedFields, "afternoon" | "micros" | "zone">;

export const monthNames: readonly string[] = Object.freeze([
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
]);
export const dayNames: readonly string[] = Object.freeze(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]);

/** Code units of a pattern of dates; each of them may be a field. */
const patternUnitsMax = 65_536;

/** Throws QueryError. */
export function requireShortPattern(pattern: string): void {
  if (pattern.length > patternUnitsMax) {
    invalid(`Pattern is longer than ${patternUnitsMax}`);
  }
}

/** Joda's default year for a text with a month, week or day but no year. */
const defaultYear = 2000;
const shownUnits = 32;

/** `at` is the position of the first part that does not match. */
export function malformed(text: string, at: number): never {
  const shown = text.length <= at + shownUnits + 3 ? text : `${text.slice(0, at + shownUnits)}...`;
  if (at <= 0) {
    return invalid(`Invalid format: "${shown}"`);
  }
  return invalid(`Invalid format: "${shown}" is ${at >= text.length ? "too short" : `malformed at "${shown.slice(at)}"`}`);
}

/** Code units of the longest name. */
const nameUnitsMax = 9;

/** Length of the name at the start of `rest`, in full or abbreviated to three letters; undefined if none matches. */
export function readName(names: readonly string[], rest: string, set: (index: number) => void): number | undefined {
  const lower = rest.slice(0, nameUnitsMax).toLowerCase();
  for (const length of [undefined, 3]) {
    const index = names.findIndex((name) => lower.startsWith(name.slice(0, length).toLowerCase()));
    if (index >= 0) {
      set(index);
      return (names[index] as string).slice(0, length).length;
    }
  }
  return undefined;
}

export function readHalfday(parsed: ParsedFields, rest: string): number | undefined {
  const half = /^[ap]m/i.exec(rest)?.[0];
  if (half !== undefined) {
    parsed.afternoon = half.toLowerCase() === "pm";
  }
  return half?.length;
}

/** Accepts up to nine digits and keeps three; Joda truncates the rest. */
export function readFraction(parsed: ParsedFields, rest: string, digitsMax: number): number | undefined {
  const digits = new RegExp(`^\\d{1,${digitsMax}}`).exec(rest)?.[0];
  if (digits !== undefined) {
    parsed.micros = Number(digits.padEnd(3, "0").slice(0, 3)) * 1000;
  }
  return digits?.length;
}

interface Bounds {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

function within(text: string, value: number | undefined, { name, min, max }: Bounds): number {
  if (value === undefined) {
    return min;
  }
  const isWithin = value >= min && value <= max;
  return isWithin ? value : invalid(`Cannot parse "${text}": Value ${value} for ${name} must be in the range [${min},${max}]`);
}

function firstOfYear(text: string, year: number): number {
  return dateOf(year, 1, 1) ?? invalid(`Cannot parse "${text}": Value ${year} for year must be in the range [-292275054,292278993]`);
}

/** The Monday of the first ISO week of a year. */
function firstOfWeekYear(text: string, year: number): number {
  const fourth = firstOfYear(text, year) + 3;
  return fourth - dayOfWeek(fourth) + 1;
}

function withDefaultYear(parsed: ParsedFields): ParsedFields {
  const { year, weekYear, month, week, day } = parsed;
  const isDated = [month, week, parsed.dayOfYear, day, parsed.dayOfWeek].some((field) => field !== undefined);
  return year === undefined && weekYear === undefined && isDated ? { ...parsed, year: defaultYear } : parsed;
}

export function daysOfFields(given: ParsedFields, text: string): number {
  const parsed = withDefaultYear(given);
  let days = 0;
  if (parsed.year !== undefined) {
    days = firstOfYear(text, parsed.year);
  }
  if (parsed.weekYear !== undefined) {
    days = firstOfWeekYear(text, parsed.weekYear);
  }
  if (parsed.month !== undefined) {
    days = daysOf({ year: civilOf(days).year, month: within(text, parsed.month, { name: "monthOfYear", min: 1, max: 12 }), day: 1 });
  }
  if (parsed.week !== undefined) {
    const { year } = isoWeekOf(days);
    const first = firstOfWeekYear(text, year);
    const max = (firstOfWeekYear(text, year + 1) - first) / 7;
    days = first + 7 * (within(text, parsed.week, { name: "weekOfWeekyear", min: 1, max }) - 1);
  }
  if (parsed.dayOfYear !== undefined) {
    const first = firstOfYear(text, civilOf(days).year);
    const max = firstOfYear(text, civilOf(days).year + 1) - first;
    days = first + within(text, parsed.dayOfYear, { name: "dayOfYear", min: 1, max }) - 1;
  }
  if (parsed.day !== undefined) {
    const { year, month } = civilOf(days);
    days = daysOf({ year, month, day: within(text, parsed.day, { name: "dayOfMonth", min: 1, max: daysInMonth(year, month) }) });
  }
  if (parsed.dayOfWeek !== undefined) {
    days += within(text, parsed.dayOfWeek, { name: "dayOfWeek", min: 1, max: 7 }) - dayOfWeek(days);
  }
  return days;
}

function hourOfFields(parsed: ParsedFields, text: string): number {
  const { hour, clockHour, halfHour, clockHalfHour } = parsed;
  let whole = parsed.afternoon === true ? 12 : 0;
  if (hour !== undefined) {
    whole = within(text, hour, { name: "hourOfDay", min: 0, max: 23 });
  }
  if (clockHour !== undefined) {
    whole = within(text, clockHour, { name: "clockhourOfDay", min: 1, max: 24 }) % 24;
  }
  const half = whole - (whole % 12);
  if (halfHour !== undefined) {
    whole = half + within(text, halfHour, { name: "hourOfHalfday", min: 0, max: 11 });
  }
  if (clockHalfHour !== undefined) {
    whole = half + (within(text, clockHalfHour, { name: "clockhourOfHalfday", min: 1, max: 12 }) % 12);
  }
  return whole;
}

/** Local time, in microseconds. */
export function microsOfFields(parsed: ParsedFields, text: string): bigint {
  const days = daysOfFields(parsed, text);
  const hour = hourOfFields(parsed, text);
  const minute = within(text, parsed.minute, { name: "minuteOfHour", min: 0, max: 59 });
  const second = within(text, parsed.second, { name: "secondOfMinute", min: 0, max: 59 });
  return BigInt(days) * microsPerDay + BigInt(hour * 3600 + minute * 60 + second) * 1_000_000n + BigInt(parsed.micros ?? 0);
}
