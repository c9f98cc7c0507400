/**
 * Digits as numbers, eight at a time.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, type Local, select } from "../../../../codegen/builder.ts";
import type { Expr } from "../../../../codegen/ir.ts";

const eight = i32.const(8);
/** Of eight bytes: the character 0. */
const zeroDigits = i64.const(0x3030_3030_3030_3030n);
const upperHalves = i64.const(0xf0f0_f0f0_f0f0_f0f0n);
/** Not a number. */
const noNumber = i64.const(-1n);
/** Digits that `digitsFunction` takes. */
export const digitsMax = 18;

/** (characters) -> the number of eight digits, the first in the lowest byte; -1 if not all are digits. */
export function eightDigitsFunction(k: KernelBuilder): FunctionRef {
  return k.function_("eightDigits", { params: ["i64"], result: "i64" }, (b, [text]) => {
    const isWithin = i64.eq(i64.and(text, upperHalves), zeroDigits);
    const isBelowTen = i64.eq(i64.and(i64.add(text, i64.const(0x0606_0606_0606_0606n)), upperHalves), zeroDigits);
    b.if_(i32.eqz(i32.and(isWithin, isBelowTen)), () => b.return_(noNumber));
    b.set(text, i64.and(text, i64.const(0x0f0f_0f0f_0f0f_0f0fn)));
    // Pairs of digits, then of pairs, then of fours: the sum is in the upper half of each.
    b.set(text, i64.and(i64.shrU(i64.mul(text, i64.const(2561n)), i64.const(8n)), i64.const(0x00ff_00ff_00ff_00ffn)));
    b.set(text, i64.and(i64.shrU(i64.mul(text, i64.const(6_553_601n)), i64.const(16n)), i64.const(0x0000_ffff_0000_ffffn)));
    b.return_(i64.shrU(i64.mul(text, i64.const(42_949_672_960_001n)), i64.const(32n)));
  });
}

/** (start, number of digits, at most eight) -> the number; -1 if not all are digits, or there is none. */
function fewDigitsFunction(k: KernelBuilder): FunctionRef {
  const eightDigits = eightDigitsFunction(k);
  return k.function_("fewDigits", { params: ["i32", "i32"], result: "i64" }, (b, [start, count]) => {
    b.if_(i32.eqz(count), () => b.return_(noNumber));
    // Zeros stand before the digits.
    const bits = b.temp(i64.extendI32U(i32.shl(count, i32.const(3))));
    const digits = i64.shl(i64.load(start), i64.sub(i64.const(64n), bits));
    const zeros = i64.shrU(i64.shrU(zeroDigits, i64.const(1n)), i64.sub(bits, i64.const(1n)));
    b.return_(b.call(eightDigits, i64.or(digits, zeros)));
  });
}

/** (start, number of digits, at most 18) -> the number; -1 if not all are digits, or there is none. */
export function digitsFunction(k: KernelBuilder): FunctionRef {
  const fewDigits = fewDigitsFunction(k);
  return k.function_("digits", { params: ["i32", "i32"], result: "i64" }, (b, [start, count]) => {
    b.if_(i32.leU(count, eight), () => b.return_(b.call(fewDigits, start, count)));
    const value = b.local("i64", i64.const(0n));
    const isBad = b.local("i32");
    const append = (digits: Expr, scale: bigint) => {
      const part = b.temp(digits);
      b.set(isBad, i32.or(isBad, i64.ltS(part, i64.const(0n))));
      b.set(value, i64.add(i64.mul(value, i64.const(scale)), part));
    };
    const first = b.temp(i32.and(i32.sub(count, i32.const(1)), i32.const(7)));
    append(b.call(fewDigits, start, i32.add(first, i32.const(1))), 1n);
    b.set(start, i32.add(i32.add(start, first), i32.const(1)));
    append(b.call(fewDigits, start, eight), 100_000_000n);
    b.if_(i32.gtU(count, i32.const(16)), () => append(b.call(fewDigits, i32.add(start, eight), eight), 100_000_000n));
    b.return_(select(isBad, noNumber, value));
  });
}

/** A number without a sign as written, `12`, `12.5`, `.5` or `5.`, of at most sixteen bytes. */
export interface Written {
  /** All digits as an integer; -1 if it is no such number. */
  readonly digits: Local;
  /** Digits before the point. */
  readonly whole: Expr;
  /** Digits after the point. */
  readonly fraction: Expr;
}

/** `powers` is the address of the powers of ten as i64. */
export function readWritten(
  b: CodeBuilder,
  functions: { readonly digits: FunctionRef; readonly findPoint: (start: Expr, length: Expr) => Expr },
  text: { readonly start: Expr; readonly length: Expr; readonly powers: Expr },
): Written {
  const { start, length, powers } = text;
  const digits = b.local("i64");
  const whole = b.temp(functions.findPoint(start, length));
  const fraction = b.local("i32", i32.const(0));
  b.set(digits, b.call(functions.digits, start, whole));
  b.if_(i32.ltU(whole, length), () => {
    b.set(fraction, i32.sub(i32.sub(length, whole), i32.const(1)));
    b.if_(i32.eqz(whole), () => b.set(digits, select(i32.eqz(fraction), noNumber, i64.const(0n))));
    b.if_(i32.and(i32.ne(fraction, i32.const(0)), i64.geS(digits, i64.const(0n))), () => {
      const part = b.temp(b.call(functions.digits, i32.add(i32.add(start, whole), i32.const(1)), fraction));
      const scale = i64.load(i32.add(powers, i32.shl(fraction, i32.const(3))));
      b.set(digits, select(i64.ltS(part, i64.const(0n)), noNumber, i64.add(i64.mul(digits, scale), part)));
    });
  });
  return { digits, whole, fraction };
}
