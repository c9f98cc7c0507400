/** Rows of a page as JavaScript values. */
import type { LinearMemory } from "../../src/memory/memory.ts";
import type { Page } from "../../src/page/page.ts";
import { type PageValue, readValue } from "../../src/page/reader.ts";

/** All values at a position, in column order. */
export function readRow(linear: LinearMemory, page: Page, position: number): PageValue[] {
  return page.columns.map((_, columnIndex) => readValue(linear, page, columnIndex, position));
}
