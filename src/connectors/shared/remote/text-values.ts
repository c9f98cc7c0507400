/**
 * Values in the text forms that databases share: numbers, dates and times as ISO 8601 writes them, UUIDs, JSON. The functions return
 * undefined for a text that is no value of the type.
 */
import { daysInMonth, daysOf } from "../../../types/time/calendar.ts";

const safeDigits = 15;
const minus = 45;
const zero = 48;
/** Of `-9223372036854775808`. */
const int64Characters = 20;
const microsPerSecond = 1_000_000;
const secondsPerDay = 86_400;
const microsDigits = 6;
const uuidBytes = 16;
const picosDigits = 12;

export type Rounding = "UNNECESSARY" | "UP" | "DOWN" | "CEILING" | "FLOOR" | "HALF_UP" | "HALF_DOWN" | "HALF_EVEN";

/** Decimal digits with an optional sign; a number if it is safe. undefined for other texts and beyond 64 bits. */
export function integerOf(text: string): number | bigint | undefined {
  const { length } = text;
  const start = text.charCodeAt(0) === minus ? 1 : 0;
  if (length > safeDigits) {
    const value = length <= int64Characters && /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined;
  }
  let value = 0;
  for (let at = start; at < length; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) {
      return undefined;
    }
    value = value * 10 + digit;
  }
  return length === start ? undefined : start === 0 ? value : 0 - value;
}

/** An integer of so many bits, at most 32; undefined if the text is none. */
export function smallIntegerOf(text: string, bits: number): number | undefined {
  const value = integerOf(text);
  const limit = 2 ** (bits - 1);
  return typeof value === "number" && value >= -limit && value < limit ? value : undefined;
}

/** undefined for a text that is no number, and not `NaN` either. */
export function doubleOf(text: string): number | undefined {
  const value = Number(text);
  return (Number.isNaN(value) && text !== "NaN") || text === "" ? undefined : value;
}

/** A UUID as plans write it, 32 hexadecimal digits, with its hyphens; undefined for any other value. */
export function uuidText(value: unknown): string | undefined {
  const [, ...groups] = (typeof value === "string" && /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/.exec(value)) || [];
  return groups.length === 0 ? undefined : groups.join("-");
}

/** Microseconds of a moment with a zone; undefined if it is between two of them. */
export function zonedMicros(type: { readonly precision: number }, value: unknown): bigint | undefined {
  return type.precision <= microsDigits ? BigInt(value as bigint) >> 64n : undefined;
}

/** The unscaled value. Digits beyond the scale are rounded; undefined if that is UNNECESSARY, or for NaN, infinity and too many digits. */
export function decimalOf(
  text: string,
  { precision, scale, rounding }: { readonly precision: number; readonly scale: number; readonly rounding: Rounding },
): number | bigint | undefined {
  const point = text.indexOf(".");
  const fraction = point < 0 ? 0 : text.length - point - 1;
  const digitCount = text.length - Number(point >= 0) - Number(text.startsWith("-"));
  if (fraction === scale && digitCount <= Math.min(safeDigits, precision)) {
    const value = Number(point < 0 ? text : text.slice(0, point) + text.slice(point + 1));
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, sign, whole = "", digits = ""] = match;
  const kept = BigInt(whole + digits.slice(0, scale).padEnd(scale, "0"));
  const rounded = roundedOf(kept, { dropped: digits.slice(scale), isNegative: sign === "-", rounding });
  if (rounded === undefined || rounded >= 10n ** BigInt(precision)) {
    return undefined;
  }
  return sign === "-" ? -rounded : rounded;
}

/** The magnitude after the dropped digits. */
function roundedOf(
  kept: bigint,
  { dropped, isNegative, rounding }: { readonly dropped: string; readonly isNegative: boolean; readonly rounding: Rounding },
): bigint | undefined {
  if (!/[1-9]/.test(dropped)) {
    return kept;
  }
  const rest = dropped.replace(/0+$/, "");
  const half = rest === "5" ? 0 : rest < "5" ? -1 : 1;
  const grows: Readonly<Record<Exclude<Rounding, "UNNECESSARY">, boolean>> = {
    UP: true,
    DOWN: false,
    CEILING: !isNegative,
    FLOOR: isNegative,
    HALF_UP: half >= 0,
    HALF_DOWN: half > 0,
    HALF_EVEN: half > 0 || (half === 0 && kept % 2n === 1n),
  };
  return rounding === "UNNECESSARY" ? undefined : grows[rounding] ? kept + 1n : kept;
}

/** Days since 1970-01-01 of `YYYY-MM-DD`; a year has at least four digits, and years before the first end in ` BC`. */
export function dateOf(text: string): number | undefined {
  const match = /^(\d{4,7})-(\d\d)-(\d\d)( BC)?$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const astronomical = match[4] === undefined ? year : 1 - year;
  return month < 1 || month > 12 || day < 1 || day > daysInMonth(astronomical, month)
    ? undefined
    : daysOf({ year: astronomical, month, day });
}

interface ClockTime {
  readonly seconds: number;
  /** Digits of the fraction. */
  readonly fraction: string;
}

function clockTimeOf(text: string): ClockTime | undefined {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const seconds = Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
  return seconds >= secondsPerDay ? undefined : { seconds, fraction: match[4] ?? "" };
}

/** Picoseconds since midnight. */
export function timeOf(text: string): bigint | undefined {
  const time = clockTimeOf(text);
  return time === undefined ? undefined : BigInt(time.seconds) * 10n ** 12n + BigInt(time.fraction.padEnd(picosDigits, "0"));
}

/** Microseconds since 1970-01-01 00:00:00 of `YYYY-MM-DD HH:MM:SS.ffffff`. */
export function timestampOf(text: string): number | bigint | undefined {
  const isBefore = text.endsWith(" BC");
  const space = text.indexOf(" ");
  const days = space < 0 ? undefined : dateOf(isBefore ? `${text.slice(0, space)} BC` : text.slice(0, space));
  const time = days === undefined ? undefined : clockTimeOf(text.slice(space + 1, isBefore ? -3 : undefined));
  if (days === undefined || time === undefined || time.fraction.length > microsDigits) {
    return undefined;
  }
  const seconds = days * secondsPerDay + time.seconds;
  const micros = Number(time.fraction.padEnd(microsDigits, "0"));
  const value = seconds * microsPerSecond + micros;
  if (Number.isSafeInteger(value)) {
    return value;
  }
  const exact = BigInt(seconds) * BigInt(microsPerSecond) + BigInt(micros);
  return BigInt.asIntN(64, exact) === exact ? exact : undefined;
}

/** Microseconds of an instant that ends in `+00`. */
export function instantOf(text: string): bigint | undefined {
  const match = /^(.*)\+00( BC)?$/.exec(text);
  const micros = match === null ? undefined : timestampOf(`${match[1]}${match[2] ?? ""}`);
  return micros === undefined ? undefined : BigInt(micros);
}

/** The 16 bytes of a UUID. */
export function uuidBytesOf(text: string): Uint8Array | undefined {
  const bytes = hexBytesOf(text);
  return bytes?.length === uuidBytes ? bytes : undefined;
}

/** The bytes of hexadecimal digits from `start` on; hyphens are passed over. */
export function hexBytesOf(text: string, start = 0): Uint8Array | undefined {
  const digits = text.slice(start).replaceAll("-", "");
  if (digits.length % 2 === 1 || /[^0-9a-fA-F]/.test(digits)) {
    return undefined;
  }
  const bytes = new Uint8Array(digits.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}
