/**
 * Reads chunks of a part in place: pages are windows into its columns, and nothing is copied. Columns that a part does not have are
 * constants.
 */
import { PageBuilder } from "../../page/builder.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { type Column, type Page, pageRowsMax, valueBytes } from "../../page/page.ts";
import { assert } from "../../protocol/errors.ts";
import { ownMember } from "../../types/own.ts";
import { physicalType, physicalWidth } from "../../types/type.ts";
import type { ColumnMetadata, PageSource } from "../spi.ts";
import { appendConstantValue } from "../shared/constant-value.ts";
import type { Part } from "./part-store.ts";
import type { Chunk } from "./part-writer.ts";
import type { AbsentValues } from "./table.ts";

/** Columns that a part does not have: the same value in every row. */
export class AbsentColumns {
  readonly #columns: readonly ColumnMetadata[];
  readonly #storedNames: readonly string[];
  readonly #values: AbsentValues;
  readonly #memory: MemoryContext;
  /** By the index in the request. */
  readonly #made = new Map<number, Column>();

  constructor(options: {
    readonly columns: readonly ColumnMetadata[];
    readonly storedNames: readonly string[];
    readonly values: AbsentValues;
    readonly memory: MemoryContext;
  }) {
    this.#columns = options.columns;
    this.#storedNames = options.storedNames;
    this.#values = options.values;
    this.#memory = options.memory.child("absent columns");
  }

  /** All rows refer to the one entry of a dictionary. */
  column(place: number): Column {
    const known = this.#made.get(place);
    if (known !== undefined) {
      return known;
    }
    const { type } = this.#columns[place] as ColumnMetadata;
    const stored = this.#storedNames[place] as string;
    const value = ownMember(this.#values, stored) ?? null;
    const builder = new PageBuilder([type], this.#memory, 1);
    appendConstantValue(builder, 0, type, value);
    const [column] = builder.build().columns;
    assert(column !== undefined, "the builder has one column");
    const absent = { ...column, ids: this.#memory.allocateZeroed(pageRowsMax * 4) };
    this.#made.set(place, absent);
    return absent;
  }

  close(): void {
    this.#memory.close();
  }
}

export class MemoryPageSource implements PageSource {
  readonly #part: Part;
  readonly #columns: readonly ColumnMetadata[];
  /** Index of each column in the part; -1 for a column that was added to the table later. */
  readonly #places: readonly number[];
  readonly #lastChunk: number;
  readonly #pageRows: number;
  #chunk: number;
  #row = 0;
  #closed = false;
  #completedBytes = 0;
  readonly #absent: AbsentColumns;

  constructor(options: {
    readonly part: Part;
    readonly columns: readonly ColumnMetadata[];
    /** Names of the columns in the part. */
    readonly storedNames: readonly string[];
    readonly absent: AbsentValues;
    readonly firstChunk: number;
    readonly chunkCount: number;
    /** Memory for columns that the part does not have. */
    readonly memory: MemoryContext;
  }) {
    const { absent, part, columns, firstChunk, chunkCount, memory, storedNames } = options;
    this.#part = part;
    this.#columns = columns;
    this.#pageRows = memory.knobs.value("page-rows");
    this.#absent = new AbsentColumns({ columns, storedNames, values: absent, memory });
    this.#places = storedNames.map((name) => part.columnNames.indexOf(name));
    assert(firstChunk + chunkCount <= part.chunks.length, "a part has all chunks of its splits");
    this.#chunk = firstChunk;
    this.#lastChunk = firstChunk + chunkCount;
    part.hold();
  }

  get finished(): boolean {
    return this.#closed || this.#chunk === this.#lastChunk;
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  nextPage(): Page | undefined {
    if (this.finished) {
      return undefined;
    }
    const chunk = this.#part.chunks[this.#chunk] as Chunk;
    const from = this.#row;
    const positionCount = Math.min(this.#pageRows, chunk.rows - from);
    const columns = this.#places.map((place, i) => {
      if (place === -1) {
        return this.#absent.column(i);
      }
      const column = windowOf(chunk.columns[place] as Column, from);
      this.#completedBytes += positionCount * bytesOfRow(column);
      return { ...column, type: (this.#columns[i] as ColumnMetadata).type };
    });
    this.#row += positionCount;
    if (this.#row === chunk.rows) {
      this.#row = 0;
      this.#chunk++;
    }
    return { positionCount, selection: 0, columns };
  }

  blocked(): undefined {
    return undefined;
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#absent.close();
      this.#part.release();
    }
  }
}

/** Bytes that a row takes, without a dictionary and with the width of its type. */
export function bytesOfRow(column: Column): number {
  return column.ids === 0 ? physicalWidth(physicalType(column.type)) : 4;
}

/** The column from row `from` on. */
export function windowOf(column: Column, from: number): Column {
  if (column.ids !== 0) {
    return { ...column, ids: column.ids + from * 4 };
  }
  return {
    ...column,
    values: column.values + from * valueBytes(column),
    nulls: column.nulls === 0 ? 0 : column.nulls + from,
    length: column.length - from,
  };
}
