/**
 * UnnestOperator: repeats each row by the count in one of its columns, with an ordinality column if requested. Rows are referenced, not
 * copied.
 */
import type { Address } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { readNarrow } from "../../page/reader.ts";
import { BIGINT } from "../../types/type.ts";
import { BaseOperator, type OperatorContext } from "./operator.ts";

export class UnnestOperator extends BaseOperator {
  readonly #countChannel: number;
  readonly #pageRows: number;
  #page: Page | undefined;
  /** The current position of the page, and how often it has been output. */
  #position = 0;
  #given = 0;
  /** Physical rows of the output page. */
  readonly #rows: Address;
  /** Ordinals from 1 as bigints; 0 if there is no ordinality column. */
  readonly #ordinals: Address;
  /** Composed row ids, by the ids they were made from. Columns with the same ids share them. */
  readonly #ids: Address[] = [];

  constructor(context: OperatorContext, countChannel: number, numbered = false) {
    super(context);
    this.#countChannel = countChannel;
    this.#pageRows = context.memory.knobs.value("page-rows");
    this.#rows = context.memory.allocate(4 * this.#pageRows);
    this.#ordinals = numbered ? context.memory.allocate(8 * this.#pageRows) : 0;
  }

  get needsInput(): boolean {
    return this.#page === undefined && !this.finishing;
  }

  get isFinished(): boolean {
    return this.#page === undefined && this.finishing;
  }

  addInput(page: Page): void {
    this.#page = page;
    this.#position = 0;
    this.#given = 0;
  }

  getOutput(): Page | undefined {
    const page = this.#page;
    if (page === undefined) {
      return undefined;
    }
    const count = this.#fill(page);
    if (this.#position === page.positionCount) {
      this.#page = undefined;
    }
    return count === 0 ? undefined : this.#pageOf(page, count);
  }

  /** Writes the rows of the next page and returns their number. */
  #fill(page: Page): number {
    const { u32 } = this.context.memory.linear;
    const target = this.#rows >>> 2;
    let count = 0;
    while (this.#position < page.positionCount && count < this.#pageRows) {
      const row = page.selection === 0 ? this.#position : (u32[(page.selection >>> 2) + this.#position] as number);
      const left = this.#timesOf(page.columns[this.#countChannel] as Column, row) - this.#given;
      const taken = Math.min(left, this.#pageRows - count);
      u32.fill(row, target + count, target + count + taken);
      if (this.#ordinals !== 0) {
        this.#number(count, taken);
      }
      count += taken;
      this.#given += taken;
      if (taken === left) {
        this.#position++;
        this.#given = 0;
      }
    }
    return count;
  }

  /** Writes the ordinals of the next `taken` repetitions of the current row, from `start` on. */
  #number(start: number, taken: number): void {
    const { u32 } = this.context.memory.linear;
    for (let index = 0; index < taken; index++) {
      const ordinal = this.#given + index + 1;
      const word = (this.#ordinals + 8 * (start + index)) >>> 2;
      u32[word] = ordinal;
      u32[word + 1] = Math.floor(ordinal / 4_294_967_296);
    }
  }

  #timesOf(column: Column, row: number): number {
    const { u8, u32 } = this.context.memory.linear;
    const index = column.ids === 0 ? row : (u32[(column.ids >>> 2) + row] as number);
    if (column.nulls !== 0 && u8[column.nulls + index] === 1) {
      return 0;
    }
    if (column.narrow !== undefined) {
      return Math.max(0, Number(readNarrow(this.context.memory.linear, column, column.narrow, index)));
    }
    const word = (column.values + 8 * index) >>> 2;
    const high = (u32[word + 1] as number) | 0;
    return high < 0 ? 0 : high * 4_294_967_296 + (u32[word] as number);
  }

  #pageOf(page: Page, count: number): Page {
    const { u32 } = this.context.memory.linear;
    const made = new Map<Address, Address>([[0, this.#rows]]);
    const columns = page.columns.map((column): Column => {
      let ids = made.get(column.ids);
      if (ids === undefined) {
        ids = this.#idsBlock(made.size - 1);
        for (let index = 0; index < count; index++) {
          u32[(ids >>> 2) + index] = u32[(column.ids >>> 2) + (u32[(this.#rows >>> 2) + index] as number)] as number;
        }
        made.set(column.ids, ids);
      }
      return { ...column, ids };
    });
    const ordinals: Column = { type: BIGINT, values: this.#ordinals, nulls: 0, ids: 0, length: count };
    return { positionCount: count, selection: 0, columns: this.#ordinals === 0 ? columns : [...columns, ordinals] };
  }

  #idsBlock(index: number): Address {
    const known = this.#ids[index];
    if (known !== undefined) {
      return known;
    }
    const block = this.context.memory.allocate(4 * this.#pageRows);
    this.#ids.push(block);
    return block;
  }
}
