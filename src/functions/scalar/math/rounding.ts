/**
 * Rounding functions (ceiling, floor, round, truncate) and code shared with the other mathematical functions.
 */
import { f32, f64 } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { decimalPrecisionMax, decimalType, integralKinds, type Type } from "../../../types/type.ts";
import { emitRoundHalfUp } from "../../cast/casts.ts";
import { divideRounding, fitsPrecision, powerOfTen } from "../../runtime/decimals.ts";
import type { ScalarDefinition } from "../../registry/definition.ts";
import type { EmitScalar } from "../../runtime/emit.ts";
import { part, type Value, valueOf } from "../../runtime/value.ts";

type Decimal = Type & { readonly kind: "decimal" };
type Example = ScalarDefinition["example"];

export const minimums = { tinyint: -128n, smallint: -32768n, integer: -2147483648n, bigint: -(1n << 63n) } as const;

export function first(args: readonly Value[]): Expr {
  return part(args[0] as Value, 0);
}

export function asRealOrDouble(type: Type, x: Expr, compute: (x: Expr) => Expr): Value {
  return type.kind === "real" ? valueOf(type, f32.demoteF64(compute(f64.promoteF32(x)))) : valueOf(type, compute(x));
}

const identity: EmitScalar = (_context, args, type) => ({ ...(args[0] as Value), type });

function integerDigits({ precision, scale }: Decimal): number {
  return Math.max(1, Math.min(decimalPrecisionMax, precision - scale + (scale > 0 ? 1 : 0)));
}

/** Ceiling, floor, truncate and round to an integer, for decimals. */
function wholeDecimal(
  name: string,
  round: (value: bigint, unit: bigint) => bigint,
  description: string,
  example: Example,
): ScalarDefinition {
  return {
    name,
    args: ["decimal(p,s)"],
    returns: "decimal(rp,0)",
    returnType: ([type]) => decimalType(integerDigits(type as Decimal), 0),
    description,
    host: ([value], { argTypes }) => round(value as bigint, powerOfTen((argTypes[0] as Decimal).scale)),
    ...(example === undefined ? {} : { example }),
  };
}

function floorOf(value: bigint, unit: bigint): bigint {
  return value >= 0n || value % unit === 0n ? value / unit : value / unit - 1n;
}

function roundings(
  name: string,
  emit: (x: Expr) => Expr,
  decimal: (value: bigint, unit: bigint) => bigint,
  description: string,
  decimalResult: string,
): readonly ScalarDefinition[] {
  return [
    ...integralKinds.map(
      (kind): ScalarDefinition => ({
        name,
        args: [kind],
        returns: kind,
        description,
        total: true,
        emit: identity,
        example: { sql: `${name}(CAST(7 AS ${kind}))`, result: "7" },
      }),
    ),
    wholeDecimal(name, decimal, description, { sql: `${name}(DECIMAL '-1.5')`, result: decimalResult }),
    ...(["real", "double"] as const).map(
      (kind): ScalarDefinition => ({
        name,
        args: [kind],
        returns: kind,
        description,
        total: true,
        emit: (_context, args, type) => asRealOrDouble(type, first(args), emit),
      }),
    ),
  ];
}

/** Every decimal is smaller than half of 10^40, so rounding at this or a higher power of ten gives 0. */
const placesMax = 40;

/** From this magnitude on, the scaled value exceeds Java's long; such a double has no digits at that place. */
const roundedMax = 2 ** 63;

/** Rounds half away from zero at `digits` decimal places. */
function roundDouble(value: number, digits: number): number {
  if (!Number.isFinite(value)) {
    return value;
  }
  const factor = 10 ** digits;
  const scaled = value * factor;
  if (factor === 0) {
    return 0;
  }
  if (!Number.isFinite(factor) || Math.abs(scaled) >= roundedMax) {
    return value;
  }
  return value < 0 ? -Math.round(-scaled) / factor : Math.round(scaled) / factor;
}

/** Largest power of ten that fits in 64 bits. */
const integralDigitsMax = 18;

function roundIntegral(value: bigint, digits: number, kind: (typeof integralKinds)[number]): bigint {
  if (digits >= 0) {
    return value;
  }
  const overflows = digits < -integralDigitsMax;
  const unit = overflows ? 1n : powerOfTen(-digits);
  const rounded = divideRounding(value, unit) * unit;
  if (overflows || BigInt.asIntN(64, rounded) !== rounded) {
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `numerical overflow: ${value}`);
  }
  if (rounded < minimums[kind] || rounded > -minimums[kind] - 1n) {
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `Out of range for ${kind}: ${rounded}`);
  }
  return rounded;
}

const rounds: readonly ScalarDefinition[] = [
  ...integralKinds.flatMap((kind): ScalarDefinition[] => [
    { name: "round", args: [kind], returns: kind, description: "Number rounded to the nearest integer", total: true, emit: identity },
    {
      name: "round",
      args: [kind, "integer"],
      returns: kind,
      description: "Number rounded to decimal places",
      host: ([value, digits]) => {
        const rounded = roundIntegral(BigInt(value as number), digits as number, kind);
        return kind === "bigint" ? rounded : Number(rounded);
      },
      example: { sql: `round(CAST(17 AS ${kind}), -1)`, result: "20" },
    },
  ]),
  wholeDecimal("round", divideRounding, "Number rounded to the nearest integer", { sql: "round(DECIMAL '2.5')", result: "3" }),
  {
    name: "round",
    args: ["decimal(p,s)", "integer"],
    returns: "decimal(rp,s)",
    returnType: ([type]) => decimalType(Math.min(decimalPrecisionMax, (type as Decimal).precision + 1), (type as Decimal).scale),
    description: "Number rounded to decimal places",
    host: ([value, digits], { argTypes, returnType }) => {
      const { scale } = argTypes[0] as Decimal;
      const lost = Math.min(scale - (digits as number), placesMax);
      const rounded = lost <= 0 ? (value as bigint) : divideRounding(value as bigint, powerOfTen(lost)) * powerOfTen(lost);
      if (!fitsPrecision(rounded, (returnType as Decimal).precision)) {
        throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", "Decimal overflow");
      }
      return rounded;
    },
    example: { sql: "round(DECIMAL '1.255', 2)", result: "1.260" },
  },
  ...(["real", "double"] as const).flatMap((kind): ScalarDefinition[] => [
    {
      name: "round",
      args: [kind],
      returns: kind,
      description: "Number rounded to the nearest integer",
      total: true,
      emit: ({ b }, args, type) => asRealOrDouble(type, first(args), (x) => emitRoundHalfUp(b, x)),
    },
    {
      name: "round",
      args: [kind, "integer"],
      returns: kind,
      description: "Number rounded to decimal places",
      host: ([value, digits]) =>
        kind === "real" ? Math.fround(roundDouble(value as number, digits as number)) : roundDouble(value as number, digits as number),
      example: { sql: `round(CAST(1.25 AS ${kind}), 1)`, result: "1.3" },
    },
  ]),
];

const truncates: readonly ScalarDefinition[] = [
  {
    ...wholeDecimal("truncate", (value, unit) => value / unit, "Number truncated to an integer", {
      sql: "truncate(DECIMAL '-1.9')",
      result: "-1",
    }),
    // Truncation never carries, so the integer digits suffice.
    returnType: ([type]) => decimalType(Math.max(1, (type as Decimal).precision - (type as Decimal).scale), 0),
  },
  {
    name: "truncate",
    args: ["decimal(p,s)", "integer"],
    returns: "decimal(p,s)",
    description: "Number truncated to decimal places",
    host: ([value, digits], { argTypes }) => {
      const lost = Math.min((argTypes[0] as Decimal).scale - (digits as number), placesMax);
      return lost <= 0 ? (value as bigint) : ((value as bigint) / powerOfTen(lost)) * powerOfTen(lost);
    },
    example: { sql: "truncate(DECIMAL '1.259', 2)", result: "1.250" },
  },
  ...(["real", "double"] as const).map(
    (kind): ScalarDefinition => ({
      name: "truncate",
      args: [kind],
      returns: kind,
      description: "Number truncated to an integer",
      total: true,
      emit: (_context, args, type) => asRealOrDouble(type, first(args), f64.trunc),
      example: { sql: `truncate(CAST(-1.9 AS ${kind}))`, result: "-1.0" },
    }),
  ),
];

export const roundingDefinitions: readonly ScalarDefinition[] = [
  ...roundings("ceiling", f64.ceil, (value, unit) => -floorOf(-value, unit), "Number rounded up to an integer", "-1"),
  ...roundings("ceil", f64.ceil, (value, unit) => -floorOf(-value, unit), "Number rounded up to an integer", "-1"),
  ...roundings("floor", f64.floor, floorOf, "Number rounded down to an integer", "-2"),
  ...rounds,
  ...truncates,
];
