/**
 * A plan cut at its exchanges, as plain JSON data. Fragment 0 is the root; its stage is stage `0` and runs on the coordinator.
 */
import type { OutputPartitioning, PlanNode } from "../plan/node.ts";
import type { Type } from "../../types/type.ts";

/**
 * Where the tasks of a fragment run:
 *
 * - COORDINATOR: one task on the coordinator (the root fragment; system tables).
 * - SINGLE: one task on one worker. If it scans tables, it reads all of their splits.
 * - SOURCE: the splits of its table scans are distributed over the workers. One task on each worker that has splits; at least one task.
 * - HASH: one task for each partition; the number of partitions is chosen once per query. All remote sources are HASH, BROADCAST or
 *   ROUND_ROBIN partitioned.
 */
export type FragmentPartitioning = "COORDINATOR" | "SINGLE" | "SOURCE" | "HASH";

export interface PlanFragment {
  readonly id: number;
  readonly root: PlanNode;
  readonly partitioning: FragmentPartitioning;
  /** Ids of the table scan nodes, in plan order. */
  readonly scanIds: readonly string[];
  readonly outputTypes: readonly Type[];
  /** Partitioning of the output for the consuming stage; SINGLE for the root. */
  readonly outputPartitioning: OutputPartitioning;
}

export interface FragmentedPlan {
  /** In ascending order of ids. Source fragments have larger ids than their readers. */
  readonly fragments: readonly PlanFragment[];
}
