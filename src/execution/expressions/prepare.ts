/**
 * What happens to expressions before code is made of them: constants are numbered so that kernels can be cached by shape, lambdas are
 * prepared apart, functions and casts are looked up.
 */
import { castImplementation, castName } from "../../functions/cast/casts.ts";
import { resolveScalar } from "../../functions/registry/registry.ts";
import type { ScalarDefinition } from "../../functions/registry/definition.ts";
import { writeHostValue } from "../../functions/runtime/host.ts";
import { randomBitsName } from "../../functions/scalar/math/random-functions.ts";
import type { Address, MemoryContext } from "../../memory/memory.ts";
import type { Call, Cast, Constant, Lambda, RowExpression, Variable } from "../../planner/plan/typed-expression.ts";
import { childrenOf, variablesOf } from "../../planner/plan/expression-tree.ts";
import { QueryError } from "../../protocol/errors.ts";
import { BOOLEAN, displayType, physicalType } from "../../types/type.ts";
import { describeCall } from "../../functions/registry/registry.ts";
import { hostValueOfConstant } from "./constants.ts";
import { lowerExpression } from "./lower.ts";
import { type ConstantList, splitList } from "./lists.ts";

export type Implementation = Pick<
  ScalarDefinition,
  | "emit"
  | "givesNull"
  | "host"
  | "makeHost"
  | "makeSteps"
  | "makeWithLambdas"
  | "math"
  | "nulls"
  | "steps"
  | "suspends"
  | "total"
  | "withLambdas"
>;

/** The implementation of a call or cast, and the name of its host function, if it has one. */
export interface FoundImplementation {
  readonly implementation: Implementation;
  readonly hostName: string;
}

export interface PreparedExpressions {
  /** In lowered form (lower.ts), not in the form of plans. */
  readonly expressions: readonly RowExpression[];
  /** Each distinct constant once, without NULLs. */
  readonly constants: readonly Constant[];
  /** Equal for expressions that the same code computes, for inputs of one layout. */
  readonly key: string;
  /** The text that identifies each expression object within these expressions. Constants of searched lists have none. */
  readonly keys: ReadonlyMap<RowExpression, string>;
  /** Constants of long IN lists, by their expression. */
  readonly lists: ReadonlyMap<RowExpression, ConstantList>;
  readonly lambdas: ReadonlyMap<RowExpression, PreparedLambda>;
}

export interface PreparedLambda {
  readonly code: PreparedExpressions;
  readonly parameters: readonly Variable[];
  /** Columns of the row that the body reads. */
  readonly captures: readonly Variable[];
  /** Index of the body's first constant among the constants of the enclosing expression. */
  readonly firstConstant: number;
}

export function prepareExpressions(expressions: readonly RowExpression[], inputs: readonly Variable[]): PreparedExpressions {
  return prepareLowered(expressions.map(lowerExpression), inputs);
}

function prepareLowered(lowered: readonly RowExpression[], inputs: readonly Variable[]): PreparedExpressions {
  const columns = new Map(inputs.map((input, index) => [input.name, index]));
  const constants: Constant[] = [];
  const numbers = new Map<string, number>();
  const keys = new Map<RowExpression, string>();
  const lists = new Map<RowExpression, ConstantList>();
  const addList = (expression: RowExpression, listed: readonly Constant[]): string => {
    const first = constants.length;
    // One by one, here and below: a list may be longer than the maximum number of arguments of a JavaScript call.
    for (const item of listed) {
      constants.push(item);
    }
    lists.set(expression, { first, count: listed.length });
    return `[#${first}+${listed.length}]`;
  };
  const lambdas = new Map<RowExpression, PreparedLambda>();
  const addLambda = (lambda: Lambda): string => {
    const { parameters, body } = lambda;
    const captures = variablesOf([lambda]);
    const code = prepareLowered([body], [...parameters, ...captures]);
    lambdas.set(lambda, { code, parameters, captures, firstConstant: constants.length });
    const key = `[#${constants.length}]${captures.map(keyOf).join()}->${code.key}`;
    for (const item of code.constants) {
      constants.push(item);
    }
    return key;
  };
  const keyOf = (expression: RowExpression): string => {
    const known = keys.get(expression);
    if (known !== undefined) {
      return known;
    }
    const key = describe(expression, keyOf, columns, { number: (constant) => numberOf(constant, numbers, constants), addList, addLambda });
    keys.set(expression, key);
    return key;
  };
  return { expressions: lowered, constants, key: lowered.map(keyOf).join(";"), keys, lists, lambdas };
}

function numberOf(constant: Constant, numbers: Map<string, number>, constants: Constant[]): number {
  const identity = `${displayType(constant.type)} ${typeof constant.value} ${String(constant.value)}`;
  let number = numbers.get(identity);
  if (number === undefined) {
    number = constants.length;
    numbers.set(identity, number);
    constants.push(constant);
  }
  return number;
}

interface Numbering {
  number(constant: Constant): number;
  addList(expression: RowExpression, listed: readonly Constant[]): string;
  addLambda(lambda: Lambda): string;
}

function describe(
  expression: RowExpression,
  keyOf: (expression: RowExpression) => string,
  columns: ReadonlyMap<string, number>,
  numbering: Numbering,
): string {
  switch (expression.kind) {
    case "variable": {
      const column = columns.get(expression.name);
      if (column === undefined) {
        throw new Error(`expression refers to ${expression.name}, which is no input`);
      }
      return `$${column}`;
    }
    case "constant":
      return `${expression.value === null ? "null" : `#${numbering.number(expression)}`}:${displayType(expression.type)}${bitsText(expression)}`;
    case "call":
      return `${expression.name}(${expression.args.map(keyOf).join(",")}):${displayType(expression.type)}`;
    case "cast":
      return `${expression.safe ? "try_cast" : "cast"}(${keyOf(expression.arg)}:${displayType(expression.arg.type)}->${displayType(expression.type)})`;
    case "lambda":
      return `${displayType(expression.type)}${numbering.addLambda(expression)}`;
    case "special": {
      const split = splitList(expression);
      if (split !== undefined) {
        return `IN(${split.others.map(keyOf).join(",")},${numbering.addList(expression, split.listed)}:${displayType(split.others[0]?.type ?? BOOLEAN)})`;
      }
      return `${expression.form}(${expression.args.map(keyOf).join(",")}):${displayType(expression.type)}`;
    }
  }
}

/** Few, so that statements with other constants mostly have the same kernels. */
const constantBits = [4, 8, 16, 32] as const;

/** Bits of two's complement that hold the constant, rounded up; undefined if arithmetic does not use the bound, or there are too many. */
export function bitsOfConstant({ type, value }: Constant): number | undefined {
  if (type.kind !== "decimal" || value === null) {
    return undefined;
  }
  const unscaled = BigInt(value as string);
  return constantBits.find((bits) => BigInt.asIntN(bits, unscaled) === unscaled);
}

function bitsText(constant: Constant): string {
  const bits = bitsOfConstant(constant);
  return bits === undefined ? "" : ` in ${bits}`;
}

/** Parameters, then captured columns. */
export function inputsOf({ parameters, captures }: PreparedLambda): readonly Variable[] {
  return [...parameters, ...captures];
}

/** Equal for lambdas that the same code computes. */
export function shapeOf(lambda: PreparedLambda): string {
  return `(${inputsOf(lambda)
    .map(({ type }) => displayType(type))
    .join()})->${lambda.code.key}`;
}

/** The prepared lambdas among the arguments of a call. */
export function lambdasOf(call: Call, lambdas: ReadonlyMap<RowExpression, PreparedLambda>): readonly PreparedLambda[] {
  return call.args.flatMap((arg) => {
    const found = lambdas.get(arg);
    return found === undefined ? [] : [found];
  });
}

/** Name of the host function that executes a call with these lambdas. */
export function lambdaCallName(hostName: string, lambdas: readonly PreparedLambda[]): string {
  return `${hostName} with ${lambdas.map(shapeOf).join(" and ")}`;
}

/** True if the expressions contain a non-deterministic function. */
export function drawsIn({ key }: PreparedExpressions): boolean {
  return key.includes(randomBitsName);
}

/** True if the expressions contain a function that may run long: one in TypeScript. */
export function worksLong({ expressions }: PreparedExpressions): boolean {
  return expressions.some(callsHost);
}

/** As worksLong, of an expression that is not prepared. Only operators that process pages in slices evaluate it. */
export function runsLong(expression: RowExpression): boolean {
  return callsHost(lowerExpression(expression));
}

function callsHost(expression: RowExpression): boolean {
  if (expression.kind === "call" || expression.kind === "cast") {
    const { implementation } = expression.kind === "call" ? implementationOfCall(expression) : implementationOfCast(expression);
    const { host, makeHost, makeSteps, makeWithLambdas, steps, withLambdas } = implementation;
    if ([host, makeHost, makeSteps, makeWithLambdas, steps, withLambdas].some((one) => one !== undefined)) {
      return true;
    }
  }
  return childrenOf(expression).some(callsHost);
}

/** Looks up the implementation of a call. An unknown name is a bug of the planner. */
export function implementationOfCall(call: Call): FoundImplementation {
  const types = call.args.map((arg) => arg.type);
  const resolved = resolveScalar(call.name, types);
  if ("error" in resolved) {
    throw new Error(`plan calls ${describeCall(call.name, types)}, which the catalogue does not have`);
  }
  return { implementation: resolved.definition, hostName: `scalar:${describeCall(call.name, types)}` };
}

export function implementationOfCast(cast: Cast): FoundImplementation {
  const implementation = castImplementation(cast.arg.type, cast.type);
  if (implementation === undefined) {
    throw new QueryError("TYPE_MISMATCH", `Cannot cast ${displayType(cast.arg.type)} to ${displayType(cast.type)}`);
  }
  return { implementation, hostName: castName(cast.arg.type, cast.type) };
}

export const constantBytes = 16;

/** Writes one block of `memory`: 16 bytes per constant, then the strings. The caller frees it. */
export function writeConstants(memory: MemoryContext, constants: readonly Constant[]): Address {
  const values = constants.map((constant) => hostValueOfConstant(constant));
  const stringBytes = constants.reduce(
    (sum, constant) => sum + (physicalType(constant.type) === "bytes" ? 3 * String(constant.value).length + 16 : 0),
    0,
  );
  const base = memory.allocateZeroed(Math.max(16, constantBytes * constants.length + stringBytes));
  let cursor = base + constantBytes * constants.length;
  for (const [index, constant] of constants.entries()) {
    const value = values[index];
    if (value !== null && value !== undefined) {
      writeHostValue(memory.linear, base + constantBytes * index, constant.type, value, (bytes) => {
        const at = cursor;
        cursor += bytes;
        return at;
      });
    }
  }
  return base;
}
