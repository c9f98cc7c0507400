/**
 * Columns as flat arrays: applies the selection and ids of a page while its values are copied to a wire frame (page/serde.ts) or to linear
 * memory (page/copy.ts). Values under NULL are written as zero, so that equal rows have equal bytes.
 */
import { assert } from "../protocol/errors.ts";
import { physicalType, physicalWidth } from "../types/type.ts";
import type { Address, LinearMemory } from "../memory/memory.ts";
import type { Column, NarrowBytes, Page } from "./page.ts";

/** Runs of strings up to this length are copied by a loop, which is faster than a call with two new views. */
const loopBytesMax = 256;

/** u32 lists: rows of a page, and the values of these rows; 0 if there is none. */
export interface ChosenValues {
  readonly selection: Address;
  readonly ids: Address;
}

/** The part of a column that is written: `index[k]` is the position of its k-th value; undefined if that is k. */
export interface FlatColumn {
  readonly column: Column;
  readonly count: number;
  readonly index: Uint32Array | undefined;
  /** What `index` is made of, for a column of a page. */
  readonly chosen?: ChosenValues;
  /** Whether any value is NULL. */
  readonly hasNulls: boolean;
  /** Total bytes of the strings. */
  readonly stringBytes: number;
}

export interface CopiedStrings {
  /** Their number; 0 if the first one is too long. */
  readonly strings: number;
  /** One u32 a string. */
  readonly lengths: Address;
  /** Their bytes, one behind the other. */
  readonly start: Address;
  readonly bytes: number;
}

/** Copies chosen strings to linear memory. NULLs are empty. */
export interface StringCopier {
  /** Some of the strings from position `from` on. Valid until the next call. */
  copy(flat: FlatColumn, chosen: ChosenValues, from: number): CopiedStrings;
}

/** Destination of gathered values: a buffer and its views. */
export class GatherTarget {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;

  constructor(buffer: ArrayBufferLike) {
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.u32 = new Uint32Array(buffer);
  }
}

/** Describes the columns of a page; columns with the same ids share one index. */
export class Flattener {
  readonly #linear: LinearMemory;
  readonly #page: Page;
  readonly #indexes = new Map<number, Uint32Array | undefined>();

  constructor(linear: LinearMemory, page: Page) {
    this.#linear = linear;
    this.#page = page;
  }

  /** One value per position of the page. */
  rows(column: Column): FlatColumn {
    const { positionCount, selection } = this.#page;
    const flat = this.#describe(column, positionCount, this.index(column.ids));
    return flat.index === undefined ? flat : { ...flat, chosen: { selection, ids: column.ids } };
  }

  /** The dictionary itself, unchanged. */
  dictionary(column: Column): FlatColumn {
    return this.#describe(column, column.length, undefined);
  }

  /** Row numbers into the values of a column with these ids. */
  index(ids: number): Uint32Array | undefined {
    if (!this.#indexes.has(ids)) {
      this.#indexes.set(ids, this.#compose(ids));
    }
    return this.#indexes.get(ids);
  }

  #compose(ids: number): Uint32Array | undefined {
    const { positionCount, selection } = this.#page;
    const { u32 } = this.#linear;
    if (selection === 0) {
      return ids === 0 ? undefined : u32.subarray(ids >>> 2, (ids >>> 2) + positionCount);
    }
    const rows = u32.subarray(selection >>> 2, (selection >>> 2) + positionCount);
    if (ids === 0) {
      return rows;
    }
    const base = ids >>> 2;
    const index = new Uint32Array(positionCount);
    for (let position = 0; position < positionCount; position++) {
      index[position] = u32[base + (rows[position] as number)] as number;
    }
    return index;
  }

  #describe(column: Column, count: number, index: Uint32Array | undefined): FlatColumn {
    assert(index !== undefined || column.length >= count, "a flat column has a value for every row");
    const hasNulls = column.nulls !== 0 && anyNull(this.#linear, column.nulls, count, index);
    const stringBytes = physicalType(column.type) === "bytes" ? sumLengths(this.#linear, column, count, index, hasNulls) : 0;
    return { column, count, index, hasNulls, stringBytes };
  }
}

function anyNull(linear: LinearMemory, nulls: number, count: number, index: Uint32Array | undefined): boolean {
  const { u8 } = linear;
  if (index === undefined) {
    const first = u8.subarray(nulls, nulls + count).indexOf(1);
    return first >= 0;
  }
  for (let k = 0; k < count; k++) {
    if (u8[nulls + (index[k] as number)] === 1) {
      return true;
    }
  }
  return false;
}

function sumLengths(linear: LinearMemory, column: Column, count: number, index: Uint32Array | undefined, hasNulls: boolean): number {
  const { u8, u32 } = linear;
  const lengths = (column.values >>> 2) + 1;
  let sum = 0;
  for (let k = 0; k < count; k++) {
    const i = index === undefined ? k : (index[k] as number);
    if (!hasNulls || u8[column.nulls + i] !== 1) {
      sum += u32[lengths + i * 2] as number;
    }
  }
  return sum;
}

/** Writes one byte per value, 0 or 1, at `offset`. */
export function gatherNulls(linear: LinearMemory, flat: FlatColumn, target: GatherTarget, offset: number): void {
  const { nulls } = flat.column;
  const { index, count } = flat;
  if (index === undefined) {
    target.u8.set(linear.u8.subarray(nulls, nulls + count), offset);
    return;
  }
  const source = linear.u8;
  const out = target.u8;
  for (let k = 0; k < count; k++) {
    out[offset + k] = source[nulls + (index[k] as number)] as number;
  }
}

/** Writes fixed-width values at `offset` (a multiple of 8); `nullsOffset` is the offset given to gatherNulls if there are NULLs. */
export function gatherFixed(linear: LinearMemory, flat: FlatColumn, target: GatherTarget, offset: number, nullsOffset: number): void {
  const width = physicalWidth(physicalType(flat.column.type));
  const { narrow, values } = flat.column;
  if (narrow !== undefined) {
    gatherNarrow(flat, narrowValues(linear, values, narrow), target.u32, offset >>> 2, width / 4);
  } else if (flat.index === undefined) {
    target.u8.set(linear.u8.subarray(values, values + flat.count * width), offset);
  } else {
    gatherWidth(linear, flat, flat.index, target, offset, width);
  }
  if (flat.hasNulls) {
    for (let k = 0; k < flat.count; k++) {
      if (target.u8[nullsOffset + k] === 1) {
        target.u8.fill(0, offset + k * width, offset + (k + 1) * width);
      }
    }
  }
}

function gatherWidth(
  linear: LinearMemory,
  flat: FlatColumn,
  index: Uint32Array,
  target: GatherTarget,
  offset: number,
  width: number,
): void {
  const { values } = flat.column;
  switch (width) {
    case 1:
      return gatherElements(linear.u8, values, target.u8, offset, index);
    case 2:
      return gatherElements(linear.u16, values >>> 1, target.u16, offset >>> 1, index);
    case 4:
      return gatherElements(linear.u32, values >>> 2, target.u32, offset >>> 2, index);
    case 8:
      return gatherPairs(linear.u32, values >>> 2, target.u32, offset >>> 2, index);
    default:
      return gatherWords(linear.u32, values >>> 2, target.u32, offset >>> 2, index, width / 4);
  }
}

type Integers = Int8Array | Int16Array | Int32Array;

function narrowValues({ i8, i16, i32 }: LinearMemory, values: Address, narrow: NarrowBytes): Integers {
  switch (narrow) {
    case 1:
      return i8.subarray(values);
    case 2:
      return i16.subarray(values >>> 1);
    case 4:
      return i32.subarray(values >>> 2);
  }
}

/** Writes the values with their sign in one or two words. */
function gatherNarrow({ count, index }: FlatColumn, source: Integers, out: Uint32Array, to: number, words: number): void {
  for (let k = 0, at = to; k < count; k++, at += words) {
    const value = source[index === undefined ? k : (index[k] as number)] as number;
    out[at] = value;
    if (words === 2) {
      out[at + 1] = value >> 31;
    }
  }
}

function gatherElements<T extends Uint8Array | Uint16Array | Uint32Array>(
  source: T,
  from: number,
  out: T,
  to: number,
  index: Uint32Array,
): void {
  for (let k = 0; k < index.length; k++) {
    out[to + k] = source[from + (index[k] as number)] as number;
  }
}

/** Copies integers, not doubles, because a NaN must keep its bits. */
function gatherPairs(source: Uint32Array, from: number, out: Uint32Array, to: number, index: Uint32Array): void {
  for (let k = 0, at = to; k < index.length; k++, at += 2) {
    const base = from + (index[k] as number) * 2;
    out[at] = source[base] as number;
    out[at + 1] = source[base + 1] as number;
  }
}

function gatherWords(source: Uint32Array, from: number, out: Uint32Array, to: number, index: Uint32Array, words: number): void {
  let at = to;
  for (let k = 0; k < index.length; k++) {
    const base = from + (index[k] as number) * words;
    for (let word = 0; word < words; word++) {
      out[at++] = source[base + word] as number;
    }
  }
}

/**
 * Writes the bytes of the strings contiguously from `bytesOffset`; `onString` receives each length in order (0 for NULL). Adjacent strings
 * are copied together.
 */
export function gatherStrings(
  linear: LinearMemory,
  flat: FlatColumn,
  out: Uint8Array,
  bytesOffset: number,
  onString: (k: number, length: number) => void,
): void {
  const { u8, u32 } = linear;
  const source = new DataView(u8.buffer, u8.byteOffset, u8.byteLength);
  const target = new DataView(out.buffer, out.byteOffset, out.byteLength);
  const { column, index, count, hasNulls } = flat;
  const references = column.values >>> 2;
  let runStart = 0;
  let runEnd = 0;
  let to = bytesOffset;
  for (let k = 0; k < count; k++) {
    const i = index === undefined ? k : (index[k] as number);
    const address = u32[references + i * 2] as number;
    const length = hasNulls && u8[column.nulls + i] === 1 ? 0 : (u32[references + i * 2 + 1] as number);
    onString(k, length);
    if (length === 0) {
      continue;
    }
    if (address !== runEnd) {
      to = copyRun(source, runStart, runEnd, target, to);
      runStart = address;
    }
    runEnd = address + length;
  }
  copyRun(source, runStart, runEnd, target, to);
}

export interface StringOffsets {
  /** A multiple of 4. */
  readonly lengths: number;
  readonly bytes: number;
}

/** As gatherStrings, for chosen strings: they are hardly ever adjacent. */
export function copyStrings(
  linear: LinearMemory,
  { flat, chosen, copier }: { readonly flat: FlatColumn; readonly chosen: ChosenValues; readonly copier: StringCopier },
  target: GatherTarget,
  offsets: StringOffsets,
): void {
  const lengths = offsets.lengths >>> 2;
  let to = offsets.bytes;
  for (let k = 0; k < flat.count; ) {
    const copied = copier.copy(flat, chosen, k);
    const from = copied.lengths >>> 2;
    target.u32.set(linear.u32.subarray(from, from + copied.strings), lengths + k);
    target.u8.set(linear.u8.subarray(copied.start, copied.start + copied.bytes), to);
    to += copied.bytes;
    k += copied.strings;
    if (copied.strings === 0) {
      const one = { ...flat, count: 1, index: flat.index?.subarray(k, k + 1) };
      gatherStrings(linear, one, target.u8, to, (_, length) => {
        target.u32[lengths + k] = length;
        to += length;
      });
      k += 1;
    }
  }
}

/** Copies words of four bytes at any address, then the last bytes. */
function copyRun(source: DataView, start: number, end: number, target: DataView, to: number): number {
  const after = to + end - start;
  if (end - start > loopBytesMax) {
    const bytes = new Uint8Array(source.buffer, source.byteOffset + start, end - start);
    new Uint8Array(target.buffer, target.byteOffset + to, end - start).set(bytes);
    return after;
  }
  let from = start;
  let at = to;
  for (; from + 4 <= end; from += 4, at += 4) {
    target.setInt32(at, source.getInt32(from, true), true);
  }
  for (; from < end; from++, at++) {
    target.setUint8(at, source.getUint8(from));
  }
  return after;
}
