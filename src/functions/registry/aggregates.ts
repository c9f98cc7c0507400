/**
 * The aggregate functions: one record an overload. States and their kernel code are in sums.ts, extremes.ts and statistics.ts.
 */
import { decimalPrecisionMax, decimalType, type Type } from "../../types/type.ts";
import type { AggregateDefinition } from "./definition.ts";
import { collectArray } from "../aggregate/array-aggregate.ts";
import { digestAggregates } from "../sketch/digest-functions.ts";
import { distinctEstimate } from "../sketch/distinct-estimates.ts";
import { entropy } from "../aggregate/entropy.ts";
import { extremeList } from "../aggregate/extreme-lists.ts";
import { extremeBy, keepFirst, keepExtreme } from "../aggregate/extremes.ts";
import { histogramDefinitions } from "../sketch/histograms.ts";
import { hyperLogLogAggregates } from "../sketch/hyperloglog-functions.ts";
import { learningAggregates } from "../learning/learning-functions.ts";
import { geometryAggregates } from "../scalar/geometry/geometry-functions.ts";
import { setDigestAggregates } from "../sketch/set-digest-functions.ts";
import { bitFold, checksum } from "../aggregate/bit-aggregates.ts";
import { asReal, geometricMean, kurtosis, type PairStatistic, pairStatistic, skewness } from "../aggregate/moments.ts";
import { percentile } from "../sketch/percentiles.ts";
import { type StatisticName, statistic } from "../aggregate/variance.ts";
import {
  averageOfDecimals,
  averageOfDoubles,
  averageOfIntervals,
  booleanFold,
  countIf,
  countRows,
  sumOfBigints,
  sumOfDecimals,
  sumOfDoubles,
  sumOfIntervals,
} from "../aggregate/sums.ts";

function longDecimal(types: readonly Type[]): Type {
  const [type] = types;
  return decimalType(decimalPrecisionMax, type?.kind === "decimal" ? type.scale : 0);
}

const counts: readonly AggregateDefinition[] = [
  { name: "count", args: [], returns: "bigint", description: "Counts rows", make: () => countRows },
  { name: "count", args: ["T"], returns: "bigint", description: "Counts the rows where the argument is not null", make: () => countRows },
  {
    name: "count_if",
    args: ["boolean"],
    returns: "bigint",
    description: "Counts the rows where the argument is true",
    make: () => countIf,
  },
];

const sumDescription = "Sum of the values";
const sums: readonly AggregateDefinition[] = [
  { name: "sum", args: ["bigint"], returns: "bigint", description: sumDescription, make: () => sumOfBigints },
  {
    name: "sum",
    args: ["decimal(p,s)"],
    returns: "decimal(38,s)",
    returnType: longDecimal,
    description: sumDescription,
    make: ([type]) => sumOfDecimals(type as Type),
  },
  { name: "sum", args: ["real"], returns: "real", description: sumDescription, make: (_types, result) => sumOfDoubles(result) },
  { name: "sum", args: ["double"], returns: "double", description: sumDescription, make: (_types, result) => sumOfDoubles(result) },
  {
    name: "sum",
    args: ["interval day to second"],
    returns: "interval day to second",
    description: sumDescription,
    make: (_types, result) => sumOfIntervals(result),
  },
  {
    name: "sum",
    args: ["interval year to month"],
    returns: "interval year to month",
    description: sumDescription,
    make: (_types, result) => sumOfIntervals(result),
  },
];

const averageDescription = "Mean of the values";
const averages: readonly AggregateDefinition[] = [
  { name: "avg", args: ["bigint"], returns: "double", description: averageDescription, make: (_types, result) => averageOfDoubles(result) },
  {
    name: "avg",
    args: ["decimal(p,s)"],
    returns: "decimal(p,s)",
    description: averageDescription,
    make: (_types, result) => averageOfDecimals(result),
  },
  { name: "avg", args: ["real"], returns: "real", description: averageDescription, make: (_types, result) => averageOfDoubles(result) },
  { name: "avg", args: ["double"], returns: "double", description: averageDescription, make: (_types, result) => averageOfDoubles(result) },
  {
    name: "avg",
    args: ["interval day to second"],
    returns: "interval day to second",
    description: averageDescription,
    make: (_types, result) => averageOfIntervals(result),
  },
  {
    name: "avg",
    args: ["interval year to month"],
    returns: "interval year to month",
    description: averageDescription,
    make: (_types, result) => averageOfIntervals(result),
  },
];

const extremes: readonly AggregateDefinition[] = [
  {
    name: "min",
    args: ["T"],
    returns: "T",
    constraint: "orderable",
    description: "Smallest value",
    make: (_types, result) => keepExtreme("min", result),
  },
  {
    name: "max",
    args: ["T"],
    returns: "T",
    constraint: "orderable",
    description: "Greatest value",
    make: (_types, result) => keepExtreme("max", result),
  },
  {
    name: "arbitrary",
    args: ["T"],
    returns: "T",
    description: "Any value that is not null: the first in input order",
    make: (_types, result) => keepFirst(result),
  },
  {
    name: "any_value",
    args: ["T"],
    returns: "T",
    description: "Any value that is not null: the first in input order",
    make: (_types, result) => keepFirst(result),
  },
];

const orderedBy = (kind: "min" | "max"): readonly AggregateDefinition[] => {
  const superlative = kind === "min" ? "smallest" : "greatest";
  const byKey = { name: `${kind}_by`, constraint: "orderable", constrained: ["K"] } as const;
  return [
    {
      ...byKey,
      args: ["V", "K"],
      returns: "V",
      description: `The first argument of the row with the ${superlative} second argument`,
      make: (types) => extremeBy(kind, types[0] as Type, types[1] as Type),
    },
    {
      ...byKey,
      args: ["V", "K", "bigint"],
      returns: "array(V)",
      description: `The first arguments of as many rows with the ${superlative} second arguments`,
      make: (types) => extremeList(kind, types[0] as Type, types[1] as Type),
    },
    {
      name: kind,
      args: ["T", "bigint"],
      returns: "array(T)",
      constraint: "orderable",
      description: `As many of the ${superlative} values`,
      make: ([type]) => extremeList(kind, type as Type),
    },
  ];
};

const booleans: readonly AggregateDefinition[] = [
  { name: "bool_and", args: ["boolean"], returns: "boolean", description: "Whether all values are true", make: () => booleanFold("and") },
  { name: "every", args: ["boolean"], returns: "boolean", description: "Whether all values are true", make: () => booleanFold("and") },
  { name: "bool_or", args: ["boolean"], returns: "boolean", description: "Whether some value is true", make: () => booleanFold("or") },
];

const statisticDescriptions: Readonly<Record<StatisticName, string>> = {
  var_pop: "Variance of the population",
  var_samp: "Variance of the sample",
  variance: "Variance of the sample",
  stddev_pop: "Standard deviation of the population",
  stddev_samp: "Standard deviation of the sample",
  stddev: "Standard deviation of the sample",
};

const statistics: readonly AggregateDefinition[] = (Object.keys(statisticDescriptions) as StatisticName[]).map((name) => ({
  name,
  args: ["double"],
  returns: "double",
  description: statisticDescriptions[name],
  make: () => statistic(name),
}));

const moments: readonly AggregateDefinition[] = [
  ...["bigint", "double"].map(
    (type): AggregateDefinition => ({
      name: "geometric_mean",
      args: [type],
      returns: "double",
      description: "Geometric mean of the values",
      make: () => geometricMean,
    }),
  ),
  {
    name: "geometric_mean",
    args: ["real"],
    returns: "real",
    description: "Geometric mean of the values",
    make: () => asReal(geometricMean),
  },
  {
    name: "entropy",
    args: ["bigint"],
    returns: "double",
    description: "Entropy in bits of outcomes that came so often",
    make: () => entropy,
  },
  { name: "skewness", args: ["double"], returns: "double", description: "Skewness of the values", make: () => skewness },
  { name: "kurtosis", args: ["double"], returns: "double", description: "Excess kurtosis of the values", make: () => kurtosis },
];

const pairDescriptions: Readonly<Record<PairStatistic, string>> = {
  corr: "Correlation of two values",
  covar_pop: "Covariance of the population",
  covar_samp: "Covariance of the sample",
  regr_slope: "Slope of the line of least squares of y over x",
  regr_intercept: "Intercept of the line of least squares of y over x",
  regr_avgx: "Mean of x of the pairs",
  regr_avgy: "Mean of y of the pairs",
  regr_count: "Number of pairs in which nothing is NULL; NULL for none",
  regr_r2: "Share of the variance of y that the line of least squares explains",
  regr_sxx: "Sum of the squared distances of x from its mean",
  regr_sxy: "Sum of the products of the distances of x and y from their means",
  regr_syy: "Sum of the squared distances of y from its mean",
};

const pairs: readonly AggregateDefinition[] = (Object.keys(pairDescriptions) as PairStatistic[]).flatMap((name) => [
  {
    name,
    args: ["double", "double"],
    returns: "double",
    description: pairDescriptions[name],
    make: () => pairStatistic(name),
  },
  {
    name,
    args: ["real", "real"],
    returns: "real",
    description: pairDescriptions[name],
    make: () => asReal(pairStatistic(name)),
  },
]);

const bitFolds: readonly AggregateDefinition[] = [
  {
    name: "bitwise_and_agg",
    args: ["bigint"],
    returns: "bigint",
    description: "Bitwise AND of all values",
    make: () => bitFold("and"),
  },
  { name: "bitwise_or_agg", args: ["bigint"], returns: "bigint", description: "Bitwise OR of all values", make: () => bitFold("or") },
  { name: "bitwise_xor_agg", args: ["bigint"], returns: "bigint", description: "Bitwise XOR of all values", make: () => bitFold("xor") },
  {
    name: "checksum",
    args: ["T"],
    returns: "varbinary",
    constraint: "comparable",
    description: "Checksum of all values, whatever their order",
    make: () => checksum,
  },
];

const distinctEstimates: readonly AggregateDefinition[] = [["T"], ["T", "double"]].map((args) => ({
  name: "approx_distinct",
  args,
  returns: "bigint",
  constraint: "comparable",
  description: "About how many different values there are",
  make: () => distinctEstimate,
}));

const percentiles: readonly AggregateDefinition[] = ["bigint", "real", "double"].flatMap((type) =>
  [false, true].flatMap((isWeighted): readonly AggregateDefinition[] => {
    const weights = isWeighted ? ["double"] : [];
    const share = isWeighted ? "a share of the weights of the values lies" : "a share of the values lies";
    return [
      {
        name: "approx_percentile",
        args: [type, ...weights, "double"],
        returns: type,
        description: `About the smallest value up to which ${share}`,
        make: ([value]) => percentile(value as Type, { isWeighted, isMany: false }),
      },
      {
        name: "approx_percentile",
        args: [type, ...weights, "array(double)"],
        returns: `array(${type})`,
        description: `For each of an array: about the smallest value up to which ${share}`,
        make: ([value]) => percentile(value as Type, { isWeighted, isMany: true }),
      },
    ];
  }),
);

export const aggregateDefinitions: readonly AggregateDefinition[] = Object.freeze([
  ...counts,
  ...sums,
  ...averages,
  ...extremes,
  ...orderedBy("min"),
  ...orderedBy("max"),
  ...booleans,
  ...statistics,
  ...moments,
  ...pairs,
  ...bitFolds,
  ...distinctEstimates,
  ...percentiles,
  ...histogramDefinitions,
  ...digestAggregates,
  ...hyperLogLogAggregates,
  ...setDigestAggregates,
  ...geometryAggregates,
  ...learningAggregates,
  {
    name: "array_agg",
    args: ["T"],
    returns: "array(T)",
    description: "An array of the values, NULLs too, in input order",
    make: ([type]) => collectArray(type as Type),
  },
]);
