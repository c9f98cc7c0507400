/**
 * Set digests as values, in Trino's format, little-endian: u8 1, u32 length of the HyperLogLog, the HyperLogLog, u32 capacity of the
 * MinHash, u32 count, the hashes in ascending order as i64, their occurrence counts as i16. While the MinHash is below its capacity it
 * holds all hashes, so results are exact.
 */
import { addHashes, estimate, type HyperLogLog, mergeLogs, newHyperLogLog, readHyperLogLog, writeHyperLogLog } from "./hyperloglog.ts";
import { invalidArgument } from "../runtime/nested-values.ts";

const formatTag = 1;
const hashBytes = 8;
const countBytes = 2;
const lengthBytes = 4;

/** 2048 buckets. */
const logBits = 11;
const hashesMaxDefault = 8192;
/** Counts saturate at this value. */
const countMax = 32_767;

export interface SetDigest {
  readonly log: HyperLogLog;
  /** Capacity: the digest keeps the smallest hashes. */
  readonly hashesMax: number;
  /** Ascending. */
  readonly hashes: BigInt64Array;
  /** By index of the hash. */
  readonly counts: Int16Array;
}

export function newSetDigest(): SetDigest {
  return { log: newHyperLogLog(logBits), hashesMax: hashesMaxDefault, hashes: new BigInt64Array(0), counts: new Int16Array(0) };
}

function broken(): never {
  return invalidArgument("Invalid setdigest");
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function readSetDigest(bytes: Uint8Array): SetDigest {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const logStart = 1 + lengthBytes;
  if (bytes.length < logStart || bytes[0] !== formatTag) {
    return broken();
  }
  const logEnd = logStart + view.getUint32(1, true);
  const start = logEnd + 2 * lengthBytes;
  if (start > bytes.length) {
    return broken();
  }
  const [hashesMax, count] = [view.getInt32(logEnd, true), view.getUint32(logEnd + lengthBytes, true)];
  if (hashesMax < 1 || count > hashesMax || bytes.length !== start + count * (hashBytes + countBytes)) {
    return broken();
  }
  const countsStart = start + count * hashBytes;
  const hashes = BigInt64Array.from({ length: count }, (_, index) => view.getBigInt64(start + hashBytes * index, true));
  const counts = Int16Array.from({ length: count }, (_, index) => view.getInt16(countsStart + countBytes * index, true));
  if (hashes.some((hash, index) => index > 0 && hash <= (hashes[index - 1] as bigint)) || counts.some((seen) => seen < 1)) {
    return broken();
  }
  return { log: readHyperLogLog(bytes.subarray(logStart, logEnd)), hashesMax, hashes, counts };
}

export function writeSetDigest({ log, hashesMax, hashes, counts }: SetDigest): Uint8Array {
  const logBytes = writeHyperLogLog(log);
  const logStart = 1 + lengthBytes;
  const logEnd = logStart + logBytes.length;
  const start = logEnd + 2 * lengthBytes;
  const countsStart = start + hashes.length * hashBytes;
  const result = new Uint8Array(countsStart + counts.length * countBytes);
  const view = new DataView(result.buffer);
  view.setUint8(0, formatTag);
  view.setUint32(1, logBytes.length, true);
  result.set(logBytes, logStart);
  view.setInt32(logEnd, hashesMax, true);
  view.setUint32(logEnd + lengthBytes, hashes.length, true);
  hashes.forEach((hash, index) => view.setBigInt64(start + hashBytes * index, hash, true));
  counts.forEach((seen, index) => view.setInt16(countsStart + countBytes * index, seen, true));
  return result;
}

interface Counted {
  readonly hashes: BigInt64Array;
  readonly counts: Int16Array;
}

/** Merges two sorted lists, adds the counts of equal hashes, and keeps the first `most` entries. */
function mergeCounted(one: Counted, other: Counted, most: number): Counted {
  const hashes = new BigInt64Array(Math.min(most, one.hashes.length + other.hashes.length));
  const counts = new Int16Array(hashes.length);
  let [left, right, size] = [0, 0, 0];
  while (size < hashes.length && (left < one.hashes.length || right < other.hashes.length)) {
    const [p, q] = [one.hashes[left], other.hashes[right]];
    const least = q === undefined || (p !== undefined && p <= q) ? (p as bigint) : q;
    let seen = 0;
    if (p === least) {
      seen += one.counts[left++] as number;
    }
    if (q === least) {
      seen += other.counts[right++] as number;
    }
    hashes[size] = least;
    counts[size++] = Math.min(countMax, seen);
  }
  return { hashes: hashes.slice(0, size), counts: counts.slice(0, size) };
}

/** Combines equal neighbors. */
function countSorted(sorted: BigInt64Array): Counted {
  const hashes = new BigInt64Array(sorted.length);
  const counts = new Int16Array(sorted.length);
  let size = 0;
  for (const [index, hash] of sorted.entries()) {
    if (index === 0 || hash !== sorted[index - 1]) {
      hashes[size++] = hash;
    }
    counts[size - 1] = Math.min(countMax, (counts[size - 1] as number) + 1);
  }
  return { hashes: hashes.slice(0, size), counts: counts.slice(0, size) };
}

/** Modifies the HyperLogLog of its argument. */
export function addToSetDigest(digest: SetDigest, hashes: readonly bigint[]): SetDigest {
  const added = countSorted(BigInt64Array.from(hashes).sort());
  const merged = mergeCounted(digest, added, digest.hashesMax);
  return { log: addHashes(digest.log, hashes), hashesMax: digest.hashesMax, ...merged };
}

/** The result has the capacity of the first digest. */
export function mergeSetDigests(one: SetDigest, other: SetDigest): SetDigest {
  return { log: mergeLogs(one.log, other.log), hashesMax: one.hashesMax, ...mergeCounted(one, other, one.hashesMax) };
}

function isExact({ hashes, hashesMax }: SetDigest): boolean {
  return hashes.length < hashesMax;
}

export function cardinalityOf(digest: SetDigest): bigint {
  return isExact(digest) ? BigInt(digest.hashes.length) : estimate(digest.log);
}

/** Of the `most` smallest hashes of the union, the number that occur in both digests. */
function sharedHashes(one: SetDigest, other: SetDigest, most: number): number {
  let [left, right, shared] = [0, 0, 0];
  for (let taken = 0; taken < most && left < one.hashes.length && right < other.hashes.length; taken++) {
    const [p, q] = [one.hashes[left] as bigint, other.hashes[right] as bigint];
    left += Number(p <= q);
    right += Number(q <= p);
    shared += Number(p === q);
  }
  return shared;
}

/** NaN if either digest is empty. */
export function jaccardIndex(one: SetDigest, other: SetDigest): number {
  const smaller = Math.min(one.hashes.length, other.hashes.length);
  return sharedHashes(one, other, smaller) / smaller;
}

export function intersectionCardinality(one: SetDigest, other: SetDigest): bigint {
  if (isExact(one) && isExact(other)) {
    return BigInt(sharedHashes(one, other, one.hashes.length + other.hashes.length));
  }
  const [first, second] = [cardinalityOf(one), cardinalityOf(other)];
  const both = Number(cardinalityOf(mergeSetDigests(one, other)));
  const share = jaccardIndex(one, other);
  const shared = Number.isNaN(share) ? 0n : BigInt(Math.round(share * both));
  // The estimate is capped at both cardinalities: it may exceed a set that is almost contained in the other.
  return [first, second, shared].reduce((least, value) => (value < least ? value : least));
}
