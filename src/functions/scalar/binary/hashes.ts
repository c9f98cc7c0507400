/**
 * Hashes of bytes: MD5, SHA-1, SHA-2 and HMAC (RFC 2104) of @noble/hashes, CRC-32, xxHash64 and MurmurHash3. scalar/binary/xx-hash-kernels.ts has xxHash64 in kernels.
 */
import { xxPrimes } from "./xx-hash-kernels.ts";

export { hmac } from "@noble/hashes/hmac.js";
export { md5, sha1 } from "@noble/hashes/legacy.js";
export { sha256, sha512 } from "@noble/hashes/sha2.js";
export { crc32 } from "../../../types/crc32.ts";

export type Hash = (bytes: Uint8Array) => Uint8Array;

function wrap64(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function rotateLeft64(value: bigint, places: bigint): bigint {
  return wrap64((value << places) | (value >> (64n - places)));
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
