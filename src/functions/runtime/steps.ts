/**
 * Functions that take long without lambdas are generators: they yield the steps since the last time, and may be suspended there. A step is
 * about a microsecond.
 */
import type { WorkWatch } from "../../codegen/host-work.ts";
import type { HostValue } from "../registry/definition.ts";

export type InSteps<T> = Generator<number, T, unknown>;

/** Runs the generator until it returns, or until the watch throws at the end of a slice. */
export function runSteps(frame: InSteps<HostValue>, watch: WorkWatch): HostValue {
  for (;;) {
    watch.step();
    const next = frame.next();
    if (next.done === true) {
      return next.value;
    }
    watch.work(next.value);
  }
}

/** Runs the generator to its end, where nothing is suspended. */
export function allSteps<T>(steps: InSteps<T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) {
      return next.value;
    }
  }
}

/** Values that are sorted, or merged, at once, if a comparison is short. */
const atOnce = 2_048;
const comparisonsPerStep = 10;

/** A stable sort; yields the steps since the last time. `weigh`: work of comparing the value, 1 for a number. */
export function* sortInSteps<T>(
  values: readonly T[],
  compare: (a: T, b: T) => number,
  weigh: (value: T) => number = () => 1,
): InSteps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let first = 0; first < values.length; ) {
    let [to, weight] = [first, 0];
    while (to < values.length && weight < atOnce) {
      weight += weigh(values[to++] as T);
    }
    runs.push(values.slice(first, to).sort(compare));
    if (to === values.length && runs.length === 1) {
      break;
    }
    yield Math.ceil((weight * Math.log2(to - first + 1)) / comparisonsPerStep);
    first = to;
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(yield* mergeInSteps(runs[index] as readonly T[], runs[index + 1] ?? [], { compare, weigh }));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

interface Comparison<T> {
  readonly compare: (a: T, b: T) => number;
  readonly weigh: (value: T) => number;
}

function* mergeInSteps<T>(one: readonly T[], other: readonly T[], { compare, weigh }: Comparison<T>): InSteps<readonly T[]> {
  if (other.length === 0) {
    return one;
  }
  const merged: T[] = [];
  let [left, right, weight] = [0, 0, 0];
  while (left < one.length || right < other.length) {
    const takesLeft = right === other.length || (left < one.length && compare(one[left] as T, other[right] as T) <= 0);
    const value = (takesLeft ? one[left++] : other[right++]) as T;
    merged.push(value);
    weight += weigh(value);
    if (weight >= atOnce) {
      yield Math.ceil(weight / comparisonsPerStep);
      weight = 0;
    }
  }
  return merged;
}
