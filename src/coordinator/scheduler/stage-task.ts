/** A task as its stage sees it, wherever it runs: on a worker (remote-task.ts) or in this process (root-task.ts). */
import type { FailureInfo, FilterDomains, TaskState } from "../../execution/task/api.ts";
import type { FilterDomain } from "../../execution/dynamic-filter/filter-domain.ts";
import type { TaskDocument } from "../../protocol/documents/task.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";

/** Sums that a task reports while it runs; everything is an integer. Running drivers include blocked ones, as in Presto's splits. */
export interface TaskCounters {
  readonly totalDrivers: number;
  readonly queuedDrivers: number;
  readonly runningDrivers: number;
  readonly completedDrivers: number;
  readonly memoryBytes: number;
  readonly peakMemoryBytes: number;
  readonly scheduledNanos: number;
  readonly cpuNanos: number;
  readonly blockedNanos: number;
  /** Read by scans. */
  readonly physicalInputBytes: number;
  readonly rawInputBytes: number;
  readonly rawInputPositions: number;
  readonly processedInputBytes: number;
  readonly processedInputPositions: number;
  readonly outputBytes: number;
  readonly outputPositions: number;
  readonly spilledBytes: number;
  readonly createMillis?: number;
  readonly startMillis?: number;
  readonly endMillis?: number;
}

export interface StageTask {
  readonly taskId: string;
  readonly nodeId: string;
  readonly nodeUri: string;
  readonly state: TaskState;
  /** Why it is FAILED. */
  readonly failure: FailureInfo | undefined;
  /** undefined until the task has reported for the first time. */
  readonly counters: TaskCounters | undefined;
  /** The last task document that is known. */
  readonly document: TaskDocument | undefined;
  /** What its scans had to leave out, as far as it is known. */
  readonly warnings: readonly Warning[];
  /** Creates it. False when it failed or was ended before it could be; never rejects. */
  start(): Promise<boolean>;
  /** What it has told of the keys of a join of its own; undefined: it may still tell. Absent: it tells nothing. */
  filterOf?(id: string): FilterDomain | undefined;
  /** Lets its scans go on that wait for them; once, after its start. What goes wrong becomes the task's failure. */
  giveFilters?(domains: FilterDomains): void;
  /** What can be done for its start before its sources are there. */
  prepare?(): void;
  /** Takes no more of its output: its readers see an end where they are, and it finishes. Best effort. */
  finishEarly(): void;
  /** Ends and forgets it, in order (`cancel`: readers see an end) or not (`abort`). Resolves with its final state known or given up; never rejects. */
  end(kind: "cancel" | "abort"): Promise<void>;
}

export const noCounters: TaskCounters = Object.freeze({
  totalDrivers: 0,
  queuedDrivers: 0,
  runningDrivers: 0,
  completedDrivers: 0,
  memoryBytes: 0,
  peakMemoryBytes: 0,
  scheduledNanos: 0,
  cpuNanos: 0,
  blockedNanos: 0,
  physicalInputBytes: 0,
  rawInputBytes: 0,
  rawInputPositions: 0,
  processedInputBytes: 0,
  processedInputPositions: 0,
  outputBytes: 0,
  outputPositions: 0,
  spilledBytes: 0,
});

export function addCounters(tasks: readonly (TaskCounters | undefined)[]): TaskCounters {
  return tasks.reduce<TaskCounters>((sum, task) => (task === undefined ? sum : addTwo(sum, task)), noCounters);
}

function addTwo(a: TaskCounters, b: TaskCounters): TaskCounters {
  return {
    totalDrivers: a.totalDrivers + b.totalDrivers,
    queuedDrivers: a.queuedDrivers + b.queuedDrivers,
    runningDrivers: a.runningDrivers + b.runningDrivers,
    completedDrivers: a.completedDrivers + b.completedDrivers,
    memoryBytes: a.memoryBytes + b.memoryBytes,
    peakMemoryBytes: a.peakMemoryBytes + b.peakMemoryBytes,
    scheduledNanos: a.scheduledNanos + b.scheduledNanos,
    cpuNanos: a.cpuNanos + b.cpuNanos,
    blockedNanos: a.blockedNanos + b.blockedNanos,
    physicalInputBytes: a.physicalInputBytes + b.physicalInputBytes,
    rawInputBytes: a.rawInputBytes + b.rawInputBytes,
    rawInputPositions: a.rawInputPositions + b.rawInputPositions,
    processedInputBytes: a.processedInputBytes + b.processedInputBytes,
    processedInputPositions: a.processedInputPositions + b.processedInputPositions,
    outputBytes: a.outputBytes + b.outputBytes,
    outputPositions: a.outputPositions + b.outputPositions,
    spilledBytes: a.spilledBytes + b.spilledBytes,
  };
}
