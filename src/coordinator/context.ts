/**
 * The coordinator's configuration and everything it depends on: ports, catalogs, the view of the cluster, and the factory for in-process
 * tasks.
 */
import type { Connector } from "../connectors/spi.ts";
import type { RuntimeNode } from "../connectors/shared/runtime-tables.ts";
import type { FragmentTexts } from "../planner/fragmenter/fragment-texts.ts";
import type { CatalogStore } from "../planner/statements/definition/catalogs.ts";
import type { TaskExecution, TaskOptions } from "../execution/task/api.ts";
import type { NetworkError } from "../ports/network.ts";
import type { Ports } from "../ports/ports.ts";
import type { QueryInfo } from "../protocol/documents/query.ts";
import type { ResourceGroupsDocument } from "../protocol/documents/resource-groups.ts";
import type { QueryRoutingDocument } from "../protocol/documents/query-routing.ts";
import type { ErrorName } from "../protocol/errors.ts";
import type { CatalogSecurity } from "../security/sql-standard/catalog-security.ts";
import type { AccessControl } from "../security/access-control.ts";
import type { GroupsOf } from "../security/user-groups.ts";
import type { LowMemoryKillerConfig } from "./limits/low-memory-policy.ts";
import type { LimitTexts } from "./limits/limit-texts.ts";
import type { QueryMemories } from "../worker/query-memories.ts";
import type { RetryConfig } from "./scheduler/retry-policy.ts";
import type { Spooling } from "./results/spooling/spooled-rows.ts";
import type { Transactions } from "./query/transactions.ts";

/** A worker that accepts tasks. */
export interface WorkerNode {
  readonly nodeId: string;
  /** `http://host:port` */
  readonly uri: string;
  /** Changes with each restart; empty when the node did not announce one. */
  readonly incarnation: string;
  /** Names of its catalogs; absent for the coordinator itself and for nodes that do not announce them: they have all. */
  readonly catalogs?: ReadonlySet<string> | undefined;
  /** Versions of its catalogs that were created at run time, by name. */
  readonly catalogVersions?: ReadonlyMap<string, string>;
  /** Size of the node's memory; undefined when the node did not announce it. */
  readonly memoryBytes?: number | undefined;
}

export type KnownNode = RuntimeNode;

/** The cluster as this coordinator's node monitor sees it. */
export interface ClusterView {
  /** Nodes that are announced, have a passing heartbeat and are not shutting down. Sorted by node id. */
  activeWorkers(): readonly WorkerNode[];
  /** Number of these. */
  readonly activeCount: number;
  /** All known nodes, including this one, sorted by node id. */
  knownNodes(): readonly KnownNode[];
  /** True if the node at this address is known to be gone: its connections are refused, or another node took its address. */
  isGone(uri: string): boolean;
  /** True if the node at this address has been silent for long, while others answer. It may go on later. */
  isUnresponsive(uri: string): boolean;
  /** A request to the node at this address has failed: the view finds out sooner whether it is gone. */
  requestFailed(uri: string, error: NetworkError): void;
  /** Calls `callback` after every change of the results above. Returns a function that unsubscribes. */
  onChange(callback: () => void): () => void;
}

export interface CoordinatorConfig {
  /** Value of query.max-concurrent-queries. */
  readonly concurrentQueriesMax: number;
  /** query.max-queued-queries */
  readonly queuedQueriesMax: number;
  /** query-manager.required-workers */
  readonly requiredWorkers: number;
  /** query-manager.required-workers-max-wait */
  readonly requiredWorkersMaxWaitMs: number;
  /** transaction.idle-timeout */
  readonly transactionIdleMsMax: number;
  /** node-scheduler.allowed-no-matching-node-period: how long a query waits when a cluster that was complete has lost all workers. */
  readonly noWorkersMaxWaitMs: number;
  /** query.max-length, in characters of SQL. */
  readonly queryLengthMax: number;
  /** query.max-run-time */
  readonly queryMaxRunTimeMs: number;
  /** query.max-execution-time */
  readonly queryMaxExecutionTimeMs: number;
  /** query.max-cpu-time */
  readonly queryMaxCpuTimeMs: number;
  /** query.max-scan-physical-bytes; `unlimited` if not set. */
  readonly queryMaxScanBytes: number;
  /** query.max-memory; unlimited if absent. */
  readonly queryMaxMemoryBytes?: number;
  /** query.max-total-memory; unlimited if absent. */
  readonly queryMaxTotalMemoryBytes?: number;
  /** The limits above as the configuration spells them. */
  readonly limitTexts: LimitTexts;
  /** query.max-stage-count */
  readonly queryMaxStageCount: number;
  /** query.stage-count-warning-threshold */
  readonly stageCountWarningThreshold: number;
  /** sql.path; absent if not set. */
  readonly sqlPath?: string;
  /** sql.default-function-catalog and sql.default-function-schema; absent if not set. */
  readonly functionSchema?: { readonly catalog: string; readonly schema: string };
  /** query.client.timeout */
  readonly clientTimeoutMs: number;
  /** query.max-history */
  readonly historyMax: number;
  /** query.min-expire-age */
  readonly expireAgeMinMs: number;
  /** query.hash-partition-count */
  readonly hashPartitionCount: number;
  /** optimizer.min-input-rows-per-task */
  readonly inputRowsPerTaskMin: number;
  /** query.min-schedule-split-batch-size */
  readonly splitBatchSizeMin: number;
  /** query.remote-task.max-error-duration */
  readonly remoteTaskErrorDurationMaxMs: number;
  /** task.status-refresh-max-wait */
  readonly statusRefreshMaxWaitMs: number;
  /** Rest between the creation of a task and its first status poll: short tasks finish first. Rests before later polls are longer. */
  readonly taskFollowDelayMs: number;
  /** task.info-update-interval */
  readonly infoUpdateIntervalMs: number;
  readonly retry: RetryConfig;
  /** No query is ended for the memory of nodes if absent. */
  readonly lowMemoryKiller?: LowMemoryKillerConfig;
  /** spill-enabled; true if absent. */
  readonly spillEnabled?: boolean;
  /** Time allowed for one request to a worker, on top of the wait that the request asks for. */
  readonly requestTimeoutMs: number;
}

/** No limit. Recordings store the configuration as JSON, which has no infinity. */
export const unlimited: number = Number.MAX_SAFE_INTEGER;

/** Reports every state transition of a query or stage, so that a checker can verify it against the transition tables. */
export type TransitionHook = (kind: "query" | "stage", id: string, from: string, to: string) => void;

export interface ScannedTable {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** Exact numbers of a query. Its documents round times and sizes. */
export interface QueryMeasures {
  readonly queuedNanos: number;
  readonly planningNanos: number;
  readonly executionNanos: number;
  readonly elapsedNanos: number;
  /** From the creation of the query until its first rows reached the coordinator; absent if it returned none. */
  readonly firstRowNanos?: number;
  readonly cpuNanos: number;
  readonly peakMemoryBytes: number;
  readonly spilledBytes: number;
  /** What its scans read. */
  readonly inputRows: number;
  readonly inputBytes: number;
  readonly outputRows: number;
  readonly outputBytes: number;
  /** The tables that it scans, sorted. */
  readonly tables: readonly ScannedTable[];
  /** Absent unless the query has failed. */
  readonly errorName?: ErrorName;
}

/** The creation or the completion of a query. `info` and `measures` are made when they are first read. */
export interface QueryEvent {
  readonly kind: "created" | "completed";
  readonly info: QueryInfo;
  readonly measures: QueryMeasures;
  /** Resolves when the final documents of the tasks are known, or given up; that can take as long as a lost node is waited for. */
  readonly settled: Promise<void>;
}

/** Observes all queries. It cannot change what the node does. */
export type QueryEventHook = (event: QueryEvent) => void;

/**
 * Begins the trace of a query. `parent` is the client's traceparent. Returns the traceparent of the query's own span, which the requests to
 * other nodes carry; undefined leaves the client's.
 */
export type TraceHook = (query: { readonly queryId: string; readonly parent: string | undefined }) => string | undefined;

export interface CoordinatorContext {
  readonly ports: Ports;
  readonly config: CoordinatorConfig;
  readonly fragmentTexts: FragmentTexts;
  readonly nodeId: string;
  /** Incarnation of this node. */
  readonly incarnation: string;
  readonly nodeVersion: string;
  readonly environment: string;
  /** Names of this node's catalogs, sorted. */
  readonly catalogs: () => readonly string[];
  /** Undefined with catalog.management=static. */
  readonly catalogStore: CatalogStore | undefined;
  /** Throws CATALOG_NOT_FOUND. */
  readonly connector: (catalog: string) => Connector;
  readonly cluster: ClusterView;
  /** True once the required number of workers has been active at the same time. */
  readonly hasBeenReady: () => boolean;
  /** Memory of all queries on this node. The coordinator's share of a query is charged to the same context as its tasks on this node. */
  readonly memories: QueryMemories;
  /** Those that clients hold open. */
  readonly transactions: Transactions;
  /**
   * Creates and starts a task in this process: the root task of stage 0. Other fragments that must run on the coordinator (system tables)
   * go through this node's own task resource, so the coordinator must serve that resource as well.
   */
  readonly createTask: (options: TaskOptions) => TaskExecution;
  /** Undefined if the spooled protocol is disabled. */
  readonly spooling: Spooling | undefined;
  /** The rights in force; undefined if all users may read and change everything, and be anybody. */
  readonly access: () => AccessControl | undefined;
  readonly groupsOf: GroupsOf;
  /** Of the catalogs that keep rights themselves, by name. */
  readonly securities: () => ReadonlyMap<string, CatalogSecurity>;
  /** At the start; absent if there is one group by the properties query.max-concurrent-queries and query.max-queued-queries. */
  readonly resourceGroups?: ResourceGroupsDocument | undefined;
  /** At the start; absent if all statements run on this cluster. */
  readonly queryRouting?: QueryRoutingDocument | undefined;
  readonly onTransition?: TransitionHook;
  readonly onQueryEvent?: QueryEventHook;
  readonly traceQuery?: TraceHook;
}
