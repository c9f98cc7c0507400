/**
 * Rows as JavaScript values, pages of every shape built from them, and a reference order and equality for operators.
 */
import fc from "fast-check";
import type { MemoryContext } from "../../../src/memory/memory.ts";
import { PageBuilder } from "../../../src/page/builder.ts";
import type { Page } from "../../../src/page/page.ts";
import { readRow } from "../../support/pages.ts";
import { BIGINT, BOOLEAN, DOUBLE, INTEGER, type Type, VARCHAR } from "../../../src/types/type.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";

export type Cell = null | boolean | number | bigint | string;
export type Row = readonly Cell[];

export const cellTypes: readonly Type[] = [BIGINT, INTEGER, VARCHAR, DOUBLE, BOOLEAN];

/** Few distinct values, so that keys match; includes nulls. */
function arbitraryCell(type: Type): fc.Arbitrary<Cell> {
  switch (type.kind) {
    case "bigint":
      return fc.option(fc.oneof(fc.bigInt({ min: -3n, max: 3n }), fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n)), { freq: 6 });
    case "integer":
      return fc.option(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-(2 ** 31), 2 ** 31 - 1)), { freq: 6 });
    case "varchar":
      return fc.option(
        fc.constantFrom("", "a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefgha", "\u00e9", "a longer text than sixteen bytes"),
        { freq: 6 },
      );
    case "double":
      return fc.option(fc.constantFrom(0, -0, 1.5, -1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300), { freq: 6 });
    default:
      return fc.option(fc.boolean(), { freq: 6 });
  }
}

export function arbitraryRows(types: readonly Type[], rowsMax = 40): fc.Arbitrary<Row[]> {
  return fc.array(fc.tuple(...types.map(arbitraryCell)), { maxLength: rowsMax });
}

/** Shapes of pages: flat, with a selection, with ids. */
export type Shape = "flat" | "selected" | "dictionary" | "selected dictionary";
export const arbitraryShape: fc.Arbitrary<Shape> = fc.constantFrom("flat", "selected", "dictionary", "selected dictionary");

function appendCell(builder: PageBuilder, column: number, type: Type, cell: Cell): void {
  if (cell === null) {
    builder.appendNull(column);
  } else if (typeof cell === "boolean") {
    builder.appendBoolean(column, cell);
  } else if (typeof cell === "bigint") {
    builder.appendBigint(column, cell);
  } else if (typeof cell === "string") {
    builder.appendString(column, cell);
  } else if (type.kind === "double") {
    builder.appendDouble(column, cell);
  } else {
    builder.appendInt(column, cell);
  }
}

/** Valid as long as `memory`. */
export function makePage(memory: MemoryContext, types: readonly Type[], rows: readonly Row[], shape: Shape): Page {
  const selected = shape.startsWith("selected");
  // In a selected page, every other row is not selected and must be ignored.
  const physical = selected ? rows.flatMap((row) => [types.map((): Cell => null), row]) : rows;
  const dictionary = shape.endsWith("dictionary");
  const builder = new PageBuilder(types, memory, 1 << 20);
  const ids: number[] = [];
  const entries = dictionary ? [...new Map(physical.map((row) => [rowKey(row), row])).values()] : physical;
  const entryOf = new Map(entries.map((row, index) => [rowKey(row), index]));
  for (const row of entries) {
    row.forEach((cell, column) => appendCell(builder, column, types[column] as Type, cell));
  }
  const { u32 } = memory.linear;
  const words = (values: readonly number[]): number => {
    const address = memory.allocate(Math.max(1, values.length) * 4);
    u32.set(values, address >>> 2);
    return address;
  };
  const flat = builder.build();
  let columns = flat.columns;
  if (dictionary) {
    for (const row of physical) {
      ids.push(entryOf.get(rowKey(row)) as number);
    }
    const address = words(ids);
    columns = columns.map((column) => ({ ...column, ids: address }));
  }
  return {
    positionCount: rows.length,
    selection: selected ? words(rows.map((_, index) => index * 2 + 1)) : 0,
    columns,
  };
}

export function readRows(memory: MemoryContext, page: Page): Cell[][] {
  return Array.from({ length: page.positionCount }, (_, position) =>
    readRow(memory.linear, page, position).map((value) => (value instanceof Uint8Array ? decodeUtf8(value) : value)),
  );
}

/** Equal for cells that are not distinct: NULL is NULL, NaN is NaN, 0 is -0. */
function cellKey(cell: Cell): string {
  return `${typeof cell}:${Object.is(cell, -0) ? "0" : String(cell)}`;
}

/** Distinguishes 0 from -0: for rows that must be unchanged. */
function rowKey(row: Row): string {
  return row.map((cell) => `${typeof cell}:${Object.is(cell, -0) ? "-0" : String(cell)}`).join("|");
}

export function groupKey(cells: readonly Cell[]): string {
  return cells.map(cellKey).join("|");
}

/** SQL `=` in a join: NULL and NaN equal nothing. */
export function joinsWith(left: readonly Cell[], right: readonly Cell[]): boolean {
  return left.every((cell, index) => cell !== null && right[index] !== null && cell === right[index]);
}

/** Order of two non-null cells: NaN last, text by bytes. */
export function compareCells(left: Exclude<Cell, null>, right: Exclude<Cell, null>): number {
  if (typeof left === "number" && typeof right === "number") {
    const [leftNaN, rightNaN] = [Number.isNaN(left), Number.isNaN(right)];
    return leftNaN || rightNaN ? Number(leftNaN) - Number(rightNaN) : Number(left > right) - Number(left < right);
  }
  return Number(left > right) - Number(left < right);
}

export function compareRows(
  left: Row,
  right: Row,
  order: readonly { channel: number; descending: boolean; nullsFirst: boolean }[],
): number {
  for (const { channel, descending, nullsFirst } of order) {
    const [x, y] = [left[channel] ?? null, right[channel] ?? null];
    if (x === null || y === null) {
      if (x === y) {
        continue;
      }
      return (x === null) === nullsFirst ? -1 : 1;
    }
    const result = compareCells(x, y);
    if (result !== 0) {
      return descending ? -result : result;
    }
  }
  return 0;
}
