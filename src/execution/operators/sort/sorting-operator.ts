/** An operator that keeps rows and outputs them in order. When memory is short, sorted runs go to disk, and the output is their merge. */
import type { Page } from "../../../page/page.ts";
import type { RowStore } from "../../hash-table/row-store.ts";
import { PageCutter } from "../../spill/run-merge.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { newStore, type OrderedRows } from "./ordered-rows.ts";
import { RowSorter } from "./row-sorter.ts";
import { sortedRowBytes, SortedRuns, type SortOptions } from "./sorted-runs.ts";

export abstract class SortingOperator extends SpillingOperator {
  protected readonly options: SortOptions;
  protected readonly sorter: RowSorter;
  /** Rows in memory. */
  protected store: RowStore;
  /** The output, if nothing was spilled. */
  protected sorted: OrderedRows | undefined;
  #runs: SortedRuns | undefined;
  #isMerged = false;

  constructor(options: SortOptions) {
    super(options.context);
    this.options = options;
    this.sorter = new RowSorter(options.context.services.runtime, options.context.memory, options.order);
    this.store = newStore(options);
    this.enableSpill();
  }

  /** Gives the merged rows that belong to the output to `onPage`. */
  protected abstract merge(runs: SortedRuns, onPage: (page: Page) => Steps<void>): Steps<void>;

  protected get canSpill(): boolean {
    return this.store.rowCount > 0;
  }

  /** All rows have been output. */
  protected get isExhausted(): boolean {
    return !this.isBusy && (this.#isMerged || this.sorted?.exhausted === true);
  }

  override finish(): void {
    super.finish();
    if (this.#runs !== undefined || (this.store.rowCount > 0 && this.mustSpill(sortedRowBytes * this.store.rowCount))) {
      this.begin(this.#merge());
    }
  }

  override close(): void {
    super.close();
    this.store.close();
    this.#runs?.close();
  }

  protected spillPage(): undefined {
    return undefined;
  }

  protected *spill(): Steps<void> {
    yield* this.#openRuns().write(this.store.page());
    this.store.close();
    this.store = newStore(this.options);
  }

  *#merge(): Steps<void> {
    yield* this.spill();
    const { types } = this.options;
    const runs = this.#openRuns();
    const rowsMax = this.context.memory.knobs.value("page-rows");
    const cutter = new PageCutter(runs.space, { types, rowsMax, onPage: (page) => this.give(page) });
    try {
      yield* this.merge(runs, (page) => cutter.add(page));
      yield* cutter.finish();
      this.#isMerged = true;
    } finally {
      cutter.close();
    }
  }

  #openRuns(): SortedRuns {
    this.#runs ??= new SortedRuns(this.options);
    return this.#runs;
  }
}
