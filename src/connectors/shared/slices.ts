/** Ends the slice of work of a loop after so many units of it, so that requests are served while a long list of metadata is read. */
import type { Clock } from "../../ports/clock.ts";

export type Turns = Pick<Clock, "turn">;

/** About a millisecond of work for units of a microsecond. */
const unitsMax = 1024;

export class Slices {
  readonly #clock: Turns;
  #units = 0;

  constructor(clock: Turns) {
    this.#clock = clock;
  }

  /** Undefined while the slice may go on. */
  after(units: number): Promise<void> | undefined {
    this.#units += units;
    if (this.#units < unitsMax) {
      return undefined;
    }
    const turned = this.#clock.turn(this.#units);
    this.#units = 0;
    return turned;
  }
}
