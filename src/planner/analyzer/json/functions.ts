/**
 * Translates JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT and JSON_ARRAY into calls of internal functions (json/path/forms.ts).
 */
import { rowName, arrayArgumentsMax } from "../../../functions/operator/structures.ts";
import type {
  ConstructorOptions,
  ExistsOptions,
  PathOptions,
  QueryClauses,
  QueryOptions,
  ValueBehavior,
  ValueOptions,
} from "../../../functions/scalar/json/path/options.ts";
import type {
  JsonArray,
  JsonExists,
  JsonFunction,
  JsonObject,
  JsonPathInvocation,
  JsonQuery,
  JsonQueryColumn,
  JsonValue,
  JsonValueBehavior,
  JsonValueColumn,
  Location,
} from "../../../sql/ast/ast.ts";
import { BOOLEAN, displayType, functionType, isCharacter, isNumeric, type Type, VARCHAR } from "../../../types/type.ts";
import type { Lambda, RowExpression } from "../../plan/typed-expression.ts";
import { call, constant, special } from "../../plan/expression-tree.ts";
import type { Environment } from "../analysis.ts";
import { notSupported, type Placed, semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { callFunction, coerceTo } from "../expression/functions.ts";
import {
  analyzeDocument,
  analyzeJsonValue,
  analyzePassing,
  isMoment,
  type JsonValueInput,
  outputOf,
  type Passing,
  typeAt,
} from "./inputs.ts";
import { checkPath } from "./paths.ts";

export function analyzeJsonFunction(node: JsonFunction, env: Environment): RowExpression {
  switch (node.kind) {
    case "JsonExists":
      return analyzeExists(node, env);
    case "JsonValue":
      return analyzeValue(node, env);
    case "JsonQuery":
      return analyzeQuery(node, env);
    case "JsonObject":
      return analyzeObject(node, env);
    case "JsonArray":
      return analyzeArray(node, env);
  }
}

/** Encodes the clauses as a constant of the plan. */
export function optionsConstant(options: object): RowExpression {
  return constant(VARCHAR, JSON.stringify(options));
}

export interface Invocation {
  readonly input: JsonValueInput;
  readonly passing: Passing;
  readonly options: PathOptions;
}

/** `at` is the function, or JSON_TABLE. */
export function analyzeInvocation({ input, path, passing }: JsonPathInvocation, env: Environment, at: Placed): Invocation {
  const document = analyzeDocument(input, env);
  const passed = analyzePassing(passing, env, at);
  checkPath(path, passed.types);
  return { input: document, passing: passed, options: { input: document.format, passing: passed.options } };
}

/** Only JSON_TABLE allows path names. */
function requireNoName({ pathName }: JsonPathInvocation, name: string): void {
  if (pathName !== undefined) {
    throw semanticError("INVALID_PATH", pathName, `JSON path name is not allowed in ${name} function`);
  }
}

function analyzeExists(node: JsonExists, env: Environment): RowExpression {
  const { invocation, errorBehavior } = node;
  requireNoName(invocation, "JSON_EXISTS");
  const { input, passing, options } = analyzeInvocation(invocation, env, node);
  const all: ExistsOptions = { ...options, onError: errorBehavior };
  return call("$json_exists", BOOLEAN, [
    input.expression,
    constant(VARCHAR, invocation.path.value),
    optionsConstant(all),
    ...passing.expressions,
  ]);
}

export interface AnalyzedBehaviors {
  readonly onEmpty: ValueBehavior;
  readonly onError: ValueBehavior;
  readonly lambdas: readonly Lambda[];
}

/**
 * A DEFAULT expression becomes a lambda, so that it is only evaluated when needed. If the DEFAULT of ON EMPTY fails and ON ERROR handles
 * the error, the lambda returns NULL instead.
 */
export function analyzeBehaviors(
  { emptyBehavior, errorBehavior }: Pick<JsonValueColumn, "emptyBehavior" | "errorBehavior">,
  { type, what, otherwise }: { readonly type: Type; readonly what: string; readonly otherwise: ValueBehavior },
  env: Environment,
): AnalyzedBehaviors {
  const onEmpty = emptyBehavior?.type ?? "NULL";
  const onError = errorBehavior?.type ?? otherwise;
  const lambdas: Lambda[] = [];
  if (emptyBehavior?.default !== undefined) {
    const value = defaultValue(emptyBehavior, `${what} default ON EMPTY result`, type, env);
    const row = callFunction(rowName, [value], emptyBehavior);
    lambdas.push(lambdaOf(onError === "ERROR" ? row : special("TRY", row.type, [row])));
  }
  if (errorBehavior?.default !== undefined) {
    lambdas.push(lambdaOf(defaultValue(errorBehavior, `${what} default ON ERROR result`, type, env)));
  }
  return { onEmpty, onError, lambdas };
}

function defaultValue({ default: given, location }: JsonValueBehavior, what: string, type: Type, env: Environment): RowExpression {
  const expression = given ?? { kind: "NullLiteral", location };
  return coerceTo(analyzeExpression(expression, env), type, what, expression);
}

function lambdaOf(body: RowExpression): Lambda {
  return { kind: "lambda", type: functionType([], body.type), parameters: [], body };
}

/** For JSON_VALUE and for value columns of JSON_TABLE. */
export function requireScalarType(type: Type, what: string, at: { readonly location: Location }): Type {
  if (isCharacter(type) || isNumeric(type) || type.kind === "boolean" || isMoment(type)) {
    return type;
  }
  throw semanticError("TYPE_MISMATCH", at, `Invalid return type of ${what}: ${displayType(type)}`);
}

function analyzeValue(node: JsonValue, env: Environment): RowExpression {
  requireNoName(node.invocation, "JSON_VALUE");
  const { input, passing, options } = analyzeInvocation(node.invocation, env, node);
  const type = requireScalarType(node.returning === undefined ? VARCHAR : typeAt(node.returning, node), "function JSON_VALUE", node);
  const { onEmpty, onError, lambdas } = analyzeBehaviors(node, { type, what: "Function JSON_VALUE", otherwise: "NULL" }, env);
  const all: ValueOptions = { ...options, onEmpty, onError };
  const path = constant(VARCHAR, node.invocation.path.value);
  return call("$json_value", type, [
    input.expression,
    path,
    optionsConstant(all),
    constant(type, null),
    ...passing.expressions,
    ...lambdas,
  ]);
}

/** Clauses of JSON_QUERY, or of a JSON_TABLE column with FORMAT JSON. */
export function queryClauses(
  node: Pick<JsonQueryColumn, "wrapper" | "quotes" | "emptyBehavior" | "errorBehavior">,
  { output, otherwise }: { readonly output: QueryClauses["output"]; readonly otherwise: QueryClauses["onError"] },
  at: { readonly location: Location },
): QueryClauses {
  const wrapper = node.wrapper ?? "WITHOUT";
  if (node.quotes !== undefined && wrapper !== "WITHOUT") {
    const message = `${node.quotes} QUOTES behavior specified with WITH ${wrapper} ARRAY WRAPPER behavior`;
    throw semanticError("INVALID_FUNCTION_ARGUMENT", at, message);
  }
  return {
    wrapper,
    quotes: node.quotes ?? "KEEP",
    onEmpty: node.emptyBehavior ?? "NULL",
    onError: node.errorBehavior ?? otherwise,
    output,
  };
}

function analyzeQuery(node: JsonQuery, env: Environment): RowExpression {
  requireNoName(node.invocation, "JSON_QUERY");
  const { input, passing, options } = analyzeInvocation(node.invocation, env, node);
  const { type, format } = outputOf(node.returning, input.expression.type, node);
  const all: QueryOptions = { ...options, ...queryClauses(node, { output: format, otherwise: "NULL" }, node) };
  const path = constant(VARCHAR, node.invocation.path.value);
  return call("$json_query", type, [input.expression, path, optionsConstant(all), constant(type, null), ...passing.expressions]);
}

/** The number of arguments of a call is limited, so more arguments are packed in rows. */
function inRows(args: readonly RowExpression[], at: { readonly location: Location }): readonly RowExpression[] {
  if (args.length <= arrayArgumentsMax) {
    return args;
  }
  const rows: RowExpression[] = [];
  for (let start = 0; start < args.length; start += arrayArgumentsMax) {
    rows.push(callFunction(rowName, args.slice(start, start + arrayArgumentsMax), at));
  }
  if (rows.length > arrayArgumentsMax) {
    throw notSupported(at, `JSON objects and arrays of more than ${arrayArgumentsMax * arrayArgumentsMax} arguments are not supported`);
  }
  return rows;
}

function analyzeObject(node: JsonObject, env: Environment): RowExpression {
  const { type, format: output } = outputOf(node.returning, undefined, node);
  if (node.uniqueKeys && node.members.some(({ value }) => value.format !== undefined)) {
    throw notSupported(node, "WITH UNIQUE KEYS behavior is not supported for JSON_OBJECT function when input expression has FORMAT");
  }
  const members = node.members.map(({ key, value }) => {
    const name = analyzeExpression(key, env);
    if (!isCharacter(name.type)) {
      throw semanticError("INVALID_FUNCTION_ARGUMENT", key, `Invalid type of JSON object key: ${displayType(name.type)}`);
    }
    return { name, value: analyzeJsonValue(value, env, { what: "value passed to JSON_OBJECT function", keepsMoments: false, at: node }) };
  });
  const options: ConstructorOptions = {
    formats: members.map(({ value }) => value.format),
    nulls: node.nulls,
    uniqueKeys: node.uniqueKeys,
    output,
  };
  const args = members.flatMap(({ name, value }) => [name, value.expression]);
  return call("$json_object", type, [optionsConstant(options), constant(type, null), ...inRows(args, node)]);
}

function analyzeArray(node: JsonArray, env: Environment): RowExpression {
  const { type, format: output } = outputOf(node.returning, undefined, node);
  const what = "value passed to JSON_ARRAY function";
  const elements = node.elements.map((element) => analyzeJsonValue(element, env, { what, keepsMoments: false, at: node }));
  const options: ConstructorOptions = { formats: elements.map(({ format }) => format), nulls: node.nulls, output };
  const args = elements.map(({ expression }) => expression);
  return call("$json_array", type, [optionsConstant(options), constant(type, null), ...inRows(args, node)]);
}
