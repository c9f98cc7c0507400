/**
 * Reads chunks of a part in place: pages are windows into its columns, and nothing is copied.
 */
import { PageBuilder } from "../../page/builder.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../page/page.ts";
import { assert } from "../../protocol/errors.ts";
import { ownMember } from "../../types/own.ts";
import { physicalType, physicalWidth } from "../../types/type.ts";
import type { ColumnMetadata, PageSource } from "../spi.ts";
import { appendConstantValue } from "../shared/constant-value.ts";
import type { Part } from "./part-store.ts";
import type { Chunk } from "./part-writer.ts";
import type { AbsentValues } from "./table.ts";

export class MemoryPageSource implements PageSource {
  readonly #part: Part;
  readonly #columns: readonly ColumnMetadata[];
  readonly #memory: MemoryContext;
  /** Index of each column in the part; -1 for a column that was added to the table later. */
  readonly #places: readonly number[];
  readonly #lastChunk: number;
  readonly #pageRows: number;
  #chunk: number;
  #row = 0;
  #closed = false;
  #completedBytes = 0;
  /** Columns that the part does not have, by their index in the request. */
  readonly #absentColumns = new Map<number, Column>();
  readonly #absentValues: AbsentValues;
  readonly #storedNames: readonly string[];

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
    this.#memory = memory.child("absent columns");
    this.#pageRows = memory.knobs.value("page-rows");
    this.#absentValues = absent;
    this.#storedNames = storedNames;
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
        return this.#absentColumn(i);
      }
      const column = windowOf(chunk.columns[place] as Column, from);
      this.#completedBytes += positionCount * (column.ids === 0 ? physicalWidth(physicalType(column.type)) : 4);
      return { ...column, type: (this.#columns[i] as ColumnMetadata).type };
    });
    this.#row += positionCount;
    if (this.#row === chunk.rows) {
      this.#row = 0;
      this.#chunk++;
    }
    return { positionCount, selection: 0, columns };
  }

  /** The same value in every row: all rows refer to the one entry of a dictionary. */
  #absentColumn(place: number): Column {
    const known = this.#absentColumns.get(place);
    if (known !== undefined) {
      return known;
    }
    const { type } = this.#columns[place] as ColumnMetadata;
    const stored = this.#storedNames[place] as string;
    const value = ownMember(this.#absentValues, stored) ?? null;
    const builder = new PageBuilder([type], this.#memory, 1);
    appendConstantValue(builder, 0, type, value);
    const [column] = builder.build().columns;
    assert(column !== undefined, "the builder has one column");
    const absent = { ...column, ids: this.#memory.allocateZeroed(pageRowsMax * 4) };
    this.#absentColumns.set(place, absent);
    return absent;
  }

  blocked(): undefined {
    return undefined;
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#memory.close();
      this.#part.release();
    }
  }
}

/** The column from row `from` on. */
function windowOf(column: Column, from: number): Column {
  if (column.ids !== 0) {
    return { ...column, ids: column.ids + from * 4 };
  }
  return {
    ...column,
    values: column.values + from * physicalWidth(physicalType(column.type)),
    nulls: column.nulls === 0 ? 0 : column.nulls + from,
    length: column.length - from,
  };
}
