/**
 * A driver moves pages through the operators of one pipeline, most downstream first, so that nothing is asked for its next page while something
 * behind it still looks at the last one (operator.ts). It runs in slices on the node's executor and keeps the operators' statistics.
 */
import type { Clock } from "../../ports/clock.ts";
import type { FaultPoints } from "../../ports/points.ts";
import type { Page } from "../../page/page.ts";
import { MemoryLimitExceeded } from "../../memory/memory.ts";
import { assert, type QueryError } from "../../protocol/errors.ts";
import { formatDataSize } from "../../protocol/units.ts";
import type { ExecutionLimits } from "../task/api.ts";
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
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
  /** Before its first slice. */
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
  readonly #finishSent: boolean[];
  blockedSinceNanos = 0;
  #state: DriverState = "queued";
  #workUnits = 0;
  /** Operators before it were closed: what is downstream wants no more. */
  #firstOpen = 0;

  constructor(options: DriverOptions) {
    assert(options.operators.length >= 2, "a pipeline has a source and a sink");
    this.#options = options;
    this.#clock = options.clock;
    this.queryId = options.queryId;
    this.operators = options.operators;
    this.inputPipeline = options.inputPipeline;
    this.outputPipeline = options.outputPipeline;
    this.stats = new DriverStats(options.clock.monotonicNanos());
    this.operatorStats = options.operators.map(() => new OperatorStats());
    this.#finishSent = options.operators.map(() => false);
  }

  get state(): DriverState {
    return this.#state;
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

  /** Frees everything. Idempotent. */
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

  /** True: wants another slice. */
  #runSteps(startNanos: number): boolean {
    const { sliceNanosMax, sliceWorkUnitsMax } = this.#options.limits;
    const isShort = this.#options.points.fires("slice-ends-early");
    try {
      for (;;) {
        const outcome = this.#step();
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
    const waitStart = this.blockedSinceNanos;
    const stats = this.#current === undefined ? undefined : this.operatorStats[this.operators.indexOf(this.#current)];
    event.then(
      () => {
        if (this.#state === "blocked") {
          this.stats.blockedNanos += this.#clock.monotonicNanos() - waitStart;
          if (stats !== undefined) {
            stats.blockedNanos += this.#clock.monotonicNanos() - waitStart;
          }
          this.#state = "queued";
          this.#options.executor.schedule(this);
        }
      },
      (error: unknown) => this.#failed(error),
    );
  }

  /** The operator at work: named in memory errors and charged for waiting. */
  #current: Operator | undefined;

  /** Moves one page one step, or passes one end on. */
  #step(): StepOutcome {
    const last = this.operators.length - 1;
    for (let index = last; index > this.#firstOpen; index--) {
      const operator = this.operators[index] as Operator;
      this.#current = operator;
      if (operator.isFinished) {
        // Wants no more (LIMIT): what is upstream of it is of no use to anyone.
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
    // With everything upstream closed the sink may still work or wait (a build side is kept until its probe is done).
    return (this.#firstOpen === last ? sink.blocked() : undefined) ?? this.#idleStep();
  }

  /** Takes a page of operator index - 1 into operator index. undefined: there is none now, look upstream. */
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
      // Nothing downstream looks at its pages any more: operator `index` wants input, so it has let go of the last one.
      this.#closeUpstreamOf(index);
      this.#sendFinish(index);
      return "progress";
    }
    return source.blocked();
  }

  /** An operator may spend a call on work that gives no page yet (a split without rows). It counts, so that the slice ends. */
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
        // What a sink takes is what leaves the pipeline.
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

function closeOperator(operator: Operator): void {
  operator.close();
  operator.context.memory.close();
}

/** An operator in errors, with the memory that it holds. */
function holderText(where: Operator | undefined): string | undefined {
  return where === undefined ? undefined : `operator ${where.context.operatorType} ${formatDataSize(where.context.memory.reservedBytes)}`;
}
