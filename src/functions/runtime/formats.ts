/**
 * Text of values, as CAST to varchar and the client protocol show it, and parsers of such text.
 */
import { civilOf, daysInMonth, daysOf } from "../../types/time/calendar.ts";
import { daysOfMicros, microsOfDay, millisPerDay } from "../scalar/datetime/dates.ts";

export { formatDecimal, parseDecimal } from "./decimals.ts";

/** Java's text of a double: `1.0`, `1.0E10`, `1.0E-4`, `4.9E-324`, `NaN`, `Infinity`. */
export function formatDouble(value: number): string {
  const magnitude = Math.abs(value);
  const shortest = String(magnitude);
  // If one digit is enough, Java prints the two nearest digits. This shows only for the smallest subnormal numbers.
  const isSmallest = magnitude > 0 && magnitude < smallestNormal;
  const two = isSmallest ? magnitude.toPrecision(2) : shortest;
  return formatFloating(value, shortest.length < two.length && Number(two) === magnitude ? two : shortest);
}

const smallestNormal = 2 ** -1022;

/** Java's text of a float: the shortest digits that give the same 32 bits, at least two. */
export function formatReal(value: number): string {
  return formatFloating(value, shortestReal(Math.abs(value)));
}

/** The shortest digits that give the same 32 bits, at least two, in JavaScript's number format. */
export function shortestReal(magnitude: number): string {
  for (let digits = 2; digits <= 9; digits++) {
    const text = magnitude.toPrecision(digits);
    if (Math.fround(Number(text)) === magnitude) {
      return String(Number(text));
    }
  }
  return String(magnitude);
}

/** `shortest` is JavaScript's text of the magnitude. */
function formatFloating(value: number, shortest: string): string {
  if (Number.isNaN(value)) {
    return "NaN";
  }
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) {
    return `${sign}Infinity`;
  }
  if (magnitude === 0) {
    return `${sign}0.0`;
  }
  const { digits, exponent } = decimalDigits(shortest);
  if (exponent >= 7 || exponent < -3) {
    return `${sign}${digits[0]}.${digits.slice(1) || "0"}E${exponent}`;
  }
  if (exponent < 0) {
    return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  }
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/** Significant digits, and the power of ten of the first digit. */
function decimalDigits(text: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = "0", power = "0"] = text.split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, "").length;
  return { digits: all.slice(leading).replace(/0+$/, ""), exponent: whole.length - 1 - leading + Number(power) };
}

const floatingText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?$/;
const specialFloating: ReadonlyMap<string, number> = new Map<string, number>([
  ["NaN", Number.NaN],
  ["+NaN", Number.NaN],
  ["-NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["+Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** Java's Double.parseDouble without hexadecimal; undefined if the text is not a number. */
export function parseDouble(text: string): number | undefined {
  const trimmed = trimControl(text);
  const special = specialFloating.get(trimmed);
  if (special !== undefined) {
    return special;
  }
  return floatingText.test(trimmed) ? Number(trimmed.replace(/[dDfF]$/, "")) : undefined;
}

/** Java's String.trim: removes every character up to the space. */
function trimControl(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 32) {
    start++;
  }
  while (end > start && text.charCodeAt(end - 1) <= 32) {
    end--;
  }
  return text.slice(start, end);
}

const integerText = /^[+-]?\d{1,40}$/;

export function parseInteger(text: string): bigint | undefined {
  return integerText.test(text) ? BigInt(text.startsWith("+") ? text.slice(1) : text) : undefined;
}

function twoDigits(value: number | bigint): string {
  return String(value).padStart(2, "0");
}

function formatYear(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, "0");
  return year < 0 ? `-${digits}` : year > 9999 ? `+${digits}` : digits;
}

/** `YYYY-MM-DD`; years beyond 9999 have a plus sign. */
export function formatDate(days: number): string {
  const { year, month, day } = civilOf(days);
  return `${formatYear(year)}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** Joda's text of a date: years beyond 9999 have no plus sign. */
export function formatPlainDate(days: number): string {
  return formatDate(days).replace(/^\+/, "");
}

const dateText = /^([+-]?\d{1,9})-(\d{1,2})-(\d{1,2})$/;

export function parseDate(text: string): number | undefined {
  const match = dateText.exec(trimControl(text));
  return match === null ? undefined : dateOf(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** Days since 1970-01-01; undefined for an invalid date or one beyond 32-bit days (-5877641-06-23 to 5881580-07-11). */
export function dateOf(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    return undefined;
  }
  const days = daysOf({ year, month, day });
  return days >= -(2 ** 31) && days < 2 ** 31 ? days : undefined;
}

/** `YYYY-MM-DD HH:MM:SS[.f]` with `precision` fraction digits. */
export function formatTimestamp(micros: bigint, precision: number): string {
  return `${formatDate(daysOfMicros(micros))} ${formatTimeOfDay(microsOfDay(micros), precision)}`;
}

function formatTimeOfDay(micros: bigint, precision: number): string {
  const seconds = micros / 1_000_000n;
  const fraction = (micros % 1_000_000n).toString().padStart(6, "0").slice(0, precision);
  const time = `${twoDigits(seconds / 3600n)}:${twoDigits((seconds / 60n) % 60n)}:${twoDigits(seconds % 60n)}`;
  return precision === 0 ? time : `${time}.${fraction}`;
}

const timestampText = /^([+-]?\d{4,9})-(\d{1,2})-(\d{1,2})(?: (?:(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,18}))?)?)?)?$/;

export interface ParsedTimestamp {
  readonly micros: bigint;
  /** Picoseconds within the last microsecond. */
  readonly picos: bigint;
  /** Number of fraction digits written; may exceed the largest precision of a type. */
  readonly precision: number;
}

/** Parses a date with an optional time. */
export function parseTimestamp(text: string): ParsedTimestamp | undefined {
  const match = timestampText.exec(trimControl(text));
  if (match === null) {
    return undefined;
  }
  const days = dateOf(Number(match[1]), Number(match[2]), Number(match[3]));
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)];
  const fraction = match[7] ?? "";
  if (days === undefined || hour > 23 || minute > 59 || second > 59) {
    return undefined;
  }
  const seconds = BigInt(days) * 86_400n + BigInt(hour * 3600 + minute * 60 + second);
  const picos = picosOfFraction(fraction);
  return { micros: seconds * 1_000_000n + picos / 1_000_000n, picos: picos % 1_000_000n, precision: fraction.length };
}

/** Picoseconds of the fraction digits of a second; digits after the twelfth round the result. */
export function picosOfFraction(digits: string): bigint {
  return BigInt(digits.slice(0, 12).padEnd(12, "0")) + ((digits[12] ?? "0") < "5" ? 0n : 1n);
}

/** Rounds to `precision` fraction digits, half up (toward the future), as Trino does. */
export function roundTimestamp(micros: bigint, precision: number): bigint {
  const unit = 10n ** BigInt(6 - Math.min(6, precision));
  const shifted = micros + unit / 2n;
  const rest = ((shifted % unit) + unit) % unit;
  return shifted - rest;
}

/** `[-]D HH:MM:SS.mmm` */
export function formatIntervalDayToSecond(millis: bigint): string {
  const magnitude = millis < 0n ? -millis : millis;
  const time = formatTimeOfDay((magnitude % millisPerDay) * 1000n, 3);
  return `${millis < 0n ? "-" : ""}${magnitude / millisPerDay} ${time}`;
}

/** `[-]Y-M` */
export function formatIntervalYearToMonth(months: number): string {
  const magnitude = Math.abs(months);
  return `${months < 0 ? "-" : ""}${Math.floor(magnitude / 12)}-${magnitude % 12}`;
}

const hexDigits = "0123456789abcdef";

export function formatHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    text += `${hexDigits[byte >> 4]}${hexDigits[byte & 15]}`;
  }
  return text;
}

export function parseHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) {
    return undefined;
  }
  return Uint8Array.from({ length: text.length / 2 }, (_, index) => Number.parseInt(text.slice(2 * index, 2 * index + 2), 16));
}
