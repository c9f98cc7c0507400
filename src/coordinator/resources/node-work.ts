/**
 * What each node does for the live queries, as their tasks last reported it: the part of the node document that only the coordinator knows.
 */
import type { NodeDocument } from "../../protocol/documents/node.ts";
import { formatDataSize } from "../../protocol/units.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import type { Query } from "../query/query.ts";

interface Work {
  tasks: number;
  bytes: number;
}

export type WorkDocument = Required<Pick<NodeDocument, "runningTasks" | "memoryReservation" | "queries">>;

/** By node id, without nodes that do nothing. */
export function nodeWork(live: readonly Query[]): ReadonlyMap<string, WorkDocument> {
  const nodes = new Map<string, Map<string, Work>>();
  for (const query of live) {
    for (const task of query.execution?.tasks ?? []) {
      if (!isEndedTask(task.state) && task.counters !== undefined) {
        const queries = nodes.get(task.nodeId) ?? new Map<string, Work>();
        nodes.set(task.nodeId, queries);
        const work = queries.get(query.id) ?? { tasks: 0, bytes: 0 };
        queries.set(query.id, work);
        work.tasks += 1;
        work.bytes += task.counters.memoryReservationBytes;
      }
    }
  }
  return new Map([...nodes].map(([nodeId, queries]) => [nodeId, workDocument(queries)]));
}

function workDocument(queries: ReadonlyMap<string, Work>): WorkDocument {
  const works = [...queries.values()];
  return {
    runningTasks: works.reduce((sum, { tasks }) => sum + tasks, 0),
    memoryReservation: formatDataSize(works.reduce((sum, { bytes }) => sum + bytes, 0)),
    queries: [...queries].map(([queryId, { bytes, tasks }]) => ({
      queryId,
      runningTasks: tasks,
      memoryReservation: formatDataSize(bytes),
    })),
  };
}
