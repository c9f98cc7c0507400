/**
 * Estimates the cost of a single node in bytes of CPU, memory and network, which EXPLAIN shows beside the rows. Follows Trino's cost
 * calculator.
 */
import type { PlanNode } from "../../plan/node.ts";
import type { Estimator } from "./stats-calculator.ts";
import { sourcesOf } from "../../plan/plan-tree.ts";

/** All costs are in bytes; undefined means unknown. */
export interface NodeCost {
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
  readonly network: number | undefined;
}

export function costOf(node: PlanNode, estimator: Estimator): NodeCost {
  const bytes = (one: PlanNode) => (estimator.estimate(one).known ? estimator.bytes(one) : undefined);
  const output = bytes(node);
  const [first, second] = sourcesOf(node).map(bytes);
  switch (node.kind) {
    case "TableScan":
    case "Project":
    case "GroupId":
    case "Unnest":
    case "AssignUniqueId":
      return { cpu: output, memory: 0, network: 0 };
    case "Filter":
    case "MarkDistinct":
    case "Limit":
    case "Offset":
    case "Sample":
    case "TableWriter":
      return { cpu: first, memory: 0, network: 0 };
    case "Aggregation":
    case "TopN":
      return { cpu: first, memory: output, network: 0 };
    case "Sort":
    case "PatternRecognition":
    case "TableFunction":
    case "Window":
      return { cpu: first, memory: first, network: 0 };
    case "Join":
      return { cpu: sum(first, second, output), memory: second, network: 0 };
    case "SemiJoin":
      return { cpu: sum(first, second), memory: node.build === "SOURCE" ? first : second, network: 0 };
    case "SharedSource":
    case "RemoteSource":
    case "Exchange":
      return { cpu: output, memory: 0, network: output };
    case "Values":
    case "EnforceSingleRow":
    case "Union":
    case "Output":
    case "TableFinish":
      return { cpu: 0, memory: 0, network: 0 };
    default:
      return { cpu: first, memory: 0, network: 0 };
  }
}

function sum(...parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce((total, part) => (total === undefined || part === undefined ? undefined : total + part), 0);
}
