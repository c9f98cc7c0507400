/**
 * Packs pages into the chunks of a part, in separate memory. A part holds the rows of one task of a write.
 */
import { Flattener, GatherTarget } from "../../page/gather.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import type { Type } from "../../types/type.ts";
import { type ColumnWriter, createColumnWriter } from "./column-writer.ts";
import type { ColumnSketch } from "./sketch.ts";

/** Columns of contiguous rows, as many as the knob says; all chunks of a part except the last are full. */
export interface Chunk {
  readonly rows: number;
  readonly columns: readonly Column[];
}

export class PartWriter {
  readonly #memory: MemoryContext;
  readonly #writers: readonly ColumnWriter[];
  readonly chunks: Chunk[] = [];
  readonly #chunkRows: number;
  #rowsOfChunk = 0;

  constructor(types: readonly Type[], memory: MemoryContext) {
    this.#memory = memory;
    this.#chunkRows = memory.knobs.value("memory-chunk-rows");
    const target = new GatherTarget(memory.linear.wasm.buffer);
    this.#writers = types.map((type) => createColumnWriter(type, memory, target));
  }

  append(page: Page): void {
    const flattener = new Flattener(this.#memory.linear, page);
    const indexes = page.columns.map(({ ids }) => flattener.index(ids));
    for (let start = 0; start < page.positionCount; ) {
      const count = Math.min(page.positionCount - start, this.#chunkRows - this.#rowsOfChunk);
      this.#writers.forEach((writer, i) => {
        writer.append({ column: page.columns[i] as Column, index: indexes[i], start, count });
      });
      start += count;
      this.#rowsOfChunk += count;
      if (this.#rowsOfChunk === this.#chunkRows) {
        this.#seal();
      }
    }
  }

  finish(): void {
    if (this.#rowsOfChunk > 0) {
      this.#seal();
    }
  }

  get rows(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.rows, 0);
  }

  sketches(): readonly ColumnSketch[] {
    return this.#writers.map((writer) => writer.sketch());
  }

  #seal(): void {
    this.chunks.push({ rows: this.#rowsOfChunk, columns: this.#writers.map((writer) => writer.seal()) });
    this.#rowsOfChunk = 0;
  }
}
