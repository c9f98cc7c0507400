/**
 * What the rest of a node sees of execution: a task takes a fragment, splits and the addresses of its sources, and fills output buffers. The worker room
 * puts the task resource over it, the coordinator runs its root tasks through it.
 */
import type { Connector, Split } from "../../connectors/spi.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import type { Ports } from "../../ports/ports.ts";
import type { OperatorCounters, PipelineCounters, TaskCounterValues } from "../../protocol/counters.ts";
import type { ErrorName } from "../../protocol/errors.ts";
import type { FilterDomainDocument } from "../../protocol/documents/task.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";

export type TaskState = "PLANNED" | "RUNNING" | "FLUSHING" | "FINISHED" | "CANCELED" | "ABORTED" | "FAILED";
export type BufferState = "OPEN" | "NO_MORE_BUFFERS" | "NO_MORE_PAGES" | "FLUSHING" | "FINISHED" | "FAILED";

/** What failed, as it travels between nodes. */
export interface FailureInfo {
  readonly errorName: ErrorName;
  /** With the `line l:c: ` prefix when there is a location. */
  readonly message: string;
  readonly location?: { readonly lineNumber: number; readonly columnNumber: number };
  /** `http://host:port` of the node on which it happened, when remote. */
  readonly remoteHost?: string;
}

export interface SessionFacts {
  readonly user: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly timeZone: string;
  /** Epoch milliseconds at which the query began: now() and current_date. */
  readonly startMillis: number;
  readonly properties: Readonly<Record<string, string>>;
}

/** A split of a table scan, or the address of one source task's output buffer. */
export type TaskSplit =
  | { readonly kind: "connector"; readonly catalog: string; readonly split: Split }
  /** `http://host:port/v1/task/{taskId}/results/{bufferId}` and which fragment it belongs to (order of rotation: by fragment, then as added). */
  | { readonly kind: "remote"; readonly location: string; readonly fragmentId: number };

/**
 * Fixed when the task is created: the number of consumers is chosen once per query. Buffer i is for partition i. SHARED: several readers want the same partitions,
 * and reader r has partition p in buffer r * bufferCount / readerCount + p. BROADCAST needs no such word: a buffer more is a consumer more.
 */
export interface OutputBuffersDescriptor {
  readonly kind: "PARTITIONED" | "BROADCAST" | "SHARED";
  readonly bufferCount: number;
  /** Of SHARED: 2 at least. */
  readonly readerCount?: number | undefined;
}

/** Everything an operator may need. One per node, `memory` is the node's root of query memory. */
export interface ExecutionServices {
  readonly ports: Ports;
  readonly runtime: KernelRuntime;
  readonly connector: (catalog: string) => Connector;
  readonly limits: ExecutionLimits;
}

export interface ExecutionLimits {
  /** sink.max-buffer-size: unacknowledged bytes of a task's output before producers wait (or spill, when a consumer starves). */
  readonly outputBufferBytesMax: number;
  /** exchange.max-buffer-size: bytes a task's exchange holds. */
  readonly exchangeBufferBytesMax: number;
  /** exchange.max-response-size. */
  readonly exchangeResponseBytesMax: number;
  /** exchange.max-error-duration, milliseconds. */
  readonly exchangeErrorDurationMs: number;
  /** A slice ends after this much monotonic time or this many work units (about rows), whichever is first. */
  readonly sliceNanosMax: number;
  readonly sliceWorkUnitsMax: number;
}

export interface TaskOptions {
  readonly taskId: string;
  readonly fragment: PlanFragment;
  readonly outputBuffers: OutputBuffersDescriptor;
  readonly session: SessionFacts;
  /** The query's context on this node; the task makes a child and closes it at its end. */
  readonly queryMemory: MemoryContext;
  /** Whoever made the task ends its sources as soon as it has ended itself: it need not close their buffers one by one. */
  readonly endsSources?: boolean;
}

/** A snapshot in plain numbers; the worker room renders it as the task document. All nanos and bytes are integers. */
export interface TaskStatsSnapshot extends TaskCounterValues {
  readonly createMillis: number;
  readonly startMillis?: number;
  readonly endMillis?: number;
  readonly elapsedNanos: number;
  readonly queuedNanos: number;
  readonly pipelines: readonly PipelineStatsSnapshot[];
}

/** In a pipeline that starts with a table scan a driver is a split (as in Presto), run in order. */
export interface PipelineStatsSnapshot extends PipelineCounters {
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
  /** One sample a driver that started (queued) or ended (elapsed). */
  readonly queuedNanosSamples: readonly number[];
  readonly elapsedNanosSamples: readonly number[];
  readonly operators: readonly OperatorStatsSnapshot[];
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
  /** Of `bufferedBytes`, what is not in storage. */
  readonly memoryBytes?: number;
  /** Of the largest page so far. */
  readonly pageBytesMax?: number;
  /** Of memoryBytes, those on their way to the disk. */
  readonly spillingBytes?: number;
  /** A producer waits for room. */
  readonly producerWaits?: boolean;
  readonly buffers: readonly {
    readonly bufferId: string;
    readonly finished: boolean;
    /** A reader waits for a frame that is not there. */
    readonly readerWaits?: boolean;
    readonly bufferedPages: number;
    readonly pagesSent: number;
  }[];
}

/** Answer to a read of pages [token, nextToken) of a buffer. `frames` are page frames (page/serde.ts); empty when none came in time. */
export interface BufferResult {
  readonly token: number;
  readonly nextToken: number;
  readonly complete: boolean;
  readonly frames: readonly Uint8Array[];
  /** The pages from `token` on were acknowledged before: whoever asks is not who took them. */
  readonly gone?: true;
}

export type FilterDomains = Readonly<Record<string, FilterDomainDocument>>;

export interface TaskExecution {
  readonly taskId: string;
  readonly state: TaskState;
  /** +1 with every change of state, failure or split counters that a poller should see. */
  readonly version: number;
  readonly failures: readonly FailureInfo[];
  readonly outputBuffer: OutputBufferSnapshot;
  readonly noMoreSplits: readonly string[];
  /** What its scans had to leave out. */
  readonly warnings: readonly Warning[];
  /** By the id of the filter: what its joins have told so far of their keys, for scans in other tasks; undefined when none of them tells. Final once told. */
  readonly dynamicFilters: FilterDomains | undefined;
  /** What joins in other tasks have told: scans wait for it. A filter that was given before, or that none of its scans waits for, is ignored. */
  setDynamicFilters(domains: FilterDomains): void;
  /** Ignores splits whose sequenceId is not greater than the largest taken for this task. */
  addSplits(planNodeId: string, splits: readonly { readonly sequenceId: number; readonly split: TaskSplit }[]): void;
  /** Sticky. */
  setNoMoreSplits(planNodeId: string): void;
  /** Calls back after every change of version; returns how to stop. */
  onChange(callback: () => void): () => void;
  stats(): TaskStatsSnapshot;
  /**
   * Acknowledges all pages below `token`, then gives pages from `token`: at least one, more while their bytes stay within bytesMax. Waits up to waitMs
   * for the first. A token below the acknowledged one gives an empty result. Unknown buffer: QueryError NOT_FOUND.
   */
  readBuffer(request: {
    readonly bufferId: number;
    readonly token: number;
    readonly bytesMax: number;
    readonly waitMs: number;
  }): Promise<BufferResult>;
  /** Frees pages below token. */
  acknowledgeBuffer(bufferId: number, token: number): void;
  /** The consumer is done with it; when all are, the task finishes early. Idempotent. */
  destroyBuffer(bufferId: number): void;
  /** To CANCELED (orderly: readers see the end) / ABORTED (readers never see an end). No effect on an ended task. */
  cancel(): void;
  abort(): void;
  fail(failure: FailureInfo): void;
}
