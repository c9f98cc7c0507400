/**
 * CAST of maps and rows, element by element. The expression compiler writes such a cast as a call with one lambda per part; casts of arrays
 * are a transform.
 */
import { QueryError } from "../../protocol/errors.ts";
import { compareNested } from "../../types/nested/nested-order.ts";
import { innerTypes, isNested, type MapType, sameType, type Type } from "../../types/type.ts";
import type { HostLambda, HostValue, ScalarDefinition } from "../registry/definition.ts";

export const castMapName = "$cast_map";
export const castRowName = "$cast_row";

export type Entries = readonly (readonly [HostValue, HostValue])[];

/** Whether the row types differ only in field names; then the encoded bytes are the same. */
export function onlyNamesDiffer(from: Type, to: Type): boolean {
  if (from.kind === "row" && to.kind === "row") {
    return (
      from.fields.length === to.fields.length &&
      from.fields.every(({ type }, index) => onlyNamesDiffer(type, to.fields[index]?.type as Type))
    );
  }
  const [inner, wanted] = [innerTypes(from), innerTypes(to)];
  return isNested(from) && from.kind === to.kind
    ? inner.every((type, index) => onlyNamesDiffer(type, wanted[index] as Type))
    : sameType(from, to);
}

/** Index of the first repeated key, or -1. */
function repeatedKey(type: MapType, entries: Entries): number {
  const order = entries.map((_entry, index) => index);
  const compare = (a: number, b: number) => compareNested(type.key, entries[a]?.[0] ?? null, entries[b]?.[0] ?? null);
  order.sort((a, b) => compare(a, b) || a - b);
  const repeated = order.filter((entry, index) => index > 0 && compare(order[index - 1] as number, entry) === 0);
  return repeated.reduce((first, entry) => (first < 0 ? entry : Math.min(first, entry)), -1);
}

function castMap(entries: Entries, key: HostLambda, value: HostLambda, type: MapType): HostValue {
  const result = entries.map(([k, v]): readonly [HostValue, HostValue] => [key(k), value(v)]);
  if (result.some(([k]) => k === null)) {
    throw new QueryError("INVALID_CAST_ARGUMENT", "map key is null");
  }
  if (repeatedKey(type, result) >= 0) {
    throw new QueryError("INVALID_CAST_ARGUMENT", "duplicate keys");
  }
  return result;
}

export const nestedCastDefinitions: readonly ScalarDefinition[] = [
  {
    name: castMapName,
    args: ["map(K,V)", "function(K,T)", "function(V,U)"],
    returns: "map(T,U)",
    description: "Map with keys and values cast",
    withLambdas: ([map], [key, value], { returnType }) =>
      castMap(map as unknown as Entries, key as HostLambda, value as HostLambda, returnType as MapType),
  },
];

/** `$cast_row` takes a row and one lambda per field, so it has no signature pattern. */
export const castRowDefinition: Pick<ScalarDefinition, "withLambdas"> = {
  withLambdas: ([row], lambdas) => (row as readonly HostValue[]).map((field, index) => (lambdas[index] as HostLambda)(field)),
};
