/**
 * Work of a search since it last yielded: steps of the matcher, and rows that conditions aggregated anew after backtracking.
 */

const stepsPerSlice = 4096;
/** Number of aggregated rows that cost about as much as one step. */
const rowsPerStep = 16;

export class Effort {
  #steps = 0;

  aggregated(rows: number): void {
    this.#steps += Math.ceil(rows / rowsPerStep);
  }

  /** A function ran that may have taken long, so the search yields. */
  ran(): void {
    this.#steps = stepsPerSlice;
  }

  /** Called after each step. Returns true if the search must yield. */
  step(): boolean {
    if (++this.#steps < stepsPerSlice) {
      return false;
    }
    this.#steps = 0;
    return true;
  }
}
