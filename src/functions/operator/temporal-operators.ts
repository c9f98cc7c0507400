/**
 * Kernel code of the operators on dates, timestamps and intervals.
 */
import { type CodeBuilder, f64, i32, i64 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { DATE, INTERVAL_DAY_TO_SECOND, isInterval, type Type } from "../../types/type.ts";
import { emitCheckedNarrow, emitCheckedSum, emitMultiplyOverflows, raiseTemporal } from "./arithmetic.ts";
import { addMonths, emitCivil, emitDays, emitMicrosOfDay, floorDivide64 } from "../scalar/datetime/date-kernels.ts";
import type { EmitContext, EmitScalar } from "../runtime/emit.ts";
import type { ArithmeticName } from "./operator-names.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

const millisPerDay = 86_400_000n;
const microsPerDay = 86_400_000_000n;

export function temporalEmitter(name: ArithmeticName, left: Type, right: Type): EmitScalar {
  if (name === "$multiply" || name === "$divide") {
    return isInterval(left) ? scaleInterval(name, 0, 1) : scaleInterval(name, 1, 0);
  }
  if (isInterval(left) && isInterval(right)) {
    return combineIntervals(name);
  }
  if (!isInterval(left) && !isInterval(right)) {
    return differenceOfMoments;
  }
  return moveMoment(name, isInterval(left) ? 1 : 0);
}

const combineIntervals =
  (name: ArithmeticName): EmitScalar =>
  (context, args, type) => {
    const [x, y] = [part(args[0] as Value, 0), part(args[1] as Value, 0)];
    const sign = name === "$add" ? "$add" : "$subtract";
    if (type.kind === "interval day to second") {
      return valueOf(type, emitCheckedSum(context, type, sign, x, y));
    }
    const wide = emitCheckedSum(context, type, sign, i64.extendI32S(x), i64.extendI32S(y));
    return valueOf(type, emitCheckedNarrow(context, type, name === "$add" ? "addition" : "subtraction", wide));
  };

const differenceOfMoments: EmitScalar = ({ b }, args) => {
  const [x, y] = [part(args[0] as Value, 0), part(args[1] as Value, 0)];
  const { type } = args[0] as Value;
  if (type.kind === "date") {
    return valueOf(INTERVAL_DAY_TO_SECOND, i64.mul(i64.sub(i64.extendI32S(x), i64.extendI32S(y)), i64.const(millisPerDay)));
  }
  // Milliseconds and the remaining microseconds are subtracted separately: the difference in microseconds may exceed 64 bits.
  const [xMillis, yMillis] = [floorDivide64(b, x, 1000n), floorDivide64(b, y, 1000n)];
  const rest = (value: Expr, millis: Expr) => i64.sub(value, i64.mul(millis, i64.const(1000n)));
  const [xRest, yRest] = [b.temp(rest(x, xMillis)), b.temp(rest(y, yMillis))];
  const millis = b.temp(i64.sub(xMillis, yMillis));
  // Half a millisecond rounds up, as in Trino's Timestamps.round; the remainder is between -999 and 999 microseconds.
  const rest_ = b.temp(i64.sub(xRest, yRest));
  const more = i64.extendI32U(i64.geS(rest_, i64.const(500n)));
  const less = i64.extendI32U(i64.ltS(rest_, i64.const(-500n)));
  return valueOf(INTERVAL_DAY_TO_SECOND, b.temp(i64.sub(i64.add(millis, more), less)));
};

function moveMoment(name: ArithmeticName, momentIndex: 0 | 1): EmitScalar {
  return (context, args, type) => {
    const { b } = context;
    const moment = args[momentIndex] as Value;
    const interval = args[1 - momentIndex] as Value;
    const sign = name === "$subtract" ? "$subtract" : "$add";
    if (interval.type.kind === "interval year to month") {
      return addSomeMonths(context, moment, interval, sign, type);
    }
    const millis = part(interval, 0);
    if (moment.type.kind === "date") {
      return addWholeDays(context, moment, millis, sign);
    }
    b.if_(emitMultiplyOverflows(b, millis, i64.const(1000n)), () => raiseTemporal(context, type, operationOf(sign)));
    return valueOf(type, emitCheckedSum(context, type, sign, part(moment, 0), b.temp(i64.mul(millis, i64.const(1000n)))));
  };
}

type Sign = "$add" | "$subtract";

function operationOf(sign: Sign): "addition" | "subtraction" {
  return sign === "$add" ? "addition" : "subtraction";
}

/**
 * Largest result of month arithmetic, in months since year 0. Dates have 32-bit days (-5877641-06-23 to 5881580-07-11), timestamps 64-bit
 * microseconds.
 */
const monthsMax = { date: 5_881_580n * 12n + 7n, timestamp: 294_247n * 12n };
const monthsMin = { date: -5_877_641n * 12n + 4n, timestamp: -290_308n * 12n + 11n };

function addSomeMonths(context: EmitContext, moment: Value, interval: Value, sign: Sign, type: Type): Value {
  const { b } = context;
  const kind = moment.type.kind === "date" ? "date" : "timestamp";
  const days = emitDays(b, moment);
  const months = i64.extendI32S(part(interval, 0));
  const amount = b.temp(sign === "$add" ? months : i64.sub(i64.const(0n), months));
  const { year, month } = emitCivil(b, days);
  const before = i64.add(i64.mul(i64.extendI32S(year), i64.const(12n)), i64.extendI32S(i32.sub(month, i32.const(1))));
  const index = b.temp(i64.add(before, amount));
  const isOutside = i32.or(i64.geS(index, i64.const(monthsMax[kind])), i64.leS(index, i64.const(monthsMin[kind])));
  b.if_(isOutside, () => raiseTemporal(context, moment.type, operationOf(sign)));
  const moved = b.temp(b.call(addMonths(b.kernel), days, b.temp(i32.wrapI64(amount))));
  if (kind === "timestamp") {
    return valueOf(type, withDays(b, moved, moment));
  }
  // Days may still wrap around within the first and the last representable month.
  const forward = i32.and(i64.gtS(amount, i64.const(0n)), i32.gtS(days, moved));
  const backward = i32.and(i64.ltS(amount, i64.const(0n)), i32.gtS(moved, days));
  b.if_(i32.or(forward, backward), () => raiseTemporal(context, moment.type, operationOf(sign)));
  return valueOf(DATE, moved);
}

function withDays(b: CodeBuilder, days: Expr, moment: Value): Expr {
  return b.temp(i64.add(i64.mul(i64.extendI32S(days), i64.const(microsPerDay)), emitMicrosOfDay(b, moment)));
}

function addWholeDays(context: EmitContext, date: Value, millis: Expr, sign: Sign): Value {
  const { b } = context;
  const error = sign === "$subtract" ? "DATE_LESS_TIME_PART" : "DATE_TIME_PART";
  b.if_(i64.ne(i64.remS(millis, i64.const(millisPerDay)), i64.const(0n)), () => context.raise(error));
  const days = b.temp(i64.divS(millis, i64.const(millisPerDay)));
  const moved = emitCheckedSum(context, DATE, sign, b.temp(i64.extendI32S(part(date, 0))), days);
  return valueOf(DATE, emitCheckedNarrow(context, DATE, operationOf(sign), moved));
}

/** The factor is a bigint or a double; a double result is truncated toward zero. NaN and division by zero are errors for both types. */
function scaleInterval(name: "$multiply" | "$divide", intervalIndex: 0 | 1, numberIndex: 0 | 1): EmitScalar {
  return (context, args, type) => {
    const { b } = context;
    const interval = part(args[intervalIndex] as Value, 0);
    const factor = args[numberIndex] as Value;
    const isMonths = type.kind === "interval year to month";
    const operation = name === "$multiply" ? "multiplication" : "division";
    if (factor.type.kind === "double") {
      const amount = isMonths ? f64.convertI32S(interval) : f64.convertI64S(interval);
      const number = b.temp(part(factor, 0));
      const isRefused = f64.ne(number, number);
      const error = name === "$multiply" ? "INTERVAL_TIMES_NAN" : "INTERVAL_DIVISOR";
      const isBad = name === "$multiply" ? isRefused : i32.or(isRefused, f64.eq(number, f64.const(0)));
      b.if_(isBad, () => context.raise(error, number));
      const scaled = b.temp(name === "$multiply" ? f64.mul(amount, number) : f64.div(amount, number));
      b.if_(f64.ge(f64.abs(scaled), f64.const(isMonths ? 2 ** 31 : 2 ** 63)), () => raiseTemporal(context, type, operation));
      return valueOf(type, isMonths ? i32.truncSatF64S(scaled) : i64.truncSatF64S(scaled));
    }
    const count = part(factor, 0);
    const amount = b.temp(isMonths ? i64.extendI32S(interval) : interval);
    if (name === "$divide") {
      b.if_(i64.eqz(count), () => context.raise("INTERVAL_DIVISOR", f64.const(0)));
      const isMinimum = i64.eq(amount, i64.const(-(1n << 63n)));
      b.if_(i32.and(isMinimum, i64.eq(count, i64.const(-1n))), () => raiseTemporal(context, type, operation));
    } else {
      b.if_(emitMultiplyOverflows(b, amount, count), () => raiseTemporal(context, type, operation));
    }
    const scaled = b.temp(name === "$multiply" ? i64.mul(amount, count) : i64.divS(amount, count));
    return valueOf(type, isMonths ? emitCheckedNarrow(context, type, operation, scaled) : scaled);
  };
}
