/**
 * Reads one split: generates pages into its own buffers, which the next page overwrites.
 */
import type { PageSource } from "../spi.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { physicalType, physicalWidth } from "../../types/type.ts";
import type { ColumnGenerator, PageShape, TableGenerator } from "./columns.ts";

export class TpchPageSource implements PageSource {
  readonly #memory: MemoryContext;
  readonly #generator: TableGenerator;
  readonly #columns: readonly ColumnGenerator[];
  /** Shape of the page in progress. */
  #shape: PageShape | undefined;
  #finished = false;
  #completedBytes = 0;

  /** Takes ownership of `memory`, which `close` closes. */
  constructor(options: {
    readonly memory: MemoryContext;
    readonly generator: TableGenerator;
    readonly columns: readonly ColumnGenerator[];
  }) {
    this.#memory = options.memory;
    this.#generator = options.generator;
    this.#columns = options.columns;
  }

  get finished(): boolean {
    return this.#finished;
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  /** A page with comments may need many calls: all except the last return undefined. */
  nextPage(): Page | undefined {
    this.#shape ??= this.#finished ? undefined : this.#generator.nextPage();
    const shape = this.#shape;
    if (shape === undefined) {
      this.#finished = true;
      return undefined;
    }
    if (!this.#columns.every((column) => column.prepare?.(shape) ?? true)) {
      return undefined;
    }
    this.#shape = undefined;
    const columns = this.#columns.map((column) => column(shape));
    for (const column of columns) {
      this.#completedBytes += shape.rows * bytesOfRow(column);
    }
    return { positionCount: shape.rows, selection: 0, columns };
  }

  blocked(): undefined {
    return undefined;
  }

  close(): void {
    this.#finished = true;
    this.#shape = undefined;
    this.#memory.close();
  }
}

/** Strings count as their reference: the generator makes their text for the page. */
function bytesOfRow(column: Column): number {
  return column.ids === 0 ? physicalWidth(physicalType(column.type)) : 4;
}
