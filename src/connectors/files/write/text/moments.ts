/**
 * Dates and times as text, in ISO 8601 with a space, as the readers of text files take them.
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { civilOf } from "../../../../types/time/calendar.ts";
import { formatOffset, offsetAt } from "../../../../types/time/zones.ts";
import type { Type } from "../../../../types/type.ts";

const secondsPerDay = 86_400;
const microsPerSecond = 1_000_000n;

function two(value: number): string {
  return String(value).padStart(2, "0");
}

export function dateText(days: number): string {
  const { year, month, day } = civilOf(days);
  if (year < 0 || year > 9999) {
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `Text files hold dates of the years 0000 to 9999 only, not of ${year}`);
  }
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

function clockText(secondOfDay: number): string {
  return `${two(Math.floor(secondOfDay / 3600))}:${two(Math.floor(secondOfDay / 60) % 60)}:${two(secondOfDay % 60)}`;
}

function fraction(micros: number, precision: number): string {
  return precision === 0 ? "" : `.${String(micros).padStart(6, "0").slice(0, precision)}`;
}

/** Splits microseconds into whole seconds and the rest, which is not negative. */
function secondsOf(micros: bigint): readonly [seconds: number, rest: number] {
  const rest = ((micros % microsPerSecond) + microsPerSecond) % microsPerSecond;
  return [Number((micros - rest) / microsPerSecond), Number(rest)];
}

function timestampText(seconds: number, micros: number, precision: number): string {
  const days = Math.floor(seconds / secondsPerDay);
  return `${dateText(days)} ${clockText(seconds - days * secondsPerDay)}${fraction(micros, precision)}`;
}

/** A value in the form of pages: microseconds, or 128 bits with the zone; times in picoseconds. At most six fraction digits. */
export function momentText(type: Extract<Type, { readonly precision: number }>, value: bigint): string {
  const { precision } = type;
  if (type.kind === "time") {
    const [seconds, micros] = secondsOf(value / 1_000_000n);
    return `${clockText(seconds)}${fraction(micros, precision)}`;
  }
  if (type.kind === "timestamp") {
    const [seconds, micros] = secondsOf(value);
    return timestampText(seconds, micros, precision);
  }
  const [seconds, micros] = secondsOf(value >> 64n);
  // The text has no seconds in an offset, which local mean times have.
  const offset = Math.trunc(offsetAt(Number(value & 0xffff_ffffn), seconds) / 60);
  return `${timestampText(seconds + offset * 60, micros, precision)}${formatOffset(offset)}`;
}
