/**
 * Intervals for the median of a few measurements, without an assumption about their distribution.
 */
import { median } from "./figures.ts";

export interface Interval {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Fewer values have no interval of this confidence. */
export const valuesMin = 8;
const errorMax = 0.01;

/**
 * Interval that contains the true median with a probability of at least 99 %: the k-th smallest and the k-th largest value, with the
 * largest k such that a fair coin falls on one side fewer than k times out of n with a probability of at most half a percent.
 */
export function medianInterval(values: readonly number[]): Interval {
  if (values.length < valuesMin) {
    throw new RangeError(`${values.length} values; an interval needs ${valuesMin}`);
  }
  const sorted = [...values].sort((a, b) => a - b);
  const skipped = skippedAtEachEnd(sorted.length);
  return { low: sorted[skipped] as number, median: median(sorted), high: sorted[sorted.length - 1 - skipped] as number };
}

function skippedAtEachEnd(count: number): number {
  let outcomes = 1;
  let below = 1;
  let skipped = 0;
  for (;;) {
    outcomes = (outcomes * (count - skipped)) / (skipped + 1);
    below += outcomes;
    if ((2 * below) / 2 ** count > errorMax) {
      return skipped;
    }
    skipped++;
  }
}
