/**
 * A 64-bit checksum of page frames in four 32-bit lanes, because JavaScript multiplies 32 bits at a time. It detects damage; it is not
 * cryptographic.
 */

const prime1 = 0x9e3779b1 | 0;
const prime2 = 0x85ebca77 | 0;
const prime3 = 0xc2b2ae3d | 0;

export interface Checksum {
  readonly low: number;
  readonly high: number;
}

/** Checksum of the words from `start` (inclusive) to `end` (exclusive); `seed` is an i32. */
export function checksum(words: Uint32Array, start: number, end: number, seed: number): Checksum {
  let a = (seed + prime1) | 0;
  let b = (seed ^ prime2) | 0;
  let c = (seed + prime3) | 0;
  let d = ~seed;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    a = round(a, words[at] as number);
    b = round(b, words[at + 1] as number);
    c = round(c, words[at + 2] as number);
    d = round(d, words[at + 3] as number);
  }
  for (; at < end; at++) {
    a = round(a, words[at] as number);
    [a, b, c, d] = [b, c, d, a];
  }
  const low = mix(((a << 1) | (a >>> 31)) + ((b << 7) | (b >>> 25)) + ((c << 12) | (c >>> 20)) + ((d << 18) | (d >>> 14)) + (end - start));
  const high = mix(a ^ Math.imul(b, prime1) ^ Math.imul(c, prime2) ^ Math.imul(d, prime3) ^ low);
  return { low: low >>> 0, high: high >>> 0 };
}

/** Checksum of bytes at any alignment and of any length. */
export function checksumOfBytes(bytes: Uint8Array): Checksum {
  const words = Math.ceil(bytes.length / 4);
  const isAligned = bytes.byteOffset % 4 === 0 && bytes.length % 4 === 0;
  const copied = isAligned ? bytes : new Uint8Array(words * 4);
  if (!isAligned) {
    copied.set(bytes);
  }
  return checksum(new Uint32Array(copied.buffer, copied.byteOffset, words), 0, words, bytes.length);
}

function round(lane: number, word: number): number {
  const sum = (lane + Math.imul(word, prime2)) | 0;
  return Math.imul((sum << 13) | (sum >>> 19), prime1);
}

function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 15), prime2);
  x = Math.imul(x ^ (x >>> 13), prime3);
  return x ^ (x >>> 16);
}
