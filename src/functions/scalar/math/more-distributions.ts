/**
 * Further cumulative distributions and their inverses. Integrals use the incomplete gamma function (a series below the mean, Lentz's
 * continued fraction above it) or the incomplete beta function. Inverses without a closed form use bisection. Names, arguments and messages
 * follow Presto's documentation and MathFunctions.
 */
import type { HostImplementation, ScalarDefinition } from "../../registry/definition.ts";
import { beta, check, inverseBeta, logGamma, notZero, precision } from "./distributions.ts";

const termsMax = 10_000;

/** The regularized incomplete gamma function: probability below x (`upper` 0) or above x (`upper` 1). */
function gamma(a: number, x: number, upper: 0 | 1): number {
  if (x <= 0 || x === Number.POSITIVE_INFINITY) {
    return x <= 0 ? upper : 1 - upper;
  }
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let [term, sum] = [1 / a, 1 / a];
    for (let n = 1; n < termsMax && term > precision * sum; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return upper === 1 ? 1 - front * sum : front * sum;
  }
  let base = x + 1 - a;
  let c = Number.MAX_VALUE;
  let d = 1 / notZero(base);
  let fraction = d;
  for (let n = 1; n < termsMax; n++) {
    const factor = -n * (n - a);
    base += 2;
    d = 1 / notZero(factor * d + base);
    c = notZero(base + factor / c);
    fraction *= c * d;
    if (Math.abs(c * d - 1) < precision) {
      break;
    }
  }
  return upper === 1 ? front * fraction : 1 - front * fraction;
}

/** The point x >= 0 at which an increasing function reaches p: bounds are doubled, then bisected to the last digit. */
function inverse(p: number, cdf: (x: number) => number): number {
  if (p <= 0 || p >= 1) {
    return p <= 0 ? 0 : Number.POSITIVE_INFINITY;
  }
  let [low, high] = [0, 1];
  while (cdf(high) < p && high < Number.MAX_VALUE / 2) {
    [low, high] = [high, high * 2];
  }
  for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (cdf(middle) < p) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}

/** The smallest integer from 0 to `last` at which an increasing function reaches p. */
function inverseDiscrete(p: number, last: number, cdf: (k: number) => number): number {
  let [low, high] = [0, 1];
  while (high < last && cdf(high) < p) {
    high *= 2;
  }
  high = Math.min(high, last);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (cdf(middle) < p) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function binomial(trials: number, success: number, value: number): number {
  if (value < 0 || value >= trials) {
    return value < 0 ? 0 : 1;
  }
  return 1 - beta(value + 1, trials - value, success);
}

const poisson = (lambda: number, value: number) => gamma(value + 1, lambda, 1);

function laplaceInverse(mean: number, scale: number, p: number): number {
  return mean + (p > 0.5 ? -scale * Math.log(2 - 2 * p) : scale * Math.log(2 * p));
}

function laplace(mean: number, scale: number, value: number): number {
  const distance = (value - mean) / scale;
  return distance < 0 ? 0.5 * Math.exp(distance) : 1 - 0.5 * Math.exp(-distance);
}

function cauchyInverse(median: number, scale: number, p: number): number {
  if (p === 0 || p === 1) {
    return p === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return median + scale * Math.tan(Math.PI * (p - 0.5));
}

function fInverse(numerator: number, denominator: number, p: number): number {
  const share = inverseBeta(numerator / 2, denominator / 2, p);
  return p >= 1 ? Number.POSITIVE_INFINITY : (share / (1 - share)) * (denominator / numerator);
}

type Parameter = readonly [name: string, isValid: (value: number) => boolean, message: string];

const positive = (name: string): Parameter => [name, (value) => value > 0, "must be greater than 0"];
const any: Parameter = ["", () => true, ""];
const notNegative: Parameter = ["value", (value) => value >= 0, "must non-negative"];
const inUnit = (name: string): Parameter => [name, (value) => value >= 0 && value <= 1, "must be in the interval [0, 1]"];
const share = inUnit("p");

interface Distribution {
  readonly name: string;
  readonly types?: readonly string[];
  readonly returns?: string;
  readonly parameters: readonly Parameter[];
  readonly description: string;
  readonly implementation: (...args: number[]) => number;
  /** The example rounds the result to nine digits. */
  readonly example: readonly [args: string, result: string];
}

/** Name in messages: `chi_squared_cdf` is chiSquaredCdf. */
function functionName(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function define({ name, types, returns = "double", parameters, description, implementation, example }: Distribution): ScalarDefinition {
  const host: HostImplementation = (args) => {
    const numbers = args as readonly number[];
    // The last argument is validated before the parameters of the distribution.
    for (const index of [numbers.length - 1, ...numbers.keys()]) {
      const [what, isValid, message] = parameters[index] as Parameter;
      check(isValid(numbers[index] as number), `${functionName(name)} Function: ${what} ${message}`);
    }
    return implementation(...numbers);
  };
  const [args, result] = example;
  const sql = returns === "double" ? `round(${name}(${args}), 9)` : `${name}(${args})`;
  return { name, args: types ?? parameters.map(() => "double"), returns, description, host, example: { sql, result } };
}

const upTo = "Cumulative probability of";
const valueOf = "Inverse of the cumulative";

export const moreDistributionDefinitions: readonly ScalarDefinition[] = [
  define({
    name: "binomial_cdf",
    types: ["integer", "double", "integer"],
    parameters: [positive("numberOfTrials"), inUnit("successProbability"), any],
    description: `${upTo} the binomial distribution (trials, probability of success)`,
    implementation: binomial,
    example: ["5, 0.5, 3", "0.8125"],
  }),
  define({
    name: "inverse_binomial_cdf",
    types: ["integer", "double", "double"],
    returns: "integer",
    parameters: [positive("numberOfTrials"), inUnit("successProbability"), share],
    description: `${valueOf} binomial distribution (trials, probability of success)`,
    implementation: (trials = 0, success = 0, p = 0) => inverseDiscrete(p, trials, (k) => binomial(trials, success, k)),
    example: ["20, 0.5, 0.5", "10"],
  }),
  define({
    name: "cauchy_cdf",
    parameters: [any, positive("scale"), any],
    description: `${upTo} the Cauchy distribution (median, scale)`,
    implementation: (median = 0, scale = 1, value = 0) => 0.5 + Math.atan((value - median) / scale) / Math.PI,
    example: ["0, 1, 1", "0.75"],
  }),
  define({
    name: "inverse_cauchy_cdf",
    parameters: [any, positive("scale"), share],
    description: `${valueOf} Cauchy distribution (median, scale)`,
    implementation: cauchyInverse,
    example: ["2, 3, 0.75", "5.0"],
  }),
  define({
    name: "chi_squared_cdf",
    parameters: [positive("df"), notNegative],
    description: `${upTo} the chi-squared distribution (degrees of freedom)`,
    implementation: (freedom = 1, value = 0) => gamma(freedom / 2, value / 2, 0),
    example: ["2, 1", "0.39346934"],
  }),
  define({
    name: "inverse_chi_squared_cdf",
    parameters: [positive("df"), share],
    description: `${valueOf} chi-squared distribution (degrees of freedom)`,
    implementation: (freedom = 1, p = 0) => 2 * inverse(p, (x) => gamma(freedom / 2, x, 0)),
    example: ["2, 0.5", "1.386294361"],
  }),
  define({
    name: "f_cdf",
    parameters: [positive("numerator df"), positive("denominator df"), notNegative],
    description: `${upTo} the F distribution (degrees of freedom of numerator and denominator)`,
    implementation: (p = 1, q = 1, value = 0) =>
      value === Number.POSITIVE_INFINITY ? 1 : beta(p / 2, q / 2, (p * value) / (p * value + q)),
    example: ["2, 5, 5", "0.93584997"],
  }),
  define({
    name: "inverse_f_cdf",
    parameters: [positive("numerator df"), positive("denominator df"), share],
    description: `${valueOf} F distribution (degrees of freedom of numerator and denominator)`,
    implementation: fInverse,
    example: ["2, 4, 0.75", "2.0"],
  }),
  define({
    name: "gamma_cdf",
    parameters: [positive("shape"), positive("scale"), ["value", (value) => value >= 0, "must be greater than, or equal to, 0"]],
    description: `${upTo} the gamma distribution (shape, scale)`,
    implementation: (shape = 1, scale = 1, value = 0) => gamma(shape, value / scale, 0),
    example: ["1, 2, 1", "0.39346934"],
  }),
  define({
    name: "inverse_gamma_cdf",
    parameters: [positive("shape"), positive("scale"), share],
    description: `${valueOf} gamma distribution (shape, scale)`,
    implementation: (shape = 1, scale = 1, p = 0) => scale * inverse(p, (x) => gamma(shape, x, 0)),
    example: ["1, 2, 0.5", "1.386294361"],
  }),
  define({
    name: "laplace_cdf",
    parameters: [any, positive("scale"), any],
    description: `${upTo} the Laplace distribution (mean, scale)`,
    implementation: laplace,
    example: ["0, 1, 1", "0.816060279"],
  }),
  define({
    name: "inverse_laplace_cdf",
    parameters: [any, positive("scale"), share],
    description: `${valueOf} Laplace distribution (mean, scale)`,
    implementation: laplaceInverse,
    example: ["5, 2, 0.5", "5.0"],
  }),
  define({
    name: "poisson_cdf",
    types: ["double", "integer"],
    parameters: [positive("lambda"), ["value", (value) => value >= 0, "must be a non-negative integer"]],
    description: `${upTo} the Poisson distribution (mean)`,
    implementation: poisson,
    example: ["3, 5", "0.916082058"],
  }),
  define({
    name: "inverse_poisson_cdf",
    returns: "integer",
    parameters: [positive("lambda"), ["p", (value) => value >= 0 && value < 1, "must be in the interval [0, 1)"]],
    description: `${valueOf} Poisson distribution (mean)`,
    implementation: (lambda = 1, p = 0) => inverseDiscrete(p, 2 ** 31 - 1, (k) => poisson(lambda, k)),
    example: ["3, 0.95", "6"],
  }),
  define({
    name: "weibull_cdf",
    parameters: [positive("a"), positive("b"), any],
    description: `${upTo} the Weibull distribution (shape, scale)`,
    implementation: (a = 1, b = 1, value = 0) => (value <= 0 ? 0 : -Math.expm1(-((value / b) ** a))),
    example: ["1, 1, 1", "0.632120559"],
  }),
  define({
    name: "inverse_weibull_cdf",
    parameters: [positive("a"), positive("b"), share],
    description: `${valueOf} Weibull distribution (shape, scale)`,
    implementation: (a = 1, b = 1, p = 0) => b * (-Math.log1p(-p)) ** (1 / a),
    example: ["1, 2, 0.5", "1.386294361"],
  }),
];
