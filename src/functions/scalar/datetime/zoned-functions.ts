/**
 * Functions of timestamps and times with time zone, row by row. Units of a day and more follow the local time; shorter units count elapsed
 * time.
 */
import { formatDouble } from "../../runtime/formats.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { type Type, VARCHAR } from "../../../types/type.ts";
import { formatOffset, utcKey, zoneKeyOfOffset } from "../../../types/time/zones.ts";
import { formatTeradata } from "./teradata.ts";
import { formatMysql } from "./date-format.ts";
import { addUnits, type DateUnit, dateUnits, daysOfMicros, differenceInUnits, microsPerDay, truncateToUnit } from "./dates.ts";
import { civilOf, daysInMonth } from "../../../types/time/calendar.ts";
import type { HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { formatJoda, jodaPrecision, parseIsoZoned, parseJodaZoned } from "./joda-format.ts";
import { roundMoment, timestampOf } from "./long-timestamps.ts";
import { invalid } from "../string/implementations.ts";
import { isoText } from "../../cast/zoned-casts.ts";
import { timeZonedOfText, zonedOfText } from "../../cast/text-casts.ts";
import { moment, picosOfUnit, sample, sampleTime, sampleTimeZoned, time, timeZoned } from "./zoned-fields.ts";
import {
  instantOf,
  localMicros,
  localPicos,
  minutesOf,
  moveTime,
  ofLocal,
  offsetOf,
  pack,
  packTime,
  picosPerMicro,
  roundZoned,
  subMicros,
  zoneKey,
  zoneOf,
} from "./zoned.ts";

const zonedType = (precision: number) => (): Type => ({ kind: "timestamp with time zone", precision });
const millisType = zonedType(3);
const nanosType = zonedType(9);
const microsPerMilli = 1000n;
const shortUnits: ReadonlySet<DateUnit> = new Set(["millisecond", "second", "minute", "hour"]);

function unitOf(text: HostValue, what: string, allowed: readonly string[]): DateUnit {
  const unit = (text as string).toLowerCase();
  return allowed.includes(unit) ? (unit as DateUnit) : invalid(`'${text as string}' is not a valid ${what} field`);
}

function momentUnit(text: HostValue): DateUnit {
  return unitOf(text, "TIMESTAMP", dateUnits);
}

function timeUnit(text: HostValue): DateUnit {
  return unitOf(text, "TIME", [...shortUnits]);
}

/** Changes local time for units of a day and more, otherwise the instant at its current offset. */
function withLocal(value: bigint, unit: DateUnit, change: (micros: bigint) => bigint): bigint {
  const local = localMicros(value);
  const changed = change(local);
  return shortUnits.has(unit) ? pack(instantOf(value) + changed - local, zoneOf(value)) : ofLocal(changed, zoneOf(value));
}

const byUnit: readonly ScalarDefinition[] = [
  {
    name: "date_trunc",
    args: ["varchar", moment],
    returns: moment,
    description: "Timestamp truncated to the unit, in its time zone",
    host: ([text, value]) => {
      const unit = momentUnit(text as HostValue);
      return withLocal(value as bigint, unit, (local) => truncateToUnit(local, unit));
    },
    example: { sql: `date_trunc('month', ${sample})`, result: "2020-02-01 00:00:00.000 America/New_York" },
  },
  {
    name: "date_add",
    keepsPicos: true,
    args: ["varchar", "bigint", moment],
    returns: moment,
    description: "Timestamp plus an amount of the unit, in its time zone",
    host: ([text, count, value]) => {
      const unit = momentUnit(text as HostValue);
      return withLocal(value as bigint, unit, (local) => addUnits(local, unit, count as bigint));
    },
    example: { sql: `date_add('day', 9, ${sample})`, result: "2020-03-09 04:11:12.345 America/New_York" },
  },
  {
    name: "date_diff",
    args: ["varchar", moment, moment],
    returns: "bigint",
    description: "Difference of the timestamps in complete units, in the time zone of the first",
    host: ([text, from, to]) => {
      const unit = momentUnit(text as HostValue);
      const [a, b] = [from as bigint, to as bigint];
      return shortUnits.has(unit)
        ? differenceInUnits(instantOf(a), instantOf(b), unit)
        : differenceInUnits(localMicros(a), localMicros(pack(instantOf(b), zoneOf(a))), unit);
    },
    example: { sql: `date_diff('hour', ${sample}, date_add('day', 9, ${sample}))`, result: "215" },
  },
  ...[
    [time, sampleTime, "10:11:00.000", "09:11:12.345"] as const,
    [timeZoned, sampleTimeZoned, "10:11:00.000+05:30", "09:11:12.345+05:30"] as const,
  ].flatMap(([pattern, example, truncated, added]): ScalarDefinition[] => {
    const isZoned = pattern === timeZoned;
    const change = (value: bigint, of: (micros: bigint) => bigint): bigint => {
      const local = isZoned ? localPicos(value) : value;
      const micros = local / picosPerMicro;
      const moved = moveTime(local - micros * picosPerMicro, of(micros) * picosPerMicro);
      return isZoned ? packTime(moved, minutesOf(value)) : moved;
    };
    return [
      {
        name: "date_trunc",
        args: ["varchar", pattern],
        returns: pattern,
        description: "Time truncated to the unit",
        host: ([text, value]) => {
          const unit = timeUnit(text as HostValue);
          const local = (isZoned ? localPicos(value as bigint) : (value as bigint)) / picosPerMicro;
          const start = truncateToUnit(local, unit) * picosPerMicro;
          return isZoned ? packTime(start, minutesOf(value as bigint)) : start;
        },
        example: { sql: `date_trunc('minute', ${example})`, result: truncated },
      },
      {
        name: "date_add",
        args: ["varchar", "bigint", pattern],
        returns: pattern,
        description: "Time plus an amount of the unit, wrapping at midnight",
        host: ([text, count, value]) => change(value as bigint, (micros) => addUnits(micros, timeUnit(text as HostValue), count as bigint)),
        example: { sql: `date_add('hour', 23, ${example})`, result: added },
      },
      {
        name: "date_diff",
        args: ["varchar", pattern, pattern],
        returns: "bigint",
        description: "Difference of the times in complete units",
        host: ([text, from, to]) => {
          const instant = (value: HostValue) => (isZoned ? instantOf(value as bigint) : (value as bigint));
          const span = picosOfUnit.get(timeUnit(text as HostValue)) as bigint;
          return (instant(to as HostValue) - instant(from as HostValue)) / span;
        },
        example: { sql: `date_diff('minute', ${example}, ${example})`, result: "0" },
      },
    ];
  }),
];

function ofSeconds(seconds: number, zone: number): bigint {
  const millis = Math.round(seconds * 1000);
  return Number.isFinite(millis) && Math.abs(millis) < 2 ** 51
    ? pack(BigInt(millis) * microsPerMilli, zone)
    : invalid(`Seconds are out of range: ${formatDouble(seconds)}`);
}

function offsetKey(hours: bigint, minutes: bigint): number {
  const total = Number(hours) * 60 + Number(minutes);
  return zoneKeyOfOffset(total) ?? invalid(`Time zone offset not in valid range -14:00 to 14:00: ${total}`);
}

function intervalKey(millis: bigint): number {
  if (millis % 60_000n !== 0n) {
    invalid(`Invalid time zone offset interval: interval contains seconds`);
  }
  return offsetKey(0n, millis / 60_000n);
}

/** The fraction of a decimal is truncated. */
function ofNanos(given: bigint, type: Type): bigint {
  const nanos = type.kind === "decimal" ? given / 10n ** BigInt(type.scale) : given;
  const rest = ((nanos % 1000n) + 1000n) % 1000n;
  return pack((nanos - rest) / 1000n, utcKey, rest * 1000n);
}

/** Joda truncates to milliseconds; values from nanoseconds keep their digits. */
function cutZoned(value: bigint, precision: number): bigint {
  return precision > jodaPrecision ? value : pack(truncateToUnit(instantOf(value), "millisecond"), zoneOf(value));
}

/** Two overloads of each: the public one, and one with the session's zone. */
const isoMoments: readonly ScalarDefinition[] = (
  [
    ["from_iso8601_timestamp", 3, "", "2020-02-29T10:11:12.345+01:00", "2020-02-29 10:11:12.345 +01:00"],
    ["from_iso8601_timestamp_nanos", 9, ", with nanoseconds", "2020-02-29T10:11:12.345678901Z", "2020-02-29 10:11:12.345678901 UTC"],
  ] as const
).flatMap(([name, precision, exactness, example, result]): ScalarDefinition[] => [
  {
    name,
    args: ["varchar"],
    returns: moment,
    returnType: zonedType(precision),
    description: `Timestamp with time zone parsed from an ISO 8601 string${exactness}`,
    host: ([text]) => cutZoned(parseIsoZoned(text as string, utcKey), precision),
    example: { sql: `${name}('${example}')`, result },
  },
  {
    name: `$${name}`,
    args: ["varchar", "varchar"],
    returns: moment,
    returnType: zonedType(precision),
    description: `${name} with the session time zone`,
    host: ([text, zone]) => cutZoned(parseIsoZoned(text as string, zoneKey(zone as string)), precision),
  },
]);

/** Lowered forms of casts to timestamps: at microseconds, and with all digits. */
const momentCasts: readonly ScalarDefinition[] = (
  [
    ["$timestamp", 6, ""],
    ["$long_timestamp", 12, ", with all digits"],
  ] as const
).flatMap(([prefix, precision, exactness]): ScalarDefinition[] => {
  const type: Type = { kind: "timestamp", precision };
  const momentOn = (days: number, picos: bigint) =>
    roundMoment({ micros: BigInt(days) * microsPerDay + picos / picosPerMicro, picos: picos % picosPerMicro }, precision);
  return [
    {
      name: `${prefix}_in_zone`,
      args: ["varchar", "varchar"],
      returns: moment,
      returnType: zonedType(precision),
      description: `Cast of a string to a timestamp with time zone${exactness}, with the session time zone as default`,
      host: ([text, zone]) => zonedOfText(text as string, zoneKey(zone as string), precision),
    },
    {
      name: `${prefix}_of_time`,
      args: [time, "date"],
      returns: "timestamp(p)",
      returnType: () => type,
      description: `Time on a date as a timestamp${exactness}`,
      host: ([picos, days]) => timestampOf(type, momentOn(days as number, picos as bigint)),
    },
    {
      name: `${prefix}_of_time`,
      args: [timeZoned, "date"],
      returns: moment,
      returnType: zonedType(precision),
      description: `Time with time zone on a date as a timestamp with time zone${exactness}`,
      host: ([value, days]) => {
        const { micros, picos } = momentOn(days as number, localPicos(value as bigint));
        return ofLocal(micros, zoneOf(value as bigint), picos);
      },
    },
  ];
});

/** Session values (zone, current date) are the last arguments; the planner appends them (planner/session-zone.ts). */
const made: readonly ScalarDefinition[] = [
  {
    name: "from_unixtime",
    args: ["double"],
    returns: moment,
    returnType: millisType,
    description: "Timestamp of the Unix time, in the session time zone",
    host: ([seconds]) => ofSeconds(seconds as number, utcKey),
    example: { sql: "from_unixtime(1)", result: "1970-01-01 00:00:01.000 UTC" },
  },
  {
    name: "from_unixtime",
    args: ["double", "varchar"],
    returns: moment,
    returnType: millisType,
    description: "Timestamp of the Unix time, in a time zone",
    host: ([seconds, zone]) => ofSeconds(seconds as number, zoneKey(zone as string)),
    example: { sql: "from_unixtime(1, 'Asia/Kolkata')", result: "1970-01-01 05:30:01.000 Asia/Kolkata" },
  },
  {
    name: "from_unixtime",
    args: ["double", "bigint", "bigint"],
    returns: moment,
    returnType: millisType,
    description: "Timestamp of the Unix time, with an offset of hours and minutes",
    host: ([seconds, hours, minutes]) => ofSeconds(seconds as number, offsetKey(hours as bigint, minutes as bigint)),
    example: { sql: "from_unixtime(1, -3, -30)", result: "1969-12-31 20:30:01.000 -03:30" },
  },
  {
    name: "to_unixtime",
    args: [moment],
    returns: "double",
    description: "Unix time of the timestamp, in seconds",
    host: ([value]) => Number(instantOf(value as bigint)) / 1_000_000,
    example: { sql: `to_unixtime(${sample})`, result: "1.582967472345E9" },
  },
  ...isoMoments,
  {
    name: "parse_datetime",
    args: ["varchar", "varchar"],
    returns: moment,
    returnType: millisType,
    description: "Timestamp with time zone parsed with a Joda pattern",
    host: ([text, pattern]) => parseJodaZoned(text as string, pattern as string, utcKey),
    example: { sql: "parse_datetime('2020-02-29 10:11 +0100', 'yyyy-MM-dd HH:mm Z')", result: "2020-02-29 10:11:00.000 +01:00" },
  },
  {
    name: "$parse_datetime",
    args: ["varchar", "varchar", "varchar"],
    returns: moment,
    returnType: millisType,
    description: "parse_datetime with the session time zone",
    host: ([text, pattern, zone]) => parseJodaZoned(text as string, pattern as string, zoneKey(zone as string)),
  },
  ...["bigint", "decimal(p,s)"].map(
    (type): ScalarDefinition => ({
      name: "from_unixtime_nanos",
      args: [type],
      returns: moment,
      returnType: nanosType,
      description: "Timestamp of the Unix time in nanoseconds",
      host: ([nanos], { argTypes }) => ofNanos(nanos as bigint, argTypes[0] as Type),
      example: {
        sql: type === "bigint" ? "from_unixtime_nanos(100)" : "from_unixtime_nanos(DECIMAL '1234567890123456789012')",
        result: type === "bigint" ? "1970-01-01 00:00:00.000000100 UTC" : "+41091-11-25 05:02:03.456789012 UTC",
      },
    }),
  ),
  ...momentCasts,
  {
    name: "$time_in_offset",
    args: ["varchar", "bigint"],
    returns: timeZoned,
    returnType: () => ({ kind: "time with time zone", precision: 12 }),
    description: "Cast of a string to a time with time zone, with the session offset in minutes as default",
    host: ([text, minutes]) => timeZonedOfText(text as string, 12, Number(minutes)),
  },
  {
    name: "$time_with_offset",
    args: ["time(p)", "bigint"],
    returns: timeZoned,
    returnType: ([type]) => ({ kind: "time with time zone", precision: type?.kind === "time" ? type.precision : 3 }),
    description: "Time with an offset in minutes",
    host: ([picos, minutes]) => packTime(picos as bigint, Number(minutes)),
  },
];

/** Text such as `-07:36:12`, for an offset that is not whole minutes. */
function offsetText(seconds: number): string {
  return `${formatOffset(Math.trunc(seconds / 60))}:${String(Math.abs(seconds % 60)).padStart(2, "0")}`;
}

const others: readonly ScalarDefinition[] = [
  {
    name: "at_timezone",
    keepsPicos: true,
    args: [moment, "varchar"],
    returns: moment,
    description: "Same instant in the time zone",
    host: ([value, zone]) => pack(instantOf(value as bigint), zoneKey(zone as string)),
    example: { sql: `at_timezone(${sample}, 'Europe/Paris')`, result: "2020-02-29 10:11:12.345 Europe/Paris" },
  },
  {
    name: "at_timezone",
    keepsPicos: true,
    args: [moment, "interval day to second"],
    returns: moment,
    description: "Same instant at the offset",
    host: ([value, offset]) => pack(instantOf(value as bigint), intervalKey(offset as bigint)),
  },
  {
    name: "at_timezone",
    keepsPicos: true,
    args: [timeZoned, "varchar"],
    returns: timeZoned,
    description: "Same time at the offset",
    host: ([value, zone]) => {
      const key = zoneKey(zone as string);
      return pack(instantOf(value as bigint), zoneKeyOfOffset(Math.trunc(offsetOf(pack(0n, key)) / 60)) ?? utcKey);
    },
    example: { sql: `at_timezone(${sampleTimeZoned}, '+02:00')`, result: "06:41:12.345+02:00" },
  },
  {
    name: "at_timezone",
    keepsPicos: true,
    args: [timeZoned, "interval day to second"],
    returns: timeZoned,
    description: "Same time at the offset",
    host: ([value, offset]) => pack(instantOf(value as bigint), intervalKey(offset as bigint)),
  },
  {
    name: "with_timezone",
    keepsPicos: true,
    args: ["timestamp(p)", "varchar"],
    returns: moment,
    returnType: ([type]) => ({ kind: "timestamp with time zone", precision: type?.kind === "timestamp" ? type.precision : 3 }),
    description: "Timestamp with time zone of the local timestamp in the time zone",
    host: ([local, zone]) => ofLocal(local as bigint, zoneKey(zone as string)),
    example: {
      sql: "with_timezone(TIMESTAMP '2020-03-08 02:30:00', 'America/New_York')",
      result: "2020-03-08 03:30:00 America/New_York",
    },
  },
  {
    name: "last_day_of_month",
    args: [moment],
    returns: "date",
    description: "Last day of the month, in the time zone of the value",
    host: ([value]) => {
      const days = daysOfMicros(localMicros(value as bigint));
      const { year, month, day } = civilOf(days);
      return days - day + daysInMonth(year, month);
    },
    example: { sql: `last_day_of_month(${sample})`, result: "2020-02-29" },
  },
  {
    name: "date",
    args: [moment],
    returns: "date",
    description: "Date of the timestamp, in its time zone",
    host: ([value]) => daysOfMicros(localMicros(value as bigint)),
    example: { sql: `date(${sample})`, result: "2020-02-29" },
  },
  {
    name: "to_iso8601",
    args: [moment],
    seesPicos: true,
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "ISO 8601 string of the value",
    host: ([value], { argTypes }) => {
      const type = argTypes[0] as Type;
      const precision = type.kind === "timestamp with time zone" ? type.precision : 3;
      const seconds = offsetOf(value as bigint);
      if (seconds % 60 !== 0) {
        throw new QueryError(
          "INVALID_ARGUMENTS",
          `Timezone with non-zero seconds offset cannot be rendered as ISO8601: ${offsetText(seconds)}`,
        );
      }
      const offset = seconds === 0 ? "Z" : formatOffset(seconds / 60);
      const shown = { micros: localMicros(value as bigint), picos: subMicros(value as bigint) };
      return `${isoText(roundMoment(shown, precision), precision)}${offset}`;
    },
    example: { sql: `to_iso8601(${sample})`, result: "2020-02-29T04:11:12.345-05:00" },
  },
  {
    name: "format_datetime",
    args: [moment, "varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "Timestamp formatted with a Joda pattern, in its time zone",
    seesPicos: true,
    host: ([value, pattern]) => {
      const rounded = roundZoned(value as bigint, jodaPrecision);
      return formatJoda(localMicros(rounded), pattern as string, { key: zoneOf(rounded), offsetSeconds: offsetOf(rounded) });
    },
    example: { sql: `format_datetime(${sample}, 'yyyy-MM-dd HH:mm Z ZZ ZZZ')`, result: "2020-02-29 04:11 -0500 -05:00 America/New_York" },
  },
  {
    name: "date_format",
    args: [moment, "varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "Timestamp formatted with a MySQL pattern, in its time zone",
    seesPicos: true,
    host: ([value, pattern]) => formatMysql(localMicros(roundZoned(value as bigint, jodaPrecision)), pattern as string),
    example: { sql: `date_format(${sample}, '%Y/%m/%d %H:%i')`, result: "2020/02/29 04:11" },
  },
  {
    name: "to_char",
    args: [moment, "varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "Timestamp formatted with a Teradata pattern, in its time zone",
    seesPicos: true,
    host: ([value, pattern]) => formatTeradata(localMicros(roundZoned(value as bigint, jodaPrecision)), pattern as string),
    example: { sql: `to_char(${sample}, 'yyyy/mm/dd hh24:mi')`, result: "2020/02/29 04:11" },
  },
];

export const zonedDefinitions: readonly ScalarDefinition[] = [...byUnit, ...made, ...others];
