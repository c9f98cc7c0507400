/** What a coordinator is given by node.ts: the ports, the node's catalogs, the view of the cluster and a way to run tasks in process. */
import type { Connector } from "../connectors/spi.ts";
import type { RuntimeNode } from "../connectors/shared/runtime-tables.ts";
import type { TaskExecution, TaskOptions } from "../execution/task/api.ts";
import type { Ports } from "../ports/ports.ts";
import type { LimitTexts } from "./limits/limit-texts.ts";
import type { QueryMemories } from "../worker/query-memories.ts";
import type { Spooling } from "./results/spooling/spooled-rows.ts";
import type { Transactions } from "./query/transactions.ts";

/** A worker that can take tasks now. */
export interface WorkerNode {
  readonly nodeId: string;
  /** `http://host:port` */
  readonly uri: string;
  /** Another one after a restart; empty when the node did not say. */
  readonly incarnation: string;
}

export type KnownNode = RuntimeNode;

/** The cluster as the node monitor of this coordinator sees it. */
export interface ClusterView {
  /** Announced, with a green heartbeat, not shutting down. Sorted by node id. */
  activeWorkers(): readonly WorkerNode[];
  /** Every known node, this one included, sorted by node id. */
  knownNodes(): readonly KnownNode[];
  /** True when the node at this address is known to be gone (its connections are refused, or another node took its place). */
  isGone(uri: string): boolean;
  /** Calls back after every change of the three above; returns how to stop. */
  onChange(callback: () => void): () => void;
}

export interface CoordinatorConfig {
  /** query.max-concurrent-queries */
  readonly concurrentQueriesMax: number;
  /** query.max-queued-queries */
  readonly queuedQueriesMax: number;
  /** query-manager.required-workers */
  readonly requiredWorkers: number;
  /** query-manager.required-workers-max-wait */
  readonly requiredWorkersMaxWaitMs: number;
  /** node-scheduler.allowed-no-matching-node-period: how long a query waits once a cluster that was complete has no worker left. */
  readonly noWorkersMaxWaitMs: number;
  /** query.max-length, characters of SQL */
  readonly queryLengthMax: number;
  /** query.max-run-time */
  readonly queryMaxRunTimeMs: number;
  /** query.max-execution-time */
  readonly queryMaxExecutionTimeMs: number;
  /** query.max-cpu-time */
  readonly queryMaxCpuTimeMs: number;
  /** query.max-scan-physical-bytes; `unlimited` when it is not set */
  readonly queryMaxScanBytes: number;
  /** The four above, as they were written. */
  readonly limitTexts: LimitTexts;
  /** query.max-stage-count */
  readonly queryMaxStageCount: number;
  /** query.stage-count-warning-threshold */
  readonly stageCountWarningThreshold: number;
  /** sql.path; absent when it is not set */
  readonly sqlPath?: string;
  /** sql.default-function-catalog and -schema; absent when they are not set */
  readonly functionSchema?: { readonly catalog: string; readonly schema: string };
  /** query.client.timeout */
  readonly clientTimeoutMs: number;
  /** query.max-history */
  readonly historyMax: number;
  /** query.min-expire-age */
  readonly expireAgeMinMs: number;
  /** query.hash-partition-count; the number of active workers when that is less */
  readonly hashPartitionCount: number;
  /** query.min-schedule-split-batch-size */
  readonly splitBatchSizeMin: number;
  /** query.remote-task.max-error-duration */
  readonly remoteTaskErrorDurationMaxMs: number;
  /** task.status-refresh-max-wait */
  readonly statusRefreshMaxWaitMs: number;
  /** From a task's creation to the first question for its status: who reads a task of a short query tells sooner how it ended. */
  readonly taskFollowDelayMs: number;
  /** task.info-update-interval */
  readonly infoUpdateIntervalMs: number;
  /** Deadline of one request to a worker beyond what it may wait. */
  readonly requestTimeoutMs: number;
}

/** No limit. A configuration is recorded as JSON, which has no infinity. */
export const unlimited: number = Number.MAX_SAFE_INTEGER;

/** Told after every change of state of a query or stage, so that a checker can hold the tables against it. */
export type TransitionHook = (kind: "query" | "stage", id: string, from: string, to: string) => void;

export interface CoordinatorContext {
  readonly ports: Ports;
  readonly config: CoordinatorConfig;
  readonly nodeId: string;
  /** Of this life of the node. */
  readonly incarnation: string;
  readonly nodeVersion: string;
  readonly environment: string;
  /** Names of the catalogs, sorted. */
  readonly catalogs: readonly string[];
  /** Throws CATALOG_NOT_FOUND. */
  readonly connector: (catalog: string) => Connector;
  readonly cluster: ClusterView;
  /** As many workers as are required have been active at some time. */
  readonly hasBeenReady: () => boolean;
  /** The queries' memory on this node: the coordinator's part of a query is charged with its tasks here. */
  readonly memories: QueryMemories;
  /** Those that clients hold open. */
  readonly transactions: Transactions;
  /**
   * Creates and starts a task in this process: the root task of stage 0. Other fragments that belong on the coordinator (system tables) are sent to this
   * node's own task resource like to any worker, so the coordinator must serve that resource as well.
   */
  readonly createTask: (options: TaskOptions) => TaskExecution;
  /** Undefined where it is switched off. */
  readonly spooling: Spooling | undefined;
  readonly onTransition?: TransitionHook;
}
