/**
 * Documents of the task resource: the task object (the interface, sections 2.4 and 2.5), its short form for long polls, and the update that
 * creates a task. Members beyond the interface are Presto's.
 */
import * as z from "zod";
import { checked, compiledReader } from "./checked.ts";
import { operatorShape, pipelineShape, statusShape, taskShape } from "./counter-documents.ts";
import { count, duration, failure, int64, timestamp } from "./fields.ts";
import type { HttpRequest } from "../../ports/network.ts";
import { firstHeader } from "../http/headers.ts";
import type { Schema } from "../http/http.ts";
import { warningSchema } from "./warnings.ts";

export const taskStates = ["PLANNED", "RUNNING", "FLUSHING", "FINISHED", "CANCELED", "ABORTED", "FAILED"] as const;
const bufferStates = ["OPEN", "NO_MORE_BUFFERS", "NO_MORE_PAGES", "FLUSHING", "FINISHED", "FAILED"] as const;
const pageBufferClientStates = ["queued", "scheduled", "running", "completed", "closed"] as const;

/** Status of an update addressed to another incarnation of the node, which has no record of the task. */
export const otherIncarnationStatus = 412;

/**
 * In a request for the results of a task, or for their end, by a reader to which the task has never answered: its coordinator creates the
 * task while it creates the reader. If the node does not have the task yet, the request waits for it, and is then answered with 503.
 */
export const promisedTaskHeader = "x-engine-task-promised";

/**
 * In an update of a task, by a coordinator that needs only the status of the task for an answer, not its document. Its value is `status`.
 * Older workers ignore it.
 */
export const taskAnswerHeader = "x-engine-task-answer";

/**
 * In a request for the results of a task that was run again, by a reader that has the pages below its token from a former run: the digest
 * of those pages (page/pages-digest.ts). The task makes them again, gives none of them out, and fails if they are others.
 */
export const pagesDigestHeader = "x-engine-pages-digest";

/**
 * In a request for the results of a task, by a task that is run again when it is lost: its number. Of the runs of a reader the one with the
 * highest number reads; one that was silent and goes on takes no pages from it. Older builds do not send it.
 */
export const readerHeader = "x-engine-reader";

/** Whether the answer to a request is the status of a task in place of its document. */
export function asksForTaskStatus({ headers, method }: Pick<HttpRequest, "headers" | "method">): boolean {
  return method === "POST" && firstHeader(headers, taskAnswerHeader) === "status";
}

/** Media type of task results: page frames. */
export const pagesMediaType = "application/x-engine-pages";

export const distributionSchema = z.object({
  maxError: z.number(),
  count: z.number(),
  total: z.number(),
  p01: z.number(),
  p05: z.number(),
  p10: z.number(),
  p25: z.number(),
  p50: z.number(),
  p75: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  min: z.number(),
  max: z.number(),
});
export type DistributionDocument = z.infer<typeof distributionSchema>;

const exchangeInfoSchema = z.object({
  "@type": z.string().optional(),
  bufferedBytes: count,
  averageBytesPerRequest: count,
  bufferedPages: count,
  pageBufferClientStatuses: z.array(
    z.object({
      uri: z.string(),
      state: z.enum(pageBufferClientStates),
      lastUpdate: timestamp,
      pagesReceived: count,
      requestsScheduled: count,
      requestsCompleted: count,
      requestsFailed: count.optional(),
      httpRequestState: z.string(),
    }),
  ),
});

export const operatorSummarySchema = z.object({
  operatorId: count,
  planNodeId: z.string().optional(),
  operatorType: z.string(),
  ...operatorShape,
  info: exchangeInfoSchema.optional(),
});
export type OperatorSummary = z.infer<typeof operatorSummarySchema>;

/** Presto's DriverStats, as far as they are known. A driver of a scan is a split. */
const driverSchema = z.object({
  driverId: z.string(),
  createTime: timestamp,
  /** Absent while the driver has not started. */
  startTime: timestamp.optional(),
  endTime: timestamp.optional(),
  rawInputPositions: count.optional(),
  /** Absent for a split: its pipeline has the times of all. */
  totalScheduledTime: duration.optional(),
  totalCpuTime: duration.optional(),
  totalBlockedTime: duration.optional(),
});
export type DriverDocument = z.infer<typeof driverSchema>;

const pipelineStatsSchema = z.object({
  inputPipeline: z.boolean(),
  outputPipeline: z.boolean(),
  ...pipelineShape,
  queuedTime: distributionSchema,
  elapsedTime: distributionSchema,
  operatorSummaries: z.array(operatorSummarySchema),
  drivers: z.array(driverSchema),
});
export type PipelineDocument = z.infer<typeof pipelineStatsSchema>;

const taskStatsSchema = z.object({
  createTime: timestamp,
  startTime: timestamp.optional(),
  endTime: timestamp.optional(),
  elapsedTime: duration,
  queuedTime: duration,
  ...taskShape,
  pipelines: z.array(pipelineStatsSchema),
});
export type TaskStatsDocument = z.infer<typeof taskStatsSchema>;

const outputBuffersSchema = z.object({
  state: z.enum(bufferStates),
  masterSequenceId: int64,
  pagesAdded: count,
  totalBufferedBytes: count.optional(),
  buffers: z.array(z.object({ bufferId: z.string(), finished: z.boolean(), bufferedPages: count, pagesSent: count })),
});

/**
 * Domain of the keys of a build side. Integers are digits, decimals are unscaled digits, dates are days. Both bounds are inclusive.
 * `values` is ascending and present if there are few. `bits` tells which integers of the range there are
 * (execution/dynamic-filter/integer-bits.ts). `parts` are sets whose union it is, each as long as `low` to `high` of its own. Older builds
 * ignore both and take the range. NONE: there is no key except NULL. ALL: nothing is known.
 */
const digits = z.string().regex(/^-?\d{1,20}$/);
const filterDomainSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ALL") }),
  z.object({ kind: z.literal("NONE") }),
  z.object({
    kind: z.literal("INTEGERS"),
    low: digits,
    high: digits,
    values: z.array(digits).optional(),
    bits: z.string().optional(),
    parts: z.array(z.object({ low: digits, high: digits, bits: z.string() })).optional(),
  }),
  z.object({ kind: z.literal("TEXTS"), values: z.array(z.string()) }),
]);
export type FilterDomainDocument = z.infer<typeof filterDomainSchema>;
const filterDomainsSchema = z.record(z.string(), filterDomainSchema);

/** Short form for long polls. Its counters are exact numbers, so that a coordinator can add them up. */
export const taskStatusSchema = z.object({
  taskId: z.string(),
  /** A changed value means that the worker was restarted and the task is lost. */
  taskInstanceId: z.string(),
  version: int64,
  state: z.enum(taskStates),
  self: z.string(),
  nodeId: z.string(),
  failures: z.array(failure),
  outputBufferState: z.enum(bufferStates),
  ...statusShape,
  /** Remote dynamic filters by id: key domains of the build sides completed so far, for scans in other tasks. */
  /** Absent if no driver waits for memory. Others are blocked without a reason. */
  blockedReasons: z.array(z.literal("WAITING_FOR_MEMORY")).optional(),
  dynamicFilters: filterDomainsSchema.optional(),
  /** Data that the task's scans had to skip; absent if there is none. */
  warnings: z.array(warningSchema).optional(),
});
export type TaskStatusDocument = z.infer<typeof taskStatusSchema>;
export const taskStatusReader: Schema<TaskStatusDocument> = checked(taskStatusSchema);

export const taskInfoSchema = z.object({
  taskId: z.string(),
  taskInstanceId: z.string().optional(),
  nodeId: z.string().optional(),
  version: int64,
  state: z.enum(taskStates),
  self: z.string(),
  lastHeartbeat: timestamp,
  outputBuffers: outputBuffersSchema,
  noMoreSplits: z.array(z.string()),
  stats: taskStatsSchema,
  failures: z.array(failure),
  outputs: z.record(z.string(), z.unknown()),
  /** True until a fragment has arrived. */
  needsPlan: z.boolean().optional(),
  /** The short form, so that the response to an update also serves as a status. */
  taskStatus: taskStatusSchema.optional(),
});
export type TaskDocument = z.infer<typeof taskInfoSchema>;
export const taskInfoReader: Schema<TaskDocument> = checked(taskInfoSchema);

export const taskListSchema = z.array(taskInfoSchema);

const sessionFactsSchema = z.object({
  user: z.string(),
  catalog: z.string().optional(),
  schema: z.string().optional(),
  timeZone: z.string(),
  startMillis: z.int(),
  properties: z.record(z.string(), z.string()),
  /** The traceparent header of the requests that the task sends. */
  traceParent: z.string().optional(),
});

/** Opaque here: only the execution knows the structure of a fragment. The schema checks the members that every fragment must have. */
const fragmentSchema = z.looseObject({
  id: count,
  root: z.looseObject({ kind: z.string() }),
  partitioning: z.enum(["COORDINATOR", "SINGLE", "SOURCE", "HASH"]),
  scanIds: z.array(z.string()),
  outputTypes: z.array(z.looseObject({ kind: z.string() })),
  outputPartitioning: z.looseObject({ kind: z.string() }),
});

const taskSplitSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("connector"),
    catalog: z.string(),
    split: z.object({ payload: z.json(), nodes: z.array(z.string()).optional(), rows: z.number().optional() }),
  }),
  z.object({ kind: z.literal("remote"), location: z.string(), fragmentId: count }),
]);

const outputBuffersDescriptorSchema = z.union([
  z.object({ kind: z.enum(["PARTITIONED", "BROADCAST"]), bufferCount: z.int().positive() }),
  z
    .object({ kind: z.literal("SHARED"), bufferCount: z.int().positive(), readerCount: z.int().min(2) })
    .refine(({ bufferCount, readerCount }) => bufferCount % readerCount === 0, "each reader has as many buffers"),
]);

/** Body of POST /v1/task/{taskId}. The first update carries the fragment; later ones may repeat it. */
export const taskUpdateRequestSchema = z.object({
  session: sessionFactsSchema,
  fragment: fragmentSchema.optional(),
  sources: z.array(
    z.object({
      planNodeId: z.string(),
      splits: z.array(z.object({ sequenceId: count, split: taskSplitSchema })),
      noMoreSplits: z.boolean(),
    }),
  ),
  outputIds: outputBuffersDescriptorSchema,
  /** Domains by id, merged over all tasks of a join, for the scans that wait for them. The name is Trino's. */
  dynamicFilterDomains: filterDomainsSchema.optional(),
  /**
   * Place of the task among the tasks of its stage, in the creation of a task whose number differs from it: of a query that runs again.
   * Older workers ignore it; random draws and unique row ids are then others than in the first attempt.
   */
  partition: count.optional(),
  /** Present if tasks of the query are run again one by one when they are lost. Older workers ignore it: the query is then run again. */
  retryPolicy: z.literal("TASK").optional(),
  /** Sources of exchanges that were run again elsewhere, in this order. A source that the task does not read has no effect. */
  replacedSources: z.array(z.object({ planNodeId: z.string(), from: z.string(), to: z.string() })).optional(),
  extra: z.record(z.string(), z.json()).optional(),
});
export const taskUpdateReader: Schema<z.infer<typeof taskUpdateRequestSchema>> = compiledReader(taskUpdateRequestSchema);

export type TaskUpdateRequest = z.infer<typeof taskUpdateRequestSchema>;

const distributionExample: DistributionDocument = {
  maxError: 0,
  count: 1,
  total: 1041280,
  p01: 1041280,
  p05: 1041280,
  p10: 1041280,
  p25: 1041280,
  p50: 1041280,
  p75: 1041280,
  p90: 1041280,
  p95: 1041280,
  p99: 1041280,
  min: 1041280,
  max: 1041280,
};

const driversExample = { totalDrivers: 1, queuedDrivers: 0, runningDrivers: 0, completedDrivers: 1, memoryReservation: "0B" };
const timesExample = { totalScheduledTime: "1.04ms", totalCpuTime: "0.90ms", totalBlockedTime: "1.32m" };
const inputOutputExample = {
  rawInputDataSize: "174.76kB",
  rawInputPositions: 16384,
  processedInputDataSize: "174.76kB",
  processedInputPositions: 16384,
  outputDataSize: "174.76kB",
  outputPositions: 16384,
};

const operatorExample: OperatorSummary = {
  operatorId: 0,
  operatorType: "ExchangeOperator",
  addInputCalls: 0,
  addInputWall: "0.00ns",
  addInputCpu: "0.00ns",
  addInputUser: "0.00ns",
  inputDataSize: "174.76kB",
  inputPositions: 16384,
  getOutputCalls: 2,
  getOutputWall: "1.04ms",
  getOutputCpu: "0.90ms",
  getOutputUser: "0.90ms",
  outputDataSize: "174.76kB",
  outputPositions: 16384,
  blockedWall: "1.32m",
  finishCalls: 0,
  finishWall: "0.00ns",
  finishCpu: "0.00ns",
  finishUser: "0.00ns",
  memoryReservation: "0B",
  info: {
    bufferedBytes: 0,
    averageBytesPerRequest: 0,
    bufferedPages: 0,
    pageBufferClientStatuses: [
      {
        uri: "http://127.0.0.1:8081/v1/task/20140115_170528_00004_dk5x2.2.0/results/0",
        state: "closed",
        lastUpdate: "2014-01-15T17:05:28.400Z",
        pagesReceived: 1,
        requestsScheduled: 3,
        requestsCompleted: 3,
        httpRequestState: "queued",
      },
    ],
  },
};

export const taskStatusExample: TaskStatusDocument = {
  taskId: "20140115_170528_00004_dk5x2.1.0",
  taskInstanceId: "0123456789abcdef",
  version: 7,
  state: "FINISHED",
  self: "http://127.0.0.1:8081/v1/task/20140115_170528_00004_dk5x2.1.0",
  nodeId: "worker-1",
  failures: [],
  outputBufferState: "FINISHED",
  memoryReservationBytes: 0,
  totalDrivers: 1,
  queuedDrivers: 0,
  runningDrivers: 0,
  blockedDrivers: 0,
  completedDrivers: 1,
  cpuTimeNanos: 900_000,
  scheduledTimeNanos: 1_041_280,
  rawInputPositions: 16384,
  rawInputBytes: 178954,
  outputPositions: 16384,
  outputBytes: 178954,
};

export const taskInfoExample: TaskDocument = {
  taskId: "20140115_170528_00004_dk5x2.1.0",
  version: 42,
  state: "FINISHED",
  self: "http://127.0.0.1:8081/v1/task/20140115_170528_00004_dk5x2.1.0",
  lastHeartbeat: "2014-01-15T17:06:49.000Z",
  outputBuffers: {
    state: "FINISHED",
    masterSequenceId: 0,
    pagesAdded: 1,
    buffers: [{ bufferId: "0", finished: true, bufferedPages: 0, pagesSent: 1 }],
  },
  noMoreSplits: ["8"],
  stats: {
    createTime: "2014-01-15T17:05:28.300Z",
    startTime: "2014-01-15T17:05:28.301Z",
    endTime: "2014-01-15T17:06:48.900Z",
    elapsedTime: "1.34m",
    queuedTime: "1.04ms",
    ...driversExample,
    ...timesExample,
    ...inputOutputExample,
    pipelines: [
      {
        inputPipeline: true,
        outputPipeline: true,
        ...driversExample,
        queuedTime: distributionExample,
        elapsedTime: distributionExample,
        ...timesExample,
        ...inputOutputExample,
        operatorSummaries: [operatorExample],
        drivers: [
          {
            driverId: "20140115_170528_00004_dk5x2.1.0.0.0",
            createTime: "2014-01-15T17:05:28.300Z",
            startTime: "2014-01-15T17:05:28.301Z",
            endTime: "2014-01-15T17:06:48.900Z",
            ...timesExample,
          },
        ],
      },
    ],
  },
  failures: [],
  outputs: {},
};

export const taskUpdateRequestExample: TaskUpdateRequest = {
  session: { user: "ada", catalog: "tpch", schema: "tiny", timeZone: "UTC", startMillis: 1389805528300, properties: {} },
  sources: [
    {
      planNodeId: "3",
      splits: [{ sequenceId: 0, split: { kind: "connector", catalog: "tpch", split: { payload: { part: 0, parts: 4 }, rows: 1500 } } }],
      noMoreSplits: false,
    },
  ],
  outputIds: { kind: "PARTITIONED", bufferCount: 2 },
};
