/**
 * Consecutive request failures to one node: the delay before the next try, and when to give up. Presto's rule: the delay after k failures
 * in a row is 0, 50, 100, 200, 500, 500 ... ms. An error is permanent after at least three failures that span the longest allowed time. A
 * success resets the count.
 */
import type { Clock, MonotonicNanos } from "../../ports/clock.ts";

const delaysMs: readonly number[] = [0, 50, 100, 200, 500];
const failuresMin = 3;

export interface FailureVerdict {
  readonly permanent: boolean;
  /** Delay before the next try, in milliseconds. */
  readonly delayMs: number;
  readonly failures: number;
  readonly durationMs: number;
}

export class ErrorTracker {
  readonly #clock: Clock;
  readonly #durationMaxMs: number;
  #failures = 0;
  #first: MonotonicNanos | undefined;

  constructor(clock: Clock, durationMaxMs: number) {
    this.#clock = clock;
    this.#durationMaxMs = durationMaxMs;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#first = undefined;
  }

  failed(): FailureVerdict {
    const now = this.#clock.monotonicNanos();
    this.#first ??= now;
    this.#failures += 1;
    const durationMs = (now - this.#first) / 1e6;
    return {
      permanent: this.#failures >= failuresMin && durationMs >= this.#durationMaxMs,
      delayMs: delaysMs[Math.min(this.#failures, delaysMs.length - 1)] ?? 0,
      failures: this.#failures,
      durationMs,
    };
  }
}
