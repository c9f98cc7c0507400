/**
 * Placement of the tasks of a query and assignment of their splits: a pure function of the plan, the splits, the workers and the query
 * ordinal. Only the nodes of the tasks depend on the workers. The task counts of all stages are known before any task is created, so
 * buffers and sources never change.
 */
import { ComputedSplits, type SplitList } from "../../connectors/shared/splits.ts";
import type { OutputBuffersDescriptor } from "../../execution/task/api.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import type { WorkerNode } from "../context.ts";
import { catalogsOf, remoteSourcesOf } from "../../planner/fragmenter/fragment-walk.ts";

export interface ScanSplits {
  readonly scanId: string;
  readonly catalog: string;
  readonly splits: SplitList;
}

export interface PlacementRequest {
  readonly queryId: string;
  readonly fragments: readonly PlanFragment[];
  /** Splits by fragment id, in the order of the fragment's scans. */
  readonly splits: ReadonlyMap<number, readonly ScanSplits[]>;
  /** Active workers, sorted by node id. */
  readonly workers: readonly WorkerNode[];
  readonly coordinator: WorkerNode;
  /** By fragment id. */
  readonly taskCounts: ReadonlyMap<number, number>;
  /** Rotates the list of workers, so that the single tasks of many queries do not all run on one node. */
  readonly offset: number;
}

export interface TaskPlacement {
  readonly taskId: string;
  readonly node: WorkerNode;
  /** One entry per scan of the fragment, in order; an entry may have no splits. */
  readonly splits: readonly ScanSplits[];
}

/** One reference to a fragment in a remote source. Its consumers are the tasks of the fragment with that remote source. */
interface Reading {
  readonly fragmentId: number;
  readonly planNodeId: string;
  /** Position among the sources of the plan node. */
  readonly index: number;
  readonly consumerCount: number;
}

export interface StagePlacement {
  readonly fragment: PlanFragment;
  readonly outputBuffers: OutputBuffersDescriptor;
  /** In the order of fragments, nodes and references. Buffers are numbered in the same order. */
  readonly readings: readonly Reading[];
  readonly tasks: readonly TaskPlacement[];
}

/** Returns the stages in the order of the fragments; stage i reads only stages with larger numbers. */
export function placeStages(request: PlacementRequest): readonly StagePlacement[] {
  const workers = rotate(request.workers, request.offset);
  const tasks = new Map<number, readonly TaskPlacement[]>();
  // Stages of one task are on the same worker. A stage of several begins where the one before has ended, so that the workers share evenly.
  let turn = 0;
  for (const fragment of request.fragments) {
    const able = fragment.partitioning === "COORDINATOR" ? [] : workersWith(catalogsOf(fragment), workers);
    const placed = placeTasks(request, fragment, { turn, workers: able });
    turn += placed.length > 1 ? placed.length : 0;
    tasks.set(fragment.id, placed);
  }
  const readings = readingsOf(request.fragments, tasks);
  return request.fragments.map((fragment) => {
    const own = readings.get(fragment.id) ?? [];
    return { fragment, outputBuffers: outputBuffers(fragment, own), readings: own, tasks: tasks.get(fragment.id) ?? [] };
  });
}

/**
 * Workers that have all the catalogs. The system catalog is on every node. Throws NO_NODES_AVAILABLE that names the workers without one.
 */
export function workersWith(catalogs: readonly string[], workers: readonly WorkerNode[]): readonly WorkerNode[] {
  const lacks = (worker: WorkerNode): string | undefined => catalogs.find((catalog) => worker.catalogs?.has(catalog) === false);
  const able = workers.filter((worker) => lacks(worker) === undefined);
  if (able.length === 0 && workers.length > 0) {
    const lacking = workers.map((worker) => `'${lacks(worker) ?? ""}' is not on ${worker.nodeId}`).toSorted();
    throw new QueryError("NO_NODES_AVAILABLE", `No nodes available to run query: catalog ${lacking.join(", ")}`);
  }
  return able;
}

/** Task i of a stage runs on worker `turn` + i, and so on in turn. */
function placeTasks(
  request: PlacementRequest,
  fragment: PlanFragment,
  { turn, workers }: { readonly turn: number; readonly workers: readonly WorkerNode[] },
): readonly TaskPlacement[] {
  const scans = request.splits.get(fragment.id) ?? [];
  const count = request.taskCounts.get(fragment.id) ?? 1;
  if (fragment.partitioning === "COORDINATOR") {
    return [{ taskId: taskId(request.queryId, fragment.id, 0), node: request.coordinator, splits: scans }];
  }
  const first = workers[0];
  if (first === undefined) {
    throw new QueryError("NO_NODES_AVAILABLE", "No nodes available to run query");
  }
  if (fragment.partitioning === "SINGLE") {
    return [{ taskId: taskId(request.queryId, fragment.id, 0), node: homeOf(scans, workers) ?? first, splits: scans }];
  }
  assert(fragment.partitioning !== "HASH" || scans.length === 0, "a hash partitioned fragment scans no table");
  const splits = fragment.partitioning === "HASH" ? Array.from({ length: count }, () => []) : dealSplits(scans, count);
  return splits.map((own, number) => ({
    taskId: taskId(request.queryId, fragment.id, number),
    node: homeOf(own, workers) ?? workers[(turn + number) % workers.length] ?? first,
    splits: own,
  }));
}

/**
 * Split i is read by task i mod D, or by that of its group. A task runs on the node that has most of its rows; the tasks of splits that lie
 * on no node take the workers in turn.
 */
function dealSplits(scans: readonly ScanSplits[], count: number): readonly (readonly ScanSplits[])[] {
  return Array.from({ length: count }, (_, number) => scans.map((scan) => ({ ...scan, splits: splitsOfTask(scan.splits, number, count) })));
}

function splitsOfTask(splits: SplitList, number: number, count: number): SplitList {
  if (splits instanceof ComputedSplits) {
    return splits.everyNth(number, count);
  }
  return [...splits].filter(({ group }, index) => (group ?? index) % count === number);
}

/** The able worker that has most rows of the splits; the first of them among equals. Undefined if the splits lie on no node. */
export function homeOf(scans: readonly ScanSplits[], workers: readonly WorkerNode[]): WorkerNode | undefined {
  const rowsOf = new Map<string, number>();
  for (const { splits } of scans) {
    if (splits instanceof ComputedSplits) {
      continue;
    }
    for (const { nodes = [], rows = 1 } of splits) {
      for (const nodeId of nodes) {
        rowsOf.set(nodeId, (rowsOf.get(nodeId) ?? 0) + rows);
      }
    }
  }
  let home: WorkerNode | undefined;
  for (const [nodeId, rows] of rowsOf) {
    const worker = workers.find((one) => one.nodeId === nodeId);
    if (worker !== undefined && (home === undefined || rows > (rowsOf.get(home.nodeId) ?? 0))) {
      home = worker;
    }
  }
  return home;
}

function readingsOf(
  fragments: readonly PlanFragment[],
  tasks: ReadonlyMap<number, readonly TaskPlacement[]>,
): ReadonlyMap<number, readonly Reading[]> {
  const readings = new Map<number, Reading[]>();
  for (const fragment of fragments) {
    const consumerCount = tasks.get(fragment.id)?.length ?? 0;
    for (const { id: planNodeId, fragmentIds } of remoteSourcesOf(fragment)) {
      fragmentIds.forEach((source, index) => {
        assert(source > fragment.id, `fragment ${fragment.id} reads fragment ${source}, which must come after it`);
        const known = readings.get(source) ?? [];
        readings.set(source, known);
        known.push({ fragmentId: fragment.id, planNodeId, index, consumerCount });
      });
    }
  }
  return readings;
}

/** The coordinator itself reads the rows of the root. */
function outputBuffers(fragment: PlanFragment, readings: readonly Reading[]): OutputBuffersDescriptor {
  const counts = readings.length === 0 ? [1] : readings.map(({ consumerCount }) => consumerCount);
  const bufferCount = counts.reduce((sum, count) => sum + count, 0);
  if (fragment.outputPartitioning.kind === "BROADCAST") {
    return { kind: "BROADCAST", bufferCount };
  }
  const [first] = counts;
  assert(
    counts.every((count) => count === first),
    `every reader of fragment ${fragment.id} has as many tasks`,
  );
  assert(fragment.outputPartitioning.kind !== "SINGLE" || first === 1, `fragment ${fragment.id} has one consumer a reader`);
  return counts.length === 1 ? { kind: "PARTITIONED", bufferCount } : { kind: "SHARED", bufferCount, readerCount: counts.length };
}

/** Locations that task `consumer` of the reading stage reads, by plan node, source fragment and source task, in order. */
export function remoteLocations(
  fragment: PlanFragment,
  stages: readonly StagePlacement[],
  consumer: number,
): readonly { readonly planNodeId: string; readonly sources: readonly { fragmentId: number; location: string }[] }[] {
  return remoteSourcesOf(fragment).map((node) => ({
    planNodeId: node.id,
    sources: node.fragmentIds.flatMap((fragmentId, index) => {
      const stage = stages.find((candidate) => candidate.fragment.id === fragmentId);
      assert(stage !== undefined, `fragment ${fragmentId} exists`);
      const first = firstBuffer(stage, { fragmentId: fragment.id, planNodeId: node.id, index });
      return stage.tasks.map((task) => ({
        fragmentId,
        location: `${task.node.uri}/v1/task/${task.taskId}/results/${first + consumer}`,
      }));
    }),
  }));
}

/** The first buffer id of a reading, among the buffers of the stage's tasks. */
function firstBuffer({ readings }: StagePlacement, wanted: Omit<Reading, "consumerCount">): number {
  let first = 0;
  for (const { fragmentId, planNodeId, index, consumerCount } of readings) {
    if (fragmentId === wanted.fragmentId && planNodeId === wanted.planNodeId && index === wanted.index) {
      return first;
    }
    first += consumerCount;
  }
  assert(false, `fragment ${wanted.fragmentId} has buffers of its own`);
}

/** The task that reads each buffer of the stage's tasks, in the order of the buffers. */
export function consumersOf({
  readings,
}: StagePlacement): readonly { readonly fragmentId: number; readonly number: number; readonly bufferId: number }[] {
  return readings
    .flatMap(({ consumerCount, fragmentId }) => Array.from({ length: consumerCount }, (_, number) => ({ fragmentId, number })))
    .map((consumer, bufferId) => ({ ...consumer, bufferId }));
}

export function taskId(queryId: string, stageId: number, number: number): string {
  return `${queryId}.${stageId}.${number}`;
}

function rotate<T>(items: readonly T[], offset: number): readonly T[] {
  const start = items.length === 0 ? 0 : offset % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
