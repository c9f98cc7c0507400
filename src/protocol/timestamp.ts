/**
 * Points in time as the documents write them: `2014-02-02T08:41:32.123Z`, from epoch milliseconds and back. The engine has no Date; the calendar is the
 * proleptic Gregorian one, counted in eras of 400 years that begin on the first of March.
 */

export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

const dayMs = 86_400_000;
const eraDays = 146_097;
/** From 0000-03-01 to 1970-01-01. */
const epochShiftDays = 719_468;

export const timestampPattern: RegExp = /^[+-]?\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:\d{2})$/;

/** In UTC. */
export function civilFromMillis(epochMillis: number): CivilTime {
  const days = Math.floor(epochMillis / dayMs);
  const ofDay = Math.floor(epochMillis) - days * dayMs;
  const shifted = days + epochShiftDays;
  const era = Math.floor(shifted / eraDays);
  const dayOfEra = shifted - era * eraDays;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
    hour: Math.floor(ofDay / 3_600_000),
    minute: Math.floor(ofDay / 60_000) % 60,
    second: Math.floor(ofDay / 1000) % 60,
    millisecond: ofDay % 1000,
  };
}

/** Days since 1970-01-01 of a date of the calendar. */
export function daysFromCivil(date: { readonly year: number; readonly month: number; readonly day: number }): number {
  const year = date.month <= 2 ? date.year - 1 : date.year;
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const monthFromMarch = date.month > 2 ? date.month - 3 : date.month + 9;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + date.day - 1;
  return era * eraDays + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - epochShiftDays;
}

export function formatTimestamp(epochMillis: number): string {
  const time = civilFromMillis(epochMillis);
  const year = time.year >= 0 && time.year <= 9999 ? digits(time.year, 4) : `${time.year < 0 ? "-" : "+"}${digits(Math.abs(time.year), 6)}`;
  const date = `${year}-${digits(time.month, 2)}-${digits(time.day, 2)}`;
  return `${date}T${digits(time.hour, 2)}:${digits(time.minute, 2)}:${digits(time.second, 2)}.${digits(time.millisecond, 3)}Z`;
}

/** Epoch milliseconds, or undefined when the text is not a timestamp with milliseconds and an offset. */
export function parseTimestamp(text: string): number | undefined {
  const match = /^([+-]?\d{4,6})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})\.(\d{3})(?:Z|([+-])(\d{2}):(\d{2}))$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const part = (index: number): number => Number(match[index] ?? 0);
  const days = daysFromCivil({ year: part(1), month: part(2), day: part(3) });
  const local = ((days * 24 + part(4)) * 60 + part(5)) * 60_000 + part(6) * 1000 + part(7);
  const back = civilFromMillis(local);
  // A 30th of February comes back as something else.
  if (back.month !== part(2) || back.day !== part(3) || back.hour !== part(4) || back.minute !== part(5) || part(6) > 59) {
    return undefined;
  }
  const offsetMinutes = (part(9) * 60 + part(10)) * (match[8] === "-" ? -1 : 1);
  return local - offsetMinutes * 60_000;
}

export function digits(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
