/**
 * Reference rows that one child of a sweep has worked out, for the others: each is computed once, and not once a child. A reference is a function of schema and
 * statement, so whoever computed it, and whether anybody else did, changes nothing.
 */
import type { Outcome } from "./checkers/results/results.ts";

export interface Reference {
  readonly schema: string;
  readonly sql: string;
  readonly outcome: Outcome;
}

/** More than a thousand seeds in a row need. The oldest are forgotten beyond: whoever misses one computes it. */
const keptMax = 1_000;

export class LearnedReferences {
  readonly #kept: { readonly by: object; readonly reference: Reference }[] = [];
  /** How many were forgotten. */
  #forgotten = 0;
  /** Up to which one each child was told. */
  readonly #told = new WeakMap<object, number>();

  /** `by` is the child that has worked them out. */
  add(by: object, references: readonly Reference[]): void {
    this.#kept.push(...references.map((reference) => ({ by, reference })));
    this.#forgotten += this.#kept.splice(0, Math.max(0, this.#kept.length - keptMax)).length;
  }

  /** What the others have worked out since the child was last told. */
  takeFor(child: object): readonly Reference[] {
    const from = Math.max(0, (this.#told.get(child) ?? 0) - this.#forgotten);
    this.#told.set(child, this.#forgotten + this.#kept.length);
    return this.#kept.slice(from).flatMap(({ by, reference }) => (by === child ? [] : [reference]));
  }
}
