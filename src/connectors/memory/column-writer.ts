/**
 * Collects one column of a part, chunk by chunk, in the memory of the part. Numbers are stored flat. Strings start as a dictionary, so that
 * filters and groups over them process few values. A chunk whose strings rarely repeat becomes flat.
 */
import { type FlatColumn, gatherFixed, gatherNulls, type GatherTarget } from "../../page/gather.ts";
import type { LinearMemory, MemoryContext, Address } from "../../memory/memory.ts";
import { type Column, type NarrowBytes, valueBytes } from "../../page/page.ts";
import { type PhysicalType, physicalType, physicalWidth, type Type } from "../../types/type.ts";
import { StringDictionary } from "./string-dictionary.ts";
import { bytesNeeded, narrowValues } from "./narrow.ts";
import { type ColumnSketch, DistinctCounter, mix32 } from "./sketch.ts";

/** Rows [start, start + count) of a page's column, through `index` if there is one. */
export interface Slice {
  readonly column: Column;
  readonly index: Uint32Array | undefined;
  readonly start: number;
  readonly count: number;
}

export interface ColumnWriter {
  /** The slice must fit into the chunk. */
  append(slice: Slice): void;
  /** Returns the chunk's column; the next append starts a new chunk. */
  seal(): Column;
  sketch(): ColumnSketch;
}

export function createColumnWriter(type: Type, memory: MemoryContext, target: GatherTarget): ColumnWriter {
  return physicalType(type) === "bytes" ? new StringColumnWriter(type, memory) : new FixedColumnWriter(type, memory, target);
}

/** A growing array of one chunk. */
class ChunkArray {
  address: Address = 0;
  #capacityRows = 0;
  readonly #memory: MemoryContext;
  readonly #width: number;
  readonly #zeroed: boolean;

  constructor(memory: MemoryContext, width: number, zeroed = false) {
    this.#memory = memory;
    this.#width = width;
    this.#zeroed = zeroed;
  }

  grow(rows: number): void {
    if (rows <= this.#capacityRows) {
      return;
    }
    const { knobs } = this.#memory;
    const capacity = Math.min(
      Math.max(knobs.value("memory-chunk-rows"), rows),
      Math.max(knobs.value("memory-column-rows"), this.#capacityRows * 2, rows),
    );
    const bytes = capacity * this.#width;
    this.address = this.address === 0 ? this.#memory.allocate(bytes) : this.#memory.reallocate(this.address, bytes);
    if (this.#zeroed) {
      this.#memory.linear.u8.fill(0, this.address + this.#capacityRows * this.#width, this.address + bytes);
    }
    this.#capacityRows = capacity;
  }

  /** Cuts the array to `rows` of `bytes` and transfers its ownership. */
  take(rows: number, bytes = this.#width): Address {
    const isShorter = rows * bytes < this.#capacityRows * this.#width;
    const address = isShorter ? this.#memory.reallocate(this.address, rows * bytes) : this.address;
    this.#forget();
    return address;
  }

  free(): void {
    if (this.address !== 0) {
      this.#memory.free(this.address);
      this.#forget();
    }
  }

  #forget(): void {
    this.address = 0;
    this.#capacityRows = 0;
  }
}

class FixedColumnWriter implements ColumnWriter {
  readonly #type: Type;
  readonly #physical: PhysicalType;
  readonly #width: number;
  readonly #linear: LinearMemory;
  readonly #target: GatherTarget;
  readonly #values: ChunkArray;
  readonly #nulls: ChunkArray;
  readonly #distinct = new DistinctCounter();
  /** Rows of a chunk from which its values may become narrow. */
  readonly #narrowRows: number;
  /** Bytes of a value of the last chunk that could be narrow. */
  #widest: number;
  #rows = 0;
  #hasNulls = false;
  #nullCount = 0;
  #valueCount = 0;
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;

  constructor(type: Type, memory: MemoryContext, target: GatherTarget) {
    this.#type = type;
    this.#physical = physicalType(type);
    this.#width = physicalWidth(this.#physical);
    this.#linear = memory.linear;
    this.#target = target;
    this.#values = new ChunkArray(memory, this.#width);
    this.#nulls = new ChunkArray(memory, 1, true);
    this.#narrowRows = memory.knobs.value("narrow-rows");
    this.#widest = this.#physical === "i32" || this.#physical === "i64" ? 1 : this.#width;
  }

  append(slice: Slice): void {
    const flat = this.#flat(slice);
    const rows = this.#rows + flat.count;
    this.#values.grow(rows);
    if (flat.hasNulls || this.#hasNulls) {
      this.#nulls.grow(rows);
    }
    const nulls = this.#nulls.address + this.#rows;
    if (flat.hasNulls) {
      this.#hasNulls = true;
      gatherNulls(this.#linear, flat, this.#target, nulls);
    }
    gatherFixed(this.#linear, flat, this.#target, this.#values.address + this.#rows * this.#width, nulls);
    this.#learn(this.#rows, rows, flat.hasNulls);
    this.#rows = rows;
  }

  seal(): Column {
    const rows = this.#rows;
    const nulls = this.#hasNulls ? this.#nulls.take(rows) : 0;
    const narrow = this.#narrowed(rows);
    const column = { type: this.#type, values: this.#values.take(rows, narrow), nulls, ids: 0, length: rows, narrow };
    this.#rows = 0;
    this.#hasNulls = false;
    return column;
  }

  /** Makes the values of the chunk narrow if they are. Chunks of a part do not become narrower again, so that few kernels read them. */
  #narrowed(rows: number): NarrowBytes | undefined {
    if (rows < this.#narrowRows || this.#widest === this.#width) {
      return undefined;
    }
    const { address } = this.#values;
    const needed = bytesNeeded(this.#linear, { address, rows, width: this.#width });
    this.#widest = Math.max(this.#widest, needed);
    if (this.#widest === this.#width) {
      return undefined;
    }
    const bytes = this.#widest as NarrowBytes;
    narrowValues(this.#linear, { address, rows, width: this.#width }, bytes);
    return bytes;
  }

  sketch(): ColumnSketch {
    const hasRange = this.#low <= this.#high && this.#type.kind !== "boolean";
    return {
      nulls: this.#nullCount,
      bytes: this.#valueCount * this.#width,
      ...(hasRange ? { low: this.#low, high: this.#high } : {}),
      registers: this.#distinct.text(),
    };
  }

  #flat(slice: Slice): FlatColumn {
    const { column, index, start, count } = slice;
    const hasNulls = column.nulls !== 0;
    if (index !== undefined) {
      return { column, count, index: index.subarray(start, start + count), hasNulls, stringBytes: 0 };
    }
    const nulls = hasNulls ? column.nulls + start : 0;
    const moved = { ...column, values: column.values + start * valueBytes(column), nulls };
    return { column: moved, count, index: undefined, hasNulls, stringBytes: 0 };
  }

  #learn(from: number, to: number, mayBeNull: boolean): void {
    const { u8 } = this.#linear;
    const nulls = this.#nulls.address;
    for (let row = from; row < to; row++) {
      if (mayBeNull && u8[nulls + row] === 1) {
        this.#nullCount++;
        continue;
      }
      this.#valueCount++;
      const value = this.#number(row);
      if (value < this.#low) {
        this.#low = value;
      }
      if (value > this.#high) {
        this.#high = value;
      }
    }
  }

  /** Returns the row's value and adds it to the statistics. Wide integers are rounded, because statistics are estimates. */
  #number(row: number): number {
    const { i8, i16, i32, u32, f32, f64 } = this.#linear;
    const base = this.#values.address;
    switch (this.#physical) {
      case "i8":
        return this.#seen(i8[base + row] as number, 0);
      case "i16":
        return this.#seen(i16[(base >>> 1) + row] as number, 0);
      case "i32":
        return this.#seen(i32[(base >>> 2) + row] as number, 0);
      case "f32":
        this.#distinct.add(mix32(u32[(base >>> 2) + row] as number));
        return f32[(base >>> 2) + row] as number;
      case "f64": {
        const word = (base >>> 2) + row * 2;
        this.#seen(u32[word] as number, u32[word + 1] as number);
        return f64[(base >>> 3) + row] as number;
      }
      case "i64": {
        const word = (base >>> 2) + row * 2;
        this.#seen(u32[word] as number, u32[word + 1] as number);
        return (i32[word + 1] as number) * 4294967296 + (u32[word] as number);
      }
      default: {
        const word = (base >>> 2) + row * 4;
        const low = u32[word] as number;
        const high = u32[word + 1] as number;
        this.#seen(low, high ^ (u32[word + 2] as number));
        return ((i32[word + 3] as number) * 4294967296 + (u32[word + 2] as number)) * 2 ** 64 + high * 4294967296 + low;
      }
    }
  }

  #seen(low: number, high: number): number {
    this.#distinct.add(mix32(low ^ Math.imul(high, 0x9e3779b1)));
    return low;
  }
}

class StringColumnWriter implements ColumnWriter {
  readonly #type: Type;
  readonly #linear: LinearMemory;
  readonly #dictionary: StringDictionary;
  /** Number of rows after which a dictionary must be worthwhile. */
  readonly #trialRows: number;
  /** Dictionary entries, while the chunk has a dictionary. */
  readonly #ids: ChunkArray;
  /** (address, length) pairs of a flat chunk. */
  readonly #references: ChunkArray;
  readonly #nulls: ChunkArray;
  #rows = 0;
  #flat = false;
  /** Strings of the part rarely repeat, so later chunks start flat. */
  #neverAgain = false;
  #hasNulls = false;
  #nullCount = 0;
  #bytes = 0;
  readonly #distinct = new DistinctCounter();

  constructor(type: Type, memory: MemoryContext) {
    this.#type = type;
    this.#linear = memory.linear;
    this.#trialRows = memory.knobs.value("dictionary-trial-rows");
    this.#dictionary = new StringDictionary(memory, this.#distinct);
    this.#ids = new ChunkArray(memory, 4);
    this.#references = new ChunkArray(memory, 8);
    this.#nulls = new ChunkArray(memory, 1, true);
  }

  append(slice: Slice): void {
    let { start, count } = slice;
    while (count > 0) {
      const untilTrial = this.#flat || this.#rows >= this.#trialRows ? count : this.#trialRows - this.#rows;
      const piece = Math.min(count, untilTrial);
      if (this.#flat) {
        this.#appendFlat({ ...slice, start, count: piece });
      } else {
        this.#appendEntries({ ...slice, start, count: piece });
        if (this.#rows >= this.#trialRows && this.#dictionary.length * 2 > this.#rows) {
          this.#neverAgain = true;
          this.#goFlat();
        }
      }
      start += piece;
      count -= piece;
    }
  }

  seal(): Column {
    const rows = this.#rows;
    if (!this.#flat && this.#dictionary.length * 2 > rows) {
      this.#goFlat();
    }
    const column = this.#flat ? this.#sealFlat(rows) : this.#sealDictionary(rows);
    this.#rows = 0;
    this.#hasNulls = false;
    this.#flat = this.#neverAgain;
    return column;
  }

  sketch(): ColumnSketch {
    return { nulls: this.#nullCount, bytes: this.#bytes, registers: this.#distinct.text() };
  }

  #sealFlat(rows: number): Column {
    const nulls = this.#hasNulls ? this.#nulls.take(rows) : 0;
    return { type: this.#type, values: this.#references.take(rows), nulls, ids: 0, length: rows };
  }

  #sealDictionary(rows: number): Column {
    const { values, nulls, length } = this.#dictionary.take();
    return { type: this.#type, values, nulls, ids: this.#ids.take(rows), length };
  }

  /** Strings of a dictionary column are looked up once per page. */
  #appendEntries(slice: Slice): void {
    const { column, index, start, count } = slice;
    const { u8, u32 } = this.#linear;
    const known = column.ids !== 0 && column.length <= count ? new Int32Array(column.length).fill(-1) : undefined;
    this.#ids.grow(this.#rows + count);
    const ids = (this.#ids.address >>> 2) + this.#rows;
    for (let k = 0; k < count; k++) {
      const i = index === undefined ? start + k : (index[start + k] as number);
      let entry = known === undefined ? -1 : (known[i] as number);
      if (entry < 0) {
        const isNull = column.nulls !== 0 && u8[column.nulls + i] === 1;
        const reference = (column.values >>> 2) + i * 2;
        entry = isNull ? this.#dictionary.addNull() : this.#dictionary.add(u32[reference] as number, u32[reference + 1] as number);
        if (known !== undefined) {
          known[i] = entry;
        }
      }
      if (this.#dictionary.isNull(entry)) {
        this.#nullCount++;
      } else {
        this.#bytes += this.#dictionary.lengthOf(entry);
      }
      u32[ids + k] = entry;
    }
    this.#rows += count;
  }

  #appendFlat(slice: Slice): void {
    const { column, index, start, count } = slice;
    const { u8, u32 } = this.#linear;
    this.#references.grow(this.#rows + count);
    if (column.nulls !== 0) {
      this.#hasNulls = true;
    }
    if (this.#hasNulls) {
      this.#nulls.grow(this.#rows + count);
    }
    let at = (this.#references.address >>> 2) + this.#rows * 2;
    for (let k = 0; k < count; k++) {
      const i = index === undefined ? start + k : (index[start + k] as number);
      if (column.nulls !== 0 && u8[column.nulls + i] === 1) {
        u8[this.#nulls.address + this.#rows + k] = 1;
        this.#nullCount++;
        u32[at++] = 0;
        u32[at++] = 0;
        continue;
      }
      const reference = (column.values >>> 2) + i * 2;
      const length = u32[reference + 1] as number;
      u32[at++] = this.#dictionary.keep(u32[reference] as number, length);
      u32[at++] = length;
      this.#bytes += length;
    }
    this.#rows += count;
  }

  /** Converts the rows so far to direct references; the strings are not moved. */
  #goFlat(): void {
    const rows = this.#rows;
    const { u8, u32 } = this.#linear;
    this.#references.grow(Math.max(rows, 1));
    this.#hasNulls = this.#dictionary.hasNull;
    if (this.#hasNulls) {
      this.#nulls.grow(rows);
    }
    const ids = this.#ids.address >>> 2;
    const references = this.#references.address >>> 2;
    for (let row = 0; row < rows; row++) {
      const entry = u32[ids + row] as number;
      u32[references + row * 2] = this.#dictionary.addressOf(entry);
      u32[references + row * 2 + 1] = this.#dictionary.lengthOf(entry);
      if (this.#dictionary.isNull(entry)) {
        u8[this.#nulls.address + row] = 1;
      }
    }
    this.#ids.free();
    this.#dictionary.forgetEntries();
    this.#flat = true;
  }
}
