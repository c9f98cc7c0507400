/**
 * Resolves functions and operators from the function registry and coerces their arguments. Error messages are Presto's.
 */
import { isAggregate, resolveAggregate, resolveScalar, resolveWindow } from "../../../functions/registry/registry.ts";
import { canCoerce, commonSuperType } from "../../../functions/registry/coercion.ts";
import { assert } from "../../../protocol/errors.ts";
import { displayType, sameType, type Type } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { operatorSigns } from "../../../sql/operator-signs.ts";
import { call, cast, castOfConstant, constant, isConstant } from "../../plan/expression-tree.ts";
import { semanticError, type Placed } from "../errors.ts";

/** Of comparisons as they are written. */
export const comparisonOperators = Object.freeze({
  "=": "$eq",
  "<>": "$ne",
  "<": "$lt",
  "<=": "$le",
  ">": "$gt",
  ">=": "$ge",
  "IS DISTINCT FROM": "$distinct",
});

/** Applies an implicit coercion. An untyped NULL becomes a NULL of `type`. */
export function coerce(expression: RowExpression, type: Type): RowExpression {
  if (sameType(expression.type, type)) {
    return expression;
  }
  if (expression.kind === "lambda" && type.kind === "function") {
    return { ...expression, type, body: coerce(expression.body, type.result) };
  }
  return isConstant(expression, null) ? constant(type, null) : cast(expression, type);
}

function coerceArguments(args: readonly RowExpression[], types: readonly Type[]): readonly RowExpression[] {
  return args.map((arg, index) => {
    const type = types[index];
    assert(type !== undefined, "a resolved function names the type of each argument");
    return coerce(arg, type);
  });
}

/** `message` replaces "Cannot apply operator: ..." if the operator does not exist. */
export function callOperator(name: string, args: readonly RowExpression[], at: Placed, message?: string): RowExpression {
  const resolved = resolveScalar(
    name,
    args.map((arg) => arg.type),
  );
  if ("error" in resolved) {
    throw semanticError("TYPE_MISMATCH", at, message ?? operatorMessage(name, args));
  }
  return call(resolved.name, resolved.returnType, coerceArguments(args, resolved.argTypes));
}

function operatorMessage(name: string, args: readonly RowExpression[]): string {
  const [left = "", right = ""] = args.map((arg) => displayType(arg.type));
  if (name === "$negate") {
    return `Cannot negate ${left}`;
  }
  if (name === "$distinct") {
    return `Cannot check if ${left} is distinct from ${right}`;
  }
  return `Cannot apply operator: ${left} ${operatorSigns[name] ?? name} ${right}`;
}

export function callFunction(name: string, args: readonly RowExpression[], at: Placed): RowExpression {
  const resolved = resolveScalar(
    name,
    args.map((arg) => arg.type),
  );
  if ("error" in resolved) {
    throw functionError(name, args, resolved, at);
  }
  return call(resolved.name, resolved.returnType, coerceArguments(args, resolved.argTypes));
}

export interface ChosenAggregate {
  readonly name: string;
  readonly args: readonly RowExpression[];
  readonly argumentTypes: readonly Type[];
  readonly returnType: Type;
}

export function chooseAggregate(name: string, args: readonly RowExpression[], at: Placed): ChosenAggregate {
  const resolved = resolveAggregate(
    name,
    args.map((arg) => arg.type),
  );
  if ("error" in resolved) {
    throw functionError(name, args, resolved, at);
  }
  return {
    name: resolved.name,
    args: coerceArguments(args, resolved.argTypes),
    argumentTypes: resolved.argTypes,
    returnType: resolved.returnType,
  };
}

export type ChosenFunction = ChosenAggregate;

/** Resolves an aggregate or a window function. */
export function chooseWindowFunction(name: string, args: readonly RowExpression[], at: Placed): ChosenFunction {
  if (isAggregate(name)) {
    return chooseAggregate(name, args, at);
  }
  const resolved = resolveWindow(
    name,
    args.map((arg) => arg.type),
  );
  if ("error" in resolved) {
    throw functionError(name, args, resolved, at);
  }
  return {
    name: resolved.name,
    args: coerceArguments(args, resolved.argTypes),
    argumentTypes: resolved.argTypes,
    returnType: resolved.returnType,
  };
}

function functionError(name: string, args: readonly RowExpression[], failure: { error: string; message?: string }, at: Placed): Error {
  const types = args.map((arg) => displayType(arg.type)).join(", ");
  switch (failure.error) {
    case "AMBIGUOUS":
      return semanticError("AMBIGUOUS_FUNCTION_CALL", at, failure.message ?? `Could not choose a best candidate for ${name}(${types})`);
    case "MISMATCH":
      return semanticError("FUNCTION_NOT_FOUND", at, failure.message ?? `Unexpected parameters (${types}) for function ${name}`);
    default:
      return semanticError("FUNCTION_NOT_FOUND", at, `Function '${name}' not registered`);
  }
}

/**
 * Coerces all expressions to their common type. `mismatch` builds the error for the first expression, at `index`, that has no common type
 * with the earlier ones.
 */
export function coerceToCommon(
  expressions: readonly RowExpression[],
  mismatch: (common: Type, index: number) => Error,
): readonly RowExpression[] {
  let common: Type | undefined;
  for (const [index, expression] of expressions.entries()) {
    const next = common === undefined ? expression.type : commonSuperType(common, expression.type);
    if (next === undefined) {
      throw mismatch(common ?? expression.type, index);
    }
    common = next;
  }
  return common === undefined ? expressions : expressions.map((expression) => coerceItem(expression, common));
}

/** A list may have a hundred thousand literals: the optimizer need not fold a cast of each. */
function coerceItem(expression: RowExpression, type: Type): RowExpression {
  if (sameType(expression.type, type)) {
    return expression;
  }
  return (expression.kind === "constant" ? castOfConstant(expression, type) : undefined) ?? coerce(expression, type);
}

/** Coerces the items of a list to their common type. `what` is the beginning of Trino's error message: "All CASE results". */
export function coerceItems(expressions: readonly RowExpression[], places: readonly Placed[], what: string): readonly RowExpression[] {
  return coerceToCommon(expressions, (common, index) => {
    const types = expressions.map(({ type }) => displayType(type));
    const pair = `Cannot find common type between ${displayType(common)} and ${types[index]}`;
    const all = `all types (without duplicates): [${[...new Set(types)].join(", ")}]`;
    const message = `${what} must be the same type or coercible to a common type. ${pair}, ${all}`;
    return semanticError("TYPE_MISMATCH", places[index] as Placed, message);
  });
}

/** Coerces to a required type; reports Presto's `<what> must evaluate to a T (actual: U)`. */
export function coerceTo(expression: RowExpression, type: Type, what: string, at: Placed): RowExpression {
  if (!canCoerce(expression.type, type)) {
    throw semanticError("TYPE_MISMATCH", at, `${what} must evaluate to a ${displayType(type)} (actual: ${displayType(expression.type)})`);
  }
  return coerce(expression, type);
}
