/** TopNOperator: keeps the first rows of an order and outputs them in that order. */
import type { Address } from "../../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../../page/page.ts";
import type { Type } from "../../../types/type.ts";
import { pageBytes } from "../../driver/stats.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { selectColumns, slicePage } from "../pages.ts";
import { newStore, OrderedRows } from "./ordered-rows.ts";
import { SortTies } from "./sort-ties.ts";
import { sortedPage, sortedRowBytes, type SortedRuns, type SortOptions } from "./sorted-runs.ts";
import { SortingOperator } from "./sorting-operator.ts";
import { TopNThreshold } from "./top-n-threshold.ts";

const slackRowsEarly = 32;

/**
 * Keeps some more rows than it will output. Once it has enough rows, it knows a row that bounds the result. Later rows are compared with
 * that row first. When memory is short, sorted runs go to disk; the beginning of their merge is the result.
 */
export class TopNOperator extends SortingOperator {
  readonly #count: number;
  readonly #slackRows: number;
  readonly #threshold: TopNThreshold;
  /** WITH TIES: rows that tie with the last one are output too. */
  readonly #ties: SortTies | undefined;
  /** Number of rows at which the worst are dropped. */
  #truncateRows: number;

  constructor(options: SortOptions, count: number, withTies = false) {
    super(options);
    this.#count = count;
    const { services, memory } = options.context;
    this.#slackRows = services.ports.points.fires("top-rows-cut-early") ? slackRowsEarly : memory.knobs.value("top-n-slack-rows");
    this.#threshold = new TopNThreshold(services.runtime, memory, options.order);
    this.#ties = withTies ? new SortTies(services.runtime, memory, options.order.length) : undefined;
    this.#truncateRows = count + this.#slackRows;
  }

  get needsInput(): boolean {
    return !this.finishing && !this.isBusy && this.#count > 0;
  }

  get isFinished(): boolean {
    return this.#count === 0 || this.isExhausted;
  }

  getOutput(): Page | undefined {
    if (this.isBusy) {
      return this.advance();
    }
    if (!this.finishing || this.isFinished) {
      return undefined;
    }
    if (this.sorted === undefined) {
      const order = this.#order();
      this.sorted = new OrderedRows(this.store, order, this.#keptRows(order), this.context.memory.knobs.value("page-rows"));
    }
    return this.sorted.next();
  }

  /** The rows, and what their sort and a copy of the best ones need. */
  protected growthBytes(page: Page): number {
    const rows = this.store.rowCount + page.positionCount;
    const copyBytes = rows < this.#truncateRows ? 0 : this.store.dataBytes;
    return this.store.growthBytes(page.positionCount) + pageBytes(this.context.memory.linear, page) + sortedRowBytes * rows + copyBytes;
  }

  protected keep(page: Page): void {
    const candidates = this.#threshold.select(page, this.#keysOf(page));
    if (candidates.positionCount > 0) {
      this.store.append(candidates);
    }
    if (this.store.rowCount >= this.#truncateRows) {
      this.#truncate();
    }
  }

  protected *merge(runs: SortedRuns, onPage: (page: Page) => Steps<void>): Steps<void> {
    const first = new FirstRows(this.options, this.#count, this.#ties);
    try {
      yield* runs.merge(
        (page) => onPage(first.of(page)),
        () => first.isComplete,
      );
    } finally {
      first.close();
    }
  }

  /** Keeps the best rows, in order. Later rows lose ties against them, as a stable sort requires. */
  #truncate(): void {
    const order = this.#order();
    const kept = newStore(this.options);
    const count = this.#keptRows(order);
    for (let from = 0; from < count; from += pageRowsMax) {
      kept.append(sortedPage(this.store.page(), order + 4 * from, Math.min(pageRowsMax, count - from)));
    }
    this.store.close();
    this.context.memory.free(order);
    this.store = kept;
    // There may be many ties. Doubling the limit bounds the cost of sorting them again by the number of new rows.
    this.#truncateRows = this.#ties === undefined ? this.#truncateRows : 2 * count + this.#slackRows;
    this.#threshold.raise(slicePage(this.#keysOf(kept.page()), this.#count - 1, 1));
  }

  /** Number of rows of the order that are kept. */
  #keptRows(order: Address): number {
    const count = Math.min(this.#count, this.store.rowCount);
    return this.#ties === undefined || count === 0 ? count : this.#ties.countWith(this.#keysOf(this.store.page()), order, count);
  }

  #order(): Address {
    return this.sorter.sort(this.#keysOf(this.store.page()));
  }

  #keysOf(page: Page): Page {
    return selectColumns(page, this.options.sortChannels);
  }
}

/** The first rows of a stream of sorted pages, and with `ties` those that tie with the last of them. */
class FirstRows {
  readonly #options: SortOptions;
  readonly #ties: SortTies | undefined;
  /** Keys of the last of the first rows, once it is known. */
  readonly #last: RowStore;
  #left: number;
  #isComplete = false;

  constructor(options: SortOptions, count: number, ties: SortTies | undefined) {
    this.#options = options;
    this.#ties = ties;
    this.#left = count;
    this.#last = this.#newKeys();
  }

  /** No more rows are needed. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The rows of the next page that belong to them. */
  of(page: Page): Page {
    const count = Math.min(this.#left, page.positionCount);
    this.#left -= count;
    if (this.#left > 0) {
      return page;
    }
    if (this.#ties === undefined) {
      this.#isComplete = true;
      return slicePage(page, 0, count);
    }
    if (count > 0) {
      this.#last.append(this.#keysOf(slicePage(page, count - 1, 1)));
    }
    const tied = this.#tiedRows(this.#ties, slicePage(page, count, page.positionCount - count));
    this.#isComplete = count + tied < page.positionCount;
    return slicePage(page, 0, count + tied);
  }

  close(): void {
    this.#last.close();
  }

  /** Number of rows at the beginning of the page that tie with the last row. */
  #tiedRows(ties: SortTies, page: Page): number {
    if (page.positionCount === 0) {
      return 0;
    }
    const { memory } = this.#options.context;
    const compared = this.#newKeys();
    const order = memory.allocate(4 * (1 + page.positionCount));
    try {
      compared.append(this.#last.page());
      compared.append(this.#keysOf(page));
      for (let row = 0; row < compared.rowCount; row++) {
        memory.linear.u32[(order >>> 2) + row] = row;
      }
      return ties.countWith(compared.page(), order, 1) - 1;
    } finally {
      memory.free(order);
      compared.close();
    }
  }

  #newKeys(): RowStore {
    const { context, sortChannels, types } = this.#options;
    const keyTypes = sortChannels.map((channel) => types[channel] as Type);
    return new RowStore({ runtime: context.services.runtime, memory: context.memory, types: keyTypes });
  }

  #keysOf(page: Page): Page {
    return selectColumns(page, this.#options.sortChannels);
  }
}
