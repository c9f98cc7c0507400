/**
 * Filters rows by the entries of a dictionary column: a condition is evaluated once per entry, and a row passes if its entry does. The
 * condition must not fail, because a dictionary may have entries that no row refers to.
 */
import { buildKernel, type CodeBuilder, i32 } from "../../codegen/builder.ts";
import type { Expr, Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Address, MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";

export class EntryFilter {
  readonly #runtime: KernelRuntime;
  readonly #memory: MemoryContext;
  /** Rows of a page for each entry at which the dictionary is worth it. */
  readonly #rowsPerEntry: number;
  #capacity = 0;
  /** u32 entries that pass, ascending. */
  #entries: Address = 0;
  /** One byte per entry, 1 if it passes. */
  #flags: Address = 0;

  constructor(runtime: KernelRuntime, memory: MemoryContext) {
    this.#runtime = runtime;
    this.#memory = memory;
    this.#rowsPerEntry = memory.knobs.value("dictionary-filter-rows");
  }

  /** Whether the column has a dictionary with few entries for the rows of the page. */
  fits({ ids, length }: Column, page: Page): boolean {
    return ids !== 0 && length > 0 && length * this.#rowsPerEntry <= page.positionCount;
  }

  /** Makes room for a dictionary. Returns the address for the entries that pass. */
  reserve(entryCount: number): Address {
    if (entryCount > this.#capacity) {
      for (const address of [this.#entries, this.#flags]) {
        if (address !== 0) {
          this.#memory.free(address);
        }
      }
      [this.#capacity, this.#entries, this.#flags] = [0, 0, 0];
      this.#entries = this.#memory.allocate(4 * entryCount);
      this.#flags = this.#memory.allocate(entryCount);
      this.#capacity = entryCount;
    }
    return this.#entries;
  }

  /** Writes the rows whose entry is among the `passing` entries. The selection may be the page's own. Returns their number. */
  select({ positionCount, selection }: Page, { ids, length }: Column, passing: number, target: Address): number {
    const isSelected = selection !== 0;
    const name = `select-by-entry${isSelected ? " sel" : ""}`;
    const kernel = this.#runtime.load(name, () => selectKernel(name, isSelected));
    return Number(kernel(ids, selection, positionCount, this.#entries, passing, this.#flags, length, target));
  }
}

/** Parameters: ids, selection, positions, entries that pass, their number, flags, entries, target. Returns the number of rows written. */
function selectKernel(name: string, isSelected: boolean): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [ids, selection, positionCount, entries, passing, flags, entryCount, target] = params;
      const next = b.local("i32", target);
      const keep = (row: Expr, isKept: Expr): void => {
        // Always written, without a branch to mispredict.
        b.store("i32.store", next, row);
        b.set(next, i32.add(next, i32.shl(isKept, i32.const(2))));
      };
      const forRows = (isKept: (entry: Expr) => Expr): void =>
        b.forRange(i32.const(0), positionCount, (position) => {
          const row = isSelected ? b.temp(word(selection, position)) : position;
          keep(row, isKept(word(ids, row)));
        });
      b.if_(
        i32.eq(passing, i32.const(1)),
        () => {
          const only = b.local("i32", i32.load(entries));
          forRows((entry) => i32.eq(entry, only));
        },
        () => {
          setFlags(b, { entries, passing, flags, entryCount });
          forRows((entry) => i32.load8u(i32.add(flags, entry)));
        },
      );
      b.return_(i32.shrU(i32.sub(next, target), i32.const(2)));
    });
  });
}

function setFlags(
  b: CodeBuilder,
  {
    entries,
    passing,
    flags,
    entryCount,
  }: { readonly entries: Expr; readonly passing: Expr; readonly flags: Expr; readonly entryCount: Expr },
): void {
  b.fillBytes(flags, i32.const(0), entryCount);
  b.forRange(i32.const(0), passing, (index) => b.store("i32.store8", i32.add(flags, word(entries, index)), i32.const(1)));
}

/** Element `index` of an array of u32. */
function word(array: Expr, index: Expr): Expr {
  return i32.load(i32.add(array, i32.shl(index, i32.const(2))));
}
