/**
 * Arithmetic and comparison of single SQL values, with the types and results of the SQL operators (functions/operator/operators.ts).
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { compareNested, compareText } from "../../../../types/nested/nested-order.ts";
import { decimalType, displayType, integralBits, isCharacter, isIntegral, isNumeric, type Type } from "../../../../types/type.ts";
import { withoutTrailing } from "../../../../types/utf8.ts";
import { divideRounding, fitsPrecision, powerOfTen, rescale } from "../../../runtime/decimals.ts";
import type { HostValue } from "../../../registry/definition.ts";
import type { ArithmeticName } from "../../../operator/operator-names.ts";
import { resolveOperator } from "../../../operator/operators.ts";
import { PathError } from "./errors.ts";
import { SqlItem, textItem } from "./items.ts";
import type { PathArithmetic, PathComparison } from "./path.ts";
import { castScalar, type ScalarValue } from "./scalar-casts.ts";

type Decimal = Type & { readonly kind: "decimal" };

const operatorNames = Object.freeze({
  "+": "$add",
  "-": "$subtract",
  "*": "$multiply",
  "/": "$divide",
  "%": "$modulus",
}) satisfies Readonly<Record<PathArithmetic, ArithmeticName>>;
const operatorWords = Object.freeze({ "+": "ADD", "-": "SUBTRACT", "*": "MULTIPLY", "/": "DIVIDE", "%": "MODULUS" });

function overflow(): never {
  throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", "overflow");
}

/** Turns an error of a SQL operator into a PathError without details, as in Trino. */
function guarded<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    throw error instanceof QueryError ? new PathError("") : error;
  }
}

/** Throws PathError. */
export function arithmetic(operator: PathArithmetic, left: SqlItem, right: SqlItem): SqlItem {
  return guarded(() => {
    const name = operatorNames[operator];
    const resolved = resolveOperator(name, [left.type, right.type]);
    if ("error" in resolved) {
      const types = `${displayType(left.type)}, ${displayType(right.type)}`;
      throw new PathError(`invalid operand types to ${operatorWords[operator]} operator (${types})`);
    }
    const { argTypes, returnType, definition } = resolved;
    const args = [left, right].map((item, index) => castScalar(item.value, item.type, argTypes[index] as Type)) as [
      ScalarValue,
      ScalarValue,
    ];
    const { host } = definition;
    const value = host === undefined ? compute(operator, args, argTypes, returnType) : host(args, { argTypes, returnType });
    return new SqlItem(returnType, value as ScalarValue);
  });
}

function compute(operator: PathArithmetic, args: readonly [ScalarValue, ScalarValue], types: readonly Type[], result: Type): ScalarValue {
  if (result.kind === "decimal") {
    return decimalResult(operator, args as readonly [bigint, bigint], types as readonly [Decimal, Decimal], result);
  }
  if (isIntegral(result)) {
    const value = integralResult(operator, BigInt(args[0] as bigint), BigInt(args[1] as bigint));
    if (BigInt.asIntN(integralBits[result.kind], value) !== value) {
      return overflow();
    }
    return result.kind === "bigint" ? value : Number(value);
  }
  if (result.kind !== "real" && result.kind !== "double") {
    return overflow();
  }
  const [x, y] = args as readonly [number, number];
  const value = { "+": x + y, "-": x - y, "*": x * y, "/": x / y, "%": x % y }[operator];
  return result.kind === "real" ? Math.fround(value) : value;
}

function integralResult(operator: PathArithmetic, x: bigint, y: bigint): bigint {
  switch (operator) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "*":
      return x * y;
    case "/":
    case "%":
      return y === 0n ? overflow() : operator === "/" ? x / y : x % y;
  }
}

/** Operands of one scale have 128 bits, as in the operators; a difference may be in range where they are not. */
function inRange(operand: bigint): bigint {
  return BigInt.asIntN(128, operand) === operand ? operand : overflow();
}

function decimalResult(
  operator: PathArithmetic,
  [x, y]: readonly [bigint, bigint],
  [left, right]: readonly [Decimal, Decimal],
  result: Decimal,
): bigint {
  const [p, q] = [rescale(x, left.scale, Math.max(left.scale, right.scale)), rescale(y, right.scale, Math.max(left.scale, right.scale))];
  if ((operator === "/" || operator === "%") && y === 0n) {
    return overflow();
  }
  const digits = result.scale - left.scale + right.scale;
  const value = {
    "+": () => inRange(p) + inRange(q),
    "-": () => inRange(p) - inRange(q),
    "*": () => x * y,
    "/": () => divideRounding(x * powerOfTen(digits), y),
    "%": () => p % q,
  }[operator]();
  return fitsPrecision(value, result.precision) ? value : overflow();
}

/** Throws PathError. */
export function negated({ type, value }: SqlItem): SqlItem {
  return guarded(() => {
    if (isIntegral(type)) {
      const opposite = -BigInt(value as number | bigint);
      if (BigInt.asIntN(integralBits[type.kind], opposite) !== opposite) {
        return overflow();
      }
      return new SqlItem(type, type.kind === "bigint" ? opposite : Number(opposite));
    }
    return new SqlItem(type, typeof value === "bigint" ? -value : -(value as number));
  });
}

export function isNegative({ value }: SqlItem): boolean {
  return typeof value === "bigint" ? value < 0n : (value as number) < 0;
}

/** Rounding may add a digit before the point (9.5 becomes 10), so the result type has one more digit than the integer part. */
export function wholeNumber({ type, value }: SqlItem, direction: "ceiling" | "floor"): SqlItem {
  if (type.kind === "decimal") {
    const unit = powerOfTen(type.scale);
    const cut = (value as bigint) / unit;
    const rest = (value as bigint) % unit;
    const whole = direction === "ceiling" ? cut + (rest > 0n ? 1n : 0n) : cut - (rest < 0n ? 1n : 0n);
    return new SqlItem(decimalType(Math.max(1, type.precision - type.scale + Math.min(type.scale, 1)), 0), whole);
  }
  if (type.kind !== "real" && type.kind !== "double") {
    return new SqlItem(type, value);
  }
  return new SqlItem(type, direction === "ceiling" ? Math.ceil(value as number) : Math.floor(value as number));
}

/** Whether `left operator right` holds; undefined if the types are not comparable. */
export function comparison(operator: PathComparison, left: SqlItem, right: SqlItem): boolean | undefined {
  const isText = isCharacter(left.type) && isCharacter(right.type);
  const order = isText
    ? textOrder(left, right)
    : isNumeric(left.type) && isNumeric(right.type)
      ? numericOrder(left, right)
      : temporalOrder(left, right);
  if (order === undefined) {
    return undefined;
  }
  // NaN is neither less than, greater than nor equal to anything.
  if (Number.isNaN(order)) {
    return operator === "<>";
  }
  switch (operator) {
    case "==":
      return order === 0;
    case "<>":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

/** char is compared with its padding; the other operand is padded as well. */
function textOrder(left: SqlItem, right: SqlItem): number {
  const [a, b] = [textItem(left) ?? "", textItem(right) ?? ""];
  const isChar = left.type.kind === "char" || right.type.kind === "char";
  return isChar ? compareText(withoutTrailing(a, " "), withoutTrailing(b, " ")) : compareText(a, b);
}

function numericOrder(left: SqlItem, right: SqlItem): number {
  const isFloating = (type: Type): boolean => type.kind === "real" || type.kind === "double";
  if (isFloating(left.type) || isFloating(right.type)) {
    const [x, y] = [left, right].map(({ type, value }) => castScalar(value, type, { kind: "double" }) as number) as [number, number];
    return Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : Number(x > y) - Number(x < y);
  }
  const scaleOf = (type: Type): number => (type.kind === "decimal" ? type.scale : 0);
  const scale = Math.max(scaleOf(left.type), scaleOf(right.type));
  const [x, y] = [left, right].map(({ type, value }) => rescale(BigInt(value as number | bigint), scaleOf(type), scale)) as [
    bigint,
    bigint,
  ];
  return Number(x > y) - Number(x < y);
}

/** Compares booleans, dates, times and timestamps in their common type. */
function temporalOrder(left: SqlItem, right: SqlItem): number | undefined {
  const resolved = resolveOperator("$lt", [left.type, right.type]);
  if ("error" in resolved) {
    return undefined;
  }
  const [type] = resolved.argTypes as readonly [Type];
  const values = [left, right].map((item): HostValue | undefined => {
    try {
      return castScalar(item.value, item.type, type);
    } catch (error) {
      if (error instanceof QueryError) {
        return undefined;
      }
      throw error;
    }
  });
  const [a, b] = values;
  return a === undefined || b === undefined ? undefined : compareNested(type, a, b);
}
