/**
 * Days of dsdgen: Julian day numbers, the weights of the days of a year, the versions of history rows. Its quirks are part of its output:
 * every fourth year is a leap year, and days of the year index a table of 366 days even in years with 365.
 */
import type { RowStream } from "./streams.ts";
import { cumulativeWeights, pick, type Weights } from "./distributions.ts";

/** Julian day number of 1970-01-01. */
export const epochDay = 2440588;
export const firstDateDay = 2415021;
/** 1998-01-01: the first day of sales and the start of the data. */
export const dataStart = 2450815;
/** 2003-12-31. */
export const dataEnd = 2453005;
/** 2003-01-08. */
export const today = 2452648;
export const salesYears = { first: 1998, last: 2002 };

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

export function isLeap(year: number): boolean {
  return year % 4 === 0;
}

export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Proleptic Gregorian, exact for the years of the data. */
export function julianDay({ year, month, day }: CalendarDate): number {
  const y = month > 2 ? year : year - 1;
  const m = month > 2 ? month - 3 : month + 9;
  const century = Math.floor(y / 100);
  return Math.floor((146097 * century) / 4) + Math.floor((1461 * (y % 100)) / 4) + Math.floor((153 * m + 2) / 5) + day + 1721119;
}

export function dateOfJulianDay(julian: number): CalendarDate {
  let rest = 4 * (julian - 1721119) - 1;
  const century = Math.floor(rest / 146097);
  rest = Math.floor((rest % 146097) / 4);
  const y = Math.floor((4 * rest + 3) / 1461);
  const dayOfYear = Math.floor((((4 * rest + 3) % 1461) + 4) / 4);
  const m = Math.floor((5 * dayOfYear - 3) / 153);
  const day = Math.floor((((5 * dayOfYear - 3) % 153) + 5) / 5);
  return { year: century * 100 + y + (m < 10 ? 0 : 1), month: m < 10 ? m + 3 : m - 9, day };
}

export function daysBefore(month: number, leap: boolean): number {
  return (daysBeforeMonth[month - 1] as number) + (leap && month > 2 ? 1 : 0);
}

/** 1 to 366, counted as in dsdgen, where every fourth year is a leap year. */
export function dayOfYear({ year, month, day }: CalendarDate): number {
  return daysBefore(month, isLeap(year)) + day;
}

/** Sales of a day of the year (1 to 366) as a share of the year's. */
export function salesWeight(day: number, leap: boolean): number {
  if (day === 60 && !leap) {
    return 0;
  }
  return day <= 213 ? 29 : day <= 305 ? 66 : 100;
}

export interface SalesDays {
  readonly ordinary: Weights;
  readonly leap: Weights;
  readonly uniform: Weights;
  readonly uniformLeap: Weights;
}

export function salesDays(): SalesDays {
  const days = Array.from({ length: 366 }, (_, index) => index + 1);
  return {
    ordinary: cumulativeWeights(days.map((day) => salesWeight(day, false))),
    leap: cumulativeWeights(days.map((day) => salesWeight(day, true))),
    uniform: cumulativeWeights(days.map((day) => (day === 60 ? 0 : 1))),
    uniformLeap: cumulativeWeights(days.map(() => 1)),
  };
}

/** A random day of sales, as a Julian day number. */
export function drawSalesDay(days: SalesDays, stream: RowStream): number {
  const year = stream.uniform(salesYears.first, salesYears.last);
  const day = pick(isLeap(year) ? days.leap : days.ordinary, stream) + 1;
  return julianDay({ year, month: 1, day: 1 }) + day;
}

export interface Revision {
  /** The row that determines its business key and address. */
  readonly keyRow: number;
  readonly begin: number;
  /** undefined for the current revision. */
  readonly end: number | undefined;
  /** True for the first row of its key. */
  readonly isFirst: boolean;
}

const span = dataEnd - dataStart;
const half = dataStart + Math.floor(span / 2);
const firstThird = dataStart + Math.floor(span / 3);
const secondThird = firstThird + Math.floor(span / 3);

/**
 * History rows come in groups of six: one key with one row, one with two, one with three. `table` is dsdgen's number of the table; its
 * dates are six days earlier for each number.
 */
export function revisionOfRow(row: number, table: number): Revision {
  const shift = table * 6;
  const revision = (keyRow: number, begin: number, end: number | undefined, isFirst: boolean): Revision => ({
    keyRow,
    begin: begin - shift,
    end: end === undefined ? undefined : end - shift,
    isFirst,
  });
  switch (row % 6) {
    case 1:
      return revision(row, dataStart, undefined, true);
    case 2:
      return revision(row, dataStart, half, true);
    case 3:
      return revision(row - 1, half + 1, undefined, false);
    case 4:
      return revision(row, dataStart, firstThird, true);
    case 5:
      return revision(row - 1, firstThird + 1, secondThird, false);
    default:
      return revision(row - 2, secondThird + 1, undefined, false);
  }
}

/** Number of keys of a history table with this number of rows. */
export function historyKeys(rows: number): number {
  return Math.floor(rows / 6) * 3 + ([0, 1, 2, 2, 3, 3][rows % 6] as number);
}

/** The row of a history table's key that is current on a day. */
export function rowOfKey(options: { readonly key: number; readonly day: number; readonly rows: number }): number {
  const { key, day } = options;
  let row: number;
  switch (key % 3) {
    case 1:
      row = Math.floor(key / 3) * 6 + 1;
      break;
    case 2:
      row = Math.floor(key / 3) * 6 + 2 + (day > half ? 1 : 0);
      break;
    default:
      row = Math.floor(key / 3) * 6 - 2 + (day > firstThird ? 1 : 0) + (day > secondThird ? 1 : 0);
  }
  return Math.min(row, options.rows);
}
