/**
 * Functions of whole arrays without lambdas: sums, frequencies, top elements, reshaping. The versions with lambdas are in
 * array/searches.ts. Semantics follow Presto's documentation (functions/array.rst and plugin-loaded-functions.rst); trim_array,
 * array_first, array_last and array_histogram follow Trino.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { compareNested } from "../../../types/nested/nested-order.ts";
import { integralBits, type IntegralKind, integralKinds, isNested, type Type } from "../../../types/type.ts";
import type { HostCall, HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { eachInSteps, filterInSteps, mapInSteps, nodesOf, setNodes, someInSteps } from "../../runtime/large/loops.ts";
import { countsOf, elementOf, holdsNull, invalidArgument, type List, ValueSet, valueSetOf } from "../../runtime/nested-values.ts";
import { type InSteps, sortInSteps } from "../../runtime/steps.ts";
import { formatDouble } from "../../runtime/formats.ts";

const chunksMax = 10_000n;
/** Short lists that are looked at without a pause. */
const listsAtOnce = 256;
/** Values of a set that are looked at without a pause, and those that take as long as a step. */
const placesAtOnce = 65_536;
const placesPerStep = 64;

/** Raises the error of Presto's function fail(). */
export function failed(message: string): never {
  throw new QueryError("GENERIC_USER_ERROR", message);
}

export function presentOf(list: HostValue | undefined): List {
  return (list as List).filter((value) => value !== null);
}

/** Checks elements that become map keys. */
function* checkKeys(call: HostCall, list: HostValue | undefined): InSteps<void> {
  const type = elementOf(call);
  if (isNested(type) && (yield* someInSteps(list as List, (value) => holdsNull(type, value)))) {
    invalidArgument("map key cannot be null or contain nulls");
  }
}

function* duplicates(list: HostValue | undefined, call: HostCall): InSteps<HostValue[]> {
  yield* checkKeys(call, list);
  const values = list as List;
  const seen = new ValueSet(elementOf(call));
  // Without an object for each value: the collector takes tens of milliseconds for a million of them.
  const first = new Uint32Array(values.length);
  const isRepeated = new Uint8Array(values.length);
  yield* eachInSteps(
    values,
    (value, index) => {
      const before = seen.size;
      const place = seen.place(value);
      if (seen.size > before) {
        first[place] = index;
      } else {
        isRepeated[place] = 1;
      }
    },
    setNodes,
  );
  const repeated: HostValue[] = isRepeated[seen.indexOf(null)] === 1 ? [null] : [];
  for (let place = 0; place < seen.size; place++) {
    const value = isRepeated[place] === 1 ? (values[first[place] as number] as HostValue) : null;
    if (value !== null) {
      repeated.push(value);
    }
    if (place % placesAtOnce === placesAtOnce - 1) {
      yield placesAtOnce / placesPerStep;
    }
  }
  return repeated;
}

function* hasDuplicates(list: HostValue | undefined, call: HostCall): InSteps<boolean> {
  yield* checkKeys(call, list);
  const seen = new ValueSet(elementOf(call));
  return yield* someInSteps(list as List, (value) => !seen.add(value), setNodes);
}

/** Elements by ascending frequency, ties by value; NULL if every element is NULL or there are none. */
const leastFrequent: HostSteps = function* ([list, wanted], call) {
  const type = elementOf(call);
  const n = wanted === undefined ? 1n : (wanted as bigint);
  if (n < 0n) {
    return failed("n must be greater than or equal to 0");
  }
  yield* checkKeys(call, list);
  const counts = yield* sortInSteps(
    yield* countsOf(type, presentOf(list)),
    ([a, often], [b, other]) => often - other || compareNested(type, a, b),
    ([value]) => nodesOf(value),
  );
  return counts.length === 0 ? null : yield* mapInSteps(counts.slice(0, Number(n)), ([value]) => value);
};

/** Descending order, NULLs last. */
export function* descending(type: Type, list: HostValue | undefined): InSteps<List> {
  const values = yield* sortInSteps(presentOf(list), (a, b) => compareNested(type, a, b), nodesOf);
  return [...values.toReversed(), ...(list as List).filter((value) => value === null)];
}

/** Validates the argument n of array_top_n. */
export function countOfTop(n: HostValue | undefined): number {
  return (n as number) < 0 ? failed(`Parameter n: ${n} to ARRAY_TOP_N is negative`) : (n as number);
}

const topN: HostSteps = function* ([list, n], call) {
  const wanted = countOfTop(n);
  return (yield* descending(elementOf(call), list)).slice(0, wanted);
};

/** Sum of two values of an integral type; raises the overflow error of the + operator. */
export function addIntegers(kind: IntegralKind, a: number | bigint, b: number | bigint): HostValue {
  const sum = BigInt(a) + BigInt(b);
  if (BigInt.asIntN(integralBits[kind], sum) !== sum) {
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", `${kind} addition overflow: ${a} + ${b}`);
  }
  return kind === "bigint" ? sum : Number(sum);
}

function cumulated(add: (a: number | bigint, b: number | bigint) => HostValue): HostSteps {
  return function* ([list]) {
    let sum: HostValue | undefined;
    return yield* mapInSteps(list as List, (value) => {
      sum = value === null || sum === null ? null : sum === undefined ? value : add(sum as number, value as number);
      return sum;
    });
  };
}

const cumulatedSums: readonly ScalarDefinition[] = [
  ...integralKinds.map((kind) => ({
    kind,
    add: (a: number | bigint, b: number | bigint) => addIntegers(kind, a, b),
  })),
  { kind: "real", add: (a: number | bigint, b: number | bigint) => Math.fround(Number(a) + Number(b)) },
  { kind: "double", add: (a: number | bigint, b: number | bigint) => Number(a) + Number(b) },
].map(({ kind, add }) => ({
  name: "array_cum_sum",
  args: [`array(${kind})`],
  returns: `array(${kind})`,
  description: "Cumulative sums of the elements, NULL from the first NULL on",
  steps: cumulated(add),
  ...(kind === "integer" && { example: { sql: "array_cum_sum(ARRAY[1, 2, NULL, 3])", result: "[1, 3, null, null]" } }),
}));

function normalized(round: (value: number) => number): HostSteps {
  return function* ([list, p]) {
    const [values, power] = [list as readonly (number | null)[], p as number];
    if (!(power >= 0)) {
      return invalidArgument(`array_normalize only supports non-negative p: ${formatDouble(power)}`);
    }
    if (power === 0) {
      return values;
    }
    if (values.includes(null)) {
      return null;
    }
    let sum = 0;
    yield* eachInSteps(values as readonly number[], (value) => {
      sum += Math.abs(value) ** power;
    });
    return sum === 0 ? values : yield* mapInSteps(values as readonly number[], (value) => round(value / sum ** (1 / power)));
  };
}

const chunks: HostImplementation = ([list, size]) => {
  const [values, length] = [list as List, size as number];
  if (length <= 0) {
    return failed(`Invalid slice size: ${length}. Size must be greater than zero.`);
  }
  if (BigInt(values.length) / BigInt(length) > chunksMax) {
    return failed(`Cannot split array of size: ${values.length} into more than 10000 parts.`);
  }
  return Array.from({ length: Math.ceil(values.length / length) }, (_value, index) => values.slice(index * length, (index + 1) * length));
};

const trimmed: HostImplementation = ([list, size]) => {
  const [values, count] = [list as List, size as bigint];
  if (count < 0n) {
    return invalidArgument(`size must not be negative: ${count}`);
  }
  return count > BigInt(values.length)
    ? invalidArgument(`size must not exceed array cardinality ${values.length}: ${count}`)
    : values.slice(0, values.length - Number(count));
};

/** Distinct elements that occur in every array, in the order of the first array. */
const intersection: HostSteps = function* ([lists], call) {
  const { element } = elementOf(call) as Type & { readonly kind: "array" };
  const [first = [], ...others] = lists as readonly (List | null)[];
  if (first === null || others.includes(null)) {
    return null;
  }
  const given = new ValueSet(element);
  let shared = yield* filterInSteps(first, (value) => given.add(value));
  for (const [index, list] of others.entries()) {
    const set = yield* valueSetOf(element, list as List);
    shared = yield* filterInSteps(shared, (value) => set.has(value));
    if (index % listsAtOnce === listsAtOnce - 1) {
      yield listsAtOnce;
    }
  }
  return shared;
};

const listOf = "array(T)";

export const arraySummaryDefinitions: readonly ScalarDefinition[] = [
  {
    name: "array_first",
    args: [listOf],
    returns: "T",
    givesNull: true,
    description: "First element, or NULL if the array is empty",
    host: ([list]) => (list as List)[0] ?? null,
    example: { sql: "array_first(ARRAY['a', 'b'])", result: "a" },
  },
  {
    name: "array_last",
    args: [listOf],
    returns: "T",
    givesNull: true,
    description: "Last element, or NULL if the array is empty",
    host: ([list]) => (list as List).at(-1) ?? null,
    example: { sql: "array_last(ARRAY['a', 'b'])", result: "b" },
  },
  {
    name: "trim_array",
    args: [listOf, "bigint"],
    returns: listOf,
    description: "Array without its last n elements",
    host: trimmed,
    example: { sql: "trim_array(ARRAY[1, 2, 3, 4], 1)", result: "[1, 2, 3]" },
  },
  {
    name: "array_intersect",
    args: ["array(array(T))"],
    returns: listOf,
    givesNull: true,
    description: "Distinct elements in the intersection of all nested arrays",
    steps: intersection,
    example: { sql: "array_intersect(ARRAY[ARRAY[1, 2, 2, NULL], ARRAY[NULL, 2, 3]])", result: "[2, null]" },
  },
  {
    name: "array_sum",
    args: ["array(bigint)"],
    returns: "bigint",
    description: "Sum of the non-NULL elements, or 0 if there are none",
    *steps([list]) {
      let sum: HostValue = 0n;
      yield* eachInSteps(presentOf(list), (value) => {
        sum = addIntegers("bigint", sum as bigint, value as bigint);
      });
      return sum;
    },
    example: { sql: "array_sum(ARRAY[1, NULL, 5])", result: "6" },
  },
  {
    name: "array_sum",
    args: ["array(double)"],
    returns: "double",
    description: "Sum of the non-NULL elements, or 0 if there are none",
    host: ([list]) => (presentOf(list) as readonly number[]).reduce((sum, value) => sum + value, 0),
    example: { sql: "array_sum(ARRAY[1.5e0, NULL, 5e0])", result: "6.5" },
  },
  {
    name: "array_average",
    args: ["array(double)"],
    returns: "double",
    givesNull: true,
    description: "Average of the non-NULL elements, or NULL if there are none",
    host: ([list]) => {
      const values = presentOf(list) as readonly number[];
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    },
    example: { sql: "array_average(ARRAY[1, NULL, 4])", result: "2.5" },
  },
  ...cumulatedSums,
  {
    name: "array_frequency",
    args: [listOf],
    returns: "map(T,integer)",
    description: "Map of each non-NULL element to its number of occurrences",
    *steps([list], call) {
      return yield* countsOf(elementOf(call), presentOf(list));
    },
    example: { sql: "array_frequency(ARRAY['a', 'b', NULL, 'a'])", result: "{a=2, b=1}" },
  },
  {
    name: "array_histogram",
    args: [listOf],
    returns: "map(T,bigint)",
    description: "Map of each non-NULL element to its number of occurrences",
    *steps([list], call) {
      return yield* mapInSteps(yield* countsOf(elementOf(call), presentOf(list)), ([value, count]) => [value, BigInt(count)]);
    },
    example: { sql: "array_histogram(ARRAY[42, 7, 42, NULL])", result: "{42=2, 7=1}" },
  },
  {
    name: "array_duplicates",
    args: [listOf],
    returns: listOf,
    description: "Distinct elements that occur more than once",
    *steps([list], call) {
      return yield* duplicates(list, call);
    },
    example: { sql: "array_duplicates(ARRAY[5, 2, 5, 1, 1, 5, NULL, NULL])", result: "[null, 5, 1]" },
  },
  {
    name: "array_has_duplicates",
    args: [listOf],
    returns: "boolean",
    description: "Whether any element occurs more than once",
    *steps([list], call) {
      return yield* hasDuplicates(list, call);
    },
    example: { sql: "array_has_duplicates(ARRAY[1, 2, NULL, 1])", result: "true" },
  },
  {
    name: "array_least_frequent",
    args: [listOf],
    returns: listOf,
    constraint: "orderable",
    givesNull: true,
    description: "Least frequent element, or NULL if every element is NULL",
    steps: leastFrequent,
    example: { sql: "array_least_frequent(ARRAY[1, 0, 5])", result: "[0]" },
  },
  {
    name: "array_least_frequent",
    args: [listOf, "bigint"],
    returns: listOf,
    constraint: "orderable",
    givesNull: true,
    description: "Array of the n least frequent elements, or NULL if every element is NULL",
    steps: leastFrequent,
    example: { sql: "array_least_frequent(ARRAY[3, 2, 2, 6, 6, 1, 1], 3)", result: "[3, 1, 2]" },
  },
  ...(["real", "double"] as const).map(
    (kind): ScalarDefinition => ({
      name: "array_normalize",
      args: [`array(${kind})`, kind],
      returns: `array(${kind})`,
      givesNull: true,
      description: "Elements divided by the p-norm of the array, or NULL if any element is NULL",
      steps: normalized(kind === "real" ? Math.fround : (value) => value),
      ...(kind === "double" && { example: { sql: "array_normalize(ARRAY[3e0, 4e0], 2e0)", result: "[0.6, 0.8]" } }),
    }),
  ),
  {
    name: "array_sort_desc",
    args: [listOf],
    returns: listOf,
    constraint: "orderable",
    description: "Array sorted in descending order, NULLs last",
    *steps([list], call) {
      return yield* descending(elementOf(call), list);
    },
    example: { sql: "array_sort_desc(ARRAY[100, NULL, 1, 50])", result: "[100, 50, 1, null]" },
  },
  {
    name: "array_top_n",
    args: [listOf, "integer"],
    returns: listOf,
    constraint: "orderable",
    description: "Top n elements, in descending order",
    steps: topN,
    example: { sql: "array_top_n(ARRAY[1, 100, 2, 5, 3], 3)", result: "[100, 5, 3]" },
  },
  {
    name: "array_split_into_chunks",
    args: [listOf, "integer"],
    returns: "array(array(T))",
    description: "Array split into chunks of a length, the last possibly shorter",
    host: chunks,
    example: { sql: "array_split_into_chunks(ARRAY[1, 2, 3, 4], 3)", result: "[[1, 2, 3], [4]]" },
  },
  {
    name: "remove_nulls",
    args: [listOf],
    returns: listOf,
    description: "Array without its NULL elements",
    host: ([list]) => presentOf(list),
    example: { sql: "remove_nulls(ARRAY[1, NULL, 2])", result: "[1, 2]" },
  },
];
