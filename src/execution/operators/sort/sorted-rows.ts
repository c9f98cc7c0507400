/**
 * Rows that an operator keeps and sorts by partition keys (ascending, NULLs last), then by order keys. Ties stay in input order. Positions
 * count in the sorted order, over all partitions.
 */
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { Address, LinearMemory, MemoryContext } from "../../../memory/memory.ts";
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

/** Sorted rows, by position. */
export abstract class PositionedRows {
  abstract readonly store: RowStore;
  /** u32 rows of the store. */
  abstract readonly order: Address;
  /** One byte per position: newPartition, newPeers or neither (window/kernels.ts). */
  abstract readonly flags: Address;
  abstract readonly rowCount: number;
  protected abstract readonly linear: LinearMemory;

  /** The end of the partition that begins at `first`. */
  partitionEnd(first: number): number {
    const { u8 } = this.linear;
    let position = first + 1;
    while (position < this.rowCount && u8[this.flags + position] !== newPartition) {
      position++;
    }
    return position;
  }

  rowAt(position: number): number {
    return this.linear.u32[(this.order >>> 2) + position] as number;
  }
}

/** Partitions come in ascending order of their keys, NULLs last. */
export function partitionOrder(channels: readonly number[]): readonly SortColumn[] {
  return channels.map(() => ({ descending: false, nullsFirst: false }));
}

/** Finds out where partitions and peer groups begin. */
export class Beginnings {
  readonly #keys: readonly number[];
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;

  constructor({
    memory,
    orderChannels,
    partitionChannels,
    runtime,
  }: Pick<SortedRowsOptions, "memory" | "orderChannels" | "partitionChannels" | "runtime">) {
    const count = partitionChannels.length;
    this.#keys = [...partitionChannels, ...orderChannels];
    this.#kernels = new KernelByLayout(runtime, `window beginnings ${count}`, (name, layout) => beginningsKernel(name, layout, count));
    this.#arguments = new PageArguments(memory, this.#keys.length);
  }

  /** Writes the flags of positions from `first` on. The positions before them are known. */
  find(rows: Page, at: { readonly order: Address; readonly flags: Address }, first: number, end: number): void {
    const page = selectColumns(rows, this.#keys);
    this.#kernels.for(page)(this.#arguments.write(page), at.order, at.flags, first, end);
  }
}

export class SortedRows extends PositionedRows {
  readonly store: RowStore;
  protected readonly linear: LinearMemory;
  readonly #options: SortedRowsOptions;
  #rowCount = 0;
  #order: Address = 0;
  #flags: Address = 0;

  constructor(options: SortedRowsOptions) {
    super();
    const { runtime, memory, types } = options;
    this.#options = options;
    this.linear = memory.linear;
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
    this.#order = yield* this.#sortRows([...partitionChannels, ...orderChannels]);
    this.#flags = yield* this.#findBeginnings();
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
    const job = new RowSorter(runtime, memory, [...partitionOrder(partitionChannels), ...order]).begin(
      selectColumns(this.store.page(), keys),
    );
    while (!job.step()) {
      yield undefined;
    }
    return job.order;
  }

  *#findBeginnings(): Generator<undefined, Address> {
    const { memory } = this.#options;
    const flags = memory.allocate(Math.max(1, this.#rowCount));
    const beginnings = new Beginnings(this.#options);
    const page = this.store.page();
    const stepRows = memory.knobs.value("sort-step-rows");
    for (let first = 0; first < this.#rowCount; first += stepRows) {
      beginnings.find(page, { order: this.#order, flags }, first, Math.min(this.#rowCount, first + stepRows));
      yield undefined;
    }
    return flags;
  }
}
