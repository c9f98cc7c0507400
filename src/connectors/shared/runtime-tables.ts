/**
 * What the system connector shows of a running cluster, and can do to it: rows of system.runtime.nodes, queries, tasks and transactions, with Presto's columns, and the end of a
 * query. Given by the coordinator to the connector on its own node. Times are epoch milliseconds.
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
  readonly transactionId: string;
  readonly isolationLevel: string;
  readonly readOnly: boolean;
  readonly created: number;
  readonly idleTimeSecs: number;
  /** Those that its statements have read. */
  readonly catalogs: readonly string[];
}

export interface SystemRuntime {
  nodes(): readonly RuntimeNode[];
  /** In order of creation, ended ones included. */
  queries(): readonly RuntimeQuery[];
  /** Of the queries above, as far as they were reported. */
  tasks(): readonly RuntimeTask[];
  /** That clients hold open. */
  transactions(): readonly RuntimeTransaction[];
  /** Ends a query with ADMINISTRATIVELY_KILLED. Throws NOT_FOUND, or NOT_SUPPORTED when it has ended. */
  killQuery(queryId: string, message: string | undefined): void;
}
