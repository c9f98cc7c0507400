/** Reads chunks of a part where they lie: pages are windows into its columns, nothing is copied. */
import { type Column, type Page, pageRowsMax } from "../../page/page.ts";
import { assert } from "../../protocol/errors.ts";
import { physicalType, physicalWidth } from "../../types/type.ts";
import type { ColumnMetadata, PageSource } from "../connector.ts";
import type { Part } from "./part-store.ts";
import type { Chunk } from "./part-writer.ts";

export class MemoryPageSource implements PageSource {
  readonly #part: Part;
  readonly #columns: readonly ColumnMetadata[];
  /** Of each column in the part. */
  readonly #places: readonly number[];
  readonly #lastChunk: number;
  #chunk: number;
  #row = 0;
  #closed = false;
  #completedBytes = 0;

  constructor(options: {
    readonly part: Part;
    readonly columns: readonly ColumnMetadata[];
    readonly firstChunk: number;
    readonly chunkCount: number;
  }) {
    const { part, columns, firstChunk, chunkCount } = options;
    this.#part = part;
    this.#columns = columns;
    this.#places = columns.map(({ name }) => part.columnNames.indexOf(name));
    assert(!this.#places.includes(-1), "a part has all columns of its table");
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
    const positionCount = Math.min(pageRowsMax, chunk.rows - from);
    const columns = this.#places.map((place, i) => {
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

  blocked(): undefined {
    return undefined;
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
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
