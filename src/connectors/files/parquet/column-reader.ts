/**
 * Reads one column chunk of a row group, a batch of rows at a time. A string chunk that is entirely dictionary-encoded becomes a dictionary
 * column; everything else is flat. Blocks of consumed pages live until the next read, because the last batch refers to them.
 */
import type { LinearMemory, MemoryContext, Address } from "../../../memory/memory.ts";
import { type Column, pageRowsMax } from "../../../page/page.ts";
import { readValue } from "../../../page/reader.ts";
import { crc32 } from "../../../types/crc32.ts";
import type { ValueSet } from "../../../types/domain/value-set.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import { BadData } from "../errors.ts";
import { decompress } from "./compression.ts";
import { ByteCursor, readRuns } from "./encodings.ts";
import { type ColumnEncoding, physical } from "./schema.ts";
import { ThriftReader, type ThriftStruct } from "./thrift.ts";
import { decodeValues, encodings, valueWidth } from "./values.ts";

interface StoredPage {
  readonly kind: "v1" | "v2" | "dictionary";
  readonly encoding: number;
  readonly values: number;
  readonly bytes: Uint8Array;
  readonly uncompressedBytes: number;
  /** For v2 pages: bytes of levels before the values, which are not compressed. */
  readonly levelBytes: number;
  readonly isCompressed: boolean;
}

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

const pageTypes = Object.freeze({ data: 0, index: 1, dictionary: 2, dataV2: 3 });

function required(value: number | undefined): number {
  if (value === undefined || value < 0) {
    throw new BadData("a page header is damaged");
  }
  return value;
}

export class ColumnReader {
  readonly #encoding: ColumnEncoding;
  readonly #codec: number;
  readonly #memory: MemoryContext;
  readonly #linear: LinearMemory;
  readonly #width: number;
  readonly #pages: readonly StoredPage[];
  readonly #asDictionary: boolean;
  #nextPage = 0;
  #dictionary: Dictionary | undefined;
  #page: OpenPage | undefined;
  #usedUp: Address[] = [];
  #outValues: Address = 0;
  #outNulls: Address = 0;
  #outIds: Address = 0;
  #hasNulls = false;

  constructor(options: {
    readonly encoding: ColumnEncoding;
    readonly codec: number;
    readonly bytes: Uint8Array;
    readonly rows: number;
    readonly memory: MemoryContext;
  }) {
    this.#encoding = options.encoding;
    this.#codec = options.codec;
    this.#memory = options.memory;
    this.#linear = options.memory.linear;
    this.#width = valueWidth(options.encoding);
    this.#pages = storedPages(options.bytes, options.rows);
    const isText = options.encoding.physical === physical.bytes && options.encoding.conversion === "none";
    this.#asDictionary = isText && this.#pages.every(({ kind, encoding }) => kind === "dictionary" || isDictionaryEncoding(encoding));
  }

  /** The next `count` rows. Valid until the next read. */
  read(count: number): Column {
    for (const address of this.#usedUp) {
      this.#memory.free(address);
    }
    this.#usedUp = [];
    this.#hasNulls = false;
    for (let done = 0; done < count; ) {
      const page = this.#currentPage();
      const rows = Math.min(count - done, page.rows - page.nextRow);
      if (this.#asDictionary) {
        this.#copyIds(page, done, rows);
      } else {
        this.#copyValues(page, done, rows);
      }
      page.nextRow += rows;
      done += rows;
    }
    return this.#asDictionary ? this.#dictionaryColumn() : this.#flatColumn(count);
  }

  /**
   * Whether no row can have one of the values: every page is stored by dictionary, and no entry is among them. Decided by the pages
   * themselves, since what the footer says of encodings leaves pages out or not, by writer.
   */
  dictionaryLacks(wanted: ValueSet): boolean {
    const [first] = this.#pages;
    const isWhole = this.#pages.every(({ kind, encoding }, index) =>
      index === 0 ? kind === "dictionary" : isDictionaryEncoding(encoding),
    );
    if (first === undefined || !isWhole) {
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

  #dictionaryColumn(): Column {
    const { values, nulls, length } = this.#requireDictionary();
    return { type: this.#encoding.type, values, nulls: this.#hasNulls ? nulls : 0, ids: this.#outIds, length: length + 1 };
  }

  #flatColumn(count: number): Column {
    return { type: this.#encoding.type, values: this.#outValues, nulls: this.#hasNulls ? this.#outNulls : 0, ids: 0, length: count };
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
      this.#close(this.#page);
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

  #close(page: OpenPage | undefined): void {
    if (page !== undefined) {
      this.#usedUp.push(...page.blocks);
    }
  }

  #readDictionary(stored: StoredPage): void {
    if (this.#dictionary !== undefined || (stored.encoding !== encodings.plain && stored.encoding !== encodings.plainDictionary)) {
      throw new BadData("its dictionary is damaged");
    }
    const block = this.#memory.allocate(Math.max(1, stored.uncompressedBytes));
    this.#decompress(stored.bytes, block, stored.uncompressedBytes);
    const cursor = new ByteCursor(this.#linear, block, block + stored.uncompressedBytes);
    const count = stored.values;
    const decoded = decodeValues(cursor, { column: this.#encoding, encoding: encodings.plain, count, memory: this.#memory });
    const values = this.#memory.reallocate(decoded.values, (count + 1) * this.#width);
    this.#linear.u8.fill(0, values + count * this.#width, values + (count + 1) * this.#width);
    this.#dictionary = { values, nulls: this.#nullEntry(count), length: count };
  }

  #open(stored: StoredPage): OpenPage {
    const { linear } = this.#memory;
    const block = this.#memory.allocate(Math.max(1, stored.uncompressedBytes));
    const blocks: Address[] = [block];
    const { levelBytes } = stored;
    if (stored.isCompressed) {
      linear.u8.set(stored.bytes.subarray(0, levelBytes), block);
      this.#decompress(stored.bytes.subarray(levelBytes), block + levelBytes, stored.uncompressedBytes - levelBytes);
    } else {
      if (stored.bytes.length !== stored.uncompressedBytes) {
        throw new BadData("a page header is damaged");
      }
      linear.u8.set(stored.bytes, block);
    }
    const cursor = new ByteCursor(linear, block, block + stored.uncompressedBytes);
    const levels = this.#readLevels(stored, cursor);
    if (levels !== 0) {
      blocks.push(levels);
    }
    const count = levels === 0 ? stored.values : countOnes(linear.u8, levels, stored.values);
    const page = { rows: stored.values, levels: count === stored.values ? 0 : levels, nextRow: 0, nextValue: 0 };
    if (isDictionaryEncoding(stored.encoding)) {
      const ids = this.#readIds(cursor, count);
      return { ...page, ids, values: 0, blocks: [...blocks, ids] };
    }
    const decoded = decodeValues(cursor, { column: this.#encoding, encoding: stored.encoding, count, memory: this.#memory });
    return { ...page, ids: 0, values: decoded.values, blocks: [...blocks, ...decoded.blocks, decoded.values] };
  }

  #decompress(bytes: Uint8Array, address: Address, sizeBytes: number): void {
    decompress(this.#codec, bytes, { memory: this.#memory, address, sizeBytes });
  }

  /** 0 if the column has no levels. */
  #readLevels(stored: StoredPage, cursor: ByteCursor): Address {
    if (!this.#encoding.optional) {
      cursor.skip(stored.kind === "v2" ? stored.levelBytes : 0);
      return 0;
    }
    const bytes = stored.kind === "v2" ? stored.levelBytes : cursor.uint32();
    const start = cursor.skip(bytes);
    const levels = this.#memory.allocate(Math.max(1, stored.values));
    const runs = new ByteCursor(this.#linear, start, start + bytes);
    readRuns(runs, { bitWidth: 1, count: stored.values, target: levels, bytes: true });
    return levels;
  }

  #readIds(cursor: ByteCursor, count: number): Address {
    const { length } = this.#requireDictionary();
    const ids = this.#memory.allocate(Math.max(1, count) * 4);
    if (count > 0) {
      readRuns(cursor, { bitWidth: cursor.byte(), count, target: ids, bytes: false });
    }
    const { u32 } = this.#linear;
    for (let index = ids >>> 2; index < (ids >>> 2) + count; index++) {
      if ((u32[index] as number) >= length) {
        throw new BadData("a page refers to an entry that its dictionary has not");
      }
    }
    return ids;
  }

  #copyIds(page: OpenPage, done: number, rows: number): void {
    const { u8, u32 } = this.#linear;
    if (this.#outIds === 0) {
      this.#outIds = this.#memory.allocate(pageRowsMax * 4);
    }
    const nullEntry = this.#requireDictionary().length;
    const out = (this.#outIds >>> 2) + done;
    const ids = page.ids >>> 2;
    if (page.levels === 0) {
      u32.copyWithin(out, ids + page.nextValue, ids + page.nextValue + rows);
      page.nextValue += rows;
      return;
    }
    this.#hasNulls = true;
    for (let row = 0; row < rows; row++) {
      u32[out + row] = u8[page.levels + page.nextRow + row] === 1 ? (u32[ids + page.nextValue++] as number) : nullEntry;
    }
  }

  #copyValues(page: OpenPage, done: number, rows: number): void {
    const { u8 } = this.#linear;
    const width = this.#width;
    if (this.#outValues === 0) {
      this.#outValues = this.#memory.allocate(pageRowsMax * width);
      this.#outNulls = this.#memory.allocateZeroed(pageRowsMax);
    }
    const out = this.#outValues + done * width;
    const nulls = this.#outNulls + done;
    if (page.levels === 0 && page.ids === 0) {
      const from = page.values + page.nextValue * width;
      u8.copyWithin(out, from, from + rows * width);
      u8.fill(0, nulls, nulls + rows);
      page.nextValue += rows;
      return;
    }
    const source = page.ids === 0 ? page.values : this.#requireDictionary().values;
    let hasNulls = false;
    for (let row = 0; row < rows; row++) {
      const isNull = page.levels !== 0 && u8[page.levels + page.nextRow + row] === 0;
      u8[nulls + row] = isNull ? 1 : 0;
      hasNulls ||= isNull;
      if (isNull) {
        u8.fill(0, out + row * width, out + (row + 1) * width);
        continue;
      }
      const value = page.ids === 0 ? page.nextValue : (this.#linear.u32[(page.ids >>> 2) + page.nextValue] as number);
      page.nextValue++;
      this.#copyValue(source + value * width, out + row * width);
    }
    this.#hasNulls ||= hasNulls;
  }

  #copyValue(from: Address, to: Address): void {
    const { u8, u16, u32 } = this.#linear;
    switch (this.#width) {
      case 1:
        u8[to] = u8[from] as number;
        return;
      case 2:
        u16[to >>> 1] = u16[from >>> 1] as number;
        return;
      default:
        for (let word = 0; word < this.#width >>> 2; word++) {
          u32[(to >>> 2) + word] = u32[(from >>> 2) + word] as number;
        }
    }
  }
}

function isDictionaryEncoding(encoding: number): boolean {
  return encoding === encodings.plainDictionary || encoding === encodings.rleDictionary;
}

function countOnes(u8: Uint8Array, at: Address, count: number): number {
  let ones = 0;
  for (let index = at; index < at + count; index++) {
    ones += u8[index] as number;
  }
  return ones;
}

/** The pages of a chunk, in order. Padding may follow the chunk. */
function storedPages(bytes: Uint8Array, rows: number): readonly StoredPage[] {
  const pages: StoredPage[] = [];
  let values = 0;
  for (let at = 0; values < rows; ) {
    const reader = new ThriftReader(bytes, at);
    const header = reader.struct();
    const size = required(header.integer(3));
    const end = reader.at + size;
    if (end > bytes.length) {
      throw new BadData("a page reaches beyond its column");
    }
    const content = bytes.subarray(reader.at, end);
    const checksum = header.integer(4);
    if (checksum !== undefined && crc32(content) !== checksum >>> 0) {
      throw new BadData("the checksum of a page is wrong");
    }
    const page = storedPage(header, content);
    if (page !== undefined) {
      pages.push(page);
      values += page.kind === "dictionary" ? 0 : page.values;
    }
    at = end;
  }
  if (values !== rows) {
    throw new BadData("it has another number of rows than the row group");
  }
  return pages;
}

function storedPage(header: ThriftStruct, bytes: Uint8Array): StoredPage | undefined {
  const uncompressedBytes = required(header.integer(2));
  const common = { bytes, uncompressedBytes, levelBytes: 0, isCompressed: true };
  switch (header.integer(1)) {
    case pageTypes.data: {
      const data = header.struct(5);
      const values = required(data?.integer(1));
      return { ...common, kind: "v1", values, encoding: required(data?.integer(2)) };
    }
    case pageTypes.dictionary: {
      const dictionary = header.struct(7);
      return { ...common, kind: "dictionary", values: required(dictionary?.integer(1)), encoding: required(dictionary?.integer(2)) };
    }
    case pageTypes.dataV2: {
      const data = header.struct(8);
      const levelBytes = required(data?.integer(5)) + required(data?.integer(6));
      if (levelBytes > bytes.length || levelBytes > uncompressedBytes) {
        throw new BadData("a page header is damaged");
      }
      const isCompressed = data?.boolean(7) !== false;
      return { ...common, kind: "v2", values: required(data?.integer(1)), encoding: required(data?.integer(4)), levelBytes, isCompressed };
    }
    case pageTypes.index:
      return undefined;
    default:
      throw new BadData("a page is of no known kind");
  }
}
