/**
 * Functions and aggregates of tdigest and qdigest.
 */
import { BIGINT, qdigestType, TDIGEST, type Type } from "../../types/type.ts";
import type { AggregateDefinition, HostImplementation, HostValue, ScalarDefinition } from "../registry/definition.ts";
import { formatDouble } from "../runtime/formats.ts";
import { invalidArgument, type List } from "../runtime/nested-values.ts";
import { addToQDigest, mergeQDigests, newQDigest, quantileOfQDigest, rankInQDigest, readQDigest, writeQDigest } from "./qdigest.ts";
import { mergeImplementation, type SketchForm, type SketchImplementation, sketchAggregate, sketchResult } from "./sketch-aggregate.ts";
import {
  addToTDigest,
  finishTDigest,
  mergeTDigests,
  newTDigest,
  quantileAtValue,
  quantileOfTDigest,
  readTDigest,
  type TDigest,
  writeTDigest,
} from "./tdigest.ts";

const defaultAccuracy = 0.01;

const tdigestForm: SketchForm<TDigest> = { read: readTDigest, write: writeTDigest, merge: mergeTDigests, finish: finishTDigest };
const mergeQ = (sketch: Uint8Array, other: Uint8Array) => writeQDigest(mergeQDigests(readQDigest(sketch), readQDigest(other)));

function tdigestImplementation(argTypes: readonly Type[]): SketchImplementation {
  return {
    ...sketchResult(TDIGEST, tdigestForm),
    name: `tdigest_agg ${argTypes.length}`,
    rowTypes: argTypes,
    add: (sketch, rows) => {
      const weighted = rows.map(([value, weight = 1]) => [value as number, weight as number] as const);
      return writeTDigest(addToTDigest(sketch === undefined ? newTDigest() : readTDigest(sketch), weighted));
    },
  };
}

/** Maps numbers to keys in the same order. */
function keyOf(type: Type, value: HostValue): bigint {
  if (type.kind === "bigint") {
    return value as bigint;
  }
  const bits = new DataView(Float64Array.of((value as number) + 0).buffer).getBigInt64(0, true);
  return bits < 0n ? bits ^ 0x7fff_ffff_ffff_ffffn : bits;
}

function valueOfKey(type: Type, key: bigint): HostValue {
  if (type.kind === "bigint") {
    return key;
  }
  const bits = key < 0n ? key ^ 0x7fff_ffff_ffff_ffffn : key;
  const [value = Number.NaN] = new Float64Array(BigInt64Array.of(bits).buffer);
  return type.kind === "real" ? Math.fround(value) : value;
}

function qdigestImplementation(argTypes: readonly Type[]): SketchImplementation {
  const type = argTypes[0] as Type;
  return {
    name: `qdigest_agg ${type.kind} ${argTypes.length}`,
    returnType: qdigestType(type),
    rowTypes: argTypes,
    add: (sketch, rows) => {
      const digest = sketch === undefined ? newQDigest((rows[0]?.[2] as number | undefined) ?? defaultAccuracy) : readQDigest(sketch);
      for (const [value = null, weight = 1n] of rows) {
        addToQDigest(digest, keyOf(type, value), Number(weight));
      }
      return writeQDigest(digest);
    },
    merge: mergeQ,
    result: (sketch) => sketch,
  };
}

/** merge(qdigest): the rows are sketches and are merged one by one, because a digest is compressed whenever it is written. */
function qdigestMergeImplementation(type: Type & { readonly kind: "qdigest" }): SketchImplementation {
  return {
    name: `merge qdigest ${type.element.kind}`,
    returnType: type,
    rowTypes: [type],
    add: (sketch, rows) => {
      const given = rows.map(([row]) => row as Uint8Array);
      return (sketch === undefined ? given : [sketch, ...given]).reduce(mergeQ);
    },
    merge: mergeQ,
    result: (sketch) => sketch,
  };
}

const qdigestElements = ["bigint", "double", "real"] as const;

export const digestAggregates: readonly AggregateDefinition[] = [
  ...[["double"], ["double", "double"]].map(
    (args): AggregateDefinition => ({
      name: "tdigest_agg",
      args,
      returns: "tdigest",
      description: "T-digest of the values, optionally weighted",
      make: (argTypes) => sketchAggregate(tdigestImplementation(argTypes)),
    }),
  ),
  ...qdigestElements.flatMap((type) =>
    [[type], [type, "bigint"], [type, "bigint", "double"]].map(
      (args): AggregateDefinition => ({
        name: "qdigest_agg",
        args,
        returns: `qdigest(${type})`,
        description: "Quantile digest of the values, optionally weighted and with an accuracy",
        make: (argTypes) => sketchAggregate(qdigestImplementation(argTypes)),
      }),
    ),
  ),
  {
    name: "merge",
    args: ["tdigest"],
    returns: "tdigest",
    description: "Merged sketch",
    make: () => sketchAggregate(mergeImplementation(TDIGEST, tdigestForm)),
  },
  {
    name: "merge",
    args: ["qdigest(T)"],
    returns: "qdigest(T)",
    description: "Merged sketch",
    make: ([type]) => sketchAggregate(qdigestMergeImplementation(type as Type & { readonly kind: "qdigest" })),
  },
];

function checkedQuantile(quantile: HostValue): number {
  const share = quantile as number;
  return share >= 0 && share <= 1 ? share : invalidArgument(`Quantile should be within bounds [0, 1], was: ${formatDouble(share)}`);
}

function tdigestQuantile(sketch: HostValue): (quantile: HostValue) => HostValue {
  const digest = readTDigest(sketch as Uint8Array);
  return (quantile) => quantileOfTDigest(digest, checkedQuantile(quantile));
}

function qdigestQuantile(sketch: HostValue, type: Type | undefined): (quantile: HostValue) => HostValue {
  const element = type?.kind === "qdigest" ? type.element : BIGINT;
  const digest = readQDigest(sketch as Uint8Array);
  return (quantile) => {
    const key = quantileOfQDigest(digest, checkedQuantile(quantile));
    return key === undefined ? null : valueOfKey(element, key);
  };
}

/** One value per quantile; the list must be ascending. */
function ofEach(valueAt: (quantile: HostValue) => HostValue, quantiles: HostValue): HostValue {
  const list = quantiles as List;
  if (list.includes(null)) {
    return invalidArgument("All quantiles should be non-null");
  }
  if (list.some((quantile, index) => index > 0 && (quantile as number) < (list[index - 1] as number))) {
    return invalidArgument("percentiles must be sorted in increasing order");
  }
  return list.map(valueAt);
}

const rankOfQDigest: HostImplementation = ([sketch, value], { argTypes }) =>
  rankInQDigest(readQDigest(sketch as Uint8Array), keyOf(argTypes[1] as Type, value as HostValue)) ?? null;

const valueAtDescription = "Approximate value at the quantile of the digest";
const valuesAtDescription = "Approximate values at the quantiles of the digest";
const quantileAtDescription = "Approximate quantile of the value in the digest";

/** Digest of the values 1, 2 and 3, once each. */
const threeValues = "CAST(from_hex('00000000000000F03F000000000000084000000000000059400000000000000840".concat(
  "03000000000000000000F03F00000000000000400000000000000840000000000000F03F000000000000F03F000000000000F03F') AS tdigest)",
);
/** Digest of the value 7, once. */
const sevenOnly =
  "CAST(from_hex('7B14AE47E17A843F000000000000F03F07000000000000800700000000000080000000000000F03F07000000000000800000000000000000') AS qdigest(bigint))";

export const digestDefinitions: readonly ScalarDefinition[] = [
  {
    name: "value_at_quantile",
    args: ["tdigest", "double"],
    returns: "double",
    description: valueAtDescription,
    host: ([sketch, quantile]) => tdigestQuantile(sketch as HostValue)(quantile as HostValue),
    example: { sql: `value_at_quantile(${threeValues}, 0.5)`, result: "2.0" },
  },
  {
    name: "values_at_quantiles",
    args: ["tdigest", "array(double)"],
    returns: "array(double)",
    description: valuesAtDescription,
    host: ([sketch, quantiles]) => ofEach(tdigestQuantile(sketch as HostValue), quantiles as HostValue),
    example: { sql: `values_at_quantiles(${threeValues}, ARRAY[0, 0.5, 1])`, result: "[1.0, 2.0, 3.0]" },
  },
  {
    name: "quantile_at_value",
    args: ["tdigest", "double"],
    returns: "double",
    description: quantileAtDescription,
    host: ([sketch, value]) => quantileAtValue(readTDigest(sketch as Uint8Array), value as number),
    example: { sql: `quantile_at_value(${threeValues}, 2)`, result: "0.5" },
  },
  ...qdigestElements.flatMap((type): readonly ScalarDefinition[] => [
    {
      name: "value_at_quantile",
      args: [`qdigest(${type})`, "double"],
      returns: type,
      givesNull: true,
      description: valueAtDescription,
      host: ([sketch, quantile], { argTypes }) => qdigestQuantile(sketch as HostValue, argTypes[0])(quantile as HostValue),
      ...(type === "bigint" && { example: { sql: `value_at_quantile(${sevenOnly}, 0.5)`, result: "7" } }),
    },
    {
      name: "values_at_quantiles",
      args: [`qdigest(${type})`, "array(double)"],
      returns: `array(${type})`,
      description: valuesAtDescription,
      host: ([sketch, quantiles], { argTypes }) => ofEach(qdigestQuantile(sketch as HostValue, argTypes[0]), quantiles as HostValue),
      ...(type === "bigint" && { example: { sql: `values_at_quantiles(${sevenOnly}, ARRAY[0, 1])`, result: "[7, 7]" } }),
    },
    {
      name: "quantile_at_value",
      args: [`qdigest(${type})`, type],
      returns: "double",
      givesNull: true,
      description: quantileAtDescription,
      host: rankOfQDigest,
      ...(type === "bigint" && { example: { sql: `quantile_at_value(${sevenOnly}, 7)`, result: "1.0" } }),
    },
  ]),
];
