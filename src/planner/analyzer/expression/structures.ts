/**
 * Analyzes arrays, rows and lambdas: constructors, subscripts, field access, and calls of functions with lambda arguments.
 */
import { lambdaCandidates, scalarMismatch } from "../../../functions/registry/registry.ts";
import { commonSuperType } from "../../../functions/registry/coercion.ts";
import { arrayArgumentsMax, arrayName, fieldName, rowFieldsMax, rowName, subscriptName } from "../../../functions/operator/structures.ts";
import { assert } from "../../../protocol/errors.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import type { ArrayConstructor, Dereference, Identifier, Lambda, Row, Subscript } from "../../../sql/ast/ast.ts";
import {
  arrayType,
  type ArrayType,
  displayType,
  functionType,
  type FunctionType,
  isCharacter,
  sameType,
  type RowType,
  type Type,
  UNKNOWN,
  VARCHAR,
} from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { call, cast } from "../../plan/expression-tree.ts";
import type { Environment } from "../analysis.ts";
import { notSupported, type Placed, semanticError } from "../errors.ts";
import { analyzeExpression } from "./analyze-expression.ts";
import { callFunction, coerce, coerceItems } from "./functions.ts";
import type { Field, Scope } from "../scope/scope.ts";

/** Maximum number of elements of an array constructor. Presto's limit is 254. */
const arrayElementsMax = 100_000;

export function analyzeArray(node: ArrayConstructor, env: Environment): RowExpression {
  if (node.items.length > arrayElementsMax) {
    throw semanticError("TOO_MANY_ARGUMENTS", node, "Too many arguments for array constructor");
  }
  const items = node.items.map((item) => analyzeExpression(item, env));
  return makeArray(coerceItems(items, node.items, "All ARRAY elements"), node);
}

/** The number of arguments of a call is limited, so a longer array is concatenated from parts. */
export function makeArray(items: readonly RowExpression[], at: Placed): RowExpression {
  if (items.length <= arrayArgumentsMax) {
    return callFunction(arrayName, items, at);
  }
  const size = arrayArgumentsMax ** Math.max(1, Math.ceil(Math.log(items.length) / Math.log(arrayArgumentsMax)) - 1);
  const parts: RowExpression[] = [];
  for (let start = 0; start < items.length; start += size) {
    parts.push(makeArray(items.slice(start, start + size), at));
  }
  return callFunction("concat", parts, at);
}

export function analyzeRow(node: Row, env: Environment): RowExpression {
  if (node.items.length > rowFieldsMax) {
    throw notSupported(node, `Rows of more than ${rowFieldsMax} fields are not supported`);
  }
  return callFunction(
    rowName,
    node.items.map((item) => analyzeExpression(item, env)),
    node,
  );
}

export function analyzeSubscript(node: Subscript, env: Environment): RowExpression {
  const base = analyzeExpression(node.base, env);
  if (base.type.kind === "row") {
    return fieldByPosition(base, base.type, node);
  }
  const index = analyzeExpression(node.index, env);
  if (base.type.kind !== "array" && base.type.kind !== "map") {
    throw noSubscript(base.type, index.type, node);
  }
  if (base.type.kind === "map" && commonSuperType(base.type.key, index.type) === undefined) {
    throw noSubscript(base.type, index.type, node);
  }
  if (base.type.kind === "array" && !isIndex(index.type)) {
    throw noSubscript(base.type, index.type, node);
  }
  return callFunction(subscriptName, [base, index], node);
}

function isIndex(type: Type): boolean {
  return ["tinyint", "smallint", "integer", "bigint", "unknown"].includes(type.kind);
}

function noSubscript(base: Type, index: Type, at: Placed): Error {
  return semanticError("TYPE_MISMATCH", at, `Cannot use ${displayType(index)} for subscript of ${displayType(base)}`);
}

function fieldByPosition(base: RowExpression, type: RowType, { index }: Subscript): RowExpression {
  if (index.kind !== "LongLiteral") {
    throw semanticError("EXPRESSION_NOT_CONSTANT", index, "Subscript expression on ROW requires a constant index");
  }
  if (BigInt(index.value) > 2_147_483_647n) {
    throw semanticError("TYPE_MISMATCH", index, "Subscript expression on ROW requires integer index, found bigint");
  }
  const position = Number(index.value);
  if (position < 1) {
    throw semanticError("INVALID_FUNCTION_ARGUMENT", index, `Invalid subscript index: ${position}. ROW indices start at 1`);
  }
  if (position > type.fields.length) {
    throw semanticError(
      "INVALID_FUNCTION_ARGUMENT",
      index,
      `Subscript index out of bounds: ${position}, max value is ${type.fields.length}`,
    );
  }
  return fieldAt(base, position - 1);
}

/** Returns a field of a row; `index` is 0-based and must exist. */
export function fieldAt(base: RowExpression, index: number): RowExpression {
  const field = base.type.kind === "row" ? base.type.fields[index] : undefined;
  assert(field !== undefined, `${displayType(base.type)} has a field ${index}`);
  return call(fieldName(index), field.type, [base]);
}

/** Resolves `base.field` of a row; `text` is the base expression as written, for messages. */
export function fieldByName(base: RowExpression, field: Identifier, at: Placed, text: string): RowExpression {
  if (base.type.kind !== "row") {
    throw semanticError("TYPE_MISMATCH", at, `Expression ${text} is not of type ROW`);
  }
  const wanted = field.value.toLowerCase();
  const matches = base.type.fields.flatMap(({ name }, index) => (name?.toLowerCase() === wanted ? [index] : []));
  const [index] = matches;
  if (matches.length > 1) {
    throw semanticError("AMBIGUOUS_NAME", field, `Ambiguous row field reference: ${field.value}`);
  }
  if (index === undefined) {
    throw semanticError("COLUMN_NOT_FOUND", at, `Column '${text}.${field.value}' cannot be resolved`);
  }
  return fieldAt(base, index);
}

export function analyzeDereference(node: Dereference, env: Environment): RowExpression {
  return fieldByName(analyzeExpression(node.base, env), node.field, node, printExpression(node.base));
}

/**
 * Coerces the arguments of `||` and concat of arrays. One of two arguments may be an element instead of an array. NULL is an array if all
 * other arguments are. If several interpretations give different results, the query must add a cast, as in Presto.
 */
export function concatArguments(args: readonly RowExpression[], at: Placed): readonly RowExpression[] {
  const types = args.map(({ type }) => type);
  const [left, right] = types;
  if (!types.some(({ kind }) => kind === "array") || left === undefined || right === undefined) {
    return args;
  }
  const readings = types.length === 2 ? readingsOf(left, right) : allArrays(types);
  const exact = readings.filter((reading) => reading.types.every((type, index) => sameType(type, types[index] as Type)));
  const [chosen, ...others] = exact.length > 0 ? exact : readings;
  if (chosen === undefined) {
    return args;
  }
  if (others.length > 0 && !(chosen.element === undefined && depthOf(left) === depthOf(right))) {
    throw ambiguousConcat([chosen, ...others], at);
  }
  return args.map((arg, index) => {
    const value = coerce(arg, chosen.types[index] as Type);
    return index === chosen.element ? call(arrayName, chosen.result, [value]) : value;
  });
}

interface ConcatReading {
  /** Types of the coerced arguments. */
  readonly types: readonly Type[];
  readonly result: ArrayType;
  /** Index of the argument that is an element, if any. */
  readonly element?: 0 | 1;
}

/** With more than two arguments, all of them must be arrays. */
function allArrays(types: readonly Type[]): readonly ConcatReading[] {
  const common = types.reduce<Type | undefined>((a, b) => (a === undefined ? a : commonSuperType(a, b)), UNKNOWN);
  return common?.kind === "array" ? [{ types: types.map(() => common), result: common }] : [];
}

/** The interpretations are: two arrays, an array and an element, an element and an array. */
function readingsOf(left: Type, right: Type): readonly ConcatReading[] {
  const both = commonSuperType(left, right);
  const appended = left.kind === "array" ? commonSuperType(left.element, right) : undefined;
  const prepended = right.kind === "array" ? commonSuperType(left, right.element) : undefined;
  return [
    ...(both?.kind === "array" ? [{ types: [both, both], result: both }] : []),
    ...(appended === undefined ? [] : [{ types: [arrayType(appended), appended], result: arrayType(appended), element: 1 as const }]),
    ...(prepended === undefined ? [] : [{ types: [prepended, arrayType(prepended)], result: arrayType(prepended), element: 0 as const }]),
    ...readNull(left, right),
  ];
}

/** Beside an untyped NULL, an array may also be an element of a NULL array of arrays. */
function readNull(left: Type, right: Type): readonly ConcatReading[] {
  if (left.kind === "array" && right.kind === "unknown") {
    return [{ types: [left, arrayType(left)], result: arrayType(left), element: 0 }];
  }
  if (left.kind === "unknown" && right.kind === "array") {
    return [{ types: [arrayType(right), right], result: arrayType(right), element: 1 }];
  }
  return [];
}

function depthOf(type: Type): number {
  return type.kind === "array" ? 1 + depthOf(type.element) : 0;
}

function ambiguousConcat(readings: readonly ConcatReading[], at: Placed): Error {
  const candidates = readings.map(({ types, result }) => `\t * concat(${types.map(displayType).join(", ")}):${displayType(result)}\n`);
  const message = "Could not choose a best candidate operator. Explicit type casts must be added.\nCandidates are:\n";
  return semanticError("AMBIGUOUS_FUNCTION_CALL", at, `${message}${candidates.join("")}`);
}

/** array_join accepts elements that can be cast to varchar; they are cast here. */
export function joinArguments([list, ...rest]: readonly RowExpression[]): readonly RowExpression[] {
  if (list === undefined) {
    return [];
  }
  const isOther = list.type.kind === "array" && !isCharacter(list.type.element) && list.type.element.kind !== "unknown";
  const isText = list.type.kind !== "array" || ["array", "map", "row", "varbinary"].includes(list.type.element.kind);
  return [isOther && !isText ? cast(list, arrayType(VARCHAR)) : list, ...rest];
}

const roundsMax = 4;

/**
 * Resolves a call with lambdas. The other arguments determine the types of lambda parameters. The result of a lambda may widen a type that
 * is still open, as in `reduce` with initial value 0 over bigints.
 */
export function callWithLambdas(name: string, given: readonly (RowExpression | Lambda)[], env: Environment, at: Placed): RowExpression {
  let args: (RowExpression | undefined)[] = given.map((argument) => (argument.kind === "Lambda" ? undefined : argument));
  for (let round = 0; ; round++) {
    const filled = [...args];
    for (const [index, argument] of given.entries()) {
      if (argument.kind === "Lambda") {
        filled[index] = analyzeFitting(name, argument, { args, filled, index }, env, at);
      }
    }
    const complete = filled as readonly RowExpression[];
    const wider = (name === "reduce" || name === "$reduce_agg") && round < roundsMax ? widerState(complete) : undefined;
    if (wider === undefined) {
      return callFunction(name, complete, at);
    }
    args = args.map((arg, index) => (index === 1 && arg !== undefined ? coerce(arg, wider) : arg));
  }
}

function widerState(args: readonly RowExpression[]): Type | undefined {
  const [, initial, step] = args;
  if (initial === undefined || step?.type.kind !== "function") {
    return undefined;
  }
  const common = commonSuperType(initial.type, step.type.result);
  return common === undefined || displayType(common) === displayType(initial.type) ? undefined : common;
}

interface Known {
  /** Arguments that are not lambdas; undefined at the positions of lambdas. */
  readonly args: readonly (RowExpression | undefined)[];
  /** The arguments including the lambdas before this one, which determine further types. */
  readonly filled: readonly (RowExpression | undefined)[];
  readonly index: number;
}

function analyzeFitting(name: string, lambda: Lambda, known: Known, env: Environment, at: Placed): RowExpression {
  const types = known.filled.map((arg) => arg?.type);
  const candidates = lambdaCandidates(name, types, known.index);
  const parameters = candidates.find(({ length }) => length === lambda.parameters.length);
  const [wanted] = candidates;
  if (parameters === undefined && wanted !== undefined) {
    const counts = `Expected a lambda that takes ${wanted.length} argument(s) but got ${lambda.parameters.length}`;
    throw semanticError("INVALID_PARAMETER_USAGE", lambda, counts);
  }
  if (parameters === undefined) {
    const given = types.map((type) => (type === undefined ? "<function>" : displayType(type)));
    throw semanticError("FUNCTION_NOT_FOUND", at, scalarMismatch(name, given));
  }
  return analyzeLambda(lambda, parameters, env);
}

/** The body resolves names first as parameters, then in the scope around the lambda. */
function analyzeLambda(lambda: Lambda, types: readonly Type[], env: Environment): RowExpression {
  const { aggregates: _aggregates, windows: _windows, groupings: _groupings, subqueries: _subqueries, ...rest } = env;
  const parameters = lambda.parameters.map((parameter, index) => env.analysis.ids.variable(parameter.value, types[index] as Type));
  const fields = lambda.parameters.map(
    (parameter, index): Field => ({ name: parameter.value, expression: parameters[index] as RowExpression, hidden: false }),
  );
  const scope: Scope = { fields, parent: env.scope, queryBoundary: false };
  const body = analyzeExpression(lambda.body, { ...rest, scope, clause: "Lambda expression" });
  const type: FunctionType = functionType(types, body.type);
  return { kind: "lambda", type, parameters, body };
}
