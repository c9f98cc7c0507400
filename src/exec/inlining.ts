/** The variables that expressions read. Used by the local planner. */
import type { RowExpression, Variable } from "../plan/expression.ts";
import { collectVariables } from "../plan/expressions.ts";

/** The variables that expressions read, each once, in order of first appearance. */
export function variablesOf(expressions: readonly RowExpression[]): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const expression of expressions) collectVariables(expression, found);
  return [...found.values()];
}
