/**
 * Timers of nodes. Written from docs/architecture.md (Failing well: what ends a query frees its timers; Limits and time: one timer for the
 * next deadline) and from the published rules of requests between nodes. A timer that is left behind, armed twice or armed for nothing
 * fires without its reason, so the model counts reasons and firings of each kind at each node:
 * - A pause before a repetition follows a failed request; one before the next splits follows a request with splits; one before the next
 *   look at a task follows its creation, or the look before; one before the next announcement follows an announcement, not
 *   a withdrawal; one before a buffer is closed follows an answer with its pages.
 * - The timer of a long poll fires because a poll has waited for its time, and the poll is answered then.
 * - The timer of a query that is finishing fires only while a query is finishing.
 * - The timer of the next deadline fires when a deadline is due: queries have deadlines, and their clients' requests put them off.
 */
import { retriesTasks } from "../../properties.ts";
import { nanosPerMs } from "../../world/world.ts";
import type { Observed } from "../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";

const backOff = "task-request-backoff";
const exchangeRetry = "exchange-retry";
const exchangeClose = "exchange-close";
const enforcement = "query-enforcement";
/** Timers that need a reason each, with the fault points that are one. */
const counted: Readonly<Record<string, readonly string[]>> = {
  [backOff]: [],
  [exchangeRetry]: ["exchange-forgets-an-answer"],
  [exchangeClose]: [],
  "task-splits": [],
  "task-follow": [],
  announcement: ["announcement-skipped"],
  [enforcement]: [],
};
/** The request that an answer to a long poll belongs to. */
const polls: Readonly<Record<string, "status" | "results">> = { "task-long-poll": "status", "buffer-read": "results" };
/** A query has several deadlines at its beginning and its end. */
const deadlinesOfTransition = 3;
/** Requests whose answers say how a task is. */
const looks = /^task-(?:update|splits|status|info)$/;
const ends = /^(?:FINISHED|FAILED)$/;

class Timers implements Model {
  readonly notes = ["timer", "answer", "network-error", "point", "start", "serve"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #retriesTasks: boolean;
  readonly #reasons = new Map<string, number>();
  /** Polls whose time is over and that are not answered, by `place kind`, since when. */
  readonly #due = new Map<string, number>();
  readonly #finishing = new Set<string>();

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#retriesTasks = retriesTasks(context.plan.properties);
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "timer") {
      this.#fired(place, detail, nowNanos);
    } else if (kind === "start") {
      for (const timer of Object.keys(counted)) {
        this.#reasons.delete(`${place} ${timer}`);
      }
      for (const poll of Object.keys(polls)) {
        this.#due.delete(`${place} ${poll}`);
      }
      this.#add(place, "announcement", 1);
      if (place === this.#coordinator) {
        this.#finishing.clear();
      }
    } else if (kind === "point") {
      for (const [timer, points] of Object.entries(counted)) {
        this.#add(place, timer, points.includes(detail) ? 1 : 0);
      }
    } else if (kind === "serve") {
      if (place === this.#coordinator && detail.includes("/v1/statement")) {
        this.#add(place, enforcement, 1);
      }
    } else {
      this.#ended(place, kind, detail);
    }
  }

  observe({ to, request, task, nowNanos }: Observed): void {
    if (task === undefined || request.method !== "GET" || to === this.#coordinator) {
      return;
    }
    const kind = task.what === "results" ? "buffer-read" : "task-long-poll";
    if (this.#due.get(`${to} ${kind}`) === nowNanos) {
      this.#due.delete(`${to} ${kind}`);
    }
  }

  observeTransition({ kind, id, to, place }: Transition): void {
    if (kind !== "query") {
      return;
    }
    this.#add(place, enforcement, deadlinesOfTransition);
    if (to === "FINISHING") {
      this.#finishing.add(id);
    } else if (ends.test(to)) {
      this.#finishing.delete(id);
    }
  }

  #add(place: string, timer: string, by: number): void {
    if (by > 0) {
      const key = `${place} ${timer}`;
      this.#reasons.set(key, (this.#reasons.get(key) ?? 0) + by);
    }
  }

  #fired(place: string, timer: string, nowNanos: number): void {
    if (timer in counted) {
      const key = `${place} ${timer}`;
      const left = (this.#reasons.get(key) ?? 0) - 1;
      this.#reasons.set(key, Math.max(0, left));
      const { plan } = this.#context;
      const isForced = counted[timer]?.some((point) => plan.points?.[point as keyof typeof plan.points] === 1_000) === true;
      this.#check(left >= 0 || isForced, () => `a timer ${timer} of ${place} fires more often than it has reasons`);
    } else if (timer in polls && place !== this.#coordinator) {
      const key = `${place} ${timer}`;
      const since = this.#due.get(key);
      this.#check(
        since === undefined || since === nowNanos,
        () =>
          `a timer ${timer} of ${place} fired ${((nowNanos - (since ?? 0)) / nanosPerMs).toFixed(1)} ms ago, and no ${String(polls[timer])} was answered then`,
      );
      this.#due.set(key, nowNanos);
    } else if (timer === "query-settle") {
      this.#check(this.#finishing.size > 0, () => `a timer ${timer} of ${place} fires while no query is finishing`);
    }
  }

  /** A request has an answer, or failed: the reasons that it is. */
  #ended(place: string, kind: string, detail: string): void {
    const [, , label = "", outcome = ""] = detail.split(" ", 4);
    const isFailed = kind === "network-error" ? outcome !== "ABORTED" : outcome === "503" || outcome === "412";
    if (label === "announcement") {
      this.#add(place, label, 1);
    } else if (label === "withdrawal") {
      this.#reasons.delete(`${place} announcement`);
    } else if (label.startsWith("exchange-")) {
      // A task that is gone runs again elsewhere.
      const isAwaited = outcome === "404" && this.#retriesTasks;
      this.#add(place, exchangeRetry, isFailed || isAwaited ? 1 : 0);
      this.#add(place, exchangeClose, label === "exchange-fetch" && /^20[04]$/.test(outcome) ? 1 : 0);
    } else if (label.startsWith("task-")) {
      this.#add(place, backOff, isFailed ? 1 : 0);
      if (outcome === "200" && (label === "task-update" || label === "task-splits")) {
        this.#add(place, "task-splits", 1);
      }
      this.#add(place, "task-follow", outcome === "200" && looks.test(label) ? 1 : 0);
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

export const timers: ModelKind = {
  invariant: {
    name: "timers",
    sentence:
      "A timer of a node fires for its reason and once for each: a failed request, splits or an announcement that were sent, a poll that is answered then, a query that is finishing, a deadline; none is left of what has ended.",
    kind: "leak",
    checkedIn: "checkers/models/timers.ts",
  },
  create: (context) => new Timers(context),
};
