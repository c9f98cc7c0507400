/**
 * Decodes the values of a page of a Parquet column, in any encoding, into a packed array in the layout of the SQL type: numbers in their
 * width, strings as references into the page's own bytes.
 */
import type { Address } from "../../../memory/memory.ts";
import { physicalType, physicalWidth } from "../../../types/type.ts";
import { BadData } from "../../shared/file-errors.ts";
import { convertFixed, type Decoding, storedBytes, writeDecimal } from "./conversions.ts";
import { type ByteCursor, readDeltas, readRuns } from "./encodings.ts";
import type { ValueWidth } from "./kernels/values.ts";
import { type ColumnEncoding, physical } from "./schema.ts";

export const encodings = Object.freeze({
  plain: 0,
  plainDictionary: 2,
  rle: 3,
  deltaBinaryPacked: 5,
  deltaLengthByteArray: 6,
  deltaByteArray: 7,
  rleDictionary: 8,
  byteStreamSplit: 9,
});

const tooShort = "a page has fewer values than it promises";

export function valueWidth(encoding: ColumnEncoding): ValueWidth {
  return physicalWidth(physicalType(encoding.type)) as ValueWidth;
}

export interface DecodedValues {
  readonly values: Address;
  /** Blocks of the values and of what they refer to, besides the page itself. */
  readonly blocks: readonly Address[];
}

/** `count` values from the cursor on, in newly allocated memory or where they lie in the page. */
export function decodeValues(cursor: ByteCursor, options: Omit<Decoding, "values"> & { readonly encoding: number }): DecodedValues {
  const { column, encoding, count, memory, kernels } = options;
  requirePlausible(cursor, options);
  const width = valueWidth(column);
  if (encoding === encodings.plain && isStoredAsRead(column) && cursor.at % Math.min(width, 8) === 0) {
    return { values: cursor.skip(count * width), blocks: [] };
  }
  const values = memory.allocate(Math.max(1, count) * width);
  const blocks = decodeInto(cursor, encoding, { column, count, values, memory, kernels });
  return { values, blocks: [values, ...blocks] };
}

/** Whether a plain value has the same bytes in a file and in a page. */
function isStoredAsRead({ physical: stored, conversion }: ColumnEncoding): boolean {
  return conversion === "none" && stored !== physical.boolean && stored !== physical.bytes && stored !== physical.fixed;
}

/** Returns the blocks that the values refer to. */
function decodeInto(cursor: ByteCursor, encoding: number, decoding: Decoding): readonly Address[] {
  const { column, count, values, kernels } = decoding;
  switch (encoding) {
    case encodings.plain:
      return decodePlain(cursor, decoding);
    case encodings.rle:
      if (column.physical !== physical.boolean) {
        break;
      }
      cursor.uint32();
      readRuns(cursor, kernels, { bitWidth: 1, count, target: values, kind: "u8", limit: 2 });
      return [];
    case encodings.deltaBinaryPacked:
      return decodeDeltas(cursor, decoding);
    case encodings.deltaLengthByteArray:
      return decodeDeltaLengths(cursor, decoding);
    case encodings.deltaByteArray:
      return decodeDeltaStrings(cursor, decoding);
    case encodings.byteStreamSplit:
      return decodeSplitBytes(cursor, decoding);
    default:
      break;
  }
  throw new BadData(`encoding ${encoding} is not supported`);
}

/** Memory for values is allocated only if the page has bytes for them, so that a damaged header cannot ask for any amount. */
function requirePlausible(cursor: ByteCursor, { column, encoding, count }: Omit<Decoding, "values"> & { readonly encoding: number }): void {
  const isPacked = encoding === encodings.plain || encoding === encodings.byteStreamSplit;
  if (isPacked && count * leastBytes(column) > cursor.end - cursor.at) {
    throw new BadData(tooShort);
  }
}

/** Of a plain value. */
function leastBytes(column: ColumnEncoding): number {
  switch (column.physical) {
    case physical.boolean:
      return 1 / 8;
    case physical.bytes:
      return 4;
    default:
      return storedBytes(column);
  }
}

function decodePlain(cursor: ByteCursor, decoding: Decoding): readonly Address[] {
  const { column, count, values, memory, kernels } = decoding;
  const { linear } = memory;
  if (column.physical === physical.boolean) {
    const at = cursor.skip(Math.ceil(count / 8));
    kernels.readBits(at, { count, target: values });
    return [];
  }
  if (column.physical === physical.bytes) {
    if (column.conversion === "none") {
      readStrings(cursor, decoding, values);
      return [];
    }
    const references = memory.allocate(Math.max(1, count) * 8);
    readStrings(cursor, decoding, references);
    for (let index = 0; index < count; index++) {
      const word = (references >>> 2) + index * 2;
      writeDecimal(linear, { at: linear.u32[word] as number, length: linear.u32[word + 1] as number }, decoding, index);
    }
    memory.free(references);
    return [];
  }
  const at = cursor.skip(count * storedBytes(column));
  return convertFixed(linear, at, decoding);
}

/** Reads strings as length and bytes and writes references to them at `target`. */
function readStrings(cursor: ByteCursor, { count, kernels }: Decoding, target: Address): void {
  const at = kernels.readStrings(cursor, count, target);
  if (at === 0) {
    throw new BadData(tooShort);
  }
  cursor.at = at;
}

function decodeDeltas(cursor: ByteCursor, decoding: Decoding): readonly Address[] {
  const { column, count, values, memory, kernels } = decoding;
  if (column.physical !== physical.int32 && column.physical !== physical.int64) {
    throw new BadData("only integers are stored as differences");
  }
  const width = column.physical === physical.int32 ? 4 : 8;
  if (column.conversion === "none") {
    readDeltas(cursor, kernels, { width, count, target: values });
    return [];
  }
  const stored = memory.allocate(Math.max(1, count) * width);
  readDeltas(cursor, kernels, { width, count, target: stored });
  const blocks = convertFixed(memory.linear, stored, decoding);
  memory.free(stored);
  return blocks;
}

/** Lengths of strings, as i32 in newly allocated memory. */
function readLengths(cursor: ByteCursor, { count, memory, kernels }: Decoding): Address {
  const lengths = memory.allocate(Math.max(1, count) * 4);
  readDeltas(cursor, kernels, { width: 4, count, target: lengths });
  return lengths;
}

/** Reads strings with `read`, which writes references at an address, and converts them. */
function decodeStrings(decoding: Decoding, read: (target: Address) => readonly Address[]): readonly Address[] {
  const { column, count, values, memory } = decoding;
  if (column.physical !== physical.bytes && column.physical !== physical.fixed) {
    throw new BadData("only strings are stored in this encoding");
  }
  if (column.physical === physical.bytes && column.conversion === "none") {
    return read(values);
  }
  const { linear } = memory;
  const references = memory.allocate(Math.max(1, count) * 8);
  const blocks = read(references);
  const converted = column.physical === physical.bytes ? [] : fixedFromStrings(references, decoding);
  for (let index = 0; index < count && column.physical === physical.bytes; index++) {
    const word = (references >>> 2) + index * 2;
    writeDecimal(linear, { at: linear.u32[word] as number, length: linear.u32[word + 1] as number }, decoding, index);
  }
  memory.free(references);
  return [...blocks, ...converted];
}

function fixedFromStrings(references: Address, decoding: Decoding): readonly Address[] {
  const { column, count, memory } = decoding;
  const { u8, u32 } = memory.linear;
  const packed = memory.allocate(Math.max(1, count * column.length));
  for (let index = 0; index < count; index++) {
    const from = u32[(references >>> 2) + index * 2] as number;
    if (u32[(references >>> 2) + index * 2 + 1] !== column.length) {
      throw new BadData("a value of fixed length has another length");
    }
    u8.copyWithin(packed + index * column.length, from, from + column.length);
  }
  return [packed, ...convertFixed(memory.linear, packed, decoding)];
}

function decodeDeltaLengths(cursor: ByteCursor, decoding: Decoding): readonly Address[] {
  const { count, memory } = decoding;
  const { i32, u32 } = memory.linear;
  return decodeStrings(decoding, (target) => {
    const lengths = readLengths(cursor, decoding);
    for (let index = 0, word = target >>> 2; index < count; index++) {
      const length = i32[(lengths >>> 2) + index] as number;
      u32[word++] = cursor.skip(length);
      u32[word++] = length;
    }
    memory.free(lengths);
    return [];
  });
}

/** DELTA_BYTE_ARRAY: each string is a prefix of the previous one and a suffix of its own. */
function decodeDeltaStrings(cursor: ByteCursor, decoding: Decoding): readonly Address[] {
  return decodeStrings(decoding, (target) => [readDeltaStrings(cursor, decoding, target)]);
}

/** Writes references at `target`; returns the block of the strings. */
function readDeltaStrings(cursor: ByteCursor, decoding: Decoding, target: Address): Address {
  const { count, memory } = decoding;
  const { u8, u32, i32 } = memory.linear;
  const prefixes = readLengths(cursor, decoding);
  const suffixes = readLengths(cursor, decoding);
  let bytes = 0;
  for (let index = 0, before = 0; index < count; index++) {
    const prefix = i32[(prefixes >>> 2) + index] as number;
    const suffix = i32[(suffixes >>> 2) + index] as number;
    if (prefix < 0 || prefix > before || suffix < 0) {
      throw new BadData("a page is damaged");
    }
    before = prefix + suffix;
    bytes += before;
  }
  const block = memory.allocate(Math.max(1, bytes));
  let before = block;
  let lengthBefore = 0;
  let to = block;
  for (let index = 0, word = target >>> 2; index < count; index++) {
    const prefix = i32[(prefixes >>> 2) + index] as number;
    const suffix = i32[(suffixes >>> 2) + index] as number;
    u8.copyWithin(to, before, before + prefix);
    const own = cursor.skip(suffix);
    u8.copyWithin(to + prefix, own, own + suffix);
    u32[word++] = to;
    u32[word++] = prefix + suffix;
    before = to;
    lengthBefore = prefix + suffix;
    to += lengthBefore;
  }
  memory.free(prefixes);
  memory.free(suffixes);
  return block;
}

/** BYTE_STREAM_SPLIT: the first bytes of all values, then the second bytes, and so on. */
function decodeSplitBytes(cursor: ByteCursor, decoding: Decoding): readonly Address[] {
  const { column, count, memory, kernels } = decoding;
  const { linear } = memory;
  const width = storedBytes(column);
  if (column.physical === physical.bytes || column.physical === physical.boolean || width === 0) {
    throw new BadData("only values of fixed width are stored in this encoding");
  }
  const from = cursor.skip(count * width);
  const stored = memory.allocate(Math.max(1, count * width));
  kernels.joinBytes(width, from, { count, target: stored });
  const blocks = convertFixed(linear, stored, decoding);
  if (column.physical === physical.fixed && column.conversion === "none") {
    return [...blocks, stored];
  }
  memory.free(stored);
  return blocks;
}

/** A bound of a column's statistics in whole units, of timestamps in microseconds; undefined if it is not a number. */
export function statisticNumber(column: ColumnEncoding, bytes: Uint8Array): number | undefined {
  if (column.type.kind === "time") {
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const scale = column.type.kind === "decimal" ? 10 ** column.type.scale : 1;
  switch (column.physical) {
    case physical.int32:
      return bytes.length < 4 ? undefined : (column.conversion === "u32 to i64" ? view.getUint32(0, true) : view.getInt32(0, true)) / scale;
    case physical.int64:
      return bytes.length < 8 ? undefined : int64Statistic(column, view) / scale;
    case physical.float:
      return bytes.length < 4 ? undefined : view.getFloat32(0, true);
    case physical.double:
      return bytes.length < 8 ? undefined : view.getFloat64(0, true);
    case physical.fixed:
    case physical.bytes: {
      if (column.type.kind !== "decimal" || bytes.length === 0) {
        return undefined;
      }
      const raw = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
      return Number(BigInt.asIntN(bytes.length * 8, raw)) / scale;
    }
    default:
      return undefined;
  }
}

function int64Statistic(column: ColumnEncoding, view: DataView): number {
  switch (column.conversion) {
    case "u64 to i128":
      return Number(view.getBigUint64(0, true));
    case "millis to micros":
    case "millis to zoned":
      return Number(view.getBigInt64(0, true)) * 1000;
    case "nanos to moment":
    case "nanos to zoned":
      return Number(view.getBigInt64(0, true)) / 1000;
    default:
      return Number(view.getBigInt64(0, true));
  }
}
