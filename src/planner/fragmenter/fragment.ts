/** A plan cut at its exchanges. Fragment 0 is the root and runs on the coordinator; its stage is stage `0`. Plain JSON data. */
import type { OutputPartitioning, PlanNode } from "../plan/node.ts";
import type { Type } from "../../types/type.ts";

/**
 * Where the tasks of a fragment run.
 * COORDINATOR: one task on the coordinator (the root; system tables).
 * SINGLE: one task on one worker.
 * SOURCE: splits of its table scans over the workers (one task a worker that has splits; at least one task).
 * HASH: one task a partition; the number of partitions is chosen once per query. Its remote sources are all HASH or BROADCAST or ROUND_ROBIN partitioned.
 */
export type FragmentPartitioning = "COORDINATOR" | "SINGLE" | "SOURCE" | "HASH";

export interface PlanFragment {
  readonly id: number;
  readonly root: PlanNode;
  readonly partitioning: FragmentPartitioning;
  /** Ids of the table scan nodes, in plan order. */
  readonly scanIds: readonly string[];
  readonly outputTypes: readonly Type[];
  /** How its rows reach the reading stage; SINGLE for the root. */
  readonly outputPartitioning: OutputPartitioning;
}

export interface FragmentedPlan {
  /** Ascending ids; a fragment's sources have larger ids than itself. */
  readonly fragments: readonly PlanFragment[];
}
