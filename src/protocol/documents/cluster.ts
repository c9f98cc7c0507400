/**
 * Documents that gateways request from a coordinator before they route queries: cluster totals (`/v1/cluster` of Presto, `/ui/api/stats` of
 * Trino), resource groups, and the query list of Trino's web interface. Sources: trino-gateway's ClusterStatsHttpMonitor, lyft's
 * presto-gateway, Presto's router.
 */
import * as z from "zod";
import { count, dataSize, duration, errorCode, errorType, timestamp } from "./fields.ts";
import { queryStates } from "./statement.ts";

/** GET /v1/cluster, GET /ui/api/stats. Gateways read the first five members as integers. */
export const clusterStatsSchema = z.object({
  runningQueries: count,
  blockedQueries: count,
  queuedQueries: count,
  activeWorkers: count,
  runningDrivers: count,
  activeCoordinators: count,
  runningTasks: count,
  totalAvailableProcessors: count,
  reservedMemory: z.number().nonnegative(),
  totalInputRows: count,
  totalInputBytes: count,
  totalCpuTimeSecs: count,
  adjustedQueueSize: count,
  /** Since the start of the coordinator, as the numbers of queries and the input below. */
  finishedQueries: count,
  failedQueries: count,
  queuedDrivers: count,
  /** Read by scans. Never falls. */
  processedRows: count,
  processedBytes: count,
  /** Memory of all active nodes, in bytes. */
  memoryCapacity: count,
  /** Mean delay of the coordinator's event loop. Absent where the platform does not measure it. */
  eventLoopDelayMillis: z.number().nonnegative().optional(),
});
export type ClusterStats = z.infer<typeof clusterStatsSchema>;

/** GET /v1/resourceGroupState/{id} */
export const resourceGroupSchema = z.object({
  id: z.array(z.string()).min(1),
  state: z.enum(["CAN_RUN", "CAN_QUEUE", "FULL"]),
  schedulingPolicy: z.string(),
  schedulingWeight: count,
  softMemoryLimit: dataSize,
  softConcurrencyLimit: count,
  hardConcurrencyLimit: count,
  maxQueuedQueries: count,
  memoryUsage: dataSize,
  cpuUsage: duration,
  hardPhysicalDataScanLimit: dataSize.optional(),
  physicalInputDataUsage: dataSize,
  numQueuedQueries: count,
  numRunningQueries: count,
  numEligibleSubGroups: count,
  /** In the same form. Readers of documents are generated, and follow no schema into itself. */
  subGroups: z.array(z.unknown()),
  runningQueries: z.array(
    z.object({ queryId: z.string(), state: z.enum(queryStates), user: z.string(), query: z.string(), createTime: timestamp }),
  ),
});
export type ResourceGroup = z.infer<typeof resourceGroupSchema>;

/** GET /ui/api/query */
export const trimmedQueryListSchema = z.array(
  z.object({
    queryId: z.string(),
    sessionUser: z.string(),
    sessionPrincipal: z.string().optional(),
    sessionSource: z.string().optional(),
    resourceGroupId: z.array(z.string()),
    state: z.enum(queryStates),
    errorType: errorType.optional(),
    errorCode: errorCode.optional(),
    scheduled: z.boolean(),
    fullyBlocked: z.boolean(),
    blockedReasons: z.array(z.string()),
    createTime: timestamp,
    endTime: timestamp.optional(),
    queuedTime: duration,
    elapsedTime: duration,
    executionTime: duration,
    totalDrivers: count,
    queuedDrivers: count,
    runningDrivers: count,
    completedDrivers: count,
    cumulativeUserMemory: z.number().nonnegative(),
    userMemoryReservation: dataSize,
    totalMemoryReservation: dataSize,
    peakUserMemoryReservation: dataSize,
    peakTotalMemoryReservation: dataSize,
    totalCpuTime: duration,
    totalScheduledTime: duration,
    rawInputDataSize: dataSize,
    progressPercentage: z.number().optional(),
    updateType: z.string().optional(),
    queryTextPreview: z.string(),
  }),
);
export type TrimmedQuery = z.infer<typeof trimmedQueryListSchema>[number];

export const clusterStatsExample: ClusterStats = {
  runningQueries: 1,
  blockedQueries: 0,
  queuedQueries: 0,
  activeWorkers: 2,
  runningDrivers: 8,
  activeCoordinators: 1,
  runningTasks: 3,
  totalAvailableProcessors: 2,
  reservedMemory: 65536,
  totalInputRows: 25,
  totalInputBytes: 2700,
  totalCpuTimeSecs: 0,
  adjustedQueueSize: 0,
  finishedQueries: 12,
  failedQueries: 1,
  queuedDrivers: 3,
  processedRows: 60175,
  processedBytes: 6498900,
  memoryCapacity: 4294967296,
  eventLoopDelayMillis: 0.41,
};

export const resourceGroupExample: ResourceGroup = {
  id: ["global"],
  state: "CAN_RUN",
  schedulingPolicy: "FAIR",
  schedulingWeight: 1,
  softMemoryLimit: "2GB",
  softConcurrencyLimit: 1000,
  hardConcurrencyLimit: 1000,
  maxQueuedQueries: 5000,
  memoryUsage: "64kB",
  cpuUsage: "0.00ns",
  physicalInputDataUsage: "0B",
  numQueuedQueries: 0,
  numRunningQueries: 1,
  numEligibleSubGroups: 0,
  subGroups: [],
  runningQueries: [
    {
      queryId: "20140206_200000_00000_dk5x2",
      state: "RUNNING",
      user: "ada",
      query: "SELECT count(*) FROM nation",
      createTime: "2014-02-06T20:00:00.000Z",
    },
  ],
};

export const trimmedQueryExample: TrimmedQuery = {
  queryId: "20140206_200000_00000_dk5x2",
  sessionUser: "ada",
  resourceGroupId: ["global"],
  state: "QUEUED",
  scheduled: false,
  fullyBlocked: false,
  blockedReasons: [],
  createTime: "2014-02-06T20:00:00.000Z",
  queuedTime: "1.00s",
  elapsedTime: "1.00s",
  executionTime: "0.00ns",
  totalDrivers: 0,
  queuedDrivers: 0,
  runningDrivers: 0,
  completedDrivers: 0,
  cumulativeUserMemory: 0,
  userMemoryReservation: "0B",
  totalMemoryReservation: "0B",
  peakUserMemoryReservation: "0B",
  peakTotalMemoryReservation: "0B",
  totalCpuTime: "0.00ns",
  totalScheduledTime: "0.00ns",
  rawInputDataSize: "0B",
  queryTextPreview: "SELECT count(*) FROM nation",
};
