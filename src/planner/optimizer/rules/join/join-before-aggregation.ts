/**
 * Pushes a join below an aggregation if few groups survive the join. `(SELECT k, avg(x) FROM t GROUP BY k) a JOIN u ON a.k = u.id` then
 * aggregates only the rows of t with a match in u. The join columns must be a key of u, so that every group matches at most one row of u.
 */
import { isFence } from "../../../plan/plan-tree.ts";
import { BOOLEAN } from "../../../../types/type.ts";
import type { RowExpression, Variable } from "../../../plan/typed-expression.ts";
import { call, substitute, usesOnly } from "../../../plan/expression-tree.ts";
import { isUnique } from "../../stats/keys.ts";
import { type AggregationNode, type JoinCriterion, type JoinNode, outputsOf, type PlanNode } from "../../../plan/node.ts";
import { joinRows } from "../../stats/stats-calculator.ts";
import { distinctVariables, filterNode, identity, outputNames, projectNode } from "../../../plan/plan-tree.ts";
import { Equalities, type JoinGraph } from "./join-graph.ts";
import type { RuleContext } from "../rule.ts";

/** Maximum fraction of the aggregation's input rows that may remain after the join. */
const leftMax = 0.5;

export function joinBeforeAggregation(graph: JoinGraph, context: RuleContext): JoinGraph {
  for (let current = graph; ; ) {
    const move = bestMove(current, context);
    if (move === undefined) {
      return current;
    }
    current = apply(current, move, context);
  }
}

interface Pair {
  /** The grouping key as an output of the aggregated relation. */
  readonly seen: Variable;
  /** The same grouping key inside the aggregation. */
  readonly key: Variable;
  /** The equal column of the other relation. */
  readonly other: Variable;
}

interface Move {
  readonly aggregated: number;
  readonly other: number;
  readonly pairs: readonly Pair[];
  readonly part: number;
}

function bestMove(graph: JoinGraph, context: RuleContext): Move | undefined {
  const equalities = new Equalities(graph);
  let best: Move | undefined;
  graph.relations.forEach((relation, aggregated) => {
    const grouped = groupedBy(relation);
    if (grouped === undefined) {
      return;
    }
    graph.relations.forEach((candidate, other) => {
      if (other === aggregated) {
        return;
      }
      const pairs = pairsOf(grouped.keys, candidate, equalities);
      const part = partLeft(grouped.node, candidate, pairs, context);
      if (part !== undefined && part <= leftMax && (best === undefined || part < best.part)) {
        best = { aggregated, other, pairs, part };
      }
    });
  });
  return best;
}

/** Finds the aggregation below projections and filters. `keys` pairs each output name of the relation with its grouping key. */
function groupedBy(
  relation: PlanNode,
): { readonly node: AggregationNode; readonly keys: readonly (readonly [Variable, Variable])[] } | undefined {
  if (relation.kind === "Aggregation") {
    if (relation.step !== "SINGLE" || relation.keys.length === 0 || relation.globalSets !== undefined) {
      return undefined;
    }
    return { node: relation, keys: relation.keys.map((key) => [key, key] as const) };
  }
  if ((relation.kind !== "Filter" && relation.kind !== "Project") || isFence(relation)) {
    return undefined;
  }
  const below = groupedBy(relation.source);
  if (below === undefined || relation.kind === "Filter") {
    return below;
  }
  const keys = relation.assignments.flatMap(({ output, expression }) => {
    const found = below.keys.find(([seen]) => expression.kind === "variable" && expression.name === seen.name);
    return found === undefined ? [] : [[output, found[1]] as const];
  });
  return { node: below.node, keys };
}

function pairsOf(keys: readonly (readonly [Variable, Variable])[], candidate: PlanNode, equalities: Equalities): readonly Pair[] {
  const names = outputNames(candidate);
  return keys.flatMap(([seen, key]) => {
    const other = equalities.equalTo(seen).find((variable) => names.has(variable.name));
    return other === undefined ? [] : [{ seen, key, other }];
  });
}

/**
 * Estimates the fraction of the aggregation's input that remains after the join. Returns undefined if a group may match several rows of the
 * other relation, or if statistics are missing.
 */
function partLeft(node: AggregationNode, other: PlanNode, pairs: readonly Pair[], { estimator }: RuleContext): number | undefined {
  const [source, right] = [estimator.estimate(node.source), estimator.estimate(other)];
  if (pairs.length === 0 || !source.known || !right.known) {
    return undefined;
  }
  if (!isUnique(right.keys, new Set(pairs.map((pair) => pair.other.name)))) {
    return undefined;
  }
  const criteria = pairs.map(({ key, other: variable }) => [key, variable] as const);
  return joinRows(source, right, criteria) / Math.max(1, source.rows);
}

function apply(graph: JoinGraph, move: Move, context: RuleContext): JoinGraph {
  const relation = graph.relations[move.aggregated] as PlanNode;
  const other = graph.relations[move.other] as PlanNode;
  const joined = joinBelow(relation, other, move.pairs, context);
  const names = outputNames(joined);
  // Columns that the new relation makes equal get one name.
  const renamed = new Map<string, RowExpression>(move.pairs.map((pair) => [pair.other.name, pair.seen]));
  const rename = (variable: Variable): Variable => substitute(variable, renamed) as Variable;
  const criteria = graph.criteria.map((c): JoinCriterion => ({ left: rename(c.left), right: rename(c.right) }));
  const inside = criteria.filter((c) => names.has(c.left.name) && names.has(c.right.name));
  const within = inside.filter((c) => c.left.name !== c.right.name).map((c) => call("$eq", BOOLEAN, [c.left, c.right]));
  const own = graph.filters.filter((filter) => usesOnly(filter, names));
  const filtered = filterNode(context.ids, joined, [...within, ...own]);
  return {
    relations: graph.relations.flatMap((one, index) => (index === move.aggregated ? [filtered] : index === move.other ? [] : [one])),
    criteria: criteria.filter((c) => !inside.includes(c)),
    filters: graph.filters.filter((filter) => !own.includes(filter)),
  };
}

function joinBelow(node: PlanNode, other: PlanNode, pairs: readonly Pair[], context: RuleContext): PlanNode {
  const added = outputsOf(other);
  if (node.kind === "Filter") {
    return { ...node, source: joinBelow(node.source, other, pairs, context) };
  }
  if (node.kind === "Project") {
    return projectNode(context.ids, joinBelow(node.source, other, pairs, context), [...node.assignments, ...added.map(identity)]);
  }
  const aggregation = node as AggregationNode;
  const source: JoinNode = {
    kind: "Join",
    id: context.ids.node(),
    type: "INNER",
    left: aggregation.source,
    right: other,
    criteria: pairs.map((pair) => ({ left: pair.key, right: pair.other })),
    outputs: [...outputsOf(aggregation.source), ...added],
    distribution: "PARTITIONED",
  };
  return { ...aggregation, source, keys: distinctVariables([...aggregation.keys, ...added]) };
}
