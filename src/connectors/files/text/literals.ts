/**
 * Parses values of text files directly from bytes: integers, floating point numbers, booleans, dates, timestamps. Each function returns
 * undefined (or -1) for text that is not such a value. They run for every cell.
 */

const zero = 0x30;
const dash = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const space = 0x20;
const upperT = 0x54;
/** Doubles hold integers of this number of digits exactly. */
const exactDigits = 15;
const powersOfTen: readonly number[] = Object.freeze(Array.from({ length: 23 }, (_, exponent) => 10 ** exponent));
const bigintMax = 2n ** 63n - 1n;
const bigintMin = -(2n ** 63n);

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) {
    text += String.fromCharCode(bytes[at] as number);
  }
  return text;
}

/** Number of digits of `-?(0|[1-9][0-9]*)` except -0, so that the number preserves the text; -1 if it does not match. */
function integerDigits(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === dash;
  const first = negative ? start + 1 : start;
  if (first >= end || (bytes[first] === zero && (end - first > 1 || negative))) {
    return -1;
  }
  for (let at = first; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) {
      return -1;
    }
  }
  return end - first;
}

/** A number if it is exact, otherwise a bigint of any size. */
export function parseInteger(bytes: Uint8Array, start: number, end: number): number | bigint | undefined {
  const digits = integerDigits(bytes, start, end);
  if (digits < 0) {
    return undefined;
  }
  if (digits > exactDigits) {
    return BigInt(ascii(bytes, start, end));
  }
  let value = 0;
  for (let at = end - digits; at < end; at++) {
    value = value * 10 + (bytes[at] as number) - zero;
  }
  return bytes[start] === dash ? -value : value;
}

export function fitsBigint(value: number | bigint): boolean {
  return typeof value === "number" || (value >= bigintMin && value <= bigintMax);
}

/** Decimal notation with or without exponent, NaN, Infinity. The result is the nearest double, correctly rounded. */
export function parseDouble(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  const negative = bytes[at] === dash;
  if (negative) {
    at++;
  }
  let digits = 0;
  let mantissa = 0;
  let scale = 0;
  for (; at < end && isDigit(bytes[at]); at++) {
    mantissa = mantissa * 10 + (bytes[at] as number) - zero;
    digits++;
  }
  if (digits === 0 && !(bytes[at] === dot && isDigit(bytes[at + 1]) && at + 1 < end)) {
    return namedDouble(bytes, start, end);
  }
  if (digits > 1 && bytes[at - digits] === zero) {
    return undefined;
  }
  if (at < end && bytes[at] === dot) {
    at++;
    const first = at;
    for (; at < end && isDigit(bytes[at]); at++) {
      mantissa = mantissa * 10 + (bytes[at] as number) - zero;
      digits++;
    }
    scale = at - first;
  }
  if (at < end) {
    return exponentDouble(bytes, { start, at, end });
  }
  if (digits <= exactDigits && scale < powersOfTen.length) {
    const value = mantissa / (powersOfTen[scale] as number);
    return negative ? -value : value;
  }
  return Number(ascii(bytes, start, end));
}

function exponentDouble(bytes: Uint8Array, { start, at, end }: { start: number; at: number; end: number }): number | undefined {
  if (((bytes[at] as number) | 0x20) !== 0x65) {
    return undefined;
  }
  let digit = at + 1;
  if (bytes[digit] === dash || bytes[digit] === 0x2b) {
    digit++;
  }
  if (digit >= end) {
    return undefined;
  }
  for (let index = digit; index < end; index++) {
    if (!isDigit(bytes[index])) {
      return undefined;
    }
  }
  return Number(ascii(bytes, start, end));
}

function namedDouble(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start > 9) {
    return undefined;
  }
  switch (ascii(bytes, start, end)) {
    case "NaN":
      return Number.NaN;
    case "Infinity":
      return Number.POSITIVE_INFINITY;
    case "-Infinity":
      return Number.NEGATIVE_INFINITY;
    default:
      return undefined;
  }
}

/** Ignores case. */
export function parseBoolean(bytes: Uint8Array, start: number, end: number): boolean | undefined {
  const length = end - start;
  if (length !== 4 && length !== 5) {
    return undefined;
  }
  const word = length === 4 ? "true" : "false";
  for (let index = 0; index < length; index++) {
    if (((bytes[start + index] as number) | 0x20) !== word.charCodeAt(index)) {
      return undefined;
    }
  }
  return length === 4;
}

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
  const year = number(bytes, start, 4);
  const month = number(bytes, start + 5, 2);
  const day = number(bytes, start + 8, 2);
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
