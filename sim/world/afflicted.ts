/**
 * A value that faults change for a while. Changes stack on top of each other; each can be undone separately, in any order.
 */

export type Undo = () => void;

export class Afflicted<T> {
  readonly #base: T;
  readonly #changes = new Set<(value: T) => T>();
  #value: T;

  constructor(base: T) {
    this.#base = base;
    this.#value = base;
  }

  get value(): T {
    return this.#value;
  }

  /** Applies a change until the returned function is called. Calling it again has no effect. */
  change(change: (value: T) => T): Undo {
    // A new function for each call, because the same change may be applied twice.
    const own = (value: T): T => change(value);
    this.#changes.add(own);
    this.#compute();
    return () => {
      this.#changes.delete(own);
      this.#compute();
    };
  }

  #compute(): void {
    this.#value = this.#base;
    for (const change of this.#changes) {
      this.#value = change(this.#value);
    }
  }
}
