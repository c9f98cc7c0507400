/**
 * The plans that a hunt keeps: those whose runs reached what no run before them had reached. A plan that reached much, that was rarely
 * chosen, whose descendants reached more, and whose run is short, is chosen more often.
 */
import type { RunPlan } from "../plan.ts";
import type { Race } from "../trace/races.ts";
import type { Stream } from "../world/streams.ts";

export interface Kept {
  readonly id: number;
  readonly plan: RunPlan;
  /** How it came about: `seed 12`, `17: add fault, reseed`. */
  readonly origin: string;
  /** New branches count more than new counts of known ones. */
  readonly novelty: number;
  readonly events: number;
  /** Undefined until somebody has looked for them. */
  races: readonly Race[] | undefined;
  /** Number of descendants tried, and of those that were kept. */
  tried: number;
  kept: number;
}

/** What a run reached. Equal features of two runs have equal names. */
export interface Reached {
  readonly branches: readonly number[];
  /** Branches with the order of magnitude of their counts. */
  readonly counts: readonly number[];
  /** Goals and pairs. */
  readonly names: readonly string[];
}

const branchWorth = 4;
const nameWorth = 8;
const keptMax = 2_000;
/** Events of a usual run, to which costs are compared. */
const usualEvents = 1_500;

export class Corpus {
  readonly #kept: Kept[] = [];
  readonly #branches = new Set<number>();
  readonly #counts = new Set<number>();
  readonly #names = new Set<string>();
  #ids = 0;

  get size(): number {
    return this.#kept.length;
  }

  get branches(): number {
    return this.#branches.size;
  }

  get names(): number {
    return this.#names.size;
  }

  /** Worth of what the run reached first; remembers it. */
  learn({ branches, counts, names }: Reached): number {
    const count = <T>(known: Set<T>, items: readonly T[]): number => {
      const before = known.size;
      for (const item of items) {
        known.add(item);
      }
      return known.size - before;
    };
    return branchWorth * count(this.#branches, branches) + count(this.#counts, counts) + nameWorth * count(this.#names, names);
  }

  keep(found: Pick<Kept, "plan" | "origin" | "novelty" | "events">): Kept {
    const kept: Kept = { ...found, id: ++this.#ids, races: undefined, tried: 0, kept: 0 };
    this.#kept.push(kept);
    if (this.#kept.length > keptMax) {
      const weights = this.#kept.map(weightOf);
      this.#kept.splice(weights.indexOf(Math.min(...weights)), 1);
    }
    return kept;
  }

  /** Chooses by weight; undefined if nothing was kept. */
  choose(stream: Stream): Kept | undefined {
    return chooseBy(this.#kept, weightOf, stream);
  }

  any(stream: Stream): Kept | undefined {
    return this.#kept.length === 0 ? undefined : stream.pick(this.#kept);
  }
}

function weightOf({ novelty, events, tried, kept }: Kept): number {
  return Math.max(1, Math.round((1_000 * Math.log2(2 + novelty) * (1 + 2 * kept)) / ((1 + tried) * Math.max(0.5, events / usualEvents))));
}

/** Weights are whole numbers from 1 on. */
export function chooseBy<T>(items: readonly T[], weightOfItem: (item: T) => number, stream: Stream): T | undefined {
  const weights = items.map(weightOfItem);
  let left = stream.between(0, Math.max(0, weights.reduce((sum, weight) => sum + weight, 0) - 1), "weight");
  return items.find((_, place) => {
    left -= weights[place] as number;
    return left < 0;
  });
}

/** Orders of magnitude of a count: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more. */
function magnitude(count: number): number {
  return count <= 3 ? count - 1 : count < 8 ? 3 : count < 16 ? 4 : count < 32 ? 5 : count < 128 ? 6 : 7;
}

/** `own` holds pairs of a branch and its count. */
export function reachedBy(
  { own, coverage }: { readonly own: Uint32Array; readonly coverage: readonly string[] },
  isCounted: (branch: number) => boolean = () => true,
): Reached {
  const branches: number[] = [];
  const counts: number[] = [];
  for (let place = 0; place < own.length; place += 2) {
    const branch = own[place] as number;
    if (isCounted(branch)) {
      branches.push(branch);
      counts.push(branch * 8 + magnitude(own[place + 1] as number));
    }
  }
  return { branches, counts, names: coverage };
}
