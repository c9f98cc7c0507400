/**
 * Lets inputs reach a node one at a time: the next only when everything that the last one set off has been worked off. That is what makes a recording's
 * order the whole truth: no two inputs are ever half done at once, so the order of promise continuations follows from the order of inputs.
 */

/** Calls back once no promise continuation is left to run: a property of the platform's event loop. */
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

  /** At once when nothing is under way, in its turn otherwise. */
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
