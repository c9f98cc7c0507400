/**
 * Builds the documents of the task resource from the statistics of an execution.
 */
import type { DriverTimes, OperatorStatsSnapshot, PipelineStatsSnapshot, TaskExecution, TaskStatsSnapshot } from "../execution/task/api.ts";
import { operatorMembers, pipelineMembers, statusMembers, taskMembers } from "../protocol/documents/counter-documents.ts";
import { failureDocument } from "../protocol/documents/fields.ts";
import type {
  DriverDocument,
  OperatorSummary,
  PipelineDocument,
  TaskDocument,
  TaskStatsDocument,
  TaskStatusDocument,
} from "../protocol/documents/task.ts";
import { formatTimestamp } from "../protocol/timestamp.ts";
import { formatDuration } from "../protocol/units.ts";
import { distribution } from "./distribution.ts";

/** Content of the documents that does not come from the execution. */
export interface TaskFacts {
  readonly nodeId: string;
  readonly taskInstanceId: string;
  /** `http://host:port/v1/task/{taskId}` */
  readonly self: string;
  readonly lastHeartbeatMillis: number;
}

export function taskDocument(execution: TaskExecution, facts: TaskFacts): TaskDocument {
  const stats = execution.stats();
  const output = execution.outputBuffer;
  return {
    taskId: execution.taskId,
    taskInstanceId: facts.taskInstanceId,
    nodeId: facts.nodeId,
    version: execution.version,
    state: execution.state,
    self: facts.self,
    lastHeartbeat: formatTimestamp(facts.lastHeartbeatMillis),
    outputBuffers: {
      state: output.state,
      // The set of buffers is fixed when the task is created, so its sequence never changes.
      masterSequenceId: 0,
      pagesAdded: output.pagesAdded,
      totalBufferedBytes: output.bufferedBytes,
      buffers: output.buffers.map((buffer) => ({ ...buffer })),
    },
    noMoreSplits: [...execution.noMoreSplits],
    stats: statsDocument(stats, execution),
    failures: execution.failures.map((failure) => failureDocument(failure)),
    outputs: {},
    needsPlan: false,
    taskStatus: statusOf(execution, stats, facts),
  };
}

export function taskStatusDocument(execution: TaskExecution, facts: TaskFacts): TaskStatusDocument {
  return statusOf(execution, execution.stats(), facts);
}

function statusOf(execution: TaskExecution, stats: TaskStatsSnapshot, facts: TaskFacts): TaskStatusDocument {
  return {
    taskId: execution.taskId,
    taskInstanceId: facts.taskInstanceId,
    version: execution.version,
    state: execution.state,
    self: facts.self,
    nodeId: facts.nodeId,
    failures: execution.failures.map((failure) => failureDocument(failure)),
    outputBufferState: execution.outputBuffer.state,
    ...statusMembers(stats),
    ...(execution.waitsForMemory ? { blockedReasons: ["WAITING_FOR_MEMORY" as const] } : {}),
    ...(execution.dynamicFilters === undefined ? {} : { dynamicFilters: execution.dynamicFilters }),
    ...(execution.warnings.length === 0 ? {} : { warnings: [...execution.warnings] }),
  };
}

function statsDocument(stats: TaskStatsSnapshot, execution: TaskExecution): TaskStatsDocument {
  const drivers = execution.driverTimes();
  return {
    createTime: formatTimestamp(stats.createMillis),
    ...(stats.startMillis === undefined ? {} : { startTime: formatTimestamp(stats.startMillis) }),
    ...(stats.endMillis === undefined ? {} : { endTime: formatTimestamp(stats.endMillis) }),
    elapsedTime: formatDuration(stats.elapsedNanos),
    queuedTime: formatDuration(stats.queuedNanos),
    ...taskMembers(stats),
    pipelines: stats.pipelines.map((pipeline, index) => {
      const times = (drivers[index] ?? []).map((driver) => driverDocument(driver, `${execution.taskId}.${index}.${driver.ordinal}`));
      return pipelineDocument(pipeline, times);
    }),
  };
}

function driverDocument(driver: DriverTimes, driverId: string): DriverDocument {
  const { blockedNanos, cpuNanos, createMillis, endMillis, rawInputPositions, scheduledNanos, startMillis } = driver;
  return {
    driverId,
    createTime: formatTimestamp(createMillis),
    ...(startMillis === undefined ? {} : { startTime: formatTimestamp(startMillis) }),
    ...(endMillis === undefined ? {} : { endTime: formatTimestamp(endMillis) }),
    ...(rawInputPositions === undefined ? {} : { rawInputPositions }),
    ...(scheduledNanos === undefined ? {} : { totalScheduledTime: formatDuration(scheduledNanos) }),
    ...(cpuNanos === undefined ? {} : { totalCpuTime: formatDuration(cpuNanos) }),
    ...(blockedNanos === undefined ? {} : { totalBlockedTime: formatDuration(blockedNanos) }),
  };
}

function pipelineDocument(pipeline: PipelineStatsSnapshot, drivers: DriverDocument[]): PipelineDocument {
  return {
    inputPipeline: pipeline.inputPipeline,
    outputPipeline: pipeline.outputPipeline,
    ...pipelineMembers(pipeline),
    queuedTime: distribution(pipeline.queuedNanosSamples),
    elapsedTime: distribution(pipeline.elapsedNanosSamples),
    operatorSummaries: pipeline.operators.map(operatorDocument),
    drivers,
  };
}

function operatorDocument(operator: OperatorStatsSnapshot): OperatorSummary {
  return {
    operatorId: operator.operatorId,
    planNodeId: operator.planNodeId,
    operatorType: operator.operatorType,
    ...operatorMembers(operator),
    ...(operator.info === undefined ? {} : { info: exchangeInfo(operator.info) }),
  };
}

function exchangeInfo(info: NonNullable<OperatorStatsSnapshot["info"]>): NonNullable<OperatorSummary["info"]> {
  return {
    "@type": "exchangeClientStatus",
    bufferedBytes: info.bufferedBytes,
    averageBytesPerRequest: Math.round(info.averageBytesPerRequest),
    bufferedPages: info.bufferedPages,
    pageBufferClientStatuses: info.clients.map(({ lastUpdateMillis, ...client }) => ({
      ...client,
      lastUpdate: formatTimestamp(lastUpdateMillis),
    })),
  };
}
