/**
 * Ties in an order: FETCH FIRST n ROWS WITH TIES.
 */
import { type InputLayout, openInput } from "../../expressions/columns.ts";
import { emitCompare } from "../../../functions/runtime/operations.ts";
import { buildKernel, type CodeBuilder, i32 } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";

export class SortTies {
  readonly #arguments: PageArguments;
  readonly #kernels: KernelByLayout;

  constructor(runtime: KernelRuntime, memory: MemoryContext, columnCount: number) {
    this.#arguments = new PageArguments(memory, columnCount);
    this.#kernels = new KernelByLayout(runtime, "sort-ties", tiesKernel);
  }

  /** Number of rows at `order` (u32 rows of `keys`) before the first one that differs from row `count - 1`; at least `count`. */
  countWith(keys: Page, order: Address, count: number): number {
    if (count >= keys.positionCount) {
      return keys.positionCount;
    }
    return Number(this.#kernels.for(keys)(this.#arguments.write(keys), order, count, keys.positionCount));
  }
}

/**
 * Parameters: page arguments, order, first index to compare, end. Returns the index of the first row that differs from the row before the
 * first index.
 */
function tiesKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, order, first, end] = params;
      const input = openInput(b, pageArguments, layout);
      const rowAt = (index: Expr): Expr => i32.load(i32.add(order, i32.shl(index, i32.const(2))));
      const last = b.temp(rowAt(i32.sub(first, i32.const(1))));
      b.forRange(first, end, (index) => {
        const row = b.temp(rowAt(index));
        for (let column = 0; column < layout.columns.length; column++) {
          const x = input.column(column, last);
          const y = input.column(column, row);
          emitUnlessSame(b, x, y, () => b.return_(index));
        }
      });
      b.return_(end);
    });
  });
}

type Value = Parameters<typeof emitCompare>[1];

function emitUnlessSame(b: CodeBuilder, x: Value, y: Value, differs: () => void): void {
  const compareValues = (): void => b.if_(emitCompare(b, x, y), differs);
  if (x.isNull === undefined || y.isNull === undefined) {
    compareValues();
    return;
  }
  const [xNull, yNull] = [x.isNull, y.isNull];
  b.if_(i32.or(xNull, yNull), () => b.if_(i32.xor(xNull, yNull), differs), compareValues);
}
