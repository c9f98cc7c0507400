/**
 * Statistics for clients: of a statement response, a stage, a query. Computed from the latest task reports, so they are up to date while
 * the query runs. Splits, rows and times map as in Presto (a split is a driver; wall time is scheduled time).
 */
import { addSums, type CounterSums, noSums, ofQuery } from "../../protocol/counter-sums.ts";
import { statementCounters, type StatementCounters, statementMembers } from "../../protocol/documents/counter-documents.ts";
import type { QueryState, StageStatsDocument, StatementStats } from "../../protocol/documents/statement.ts";
import type { QueryExecution } from "./query-execution.ts";
import type { Routed } from "../routing/routed.ts";
import type { Stage } from "../scheduler/stage.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import type { StageTask } from "../scheduler/stage-task.ts";

type Counters = Pick<StageStatsDocument, "nodes" | keyof StatementCounters>;

export interface QueryTotals {
  readonly all: CounterSums;
  /** Sum over the stages that scan tables. */
  readonly input: CounterSums;
  /** Counters of stage 0. */
  readonly output: CounterSums;
  readonly totalTasks: number;
  readonly runningTasks: number;
  readonly completedTasks: number;
}

export function queryTotals(execution: QueryExecution | undefined): QueryTotals {
  if (execution === undefined) {
    return { all: noSums, input: noSums, output: noSums, totalTasks: 0, runningTasks: 0, completedTasks: 0 };
  }
  return totalsOf(execution, sumsByStage(execution));
}

interface Executed {
  readonly execution: QueryExecution | undefined;
  readonly formerExecutions: readonly QueryExecution[];
  /** Defined if another cluster runs the query. */
  readonly routed?: Routed | undefined;
}

/** Of the attempt that runs, here or on another cluster. The peak of the memory is that of all attempts. */
export function totalsOfQuery({ execution, formerExecutions, routed }: Executed): QueryTotals {
  if (routed !== undefined) {
    return routedTotals(routed);
  }
  return withPeak(queryTotals(execution), formerExecutions);
}

/** As far as the cluster tells. */
function routedTotals({ byteCount, rowCount, stats }: Routed): QueryTotals {
  const known = (value: number | bigint | undefined): number => Number(value ?? 0);
  const sums: CounterSums =
    stats === undefined
      ? noSums
      : {
          ...noSums,
          ...statementCounters(stats),
          physicalInputBytes: known(stats.physicalInputBytes),
          peakMemoryBytes: known(stats.peakMemoryBytes),
          spilledBytes: known(stats.spilledBytes),
        };
  const output = { ...noSums, outputPositions: rowCount, outputBytes: byteCount };
  return { all: sums, input: sums, output, totalTasks: 0, runningTasks: 0, completedTasks: 0 };
}

function withPeak(totals: QueryTotals, former: readonly QueryExecution[]): QueryTotals {
  if (former.length === 0) {
    return totals;
  }
  const peaks = former.map((execution) => queryTotals(execution).all.peakMemoryBytes);
  return { ...totals, all: { ...totals.all, peakMemoryBytes: Math.max(totals.all.peakMemoryBytes, ...peaks) } };
}

/** The sum over each stage, so that all statistics of a document are of one moment. */
function sumsByStage(execution: QueryExecution | undefined): ReadonlyMap<Stage, CounterSums> {
  return new Map((execution?.stages ?? []).map((stage) => [stage, sumsOfStage(stage)]));
}

/** A stage that is over holds no memory, although the last report of a task that was lost or canceled may be of a time when it did. */
export function sumsOfStage({ counters, done }: Stage): CounterSums {
  return done ? { ...counters, memoryReservationBytes: 0, systemMemoryBytes: 0 } : counters;
}

function totalsOf(execution: QueryExecution, sums: ReadonlyMap<Stage, CounterSums>): QueryTotals {
  const scanning = execution.stages.filter((stage) => stage.fragment.scanIds.length > 0);
  return {
    all: sumOf([...sums.values()]),
    input: sumOf(scanning.map((stage) => sums.get(stage) ?? noSums)),
    output: sums.get(execution.root) ?? noSums,
    ...taskCounts(execution.stages.flatMap((stage) => stage.tasks)),
  };
}

/** Most queries that end at once have a single stage. */
function sumOf(stages: readonly CounterSums[]): CounterSums {
  return stages.length === 1 ? (stages[0] as CounterSums) : addSums(stages);
}

export function taskCounts(tasks: readonly StageTask[]): Pick<QueryTotals, "totalTasks" | "runningTasks" | "completedTasks"> {
  return {
    totalTasks: tasks.length,
    runningTasks: tasks.filter((task) => task.state === "RUNNING" || task.state === "FLUSHING").length,
    completedTasks: tasks.filter((task) => isEndedTask(task.state)).length,
  };
}

/** What the statistics of a statement are made of. */
export interface MeasuredQuery extends Executed {
  readonly state: QueryState;
  readonly queuedNanos: number;
  readonly elapsedNanos: number;
}

export function statementStatistics(query: MeasuredQuery): StatementStats {
  const { execution, formerExecutions, routed } = query;
  const times = { queuedTimeMillis: millis(query.queuedNanos), elapsedTimeMillis: millis(query.elapsedNanos) };
  if (routed !== undefined) {
    const stats = routed.stats ?? { ...queuedStatistics, peakMemoryBytes: routed.peakBytes };
    return { ...stats, state: query.state, queued: false, ...times };
  }
  const sums = sumsByStage(execution);
  const totals = execution === undefined ? queryTotals(undefined) : withPeak(totalsOf(execution, sums), formerExecutions);
  const scheduled = isScheduled(execution);
  const tasks = execution?.stages.flatMap((stage) => stage.tasks) ?? [];
  return {
    state: query.state,
    queued: query.state === "QUEUED",
    scheduled,
    ...counters(tasks, ofQuery(totals)),
    ...times,
    physicalInputBytes: totals.all.physicalInputBytes,
    peakMemoryBytes: totals.all.peakMemoryBytes,
    spilledBytes: totals.all.spilledBytes,
    ...progress(scheduled, totals.all),
    ...(execution === undefined ? {} : { rootStage: stageStatistics(execution, execution.root, sums) }),
  };
}

/** Statistics of a query that was just submitted. */
export const queuedStatistics: StatementStats = Object.freeze({
  state: "QUEUED",
  queued: true,
  scheduled: false,
  ...counters([], noSums),
  queuedTimeMillis: 0,
  elapsedTimeMillis: 0,
  physicalInputBytes: 0,
  peakMemoryBytes: 0,
  spilledBytes: 0,
});

/** True when every stage has been scheduled. */
function isScheduled(execution: QueryExecution | undefined): boolean {
  return execution?.stages.every((stage) => stage.state === "RUNNING" || stage.done) ?? false;
}

/** As the query begins to run. Another cluster may tell of its stages when they have run. */
export function initialStatistics(query: MeasuredQuery): StatementStats {
  const stats = statementStatistics(query);
  const { rootStage, state, queuedTimeMillis, elapsedTimeMillis } = stats;
  return query.routed === undefined
    ? stats
    : {
        ...queuedStatistics,
        state,
        queued: false,
        queuedTimeMillis,
        elapsedTimeMillis,
        ...(rootStage !== undefined && { rootStage: begunStage(rootStage) }),
      };
}

function begunStage({ stageId, subStages }: StageStatsDocument): StageStatsDocument {
  return { stageId, state: "SCHEDULED", done: false, ...counters([], noSums), subStages: subStages.map(begunStage) };
}

/** True when every stage has been scheduled, here or on another cluster. */
export function isQueryScheduled({ execution, routed }: Executed): boolean {
  return routed === undefined ? isScheduled(execution) : (routed.stats?.scheduled ?? false);
}

/** `sums`: of the query. As in Presto, a query without drivers has no progress. */
export function progress(scheduled: boolean, { completedDrivers, totalDrivers }: CounterSums): { readonly progressPercentage?: number } {
  return scheduled && totalDrivers > 0 ? { progressPercentage: Math.min(100, (100 * completedDrivers) / totalDrivers) } : {};
}

function stageStatistics(execution: QueryExecution, stage: Stage, sums: ReadonlyMap<Stage, CounterSums>): StageStatsDocument {
  return {
    stageId: String(stage.fragment.id),
    state: stage.state,
    done: stage.done,
    ...counters(stage.tasks, sums.get(stage) ?? noSums),
    subStages: execution.subStagesOf(stage).map((child) => stageStatistics(execution, child, sums)),
  };
}

function counters(tasks: readonly StageTask[], sums: CounterSums): Counters {
  return {
    nodes: new Set(tasks.filter((task) => task.hasCounters).map((task) => task.nodeUri)).size,
    ...statementMembers(sums),
  };
}

export function millis(nanos: number): number {
  return Math.floor(nanos / 1e6);
}
