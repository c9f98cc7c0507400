/**
 * Sequential minimal optimisation with second-order working sets (Fan, Chen and Lin, 2005), as LIBSVM has it: the least of a'Qa / 2 + p'a under y'a = constant and
 * 0 <= a <= C. With `equalSums` the sums over each sign of y are constant too, which is what the nu variants need.
 */

export interface Problem {
  readonly size: number;
  /** 1 or -1 by variable. */
  readonly signs: Int8Array;
  readonly linear: Float64Array;
  /** A start that keeps the constraints; changed in place, and the solution in the end. */
  readonly alpha: Float64Array;
  readonly bound: number;
  /** Row of Q: valid until the next but one is asked for. */
  readonly row: (index: number) => Float64Array;
  readonly diagonal: Float64Array;
  readonly tolerance: number;
  readonly equalSums: boolean;
}

const leastCurvature = 1e-12;

/** As LIBSVM bounds it, though lower: it goes on where it cannot settle. */
function iterationsMax(size: number): number {
  return Math.max(100_000, 100 * size);
}

/** Solves and returns rho, the threshold of decisions. */
export function solve(problem: Problem): number {
  const gradient = firstGradient(problem);
  for (let iteration = iterationsMax(problem.size); iteration > 0; iteration--) {
    const pair = workingSet(problem, gradient);
    if (pair === undefined) {
      break;
    }
    step(problem, gradient, pair);
  }
  return threshold(problem, gradient);
}

function firstGradient({ size, linear, alpha, row }: Problem): Float64Array {
  const gradient = Float64Array.from(linear);
  for (let index = 0; index < size; index++) {
    const weight = alpha[index] as number;
    if (weight !== 0) {
      addRow(gradient, row(index), weight);
    }
  }
  return gradient;
}

function addRow(gradient: Float64Array, row: Float64Array, weight: number): void {
  for (let at = 0; at < gradient.length; at++) {
    gradient[at] = (gradient[at] as number) + weight * (row[at] as number);
  }
}

/** Whether a variable may grow along its sign, or shrink. */
function mayMove({ alpha, bound, signs }: Problem, index: number, direction: 1 | -1): boolean {
  const value = alpha[index] as number;
  return signs[index] === direction ? value < bound : value > 0;
}

interface Pair {
  readonly first: number;
  readonly second: number;
}

/** The variable that gains most along its sign among those of `sign`, or of all. */
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

/** Two variables to move against each other; undefined when none violates the conditions by more than the tolerance. */
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

/** Moves both variables to the least on their line, within their bounds. */
function step(problem: Problem, gradient: Float64Array, { first, second }: Pair): void {
  const { alpha, signs, row, diagonal, bound } = problem;
  const rowOfFirst = row(first);
  const rowOfSecond = row(second);
  const [y, z] = [signs[first] as number, signs[second] as number];
  const [a, b] = [alpha[first] as number, alpha[second] as number];
  const curvature = (diagonal[first] as number) + (diagonal[second] as number) - 2 * y * z * (rowOfFirst[second] as number);
  const wanted = (-y * (gradient[first] as number) + z * (gradient[second] as number)) / Math.max(curvature, leastCurvature);
  // `first` moves by y, `second` by minus z, until one of them is at a bound.
  const roomOfFirst = y > 0 ? bound - a : a;
  const roomOfSecond = z > 0 ? b : bound - b;
  const moved = Math.min(wanted, roomOfFirst, roomOfSecond);
  alpha[first] = moved === roomOfFirst ? (y > 0 ? bound : 0) : a + y * moved;
  alpha[second] = moved === roomOfSecond ? (z > 0 ? 0 : bound) : b - z * moved;
  addRow(gradient, rowOfFirst, (alpha[first] as number) - a);
  addRow(gradient, rowOfSecond, (alpha[second] as number) - b);
}

/** Of one sign, or of all: the mean of free variables, else the middle of the range that the bounds leave. */
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
