/** The counters of a pipeline and of its operators at a moment, in plain numbers. */
import type { OperatorStatsSnapshot, PipelineStatsSnapshot } from "../task/api.ts";
import type { Driver } from "./driver.ts";
import type { Operator, SourceOperator } from "../operators/operator.ts";
import type { OperatorStats } from "./stats.ts";

interface DriverCounts {
  readonly total: number;
  readonly queued: number;
  readonly running: number;
  readonly blocked: number;
  readonly completed: number;
}

/** Drivers of the pipeline that are completed; over a table scan these are splits that have been read. */
export function completedDrivers({ ended, operators }: Driver, splitsTotal: number | undefined): number {
  if (splitsTotal === undefined) {
    return Number(ended);
  }
  return ended ? splitsTotal : ((operators[0] as SourceOperator).splitsCompleted ?? 0);
}

/** A pipeline over a table scan counts its splits as drivers, as Presto does. Every other pipeline counts one driver. */
function driverCounts(driver: Driver, splitsTotal: number | undefined): DriverCounts {
  const source = driver.operators[0] as SourceOperator;
  const total = splitsTotal ?? 1;
  const ended = driver.ended;
  const started = driver.stats.startedNanos !== undefined;
  const completed = completedDrivers(driver, splitsTotal);
  const live = splitsTotal === undefined ? Number(started && !ended) : ended ? 0 : (source.splitsStarted ?? 0) - completed;
  const blocked = driver.state === "blocked" ? live : 0;
  return { total, queued: Math.max(0, total - completed - live), running: live - blocked, blocked, completed };
}

export function pipelineSnapshot(driver: Driver, splitsTotal: number | undefined, nowNanos: number): PipelineStatsSnapshot {
  const source = driver.operators[0] as SourceOperator;
  const counts = driverCounts(driver, splitsTotal);
  const operators = driver.operators.map((operator, index) => operatorSnapshot(operator, driver.operatorStats[index] as OperatorStats));
  const first = operators[0] as OperatorStatsSnapshot;
  const last = operators[operators.length - 1] as OperatorStatsSnapshot;
  const { stats } = driver;
  return {
    inputPipeline: driver.inputPipeline,
    outputPipeline: driver.outputPipeline,
    totalDrivers: counts.total,
    queuedDrivers: counts.queued,
    runningDrivers: counts.running,
    blockedDrivers: counts.blocked,
    completedDrivers: counts.completed,
    memoryReservationBytes: operators.reduce((sum, operator) => sum + operator.memoryReservationBytes, 0),
    queuedNanosSamples: stats.startedNanos === undefined ? [] : [stats.startedNanos - stats.createdNanos],
    elapsedNanosSamples: stats.endedNanos === undefined ? [] : [stats.endedNanos - stats.createdNanos],
    scheduledNanos: stats.scheduledNanos,
    cpuNanos: stats.cpuNanos,
    blockedNanos: stats.blockedNanos + (driver.state === "blocked" ? Math.max(0, nowNanos - driver.blockedSinceNanos) : 0),
    physicalInputBytes: splitsTotal === undefined ? 0 : source.rawInputBytes,
    rawInputBytes: driver.inputPipeline ? source.rawInputBytes : 0,
    rawInputPositions: driver.inputPipeline ? source.rawInputPositions : 0,
    processedInputBytes: driver.inputPipeline ? first.outputBytes : 0,
    processedInputPositions: driver.inputPipeline ? first.outputPositions : 0,
    outputBytes: last.outputBytes,
    outputPositions: last.outputPositions,
    operators,
  };
}

function operatorSnapshot(operator: Operator, stats: Readonly<OperatorStats>): OperatorStatsSnapshot {
  const { context } = operator;
  const { dynamicFilteredPositions } = operator as SourceOperator;
  const info = (operator as SourceOperator).exchangeInfo?.();
  const { addInput, getOutput, finish } = stats;
  return {
    operatorId: context.operatorId,
    planNodeId: context.planNodeId,
    operatorType: context.operatorType,
    blockedNanos: stats.blockedNanos,
    inputBytes: stats.inputBytes,
    inputPositions: stats.inputPositions,
    outputBytes: stats.outputBytes,
    outputPositions: stats.outputPositions,
    addInputCalls: addInput.calls,
    addInputNanos: addInput.wallNanos,
    addInputCpuNanos: addInput.cpuNanos,
    getOutputCalls: getOutput.calls,
    getOutputNanos: getOutput.wallNanos,
    getOutputCpuNanos: getOutput.cpuNanos,
    finishCalls: finish.calls,
    finishNanos: finish.wallNanos,
    finishCpuNanos: finish.cpuNanos,
    memoryReservationBytes: context.memory.reservedBytes,
    // Last: members after a spread are slow to add.
    ...(dynamicFilteredPositions === undefined ? {} : { dynamicFilteredPositions }),
    ...(info === undefined ? {} : { info }),
  };
}
