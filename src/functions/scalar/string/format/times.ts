/**
 * Dates and times as Java's Formatter prints them for %t and a second letter.
 */
import { civilOf } from "../../../../types/time/calendar.ts";
import { formatOffset } from "../../../../types/time/zones.ts";
import { dayNames, monthNames } from "../../datetime/joda-fields.ts";
import { dayOfWeek, dayOfYear } from "../../datetime/dates.ts";

/** The date and time fields that a value has. */
export interface ShownMoment {
  /** Java's class name for such values, for messages. */
  readonly className: string;
  readonly days?: number;
  readonly nanosOfDay?: bigint;
  readonly zone?: { readonly id: string; readonly offsetSeconds: number; readonly epochNanos: bigint };
}

type Shows<T> = Readonly<Record<string, (given: T) => string>>;

function pad(value: number, count = 2): string {
  return String(value).padStart(count, "0");
}

const clocks: Shows<bigint> = {
  H: (nanos) => pad(hourOf(nanos)),
  k: (nanos) => String(hourOf(nanos)),
  I: (nanos) => pad(hour12(nanos)),
  l: (nanos) => String(hour12(nanos)),
  M: (nanos) => pad(minuteOf(nanos)),
  S: (nanos) => pad(secondOf(nanos)),
  L: (nanos) => pad(Number((nanos / 1_000_000n) % 1000n), 3),
  N: (nanos) => pad(Number(nanos % 1_000_000_000n), 9),
  p: (nanos) => (hourOf(nanos) < 12 ? "am" : "pm"),
  R: (nanos) => `${pad(hourOf(nanos))}:${pad(minuteOf(nanos))}`,
  T: (nanos) => `${pad(hourOf(nanos))}:${pad(minuteOf(nanos))}:${pad(secondOf(nanos))}`,
  r: (nanos) => `${pad(hour12(nanos))}:${pad(minuteOf(nanos))}:${pad(secondOf(nanos))} ${hourOf(nanos) < 12 ? "AM" : "PM"}`,
};

function hourOf(nanos: bigint): number {
  return Number(nanos / 3_600_000_000_000n);
}

function hour12(nanos: bigint): number {
  return ((hourOf(nanos) + 11) % 12) + 1;
}

function minuteOf(nanos: bigint): number {
  return Number((nanos / 60_000_000_000n) % 60n);
}

function secondOf(nanos: bigint): number {
  return Number((nanos / 1_000_000_000n) % 60n);
}

function monthName(days: number): string {
  return monthNames[civilOf(days).month - 1] as string;
}

function dayName(days: number): string {
  return dayNames[dayOfWeek(days) - 1] as string;
}

const dates: Shows<number> = {
  B: monthName,
  b: (days) => monthName(days).slice(0, 3),
  h: (days) => monthName(days).slice(0, 3),
  A: dayName,
  a: (days) => dayName(days).slice(0, 3),
  C: (days) => pad(Math.floor(civilOf(days).year / 100)),
  Y: (days) => pad(civilOf(days).year, 4),
  y: (days) => pad(((civilOf(days).year % 100) + 100) % 100),
  j: (days) => pad(dayOfYear(days), 3),
  m: (days) => pad(civilOf(days).month),
  d: (days) => pad(civilOf(days).day),
  e: (days) => String(civilOf(days).day),
  D: (days) => [civilOf(days).month, civilOf(days).day, ((civilOf(days).year % 100) + 100) % 100].map((value) => pad(value)).join("/"),
  F: (days) => [pad(civilOf(days).year, 4), pad(civilOf(days).month), pad(civilOf(days).day)].join("-"),
};

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend - (((dividend % divisor) + divisor) % divisor)) / divisor;
}

const zones: Shows<NonNullable<ShownMoment["zone"]>> = {
  z: ({ offsetSeconds }) => formatOffset(Math.trunc(offsetSeconds / 60)).replace(":", ""),
  Z: ({ id }) => id,
  s: ({ epochNanos }) => floorDivide(epochNanos, 1_000_000_000n).toString(),
  Q: ({ epochNanos }) => floorDivide(epochNanos, 1_000_000n).toString(),
};

export function isTimeLetter(letter: string): boolean {
  return letter === "c" || [clocks, dates, zones].some((shows) => Object.hasOwn(shows, letter));
}

/** Undefined if the value lacks the field that the letter needs. */
export function formatMoment(moment: ShownMoment, letter: string): string | undefined {
  const { days, nanosOfDay, zone } = moment;
  if (letter === "c") {
    const parts = ["a", "b", "d", "T", "Z", "Y"].map((part) => formatMoment(moment, part));
    return parts.includes(undefined) ? undefined : parts.join(" ");
  }
  const [clock, date, ofZone] = [clocks[letter], dates[letter], zones[letter]];
  if (clock !== undefined) {
    return nanosOfDay === undefined ? undefined : clock(nanosOfDay);
  }
  if (date !== undefined) {
    return days === undefined ? undefined : date(days);
  }
  return ofZone === undefined || zone === undefined ? undefined : ofZone(zone);
}
