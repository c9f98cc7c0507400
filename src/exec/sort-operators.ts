/** OrderByOperator and TopNOperator: keep rows, sort them (stable), give them out in order. */
import { type Column, type Page, pageRowsMax } from "../page/page.ts";
import type { Address } from "../page/page.ts";
import type { Type } from "../types/type.ts";
import { BaseOperator, type OperatorContext } from "./operator.ts";
import { selectColumns } from "./pages.ts";
import { RowStore } from "./row-store.ts";
import { RowSorter, type SortColumn } from "./sort-rows.ts";

export interface SortOptions {
  readonly context: OperatorContext;
  readonly types: readonly Type[];
  readonly sortChannels: readonly number[];
  readonly order: readonly SortColumn[];
}

/** Gives out rows of a store in an order, a page at a time, without copying them. */
class OrderedRows {
  readonly #store: RowStore;
  readonly #order: Address;
  readonly #count: number;
  #given = 0;

  constructor(store: RowStore, order: Address, count: number) {
    this.#store = store;
    this.#order = order;
    this.#count = count;
  }

  get exhausted(): boolean {
    return this.#given >= this.#count;
  }

  next(): Page | undefined {
    const count = Math.min(pageRowsMax, this.#count - this.#given);
    if (count === 0) {
      return undefined;
    }
    const page = orderedPage(this.#store, this.#order + 4 * this.#given, count);
    this.#given += count;
    return page;
  }
}

function orderedPage(store: RowStore, ids: Address, count: number): Page {
  return { positionCount: count, selection: 0, columns: store.columns().map((column): Column => ({ ...column, ids })) };
}

export class OrderByOperator extends BaseOperator {
  readonly #options: SortOptions;
  readonly #store: RowStore;
  #sorted: OrderedRows | undefined;

  constructor(options: SortOptions) {
    super(options.context);
    this.#options = options;
    const { services, memory } = options.context;
    this.#store = new RowStore({ runtime: services.runtime, memory, types: options.types });
  }

  get needsInput(): boolean {
    return !this.finishing;
  }

  get isFinished(): boolean {
    return this.#sorted !== undefined && this.#sorted.exhausted;
  }

  addInput(page: Page): void {
    this.#store.append(page);
  }

  getOutput(): Page | undefined {
    if (!this.finishing) {
      return undefined;
    }
    this.#sorted ??= this.#sort();
    return this.#sorted.next();
  }

  override close(): void {
    this.#store.close();
  }

  #sort(): OrderedRows {
    const { context, order, sortChannels } = this.#options;
    const sorter = new RowSorter(context.services.runtime, context.memory, order);
    return new OrderedRows(this.#store, sorter.sort(selectColumns(this.#store.page(), sortChannels)), this.#store.rowCount);
  }
}

/** Rows kept beyond the count before it sorts and drops the rest. */
const slackRows = 4 * pageRowsMax;

export class TopNOperator extends BaseOperator {
  readonly #options: SortOptions;
  readonly #count: number;
  readonly #sorter: RowSorter;
  #store: RowStore;
  #sorted: OrderedRows | undefined;

  constructor(options: SortOptions, count: number) {
    super(options.context);
    this.#options = options;
    this.#count = count;
    const { services, memory } = options.context;
    this.#sorter = new RowSorter(services.runtime, memory, options.order);
    this.#store = this.#newStore();
  }

  get needsInput(): boolean {
    return !this.finishing && this.#count > 0;
  }

  get isFinished(): boolean {
    return this.#count === 0 || (this.#sorted !== undefined && this.#sorted.exhausted);
  }

  addInput(page: Page): void {
    this.#store.append(page);
    if (this.#store.rowCount >= this.#count + slackRows) {
      this.#truncate();
    }
  }

  getOutput(): Page | undefined {
    if (!this.finishing || this.#count === 0) {
      return undefined;
    }
    this.#sorted ??= new OrderedRows(this.#store, this.#order(), Math.min(this.#count, this.#store.rowCount));
    return this.#sorted.next();
  }

  override close(): void {
    this.#store.close();
  }

  /** Keeps the best rows, in order: those that come later lose ties against them, as they should. */
  #truncate(): void {
    const order = this.#order();
    const kept = this.#newStore();
    for (let from = 0; from < this.#count; from += pageRowsMax) {
      kept.append(orderedPage(this.#store, order + 4 * from, Math.min(pageRowsMax, this.#count - from)));
    }
    this.#store.close();
    this.context.memory.free(order);
    this.#store = kept;
  }

  #order(): Address {
    return this.#sorter.sort(selectColumns(this.#store.page(), this.#options.sortChannels));
  }

  #newStore(): RowStore {
    const { services, memory } = this.#options.context;
    return new RowStore({ runtime: services.runtime, memory, types: this.#options.types });
  }
}
