/**
 * Hashes of bytes: MD5, SHA-1, SHA-2 and HMAC (RFC 2104) of @noble/hashes, CRC-32, xxHash64 and MurmurHash3.
 * scalar/binary/xx-hash-kernels.ts has xxHash64 in kernels.
 */
import { unsigned } from "../../../codegen/numeric.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { xxPrimes } from "./xx-hash-kernels.ts";

export { hmac } from "@noble/hashes/hmac.js";
export { md5, sha1 } from "@noble/hashes/legacy.js";
export { sha256, sha512 } from "@noble/hashes/sha2.js";
export { crc32 } from "../../../types/crc32.ts";

export type Hash = (bytes: Uint8Array) => Uint8Array;

function rotateLeft64(value: bigint, places: bigint): bigint {
  return unsigned((value << places) | (value >> (64n - places)));
}

/** Blocks between two yields, and those of 16 bytes that take as long as a step. */
const blocksAtOnce = 2_048;
const blocksPerStep = 4;

/** xxHash64 with seed 0. */
export function* xxHashInSteps(bytes: Uint8Array): InSteps<bigint> {
  const [p1, p2, p3, p4, p5] = xxPrimes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const round = (accumulator: bigint, word: bigint) => unsigned(rotateLeft64(unsigned(accumulator + word * p2), 31n) * p1);
  let at = 0;
  let hash: bigint;
  if (bytes.length >= 32) {
    const lanes = [unsigned(p1 + p2), p2, 0n, unsigned(-p1)];
    for (; at + 32 <= bytes.length; at += 32) {
      for (let lane = 0; lane < 4; lane++) {
        lanes[lane] = round(lanes[lane] as bigint, view.getBigUint64(at + 8 * lane, true));
      }
      if (at % (32 * blocksAtOnce) === 32 * (blocksAtOnce - 1)) {
        yield (2 * blocksAtOnce) / blocksPerStep;
      }
    }
    const [a, b, c, d] = lanes as [bigint, bigint, bigint, bigint];
    hash = unsigned(rotateLeft64(a, 1n) + rotateLeft64(b, 7n) + rotateLeft64(c, 12n) + rotateLeft64(d, 18n));
    for (const lane of lanes) {
      hash = unsigned((hash ^ round(0n, lane)) * p1 + p4);
    }
  } else {
    hash = p5;
  }
  hash = unsigned(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = unsigned(rotateLeft64(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * p1 + p4);
  }
  if (at + 4 <= bytes.length) {
    hash = unsigned(rotateLeft64(hash ^ unsigned(BigInt(view.getUint32(at, true)) * p1), 23n) * p2 + p3);
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash = unsigned(rotateLeft64(hash ^ unsigned(BigInt(bytes[at] as number) * p5), 11n) * p1);
  }
  hash = unsigned((hash ^ (hash >> 33n)) * p2);
  hash = unsigned((hash ^ (hash >> 29n)) * p3);
  return hash ^ (hash >> 32n);
}

/** MurmurHash3, 128-bit x64 variant, seed 0. */
export function* murmurInSteps(bytes: Uint8Array): InSteps<Uint8Array> {
  const [c1, c2] = [0x87c37b91114253d5n, 0x4cf5ad432745937fn];
  const mix1 = (word: bigint) => unsigned(rotateLeft64(unsigned(word * c1), 31n) * c2);
  const mix2 = (word: bigint) => unsigned(rotateLeft64(unsigned(word * c2), 33n) * c1);
  const whole = bytes.length - (bytes.length % 16);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [h1, h2] = [0n, 0n];
  for (let at = 0; at < whole; at += 16) {
    h1 = unsigned(unsigned(rotateLeft64(h1 ^ mix1(view.getBigUint64(at, true)), 27n) + h2) * 5n + 0x52dce729n);
    h2 = unsigned(unsigned(rotateLeft64(h2 ^ mix2(view.getBigUint64(at + 8, true)), 31n) + h1) * 5n + 0x38495ab5n);
    if (at % (16 * blocksAtOnce) === 16 * (blocksAtOnce - 1)) {
      yield blocksAtOnce / blocksPerStep;
    }
  }
  const tail = new DataView(new ArrayBuffer(16));
  bytes.subarray(whole).forEach((byte, index) => tail.setUint8(index, byte));
  h2 ^= mix2(tail.getBigUint64(8, true));
  h1 ^= mix1(tail.getBigUint64(0, true));
  h1 ^= BigInt(bytes.length);
  h2 ^= BigInt(bytes.length);
  h1 = unsigned(h1 + h2);
  h2 = unsigned(h2 + h1);
  h1 = finish(h1);
  h2 = finish(h2);
  h1 = unsigned(h1 + h2);
  h2 = unsigned(h2 + h1);
  const result = new DataView(new ArrayBuffer(16));
  result.setBigUint64(0, h1, true);
  result.setBigUint64(8, h2, true);
  return new Uint8Array(result.buffer);
}

function finish(value: bigint): bigint {
  const first = unsigned((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
  const second = unsigned((first ^ (first >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return second ^ (second >> 33n);
}
