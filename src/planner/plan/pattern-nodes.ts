/** What the plan node of row pattern recognition (`PatternRecognitionNode`) is made of: plain JSON data. */
import type { Type } from "../../types/type.ts";
import type { Constant, RowExpression, Variable } from "./typed-expression.ts";

/**
 * Labels are places in `labels`. A concatenation of nothing is the empty pattern. A permutation is the alternation of its terms in every order, the first order
 * being that in which they stand.
 */
export type RowPattern =
  | { readonly kind: "LABEL"; readonly label: number }
  | { readonly kind: "CONCATENATION" | "ALTERNATION" | "PERMUTATION"; readonly terms: readonly RowPattern[] }
  | { readonly kind: "QUANTIFIED"; readonly pattern: RowPattern; readonly min: number; readonly max?: number; readonly greedy: boolean }
  | { readonly kind: "EXCLUSION"; readonly pattern: RowPattern }
  | { readonly kind: "PARTITION_START" | "PARTITION_END" };

/**
 * From the row at which an expression is evaluated to another: among the rows of the match that have one of `labels` (empty: any), up to that row (`running`) or to
 * the last, the one `logicalOffset` behind the FIRST or before the LAST; from there `physicalOffset` rows on (less than 0: back) in the partition.
 */
export interface PatternNavigation {
  readonly labels: readonly number[];
  readonly anchor: "FIRST" | "LAST";
  readonly running: boolean;
  readonly logicalOffset: number;
  readonly physicalOffset: number;
}

export type PatternValue<Column = Variable> =
  | { readonly kind: "COLUMN"; readonly column: Column }
  /** Name of the row's label; NULL of a row outside of the match. */
  | { readonly kind: "CLASSIFIER" }
  | { readonly kind: "MATCH_NUMBER" };

/** A value that an expression reads as `output`. NULL when there is no such row. */
export interface PatternAccess<Column = Variable> {
  readonly output: Variable;
  readonly value: PatternValue<Column>;
  /** Absent of inputs of aggregates, which are read at the row that is aggregated, and of the number of the match. */
  readonly navigation?: PatternNavigation;
}

/** An aggregate over the rows of the match with one of `labels` (empty: any), up to the row at which it is evaluated or (not `running`) to the last. */
export interface PatternAggregate<Column = Variable> {
  readonly output: Variable;
  readonly name: string;
  readonly argumentTypes: readonly Type[];
  /** Over the outputs of `inputs`, of exactly argumentTypes. */
  readonly args: readonly RowExpression[];
  /** A boolean over them: rows where it is not true are left out. */
  readonly mask?: RowExpression;
  readonly inputs: readonly PatternAccess<Column>[];
  readonly labels: readonly number[];
  readonly running: boolean;
}

/** Over the outputs of accesses and aggregates. */
export interface PatternExpression<Column = Variable> {
  readonly expression: RowExpression;
  readonly accesses: readonly PatternAccess<Column>[];
  readonly aggregates: readonly PatternAggregate<Column>[];
}

export interface PatternDefinition extends PatternExpression {
  readonly label: number;
}

export interface PatternMeasure extends PatternExpression {
  readonly output: Variable;
}

/** Where the search goes on behind a match that is not empty. */
export interface PatternSkip {
  readonly to: "PAST_LAST" | "NEXT" | "FIRST" | "LAST";
  /** With FIRST and LAST: the row has one of these labels. */
  readonly labels: readonly number[];
}

/** Of a window: the rows from the current one on among which its match is sought. */
export interface PatternFrame {
  readonly end: "UNBOUNDED_FOLLOWING" | "CURRENT_ROW" | "FOLLOWING";
  /** With FOLLOWING; a bigint. */
  readonly offset?: Variable | Constant;
  /** The match begins at the current row, or else anywhere in the frame. */
  readonly initial: boolean;
  /** Of the rows of the match, less the current row: bigints, start above end where there is none. Outputs besides the measures. */
  readonly start?: Variable;
  readonly stop?: Variable;
}
