/**
 * Which integer keys a join's build side has, a bit each over their range: small enough to stay in the cache while probe rows without a match are sorted
 * out, before the table or any other column is touched. Filled by join-table.ts, asked by join-operators.ts.
 */
import { type InputLayout, openInput } from "../compile/columns.ts";
import { buildKernel, type CodeBuilder, i32, i64, select } from "../kernel/builder.ts";
import type { Expr, Kernel } from "../kernel/ir.ts";
import type { KernelRuntime } from "../kernel/runtime.ts";
import type { MemoryContext } from "../page/memory.ts";
import { type Address, type Page, pageRowsMax } from "../page/page.ts";
import { KernelByLayout, PageArguments } from "./kernel-cache.ts";

/** Bits: at most this many a row, at least these many allowed, never more than the last (8 MB). */
const bitsPerRowMax = 512;
const bitsAllowedMin = 1 << 20;
const bitsMax = 1 << 26;
/** After so many rows with more than three of four kept it is not worth its time. */
const judgedRows = 8 * pageRowsMax;

export interface KeyRange {
  readonly min: bigint;
  readonly max: bigint;
}

export function isWorthBitmap({ min, max }: KeyRange, rows: number): boolean {
  return max - min < BigInt(Math.min(bitsMax, Math.max(bitsAllowedMin, bitsPerRowMax * rows)));
}

export class KeyBitmap {
  readonly min: bigint;
  /** Bits; the one behind the last is never set. */
  readonly count: number;
  readonly address: Address;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;

  constructor(runtime: KernelRuntime, memory: MemoryContext, { min, max }: KeyRange) {
    this.min = min;
    this.count = Number(max - min) + 1;
    this.address = memory.allocateZeroed((this.count >>> 3) + 1);
    this.#kernels = new KernelByLayout(runtime, "key-bitmap", fillKernel);
    this.#arguments = new PageArguments(memory, 1);
  }

  /** `keys` is one flat column whose keys from `first` to `end` lie in the range. */
  add(keys: Page, first: number, end: number): void {
    this.#kernels.for(keys)(this.#arguments.write(keys), this.address, this.min, first, end);
  }
}

/** Leaves the rows of probe pages whose key is in the bitmap. */
export class KeyFilter {
  readonly #bitmap: KeyBitmap;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;
  readonly #selection: Address;
  #rows = 0;
  #kept = 0;

  constructor(
    bitmap: KeyBitmap,
    options: {
      readonly runtime: KernelRuntime;
      readonly memory: MemoryContext;
      readonly columnCount: number;
      readonly keyChannel: number;
    },
  ) {
    const { runtime, memory, columnCount, keyChannel } = options;
    this.#bitmap = bitmap;
    this.#kernels = new KernelByLayout(runtime, `key-filter ${keyChannel}`, (name, layout) => filterKernel(name, layout, keyChannel));
    this.#arguments = new PageArguments(memory, columnCount);
    this.#selection = memory.allocate(4 * pageRowsMax);
  }

  /** Valid until the next call. */
  apply(page: Page): Page {
    if (this.#rows >= judgedRows && this.#kept * 4 > this.#rows * 3) {
      return page;
    }
    const { address, min, count } = this.#bitmap;
    const kept = Number(this.#kernels.for(page)(this.#arguments.write(page), address, min, count, this.#selection));
    this.#rows += page.positionCount;
    this.#kept += kept;
    return kept === page.positionCount ? page : { ...page, positionCount: kept, selection: this.#selection };
  }
}

function emitPlace(key: Expr, min: Expr): Expr {
  return i64.sub(key.type === "i64" ? key : i64.extendI32S(key), min);
}

function emitBit(b: CodeBuilder, bitmap: Expr, place: Expr): { readonly byte: Expr; readonly shift: Expr } {
  return { byte: b.temp(i32.add(bitmap, i32.shrU(place, i32.const(3)))), shift: i32.and(place, i32.const(7)) };
}

/** Key page arguments, bitmap, smallest key, first row, row behind the last. */
function fillKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i64", "i32", "i32"] }, (b, params) => {
      const [pageArguments, bitmap, min, first, end] = params;
      const input = openInput(b, pageArguments, layout);
      b.forRange(first, end, (row, next) => {
        const key = input.column(0, row);
        if (key.isNull !== undefined) {
          b.break_(next, key.isNull);
        }
        const place = b.temp(i32.wrapI64(emitPlace(key.parts[0] as Expr, min)));
        const { byte, shift } = emitBit(b, bitmap, place);
        b.store("i32.store8", byte, i32.or(i32.load8u(byte), i32.shl(i32.const(1), shift)));
      });
    });
  });
}

/** Page arguments, bitmap, smallest key, bits, selection -> rows selected. */
function filterKernel(name: string, layout: InputLayout, keyChannel: number): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i64", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, bitmap, min, count, selection] = params;
      const input = openInput(b, pageArguments, layout, new Set([keyChannel]));
      const next = b.local("i32", selection);
      const bits = b.local("i64", i64.extendI32U(count));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = b.temp(input.row(position));
        const key = input.column(keyChannel, row);
        const place = b.temp(emitPlace(key.parts[0] as Expr, min));
        // Keys out of the range look at the bit behind the last.
        const { byte, shift } = emitBit(b, bitmap, b.temp(i32.wrapI64(select(i64.ltU(place, bits), place, bits))));
        const bit = i32.and(i32.shrU(i32.load8u(byte), shift), i32.const(1));
        b.store("i32.store", next, row);
        b.set(next, i32.add(next, i32.shl(key.isNull === undefined ? bit : i32.and(bit, i32.eqz(key.isNull)), i32.const(2))));
      });
      b.return_(i32.shrU(i32.sub(next, selection), i32.const(2)));
    });
  });
}
