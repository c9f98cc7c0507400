/**
 * Functions of whole maps: top keys and values, subsets, removal of NULLs. Semantics follow Presto's documentation (functions/map.rst and
 * plugin-loaded-functions.rst).
 */
import { compareNested } from "../../../types/nested/nested-order.ts";
import type { Type } from "../../../types/type.ts";
import { descendingBy } from "../array/searches.ts";
import { addIntegers, descending, failed, presentOf } from "../array/summaries.ts";
import type { HostCall, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { lambdasInSteps } from "../../runtime/large/lambda-steps.ts";
import { eachOfLists, filterInSteps, mapInSteps, nodesOf, setNodes, someInSteps } from "../../runtime/large/loops.ts";
import { elementOf, type Entries, entriesOf, type List, mapOf, ValueSet, valueSetOf } from "../../runtime/nested-values.ts";
import { type InSteps, sortInSteps } from "../../runtime/steps.ts";

const keysOf = (value: HostValue | undefined): InSteps<List> => mapInSteps(entriesOf(value), ([key]) => key);
const valuesOf = (value: HostValue | undefined): InSteps<List> => mapInSteps(entriesOf(value), ([, inner]) => inner);

/** Validates the argument n. */
function wantedOf(n: HostValue | undefined): number {
  return (n as bigint) < 0n ? failed("n must be greater than or equal to 0") : Number(n as bigint);
}

/** Entries by value, in descending order with NULLs last; ties by key in descending order. */
function byValue(type: Type & { readonly kind: "map" }, entries: Entries): InSteps<Entries> {
  const compare = ([key, value]: Entries[number], [otherKey, other]: Entries[number]): number => {
    const nulls = Number(value === null) - Number(other === null);
    const order = nulls !== 0 || value === null ? nulls : -compareNested(type.value, value, other);
    return order === 0 ? -compareNested(type.key, key, otherKey) : order;
  };
  return sortInSteps(entries, compare, nodesOf);
}

function* topEntries([map, n]: List, call: HostCall): InSteps<Entries> {
  const wanted = wantedOf(n);
  return (yield* byValue(mapOf(call), entriesOf(map))).slice(0, wanted);
}

const topValuesBy = lambdasInSteps(function* ([map, n], [compare]) {
  const wanted = wantedOf(n);
  const values = yield* valuesOf(map);
  const sorted = yield* descendingBy(presentOf(values), compare);
  return [...sorted, ...values.filter((value) => value === null)].slice(0, wanted);
});

const subset: HostSteps = function* ([map, keys], call) {
  const wanted = yield* valueSetOf(elementOf(call, 1), keys as List);
  return yield* filterInSteps(entriesOf(map), ([key]) => wanted.has(key), setNodes);
};

const normalize: HostSteps = function* ([map]) {
  // A million numbers take some milliseconds.
  let sum = 0;
  for (const [, value] of entriesOf(map)) {
    sum += (value as number | null) ?? 0;
  }
  return yield* mapInSteps(entriesOf(map), ([key, value]) => [key, value === null ? null : (value as number) / sum]);
};

/** Sum of two values of a numeric type other than decimal. */
function addTo({ kind }: Type, a: HostValue, b: HostValue): HostValue {
  if (kind === "real" || kind === "double") {
    const sum = (a as number) + (b as number);
    return kind === "real" ? Math.fround(sum) : sum;
  }
  return addIntegers(kind as Parameters<typeof addIntegers>[0], a as number | bigint, b as number | bigint);
}

/** Keys in order of first occurrence. */
const unionSum: HostSteps = function* ([maps], call) {
  const type = elementOf(call) as Type & { readonly kind: "map" };
  const keys = new ValueSet(type.key);
  const zero: HostValue = type.value.kind === "bigint" ? 0n : 0;
  const sums: [HostValue, HostValue][] = [];
  yield* eachOfLists(
    (maps as List).map(entriesOf),
    ([key, value]) => {
      const place = keys.place(key);
      if (place === sums.length) {
        sums.push([key, zero]);
      }
      const sum = sums[place] as [HostValue, HostValue];
      sum[1] = addTo(type.value, sum[1], value ?? zero);
    },
    setNodes,
  );
  return sums;
};

const map = "map(K,V)";

export const mapSummaryDefinitions: readonly ScalarDefinition[] = [
  {
    name: "map_subset",
    args: [map, "array(K)"],
    returns: map,
    description: "Entries of the map whose keys are in the array",
    steps: subset,
    example: { sql: "map_subset(map(ARRAY[1, 2, 3], ARRAY['a', 'b', 'c']), ARRAY[3, 1, 9])", result: "{1=a, 3=c}" },
  },
  {
    name: "map_key_exists",
    args: [map, "K"],
    returns: "boolean",
    description: "Whether the map contains the key",
    *steps([entries, key], call) {
      const wanted = new ValueSet(mapOf(call).key, [key as HostValue]);
      return yield* someInSteps(entriesOf(entries), ([other]) => wanted.has(other));
    },
    example: { sql: "map_key_exists(map(ARRAY['x', 'y'], ARRAY[100, 200]), 'x')", result: "true" },
  },
  {
    name: "map_top_n",
    args: [map, "bigint"],
    returns: map,
    constraint: "orderable",
    description: "Top n entries by value",
    steps: topEntries,
    example: { sql: "map_top_n(map(ARRAY['a', 'b', 'c'], ARRAY[2, 3, 1]), 2)", result: "{b=3, a=2}" },
  },
  {
    name: "map_keys_by_top_n_values",
    args: [map, "bigint"],
    returns: "array(K)",
    constraint: "orderable",
    description: "Keys of the top n entries by value",
    *steps(args, call) {
      return yield* keysOf(yield* topEntries(args, call));
    },
    example: { sql: "map_keys_by_top_n_values(map(ARRAY['a', 'b', 'c'], ARRAY[2, 1, 3]), 2)", result: "[c, a]" },
  },
  {
    name: "map_top_n_keys",
    args: [map, "bigint"],
    returns: "array(K)",
    constraint: "orderable",
    constrained: ["K"],
    description: "Top n keys, in descending order",
    *steps([entries, n], call) {
      const wanted = wantedOf(n);
      return (yield* descending(mapOf(call).key, yield* keysOf(entries))).slice(0, wanted);
    },
    example: { sql: "map_top_n_keys(map(ARRAY['a', 'b', 'c'], ARRAY[3, 2, 1]), 2)", result: "[c, b]" },
  },
  {
    name: "map_top_n_keys",
    args: [map, "bigint", "function(K,K,integer)"],
    returns: "array(K)",
    description: "Top n keys by the comparator, in descending order",
    suspends: true,
    withLambdas: lambdasInSteps(function* ([entries, n], [compare]) {
      const wanted = wantedOf(n);
      return (yield* descendingBy(yield* keysOf(entries), compare)).slice(0, wanted);
    }),
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
    description: "Top n values, in descending order, NULLs last",
    *steps([entries, n], call) {
      const wanted = wantedOf(n);
      return (yield* descending(mapOf(call).value, yield* valuesOf(entries))).slice(0, wanted);
    },
    example: { sql: "map_top_n_values(map(ARRAY['a', 'b', 'c'], ARRAY[1, 2, 3]), 2)", result: "[3, 2]" },
  },
  {
    name: "map_top_n_values",
    args: [map, "bigint", "function(V,V,integer)"],
    returns: "array(V)",
    description: "Top n values by the comparator, in descending order, NULLs last",
    suspends: true,
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
    description: "Map with values divided by their sum; NULL values stay",
    steps: normalize,
    example: { sql: "map_normalize(map(ARRAY['a', 'b', 'c'], ARRAY[1, 4, NULL]))", result: "{a=0.2, b=0.8, c=null}" },
  },
  {
    name: "map_remove_null_values",
    args: [map],
    returns: map,
    description: "Map without the entries that have NULL values",
    *steps([entries]) {
      return yield* filterInSteps(entriesOf(entries), ([, value]) => value !== null);
    },
    example: { sql: "map_remove_null_values(map(ARRAY[1, 2], ARRAY['a', NULL]))", result: "{1=a}" },
  },
  {
    name: "$map_union_sum",
    args: ["array(map(K,V))"],
    returns: map,
    description: "Union of all collected maps, with the sum of the values of each key",
    steps: unionSum,
  },
  {
    name: "$set_union",
    args: ["array(array(T))"],
    returns: "array(T)",
    description: "Distinct elements of all collected arrays",
    *steps([lists], call) {
      const { element } = elementOf(call) as Type & { readonly kind: "array" };
      const seen = new ValueSet(element);
      const result: HostValue[] = [];
      yield* eachOfLists(
        presentOf(lists) as readonly List[],
        (value) => {
          if (seen.add(value)) {
            result.push(value);
          }
        },
        setNodes,
      );
      return result;
    },
  },
];
