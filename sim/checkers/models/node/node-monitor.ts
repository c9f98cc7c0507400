/**
 * The node monitor, written from docs/configuration.md (Membership and failure detection), docs/interface.md (Node), decision 7 and section
 * 5 of the reference, and computed from the heartbeats that the coordinator's network carried, by the coordinator's clock:
 * - A heartbeat goes to each announced node every interval, and has ended when its time-out is over. It is early, with a pause, only to a
 *   node that counts: when a heartbeat or a request about a task was refused, then it must, and when another request was refused or its
 *   connection broke.
 * - A new node counts with its first answered heartbeat. A node is excluded by a failed heartbeat, when more than the threshold of the
 *   recent ones failed and it fails in a row, or when nothing listens there. It comes back when its heartbeats have succeeded for the
 *   warm-up, not before, and then it does come back. A new incarnation starts again. A node whose announcement is withdrawn
 *   or too old gets none.
 * - A node whose announcement has been missing for the grace period is forgotten, with its counters.
 * - Counters decay by e per minute, each by the formula; the documents agree with themselves.
 * - Work goes to nodes that are announced, alive and ACTIVE, and to no others.
 */
import { knobs } from "../../../../src/ports/knobs.ts";
import { durationProperty, numberProperty, sliceNanosOf } from "../../../properties.ts";
import { readBody } from "../../protocol/bodies.ts";
import { nanosPerMs, nanosPerSecond } from "../../../world/world.ts";
import { headerOf, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** The reference counts in whole seconds; a heartbeat may end in the same event in which a document is made. */
const ratioSlack = 0.03;
const countShare = 0.035;
const countSlack = 1.2;
/** Timers are exact by the node's clock. A node that computes, or that a fault stops, is late. */
const exactNanos = 50 * nanosPerMs;
/** A timer that runs while a fault changes the speed of its clock keeps its old end. */
const driftingNanos = 2 * nanosPerSecond;
const lateNanos = 2 * nanosPerSecond;
const decayNanos = 60 * nanosPerSecond;
/** Speed of a clock that a fault drives. */
const forgottenShare = 0.8;
/** Heartbeats whose weight is less than a hundredth need not be kept. */
const forgottenNanos = 5 * decayNanos;
/** With a short history a node must have failed this many heartbeats in a row, or have refused this many connections in a row. */
const rowMin = 3;
const refusalsMin = 2;
/** A history of 40 recent heartbeats is long, give or take what decays while a heartbeat is under way. */
const longHistory = 40;
const longHistorySlack = 2;

interface Beat {
  readonly sentNanos: number;
  readonly timeoutNanos: number;
  endedNanos: number | undefined;
  failed: boolean;
}

interface Watched {
  beats: Beat[];
  readonly open: Map<string, Beat>;
  /** This incarnation of the node has not been used yet. */
  isNew: boolean;
  /** Liveness and reported state, as the monitor told its log. It is UNKNOWN during the warm-up too. */
  liveness: string;
  state: string;
  /** Time since which this incarnation is known; heartbeats before count for the counters only. */
  lifeNanos: number;
  /** Time at which it announced itself in the place of a former incarnation. */
  replacedNanos: number;
  failuresInARow: number;
  lastKind: string;
  /** Time at which a request to it was refused or broken, since the last heartbeat was sent. */
  doubtedNanos: number | undefined;
  /** Time at which it refused a heartbeat or a request about a task while it counted; it gets the next heartbeat early. */
  refusedNanos: number | undefined;
  lastFailedNanos: number;
  /** Incarnation of the last announcement, withdrawn or not. */
  life: string | undefined;
  /** Incarnation and time of the last announcement; undefined after a withdrawal. */
  announced: { readonly life: string; readonly nanos: number } | undefined;
  /** A heartbeat was sent before its time, in the event of an announcement. */
  early: boolean;
  /** The monitor must have excluded it by the time of the next heartbeat. */
  mustBeExcluded: boolean;
  /** Clocks that drift decide whether it was forgotten: its counters are those of all its heartbeats or of the newer ones. */
  mayBeForgotten: boolean;
}

interface NodeDocument {
  readonly uri: string;
  readonly recentRequests: number;
  readonly recentFailures: number;
  readonly recentSuccesses: number;
  readonly recentFailureRatio: number;
  readonly recentFailuresByType: Readonly<Record<string, number>>;
  readonly lastRequestTime?: string;
  readonly lastResponseTime?: string;
  readonly lastFailureInfo?: { readonly type: string };
}

const announcement = / PUT \/v1\/announcement\/(.+)$/;
const brokenPattern = /^m\d+ \S+>(\S+) \S+ CONNECTION_(?:REFUSED|RESET)$/;
const taskRefusedPattern = / (?:task-\S+|buffer-delete) CONNECTION_REFUSED$/;
const beatPattern = /^(m\d+) \S+>(\S+) heartbeat(?: (\S+))?/;

class NodeMonitorModel implements Model {
  readonly notes = ["request", "answer", "network-error", "log-info", "point", "start", "serve"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #intervalNanos: number;
  readonly #againNanos: number;
  readonly #timeoutNanos: number;
  /** A timer waits for the slice of work that is under way. */
  readonly #sliceNanos: number;
  readonly #warmupNanos: number;
  readonly #ageNanosMax: number;
  readonly #graceNanos: number;
  readonly #threshold: number;
  readonly #watched = new Map<string, Watched>();
  /** Time at which the last announcement of a worker arrived. */
  readonly #announcedNanos = new Map<string, number>();
  /** Workers that have withdrawn their announcement. */
  readonly #withdrawn = new Set<string>();
  #impatient = false;

  constructor(context: Judged) {
    const { plan } = context;
    this.#context = context;
    this.#coordinator = plan.coordinator.name;
    const nanos = (name: string): number => durationProperty(plan.properties, name) * nanosPerMs;
    this.#intervalNanos = nanos("failure-detector.heartbeat-interval");
    this.#againNanos = Math.min(
      this.#intervalNanos,
      (plan.knobs?.["heartbeat-again-ms"] ?? knobs["heartbeat-again-ms"].default) * nanosPerMs,
    );
    this.#timeoutNanos = nanos("failure-detector.heartbeat-timeout");
    this.#sliceNanos = sliceNanosOf(plan);
    this.#warmupNanos = nanos("failure-detector.warmup-interval");
    this.#ageNanosMax = nanos("discovery.max-age");
    this.#graceNanos = nanos("failure-detector.expiration-grace-interval");
    this.#threshold = numberProperty(plan.properties, "failure-detector.threshold");
  }

  note({ place, kind, detail }: Note): void {
    if (place !== this.#coordinator) {
      return;
    }
    if (kind === "serve") {
      const [, worker] = announcement.exec(detail) ?? [];
      if (worker !== undefined) {
        this.#announcedNanos.set(worker, this.#now);
        this.#withdrawn.delete(worker);
      }
    } else if (kind === "start") {
      this.#watched.clear();
      this.#withdrawn.clear();
    } else if (kind === "point") {
      this.#impatient ||= detail === "heartbeat-impatient";
      if (detail === "heartbeat-skipped") {
        this.#watched.forEach((known) => {
          known.refusedNanos = undefined;
        });
      }
    } else if (kind === "log-info") {
      if (detail.startsWith("node-state ")) {
        const { nodeId, from, to } = JSON.parse(detail.slice("node-state ".length)) as Record<"nodeId" | "from" | "to", string>;
        this.#transition(nodeId, from, to);
      }
    } else if (detail.includes(" heartbeat")) {
      const [, message = "", worker = "", how = ""] = beatPattern.exec(detail) ?? [];
      if (kind === "request") {
        this.#sent(message, worker);
      } else {
        this.#ended(message, worker, kind === "network-error" ? how : "");
      }
    } else if (kind === "network-error") {
      const [, worker = ""] = brokenPattern.exec(detail) ?? [];
      const known = this.#watched.get(worker);
      if (known !== undefined) {
        this.#doubted(known);
        const isUsed = known.liveness === "ALIVE" && !known.isNew && !known.mayBeForgotten && !this.#withdrawn.has(worker);
        if (isUsed && taskRefusedPattern.test(detail)) {
          known.refusedNanos ??= this.#now;
        }
      }
    }
  }

  observe({ to, path, request, response, json }: Observed): void {
    const [, worker] = /^\/v1\/announcement\/(.+)$/.exec(path) ?? [];
    if (to === this.#coordinator && worker !== undefined && response.status < 300) {
      if (request.method === "PUT") {
        this.#announced(worker, /"life":"([^"]*)"/.exec(readBody(request.body).text())?.[1] ?? "");
      } else if (request.method === "DELETE") {
        this.#of(worker).announced = undefined;
        this.#withdrawn.add(worker);
      }
    }
    if (path === "/v1/status") {
      // The answer to a heartbeat tells of a restart before the new incarnation announces itself.
      const known = this.#watched.get(to);
      if (known?.life !== undefined && known.life !== headerOf(response.headers, "x-engine-node-life")) {
        this.#restarted(known);
      }
    }
    if (to !== this.#coordinator || response.status !== 200 || request.method !== "GET" || !/^\/v1\/node(?:\/failed)?$/.test(path)) {
      return;
    }
    for (const document of json() as readonly NodeDocument[]) {
      this.#document(document);
    }
  }

  look(): void {
    // Without the failure detector every announced node counts.
    const workers =
      this.#context.plan.properties["failure-detector.enabled"] === "false"
        ? []
        : this.#context.node(this.#coordinator)?.cluster?.activeWorkers();
    for (const { nodeId } of workers ?? []) {
      const known = this.#watched.get(nodeId);
      this.#check(
        known === undefined || (known.liveness === "ALIVE" && known.state === "ACTIVE"),
        () => `${nodeId} gets work and is ${String(known?.liveness)} ${String(known?.state)}`,
      );
    }
  }

  get #tidyNanos(): number {
    return this.#context.facts.struck("clock-drift") ? driftingNanos : exactNanos;
  }

  get #now(): number {
    return this.#context.localNanos(this.#coordinator);
  }

  #of(worker: string): Watched {
    const known = this.#watched.get(worker) ?? {
      beats: [],
      open: new Map(),
      isNew: true,
      liveness: "UNKNOWN",
      state: "ACTIVE",
      lifeNanos: this.#now,
      replacedNanos: Number.NEGATIVE_INFINITY,
      failuresInARow: 0,
      lastKind: "",
      doubtedNanos: undefined,
      refusedNanos: undefined,
      lastFailedNanos: Number.NEGATIVE_INFINITY,
      life: undefined,
      announced: undefined,
      early: false,
      mustBeExcluded: false,
      mayBeForgotten: false,
    };
    this.#watched.set(worker, known);
    return known;
  }

  #sent(message: string, worker: string): void {
    const now = this.#now;
    const known = this.#of(worker);
    const gap = now - (known.beats.at(-1)?.sentNanos ?? Number.NEGATIVE_INFINITY);
    this.#forget(known, gap);
    const isEarly = gap < this.#intervalNanos - this.#tidyNanos;
    const isDoubted = known.doubtedNanos !== undefined || known.refusedNanos !== undefined;
    const mayBeEarly = isDoubted && gap >= this.#againNanos - this.#tidyNanos;
    known.early = isEarly && !mayBeEarly && this.#announcedNanos.get(worker) === now;
    const { refusedNanos } = known;
    known.doubtedNanos = undefined;
    known.refusedNanos = undefined;
    const late = now - (refusedNanos ?? now) - this.#againNanos - this.#tidyNanos - this.#sliceNanos;
    this.#check(
      late <= 0 ||
        this.#wasHit(late + this.#againNanos) ||
        now - (this.#announcedNanos.get(worker) ?? 0) > this.#ageNanosMax * forgottenShare,
      () =>
        `${worker} gets a heartbeat ${ms(now - (refusedNanos ?? now))} ms after it refused a request, not after ${ms(this.#againNanos)} ms`,
    );
    this.#check(
      !isEarly || mayBeEarly || known.early,
      () => `${worker} gets a heartbeat ${ms(gap)} ms after the one before, of an interval of ${ms(this.#intervalNanos)} ms`,
    );
    this.#check(!this.#withdrawn.has(worker), () => `${worker} gets a heartbeat, and has withdrawn its announcement`);
    const unheard = now - (this.#announcedNanos.get(worker) ?? now);
    this.#check(
      unheard <= this.#ageNanosMax + lateNanos || this.#wasHit(unheard),
      () => `${worker} gets a heartbeat, and announced itself ${ms(unheard)} ms ago, of ${ms(this.#ageNanosMax)} ms`,
    );
    this.#check(
      !known.mustBeExcluded || known.liveness !== "ALIVE",
      () => `${worker} still counts although ${this.#ratio(known, now).toFixed(3)} of its heartbeats failed, of ${this.#threshold} allowed`,
    );
    this.#checkReturned(worker, known);
    for (const [open, beat] of known.open) {
      const late = now - beat.sentNanos - beat.timeoutNanos;
      this.#check(
        late < lateNanos || this.#wasHit(late + beat.timeoutNanos),
        () => `heartbeat ${open} to ${worker} has not ended ${ms(late)} ms after its time-out`,
      );
    }
    const beat = { sentNanos: now, timeoutNanos: this.#impatient ? nanosPerMs : this.#timeoutNanos, endedNanos: undefined, failed: false };
    this.#impatient = false;
    known.open.set(message, beat);
    known.beats.push(beat);
    if (now - (known.beats[0]?.sentNanos ?? now) > 2 * forgottenNanos) {
      known.beats = known.beats.filter(({ sentNanos }) => now - sentNanos < forgottenNanos);
    }
  }

  /** A node that had no announcement, hence no heartbeat, for the grace period is new when it comes back. */
  #forget(known: Watched, gapNanos: number): void {
    if (known.beats.length === 0 || gapNanos < this.#graceNanos * forgottenShare) {
      return;
    }
    this.#restarted(known);
    known.mayBeForgotten = gapNanos < this.#graceNanos / forgottenShare + this.#intervalNanos + lateNanos;
    if (!known.mayBeForgotten) {
      known.beats = [];
    }
  }

  #ended(message: string, worker: string, failure: string): void {
    const now = this.#now;
    const known = this.#of(worker);
    const beat = known.open.get(message);
    if (beat === undefined) {
      return;
    }
    known.open.delete(message);
    const took = now - beat.sentNanos;
    this.#check(
      took <= beat.timeoutNanos + this.#tidyNanos + this.#sliceNanos || this.#wasHit(took),
      () => `a heartbeat to ${worker} ended after ${ms(took)} ms, of ${ms(beat.timeoutNanos)} allowed`,
    );
    this.#check(
      failure !== "TIMEOUT" || took >= beat.timeoutNanos - this.#tidyNanos,
      () => `a heartbeat to ${worker} timed out after ${ms(took)} ms, of ${ms(beat.timeoutNanos)} allowed`,
    );
    if (beat.sentNanos < known.replacedNanos) {
      // It was for a former incarnation and says nothing of this one, except that it was sent.
      return;
    }
    beat.endedNanos = now;
    beat.failed = failure !== "";
    known.failuresInARow = beat.failed ? known.failuresInARow + 1 : 0;
    known.lastKind = failure;
    if (failure === "CONNECTION_REFUSED") {
      this.#doubted(known);
    }
    const isUsed = known.liveness === "ALIVE" && !known.isNew && beat.sentNanos >= known.lifeNanos && !known.mayBeForgotten;
    known.refusedNanos = failure === "CONNECTION_REFUSED" && isUsed && known.failuresInARow < refusalsMin ? now : undefined;
    known.lastFailedNanos = beat.failed ? now : known.lastFailedNanos;
    const requests = sum(known.beats, now, ({ sentNanos }) => sentNanos);
    const isLong = requests >= longHistory + longHistorySlack;
    const isOver = (known.failuresInARow >= rowMin || isLong) && this.#ratio(known, now) > this.#threshold + ratioSlack;
    const isGone = failure === "CONNECTION_REFUSED" && known.failuresInARow >= refusalsMin;
    // A new node has not counted yet, and one that has withdrawn counts no more, whatever becomes of its heartbeats.
    const counts = !known.isNew && !this.#withdrawn.has(worker);
    known.mustBeExcluded = beat.failed && (isOver || isGone) && counts && beat.sentNanos >= known.lifeNanos && !known.mayBeForgotten;
  }

  /** The next heartbeat may be early, unless the node was excluded before. */
  #doubted(known: Watched): void {
    if (known.liveness !== "GONE" && known.liveness !== "UNRESPONSIVE") {
      known.doubtedNanos ??= this.#now;
    }
  }

  #transition(worker: string, from: string, to: string): void {
    const now = this.#now;
    const known = this.#of(worker);
    const [liveness = "", state = ""] = to.split(" ");
    const [before = ""] = from.split(" ");
    const ratio = this.#ratio(known, now);
    const [last] = known.beats.filter(({ endedNanos }) => endedNanos === now).slice(-1);
    if (liveness === "ALIVE" && before !== "ALIVE") {
      this.#check(last?.failed === false, () => `${worker} became ALIVE without an answer to a heartbeat`);
      const calm = now - known.lastFailedNanos;
      this.#check(
        known.isNew || calm >= this.#warmupNanos - this.#tidyNanos,
        () => `${worker} is used again ${ms(calm)} ms after a heartbeat had failed, before its warm-up of ${ms(this.#warmupNanos)} ms`,
      );
    } else if (liveness !== "ALIVE" && before === "ALIVE" && !known.isNew) {
      const isGone = known.lastKind === "CONNECTION_REFUSED" && known.failuresInARow >= refusalsMin;
      const isLong = sum(known.beats, now, ({ sentNanos }) => sentNanos) >= longHistory - longHistorySlack;
      const isOver = ratio > this.#threshold - ratioSlack && (known.failuresInARow >= rowMin || isLong);
      this.#check(
        last?.failed === true && (isGone || isOver || known.mayBeForgotten),
        () =>
          `${worker} was excluded with ${ratio.toFixed(3)} of its heartbeats failed, of ${this.#threshold} allowed, ${known.failuresInARow} in a row`,
      );
      const expected = known.lastKind === "CONNECTION_REFUSED" ? "GONE" : known.lastKind === "TIMEOUT" ? "UNRESPONSIVE" : liveness;
      this.#check(liveness === expected, () => `${worker} is ${liveness} after a heartbeat ended with ${known.lastKind}`);
    }
    known.isNew &&= liveness !== "ALIVE";
    known.liveness = liveness;
    known.state = state;
    known.mustBeExcluded &&= liveness === "ALIVE";
  }

  /** A node whose heartbeats have succeeded for longer than the warm-up is used again. */
  #checkReturned(worker: string, { liveness, isNew, lastFailedNanos, beats }: Watched): void {
    if (liveness === "ALIVE" || isNew || lastFailedNanos === Number.NEGATIVE_INFINITY) {
      return;
    }
    const succeeded = beats.filter((beat) => beat.endedNanos !== undefined && beat.endedNanos > lastFailedNanos);
    const calm = (succeeded.at(-1)?.endedNanos ?? 0) - (succeeded[0]?.endedNanos ?? 0);
    this.#check(
      calm < this.#warmupNanos + this.#tidyNanos,
      () =>
        `${worker} is ${liveness} although its heartbeats have succeeded for ${ms(calm)} ms, with a warm-up of ${ms(this.#warmupNanos)} ms`,
    );
  }

  /** Only the first announcement, or that of another incarnation, is followed by a heartbeat at once. */
  #announced(worker: string, life: string): void {
    const now = this.#now;
    const known = this.#of(worker);
    const isSame = known.announced?.life === life && now - known.announced.nanos < this.#ageNanosMax * 0.8;
    this.#check(!known.early || !isSame, () => `${worker} gets a heartbeat out of turn with an announcement that says nothing new`);
    known.early = false;
    if (known.announced?.life !== life) {
      this.#restarted(known);
      known.replacedNanos = this.#now;
    }
    known.life = life;
    known.announced = { life, nanos: now };
  }

  /** A new incarnation starts again; the counters go on. */
  #restarted(known: Watched): void {
    known.isNew = true;
    known.refusedNanos = undefined;
    known.lifeNanos = this.#now;
    known.failuresInARow = 0;
    known.lastFailedNanos = Number.NEGATIVE_INFINITY;
    known.mustBeExcluded = false;
  }

  #document({ uri, ...document }: NodeDocument): void {
    const { recentRequests, recentFailures, recentSuccesses, recentFailureRatio, recentFailuresByType } = document;
    const worker = /^http:\/\/([^:/]+)/.exec(uri)?.[1] ?? "";
    this.#check(worker !== this.#coordinator, () => `the coordinator lists itself as a node`);
    const ratio = recentRequests === 0 ? 0 : recentFailures / recentRequests;
    this.#check(
      Math.abs(recentFailureRatio - Math.min(1, ratio)) < 0.001,
      () => `${worker} has ${recentFailures} failures of ${recentRequests} requests and the ratio ${recentFailureRatio}`,
    );
    const byType = Object.values(recentFailuresByType).reduce((sum, count) => sum + count, 0);
    this.#check(Math.abs(byType - recentFailures) < 0.01, () => `${worker} has ${recentFailures} failures, and by type ${byType}`);
    // What has happened is told: counters decay, but never to nothing.
    const told = [document.lastRequestTime, document.lastResponseTime, document.lastFailureInfo].map((member) => member !== undefined);
    const happened = [recentRequests, recentSuccesses + recentFailures, recentFailures].map((count) => count > 0);
    this.#check(
      String(told) === String(happened),
      () => `${worker} has requests, answers and failures (${String(happened)}), and tells of the last of each (${String(told)})`,
    );
    const known = this.#watched.get(worker);
    if (known !== undefined && !known.mayBeForgotten) {
      const now = this.#now;
      this.#count(
        `recentRequests of ${worker}`,
        recentRequests,
        sum(known.beats, now, ({ sentNanos }) => sentNanos),
      );
      this.#count(`recentFailures of ${worker}`, recentFailures, sum(known.beats, now, failedAt));
      this.#count(`recentSuccesses of ${worker}`, recentSuccesses, sum(known.beats, now, succeededAt));
    }
  }

  #count(name: string, found: number, expected: number): void {
    this.#check(
      Math.abs(found - expected) <= expected * countShare + countSlack,
      () => `${name} is ${found.toFixed(2)}; the heartbeats give ${expected.toFixed(2)}`,
    );
  }

  #ratio({ beats }: Watched, now: number): number {
    return (
      sum(beats, now, failedAt) /
      Math.max(
        1e-9,
        sum(beats, now, ({ sentNanos }) => sentNanos),
      )
    );
  }

  /** Whether a fault kept the coordinator from working in this time. */
  #wasHit(nanos: number): boolean {
    return this.#context.facts.hitSince(this.#coordinator, this.#context.nowNanos() - nanos - lateNanos);
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function failedAt({ failed, endedNanos }: Beat): number | undefined {
  return failed ? endedNanos : undefined;
}

function succeededAt({ failed, endedNanos }: Beat): number | undefined {
  return failed ? undefined : endedNanos;
}

/** Each heartbeat counts one, and decays by e per minute. */
function sum(beats: readonly Beat[], now: number, at: (beat: Beat) => number | undefined): number {
  let total = 0;
  for (const beat of beats) {
    const nanos = at(beat);
    total += nanos === undefined ? 0 : Math.exp((nanos - now) / decayNanos);
  }
  return total;
}

function ms(nanos: number): string {
  return (nanos / nanosPerMs).toFixed(0);
}

export const nodeMonitor: ModelKind = {
  invariant: {
    name: "node-monitor",
    sentence:
      "A node counts with its first answered heartbeat, is excluded when more than the threshold of its recent heartbeats failed, and comes back after the warm-up; heartbeats keep their interval and time-out, and the counters are those of the heartbeats.",
    kind: "safety",
    checkedIn: "checkers/models/node/node-monitor.ts",
  },
  create: (context) => new NodeMonitorModel(context),
};
