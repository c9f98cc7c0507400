/**
 * MergeOperator: merges sorted sources into one sorted stream. Ties are ordered by source, then as in the source. It implements a
 * RemoteSource with an order.
 */
import { type InputLayout, openInput, openOutput, outputArgumentsBytes, writeOutputArguments } from "../../expressions/columns.ts";
import { emitCompare } from "../../../functions/runtime/operations.ts";
import { buildKernel, type CodeBuilder, type FunctionRef, i32, type KernelBuilder, type Local, select } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import type { Address } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import { displayType, physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import { ExchangeSourceOperator } from "../output/exchange-operators.ts";
import { PageArguments } from "../kernel-cache.ts";
import type { OperatorContext } from "../operator.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import { type SortColumn, sortKey } from "./sort-rows.ts";

/** Cursor of a source in the kernel: u32 page arguments, u32 next row, u32 rows, u32 unused. rows 0: the source has ended. */
const cursorBytes = 16;

interface MergeSource {
  readonly index: number;
  /** The rows of its page, flat; their strings are in `block`. */
  readonly rows: RowStore;
  readonly arguments: PageArguments;
  block: Address;
  ended: boolean;
}

export interface MergeOptions {
  readonly context: OperatorContext;
  readonly types: readonly Type[];
  readonly leavesBuffers: boolean;
  readonly sortChannels: readonly number[];
  readonly order: readonly SortColumn[];
}

export class MergeOperator extends ExchangeSourceOperator {
  readonly #options: MergeOptions;
  #sources: MergeSource[] | undefined;
  #cursors: Address = 0;
  #picks: Address = 0;
  #pageRows = 0;
  #outputArguments: Address = 0;
  #output: readonly Column[] = [];
  /** Pages whose strings the last output page may refer to. */
  #retired: Address[] = [];
  #waits = false;
  #finished = false;

  constructor(options: MergeOptions) {
    super(options.context, options.types, options.leavesBuffers);
    this.#options = options;
  }

  get isFinished(): boolean {
    return this.#finished;
  }

  override getOutput(): Page | undefined {
    this.#waits = false;
    for (const block of this.#retired.splice(0)) {
      this.context.memory.free(block);
    }
    if (!this.client.ready) {
      this.#waits = true;
      return undefined;
    }
    this.#sources ??= this.#open();
    if (!this.#fillAll(this.#sources)) {
      this.#waits = true;
      return undefined;
    }
    if (this.#sources.every((source) => source.ended)) {
      this.#finished = true;
      return undefined;
    }
    return this.#merge(this.#sources);
  }

  override blocked(): Promise<void> | undefined {
    return this.#waits ? this.client.blocked() : undefined;
  }

  override close(): void {
    super.close();
    for (const source of this.#sources ?? []) {
      source.rows.close();
    }
  }

  #open(): MergeSource[] {
    const { memory, services } = this.context;
    this.#pageRows = memory.knobs.value("page-rows");
    const count = this.client.sourceCount;
    this.#cursors = memory.allocateZeroed(Math.max(1, count) * cursorBytes);
    this.#picks = memory.allocate(this.#pageRows * 8);
    this.#outputArguments = memory.allocate(outputArgumentsBytes(this.types.length));
    this.#output = this.types.map((type) => ({
      type,
      values: memory.allocate(this.#pageRows * physicalWidth(physicalType(type))),
      nulls: memory.allocate(this.#pageRows),
      ids: 0,
      length: this.#pageRows,
    }));
    writeOutputArguments(memory.linear, this.#outputArguments, this.#output);
    return Array.from({ length: count }, (_, index) => ({
      index,
      rows: new RowStore({ runtime: services.runtime, memory, types: this.types, sharesStrings: true, alwaysNullable: true }),
      arguments: new PageArguments(memory, this.types.length),
      block: 0,
      ended: false,
    }));
  }

  /** Returns true if every source has a row or has ended. It polls all of them, so that they fetch in parallel. */
  #fillAll(sources: readonly MergeSource[]): boolean {
    let complete = true;
    for (const source of sources) {
      if (!source.ended && this.#remaining(source) === 0 && !this.#fill(source)) {
        complete = false;
      }
    }
    return complete;
  }

  #remaining(source: MergeSource): number {
    const { u32 } = this.context.memory.linear;
    const word = (this.#cursors + source.index * cursorBytes) >>> 2;
    return (u32[word + 2] as number) - (u32[word + 1] as number);
  }

  #fill(source: MergeSource): boolean {
    const { linear } = this.context.memory;
    const word = (this.#cursors + source.index * cursorBytes) >>> 2;
    for (;;) {
      const polled = this.client.poll(source.index);
      if (polled.kind === "wait") {
        return false;
      }
      if (source.block !== 0) {
        this.#retired.push(source.block);
        source.block = 0;
      }
      if (polled.kind === "end") {
        source.ended = true;
        linear.u32[word + 1] = 0;
        linear.u32[word + 2] = 0;
        return true;
      }
      const owned = this.decode(polled.frame);
      source.block = owned.blockAddress;
      if (owned.page.positionCount > 0) {
        source.rows.reset();
        source.rows.append(owned.page);
        linear.u32[word] = source.arguments.write(source.rows.page());
        linear.u32[word + 1] = 0;
        linear.u32[word + 2] = owned.page.positionCount;
        return true;
      }
    }
  }

  #merge(sources: readonly MergeSource[]): Page {
    const { order, sortChannels } = this.#options;
    const layout: InputLayout = { columns: this.types.map((type) => ({ type, nullable: true, indirect: false })), selected: false };
    const key = `merge ${sortKey(order)} ${sortChannels.join()}|${this.types.map(displayType).join()}`;
    const kernel = this.context.services.runtime.load(key, () => mergeKernel(layout, sortChannels, order));
    const count = Number(kernel(this.#cursors, sources.length, this.#picks, this.#outputArguments, this.#pageRows));
    return { positionCount: count, selection: 0, columns: this.#output.map((column) => ({ ...column, length: count })) };
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
