/**
 * Bounds the training of a model, and tells when it yields. Its work grows with the square of the rows, with the features and
 * with the pairs of classes, and for classes that cannot be told apart with the number of iterations.
 */
import { invalidArgument } from "../runtime/nested-values.ts";
import type { InSteps } from "../runtime/steps.ts";

/** Numbers that a training reads: about a second. */
const numbersMax = 400_000_000;
/** Numbers that the vectors of a training hold. */
const heldMax = 8_000_000;

/** Numbers that are read in a step. */
export const numbersPerStep = 400;
/** From which on a training yields. */
const numbersAtOnce = 400_000;

export class TrainingEffort {
  #left = numbersMax;
  #unyielded = 0;

  /** Fails with INVALID_FUNCTION_ARGUMENT if the training exceeds the bound. */
  count(numbers: number): void {
    this.#left -= numbers;
    this.#unyielded += numbers;
    if (this.#left < 0) {
      invalidArgument("Training takes too long. Use fewer rows, features or classes, a smaller C or a larger eps");
    }
  }

  /** Yields the steps since the last time, if they are many. */
  *pause(): InSteps<void> {
    if (this.#unyielded >= numbersAtOnce) {
      const steps = Math.floor(this.#unyielded / numbersPerStep);
      this.#unyielded = 0;
      yield steps;
    }
  }
}

/** Fails with INVALID_FUNCTION_ARGUMENT if the vectors of a training are too large. */
export function requireVectors(rows: number, features: number): void {
  if (rows * features > heldMax) {
    invalidArgument(`Training set must not have more than ${heldMax} values, and has ${rows} rows with ${features} features`);
  }
}
