/**
 * Nodes for another attempt of a query. Everything that rows depend on stays as in the first attempt: the tasks of each stage, their order
 * and their splits. Only tasks whose node is lost move.
 */
import { ComputedSplits } from "../../connectors/shared/splits.ts";
import { catalogsOf, writes } from "../../planner/fragmenter/fragment-walk.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import type { WorkerNode } from "../context.ts";
import { homeOf, type StagePlacement, type TaskPlacement, taskId, workersWith } from "./placement.ts";

export interface ReassignmentRequest {
  readonly queryId: string;
  /** Of the first attempt. */
  readonly placements: readonly StagePlacement[];
  /** In the order of the placements; they differ from those of the first attempt in the handle of a write alone. */
  readonly fragments: readonly PlanFragment[];
  /** From 1. */
  readonly attempt: number;
  /** Active workers, sorted by node id. */
  readonly workers: readonly WorkerNode[];
  /** True for workers that have failed the query. They get tasks only if no other worker can run them. */
  readonly isSuspect: (worker: WorkerNode) => boolean;
}

/** Throws NO_NODES_AVAILABLE if a task cannot run on any of the workers, TABLE_DATA_LOST if rows of a split are on none. */
export function reassign(request: ReassignmentRequest): readonly StagePlacement[] {
  const loads = loadsOf(request.placements.flatMap(({ tasks }) => tasks));
  return request.placements.map((placement, index) => {
    const fragment = request.fragments[index];
    assert(fragment !== undefined, "every stage has its fragment");
    const nodes = nodesOf(placement, request, loads);
    const tasks = placement.tasks.map((task, number) => ({
      ...task,
      node: nodes[number] ?? task.node,
    }));
    return renumbered({ ...placement, fragment, tasks }, request);
  });
}

/** The tasks of a stage with the numbers of an attempt. */
export function renumbered(
  placement: StagePlacement,
  { attempt, queryId }: Pick<ReassignmentRequest, "attempt" | "queryId">,
): StagePlacement {
  const { fragment, tasks } = placement;
  const first = attempt * tasks.length;
  return { ...placement, tasks: tasks.map((task, number) => ({ ...task, taskId: taskId(queryId, fragment.id, first + number) })) };
}

/** Number of tasks on each node, by its id. */
export function loadsOf(tasks: readonly TaskPlacement[]): Map<string, number> {
  const loads = new Map<string, number>();
  for (const { node } of tasks) {
    loads.set(node.nodeId, (loads.get(node.nodeId) ?? 0) + 1);
  }
  return loads;
}

/**
 * One node a task. Lost tasks go where their rows are, or to the worker that has the fewest tasks of the query, the first among equals:
 * `loads`, in which they are counted from then on.
 */
export function nodesOf(
  { fragment, tasks }: Pick<StagePlacement, "fragment" | "tasks">,
  { isSuspect, workers }: Pick<ReassignmentRequest, "isSuspect" | "workers">,
  loads: Map<string, number>,
): readonly WorkerNode[] {
  if (fragment.partitioning === "COORDINATOR") {
    return tasks.map(({ node }) => node);
  }
  const able = workersWith(catalogsOf(fragment), workers);
  const trusted = able.filter((worker) => !isSuspect(worker));
  const choices = trusted.length > 0 ? trusted : able;
  const alive = new Set(workers.map(({ nodeId }) => nodeId));
  return tasks.map((task) => {
    const lost = lostRowsOf(task, alive);
    if (lost !== undefined) {
      throw lost;
    }
    const same = choices.find(({ nodeId, uri }) => nodeId === task.node.nodeId && uri === task.node.uri);
    const node = same ?? homeOf(task.splits, choices) ?? leastLoaded(choices, loads);
    if (node === undefined) {
      throw new QueryError("NO_NODES_AVAILABLE", "No nodes available to run query");
    }
    if (same === undefined) {
      loads.set(node.nodeId, (loads.get(node.nodeId) ?? 0) + 1);
    }
    return node;
  });
}

function leastLoaded(workers: readonly WorkerNode[], loads: ReadonlyMap<string, number>): WorkerNode | undefined {
  const loadOf = ({ nodeId }: WorkerNode): number => loads.get(nodeId) ?? 0;
  return workers.reduce<WorkerNode | undefined>(
    (best, worker) => (best === undefined || loadOf(worker) < loadOf(best) ? worker : best),
    undefined,
  );
}

/**
 * Whether any task of the query can run again on these workers, by itself. A lost writer makes the whole query run again, and rows that
 * are on one worker alone are better waited for.
 */
export function canLoseTasks(placements: readonly StagePlacement[], workers: readonly WorkerNode[]): boolean {
  const hasPlaces = placements.every(({ fragment }) => !writes(fragment) && workersWith(catalogsOf(fragment), workers).length > 0);
  return hasPlaces && lostRows(placements, workers) === undefined;
}

/** What a query lacks that waits for rows: TABLE_DATA_LOST if rows of a split are on no node that is alive. */
export function lostRows(placements: readonly StagePlacement[], workers: readonly WorkerNode[]): QueryError | undefined {
  const alive = new Set(workers.map(({ nodeId }) => nodeId));
  for (const task of placements.flatMap(({ tasks }) => tasks)) {
    const lost = lostRowsOf(task, alive);
    if (lost !== undefined) {
      return lost;
    }
  }
  return undefined;
}

function lostRowsOf({ splits }: TaskPlacement, alive: ReadonlySet<string>): QueryError | undefined {
  for (const { catalog, splits: list } of splits) {
    if (list instanceof ComputedSplits) {
      continue;
    }
    for (const { nodes } of list) {
      if (nodes?.some((nodeId) => alive.has(nodeId)) === false) {
        const gone = nodes.map((nodeId) => `worker ${nodeId} is gone`);
        return new QueryError("TABLE_DATA_LOST", `A table of catalog '${catalog}' lost data: ${gone.join(", ")}`);
      }
    }
  }
  return undefined;
}
