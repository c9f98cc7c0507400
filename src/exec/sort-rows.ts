/**
 * Sorts the rows of a flat page: an array of row numbers in the order of some columns, ties in row order. The first column's values become 8-byte
 * prefixes whose unsigned order is theirs; full comparisons run only between equal prefixes. Used by OrderBy, TopN and (the comparison) by merging.
 */
import { type InputLayout, type InputReader, openInput } from "../compile/columns.ts";
import { emitCompare, emitOrderingKey } from "../functions/operations.ts";
import { buildKernel, type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, type Local, select } from "../kernel/builder.ts";
import type { Value } from "../functions/value.ts";
import type { Expr, Kernel } from "../kernel/ir.ts";
import type { KernelRuntime } from "../kernel/runtime.ts";
import type { MemoryContext } from "../page/memory.ts";
import type { Address, Page } from "../page/page.ts";
import { KernelByLayout, PageArguments } from "./kernel-cache.ts";

export interface SortColumn {
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** A prefix (u64), the row (u32), unused (u32). */
const entryBytes = 16;

export function sortKey(columns: readonly SortColumn[]): string {
  return columns.map((column) => `${column.descending ? "d" : "a"}${column.nullsFirst ? "f" : "l"}`).join("");
}

export class RowSorter {
  readonly #memory: MemoryContext;
  readonly #arguments: PageArguments;
  readonly #kernels: KernelByLayout;

  constructor(runtime: KernelRuntime, memory: MemoryContext, columns: readonly SortColumn[]) {
    this.#memory = memory;
    this.#arguments = new PageArguments(memory, columns.length);
    this.#kernels = new KernelByLayout(runtime, `sort ${sortKey(columns)}`, (name, layout) => sortKernel(name, layout, columns));
  }

  /** u32 row numbers in a block of the sorter's context. `keys` has neither selection nor ids; its columns are those of the order. */
  sort(keys: Page): Address {
    const rows = keys.positionCount;
    const order = this.#memory.allocate(Math.max(1, rows) * 4);
    const entries = this.#memory.allocate(Math.max(1, rows) * entryBytes);
    const scratch = this.#memory.allocate(Math.max(1, rows) * entryBytes);
    const histograms = this.#memory.allocate(histogramBytes);
    this.#kernels.for(keys)(this.#arguments.write(keys), entries, scratch, histograms, order);
    this.#memory.free(entries);
    this.#memory.free(scratch);
    this.#memory.free(histograms);
    return order;
  }
}

/** A function (row a, row b) -> i32: below 0 when a comes before b; the columns of `layout` in order. */
function compareFunction(kernel: KernelBuilder, layout: InputLayout, columns: readonly SortColumn[], firstColumn: number): FunctionRef {
  return kernel.function_("compare", { params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [pageArguments, left, right] = params as readonly [Local, Local, Local];
    const input = openInput(b, pageArguments, layout);
    emitCompareRows(b, { input, columns, left, right, firstColumn });
    b.return_(i32.const(0));
  });
}

interface CompareRows {
  readonly input: InputReader;
  readonly columns: readonly SortColumn[];
  readonly left: Expr;
  readonly right: Expr;
  readonly firstColumn: number;
}

/** Returns from the function with the order of the first column that differs. */
function emitCompareRows(b: CodeBuilder, { input, columns, left, right, firstColumn }: CompareRows): void {
  for (let index = firstColumn; index < columns.length; index++) {
    const { descending, nullsFirst } = columns[index] as SortColumn;
    const x = input.column(index, left);
    const y = input.column(index, right);
    const compareValues = (): void => {
      const order = b.temp(emitCompare(b, x, y));
      b.if_(order, () => b.return_(descending ? i32.sub(i32.const(0), order) : order));
    };
    if (x.isNull === undefined || y.isNull === undefined) {
      compareValues();
      continue;
    }
    const [xNull, yNull] = [x.isNull, y.isNull];
    b.if_(
      i32.or(xNull, yNull),
      () =>
        b.if_(i32.xor(xNull, yNull), () =>
          b.return_(nullsFirst ? select(xNull, i32.const(-1), i32.const(1)) : select(xNull, i32.const(1), i32.const(-1))),
        ),
      compareValues,
    );
  }
}

/** Of a value that is not null: u64 whose unsigned order agrees with the column's order. */
export function emitDirectedKey(b: CodeBuilder, value: Value, column: SortColumn): { readonly directed: Expr; readonly exact: boolean } {
  const { key, exact } = emitOrderingKey(b, value);
  return { directed: b.temp(column.descending ? i64.xor(key, i64.const(-1n)) : key), exact };
}

/** Gives one bit to NULLs. */
export function emitNullPrefix({
  directed,
  isNull,
  nullsFirst,
}: {
  readonly directed: Expr;
  readonly isNull: Expr;
  readonly nullsFirst: boolean;
}): Expr {
  const shifted = i64.shrU(directed, i64.const(1n));
  const top = i64.const(1n << 63n);
  return nullsFirst ? select(isNull, i64.const(0n), i64.or(shifted, top)) : select(isNull, i64.const(-1n), shifted);
}

/** Like emitDirectedKey for any row of column 0; `exact` says that equal prefixes mean equal values. */
export function emitSortPrefix(
  b: CodeBuilder,
  input: InputReader,
  column: SortColumn,
  row: Expr,
): { readonly prefix: Expr; readonly exact: boolean } {
  const value = input.column(0, row);
  const { directed, exact } = emitDirectedKey(b, value, column);
  if (value.isNull === undefined) {
    return { prefix: directed, exact };
  }
  return { prefix: emitNullPrefix({ directed, isNull: value.isNull, nullsFirst: column.nullsFirst }), exact: false };
}

/** Fewer rows than this are merged, more are distributed by the bytes of their prefixes. */
const radixRowsMin = 512;
const digits = [0, 1, 2, 3, 4, 5, 6, 7] as const;
/** u32 counts of 256 values for each of the eight bytes. */
const histogramBytes = 8 * 256 * 4;

/** page arguments, entries, scratch of the same size, histograms, where the row numbers go. Stable. */
function sortKernel(name: string, layout: InputLayout, columns: readonly SortColumn[]): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, entries, scratch, histograms, order] = params as readonly [Local, Local, Local, Local, Local];
      const input = openInput(b, pageArguments, layout);
      const count = input.positionCount;
      let exact = false;
      b.forRange(i32.const(0), count, (row) => {
        const prefix = emitSortPrefix(b, input, columns[0] as SortColumn, row);
        exact = prefix.exact;
        const entry = b.temp(i32.add(entries, i32.shl(row, i32.const(4))));
        b.store("i64.store", entry, prefix.prefix);
        b.store("i32.store", entry, row, 8);
      });
      const before = comesBefore(kernel, layout, columns, exact);
      const from = b.local("i32", entries);
      const to = b.local("i32", scratch);
      const sortRange = rangeFunction(kernel, before);
      b.if_(
        i32.ltU(count, i32.const(radixRowsMin)),
        () => b.do_(sortRange, pageArguments, from, to, count),
        () => {
          emitRadixSort(b, { from, to, count, histograms });
          if (!exact || columns.length > 1) {
            emitSortRuns(b, { pageArguments, from, to, count, sortRange });
          }
        },
      );
      b.forRange(i32.const(0), count, (position) => {
        b.store("i32.store", i32.add(order, i32.shl(position, i32.const(2))), i32.load(i32.add(from, i32.shl(position, i32.const(4))), 8));
      });
    });
  });
}

/** By the lowest byte first; a byte that is the same in all prefixes costs nothing. Swaps `from` and `to` with each pass. */
function emitRadixSort(
  b: CodeBuilder,
  { from, to, count, histograms }: { readonly from: Local; readonly to: Local; readonly count: Expr; readonly histograms: Expr },
): void {
  const bucket = (digit: number, entry: Expr): Expr =>
    i32.add(i32.add(histograms, i32.const(digit * 1024)), i32.shl(i32.load8u(entry, digit), i32.const(2)));
  b.fillBytes(histograms, i32.const(0), i32.const(histogramBytes));
  b.forRange(i32.const(0), count, (index) => {
    const entry = b.temp(i32.add(from, i32.shl(index, i32.const(4))));
    for (const digit of digits) {
      const at = b.temp(bucket(digit, entry));
      b.store("i32.store", at, i32.add(i32.load(at), i32.const(1)));
    }
  });
  for (const digit of digits) {
    b.if_(i32.ne(i32.load(bucket(digit, from)), count), () => {
      const start = b.local("i32", to);
      b.forRange(i32.const(0), i32.const(256), (value) => {
        const at = b.temp(i32.add(i32.add(histograms, i32.const(digit * 1024)), i32.shl(value, i32.const(2))));
        const size = b.temp(i32.shl(i32.load(at), i32.const(4)));
        b.store("i32.store", at, start);
        b.set(start, i32.add(start, size));
      });
      b.forRange(i32.const(0), count, (index) => {
        const entry = b.temp(i32.add(from, i32.shl(index, i32.const(4))));
        const at = b.temp(bucket(digit, entry));
        const target = b.temp(i32.load(at));
        b.store("i64.store", target, i64.load(entry));
        b.store("i64.store", target, i64.load(entry, 8), 8);
        b.store("i32.store", at, i32.add(target, i32.const(entryBytes)));
      });
      const swapped = b.temp(from);
      b.set(from, to);
      b.set(to, swapped);
    });
  }
}

interface SortRuns {
  readonly pageArguments: Expr;
  readonly from: Expr;
  readonly to: Expr;
  readonly count: Expr;
  readonly sortRange: FunctionRef;
}

/** Entries with equal prefixes lie side by side in row order; what the prefix does not say is compared now. */
function emitSortRuns(b: CodeBuilder, { pageArguments, from, to, count, sortRange }: SortRuns): void {
  const start = b.local("i32", i32.const(0));
  b.while_(
    () => i32.ltU(start, count),
    () => {
      const first = b.temp(i32.add(from, i32.shl(start, i32.const(4))));
      const prefix = b.temp(i64.load(first));
      const length = b.local("i32", i32.const(1));
      b.block((ended) => {
        b.loop((next) => {
          b.break_(ended, i32.geU(i32.add(start, length), count));
          b.break_(ended, i64.ne(i64.load(i32.add(first, i32.shl(length, i32.const(4)))), prefix));
          b.set(length, i32.add(length, i32.const(1)));
          b.continue_(next);
        });
      });
      b.if_(i32.gtU(length, i32.const(1)), () => b.do_(sortRange, pageArguments, first, i32.add(to, i32.shl(start, i32.const(4))), length));
      b.set(start, i32.add(start, length));
    },
  );
}

/** (page arguments, entries, scratch, count): bottom-up merge sort, stable; the result is in `entries`. */
function rangeFunction(kernel: KernelBuilder, before: FunctionRef): FunctionRef {
  return kernel.function_("sort-range", { params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
    const [pageArguments, entries, scratch, count] = params as readonly [Local, Local, Local, Local];
    const from = b.local("i32", entries);
    const to = b.local("i32", scratch);
    const width = b.local("i32", i32.const(1));
    b.while_(
      () => i32.ltU(width, count),
      () => {
        emitMergePass(b, { pageArguments, from, to, width, count, before });
        const swapped = b.temp(from);
        b.set(from, to);
        b.set(to, swapped);
        b.set(width, i32.shl(width, i32.const(1)));
      },
    );
    b.if_(i32.ne(from, entries), () => b.copyBytes(entries, from, i32.shl(count, i32.const(4))));
  });
}

/** (page arguments, entry a, entry b) -> 1 when b must come before a, where a is the earlier row of equals. */
function comesBefore(kernel: KernelBuilder, layout: InputLayout, columns: readonly SortColumn[], exact: boolean): FunctionRef {
  const compare = exact && columns.length === 1 ? undefined : compareFunction(kernel, layout, columns, exact ? 1 : 0);
  return kernel.function_("second-first", { params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [pageArguments, first, second] = params as readonly [Local, Local, Local];
    const x = b.temp(i64.load(first));
    const y = b.temp(i64.load(second));
    b.if_(i64.ne(x, y), () => b.return_(i64.gtU(x, y)));
    b.return_(
      compare === undefined ? i32.const(0) : i32.gtS(b.call(compare, pageArguments, i32.load(first, 8), i32.load(second, 8)), i32.const(0)),
    );
  });
}

interface MergePass {
  readonly pageArguments: Expr;
  readonly from: Local;
  readonly to: Local;
  readonly width: Local;
  readonly count: Expr;
  readonly before: FunctionRef;
}

function emitMergePass(b: CodeBuilder, { pageArguments, from, to, width, count, before }: MergePass): void {
  const at = (base: Expr, index: Expr): Expr => i32.add(base, i32.shl(index, i32.const(4)));
  const start = b.local("i32", i32.const(0));
  b.while_(
    () => i32.ltU(start, count),
    () => {
      const middle = b.temp(minimum(b, i32.add(start, width), count));
      const end = b.temp(minimum(b, i32.add(middle, width), count));
      const left = b.local("i32", start);
      const right = b.local("i32", middle);
      const target = b.local("i32", at(to, start));
      const leftEnd = b.temp(middle);
      b.while_(
        () => i32.and(i32.ltU(left, leftEnd), i32.ltU(right, end)),
        () => {
          const source = b.local("i32", at(from, left));
          b.if_(
            b.call(before, pageArguments, at(from, left), at(from, right)),
            () => {
              b.set(source, at(from, right));
              b.set(right, i32.add(right, i32.const(1)));
            },
            () => b.set(left, i32.add(left, i32.const(1))),
          );
          b.store("i64.store", target, i64.load(source));
          b.store("i64.store", target, i64.load(source, 8), 8);
          b.set(target, i32.add(target, i32.const(entryBytes)));
        },
      );
      const rest = b.temp(i32.shl(i32.sub(leftEnd, left), i32.const(4)));
      b.copyBytes(target, at(from, left), rest);
      b.copyBytes(i32.add(target, rest), at(from, right), i32.shl(i32.sub(end, right), i32.const(4)));
      b.set(start, end);
    },
  );
}

function minimum(b: CodeBuilder, x: Expr, y: Expr): Expr {
  const left = b.temp(x);
  return select(i32.ltU(left, y), left, y);
}
