/**
 * Sorts by a comparator that is a lambda: ascending runs, short ones made longer by binary insertion, and merges of neighbours, as in the
 * sort of the platform and of Java (Peters, listsort.txt), without their galloping. Stable. It ends with some order even if the comparator
 * is inconsistent, for lists of less than 64 elements with the order of the platform.
 */
import type { HostValue } from "../../registry/definition.ts";
import type { Asked, AskLambda } from "../../runtime/large/lambda-steps.ts";
import { invalidArgument, type List } from "../../runtime/nested-values.ts";

/** Lengths of runs are between half of it and all. */
const runMax = 64;

type Sorting<T> = Generator<number | Asked, T, HostValue>;

export function* sortedBy(list: List, compare: AskLambda): Sorting<List> {
  const values = [...list];
  const shortest = shortestRun(values.length);
  const ends = [0];
  for (let from = 0; from < values.length; from = ends.at(-1) as number) {
    const found = yield* ascendingRun(values, from, compare);
    const to = Math.max(found, Math.min(values.length, from + shortest));
    yield* insertAll(values, { from, sorted: found, to }, compare);
    ends.push(to);
  }
  let runs = ends.slice(1).map((end, index) => values.slice(ends[index], end));
  while (runs.length > 1) {
    const longer: HostValue[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(yield* merge(runs[index] as HostValue[], runs[index + 1] ?? [], compare));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function shortestRun(length: number): number {
  let [left, odd] = [length, 0];
  while (left >= runMax) {
    odd |= left & 1;
    left >>= 1;
  }
  return left + odd;
}

function checked(order: HostValue): number {
  return order === -1 || order === 0 || order === 1 ? order : invalidArgument("Lambda comparator must return either -1, 0, or 1");
}

/** End of the run at `from`. A descending one is reversed. */
function* ascendingRun(values: HostValue[], from: number, compare: AskLambda): Sorting<number> {
  if (from + 1 >= values.length) {
    return values.length;
  }
  const isDescending = checked(yield compare(values[from + 1] as HostValue, values[from] as HostValue)) < 0;
  let to = from + 2;
  while (to < values.length && checked(yield compare(values[to] as HostValue, values[to - 1] as HostValue)) < 0 === isDescending) {
    to++;
  }
  if (isDescending) {
    values.slice(from, to).forEach((value, index) => {
      values[to - 1 - index] = value;
    });
  }
  return to;
}

interface Range {
  readonly from: number;
  /** End of the sorted part. */
  readonly sorted: number;
  readonly to: number;
}

function* insertAll(values: HostValue[], { from, sorted, to }: Range, compare: AskLambda): Sorting<void> {
  for (let next = sorted; next < to; next++) {
    const value = values[next] as HostValue;
    let [left, right] = [from, next];
    while (left < right) {
      const middle = left + ((right - left) >> 1);
      if (checked(yield compare(value, values[middle] as HostValue)) < 0) {
        right = middle;
      } else {
        left = middle + 1;
      }
    }
    values.copyWithin(left + 1, left, next);
    values[left] = value;
  }
}

function* merge(one: HostValue[], other: HostValue[], compare: AskLambda): Sorting<HostValue[]> {
  const merged: HostValue[] = [];
  let next = 0;
  for (const value of other) {
    while (next < one.length && checked(yield compare(value, one[next] as HostValue)) >= 0) {
      merged.push(one[next++] as HostValue);
    }
    merged.push(value);
  }
  for (; next < one.length; next++) {
    merged.push(one[next] as HostValue);
  }
  return merged;
}
