/**
 * numeric_histogram: buckets of mean and weight; the two buckets with the lowest merge cost are merged (Ben-Haim and Yom-Tov, 2010, with
 * Presto's penalty). approx_most_frequent: counters where a new value replaces the least frequent one (Metwally, Agrawal and El Abbadi,
 * 2005).
 */
import { arrayType, BIGINT, mapType, rowType, type RowType, type Type, VARCHAR } from "../../types/type.ts";
import { decodeNested, encodeNested, nestedSource } from "../../types/nested/nested.ts";
import type { AggregateDefinition, HostValue } from "../registry/definition.ts";
import { invalidArgument, type List } from "../runtime/nested-values.ts";
import { type SketchImplementation, sketchAggregate } from "./sketch-aggregate.ts";

/** Number of values kept in addition to the buckets before compaction. */
const bufferValues = 100;

interface Histogram {
  readonly bucketsMax: number;
  readonly values: number[];
  readonly weights: number[];
}

function writeHistogram({ bucketsMax, values, weights }: Histogram): Uint8Array {
  return new Uint8Array(Float64Array.from([bucketsMax, ...values, ...weights]).buffer);
}

function readHistogram(sketch: Uint8Array): Histogram {
  const numbers = new Float64Array(sketch.slice().buffer);
  const count = (numbers.length - 1) / 2;
  return {
    bucketsMax: numbers[0] as number,
    values: Array.from(numbers.subarray(1, 1 + count)),
    weights: Array.from(numbers.subarray(1 + count)),
  };
}

function newHistogram(buckets: bigint): Histogram {
  if (buckets < 2n) {
    invalidArgument("numeric_histogram bucket count must be greater than one");
  }
  if (buckets > 1_000_000n) {
    invalidArgument("numeric_histogram bucket count must be at most 1000000");
  }
  return { bucketsMax: Number(buckets), values: [], weights: [] };
}

/** NaN sorts last. */
function byValue(a: number, b: number): number {
  return Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : a - b;
}

/** Cost of merging two neighboring buckets. */
function penalty(value1: number, weight1: number, value2: number, weight2: number): number {
  const weight = weight1 + weight2;
  return weight * (value1 - value2) ** 2 * ((weight1 * weight2) / weight ** 2);
}

/** Sorts the buckets, merges equal values, then merges buckets until their number is within the limit. */
function compact(histogram: Histogram): void {
  const { bucketsMax, values, weights } = histogram;
  const order = values.map((_value, index) => index).sort((a, b) => byValue(values[a] as number, values[b] as number));
  const sorted: { value: number; weight: number }[] = [];
  for (const index of order) {
    const [value, weight] = [values[index] as number, weights[index] as number];
    const last = sorted.at(-1);
    if (last?.value === value) {
      last.weight += weight;
    } else {
      sorted.push({ value, weight });
    }
  }
  const costs = sorted.map(({ value, weight }, index) => {
    const right = sorted[index + 1];
    return right === undefined ? Number.POSITIVE_INFINITY : penalty(value, weight, right.value, right.weight);
  });
  while (sorted.length > bucketsMax) {
    // Among equal costs the first pair is chosen; the last bucket has no right neighbor.
    let cheapest = 0;
    for (let index = 1; index < costs.length - 1; index++) {
      if ((costs[index] as number) < (costs[cheapest] as number)) {
        cheapest = index;
      }
    }
    mergeAt(sorted, costs, cheapest);
  }
  histogram.values.splice(0, values.length, ...sorted.map(({ value }) => value));
  histogram.weights.splice(0, weights.length, ...sorted.map(({ weight }) => weight));
}

function mergeAt(sorted: { value: number; weight: number }[], costs: number[], index: number): void {
  const [left, right] = sorted.slice(index, index + 2) as [{ value: number; weight: number }, { value: number; weight: number }];
  const weight = left.weight + right.weight;
  sorted.splice(index, 2, { value: (left.value * left.weight + right.value * right.weight) / weight, weight });
  costs.splice(index, 1);
  for (const place of [index - 1, index]) {
    const [one, next] = [sorted[place], sorted[place + 1]];
    if (one !== undefined) {
      costs[place] = next === undefined ? Number.POSITIVE_INFINITY : penalty(one.value, one.weight, next.value, next.weight);
    }
  }
}

function addToHistogram(histogram: Histogram, value: number, weight: number): void {
  if (histogram.values.length >= histogram.bucketsMax + bufferValues) {
    compact(histogram);
  }
  histogram.values.push(value);
  histogram.weights.push(weight);
}

function histogramImplementation(argTypes: readonly Type[], returnType: Type): SketchImplementation {
  return {
    name: `numeric_histogram ${argTypes.map(({ kind }) => kind).join()}`,
    returnType,
    rowTypes: argTypes,
    add: (sketch, rows) => {
      const histogram = sketch === undefined ? newHistogram(rows[0]?.[0] as bigint) : readHistogram(sketch);
      for (const [, value, weight = 1] of rows) {
        addToHistogram(histogram, value as number, weight as number);
      }
      return writeHistogram(histogram);
    },
    merge: (sketch, other) => {
      const histogram = readHistogram(sketch);
      const { values, weights } = readHistogram(other);
      values.forEach((value, index) => addToHistogram(histogram, value, weights[index] as number));
      return writeHistogram(histogram);
    },
    result: (sketch) => {
      const histogram = readHistogram(sketch);
      compact(histogram);
      const round = argTypes[1]?.kind === "real" ? Math.fround : (value: number) => value;
      return histogram.values.map((value, index) => [round(value), round(histogram.weights[index] as number)]);
    },
  };
}

/** Values with an upper bound of their counts, in order of insertion. */
interface Counters {
  readonly bucketsMax: bigint;
  readonly capacity: bigint;
  readonly counts: Map<HostValue, bigint>;
}

function countersType(type: Type): RowType {
  return rowType([BIGINT, BIGINT, arrayType(type), arrayType(BIGINT)].map((field) => ({ type: field })));
}

function writeCounters(type: Type, { bucketsMax, capacity, counts }: Counters): Uint8Array {
  return encodeNested(countersType(type), [bucketsMax, capacity, [...counts.keys()], [...counts.values()]]);
}

function readCounters(type: Type, sketch: Uint8Array): Counters {
  const [bucketsMax, capacity, values, counts] = decodeNested(countersType(type), nestedSource(sketch)) as [bigint, bigint, List, List];
  return { bucketsMax, capacity, counts: new Map(values.map((value, index) => [value, counts[index] as bigint])) };
}

function newCounters(bucketsMax: bigint, capacity: bigint): Counters {
  if (bucketsMax < 2n) {
    invalidArgument(`approx_most_frequent bucket count must be greater than one, input bucket count: ${bucketsMax}`);
  }
  if (capacity < 1n) {
    invalidArgument(`approx_most_frequent capacity must be positive, input capacity: ${capacity}`);
  }
  return { bucketsMax, capacity, counts: new Map() };
}

/** A new value takes over the counter of the least frequent value, including its count. */
function addToCounters({ capacity, counts }: Counters, value: HostValue, times: bigint): void {
  const known = counts.get(value);
  if (known !== undefined || BigInt(counts.size) < capacity) {
    counts.set(value, (known ?? 0n) + times);
    return;
  }
  let rarest: readonly [HostValue, bigint] | undefined;
  for (const entry of counts) {
    if (rarest === undefined || entry[1] < rarest[1]) {
      rarest = entry;
    }
  }
  const [replaced, count] = rarest as readonly [HostValue, bigint];
  counts.delete(replaced);
  counts.set(value, count + times);
}

function frequentImplementation(type: Type, returnType: Type): SketchImplementation {
  return {
    name: `approx_most_frequent ${type.kind}`,
    returnType,
    rowTypes: [BIGINT, type, BIGINT],
    add: (sketch, rows) => {
      const [buckets, , capacity] = rows[0] as readonly [bigint, HostValue, bigint];
      const counters = sketch === undefined ? newCounters(buckets, capacity) : readCounters(type, sketch);
      rows.forEach((row) => addToCounters(counters, row[1] as HostValue, 1n));
      return writeCounters(type, counters);
    },
    merge: (sketch, other) => {
      const counters = readCounters(type, sketch);
      readCounters(type, other).counts.forEach((count, value) => addToCounters(counters, value, count));
      return writeCounters(type, counters);
    },
    result: (sketch) => {
      const { bucketsMax, counts } = readCounters(type, sketch);
      const entries = [...counts].sort(([, a], [, b]) => (a === b ? 0 : a > b ? -1 : 1));
      return entries.slice(0, bucketsMax > BigInt(entries.length) ? entries.length : Number(bucketsMax));
    },
  };
}

const histogramDescription = "Approximate histogram of the values with a number of buckets";
const frequentDescription = "Approximate most frequent values and their counts";

export const histogramDefinitions: readonly AggregateDefinition[] = [
  ...["double", "real"].flatMap((type) =>
    [
      ["bigint", type, "double"],
      ["bigint", type],
    ].map(
      (args): AggregateDefinition => ({
        name: "numeric_histogram",
        args,
        returns: `map(${type},${type})`,
        description: histogramDescription,
        make: (argTypes, returnType) => sketchAggregate(histogramImplementation(argTypes, returnType)),
      }),
    ),
  ),
  ...[BIGINT, VARCHAR].map(
    (type): AggregateDefinition => ({
      name: "approx_most_frequent",
      args: ["bigint", type.kind, "bigint"],
      returns: `map(${type.kind},bigint)`,
      returnType: () => mapType(type, BIGINT),
      description: frequentDescription,
      make: (_argTypes, returnType) => sketchAggregate(frequentImplementation(type, returnType)),
    }),
  ),
];
