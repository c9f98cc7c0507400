/**
 * Passes inputs to a node one at a time: the next one only after everything that the previous one caused has been processed. Therefore a
 * recording's order is complete: no two inputs are ever processed concurrently, so the order of promise continuations follows from the
 * order of inputs.
 */

/** Calls `callback` when no promise continuation is left to run; depends on the platform's event loop. */
export type AfterContinuations = (callback: () => void) => void;

export class Gate {
  readonly #after: AfterContinuations;
  readonly #waiting: (() => void)[] = [];
  readonly #workedOff: () => void;
  #busy = false;

  constructor(after: AfterContinuations) {
    this.#after = after;
    this.#workedOff = () => {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#busy = false;
      } else {
        this.#deliver(next);
      }
    };
  }

  /** Runs the input at once if none is in progress, otherwise queues it. */
  pass(input: () => void): void {
    if (this.#busy) {
      this.#waiting.push(input);
    } else {
      this.#deliver(input);
    }
  }

  #deliver(input: () => void): void {
    this.#busy = true;
    this.#after(this.#workedOff);
    input();
  }
}
