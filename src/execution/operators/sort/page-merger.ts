/**
 * Merges sorted sources into one sorted stream of pages. Ties are ordered by source, then as in the source.
 */
import { type InputLayout, openInput, openOutput, outputArgumentsBytes, writeOutputArguments } from "../../expressions/columns.ts";
import { emitCompare } from "../../../functions/runtime/operations.ts";
import { buildKernel, type CodeBuilder, type FunctionRef, i32, type KernelBuilder, type Local, select } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import type { Address } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import { displayType, physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import { PageArguments } from "../kernel-cache.ts";
import type { OperatorContext } from "../operator.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import { type SortColumn, sortKey } from "./sort-rows.ts";

/** Cursor of a source in the kernel: u32 page arguments, u32 next row, u32 rows, u32 unused. rows 0: the source has ended. */
const cursorBytes = 16;

interface MergeSource {
  /** The rows of its page, flat; their strings are those of the page. */
  readonly rows: RowStore;
  readonly arguments: PageArguments;
  ended: boolean;
}

export interface PageMergerOptions {
  readonly context: OperatorContext;
  readonly types: readonly Type[];
  readonly sortChannels: readonly number[];
  readonly order: readonly SortColumn[];
  readonly sourceCount: number;
}

export class PageMerger {
  readonly #options: PageMergerOptions;
  readonly #sources: readonly MergeSource[];
  readonly #cursors: Address;
  readonly #picks: Address;
  readonly #pageRows: number;
  readonly #outputArguments: Address;
  readonly #output: readonly Column[];

  constructor(options: PageMergerOptions) {
    this.#options = options;
    const { context, sourceCount, types } = options;
    const { memory, services } = context;
    this.#pageRows = memory.knobs.value("page-rows");
    this.#cursors = memory.allocateZeroed(Math.max(1, sourceCount) * cursorBytes);
    this.#picks = memory.allocate(this.#pageRows * 8);
    this.#outputArguments = memory.allocate(outputArgumentsBytes(types.length));
    this.#output = types.map((type) => ({
      type,
      values: memory.allocate(this.#pageRows * physicalWidth(physicalType(type))),
      nulls: memory.allocate(this.#pageRows),
      ids: 0,
      length: this.#pageRows,
    }));
    writeOutputArguments(memory.linear, this.#outputArguments, this.#output);
    this.#sources = Array.from({ length: sourceCount }, () => ({
      rows: new RowStore({ runtime: services.runtime, memory, types, sharesStrings: true, alwaysNullable: true }),
      arguments: new PageArguments(memory, types.length),
      ended: false,
    }));
  }

  /** All sources have ended, and their rows are merged. */
  get isDone(): boolean {
    return this.#sources.every(({ ended }) => ended);
  }

  /** Whether the source must give its next page or its end before rows can be merged. */
  wants(index: number): boolean {
    const { u32 } = this.#options.context.memory.linear;
    const word = this.#cursor(index);
    return !this.#source(index).ended && u32[word + 1] === u32[word + 2];
  }

  /** The next page of a source. Its strings must stay until the source has given its next page and the page merged before is not in use. */
  give(index: number, page: Page): void {
    const { u32 } = this.#options.context.memory.linear;
    const word = this.#cursor(index);
    const { rows, arguments: pageArguments } = this.#source(index);
    rows.reset();
    rows.append(page);
    u32[word] = pageArguments.write(rows.page());
    u32[word + 1] = 0;
    u32[word + 2] = page.positionCount;
  }

  /** The source has no more pages. */
  end(index: number): void {
    const { u32 } = this.#options.context.memory.linear;
    const word = this.#cursor(index);
    this.#source(index).ended = true;
    u32[word + 1] = 0;
    u32[word + 2] = 0;
  }

  /** Merges rows until a source has none left or the page is full. No source may want a page, and one has rows. */
  merge(): Page {
    const { context, order, sortChannels, types } = this.#options;
    const layout: InputLayout = { columns: types.map((type) => ({ type, nullable: true, indirect: false })), selected: false };
    const key = `merge ${sortKey(order)} ${sortChannels.join()}|${types.map(displayType).join()}`;
    const kernel = context.services.runtime.load(key, () => mergeKernel(layout, sortChannels, order));
    const count = Number(kernel(this.#cursors, this.#sources.length, this.#picks, this.#outputArguments, this.#pageRows));
    return { positionCount: count, selection: 0, columns: this.#output.map((column) => ({ ...column, length: count })) };
  }

  /** Frees its memory. Must be called before the memory context closes, at most once. */
  close(): void {
    const { memory } = this.#options.context;
    for (const { rows, arguments: pageArguments } of this.#sources) {
      rows.close();
      memory.free(pageArguments.address);
    }
    for (const { values, nulls } of this.#output) {
      memory.free(values);
      memory.free(nulls);
    }
    for (const address of [this.#cursors, this.#picks, this.#outputArguments]) {
      memory.free(address);
    }
  }

  #source(index: number): MergeSource {
    return this.#sources[index] as MergeSource;
  }

  #cursor(index: number): number {
    return (this.#cursors + index * cursorBytes) >>> 2;
  }
}

/**
 * Parameters: cursors, number of sources, picks (u32 page arguments, u32 row), output arguments, rows of a full page. Returns the number of
 * rows. It stops when a source has no row left or the page is full.
 */
function mergeKernel(layout: InputLayout, sortChannels: readonly number[], order: readonly SortColumn[]): Kernel {
  return buildKernel("merge", (kernel) => {
    const compare = compareAcrossPages(kernel, layout, sortChannels, order);
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [cursors, sourceCount, picks, outputArguments, rowsMax] = params;
      const count = b.local("i32", i32.const(0));
      const end = b.temp(i32.add(cursors, i32.shl(sourceCount, i32.const(4))));
      b.block((stopped) => {
        b.loop((next) => {
          const best = emitBest(b, cursors, end, compare);
          const pick = b.temp(i32.add(picks, i32.shl(count, i32.const(3))));
          const row = b.temp(i32.load(best, 4));
          b.store("i32.store", pick, i32.load(best));
          b.store("i32.store", pick, row, 4);
          b.store("i32.store", best, i32.add(row, i32.const(1)), 4);
          b.set(count, i32.add(count, i32.const(1)));
          b.break_(stopped, i32.geU(i32.add(row, i32.const(1)), i32.load(best, 8)));
          b.break_(stopped, i32.geU(count, rowsMax));
          b.continue_(next);
        });
      });
      emitGather(b, { layout, picks, count, outputArguments });
      b.return_(count);
    });
  });
}

/** The cursor with the smallest row; the first one among equals. At least one source has a row. */
function emitBest(b: CodeBuilder, cursors: Expr, end: Expr, compare: FunctionRef): Local {
  const best = b.local("i32", i32.const(0));
  const cursor = b.local("i32", cursors);
  b.while_(
    () => i32.ltU(cursor, end),
    () => {
      b.if_(i32.ltU(i32.load(cursor, 4), i32.load(cursor, 8)), () => {
        b.if_(
          i32.eqz(best),
          () => b.set(best, cursor),
          () =>
            b.if_(i32.ltS(b.call(compare, i32.load(cursor), i32.load(cursor, 4), i32.load(best), i32.load(best, 4)), i32.const(0)), () =>
              b.set(best, cursor),
            ),
        );
      });
      b.set(cursor, i32.add(cursor, i32.const(cursorBytes)));
    },
  );
  return best;
}

function compareAcrossPages(
  kernel: KernelBuilder,
  layout: InputLayout,
  sortChannels: readonly number[],
  order: readonly SortColumn[],
): FunctionRef {
  return kernel.function_("compare", { params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
    const [leftPage, leftRow, rightPage, rightRow] = params;
    const used = new Set(sortChannels);
    const left = openInput(b, leftPage, layout, used);
    const right = openInput(b, rightPage, layout, used);
    for (const [index, channel] of sortChannels.entries()) {
      const { descending, nullsFirst } = order[index] as SortColumn;
      const x = left.column(channel, leftRow);
      const y = right.column(channel, rightRow);
      const [xNull, yNull] = [x.isNull as Expr, y.isNull as Expr];
      b.if_(
        i32.or(xNull, yNull),
        () => b.if_(i32.xor(xNull, yNull), () => b.return_(select(xNull, i32.const(nullsFirst ? -1 : 1), i32.const(nullsFirst ? 1 : -1)))),
        () => {
          const result = b.temp(emitCompare(b, x, y));
          b.if_(result, () => b.return_(descending ? i32.sub(i32.const(0), result) : result));
        },
      );
    }
    b.return_(i32.const(0));
  });
}

function emitGather(
  b: CodeBuilder,
  { layout, picks, count, outputArguments }: { layout: InputLayout; picks: Expr; count: Expr; outputArguments: Expr },
): void {
  const output = openOutput(
    b,
    outputArguments,
    layout.columns.map(() => true),
  );
  for (const index of layout.columns.keys()) {
    b.forRange(i32.const(0), count, (position) => {
      const pick = b.temp(i32.add(picks, i32.shl(position, i32.const(3))));
      const input = openInput(b, i32.load(pick), layout, new Set([index]));
      output.store(index, position, input.column(index, b.temp(i32.load(pick, 4))));
    });
  }
}
