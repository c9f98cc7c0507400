/** From the statistics of a task in this process to the sums that stages and queries are made of. */
import type { TaskStatsSnapshot } from "../../execution/task/api.ts";
import type { TaskCounters } from "../scheduler/stage-task.ts";

export function countersOf(stats: TaskStatsSnapshot): TaskCounters {
  return {
    totalDrivers: stats.totalDrivers,
    queuedDrivers: stats.queuedDrivers,
    runningDrivers: stats.runningDrivers + stats.blockedDrivers,
    completedDrivers: stats.completedDrivers,
    memoryBytes: stats.memoryReservationBytes,
    peakMemoryBytes: stats.peakMemoryBytes,
    scheduledNanos: stats.scheduledNanos,
    cpuNanos: stats.cpuNanos,
    blockedNanos: stats.blockedNanos,
    physicalInputBytes: stats.physicalInputBytes,
    rawInputBytes: stats.rawInputBytes,
    rawInputPositions: stats.rawInputPositions,
    processedInputBytes: stats.processedInputBytes,
    processedInputPositions: stats.processedInputPositions,
    outputBytes: stats.outputBytes,
    outputPositions: stats.outputPositions,
    spilledBytes: stats.spilledBytes,
    createMillis: stats.createMillis,
    ...(stats.startMillis === undefined ? {} : { startMillis: stats.startMillis }),
    ...(stats.endMillis === undefined ? {} : { endMillis: stats.endMillis }),
  };
}
