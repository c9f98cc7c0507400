/**
 * The life of a task on its worker, written from docs/interface.md (States, Task), section 2.4 of the interface and decision 30:
 * - The state goes forward only, and an end is final: the document does not change after it, and DELETE answers with it.
 * - The end of a task, its output buffer and its failures belong together.
 * - Each split is added once, under the sequence id that the coordinator gave it; none follows noMoreSplits, which is sticky.
 * - The set of output buffers is fixed when the task is created.
 * - After DELETE the task is 404. Before it, the task is known as long as it has not ended, and for `task.info.max-age` after its end.
 * - A reader to which the task is promised waits for it: it is 404 to that reader only when it has ended or was deleted.
 */
import { durationProperty } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import { headerOf, isTaskDocument, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** States that may follow, besides the state itself. */
const ends = ["FINISHED", "CANCELED", "ABORTED", "FAILED"];
const following: Readonly<Record<string, readonly string[]>> = {
  PLANNED: ["RUNNING", "FLUSHING", ...ends],
  RUNNING: ["FLUSHING", ...ends],
  FLUSHING: ends,
};
/** State of the output buffer by the end of its task. A failed or aborted producer never looks like the end of its data. */
const bufferAtEnd: Readonly<Record<string, string>> = { FINISHED: "FINISHED", CANCELED: "FINISHED", ABORTED: "FAILED", FAILED: "FAILED" };
const bufferOrder = ["OPEN", "NO_MORE_BUFFERS", "NO_MORE_PAGES", "FLUSHING", "FINISHED", "FAILED"];
const deletion = / DELETE \/v1\/task\/([^/?]+)/;
/** Share of an age that is certain on a clock that drifts. */
const driftShare = 0.999;
const scans = /^(?:TableScan|ScanFilterAndProject)Operator$/;

interface Status {
  readonly taskId: string;
  readonly taskInstanceId: string;
  readonly version: number;
  readonly state: string;
  readonly self: string;
  readonly nodeId: string;
  readonly failures: readonly unknown[];
  readonly outputBufferState: string;
  readonly totalDrivers: number;
  readonly queuedDrivers: number;
  readonly completedDrivers: number;
  readonly dynamicFilters?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly unknown[];
}

interface Info {
  readonly noMoreSplits: readonly string[];
  readonly outputBuffers: { readonly state: string; readonly buffers: readonly { readonly bufferId: string }[] };
  readonly stats: {
    readonly endTime?: string;
    readonly pipelines: readonly {
      readonly totalDrivers: number;
      readonly operatorSummaries: readonly { readonly operatorType: string; readonly planNodeId?: string }[];
    }[];
  };
  readonly taskStatus: Status;
}

interface Update {
  readonly sources: readonly {
    readonly planNodeId: string;
    readonly splits: readonly { readonly sequenceId: number; readonly split: unknown }[];
    readonly noMoreSplits: boolean;
  }[];
  readonly outputIds: { readonly bufferCount: number };
}

/** One task of one incarnation of a node. */
interface Life {
  state: string;
  version: number;
  bufferState: string;
  failures: number;
  /** What a poller has seen of the task. */
  news: string;
  /** The status and the statistics of the end. */
  end: string | undefined;
  endStats: string | undefined;
  buffers: number | undefined;
  /** Splits by sequence id, with the plan node that they are for, and the plan nodes whose splits are complete. */
  readonly splits: Map<number, string>;
  readonly splitsOf: Map<string, { readonly count: number; readonly last: number }>;
  readonly complete: Set<string>;
  deletedNanos: number | undefined;
  /** Local time at which an answer last showed the task before its end. */
  liveNanos: number;
}

class TaskLifeModel implements Model {
  readonly notes = ["serve"];
  readonly #context: Judged;
  /** Tasks for which a deletion has arrived, which may not have been answered: `w1 T`. */
  readonly #deleting = new Set<string>();
  readonly #lives = new Map<string, Life>();
  readonly #infoAgeNanos: number;

  constructor(context: Judged) {
    this.#context = context;
    this.#infoAgeNanos = durationProperty(context.plan.properties, "task.info.max-age") * nanosPerMs * driftShare;
  }

  note({ place, detail }: Note): void {
    const taskId = detail.includes(" DELETE /v1/task/") ? deletion.exec(detail)?.[1] : undefined;
    if (taskId !== undefined) {
      this.#deleting.add(`${place} ${taskId}`);
    }
  }

  observe(answer: Observed): void {
    const { task, to, request, response } = answer;
    if (task === undefined) {
      return;
    }
    const key = `${to}#${this.#context.facts.livesOf(to)} ${task.taskId}`;
    const life = this.#lives.get(key);
    if (task.what === "results") {
      this.#read(answer, this.#deleting.has(`${to} ${task.taskId}`) || ends.includes(life?.state ?? ""));
    }
    if (task.what !== "task" && task.what !== "status") {
      return;
    }
    if (response.status !== 200) {
      this.#refused(answer, life);
      return;
    }
    const known = life ?? emptyLife();
    this.#lives.set(key, known);
    if (request.method === "POST") {
      this.#update(`${task.taskId} on ${to}`, known, readBody(request.body).json() as Update);
    }
    if (isTaskDocument(answer)) {
      const info = answer.json() as Info;
      this.#status(answer, known, info.taskStatus);
      this.#info(`${task.taskId} on ${to}`, known, info);
    } else {
      this.#status(answer, known, answer.json() as Status);
    }
    if (!ends.includes(known.state) || known.liveNanos === 0) {
      known.liveNanos = this.#context.localNanos(to);
    }
    if (request.method === "DELETE") {
      this.#deleted(answer, known);
    }
  }

  #read({ task, to, request, response }: Observed, isOver: boolean): void {
    if (response.status === 404 && headerOf(request.headers, "x-engine-task-promised") !== undefined) {
      this.#check(isOver, () => `${to} answered a reader of ${task?.taskId ?? ""}, which is promised and not over, with 404`);
    }
  }

  /** A node knows each task that it has created, until somebody deletes it or its age is over: 404 about it loses a task. */
  #refused({ task, to, request, response, arrivedNanos }: Observed, life: Life | undefined): void {
    if (life !== undefined && life.deletedNanos === undefined && !this.#deleting.has(`${to} ${task?.taskId ?? ""}`)) {
      const age = this.#context.localNanos(to) - life.liveNanos;
      this.#check(
        response.status !== 404 || age >= this.#infoAgeNanos,
        () =>
          `${to} does not know ${task?.taskId ?? ""}, which was ${life.state} ${(age / nanosPerMs).toFixed(0)} ms ago, ` +
          `before ${(this.#infoAgeNanos / nanosPerMs).toFixed(0)} ms are over`,
      );
    }
    if (life?.deletedNanos !== undefined && life.deletedNanos < arrivedNanos && request.method === "GET") {
      this.#check(
        [404, 410, 412, 503].includes(response.status),
        () => `${to} answered ${request.method} of the deleted task ${task?.taskId ?? ""} with ${response.status}, not with 404`,
      );
    }
  }

  #update(who: string, life: Life, { sources, outputIds }: Update): void {
    const completeBefore = new Set(life.complete);
    for (const { planNodeId, splits, noMoreSplits } of sources) {
      for (const { sequenceId, split } of splits) {
        const text = `${planNodeId} ${JSON.stringify(split)}`;
        const known = life.splits.get(sequenceId);
        this.#check(known === undefined ? !completeBefore.has(planNodeId) : known === text, () =>
          known === undefined
            ? `${who} is given split ${sequenceId} of plan node ${planNodeId}, which had no more splits`
            : `${who} is given another split under the sequence id ${sequenceId} than before`,
        );
        if (known === undefined) {
          this.#numbered(who, life, planNodeId, sequenceId);
          life.splits.set(sequenceId, text);
        }
      }
      if (noMoreSplits) {
        life.complete.add(planNodeId);
      }
    }
    const isWhole = [...life.splitsOf.keys()].every((planNodeId) => life.complete.has(planNodeId));
    this.#check(
      !isWhole || Math.max(-1, ...life.splits.keys()) === life.splits.size - 1,
      () => `${who} was given all of its ${life.splits.size} splits, with sequence ids up to ${Math.max(...life.splits.keys())}`,
    );
    this.#check(
      (life.buffers ?? outputIds.bufferCount) === outputIds.bufferCount,
      () => `${who} had ${String(life.buffers)} output buffers and is told to have ${outputIds.bufferCount}`,
    );
    life.buffers ??= outputIds.bufferCount;
  }

  /** The splits of all sources are numbered; a source gets its numbers in turn. */
  #numbered(who: string, life: Life, planNodeId: string, sequenceId: number): void {
    const { count, last } = life.splitsOf.get(planNodeId) ?? { count: 0, last: sequenceId - 1 };
    this.#check(
      sequenceId === last + 1,
      () => `${who} was given split ${last} of plan node ${planNodeId}, and as the next one split ${sequenceId}`,
    );
    life.splitsOf.set(planNodeId, { count: count + 1, last: sequenceId });
  }

  #status({ to, task, text }: Observed, life: Life, status: Status): void {
    const { state, version, failures, outputBufferState } = status;
    const who = `${task?.taskId ?? ""} on ${to}`;
    this.#check(
      status.taskId === task?.taskId && status.nodeId === to && status.self.endsWith(`/v1/task/${status.taskId}`),
      () => `${who} calls itself ${status.taskId} of ${status.nodeId} at ${status.self}`,
    );
    const isNew = state === life.state || (following[life.state] ?? []).includes(state);
    this.#check(isNew, () => `${who} went from ${life.state} to ${state}`);
    const changed = state !== life.state || failures.length !== life.failures;
    this.#check(
      version > life.version || (version === life.version && !changed),
      () => `${who} was ${life.state} with ${life.failures} failures in version ${life.version}, and is ${state} in version ${version}`,
    );
    this.#check(failures.length >= life.failures, () => `${who} had ${life.failures} failures and has ${failures.length}`);
    this.#check(
      bufferOrder.indexOf(outputBufferState) >= bufferOrder.indexOf(life.bufferState),
      () => `the output of ${who} went from ${life.bufferState} to ${outputBufferState}`,
    );
    const news = newsOf(life, status);
    this.#check(
      version === life.version || news !== life.news,
      () => `${who} went from version ${life.version} to ${version}, and nothing that a poller should see has changed: ${news}`,
    );
    life.news = news;
    this.#checkEnd(who, status);
    if (ends.includes(state)) {
      const end = JSON.stringify(status);
      this.#check((life.end ?? end) === end, () => `${who} ended as ${String(life.end)} and is now ${text().slice(0, 1000)}`);
      life.end ??= end;
    }
    life.state = state;
    life.version = version;
    life.failures = failures.length;
    life.bufferState = outputBufferState;
  }

  /** What belongs together: the state, the failures, the output buffer and the drivers. */
  #checkEnd(who: string, { state, failures, outputBufferState, totalDrivers, completedDrivers }: Status): void {
    const expected = bufferAtEnd[state];
    this.#check(
      expected === undefined ? outputBufferState !== "FAILED" && outputBufferState !== "FINISHED" : outputBufferState === expected,
      () => `${who} is ${state} and its output is ${outputBufferState}`,
    );
    this.#check((state === "FAILED") === failures.length > 0, () => `${who} is ${state} and has ${failures.length} failures`);
    this.#check(
      state !== "FLUSHING" || (outputBufferState === "FLUSHING" && completedDrivers === totalDrivers),
      () => `${who} is FLUSHING with ${completedDrivers} of ${totalDrivers} drivers completed, its output is ${outputBufferState}`,
    );
  }

  #info(who: string, life: Life, { noMoreSplits, outputBuffers, stats, taskStatus }: Info): void {
    const isEnded = ends.includes(taskStatus.state);
    // An ended task takes no more splits, and the coordinator may not know the end yet.
    this.#check(
      (isEnded || noMoreSplits.length === life.complete.size) && noMoreSplits.every((id) => life.complete.has(id)),
      () => `${who} has no more splits of ${noMoreSplits.join()}; it was told so of ${[...life.complete].join()}`,
    );
    this.#check(
      life.buffers === undefined || outputBuffers.buffers.map(({ bufferId }) => bufferId).join() === ids(life.buffers),
      () => `${who} has the buffers ${outputBuffers.buffers.map(({ bufferId }) => bufferId).join()}, not ${ids(life.buffers ?? 0)}`,
    );
    this.#check(
      outputBuffers.state === taskStatus.outputBufferState,
      () => `the output of ${who} is ${outputBuffers.state} and ${taskStatus.outputBufferState} in one document`,
    );
    this.#check(
      (stats.endTime !== undefined) === isEnded,
      () => `${who} is ${taskStatus.state} and has ${stats.endTime === undefined ? "no end" : `ended at ${stats.endTime}`}`,
    );
    for (const { totalDrivers, operatorSummaries } of stats.pipelines) {
      const [first] = operatorSummaries;
      const given = first !== undefined && scans.test(first.operatorType) ? life.splitsOf.get(first.planNodeId ?? "")?.count : undefined;
      this.#check(
        // A task that has ended answers an update with splits, and takes none.
        given === undefined || totalDrivers === given || (isEnded && totalDrivers < given),
        () => `${who} was given ${String(given)} splits of plan node ${first?.planNodeId ?? ""} and has ${totalDrivers}`,
      );
    }
    if (isEnded) {
      const end = JSON.stringify(stats);
      this.#check((life.endStats ?? end) === end, () => `the statistics of ${who} change after its end: ${String(life.endStats)}, ${end}`);
      life.endStats ??= end;
    }
  }

  #deleted({ to, task, request, nowNanos }: Observed, life: Life): void {
    const expected = /[?&]abort=false/.test(request.url) ? "CANCELED" : "ABORTED";
    this.#check(
      life.state === expected || life.state === "FINISHED" || life.state === "FAILED" || life.deletedNanos !== undefined,
      () => `${task?.taskId ?? ""} on ${to} was deleted with ${request.url} and is ${life.state}`,
    );
    life.deletedNanos ??= nowNanos;
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

/** Changes of state, failures, drivers, splits and filters raise the version. */
function newsOf({ splits, complete }: Life, status: Status): string {
  const { state, failures, outputBufferState, totalDrivers, completedDrivers, queuedDrivers, dynamicFilters = {}, warnings = [] } = status;
  const drivers = `${totalDrivers}/${queuedDrivers}/${completedDrivers}`;
  const filters = Object.keys(dynamicFilters).length;
  return [state, failures.length, outputBufferState, drivers, splits.size, complete.size, filters, warnings.length].join(" ");
}

function ids(count: number): string {
  return Array.from({ length: count }, (_, index) => index).join();
}

function emptyLife(): Life {
  return {
    state: "PLANNED",
    version: 0,
    bufferState: "OPEN",
    failures: 0,
    news: "",
    end: undefined,
    endStats: undefined,
    buffers: undefined,
    splits: new Map(),
    splitsOf: new Map(),
    complete: new Set(),
    deletedNanos: undefined,
    liveNanos: 0,
  };
}

export const taskLife: ModelKind = {
  invariant: {
    name: "task-life",
    sentence:
      "A task's state goes forward, its end is final and agrees with its buffers and failures; each split is added once and none after noMoreSplits; a deleted task is 404.",
    kind: "safety",
    checkedIn: "checkers/models/node/task-life.ts",
  },
  create: (context) => new TaskLifeModel(context),
};
