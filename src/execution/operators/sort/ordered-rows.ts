/** Rows that an operator keeps and outputs in an order. */
import type { Address } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import { sortedPage, type SortOptions } from "./sorted-runs.ts";

/** Outputs rows of a store in an order, a page at a time, without copying them. */
export class OrderedRows {
  readonly #store: RowStore;
  readonly #order: Address;
  readonly #count: number;
  readonly #pageRows: number;
  #given = 0;

  constructor(store: RowStore, order: Address, count: number, pageRows: number) {
    this.#store = store;
    this.#pageRows = pageRows;
    this.#order = order;
    this.#count = count;
  }

  get exhausted(): boolean {
    return this.#given >= this.#count;
  }

  next(): Page | undefined {
    const count = Math.min(this.#pageRows, this.#count - this.#given);
    if (count === 0) {
      return undefined;
    }
    const page = sortedPage(this.#store.page(), this.#order + 4 * this.#given, count);
    this.#given += count;
    return page;
  }
}

export function newStore({ context, types }: SortOptions): RowStore {
  return new RowStore({ runtime: context.services.runtime, memory: context.memory, types });
}
