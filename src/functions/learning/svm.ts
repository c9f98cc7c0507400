/**
 * Support vector machines over dense vectors: C-SVC for classification and nu-SVR for regression, with LIBSVM's kernels, defaults and
 * parameter names. More than two classes are classified one against one; the class with the most votes wins.
 */
import type { InSteps } from "../runtime/steps.ts";
import { numbersPerStep, type TrainingEffort } from "./effort.ts";
import { invalidArgument } from "../runtime/nested-values.ts";
import { type Problem, solve } from "./solver.ts";

export type KernelName = "linear" | "poly" | "rbf" | "sigmoid";

export interface SvmParameters {
  readonly kernel: KernelName;
  readonly degree: number;
  /** 0 stands for 1 / number of features. */
  readonly gamma: number;
  readonly coef0: number;
  readonly cost: number;
  readonly nu: number;
  readonly tolerance: number;
}

const defaults: SvmParameters = Object.freeze({ kernel: "linear", degree: 3, gamma: 0, coef0: 0, cost: 1, nu: 0.5, tolerance: 0.1 });

const kernelNames: readonly KernelName[] = ["linear", "poly", "rbf", "sigmoid"];

const numberNames: ReadonlyMap<string, "coef0" | "cost" | "degree" | "gamma" | "nu" | "tolerance"> = new Map([
  ["degree", "degree"],
  ["gamma", "gamma"],
  ["coef0", "coef0"],
  ["C", "cost"],
  ["nu", "nu"],
  ["eps", "tolerance"],
] as const);

/** Parses text such as `C=10,kernel=rbf`. Throws INVALID_FUNCTION_ARGUMENT. */
export function parseParameters(text: string): SvmParameters {
  let parameters = defaults;
  for (const item of text.split(",").filter((part) => part !== "")) {
    const [key = "", value, ...more] = item.split("=").map((part) => part.trim());
    if (key === "" || value === undefined || value === "" || more.length > 0) {
      return invalidArgument("Invalid hyperparameters string for libsvm");
    }
    if (key === "kernel") {
      const kernel = kernelNames.find((name) => name === value.toLowerCase()) ?? invalidArgument(`Unknown kernel type ${value}`);
      parameters = { ...parameters, kernel };
      continue;
    }
    const name = numberNames.get(key) ?? invalidArgument(`Unknown parameter ${key}`);
    parameters = { ...parameters, [name]: checkedNumber(key, value) };
  }
  return checked(parameters);
}

function checkedNumber(key: string, value: string): number {
  const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : invalidArgument(`Invalid value of parameter ${key}: ${value}`);
}

function checked(parameters: SvmParameters): SvmParameters {
  const { cost, nu, tolerance, gamma, degree } = parameters;
  const wrong =
    cost <= 0
      ? "C <= 0"
      : nu <= 0 || nu > 1
        ? "nu <= 0 or nu > 1"
        : tolerance <= 0
          ? "eps <= 0"
          : gamma < 0
            ? "gamma < 0"
            : degree < 0
              ? "degree < 0"
              : "";
  return wrong === "" ? parameters : invalidArgument(`Invalid hyperparameters for libsvm: ${wrong}`);
}

export type Vector = Float64Array;

function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) {
    sum += (a[at] as number) * (b[at] as number);
  }
  return sum;
}

function squaredDistance(a: Vector, b: Vector): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) {
    const difference = (a[at] as number) - (b[at] as number);
    sum += difference * difference;
  }
  return sum;
}

export type Kernel = (a: Vector, b: Vector) => number;

export function kernelOf({ kernel, degree, gamma: given, coef0 }: SvmParameters, dimensions: number): Kernel {
  const gamma = given === 0 ? 1 / Math.max(1, dimensions) : given;
  switch (kernel) {
    case "linear":
      return dot;
    case "poly":
      return (a, b) => (gamma * dot(a, b) + coef0) ** degree;
    case "rbf":
      return (a, b) => Math.exp(-gamma * squaredDistance(a, b));
    case "sigmoid":
      return (a, b) => Math.tanh(gamma * dot(a, b) + coef0);
  }
}

/** Decision function: a weighted sum of kernels over the support vectors, minus a threshold. */
export interface Decision {
  readonly vectors: readonly Vector[];
  readonly weights: readonly number[];
  readonly rho: number;
}

/** The exponential function or the power of a kernel takes as long as reading this many numbers. */
const numbersPerKernel = 16;
/** Vectors of a decision between two yields. */
const vectorsAtOnce = 256;

/** Yields the steps that it took since the last time. */
export function* decide({ vectors, weights, rho }: Decision, kernel: Kernel, vector: Vector): InSteps<number> {
  let sum = -rho;
  let yielded = 0;
  for (let index = 0; index < vectors.length; index++) {
    sum += (weights[index] as number) * kernel(vectors[index] as Vector, vector);
    if (index + 1 - yielded === vectorsAtOnce || index + 1 === vectors.length) {
      yield Math.ceil(((index + 1 - yielded) * (vector.length + numbersPerKernel)) / numbersPerStep);
      yielded = index + 1;
    }
  }
  return sum;
}

/** Rows of the kernel matrix, with a cache of the most recent ones. */
function kernelRows(vectors: readonly Vector[], kernel: Kernel, effort: TrainingEffort): (index: number) => Float64Array {
  const kept = new Map<number, Float64Array>();
  const keptMax = Math.max(2, Math.floor(4_000_000 / Math.max(1, vectors.length)));
  return (index) => {
    const known = kept.get(index);
    if (known !== undefined) {
      return known;
    }
    if (kept.size >= keptMax) {
      kept.delete(kept.keys().next().value as number);
    }
    const vector = vectors[index] as Vector;
    effort.count(vectors.length * (vector.length + numbersPerKernel));
    const row = Float64Array.from(vectors, (other) => kernel(vector, other));
    kept.set(index, row);
    return row;
  };
}

function decisionOf(vectors: readonly Vector[], weights: readonly number[], rho: number): Decision {
  const used = weights.flatMap((weight, index) => (weight === 0 ? [] : [index]));
  return { vectors: used.map((index) => vectors[index] as Vector), weights: used.map((index) => weights[index] as number), rho };
}

export interface Training {
  readonly parameters: SvmParameters;
  readonly kernel: Kernel;
  readonly effort: TrainingEffort;
}

/** The decision is positive for vectors of the first class. */
function* trainPair(first: readonly Vector[], second: readonly Vector[], { parameters, kernel, effort }: Training): InSteps<Decision> {
  const vectors = [...first, ...second];
  const signs = Int8Array.from(vectors, (_, index) => (index < first.length ? 1 : -1));
  const rows = kernelRows(vectors, kernel, effort);
  const problem: Problem = {
    size: vectors.length,
    signs,
    linear: new Float64Array(vectors.length).fill(-1),
    alpha: new Float64Array(vectors.length),
    bound: parameters.cost,
    row: (index) => rows(index).map((value, at) => value * (signs[index] as number) * (signs[at] as number)),
    diagonal: Float64Array.from(vectors, (vector) => kernel(vector, vector)),
    tolerance: parameters.tolerance,
    equalSums: false,
    effort,
  };
  const rho = yield* solve(problem);
  return decisionOf(
    vectors,
    Array.from(problem.alpha, (weight, index) => weight * (signs[index] as number)),
    rho,
  );
}

/** A pair of classes takes as long as reading this many numbers, also if each has one vector. */
const numbersPerPair = 2_000;

/** One decision per pair of classes, in the order 0-1, 0-2, ..., 1-2, ... */
export function* trainClassifier(classes: readonly (readonly Vector[])[], training: Training): InSteps<readonly Decision[]> {
  training.effort.count(numbersPerPair * classes.length * classes.length);
  const decisions: Decision[] = [];
  for (const [index, first] of classes.entries()) {
    for (const second of classes.slice(index + 1)) {
      decisions.push(yield* trainPair(first, second, training));
      yield* training.effort.pause();
    }
  }
  return decisions;
}

/** Index of the winning class. Yields steps. */
export function* vote(decisions: readonly Decision[], classCount: number, kernel: Kernel, vector: Vector): InSteps<number> {
  const votes = Array.from({ length: classCount }, () => 0);
  let at = 0;
  for (let first = 0; first < classCount; first++) {
    for (let second = first + 1; second < classCount; second++) {
      const winner = (yield* decide(decisions[at++] as Decision, kernel, vector)) > 0 ? first : second;
      votes[winner] = (votes[winner] as number) + 1;
    }
  }
  return votes.indexOf(Math.max(...votes));
}

/** nu-SVR: each value has two variables, one for the deviation above the function and one for the deviation below. */
export function* trainRegressor(
  vectors: readonly Vector[],
  values: readonly number[],
  { parameters, kernel, effort }: Training,
): InSteps<Decision> {
  const count = vectors.length;
  const { cost, nu, tolerance } = parameters;
  const rows = kernelRows(vectors, kernel, effort);
  const signs = Int8Array.from({ length: 2 * count }, (_, index) => (index < count ? 1 : -1));
  const alpha = new Float64Array(2 * count);
  let rest = (cost * nu * count) / 2;
  for (let index = 0; index < count; index++) {
    alpha[index] = Math.min(rest, cost);
    alpha[index + count] = alpha[index] as number;
    rest -= alpha[index] as number;
  }
  const problem: Problem = {
    size: 2 * count,
    signs,
    linear: Float64Array.from({ length: 2 * count }, (_, index) => (index < count ? -1 : 1) * (values[index % count] as number)),
    alpha,
    bound: cost,
    row: (index) => {
      const row = rows(index % count);
      const sign = signs[index] as number;
      return Float64Array.from({ length: 2 * count }, (_, at) => sign * (at < count ? (row[at] as number) : -(row[at - count] as number)));
    },
    diagonal: Float64Array.from({ length: 2 * count }, (_, index) => {
      const vector = vectors[index % count] as Vector;
      return kernel(vector, vector);
    }),
    tolerance,
    equalSums: true,
    effort,
  };
  const rho = yield* solve(problem);
  return decisionOf(
    vectors,
    Array.from({ length: count }, (_, index) => (alpha[index] as number) - (alpha[index + count] as number)),
    rho,
  );
}
