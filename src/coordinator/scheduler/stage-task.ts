/** A task as its stage sees it, wherever it runs: on a worker (remote-task.ts) or in this process (root-task.ts). */
import type { FailureInfo, FilterDomains, TaskState } from "../../execution/task/api.ts";
import type { FilterDomain } from "../../execution/dynamic-filter/filter-domain.ts";
import type { CounterSums } from "../../protocol/counter-sums.ts";
import type { TaskDocument } from "../../protocol/documents/task.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";

/** What a task reports while it runs. */
export interface TaskCounters extends CounterSums {
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
