/** Times in the texts of object stores, in milliseconds since 1970. */
import { civilOf, daysInMonth, daysOf } from "../../../types/time/calendar.ts";

const dayMillis = 86_400_000;
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `20260131T120000Z` */
export function compactTime(millis: number): string {
  const { year, month, day } = civilOf(Math.floor(millis / dayMillis));
  const second = Math.floor((millis % dayMillis) / 1000);
  const digits = (value: number, count = 2): string => String(value).padStart(count, "0");
  const time = `${digits(Math.floor(second / 3600))}${digits(Math.floor(second / 60) % 60)}${digits(second % 60)}`;
  return `${digits(year, 4)}${digits(month)}${digits(day)}T${time}Z`;
}

/** `Sat, 31 Jan 2026 12:00:00 GMT` */
export function httpTime(millis: number): string {
  const days = Math.floor(millis / dayMillis);
  const { year, month, day } = civilOf(days);
  const second = Math.floor((millis - days * dayMillis) / 1000);
  const digits = (value: number, count = 2): string => String(value).padStart(count, "0");
  const time = `${digits(Math.floor(second / 3600))}:${digits(Math.floor(second / 60) % 60)}:${digits(second % 60)}`;
  // The first day of 1970 was a Thursday.
  const weekday = weekdays[(((days + 4) % 7) + 7) % 7] as string;
  return `${weekday}, ${digits(day)} ${months[month - 1] as string} ${digits(year, 4)} ${time} GMT`;
}

/** `2026-01-31T12:00:00.000Z`; undefined for another text. */
export function parseIsoTime(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z$/.exec(text.trim());
  return match === null ? undefined : millisOf(match.slice(1, 7).map(Number), Number((match[7] ?? "").padEnd(3, "0").slice(0, 3)));
}

/** `Sat, 31 Jan 2026 12:00:00 GMT`; undefined for another text. */
export function parseHttpTime(text: string): number | undefined {
  const match = /^[A-Za-z]{3}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/.exec(text.trim());
  if (match === null) {
    return undefined;
  }
  const [, day, month, year, ...time] = match;
  return millisOf([Number(year), months.indexOf(month as string) + 1, Number(day), ...time.map(Number)], 0);
}

function millisOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[], millis: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month) || hour > 23 || minute > 59 || second > 60) {
    return undefined;
  }
  return daysOf({ year, month, day }) * dayMillis + ((hour * 60 + minute) * 60 + second) * 1000 + millis;
}
