/**
 * Rows that go to disk in partitions and come back in the order of their input: each has a number that says its page and its position. The
 * rows of a result end with two numbers: that of the row of the probe side, and that of the row of the build side.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { BIGINT, type Type } from "../../types/type.ts";
import { RowNumbers } from "./row-numbers.ts";
import { mergeRuns, PageCutter, type RunMergeOptions } from "./run-merge.ts";
import type { SpillRun, SpillSpace, Steps } from "./spill-runs.ts";
import type { OperatorContext } from "../operators/operator.ts";
import { slicePage } from "../operators/pages.ts";

/** Numbers of the rows of one page. */
const numbersPerPage = 65_536;

/** Numbers the rows of pages. */
export class NumberedPages {
  readonly #memory: MemoryContext;
  #pages = 0;

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  /** `write` receives the next page with the numbers as its last column. */
  *withNumbers(page: Page, write: (numbered: Page) => Steps<void>): Steps<void> {
    const numbers = new RowNumbers(this.#memory);
    try {
      const column = numbers.ofPage(this.#pages * numbersPerPage, page);
      this.#pages++;
      yield* write({ ...page, columns: [...page.columns, column] });
    } finally {
      numbers.close();
    }
  }
}

/** How runs of results are merged. */
export function byNumbers(space: SpillSpace, runs: readonly SpillRun[]): Omit<RunMergeOptions, "onPage"> {
  const first = (runs[0] as SpillRun).types.length - 2;
  const ascending = { descending: false, nullsFirst: false };
  return { space, runs, sortChannels: [first, first + 1], order: [ascending, ascending] };
}

export interface NumberedMergeOptions {
  readonly space: SpillSpace;
  /** Of results. */
  readonly runs: readonly SpillRun[];
  /** Without the numbers. */
  readonly types: readonly Type[];
  readonly rowsMax: number;
  /** Pages end with those that were numbered. */
  readonly isCutByPages: boolean;
  /** Receives pages without the numbers, which are valid until its next step. */
  readonly onPage: (page: Page) => Steps<void>;
}

/** All rows of the results in the order of their numbers. */
export function* mergeByNumbers({ space, runs, types, rowsMax, isCutByPages, onPage }: NumberedMergeOptions): Steps<void> {
  if (runs.length === 0) {
    return;
  }
  const cutter = new PageCutter(space, {
    types: [...types, BIGINT, BIGINT],
    rowsMax,
    onPage: (page) => onPage({ ...page, columns: page.columns.slice(0, types.length) }),
  });
  const places = new PagePlaces(space.context, rowsMax);
  try {
    yield* mergeRuns({ ...byNumbers(space, runs), onPage: (page) => (isCutByPages ? places.cut(page, cutter) : cutter.add(page)) });
    yield* cutter.finish();
  } finally {
    cutter.close();
  }
}

/** Rows with their number and a mark after it. They come back by their number alone. */
export function arrangeMarked(page: Page): Page {
  const [number, mark] = page.columns.slice(-2) as [Column, Column];
  return { ...page, columns: [...page.columns.slice(0, -2), mark, number, number] };
}

const wordValues = 2 ** 32;

/** Where the pages of a join in memory end: with each page of the probe side, and among rows without a match after so many build rows. */
class PagePlaces {
  readonly #context: OperatorContext;
  readonly #pageRows: number;
  #current: number | undefined;

  constructor(context: OperatorContext, pageRows: number) {
    this.#context = context;
    this.#pageRows = pageRows;
  }

  *cut(page: Page, cutter: PageCutter): Steps<void> {
    const places = this.#placesOf(page);
    for (let from = 0; from < places.length; ) {
      const place = places[from] as number;
      const next = places.findIndex((other, row) => row > from && other !== place);
      const end = next < 0 ? places.length : next;
      if (place !== this.#current) {
        yield* cutter.finish();
        this.#current = place;
      }
      yield* cutter.add(slicePage(page, from, end - from));
      from = end;
    }
  }

  /** A number for each row: pages of the probe side from 0 on, pages of build rows without a match below. */
  #placesOf(page: Page): readonly number[] {
    const [probe, build] = page.columns.slice(-2) as [Column, Column];
    const { u8 } = this.#context.memory.linear;
    return Array.from({ length: page.positionCount }, (_, row) =>
      u8[probe.nulls + row] === 1
        ? -1 - Math.floor(this.#number(build, row) / this.#pageRows)
        : Math.floor(this.#number(probe, row) / numbersPerPage),
    );
  }

  #number({ values }: Column, row: number): number {
    const { u32 } = this.#context.memory.linear;
    const word = (values >>> 2) + 2 * row;
    return (u32[word] as number) + wordValues * (u32[word + 1] as number);
  }
}
