/**
 * The operations of kernel code on JavaScript values with WebAssembly semantics. i32 is a signed number, i64 a signed bigint, f32 a number
 * that equals its own `fround`, f64 a number, v128 an unsigned bigint whose lowest byte is the first. Payloads and signs of NaNs are not
 * preserved.
 */
import type { BinaryOp, KernelValue, UnaryOp } from "./ir.ts";
import type { KernelTrapKind } from "./trap.ts";

/** Thrown by an operation; the interpreter adds the kernel's name. */
export class NumericTrap extends Error {
  override readonly name = "NumericTrap";
  constructor(readonly kind: KernelTrapKind) {
    super(kind);
  }
}

type Binary<Operand, To> = (left: Operand, right: Operand) => To;
type AnyUnary = (operand: KernelValue) => KernelValue;
type AnyBinary = (left: KernelValue, right: KernelValue) => KernelValue;

const i64Mask = 0xffff_ffff_ffff_ffffn;
const i64Min = -(1n << 63n);
const i64Max = (1n << 63n) - 1n;
const i32Min = -0x8000_0000;
const i32Max = 0x7fff_ffff;

function signed(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

export function unsigned(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function popcnt32(value: number): number {
  let count = 0;
  for (let rest = value >>> 0; rest !== 0; rest &= rest - 1) {
    count++;
  }
  return count;
}

function ctz32(value: number): number {
  return value === 0 ? 32 : 31 - Math.clz32(value & -value);
}

function low(value: bigint): number {
  return Number(value & 0xffff_ffffn) | 0;
}

function high(value: bigint): number {
  return Number((value >> 32n) & 0xffff_ffffn) | 0;
}

function clz64(value: bigint): bigint {
  const top = high(value);
  return BigInt(top !== 0 ? Math.clz32(top) : 32 + Math.clz32(low(value)));
}

function ctz64(value: bigint): bigint {
  const bottom = low(value);
  return BigInt(bottom !== 0 ? ctz32(bottom) : 32 + ctz32(high(value)));
}

/** Rounds ties to even. */
function nearest(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) {
    return value;
  }
  const floor = Math.floor(value);
  const part = value - floor;
  const rounded = part < 0.5 || (part === 0.5 && floor % 2 === 0) ? floor : floor + 1;
  return rounded === 0 && (value < 0 || Object.is(value, -0)) ? -0 : rounded;
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

function copysign(value: number, sign: number): number {
  return isNegative(value) === isNegative(sign) ? value : -value;
}

function truncSat32(value: number): number {
  if (Number.isNaN(value)) {
    return 0;
  }
  return Math.max(i32Min, Math.min(i32Max, Math.trunc(value))) | 0;
}

function truncSat64(value: number): bigint {
  if (Number.isNaN(value)) {
    return 0n;
  }
  if (value >= 2 ** 63) {
    return i64Max;
  }
  return value < -(2 ** 63) ? i64Min : BigInt(Math.trunc(value));
}

/** Rounds only once: the bits that a double cannot hold are folded into a sticky bit first. */
function roundI64ToF32(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  if (magnitude < 1n << 53n) {
    return Math.fround(Number(value));
  }
  const sticky = (magnitude & 0xfffffn) === 0n ? 0n : 1n;
  const rounded = Math.fround(Number((magnitude >> 20n) | sticky)) * 2 ** 20;
  return value < 0n ? -rounded : rounded;
}

function bitsOfF32(value: number): number {
  const scratch = new DataView(new ArrayBuffer(8));
  scratch.setFloat32(0, value);
  return scratch.getInt32(0);
}

function f32OfBits(bits: number): number {
  const scratch = new DataView(new ArrayBuffer(8));
  scratch.setInt32(0, bits);
  return scratch.getFloat32(0);
}

function bitsOfF64(value: number): bigint {
  const scratch = new DataView(new ArrayBuffer(8));
  scratch.setFloat64(0, value);
  return scratch.getBigInt64(0);
}

function f64OfBits(bits: bigint): number {
  const scratch = new DataView(new ArrayBuffer(8));
  scratch.setBigInt64(0, bits);
  return scratch.getFloat64(0);
}

/** Of all 16 bytes of a vector: the same byte. */
function splat(byte: bigint): bigint {
  return byte * 0x0101_0101_0101_0101_0101_0101_0101_0101n;
}

const low7 = splat(0x7fn);
const high1 = splat(0x80n);

/** The highest bits of bytes as whole bytes, 0 or 255. */
function spreadHigh(bits: bigint): bigint {
  return (bits >> 7n) * 0xffn;
}

function equalBytes(left: bigint, right: bigint): bigint {
  const differing = left ^ right;
  return spreadHigh(high1 & ~(((differing & low7) + low7) | differing));
}

/** Byte by byte: the highest bits apart, so that no borrow crosses to the next byte. */
function subtractBytes(left: bigint, right: bigint): bigint {
  return ((left | high1) - (right & low7)) ^ ((left ^ ~right) & high1);
}

function lessBytes(left: bigint, right: bigint): bigint {
  // The borrow of each byte's subtraction.
  return spreadHigh(high1 & ((~left & right) | (~(left ^ right) & subtractBytes(left, right))));
}

/** Bit n is the highest bit of lane n. */
function bitmask(bits: bigint): (value: bigint) => number {
  return (value) => {
    let mask = 0;
    for (let lane = 0n; lane * bits < 128n; lane++) {
      mask |= Number((value >> (bits * (lane + 1n) - 1n)) & 1n) << Number(lane);
    }
    return mask;
  };
}

/** Lanes of so many bits for whose signed numbers the comparison holds have every bit, the others none. */
function compareLanes(bits: bigint, holds: Binary<bigint, boolean>): Binary<bigint, bigint> {
  const every = (1n << bits) - 1n;
  return (left, right) => {
    let result = 0n;
    for (let at = 0n; at < 128n; at += bits) {
      const [x, y] = [BigInt.asIntN(Number(bits), left >> at), BigInt.asIntN(Number(bits), right >> at)];
      result |= holds(x, y) ? every << at : 0n;
    }
    return result;
  };
}

const equal: Binary<bigint, boolean> = (x, y) => x === y;
const greater: Binary<bigint, boolean> = (x, y) => x > y;
const notLess: Binary<bigint, boolean> = (x, y) => x >= y;

function ofNumber(operation: (operand: number) => KernelValue): AnyUnary {
  return operation as AnyUnary;
}

function ofBigint(operation: (operand: bigint) => KernelValue): AnyUnary {
  return operation as AnyUnary;
}

export const unaryOperations: Readonly<Record<UnaryOp, AnyUnary>> = Object.freeze({
  "i32.eqz": ofNumber((x) => (x === 0 ? 1 : 0)),
  "i32.clz": ofNumber((x) => Math.clz32(x)),
  "i32.ctz": ofNumber(ctz32),
  "i32.popcnt": ofNumber(popcnt32),
  "i64.eqz": ofBigint((x) => (x === 0n ? 1 : 0)),
  "i64.clz": ofBigint(clz64),
  "i64.ctz": ofBigint(ctz64),
  "i64.popcnt": ofBigint((x) => BigInt(popcnt32(low(x)) + popcnt32(high(x)))),
  "i32.wrap_i64": ofBigint(low),
  "i64.extend_i32_s": ofNumber((x) => BigInt(x)),
  "i64.extend_i32_u": ofNumber((x) => BigInt(x >>> 0)),
  "i32.extend8_s": ofNumber((x) => (x << 24) >> 24),
  "i32.extend16_s": ofNumber((x) => (x << 16) >> 16),
  "i64.extend8_s": ofBigint((x) => BigInt.asIntN(8, x)),
  "i64.extend16_s": ofBigint((x) => BigInt.asIntN(16, x)),
  "i64.extend32_s": ofBigint((x) => BigInt.asIntN(32, x)),
  "f32.abs": ofNumber(Math.abs),
  "f32.neg": ofNumber((x) => -x),
  "f32.ceil": ofNumber(Math.ceil),
  "f32.floor": ofNumber(Math.floor),
  "f32.trunc": ofNumber(Math.trunc),
  "f32.nearest": ofNumber(nearest),
  "f32.sqrt": ofNumber((x) => Math.fround(Math.sqrt(x))),
  "f64.abs": ofNumber(Math.abs),
  "f64.neg": ofNumber((x) => -x),
  "f64.ceil": ofNumber(Math.ceil),
  "f64.floor": ofNumber(Math.floor),
  "f64.trunc": ofNumber(Math.trunc),
  "f64.nearest": ofNumber(nearest),
  "f64.sqrt": ofNumber(Math.sqrt),
  "f64.promote_f32": ofNumber((x) => x),
  "f32.demote_f64": ofNumber(Math.fround),
  "f64.convert_i32_s": ofNumber((x) => x),
  "f64.convert_i32_u": ofNumber((x) => x >>> 0),
  "f64.convert_i64_s": ofBigint(Number),
  "f64.convert_i64_u": ofBigint((x) => Number(unsigned(x))),
  "f32.convert_i32_s": ofNumber(Math.fround),
  "f32.convert_i64_s": ofBigint(roundI64ToF32),
  "i32.trunc_sat_f64_s": ofNumber(truncSat32),
  "i64.trunc_sat_f64_s": ofNumber(truncSat64),
  "i32.trunc_sat_f32_s": ofNumber(truncSat32),
  "i64.trunc_sat_f32_s": ofNumber(truncSat64),
  "i32.reinterpret_f32": ofNumber(bitsOfF32),
  "f32.reinterpret_i32": ofNumber(f32OfBits),
  "i64.reinterpret_f64": ofNumber(bitsOfF64),
  "f64.reinterpret_i64": ofBigint(f64OfBits),
  "i8x16.splat": ofNumber((x) => splat(BigInt(x & 0xff))),
  "i16x8.splat": ofNumber((x) => BigInt(x & 0xffff) * 0x1_0001_0001_0001_0001_0001_0001_0001n),
  "i32x4.splat": ofNumber((x) => BigInt(x >>> 0) * 0x1_0000_0001_0000_0001_0000_0001n),
  "i64x2.splat": ofBigint((x) => BigInt.asUintN(64, x) * 0x1_0000_0000_0000_0001n),
  "i8x16.bitmask": ofBigint(bitmask(8n)),
  "i16x8.bitmask": ofBigint(bitmask(16n)),
  "i32x4.bitmask": ofBigint(bitmask(32n)),
  "v128.any_true": ofBigint((x) => (x === 0n ? 0 : 1)),
});

function numbers(operation: Binary<number, number>): AnyBinary {
  return operation as AnyBinary;
}

function bigints(operation: Binary<bigint, KernelValue>): AnyBinary {
  return operation as AnyBinary;
}

function test32(operation: Binary<number, boolean>): AnyBinary {
  return ((left: number, right: number) => (operation(left, right) ? 1 : 0)) as AnyBinary;
}

function test64(operation: Binary<bigint, boolean>): AnyBinary {
  return ((left: bigint, right: bigint) => (operation(left, right) ? 1 : 0)) as AnyBinary;
}

function divisor<T extends KernelValue>(value: T): T {
  if (value === 0 || value === 0n) {
    throw new NumericTrap("DIVIDE_BY_ZERO");
  }
  return value;
}

function divide32(left: number, right: number): number {
  if (left === i32Min && divisor(right) === -1) {
    throw new NumericTrap("INTEGER_OVERFLOW");
  }
  return (left / divisor(right)) | 0;
}

function divide64(left: bigint, right: bigint): bigint {
  if (left === i64Min && divisor(right) === -1n) {
    throw new NumericTrap("INTEGER_OVERFLOW");
  }
  return left / divisor(right);
}

function rotl32(value: number, count: number): number {
  return (value << (count & 31)) | (value >>> (-count & 31));
}

function rotl64(value: bigint, count: bigint): bigint {
  const places = count & 63n;
  const bits = unsigned(value);
  return signed(((bits << places) | (bits >> (64n - places))) & i64Mask);
}

export const binaryOperations: Readonly<Record<BinaryOp, AnyBinary>> = Object.freeze({
  "i32.add": numbers((a, b) => (a + b) | 0),
  "i32.sub": numbers((a, b) => (a - b) | 0),
  "i32.mul": numbers(Math.imul),
  "i32.div_s": numbers(divide32),
  "i32.div_u": numbers((a, b) => ((a >>> 0) / (divisor(b) >>> 0)) | 0),
  "i32.rem_s": numbers((a, b) => (a % divisor(b)) | 0),
  "i32.rem_u": numbers((a, b) => ((a >>> 0) % (divisor(b) >>> 0)) | 0),
  "i32.and": numbers((a, b) => a & b),
  "i32.or": numbers((a, b) => a | b),
  "i32.xor": numbers((a, b) => a ^ b),
  "i32.shl": numbers((a, b) => a << b),
  "i32.shr_s": numbers((a, b) => a >> b),
  "i32.shr_u": numbers((a, b) => (a >>> b) | 0),
  "i32.rotl": numbers(rotl32),
  "i32.rotr": numbers((a, b) => rotl32(a, -b)),
  "i32.eq": test32((a, b) => a === b),
  "i32.ne": test32((a, b) => a !== b),
  "i32.lt_s": test32((a, b) => a < b),
  "i32.lt_u": test32((a, b) => a >>> 0 < b >>> 0),
  "i32.gt_s": test32((a, b) => a > b),
  "i32.gt_u": test32((a, b) => a >>> 0 > b >>> 0),
  "i32.le_s": test32((a, b) => a <= b),
  "i32.le_u": test32((a, b) => a >>> 0 <= b >>> 0),
  "i32.ge_s": test32((a, b) => a >= b),
  "i32.ge_u": test32((a, b) => a >>> 0 >= b >>> 0),
  "i64.add": bigints((a, b) => signed(a + b)),
  "i64.sub": bigints((a, b) => signed(a - b)),
  "i64.mul": bigints((a, b) => signed(a * b)),
  "i64.div_s": bigints(divide64),
  "i64.div_u": bigints((a, b) => signed(unsigned(a) / unsigned(divisor(b)))),
  "i64.rem_s": bigints((a, b) => a % divisor(b)),
  "i64.rem_u": bigints((a, b) => signed(unsigned(a) % unsigned(divisor(b)))),
  "i64.and": bigints((a, b) => a & b),
  "i64.or": bigints((a, b) => a | b),
  "i64.xor": bigints((a, b) => a ^ b),
  "i64.shl": bigints((a, b) => signed(a << (b & 63n))),
  "i64.shr_s": bigints((a, b) => a >> (b & 63n)),
  "i64.shr_u": bigints((a, b) => signed(unsigned(a) >> (b & 63n))),
  "i64.rotl": bigints(rotl64),
  "i64.rotr": bigints((a, b) => rotl64(a, -b)),
  "i64.eq": test64((a, b) => a === b),
  "i64.ne": test64((a, b) => a !== b),
  "i64.lt_s": test64((a, b) => a < b),
  "i64.lt_u": test64((a, b) => unsigned(a) < unsigned(b)),
  "i64.gt_s": test64((a, b) => a > b),
  "i64.gt_u": test64((a, b) => unsigned(a) > unsigned(b)),
  "i64.le_s": test64((a, b) => a <= b),
  "i64.le_u": test64((a, b) => unsigned(a) <= unsigned(b)),
  "i64.ge_s": test64((a, b) => a >= b),
  "i64.ge_u": test64((a, b) => unsigned(a) >= unsigned(b)),
  "f32.add": numbers((a, b) => Math.fround(a + b)),
  "f32.sub": numbers((a, b) => Math.fround(a - b)),
  "f32.mul": numbers((a, b) => Math.fround(a * b)),
  "f32.div": numbers((a, b) => Math.fround(a / b)),
  "f32.min": numbers(Math.min),
  "f32.max": numbers(Math.max),
  "f32.copysign": numbers(copysign),
  "f32.eq": test32((a, b) => a === b),
  "f32.ne": test32((a, b) => a !== b),
  "f32.lt": test32((a, b) => a < b),
  "f32.gt": test32((a, b) => a > b),
  "f32.le": test32((a, b) => a <= b),
  "f32.ge": test32((a, b) => a >= b),
  "f64.add": numbers((a, b) => a + b),
  "f64.sub": numbers((a, b) => a - b),
  "f64.mul": numbers((a, b) => a * b),
  "f64.div": numbers((a, b) => a / b),
  "f64.min": numbers(Math.min),
  "f64.max": numbers(Math.max),
  "f64.copysign": numbers(copysign),
  "f64.eq": test32((a, b) => a === b),
  "f64.ne": test32((a, b) => a !== b),
  "f64.lt": test32((a, b) => a < b),
  "f64.gt": test32((a, b) => a > b),
  "f64.le": test32((a, b) => a <= b),
  "f64.ge": test32((a, b) => a >= b),
  "i8x16.eq": bigints(equalBytes),
  "i8x16.gt_s": bigints(compareLanes(8n, greater)),
  "i8x16.ge_s": bigints(compareLanes(8n, notLess)),
  "i16x8.eq": bigints(compareLanes(16n, equal)),
  "i16x8.gt_s": bigints(compareLanes(16n, greater)),
  "i16x8.ge_s": bigints(compareLanes(16n, notLess)),
  "i32x4.eq": bigints(compareLanes(32n, equal)),
  "i32x4.gt_s": bigints(compareLanes(32n, greater)),
  "i32x4.ge_s": bigints(compareLanes(32n, notLess)),
  "i8x16.lt_u": bigints(lessBytes),
  "i8x16.sub": bigints(subtractBytes),
  "v128.and": bigints((a, b) => a & b),
  "v128.or": bigints((a, b) => a | b),
  "v128.xor": bigints((a, b) => a ^ b),
});
