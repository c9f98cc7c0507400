/**
 * The quantile digest (Shrivastava, Buragohain, Agrawal and Suri, 2004): counts for ranges of 64-bit keys, where each range is one half of
 * its parent. Small counts move to the parent, so a rank is off by at most `accuracy` of the rows.
 *
 * Format, little-endian: f64 accuracy, f64 rows, i64 minimum and maximum key, then for each range f64 count, i64 key prefix above its
 * level, u64 level, sorted by level and key.
 */
import { formatDouble } from "../runtime/formats.ts";
import { invalidArgument } from "../runtime/nested-values.ts";

const levels = 64;
const headerBytes = 32;
const rangeBytes = 24;

export interface QDigest {
  accuracy: number;
  total: number;
  least: bigint;
  greatest: bigint;
  /** For each level, counts by the key bits above that level. Keys are unsigned. */
  readonly counts: readonly Map<bigint, number>[];
}

const half = 1n << 63n;

/** Maps signed keys to unsigned keys in the same order. */
function unsigned(key: bigint): bigint {
  return BigInt.asUintN(64, key ^ half);
}

function signed(key: bigint): bigint {
  return BigInt.asIntN(64, key ^ half);
}

export function newQDigest(accuracy: number): QDigest {
  if (!(accuracy > 0 && accuracy < 1)) {
    invalidArgument(`Percentile accuracy must be exclusively between 0 and 1, was ${formatDouble(accuracy)}`);
  }
  const counts = Array.from({ length: levels + 1 }, () => new Map<bigint, number>());
  return { accuracy, total: 0, least: 2n ** 64n - 1n, greatest: 0n, counts };
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function readQDigest(bytes: Uint8Array): QDigest {
  if (bytes.length < headerBytes || (bytes.length - headerBytes) % rangeBytes !== 0) {
    return invalidArgument("Invalid qdigest");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const digest = newQDigest(view.getFloat64(0, true));
  digest.total = view.getFloat64(8, true);
  [digest.least, digest.greatest] = [view.getBigUint64(16, true), view.getBigUint64(24, true)];
  for (let at = headerBytes; at < bytes.length; at += rangeBytes) {
    const level = digest.counts[Number(view.getBigUint64(at + 16, true))] ?? invalidArgument("Invalid qdigest");
    level.set(view.getBigUint64(at + 8, true), view.getFloat64(at, true));
  }
  return digest;
}

export function writeQDigest(digest: QDigest): Uint8Array {
  compress(digest);
  const ranges = digest.counts.flatMap((level, number) =>
    [...level].sort(([a], [b]) => (a < b ? -1 : 1)).map((range) => ({ number, range })),
  );
  const view = new DataView(new ArrayBuffer(headerBytes + rangeBytes * ranges.length));
  view.setFloat64(0, digest.accuracy, true);
  view.setFloat64(8, digest.total, true);
  view.setBigUint64(16, digest.least, true);
  view.setBigUint64(24, digest.greatest, true);
  for (const [index, { number, range }] of ranges.entries()) {
    const at = headerBytes + rangeBytes * index;
    view.setFloat64(at, range[1], true);
    view.setBigUint64(at + 8, range[0], true);
    view.setBigUint64(at + 16, BigInt(number), true);
  }
  return new Uint8Array(view.buffer);
}

/** Moves the counts of siblings to their parent while the sum of all three is small, from the narrowest ranges to the widest. */
function compress({ accuracy, total, counts }: QDigest): void {
  const little = Math.floor((accuracy * total) / levels);
  for (let number = 0; number < levels && little > 0; number++) {
    const [level, above] = [counts[number] as Map<bigint, number>, counts[number + 1] as Map<bigint, number>];
    for (const key of level.keys()) {
      // A sibling that has already moved up is absent.
      const [mine, other] = [level.get(key) ?? 0, level.get(key ^ 1n) ?? 0];
      const parent = above.get(key >> 1n) ?? 0;
      if (mine + other + parent <= little) {
        level.delete(key);
        level.delete(key ^ 1n);
        above.set(key >> 1n, mine + other + parent);
      }
    }
  }
}

/** `key` is signed. Throws INVALID_FUNCTION_ARGUMENT if the weight is not positive. */
export function addToQDigest(digest: QDigest, key: bigint, weight: number): void {
  if (!(weight > 0)) {
    invalidArgument("Percentile weight must be > 0");
  }
  const own = unsigned(key);
  const leaves = digest.counts[0] as Map<bigint, number>;
  leaves.set(own, (leaves.get(own) ?? 0) + weight);
  digest.total += weight;
  digest.least = own < digest.least ? own : digest.least;
  digest.greatest = own > digest.greatest ? own : digest.greatest;
}

/** Merges into the first digest. */
export function mergeQDigests(digest: QDigest, other: QDigest): QDigest {
  other.counts.forEach((level, number) => {
    const mine = digest.counts[number] as Map<bigint, number>;
    level.forEach((count, key) => mine.set(key, (mine.get(key) ?? 0) + count));
  });
  digest.accuracy = Math.max(digest.accuracy, other.accuracy);
  digest.total += other.total;
  digest.least = other.least < digest.least ? other.least : digest.least;
  digest.greatest = other.greatest > digest.greatest ? other.greatest : digest.greatest;
  return digest;
}

interface Range {
  /** Largest key of the range. */
  readonly end: bigint;
  readonly level: number;
  readonly count: number;
}

/** Sorted by largest key; of ranges with the same end, the narrower first. */
function rangesOf({ counts }: QDigest): readonly Range[] {
  const ranges = counts.flatMap((level, number) =>
    [...level].map(([key, count]): Range => ({ end: ((key + 1n) << BigInt(number)) - 1n, level: number, count })),
  );
  return ranges.sort((a, b) => (a.end === b.end ? a.level - b.level : a.end < b.end ? -1 : 1));
}

/** Signed key; undefined for an empty digest. */
export function quantileOfQDigest(digest: QDigest, quantile: number): bigint | undefined {
  if (digest.total === 0) {
    return undefined;
  }
  const wanted = quantile * digest.total;
  let passed = 0;
  for (const { end, count } of rangesOf(digest)) {
    passed += count;
    if (passed >= wanted && passed > 0) {
      return signed(end < digest.least ? digest.least : end > digest.greatest ? digest.greatest : end);
    }
  }
  return signed(digest.greatest);
}

/** Fraction of the rows whose keys are less than or equal to `key`; undefined for an empty digest. */
export function rankInQDigest(digest: QDigest, key: bigint): number | undefined {
  if (digest.total === 0) {
    return undefined;
  }
  const own = unsigned(key);
  const passed = rangesOf(digest).reduce((sum, { end, count }) => (end <= own || own >= digest.greatest ? sum + count : sum), 0);
  return passed / digest.total;
}
