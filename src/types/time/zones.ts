/**
 * Time zones of the tz database and fixed offsets: names, keys and offsets. The engine has no Intl, whose data differ between runtimes.
 */
import { civilOf, daysOf } from "./calendar.ts";
import { historyOfName, zoneHistories, zoneNames } from "./zone-table.ts";

/**
 * A zone in a value: 0 is UTC; 841 + minutes is a fixed offset of at most 14 hours; from `regionKeyFirst` on, positions in zoneNames. The
 * meaning of a key never changes.
 */
export type ZoneKey = number;

export const utcKey: ZoneKey = 0;

/** Encodes a timestamp with time zone: instant in microseconds above, zone below, with room for picoseconds between them. */
export function zonedMoment(instantMicros: bigint, zone: ZoneKey): bigint {
  return (instantMicros << 64n) | BigInt(zone);
}

const offsetMinutesMax = 840;
const offsetKeyZero = offsetMinutesMax + 1;
const regionKeyFirst = 2 * offsetMinutesMax + 2;
const secondsPerDay = 86_400;
const gridSeconds = 900;

interface YearlyChange {
  readonly month: number;
  /** 1 to 5; 5 is the last week of the month. */
  readonly week: number;
  /** Sunday is 0. */
  readonly weekday: number;
  /** Second of the day in local time before the transition. */
  readonly seconds: number;
}

interface YearlyRule {
  readonly standard: number;
  readonly summer: number;
  readonly toSummer: YearlyChange;
  readonly toStandard: YearlyChange;
}

interface History {
  readonly first: number;
  /** Seconds since 1970-01-01 UTC, ascending. */
  readonly instants: Float64Array;
  /** Offset from each instant on, in seconds east of Greenwich. */
  readonly offsets: Int32Array;
  readonly rule: YearlyRule | undefined;
  /** First instant, in seconds, from which only the rule applies: the start of the year after the last transition. */
  readonly ruledFrom: number;
}

interface Change {
  readonly instant: number;
  readonly before: number;
  readonly after: number;
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function numbers(text: string): readonly number[] {
  return text === "" ? [] : text.split(",").map(Number);
}

function readRule(parts: readonly number[]): YearlyRule | undefined {
  const [standard, summer, ...changes] = parts;
  if (standard === undefined || summer === undefined) {
    return undefined;
  }
  const change = (at: number): YearlyChange => {
    const [month = 0, week = 0, weekday = 0, seconds = 0] = changes.slice(at, at + 4);
    return { month, week, weekday, seconds };
  };
  return { standard, summer, toSummer: change(0), toStandard: change(4) };
}

/** Scans the text once per character without creating substrings. */
function readChanges(text: string): { readonly instants: Float64Array; readonly letters: readonly number[] } {
  const instants: number[] = [];
  const letters: number[] = [];
  let [quarters, digits, sign, whole] = [0, 0, 1, -1];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 65 && code <= 90) {
      quarters += sign * (whole < 0 ? digits : whole);
      instants.push(quarters * gridSeconds + (whole < 0 ? 0 : digits));
      letters.push(code - 65);
      [digits, sign, whole] = [0, 1, -1];
    } else if (code === 45) {
      sign = -1;
    } else if (code === 58) {
      [whole, digits] = [digits, 0];
    } else {
      digits = digits * 36 + (code < 58 ? code - 48 : code - 87);
    }
  }
  return { instants: Float64Array.from(instants), letters };
}

function readHistory(line: string): History {
  const [first = "0", offsets = "", rule = "", changes = ""] = line.split("|");
  const known = numbers(offsets);
  const { instants, letters } = readChanges(changes);
  const lastYear = civilOf(Math.floor((instants.at(-1) ?? 0) / secondsPerDay)).year;
  return {
    first: Number(first),
    ruledFrom: daysOf({ year: lastYear + 1, month: 1, day: 1 }) * secondsPerDay,
    instants,
    offsets: Int32Array.from(letters, (letter) => known[letter] ?? 0),
    rule: readRule(numbers(rule)),
  };
}

/** Most zones are never used, so a history is read when it is needed first: all of them take a tenth of a start. */
function readOnce(line: string): () => History {
  let history: History | undefined;
  return () => {
    history ??= readHistory(line);
    return history;
  };
}

const names: readonly string[] = Object.freeze(words(zoneNames));
const histories: readonly (() => History)[] = Object.freeze(words(zoneHistories).map((line) => readOnce(line)));
const historyOf: readonly (() => History)[] = Object.freeze(
  words(historyOfName).map((place) => histories[Number.parseInt(place, 36)] as () => History),
);
const keyOfName: ReadonlyMap<string, ZoneKey> = new Map(names.map((name, index) => [name.toLowerCase(), regionKeyFirst + index]));

/** All region names in the spelling of the tz database. */
export const regionNames: readonly string[] = names;

const utcNames: ReadonlySet<string> = new Set(["utc", "z", "ut", "uct", "gmt", "gmt0", "greenwich", "universal", "zulu"]);

/**
 * Key of an id, as Presto's TimeZoneKey reads it: case-insensitive; `UTC+01:00`, `GMT-5` and `Etc/GMT+5` (whose sign is inverted) are
 * offsets. Undefined for an unknown zone.
 */
export function zoneKeyOf(id: string): ZoneKey | undefined {
  const lower = id.toLowerCase();
  const isEtc = lower.startsWith("etc/");
  const bare = isEtc ? lower.slice(4) : lower;
  if (utcNames.has(bare)) {
    return utcKey;
  }
  const [, prefix = "", sign, hours, minutes] = /^(utc|gmt|ut)?([+-])(\d{1,2})(?::(\d{2}))?$/.exec(bare) ?? [];
  if (hours === undefined || (minutes !== undefined && hours.length < 2)) {
    return keyOfName.get(lower);
  }
  const total = Number(hours) * 60 + Number(minutes ?? 0);
  const turned = isEtc && prefix === "gmt" && minutes === undefined;
  return Number(minutes ?? 0) > 59 ? undefined : zoneKeyOfOffset((sign === "-") === turned ? total : -total);
}

/** Undefined beyond 14 hours. */
export function zoneKeyOfOffset(minutes: number): ZoneKey | undefined {
  return Math.abs(minutes) > offsetMinutesMax ? undefined : minutes === 0 ? utcKey : offsetKeyZero + minutes;
}

/** `+05:30` */
export function formatOffset(minutes: number): string {
  const magnitude = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(magnitude / 60))}:${two(magnitude % 60)}`;
}

/** `UTC`, `+05:30` or the region name. */
export function zoneId(key: ZoneKey): string {
  if (key === utcKey) {
    return "UTC";
  }
  return key < regionKeyFirst ? formatOffset(key - offsetKeyZero) : (names[key - regionKeyFirst] ?? "UTC");
}

function historyOfKey(key: ZoneKey): History | number {
  if (key === utcKey) {
    return 0;
  }
  return key < regionKeyFirst ? (key - offsetKeyZero) * 60 : (historyOf[key - regionKeyFirst]?.() ?? 0);
}

/** Offset in seconds east of Greenwich at an instant (whole seconds since 1970-01-01 UTC). */
export function offsetAt(key: ZoneKey, instant: number): number {
  const history = historyOfKey(key);
  if (typeof history === "number") {
    return history;
  }
  if (history.rule !== undefined && instant >= history.ruledFrom) {
    return ruledOffset(history.rule, instant);
  }
  const passed = countUpTo(history.instants.length, (index) => (history.instants[index] as number) <= instant);
  if (passed < history.instants.length || history.rule === undefined) {
    return offsetAfter(history, passed);
  }
  let offset = offsetAfter(history, passed);
  for (const change of changesAround(history, instant)) {
    offset = change.instant <= instant ? change.after : offset;
  }
  return offset;
}

/**
 * Offset, in seconds east of Greenwich, to subtract from a local time (seconds since 1970-01-01 00:00 local) for its instant. As in Java,
 * an ambiguous time is the earlier instant. A time in a gap uses the offset before the gap, which moves it forward by the gap.
 */
export function offsetOfLocal(key: ZoneKey, local: number): number {
  const history = historyOfKey(key);
  if (typeof history === "number") {
    return history;
  }
  const { instants } = history;
  const isBehind = (change: Change) => change.instant + Math.max(change.before, change.after) <= local;
  const passed = countUpTo(instants.length, (index) =>
    isBehind({ instant: instants[index] as number, before: offsetAfter(history, index), after: offsetAfter(history, index + 1) }),
  );
  let offset = offsetAfter(history, passed);
  if (passed === instants.length && history.rule !== undefined) {
    for (const change of changesAround(history, local)) {
      offset = isBehind(change) ? change.after : offset;
    }
  }
  return offset;
}

/** Offset after the first `passed` transitions. */
function offsetAfter(history: History, passed: number): number {
  return passed === 0 ? history.first : (history.offsets[passed - 1] as number);
}

/** Length of the prefix of `count` ascending items for which `isPassed` holds. */
function countUpTo(count: number, isPassed: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPassed(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Transitions of the yearly rule in the year of a time and in the adjacent years, after the last transition of the table. */
function changesAround({ instants, rule }: History, seconds: number): readonly Change[] {
  if (rule === undefined) {
    return [];
  }
  const last = instants[instants.length - 1] ?? Number.NEGATIVE_INFINITY;
  const { year } = civilOf(Math.floor(seconds / secondsPerDay));
  const { standard, summer } = rule;
  return [year - 1, year, year + 1]
    .flatMap((each) => [
      { instant: instantOf(rule.toSummer, each) - standard, before: standard, after: summer },
      { instant: instantOf(rule.toStandard, each) - summer, before: summer, after: standard },
    ])
    .filter((change) => change.instant > last)
    .sort((a, b) => a.instant - b.instant);
}

/** Only the year of the instant matters: no rule has a transition so close to a new year that the offset moves it into another year. */
function ruledOffset(rule: YearlyRule, instant: number): number {
  const { year } = civilOf(Math.floor(instant / secondsPerDay));
  const toSummer = instantOf(rule.toSummer, year) - rule.standard;
  const toStandard = instantOf(rule.toStandard, year) - rule.summer;
  const isSummer = toSummer < toStandard ? instant >= toSummer && instant < toStandard : instant >= toSummer || instant < toStandard;
  return isSummer ? rule.summer : rule.standard;
}

/** Instant of a transition in local time, before the offset is subtracted. */
function instantOf({ month, week, weekday, seconds }: YearlyChange, year: number): number {
  const first = daysOf({ year, month, day: 1 });
  const next = month === 12 ? daysOf({ year: year + 1, month: 1, day: 1 }) : daysOf({ year, month: month + 1, day: 1 });
  const firstWeekday = (((first + 4) % 7) + 7) % 7;
  let day = first + ((weekday - firstWeekday + 7) % 7) + 7 * (week - 1);
  while (day >= next) {
    day -= 7;
  }
  return day * secondsPerDay + seconds;
}
