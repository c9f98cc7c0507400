/**
 * Page frames as checkers read them: written from their layout in docs/interface.md (Task). Nothing here is shared with the engine, so a
 * change of its reader, its writer or its checksum is a difference between the two.
 */

export const magic = 0x3147504f;
export const frameHeaderBytes = 24;
const columnHeaderBytes = 16;
export const hasNulls = 1;
export const hasDictionary = 2;
/** Bytes of a value by the code of its physical type: i8, i16, i32, i64, i128, f32, f64; a string has its length there. */
const widths: readonly number[] = [0, 1, 2, 4, 8, 16, 4, 8, 4];
export const stringCode = 8;

/** A value of a column in a frame: NULL, the bytes of a string, or a view of the bytes of a fixed-width value. */
export type RawValue = null | Uint8Array;

/** Whole frames of a body. Throws RangeError if it has anything else. */
export function splitFrames(body: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += frames.at(-1)?.length ?? 0) {
    const view = viewOf(body);
    const length = frameHeaderBytes + view.getUint32(at + 12, true);
    if (view.getUint32(at, true) !== magic || length % 8 !== 0 || at + length > body.length) {
      throw new RangeError(`no page begins at byte ${at}`);
    }
    frames.push(body.subarray(at, at + length));
  }
  return frames;
}

export function frameRowCount(frame: Uint8Array): number {
  return viewOf(frame).getUint32(4, true);
}

/** Identifies a page: counts, size and checksum of its header. Undefined if the checksum does not match counts and body. */
export function sealOf(frame: Uint8Array): string | undefined {
  const view = viewOf(frame);
  const [rows, columns, bytes, low, high] = [4, 8, 12, 16, 20].map((offset) => view.getUint32(offset, true)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const [expectedLow, expectedHigh] = checksumOf(view, Math.imul(rows, 0x01000193) ^ columns);
  return expectedLow === low && expectedHigh === high ? `${rows}x${columns}/${bytes}/${low.toString(16)}${high.toString(16)}` : undefined;
}

const [primeA, primeB, primeC] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d];

/** Words of the body go to four lanes in turn; the lanes are then rotated by 1, 7, 12 and 18 bits and mixed. */
function checksumOf(view: DataView, seed: number): readonly [number, number] {
  const lanes = Int32Array.of(seed + primeA, seed ^ primeB, seed + primeC, ~seed);
  const words = (view.byteLength - frameHeaderBytes) / 4;
  for (let index = 0; index < words; index++) {
    const lane = index & 3;
    const word = view.getInt32(frameHeaderBytes + index * 4, true);
    lanes[lane] = Math.imul(rotated(((lanes[lane] as number) + Math.imul(word, primeB)) | 0, 13), primeA);
  }
  // After a rest of r words, the lane that comes next is the first.
  const [a, b, c, d] = [0, 1, 2, 3].map((index) => lanes[(index + words) & 3] as number) as [number, number, number, number];
  const low = mixed(rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18) + words);
  return [low >>> 0, mixed(a ^ Math.imul(b, primeA) ^ Math.imul(c, primeB) ^ Math.imul(d, primeC) ^ low) >>> 0];
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mixed(value: number): number {
  const once = Math.imul(value ^ ((value | 0) >>> 15), primeB);
  const twice = Math.imul(once ^ (once >>> 13), primeC);
  return twice ^ (twice >>> 16);
}

/** Header of a column, and where its arrays begin. */
export interface ColumnLayout {
  readonly flags: number;
  /** Values of the array: of the rows, or entries of the dictionary. */
  readonly count: number;
  readonly stringBytes: number;
  /** Of the physical type. */
  readonly code: number;
  /** Bytes of a value; 0 if there is no such type. */
  readonly width: number;
  readonly ids: number;
  readonly nulls: number;
  readonly values: number;
  readonly strings: number;
  readonly end: number;
}

/** The column, of a page of so many rows, whose header is at `at`. An array that is missing has no bytes. RangeError behind the view. */
export function layoutAt(view: DataView, at: number, rows: number): ColumnLayout {
  const [flags, count, stringBytes, code] = [0, 4, 8, 12].map((offset) => view.getUint32(at + offset, true)) as [
    number,
    number,
    number,
    number,
  ];
  const width = widths[code] ?? 0;
  const ids = at + columnHeaderBytes;
  const nulls = ids + ((flags & hasDictionary) === 0 ? 0 : padded(rows * 4));
  const values = nulls + ((flags & hasNulls) === 0 ? 0 : padded(count));
  const strings = values + padded(count * width);
  return { flags, count, stringBytes, code, width, ids, nulls, values, strings, end: strings + padded(stringBytes) };
}

/** The columns of a frame, each with one value for each row. Throws RangeError if the layout does not fill the frame. */
export function columnsOf(frame: Uint8Array): readonly (readonly RawValue[])[] {
  const view = viewOf(frame);
  const rows = frameRowCount(frame);
  const columns: (readonly RawValue[])[] = [];
  let at = frameHeaderBytes;
  for (let left = view.getUint32(8, true); left > 0; left--) {
    const { count, stringBytes, code, width, ids, nulls, values, strings, end: next } = layoutAt(view, at, rows);
    const entries: RawValue[] = [];
    let end = strings;
    for (let index = 0; index < count; index++) {
      const length = code === stringCode ? view.getUint32(values + index * width, true) : 0;
      const value =
        code === stringCode ? frame.subarray(end, end + length) : frame.subarray(values + index * width, values + (index + 1) * width);
      end += length;
      entries.push(nulls < values && frame[nulls + index] !== 0 ? null : value);
    }
    if (width === 0 || end - strings !== stringBytes) {
      throw new RangeError(`column ${columns.length} of type ${code} has ${end - strings} bytes of strings, not ${stringBytes}`);
    }
    at = next;
    const all = nulls > ids ? Array.from({ length: rows }, (_, row) => entries[view.getUint32(ids + row * 4, true)] ?? null) : entries;
    columns.push(all);
  }
  if (at !== frame.length) {
    throw new RangeError(`the columns end at byte ${at} of ${frame.length}`);
  }
  return columns;
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
