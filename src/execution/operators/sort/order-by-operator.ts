/** OrderByOperator: keeps rows, sorts them (stable) and outputs them in order. */
import type { Page } from "../../../page/page.ts";
import { selectColumns } from "../pages.ts";
import { RowSorter, type SortJob } from "./row-sorter.ts";
import type { RowStore } from "../../hash-table/row-store.ts";
import { pageBytes } from "../../driver/stats.ts";
import { PageCutter } from "../../spill/run-merge.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { newStore, OrderedRows } from "./ordered-rows.ts";
import { sortedRowBytes, SortedRuns, type SortOptions } from "./sorted-runs.ts";

/** Sorted runs go to disk when memory is short, and are merged. */
export class OrderByOperator extends SpillingOperator {
  readonly #options: SortOptions;
  readonly #sorter: RowSorter;
  #store: RowStore;
  #job: SortJob | undefined;
  #sorted: OrderedRows | undefined;
  #runs: SortedRuns | undefined;
  #isMerged = false;

  constructor(options: SortOptions) {
    super(options.context);
    this.#options = options;
    this.#sorter = new RowSorter(options.context.services.runtime, options.context.memory, options.order);
    this.#store = newStore(options);
    this.enableSpill();
  }

  protected get canSpill(): boolean {
    return this.#store.rowCount > 0;
  }

  get needsInput(): boolean {
    return !this.finishing && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.finishing && !this.isBusy && (this.#isMerged || this.#sorted?.exhausted === true);
  }

  override finish(): void {
    super.finish();
    if (this.#runs !== undefined || (this.#store.rowCount > 0 && this.mustSpill(sortedRowBytes * this.#store.rowCount))) {
      this.begin(this.#merge());
    }
  }

  getOutput(): Page | undefined {
    if (this.isBusy) {
      return this.advance();
    }
    if (!this.finishing || this.#isMerged) {
      return undefined;
    }
    if (this.#sorted === undefined) {
      this.#job ??= this.#sorter.begin(selectColumns(this.#store.page(), this.#options.sortChannels));
      if (!this.#job.step()) {
        return undefined;
      }
      this.#sorted = new OrderedRows(this.#store, this.#job.order, this.#store.rowCount, this.context.memory.knobs.value("page-rows"));
    }
    return this.#sorted.next();
  }

  override close(): void {
    super.close();
    this.#store.close();
    this.#runs?.close();
  }

  /** The rows, and what their sort needs. */
  protected growthBytes(page: Page): number {
    const rows = this.#store.rowCount + page.positionCount;
    return this.#store.growthBytes(page.positionCount) + pageBytes(this.context.memory.linear, page) + sortedRowBytes * rows;
  }

  protected keep(page: Page): void {
    this.#store.append(page);
  }

  protected spillPage(): undefined {
    return undefined;
  }

  protected *spill(): Steps<void> {
    yield* this.#openRuns().write(this.#store.page());
    this.#store.close();
    this.#store = newStore(this.#options);
  }

  *#merge(): Steps<void> {
    yield* this.spill();
    const { types } = this.#options;
    const runs = this.#openRuns();
    const rowsMax = this.context.memory.knobs.value("page-rows");
    const cutter = new PageCutter(runs.space, { types, rowsMax, onPage: (page) => this.give(page) });
    try {
      yield* runs.merge((page) => cutter.add(page));
      yield* cutter.finish();
      this.#isMerged = true;
    } finally {
      cutter.close();
    }
  }

  #openRuns(): SortedRuns {
    this.#runs ??= new SortedRuns(this.#options);
    return this.#runs;
  }
}
