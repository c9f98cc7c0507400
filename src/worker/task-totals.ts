/**
 * Counters of all tasks that this node has run since its start, for metrics. Ended tasks are added up once, with their final numbers; live
 * tasks are read when the totals are. Sums that the counters mark as growing never decrease.
 */
import { isEndedTask } from "../execution/task/state.ts";
import type { TaskExecution, TaskState, TaskStatsSnapshot } from "../execution/task/api.ts";
import { scansOf } from "../planner/fragmenter/fragment-walk.ts";
import type { PlanFragment } from "../planner/fragmenter/fragment.ts";
import { addSums, type CounterSums, noSums, sumsOfTask } from "../protocol/counter-sums.ts";

/** What the scans of a catalog have read on this node. */
export interface ScannedCatalog {
  readonly catalog: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface NodeTaskTotals {
  /** Tasks that have not ended, by state. */
  readonly live: ReadonlyMap<TaskState, number>;
  /** Tasks that have ended since the start of the node, by state. */
  readonly ended: ReadonlyMap<TaskState, number>;
  /** Numbers of drivers and reserved memory are of live tasks; the others are totals since the start. */
  readonly sums: CounterSums;
  /** Drivers that wait; they are among the running drivers of `sums`. */
  readonly blockedDrivers: number;
  /** Sorted by catalog. */
  readonly catalogs: readonly ScannedCatalog[];
}

type Scanned = Map<string, { rows: number; bytes: number }>;

export class TaskTotals {
  readonly #live = new Map<TaskExecution, PlanFragment>();
  readonly #ended = new Map<TaskState, number>();
  readonly #scanned: Scanned = new Map();
  #sums: CounterSums = noSums;

  /** Counts the task from now on. */
  add(task: TaskExecution, fragment: PlanFragment): void {
    this.#live.set(task, fragment);
    const look = (): void => {
      if (isEndedTask(task.state) && this.#live.delete(task)) {
        this.#keep(task, fragment);
      }
    };
    task.onChange(look);
    look();
  }

  read(): NodeTaskTotals {
    const live = new Map<TaskState, number>();
    const scanned: Scanned = new Map([...this.#scanned].map(([catalog, sums]) => [catalog, { ...sums }]));
    const parts: CounterSums[] = [this.#sums];
    let blockedDrivers = 0;
    for (const [task, fragment] of this.#live) {
      const stats = task.stats();
      live.set(task.state, (live.get(task.state) ?? 0) + 1);
      parts.push(sumsOfTask(stats));
      blockedDrivers += stats.blockedDrivers;
      addScans(scanned, stats, fragment);
    }
    const catalogs = [...scanned].map(([catalog, { rows, bytes }]) => ({ catalog, rows, bytes }));
    return {
      live,
      ended: new Map(this.#ended),
      sums: addSums(parts),
      blockedDrivers,
      catalogs: catalogs.sort((a, b) => (a.catalog < b.catalog ? -1 : 1)),
    };
  }

  #keep(task: TaskExecution, fragment: PlanFragment): void {
    const stats = task.stats();
    this.#ended.set(task.state, (this.#ended.get(task.state) ?? 0) + 1);
    // Drivers of a task that failed or was aborted may never complete; those of an ended task neither wait nor run.
    const gone = { queuedDrivers: 0, runningDrivers: 0, memoryReservationBytes: 0, systemMemoryBytes: 0, peakMemoryBytes: 0 };
    this.#sums = addSums([this.#sums, { ...sumsOfTask(stats), ...gone }]);
    addScans(this.#scanned, stats, fragment);
  }
}

/** A scan is the first operator of its pipeline. */
const scanOperators: ReadonlySet<string> = new Set(["TableScanOperator", "ScanFilterAndProjectOperator"]);

function addScans(scanned: Scanned, { pipelines }: TaskStatsSnapshot, fragment: PlanFragment): void {
  const scanning = pipelines.filter(({ operators }) => scanOperators.has(operators[0]?.operatorType ?? ""));
  if (scanning.length === 0) {
    // The fragment of a task that failed before it had operators may be malformed.
    return;
  }
  const catalogs = new Map(scansOf(fragment).map((scan) => [scan.id, scan.table.catalog]));
  for (const { operators, rawInputBytes, rawInputPositions } of scanning) {
    const catalog = catalogs.get(operators[0]?.planNodeId ?? "");
    if (catalog !== undefined) {
      const known = scanned.get(catalog) ?? { rows: 0, bytes: 0 };
      scanned.set(catalog, { rows: known.rows + rawInputPositions, bytes: known.bytes + rawInputBytes });
    }
  }
}
