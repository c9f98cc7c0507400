/**
 * Analyzes function calls: special forms (IF, COALESCE, ...), aggregates, and scalar functions of the registry.
 */
import { isAggregate, isWindow } from "../../../functions/registry/registry.ts";
import { lowerName, type Expression, type FunctionCall } from "../../../sql/ast/ast.ts";
import { arrayType, BOOLEAN, displayType, isComparable, type Type, VARCHAR, varcharType } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { cast, constant, isConstant, sameExpression, special } from "../../plan/expression-tree.ts";
import { sessionZone } from "../../session-zone.ts";
import { canCast, commonSuperType } from "../../../functions/registry/coercion.ts";
import type { AggregateOrdering } from "../aggregation/aggregates.ts";
import type { Environment } from "../analysis.ts";
import { currentTime } from "./current.ts";
import { requireAggregateOrder, requireDistinguishable } from "./comparable.ts";
import { semanticError } from "../errors.ts";
import { ownMember } from "../../../types/own.ts";
import { requireNoneNested } from "../aggregation/calls-inside.ts";
import { isNonDeterministic, withBits } from "./non-deterministic.ts";
import { analyzeExpression, analyzePredicate } from "./analyze-expression.ts";
import { analyzeGrouping } from "../aggregation/grouping.ts";
import { callFunction, chooseAggregate, coerce, coerceTo, coerceItems, coerceToCommon } from "./functions.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { analyzeRoutineCall } from "../routine/call.ts";
import { callWithLambdas, concatArguments, joinArguments, makeArray } from "./structures.ts";
import { analyzeCollection, isCollection } from "../aggregation/collections.ts";
import { analyzePatternCall, requireNoPatternForm } from "../pattern/pattern-expressions.ts";
import { analyzeWindowCall } from "../window/windows.ts";

/** Presto's limit. It does not apply to COALESCE, which is a special form. */
const functionArgumentsMax = 127;

export function analyzeFunctionCall(node: FunctionCall, env: Environment): RowExpression {
  const name = node.name.parts.map((part) => part.value.toLowerCase()).join(".");
  if (node.arguments.length > functionArgumentsMax && name !== "coalesce") {
    throw semanticError("TOO_MANY_ARGUMENTS", node, `Too many arguments for function call ${name}()`);
  }
  const routine = analyzeRoutineCall(node, env);
  if (routine !== undefined) {
    return routine;
  }
  const { window } = node;
  // Internal functions, such as operators, have names that SQL cannot call.
  if (name.startsWith("$")) {
    throw semanticError("FUNCTION_NOT_FOUND", node, `Function '${name}' not registered`);
  }
  const { pattern } = env;
  const value = pattern === undefined ? requireNoPatternForm(node) : analyzePatternCall(node, { ...env, pattern });
  if (value !== undefined) {
    return value;
  }
  if (window !== undefined && !syntaxForms.has(name)) {
    return analyzeWindowCall(name, { ...node, window }, env);
  }
  if (node.nullTreatment !== undefined && !syntaxForms.has(name)) {
    throw semanticError("NULL_TREATMENT_NOT_ALLOWED", node, `Cannot specify null treatment clause for ${name} function`);
  }
  if (isAggregate(name) || isCollection(name)) {
    return analyzeAggregate(name, node, env);
  }
  if (isWindow(name)) {
    throw semanticError("MISSING_OVER", node, `Window function ${name} requires an OVER clause`);
  }
  const form = ownMember(forms, name);
  if (form !== undefined && syntaxForms.has(name)) {
    requirePlainForm(name, node);
  }
  if (node.distinct) {
    throw semanticError("FUNCTION_NOT_AGGREGATE", node, `DISTINCT is not supported for non-aggregation functions`);
  }
  if (node.filter !== undefined) {
    throw semanticError("FUNCTION_NOT_AGGREGATE", node, `Filter is only valid for aggregation functions`);
  }
  if (node.orderBy.length > 0) {
    throw semanticError("FUNCTION_NOT_AGGREGATE", node, `ORDER BY is only valid for aggregation functions`);
  }
  if (form !== undefined) {
    return form(node, env);
  }
  if (node.arguments.some((argument) => argument.kind === "Lambda")) {
    return callWithLambdas(
      name,
      node.arguments.map((argument) => (argument.kind === "Lambda" ? argument : analyzeExpression(argument, env))),
      env,
      node,
    );
  }
  const args = argumentsOf(node, env);
  if (isNonDeterministic(name)) {
    return withBits(callFunction(name, args, node), env.analysis.context);
  }
  return callFunction(name, name === "concat" ? concatArguments(args, node) : name === "array_join" ? joinArguments(args) : args, node);
}

/** Special forms with function syntax. Clauses such as OVER or DISTINCT are syntax errors for them. */
const syntaxForms: ReadonlySet<string> = new Set(["if", "coalesce", "nullif", "try", "format"]);

function requirePlainForm(name: string, node: FunctionCall): void {
  const refuse = (isThere: boolean, what: string): void => {
    if (isThere) {
      throw semanticError("SYNTAX_ERROR", node, `${what} not valid for '${name}' function`);
    }
  };
  refuse(node.window !== undefined, "OVER clause");
  refuse(node.distinct, "DISTINCT");
  refuse(node.nullTreatment !== undefined, "Null treatment clause");
  refuse(node.filter !== undefined, "FILTER");
}

type Form = (node: FunctionCall, env: Environment) => RowExpression;

const forms: Readonly<Record<string, Form>> = Object.freeze({
  if: analyzeIf,
  coalesce: analyzeCoalesce,
  nullif: analyzeNullIf,
  try: (node: FunctionCall, env: Environment) => {
    const [argument] = node.arguments;
    if (argument === undefined || node.arguments.length !== 1) {
      throw semanticError("SYNTAX_ERROR", node, "The 'try' function must have exactly one argument");
    }
    const value = analyzeExpression(argument, env);
    // TRY of TRY is the inner TRY, so deeply nested calls of TRY stay small.
    return value.kind === "special" && value.form === "TRY" ? value : special("TRY", value.type, [value]);
  },
  format: (node: FunctionCall, env: Environment) => {
    if (node.arguments.length < 2) {
      throw semanticError("SYNTAX_ERROR", node, "The 'format' function must have at least two arguments");
    }
    const args = argumentsOf(node, env);
    const odd = args.findIndex(({ type }, index) => index > 0 && !isFormattable(type));
    if (odd > 0) {
      const shown = displayType((args[odd] as RowExpression).type);
      throw semanticError("NOT_SUPPORTED", node.arguments[odd] as Expression, `Type not supported for formatting: ${shown}`);
    }
    return callFunction("format", args, node);
  },
  typeof: (node: FunctionCall, env: Environment) => {
    const args = argumentsOf(node, env);
    const [value] = args;
    if (value === undefined || args.length !== 1) {
      return callFunction("typeof", args, node);
    }
    const text = displayType(value.type);
    return cast(constant(varcharType(text.length), text), VARCHAR);
  },
  now: (_node: FunctionCall, env: Environment) => currentTime({ name: "CURRENT_TIMESTAMP" }, env.analysis.context.session),
  current_timezone: (_node: FunctionCall, env: Environment) => {
    const zone = sessionZone(env.analysis.context.session);
    return cast(constant(varcharType(zone.length), zone), VARCHAR);
  },
  current_groups: (node: FunctionCall, env: Environment) => {
    if (node.arguments.length > 0) {
      throw semanticError("SYNTAX_ERROR", node, "Invalid number of arguments for 'current_groups' function");
    }
    const groups = env.analysis.context.session.groups ?? [];
    const items = groups.map((group) => constant(VARCHAR, group));
    return cast(makeArray(items, node), arrayType(VARCHAR));
  },
  version: (node: FunctionCall, env: Environment) => {
    const { nodeVersion } = env.analysis.context;
    return cast(constant(varcharType(nodeVersion.length), nodeVersion), callFunction("version", argumentsOf(node, env), node).type);
  },
  grouping: (node: FunctionCall, env: Environment) => analyzeGrouping(node, env, () => aggregateNotAllowed(node, env)),
});

/** Types that can be formatted, because they can be cast to varchar. */
function isFormattable(type: Type): boolean {
  return type.kind === "json" || canCast(type, VARCHAR);
}

function argumentsOf(node: FunctionCall, env: Environment): readonly RowExpression[] {
  return node.arguments.map((argument) => analyzeExpression(argument, env));
}

function argumentOf(node: FunctionCall, index: number, count: number): Expression {
  const argument = node.arguments[index];
  if (argument === undefined || node.arguments.length !== count) {
    const name = node.name.parts.map((part) => lowerName(part)).join(".");
    throw semanticError("SYNTAX_ERROR", node, `Invalid number of arguments for '${name}' function`);
  }
  return argument;
}

function analyzeIf(node: FunctionCall, env: Environment): RowExpression {
  const [conditionNode, thenNode, elseNode] = node.arguments;
  if (conditionNode === undefined || thenNode === undefined || node.arguments.length > 3) {
    throw semanticError("SYNTAX_ERROR", node, "Invalid number of arguments for 'if' function");
  }
  const condition = coerceTo(analyzeExpression(conditionNode, env), BOOLEAN, "IF condition", conditionNode);
  const then = analyzeExpression(thenNode, env);
  const otherwise = elseNode === undefined ? constant(then.type, null) : analyzeExpression(elseNode, env);
  const types = `${displayType(then.type)} vs ${displayType(otherwise.type)}`;
  const results = coerceToCommon([then, otherwise], () =>
    semanticError("TYPE_MISMATCH", node, `Result types for IF must be the same: ${types}`),
  );
  return special("IF", results[0]?.type ?? then.type, [condition, ...results]);
}

function analyzeCoalesce(node: FunctionCall, env: Environment): RowExpression {
  if (node.arguments.length < 2) {
    throw semanticError("SYNTAX_ERROR", node, "The 'coalesce' function must have at least two arguments");
  }
  const args = coerceItems(argumentsOf(node, env), node.arguments, "All COALESCE operands");
  return special("COALESCE", args[0]?.type ?? BOOLEAN, args);
}

/** NULL_IF compares its arguments in their common type and returns the first in its own type: `IF(a = b, NULL, a)`. */
function analyzeNullIf(node: FunctionCall, env: Environment): RowExpression {
  const first = analyzeExpression(argumentOf(node, 0, 2), env);
  const second = analyzeExpression(argumentOf(node, 1, 2), env);
  const common = commonSuperType(first.type, second.type);
  if (common === undefined || !isComparable(common)) {
    throw semanticError(
      "TYPE_MISMATCH",
      node,
      `Types are not comparable with NULLIF: ${displayType(first.type)} vs ${displayType(second.type)}`,
    );
  }
  if (isConstant(first, null) || isConstant(second, null)) {
    return first;
  }
  const value = special("NULL_IF", common, [coerce(first, common), coerce(second, common)]);
  return cast(value, first.type);
}

function analyzeAggregate(name: string, node: FunctionCall, env: Environment): RowExpression {
  const collector = env.aggregates;
  if (collector === undefined) {
    throw aggregateNotAllowed(node, env);
  }
  const { aggregates: _aggregates, windows: _windows, groupings: _groupings, subqueries: _subqueries, ...rest } = env;
  const inside: Environment = {
    ...rest,
    scope: env.aggregateScope ?? env.scope,
    clause: insideAggregate,
    ...(env.aggregateSubqueries && { subqueries: env.aggregateSubqueries }),
  };
  requireNoneNested(name, node.arguments, node);
  const filter = node.filter === undefined ? undefined : analyzePredicate(node.filter, { ...inside, clause: "FILTER clause" });
  if (isCollection(name)) {
    const collection = analyzeCollection(name, node, { inside, env, filter });
    checkDistinctArguments(node, collection.args);
    const order = aggregateOrder(name, node, collection.args, inside);
    const chosen = chooseAggregate("array_agg", [collection.collected], node);
    return collection.finish(collector.add(chosen, node.distinct, collection.filter, order));
  }
  const args = node.arguments.map((argument) => analyzeExpression(argument, inside));
  checkDistinctArguments(node, args);
  const orderBy = aggregateOrder(name, node, args, inside);
  return collector.add(chooseAggregate(name, args, node), node.distinct, filter, orderBy);
}

/** Aggregates whose result does not depend on the order of rows. */
const unordered: ReadonlySet<string> = new Set([
  "approx_distinct",
  "bitwise_and_agg",
  "bitwise_or_agg",
  "bitwise_xor_agg",
  "bool_and",
  "bool_or",
  "checksum",
  "count",
  "count_if",
  "every",
  "max",
  "min",
]);

const outputInOrder = "ORDER BY clause in aggregation function must not reference query output columns";

function aggregateOrder(name: string, node: FunctionCall, args: readonly RowExpression[], env: Environment): readonly AggregateOrdering[] {
  const { refused } = env.scope;
  const scope = refused === undefined ? env.scope : { ...env.scope, refused: { ...refused, message: outputInOrder } };
  const orderBy = node.orderBy.map((item): AggregateOrdering => {
    const expression = analyzeExpression(item.key, { ...env, scope });
    requireAggregateOrder(expression.type, node);
    if (node.distinct && !args.some((arg) => sameExpression(arg, expression))) {
      throw semanticError(
        "EXPRESSION_NOT_IN_DISTINCT",
        item.key,
        "For aggregate function with DISTINCT, ORDER BY expressions must appear in arguments",
      );
    }
    return { expression, descending: item.ordering === "DESC", nullsFirst: item.nulls === "FIRST" };
  });
  return unordered.has(name) ? [] : orderBy.filter(({ expression }) => expression.kind !== "constant");
}

function checkDistinctArguments(node: FunctionCall, args: readonly RowExpression[]): void {
  if (node.distinct) {
    for (const { type } of args) {
      requireDistinguishable(type, node);
    }
  }
}

const insideAggregate = "an aggregation";

function aggregateNotAllowed(node: FunctionCall, env: Environment): Error {
  if (env.clause === insideAggregate) {
    return semanticError("NESTED_AGGREGATION", node, `Cannot nest aggregations inside aggregation: [${printExpression(node)}]`);
  }
  return semanticError(
    "EXPRESSION_NOT_SCALAR",
    node,
    `${env.clause} cannot contain aggregations, window functions or grouping operations: [${printExpression(node)}]`,
  );
}
