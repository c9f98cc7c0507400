/**
 * A task: one fragment over its splits and sources. It runs as drivers on the node's executor and fills output buffers. It ends as FINISHED
 * (all output consumed), CANCELED (cancelled; readers see an end), ABORTED or FAILED (readers never see an end). In every case all its
 * resources are freed afterwards.
 */
import { boundOfEach } from "../../memory/headroom.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { sealed } from "../../page/serde.ts";
import type { MonotonicNanos } from "../../ports/clock.ts";
import { ofPipelines } from "../../protocol/counter-sums.ts";
import { assert, type QueryError } from "../../protocol/errors.ts";
import { parseTaskId } from "../../protocol/query-id.ts";
import { StateMachine } from "../../protocol/state-machine.ts";
import { addWarnings, partialResultWarning, type Warning } from "../../protocol/documents/warnings.ts";
import type {
  DriverTimes,
  BufferRequest,
  BufferResult,
  ExecutionServices,
  FailureInfo,
  FilterDomains,
  OutputBufferSnapshot,
  PipelineStatsSnapshot,
  ReplacedSource,
  TaskExecution,
  TaskOptions,
  TaskSplit,
  TaskState,
  TaskStatsSnapshot,
} from "./api.ts";
import { Driver } from "../driver/driver.ts";
import { RemoteError } from "../exchange/exchange-source.ts";
import type { TaskExecutor } from "../driver/executor.ts";
import { toFailure, toQueryError } from "../driver/failure.ts";
import { type LocalPlan, planFragment } from "./local-planner.ts";
import { OutputBuffer } from "../exchange/output-buffer.ts";
import { taskTransitions } from "./state.ts";
import { driverTimes } from "../driver/driver-times.ts";
import { completedDrivers, pipelineSnapshot } from "../driver/pipeline-snapshot.ts";

/** Creates and starts the task. If the fragment cannot be planned, the task is FAILED. */
export function createTask(services: ExecutionServices, executor: TaskExecutor, options: TaskOptions): TaskExecution {
  const task = new Task(services, executor, options);
  task.start();
  return task;
}

class Task implements TaskExecution {
  readonly taskId: string;
  readonly #services: ExecutionServices;
  readonly #executor: TaskExecutor;
  readonly #options: TaskOptions;
  readonly #machine: StateMachine<TaskState>;
  readonly #memory: MemoryContext;
  readonly #bufferMemory: MemoryContext;
  readonly #buffer: OutputBuffer;
  readonly #callbacks = new Set<() => void>();
  readonly #failures: FailureInfo[] = [];
  readonly #sequenceIds = new Map<string, number>();
  readonly #noMoreSplits = new Set<string>();
  #remoteFilters: FilterDomains | undefined;
  #warnings: readonly Warning[] = [];
  readonly #createdNanos: MonotonicNanos;
  readonly #createMillis: number;
  #plan: LocalPlan | undefined;
  #drivers: Driver[] = [];
  #version = 1;
  /** By its operators. */
  #spilledBytes = 0;
  /** Completed drivers in the statistics that were given out last. */
  #completedShown = 0;
  #startMillis: number | undefined;
  #startedNanos: number | undefined;
  #endMillis: number | undefined;
  #endedNanos: number | undefined;
  #isCancelled = false;
  #finalStats: TaskStatsSnapshot | undefined;
  #finalDriverTimes: readonly (readonly DriverTimes[])[] | undefined;

  constructor(services: ExecutionServices, executor: TaskExecutor, options: TaskOptions) {
    const { clock, points, storage } = services.ports;
    this.taskId = options.taskId;
    this.#services = services;
    this.#executor = executor;
    this.#options = options;
    this.#machine = new StateMachine({ name: `task ${options.taskId}`, table: taskTransitions, initial: "PLANNED" });
    this.#memory = options.queryMemory.child(`task ${options.taskId}`);
    this.#bufferMemory = this.#memory.child("output buffer");
    this.#createdNanos = clock.monotonicNanos();
    this.#createMillis = clock.wallMillis();
    this.#buffer = new OutputBuffer({
      taskId: options.taskId,
      descriptor: options.outputBuffers,
      isRerun: options.isRerun === true,
      bytesMax: () => boundOfEach(services.limits.outputBufferBytesMax, options.tasksOfQuery?.() ?? 1),
      memory: this.#bufferMemory,
      clock,
      storage,
      points,
      seal: sealed,
      onFinished: () => this.#outputTaken(),
      onFailed: (error) => this.#failWith(toQueryError(error, "output buffer")),
    });
  }

  start(): void {
    const { fragment, session, taskId, partition = taskNumberOf(taskId), onCommit, onInputReceived } = this.#options;
    const { endsSources = false, isRetried = false } = this.#options;
    try {
      this.#plan = planFragment({
        services: this.#services,
        session,
        taskId,
        partition,
        onCommit,
        fragment,
        memory: this.#memory,
        output: this.#buffer,
        sources: {
          // The next run of a task reads what this one has not read when it fails.
          leavesBuffers: () => endsSources || (isRetried && (this.#machine.state === "FAILED" || this.#machine.state === "ABORTED")),
          // The coordinator deletes a task that it cancels, and then the tasks that nobody reads any more.
          leavesTakenBuffers: () => this.#isCancelled || onInputReceived !== undefined,
          awaitsSources: isRetried,
          reader: isRetried ? parseTaskId(taskId)?.taskNumber : undefined,
        },
        onInputReceived,
        onRemoteFilter: (id, domain) => {
          this.#remoteFilters = { ...this.#remoteFilters, [id]: domain };
          this.#changed();
        },
        onWarning: (message) => this.#warn(message),
        onSpilled: (bytes) => {
          this.#spilledBytes += bytes;
        },
      });
      this.#remoteFilters = this.#plan.remoteFilterIds.length === 0 ? undefined : {};
    } catch (error) {
      this.#failWith(toQueryError(error, "operators of the task"));
      return;
    }
    const queryId = queryIdOf(taskId);
    this.#drivers = this.#plan.pipelines.map(
      (pipeline) =>
        new Driver({
          ...pipeline,
          queryId,
          clock: this.#services.ports.clock,
          points: this.#services.ports.points,
          limits: this.#services.limits,
          executor: this.#executor,
          revoker: this.#services.revoker,
          memoryQueue: this.#services.memoryQueue,
          onStart: () => this.#started(),
          onFinished: (driver) => this.#driverFinished(driver),
          onFailed: (_driver, error) => this.#failWith(error),
        }),
    );
    for (const driver of this.#drivers) {
      driver.start();
    }
  }

  get state(): TaskState {
    return this.#machine.state;
  }

  get version(): number {
    return this.#version;
  }

  get waitsForMemory(): boolean {
    return this.#drivers.some((driver) => driver.waitsForMemory);
  }

  get failures(): readonly FailureInfo[] {
    return this.#failures;
  }

  get outputBuffer(): OutputBufferSnapshot {
    return this.#buffer.snapshot();
  }

  get noMoreSplits(): readonly string[] {
    return [...this.#noMoreSplits];
  }

  addSplits(planNodeId: string, splits: readonly { readonly sequenceId: number; readonly split: TaskSplit }[]): void {
    if (this.#machine.ended) {
      return;
    }
    const target = this.#plan?.splitTargets.get(planNodeId);
    assert(target !== undefined, `task ${this.taskId} has no source ${planNodeId}`);
    let largest = this.#sequenceIds.get(planNodeId) ?? -1;
    const fresh: TaskSplit[] = [];
    for (const { sequenceId, split } of splits) {
      if (sequenceId > largest) {
        largest = sequenceId;
        fresh.push(split);
      }
    }
    if (fresh.length > 0) {
      this.#sequenceIds.set(planNodeId, largest);
      target.addSplits(fresh);
      this.#changed();
    }
  }

  setNoMoreSplits(planNodeId: string): void {
    if (this.#machine.ended || this.#noMoreSplits.has(planNodeId)) {
      return;
    }
    const target = this.#plan?.splitTargets.get(planNodeId);
    assert(target !== undefined, `task ${this.taskId} has no source ${planNodeId}`);
    this.#noMoreSplits.add(planNodeId);
    target.setNoMoreSplits();
    this.#changed();
  }

  get dynamicFilters(): FilterDomains | undefined {
    return this.#remoteFilters;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  setDynamicFilters(domains: FilterDomains): void {
    if (!this.#machine.ended) {
      for (const [id, domain] of Object.entries(domains)) {
        this.#plan?.giveFilter(id, domain);
      }
    }
  }

  onChange(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  stats(): TaskStatsSnapshot {
    const stats = this.#finalStats ?? this.#snapshot();
    this.#completedShown = stats.completedDrivers;
    return stats;
  }

  driverTimes(): readonly (readonly DriverTimes[])[] {
    return this.#finalDriverTimes ?? this.#driverTimes();
  }

  replaceSource({ from, planNodeId, to }: ReplacedSource): void {
    this.#plan?.splitTargets.get(planNodeId)?.replaceSource?.(from, to);
  }

  readBuffer(request: BufferRequest): Promise<BufferResult> {
    return this.#buffer.read(request);
  }

  acknowledgeBuffer(bufferId: number, token: number, reader?: number): void {
    this.#buffer.acknowledge(bufferId, token, reader);
  }

  destroyBuffer(bufferId: number, reader?: number): boolean {
    return this.#buffer.destroy(bufferId, reader);
  }

  /** All output is produced and sent, so there is nothing to cancel. */
  cancel(): void {
    this.#isCancelled = true;
    this.#end(this.#machine.state === "FLUSHING" && this.#buffer.isGiven ? "FINISHED" : "CANCELED");
  }

  abort(): void {
    this.#end("ABORTED");
  }

  fail(failure: FailureInfo): void {
    if (!this.#machine.ended) {
      this.#failures.push(failure);
      this.#end("FAILED");
    }
  }

  #warn(message: string): void {
    const warnings = addWarnings(this.#warnings, [partialResultWarning(message)]);
    if (!this.#machine.ended && warnings !== this.#warnings) {
      this.#warnings = warnings;
      this.#changed();
    }
  }

  #started(): void {
    if (this.#machine.state === "PLANNED") {
      this.#startMillis = this.#services.ports.clock.wallMillis();
      this.#startedNanos = this.#services.ports.clock.monotonicNanos();
      this.#machine.to("RUNNING");
      this.#changed();
    }
  }

  #driverFinished(driver: Driver): void {
    if (this.#machine.ended) {
      return;
    }
    // Build sides end with their probe side, so the answer with the last pages says that they are the last.
    for (const other of this.#drivers) {
      other.endIfDone();
    }
    if (this.#machine.state !== "RUNNING") {
      return;
    }
    if (!this.#drivers.every(({ ended }) => ended)) {
      const splits = this.#plan?.splitsTotal(this.#drivers.indexOf(driver));
      // A scan without splits has no driver that anyone could see. Splits are counted as they are read, so a build side over a scan, which
      // stays until its probe side is done, ends without news. So does a scan whose rows an operator has spilled and still works on.
      const isShown = this.#completedDrivers() === this.#completedShown;
      if (!isShown && (splits === undefined || (splits > 0 && driver.outputPipeline))) {
        this.#changed();
      }
      return;
    }
    this.#buffer.setNoMorePages();
    if (this.#buffer.isFinished) {
      this.#end("FINISHED");
    } else if (!this.#machine.ended) {
      this.#machine.to("FLUSHING");
      this.#changed();
    }
  }

  /** All consumers have left or have all output: drivers that still run have no consumer. */
  #outputTaken(): void {
    this.#end("FINISHED");
  }

  #failWith(error: QueryError): void {
    if (this.#machine.ended) {
      return;
    }
    if (error.cause !== undefined) {
      const stack = error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : "no error";
      this.#services.ports.log.error("task-failed-unexpectedly", { taskId: this.taskId, stack });
    }
    this.fail({ ...toFailure(error), ...(error instanceof RemoteError ? { remoteHost: error.remoteHost } : {}) });
  }

  #end(state: "FINISHED" | "CANCELED" | "ABORTED" | "FAILED"): void {
    if (this.#machine.ended) {
      return;
    }
    this.#machine.to(state);
    if (state === "FINISHED" || state === "CANCELED") {
      this.#buffer.finish();
    } else {
      this.#buffer.fail();
    }
    const { clock } = this.#services.ports;
    this.#endMillis = clock.wallMillis();
    this.#endedNanos = clock.monotonicNanos();
    for (const driver of this.#drivers) {
      driver.close();
    }
    this.#memory.close();
    this.#finalStats = this.#snapshot();
    this.#finalDriverTimes = this.#driverTimes();
    // The task may be remembered for minutes. Its operators and their kernels take far more than its numbers.
    this.#drivers = [];
    this.#plan = undefined;
    this.#changed();
  }

  #changed(): void {
    this.#version++;
    // A callback may subscribe again; the new subscription is for the next change.
    const callbacks = Array.from(this.#callbacks);
    for (const callback of callbacks) {
      callback();
    }
  }

  #completedDrivers(): number {
    return this.#drivers.reduce((sum, driver, index) => sum + completedDrivers(driver, this.#plan?.splitsTotal(index)), 0);
  }

  #driverTimes(): readonly (readonly DriverTimes[])[] {
    const millisOf = (nanos: number): number => this.#createMillis + Math.round((nanos - this.#createdNanos) / 1e6);
    return this.#drivers.map((driver) => driverTimes(driver, millisOf));
  }

  #snapshot(): TaskStatsSnapshot {
    const nowNanos = this.#endedNanos ?? this.#services.ports.clock.monotonicNanos();
    const pipelines = this.#drivers.map((driver, index) => pipelineSnapshot(driver, this.#plan?.splitsTotal(index), nowNanos));
    return {
      createMillis: this.#createMillis,
      ...(this.#startMillis === undefined ? {} : { startMillis: this.#startMillis }),
      ...(this.#endMillis === undefined ? {} : { endMillis: this.#endMillis }),
      elapsedNanos: nowNanos - this.#createdNanos,
      queuedNanos: (this.#startedNanos ?? nowNanos) - this.#createdNanos,
      ...ofPipelines(pipelines),
      memoryReservationBytes: this.#machine.ended ? 0 : this.#memory.reservedBytes,
      systemMemoryBytes: this.#machine.ended ? 0 : this.#bufferMemory.reservedBytes + exchangedBytes(pipelines),
      peakMemoryBytes: this.#memory.peakBytes,
      spilledBytes: this.#buffer.spilledBytes + this.#spilledBytes,
      pipelines,
    };
  }
}

/** Frames that its exchanges have fetched ahead. */
function exchangedBytes(pipelines: readonly PipelineStatsSnapshot[]): number {
  return pipelines.reduce((sum, { operators }) => sum + (operators[0]?.info?.bufferedBytes ?? 0), 0);
}

/** Task ids are `queryId.stage.task`. */
function queryIdOf(taskId: string): string {
  const dot = taskId.indexOf(".");
  return dot < 0 ? taskId : taskId.slice(0, dot);
}

/** The last part of the id. */
function taskNumberOf(taskId: string): number {
  return Number(taskId.slice(taskId.lastIndexOf(".") + 1));
}
