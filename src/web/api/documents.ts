/**
 * Documents of the public resources as the pages read them. Members that older coordinators omit are optional, although the coordinator of
 * this build sends them.
 */
import type { ClusterStats } from "../../protocol/documents/cluster.ts";
import type { ServerInfo } from "../../protocol/documents/info.ts";
import type { NodeDocument } from "../../protocol/documents/node.ts";
import type { BasicQueryInfo } from "../../protocol/documents/query.ts";
import type { QueryState } from "../../protocol/documents/statement.ts";

export type { QueryState, ServerInfo };

/** What a live query waits for. */
export type WaitReason = "NONE" | "ADMISSION" | "WORKERS" | "PLANNING" | "SPLITS" | "EXCHANGE" | "MEMORY" | "CLIENT";

export interface Waiting {
  readonly waitReason?: WaitReason | undefined;
  /** A sentence. */
  readonly waitMessage?: string | undefined;
}

/** Element of GET /v1/query. */
export type ListedQuery = BasicQueryInfo & Waiting;

/** GET /v1/cluster. */
export type Cluster = ClusterStats & {
  /** Since the coordinator's start. */
  readonly finishedQueries?: number;
  readonly failedQueries?: number;
  readonly queuedDrivers?: number;
  /** Since the coordinator's start; they never decrease. */
  readonly processedRows?: number;
  readonly processedBytes?: number;
  /** Bytes of all nodes. */
  readonly memoryCapacity?: number;
  readonly eventLoopDelayMillis?: number;
};

export interface NodeQuery {
  readonly queryId: string;
  readonly runningTasks: number;
  readonly memoryReservation: string;
}

/** Element of GET /v1/node. */
export type ClusterNode = NodeDocument & {
  readonly nodeId?: string;
  readonly nodeVersion?: string;
  readonly coordinator?: boolean;
  readonly state?: string;
  readonly runningTasks?: number;
  readonly memoryReservation?: string;
  readonly queries?: readonly NodeQuery[];
};

/** Whether the state of a query is its last. */
export function isFinal(state: QueryState): boolean {
  return state === "FINISHED" || state === "FAILED";
}
