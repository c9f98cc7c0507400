/**
 * A set of integers within a range, one bit for each integer from `low` to `high`, and its text in a remote dynamic filter. The text is
 * base64 of a byte that names the form and of the smaller of two forms:
 *
 * - bitmap: the bits themselves, the lowest integer in the lowest bit of the first byte;
 * - gaps: the integers in ascending order as distances, each the number of absent integers before it, in LEB128.
 *
 * The size of a text never shrinks when integers are added. So a set that is too large for a text has no superset that is not.
 */
import { decodeBase64, encodeBase64 } from "../../protocol/http/base64.ts";

/** Largest range, in bits (8 MB). */
const spanMax = 1n << 26n;
/** Largest encoded set, in bytes before base64. */
const encodedBytesMax = 1 << 20;

const bitmapForm = 0;
const gapsForm = 1;

export interface IntegerBits {
  readonly low: bigint;
  readonly high: bigint;
  /** At least one bit for each integer of the range; further bits are 0. */
  readonly bytes: Uint8Array;
}

/** Number of integers of the range; undefined if there are too many for a set of bits. */
export function bitsSpan(low: bigint, high: bigint): number | undefined {
  const span = high - low + 1n;
  return span > 0n && span <= spanMax ? Number(span) : undefined;
}

export function bitsOf(values: Iterable<bigint>, { low, high }: { readonly low: bigint; readonly high: bigint }): IntegerBits | undefined {
  const span = bitsSpan(low, high);
  if (span === undefined) {
    return undefined;
  }
  const bytes = new Uint8Array(Math.ceil(span / 8));
  for (const value of values) {
    const place = Number(value - low);
    bytes[place >>> 3] = (bytes[place >>> 3] as number) | (1 << (place & 7));
  }
  return { low, high, bytes };
}

/** Undefined if the range of the union is too large. */
export function unionOfBits(sets: readonly IntegerBits[]): IntegerBits | undefined {
  const [first] = sets;
  if (first === undefined || sets.length === 1) {
    return first;
  }
  const low = sets.reduce((least, set) => (set.low < least ? set.low : least), first.low);
  const high = sets.reduce((most, set) => (set.high > most ? set.high : most), first.high);
  const span = bitsSpan(low, high);
  if (span === undefined) {
    return undefined;
  }
  const bytes = new Uint8Array(Math.ceil(span / 8));
  for (const set of sets) {
    addBits(bytes, set, Number(set.low - low));
  }
  return { low, high, bytes };
}

/** Sets the bits of the set, moved up by `shift`. */
function addBits(target: Uint8Array, { bytes }: IntegerBits, shift: number): void {
  const start = shift >>> 3;
  const part = shift & 7;
  let carried = 0;
  for (let at = 0; at < bytes.length; at++) {
    const moved = ((bytes[at] as number) << part) | carried;
    carried = moved >>> 8;
    if (moved !== 0) {
      target[start + at] = (target[start + at] as number) | moved;
    }
  }
  if (carried !== 0) {
    target[start + bytes.length] = (target[start + bytes.length] as number) | carried;
  }
}

/** Undefined if the text would be too long. */
export function encodeBits({ bytes }: IntegerBits): string | undefined {
  const gaps = encodeGaps(bytes, Math.min(encodedBytesMax, bytes.length));
  if (gaps !== undefined) {
    return encodeBase64(gaps);
  }
  if (bytes.length > encodedBytesMax) {
    return undefined;
  }
  const encoded = new Uint8Array(bytes.length + 1);
  encoded[0] = bitmapForm;
  encoded.set(bytes, 1);
  return encodeBase64(encoded);
}

/** Undefined if it would have `bytesMax` bytes or more, the byte of the form not counted. */
function encodeGaps(bytes: Uint8Array, bytesMax: number): Uint8Array | undefined {
  const words = wordsOf(bytes);
  // Each integer takes at least a byte.
  if (countBits(words) >= bytesMax) {
    return undefined;
  }
  const encoded = new Uint8Array(bytesMax + 1);
  encoded[0] = gapsForm;
  let used = 1;
  let next = 0;
  for (let at = 0; at < words.length; at++) {
    for (let rest = words[at] as number; rest !== 0; rest &= rest - 1) {
      const place = 32 * at + 31 - Math.clz32(rest & -rest);
      let gap = place - next;
      next = place + 1;
      while (gap >= 128 && used < bytesMax) {
        encoded[used++] = (gap & 127) | 128;
        gap >>>= 7;
      }
      if (used >= bytesMax) {
        return undefined;
      }
      encoded[used++] = gap;
    }
  }
  return encoded.subarray(0, used);
}

/** The bits as words of 32 bits; the bytes of a word are in ascending order, as in linear memory. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  if (bytes.byteOffset % 4 === 0 && bytes.length % 4 === 0) {
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return words;
}

function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    let word = words[at] as number;
    if (word !== 0) {
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
    }
  }
  return count;
}

/** Undefined if the text encodes no set within the range. */
export function decodeBits(text: string, { low, high }: { readonly low: bigint; readonly high: bigint }): IntegerBits | undefined {
  const span = bitsSpan(low, high);
  const encoded = decodeBase64(text);
  if (span === undefined || encoded === undefined || encoded.length === 0) {
    return undefined;
  }
  const length = Math.ceil(span / 8);
  const bytes = encoded[0] === gapsForm ? decodeGaps(encoded, span) : encoded[0] === bitmapForm ? encoded.slice(1) : undefined;
  if (bytes?.length !== length || (bytes[length - 1] as number) >>> (span - 8 * (length - 1)) > 0) {
    return undefined;
  }
  return { low, high, bytes };
}

function decodeGaps(encoded: Uint8Array, span: number): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.ceil(span / 8));
  let place = 0;
  let gap = 0;
  let shift = 0;
  for (let at = 1; at < encoded.length; at++) {
    const byte = encoded[at] as number;
    gap += shift === 0 ? byte & 127 : (byte & 127) * 2 ** shift;
    shift += 7;
    if (byte < 128) {
      place += gap;
      if (place >= span) {
        return undefined;
      }
      bytes[place >>> 3] = (bytes[place >>> 3] as number) | (1 << (place & 7));
      place += 1;
      gap = 0;
      shift = 0;
    } else if (shift > 28) {
      return undefined;
    }
  }
  return shift === 0 ? bytes : undefined;
}
