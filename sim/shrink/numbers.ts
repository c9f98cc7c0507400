/**
 * Candidates for simpler numbers: zero, then round numbers.
 */

const ms = 1_000_000;

/**
 * Simpler times in nanoseconds: 0; whole seconds, tenths, down to milliseconds, below and above; then half of the time, rounded. Never the
 * time itself.
 */
export function simplerTimes(nanos: number): readonly number[] {
  const found = [0];
  for (const unit of [1000 * ms, 100 * ms, 10 * ms, ms]) {
    if (Math.abs(nanos) >= unit && nanos % unit !== 0) {
      found.push(Math.floor(nanos / unit) * unit, Math.ceil(nanos / unit) * unit);
    } else if (nanos % unit === 0) {
      break;
    }
  }
  if (nanos > 2 * ms) {
    found.push(roundDown(Math.floor(nanos / 2)));
  }
  return distinct(found, nanos);
}

/** The same for a span that should be short, without 0. */
export function shorterSpans(nanos: number): readonly number[] {
  return simplerTimes(nanos).filter((span) => span > 0 && span < nanos);
}

/** Simpler counts and factors: 0, 1, 2, 10, one significant digit. */
export function simplerCounts(count: number): readonly number[] {
  const smaller = [0, 1, 2, 10, 100].filter((value) => value < Math.abs(count));
  return distinct([...smaller, roundDown(Math.abs(count)) * Math.sign(count)], count);
}

/** One significant digit, then zeros. */
function roundDown(value: number): number {
  if (value < 10) {
    return value;
  }
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.floor(value / unit) * unit;
}

function distinct(values: readonly number[], except: number): readonly number[] {
  return [...new Set(values)].filter((value) => value !== except);
}
