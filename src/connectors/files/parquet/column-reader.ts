/**
 * Reads one column chunk of a row group, a batch of rows at a time. A chunk that is entirely dictionary-encoded becomes a dictionary
 * column; everything else is flat. A batch without NULLs that lies in one page refers to that page. Blocks of consumed pages live until
 * the next read, because the last batch refers to them.
 */
import type { LinearMemory, MemoryContext, Address } from "../../../memory/memory.ts";
import { type Column, pageRowsMax } from "../../../page/page.ts";
import { readValue } from "../../../page/reader.ts";
import type { ValueSet } from "../../../types/domain/value-set.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import { BadData } from "../errors.ts";
import { decompress } from "./compression.ts";
import { ByteCursor, readRuns, singleRun } from "./encodings.ts";
import type { ParquetKernels } from "./kernels/kernels.ts";
import type { ValueWidth } from "./kernels/values.ts";
import type { ColumnEncoding } from "./schema.ts";
import { type StoredPage, storedPages } from "./stored-pages.ts";
import { decodeValues, encodings, valueWidth } from "./values.ts";

interface Dictionary {
  readonly values: Address;
  /** Number of entries without the last one, which is NULL. */
  readonly length: number;
  readonly nulls: Address;
}

/** The page being read. */
interface OpenPage {
  readonly rows: number;
  /** One byte per row, 1 if there is a value; 0 (no block) if every row has one. */
  readonly levels: Address;
  /** Dictionary entries of the values, or 0. */
  readonly ids: Address;
  readonly values: Address;
  readonly blocks: readonly Address[];
  nextRow: number;
  nextValue: number;
}

/** Part of a batch: `rows` rows of the page, from row `done` of the batch on. */
interface Part {
  readonly done: number;
  readonly rows: number;
}

const idBytes = 4;

export class ColumnReader {
  readonly #encoding: ColumnEncoding;
  readonly #codec: number;
  readonly #memory: MemoryContext;
  readonly #linear: LinearMemory;
  readonly #kernels: ParquetKernels;
  readonly #width: ValueWidth;
  readonly #pages: readonly StoredPage[];
  readonly #asDictionary: boolean;
  #nextPage = 0;
  #dictionary: Dictionary | undefined;
  #page: OpenPage | undefined;
  #usedUp: Address[] = [];
  #outValues: Address = 0;
  #outNulls: Address = 0;
  #outIds: Address = 0;

  constructor(options: {
    readonly encoding: ColumnEncoding;
    readonly codec: number;
    readonly bytes: Uint8Array;
    readonly rows: number;
    readonly memory: MemoryContext;
    readonly kernels: ParquetKernels;
  }) {
    this.#encoding = options.encoding;
    this.#codec = options.codec;
    this.#memory = options.memory;
    this.#linear = options.memory.linear;
    this.#kernels = options.kernels;
    this.#width = valueWidth(options.encoding);
    this.#pages = storedPages(options.bytes, options.rows);
    this.#asDictionary = this.#pages.every(({ kind, encoding }) => kind === "dictionary" || isDictionaryEncoding(encoding));
  }

  /** The next `count` rows, at least one. Valid until the next read. */
  read(count: number): Column {
    for (const address of this.#usedUp) {
      this.#memory.free(address);
    }
    this.#usedUp = [];
    const first = this.#currentPage();
    if (first.levels === 0 && first.rows - first.nextRow >= count) {
      return this.#partOf(first, count);
    }
    let hasNulls = false;
    for (let done = 0; done < count; ) {
      const page = this.#currentPage();
      const rows = Math.min(count - done, page.rows - page.nextRow);
      hasNulls ||= page.levels !== 0;
      page.nextValue += this.#asDictionary ? this.#copyIds(page, { done, rows }) : this.#copyValues(page, { done, rows });
      page.nextRow += rows;
      done += rows;
    }
    return this.#asDictionary
      ? this.#dictionaryColumn(this.#outIds, hasNulls)
      : this.#flatColumn(this.#outValues, hasNulls ? this.#outNulls : 0, count);
  }

  /**
   * Whether no row can have one of the values: every page is stored by dictionary, and no entry is among them. Decided by the pages
   * themselves, since what the footer says of encodings leaves pages out or not, by writer.
   */
  dictionaryLacks(wanted: ValueSet): boolean {
    const [first] = this.#pages;
    if (first?.kind !== "dictionary" || !this.#asDictionary) {
      return false;
    }
    this.#nextPage = 1;
    this.#readDictionary(first);
    const { values, length } = this.#requireDictionary();
    const column = { type: this.#encoding.type, values, nulls: 0, ids: 0, length };
    const page = { positionCount: length, selection: 0, columns: [column] };
    for (let entry = 0; entry < length; entry++) {
      const value = readValue(this.#linear, page, 0, entry);
      if (value !== null && wanted.includes(value instanceof Uint8Array ? decodeUtf8(value) : value)) {
        return false;
      }
    }
    return true;
  }

  /** Rows of a page without NULLs, where they lie. */
  #partOf(page: OpenPage, count: number): Column {
    const at = page.nextValue;
    page.nextRow += count;
    page.nextValue += count;
    return this.#asDictionary
      ? this.#dictionaryColumn(page.ids + at * idBytes, false)
      : this.#flatColumn(page.values + at * this.#width, 0, count);
  }

  #dictionaryColumn(ids: Address, hasNulls: boolean): Column {
    const { values, nulls, length } = this.#requireDictionary();
    return { type: this.#encoding.type, values, nulls: hasNulls ? nulls : 0, ids, length: length + 1 };
  }

  #flatColumn(values: Address, nulls: Address, length: number): Column {
    return { type: this.#encoding.type, values, nulls, ids: 0, length };
  }

  /** Without a dictionary page there are no entries, which is valid if all rows are NULL. */
  #requireDictionary(): Dictionary {
    this.#dictionary ??= { values: this.#memory.allocateZeroed(this.#width), nulls: this.#nullEntry(0), length: 0 };
    return this.#dictionary;
  }

  #nullEntry(entry: number): Address {
    const nulls = this.#memory.allocateZeroed(entry + 1);
    this.#linear.u8[nulls + entry] = 1;
    return nulls;
  }

  #currentPage(): OpenPage {
    while (this.#page === undefined || this.#page.nextRow === this.#page.rows) {
      this.#usedUp.push(...(this.#page?.blocks ?? []));
      this.#page = undefined;
      const stored = this.#pages[this.#nextPage++];
      if (stored === undefined) {
        throw new BadData("it has fewer rows than the row group");
      }
      if (stored.kind === "dictionary") {
        this.#readDictionary(stored);
      } else {
        this.#page = this.#open(stored);
      }
    }
    return this.#page;
  }

  #readDictionary(stored: StoredPage): void {
    if (this.#dictionary !== undefined || (stored.encoding !== encodings.plain && stored.encoding !== encodings.plainDictionary)) {
      throw new BadData("its dictionary is damaged");
    }
    const block = this.#memory.allocate(Math.max(1, stored.uncompressedBytes));
    this.#decompress(stored.bytes, block, stored.uncompressedBytes);
    const cursor = new ByteCursor(this.#linear, block, block + stored.uncompressedBytes);
    const count = stored.values;
    const decoded = this.#decode(cursor, encodings.plain, count);
    const bytes = count * this.#width;
    const values = this.#memory.allocate(bytes + this.#width);
    this.#linear.u8.copyWithin(values, decoded.values, decoded.values + bytes);
    this.#linear.u8.fill(0, values + bytes, values + bytes + this.#width);
    this.#dictionary = { values, nulls: this.#nullEntry(count), length: count };
  }

  #open(stored: StoredPage): OpenPage {
    const block = this.#memory.allocate(Math.max(1, stored.uncompressedBytes));
    const blocks: Address[] = [block];
    const { levelBytes } = stored;
    if (stored.isCompressed) {
      this.#linear.u8.set(stored.bytes.subarray(0, levelBytes), block);
      this.#decompress(stored.bytes.subarray(levelBytes), block + levelBytes, stored.uncompressedBytes - levelBytes);
    } else {
      if (stored.bytes.length !== stored.uncompressedBytes) {
        throw new BadData("a page header is damaged");
      }
      this.#linear.u8.set(stored.bytes, block);
    }
    const cursor = new ByteCursor(this.#linear, block, block + stored.uncompressedBytes);
    const levels = this.#readLevels(stored, cursor);
    if (levels !== 0) {
      blocks.push(levels);
    }
    const count = levels === 0 ? stored.values : this.#kernels.countPresent({ address: levels, present: 1, rows: stored.values });
    const page = { rows: stored.values, levels: count === stored.values ? 0 : levels, nextRow: 0, nextValue: 0 };
    if (!isDictionaryEncoding(stored.encoding)) {
      const decoded = this.#decode(cursor, stored.encoding, count);
      return { ...page, ids: 0, values: decoded.values, blocks: [...blocks, ...decoded.blocks] };
    }
    const ids = this.#readIds(cursor, count);
    if (this.#asDictionary) {
      return { ...page, ids, values: 0, blocks: [...blocks, ids] };
    }
    const values = this.#memory.allocate(Math.max(1, count) * this.#width);
    this.#kernels.gather(this.#width, { ids, count, dictionary: this.#requireDictionary().values }, values);
    return { ...page, ids: 0, values, blocks: [...blocks, ids, values] };
  }

  #decode(cursor: ByteCursor, encoding: number, count: number): ReturnType<typeof decodeValues> {
    return decodeValues(cursor, { column: this.#encoding, encoding, count, memory: this.#memory, kernels: this.#kernels });
  }

  #decompress(bytes: Uint8Array, address: Address, sizeBytes: number): void {
    decompress(this.#codec, bytes, { memory: this.#memory, kernels: this.#kernels, address, sizeBytes });
  }

  /** 0 if every row has a value. */
  #readLevels(stored: StoredPage, cursor: ByteCursor): Address {
    if (!this.#encoding.optional) {
      cursor.skip(stored.kind === "v2" ? stored.levelBytes : 0);
      return 0;
    }
    const bytes = stored.kind === "v2" ? stored.levelBytes : cursor.uint32();
    const start = cursor.skip(bytes);
    const runs = new ByteCursor(this.#linear, start, start + bytes);
    if (stored.values > 0 && singleRun(runs, 1, stored.values) === 1) {
      return 0;
    }
    runs.at = start;
    const levels = this.#memory.allocate(Math.max(1, stored.values));
    readRuns(runs, this.#kernels, { bitWidth: 1, count: stored.values, target: levels, kind: "u8", limit: 2 });
    return levels;
  }

  #readIds(cursor: ByteCursor, count: number): Address {
    const { length } = this.#requireDictionary();
    const ids = this.#memory.allocate(Math.max(1, count) * idBytes);
    if (count > 0) {
      if (length === 0) {
        throw new BadData("a page refers to a dictionary that is not there");
      }
      readRuns(cursor, this.#kernels, { bitWidth: cursor.byte(), count, target: ids, kind: "u32", limit: length });
    }
    return ids;
  }

  /** Returns the number of values used. */
  #copyIds(page: OpenPage, { done, rows }: Part): number {
    if (this.#outIds === 0) {
      this.#outIds = this.#memory.allocate(pageRowsMax * idBytes);
    }
    const nullEntry = this.#requireDictionary().length;
    const to = this.#outIds + done * idBytes;
    const from = page.ids + page.nextValue * idBytes;
    if (page.levels === 0) {
      this.#linear.u8.copyWithin(to, from, from + rows * idBytes);
      return rows;
    }
    return this.#kernels.spreadIds({ address: page.levels + page.nextRow, present: 1, rows }, { from, to, nullEntry });
  }

  /** Returns the number of values used. */
  #copyValues(page: OpenPage, { done, rows }: Part): number {
    const width = this.#width;
    if (this.#outValues === 0) {
      this.#outValues = this.#memory.allocate(pageRowsMax * width);
      this.#outNulls = this.#memory.allocate(pageRowsMax);
    }
    const to = this.#outValues + done * width;
    const nulls = this.#outNulls + done;
    const from = page.values + page.nextValue * width;
    if (page.levels === 0) {
      this.#linear.u8.copyWithin(to, from, from + rows * width);
      this.#linear.u8.fill(0, nulls, nulls + rows);
      return rows;
    }
    return this.#kernels.spread({ address: page.levels + page.nextRow, present: 1, rows }, width, { from, to, nulls });
  }
}

function isDictionaryEncoding(encoding: number): boolean {
  return encoding === encodings.plainDictionary || encoding === encodings.rleDictionary;
}
