/**
 * Kernel code of + - * / % and negation on numbers. Integer overflow is an error, doubles follow IEEE 754, decimals are exact.
 */
import { type CodeBuilder, f32, f64, type FunctionRef, i32, i64, type KernelBuilder, select } from "../../codegen/builder.ts";
import { int128Multiply } from "../../codegen/int128.ts";
import type { Expr } from "../../codegen/ir.ts";
import { QueryError } from "../../protocol/errors.ts";
import { shortDecimalPrecisionMax, type Type } from "../../types/type.ts";
import { divideRounding, fitsPrecision, powerOfTen, rescale } from "../runtime/decimals.ts";
import type { HostImplementation, MathBinding, ScalarDefinition } from "../registry/definition.ts";
import type { EmitContext, EmitScalar } from "../runtime/emit.ts";
import { hostArgumentsOffset, type KernelError, temporalOperations, temporals } from "../runtime/errors.ts";
import { emitMathCall } from "../runtime/host.ts";
import {
  emitAdd128,
  emitDivideRounding128,
  emitExtend,
  emitLess128,
  emitMagnitude128,
  emitMultiplyWords,
  emitMultiplyWrapping,
  emitNegate128,
  emitSubtract128,
  isZero128,
  type Wide,
  wideConst,
} from "../runtime/i128.ts";
import type { ArithmeticName } from "./operator-names.ts";
import { boundedValueOf, part, type Value, valueOf } from "../runtime/value.ts";

type Decimal = Type & { readonly kind: "decimal" };
type Implementation = Pick<ScalarDefinition, "emit" | "host" | "math">;

const moduloMath: MathBinding = Object.freeze({ name: "math:modulo", parameterCount: 2, fn: (x: number, y: number) => x % y });

/** Both operands have the same type, or both are decimals. */
export function arithmeticImplementation(name: ArithmeticName, args: readonly [Type, Type], returnType: Type): Implementation {
  switch (returnType.kind) {
    case "tinyint":
    case "smallint":
    case "integer":
      return { emit: smallIntegerEmitter(name, returnType.kind) };
    case "bigint":
      return { emit: bigintEmitter(name) };
    case "real":
    case "double":
      return { emit: floatingEmitter(name, returnType), ...(name === "$modulus" ? { math: [moduloMath] } : {}) };
    case "decimal":
      return decimalImplementation(name, args as readonly [Decimal, Decimal], returnType);
    default:
      throw new Error(`no arithmetic on ${returnType.kind}`);
  }
}

const operationWords: Readonly<Record<ArithmeticName, string>> = Object.freeze({
  $add: "ADDITION",
  $subtract: "SUBTRACTION",
  $multiply: "MULTIPLICATION",
  $divide: "DIVISION",
  $modulus: "DIVISION",
});

function overflowError(kind: string, name: ArithmeticName): KernelError {
  return `${kind.toUpperCase()}_${operationWords[name]}` as KernelError;
}

/** Wraps an i32 to the range of the integral type. */
export function wrapTo(kind: "tinyint" | "smallint" | "integer", value: Expr): Expr {
  return kind === "tinyint" ? i32.extend8S(value) : kind === "smallint" ? i32.extend16S(value) : value;
}

function smallIntegerEmitter(name: ArithmeticName, kind: "tinyint" | "smallint" | "integer"): EmitScalar {
  return (context, args, type) => {
    const { b } = context;
    const [x, y] = [part(args[0] as Value, 0), part(args[1] as Value, 0)];
    if (name === "$modulus" || name === "$divide") {
      b.if_(i32.eqz(y), () => context.raise("DIVISION_BY_ZERO"));
      if (name === "$modulus") {
        return valueOf(type, b.temp(i32.remS(x, y)));
      }
      const minimum = kind === "tinyint" ? -128 : kind === "smallint" ? -32768 : -2147483648;
      b.if_(i32.and(i32.eq(x, i32.const(minimum)), i32.eq(y, i32.const(-1))), () => context.raise(overflowError(kind, name), x, y));
      return valueOf(type, b.temp(i32.divS(x, y)));
    }
    // Operations on these types cannot overflow 64 bits.
    const operation = name === "$add" ? i64.add : name === "$subtract" ? i64.sub : i64.mul;
    const wide = b.temp(operation(i64.extendI32S(x), i64.extendI32S(y)));
    const result = b.temp(wrapTo(kind, i32.wrapI64(wide)));
    b.if_(i64.ne(i64.extendI32S(result), wide), () => context.raise(overflowError(kind, name), x, y));
    return valueOf(type, result);
  };
}

/**
 * A sum, difference or product that fits in 64 bits by the bounds of its operands, so that it needs no second word and no check. Undefined
 * if it may not fit, or the bounds are not known. Operands are multiplied by 10^digits before.
 */
function boundedResult(
  name: ArithmeticName,
  type: Type,
  [x, y]: readonly [Value, Value],
  [xDigits, yDigits]: readonly [number, number],
): ((b: CodeBuilder) => Value) | undefined {
  if (x.bits === undefined || y.bits === undefined || name === "$divide" || name === "$modulus") {
    return undefined;
  }
  const [xBits, yBits] = [x.bits + bitsOfScale(xDigits), y.bits + bitsOfScale(yDigits)];
  const bits = name === "$multiply" ? xBits + yBits : Math.max(xBits, yBits) + 1;
  if (bits > 64) {
    return undefined;
  }
  const scaled = (value: Value, digits: number): Expr =>
    digits === 0 ? part(value, 0) : i64.mul(part(value, 0), i64.const(powerOfTen(digits)));
  const operation = name === "$add" ? i64.add : name === "$subtract" ? i64.sub : i64.mul;
  return (b) => {
    const [p, q] = [scaled(x, xDigits), scaled(y, yDigits)];
    const result = b.temp(operation(p, q));
    return boundedValueOf(type, bits, ...(type.kind === "decimal" ? resultParts(type, b, result) : [result]));
  };
}

/** Bits that a multiplication by 10^digits adds. */
export function bitsOfScale(digits: number): number {
  return digits === 0 ? 0 : powerOfTen(digits).toString(2).length;
}

function bigintEmitter(name: ArithmeticName): EmitScalar {
  return (context, args, type) => {
    const { b } = context;
    const [x, y] = [part(args[0] as Value, 0), part(args[1] as Value, 0)];
    const bounded = boundedResult(name, type, args as readonly [Value, Value], [0, 0]);
    if (bounded !== undefined) {
      return bounded(b);
    }
    const zero = i64.const(0n);
    const overflow = (condition: Expr) => b.if_(condition, () => context.raise(overflowError("bigint", name), x, y));
    switch (name) {
      case "$add": {
        const sum = b.temp(i64.add(x, y));
        overflow(i64.ltS(i64.and(i64.xor(x, sum), i64.xor(y, sum)), zero));
        return valueOf(type, sum);
      }
      case "$subtract": {
        const difference = b.temp(i64.sub(x, y));
        overflow(i64.ltS(i64.and(i64.xor(x, y), i64.xor(x, difference)), zero));
        return valueOf(type, difference);
      }
      case "$multiply":
        overflow(emitMultiplyOverflows(b, x, y));
        return valueOf(type, b.temp(i64.mul(x, y)));
      case "$divide":
        b.if_(i64.eqz(y), () => context.raise("DIVISION_BY_ZERO"));
        overflow(i32.and(i64.eq(x, i64.const(-(1n << 63n))), i64.eq(y, i64.const(-1n))));
        return valueOf(type, b.temp(i64.divS(x, y)));
      case "$modulus":
        b.if_(i64.eqz(y), () => context.raise("DIVISION_BY_ZERO"));
        return valueOf(type, b.temp(i64.remS(x, y)));
    }
  };
}

/** Whether a 64-bit multiplication overflows, as i32 0 or 1. Operands that both fit in 32 bits take a fast path. */
export function emitMultiplyOverflows(b: CodeBuilder, x: Expr, y: Expr): Expr {
  const overflows = b.local("i32", i32.const(0));
  const small = i32.and(i64.eq(i64.extendI32S(i32.wrapI64(x)), x), i64.eq(i64.extendI32S(i32.wrapI64(y)), y));
  b.if_(i32.eqz(small), () => b.set(overflows, b.call(multiplyOverflows(b.kernel), x, y)));
  return overflows;
}

function multiplyOverflows(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("bigint.multiplyOverflows", { params: ["i64", "i64"], result: "i32" }, (b, params) => {
    const [x, y] = params as readonly [Expr, Expr];
    const [lo, hi] = emitMultiplyWords(b, x, y);
    b.return_(i64.ne(hi, i64.shrS(lo, i64.const(63n))));
  });
}

function floatingEmitter(name: ArithmeticName, type: Type): EmitScalar {
  return ({ b }, args) => {
    const [x, y] = [part(args[0] as Value, 0), part(args[1] as Value, 0)];
    if (name === "$modulus") {
      const [p, q] = type.kind === "real" ? [f64.promoteF32(x), f64.promoteF32(y)] : [x, y];
      const rest = emitMathCall(b, moduloMath.name, [p, q]);
      return valueOf(type, type.kind === "real" ? f32.demoteF64(rest) : rest);
    }
    const family = type.kind === "real" ? f32 : f64;
    const operation = { $add: family.add, $subtract: family.sub, $multiply: family.mul, $divide: family.div }[name];
    return valueOf(type, operation(x, y));
  };
}

export function isShort(type: Type): boolean {
  return type.kind === "decimal" && type.precision <= shortDecimalPrecisionMax;
}

export function emitWiden(b: CodeBuilder, value: Value): Wide {
  return value.parts.length === 2 ? [part(value, 0), part(value, 1)] : emitExtend(b, part(value, 0));
}

/** A decimal value of `type` from its 128-bit form. */
export function narrow(type: Type, [lo, hi]: Wide): Value {
  return isShort(type) ? valueOf(type, lo) : valueOf(type, lo, hi);
}

/** Two words of scratch memory, free for use while the code of one function runs. */
export function scratch(context: EmitContext): Expr {
  return i32.add(context.errorBlock, i32.const(hostArgumentsOffset));
}

/** Multiplies by 10^digits; raises Decimal overflow if the product does not fit in 127 bits. `precision` bounds the digits of the value. */
export function emitScaleUp(context: EmitContext, value: Wide, digits: number, precision: number): Wide {
  const { b } = context;
  if (digits === 0) {
    return value;
  }
  if (digits <= 18 && precision <= 18) {
    return emitMultiplyWords(b, value[0], i64.const(powerOfTen(digits)));
  }
  return emitMultiplyChecked(context, value, wideConst(powerOfTen(digits)));
}

function emitMultiplyChecked(context: EmitContext, x: Wide, y: Wide): Wide {
  const { b } = context;
  const at = b.temp(scratch(context));
  b.if_(b.call(int128Multiply(b.kernel), at, ...x, ...y), () => context.raise("DECIMAL_OVERFLOW"));
  return [b.temp(i64.load(at)), b.temp(i64.load(at, 8))];
}

/** i32 1 if the magnitude has more than `precision` digits. */
export function emitExceeds(b: CodeBuilder, value: Wide, precision: number): Expr {
  return i32.eqz(emitLess128(emitMagnitude128(b, value), wideConst(powerOfTen(precision))));
}

function emitCheckPrecision(context: EmitContext, value: Wide, precision: number): void {
  context.b.if_(emitExceeds(context.b, value, precision), () => context.raise("DECIMAL_OVERFLOW"));
}

function decimalImplementation(name: ArithmeticName, args: readonly [Decimal, Decimal], result: Decimal): Implementation {
  const [left, right] = args;
  switch (name) {
    case "$add":
    case "$subtract":
      return { emit: decimalSumEmitter(name, left, right, result) };
    case "$multiply":
      return { emit: decimalProductEmitter(left, right, result) };
    case "$divide": {
      const digits = result.scale - left.scale + right.scale;
      return left.precision + digits <= 38 && right.precision <= 38
        ? { emit: decimalQuotientEmitter(left, right, result) }
        : { host: divideImplementation };
    }
    case "$modulus":
      return Math.max(left.precision - left.scale, right.precision - right.scale) + result.scale <= 18
        ? { emit: decimalRestEmitter(left, right, result) }
        : { host: modulusImplementation };
  }
}

function decimalSumEmitter(name: "$add" | "$subtract", left: Decimal, right: Decimal, result: Decimal): EmitScalar {
  return (context, args) => {
    const { b } = context;
    const [x, y] = args as readonly [Value, Value];
    const [up, vp] = [result.scale - left.scale, result.scale - right.scale];
    const bounded = boundedResult(name, result, [x, y], [up, vp]);
    if (bounded !== undefined) {
      return bounded(b);
    }
    if (isShort(result)) {
      const scaled = (value: Value, digits: number) =>
        digits === 0 ? part(value, 0) : i64.mul(part(value, 0), i64.const(powerOfTen(digits)));
      const operation = name === "$add" ? i64.add : i64.sub;
      return valueOf(result, operation(scaled(x, up), scaled(y, vp)));
    }
    const p = emitScaleUp(context, emitWiden(b, x), up, left.precision);
    const q = emitScaleUp(context, emitWiden(b, y), vp, right.precision);
    const sum = name === "$add" ? emitAdd128(b, p, q) : emitSubtract128(b, p, q);
    if (result.precision === 38) {
      // Operands fit in 127 bits, so the sign of a wrapped sum reveals the overflow.
      const other = name === "$add" ? i64.xor(q[1], sum[1]) : i64.xor(p[1], q[1]);
      b.if_(i64.ltS(i64.and(i64.xor(p[1], sum[1]), other), i64.const(0n)), () => context.raise("DECIMAL_OVERFLOW"));
      emitCheckPrecision(context, sum, 38);
    }
    return valueOf(result, ...sum);
  };
}

function decimalProductEmitter(left: Decimal, right: Decimal, result: Decimal): EmitScalar {
  return (context, args) => {
    const { b } = context;
    const [x, y] = args as readonly [Value, Value];
    const bounded = boundedResult("$multiply", result, [x, y], [0, 0]);
    if (bounded !== undefined) {
      return bounded(b);
    }
    if (isShort(result)) {
      return valueOf(result, i64.mul(part(x, 0), part(y, 0)));
    }
    if (isShort(left) && isShort(right)) {
      return valueOf(result, ...emitMultiplyWords(b, part(x, 0), part(y, 0)));
    }
    const [p, q] = [emitWiden(b, x), emitWiden(b, y)];
    const [lo, hi] = [b.local("i64"), b.local("i64")];
    const set = ([newLo, newHi]: Wide) => {
      b.set(lo, newLo);
      b.set(hi, newHi);
    };
    const isWord = (wide: Wide) => i64.eq(wide[1], i64.shrS(wide[0], i64.const(63n)));
    b.if_(
      i32.and(isWord(p), isWord(q)),
      // The product has at most 126 bits, which is less than 38 digits.
      () => set(emitMultiplyWords(b, p[0], q[0])),
      () => {
        if (left.precision + right.precision <= 38) {
          return set(emitMultiplyWrapping(b, p, q));
        }
        const product = emitMultiplyChecked(context, p, q);
        emitCheckPrecision(context, product, 38);
        return set(product);
      },
    );
    return valueOf(result, lo, hi);
  };
}

function decimalQuotientEmitter(left: Decimal, right: Decimal, result: Decimal): EmitScalar {
  const digits = result.scale - left.scale + right.scale;
  return (context, args) => {
    const { b } = context;
    const [x, y] = args as readonly [Value, Value];
    if (left.precision + digits <= 18 && isShort(right)) {
      const divisor = part(y, 0);
      b.if_(i64.eqz(divisor), () => context.raise("DIVISION_BY_ZERO"));
      const dividend = b.temp(i64.mul(part(x, 0), i64.const(powerOfTen(digits))));
      return valueOf(result, ...resultParts(result, b, emitDivideRounding64(b, dividend, divisor)));
    }
    const divisor = emitWiden(b, y);
    b.if_(isZero128(divisor), () => context.raise("DIVISION_BY_ZERO"));
    const dividend = emitScaleUp(context, emitWiden(b, x), digits, left.precision);
    return narrow(result, emitDivideRounding128(b, dividend, divisor, scratch(context)));
  };
}

function resultParts(type: Type, b: CodeBuilder, value: Expr): readonly Expr[] {
  return isShort(type) ? [value] : emitExtend(b, value);
}

/** Rounds half away from zero; magnitudes must be below 2^62. */
export function emitDivideRounding64(b: CodeBuilder, dividend: Expr, divisor: Expr): Expr {
  const quotient = b.temp(i64.divS(dividend, divisor));
  const rest = b.temp(i64.remS(dividend, divisor));
  const magnitude = (value: Expr) => select(i64.ltS(value, i64.const(0n)), i64.sub(i64.const(0n), value), value);
  const away = i64.or(i64.shrS(i64.xor(dividend, divisor), i64.const(63n)), i64.const(1n));
  const up = i64.geS(i64.shl(magnitude(rest), i64.const(1n)), magnitude(divisor));
  return b.temp(i64.add(quotient, select(up, away, i64.const(0n))));
}

function decimalRestEmitter(left: Decimal, right: Decimal, result: Decimal): EmitScalar {
  return (context, args) => {
    const { b } = context;
    const scaled = (value: Value, type: Decimal) => b.temp(i64.mul(part(value, 0), i64.const(powerOfTen(result.scale - type.scale))));
    const [x, y] = [scaled(args[0] as Value, left), scaled(args[1] as Value, right)];
    b.if_(i64.eqz(y), () => context.raise("DIVISION_BY_ZERO"));
    return valueOf(result, b.temp(i64.remS(x, y)));
  };
}

const divideImplementation: HostImplementation = (args, { argTypes, returnType }) => {
  const [left, right, result] = [argTypes[0], argTypes[1], returnType] as readonly [Decimal, Decimal, Decimal];
  const [dividend, divisor] = args as readonly [bigint, bigint];
  if (divisor === 0n) {
    throw new QueryError("DIVISION_BY_ZERO", "Division by zero");
  }
  return checkedDecimal(divideRounding(dividend * powerOfTen(result.scale - left.scale + right.scale), divisor), result);
};

const modulusImplementation: HostImplementation = (args, { argTypes, returnType }) => {
  const [left, right, result] = [argTypes[0], argTypes[1], returnType] as readonly [Decimal, Decimal, Decimal];
  const [dividend, divisor] = args as readonly [bigint, bigint];
  if (divisor === 0n) {
    throw new QueryError("DIVISION_BY_ZERO", "Division by zero");
  }
  return checkedDecimal(rescale(dividend, left.scale, result.scale) % rescale(divisor, right.scale, result.scale), result);
};

function checkedDecimal(value: bigint, type: Decimal): bigint {
  if (!fitsPrecision(value, type.precision)) {
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", "Decimal overflow");
  }
  return value;
}

/** Raises the overflow error of an operation on dates, timestamps or intervals. */
export function raiseTemporal(context: EmitContext, type: Type, operation: (typeof temporalOperations)[number]): void {
  const kind = temporals.findIndex((name) => name === type.kind);
  context.raise("TEMPORAL_OVERFLOW", i64.const(BigInt(kind)), i64.const(BigInt(temporalOperations.indexOf(operation))));
}

/** x + y or x - y; raises the overflow error if the result does not fit in 64 bits. */
export function emitCheckedSum(context: EmitContext, type: Type, name: "$add" | "$subtract", x: Expr, y: Expr): Expr {
  const { b } = context;
  const result = b.temp(name === "$add" ? i64.add(x, y) : i64.sub(x, y));
  const other = name === "$add" ? i64.xor(y, result) : i64.xor(x, y);
  b.if_(i64.ltS(i64.and(i64.xor(x, result), other), i64.const(0n)), () => {
    raiseTemporal(context, type, name === "$add" ? "addition" : "subtraction");
  });
  return result;
}

/** Narrows 64 bits to 32; raises the overflow error if the value does not fit. */
export function emitCheckedNarrow(context: EmitContext, type: Type, operation: (typeof temporalOperations)[number], value: Expr): Expr {
  const { b } = context;
  const narrowed = b.temp(i32.wrapI64(value));
  b.if_(i64.ne(i64.extendI32S(narrowed), value), () => raiseTemporal(context, type, operation));
  return narrowed;
}

export function negateEmitter(type: Type): EmitScalar {
  return (context, args) => {
    const { b } = context;
    const x = part(args[0] as Value, 0);
    switch (type.kind) {
      case "tinyint":
      case "smallint":
      case "integer": {
        const minimum = type.kind === "tinyint" ? -128 : type.kind === "smallint" ? -32768 : -2147483648;
        b.if_(i32.eq(x, i32.const(minimum)), () => context.raise(`${type.kind.toUpperCase()}_NEGATION` as KernelError, x));
        return valueOf(type, i32.sub(i32.const(0), x));
      }
      case "bigint":
        b.if_(i64.eq(x, i64.const(-(1n << 63n))), () => context.raise("BIGINT_NEGATION", x));
        return valueOf(type, i64.sub(i64.const(0n), x));
      case "real":
        return valueOf(type, f32.neg(x));
      case "double":
        return valueOf(type, f64.neg(x));
      case "interval year to month":
        b.if_(i32.eq(x, i32.const(-2147483648)), () => raiseTemporal(context, type, "negation"));
        return valueOf(type, i32.sub(i32.const(0), x));
      case "interval day to second":
        b.if_(i64.eq(x, i64.const(-(1n << 63n))), () => raiseTemporal(context, type, "negation"));
        return valueOf(type, i64.sub(i64.const(0n), x));
      case "decimal":
        return isShort(type)
          ? valueOf(type, i64.sub(i64.const(0n), x))
          : valueOf(type, ...emitNegate128(b, emitWiden(b, args[0] as Value)));
      default:
        throw new Error(`no negation of ${type.kind}`);
    }
  };
}
