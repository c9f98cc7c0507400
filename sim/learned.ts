/**
 * Shares reference rows between the children of a sweep, so that each reference is computed once instead of once a child. A reference is a
 * function of schema and statement, so sharing does not change any result.
 */
import type { Outcome } from "./checkers/results/results.ts";

export interface Reference {
  readonly schema: string;
  readonly sql: string;
  readonly outcome: Outcome;
}

/** Number of references kept, more than a thousand consecutive seeds need. The oldest are dropped; a child that lacks one computes it. */
const keptMax = 1_000;

export class LearnedReferences {
  readonly #kept: { readonly by: object; readonly reference: Reference }[] = [];
  /** Number of dropped references. */
  #forgotten = 0;
  /** Index up to which each child has received references. */
  readonly #told = new WeakMap<object, number>();

  /** `by` is the child that computed them. */
  add(by: object, references: readonly Reference[]): void {
    this.#kept.push(...references.map((reference) => ({ by, reference })));
    this.#forgotten += this.#kept.splice(0, Math.max(0, this.#kept.length - keptMax)).length;
  }

  /** References that other children computed since the last call for this child. */
  takeFor(child: object): readonly Reference[] {
    const from = Math.max(0, (this.#told.get(child) ?? 0) - this.#forgotten);
    this.#told.set(child, this.#forgotten + this.#kept.length);
    return this.#kept.slice(from).flatMap(({ by, reference }) => (by === child ? [] : [reference]));
  }
}
