/** A page of a B-tree: its cells, checked before they are used (https://www.sqlite.org/fileformat2.html, section 1.6). */
import { BadData } from "../../shared/file-errors.ts";
import { databaseHeaderBytes } from "./database-header.ts";
import { type Rowid, signedVarint, u16, u32, varint, varintEnd } from "./numbers.ts";

const kinds: ReadonlyMap<number, { readonly isLeaf: boolean; readonly isTable: boolean }> = new Map([
  [2, { isLeaf: false, isTable: false }],
  [5, { isLeaf: false, isTable: true }],
  [10, { isLeaf: true, isTable: false }],
  [13, { isLeaf: true, isTable: true }],
]);
const pointerBytes = 2;

export interface BTreePage {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly usableSize: number;
  readonly isLeaf: boolean;
  readonly isTable: boolean;
  readonly cellCount: number;
  /** Offset of the pointers to the cells. */
  readonly pointers: number;
  /** Child behind the last cell; 0 in a leaf. */
  readonly lastChild: number;
}

/** Where the payload of a cell lies. */
export interface CellPayload {
  /** Bytes of the whole payload. */
  readonly size: number;
  readonly at: number;
  /** Bytes of it in this page. */
  readonly local: number;
  /** Its next bytes; 0 if it is all here. */
  readonly overflow: number;
}

/** Throws BadData. */
export function parsePage(
  number: number,
  bytes: Uint8Array,
  { usableSize, isTable }: { readonly usableSize: number; readonly isTable: boolean },
): BTreePage {
  const header = number === 1 ? databaseHeaderBytes : 0;
  const kind = kinds.get(bytes[header] ?? 0);
  if (kind === undefined || kind.isTable !== isTable) {
    throw new BadData(`this is no page of ${isTable ? "a table" : "an index"}: its type is ${bytes[header]}`);
  }
  const cellCount = u16(bytes, header + 3);
  const pointers = header + (kind.isLeaf ? 8 : 12);
  if (pointers + cellCount * pointerBytes > usableSize) {
    throw new BadData(`a page cannot have ${cellCount} cells`);
  }
  return { number, bytes, usableSize, ...kind, cellCount, pointers, lastChild: kind.isLeaf ? 0 : u32(bytes, header + 8) };
}

/** Throws BadData for a cell outside of the page. */
function cellAt({ bytes, pointers, cellCount, usableSize }: BTreePage, index: number): number {
  const at = u16(bytes, pointers + index * pointerBytes);
  if (at < pointers + cellCount * pointerBytes || at >= usableSize) {
    throw new BadData(`cell ${index} lies outside of the page`);
  }
  return at;
}

/** The child before the cell of that index, or behind the last cell. */
export function childOf(page: BTreePage, index: number): number {
  return index >= page.cellCount ? page.lastChild : u32(page.bytes, cellAt(page, index));
}

/** The key of a cell of a table: in an interior page the greatest one below the child of the cell. */
export function rowidOf(page: BTreePage, index: number): Rowid {
  const at = cellAt(page, index);
  return signedVarint(page.bytes, page.isLeaf ? varintEnd(page.bytes, at) : at + 4);
}

/** Throws BadData. */
export function payloadOf(page: BTreePage, index: number): CellPayload {
  const { bytes, usableSize, isLeaf, isTable } = page;
  const start = cellAt(page, index) + (isLeaf ? 0 : 4);
  const size = varint(bytes, start);
  const behind = varintEnd(bytes, start);
  const at = isTable ? varintEnd(bytes, behind) : behind;
  const local = localSize(size, usableSize, isTable);
  const hasOverflow = local < size;
  if (at + local + (hasOverflow ? 4 : 0) > usableSize) {
    throw new BadData(`cell ${index} reaches beyond the page`);
  }
  return { size, at, local, overflow: hasOverflow ? u32(bytes, at + local) : 0 };
}

/** Bytes of a payload in the page of its cell; the others are in overflow pages. */
function localSize(size: number, usableSize: number, isTable: boolean): number {
  const most = isTable ? usableSize - 35 : Math.floor(((usableSize - 12) * 64) / 255) - 23;
  if (size <= most) {
    return size;
  }
  const least = Math.floor(((usableSize - 12) * 32) / 255) - 23;
  const filled = least + ((size - least) % (usableSize - 4));
  return filled <= most ? filled : least;
}
