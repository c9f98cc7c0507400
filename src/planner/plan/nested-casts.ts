/**
 * Rewrites casts of arrays, maps and rows as function calls with one lambda for each element type. Such casts then need no code of their
 * own, and the session's zone can be bound inside the lambdas.
 */
import { castMapName, castRowName, onlyNamesDiffer } from "../../functions/cast/nested-casts.ts";
import { functionType, innerTypes, isNested, sameType, type Type } from "../../types/type.ts";
import type { Cast, Lambda, RowExpression, Variable } from "./typed-expression.ts";

/** Returns the cast unchanged if its type is not nested. `castElement` returns the expression for each element cast inside a lambda. */
export function castElements(expression: Cast, castElement: (cast: Cast) => RowExpression): RowExpression {
  const { arg, type, safe } = expression;
  if (!isNested(type) || arg.type.kind !== type.kind || onlyNamesDiffer(arg.type, type)) {
    return expression;
  }
  const from = innerTypes(arg.type);
  const lambdas = innerTypes(type).map((to, index) => castLambda(from[index] as Type, to, castElement));
  const name = { array: "transform", map: castMapName, row: castRowName }[type.kind];
  const call: RowExpression = { kind: "call", name, type, args: [arg, ...lambdas] };
  // TRY covers errors of the cast, but not errors of the value that is cast.
  return safe ? { kind: "special", form: "TRY", type, args: [call, arg] } : call;
}

/** `x -> CAST(x AS to)`. The parameter's name needs no check for conflicts, because the body contains only this cast. */
function castLambda(from: Type, to: Type, castElement: (cast: Cast) => RowExpression): Lambda {
  const parameter: Variable = { kind: "variable", name: "$element", type: from };
  const body = sameType(from, to) ? parameter : castElement({ kind: "cast", type: to, arg: parameter, safe: false });
  return { kind: "lambda", type: functionType([from], to), parameters: [parameter], body };
}
