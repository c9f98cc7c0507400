/**
 * Whether the scans of a fragment combine the pages that their filters leave with few rows.
 */
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import type { PlanNode } from "../../planner/plan/node.ts";
import { sourcesOf } from "../../planner/plan/plan-tree.ts";

/** Whether pages of scans go on as they are: a limit may end the scan with any row, and TaskOutputOperator combines pages itself. */
export function passesPages({ root, outputPartitioning }: PlanFragment): boolean {
  return (outputPartitioning.kind !== "HASH" && withoutRowOperators(root).kind === "TableScan") || hasLimit(root);
}

function withoutRowOperators(node: PlanNode): PlanNode {
  return node.kind === "Filter" || node.kind === "Project" || node.kind === "Output" ? withoutRowOperators(node.source) : node;
}

function hasLimit(node: PlanNode): boolean {
  return node.kind === "Limit" || sourcesOf(node).some(hasLimit);
}
