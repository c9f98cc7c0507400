/**
 * How a kernel takes the rows of a page: all at once, or in slices. Two things end a slice: functions in TypeScript, which count their
 * steps, and, for expressions of thousands of nodes, a number of rows. A statement of a megabyte has 20,000 conditions, and 16,384 rows of
 * it take ten seconds.
 */
import { childrenOf } from "../../planner/plan/expression-tree.ts";
import type { RowExpression } from "../../planner/plan/typed-expression.ts";
import { isTotal } from "./expression-compiler.ts";
import { isSearched } from "./lists.ts";
import { type PreparedExpressions, worksLong } from "./prepare.ts";

/** Nodes from which on a slice has a number of rows. A page of fewer takes some hundredths of a second. */
const manyNodes = 1_000;
/** Nodes in the rows of a slice: some hundredths of a second in the interpreter, which runs kernels that are too large to compile. */
const nodesPerSlice = 2_000_000;
const nodesPerStep = 100;
/** Nodes of an expression whose code is worth four copies. */
const shortNodesMax = 24;

export interface Pace {
  /** The kernel may return before its last row. */
  readonly isLong: boolean;
  /** Rows of a slice; undefined if only functions end it. */
  readonly rowsMax: number | undefined;
  /** Steps that a row counts as; 0 if only functions count. */
  readonly stepsPerRow: number;
}

export function paceOf(code: PreparedExpressions): Pace {
  const nodes = code.expressions.reduce((sum, expression) => sum + nodesOf(expression), 0);
  return nodes < manyNodes
    ? { isLong: worksLong(code), rowsMax: undefined, stepsPerRow: 0 }
    : { isLong: true, rowsMax: Math.max(1, Math.floor(nodesPerSlice / nodes)), stepsPerRow: nodes / nodesPerStep };
}

/** Nodes of the kernel code of an aggregate. */
const nodesPerAggregate = 20;
/** Aggregates and their arguments, from which on a slice has a number of rows. */
const manyAggregateNodes = 8_000;

/** As paceOf, of the kernels of an aggregation: rows of a slice, if it has a number of rows. */
export function rowsOfAggregation(expressions: readonly RowExpression[], aggregates: number): number | undefined {
  const nodes = expressions.reduce((sum, expression) => sum + nodesOf(expression), nodesPerAggregate * aggregates);
  return nodes < manyAggregateNodes ? undefined : Math.max(1, Math.floor(nodesPerSlice / nodes));
}

/** Rows and nodes of a tree that a frame adds, at most about. */
const addedPerFrame = 64;

/** As rowsOfAggregation, of aggregates over frames. */
export function rowsOfFrames(aggregates: number): number | undefined {
  const nodes = nodesPerAggregate * aggregates;
  return nodes < manyNodes ? undefined : Math.max(1, Math.floor(nodesPerSlice / (addedPerFrame * nodes)));
}

/** Candidates that one call of a join's kernel judges by a filter, at most `most`. */
export function candidatesOf(filter: RowExpression, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(nodesPerSlice / nodesOf(filter))));
}

export function isShort(expression: RowExpression): boolean {
  return isTotal(expression) && nodesOf(expression) <= shortNodesMax;
}

/** The constants of a list that is searched do not count. */
function nodesOf(expression: RowExpression): number {
  const children = childrenOf(expression);
  const counted = expression.kind === "special" && isSearched(expression) ? children.filter(({ kind }) => kind !== "constant") : children;
  return counted.reduce((sum, child) => sum + nodesOf(child), 1);
}
