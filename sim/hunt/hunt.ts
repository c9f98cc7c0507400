/**
 * Searches for failing runs. A hunt keeps plans whose runs reach new branches or pairs, and tries changes of them; a part of its runs is
 * drawn anew. A run is a function of the hunt's seed and of the runs a fixed number before it, so a hunt with a number of runs repeats
 * itself, whatever the number of processes.
 */
import type { Branch } from "../coverage/branches/instrument.ts";
import type { BranchAnswer, BranchQuestion } from "../coverage/branches/subject.ts";
import type { Violation } from "../checkers/violation.ts";
import { drawRun } from "../draw/draw.ts";
import { drawAnySchedule } from "../draw/schedule.ts";
import type { RunPlan } from "../plan.ts";
import type { Answered } from "../pool.ts";
import { shapeOf } from "../shrink/signature.ts";
import { type Stream, StreamTree } from "../world/streams.ts";
import { chooseBy, Corpus, type Kept, reachedBy } from "./corpus.ts";
import { type MutationName, mutationNames, mutations, withoutLoad } from "./mutations.ts";

/** How a hunt finds its plans: by search, by drawing alone, or by drawing with a schedule of messages in each run. */
export const strategies = ["hunt", "sweep", "pct"] as const;
export type Strategy = (typeof strategies)[number];

export interface HuntOptions {
  readonly seed: string;
  readonly strategy: Strategy;
  /** Number of runs; without end if absent. */
  readonly runsMax?: number | undefined;
  /** Number of runs that are tried in parallel. */
  readonly width: number;
  readonly ask: (question: BranchQuestion) => Promise<Answered<BranchAnswer>>;
  /** Branches whose counts depend on the runs before in the same process do not count. All count if absent. */
  readonly isCounted?: (branch: number) => boolean;
  /** Plans that are run first. */
  readonly plans?: readonly RunPlan[];
  /** Computes references anew for each run, because the engine has a planted bug. */
  readonly forgetsReferences?: boolean;
  /** Called before each run. */
  readonly isOver: () => boolean;
  readonly onRun?: (hunt: Hunt) => void;
  readonly onKept?: (kept: Kept) => void;
  readonly onFailure?: (failure: Failure) => void;
}

/** Runs that failed in one way; the plan is the first one's. */
export interface Failure {
  readonly violation: Violation;
  readonly plan: RunPlan;
  readonly origin: string;
  /** Ordinal of the run, from 1. */
  readonly run: number;
  runs: number;
}

interface Candidate {
  readonly plan: RunPlan;
  readonly origin: string;
  readonly parent?: Kept;
  readonly used: readonly MutationName[];
  readonly looksForRaces: boolean;
}

interface Tries {
  tried: number;
  kept: number;
}

/** Sources whose branches say what the process has already generated: kernels, and functions that check documents. */
const generators: readonly string[] = ["src/codegen/", "src/protocol/documents/checked.ts"];

/** Whether a hunt counts a branch. */
export function countedIn(branches: readonly Branch[]): (branch: number) => boolean {
  return (branch) => !generators.some((path) => branches[branch]?.file.startsWith(path) === true);
}

/** Runs that are in progress when a plan is chosen: what they find is not yet known to it. A constant, so that a hunt repeats itself. */
const lag = 8;
/** Runs that are drawn before anything is mutated. */
const drawnFirst = 24;
/** Then one run in this many is drawn. */
const drawnOneIn = 4;
/** One parent in this many has a donor that is drawn, not kept. */
const donorDrawnOneIn = 2;
const racesMax = 12;
/** Seeds of a hunt share a bank of statements (sim/draw/draw.ts), so that each kernel is compiled once. */
const seedsOfBank = 1_000;

export class Hunt {
  readonly corpus = new Corpus();
  readonly failures = new Map<string, Failure>();
  readonly tries: Readonly<Record<MutationName, Tries>>;
  /** Number of completed runs, and of those without a row: they prove nothing. */
  runs = 0;
  vacuous = 0;
  readonly #options: HuntOptions;
  readonly #candidates = new Map<number, Candidate>();
  readonly #answers = new Map<number, Promise<Answered<BranchAnswer>>>();
  #next = 0;
  #learned = 0;
  #drawn = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: HuntOptions) {
    this.#options = options;
    this.tries = Object.fromEntries(mutationNames.map((name) => [name, { tried: 0, kept: 0 }])) as Record<MutationName, Tries>;
  }

  async run(): Promise<void> {
    const { width, isOver, runsMax = Number.POSITIVE_INFINITY } = this.#options;
    const work = async (): Promise<void> => {
      while (!isOver() && this.#next < runsMax) {
        // One after the other, because a plan depends on the results before it.
        const turn = this.#turn.then(() => (isOver() || this.#next >= runsMax ? undefined : this.#start()));
        this.#turn = turn;
        const started = await turn;
        if (started !== undefined) {
          await this.#answers.get(started);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(width, lag) }, work));
    await this.#learnTo(this.#next);
  }

  async #start(): Promise<number> {
    const number = this.#next;
    await this.#learnTo(number - lag);
    const candidate = this.#propose(number);
    this.#candidates.set(number, candidate);
    const { ask, forgetsReferences = false } = this.#options;
    this.#answers.set(number, ask({ run: candidate.plan, forgetsReferences, racesMax: candidate.looksForRaces ? racesMax : 0 }));
    this.#next++;
    return number;
  }

  /** Takes the results of the runs before this number, in order. */
  async #learnTo(number: number): Promise<void> {
    for (; this.#learned < number; this.#learned++) {
      const [candidate, answer] = [this.#candidates.get(this.#learned), await this.#answers.get(this.#learned)];
      this.#candidates.delete(this.#learned);
      this.#answers.delete(this.#learned);
      if (candidate !== undefined && answer !== undefined) {
        this.#learn(candidate, answer);
      }
    }
  }

  #learn(candidate: Candidate, answered: Answered<BranchAnswer>): void {
    this.runs++;
    const violation = answered.kind === "answer" ? answered.answer.violation : lostRun(answered.reason);
    if (violation?.kind === "vacuous") {
      this.vacuous++;
    } else if (violation !== undefined) {
      this.#fail(candidate, violation);
    } else if (answered.kind === "answer") {
      this.#keep(candidate, answered.answer);
    }
    this.#options.onRun?.(this);
  }

  #keep({ plan, origin, parent, used, looksForRaces }: Candidate, answer: BranchAnswer): void {
    if (looksForRaces && parent !== undefined) {
      parent.races = answer.races;
      return;
    }
    const novelty = this.corpus.learn(reachedBy(answer, this.#options.isCounted));
    for (const name of used) {
      this.tries[name].tried++;
      this.tries[name].kept += novelty > 0 ? 1 : 0;
    }
    if (parent !== undefined) {
      parent.tried++;
      parent.kept += novelty > 0 ? 1 : 0;
    }
    if (novelty > 0 && this.#options.strategy === "hunt") {
      const kept = this.corpus.keep({ plan: withoutLoad(plan), origin, novelty, events: answer.events });
      this.#options.onKept?.(kept);
    }
  }

  #fail({ plan, origin }: Candidate, violation: Violation): void {
    const key = `${violation.kind} ${violation.oracle} ${shapeOf(violation.sentence)}`;
    const known = this.failures.get(key);
    if (known !== undefined) {
      known.runs++;
      return;
    }
    const failure: Failure = { violation, plan, origin, run: this.runs, runs: 1 };
    this.failures.set(key, failure);
    this.#options.onFailure?.(failure);
  }

  #propose(number: number): Candidate {
    const { strategy, seed, plans = [] } = this.#options;
    const given = plans[number];
    if (given !== undefined) {
      return { plan: given, origin: "given", used: [], looksForRaces: false };
    }
    const stream = StreamTree.root(`hunt/${seed}/${number}`).stream("propose");
    const isDrawn = strategy !== "hunt" || number < plans.length + drawnFirst || stream.chance(1, drawnOneIn, "drawn");
    const parent = isDrawn ? undefined : this.corpus.choose(stream);
    return parent === undefined ? this.#draw(stream) : this.#mutate(parent, stream);
  }

  #draw(stream: Stream): Candidate {
    const plan = drawRun(this.#seedOf(this.#drawn++));
    const isScheduled = this.#options.strategy === "pct";
    const unscheduled = this.#options.strategy === "sweep";
    const { schedule: _schedule, ...rest } = plan;
    const chosen = isScheduled ? { ...plan, schedule: drawAnySchedule(stream) } : unscheduled ? rest : plan;
    return { plan: chosen, origin: `seed ${plan.seed}`, used: [], looksForRaces: false };
  }

  /** Hunts of neighbouring seeds draw from different banks; after a thousand plans a hunt goes on with another bank. */
  #seedOf(drawn: number): string {
    const first = /^\d{1,6}$/.test(this.#options.seed)
      ? Number(this.#options.seed)
      : StreamTree.root(this.#options.seed).stream("bank").nextInt(1e6);
    return String((first + 1_000_000 * Math.floor(drawn / seedsOfBank)) * seedsOfBank + (drawn % seedsOfBank) + 1);
  }

  #mutate(parent: Kept, stream: Stream): Candidate {
    let plan = parent.plan;
    const used: MutationName[] = [];
    const wanted = 1 + stream.pick([0, 0, 1, 1, 2, 4], "changes");
    for (let attempt = 0; used.length < wanted && attempt < 4 * wanted; attempt++) {
      const name = chooseBy(mutationNames, (one) => this.#weightOf(one), stream) ?? "reseed";
      if (name === "swap race" && parent.races === undefined) {
        if (used.length === 0) {
          return { plan: parent.plan, parent, origin: `${parent.id}: its races`, used: [], looksForRaces: true };
        }
        continue;
      }
      // Races are those of the parent's run, so they come before other changes.
      const races = used.every((one) => one === "swap race") ? (parent.races ?? []) : [];
      const changed = mutations[name](plan, { stream, donor: this.#donor(stream), races });
      if (changed !== undefined) {
        plan = changed;
        used.push(name);
      }
    }
    return { plan, parent, used, origin: `${parent.id}: ${used.join(", ")}`, looksForRaces: false };
  }

  #donor(stream: Stream): RunPlan {
    const kept = stream.chance(1, donorDrawnOneIn, "drawn donor") ? undefined : this.corpus.any(stream);
    return kept?.plan ?? drawRun(this.#seedOf(stream.nextInt(seedsOfBank, "donor")));
  }

  /** Changes that led to something new are chosen more often. */
  #weightOf(name: MutationName): number {
    const { tried, kept } = this.tries[name];
    return Math.max(10, Math.round((100 * (kept + 2)) / (tried + 8)));
  }
}

function lostRun(reason: string): Violation {
  return { kind: "crash", oracle: "process", sentence: `the run did not end: ${reason}`, atNanos: 0 };
}
