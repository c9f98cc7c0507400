/**
 * The kernels that sort the rows of a flat page by some columns, with ties in row order. Values of the first column become 8-byte prefixes
 * with the same order when compared as unsigned integers. Full comparisons run only between equal prefixes. Merging uses the same
 * comparison.
 */
import { type InputLayout, type InputReader, openInput } from "../../expressions/columns.ts";
import { emitCompare, emitOrderingKey } from "../../../functions/runtime/operations.ts";
import {
  buildKernel,
  type CodeBuilder,
  type FunctionRef,
  i32,
  i64,
  type KernelBuilder,
  type Local,
  select,
} from "../../../codegen/builder.ts";
import type { Value } from "../../../functions/runtime/value.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";

export interface SortColumn {
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** A prefix (u64), the row (u32), unused (u32). */
export const entryBytes = 16;

export function sortKey(columns: readonly SortColumn[]): string {
  return columns.map((column) => `${column.descending ? "d" : "a"}${column.nullsFirst ? "f" : "l"}`).join("");
}

/** How a sort is cut into steps, which keeps the driver's slices short. All are powers of two. */
export interface SortSteps {
  /** Number of rows that one step moves or, in a merge, compares. */
  readonly stepRows: number;
  /** Number of rows that one step sorts by comparison; each takes more than ten comparisons. */
  readonly sortedRows: number;
  /** Maximum number of rows with one prefix that are sorted in a single step. */
  readonly shortRunRows: number;
}

export function sortSteps(stepRows: number): SortSteps {
  return { stepRows, sortedRows: stepRows / 8, shortRunRows: stepRows / 16 };
}

/** A function (row a, row b) -> i32, negative if a comes before b by the columns of `layout` in order. */
function compareFunction(kernel: KernelBuilder, layout: InputLayout, columns: readonly SortColumn[], firstColumn: number): FunctionRef {
  return kernel.function_("compare", { params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [pageArguments, left, right] = params;
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

/** For a value that is not NULL: a u64 whose unsigned order agrees with the column's order. */
export function emitDirectedKey(b: CodeBuilder, value: Value, column: SortColumn): { readonly directed: Expr; readonly exact: boolean } {
  const { key, exact } = emitOrderingKey(b, value);
  return { directed: b.temp(column.descending ? i64.xor(key, i64.const(-1n)) : key), exact };
}

/** Reserves one bit for NULLs. */
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

/** Like emitDirectedKey for any row of column 0. `exact`: equal prefixes mean equal values. */
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

export const digits = [0, 1, 2, 3, 4, 5, 6, 7] as const;
/** u32 counts of 256 values for each of the eight bytes. */
export const histogramBytes = 8 * 256 * 4;

/**
 * The kernels of a sort. All except `exact` take the page arguments first.
 *
 * - prefixes (entries, histograms, first row, end): writes entries of rows, and counts the bytes of their prefixes.
 * - spread (entries + digit, places of the 256 values of this byte, first entry, end): moves entries to their places.
 * - range (entries, scratch, count): sorts by full comparison.
 * - runs (entries, scratch, first entry, count): sorts runs of equal prefixes; returns the entry reached.
 * - run-end (entries, first entry, count): returns the entry after the run.
 * - merge (from, to, width, count): one pass.
 * - merge-some (from, to, u32 places in both halves, middle, end): merges stepRows of two halves; returns whether they are done.
 * - rows (entries, order, first, end): writes the row numbers.
 * - exact (): returns whether equal prefixes mean equal rows.
 */
export type SortPart = "prefixes" | "spread" | "range" | "runs" | "run-end" | "merge" | "merge-some" | "rows" | "exact";

const partParams: Readonly<Record<SortPart, number>> = Object.freeze({
  prefixes: 5,
  spread: 5,
  range: 4,
  runs: 5,
  "run-end": 4,
  merge: 5,
  "merge-some": 6,
  rows: 5,
  exact: 1,
});

export function sortKernel(
  name: string,
  layout: InputLayout,
  { columns, part, steps }: { readonly columns: readonly SortColumn[]; readonly part: SortPart; readonly steps: SortSteps },
): Kernel {
  return buildKernel(name, (kernel) => {
    const exact = isExact(layout, columns);
    const merges = part === "merge" || part === "merge-some";
    const before = part === "range" || part === "runs" || merges ? comesBefore(kernel, layout, columns, exact) : undefined;
    const sortRange = before === undefined || merges ? undefined : rangeFunction(kernel, before);
    kernel.entry({ params: Array.from({ length: partParams[part] }, () => "i32" as const), result: "i32" }, (b, params) => {
      const [pageArguments, p1, p2, p3, p4, p5] = params as unknown as readonly [Local, Local, Local, Local, Local, Local];
      switch (part) {
        case "prefixes":
          emitPrefixes(b, { input: openInput(b, pageArguments, layout, new Set([0])), column: columns[0] as SortColumn }, [p1, p2, p3, p4]);
          break;
        case "spread":
          emitSpread(b, [p1, p2, p3, p4]);
          break;
        case "range":
          b.do_(sortRange as FunctionRef, pageArguments, p1, p2, p3);
          break;
        case "runs":
          emitSortRuns(b, { pageArguments, from: p1, to: p2, start: p3, count: p4, sortRange: sortRange as FunctionRef, steps });
          break;
        case "run-end":
          b.return_(i32.add(p2, emitRunLength(b, { first: b.temp(entryAt(p1, p2)), start: p2, count: p3 })));
          break;
        case "merge":
          emitMergePass(b, { pageArguments, from: p1, to: p2, width: p3, count: p4, before: before as FunctionRef });
          break;
        case "merge-some":
          emitMergeSome(b, { pageArguments, from: p1, to: p2, places: p3, middle: p4, end: p5, before: before as FunctionRef, steps });
          break;
        case "rows":
          b.forRange(p3, p4, (position) => {
            b.store("i32.store", i32.add(p2, i32.shl(position, i32.const(2))), i32.load(entryAt(p1, position), 8));
          });
          break;
        case "exact":
          b.return_(i32.const(exact && columns.length === 1 ? 1 : 0));
      }
      b.return_(i32.const(0));
    });
  });
}

/** Whether prefixes contain the whole first column. NULLs take one bit of them. */
function isExact(layout: InputLayout, columns: readonly SortColumn[]): boolean {
  let exact = false;
  // The kernel is built only to learn `exact`; it never runs.
  buildKernel("sort-exact", (kernel) => {
    kernel.entry({ params: ["i32"] }, (b, [pageArguments]) => {
      exact = emitSortPrefix(b, openInput(b, pageArguments as Local, layout, new Set([0])), columns[0] as SortColumn, i32.const(0)).exact;
    });
  });
  return exact;
}

function entryAt(entries: Expr, index: Expr): Expr {
  return i32.add(entries, i32.shl(index, i32.const(4)));
}

type StepParams = readonly [Local, Local, Local, Local];

function emitPrefixes(
  b: CodeBuilder,
  { input, column }: { readonly input: InputReader; readonly column: SortColumn },
  [entries, histograms, first, end]: StepParams,
): void {
  b.forRange(first, end, (row) => {
    const prefix = b.temp(emitSortPrefix(b, input, column, row).prefix);
    const entry = b.temp(entryAt(entries, row));
    b.store("i64.store", entry, prefix);
    b.store("i32.store", entry, row, 8);
    for (const digit of digits) {
      const at = b.temp(i32.add(histograms, i32.add(i32.const(digit * 1024), i32.shl(i32.load8u(entry, digit), i32.const(2)))));
      b.store("i32.store", at, i32.add(i32.load(at), i32.const(1)));
    }
  });
}

/** `bytes` is the address of the byte in the first entry. */
function emitSpread(b: CodeBuilder, [bytes, places, first, end]: StepParams): void {
  const digit = b.local("i32", i32.and(bytes, i32.const(7)));
  b.forRange(first, end, (index) => {
    const byte = b.temp(entryAt(bytes, index));
    const entry = b.temp(i32.sub(byte, digit));
    const at = b.temp(i32.add(places, i32.shl(i32.load8u(byte), i32.const(2))));
    const target = b.temp(i32.load(at));
    b.store("i64.store", target, i64.load(entry));
    b.store("i64.store", target, i64.load(entry, 8), 8);
    b.store("i32.store", at, i32.add(target, i32.const(entryBytes)));
  });
}

interface SortRuns {
  readonly pageArguments: Expr;
  readonly from: Expr;
  readonly to: Expr;
  readonly start: Local;
  readonly count: Expr;
  readonly sortRange: FunctionRef;
  readonly steps: SortSteps;
}

/** Returns the entry reached: after at least as many entries as one step sorts, before a long run, or at the end. */
function emitSortRuns(b: CodeBuilder, { pageArguments, from, to, start, count, sortRange, steps }: SortRuns): void {
  const enough = b.local("i32", i32.add(start, i32.const(steps.sortedRows)));
  b.while_(
    () => i32.and(i32.ltU(start, count), i32.ltU(start, enough)),
    () => {
      const first = b.temp(entryAt(from, start));
      const length = emitRunLength(b, { first, start, count });
      b.if_(i32.gtU(length, i32.const(steps.shortRunRows)), () => b.return_(start));
      b.if_(i32.gtU(length, i32.const(1)), () => b.do_(sortRange, pageArguments, first, entryAt(to, start), length));
      b.set(start, i32.add(start, length));
    },
  );
  b.return_(start);
}

function emitRunLength(
  b: CodeBuilder,
  { first, start, count }: { readonly first: Expr; readonly start: Expr; readonly count: Expr },
): Local {
  const prefix = b.temp(i64.load(first));
  const length = b.local("i32", i32.const(1));
  b.block((ended) => {
    b.loop((next) => {
      b.break_(ended, i32.geU(i32.add(start, length), count));
      b.break_(ended, i64.ne(i64.load(entryAt(first, length)), prefix));
      b.set(length, i32.add(length, i32.const(1)));
      b.continue_(next);
    });
  });
  return length;
}

/** (page arguments, entries, scratch, count): stable bottom-up merge sort; the result is in `entries`. */
function rangeFunction(kernel: KernelBuilder, before: FunctionRef): FunctionRef {
  return kernel.function_("sort-range", { params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
    const [pageArguments, entries, scratch, count] = params;
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

/** (page arguments, entry a, entry b) -> 1 if b must come before a, where a is the earlier row. */
function comesBefore(kernel: KernelBuilder, layout: InputLayout, columns: readonly SortColumn[], exact: boolean): FunctionRef {
  const compare = exact && columns.length === 1 ? undefined : compareFunction(kernel, layout, columns, exact ? 1 : 0);
  return kernel.function_("second-first", { params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [pageArguments, first, second] = params;
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

interface MergeSome {
  readonly pageArguments: Expr;
  readonly from: Expr;
  readonly to: Expr;
  /** Address of the places reached in both halves. */
  readonly places: Expr;
  readonly middle: Expr;
  readonly end: Expr;
  readonly before: FunctionRef;
  readonly steps: SortSteps;
}

function emitMergeSome(b: CodeBuilder, { pageArguments, from, to, places, middle, end, before, steps }: MergeSome): void {
  const left = b.local("i32", i32.load(places));
  const right = b.local("i32", i32.load(places, 4));
  const target = b.local("i32", entryAt(to, i32.sub(i32.add(left, right), middle)));
  const rest = b.local("i32", i32.const(steps.stepRows));
  b.while_(
    () => i32.and(i32.ne(rest, i32.const(0)), i32.or(i32.ltU(left, middle), i32.ltU(right, end))),
    () => {
      const takesRight = b.local("i32", i32.geU(left, middle));
      b.if_(i32.and(i32.ltU(left, middle), i32.ltU(right, end)), () =>
        b.set(takesRight, b.call(before, pageArguments, entryAt(from, left), entryAt(from, right))),
      );
      const source = b.temp(entryAt(from, select(takesRight, right, left)));
      b.store("i64.store", target, i64.load(source));
      b.store("i64.store", target, i64.load(source, 8), 8);
      b.set(target, i32.add(target, i32.const(entryBytes)));
      b.set(right, i32.add(right, takesRight));
      b.set(left, i32.add(left, i32.eqz(takesRight)));
      b.set(rest, i32.sub(rest, i32.const(1)));
    },
  );
  b.store("i32.store", places, left);
  b.store("i32.store", places, right, 4);
  b.return_(i32.and(i32.geU(left, middle), i32.geU(right, end)));
}

function minimum(b: CodeBuilder, x: Expr, y: Expr): Expr {
  const left = b.temp(x);
  return select(i32.ltU(left, y), left, y);
}
