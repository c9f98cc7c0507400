/** Ranges in the unit of column statistics: doubles, decimals with their point, dates as days. */
import type { Type } from "../type.ts";
import type { Bound, Range } from "./range.ts";
import type { ValueSet } from "./value-set.ts";

/** Both ends belong to the range. They are rounded as doubles are, in the order of the values. */
export interface DoubleRange {
  readonly low?: number;
  readonly high?: number;
}

const exactKinds: ReadonlySet<Type["kind"]> = new Set<Type["kind"]>(["tinyint", "smallint", "integer", "bigint", "date", "decimal"]);

/** Whether equal numbers of the type have one text: integers, dates and decimals. */
export function hasExactNumbers(type: Type): boolean {
  return exactKinds.has(type.kind);
}

/** Whether statistics of the type are numbers in the order of its values. */
export function hasDoubleRange(type: Type): boolean {
  return hasExactNumbers(type) || type.kind === "double";
}

/** A number, a date or an unscaled decimal. */
export function toDouble(type: Type, value: number | bigint): number {
  return type.kind === "decimal" ? Number(value) / 10 ** type.scale : Number(value);
}

/** Returns the smallest range that contains all values: unbounded for types without such statistics, undefined if there is no value. */
export function doubleRangeOf({ span, type }: ValueSet): DoubleRange | undefined {
  return span && doubleRange(type, span);
}

function doubleRange(type: Type, { low: first, high: last }: Range): DoubleRange {
  if (!hasDoubleRange(type)) {
    return {};
  }
  const end = (bound: Bound | undefined): number | undefined => bound && toDouble(type, bound.value as number | bigint);
  const [low, high] = [end(first), end(last)];
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high }) };
}

/** Returns whether one of the values may lie within the bounds. */
export function mayLieWithin({ ranges, type }: ValueSet, bounds: DoubleRange): boolean {
  const { low = Number.NEGATIVE_INFINITY } = bounds;
  // The first range that does not end before the bounds: all before it do.
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const { high = Number.POSITIVE_INFINITY } = doubleRange(type, ranges[middle] as Range);
    [from, to] = high < low ? [middle + 1, to] : [from, middle];
  }
  const nearest = ranges[from];
  return nearest !== undefined && doubleRangesMeet(doubleRange(type, nearest), bounds);
}

/** Returns whether the two ranges may share a value. */
function doubleRangesMeet(a: DoubleRange, b: DoubleRange): boolean {
  return !(
    (a.low !== undefined && b.high !== undefined && a.low > b.high) ||
    (a.high !== undefined && b.low !== undefined && a.high < b.low)
  );
}
