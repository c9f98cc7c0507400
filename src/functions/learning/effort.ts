/**
 * Bounds the training of a model, which cannot be left and continued. Its work grows with the square of the rows, with the features and
 * with the pairs of classes, and for classes that cannot be told apart with the number of iterations.
 */
import { invalidArgument } from "../runtime/nested-values.ts";

/** Numbers that a training reads: about a second. */
const numbersMax = 400_000_000;
/** Numbers that the vectors of a training hold. */
const heldMax = 8_000_000;

export class TrainingEffort {
  #left = numbersMax;

  /** Fails with INVALID_FUNCTION_ARGUMENT if the training exceeds the bound. */
  count(numbers: number): void {
    this.#left -= numbers;
    if (this.#left < 0) {
      invalidArgument("Training takes too long. Use fewer rows, features or classes, a smaller C or a larger eps");
    }
  }
}

/** Fails with INVALID_FUNCTION_ARGUMENT if the vectors of a training are too large. */
export function requireVectors(rows: number, features: number): void {
  if (rows * features > heldMax) {
    invalidArgument(`Training set must not have more than ${heldMax} values, and has ${rows} rows with ${features} features`);
  }
}
