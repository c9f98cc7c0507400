/**
 * Documents of the query resource (the interface, section 2.7; what it leaves open follows Presto).
 */
import { queryMembers, stageMembers } from "../../protocol/documents/counter-documents.ts";
import { addSums, type CounterSums, ofQuery } from "../../protocol/counter-sums.ts";
import { errorCatalogue } from "../../protocol/errors.ts";
import { failureDocument } from "../../protocol/documents/fields.ts";
import type { BasicQueryInfo, QueryInfo, StageInfoDocument } from "../../protocol/documents/query.ts";
import { formatTimestamp } from "../../protocol/timestamp.ts";
import { formatDataSize, formatDuration, parseDataSize, parseDuration } from "../../protocol/units.ts";
import { displayType } from "../../types/type.ts";
import { zoneKeyOf } from "../../types/time/zones.ts";
import type { Query } from "./query.ts";
import type { QueryExecution } from "./query-execution.ts";
import type { Stage } from "../scheduler/stage.ts";
import { isScheduled, queryTotals, type QueryTotals, taskCounts } from "./query-statistics.ts";

/** The engine has one memory pool and one resource group. */
const memoryPool = "general";
export const resourceGroupId: readonly string[] = ["global"];

export function basicQueryInfo(query: Query, baseUri: string): BasicQueryInfo {
  const totals = queryTotals(query.execution);
  const members = queryMembers(countersOf(query, totals));
  return {
    queryId: query.id,
    session: sessionDocument(query),
    state: query.state,
    memoryPool,
    scheduled: isScheduled(query.execution),
    self: selfOf(query, baseUri),
    query: query.sql,
    resourceGroupId: [...resourceGroupId],
    ...(query.updateType === undefined ? {} : { updateType: query.updateType }),
    queryStats: {
      createTime: formatTimestamp(query.createMillis),
      ...(query.endMillis === undefined ? {} : { endTime: formatTimestamp(query.endMillis) }),
      queuedTime: formatDuration(query.queuedNanos),
      elapsedTime: formatDuration(query.elapsedNanos),
      executionTime: formatDuration(Math.max(0, query.elapsedNanos - query.queuedNanos)),
      totalDrivers: members.totalDrivers,
      queuedDrivers: members.queuedDrivers,
      runningDrivers: members.runningDrivers,
      completedDrivers: members.completedDrivers,
      rawInputDataSize: members.rawInputDataSize,
      rawInputPositions: members.rawInputPositions,
      cumulativeMemory: 0,
      totalMemoryReservation: members.totalMemoryReservation,
      peakMemoryReservation: members.peakMemoryReservation,
      totalScheduledTime: members.totalScheduledTime,
      totalCpuTime: members.totalCpuTime,
      fullyBlocked: false,
      blockedReasons: [],
      ...progress(query, totals),
    },
    ...errorMembers(query),
  };
}

export function queryInfo(query: Query, baseUri: string): QueryInfo {
  const { effects, execution } = query;
  return {
    queryId: query.id,
    session: sessionDocument(query),
    state: query.state,
    memoryPool,
    scheduled: isScheduled(execution),
    self: selfOf(query, baseUri),
    fieldNames: query.columns?.map((column) => column.name) ?? [],
    query: query.sql,
    queryStats: queryStats(query),
    outputStage: execution === undefined ? {} : stageInfo(execution, execution.root, baseUri),
    ...(effects.setCatalog === undefined ? {} : { setCatalog: effects.setCatalog }),
    ...(effects.setSchema === undefined ? {} : { setSchema: effects.setSchema }),
    ...(effects.setPath === undefined ? {} : { setPath: effects.setPath }),
    ...(effects.setAuthorizationUser === undefined ? {} : { setAuthorizationUser: effects.setAuthorizationUser }),
    resetAuthorizationUser: effects.resetAuthorizationUser === true,
    setRoles: selectedRoles(effects.setRole ?? {}),
    ...(effects.startedTransactionId === undefined ? {} : { startedTransactionId: effects.startedTransactionId }),
    clearTransactionId: effects.clearTransactionId === true,
    resourceGroupId: [...resourceGroupId],
    inputs: [],
    setSessionProperties: { ...effects.setSession },
    resetSessionProperties: [...(effects.clearSession ?? [])],
    addedPreparedStatements: { ...effects.addedPrepare },
    deallocatedPreparedStatements: [...(effects.deallocatedPrepare ?? [])],
    ...(query.updateType === undefined ? {} : { updateType: query.updateType }),
    ...(query.failure === undefined ? {} : { failureInfo: failureDocument(query.failure, query.session.family) }),
    ...errorMembers(query),
    warnings: [...query.warnings],
    completeInfo: query.done,
  };
}

function selfOf(query: Query, baseUri: string): string {
  return `${baseUri}/v1/query/${query.id}`;
}

function sessionDocument(query: Query): QueryInfo["session"] {
  const { session } = query;
  const optional = {
    source: session.source,
    catalog: session.catalog,
    schema: session.schema,
    userAgent: session.userAgent,
    principal: session.principal,
    originalUser: session.originalUser,
    timeZone: session.timeZone,
    clientInfo: session.clientInfo,
    transactionId: session.transactionId,
    traceToken: session.traceToken,
    timeZoneKey: zoneKeyOf(session.timeZone ?? "UTC"),
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    user: session.user,
    ...present,
    remoteUserAddress: session.remoteUserAddress,
    startTime: session.startMillis,
    queryId: query.id,
    clientTags: [...session.clientTags],
    clientTransactionSupport: session.clientTransactionSupport,
    ...(session.path === undefined ? {} : { path: { rawPath: session.path } }),
    locale: localeOf(session.language),
    clientCapabilities: [...session.clientCapabilities],
    resourceEstimates: resourceEstimates(session.resourceEstimates),
    unprocessedCatalogProperties: {},
    roles: selectedRoles(session.roles),
    preparedStatements: { ...session.preparedStatements },
    ...propertyDocuments(session.properties),
  };
}

/** `ALL`, `NONE` or `ROLE{name}` by catalog, as in the headers. */
function selectedRoles(roles: Readonly<Record<string, string>>): NonNullable<QueryInfo["setRoles"]> {
  return Object.fromEntries(
    Object.entries(roles).map(([catalog, text]) => {
      const role = /^ROLE\{(.+)\}$/.exec(text)?.[1];
      return [
        catalog,
        role === undefined ? { type: text === "ALL" ? ("ALL" as const) : ("NONE" as const) } : { type: "ROLE" as const, role },
      ];
    }),
  );
}

/** Java's spelling of a locale: `en_US` for `en-US`. */
function localeOf(language: string | undefined): string {
  const [, name = "en", country] = /^([A-Za-z]{2,8})(?:[-_]([A-Za-z]{2}|\d{3})\b)?/.exec(language ?? "en-US") ?? [];
  return country === undefined ? name.toLowerCase() : `${name.toLowerCase()}_${country.toUpperCase()}`;
}

/** The header uses the names of Presto's constants. */
function resourceEstimates(estimates: Readonly<Record<string, string>>): NonNullable<QueryInfo["session"]["resourceEstimates"]> {
  const found = new Map(Object.entries(estimates).map(([name, value]) => [name.toUpperCase(), value]));
  const time = (name: string): string | undefined => optionally(parseDuration(found.get(name) ?? ""), formatDuration);
  const optional = {
    executionTime: time("EXECUTION_TIME"),
    cpuTime: time("CPU_TIME"),
    peakMemory: optionally(parseDataSize(found.get("PEAK_MEMORY") ?? ""), formatDataSize),
  };
  return Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
}

function optionally(value: number | undefined, format: (value: number) => string): string | undefined {
  return value === undefined ? undefined : format(value);
}

/** `name` is a system property, `catalog.name` a catalog property. */
function propertyDocuments(
  properties: Readonly<Record<string, string>>,
): Pick<QueryInfo["session"], "systemProperties" | "catalogProperties"> {
  const systemProperties: [name: string, value: string][] = [];
  const catalogProperties = new Map<string, Readonly<Record<string, string>>>();
  for (const [name, value] of Object.entries(properties)) {
    const dot = name.indexOf(".");
    if (dot < 0) {
      systemProperties.push([name, value]);
    } else {
      const catalog = name.slice(0, dot);
      catalogProperties.set(catalog, { ...catalogProperties.get(catalog), [name.slice(dot + 1)]: value });
    }
  }
  return { systemProperties: Object.fromEntries(systemProperties), catalogProperties: Object.fromEntries(catalogProperties) };
}

function queryStats(query: Query): QueryInfo["queryStats"] {
  const totals = queryTotals(query.execution);
  const members = queryMembers(countersOf(query, totals));
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
    scheduled: isScheduled(query.execution),
    ...progress(query, totals),
    cumulativeUserMemory: 0,
    userMemoryReservation: members.totalMemoryReservation,
    revocableMemoryReservation: formatDataSize(0),
    peakUserMemoryReservation: members.peakMemoryReservation,
    peakTotalMemoryReservation: members.peakMemoryReservation,
    fullyBlocked: false,
    blockedReasons: [],
    physicalInputDataSize: members.rawInputDataSize,
    physicalInputPositions: members.rawInputPositions,
    physicalWrittenDataSize: formatDataSize(0),
    spilledDataSize: formatDataSize(totals.all.spilledBytes),
    operatorSummaries: [],
  };
}

function stageInfo(execution: QueryExecution, stage: Stage, baseUri: string): StageInfoDocument {
  const sum = addSums(stage.tasks.map((task) => task.counters));
  return {
    stageId: stage.stageId,
    state: stage.state,
    self: `${baseUri}/v1/stage/${stage.stageId}`,
    // Presto's shape: client libraries decode an object here.
    plan: {
      id: String(stage.fragment.id),
      root: stage.fragment.root,
      partitioning: { connectorHandle: { partitioning: stage.fragment.partitioning } },
      partitionedSources: stage.fragment.scanIds,
      types: stage.fragment.outputTypes.map((type) => displayType(type)),
    },
    types: stage.fragment.outputTypes.map((type) => displayType(type)),
    stageStats: {
      ...taskCounts(stage.tasks),
      ...stageMembers(stage.done ? { ...sum, memoryReservationBytes: 0 } : sum),
    },
    tasks: stage.tasks.flatMap((task) => task.document ?? []),
    subStages: execution.subStagesOf(stage).map((child) => stageInfo(execution, child, baseUri)),
    ...(stage.failure === undefined ? {} : { failureCause: failureDocument(stage.failure) }),
  };
}

/** Of a query that has ended no memory is reserved any more. */
function countersOf(query: Query, totals: QueryTotals): CounterSums {
  const sums = ofQuery(totals);
  return query.done ? { ...sums, memoryReservationBytes: 0 } : sums;
}

function progress(query: Query, totals: QueryTotals): { readonly progressPercentage?: number } {
  const { completedDrivers, totalDrivers } = totals.all;
  return isScheduled(query.execution) && totalDrivers > 0
    ? { progressPercentage: Math.min(100, (100 * completedDrivers) / totalDrivers) }
    : {};
}

function errorMembers(query: Query): Pick<QueryInfo, "errorType" | "errorCode"> {
  if (query.failure === undefined) {
    return {};
  }
  const { code, type } = errorCatalogue[query.failure.errorName];
  return { errorType: type, errorCode: { code, name: query.failure.errorName, type } };
}
