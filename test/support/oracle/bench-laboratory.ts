/** A laboratory without children, for tests that need no second process. */
import type { Sabotage } from "../../../sim/world/network.ts";
import { type Laboratory, type Question, type Trial, tryPlan } from "../../../sim/shrink/trial.ts";
import { SharedState } from "../../../sim/shared.ts";

/** Runs one plan after the other in this process. */
export class Bench implements Laboratory {
  readonly width = 1;
  readonly #shared = new SharedState();
  readonly #sabotage: Sabotage | undefined;

  constructor(sabotage?: Sabotage) {
    this.#sabotage = sabotage;
  }

  try(question: Question): Promise<Trial> {
    return tryPlan(question, { shared: this.#shared, sabotage: this.#sabotage });
  }

  close(): void {
    // Nothing runs in the background here.
  }
}
