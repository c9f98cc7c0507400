/**
 * The optimizer's estimates of every node of a plan, as EXPLAIN prints them, for those who compare them with what a query really did.
 */
import type { Steps } from "../pieces.ts";
import type { TableStatistics } from "../../connectors/spi.ts";
import type { FragmentedPlan } from "../fragmenter/fragment.ts";
import type { TableReference } from "../plan/node.ts";
import { upwards } from "../plan/plan-tree.ts";
import { FragmentEstimator } from "./print.ts";

export interface NodeEstimate {
  readonly outputRowCount: number;
  readonly outputSizeInBytes: number;
}

/** By node id; a node whose rows are unknown has none. */
export type PlanEstimates = ReadonlyMap<string, NodeEstimate>;

/** Columns between two yields. */
const columnsAtOnce = 16_384;

/** Yields between the nodes of large plans. */
export function* planEstimates(plan: FragmentedPlan, statisticsOf: (table: TableReference) => TableStatistics): Steps<PlanEstimates> {
  const estimator = new FragmentEstimator(plan, statisticsOf);
  const estimates = new Map<string, NodeEstimate>();
  let estimated = 0;
  for (const { root } of plan.fragments) {
    for (const node of upwards(root)) {
      const { columns, known, rows } = estimator.estimate(node);
      const bytes = known ? estimator.bytes(node) : Number.NaN;
      if (Number.isFinite(rows) && Number.isFinite(bytes)) {
        estimates.set(node.id, { outputRowCount: Math.round(rows), outputSizeInBytes: Math.round(bytes) });
      }
      estimated += columns.size + 1;
      if (estimated >= columnsAtOnce) {
        estimated = 0;
        yield;
      }
    }
  }
  return estimates;
}
