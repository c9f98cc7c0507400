/**
 * Rewrites `(a, b) IN (SELECT x, y ...)` as a join on the fields, if it is used as a condition.
 *
 * A condition treats NULL as false, so a row passes exactly if all of its fields equal those of a row of the filtering side. The join uses
 * the distinct rows of the filtering side. It builds no row values, and it takes part in join reordering.
 */
import { BOOLEAN } from "../../../../types/type.ts";
import type { RowExpression, Variable } from "../../../plan/typed-expression.ts";
import { conjunctsOf, constant, usesAny } from "../../../plan/expression-tree.ts";
import { isUnique } from "../../stats/keys.ts";
import { outputsOf, type Assignment, type JoinNode, type PlanNode, type ProjectNode, type SemiJoinNode } from "../../../plan/node.ts";
import { partsOf } from "../../../plan/row-parts.ts";
import { distinctVariables, extendProject, filterNode, identity, outputNames, projectNode, rewritePlan } from "../../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "../rule.ts";

export const joinRowKeys: Rule = {
  name: "join_row_keys",
  apply: (plan, context) =>
    rewritePlan(plan, (node) => {
      if (node.kind !== "Filter" || node.source.kind !== "SemiJoin" || node.source.sourceKey.type.kind !== "row") {
        return node;
      }
      return join(node, node.source, context);
    }),
};

function join(node: PlanNode & { kind: "Filter" }, semi: SemiJoinNode, context: RuleContext): PlanNode {
  const { ids } = context;
  const { output } = semi;
  const conjuncts = conjunctsOf(node.predicate);
  const isOutput = (conjunct: RowExpression) => conjunct.kind === "variable" && conjunct.name === output.name;
  const rest = conjuncts.filter((conjunct) => !isOutput(conjunct));
  if (rest.length === conjuncts.length || rest.some((conjunct) => usesAny(conjunct, new Set([output.name])))) {
    return node;
  }
  const source = withParts(semi.source, semi.sourceKey, context);
  const filtering = withParts(semi.filtering, semi.filteringKey, context);
  const joined: JoinNode = {
    kind: "Join",
    id: semi.id,
    type: "INNER",
    left: source.node,
    right: distinct(filtering, context),
    criteria: source.parts.map((left, index) => ({ left, right: filtering.parts[index] as Variable })),
    outputs: distinctVariables([...outputsOf(source.node), ...filtering.parts]),
    distribution: "PARTITIONED",
  };
  const found = { output, expression: constant(BOOLEAN, true) };
  return filterNode(ids, projectNode(ids, joined, [...outputsOf(semi.source).map(identity), found]), rest);
}

interface Parts {
  readonly node: PlanNode;
  readonly parts: readonly Variable[];
}

/**
 * Makes the fields of the row `key`, including fields of nested rows, available as columns. Reads the fields directly where the row's
 * construction is visible.
 */
function withParts(node: PlanNode, key: Variable, { ids }: RuleContext): Parts {
  const made = node.kind === "Project" ? node.assignments.find(({ output }) => output.name === key.name)?.expression : undefined;
  const [below, expressions] =
    made === undefined || made.kind === "variable" ? [node, partsOf(key)] : [(node as ProjectNode).source, partsOf(made)];
  const names = outputNames(below);
  const added: Assignment[] = [];
  const parts = expressions.map((expression) => {
    if (expression.kind === "variable" && names.has(expression.name)) {
      return expression;
    }
    const output = ids.variable("key", expression.type);
    added.push({ output, expression });
    return output;
  });
  if (below === node) {
    return { node: extendProject(ids, node, added), parts };
  }
  const { assignments } = node as ProjectNode;
  const own = new Set(assignments.map(({ output }) => output.name));
  const passed = distinctVariables(parts.filter(({ name }) => names.has(name) && !own.has(name)));
  return { node: projectNode(ids, below, [...assignments, ...passed.map(identity), ...added]), parts };
}

/** Removes duplicate combinations of fields. */
function distinct({ node, parts }: Parts, { estimator, ids }: RuleContext): PlanNode {
  const keys = distinctVariables(parts);
  if (isUnique(estimator.estimate(node).keys, new Set(keys.map(({ name }) => name)))) {
    return node;
  }
  return { kind: "Aggregation", id: ids.node(), source: node, step: "SINGLE", keys, aggregates: [] };
}
