/**
 * An operator that keeps its input, sorts it by partition and order keys, and evaluates it partition by partition. Ties stay in input
 * order. That order is the same for the same splits and the same number of tasks, but not for another number of tasks. When memory is
 * short, sorted runs go to disk; they are merged and evaluated by batches of whole partitions.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import type { Ordering } from "../../../planner/plan/node.ts";
import type { Variable } from "../../../planner/plan/typed-expression.ts";
import type { Type } from "../../../types/type.ts";
import { pageBytes } from "../../driver/stats.ts";
import { PageCutter } from "../../spill/run-merge.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { channelsOf, typesOf } from "../../task/columns.ts";
import type { OperatorContext } from "../operator.ts";
import { type BatchPlace, type PartitionCuts, SortedBatches } from "./sorted-batches.ts";
import { partitionOrder, type PositionedRows, SortedRows, type SortedRowsOptions } from "./sorted-rows.ts";
import { sortedRowBytes, SortedRuns } from "./sorted-runs.ts";

export interface PartitionsOptions {
  readonly context: OperatorContext;
  /** Columns of the incoming pages. */
  readonly layout: readonly Variable[];
  readonly partitionBy: readonly Variable[];
  readonly orderBy: readonly Ordering[];
  readonly outputTypes: readonly Type[];
  /** Bytes that the evaluation needs for each row, beside the row. */
  readonly evaluationRowBytes: number;
  /** Where the evaluation of a partition may be interrupted. */
  readonly cuts?: PartitionCuts;
}

/** What the evaluation of the beginning of a partition leaves to that of the rest. */
export interface CarriedPartition {
  readonly rows: number;
  /** Groups of peers. */
  readonly groups: number;
  /** Records of the states of aggregates. */
  readonly records: readonly Uint8Array[];
}

/** Sorted rows of whole partitions, and memory for their evaluation alone. */
export interface EvaluatedRows {
  /** All that is allocated stays until it closes. */
  readonly memory: MemoryContext;
  /** At least one row. A row of NULLs may be appended to the store. */
  readonly rows: PositionedRows;
  /** Number of the first row, of all rows. */
  readonly firstRow: number;
  /** Of the rows of the first partition that were evaluated before. */
  readonly carried: CarriedPartition | undefined;
}

export interface PartitionsEvaluation {
  /** Output rows; undefined between steps. */
  pages(): Generator<Page | undefined, void>;
  /** All rows have been output. */
  readonly isDone: boolean;
  /** The page of the output ends with the last page, although it is not full. */
  readonly endsPage: boolean;
  /** After all rows: of the last partition, if it may be interrupted. */
  carry?(): CarriedPartition;
  /** Must be called before its memory closes. Idempotent. */
  close(): void;
}

export abstract class PartitionsOperator extends SpillingOperator {
  readonly #options: PartitionsOptions;
  readonly #sorting: SortedRowsOptions;
  /** Bytes for each row from the end of the input on. */
  readonly #laterRowBytes: number;
  #rows: SortedRows;
  #runs: SortedRuns | undefined;
  #evaluation: PartitionsEvaluation | undefined;
  #steps: Generator<Page | undefined, void> | undefined;
  #isMerged = false;
  #carried: CarriedPartition | undefined;

  constructor(options: PartitionsOptions) {
    super(options.context);
    this.#options = options;
    const { context, layout, partitionBy, orderBy } = options;
    this.#sorting = {
      runtime: context.services.runtime,
      memory: context.memory,
      types: typesOf(layout),
      partitionChannels: channelsOf(layout, partitionBy),
      orderChannels: channelsOf(
        layout,
        orderBy.map(({ variable }) => variable),
      ),
      order: orderBy,
    };
    this.#laterRowBytes = sortedRowBytes + options.evaluationRowBytes;
    this.#rows = new SortedRows(this.#sorting);
  }

  /** The same output rows and pages for the same partitions, however they are batched. */
  protected abstract evaluate(rows: EvaluatedRows): PartitionsEvaluation;

  protected get canSpill(): boolean {
    return this.#rows.rowCount > 0;
  }

  get needsInput(): boolean {
    return !this.finishing && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.finishing && !this.isBusy && (this.#isMerged || (this.#runs === undefined && this.#isGiven));
  }

  get #isGiven(): boolean {
    return this.#rows.rowCount === 0 || this.#evaluation?.isDone === true;
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
    return this.#steps.next().value ?? undefined;
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
    this.#evaluation = this.evaluate({ memory: this.context.memory, rows: this.#rows, firstRow: 0, carried: undefined });
    yield* this.#evaluation.pages();
  }

  *#giveSpilled(): Steps<void> {
    yield* this.spill();
    const runs = this.#openRuns();
    const cutter = new PageCutter(runs.space, {
      types: this.#options.outputTypes,
      rowsMax: this.context.memory.knobs.value("page-rows"),
      onPage: (page) => this.give(page),
    });
    const batches = new SortedBatches({
      ...this.#sorting,
      evaluationRowBytes: this.#options.evaluationRowBytes,
      cuts: this.#options.cuts,
      onBatch: (batch, place) => this.#giveBatch(batch, place, cutter),
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

  *#giveBatch(rows: PositionedRows, { continues, firstRow, isContinued }: BatchPlace, cutter: PageCutter): Steps<void> {
    const memory = this.context.memory.child("evaluation");
    const evaluation = this.evaluate({ memory, rows, firstRow, carried: isContinued ? this.#carried : undefined });
    try {
      for (const page of evaluation.pages()) {
        if (page === undefined) {
          yield undefined;
          continue;
        }
        yield* cutter.add(page);
        if (evaluation.endsPage) {
          yield* cutter.finish();
        }
      }
      this.#carried = continues ? evaluation.carry?.() : undefined;
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
