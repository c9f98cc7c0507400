/**
 * Rows that an operator keeps and sorts by partition keys (ascending, NULLs last), then by order keys. Ties stay in input order. Positions
 * count in the sorted order, over all partitions.
 */
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import type { Type } from "../../../types/type.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { selectColumns } from "../pages.ts";
import { RowSorter } from "./row-sorter.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import type { SortColumn } from "./sort-rows.ts";
import { beginningsKernel, newPartition } from "../window/kernels.ts";

export interface SortedRowsOptions {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
  readonly types: readonly Type[];
  readonly partitionChannels: readonly number[];
  readonly orderChannels: readonly number[];
  /** Order of `orderChannels`. */
  readonly order: readonly SortColumn[];
}

export class SortedRows {
  readonly store: RowStore;
  readonly #options: SortedRowsOptions;
  #rowCount = 0;
  #order: Address = 0;
  #flags: Address = 0;

  constructor(options: SortedRowsOptions) {
    const { runtime, memory, types } = options;
    this.#options = options;
    this.store = new RowStore({ runtime, memory, types });
  }

  /** Does not count an extra row appended to the store. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** u32 rows of the store by position; available once sorted. */
  get order(): Address {
    return this.#order;
  }

  /** One byte per position: newPartition, newPeers or neither (window/kernels.ts); available once sorted. */
  get flags(): Address {
    return this.#flags;
  }

  append(page: Page): void {
    this.store.append(page);
    this.#rowCount = this.store.rowCount;
  }

  /** Sorts in bounded steps. */
  *sort(): Generator<undefined, void> {
    const { partitionChannels, orderChannels } = this.#options;
    const keys = [...partitionChannels, ...orderChannels];
    this.#order = yield* this.#sortRows(keys);
    this.#flags = yield* this.#findBeginnings(keys);
  }

  /** The end of the partition that begins at `first`. */
  partitionEnd(first: number): number {
    const { u8 } = this.#options.memory.linear;
    let position = first + 1;
    while (position < this.#rowCount && u8[this.#flags + position] !== newPartition) {
      position++;
    }
    return position;
  }

  rowAt(position: number): number {
    return this.#options.memory.linear.u32[(this.#order >>> 2) + position] as number;
  }

  close(): void {
    this.store.close();
  }

  *#sortRows(keys: readonly number[]): Generator<undefined, Address> {
    const { memory, order, partitionChannels, runtime } = this.#options;
    if (keys.length === 0) {
      const rows = memory.allocate(Math.max(4, 4 * this.#rowCount));
      const { u32 } = memory.linear;
      for (let row = 0; row < this.#rowCount; row++) {
        u32[(rows >>> 2) + row] = row;
      }
      return rows;
    }
    const columns: readonly SortColumn[] = [...partitionChannels.map(() => ({ descending: false, nullsFirst: false })), ...order];
    const job = new RowSorter(runtime, memory, columns).begin(selectColumns(this.store.page(), keys));
    while (!job.step()) {
      yield undefined;
    }
    return job.order;
  }

  *#findBeginnings(keys: readonly number[]): Generator<undefined, Address> {
    const { memory, partitionChannels, runtime } = this.#options;
    const flags = memory.allocate(Math.max(1, this.#rowCount));
    const count = partitionChannels.length;
    const kernels = new KernelByLayout(runtime, `window beginnings ${count}`, (name, layout) => beginningsKernel(name, layout, count));
    const pageArguments = new PageArguments(memory, keys.length);
    const page = selectColumns(this.store.page(), keys);
    const stepRows = memory.knobs.value("sort-step-rows");
    for (let first = 0; first < this.#rowCount; first += stepRows) {
      kernels.for(page)(pageArguments.write(page), this.#order, flags, first, Math.min(this.#rowCount, first + stepRows));
      yield undefined;
    }
    return flags;
  }
}
