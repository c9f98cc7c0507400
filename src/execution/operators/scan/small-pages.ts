/**
 * Rows of pages from which a filter has dropped nearly all rows, collected to pages that are worth the calls of the operators above. Where
 * a page ends depends on the numbers of rows and on their values only, like the frames of the output operators.
 */
import type { Page } from "../../../page/page.ts";
import type { Type } from "../../../types/type.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import type { OperatorContext } from "../operator.ts";

/** A page is small if it has less than this fraction of the rows for which a frame waits. Larger ones cost more to copy than they save. */
const smallFraction = 4;

export class SmallPages {
  readonly #store: RowStore;
  readonly #rowsMin: number;
  readonly #bytesMin: number;
  /** Its rows were given out. They are valid until the next page is added. */
  #isTaken = false;

  constructor({ memory, services }: OperatorContext, types: readonly Type[]) {
    this.#store = new RowStore({ runtime: services.runtime, memory, types });
    this.#rowsMin = memory.knobs.value("frame-rows");
    this.#bytesMin = memory.knobs.value("frame-bytes");
  }

  get isEmpty(): boolean {
    return this.#isTaken || this.#store.rowCount === 0;
  }

  get isFull(): boolean {
    return !this.#isTaken && (this.#store.rowCount >= this.#rowsMin || this.#store.dataBytes >= this.#bytesMin);
  }

  isSmall({ positionCount }: Page): boolean {
    return positionCount * smallFraction < this.#rowsMin;
  }

  add(page: Page): void {
    if (this.#isTaken) {
      this.#store.reset();
      this.#isTaken = false;
    }
    this.#store.append(page);
  }

  /** All rows, in the order in which they were added; undefined if there are none. */
  take(): Page | undefined {
    if (this.isEmpty) {
      return undefined;
    }
    this.#isTaken = true;
    return this.#store.page();
  }

  close(): void {
    this.#store.close();
  }
}
