/**
 * Reference semantics of a core of expressions in plain TypeScript, row by row, independent of kernels and the function registry. Values
 * have the form of host functions' values; errors are thrown as text.
 */
import type { HostValue } from "../../../../src/functions/registry/definition.ts";
import type { RowExpression } from "../../../../src/planner/plan/typed-expression.ts";
import type { Type } from "../../../../src/types/type.ts";
import { hostValueOfConstant } from "../../../../src/execution/expressions/constants.ts";

export class RowError extends Error {}

type Row = Readonly<Record<string, HostValue>>;

const bits: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, integer: 32, bigint: 64 };
const words: Readonly<Record<string, string>> = {
  $add: "addition",
  $subtract: "subtraction",
  $multiply: "multiplication",
  $divide: "division",
};
const signs: Readonly<Record<string, string>> = { $add: "+", $subtract: "-", $multiply: "*", $divide: "/" };

export function evaluateNaively(expression: RowExpression, row: Row): HostValue {
  const value = (inner: RowExpression) => evaluateNaively(inner, row);
  switch (expression.kind) {
    case "variable":
      return row[expression.name] as HostValue;
    case "constant":
      return hostValueOfConstant(expression);
    case "cast":
      return castNaively(value(expression.arg), expression.arg.type, expression.type);
    case "call": {
      const args = expression.args.map(value);
      if (expression.name === "$distinct") {
        const [a, b] = args;
        return a === null || b === null ? a !== b : compare(a as HostValue, b as HostValue, true) !== 0;
      }
      return args.includes(null) ? null : callNaively(expression.name, args, expression.args[0]?.type as Type, expression.type);
    }
    case "special":
      return specialNaively(expression.form, expression.args, value);
    case "lambda":
      throw new Error("a lambda is no value");
  }
}

function specialNaively(form: string, args: readonly RowExpression[], value: (expression: RowExpression) => HostValue): HostValue {
  const arg = (index: number) => value(args[index] as RowExpression);
  switch (form) {
    case "AND":
    case "OR": {
      let sawNull = false;
      for (const item of args) {
        const found = value(item);
        if (found === (form === "OR")) {
          return found;
        }
        sawNull ||= found === null;
      }
      return sawNull ? null : form === "AND";
    }
    case "IF":
      return arg(0) === true ? arg(1) : arg(2);
    case "SWITCH":
      for (let index = 0; index + 1 < args.length; index += 2) {
        if (arg(index) === true) {
          return arg(index + 1);
        }
      }
      return arg(args.length - 1);
    case "COALESCE":
      for (const item of args) {
        const found = value(item);
        if (found !== null) {
          return found;
        }
      }
      return null;
    case "IS_NULL":
      return arg(0) === null;
    case "TRY":
      try {
        return arg(0);
      } catch (error) {
        if (error instanceof RowError) {
          return null;
        }
        throw error;
      }
    default:
      throw new Error(form);
  }
}

function compare(a: HostValue, b: HostValue, isDistinct = false): number {
  if (typeof a === "string" && typeof b === "string") {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  if (isDistinct && Number.isNaN(a) && Number.isNaN(b)) {
    return 0;
  }
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : a === b ? 0 : Number.NaN;
}

function callNaively(name: string, args: readonly HostValue[], argType: Type, type: Type): HostValue {
  const [a, b] = args as readonly [HostValue, HostValue];
  switch (name) {
    case "$not":
      return !a;
    case "$eq":
      return compare(a, b) === 0;
    case "$ne":
      return compare(a, b) !== 0;
    case "$lt":
      return compare(a, b) < 0;
    case "$le":
      return compare(a, b) <= 0;
    case "$gt":
      return compare(a, b) > 0;
    case "$ge":
      return compare(a, b) >= 0;
    default:
      return argType.kind === "decimal" ? decimalNaively(name, a as bigint, b as bigint) : arithmetic(name, a, b, type);
  }
}

function arithmetic(name: string, a: HostValue, b: HostValue, type: Type): HostValue {
  if (type.kind === "double") {
    const [x, y] = [a as number, b as number];
    return { $add: x + y, $subtract: x - y, $multiply: x * y, $divide: x / y, $modulus: x % y }[name] as number;
  }
  const [x, y] = [BigInt(a as bigint), BigInt(b as bigint)];
  if ((name === "$divide" || name === "$modulus") && y === 0n) {
    throw new RowError("DIVISION_BY_ZERO: Division by zero");
  }
  const exact = name === "$add" ? x + y : name === "$subtract" ? x - y : name === "$multiply" ? x * y : name === "$divide" ? x / y : x % y;
  if (BigInt.asIntN(bits[type.kind] as number, exact) !== exact) {
    throw new RowError(`NUMERIC_VALUE_OUT_OF_RANGE: ${type.kind} ${words[name]} overflow: ${x} ${signs[name]} ${y}`);
  }
  return type.kind === "bigint" ? exact : Number(exact);
}

/** Operands of equal scale. */
function decimalNaively(name: string, a: bigint, b: bigint): bigint {
  const exact = name === "$add" ? a + b : name === "$subtract" ? a - b : a * b;
  const bound = 10n ** 38n;
  if (exact >= bound || exact <= -bound) {
    throw new RowError("NUMERIC_VALUE_OUT_OF_RANGE: Decimal overflow");
  }
  return exact;
}

function castNaively(value: HostValue, from: Type, to: Type): HostValue {
  if (value === null || from.kind === to.kind) {
    return value;
  }
  if (to.kind === "double") {
    return Number(value);
  }
  if (to.kind === "bigint") {
    return BigInt(value as number);
  }
  if (to.kind === "integer" && from.kind === "bigint") {
    if (BigInt.asIntN(32, value as bigint) !== value) {
      throw new RowError(`NUMERIC_VALUE_OUT_OF_RANGE: Out of range for integer: ${value}`);
    }
    return Number(value);
  }
  throw new Error(`${from.kind} to ${to.kind}`);
}
