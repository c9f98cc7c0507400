/**
 * Statistics of seeds to detection. A mutant that was not detected within its seeds is a censored observation and is never left out.
 */

export interface Observation {
  readonly value: number;
  /** The true value is larger than `value` by an unknown amount. */
  readonly censored: boolean;
}

/**
 * Kaplan-Meier estimate: the smallest value by which the fraction `q` has been observed. Returns undefined if the observations do not reach
 * that far.
 */
export function quantile(observations: readonly Observation[], q: number): number | undefined {
  const sorted = [...observations].sort((a, b) => a.value - b.value || Number(a.censored) - Number(b.censored));
  let surviving = 1;
  for (const [index, { value, censored }] of sorted.entries()) {
    if (!censored) {
      surviving *= 1 - 1 / (sorted.length - index);
      // Tolerance for rounding in a product of fractions.
      if (1 - surviving >= q - 1e-9) {
        return value;
      }
    }
  }
  return undefined;
}

export interface Spread {
  readonly median: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** Median and quartiles. */
export function spreadOf(observations: readonly Observation[]): Spread {
  return { low: quantile(observations, 0.25), median: quantile(observations, 0.5), high: quantile(observations, 0.75) };
}

/**
 * From the ordinals of the detections in a sequence of independent seeds: the number of seeds for each, and the open wait at the end as a
 * censored observation.
 */
export function gapsOf(detectedAt: readonly number[], seeds: number): readonly Observation[] {
  const gaps: Observation[] = detectedAt.map((place, index) => ({ value: place - (detectedAt[index - 1] ?? 0), censored: false }));
  const open = seeds - (detectedAt.at(-1) ?? 0);
  return open > 0 ? [...gaps, { value: open, censored: true }] : gaps;
}
