/**
 * Aggregates that are computed from the array of all their values. array_agg collects the values; the functions in this file derive the
 * result from the array. The signatures serve SHOW FUNCTIONS and error messages; the analyzer rewrites the calls
 * (analyzer/aggregation/collections.ts). The aggregates that return maps are in maps.ts.
 */
import { reduceValues } from "../runtime/reduction.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { compareNested } from "../../types/nested/nested-order.ts";
import { arrayType, type RowType, type Type } from "../../types/type.ts";
import { utf8Length } from "../../types/utf8.ts";
import type { HostLambda, HostValue, ScalarDefinition, Signature } from "../registry/definition.ts";
import { mapInSteps, nodesOf, someInSteps } from "../runtime/large/loops.ts";
import { type InSteps, sortInSteps } from "../runtime/steps.ts";

const comparableKey = { constraint: "comparable", constrained: ["K"] } as const;

export const collectionSignatures: readonly Signature[] = [
  {
    name: "map_agg",
    args: ["K", "V"],
    returns: "map(K,V)",
    ...comparableKey,
    description: "Map of keys to values, with the first value of each key",
  },
  {
    name: "multimap_agg",
    args: ["K", "V"],
    returns: "map(K,array(V))",
    ...comparableKey,
    description: "Map of keys to arrays of their values",
  },
  {
    name: "map_union",
    args: ["map(K,V)"],
    returns: "map(K,V)",
    ...comparableKey,
    description: "Union of all maps, with the first value of each key",
  },
  {
    name: "map_union_sum",
    args: ["map(K,V)"],
    returns: "map(K,V)",
    ...comparableKey,
    description: "Union of all maps, with the sum of the values of each key; NULL counts as 0",
  },
  {
    name: "set_agg",
    args: ["T"],
    returns: "array(T)",
    constraint: "comparable",
    description: "Array of the distinct values, including NULL",
  },
  {
    name: "set_union",
    args: ["array(T)"],
    returns: "array(T)",
    constraint: "comparable",
    description: "Array of the distinct elements of all arrays",
  },
  {
    name: "histogram",
    args: ["T"],
    returns: "map(T,bigint)",
    constraint: "comparable",
    description: "Map of each value to its number of occurrences",
  },
  {
    name: "listagg",
    args: ["varchar", "varchar", "boolean", "varchar", "boolean"],
    returns: "varchar",
    description: "Values concatenated with a separator, in the order of WITHIN GROUP",
  },
  {
    name: "reduce_agg",
    args: ["T", "S", "function(S,T,S)", "function(S,S,S)"],
    returns: "S",
    description: "Values reduced to one by an input function and a combine function",
  },
];

/** Maximum size of a result of listagg, in bytes. */
const listBytesMax = 1_048_576;
const fillerBytesMax = 65_536;

interface Overflow {
  readonly isError: boolean;
  readonly filler: string;
  readonly showsCount: boolean;
}

function* joinTexts(texts: readonly string[], separator: string, { isError, filler, showsCount }: Overflow): InSteps<string> {
  const [separatorBytes, fillerBytes] = [utf8Length(separator), utf8Length(filler)];
  if (fillerBytes > fillerBytesMax) {
    const message = `Overflow filler length ${fillerBytes} exceeds maximum length ${fillerBytesMax}`;
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", message);
  }
  const emitted: string[] = [];
  let bytes = 0;
  yield* someInSteps(texts, (text) => {
    // A code unit has at least one byte.
    bytes += (text.length > listBytesMax ? text.length : utf8Length(text)) + (emitted.length > 0 ? separatorBytes : 0);
    if (bytes > listBytesMax) {
      return true;
    }
    emitted.push(text);
    return false;
  });
  if (emitted.length === texts.length) {
    return emitted.join(separator);
  }
  if (isError) {
    throw new QueryError(
      "EXCEEDED_FUNCTION_MEMORY_LIMIT",
      `Concatenated string has the length in bytes larger than the maximum output length ${listBytesMax}`,
    );
  }
  return [...emitted, `${filler}${showsCount ? `(${texts.length - emitted.length})` : ""}`].join(separator);
}

function rowOf(type: Type | undefined): RowType {
  assert(type?.kind === "array" && type.element.kind === "row", "rows are collected");
  return type.element;
}

type Fields = readonly HostValue[];

/** Stable sort. `flags` has two letters per sort key: A (ascending) or D (descending), then F (nulls first) or L (nulls last). */
function* inOrder(rows: readonly Fields[], flags: string, type: RowType): InSteps<HostValue> {
  const compare = (a: Fields, b: Fields): number => {
    for (let key = 0; key < flags.length / 2; key++) {
      const [x = null, y = null] = [a[key + 1], b[key + 1]];
      const isLast = flags[2 * key + 1] === "L";
      if (x === null || y === null) {
        if (x !== y) {
          return (x === null) === isLast ? 1 : -1;
        }
        continue;
      }
      const order = compareNested((type.fields[key + 1] as { readonly type: Type }).type, x, y);
      if (order !== 0) {
        return flags[2 * key] === "D" ? -order : order;
      }
    }
    return 0;
  };
  return yield* mapInSteps(yield* sortInSteps(rows, compare, nodesOf), ([value = null]) => value);
}

export const collectionDefinitions: readonly ScalarDefinition[] = [
  {
    name: "$in_order",
    args: ["array(T)", "varchar"],
    returns: "array(U)",
    returnType: ([rows]) => arrayType(rowOf(rows).fields[0]?.type as Type),
    description: "First field of each row, ordered by the other fields",
    steps: ([rows, flags], { argTypes }) => inOrder(rows as readonly Fields[], flags as string, rowOf(argTypes[0])),
  },
  {
    name: "$listagg",
    args: ["array(varchar)", "varchar", "boolean", "varchar", "boolean"],
    returns: "varchar",
    description: "Collected strings concatenated, with the ON OVERFLOW behavior of listagg",
    steps: ([texts, separator, isError, filler, showsCount]) =>
      joinTexts(texts as readonly string[], separator as string, {
        isError: isError as boolean,
        filler: filler as string,
        showsCount: showsCount as boolean,
      }),
  },
  {
    name: "$reduce_agg",
    args: ["array(T)", "S", "function(S,T,S)", "function(S,S,S)"],
    returns: "S",
    nulls: "seen",
    givesNull: true,
    description: "Collected values reduced to one by an input function, or NULL if there are none",
    suspends: true,
    withLambdas: ([list, initial], [step], _call, surroundings) =>
      list === null ? null : reduceValues(list as readonly HostValue[], initial as HostValue, { step: step as HostLambda }, surroundings),
  },
];
