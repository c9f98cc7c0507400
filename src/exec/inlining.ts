/** Expressions with projections put in place of their outputs. Used by the local planner and the aggregation operators. */
import type { RowExpression, Variable } from "../plan/expression.ts";
import { collectVariables } from "../plan/expressions.ts";

/** `expression` over the inputs of a projection instead of its outputs. */
export function inlineAssignments(expression: RowExpression, assignments: ReadonlyMap<string, RowExpression>): RowExpression {
  switch (expression.kind) {
    case "variable":
      return assignments.get(expression.name) ?? expression;
    case "constant":
      return expression;
    case "cast":
      return { ...expression, arg: inlineAssignments(expression.arg, assignments) };
    case "lambda":
      return { ...expression, body: inlineAssignments(expression.body, assignments) };
    case "call":
    case "special":
      return { ...expression, args: expression.args.map((arg) => inlineAssignments(arg, assignments)) };
  }
}

/** The variables that expressions read, each once, in order of first appearance. */
export function variablesOf(expressions: readonly RowExpression[]): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const expression of expressions) collectVariables(expression, found);
  return [...found.values()];
}
