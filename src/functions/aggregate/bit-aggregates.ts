/**
 * Bitwise AND, OR and XOR aggregates, and `checksum`.
 */
import { i32, i64 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { BIGINT, VARBINARY } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import { ifNotNull } from "./sums.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";
import { emitXxHash, xxPrimes } from "../scalar/binary/xx-hash-kernels.ts";

/** State: i64 1 if the group has rows, i64 the fold so far. AND keeps its fold inverted, so that a zeroed state is its identity. */
export function bitFold(kind: "and" | "or" | "xor"): AggregateImplementation {
  const fold = kind === "xor" ? i64.xor : i64.or;
  const inverted = (value: Expr) => (kind === "and" ? i64.xor(value, i64.const(-1n)) : value);
  const add: AggregateImplementation["emitAdd"] = ({ b }, state, args) => {
    b.store("i64.store", state, i64.const(1n));
    b.store("i64.store", state, fold(i64.load(state, 8), inverted(part(args[0] as Value, 0))), 8);
  };
  const result: AggregateImplementation["emitFinal"] = ({ b }, state) => ({
    type: BIGINT,
    parts: [b.temp(inverted(i64.load(state, 8)))],
    isNull: b.temp(i64.eqz(i64.load(state))),
  });
  return {
    stateBytes: 16,
    stateAlignment: 8,
    intermediateTypes: [BIGINT],
    wantsNulls: false,
    emitAdd: add,
    emitMerge: (context, state, values) => ifNotNull(context.b, values[0] as Value, () => add(context, state, values)),
    emitIntermediate: (context, state) => [result(context, state)],
    emitFinal: result,
  };
}

/**
 * Order-independent checksum with the same value as Trino: the wrapping sum over all rows. A row adds its xxHash64 times the first prime; a
 * NULL adds the prime. State: i64 row count, i64 sum.
 */
export const checksum: AggregateImplementation = Object.freeze<AggregateImplementation>({
  stateBytes: 16,
  stateAlignment: 8,
  intermediateTypes: [BIGINT, BIGINT],
  wantsNulls: true,
  emitAdd: ({ b }, state, [value]) => {
    const hash = b.local("i64", i64.const(1n));
    ifNotNull(b, value as Value, () => b.set(hash, emitXxHash(b, value as Value)));
    b.store("i64.store", state, i64.add(i64.load(state), i64.const(1n)));
    b.store("i64.store", state, i64.add(i64.load(state, 8), i64.mul(hash, i64.const(xxPrimes[0]))), 8);
  },
  emitMerge: ({ b }, state, values) => {
    values.forEach((value, index) => b.store("i64.store", state, i64.add(i64.load(state, 8 * index), part(value, 0)), 8 * index));
  },
  emitIntermediate: ({ b }, state) => [valueOf(BIGINT, b.temp(i64.load(state))), valueOf(BIGINT, b.temp(i64.load(state, 8)))],
  emitFinal: (context, state) => {
    const { b } = context;
    const bytes = b.temp(context.allocate(i32.const(8)));
    b.store("i64.store", bytes, i64.load(state, 8));
    return { type: VARBINARY, parts: [bytes, i32.const(8)], isNull: b.temp(i64.eqz(i64.load(state))) };
  },
});
