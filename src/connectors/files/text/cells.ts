/**
 * Finds the cells of many records at once with kernels: what they need to know of a table of CSV or JSON lines, in linear memory.
 */
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import type { CsvDialect } from "./csv.ts";
import { csvFieldBytes } from "./kernels/csv-records.ts";
import { jsonKey } from "./kernels/json-records.ts";
import type { TextKernels } from "./kernels/kernels.ts";
import { isText, isUtf8 } from "./records.ts";

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

/** Where the cells of a column are put. */
export interface ColumnCells {
  /** Address and length of each, in u32. */
  readonly cells: Address;
  /** A byte each. */
  readonly kinds: Address;
  /** Escapes may stay in the cells; otherwise their reader cannot take them. */
  readonly isText: boolean;
}

/** Where the kernels put what they find. */
export interface CellTargets {
  readonly columns: readonly ColumnCells[];
  /** The kinds of all columns, one after the other. */
  readonly kinds: Address;
  readonly kindsBytes: number;
  /** Addresses after the records, in u32. */
  readonly ends: Address;
  readonly rowsMax: number;
}

export interface CellFinder {
  /** Number of records from `start` on whose cells were found. */
  find(start: Address, end: Address, targets: CellTargets): number;
  /** Whether a line begins at `start` that is no record. */
  isBlankLine(start: Address, end: Address): boolean;
}

interface FinderOptions {
  readonly kernels: TextKernels;
  readonly memory: MemoryContext;
  /** Slot of each column; -1 for a column that this file does not have. No slot has two columns. */
  readonly slots: readonly number[];
}

export class CsvCells implements CellFinder {
  readonly #options: FinderOptions & { readonly dialect: CsvDialect; readonly fieldCount: number };
  readonly #fields: Address;

  constructor(options: FinderOptions & { readonly dialect: CsvDialect; readonly fieldCount: number }) {
    this.#options = options;
    this.#fields = options.memory.allocateZeroed(options.fieldCount * csvFieldBytes);
  }

  find(start: Address, end: Address, { columns, rowsMax, ends }: CellTargets): number {
    const { kernels, memory, slots, dialect, fieldCount } = this.#options;
    const { u32 } = memory.linear;
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number;
      const column = columns[index];
      if (slot >= 0 && column !== undefined) {
        const word = (this.#fields + slot * csvFieldBytes) >>> 2;
        u32[word] = column.cells;
        u32[word + 1] = column.kinds;
        u32[word + 2] = column.isText ? 1 : 0;
      }
    }
    return kernels.csvRecords({ start, end }, { rowsMax, fields: this.#fields, fieldCount, ends }, dialect);
  }

  isBlankLine(start: Address, end: Address): boolean {
    const { u8 } = this.#options.memory.linear;
    const at = u8[start] === carriageReturn ? start + 1 : start;
    return this.#options.fieldCount !== 1 && at < end && u8[at] === newline;
  }
}

/** Keys beyond this number are not learned. */
const keysMax = 512;
const keysMin = 32;
/** A word that the kernel uses, before the keys. */
const stateBytes = 16;

export class JsonCells implements CellFinder {
  readonly #options: FinderOptions;
  /** Of a key with its quotes. */
  readonly #texts: Uint8Array[] = [];
  /** Column of each key; -1 if there is none. */
  readonly #columns: number[] = [];
  #capacity = keysMin;
  #block: Address;

  constructor(options: FinderOptions) {
    this.#options = options;
    this.#block = options.memory.allocate(stateBytes + keysMin * jsonKey.bytes);
  }

  /** A key as it is written, and its slot or -1. */
  learn(written: Uint8Array, slot: number): void {
    const bytes = new Uint8Array(written.length + 2).fill(0x22);
    bytes.set(written, 1);
    const count = this.#texts.length;
    const isKnown = (): boolean => this.#texts.some((text) => isText(bytes, 0, bytes.length, text));
    if (bytes.length > jsonKey.textBytesMax || count === keysMax || !isUtf8(bytes, 0, bytes.length) || isKnown()) {
      return;
    }
    const { memory, slots } = this.#options;
    if (count === this.#capacity) {
      this.#capacity *= 2;
      this.#block = memory.reallocate(this.#block, stateBytes + this.#capacity * jsonKey.bytes);
    }
    const at = this.#keyAt(count);
    const { u8, u32 } = memory.linear;
    u8.fill(0, at, at + jsonKey.bytes);
    u32[at >>> 2] = bytes.length;
    u8.fill(0xff, at + jsonKey.mask, at + jsonKey.mask + Math.min(16, bytes.length));
    u8.set(bytes, at + jsonKey.text);
    this.#texts.push(bytes);
    this.#columns.push(slot < 0 ? -1 : slots.indexOf(slot));
  }

  find(start: Address, end: Address, { columns, kinds, kindsBytes, rowsMax, ends }: CellTargets): number {
    const { kernels, memory } = this.#options;
    const { u32 } = memory.linear;
    for (let index = 0; index < this.#columns.length; index++) {
      const column = columns[this.#columns[index] as number];
      if (column !== undefined) {
        const word = this.#keyAt(index) >>> 2;
        u32[word + 1] = column.cells;
        u32[word + 2] = column.kinds;
        u32[word + 3] = column.isText ? 1 : 0;
      }
    }
    const keys = this.#keyAt(0);
    const keysEnd = this.#keyAt(this.#texts.length);
    return kernels.jsonRecords({ start, end }, { rowsMax, keys, keysEnd, kinds, kindsBytes, ends });
  }

  isBlankLine(start: Address, end: Address): boolean {
    const { u8 } = this.#options.memory.linear;
    let at = start;
    while (at < end && (u8[at] === space || u8[at] === tab || u8[at] === carriageReturn)) {
      at++;
    }
    return at < end && u8[at] === newline;
  }

  #keyAt(index: number): Address {
    return this.#block + stateBytes + index * jsonKey.bytes;
  }
}
