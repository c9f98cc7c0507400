/**
 * Comparing, hashing and ordering in kernels of values that are not NULL and not nested. Both sides always have the same type. char is
 * stored without its trailing spaces, which do not matter to equality, but to order: a control character stands before the space that the
 * other side is padded with. Values with a zone are their instant, the upper half.
 */
import { type CodeBuilder, f64, i32, i64, select } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { hash64, hashBytes, memCompare, memEquals, paddedCompare } from "../../codegen/library.ts";
import type { NanOrder } from "../../types/nested/nested-order.ts";
import { isLongMoment, isZoned, physicalType } from "../../types/type.ts";
import { part, type Value } from "./value.ts";

/** SQL `=`, i32 0 or 1: NaN equals nothing. */
export function emitScalarEquals(b: CodeBuilder, left: Value, right: Value): Expr {
  const [x, y] = [part(left, 0), part(right, 0)];
  switch (physicalType(left.type)) {
    case "i8":
    case "i16":
    case "i32":
      return i32.eq(x, y);
    case "i64":
      return i64.eq(x, y);
    case "f32":
      return f64.eq(f64.promoteF32(x), f64.promoteF32(y));
    case "f64":
      return f64.eq(x, y);
    case "i128": {
      const upper = i64.xor(part(left, 1), part(right, 1));
      const lower = i64.xor(x, y);
      return i64.eqz(!isZoned(left.type) ? i64.or(lower, upper) : isLongMoment(left.type) ? i64.or(picosOf(lower), upper) : upper);
    }
    case "bytes":
      return emitBytesEqual(b, left, right);
  }
}

/** Picoseconds in the lower half of a timestamp with time zone. */
function picosOf(lower: Expr): Expr {
  return i64.shrU(lower, i64.const(32n));
}

function emitBytesEqual(b: CodeBuilder, left: Value, right: Value): Expr {
  const [[x, bytes], y] = [[part(left, 0), part(left, 1)], part(right, 0)];
  const equal = b.local("i32", i32.eq(bytes, part(right, 1)));
  b.if_(equal, () => {
    b.if_(
      i32.ltU(i32.sub(bytes, i32.const(1)), i32.const(8)),
      // Strings of one word need no call. No byte behind the string counts.
      () => {
        const unlike = i64.xor(i64.load(x), i64.load(y));
        const behind = i64.extendI32U(i32.shl(i32.sub(i32.const(8), bytes), i32.const(3)));
        b.set(equal, i64.eqz(i64.shl(unlike, behind)));
      },
      () => b.set(equal, b.call(memEquals(b.kernel), x, y, bytes)),
    );
  });
  return equal;
}

/** IS NOT DISTINCT FROM, i32 0 or 1: NaN equals NaN, -0.0 equals 0.0. */
export function emitScalarIdentical(b: CodeBuilder, left: Value, right: Value): Expr {
  const physical = physicalType(left.type);
  if (physical === "f32" || physical === "f64") {
    const [x, y] = [asDouble(b, left), asDouble(b, right)];
    return i32.or(f64.eq(x, y), i32.and(f64.ne(x, x), f64.ne(y, y)));
  }
  return emitScalarEquals(b, left, right);
}

function asDouble(b: CodeBuilder, value: Value): Expr {
  const x = part(value, 0);
  return x.type === "f32" ? b.temp(f64.promoteF32(x)) : x;
}

/** i64: values that are not distinct have equal hashes (of one type). */
export function emitScalarHash(b: CodeBuilder, value: Value): Expr {
  const x = part(value, 0);
  switch (physicalType(value.type)) {
    case "i8":
    case "i16":
    case "i32":
      return b.call(hash64(b.kernel), i64.extendI32S(x));
    case "i64":
      return b.call(hash64(b.kernel), x);
    case "f32":
    case "f64":
      return b.call(hash64(b.kernel), canonicalBits(asDouble(b, value)));
    case "i128":
      return isZoned(value.type)
        ? b.call(hash64(b.kernel), part(value, 1))
        : b.call(hash64(b.kernel), i64.add(x, b.call(hash64(b.kernel), part(value, 1))));
    case "bytes":
      return b.call(hashBytes(b.kernel), x, part(value, 1));
  }
}

const canonicalNaN = 0x7ff8000000000000n;

export function canonicalBits(x: Expr): Expr {
  const bits = select(f64.eq(x, f64.const(0)), i64.const(0n), i64.reinterpretF64(x));
  return select(f64.ne(x, x), i64.const(canonicalNaN), bits);
}

/** -1, 0 or 1 (i32): SQL order, false before true, -0.0 equal to 0.0, char as if padded with spaces. */
export function emitScalarCompare(b: CodeBuilder, left: Value, right: Value, nanOrder: NanOrder): Expr {
  const [x, y] = [part(left, 0), part(right, 0)];
  switch (physicalType(left.type)) {
    case "i8":
    case "i16":
    case "i32":
      return i32.sub(i32.gtS(x, y), i32.ltS(x, y));
    case "i64":
      return i32.sub(i64.gtS(x, y), i64.ltS(x, y));
    case "f32":
    case "f64": {
      const [p, q] = [asDouble(b, left), asDouble(b, right)];
      const order = i32.sub(f64.gt(p, q), f64.lt(p, q));
      // Contributes only if one side is NaN: NaN sorts to one side of all numbers and equals itself.
      const unordered = i32.sub(f64.ne(p, p), f64.ne(q, q));
      return nanOrder === "NaN last" ? i32.add(order, unordered) : i32.sub(order, unordered);
    }
    case "i128": {
      const [p, q] = [part(left, 1), part(right, 1)];
      const hasZone = isZoned(left.type);
      if (hasZone && !isLongMoment(left.type)) {
        return i32.sub(i64.gtS(p, q), i64.ltS(p, q));
      }
      const [u, v] = hasZone ? [b.temp(picosOf(x)), b.temp(picosOf(y))] : [x, y];
      const low = i32.sub(i64.gtU(u, v), i64.ltU(u, v));
      return select(i64.eq(p, q), low, i32.sub(i64.gtS(p, q), i64.ltS(p, q)));
    }
    case "bytes": {
      const compare = left.type.kind === "char" ? paddedCompare(b.kernel) : memCompare(b.kernel);
      return b.temp(b.call(compare, x, part(left, 1), y, part(right, 1)));
    }
  }
}

export type OrderOperator = "lt" | "le" | "gt" | "ge";

/** i32 0 or 1: whether a comparison operator holds. IEEE for doubles: NaN compares false. */
export function emitScalarComparison(b: CodeBuilder, operator: OrderOperator, left: Value, right: Value): Expr {
  const [x, y] = [part(left, 0), part(right, 0)];
  switch (physicalType(left.type)) {
    case "i8":
    case "i16":
    case "i32":
      return { lt: i32.ltS, le: i32.leS, gt: i32.gtS, ge: i32.geS }[operator](x, y);
    case "i64":
      return { lt: i64.ltS, le: i64.leS, gt: i64.gtS, ge: i64.geS }[operator](x, y);
    case "f32":
    case "f64":
      return { lt: f64.lt, le: f64.le, gt: f64.gt, ge: f64.ge }[operator](asDouble(b, left), asDouble(b, right));
    case "i128":
    case "bytes":
      return holdsOrder(operator, emitScalarCompare(b, left, right, "NaN last"));
  }
}

/** Whether an operator holds between two values whose order is `order`: -1, 0 or 1. */
export function holdsOrder(operator: OrderOperator, order: Expr): Expr {
  return { lt: i32.ltS, le: i32.leS, gt: i32.gtS, ge: i32.geS }[operator](order, i32.const(0));
}

const signBit = 1n << 63n;

/**
 * A u64 (in i64) whose unsigned order agrees with emitScalarCompare. `exact` tells whether equal keys mean equal values; when not
 * (strings, long decimals) ties need emitScalarCompare.
 */
export function emitScalarOrderingKey(b: CodeBuilder, value: Value): { readonly key: Expr; readonly exact: boolean } {
  const x = part(value, 0);
  switch (physicalType(value.type)) {
    case "i8":
    case "i16":
    case "i32":
      return { key: i64.xor(i64.extendI32S(x), i64.const(signBit)), exact: true };
    case "i64":
      return { key: i64.xor(x, i64.const(signBit)), exact: true };
    case "f32":
    case "f64": {
      const bits = b.temp(canonicalBits(asDouble(b, value)));
      return { key: i64.xor(bits, i64.or(i64.shrS(bits, i64.const(63n)), i64.const(signBit))), exact: true };
    }
    case "i128":
      return { key: i64.xor(part(value, 1), i64.const(signBit)), exact: isZoned(value.type) && !isLongMoment(value.type) };
    case "bytes":
      return { key: emitBytesPrefix(b, x, part(value, 1), value.type.kind === "char" ? spaces : 0n), exact: false };
  }
}

const spaces = 0x2020202020202020n;

/** The first eight bytes, big-endian; missing bytes are taken from `padding`. */
function emitBytesPrefix(b: CodeBuilder, address: Expr, length: Expr, padding: bigint): Expr {
  const raw = b.local("i64", i64.const(padding));
  const lengthHere = b.temp(length);
  b.if_(i32.ne(lengthHere, i32.const(0)), () => {
    const word = b.temp(i64.load(address));
    // Reading past the end is safe (16 readable bytes follow each block); the extra bytes are masked.
    const missing = b.temp(i32.sub(i32.const(8), lengthHere));
    const reversed = b.temp(emitByteReverse(b, word));
    const shift = i64.extendI32U(i32.shl(missing, i32.const(3)));
    const kept = i64.shl(i64.shrU(reversed, shift), shift);
    const padded = padding === 0n ? kept : i64.or(kept, i64.shrU(i64.const(padding), i64.sub(i64.const(64n), shift)));
    b.set(raw, select(i32.gtS(missing, i32.const(0)), padded, reversed));
  });
  return raw;
}

function emitByteReverse(b: CodeBuilder, word: Expr): Expr {
  const bytes = i64.const(0x00ff00ff00ff00ffn);
  const pairs = i64.const(0x0000ffff0000ffffn);
  const one = b.temp(i64.or(i64.and(i64.shrU(word, i64.const(8n)), bytes), i64.shl(i64.and(word, bytes), i64.const(8n))));
  const two = b.temp(i64.or(i64.and(i64.shrU(one, i64.const(16n)), pairs), i64.shl(i64.and(one, pairs), i64.const(16n))));
  return i64.rotl(two, i64.const(32n));
}
