/**
 * The state of a running cluster for the system connector: rows of system.runtime.nodes, queries, tasks and transactions with Presto's
 * columns, and the procedure that kills a query. The coordinator provides it to the connector on its own node. Times are epoch
 * milliseconds.
 */

export interface RuntimeNode {
  readonly nodeId: string;
  /** `http://host:port` */
  readonly uri: string;
  readonly nodeVersion: string;
  readonly coordinator: boolean;
  readonly state: "active" | "inactive" | "shutting_down";
}

export interface RuntimeQuery {
  readonly queryId: string;
  readonly state: string;
  readonly user: string;
  readonly source?: string;
  readonly resourceGroupId: readonly string[];
  readonly query: string;
  readonly queuedTimeMs: number;
  readonly analysisTimeMs: number;
  readonly planningTimeMs: number;
  readonly created: number;
  readonly started?: number;
  readonly lastHeartbeat: number;
  readonly end?: number;
  readonly errorType?: string;
  readonly errorCode?: string;
}

export interface RuntimeTask {
  /** Of the query. */
  readonly user: string;
  readonly nodeId: string;
  readonly taskId: string;
  readonly stageId: string;
  readonly queryId: string;
  readonly state: string;
  readonly splits: number;
  readonly queuedSplits: number;
  readonly runningSplits: number;
  readonly completedSplits: number;
  readonly splitScheduledTimeMs: number;
  readonly splitCpuTimeMs: number;
  readonly splitBlockedTimeMs: number;
  readonly rawInputBytes: number;
  readonly rawInputRows: number;
  readonly processedInputBytes: number;
  readonly processedInputRows: number;
  readonly outputBytes: number;
  readonly outputRows: number;
  readonly physicalWrittenBytes: number;
  readonly created?: number;
  readonly start?: number;
  readonly lastHeartbeat?: number;
  readonly end?: number;
}

export interface RuntimeTransaction {
  /** Who has begun it. */
  readonly user: string;
  readonly transactionId: string;
  readonly isolationLevel: string;
  readonly readOnly: boolean;
  readonly created: number;
  readonly idleTimeSecs: number;
  /** Catalogs that its statements have read. */
  readonly catalogs: readonly string[];
}

export interface RuntimeResourceGroup {
  /** Names from the root to the group. */
  readonly id: readonly string[];
  readonly state: string;
  readonly schedulingPolicy: string;
  readonly schedulingWeight: number;
  /** Undefined if memory does not limit the group. */
  readonly memoryLimitBytes: number | undefined;
  readonly softConcurrencyLimit: number;
  readonly hardConcurrencyLimit: number;
  readonly maxQueued: number;
  readonly memoryUsageBytes: number;
  readonly cpuUsageMs: number;
  readonly physicalInputBytes: number;
  readonly queuedQueries: number;
  readonly runningQueries: number;
}

export interface SystemRuntime {
  /** All groups, each after the one above it. */
  resourceGroups(): readonly RuntimeResourceGroup[];
  nodes(): readonly RuntimeNode[];
  /** Including queries that have ended; of those in the history on the disk only the beginning of the statement. */
  queries(): Promise<readonly RuntimeQuery[]>;
  /** Tasks of the queries above, as last reported. */
  tasks(): readonly RuntimeTask[];
  /** Transactions that clients hold open. */
  transactions(): readonly RuntimeTransaction[];
  /**
   * Ends a query with ADMINISTRATIVELY_KILLED. Throws NOT_FOUND, PERMISSION_DENIED if the user may not, or NOT_SUPPORTED if the query has
   * ended.
   */
  killQuery(queryId: string, message: string | undefined, user: string): void;
}
