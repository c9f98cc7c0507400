/**
 * The parts of the plan node of row pattern recognition (`PatternRecognitionNode`), as plain JSON data.
 */
import type { Type } from "../../types/type.ts";
import type { Constant, RowExpression, Variable } from "./typed-expression.ts";

/**
 * A label is an index into `labels`. A concatenation without terms is the empty pattern. A permutation is the alternation of its terms in
 * every order, in lexicographic order of the term positions.
 */
export type RowPattern =
  | { readonly kind: "LABEL"; readonly label: number }
  | { readonly kind: "CONCATENATION" | "ALTERNATION" | "PERMUTATION"; readonly terms: readonly RowPattern[] }
  | { readonly kind: "QUANTIFIED"; readonly pattern: RowPattern; readonly min: number; readonly max?: number; readonly greedy: boolean }
  | { readonly kind: "EXCLUSION"; readonly pattern: RowPattern }
  | { readonly kind: "PARTITION_START" | "PARTITION_END" };

/**
 * Navigation from the row at which an expression is evaluated to another row:
 *
 * 1. The candidates are the rows of the match that have one of `labels` (empty: any label), up to the current row (`running`) or to the
 *   last row.
 * 2. `logicalOffset` rows are skipped after the FIRST or before the LAST candidate.
 * 3. `physicalOffset` rows are added within the partition; a negative offset goes back.
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
  /** Name of the row's label; NULL for a row outside the match. */
  | { readonly kind: "CLASSIFIER" }
  | { readonly kind: "MATCH_NUMBER" };

/** A value that an expression reads as `output`. NULL if the row does not exist. */
export interface PatternAccess<Column = Variable> {
  readonly output: Variable;
  readonly value: PatternValue<Column>;
  /** Absent for inputs of aggregates, which are read at the aggregated row, and for MATCH_NUMBER. */
  readonly navigation?: PatternNavigation;
}

/**
 * An aggregate over the rows of the match with one of `labels` (empty: any label), up to the current row (`running`) or to the last row.
 */
export interface PatternAggregate<Column = Variable> {
  readonly output: Variable;
  readonly name: string;
  readonly argumentTypes: readonly Type[];
  /** Expressions over the outputs of `inputs`, of exactly argumentTypes. */
  readonly args: readonly RowExpression[];
  /** A boolean expression over the same inputs: the aggregate ignores rows where it is not true. */
  readonly mask?: RowExpression;
  readonly inputs: readonly PatternAccess<Column>[];
  readonly labels: readonly number[];
  readonly running: boolean;
}

/** An expression over the outputs of accesses and aggregates. */
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

/** AFTER MATCH SKIP: where the search continues after a non-empty match. */
export interface PatternSkip {
  readonly to: "PAST_LAST" | "NEXT" | "FIRST" | "LAST";
  /** For FIRST and LAST: labels of the target row. */
  readonly labels: readonly number[];
}

/** Only for a window: the rows, starting with the current one, in which the match is searched. */
export interface PatternFrame {
  readonly end: "UNBOUNDED_FOLLOWING" | "CURRENT_ROW" | "FOLLOWING";
  /** Set for FOLLOWING; a bigint. */
  readonly offset?: Variable | Constant;
  /** INITIAL: the match must begin at the current row. Otherwise (SEEK) it may begin anywhere in the frame. */
  readonly initial: boolean;
  /**
   * Positions of the first and last row of the match relative to the current row, as bigints. `start` is greater than `stop` if there is no
   * match. Outputs in addition to the measures.
   */
  readonly start?: Variable;
  readonly stop?: Variable;
}
