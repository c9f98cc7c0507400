/**
 * Implements join_reordering_strategy = ELIMINATE_CROSS_JOINS, without estimates (Presto's EliminateCrossJoins). Inner joins keep the order
 * of the statement. A relation without a connection to the earlier relations waits until one exists.
 */
import type { RowExpression } from "../../../plan/typed-expression.ts";
import { and, usesOnly } from "../../../plan/expression-tree.ts";
import { outputsOf, type JoinCriterion, type JoinNode, type PlanNode } from "../../../plan/node.ts";
import { identity, outputNames, projectNode, sourcesOf, withSources } from "../../../plan/plan-tree.ts";
import { collectGraph, isInner, type JoinGraph } from "./join-graph.ts";
import type { Rule, RuleContext } from "../rule.ts";

export const eliminateCrossJoins: Rule = {
  name: "eliminate_cross_joins",
  apply: (plan, context) => (context.session.joinReordering === "ELIMINATE_CROSS_JOINS" ? eliminate(plan, context) : plan),
};

function eliminate(node: PlanNode, context: RuleContext): PlanNode {
  const below = () =>
    withSources(
      node,
      sourcesOf(node).map((source) => eliminate(source, context)),
    );
  if (!isInner(node)) {
    return below();
  }
  const graph = collectGraph(node);
  const order = joinOrder(graph);
  if (order.every((relation, place) => relation === place)) {
    return below();
  }
  const relations = graph.relations.map((relation) => eliminate(relation, context));
  const joined = joinInOrder({ ...graph, relations }, order, context);
  const isWhole = outputsOf(joined).length === outputsOf(node).length;
  return isWhole ? joined : projectNode(context.ids, joined, node.outputs.map(identity));
}

/**
 * Repeatedly takes the first relation of the statement that is connected to a taken one. If there is none, takes the first remaining
 * relation.
 */
function joinOrder({ relations, criteria }: JoinGraph): readonly number[] {
  const names = relations.map(outputNames);
  const ownerOf = (name: string) => names.findIndex((own) => own.has(name));
  const edges = criteria.map(({ left, right }) => [ownerOf(left.name), ownerOf(right.name)] as const);
  const order: number[] = [];
  const waiting = new Set(relations.keys());
  const reached = new Set<number>();
  while (waiting.size > 0) {
    let next: number | undefined;
    for (const relation of waiting) {
      next ??= relation;
      if (!reached.has(relation)) {
        continue;
      }
      next = relation;
      break;
    }
    if (next === undefined) {
      break;
    }
    order.push(next);
    waiting.delete(next);
    for (const [a, b] of edges) {
      if (a === next || b === next) {
        reached.add(a === next ? b : a);
      }
    }
  }
  return order;
}

/** Joins all relations, each with earlier ones that it is connected to if there are any. No filter may concern a single relation. */
export function joinConnected(graph: JoinGraph, context: RuleContext): PlanNode {
  return joinInOrder(graph, joinOrder(graph), context);
}

function joinInOrder({ relations, criteria, filters }: JoinGraph, order: readonly number[], { ids }: RuleContext): PlanNode {
  const [first = 0, ...others] = order;
  let joined = relations[first] as PlanNode;
  let waiting: readonly RowExpression[] = filters;
  for (const index of others) {
    const right = relations[index] as PlanNode;
    const found = criteriaBetween(criteria, outputNames(joined), outputNames(right));
    const outputs = [...outputsOf(joined), ...outputsOf(right)];
    const names = new Set(outputs.map(({ name }) => name));
    const conditions = waiting.filter((filter) => usesOnly(filter, names));
    waiting = waiting.filter((filter) => !conditions.includes(filter));
    const join: JoinNode = {
      kind: "Join",
      id: ids.node(),
      type: "INNER",
      left: joined,
      right,
      criteria: found,
      ...(conditions.length > 0 && { filter: and(conditions) }),
      outputs,
      distribution: found.length === 0 ? "REPLICATED" : "PARTITIONED",
    };
    joined = join;
  }
  return joined;
}

function criteriaBetween(
  criteria: readonly JoinCriterion[],
  left: ReadonlySet<string>,
  right: ReadonlySet<string>,
): readonly JoinCriterion[] {
  return criteria.flatMap((criterion) => {
    if (left.has(criterion.left.name) && right.has(criterion.right.name)) {
      return [criterion];
    }
    if (left.has(criterion.right.name) && right.has(criterion.left.name)) {
      return [{ left: criterion.right, right: criterion.left }];
    }
    return [];
  });
}
