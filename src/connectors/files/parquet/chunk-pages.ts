/**
 * Opens the pages of a column chunk one by one: decompressed, with levels and values decoded. Memory of a page belongs to the caller.
 */
import type { Address, LinearMemory, MemoryContext } from "../../../memory/memory.ts";
import { BadData } from "../../shared/file-errors.ts";
import { decompress } from "./compression.ts";
import { ByteCursor, readRuns, singleRun } from "./encodings.ts";
import type { ParquetKernels } from "./kernels/kernels.ts";
import type { ValueWidth } from "./kernels/values.ts";
import type { ColumnEncoding } from "./schema.ts";
import { type StoredPage, storedPages } from "./stored-pages.ts";
import { decodeValues, encodings, valueWidth } from "./values.ts";

export interface ChunkOptions {
  readonly encoding: ColumnEncoding;
  readonly codec: number;
  readonly bytes: Uint8Array;
  /** Values and NULLs, with those of empty lists. */
  readonly entries: number;
  readonly definitionMax: number;
  readonly repetitionMax: number;
  readonly memory: MemoryContext;
  readonly kernels: ParquetKernels;
}

export interface Dictionary {
  readonly values: Address;
  /** Number of entries without the last one, which is NULL. */
  readonly length: number;
  readonly nulls: Address;
  readonly blocks: readonly Address[];
}

export interface OpenPage {
  readonly entries: number;
  /** One byte per entry; 0 (no block) if the column is not repeated. */
  readonly repetitions: Address;
  /** One byte per entry; 0 (no block) if every entry has a value. */
  readonly definitions: Address;
  /** Dictionary entries of the values, or 0. */
  readonly ids: Address;
  readonly values: Address;
  readonly blocks: readonly Address[];
}

export const idBytes = 4;

export class ChunkPages {
  /** Every page refers to the dictionary. */
  readonly isDictionary: boolean;
  readonly width: ValueWidth;
  readonly #options: ChunkOptions;
  readonly #linear: LinearMemory;
  readonly #pages: readonly StoredPage[];
  #next = 0;
  #dictionary: Dictionary | undefined;

  constructor(options: ChunkOptions) {
    this.#options = options;
    this.#linear = options.memory.linear;
    this.width = valueWidth(options.encoding);
    this.#pages = storedPages(options.bytes, options.entries);
    this.isDictionary = this.#pages.every(({ kind, encoding }) => kind === "dictionary" || isDictionaryEncoding(encoding));
  }

  /** undefined at the end. With `keepsIds` a page by dictionary has ids and no values. */
  next(keepsIds: boolean): OpenPage | undefined {
    for (;;) {
      const stored = this.#pages[this.#next++];
      if (stored?.kind !== "dictionary") {
        return stored && this.#open(stored, keepsIds);
      }
      this.#readDictionary(stored);
    }
  }

  /** The dictionary of a chunk that begins with one, before any page is opened. */
  firstDictionary(): Dictionary | undefined {
    const [first] = this.#pages;
    if (first?.kind !== "dictionary" || !this.isDictionary) {
      return undefined;
    }
    this.#next = 1;
    this.#readDictionary(first);
    return this.dictionary;
  }

  /** Without a dictionary page there are no entries, which is valid if all rows are NULL. */
  get dictionary(): Dictionary {
    const { memory } = this.#options;
    this.#dictionary ??= { values: memory.allocateZeroed(this.width), nulls: this.#nullEntry(0), length: 0, blocks: [] };
    return this.#dictionary;
  }

  #nullEntry(entry: number): Address {
    const nulls = this.#options.memory.allocateZeroed(entry + 1);
    this.#linear.u8[nulls + entry] = 1;
    return nulls;
  }

  #readDictionary(stored: StoredPage): void {
    if (this.#dictionary !== undefined || (stored.encoding !== encodings.plain && stored.encoding !== encodings.plainDictionary)) {
      throw new BadData("its dictionary is damaged");
    }
    const { memory } = this.#options;
    const block = memory.allocate(Math.max(1, stored.uncompressedBytes));
    this.#decompress(stored.bytes, block, stored.uncompressedBytes);
    const cursor = new ByteCursor(this.#linear, block, block + stored.uncompressedBytes);
    const count = stored.values;
    const decoded = this.#decode(cursor, encodings.plain, count);
    const bytes = count * this.width;
    const values = memory.allocate(bytes + this.width);
    this.#linear.u8.copyWithin(values, decoded.values, decoded.values + bytes);
    this.#linear.u8.fill(0, values + bytes, values + bytes + this.width);
    this.#dictionary = { values, nulls: this.#nullEntry(count), length: count, blocks: [block, ...decoded.blocks, values] };
  }

  #open(stored: StoredPage, keepsIds: boolean): OpenPage {
    const { memory, kernels, definitionMax } = this.#options;
    const block = memory.allocate(Math.max(1, stored.uncompressedBytes));
    const blocks: Address[] = [block];
    const levelBytes = stored.definitionBytes + stored.repetitionBytes;
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
    const repetitions = this.#readRepetitions(stored, cursor);
    const levels = this.#readDefinitions(stored, cursor);
    blocks.push(...[repetitions, levels].filter((address) => address !== 0));
    const entries = stored.values;
    const count = levels === 0 ? entries : kernels.countPresent({ address: levels, present: definitionMax, rows: entries });
    const page = { entries, repetitions, definitions: count === entries ? 0 : levels };
    if (!isDictionaryEncoding(stored.encoding)) {
      const decoded = this.#decode(cursor, stored.encoding, count);
      return { ...page, ids: 0, values: decoded.values, blocks: [...blocks, ...decoded.blocks] };
    }
    const ids = this.#readIds(cursor, count);
    if (keepsIds) {
      return { ...page, ids, values: 0, blocks: [...blocks, ids] };
    }
    const values = memory.allocate(Math.max(1, count) * this.width);
    kernels.gather(this.width, { ids, count, dictionary: this.dictionary.values }, values);
    return { ...page, ids: 0, values, blocks: [...blocks, ids, values] };
  }

  #decode(cursor: ByteCursor, encoding: number, count: number): ReturnType<typeof decodeValues> {
    const { encoding: column, memory, kernels } = this.#options;
    return decodeValues(cursor, { column, encoding, count, memory, kernels });
  }

  #decompress(bytes: Uint8Array, address: Address, sizeBytes: number): void {
    const { codec, memory, kernels } = this.#options;
    decompress(codec, bytes, { memory, kernels, address, sizeBytes });
  }

  /** 0 if the column is not repeated. */
  #readRepetitions(stored: StoredPage, cursor: ByteCursor): Address {
    const { repetitionMax } = this.#options;
    if (repetitionMax === 0) {
      cursor.skip(stored.repetitionBytes);
      return 0;
    }
    requireRuns(stored, stored.repetitionEncoding);
    return this.#readLevels(stored, cursor, { max: repetitionMax, bytes: stored.repetitionBytes });
  }

  /** 0 if every entry has a value. */
  #readDefinitions(stored: StoredPage, cursor: ByteCursor): Address {
    const { definitionMax } = this.#options;
    if (definitionMax === 0) {
      cursor.skip(stored.definitionBytes);
      return 0;
    }
    requireRuns(stored, stored.definitionEncoding);
    return this.#readLevels(stored, cursor, { max: definitionMax, bytes: stored.definitionBytes, isMaxLeftOut: true });
  }

  /** With `isMaxLeftOut` the result is 0 if one run gives all entries the highest level. */
  #readLevels(
    stored: StoredPage,
    cursor: ByteCursor,
    levels: { readonly max: number; readonly bytes: number; readonly isMaxLeftOut?: true },
  ): Address {
    const { memory, kernels } = this.#options;
    const bytes = stored.kind === "v2" ? levels.bytes : cursor.uint32();
    const start = cursor.skip(bytes);
    const runs = new ByteCursor(this.#linear, start, start + bytes);
    const bitWidth = 32 - Math.clz32(levels.max);
    if (levels.isMaxLeftOut === true && stored.values > 0 && singleRun(runs, bitWidth, stored.values) === levels.max) {
      return 0;
    }
    runs.at = start;
    const target = memory.allocate(Math.max(1, stored.values));
    readRuns(runs, kernels, { bitWidth, count: stored.values, target, kind: "u8", limit: levels.max + 1 });
    return target;
  }

  #readIds(cursor: ByteCursor, count: number): Address {
    const { memory, kernels } = this.#options;
    const { length } = this.dictionary;
    const ids = memory.allocate(Math.max(1, count) * idBytes);
    if (count > 0) {
      if (length === 0) {
        throw new BadData("a page refers to a dictionary that is not there");
      }
      readRuns(cursor, kernels, { bitWidth: cursor.byte(), count, target: ids, kind: "u32", limit: length });
    }
    return ids;
  }
}

/** Levels of the oldest writers are packed in another order. */
function requireRuns(stored: StoredPage, encoding: number): void {
  if (stored.kind === "v1" && encoding !== encodings.rle) {
    throw new BadData(`levels in encoding ${encoding} are not supported`);
  }
}

function isDictionaryEncoding(encoding: number): boolean {
  return encoding === encodings.plainDictionary || encoding === encodings.rleDictionary;
}
