/**
 * Functions that construct arrays: sequences of numbers, dates and timestamps, and split strings.
 */
import { arrayType, type Type } from "../../../types/type.ts";
import type { HostCall, HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { addMonths, daysOfMicros, microsOfDay } from "../datetime/dates.ts";
import { momentOf, timestampOf } from "../datetime/long-timestamps.ts";
import { invalidArgument } from "../../runtime/nested-values.ts";
import { splitInSteps } from "../string/occurrences.ts";

const entriesMax = 10_000;
const dayMillis = 86_400_000n;
const dayMicros = 86_400_000_000n;

function tooMany(): never {
  return invalidArgument("result of sequence function must not have more than 10000 entries");
}

const wrongDirection =
  "sequence stop value should be greater than or equal to start value if step is greater than zero otherwise stop should be less than or equal to start";

function checkStep(start: bigint, stop: bigint, step: bigint): void {
  if (step === 0n) {
    invalidArgument("step must not be zero");
  }
  if (step > 0n ? stop < start : stop > start) {
    invalidArgument(wrongDirection);
  }
}

function numbers(start: bigint, stop: bigint, step: bigint): readonly bigint[] {
  checkStep(start, stop, step);
  const count = (stop - start) / step + 1n;
  return count > BigInt(entriesMax) ? tooMany() : Array.from({ length: Number(count) }, (_value, index) => start + step * BigInt(index));
}

/** `valueAt(n)` returns the start plus `n` months. */
function byMonths(start: bigint, stop: bigint, months: number, valueAt: (months: number) => bigint): readonly bigint[] {
  checkStep(start, stop, BigInt(months));
  const result: bigint[] = [];
  for (let index = 0; ; index++) {
    const value = valueAt(index * months);
    if (months > 0 ? value > stop : value < stop) {
      return result;
    }
    if (index === entriesMax) {
      return tooMany();
    }
    result.push(value);
  }
}

const direction = (start: bigint, stop: bigint) => (stop >= start ? 1n : -1n);
const asDays = (values: readonly bigint[]): HostValue => values.map(Number);

const bigints: HostImplementation = ([start, stop, step]) => {
  const [from, to] = [start as bigint, stop as bigint];
  return numbers(from, to, (step as bigint | undefined) ?? direction(from, to));
};

const days: HostImplementation = ([start, stop, step]) => {
  const [from, to] = [BigInt(start as number), BigInt(stop as number)];
  const millis = (step as bigint | undefined) ?? direction(from, to) * dayMillis;
  if (millis % dayMillis !== 0n) {
    return invalidArgument("sequence step must be a day interval if start and end values are dates");
  }
  return asDays(numbers(from, to, millis / dayMillis));
};

const daysByMonths: HostImplementation = ([start, stop, step]) =>
  asDays(byMonths(BigInt(start as number), BigInt(stop as number), step as number, (months) => BigInt(addMonths(start as number, months))));

/** The timestamp type with the larger precision. */
function finerMoment([start, stop]: readonly Type[]): Type {
  const digits = (type: Type | undefined) => (type?.kind === "timestamp" ? type.precision : 0);
  return { kind: "timestamp", precision: Math.max(digits(start), digits(stop)) };
}

/**
 * Both ends as values of the more precise type. A long timestamp is one integer: microseconds above 64 bits of picoseconds. A step has no
 * picoseconds.
 */
function momentEnds([start, stop]: readonly HostValue[], { argTypes }: HostCall): readonly [start: bigint, stop: bigint] {
  const type = finerMoment(argTypes);
  const end = (value: HostValue, index: number) => timestampOf(type, momentOf(argTypes[index] as Type, value as bigint));
  return [end(start as HostValue, 0), end(stop as HostValue, 1)];
}

const moments: HostImplementation = (args, call) => {
  const [start, stop] = momentEnds(args, call);
  return numbers(start, stop, timestampOf(finerMoment(call.argTypes), { micros: (args[2] as bigint) * 1000n, picos: 0n }));
};

const momentsByMonths: HostImplementation = (args, call) => {
  const [start, stop] = momentEnds(args, call);
  const type = finerMoment(call.argTypes);
  const { micros, picos } = momentOf(type, start);
  const valueAt = (months: number) =>
    timestampOf(type, { micros: BigInt(addMonths(daysOfMicros(micros), months)) * dayMicros + microsOfDay(micros), picos });
  return byMonths(start, stop, args[2] as number, valueAt);
};

const split: HostSteps = function* ([text, separator, limit]) {
  const [whole, between] = [text as string, separator as string];
  if (between === "") {
    return invalidArgument("The delimiter may not be the empty string");
  }
  if (limit === undefined) {
    return yield* splitInSteps(whole, between);
  }
  const most = limit as bigint;
  if (most <= 0n) {
    return invalidArgument("Limit must be positive");
  }
  return most > 2_147_483_647n ? invalidArgument("Limit is too large") : yield* splitInSteps(whole, between, Number(most));
};

export const sequenceDefinitions: readonly ScalarDefinition[] = [
  {
    name: "sequence",
    args: ["bigint", "bigint"],
    returns: "array(bigint)",
    description: "Sequence of integers from start to stop, ascending or descending",
    host: bigints,
    example: { sql: "sequence(3, 1)", result: "[3, 2, 1]" },
  },
  {
    name: "sequence",
    args: ["bigint", "bigint", "bigint"],
    returns: "array(bigint)",
    description: "Sequence of integers from start to stop by a step",
    host: bigints,
    example: { sql: "sequence(1, 10, 4)", result: "[1, 5, 9]" },
  },
  {
    name: "sequence",
    args: ["date", "date"],
    returns: "array(date)",
    description: "Sequence of dates from start to stop, by day",
    host: days,
    example: { sql: "sequence(DATE '2020-02-28', DATE '2020-03-01')", result: "[2020-02-28, 2020-02-29, 2020-03-01]" },
  },
  {
    name: "sequence",
    args: ["date", "date", "interval day to second"],
    returns: "array(date)",
    description: "Sequence of dates from start to stop by an interval",
    host: days,
    example: { sql: "sequence(DATE '2020-01-01', DATE '2020-01-04', INTERVAL '2' DAY)", result: "[2020-01-01, 2020-01-03]" },
  },
  {
    name: "sequence",
    args: ["date", "date", "interval year to month"],
    returns: "array(date)",
    description: "Sequence of dates from start to stop by an interval of months",
    host: daysByMonths,
    example: { sql: "sequence(DATE '2020-01-31', DATE '2020-03-31', INTERVAL '1' MONTH)", result: "[2020-01-31, 2020-02-29, 2020-03-31]" },
  },
  {
    name: "sequence",
    args: ["timestamp(p)", "timestamp(p)", "interval day to second"],
    returns: "array(timestamp(p))",
    returnType: (types) => arrayType(finerMoment(types)),
    seesPicos: true,
    description: "Sequence of timestamps from start to stop by an interval",
    host: moments,
    example: {
      sql: "sequence(TIMESTAMP '2020-01-01 00:00', TIMESTAMP '2020-01-01 02:00', INTERVAL '1' HOUR)",
      result: "[2020-01-01 00:00:00, 2020-01-01 01:00:00, 2020-01-01 02:00:00]",
    },
  },
  {
    name: "sequence",
    args: ["timestamp(p)", "timestamp(p)", "interval year to month"],
    returns: "array(timestamp(p))",
    returnType: (types) => arrayType(finerMoment(types)),
    seesPicos: true,
    description: "Sequence of timestamps from start to stop by an interval of months",
    host: momentsByMonths,
    example: {
      sql: "sequence(TIMESTAMP '2020-01-31 10:00', TIMESTAMP '2020-03-01 00:00', INTERVAL '1' MONTH)",
      result: "[2020-01-31 10:00:00, 2020-02-29 10:00:00]",
    },
  },
  {
    name: "split",
    args: ["varchar(x)", "varchar"],
    returns: "array(varchar(x))",
    returnType: ([text]) => arrayType(text as Type),
    description: "Array of the parts of the string between delimiters",
    steps: split,
    example: { sql: "split('a,b,,c', ',')", result: "[a, b, , c]" },
  },
  {
    name: "split",
    args: ["varchar(x)", "varchar", "bigint"],
    returns: "array(varchar(x))",
    returnType: ([text]) => arrayType(text as Type),
    description: "Array of at most limit parts of the string, the last with the rest",
    steps: split,
    example: { sql: "split('a,b,c', ',', 2)", result: "[a, b,c]" },
  },
];
