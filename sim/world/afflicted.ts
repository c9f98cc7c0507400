/** A value that faults change while they last: every change lies on top of those that are there, and each goes by itself, in whatever order. */

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

  /** Holds until the returned function is called; calling that again does nothing. */
  change(change: (value: T) => T): Undo {
    // A function of its own: the same change may be made twice.
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
