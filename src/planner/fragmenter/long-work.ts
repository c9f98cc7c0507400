/**
 * What the root stage must not do, because it runs on the coordinator's thread: operations that cannot be left for a turn, such as those of
 * the libraries for geometries and models, and rows of thousands of columns. A worker does it; the root stage passes the rows on.
 */
import type { Type } from "../../types/type.ts";
import { type AggregateCall, outputsOf, type PlanNode } from "../plan/node.ts";
import { childrenOf } from "../plan/expression-tree.ts";
import type { RowExpression } from "../plan/typed-expression.ts";

/** Columns of a row that takes a millisecond or so to compute, for each of the operators. */
const columnsMax = 1_000;

/** Functions over these types call libraries and solvers, which have a bound of their work and no turns. */
const indivisible: ReadonlySet<Type["kind"]> = new Set<Type["kind"]>(["Geometry", "SphericalGeography", "Classifier", "Regressor"]);

export function holdsThread(node: PlanNode): boolean {
  switch (node.kind) {
    case "Values":
      return outputsOf(node).length > columnsMax || node.rows.some((row) => row.some(isIndivisible));
    case "Project":
      return node.assignments.length > columnsMax || node.assignments.some(({ expression }) => isIndivisible(expression));
    case "Filter":
      return isIndivisible(node.predicate);
    case "Join":
      return node.filter !== undefined && isIndivisible(node.filter);
    case "Aggregation":
      return node.aggregates.length > columnsMax || node.aggregates.some(isIndivisibleCall);
    case "Window":
      return node.functions.length > columnsMax || node.functions.some(isIndivisibleCall);
    default:
      return false;
  }
}

function isIndivisibleCall({ argumentTypes, output }: Pick<AggregateCall, "argumentTypes" | "output">): boolean {
  return [...argumentTypes, output.type].some(({ kind }) => indivisible.has(kind));
}

/** A column or constant by itself is only passed on. */
function isIndivisible(expression: RowExpression): boolean {
  if (expression.kind === "variable" || expression.kind === "constant") {
    return false;
  }
  const parts = childrenOf(expression);
  return indivisible.has(expression.type.kind) || parts.some((part) => indivisible.has(part.type.kind) || isIndivisible(part));
}
