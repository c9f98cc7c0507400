/**
 * How many tasks each stage of a query has: a function of its plan, the splits of its tables and settings. Rows in their order and sums of
 * doubles depend on these numbers, so neither the cluster nor its load may.
 */
import type { SplitList } from "../../connectors/shared/splits.ts";
import { ComputedSplits } from "../../connectors/shared/splits.ts";
import type { PlanEstimates } from "../../planner/explain/plan-estimates.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { remoteSourcesOf } from "../../planner/fragmenter/fragment-walk.ts";
import type { ScanSplits } from "./placement.ts";

export interface TaskCountSettings {
  /** query.hash-partition-count, or less if the session says so: most tasks of a stage. */
  readonly tasksMax: number;
  /** optimizer.min-input-rows-per-task, or what the session says. */
  readonly rowsPerTaskMin: number;
}

export interface TaskCountRequest {
  readonly fragments: readonly PlanFragment[];
  /** Splits by fragment id, in the order of the fragment's scans. */
  readonly splits: ReadonlyMap<number, readonly ScanSplits[]>;
  readonly estimates: PlanEstimates;
  readonly settings: TaskCountSettings;
}

/** Estimates may be too low by this factor before a stage has fewer tasks than its rows deserve. */
const estimateSlack = 10;
/** Rows of text files have about this many bytes. */
const bytesPerRow = 100;
/** Assumed for a split of which the connector says nothing. */
const rowsOfUnknownSplit = 1_000_000;

/** By fragment id. */
export function taskCounts(request: TaskCountRequest): ReadonlyMap<number, number> {
  const { estimates, fragments, settings, splits } = request;
  // What the rows of a fragment deserve; a scan of few splits and a stage of one task have fewer tasks.
  const byRows = new Map<number, number>();
  const counts = new Map<number, number>();
  for (const fragment of fragments) {
    const scans = splits.get(fragment.id) ?? [];
    const isSpread = fragment.partitioning === "SOURCE";
    const rows = isSpread ? rowsOf(scans) : (estimates.get(fragment.root.id)?.outputRowCount ?? 0);
    const wanted = fragment.partitioning === "HASH" ? 1 : tasksFor(rows, settings);
    byRows.set(fragment.id, wanted);
    counts.set(fragment.id, isSpread ? Math.min(wanted, Math.max(1, ...scans.map((scan) => groupsOf(scan.splits, wanted)))) : 1);
  }
  countHashStages(request, byRows, counts);
  return counts;
}

/**
 * Tasks for a number of input rows: the largest power of two D, up to the limit, of which each task has (D - 1) times the least rows of a
 * task. So both the number of tasks and the rows of each grow with the table: what is broadcast is built once a task.
 */
export function tasksFor(rows: number, { rowsPerTaskMin, tasksMax }: TaskCountSettings): number {
  let count = 1;
  while (count < tasksMax && 2 * count * (2 * count - 1) * rowsPerTaskMin <= rows) {
    count *= 2;
  }
  return Math.min(count, tasksMax);
}

/**
 * A stage that is partitioned by hash has as many tasks as the rows deserve that it reads. Readers of one fragment have equally many, since
 * they read the same partitions. The loop ends because counts only grow.
 */
function countHashStages(request: TaskCountRequest, byRows: Map<number, number>, counts: Map<number, number>): void {
  const { fragments } = request;
  const byId = new Map(fragments.map((fragment) => [fragment.id, fragment]));
  const hashed = fragments.filter(({ partitioning }) => partitioning === "HASH");
  const spreadSources = new Map(hashed.map((fragment) => [fragment.id, spreadSourcesOf(fragment, byId)]));
  const raise = ({ id }: PlanFragment, count: number): boolean => {
    const isMore = count > (counts.get(id) ?? 1);
    if (isMore) {
      counts.set(id, count);
      byRows.set(id, count);
    }
    return isMore;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const fragment of hashed.toReversed()) {
      changed = raise(fragment, wantedOf(spreadSources.get(fragment.id) ?? [], request, byRows)) || changed;
    }
    for (const { id } of fragments) {
      const readers = hashed.filter((reader) => spreadSources.get(reader.id)?.some((source) => source.id === id) === true);
      const most = Math.max(1, ...readers.map((reader) => counts.get(reader.id) ?? 1));
      changed = readers.map((reader) => raise(reader, most)).includes(true) || changed;
    }
  }
}

function spreadSourcesOf(fragment: PlanFragment, byId: ReadonlyMap<number, PlanFragment>): readonly PlanFragment[] {
  return remoteSourcesOf(fragment)
    .flatMap(({ fragmentIds }) => fragmentIds.map((id) => byId.get(id)))
    .filter((source) => source !== undefined)
    .filter(({ outputPartitioning: { kind } }) => kind === "HASH" || kind === "ROUND_ROBIN");
}

/** No more than the largest of the sources, and no more than the estimated rows deserve. */
function wantedOf(sources: readonly PlanFragment[], request: TaskCountRequest, byRows: ReadonlyMap<number, number>): number {
  const most = Math.max(1, ...sources.map(({ id }) => byRows.get(id) ?? 1));
  let rows = 0;
  for (const { root } of sources) {
    rows += request.estimates.get(root.id)?.outputRowCount ?? Number.POSITIVE_INFINITY;
  }
  return Math.min(most, tasksFor(rows * estimateSlack, request.settings));
}

function rowsOf(scans: readonly ScanSplits[]): number {
  let sum = 0;
  for (const { splits } of scans) {
    if (splits instanceof ComputedSplits) {
      // All splits of a computed list have about as many rows.
      sum += splits.length * (splits.at(0)?.rows ?? rowsOfUnknownSplit);
      continue;
    }
    for (const { bytes, rows } of splits) {
      sum += rows ?? (bytes === undefined ? rowsOfUnknownSplit : bytes / bytesPerRow);
    }
  }
  return sum;
}

/** Tasks that have splits if there are `count` tasks. */
function groupsOf(splits: SplitList, count: number): number {
  if (splits instanceof ComputedSplits) {
    return Math.min(count, splits.length);
  }
  let most = 0;
  let index = 0;
  for (const { group = index } of splits) {
    most = Math.max(most, group + 1);
    index += 1;
  }
  return Math.min(count, most);
}
