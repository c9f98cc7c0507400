/** What expressions call. */
import { routineName } from "../../functions/runtime/routine-program.ts";
import type { RowExpression } from "../../planner/plan/typed-expression.ts";
import { childrenOf } from "../../planner/plan/expression-tree.ts";

/** A function written in SQL may run for long, so only operators whose pages are cut into slices evaluate it. */
export function callsRoutine(expression: RowExpression): boolean {
  return (expression.kind === "call" && expression.name === routineName) || childrenOf(expression).some(callsRoutine);
}
