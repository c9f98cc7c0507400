/** The schema `runtime` of the system connector: nodes, queries and tasks of the cluster, and the procedure that ends a query. */
import { assert, QueryError } from "../../protocol/errors.ts";
import { encodeNested } from "../../types/nested.ts";
import { type ArrayType, TIMESTAMP, VARCHAR } from "../../types/type.ts";
import type { ColumnMetadata, Procedure } from "../connector.ts";
import type { Cell, Row } from "../row-page-source.ts";
import type { RuntimeQuery, RuntimeTask, SystemRuntime } from "../runtime-tables.ts";
import { bigints, booleans, fixedTable, type SystemProvider, type SystemSchema, varchars } from "./tables.ts";

const groupType: ArrayType = Object.freeze({ kind: "array", element: VARCHAR });

/** All queries are of one resource group. */
const globalGroup = encodeNested(groupType, ["global"]);

function timestamps(...names: readonly string[]): readonly ColumnMetadata[] {
  return names.map((name) => ({ name, type: TIMESTAMP }));
}

/** Epoch milliseconds as the microseconds of a timestamp. */
function micros(millis: number | undefined): Cell {
  return millis === undefined ? null : Math.trunc(millis) * 1000;
}

function runtimeOf(provider: SystemProvider): SystemRuntime {
  const runtime = provider.runtime();
  assert(runtime !== undefined, "system tables are read on the coordinator");
  return runtime;
}

function queryRow(query: RuntimeQuery): Row {
  return {
    query_id: query.queryId,
    state: query.state,
    user: query.user,
    source: query.source ?? null,
    query: query.query,
    resource_group_id: globalGroup,
    queued_time_ms: query.queuedTimeMs,
    analysis_time_ms: query.analysisTimeMs,
    planning_time_ms: query.planningTimeMs,
    created: micros(query.created),
    started: micros(query.started),
    last_heartbeat: micros(query.lastHeartbeat),
    end: micros(query.end),
    error_type: query.errorType ?? null,
    error_code: query.errorCode ?? null,
  };
}

function taskRow(task: RuntimeTask): Row {
  return {
    node_id: task.nodeId,
    task_id: task.taskId,
    stage_id: task.stageId,
    query_id: task.queryId,
    state: task.state,
    splits: task.splits,
    queued_splits: task.queuedSplits,
    running_splits: task.runningSplits,
    completed_splits: task.completedSplits,
    split_scheduled_time_ms: task.splitScheduledTimeMs,
    split_cpu_time_ms: task.splitCpuTimeMs,
    split_blocked_time_ms: task.splitBlockedTimeMs,
    raw_input_bytes: task.rawInputBytes,
    raw_input_rows: task.rawInputRows,
    processed_input_bytes: task.processedInputBytes,
    processed_input_rows: task.processedInputRows,
    output_bytes: task.outputBytes,
    output_rows: task.outputRows,
    physical_written_bytes: task.physicalWrittenBytes,
    created: micros(task.created),
    start: micros(task.start),
    last_heartbeat: micros(task.lastHeartbeat),
    end: micros(task.end),
  };
}

export const runtimeTables: SystemSchema = Object.freeze({
  nodes: fixedTable([...varchars("node_id", "http_uri", "node_version"), ...booleans("coordinator"), ...varchars("state")], (provider) =>
    runtimeOf(provider)
      .nodes()
      .map((node) => ({
        node_id: node.nodeId,
        http_uri: node.uri,
        node_version: node.nodeVersion,
        coordinator: node.coordinator,
        state: node.state,
      })),
  ),
  queries: fixedTable(
    [
      ...varchars("query_id", "state", "user", "source", "query"),
      { name: "resource_group_id", type: groupType },
      ...bigints("queued_time_ms", "analysis_time_ms", "planning_time_ms"),
      ...timestamps("created", "started", "last_heartbeat", "end"),
      ...varchars("error_type", "error_code"),
    ],
    (provider) => runtimeOf(provider).queries().map(queryRow),
  ),
  tasks: fixedTable(
    [
      ...varchars("node_id", "task_id", "stage_id", "query_id", "state"),
      ...bigints("splits", "queued_splits", "running_splits", "completed_splits"),
      ...bigints("split_scheduled_time_ms", "split_cpu_time_ms", "split_blocked_time_ms"),
      ...bigints("raw_input_bytes", "raw_input_rows", "processed_input_bytes", "processed_input_rows"),
      ...bigints("output_bytes", "output_rows", "physical_written_bytes"),
      ...timestamps("created", "start", "last_heartbeat", "end"),
    ],
    (provider) => runtimeOf(provider).tasks().map(taskRow),
  ),
});

/** Characters of query ids. */
const queryIdPattern = /^[_a-z0-9]+$/;

export function killQuery(provider: SystemProvider): Procedure {
  return {
    schema: "runtime",
    name: "kill_query",
    arguments: [
      { name: "query_id", type: VARCHAR },
      { name: "message", type: VARCHAR, optional: true },
    ],
    call: async ([queryId, message]) => {
      if (typeof queryId !== "string") {
        throw new QueryError("INVALID_PROCEDURE_ARGUMENT", "Procedure argument cannot be null: query_id");
      }
      if (!queryIdPattern.test(queryId)) {
        throw new QueryError("INVALID_PROCEDURE_ARGUMENT", queryId === "" ? "id is empty" : `Invalid id ${queryId}`);
      }
      runtimeOf(provider).killQuery(queryId, typeof message === "string" ? message : undefined);
    },
  };
}
