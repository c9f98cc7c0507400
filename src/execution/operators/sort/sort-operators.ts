/**
 * OrderByOperator and TopNOperator: keep rows, sort them (stable) and output them in order.
 */
import { type InputLayout, type InputReader, openInput } from "../../expressions/columns.ts";
import { buildKernel, type CodeBuilder, i32, i64, select } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../../page/page.ts";
import { BaseOperator } from "../operator.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { selectColumns, slicePage } from "../pages.ts";
import { RowSorter, type SortJob } from "./row-sorter.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import { SortTies } from "./sort-ties.ts";
import { pageBytes } from "../../driver/stats.ts";
import { PageCutter } from "../../spill/run-merge.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { emitDirectedKey, emitNullPrefix, emitSortPrefix, type SortColumn, sortKey } from "./sort-rows.ts";
import { sortedPage, sortedRowBytes, SortedRuns, type SortOptions } from "./sorted-runs.ts";

/** Outputs rows of a store in an order, a page at a time, without copying them. */
class OrderedRows {
  readonly #store: RowStore;
  readonly #order: Address;
  readonly #count: number;
  readonly #pageRows: number;
  #given = 0;

  constructor(store: RowStore, order: Address, count: number, pageRows: number) {
    this.#store = store;
    this.#pageRows = pageRows;
    this.#order = order;
    this.#count = count;
  }

  get exhausted(): boolean {
    return this.#given >= this.#count;
  }

  next(): Page | undefined {
    const count = Math.min(this.#pageRows, this.#count - this.#given);
    if (count === 0) {
      return undefined;
    }
    const page = sortedPage(this.#store.page(), this.#order + 4 * this.#given, count);
    this.#given += count;
    return page;
  }
}

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

function newStore({ context, types }: SortOptions): RowStore {
  return new RowStore({ runtime: context.services.runtime, memory: context.memory, types });
}

const slackRowsEarly = 32;

/**
 * Keeps some more rows than it will output. Once it has enough rows, it knows a row that bounds the result. Later rows are compared with
 * that row first.
 */
export class TopNOperator extends BaseOperator {
  readonly #options: SortOptions;
  readonly #count: number;
  readonly #slackRows: number;
  readonly #sorter: RowSorter;
  readonly #threshold: TopNThreshold;
  /** WITH TIES: rows that tie with the last one are output too. */
  readonly #ties: SortTies | undefined;
  /** Number of rows at which the worst are dropped. */
  #truncateRows: number;
  #store: RowStore;
  #sorted: OrderedRows | undefined;

  constructor(options: SortOptions, count: number, withTies = false) {
    super(options.context);
    this.#options = options;
    this.#count = count;
    const { services, memory } = options.context;
    this.#slackRows = services.ports.points.fires("top-rows-cut-early") ? slackRowsEarly : memory.knobs.value("top-n-slack-rows");
    this.#sorter = new RowSorter(services.runtime, memory, options.order);
    this.#threshold = new TopNThreshold(services.runtime, memory, options.order);
    this.#ties = withTies ? new SortTies(services.runtime, memory, options.order.length) : undefined;
    this.#truncateRows = count + this.#slackRows;
    this.#store = newStore(options);
  }

  get needsInput(): boolean {
    return !this.finishing && this.#count > 0;
  }

  get isFinished(): boolean {
    return this.#count === 0 || (this.#sorted !== undefined && this.#sorted.exhausted);
  }

  addInput(page: Page): void {
    const candidates = this.#threshold.select(page, this.#keysOf(page));
    if (candidates.positionCount > 0) {
      this.#store.append(candidates);
    }
    if (this.#store.rowCount >= this.#truncateRows) {
      this.#truncate();
    }
  }

  getOutput(): Page | undefined {
    if (!this.finishing || this.#count === 0) {
      return undefined;
    }
    if (this.#sorted === undefined) {
      const order = this.#order();
      this.#sorted = new OrderedRows(this.#store, order, this.#keptRows(order), this.context.memory.knobs.value("page-rows"));
    }
    return this.#sorted.next();
  }

  override close(): void {
    this.#store.close();
  }

  /** Keeps the best rows, in order. Later rows lose ties against them, as a stable sort requires. */
  #truncate(): void {
    const order = this.#order();
    const kept = newStore(this.#options);
    const count = this.#keptRows(order);
    for (let from = 0; from < count; from += pageRowsMax) {
      kept.append(sortedPage(this.#store.page(), order + 4 * from, Math.min(pageRowsMax, count - from)));
    }
    this.#store.close();
    this.context.memory.free(order);
    this.#store = kept;
    // There may be many ties. Doubling the limit bounds the cost of sorting them again by the number of new rows.
    this.#truncateRows = this.#ties === undefined ? this.#truncateRows : 2 * count + this.#slackRows;
    this.#threshold.raise(slicePage(this.#keysOf(kept.page()), this.#count - 1, 1));
  }

  /** Number of rows of the order that are kept. */
  #keptRows(order: Address): number {
    const count = Math.min(this.#count, this.#store.rowCount);
    return this.#ties === undefined || count === 0 ? count : this.#ties.countWith(this.#keysOf(this.#store.page()), order, count);
  }

  #order(): Address {
    return this.#sorter.sort(this.#keysOf(this.#store.page()));
  }

  #keysOf(page: Page): Page {
    return selectColumns(page, this.#options.sortChannels);
  }
}

/** The prefix of the worst row that is kept: rows with a larger prefix are dropped. */
class TopNThreshold {
  readonly #memory: MemoryContext;
  readonly #arguments: PageArguments;
  readonly #kernels: KernelByLayout;
  readonly #selection: Address;
  /** Prefixes of the first column, with and without the bit for NULLs. */
  #prefixes: Address = 0;

  constructor(runtime: KernelRuntime, memory: MemoryContext, order: readonly SortColumn[]) {
    const first = order[0] as SortColumn;
    this.#memory = memory;
    this.#arguments = new PageArguments(memory, order.length);
    this.#selection = memory.allocate(4 * pageRowsMax);
    this.#kernels = new KernelByLayout(runtime, `top ${sortKey([first])} ${order.length}`, (name, layout, variant) =>
      thresholdKernel(name, layout, first, variant),
    );
  }

  /** `keys` has one position, the worst row that is kept. */
  raise(keys: Page): void {
    this.#prefixes = this.#prefixes === 0 ? this.#memory.allocate(16) : this.#prefixes;
    this.#kernels.for(keys, "raise")(this.#arguments.write(keys), this.#prefixes, 0);
  }

  /** The positions of `page` that may be among the best. */
  select(page: Page, keys: Page): Page {
    if (this.#prefixes === 0) {
      return page;
    }
    const count = Number(this.#kernels.for(keys, "select")(this.#arguments.write(keys), this.#prefixes, this.#selection));
    return count === page.positionCount ? page : { positionCount: count, selection: this.#selection, columns: page.columns };
  }
}

/**
 * Parameters: page arguments, prefixes (u64 of a column with nulls, u64 of one without), selection. Returns the number of positions
 * selected. Layouts with and without nulls have different prefixes, so a threshold is written in both forms.
 */
function thresholdKernel(name: string, layout: InputLayout, column: SortColumn, variant: string): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, prefixes, selection] = params;
      const input = openInput(b, pageArguments, layout, new Set([0]));
      if (variant === "raise") {
        const both = emitBothPrefixes(b, input, column);
        b.store("i64.store", prefixes, both.withNulls);
        b.store("i64.store", prefixes, both.withoutNulls, 8);
        b.return_(i32.const(1));
        return;
      }
      const worst = b.local("i64", i64.load(prefixes, layout.columns[0]?.nullable === true ? 0 : 8));
      const count = b.local("i32", i32.const(0));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        const { prefix } = emitSortPrefix(b, input, column, row);
        b.store("i32.store", i32.add(selection, i32.shl(count, i32.const(2))), row);
        b.set(count, i32.add(count, i64.leU(prefix, worst)));
      });
      b.return_(count);
    });
  });
}

function emitBothPrefixes(
  b: CodeBuilder,
  input: InputReader,
  column: SortColumn,
): { readonly withNulls: Expr; readonly withoutNulls: Expr } {
  const value = input.column(0, i32.const(0));
  const isNull = value.isNull ?? i32.const(0);
  const { directed: known } = emitDirectedKey(b, { ...value, isNull: undefined }, column);
  return {
    withNulls: emitNullPrefix({ directed: known, isNull, nullsFirst: column.nullsFirst }),
    // If the threshold is NULL: with NULLs first no other value is better; with NULLs last every value is.
    withoutNulls: select(isNull, i64.const(column.nullsFirst ? 0n : -1n), known),
  };
}
