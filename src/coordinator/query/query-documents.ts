/**
 * Documents of the query resource (the interface, section 2.7; what it leaves open follows Presto).
 */
import { queryMembers, stageMembers } from "../../protocol/documents/counter-documents.ts";
import type { NodeEstimate, PlanEstimates } from "../../planner/explain/plan-estimates.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { visitPlan } from "../../planner/plan/plan-tree.ts";
import { type CounterSums, ofQuery } from "../../protocol/counter-sums.ts";
import { errorOf, type FailureFacts, failureDocument } from "../../protocol/documents/fields.ts";
import type { QueryInfo, StageInfoDocument } from "../../protocol/documents/query.ts";
import { formatTimestamp } from "../../protocol/timestamp.ts";
import { formatDataSize, formatDuration } from "../../protocol/units.ts";
import { displayType } from "../../types/type.ts";
import type { Query } from "./query.ts";
import { selectedRoles, sessionDocument } from "./session-document.ts";
import type { QueryExecution } from "./query-execution.ts";
import { blockedReasons, type QueryWait } from "./query-wait.ts";
import type { Stage } from "../scheduler/stage.ts";
import { isQueryScheduled, progress, sumsOfStage, totalsOfQuery, type QueryTotals, taskCounts } from "./query-statistics.ts";

/** The engine has one memory pool. */
export const memoryPool = "general";

export interface QueryInfoOptions {
  readonly baseUri: string;
  /** Undefined for a query that has ended. */
  readonly wait: QueryWait | undefined;
}

export function queryInfo(query: Query, { baseUri, wait }: QueryInfoOptions): QueryInfo {
  const { effects, execution } = query;
  return {
    queryId: query.id,
    session: sessionDocument(query),
    state: query.state,
    memoryPool,
    scheduled: isQueryScheduled(query),
    self: selfOf(query, baseUri),
    fieldNames: query.columns?.map((column) => column.name) ?? [],
    query: query.sql,
    queryStats: queryStats(query, wait),
    outputStage: execution === undefined ? {} : stageInfo(execution, execution.root, { baseUri, estimates: query.estimates ?? new Map() }),
    ...(effects.setCatalog === undefined ? {} : { setCatalog: effects.setCatalog }),
    ...(effects.setSchema === undefined ? {} : { setSchema: effects.setSchema }),
    ...(effects.setPath === undefined ? {} : { setPath: effects.setPath }),
    ...(effects.setAuthorizationUser === undefined ? {} : { setAuthorizationUser: effects.setAuthorizationUser }),
    resetAuthorizationUser: effects.resetAuthorizationUser === true,
    setRoles: selectedRoles(effects.setRole ?? {}),
    ...(effects.startedTransactionId === undefined ? {} : { startedTransactionId: effects.startedTransactionId }),
    clearTransactionId: effects.clearTransactionId === true,
    ...(query.routed === undefined ? {} : { routedTo: { cluster: query.routed.cluster, ...query.routed.remote } }),
    resourceGroupId: [...(query.groupPath?.id ?? [])],
    inputs: [],
    setSessionProperties: { ...effects.setSession },
    resetSessionProperties: [...(effects.clearSession ?? [])],
    addedPreparedStatements: { ...effects.addedPrepare },
    deallocatedPreparedStatements: [...(effects.deallocatedPrepare ?? [])],
    ...(query.updateType === undefined ? {} : { updateType: query.updateType }),
    ...(query.failure === undefined ? {} : { failureInfo: failureDocument(query.failure, query.session.family) }),
    ...errorMembers(query.failure),
    warnings: [...query.warnings],
    completeInfo: query.done,
    ...waitMembers(wait),
  };
}

function selfOf(query: Query, baseUri: string): string {
  return `${baseUri}/v1/query/${query.id}`;
}

function queryStats(query: Query, wait: QueryWait | undefined): QueryInfo["queryStats"] {
  const totals = totalsOfQuery(query);
  const counters = countersOf(query, totals);
  const members = queryMembers(counters);
  return {
    createTime: formatTimestamp(query.createMillis),
    ...(query.executionStartMillis === undefined ? {} : { executionStartTime: formatTimestamp(query.executionStartMillis) }),
    lastHeartbeat: formatTimestamp(query.lastHeartbeatMillis),
    ...(query.endMillis === undefined ? {} : { endTime: formatTimestamp(query.endMillis) }),
    elapsedTime: formatDuration(query.elapsedNanos),
    queuedTime: formatDuration(query.queuedNanos),
    analysisTime: formatDuration(query.analysisNanos),
    totalTasks: totals.totalTasks,
    runningTasks: totals.runningTasks,
    completedTasks: totals.completedTasks,
    ...members,
    resourceWaitingTime: formatDuration(0),
    dispatchingTime: formatDuration(0),
    executionTime: formatDuration(Math.max(0, query.elapsedNanos - query.queuedNanos)),
    totalPlanningTime: formatDuration(query.analysisNanos),
    scheduled: isQueryScheduled(query),
    ...progress(isQueryScheduled(query), totals.all),
    cumulativeUserMemory: 0,
    userMemoryReservation: formatDataSize(counters.memoryReservationBytes - counters.systemMemoryBytes),
    revocableMemoryReservation: formatDataSize(0),
    peakUserMemoryReservation: members.peakMemoryReservation,
    peakTotalMemoryReservation: members.peakMemoryReservation,
    fullyBlocked: wait?.isBlocked ?? false,
    blockedReasons: blockedReasons(wait),
    physicalInputDataSize: members.rawInputDataSize,
    physicalInputPositions: members.rawInputPositions,
    physicalWrittenDataSize: formatDataSize(0),
    spilledDataSize: formatDataSize(totals.all.spilledBytes),
    operatorSummaries: [],
  };
}

interface StageInfoOptions {
  readonly baseUri: string;
  readonly estimates: PlanEstimates;
}

function stageInfo(execution: QueryExecution, stage: Stage, options: StageInfoOptions): StageInfoDocument {
  return {
    stageId: stage.stageId,
    state: stage.state,
    self: `${options.baseUri}/v1/stage/${stage.stageId}`,
    // Presto's shape: client libraries decode an object here.
    plan: {
      id: String(stage.fragment.id),
      root: stage.fragment.root,
      partitioning: { connectorHandle: { partitioning: stage.fragment.partitioning } },
      partitionedSources: stage.fragment.scanIds,
      types: stage.fragment.outputTypes.map((type) => displayType(type)),
      estimates: estimatesOf(stage.fragment, options.estimates),
    },
    types: stage.fragment.outputTypes.map((type) => displayType(type)),
    stageStats: {
      ...taskCounts(stage.tasks),
      ...stageMembers(sumsOfStage(stage)),
    },
    tasks: stage.tasks.flatMap((task) => task.document ?? []),
    subStages: execution.subStagesOf(stage).map((child) => stageInfo(execution, child, options)),
    ...(stage.failure === undefined ? {} : { failureCause: failureDocument(stage.failure) }),
  };
}

function estimatesOf({ root }: PlanFragment, estimates: PlanEstimates): Readonly<Record<string, NodeEstimate>> {
  const found: [id: string, estimate: NodeEstimate][] = [];
  visitPlan(root, ({ id }) => {
    const estimate = estimates.get(id);
    if (estimate !== undefined) {
      found.push([id, estimate]);
    }
  });
  return Object.fromEntries(found);
}

/** Of a query that has ended no memory is reserved any more. */
function countersOf(query: Query, totals: QueryTotals): CounterSums {
  const sums = ofQuery(totals);
  return query.done ? { ...sums, memoryReservationBytes: 0, systemMemoryBytes: 0 } : sums;
}

export function waitMembers(wait: QueryWait | undefined): Pick<QueryInfo, "waitReason" | "waitMessage"> {
  return wait === undefined ? {} : { waitReason: wait.reason, waitMessage: wait.message };
}

export function errorMembers(failure: Pick<FailureFacts, "errorName" | "foreign"> | undefined): Pick<QueryInfo, "errorType" | "errorCode"> {
  if (failure === undefined) {
    return {};
  }
  const error = errorOf(failure);
  return { errorType: error.type, errorCode: error };
}
