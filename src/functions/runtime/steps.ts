/**
 * Functions that take long without lambdas are generators: they yield the steps since the last time, and may be suspended there. A step is
 * about a microsecond.
 */
import type { WorkWatch } from "../../codegen/host-work.ts";
import type { HostValue } from "../registry/definition.ts";

export type InSteps<T> = Generator<number, T, void>;

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

/** Values that are sorted, or merged, at once. */
const atOnce = 8_192;
const comparisonsPerStep = 10;

/** A stable sort; yields the steps since the last time. */
export function* sortInSteps<T>(values: readonly T[], compare: (a: T, b: T) => number): InSteps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let first = 0; first < values.length; first += atOnce) {
    const run = values.slice(first, first + atOnce).sort(compare);
    runs.push(run);
    yield Math.ceil((run.length * Math.log2(run.length + 1)) / comparisonsPerStep);
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(yield* mergeInSteps(runs[index] as readonly T[], runs[index + 1] ?? [], compare));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* mergeInSteps<T>(one: readonly T[], other: readonly T[], compare: (a: T, b: T) => number): InSteps<readonly T[]> {
  if (other.length === 0) {
    return one;
  }
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const takesLeft = right === other.length || (left < one.length && compare(one[left] as T, other[right] as T) <= 0);
    merged.push((takesLeft ? one[left++] : other[right++]) as T);
    if (merged.length % atOnce === 0) {
      yield atOnce / comparisonsPerStep;
    }
  }
  return merged;
}
