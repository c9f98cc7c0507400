/**
 * The analyzed specification of a window: its keys, its frame and its row pattern.
 */
import type { Expression } from "../../../sql/ast/ast.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { WindowBound, WindowFrame } from "../../plan/node.ts";
import type { AnalyzedWindowPattern } from "../pattern/context.ts";

/** An input expression of a window, with its syntax. */
export interface WindowInput {
  readonly expression: RowExpression;
  readonly syntax: Expression;
  /** Expression that the grouping error names; by default the expression itself. */
  readonly ungrouped?: { readonly at: Expression; readonly subject: string };
}

export interface WindowOrdering extends WindowInput {
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface AnalyzedBound {
  readonly type: WindowBound["type"];
  readonly offset?: WindowInput;
  readonly range?: { readonly key: WindowInput; readonly limit: WindowInput };
}

export interface AnalyzedFrame {
  readonly type: WindowFrame["type"];
  readonly start: AnalyzedBound;
  readonly end: AnalyzedBound;
}

export interface AnalyzedWindow {
  readonly partitionBy: readonly WindowInput[];
  readonly orderBy: readonly WindowOrdering[];
  readonly frame?: AnalyzedFrame;
  /** Set for a window with a row pattern: its functions see the rows of the match. */
  readonly recognition?: AnalyzedWindowPattern;
}

/** The frame of a window without a frame clause. It has no offsets, so it is also the frame in the plan. */
export const defaultFrame = Object.freeze({
  type: "RANGE",
  start: Object.freeze({ type: "UNBOUNDED_PRECEDING" }),
  end: Object.freeze({ type: "CURRENT_ROW" }),
}) satisfies AnalyzedFrame & WindowFrame;

/** All rows of the partition. */
export const wholeFrame = Object.freeze({
  type: "RANGE",
  start: Object.freeze({ type: "UNBOUNDED_PRECEDING" }),
  end: Object.freeze({ type: "UNBOUNDED_FOLLOWING" }),
}) satisfies WindowFrame;

/** For messages. */
export const nestedInArguments = "Cannot nest window functions or row pattern measures inside window function arguments";
