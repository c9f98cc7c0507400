/**
 * Functions of Trino's documentation that are compatible with Teradata: patterns of dates in lower case (`dd`, `hh`, `hh24`, `mi`, `mm`,
 * `ss`, `yyyy`, `yy`) between punctuation.
 */
import { civilOf, daysInMonth, daysOf } from "../../../types/time/calendar.ts";
import { DATE, TIMESTAMP } from "../../../types/type.ts";
import type { ScalarDefinition } from "../../registry/definition.ts";
import { invalid } from "../string/implementations.ts";
import { daysOfMicros, microsOfDay } from "./dates.ts";
import { requireShortPattern } from "./joda-fields.ts";
import { jodaPrecision } from "./joda-format.ts";
import { roundTimestamp } from "../../runtime/formats.ts";

type Letters = "dd" | "hh" | "hh24" | "mi" | "mm" | "ss" | "yyyy" | "yy";

/** A field, or literal text. */
interface Token {
  readonly letters?: Letters;
  readonly text: string;
}

/** The longest first. */
const known: readonly Letters[] = ["yyyy", "hh24", "yy", "hh", "dd", "mi", "mm", "ss"];
/** Digits that a field must have; others have one or two. */
const fixedDigits: Readonly<Partial<Record<Letters, number>>> = Object.freeze({ yyyy: 4, yy: 2 });
const literal = /^[-/,.;: \r\n\t]+/;
const secondsPerDay = 86_400;
const microsPerSecond = 1_000_000n;

function tokens(pattern: string): readonly Token[] {
  requireShortPattern(pattern);
  const found: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const letters = known.find((candidate) => pattern.startsWith(candidate, at));
    const text = letters ?? literal.exec(pattern.slice(at))?.[0];
    if (text === undefined) {
      return invalid(`Failed to tokenize string [${pattern[at]}] at offset [${at}]`);
    }
    found.push({ text, ...(letters !== undefined && { letters }) });
    at += text.length;
  }
  return found;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, "0");
}

/** Whole seconds; fractions are left out. */
export function formatTeradata(micros: bigint, pattern: string): string {
  const { year, month, day } = civilOf(daysOfMicros(micros));
  const seconds = Number(microsOfDay(micros) / microsPerSecond);
  const hour = Math.floor(seconds / 3600);
  const texts: Readonly<Record<Letters, () => string>> = {
    dd: () => digits(day, 2),
    hh: () => digits(hour % 12, 2),
    hh24: () => digits(hour, 2),
    mi: () => digits(Math.floor(seconds / 60) % 60, 2),
    mm: () => digits(month, 2),
    ss: () => digits(seconds % 60, 2),
    yyyy: () => (year < 0 ? `-${digits(-year, 4)}` : digits(year, 4)),
    yy: () => digits(Math.abs(year) % 100, 2),
  };
  return tokens(pattern)
    .map(({ letters, text }) => (letters === undefined ? text : texts[letters]()))
    .join("");
}

interface Bounds {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

const bounds: Readonly<Record<Letters, Bounds>> = Object.freeze({
  dd: { name: "DayOfMonth", min: 1, max: 31 },
  hh: { name: "HourOfAmPm", min: 0, max: 11 },
  hh24: { name: "HourOfDay", min: 0, max: 23 },
  mi: { name: "MinuteOfHour", min: 0, max: 59 },
  mm: { name: "MonthOfYear", min: 1, max: 12 },
  ss: { name: "SecondOfMinute", min: 0, max: 59 },
  yyyy: { name: "Year", min: 0, max: 9999 },
  yy: { name: "Year", min: 2000, max: 2099 },
});

/** Fields by name. A field that occurs twice must have the same value. */
function fieldsOf(text: string, pattern: string): ReadonlyMap<string, number> {
  const bad = (at: number): never => invalid(`Text '${text}' could not be parsed at index ${at}`);
  const fields = new Map<string, number>();
  const all = tokens(pattern);
  let at = 0;
  all.forEach((token, index) => {
    const { letters } = token;
    if (letters === undefined) {
      at = text.startsWith(token.text, at) ? at + token.text.length : bad(at);
      return;
    }
    const run = /^\d*/.exec(text.slice(at, at + 8))?.[0].length ?? 0;
    const next = all[index + 1]?.letters;
    // Digits of a field of fixed length that follows are left for it.
    const left = next === undefined ? run : Math.max(1, run - (fixedDigits[next] ?? 0));
    const length = fixedDigits[letters] ?? Math.min(2, left);
    if (run === 0 || run < length) {
      bad(at);
    }
    const value = Number(text.slice(at, at + length)) + (letters === "yy" ? 2000 : 0);
    const { name, min, max } = bounds[letters];
    if (value < min || value > max) {
      invalid(`Text '${text}' could not be parsed: Invalid value for ${name} (valid values ${min} - ${max}): ${value}`);
    }
    if ((fields.get(name) ?? value) !== value) {
      invalid(`Text '${text}' could not be parsed: Conflict found: ${name} is ${fields.get(name)} and ${value}`);
    }
    fields.set(name, value);
    at += length;
  });
  return at === text.length ? fields : invalid(`Text '${text}' could not be parsed, unparsed text found at index ${at}`);
}

/** A day beyond the end of its month is the last one. */
function daysParsed(fields: ReadonlyMap<string, number>, text: string): number {
  const [year, month, day] = [fields.get("Year"), fields.get("MonthOfYear"), fields.get("DayOfMonth")];
  if (year === undefined || month === undefined || day === undefined) {
    return invalid(`Text '${text}' could not be parsed: year, month and day are needed`);
  }
  return daysOf({ year, month, day: Math.min(day, daysInMonth(year, month)) });
}

function parseTeradata(text: string, pattern: string): bigint {
  const fields = fieldsOf(text, pattern);
  const [hour, half] = [fields.get("HourOfDay"), fields.get("HourOfAmPm")];
  if (hour !== undefined && half !== undefined && hour !== half) {
    return invalid(`Text '${text}' could not be parsed: Conflict found: HourOfDay is ${hour} and ${half}`);
  }
  const seconds = (hour ?? half ?? 0) * 3600 + (fields.get("MinuteOfHour") ?? 0) * 60 + (fields.get("SecondOfMinute") ?? 0);
  return (BigInt(daysParsed(fields, text)) * BigInt(secondsPerDay) + BigInt(seconds)) * microsPerSecond;
}

export const teradataDefinitions: readonly ScalarDefinition[] = [
  {
    name: "to_char",
    args: ["timestamp(p)", "varchar"],
    returns: "varchar",
    description: "Timestamp formatted with a Teradata pattern",
    host: ([micros, pattern]) => formatTeradata(roundTimestamp(micros as bigint, jodaPrecision), pattern as string),
    example: { sql: "to_char(TIMESTAMP '1988-04-08 02:03:04', 'yyyy/mm/dd;hh24:mi:ss')", result: "1988/04/08;02:03:04" },
  },
  {
    name: "to_timestamp",
    args: ["varchar", "varchar"],
    returns: "timestamp(3)",
    returnType: () => TIMESTAMP,
    description: "Timestamp parsed with a Teradata pattern",
    host: ([text, pattern]) => parseTeradata(text as string, pattern as string),
    example: { sql: "to_timestamp('1988/4/8;2:3:4', 'yyyy/mm/dd;hh24:mi:ss')", result: "1988-04-08 02:03:04.000" },
  },
  {
    name: "to_date",
    args: ["varchar", "varchar"],
    returns: "date",
    returnType: () => DATE,
    description: "Date parsed with a Teradata pattern",
    host: ([text, pattern]) => daysParsed(fieldsOf(text as string, pattern as string), text as string),
    example: { sql: "to_date('1988/04/08', 'yyyy/mm/dd')", result: "1988-04-08" },
  },
];
