/**
 * Views of pages: a subset of columns, a range of positions. Nothing is copied.
 */
import type { LinearMemory } from "../../memory/memory.ts";
import { type Column, type Page, valueBytes } from "../../page/page.ts";

/** The page with only these columns, in this order. */
export function selectColumns(page: Page, channels: readonly number[]): Page {
  return {
    positionCount: page.positionCount,
    selection: page.selection,
    columns: channels.map((channel) => page.columns[channel] as Column),
  };
}

/** Number of rows for which the columns of a page must be readable. Selections are ascending, so the last one determines it. */
export function physicalRowsOf(linear: LinearMemory, page: Page): number {
  return page.selection === 0 ? page.positionCount : (linear.u32[(page.selection >>> 2) + page.positionCount - 1] as number) + 1;
}

/** Positions [from, from + count). */
export function slicePage(page: Page, from: number, count: number): Page {
  if (from === 0 || page.selection !== 0) {
    return { positionCount: count, selection: page.selection === 0 ? 0 : page.selection + 4 * from, columns: page.columns };
  }
  return { positionCount: count, selection: 0, columns: page.columns.map((column) => sliceColumn(column, from)) };
}

function sliceColumn(column: Column, from: number): Column {
  if (column.ids !== 0) {
    return { ...column, ids: column.ids + 4 * from };
  }
  return {
    ...column,
    values: column.values + from * valueBytes(column),
    nulls: column.nulls === 0 ? 0 : column.nulls + from,
    length: column.length - from,
  };
}
