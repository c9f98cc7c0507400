/**
 * Fields of moments and times of day: year to millisecond, as the value's clock shows them, and its zone.
 */
import { civilOf } from "../../../types/time/calendar.ts";
import { VARCHAR } from "../../../types/type.ts";
import { formatOffset, zoneId } from "../../../types/time/zones.ts";
import { dayOfWeek, dayOfYear, daysOfMicros, isoWeekOf } from "./dates.ts";
import type { HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { localMicros, localPicos, minutesOf, offsetOf, picosOfMicros, zoneOf } from "./zoned.ts";

export const moment = "timestamp(p) with time zone";
export const time = "time(p)";
export const timeZoned = "time(p) with time zone";
export const sample = "from_unixtime(1582967472.345, 'America/New_York')";
export const sampleTime = "CAST('10:11:12.345' AS time)";
export const sampleTimeZoned = "CAST('10:11:12.345+05:30' AS time with time zone)";

const dateFields: readonly (readonly [names: readonly string[], description: string, ofDays: (days: number) => number, example: string])[] =
  [
    [["year"], "Year of the date", (days) => civilOf(days).year, "2020"],
    [["quarter"], "Quarter of the year, from 1 to 4", (days) => Math.floor((civilOf(days).month + 2) / 3), "1"],
    [["month"], "Month of the year, from 1 to 12", (days) => civilOf(days).month, "2"],
    [["week", "week_of_year"], "ISO week of the year", (days) => isoWeekOf(days).week, "9"],
    [["year_of_week", "yow"], "Year of the ISO week", (days) => isoWeekOf(days).year, "2020"],
    [["day", "day_of_month"], "Day of the month", (days) => civilOf(days).day, "29"],
    [["day_of_week", "dow"], "ISO day of the week, from 1 (Monday) to 7 (Sunday)", dayOfWeek, "6"],
    [["day_of_year", "doy"], "Day of the year", dayOfYear, "60"],
  ];

const dateParts: readonly ScalarDefinition[] = dateFields.flatMap(([names, description, ofDays, result]) =>
  names.map(
    (name): ScalarDefinition => ({
      name,
      args: [moment],
      returns: "bigint",
      description,
      host: ([value]) => BigInt(ofDays(daysOfMicros(localMicros(value as bigint)))),
      example: { sql: `${name}(${sample})`, result },
    }),
  ),
);

/** Local picoseconds of the day. */
const clocks: readonly (readonly [pattern: string, sample: string, picos: (value: bigint) => bigint])[] = [
  [moment, sample, (value) => picosOfMicros(localMicros(value))],
  [time, sampleTime, (value) => value],
  [timeZoned, sampleTimeZoned, localPicos],
];

const timeFields: readonly (readonly [
  name: string,
  unitPicos: bigint,
  modulo: bigint,
  description: string,
  ofMoment: string,
  ofTime: string,
])[] = [
  ["hour", 3_600_000_000_000_000n, 24n, "Hour of the day", "4", "10"],
  ["minute", 60_000_000_000_000n, 60n, "Minute of the hour", "11", "11"],
  ["second", 1_000_000_000_000n, 60n, "Second of the minute", "12", "12"],
  ["millisecond", 1_000_000_000n, 1000n, "Millisecond of the second", "345", "345"],
];

export const picosOfUnit: ReadonlyMap<string, bigint> = new Map(timeFields.map(([name, unit]) => [name, unit]));

const timeParts: readonly ScalarDefinition[] = timeFields.flatMap(([name, unit, modulo, description, ofMoment, ofTime]) =>
  clocks.map(
    ([pattern, example, picos]): ScalarDefinition => ({
      name,
      args: [pattern],
      returns: "bigint",
      description,
      host: ([value]) => (picos(value as bigint) / unit) % modulo,
      example: { sql: `${name}(${example})`, result: pattern === moment ? ofMoment : ofTime },
    }),
  ),
);

const offsets: readonly (readonly [pattern: string, sample: string, minutes: (value: bigint) => number, hour: string, minute: string])[] = [
  [moment, sample, (value) => Math.trunc(offsetOf(value) / 60), "-5", "0"],
  [timeZoned, sampleTimeZoned, minutesOf, "5", "30"],
];

const offsetParts: readonly ScalarDefinition[] = offsets.flatMap(([pattern, example, minutes, hour, minute]): ScalarDefinition[] => [
  {
    name: "timezone_hour",
    args: [pattern],
    returns: "bigint",
    description: "Hour of the time zone offset",
    host: ([value]) => BigInt(Math.trunc(minutes(value as bigint) / 60)),
    example: { sql: `timezone_hour(${example})`, result: hour },
  },
  {
    name: "timezone_minute",
    args: [pattern],
    returns: "bigint",
    description: "Minute of the time zone offset",
    host: ([value]) => BigInt(minutes(value as bigint) % 60),
    example: { sql: `timezone_minute(${example})`, result: minute },
  },
]);

/** As it is written (Trino's documentation, functions/datetime.md). */
function zoneName(pattern: string, nameOf: (value: bigint) => string, sql: string, result: string): ScalarDefinition {
  return {
    name: "timezone",
    args: [pattern],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "Time zone of the value",
    host: ([value]: readonly HostValue[]) => nameOf(value as bigint),
    example: { sql, result },
  };
}

const zoneNames: readonly ScalarDefinition[] = [
  zoneName(moment, (value) => zoneId(zoneOf(value)), "timezone(TIMESTAMP '2024-01-01 12:00:00 Asia/Tokyo')", "Asia/Tokyo"),
  zoneName(timeZoned, (value) => formatOffset(minutesOf(value)), "timezone(TIME '12:00:00+09:00')", "+09:00"),
];

export const zonedFieldDefinitions: readonly ScalarDefinition[] = [...dateParts, ...timeParts, ...offsetParts, ...zoneNames];
