/** How many rows a plan gives, where its form says it. */
import type { PlanNode } from "../../plan/node.ts";

/** Returns whether the plan's structure guarantees exactly one row. */
export function isOneRow(node: PlanNode): boolean {
  if (node.kind === "Project") {
    return isOneRow(node.source);
  }
  if (node.kind === "Values") {
    return node.rows.length === 1;
  }
  return node.kind === "Aggregation" ? node.keys.length === 0 : node.kind === "EnforceSingleRow";
}

/** Returns whether the plan's structure guarantees at most one row. */
export function isSingleRow(node: PlanNode): boolean {
  if (node.kind === "Project" || node.kind === "Filter" || node.kind === "Sort") {
    return isSingleRow(node.source);
  }
  return (
    isOneRow(node) || (node.kind === "Limit" && node.count <= 1) || (node.kind === "TopN" && node.count <= 1 && node.withTies !== true)
  );
}
