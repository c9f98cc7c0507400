/**
 * The aggregate functions: one record per overload. States and kernel code are in the other files of functions/aggregate and in
 * functions/sketch.
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
  { name: "count", args: [], returns: "bigint", description: "Number of rows", make: () => countRows },
  { name: "count", args: ["T"], returns: "bigint", description: "Number of rows in which the argument is not NULL", make: () => countRows },
  {
    name: "count_if",
    args: ["boolean"],
    returns: "bigint",
    description: "Number of rows in which the argument is true",
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

const averageDescription = "Average of the values";
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
    description: "Largest value",
    make: (_types, result) => keepExtreme("max", result),
  },
  {
    name: "arbitrary",
    args: ["T"],
    returns: "T",
    description: "Arbitrary non-NULL value",
    make: (_types, result) => keepFirst(result),
  },
  {
    name: "any_value",
    args: ["T"],
    returns: "T",
    description: "Arbitrary non-NULL value",
    make: (_types, result) => keepFirst(result),
  },
];

const orderedBy = (kind: "min" | "max"): readonly AggregateDefinition[] => {
  const superlative = kind === "min" ? "smallest" : "largest";
  const byKey = { name: `${kind}_by`, constraint: "orderable", constrained: ["K"] } as const;
  return [
    {
      ...byKey,
      args: ["V", "K"],
      returns: "V",
      description: `Value of the first argument in the row with the ${superlative} second argument`,
      make: (types) => extremeBy(kind, types[0] as Type, types[1] as Type),
    },
    {
      ...byKey,
      args: ["V", "K", "bigint"],
      returns: "array(V)",
      description: `Values of the first argument in the n rows with the ${superlative} second arguments`,
      make: (types) => extremeList(kind, types[0] as Type, types[1] as Type),
    },
    {
      name: kind,
      args: ["T", "bigint"],
      returns: "array(T)",
      constraint: "orderable",
      description: `Array of the n ${superlative} values`,
      make: ([type]) => extremeList(kind, type as Type),
    },
  ];
};

const booleans: readonly AggregateDefinition[] = [
  { name: "bool_and", args: ["boolean"], returns: "boolean", description: "Whether every value is true", make: () => booleanFold("and") },
  { name: "every", args: ["boolean"], returns: "boolean", description: "Whether every value is true", make: () => booleanFold("and") },
  { name: "bool_or", args: ["boolean"], returns: "boolean", description: "Whether any value is true", make: () => booleanFold("or") },
];

const statisticDescriptions: Readonly<Record<StatisticName, string>> = {
  var_pop: "Population variance of the values",
  var_samp: "Sample variance of the values",
  variance: "Sample variance of the values",
  stddev_pop: "Population standard deviation of the values",
  stddev_samp: "Sample standard deviation of the values",
  stddev: "Sample standard deviation of the values",
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
    description: "Entropy of the counts, in bits",
    make: () => entropy,
  },
  { name: "skewness", args: ["double"], returns: "double", description: "Skewness of the values", make: () => skewness },
  { name: "kurtosis", args: ["double"], returns: "double", description: "Excess kurtosis of the values", make: () => kurtosis },
];

const pairDescriptions: Readonly<Record<PairStatistic, string>> = {
  corr: "Correlation coefficient of y and x",
  covar_pop: "Population covariance of y and x",
  covar_samp: "Sample covariance of y and x",
  regr_slope: "Slope of the linear regression of y on x",
  regr_intercept: "Intercept of the linear regression of y on x",
  regr_avgx: "Average of x over the non-NULL pairs",
  regr_avgy: "Average of y over the non-NULL pairs",
  regr_count: "Number of non-NULL pairs, or NULL if there are none",
  regr_r2: "Coefficient of determination of the linear regression of y on x",
  regr_sxx: "Sum of squared deviations of x from its average",
  regr_sxy: "Sum of products of the deviations of x and y from their averages",
  regr_syy: "Sum of squared deviations of y from its average",
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
    description: "Order-independent checksum of the values",
    make: () => checksum,
  },
];

const distinctEstimates: readonly AggregateDefinition[] = [["T"], ["T", "double"]].map((args) => ({
  name: "approx_distinct",
  args,
  returns: "bigint",
  constraint: "comparable",
  description: "Approximate number of distinct values",
  make: () => distinctEstimate,
}));

const percentiles: readonly AggregateDefinition[] = ["bigint", "real", "double"].flatMap((type) =>
  [false, true].flatMap((isWeighted): readonly AggregateDefinition[] => {
    const weights = isWeighted ? ["double"] : [];
    const share = isWeighted ? ", weighted" : "";
    return [
      {
        name: "approx_percentile",
        args: [type, ...weights, "double"],
        returns: type,
        description: `Approximate percentile of the values${share}`,
        make: ([value]) => percentile(value as Type, { isWeighted, isMany: false }),
      },
      {
        name: "approx_percentile",
        args: [type, ...weights, "array(double)"],
        returns: `array(${type})`,
        description: `Approximate percentiles of the values${share}`,
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
    description: "Array of the values, including NULLs",
    make: ([type]) => collectArray(type as Type),
  },
]);
