/**
 * 128-bit integer arithmetic in kernels for functions: inline addition for exact sums and long decimals, multiplication, rounding division.
 * Longer routines are in codegen/int128.ts.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, select } from "../../codegen/builder.ts";
import { int128Divide } from "../../codegen/int128.ts";
import type { Expr } from "../../codegen/ir.ts";

/** Low and high word. */
export type Wide = readonly [lo: Expr, hi: Expr];

export function wideConst(value: bigint): Wide {
  return [i64.const(value), i64.const(value >> 64n)];
}

export function emitExtend(b: CodeBuilder, value: Expr): Wide {
  const lo = b.temp(value);
  return [lo, b.temp(i64.shrS(lo, i64.const(63n)))];
}

export function emitAdd128(b: CodeBuilder, [alo, ahi]: Wide, [blo, bhi]: Wide): Wide {
  const lo = b.temp(i64.add(alo, blo));
  return [lo, b.temp(i64.add(i64.add(ahi, bhi), i64.extendI32U(i64.ltU(lo, alo))))];
}

export function emitSubtract128(b: CodeBuilder, [alo, ahi]: Wide, [blo, bhi]: Wide): Wide {
  const borrow = i64.extendI32U(i64.ltU(alo, blo));
  const hi = b.temp(i64.sub(i64.sub(ahi, bhi), borrow));
  return [b.temp(i64.sub(alo, blo)), hi];
}

export function emitNegate128(b: CodeBuilder, value: Wide): Wide {
  return emitSubtract128(b, wideConst(0n), value);
}

function isNegative128([, hi]: Wide): Expr {
  return i64.ltS(hi, i64.const(0n));
}

export function isZero128([lo, hi]: Wide): Expr {
  return i64.eqz(i64.or(lo, hi));
}

/** Signed a < b, as i32 0 or 1. */
export function emitLess128([alo, ahi]: Wide, [blo, bhi]: Wide): Expr {
  return select(i64.eq(ahi, bhi), i64.ltU(alo, blo), i64.ltS(ahi, bhi));
}

/** The magnitude as an unsigned number. */
export function emitMagnitude128(b: CodeBuilder, value: Wide): Wide {
  const sign = b.temp(i64.shrS(value[1], i64.const(63n)));
  return emitSubtract128(b, [b.temp(i64.xor(value[0], sign)), b.temp(i64.xor(value[1], sign))], [sign, sign]);
}

/** Negates the value if `negative` (i32) is 1. */
function emitApplySign128(b: CodeBuilder, value: Wide, negative: Expr): Wide {
  const sign = b.temp(i64.sub(i64.const(0n), i64.extendI32U(negative)));
  return emitSubtract128(b, [b.temp(i64.xor(value[0], sign)), b.temp(i64.xor(value[1], sign))], [sign, sign]);
}

/** High word of the unsigned product of two words. */
function multiplyHigh(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("i128.multiplyHigh", { params: ["i64", "i64"], result: "i64" }, (b, [x, y]) => {
    const mask = i64.const(0xffff_ffffn);
    const half = i64.const(32n);
    const [a, c] = [x as Expr, y as Expr];
    const [a0, a1] = [b.temp(i64.and(a, mask)), b.temp(i64.shrU(a, half))];
    const [c0, c1] = [b.temp(i64.and(c, mask)), b.temp(i64.shrU(c, half))];
    const low = b.temp(i64.mul(a0, c0));
    const middle = b.temp(i64.add(i64.mul(a1, c0), i64.shrU(low, half)));
    const other = b.temp(i64.add(i64.mul(a0, c1), i64.and(middle, mask)));
    b.return_(i64.add(i64.add(i64.mul(a1, c1), i64.shrU(middle, half)), i64.shrU(other, half)));
  });
}

/** Signed 128-bit product of two words. */
export function emitMultiplyWords(b: CodeBuilder, x: Expr, y: Expr): Wide {
  const product = b.temp(i64.mul(x, y));
  const high = b.local("i64", i64.shrS(product, i64.const(63n)));
  const significant = (value: Expr) => i64.clz(i64.xor(value, i64.shrS(value, i64.const(63n))));
  // If both operands together have enough leading sign bits, the product fits in one word.
  b.if_(i64.ltU(i64.add(significant(x), significant(y)), i64.const(66n)), () => {
    const zero = i64.const(0n);
    const unsigned = b.call(multiplyHigh(b.kernel), x, y);
    b.set(high, i64.sub(i64.sub(unsigned, select(i64.ltS(x, zero), y, zero)), select(i64.ltS(y, zero), x, zero)));
  });
  return [product, high];
}

/** Signed division that rounds half away from zero. The divisor must not be zero; `scratch` has 32 bytes. */
export function emitDivideRounding128(b: CodeBuilder, dividend: Wide, divisor: Wide, scratch: Expr): Wide {
  const negative = b.temp(i32.xor(isNegative128(dividend), isNegative128(divisor)));
  const d = emitMagnitude128(b, divisor);
  b.do_(int128Divide(b.kernel), scratch, ...emitMagnitude128(b, dividend), ...d);
  const remainder: Wide = [b.temp(i64.load(scratch, 16)), b.temp(i64.load(scratch, 24))];
  // remainder >= divisor - remainder: the remainder is at least half the divisor.
  const up = i32.eqz(emitLess128(remainder, emitSubtract128(b, d, remainder)));
  const quotient = emitAdd128(b, [b.temp(i64.load(scratch)), b.temp(i64.load(scratch, 8))], [b.temp(i64.extendI32U(up)), i64.const(0n)]);
  return emitApplySign128(b, quotient, negative);
}

/** The low 128 bits of the product; exact if the caller knows that the product fits. */
export function emitMultiplyWrapping(b: CodeBuilder, [alo, ahi]: Wide, [blo, bhi]: Wide): Wide {
  const high = b.call(multiplyHigh(b.kernel), alo, blo);
  return [b.temp(i64.mul(alo, blo)), b.temp(i64.add(high, i64.add(i64.mul(alo, bhi), i64.mul(ahi, blo))))];
}
