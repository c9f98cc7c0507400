/**
 * The distribution object of the task document: exact quantiles of a few samples, in nanoseconds.
 */
import type { DistributionDocument } from "../protocol/documents/task.ts";

/** All values are 0 without samples. A quantile q is the smallest sample that is at least as large as a fraction q of all samples. */
export function distribution(samples: readonly number[]): DistributionDocument {
  const sorted = samples.toSorted((a, b) => a - b);
  const quantile = (percent: number): number => sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)] ?? 0;
  return {
    maxError: 0,
    count: sorted.length,
    total: sorted.reduce((total, sample) => total + sample, 0),
    p01: quantile(1),
    p05: quantile(5),
    p10: quantile(10),
    p25: quantile(25),
    p50: quantile(50),
    p75: quantile(75),
    p90: quantile(90),
    p95: quantile(95),
    p99: quantile(99),
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
  };
}
