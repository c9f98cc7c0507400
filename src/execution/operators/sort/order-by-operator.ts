/** OrderByOperator: keeps rows, sorts them (stable) and outputs them in order. */
import type { Page } from "../../../page/page.ts";
import { pageBytes } from "../../driver/stats.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { selectColumns } from "../pages.ts";
import { OrderedRows } from "./ordered-rows.ts";
import type { SortJob } from "./row-sorter.ts";
import { sortedRowBytes, type SortedRuns } from "./sorted-runs.ts";
import { SortingOperator } from "./sorting-operator.ts";

export class OrderByOperator extends SortingOperator {
  #job: SortJob | undefined;

  get needsInput(): boolean {
    return !this.finishing && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.finishing && this.isExhausted;
  }

  getOutput(): Page | undefined {
    if (this.isBusy) {
      return this.advance();
    }
    if (!this.finishing || this.isFinished) {
      return undefined;
    }
    if (this.sorted === undefined) {
      this.#job ??= this.sorter.begin(selectColumns(this.store.page(), this.options.sortChannels));
      if (!this.#job.step()) {
        return undefined;
      }
      this.sorted = new OrderedRows(this.store, this.#job.order, this.store.rowCount, this.context.memory.knobs.value("page-rows"));
    }
    return this.sorted.next();
  }

  /** The rows, and what their sort needs. */
  protected growthBytes(page: Page): number {
    const rows = this.store.rowCount + page.positionCount;
    return this.store.growthBytes(page.positionCount) + pageBytes(this.context.memory.linear, page) + sortedRowBytes * rows;
  }

  protected keep(page: Page): void {
    this.store.append(page);
  }

  protected merge(runs: SortedRuns, onPage: (page: Page) => Steps<void>): Steps<void> {
    return runs.merge(onPage);
  }
}
