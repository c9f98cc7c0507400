/**
 * Functions of moments and times of day with a zone, row by row. What a clock shows decides units of a day and more; shorter ones count instants.
 */
import { formatDouble } from "../../runtime/formats.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { type Type, VARCHAR } from "../../../types/type.ts";
import { formatOffset, utcKey, zoneKeyOfOffset } from "../../../types/time/zones.ts";
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

/** Through the clock for units of a day and more, else with the offset that holds. */
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
    description: "Start of the unit that a moment falls into on its zone's clock",
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
    description: "A moment moved by a number of units; days and more on its zone's clock",
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
    description: "Whole units from one moment to another; days and more on the clock of the first one's zone",
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
        description: "Start of the unit that a time of day falls into",
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
        description: "A time of day moved by a number of units, around midnight",
        host: ([text, count, value]) => change(value as bigint, (micros) => addUnits(micros, timeUnit(text as HostValue), count as bigint)),
        example: { sql: `date_add('hour', 23, ${example})`, result: added },
      },
      {
        name: "date_diff",
        args: ["varchar", pattern, pattern],
        returns: "bigint",
        description: "Whole units from one time of day to another",
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

/** What a decimal has behind its point is cut off. */
function ofNanos(given: bigint, type: Type): bigint {
  const nanos = type.kind === "decimal" ? given / 10n ** BigInt(type.scale) : given;
  const rest = ((nanos % 1000n) + 1000n) % 1000n;
  return pack((nanos - rest) / 1000n, utcKey, rest * 1000n);
}

/** Joda cuts what has more than milliseconds; nanoseconds are as they are written. */
function cutZoned(value: bigint, precision: number): bigint {
  return precision > jodaPrecision ? value : pack(truncateToUnit(instantOf(value), "millisecond"), zoneOf(value));
}

/** Each as a user calls it, and with the session's zone. */
const isoMoments: readonly ScalarDefinition[] = (
  [
    ["from_iso8601_timestamp", 3, "", "2020-02-29T10:11:12.345+01:00", "2020-02-29 10:11:12.345 +01:00"],
    ["from_iso8601_timestamp_nanos", 9, ", to the nanosecond", "2020-02-29T10:11:12.345678901Z", "2020-02-29 10:11:12.345678901 UTC"],
  ] as const
).flatMap(([name, precision, exactness, example, result]): ScalarDefinition[] => [
  {
    name,
    args: ["varchar"],
    returns: moment,
    returnType: zonedType(precision),
    description: `The moment that an ISO 8601 text names${exactness}, in its offset or the session's zone`,
    host: ([text]) => cutZoned(parseIsoZoned(text as string, utcKey), precision),
    example: { sql: `${name}('${example}')`, result },
  },
  {
    name: `$${name}`,
    args: ["varchar", "varchar"],
    returns: moment,
    returnType: zonedType(precision),
    description: `${name} with the session's zone`,
    host: ([text, zone]) => cutZoned(parseIsoZoned(text as string, zoneKey(zone as string)), precision),
  },
]);

/** What casts to moments become: to the microsecond, and with all digits. */
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
      description: `The cast of a text to a moment${exactness}, in its own or the session's zone`,
      host: ([text, zone]) => zonedOfText(text as string, zoneKey(zone as string), precision),
    },
    {
      name: `${prefix}_of_time`,
      args: [time, "date"],
      returns: "timestamp(p)",
      returnType: () => type,
      description: `A time of day on a date${exactness}`,
      host: ([picos, days]) => timestampOf(type, momentOn(days as number, picos as bigint)),
    },
    {
      name: `${prefix}_of_time`,
      args: [timeZoned, "date"],
      returns: moment,
      returnType: zonedType(precision),
      description: `A time of day with an offset on a date${exactness}`,
      host: ([value, days]) => {
        const { micros, picos } = momentOn(days as number, localPicos(value as bigint));
        return ofLocal(micros, zoneOf(value as bigint), picos);
      },
    },
  ];
});

/** What belongs to a session comes last and is put there by the plan: see planner/session-zone.ts. */
const made: readonly ScalarDefinition[] = [
  {
    name: "from_unixtime",
    args: ["double"],
    returns: moment,
    returnType: millisType,
    description: "The moment of seconds since 1970-01-01 UTC, in the session's zone",
    host: ([seconds]) => ofSeconds(seconds as number, utcKey),
    example: { sql: "from_unixtime(1)", result: "1970-01-01 00:00:01.000 UTC" },
  },
  {
    name: "from_unixtime",
    args: ["double", "varchar"],
    returns: moment,
    returnType: millisType,
    description: "The moment of seconds since 1970-01-01 UTC, in a zone",
    host: ([seconds, zone]) => ofSeconds(seconds as number, zoneKey(zone as string)),
    example: { sql: "from_unixtime(1, 'Asia/Kolkata')", result: "1970-01-01 05:30:01.000 Asia/Kolkata" },
  },
  {
    name: "from_unixtime",
    args: ["double", "bigint", "bigint"],
    returns: moment,
    returnType: millisType,
    description: "The moment of seconds since 1970-01-01 UTC, with an offset of hours and minutes",
    host: ([seconds, hours, minutes]) => ofSeconds(seconds as number, offsetKey(hours as bigint, minutes as bigint)),
    example: { sql: "from_unixtime(1, -3, -30)", result: "1969-12-31 20:30:01.000 -03:30" },
  },
  {
    name: "to_unixtime",
    args: [moment],
    returns: "double",
    description: "Seconds since 1970-01-01 UTC",
    host: ([value]) => Number(instantOf(value as bigint)) / 1_000_000,
    example: { sql: `to_unixtime(${sample})`, result: "1.582967472345E9" },
  },
  ...isoMoments,
  {
    name: "parse_datetime",
    args: ["varchar", "varchar"],
    returns: moment,
    returnType: millisType,
    description: "The moment that a text names by a pattern of Joda's, in its own or the session's zone",
    host: ([text, pattern]) => parseJodaZoned(text as string, pattern as string, utcKey),
    example: { sql: "parse_datetime('2020-02-29 10:11 +0100', 'yyyy-MM-dd HH:mm Z')", result: "2020-02-29 10:11:00.000 +01:00" },
  },
  {
    name: "$parse_datetime",
    args: ["varchar", "varchar", "varchar"],
    returns: moment,
    returnType: millisType,
    description: "parse_datetime with the session's zone",
    host: ([text, pattern, zone]) => parseJodaZoned(text as string, pattern as string, zoneKey(zone as string)),
  },
  ...["bigint", "decimal(p,s)"].map(
    (type): ScalarDefinition => ({
      name: "from_unixtime_nanos",
      args: [type],
      returns: moment,
      returnType: nanosType,
      description: "The moment of nanoseconds since 1970-01-01 UTC",
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
    description: "The cast of a text to a time of day with its own offset or the session's, in minutes",
    host: ([text, minutes]) => timeZonedOfText(text as string, 12, Number(minutes)),
  },
  {
    name: "$time_with_offset",
    args: ["time(p)", "bigint"],
    returns: timeZoned,
    returnType: ([type]) => ({ kind: "time with time zone", precision: type?.kind === "time" ? type.precision : 3 }),
    description: "A time of day with the minutes that its clock is before UTC",
    host: ([picos, minutes]) => packTime(picos as bigint, Number(minutes)),
  },
];

/** `-07:36:12`, of an offset that is no whole number of minutes. */
function offsetText(seconds: number): string {
  return `${formatOffset(Math.trunc(seconds / 60))}:${String(Math.abs(seconds % 60)).padStart(2, "0")}`;
}

const others: readonly ScalarDefinition[] = [
  {
    name: "at_timezone",
    keepsPicos: true,
    args: [moment, "varchar"],
    returns: moment,
    description: "The same instant in another zone",
    host: ([value, zone]) => pack(instantOf(value as bigint), zoneKey(zone as string)),
    example: { sql: `at_timezone(${sample}, 'Europe/Paris')`, result: "2020-02-29 10:11:12.345 Europe/Paris" },
  },
  {
    name: "at_timezone",
    keepsPicos: true,
    args: [moment, "interval day to second"],
    returns: moment,
    description: "The same instant with another offset",
    host: ([value, offset]) => pack(instantOf(value as bigint), intervalKey(offset as bigint)),
  },
  {
    name: "at_timezone",
    keepsPicos: true,
    args: [timeZoned, "varchar"],
    returns: timeZoned,
    description: "The same time with another offset",
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
    description: "The same time with another offset",
    host: ([value, offset]) => pack(instantOf(value as bigint), intervalKey(offset as bigint)),
  },
  {
    name: "with_timezone",
    keepsPicos: true,
    args: ["timestamp(p)", "varchar"],
    returns: moment,
    returnType: ([type]) => ({ kind: "timestamp with time zone", precision: type?.kind === "timestamp" ? type.precision : 3 }),
    description: "What a zone's clock shows as a moment",
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
    description: "Last day of the month on the zone's clock",
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
    description: "The date of a moment on its zone's clock",
    host: ([value]) => daysOfMicros(localMicros(value as bigint)),
    example: { sql: `date(${sample})`, result: "2020-02-29" },
  },
  {
    name: "to_iso8601",
    args: [moment],
    seesPicos: true,
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "A moment as ISO 8601 writes it",
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
    description: "A moment by a pattern of Joda's, on its zone's clock",
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
    description: "A moment by a MySQL pattern, on its zone's clock",
    seesPicos: true,
    host: ([value, pattern]) => formatMysql(localMicros(roundZoned(value as bigint, jodaPrecision)), pattern as string),
    example: { sql: `date_format(${sample}, '%Y/%m/%d %H:%i')`, result: "2020/02/29 04:11" },
  },
];

export const zonedDefinitions: readonly ScalarDefinition[] = [...byUnit, ...made, ...others];
