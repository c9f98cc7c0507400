/**
 * A set of integers within a range, one bit for each integer from `low` to `high`, and its text in a remote dynamic filter. The text is
 * base64 of a byte that names the form and of the smaller of two forms:
 *
 * - bitmap: the bits themselves, the lowest integer in the lowest bit of the first byte;
 * - gaps: the integers in ascending order as distances, each the number of absent integers before it, in LEB128.
 *
 * The size of a text never shrinks when integers are added. So a set that is too large for a text has no superset that is not.
 */
import { decodeBase64, encodeBase64 } from "../../types/base64.ts";

/** Largest range, in bits (8 MB). */
const spanMax = 1n << 26n;
/** Largest encoded set, in bytes before base64. */
const encodedBytesMax = 1 << 20;

const bitmapForm = 0;
const gapsForm = 1;

export interface IntegerRange {
  readonly low: bigint;
  readonly high: bigint;
}

export interface IntegerBits extends IntegerRange {
  /** At least one bit for each integer of the range, in whole words of 32 bits; further bits are 0. */
  readonly bytes: Uint8Array;
}

/** A set as a task has told it: a list of its integers, or its text. */
export interface ToldSet extends IntegerRange {
  readonly told: readonly bigint[] | string;
}

/** Number of integers of the range; undefined if there are too many for a set of bits. */
export function bitsSpan(low: bigint, high: bigint): number | undefined {
  const span = high - low + 1n;
  return span > 0n && span <= spanMax ? Number(span) : undefined;
}

/** Bytes of a set of bits, in whole words. */
export function bitsBytes(span: number): number {
  return 4 * Math.ceil(span / 32);
}

/** Maximum total length of the texts of a filter's parts: that of the longest text of one set. */
export const partsCharactersMax: number = 4 * Math.ceil((encodedBytesMax + 1) / 3);

/** The union of sets within the range. Undefined if the range is too large, or if a text encodes no set within its range. */
export function unionOfSets(sets: readonly ToldSet[], { low, high }: IntegerRange): IntegerBits | undefined {
  const span = bitsSpan(low, high);
  if (span === undefined) {
    return undefined;
  }
  const bytes = new Uint8Array(bitsBytes(span));
  for (const set of sets) {
    if (typeof set.told === "string") {
      if (!decodeInto(set.told, set, bytes, Number(set.low - low))) {
        return undefined;
      }
    } else {
      for (const value of set.told) {
        setBit(bytes, Number(value - low));
      }
    }
  }
  return { low, high, bytes };
}

function setBit(bytes: Uint8Array, place: number): void {
  bytes[place >>> 3] = (bytes[place >>> 3] as number) | (1 << (place & 7));
}

/** Undefined if the text would be too long. There are at most `countMax` integers in the set, if that is known. */
export function encodeBits({ low, high, bytes }: IntegerBits, countMax?: number): string | undefined {
  const bitmapBytes = Math.ceil(Number(high - low + 1n) / 8);
  const gaps = encodeGaps(bytes, Math.min(encodedBytesMax, bitmapBytes), countMax);
  if (gaps !== undefined) {
    return encodeBase64(gaps);
  }
  if (bitmapBytes > encodedBytesMax) {
    return undefined;
  }
  const encoded = new Uint8Array(bitmapBytes + 1);
  encoded[0] = bitmapForm;
  encoded.set(bytes.subarray(0, bitmapBytes), 1);
  return encodeBase64(encoded);
}

/** Undefined if it would have `bytesMax` bytes or more, the byte of the form not counted. */
function encodeGaps(bytes: Uint8Array, bytesMax: number, countMax = Number.POSITIVE_INFINITY): Uint8Array | undefined {
  const words = wordsOf(bytes);
  // Each integer takes at least a byte. Counting them reads all words once more.
  const count = countMax < bytesMax ? countMax : countBits(words);
  if (count >= bytesMax) {
    return undefined;
  }
  const encoded = new Uint8Array(Math.min(bytesMax, 1 + count + furtherBytes(32 * words.length)));
  encoded[0] = gapsForm;
  const filled = new Int32Array(wordsAtOnce);
  let used = 1;
  let next = 0;
  for (let from = 0; from < words.length; from += wordsAtOnce) {
    const filledCount = listFilled(words, from, filled);
    for (let k = 0; k < filledCount; k++) {
      const at = filled[k] as number;
      for (let rest = words[at] as number; rest !== 0; rest &= rest - 1) {
        const place = ((at << 5) + 31 - Math.clz32(rest & -rest)) | 0;
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
  }
  return encoded.subarray(0, used);
}

/** Words that are looked at at once. */
const wordsAtOnce = 4096;

/** Lists the words from `from` on that are not empty, without a branch: which ones are cannot be predicted. Returns their number. */
function listFilled(words: Int32Array, from: number, filled: Int32Array): number {
  const end = Math.min(words.length, from + wordsAtOnce);
  let count = 0;
  for (let at = from; at < end; at++) {
    const word = words[at] as number;
    filled[count] = at;
    count += (word | -word) >>> 31;
  }
  return count;
}

/** At most so many gaps need a second, third and fourth byte: the sum of all gaps is at most the span. */
function furtherBytes(span: number): number {
  return (span >>> 7) + (span >>> 14) + (span >>> 21);
}

/**
 * The bits as words of 32 bits; the bytes of a word are in ascending order, as in linear memory. Words have a sign: the engine computes
 * with unsigned ones as doubles.
 */
function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** Without a branch for empty words: which ones are empty cannot be predicted. */
function countBits(words: Int32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    let word = words[at] as number;
    word = (word - ((word >>> 1) & 0x55555555)) | 0;
    word = ((word & 0x33333333) + ((word >>> 2) & 0x33333333)) | 0;
    count = (count + (Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24)) | 0;
  }
  return count;
}

/**
 * Adds the set of the text to `bytes`, moved up by `shift` bits. Returns false if the text encodes no set within the range; some of its
 * bits may be added by then.
 */
export function decodeInto(text: string, { low, high }: IntegerRange, bytes: Uint8Array, shift: number): boolean {
  const span = bitsSpan(low, high);
  const encoded = decodeBase64(text);
  if (span === undefined || encoded === undefined || encoded.length === 0) {
    return false;
  }
  switch (encoded[0]) {
    case gapsForm:
      return addGaps(encoded, span, bytes, shift);
    case bitmapForm:
      return addBitmap(encoded, span, bytes, shift);
    default:
      return false;
  }
}

/** The bits after the byte of the form. */
function addBitmap(encoded: Uint8Array, span: number, target: Uint8Array, shift: number): boolean {
  const length = Math.ceil(span / 8);
  if (encoded.length !== 1 + length || (encoded[length] as number) >>> (span - 8 * (length - 1)) > 0) {
    return false;
  }
  const start = shift >>> 3;
  const part = shift & 7;
  let carried = 0;
  for (let at = 0; at < length; at++) {
    const moved = ((encoded[1 + at] as number) << part) | carried;
    carried = moved >>> 8;
    if (moved !== 0) {
      target[start + at] = (target[start + at] as number) | moved;
    }
  }
  if (carried !== 0) {
    target[start + length] = (target[start + length] as number) | carried;
  }
  return true;
}

/** A distance has at most 26 bits, so a fifth byte has none of them. */
const lastShift = 28;

function addGaps(encoded: Uint8Array, span: number, target: Uint8Array, start: number): boolean {
  const end = start + span;
  const { length } = encoded;
  let place = start;
  let at = 1;
  while (at < length) {
    let gap = encoded[at++] as number;
    if (gap >= 128) {
      gap &= 127;
      for (let shift = 7; ; shift += 7) {
        const byte = encoded[at++];
        if (byte === undefined || (shift === lastShift && byte !== 0)) {
          return false;
        }
        gap |= (byte & 127) << shift;
        if (byte < 128) {
          break;
        }
      }
    }
    place += gap;
    if (place >= end) {
      return false;
    }
    setBit(target, place);
    place += 1;
  }
  return true;
}
