/**
 * Parses dates and times of text files directly from bytes. Each function returns undefined for text that is none. They run for every cell.
 */
import { type ZoneKey, utcKey, zoneKeyOfOffset } from "../../../types/time/zones.ts";

const zero = 0x30;
const dash = 0x2d;
const plus = 0x2b;
const dot = 0x2e;
const slash = 0x2f;
const colon = 0x3a;
const space = 0x20;
const upperT = 0x54;
const upperZ = 0x5a;
const powersOfTen: readonly number[] = Object.freeze([1, 10, 100, 1000, 10_000, 100_000, 1_000_000]);
const fractionDigitsMax = 6;
const offsetMinutesMax = 14 * 60;

function number(bytes: Uint8Array, start: number, digits: number): number {
  let value = 0;
  for (let at = start; at < start + digits; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) {
      return -1;
    }
    value = value * 10 + byte - zero;
  }
  return value;
}

const daysBeforeMonth: readonly number[] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const monthDays: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Days from 0000-01-01 to 1970-01-01. */
const daysBeforeEpoch = 719528;

/** `YYYY-MM-DD` as days since 1970-01-01. */
export function parseDate(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start !== 10 || bytes[start + 4] !== dash || bytes[start + 7] !== dash) {
    return undefined;
  }
  return daysOf(number(bytes, start, 4), number(bytes, start + 5, 2), number(bytes, start + 8, 2));
}

function daysOf(year: number, month: number, day: number): number | undefined {
  if (year < 0 || month < 1 || month > 12 || day < 1) {
    return undefined;
  }
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (day > (monthDays[month - 1] as number) + (leap && month === 2 ? 1 : 0)) {
    return undefined;
  }
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) + 1;
  return year * 365 + leapDays + (daysBeforeMonth[month - 1] as number) + (leap && month > 2 ? 1 : 0) + day - 1 - daysBeforeEpoch;
}

export interface ParsedTimestamp {
  readonly seconds: number;
  readonly micros: number;
  /** Number of fractional digits of the second in the text. */
  readonly precision: number;
}

/** A date, a space or T, `HH:MM`, and optionally `:SS` with up to six fractional digits. */
export function parseTimestamp(bytes: Uint8Array, start: number, end: number): ParsedTimestamp | undefined {
  const length = end - start;
  const separator = bytes[start + 10];
  if (length < 16 || length > 26 || (separator !== space && separator !== upperT) || bytes[start + 13] !== colon) {
    return undefined;
  }
  const days = parseDate(bytes, start, start + 10);
  const hour = number(bytes, start + 11, 2);
  const minute = number(bytes, start + 14, 2);
  let second = 0;
  let micros = 0;
  let precision = 0;
  if (length > 16) {
    if (length < 19 || bytes[start + 16] !== colon) {
      return undefined;
    }
    second = number(bytes, start + 17, 2);
  }
  if (length > 19) {
    precision = length - 20;
    micros =
      precision < 1 || bytes[start + 19] !== dot ? -1 : number(bytes, start + 20, precision) * (powersOfTen[6 - precision] as number);
  }
  if (days === undefined || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || micros < 0) {
    return undefined;
  }
  return { seconds: days * 86400 + hour * 3600 + minute * 60 + second, micros, precision };
}

export interface ParsedZoned extends ParsedTimestamp {
  readonly zone: ZoneKey;
}

/** A timestamp in UTC and its zone: `Z`, `+HH`, `+HHMM` or `+HH:MM` after a timestamp, with a space before or not. */
export function parseZoned(bytes: Uint8Array, start: number, end: number): ParsedZoned | undefined {
  if (end - start < 17) {
    return undefined;
  }
  if (bytes[end - 1] === upperZ) {
    const found = parseTimestamp(bytes, start, trimmed(bytes, start, end - 1));
    return found && { ...found, zone: utcKey };
  }
  // The sign is after the hour and the minute.
  let sign = end - 3;
  while (sign > end - 7 && bytes[sign] !== plus && bytes[sign] !== dash) {
    sign--;
  }
  const minutes = offsetMinutes(bytes, sign, end);
  const found = minutes === undefined || sign < start + 16 ? undefined : parseTimestamp(bytes, start, trimmed(bytes, start, sign));
  if (minutes === undefined || found === undefined) {
    return undefined;
  }
  const zone = minutes === 0 ? utcKey : zoneKeyOfOffset(minutes);
  return zone === undefined ? undefined : { ...found, seconds: found.seconds - minutes * 60, zone };
}

function trimmed(bytes: Uint8Array, start: number, end: number): number {
  return end > start && bytes[end - 1] === space ? end - 1 : end;
}

function offsetMinutes(bytes: Uint8Array, sign: number, end: number): number | undefined {
  if (bytes[sign] !== plus && bytes[sign] !== dash) {
    return undefined;
  }
  const length = end - sign;
  const hours = number(bytes, sign + 1, 2);
  const minutes =
    length === 3
      ? 0
      : length === 5
        ? number(bytes, sign + 3, 2)
        : length === 6 && bytes[sign + 3] === colon
          ? number(bytes, sign + 4, 2)
          : -1;
  const total = hours * 60 + minutes;
  return hours < 0 || minutes < 0 || minutes > 59 || total > offsetMinutesMax ? undefined : bytes[sign] === dash ? -total : total;
}

/** `HH:MM:SS` with up to six fractional digits. `seconds` are those of the day. */
export function parseTime(bytes: Uint8Array, start: number, end: number): ParsedTimestamp | undefined {
  return end - start < 8 || bytes[start + 2] !== colon || bytes[start + 5] !== colon ? undefined : clockOf(bytes, start, end);
}

export type DateOrder = "dmy" | "mdy" | "ymd";
/** Day first, month first, year first. */
export const dateOrders: readonly DateOrder[] = Object.freeze(["dmy", "mdy", "ymd"]);

export interface ParsedOrdered extends ParsedTimestamp {
  readonly hasTime: boolean;
}

/**
 * A date of three numbers in an order, with `/`, `.` or `-` between them; the year has four digits, day and month one or two. A time may
 * follow: one or two digits of the hour, minutes, seconds with up to six fractional digits, AM or PM.
 */
export function parseOrdered(bytes: Uint8Array, start: number, end: number, order: DateOrder): ParsedOrdered | undefined {
  const first = digitsAt(bytes, start, end);
  const separator = bytes[start + first];
  if (first === 0 || (separator !== slash && separator !== dot && separator !== dash)) {
    return undefined;
  }
  const secondAt = start + first + 1;
  const second = digitsAt(bytes, secondAt, end);
  const thirdAt = secondAt + second + 1;
  if (second === 0 || second > 2 || thirdAt >= end || bytes[thirdAt - 1] !== separator) {
    return undefined;
  }
  const third = digitsAt(bytes, thirdAt, end);
  const [yearDigits, otherDigits] = order === "ymd" ? [first, third] : [third, first];
  if (yearDigits !== 4 || otherDigits < 1 || otherDigits > 2) {
    return undefined;
  }
  const [a, b, c] = [number(bytes, start, first), number(bytes, secondAt, second), number(bytes, thirdAt, third)];
  const days = order === "ymd" ? daysOf(a, b, c) : order === "dmy" ? daysOf(c, b, a) : daysOf(c, a, b);
  const behind = thirdAt + third;
  if (days === undefined) {
    return undefined;
  }
  if (behind === end) {
    return { seconds: days * 86400, micros: 0, precision: 0, hasTime: false };
  }
  const clock = bytes[behind] === space || bytes[behind] === upperT ? clockOf(bytes, behind + 1, end) : undefined;
  return clock && { seconds: days * 86400 + clock.seconds, micros: clock.micros, precision: clock.precision, hasTime: true };
}

function digitsAt(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] as number) >= zero && (bytes[at] as number) <= zero + 9) {
    at++;
  }
  return at - start;
}

function clockOf(bytes: Uint8Array, start: number, end: number): ParsedTimestamp | undefined {
  const hourDigits = digitsAt(bytes, start, end);
  const minuteAt = start + hourDigits + 1;
  let hour = hourDigits < 1 || hourDigits > 2 || bytes[minuteAt - 1] !== colon ? -1 : number(bytes, start, hourDigits);
  const minute = digitsAt(bytes, minuteAt, end) === 2 ? number(bytes, minuteAt, 2) : -1;
  let at = minuteAt + 2;
  let second = 0;
  let micros = 0;
  let precision = 0;
  if (at < end && bytes[at] === colon) {
    second = digitsAt(bytes, at + 1, end) === 2 ? number(bytes, at + 1, 2) : -1;
    at += 3;
    if (at < end && bytes[at] === dot) {
      precision = digitsAt(bytes, at + 1, end);
      micros =
        precision < 1 || precision > fractionDigitsMax ? -1 : number(bytes, at + 1, precision) * (powersOfTen[6 - precision] as number);
      at += 1 + precision;
    }
  }
  if (at < end) {
    const half = halfOfDay(bytes, at, end);
    if (half === undefined || hour < 1 || hour > 12) {
      return undefined;
    }
    hour = (hour % 12) + half;
  }
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || micros < 0) {
    return undefined;
  }
  return { seconds: hour * 3600 + minute * 60 + second, micros, precision };
}

/** Hours to add for AM or PM, with a space before or not; undefined for other text. */
function halfOfDay(bytes: Uint8Array, start: number, end: number): number | undefined {
  const at = bytes[start] === space ? start + 1 : start;
  if (end - at !== 2 || ((bytes[at + 1] as number) | 0x20) !== 0x6d) {
    return undefined;
  }
  const letter = (bytes[at] as number) | 0x20;
  return letter === 0x61 ? 0 : letter === 0x70 ? 12 : undefined;
}
