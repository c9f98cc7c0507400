/**
 * Analyzes names and calls in MEASURES and DEFINE: columns of other rows (`A.x`, FIRST, LAST, PREV, NEXT), CLASSIFIER, MATCH_NUMBER, and
 * aggregates over the rows of the match.
 */
import { isAggregate } from "../../../functions/registry/registry.ts";
import type { QueryError } from "../../../protocol/errors.ts";
import type { Expression, FunctionCall, Identifier } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { BIGINT, VARCHAR } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { usesAny } from "../../plan/expression-tree.ts";
import type { Environment } from "../analysis.ts";
import { analyzeCollection, isCollection } from "../aggregation/collections.ts";
import { notSupported, semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { chooseAggregate, type ChosenAggregate } from "../expression/functions.ts";
import { hasColumn } from "../scope/scope.ts";
import { AccessCollector, type Mention, type PatternContext } from "./context.ts";
import { canonicalName } from "./labels.ts";

/** The environment inside a pattern. */
export type PatternEnvironment = Environment & { readonly pattern: PatternContext };

const offsetMax = 2147483647;

function withoutPattern(env: Environment): Environment {
  const { pattern: _pattern, ...rest } = env;
  return rest;
}

/** Analyzes a column reference. Returns undefined if the name is a lambda parameter. */
export function analyzePatternName(
  expression: Expression,
  parts: readonly Identifier[],
  env: PatternEnvironment,
): RowExpression | undefined {
  const { pattern } = env;
  const [first, ...rest] = parts as [Identifier, ...Identifier[]];
  if (isLambdaParameter(first, env)) {
    return undefined;
  }
  const label = canonicalName(first);
  const labels = rest.length === 0 ? undefined : pattern.labels.get(label);
  if (labels === undefined) {
    return readColumn(expression, analyzeExpression(expression, withoutPattern(env)), undefined, env);
  }
  const [column, ...fields] = rest as [Identifier, ...Identifier[]];
  const { parent: _outer, ...own } = pattern.scope;
  if (!hasColumn(own, [column])) {
    const text = rest.map(({ value }) => value.toLowerCase()).join(".");
    throw semanticError("COLUMN_NOT_FOUND", expression, `Column ${text} prefixed with label ${printExpression(first)} cannot be resolved`);
  }
  const name = fields.reduce<Expression>((base, field) => ({ kind: "Dereference", base, field, location: field.location }), {
    ...column,
    location: expression.location,
  });
  return readColumn(expression, analyzeExpression(name, withoutPattern(env)), label, env);
}

function isLambdaParameter(name: Identifier, { pattern, scope }: PatternEnvironment): boolean {
  for (let current = scope; current !== pattern.scope && current.parent !== undefined; current = current.parent) {
    const { parent: _parent, ...own } = current;
    if (hasColumn(own, [name])) {
      return true;
    }
  }
  return false;
}

function readColumn(syntax: Expression, value: RowExpression, label: string | undefined, env: PatternEnvironment): RowExpression {
  const { pattern } = env;
  pattern.mentions.push({ kind: "COLUMN", ...(label !== undefined && { label }), syntax });
  return pattern.accesses.add({ kind: "COLUMN", column: { expression: value, syntax } }, value.type, navigationOf(label, pattern));
}

/** Without FIRST, LAST, PREV or NEXT, a reference reads the last row with the label, up to the current row. */
function navigationOf(label: string | undefined, { inAggregate, labels, navigation }: PatternContext) {
  if (inAggregate === true) {
    return undefined;
  }
  const moves = navigation ?? { anchor: "LAST" as const, running: true, logicalOffset: 0, physicalOffset: 0 };
  return { labels: label === undefined ? [] : (labels.get(label) ?? []), ...moves };
}

/** A subquery is computed for each input row, as an input column. It is analyzed outside the pattern. */
export function analyzePatternSubquery(expression: Expression, env: PatternEnvironment): RowExpression {
  const { pattern } = env;
  if (expression.kind === "InSubquery" || expression.kind === "QuantifiedComparison") {
    checkCompared(expression.value, pattern);
    if (readsColumns(expression.value)) {
      pattern.mentions.push({ kind: "COLUMN", syntax: expression.value });
    }
  }
  const value = analyzeExpression(expression, withoutPattern(env));
  const column = { expression: value, syntax: expression };
  return pattern.accesses.add({ kind: "COLUMN", column }, value.type, navigationOf(undefined, pattern));
}

/** The value compared with a subquery's rows is computed before matching, so it cannot depend on the match. */
function checkCompared(value: Expression, { labels }: PatternContext): void {
  visitSyntax(value, (node) => {
    const base = node["kind"] === "Dereference" ? (node["base"] as Expression) : undefined;
    if (base?.kind === "Identifier" && labels.has(canonicalName(base))) {
      throw notSupported(node as unknown as Expression, "IN-PREDICATE with labeled column reference is not yet supported");
    }
    const called = node["kind"] === "FunctionCall" ? patternFunction(node as unknown as FunctionCall) : undefined;
    if (called !== undefined) {
      throw notSupported(node as unknown as Expression, `IN-PREDICATE with ${called.toLowerCase()} function is not yet supported`);
    }
    return node["kind"] !== "Query";
  });
}

function readsColumns(value: Expression): boolean {
  let found = false;
  visitSyntax(value, (node) => {
    // A function name is not a column reference.
    const parts = node["kind"] === "FunctionCall" ? (node as unknown as FunctionCall).arguments : undefined;
    found ||= node["kind"] === "Identifier" || (parts?.some(readsColumns) ?? false);
    return node["kind"] !== "Query" && parts === undefined;
  });
  return found;
}

type PatternFunction = "FIRST" | "LAST" | "PREV" | "NEXT" | "CLASSIFIER" | "MATCH_NUMBER";
const patternFunctions: ReadonlySet<string> = new Set(["FIRST", "LAST", "PREV", "NEXT", "CLASSIFIER", "MATCH_NUMBER"]);
const navigations: ReadonlySet<string> = new Set(["FIRST", "LAST", "PREV", "NEXT"]);

/** Returns undefined for functions that are not special in patterns. */
function patternFunction({ name: { parts } }: FunctionCall): PatternFunction | undefined {
  const [first, second] = parts;
  const name = first === undefined || second !== undefined || first.delimited ? "" : first.value.toUpperCase();
  return patternFunctions.has(name) ? (name as PatternFunction) : undefined;
}

function nameOf({ name }: FunctionCall): string {
  return name.parts.map(({ value }) => value.toLowerCase()).join(".");
}

function callsIn(expressions: readonly Expression[], keep: (call: FunctionCall) => boolean): readonly FunctionCall[] {
  const found: FunctionCall[] = [];
  visitSyntax(expressions, (node) => {
    if (node["kind"] === "FunctionCall" && keep(node as unknown as FunctionCall)) {
      found.push(node as unknown as FunctionCall);
    }
    return node["kind"] !== "Query";
  });
  return found;
}

/** Rejects RUNNING, FINAL and `count(A.*)` outside a pattern. */
export function requireNoPatternForm({ processingMode, starLabel }: FunctionCall): undefined {
  if (processingMode !== undefined) {
    const message = `${processingMode.mode} semantics is not supported out of pattern recognition context`;
    throw semanticError("INVALID_PROCESSING_MODE", processingMode, message);
  }
  if (starLabel !== undefined) {
    throw labelNotAllowed(starLabel);
  }
}

function labelNotAllowed(starLabel: Identifier): QueryError {
  const message = "label.* syntax is only supported as the only argument of row pattern count function";
  return semanticError("INVALID_FUNCTION_ARGUMENT", starLabel, message);
}

/** Returns undefined for a scalar function. */
export function analyzePatternCall(node: FunctionCall, env: PatternEnvironment): RowExpression | undefined {
  const name = nameOf(node);
  const called = patternFunction(node);
  if (called !== undefined) {
    return analyzePatternFunction(node, called, env);
  }
  if (isAggregate(name) || isCollection(name)) {
    return analyzePatternAggregate(name, node, env);
  }
  if (node.processingMode !== undefined) {
    const { mode } = node.processingMode;
    const message = `${mode} semantics is supported only for FIRST(), LAST() and aggregation functions. Actual: ${name}`;
    throw semanticError("INVALID_PROCESSING_MODE", node.processingMode, message);
  }
  requireNoPatternForm(node);
  return undefined;
}

function analyzePatternFunction(node: FunctionCall, called: PatternFunction, env: PatternEnvironment): RowExpression {
  checkForm(node, called);
  switch (called) {
    case "MATCH_NUMBER":
      if (node.arguments.length > 0 || node.star) {
        throw semanticError("INVALID_FUNCTION_ARGUMENT", node, "MATCH_NUMBER pattern recognition function takes no arguments");
      }
      if (env.pattern.inWindow) {
        throw semanticError("INVALID_PATTERN_RECOGNITION_FUNCTION", node, "MATCH_NUMBER function is not supported in window");
      }
      return env.pattern.accesses.add({ kind: "MATCH_NUMBER" }, BIGINT, undefined);
    case "CLASSIFIER":
      return analyzeClassifier(node, env);
    default:
      return analyzeNavigation(node, called, env);
  }
}

function checkForm(node: FunctionCall, called: PatternFunction): void {
  const name = nameOf(node);
  const clauses: readonly (readonly [boolean, string])[] = [
    [node.filter !== undefined, "FILTER"],
    [node.orderBy.length > 0, "ORDER BY"],
    [node.distinct, "DISTINCT"],
  ];
  const clause = clauses.find(([isThere]) => isThere)?.[1];
  if (clause !== undefined) {
    throw semanticError("INVALID_PATTERN_RECOGNITION_FUNCTION", node, `Cannot use ${clause} with ${name} pattern recognition function`);
  }
  if (node.processingMode !== undefined && called !== "FIRST" && called !== "LAST") {
    const { mode } = node.processingMode;
    const message = `${mode} semantics is not supported with ${name} pattern recognition function`;
    throw semanticError("INVALID_PROCESSING_MODE", node.processingMode, message);
  }
  if (node.nullTreatment !== undefined) {
    const message = `Cannot specify null treatment clause for ${name} pattern recognition function`;
    throw semanticError("NULL_TREATMENT_NOT_ALLOWED", node, message);
  }
}

function analyzeClassifier(node: FunctionCall, env: PatternEnvironment): RowExpression {
  const { pattern } = env;
  const [argument] = node.arguments;
  if (node.arguments.length > 1 || node.star) {
    throw semanticError("INVALID_FUNCTION_ARGUMENT", node, "CLASSIFIER pattern recognition function takes no arguments or 1 argument");
  }
  if (argument !== undefined && argument.kind !== "Identifier") {
    const kind = argument.kind === "Dereference" ? "DereferenceExpression" : argument.kind;
    const message = `CLASSIFIER function argument should be primary pattern variable or subset name. Actual: ${kind}`;
    throw semanticError("TYPE_MISMATCH", argument, message);
  }
  const label = argument === undefined ? undefined : canonicalName(argument);
  if (argument !== undefined && label !== undefined && !pattern.labels.has(label)) {
    throw semanticError("INVALID_FUNCTION_ARGUMENT", argument, `${argument.value} is not a primary pattern variable or subset name`);
  }
  pattern.mentions.push({ kind: "CLASSIFIER", ...(label !== undefined && { label }), syntax: node });
  return pattern.accesses.add({ kind: "CLASSIFIER" }, VARCHAR, navigationOf(label, pattern));
}

function analyzeNavigation(node: FunctionCall, called: "FIRST" | "LAST" | "PREV" | "NEXT", env: PatternEnvironment): RowExpression {
  const { pattern } = env;
  const name = nameOf(node);
  const [argument, offsetNode] = node.arguments;
  if (argument === undefined || node.arguments.length > 2 || node.star) {
    throw semanticError("INVALID_FUNCTION_ARGUMENT", node, `${name} pattern recognition function requires 1 or 2 arguments`);
  }
  const isPhysical = called === "PREV" || called === "NEXT";
  const offset = offsetNode === undefined ? (isPhysical ? 1 : 0) : offsetOf(offsetNode, node, name);
  checkNesting(argument, called);
  const [nested] = callsIn(node.arguments, (call) => isAggregate(nameOf(call)) || isCollection(nameOf(call)));
  if (nested !== undefined) {
    throw semanticError("NESTED_AGGREGATION", nested, `Cannot nest ${nameOf(nested)} aggregate function inside ${name} function`);
  }
  const mentions: Mention[] = [];
  const navigation = isPhysical
    ? { anchor: "LAST" as const, running: true, logicalOffset: 0, physicalOffset: called === "PREV" ? -offset : offset }
    : {
        anchor: called,
        running: node.processingMode?.mode !== "FINAL",
        logicalOffset: offset,
        physicalOffset: pattern.navigation?.physicalOffset ?? 0,
      };
  const value = analyzeExpression(argument, { ...env, pattern: { ...pattern, navigation, mentions } } as PatternEnvironment);
  if (mentions.length === 0) {
    const message = `Pattern navigation function ${name} must contain at least one column reference or CLASSIFIER()`;
    throw semanticError("INVALID_ARGUMENTS", node, message);
  }
  labelOfMentions(mentions, node, name);
  pattern.mentions.push(...mentions);
  return value;
}

function offsetOf(offset: Expression, node: FunctionCall, name: string): number {
  if (offset.kind === "ArithmeticUnary" && offset.sign === "-" && offset.value.kind === "LongLiteral") {
    const message = `${name} pattern recognition navigation function requires a non-negative number as the second argument`;
    throw semanticError("NUMERIC_VALUE_OUT_OF_RANGE", node, `${message} (actual: -${offset.value.value})`);
  }
  if (offset.kind !== "LongLiteral") {
    const message = `${name} pattern recognition navigation function requires a number as the second argument`;
    throw semanticError("INVALID_FUNCTION_ARGUMENT", node, message);
  }
  const value = Number(offset.value);
  if (value > offsetMax) {
    const message = `The second argument of ${name} pattern recognition navigation function must not exceed ${offsetMax} (actual: ${offset.value})`;
    throw semanticError("NUMERIC_VALUE_OUT_OF_RANGE", node, message);
  }
  return value;
}

/** Only FIRST and LAST directly inside PREV and NEXT may be nested. */
function checkNesting(argument: Expression, called: string): void {
  const nested = callsIn([argument], (call) => navigations.has(patternFunction(call) ?? ""));
  const [first, second] = nested;
  if (first === undefined) {
    return;
  }
  const isPhysical = called === "PREV" || called === "NEXT";
  const refuse = (at: FunctionCall, message: string): never => {
    throw semanticError("INVALID_NAVIGATION_NESTING", at, message);
  };
  const inner = nameOf(first);
  const inside = `inside ${called.toLowerCase()} pattern navigation function`;
  if (!isPhysical) {
    refuse(first, `Cannot nest ${inner} pattern navigation function ${inside}`);
  }
  if (second !== undefined) {
    refuse(second, `Cannot nest multiple pattern navigation functions ${inside}`);
  }
  if (inner === "prev" || inner === "next") {
    refuse(first, `Cannot nest ${inner} pattern navigation function ${inside}`);
  }
  if (first !== argument) {
    refuse(first, "Immediate nesting is required for pattern navigation functions");
  }
}

/** Returns the common label of all references: undefined if there is no reference, null for references to rows with any label. */
function labelOfMentions(mentions: readonly Mention[], node: FunctionCall, name: string): string | null | undefined {
  const columns = mentions.filter(({ kind }) => kind === "COLUMN");
  const labeled = columns.filter(({ label }) => label !== undefined);
  const columnLabels = new Set(columns.map(({ label }) => label ?? null));
  const classifierLabels = new Set(mentions.filter(({ kind }) => kind === "CLASSIFIER").map(({ label }) => label ?? null));
  if (columnLabels.size > 1) {
    const message = `Column references inside argument of function ${name} must all either be prefixed with the same label or be not prefixed`;
    throw semanticError("INVALID_ARGUMENTS", labeled[0]?.syntax ?? node, message);
  }
  if (classifierLabels.size > 1) {
    const message = `CLASSIFIER() calls inside argument of function ${name} must all either have the same label as the argument or have no arguments`;
    throw semanticError("INVALID_ARGUMENTS", node, message);
  }
  const [column] = columnLabels;
  const [classifier] = classifierLabels;
  if (column !== undefined && classifier !== undefined && column !== classifier) {
    const what = `Column references inside argument of function ${name} must all be prefixed with the same label`;
    throw semanticError("INVALID_ARGUMENTS", node, `${what} that all CLASSIFIER() calls have as the argument`);
  }
  return column ?? classifier;
}

function analyzePatternAggregate(name: string, node: FunctionCall, env: PatternEnvironment): RowExpression {
  checkAggregateForm(name, node);
  const { navigation: _navigation, ...outside } = env.pattern;
  const accesses = new AccessCollector(env.analysis.ids);
  const labels = new Set<string | null>();
  /** Analyzes arguments and records the labels of their references. */
  const read = <T>(analyze: (inside: PatternEnvironment) => T): T => {
    const mentions: Mention[] = [];
    const made = analyze({ ...env, pattern: { ...outside, accesses, aggregates: [], inAggregate: true, mentions } });
    const label = labelOfMentions(mentions, node, name);
    if (label !== undefined) {
      labels.add(label);
    }
    return made;
  };
  if (!isCollection(name)) {
    const args = node.arguments.map((argument) => read((inside) => analyzeExpression(argument, inside)));
    return addAggregate(chooseAggregate(name, args, node), undefined, { node, env, accesses, labels });
  }
  const collection = read((inside) => analyzeCollection(name, node, { inside, env, filter: undefined }));
  const chosen = chooseAggregate("array_agg", [collection.collected], node);
  const value = collection.finish(addAggregate(chosen, collection.filter, { node, env, accesses, labels }));
  if (usesAny(value, new Set(accesses.accesses.map(({ output }) => output.name)))) {
    throw notSupported(node, `Arguments of ${name} that differ from row to row are not supported in pattern recognition context`);
  }
  return value;
}

interface AggregateSurroundings {
  readonly node: FunctionCall;
  readonly env: PatternEnvironment;
  readonly accesses: AccessCollector;
  readonly labels: ReadonlySet<string | null>;
}

function addAggregate(
  chosen: ChosenAggregate,
  mask: RowExpression | undefined,
  { accesses, env, labels, node }: AggregateSurroundings,
): RowExpression {
  const { pattern, analysis } = env;
  if (labels.size > 1) {
    throw semanticError("INVALID_ARGUMENTS", node, "All aggregate function arguments must apply to rows matched with the same label");
  }
  const [label] = node.starLabel === undefined ? labels : [starLabelOf(node.starLabel, pattern)];
  const output = analysis.ids.variable(chosen.name, chosen.returnType);
  pattern.aggregates.push({
    output,
    name: chosen.name,
    argumentTypes: chosen.argumentTypes,
    args: chosen.args,
    ...(mask !== undefined && { mask }),
    inputs: accesses.accesses,
    labels: label === undefined || label === null ? [] : (pattern.labels.get(label) ?? []),
    running: node.processingMode?.mode !== "FINAL",
  });
  return output;
}

function checkAggregateForm(name: string, node: FunctionCall): void {
  const what = `with ${name} aggregate function in pattern recognition context`;
  if (node.filter !== undefined) {
    throw notSupported(node, `Cannot use FILTER ${what}`);
  }
  if (node.orderBy.length > 0) {
    throw notSupported(node, `Cannot use ORDER BY ${what}`);
  }
  if (node.distinct) {
    throw notSupported(node, `Cannot use DISTINCT ${what}`);
  }
  if (node.starLabel !== undefined && name !== "count") {
    throw labelNotAllowed(node.starLabel);
  }
  if (node.star && name !== "count") {
    throw semanticError("FUNCTION_NOT_FOUND", node, `Function '${name}' not registered`);
  }
  const [aggregate] = callsIn(node.arguments, (call) => isAggregate(nameOf(call)) || isCollection(nameOf(call)));
  if (aggregate !== undefined) {
    throw semanticError("NESTED_AGGREGATION", aggregate, `Cannot nest ${nameOf(aggregate)} aggregate function inside ${name} function`);
  }
  const [navigation] = callsIn(node.arguments, (call) => navigations.has(patternFunction(call) ?? ""));
  if (navigation !== undefined) {
    const inner = nameOf(navigation);
    throw semanticError(
      "INVALID_NAVIGATION_NESTING",
      navigation,
      `Cannot nest ${inner} pattern navigation function inside ${name} function`,
    );
  }
}

function starLabelOf(starLabel: Identifier, { labels }: PatternContext): string {
  const label = canonicalName(starLabel);
  if (!labels.has(label)) {
    throw semanticError(
      "INVALID_FUNCTION_ARGUMENT",
      starLabel,
      `${printExpression(starLabel)} is not a primary pattern variable or subset name`,
    );
  }
  return label;
}
