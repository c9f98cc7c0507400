/**
 * Durations, data sizes, counts and times as the pages write them. Durations are nanoseconds and sizes are bytes, as elsewhere; texts of
 * documents (`1.20s`, `12.54kB`) are read by protocol/units. Pure: no function reads the clock or the locale.
 */
import { formatDataSize, formatDuration, parseDataSize, parseDuration } from "../../protocol/units.ts";

/** What stands for a value that is not known. */
export const noValue = "–";

/** Nanoseconds of a document's duration; 0 if it is absent or malformed. */
export function nanosOf(text: string | undefined): number {
  return text === undefined ? 0 : (parseDuration(text) ?? 0);
}

/** Bytes of a document's data size; 0 if it is absent or malformed. */
export function bytesOf(text: string | undefined): number {
  return text === undefined ? 0 : (parseDataSize(text) ?? 0);
}

/** `1.20s`, `149.83ms`, `0ns`. */
export function durationText(nanos: number | undefined): string {
  if (nanos === undefined || !Number.isFinite(nanos)) {
    return noValue;
  }
  return nanos < 1 ? "0ns" : formatDuration(nanos);
}

/** `0.4 ms`, `12 ms`, for delays that people feel. */
export function delayText(millis: number | undefined): string {
  return millis === undefined || !Number.isFinite(millis) ? noValue : `${millis >= 10 ? Math.round(millis) : Number(millis.toFixed(1))} ms`;
}

/** `12.54kB`, `16MB`, `0B`. */
export function dataSizeText(bytes: number | undefined): string {
  return bytes === undefined || !Number.isFinite(bytes) ? noValue : formatDataSize(Math.max(0, Math.round(bytes)));
}

/** Whole numbers with thousands separators: `1,234,567`. Integers beyond 53 bits arrive as bigint. */
export function countText(count: number | bigint | undefined): string {
  if (count === undefined || (typeof count === "number" && !Number.isFinite(count))) {
    return noValue;
  }
  const text = typeof count === "bigint" ? String(count) : Math.round(count).toFixed(0);
  return text.replace(/\B(?=(\d{3})+$)/g, ",");
}

const steps: readonly (readonly [string, number])[] = [
  ["", 1],
  ["K", 1e3],
  ["M", 1e6],
  ["B", 1e9],
  ["T", 1e12],
];

/** At most three significant digits: `999`, `1.23K`, `45.6M`. For places too narrow for all digits. */
export function shortCountText(count: number | undefined): string {
  if (count === undefined || !Number.isFinite(count)) {
    return noValue;
  }
  // 999,500 is written 1M and not 1000K.
  const [suffix, unit] = steps.findLast(([, size]) => Math.abs(count) >= size * 0.9995) ?? ["", 1];
  return unit === 1 ? threeDigits(count) : `${threeDigits(count / unit)}${suffix}`;
}

function threeDigits(value: number): string {
  const size = Math.abs(value);
  return String(Number(value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)));
}

/** At most three significant digits: `12.5kB`, `999B`. */
export function shortSizeText(bytes: number | undefined): string {
  if (bytes === undefined || !Number.isFinite(bytes)) {
    return noValue;
  }
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${threeDigits(unit === 0 ? Math.round(value) : value)}${units[unit]}`;
}

/** `25%`, `0.4%`, `100%`; a ratio between 0 and 1 that is not quite 1 never reads 100%. */
export function percentText(ratio: number | undefined): string {
  if (ratio === undefined || !Number.isFinite(ratio)) {
    return noValue;
  }
  const percent = ratio * 100;
  if (percent > 0 && percent < 1) {
    return percent < 0.1 ? "<0.1%" : `${percent.toFixed(1)}%`;
  }
  return `${percent < 100 ? Math.min(99, Math.round(percent)) : Math.round(percent)}%`;
}

const ages: readonly (readonly [string, number])[] = [
  ["s", 1],
  ["min", 60],
  ["h", 3600],
  ["d", 86_400],
];

/** `now`, `12 s ago`, `3 min ago`; a time ahead is `now`, because clocks of browser and server differ. */
export function agoText(thenMs: number, nowMs: number): string {
  const seconds = Math.floor((nowMs - thenMs) / 1000);
  if (!(seconds >= 1)) {
    return "now";
  }
  const [unit, size] = ages.findLast(([, one]) => seconds >= one) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}

/** Time in words for a span that people wait: `0 s`, `59 s`, `4 min 12 s`, `2 h 5 min`, `3 d 4 h`. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) {
    return `${whole} s`;
  }
  const [days, hours, minutes] = [Math.floor(whole / 86_400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60];
  if (days > 0) {
    return `${days} d ${hours} h`;
  }
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}

/** `2026-11-23 19:58:40` in the browser's time zone, for a timestamp of a document. The text itself if it is none. */
export function timestampText(timestamp: string | undefined): string {
  if (timestamp === undefined) {
    return noValue;
  }
  const at = new Date(timestamp);
  if (Number.isNaN(at.getTime())) {
    return timestamp;
  }
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** `19:58:40` if the time is less than half a day ago, and otherwise `2026-11-23`; empty without a time. */
export function shortTimestampText(timestamp: string | undefined, nowMs: number): string {
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(at) ? "" : (timestampText(timestamp).split(" ")[nowMs - at < 43_200_000 ? 1 : 0] ?? "");
}

/** `1 row`, `2 rows`. */
export function pluralText(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** A statement on one line: white space and line comments collapse. For previews; the text may be cut. */
export function oneLine(sql: string): string {
  return sql
    .replace(/--[^\n]*(\n|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
