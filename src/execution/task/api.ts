/**
 * The interface of execution. A task takes a fragment, splits and the addresses of its sources, and fills output buffers. The task resource
 * of a worker serves it to other nodes; the coordinator runs its root tasks through it.
 */
import type { Connector, Split } from "../../connectors/spi.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Frame } from "../../page/frame.ts";
import type { MemoryQueue } from "../driver/memory-queue.ts";
import type { MemoryRevoker } from "../spill/memory-revoker.ts";
import type { FramePool } from "../../page/frame-pool.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import type { Ports } from "../../ports/ports.ts";
import type { OperatorCounters, PipelineCounters, TaskCounterValues } from "../../protocol/counters.ts";
import type { ErrorName } from "../../protocol/errors.ts";
import type { ForeignError } from "../../protocol/documents/fields.ts";
import type { FilterDomainDocument } from "../../protocol/documents/task.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";

export type TaskState = "PLANNED" | "RUNNING" | "FLUSHING" | "FINISHED" | "CANCELED" | "ABORTED" | "FAILED";
export type BufferState = "OPEN" | "NO_MORE_BUFFERS" | "NO_MORE_PAGES" | "FLUSHING" | "FINISHED" | "FAILED";

/** A failure as it is sent between nodes. */
export interface FailureInfo {
  readonly errorName: ErrorName;
  /** With the `line l:c: ` prefix if there is a location. */
  readonly message: string;
  readonly location?: { readonly lineNumber: number; readonly columnNumber: number };
  /** `http://host:port` of the node where it happened, if remote. */
  readonly remoteHost?: string;
  /** Of another cluster's error, if this engine has no error of that name, code and type; documents show it in the place of `errorName`. */
  readonly foreign?: ForeignError;
}

export interface SessionFacts {
  readonly user: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly timeZone: string;
  /** Start of the query in epoch milliseconds, for now() and current_date. */
  readonly startMillis: number;
  readonly properties: Readonly<Record<string, string>>;
  /** The traceparent header of the requests that the task sends; absent if the query belongs to no trace. */
  readonly traceParent?: string;
}

/** A split of a table scan, or the address of one source task's output buffer. */
export type TaskSplit =
  | { readonly kind: "connector"; readonly catalog: string; readonly split: Split }
  /**
   * Location is `http://host:port/v1/task/{taskId}/results/{bufferId}`; fragmentId is the fragment it belongs to. The rotation is ordered
   * by fragment, then by insertion.
   */
  | { readonly kind: "remote"; readonly location: string; readonly fragmentId: number };

/**
 * Fixed when the task is created: the number of consumers is chosen once per query.
 *
 * - PARTITIONED: buffer i is for partition i.
 * - SHARED: several readers read the same partitions, and reader r has partition p in buffer r * bufferCount / readerCount + p.
 * - BROADCAST has one buffer per consumer.
 */
export interface OutputBuffersDescriptor {
  readonly kind: "PARTITIONED" | "BROADCAST" | "SHARED";
  readonly bufferCount: number;
  /** For SHARED: at least 2. */
  readonly readerCount?: number | undefined;
}

/** Services for operators. One per node; `memory` is the node's root of query memory. */
export interface ExecutionServices {
  readonly ports: Ports;
  readonly runtime: KernelRuntime;
  readonly connector: (catalog: string) => Connector;
  /** Memory of the frames of task output; absent if frames lie on the heap. */
  readonly frames?: FramePool;
  readonly limits: ExecutionLimits;
  /** The operators of the node that can spill; absent if each spills on its own. */
  readonly revoker?: MemoryRevoker;
  /** Absent if queries do not wait for each other's memory. */
  readonly memoryQueue?: MemoryQueue;
}

export interface ExecutionLimits {
  /** sink.max-buffer-size: unacknowledged bytes of a task's output before producers block (or spill, if a consumer waits). */
  readonly outputBufferBytesMax: number;
  /** exchange.max-buffer-size: maximum bytes that a task's exchange holds. */
  readonly exchangeBufferBytesMax: number;
  /** exchange.max-response-size, in bytes. */
  readonly exchangeResponseBytesMax: number;
  /** exchange.max-error-duration, in milliseconds. */
  readonly exchangeErrorDurationMs: number;
  /** spill-enabled, unless the session says otherwise; true if absent. */
  readonly spillEnabled?: boolean;
  /** A slice ends after this monotonic time or this number of work units (about rows), whichever comes first. */
  readonly sliceNanosMax: number;
  readonly sliceWorkUnitsMax: number;
}

export interface TaskOptions {
  readonly taskId: string;
  readonly fragment: PlanFragment;
  readonly outputBuffers: OutputBuffersDescriptor;
  readonly session: SessionFacts;
  /** The query's context on this node. The task creates a child and closes it at its end. */
  readonly queryMemory: MemoryContext;
  /** Number of tasks of the query on this node that have not ended; this one alone if absent. */
  readonly tasksOfQuery?: () => number;
  /** Place of the task among the tasks of its stage; absent if it is the number in the task id. */
  readonly partition?: number;
  /**
   * Tasks of the query are run again one by one when they are lost. The readers of this one then wait for its next run, and it leaves its
   * sources as they are when it fails.
   */
  readonly isRetried?: boolean;
  /** A former run of the task may have given pages to readers, which they have not acknowledged to this one. */
  readonly isRerun?: boolean;
  /** Called when the task begins to make the rows of a write visible; at most once. */
  readonly onCommit?: () => void;
  /** The creator of the task ends its sources as soon as the task has ended, so the task need not close their buffers one by one. */
  readonly endsSources?: boolean;
  /**
   * Called once, when the task has all that its sources produce; never for a task without sources, or one that needs less. The creator
   * deletes the sources then.
   */
  readonly onInputReceived?: () => void;
}

/** A snapshot in plain numbers, rendered as the task document elsewhere. All nanos and bytes are integers. */
export interface TaskStatsSnapshot extends TaskCounterValues {
  readonly createMillis: number;
  readonly startMillis?: number;
  readonly endMillis?: number;
  readonly elapsedNanos: number;
  readonly queuedNanos: number;
  readonly pipelines: readonly PipelineStatsSnapshot[];
}

/** In a pipeline that starts with a table scan a driver is a split (as in Presto); splits run in order. */
export interface PipelineStatsSnapshot extends PipelineCounters {
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
  /** One sample per driver that started (queued) or ended (elapsed). */
  readonly queuedNanosSamples: readonly number[];
  readonly elapsedNanosSamples: readonly number[];
  readonly operators: readonly OperatorStatsSnapshot[];
}

/** The times of one driver, or of one split of a scan. */
export interface DriverTimes {
  /** Number of the driver in its pipeline. */
  readonly ordinal: number;
  readonly createMillis: number;
  readonly startMillis?: number;
  readonly endMillis?: number;
  /** Rows read by a split that has ended. */
  readonly rawInputPositions?: number;
  /** Absent for a split: the times of a scan are those of all its splits. */
  readonly scheduledNanos?: number;
  readonly cpuNanos?: number;
  readonly blockedNanos?: number;
}

export interface OperatorStatsSnapshot extends OperatorCounters {
  readonly operatorId: number;
  readonly planNodeId: string;
  /** Presto's names: TableScanOperator, ScanFilterAndProjectOperator, ExchangeOperator, TaskOutputOperator, ... */
  readonly operatorType: string;
  readonly info?: ExchangeInfoSnapshot;
}

export interface ExchangeInfoSnapshot {
  readonly bufferedBytes: number;
  readonly averageBytesPerRequest: number;
  readonly bufferedPages: number;
  readonly clients: readonly {
    readonly uri: string;
    readonly state: "queued" | "scheduled" | "running" | "completed" | "closed";
    readonly lastUpdateMillis: number;
    readonly pagesReceived: number;
    readonly requestsScheduled: number;
    readonly requestsCompleted: number;
    readonly requestsFailed: number;
    readonly httpRequestState: string;
  }[];
}

export interface OutputBufferSnapshot {
  readonly state: BufferState;
  readonly pagesAdded: number;
  readonly bufferedBytes: number;
  /** Part of `bufferedBytes` that is in memory. */
  readonly memoryBytes?: number;
  /** Bytes of the largest page so far. */
  readonly pageBytesMax?: number;
  /** Part of memoryBytes that is being written to disk. */
  readonly spillingBytes?: number;
  /** True if a producer is blocked. */
  readonly producerWaits?: boolean;
  readonly buffers: readonly {
    readonly bufferId: string;
    readonly finished: boolean;
    /** True if a reader waits for a frame that does not exist yet. */
    readonly readerWaits?: boolean;
    readonly bufferedPages: number;
    readonly pagesSent: number;
  }[];
}

/**
 * Answer to a read of pages [token, nextToken) of a buffer. `frames` are page frames (page/serde.ts), which the reader releases; empty if
 * none arrived in time.
 */
export interface BufferResult {
  readonly token: number;
  readonly nextToken: number;
  readonly complete: boolean;
  readonly frames: readonly Frame[];
  /** The pages from `token` on were acknowledged before, by another reader. */
  readonly gone?: true;
  /** A later run of the reader has asked before: this one gets no pages, and has acknowledged none. */
  readonly hasFollower?: true;
}

/** The address of an output buffer, and that of the same buffer in the next run of its task. */
export interface ReplacedSource {
  readonly planNodeId: string;
  readonly from: string;
  readonly to: string;
}

export interface BufferRequest {
  readonly bufferId: number;
  readonly token: number;
  readonly bytesMax: number;
  readonly waitMs: number;
  /** Of the pages below `token`, which a former run of the task has given to the reader. */
  readonly digest?: string | undefined;
  /** Number of the reading task, which is higher in each of its runs; absent for one that is not run again. */
  readonly reader?: number | undefined;
}

export type FilterDomains = Readonly<Record<string, FilterDomainDocument>>;

export interface TaskExecution {
  readonly taskId: string;
  readonly state: TaskState;
  /** Incremented with every change of state, failure or split counters that a poller should see. */
  readonly version: number;
  /** Some of its drivers wait for older queries to free memory of the node. A change is not a new version: no poller needs it at once. */
  readonly waitsForMemory: boolean;
  readonly failures: readonly FailureInfo[];
  readonly outputBuffer: OutputBufferSnapshot;
  readonly noMoreSplits: readonly string[];
  /** Warnings of scans about data that they had to skip. */
  readonly warnings: readonly Warning[];
  /**
   * Domains of the remote dynamic filters that the task's joins have published so far, by filter id; undefined if the task has none. A
   * published domain is final.
   */
  readonly dynamicFilters: FilterDomains | undefined;
  /** Domains of joins in other tasks, which scans wait for. A filter that is already set, or that no scan waits for, is ignored. */
  setDynamicFilters(domains: FilterDomains): void;
  /** Ignores splits whose sequenceId is not greater than the largest one added so far to this task. No effect on an ended task. */
  addSplits(planNodeId: string, splits: readonly { readonly sequenceId: number; readonly split: TaskSplit }[]): void;
  /** Sticky. No effect on an ended task. */
  setNoMoreSplits(planNodeId: string): void;
  /** The source of an exchange was run again: the exchange goes on with the next page. No effect if it does not read `from`. */
  replaceSource(source: ReplacedSource): void;
  /** Calls back after every change of version. Returns a function that unsubscribes. */
  onChange(callback: () => void): () => void;
  stats(): TaskStatsSnapshot;
  /** The times of drivers by pipeline, in the order of the pipelines of `stats`; a bounded number of each. */
  driverTimes(): readonly (readonly DriverTimes[])[];
  /**
   * Acknowledges all pages below `token`, then returns pages from `token` on: at least one, more while their bytes stay within bytesMax.
   * Waits up to waitMs for the first. A token below the acknowledged one gives an empty result. Unknown buffer: QueryError NOT_FOUND.
   */
  readBuffer(request: BufferRequest): Promise<BufferResult>;
  /** Frees pages below token. */
  acknowledgeBuffer(bufferId: number, token: number, reader?: number): void;
  /**
   * The consumer needs no more pages. When all consumers have left, the task finishes early. Idempotent. False if a later run of the
   * consumer has asked: nothing changes then.
   */
  destroyBuffer(bufferId: number, reader?: number): boolean;
  /** To CANCELED (orderly: readers see the end) or ABORTED (readers never see an end). No effect on an ended task. */
  cancel(): void;
  abort(): void;
  fail(failure: FailureInfo): void;
}
