/**
 * Chooses the order of inner joins by estimated rows.
 *
 * - Up to as many relations as the knob `exhaustive-relations` says: the cheapest of all orders, with equalities across all equal columns.
 * - Up to `ordered-relations`: repeatedly joins the pair of parts with the smallest result.
 *
 * The larger side of each join is the probe side. There is no cross join while some criterion connects two relations. Ties are broken by
 * the order in the statement.
 */
import { knobOf } from "../../../../ports/knobs.ts";
import type { RowExpression } from "../../../plan/typed-expression.ts";
import { collectVariables } from "../../../plan/expression-tree.ts";
import { outputsOf, type PlanNode } from "../../../plan/node.ts";
import { joinRows } from "../../stats/stats-calculator.ts";
import { identity, outputNames, projectNode, sourcesOf, withSources } from "../../../plan/plan-tree.ts";
import { collectGraph, Equalities, filterRelations, isInner, type Joined, type JoinGraph, joinParts } from "./join-graph.ts";
import { joinBeforeAggregation } from "./join-before-aggregation.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** Cost of inserting a row into a hash table, relative to probing one. */
const buildFactor = 2;

export const reorderJoins: Rule = {
  name: "reorder_joins",
  apply: (plan, context) => (context.session.joinReordering === "AUTOMATIC" ? reorder(plan, context) : plan),
};

function reorder(node: PlanNode, context: RuleContext): PlanNode {
  if (!isInner(node)) {
    return withSources(
      node,
      sourcesOf(node).map((source) => reorder(source, context)),
    );
  }
  const collected = collectGraph(node);
  if (collected.relations.length > knobOf(context, "ordered-relations")) {
    return withSources(node, [reorder(node.left, context), reorder(node.right, context)]);
  }
  const graph = context.rulesOff.has("join_before_aggregation") ? collected : joinBeforeAggregation(collected, context);
  const joined = orderJoins({ ...graph, relations: graph.relations.map((relation) => reorder(relation, context)) }, context);
  const wanted = outputNames(node);
  const same = outputsOf(joined).length === wanted.size;
  return same ? joined : projectNode(context.ids, joined, node.outputs.map(identity));
}

function orderJoins(unfiltered: JoinGraph, context: RuleContext): PlanNode {
  const equalities = new Equalities(unfiltered);
  const graph = filterRelations(unfiltered, equalities, context.ids);
  const leaves = graph.relations.map((node, index): Joined => ({ node, members: new Set([index]) }));
  const tools: Tools = { context, graph, equalities };
  const parts = leaves.length <= knobOf(context, "exhaustive-relations") ? bestOfAll(leaves, tools) : leaves;
  return joinGreedily(parts, tools);
}

interface Tools {
  readonly context: RuleContext;
  readonly graph: JoinGraph;
  readonly equalities: Equalities;
}

function join(a: Joined, b: Joined, { context, graph, equalities }: Tools, id: string): Joined {
  return joinParts(a, b, { equalities, filters: graph.filters, estimator: context.estimator, id });
}

/** Estimates the rows of a join of two parts by their criteria alone. `connected` tells whether there are any criteria. */
function meeting(a: Joined, b: Joined, { context, equalities }: Tools): { readonly rows: number; readonly connected: boolean } {
  const criteria = equalities.between(a.members, b.members);
  const [left, right] = [context.estimator.estimate(a.node), context.estimator.estimate(b.node)];
  const pairs = criteria.map((c) => [c.left, c.right] as const);
  return { rows: joinRows(left, right, pairs), connected: criteria.length > 0 };
}

function joinGreedily(leaves: readonly Joined[], tools: Tools): PlanNode {
  let parts = [...leaves];
  while (parts.length > 1) {
    let best: { readonly i: number; readonly j: number; readonly connected: boolean; readonly rows: number } | undefined;
    for (let i = 0; i < parts.length; i += 1) {
      for (let j = i + 1; j < parts.length; j += 1) {
        const { rows, connected } = meeting(parts[i] as Joined, parts[j] as Joined, tools);
        const better = best === undefined || (connected !== best.connected ? connected : rows < best.rows);
        if (better) {
          best = { i, j, connected, rows };
        }
      }
    }
    const { i, j } = best ?? { i: 0, j: 1 };
    const joined = join(parts[i] as Joined, parts[j] as Joined, tools, tools.context.ids.node());
    parts = parts.filter((_part, index) => index !== j).map((part, index) => (index === i ? joined : part));
  }
  return (parts[0] as Joined).node;
}

interface Candidate extends Joined {
  readonly cost: number;
  /** The joined parts; undefined for a relation. */
  readonly parts?: readonly [Candidate, Candidate];
}

/** Returns the cheapest join tree of each connected component of the graph, with new node ids. */
function bestOfAll(leaves: readonly Joined[], tools: Tools): readonly Joined[] {
  const neighbours = adjacency(leaves, tools);
  const best = new Map<number, Candidate>();
  leaves.forEach((leaf, index) => best.set(2 ** index, { ...leaf, cost: 0 }));
  const components = componentsOf(leaves.length, neighbours);
  for (let mask = 1; mask < 2 ** leaves.length; mask += 1) {
    if (best.has(mask) || !components.some((component) => (mask & ~component) === 0)) {
      continue;
    }
    const candidate = cheapest(mask, best, neighbours, tools);
    if (candidate !== undefined) {
      best.set(mask, candidate);
    }
  }
  return components.map((component) => withIds(best.get(component) as Candidate, tools));
}

function cheapest(mask: number, best: ReadonlyMap<number, Candidate>, neighbours: readonly number[], tools: Tools): Candidate | undefined {
  const lowest = mask & -mask;
  let found: { readonly a: Candidate; readonly b: Candidate; readonly cost: number } | undefined;
  for (let part = (mask - 1) & mask; part > 0; part = (part - 1) & mask) {
    const [a, b] = [best.get(part), best.get(mask ^ part)];
    if ((part & lowest) === 0 || a === undefined || b === undefined || !touches(part, mask ^ part, neighbours)) {
      continue;
    }
    const { estimator } = tools.context;
    const [left, right] = [estimator.estimate(a.node).rows, estimator.estimate(b.node).rows];
    const without = a.cost + b.cost + Math.max(left, right) + buildFactor * Math.min(left, right);
    // Skips the estimate of the result if the cost is already too high.
    if (found !== undefined && without >= found.cost) {
      continue;
    }
    const cost = without + meeting(a, b, tools).rows;
    if (found === undefined || cost < found.cost) {
      found = { a, b, cost };
    }
  }
  if (found === undefined) {
    return undefined;
  }
  const { a, b, cost } = found;
  return { ...join(a, b, tools, ""), cost, parts: [a, b] };
}

function withIds({ parts, node, members }: Candidate, tools: Tools): Joined {
  if (parts === undefined) {
    return { node, members };
  }
  const [a, b] = parts.map((part) => withIds(part, tools)) as [Joined, Joined];
  return join(a, b, tools, tools.context.ids.node());
}

/**
 * Returns a bit mask for each relation of the relations it can be joined with: they share equal columns, or a condition connects them and
 * one of them has at most one row.
 */
function adjacency(leaves: readonly Joined[], { context, graph, equalities }: Tools): readonly number[] {
  const neighbours = leaves.map(() => 0);
  const connect = (a: number, b: number): void => {
    neighbours[a] = (neighbours[a] ?? 0) | (1 << b);
    neighbours[b] = (neighbours[b] ?? 0) | (1 << a);
  };
  for (const [a, b] of equalities.edges()) {
    connect(a, b);
  }
  const isOneRow = leaves.map(({ node }) => context.estimator.estimate(node).keys.some((key) => key.columns.size === 0));
  for (const filter of graph.filters) {
    const used = relationsOf(filter, leaves);
    const [a, b] = used;
    if (a !== undefined && b !== undefined && used.length === 2 && (isOneRow[a] === true || isOneRow[b] === true)) {
      connect(a, b);
    }
  }
  return neighbours;
}

function relationsOf(filter: RowExpression, leaves: readonly Joined[]): readonly number[] {
  const names = collectVariables(filter);
  return leaves.flatMap(({ node }, index) => (outputsOf(node).some((output) => names.has(output.name)) ? [index] : []));
}

function touches(a: number, b: number, neighbours: readonly number[]): boolean {
  return neighbours.some((others, index) => (a & (1 << index)) !== 0 && (others & b) !== 0);
}

function componentsOf(count: number, neighbours: readonly number[]): readonly number[] {
  const components: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if (components.some((component) => (component & (1 << index)) !== 0)) {
      continue;
    }
    let component = 1 << index;
    for (let grown = true; grown; ) {
      const next = neighbours.reduce((mask, others, other) => ((mask & (1 << other)) !== 0 ? mask | others : mask), component);
      grown = next !== component;
      component = next;
    }
    components.push(component);
  }
  return components;
}
