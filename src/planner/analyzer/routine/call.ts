/**
 * Calls of SQL functions. A body that is a single expression is inlined, if that evaluates no argument twice and skips none. Other bodies
 * become a call of `$routine`, with a program and its expressions as lambdas (program.ts).
 */
import { isAggregate, isWindow, resolveScalar } from "../../../functions/registry/registry.ts";
import { unexpectedParameters } from "../../../functions/registry/resolution.ts";
import { routineName } from "../../../functions/runtime/routine-program.ts";
import { QueryError, statementTooLarge } from "../../../protocol/errors.ts";
import type { Expression, FunctionCall, FunctionSpecification } from "../../../sql/ast/ast.ts";
import { lowerParts } from "../../../sql/ast/ast.ts";
import { printName } from "../../../sql/printer/names.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { BOOLEAN, displayType } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { childrenOf, constant, isDeterministic, or, special, substitute } from "../../plan/expression-tree.ts";
import { requireExecution } from "../../access/execution.ts";
import type { Analysis, Environment } from "../analysis.ts";
import { isNonDeterministic, withBits } from "../expression/non-deterministic.ts";
import { isCollection } from "../aggregation/collections.ts";
import { notSupported, semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { callFunction, coerce } from "../expression/functions.ts";
import { defineRoutine, type InlineFunctions, noInlineFunctions, type Routine, securityOf, signatureText } from "./definition.ts";
import { type Body, callProgram, compileBody } from "./program.ts";
import { matchInPath, matchRoutine, routineSession } from "./resolve.ts";

/** Maximum depth of nested SQL function calls. */
const nestedMax = 100;
/** Maximum number of nodes and height of the expression for a call. Each call contains copies of the bodies that it calls. */
const nodesMax = 50_000;
const heightMax = 800;

/** Special forms, which no function can replace. */
const forms: ReadonlySet<string> = new Set(["coalesce", "grouping", "if", "nullif", "try"]);

/** Returns undefined if the name is not an SQL function, or if the call resolves to a built-in function. */
export function analyzeRoutineCall(node: FunctionCall, env: Environment): RowExpression | undefined {
  const [first = "", ...more] = lowerParts(node.name);
  if (more.length === 0 && forms.has(first)) {
    return undefined;
  }
  const inline = more.length === 0 ? (env.analysis.routines?.inline.get(first) ?? []) : [];
  const stored = env.analysis.tables.findFunctions(node.name);
  if (inline.length === 0 && stored.length === 0) {
    return undefined;
  }
  const isBuiltIn = more.length === 0 && isEngineFunction(first);
  const { distinct, filter, nullTreatment, orderBy, star, window } = node;
  const isPlain = !distinct && !star && orderBy.length === 0 && [filter, nullTreatment, window].every((clause) => clause === undefined);
  const hasLambda = node.arguments.some(({ kind }) => kind === "Lambda");
  if (!isPlain || hasLambda) {
    if (isBuiltIn) {
      return undefined;
    }
    return refuseCall(node, [...inline, ...stored], env);
  }
  const count = node.arguments.length;
  if (isBuiltIn && !inline.some(({ parameters }) => parameters.length === count) && (isAggregate(first) || isWindow(first))) {
    return undefined;
  }
  const args = node.arguments.map((argument) => analyzeExpression(argument, env));
  const types = args.map(({ type }) => type);
  const own = onlyOne(matchRoutine(inline, types), node);
  if (own !== undefined) {
    return expandCall(own, args, node, env);
  }
  if (isBuiltIn && !("error" in resolveScalar(first, types))) {
    const found = callFunction(first, args, node);
    return isNonDeterministic(first) ? withBits(found, env.analysis.context) : found;
  }
  const broken = stored.find((one) => one instanceof QueryError);
  const routines = stored.filter((one): one is Routine => !(one instanceof QueryError));
  const found = onlyOne(matchInPath(routines, types), node);
  if (found !== undefined) {
    return expandCall(found, args, node, env);
  }
  if (broken !== undefined) {
    throw brokenFunction(printName(node.name), broken, node);
  }
  const given = types.map(displayType);
  throw mismatch(node, given, [...inline, ...routines]);
}

function onlyOne(found: readonly Routine[], node: FunctionCall): Routine | undefined {
  if (found.length < 2) {
    return found[0];
  }
  const candidates = found.map((routine) => `\t * ${signatureText(routine)}\n`).join("");
  const message = `Could not choose a best candidate operator. Explicit type casts must be added.\nCandidates are:\n${candidates}`;
  throw semanticError("AMBIGUOUS_FUNCTION_CALL", node, message);
}

function isEngineFunction(name: string): boolean {
  const found = resolveScalar(name, []);
  return isAggregate(name) || isCollection(name) || isWindow(name) || !("error" in found) || found.error !== "NOT_FOUND";
}

/**
 * Rejects clauses that only aggregates, window functions or functions with lambdas accept. Returns undefined if the analysis of built-in
 * calls reports the error.
 */
function refuseCall(node: FunctionCall, found: readonly (Routine | QueryError)[], env: Environment): undefined {
  if (node.window !== undefined) {
    throw semanticError("FUNCTION_NOT_WINDOW", node, `Not a window function: ${nameOf(node)}`);
  }
  if (node.distinct || node.filter !== undefined || node.nullTreatment !== undefined || node.orderBy.length > 0) {
    return undefined;
  }
  const routines = found.filter((one): one is Routine => !(one instanceof QueryError));
  const given = node.arguments.map((argument) =>
    argument.kind === "Lambda" ? "<function>" : displayType(analyzeExpression(argument, env).type),
  );
  throw mismatch(node, given, routines);
}

function nameOf(node: FunctionCall): string {
  return node.name.parts.map(({ value }) => value.toLowerCase()).join(".");
}

function mismatch(node: FunctionCall, given: readonly string[], candidates: readonly Routine[]): QueryError {
  const name = nameOf(node);
  const signatures = candidates.map(({ parameters, returnType }) => ({
    name,
    args: parameters.map(({ type }) => displayType(type)),
    returns: displayType(returnType),
    description: "",
  }));
  return semanticError("FUNCTION_NOT_FOUND", node, unexpectedParameters(name, signatures, given));
}

function brokenFunction(name: string, error: QueryError, at: FunctionCall): QueryError {
  return semanticError(error.errorName, at, `Failed analyzing stored function '${name}': ${error.message}`);
}

/** WITH FUNCTION: each function is analyzed at its declaration, even if unused, and sees the functions before it. */
export function withFunctions(specifications: readonly FunctionSpecification[], analysis: Analysis): Analysis {
  let inline: InlineFunctions = analysis.routines?.inline ?? noInlineFunctions();
  for (const specification of specifications) {
    if (specification.name.parts.length > 1) {
      const name = printName(specification.name);
      throw semanticError("SYNTAX_ERROR", specification, `Inline function names cannot be qualified: ${name}`);
    }
    const security = securityOf(specification);
    if (security !== undefined) {
      throw notSupported(security, "Security mode not supported for inline functions");
    }
    const routine = defineRoutine(specification, { visible: inline });
    const others = inline.get(routine.name) ?? [];
    const text = signatureText(routine);
    if (others.some((other) => matchesExactly(other, routine))) {
      throw semanticError("ALREADY_EXISTS", specification, `Function already declared: ${text}`);
    }
    requireSoundBody(routine, analysis);
    inline = new Map(inline).set(routine.name, [...others, routine]);
  }
  return { ...analysis, routines: { inline, active: analysis.routines?.active ?? [] } };
}

function matchesExactly(a: Routine, b: Routine): boolean {
  return (
    a.parameters.length === b.parameters.length &&
    a.parameters.every(({ type }, i) => displayType(type) === displayType((b.parameters[i] as (typeof a.parameters)[number]).type))
  );
}

/** Throws errors in the body of a function that is being declared or created. */
export function requireSoundBody(routine: Routine, analysis: Analysis): void {
  analyzeBody(routine, analysis);
}

function expandCall(routine: Routine, args: readonly RowExpression[], node: FunctionCall, env: Environment): RowExpression {
  const { stored } = routine;
  if (stored === undefined) {
    return expand(routine, args, env.analysis);
  }
  const name = [stored.catalog, stored.schema, routine.name].join(".");
  requireExecution({ catalog: stored.catalog, schema: stored.schema, name: routine.name }, env.analysis.context);
  try {
    return expand(routine, args, env.analysis);
  } catch (error) {
    if (!(error instanceof QueryError) || error.location === undefined) {
      throw error;
    }
    throw brokenFunction(name, error, node);
  }
}

function expand(routine: Routine, args: readonly RowExpression[], analysis: Analysis): RowExpression {
  const given = args.map((arg, index) => coerce(arg, (routine.parameters[index] as Routine["parameters"][number]).type));
  const body = analyzeBody(routine, analysis);
  const { expression } = body;
  const result =
    expression !== undefined && given.every(isPlainValue)
      ? substitute(
          nullChecked(expression, body, routine),
          new Map(body.parameters.map(({ name }, index) => [name, given[index] as RowExpression])),
        )
      : callProgram(routine, body, given);
  requireModest(result);
  return result;
}

/** Returns whether an expression is free to evaluate again and cannot fail: a column or a constant, possibly coerced. */
function isPlainValue(expression: RowExpression): boolean {
  if (expression.kind === "cast") {
    return !expression.safe && isPlainValue(expression.arg);
  }
  return expression.kind === "variable" || expression.kind === "constant";
}

function nullChecked(expression: RowExpression, { parameters }: Body, { calledOnNull }: Routine): RowExpression {
  if (calledOnNull || parameters.length === 0) {
    return expression;
  }
  const anyNull = or(parameters.map((parameter) => special("IS_NULL", BOOLEAN, [parameter])));
  return special("IF", expression.type, [anyNull, constant(expression.type, null), expression]);
}

function analyzeBody(routine: Routine, analysis: Analysis): Body {
  const { specification } = routine;
  const active = analysis.routines?.active ?? [];
  if (active.some((one) => one.specification === specification || isSameStored(one, routine))) {
    const message = `Recursive language functions are not supported: ${signatureText(routine)}`;
    throw routine.stored === undefined ? notSupported(specification, message) : new QueryError("NOT_SUPPORTED", message);
  }
  if (active.length >= nestedMax) {
    throw new QueryError("COMPILER_ERROR", statementTooLarge);
  }
  requireNoQueries(specification);
  const session = routineSession(routine, analysis.context.session);
  const inside: Analysis = {
    ...analysis,
    context: { ...analysis.context, session },
    tables: analysis.tables.within(session),
    routines: { inline: routine.stored === undefined ? withItself(routine) : noInlineFunctions(), active: [...active, routine] },
  };
  const body = compileBody(routine, inside);
  requireDeterminism(routine, body);
  return body;
}

/**
 * Checks the DETERMINISTIC clause. In Trino, every function with a lambda argument counts as non-deterministic, so a body with a lambda may
 * be declared either way.
 */
function requireDeterminism({ deterministic, specification }: Routine, { expressions }: Body): void {
  if (deterministic && !expressions.every(isDeterministic)) {
    throw semanticError("INVALID_ARGUMENTS", specification, "Non-deterministic function declared DETERMINISTIC");
  }
  if (!deterministic && expressions.every(isDeterministic) && !expressions.some(takesLambda)) {
    throw semanticError("INVALID_ARGUMENTS", specification, "Deterministic function declared NOT DETERMINISTIC");
  }
}

function takesLambda(expression: RowExpression): boolean {
  const isTaken = expression.kind === "call" && expression.name !== routineName && expression.args.some(({ kind }) => kind === "lambda");
  return isTaken || childrenOf(expression).some(takesLambda);
}

function isSameStored({ stored: a }: Routine, { name, stored: b }: Routine): boolean {
  if (a === undefined || b === undefined) {
    return false;
  }
  return (
    a.catalog === b.catalog &&
    a.schema === b.schema &&
    a.definition.signature === b.definition.signature &&
    a.definition.sql === b.definition.sql &&
    name !== ""
  );
}

/** A function sees itself, so that recursion is reported as such. */
function withItself(routine: Routine): InlineFunctions {
  return new Map(routine.visible).set(routine.name, [...(routine.visible.get(routine.name) ?? []), routine]);
}

const queryKinds: ReadonlySet<unknown> = new Set(["SubqueryExpression", "Exists", "InSubquery", "QuantifiedComparison"]);

function requireNoQueries(specification: FunctionSpecification): void {
  visitSyntax(specification.statement, (node) => {
    if (queryKinds.has(node["kind"])) {
      throw notSupported(node as unknown as Expression, "Queries are not allowed in functions");
    }
  });
}

function requireModest(expression: RowExpression): void {
  let nodes = 0;
  const visit = (one: RowExpression, height: number): void => {
    nodes++;
    if (nodes > nodesMax || height > heightMax) {
      throw new QueryError("COMPILER_ERROR", statementTooLarge);
    }
    for (const child of childrenOf(one)) {
      visit(child, height + 1);
    }
  };
  visit(expression, 1);
}
