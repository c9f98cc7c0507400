/**
 * The schema `runtime` of the system connector: nodes, queries, tasks and transactions of the cluster, and the procedure that kills a
 * query.
 */
import { assert, QueryError } from "../../protocol/errors.ts";
import { encodeNested } from "../../types/nested/nested.ts";
import { type ArrayType, VARCHAR } from "../../types/type.ts";
import { utcKey, zonedMoment } from "../../types/time/zones.ts";
import type { ColumnMetadata, Procedure } from "../spi.ts";
import type { Cell, Row } from "../shared/row-page-source.ts";
import type { RuntimeQuery, RuntimeResourceGroup, RuntimeTask, RuntimeTransaction, SystemRuntime } from "../shared/runtime-tables.ts";
import { bigints, booleans, fixedTable, type SystemProvider, type SystemSchema, varchars } from "./tables.ts";

const namesType: ArrayType = Object.freeze({ kind: "array", element: VARCHAR });

function timestamps(...names: readonly string[]): readonly ColumnMetadata[] {
  return names.map((name) => ({ name, type: { kind: "timestamp with time zone", precision: 3 } }));
}

/** Epoch milliseconds as a timestamp in UTC. */
function moment(millis: number | undefined): Cell {
  return millis === undefined ? null : zonedMoment(BigInt(Math.trunc(millis)) * 1000n, utcKey);
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
    resource_group_id: encodeNested(namesType, [...query.resourceGroupId]),
    queued_time_ms: query.queuedTimeMs,
    analysis_time_ms: query.analysisTimeMs,
    planning_time_ms: query.planningTimeMs,
    created: moment(query.created),
    started: moment(query.started),
    last_heartbeat: moment(query.lastHeartbeat),
    end: moment(query.end),
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
    created: moment(task.created),
    start: moment(task.start),
    last_heartbeat: moment(task.lastHeartbeat),
    end: moment(task.end),
  };
}

function groupRow(group: RuntimeResourceGroup): Row {
  return {
    resource_group_id: encodeNested(namesType, [...group.id]),
    state: group.state,
    scheduling_policy: group.schedulingPolicy,
    scheduling_weight: group.schedulingWeight,
    soft_memory_limit_bytes: group.memoryLimitBytes ?? null,
    soft_concurrency_limit: group.softConcurrencyLimit,
    hard_concurrency_limit: group.hardConcurrencyLimit,
    max_queued: group.maxQueued,
    memory_usage_bytes: group.memoryUsageBytes,
    cpu_usage_ms: group.cpuUsageMs,
    physical_input_bytes: group.physicalInputBytes,
    queued_queries: group.queuedQueries,
    running_queries: group.runningQueries,
  };
}

/** Only explicit transactions have a row, so none is in auto-commit context. Their statements write nothing, so no catalog is written. */
function transactionRow(transaction: RuntimeTransaction): Row {
  return {
    transaction_id: transaction.transactionId,
    isolation_level: transaction.isolationLevel,
    read_only: transaction.readOnly,
    auto_commit_context: false,
    create_time: moment(transaction.created),
    idle_time_secs: transaction.idleTimeSecs,
    written_catalog: null,
    catalogs: encodeNested(namesType, [...transaction.catalogs]),
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
      { name: "resource_group_id", type: namesType },
      ...bigints("queued_time_ms", "analysis_time_ms", "planning_time_ms"),
      ...timestamps("created", "started", "last_heartbeat", "end"),
      ...varchars("error_type", "error_code"),
    ],
    async (provider) => (await runtimeOf(provider).queries()).map(queryRow),
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
  resource_groups: fixedTable(
    [
      { name: "resource_group_id", type: namesType },
      ...varchars("state", "scheduling_policy"),
      ...bigints("scheduling_weight", "soft_memory_limit_bytes", "soft_concurrency_limit", "hard_concurrency_limit", "max_queued"),
      ...bigints("memory_usage_bytes", "cpu_usage_ms", "physical_input_bytes", "queued_queries", "running_queries"),
    ],
    (provider) => runtimeOf(provider).resourceGroups().map(groupRow),
  ),
  transactions: fixedTable(
    [
      ...varchars("transaction_id", "isolation_level"),
      ...booleans("read_only", "auto_commit_context"),
      ...timestamps("create_time"),
      ...bigints("idle_time_secs"),
      ...varchars("written_catalog"),
      { name: "catalogs", type: namesType },
    ],
    (provider) => runtimeOf(provider).transactions().map(transactionRow),
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
    call: async ([queryId, message], { user }) => {
      if (typeof queryId !== "string") {
        throw new QueryError("INVALID_PROCEDURE_ARGUMENT", "Procedure argument cannot be null: query_id");
      }
      if (!queryIdPattern.test(queryId)) {
        throw new QueryError("INVALID_PROCEDURE_ARGUMENT", queryId === "" ? "id is empty" : `Invalid id ${queryId}`);
      }
      runtimeOf(provider).killQuery(queryId, typeof message === "string" ? message : undefined, user);
    },
  };
}
