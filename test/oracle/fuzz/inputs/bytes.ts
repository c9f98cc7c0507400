/** Edits of bytes: bits flipped, bytes overwritten, cut out, inserted and repeated, numbers set to extremes, ends cut off. */
import type { Random } from "../random.ts";

/** Replaces the bytes from `at` to `end`. */
export interface ByteEdit {
  readonly at: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

const extremes: readonly Uint8Array[] = [
  Uint8Array.of(0),
  Uint8Array.of(0xff),
  Uint8Array.of(0x80),
  Uint8Array.of(0x7f),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff),
  Uint8Array.of(0xff, 0xff, 0xff, 0x7f),
  Uint8Array.of(0, 0, 0, 0x80),
  Uint8Array.of(0, 0, 0, 0),
  Uint8Array.of(1, 0, 0, 0),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
];
const cutMax = 64;
const repeatMax = 2000;

/** Starts or ends of interest are more likely places, such as a footer's. */
function drawPlace(random: Random, length: number): number {
  const near = Math.min(length, 400);
  switch (random.below(4)) {
    case 0:
      return random.below(near);
    case 1:
      return length - 1 - random.below(near);
    default:
      return random.below(length);
  }
}

/** `bytes` must not be empty. */
export function drawByteEdit(random: Random, bytes: Uint8Array): ByteEdit {
  const at = drawPlace(random, bytes.length);
  switch (random.below(8)) {
    case 0:
    case 1:
      return { at, end: at + 1, bytes: Uint8Array.of((bytes[at] as number) ^ (1 << random.below(8))) };
    case 2:
      return { at, end: at + 1, bytes: Uint8Array.of(random.below(256)) };
    case 3: {
      const value = random.pick(extremes);
      return { at, end: Math.min(bytes.length, at + value.length), bytes: value };
    }
    case 4:
      return { at, end: Math.min(bytes.length, at + 1 + random.below(cutMax)), bytes: new Uint8Array(0) };
    case 5: {
      const part = bytes.subarray(at, at + 1 + random.below(8));
      const times = 1 + random.below(random.chance(10) ? repeatMax : 8);
      return { at, end: at, bytes: Uint8Array.from({ length: part.length * times }, (_, index) => part[index % part.length] as number) };
    }
    case 6: {
      const from = drawPlace(random, bytes.length);
      const copied = bytes.slice(from, from + 1 + random.below(cutMax));
      return { at, end: Math.min(bytes.length, at + copied.length), bytes: copied };
    }
    default:
      return { at, end: bytes.length, bytes: new Uint8Array(0) };
  }
}

/** A place behind the end, which earlier edits have cut off, is the end. */
export function edited(bytes: Uint8Array, edit: ByteEdit): Uint8Array {
  const at = Math.min(edit.at, bytes.length);
  const end = Math.min(edit.end, bytes.length);
  const out = new Uint8Array(bytes.length - (end - at) + edit.bytes.length);
  out.set(bytes.subarray(0, at));
  out.set(edit.bytes, at);
  out.set(bytes.subarray(end), at + edit.bytes.length);
  return out;
}

/** The bytes with parts left out, the largest parts first. */
export function* smallerBytes(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let part = Math.floor(bytes.length / 2); part > 0; part = Math.floor(part / 2)) {
    for (let at = 0; at < bytes.length; at += part) {
      yield edited(bytes, { at, end: Math.min(bytes.length, at + part), bytes: new Uint8Array(0) });
    }
  }
}

export function shownBytes(bytes: Uint8Array): string {
  const limit = 1500;
  const base64 = Buffer.from(bytes.subarray(0, limit)).toString("base64");
  return `${bytes.length} bytes${bytes.length > limit ? `, of which the first ${limit}` : ""} in base64: ${base64}`;
}
