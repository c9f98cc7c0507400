/**
 * The least and the greatest value of a page, as its statistics and the column index hold them.
 */
import type { LeafValues } from "./leaf-values.ts";
import type { LeafOrder } from "./leaf-types.ts";

/** Bounds of longer values are shortened: not exact, but still bounds. */
const boundBytesMax = 64;

export interface Bound {
  readonly bytes: Uint8Array;
  readonly isExact: boolean;
}

export interface Bounds {
  readonly low: Bound;
  readonly high: Bound;
}

type Compare = (a: number, b: number) => number;

/** Compares two entries of the list. */
function comparisonOf({ list, type }: LeafValues): Compare {
  const { fixed, bytes } = list;
  switch (type.order) {
    case "boolean":
    case "i32":
      return (a, b) => (fixed[a] as number) - (fixed[b] as number);
    case "i64":
      return (a, b) => {
        const high = (fixed[2 * a + 1] as number) - (fixed[2 * b + 1] as number);
        return high !== 0 ? high : ((fixed[2 * a] as number) >>> 0) - ((fixed[2 * b] as number) >>> 0);
      };
    case "f32":
    case "f64": {
      const numbers = floatsOf(type.order, fixed);
      return (a, b) => (numbers[a] as number) - (numbers[b] as number);
    }
    case "signed bytes":
    case "bytes": {
      const raw = type.words === 0 ? bytes : new Uint8Array(fixed.buffer);
      const range = (entry: number): readonly [number, number] =>
        type.words === 0 ? [list.startOf(entry), list.ends[entry] as number] : [entry * 16, entry * 16 + 16];
      const flip = type.order === "signed bytes" ? 0x80 : 0;
      return (a, b) => {
        const [p, pEnd] = range(a);
        const [q, qEnd] = range(b);
        const length = Math.min(pEnd - p, qEnd - q);
        for (let at = 0; at < length; at++) {
          const mask = at === 0 ? flip : 0;
          const difference = ((raw[p + at] as number) ^ mask) - ((raw[q + at] as number) ^ mask);
          if (difference !== 0) {
            return difference;
          }
        }
        return pEnd - p - (qEnd - q);
      };
    }
  }
}

function floatsOf(order: LeafOrder, fixed: Int32Array): Float32Array | Float64Array {
  return order === "f32" ? new Float32Array(fixed.buffer) : new Float64Array(fixed.buffer, 0, fixed.length >> 1);
}

/** Bounds of values [from, to); undefined if there are none, or a NaN, or one that cannot be shortened. */
export function boundsOf(values: LeafValues, from: number, to: number): Bounds | undefined {
  if (from === to) {
    return undefined;
  }
  const { order } = values.type;
  const numbers = order === "f32" || order === "f64" ? floatsOf(order, values.list.fixed) : undefined;
  const compare = comparisonOf(values);
  let [low, high] = [values.entryOf(from), values.entryOf(from)];
  for (let value = from; value < to; value++) {
    const entry = values.entryOf(value);
    if (numbers !== undefined && Number.isNaN(numbers[entry])) {
      return undefined;
    }
    if (entry !== low && compare(entry, low) < 0) {
      low = entry;
    }
    if (entry !== high && compare(entry, high) > 0) {
      high = entry;
    }
  }
  return shortened(values, low, high);
}

function shortened(values: LeafValues, low: number, high: number): Bounds | undefined {
  const { list, type } = values;
  const [lowBytes, highBytes] = [entryBytes(values, low), entryBytes(values, high)];
  if (type.order === "f32" || type.order === "f64") {
    // A zero of either sign stands for both.
    const numbers = floatsOf(type.order, list.fixed);
    const sign = lowBytes.length - 1;
    if (numbers[low] === 0) {
      lowBytes[sign] = 0x80;
    }
    if (numbers[high] === 0) {
      highBytes[sign] = 0;
    }
  }
  const upper = shorterAbove(highBytes, type.isText);
  return upper === undefined ? undefined : { low: shorterBelow(lowBytes, type.isText), high: upper };
}

/** PLAIN without the length. */
function entryBytes({ list, type }: LeafValues, entry: number): Uint8Array {
  if (type.order === "boolean") {
    return Uint8Array.of(list.fixed[entry] as number);
  }
  return type.words === 0
    ? list.bytes.slice(list.startOf(entry), list.ends[entry])
    : new Uint8Array(list.fixed.buffer).slice(entry * type.words * 4, (entry + 1) * type.words * 4);
}

function shorterBelow(bytes: Uint8Array, isText: boolean): Bound {
  return bytes.length <= boundBytesMax ? { bytes, isExact: true } : { bytes: bytes.subarray(0, cutOf(bytes, isText)), isExact: false };
}

/** The shortened bytes with their last byte that can grow raised by one; of text an ASCII character, so that it stays text. */
function shorterAbove(bytes: Uint8Array, isText: boolean): Bound | undefined {
  if (bytes.length <= boundBytesMax) {
    return { bytes, isExact: true };
  }
  for (let at = cutOf(bytes, isText) - 1; at >= 0; at--) {
    const byte = bytes[at] as number;
    if (byte < (isText ? 0x7f : 0xff)) {
      const raised = bytes.slice(0, at + 1);
      raised[at] = byte + 1;
      return { bytes: raised, isExact: false };
    }
  }
  return undefined;
}

/** Where the bytes are cut: text not within a character. */
function cutOf(bytes: Uint8Array, isText: boolean): number {
  let cut = boundBytesMax;
  while (isText && cut > 0 && ((bytes[cut] as number) & 0xc0) === 0x80) {
    cut--;
  }
  return cut;
}

/** The bounds of several pages together: undefined if one of them with values has none. */
export function uniteBounds(
  values: LeafValues,
  pages: readonly { readonly bounds: Bounds | undefined; readonly valueCount: number }[],
): Bounds | undefined {
  return pages.some(({ bounds, valueCount }) => bounds === undefined && valueCount > 0) ? undefined : boundsOf(values, 0, values.count);
}
