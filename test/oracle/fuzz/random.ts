/**
 * The source of the generator's decisions: its own generator (xorshift32), so that a seed produces the same statements on every platform,
 * or a list of recorded decisions. Every decision is recorded, with the spans of decisions that produced one part of a statement: a smaller
 * list is a smaller statement (shrink.ts). 0 is always the simplest decision.
 */

import { assert } from "../../../src/protocol/errors.ts";

/** The decisions from `start` (inclusive) to `end` (exclusive) produced one part. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export class Random {
  #state: number;
  readonly #given: readonly number[] | undefined;
  readonly choices: number[] = [];
  readonly spans: Span[] = [];
  /** True if the statement is a query, whose head can declare functions. */
  declaresFunctions = true;

  constructor(seed: number, stream = 0, given?: readonly number[]) {
    this.#given = given;
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) | 1;
    for (let round = 0; round < 8; round++) {
      this.#next();
    }
  }

  /** Replays recorded decisions, followed by zeros. */
  static replay(choices: readonly number[]): Random {
    return new Random(0, 0, choices);
  }

  #next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }

  /** From 0 to below `bound`, which must be at least 1. */
  below(bound: number): number {
    assert(bound >= 1, `a decision between ${bound}`);
    const given = this.#given;
    const choice = given === undefined ? this.#next() % bound : Math.min(given[this.choices.length] ?? 0, bound - 1);
    this.choices.push(choice);
    return choice;
  }

  /** True with a probability of `percent`. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const left = [...items];
    const out: T[] = [];
    while (left.length > 0) {
      out.push(...left.splice(this.below(left.length), 1));
    }
    return out;
  }

  /** Records the decisions of `make` as one part. */
  part<T>(make: () => T): T {
    const start = this.choices.length;
    const made = make();
    if (this.choices.length > start) {
      this.spans.push({ start, end: this.choices.length });
    }
    return made;
  }
}
