/**
 * MySQL's date patterns: date_format and date_parse.
 */
import { QueryError } from "../protocol/errors.ts";
import { civilOf } from "../types/calendar.ts";
import { codePoints } from "../types/utf8.ts";
import { dayOfWeek, dayOfYear, daysOfMicros, isoWeekOf, microsOfDay, microsPerDay } from "./dates.ts";
import { dateOf } from "./formats.ts";

export const monthNames: readonly string[] = [
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
];
export const dayNames: readonly string[] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const unsupported = new Set("DUuVwX");

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function unsupportedSpecifier(letter: string): never {
  throw new QueryError("INVALID_FUNCTION_ARGUMENT", `%${letter} not supported in date format string`);
}

/** The letters of a pattern with what stands between them. */
function* tokens(pattern: string): Generator<{ readonly letter?: string; readonly text?: string }> {
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

interface Parsed {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  micros: bigint;
  afternoon: boolean | undefined;
}

type FieldReader = readonly [pattern: RegExp, set: (parsed: Parsed, text: string) => void];

const clock: FieldReader = [
  /^\d{1,2}:\d{1,2}:\d{1,2}/,
  (parsed, text) => {
    const [hour = 0, minute = 0, second = 0] = text.split(":").map(Number);
    Object.assign(parsed, { hour, minute, second });
  },
];

function number(digitsMax: number, set: (parsed: Parsed, value: number) => void): FieldReader {
  return [new RegExp(`^\\d{1,${digitsMax}}`), (parsed, text) => set(parsed, Number(text))];
}

function named(names: readonly string[], length: number | undefined, set: (parsed: Parsed, index: number) => void): FieldReader {
  const all = names.map((name) => name.slice(0, length).toLowerCase());
  return [new RegExp(`^(?:${all.join("|")})`, "i"), (parsed, text) => set(parsed, all.indexOf(text.toLowerCase()))];
}

const hourField = number(2, (parsed, value) => (parsed.hour = value));
const minuteField = number(2, (parsed, value) => (parsed.minute = value));
const secondField = number(2, (parsed, value) => (parsed.second = value));
const monthField = number(2, (parsed, value) => (parsed.month = value));
const dayField = number(2, (parsed, value) => (parsed.day = value));

const readers: Readonly<Record<string, FieldReader>> = Object.freeze({
  Y: number(4, (parsed, value) => (parsed.year = value)),
  y: number(2, (parsed, value) => (parsed.year = value < 70 ? 2000 + value : 1900 + value)),
  m: monthField,
  c: monthField,
  d: dayField,
  e: dayField,
  H: hourField,
  k: hourField,
  h: hourField,
  I: hourField,
  l: hourField,
  i: minuteField,
  s: secondField,
  S: secondField,
  T: clock,
  f: [/^\d{1,6}/, (parsed, text) => (parsed.micros = BigInt(text.padEnd(6, "0")))],
  p: [/^(?:AM|PM)/i, (parsed, text) => (parsed.afternoon = text.toUpperCase() === "PM")],
  M: named(monthNames, undefined, (parsed, index) => (parsed.month = index + 1)),
  b: named(monthNames, 3, (parsed, index) => (parsed.month = index + 1)),
  W: named(dayNames, undefined, () => {}),
  a: named(dayNames, 3, () => {}),
});

export function parseMysql(text: string, pattern: string): bigint {
  const fail = (): never => {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Invalid format: "${text}"`);
  };
  const parsed: Parsed = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, micros: 0n, afternoon: undefined };
  let rest = text;
  for (const token of tokens(pattern)) {
    const { letter } = token;
    if (letter === undefined) {
      const literal = token.text ?? "";
      rest = rest.startsWith(literal) ? rest.slice(literal.length) : fail();
      continue;
    }
    const reader = readers[letter] ?? unsupportedSpecifier(letter);
    const match = reader[0].exec(rest)?.[0] ?? fail();
    reader[1](parsed, match);
    rest = rest.slice(match.length);
  }
  const hour = parsed.afternoon === undefined ? parsed.hour : (parsed.hour % 12) + (parsed.afternoon ? 12 : 0);
  const days = dateOf(parsed.year, parsed.month, parsed.day);
  if (rest !== "" || days === undefined || hour > 23 || parsed.minute > 59 || parsed.second > 59) {
    return fail();
  }
  return BigInt(days) * microsPerDay + BigInt(hour * 3600 + parsed.minute * 60 + parsed.second) * 1_000_000n + parsed.micros;
}
