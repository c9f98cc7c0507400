/**
 * Rows of system.runtime.nodes, queries, tasks and transactions, with Presto's columns, and the procedure kill_query.
 */
import { noSums } from "../../protocol/counter-sums.ts";
import { QueryError } from "../../protocol/errors.ts";
import { parseTaskId } from "../../protocol/query-id.ts";
import { accessDenied } from "../../security/privileges.ts";
import type { RuntimeTask, SystemRuntime } from "../../connectors/shared/runtime-tables.ts";
import type { CoordinatorContext } from "../context.ts";
import { killed } from "./failure.ts";
import type { QueryList } from "../listing/query-list.ts";
import { runtimeQuery } from "../listing/row-documents.ts";
import { runtimeGroups } from "../groups/group-document.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { StageTask, TaskCounters } from "../scheduler/stage-task.ts";
import { millis } from "./query-statistics.ts";

export function runtimeTables(context: CoordinatorContext, { groups, tracker }: Dispatcher, list: QueryList): SystemRuntime {
  return {
    resourceGroups: () => groups.roots.flatMap(runtimeGroups),
    nodes: () => context.cluster.knownNodes(),
    queries: async () => (await list.all()).map((row) => runtimeQuery(row, row.text)),
    tasks: () =>
      tracker
        .all()
        .flatMap(({ execution, session }) =>
          (execution?.stages ?? []).flatMap((stage) => stage.tasks).map((task) => runtimeTask(task, session.user)),
        ),
    transactions: () => context.transactions.all(),
    killQuery: (queryId, message, user) => {
      const query = tracker.get(queryId);
      if (query === undefined) {
        throw new QueryError("NOT_FOUND", `Target query not found: ${queryId}`);
      }
      if (context.access()?.canKillQueryOf(user, query.session.user) === false) {
        throw accessDenied("Cannot kill query");
      }
      if (query.done) {
        throw new QueryError("NOT_SUPPORTED", `Target query is not running: ${queryId}`);
      }
      query.fail(killed(message));
    },
  };
}

function runtimeTask(task: StageTask, user: string): RuntimeTask {
  const sum: TaskCounters = task.counters ?? noSums;
  const id = parseTaskId(task.taskId);
  const queryId = id?.queryId ?? "";
  return {
    user,
    nodeId: task.nodeId,
    taskId: task.taskId,
    stageId: `${queryId}.${id?.stageId ?? 0}`,
    queryId,
    state: task.state,
    splits: sum.totalDrivers,
    queuedSplits: sum.queuedDrivers,
    runningSplits: sum.runningDrivers,
    completedSplits: sum.completedDrivers,
    splitScheduledTimeMs: millis(sum.scheduledNanos),
    splitCpuTimeMs: millis(sum.cpuNanos),
    splitBlockedTimeMs: millis(sum.blockedNanos),
    rawInputBytes: sum.rawInputBytes,
    rawInputRows: sum.rawInputPositions,
    processedInputBytes: sum.processedInputBytes,
    processedInputRows: sum.processedInputPositions,
    outputBytes: sum.outputBytes,
    outputRows: sum.outputPositions,
    physicalWrittenBytes: 0,
    ...(sum.createMillis === undefined ? {} : { created: sum.createMillis }),
    ...(sum.startMillis === undefined ? {} : { start: sum.startMillis }),
    ...(sum.endMillis === undefined ? {} : { end: sum.endMillis }),
  };
}
