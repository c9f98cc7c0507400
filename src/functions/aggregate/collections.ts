/**
 * Aggregates that are functions of all their values at once: array_agg collects the values, and what stands here makes the result of the array. Their signatures
 * are for SHOW FUNCTIONS and for messages; the analyser puts them together (analyzer/aggregation/collections.ts). The makers of maps are in maps.ts.
 */
import { assert, QueryError } from "../../protocol/errors.ts";
import { compareNested } from "../../types/nested/nested-order.ts";
import { arrayType, type RowType, type Type } from "../../types/type.ts";
import { utf8Length } from "../../types/utf8.ts";
import type { HostLambda, HostValue, ScalarDefinition, Signature } from "../registry/definition.ts";

const comparableKey = { constraint: "comparable", constrained: ["K"] } as const;

export const collectionSignatures: readonly Signature[] = [
  {
    name: "map_agg",
    args: ["K", "V"],
    returns: "map(K,V)",
    ...comparableKey,
    description: "A map of keys and values; of a repeated key the first value",
  },
  {
    name: "multimap_agg",
    args: ["K", "V"],
    returns: "map(K,array(V))",
    ...comparableKey,
    description: "A map of keys and values, the values of a key in an array",
  },
  {
    name: "map_union",
    args: ["map(K,V)"],
    returns: "map(K,V)",
    ...comparableKey,
    description: "The entries of all maps; of a repeated key the first value",
  },
  {
    name: "map_union_sum",
    args: ["map(K,V)"],
    returns: "map(K,V)",
    ...comparableKey,
    description: "The entries of all maps, the values of a key added up, NULL as 0",
  },
  {
    name: "set_agg",
    args: ["T"],
    returns: "array(T)",
    constraint: "comparable",
    description: "An array of the values, NULL too, each once",
  },
  {
    name: "set_union",
    args: ["array(T)"],
    returns: "array(T)",
    constraint: "comparable",
    description: "An array of the elements of all arrays, each once",
  },
  { name: "histogram", args: ["T"], returns: "map(T,bigint)", constraint: "comparable", description: "How often each value comes" },
  {
    name: "listagg",
    args: ["varchar", "varchar", "boolean", "varchar", "boolean"],
    returns: "varchar",
    description: "Texts one behind the other in the order of WITHIN GROUP, with a separator between them",
  },
  {
    name: "reduce_agg",
    args: ["T", "S", "function(S,T,S)", "function(S,S,S)"],
    returns: "S",
    description: "A state that a lambda carries from value to value; another makes one of two states",
  },
];

/** Of what listagg gives. */
const listBytesMax = 1_048_576;
const fillerBytesMax = 65_536;

interface Overflow {
  readonly isError: boolean;
  readonly filler: string;
  readonly showsCount: boolean;
}

function joinTexts(texts: readonly string[], separator: string, { isError, filler, showsCount }: Overflow): string {
  const [separatorBytes, fillerBytes] = [utf8Length(separator), utf8Length(filler)];
  if (fillerBytes > fillerBytesMax) {
    const message = `Overflow filler length ${fillerBytes} exceeds maximum length ${fillerBytesMax}`;
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", message);
  }
  const emitted: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    bytes += utf8Length(text) + (emitted.length > 0 ? separatorBytes : 0);
    if (bytes > listBytesMax) {
      break;
    }
    emitted.push(text);
  }
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

/** Stable; `flags` has two letters a key: A or D, and F or L for where NULL goes. */
function inOrder(rows: readonly Fields[], flags: string, type: RowType): readonly HostValue[] {
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
  return [...rows].sort(compare).map(([value = null]) => value);
}

export const collectionDefinitions: readonly ScalarDefinition[] = [
  {
    name: "$in_order",
    args: ["array(T)", "varchar"],
    returns: "array(U)",
    returnType: ([rows]) => arrayType(rowOf(rows).fields[0]?.type as Type),
    description: "The first fields of rows in the order of the others",
    host: ([rows, flags], { argTypes }) => inOrder(rows as readonly Fields[], flags as string, rowOf(argTypes[0])),
  },
  {
    name: "$listagg",
    args: ["array(varchar)", "varchar", "boolean", "varchar", "boolean"],
    returns: "varchar",
    description: "Collected texts as one, or what ON OVERFLOW says of too long a one",
    host: ([texts, separator, isError, filler, showsCount]) =>
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
    description: "A state that a lambda carries from collected value to value; NULL where there is none",
    withLambdas: ([list, initial], [step]) => {
      if (list === null) {
        return null;
      }
      return (list as readonly HostValue[]).reduce<HostValue>((state, value) => (step as HostLambda)(state, value), initial as HostValue);
    },
  },
];
