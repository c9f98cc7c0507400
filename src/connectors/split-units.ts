/** Splits of generated tables: ranges of the units that can be generated alone, such as rows or orders. */

export interface UnitRange {
  /** 0-based. */
  readonly first: number;
  readonly count: number;
}

/** Below it, one split. */
const unitsOfSplitMin = 4096;
/** About 400,000 line items. */
const unitsOfSplitMax = 100_000;
const splitsMax = 65536;

/**
 * The same table always gives the same splits, on any cluster: a small table one, others a multiple of `splitsPerNode`, at most 100,000 units
 * each (tiny: 4 for orders and line items; scale 1: 16).
 */
export function splitUnits(units: number, splitsPerNode: number): readonly UnitRange[] {
  const wanted = units < unitsOfSplitMin ? 1 : splitsPerNode * Math.ceil(units / (splitsPerNode * unitsOfSplitMax));
  const count = Math.max(1, Math.min(wanted, splitsMax, units));
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((units * index) / count);
    return { first, count: Math.floor((units * (index + 1)) / count) - first };
  });
}
