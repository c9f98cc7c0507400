/**
 * What the query log says about a query that has ended: one flat JSON object. Times are in milliseconds, sizes in bytes. Members without a
 * value are absent.
 */
import type { QueryEvent } from "../../../coordinator/context.ts";

function millis(nanos: number): number {
  return Math.round(nanos / 1e3) / 1e3;
}

export interface QueryRecord {
  readonly queryId: string;
  readonly state: string;
  readonly user: string;
  readonly elapsedMs: number;
  readonly query: string;
  readonly [member: string]: unknown;
}

export function queryRecord({ info, measures }: QueryEvent): QueryRecord {
  const { errorCode, failureInfo, queryStats, session } = info;
  return {
    queryId: info.queryId,
    state: info.state,
    user: session.user,
    principal: session.principal,
    source: session.source,
    catalog: session.catalog,
    schema: session.schema,
    remoteAddress: session.remoteUserAddress,
    userAgent: session.userAgent,
    clientInfo: session.clientInfo,
    clientTags: session.clientTags?.length === 0 ? undefined : session.clientTags,
    traceToken: session.traceToken,
    createTime: queryStats.createTime,
    endTime: queryStats.endTime,
    errorName: errorCode?.name,
    errorType: errorCode?.type,
    errorCode: errorCode?.code,
    errorMessage: failureInfo?.message,
    errorHost: failureInfo?.remoteHost,
    updateType: info.updateType,
    queuedMs: millis(measures.queuedNanos),
    planningMs: millis(measures.planningNanos),
    executionMs: millis(measures.executionNanos),
    elapsedMs: millis(measures.elapsedNanos),
    firstRowMs: measures.firstRowNanos === undefined ? undefined : millis(measures.firstRowNanos),
    cpuMs: millis(measures.cpuNanos),
    tasks: queryStats.totalTasks,
    splits: queryStats.completedDrivers,
    peakMemoryBytes: measures.peakMemoryBytes,
    spilledBytes: measures.spilledBytes,
    inputRows: measures.inputRows,
    inputBytes: measures.inputBytes,
    outputRows: measures.outputRows,
    outputBytes: measures.outputBytes,
    tables: measures.tables.map(({ catalog, schema, table }) => `${catalog}.${schema}.${table}`),
    query: info.query,
  };
}
