/**
 * Lowers expressions of plans to the form that code is generated from. A LIKE with a constant pattern takes the compiled pattern. Casts of
 * arrays, maps and rows become calls that cast each element by a lambda.
 */
import { formatHex } from "../../functions/runtime/formats.ts";
import { compileLike, isForKernels, likeProgramName } from "../../functions/scalar/string/like.ts";
import type { Cast, Constant, RowExpression } from "../../planner/plan/typed-expression.ts";
import { castElements } from "../../planner/plan/nested-casts.ts";
import { QueryError } from "../../protocol/errors.ts";
import { VARBINARY } from "../../types/type.ts";

export function lowerExpression(expression: RowExpression): RowExpression {
  switch (expression.kind) {
    case "variable":
    case "constant":
      return expression;
    case "cast":
      return lowerCast({ ...expression, arg: lowerExpression(expression.arg) });
    case "lambda":
      return { ...expression, body: lowerExpression(expression.body) };
    case "special":
      return { ...expression, args: expression.args.map(lowerExpression) };
    case "call": {
      const args = expression.args.map(lowerExpression);
      const program = expression.name === "like" ? likeProgram(args) : undefined;
      return program === undefined
        ? { ...expression, args }
        : { ...expression, name: likeProgramName, args: [args[0] as RowExpression, program] };
    }
  }
}

function likeProgram(args: readonly RowExpression[]): Constant | undefined {
  const [value, pattern, escape] = args;
  const constants = [pattern, escape].filter((arg) => arg !== undefined);
  if (value?.type.kind !== "varchar" || !constants.every((arg) => arg.kind === "constant" && typeof arg.value === "string")) {
    return undefined;
  }
  const [patternText, escapeText] = constants.map((arg) => (arg as Constant).value as string);
  try {
    const program = compileLike(patternText as string, escapeText);
    return isForKernels(program) ? { kind: "constant", type: VARBINARY, value: formatHex(program) } : undefined;
  } catch (error) {
    if (error instanceof QueryError) {
      // An invalid escape fails only the rows that evaluate it.
      return undefined;
    }
    throw error;
  }
}

/** Casts inside of elements are in lambdas and are lowered there. */
function lowerCast(expression: Cast): RowExpression {
  return castElements(expression, lowerCast);
}
