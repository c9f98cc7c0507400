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
import { BadData } from "../../shared/file-errors.ts";
import { ChunkPages, type ChunkOptions, idBytes, type OpenPage } from "./chunk-pages.ts";
import type { ParquetKernels } from "./kernels/kernels.ts";
import type { ValueWidth } from "./kernels/values.ts";
import type { ColumnEncoding } from "./schema.ts";

/** The page being read. */
interface CurrentPage extends OpenPage {
  nextRow: number;
  nextValue: number;
}

/** Part of a batch: `rows` rows of the page, from row `done` of the batch on. */
interface Part {
  readonly done: number;
  readonly rows: number;
}

export class ColumnReader {
  readonly #encoding: ColumnEncoding;
  readonly #memory: MemoryContext;
  readonly #linear: LinearMemory;
  readonly #kernels: ParquetKernels;
  readonly #pages: ChunkPages;
  readonly #width: ValueWidth;
  readonly #asDictionary: boolean;
  #page: CurrentPage | undefined;
  #usedUp: Address[] = [];
  #outValues: Address = 0;
  #outNulls: Address = 0;
  #outIds: Address = 0;

  /** A column with at most one entry for each row. */
  constructor(options: ChunkOptions) {
    this.#encoding = options.encoding;
    this.#memory = options.memory;
    this.#linear = options.memory.linear;
    this.#kernels = options.kernels;
    this.#pages = new ChunkPages(options);
    this.#width = this.#pages.width;
    this.#asDictionary = this.#pages.isDictionary;
  }

  /** The next `count` rows, at least one. Valid until the next read. */
  read(count: number): Column {
    for (const address of this.#usedUp) {
      this.#memory.free(address);
    }
    this.#usedUp = [];
    const first = this.#currentPage();
    if (first.definitions === 0 && first.entries - first.nextRow >= count) {
      return this.#partOf(first, count);
    }
    let hasNulls = false;
    for (let done = 0; done < count; ) {
      const page = this.#currentPage();
      const rows = Math.min(count - done, page.entries - page.nextRow);
      hasNulls ||= page.definitions !== 0;
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
    const dictionary = this.#pages.firstDictionary();
    if (dictionary === undefined) {
      return false;
    }
    const { values, length } = dictionary;
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
  #partOf(page: CurrentPage, count: number): Column {
    const at = page.nextValue;
    page.nextRow += count;
    page.nextValue += count;
    return this.#asDictionary
      ? this.#dictionaryColumn(page.ids + at * idBytes, false)
      : this.#flatColumn(page.values + at * this.#width, 0, count);
  }

  #dictionaryColumn(ids: Address, hasNulls: boolean): Column {
    const { values, nulls, length } = this.#pages.dictionary;
    return { type: this.#encoding.type, values, nulls: hasNulls ? nulls : 0, ids, length: length + 1 };
  }

  #flatColumn(values: Address, nulls: Address, length: number): Column {
    return { type: this.#encoding.type, values, nulls, ids: 0, length };
  }

  #currentPage(): CurrentPage {
    while (this.#page === undefined || this.#page.nextRow === this.#page.entries) {
      this.#usedUp.push(...(this.#page?.blocks ?? []));
      this.#page = undefined;
      const opened = this.#pages.next(this.#asDictionary);
      if (opened === undefined) {
        throw new BadData("it has fewer rows than the row group");
      }
      this.#page = { ...opened, nextRow: 0, nextValue: 0 };
    }
    return this.#page;
  }

  /** Returns the number of values used. */
  #copyIds(page: CurrentPage, { done, rows }: Part): number {
    if (this.#outIds === 0) {
      this.#outIds = this.#memory.allocate(pageRowsMax * idBytes);
    }
    const nullEntry = this.#pages.dictionary.length;
    const to = this.#outIds + done * idBytes;
    const from = page.ids + page.nextValue * idBytes;
    if (page.definitions === 0) {
      this.#linear.u8.copyWithin(to, from, from + rows * idBytes);
      return rows;
    }
    return this.#kernels.spreadIds({ address: page.definitions + page.nextRow, present: 1, rows }, { from, to, nullEntry });
  }

  /** Returns the number of values used. */
  #copyValues(page: CurrentPage, { done, rows }: Part): number {
    const width = this.#width;
    if (this.#outValues === 0) {
      this.#outValues = this.#memory.allocate(pageRowsMax * width);
      this.#outNulls = this.#memory.allocate(pageRowsMax);
    }
    const to = this.#outValues + done * width;
    const nulls = this.#outNulls + done;
    const from = page.values + page.nextValue * width;
    if (page.definitions === 0) {
      this.#linear.u8.copyWithin(to, from, from + rows * width);
      this.#linear.u8.fill(0, nulls, nulls + rows);
      return rows;
    }
    return this.#kernels.spread({ address: page.definitions + page.nextRow, present: 1, rows }, width, { from, to, nulls });
  }
}
