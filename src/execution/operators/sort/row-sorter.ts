/**
 * Sorts the rows of a flat page in bounded steps. The result is an array of row numbers in the order of some columns, with ties in row
 * order. The kernels are in sort-rows.ts.
 */
import type { CompiledKernel } from "../../../codegen/ir.ts";
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import {
  digits,
  entryBytes,
  histogramBytes,
  type SortColumn,
  sortKernel,
  sortKey,
  type SortPart,
  type SortSteps,
  sortSteps,
} from "./sort-rows.ts";

export class RowSorter {
  readonly #memory: MemoryContext;
  readonly #arguments: PageArguments;
  readonly #kernels: KernelByLayout;
  readonly #sortSteps: SortSteps;

  constructor(runtime: KernelRuntime, memory: MemoryContext, columns: readonly SortColumn[]) {
    this.#memory = memory;
    this.#arguments = new PageArguments(memory, columns.length);
    const steps = sortSteps(memory.knobs.value("sort-step-rows"));
    this.#sortSteps = steps;
    this.#kernels = new KernelByLayout(runtime, `sort ${sortKey(columns)} ${steps.stepRows}`, (name, layout, variant) =>
      sortKernel(name, layout, { columns, part: variant as SortPart, steps }),
    );
  }

  /** Returns u32 row numbers in a block of the sorter's context. `keys` has neither selection nor ids, only the columns of the order. */
  sort(keys: Page): Address {
    const job = this.begin(keys);
    while (!job.step()) {
      // All steps at once: the caller has few rows.
    }
    return job.order;
  }

  /** The same in steps. `keys` must not change until the last step. */
  begin(keys: Page): SortJob {
    const kernels = (part: SortPart): CompiledKernel => this.#kernels.for(keys, part);
    return new SortJob({
      memory: this.#memory,
      rows: keys.positionCount,
      sortSteps: this.#sortSteps,
      kernels,
      pageArguments: () => this.#arguments.write(keys),
    });
  }
}

interface SortJobOptions {
  readonly memory: MemoryContext;
  readonly rows: number;
  readonly sortSteps: SortSteps;
  readonly kernels: (part: SortPart) => CompiledKernel;
  readonly pageArguments: () => Address;
}

/**
 * One sort in four parts: compute prefixes; radix passes over them; full comparison of runs with equal prefixes, by merging if they are
 * long; write row numbers.
 */
export class SortJob {
  readonly order: Address;
  readonly #options: SortJobOptions;
  readonly #histograms: Address;
  readonly #steps: Iterator<void>;
  #from: Address;
  #to: Address;

  constructor(options: SortJobOptions) {
    const { memory, rows } = options;
    this.#options = options;
    this.order = memory.allocate(Math.max(1, rows) * 4);
    this.#from = memory.allocate(Math.max(1, rows) * entryBytes);
    this.#to = memory.allocate(Math.max(1, rows) * entryBytes);
    this.#histograms = memory.allocateZeroed(histogramBytes);
    this.#steps = this.#run();
  }

  /** Returns true when `order` is complete. */
  step(): boolean {
    return this.#steps.next().done === true;
  }

  *#run(): Generator<void, void> {
    const { memory, rows, kernels } = this.#options;
    yield* this.#ranges(0, rows, (first, end) => this.#call("prefixes", this.#from, this.#histograms, first, end));
    if (rows < memory.knobs.value("radix-rows")) {
      this.#call("range", this.#from, this.#to, rows);
    } else {
      yield* this.#radix();
      if (Number(kernels("exact")(0)) === 0) {
        yield* this.#runs();
      }
    }
    yield* this.#ranges(0, rows, (first, end) => this.#call("rows", this.#from, this.order, first, end));
    memory.free(this.#from);
    memory.free(this.#to);
    memory.free(this.#histograms);
  }

  #call(part: SortPart, ...args: readonly number[]): number {
    return Number(this.#options.kernels(part)(this.#options.pageArguments(), ...args));
  }

  *#ranges(from: number, to: number, body: (first: number, end: number) => void): Generator<void, void> {
    const { stepRows } = this.#options.sortSteps;
    for (let first = from; first < to; first += stepRows) {
      const end = Math.min(to, first + stepRows);
      body(first, end);
      if (end < to) {
        yield;
      }
    }
  }

  /** Radix sort by the lowest byte first. A byte that is equal in all prefixes is skipped. */
  *#radix(): Generator<void, void> {
    const { memory, rows } = this.#options;
    for (const digit of digits) {
      const counts = this.#histograms + digit * 1024;
      const { u32 } = memory.linear;
      if (u32.subarray(counts >>> 2, (counts >>> 2) + 256).includes(rows)) {
        continue;
      }
      // Turns the counts into the target addresses of the entries of each byte.
      let start = this.#to;
      for (let value = counts >>> 2; value < (counts >>> 2) + 256; value++) {
        const bytes = (u32[value] as number) * entryBytes;
        u32[value] = start;
        start += bytes;
      }
      yield;
      yield* this.#ranges(0, rows, (first, end) => this.#call("spread", this.#from + digit, counts, first, end));
      [this.#from, this.#to] = [this.#to, this.#from];
    }
  }

  /** Entries with equal prefixes are adjacent and in row order. Columns that the prefix does not cover are compared now. */
  *#runs(): Generator<void, void> {
    const { rows } = this.#options;
    for (let start = 0; start < rows; ) {
      // The kernel stops before a long run as well as at the end of its step.
      const next = this.#call("runs", this.#from, this.#to, start, rows);
      yield;
      if (next > start || next >= rows) {
        start = next;
        continue;
      }
      const end = this.#call("run-end", this.#from, start, rows);
      yield* this.#mergeRun(start, end - start);
      start = end;
    }
  }

  /** One merge pass over halves that together exceed one step. */
  *#mergeHalves(pass: {
    readonly from: Address;
    readonly to: Address;
    readonly width: number;
    readonly count: number;
  }): Generator<void, void> {
    const { from, to, width, count } = pass;
    const { linear } = this.#options.memory;
    // Reuses the memory of the byte counts, which are no longer needed.
    const places = this.#histograms;
    for (let first = 0; first < count; first += 2 * width) {
      const middle = Math.min(count, first + width);
      const end = Math.min(count, middle + width);
      linear.u32[places >>> 2] = first;
      linear.u32[(places >>> 2) + 1] = middle;
      while (this.#call("merge-some", from, to, places, middle, end) === 0) {
        yield;
      }
    }
  }

  *#mergeRun(start: number, count: number): Generator<void, void> {
    const { stepRows, sortedRows, shortRunRows } = this.#options.sortSteps;
    const bytes = start * entryBytes;
    const entries = this.#from + bytes;
    for (let first = 0; first < count; first += sortedRows) {
      const end = Math.min(count, first + sortedRows);
      for (let piece = first; piece < end; piece += shortRunRows) {
        const place = piece * entryBytes;
        this.#call("range", entries + place, this.#to + bytes + place, Math.min(shortRunRows, end - piece));
      }
      yield;
    }
    let [from, to] = [entries, this.#to + bytes];
    for (let width = shortRunRows; width < count; width *= 2) {
      yield;
      if (2 * width <= stepRows) {
        const merge = (first: number, end: number): number =>
          this.#call("merge", from + first * entryBytes, to + first * entryBytes, width, end - first);
        yield* this.#ranges(0, count, merge);
      } else {
        yield* this.#mergeHalves({ from, to, width, count });
      }
      [from, to] = [to, from];
    }
    if (from !== entries) {
      this.#options.memory.linear.u8.copyWithin(entries, from, from + count * entryBytes);
    }
  }
}
