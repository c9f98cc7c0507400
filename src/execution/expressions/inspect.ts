/** Questions about expressions that need no code of theirs. */
import type { RowExpression, Variable } from "../../planner/plan/typed-expression.ts";
import type { InputLayout } from "./columns.ts";
import { implementationOfCall, implementationOfCast } from "./prepare.ts";

/** Conservative: never false for an expression whose code may return NULL. */
export function mayBeNull(expression: RowExpression, inputs: readonly Variable[], layout: InputLayout): boolean {
  const inner = (part: RowExpression) => mayBeNull(part, inputs, layout);
  switch (expression.kind) {
    case "variable":
      return layout.columns[inputs.findIndex((input) => input.name === expression.name)]?.nullable ?? true;
    case "constant":
      return expression.value === null;
    case "lambda":
      return false;
    case "cast":
      return (
        expression.safe ||
        expression.arg.type.kind === "unknown" ||
        implementationOfCast(expression).implementation.givesNull === true ||
        inner(expression.arg)
      );
    case "call": {
      if (expression.name === "$distinct") {
        return false;
      }
      const { implementation } = implementationOfCall(expression);
      return implementation.nulls === "seen" || implementation.givesNull === true || expression.args.some(inner);
    }
    case "special":
      switch (expression.form) {
        case "IS_NULL":
          return false;
        case "AND":
        case "OR":
        case "IN":
          return expression.args.some(inner);
        case "COALESCE":
          return expression.args.every(inner);
        default:
          return true;
      }
  }
}
