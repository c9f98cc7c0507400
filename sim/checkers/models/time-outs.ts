/**
 * Model of time-outs: each is measured from the event that its document names, in the unit that its property has, by the monotonic clock of
 * the node that enforces it. Written from docs/interface.md ("Limits of a query", "Node") and docs/configuration.md: query.client.timeout
 * from the last answer to the client, which is not silent while it waits for one, query.max-run-time from the submission and
 * query.max-execution-time from the plan (session properties may lower them), node-scheduler.allowed-no-matching-node-period and
 * query-manager.required-workers-max-wait from when the query waits for workers, task.client.timeout from the coordinator's last request
 * about the task, task.info.max-age from the task's end. The published protocol enforces them in a loop of one second; a limit may be
 * noticed that much later, and never earlier.
 */
import { parseDurationMs } from "../../../src/protocol/units.ts";
import { durationProperty } from "../../properties.ts";
import { nanosPerMs } from "../../world/world.ts";
import { headerOf, type Observed } from "../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";
import { familyOf, statementAnswer } from "./statement/answer.ts";

/** The loop that enforces time-outs, and a node that computes. */
const loopMs = 3_000;
/** Places looked at each time, in turn; all of them would cost more the larger the cluster. */
const lookedAtMax = 32;
/** The clock may have changed its speed while a request waited. */
const roundingMs = 250;
const ended = /^(?:FINISHED|FAILED|CANCELED|ABORTED)$/;

/** Times of a query, in milliseconds of the coordinator's clock. */
interface Query {
  readonly limits: Readonly<Record<string, number>>;
  readonly arrivedMs: number;
  /** Arrival of the client's last request, and the last response to it. */
  askedMs: number;
  answeredMs: number;
  waitingMs: number | undefined;
  plannedMs: number | undefined;
  failedMs: number | undefined;
  /** A request of its client was under way when the query failed. */
  isAwaited: boolean;
  isSaid: boolean;
}

/** Times of a task, in milliseconds of its node's clock. */
interface Task {
  askedMs: number;
  /** When a response last showed it live, and when one first showed it ended. */
  liveMs: number;
  endedMs: number | undefined;
  isDeleted: boolean;
}

class TimeOuts implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #queries = new Map<string, Query>();
  /** Transitions of a query that come before the response that names it. */
  readonly #early = new Map<string, Pick<Query, "waitingMs" | "plannedMs" | "failedMs">>();
  /** Tasks by place. */
  readonly #tasks = new Map<string, Map<string, Task>>();
  #looked = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
  }

  note({ place }: Note): void {
    this.#tasks.set(place, new Map());
    if (place === this.#coordinator) {
      this.#queries.clear();
      this.#early.clear();
    }
  }

  observeTransition({ place, kind, id, to }: Transition): void {
    const nowMs = this.#localMs(place);
    if (kind === "query") {
      const times = this.#queries.get(id) ?? this.#early.get(id) ?? { waitingMs: undefined, plannedMs: undefined, failedMs: undefined };
      if (!this.#queries.has(id)) {
        this.#early.set(id, times);
      }
      if (to === "WAITING_FOR_RESOURCES") {
        times.waitingMs = nowMs;
      } else if (to === "FAILED") {
        times.failedMs = nowMs;
      } else {
        times.waitingMs = undefined;
        times.plannedMs ??= to === "STARTING" || to === "RUNNING" ? nowMs : undefined;
      }
      if (to === "FINISHED") {
        this.#finished(id, nowMs);
      }
    }
  }

  observe(answer: Observed): void {
    const { task } = answer;
    if (task !== undefined) {
      if (task.what === "task" || task.what === "status") {
        this.#taskAsked(answer, task.taskId);
      }
      return;
    }
    const said = answer.to === this.#coordinator ? statementAnswer(answer) : undefined;
    if (said === undefined || said.status >= 300) {
      return;
    }
    const nowMs = this.#localMs(answer.to);
    const askedMs = nowMs - (answer.nowNanos - answer.arrivedNanos) / nanosPerMs;
    const known = this.#queries.get(said.id);
    if (known === undefined && said.isSubmission) {
      const early = this.#early.get(said.id) ?? { waitingMs: undefined, plannedMs: undefined, failedMs: undefined };
      this.#early.delete(said.id);
      const limits = this.#limitsOf(answer);
      const isAwaited = early.failedMs !== undefined;
      this.#queries.set(said.id, { limits, arrivedMs: askedMs, askedMs, answeredMs: nowMs, ...early, isAwaited, isSaid: false });
    } else if (known?.failedMs !== undefined && answer.request.method === "GET") {
      known.isAwaited ||= askedMs < known.failedMs - roundingMs;
    } else if (known !== undefined && known.failedMs === undefined && answer.request.method !== "DELETE") {
      known.askedMs = Math.max(known.askedMs, askedMs);
      known.answeredMs = nowMs;
    }
    const error = said.document?.error;
    const query = this.#queries.get(said.id);
    if (error !== undefined && query !== undefined && !query.isSaid) {
      query.isSaid = true;
      this.#failed(said.id, query, String(error["errorName"]), String(error["message"]));
    }
  }

  /** The session may only lower a limit. */
  #limitsOf({ request }: Observed): Readonly<Record<string, number>> {
    const text = headerOf(request.headers, `x-${familyOf(request) ?? "engine"}-session`) ?? "";
    const session = new Map(
      text.split(",").map((entry) => [entry.split("=")[0]?.trim() ?? "", decodeURIComponent(entry.split("=")[1] ?? "")]),
    );
    const limit = (property: string): number => {
      const own = parseDurationMs(session.get(property.replace(/[.-]/g, "_")) ?? "") ?? Number.POSITIVE_INFINITY;
      return Math.min(own, durationProperty(this.#context.plan.properties, property));
    };
    return { run: limit("query.max-run-time"), execution: limit("query.max-execution-time") };
  }

  #failed(id: string, query: Query, errorName: string, message: string): void {
    const { limits, arrivedMs, askedMs, answeredMs, isAwaited, waitingMs, plannedMs, failedMs } = query;
    const { properties } = this.#context.plan;
    if (failedMs === undefined) {
      return;
    }
    const check = (what: string, limitMs: number, sinceMs: number | undefined, latestMs = sinceMs): void => {
      const spentMs = failedMs - (sinceMs ?? failedMs);
      const lateMs = failedMs - (latestMs ?? failedMs) - limitMs;
      this.#check(spentMs >= limitMs - roundingMs, () => `${id} failed ${spentMs.toFixed(0)} ms after ${what}, and may take ${limitMs} ms`);
      const holds = lateMs <= loopMs || this.#context.facts.hitSince(this.#coordinator, 0);
      this.#check(holds, () => `${id} failed as late as ${lateMs.toFixed(0)} ms after the ${limitMs} ms since ${what}`);
    };
    if (errorName === "ABANDONED_QUERY") {
      // Before an answer leaves, a coordinator on stand-by asks for its lease, and the query knows nothing of that.
      const isServedAtOnce = this.#context.plan.standby === undefined;
      const lastMs = isServedAtOnce ? answeredMs : askedMs;
      check("the last answer to its client", durationProperty(properties, "query.client.timeout"), lastMs, answeredMs);
      this.#check(!isServedAtOnce || !isAwaited, () => `${id} was abandoned while its client waited for an answer`);
    } else if (errorName === "EXCEEDED_TIME_LIMIT") {
      const isRun = !message.includes("execution");
      check(isRun ? "its submission" : "its plan", limits[isRun ? "run" : "execution"] ?? 0, isRun ? arrivedMs : (plannedMs ?? arrivedMs));
    } else if (errorName === "NO_NODES_AVAILABLE" && waitingMs !== undefined) {
      const periodMs = durationProperty(properties, "node-scheduler.allowed-no-matching-node-period");
      this.#check(
        failedMs - waitingMs >= periodMs - roundingMs,
        () => `${id} waited ${failedMs - waitingMs} ms for workers, not ${periodMs}`,
      );
    } else if (errorName === "GENERIC_INSUFFICIENT_RESOURCES" && waitingMs !== undefined) {
      const periodMs = durationProperty(properties, "query-manager.required-workers-max-wait");
      this.#check(
        failedMs - waitingMs >= periodMs - roundingMs,
        () => `${id} waited ${failedMs - waitingMs} ms for workers, not ${periodMs}`,
      );
    }
  }

  /** A query that succeeds has not had more than its time. */
  #finished(id: string, nowMs: number): void {
    const query = this.#queries.get(id);
    if (query !== undefined && !this.#context.facts.hitSince(this.#coordinator, 0)) {
      const { limits, arrivedMs, plannedMs = nowMs } = query;
      const runMs = nowMs - arrivedMs - (limits["run"] ?? 0);
      const executionMs = nowMs - plannedMs - (limits["execution"] ?? 0);
      this.#check(Math.max(runMs, executionMs) <= loopMs, () => `${id} succeeded after more time than it may take`);
    }
  }

  #taskAsked(answer: Observed, taskId: string): void {
    const { to, request, response } = answer;
    const nowMs = this.#localMs(to);
    const known = this.#tasks.get(to)?.get(taskId);
    const task = known ?? { askedMs: nowMs, liveMs: nowMs, endedMs: undefined, isDeleted: false };
    if (response.status === 200) {
      this.#tasks.get(to)?.set(taskId, task);
      const isEnded = /"state":"(?:FINISHED|CANCELED|ABORTED|FAILED)"/.test(answer.text());
      task.isDeleted ||= request.method === "DELETE";
      task.askedMs = nowMs;
      task.liveMs = isEnded ? task.liveMs : nowMs;
      task.endedMs ??= isEnded ? nowMs : undefined;
    } else if (response.status === 404 && known !== undefined && !task.isDeleted) {
      const ageMs = nowMs - task.liveMs;
      const keptMs = durationProperty(this.#context.plan.properties, "task.info.max-age");
      this.#check(ageMs >= keptMs - roundingMs, () => {
        return `${to} has forgotten ${taskId}, which was live ${ageMs.toFixed(0)} ms ago, and is to be kept for ${keptMs} ms`;
      });
    }
  }

  /** Tasks that nobody asks for are failed, and ended ones forgotten. */
  look(): void {
    const { facts, node, plan } = this.#context;
    const timeoutMs = durationProperty(plan.properties, "task.client.timeout");
    const keptMs = durationProperty(plan.properties, "task.info.max-age");
    const places = [...this.#tasks.keys()];
    for (let left = Math.min(places.length, lookedAtMax); left > 0; left--) {
      const place = places[this.#looked++ % places.length] as string;
      const tasks = this.#tasks.get(place) as Map<string, Task>;
      const nowMs = this.#localMs(place);
      for (const { taskId, state } of tasks.size === 0 || facts.hitSince(place, 0) ? [] : (node(place)?.accounts().tasks ?? [])) {
        const task = tasks.get(taskId);
        if (task === undefined) {
          continue;
        }
        const silentMs = nowMs - task.askedMs;
        this.#check(
          ended.test(state) || silentMs <= timeoutMs + loopMs,
          () => `${place} has ${taskId}, ${state}, ${silentMs.toFixed(0)} ms after its last request; it may be silent for ${timeoutMs} ms`,
        );
        const ageMs = nowMs - (task.endedMs ?? nowMs);
        this.#check(ageMs <= keptMs + loopMs, () => `${place} keeps ${taskId} ${ageMs.toFixed(0)} ms after its end, not ${keptMs} ms`);
      }
    }
  }

  #localMs(place: string): number {
    return this.#context.localNanos(place) / nanosPerMs;
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

export const timeOuts: ModelKind = {
  invariant: {
    name: "time-outs",
    sentence:
      "No time-out ends a query or a task before its time or long after it, measured from the event that the documents name, by the clock of the node that enforces it.",
    kind: "safety",
    checkedIn: "checkers/models/time-outs.ts",
  },
  create: (context) => new TimeOuts(context),
};
