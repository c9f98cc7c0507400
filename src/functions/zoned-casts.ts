/**
 * Casts among dates, times and timestamps with and without a zone, and their texts. What a session decides (its zone, the date of today) is put into the plan before
 * (plan/session-zone.ts); here it is UTC and the first day of 1970. Called by casts.ts and text-casts.ts.
 */
import { i64 } from "../kernel/builder.ts";
import type { Type } from "../types/type.ts";
import { utcKey, zoneKeyOfOffset } from "../types/zones.ts";
import { daysOfMicros, microsPerDay } from "./dates.ts";
import type { HostMeaning, ScalarDefinition } from "./definition.ts";
import { formatTimestamp, roundTimestamp } from "./formats.ts";
import { part, type Value, valueOf } from "./value.ts";
import {
  localMicros,
  localPicos,
  microsOn,
  minutesOf,
  offsetMinutesOf,
  pack,
  packTime,
  picosOfMicros,
  roundTime,
  roundZoned,
} from "./zoned.ts";

type Meaning = Pick<ScalarDefinition, "emit" | "host" | "total">;

const microsPerMinute = 60_000_000n;

/** What the clock of a value shows: micros for a moment, picos for a time of day, and the minutes of its offset. */
interface Shown {
  readonly moment?: bigint;
  readonly time: bigint;
  readonly minutes: number;
}

function shown(from: Type, value: bigint | number): Shown {
  const momentOf = (moment: bigint, minutes: number): Shown => ({ moment, time: picosOfMicros(moment), minutes });
  switch (from.kind) {
    case "date":
      return momentOf(BigInt(value) * microsPerDay, 0);
    case "timestamp with time zone":
      return momentOf(localMicros(value as bigint), offsetMinutesOf(value as bigint));
    case "time":
      return { time: value as bigint, minutes: 0 };
    case "time with time zone":
      return { time: localPicos(value as bigint), minutes: minutesOf(value as bigint) };
    default:
      return momentOf(value as bigint, 0);
  }
}

function hostCast(from: Type, to: Type): HostMeaning {
  return ([value]) => {
    if (from.kind === "timestamp with time zone" && to.kind === from.kind) {
      return roundZoned(value as bigint, to.precision);
    }
    const { moment, time, minutes } = shown(from, value as bigint | number);
    const local = moment ?? microsOn(0, time);
    switch (to.kind) {
      case "date":
        return daysOfMicros(local);
      case "timestamp":
        return roundTimestamp(local, to.precision);
      case "timestamp with time zone":
        return pack(roundTimestamp(local, to.precision) - BigInt(minutes) * microsPerMinute, zoneKeyOfOffset(minutes) ?? utcKey);
      case "time":
        return roundTime(time, to.precision);
      default:
        return packTime(roundTime(time, to.kind === "time with time zone" ? to.precision : 12), minutes);
    }
  };
}

/** Between kinds that coercion.ts says can be cast, one of them a time or a moment with a zone. */
export function zonedCast(from: Type, to: Type): Meaning {
  const isMoment = from.kind === "timestamp" && to.kind === "timestamp with time zone" && from.precision <= to.precision;
  if (isMoment) {
    return { emit: (_context, args, type) => valueOf(type, i64.const(BigInt(utcKey)), part(args[0] as Value, 0)), total: true };
  }
  return { host: hostCast(from, to) };
}

/** `YYYY-MM-DDTHH:MM:SS.fff` with at least three digits. */
export function isoText(micros: bigint, precision: number): string {
  return formatTimestamp(micros, Math.max(3, precision)).replace(" ", "T");
}
