/**
 * Encoding and decoding of the task resource's documents: update requests out, reports in.
 */
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import type { FragmentTexts } from "../../planner/fragmenter/fragment-texts.ts";
import type {
  FailureInfo,
  FilterDomains,
  OutputBuffersDescriptor,
  ReplacedSource,
  SessionFacts,
  TaskState,
} from "../../execution/task/api.ts";
import { readStatus, readTask } from "../../protocol/documents/counter-documents.ts";
import { failureFacts } from "../../protocol/documents/fields.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";
import type { Schema } from "../../protocol/http/http.ts";
import { JsonSyntaxError, parseJson, stringifyJson } from "../../protocol/json.ts";
import { type TaskDocument, type TaskStatusDocument, taskInfoReader, taskStatusReader } from "../../protocol/documents/task.ts";
import { parseTimestamp } from "../../protocol/timestamp.ts";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import { ReportedDocument, withoutPipelines, withoutStatus } from "./reported-document.ts";
import type { TaskSource } from "./root-task.ts";
import type { TaskCounters } from "./stage-task.ts";

/** The content of a worker's answer about a task. */
export interface TaskReport {
  readonly state: TaskState;
  readonly version: number;
  readonly instanceId: string;
  readonly failures: readonly FailureInfo[];
  /** All domains reported so far. Undefined if the task produces none, or the worker's build does not support remote dynamic filters. */
  readonly dynamicFilters?: FilterDomains | undefined;
  readonly waitsForMemory: boolean;
  /** All warnings so far; undefined if there are none. */
  readonly warnings?: readonly Warning[] | undefined;
  /** The counters in this answer; the others keep their values. */
  readonly counters: Partial<TaskCounters>;
  /** The full task document, if the answer was one. */
  readonly document?: ReportedDocument;
}

/** Encoding of the task resource. Throws on answers that it cannot parse. */
export interface TaskWire {
  readStatus(body: Uint8Array): TaskReport;
  readInfo(body: Uint8Array): TaskReport;
  /** The answer to an update: a status, or the document from workers whose build knows only that. */
  readUpdated(body: Uint8Array): TaskReport;
  /** Headers of a status request that waits until the version exceeds `version` or `maxWaitMs` has passed. */
  statusHeaders(version: number, maxWaitMs: number): Readonly<Record<string, string>>;
}

/** All splits of one plan node, each created on demand. */
export interface TaskInput {
  readonly planNodeId: string;
  readonly count: number;
  /** An exchange reads its sources in turn and must know all of them at the start. */
  readonly isExchange: boolean;
  split(index: number): TaskSource["splits"][number];
}

/** The splits from `first` (inclusive) to `end` (exclusive). */
export function sourceOf({ planNodeId, count, split }: TaskInput, first = 0, end = count): TaskSource {
  return { planNodeId, splits: Array.from({ length: end - first }, (_, index) => split(first + index)) };
}

/** Splits of one plan node in one request. */
export interface SourceUpdate extends TaskSource {
  readonly noMoreSplits: boolean;
}

export interface TaskUpdate {
  readonly session: SessionFacts;
  readonly fragment: PlanFragment;
  readonly sources: readonly SourceUpdate[];
  readonly outputBuffers: OutputBuffersDescriptor;
  /** Absent if it is the number in the task id. */
  readonly partition: number | undefined;
  /** Present if lost tasks of the query are run again one by one. */
  readonly retryPolicy: "TASK" | undefined;
}

/**
 * The creation request: everything about the task, except for splits beyond the first batch and the dynamic filters that its scans wait
 * for.
 */
export function taskUpdateBody(update: TaskUpdate, texts: FragmentTexts): Uint8Array {
  const { session, fragment, sources, outputBuffers, partition, retryPolicy } = update;
  const rest = stringifyJson({ sources, outputIds: outputBuffers, partition, retryPolicy });
  return encodeUtf8(`{"session":${stringifyJson(session)},"fragment":${texts.textOf(fragment)},${rest.slice(1)}`);
}

/** A request with further splits. It never creates the task. */
export function splitsUpdateBody(update: Omit<TaskUpdate, "fragment" | "partition" | "retryPolicy">): Uint8Array {
  const { session, sources, outputBuffers } = update;
  return encodeUtf8(stringifyJson({ session, sources, outputIds: outputBuffers }));
}

/**
 * The splits of a task, one batch per request. The first batch has every source, with at most `sizeMin` splits of each table. Each later
 * batch has the tables with splits left, and twice as many splits as the one before. So a task with many splits starts at once, and a task
 * that needs no more after the first rows (LIMIT) gets no further splits. A batch grows up to `growthMax` times the first.
 */
export function* splitBatches(
  inputs: readonly TaskInput[],
  sizeMin: number,
  growthMax: number,
): Generator<readonly SourceUpdate[], undefined> {
  let open = inputs;
  let [first, size] = [0, sizeMin];
  do {
    const [from, end] = [first, first + size];
    const endOf = ({ count, isExchange }: TaskInput): number => (isExchange ? count : Math.min(count, end));
    yield open.map((input) => ({ ...sourceOf(input, from, endOf(input)), noMoreSplits: input.count === endOf(input) }));
    open = open.filter((input) => input.count > endOf(input));
    first = end;
    size = Math.min(2 * size, sizeMin * growthMax);
  } while (open.length > 0);
  return undefined;
}

/** A request with dynamic filters; the scans that wait for them read nothing before. It never creates the task. */
export function filterUpdateBody(update: Pick<TaskUpdate, "session" | "outputBuffers">, domains: FilterDomains): Uint8Array {
  const { session, outputBuffers } = update;
  return encodeUtf8(stringifyJson({ session, sources: [], outputIds: outputBuffers, dynamicFilterDomains: domains }));
}

/** A request that says where sources of the task were run again. It never creates the task. */
export function replacedSourcesBody(
  update: Pick<TaskUpdate, "session" | "outputBuffers">,
  replacedSources: readonly ReplacedSource[],
): Uint8Array {
  const { session, outputBuffers } = update;
  return encodeUtf8(stringifyJson({ session, sources: [], outputIds: outputBuffers, replacedSources }));
}

export const taskWire: TaskWire = Object.freeze({
  readStatus: (body: Uint8Array): TaskReport => statusReport(parsed(body)),
  readInfo: (body: Uint8Array): TaskReport => infoReportOf(decodeUtf8(body)),
  readUpdated: (body: Uint8Array): TaskReport => {
    const document = parsed(body);
    return isInfo(document) ? infoReport(document, body.length) : statusReport(document);
  },
  statusHeaders: (version: number, maxWaitMs: number) => ({
    "x-engine-current-version": String(version),
    "x-engine-max-wait": `${maxWaitMs}ms`,
  }),
});

function parsed(body: Uint8Array): unknown {
  return parseJson(decodeUtf8(body));
}

/** A status has no statistics. */
function isInfo(document: unknown): boolean {
  return typeof document === "object" && document !== null && Object.hasOwn(document, "stats");
}

function statusReport(document: unknown): TaskReport {
  const status = read(taskStatusReader, document);
  return reportOf(status, statusCounters(status));
}

/** `length` of the document's text. */
function infoReport(document: unknown, length: number): TaskReport {
  const info = read(taskInfoReader, document);
  const status = info.taskStatus;
  const report =
    status === undefined
      ? reportOf({ ...info, taskInstanceId: info.taskInstanceId ?? "" }, infoCounters(info))
      : reportOf(status, { ...infoCounters(info), ...statusCounters(status) });
  return { ...report, document: new ReportedDocument(length, withoutStatus(info)) };
}

function infoReportOf(text: string): TaskReport {
  const brief = withoutPipelines(text);
  return brief === undefined
    ? infoReport(parseJson(text), text.length)
    : { ...infoReport(parseJson(brief), 0), document: new ReportedDocument(text) };
}

function read<T>(reader: Schema<T>, document: unknown): T {
  const checked = reader.safeParse(document);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw new JsonSyntaxError(`${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
  }
  return checked.data;
}

function reportOf(
  status: Pick<TaskStatusDocument, "state" | "version" | "taskInstanceId" | "failures" | "dynamicFilters" | "blockedReasons" | "warnings">,
  counters: Partial<TaskCounters>,
): TaskReport {
  return {
    state: status.state,
    version: Number(status.version),
    instanceId: status.taskInstanceId,
    failures: status.failures.map((failure) => failureFacts(failure)),
    dynamicFilters: status.dynamicFilters,
    waitsForMemory: status.blockedReasons?.includes("WAITING_FOR_MEMORY") === true,
    warnings: status.warnings,
    counters,
  };
}

function statusCounters(status: TaskStatusDocument): Partial<TaskCounters> {
  return { ...readStatus(status), blockedDrivers: status.blockedDrivers };
}

function infoCounters(info: TaskDocument): TaskCounters {
  const { stats } = info;
  const times = {
    createMillis: parseTimestamp(stats.createTime),
    startMillis: parseTime(stats.startTime),
    endMillis: parseTime(stats.endTime),
  };
  return {
    ...readTask(stats),
    blockedDrivers: stats.blockedDrivers ?? 0,
    ...(times.createMillis === undefined ? {} : { createMillis: times.createMillis }),
    ...(times.startMillis === undefined ? {} : { startMillis: times.startMillis }),
    ...(times.endMillis === undefined ? {} : { endMillis: times.endMillis }),
  };
}

function parseTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimestamp(text);
}
