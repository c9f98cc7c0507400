/** Casts of arrays, maps and rows as calls that cast each element by a lambda. Called when plans get their session's zone, and when code is made of what is left. */
import { castMapName, castRowName, onlyNamesDiffer } from "../../functions/cast/nested-casts.ts";
import { functionType, innerTypes, isNested, sameType, type Type } from "../../types/type.ts";
import type { Cast, Lambda, RowExpression, Variable } from "./typed-expression.ts";

/** The cast as it is when it is none of those; `castElement` gives what stands in the lambdas. */
export function castElements(expression: Cast, castElement: (cast: Cast) => RowExpression): RowExpression {
  const { arg, type, safe } = expression;
  if (!isNested(type) || arg.type.kind !== type.kind || onlyNamesDiffer(arg.type, type)) {
    return expression;
  }
  const from = innerTypes(arg.type);
  const lambdas = innerTypes(type).map((to, index) => castLambda(from[index] as Type, to, castElement));
  const name = { array: "transform", map: castMapName, row: castRowName }[type.kind];
  const call: RowExpression = { kind: "call", name, type, args: [arg, ...lambdas] };
  // Errors of the value that is cast are its own.
  return safe ? { kind: "special", form: "TRY", type, args: [call, arg] } : call;
}

/** `x -> CAST(x AS to)`. The parameter's name is not seen by anything else: the body is this one cast. */
function castLambda(from: Type, to: Type, castElement: (cast: Cast) => RowExpression): Lambda {
  const parameter: Variable = { kind: "variable", name: "$element", type: from };
  const body = sameType(from, to) ? parameter : castElement({ kind: "cast", type: to, arg: parameter, safe: false });
  return { kind: "lambda", type: functionType([from], to), parameters: [parameter], body };
}
