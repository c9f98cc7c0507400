/**
 * date_dim and time_dim: one row for each day from 1900-01-02 to 2100-01-01 and for each second of a day.
 */
import { type CalendarDate, dateOfJulianDay, dayOfYear, daysBefore, epochDay, firstDateDay, isLeap, julianDay } from "../calendar.ts";
import { shifts, subShifts } from "../data/lists.ts";
import { cellsByName, columnsOf, type Cursor, flag, number, perRow, rowByRow, text, type TpcdsTable, word } from "../table.ts";
import { businessKey } from "../text.ts";

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/** Days of the year, in the table of 366 days. */
const holidays: readonly number[] = [1, 186, 360, 366];

interface Day extends CalendarDate {
  readonly julian: number;
  /** 1 to 366, also in years with 365 days: the index in dsdgen's table of days. */
  readonly place: number;
  readonly quarter: number;
  /** 0 is Sunday. */
  readonly dayOfWeek: number;
}

function dayOfRow(cursor: Cursor): () => Day {
  return perRow(cursor, () => {
    const julian = firstDateDay + cursor.row;
    const date = dateOfJulianDay(julian);
    const place = dayOfYear(date);
    // Spelled out, because a spread costs several times as much and every query over dates pays it for 73,049 rows.
    const { year, month, day } = date;
    return { year, month, day, julian, place, quarter: quarterOfPlace(place), dayOfWeek: dayOfWeek(julian, date) };
  });
}

/** dsdgen counts a 29th of February in 1900 and 2100, so its weekdays in January and February of these years are off by one. */
function dayOfWeek(julian: number, { year, month }: CalendarDate): number {
  const wronglyLeap = year % 100 === 0 && year % 400 !== 0 && month <= 2;
  return (julian + (wronglyLeap ? 0 : 1)) % 7;
}

/** By the months of a leap year. */
function quarterOfPlace(place: number): number {
  return place <= 91 ? 1 : place <= 182 ? 2 : place <= 274 ? 3 : 4;
}

function isHoliday(place: number): boolean {
  return holidays.includes(place);
}

/** The previous day in the table of days. */
function placeBefore(day: Day): number {
  return day.place === 1 ? 365 + (isLeap(day.year - 1) ? 1 : 0) : day.place - 1;
}

function sameDayLastYear({ year, month, day }: Day): number {
  return julianDay({ year: year - 1, month, day: month === 2 && day === 29 ? 28 : day });
}

/** The day of the previous quarter with the same offset from the quarter's start. */
function sameDayLastQuarter({ julian, year, month }: Day): number {
  const firstMonth = month - ((month - 1) % 3);
  const start = julianDay({ year, month: firstMonth, day: 1 });
  const before = firstMonth === 1 ? { year: year - 1, month: 10, day: 1 } : { year, month: firstMonth - 3, day: 1 };
  return julianDay(before) + (julian - start);
}

/** Month and quarter in which the data is assumed to be generated. */
const current = { year: 2003, month: 1, quarter: 1 };

export const dateDim: TpcdsTable = {
  name: "date_dim",
  columns: columnsOf(
    `d_date_sk k, d_date_id c16, d_date d, d_month_seq i, d_week_seq i, d_quarter_seq i, d_year i, d_dow i, d_moy i, d_dom i, d_qoy i
d_fy_year i, d_fy_quarter_seq i, d_fy_week_seq i, d_day_name c9, d_quarter_name c6, d_holiday c1, d_weekend c1, d_following_holiday c1
d_first_dom i, d_last_dom i, d_same_day_ly i, d_same_day_lq i, d_current_day c1, d_current_week c1, d_current_month c1
d_current_quarter c1, d_current_year c1`,
  ),
  key: () => ["d_date_sk"],
  rows: (scale) => scale.rows("date_dim"),
  units: (scale) => scale.rows("date_dim"),
  advance: rowByRow((scale) => scale.rows("date_dim")),
  cell: ({ cursor }) => {
    const day = dayOfRow(cursor);
    const week = (): number => Math.floor((cursor.row + 6) / 7);
    const quarterSeq = (): number => (day().year - 1900) * 4 + Math.floor(day().month / 3) + 1;
    return cellsByName({
      d_date_sk: () => number(() => firstDateDay + cursor.row),
      d_date_id: () => text(() => businessKey(firstDateDay + cursor.row)),
      d_date: () => number(() => firstDateDay + cursor.row - epochDay),
      d_month_seq: () => number(() => (day().year - 1900) * 12 + day().month - 1),
      d_week_seq: () => number(week),
      d_quarter_seq: () => number(quarterSeq),
      d_year: () => number(() => day().year),
      d_dow: () => number(() => day().dayOfWeek),
      d_moy: () => number(() => day().month),
      d_dom: () => number(() => day().day),
      d_qoy: () => number(() => day().quarter),
      d_fy_year: () => number(() => day().year),
      d_fy_quarter_seq: () => number(quarterSeq),
      d_fy_week_seq: () => number(week),
      d_day_name: () => word(dayNames, () => day().dayOfWeek),
      d_quarter_name: () => text(() => `${day().year}Q${day().quarter}`),
      d_holiday: () => flag(() => isHoliday(day().place)),
      // Friday and Saturday, as in dsdgen.
      d_weekend: () => flag(() => day().dayOfWeek >= 5),
      d_following_holiday: () => flag(() => isHoliday(placeBefore(day()))),
      d_first_dom: () => number(() => day().julian - day().day + 1),
      // Not the last day of the month: dsdgen adds the number of days of the year before the month.
      d_last_dom: () => number(() => day().julian - day().day + daysBefore(day().month, isLeap(day().year))),
      d_same_day_ly: () => number(() => sameDayLastYear(day())),
      d_same_day_lq: () => number(() => sameDayLastQuarter(day())),
      // dsdgen compares the day's key with a day of the month, so no day is the current one.
      d_current_day: () => flag(() => false),
      d_current_week: () => flag(() => false),
      d_current_month: () => flag(() => day().year === current.year && day().month === current.month),
      d_current_quarter: () => flag(() => day().year === current.year && day().quarter === current.quarter),
      d_current_year: () => flag(() => day().year === current.year),
    });
  },
};

const meals: readonly string[] = ["breakfast", "lunch", "dinner"];

function mealOfHour(hour: number): number | undefined {
  return hour >= 6 && hour <= 9 ? 0 : hour >= 12 && hour <= 14 ? 1 : hour >= 17 && hour <= 19 ? 2 : undefined;
}

export const timeDim: TpcdsTable = {
  name: "time_dim",
  columns: columnsOf(
    "t_time_sk k, t_time_id c16, t_time i, t_hour i, t_minute i, t_second i, t_am_pm c2, t_shift c20, t_sub_shift c20, t_meal_time c20",
  ),
  key: () => ["t_time_sk"],
  rows: (scale) => scale.rows("time_dim"),
  units: (scale) => scale.rows("time_dim"),
  advance: rowByRow((scale) => scale.rows("time_dim")),
  cell: ({ cursor }) => {
    const hour = (): number => Math.floor((cursor.row - 1) / 3600);
    return cellsByName({
      t_time_sk: () => number(() => cursor.row - 1),
      t_time_id: () => text(() => businessKey(cursor.row)),
      t_time: () => number(() => cursor.row - 1),
      t_hour: () => number(hour),
      t_minute: () => number(() => Math.floor((cursor.row - 1) / 60) % 60),
      t_second: () => number(() => (cursor.row - 1) % 60),
      t_am_pm: () => word(["AM", "PM"], () => (hour() < 12 ? 0 : 1)),
      // Third shift from 23, first from 7, second from 15.
      t_shift: () => word(shifts, () => (hour() >= 23 || hour() < 7 ? 0 : hour() < 15 ? 1 : 2)),
      t_sub_shift: () => word(subShifts, () => (hour() < 6 ? 0 : hour() < 12 ? 1 : hour() < 17 ? 2 : 3)),
      t_meal_time: () => word(meals, () => mealOfHour(hour())),
    });
  },
};
