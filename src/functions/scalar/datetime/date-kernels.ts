/**
 * Calendar arithmetic in kernels, equal to that of dates.ts: functions over days (i32), emitted once per kernel.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, select } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { part, type Value } from "../../runtime/value.ts";

/** floor(dividend / divisor) for a positive constant divisor. */
function floorDivide32(b: CodeBuilder, dividend: Expr, divisor: number): Expr {
  const quotient = b.temp(i32.divS(dividend, i32.const(divisor)));
  return b.temp(i32.sub(quotient, i32.ltS(i32.sub(dividend, i32.mul(quotient, i32.const(divisor))), i32.const(0))));
}

export function floorDivide64(b: CodeBuilder, dividend: Expr, divisor: bigint): Expr {
  const quotient = b.temp(i64.divS(dividend, i64.const(divisor)));
  const negative = i64.ltS(i64.sub(dividend, i64.mul(quotient, i64.const(divisor))), i64.const(0n));
  return b.temp(i64.sub(quotient, i64.extendI32U(negative)));
}

const microsPerDay = 86_400_000_000n;

/** Days (i32) of a date or timestamp. */
export function emitDays(b: CodeBuilder, value: Value): Expr {
  return value.type.kind === "timestamp" ? b.temp(i32.wrapI64(floorDivide64(b, part(value, 0), microsPerDay))) : part(value, 0);
}

/** Microseconds (i64) within the day of a timestamp. */
export function emitMicrosOfDay(b: CodeBuilder, value: Value): Expr {
  const days = floorDivide64(b, part(value, 0), microsPerDay);
  return b.temp(i64.sub(part(value, 0), i64.mul(days, i64.const(microsPerDay))));
}

/** days -> year * 512 + month * 32 + day, for all 32-bit days; the year has 24 bits. */
function civil(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("date.civil", { params: ["i32"], result: "i64" }, (b, [days]) => {
    // Eras begin 719,468 days before the epoch, which is four whole eras and 135,080 days. The offset is added after the division, so it
    // cannot overflow.
    const quotient = floorDivide32(b, days as Expr, 146_097);
    const rest = b.temp(i32.add(i32.sub(days as Expr, i32.mul(quotient, i32.const(146_097))), i32.const(135_080)));
    const isNext = b.temp(i32.geS(rest, i32.const(146_097)));
    const era = b.temp(i32.add(i32.add(quotient, i32.const(4)), isNext));
    const doe = b.temp(i32.sub(rest, i32.mul(isNext, i32.const(146_097))));
    const div = (x: Expr, y: number) => i32.divU(x, i32.const(y));
    const yoe = b.temp(div(i32.sub(i32.add(i32.sub(doe, div(doe, 1460)), div(doe, 36_524)), div(doe, 146_096)), 365));
    const doy = b.temp(i32.sub(doe, i32.sub(i32.add(i32.mul(yoe, i32.const(365)), div(yoe, 4)), div(yoe, 100))));
    const mp = b.temp(div(i32.add(i32.mul(doy, i32.const(5)), i32.const(2)), 153));
    const day = b.temp(i32.add(i32.sub(doy, div(i32.add(i32.mul(mp, i32.const(153)), i32.const(2)), 5)), i32.const(1)));
    const month = b.temp(select(i32.ltU(mp, i32.const(10)), i32.add(mp, i32.const(3)), i32.sub(mp, i32.const(9))));
    const year = i32.add(i32.add(yoe, i32.mul(era, i32.const(400))), i32.leS(month, i32.const(2)));
    const monthAndDay = i32.or(i32.shl(month, i32.const(5)), day);
    b.return_(i64.or(i64.shl(i64.extendI32S(year), i64.const(9n)), i64.extendI32U(monthAndDay)));
  });
}

export interface CivilParts {
  readonly year: Expr;
  readonly month: Expr;
  readonly day: Expr;
}

export function emitCivil(b: CodeBuilder, days: Expr): CivilParts {
  const packed = b.temp(b.call(civil(b.kernel), days));
  return {
    year: i32.wrapI64(i64.shrS(packed, i64.const(9n))),
    month: i32.and(i32.shrU(i32.wrapI64(packed), i32.const(5)), i32.const(15)),
    day: i32.and(i32.wrapI64(packed), i32.const(31)),
  };
}

/** (year, month 1 to 12, day) -> days. */
export function daysFromCivil(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("date.days", { params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [y, month, day] = params as readonly [Expr, Expr, Expr];
    const year = b.temp(i32.sub(y, i32.leS(month, i32.const(2))));
    const era = floorDivide32(b, year, 400);
    const yoe = b.temp(i32.sub(year, i32.mul(era, i32.const(400))));
    const shifted = i32.remU(i32.add(month, i32.const(9)), i32.const(12));
    const doy = i32.sub(i32.add(i32.divU(i32.add(i32.mul(shifted, i32.const(153)), i32.const(2)), i32.const(5)), day), i32.const(1));
    const leap = i32.sub(i32.divU(yoe, i32.const(4)), i32.divU(yoe, i32.const(100)));
    const doe = i32.add(i32.add(i32.mul(yoe, i32.const(365)), leap), doy);
    b.return_(i32.sub(i32.add(i32.mul(era, i32.const(146_097)), doe), i32.const(719_468)));
  });
}

/** (days, months) -> days; the day is clamped to the length of the month. */
export function addMonths(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("date.addMonths", { params: ["i32", "i32"], result: "i32" }, (b, params) => {
    const [days, months] = params as readonly [Expr, Expr];
    const date = emitCivil(b, days);
    const index = b.temp(i32.add(i32.add(i32.mul(date.year, i32.const(12)), i32.sub(date.month, i32.const(1))), months));
    const year = floorDivide32(b, index, 12);
    const month = b.temp(i32.add(i32.sub(index, i32.mul(year, i32.const(12))), i32.const(1)));
    const next = i32.add(index, i32.const(1));
    const nextYear = floorDivide32(b, b.temp(next), 12);
    const nextMonth = b.temp(i32.add(i32.sub(i32.add(index, i32.const(1)), i32.mul(nextYear, i32.const(12))), i32.const(1)));
    const days_ = daysFromCivil(b.kernel);
    const first = b.temp(b.call(days_, year, month, i32.const(1)));
    const length = b.temp(i32.sub(b.call(days_, nextYear, nextMonth, i32.const(1)), first));
    const day = b.temp(date.day);
    b.return_(i32.add(first, i32.sub(select(i32.gtS(day, length), length, day), i32.const(1))));
  });
}

/** Monday is 1, Sunday is 7. */
export function emitDayOfWeek(b: CodeBuilder, days: Expr): Expr {
  const sinceThursday = i32.sub(days, i32.mul(floorDivide32(b, days, 7), i32.const(7)));
  return b.temp(i32.add(i32.remU(i32.add(sinceThursday, i32.const(3)), i32.const(7)), i32.const(1)));
}

export function emitDayOfYear(b: CodeBuilder, days: Expr): Expr {
  const { year } = emitCivil(b, days);
  return b.temp(i32.add(i32.sub(days, b.call(daysFromCivil(b.kernel), year, i32.const(1), i32.const(1))), i32.const(1)));
}

/** ISO 8601 week, and the year it belongs to. */
export function emitIsoWeek(b: CodeBuilder, days: Expr): { readonly year: Expr; readonly week: Expr } {
  const thursday = b.temp(i32.add(i32.sub(days, emitDayOfWeek(b, days)), i32.const(4)));
  const year = b.temp(emitCivil(b, thursday).year);
  const first = b.call(daysFromCivil(b.kernel), year, i32.const(1), i32.const(1));
  return { year, week: b.temp(i32.add(i32.divS(i32.sub(thursday, first), i32.const(7)), i32.const(1))) };
}
