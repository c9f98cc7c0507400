/**
 * Functions of dates and timestamps: fields in kernel code, arithmetic by unit and formats as host functions.
 */
import { f64, i32, i64 } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { BIGINT, DATE, DOUBLE, TIMESTAMP, type Type } from "../../../types/type.ts";
import { formatMysql, parseMysql } from "./date-format.ts";
import { daysFromCivil, emitCivil, emitDays, emitDayOfWeek, emitDayOfYear, emitIsoWeek, emitMicrosOfDay } from "./date-kernels.ts";
import { addUnits, type DateUnit, dateUnits, daysOfMicros, differenceInUnits, microsPerDay, truncateToUnit } from "./dates.ts";
import type { HostValue, ScalarDefinition } from "../../registry/definition.ts";
import type { EmitContext } from "../../runtime/emit.ts";
import { formatPlainDate, parseDate, roundTimestamp } from "../../runtime/formats.ts";
import { momentOf } from "./long-timestamps.ts";
import { invalid } from "../string/implementations.ts";
import { formatJoda, jodaPrecision, parseIsoDate } from "./joda-format.ts";
import { part, type Value, valueOf } from "../../runtime/value.ts";
import { isoText } from "../../cast/zoned-casts.ts";

const moments = ["date", "timestamp(p)"] as const;

type FieldCode = (context: EmitContext, value: Value) => Expr;

const dateFields: readonly (readonly [names: readonly string[], description: string, code: FieldCode, ofDate: string])[] = [
  [["year"], "Year of the date", ({ b }, value) => emitCivil(b, emitDays(b, value)).year, "2020"],
  [
    ["quarter"],
    "Quarter of the year, from 1 to 4",
    ({ b }, value) => i32.add(i32.divU(i32.sub(emitCivil(b, emitDays(b, value)).month, i32.const(1)), i32.const(3)), i32.const(1)),
    "1",
  ],
  [["month"], "Month of the year, from 1 to 12", ({ b }, value) => emitCivil(b, emitDays(b, value)).month, "2"],
  [["week", "week_of_year"], "ISO week of the year", ({ b }, value) => emitIsoWeek(b, emitDays(b, value)).week, "9"],
  [["year_of_week", "yow"], "Year of the ISO week", ({ b }, value) => emitIsoWeek(b, emitDays(b, value)).year, "2020"],
  [["day", "day_of_month"], "Day of the month", ({ b }, value) => emitCivil(b, emitDays(b, value)).day, "29"],
  [
    ["day_of_week", "dow"],
    "ISO day of the week, from 1 (Monday) to 7 (Sunday)",
    ({ b }, value) => emitDayOfWeek(b, emitDays(b, value)),
    "6",
  ],
  [["day_of_year", "doy"], "Day of the year", ({ b }, value) => emitDayOfYear(b, emitDays(b, value)), "60"],
];

const dateParts: readonly ScalarDefinition[] = dateFields.flatMap(([names, description, code, ofDate]) =>
  names.flatMap((name) =>
    moments.map(
      (moment): ScalarDefinition => ({
        name,
        args: [moment],
        returns: "bigint",
        description,
        total: true,
        emit: (context, args) => valueOf(BIGINT, i64.extendI32S(code(context, args[0] as Value))),
        example: { sql: `${name}(${moment === "date" ? "DATE '2020-02-29'" : "TIMESTAMP '2020-02-29 10:11:12.345'"})`, result: ofDate },
      }),
    ),
  ),
);

const timeFields: readonly (readonly [name: string, unit: bigint, modulo: bigint, description: string, result: string])[] = [
  ["hour", 3_600_000_000n, 24n, "Hour of the day", "10"],
  ["minute", 60_000_000n, 60n, "Minute of the hour", "11"],
  ["second", 1_000_000n, 60n, "Second of the minute", "12"],
  ["millisecond", 1000n, 1000n, "Millisecond of the second", "345"],
];

const timeParts: readonly ScalarDefinition[] = timeFields.flatMap(([name, unit, modulo, description, result]): ScalarDefinition[] => [
  {
    name,
    args: ["timestamp(p)"],
    returns: "bigint",
    description,
    total: true,
    emit: ({ b }, args) => valueOf(BIGINT, i64.remU(i64.divU(emitMicrosOfDay(b, args[0] as Value), i64.const(unit)), i64.const(modulo))),
    example: { sql: `${name}(TIMESTAMP '2020-02-29 10:11:12.345')`, result },
  },
  {
    name,
    args: ["interval day to second"],
    returns: "bigint",
    description,
    total: true,
    emit: (_context, args) => valueOf(BIGINT, i64.remS(i64.divS(part(args[0] as Value, 0), i64.const(unit / 1000n)), i64.const(modulo))),
  },
]);

const intervalParts: readonly ScalarDefinition[] = [
  {
    name: "day",
    args: ["interval day to second"],
    returns: "bigint",
    description: "Day field of the interval",
    total: true,
    emit: (_context, args) => valueOf(BIGINT, i64.divS(part(args[0] as Value, 0), i64.const(86_400_000n))),
  },
  {
    name: "year",
    args: ["interval year to month"],
    returns: "bigint",
    description: "Year field of the interval",
    total: true,
    emit: (_context, args) => valueOf(BIGINT, i64.extendI32S(i32.divS(part(args[0] as Value, 0), i32.const(12)))),
  },
  {
    name: "month",
    args: ["interval year to month"],
    returns: "bigint",
    description: "Month field of the interval",
    total: true,
    emit: (_context, args) => valueOf(BIGINT, i64.extendI32S(i32.remS(part(args[0] as Value, 0), i32.const(12)))),
  },
];

function unitOf(text: HostValue, type: Type): DateUnit {
  const unit = (text as string).toLowerCase() as DateUnit;
  const allowed = type.kind === "date" ? ["day", "week", "month", "quarter", "year"] : dateUnits;
  if (!(allowed as readonly string[]).includes(unit)) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `'${text as string}' is not a valid ${type.kind.toUpperCase()} field`);
  }
  return unit;
}

/** Microseconds of a timestamp, or of midnight of a date. */
function microsOf(value: HostValue): bigint {
  return typeof value === "number" ? BigInt(value) * microsPerDay : (value as bigint);
}

function backTo(type: Type, micros: bigint): HostValue {
  const days = daysOfMicros(micros);
  if (type.kind === "date" ? Math.abs(days) > 2 ** 31 - 1 : BigInt.asIntN(64, micros) !== micros) {
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `${type.kind} addition overflow`);
  }
  return type.kind === "date" ? days : micros;
}

const byUnit: readonly ScalarDefinition[] = moments.flatMap((moment): ScalarDefinition[] => {
  const sample = moment === "date" ? "DATE '2020-02-29'" : "TIMESTAMP '2020-02-29 10:11:12.345'";
  const isDate = moment === "date";
  return [
    {
      name: "date_trunc",
      args: ["varchar", moment],
      returns: moment,
      description: "Timestamp truncated to the unit",
      host: ([unit, value], { argTypes }) =>
        backTo(argTypes[1] as Type, truncateToUnit(microsOf(value as HostValue), unitOf(unit as HostValue, argTypes[1] as Type))),
      example: { sql: `date_trunc('month', ${sample})`, result: isDate ? "2020-02-01" : "2020-02-01 00:00:00.000" },
    },
    {
      name: "date_add",
      keepsPicos: true,
      args: ["varchar", "bigint", moment],
      returns: moment,
      description: "Timestamp plus an amount of the unit",
      host: ([unit, count, value], { argTypes }) =>
        backTo(
          argTypes[2] as Type,
          addUnits(microsOf(value as HostValue), unitOf(unit as HostValue, argTypes[2] as Type), count as bigint),
        ),
      example: { sql: `date_add('year', 1, ${sample})`, result: isDate ? "2021-02-28" : "2021-02-28 10:11:12.345" },
    },
    {
      name: "date_diff",
      args: ["varchar", moment, moment],
      returns: "bigint",
      description: "Difference of the timestamps in complete units",
      host: ([unit, from, to], { argTypes }) =>
        differenceInUnits(microsOf(from as HostValue), microsOf(to as HostValue), unitOf(unit as HostValue, argTypes[1] as Type)),
      example: { sql: `date_diff('day', ${sample}, ${sample})`, result: "0" },
    },
    {
      name: "last_day_of_month",
      args: [moment],
      returns: "date",
      description: "Last day of the month",
      total: true,
      emit: ({ b }, args) => {
        const { year, month } = emitCivil(b, emitDays(b, args[0] as Value));
        const isLast = b.temp(i32.eq(month, i32.const(12)));
        const next = b.temp({
          kind: "select",
          type: "i32",
          condition: isLast,
          then: i32.const(1),
          otherwise: i32.add(month, i32.const(1)),
        });
        return valueOf(DATE, i32.sub(b.call(daysFromCivil(b.kernel), b.temp(i32.add(year, isLast)), next, i32.const(1)), i32.const(1)));
      },
      example: { sql: `last_day_of_month(${sample})`, result: "2020-02-29" },
    },
    {
      name: "date",
      args: [moment],
      returns: "date",
      description: "Date of the timestamp",
      total: true,
      emit: ({ b }, args) => valueOf(DATE, emitDays(b, args[0] as Value)),
      example: { sql: `date(${sample})`, result: "2020-02-29" },
    },
    {
      name: "to_iso8601",
      args: [moment],
      seesPicos: true,
      returns: "varchar",
      description: "ISO 8601 string of the value",
      host: ([value], { argTypes }) => {
        const type = argTypes[0] as Type;
        return type.kind === "timestamp" ? isoText(momentOf(type, value as bigint), type.precision) : formatPlainDate(value as number);
      },
      example: { sql: `to_iso8601(${sample})`, result: isDate ? "2020-02-29" : "2020-02-29T10:11:12.345" },
    },
  ];
});

function dateOfText(text: HostValue): number {
  const days = parseDate(text as string);
  if (days === undefined) {
    throw new QueryError("INVALID_CAST_ARGUMENT", `Value cannot be cast to date: ${text as string}`);
  }
  return days;
}

const others: readonly ScalarDefinition[] = [
  {
    name: "date",
    args: ["varchar"],
    returns: "date",
    description: "Date parsed from the string",
    host: ([text]) => dateOfText(text as HostValue),
    example: { sql: "date('2020-02-29')", result: "2020-02-29" },
  },
  {
    name: "from_iso8601_date",
    args: ["varchar"],
    returns: "date",
    description: "Date parsed from an ISO 8601 string",
    host: ([text]) => parseIsoDate(text as string) ?? invalid(`Invalid format: "${text as string}"`),
    example: { sql: "from_iso8601_date('2020-W09-6')", result: "2020-02-29" },
  },
  {
    name: "format_datetime",
    args: ["timestamp(p)", "varchar"],
    returns: "varchar",
    description: "Timestamp formatted with a Joda pattern",
    host: ([micros, pattern]) => formatJoda(roundTimestamp(micros as bigint, jodaPrecision), pattern as string),
    example: { sql: "format_datetime(TIMESTAMP '2020-02-29 10:11:12', 'EEE, d MMM yyyy HH:mm')", result: "Sat, 29 Feb 2020 10:11" },
  },
  {
    name: "to_unixtime",
    args: ["timestamp(p)"],
    returns: "double",
    description: "Unix time of the timestamp, in seconds",
    total: true,
    emit: (_context, args) => valueOf(DOUBLE, f64.div(f64.convertI64S(part(args[0] as Value, 0)), f64.const(1_000_000))),
    example: { sql: "to_unixtime(TIMESTAMP '1970-01-01 00:00:01.500')", result: "1.5" },
  },
  {
    name: "date_format",
    args: ["timestamp(p)", "varchar"],
    returns: "varchar",
    description: "Timestamp formatted with a MySQL pattern",
    host: ([micros, pattern]) => formatMysql(roundTimestamp(micros as bigint, jodaPrecision), pattern as string),
    example: { sql: "date_format(TIMESTAMP '2020-02-29 10:11:12', '%Y/%m/%d %H:%i:%s')", result: "2020/02/29 10:11:12" },
  },
  {
    name: "date_parse",
    args: ["varchar", "varchar"],
    returns: "timestamp(3)",
    returnType: () => TIMESTAMP,
    description: "Timestamp parsed with a MySQL pattern",
    host: ([text, pattern]) => parseMysql(text as string, pattern as string),
    example: { sql: "date_parse('2020/02/29', '%Y/%m/%d')", result: "2020-02-29 00:00:00.000" },
  },
];

export const dateDefinitions: readonly ScalarDefinition[] = [...dateParts, ...timeParts, ...intervalParts, ...byUnit, ...others];
