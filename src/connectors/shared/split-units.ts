/**
 * Splits of generated tables: ranges of units that can be generated independently, such as rows or orders.
 */

import { ComputedSplits } from "./splits.ts";

export interface UnitRange {
  /** 0-based. */
  readonly first: number;
  readonly count: number;
}

/** A table with fewer units is one split. */
const unitsOfSplitMin = 4096;
/** About 400,000 line items. */
const unitsOfSplitMax = 100_000;
const splitsMax = 65536;

/**
 * The number of splits depends on the table alone, not on the cluster. A small table is one split. Others have a multiple of
 * `splitsPerNode`, with at most 100,000 units each (tiny: 4 for orders and line items; scale 1: 16).
 */
export function splitCount(units: number, splitsPerNode: number): number {
  const wanted = units < unitsOfSplitMin ? 1 : splitsPerNode * Math.ceil(units / (splitsPerNode * unitsOfSplitMax));
  return Math.max(1, Math.min(wanted, splitsMax, units));
}

/** Split `index` of `count` splits with about the same number of units. */
export function unitsOfSplit(units: number, count: number, index: number): UnitRange {
  const first = Math.floor((units * index) / count);
  return { first, count: Math.floor((units * (index + 1)) / count) - first };
}

/** `count` splits of a table that has about `rowsPerUnit` rows per unit. */
export function splitsOfUnits(units: number, count: number, rowsPerUnit: number): ComputedSplits {
  return new ComputedSplits(count, (index) => {
    const range = unitsOfSplit(units, count, index);
    return { payload: { first: range.first, count: range.count }, rows: Math.round(range.count * rowsPerUnit) };
  });
}
