/** Subqueries in expressions: planned apart and put under the plan that asks for them. Correlated ones go through decorrelate.ts. */
import { callFunction, callOperator, chooseAggregate } from "./functions.ts";
import type { Exists, InSubquery, Query, SubqueryExpression } from "../../sql/ast.ts";
import { rowName } from "../../functions/structures.ts";
import { BIGINT, BOOLEAN } from "../../types/type.ts";
import type { RowExpression, Variable } from "../expression.ts";
import { constant, FALSE, special } from "../expressions.ts";
import { outputsOf, type PlanNode } from "../node.ts";
import { extendProject, projectNode } from "../tree.ts";
import type { Analysis, Environment, PendingSubquery } from "./analysis.ts";
import { isOneRow, joinCorrelatedExists, joinCorrelatedScalar, outerVariables } from "./decorrelate.ts";
import { notSupported, type Placed } from "./errors.ts";
import { analyzeExpression } from "./expressions.ts";
import { analyzeCorrelatedIn } from "./quantified.ts";
import { planQuery } from "./query.ts";
import { type Compared, compareWithRows, valueOfRow } from "./row-subqueries.ts";
import type { RelationPlan } from "./scope.ts";

interface PlannedSubquery {
  readonly relation: RelationPlan;
  /** Columns of the enclosing query that it uses. */
  readonly correlated: readonly Variable[];
}

export function planSubquery(query: Query, env: Environment, at: Placed): PlannedSubquery & { readonly collector: PendingSubquery[] } {
  if (env.subqueries === undefined) throw notSupported(at, `${env.clause} cannot contain subqueries`);
  const relation = planQuery(query, env.analysis, { named: env.queries.named, outer: env.scope });
  return { relation, correlated: outerVariables(relation.node), collector: env.subqueries };
}

/** A column of `node` that holds `expression`. */
export function asVariable(
  analysis: Analysis,
  node: PlanNode,
  expression: RowExpression,
  hint: string,
): { node: PlanNode; variable: Variable } {
  if (expression.kind === "variable" && outputsOf(node).some((output) => output.name === expression.name)) {
    return { node, variable: expression };
  }
  const variable = analysis.ids.variable(hint, expression.type);
  return { node: extendProject(analysis.ids, node, [{ output: variable, expression }]), variable };
}

export function crossJoin(analysis: Analysis, left: PlanNode, right: PlanNode): PlanNode {
  return {
    kind: "Join",
    id: analysis.ids.node(),
    type: "INNER",
    left,
    right,
    criteria: [],
    outputs: [...outputsOf(left), ...outputsOf(right)],
    distribution: "REPLICATED",
  };
}

export function analyzeScalarSubquery(expression: SubqueryExpression, env: Environment): RowExpression {
  const { relation, correlated, collector } = planSubquery(expression.query, env, expression);
  const value = valueOfRow(relation, expression);
  const { analysis } = env;
  const output = analysis.ids.variable("subquery", value.type);
  if (correlated.length > 0) {
    const join = joinCorrelatedScalar(analysis, relation.node, value, output, correlated, env.scope, expression);
    collector.push({ output, apply: join });
    return output;
  }
  // The row of NULLs that stands for no row is NULL, not a row of NULLs: a row is made before.
  const made = value.kind === "variable" ? { node: relation.node, variable: value } : asVariable(analysis, relation.node, value, "row");
  const single: PlanNode = isOneRow(made.node) ? made.node : { kind: "EnforceSingleRow", id: analysis.ids.node(), source: made.node };
  const right = projectNode(analysis.ids, single, [{ output, expression: made.variable }]);
  collector.push({ output, apply: (node) => crossJoin(analysis, node, right) });
  return output;
}

export function analyzeIn(expression: InSubquery, env: Environment): RowExpression {
  const value = analyzeExpression(expression.value, env);
  const { relation, correlated, collector } = planSubquery(expression.query, env, expression);
  const compared = compareWithRows(value, relation, expression, "IN expression");
  if (correlated.length > 0) {
    return isOneRow(relation.node) ? compareWithOne("$eq", value, compared, expression, env) : analyzeCorrelatedIn(expression, value, env);
  }
  const { analysis } = env;
  const output = analysis.ids.variable("in", BOOLEAN);
  const filtering = asVariable(analysis, relation.node, compared.item, "key");
  const apply = (node: PlanNode, rewrite: (e: RowExpression) => RowExpression): PlanNode =>
    semiJoin(analysis, node, rewrite(compared.value), filtering.node, filtering.variable, output);
  collector.push({ output, apply });
  return output;
}

/** With the one row that a subquery gives for certain. */
export function compareWithOne(
  operator: string,
  value: RowExpression,
  { isWrapped }: Compared,
  { query, location }: Pick<InSubquery, "query" | "location">,
  env: Environment,
): RowExpression {
  const expression: SubqueryExpression = { kind: "SubqueryExpression", query, location };
  const one = analyzeScalarSubquery(expression, env);
  return callOperator(operator, [value, isWrapped ? callFunction(rowName, [one], expression) : one], expression);
}

export function semiJoin(
  analysis: Analysis,
  node: PlanNode,
  value: RowExpression,
  filtering: PlanNode,
  filteringKey: Variable,
  output: Variable,
): PlanNode {
  const source = asVariable(analysis, node, value, "key");
  return {
    kind: "SemiJoin",
    id: analysis.ids.node(),
    source: source.node,
    filtering,
    sourceKey: source.variable,
    filteringKey,
    output,
    distribution: "REPLICATED",
  };
}

export function analyzeExists(expression: Exists, env: Environment): RowExpression {
  const { relation, correlated, collector } = planSubquery(expression.query, env, expression);
  const { analysis } = env;
  const output = analysis.ids.variable("exists", BOOLEAN);
  if (correlated.length > 0) {
    const exists = joinCorrelatedExists(analysis, relation.node, output, correlated, env.scope, expression);
    collector.push({ output, apply: exists });
    return special("COALESCE", BOOLEAN, [output, FALSE]);
  }
  collector.push({ output, apply: (node) => crossJoin(analysis, node, planExists(analysis, relation.node, output, expression)) });
  return output;
}

/** One row: whether `source` has any. */
function planExists(analysis: Analysis, source: PlanNode, output: Variable, at: Placed): PlanNode {
  const { ids } = analysis;
  const limited: PlanNode = { kind: "Limit", id: ids.node(), source, count: 1, partial: false };
  const count = ids.variable("count", BIGINT);
  const chosen = chooseAggregate("count", [], at);
  const counted: PlanNode = {
    kind: "Aggregation",
    id: ids.node(),
    source: limited,
    step: "SINGLE",
    keys: [],
    aggregates: [{ output: count, name: chosen.name, argumentTypes: chosen.argumentTypes, args: [] }],
  };
  const exists = callOperator("$gt", [count, constant(BIGINT, "0")], at);
  return projectNode(ids, counted, [{ output, expression: exists }]);
}
