/** How much a search has done since it last yielded: steps of the matcher, and rows that conditions aggregated anew after the search went back. */

const stepsPerSlice = 4096;
/** That many rows cost about what a step does. */
const rowsPerStep = 16;

export class Effort {
  #steps = 0;

  aggregated(rows: number): void {
    this.#steps += Math.ceil(rows / rowsPerStep);
  }

  /** A function ran that may have taken long: time to yield. */
  ran(): void {
    this.#steps = stepsPerSlice;
  }

  /** After each step. True: time to yield. */
  step(): boolean {
    if (++this.#steps < stepsPerSlice) {
      return false;
    }
    this.#steps = 0;
    return true;
  }
}
