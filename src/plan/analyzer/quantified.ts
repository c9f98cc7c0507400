/**
 * Comparisons with all or any rows of a subquery: what holds for every row holds for the smallest or the largest value, and NULLs among the values are
 * seen by counting. IN of a correlated subquery is decided the same way, by counts beside an EXISTS.
 */
import { resolveAggregate } from "../../functions/catalogue.ts";
import { commonSuperType } from "../../functions/coercion.ts";
import type { InSubquery, QuantifiedComparison } from "../../sql/ast.ts";
import { BIGINT, BOOLEAN, displayType, type Type } from "../../types/type.ts";
import type { RowExpression, Variable } from "../expression.ts";
import { and, call, collectVariables, constant, FALSE, not, or, special, TRUE } from "../expressions.ts";
import type { AggregateCall, PlanNode } from "../node.ts";
import { distinctVariables, filterNode } from "../tree.ts";
import type { Analysis, Environment, PendingSubquery } from "./analysis.ts";
import { isOneRow, joinCorrelatedExists, joinCorrelatedScalar } from "./decorrelate.ts";
import { notSupported, semanticError, type Placed } from "./errors.ts";
import { analyzeExpression, comparisonOperators } from "./expressions.ts";
import { callOperator, coerce } from "./functions.ts";
import type { Scope } from "./scope.ts";
import { analyzeIn, analyzeScalarSubquery, asVariable, crossJoin, planSubquery, singleColumn } from "./subqueries.ts";

export function analyzeQuantified(expression: QuantifiedComparison, env: Environment): RowExpression {
  const { value, query, location, operator, quantifier } = expression;
  const asIn: InSubquery = { kind: "InSubquery", value, query, location };
  if (operator === "=" && quantifier === "ANY") return analyzeIn(asIn, env);
  if (operator === "<>" && quantifier === "ALL") return call("$not", BOOLEAN, [analyzeIn(asIn, env)]);
  if (operator === "<>") return not(compareWithAll({ ...expression, operator: "=", quantifier: "ALL" }, env));
  return compareWithAll(expression, env);
}

/** Of the values of a subquery: one row, also where there are none. */
interface Summary {
  readonly node: PlanNode;
  readonly min: Variable;
  readonly max: Variable;
  readonly rows: Variable;
  readonly known: Variable;
}

function compareWithAll(expression: QuantifiedComparison, env: Environment): RowExpression {
  if (expression.value.kind === "Row") throw notSupported(expression, "Quantified comparison over rows is not supported");
  const { analysis } = env;
  const value = analyzeExpression(expression.value, env);
  const { relation, correlated, collector } = planSubquery(expression.query, env, expression);
  const item = singleColumn(relation, expression);
  const type = commonSuperType(value.type, item.type);
  if (type === undefined) {
    throw semanticError(
      "TYPE_MISMATCH",
      expression,
      `value and result of subquery must be of the same type for quantified comparison: ${displayType(value.type)} vs ${displayType(item.type)}`,
    );
  }
  if (correlated.length > 0 && isOneRow(relation.node)) {
    const { query, location } = expression;
    const one = analyzeScalarSubquery({ kind: "SubqueryExpression", query, location }, env);
    return callOperator(comparisonOperators[expression.operator], [value, one], expression);
  }
  const summary = summarize(analysis, relation.node, coerce(item, type), expression);
  const result = compareWithSummary(expression, coerce(value, type), summary);
  if (correlated.length === 0) {
    collector.push({ output: summary.rows, apply: (node) => crossJoin(analysis, node, summary.node) });
    return result;
  }
  const output = analysis.ids.variable("quantified", BOOLEAN);
  collector.push({ output, apply: joinCorrelatedScalar(analysis, summary.node, result, output, correlated, env.scope, expression) });
  return output;
}

function summarize(analysis: Analysis, source: PlanNode, item: RowExpression, at: Placed): Summary {
  const { ids } = analysis;
  const { node, variable } = asVariable(analysis, source, item, "value");
  const aggregate = (name: string, args: readonly Variable[]): AggregateCall => {
    const resolved = resolveAggregate(
      name,
      args.map((arg) => arg.type),
    );
    if ("error" in resolved) throw notOrderable(item.type, at);
    return { output: ids.variable(name, resolved.returnType), name: resolved.name, argumentTypes: resolved.argTypes, args };
  };
  const [min, max] = [aggregate("min", [variable]), aggregate("max", [variable])];
  const [rows, known] = [aggregate("count", []), aggregate("count", [variable])];
  return {
    node: { kind: "Aggregation", id: ids.node(), source: node, step: "SINGLE", keys: [], aggregates: [min, max, rows, known] },
    min: min.output,
    max: max.output,
    rows: rows.output,
    known: known.output,
  };
}

function notOrderable(type: Type, at: Placed): Error {
  return semanticError("TYPE_MISMATCH", at, `Type [${displayType(type)}] must be orderable in order to be used in quantified comparison`);
}

function compareWithSummary(expression: QuantifiedComparison, value: RowExpression, { min, max, rows, known }: Summary): RowExpression {
  const all = expression.quantifier === "ALL";
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
  // A NULL among the values leaves open what the others do not decide.
  const open = special("SWITCH", BOOLEAN, [callOperator("$ne", [rows, known], expression), unknown, all ? TRUE : FALSE]);
  const decided = all ? and([comparison(), open]) : or([comparison(), open]);
  return special("SWITCH", BOOLEAN, [isZero(rows, expression), all ? TRUE : FALSE, decided]);
}

const unknown = constant(BOOLEAN, null);

function isZero(count: Variable, at: Placed): RowExpression {
  return callOperator("$eq", [count, constant(BIGINT, "0")], at);
}

/** `value` IN a subquery that uses the enclosing row: whether an equal row exists; else NULL where a NULL might have been equal. */
export function analyzeCorrelatedIn(expression: InSubquery, value: RowExpression, env: Environment): RowExpression {
  const { analysis } = env;
  const found = analysis.ids.variable("found", BOOLEAN);
  const matches = planSubquery(expression.query, env, expression);
  const item = singleColumn(matches.relation, expression);
  const type = commonSuperType(value.type, item.type) ?? value.type;
  const equal = callOperator("$eq", [coerce(item, type), coerce(value, type)], expression);
  const filtered = filterNode(analysis.ids, matches.relation.node, [equal]);
  const used = distinctVariables([...matches.correlated, ...collectVariables(value).values()]);
  const exists = joinCorrelatedExists(analysis, filtered, found, used, withSubqueries(env), expression);
  matches.collector.push({ output: found, apply: exists });

  // Planned a second time: what is counted are all its rows, not only the equal ones.
  const counted = planSubquery(expression.query, env, expression);
  const summary = summarizeNulls(analysis, counted.relation.node, singleColumn(counted.relation, expression), expression);
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
  counted.collector.push({ output: maybe, apply: join });
  return special("SWITCH", BOOLEAN, [special("COALESCE", BOOLEAN, [found, FALSE]), TRUE, maybe, unknown, FALSE]);
}

/** The columns around, and what the subqueries before this one give: a value may be made of either. */
function withSubqueries({ scope, subqueries }: Environment): Scope {
  return { ...scope, fields: [...scope.fields, ...(subqueries ?? []).map(({ output }) => ({ expression: output, hidden: true }))] };
}

function summarizeNulls(analysis: Analysis, source: PlanNode, item: RowExpression, at: Placed): Pick<Summary, "node" | "rows" | "known"> {
  const { ids } = analysis;
  const { node, variable } = asVariable(analysis, source, item, "value");
  const count = (args: readonly Variable[]): AggregateCall => {
    const resolved = resolveAggregate(
      "count",
      args.map((arg) => arg.type),
    );
    if ("error" in resolved) throw notOrderable(item.type, at);
    return { output: ids.variable("count", BIGINT), name: resolved.name, argumentTypes: resolved.argTypes, args };
  };
  const [rows, known] = [count([]), count([variable])];
  return {
    node: { kind: "Aggregation", id: ids.node(), source: node, step: "SINGLE", keys: [], aggregates: [rows, known] },
    rows: rows.output,
    known: known.output,
  };
}
