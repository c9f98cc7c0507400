/**
 * Reads the entries of one leaf of a nested column, a batch of rows at a time. A row begins with an entry of repetition level 0.
 */
import type { Address, LinearMemory, MemoryContext } from "../../../../memory/memory.ts";
import { BadData } from "../../../shared/file-errors.ts";
import { ChunkPages, type ChunkOptions, type OpenPage } from "../chunk-pages.ts";
import type { ParquetKernels } from "../kernels/kernels.ts";

/** Entries of a batch, valid until the next one. */
export interface LeafBatch {
  readonly entries: number;
  /** One byte per entry; 0 if every level is 0. */
  readonly repetitions: Address;
  /** One byte per entry; 0 if every level is the highest. */
  readonly definitions: Address;
  /** Values of the entries with the highest definition level. */
  readonly values: Address;
}

interface CurrentPage extends OpenPage {
  nextEntry: number;
  nextValue: number;
}

/** Part of a batch in one page. */
interface Part {
  readonly page: OpenPage;
  readonly firstEntry: number;
  readonly entries: number;
  readonly firstValue: number;
  readonly values: number;
}

export class LeafReader {
  readonly #options: ChunkOptions;
  readonly #memory: MemoryContext;
  readonly #linear: LinearMemory;
  readonly #kernels: ParquetKernels;
  readonly #pages: ChunkPages;
  #page: CurrentPage | undefined;
  #usedUp: Address[] = [];

  constructor(options: ChunkOptions) {
    this.#options = options;
    this.#memory = options.memory;
    this.#linear = options.memory.linear;
    this.#kernels = options.kernels;
    this.#pages = new ChunkPages(options);
  }

  /** The next `rows` rows, at least one. */
  read(rows: number): LeafBatch {
    for (const address of this.#usedUp) {
      this.#memory.free(address);
    }
    this.#usedUp = [];
    const parts: Part[] = [];
    for (let begun = 0; ; ) {
      const page = this.#current();
      if (page === undefined) {
        if (begun < rows) {
          throw new BadData("it has fewer rows than the row group");
        }
        break;
      }
      const { entries, rows: found } = this.#entriesOf(page, rows - begun, begun > 0);
      if (entries > 0) {
        parts.push(this.#take(page, entries));
      }
      begun += found;
      if (page.nextEntry < page.entries) {
        break;
      }
    }
    return this.#join(parts);
  }

  /** Requires that all rows were read. */
  requireEnd(): void {
    if (this.#current() !== undefined) {
      throw new BadData("it has more rows than the row group");
    }
  }

  #current(): CurrentPage | undefined {
    while (this.#page === undefined || this.#page.nextEntry === this.#page.entries) {
      this.#usedUp.push(...(this.#page?.blocks ?? []));
      this.#page = undefined;
      const opened = this.#pages.next(false);
      if (opened === undefined) {
        return undefined;
      }
      this.#page = { ...opened, nextEntry: 0, nextValue: 0 };
    }
    return this.#page;
  }

  /** Entries up to the first of row `rows` + 1. `isWithin`: the page may begin with more entries of the row before. */
  #entriesOf(page: CurrentPage, rows: number, isWithin: boolean): { readonly entries: number; readonly rows: number } {
    const { nextEntry, entries, repetitions } = page;
    if (repetitions === 0) {
      const found = Math.min(rows, entries - nextEntry);
      return { entries: found, rows: found };
    }
    const { u8 } = this.#linear;
    let found = 0;
    let at = nextEntry;
    for (; at < entries; at++) {
      if (u8[repetitions + at] !== 0) {
        continue;
      }
      if (found === rows) {
        break;
      }
      found++;
    }
    if (!isWithin && u8[repetitions + nextEntry] !== 0) {
      throw new BadData("its first row has no beginning");
    }
    return { entries: at - nextEntry, rows: found };
  }

  #take(page: CurrentPage, entries: number): Part {
    const { definitions, nextEntry, nextValue } = page;
    const present = this.#options.definitionMax;
    const values = definitions === 0 ? entries : this.#kernels.countPresent({ address: definitions + nextEntry, present, rows: entries });
    page.nextEntry += entries;
    page.nextValue += values;
    return { page, firstEntry: nextEntry, entries, firstValue: nextValue, values };
  }

  #join(parts: readonly Part[]): LeafBatch {
    const { width } = this.#pages;
    const [first] = parts;
    if (first !== undefined && parts.length === 1) {
      const { page, firstEntry, entries, firstValue } = first;
      return {
        entries,
        repetitions: page.repetitions === 0 ? 0 : page.repetitions + firstEntry,
        definitions: page.definitions === 0 ? 0 : page.definitions + firstEntry,
        values: page.values + firstValue * width,
      };
    }
    const { u8 } = this.#linear;
    const { definitionMax, repetitionMax } = this.#options;
    const entries = parts.reduce((sum, part) => sum + part.entries, 0);
    const repetitions = repetitionMax === 0 ? 0 : this.#allocate(entries);
    const definitions = this.#allocate(entries);
    const values = this.#allocate(parts.reduce((sum, part) => sum + part.values, 0) * width);
    let entry = 0;
    let value = values;
    for (const part of parts) {
      const { page, firstEntry } = part;
      if (repetitions !== 0) {
        u8.copyWithin(repetitions + entry, page.repetitions + firstEntry, page.repetitions + firstEntry + part.entries);
      }
      if (page.definitions === 0) {
        u8.fill(definitionMax, definitions + entry, definitions + entry + part.entries);
      } else {
        u8.copyWithin(definitions + entry, page.definitions + firstEntry, page.definitions + firstEntry + part.entries);
      }
      const from = page.values + part.firstValue * width;
      u8.copyWithin(value, from, from + part.values * width);
      entry += part.entries;
      value += part.values * width;
    }
    return { entries, repetitions, definitions, values };
  }

  #allocate(bytes: number): Address {
    const address = this.#memory.allocate(Math.max(1, bytes));
    this.#usedUp.push(address);
    return address;
  }
}
