/**
 * The build side of a join: its rows, and an open addressing table over their keys. Rows with equal keys form a chain in build order; rows with a
 * NULL key are in no chain. Without keys every row is a candidate, in build order (nested loop). Filled by HashBuilder and NestedLoopBuild, read by
 * join-kernel.ts.
 */
import { type InputLayout, openInput } from "../compile/columns.ts";
import { emitEquals } from "../compile/operations.ts";
import { buildKernel, type CodeBuilder, i32, i64, type Local } from "../kernel/builder.ts";
import type { Expr, Kernel } from "../kernel/ir.ts";
import type { KernelRuntime } from "../kernel/runtime.ts";
import type { MemoryContext } from "../page/memory.ts";
import type { Address, Page } from "../page/page.ts";
import type { Type } from "../types/type.ts";
import { type Deferred, defer } from "./deferred.ts";
import { emitKeyHash } from "./group-table.ts";
import { KernelByLayout, PageArguments } from "./kernel-cache.ts";
import { selectColumns } from "./pages.ts";
import { RowStore } from "./row-store.ts";

/** Rows hashed in one step: the driver's slices stay short. */
export const buildRowsPerStep = 131_072;
const slotsMin = 64;

export class JoinTable {
  readonly rows: RowStore;
  readonly keyChannels: readonly number[];
  readonly #memory: MemoryContext;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;
  #slots: Address = 0;
  #mask = 0;
  #next: Address = 0;
  #visited: Address = 0;
  #rowCount = 0;
  /** Rows from here on are not yet in the table; it is filled from the end, so that chains ascend. */
  #remaining = 0;

  constructor(runtime: KernelRuntime, memory: MemoryContext, types: readonly Type[], keyChannels: readonly number[]) {
    this.#memory = memory;
    this.keyChannels = keyChannels;
    this.rows = new RowStore({ runtime, memory, types });
    this.#arguments = new PageArguments(memory, keyChannels.length);
    this.#kernels = new KernelByLayout(runtime, "join-build", buildTableKernel);
  }

  get slots(): Address {
    return this.#slots;
  }

  get mask(): number {
    return this.#mask;
  }

  get next(): Address {
    return this.#next;
  }

  /** u8 a row: some probe row matched it; 0 when nobody asks. */
  get visited(): Address {
    return this.#visited;
  }

  /** Rows of the build side; the null row of an outer join has this number. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** No row follows. */
  beginBuild(options: { readonly nullRow: boolean; readonly tracksVisited: boolean }): void {
    this.#rowCount = this.rows.rowCount;
    if (options.tracksVisited) {
      this.#visited = this.#memory.allocateZeroed(Math.max(1, this.#rowCount));
    }
    if (options.nullRow) {
      this.rows.appendNulls();
    }
    if (this.keyChannels.length > 0) {
      let slots = slotsMin;
      while (slots < this.#rowCount * 2) {
        slots *= 2;
      }
      this.#slots = this.#memory.allocateZeroed(slots * 8);
      this.#mask = slots - 1;
      this.#next = this.#memory.allocate(Math.max(1, this.#rowCount) * 4);
      this.#remaining = this.#rowCount;
    }
  }

  /** True when the table is complete. */
  buildStep(): boolean {
    if (this.#remaining > 0) {
      const from = Math.max(0, this.#remaining - buildRowsPerStep);
      const keys = selectColumns(this.rows.page(), this.keyChannels);
      this.#kernels.for(keys)(this.#arguments.write(keys), this.#slots, this.#mask, this.#next, from, this.#remaining);
      this.#remaining = from;
    }
    return this.#remaining === 0;
  }

  page(): Page {
    return this.rows.page();
  }

  close(): void {
    this.rows.close();
  }
}

/** One build, one probe: the probe waits for the table, the builder keeps it until the probe is done. */
export class JoinBridge {
  readonly #built: Deferred = defer();
  readonly #released: Deferred = defer();
  table: JoinTable | undefined;
  isReleased = false;

  setTable(table: JoinTable): void {
    this.table = table;
    this.#built.resolve();
  }

  built(): Promise<void> | undefined {
    return this.table === undefined ? this.#built.promise : undefined;
  }

  release(): void {
    this.isReleased = true;
    this.#released.resolve();
  }

  released(): Promise<void> {
    return this.#released.promise;
  }
}

/** Hash (upper half) and row + 1 (lower half); 0 is a free slot. */
export function emitFindSlot(
  b: CodeBuilder,
  find: {
    slots: Expr;
    mask: Expr;
    hash: Expr;
    isSame: (row: Expr) => Expr;
    found: (slot: Expr, entry: Expr) => void;
    free: (slot: Expr, tag: Expr) => void;
  },
): void {
  const tag = b.temp(i64.shrU(find.hash, i64.const(32n)));
  const index = b.local("i32", i32.and(i32.wrapI64(find.hash), find.mask));
  b.block((done) => {
    b.loop((next) => {
      const slot = b.temp(i32.add(find.slots, i32.shl(index, i32.const(3))));
      const entry = b.temp(i64.load(slot));
      b.if_(i64.eqz(entry), () => {
        find.free(slot, tag);
        b.break_(done);
      });
      b.if_(i64.eq(i64.shrU(entry, i64.const(32n)), tag), () => {
        const row = b.temp(i32.sub(i32.wrapI64(entry), i32.const(1)));
        b.if_(find.isSame(row), () => {
          find.found(slot, entry);
          b.break_(done);
        });
      });
      b.set(index, i32.and(i32.add(index, i32.const(1)), find.mask));
      b.continue_(next);
    });
  });
}

/** Key page arguments (flat), slots, mask, next, first row, row behind the last. Goes backwards and puts each row before those that follow it. */
function buildTableKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, slots, mask, next, first, end] = params as readonly [Local, Local, Local, Local, Local, Local];
      const input = openInput(b, pageArguments, layout);
      b.forRange(first, end, (index, skip) => {
        const row = b.temp(i32.sub(i32.add(first, i32.sub(end, i32.const(1))), index));
        const values = layout.columns.map((_, column) => input.column(column, row));
        b.store("i32.store", i32.add(next, i32.shl(row, i32.const(2))), i32.const(0));
        for (const value of values) {
          if (value.isNull !== undefined) {
            b.break_(skip, value.isNull);
          }
        }
        const known = values.map((value) => ({ ...value, isNull: undefined }));
        const hash = b.temp(emitKeyHash(b, known));
        const rowEntry = i64.extendI32U(i32.add(row, i32.const(1)));
        emitFindSlot(b, {
          slots,
          mask,
          hash,
          isSame: (other) => {
            const same = b.local("i32", i32.const(1));
            for (const [column, value] of known.entries()) {
              b.if_(same, () => b.set(same, emitEquals(b, value, { ...input.column(column, other), isNull: undefined })));
            }
            return same;
          },
          found: (slot, entry) => {
            b.store("i32.store", i32.add(next, i32.shl(row, i32.const(2))), i32.wrapI64(entry));
            b.store("i64.store", slot, i64.or(i64.shl(i64.shrU(entry, i64.const(32n)), i64.const(32n)), rowEntry));
          },
          free: (slot, tag) => b.store("i64.store", slot, i64.or(i64.shl(tag, i64.const(32n)), rowEntry)),
        });
      });
    });
  });
}
