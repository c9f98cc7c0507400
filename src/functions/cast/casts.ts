/**
 * CAST between each pair of types: kernel code for numbers, dates and lengths of strings, host functions in TypeScript for text.
 */
import { type CodeBuilder, f32, f64, i32, i64 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { utf8Length, utf8Position } from "../../codegen/library.ts";
import {
  displayType,
  isIntegral,
  isLongMoment,
  isNested,
  isNumeric,
  isSketch,
  shortDecimalPrecisionMax,
  type Type,
  integralKinds,
} from "../../types/type.ts";
import {
  bitsOfScale,
  emitDivideRounding64,
  emitExceeds,
  emitScaleUp,
  emitWiden,
  isShort,
  narrow,
  scratch,
} from "../operator/arithmetic.ts";
import { canCast } from "../registry/coercion.ts";
import { emitDays, floorDivide64 } from "../scalar/datetime/date-kernels.ts";
import { powerOfTen } from "../runtime/decimals.ts";
import type { HostImplementation, ScalarDefinition } from "../registry/definition.ts";
import type { EmitContext, EmitScalar } from "../runtime/emit.ts";
import { emitDivideRounding128, emitExtend, isZero128, type Wide, wideConst } from "../runtime/i128.ts";
import { castFromText, castToText, doubleToDecimal, fail, longDecimalToDouble } from "./text-casts.ts";
import { onlyNamesDiffer } from "./nested-casts.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";
import { bytesCast } from "../scalar/network/addresses.ts";
import { castFromJson, castToJson } from "./json-casts.ts";
import { integerToTile } from "../scalar/geometry/bing/bing-functions.ts";
import { addressOfPrefix, prefixOfAddress } from "../scalar/network/prefixes.ts";
import { denseLog } from "../sketch/hyperloglog.ts";
import { zonedCast } from "./zoned-casts.ts";

type Decimal = Type & { readonly kind: "decimal" };
type Implementation = Pick<ScalarDefinition, "emit" | "givesNull" | "host" | "total" | "steps">;

function integralIndex(type: Type): number {
  return (integralKinds as readonly string[]).indexOf(type.kind);
}

const identity: Implementation = { emit: (_context, args, type) => ({ ...(args[0] as Value), type }), total: true };

/** Name of the host function that implements the cast, if it has one. */
export function castName(from: Type, to: Type): string {
  return `cast:${displayType(from)}->${displayType(to)}`;
}

/** Implementation of CAST for a value that is not NULL; undefined if the cast does not exist. */
export function castImplementation(from: Type, to: Type): Implementation | undefined {
  if (!canCast(from, to)) {
    return undefined;
  }
  if (displayType(from) === displayType(to) || from.kind === "unknown") {
    return identity;
  }
  if (to.kind === "json" || from.kind === "json") {
    return to.kind === "json" ? { steps: castToJson(from) } : { steps: castFromJson(to), givesNull: true };
  }
  if (isNested(to)) {
    if (onlyNamesDiffer(from, to)) {
      return identity;
    }
    return { host: () => fail(`Cannot cast ${displayType(from)} to ${displayType(to)}`, "NOT_SUPPORTED") };
  }
  if (to.kind === "varchar") {
    return toVarchar(from, to);
  }
  if (to.kind === "char") {
    return { emit: (context, args, type) => emitToChar(context, args[0] as Value, type) };
  }
  if (from.kind === "varchar" && to.kind === "varbinary") {
    return identity;
  }
  if (from.kind === "varchar" || from.kind === "char") {
    return { host: castFromText(to) };
  }
  if (isSketch(from) || isSketch(to)) {
    const isMadeDense = from.kind === "HyperLogLog" && to.kind === "P4HyperLogLog";
    return isMadeDense ? { host: ([sketch]) => denseLog(sketch as Uint8Array) } : identity;
  }
  if (from.kind === "BingTile" || to.kind === "BingTile") {
    return to.kind === "BingTile" ? { host: integerToTile } : identity;
  }
  if (from.kind === "ipprefix" || to.kind === "ipprefix") {
    return { host: to.kind === "ipprefix" ? prefixOfAddress : addressOfPrefix };
  }
  if (from.kind === "varbinary" || to.kind === "varbinary") {
    return { host: bytesCast(to) };
  }
  if (to.kind === "boolean") {
    return { emit: (context, args, type) => valueOf(type, i32.eqz(emitIsZero(context.b, args[0] as Value))), total: true };
  }
  if (isIntegral(to)) {
    return toIntegral(from, to);
  }
  if (to.kind === "real" || to.kind === "double") {
    return toFloating(from, to);
  }
  if (to.kind === "decimal") {
    return from.kind === "real" || from.kind === "double" ? { host: doubleToDecimal } : { emit: decimalEmitter(from, to) };
  }
  return temporalCast(from, to);
}

const plainMoments: ReadonlySet<string> = new Set(["date", "timestamp", "interval day to second", "interval year to month"]);

/** Largest distance from 1970-01-01, in days, whose microseconds fit in 64 bits. */
const timestampDaysMax = 106_751_991n;

function temporalCast(from: Type, to: Type): Implementation {
  if (!plainMoments.has(from.kind) || !plainMoments.has(to.kind) || isLongMoment(from) || isLongMoment(to)) {
    return zonedCast(from, to);
  }
  if (to.kind === "date") {
    return { emit: ({ b }, args, type) => valueOf(type, emitDays(b, args[0] as Value)), total: true };
  }
  if (from.kind === "date") {
    return {
      emit: (context, args, type) => {
        const days = context.b.temp(i64.extendI32S(part(args[0] as Value, 0)));
        const isOutside = i64.gtU(i64.add(days, i64.const(timestampDaysMax)), i64.const(2n * timestampDaysMax));
        context.b.if_(isOutside, () => context.raise("DATE_TO_TIMESTAMP", days));
        return valueOf(type, i64.mul(days, i64.const(86_400_000_000n)));
      },
    };
  }
  if (from.kind === "timestamp" && to.kind === "timestamp") {
    return from.precision <= to.precision ? identity : { emit: roundTimestampEmitter(to.precision), total: true };
  }
  return identity;
}

/** Rounds half up, toward the future. */
function roundTimestampEmitter(precision: number): EmitScalar {
  const unit = powerOfTen(6 - precision);
  return ({ b }, args, type) => {
    const shifted = b.temp(i64.add(part(args[0] as Value, 0), i64.const(unit / 2n)));
    return valueOf(type, b.temp(i64.mul(floorDivide64(b, shifted, unit), i64.const(unit))));
  };
}

function emitIsZero(b: CodeBuilder, value: Value): Expr {
  const x = part(value, 0);
  switch (x.type) {
    case "f32":
      return f32.eq(x, f32.const(0));
    case "f64":
      return f64.eq(x, f64.const(0));
    case "i64":
      return value.parts.length === 2 ? isZero128(emitWiden(b, value)) : i64.eqz(x);
    default:
      return i32.eqz(x);
  }
}

function toIntegral(from: Type, to: Type): Implementation {
  if (from.kind === "boolean") {
    return { emit: (_context, args, type) => valueOf(type, asIntegralPart(to, part(args[0] as Value, 0))), total: true };
  }
  if (isIntegral(from)) {
    return integralIndex(from) <= integralIndex(to)
      ? { emit: (_context, args, type) => valueOf(type, asIntegralPart(to, part(args[0] as Value, 0))), total: true }
      : { emit: narrowIntegralEmitter(to) };
  }
  return from.kind === "decimal" ? { emit: decimalToIntegralEmitter(from, to) } : { emit: floatingToIntegralEmitter(from, to) };
}

function asIntegralPart(to: Type, value: Expr): Expr {
  return to.kind === "bigint" && value.type === "i32" ? i64.extendI32S(value) : value;
}

const integralBounds: Readonly<Record<string, readonly [bigint, bigint]>> = Object.freeze({
  tinyint: [-128n, 127n],
  smallint: [-32768n, 32767n],
  integer: [-2147483648n, 2147483647n],
  bigint: [-(1n << 63n), (1n << 63n) - 1n],
});

function boundsOf(type: Type): readonly [bigint, bigint] {
  return integralBounds[type.kind] as readonly [bigint, bigint];
}

function narrowIntegralEmitter(to: Type): EmitScalar {
  const [minimum, maximum] = boundsOf(to);
  return (context, args, type) => {
    const { b } = context;
    const x = part(args[0] as Value, 0);
    const wide = b.temp(x.type === "i32" ? i64.extendI32S(x) : x);
    const outside = i32.or(i64.ltS(wide, i64.const(minimum)), i64.gtS(wide, i64.const(maximum)));
    b.if_(outside, () => context.raise("OUT_OF_RANGE", wide, i32.const(integralIndex(to))));
    return valueOf(type, b.temp(i32.wrapI64(wide)));
  };
}

/** Rounds half away from zero, exactly; adding 0.5 would itself round. */
export function emitRoundHalfUp(b: CodeBuilder, x: Expr): Expr {
  const cut = b.temp(f64.trunc(x));
  const away = f64.ge(f64.abs(f64.sub(x, cut)), f64.const(0.5));
  return b.temp({ kind: "select", type: "f64", condition: away, then: f64.add(cut, f64.copysign(f64.const(1), x)), otherwise: cut });
}

function floatingToIntegralEmitter(from: Type, to: Type): EmitScalar {
  const isReal = from.kind === "real";
  const index = i32.const(integralIndex(to));
  const [minimum, maximum] = boundsOf(to);
  return (context, args, type) => {
    const { b } = context;
    const raw = part(args[0] as Value, 0);
    const x = b.temp(isReal ? f64.promoteF32(raw) : raw);
    const rounded = emitRoundHalfUp(b, x);
    if (to.kind === "bigint") {
      const inside = i32.and(f64.ge(rounded, f64.const(Number(minimum))), f64.lt(rounded, f64.const(2 ** 63)));
      b.if_(i32.eqz(inside), () => context.raise(isReal ? "REAL_TO_BIGINT" : "DOUBLE_TO_BIGINT", x));
      return valueOf(type, b.temp(i64.truncSatF64S(rounded)));
    }
    b.if_(f64.ne(x, x), () => context.raise(isReal ? "REAL_NAN_TO_INTEGRAL" : "NAN_TO_INTEGRAL", index));
    const inside = i32.and(f64.ge(rounded, f64.const(Number(minimum))), f64.le(rounded, f64.const(Number(maximum))));
    b.if_(i32.eqz(inside), () => context.raise(isReal ? "REAL_OUT_OF_RANGE" : "DOUBLE_OUT_OF_RANGE", x, index));
    return valueOf(type, b.temp(i32.truncSatF64S(rounded)));
  };
}

function decimalToIntegralEmitter(from: Decimal, to: Type): EmitScalar {
  const [minimum, maximum] = boundsOf(to);
  return (context, args, type) => {
    const { b } = context;
    const wide = emitWiden(b, args[0] as Value);
    const [lo, hi] = emitScaleDown(context, wide, from.precision, from.scale);
    const fits64 = i64.eq(hi, i64.shrS(lo, i64.const(63n)));
    const inside = i32.and(fits64, i32.and(i64.geS(lo, i64.const(minimum)), i64.leS(lo, i64.const(maximum))));
    // Presto's message shows a short decimal after rounding and a long decimal as given.
    const shown: readonly [typeof lo, typeof hi, number] = isShort(from) ? [lo, hi, 0] : [...wide, from.scale];
    const [low, high, scale] = shown;
    b.if_(i32.eqz(inside), () => context.raise("DECIMAL_TO_INTEGRAL", low, high, i32.const(scale), i32.const(integralIndex(to))));
    return valueOf(type, to.kind === "bigint" ? lo : b.temp(i32.wrapI64(lo)));
  };
}

/** Divides by 10^digits, rounding half away from zero. */
function emitScaleDown(context: EmitContext, value: Wide, precision: number, digits: number): Wide {
  const { b } = context;
  if (digits === 0) {
    return value;
  }
  if (precision <= shortDecimalPrecisionMax && digits <= 18) {
    return emitExtend(b, emitDivideRounding64(b, value[0], i64.const(powerOfTen(digits))));
  }
  return emitDivideRounding128(b, value, wideConst(powerOfTen(digits)), scratch(context));
}

function toFloating(from: Type, to: Type): Implementation {
  if (from.kind === "decimal" && from.precision > shortDecimalPrecisionMax) {
    return { host: longDecimalToDouble };
  }
  const emit: EmitScalar = (_context, args, type) => {
    const x = part(args[0] as Value, 0);
    const double = toDouble(from, x);
    if (to.kind === "double") {
      return valueOf(type, double);
    }
    if (x.type === "i64" && from.kind === "bigint") {
      return valueOf(type, f32.convertI64S(x));
    }
    return valueOf(type, f32.demoteF64(double));
  };
  return { emit, total: true };
}

function toDouble(from: Type, x: Expr): Expr {
  switch (x.type) {
    case "f32":
      return f64.promoteF32(x);
    case "f64":
      return x;
    case "i64": {
      const double = f64.convertI64S(x);
      return from.kind === "decimal" && from.scale > 0 ? f64.div(double, f64.const(Number(powerOfTen(from.scale)))) : double;
    }
    default:
      return f64.convertI32S(x);
  }
}

/** From boolean, integral types and decimals. */
function decimalEmitter(from: Type, to: Decimal): EmitScalar {
  if (from.kind === "decimal") {
    return decimalToDecimalEmitter(from, to);
  }
  const digits = { tinyint: 3, smallint: 5, integer: 10, bigint: 19 }[from.kind as "bigint"] ?? 1;
  return (context, args) => {
    const { b } = context;
    const value = args[0] as Value;
    const x = part(value, 0);
    const wide = b.temp(x.type === "i32" ? i64.extendI32S(x) : x);
    if (digits + to.scale <= 18 && to.precision <= shortDecimalPrecisionMax && to.precision - to.scale >= digits) {
      const scaled = to.scale === 0 ? wide : b.temp(i64.mul(wide, i64.const(powerOfTen(to.scale))));
      return { ...valueOf(to, scaled), bits: scaledBits(value.bits ?? integralBits[from.kind], to.scale) };
    }
    const extended = emitExtend(b, wide);
    if (to.precision - to.scale < digits) {
      const index = i32.const(Math.max(0, integralIndex(from)));
      const tooLarge = emitExceeds(b, extended, to.precision - to.scale);
      b.if_(tooLarge, () => context.raise("INTEGRAL_TO_DECIMAL", wide, index, i32.const(to.precision), i32.const(to.scale)));
    }
    return narrow(to, emitScaleUp(context, extended, to.scale, digits));
  };
}

const integralBits: Readonly<Record<string, number | undefined>> = Object.freeze({ tinyint: 8, smallint: 16, integer: 32 });

/** Bits of a value of so many bits times 10^digits; undefined if it has more than 64, or the bound is not known. */
function scaledBits(bits: number | undefined, digits: number): number | undefined {
  return bits === undefined || bits + bitsOfScale(digits) > 64 ? undefined : bits + bitsOfScale(digits);
}

function decimalToDecimalEmitter(from: Decimal, to: Decimal): EmitScalar {
  const up = to.scale - from.scale;
  const mayExceed = to.precision - to.scale < from.precision - from.scale + (up < 0 ? 1 : 0);
  return (context, args) => {
    const { b } = context;
    const value = args[0] as Value;
    const isShortAll = from.precision + Math.max(0, up) <= shortDecimalPrecisionMax && to.precision <= shortDecimalPrecisionMax;
    if (isShortAll && up >= 0 && !mayExceed) {
      const scaled = up === 0 ? part(value, 0) : i64.mul(part(value, 0), i64.const(powerOfTen(up)));
      return { ...valueOf(to, scaled), bits: scaledBits(value.bits, up) };
    }
    const wide = emitWiden(b, value);
    const fail = () => context.raise("DECIMAL_TO_DECIMAL", ...wide, i32.const(from.scale), i32.const(to.precision), i32.const(to.scale));
    if (up >= 0) {
      // Checked before scaling, so that the product cannot exceed 128 bits.
      if (mayExceed) {
        b.if_(emitExceeds(b, wide, to.precision - up), fail);
      }
      return narrow(to, emitScaleUp(context, wide, up, from.precision));
    }
    const scaled = emitScaleDown(context, wide, from.precision, -up);
    if (mayExceed) {
      b.if_(emitExceeds(b, scaled, to.precision), fail);
    }
    return narrow(to, scaled);
  };
}

function toVarchar(from: Type, to: Type & { readonly kind: "varchar" }): Implementation {
  if (from.kind === "varchar") {
    const { length } = to;
    return length === undefined || (from.length !== undefined && from.length <= length)
      ? identity
      : { emit: ({ b }, args, type) => emitCutText(b, args[0] as Value, length, type), total: true };
  }
  if (from.kind === "char") {
    return { emit: (context, args, type) => emitPadChar(context, args[0] as Value, from.length, to, type) };
  }
  return { host: isNumeric(from) || from.kind === "boolean" || to.length !== undefined ? boundedText(from, to) : castToText(from) };
}

function boundedText(from: Type, to: Type & { readonly kind: "varchar" }): HostImplementation {
  return castToText(from, to.length);
}

/** The first `length` code points. */
function emitCutText(b: CodeBuilder, value: Value, length: number, type: Type): Value {
  const [address, bytes] = value.parts as readonly [Expr, Expr];
  const cut = b.local("i32", bytes);
  // A string of at most `length` bytes has at most `length` code points, so nothing is cut.
  b.if_(i32.gtU(bytes, i32.const(length)), () => b.set(cut, b.call(utf8Position(b.kernel), address, bytes, i32.const(length))));
  return valueOf(type, address, cut);
}

/** Removes trailing spaces; char is stored without them. */
function emitTrimTrailingSpaces(b: CodeBuilder, address: Expr, bytes: Expr): Expr {
  const end = b.local("i32", bytes);
  b.block((done) => {
    b.loop((again) => {
      b.break_(done, i32.eqz(end));
      b.break_(done, i32.ne(i32.load8u(i32.sub(i32.add(address, end), i32.const(1))), i32.const(32)));
      b.set(end, i32.sub(end, i32.const(1)));
      b.continue_(again);
    });
  });
  return end;
}

function emitToChar({ b }: EmitContext, value: Value, type: Type): Value {
  const length = type.kind === "char" ? type.length : 0;
  const cut = emitCutText(b, value, length, type);
  return valueOf(type, part(cut, 0), emitTrimTrailingSpaces(b, part(cut, 0), part(cut, 1)));
}

/** Converts char(n) to varchar(m): restores the trailing spaces, then cuts to m code points. */
function emitPadChar(context: EmitContext, value: Value, length: number, to: Type & { readonly kind: "varchar" }, type: Type): Value {
  const { b } = context;
  const [address, bytes] = value.parts as readonly [Expr, Expr];
  const missing = b.temp(i32.sub(i32.const(length), b.call(utf8Length(b.kernel), address, bytes)));
  const total = b.temp(i32.add(bytes, missing));
  const target = b.temp(context.allocate(total));
  b.copyBytes(target, address, bytes);
  b.fillBytes(i32.add(target, bytes), i32.const(32), missing);
  const padded = valueOf(type, target, total);
  return to.length !== undefined && to.length < length ? emitCutText(b, padded, to.length, type) : padded;
}
