/**
 * Cumulative distributions and their inverses: normal, beta, and the Wilson interval. Integrals are evaluated by series and Lentz's
 * continued fraction, to about fifteen digits.
 */
import type { ScalarDefinition } from "../../registry/definition.ts";
import { invalid } from "../string/implementations.ts";

const termsMax = 500;
const tiny = 1e-300;
export const precision = 1e-16;

export function check(condition: boolean, message: string): void {
  if (!condition) {
    invalid(message);
  }
}

/** The complementary error function for x >= 0. */
function errorComplement(x: number): number {
  if (x < 2) {
    // Series of erf; all terms are positive.
    let [term, sum] = [x, x];
    for (let n = 1; n < termsMax && term > precision * sum; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  // erfc(x) sqrt(pi) exp(x^2) = 1 / (x + (1/2) / (x + 1 / (x + (3/2) / ...))), evaluated from the innermost term.
  let fraction = x;
  for (let n = 100; n > 0; n--) {
    fraction = x + n / 2 / fraction;
  }
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}

/** Probability that a standard normal variable is at most `z`. */
function standardNormal(z: number): number {
  const upper = 0.5 * errorComplement(Math.abs(z) / Math.SQRT2);
  return z < 0 ? upper : 1 - upper;
}

/** Bisection, then Newton steps for the last digits on the side where the probability is small. */
function inverseStandardNormal(p: number): number {
  if (p > 0.5) {
    return -inverseStandardNormal(1 - p);
  }
  if (p === 0.5) {
    return 0;
  }
  let [low, high] = [-39, 0];
  for (let step = 0; step < 200 && high - low > 1e-15 * Math.abs(low); step++) {
    const middle = (low + high) / 2;
    if (standardNormal(middle) < p) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (low + high) / 2;
}

/** Lanczos approximation for x > 0. */
export function logGamma(x: number): number {
  const coefficients = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  if (x < 0.5) {
    return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  }
  const shifted = x - 1;
  const base = shifted + 7.5;
  const sum = coefficients.reduce((total, coefficient, index) => (index === 0 ? coefficient : total + coefficient / (shifted + index)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < termsMax; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < precision) {
      break;
    }
  }
  return fraction;
}

export function notZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** The regularized incomplete beta function. */
export function beta(a: number, b: number, x: number): number {
  if (x <= 0 || x >= 1) {
    return x <= 0 ? 0 : 1;
  }
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(a, b, x)) / a : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

export function inverseBeta(a: number, b: number, p: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 1100 && low < (low + high) / 2 && (low + high) / 2 < high; step++) {
    const middle = (low + high) / 2;
    if (beta(a, b, middle) < p) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return p <= 0 ? 0 : p >= 1 ? 1 : high;
}

function wilson(successes: bigint, trials: bigint, z: number, side: -1 | 1): number {
  check(successes >= 0n, "number of successes must not be negative");
  check(trials > 0n, "number of trials must be positive");
  check(successes <= trials, "number of successes must not be larger than number of trials");
  check(z >= 0, "z-score must not be negative");
  const n = Number(trials);
  const p = Number(successes) / n;
  const square = z * z;
  return (p + square / (2 * n) + side * z * Math.sqrt((p * (1 - p) + square / (4 * n)) / n)) / (1 + square / n);
}

type Doubles = (x: number, y: number, z: number) => number;

function ofThree(name: string, description: string, implementation: Doubles, sql: string, result: string): ScalarDefinition {
  return {
    name,
    args: ["double", "double", "double"],
    returns: "double",
    description,
    host: ([x, y, z]) => implementation(x as number, y as number, z as number),
    example: { sql, result },
  };
}

function checkShape(a: number, b: number): void {
  check(a > 0, "a must be > 0");
  check(b > 0, "b must be > 0");
}

export const distributionDefinitions: readonly ScalarDefinition[] = [
  ofThree(
    "normal_cdf",
    "Cumulative probability of the normal distribution (mean, standard deviation)",
    (mean, deviation, value) => {
      check(deviation > 0, "standardDeviation must be > 0");
      return standardNormal((value - mean) / deviation);
    },
    "normal_cdf(0, 1, 0)",
    "0.5",
  ),
  ofThree(
    "inverse_normal_cdf",
    "Inverse of the cumulative normal distribution (mean, standard deviation)",
    (mean, deviation, p) => {
      check(p > 0 && p < 1, "p must be 0 > p > 1");
      check(deviation > 0, "sd must be > 0");
      return mean + deviation * inverseStandardNormal(p);
    },
    "round(inverse_normal_cdf(1, 2, 0.975), 6)",
    "4.919928",
  ),
  ofThree(
    "beta_cdf",
    "Cumulative probability of the beta distribution (a, b)",
    (a, b, value) => {
      check(value >= 0 && value <= 1, "value must be 0 >= v >= 1");
      checkShape(a, b);
      return beta(a, b, value);
    },
    "round(beta_cdf(2, 3, 0.5), 9)",
    "0.6875",
  ),
  ofThree(
    "inverse_beta_cdf",
    "Inverse of the cumulative beta distribution (a, b)",
    (a, b, p) => {
      check(p >= 0 && p <= 1, "p must be 0 >= p >= 1");
      checkShape(a, b);
      return inverseBeta(a, b, p);
    },
    "round(inverse_beta_cdf(2, 3, 0.6875), 9)",
    "0.5",
  ),
  ...(["lower", "upper"] as const).map(
    (side): ScalarDefinition => ({
      name: `wilson_interval_${side}`,
      args: ["bigint", "bigint", "double"],
      returns: "double",
      description: `${side === "lower" ? "Lower" : "Upper"} bound of the Wilson score interval (successes, trials, z-score)`,
      host: ([successes, trials, z]) => wilson(successes as bigint, trials as bigint, z as number, side === "lower" ? -1 : 1),
      example: { sql: `round(wilson_interval_${side}(1250, 1310, 1.96e0), 6)`, result: side === "lower" ? "0.941488" : "0.964252" },
    }),
  ),
];
