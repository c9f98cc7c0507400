/** How long work is wanted, such as that of a query or of a reader. What waits for others stops when it ends. */

export interface Lifetime {
  readonly isOver: boolean;
  /** Calls back once, at the end, or at once if it is over. Returns a function that unsubscribes. */
  onEnd(callback: () => void): () => void;
  /** Ends later: requests that are under way at the end are finished until then, because what they have changed must be known. */
  readonly grace?: Lifetime;
}

/** Its owner ends it. */
export class OpenLifetime implements Lifetime {
  #callbacks = new Set<{ readonly call: () => void }>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  onEnd(callback: () => void): () => void {
    if (this.#isOver) {
      callback();
      return noop;
    }
    // An object of its own, because the same function may be given twice.
    const entry = { call: callback };
    this.#callbacks.add(entry);
    return () => {
      this.#callbacks.delete(entry);
    };
  }

  /** Idempotent. */
  end(): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    const callbacks = this.#callbacks;
    this.#callbacks = new Set();
    for (const { call } of callbacks) {
      call();
    }
  }
}

function noop(): void {}

/** Never ends. */
export const unending: Lifetime = Object.freeze({ isOver: false, onEnd: () => noop });
