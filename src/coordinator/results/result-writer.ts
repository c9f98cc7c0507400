/**
 * Renders result pages as the `data` array of a statement response, directly from linear memory to bytes.
 */
import type { LinearMemory } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { assert } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import { type CellOptions, type CellWriter, cellWriter } from "./cells/cell-writers.ts";
import { JsonBytes } from "./cells/json-bytes.ts";

const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

export class ResultWriter {
  readonly #linear: LinearMemory;
  readonly #json = new JsonBytes();
  readonly #cells: readonly CellWriter[];
  #rowCount = 0;

  constructor(types: readonly Type[], linear: LinearMemory, options: CellOptions) {
    this.#linear = linear;
    this.#cells = types.map((type) => cellWriter(type, linear, this.#json, options));
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get byteCount(): number {
    return this.#json.length;
  }

  /** Appends the rows at the positions from `first` (inclusive) to `end` (exclusive). */
  append(page: Page, first = 0, end: number = page.positionCount): void {
    assert(page.columns.length === this.#cells.length, "a result page has the columns of the result");
    const { u32 } = this.#linear;
    for (let position = first; position < end; position++) {
      const row = page.selection === 0 ? position : (u32[(page.selection >>> 2) + position] as number);
      if (this.#rowCount > 0) {
        this.#json.byte(comma);
      }
      this.#row(page.columns, row);
      this.#rowCount += 1;
    }
  }

  /** The rows appended since the last call, separated by commas, without outer brackets; undefined if there are none. */
  take(): Uint8Array | undefined {
    if (this.#rowCount === 0) {
      return undefined;
    }
    this.#rowCount = 0;
    return this.#json.take();
  }

  /** Frees the buffer; no more rows follow. */
  release(): void {
    this.#json.release();
  }

  #row(columns: readonly Column[], row: number): void {
    const { u8, u32 } = this.#linear;
    const json = this.#json;
    json.byte(openBracket);
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as Column;
      const value = column.ids === 0 ? row : (u32[(column.ids >>> 2) + row] as number);
      if (index > 0) {
        json.byte(comma);
      }
      if (column.nulls !== 0 && u8[column.nulls + value] === 1) {
        json.ascii("null");
      } else {
        (this.#cells[index] as CellWriter)(column.values, value);
      }
    }
    json.byte(closeBracket);
  }
}
