/**
 * Page frames: serialized pages for the exchange and for spill files. Selection and ids are applied while writing; small dictionaries are
 * kept.
 *
 *   frame:  u32 magic, u32 rows, u32 columns, u32 bytes of the body, u64 checksum of the body, body
 *   body:   the columns one after the other; every array starts at a multiple of 8, gaps are zero
 *   column: u32 flags (1 nulls, 2 dictionary), u32 values, u32 bytes of the strings, u32 physical type,
 *           dictionary: u32 x rows; nulls: u8 x values; then the values, strings as u32 lengths x values and their bytes
 *
 * All numbers are little-endian. Types are not on the wire: the reader's plan fragment has them. Equal rows in equal layout have equal
 * bytes. Only frames that leave the process have a checksum; `sealed` writes it.
 */
import { QueryError } from "../protocol/errors.ts";
import { type PhysicalType, physicalType, physicalWidth, type Type } from "../types/type.ts";
import { type Checksum, checksum } from "./checksum.ts";
import type { Frame } from "./frame.ts";
import { type FramePool, heapSpace } from "./frame-pool.ts";
import {
  copyStrings,
  Flattener,
  type FlatColumn,
  gatherFixed,
  gatherNulls,
  gatherStrings,
  type GatherTarget,
  type StringCopier,
} from "./gather.ts";
import type { Address, LinearMemory, MemoryContext } from "../memory/memory.ts";
import type { Column, OwnedPage, Page } from "./page.ts";

/** "OPG1". */
const frameMagic = 0x3147504f;
export const frameHeaderBytes = 24;
const columnHeaderBytes = 16;
const flagNulls = 1;
const flagDictionary = 2;

const physicalCodes: Readonly<Record<PhysicalType, number>> = Object.freeze({
  i8: 1,
  i16: 2,
  i32: 3,
  i64: 4,
  i128: 5,
  f32: 6,
  f64: 7,
  bytes: 8,
});

function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** Offsets of a column's arrays, from the start of the column. */
interface ColumnLayout {
  readonly ids: number;
  readonly nulls: number;
  readonly values: number;
  readonly strings: number;
  readonly bytes: number;
}

interface ColumnShape {
  readonly physical: PhysicalType;
  readonly rows: number;
  /** Number of values; of the dictionary's entries if there is one. */
  readonly count: number;
  readonly hasIds: boolean;
  readonly hasNulls: boolean;
  readonly stringBytes: number;
}

function layoutOf(shape: ColumnShape): ColumnLayout {
  const { physical, count } = shape;
  const ids = columnHeaderBytes;
  const nulls = ids + (shape.hasIds ? padded(shape.rows * 4) : 0);
  const values = nulls + (shape.hasNulls ? padded(count) : 0);
  const strings = values + padded(count * (physical === "bytes" ? 4 : physicalWidth(physical)));
  return { ids, nulls, values, strings, bytes: strings + padded(shape.stringBytes) };
}

interface EncodedColumn {
  readonly flat: FlatColumn;
  /** Row numbers into the dictionary in `flat`; undefined if `flat` has one value per row. */
  readonly ids: Uint32Array | undefined;
  readonly layout: ColumnLayout;
}

function planColumns(linear: LinearMemory, page: Page, isDictionary: (column: Column) => boolean): readonly EncodedColumn[] {
  const flattener = new Flattener(linear, page);
  return page.columns.map((column) => {
    const hasIds = isDictionary(column);
    const flat = hasIds ? flattener.dictionary(column) : flattener.rows(column);
    const { count, hasNulls, stringBytes } = flat;
    const layout = layoutOf({ physical: physicalType(column.type), rows: page.positionCount, count, hasIds, hasNulls, stringBytes });
    return { flat, ids: hasIds ? flattener.index(column.ids) : undefined, layout };
  });
}

/** Whether a dictionary saves space: fewer entries than half the rows, and values wider than an id. */
function isSmallDictionary(column: Column, rows: number): boolean {
  return column.ids !== 0 && column.length * 2 < rows && physicalWidth(physicalType(column.type)) > 4;
}

function frameBytes(columns: readonly EncodedColumn[]): number {
  return columns.reduce((sum, column) => sum + column.layout.bytes, frameHeaderBytes);
}

export interface EncodeOptions {
  /** Disables dictionaries. */
  readonly isPlain?: boolean;
  /** Keeps all dictionaries as they are, so that the decoded page has the columns of the encoded one. */
  readonly keepsDictionaries?: boolean;
  /** Where the frame lies; on the heap if absent. */
  readonly pool?: FramePool | undefined;
  /** Copies strings faster than this module. */
  readonly copier?: StringCopier | undefined;
}

/** With fewer strings a copier has no advantage. */
const copiedStringsMin = 16;

/** The caller owns the frame. */
export function encodePage(
  linear: LinearMemory,
  page: Page,
  { isPlain = false, keepsDictionaries = false, pool, copier }: EncodeOptions = {},
): Frame {
  const isDictionary = (column: Column): boolean =>
    keepsDictionaries ? column.ids !== 0 : !isPlain && isSmallDictionary(column, page.positionCount);
  const columns = planColumns(linear, page, isDictionary);
  const bytes = frameBytes(columns);
  const { frame, start, target } = pool?.allocate(bytes) ?? heapSpace(bytes);
  let at = start + frameHeaderBytes;
  for (const column of columns) {
    encodeColumn({ linear, copier }, column, target, at);
    at += column.layout.bytes;
  }
  const { u32 } = target;
  const header = start / 4;
  u32[header] = frameMagic;
  u32[header + 1] = page.positionCount;
  u32[header + 2] = page.columns.length;
  u32[header + 3] = bytes - frameHeaderBytes;
  u32[header + 4] = 0;
  u32[header + 5] = 0;
  return frame;
}

/** The bytes of a frame with its checksum, for another process. */
export function sealed(frame: Frame): Uint8Array {
  const { bytes } = frame;
  if (!frame.isSealed) {
    const u32 = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const sum = checksum(u32, frameHeaderBytes / 4, u32.length, frameSeed(u32[1] as number, u32[2] as number));
    u32[4] = sum.low;
    u32[5] = sum.high;
    frame.isSealed = true;
  }
  return bytes;
}

/** The checksum in the header of a sealed frame. */
export function frameChecksum({ bytes }: Frame): Checksum {
  const header = new DataView(bytes.buffer, bytes.byteOffset, frameHeaderBytes);
  return { low: header.getUint32(16, true), high: header.getUint32(20, true) };
}

/** The checksum also covers the counts in the header. */
function frameSeed(rows: number, columns: number): number {
  return Math.imul(rows, 0x01000193) ^ columns;
}

interface Encoder {
  readonly linear: LinearMemory;
  readonly copier: StringCopier | undefined;
}

function encodeColumn({ linear, copier }: Encoder, column: EncodedColumn, target: GatherTarget, start: number): void {
  const { flat, ids, layout } = column;
  const { u8, u32 } = target;
  const physical = physicalType(flat.column.type);
  const header = start / 4;
  u32[header] = (flat.hasNulls ? flagNulls : 0) | (ids === undefined ? 0 : flagDictionary);
  u32[header + 1] = flat.count;
  u32[header + 2] = flat.stringBytes;
  u32[header + 3] = physicalCodes[physical];
  clearGaps(u32, start, layout);
  if (ids !== undefined) {
    u32.set(ids, (start + layout.ids) / 4);
  }
  if (flat.hasNulls) {
    gatherNulls(linear, flat, target, start + layout.nulls);
  }
  const { chosen } = flat;
  if (physical === "bytes" && copier !== undefined && chosen !== undefined && flat.count >= copiedStringsMin) {
    copyStrings(linear, { flat, chosen, copier }, target, { lengths: start + layout.values, bytes: start + layout.strings });
  } else if (physical === "bytes") {
    const lengths = (start + layout.values) / 4;
    gatherStrings(linear, flat, u8, start + layout.strings, (k, length) => {
      u32[lengths + k] = length;
    });
  } else {
    gatherFixed(linear, flat, target, start + layout.values, start + layout.nulls);
  }
}

/** Zeroes the last 8 bytes of each array of a column, before it is written: pooled memory holds what lay there before. */
function clearGaps(u32: Uint32Array, start: number, { bytes, ids, nulls, strings, values }: ColumnLayout): void {
  clearEnd(u32, start + ids, start + nulls);
  clearEnd(u32, start + nulls, start + values);
  clearEnd(u32, start + values, start + strings);
  clearEnd(u32, start + strings, start + bytes);
}

function clearEnd(u32: Uint32Array, from: number, to: number): void {
  if (to > from) {
    u32[to / 4 - 2] = 0;
    u32[to / 4 - 1] = 0;
  }
}

function corrupt(detail: string): QueryError {
  return new QueryError("CORRUPT_PAGE", `Page is corrupt: ${detail}`);
}

function u32At(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset] as number) |
      ((bytes[offset + 1] as number) << 8) |
      ((bytes[offset + 2] as number) << 16) |
      ((bytes[offset + 3] as number) << 24)) >>>
    0
  );
}

/** Length of the frame at `offset`. Throws CORRUPT_PAGE if it is invalid or incomplete. */
function frameLengthAt(bytes: Uint8Array, offset: number): number {
  if (offset + frameHeaderBytes > bytes.length) {
    throw corrupt(`${bytes.length - offset} bytes are no frame`);
  }
  if (u32At(bytes, offset) !== frameMagic) {
    throw corrupt("it does not start like a page");
  }
  const length = frameHeaderBytes + u32At(bytes, offset + 12);
  if (length % 8 !== 0 || offset + length > bytes.length) {
    throw corrupt(`${bytes.length - offset} of ${length} bytes are there`);
  }
  return length;
}

/** Views of the frames in a body. Throws CORRUPT_PAGE if the body is not a sequence of whole frames; decodePage checks their contents. */
export function splitFrames(body: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const length = frameLengthAt(body, at);
    frames.push(body.subarray(at, at + length));
    at += length;
  }
  return frames;
}

/**
 * Decodes a frame into a single block of `context`; free it with `context.free(blockAddress)`. `types` are the column types. The checksum
 * of a foreign frame is verified. Throws CORRUPT_PAGE, and MemoryLimitExceeded like allocate.
 */
export function decodePage(
  linear: LinearMemory,
  { bytes: frame, isForeign }: Frame,
  types: readonly Type[],
  context: MemoryContext,
): OwnedPage {
  const columns = parseColumns(frame, types);
  const rows = u32At(frame, 4);
  const bodyBytes = frame.length - frameHeaderBytes;
  const references = columns.reduce((sum, column) => sum + (column.shape.physical === "bytes" ? column.shape.count * 8 : 0), 0);
  const blockAddress = context.allocate(Math.max(8, bodyBytes + references));
  try {
    linear.u8.set(frame.subarray(frameHeaderBytes), blockAddress);
    if (isForeign) {
      const sum = checksum(linear.u32, blockAddress / 4, (blockAddress + bodyBytes) / 4, frameSeed(rows, types.length));
      if (sum.low !== u32At(frame, 16) || sum.high !== u32At(frame, 20)) {
        throw corrupt("its checksum does not match");
      }
    }
    let referencesAt = blockAddress + bodyBytes;
    const decoded = columns.map((column) => {
      const start = blockAddress + column.start;
      const values = column.shape.physical === "bytes" ? referencesAt : start + column.layout.values;
      if (column.shape.physical === "bytes") {
        buildReferences(linear, column, start, referencesAt);
        referencesAt += column.shape.count * 8;
      }
      return decodedColumn(linear, column, start, values);
    });
    return { page: { positionCount: rows, selection: 0, columns: decoded }, blockAddress };
  } catch (error) {
    context.free(blockAddress);
    throw error;
  }
}

interface ParsedColumn {
  readonly type: Type;
  readonly shape: ColumnShape;
  readonly layout: ColumnLayout;
  /** Offset in the body. */
  readonly start: number;
}

/** Parses and checks the column headers; afterwards all their offsets and sizes are within the frame. */
function parseColumns(frame: Uint8Array, types: readonly Type[]): readonly ParsedColumn[] {
  const length = frameLengthAt(frame, 0);
  if (length !== frame.length) {
    throw corrupt(`${frame.length - length} bytes follow it`);
  }
  const rows = u32At(frame, 4);
  if (u32At(frame, 8) !== types.length) {
    throw corrupt(`it has ${u32At(frame, 8)} columns, not ${types.length}`);
  }
  let at = frameHeaderBytes;
  const columns = types.map((type) => {
    if (at + columnHeaderBytes > length) {
      throw corrupt("a column is missing");
    }
    const physical = physicalType(type);
    const flags = u32At(frame, at);
    const shape: ColumnShape = {
      physical,
      rows,
      count: u32At(frame, at + 4),
      hasIds: (flags & flagDictionary) !== 0,
      hasNulls: (flags & flagNulls) !== 0,
      stringBytes: u32At(frame, at + 8),
    };
    if (u32At(frame, at + 12) !== physicalCodes[physical] || (!shape.hasIds && shape.count !== rows)) {
      throw corrupt(`a column is no ${type.kind}`);
    }
    const layout = layoutOf(shape);
    const start = at - frameHeaderBytes;
    at += layout.bytes;
    return { type, shape, layout, start };
  });
  if (at !== length) {
    throw corrupt("its columns do not fill it");
  }
  return columns;
}

/** Converts lengths to addresses. */
function buildReferences(linear: LinearMemory, column: ParsedColumn, start: Address, referencesAt: Address): void {
  const { u32 } = linear;
  const { count, stringBytes } = column.shape;
  const lengths = (start + column.layout.values) / 4;
  const first = start + column.layout.strings;
  let address = first;
  let reference = referencesAt / 4;
  for (let k = 0; k < count; k++) {
    const length = u32[lengths + k] as number;
    u32[reference++] = address;
    u32[reference++] = length;
    address += length;
  }
  if (address - first !== stringBytes) {
    throw corrupt("lengths and bytes of strings differ");
  }
}

function decodedColumn(linear: LinearMemory, column: ParsedColumn, start: Address, values: Address): Column {
  const { shape, layout, type } = column;
  const ids = shape.hasIds ? start + layout.ids : 0;
  if (shape.hasIds) {
    for (let at = ids / 4, end = at + shape.rows; at < end; at++) {
      if ((linear.u32[at] as number) >= shape.count) {
        throw corrupt("an id is not in its dictionary");
      }
    }
  }
  return { type, values, nulls: shape.hasNulls ? start + layout.nulls : 0, ids, length: shape.count };
}
