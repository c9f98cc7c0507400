/**
 * Documents of the query resource: the list element and the detail (the interface, section 2.7). Where the interface leaves members open,
 * they follow Presto.
 */
import * as z from "zod";
import { address, count, dataSize, duration, errorCode, errorType, failure, timestamp } from "./fields.ts";
import { stageShape } from "./counter-documents.ts";
import { queryStates, stageStates } from "./statement.ts";
import { warningSchema } from "./warnings.ts";
import { distributionSchema, operatorSummarySchema, type TaskDocument, taskInfoSchema } from "./task.ts";

const selectedRoleSchema = z.object({ type: z.enum(["ALL", "NONE", "ROLE"]), role: z.string().optional() });

/** What a live query waits for. NONE: it is working. */
const waitReasons = ["NONE", "ADMISSION", "WORKERS", "PLANNING", "SPLITS", "EXCHANGE", "MEMORY", "CLIENT"] as const;
export type WaitReason = (typeof waitReasons)[number];

/** Absent once the query has ended. */
const waitShape = {
  waitReason: z.enum(waitReasons).optional(),
  /** A sentence without its full stop. */
  waitMessage: z.string().optional(),
};

const querySessionSchema = z.object({
  user: z.string(),
  source: z.string().optional(),
  catalog: z.string().optional(),
  schema: z.string().optional(),
  remoteUserAddress: z.string().optional(),
  userAgent: z.string().optional(),
  /** Epoch milliseconds. */
  startTime: z.int(),
  queryId: z.string().optional(),
  principal: z.string().optional(),
  originalUser: z.string().optional(),
  timeZone: z.string().optional(),
  clientInfo: z.string().optional(),
  clientTags: z.array(z.string()).optional(),
  systemProperties: z.record(z.string(), z.string()).optional(),
  catalogProperties: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  transactionId: z.string().optional(),
  clientTransactionSupport: z.boolean().optional(),
  path: z.object({ rawPath: z.string() }).optional(),
  traceToken: z.string().optional(),
  /** Of the W3C trace that the query belongs to, 32 hexadecimal digits. */
  traceId: z.string().optional(),
  /** A number, as in Presto; its meaning is internal to each engine. */
  timeZoneKey: z.int().optional(),
  /** `en_US` */
  locale: z.string().optional(),
  clientCapabilities: z.array(z.string()).optional(),
  resourceEstimates: z
    .object({ executionTime: duration.optional(), cpuTime: duration.optional(), peakMemory: dataSize.optional() })
    .optional(),
  unprocessedCatalogProperties: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  roles: z.record(z.string(), selectedRoleSchema).optional(),
  preparedStatements: z.record(z.string(), z.string()).optional(),
});

const { totalDrivers, queuedDrivers, runningDrivers, completedDrivers, rawInputDataSize, rawInputPositions } = stageShape;
const { totalMemoryReservation, totalScheduledTime, totalCpuTime } = stageShape;

const basicQueryInfoSchema = z.object({
  queryId: z.string(),
  session: querySessionSchema,
  state: z.enum(queryStates),
  memoryPool: z.string(),
  scheduled: z.boolean(),
  self: address,
  query: z.string(),
  resourceGroupId: z.array(z.string()).optional(),
  updateType: z.string().optional(),
  queryStats: z.object({
    createTime: timestamp,
    endTime: timestamp.optional(),
    queuedTime: duration,
    elapsedTime: duration,
    executionTime: duration,
    totalDrivers,
    queuedDrivers,
    runningDrivers,
    completedDrivers,
    rawInputDataSize,
    rawInputPositions,
    /** Older builds omit it. */
    userMemoryReservation: dataSize.optional(),
    totalMemoryReservation,
    peakMemoryReservation: dataSize,
    totalScheduledTime,
    totalCpuTime,
    cumulativeMemory: z.number().nonnegative(),
    fullyBlocked: z.boolean(),
    blockedReasons: z.array(z.string()),
    progressPercentage: z.number().min(0).max(100).optional(),
  }),
  errorType: errorType.optional(),
  errorCode: errorCode.optional(),
  ...waitShape,
});
export type BasicQueryInfo = z.infer<typeof basicQueryInfoSchema>;
export const queryListSchema = z.array(basicQueryInfoSchema);

/** Members beyond the interface under the names of Presto and Trino: the data models of clients contain them. */
const morePrestoStats = {
  resourceWaitingTime: duration.optional(),
  dispatchingTime: duration.optional(),
  executionTime: duration.optional(),
  totalPlanningTime: duration.optional(),
  scheduled: z.boolean().optional(),
  progressPercentage: z.number().min(0).max(100).optional(),
  cumulativeUserMemory: z.number().nonnegative().optional(),
  userMemoryReservation: dataSize.optional(),
  revocableMemoryReservation: dataSize.optional(),
  peakUserMemoryReservation: dataSize.optional(),
  peakTotalMemoryReservation: dataSize.optional(),
  fullyBlocked: z.boolean().optional(),
  blockedReasons: z.array(z.string()).optional(),
  physicalInputDataSize: dataSize.optional(),
  physicalInputPositions: count.optional(),
  physicalWrittenDataSize: dataSize.optional(),
  spilledDataSize: dataSize.optional(),
  operatorSummaries: z.array(operatorSummarySchema).optional(),
};

const queryStatsSchema = z.object({
  createTime: timestamp,
  executionStartTime: timestamp.optional(),
  lastHeartbeat: timestamp,
  endTime: timestamp.optional(),
  elapsedTime: duration,
  queuedTime: duration,
  analysisTime: duration,
  planningTime: duration.optional(),
  finishingTime: duration.optional(),
  totalTasks: count,
  runningTasks: count,
  completedTasks: count,
  ...stageShape,
  blockedDrivers: count.optional(),
  peakMemoryReservation: dataSize.optional(),
  ...morePrestoStats,
});

const stageDetailStatsSchema = z.object({
  schedulingComplete: timestamp.optional(),
  getSplitDistribution: distributionSchema.optional(),
  totalTasks: count,
  runningTasks: count,
  completedTasks: count,
  ...stageShape,
  blockedDrivers: count.optional(),
  operatorSummaries: z.array(operatorSummarySchema).optional(),
});

export interface StageInfoDocument {
  /** `queryId.n` */
  readonly stageId: string;
  readonly state: (typeof stageStates)[number];
  readonly self: string;
  /** The fragment, as EXPLAIN text or as data. */
  readonly plan?: unknown;
  readonly types: readonly string[];
  readonly stageStats: z.infer<typeof stageDetailStatsSchema>;
  readonly tasks: readonly TaskDocument[];
  readonly subStages: readonly StageInfoDocument[];
  readonly failureCause?: z.infer<typeof failure> | undefined;
}

const stageInfoSchema: z.ZodType<StageInfoDocument> = z.lazy(() =>
  z.object({
    stageId: z.string(),
    state: z.enum(stageStates),
    self: address,
    plan: z.unknown().optional(),
    types: z.array(z.string()),
    stageStats: stageDetailStatsSchema,
    tasks: z.array(taskInfoSchema),
    subStages: z.array(stageInfoSchema),
    failureCause: failure.optional(),
  }),
);

/** An empty object if nothing has run, as for a statement that failed in analysis. */
const outputStageSchema = z.union([stageInfoSchema, z.strictObject({})]);

export const queryInfoSchema = z.object({
  queryId: z.string(),
  session: querySessionSchema,
  state: z.enum(queryStates),
  memoryPool: z.string().optional(),
  scheduled: z.boolean().optional(),
  self: address,
  fieldNames: z.array(z.string()),
  query: z.string(),
  queryStats: queryStatsSchema,
  outputStage: outputStageSchema,
  setCatalog: z.string().optional(),
  setSchema: z.string().optional(),
  setPath: z.string().optional(),
  setAuthorizationUser: z.string().optional(),
  resetAuthorizationUser: z.boolean().optional(),
  setRoles: z.record(z.string(), selectedRoleSchema).optional(),
  startedTransactionId: z.string().optional(),
  clearTransactionId: z.boolean().optional(),
  resourceGroupId: z.array(z.string()).optional(),
  inputs: z.array(z.unknown()).optional(),
  setSessionProperties: z.record(z.string(), z.string()).optional(),
  resetSessionProperties: z.array(z.string()).optional(),
  addedPreparedStatements: z.record(z.string(), z.string()).optional(),
  deallocatedPreparedStatements: z.array(z.string()).optional(),
  updateType: z.string().optional(),
  /** The cluster that runs the query for this one; the query's id and address there once they are known. */
  routedTo: z.object({ cluster: z.string(), queryId: z.string().optional(), infoUri: address.optional() }).optional(),
  failureInfo: failure.optional(),
  errorType: errorType.optional(),
  errorCode: errorCode.optional(),
  warnings: z.array(warningSchema).optional(),
  completeInfo: z.boolean().optional(),
  ...waitShape,
});
export type QueryInfo = z.infer<typeof queryInfoSchema>;

const sessionExample: z.infer<typeof querySessionSchema> = {
  user: "ada",
  source: "orrery-cli",
  catalog: "tpch",
  schema: "tiny",
  remoteUserAddress: "127.0.0.1",
  userAgent: "orrery-cli/0.1.0",
  startTime: 1391716800000,
};

const countersExample = {
  totalDrivers: 5,
  queuedDrivers: 0,
  runningDrivers: 0,
  completedDrivers: 5,
  totalScheduledTime: "2.30ms",
  totalCpuTime: "2.10ms",
  rawInputDataSize: "0B",
  rawInputPositions: 25,
};

export const basicQueryInfoExample: BasicQueryInfo = {
  queryId: "20140206_200000_00000_dk5x2",
  session: sessionExample,
  state: "FINISHED",
  memoryPool: "general",
  scheduled: true,
  self: "http://localhost:8080/v1/query/20140206_200000_00000_dk5x2",
  query: "SELECT count(*) FROM nation",
  queryStats: {
    createTime: "2014-02-06T20:00:00.000Z",
    endTime: "2014-02-06T20:00:00.012Z",
    queuedTime: "0.00ns",
    elapsedTime: "12.00ms",
    executionTime: "12.00ms",
    ...countersExample,
    cumulativeMemory: 0,
    userMemoryReservation: "0B",
    totalMemoryReservation: "0B",
    peakMemoryReservation: "64kB",
    fullyBlocked: false,
    blockedReasons: [],
    progressPercentage: 100,
  },
};

export const queryInfoExample: QueryInfo = {
  queryId: "20140206_200000_00000_dk5x2",
  session: sessionExample,
  state: "FINISHED",
  self: "http://localhost:8080/v1/query/20140206_200000_00000_dk5x2",
  fieldNames: ["_col0"],
  query: "SELECT count(*) FROM nation",
  queryStats: {
    createTime: "2014-02-06T20:00:00.000Z",
    executionStartTime: "2014-02-06T20:00:00.002Z",
    lastHeartbeat: "2014-02-06T20:00:00.010Z",
    endTime: "2014-02-06T20:00:00.012Z",
    elapsedTime: "12.00ms",
    queuedTime: "0.00ns",
    analysisTime: "1.20ms",
    totalTasks: 3,
    runningTasks: 0,
    completedTasks: 3,
    ...countersExample,
    totalMemoryReservation: "0B",
    totalBlockedTime: "0.00ns",
    processedInputDataSize: "0B",
    processedInputPositions: 25,
    outputDataSize: "9B",
    outputPositions: 1,
  },
  outputStage: {},
};
