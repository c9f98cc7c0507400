/**
 * Casts between dates, times and timestamps with and without time zone, and casts between them and text. The planner adds the session's
 * zone and current date to the call (planner/session-zone.ts); without them the zone is UTC and the date is 1970-01-01.
 */
import { i64 } from "../../codegen/builder.ts";
import { QueryError } from "../../protocol/errors.ts";
import { isLongMoment, type Type } from "../../types/type.ts";
import { utcKey, zoneKeyOfOffset } from "../../types/time/zones.ts";
import { daysOfMicros, microsPerDay } from "../scalar/datetime/dates.ts";
import type { HostImplementation, ScalarDefinition } from "../registry/definition.ts";
import { formatDate } from "../runtime/formats.ts";
import { formatMoment, type Moment, momentOf, roundMoment, timestampOf } from "../scalar/datetime/long-timestamps.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";
import {
  localMicros,
  localPicos,
  minutesOf,
  offsetMinutesOf,
  pack,
  packTime,
  picosOfMicros,
  picosPerMicro,
  roundTime,
  roundZoned,
  subMicros,
} from "../scalar/datetime/zoned.ts";

type Implementation = Pick<ScalarDefinition, "emit" | "host" | "total">;

const microsPerMinute = 60_000_000n;

/** Local clock reading of a value: microseconds for a timestamp, picoseconds for a time of day, and the offset in minutes. */
interface Shown {
  readonly moment?: Moment;
  readonly time: bigint;
  readonly minutes: number;
}

function shown(from: Type, value: bigint | number): Shown {
  const ofMoment = (moment: Moment, minutes: number): Shown => ({ moment, time: picosOfMicros(moment.micros) + moment.picos, minutes });
  switch (from.kind) {
    case "date":
      return ofMoment({ micros: BigInt(value) * microsPerDay, picos: 0n }, 0);
    case "timestamp with time zone":
      return ofMoment({ micros: localMicros(value as bigint), picos: subMicros(value as bigint) }, offsetMinutesOf(value as bigint));
    case "time":
      return { time: value as bigint, minutes: 0 };
    case "time with time zone":
      return { time: localPicos(value as bigint), minutes: minutesOf(value as bigint) };
    default:
      return ofMoment(momentOf(from, value as bigint), 0);
  }
}

function hostCast(from: Type, to: Type): HostImplementation {
  return ([value]) => {
    if (from.kind === "timestamp with time zone" && to.kind === from.kind) {
      return roundZoned(value as bigint, to.precision);
    }
    const { moment, time, minutes } = shown(from, value as bigint | number);
    const local = moment ?? { micros: time / picosPerMicro, picos: time % picosPerMicro };
    switch (to.kind) {
      case "date":
        return daysOfMicros(local.micros);
      case "timestamp":
        return timestampInRange(to, roundMoment(local, to.precision), value as bigint | number, from);
      case "timestamp with time zone": {
        const { micros, picos } = roundMoment(local, to.precision);
        return pack(micros - BigInt(minutes) * microsPerMinute, zoneKeyOfOffset(minutes) ?? utcKey, picos);
      }
      case "time":
        return roundTime(time, to.precision);
      default:
        return packTime(roundTime(time, to.kind === "time with time zone" ? to.precision : 12), minutes);
    }
  };
}

/** Throws NUMERIC_VALUE_OUT_OF_RANGE if the microseconds do not fit in 64 bits. */
function timestampInRange(to: Type, moment: Moment, value: bigint | number, from: Type): bigint {
  if (BigInt.asIntN(64, moment.micros) !== moment.micros) {
    const text = from.kind === "date" ? formatDate(Number(value)) : moment.micros.toString();
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `Out of range for timestamp: ${text}`);
  }
  return timestampOf(to, moment);
}

/** Casts between the kinds that coercion.ts allows, if at least one of them has a time of day or a zone. */
export function zonedCast(from: Type, to: Type): Implementation {
  const isMoment =
    from.kind === "timestamp" && to.kind === "timestamp with time zone" && from.precision <= to.precision && !isLongMoment(from);
  if (isMoment) {
    return { emit: (_context, args, type) => valueOf(type, i64.const(BigInt(utcKey)), part(args[0] as Value, 0)), total: true };
  }
  return { host: hostCast(from, to) };
}

/** Text of the form `YYYY-MM-DDTHH:MM:SS[.f]` with `precision` fraction digits. */
export function isoText(moment: Moment, precision: number): string {
  return formatMoment(moment, precision).replace(" ", "T");
}
