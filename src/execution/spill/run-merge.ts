/** Merges sorted runs. */
import type { Page } from "../../page/page.ts";
import type { Type } from "../../types/type.ts";
import type { SortColumn } from "../operators/sort/sort-rows.ts";
import { PageMerger } from "../operators/sort/page-merger.ts";
import { slicePage } from "../operators/pages.ts";
import { RowStore } from "../hash-table/row-store.ts";
import { RunReader, RunWriter, type SpillRun, type SpillSpace, type Steps } from "./spill-runs.ts";

export interface RunMergeOptions {
  readonly space: SpillSpace;
  /** At least one, all of the same types. */
  readonly runs: readonly SpillRun[];
  readonly sortChannels: readonly number[];
  readonly order: readonly SortColumn[];
  /** Receives the merged rows; a page is valid until the next step. */
  readonly onPage: (page: Page) => Steps<void>;
  /** No more rows are needed. */
  readonly isComplete?: () => boolean;
}

/** Ties are ordered by run, then as in the run. */
export function* mergeRuns({ space, runs, sortChannels, order, onPage, isComplete }: RunMergeOptions): Steps<void> {
  const readers = runs.map((run) => new RunReader(space, run));
  const { types } = runs[0] as SpillRun;
  const merger = new PageMerger({ context: space.context, types, sortChannels, order, sourceCount: runs.length });
  try {
    for (;;) {
      yield* fill(merger, readers);
      if (merger.isDone || isComplete?.() === true) {
        return;
      }
      yield* onPage(merger.merge());
    }
  } finally {
    merger.close();
    readers.forEach((reader) => reader.close());
  }
}

function* fill(merger: PageMerger, readers: readonly RunReader[]): Steps<void> {
  for (const [index, reader] of readers.entries()) {
    if (merger.wants(index)) {
      const page = yield* reader.next();
      if (page === undefined) {
        merger.end(index);
      } else {
        merger.give(index, page);
      }
    }
  }
}

/** Merges neighbors until few enough runs are left to be merged at once. */
export function* reduceRuns(options: Omit<RunMergeOptions, "onPage" | "isComplete">): Steps<readonly SpillRun[]> {
  const { space } = options;
  const runsMax = space.context.memory.knobs.value("spill-merged-runs");
  let { runs } = options;
  while (runs.length > runsMax) {
    const merged: SpillRun[] = [];
    for (let first = 0; first < runs.length; first += runsMax) {
      merged.push(yield* mergeToRun({ ...options, runs: runs.slice(first, first + runsMax) }));
    }
    runs = merged;
  }
  return runs;
}

/** At least one run. */
export function* mergeToRun(options: Omit<RunMergeOptions, "onPage" | "isComplete">): Steps<SpillRun> {
  const { space, runs } = options;
  const writer = new RunWriter(space, (runs[0] as SpillRun).types);
  try {
    yield* mergeRuns({
      ...options,
      *onPage(page) {
        writer.write(page);
        yield* space.writes();
      },
    });
    return writer.finish();
  } finally {
    writer.close();
  }
}

/** Cuts a stream of pages into pages of a fixed number of rows. */
export class PageCutter {
  readonly #store: RowStore;
  readonly #rowsMax: number;
  readonly #onPage: (page: Page) => Steps<void>;

  constructor(
    space: SpillSpace,
    options: { readonly types: readonly Type[]; readonly rowsMax: number; readonly onPage: (page: Page) => Steps<void> },
  ) {
    const { memory, services } = space.context;
    this.#store = new RowStore({ runtime: services.runtime, memory, types: options.types });
    this.#rowsMax = options.rowsMax;
    this.#onPage = options.onPage;
  }

  *add(page: Page): Steps<void> {
    for (let from = 0; from < page.positionCount; ) {
      const rows = Math.min(this.#rowsMax - this.#store.rowCount, page.positionCount - from);
      this.#store.append(rows === page.positionCount ? page : slicePage(page, from, rows));
      from += rows;
      if (this.#store.rowCount === this.#rowsMax) {
        yield* this.finish();
      }
    }
  }

  /** Passes on the rows that are left. */
  *finish(): Steps<void> {
    if (this.#store.rowCount > 0) {
      yield* this.#onPage(this.#store.page());
      this.#store.reset();
    }
  }

  close(): void {
    this.#store.close();
  }
}
