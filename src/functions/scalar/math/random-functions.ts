/**
 * Non-deterministic functions: random, uuid, shuffle. All of them draw from `$random_bits`. The planner draws its argument from the node's
 * random port, once per occurrence of the function in the statement.
 *
 * The result for a row depends on that argument, the task's position in the query, and the number of previous draws. A task that runs again
 * therefore produces the same rows, and so does a simulated run.
 *
 * Statements resolve to the definitions with public names. The analyzer replaces them by the definitions that begin with `$`, with the bits
 * as the last argument (analyzer/expression/non-deterministic.ts).
 */
import { f64, i64 } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { BIGINT, DOUBLE, integralKinds } from "../../../types/type.ts";
import type { HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { drawStateOffset } from "../../runtime/errors.ts";
import { invalidArgument } from "../../runtime/nested-values.ts";
import { part, type Value, valueOf } from "../../runtime/value.ts";

export const randomBitsName = "$random_bits";

// splitmix64: the state advances by a constant; the output is its finalizer.
const step = 0x9e3779b97f4a7c15n;
const firstFactor = 0xbf58476d1ce4e5b9n;
const secondFactor = 0x94d049bb133111ebn;

function signed(value: bigint): Expr {
  return i64.const(BigInt.asIntN(64, value));
}

/** A number below `bound`; uniform up to one part in 2^64 / bound. */
function below(bits: bigint, bound: bigint): bigint {
  return (BigInt.asUintN(64, bits) * bound) >> 64n;
}

function asNumber(value: bigint, type: string): HostValue {
  return type === "bigint" ? value : Number(value);
}

function belowBound(type: string): HostImplementation {
  return ([bound, bits]) => {
    const limit = BigInt(bound as number | bigint);
    return limit <= 0n ? invalidArgument("bound must be positive") : asNumber(below(bits as bigint, limit), type);
  };
}

function between(type: string): HostImplementation {
  return ([start, stop, bits]) => {
    const [from, to] = [BigInt(start as number | bigint), BigInt(stop as number | bigint)];
    return from >= to
      ? invalidArgument("start value must be less than stop value")
      : asNumber(from + below(bits as bigint, to - from), type);
  };
}

/** Version 4: 122 random bits. */
const makeUuid: HostImplementation = ([high, low]) => {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, (BigInt.asUintN(64, high as bigint) & ~0xf000n) | 0x4000n);
  view.setBigUint64(8, (BigInt.asUintN(64, low as bigint) & 0x3fffffffffffffffn) | 0x8000000000000000n);
  return bytes;
};

/** Swaps between two yields, and those that take as long as a step. */
const swapsAtOnce = 1_024;
const swapsPerStep = 2;

/** Fisher-Yates shuffle; the argument seeds the bits of each swap. */
const shuffle: HostSteps = function* ([list, bits]) {
  const shuffled = [...(list as readonly HostValue[])];
  let state = BigInt.asUintN(64, bits as bigint);
  for (let last = shuffled.length - 1; last > 0; last--) {
    state = BigInt.asUintN(64, state + step);
    let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * firstFactor);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * secondFactor);
    const other = Number(below(mixed ^ (mixed >> 31n), BigInt(last + 1)));
    [shuffled[last], shuffled[other]] = [shuffled[other] as HostValue, shuffled[last] as HostValue];
    if (last % swapsAtOnce === 0) {
      yield swapsAtOnce / swapsPerStep;
    }
  }
  return shuffled;
};

/** Never runs: the analyzer replaces the public function by its `$` form. */
const replaced: HostImplementation = () => {
  throw new QueryError("GENERIC_INTERNAL_ERROR", "a non-deterministic function was planned without its bits");
};

function overloads(name: "random" | "rand"): readonly ScalarDefinition[] {
  const own = { name, deterministic: false, host: replaced } as const;
  const bounded = integralKinds.flatMap((type): readonly ScalarDefinition[] => [
    {
      ...own,
      args: [type],
      returns: type,
      description: "Random number from 0 (inclusive) to n (exclusive)",
      ...(type === "integer" && { example: { sql: `${name}(1)`, result: "0" } }),
    },
    {
      ...own,
      args: [type, type],
      returns: type,
      description: "Random number from start (inclusive) to stop (exclusive)",
      ...(type === "integer" && { example: { sql: `${name}(5, 6)`, result: "5" } }),
    },
  ]);
  const plain = { args: [], returns: "double", description: "Random number from 0.0 (inclusive) to 1.0 (exclusive)" };
  return [{ ...own, ...plain, example: { sql: `${name}() < 1`, result: "true" } }, ...bounded];
}

export const randomDefinitions: readonly ScalarDefinition[] = [
  ...overloads("random"),
  ...overloads("rand"),
  {
    name: "uuid",
    args: [],
    returns: "uuid",
    deterministic: false,
    description: "Random UUID, version 4",
    host: replaced,
    example: { sql: "substr(CAST(uuid() AS varchar), 15, 1)", result: "4" },
  },
  {
    name: "shuffle",
    args: ["array(T)"],
    returns: "array(T)",
    deterministic: false,
    description: "Random permutation of the array",
    host: replaced,
    example: { sql: "array_sort(shuffle(ARRAY[3, NULL, 1, 2]))", result: "[1, 2, 3, null]" },
  },
  {
    name: randomBitsName,
    args: ["bigint"],
    returns: "bigint",
    deterministic: false,
    description: "Next 64 random bits of the stream",
    emit: ({ b, errorBlock }, [seed]) => {
      const state = b.temp(i64.add(i64.load(errorBlock, drawStateOffset), signed(step)));
      b.store("i64.store", errorBlock, state, drawStateOffset);
      const shifted = (value: Expr, bits: bigint): Expr => i64.xor(value, i64.shrU(value, i64.const(bits)));
      // The seed passes through the finalizer first, so that neighboring seeds do not give overlapping streams.
      const mix = (value: Expr): Expr => {
        const once = b.temp(i64.mul(shifted(b.temp(value), 30n), signed(firstFactor)));
        return shifted(b.temp(i64.mul(shifted(once, 27n), signed(secondFactor))), 31n);
      };
      return valueOf(BIGINT, b.temp(mix(i64.add(mix(part(seed as Value, 0)), state))));
    },
  },
  {
    name: "$random",
    args: ["bigint"],
    returns: "double",
    description: "Random number from 0.0 (inclusive) to 1.0 (exclusive), from bits",
    emit: (_context, [bits]) =>
      valueOf(DOUBLE, f64.mul(f64.convertI64U(i64.shrU(part(bits as Value, 0), i64.const(11n))), f64.const(2 ** -53))),
  },
  ...integralKinds.flatMap((type): readonly ScalarDefinition[] => [
    {
      name: "$random",
      args: [type, "bigint"],
      returns: type,
      description: "Random number from 0 (inclusive) to n (exclusive), from bits",
      host: belowBound(type),
    },
    {
      name: "$random_between",
      args: [type, type, "bigint"],
      returns: type,
      description: "Random number from start (inclusive) to stop (exclusive), from bits",
      host: between(type),
    },
  ]),
  { name: "$uuid", args: ["bigint", "bigint"], returns: "uuid", description: "Random UUID, version 4, from bits", host: makeUuid },
  {
    name: "$shuffle",
    args: ["array(T)", "bigint"],
    returns: "array(T)",
    description: "Random permutation of the array, from bits",
    steps: shuffle,
  },
];
