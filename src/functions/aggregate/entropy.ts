/**
 * entropy(c): the entropy of a distribution in bits. Each row is the count of one outcome (Presto's documentation,
 * functions/aggregate.rst).
 */
import { f64, i32, i64, select } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { DOUBLE } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { logarithm } from "../runtime/logarithms.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

/** State: f64 sum of the counts, f64 sum of count times its logarithm. */
const logsOffset = 8;

function addTo({ b }: EmitContext, state: Expr, sum: Expr, logs: Expr): void {
  b.store("f64.store", state, f64.add(f64.load(state), sum));
  b.store("f64.store", state, f64.add(f64.load(state, logsOffset), logs), logsOffset);
}

/** Returns 0 if the sum of the counts is 0. */
export const entropy: AggregateImplementation = Object.freeze<AggregateImplementation>({
  stateBytes: 16,
  stateAlignment: 8,
  intermediateTypes: [DOUBLE, DOUBLE],
  wantsNulls: false,
  emitAdd: (context, state, args) => {
    const { b } = context;
    const count = part(args[0] as Value, 0);
    b.if_(i64.ltS(count, i64.const(0n)), () => context.raise("ENTROPY_COUNT"));
    // By definition, 0 log 0 is 0.
    b.if_(i64.ne(count, i64.const(0n)), () => {
      const given = b.temp(f64.convertI64S(count));
      addTo(context, state, given, f64.mul(given, b.call(logarithm(b.kernel), given)));
    });
  },
  emitMerge: (context, state, [sum, logs]) => addTo(context, state, part(sum as Value, 0), part(logs as Value, 0)),
  emitIntermediate: ({ b }, state) => [valueOf(DOUBLE, b.temp(f64.load(state))), valueOf(DOUBLE, b.temp(f64.load(state, logsOffset)))],
  emitFinal: ({ b }, state) => {
    const sum = b.temp(f64.load(state));
    const nats = b.temp(f64.sub(b.call(logarithm(b.kernel), sum), f64.div(f64.load(state, logsOffset), sum)));
    // Rounding can give a negative value for a single outcome, and an empty group gives NaN; both are reported as 0.
    const isNothing = i32.or(f64.eq(sum, f64.const(0)), f64.le(nats, f64.const(0)));
    return valueOf(DOUBLE, b.temp(select(isNothing, f64.const(0), f64.div(nats, f64.const(Math.LN2)))));
  },
});
