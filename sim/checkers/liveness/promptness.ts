/**
 * Nobody waits for what is there: a cancel ends its query at once; a query with a free slot, or with workers to run on, goes on, and one whose rows are all there
 * ends; a query that its client has left is given up in time; and whoever was told to leave is gone when its work or its time is over. Lateness is a failure long
 * before a statement hangs for good. Followed from the answers and changes of state that crossed the world; nothing of it comes from the timers that it judges.
 */
import { nanosPerMs, nanosPerSecond } from "../../world/world.ts";
import type { Facts } from "../facts.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "../protocol/wire.ts";

const oracle = "promptness";

/** What is there is taken within this time: forced delays and slow nodes are over by then. */
const takenNanos = 2 * nanosPerSecond;
/** Who measures long times does so by a clock that a fault may drive. */
const clockShareMin = 0.8;
/** And tidies up now and then. */
const tidyNanos = 3 * nanosPerSecond;
/** After its time of grace a node takes leave of who follows its tasks, of the cluster and of its own queries, a second each. */
const leaveNanos = 4 * nanosPerSecond;
/** What only a node that is not computing does; each has a timer every second. */
const acts: ReadonlySet<string> = new Set(["timer", "request", "respond", "answer"]);
const silentNanos = 2 * nanosPerSecond;
/** Who is frozen or crawls goes on later. */
const holdsUp = /^(?:pause|slow-node) (\S+)/;
/** Between two looks. */
const lookNanos = 200 * nanosPerMs;

interface LiveQuery {
  readonly id: string;
  state: string;
  sinceNanos: number;
  /** When its client last had an answer about it. */
  accessedNanos: number;
  said: boolean;
}

interface Leave {
  readonly incarnation: number;
  readonly sinceNanos: number;
  readonly graceNanos: number;
  /** Since when no task of it runs, as far as was looked. */
  idleSinceNanos: number | undefined;
  said: boolean;
  /** When it last did anything, and when it last had computed for long. */
  actedNanos: number;
  computedNanos: number;
}

/** What keeps a place from doing anything. */
interface HeldUp {
  readonly faults: Set<string>;
  /** When the last one ended. */
  endedNanos: number;
}

export interface PromptnessOptions {
  readonly verdict: Verdict;
  readonly facts: Facts;
  readonly coordinator: string;
  /** Workers that the coordinator would give tasks to; undefined while it does not live. */
  readonly activeWorkers: () => number | undefined;
  /** Tasks of a worker that have not ended; undefined where nobody can tell. */
  readonly liveTasks: (worker: string) => number | undefined;
  /** query.max-concurrent-queries */
  readonly runningMax: number;
  /** query.client.timeout */
  readonly clientTimeoutMs: number;
}

export class PromptnessOracle {
  readonly #options: PromptnessOptions;
  /** Of the coordinator's present life, those that have not ended. */
  readonly #live = new Map<string, LiveQuery>();
  /** Of that life, all. */
  readonly #known = new Set<string>();
  readonly #leaving = new Map<string, Leave>();
  /** By what each place is held up, and until when it was. */
  readonly #heldUp = new Map<string, HeldUp>();
  #incarnation = 0;
  #lookedNanos = 0;
  #workersSinceNanos: number | undefined;
  #slotSinceNanos: number | undefined;

  constructor(options: PromptnessOptions) {
    this.#options = options;
  }

  /** Every note of the world. */
  note(place: string, kind: string, detail: string, nowNanos: number): void {
    if (acts.has(kind) && this.#leaving.size > 0) {
      this.#sawAct(place, nowNanos);
    }
    if (kind === "log-info" && detail.startsWith("shutdown-started")) {
      const graceNanos = Number(/"graceMs":(\d+)/.exec(detail)?.[1] ?? 0) * nanosPerMs;
      const incarnation = this.#options.facts.livesOf(place);
      this.#leaving.set(place, {
        incarnation,
        sinceNanos: nowNanos,
        graceNanos,
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
    if (to === "FINISHED" || to === "FAILED") {
      this.#live.delete(id);
    }
  }

  observe({ to, path, request, response, nowNanos, ...answer }: Observed): void {
    const { coordinator, facts } = this.#options;
    this.#sawAct(to, nowNanos);
    if (to === coordinator && path.startsWith("/v1/statement") && response.status < 300) {
      const inPath = path.split("/")[3];
      const id = inPath ?? /"id":"([^"]+)"/.exec(answer.text())?.[1] ?? "";
      const query = this.#live.get(id);
      if (request.method === "DELETE") {
        this.#check(query === undefined, () => `${id} was cancelled with ${response.status}, and is ${query?.state ?? ""}`);
      } else if (query !== undefined) {
        query.accessedNanos = nowNanos;
      } else if (!this.#known.has(id) && answer.text().includes('"state":"QUEUED"')) {
        // A first answer is repeated as it was, long after.
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
    const query = known ?? { id, state: "QUEUED", sinceNanos: nowNanos, accessedNanos: nowNanos, said: false };
    this.#live.set(id, query);
    this.#known.add(id);
    return query;
  }

  #forget(): void {
    this.#live.clear();
    this.#known.clear();
    this.#workersSinceNanos = undefined;
    this.#slotSinceNanos = undefined;
  }

  #look(nowNanos: number): void {
    this.#checkLeaving(nowNanos);
    const { coordinator, activeWorkers, runningMax } = this.#options;
    const workers = activeWorkers();
    const queries = [...this.#live.values()];
    const running = queries.filter(({ state }) => state !== "QUEUED").length;
    this.#workersSinceNanos = (workers ?? 0) > 0 ? (this.#workersSinceNanos ?? nowNanos) : undefined;
    this.#slotSinceNanos = running < runningMax ? (this.#slotSinceNanos ?? nowNanos) : undefined;
    // Who was held up, or goes, has other things to do first.
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
      check(nanos <= takenNanos, () => `${id} waits for workers although there have been some for ${seconds(nanos)}`);
    } else if (state === "QUEUED") {
      const nanos = waited(this.#slotSinceNanos);
      check(nanos <= takenNanos, () => `${id} waits for a slot although one has been free for ${seconds(nanos)}`);
    }
    if (state === "FINISHING") {
      // All its rows are there: what is still asked for are the last numbers.
      const nanos = nowNanos - sinceNanos;
      check(nanos <= takenNanos, () => `${id} has been FINISHING for ${seconds(nanos)}, whoever it waits for`);
    }
    const silent = nowNanos - accessedNanos;
    check(silent <= (this.#options.clientTimeoutMs * nanosPerMs) / this.#clockShare + tidyNanos, () => {
      return `${id} is ${state} although its client has not been heard of for ${seconds(silent)}, and may be silent for ${this.#options.clientTimeoutMs / 1000} s`;
    });
  }

  #checkLeaving(nowNanos: number): void {
    for (const [place, leave] of this.#leaving) {
      const { incarnation, sinceNanos, graceNanos } = leave;
      if (leave.said || this.#options.facts.livesOf(place) !== incarnation || this.#wasHeldUp(place, nowNanos)) {
        continue;
      }
      leave.idleSinceNanos = this.#options.liveTasks(place) === 0 ? (leave.idleSinceNanos ?? nowNanos) : undefined;
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

  /** Several faults may hold a place up at a time: the end of one is not the end of the others. */
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

  /** A node that computes does nothing else: one slice may last, where work is slow. */
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

  /** Of a nanosecond of the world's, what the slowest clock counts. */
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
