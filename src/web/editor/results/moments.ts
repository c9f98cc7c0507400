/** Dates, times and intervals of results as integers, for sorting, charts and Parquet. Undefined if a text has another form. */
import { daysOf } from "../../../types/time/calendar.ts";

const datePattern = /^([+-]?\d{4,})-(\d{2})-(\d{2})/;
const timePattern = /(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?/;

/** Days since 1970-01-01. */
export function dateDays(text: string): number | undefined {
  const match = datePattern.exec(text);
  return match === null ? undefined : daysOf({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) });
}

/** Picoseconds of the day. */
export function timePicos(text: string): bigint | undefined {
  const match = timePattern.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, hours, minutes, seconds = "0", fraction = ""] = match;
  const whole = BigInt(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  return whole * 1_000_000_000_000n + BigInt(fraction.slice(0, 12).padEnd(12, "0"));
}

const dayPicos = 86_400_000_000_000_000n;

/** Picoseconds since 1970-01-01 00:00:00; of the instant, if the text ends with a time zone. */
export function timestampPicos(text: string): bigint | undefined {
  const days = dateDays(text);
  const time = timePicos(text);
  if (days === undefined) {
    return undefined;
  }
  const local = BigInt(days) * dayPicos + (time ?? 0n);
  const zone = /\d ([A-Za-z+-][\w/+:-]*)$/.exec(text)?.[1];
  const offset = zone === undefined ? 0 : offsetSeconds(zone, Number(local / 1_000_000_000n));
  return offset === undefined ? undefined : local - BigInt(offset) * 1_000_000_000_000n;
}

/** Picoseconds of the day in UTC, for `01:02:03+02:00`. */
export function zonedTimePicos(text: string): bigint | undefined {
  const time = timePicos(text);
  const offset = fixedOffset(/[+-]\d{2}:\d{2}$/.exec(text)?.[0] ?? "");
  return time === undefined || offset === undefined ? undefined : time - BigInt(offset) * 1_000_000_000_000n;
}

function fixedOffset(zone: string): number | undefined {
  const match = /^([+-])(\d{2}):(\d{2})$/.exec(zone);
  return match === null ? undefined : (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) {
    try {
      const numeric = "2-digit" as const;
      formats.set(
        zone,
        new Intl.DateTimeFormat("en-u-ca-iso8601", {
          timeZone: zone,
          hourCycle: "h23",
          year: "numeric",
          month: numeric,
          day: numeric,
          hour: numeric,
          minute: numeric,
          second: numeric,
        }),
      );
    } catch {
      formats.set(zone, undefined);
    }
  }
  return formats.get(zone);
}

/** Offset of a zone from UTC in seconds, at a local time in milliseconds. */
function offsetSeconds(zone: string, localMs: number): number | undefined {
  if (zone === "UTC" || zone === "Z") {
    return 0;
  }
  const format = fixedOffset(zone) === undefined ? formatOf(zone) : undefined;
  if (format === undefined) {
    return fixedOffset(zone);
  }
  const offsetAt = (instantMs: number): number => {
    const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
    const read = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(read("year"), read("month") - 1, read("day"), read("hour"), read("minute"), read("second"));
    return Math.round((shown - Math.floor(instantMs / 1000) * 1000) / 1000);
  };
  // The offset at the instant that the first guess yields.
  const guess = offsetAt(localMs);
  return offsetAt(localMs - guess * 1000);
}

/** `1 02:03:04.567` in picoseconds. */
export function dayIntervalPicos(text: string): bigint | undefined {
  const match = /^(-?)(\d+) (.*)$/.exec(text);
  const time = match === null ? undefined : timePicos(match[3] ?? "");
  if (match === null || time === undefined) {
    return undefined;
  }
  const size = BigInt(match[2] ?? "0") * dayPicos + time;
  return match[1] === "-" ? -size : size;
}

/** `1-3` in months. */
export function yearIntervalMonths(text: string): number | undefined {
  const match = /^(-?)(\d+)-(\d+)$/.exec(text);
  return match === null ? undefined : (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 12 + Number(match[3]));
}

/** Unscaled value of a decimal's text. */
export function unscaledDecimal(text: string, scale: number): bigint | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const digits = `${match[2] ?? ""}${(match[3] ?? "").slice(0, scale).padEnd(scale, "0")}`;
  const size = BigInt(digits === "" ? "0" : digits);
  return match[1] === "-" ? -size : size;
}
