/**
 * Query events in the JSON form of Trino's event listeners: QueryCreatedEvent and QueryCompletedEvent. Durations are seconds, times are ISO
 * 8601, sizes are bytes, as Trino writes them. Lists that the engine does not fill are empty.
 */
import type { QueryEvent } from "../../../coordinator/context.ts";
import type { QueryInfo } from "../../../protocol/documents/query.ts";

export interface ServerFacts {
  readonly address: string;
  readonly version: string;
  readonly environment: string;
}

export function trinoEvent(event: QueryEvent, server: ServerFacts): unknown {
  const { info } = event;
  const common = { createTime: info.queryStats.createTime, context: context(info, server), metadata: metadata(info) };
  if (event.kind === "created") {
    return common;
  }
  return {
    ...common,
    statistics: statistics(event),
    ioMetadata: {
      inputs: event.measures.tables.map(({ catalog, schema, table }) => ({ catalogName: catalog, schema, table })),
      output: null,
    },
    failureInfo: failureInfo(info),
    warnings: (info.warnings ?? []).map(({ message, warningCode }) => ({ warningCode, message })),
    executionStartTime: info.queryStats.executionStartTime ?? info.queryStats.createTime,
    endTime: info.queryStats.endTime ?? info.queryStats.createTime,
  };
}

function context({ fieldNames, resourceGroupId, session, updateType }: QueryInfo, server: ServerFacts): unknown {
  return {
    user: session.user,
    originalUser: session.originalUser ?? session.user,
    originalRoles: [],
    principal: session.principal ?? null,
    enabledRoles: [],
    groups: [],
    traceToken: session.traceToken ?? null,
    remoteClientAddress: session.remoteUserAddress ?? null,
    userAgent: session.userAgent ?? null,
    clientInfo: session.clientInfo ?? null,
    clientTags: session.clientTags ?? [],
    clientCapabilities: session.clientCapabilities ?? [],
    source: session.source ?? null,
    timezone: session.timeZone ?? "UTC",
    catalog: session.catalog ?? null,
    schema: session.schema ?? null,
    resourceGroupId: resourceGroupId ?? [],
    sessionProperties: session.systemProperties ?? {},
    resourceEstimates: {},
    serverAddress: server.address,
    serverVersion: server.version,
    environment: server.environment,
    // Unknown before the statement is planned.
    queryType: updateType !== undefined ? queryTypeOf(updateType) : fieldNames.length > 0 ? "SELECT" : null,
    retryPolicy: "NONE",
  };
}

/** Trino's QueryType for an update type. */
function queryTypeOf(updateType: string): string {
  switch (updateType) {
    case "INSERT":
    case "CREATE TABLE AS":
      return "INSERT";
    case "DELETE":
    case "UPDATE":
    case "MERGE":
      return updateType;
    default:
      return "DATA_DEFINITION";
  }
}

function metadata(info: QueryInfo): unknown {
  return {
    queryId: info.queryId,
    transactionId: info.session.transactionId ?? null,
    encoding: null,
    query: info.query,
    updateType: info.updateType ?? null,
    preparedQuery: null,
    queryState: info.state,
    tables: [],
    routines: [],
    uri: info.self,
    plan: null,
    jsonPlan: null,
    payload: null,
  };
}

function statistics({ info, measures }: QueryEvent): unknown {
  const seconds = (nanos: number): number => nanos / 1e9;
  return {
    cpuTime: seconds(measures.cpuNanos),
    wallTime: seconds(measures.elapsedNanos),
    queuedTime: seconds(measures.queuedNanos),
    analysisTime: seconds(measures.planningNanos),
    planningTime: seconds(measures.planningNanos),
    executionTime: seconds(measures.executionNanos),
    peakUserMemoryBytes: measures.peakMemoryBytes,
    peakTaskTotalMemory: 0,
    physicalInputBytes: measures.inputBytes,
    physicalInputRows: measures.inputRows,
    processedInputBytes: measures.inputBytes,
    processedInputRows: measures.inputRows,
    internalNetworkBytes: 0,
    internalNetworkRows: 0,
    totalBytes: measures.inputBytes,
    totalRows: measures.inputRows,
    outputBytes: measures.outputBytes,
    outputRows: measures.outputRows,
    writtenBytes: 0,
    writtenRows: 0,
    spilledBytes: measures.spilledBytes,
    cumulativeMemory: 0,
    stageGcStatistics: [],
    completedSplits: info.queryStats.completedDrivers,
    complete: info.completeInfo ?? true,
    cpuTimeDistribution: [],
    outputBufferUtilization: [],
    operatorSummaries: [],
    optimizerRulesSummaries: [],
    planNodeStatsAndCosts: null,
  };
}

function failureInfo({ errorCode, failureInfo: failure }: QueryInfo): unknown {
  if (errorCode === undefined) {
    return null;
  }
  return {
    errorCode: { code: errorCode.code, name: errorCode.name, type: errorCode.type, fatal: false },
    failureType: failure?.type ?? null,
    failureMessage: failure?.message ?? null,
    failureTask: null,
    failureHost: failure?.remoteHost ?? null,
    failuresJson: failure === undefined ? "[]" : JSON.stringify([failure]),
  };
}
