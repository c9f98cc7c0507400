/**
 * A task execution whose state the test sets.
 */
import type {
  BufferResult,
  FailureInfo,
  FilterDomains,
  OutputBufferSnapshot,
  TaskExecution,
  TaskOptions,
  TaskSplit,
  TaskState,
  TaskStatsSnapshot,
} from "../../../src/execution/task/api.ts";
import { zeroOperatorCounters, zeroTaskCounters } from "../../support/counters.ts";
import type { Warning } from "../../../src/protocol/documents/warnings.ts";

const { peakMemoryBytes: _peak, spilledBytes: _spilled, ...zeroPipeline } = zeroTaskCounters;

const pipelineNumbers = {
  ...zeroPipeline,
  totalDrivers: 2,
  runningDrivers: 1,
  completedDrivers: 1,
  memoryReservationBytes: 178954,
  scheduledNanos: 1_041_280,
  cpuNanos: 900_000,
  physicalInputBytes: 100,
  blockedNanos: 79.2e9,
  rawInputBytes: 178954,
  rawInputPositions: 16384,
  processedInputBytes: 178954,
  processedInputPositions: 16384,
};

const operator = {
  ...zeroOperatorCounters,
  operatorId: 0,
  planNodeId: "3",
  getOutputCalls: 2,
  getOutputNanos: 1_041_280,
  inputBytes: 178954,
  inputPositions: 16384,
  outputBytes: 178954,
  outputPositions: 16384,
};

const statsExample: TaskStatsSnapshot = {
  createMillis: 1_400_000_000_000,
  startMillis: 1_400_000_000_001,
  elapsedNanos: 5e6,
  queuedNanos: 1e6,
  peakMemoryBytes: 200_000,
  spilledBytes: 0,
  ...pipelineNumbers,
  pipelines: [
    {
      inputPipeline: true,
      outputPipeline: true,
      ...pipelineNumbers,
      queuedNanosSamples: [1, 2, 3],
      elapsedNanosSamples: [],
      operators: [
        {
          ...operator,
          operatorType: "ExchangeOperator",
          info: {
            bufferedBytes: 1,
            averageBytesPerRequest: 2.5,
            bufferedPages: 1,
            clients: [
              {
                uri: "http://w/v1/task/q.1.0/results/0",
                state: "running",
                lastUpdateMillis: 1_400_000_000_002,
                pagesReceived: 1,
                requestsScheduled: 2,
                requestsCompleted: 1,
                requestsFailed: 0,
                httpRequestState: "WAITING_FOR_CONNECTION",
              },
            ],
          },
        },
        { ...operator, operatorId: 1, operatorType: "TaskOutputOperator" },
      ],
    },
  ],
};

export class FakeExecution implements TaskExecution {
  readonly taskId: string;
  state: TaskState = "RUNNING";
  version = 1;
  waitsForMemory = false;
  failures: FailureInfo[] = [];
  noMoreSplits: string[] = [];
  warnings: readonly Warning[] = [];
  outputBuffer: OutputBufferSnapshot = {
    state: "NO_MORE_BUFFERS",
    pagesAdded: 3,
    bufferedBytes: 30,
    buffers: [{ bufferId: "0", finished: false, bufferedPages: 2, pagesSent: 1 }],
  };
  dynamicFilters: FilterDomains | undefined;
  readonly givenFilters: FilterDomains[] = [];
  readonly splits: (readonly [string, number, TaskSplit])[] = [];
  readonly reads: unknown[] = [];
  readonly calls: string[] = [];
  nextResult: BufferResult = { token: 0, nextToken: 0, complete: false, frames: [] };
  readonly #callbacks = new Set<() => void>();

  constructor(readonly options: TaskOptions) {
    this.taskId = options.taskId;
    options.queryMemory.reserve(100);
  }

  get watchers(): number {
    return this.#callbacks.size;
  }

  addSplits(planNodeId: string, splits: readonly { readonly sequenceId: number; readonly split: TaskSplit }[]): void {
    for (const { sequenceId, split } of splits) {
      this.splits.push([planNodeId, sequenceId, split]);
    }
  }

  setNoMoreSplits(planNodeId: string): void {
    if (!this.noMoreSplits.includes(planNodeId)) {
      this.noMoreSplits.push(planNodeId);
    }
  }

  replaceSource(): void {}

  setDynamicFilters(domains: FilterDomains): void {
    this.givenFilters.push(domains);
  }

  onChange(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  driverTimes(): [] {
    return [];
  }

  stats(): TaskStatsSnapshot {
    return statsExample;
  }

  readBuffer(request: {
    readonly bufferId: number;
    readonly token: number;
    readonly bytesMax: number;
    readonly waitMs: number;
  }): Promise<BufferResult> {
    this.reads.push(request);
    return Promise.resolve(this.nextResult);
  }

  acknowledgeBuffer(bufferId: number, token: number): void {
    this.calls.push(`acknowledge ${bufferId} ${token}`);
  }

  destroyBuffer(bufferId: number): boolean {
    this.calls.push(`destroy ${bufferId}`);
    return true;
  }

  cancel(): void {
    this.to("CANCELED");
  }

  abort(): void {
    this.to("ABORTED");
  }

  fail(failure: FailureInfo): void {
    if (!this.#ended) {
      this.failures.push(failure);
      this.to("FAILED");
    }
  }

  to(state: TaskState): void {
    if (this.#ended) {
      return;
    }
    this.state = state;
    if (this.#ended) {
      this.options.queryMemory.release(100);
    }
    this.changed();
  }

  changed(): void {
    this.version += 1;
    for (const callback of Array.from(this.#callbacks)) {
      callback();
    }
  }

  get #ended(): boolean {
    return this.state !== "PLANNED" && this.state !== "RUNNING" && this.state !== "FLUSHING";
  }
}
