/**
 * SpookyHash V2 (Bob Jenkins, 2012) with both seeds zero: a short form for inputs below 192 bytes, a long form for the others.
 */
import { unsigned } from "../../../codegen/numeric.ts";
import { viewOf } from "../../../types/bytes.ts";
import type { InSteps } from "../../runtime/steps.ts";

const magic: bigint = 0xdeadbeefdeadbeefn;
const words = 12;
const blockBytes = 8 * words;
/** Minimum length of the long form, in bytes. */
const longBytes = 2 * blockBytes;

function rotate(value: bigint, places: number): bigint {
  return unsigned(value << BigInt(places)) | (value >> BigInt(64 - places));
}

const shortMixTurns = [50, 52, 30, 41, 54, 48, 38, 37, 62, 34, 5, 36];
const shortEndTurns = [15, 52, 26, 51, 28, 9, 47, 54, 32, 25, 63];
const longMixTurns = [11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46];
const longEndTurns = [44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54];

function shortMix(h: bigint[]): void {
  for (const [step, turn] of shortMixTurns.entries()) {
    const [x, y, z] = [(step + 2) % 4, (step + 3) % 4, step % 4];
    h[x] = unsigned(rotate(h[x] as bigint, turn) + (h[y] as bigint));
    h[z] = (h[z] as bigint) ^ (h[x] as bigint);
  }
}

function shortEnd(h: bigint[]): void {
  for (const [step, turn] of shortEndTurns.entries()) {
    const [x, y] = [(step + 3) % 4, (step + 2) % 4];
    h[x] = (h[x] as bigint) ^ (h[y] as bigint);
    h[y] = rotate(h[y] as bigint, turn);
    h[x] = unsigned((h[x] as bigint) + (h[y] as bigint));
  }
}

function shortHash(bytes: Uint8Array): bigint {
  const view = viewOf(bytes);
  const h = [0n, 0n, magic, magic];
  const add = (first: number, at: number): void => {
    h[first] = unsigned((h[first] as bigint) + view.getBigUint64(at, true));
    h[first + 1] = unsigned((h[first + 1] as bigint) + view.getBigUint64(at + 8, true));
  };
  let at = 0;
  for (; at + 16 <= bytes.length; at += 16) {
    // The second half of each 32 bytes is mixed into other words.
    if (at % 32 === 0) {
      add(2, at);
      shortMix(h);
    } else {
      add(0, at);
    }
  }
  const rest = new Uint8Array(16);
  rest.set(bytes.subarray(at));
  const last = viewOf(rest);
  const isWhole = at === bytes.length;
  h[2] = unsigned((h[2] as bigint) + (isWhole ? magic : last.getBigUint64(0, true)));
  h[3] = unsigned((h[3] as bigint) + (BigInt(bytes.length) << 56n) + (isWhole ? magic : last.getBigUint64(8, true)));
  shortEnd(h);
  return h[0] as bigint;
}

function longMix(h: bigint[], view: DataView, at: number): void {
  for (const [i, turn] of longMixTurns.entries()) {
    const [two, ten, eleven, one] = [(i + 2) % words, (i + 10) % words, (i + 11) % words, (i + 1) % words];
    h[i] = unsigned((h[i] as bigint) + view.getBigUint64(at + 8 * i, true));
    h[two] = (h[two] as bigint) ^ (h[ten] as bigint);
    h[eleven] = (h[eleven] as bigint) ^ (h[i] as bigint);
    h[i] = rotate(h[i] as bigint, turn);
    h[eleven] = unsigned((h[eleven] as bigint) + (h[one] as bigint));
  }
}

function longEnd(h: bigint[]): void {
  for (const [i, turn] of longEndTurns.entries()) {
    const [one, two, eleven] = [(i + 1) % words, (i + 2) % words, (i + 11) % words];
    h[eleven] = unsigned((h[eleven] as bigint) + (h[one] as bigint));
    h[two] = (h[two] as bigint) ^ (h[eleven] as bigint);
    h[one] = rotate(h[one] as bigint, turn);
  }
}

/** Blocks between two yields, and the steps of one. */
const blocksAtOnce = 512;
const stepsPerBlock = 2;

function* longHash(bytes: Uint8Array): InSteps<bigint> {
  const h: bigint[] = Array.from({ length: words }, (_, index) => (index % 3 === 2 ? magic : 0n));
  const view = viewOf(bytes);
  let at = 0;
  for (; at + blockBytes <= bytes.length; at += blockBytes) {
    longMix(h, view, at);
    if (at % (blockBytes * blocksAtOnce) === blockBytes * (blocksAtOnce - 1)) {
      yield blocksAtOnce * stepsPerBlock;
    }
  }
  const rest = new Uint8Array(blockBytes);
  rest.set(bytes.subarray(at));
  rest[blockBytes - 1] = bytes.length - at;
  const last = viewOf(rest);
  h.forEach((value, index) => (h[index] = unsigned(value + last.getBigUint64(8 * index, true))));
  for (let round = 0; round < 3; round++) {
    longEnd(h);
  }
  return h[0] as bigint;
}

/** The first 64 bits of the 128-bit hash. */
export function* spookyInSteps(bytes: Uint8Array): InSteps<bigint> {
  return bytes.length < longBytes ? shortHash(bytes) : yield* longHash(bytes);
}
