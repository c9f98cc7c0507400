/** Rows that an operator sorts, on disk: sorted runs in the order of its input, which are merged. Ties stay in input order. */
import { type Page, pageRowsMax } from "../../../page/page.ts";
import type { Type } from "../../../types/type.ts";
import { mergeRuns, reduceRuns } from "../../spill/run-merge.ts";
import { RunWriter, type SpillRun, SpillSpace, type Steps } from "../../spill/spill-runs.ts";
import type { OperatorContext } from "../operator.ts";
import { selectColumns, slicePage } from "../pages.ts";
import { RowSorter } from "./row-sorter.ts";
import { entryBytes, type SortColumn } from "./sort-rows.ts";

export interface SortOptions {
  readonly context: OperatorContext;
  readonly types: readonly Type[];
  readonly sortChannels: readonly number[];
  readonly order: readonly SortColumn[];
}

/** Bytes of a row while it is sorted: two entries and its place in the order. */
export const sortedRowBytes = 2 * entryBytes + 4;
/** Least number of rows of a run that are sorted at once. */
const sortedRowsMin = 1_024;

export class SortedRuns {
  readonly space: SpillSpace;
  readonly #options: SortOptions;
  readonly #sorter: RowSorter;
  readonly #runs: SpillRun[] = [];

  constructor(options: SortOptions) {
    const { context, order } = options;
    this.#options = options;
    this.space = new SpillSpace(context);
    this.#sorter = new RowSorter(context.services.runtime, context.memory, order);
  }

  /** Writes flat rows as sorted runs, of as many rows as can be sorted in the memory that is left. */
  *write(page: Page): Steps<void> {
    const rows = Math.max(sortedRowsMin, Math.floor(this.#options.context.memory.availableBytes / 2 / sortedRowBytes));
    for (let first = 0; first < page.positionCount; first += rows) {
      this.#runs.push(yield* this.#writeSorted(slicePage(page, first, Math.min(rows, page.positionCount - first))));
    }
  }

  /** All rows in order, or the first of them. `onPage` receives pages that are valid until its next step. */
  *merge(onPage: (page: Page) => Steps<void>, isComplete: () => boolean = () => false): Steps<void> {
    const { sortChannels, order } = this.#options;
    const merging = { space: this.space, sortChannels, order };
    const runs = yield* reduceRuns({ ...merging, runs: this.#runs });
    yield* mergeRuns({ ...merging, runs, onPage, isComplete });
  }

  /** Removes the file. Idempotent. */
  close(): void {
    this.space.close();
  }

  *#writeSorted(page: Page): Steps<SpillRun> {
    const { context, sortChannels, types } = this.#options;
    // Without keys the order is that of the input.
    const job = sortChannels.length === 0 ? undefined : this.#sorter.begin(selectColumns(page, sortChannels));
    while (job?.step() === false) {
      yield undefined;
    }
    const writer = new RunWriter(this.space, types);
    try {
      for (let first = 0; first < page.positionCount; first += pageRowsMax) {
        const count = Math.min(pageRowsMax, page.positionCount - first);
        writer.write(job === undefined ? slicePage(page, first, count) : sortedPage(page, job.order + 4 * first, count));
        yield* this.space.writes();
        yield undefined;
      }
      return writer.finish();
    } finally {
      writer.close();
      if (job !== undefined) {
        context.memory.free(job.order);
      }
    }
  }
}

/** Rows of a flat page by their numbers (u32), without a copy. */
export function sortedPage(page: Page, ids: number, count: number): Page {
  return { positionCount: count, selection: 0, columns: page.columns.map((column) => ({ ...column, ids })) };
}
