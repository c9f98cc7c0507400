/**
 * The configuration of a node: the table of all properties with Presto's names, and the typed object for node.ts. Callers read properties
 * from their own sources and pass them to nodeConfig; they must report unknown names themselves.
 */
import type { HistoryBounds } from "./coordinator/history/history-index.ts";
import type { LeaseConfig } from "./coordinator/lease/lease.ts";
import { type CoordinatorConfig, unlimited } from "./coordinator/context.ts";
import { lowMemoryKillerPolicies } from "./coordinator/limits/low-memory-policy.ts";
import type { SpoolingLimits } from "./coordinator/results/spooling/spooled-rows.ts";
import type { RetryConfig } from "./coordinator/scheduler/retry-policy.ts";
import { retryPolicies } from "./planner/session-properties.ts";
import type { ExecutionLimits } from "./execution/task/api.ts";
import type { FailureDetectorConfig } from "./monitor/failure-detector.ts";
import type { DiscoveryConfig } from "./monitor/discovery.ts";
import { QueryError } from "./protocol/errors.ts";
import type { QueryRoutingDocument } from "./protocol/documents/query-routing.ts";
import type { ResourceGroupsDocument } from "./protocol/documents/resource-groups.ts";
import type { AccessConfiguration } from "./security/access-configuration.ts";
import type { UserGroupsDocument } from "./security/user-groups.ts";
import { parseDataSize, parseDurationMs } from "./protocol/units.ts";
import type { AnnouncerConfig } from "./worker/announcer.ts";
import type { CatalogConfig } from "./worker/catalogs.ts";
import type { TaskRegistryConfig } from "./worker/task-registry.ts";
import { shownValue } from "./protocol/shown-value.ts";

export type { CatalogConfig };

export type PropertyType = "duration" | "size" | "integer" | "boolean" | "text";

export interface EngineProperty {
  readonly name: string;
  readonly type: PropertyType;
  /** In the user's syntax; empty if there is no default. */
  readonly default: string;
  /** One sentence for `--help` and the documentation. */
  readonly description: string;
}

function property(name: string, type: PropertyType, defaultText: string, description: string): EngineProperty {
  return { name, type, default: defaultText, description };
}

const properties = [
  property("node.id", "text", "", "Name of the node, unique in the cluster"),
  property("node.environment", "text", "production", "Name of the cluster; nodes of another environment are refused"),
  property("coordinator", "boolean", "true", "Whether the node takes statements"),
  property(
    "internal-communication.shared-secret",
    "text",
    "",
    "Secret with which the nodes of the cluster sign their requests, the same on all; without it, one of this user on this machine",
  ),
  property("node-scheduler.include-coordinator", "boolean", "false", "Whether the coordinator works on queries like a worker"),
  property("discovery.uri", "text", "", "Address of the coordinator that the node announces itself to"),
  property(
    "node.memory",
    "size",
    "",
    "Memory of the node for rows, used as needed; by default the nodes of a process share two thirds of the machine's memory, less on a small machine; a coordinator has a quarter of what a worker has",
  ),
  property(
    "node.memory-return-delay",
    "duration",
    "10s",
    "How long a node must be idle before memory that queries used is returned to the operating system",
  ),
  property("node.kernel-backend", "text", "wasm", "How generated code runs: wasm or interpreter"),
  property(
    "query.max-memory-per-node",
    "size",
    "",
    "Memory that one query may use on a node; by default half of the default of node.memory, more on a small node",
  ),
  property("query.max-memory", "size", "20GB", "User memory that one query may use on all nodes together"),
  property(
    "query.max-total-memory",
    "size",
    "",
    "Memory that one query may use on all nodes together, with the pages on their way between nodes; by default twice query.max-memory",
  ),
  property(
    "query.low-memory-killer.policy",
    "text",
    "total-reservation-on-blocked-nodes",
    "Which query is ended when nodes are out of memory: none, total-reservation (the largest) or total-reservation-on-blocked-nodes (the largest on these nodes)",
  ),
  property("query.low-memory-killer.delay", "duration", "5m", "How long nodes are out of memory before a query is ended for it"),
  property("spill-enabled", "boolean", "true", "Whether operators write rows to disk when memory is short"),
  property("query.max-length", "integer", "1000000", "Characters of a statement"),
  property("query.max-run-time", "duration", "100d", "How long a query may take from its creation"),
  property("query.max-execution-time", "duration", "100d", "How long a query may take from when it begins to run"),
  property("query.max-cpu-time", "duration", "1000000000d", "CPU time that all tasks of a query may use"),
  property("query.max-scan-physical-bytes", "size", "", "Bytes that the scans of a query may read; unlimited by default"),
  property("query.max-stage-count", "integer", "100", "Stages that a query may have; a session may raise it"),
  property("query.stage-count-warning-threshold", "integer", "50", "A query with more stages than this is warned"),
  property("query.max-concurrent-queries", "integer", "1000", "Queries that run at the same time; others wait"),
  property("query.max-queued-queries", "integer", "5000", "Queries that wait; more are refused"),
  property(
    "query.client.timeout",
    "duration",
    "5m",
    "A query whose client asks nothing for this long is ended. It counts from the last answer: a client that waits for one is not silent",
  ),
  property("query.max-history", "integer", "100", "Ended queries that are remembered"),
  property(
    "query.min-expire-age",
    "duration",
    "15m",
    "Ended queries younger than this are remembered beyond the history, up to three times as many and 128MB",
  ),
  property(
    "query-history.enabled",
    "boolean",
    "false",
    "Whether ended queries are kept on disk; true by default for a server with query-history.directory",
  ),
  property("query-history.max-count", "integer", "50000", "Queries that are kept on disk; their index takes at most 64MB of memory"),
  property("query-history.max-size", "size", "512MB", "Size of the files of the query history"),
  property("query-history.max-age", "duration", "30d", "How long queries are kept on disk"),
  property(
    "query-recovery.enabled",
    "boolean",
    "false",
    "Whether queries go on when the coordinator is started again; true by default for a server with query-history.directory",
  ),
  property(
    "table-recovery.enabled",
    "boolean",
    "false",
    "Whether tables in memory that workers still have survive a restart of the coordinator; true by default for a server with query-history.directory whose process runs no tasks",
  ),
  property(
    "coordinator.lease.enabled",
    "boolean",
    "false",
    "Whether coordinators may share query-history.directory, one after the other; true by default for a server that has one",
  ),
  property(
    "coordinator.lease.duration",
    "duration",
    "10s",
    "Time without a sign of life after which a coordinator on stand-by takes over; the same for all coordinators of a directory",
  ),
  property("query.hash-partition-count", "integer", "100", "Most tasks of a stage"),
  property(
    "optimizer.min-input-rows-per-task",
    "integer",
    "600000",
    "Least rows that each task of a stage of two tasks reads; of D tasks, D - 1 times as many",
  ),
  property(
    "query.min-schedule-split-batch-size",
    "integer",
    "100",
    "Number of splits of each scan in the creation of a task; later batches are larger",
  ),
  property("catalog.management", "text", "static", "static: catalogs of the configuration; dynamic: also CREATE CATALOG and DROP CATALOG"),
  property("sql.path", "text", "", "Default SQL path for function resolution, as in SET PATH; clients can override it"),
  property("sql.default-function-catalog", "text", "", "Default catalog of user-defined functions"),
  property(
    "sql.default-function-schema",
    "text",
    "",
    "Default schema of user-defined functions; add it to sql.path to resolve their unqualified names",
  ),
  property("query.remote-task.max-error-duration", "duration", "5m", "How long requests to a worker may fail before the query fails"),
  property(
    "retry-policy",
    "text",
    "TASK",
    "What runs again when a worker is lost: TASK, the tasks that are needed again; QUERY, the whole query; NONE, the query fails",
  ),
  property("query-retry-attempts", "integer", "4", "How often a query runs again before it fails"),
  property("task-retry-attempts-per-task", "integer", "4", "How often a task runs again, with retry-policy TASK, before its query fails"),
  property(
    "task-retry-unresponsive-timeout",
    "duration",
    "5s",
    "With retry-policy TASK, how long a worker answers no heartbeat until its tasks run again on others; 0s: until it is not announced any more",
  ),
  property(
    "speculative-execution-enabled",
    "boolean",
    "false",
    "With retry-policy TASK, whether a task that runs much longer than the others of its stage runs a second time on another worker",
  ),
  property(
    "retry-initial-delay",
    "duration",
    "200ms",
    "Delay before a query, or a task whose process may live, runs again for the first time",
  ),
  property("retry-max-delay", "duration", "1m", "Longest delay before a query runs again"),
  property("retry-delay-scale-factor", "text", "2.0", "Factor by which each delay is longer than the one before"),
  property(
    "protocol.spooling.enabled",
    "boolean",
    "true",
    "Whether clients can use Trino's spooled protocol, which returns rows as segments",
  ),
  property("protocol.spooling.maximum-segment-size", "size", "1MB", "Approximate maximum size of a segment before compression"),
  property("protocol.spooling.inlining.max-size", "size", "128kB", "Maximum size of rows that are inlined in the response"),
  property("protocol.spooling.inlining.max-rows", "integer", "1000", "Maximum number of rows that are inlined in the response"),
  property("protocol.spooling.maximum-storage-size", "size", "1GB", "Maximum size of all stored segments; further rows are inlined"),
  property("fs.segment.ttl", "duration", "1h", "Maximum time that an unacknowledged segment is kept"),
  property("transaction.idle-timeout", "duration", "5m", "Time without a statement after which a transaction is ended"),
  property("query-manager.required-workers", "integer", "1", "Minimum number of active workers before queries start"),
  property("query-manager.required-workers-max-wait", "duration", "5m", "Maximum time that a query waits for the required workers"),
  property(
    "node-scheduler.allowed-no-matching-node-period",
    "duration",
    "10s",
    "Maximum time that a query waits when the cluster has lost all workers",
  ),
  property("task.client.timeout", "duration", "2m", "How long a task runs without requests from the coordinator before it is abandoned"),
  property("task.info.max-age", "duration", "15m", "How long an ended task is kept if it is not deleted"),
  property("task.status-refresh-max-wait", "duration", "1s", "Maximum time that a task status request waits for a change"),
  property("task.info-update-interval", "duration", "3s", "Interval at which the coordinator fetches task information"),
  property("task.max-tasks", "integer", "20000", "Maximum number of tasks on a node"),
  property("task.max-slice-time", "duration", "20ms", "Time that a driver runs before it yields"),
  property("task.max-slice-rows", "integer", "262144", "Approximate number of rows that a driver processes before it yields"),
  property(
    "sink.max-buffer-size",
    "size",
    "32MB",
    "Maximum size of the output buffers of a task; with more than eight tasks of a query on a node, of eight of them together",
  ),
  property("exchange.max-buffer-size", "size", "32MB", "Maximum size of the pages that an exchange buffers"),
  property("exchange.max-response-size", "size", "16MB", "Maximum size of the pages in one exchange response"),
  property("exchange.max-error-duration", "duration", "5m", "How long exchange requests may fail before the query fails"),
  property("failure-detector.enabled", "boolean", "true", "Whether heartbeats detect failed workers"),
  property("failure-detector.threshold", "text", "0.1", "Maximum ratio of failed recent heartbeats"),
  property("failure-detector.heartbeat-interval", "duration", "500ms", "Interval between heartbeats"),
  property(
    "failure-detector.heartbeat-timeout",
    "duration",
    "2s",
    "Time after which an unanswered heartbeat has failed; 15s if workers are threads of the coordinator's process",
  ),
  property(
    "failure-detector.warmup-interval",
    "duration",
    "5s",
    "How long heartbeats must succeed before a node that failed is used again",
  ),
  property("failure-detector.expiration-grace-interval", "duration", "10m", "How long a node that left is still listed"),
  property(
    "discovery.announce-interval",
    "duration",
    "3s",
    "Time between two announcements of a worker. One without an answer is repeated after this time, at least 1s. When the coordinator's process ends, its workers announce themselves at once",
  ),
  property("discovery.max-age", "duration", "15s", "A worker that did not announce itself for this long is no longer used"),
  property("shutdown.grace-period", "duration", "30s", "How long a node that shuts down waits for its queries and tasks"),
  property("http.request-timeout", "duration", "10s", "Deadline of one request between nodes"),
] as const satisfies readonly EngineProperty[];

/** In the order of the documentation. */
export const engineProperties: readonly EngineProperty[] = properties;

/** In the user's syntax; empty if there is no default. */
export function engineDefault(name: string): string {
  return properties.find((one) => one.name === name)?.default ?? "";
}

/** On smaller nodes one query may use more than half of the memory, because it would spill early. */
const queryBytesOfSmallNode = 128 * 1024 ** 2;

/** The defaults that depend on the machine: of a node that may have so much memory. */
export function memoryDefaults(nodeMemoryBytes: number): Readonly<Record<"node.memory" | "query.max-memory-per-node", string>> {
  const queryBytes = Math.max(nodeMemoryBytes / 2, Math.min((nodeMemoryBytes / 4) * 3, queryBytesOfSmallNode));
  return { "node.memory": `${nodeMemoryBytes}B`, "query.max-memory-per-node": `${Math.floor(queryBytes)}B` };
}

/** Of a node whose process does not say what the machine has. */
const nodeMemoryBytesDefault = 2 * 1024 ** 3;

export interface NodeConfig {
  readonly nodeId: string;
  readonly nodeVersion: string;
  readonly environment: string;
  /** `both` is a coordinator that also runs tasks of queries. */
  readonly role: "coordinator" | "worker" | "both";
  /** Address of the coordinator; a worker may get it later through `join`. */
  readonly discoveryUri?: string;
  readonly catalogs: readonly CatalogConfig[];
  /** Rights of users at the start of a coordinator; absent if all may do everything, and be anybody. */
  readonly access?: AccessConfiguration;
  /** Groups of users at the start of a coordinator; absent if nobody has any. */
  readonly userGroups?: UserGroupsDocument;
  /** Of a coordinator at its start; absent if there is one group by its properties. */
  readonly resourceGroups?: ResourceGroupsDocument;
  /** Of a coordinator at its start; absent if all statements run on its cluster. */
  readonly queryRouting?: QueryRoutingDocument;
  /** catalog.management=dynamic */
  readonly dynamicCatalogs: boolean;
  /** Rounded down to whole pages of 64 KiB. */
  readonly memoryBytes: number;
  readonly memoryReturnDelayMs: number;
  readonly queryMemoryPerNodeBytesMax: number;
  readonly kernelBackend: "wasm" | "interpreter";
  readonly execution: ExecutionLimits;
  readonly tasks: TaskRegistryConfig;
  readonly announcer: AnnouncerConfig;
  readonly discovery: DiscoveryConfig;
  readonly failureDetector: FailureDetectorConfig;
  readonly coordinator: CoordinatorConfig;
  /** Undefined if the spooled protocol is disabled. */
  readonly spooling: SpoolingConfig | undefined;
  /** Undefined if ended queries are not kept on disk. */
  readonly history?: HistoryBounds | undefined;
  /** Queries go on when the coordinator is started again. */
  readonly recoversQueries?: boolean;
  /** Catalogs of tables in memory survive the coordinator. */
  readonly recoversTables?: boolean;
  /** Undefined if no other coordinator uses the disk. */
  readonly lease?: LeaseConfig | undefined;
  readonly shutdownGraceMs: number;
  readonly requestTimeoutMs: number;
}

/** Configuration of Trino's spooled protocol. */
export interface SpoolingConfig extends SpoolingLimits {
  readonly storageBytesMax: number;
  readonly segmentTtlMs: number;
}

export interface NodeIdentity {
  /** Overrides the property `node.id`. */
  readonly nodeId?: string;
  readonly nodeVersion?: string;
  /** Overrides the properties `coordinator` and `node-scheduler.include-coordinator`. */
  readonly role?: NodeConfig["role"];
  readonly discoveryUri?: string;
  readonly catalogs: readonly CatalogConfig[];
  /** Of a coordinator; absent if all users may do everything, and be anybody. */
  readonly access?: AccessConfiguration;
  /** Of a coordinator. */
  readonly userGroups?: UserGroupsDocument;
  /** Of a coordinator. */
  readonly resourceGroups?: ResourceGroupsDocument;
  /** Of a coordinator. */
  readonly queryRouting?: QueryRoutingDocument;
  /** The operating system's names of machine and process. */
  readonly process?: string;
}

export const engineVersion = "0.1.0";

/**
 * Applies the given properties over the defaults. Throws CONFIGURATION_INVALID that names the property. Ignores names that are not in the
 * table.
 */
export function nodeConfig(identity: NodeIdentity, given: Readonly<Record<string, string>> = {}): NodeConfig {
  const read = new PropertyReader({ ...memoryDefaults(nodeMemoryBytesDefault), ...given });
  const role = identity.role ?? roleOf(read);
  const nodeId = identity.nodeId ?? read.text("node.id");
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(nodeId)) {
    throw invalid("node.id", nodeId, "letters, digits, '_', '.' and '-'");
  }
  const discoveryUri = identity.discoveryUri ?? read.text("discovery.uri");
  const requestTimeoutMs = read.duration("http.request-timeout");
  return {
    nodeId,
    nodeVersion: identity.nodeVersion ?? engineVersion,
    environment: read.text("node.environment"),
    role,
    ...(discoveryUri === "" ? {} : { discoveryUri: discoveryUri.replace(/\/+$/, "") }),
    catalogs: identity.catalogs,
    ...(identity.access === undefined ? {} : { access: identity.access }),
    ...(identity.userGroups === undefined ? {} : { userGroups: identity.userGroups }),
    ...(identity.resourceGroups === undefined ? {} : { resourceGroups: identity.resourceGroups }),
    ...(identity.queryRouting === undefined ? {} : { queryRouting: identity.queryRouting }),
    dynamicCatalogs: read.oneOf("catalog.management", ["static", "dynamic"]) === "dynamic",
    memoryBytes: read.size("node.memory"),
    memoryReturnDelayMs: read.duration("node.memory-return-delay"),
    queryMemoryPerNodeBytesMax: read.size("query.max-memory-per-node"),
    kernelBackend: read.oneOf("node.kernel-backend", ["wasm", "interpreter"]),
    execution: executionLimits(read),
    tasks: {
      clientTimeoutMs: read.duration("task.client.timeout"),
      infoAgeMaxMs: read.duration("task.info.max-age"),
      tasksMax: read.integer("task.max-tasks"),
    },
    announcer: announcerConfig(read.duration("discovery.announce-interval"), requestTimeoutMs),
    discovery: { ageMaxMs: read.duration("discovery.max-age") },
    failureDetector: failureDetectorConfig(read),
    coordinator: coordinatorConfig(read, { requestTimeoutMs }),
    spooling: read.boolean("protocol.spooling.enabled") ? spoolingConfig(read) : undefined,
    history: read.boolean("query-history.enabled") ? historyBounds(read) : undefined,
    recoversQueries: read.boolean("query-recovery.enabled"),
    recoversTables: read.boolean("table-recovery.enabled"),
    ...(read.boolean("coordinator.lease.enabled") && {
      lease: { durationMs: read.duration("coordinator.lease.duration"), process: identity.process ?? "" },
    }),
    shutdownGraceMs: read.duration("shutdown.grace-period"),
    requestTimeoutMs,
  };
}

function roleOf(read: PropertyReader): NodeConfig["role"] {
  if (!read.boolean("coordinator")) {
    return "worker";
  }
  return read.boolean("node-scheduler.include-coordinator") ? "both" : "coordinator";
}

function executionLimits(read: PropertyReader): ExecutionLimits {
  return {
    outputBufferBytesMax: read.size("sink.max-buffer-size"),
    exchangeBufferBytesMax: read.size("exchange.max-buffer-size"),
    exchangeResponseBytesMax: read.size("exchange.max-response-size"),
    exchangeErrorDurationMs: read.duration("exchange.max-error-duration"),
    spillEnabled: read.boolean("spill-enabled"),
    sliceNanosMax: read.duration("task.max-slice-time") * 1e6,
    sliceWorkUnitsMax: read.integer("task.max-slice-rows"),
  };
}

function failureDetectorConfig(read: PropertyReader): FailureDetectorConfig {
  const threshold = Number(read.text("failure-detector.threshold"));
  if (!(threshold >= 0 && threshold <= 1)) {
    throw invalid("failure-detector.threshold", read.text("failure-detector.threshold"), "a number from 0 to 1");
  }
  return {
    enabled: read.boolean("failure-detector.enabled"),
    threshold,
    heartbeatIntervalMs: read.duration("failure-detector.heartbeat-interval"),
    heartbeatTimeoutMs: read.duration("failure-detector.heartbeat-timeout"),
    warmupMs: read.duration("failure-detector.warmup-interval"),
    expirationGraceMs: read.duration("failure-detector.expiration-grace-interval"),
    unresponsiveMs: read.duration("task-retry-unresponsive-timeout"),
  };
}

/** There is no property for it. */
const taskFollowDelayMs = 20;

const announcementTimeoutMsMin = 1000;

/** A lost announcement must not cost more time than `discovery.max-age` has for several. */
function announcerConfig(intervalMs: number, requestTimeoutMs: number): AnnouncerConfig {
  return { intervalMs, requestTimeoutMs: Math.min(requestTimeoutMs, Math.max(announcementTimeoutMsMin, intervalMs)) };
}

function coordinatorConfig(read: PropertyReader, shared: Pick<CoordinatorConfig, "requestTimeoutMs">): CoordinatorConfig {
  return {
    ...shared,
    taskFollowDelayMs,
    concurrentQueriesMax: read.integer("query.max-concurrent-queries"),
    queuedQueriesMax: read.integer("query.max-queued-queries"),
    requiredWorkers: read.integer("query-manager.required-workers"),
    requiredWorkersMaxWaitMs: read.duration("query-manager.required-workers-max-wait"),
    transactionIdleMsMax: read.duration("transaction.idle-timeout"),
    noWorkersMaxWaitMs: read.duration("node-scheduler.allowed-no-matching-node-period"),
    queryLengthMax: read.integer("query.max-length"),
    queryMaxRunTimeMs: read.duration("query.max-run-time"),
    queryMaxExecutionTimeMs: read.duration("query.max-execution-time"),
    queryMaxCpuTimeMs: read.duration("query.max-cpu-time"),
    queryMaxScanBytes: read.text("query.max-scan-physical-bytes").trim() === "" ? unlimited : read.size("query.max-scan-physical-bytes"),
    ...memoryLimits(read),
    limitTexts: {
      runMs: read.text("query.max-run-time"),
      executionMs: read.text("query.max-execution-time"),
      cpuMs: read.text("query.max-cpu-time"),
      scanBytes: read.text("query.max-scan-physical-bytes"),
      userMemoryBytes: read.text("query.max-memory"),
      totalMemoryBytes: read.text("query.max-total-memory"),
    },
    queryMaxStageCount: read.integer("query.max-stage-count"),
    spillEnabled: read.boolean("spill-enabled"),
    ...sqlEnvironment(read),
    stageCountWarningThreshold: read.integer("query.stage-count-warning-threshold"),
    clientTimeoutMs: read.duration("query.client.timeout"),
    historyMax: read.integer("query.max-history"),
    expireAgeMinMs: read.duration("query.min-expire-age"),
    hashPartitionCount: read.integer("query.hash-partition-count"),
    inputRowsPerTaskMin: read.integer("optimizer.min-input-rows-per-task"),
    splitBatchSizeMin: Math.max(1, read.integer("query.min-schedule-split-batch-size")),
    remoteTaskErrorDurationMaxMs: read.duration("query.remote-task.max-error-duration"),
    statusRefreshMaxWaitMs: read.duration("task.status-refresh-max-wait"),
    infoUpdateIntervalMs: read.duration("task.info-update-interval"),
    retry: retryConfig(read),
    lowMemoryKiller: {
      policy: read.oneOf("query.low-memory-killer.policy", lowMemoryKillerPolicies),
      delayMs: read.duration("query.low-memory-killer.delay"),
    },
  };
}

function memoryLimits(read: PropertyReader): Required<Pick<CoordinatorConfig, "queryMaxMemoryBytes" | "queryMaxTotalMemoryBytes">> {
  const userBytes = read.size("query.max-memory");
  const totalText = read.text("query.max-total-memory");
  const totalBytes = totalText.trim() === "" ? 2 * userBytes : read.size("query.max-total-memory");
  if (totalBytes < userBytes) {
    throw invalid("query.max-total-memory", totalText, "a data size of at least query.max-memory");
  }
  return { queryMaxMemoryBytes: userBytes, queryMaxTotalMemoryBytes: totalBytes };
}

function retryConfig(read: PropertyReader): RetryConfig {
  const delayScaleFactor = Number(read.text("retry-delay-scale-factor"));
  if (!(delayScaleFactor >= 1 && Number.isFinite(delayScaleFactor))) {
    throw invalid("retry-delay-scale-factor", read.text("retry-delay-scale-factor"), "a number of at least 1");
  }
  return {
    policy: read.oneOf("retry-policy", retryPolicies),
    attemptsMax: read.integer("query-retry-attempts"),
    taskAttemptsMax: read.integer("task-retry-attempts-per-task"),
    speculates: read.boolean("speculative-execution-enabled"),
    initialDelayMs: read.duration("retry-initial-delay"),
    delayMsMax: read.duration("retry-max-delay"),
    delayScaleFactor,
  };
}

function sqlEnvironment(read: PropertyReader): Pick<CoordinatorConfig, "functionSchema" | "sqlPath"> {
  const [path, catalog, schema] = ["sql.path", "sql.default-function-catalog", "sql.default-function-schema"].map((name) =>
    read.text(name).trim(),
  ) as [string, string, string];
  if ((catalog === "") !== (schema === "")) {
    const message = "sql.default-function-catalog and sql.default-function-schema must be set together";
    throw new QueryError("CONFIGURATION_INVALID", message);
  }
  return {
    ...(path !== "" && { sqlPath: path }),
    ...(catalog !== "" && { functionSchema: { catalog: catalog.toLowerCase(), schema: schema.toLowerCase() } }),
  };
}

function historyBounds(read: PropertyReader): HistoryBounds {
  return {
    countMax: read.integer("query-history.max-count"),
    bytesMax: read.size("query-history.max-size"),
    ageMaxMs: read.duration("query-history.max-age"),
  };
}

function spoolingConfig(read: PropertyReader): SpoolingConfig {
  return {
    segmentBytesMax: Math.max(1, read.size("protocol.spooling.maximum-segment-size")),
    inlineBytesMax: read.size("protocol.spooling.inlining.max-size"),
    inlineRowsMax: read.integer("protocol.spooling.inlining.max-rows"),
    storageBytesMax: read.size("protocol.spooling.maximum-storage-size"),
    segmentTtlMs: read.duration("fs.segment.ttl"),
  };
}

type PropertyName<T extends PropertyType> = Extract<(typeof properties)[number], { type: T }>["name"] | (string & {});

class PropertyReader {
  readonly #given: Readonly<Record<string, string>>;

  constructor(given: Readonly<Record<string, string>>) {
    this.#given = given;
  }

  text(name: PropertyName<"text">): string {
    return (Object.hasOwn(this.#given, name) ? this.#given[name] : undefined) ?? engineDefault(name);
  }

  oneOf<T extends string>(name: string, choices: readonly T[]): T {
    const text = this.text(name);
    const choice = choices.find((one) => one === text);
    if (choice === undefined) {
      throw invalid(name, text, choices.join(" or "));
    }
    return choice;
  }

  /** In milliseconds. */
  duration(name: PropertyName<"duration">): number {
    return this.#parsed(name, parseDurationMs, "a duration such as 30s or 5m");
  }

  /** In bytes. */
  size(name: PropertyName<"size">): number {
    return this.#parsed(name, parseDataSize, "a data size such as 512MB or 2GB");
  }

  integer(name: PropertyName<"integer">): number {
    return this.#parsed(name, (text) => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined), "a whole number");
  }

  boolean(name: PropertyName<"boolean">): boolean {
    const parse = (text: string): boolean | undefined => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined);
    return this.#parsed(name, parse, "true or false");
  }

  #parsed<T>(name: string, parse: (text: string) => T | undefined, expected: string): T {
    const text = this.text(name);
    const value = parse(text.trim());
    if (value === undefined) {
      throw invalid(name, text, expected);
    }
    return value;
  }
}

function invalid(name: string, value: string, expected: string): QueryError {
  return new QueryError("CONFIGURATION_INVALID", `Invalid value '${shownValue(value)}' for property '${name}': expected ${expected}`);
}
