/**
 * Variance and standard deviation: Welford's running mean and sum of squared distances, merged with the formula of Chan, Golub and LeVeque.
 */
import { f64, i64, select } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { BIGINT, DOUBLE } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

export type StatisticName = "var_pop" | "var_samp" | "variance" | "stddev_pop" | "stddev_samp" | "stddev";

const meanOffset = 8;
const squaresOffset = 16;

/** State: i64 count, f64 mean, f64 sum of squared distances from the mean. */
export function statistic(name: StatisticName): AggregateImplementation {
  const isPopulation = name.endsWith("_pop");
  const isDeviation = name.startsWith("stddev");
  return {
    stateBytes: 24,
    stateAlignment: 8,
    intermediateTypes: [BIGINT, DOUBLE, DOUBLE],
    wantsNulls: false,
    emitAdd: ({ b }, state, args) => {
      const x = part(args[0] as Value, 0);
      const count = b.temp(i64.add(i64.load(state), i64.const(1n)));
      const distance = b.temp(f64.sub(x, f64.load(state, meanOffset)));
      const mean = b.temp(f64.add(f64.load(state, meanOffset), f64.div(distance, f64.convertI64S(count))));
      b.store("i64.store", state, count);
      b.store("f64.store", state, mean, meanOffset);
      b.store("f64.store", state, f64.add(f64.load(state, squaresOffset), f64.mul(distance, f64.sub(x, mean))), squaresOffset);
    },
    emitMerge: ({ b }, state, values) => {
      const [count, mean, squares] = values.map((value) => part(value, 0)) as [Expr, Expr, Expr];
      b.if_(i64.ne(count, i64.const(0n)), () => {
        const own = b.temp(f64.convertI64S(i64.load(state)));
        const other = b.temp(f64.convertI64S(count));
        const total = b.temp(f64.add(own, other));
        const distance = b.temp(f64.sub(mean, f64.load(state, meanOffset)));
        const between = f64.div(f64.mul(f64.mul(distance, distance), f64.mul(own, other)), total);
        const isFirst = b.temp(i64.eqz(i64.load(state)));
        // Into no values the others are copied: (mean * n) / n is rounded, and a square beyond the range times 0 is no number.
        const sumOfSquares = f64.add(f64.add(f64.load(state, squaresOffset), squares), between);
        b.store("f64.store", state, select(isFirst, squares, sumOfSquares), squaresOffset);
        const merged = f64.add(f64.load(state, meanOffset), f64.div(f64.mul(distance, other), total));
        b.store("f64.store", state, select(isFirst, mean, merged), meanOffset);
        b.store("i64.store", state, i64.add(i64.load(state), count));
      });
    },
    emitIntermediate: ({ b }, state) => [
      valueOf(BIGINT, b.temp(i64.load(state))),
      valueOf(DOUBLE, b.temp(f64.load(state, meanOffset))),
      valueOf(DOUBLE, b.temp(f64.load(state, squaresOffset))),
    ],
    emitFinal: ({ b }, state) => {
      const count = b.temp(i64.load(state));
      const least = i64.const(isPopulation ? 1n : 2n);
      const divisor = f64.convertI64S(isPopulation ? count : i64.sub(count, i64.const(1n)));
      const variance = f64.div(f64.load(state, squaresOffset), divisor);
      return { type: DOUBLE, parts: [b.temp(isDeviation ? f64.sqrt(variance) : variance)], isNull: b.temp(i64.ltS(count, least)) };
    },
  };
}
