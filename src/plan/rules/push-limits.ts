/** LIMIT meets ORDER BY as TopN, goes below projections, OFFSET and into the branches of a union; a limit of no rows reads nothing. */
import { substitute } from "../expressions.ts";
import type { PlanIds } from "../ids.ts";
import { outputsOf, type PlanNode } from "../node.ts";
import { sourcesOf, withSources } from "../tree.ts";
import type { Rule } from "./rule.ts";

/** TopN keeps its rows in memory at once: larger limits sort. */
const topNRowsMax = 1_000_000;

export const pushLimits: Rule = {
  name: "push limits",
  apply: (plan, { ids }) => pushAll(plan, ids),
};

function pushAll(node: PlanNode, ids: PlanIds): PlanNode {
  const current = node.kind === "Limit" ? pushLimit(node, ids) : node.kind === "TopN" ? pushTopN(node) : node;
  return withSources(
    current,
    sourcesOf(current).map((source) => pushAll(source, ids)),
  );
}

function pushLimit(node: PlanNode & { kind: "Limit" }, ids: PlanIds): PlanNode {
  const { source, count } = node;
  if (count === 0) return { kind: "Values", id: ids.node(), outputs: outputsOf(node), rows: [] };
  switch (source.kind) {
    case "Limit":
      return pushLimit({ ...source, count: Math.min(count, source.count) }, ids);
    case "Values":
      return source.rows.length <= count ? source : { ...source, rows: source.rows.slice(0, count) };
    case "Project":
      return { ...source, source: pushLimit({ ...node, source: source.source }, ids) };
    case "Offset":
      return { ...source, source: pushLimit({ ...node, source: source.source, count: count + source.count }, ids) };
    case "Sort":
      if (count > topNRowsMax) return node;
      return pushTopN({ kind: "TopN", id: node.id, source: source.source, count, orderBy: source.orderBy, step: "SINGLE" });
    case "Union":
      if (source.sources.every((branch) => branch.kind === "Limit" && branch.count <= count)) return node;
      return {
        ...node,
        source: {
          ...source,
          sources: source.sources.map((branch): PlanNode => ({ kind: "Limit", id: ids.node(), source: branch, count, partial: true })),
        },
      };
    default:
      return node;
  }
}

/** Below a projection, when the sort columns only pass through it: fewer rows are then projected. */
function pushTopN(node: PlanNode & { kind: "TopN" }): PlanNode {
  const { source } = node;
  if (source.kind !== "Project") return node;
  const values = new Map(source.assignments.map((assignment) => [assignment.output.name, assignment.expression]));
  const orderBy = node.orderBy.flatMap((ordering) => {
    const value = substitute(ordering.variable, values);
    return value.kind === "variable" ? [{ ...ordering, variable: value }] : [];
  });
  if (orderBy.length < node.orderBy.length) return node;
  return { ...source, source: pushTopN({ ...node, source: source.source, orderBy }) };
}
