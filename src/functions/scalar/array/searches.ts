/**
 * Functions that search arrays and maps with a lambda. Semantics follow Presto's documentation (functions/array.rst and
 * plugin-loaded-functions.rst).
 */
import { compareNested } from "../../../types/nested/nested-order.ts";
import type { Type } from "../../../types/type.ts";
import { sortedBy } from "./lambda-sort.ts";
import { allMatch, anyMatches, type Match, matchValues, noneMatches } from "./lambdas.ts";
import { countOfTop } from "./summaries.ts";
import type { HostValue, LambdaImplementation, ScalarDefinition } from "../../registry/definition.ts";
import { type Asked, type AskLambda, lambdasInSteps } from "../../runtime/large/lambda-steps.ts";
import { eachInSteps } from "../../runtime/large/loops.ts";
import { entriesOf, invalidArgument, type List } from "../../runtime/nested-values.ts";

/** Sorts by the lambda in descending order. Equal elements are in reverse order, as in the reverse of an ascending stable sort. */
export function* descendingBy(list: List, compare: AskLambda): Generator<number | Asked, List, HostValue> {
  return (yield* sortedBy(list, compare)).toReversed();
}

/**
 * NULL if any lambda result is NULL, since that element could be the extreme one. Among equal results, max takes the last element and min
 * the first.
 */
function extremeBy(sign: 1 | -1): LambdaImplementation {
  return lambdasInSteps(function* ([list], [lambda], { argTypes }) {
    const values = list as List;
    const results: HostValue[] = [];
    for (const value of values) {
      results.push(yield lambda(value));
    }
    if (results.includes(null)) {
      return null;
    }
    const compared = argTypes[1] as Type & { readonly kind: "function" };
    let best = 0;
    yield* eachInSteps(results, (result, index) => {
      const order = sign * compareNested(compared.result, result, results[best] as HostValue);
      if (order > 0 || (order === 0 && sign > 0)) {
        best = index;
      }
    });
    return values[best] ?? null;
  });
}

/**
 * Position of the first element that satisfies the lambda, or -1. The search starts at `from`; a negative `from` searches backward from the
 * end.
 */
function* findPlace(list: List, from: bigint, lambda: AskLambda): Generator<number | Asked, number, HostValue> {
  if (from === 0n) {
    return invalidArgument("SQL array indices start at 1");
  }
  const step = from > 0n ? 1 : -1;
  if ((from > 0n ? from : -from) > BigInt(list.length)) {
    return -1;
  }
  for (let place = from > 0n ? Number(from) - 1 : list.length + Number(from); place >= 0 && place < list.length; place += step) {
    if ((yield lambda(list[place] as HostValue)) === true) {
      return place;
    }
  }
  return -1;
}

function search(result: (list: List, place: number) => HostValue): LambdaImplementation {
  return lambdasInSteps(function* ([list, from], [lambda]) {
    const place = yield* findPlace(list as List, (from as bigint | undefined) ?? 1n, lambda);
    return place < 0 ? null : result(list as List, place);
  });
}

const elementAt = search((list, place) => list[place] ?? null);
const indexOf = search((_list, place) => BigInt(place + 1));

/** Applies the match to the keys (0) or the values (1) of a map. */
function matchEntries(side: 0 | 1, match: Match): LambdaImplementation {
  return matchValues((map) => entriesOf(map).map((entry) => entry[side]), match);
}

function matching(
  name: string,
  side: "K" | "V",
  match: Match,
  [description, lambda, result]: readonly [string, string, string],
): ScalarDefinition {
  return {
    name,
    args: ["map(K,V)", `function(${side},boolean)`],
    returns: "boolean",
    givesNull: true,
    description,
    suspends: true,
    withLambdas: matchEntries(side === "K" ? 0 : 1, match),
    example: { sql: `${name}(map(ARRAY['a', 'b'], ARRAY[1, 2]), ${lambda})`, result },
  };
}

const listOf = "array(T)";
const predicate = "function(T,boolean)";

export const arraySearchDefinitions: readonly ScalarDefinition[] = [
  {
    name: "array_max_by",
    args: [listOf, "function(T,U)"],
    returns: "T",
    constraint: "orderable",
    constrained: ["U"],
    givesNull: true,
    description: "Element with the largest lambda result, or NULL if any result is NULL",
    suspends: true,
    withLambdas: extremeBy(1),
    example: { sql: "array_max_by(ARRAY['a', 'bbb', 'cc'], x -> length(x))", result: "bbb" },
  },
  {
    name: "array_min_by",
    args: [listOf, "function(T,U)"],
    returns: "T",
    constraint: "orderable",
    constrained: ["U"],
    givesNull: true,
    description: "Element with the smallest lambda result, or NULL if any result is NULL",
    suspends: true,
    withLambdas: extremeBy(-1),
    example: { sql: "array_min_by(ARRAY['a', 'bbb', 'cc'], x -> length(x))", result: "a" },
  },
  {
    name: "find_first",
    args: [listOf, predicate],
    returns: "T",
    givesNull: true,
    description: "First matching element, or NULL",
    suspends: true,
    withLambdas: elementAt,
    example: { sql: "find_first(ARRAY[3, 4, 5], x -> x > 3)", result: "4" },
  },
  {
    name: "find_first",
    args: [listOf, "bigint", predicate],
    returns: "T",
    givesNull: true,
    description: "First matching element from the start index, backward if negative, or NULL",
    suspends: true,
    withLambdas: elementAt,
    example: { sql: "find_first(ARRAY[3, 4, 5, 6], -2, x -> x > 0)", result: "5" },
  },
  {
    name: "find_first_index",
    args: [listOf, predicate],
    returns: "bigint",
    givesNull: true,
    description: "Position of the first matching element, or NULL",
    suspends: true,
    withLambdas: indexOf,
    example: { sql: "find_first_index(ARRAY[3, 4, 5], x -> x > 3)", result: "2" },
  },
  {
    name: "find_first_index",
    args: [listOf, "bigint", predicate],
    returns: "bigint",
    givesNull: true,
    description: "Position of the first matching element from the start index, backward if negative, or NULL",
    suspends: true,
    withLambdas: indexOf,
    example: { sql: "find_first_index(ARRAY[3, 4, 5, 6], -2, x -> x > 0)", result: "3" },
  },
  {
    name: "array_top_n",
    args: [listOf, "integer", "function(T,T,integer)"],
    returns: listOf,
    description: "Top n elements by the comparator, in descending order",
    suspends: true,
    withLambdas: lambdasInSteps(function* ([list, n], [compare]) {
      const wanted = countOfTop(n);
      return (yield* descendingBy(list as List, compare)).slice(0, wanted);
    }),
    example: {
      sql: "array_top_n(ARRAY[100, 1, 3, -10, 6], 3, (x, y) -> IF(abs(x) < abs(y), -1, IF(abs(x) = abs(y), 0, 1)))",
      result: "[100, -10, 6]",
    },
  },
  matching("any_keys_match", "K", anyMatches, ["Whether the lambda is true for any key", "k -> k = 'a'", "true"]),
  matching("all_keys_match", "K", allMatch, ["Whether the lambda is true for every key", "k -> k = 'a'", "false"]),
  matching("no_keys_match", "K", noneMatches, ["Whether the lambda is true for no key", "k -> k = 'c'", "true"]),
  matching("any_values_match", "V", anyMatches, ["Whether the lambda is true for any value", "v -> v = 1", "true"]),
  matching("no_values_match", "V", noneMatches, ["Whether the lambda is true for no value", "v -> v = 1", "false"]),
];
