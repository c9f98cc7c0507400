/**
 * Checks the resource usage that tasks report against the limits of their query. Reports arrive at least every
 * task.status-refresh-max-wait, and each task sends a final report. A query that exceeded a limit therefore never ends as FINISHED, unless
 * a task's final report was lost.
 */
import type { FailureInfo } from "../../execution/task/api.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import { unlimited } from "../context.ts";
import type { StageTask, TaskCounters } from "../scheduler/stage-task.ts";
import type { QueryLimits } from "./query-limits.ts";

type Used = Pick<TaskCounters, "cpuNanos" | "physicalInputBytes" | "memoryReservationBytes" | "systemMemoryBytes">;

const nothing: Used = { cpuNanos: 0, physicalInputBytes: 0, memoryReservationBytes: 0, systemMemoryBytes: 0 };
const noMemory: Pick<Used, "memoryReservationBytes" | "systemMemoryBytes"> = { memoryReservationBytes: 0, systemMemoryBytes: 0 };

export class ResourceWatch {
  readonly #limits: QueryLimits;
  readonly #onExceeded: (failure: FailureInfo) => void;
  /** Usage of each task that the sums include. */
  readonly #counted = new Map<StageTask, Used>();
  #cpuNanos = 0;
  #scanBytes = 0;
  /** Of the attempt that runs. */
  #userMemoryBytes = 0;
  #totalMemoryBytes = 0;

  /** `onExceeded` may be called more than once. */
  constructor(limits: QueryLimits, onExceeded: (failure: FailureInfo) => void) {
    this.#limits = limits;
    this.#onExceeded = onExceeded;
  }

  /** The query runs again: what its former tasks have used still counts, but not their memory, and no later report of theirs. */
  nextAttempt(): void {
    this.#counted.clear();
    this.#userMemoryBytes = 0;
    this.#totalMemoryBytes = 0;
  }

  /** The task may have a new report. */
  taskChanged(task: StageTask): void {
    const before = this.#counted.get(task) ?? nothing;
    const now = usedBy(task);
    this.#counted.set(task, now);
    this.#cpuNanos += now.cpuNanos - before.cpuNanos;
    this.#scanBytes += now.physicalInputBytes - before.physicalInputBytes;
    this.#totalMemoryBytes += now.memoryReservationBytes - before.memoryReservationBytes;
    this.#userMemoryBytes += userBytes(now) - userBytes(before);
    this.#check();
  }

  #check(): void {
    const { cpuMs, scanBytes, texts, totalMemoryBytes, userMemoryBytes } = this.#limits;
    if (this.#cpuNanos > cpuMs * 1e6) {
      this.#onExceeded({ errorName: "EXCEEDED_CPU_LIMIT", message: `Exceeded CPU limit of ${texts.cpuMs}` });
    }
    if (this.#scanBytes > scanBytes) {
      this.#onExceeded({ errorName: "EXCEEDED_SCAN_LIMIT", message: `Exceeded scan limit of ${texts.scanBytes}` });
    }
    if (this.#userMemoryBytes > userMemoryBytes) {
      this.#exceedsMemory(`Query exceeded distributed user memory limit of ${texts.userMemoryBytes}`);
    }
    if (this.#totalMemoryBytes > totalMemoryBytes) {
      this.#exceedsMemory(`Query exceeded distributed total memory limit of ${texts.totalMemoryBytes}`);
    }
  }

  #exceedsMemory(message: string): void {
    this.#onExceeded({ errorName: "EXCEEDED_GLOBAL_MEMORY_LIMIT", message });
  }
}

/** A task that has ended holds no memory, whatever its last report says. */
function usedBy(task: StageTask): Used {
  const { cpuNanos, physicalInputBytes, memoryReservationBytes, systemMemoryBytes } = task.counters ?? nothing;
  const memory = isEndedTask(task.state) ? noMemory : { memoryReservationBytes, systemMemoryBytes };
  return { cpuNanos, physicalInputBytes, ...memory };
}

function userBytes({ memoryReservationBytes, systemMemoryBytes }: Used): number {
  return memoryReservationBytes - systemMemoryBytes;
}

/**
 * Returns undefined if the query cannot exceed a limit: summing is cheap, but the usage of an in-process task is recomputed on each call.
 * `memoryBytesMax`: of all nodes together.
 */
export function resourceWatch(
  limits: QueryLimits,
  memoryBytesMax: number,
  onExceeded: (failure: FailureInfo) => void,
): ResourceWatch | undefined {
  const isLimited = limits.cpuMs * 1e6 <= unlimited || limits.scanBytes < unlimited;
  const isMemoryLimited = Math.min(limits.userMemoryBytes, limits.totalMemoryBytes) < memoryBytesMax;
  return isLimited || isMemoryLimited ? new ResourceWatch(limits, onExceeded) : undefined;
}
