/**
 * Model of long polls. Written from docs/interface.md ("Statement", "Task": maxWait bounds the poll of a statement, at most 1 s; a waiting
 * submission is answered after at most a second; a task's status is a long poll by version, bounded by X-Engine-Max-Wait) and from the
 * published protocol (a poll is answered at once when there is news: rows, another state, a newer version or a task that is done; a request
 * for pages waits up to 2 s and is answered without pages only then, or when another request for the same buffer takes its place). A poll
 * that is answered at once without news makes its client spin. A worker that waits at the coordinator is answered after its wait with its
 * announcement, or with 404 when the coordinator does not know it any more (docs/interface.md, Node).
 */
import { parseDurationMs } from "../../../src/protocol/units.ts";
import { durationProperty } from "../../properties.ts";
import { nanosPerMs } from "../../world/world.ts";
import { headerOf, type Observed } from "../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";
import { type StatementDocument, statementAnswer } from "./statement/answer.ts";

const statementMsMax = 1_000;
const pagesMsMax = 2_000;
/** A node that computes answers later. */
const lateMs = 1_000;
/** A response to news may wait for the end of a slice. */
const newsMs = 400;
/** Share of the wait after which a response without news is not early: Presto draws it from the second half, and clocks run fast. */
const earlyShare = 0.45;
/** Fault points at which a node answers a poll without news. */
const hurries: ReadonlySet<string> = new Set([
  "statement-poll-at-once",
  "statement-answers-without-rows",
  "task-status-at-once",
  "buffer-answers-empty",
]);

const ended = /^(?:FINISHED|FAILED|CANCELED|ABORTED)$/;

const announcementMsMax = 60_000;
/** An announcement may expire sooner than it should by the share by which clocks run fast. */
const validShare = 0.7;

/** What a node has told the coordinator last. */
interface Announced {
  readonly nanos: number;
  /** Undefined after a withdrawal. */
  readonly acceptedNanos: number | undefined;
}

interface Polled {
  /** Tokens that were answered. */
  readonly tokens: Set<number>;
  /** State and columns of the last document. */
  last: string;
}

class LongPolls implements Model {
  readonly notes = ["point", "start", "serve", "request", "network-error"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #alwaysHurried: boolean;
  /** Whether the coordinator's disk is slow for a while. */
  readonly #isDiskSlow: boolean;
  readonly #polled = new Map<string, Polled>();
  /** Last time at which a fault point made each place answer without news. */
  readonly #hurried = new Map<string, number>();
  /** Time at which each query ended. */
  readonly #ended = new Map<string, number>();
  /** The last two arrivals of requests for each buffer, and of one that ends it or its task, by `place task buffer` or `place task`. */
  readonly #arrived = new Map<string, readonly number[]>();
  /** Polls in flight, and the paths whose asker has given a poll up: the node answers it then, to nobody. */
  readonly #asked = new Map<string, string>();
  readonly #givenUp = new Set<string>();
  /** By `coordinator path`. */
  readonly #announced = new Map<string, Announced>();
  readonly #announcementNanos: number;
  /** Queries and stages that are ending. */
  readonly #over = new Set<string>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#announcementNanos = durationProperty(context.plan.properties, "discovery.max-age") * nanosPerMs;
    this.#isDiskSlow = context.plan.faults.some((fault) => fault.kind === "slow-disk" && fault.node === this.#coordinator);
    this.#alwaysHurried = Object.entries(context.plan.points ?? {}).some(([point, per1000]) => hurries.has(point) && per1000 === 1_000);
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "point") {
      if (hurries.has(detail)) {
        this.#hurried.set(place, nowNanos);
      }
    } else if (kind === "serve" || kind === "request" || kind === "network-error") {
      this.#message({ place, kind, detail, nowNanos });
    } else {
      if (place === this.#coordinator) {
        this.#polled.clear();
        this.#ended.clear();
      }
      for (const key of this.#announced.keys()) {
        if (key.startsWith(`${place} `)) {
          this.#announced.delete(key);
        }
      }
    }
  }

  #message({ place, kind, detail, nowNanos }: Note): void {
    const [id = "", , label = "", , url = ""] = detail.split(" ", 5);
    if (!/^(?:task-status|task-delete|exchange-|statement-poll)/.test(label)) {
      return;
    }
    const path = url.split("?", 1)[0] ?? "";
    const [, , , taskId = "", , buffer] = path.split("/");
    if (kind === "request") {
      this.#asked.set(id, keyOf(place, path));
      if (label === "task-delete") {
        this.#givenUp.add(keyOf(place, `/v1/task/${taskId}/status`));
      }
    } else if (kind === "network-error") {
      this.#givenUp.add(this.#asked.get(id) ?? "");
    } else if (label !== "task-status") {
      const key = buffer === undefined ? `${place} ${taskId}` : `${place} ${taskId} ${buffer}`;
      this.#arrived.set(key, [...(this.#arrived.get(key) ?? []).slice(-1), nowNanos]);
    }
  }

  observeTransition({ place, id, kind, to, nowNanos }: Transition): void {
    if ((kind === "stage" || kind === "query") && (ended.test(to) || to === "FINISHING")) {
      // Its tasks are of no interest any more, and polls of their status are given up.
      this.#over.add(id);
    }
    if (kind === "query" && ended.test(to)) {
      this.#ended.set(`${place} ${id}`, nowNanos);
    }
  }

  observe(answer: Observed): void {
    const { task, request, response } = answer;
    if (task !== undefined && request.method === "GET" && response.status < 300) {
      if (task.what === "status") {
        this.#status(answer, task.taskId);
      } else if (task.what === "results") {
        this.#pages(answer, `${answer.to} ${task.taskId} ${task.bufferId}`);
      }
    } else if (answer.path.startsWith("/v1/announcement/")) {
      this.#announcement(answer);
    } else if (answer.to === this.#coordinator) {
      const said = statementAnswer(answer);
      if (said?.document !== undefined) {
        this.#statement(answer, said.id, said.token, said.document);
      }
    }
  }

  #statement(answer: Observed, id: string, token: number | undefined, document: StatementDocument): void {
    const polled = this.#polled.get(id) ?? { tokens: new Set<number>(), last: "" };
    this.#polled.set(id, polled);
    if (token !== undefined && polled.tokens.has(token)) {
      return;
    }
    const { stats, columns, data, nextUri } = document;
    const state = String(stats?.state);
    const now = `${state} ${columns === undefined ? "" : "columns"}`;
    const asked = parseDurationMs(decodeURIComponent(/[?&]maxWait=([^&]+)/.exec(answer.request.url)?.[1] ?? "")) ?? statementMsMax;
    const waitMs = Math.min(statementMsMax, asked);
    // A submission waits longer only if its query has a slot and workers, and is being planned.
    if (!this.#isDiskSlow && (token !== undefined || /^(?:QUEUED|WAITING_FOR_RESOURCES)$/.test(state))) {
      this.#checkLate(answer, waitMs, id);
    }
    if (token !== undefined) {
      polled.tokens.add(token);
      const hasNews = data !== undefined || nextUri === undefined || now !== polled.last;
      this.#checkEarly(answer, { hasNews, waitMs, what: id });
      if (!this.#isDiskSlow) {
        this.#checkNews(answer, id);
      }
    }
    polled.last = now;
  }

  #announcement(answer: Observed): void {
    const { arrivedNanos, nowNanos, path, request, response, to } = answer;
    const key = keyOf(to, path);
    const told = this.#announced.get(key);
    if (request.method !== "GET") {
      const acceptedNanos = request.method === "DELETE" ? undefined : response.status < 300 ? nowNanos : told?.acceptedNanos;
      this.#announced.set(key, { nanos: nowNanos, acceptedNanos });
      return;
    }
    const nodeId = decodeURIComponent(path.split("/")[3] ?? "");
    const what = `the wait of ${nodeId}`;
    const { status } = response;
    if (status === 404) {
      const ageNanos = nowNanos - (told?.acceptedNanos ?? Number.NEGATIVE_INFINITY);
      const isLeaving = (this.#context.node(to)?.state ?? "ACTIVE") !== "ACTIVE";
      this.#context.check(
        ageNanos >= this.#announcementNanos * validShare || isLeaving || this.#context.facts.hasEnded(to),
        () => `${to} does not know ${nodeId}, whose announcement it accepted ${(ageNanos / nanosPerMs).toFixed(0)} ms ago`,
      );
    } else if (status < 400) {
      const waitMs = Math.min(announcementMsMax, parseDurationMs(headerOf(request.headers, "x-engine-max-wait") ?? "") ?? 0);
      this.#context.check(
        status === 200 && (answer.json() as { readonly nodeId?: unknown }).nodeId === nodeId,
        () => `${to} answered ${what} with ${status} ${answer.text().slice(0, 80)}`,
      );
      this.#checkLate(answer, waitMs, what);
      this.#checkEarly(answer, { hasNews: told === undefined || told.nanos >= arrivedNanos, waitMs, what });
    }
  }

  #status(answer: Observed, taskId: string): void {
    const { headers } = answer.request;
    const known = headerOf(headers, "x-engine-current-version");
    const waitMs = parseDurationMs(headerOf(headers, "x-engine-max-wait") ?? "");
    if (known === undefined || waitMs === undefined) {
      return;
    }
    this.#checkLate(answer, waitMs, taskId);
    const version = /"version":(\d+)/.exec(answer.text())?.[1];
    const isOver = this.#over.has(taskId.split(".", 1)[0] ?? "") || this.#over.has(taskId.slice(0, taskId.lastIndexOf(".")));
    const isDone = /"state":"(?:FINISHED|CANCELED|ABORTED|FAILED)"/.test(answer.text());
    this.#checkEarly(answer, { hasNews: isDone || version !== known || isOver, waitMs, what: taskId });
  }

  #pages(answer: Observed, buffer: string): void {
    const { request, response } = answer;
    const waitMs = Math.min(pagesMsMax, parseDurationMs(headerOf(request.headers, "x-engine-max-wait") ?? "") ?? pagesMsMax);
    this.#checkLate(answer, waitMs, buffer);
    const isComplete = headerOf(response.headers, "x-engine-buffer-complete") === "true";
    const task = buffer.slice(0, buffer.lastIndexOf(" "));
    const others = [...(this.#arrived.get(buffer) ?? []), ...(this.#arrived.get(task) ?? [])].filter(
      (nanos) => nanos >= answer.arrivedNanos,
    );
    const isOther = others.length > 1 || others.some((nanos) => nanos > answer.arrivedNanos);
    // A task that fails lets its readers go. The documents do not say how; its end follows in the same step.
    const [, taskId = ""] = task.split(" ");
    const state = (): string | undefined =>
      this.#context
        .node(answer.to)
        ?.accounts()
        .tasks.find((one) => one.taskId === taskId)?.state;
    const hasFailed = this.#context.facts.diskFailed(answer.to) || (response.status === 204 && !isComplete && ended.test(state() ?? ""));
    this.#checkEarly(answer, { hasNews: response.status === 200 || isComplete || isOther || hasFailed, waitMs, what: buffer });
  }

  #checkLate(answer: Observed, waitMs: number, what: string): void {
    const elapsedMs = elapsedMsOf(answer);
    const holds = elapsedMs <= waitMs + lateMs || this.#context.facts.hitSince(answer.to, answer.arrivedNanos);
    this.#context.check(
      holds,
      () => `${answer.to} answered a poll of ${what} after ${elapsedMs.toFixed(0)} ms, and might wait ${waitMs} ms`,
    );
  }

  #checkEarly(
    answer: Observed,
    { hasNews, waitMs, what }: { readonly hasNews: boolean; readonly waitMs: number; readonly what: string },
  ): void {
    const elapsedMs = elapsedMsOf(answer);
    const isHurried = this.#alwaysHurried || (this.#hurried.get(answer.to) ?? -1) >= answer.arrivedNanos;
    const isGivenUp = this.#givenUp.has(keyOf(answer.from, answer.path)) || this.#context.facts.hasEnded(answer.from);
    this.#context.check(
      hasNews || isHurried || isGivenUp || elapsedMs >= waitMs * earlyShare,
      () => `${answer.to} answered a poll of ${what} without news after ${elapsedMs.toFixed(1)} of ${waitMs} ms`,
    );
  }

  /** The end of a query is news for the client that waits. */
  #checkNews({ to, arrivedNanos, nowNanos }: Observed, id: string): void {
    const endedNanos = this.#ended.get(`${to} ${id}`);
    if (endedNanos === undefined || endedNanos < arrivedNanos) {
      return;
    }
    const afterMs = (nowNanos - endedNanos) / nanosPerMs;
    const holds = afterMs <= newsMs || this.#context.facts.hitSince(to, arrivedNanos);
    this.#context.check(holds, () => `${to} answered a poll of ${id} ${afterMs.toFixed(0)} ms after it had ended`, "liveness");
  }
}

/** Polls of one buffer differ in their tokens. */
function keyOf(place: string, path: string): string {
  return `${place} ${path.split("/", 6).join("/")}`;
}

function elapsedMsOf({ arrivedNanos, nowNanos }: Observed): number {
  return (nowNanos - arrivedNanos) / nanosPerMs;
}

export const longPolls: ModelKind = {
  invariant: {
    name: "long-polls",
    sentence:
      "A long poll is answered when there is news, not without news before its wait is over, and never much later than its wait, each by the unit and the clock that it is given in.",
    kind: "safety",
    checkedIn: "checkers/models/long-polls.ts",
  },
  create: (context) => new LongPolls(context),
};
