/**
 * Parses values of text files directly from bytes: integers, floating point numbers, booleans. Each function returns
 * undefined (or -1) for text that is not such a value. They run for every cell.
 */

const zero = 0x30;
const dash = 0x2d;
const dot = 0x2e;
/** Doubles hold integers of this number of digits exactly. */
const exactDigits = 15;
/** Of a decimal as it is written, with zeros in front. */
const decimalDigitsMax = 100;
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

/** Digits of the longest bigint. */
const bigintDigitsMax = 19;
const beyondBigint = 10n ** BigInt(bigintDigitsMax);

/**
 * A number if it is exact, otherwise a bigint. An integer that is too long for the type bigint is some bigint beyond its range: reading
 * the value of millions of digits takes seconds.
 */
export function parseInteger(bytes: Uint8Array, start: number, end: number): number | bigint | undefined {
  const digits = integerDigits(bytes, start, end);
  if (digits < 0) {
    return undefined;
  }
  if (digits > bigintDigitsMax) {
    return bytes[start] === dash ? -beyondBigint : beyondBigint;
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

/** The unscaled value of a decimal type; undefined if the text has more digits than the type. */
export function parseDecimal(
  bytes: Uint8Array,
  start: number,
  end: number,
  { precision, scale }: { readonly precision: number; readonly scale: number },
): bigint | undefined {
  let at = bytes[start] === dash ? start + 1 : start;
  let digits = "";
  let fraction = -1;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === dot && fraction < 0) {
      fraction = 0;
    } else if (byte >= zero && byte <= zero + 9) {
      digits += String.fromCharCode(byte);
      fraction += fraction < 0 ? 0 : 1;
    } else {
      return undefined;
    }
  }
  const missing = scale - Math.max(0, fraction);
  if (digits === "" || missing < 0 || digits.length > decimalDigitsMax) {
    return undefined;
  }
  const value = BigInt(digits) * 10n ** BigInt(missing);
  return value >= 10n ** BigInt(precision) ? undefined : bytes[start] === dash ? -value : value;
}
