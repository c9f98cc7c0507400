/**
 * Building blocks for joins with subquery plans: columns, cross joins, semi-joins, and the row that tells whether any rows exist.
 */
import { BIGINT } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { constant } from "../../plan/expression-tree.ts";
import { outputsOf, type PlanNode } from "../../plan/node.ts";
import { extendProject, projectNode } from "../../plan/plan-tree.ts";
import type { Analysis } from "../analysis.ts";
import type { Placed } from "../errors.ts";
import { callOperator, chooseAggregate } from "../expression/functions.ts";

/** Returns a column of `node` that holds `expression`, and adds a projection if needed. */
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

/** Returns one row that tells whether `source` has any rows. */
export function planExists(analysis: Analysis, source: PlanNode, output: Variable, at: Placed): PlanNode {
  const { ids } = analysis;
  const count = ids.variable("count", BIGINT);
  const chosen = chooseAggregate("count", [], at);
  const counted: PlanNode = {
    kind: "Aggregation",
    id: ids.node(),
    source,
    step: "SINGLE",
    keys: [],
    aggregates: [{ output: count, name: chosen.name, argumentTypes: chosen.argumentTypes, args: [] }],
  };
  const exists = callOperator("$gt", [count, constant(BIGINT, "0")], at);
  return projectNode(ids, counted, [{ output, expression: exists }]);
}

export function firstRow({ ids }: Analysis, source: PlanNode): PlanNode {
  return { kind: "Limit", id: ids.node(), source, count: 1, partial: false };
}
