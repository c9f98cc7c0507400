/**
 * Operators: which types they take after coercion, what they give, and their kernel code by operand type.
 */
import { QueryError } from "../../protocol/errors.ts";
import {
  BIGINT,
  BOOLEAN,
  decimalPrecisionMax,
  decimalType,
  displayType,
  DOUBLE,
  INTERVAL_DAY_TO_SECOND,
  isComparable,
  isInterval,
  isNested,
  isNumeric,
  isOrderable,
  type Type,
} from "../../types/type.ts";
import { arithmeticImplementation, negateEmitter } from "./arithmetic.ts";
import { commonSuperType, decimalOf } from "../registry/coercion.ts";
import { comparisonEmitter, distinctEmitter, nestedEqualityEmitter, nestedOrderEmitter, notEmitter } from "./comparisons.ts";
import type { ScalarDefinition } from "../registry/definition.ts";
import type { ArithmeticName, ComparisonName, OperatorName } from "./operator-names.ts";
import type { ResolutionFailure, ResolvedScalar } from "../registry/resolution.ts";
import { temporalEmitter } from "./temporal-operators.ts";
import { onMicros, shortMoment } from "../scalar/datetime/long-timestamps.ts";
import { zonedArithmetic } from "./zoned-operators.ts";

const signs: Readonly<Record<OperatorName, string>> = Object.freeze({
  $add: "+",
  $subtract: "-",
  $multiply: "*",
  $divide: "/",
  $modulus: "%",
  $negate: "-",
  $not: "NOT",
  $eq: "=",
  $ne: "<>",
  $lt: "<",
  $le: "<=",
  $gt: ">",
  $ge: ">=",
  $distinct: "IS DISTINCT FROM",
});

interface Found {
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
  readonly definition: Pick<ScalarDefinition, "emit" | "givesNull" | "host" | "math" | "nulls" | "total">;
}

export function resolveOperator(name: OperatorName, argTypes: readonly Type[]): ResolvedScalar | ResolutionFailure {
  const found = find(name, argTypes);
  if (found === undefined) {
    return { error: "MISMATCH", message: mismatch(name, argTypes) };
  }
  return { name, deterministic: true, ...found };
}

function mismatch(name: OperatorName, types: readonly Type[]): string {
  const [left, right] = types.map(displayType);
  switch (name) {
    case "$negate":
      return `Cannot negate ${left}`;
    case "$not":
      return `Value of logical NOT expression must evaluate to a boolean (actual: ${left})`;
    case "$distinct":
      return `Cannot check if ${left} is distinct from ${right}`;
    default:
      return `Cannot apply operator: ${left} ${signs[name]} ${right}`;
  }
}

function find(name: OperatorName, types: readonly Type[]): Found | undefined {
  const [left, right] = types;
  if (left === undefined) {
    return undefined;
  }
  switch (name) {
    case "$not":
      return left.kind === "boolean" || left.kind === "unknown"
        ? { argTypes: [BOOLEAN], returnType: BOOLEAN, definition: { emit: notEmitter, total: true } }
        : undefined;
    case "$negate":
      return findNegate(left);
    case "$add":
    case "$subtract":
    case "$multiply":
    case "$divide":
    case "$modulus":
      return right === undefined ? undefined : (findNumeric(name, left, right) ?? findTemporal(name, left, right));
    case "$eq":
    case "$ne":
    case "$lt":
    case "$le":
    case "$gt":
    case "$ge":
    case "$distinct":
      return right === undefined ? undefined : findComparison(name, left, right);
  }
}

function findNegate(type: Type): Found | undefined {
  const operand = type.kind === "unknown" ? BIGINT : type;
  if (!isNumeric(operand) && operand.kind !== "interval day to second" && operand.kind !== "interval year to month") {
    return undefined;
  }
  return {
    argTypes: [operand],
    returnType: operand,
    definition: { emit: negateEmitter(operand), ...(isTotalArithmetic(operand) ? { total: true } : {}) },
  };
}

function isTotalArithmetic(type: Type): boolean {
  return type.kind === "real" || type.kind === "double" || (type.kind === "decimal" && type.precision <= 18);
}

/** Coerces both operands for arithmetic: to equal types, or to two decimals that keep their own precision and scale. */
function findNumeric(name: ArithmeticName, left: Type, right: Type): Found | undefined {
  const known = left.kind === "unknown" ? right : left;
  const [a, b] = [left.kind === "unknown" ? numericOrBigint(known) : left, right.kind === "unknown" ? numericOrBigint(known) : right];
  if (!isNumeric(a) || !isNumeric(b)) {
    return undefined;
  }
  const common = commonSuperType(a, b) as Type;
  if (common.kind !== "decimal") {
    const implementation = arithmeticImplementation(name, [common, common], common);
    return {
      argTypes: [common, common],
      returnType: common,
      definition: { ...implementation, ...(isTotalArithmetic(common) ? { total: true } : {}) },
    };
  }
  const [p, q] = [decimalOf(a), decimalOf(b)];
  const returnType = decimalResult(name, p, q);
  const implementation = arithmeticImplementation(name, [p, q], returnType);
  const total = returnType.precision <= 18 && p.precision <= 18 && q.precision <= 18 && name !== "$divide" && name !== "$modulus";
  return { argTypes: [p, q], returnType, definition: { ...implementation, ...(total ? { total: true } : {}) } };
}

function numericOrBigint(type: Type): Type {
  return isNumeric(type) ? type : type.kind === "unknown" ? BIGINT : type;
}

type Decimal = Type & { readonly kind: "decimal" };

/** Precision and scale of the result follow section 10.3 of the reference. */
function decimalResult(name: ArithmeticName, a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const bounded = (precision: number, resultScale: number): Decimal =>
    decimalType(Math.min(decimalPrecisionMax, Math.max(1, precision)), resultScale) as Decimal;
  switch (name) {
    case "$add":
    case "$subtract":
      return bounded(Math.max(a.precision - a.scale, b.precision - b.scale) + scale + 1, scale);
    case "$multiply":
      if (a.scale + b.scale > decimalPrecisionMax) {
        const message = `DECIMAL scale must be in range [0, precision (${decimalPrecisionMax})]: ${a.scale + b.scale}`;
        throw new QueryError("INVALID_FUNCTION_ARGUMENT", message);
      }
      return bounded(a.precision + b.precision, a.scale + b.scale);
    case "$divide":
      return bounded(a.precision + b.scale + Math.max(b.scale - a.scale, 0), scale);
    case "$modulus":
      return bounded(Math.min(a.precision - a.scale, b.precision - b.scale) + scale, scale);
  }
}

function findTemporal(name: ArithmeticName, left: Type, right: Type): Found | undefined {
  const argTypes = temporalArguments(name, left, right);
  if (argTypes === undefined) {
    return undefined;
  }
  const [a, b] = argTypes;
  const returnType = temporalResult(name, a, b);
  const isZoned = [a, b].some((type) => type.kind.startsWith("time") && type.kind !== "timestamp");
  const [p, q] = [shortMoment(a), shortMoment(b)];
  const definition = isZoned ? { host: zonedArithmetic(name, p, q) } : { emit: temporalEmitter(name, p, q) };
  if (isZoned && returnType.kind === "interval day to second") {
    return { argTypes, returnType, definition };
  }
  return { argTypes, returnType, definition: onMicros(definition, { argTypes, returnType, keepsPicos: true }) };
}

function temporalArguments(name: ArithmeticName, left: Type, right: Type): readonly [Type, Type] | undefined {
  const isMoment = (type: Type) => type.kind === "date" || type.kind === "timestamp" || type.kind === "timestamp with time zone";
  const isTime = (type: Type) => type.kind === "time" || type.kind === "time with time zone";
  if (name === "$add" || name === "$subtract") {
    if (isMoment(left) && isInterval(right)) {
      return [left, right];
    }
    if (name === "$add" && isInterval(left) && isMoment(right)) {
      return [left, right];
    }
    if (isInterval(left) && left.kind === right.kind) {
      return [left, right];
    }
    if (isTime(left) && right.kind === "interval day to second") {
      return [left, right];
    }
    if (name === "$add" && left.kind === "interval day to second" && isTime(right)) {
      return [left, right];
    }
    if (name === "$subtract" && ((isMoment(left) && isMoment(right)) || (isTime(left) && isTime(right)))) {
      const common = commonSuperType(left, right) as Type;
      return [common, common];
    }
    return undefined;
  }
  if (name === "$multiply" || name === "$divide") {
    if (isInterval(left) && isNumeric(right)) {
      return [left, right.kind === "real" || right.kind === "double" || right.kind === "decimal" ? DOUBLE : BIGINT];
    }
    if (name === "$multiply" && isNumeric(left) && isInterval(right)) {
      return [left.kind === "real" || left.kind === "double" || left.kind === "decimal" ? DOUBLE : BIGINT, right];
    }
  }
  return undefined;
}

/** Fraction digits of the seconds of an interval. */
const intervalPrecision = 3;

function temporalResult(name: ArithmeticName, left: Type, right: Type): Type {
  if (isInterval(left) && isInterval(right)) {
    return left;
  }
  if (name === "$multiply" || name === "$divide") {
    return isInterval(left) ? left : right;
  }
  if (!isInterval(left) && !isInterval(right)) {
    return INTERVAL_DAY_TO_SECOND;
  }
  const [moment, interval] = isInterval(left) ? [right, left] : [left, right];
  if (moment.kind === "date" || interval.kind === "interval year to month" || !("precision" in moment)) {
    return moment;
  }
  // Intervals have milliseconds, so the sum has at least three fraction digits.
  return { ...moment, precision: Math.max(intervalPrecision, moment.precision) };
}

function findComparison(name: ComparisonName | "$distinct", left: Type, right: Type): Found | undefined {
  const common = commonSuperType(left, right);
  if (common === undefined) {
    return undefined;
  }
  const operand = common.kind === "unknown" ? BOOLEAN : common;
  if (!isComparable(operand)) {
    return undefined;
  }
  if (
    (operand.kind === "json" || operand.kind === "color" || operand.kind === "BingTile") &&
    name !== "$eq" &&
    name !== "$ne" &&
    name !== "$distinct"
  ) {
    return undefined;
  }
  // Comparison ignores the lengths of varchar and char, so such operands need no cast.
  const same = left.kind === right.kind && (left.kind === "varchar" || left.kind === "char");
  const argTypes = same ? [left, right] : [operand, operand];
  if (name === "$distinct") {
    return { argTypes, returnType: BOOLEAN, definition: { emit: distinctEmitter, nulls: "seen" } };
  }
  if (isNested(operand)) {
    return findNestedComparison(name, operand);
  }
  const total = operand.kind !== "varchar" && operand.kind !== "char" && operand.kind !== "varbinary";
  return { argTypes, returnType: BOOLEAN, definition: { emit: comparisonEmitter(name), ...(total ? { total: true } : {}) } };
}

/** Maps support equality but no order. */
function findNestedComparison(name: ComparisonName, operand: Type): Found | undefined {
  const argTypes = [operand, operand];
  if (name === "$eq" || name === "$ne") {
    return { argTypes, returnType: BOOLEAN, definition: { emit: nestedEqualityEmitter(name), givesNull: true } };
  }
  return isOrderable(operand) ? { argTypes, returnType: BOOLEAN, definition: { emit: nestedOrderEmitter(name) } } : undefined;
}
