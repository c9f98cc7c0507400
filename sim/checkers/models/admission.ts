/**
 * Model of admission. Written from docs/configuration.md and docs/interface.md ("Limits of a query", "States"): at most
 * query.max-concurrent-queries run at the same time and others wait; at most query.max-queued-queries wait, and the next one fails with
 * QUERY_QUEUE_FULL; a query leaves the queue with a slot, or because it ended; an ended query has no slot. There is one resource group, and
 * its queue is Presto's default: first in, first out, in the order in which the submissions arrived.
 */
import { numberProperty } from "../../properties.ts";
import { nanosPerMs } from "../../world/world.ts";
import type { Observed } from "../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "./model.ts";
import { statementAnswer } from "./statement/answer.ts";

interface Query {
  readonly id: string;
  /** Arrival of the submission; known when it has been answered. */
  arrivedNanos: number | undefined;
  /** Time at which the query left the queue, and whether it got a slot. */
  leftNanos: number;
  isAdmitted: boolean;
  hasEnded: boolean;
}

/** A slot that is free must be given to a waiting query in the same step; work of the coordinator may come first. */
const takenNanos = 1_000 * nanosPerMs;
/** The first answer of a query that waits comes after a second at most. */
const answeredNanos = 2_000 * nanosPerMs;
/** A fault point holds a query back that has a slot; it is QUEUED for this long at most. */
const heldBackNanos = 500 * nanosPerMs;
/** Faults after which a coordinator acts late. */
const delays = /^(?:pause|slow-node) (\S+)/;

/** A query that was refused because the queue was full. */
interface Refused {
  readonly id: string;
  readonly arrivedNanos: number;
  /** Local time of the coordinator by which all submissions that it had then are answered. */
  readonly knownNanos: number;
}

class Admission implements Model {
  readonly notes = ["start", "fault", "log-info", "point"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #runningMax: number;
  readonly #queuedMax: number;
  readonly #requiredWorkers: number;
  #queries = new Map<string, Query>();
  #refused: Refused[] = [];
  /** Local time of the coordinator since which there has been a slot and a query that waits. */
  #idleSinceNanos: number | undefined;
  #isDelayed = false;
  /** Times at which the fault point held a query back. */
  #heldBackNanos: number[] = [];

  constructor(context: Judged) {
    const { coordinator, properties } = context.plan;
    this.#context = context;
    this.#coordinator = coordinator.name;
    this.#runningMax = numberProperty(properties, "query.max-concurrent-queries");
    this.#queuedMax = numberProperty(properties, "query.max-queued-queries");
    this.#requiredWorkers = numberProperty(properties, "query-manager.required-workers");
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "point") {
      if (detail === "query-admitted-late") {
        this.#heldBackNanos.push(nowNanos);
      }
      return;
    }
    if (place === this.#coordinator && kind === "start") {
      this.#queries = new Map();
      this.#refused = [];
      this.#idleSinceNanos = undefined;
      this.#isDelayed = false;
    }
    // A coordinator that leaves admits nothing.
    const isLeaving = place === this.#coordinator && kind === "log-info" && detail.startsWith("shutdown-started");
    this.#isDelayed ||= isLeaving || (kind === "fault" && delays.exec(detail)?.[1] === this.#coordinator);
  }

  observeTransition({ kind, id, from, to, nowNanos }: Transition): void {
    if (kind !== "query") {
      return;
    }
    const query = this.#query(id);
    const isEnd = to === "FINISHED" || to === "FAILED";
    if (from === "QUEUED") {
      query.leftNanos = nowNanos;
      query.isAdmitted = !isEnd;
      this.#checkOrder(query);
    }
    query.hasEnded = isEnd;
    this.#checkWorkers(id, to);
    const running = this.#count(({ isAdmitted, hasEnded }) => isAdmitted && !hasEnded);
    this.#context.check(
      running <= this.#runningMax,
      () => `${running} queries run after ${id} became ${to}, and at most ${this.#runningMax} may`,
    );
    this.#checkIdle();
  }

  /** A query waits for workers exactly while there are fewer than it requires. */
  #checkWorkers(id: string, to: string): void {
    const active = this.#context.node(this.#coordinator)?.cluster?.activeWorkers().length;
    if (active === undefined || (to !== "WAITING_FOR_RESOURCES" && to !== "PLANNING")) {
      return;
    }
    this.#context.check(
      active < this.#requiredWorkers === (to === "WAITING_FOR_RESOURCES"),
      () => `${id} became ${to} with ${active} active workers, of ${this.#requiredWorkers} that it requires`,
    );
  }

  observe(answer: Observed): void {
    const said = answer.to === this.#coordinator ? statementAnswer(answer) : undefined;
    this.#checkIdle();
    if (said?.document === undefined) {
      return;
    }
    const query = this.#query(said.id);
    if (said.isSubmission && query.arrivedNanos === undefined) {
      query.arrivedNanos = answer.arrivedNanos;
      this.#checkOrder(query);
      // A query that the fault point holds back has a slot, and is QUEUED.
      const live = this.#count(({ hasEnded }) => !hasEnded);
      this.#context.check(
        live <= this.#queuedMax + this.#runningMax,
        () => `${live} queries wait or run after ${said.id} was accepted, and at most ${this.#queuedMax} and ${this.#runningMax} may`,
      );
    }
    if (said.document.error?.["errorName"] === "QUERY_QUEUE_FULL") {
      const nowNanos = this.#context.localNanos(this.#coordinator);
      this.#refused.push({ id: said.id, arrivedNanos: query.arrivedNanos ?? 0, knownNanos: nowNanos + answeredNanos });
    }
  }

  /** A query that waits is known when its submission has been answered, which is later than a refusal. */
  look(): void {
    const nowNanos = this.#context.localNanos(this.#coordinator);
    const ripe = this.#refused.filter(({ knownNanos }) => knownNanos <= nowNanos);
    if (ripe.length === 0 || this.#isDelayed) {
      return;
    }
    this.#refused = this.#refused.filter(({ knownNanos }) => knownNanos > nowNanos);
    for (const { id, arrivedNanos } of ripe) {
      this.#context.check(
        this.#queuedMax <= this.#waitingAt(arrivedNanos, id),
        () => `${id} was refused although fewer than ${this.#queuedMax} queries waited`,
      );
    }
  }

  #query(id: string): Query {
    const known = this.#queries.get(id);
    const never = Number.POSITIVE_INFINITY;
    const query = known ?? { id, arrivedNanos: undefined, leftNanos: never, isAdmitted: false, hasEnded: false };
    this.#queries.set(id, query);
    return query;
  }

  #count(holds: (query: Query) => boolean): number {
    let count = 0;
    for (const query of this.#queries.values()) {
      count += holds(query) ? 1 : 0;
    }
    return count;
  }

  /** Queries that waited at that time, as far as it is known by now. */
  #waitingAt(nanos: number, except: string): number {
    return this.#count(({ id, arrivedNanos, leftNanos }) => id !== except && (arrivedNanos ?? 0) <= nanos && leftNanos >= nanos);
  }

  /** No query gets a slot before one that arrived earlier and waits, or waited then. */
  #checkOrder(query: Query): void {
    const { arrivedNanos } = query;
    if (arrivedNanos === undefined) {
      return;
    }
    for (const other of this.#queries.values()) {
      if (other.arrivedNanos !== undefined && other.arrivedNanos !== arrivedNanos) {
        const [first, second] = other.arrivedNanos < arrivedNanos ? [other, query] : [query, other];
        this.#context.check(
          !second.isAdmitted || second.leftNanos >= first.leftNanos || this.#wasHeldBack(second.leftNanos),
          () => `${second.id} got a slot before ${first.id}, which had arrived earlier`,
        );
      }
    }
  }

  #wasHeldBack(nanos: number): boolean {
    const always = this.#context.plan.points?.["query-admitted-late"] === 1_000;
    return always || this.#heldBackNanos.some((time) => time <= nanos && nanos - time <= heldBackNanos);
  }

  /** No slot is lost, and a free one does not wait for a query that waits for it. */
  #checkIdle(): void {
    if (this.#queries.size <= this.#runningMax) {
      return;
    }
    const running = this.#count(({ isAdmitted, hasEnded }) => isAdmitted && !hasEnded);
    const waiting = this.#count(({ leftNanos, arrivedNanos }) => leftNanos === Number.POSITIVE_INFINITY && arrivedNanos !== undefined);
    if (running >= this.#runningMax || waiting === 0 || this.#isDelayed) {
      this.#idleSinceNanos = undefined;
      return;
    }
    const nowNanos = this.#context.localNanos(this.#coordinator);
    this.#idleSinceNanos ??= nowNanos;
    const idleMs = (nowNanos - this.#idleSinceNanos) / nanosPerMs;
    this.#context.check(
      nowNanos - this.#idleSinceNanos <= takenNanos,
      () => `${waiting} queries wait although ${running} of ${this.#runningMax} slots have been in use for ${idleMs.toFixed(0)} ms`,
      "liveness",
    );
  }
}

export const admission: ModelKind = {
  invariant: {
    name: "admission",
    sentence:
      "No more queries run than may, and no more wait; a query is refused only if the queue is full; queries get their slots in the order in which they arrived; and a slot that is free is used.",
    kind: "safety",
    checkedIn: "checkers/models/admission.ts",
  },
  create: (context) => new Admission(context),
};
