/**
 * Rows of the timeline: the phases of the query, its stages, their tasks, the tasks' pipelines and drivers. Times are milliseconds since
 * the query's creation. Tasks have the clocks of their nodes, which may differ from the coordinator's. Pure.
 */
import { countText, durationText, nanosOf } from "../../components/format.ts";
import {
  type DriverDocument,
  isOutdated,
  type QueryDetail,
  shortTaskId,
  type StageDetail,
  stageNumber,
  stagesOf,
  type TaskDetail,
} from "../model/documents.ts";

export interface TimelineRow {
  readonly key: string;
  readonly label: string;
  readonly depth: number;
  readonly state: string;
  /** Missing if it has not begun. */
  readonly start: number | undefined;
  /** When it began to run; between `start` and this it was queued. */
  readonly run: number | undefined;
  readonly end: number | undefined;
  readonly isOpen: boolean;
  readonly canOpen: boolean;
  /** Share of the time in which drivers waited, if it is known. */
  readonly blockedRatio: number | undefined;
  readonly note: string;
}

export interface Timeline {
  readonly rows: readonly TimelineRow[];
  /** Length of the query so far, in milliseconds; at least 1. */
  readonly lengthMs: number;
}

export function timelineOf(query: QueryDetail, open: ReadonlySet<string>): Timeline {
  const zero = Date.parse(query.queryStats.createTime);
  const lengthMs = Math.max(1, nanosOf(query.queryStats.elapsedTime) / 1e6);
  const at = (time: string | undefined): number | undefined => {
    const moment = time === undefined ? Number.NaN : Date.parse(time) - zero;
    return Number.isFinite(moment) ? Math.max(0, moment) : undefined;
  };
  const isEnded = query.queryStats.endTime !== undefined;
  const context: Context = { at, nowMs: isEnded ? undefined : lengthMs, open };
  const rows = [...phases(query, lengthMs), ...stagesOf(query).flatMap((stage) => stageRows(stage, context))];
  const last = rows.reduce((max, { start, end }) => Math.max(max, start ?? 0, end ?? 0), lengthMs);
  return { rows, lengthMs: last };
}

interface Context {
  readonly at: (time: string | undefined) => number | undefined;
  /** The present; undefined if the query has ended. */
  readonly nowMs: number | undefined;
  readonly open: ReadonlySet<string>;
}

const closed = { isOpen: false, canOpen: false, blockedRatio: undefined, run: undefined } as const;

function phases(query: QueryDetail, lengthMs: number): readonly TimelineRow[] {
  const { queuedTime, analysisTime, executionStartTime, createTime } = query.queryStats;
  const queued = Math.min(lengthMs, nanosOf(queuedTime) / 1e6);
  const planned = Math.min(lengthMs, queued + nanosOf(analysisTime) / 1e6);
  const started = executionStartTime === undefined ? undefined : Math.max(0, Date.parse(executionStartTime) - Date.parse(createTime));
  const phase = (label: string, state: string, start: number | undefined, end: number | undefined): TimelineRow => ({
    ...closed,
    key: label,
    label,
    depth: 0,
    state,
    start,
    end,
    note: start === undefined || end === undefined ? "" : durationText((end - start) * 1e6),
  });
  return [
    phase("Queued", "QUEUED", 0, queued),
    phase("Planning", "PLANNING", queued, planned),
    phase("Execution", query.state, started, started === undefined ? undefined : Math.max(started, lengthMs)),
  ];
}

function stageRows(stage: StageDetail, context: Context): readonly TimelineRow[] {
  const number = stageNumber(stage.stageId);
  const key = `stage ${number}`;
  const tasks = stage.tasks.map((task) => taskRow(task, stage, context));
  const starts = tasks.flatMap(({ start }) => start ?? []);
  const runs = tasks.flatMap(({ run }) => run ?? []);
  const ends = tasks.flatMap(({ end }) => end ?? []);
  const isOpen = context.open.has(key);
  const row: TimelineRow = {
    key,
    label: `Stage ${number}`,
    depth: 0,
    state: stage.state,
    start: starts.length === 0 ? undefined : Math.min(...starts),
    run: runs.length === 0 ? undefined : Math.min(...runs),
    end: ends.length === 0 ? undefined : Math.max(...ends),
    isOpen,
    canOpen: tasks.length > 0,
    blockedRatio: undefined,
    note: `${stage.tasks.length} ${stage.tasks.length === 1 ? "task" : "tasks"}, CPU ${stage.stageStats.totalCpuTime}`,
  };
  return isOpen ? [row, ...stage.tasks.flatMap((task, index) => withPipelines(task, tasks[index], context))] : [row];
}

function taskRow(task: TaskDetail, stage: StageDetail, { at, nowMs, open }: Context): TimelineRow {
  const { stats } = task;
  const outdated = isOutdated(task, stage);
  const key = `task ${task.taskId}`;
  return {
    key,
    label: `Task ${shortTaskId(task.taskId)}`,
    depth: 1,
    state: outdated ? stage.state : task.state,
    start: at(stats.createTime),
    run: at(stats.startTime),
    end: at(stats.endTime) ?? (outdated ? undefined : nowMs),
    isOpen: open.has(key),
    canOpen: stats.pipelines.length > 0,
    blockedRatio: ratioOf(stats.totalBlockedTime, stats.totalScheduledTime),
    note: outdated
      ? `${task.nodeId ?? ""}: its times follow when the query ends`
      : `${task.nodeId ?? ""}: ${stats.elapsedTime}, CPU ${stats.totalCpuTime}, scheduled ${stats.totalScheduledTime}, blocked ${stats.totalBlockedTime}`,
  };
}

/** Blocked time over blocked and scheduled time. */
function ratioOf(blocked: string | undefined, scheduled: string | undefined): number | undefined {
  const [wait, work] = [nanosOf(blocked), nanosOf(scheduled)];
  return wait + work > 0 ? wait / (wait + work) : undefined;
}

function withPipelines(task: TaskDetail, row: TimelineRow | undefined, context: Context): readonly TimelineRow[] {
  if (row === undefined) {
    return [];
  }
  if (!row.isOpen) {
    return [row];
  }
  const inner = task.stats.pipelines.flatMap((pipeline, index): readonly TimelineRow[] => {
    const types = pipeline.operatorSummaries.map(({ operatorType }) => operatorType.replace(/Operator$/, "")).join(" → ");
    const drivers = (pipeline.drivers ?? []).flatMap((driver, place) => driverRow(driver, { task, index, place }, context));
    const spans = drivers.flatMap(({ start, end }) => (start === undefined || end === undefined ? [] : [{ start, end }]));
    const head: TimelineRow = {
      key: `${row.key} pipeline ${index}`,
      label: `Pipeline ${index}`,
      depth: 2,
      state: task.state,
      start: spans.length === 0 ? row.start : Math.min(...spans.map(({ start }) => start)),
      run: spans.length === 0 ? row.run : undefined,
      end: spans.length === 0 ? row.end : Math.max(...spans.map(({ end }) => end)),
      isOpen: true,
      canOpen: false,
      blockedRatio: ratioOf(pipeline.totalBlockedTime, pipeline.totalScheduledTime),
      note: `${pipeline.completedDrivers} of ${pipeline.totalDrivers} splits: ${types}`,
    };
    return [head, ...drivers];
  });
  return [row, ...inner];
}

function driverRow(
  value: unknown,
  place: { readonly task: TaskDetail; readonly index: number; readonly place: number },
  { at, nowMs }: Context,
): readonly TimelineRow[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const driver = value as DriverDocument;
  const end = at(driver.endTime);
  const run = at(driver.startTime);
  return [
    {
      key: `driver ${place.task.taskId} ${place.index} ${place.place}`,
      label: `Driver ${shortDriverId(driver.driverId ?? place.place, place.task.taskId)}`,
      depth: 3,
      state: end !== undefined ? "FINISHED" : run === undefined ? "QUEUED" : place.task.state,
      start: at(driver.createTime) ?? run,
      run,
      end: end ?? nowMs ?? at(place.task.stats.endTime),
      isOpen: false,
      canOpen: false,
      blockedRatio: ratioOf(textOf(driver["totalBlockedTime"]), textOf(driver["totalScheduledTime"])),
      note: driverNote(driver),
    },
  ];
}

/** `1.0`, pipeline and split, for an id that begins with the task's. */
function shortDriverId(id: number | string, taskId: string): string {
  const text = String(id);
  return text.startsWith(`${taskId}.`) ? text.slice(taskId.length + 1) : text;
}

function driverNote(driver: DriverDocument): string {
  const rows = driver["rawInputPositions"];
  const parts = [
    typeof rows === "number" ? `${countText(rows)} rows` : "",
    ...(["totalCpuTime", "totalScheduledTime", "totalBlockedTime"] as const).map((name) => {
      const time = textOf(driver[name]);
      return time === undefined ? "" : `${driverTimes[name]} ${time}`;
    }),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

const driverTimes = { totalCpuTime: "CPU", totalScheduledTime: "scheduled", totalBlockedTime: "blocked" } as const;

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A part of the time axis, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Zooms a span around a point of it; never beyond the whole, never below a hundredth of a millisecond. */
export function zoomSpan(span: Span, factor: number, at: number, lengthMs: number): Span {
  const length = Math.min(lengthMs, Math.max(0.01, (span.to - span.from) / factor));
  const ratio = (at - span.from) / Math.max(1e-9, span.to - span.from);
  return moveInto({ from: at - length * ratio, to: at + length * (1 - ratio) }, lengthMs);
}

/** Moves a span so that it is inside of the whole. */
export function moveInto({ from, to }: Span, lengthMs: number): Span {
  const length = Math.min(lengthMs, to - from);
  const start = Math.min(Math.max(0, from), lengthMs - length);
  return { from: start, to: start + length };
}

/** Round times inside of a span, about `count` of them. */
export function ticksOf({ from, to }: Span, count: number): readonly number[] {
  const rough = Math.max(1e-6, (to - from) / Math.max(1, count));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? rough;
  const ticks: number[] = [];
  for (let index = Math.ceil(from / step); index * step <= to && ticks.length <= 2 * count + 2; index++) {
    ticks.push(index * step);
  }
  return ticks;
}

/** `0`, `1.5 ms`, `200 ms`, `12 s` */
export function tickText(ms: number): string {
  if (ms === 0) {
    return "0";
  }
  if (ms < 1) {
    return `${Number((ms * 1000).toPrecision(4))} us`;
  }
  return ms < 1000 ? `${Number(ms.toPrecision(6))} ms` : `${Number((ms / 1000).toPrecision(6))} s`;
}
