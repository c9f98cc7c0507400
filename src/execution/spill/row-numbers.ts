/** Numbers of rows as a column: the place of a spilled row in the order of its input. */
import type { Address, MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { BIGINT } from "../../types/type.ts";
import { physicalRowsOf } from "../operators/pages.ts";

const wordValues = 2 ** 32;

/** A column of numbers for the rows of a page. */
export class RowNumbers {
  readonly #memory: MemoryContext;
  #values: Address = 0;

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  /** The numbers from `first` on. Valid until the next call. */
  from(first: number, count: number): Column {
    this.#open(count);
    for (let row = 0; row < count; row++) {
      this.#put(row, first + row);
    }
    return this.#column(count);
  }

  /** The k-th position of the page has the number first + k. Valid until the next call. */
  ofPage(first: number, page: Page): Column {
    const rows = physicalRowsOf(this.#memory.linear, page);
    if (page.selection === 0) {
      return this.from(first, rows);
    }
    this.#open(rows);
    const { u32 } = this.#memory.linear;
    for (let position = 0; position < page.positionCount; position++) {
      this.#put(u32[(page.selection >>> 2) + position] as number, first + position);
    }
    return this.#column(rows);
  }

  close(): void {
    if (this.#values !== 0) {
      this.#memory.free(this.#values);
      this.#values = 0;
    }
  }

  #open(rows: number): void {
    this.close();
    this.#values = this.#memory.allocate(8 * rows);
  }

  #put(row: number, number: number): void {
    const { u32 } = this.#memory.linear;
    u32[(this.#values >>> 2) + 2 * row] = number % wordValues;
    u32[(this.#values >>> 2) + 2 * row + 1] = Math.floor(number / wordValues);
  }

  #column(length: number): Column {
    return { type: BIGINT, values: this.#values, nulls: 0, ids: 0, length };
  }
}
