/**
 * CAST of maps and rows, element by element. The expression compiler writes such a cast as a call with one lambda per part; casts of arrays
 * are a transform.
 */
import { QueryError } from "../../protocol/errors.ts";
import { innerTypes, isNested, type MapType, sameType, type Type } from "../../types/type.ts";
import type { HostLambda, HostValue, ScalarDefinition } from "../registry/definition.ts";
import { type AskLambda, lambdasInSteps } from "../runtime/large/lambda-steps.ts";
import { type Entries, ValueSet } from "../runtime/nested-values.ts";

export const castMapName = "$cast_map";
export const castRowName = "$cast_row";

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

const castMap = lambdasInSteps(function* ([map], [key, value], { returnType }) {
  const { key: keyType } = returnType as MapType;
  const keys = new ValueSet(keyType);
  const result: Entries[number][] = [];
  for (const [k, v] of map as unknown as Entries) {
    const castKey = yield key(k);
    keys.place(castKey);
    result.push([castKey, yield (value as AskLambda)(v)]);
  }
  if (keys.has(null)) {
    throw new QueryError("INVALID_CAST_ARGUMENT", "map key is null");
  }
  if (keys.size < result.length) {
    throw new QueryError("INVALID_CAST_ARGUMENT", "duplicate keys");
  }
  return result;
});

export const nestedCastDefinitions: readonly ScalarDefinition[] = [
  {
    name: castMapName,
    args: ["map(K,V)", "function(K,T)", "function(V,U)"],
    returns: "map(T,U)",
    description: "Map with keys and values cast",
    suspends: true,
    withLambdas: castMap,
  },
];

/** `$cast_row` takes a row and one lambda per field, so it has no signature pattern. */
export const castRowDefinition: Pick<ScalarDefinition, "withLambdas"> = {
  withLambdas: ([row], lambdas) => (row as readonly HostValue[]).map((field, index) => (lambdas[index] as HostLambda)(field)),
};
