/**
 * Searches for a smaller plan that fails in the same way. Candidates are tried in a fixed order, several at a time; the first in that order
 * that fails is adopted, regardless of which run ends first. The result therefore depends on the plan only, unless the time limit ends the
 * search.
 */
import type { RunPlan } from "../plan.ts";
import type { Signature } from "./signature.ts";
import type { Trial } from "./trial.ts";

/** What a search needs to know of a run: whether it failed in the same way, and its length. */
export interface Tried {
  readonly violation: unknown;
  readonly events: number;
}

/** Runs plans: of the engine's cluster (trial.ts), or of anything else. */
export interface PlanLaboratory<P, S, T extends Tried> {
  /** Number of plans that can be tried in parallel. */
  readonly width: number;
  /** Deterministic: the same question has the same answer. */
  try(question: { readonly plan: P; readonly signature: S; readonly eventsMax: number }): Promise<T>;
}

export interface SearchOptions<P = RunPlan, S = Signature, T extends Tried = Trial> {
  readonly laboratory: PlanLaboratory<P, S, T>;
  readonly signature: NoInfer<S>;
  /** Ends the search and keeps the best plan so far. */
  readonly signal?: AbortSignal | undefined;
  readonly onTrial?: ((search: Search<P, S, T>) => void) | undefined;
}

export class Search<P = RunPlan, S = Signature, T extends Tried = Trial> {
  /** The smallest failing plan so far, and its run. */
  best: P;
  trial: T;
  runs = 0;
  adopted = 0;
  /** Name of the current stage, for progress messages. */
  stage = "";
  readonly #options: SearchOptions<P, S, T>;
  readonly #tried = new Map<string, { readonly eventsMax: number; readonly trial: Promise<T> }>();
  readonly #over: Promise<undefined>;

  constructor(plan: P, trial: T, options: SearchOptions<P, S, T>) {
    this.best = plan;
    this.trial = trial;
    this.#options = options;
    const { signal } = options;
    this.#over = new Promise((resolve) => {
      signal?.addEventListener("abort", () => resolve(undefined));
    });
  }

  get isOver(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** Adopts the first candidate, in order, that fails in the same way. Returns its index, or undefined if none does. */
  async first(candidates: Iterable<P>): Promise<number | undefined> {
    const left = candidates[Symbol.iterator]();
    const ahead: { readonly plan: P; readonly trial: Promise<T> }[] = [];
    for (let index = 0; ; index++) {
      while (ahead.length < this.#options.laboratory.width && !this.isOver) {
        const next = left.next();
        if (next.done === true) {
          break;
        }
        ahead.push({ plan: next.value, trial: this.#try(next.value) });
      }
      const head = ahead.shift();
      if (head === undefined || this.isOver) {
        return undefined;
      }
      const trial = await Promise.race([head.trial, this.#over]);
      // A candidate equal to the best plan is no progress.
      if (trial?.violation !== undefined && JSON.stringify(head.plan) !== JSON.stringify(this.best)) {
        this.best = head.plan;
        this.trial = trial;
        this.adopted++;
        return index;
      }
    }
  }

  /** Returns whether the single candidate was adopted. */
  async accepts(candidate: P): Promise<boolean> {
    return (await this.first([candidate])) !== undefined;
  }

  /** Repeats `first` until no candidate of the best plan fails. */
  async exhaust(candidates: (best: P) => Iterable<P>): Promise<void> {
    while ((await this.first(candidates(this.best))) !== undefined) {
      // Each round starts from the plan that the last one adopted.
    }
  }

  /** Removes list items that the failure does not need: all of them, halves, quarters, down to single items (ddmin, from the end). */
  async reduce<I>(items: readonly I[], build: (best: P, kept: readonly I[]) => P): Promise<void> {
    let kept = items;
    if (kept.length === 0 || (await this.accepts(build(this.best, [])))) {
      return;
    }
    for (let size = Math.ceil(kept.length / 2); kept.length > 1; size = Math.ceil(size / 2)) {
      let changed = false;
      for (let end = kept.length; end > 0; ) {
        const chunks = chunksBefore(end, size);
        const from = kept;
        const hit = await this.first(lazily(chunks, ([start, stop]) => build(this.best, [...from.slice(0, start), ...from.slice(stop)])));
        const chunk = hit === undefined ? undefined : chunks[hit];
        if (chunk === undefined) {
          break;
        }
        kept = [...kept.slice(0, chunk[0]), ...kept.slice(chunk[1])];
        end = chunk[0];
        changed = true;
      }
      if ((size === 1 && !changed) || this.isOver) {
        return;
      }
    }
  }

  /**
   * Limit for candidates: a run with many more events than the best one is no simplification, and a run that passes need not reach its end.
   */
  get #eventsMax(): number {
    return Math.ceil(1.2 * this.trial.events) + 150;
  }

  #try(plan: P): Promise<T> {
    const eventsMax = this.#eventsMax;
    const key = JSON.stringify(plan);
    const known = this.#tried.get(key);
    // A run with the same or a higher limit also answers for a lower limit.
    if (known !== undefined && known.eventsMax >= eventsMax) {
      return known.trial.then((trial) => (trial.events >= eventsMax ? { ...trial, violation: undefined } : trial));
    }
    const { laboratory, signature, onTrial } = this.#options;
    const trial = laboratory.try({ plan, signature, eventsMax }).then((answer) => {
      this.runs++;
      onTrial?.(this);
      return answer;
    });
    this.#tried.set(key, { eventsMax, trial });
    return trial;
  }
}

function chunksBefore(end: number, size: number): readonly (readonly [number, number])[] {
  const chunks: (readonly [number, number])[] = [];
  for (let stop = end; stop > 0; stop -= size) {
    chunks.push([Math.max(0, stop - size), stop]);
  }
  return chunks;
}

export function* lazily<T, R>(items: Iterable<T>, make: (item: T) => R): Generator<R> {
  for (const item of items) {
    yield make(item);
  }
}
