/**
 * The optimizer's estimates of every node of a plan, as EXPLAIN prints them, for those who compare them with what a query really did.
 */
import type { TableStatistics } from "../../connectors/spi.ts";
import type { FragmentedPlan } from "../fragmenter/fragment.ts";
import type { TableReference } from "../plan/node.ts";
import { visitPlan } from "../plan/plan-tree.ts";
import { FragmentEstimator } from "./print.ts";

export interface NodeEstimate {
  readonly outputRowCount: number;
  readonly outputSizeInBytes: number;
}

/** By node id; a node whose rows are unknown has none. */
export type PlanEstimates = ReadonlyMap<string, NodeEstimate>;

export function planEstimates(plan: FragmentedPlan, statisticsOf: (table: TableReference) => TableStatistics): PlanEstimates {
  const estimator = new FragmentEstimator(plan, statisticsOf);
  const estimates = new Map<string, NodeEstimate>();
  for (const { root } of plan.fragments) {
    visitPlan(root, (node) => {
      const { known, rows } = estimator.estimate(node);
      const bytes = known ? estimator.bytes(node) : Number.NaN;
      if (Number.isFinite(rows) && Number.isFinite(bytes)) {
        estimates.set(node.id, { outputRowCount: Math.round(rows), outputSizeInBytes: Math.round(bytes) });
      }
    });
  }
  return estimates;
}
