/**
 * Quantified comparisons (ALL, ANY, SOME) with a subquery. A comparison with every row is decided by the minimum or maximum; counts detect
 * NULLs. A correlated IN is decided similarly, by counts beside an EXISTS.
 */
import { resolveAggregate } from "../../../functions/registry/registry.ts";
import type { InSubquery, QuantifiedComparison } from "../../../sql/ast/ast.ts";
import { BIGINT, BOOLEAN, displayType, functionType, isNested, type Type } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, call, collectVariables, constant, FALSE, not, or, special, TRUE } from "../../plan/expression-tree.ts";
import type { AggregateCall, PlanNode } from "../../plan/node.ts";
import { distinctVariables, filterNode } from "../../plan/plan-tree.ts";
import type { Analysis, Environment, PendingSubquery } from "../analysis.ts";
import { asVariable, crossJoin, semiJoin } from "./joins.ts";
import { isOneRow } from "./one-row.ts";
import { joinCorrelatedExists, joinCorrelatedScalar } from "./decorrelate.ts";
import { semanticError, type Placed } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { callFunction, callOperator, chooseAggregate, comparisonOperators } from "../expression/functions.ts";
import { compareWithRows, equalitiesOf, holdsNull, type Pair, pairsOf, valueOfRow } from "./row-subqueries.ts";
import type { Scope } from "../scope/scope.ts";
import { compareWithAnyRow, compareWithEachRow, compareWithOne, computedFor, planSubquery, type SubqueryPlan } from "./subqueries.ts";

export function analyzeQuantified(expression: QuantifiedComparison, env: Environment): RowExpression {
  const { value, query, location, operator, quantifier } = expression;
  const asIn: InSubquery = { kind: "InSubquery", value, query, location };
  if (operator === "=" && quantifier === "ANY") {
    return analyzeIn(asIn, env);
  }
  if (operator === "<>" && quantifier === "ALL") {
    return call("$not", BOOLEAN, [analyzeIn(asIn, env)]);
  }
  if (operator === "<>") {
    return not(compareWithAll({ ...expression, operator: "=", quantifier: "ALL" }, env));
  }
  return compareWithAll(expression, env);
}

/** Summary of a subquery's values: one row, even without values. */
interface Summary {
  readonly node: PlanNode;
  readonly rows: Variable;
  /** One summary for each plain part of the values. */
  readonly parts: readonly PartSummary[];
  /** One array of all values for each nested part. */
  readonly lists: readonly List[];
}

interface List {
  readonly array: Variable;
  /** Lambda parameter for an element. */
  readonly member: Variable;
}

interface PartSummary {
  readonly min: Variable;
  readonly max: Variable;
  /** Number of values that are not NULL. */
  readonly known: Variable;
  /**
   * For floating-point values: number of values that are neither NULL nor NaN. NaN compares as false with every value and is never an
   * extreme.
   */
  readonly ordered?: Variable;
}

function compareWithAll(expression: QuantifiedComparison, env: Environment): RowExpression {
  const { analysis } = env;
  const given = analyzeExpression(expression.value, env);
  const planned = planSubquery(expression.query, env, expression);
  const { relation, correlated, collector } = planned;
  const compared = compareWithRows(given, relation, expression, "quantified comparison");
  const computed = computedFor(planned, env);
  if (computed !== undefined) {
    const compare = ({ value, item }: Pair) => callOperator(comparisonOperators[expression.operator], [value, item], expression);
    const combine = expression.quantifier === "ALL" ? compareWithEachRow : compareWithAnyRow;
    return combine(computed, compared, planned, env, compare);
  }
  if (correlated.length > 0 && isOneRow(relation.node)) {
    return compareWithOne(comparisonOperators[expression.operator], given, compared, expression, env);
  }
  // Two rows are equal if all of their fields are. So all rows equal a value exactly if, for each field, all rows equal the value's field.
  const pairs = expression.operator === "=" ? pairsOf(compared) : [compared];
  // For arrays and maps, the extremes do not tell whether a NULL element makes an equality unknown.
  const listed = expression.operator === "=" ? pairs.filter(({ item }) => isNested(item.type)) : [];
  const plain = pairs.filter((pair) => !listed.includes(pair));
  const summary = summarize(analysis, relation.node, { plain, listed }, expression);
  const result = compareWithSummary(expression, { plain, listed }, summary);
  if (correlated.length === 0) {
    collector.push({ output: summary.rows, uses: [], apply: (node) => crossJoin(analysis, node, summary.node) });
    return result;
  }
  const output = analysis.ids.variable("quantified", BOOLEAN);
  const uses = [...correlated, ...collectVariables(compared.value).values()];
  const apply = joinCorrelatedScalar(analysis, summary.node, result, output, correlated, env.scope, expression);
  collector.push({ output, uses, apply });
  return output;
}

interface ComparedParts {
  readonly plain: readonly Pair[];
  /** Parts of nested types, compared one value at a time. */
  readonly listed: readonly Pair[];
}

function summarize(analysis: Analysis, source: PlanNode, { plain, listed }: ComparedParts, at: Placed): Summary {
  const { ids } = analysis;
  const aggregate = (name: string, args: readonly Variable[]): AggregateCall => {
    const resolved = resolveAggregate(
      name,
      args.map((arg) => arg.type),
    );
    if ("error" in resolved) {
      throw notOrderable(args[0]?.type ?? BIGINT, at);
    }
    return { output: ids.variable(name, resolved.returnType), name: resolved.name, argumentTypes: resolved.argTypes, args };
  };
  let node = source;
  const variableOf = ({ item }: Pair): Variable => {
    const made = asVariable(analysis, node, item, "value");
    node = made.node;
    return made.variable;
  };
  const variables = plain.map(variableOf);
  const lists = listed.map((pair) => aggregate("array_agg", [variableOf(pair)]));
  const compared = variables.map((variable) => {
    if (!isFloating(variable.type)) {
      return variable;
    }
    const made = asVariable(analysis, node, withoutNaN(variable, at), "value");
    node = made.node;
    return made.variable;
  });
  const extremes = compared.map((variable) => ({ min: aggregate("min", [variable]), max: aggregate("max", [variable]) }));
  const rows = aggregate("count", []);
  const parts = extremes.map((extreme, index) => {
    const [variable, ordered] = [variables[index] as Variable, compared[index] as Variable];
    const counted = ordered === variable ? {} : { ordered: aggregate("count", [ordered]) };
    return { ...extreme, known: aggregate("count", [variable]), ...counted };
  });
  const counts = parts.flatMap(({ known, ordered }) => (ordered === undefined ? [known] : [known, ordered]));
  const aggregates = [...extremes.flatMap(({ min, max }) => [min, max]), rows, ...counts, ...lists];
  return {
    node: { kind: "Aggregation", id: ids.node(), source: node, step: "SINGLE", keys: [], aggregates },
    rows: rows.output,
    parts: parts.map(({ min, max, known, ordered }) => {
      return { min: min.output, max: max.output, known: known.output, ...(ordered && { ordered: ordered.output }) };
    }),
    lists: lists.map(({ output, args }) => ({ array: output, member: ids.variable("member", (args[0] as Variable).type) })),
  };
}

function isFloating({ kind }: Type): boolean {
  return kind === "double" || kind === "real";
}

function withoutNaN(value: RowExpression, at: Placed): RowExpression {
  const isNaN = callFunction("is_nan", [value], at);
  return special("IF", value.type, [isNaN, constant(value.type, null), value]);
}

function notOrderable(type: Type, at: Placed): Error {
  return semanticError("TYPE_MISMATCH", at, `Type [${displayType(type)}] must be orderable in order to be used in quantified comparison`);
}

function compareWithSummary(
  expression: QuantifiedComparison,
  { plain, listed }: ComparedParts,
  { rows, parts, lists }: Summary,
): RowExpression {
  const all = expression.quantifier === "ALL";
  const decided = parts.map(({ min, max, known, ordered }, index) => {
    const { value } = plain[index] as Pair;
    const compare = (name: string, other: RowExpression) => callOperator(name, [value, other], expression);
    const comparison = (): RowExpression => {
      switch (expression.operator) {
        case "<":
          return compare("$lt", all ? min : max);
        case "<=":
          return compare("$le", all ? min : max);
        case ">":
          return compare("$gt", all ? max : min);
        case ">=":
          return compare("$ge", all ? max : min);
        default:
          return and([compare("$eq", min), compare("$eq", max)]);
      }
    };
    // With a NULL among the values, the result is NULL unless the other values decide it.
    const open = special("SWITCH", BOOLEAN, [callOperator("$ne", [rows, known], expression), unknown, all ? TRUE : FALSE]);
    if (ordered === undefined) {
      return all ? and([comparison(), open]) : or([comparison(), open]);
    }
    if (all) {
      return and([comparison(), open, callOperator("$eq", [known, ordered], expression)]);
    }
    // If all values are NaN, the comparison is false for a value that is not NULL.
    const isNone = and([special("IS_NULL", BOOLEAN, [max]), not(special("IS_NULL", BOOLEAN, [value]))]);
    return or([special("IF", BOOLEAN, [isNone, FALSE, comparison()]), open]);
  });
  const each = lists.map((list, index) => allEqual(list, (listed[index] as Pair).value, expression));
  return special("SWITCH", BOOLEAN, [isZero(rows, expression), all ? TRUE : FALSE, and([...decided, ...each])]);
}

function allEqual({ array, member }: List, value: RowExpression, at: Placed): RowExpression {
  const body = callOperator("$eq", [value, member], at);
  const test: RowExpression = { kind: "lambda", type: functionType([member.type], BOOLEAN), parameters: [member], body };
  return callFunction("all_match", [array, test], at);
}

const unknown: RowExpression = constant(BOOLEAN, null);

function isZero(count: Variable, at: Placed): RowExpression {
  return callOperator("$eq", [count, constant(BIGINT, "0")], at);
}

export function analyzeIn(expression: InSubquery, env: Environment): RowExpression {
  const value = analyzeExpression(expression.value, env);
  const planned = planSubquery(expression.query, env, expression);
  const { relation, correlated, collector } = planned;
  const compared = compareWithRows(value, relation, expression, "IN expression");
  if (correlated.length > 0) {
    const rows = computedFor(planned, env);
    if (rows !== undefined) {
      return compareWithAnyRow(rows, compared, planned, env, (pair) => and(equalitiesOf(pair, expression)));
    }
    const isOne = isOneRow(relation.node);
    return isOne ? compareWithOne("$eq", value, compared, expression, env) : analyzeCorrelatedIn(expression, value, planned, env);
  }
  const { analysis } = env;
  const output = analysis.ids.variable("in", BOOLEAN);
  const filtering = asVariable(analysis, relation.node, compared.item, "key");
  const apply = (node: PlanNode, rewrite: (e: RowExpression) => RowExpression): PlanNode =>
    semiJoin(analysis, node, rewrite(compared.value), filtering.node, filtering.variable, output);
  collector.push({ output, uses: [...collectVariables(compared.value).values()], apply });
  return output;
}

/** `value` IN a correlated subquery: true if an equal row exists; otherwise NULL if a comparison with a NULL was undecided. */
function analyzeCorrelatedIn(expression: InSubquery, value: RowExpression, planned: SubqueryPlan, env: Environment): RowExpression {
  const { analysis } = env;
  if (analysis.isRecursive === true) {
    return analyzeListedIn(expression, value, planned, env);
  }
  const found = analysis.ids.variable("found", BOOLEAN);
  const pair = joinRows(expression, value, found, equalitiesOf, env, planned);

  if (isNested(pair.value.type)) {
    const maybe = or([orFalse(joinOpenRows(expression, value, env)), orFalse(joinForOpenValue(expression, value, env))]);
    return special("SWITCH", BOOLEAN, [orFalse(found), TRUE, maybe, unknown, FALSE]);
  }
  // The subquery is planned a second time, because the counts cover all its rows and not only the equal ones.
  const counted = planSubquery(expression.query, env, expression);
  const summary = summarizeNulls(analysis, counted.relation.node, valueOfRow(counted.relation, expression), expression);
  const maybe = analysis.ids.variable("maybe", BOOLEAN);
  const mayBeEqual = or([
    and([special("IS_NULL", BOOLEAN, [value]), not(isZero(summary.rows, expression))]),
    callOperator("$ne", [summary.rows, summary.known], expression),
  ]);
  const join: PendingSubquery["apply"] = joinCorrelatedScalar(
    analysis,
    summary.node,
    mayBeEqual,
    maybe,
    counted.correlated,
    env.scope,
    expression,
  );
  counted.collector.push({ output: maybe, uses: [...counted.correlated, ...collectVariables(value).values()], apply: join });
  return special("SWITCH", BOOLEAN, [orFalse(found), TRUE, maybe, unknown, FALSE]);
}

/** The same with a single plan of the subquery: its values are collected for each outer row and compared one at a time. */
function analyzeListedIn(expression: InSubquery, value: RowExpression, planned: SubqueryPlan, env: Environment): RowExpression {
  const { analysis } = env;
  const { relation, correlated, collector } = planned;
  const pair = compareWithRows(value, relation, expression, "IN expression");
  const item = asVariable(analysis, relation.node, pair.item, "value");
  const isEqual = (member: Variable): RowExpression => and(equalitiesOf({ value: pair.value, item: member }, expression));
  const { node, test, list } = collectItems(item, isEqual, analysis, expression);
  const output = analysis.ids.variable("in", BOOLEAN);
  const isAny = special("IF", BOOLEAN, [special("IS_NULL", BOOLEAN, [list]), FALSE, callFunction("any_match", [list, test], expression)]);
  const uses = [...correlated, ...collectVariables(value).values()];
  collector.push({ output, uses, apply: joinCorrelatedScalar(analysis, node, isAny, output, correlated, env.scope, expression) });
  return output;
}

interface CollectedItems {
  readonly node: PlanNode;
  readonly list: Variable;
  readonly test: RowExpression;
}

/** Collects all values of a column, or only those of `mask`, in one array. Returns a lambda that tests the condition for one of them. */
function collectItems(
  { node: source, variable, mask }: { readonly node: PlanNode; readonly variable: Variable; readonly mask?: Variable },
  condition: (member: Variable) => RowExpression,
  { ids }: Analysis,
  at: Placed,
): CollectedItems {
  const { name, argumentTypes, returnType } = chooseAggregate("array_agg", [variable], at);
  const list = ids.variable("list", returnType);
  const collected: AggregateCall = { output: list, name, argumentTypes, args: [variable], ...(mask && { mask }) };
  const node: PlanNode = { kind: "Aggregation", id: ids.node(), source, step: "SINGLE", keys: [], aggregates: [collected] };
  const member = ids.variable("member", variable.type);
  const type = functionType([member.type], BOOLEAN);
  return { node, list, test: { kind: "lambda", type, parameters: [member], body: condition(member) } };
}

function orFalse(condition: RowExpression): RowExpression {
  return special("COALESCE", BOOLEAN, [condition, FALSE]);
}

/** `output` tells whether the subquery has a row for which all of `conditions` hold. */
function joinRows(
  expression: InSubquery,
  value: RowExpression,
  output: Variable,
  conditions: (pair: Pair, at: Placed) => readonly RowExpression[],
  env: Environment,
  planned: SubqueryPlan = planSubquery(expression.query, env, expression),
): Pair {
  const { analysis } = env;
  const { relation, correlated, collector } = planned;
  const pair = compareWithRows(value, relation, expression, "IN expression");
  const filtered = filterNode(analysis.ids, relation.node, conditions(pair, expression));
  const used = distinctVariables([...correlated, ...collectVariables(value).values()]);
  collector.push({ output, uses: used, apply: joinCorrelatedExists(analysis, filtered, output, used, withSubqueries(env), expression) });
  return pair;
}

/** Tests whether the value contains a NULL and its comparison with some row is undecided. Few values contain a NULL, usually none. */
function joinForOpenValue(expression: InSubquery, value: RowExpression, env: Environment): Variable {
  const maybe = env.analysis.ids.variable("maybe", BOOLEAN);
  joinRows(expression, value, maybe, (pair, at) => [holdsNull(pair.value, at), isUnknown(pair, at)], env);
  return maybe;
}

/**
 * Tests whether the comparison with some row that contains a NULL is undecided. These rows, usually none, are collected first,
 * independently of the value.
 */
function joinOpenRows(expression: InSubquery, value: RowExpression, env: Environment): Variable {
  const { analysis } = env;
  const { relation, correlated, collector } = planSubquery(expression.query, env, expression);
  const pair = compareWithRows(value, relation, expression, "IN expression");
  const item = asVariable(analysis, relation.node, pair.item, "value");
  const mask = asVariable(analysis, item.node, holdsNull(item.variable, expression), "mask");
  const masked = { node: mask.node, variable: item.variable, mask: mask.variable };
  const isOpen = (member: Variable) => isUnknown({ value: pair.value, item: member }, expression);
  const { node, list, test } = collectItems(masked, isOpen, analysis, expression);
  const matches = callFunction("any_match", [list, test], expression);
  const maybe = analysis.ids.variable("maybe", BOOLEAN);
  const uses = [...correlated, ...collectVariables(value).values()];
  collector.push({ output: maybe, uses, apply: joinCorrelatedScalar(analysis, node, matches, maybe, correlated, env.scope, expression) });
  return maybe;
}

function isUnknown(pair: Pair, at: Placed): RowExpression {
  return special("IS_NULL", BOOLEAN, [and(equalitiesOf(pair, at))]);
}

/** A scope with the columns of the environment and the results of earlier subqueries. A value may use both. */
function withSubqueries({ scope, subqueries }: Environment): Scope {
  return { ...scope, fields: [...scope.fields, ...(subqueries ?? []).map(({ output }) => ({ expression: output, hidden: true }))] };
}

interface CountedNulls {
  readonly node: PlanNode;
  readonly rows: Variable;
  readonly known: Variable;
}

function summarizeNulls(analysis: Analysis, source: PlanNode, item: RowExpression, at: Placed): CountedNulls {
  const { ids } = analysis;
  const { node, variable } = asVariable(analysis, source, item, "value");
  const count = (args: readonly Variable[]): AggregateCall => {
    const resolved = resolveAggregate(
      "count",
      args.map((arg) => arg.type),
    );
    if ("error" in resolved) {
      throw notOrderable(item.type, at);
    }
    return { output: ids.variable("count", BIGINT), name: resolved.name, argumentTypes: resolved.argTypes, args };
  };
  const [rows, known] = [count([]), count([variable])];
  return {
    node: { kind: "Aggregation", id: ids.node(), source: node, step: "SINGLE", keys: [], aggregates: [rows, known] },
    rows: rows.output,
    known: known.output,
  };
}
