/**
 * Converts the statistics of an in-process task to the counters that stages and queries sum up.
 */
import type { TaskStatsSnapshot } from "../../execution/task/api.ts";
import { sumsOfTask } from "../../protocol/counter-sums.ts";
import type { TaskCounters } from "../scheduler/stage-task.ts";

export function countersOf(stats: TaskStatsSnapshot): TaskCounters {
  return {
    ...sumsOfTask(stats),
    blockedDrivers: stats.blockedDrivers,
    createMillis: stats.createMillis,
    ...(stats.startMillis === undefined ? {} : { startMillis: stats.startMillis }),
    ...(stats.endMillis === undefined ? {} : { endMillis: stats.endMillis }),
  };
}
