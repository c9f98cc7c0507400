/**
 * Nodes for another attempt of a query. Everything that rows depend on stays as in the first attempt: the tasks of each stage, their order
 * and their splits. Only tasks whose node is lost move.
 */
import type { Split } from "../../connectors/spi.ts";
import { ComputedSplits } from "../../connectors/shared/splits.ts";
import { catalogsOf } from "../../planner/fragmenter/fragment-walk.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import type { WorkerNode } from "../context.ts";
import { type StagePlacement, type TaskPlacement, taskId, workersWith } from "./placement.ts";

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

/** Throws NO_NODES_AVAILABLE if a task cannot run on any of the workers. */
export function reassign(request: ReassignmentRequest): readonly StagePlacement[] {
  return request.placements.map((placement, index) => {
    const fragment = request.fragments[index];
    assert(fragment !== undefined, "every stage has its fragment");
    const nodes = nodesOf(placement, request);
    const count = placement.tasks.length;
    const tasks = placement.tasks.map((task, number) => ({
      ...task,
      node: nodes[number] ?? task.node,
      taskId: taskId(request.queryId, fragment.id, request.attempt * count + number),
    }));
    return { ...placement, fragment, tasks };
  });
}

/** One node a task. Lost tasks go to the other workers in turn. */
function nodesOf({ fragment, tasks }: StagePlacement, { isSuspect, workers }: ReassignmentRequest): readonly WorkerNode[] {
  if (fragment.partitioning === "COORDINATOR") {
    return tasks.map(({ node }) => node);
  }
  const able = workersWith(catalogsOf(fragment), workers);
  let moved = 0;
  return tasks.map((task) => {
    const bound = boundTo(task);
    const possible = bound === undefined ? able : able.filter(({ nodeId }) => bound.has(nodeId));
    const trusted = possible.filter((worker) => !isSuspect(worker));
    const choices = trusted.length > 0 ? trusted : possible;
    const node =
      choices.find(({ nodeId, uri }) => nodeId === task.node.nodeId && uri === task.node.uri) ?? choices[moved++ % choices.length];
    if (node === undefined) {
      const data = bound === undefined ? "" : `: the data is on ${[...bound].join(", ")}`;
      throw new QueryError("NO_NODES_AVAILABLE", `No nodes available to run query${data}`);
    }
    return node;
  });
}

/** Nodes that have the rows of all splits of the task; undefined if any worker has. */
function boundTo({ splits }: TaskPlacement): ReadonlySet<string> | undefined {
  let common: ReadonlySet<string> | undefined;
  for (const { splits: list } of splits) {
    if (list instanceof ComputedSplits) {
      continue;
    }
    for (const { nodes } of list as Iterable<Split>) {
      if (nodes !== undefined) {
        const before: ReadonlySet<string> | undefined = common;
        common = new Set(before === undefined ? nodes : nodes.filter((nodeId) => before.has(nodeId)));
      }
    }
  }
  return common;
}
