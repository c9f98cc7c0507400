/**
 * The spans of a query that has ended, from its final document: queued, planning, and a span for each stage with its tasks. Attributes
 * follow OpenTelemetry's conventions for databases; the engine's own begin with `orrery.`.
 */
import type { QueryEvent } from "../../../coordinator/context.ts";
import type { QueryInfo, StageInfoDocument } from "../../../protocol/documents/query.ts";
import type { TaskDocument } from "../../../protocol/documents/task.ts";

export type SpanAttributes = Readonly<Record<string, string | number | string[]>>;

/** Times are epoch milliseconds with fractions. */
export interface ChildSpan {
  readonly name: string;
  readonly startMillis: number;
  readonly endMillis: number;
  readonly hasFailed: boolean;
  readonly attributes: SpanAttributes;
  readonly children: readonly ChildSpan[];
}

/** Spans of tasks of one query; further tasks only count in their stage. */
const taskSpansMax = 4096;

export function spansOf({ info, measures }: QueryEvent): { readonly endMillis: number; readonly children: readonly ChildSpan[] } {
  const startMillis = Date.parse(info.queryStats.createTime);
  const endMillis = Math.max(startMillis, Date.parse(info.queryStats.endTime ?? info.queryStats.createTime));
  // Durations are exact, the two times are whole milliseconds: a phase must not seem to end after its query.
  const at = (nanos: number): number => Math.min(endMillis, startMillis + nanos / 1e6);
  const phase = (name: string, from: number, nanos: number): readonly ChildSpan[] =>
    nanos <= 0 ? [] : [{ name, startMillis: at(from), endMillis: at(from + nanos), hasFailed: false, attributes: {}, children: [] }];
  const stages = stagesOf(info);
  let left = taskSpansMax;
  const stageSpans = stages.flatMap((stage) => {
    const tasks = stage.tasks.slice(0, left);
    left -= tasks.length;
    return stageSpan(stage, tasks, endMillis);
  });
  return {
    endMillis,
    children: [
      ...phase("queued", 0, measures.queuedNanos),
      ...phase("planning", measures.queuedNanos, measures.planningNanos),
      ...stageSpans,
    ],
  };
}

export function queryAttributes({ info, measures }: QueryEvent, includesStatement: boolean): SpanAttributes {
  const { errorCode, queryStats, session, state, updateType } = info;
  const namespace = [session.catalog, session.schema].filter((part) => part !== undefined).join(".");
  const optional: Readonly<Record<string, string | number | undefined>> = {
    "db.namespace": namespace === "" ? undefined : namespace,
    "db.operation.name": updateType ?? (info.fieldNames.length > 0 ? "SELECT" : undefined),
    "db.query.text": includesStatement ? info.query : undefined,
    "db.statement": includesStatement ? info.query : undefined,
    "db.response.status_code": errorCode === undefined ? undefined : String(errorCode.code),
    "error.type": errorCode?.name,
    "client.address": session.remoteUserAddress,
    "orrery.query.source": session.source,
    "orrery.query.trace_token": session.traceToken,
  };
  return {
    "db.user": session.user,
    "db.response.returned_rows": measures.outputRows,
    "orrery.query.state": state,
    "orrery.query.tasks": queryStats.totalTasks,
    "orrery.query.input_rows": measures.inputRows,
    "orrery.query.input_bytes": measures.inputBytes,
    "orrery.query.cpu_ms": measures.cpuNanos / 1e6,
    "orrery.query.peak_memory_bytes": measures.peakMemoryBytes,
    "orrery.query.tables": measures.tables.map(({ catalog, schema, table }) => `${catalog}.${schema}.${table}`),
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as SpanAttributes),
  };
}

function stagesOf({ outputStage }: QueryInfo): readonly StageInfoDocument[] {
  const found: StageInfoDocument[] = [];
  const visit = (stage: StageInfoDocument): void => {
    found.push(stage);
    for (const child of stage.subStages) {
      visit(child);
    }
  };
  // An empty object stands for a query without stages.
  if ("stageId" in outputStage) {
    visit(outputStage as StageInfoDocument);
  }
  return found;
}

/** From the first task that was made to the last that ended. None for a stage without tasks, which never ran. */
function stageSpan(stage: StageInfoDocument, shown: readonly TaskDocument[], queryEndMillis: number): readonly ChildSpan[] {
  if (stage.tasks.length === 0) {
    return [];
  }
  const times = stage.tasks.map((task) => timesOf(task, queryEndMillis));
  return [
    {
      name: "stage",
      startMillis: times.reduce((first, { startMillis }) => Math.min(first, startMillis), Number.POSITIVE_INFINITY),
      endMillis: times.reduce((last, { endMillis }) => Math.max(last, endMillis), 0),
      hasFailed: stage.state === "FAILED",
      attributes: {
        "orrery.stage.id": stage.stageId,
        "orrery.stage.state": stage.state,
        "orrery.stage.tasks": stage.tasks.length,
        "orrery.stage.output_rows": stage.stageStats.outputPositions,
      },
      children: shown.map((task) => ({
        name: "task",
        ...timesOf(task, queryEndMillis),
        hasFailed: task.state === "FAILED",
        attributes: taskAttributes(task),
        children: [],
      })),
    },
  ];
}

/** A task whose last document did not arrive has no end; it cannot matter longer than its query. */
function timesOf({ stats }: TaskDocument, queryEndMillis: number): Pick<ChildSpan, "startMillis" | "endMillis"> {
  const startMillis = Date.parse(stats.createTime);
  const endMillis = stats.endTime === undefined ? queryEndMillis : Date.parse(stats.endTime);
  return { startMillis, endMillis: Math.max(startMillis, endMillis) };
}

function taskAttributes({ nodeId, self, state, stats, taskId }: TaskDocument): SpanAttributes {
  const node = URL.canParse(self) ? new URL(self) : undefined;
  return {
    "orrery.task.id": taskId,
    "orrery.task.state": state,
    "orrery.task.splits": stats.completedDrivers,
    "orrery.task.input_rows": stats.rawInputPositions,
    "orrery.task.output_rows": stats.outputPositions,
    ...(nodeId === undefined ? {} : { "orrery.node.id": nodeId }),
    ...(node === undefined ? {} : { "server.address": node.hostname, "server.port": Number(node.port) }),
  };
}
