/**
 * Copies chosen strings of a column one behind the other, as frames have them, by a kernel: into a small block of linear memory, from which
 * they go to the frame as a whole.
 */
import { buildKernel, i32, i64 } from "../../../codegen/builder.ts";
import type { Expr, Kernel, ValueType } from "../../../codegen/ir.ts";
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import type { ChosenValues, CopiedStrings, FlatColumn, StringCopier } from "../../../page/gather.ts";

/** Strings and their bytes that one call copies at most. */
const stringsMax = 1024;
const bytesMax = 16_384;
/** The last word of a string may reach beyond it. */
const wordBytes = 8;

export class KernelStringCopier implements StringCopier {
  readonly #runtime: KernelRuntime;
  /** Frees the block when it closes. */
  readonly #memory: MemoryContext;
  /** u32 lengths of the strings, a u32 for all their bytes, a gap, the bytes. 0 until something is copied. */
  #block: Address = 0;

  constructor(runtime: KernelRuntime, memory: MemoryContext) {
    this.#runtime = runtime;
    this.#memory = memory;
  }

  copy({ column, count, hasNulls }: FlatColumn, { ids, selection }: ChosenValues, from: number): CopiedStrings {
    if (this.#block === 0) {
      this.#block = this.#memory.allocate(4 * stringsMax + wordBytes + bytesMax + wordBytes);
    }
    const shape = { isSelected: selection !== 0, hasIds: ids !== 0, hasNulls };
    const key = `copy-strings ${shape.isSelected ? "s" : "-"}${shape.hasIds ? "i" : "-"}${hasNulls ? "n" : "-"}`;
    const kernel = this.#runtime.load(key, () => copyKernel(key, shape));
    const strings = kernel(column.values, column.nulls, selection, ids, from, count, this.#block) as number;
    const total = this.#block + 4 * stringsMax;
    return { strings, lengths: this.#block, start: total + wordBytes, bytes: this.#memory.linear.u32[total >>> 2] as number };
  }
}

interface CopyShape {
  readonly isSelected: boolean;
  readonly hasIds: boolean;
  readonly hasNulls: boolean;
}

/**
 * Parameters: references and NULLs of the column, selection, ids, first and last position (exclusive), block. Returns the number of strings
 * that fit.
 */
function copyKernel(name: string, { hasIds, hasNulls, isSelected }: CopyShape): Kernel {
  const params = Array.from({ length: 7 }, (): ValueType => "i32");
  return buildKernel(name, (kernel) => {
    kernel.entry({ params, result: "i32" }, (b, locals) => {
      const [references, nulls, selection, ids, from, end, block] = locals as readonly [Expr, Expr, Expr, Expr, Expr, Expr, Expr];
      const total = i32.add(block, i32.const(4 * stringsMax));
      const start = b.temp(i32.add(total, i32.const(wordBytes)));
      const after = b.temp(i32.add(start, i32.const(bytesMax)));
      const to = b.local("i32", start);
      const strings = b.local("i32", i32.const(0));
      const wanted = b.temp(i32.sub(end, from));
      const entryOf = (list: Expr, place: Expr): Expr => i32.load(i32.add(list, i32.shl(place, i32.const(2))));
      b.block((full) => {
        b.while_(
          () => i32.and(i32.ltU(strings, wanted), i32.ltU(strings, i32.const(stringsMax))),
          () => {
            const position = i32.add(from, strings);
            const row = b.temp(isSelected ? entryOf(selection, position) : position);
            const value = b.temp(hasIds ? entryOf(ids, row) : row);
            const reference = b.temp(i32.add(references, i32.shl(value, i32.const(3))));
            const source = b.local("i32", i32.load(reference));
            const length = b.local("i32", i32.load(reference, 4));
            if (hasNulls) {
              b.if_(i32.eq(i32.load8u(i32.add(nulls, value)), i32.const(1)), () => b.set(length, i32.const(0)));
            }
            b.break_(full, i32.gtU(length, i32.sub(after, to)));
            b.store("i32.store", i32.add(block, i32.shl(strings, i32.const(2))), length);
            const next = b.temp(i32.add(to, length));
            b.while_(
              () => i32.ltU(to, next),
              () => {
                b.store("i64.store", to, i64.load(source));
                b.set(source, i32.add(source, i32.const(wordBytes)));
                b.set(to, i32.add(to, i32.const(wordBytes)));
              },
            );
            b.set(to, next);
            b.set(strings, i32.add(strings, i32.const(1)));
          },
        );
      });
      b.store("i32.store", total, i32.sub(to, start));
      b.return_(strings);
    });
  });
}
