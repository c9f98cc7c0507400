/**
 * Translates expressions of the syntax tree into typed expressions. Resolves names and functions and makes coercions explicit. Aggregates,
 * windows and subqueries go to the collectors of the environment and are represented by variables.
 */
import { canCast } from "../../../functions/registry/coercion.ts";
import type {
  ArithmeticUnary,
  AtTimeZone,
  Between,
  Case,
  Cast,
  Comparison,
  Dereference,
  Expression,
  Extract,
  GenericLiteral,
  Identifier,
  InList,
  Like,
  Logical,
  WhenClause,
} from "../../../sql/ast/ast.ts";
import { printType } from "../../../sql/printer/names.ts";
import { QueryError, unreachable } from "../../../protocol/errors.ts";
import { BOOLEAN, displayType, VARCHAR, varcharType, type Type, UNKNOWN } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { and, cast, constant, isDeterministic, not, or, special } from "../../plan/expression-tree.ts";
import type { Environment } from "../analysis.ts";
import { analyzeExpression } from "./analyze-expression.ts";
import { analyzeFunctionCall } from "./calls.ts";
import { currentTime } from "./current.ts";
import { notSupported, semanticError } from "../errors.ts";
import { callFunction, callOperator, coerce, coerceItems, coerceTo, comparisonOperators } from "./functions.ts";
import { analyzeJsonFunction } from "../json/functions.ts";
import { genericLiteralConstant, integerConstant, literalConstant } from "./literals.ts";
import { analyzePatternName, analyzePatternSubquery } from "../pattern/pattern-expressions.ts";
import { analyzeOverlaps } from "./overlaps.ts";
import { analyzeIn, analyzeQuantified } from "../subquery/quantified.ts";
import { hasColumn, nameParts, resolveName } from "../scope/scope.ts";
import { analyzeArray, analyzeDereference, analyzeRow, analyzeSubscript, fieldByName } from "./structures.ts";
import { analyzeExists, analyzeScalarSubquery } from "../subquery/subqueries.ts";
import { orWhenUnknown, resolveType } from "../scope/types.ts";
import { analyzeWindowMeasure } from "../window/windows.ts";
import { jsonLiteral, zonedLiteral } from "./zoned-literals.ts";

/** Implements `Analyzers.expression`. */
export function analyzeExpressionByKind(expression: Expression, env: Environment): RowExpression {
  if (expression === env.caseOperand?.node) {
    return env.caseOperand.value;
  }
  const literal = literalConstant(expression);
  if (literal !== undefined) {
    return literal;
  }
  const { pattern } = env;
  if (pattern !== undefined && subqueryKinds.has(expression.kind)) {
    return analyzePatternSubquery(expression, { ...env, pattern });
  }
  switch (expression.kind) {
    case "Identifier":
    case "Dereference":
      return analyzeName(expression, env);
    case "GenericLiteral":
      return analyzeGenericLiteral(expression, env);
    case "ArithmeticBinary":
      return callOperator(arithmeticOperators[expression.operator], analyzeAll([expression.left, expression.right], env), expression);
    case "ArithmeticUnary":
      return analyzeSign(expression, env);
    case "Comparison":
      return analyzeComparison(expression, env);
    case "Logical":
      return analyzeLogical(expression, env);
    case "Not":
      return not(coerceTo(analyzeExpression(expression.value, env), BOOLEAN, "Value of logical NOT expression", expression.value));
    case "Between":
      return analyzeBetween(expression, env);
    case "InList":
      return analyzeInList(expression, env);
    case "Like":
      return analyzeLike(expression, env);
    case "Overlaps":
      return analyzeOverlaps(expression, env);
    case "IsNull":
      return special("IS_NULL", BOOLEAN, [analyzeExpression(expression.value, env)]);
    case "IsNotNull":
      return not(special("IS_NULL", BOOLEAN, [analyzeExpression(expression.value, env)]));
    case "Case":
      return analyzeCase(expression, env);
    case "Cast":
      return analyzeCast(expression, env);
    case "Extract":
      return analyzeExtract(expression, env);
    case "FunctionCall":
      return analyzeFunctionCall(expression, env);
    case "CurrentTime":
      return currentTime(
        { name: expression.function, ...(expression.precision === undefined ? {} : { precision: expression.precision }) },
        env.analysis.context.session,
      );
    case "CurrentName":
      return analyzeCurrentName(expression, env);
    case "SubqueryExpression":
      return analyzeScalarSubquery(expression, env);
    case "InSubquery":
      return analyzeIn(expression, env);
    case "Exists":
      return analyzeExists(expression, env);
    case "QuantifiedComparison":
      return analyzeQuantified(expression, env);
    case "WindowMeasure":
      return analyzeWindowMeasure(expression, env);
    case "AtTimeZone":
      return analyzeAtTimeZone(expression, env);
    case "Row":
      return analyzeRow(expression, env);
    case "ArrayConstructor":
      return analyzeArray(expression, env);
    case "Subscript":
      return analyzeSubscript(expression, env);
    case "Lambda":
      throw semanticError("TYPE_MISMATCH", expression, "Lambda expression should always be used inside a function");
    case "Parameter":
      if (env.analysis.describesParameters === true) {
        return constant(UNKNOWN, `?${expression.position}`);
      }
      throw semanticError("INVALID_PARAMETER_USAGE", expression, "Query takes no parameters");
    case "NullLiteral":
    case "BooleanLiteral":
    case "LongLiteral":
    case "DecimalLiteral":
    case "DoubleLiteral":
    case "StringLiteral":
    case "BinaryLiteral":
    case "IntervalLiteral":
      throw notSupported(expression, "Literal is not supported");
    case "JsonExists":
    case "JsonValue":
    case "JsonQuery":
    case "JsonObject":
    case "JsonArray":
      return analyzeJsonFunction(expression, env);
    default:
      return unreachable(expression);
  }
}

const subqueryKinds: ReadonlySet<string> = new Set(["SubqueryExpression", "InSubquery", "Exists", "QuantifiedComparison"]);

function analyzeAll(expressions: readonly Expression[], env: Environment): readonly RowExpression[] {
  return expressions.map((expression) => analyzeExpression(expression, env));
}

function analyzeName(expression: Expression & { kind: "Identifier" | "Dereference" }, env: Environment): RowExpression {
  const parts = nameParts(expression);
  if (parts === undefined) {
    return analyzeDereference(expression as Dereference, env);
  }
  const { pattern } = env;
  const read = pattern === undefined ? undefined : analyzePatternName(expression, parts, { ...env, pattern });
  if (read !== undefined) {
    return read;
  }
  return analyzeColumn(parts, parts.length, expression, env);
}

/** Resolves `a.b.c` as column c of relation a.b, else as field c of column b of relation a, else as field c of field b of column a. */
function analyzeColumn(parts: readonly Identifier[], count: number, at: Expression, env: Environment): RowExpression {
  const name = parts.slice(0, count);
  if (count > 1 && !hasColumn(env.scope, name)) {
    const base = analyzeRowColumn(parts, count - 1, at, env);
    if (base !== undefined) {
      return base;
    }
  }
  const { depth, field: found } = resolveName(env.scope, name, at);
  const column = found.expression;
  if (depth > 0 && column.kind === "variable") {
    env.analysis.outerColumns.push({ name: column.name, syntax: at });
  }
  const textOf = (length: number): string =>
    parts
      .slice(0, length)
      .map((part) => part.value)
      .join(".");
  return parts.slice(count).reduce<RowExpression>((value, field, index) => fieldByName(value, field, at, textOf(count + index)), column);
}

function analyzeRowColumn(parts: readonly Identifier[], count: number, at: Expression, env: Environment): RowExpression | undefined {
  for (let length = count; length > 0; length--) {
    if (hasColumn(env.scope, parts.slice(0, length))) {
      return analyzeColumn(parts, length, at, env);
    }
  }
  return undefined;
}

const arithmeticOperators = Object.freeze({ "+": "$add", "-": "$subtract", "*": "$multiply", "/": "$divide", "%": "$modulus" });

function analyzeSign(expression: ArithmeticUnary, env: Environment): RowExpression {
  if (
    expression.sign === "-" &&
    expression.value.kind === "LongLiteral" &&
    expression.value.value.replace(/^0+/, "") === "9223372036854775808"
  ) {
    return integerConstant(-9223372036854775808n, expression);
  }
  const value = analyzeExpression(expression.value, env);
  if (expression.sign === "-") {
    return callOperator("$negate", [value], expression);
  }
  callOperator("$negate", [value], expression, `Unary '+' operator cannot by applied to ${displayType(value.type)} type`);
  return value;
}

function analyzeComparison(expression: Comparison, env: Environment): RowExpression {
  const args = analyzeAll([expression.left, expression.right], env);
  return callOperator(comparisonOperators[expression.operator], args, expression);
}

function analyzeLogical(expression: Logical, env: Environment): RowExpression {
  const what = `Logical expression term`;
  const terms = expression.terms.map((term) => coerceTo(analyzeExpression(term, env), BOOLEAN, what, term));
  return expression.operator === "AND" ? and(terms) : or(terms);
}

function analyzeBetween(expression: Between, env: Environment): RowExpression {
  const [value, min, max] = [expression.value, expression.min, expression.max].map((e) => analyzeExpression(e, env)) as [
    RowExpression,
    RowExpression,
    RowExpression,
  ];
  const message = `Cannot check if ${displayType(value.type)} is BETWEEN ${displayType(min.type)} and ${displayType(max.type)}`;
  return and([callOperator("$ge", [value, min], expression, message), callOperator("$le", [value, max], expression, message)]);
}

function analyzeInList(expression: InList, env: Environment): RowExpression {
  const items = [expression.value, ...expression.list];
  const args = coerceItems(analyzeAll(items, env), items, "IN value and list items");
  const [value, item] = args;
  if (args.length === 2 && value !== undefined && item !== undefined) {
    return callOperator("$eq", [value, item], expression);
  }
  return special("IN", BOOLEAN, args);
}

function analyzeLike(expression: Like, env: Environment): RowExpression {
  const value = analyzeExpression(expression.value, env);
  if (value.type.kind !== "varchar" && value.type.kind !== "char" && value.type.kind !== "unknown") {
    throw semanticError(
      "TYPE_MISMATCH",
      expression.value,
      `Left side of LIKE expression must evaluate to a varchar (actual: ${displayType(value.type)})`,
    );
  }
  const pattern = coerceTo(analyzeExpression(expression.pattern, env), VARCHAR, "Pattern for LIKE expression", expression.pattern);
  const text = value.type.kind === "char" ? cast(value, varcharType(value.type.length)) : value;
  if (expression.escape === undefined) {
    return callFunction("like", [text, pattern], expression);
  }
  const escape = coerceTo(analyzeExpression(expression.escape, env), VARCHAR, "Escape for LIKE expression", expression.escape);
  return callFunction("like", [text, pattern, escape], expression);
}

function analyzeCase(expression: Case, env: Environment): RowExpression {
  const operand = expression.operand === undefined ? undefined : analyzeExpression(expression.operand, env);
  const caseOperand = expression.operand && operand && { node: expression.operand, value: operand };
  const conditions = expression.whenClauses.map((when) => {
    const isPredicate = when.isPredicate === true && caseOperand !== undefined;
    if (isPredicate && subqueryKinds.has(predicateOf(when).kind) && !isDeterministic(caseOperand.value)) {
      // A subquery's operand is computed below the others.
      throw notSupported(when, "Subquery in a WHEN clause of a CASE whose operand is not deterministic is not supported");
    }
    const condition = analyzeExpression(when.operand, isPredicate ? { ...env, caseOperand } : env);
    if (operand !== undefined && !isPredicate) {
      const types = `${displayType(operand.type)} vs ${displayType(condition.type)}`;
      return callOperator("$eq", [operand, condition], when.operand, `CASE operand type does not match WHEN clause operand type: ${types}`);
    }
    return coerceTo(condition, BOOLEAN, "CASE WHEN clause", when.operand);
  });
  const written = [
    ...expression.whenClauses.map(({ result }) => result),
    ...(expression.defaultValue === undefined ? [] : [expression.defaultValue]),
  ];
  const values = coerceItems(analyzeAll(written, env), written, "All CASE results");
  const results = expression.defaultValue === undefined ? [...values, constant(values[0]?.type ?? UNKNOWN, null)] : values;
  const type = results[0]?.type ?? BOOLEAN;
  const args = conditions.flatMap((condition, index) => [condition, results[index] as RowExpression]);
  return special("SWITCH", type, [...args, results[results.length - 1] as RowExpression]);
}

function predicateOf({ operand }: WhenClause): Expression {
  return operand.kind === "Not" ? operand.value : operand;
}

function analyzeCast(expression: Cast, env: Environment): RowExpression {
  const type = castTarget(expression);
  const value = analyzeExpression(expression.value, env);
  if (!canCast(value.type, type)) {
    throw semanticError("TYPE_MISMATCH", expression, `Cannot cast ${displayType(value.type)} to ${displayType(type)}`);
  }
  return value.kind === "constant" && value.value === null ? constant(type, null) : cast(value, type, expression.safe);
}

function castTarget(expression: Cast): Type {
  const type = orWhenUnknown(
    () => resolveType(expression.type),
    () => semanticError("TYPE_MISMATCH", expression, `Unknown type: ${printType(expression.type)}`),
  );
  if (type.kind === "unknown") {
    throw semanticError("TYPE_MISMATCH", expression, "UNKNOWN is not a valid type");
  }
  return type;
}

/** As in other contexts, a value without a zone first gets the session's zone. */
function analyzeAtTimeZone(expression: AtTimeZone, env: Environment): RowExpression {
  const value = analyzeExpression(expression.value, env);
  const zone = analyzeExpression(expression.timeZone, env);
  const { kind } = value.type;
  const isTime = kind === "time" || kind === "time with time zone";
  if (!isTime && kind !== "timestamp" && kind !== "timestamp with time zone") {
    throw semanticError(
      "TYPE_MISMATCH",
      expression.value,
      `Type of value must be a time or timestamp with or without time zone (actual ${displayType(value.type)})`,
    );
  }
  const precision = "precision" in value.type ? value.type.precision : 3;
  const zoned = coerce(value, { kind: isTime ? "time with time zone" : "timestamp with time zone", precision });
  return callFunction("at_timezone", [zoned, zone], expression);
}

const moments: readonly Type["kind"][] = ["timestamp", "timestamp with time zone"];
const yearsAndMonths: readonly Type["kind"][] = ["date", ...moments, "interval year to month"];
const days: readonly Type["kind"][] = ["date", ...moments];
const times: readonly Type["kind"][] = ["time", "time with time zone", ...moments, "interval day to second"];
const zones: readonly Type["kind"][] = ["time with time zone", "timestamp with time zone"];

/** For each field of EXTRACT: the function, and the types that have the field. */
const extractFields: ReadonlyMap<string, readonly [name: string, types: readonly Type["kind"][]]> = new Map<
  string,
  readonly [string, readonly Type["kind"][]]
>([
  ["YEAR", ["year", yearsAndMonths]],
  ["QUARTER", ["quarter", days]],
  ["MONTH", ["month", yearsAndMonths]],
  ["WEEK", ["week", days]],
  ["DAY", ["day", [...days, "interval day to second"]]],
  ["DAY_OF_MONTH", ["day", [...days, "interval day to second"]]],
  ["DAY_OF_WEEK", ["day_of_week", days]],
  ["DOW", ["day_of_week", days]],
  ["DAY_OF_YEAR", ["day_of_year", days]],
  ["DOY", ["day_of_year", days]],
  ["YEAR_OF_WEEK", ["year_of_week", days]],
  ["YOW", ["year_of_week", days]],
  ["HOUR", ["hour", times]],
  ["MINUTE", ["minute", times]],
  ["SECOND", ["second", times]],
  ["TIMEZONE_HOUR", ["timezone_hour", zones]],
  ["TIMEZONE_MINUTE", ["timezone_minute", zones]],
]);

function analyzeExtract(expression: Extract, env: Environment): RowExpression {
  const field = extractFields.get(expression.field);
  if (field === undefined) {
    throw semanticError("SYNTAX_ERROR", expression, `Invalid EXTRACT field: ${expression.field}`);
  }
  const value = analyzeExpression(expression.value, env);
  const [name, types] = field;
  if (!types.includes(value.type.kind)) {
    throw semanticError("TYPE_MISMATCH", expression.value, `Cannot extract ${expression.field} from ${displayType(value.type)}`);
  }
  return callFunction(name, [value], expression);
}

function analyzeGenericLiteral(expression: GenericLiteral, env: Environment): RowExpression {
  const direct = genericLiteralConstant(expression) ?? zonedLiteral(expression) ?? jsonLiteral(expression);
  if (direct !== undefined) {
    return direct;
  }
  const type = orWhenUnknown(
    () => resolveType({ kind: "GenericType", name: expression.type, arguments: [], location: expression.location }),
    () => semanticError("TYPE_NOT_FOUND", expression, `Unknown type: ${expression.type}`),
  );
  if (!canCast(VARCHAR, type)) {
    throw semanticError("INVALID_LITERAL", expression, `No literal form for type ${displayType(type)}`);
  }
  const text = constant(VARCHAR, expression.value);
  try {
    return constant(type, env.analysis.context.evaluateConstant(cast(text, type)));
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    throw semanticError("INVALID_LITERAL", expression, `'${expression.value}' is not a valid ${displayType(type)} literal`);
  }
}

function analyzeCurrentName(expression: Expression & { kind: "CurrentName" }, env: Environment): RowExpression {
  const session = env.analysis.context.session;
  const values = {
    CURRENT_USER: session.user,
    CURRENT_CATALOG: session.catalog ?? null,
    CURRENT_SCHEMA: session.schema ?? null,
    CURRENT_PATH: session.path ?? "",
  };
  return constant(VARCHAR, values[expression.name]);
}
