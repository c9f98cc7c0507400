/**
 * Work of a search since it last yielded: steps of the matcher, and rows that conditions aggregated anew after backtracking.
 */

/** Number of aggregated rows that cost about as much as one step. */
const rowsPerStep = 16;

export class Effort {
  readonly #stepsPerSlice: number;
  #steps = 0;

  constructor(stepsPerSlice: number) {
    this.#stepsPerSlice = stepsPerSlice;
  }

  aggregated(rows: number): void {
    this.#steps += Math.ceil(rows / rowsPerStep);
  }

  /** A function ran that may have taken long, so the search yields. */
  ran(): void {
    this.#steps = this.#stepsPerSlice;
  }

  /** Called after each step. Returns true if the search must yield. */
  step(): boolean {
    if (++this.#steps < this.#stepsPerSlice) {
      return false;
    }
    this.#steps = 0;
    return true;
  }
}
