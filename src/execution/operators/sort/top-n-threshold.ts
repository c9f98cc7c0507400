/** The bound of a TopNOperator: rows beyond it are dropped by a comparison of their first key alone. */
import { type InputLayout, type InputReader, openInput } from "../../expressions/columns.ts";
import { buildKernel, type CodeBuilder, i32, i64, select } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../../page/page.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { emitDirectedKey, emitNullPrefix, emitSortPrefix, type SortColumn, sortKey } from "./sort-rows.ts";

/** The prefix of the worst row that is kept: rows with a larger prefix are dropped. */
export class TopNThreshold {
  readonly #memory: MemoryContext;
  readonly #arguments: PageArguments;
  readonly #kernels: KernelByLayout;
  readonly #selection: Address;
  /** Prefixes of the first column, with and without the bit for NULLs. */
  #prefixes: Address = 0;

  constructor(runtime: KernelRuntime, memory: MemoryContext, order: readonly SortColumn[]) {
    const first = order[0] as SortColumn;
    this.#memory = memory;
    this.#arguments = new PageArguments(memory, order.length);
    this.#selection = memory.allocate(4 * pageRowsMax);
    this.#kernels = new KernelByLayout(runtime, `top ${sortKey([first])} ${order.length}`, (name, layout, variant) =>
      thresholdKernel(name, layout, first, variant),
    );
  }

  /** `keys` has one position, the worst row that is kept. */
  raise(keys: Page): void {
    this.#prefixes = this.#prefixes === 0 ? this.#memory.allocate(16) : this.#prefixes;
    this.#kernels.for(keys, "raise")(this.#arguments.write(keys), this.#prefixes, 0);
  }

  /** The positions of `page` that may be among the best. */
  select(page: Page, keys: Page): Page {
    if (this.#prefixes === 0) {
      return page;
    }
    const count = Number(this.#kernels.for(keys, "select")(this.#arguments.write(keys), this.#prefixes, this.#selection));
    return count === page.positionCount ? page : { positionCount: count, selection: this.#selection, columns: page.columns };
  }
}

/**
 * Parameters: page arguments, prefixes (u64 of a column with nulls, u64 of one without), selection. Returns the number of positions
 * selected. Layouts with and without nulls have different prefixes, so a threshold is written in both forms.
 */
function thresholdKernel(name: string, layout: InputLayout, column: SortColumn, variant: string): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, prefixes, selection] = params;
      const input = openInput(b, pageArguments, layout, new Set([0]));
      if (variant === "raise") {
        const both = emitBothPrefixes(b, input, column);
        b.store("i64.store", prefixes, both.withNulls);
        b.store("i64.store", prefixes, both.withoutNulls, 8);
        b.return_(i32.const(1));
        return;
      }
      const worst = b.local("i64", i64.load(prefixes, layout.columns[0]?.nullable === true ? 0 : 8));
      const count = b.local("i32", i32.const(0));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        const { prefix } = emitSortPrefix(b, input, column, row);
        b.store("i32.store", i32.add(selection, i32.shl(count, i32.const(2))), row);
        b.set(count, i32.add(count, i64.leU(prefix, worst)));
      });
      b.return_(count);
    });
  });
}

function emitBothPrefixes(
  b: CodeBuilder,
  input: InputReader,
  column: SortColumn,
): { readonly withNulls: Expr; readonly withoutNulls: Expr } {
  const value = input.column(0, i32.const(0));
  const isNull = value.isNull ?? i32.const(0);
  const { directed: known } = emitDirectedKey(b, { ...value, isNull: undefined }, column);
  return {
    withNulls: emitNullPrefix({ directed: known, isNull, nullsFirst: column.nullsFirst }),
    // If the threshold is NULL: with NULLs first no other value is better; with NULLs last every value is.
    withoutNulls: select(isNull, i64.const(column.nullsFirst ? 0n : -1n), known),
  };
}
