/**
 * If all aggregates are DISTINCT over the same columns, groups by these columns first: `count(DISTINCT x) GROUP BY k` counts the groups of
 * `k, x`. Unlike marked rows, the groups are reduced before they are exchanged (Presto's SingleDistinctAggregationToGroupBy).
 */
import type { AggregateCall, AggregationNode, PlanNode } from "../../plan/node.ts";
import { namesOf, passesOn, rewritePlan } from "../../plan/plan-tree.ts";
import type { Rule } from "./rule.ts";

export const groupDistinct: Rule = {
  name: "group_distinct",
  apply: (plan) => rewritePlan(plan, (node) => (node.kind === "Aggregation" ? group(node) : node)),
};

function group(node: AggregationNode): PlanNode {
  const marked = markedBelow(node.source);
  if (marked === undefined || node.step !== "SINGLE" || node.globalSets !== undefined || node.aggregates.length === 0) {
    return node;
  }
  const distinct = namesOf(marked.keys);
  const reads = ({ args, mask }: AggregateCall): boolean =>
    mask?.name === marked.marker.name &&
    args.every((arg) => arg.kind === "constant" || (arg.kind === "variable" && distinct.has(arg.name)));
  if (!node.aggregates.every(reads) || !node.keys.every((key) => distinct.has(key.name))) {
    return node;
  }
  const source: AggregationNode = {
    kind: "Aggregation",
    id: marked.id,
    source: marked.source,
    step: "SINGLE",
    keys: marked.keys,
    aggregates: [],
  };
  return { ...node, source, aggregates: node.aggregates.map(({ mask: _mask, ...call }) => call) };
}

/** Also looks below a projection that only drops columns. */
function markedBelow(node: PlanNode): (PlanNode & { kind: "MarkDistinct" }) | undefined {
  if (passesOn(node)) {
    return markedBelow(node.source);
  }
  return node.kind === "MarkDistinct" ? node : undefined;
}
