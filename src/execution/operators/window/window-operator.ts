/**
 * WindowOperator: keeps its input, sorts it by partition and order keys, and outputs it a page at a time with the functions' columns after
 * its own. Ties stay in input order. That order is the same for the same splits and the same number of tasks, but not for another number of
 * tasks. When memory is short, sorted runs go to disk; they are merged and evaluated by batches of whole partitions.
 */
import type { Page } from "../../../page/page.ts";
import { pageBytes } from "../../driver/stats.ts";
import { PageCutter } from "../../spill/run-merge.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { SortedBatches } from "../sort/sorted-batches.ts";
import { partitionOrder, type PositionedRows, SortedRows, type SortedRowsOptions } from "../sort/sorted-rows.ts";
import { sortedRowBytes, SortedRuns } from "../sort/sorted-runs.ts";
import { evaluationRowBytes, windowChannel, WindowEvaluation, type WindowOptions } from "./window-evaluation.ts";

export class WindowOperator extends SpillingOperator {
  readonly #options: WindowOptions;
  readonly #sorting: SortedRowsOptions;
  /** Bytes for each row from the end of the input on. */
  readonly #laterRowBytes: number;
  #rows: SortedRows;
  #runs: SortedRuns | undefined;
  #evaluation: WindowEvaluation | undefined;
  #steps: Generator<Page | undefined, void> | undefined;
  /** Rows given out of memory. */
  #given = 0;
  #isMerged = false;

  constructor(options: WindowOptions) {
    super(options.context);
    this.#options = options;
    const { context, layout, node } = options;
    this.#sorting = {
      runtime: context.services.runtime,
      memory: context.memory,
      types: layout.map(({ type }) => type),
      partitionChannels: node.partitionBy.map((variable) => windowChannel(layout, variable)),
      orderChannels: node.orderBy.map(({ variable }) => windowChannel(layout, variable)),
      order: node.orderBy,
    };
    this.#laterRowBytes = sortedRowBytes + evaluationRowBytes(node);
    this.#rows = new SortedRows(this.#sorting);
    this.enableSpill();
  }

  protected get canSpill(): boolean {
    return this.#rows.rowCount > 0;
  }

  get needsInput(): boolean {
    return !this.finishing && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.finishing && !this.isBusy && (this.#isMerged || (this.#runs === undefined && this.#given === this.#rows.rowCount));
  }

  override finish(): void {
    super.finish();
    const { rowCount } = this.#rows;
    if (this.#runs !== undefined || (rowCount > 0 && this.mustSpill(this.#laterRowBytes * rowCount))) {
      this.begin(this.#giveSpilled());
    }
  }

  getOutput(): Page | undefined {
    if (this.isBusy) {
      return this.advance();
    }
    if (!this.finishing || this.isFinished) {
      return undefined;
    }
    this.#steps ??= this.#giveKept();
    const page = this.#steps.next().value ?? undefined;
    this.#given += page?.positionCount ?? 0;
    return page;
  }

  override close(): void {
    super.close();
    this.#evaluation?.close();
    this.#rows.close();
    this.#runs?.close();
  }

  protected growthBytes(page: Page): number {
    const { rowCount, store } = this.#rows;
    const rows = rowCount + page.positionCount;
    return store.growthBytes(page.positionCount) + pageBytes(this.context.memory.linear, page) + this.#laterRowBytes * rows;
  }

  protected keep(page: Page): void {
    this.#rows.append(page);
  }

  protected spillPage(): undefined {
    return undefined;
  }

  protected *spill(): Steps<void> {
    yield* this.#openRuns().write(this.#rows.store.page());
    this.#rows.close();
    this.#rows = new SortedRows(this.#sorting);
  }

  *#giveKept(): Generator<Page | undefined, void> {
    yield* this.#rows.sort();
    this.#evaluation = new WindowEvaluation({ ...this.#options, memory: this.context.memory, rows: this.#rows });
    yield* this.#evaluation.pages(0);
  }

  *#giveSpilled(): Steps<void> {
    yield* this.spill();
    const runs = this.#openRuns();
    const { node } = this.#options;
    const cutter = new PageCutter(runs.space, {
      types: [...this.#sorting.types, ...node.functions.map(({ output }) => output.type)],
      rowsMax: this.context.memory.knobs.value("page-rows"),
      onPage: (page) => this.give(page),
    });
    const batches = new SortedBatches({
      ...this.#sorting,
      evaluationRowBytes: evaluationRowBytes(node),
      onBatch: (batch, firstRow) => this.#giveBatch(batch, firstRow, cutter),
    });
    try {
      yield* runs.merge((page) => batches.add(page));
      yield* batches.finish();
      yield* cutter.finish();
      this.#isMerged = true;
    } finally {
      batches.close();
      cutter.close();
    }
  }

  *#giveBatch(rows: PositionedRows, firstRow: number, cutter: PageCutter): Steps<void> {
    const memory = this.context.memory.child("evaluation");
    const evaluation = new WindowEvaluation({ ...this.#options, memory, rows });
    try {
      for (const page of evaluation.pages(firstRow)) {
        if (page === undefined) {
          yield undefined;
        } else {
          yield* cutter.add(page);
        }
      }
    } finally {
      evaluation.close();
      memory.close();
    }
  }

  #openRuns(): SortedRuns {
    const { context } = this.#options;
    const { order, orderChannels, partitionChannels, types } = this.#sorting;
    this.#runs ??= new SortedRuns({
      context,
      types,
      sortChannels: [...partitionChannels, ...orderChannels],
      order: [...partitionOrder(partitionChannels), ...order],
    });
    return this.#runs;
  }
}
