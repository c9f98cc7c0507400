/**
 * Kernel code of operators on dates, timestamps and intervals.
 */
import { type CodeBuilder, f64, i32, i64 } from "../kernel/builder.ts";
import type { Expr } from "../kernel/ir.ts";
import { DATE, INTERVAL_DAY_TO_SECOND, isInterval, type Type } from "../types/type.ts";
import { addMonths, emitDays, emitMicrosOfDay } from "./date-kernels.ts";
import type { EmitContext, EmitScalar } from "./emit.ts";
import type { ArithmeticName } from "./operators.ts";
import { part, type Value, valueOf } from "./value.ts";

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
  (_context, args, type) => {
    const family = type.kind === "interval day to second" ? i64 : i32;
    const operation = name === "$add" ? family.add : family.sub;
    return valueOf(type, operation(part(args[0] as Value, 0), part(args[1] as Value, 0)));
  };

const differenceOfMoments: EmitScalar = ({ b }, args) => {
  const [x, y] = [part(args[0] as Value, 0), part(args[1] as Value, 0)];
  if ((args[0] as Value).type.kind === "date") {
    return valueOf(INTERVAL_DAY_TO_SECOND, i64.mul(i64.sub(i64.extendI32S(x), i64.extendI32S(y)), i64.const(millisPerDay)));
  }
  return valueOf(INTERVAL_DAY_TO_SECOND, b.temp(i64.divS(i64.sub(x, y), i64.const(1000n))));
};

function moveMoment(name: ArithmeticName, momentIndex: 0 | 1): EmitScalar {
  return (context, args, type) => {
    const { b } = context;
    const moment = args[momentIndex] as Value;
    const interval = args[1 - momentIndex] as Value;
    const amount = signed(b, interval, name === "$subtract");
    if (interval.type.kind === "interval year to month") {
      const days = b.call(addMonths(b.kernel), emitDays(b, moment), amount);
      return moment.type.kind === "date" ? valueOf(DATE, b.temp(days)) : valueOf(type, withDays(b, days, moment));
    }
    return moment.type.kind === "date"
      ? addWholeDays(context, moment, amount)
      : valueOf(type, i64.add(part(moment, 0), i64.mul(amount, i64.const(1000n))));
  };
}

function signed(b: CodeBuilder, interval: Value, negative: boolean): Expr {
  const amount = part(interval, 0);
  if (!negative) {
    return amount;
  }
  return b.temp(amount.type === "i64" ? i64.sub(i64.const(0n), amount) : i32.sub(i32.const(0), amount));
}

function withDays(b: CodeBuilder, days: Expr, moment: Value): Expr {
  return b.temp(i64.add(i64.mul(i64.extendI32S(days), i64.const(microsPerDay)), emitMicrosOfDay(b, moment)));
}

function addWholeDays(context: EmitContext, date: Value, millis: Expr): Value {
  const { b } = context;
  b.if_(i64.ne(i64.remS(millis, i64.const(millisPerDay)), i64.const(0n)), () => context.raise("DATE_TIME_PART"));
  return valueOf(DATE, b.temp(i32.add(part(date, 0), i32.wrapI64(i64.divS(millis, i64.const(millisPerDay))))));
}

/** The number is a bigint or a double; doubles are cut toward zero after the operation. */
function scaleInterval(name: "$multiply" | "$divide", intervalIndex: 0 | 1, numberIndex: 0 | 1): EmitScalar {
  return (context, args, type) => {
    const { b } = context;
    const interval = part(args[intervalIndex] as Value, 0);
    const factor = args[numberIndex] as Value;
    const isMonths = type.kind === "interval year to month";
    if (factor.type.kind === "double") {
      const amount = isMonths ? f64.convertI32S(interval) : f64.convertI64S(interval);
      const scaled = name === "$multiply" ? f64.mul(amount, part(factor, 0)) : f64.div(amount, part(factor, 0));
      return valueOf(type, isMonths ? i32.truncSatF64S(scaled) : i64.truncSatF64S(scaled));
    }
    const count = part(factor, 0);
    const amount = isMonths ? i64.extendI32S(interval) : interval;
    if (name === "$divide") {
      b.if_(i64.eqz(count), () => context.raise("DIVISION_BY_ZERO"));
    }
    const scaled = name === "$multiply" ? i64.mul(amount, count) : emitDivide(b, amount, count);
    return valueOf(type, isMonths ? i32.wrapI64(scaled) : b.temp(scaled));
  };
}

/** Without the trap of the smallest value by -1, which wraps. */
function emitDivide(b: CodeBuilder, dividend: Expr, divisor: Expr): Expr {
  const result = b.local("i64");
  b.if_(
    i64.eq(divisor, i64.const(-1n)),
    () => b.set(result, i64.sub(i64.const(0n), dividend)),
    () => b.set(result, i64.divS(dividend, divisor)),
  );
  return result;
}
