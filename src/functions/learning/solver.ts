/**
 * Sequential minimal optimization with second-order working set selection (Fan, Chen and Lin, 2005), as in LIBSVM. Minimizes a'Qa / 2 + p'a
 * subject to y'a = constant and 0 <= a <= C. With `equalSums`, the sum over each sign of y is constant too, as the nu variants require.
 */
import type { InSteps } from "../runtime/steps.ts";
import type { TrainingEffort } from "./effort.ts";

export interface Problem {
  readonly size: number;
  /** Sign of each variable: 1 or -1. */
  readonly signs: Int8Array;
  readonly linear: Float64Array;
  /** Feasible starting point; updated in place to the solution. */
  readonly alpha: Float64Array;
  readonly bound: number;
  /** Row of Q. The array stays valid for one further call; the second call may overwrite it. */
  readonly row: (index: number) => Float64Array;
  readonly diagonal: Float64Array;
  readonly tolerance: number;
  readonly equalSums: boolean;
  readonly effort: TrainingEffort;
}

const leastCurvature = 1e-12;
/** An iteration reads the gradient, the bounds and three rows of Q. */
const numbersPerVariable = 8;

/** Limit on iterations, for problems that do not converge: the form of LIBSVM's limit, with a lower value. */
function iterationsMax(size: number): number {
  return Math.max(100_000, 100 * size);
}

/** Solves the problem and returns rho, the threshold of the decision function. Yields steps. */
export function* solve(problem: Problem): InSteps<number> {
  const { effort, size } = problem;
  const gradient = yield* firstGradient(problem);
  for (let iteration = iterationsMax(problem.size); iteration > 0; iteration--) {
    effort.count(numbersPerVariable * size);
    const pair = workingSet(problem, gradient);
    if (pair === undefined) {
      break;
    }
    step(problem, gradient, pair);
    yield* effort.pause();
  }
  return threshold(problem, gradient);
}

function* firstGradient({ size, linear, alpha, row, effort }: Problem): InSteps<Float64Array> {
  const gradient = Float64Array.from(linear);
  for (let index = 0; index < size; index++) {
    const weight = alpha[index] as number;
    if (weight !== 0) {
      addRow(gradient, row(index), weight);
      yield* effort.pause();
    }
  }
  return gradient;
}

function addRow(gradient: Float64Array, row: Float64Array, weight: number): void {
  for (let at = 0; at < gradient.length; at++) {
    gradient[at] = (gradient[at] as number) + weight * (row[at] as number);
  }
}

/** Whether the variable can grow (1) or shrink (-1) along its sign. */
function mayMove({ alpha, bound, signs }: Problem, index: number, direction: 1 | -1): boolean {
  const value = alpha[index] as number;
  return signs[index] === direction ? value < bound : value > 0;
}

interface Pair {
  readonly first: number;
  readonly second: number;
}

/** The variable with the largest gain along its sign, among the variables with `sign` if given. */
function steepest(problem: Problem, gradient: Float64Array, sign: number | undefined): { readonly index: number; readonly gain: number } {
  let [index, gain] = [-1, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < problem.size; at++) {
    const y = problem.signs[at] as number;
    const value = -y * (gradient[at] as number);
    if ((sign === undefined || y === sign) && value >= gain && mayMove(problem, at, 1)) {
      [index, gain] = [at, value];
    }
  }
  return { index, gain };
}

/** Two variables to move in opposite directions; undefined if the optimality conditions hold within the tolerance. */
function workingSet(problem: Problem, gradient: Float64Array): Pair | undefined {
  const { size, signs, row, diagonal, tolerance, equalSums } = problem;
  let best: (Pair & { readonly objective: number }) | undefined;
  let violation = Number.NEGATIVE_INFINITY;
  for (const sign of equalSums ? [1, -1] : [undefined]) {
    const { index: first, gain } = steepest(problem, gradient, sign);
    if (first < 0) {
      continue;
    }
    const rowOfFirst = row(first);
    const y = signs[first] as number;
    for (let at = 0; at < size; at++) {
      const other = signs[at] as number;
      if ((sign !== undefined && other !== sign) || !mayMove(problem, at, -1)) {
        continue;
      }
      const difference = gain + other * (gradient[at] as number);
      violation = Math.max(violation, difference);
      if (difference > 0) {
        const curvature = (diagonal[first] as number) + (diagonal[at] as number) - 2 * y * other * (rowOfFirst[at] as number);
        const objective = -(difference * difference) / Math.max(curvature, leastCurvature);
        if (best === undefined || objective <= best.objective) {
          best = { first, second: at, objective };
        }
      }
    }
  }
  return violation < tolerance ? undefined : best;
}

/** Moves both variables to the minimum on their line, within their bounds. */
function step(problem: Problem, gradient: Float64Array, { first, second }: Pair): void {
  const { alpha, signs, row, diagonal, bound } = problem;
  const rowOfFirst = row(first);
  const rowOfSecond = row(second);
  const [y, z] = [signs[first] as number, signs[second] as number];
  const [a, b] = [alpha[first] as number, alpha[second] as number];
  const curvature = (diagonal[first] as number) + (diagonal[second] as number) - 2 * y * z * (rowOfFirst[second] as number);
  const wanted = (-y * (gradient[first] as number) + z * (gradient[second] as number)) / Math.max(curvature, leastCurvature);
  // `first` moves by y and `second` by minus z, until one of them reaches a bound.
  const roomOfFirst = y > 0 ? bound - a : a;
  const roomOfSecond = z > 0 ? b : bound - b;
  const moved = Math.min(wanted, roomOfFirst, roomOfSecond);
  alpha[first] = moved === roomOfFirst ? (y > 0 ? bound : 0) : a + y * moved;
  alpha[second] = moved === roomOfSecond ? (z > 0 ? 0 : bound) : b - z * moved;
  addRow(gradient, rowOfFirst, (alpha[first] as number) - a);
  addRow(gradient, rowOfSecond, (alpha[second] as number) - b);
}

/**
 * Threshold over the variables of one sign, or of all: the mean over the free variables, else the middle of the interval that the bounds
 * leave.
 */
function level({ size, signs, alpha, bound }: Problem, gradient: Float64Array, sign: number | undefined): number {
  let [low, high, sum, free] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (let at = 0; at < size; at++) {
    const y = signs[at] as number;
    if (sign !== undefined && y !== sign) {
      continue;
    }
    // Within one sign the gradient itself is compared.
    const slope = (sign === undefined ? y : 1) * (gradient[at] as number);
    const upward = sign === undefined ? y : 1;
    const value = alpha[at] as number;
    if (value >= bound) {
      [low, high] = upward > 0 ? [Math.max(low, slope), high] : [low, Math.min(high, slope)];
    } else if (value <= 0) {
      [low, high] = upward > 0 ? [low, Math.min(high, slope)] : [Math.max(low, slope), high];
    } else {
      sum += slope;
      free += 1;
    }
  }
  if (free > 0) {
    return sum / free;
  }
  const ends = [low, high].filter(Number.isFinite);
  return ends.length === 0 ? 0 : ends.reduce((total, end) => total + end, 0) / ends.length;
}

function threshold(problem: Problem, gradient: Float64Array): number {
  return problem.equalSums ? (level(problem, gradient, 1) - level(problem, gradient, -1)) / 2 : level(problem, gradient, undefined);
}
