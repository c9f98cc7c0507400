/**
 * Cuts sorted rows into batches of whole partitions: rows that agree in the partition keys are in one batch. So what is computed by
 * partition needs memory for one batch, unless a single partition is larger. A partition of which rows need nothing that follows them may
 * be cut, too.
 */
import type { Address, LinearMemory, MemoryContext } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import { isTight } from "../../spill/memory-revoker.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { slicePage } from "../pages.ts";
import { newPartition, newPeers } from "../window/kernels.ts";
import { Beginnings, PositionedRows, type SortedRowsOptions } from "./sorted-rows.ts";

export interface SortedBatchesOptions extends Omit<SortedRowsOptions, "order"> {
  /** Bytes that the evaluation of a batch needs for each of its rows. */
  readonly evaluationRowBytes: number;
  /** Where a partition may be cut; undefined if nowhere. */
  readonly cuts: PartitionCuts;
  /** Receives each batch. It is valid until the next step. */
  readonly onBatch: (batch: PositionedRows, place: BatchPlace) => Steps<void>;
}

/** Between two groups of peers, or between any two rows. */
export type PartitionCuts = "peers" | "rows" | undefined;

export interface BatchPlace {
  /** Number of its first row, of all rows. */
  readonly firstRow: number;
  /** The first partition is the last one of the batch before. */
  readonly isContinued: boolean;
  /** The last partition goes on in the next batch. */
  readonly continues: boolean;
}

export class SortedBatches {
  readonly #options: SortedBatchesOptions;
  #batch: SortedBatch;
  /** Number of the first row of the batch. */
  #firstRow = 0;
  #isContinued = false;
  #closed = false;

  constructor(options: SortedBatchesOptions) {
    this.#options = options;
    this.#batch = new SortedBatch(options);
  }

  /** Rows that follow those before in the order. */
  *add(page: Page): Steps<void> {
    const { evaluationRowBytes, memory } = this.#options;
    this.#batch.append(page);
    const { rowCount, store } = this.#batch;
    const growth = store.growthBytes(page.positionCount) + evaluationRowBytes * (rowCount + page.positionCount);
    const end = this.#possibleEnd;
    if (end > 0 && (store.dataBytes >= memory.knobs.value("window-batch-bytes") || isTight(memory, growth))) {
      yield* this.#evaluate(end, this.#batch.lastStart === 0);
    }
    yield undefined;
  }

  /** Passes the last batch on. */
  *finish(): Steps<void> {
    if (this.#batch.rowCount > 0) {
      yield* this.#evaluate(this.#batch.rowCount, false);
    }
  }

  /** Number of rows of which a batch may consist; 0 if there must be more. */
  get #possibleEnd(): number {
    const { lastPeers, lastStart, rowCount } = this.#batch;
    if (lastStart > 0 || this.#options.cuts === undefined) {
      return lastStart;
    }
    return this.#options.cuts === "peers" ? lastPeers : rowCount - 1;
  }

  /** Frees its memory. Idempotent. Must be called before the memory context closes. */
  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#batch.close();
    }
  }

  /** Passes the first rows on, and keeps the others. */
  *#evaluate(count: number, continues: boolean): Steps<void> {
    const batch = this.#batch;
    const next = new SortedBatch(this.#options);
    this.#batch = next;
    try {
      if (count < batch.rowCount) {
        next.append(slicePage(batch.store.page(), count, batch.rowCount - count));
      }
      yield* this.#options.onBatch(new FirstRows(batch, count), { firstRow: this.#firstRow, isContinued: this.#isContinued, continues });
      this.#firstRow += count;
      this.#isContinued = continues;
    } finally {
      batch.close();
    }
  }
}

/** The first partitions of a batch. */
class FirstRows extends PositionedRows {
  readonly store: RowStore;
  readonly order: Address;
  readonly flags: Address;
  readonly rowCount: number;
  protected readonly linear: LinearMemory;

  constructor({ flags, linear, order, store }: SortedBatch, rowCount: number) {
    super();
    this.store = store;
    this.order = order;
    this.flags = flags;
    this.linear = linear;
    this.rowCount = rowCount;
  }
}

class SortedBatch {
  readonly store: RowStore;
  readonly #memory: MemoryContext;
  readonly #beginnings: Beginnings;
  #order: Address = 0;
  #flags: Address = 0;
  #capacity = 0;
  #lastStart = 0;
  #lastPeers = 0;

  constructor(options: SortedBatchesOptions) {
    const { memory, runtime, types } = options;
    this.#memory = memory.child("batch");
    this.store = new RowStore({ runtime, memory: this.#memory, types });
    this.#beginnings = new Beginnings({ ...options, memory: this.#memory });
  }

  get rowCount(): number {
    return this.store.rowCount;
  }

  get linear(): LinearMemory {
    return this.#memory.linear;
  }

  get order(): Address {
    return this.#order;
  }

  get flags(): Address {
    return this.#flags;
  }

  /** Position at which the last partition begins. */
  get lastStart(): number {
    return this.#lastStart;
  }

  /** Position at which the last group of peers begins. */
  get lastPeers(): number {
    return this.#lastPeers;
  }

  append(page: Page): void {
    const first = this.rowCount;
    this.store.append(page);
    const count = this.rowCount;
    this.#reserve(count);
    const { u32 } = this.#memory.linear;
    for (let row = first; row < count; row++) {
      u32[(this.#order >>> 2) + row] = row;
    }
    this.#beginnings.find(this.store.page(), this, first, count);
    this.#lastStart = this.#last(newPartition, first) ?? this.#lastStart;
    this.#lastPeers = this.#last(newPeers, first) ?? this.#lastPeers;
  }

  /** The last position from `first` on whose flag is `least` or more. */
  #last(least: number, first: number): number | undefined {
    const { u8 } = this.#memory.linear;
    let last = this.rowCount - 1;
    while (last >= first && (u8[this.#flags + last] as number) < least) {
      last--;
    }
    return last < first ? undefined : last;
  }

  close(): void {
    this.store.close();
    this.#memory.close();
  }

  #reserve(rows: number): void {
    if (rows > this.#capacity) {
      const capacity = Math.max(rows, 2 * this.#capacity);
      this.#order = this.#resized(this.#order, 4 * capacity);
      this.#flags = this.#resized(this.#flags, capacity);
      this.#capacity = capacity;
    }
  }

  #resized(address: Address, bytes: number): Address {
    return address === 0 ? this.#memory.allocate(bytes) : this.#memory.reallocate(address, bytes);
  }
}
