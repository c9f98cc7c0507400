/** What expressions call. */
import { routineName } from "../../functions/runtime/routine-program.ts";
import type { RowExpression } from "../../planner/plan/typed-expression.ts";
import { childrenOf } from "../../planner/plan/expression-tree.ts";

/** A function written in SQL may run long, so only operators that process pages in slices evaluate it. */
export function callsRoutine(expression: RowExpression): boolean {
  return (expression.kind === "call" && expression.name === routineName) || childrenOf(expression).some(callsRoutine);
}
