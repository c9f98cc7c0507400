/**
 * Inner joins in a good order: the pair of relations whose join is smallest goes first, again and again; the larger side probes. No cross product
 * is made while some criterion connects two relations. Ties are decided by the order in the statement.
 */
import { BOOLEAN } from "../../types/type.ts";
import type { RowExpression } from "../expression.ts";
import { and, call, conjunctsOf, usesOnly } from "../expressions.ts";
import { outputsOf, type JoinCriterion, type JoinNode, type PlanNode } from "../node.ts";
import { identity, outputNames, projectNode, sourcesOf, withSources } from "../tree.ts";
import { joinRows } from "../statistics.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** More relations than this keep the order of the statement: each step looks at every pair. */
const relationsMax = 40;

export const reorderJoins: Rule = {
  name: "reorder joins",
  apply: (plan, context) => (context.session.reorderJoins ? reorder(plan, context) : plan),
};

interface JoinGraph {
  readonly relations: PlanNode[];
  readonly criteria: JoinCriterion[];
  readonly filters: RowExpression[];
}

function isInner(node: PlanNode): node is JoinNode {
  return node.kind === "Join" && node.type === "INNER";
}

function reorder(node: PlanNode, context: RuleContext): PlanNode {
  if (!isInner(node)) {
    return withSources(
      node,
      sourcesOf(node).map((source) => reorder(source, context)),
    );
  }
  const graph: JoinGraph = { relations: [], criteria: [], filters: [] };
  collect(node, graph, context);
  if (graph.relations.length > relationsMax) return withSources(node, [reorder(node.left, context), reorder(node.right, context)]);
  const joined = joinAll(graph, context);
  const wanted = outputNames(node);
  const same = outputsOf(joined).length === wanted.size;
  return same ? joined : projectNode(context.ids, joined, node.outputs.map(identity));
}

function collect(node: PlanNode, graph: JoinGraph, context: RuleContext): void {
  if (!isInner(node)) {
    graph.relations.push(reorder(node, context));
    return;
  }
  collect(node.left, graph, context);
  collect(node.right, graph, context);
  graph.criteria.push(...node.criteria);
  if (node.filter !== undefined) graph.filters.push(...conjunctsOf(node.filter));
}

/** Pairs of relations, best first: connected before not, then fewer rows. */
function joinAll(graph: JoinGraph, context: RuleContext): PlanNode {
  let relations = [...graph.relations];
  let { criteria, filters }: { criteria: readonly JoinCriterion[]; filters: readonly RowExpression[] } = graph;
  while (relations.length > 1) {
    const [first, second] = bestPair(relations, criteria, context);
    const [a, b] = [relations[first] as PlanNode, relations[second] as PlanNode];
    const joined = joinPair(a, b, criteria, filters, context);
    criteria = joined.criteria;
    filters = joined.filters;
    relations = relations
      .filter((_relation, index) => index !== second)
      .map((relation, index) => (index === first ? joined.node : relation));
  }
  return relations[0] as PlanNode;
}

function bestPair(relations: readonly PlanNode[], criteria: readonly JoinCriterion[], context: RuleContext): readonly [number, number] {
  const owners = new Map<string, number>();
  relations.forEach((relation, index) => {
    for (const output of outputsOf(relation)) owners.set(output.name, index);
  });
  let best: { pair: readonly [number, number]; connected: boolean; rows: number } | undefined;
  for (let i = 0; i < relations.length; i += 1) {
    for (let j = i + 1; j < relations.length; j += 1) {
      const pairs = criteria.flatMap((c) => {
        const [l, r] = [owners.get(c.left.name), owners.get(c.right.name)];
        if (l === i && r === j) return [[c.left, c.right] as const];
        return l === j && r === i ? [[c.right, c.left] as const] : [];
      });
      const rows = joinRows(
        context.estimator.estimate(relations[i] as PlanNode),
        context.estimator.estimate(relations[j] as PlanNode),
        pairs,
      );
      const connected = pairs.length > 0;
      const better = best === undefined || (connected !== best.connected ? connected : rows < best.rows);
      if (better) best = { pair: [i, j], connected, rows };
    }
  }
  return best?.pair ?? [0, 1];
}

interface Joined {
  readonly node: JoinNode;
  readonly criteria: readonly JoinCriterion[];
  readonly filters: readonly RowExpression[];
}

function joinPair(
  a: PlanNode,
  b: PlanNode,
  criteria: readonly JoinCriterion[],
  filters: readonly RowExpression[],
  context: RuleContext,
): Joined {
  const { estimator, ids } = context;
  const [left, right] = estimator.estimate(a).rows >= estimator.estimate(b).rows ? [a, b] : [b, a];
  const [leftNames, rightNames] = [outputNames(left), outputNames(right)];
  const own: JoinCriterion[] = [];
  const restCriteria: JoinCriterion[] = [];
  // Two relations joined by way of a third may leave a criterion within one side: then it is a filter.
  const inside: RowExpression[] = [];
  for (const c of criteria) {
    if (leftNames.has(c.left.name) && rightNames.has(c.right.name)) own.push(c);
    else if (leftNames.has(c.right.name) && rightNames.has(c.left.name)) own.push({ left: c.right, right: c.left });
    else restCriteria.push(c);
  }
  const outputs = [...outputsOf(left), ...outputsOf(right)];
  const names = new Set(outputs.map((output) => output.name));
  const remaining = restCriteria.filter((c) => {
    const covered = names.has(c.left.name) && names.has(c.right.name);
    if (covered) inside.push(call("$eq", BOOLEAN, [c.left, c.right]));
    return !covered;
  });
  const conditions = [...inside, ...filters.filter((filter) => usesOnly(filter, names))];
  const node: JoinNode = {
    kind: "Join",
    id: ids.node(),
    type: "INNER",
    left,
    right,
    criteria: own,
    ...(conditions.length > 0 && { filter: and(conditions) }),
    outputs,
    distribution: own.length === 0 ? "REPLICATED" : "PARTITIONED",
  };
  return { node, criteria: remaining, filters: filters.filter((filter) => !usesOnly(filter, names)) };
}
