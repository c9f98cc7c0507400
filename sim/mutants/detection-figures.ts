/** Seeds to detection, told honestly: what was not detected within the seeds that were run is censored, never left out. */

export interface Observation {
  readonly value: number;
  /** It is larger than `value`; by how much nobody has seen. */
  readonly censored: boolean;
}

/**
 * Kaplan-Meier: the smallest value by which the part `q` of all has been observed. undefined when the observations do not reach that far.
 */
export function quantile(observations: readonly Observation[], q: number): number | undefined {
  const sorted = [...observations].sort((a, b) => a.value - b.value || Number(a.censored) - Number(b.censored));
  let surviving = 1;
  for (const [index, { value, censored }] of sorted.entries()) {
    if (!censored) {
      surviving *= 1 - 1 / (sorted.length - index);
      // Against the last bit of a product of fractions.
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

/** From the places of the detections in a sequence of independent seeds: the seeds that each took, and the wait that was still open at the end. */
export function gapsOf(detectedAt: readonly number[], seeds: number): readonly Observation[] {
  const gaps: Observation[] = detectedAt.map((place, index) => ({ value: place - (detectedAt[index - 1] ?? 0), censored: false }));
  const open = seeds - (detectedAt.at(-1) ?? 0);
  return open > 0 ? [...gaps, { value: open, censored: true }] : gaps;
}
