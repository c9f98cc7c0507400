/**
 * Hashes of bytes: CRC-32, MD5, SHA-1, SHA-2, their keyed forms (RFC 2104), xxHash64 and MurmurHash3. scalar/binary/xx-hash-kernels.ts has xxHash64 in kernels.
 */
import { xxPrimes } from "./xx-hash-kernels.ts";

export type Hash = (bytes: Uint8Array) => Uint8Array;

function rotateLeft32(value: number, places: number): number {
  return (value << places) | (value >>> (32 - places));
}

function rotateRight32(value: number, places: number): number {
  return (value >>> places) | (value << (32 - places));
}

function wrap64(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function rotateLeft64(value: bigint, places: bigint): bigint {
  return wrap64((value << places) | (value >> (64n - places)));
}

/** The IEEE polynomial, reflected. */
export function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
    }
  }
  return ~crc >>> 0;
}

/** A one bit, zeros, and the length in bits at the end of the last block. */
function padded(bytes: Uint8Array, blockBytes: number, littleEndian: boolean): DataView {
  const lengthBytes = blockBytes / 8;
  const total = Math.ceil((bytes.length + 1 + lengthBytes) / blockBytes) * blockBytes;
  const result = new Uint8Array(total);
  result.set(bytes);
  result[bytes.length] = 0x80;
  const view = new DataView(result.buffer);
  view.setBigUint64(total - 8, BigInt(bytes.length) * 8n, littleEndian);
  return view;
}

function bytesOfWords(words: readonly number[], littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, index) => view.setUint32(4 * index, word >>> 0, littleEndian));
  return new Uint8Array(view.buffer);
}

export const md5: Hash = (bytes) => {
  const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
  const sines = Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32) | 0);
  const view = padded(bytes, 64, true);
  let [a0, b0, c0, d0] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let block = 0; block < view.byteLength; block += 64) {
    let [a, b, c, d] = [a0, b0, c0, d0];
    for (let step = 0; step < 64; step++) {
      const round = step >> 4;
      const mixed = round === 0 ? (b & c) | (~b & d) : round === 1 ? (d & b) | (~d & c) : round === 2 ? b ^ c ^ d : c ^ (b | ~d);
      const word = round === 0 ? step : round === 1 ? (5 * step + 1) % 16 : round === 2 ? (3 * step + 5) % 16 : (7 * step) % 16;
      const sum = (mixed + a + (sines[step] as number) + view.getInt32(block + 4 * word, true)) | 0;
      [a, d, c, b] = [d, c, b, (b + rotateLeft32(sum, shifts[4 * round + (step % 4)] as number)) | 0];
    }
    [a0, b0, c0, d0] = [(a0 + a) | 0, (b0 + b) | 0, (c0 + c) | 0, (d0 + d) | 0];
  }
  return bytesOfWords([a0, b0, c0, d0], true);
};

export const sha1: Hash = (bytes) => {
  const view = padded(bytes, 64, false);
  const constants = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = new Int32Array(80);
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let index = 0; index < 80; index++) {
      const at = (back: number) => words[index - back] as number;
      words[index] = index < 16 ? view.getInt32(block + 4 * index) : rotateLeft32(at(3) ^ at(8) ^ at(14) ^ at(16), 1);
    }
    let [a, b, c, d, e] = state as [number, number, number, number, number];
    words.forEach((word, index) => {
      const round = Math.floor(index / 20);
      const mixed = round === 0 ? (b & c) | (~b & d) : round === 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
      const sum = (rotateLeft32(a, 5) + mixed + e + (constants[round] as number) + word) | 0;
      [e, d, c, b, a] = [d, c, rotateLeft32(b, 30), a, sum];
    });
    [a, b, c, d, e].forEach((value, index) => (state[index] = ((state[index] as number) + value) | 0));
  }
  return bytesOfWords(state, false);
};

function firstPrimes(count: number): readonly bigint[] {
  const primes: bigint[] = [];
  for (let candidate = 2n; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0n)) {
      primes.push(candidate);
    }
  }
  return primes;
}

/** The greatest whole number whose power is not greater than `value`. */
function root(value: bigint, power: bigint): bigint {
  let result = 0n;
  for (let bit = 1n << 80n; bit > 0n; bit >>= 1n) {
    if ((result + bit) ** power <= value) {
      result += bit;
    }
  }
  return result;
}

/** The first 64 bits behind the point: of the cube roots of the first primes (rounds), of the square roots of the first eight (start). FIPS 180-4. */
const roundConstants: readonly bigint[] = Object.freeze(firstPrimes(80).map((prime) => wrap64(root(prime << 192n, 3n))));
const startConstants: readonly bigint[] = Object.freeze(firstPrimes(8).map((prime) => wrap64(root(prime << 128n, 2n))));

export const sha256: Hash = (bytes) => {
  const view = padded(bytes, 64, false);
  const rounds = roundConstants.slice(0, 64).map((constant) => Number(constant >> 32n) | 0);
  const state = startConstants.map((constant) => Number(constant >> 32n) | 0);
  const words = new Int32Array(64);
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let index = 0; index < 64; index++) {
      if (index < 16) {
        words[index] = view.getInt32(block + 4 * index);
        continue;
      }
      const [x, y] = [words[index - 15] as number, words[index - 2] as number];
      const first = rotateRight32(x, 7) ^ rotateRight32(x, 18) ^ (x >>> 3);
      const second = rotateRight32(y, 17) ^ rotateRight32(y, 19) ^ (y >>> 10);
      words[index] = (words[index - 16] as number) + first + (words[index - 7] as number) + second;
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let index = 0; index < 64; index++) {
      const sum1 = rotateRight32(e, 6) ^ rotateRight32(e, 11) ^ rotateRight32(e, 25);
      const first = (h + sum1 + ((e & f) ^ (~e & g)) + (rounds[index] as number) + (words[index] as number)) | 0;
      const sum0 = rotateRight32(a, 2) ^ rotateRight32(a, 13) ^ rotateRight32(a, 22);
      const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = ((state[index] as number) + value) | 0));
  }
  return bytesOfWords(state, false);
};

function rotateRight64(value: bigint, places: bigint): bigint {
  return rotateLeft64(value, 64n - places);
}

export const sha512: Hash = (bytes) => {
  const view = padded(bytes, 128, false);
  const state = [...startConstants];
  for (let block = 0; block < view.byteLength; block += 128) {
    const words: bigint[] = [];
    for (let index = 0; index < 80; index++) {
      if (index < 16) {
        words.push(view.getBigUint64(block + 8 * index));
        continue;
      }
      const [x, y] = [words[index - 15] as bigint, words[index - 2] as bigint];
      const first = rotateRight64(x, 1n) ^ rotateRight64(x, 8n) ^ (x >> 7n);
      const second = rotateRight64(y, 19n) ^ rotateRight64(y, 61n) ^ (y >> 6n);
      words.push(wrap64((words[index - 16] as bigint) + first + (words[index - 7] as bigint) + second));
    }
    let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    for (let index = 0; index < 80; index++) {
      const sum1 = rotateRight64(e, 14n) ^ rotateRight64(e, 18n) ^ rotateRight64(e, 41n);
      const chosen = (e & f) ^ (wrap64(~e) & g);
      const first = wrap64(h + sum1 + chosen + (roundConstants[index] as bigint) + (words[index] as bigint));
      const sum0 = rotateRight64(a, 28n) ^ rotateRight64(a, 34n) ^ rotateRight64(a, 39n);
      const second = wrap64(sum0 + ((a & b) ^ (a & c) ^ (b & c)));
      [h, g, f, e, d, c, b, a] = [g, f, e, wrap64(d + first), c, b, a, wrap64(first + second)];
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = wrap64((state[index] as bigint) + value)));
  }
  const result = new DataView(new ArrayBuffer(64));
  state.forEach((word, index) => result.setBigUint64(8 * index, word));
  return new Uint8Array(result.buffer);
};

/** `blockBytes` of the hash: 64, or 128 of SHA-512. */
export function hmac(hash: Hash, blockBytes: number, bytes: Uint8Array, key: Uint8Array): Uint8Array {
  const block = new Uint8Array(blockBytes);
  block.set(key.length > blockBytes ? hash(key) : key);
  const inner = hash(
    joined(
      block.map((byte) => byte ^ 0x36),
      bytes,
    ),
  );
  return hash(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const result = new Uint8Array(first.length + second.length);
  result.set(first);
  result.set(second, first.length);
  return result;
}

/** Seed 0. */
export function xxHash64(bytes: Uint8Array): bigint {
  const [p1, p2, p3, p4, p5] = xxPrimes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const round = (accumulator: bigint, word: bigint) => wrap64(rotateLeft64(wrap64(accumulator + word * p2), 31n) * p1);
  let at = 0;
  let hash: bigint;
  if (bytes.length >= 32) {
    const lanes = [wrap64(p1 + p2), p2, 0n, wrap64(-p1)];
    for (; at + 32 <= bytes.length; at += 32) {
      for (let lane = 0; lane < 4; lane++) {
        lanes[lane] = round(lanes[lane] as bigint, view.getBigUint64(at + 8 * lane, true));
      }
    }
    const [a, b, c, d] = lanes as [bigint, bigint, bigint, bigint];
    hash = wrap64(rotateLeft64(a, 1n) + rotateLeft64(b, 7n) + rotateLeft64(c, 12n) + rotateLeft64(d, 18n));
    for (const lane of lanes) {
      hash = wrap64((hash ^ round(0n, lane)) * p1 + p4);
    }
  } else {
    hash = p5;
  }
  hash = wrap64(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = wrap64(rotateLeft64(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * p1 + p4);
  }
  if (at + 4 <= bytes.length) {
    hash = wrap64(rotateLeft64(hash ^ wrap64(BigInt(view.getUint32(at, true)) * p1), 23n) * p2 + p3);
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash = wrap64(rotateLeft64(hash ^ wrap64(BigInt(bytes[at] as number) * p5), 11n) * p1);
  }
  hash = wrap64((hash ^ (hash >> 33n)) * p2);
  hash = wrap64((hash ^ (hash >> 29n)) * p3);
  return hash ^ (hash >> 32n);
}

/** MurmurHash3's x64 form of 128 bits, seed 0. */
export const murmur3: Hash = (bytes) => {
  const [c1, c2] = [0x87c37b91114253d5n, 0x4cf5ad432745937fn];
  const mix1 = (word: bigint) => wrap64(rotateLeft64(wrap64(word * c1), 31n) * c2);
  const mix2 = (word: bigint) => wrap64(rotateLeft64(wrap64(word * c2), 33n) * c1);
  const whole = bytes.length - (bytes.length % 16);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [h1, h2] = [0n, 0n];
  for (let at = 0; at < whole; at += 16) {
    h1 = wrap64(wrap64(rotateLeft64(h1 ^ mix1(view.getBigUint64(at, true)), 27n) + h2) * 5n + 0x52dce729n);
    h2 = wrap64(wrap64(rotateLeft64(h2 ^ mix2(view.getBigUint64(at + 8, true)), 31n) + h1) * 5n + 0x38495ab5n);
  }
  const tail = new DataView(new ArrayBuffer(16));
  bytes.subarray(whole).forEach((byte, index) => tail.setUint8(index, byte));
  h2 ^= mix2(tail.getBigUint64(8, true));
  h1 ^= mix1(tail.getBigUint64(0, true));
  h1 ^= BigInt(bytes.length);
  h2 ^= BigInt(bytes.length);
  h1 = wrap64(h1 + h2);
  h2 = wrap64(h2 + h1);
  h1 = finish(h1);
  h2 = finish(h2);
  h1 = wrap64(h1 + h2);
  h2 = wrap64(h2 + h1);
  const result = new DataView(new ArrayBuffer(16));
  result.setBigUint64(0, h1, true);
  result.setBigUint64(8, h2, true);
  return new Uint8Array(result.buffer);
};

function finish(value: bigint): bigint {
  const first = wrap64((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
  const second = wrap64((first ^ (first >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return second ^ (second >> 33n);
}
