/** From the statistics of a task in this process to the sums that stages and queries are made of. */
import type { TaskStatsSnapshot } from "../../execution/task/api.ts";
import { sumsOfTask } from "../../protocol/counter-sums.ts";
import type { TaskCounters } from "../scheduler/stage-task.ts";

export function countersOf(stats: TaskStatsSnapshot): TaskCounters {
  return {
    ...sumsOfTask(stats),
    createMillis: stats.createMillis,
    ...(stats.startMillis === undefined ? {} : { startMillis: stats.startMillis }),
    ...(stats.endMillis === undefined ? {} : { endMillis: stats.endMillis }),
  };
}
