/**
 * Decodes the values of a page of a Parquet column, in any encoding, into a packed array in the layout of the SQL type: numbers in their
 * width, strings as references into the page's own bytes.
 */
import type { LinearMemory, MemoryContext, Address } from "../../../memory/memory.ts";
import { writeI128 } from "../../../page/reader.ts";
import { physicalType, physicalWidth } from "../../../types/type.ts";
import { BadData } from "../errors.ts";
import { type ByteCursor, readDeltas, readRuns } from "./encodings.ts";
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
const int64Max = 2n ** 63n - 1n;
const nanosPerDay = 86_400_000_000_000n;
const julianEpochDay = 2_440_588n;
const uuidBytes = 16;
const uuidTextBytes = 36;

export function valueWidth(encoding: ColumnEncoding): number {
  return physicalWidth(physicalType(encoding.type));
}

/** Bytes of a stored value of fixed width. */
function storedBytes(encoding: ColumnEncoding): number {
  switch (encoding.physical) {
    case physical.int32:
    case physical.float:
      return 4;
    case physical.int64:
    case physical.double:
      return 8;
    case physical.int96:
      return 12;
    default:
      return encoding.length;
  }
}

export interface DecodedValues {
  readonly values: Address;
  /** Blocks that the values refer to, besides the page itself. They are freed with the values. */
  readonly blocks: readonly Address[];
}

/** `count` values from the cursor on, in newly allocated memory. */
export function decodeValues(
  cursor: ByteCursor,
  options: { readonly column: ColumnEncoding; readonly encoding: number; readonly count: number; readonly memory: MemoryContext },
): DecodedValues {
  const { column, encoding, count, memory } = options;
  const values = memory.allocate(Math.max(1, count) * valueWidth(column));
  switch (encoding) {
    case encodings.plain:
      return { values, blocks: decodePlain(cursor, { column, count, values, memory }) };
    case encodings.rle:
      if (column.physical !== physical.boolean) {
        break;
      }
      cursor.uint32();
      readRuns(cursor, { bitWidth: 1, count, target: values, bytes: true });
      return { values, blocks: [] };
    case encodings.deltaBinaryPacked:
      return decodeDeltas(cursor, { column, count, values, memory });
    case encodings.deltaLengthByteArray:
      return { values, blocks: decodeDeltaLengths(cursor, { column, count, values, memory }) };
    case encodings.deltaByteArray:
      return { values, blocks: decodeDeltaStrings(cursor, { column, count, values, memory }) };
    case encodings.byteStreamSplit:
      return decodeSplitBytes(cursor, { column, count, values, memory });
    default:
      break;
  }
  throw new BadData(`encoding ${encoding} is not supported`);
}

interface Decoding {
  readonly column: ColumnEncoding;
  readonly count: number;
  readonly values: Address;
  readonly memory: MemoryContext;
}

function decodePlain(cursor: ByteCursor, decoding: Decoding): readonly Address[] {
  const { column, count, values, memory } = decoding;
  const { linear } = memory;
  if (column.physical === physical.boolean) {
    const at = cursor.skip(Math.ceil(count / 8));
    for (let index = 0; index < count; index++) {
      linear.u8[values + index] = ((linear.u8[at + (index >>> 3)] as number) >>> (index & 7)) & 1;
    }
    return [];
  }
  if (column.physical === physical.bytes) {
    if (column.conversion === "none") {
      readStrings(cursor, count, values);
      return [];
    }
    const references = memory.allocate(Math.max(1, count) * 8);
    readStrings(cursor, count, references);
    for (let index = 0; index < count; index++) {
      const word = (references >>> 2) + index * 2;
      writeDecimal(linear, { at: linear.u32[word] as number, length: linear.u32[word + 1] as number }, column, values, index);
    }
    memory.free(references);
    return [];
  }
  const at = cursor.skip(count * storedBytes(column));
  return convertFixed(linear, at, decoding);
}

/** Reads strings as length and bytes and writes references to them at `target`. */
function readStrings(cursor: ByteCursor, count: number, target: Address): void {
  const { u32, view } = cursor.linear;
  let at = cursor.at;
  const { end } = cursor;
  for (let index = 0, word = target >>> 2; index < count; index++) {
    if (at + 4 > end) {
      throw new BadData(tooShort);
    }
    const length = view.getUint32(at, true);
    at += 4;
    if (length > end - at) {
      throw new BadData(tooShort);
    }
    u32[word++] = at;
    u32[word++] = length;
    at += length;
  }
  cursor.at = at;
}

/** Big-endian two's complement. */
function writeDecimal(
  linear: LinearMemory,
  stored: { readonly at: Address; readonly length: number },
  column: ColumnEncoding,
  values: Address,
  index: number,
): void {
  let value = 0n;
  for (let at = stored.at; at < stored.at + stored.length; at++) {
    value = (value << 8n) | BigInt(linear.u8[at] as number);
  }
  value = BigInt.asIntN(Math.max(1, stored.length * 8), value);
  if (column.conversion === "big-endian to i64") {
    if (BigInt.asIntN(64, value) !== value) {
      throw new BadData("a decimal is longer than its precision");
    }
    linear.i64[(values >>> 3) + index] = value;
    return;
  }
  if (BigInt.asIntN(128, value) !== value) {
    throw new BadData("a decimal is longer than its precision");
  }
  writeI128(linear, values + index * 16, value);
}

/** Converts packed stored values at any address. Returns blocks that the values refer to. */
function convertFixed(linear: LinearMemory, from: Address, decoding: Decoding): readonly Address[] {
  const { column, count, values } = decoding;
  const { view, u8, i32, i64 } = linear;
  switch (column.conversion) {
    case "none":
      if (column.physical === physical.fixed) {
        referToFixed(linear, from, decoding);
      } else {
        u8.copyWithin(values, from, from + count * storedBytes(column));
      }
      return [];
    case "i32 to i8":
      for (let index = 0; index < count; index++) {
        view.setInt8(values + index, inRange(view.getInt32(from + index * 4, true), -0x80, 0x7f));
      }
      return [];
    case "i32 to i16":
      for (let index = 0; index < count; index++) {
        view.setInt16(values + index * 2, inRange(view.getInt32(from + index * 4, true), -0x8000, 0x7fff), true);
      }
      return [];
    case "i32 to i64":
    case "u32 to i64":
      for (let index = 0, word = values >>> 2; index < count; index++) {
        const value = view.getInt32(from + index * 4, true);
        i32[word++] = value;
        i32[word++] = column.conversion === "u32 to i64" ? 0 : value >> 31;
      }
      return [];
    case "u64 to i128":
      for (let index = 0; index < count; index++) {
        writeI128(linear, values + index * 16, view.getBigUint64(from + index * 8, true));
      }
      return [];
    case "millis to micros":
      for (let index = 0; index < count; index++) {
        i64[(values >>> 3) + index] = timestampInRange(view.getBigInt64(from + index * 8, true) * 1000n);
      }
      return [];
    case "nanos to micros":
      for (let index = 0; index < count; index++) {
        i64[(values >>> 3) + index] = floorDivide(view.getBigInt64(from + index * 8, true), 1000n);
      }
      return [];
    case "int96 to micros":
      for (let index = 0; index < count; index++) {
        const nanos = view.getBigInt64(from + index * 12, true);
        const day = BigInt(view.getInt32(from + index * 12 + 8, true)) - julianEpochDay;
        i64[(values >>> 3) + index] = timestampInRange(floorDivide(day * nanosPerDay + nanos, 1000n));
      }
      return [];
    case "big-endian to i64":
    case "big-endian to i128":
      for (let index = 0; index < count; index++) {
        writeDecimal(linear, { at: from + index * column.length, length: column.length }, column, values, index);
      }
      return [];
    case "uuid to text":
      return [writeUuids(linear, from, decoding)];
  }
}

function inRange(value: number, low: number, high: number): number {
  if (value < low || value > high) {
    throw new BadData(`${value} is out of range of the column's type`);
  }
  return value;
}

function timestampInRange(micros: bigint): bigint {
  if (micros > int64Max || micros < -int64Max) {
    throw new BadData("a timestamp is out of range");
  }
  return micros;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

function referToFixed(linear: LinearMemory, from: Address, { column, count, values }: Decoding): void {
  for (let index = 0, word = values >>> 2; index < count; index++) {
    linear.u32[word++] = from + index * column.length;
    linear.u32[word++] = column.length;
  }
}

const hex = "0123456789abcdef";

function writeUuids(linear: LinearMemory, from: Address, { count, values, memory }: Decoding): Address {
  const text = memory.allocate(Math.max(1, count) * uuidTextBytes);
  const { u8, u32 } = linear;
  let to = text;
  for (let index = 0; index < count; index++) {
    u32[(values >>> 2) + index * 2] = to;
    u32[(values >>> 2) + index * 2 + 1] = uuidTextBytes;
    for (let byte = 0; byte < uuidBytes; byte++) {
      if (byte === 4 || byte === 6 || byte === 8 || byte === 10) {
        u8[to++] = 0x2d;
      }
      const value = u8[from + index * uuidBytes + byte] as number;
      u8[to++] = hex.charCodeAt(value >> 4);
      u8[to++] = hex.charCodeAt(value & 15);
    }
  }
  return text;
}

function decodeDeltas(cursor: ByteCursor, decoding: Decoding): DecodedValues {
  const { column, count, values, memory } = decoding;
  const { linear } = memory;
  const width = column.physical === physical.int32 ? 4 : 8;
  if (column.physical !== physical.int32 && column.physical !== physical.int64) {
    throw new BadData("only integers are stored as differences");
  }
  const stored = memory.allocate(Math.max(1, count) * width);
  const found = readDeltas(cursor, count, (index, value) => {
    if (width === 4) {
      linear.i32[(stored >>> 2) + index] = Number(BigInt.asIntN(32, value));
    } else {
      linear.i64[(stored >>> 3) + index] = value;
    }
  });
  requireCount(found, count);
  const blocks = convertFixed(linear, stored, decoding);
  memory.free(stored);
  return { values, blocks };
}

function requireCount(found: number, count: number): void {
  if (found !== count) {
    throw new BadData(tooShort);
  }
}

function readLengths(cursor: ByteCursor, count: number): Int32Array {
  const lengths = new Int32Array(count);
  const found = readDeltas(cursor, count, (index, value) => {
    lengths[index] = Number(value);
  });
  requireCount(found, count);
  if (lengths.some((length) => length < 0)) {
    throw new BadData(tooShort);
  }
  return lengths;
}

function requireStrings({ column }: Decoding): void {
  if (column.physical !== physical.bytes || column.conversion !== "none") {
    throw new BadData("only strings are stored in this encoding");
  }
}

function decodeDeltaLengths(cursor: ByteCursor, decoding: Decoding): readonly Address[] {
  requireStrings(decoding);
  const { count, values, memory } = decoding;
  const lengths = readLengths(cursor, count);
  for (let index = 0, word = values >>> 2; index < count; index++) {
    const length = lengths[index] as number;
    memory.linear.u32[word++] = cursor.skip(length);
    memory.linear.u32[word++] = length;
  }
  return [];
}

/** DELTA_BYTE_ARRAY: each string is a prefix of the previous one and a suffix of its own. */
function decodeDeltaStrings(cursor: ByteCursor, decoding: Decoding): readonly Address[] {
  requireStrings(decoding);
  const { count, values, memory } = decoding;
  const { u8, u32 } = memory.linear;
  const prefixes = readLengths(cursor, count);
  const suffixes = readLengths(cursor, count);
  let bytes = 0;
  for (let index = 0; index < count; index++) {
    bytes += (prefixes[index] as number) + (suffixes[index] as number);
  }
  const block = memory.allocate(Math.max(1, bytes));
  let before = block;
  let lengthBefore = 0;
  let to = block;
  for (let index = 0, word = values >>> 2; index < count; index++) {
    const prefix = prefixes[index] as number;
    const suffix = suffixes[index] as number;
    if (prefix > lengthBefore) {
      throw new BadData("a page is damaged");
    }
    u8.copyWithin(to, before, before + prefix);
    const own = cursor.skip(suffix);
    u8.copyWithin(to + prefix, own, own + suffix);
    u32[word++] = to;
    u32[word++] = prefix + suffix;
    before = to;
    lengthBefore = prefix + suffix;
    to += lengthBefore;
  }
  return [block];
}

/** BYTE_STREAM_SPLIT: the first bytes of all values, then the second bytes, and so on. */
function decodeSplitBytes(cursor: ByteCursor, decoding: Decoding): DecodedValues {
  const { column, count, values, memory } = decoding;
  const { linear } = memory;
  const width = storedBytes(column);
  if (column.physical === physical.bytes || column.physical === physical.boolean || width === 0) {
    throw new BadData("only values of fixed width are stored in this encoding");
  }
  const from = cursor.skip(count * width);
  const stored = memory.allocate(Math.max(1, count * width));
  for (let index = 0, to = stored; index < count; index++) {
    for (let byte = 0; byte < width; byte++) {
      linear.u8[to++] = linear.u8[from + byte * count + index] as number;
    }
  }
  const blocks = convertFixed(linear, stored, decoding);
  if (column.physical === physical.fixed && column.conversion === "none") {
    return { values, blocks: [...blocks, stored] };
  }
  memory.free(stored);
  return { values, blocks };
}

/** A bound of a column's statistics in whole units; undefined if it is not a number. */
export function statisticNumber(column: ColumnEncoding, bytes: Uint8Array): number | undefined {
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
      return Number(view.getBigInt64(0, true)) * 1000;
    case "nanos to micros":
      return Number(view.getBigInt64(0, true)) / 1000;
    default:
      return Number(view.getBigInt64(0, true));
  }
}
