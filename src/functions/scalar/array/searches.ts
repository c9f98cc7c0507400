/**
 * Functions of arrays and maps that look for something with a lambda. As Presto's documentation has them (functions/array.rst and plugin-loaded-functions.rst).
 */
import { compareNested } from "../../../types/nested/nested-order.ts";
import type { Type } from "../../../types/type.ts";
import { allMatch, anyMatches, type Match, matchValues, noneMatches, sortedBy } from "./lambdas.ts";
import { countOfTop } from "./summaries.ts";
import type { HostLambda, HostValue, LambdaImplementation, ScalarDefinition } from "../../registry/definition.ts";
import { entriesOf, invalidArgument, type List } from "../../runtime/nested-values.ts";

/** By the lambda's comparison, from the last to the first: what is equal comes in turned order, as reversing a sorted array gives it. */
export function descendingBy(list: List, compare: HostLambda): List {
  return sortedBy(list, compare).reverse();
}

/** NULL where a result is: it could be the one that is looked for. Of equal results the greatest takes the last place, the smallest the first. */
function extremeBy(sign: 1 | -1): LambdaImplementation {
  return ([list], [lambda], { argTypes }) => {
    const values = list as List;
    const results = values.map((value) => (lambda as HostLambda)(value));
    if (results.includes(null)) {
      return null;
    }
    const compared = argTypes[1] as Type & { readonly kind: "function" };
    let best = 0;
    results.forEach((result, index) => {
      const order = sign * compareNested(compared.result, result, results[best] as HostValue);
      if (order > 0 || (order === 0 && sign > 0)) {
        best = index;
      }
    });
    return values[best] ?? null;
  };
}

/** The place of the first element for which the lambda is true, -1 where there is none: from a place on, or from the end backwards. */
function findPlace(list: List, from: bigint, lambda: HostLambda): number {
  if (from === 0n) {
    return invalidArgument("SQL array indices start at 1");
  }
  const step = from > 0n ? 1 : -1;
  if ((from > 0n ? from : -from) > BigInt(list.length)) {
    return -1;
  }
  for (let place = from > 0n ? Number(from) - 1 : list.length + Number(from); place >= 0 && place < list.length; place += step) {
    if (lambda(list[place] as HostValue) === true) {
      return place;
    }
  }
  return -1;
}

function search(result: (list: List, place: number) => HostValue): LambdaImplementation {
  return ([list, from], [lambda]) => {
    const place = findPlace(list as List, (from as bigint | undefined) ?? 1n, lambda as HostLambda);
    return place < 0 ? null : result(list as List, place);
  };
}

const elementAt = search((list, place) => list[place] ?? null);
const indexOf = search((_list, place) => BigInt(place + 1));

/** Over the keys or the values of a map. */
function matchEntries(side: 0 | 1, match: Match): LambdaImplementation {
  return ([map], [lambda]) =>
    matchValues(
      entriesOf(map).map((entry) => entry[side]),
      lambda as HostLambda,
      match,
    );
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
    description: "The element for which a lambda gives the most; NULL where it gives NULL for one",
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
    description: "The element for which a lambda gives the least; NULL where it gives NULL for one",
    withLambdas: extremeBy(-1),
    example: { sql: "array_min_by(ARRAY['a', 'bbb', 'cc'], x -> length(x))", result: "a" },
  },
  {
    name: "find_first",
    args: [listOf, predicate],
    returns: "T",
    givesNull: true,
    description: "The first element for which a lambda is true; NULL where there is none",
    withLambdas: elementAt,
    example: { sql: "find_first(ARRAY[3, 4, 5], x -> x > 3)", result: "4" },
  },
  {
    name: "find_first",
    args: [listOf, "bigint", predicate],
    returns: "T",
    givesNull: true,
    description:
      "The first element from a place on for which a lambda is true, from the end backwards for a negative place; NULL where there is none",
    withLambdas: elementAt,
    example: { sql: "find_first(ARRAY[3, 4, 5, 6], -2, x -> x > 0)", result: "5" },
  },
  {
    name: "find_first_index",
    args: [listOf, predicate],
    returns: "bigint",
    givesNull: true,
    description: "The place of the first element for which a lambda is true; NULL where there is none",
    withLambdas: indexOf,
    example: { sql: "find_first_index(ARRAY[3, 4, 5], x -> x > 3)", result: "2" },
  },
  {
    name: "find_first_index",
    args: [listOf, "bigint", predicate],
    returns: "bigint",
    givesNull: true,
    description: "The place of the first element from a place on for which a lambda is true, from the end backwards for a negative place",
    withLambdas: indexOf,
    example: { sql: "find_first_index(ARRAY[3, 4, 5, 6], -2, x -> x > 0)", result: "3" },
  },
  {
    name: "array_top_n",
    args: [listOf, "integer", "function(T,T,integer)"],
    returns: listOf,
    description: "A number of the last elements in the order a lambda gives, the last first",
    withLambdas: ([list, n], [compare]) => {
      const wanted = countOfTop(n);
      return descendingBy(list as List, compare as HostLambda).slice(0, wanted);
    },
    example: {
      sql: "array_top_n(ARRAY[100, 1, 3, -10, 6], 3, (x, y) -> IF(abs(x) < abs(y), -1, IF(abs(x) = abs(y), 0, 1)))",
      result: "[100, -10, 6]",
    },
  },
  matching("any_keys_match", "K", anyMatches, ["Whether a lambda is true for a key", "k -> k = 'a'", "true"]),
  matching("all_keys_match", "K", allMatch, ["Whether a lambda is true for all keys", "k -> k = 'a'", "false"]),
  matching("no_keys_match", "K", noneMatches, ["Whether a lambda is true for no key", "k -> k = 'c'", "true"]),
  matching("any_values_match", "V", anyMatches, ["Whether a lambda is true for a value", "v -> v = 1", "true"]),
  matching("no_values_match", "V", noneMatches, ["Whether a lambda is true for no value", "v -> v = 1", "false"]),
];
