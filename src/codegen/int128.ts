/**
 * 128-bit two's complement arithmetic for long decimals, as functions of a kernel. An operand is (i64 lo, i64 hi). A 128-bit result is
 * written to an address as u64 lo, i64 hi. Functions that can overflow return i32 1 if the result does not fit in 128 bits; the written
 * result is then modulo 2^128.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, type Local, select } from "./builder.ts";
import type { Expr, ValueType } from "./ir.ts";

const zero64 = i64.const(0n);
const one64 = i64.const(1n);
const lowHalf = i64.const(0xffff_ffffn);
const halfBits = i64.const(32n);
const signBits = i64.const(63n);

/** target address, left lo, left hi, right lo, right hi */
const binaryParams: readonly ValueType[] = ["i32", "i64", "i64", "i64", "i64"];

type BinaryLocals = readonly [Local, Local, Local, Local, Local];

/** Offset of the high half from the low one. */
const int128HighOffset = 8;

function emitStoreInt128(b: CodeBuilder, address: Expr, lo: Expr, hi: Expr): void {
  b.store("i64.store", address, lo);
  b.store("i64.store", address, hi, int128HighOffset);
}

/** (target, a, b): the 128 bits of u64 * u64. */
export function multiplyU64(k: KernelBuilder): FunctionRef {
  return k.function_("multiplyU64", { params: ["i32", "i64", "i64"] }, (b, params) => {
    const [target, x, y] = params as [Local, Local, Local];
    const xLow = b.temp(i64.and(x, lowHalf));
    const xHigh = b.temp(i64.shrU(x, halfBits));
    const yLow = b.temp(i64.and(y, lowHalf));
    const yHigh = b.temp(i64.shrU(y, halfBits));
    const low = b.temp(i64.mul(xLow, yLow));
    const middle = b.temp(i64.add(i64.mul(xHigh, yLow), i64.shrU(low, halfBits)));
    const cross = b.temp(i64.add(i64.mul(xLow, yHigh), i64.and(middle, lowHalf)));
    const hi = i64.add(i64.add(i64.mul(xHigh, yHigh), i64.shrU(middle, halfBits)), i64.shrU(cross, halfBits));
    emitStoreInt128(b, target, i64.or(i64.shl(cross, halfBits), i64.and(low, lowHalf)), hi);
  });
}

/** Replaces (lo, hi) by its magnitude, an unsigned 128-bit number, and returns its former sign: -1 or 0. */
function makeMagnitude(b: CodeBuilder, lo: Local, hi: Local): Expr {
  const sign = b.temp(i64.shrS(hi, signBits));
  b.if_(i64.ne(sign, zero64), () => negateInPlace(b, lo, hi));
  return sign;
}

function negateInPlace(b: CodeBuilder, lo: Local, hi: Local): void {
  b.set(hi, i64.sub(i64.sub(zero64, hi), i64.extendI32U(i64.ne(lo, zero64))));
  b.set(lo, i64.sub(zero64, lo));
}

/** (target, aLo, aHi, bLo, bHi) -> i32 overflow: a * b. */
export function int128Multiply(k: KernelBuilder): FunctionRef {
  const multiply = multiplyU64(k);
  return k.function_("int128Multiply", { params: binaryParams, result: "i32" }, (b, params) => {
    const [target, aLo, aHi, bLo, bHi] = params as unknown as BinaryLocals;
    const sign = b.temp(i64.xor(makeMagnitude(b, aLo, aHi), makeMagnitude(b, bLo, bHi)));
    const overflow = b.local("i32", i32.and(i64.ne(aHi, zero64), i64.ne(bHi, zero64)));
    // Without overflow at most one high half is not zero; its product contributes to the upper 64 bits.
    b.do_(multiply, target, aHi, bLo);
    const upper = b.local("i64", i64.load(target));
    b.set(overflow, i32.or(overflow, i64.ne(i64.load(target, int128HighOffset), zero64)));
    b.do_(multiply, target, aLo, bHi);
    b.set(overflow, i32.or(overflow, i64.ne(i64.load(target, int128HighOffset), zero64)));
    b.set(upper, i64.add(upper, i64.load(target)));
    b.do_(multiply, target, aLo, bLo);
    const lo = b.local("i64", i64.load(target));
    const hi = b.local("i64", i64.add(i64.load(target, int128HighOffset), upper));
    b.set(overflow, i32.or(overflow, i64.ltU(hi, upper)));
    b.if_(i64.ne(sign, zero64), () => negateInPlace(b, lo, hi));
    emitStoreInt128(b, target, lo, hi);
    // The sign matches if the magnitude was below 2^127, or exactly 2^127 and negative; zero has no sign.
    const signMatches = i64.eq(i64.shrS(hi, signBits), sign);
    b.return_(i32.or(overflow, i32.and(i32.eqz(signMatches), i64.ne(i64.or(lo, hi), zero64))));
  });
}

/**
 * (target, aLo, aHi, bLo, bHi) -> i32 overflow: the quotient, rounded toward zero, at target, and the remainder, with the sign of a, at
 * target + 16. The caller must check that b is not zero; b = 0 traps. Overflows only for the smallest value divided by -1.
 */
export function int128Divide(k: KernelBuilder): FunctionRef {
  const divide = divideU128(k);
  return k.function_("int128Divide", { params: binaryParams, result: "i32" }, (b, params) => {
    const [target, aLo, aHi, bLo, bHi] = params as unknown as BinaryLocals;
    const aSign = b.temp(makeMagnitude(b, aLo, aHi));
    const bSign = b.temp(makeMagnitude(b, bLo, bHi));
    b.do_(divide, target, aLo, aHi, bLo, bHi);
    const lo = b.local("i64", i64.load(target));
    const hi = b.local("i64", i64.load(target, int128HighOffset));
    const overflow = b.temp(i32.and(i64.eq(aSign, bSign), i64.ltS(hi, zero64)));
    b.if_(i64.ne(aSign, bSign), () => {
      negateInPlace(b, lo, hi);
      emitStoreInt128(b, target, lo, hi);
    });
    b.if_(i64.ne(aSign, zero64), () => {
      b.set(lo, i64.load(target, 16));
      b.set(hi, i64.load(target, 24));
      negateInPlace(b, lo, hi);
      emitStoreInt128(b, i32.add(target, i32.const(16)), lo, hi);
    });
    b.return_(overflow);
  });
}

/** (target, aLo, aHi, bLo, bHi): unsigned quotient at target, remainder at target + 16. */
function divideU128(k: KernelBuilder): FunctionRef {
  const byHalfWord = divideU128ByU32(k);
  return k.function_("divideU128", { params: binaryParams }, (b, params) => {
    const [target, aLo, aHi, bLo, bHi] = params as unknown as BinaryLocals;
    b.if_(i64.eqz(i64.or(aHi, bHi)), () => {
      emitStoreInt128(b, target, i64.divU(aLo, bLo), zero64);
      emitStoreInt128(b, i32.add(target, i32.const(16)), i64.remU(aLo, bLo), zero64);
      b.return_();
    });
    b.if_(i32.and(i64.eqz(bHi), i64.leU(bLo, lowHalf)), () => {
      b.do_(byHalfWord, target, aLo, aHi, bLo);
      b.return_();
    });
    emitLongDivision(b, [target, aLo, aHi, bLo, bHi]);
  });
}

/** (target, aLo, aHi, divisor below 2^32): schoolbook division with 32-bit digits. */
function divideU128ByU32(k: KernelBuilder): FunctionRef {
  return k.function_("divideU128ByU32", { params: ["i32", "i64", "i64", "i64"] }, (b, params) => {
    const [target, aLo, aHi, divisor] = params as [Local, Local, Local, Local];
    const hi = b.temp(i64.divU(aHi, divisor));
    const rest = b.local("i64", i64.remU(aHi, divisor));
    const upper = b.local("i64", i64.or(i64.shl(rest, halfBits), i64.shrU(aLo, halfBits)));
    b.set(rest, i64.remU(upper, divisor));
    b.set(upper, i64.divU(upper, divisor));
    const lower = b.temp(i64.or(i64.shl(rest, halfBits), i64.and(aLo, lowHalf)));
    emitStoreInt128(b, target, i64.or(i64.shl(upper, halfBits), i64.divU(lower, divisor)), hi);
    emitStoreInt128(b, i32.add(target, i32.const(16)), i64.remU(lower, divisor), zero64);
  });
}

/** Shift and subtract, starting at the first bit position at which the divisor fits. */
function emitLongDivision(b: CodeBuilder, [target, aLo, aHi, bLo, bHi]: BinaryLocals): void {
  const clz128 = (lo: Expr, hi: Expr) => select(i64.eqz(hi), i64.add(i64.const(64n), i64.clz(lo)), i64.clz(hi));
  const quotientLo = b.local("i64", zero64);
  const quotientHi = b.local("i64", zero64);
  const shift = b.local("i64", i64.sub(clz128(bLo, bHi), clz128(aLo, aHi)));
  b.if_(i64.geS(shift, zero64), () => {
    emitShiftLeft(b, bLo, bHi, shift);
    b.loop((loop) => {
      b.set(quotientHi, i64.or(i64.shl(quotientHi, one64), i64.shrU(quotientLo, signBits)));
      b.set(quotientLo, i64.shl(quotientLo, one64));
      const fits = select(i64.eq(aHi, bHi), i64.geU(aLo, bLo), i64.gtU(aHi, bHi));
      b.if_(fits, () => {
        b.set(aHi, i64.sub(i64.sub(aHi, bHi), i64.extendI32U(i64.ltU(aLo, bLo))));
        b.set(aLo, i64.sub(aLo, bLo));
        b.set(quotientLo, i64.or(quotientLo, one64));
      });
      b.set(bLo, i64.or(i64.shrU(bLo, one64), i64.shl(bHi, signBits)));
      b.set(bHi, i64.shrU(bHi, one64));
      b.set(shift, i64.sub(shift, one64));
      b.continue_(loop, i64.geS(shift, zero64));
    });
  });
  emitStoreInt128(b, target, quotientLo, quotientHi);
  emitStoreInt128(b, i32.add(target, i32.const(16)), aLo, aHi);
}

/** Shifts by 0 to 127 places. */
function emitShiftLeft(b: CodeBuilder, lo: Local, hi: Local, places: Expr): void {
  b.if_(
    i64.geU(places, i64.const(64n)),
    () => {
      b.set(hi, i64.shl(lo, places));
      b.set(lo, zero64);
    },
    () => {
      b.if_(i64.ne(places, zero64), () => {
        b.set(hi, i64.or(i64.shl(hi, places), i64.shrU(lo, i64.sub(i64.const(64n), places))));
        b.set(lo, i64.shl(lo, places));
      });
    },
  );
}
