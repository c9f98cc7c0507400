/**
 * Columns as wide as their types, for code that reads values of pages without a kernel.
 */
import type { Address, MemoryContext } from "../memory/memory.ts";
import { physicalType, physicalWidth } from "../types/type.ts";
import { gatherFixed, GatherTarget } from "./gather.ts";
import type { Column, Page } from "./page.ts";

export class Widener {
  readonly #memory: MemoryContext;
  readonly #blocks: Address[] = [];

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  /** Valid until `free` is called. */
  widen(page: Page): Page {
    return page.columns.some(({ narrow }) => narrow !== undefined)
      ? { ...page, columns: page.columns.map((column) => this.#wide(column)) }
      : page;
  }

  free(): void {
    for (const block of this.#blocks.splice(0)) {
      this.#memory.free(block);
    }
  }

  #wide(column: Column): Column {
    if (column.narrow === undefined) {
      return column;
    }
    const { linear } = this.#memory;
    const values = this.#memory.allocate(Math.max(1, column.length) * physicalWidth(physicalType(column.type)));
    this.#blocks.push(values);
    const flat = { column, count: column.length, index: undefined, hasNulls: false, stringBytes: 0 };
    gatherFixed(linear, flat, new GatherTarget(linear.u8.buffer), values, 0);
    return { ...column, values, narrow: undefined };
  }
}
