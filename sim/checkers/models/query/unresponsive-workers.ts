/**
 * Workers that do not respond and may go on later, written from docs/configuration.md (task-retry-unresponsive-timeout) and decision 142:
 * - A worker that is excluded because its heartbeats time out, and has answered none for the time, is called unresponsive at its next one.
 * - No other worker is: one answer ends the silence, and a new incarnation begins without any.
 * - Tasks that are lost by that belong to queries that write nothing.
 */
import { durationProperty } from "../../../properties.ts";
import { nanosPerMs } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import type { Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

interface Silence {
  /** Local time of the last answer, or of the announcement of this incarnation. */
  sinceNanos: number;
  /** Heartbeats since then. */
  unanswered: number;
  /** Times at which heartbeats of this incarnation were sent, by message. */
  readonly open: Map<string, number>;
  life: string | undefined;
  isExcluded: boolean;
  isTold: boolean;
}

const beatPattern = /^(m\d+) \S+>(\S+) heartbeat/;
const startsTask = /^\/v1\/task\/([^./]+)\.[^/]+$/;

class UnresponsiveWorkers implements Model {
  readonly notes = ["start", "request", "answer", "log-info"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #silentNanos: number;
  readonly #intervalNanos: number;
  readonly #silences = new Map<string, Silence>();
  /** World's times of heartbeats by which workers should have been called unresponsive. */
  readonly #due = new Map<string, number>();
  /** Queries with a task that writes. */
  readonly #writing = new Set<string>();
  /** World's time at which a worker was called unresponsive last. */
  #toldNanos = Number.NaN;

  constructor(context: Judged) {
    const { coordinator, properties } = context.plan;
    this.#context = context;
    this.#coordinator = coordinator.name;
    this.#silentNanos = durationProperty(properties, "task-retry-unresponsive-timeout") * nanosPerMs;
    this.#intervalNanos = durationProperty(properties, "failure-detector.heartbeat-interval") * nanosPerMs;
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    this.#judge(nowNanos);
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "start") {
      this.#due.clear();
      this.#silences.clear();
    } else if (kind === "log-info") {
      this.#told(detail, nowNanos);
    } else {
      const [, message = "", worker = ""] = beatPattern.exec(detail) ?? [];
      const silence = this.#silences.get(worker);
      if (silence !== undefined && kind === "request") {
        this.#sent(worker, silence, message);
      } else if (silence !== undefined && silence.open.has(message)) {
        silence.sinceNanos = this.#now;
        silence.unanswered = 0;
        silence.isTold = false;
        this.#due.delete(worker);
        silence.open.delete(message);
      }
    }
  }

  observe({ to, path, request, response }: Observed): void {
    const [, worker] = /^\/v1\/announcement\/(.+)$/.exec(path) ?? [];
    if (to === this.#coordinator && worker !== undefined && request.method === "PUT" && response.status < 300) {
      const life = /"life":"([^"]*)"/.exec(readBody(request.body).text())?.[1];
      if (this.#silences.get(worker)?.life !== life || life === undefined) {
        this.#due.delete(worker);
        this.#silences.set(worker, {
          sinceNanos: this.#now,
          unanswered: 0,
          open: new Map(),
          life,
          isExcluded: false,
          isTold: false,
        });
      }
    }
    const [, queryId] = startsTask.exec(path) ?? [];
    if (queryId !== undefined && request.method === "POST" && /"kind":"(?:TableWriter|TableFinish)"/.test(readBody(request.body).text())) {
      this.#writing.add(queryId);
    }
  }

  get #now(): number {
    return this.#context.localNanos(this.#coordinator);
  }

  /** The announcement of a new incarnation is answered after the heartbeat that it causes, in the same event. */
  #judge(nowNanos: number): void {
    for (const [worker, dueNanos] of this.#due) {
      const silence = this.#silences.get(worker);
      if (silence !== undefined && dueNanos < nowNanos) {
        this.#due.delete(worker);
        this.#context.check(silence.isTold, () => `${worker} has not responded for ${this.#ms(silence)} ms, and its tasks wait for it`);
      }
    }
  }

  /** The engine judges the silence with each heartbeat. */
  #sent(worker: string, silence: Silence, message: string): void {
    silence.unanswered++;
    silence.open.set(message, this.#now);
    const isDue =
      this.#silentNanos > 0 &&
      silence.isExcluded &&
      this.#now - silence.sinceNanos > this.#silentNanos + nanosPerMs &&
      silence.unanswered * this.#intervalNanos >= this.#silentNanos;
    if (isDue && !silence.isTold && !this.#due.has(worker)) {
      this.#due.set(worker, this.#context.nowNanos());
    } else {
      this.#context.check(true, () => "");
    }
  }

  #told(detail: string, nowNanos: number): void {
    const [, event = "", fields = ""] = /^(node-state|node-unresponsive|task-lost) (\{.*\})$/.exec(detail) ?? [];
    if (event === "") {
      return;
    }
    const { errorName, nodeId = "", queryId = "", to = "" } = JSON.parse(fields) as Readonly<Record<string, string | undefined>>;
    const silence = this.#silences.get(nodeId);
    if (event === "node-state" && silence !== undefined) {
      silence.isExcluded = to.startsWith("UNRESPONSIVE ");
    } else if (event === "node-unresponsive" && silence !== undefined) {
      this.#toldNanos = nowNanos;
      silence.isTold = true;
      this.#context.check(
        this.#silentNanos > 0 && this.#now - silence.sinceNanos >= this.#silentNanos - nanosPerMs,
        () => `${nodeId} is called unresponsive, and has answered ${this.#ms(silence)} ms ago`,
      );
    } else if (event === "task-lost" && errorName === "TOO_MANY_REQUESTS_FAILED" && nowNanos === this.#toldNanos) {
      this.#context.check(!this.#writing.has(queryId), () => `${queryId} writes, and does not wait for a worker that may go on`);
    }
  }

  #ms({ sinceNanos }: Silence): string {
    return ((this.#now - sinceNanos) / nanosPerMs).toFixed(0);
  }
}

export const unresponsiveWorkers: ModelKind = {
  invariant: {
    name: "unresponsive-workers",
    sentence:
      "A worker whose heartbeats time out is called unresponsive once it has answered none for task-retry-unresponsive-timeout, no other one is, and no query that writes leaves it for that.",
    kind: "safety",
    checkedIn: "checkers/models/query/unresponsive-workers.ts",
  },
  create: (context) => new UnresponsiveWorkers(context),
};
