/**
 * States of count, sum, avg, bool_and and bool_or.
 */
import { type CodeBuilder, f32, f64, i32, i64 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { BIGINT, BOOLEAN, decimalType, DOUBLE, type Type } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import { emitCheckedNarrow, emitCheckedSum, emitExceeds, emitWiden, isShort, scratch } from "../operator/arithmetic.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { emitAdd128, emitDivideRounding128, type Wide } from "../runtime/i128.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

const one = i64.const(1n);

function intermediate(values: readonly Value[], index = 0): Value {
  return values[index] as Value;
}

/** Runs `body` unless the value is NULL. */
export function ifNotNull(b: CodeBuilder, value: Value, body: () => void): void {
  if (value.isNull === undefined) {
    body();
  } else {
    b.if_(i32.eqz(value.isNull), body);
  }
}

function addToCount(b: CodeBuilder, state: Expr, amount: Expr, offset = 0): void {
  b.store("i64.store", state, i64.add(i64.load(state, offset), amount), offset);
}

/** State: i64 count. */
export const countRows: AggregateImplementation = Object.freeze({
  stateBytes: 8,
  stateAlignment: 8,
  intermediateTypes: [BIGINT],
  wantsNulls: false,
  stateKey: "count",
  countOffset: 0,
  emitAdd: ({ b }: EmitContext, state: Expr) => addToCount(b, state, one),
  emitAddUncounted: () => undefined,
  emitMerge: ({ b }: EmitContext, state: Expr, values: readonly Value[]) =>
    ifNotNull(b, intermediate(values), () => addToCount(b, state, part(intermediate(values), 0))),
  emitIntermediate: ({ b }: EmitContext, state: Expr) => [valueOf(BIGINT, b.temp(i64.load(state)))],
  emitFinal: ({ b }: EmitContext, state: Expr) => valueOf(BIGINT, b.temp(i64.load(state))),
} as const);

export const countIf: AggregateImplementation = Object.freeze({
  stateBytes: 8,
  stateAlignment: 8,
  intermediateTypes: [BIGINT],
  wantsNulls: false,
  emitAdd: ({ b }: EmitContext, state: Expr, args: readonly Value[]) => addToCount(b, state, i64.extendI32U(part(args[0] as Value, 0))),
  emitMerge: countRows.emitMerge,
  emitIntermediate: countRows.emitIntermediate,
  emitFinal: countRows.emitFinal,
} as const);

/** How a sum accumulates. The parts of the sum are at offset 0, the number of values (i64) at `countOffset`; a sum of no values is NULL. */
interface Sum {
  readonly type: Type;
  readonly stateKey: string;
  readonly countOffset: number;
  load(b: CodeBuilder, state: Expr): readonly Expr[];
  add(context: EmitContext, state: Expr, value: Value): void;
}

function emitNoValues(b: CodeBuilder, state: Expr, offset: number): Expr {
  return b.temp(i64.eqz(i64.load(state, offset)));
}

function sumImplementation(sum: Sum, finish: (context: EmitContext, parts: readonly Expr[]) => Value): AggregateImplementation {
  const add = (context: EmitContext, state: Expr, value: Value) => {
    sum.add(context, state, value);
    addToCount(context.b, state, one, sum.countOffset);
  };
  return {
    stateBytes: sum.countOffset + 8,
    stateAlignment: 8,
    intermediateTypes: [sum.type],
    wantsNulls: false,
    stateKey: sum.stateKey,
    countOffset: sum.countOffset,
    emitAdd: (context, state, args) => add(context, state, args[0] as Value),
    emitAddUncounted: (context, state, args) => sum.add(context, state, args[0] as Value),
    emitMerge: (context, state, values) => ifNotNull(context.b, intermediate(values), () => add(context, state, intermediate(values))),
    emitIntermediate: ({ b }, state) => [{ ...valueOf(sum.type, ...sum.load(b, state)), isNull: emitNoValues(b, state, sum.countOffset) }],
    emitFinal: (context, state) => ({
      ...finish(context, sum.load(context.b, state)),
      isNull: emitNoValues(context.b, state, sum.countOffset),
    }),
  };
}

const bigintSum: Sum = {
  type: BIGINT,
  stateKey: "bigint sum",
  countOffset: 8,
  load: (b, state) => [b.temp(i64.load(state))],
  add: (context, state, value) => {
    const { b } = context;
    const x = b.temp(i64.load(state));
    const y = part(value, 0);
    const sum = b.temp(i64.add(x, y));
    b.if_(i64.ltS(i64.and(i64.xor(x, sum), i64.xor(y, sum)), i64.const(0n)), () => context.raise("BIGINT_ADDITION", x, y));
    b.store("i64.store", state, sum);
  },
};

export const sumOfBigints: AggregateImplementation = sumImplementation(bigintSum, (_context, parts) => valueOf(BIGINT, ...parts));

function asDouble(value: Value): Expr {
  const x = part(value, 0);
  switch (x.type) {
    case "f32":
      return f64.promoteF32(x);
    case "i64":
      return f64.convertI64S(x);
    case "i32":
      return f64.convertI32S(x);
    default:
      return x;
  }
}

const doubleSum: Sum = {
  type: DOUBLE,
  stateKey: "double sum",
  countOffset: 8,
  load: (b, state) => [b.temp(f64.load(state))],
  add: ({ b }, state, value) => b.store("f64.store", state, f64.add(f64.load(state), asDouble(value))),
};

function fromDouble(type: Type, value: Expr): Value {
  switch (type.kind) {
    case "real":
      return valueOf(type, f32.demoteF64(value));
    default:
      return valueOf(type, value);
  }
}

/** A sum of real is accumulated in double. */
export function sumOfDoubles(returnType: Type): AggregateImplementation {
  return sumImplementation(doubleSum, (_context, [sum]) => fromDouble(returnType, sum as Expr));
}

function intervalSum(type: Type): Sum {
  const isMonths = type.kind === "interval year to month";
  return {
    type,
    stateKey: "interval sum",
    countOffset: 8,
    load: (b, state) => [b.temp(isMonths ? i32.load(state) : i64.load(state))],
    add: (context, state, value) => {
      const { b } = context;
      if (!isMonths) {
        return b.store("i64.store", state, emitCheckedSum(context, type, "$add", b.temp(i64.load(state)), part(value, 0)));
      }
      const sum = b.temp(i64.add(i64.extendI32S(i32.load(state)), i64.extendI32S(part(value, 0))));
      b.store("i32.store", state, emitCheckedNarrow(context, type, "addition", sum));
    },
  };
}

export function sumOfIntervals(type: Type): AggregateImplementation {
  return sumImplementation(intervalSum(type), (_context, parts) => valueOf(type, ...parts));
}

function decimalSum(scale: number): Sum {
  return {
    type: decimalType(38, scale),
    stateKey: "decimal sum",
    countOffset: 16,
    load: (b, state) => [b.temp(i64.load(state)), b.temp(i64.load(state, 8))],
    add: (context, state, value) => {
      const { b } = context;
      const old: Wide = [b.temp(i64.load(state)), b.temp(i64.load(state, 8))];
      const added = emitWiden(b, value);
      const sum = emitAdd128(b, old, added);
      // A sum of values of 64 bits cannot exceed 128 bits within 2^63 rows, so only longer ones are checked.
      if (!isShort(value.type) && value.bits === undefined) {
        const wrapped = i64.ltS(i64.and(i64.xor(old[1], sum[1]), i64.xor(added[1], sum[1])), i64.const(0n));
        b.if_(wrapped, () => context.raise("DECIMAL_OVERFLOW"));
      }
      b.store("i64.store", state, sum[0]);
      b.store("i64.store", state, sum[1], 8);
    },
  };
}

function scaleOf(type: Type): number {
  return type.kind === "decimal" ? type.scale : 0;
}

export function sumOfDecimals(type: Type): AggregateImplementation {
  const sum = decimalSum(scaleOf(type));
  const implementation = sumImplementation(sum, (context, parts) => {
    context.b.if_(emitExceeds(context.b, parts as unknown as Wide, 38), () => context.raise("DECIMAL_OVERFLOW"));
    return valueOf(sum.type, ...parts);
  });
  return {
    ...implementation,
    emitIntermediate: (context, state) => [implementation.emitFinal(context, state)],
  };
}

/** Sum and count as two intermediate columns; `finish` divides. */
function averageImplementation(
  sum: Sum,
  finish: (context: EmitContext, parts: readonly Expr[], count: Expr) => Value,
): AggregateImplementation {
  const count = (b: CodeBuilder, state: Expr) => b.temp(i64.load(state, sum.countOffset));
  return {
    stateBytes: sum.countOffset + 8,
    stateAlignment: 8,
    intermediateTypes: [sum.type, BIGINT],
    wantsNulls: false,
    stateKey: sum.stateKey,
    countOffset: sum.countOffset,
    emitAddUncounted: (context, state, args) => sum.add(context, state, args[0] as Value),
    emitAdd: (context, state, args) => {
      sum.add(context, state, args[0] as Value);
      addToCount(context.b, state, one, sum.countOffset);
    },
    emitMerge: (context, state, values) =>
      ifNotNull(context.b, intermediate(values), () => {
        sum.add(context, state, intermediate(values));
        addToCount(context.b, state, part(intermediate(values, 1), 0), sum.countOffset);
      }),
    emitIntermediate: ({ b }, state) => [valueOf(sum.type, ...sum.load(b, state)), valueOf(BIGINT, count(b, state))],
    emitFinal: (context, state) => {
      const { b } = context;
      const rows = count(b, state);
      const isNull = b.temp(i64.eqz(rows));
      // Divides by 1 if there are no values: the quotient under the NULL is not used, and a division by zero would trap.
      const divisor = b.temp(i64.add(rows, i64.extendI32U(isNull)));
      return { ...finish(context, sum.load(b, state), divisor), isNull };
    },
  };
}

/** Average of bigint, real and double. */
export function averageOfDoubles(returnType: Type): AggregateImplementation {
  return averageImplementation(doubleSum, (_context, [sum], count) => fromDouble(returnType, f64.div(sum as Expr, f64.convertI64S(count))));
}

export function averageOfDecimals(type: Type): AggregateImplementation {
  return averageImplementation(decimalSum(scaleOf(type)), (context, parts, count) => {
    const mean = emitDivideRounding128(context.b, parts as unknown as Wide, [count, i64.const(0n)], scratch(context));
    return isShort(type) ? valueOf(type, mean[0]) : valueOf(type, ...mean);
  });
}

/** The average is rounded half away from zero. */
export function averageOfIntervals(type: Type): AggregateImplementation {
  const isMonths = type.kind === "interval year to month";
  return averageImplementation(intervalSum(type), ({ b }, [sum], count) => {
    const quotient = f64.div(isMonths ? f64.convertI32S(sum as Expr) : f64.convertI64S(sum as Expr), f64.convertI64S(count));
    const rounded = b.temp(f64.trunc(f64.add(quotient, f64.copysign(f64.const(0.5), quotient))));
    return valueOf(type, b.temp(isMonths ? i32.truncSatF64S(rounded) : i64.truncSatF64S(rounded)));
  });
}

/** State: i32 1 if the group has values, i32 the fold so far. */
export function booleanFold(kind: "and" | "or"): AggregateImplementation {
  const add = ({ b }: EmitContext, state: Expr, value: Value) => {
    const x = part(value, 0);
    const old = i32.load(state, 4);
    // `and` keeps its fold inverted, so that a zeroed state is its identity.
    const folded = kind === "or" ? i32.or(old, x) : i32.or(old, i32.eqz(x));
    b.store("i32.store", state, folded, 4);
    b.store("i32.store", state, i32.const(1));
  };
  const result = ({ b }: EmitContext, state: Expr): Value => {
    const fold = i32.load(state, 4);
    return { type: BOOLEAN, parts: [b.temp(kind === "or" ? fold : i32.eqz(fold))], isNull: b.temp(i32.eqz(i32.load(state))) };
  };
  return {
    stateBytes: 8,
    stateAlignment: 8,
    intermediateTypes: [BOOLEAN],
    wantsNulls: false,
    emitAdd: (context, state, args) => add(context, state, args[0] as Value),
    emitMerge: (context, state, values) => ifNotNull(context.b, intermediate(values), () => add(context, state, intermediate(values))),
    emitIntermediate: (context, state) => [result(context, state)],
    emitFinal: result,
  };
}
