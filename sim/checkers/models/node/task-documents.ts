/**
 * What a task's document says of itself, written from docs/interface.md (Task; sections 2.4 and 2.5 of the interface):
 * - It names the task, its node, its address and one instance, and these stay.
 * - Its times are those of the node's clock: it was created with its first update, was queued until it ran, and lasts until it ends. A
 *   start and an end are told if they have been.
 * - Its version rises with what it shows: a state, a source that has all its splits, splits, drivers that completed, warnings, filters. It
 *   does not rise by itself, because each rise wakes whoever waits for news.
 */
import { parseDuration } from "../../../../src/protocol/units.ts";
import { nanosPerMs } from "../../../world/world.ts";
import { isTaskDocument, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind } from "../model.ts";

/** Times are written with two decimal places, timestamps in milliseconds. */
const roundingShare = 0.006;
const roundingNanos = 10;
const timestampNanos = 3 * nanosPerMs;
const ends: ReadonlySet<string> = new Set(["FINISHED", "CANCELED", "ABORTED", "FAILED"]);
const ranks = ["PLANNED", "RUNNING", "FLUSHING"];

interface Info {
  readonly taskId: string;
  readonly taskInstanceId: string;
  readonly nodeId?: string;
  readonly version: number;
  readonly state: string;
  readonly self: string;
  readonly noMoreSplits: readonly string[];
  readonly failures: readonly unknown[];
  readonly taskStatus?: {
    readonly version: number;
    readonly state: string;
    readonly dynamicFilters?: object;
    readonly warnings?: unknown[];
  };
  readonly stats: {
    readonly createTime: string;
    readonly startTime?: string;
    readonly endTime?: string;
    readonly elapsedTime: string;
    readonly queuedTime: string;
    readonly totalDrivers: number;
    readonly completedDrivers: number;
    readonly pipelines: readonly {
      readonly operatorSummaries: readonly { readonly info?: { readonly pageBufferClientStatuses: readonly unknown[] } }[];
    }[];
  };
}

/** One task on one life of a node. Times are nanoseconds of the node's monotonic clock. */
interface Task {
  readonly instance: string;
  /** Undefined if the first update was not answered in the event in which it arrived. */
  readonly createdNanos: number | undefined;
  /** As the last document told them, once the task had started, and once it had ended. */
  queuedTime: string | undefined;
  elapsedTime: string | undefined;
  /** For how long the task had existed by the last document. */
  existed: number;
  version: number;
  state: string;
  noMoreSplits: number;
  changes: number;
}

class TaskDocumentModel implements Model {
  readonly notes = ["start", "crash", "stopped"];
  readonly #context: Judged;
  readonly #tasks = new Map<string, Task>();
  /** Steps of a wall clock move timestamps. */
  readonly #hasSteps: boolean;

  constructor(context: Judged) {
    this.#context = context;
    this.#hasSteps = context.plan.faults.some(({ kind }) => kind.startsWith("clock"));
  }

  note({ place }: { readonly place: string }): void {
    for (const key of this.#tasks.keys()) {
      if (key.startsWith(`${place} `)) {
        this.#tasks.delete(key);
      }
    }
  }

  observe(answer: Observed): void {
    const { task, to, request, response, arrivedNanos, nowNanos, json } = answer;
    if (task?.what !== "task" || response.status !== 200) {
      return;
    }
    const info = json() as Info;
    const key = `${to} ${info.taskId}`;
    const isWhole = isTaskDocument(answer);
    let known = this.#tasks.get(key);
    if (known === undefined && request.method === "POST") {
      const createdNanos = arrivedNanos === nowNanos ? this.#context.localNanos(to) : undefined;
      known = { instance: info.taskInstanceId, createdNanos, ...(isWhole ? seen(info) : unseen) };
      this.#tasks.set(key, known);
    }
    if (known === undefined) {
      return;
    }
    this.#names(to, info, known);
    if (!isWhole) {
      return;
    }
    this.#clock(to, info, known);
    this.#version(info, known);
    if (request.method === "DELETE") {
      this.#tasks.delete(key);
    } else {
      Object.assign(known, seen(info));
    }
  }

  #names(place: string, { taskId, taskInstanceId, self, version, state, taskStatus, failures }: Info, { instance }: Task): void {
    this.#check(
      self.endsWith(`/v1/task/${taskId}`) && self.startsWith(`http://${place}:`) && taskInstanceId === instance,
      () => `${taskId} on ${place} calls itself ${self}, instance ${taskInstanceId}, which was ${instance}`,
    );
    this.#check(
      taskStatus === undefined || (taskStatus.version === version && taskStatus.state === state),
      () => `${taskId} is ${state} in version ${version}; its status says ${String(taskStatus?.state)} and ${String(taskStatus?.version)}`,
    );
    this.#check((state === "FAILED") === failures.length > 0, () => `${taskId} is ${state} with ${failures.length} failures`);
  }

  #clock(place: string, { taskId, state, stats }: Info, task: Task): void {
    const { createTime, startTime, endTime, elapsedTime, queuedTime } = stats;
    const { createdNanos } = task;
    this.#check(
      (startTime !== undefined || ends.has(state)) === (state !== "PLANNED") && (endTime !== undefined) === ends.has(state),
      () => `${taskId} is ${state}, started at ${String(startTime)} and ended at ${String(endTime)}`,
    );
    const [elapsed, queued] = [elapsedTime, queuedTime].map((text) => parseDuration(text) ?? Number.NaN) as [number, number];
    const total = createdNanos === undefined ? elapsed : this.#context.localNanos(place) - createdNanos;
    this.#check(
      ends.has(state)
        ? elapsed <= total * (1 + roundingShare) + roundingNanos &&
            elapsed >= task.existed * (1 - 2 * roundingShare) &&
            elapsedTime === (task.elapsedTime ?? elapsedTime)
        : near(elapsed, total),
      () =>
        `${taskId}, ${state}, exists for ${elapsedTime}, before for ${String(task.elapsedTime)}; by the clock of ${place} for ${total} ns`,
    );
    this.#check(
      startTime === undefined
        ? near(queued, elapsed)
        : queuedTime === (task.queuedTime ?? queuedTime) && queued <= elapsed * (1 + roundingShare),
      () =>
        `${taskId}, started at ${String(startTime)}, was queued for ${queuedTime} of ${elapsedTime}, before for ${String(task.queuedTime)}`,
    );
    if (this.#hasSteps) {
      return;
    }
    const [created, started, ended] = [createTime, startTime, endTime].map((text) => Date.parse(text ?? "") * nanosPerMs) as [
      number,
      number,
      number,
    ];
    const told = (from: number, to: number, nanos: number): boolean =>
      Number.isNaN(to) || Math.abs(to - from - nanos) <= timestampNanos + nanos * roundingShare;
    this.#check(
      told(created, started, queued) && told(created, ended, elapsed),
      () =>
        `${taskId}, queued for ${stats.queuedTime} of ${stats.elapsedTime}, says ${createTime}, ${String(startTime)}, ${String(endTime)}`,
    );
  }

  #version(info: Info, before: Task): void {
    const { taskId, version, state } = info;
    const now = seen(info);
    const rises = version - before.version;
    // A task that ends leaves versions that nobody could see.
    this.#check(
      rises <= now.changes - before.changes || ends.has(state),
      () => `${taskId} went from version ${before.version} to ${version}, and ${now.changes - before.changes} things changed`,
    );
    const least = now.noMoreSplits - before.noMoreSplits + (state === before.state ? 0 : 1);
    this.#check(
      rises >= least,
      () => `${taskId} went from version ${before.version} to ${version}, ${before.state} to ${state}, and ${least} things changed`,
    );
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function near(told: number, nanos: number): boolean {
  return Math.abs(told - nanos) <= 2 * nanos * roundingShare + roundingNanos;
}

/** Of a task that no document has shown. Its first version tells of its creation. */
const unseen: Omit<Task, "instance" | "createdNanos"> = {
  version: 1,
  state: "PLANNED",
  noMoreSplits: 0,
  changes: 0,
  queuedTime: undefined,
  elapsedTime: undefined,
  existed: 0,
};

/** What a document shows of the changes that raise a version. */
function seen({ version, state, noMoreSplits, taskStatus, stats }: Info): Omit<Task, "instance" | "createdNanos"> {
  const sources = stats.pipelines.reduce(
    (sum, { operatorSummaries }) => sum + (operatorSummaries[0]?.info?.pageBufferClientStatuses.length ?? 0),
    0,
  );
  const rank = ranks.indexOf(state);
  const changes =
    (rank < 0 ? ranks.length : rank) +
    noMoreSplits.length +
    stats.totalDrivers +
    stats.completedDrivers +
    sources +
    (taskStatus?.warnings?.length ?? 0) +
    Object.keys(taskStatus?.dynamicFilters ?? {}).length;
  return {
    version,
    state,
    noMoreSplits: noMoreSplits.length,
    changes,
    queuedTime: stats.startTime === undefined ? undefined : stats.queuedTime,
    elapsedTime: ends.has(state) ? stats.elapsedTime : undefined,
    existed: parseDuration(stats.elapsedTime) ?? 0,
  };
}

export const taskDocuments: ModelKind = {
  invariant: {
    name: "task-documents",
    sentence:
      "The document of a task names the task, its node and one instance; its times are those of the node's clock; its version rises with what it shows, and not by itself.",
    kind: "safety",
    checkedIn: "checkers/models/node/task-documents.ts",
  },
  create: (context) => new TaskDocumentModel(context),
};
