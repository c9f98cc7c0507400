/**
 * A task as seen by its stage, independent of where it runs: on a worker (remote-task.ts) or in this process (root-task.ts).
 */
import type { FailureInfo, FilterDomains, TaskState } from "../../execution/task/api.ts";
import type { FilterDomain } from "../../execution/dynamic-filter/filter-domain.ts";
import type { CounterSums } from "../../protocol/counter-sums.ts";
import type { TaskDocument } from "../../protocol/documents/task.ts";
import type { ReportedDocument } from "./reported-document.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";

/** What a task reports while it runs. */
export interface TaskCounters extends CounterSums {
  /** The part of the running drivers that is blocked. */
  readonly blockedDrivers?: number;
  readonly createMillis?: number;
  readonly startMillis?: number;
  readonly endMillis?: number;
}

export interface StageTask {
  readonly taskId: string;
  readonly nodeId: string;
  readonly nodeUri: string;
  readonly state: TaskState;
  /** Cause of the state FAILED. */
  readonly failure: FailureInfo | undefined;
  /** Undefined until the first report. */
  readonly counters: TaskCounters | undefined;
  /** True from the first report on. */
  readonly hasCounters: boolean;
  /** The latest task document. */
  readonly document: TaskDocument | undefined;
  /** The document as it was told. Absent if the task keeps none: it makes one when it is asked. */
  readonly reported?: ReportedDocument | undefined;
  /** Warnings of the task's scans, as far as they are known. */
  readonly warnings: readonly Warning[];
  /** It waits for older queries to free memory of its node. */
  readonly waitsForMemory: boolean;
  /** True while the task has not been sent all of its splits. */
  readonly awaitsSplits?: boolean;
  /** Creates the task. Resolves to false if it failed or was ended before its creation; never rejects. */
  start(): Promise<boolean>;
  /** The domain that the task reported for a dynamic filter. Undefined: it may still report one. Absent: the task produces no filters. */
  filterOf?(id: string): FilterDomain | undefined;
  /** Sends the dynamic filters that the task's scans wait for; once, after `start`. An error becomes the task's failure. */
  giveFilters?(domains: FilterDomains): void;
  /** Does the part of the start that does not need the sources. */
  prepare?(): void;
  /** Ends the task's output early: consumers see an end at their current position, and the task finishes. Best effort. */
  finishEarly(): void;
  /**
   * Ends and deletes the task, in order (`cancel`: consumers see an end) or not (`abort`). Resolves when the final state is known or given
   * up; never rejects.
   */
  end(kind: "cancel" | "abort"): Promise<void>;
}
