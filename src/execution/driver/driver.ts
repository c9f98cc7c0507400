/**
 * A driver moves pages through the operators of one pipeline. It starts at the most downstream operator. So no operator is asked for its
 * next page while a downstream operator still uses the last one (operator.ts). The driver runs in slices on the node's executor and updates
 * the operators' statistics.
 */
import type { Clock } from "../../ports/clock.ts";
import type { FaultPoints } from "../../ports/points.ts";
import type { Page } from "../../page/page.ts";
import { type MemoryContext, MemoryLimitExceeded } from "../../memory/memory.ts";
import { type MemoryRevoker, type Revocable, roomFor, worthwhileBytesMin } from "../spill/memory-revoker.ts";
import { assert, type QueryError } from "../../protocol/errors.ts";
import { formatDataSize } from "../../protocol/units.ts";
import type { ExecutionLimits } from "../task/api.ts";
import type { MemoryQueue } from "./memory-queue.ts";
import { toQueryError } from "./failure.ts";
import type { SliceOutcome, SliceWork, TaskExecutor } from "./executor.ts";
import type { Operator } from "../operators/operator.ts";
import { DriverStats, OperatorStats, pageBytes, shareCpu } from "./stats.ts";

export interface DriverOptions {
  readonly queryId: string;
  readonly operators: readonly Operator[];
  readonly clock: Clock;
  readonly points: FaultPoints;
  readonly limits: ExecutionLimits;
  readonly executor: TaskExecutor;
  readonly revoker: MemoryRevoker | undefined;
  readonly memoryQueue: MemoryQueue | undefined;
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
  /** Called before the first slice. */
  readonly onStart: () => void;
  readonly onFinished: (driver: Driver) => void;
  readonly onFailed: (driver: Driver, error: QueryError) => void;
}

export type DriverState = "queued" | "running" | "blocked" | "finished" | "closed";

type StepOutcome = "progress" | "finished" | Promise<void>;

export class Driver implements SliceWork {
  readonly queryId: string;
  readonly operators: readonly Operator[];
  readonly stats: DriverStats;
  readonly operatorStats: readonly OperatorStats[];
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
  readonly #options: DriverOptions;
  readonly #clock: Clock;
  /** Of one of the operators: the limits are those of the task. */
  readonly #memory: MemoryContext;
  readonly #finishSent: boolean[];
  readonly #isOwn = (operator: Revocable): boolean => this.operators.some((own): boolean => own === (operator as unknown));
  blockedSinceNanos = 0;
  /** Of the operator that the driver waits for. */
  #blocked: OperatorStats | undefined;
  #waitsForMemory = false;
  #state: DriverState = "queued";
  #workUnits = 0;
  /** Operators before this index are closed: their downstream operator needs no more input. */
  #firstOpen = 0;

  constructor(options: DriverOptions) {
    assert(options.operators.length >= 2, "a pipeline has a source and a sink");
    this.#options = options;
    this.#clock = options.clock;
    this.queryId = options.queryId;
    this.operators = options.operators;
    this.inputPipeline = options.inputPipeline;
    this.outputPipeline = options.outputPipeline;
    this.#memory = (options.operators[0] as Operator).context.memory;
    this.stats = new DriverStats(options.clock.monotonicNanos());
    this.operatorStats = options.operators.map(() => new OperatorStats());
    this.#finishSent = options.operators.map(() => false);
  }

  get state(): DriverState {
    return this.#state;
  }

  /** It waits for older queries to free memory of the node. */
  get waitsForMemory(): boolean {
    return this.#waitsForMemory && !this.ended;
  }

  get ended(): boolean {
    return this.#state === "finished" || this.#state === "closed";
  }

  start(): void {
    this.#options.executor.schedule(this);
  }

  runSlice(): SliceOutcome {
    if (this.ended) {
      return { workUnits: 0, runnable: false };
    }
    const startNanos = this.#clock.monotonicNanos();
    const startCpuNanos = this.#clock.cpuNanos(0);
    this.stats.sliceStarted(startNanos);
    this.#options.onStart();
    this.#state = "running";
    this.#workUnits = 0;
    const outcome = this.#runSteps(startNanos);
    const cpuNanos = this.#clock.cpuNanos(this.#workUnits) - startCpuNanos;
    const wallNanos = this.#clock.monotonicNanos() - startNanos;
    this.stats.sliceEnded(Math.max(wallNanos, cpuNanos), cpuNanos);
    shareCpu(this.operatorStats, { cpuNanos, wallNanos, workUnits: this.#workUnits });
    return { workUnits: this.#workUnits, runnable: outcome };
  }

  /** Ends now if its sink needs nothing more, as a build side whose probe side is done. Otherwise its next slice would find it out. */
  endIfDone(): void {
    if (!this.ended && (this.operators.at(-1) as Operator).isFinished) {
      this.#unblocked();
      this.#options.executor.remove(this);
      this.#finished();
    }
  }

  /** Frees all operators. Idempotent. */
  close(): void {
    if (this.#state === "closed") {
      return;
    }
    if (this.#state !== "finished") {
      this.stats.ended(this.#clock.monotonicNanos());
    }
    this.#state = "closed";
    this.#options.executor.remove(this);
    for (const operator of this.operators) {
      closeOperator(operator);
    }
  }

  /** Returns true if the driver needs another slice. */
  #runSteps(startNanos: number): boolean {
    const { sliceNanosMax, sliceWorkUnitsMax } = this.#options.limits;
    const isShort = this.#options.points.fires("slice-ends-early");
    try {
      for (;;) {
        const outcome = roomFor(this.#memory, this.#options.revoker, this.#isOwn) ?? this.#turn() ?? this.#step();
        if (this.ended) {
          return false;
        }
        if (outcome === "finished") {
          this.#finished();
          return false;
        }
        if (outcome !== "progress") {
          this.#waitFor(outcome);
          return false;
        }
        if (isShort || this.#workUnits >= sliceWorkUnitsMax || this.#clock.monotonicNanos() - startNanos >= sliceNanosMax) {
          this.#state = "queued";
          return true;
        }
      }
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** A driver whose operators spill goes on: the older query may wait for them. So does one that frees memory by its next page. */
  #turn(): Promise<void> | undefined {
    const turn = this.#options.memoryQueue?.turn(this.queryId);
    const waits = turn !== undefined && !this.operators.some((operator) => canFree(operator as Partial<Revocable>));
    this.#waitsForMemory = waits;
    return waits ? turn : undefined;
  }

  #finished(): void {
    this.#state = "finished";
    this.stats.ended(this.#clock.monotonicNanos());
    for (const operator of this.operators) {
      closeOperator(operator);
    }
    this.#options.onFinished(this);
  }

  #failed(error: unknown): void {
    if (!this.ended) {
      this.#options.onFailed(this, toQueryError(error, holderText(this.#current)));
    }
  }

  #waitFor(event: Promise<void>): void {
    this.#state = "blocked";
    this.blockedSinceNanos = this.#clock.monotonicNanos();
    this.#blocked = this.#current === undefined ? undefined : this.operatorStats[this.operators.indexOf(this.#current)];
    event.then(
      () => {
        if (this.#state === "blocked") {
          this.#unblocked();
          this.#state = "queued";
          this.#options.executor.schedule(this);
        }
      },
      (error: unknown) => this.#failed(error),
    );
  }

  /** Counts the time since the driver was blocked, if it is. */
  #unblocked(): void {
    if (this.#state === "blocked") {
      const nanos = this.#clock.monotonicNanos() - this.blockedSinceNanos;
      this.stats.blockedNanos += nanos;
      if (this.#blocked !== undefined) {
        this.#blocked.blockedNanos += nanos;
      }
    }
  }

  /** The operator at work. Memory errors name it, and time spent blocked is charged to it. */
  #current: Operator | undefined;

  /** Moves one page by one operator, or passes the end of input on. */
  #step(): StepOutcome {
    const last = this.operators.length - 1;
    for (let index = last; index > this.#firstOpen; index--) {
      const operator = this.operators[index] as Operator;
      this.#current = operator;
      if (operator.isFinished) {
        // The operator needs no more input (LIMIT), so the output of upstream operators has no consumer.
        this.#closeUpstreamOf(index);
        break;
      }
      if (this.#finishSent[index] === true || !operator.needsInput) {
        return operator.blocked() ?? this.#idleStep();
      }
      const outcome = this.#pull(index);
      if (outcome !== undefined) {
        return outcome;
      }
    }
    const sink = this.operators[last] as Operator;
    if (sink.isFinished) {
      return "finished";
    }
    // With everything upstream closed the sink may still work or wait: a join keeps its build side until the probe is done.
    return (this.#firstOpen === last ? sink.blocked() : undefined) ?? this.#idleStep();
  }

  /**
   * Takes a page from operator index - 1 into operator index. Returns undefined if that operator has no page now; the caller then looks
   * further upstream.
   */
  #pull(index: number): StepOutcome | undefined {
    const source = this.operators[index - 1] as Operator;
    this.#current = source;
    const page = source.isFinished ? undefined : this.#getOutput(index - 1, source);
    if (page !== undefined && page.positionCount > 0) {
      this.#current = this.operators[index] as Operator;
      this.#addInput(index, page);
      return "progress";
    }
    if (source.isFinished) {
      // Operator `index` needs input, so it has released its last page. No downstream operator uses the pages of closed operators any more.
      this.#closeUpstreamOf(index);
      this.#sendFinish(index);
      return "progress";
    }
    return source.blocked();
  }

  /**
   * An operator may spend a call on work that yields no page yet (a split without rows). The call counts as work, so that the slice ends.
   */
  #idleStep(): StepOutcome {
    this.#workUnits++;
    return "progress";
  }

  #getOutput(index: number, operator: Operator): Page | undefined {
    const stats = this.operatorStats[index] as OperatorStats;
    const startNanos = this.#clock.monotonicNanos();
    const page = operator.getOutput();
    const workUnits = (page?.positionCount ?? 1) + (operator.takeWorkUnits?.() ?? 0);
    stats.getOutput.count(this.#clock.monotonicNanos() - startNanos, workUnits);
    if (page !== undefined && page.positionCount > 0) {
      const bytes = pageBytes(operator.context.memory.linear, page);
      stats.outputBytes += bytes;
      stats.outputPositions += page.positionCount;
      const next = this.operatorStats[index + 1] as OperatorStats;
      next.inputBytes += bytes;
      next.inputPositions += page.positionCount;
      if (index + 1 === this.operators.length - 1) {
        // The input of the sink is the output of the pipeline.
        next.outputBytes += bytes;
        next.outputPositions += page.positionCount;
      }
    }
    this.#workUnits += workUnits;
    return page;
  }

  #addInput(index: number, page: Page): void {
    const operator = this.operators[index] as Operator;
    const stats = this.operatorStats[index] as OperatorStats;
    const startNanos = this.#clock.monotonicNanos();
    if (this.#options.points.fires("memory-reservation-fails")) {
      const { linear } = operator.context.memory;
      throw new MemoryLimitExceeded("query", linear.sizeBytes, linear.sizeBytes);
    }
    operator.addInput(page);
    stats.addInput.count(this.#clock.monotonicNanos() - startNanos, page.positionCount);
    this.#workUnits += page.positionCount;
  }

  #sendFinish(index: number): void {
    this.#finishSent[index] = true;
    const operator = this.operators[index] as Operator;
    const stats = this.operatorStats[index] as OperatorStats;
    this.#current = operator;
    const startNanos = this.#clock.monotonicNanos();
    operator.finish();
    stats.finish.count(this.#clock.monotonicNanos() - startNanos, 1);
    this.#workUnits++;
  }

  #closeUpstreamOf(index: number): void {
    for (let upstream = this.#firstOpen; upstream < index; upstream++) {
      closeOperator(this.operators[upstream] as Operator);
    }
    this.#firstOpen = index;
  }
}

function canFree({ isSpilling = false, revocableBytes = 0 }: Partial<Revocable>): boolean {
  return isSpilling || revocableBytes >= worthwhileBytesMin;
}

function closeOperator(operator: Operator): void {
  operator.close();
  operator.context.memory.close();
}

/** An operator in errors, with the memory that it holds. */
function holderText(where: Operator | undefined): string | undefined {
  return where === undefined ? undefined : `operator ${where.context.operatorType} ${formatDataSize(where.context.memory.reservedBytes)}`;
}
