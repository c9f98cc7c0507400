/** Rows of a page as JavaScript values, and columns in other layouts. */
import { bytesNeeded, narrowValues } from "../../src/connectors/memory/narrow.ts";
import type { LinearMemory } from "../../src/memory/memory.ts";
import { type Column, type NarrowBytes, type Page, valueBytes } from "../../src/page/page.ts";
import { type PageValue, readValue } from "../../src/page/reader.ts";
import { physicalType } from "../../src/types/type.ts";

/** All values at a position, in column order. */
export function readRow(linear: LinearMemory, page: Page, position: number): PageValue[] {
  return page.columns.map((_, columnIndex) => readValue(linear, page, columnIndex, position));
}

/** The column with integers in the fewest bytes, written over its values; the same column if they need all bytes. */
export function narrowed(linear: LinearMemory, column: Column): Column {
  const width = valueBytes(column);
  const integers = { address: column.values, rows: column.length, width };
  const isInteger = ["i32", "i64"].includes(physicalType(column.type));
  const needed = isInteger ? bytesNeeded(linear, integers) : width;
  if (needed === width) {
    return column;
  }
  narrowValues(linear, integers, needed as NarrowBytes);
  return { ...column, narrow: needed as NarrowBytes };
}
