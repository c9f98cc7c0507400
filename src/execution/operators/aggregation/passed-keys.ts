/**
 * Key columns of rows that pass a PARTIAL aggregation as groups of their own. Nothing but row numbers is copied: a selection becomes the
 * columns' ids.
 */
import type { Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import { composeIdsKernel } from "../join/join-kernel.ts";
import type { OperatorContext } from "../operator.ts";
import { physicalRowsOf } from "../pages.ts";

export class PassedKeys {
  readonly #context: OperatorContext;
  readonly #channels: readonly number[];
  /** Composed row numbers, by the ids they are made of; the buffers serve every page. */
  readonly #composed = new Map<Address, Address>();
  readonly #free: Address[] = [];

  constructor(context: OperatorContext, channels: readonly number[]) {
    this.#context = context;
    this.#channels = channels;
  }

  /** Key columns whose row k is that of position k. Valid until the next call, and no longer than the page. */
  of(page: Page): readonly Column[] {
    this.#free.push(...this.#composed.values());
    this.#composed.clear();
    const columns = this.#channels.map((channel) => page.columns[channel] as Column);
    if (page.selection === 0) {
      return columns;
    }
    const rows = physicalRowsOf(this.#context.memory.linear, page);
    return columns.map((column) =>
      column.ids === 0
        ? { ...column, ids: page.selection, length: Math.max(rows, column.length) }
        : { ...column, ids: this.#compose(column.ids, page) },
    );
  }

  #compose(ids: Address, { selection, positionCount }: Page): Address {
    const known = this.#composed.get(ids);
    if (known !== undefined) {
      return known;
    }
    const { memory, services } = this.#context;
    const target = this.#free.pop() ?? memory.allocate(4 * pageRowsMax);
    services.runtime.load("compose-ids", composeIdsKernel)(ids, selection, positionCount, target);
    this.#composed.set(ids, target);
    return target;
  }
}
