/** A node as its operations see it. */
import type { NodeOptions, OrreryNode } from "../../node.ts";
import type { CollectedMetric } from "./metrics/series.ts";

/** Hooks of a node for its operations. */
export type OperationHooks = Pick<NodeOptions, "onQueryEvent" | "onAnswered" | "traceQuery">;

/** Metrics of another node of this process; undefined if it did not answer in time. */
export interface NodeScrape {
  readonly nodeId: string;
  readonly metrics: readonly CollectedMetric[] | undefined;
}

/** A started node. */
export interface ObservedNode {
  readonly node: OrreryNode;
  /** Reads the node, without a trace in its recording. */
  observe<T>(work: () => T): T;
  /** Asks the other nodes of this process for their metrics; absent if there are none. */
  readonly others?: () => Promise<readonly NodeScrape[]>;
}
