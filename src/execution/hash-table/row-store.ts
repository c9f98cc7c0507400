/**
 * Rows that an operator keeps beyond the life of the input pages: one flat array per column, with strings copied into an arena. The store
 * grows by doubling, and the addresses of its columns change when it does.
 */
import { type InputLayout, openInput, openOutput, outputArgumentsBytes } from "../expressions/columns.ts";
import { buildKernel, type CodeBuilder, i32, i64, type Local } from "../../codegen/builder.ts";
import type { Expr, Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Arena } from "../../memory/arena.ts";
import type { MemoryContext, Address } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { physicalType, physicalWidth, type Type } from "../../types/type.ts";
import { KernelByLayout, PageArguments } from "../operators/kernel-cache.ts";

export interface RowStoreOptions {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
  readonly types: readonly Type[];
  /** Strings are not copied: the store lives no longer than its source. */
  readonly sharesStrings?: boolean;
  /** Every column has a nulls array, so that all pages have one layout. */
  readonly alwaysNullable?: boolean;
  /** Least capacity; a knob otherwise. */
  readonly rowsMin?: number;
}

interface StoredColumn {
  readonly type: Type;
  readonly width: number;
  readonly isBytes: boolean;
  values: Address;
  /** 0 until a page with nulls is added. */
  nulls: Address;
}

/**
 * Columns that one kernel copies. Groups of the same types share the kernel: one for ten thousand columns takes a tenth of a second to
 * compile.
 */
interface ColumnGroup {
  readonly from: number;
  readonly columns: readonly StoredColumn[];
  readonly pageArguments: PageArguments;
  readonly targetArguments: Address;
}

/** Strings are copied in words of eight bytes: the last word may extend past the end. */
const copySlackBytes = 8;

export class RowStore {
  readonly #memory: MemoryContext;
  readonly #columns: readonly StoredColumn[];
  readonly #copiesStrings: boolean;
  /** Without strings. */
  readonly #rowBytes: number;
  readonly #alwaysNullable: boolean;
  readonly #rowsMin: number;
  readonly #arena: Arena | undefined;
  readonly #groups: readonly ColumnGroup[];
  readonly #appendKernels: KernelByLayout;
  readonly #bytesKernels: KernelByLayout;
  #capacity = 0;
  #rowCount = 0;
  #stringBytes = 0;
  #closed = false;

  constructor(options: RowStoreOptions) {
    const { runtime, memory, types } = options;
    this.#memory = memory;
    this.#columns = types.map((type) => {
      const physical = physicalType(type);
      return { type, width: physicalWidth(physical), isBytes: physical === "bytes", values: 0, nulls: 0 };
    });
    this.#rowBytes = this.#columns.reduce((sum, { width }) => sum + width + 1, 0);
    this.#alwaysNullable = options.alwaysNullable === true;
    this.#rowsMin = options.rowsMin ?? memory.knobs.value("row-store-rows");
    this.#copiesStrings = options.sharesStrings !== true && this.#columns.some((column) => column.isBytes);
    this.#arena = this.#copiesStrings ? runtime.arenas.create(memory) : undefined;
    const columnsMax = memory.knobs.value("kernel-columns");
    this.#groups = Array.from({ length: Math.max(1, Math.ceil(types.length / columnsMax)) }, (_, index) => {
      const from = index * columnsMax;
      const columns = this.#columns.slice(from, from + columnsMax);
      const pageArguments = new PageArguments(memory, columns.length);
      return { from, columns, pageArguments, targetArguments: memory.allocate(outputArgumentsBytes(columns.length)) };
    });
    this.#appendKernels = new KernelByLayout(runtime, this.#copiesStrings ? "append" : "append-shared", (name, layout, variant) =>
      appendKernel(name, layout, variant, this.#copiesStrings),
    );
    this.#bytesKernels = new KernelByLayout(runtime, "string-bytes", stringBytesKernel);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Bytes of the rows, without spare capacity. Depends on their values only: every column counts as one with nulls. */
  get dataBytes(): number {
    return this.#stringBytes + this.#rowCount * this.#rowBytes;
  }

  /** Bytes that so many more rows may need, without their strings. Blocks that grow are counted in full, because they may be moved. */
  growthBytes(rows: number): number {
    const count = this.#rowCount + rows;
    return count <= this.#capacity ? 0 : this.#capacityFor(count) * this.#rowBytes;
  }

  /** Copies all positions of the page. Its columns must be those of the store. */
  append(page: Page): void {
    const count = page.positionCount;
    this.reserveRows(this.#rowCount + count);
    this.#ensureNulls(page.columns);
    for (const group of this.#groups) {
      const part =
        this.#groups.length === 1 ? page : { ...page, columns: page.columns.slice(group.from, group.from + group.columns.length) };
      this.#appendGroup(group, part);
    }
    this.#rowCount += count;
  }

  #appendGroup({ columns, pageArguments, targetArguments }: ColumnGroup, page: Page): void {
    let stringsTarget = 0;
    const argumentsAddress = pageArguments.write(page);
    if (this.#arena !== undefined) {
      const bytes = Number(this.#bytesKernels.for(page)(argumentsAddress));
      if (bytes > 0) {
        stringsTarget = this.#arena.allocate(bytes + copySlackBytes);
        this.#stringBytes += bytes;
      }
    }
    const kernel = this.#appendKernels.for(page, nullsVariant(columns));
    kernel(argumentsAddress, this.#writeTargets(columns, targetArguments), this.#rowCount, stringsTarget);
  }

  /** Appends a row of NULLs. */
  appendNulls(): void {
    this.reserveRows(this.#rowCount + 1);
    const { linear } = this.#memory;
    for (const column of this.#columns) {
      this.#makeNulls(column);
      const at = column.values + this.#rowCount * column.width;
      linear.u8.fill(0, at, at + column.width);
      linear.u8[column.nulls + this.#rowCount] = 1;
    }
    this.#rowCount++;
  }

  column(index: number): Column {
    const column = this.#columns[index] as StoredColumn;
    return { type: column.type, values: column.values, nulls: column.nulls, ids: 0, length: this.#rowCount };
  }

  columns(): Column[] {
    return this.#columns.map((_, index) => this.column(index));
  }

  page(): Page {
    return { positionCount: this.#rowCount, selection: 0, columns: this.columns() };
  }

  /** Removes the rows and keeps the capacity. */
  reset(): void {
    this.#rowCount = 0;
    this.#stringBytes = 0;
    this.#arena?.reset();
    for (const column of this.#columns) {
      if (column.nulls !== 0) {
        this.#memory.free(column.nulls);
        column.nulls = 0;
      }
    }
  }

  /** Frees all memory. Idempotent. Must be called before the memory context closes. */
  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    this.#arena?.close();
    for (const column of this.#columns) {
      if (column.values !== 0) {
        this.#memory.free(column.values);
      }
      if (column.nulls !== 0) {
        this.#memory.free(column.nulls);
      }
    }
    for (const { pageArguments, targetArguments } of this.#groups) {
      this.#memory.free(pageArguments.address);
      this.#memory.free(targetArguments);
    }
    this.#rowCount = 0;
  }

  reserveRows(rows: number): void {
    if (rows <= this.#capacity) {
      return;
    }
    const capacity = this.#capacityFor(rows);
    for (const column of this.#columns) {
      const bytes = capacity * column.width;
      column.values = column.values === 0 ? this.#memory.allocate(bytes) : this.#memory.reallocate(column.values, bytes);
      if (column.nulls !== 0) {
        column.nulls = this.#memory.reallocate(column.nulls, capacity);
      }
    }
    this.#capacity = capacity;
  }

  #capacityFor(rows: number): number {
    return Math.max(this.#rowsMin, rows, this.#capacity * 2);
  }

  #ensureNulls(columns: readonly Column[]): void {
    for (let index = 0; index < columns.length; index++) {
      if (this.#alwaysNullable || (columns[index] as Column).nulls !== 0) {
        this.#makeNulls(this.#columns[index] as StoredColumn);
      }
    }
  }

  #makeNulls(column: StoredColumn): void {
    if (column.nulls === 0) {
      column.nulls = this.#memory.allocate(this.#capacity);
      this.#memory.linear.u8.fill(0, column.nulls, column.nulls + this.#rowCount);
    }
  }

  #writeTargets(columns: readonly StoredColumn[], targetArguments: Address): Address {
    const { u32 } = this.#memory.linear;
    let word = targetArguments >>> 2;
    for (const column of columns) {
      u32[word] = column.values;
      u32[word + 1] = column.nulls;
      word += 2;
    }
    return targetArguments;
  }
}

/** Columns of the store that have nulls. They are part of the kernel's shape. */
function nullsVariant(columns: readonly StoredColumn[]): string {
  let variant = "";
  for (const column of columns) {
    variant += column.nulls === 0 ? "-" : "n";
  }
  return variant;
}

/** Returns the bytes of all strings of a page, as an i64. */
function stringBytesKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32"], result: "i64" }, (b, params) => {
      const input = openInput(b, params[0] as Local, layout);
      const total = b.local("i64");
      for (const [index, shape] of layout.columns.entries()) {
        if (physicalType(shape.type) === "bytes") {
          b.forRange(i32.const(0), input.positionCount, (position) => {
            const value = input.column(index, input.row(position));
            b.set(total, i64.add(total, i64.extendI32U(value.parts[1] as Expr)));
          });
        }
      }
      b.return_(total);
    });
  });
}

/** Parameters: page arguments, target arguments, first row, address for the strings. */
function appendKernel(name: string, layout: InputLayout, nulls: string, copiesStrings: boolean): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, targetArguments, firstRow, stringsTarget] = params;
      const input = openInput(b, pageArguments, layout);
      const output = openOutput(
        b,
        targetArguments,
        Array.from(nulls, (flag) => flag === "n"),
      );
      const cursor = b.local("i32", stringsTarget);
      for (const [index, shape] of layout.columns.entries()) {
        const isBytes = physicalType(shape.type) === "bytes";
        b.forRange(i32.const(0), input.positionCount, (position) => {
          const value = input.column(index, input.row(position));
          const target = b.temp(i32.add(firstRow, position));
          if (isBytes && copiesStrings) {
            const [address, length] = value.parts as readonly [Expr, Expr];
            emitCopyString(b, cursor, address, length);
            output.store(index, target, { ...value, parts: [cursor, length] });
            b.set(cursor, i32.add(cursor, length));
          } else {
            output.store(index, target, value);
          }
        });
      }
    });
  });
}

/**
 * Copies in words of eight bytes: up to seven bytes more than `length` are read and written. Blocks have 16 readable bytes after them; the
 * caller provides room for the write.
 */
export function emitCopyString(b: CodeBuilder, target: Expr, source: Expr, length: Expr): void {
  const done = b.local("i32", i32.const(0));
  b.while_(
    () => i32.ltU(done, length),
    () => {
      b.store("i64.store", i32.add(target, done), i64.load(i32.add(source, done)));
      b.set(done, i32.add(done, i32.const(8)));
    },
  );
}
