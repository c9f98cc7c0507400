/**
 * Higher-order and two-column statistics: geometric mean, skewness, kurtosis, covariance, correlation, regression. States hold running
 * means and sums of powers of distances from the mean, merged with Pébay's formulas.
 */
import { f32, f64, i32, i64, select } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { BIGINT, DOUBLE, REAL, type Type } from "../../types/type.ts";
import type { AggregateImplementation } from "../registry/aggregate.ts";
import type { EmitContext } from "../runtime/emit.ts";
import { exponential, logarithm } from "../runtime/logarithms.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

/** A state of an i64 count followed by doubles; all of them are intermediate columns. */
interface Moments {
  readonly doubles: number;
  /** Returns the doubles after adding a row; `count` includes that row. */
  add(b: EmitContext["b"], old: readonly Expr[], count: Expr, args: readonly Expr[]): readonly Expr[];
  /** Merges two non-empty states with counts n and m. */
  merge(b: EmitContext["b"], own: readonly Expr[], other: readonly Expr[], n: Expr, m: Expr): readonly Expr[];
  /** Returns the result and its null flag. */
  finish(b: EmitContext["b"], state: readonly Expr[], count: Expr): { readonly result: Expr; readonly isNull: Expr };
}

function implement({ doubles, add, merge, finish }: Moments): AggregateImplementation {
  const offsets = Array.from({ length: doubles }, (_, index) => 8 + 8 * index);
  const load = ({ b }: EmitContext, state: Expr) => offsets.map((offset) => b.temp(f64.load(state, offset)));
  const store = ({ b }: EmitContext, state: Expr, count: Expr, values: readonly Expr[]) => {
    b.store("i64.store", state, count);
    offsets.forEach((offset, index) => b.store("f64.store", state, values[index] as Expr, offset));
  };
  return {
    stateBytes: 8 + 8 * doubles,
    stateAlignment: 8,
    intermediateTypes: [BIGINT, ...offsets.map((): Type => DOUBLE)],
    wantsNulls: false,
    emitAdd: (context, state, args) => {
      const { b } = context;
      const count = b.temp(i64.add(i64.load(state), i64.const(1n)));
      const given = args.map((arg) => b.temp(asDouble(arg)));
      store(context, state, count, pinned(b, add(b, load(context, state), b.temp(f64.convertI64S(count)), given)));
    },
    emitMerge: (context, state, values) => {
      const { b } = context;
      const [count, ...others] = values.map((value) => part(value, 0)) as [Expr, ...Expr[]];
      b.if_(i64.ne(count, i64.const(0n)), () => {
        const own = b.temp(i64.load(state));
        b.if_(
          i64.eqz(own),
          () => store(context, state, count, others),
          () => {
            const [n, m] = [b.temp(f64.convertI64S(own)), b.temp(f64.convertI64S(count))];
            store(context, state, b.temp(i64.add(own, count)), pinned(b, merge(b, load(context, state), others, n, m)));
          },
        );
      });
    },
    emitIntermediate: (context, state) => [
      valueOf(BIGINT, context.b.temp(i64.load(state))),
      ...load(context, state).map((value) => valueOf(DOUBLE, value)),
    ],
    emitFinal: (context, state) => {
      const { b } = context;
      const { result, isNull } = finish(b, load(context, state), b.temp(f64.convertI64S(i64.load(state))));
      return { type: DOUBLE, parts: [b.temp(result)], isNull: b.temp(isNull) };
    },
  };
}

function pinned(b: EmitContext["b"], values: readonly Expr[]): readonly Expr[] {
  return values.map((value) => b.temp(value));
}

function asDouble(value: Value): Expr {
  const x = part(value, 0);
  return x.type === "i64" ? f64.convertI64S(x) : x.type === "f32" ? f64.promoteF32(x) : x;
}

/** The same aggregate over real: computed in double, rounded once at the end. */
export function asReal(implementation: AggregateImplementation): AggregateImplementation {
  return {
    ...implementation,
    emitFinal: (context, state) => {
      const value = implementation.emitFinal(context, state);
      return { ...value, type: REAL, parts: [context.b.temp(f32.demoteF64(part(value, 0)))] };
    },
  };
}

function sum(...terms: readonly Expr[]): Expr {
  return terms.reduce((left, right) => f64.add(left, right));
}

function product(...factors: readonly Expr[]): Expr {
  return factors.reduce((left, right) => f64.mul(left, right));
}

const number = f64.const;

export const geometricMean: AggregateImplementation = implement({
  doubles: 1,
  add: (b, [logs], _count, [x]) => [f64.add(logs as Expr, b.call(logarithm(b.kernel), x as Expr))],
  merge: (_b, [own], [other]) => [f64.add(own as Expr, other as Expr)],
  finish: (b, [logs], count) => ({ result: b.call(exponential(b.kernel), f64.div(logs as Expr, count)), isNull: f64.eq(count, number(0)) }),
});

/** Doubles of the state: the mean, and the sums of the second, third and fourth powers of distances from it. */
function centralMoments(finish: Moments["finish"]): AggregateImplementation {
  return implement({
    doubles: 4,
    add: (b, [mean, m2, m3, m4], n, [x]) => {
      const delta = b.temp(f64.sub(x as Expr, mean as Expr));
      const step = b.temp(f64.div(delta, n));
      const square = b.temp(f64.mul(step, step));
      const term = b.temp(product(delta, step, f64.sub(n, number(1))));
      const cubic = f64.sub(product(term, step, f64.sub(n, number(2))), product(number(3), step, m2 as Expr));
      const polynomial = sum(f64.mul(n, n), product(number(-3), n), number(3));
      const quartic = sum(product(term, square, polynomial), product(number(6), square, m2 as Expr), product(number(-4), step, m3 as Expr));
      return [f64.add(mean as Expr, step), f64.add(m2 as Expr, term), f64.add(m3 as Expr, cubic), f64.add(m4 as Expr, quartic)];
    },
    merge: (b, own, other, n, m) => {
      const [meanA, a2, a3, a4] = own as readonly [Expr, Expr, Expr, Expr];
      const [meanB, b2, b3, b4] = other as readonly [Expr, Expr, Expr, Expr];
      const total = b.temp(f64.add(n, m));
      const delta = b.temp(f64.sub(meanB, meanA));
      const step = b.temp(f64.div(delta, total));
      const both = b.temp(product(n, m, delta, step));
      const difference = f64.sub(n, m);
      const cubic = sum(product(both, step, difference), product(number(3), step, f64.sub(f64.mul(n, b2), f64.mul(m, a2))));
      const squares = sum(f64.mul(n, n), product(number(-1), n, m), f64.mul(m, m));
      const quartic = sum(
        product(both, step, step, squares),
        product(number(6), step, step, f64.add(product(n, n, b2), product(m, m, a2))),
        product(number(4), step, f64.sub(f64.mul(n, b3), f64.mul(m, a3))),
      );
      return [f64.add(meanA, f64.mul(m, step)), sum(a2, b2, both), sum(a3, b3, cubic), sum(a4, b4, quartic)];
    },
    finish,
  });
}

/** NULL for fewer than three rows. */
export const skewness: AggregateImplementation = centralMoments((_b, state, n) => {
  const [, m2, m3] = state as readonly [Expr, Expr, Expr, Expr];
  return { result: f64.div(f64.mul(f64.sqrt(n), m3), f64.mul(m2, f64.sqrt(m2))), isNull: f64.lt(n, number(3)) };
});

/** Excess kurtosis of the sample; NULL for fewer than four rows. */
export const kurtosis: AggregateImplementation = centralMoments((b, state, n) => {
  const [, m2, , m4] = state as readonly [Expr, Expr, Expr, Expr];
  const less = (count: number) => f64.sub(n, number(count));
  const rest = b.temp(product(less(2), less(3)));
  const first = f64.div(f64.div(product(less(1), n, f64.add(n, number(1)), m4), f64.mul(m2, m2)), rest);
  return { result: f64.sub(first, f64.div(product(number(3), less(1), less(1)), rest)), isNull: f64.lt(n, number(4)) };
});

export type PairStatistic =
  | "corr"
  | "covar_pop"
  | "covar_samp"
  | "regr_slope"
  | "regr_intercept"
  | "regr_avgx"
  | "regr_avgy"
  | "regr_count"
  | "regr_r2"
  | "regr_sxx"
  | "regr_sxy"
  | "regr_syy";

/** Arguments (y, x). The state holds both means, the sums of squared distances and the sum of products of distances. */
export function pairStatistic(name: PairStatistic): AggregateImplementation {
  return implement({
    doubles: 5,
    add: (b, old, n, [y, x]) => {
      const [meanY, meanX, squaresY, squaresX, products] = old as readonly [Expr, Expr, Expr, Expr, Expr];
      const [deltaY, deltaX] = [b.temp(f64.sub(y as Expr, meanY)), b.temp(f64.sub(x as Expr, meanX))];
      const [newY, newX] = [b.temp(f64.add(meanY, f64.div(deltaY, n))), b.temp(f64.add(meanX, f64.div(deltaX, n)))];
      const restX = b.temp(f64.sub(x as Expr, newX));
      return [
        newY,
        newX,
        f64.add(squaresY, f64.mul(deltaY, f64.sub(y as Expr, newY))),
        f64.add(squaresX, f64.mul(deltaX, restX)),
        f64.add(products, f64.mul(deltaY, restX)),
      ];
    },
    merge: (b, own, other, n, m) => {
      const total = b.temp(f64.add(n, m));
      const [deltaY, deltaX] = [0, 1].map((index) => b.temp(f64.sub(other[index] as Expr, own[index] as Expr))) as [Expr, Expr];
      const weight = b.temp(f64.div(f64.mul(n, m), total));
      const moved = (index: number, delta: Expr) => f64.add(own[index] as Expr, f64.div(f64.mul(delta, m), total));
      const summed = (index: number, between: Expr) => sum(own[index] as Expr, other[index] as Expr, f64.mul(weight, between));
      return [
        moved(0, deltaY),
        moved(1, deltaX),
        summed(2, f64.mul(deltaY, deltaY)),
        summed(3, f64.mul(deltaX, deltaX)),
        summed(4, f64.mul(deltaY, deltaX)),
      ];
    },
    finish: (b, state, n) => finishPairs(b, name, state as readonly [Expr, Expr, Expr, Expr, Expr], n),
  });
}

function finishPairs(
  b: EmitContext["b"],
  name: PairStatistic,
  [meanY, meanX, squaresY, squaresX, products]: readonly [Expr, Expr, Expr, Expr, Expr],
  n: Expr,
): { readonly result: Expr; readonly isNull: Expr } {
  const isEmpty = f64.eq(n, number(0));
  const slope = () => b.temp(f64.div(products, squaresX));
  switch (name) {
    case "covar_pop":
      return { result: f64.div(products, n), isNull: isEmpty };
    case "covar_samp":
      return { result: f64.div(products, f64.sub(n, number(1))), isNull: f64.lt(n, number(2)) };
    case "corr": {
      const result = b.temp(f64.div(products, f64.mul(f64.sqrt(squaresX), f64.sqrt(squaresY))));
      return { result, isNull: i32.or(f64.lt(n, number(2)), f64.ne(result, result)) };
    }
    case "regr_slope": {
      const result = slope();
      return { result, isNull: i32.or(f64.lt(n, number(2)), f64.ne(result, result)) };
    }
    case "regr_avgx":
      return { result: meanX, isNull: isEmpty };
    case "regr_avgy":
      return { result: meanY, isNull: isEmpty };
    case "regr_count":
      return { result: n, isNull: isEmpty };
    case "regr_sxx":
      return { result: squaresX, isNull: isEmpty };
    case "regr_sxy":
      return { result: products, isNull: isEmpty };
    case "regr_syy":
      return { result: squaresY, isNull: isEmpty };
    case "regr_r2": {
      // If all y are equal, the regression line passes through every point, so r² is 1.
      const share = f64.div(f64.mul(products, products), f64.mul(squaresX, squaresY));
      const result = b.temp(select(f64.eq(squaresY, number(0)), number(1), share));
      return { result, isNull: i32.or(isEmpty, i32.or(f64.eq(squaresX, number(0)), f64.ne(result, result))) };
    }
    case "regr_intercept": {
      const result = b.temp(f64.sub(meanY, f64.mul(slope(), meanX)));
      return { result, isNull: i32.or(f64.lt(n, number(2)), f64.ne(result, result)) };
    }
  }
}
