/**
 * Mathematical functions: kernel code where WebAssembly has the operation, JavaScript's Math for transcendental functions.
 */
import { f32, f64, i32, i64 } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { BIGINT, BOOLEAN, decimalPrecisionMax, decimalType, DOUBLE, integralKinds, type Type } from "../../../types/type.ts";
import { arithmeticImplementation, emitWiden, isShort, wrapTo } from "../../operator/arithmetic.ts";
import { rescale } from "../../runtime/decimals.ts";
import type { HostImplementation, ScalarDefinition } from "../../registry/definition.ts";
import { formatDouble } from "../../runtime/formats.ts";
import { emitMathCall } from "../../runtime/host.ts";
import { emitMagnitude128 } from "../../runtime/i128.ts";
import { asRealOrDouble, first, minimums, roundingDefinitions } from "./rounding.ts";
import { part, type Value, valueOf } from "../../runtime/value.ts";

type Decimal = Type & { readonly kind: "decimal" };
type Example = ScalarDefinition["example"];

/** A function of doubles from JavaScript's Math. */
function transcendental(
  name: string,
  parameterCount: number,
  fn: (...args: number[]) => number,
  description: string,
  example: Example,
): ScalarDefinition {
  const binding = { name: `math:${name}`, parameterCount, fn };
  return {
    name,
    args: Array.from({ length: parameterCount }, () => "double"),
    returns: "double",
    description,
    total: true,
    math: [binding],
    emit: ({ b }, args) =>
      valueOf(
        DOUBLE,
        emitMathCall(
          b,
          binding.name,
          args.map((arg) => part(arg, 0)),
        ),
      ),
    ...(example === undefined ? {} : { example }),
  };
}

const transcendentals: readonly ScalarDefinition[] = [
  transcendental("cbrt", 1, (x = 0) => Math.cbrt(x), "Cube root", { sql: "cbrt(27e0)", result: "3.0" }),
  transcendental("exp", 1, (x = 0) => Math.exp(x), "Euler's number raised to the power", { sql: "exp(0e0)", result: "1.0" }),
  transcendental("ln", 1, (x = 0) => Math.log(x), "Natural logarithm", { sql: "ln(1e0)", result: "0.0" }),
  transcendental("log2", 1, (x = 0) => Math.log(x) / Math.log(2), "Logarithm to base 2", { sql: "log2(4e0)", result: "2.0" }),
  transcendental("log10", 1, (x = 0) => Math.log10(x), "Logarithm to base 10", { sql: "log10(1000e0)", result: "3.0" }),
  transcendental("log", 2, (base = 0, x = 0) => Math.log(x) / Math.log(base), "Logarithm to the base", { sql: "log(2, 8)", result: "3.0" }),
  transcendental("pow", 2, (x = 0, y = 0) => x ** y, "Number raised to the power", { sql: "pow(2, 10)", result: "1024.0" }),
  transcendental("power", 2, (x = 0, y = 0) => x ** y, "Number raised to the power", { sql: "power(2, 10)", result: "1024.0" }),
  transcendental("sin", 1, (x = 0) => Math.sin(x), "Sine", { sql: "sin(0)", result: "0.0" }),
  transcendental("cos", 1, (x = 0) => Math.cos(x), "Cosine", { sql: "cos(0)", result: "1.0" }),
  transcendental("tan", 1, (x = 0) => Math.tan(x), "Tangent", { sql: "tan(0)", result: "0.0" }),
  transcendental("asin", 1, (x = 0) => Math.asin(x), "Arc sine", { sql: "asin(0)", result: "0.0" }),
  transcendental("acos", 1, (x = 0) => Math.acos(x), "Arc cosine", { sql: "acos(1)", result: "0.0" }),
  transcendental("atan", 1, (x = 0) => Math.atan(x), "Arc tangent", { sql: "atan(0)", result: "0.0" }),
  transcendental("atan2", 2, (y = 0, x = 0) => Math.atan2(y, x), "Arc tangent of y / x", { sql: "atan2(0, 1)", result: "0.0" }),
  transcendental("sinh", 1, (x = 0) => Math.sinh(x), "Hyperbolic sine", { sql: "sinh(0)", result: "0.0" }),
  transcendental("cosh", 1, (x = 0) => Math.cosh(x), "Hyperbolic cosine", { sql: "cosh(0)", result: "1.0" }),
  transcendental("tanh", 1, (x = 0) => Math.tanh(x), "Hyperbolic tangent", { sql: "tanh(0)", result: "0.0" }),
];

/** A function of one double as inline kernel code. */
function inline(name: string, emit: (x: Expr) => Expr, description: string, example: Example, returnType: Type = DOUBLE): ScalarDefinition {
  return {
    name,
    args: ["double"],
    returns: returnType.kind,
    description,
    total: true,
    emit: (_context, args) => valueOf(returnType, emit(first(args))),
    ...(example === undefined ? {} : { example }),
  };
}

function constant(name: string, value: number, description: string, result: string): ScalarDefinition {
  return {
    name,
    args: [],
    returns: "double",
    description,
    total: true,
    emit: () => valueOf(DOUBLE, f64.const(value)),
    example: { sql: `${name}()`, result },
  };
}

const doubles: readonly ScalarDefinition[] = [
  inline("sqrt", f64.sqrt, "Square root", { sql: "sqrt(16)", result: "4.0" }),
  inline("degrees", (x) => f64.div(f64.mul(x, f64.const(180)), f64.const(Math.PI)), "Angle converted from radians to degrees", {
    sql: "degrees(0)",
    result: "0.0",
  }),
  inline("radians", (x) => f64.mul(f64.div(x, f64.const(180)), f64.const(Math.PI)), "Angle converted from degrees to radians", {
    sql: "radians(0)",
    result: "0.0",
  }),
  inline("is_nan", (x) => f64.ne(x, x), "Whether the number is NaN", { sql: "is_nan(nan())", result: "true" }, BOOLEAN),
  inline(
    "is_finite",
    (x) => f64.lt(f64.abs(x), f64.const(Number.POSITIVE_INFINITY)),
    "Whether the number is finite",
    { sql: "is_finite(1e0)", result: "true" },
    BOOLEAN,
  ),
  inline(
    "is_infinite",
    (x) => f64.eq(f64.abs(x), f64.const(Number.POSITIVE_INFINITY)),
    "Whether the number is infinite",
    { sql: "is_infinite(infinity())", result: "true" },
    BOOLEAN,
  ),
  constant("pi", Math.PI, "Constant pi", "3.141592653589793"),
  constant("e", Math.E, "Euler's number", "2.718281828459045"),
  constant("nan", Number.NaN, "Constant not-a-number", "NaN"),
  constant("infinity", Number.POSITIVE_INFINITY, "Positive infinity", "Infinity"),
];

const absolutes: readonly ScalarDefinition[] = [
  ...integralKinds.map(
    (kind, index): ScalarDefinition => ({
      name: "abs",
      args: [kind],
      returns: kind,
      description: "Absolute value",
      emit: (context, args, type) => {
        const { b } = context;
        const x = first(args);
        const minimum = kind === "bigint" ? i64.eq(x, i64.const(minimums.bigint)) : i32.eq(x, i32.const(Number(minimums[kind])));
        b.if_(minimum, () => context.raise("VALUE_IS_MINIMUM", x, i32.const(index)));
        const negative = kind === "bigint" ? i64.shrS(x, i64.const(63n)) : i32.shrS(x, i32.const(31));
        const sign = b.temp(negative);
        return valueOf(type, kind === "bigint" ? i64.sub(i64.xor(x, sign), sign) : i32.sub(i32.xor(x, sign), sign));
      },
      example: { sql: `abs(CAST(-5 AS ${kind}))`, result: "5" },
    }),
  ),
  {
    name: "abs",
    args: ["decimal(p,s)"],
    returns: "decimal(p,s)",
    description: "Absolute value",
    emit: ({ b }, args, type) => {
      const wide = emitMagnitude128(b, emitWiden(b, args[0] as Value));
      return isShort(type) ? valueOf(type, wide[0]) : valueOf(type, ...wide);
    },
    example: { sql: "abs(DECIMAL '-1.5')", result: "1.5" },
  },
  {
    name: "abs",
    args: ["real"],
    returns: "real",
    description: "Absolute value",
    total: true,
    emit: (_c, args, type) => valueOf(type, f32.abs(first(args))),
  },
  {
    name: "abs",
    args: ["double"],
    returns: "double",
    description: "Absolute value",
    total: true,
    emit: (_c, args, type) => valueOf(type, f64.abs(first(args))),
  },
];

const signs: readonly ScalarDefinition[] = [
  ...integralKinds.map(
    (kind): ScalarDefinition => ({
      name: "sign",
      args: [kind],
      returns: kind,
      description: "Sign of the number: -1, 0 or 1",
      total: true,
      emit: (_context, args, type) => {
        const x = first(args);
        const wide = kind === "bigint" ? x : i64.extendI32S(x);
        const sign = i32.sub(i64.gtS(wide, i64.const(0n)), i64.ltS(wide, i64.const(0n)));
        return valueOf(type, kind === "bigint" ? i64.extendI32S(sign) : wrapTo(kind, sign));
      },
      example: { sql: `sign(CAST(-7 AS ${kind}))`, result: "-1" },
    }),
  ),
  {
    name: "sign",
    args: ["decimal(p,s)"],
    returns: "decimal(1,0)",
    returnType: () => decimalType(1, 0),
    description: "Sign of the number: -1, 0 or 1",
    host: ([value]) => ((value as bigint) > 0n ? 1n : (value as bigint) < 0n ? -1n : 0n),
    example: { sql: "sign(DECIMAL '-1.5')", result: "-1" },
  },
  ...(["real", "double"] as const).map(
    (kind): ScalarDefinition => ({
      name: "sign",
      args: [kind],
      returns: kind,
      description: "Sign of the number: -1, 0 or 1, or NaN for NaN",
      total: true,
      emit: (_context, args, type) =>
        asRealOrDouble(type, first(args), (x) => ({
          kind: "select",
          type: "f64",
          condition: f64.gt(f64.abs(x), f64.const(0)),
          then: f64.copysign(f64.const(1), x),
          otherwise: x,
        })),
    }),
  ),
];

function modulus(arg: string, types: readonly [Type, Type], returnType: (types: readonly Type[]) => Type): ScalarDefinition {
  const build = (given: readonly [Type, Type]) => arithmeticImplementation("$modulus", given, returnType(given));
  const fixed = types[0].kind === "decimal" ? undefined : build(types);
  return {
    name: "mod",
    args: [arg, arg],
    returns: arg,
    returnType,
    description: "Remainder of the division",
    ...fixed,
  };
}

const mods: readonly ScalarDefinition[] = [
  ...integralKinds.map((kind) => modulus(kind, [{ kind }, { kind }], ([type]) => type as Type)),
  modulus("real", [{ kind: "real" }, { kind: "real" }], ([type]) => type as Type),
  modulus("double", [DOUBLE, DOUBLE], ([type]) => type as Type),
  {
    name: "mod",
    args: ["decimal(p,s)", "decimal(p,s)"],
    returns: "decimal(rp,rs)",
    returnType: ([a, b]) => modulusType(a as Decimal, b as Decimal),
    description: "Remainder of the division",
    host: ([x, y], { argTypes, returnType }) => {
      const { scale } = returnType as Decimal;
      const divisor = rescale(y as bigint, (argTypes[1] as Decimal).scale, scale);
      if (divisor === 0n) {
        throw new QueryError("DIVISION_BY_ZERO", "Division by zero");
      }
      return rescale(x as bigint, (argTypes[0] as Decimal).scale, scale) % divisor;
    },
    example: { sql: "mod(DECIMAL '5.5', DECIMAL '2')", result: "1.5" },
  },
];

function modulusType(a: Decimal, b: Decimal): Type {
  const scale = Math.max(a.scale, b.scale);
  return decimalType(Math.min(decimalPrecisionMax, Math.max(1, Math.min(a.precision - a.scale, b.precision - b.scale) + scale)), scale);
}

function bitwise(name: string, operation: (x: Expr, y: Expr) => Expr, description: string, example: Example): ScalarDefinition {
  return {
    name,
    args: ["bigint", "bigint"],
    returns: "bigint",
    description,
    total: true,
    emit: (_context, args) => valueOf(BIGINT, operation(first(args), part(args[1] as Value, 0))),
    ...(example === undefined ? {} : { example }),
  };
}

const bits: readonly ScalarDefinition[] = [
  bitwise("bitwise_and", i64.and, "Bitwise AND", { sql: "bitwise_and(12, 10)", result: "8" }),
  bitwise("bitwise_or", i64.or, "Bitwise OR", { sql: "bitwise_or(12, 10)", result: "14" }),
  bitwise("bitwise_xor", i64.xor, "Bitwise exclusive OR", { sql: "bitwise_xor(12, 10)", result: "6" }),
  {
    name: "bitwise_not",
    args: ["bigint"],
    returns: "bigint",
    description: "Bitwise NOT",
    total: true,
    emit: (_context, args) => valueOf(BIGINT, i64.xor(first(args), i64.const(-1n))),
    example: { sql: "bitwise_not(0)", result: "-1" },
  },
];

const bucket: HostImplementation = ([x, low, high, count]) => {
  const [operand, lower, upper, buckets] = [x as number, low as number, high as number, count as bigint];
  const check = (condition: boolean, message: string) => {
    if (!condition) {
      throw new QueryError("INVALID_FUNCTION_ARGUMENT", message);
    }
  };
  check(buckets > 0n, "bucketCount must be greater than 0");
  check(!Number.isNaN(operand), "operand must not be NaN");
  check(Number.isFinite(lower), "first bound must be finite");
  check(Number.isFinite(upper), "second bound must be finite");
  check(lower !== upper, "bounds cannot equal each other");
  const [from, to] = lower < upper ? [lower, upper] : [upper, lower];
  const position =
    operand < from ? 0n : operand >= to ? buckets + 1n : BigInt(Math.floor((Number(buckets) * (operand - from)) / (to - from))) + 1n;
  return lower > upper ? buckets - position + 1n : position;
};

/** Binary search as in Presto: unsorted bins are detected only where the search reads them. */
const bucketOfBins: HostImplementation = ([x, list]) => {
  const [operand, bins] = [x as number, list as readonly (number | null)[]];
  const fail = (message: string): never => {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", message);
  };
  const binAt = (index: number): number => bins[index] ?? fail("Bin values cannot be NULL");
  if (bins.length === 0) {
    fail("Bins cannot be an empty array");
  }
  if (Number.isNaN(operand)) {
    fail("Operand cannot be NaN");
  }
  let [lower, upper] = [0, bins.length];
  while (lower < upper) {
    if (binAt(lower) > binAt(upper - 1)) {
      fail("Bin values are not sorted in ascending order");
    }
    const index = (lower + upper) >> 1;
    const bin = binAt(index);
    if (!Number.isFinite(bin)) {
      fail(`Bin value must be finite, got ${formatDouble(bin)}`);
    }
    if (operand < bin) {
      upper = index;
    } else {
      lower = index + 1;
    }
  }
  return BigInt(lower);
};

export const mathDefinitions: readonly ScalarDefinition[] = [
  ...transcendentals,
  ...doubles,
  ...absolutes,
  ...roundingDefinitions,
  ...signs,
  ...mods,
  ...bits,
  {
    name: "width_bucket",
    args: ["double", "double", "double", "bigint"],
    returns: "bigint",
    description: "Bucket number of the value in an equal-width histogram",
    host: bucket,
    example: { sql: "width_bucket(5e0, 0e0, 10e0, 5)", result: "3" },
  },
  {
    name: "width_bucket",
    args: ["double", "array(double)"],
    returns: "bigint",
    description: "Bucket number of the value among ascending bins",
    host: bucketOfBins,
    example: { sql: "width_bucket(3.14e0, ARRAY[0.0, 2.0, 4.0])", result: "2" },
  },
];
