/**
 * Timestamps and times with time zone as 128-bit integers. The upper half is the instant and determines the order; the lower half has the
 * zone.
 *
 * - timestamp with time zone: microseconds since 1970-01-01 UTC; 32 bits of picoseconds, zero up to a precision of six digits; 32 bits of a
 *   zone key;
 * - time with time zone: picoseconds of the day in UTC, and the key of a fixed offset. Times are picoseconds of the day.
 */
import { QueryError } from "../../../protocol/errors.ts";
import {
  formatOffset,
  offsetAt,
  offsetOfLocal,
  zonedMoment,
  zoneId,
  zoneKeyOf,
  zoneKeyOfOffset,
  type ZoneKey,
} from "../../../types/time/zones.ts";
import { divideRounding } from "../../runtime/decimals.ts";
import { microsOfDay } from "./dates.ts";
import { parseTimestamp, picosOfFraction } from "../../runtime/formats.ts";
import { formatMoment, roundMoment } from "./long-timestamps.ts";

const instantBits = 64n;
const zoneBits = 32n;
const microsPerSecond = 1_000_000n;
const picosPerSecond = 1_000_000_000_000n;
export const picosPerMicro = 1_000_000n;
export const picosPerDay = 86_400n * picosPerSecond;

/** Bound on the milliseconds that Presto packs beside a zone key. */
const millisMax = 2n ** 51n;

/** Throws NUMERIC_VALUE_OUT_OF_RANGE beyond about 71,000 years from 1970. */
export function pack(instant: bigint, zone: ZoneKey, picos = 0n): bigint {
  const millis = instant / 1000n;
  if (millis >= millisMax || millis < -millisMax) {
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `Millis overflow: ${millis}`);
  }
  return zonedMoment(instant, zone) | (picos << zoneBits);
}

export function instantOf(value: bigint): bigint {
  return value >> instantBits;
}

export function zoneOf(value: bigint): ZoneKey {
  return Number(BigInt.asUintN(32, value));
}

function floorSeconds(micros: bigint): number {
  const quotient = micros / microsPerSecond;
  return Number(micros % microsPerSecond < 0n ? quotient - 1n : quotient);
}

function offsetMicros(seconds: number): bigint {
  return BigInt(seconds) * microsPerSecond;
}

/** Local time of the value in its zone, in microseconds since 1970-01-01 00:00. */
export function localMicros(value: bigint): bigint {
  const instant = instantOf(value);
  return instant + offsetMicros(offsetAt(zoneOf(value), floorSeconds(instant)));
}

/** The instant of a local time in the zone; offsetOfLocal decides gaps and overlaps. */
export function ofLocal(local: bigint, zone: ZoneKey, picos = 0n): bigint {
  return pack(local - offsetMicros(offsetOfLocal(zone, floorSeconds(local))), zone, picos);
}

/** As ofLocal, but undefined for a local time in a gap. */
export function ofExistingLocal(local: bigint, zone: ZoneKey, picos = 0n): bigint | undefined {
  const value = ofLocal(local, zone, picos);
  return localMicros(value) === local ? value : undefined;
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function zoneKey(id: string): ZoneKey {
  const key = zoneKeyOf(id);
  if (key === undefined) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Time zone not supported: ${id}`);
  }
  return key;
}

/** Offset at the instant, in seconds east of Greenwich. */
export function offsetOf(value: bigint): number {
  return offsetAt(zoneOf(value), floorSeconds(instantOf(value)));
}

/** `YYYY-MM-DD HH:MM:SS[.f] zone` */
export function formatZoned(value: bigint, precision: number): string {
  return `${formatMoment({ micros: localMicros(value), picos: subMicros(value) }, precision)} ${zoneId(zoneOf(value))}`;
}

export function roundZoned(value: bigint, precision: number): bigint {
  const { micros, picos } = roundMoment({ micros: instantOf(value), picos: subMicros(value) }, precision);
  return pack(micros, zoneOf(value), picos);
}

/** Picoseconds of the last microsecond of a timestamp with time zone. */
export function subMicros(value: bigint): bigint {
  return BigInt.asUintN(64, value) >> zoneBits;
}

export interface ParsedZoned {
  readonly local: bigint;
  readonly picos: bigint;
  /** Undefined if the text names no zone. */
  readonly zone: ZoneKey | undefined;
  /** Number of fraction digits written. */
  readonly precision: number;
}

/** Parses a timestamp followed by an optional zone, with or without a space between. Undefined if the text is not one. */
export function parseZoned(text: string): ParsedZoned | undefined {
  const trimmed = text.trim();
  const [, moment, written] = /^([+-]?\d+-\d+-\d+(?: \d+:\d+(?::\d+(?:\.\d+)?)?)?) *([^\d ].*)?$/.exec(trimmed) ?? [];
  const parsed = moment === undefined ? undefined : parseTimestamp(moment);
  const zone = written === undefined ? undefined : zoneKeyOf(written);
  if (parsed === undefined || (written !== undefined && zone === undefined)) {
    return undefined;
  }
  return { local: parsed.micros, picos: parsed.picos, zone, precision: parsed.precision };
}

/** `HH:MM:SS[.f]` of picoseconds of the day. */
export function formatTime(picos: bigint, precision: number): string {
  const seconds = Number(picos / picosPerSecond);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const fraction = (picos % picosPerSecond).toString().padStart(12, "0").slice(0, precision);
  return precision === 0 ? clock : `${clock}.${fraction}`;
}

/** Rounds to `precision` digits, half up; rounding up at the end of the day wraps to midnight. */
export function roundTime(picos: bigint, precision: number): bigint {
  const unit = 10n ** BigInt(12 - Math.min(12, precision));
  return (divideRounding(picos, unit) * unit) % picosPerDay;
}

export interface ParsedTime {
  readonly picos: bigint;
  readonly precision: number;
  /** Minutes east of Greenwich; undefined if the text names no offset. */
  readonly offset: number | undefined;
}

const timeText = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,18}))?)?(?: *([+-])(\d{2}):(\d{2}))?$/;

export function parseTime(text: string): ParsedTime | undefined {
  const [, hour, minute, second = "0", fraction = "", sign, hours, minutes] = timeText.exec(text.trim()) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined;
  }
  const picos = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * picosPerSecond + picosOfFraction(fraction);
  const magnitude = hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
  if (magnitude !== undefined && (magnitude > 840 || Number(minutes) > 59)) {
    return undefined;
  }
  return { picos, precision: fraction.length, offset: magnitude === undefined ? undefined : sign === "-" ? -magnitude : magnitude };
}

function wrapDay(picos: bigint): bigint {
  return ((picos % picosPerDay) + picosPerDay) % picosPerDay;
}

/** Offset of a time with time zone, in minutes east of Greenwich. */
export function minutesOf(value: bigint): number {
  return offsetAt(zoneOf(value), 0) / 60;
}

export function packTime(localPicos: bigint, offsetMinutes: number): bigint {
  const key = zoneKeyOfOffset(offsetMinutes);
  if (key === undefined) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Time zone offset not in valid range -14:00 to 14:00: ${offsetMinutes}`);
  }
  return pack(wrapDay(localPicos - BigInt(offsetMinutes) * 60n * picosPerSecond), key);
}

/** Local picoseconds of the day at the value's offset. */
export function localPicos(value: bigint): bigint {
  return wrapDay(instantOf(value) + BigInt(minutesOf(value)) * 60n * picosPerSecond);
}

export function moveTime(picos: bigint, by: bigint): bigint {
  return wrapDay(picos + by);
}

/** `HH:MM:SS[.f]+HH:MM` */
export function formatTimeZoned(value: bigint, precision: number): string {
  return `${formatTime(localPicos(value), precision)}${formatOffset(minutesOf(value))}`;
}

export function picosOfMicros(micros: bigint): bigint {
  return microsOfDay(micros) * picosPerMicro;
}

/** Whole minutes, the resolution of offsets of times; the seconds of historical local mean times are truncated. */
export function offsetMinutesOf(value: bigint): number {
  return Math.trunc(offsetOf(value) / 60);
}
