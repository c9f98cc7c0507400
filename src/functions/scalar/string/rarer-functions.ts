/**
 * Less common string functions: Unicode normalization, check digits, n-th occurrence, data sizes and durations.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { decimalType, INTERVAL_DAY_TO_SECOND, VARCHAR } from "../../../types/type.ts";
import type { ScalarDefinition } from "../../registry/definition.ts";
import { formatDouble } from "../../runtime/formats.ts";
import { isHighSurrogate, isLowSurrogate } from "../../../types/utf8.ts";
import { requireValueBytes } from "../../../types/value-size.ts";
import { invalid } from "./implementations.ts";
import { occurrencesInSteps, shortPartMax } from "./occurrences.ts";
import { eachPiece, mapTextInSteps, unitsAtOnce } from "../../runtime/large/texts.ts";
import type { InSteps } from "../../runtime/steps.ts";

/**
 * Before such a character a text may be cut: normalization neither joins it with what is before nor moves it there. The others are marks,
 * vowels and final consonants of Hangul, and what is made of these.
 */
const separable = /[^\p{M}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7ff\uff9e-\uffdc\u{16d60}-\u{16d6f}]/u;
/** Characters that cannot be separated. Those of text are few; the platform takes quadratic time to order many. */
const inseparableMax = 4_096;

function* normalize(text: string, given: string): InSteps<string> {
  const form = given.toUpperCase();
  if (form !== "NFC" && form !== "NFD" && form !== "NFKC" && form !== "NFKD") {
    return invalid("Normalization form must be one of [NFD, NFC, NFKD, NFKC]");
  }
  const parts: string[] = [];
  let units = 0;
  for (let from = 0; from < text.length; ) {
    let end = from;
    let inseparable = 0;
    let cut = text.length;
    // The last place of the piece where it may be cut, or the first one behind.
    for (let seen = 0; end < text.length; seen++) {
      const point = String.fromCodePoint(text.codePointAt(end) as number);
      if (end > from && separable.test(point)) {
        cut = end;
        inseparable = 0;
        if (seen >= normalizedAtOnce) {
          break;
        }
      } else if (++inseparable > inseparableMax) {
        return invalid(`Text has more than ${inseparableMax} combining characters in a row`);
      }
      end += point.length;
    }
    if (end >= text.length) {
      cut = text.length;
    }
    const part = text.slice(from, cut).normalize(form);
    units += part.length;
    requireValueBytes(units);
    parts.push(part);
    if (cut < text.length) {
      yield normalizedAtOnce / normalizedPerStep;
    }
    from = cut;
  }
  return parts.length === 1 ? (parts[0] as string) : parts.join("");
}

/** Code points of a piece, and those that are normalized in the time of a step. */
const normalizedAtOnce = 8_192;
const normalizedPerStep = 8;

/** Luhn's formula: every second digit from the right is doubled, and the sum must end in zero. */
function* luhnCheck(digits: string): InSteps<boolean> {
  if (digits === "") {
    return false;
  }
  let [sum, at] = [0, 0];
  yield* eachPiece(digits, (piece) => {
    if (!/^\d+$/.test(piece)) {
      invalid("Input string contains a character that is not a digit");
    }
    for (let index = 0; index < piece.length; index++, at++) {
      const digit = (piece.charCodeAt(index) - 0x30) * ((digits.length - 1 - at) % 2 === 0 ? 1 : 2);
      sum += digit > 9 ? digit - 9 : digit;
    }
  });
  return sum % 10 === 0;
}

/** Code units that are looked at one by one in the time of a step. */
const unitsPerStep = 64;

/** Code points before a position. */
function* codePointsBefore(text: string, end: number): InSteps<number> {
  let pairs = 0;
  for (let from = 0; from < end; from += unitsAtOnce) {
    if (from > 0) {
      yield unitsAtOnce / unitsPerStep;
    }
    pairs += pairsWithin(text, from, Math.min(end, from + unitsAtOnce));
  }
  return end - pairs;
}

/** Surrogate pairs whose second unit is in the range. */
function pairsWithin(text: string, from: number, end: number): number {
  let pairs = 0;
  for (let index = Math.max(from, 1); index < end; index++) {
    if (isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1))) {
      pairs++;
    }
  }
  return pairs;
}

/** Occurrences between two yields, and those that take as long as a step. */
const foundAtOnce = 65_536;
const foundPerStep = 16;

/** Occurrences may overlap; a negative instance counts from the end. */
export function* nthPosition(text: string, part: string, instance: bigint): InSteps<bigint> {
  if (instance === 0n) {
    return invalid("'instance' must be a positive or negative number.");
  }
  if (part === "") {
    return 1n;
  }
  if (text.length <= unitsAtOnce && part.length <= shortPartMax) {
    const at = nthShort(text, part, instance);
    return at < 0 ? 0n : BigInt(at - pairsWithin(text, 0, at) + 1);
  }
  let left = instance > 0n ? instance : -instance;
  let found = 0;
  for (const at of occurrencesInSteps(text, part, instance < 0n)) {
    if (typeof at === "object") {
      yield at.steps;
      continue;
    }
    left--;
    if (++found % foundAtOnce === 0) {
      yield foundAtOnce / foundPerStep;
    }
    if (left === 0n) {
      return BigInt((yield* codePointsBefore(text, at)) + 1);
    }
  }
  return 0n;
}

/** The code unit at which the occurrence begins, or -1, in a text that is searched at once. */
function nthShort(text: string, part: string, instance: bigint): number {
  const backwards = instance < 0n;
  let left = Number(backwards ? -instance : instance);
  let at = backwards ? text.lastIndexOf(part) : text.indexOf(part);
  while (at >= 0 && --left > 0) {
    if (!backwards) {
      at = text.indexOf(part, at + 1);
    } else {
      at = at === 0 ? -1 : text.lastIndexOf(part, at - 1);
    }
  }
  return at;
}

const decimalDigitsMax = 38;
/** Maximum number of digits of a data size; longer ones are out of range without being computed. */
const sizeDigitsMax = 1000;
const sizeUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];

/** Bytes, truncated to an integer. */
function dataSize(text: string): bigint {
  const bad = (): never => invalid(`Invalid data size: '${text}'`);
  const [, whole, written = "", unit] = /^(\d*)(?:\.(\d*))?([a-zA-Z]+)$/.exec(text) ?? bad();
  const power = sizeUnits.indexOf(unit as string);
  if (power < 0 || `${whole}${written}` === "") {
    return bad();
  }
  // Reads only as many digits as needed to see that the size is out of range, or that a fraction is below one byte.
  const digits = (whole as string).replace(/^0+/, "");
  const fraction = written.slice(0, sizeDigitsMax);
  const isLarge = digits.length > sizeDigitsMax;
  const bytes = isLarge ? 0n : (BigInt(digits + fraction) * 1024n ** BigInt(power)) / 10n ** BigInt(fraction.length);
  if (isLarge || bytes >= 10n ** BigInt(decimalDigitsMax)) {
    const shown = isLarge ? "" : ` ('${bytes}B')`;
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `Value out of range: '${text}'${shown}`);
  }
  return bytes;
}

function utf16Digits(text: string): InSteps<string> {
  requireValueBytes(text.length * 4);
  return mapTextInSteps(text, (piece) => {
    const digits: string[] = [];
    for (let unit = 0; unit < piece.length; unit++) {
      digits.push(piece.charCodeAt(unit).toString(16).toUpperCase().padStart(4, "0"));
    }
    return digits.join("");
  });
}

const numberUnits = ["", "K", "M", "B", "T", "Q"];
const bigintBound = 2 ** 63;

/** Fractions are cut off; NaN is 0, and what no bigint holds is the nearest one. */
function wholeNumber(value: number): number {
  return Number.isNaN(value) ? 0 : Math.trunc(Math.max(-bigintBound, Math.min(bigintBound, value))) + 0;
}

/** Rounded half up: to two digits below 10, to one below 100. A negative number always has two. */
function numberWithUnit(count: number): string {
  let rest = count;
  let unit = 0;
  for (; Math.abs(rest) >= 1000 && unit < numberUnits.length - 1; unit++) {
    rest /= 1000;
  }
  const text = rest.toFixed(rest < 10 ? 2 : rest < 100 ? 1 : 0);
  return `${text.replace(/\.?0+$/, (zeros) => (text.includes(".") ? "" : zeros))}${numberUnits[unit]}`;
}

const nanosOfUnit: ReadonlyMap<string, bigint> = new Map<string, bigint>([
  ["ns", 1n],
  ["us", 1000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
  ["d", 86_400_000_000_000n],
]);

/** Milliseconds, rounded half up. */
function duration(text: string): bigint {
  const match =
    /^\s*(\d{1,18})(?:\.(\d{1,18}))?\s*([a-zA-Z]+)\s*$/.exec(text) ?? invalid(`duration is not a valid data duration string: ${text}`);
  const unit = nanosOfUnit.get(match[3] as string) ?? invalid(`Unknown time unit: ${match[3]}`);
  const fraction = match[2] ?? "";
  const divisor = 1_000_000n * 10n ** BigInt(fraction.length);
  const millis = (BigInt((match[1] as string) + fraction) * unit * 2n + divisor) / (2n * divisor);
  return BigInt.asIntN(64, millis) === millis ? millis : invalid(`duration is too large: ${text}`);
}

const secondsOfUnit: readonly (readonly [name: string, seconds: number])[] = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

function readableSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) {
    return invalid(`Invalid argument found: ${formatDouble(seconds)}`);
  }
  let rest = Math.round(Math.abs(seconds));
  const texts: string[] = [];
  for (const [name, size] of secondsOfUnit) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) {
      texts.push(`${count} ${name}${count === 1 ? "" : "s"}`);
    }
  }
  return texts.length === 0 ? "0 seconds" : texts.join(", ");
}

export const textDefinitions: readonly ScalarDefinition[] = [
  {
    name: "normalize",
    args: ["varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "String in Unicode normalization form NFC",
    steps: ([text]) => normalize(text as string, "NFC"),
    example: { sql: "length(normalize('e\u0301'))", result: "1" },
  },
  {
    name: "normalize",
    args: ["varchar", "varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "String in a Unicode normalization form: NFC, NFD, NFKC or NFKD",
    steps: ([text, form]) => normalize(text as string, form as string),
    example: { sql: "length(normalize('\u00e9', NFD))", result: "2" },
  },
  {
    name: "luhn_check",
    args: ["varchar"],
    returns: "boolean",
    description: "Whether the digits pass the Luhn check",
    steps: ([digits]) => luhnCheck(digits as string),
    example: { sql: "luhn_check('79927398713')", result: "true" },
  },
  {
    name: "strpos",
    args: ["varchar", "varchar", "bigint"],
    returns: "bigint",
    description: "Position of the nth occurrence of the substring, from the end if negative, or 0",
    *steps([text, part, instance]) {
      return yield* nthPosition(text as string, part as string, instance as bigint);
    },
    example: { sql: "strpos('abcabc', 'b', 2)", result: "5" },
  },
  {
    name: "parse_presto_data_size",
    args: ["varchar"],
    returns: "decimal(38,0)",
    returnType: () => decimalType(38, 0),
    description: "Number of bytes of a data size such as 2.3MB",
    host: ([text]) => dataSize(text as string),
    example: { sql: "parse_presto_data_size('2.3MB')", result: "2411724" },
  },
  {
    name: "parse_data_size",
    args: ["varchar"],
    returns: "decimal(38,0)",
    returnType: () => decimalType(38, 0),
    description: "Number of bytes of a data size such as 2.3MB",
    host: ([text]) => dataSize(text as string),
    example: { sql: "parse_data_size('1kB')", result: "1024" },
  },
  {
    name: "char2hexint",
    args: ["varchar"],
    returns: "varchar",
    description: "Text in UTF-16 as hexadecimal digits, as in Teradata",
    *steps([text]) {
      return yield* utf16Digits(text as string);
    },
    example: { sql: "char2hexint('A')", result: "0041" },
  },
  {
    name: "format_number",
    args: ["bigint"],
    returns: "varchar",
    description: "Number in about three digits, with the symbol of its unit",
    host: ([value]) => numberWithUnit(Number(value)),
    example: { sql: "format_number(123456)", result: "123K" },
  },
  {
    name: "format_number",
    args: ["double"],
    returns: "varchar",
    description: "Number in about three digits, with the symbol of its unit",
    host: ([value]) => numberWithUnit(wholeNumber(value as number)),
    example: { sql: "format_number(1234e3)", result: "1.23M" },
  },
  {
    name: "parse_duration",
    args: ["varchar"],
    returns: "interval day to second",
    returnType: () => INTERVAL_DAY_TO_SECOND,
    description: "Interval parsed from a duration such as 42.8ms",
    host: ([text]) => duration(text as string),
    example: { sql: "parse_duration('1.5h')", result: "0 01:30:00.000" },
  },
  {
    name: "to_milliseconds",
    args: ["interval day to second"],
    returns: "bigint",
    description: "Interval in milliseconds",
    total: true,
    emit: (_context, [interval], type) => ({ ...(interval as NonNullable<typeof interval>), type }),
    example: { sql: "to_milliseconds(parse_duration('3.81 s'))", result: "3810" },
  },
  {
    name: "human_readable_seconds",
    args: ["double"],
    returns: "varchar",
    description: "Number of seconds in words",
    host: ([seconds]) => readableSeconds(seconds as number),
    example: { sql: "human_readable_seconds(56363463)", result: "93 weeks, 1 day, 8 hours, 31 minutes, 3 seconds" },
  },
];
