/**
 * Arithmetic on days and microseconds since 1970-01-01 without a time zone: the reference implementation of date functions. Kernel code for
 * common fields is in date-kernels.ts.
 */
import { civilOf, daysInMonth, daysOf } from "../../../types/time/calendar.ts";

const microsPerMilli = 1000n;
const microsPerSecond = 1_000_000n;
const microsPerMinute = 60_000_000n;
const microsPerHour = 3_600_000_000n;
export const microsPerDay = 86_400_000_000n;
export const millisPerDay = 86_400_000n;

/** Monday is 1, Sunday is 7. */
export function dayOfWeek(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

export function dayOfYear(days: number): number {
  return days - daysOf({ year: civilOf(days).year, month: 1, day: 1 }) + 1;
}

/** ISO 8601: the year of the week's Thursday, and the week's number in that year. */
export function isoWeekOf(days: number): { readonly year: number; readonly week: number } {
  const thursday = days - dayOfWeek(days) + 4;
  const { year } = civilOf(thursday);
  return { year, week: Math.floor((thursday - daysOf({ year, month: 1, day: 1 })) / 7) + 1 };
}

/** The day of the month is clamped to the length of the month. */
export function addMonths(days: number, months: number): number {
  const date = civilOf(days);
  const index = date.year * 12 + (date.month - 1) + months;
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  return daysOf({ year, month, day: Math.min(date.day, daysInMonth(year, month)) });
}

export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

export function daysOfMicros(micros: bigint): number {
  return Number(floorDivide(micros, microsPerDay));
}

/** From 0 to one day, exclusive. */
export function microsOfDay(micros: bigint): bigint {
  return micros - floorDivide(micros, microsPerDay) * microsPerDay;
}

export type DateUnit = "millisecond" | "second" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year";

export const dateUnits: readonly DateUnit[] = Object.freeze([
  "millisecond",
  "second",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "quarter",
  "year",
]);

const microsOfUnit: Readonly<Partial<Record<DateUnit, bigint>>> = Object.freeze({
  millisecond: microsPerMilli,
  second: microsPerSecond,
  minute: microsPerMinute,
  hour: microsPerHour,
  day: microsPerDay,
  week: 7n * microsPerDay,
});

const monthsOfUnit: Readonly<Partial<Record<DateUnit, number>>> = Object.freeze({ month: 1, quarter: 3, year: 12 });

/** Larger than the distance between any two timestamps, in months. */
const monthsMax = 200_000_000;

export function addUnits(micros: bigint, unit: DateUnit, count: bigint): bigint {
  const span = microsOfUnit[unit];
  if (span !== undefined) {
    return micros + span * count;
  }
  const months = Number(count) * (monthsOfUnit[unit] ?? 0);
  if (Math.abs(months) > monthsMax) {
    // A value beyond every timestamp type, so that the caller raises an out-of-range error.
    return BigInt(Math.sign(months)) * (1n << 80n);
  }
  return BigInt(addMonths(daysOfMicros(micros), months)) * microsPerDay + microsOfDay(micros);
}

/** Whole units between two timestamps at millisecond resolution, truncated toward zero. */
export function differenceInUnits(from: bigint, to: bigint, unit: DateUnit): bigint {
  return differenceOfMillis(truncateToUnit(from, "millisecond"), truncateToUnit(to, "millisecond"), unit);
}

function differenceOfMillis(from: bigint, to: bigint, unit: DateUnit): bigint {
  const span = microsOfUnit[unit];
  if (span !== undefined) {
    return (to - from) / span;
  }
  if (to < from) {
    return -differenceOfMillis(to, from, unit);
  }
  const [a, b] = [civilOf(daysOfMicros(from)), civilOf(daysOfMicros(to))];
  let months = (b.year - a.year) * 12 + b.month - a.month;
  // A month is complete when its day and time are reached; a day beyond the end of the month counts as its last day.
  if (addUnits(from, "month", BigInt(months)) > to) {
    months--;
  }
  return BigInt(Math.trunc(months / (monthsOfUnit[unit] ?? 1)));
}

export function truncateToUnit(micros: bigint, unit: DateUnit): bigint {
  if (unit === "millisecond" || unit === "second" || unit === "minute" || unit === "hour" || unit === "day") {
    const span = microsOfUnit[unit] ?? 1n;
    return floorDivide(micros, span) * span;
  }
  const days = daysOfMicros(micros);
  if (unit === "week") {
    return BigInt(days - dayOfWeek(days) + 1) * microsPerDay;
  }
  const { year, month } = civilOf(days);
  const first = unit === "year" ? 1 : unit === "quarter" ? month - ((month - 1) % 3) : month;
  return BigInt(daysOf({ year, month: first, day: 1 })) * microsPerDay;
}
