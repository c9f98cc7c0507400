/**
 * The catalog `system`: what the cluster is doing (schema runtime) and what it knows of its catalogs (schema metadata), as tables with Presto's columns.
 * Rows come from the coordinator and are read there; a worker's instance has the names only.
 */
import type {
  ColumnMetadata,
  Connector,
  ConnectorFactory,
  ConnectorMetadata,
  PageSource,
  PageSourceRequest,
  Procedure,
  SchemaTableName,
  Split,
  TableMetadata,
} from "../connector.ts";
import { informationSchema } from "../information-schema.ts";
import { type Cell, type Row, RowPageSource } from "../row-page-source.ts";
import type { RuntimeQuery, RuntimeTask, SystemRuntime } from "../runtime-tables.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { BIGINT, BOOLEAN, TIMESTAMP, VARCHAR } from "../../types/type.ts";

export interface KnownCatalog {
  readonly name: string;
  /** `connector.name` in its properties. */
  readonly connectorName: string;
  readonly connector: Connector;
}

export interface SystemProvider {
  /** undefined on a worker. */
  readonly runtime: () => SystemRuntime | undefined;
  /** Sorted by name. */
  readonly catalogs: () => readonly KnownCatalog[];
}

interface SystemTable {
  readonly columns: readonly ColumnMetadata[];
  readonly rows: (provider: SystemProvider) => Promise<readonly Row[]>;
}

const varchar = (name: string): ColumnMetadata => ({ name, type: VARCHAR });
const bigint = (name: string): ColumnMetadata => ({ name, type: BIGINT });
const boolean = (name: string): ColumnMetadata => ({ name, type: BOOLEAN });
const timestamp = (name: string): ColumnMetadata => ({ name, type: TIMESTAMP });

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

async function commentRows(provider: SystemProvider): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { name: catalog, connector } of provider.catalogs()) {
    const { metadata } = connector;
    for (const schema of await metadata.listSchemas()) {
      if (schema === informationSchema) {
        continue;
      }
      for (const table of await metadata.listTables(schema)) {
        const found = await metadata.getTable({ schema, table });
        rows.push({ catalog_name: catalog, schema_name: schema, table_name: table, comment: found?.comment ?? null });
      }
    }
  }
  return rows;
}

const metadataTables: Readonly<Record<string, SystemTable>> = Object.freeze({
  catalogs: {
    columns: [varchar("catalog_name"), varchar("connector_id"), varchar("connector_name")],
    rows: async (provider) =>
      provider.catalogs().map(({ name, connectorName }) => ({ catalog_name: name, connector_id: name, connector_name: connectorName })),
  },
  table_comments: {
    columns: [varchar("catalog_name"), varchar("schema_name"), varchar("table_name"), varchar("comment")],
    rows: commentRows,
  },
});

const runtimeTables: Readonly<Record<string, SystemTable>> = Object.freeze({
  nodes: {
    columns: [varchar("node_id"), varchar("http_uri"), varchar("node_version"), boolean("coordinator"), varchar("state")],
    rows: async (provider) =>
      runtimeOf(provider)
        .nodes()
        .map((node) => ({
          node_id: node.nodeId,
          http_uri: node.uri,
          node_version: node.nodeVersion,
          coordinator: node.coordinator,
          state: node.state,
        })),
  },
  queries: {
    columns: [
      ...["query_id", "state", "user", "source", "query"].map(varchar),
      ...["queued_time_ms", "analysis_time_ms", "planning_time_ms"].map(bigint),
      ...["created", "started", "last_heartbeat", "end"].map(timestamp),
      ...["error_type", "error_code"].map(varchar),
    ],
    rows: async (provider) => runtimeOf(provider).queries().map(queryRow),
  },
  tasks: {
    columns: [
      ...["node_id", "task_id", "stage_id", "query_id", "state"].map(varchar),
      ...["splits", "queued_splits", "running_splits", "completed_splits"].map(bigint),
      ...["split_scheduled_time_ms", "split_cpu_time_ms", "split_blocked_time_ms"].map(bigint),
      ...["raw_input_bytes", "raw_input_rows", "processed_input_bytes", "processed_input_rows"].map(bigint),
      ...["output_bytes", "output_rows", "physical_written_bytes"].map(bigint),
      ...["created", "start", "last_heartbeat", "end"].map(timestamp),
    ],
    rows: async (provider) => runtimeOf(provider).tasks().map(taskRow),
  },
});

const schemas: Readonly<Record<string, Readonly<Record<string, SystemTable>>>> = Object.freeze({
  metadata: metadataTables,
  runtime: runtimeTables,
});

function findTable(name: SchemaTableName): SystemTable | undefined {
  const schema = Object.hasOwn(schemas, name.schema) ? (schemas[name.schema] as Readonly<Record<string, SystemTable>>) : {};
  return Object.hasOwn(schema, name.table) ? schema[name.table] : undefined;
}

const systemMetadata: ConnectorMetadata = Object.freeze({
  listSchemas: async () => Object.keys(schemas),
  listTables: async (schema: string) => (Object.hasOwn(schemas, schema) ? Object.keys(schemas[schema] as object) : []),
  getTable: async (name: SchemaTableName): Promise<TableMetadata | undefined> => {
    const table = findTable(name);
    return table === undefined
      ? undefined
      : { name, columns: table.columns, handle: { schema: name.schema, table: name.table }, coordinatorOnly: true };
  },
});

/** Characters of query ids. */
const queryIdPattern = /^[_a-z0-9]+$/;

function killQuery(provider: SystemProvider): Procedure {
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

function systemConnector(provider: SystemProvider): Connector {
  return {
    metadata: systemMetadata,
    procedures: [killQuery(provider)],
    getSplits: async (): Promise<readonly Split[]> => [{ payload: null }],
    createPageSource: (request: PageSourceRequest): PageSource => {
      const table = findTable(request.table as unknown as SchemaTableName);
      assert(table !== undefined, "the handle is not one of the system connector");
      return new RowPageSource({ rows: () => table.rows(provider), columns: request.columns, memory: request.memory });
    },
  };
}

/** For a catalog with `connector.name=system`. */
export function systemConnectorFactory(provider: SystemProvider): ConnectorFactory {
  return { name: "system", properties: [], create: () => systemConnector(provider) };
}
