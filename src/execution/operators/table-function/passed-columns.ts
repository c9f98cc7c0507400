/**
 * Pass-through columns of a function's tables. They are read through row numbers; nothing is copied.
 */
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import { assert, QueryError } from "../../../protocol/errors.ts";

/** u32 row numbers for the pages of one input. The capacity is that of the largest page so far. */
export class PassedRows {
  readonly #memory: MemoryContext;
  #ids: Address = 0;
  #capacity = 0;

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  /** The same row at every position. */
  ofOne(positionCount: number, row: number): Address {
    this.#reserve(positionCount);
    this.#memory.linear.u32.fill(row, this.#ids >>> 2, (this.#ids >>> 2) + positionCount);
    return this.#ids;
  }

  /** The rows that column `channel` (bigint) of the function's page refers to: one of `count`, or none. */
  ofIndices(page: Page, channel: number, count: number, rowAt: (index: number | undefined) => number): Address {
    const column = page.columns[channel];
    assert(column !== undefined && column.type.kind === "bigint", "the function gives numbers of rows");
    this.#reserve(page.positionCount);
    const { i32, u32, u8 } = this.#memory.linear;
    for (let position = 0; position < page.positionCount; position++) {
      const at = column.ids === 0 ? position : (u32[(column.ids >>> 2) + position] as number);
      const isNull = column.nulls !== 0 && u8[column.nulls + at] === 1;
      const word = (column.values >>> 2) + 2 * at;
      const index = isNull ? undefined : (i32[word + 1] as number) * 2 ** 32 + (u32[word] as number);
      if (index !== undefined && (index < 0 || index >= count)) {
        throw new QueryError("FUNCTION_IMPLEMENTATION_ERROR", `Invalid index of row to pass through: ${index}, of ${count} rows`);
      }
      u32[(this.#ids >>> 2) + position] = rowAt(index);
    }
    return this.#ids;
  }

  #reserve(positionCount: number): void {
    if (positionCount <= this.#capacity) {
      return;
    }
    if (this.#ids !== 0) {
      this.#memory.free(this.#ids);
    }
    this.#ids = this.#memory.allocate(4 * positionCount);
    this.#capacity = positionCount;
  }
}

/** The function's page with further columns, which have the same length and are read through `ids`. */
export function withColumns(page: Page, ownCount: number, passed: readonly (readonly Column[])[]): Page {
  assert(page.selection === 0, "the page of a function has no selection");
  return { positionCount: page.positionCount, selection: 0, columns: [...page.columns.slice(0, ownCount), ...passed.flat()] };
}
