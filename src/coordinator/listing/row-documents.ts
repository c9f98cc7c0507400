/**
 * Documents and table rows made of rows of the query list: the list element of Presto, that of Trino's web interface, and the row of
 * system.runtime.queries.
 */
import type { RuntimeQuery } from "../../connectors/shared/runtime-tables.ts";
import { queryMembers } from "../../protocol/documents/counter-documents.ts";
import type { TrimmedQuery } from "../../protocol/documents/cluster.ts";
import type { BasicQueryInfo } from "../../protocol/documents/query.ts";
import { errorCatalogue } from "../../protocol/errors.ts";
import { formatTimestamp } from "../../protocol/timestamp.ts";
import { formatDataSize, formatDuration } from "../../protocol/units.ts";
import { blockedReasons } from "../query/query-wait.ts";
import { errorMembers, memoryPool, waitMembers } from "../query/query-documents.ts";
import { millis, progress } from "../query/query-statistics.ts";
import type { QueryRow } from "./query-row.ts";

/** Length at which Trino's list cuts statement texts, in characters. */
export const previewLengthMax = 300;

/** `text`: the statement, or as much of it as the list shows. */
export function basicQueryInfo(row: QueryRow, { baseUri, text }: { readonly baseUri: string; readonly text: string }): BasicQueryInfo {
  const members = queryMembers(row.sums);
  return {
    queryId: row.id,
    session: row.session,
    state: row.state,
    memoryPool,
    scheduled: row.scheduled,
    self: `${baseUri}/v1/query/${row.id}`,
    query: text,
    resourceGroupId: [...row.resourceGroupId],
    ...(row.updateType === undefined ? {} : { updateType: row.updateType }),
    queryStats: {
      createTime: formatTimestamp(row.createMillis),
      ...(row.endMillis === undefined ? {} : { endTime: formatTimestamp(row.endMillis) }),
      queuedTime: formatDuration(row.queuedNanos),
      elapsedTime: formatDuration(row.elapsedNanos),
      executionTime: formatDuration(Math.max(0, row.elapsedNanos - row.queuedNanos)),
      totalDrivers: members.totalDrivers,
      queuedDrivers: members.queuedDrivers,
      runningDrivers: members.runningDrivers,
      completedDrivers: members.completedDrivers,
      rawInputDataSize: members.rawInputDataSize,
      rawInputPositions: members.rawInputPositions,
      cumulativeMemory: 0,
      userMemoryReservation: formatDataSize(row.sums.memoryReservationBytes - row.sums.systemMemoryBytes),
      totalMemoryReservation: members.totalMemoryReservation,
      peakMemoryReservation: members.peakMemoryReservation,
      totalScheduledTime: members.totalScheduledTime,
      totalCpuTime: members.totalCpuTime,
      fullyBlocked: row.wait?.isBlocked ?? false,
      blockedReasons: blockedReasons(row.wait),
      ...progress(row.scheduled, row.sums),
    },
    ...errorMembers(row.errorName === undefined ? undefined : { errorName: row.errorName }),
    ...waitMembers(row.wait),
  };
}

export function trimmedQuery(row: QueryRow, baseUri: string): TrimmedQuery {
  const { errorCode, errorType, queryStats, session, updateType } = basicQueryInfo(row, { baseUri, text: "" });
  return {
    queryId: row.id,
    sessionUser: row.user,
    ...(session.principal === undefined ? {} : { sessionPrincipal: session.principal }),
    ...(row.source === undefined ? {} : { sessionSource: row.source }),
    resourceGroupId: [...row.resourceGroupId],
    state: row.state,
    ...(errorType === undefined ? {} : { errorType }),
    ...(errorCode === undefined ? {} : { errorCode }),
    scheduled: row.scheduled,
    fullyBlocked: queryStats.fullyBlocked,
    blockedReasons: queryStats.blockedReasons,
    createTime: queryStats.createTime,
    ...(queryStats.endTime === undefined ? {} : { endTime: queryStats.endTime }),
    queuedTime: queryStats.queuedTime,
    elapsedTime: queryStats.elapsedTime,
    executionTime: queryStats.executionTime,
    totalDrivers: queryStats.totalDrivers,
    queuedDrivers: queryStats.queuedDrivers,
    runningDrivers: queryStats.runningDrivers,
    completedDrivers: queryStats.completedDrivers,
    cumulativeUserMemory: queryStats.cumulativeMemory,
    userMemoryReservation: queryStats.userMemoryReservation ?? queryStats.totalMemoryReservation,
    totalMemoryReservation: queryStats.totalMemoryReservation,
    peakUserMemoryReservation: queryStats.peakMemoryReservation,
    peakTotalMemoryReservation: queryStats.peakMemoryReservation,
    totalCpuTime: queryStats.totalCpuTime,
    totalScheduledTime: queryStats.totalScheduledTime,
    rawInputDataSize: queryStats.rawInputDataSize,
    ...(queryStats.progressPercentage === undefined ? {} : { progressPercentage: queryStats.progressPercentage }),
    ...(updateType === undefined ? {} : { updateType }),
    queryTextPreview: row.text.slice(0, previewLengthMax),
  };
}

export function runtimeQuery(row: QueryRow, text: string): RuntimeQuery {
  const planningTimeMs = millis(row.analysisNanos);
  return {
    queryId: row.id,
    state: row.state,
    user: row.user,
    resourceGroupId: row.resourceGroupId,
    ...(row.source === undefined ? {} : { source: row.source }),
    query: text,
    queuedTimeMs: millis(row.queuedNanos),
    analysisTimeMs: planningTimeMs,
    planningTimeMs,
    created: row.createMillis,
    ...(row.executionStartMillis === undefined ? {} : { started: row.executionStartMillis }),
    lastHeartbeat: row.lastHeartbeatMillis,
    ...(row.endMillis === undefined ? {} : { end: row.endMillis }),
    ...(row.errorName === undefined ? {} : { errorType: errorCatalogue[row.errorName].type, errorCode: row.errorName }),
  };
}
