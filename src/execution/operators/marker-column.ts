/** The boolean column that an operator adds to its rows. */
import type { Address, MemoryContext } from "../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../page/page.ts";
import { BOOLEAN } from "../../types/type.ts";
import { physicalRowsOf } from "./pages.ts";

/** It is rewritten for every page. */
export class MarkerColumn {
  readonly #memory: MemoryContext;
  #rows = 0;
  values: Address = 0;
  nulls: Address = 0;

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  reserve(page: Page): void {
    const rows = Math.max(pageRowsMax, physicalRowsOf(this.#memory.linear, page));
    if (rows > this.#rows) {
      this.#rows = rows;
      this.values = this.values === 0 ? this.#memory.allocate(rows) : this.#memory.reallocate(this.values, rows);
      this.nulls = this.nulls === 0 ? this.#memory.allocate(rows) : this.#memory.reallocate(this.nulls, rows);
    }
  }

  addTo(page: Page, nullable: boolean): Page {
    const column = {
      type: BOOLEAN,
      values: this.values,
      nulls: nullable ? this.nulls : 0,
      ids: 0,
      length: physicalRowsOf(this.#memory.linear, page),
    };
    return { ...page, columns: [...page.columns, column] };
  }
}
