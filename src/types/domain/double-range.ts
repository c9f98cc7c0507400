/** Ranges in the unit of column statistics: doubles, decimals with their point, dates as days. */
import type { Type } from "../type.ts";
import type { Bound } from "./range.ts";
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
export function doubleRangeOf(values: ValueSet): DoubleRange | undefined {
  const { span, type } = values;
  if (span === undefined || !hasDoubleRange(type)) {
    return span && {};
  }
  const end = (bound: Bound | undefined): number | undefined => bound && toDouble(type, bound.value as number | bigint);
  const [low, high] = [end(span.low), end(span.high)];
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high }) };
}

/** Returns whether the two ranges may share a value. */
export function doubleRangesMeet(a: DoubleRange, b: DoubleRange): boolean {
  return !(
    (a.low !== undefined && b.high !== undefined && a.low > b.high) ||
    (a.high !== undefined && b.low !== undefined && a.high < b.low)
  );
}
