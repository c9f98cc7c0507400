/**
 * The t-digest (Dunning and Ertl, 2019): sorted centroids of mean and weight, small at both ends, so that extreme quantiles are precise.
 * Format, little-endian: u8 0, then f64 minimum, maximum, compression and total weight, u32 count, the means in order, their weights.
 */
import { formatDouble } from "../runtime/formats.ts";
import { invalidArgument } from "../runtime/nested-values.ts";

const compression = 100;
/** Compression is finer while values are added, because repeated merging loses precision. */
const growthFactor = 2;
const headerBytes = 37;
/** Maximum number of values and centroids before they are merged. */
const roomMax = 5 * growthFactor * compression;

export interface TDigest {
  min: number;
  max: number;
  total: number;
  means: readonly number[];
  weights: readonly number[];
}

export function newTDigest(): TDigest {
  return { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, total: 0, means: [], weights: [] };
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function readTDigest(bytes: Uint8Array): TDigest {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= headerBytes ? view.getUint32(33, true) : -1;
  if (count < 0 || view.getUint8(0) !== 0 || bytes.length !== headerBytes + 16 * count) {
    return invalidArgument("Invalid tdigest");
  }
  const numbers = (from: number) => Array.from({ length: count }, (_, index) => view.getFloat64(from + 8 * index, true));
  return {
    min: view.getFloat64(1, true),
    max: view.getFloat64(9, true),
    total: view.getFloat64(25, true),
    means: numbers(headerBytes),
    weights: numbers(headerBytes + 8 * count),
  };
}

export function writeTDigest({ min, max, total, means, weights }: TDigest): Uint8Array {
  const view = new DataView(new ArrayBuffer(headerBytes + 16 * means.length));
  [min, max, compression, total].forEach((value, index) => view.setFloat64(1 + 8 * index, value, true));
  view.setUint32(33, means.length, true);
  means.forEach((mean, index) => view.setFloat64(headerBytes + 8 * index, mean, true));
  weights.forEach((weight, index) => view.setFloat64(headerBytes + 8 * (means.length + index), weight, true));
  return new Uint8Array(view.buffer);
}

/** Maximum fraction of the total weight that the centroids merged at a quantile may have together. */
function shareMax(quantile: number, normalizer: number): number {
  return (quantile * (1 - quantile)) / normalizer;
}

/** Merges neighboring centroids as far as the compression allows. */
function merged({ min, max, total, means, weights }: TDigest, factor: number): TDigest {
  const order = means.map((_mean, index) => index).sort((a, b) => (means[a] as number) - (means[b] as number));
  const scale = factor * compression;
  const normalizer = scale / Math.max(1, 4 * Math.log(total / scale) + 24);
  const [newMeans, newWeights]: [number[], number[]] = [[], []];
  let before = 0;
  let share = Number.POSITIVE_INFINITY;
  for (const index of order) {
    const [mean, weight] = [means[index] as number, weights[index] as number];
    const last = newWeights.length - 1;
    const together = (newWeights[last] ?? 0) + weight;
    const end = Math.min((before + together) / total, 1);
    if (last >= 0 && together <= total * Math.min(share, shareMax(end, normalizer))) {
      newMeans[last] = (newMeans[last] as number) + ((mean - (newMeans[last] as number)) * weight) / together;
      newWeights[last] = together;
      continue;
    }
    before += newWeights[last] ?? 0;
    share = shareMax(before / total, normalizer);
    newMeans.push(mean);
    newWeights.push(weight);
  }
  return { min, max, total, means: newMeans, weights: newWeights };
}

/** Throws INVALID_FUNCTION_ARGUMENT for NaN and for weights that are not positive. */
export function addToTDigest(digest: TDigest, rows: readonly (readonly [value: number, weight: number])[]): TDigest {
  let result = digest;
  for (let from = 0; from < rows.length; from += roomMax) {
    const batch = rows.slice(from, from + roomMax);
    for (const [value, weight] of batch) {
      if (!Number.isFinite(value)) {
        invalidArgument(`Value must be finite, was: ${formatDouble(value)}`);
      }
      if (!Number.isFinite(weight) || weight <= 0) {
        invalidArgument(`Weight must be positive and finite, was: ${formatDouble(weight)}`);
      }
      result.total += weight;
      result.min = Math.min(result.min, value);
      result.max = Math.max(result.max, value);
    }
    result.means = [...result.means, ...batch.map(([value]) => value)];
    result.weights = [...result.weights, ...batch.map(([, weight]) => weight)];
    result = result.means.length > roomMax ? merged(result, growthFactor) : result;
  }
  return result;
}

export function mergeTDigests(one: TDigest, other: TDigest): TDigest {
  const both: TDigest = {
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
    total: one.total + other.total,
    means: [...one.means, ...other.means],
    weights: [...one.weights, ...other.weights],
  };
  return both.means.length > roomMax ? merged(both, growthFactor) : both;
}

/** Converts the state to the result, at the final compression. */
export function finishTDigest(digest: TDigest): TDigest {
  return digest.total === 0 ? digest : merged(digest, 1);
}

function between(at: number, from: number, to: number, low: number, high: number): number {
  return low + ((high - low) * (at - from)) / (to - from);
}

/** NaN for an empty digest. */
export function quantileOfTDigest({ min, max, total, means, weights }: TDigest, quantile: number): number {
  const count = means.length;
  const [mean, weight] = [(index: number) => means[index] as number, (index: number) => weights[index] as number];
  if (count <= 1) {
    return count === 0 ? Number.NaN : mean(0);
  }
  const at = quantile * total;
  if (at < 1) {
    return min;
  }
  if (at < weight(0) / 2) {
    return between(at, 1, weight(0) / 2, min, mean(0));
  }
  if (at >= total - 1) {
    return max;
  }
  const lastHalf = weight(count - 1) / 2;
  if (total - at <= lastHalf && lastHalf > 1) {
    return between(total - at, 1, lastHalf, max, mean(count - 1));
  }
  let passed = weight(0) / 2;
  for (let index = 0; index < count - 1; index++) {
    const gap = (weight(index) + weight(index + 1)) / 2;
    if (passed + gap > at) {
      return inGap(at - passed, gap, [mean(index), weight(index)], [mean(index + 1), weight(index + 1)]);
    }
    passed += gap;
  }
  return max;
}

/** A centroid of weight one is an exact value; only heavier ones need interpolation. */
function inGap(
  offset: number,
  gap: number,
  [leftMean, leftWeight]: readonly [number, number],
  [rightMean, rightWeight]: readonly [number, number],
): number {
  if (leftWeight === 1 && offset < 0.5) {
    return leftMean;
  }
  if (rightWeight === 1 && offset >= leftWeight / 2) {
    return rightMean;
  }
  const from = leftWeight === 1 ? 0.5 : 0;
  const to = rightWeight === 1 ? leftWeight / 2 : gap;
  return between(offset, from, to, leftMean, rightMean);
}

/** Fraction of the values up to `value`; NaN for an empty digest. */
export function quantileAtValue({ min, max, total, means, weights }: TDigest, value: number): number {
  if (total === 0 || value < min || value > max) {
    return total === 0 ? Number.NaN : value < min ? 0 : 1;
  }
  let passed = 0;
  let [left, leftAt] = [min, 0];
  for (const [index, mean] of means.entries()) {
    const at = passed + (weights[index] as number) / 2;
    if (value < mean) {
      return (mean === left ? at : between(value, left, mean, leftAt, at)) / total;
    }
    [left, leftAt] = [mean, at];
    passed += weights[index] as number;
  }
  return max === left ? 1 : between(value, left, max, leftAt, total) / total;
}
