/**
 * Ranges of values of one type. Values are ordered as in compareNested: NaN behind all numbers, -0.0 equal to 0.0, text by code points,
 * char as if padded. SQL compares NaN as IEEE does, where no comparison but `<>` holds: a range may therefore hold NaN where the condition
 * it was made of does not.
 */
import { compareNested } from "../nested/nested-order.ts";
import type { Type } from "../type.ts";

/** A value of a type whose values are neither bytes nor nested, in the form of NestedValue. */
export type DomainValue = boolean | number | bigint | string;

export interface Bound {
  readonly value: DomainValue;
  readonly inclusive: boolean;
}

/** A missing bound means that the range is unbounded on that side. A range contains at least one value. */
export interface Range {
  readonly low?: Bound;
  readonly high?: Bound;
}

export const unboundedRange: Range = Object.freeze({});

export function equalTo(value: DomainValue): Range {
  const bound = { value, inclusive: true };
  return { low: bound, high: bound };
}

export function lessThan(value: DomainValue): Range {
  return { high: { value, inclusive: false } };
}

export function lessThanOrEqual(value: DomainValue): Range {
  return { high: { value, inclusive: true } };
}

export function greaterThan(value: DomainValue): Range {
  return { low: { value, inclusive: false } };
}

export function greaterThanOrEqual(value: DomainValue): Range {
  return { low: { value, inclusive: true } };
}

/** `low` must not be greater than `high`. */
export function between(low: DomainValue, high: DomainValue): Range {
  return { low: { value: low, inclusive: true }, high: { value: high, inclusive: true } };
}

export function isUnbounded({ low, high }: Range): boolean {
  return low === undefined && high === undefined;
}

export function rangeIncludes(type: Type, { low, high }: Range, value: DomainValue): boolean {
  return !beginsBehind(type, low, value) && !endsBefore(type, high, value);
}

function beginsBehind(type: Type, low: Bound | undefined, value: DomainValue): boolean {
  const order = low === undefined ? -1 : compareNested(type, low.value, value);
  return order > 0 || (order === 0 && low?.inclusive === false);
}

function endsBefore(type: Type, high: Bound | undefined, value: DomainValue): boolean {
  const order = high === undefined ? 1 : compareNested(type, high.value, value);
  return order < 0 || (order === 0 && high?.inclusive === false);
}

/** Positive if a range with the lower bound `a` begins after one with the lower bound `b`. */
function compareLows(type: Type, a: Bound | undefined, b: Bound | undefined): number {
  if (a === undefined || b === undefined) {
    return Number(a !== undefined) - Number(b !== undefined);
  }
  return compareNested(type, a.value, b.value) || Number(b.inclusive) - Number(a.inclusive);
}

/** Positive if a range with the upper bound `a` ends after one with the upper bound `b`. */
function compareHighs(type: Type, a: Bound | undefined, b: Bound | undefined): number {
  if (a === undefined || b === undefined) {
    return Number(a === undefined) - Number(b === undefined);
  }
  return compareNested(type, a.value, b.value) || Number(a.inclusive) - Number(b.inclusive);
}

function rangeOf(low: Bound | undefined, high: Bound | undefined): Range {
  return { ...(low && { low }), ...(high && { high }) };
}

/** Returns the smallest range that contains all ranges, which are in order; undefined for none. */
export function spanOf(ranges: readonly Range[]): Range | undefined {
  const [first, last] = [ranges[0], ranges.at(-1)];
  return first === undefined || last === undefined ? undefined : rangeOf(first.low, last.high);
}

/** Returns the ranges in order, with a gap between each and the next. Of equal bounds, the first one stays. */
export function mergedRanges(type: Type, ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => compareLows(type, a.low, b.low))) {
    const last = merged.at(-1);
    if (last === undefined || hasGap(type, last.high, range.low)) {
      merged.push(range);
    } else if (compareHighs(type, range.high, last.high) > 0) {
      merged[merged.length - 1] = rangeOf(last.low, range.high);
    }
  }
  return merged;
}

/** Returns whether a value may lie between a range and the next one. */
function hasGap(type: Type, high: Bound | undefined, low: Bound | undefined): boolean {
  if (high === undefined || low === undefined) {
    return false;
  }
  const order = compareNested(type, high.value, low.value);
  return order < 0 || (order === 0 && !high.inclusive && !low.inclusive);
}

/** Both lists, and the result, have the form of mergedRanges. */
export function intersectedRanges(type: Type, a: readonly Range[], b: readonly Range[]): readonly Range[] {
  const common: Range[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i] as Range, b[j] as Range];
    const low = compareLows(type, one.low, other.low) > 0 ? one.low : other.low;
    const oneEndsFirst = compareHighs(type, one.high, other.high) < 0;
    const high = oneEndsFirst ? one.high : other.high;
    if (!isEmpty(type, low, high)) {
      common.push(rangeOf(low, high));
    }
    if (oneEndsFirst) {
      i++;
    } else {
      j++;
    }
  }
  return common;
}

function isEmpty(type: Type, low: Bound | undefined, high: Bound | undefined): boolean {
  if (low === undefined || high === undefined) {
    return false;
  }
  const order = compareNested(type, low.value, high.value);
  return order > 0 || (order === 0 && !(low.inclusive && high.inclusive));
}
