/**
 * Parts of maps: their greatest keys and values, chosen keys, values without NULL. As Presto's documentation has them (functions/map.rst and
 * plugin-loaded-functions.rst).
 */
import { compareNested } from "../../../types/nested/nested-order.ts";
import type { Type } from "../../../types/type.ts";
import { descendingBy } from "../array/searches.ts";
import { addIntegers, descending, failed, presentOf } from "../array/summaries.ts";
import type { HostLambda, HostImplementation, HostValue, LambdaImplementation, ScalarDefinition } from "../../registry/definition.ts";
import type { Entries } from "../../cast/nested-casts.ts";
import { elementOf, entriesOf, type List, mapOf, ValueSet } from "../../runtime/nested-values.ts";

const keysOf = (value: HostValue | undefined): List => entriesOf(value).map(([key]) => key);
const valuesOf = (value: HostValue | undefined): List => entriesOf(value).map(([, inner]) => inner);

/** How many are wanted. */
function wantedOf(n: HostValue | undefined): number {
  return (n as bigint) < 0n ? failed("n must be greater than or equal to 0") : Number(n as bigint);
}

/** Entries by value, the greatest first and NULLs last; of equal values the greater key first. */
function byValue(type: Type & { readonly kind: "map" }, entries: Entries): Entries {
  return [...entries].sort(([key, value], [otherKey, other]) => {
    const nulls = Number(value === null) - Number(other === null);
    const order = nulls !== 0 || value === null ? nulls : -compareNested(type.value, value, other);
    return order === 0 ? -compareNested(type.key, key, otherKey) : order;
  });
}

const topEntries: HostImplementation = ([map, n], call) => {
  const wanted = wantedOf(n);
  return byValue(mapOf(call), entriesOf(map)).slice(0, wanted);
};

const topValuesBy: LambdaImplementation = ([map, n], [compare]) => {
  const wanted = wantedOf(n);
  const values = valuesOf(map);
  return [...descendingBy(presentOf(values), compare as HostLambda), ...values.filter((value) => value === null)].slice(0, wanted);
};

const subset: HostImplementation = ([map, keys], call) => {
  const wanted = new ValueSet(elementOf(call, 1), keys as List);
  return entriesOf(map).filter(([key]) => wanted.has(key));
};

const normalize: HostImplementation = ([map]) => {
  const sum = (presentOf(valuesOf(map)) as readonly number[]).reduce((total, value) => total + value, 0);
  return entriesOf(map).map(([key, value]) => [key, value === null ? null : (value as number) / sum]);
};

/** The sum of two values of a numeric type that is no decimal. */
function addTo({ kind }: Type, a: HostValue, b: HostValue): HostValue {
  if (kind === "real" || kind === "double") {
    const sum = (a as number) + (b as number);
    return kind === "real" ? Math.fround(sum) : sum;
  }
  return addIntegers(kind as Parameters<typeof addIntegers>[0], a as number | bigint, b as number | bigint);
}

/** Keys in the order they first come. */
const unionSum: HostImplementation = ([maps], call) => {
  const type = elementOf(call) as Type & { readonly kind: "map" };
  const keys = new ValueSet(type.key);
  const zero: HostValue = type.value.kind === "bigint" ? 0n : 0;
  const sums: [HostValue, HostValue][] = [];
  for (const [key, value] of (maps as List).flatMap((entries) => entriesOf(entries))) {
    if (keys.add(key)) {
      sums.push([key, zero]);
    }
    const sum = sums[keys.indexOf(key)] as [HostValue, HostValue];
    sum[1] = addTo(type.value, sum[1], value ?? zero);
  }
  return sums;
};

const map = "map(K,V)";

export const mapSummaryDefinitions: readonly ScalarDefinition[] = [
  {
    name: "map_subset",
    args: [map, "array(K)"],
    returns: map,
    description: "The entries of the keys in an array",
    host: subset,
    example: { sql: "map_subset(map(ARRAY[1, 2, 3], ARRAY['a', 'b', 'c']), ARRAY[3, 1, 9])", result: "{1=a, 3=c}" },
  },
  {
    name: "map_key_exists",
    args: [map, "K"],
    returns: "boolean",
    description: "Whether a map has a key",
    host: ([entries, key], call) => {
      const wanted = new ValueSet(mapOf(call).key, [key as HostValue]);
      return entriesOf(entries).some(([other]) => wanted.has(other));
    },
    example: { sql: "map_key_exists(map(ARRAY['x', 'y'], ARRAY[100, 200]), 'x')", result: "true" },
  },
  {
    name: "map_top_n",
    args: [map, "bigint"],
    returns: map,
    constraint: "orderable",
    description: "A number of the entries with the greatest values, of equal ones those with the greater keys",
    host: topEntries,
    example: { sql: "map_top_n(map(ARRAY['a', 'b', 'c'], ARRAY[2, 3, 1]), 2)", result: "{b=3, a=2}" },
  },
  {
    name: "map_keys_by_top_n_values",
    args: [map, "bigint"],
    returns: "array(K)",
    constraint: "orderable",
    description: "The keys of a number of the entries with the greatest values, of equal ones the greater keys",
    host: (args, call) => keysOf(topEntries(args, call)),
    example: { sql: "map_keys_by_top_n_values(map(ARRAY['a', 'b', 'c'], ARRAY[2, 1, 3]), 2)", result: "[c, a]" },
  },
  {
    name: "map_top_n_keys",
    args: [map, "bigint"],
    returns: "array(K)",
    constraint: "orderable",
    constrained: ["K"],
    description: "A number of the greatest keys, the greatest first",
    host: ([entries, n], call) => {
      const wanted = wantedOf(n);
      return descending(mapOf(call).key, keysOf(entries)).slice(0, wanted);
    },
    example: { sql: "map_top_n_keys(map(ARRAY['a', 'b', 'c'], ARRAY[3, 2, 1]), 2)", result: "[c, b]" },
  },
  {
    name: "map_top_n_keys",
    args: [map, "bigint", "function(K,K,integer)"],
    returns: "array(K)",
    description: "A number of the last keys in the order a lambda gives, the last first",
    withLambdas: ([entries, n], [compare]) => {
      const wanted = wantedOf(n);
      return descendingBy(keysOf(entries), compare as HostLambda).slice(0, wanted);
    },
    example: {
      sql: "map_top_n_keys(map(ARRAY['a', 'b', 'c'], ARRAY[3, 2, 1]), 2, (x, y) -> IF(x < y, -1, IF(x = y, 0, 1)))",
      result: "[c, b]",
    },
  },
  {
    name: "map_top_n_values",
    args: [map, "bigint"],
    returns: "array(V)",
    constraint: "orderable",
    constrained: ["V"],
    description: "A number of the greatest values, the greatest first, NULLs last",
    host: ([entries, n], call) => {
      const wanted = wantedOf(n);
      return descending(mapOf(call).value, valuesOf(entries)).slice(0, wanted);
    },
    example: { sql: "map_top_n_values(map(ARRAY['a', 'b', 'c'], ARRAY[1, 2, 3]), 2)", result: "[3, 2]" },
  },
  {
    name: "map_top_n_values",
    args: [map, "bigint", "function(V,V,integer)"],
    returns: "array(V)",
    description: "A number of the last values in the order a lambda gives, the last first, NULLs behind them",
    withLambdas: topValuesBy,
    example: {
      sql: "map_top_n_values(map(ARRAY['a', 'b', 'c'], ARRAY[1, 2, 3]), 2, (x, y) -> IF(x < y, -1, IF(x = y, 0, 1)))",
      result: "[3, 2]",
    },
  },
  {
    name: "map_normalize",
    args: ["map(varchar,double)"],
    returns: "map(varchar,double)",
    description: "The map with its values divided by their sum, NULLs as they are",
    host: normalize,
    example: { sql: "map_normalize(map(ARRAY['a', 'b', 'c'], ARRAY[1, 4, NULL]))", result: "{a=0.2, b=0.8, c=null}" },
  },
  {
    name: "map_remove_null_values",
    args: [map],
    returns: map,
    description: "The entries with a value that is not NULL",
    host: ([entries]) => entriesOf(entries).filter(([, value]) => value !== null),
    example: { sql: "map_remove_null_values(map(ARRAY[1, 2], ARRAY['a', NULL]))", result: "{1=a}" },
  },
  {
    name: "$map_union_sum",
    args: ["array(map(K,V))"],
    returns: map,
    description: "The entries of all collected maps, the values of a key added up",
    host: unionSum,
  },
  {
    name: "$set_union",
    args: ["array(array(T))"],
    returns: "array(T)",
    description: "The elements of all collected arrays, each once",
    host: ([lists], call) => {
      const { element } = elementOf(call) as Type & { readonly kind: "array" };
      const seen = new ValueSet(element);
      return (presentOf(lists) as readonly List[]).flatMap((list) => list.filter((value) => seen.add(value)));
    },
  },
];
