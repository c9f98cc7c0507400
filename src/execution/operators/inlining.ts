/** What expressions read and call. Used by the local planner. */
import { routineName } from "../../functions/runtime/routine-program.ts";
import type { RowExpression, Variable } from "../../planner/plan/typed-expression.ts";
import { childrenOf, collectVariables } from "../../planner/plan/expression-tree.ts";

/** The variables that expressions read, each once, in order of first appearance. */
export function variablesOf(expressions: readonly RowExpression[]): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const expression of expressions) {
    collectVariables(expression, found);
  }
  return [...found.values()];
}

/** A function written in SQL may run for long, so only operators whose pages are cut into slices evaluate it. */
export function callsRoutine(expression: RowExpression): boolean {
  return (expression.kind === "call" && expression.name === routineName) || childrenOf(expression).some(callsRoutine);
}
