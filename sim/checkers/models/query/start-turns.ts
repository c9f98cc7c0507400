/**
 * Model of the turns in which admitted queries are planned and started. Written from decision 181:
 * - At most so many queries have a turn at the same time. A turn begins with PLANNING, and is over when the query ends, or after its time.
 * - Turns are given in the order of admission, which is that of the numbers that the list of queries shows.
 * - A query waits for its turn only while all turns are taken.
 */
import { knobs } from "../../../../src/ports/knobs.ts";
import type { RunPlan } from "../../../plan.ts";
import { nanosPerMs } from "../../../world/world.ts";
import { askInside } from "../inside.ts";
import type { Judged, Model, ModelKind, Note, Transition } from "../model.ts";

interface Turn {
  readonly beganNanos: number;
  /** Its end, or that of its time. */
  overNanos: number;
}

/** Time until the next query has a turn that is over: the timer of the coordinator may be late. */
const passedOnNanos = 5 * nanosPerMs;
/** Timers are as exact as the clock. */
const roundingNanos = 1_000;

/** The turns of the present incarnation of the coordinator, in its local time. */
export class TurnBook {
  readonly countMax: number;
  readonly #turnNanos: number;
  readonly #localNanos: () => number;
  readonly #turns = new Map<string, Turn>();

  constructor({ knobs: drawn = {} }: Pick<RunPlan, "knobs">, localNanos: () => number) {
    const valueOf = (name: "starting-queries" | "start-turn-ms"): number => drawn[name] ?? knobs[name].default;
    this.countMax = valueOf("starting-queries");
    this.#turnNanos = valueOf("start-turn-ms") * nanosPerMs;
    this.#localNanos = localNanos;
  }

  /** Whether so many queries have ever had a turn that one may have waited. */
  get isFilled(): boolean {
    return this.#turns.size >= this.countMax;
  }

  /** Number of turns, without those that may be over. */
  get count(): number {
    return this.#count(this.#localNanos(), -roundingNanos);
  }

  /** Whether a turn has been free for long enough to be given to a query that waits. */
  get hasFree(): boolean {
    return this.#hasFree(this.#localNanos());
  }

  /** For how long a turn has been free, beyond the time in which it is given to a query that waits; 0 if none is. */
  get freeNanos(): number {
    const nanos = this.#localNanos();
    if (!this.#hasFree(nanos)) {
      return 0;
    }
    const ends = [...this.#turns.values()].map(({ overNanos }) => overNanos + passedOnNanos).filter((time) => time <= nanos);
    // Until the last of these all were taken.
    const lastTaken = ends.filter((time) => this.#count(time - 1, passedOnNanos) >= this.countMax);
    return nanos - Math.max(Number.NEGATIVE_INFINITY, ...lastTaken);
  }

  /** Longest time for which a query that has its turn now can have waited for it. */
  get waitNanosMax(): number {
    const nanos = this.#localNanos();
    if (this.#hasFree(nanos)) {
      return 0;
    }
    const turns = [...this.#turns.values()];
    const lastFree = Math.max(
      Number.NEGATIVE_INFINITY,
      ...turns.map(({ overNanos }) => overNanos + passedOnNanos).filter((time) => time < nanos && this.#hasFree(time)),
    );
    // From then on all were taken, once so many had begun.
    const taken = turns.map(({ beganNanos }) => beganNanos).filter((time) => time >= lastFree && !this.#hasFree(time));
    return nanos - Math.min(nanos, ...taken);
  }

  /** The coordinator runs anew. */
  forget(): void {
    this.#turns.clear();
  }

  /** Call it after the questions about a query: its own turn has not kept it waiting. */
  became(id: string, to: string): void {
    const nanos = this.#localNanos();
    const turn = this.#turns.get(id);
    if (to === "PLANNING") {
      this.#turns.set(id, { beganNanos: nanos, overNanos: nanos + this.#turnNanos });
    } else if (turn !== undefined && (to === "FINISHED" || to === "FAILED")) {
      turn.overNanos = Math.min(turn.overNanos, nanos);
    }
  }

  #hasFree(nanos: number): boolean {
    return this.#count(nanos, passedOnNanos) < this.countMax;
  }

  #count(nanos: number, moreNanos: number): number {
    let count = 0;
    for (const { beganNanos, overNanos } of this.#turns.values()) {
      count += beganNanos <= nanos && nanos < overNanos + moreNanos ? 1 : 0;
    }
    return count;
  }
}

/** One in this many looks is at the list. */
const lookEvery = 5;
const place = /^Waiting to be planned: number (\d+) of (\d+) queries that have a slot$/;
/** Faults after which a coordinator acts late. */
const delays = /^(?:pause|slow-node) (\S+)/;

/** What the model reads of an element of the list of queries. */
interface Row {
  readonly queryId: string;
  readonly waitMessage?: string;
}

class StartTurns implements Model {
  readonly notes = ["start", "fault"];
  readonly #context: Judged;
  readonly #coordinator: string;
  readonly #book: TurnBook;
  /** Queries that wait, those ahead of each of them when they were last listed. */
  readonly #ahead = new Map<string, readonly string[]>();
  readonly #left = new Set<string>();
  #isDelayed = false;
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#coordinator = context.plan.coordinator.name;
    this.#book = new TurnBook(context.plan, () => context.localNanos(context.plan.coordinator.name));
  }

  note({ place: at, kind, detail }: Note): void {
    if (kind === "start" && at === this.#coordinator) {
      this.#book.forget();
      this.#ahead.clear();
      this.#left.clear();
      this.#isDelayed = false;
    }
    this.#isDelayed ||= kind === "fault" && delays.exec(detail)?.[1] === this.#coordinator;
  }

  observeTransition({ place: at, kind, id, to }: Transition): void {
    if (kind !== "query" || at !== this.#coordinator) {
      return;
    }
    // A statement that a rule sends to another cluster has no turn.
    if (to === "PLANNING" && this.#context.plan.remote === undefined) {
      const count = this.#book.count + 1;
      const { countMax } = this.#book;
      this.#context.check(count <= countMax, () => `${id} is the ${count}th query that is planned and started now, and ${countMax} may`);
    }
    if (to === "PLANNING") {
      const before = this.#ahead.get(id)?.find((other) => this.#ahead.has(other));
      this.#context.check(before === undefined, () => `${id} has its turn before ${String(before)}, which was ahead of it`);
    }
    // A query that waits for workers again is behind the others then.
    this.#ahead.delete(id);
    this.#left.add(id);
    this.#book.became(id, to);
  }

  look(): void {
    // Without so many turns nobody has ever waited for one.
    if (!this.#book.isFilled || this.#looks++ % lookEvery !== 0) {
      return;
    }
    const node = this.#context.node(this.#coordinator);
    void askInside(node, "/v1/query?state=queued").then((told) => {
      if (told?.status === 200 && node === this.#context.node(this.#coordinator)) {
        this.#listed(told.json() as readonly Row[]);
      }
    });
  }

  #listed(rows: readonly Row[]): void {
    const { check } = this.#context;
    const waiting = rows
      .map(({ queryId, waitMessage = "" }) => ({ queryId, numbers: (place.exec(waitMessage) ?? []).slice(1).map(Number) }))
      .filter(({ numbers, queryId }) => numbers.length > 0 && !this.#left.has(queryId))
      .sort((a, b) => (a.numbers[0] ?? 0) - (b.numbers[0] ?? 0));
    for (const [index, { queryId, numbers }] of waiting.entries()) {
      const [number = 0, of = 0] = numbers;
      const isPlace = number > 0 && number <= of && number !== waiting[index + 1]?.numbers[0];
      check(isPlace, () => `${queryId} is number ${number} of ${of} queries that wait for a turn`);
      const isFree = !this.#isDelayed && this.#book.hasFree;
      check(!isFree, () => `${queryId} waits for a turn although one of ${this.#book.countMax} is free`);
      this.#ahead.set(
        queryId,
        waiting.slice(0, index).map((one) => one.queryId),
      );
    }
  }
}

export const startTurns: ModelKind = {
  invariant: {
    name: "start-turns",
    sentence:
      "Only so many queries are planned and started at the same time, in the order of their admission, and none waits while a turn is free.",
    kind: "safety",
    checkedIn: "checkers/models/query/start-turns.ts",
  },
  create: (context) => new StartTurns(context),
};
