/**
 * Checks the resource usage that tasks report against the limits of their query. Reports arrive at least every
 * task.status-refresh-max-wait, and each task sends a final report. A query that exceeded a limit therefore never ends as FINISHED, unless
 * a task's final report was lost.
 */
import type { FailureInfo } from "../../execution/task/api.ts";
import { unlimited } from "../context.ts";
import type { StageTask, TaskCounters } from "../scheduler/stage-task.ts";
import type { QueryLimits } from "./query-limits.ts";

type Used = Pick<TaskCounters, "cpuNanos" | "physicalInputBytes">;

const nothing: Used = { cpuNanos: 0, physicalInputBytes: 0 };

export class ResourceWatch {
  readonly #limits: QueryLimits;
  readonly #onExceeded: (failure: FailureInfo) => void;
  /** Usage of each task that the sums include. */
  readonly #counted = new Map<StageTask, Used>();
  #cpuNanos = 0;
  #scanBytes = 0;

  /** `onExceeded` may be called more than once. */
  constructor(limits: QueryLimits, onExceeded: (failure: FailureInfo) => void) {
    this.#limits = limits;
    this.#onExceeded = onExceeded;
  }

  /** The query runs again: what its former tasks have used still counts, later reports of theirs do not. */
  nextAttempt(): void {
    this.#counted.clear();
  }

  /** The task may have a new report. */
  taskChanged(task: StageTask): void {
    const before = this.#counted.get(task) ?? nothing;
    const { cpuNanos, physicalInputBytes } = task.counters ?? nothing;
    this.#counted.set(task, { cpuNanos, physicalInputBytes });
    this.#cpuNanos += cpuNanos - before.cpuNanos;
    this.#scanBytes += physicalInputBytes - before.physicalInputBytes;
    const { cpuMs, scanBytes, texts } = this.#limits;
    if (this.#cpuNanos > cpuMs * 1e6) {
      this.#onExceeded({ errorName: "EXCEEDED_CPU_LIMIT", message: `Exceeded CPU limit of ${texts.cpuMs}` });
    }
    if (this.#scanBytes > scanBytes) {
      this.#onExceeded({ errorName: "EXCEEDED_SCAN_LIMIT", message: `Exceeded scan limit of ${texts.scanBytes}` });
    }
  }
}

/** Returns undefined if the query has no limits: summing is cheap, but the usage of an in-process task is recomputed on each call. */
export function resourceWatch(limits: QueryLimits, onExceeded: (failure: FailureInfo) => void): ResourceWatch | undefined {
  const limitsNothing = limits.cpuMs * 1e6 > unlimited && limits.scanBytes >= unlimited;
  return limitsNothing ? undefined : new ResourceWatch(limits, onExceeded);
}
