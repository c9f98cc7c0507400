/**
 * Timestamps in documents: `2014-02-02T08:41:32.123Z`, converted to and from epoch milliseconds.
 */
import { type CivilDate, civilOf, daysOf } from "../types/time/calendar.ts";

export interface CivilTime extends CivilDate {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

const dayMs = 86_400_000;

export const timestampPattern: RegExp = /^[+-]?\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:\d{2})$/;

/** In UTC. */
export function civilFromMillis(epochMillis: number): CivilTime {
  const days = Math.floor(epochMillis / dayMs);
  const ofDay = Math.floor(epochMillis) - days * dayMs;
  const { year, month, day } = civilOf(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(ofDay / 3_600_000),
    minute: Math.floor(ofDay / 60_000) % 60,
    second: Math.floor(ofDay / 1000) % 60,
    millisecond: ofDay % 1000,
  };
}

export function formatTimestamp(epochMillis: number): string {
  const time = civilFromMillis(epochMillis);
  const year = time.year >= 0 && time.year <= 9999 ? digits(time.year, 4) : `${time.year < 0 ? "-" : "+"}${digits(Math.abs(time.year), 6)}`;
  const date = `${year}-${digits(time.month, 2)}-${digits(time.day, 2)}`;
  return `${date}T${digits(time.hour, 2)}:${digits(time.minute, 2)}:${digits(time.second, 2)}.${digits(time.millisecond, 3)}Z`;
}

/** Epoch milliseconds; undefined if the text is not a timestamp with milliseconds and an offset. */
export function parseTimestamp(text: string): number | undefined {
  const match = /^([+-]?\d{4,6})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})\.(\d{3})(?:Z|([+-])(\d{2}):(\d{2}))$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const part = (index: number): number => Number(match[index] ?? 0);
  const days = daysOf({ year: part(1), month: part(2), day: part(3) });
  const local = ((days * 24 + part(4)) * 60 + part(5)) * 60_000 + part(6) * 1000 + part(7);
  const back = civilFromMillis(local);
  // An invalid date such as February 30 does not survive the round trip.
  if (back.month !== part(2) || back.day !== part(3) || back.hour !== part(4) || back.minute !== part(5) || part(6) > 59) {
    return undefined;
  }
  const offsetMinutes = (part(9) * 60 + part(10)) * (match[8] === "-" ? -1 : 1);
  return local - offsetMinutes * 60_000;
}

export function digits(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
