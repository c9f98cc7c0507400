/**
 * Promptness: no component waits for something that is available. A cancel ends its query at once. A query with a free slot, or with
 * workers to run on, proceeds. A query whose rows are all delivered ends. A query that its client has abandoned is failed in time. A node
 * that was told to shut down is gone when its work or its grace period is over. Being late is a failure long before a statement hangs. The
 * check uses responses and state transitions only, and none of the engine's timers.
 */
import { nanosPerMs, nanosPerSecond } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import type { TurnBook } from "../models/query/start-turns.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "promptness";

/** Maximum time until available resources are used; forced delays and slow nodes are over by then. */
const takenNanos = 2 * nanosPerSecond;
/** The same for the last counters of EXPLAIN ANALYZE, which are its result: it waits as long as a request to a task may take. */
const explainedNanos = 12 * nanosPerSecond;
const explainAnalyze = /^\s*EXPLAIN\s+ANALYZE\b/i;
/** Long durations are measured by a clock that a fault may drive. */
const clockShareMin = 0.8;
/** Interval of the engine's cleanup, with a margin. */
const tidyNanos = 3 * nanosPerSecond;
/**
 * After its grace period a node says goodbye to clients that follow its tasks, to the cluster and to its own queries, for one second each.
 */
const leaveNanos = 4 * nanosPerSecond;
/** Kinds of notes that only a node which is not computing writes. Each node has a timer every second. */
const acts: ReadonlySet<string> = new Set(["timer", "request", "respond", "answer"]);
const silentNanos = 2 * nanosPerSecond;
/** Faults that delay a node: it is frozen or slow, and continues later. */
const holdsUp = /^(?:pause|slow-node) (\S+)/;
/** Interval between two checks. */
const lookNanos = 200 * nanosPerMs;
/** Nodes that are cut off from each other send messages, which fail, at least this often. */
const cutOffNanos = 5 * nanosPerSecond;

interface LiveQuery {
  readonly id: string;
  state: string;
  sinceNanos: number;
  /** Time of the last response to the client about this query. */
  accessedNanos: number;
  /** EXPLAIN ANALYZE. */
  isExplained: boolean;
  said: boolean;
}

interface Leave {
  readonly incarnation: number;
  readonly sinceNanos: number;
  readonly graceNanos: number;
  /** Its questions to other nodes, such as whether it has handed over its data, that have no answer: message to the other node. */
  readonly asking: Map<string, string>;
  /** Time since which the node has no running task, as far as observed. */
  idleSinceNanos: number | undefined;
  said: boolean;
  /** Time of the node's last action; `computedNanos` is the time at which it last returned from a long computation. */
  actedNanos: number;
  computedNanos: number;
}

/** Faults that stop a place from acting. */
interface HeldUp {
  readonly faults: Set<string>;
  /** Time at which the last of them ended. */
  endedNanos: number;
}

export interface PromptnessOptions {
  readonly verdict: Verdict;
  readonly facts: Facts;
  readonly coordinator: string;
  /** Number of workers that the coordinator would schedule on; undefined while it is down. */
  readonly activeWorkers: () => number | undefined;
  /** Value of query-manager.required-workers. */
  readonly requiredWorkers: number;
  /** Number of a worker's tasks that have not ended; undefined if unknown. */
  readonly liveTasks: (worker: string) => number | undefined;
  /** Number of parts of memory tables that have yet to be copied to other workers. */
  readonly partsToCopy: () => number;
  /** Value of query.max-concurrent-queries. */
  readonly runningMax: number;
  readonly turns: TurnBook;
  /** Value of query.client.timeout, in milliseconds. */
  readonly clientTimeoutMs: number;
}

export class PromptnessOracle {
  readonly #options: PromptnessOptions;
  /** Queries of the coordinator's current incarnation that have not ended. */
  readonly #live = new Map<string, LiveQuery>();
  /** All queries of that incarnation. */
  readonly #known = new Set<string>();
  readonly #leaving = new Map<string, Leave>();
  /** Faults that delay each place, and the time at which the last one ended. */
  readonly #heldUp = new Map<string, HeldUp>();
  #incarnation = 0;
  #lookedNanos = 0;
  #workersSinceNanos: number | undefined;
  #slotSinceNanos: number | undefined;

  constructor(options: PromptnessOptions) {
    this.#options = options;
  }

  /** Receives every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    if (this.#leaving.size > 0) {
      if (acts.has(kind)) {
        this.#sawAct(place, nowNanos);
      }
      this.#sawQuestion(place, kind, detail);
    }
    if (kind === "log-info" && detail.startsWith("shutdown-started")) {
      const graceNanos = Number(/"graceMs":(\d+)/.exec(detail)?.[1] ?? 0) * nanosPerMs;
      const incarnation = this.#options.facts.livesOf(place);
      this.#leaving.set(place, {
        incarnation,
        sinceNanos: nowNanos,
        graceNanos,
        asking: new Map(),
        idleSinceNanos: undefined,
        said: false,
        actedNanos: nowNanos,
        computedNanos: Number.NEGATIVE_INFINITY,
      });
    } else if (kind === "fault" || kind === "heal") {
      const held = holdsUp.exec(detail)?.[1];
      if (held !== undefined) {
        this.#holdUp(held, kind, detail, nowNanos);
      }
    } else if (kind === "crash" || kind === "stopped") {
      this.#leaving.delete(place);
      if (place === this.#options.coordinator) {
        this.#forget();
      }
    }
  }

  observeTransition(incarnation: number, id: string, to: string, nowNanos: number): void {
    const query = this.#query(incarnation, id, nowNanos);
    query.state = to;
    query.sinceNanos = nowNanos;
    this.#options.turns.became(id, to);
    if (to === "FINISHED" || to === "FAILED") {
      this.#live.delete(id);
    }
  }

  observe(answer: Observed): void {
    const { to, path, request, response, nowNanos } = answer;
    const { coordinator, facts } = this.#options;
    this.#sawAct(to, nowNanos);
    // Also who asks for an old token has been heard of.
    if (to === coordinator && path.startsWith("/v1/statement") && (response.status < 300 || response.status === 410)) {
      const inPath = path.split("/")[3];
      const id = inPath ?? /"id":"([^"]+)"/.exec(answer.text())?.[1] ?? "";
      const query = this.#live.get(id);
      if (query !== undefined && /^P(?:OS|U)T$/.test(request.method) && explainAnalyze.test(new TextDecoder().decode(request.body))) {
        query.isExplained = true;
      }
      if (request.method === "DELETE" && response.status < 300) {
        this.#check(query === undefined, () => `${id} was cancelled with ${response.status}, and is ${query?.state ?? ""}`);
      } else if (query !== undefined) {
        query.accessedNanos = nowNanos;
      } else if (!this.#known.has(id) && answer.text().includes('"state":"QUEUED"')) {
        // The response to a submission is repeated unchanged, even much later.
        this.#query(facts.livesOf(coordinator), id, nowNanos);
      }
    }
    if (nowNanos - this.#lookedNanos >= lookNanos) {
      this.#lookedNanos = nowNanos;
      this.#look(nowNanos);
    }
  }

  #query(incarnation: number, id: string, nowNanos: number): LiveQuery {
    if (incarnation !== this.#incarnation) {
      this.#forget();
      this.#incarnation = incarnation;
    }
    const known = this.#live.get(id);
    const query = known ?? { id, state: "QUEUED", sinceNanos: nowNanos, accessedNanos: nowNanos, isExplained: false, said: false };
    this.#live.set(id, query);
    this.#known.add(id);
    return query;
  }

  #forget(): void {
    this.#live.clear();
    this.#known.clear();
    this.#options.turns.forget();
    this.#workersSinceNanos = undefined;
    this.#slotSinceNanos = undefined;
  }

  #look(nowNanos: number): void {
    this.#checkLeaving(nowNanos);
    const { coordinator, activeWorkers, requiredWorkers, runningMax, turns } = this.#options;
    const workers = activeWorkers();
    const queries = [...this.#live.values()];
    const running = queries.filter(({ state }) => state !== "QUEUED").length;
    // A query that has both may have to wait for its turn to be planned.
    const mayGoOn = turns.hasFree;
    this.#workersSinceNanos = mayGoOn && (workers ?? 0) >= requiredWorkers ? (this.#workersSinceNanos ?? nowNanos) : undefined;
    this.#slotSinceNanos = mayGoOn && running < runningMax ? (this.#slotSinceNanos ?? nowNanos) : undefined;
    // A coordinator that was delayed, or shuts down, has other work to do first.
    if (workers === undefined || this.#leaving.has(coordinator) || this.#wasHeldUp(coordinator, nowNanos)) {
      this.#workersSinceNanos = undefined;
      this.#slotSinceNanos = undefined;
      return;
    }
    for (const query of queries.filter(({ said }) => !said)) {
      this.#examine(query, nowNanos);
    }
  }

  #examine(query: LiveQuery, nowNanos: number): void {
    const { id, state, sinceNanos, accessedNanos } = query;
    const waited = (since: number | undefined): number => (since === undefined ? 0 : nowNanos - Math.max(since, sinceNanos));
    const check = (holds: boolean, sentence: () => string): void => {
      query.said ||= !holds;
      this.#check(holds, sentence);
    };
    if (state === "WAITING_FOR_RESOURCES") {
      const nanos = waited(this.#workersSinceNanos);
      check(nanos <= takenNanos, () => `${id} waits for workers although there have been enough for ${seconds(nanos)}`);
    } else if (state === "QUEUED") {
      const nanos = waited(this.#slotSinceNanos);
      check(nanos <= takenNanos, () => `${id} waits for a slot although one has been free for ${seconds(nanos)}`);
    }
    if (state === "FINISHING") {
      // All its rows are delivered; only the final statistics are still being collected.
      const nanos = nowNanos - sinceNanos;
      const bound = query.isExplained ? explainedNanos : takenNanos;
      check(nanos <= bound, () => `${id} has been FINISHING for ${seconds(nanos)}, whoever it waits for`);
    }
    const silent = nowNanos - accessedNanos;
    check(silent <= (this.#options.clientTimeoutMs * nanosPerMs) / this.#clockShare + tidyNanos, () => {
      return `${id} is ${state} although its client has not been heard of for ${seconds(silent)}, and may be silent for ${this.#options.clientTimeoutMs / 1000} s`;
    });
  }

  #checkLeaving(nowNanos: number): void {
    // A worker hands its parts over before it goes, and the one that takes them may be frozen, or cut off from others.
    const handsOver =
      this.#leaving.size > 0 &&
      this.#options.partsToCopy() > 0 &&
      ([...this.#heldUp.keys()].some((place) => this.#wasHeldUp(place, nowNanos)) ||
        this.#options.facts.anyMessageTroubleSince(nowNanos - cutOffNanos));
    for (const [place, leave] of this.#leaving) {
      const { incarnation, sinceNanos, graceNanos } = leave;
      if (leave.said || this.#options.facts.livesOf(place) !== incarnation || this.#wasHeldUp(place, nowNanos)) {
        continue;
      }
      const isIdle = this.#options.liveTasks(place) === 0 && !handsOver && !this.#isCutOff(place, leave, nowNanos);
      leave.idleSinceNanos = isIdle ? (leave.idleSinceNanos ?? nowNanos) : undefined;
      const idle = (nowNanos - (leave.idleSinceNanos ?? nowNanos)) * this.#clockShare;
      const late = nowNanos - sinceNanos - graceNanos / this.#clockShare;
      leave.said = late > leaveNanos || idle > leaveNanos;
      this.#check(!leave.said, () =>
        late > leaveNanos
          ? `${place} was told to leave within ${seconds(graceNanos)}, and is still there ${seconds(late)} after that`
          : `${place} was told to leave, has had no task that runs for ${seconds(idle)}, and is still there`,
      );
    }
  }

  /** Questions of a leaving node and their ends: `m17 w1>c catalog-call POST ...`, `m17 w1>c catalog-call 200`. */
  #sawQuestion(place: string, kind: string, detail: string): void {
    const asking = this.#leaving.get(place)?.asking;
    const [message = "", link = "", label] = detail.split(" ", 3);
    if (asking === undefined || label !== "catalog-call") {
      return;
    }
    if (kind === "request") {
      asking.set(message, link.split(">")[1] ?? "");
    } else if (kind === "answer" || kind === "network-error") {
      asking.delete(message);
    }
  }

  /** Whether the node cannot know that its data is elsewhere, because the network between it and the node that knows fails. */
  #isCutOff(place: string, { asking }: Leave, nowNanos: number): boolean {
    return [...asking.values()].some((other) => this.#options.facts.messageTroubles(place, other, nowNanos - cutOffNanos) > 0);
  }

  /** Several faults may delay a place at the same time; the end of one does not end the others. */
  #holdUp(place: string, kind: "fault" | "heal", fault: string, nowNanos: number): void {
    const held = this.#heldUp.get(place) ?? { faults: new Set(), endedNanos: Number.NEGATIVE_INFINITY };
    this.#heldUp.set(place, held);
    if (kind === "fault") {
      held.faults.add(fault);
    } else {
      held.faults.delete(fault);
      held.endedNanos = nowNanos;
    }
  }

  /** A node that computes does nothing else. One slice may take long where work is slow. */
  #sawAct(place: string, nowNanos: number): void {
    const leave = this.#leaving.get(place);
    if (leave === undefined) {
      return;
    }
    if (nowNanos - leave.actedNanos > silentNanos) {
      leave.computedNanos = nowNanos;
    }
    leave.actedNanos = nowNanos;
  }

  #wasHeldUp(place: string, nowNanos: number): boolean {
    const held = this.#heldUp.get(place);
    const leave = this.#leaving.get(place);
    return (
      (held !== undefined && (held.faults.size > 0 || held.endedNanos > nowNanos - leaveNanos)) ||
      (leave !== undefined && (nowNanos - leave.actedNanos > silentNanos || leave.computedNanos > nowNanos - leaveNanos))
    );
  }

  /** Speed of the slowest clock, in its nanoseconds per nanosecond of the world. */
  get #clockShare(): number {
    return this.#options.facts.struck("clock-drift") ? clockShareMin : 1;
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#options.verdict, "liveness", oracle, holds, sentence);
  }
}

function seconds(nanos: number): string {
  return `${(nanos / nanosPerSecond).toFixed(1)} s`;
}
