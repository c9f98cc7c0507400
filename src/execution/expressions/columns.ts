/**
 * How kernels read and write columns of pages. The addresses pass through a block in linear memory that is written once per page. What a
 * column may have (nulls, ids, a selection) is part of the kernel's shape.
 */
import { loadParts, storeParts } from "../../functions/runtime/memory-values.ts";
import { type CodeBuilder, i32, i64, select } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import type { LinearMemory, Address } from "../../memory/memory.ts";
import type { Column, NarrowBytes, Page } from "../../page/page.ts";
import { displayType, physicalType, physicalWidth, type Type } from "../../types/type.ts";
import type { Value } from "../../functions/runtime/value.ts";

export interface ColumnShape {
  readonly type: Type;
  readonly nullable: boolean;
  /** Values are read through `ids`. */
  readonly indirect: boolean;
  /** As of Column. */
  readonly narrow?: NarrowBytes | undefined;
}

export interface InputLayout {
  readonly columns: readonly ColumnShape[];
  readonly selected: boolean;
}

function shapeOf(column: Column): ColumnShape {
  return { type: column.type, nullable: column.nulls !== 0, indirect: column.ids !== 0, narrow: column.narrow };
}

export function layoutOf(page: Page): InputLayout {
  return { columns: page.columns.map(shapeOf), selected: page.selection !== 0 };
}

/** Equal for pages that one kernel can read. */
export function layoutKey(layout: InputLayout): string {
  const columns = layout.columns.map(
    ({ indirect, narrow, nullable, type }) => `${displayType(type)}${narrow ?? ""}${nullable ? "?" : ""}${indirect ? "*" : ""}`,
  );
  return `${layout.selected ? "sel " : ""}${columns.join(",")}`;
}

/** Whether the page has the layout. Asked for every page, so no layout and no key is made. Types are compared by identity. */
export function hasLayout({ columns, selection }: Page, layout: InputLayout): boolean {
  if (layout.selected !== (selection !== 0) || layout.columns.length !== columns.length) {
    return false;
  }
  for (let index = 0; index < columns.length; index++) {
    const { ids, narrow, nulls, type } = columns[index] as Column;
    const shape = layout.columns[index] as ColumnShape;
    if (shape.type !== type || shape.nullable !== (nulls !== 0) || shape.indirect !== (ids !== 0) || shape.narrow !== narrow) {
      return false;
    }
  }
  return true;
}

/** What an operator has for each layout of its pages, such as a kernel. Consecutive pages mostly have the same layout. */
export class ByLayout<T> {
  readonly #values = new Map<string, T>();
  #layout: InputLayout | undefined;
  #value: T | undefined;

  /** `make` runs once for each layout; `key` is that of the layout. */
  for(page: Page, make: (layout: InputLayout, key: string) => T): T {
    if (this.#layout !== undefined && hasLayout(page, this.#layout)) {
      return this.#value as T;
    }
    const layout = layoutOf(page);
    const key = layoutKey(layout);
    let value = this.#values.get(key);
    if (value === undefined) {
      value = make(layout, key);
      this.#values.set(key, value);
    }
    this.#layout = layout;
    this.#value = value;
    return value;
  }
}

/** Header: u32 positionCount, u32 selection, 8 bytes unused; then per column u32 values, u32 nulls, u32 ids, u32 length. */
const headerBytes = 16;
const columnBytes = 16;

export function pageArgumentsBytes(layout: InputLayout): number {
  return headerBytes + columnBytes * layout.columns.length;
}

export function writePageArguments(linear: LinearMemory, address: Address, page: Page): void {
  let word = address >>> 2;
  linear.u32[word] = page.positionCount;
  linear.u32[word + 1] = page.selection;
  for (const column of page.columns) {
    word += columnBytes / 4;
    linear.u32[word] = column.values;
    linear.u32[word + 1] = column.nulls;
    linear.u32[word + 2] = column.ids;
    linear.u32[word + 3] = column.length;
  }
}

export interface InputReader {
  /** i32: number of positions of the page. */
  readonly positionCount: Expr;
  /** Row of a position, through the selection if there is one. */
  row(position: Expr): Expr;
  /** The value at a row, in locals. The loads are emitted at the point of the call. */
  column(index: number, row: Expr): Value;
  /** i32 0 or 1; undefined if the column has no nulls in this layout. */
  isNull(index: number, row: Expr): Expr | undefined;
}

interface ColumnAddresses {
  readonly values: Expr;
  readonly nulls: Expr;
  readonly ids: Expr;
}

/** Loads the addresses into locals. Call it at the start of a kernel. Columns outside of `used` are skipped. */
export function openInput(b: CodeBuilder, argumentsAddress: Expr, layout: InputLayout, used?: ReadonlySet<number>): InputReader {
  const none = i32.const(0);
  const base = b.temp(argumentsAddress);
  const positionCount = b.local("i32", i32.load(base, 0));
  const selection = layout.selected ? b.local("i32", i32.load(base, 4)) : none;
  const addresses = layout.columns.map((shape, index): ColumnAddresses | undefined => {
    if (used !== undefined && !used.has(index)) {
      return undefined;
    }
    const offset = headerBytes + columnBytes * index;
    return {
      values: b.local("i32", i32.load(base, offset)),
      nulls: shape.nullable ? b.local("i32", i32.load(base, offset + 4)) : none,
      ids: shape.indirect ? b.local("i32", i32.load(base, offset + 8)) : none,
    };
  });
  function find(index: number): { shape: ColumnShape; at: ColumnAddresses } {
    const shape = layout.columns[index];
    const at = addresses[index];
    if (shape === undefined || at === undefined) {
      throw new Error(`kernel input has no column ${index}`);
    }
    return { shape, at };
  }
  function entry(index: number, row: Expr): Expr {
    const { shape, at } = find(index);
    return shape.indirect ? b.temp(i32.load(elementAddress(at.ids, row, 4))) : row;
  }
  return {
    positionCount,
    row: (position) => (layout.selected ? b.temp(i32.load(elementAddress(selection, position, 4))) : position),
    column(index, row) {
      const { shape, at } = find(index);
      const from = entry(index, row);
      return {
        type: shape.type,
        parts: shape.narrow === undefined ? emitLoadParts(b, shape.type, at.values, from) : [emitLoadNarrow(b, shape, at.values, from)],
        isNull: shape.nullable ? b.temp(i32.load8u(i32.add(at.nulls, from))) : undefined,
        bits: shape.narrow !== undefined && isCounted(shape.type) ? 8 * shape.narrow : undefined,
      };
    },
    isNull(index, row) {
      const { shape, at } = find(index);
      return shape.nullable ? b.temp(i32.load8u(i32.add(at.nulls, entry(index, row)))) : undefined;
    },
  };
}

/** Arithmetic on these types uses the bounds of its operands. */
function isCounted({ kind }: Type): boolean {
  return kind === "integer" || kind === "bigint" || kind === "decimal";
}

/** Address of a column's first value. */
export function columnValues(argumentsAddress: Expr, index: number): Expr {
  return i32.load(argumentsAddress, headerBytes + columnBytes * index);
}

/** Address of element `index` of an array of elements of `width` bytes (a power of two). */
function elementAddress(base: Expr, index: Expr, width: number): Expr {
  const shift = 31 - Math.clz32(width);
  return i32.add(base, shift === 0 ? index : i32.shl(index, i32.const(shift)));
}

/** Loads the value at `values + index * width` into locals. */
export function emitLoadParts(b: CodeBuilder, type: Type, values: Expr, index: Expr): Expr[] {
  return loadParts(b, type, elementAddress(values, index, physicalWidth(physicalType(type))));
}

const narrowLoads = Object.freeze({
  i32: { 1: i32.load8s, 2: i32.load16s, 4: i32.load },
  i64: { 1: i64.load8s, 2: i64.load16s, 4: i64.load32s },
});

function emitLoadNarrow(b: CodeBuilder, { narrow = 4, type }: ColumnShape, values: Expr, index: Expr): Expr {
  const load = narrowLoads[physicalType(type) === "i32" ? "i32" : "i64"][narrow];
  return b.temp(load(elementAddress(values, index, narrow)));
}

/** Stores a value's parts at an address: of a column's entry, a state or a key. */
function emitStoreParts(b: CodeBuilder, type: Type, address: Expr, parts: readonly Expr[], offset = 0): void {
  storeParts(b, type, address, parts, offset);
}

export interface StoreTarget {
  readonly values: Expr;
  /** Undefined if the value cannot be NULL. */
  readonly nulls: Expr | undefined;
}

/** Writes a value into row `row` of a column. With `nulls` both arrays are written; strings under a NULL get length 0. */
export function emitStoreValue(b: CodeBuilder, target: StoreTarget, row: Expr, value: Value): void {
  const at = b.temp(elementAddress(target.values, row, physicalWidth(physicalType(value.type))));
  const isBytes = physicalType(value.type) === "bytes";
  if (target.nulls !== undefined && value.isNull !== undefined && isBytes) {
    const isNull = b.temp(value.isNull);
    const [address, length] = value.parts as readonly [Expr, Expr];
    b.store("i32.store", at, address);
    b.store("i32.store", at, select(isNull, i32.const(0), length), 4);
    b.store("i32.store8", i32.add(target.nulls, row), isNull);
    return;
  }
  emitStoreParts(b, value.type, at, value.parts);
  if (target.nulls !== undefined) {
    b.store("i32.store8", i32.add(target.nulls, row), value.isNull ?? i32.const(0));
  }
}

/** Per output column: u32 values, u32 nulls (0: none). */
const outputColumnBytes = 8;

export function outputArgumentsBytes(columnCount: number): number {
  return Math.max(outputColumnBytes, outputColumnBytes * columnCount);
}

export function writeOutputArguments(
  linear: LinearMemory,
  address: Address,
  columns: readonly { readonly values: Address; readonly nulls: Address }[],
): void {
  let word = address >>> 2;
  for (const column of columns) {
    linear.u32[word] = column.values;
    linear.u32[word + 1] = column.nulls;
    word += outputColumnBytes / 4;
  }
}

export interface OutputWriter {
  store(index: number, row: Expr, value: Value): void;
}

/** Call it at the start of a kernel. `nullable[i]`: whether column i has a nulls array. */
export function openOutput(b: CodeBuilder, argumentsAddress: Expr, nullable: readonly boolean[]): OutputWriter {
  const base = b.temp(argumentsAddress);
  const targets = nullable.map((hasNulls, index): StoreTarget => {
    const offset = outputColumnBytes * index;
    return {
      values: b.local("i32", i32.load(base, offset)),
      nulls: hasNulls ? b.local("i32", i32.load(base, offset + 4)) : undefined,
    };
  });
  return {
    store(index, row, value) {
      const target = targets[index];
      if (target === undefined) {
        throw new Error(`kernel output has no column ${index}`);
      }
      emitStoreValue(b, target, row, value);
    },
  };
}
