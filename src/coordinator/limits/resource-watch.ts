/**
 * Holds what the tasks of a query report against its limits, report by report. Reports come at least as often as task.status-refresh-max-wait, and a last one with
 * the end of each task: a query that has used more than it may never ends as FINISHED, unless the last report of a task was lost.
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
  /** By task, what is in the sums. */
  readonly #counted = new Map<StageTask, Used>();
  #cpuNanos = 0;
  #scanBytes = 0;

  /** `onExceeded` may be called several times. */
  constructor(limits: QueryLimits, onExceeded: (failure: FailureInfo) => void) {
    this.#limits = limits;
    this.#onExceeded = onExceeded;
  }

  /** The task may have reported. */
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

/** Undefined where nothing is limited: summing up costs little, but what a task of this process has used is found out anew each time. */
export function resourceWatch(limits: QueryLimits, onExceeded: (failure: FailureInfo) => void): ResourceWatch | undefined {
  const limitsNothing = limits.cpuMs * 1e6 > unlimited && limits.scanBytes >= unlimited;
  return limitsNothing ? undefined : new ResourceWatch(limits, onExceeded);
}
