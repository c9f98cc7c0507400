/**
 * Arithmetic on times of day and on timestamps with time zone, row by row. Day to second intervals move the instant; year to month
 * intervals move the local date and time.
 */
import { isInterval, type Type } from "../../types/type.ts";
import { addMonths, daysOfMicros, floorDivide, microsOfDay, microsPerDay } from "../scalar/datetime/dates.ts";
import type { HostImplementation } from "../registry/definition.ts";
import type { ArithmeticName } from "./operator-names.ts";
import {
  instantOf,
  localMicros,
  localPicos,
  minutesOf,
  moveTime,
  ofLocal,
  pack,
  packTime,
  picosPerMicro,
  subMicros,
  zoneOf,
} from "../scalar/datetime/zoned.ts";

const microsPerMilli = 1000n;
const picosPerMilli = microsPerMilli * picosPerMicro;

function move(value: bigint, type: Type, by: bigint | number): bigint {
  switch (type.kind) {
    case "time":
      return moveTime(value, BigInt(by) * picosPerMilli);
    case "time with time zone":
      return packTime(moveTime(localPicos(value), BigInt(by) * picosPerMilli), minutesOf(value));
    default: {
      if (typeof by === "bigint") {
        return pack(instantOf(value) + by * microsPerMilli, zoneOf(value));
      }
      const local = localMicros(value);
      return ofLocal(BigInt(addMonths(daysOfMicros(local), by)) * microsPerDay + microsOfDay(local), zoneOf(value));
    }
  }
}

/** Milliseconds of a timestamp, and the remaining picoseconds. */
function millisOf(value: bigint): { readonly millis: bigint; readonly picos: bigint } {
  const micros = instantOf(value);
  const millis = floorDivide(micros, microsPerMilli);
  return { millis, picos: (micros - millis * microsPerMilli) * picosPerMicro + subMicros(value) };
}

/**
 * Difference in milliseconds. Times round half up. Timestamps round as in Trino: whole milliseconds and remainders are subtracted
 * separately.
 */
function differenceOf({ kind }: Type): HostImplementation {
  if (kind !== "timestamp with time zone") {
    const picosOf = kind === "time" ? (value: bigint) => value : instantOf;
    return ([a, b]) => floorDivide(picosOf(a as bigint) - picosOf(b as bigint) + picosPerMilli / 2n, picosPerMilli);
  }
  return ([a, b]) => {
    const [p, q] = [millisOf(a as bigint), millisOf(b as bigint)];
    const rest = p.picos - q.picos;
    const rounded = 2n * rest >= picosPerMilli ? 1n : 2n * rest <= -picosPerMilli ? -1n : 0n;
    return p.millis - q.millis + rounded;
  };
}

/** `+` and `-` with at least one operand that is a time or has a zone; operators.ts has checked the operand types. */
export function zonedArithmetic(name: ArithmeticName, left: Type, right: Type): HostImplementation {
  if (!isInterval(left) && !isInterval(right)) {
    return differenceOf(left);
  }
  const at = isInterval(left) ? 1 : 0;
  const type = at === 0 ? left : right;
  return (args) => {
    const by = args[1 - at] as bigint | number;
    return move(args[at] as bigint, type, name === "$subtract" ? -by : by);
  };
}
