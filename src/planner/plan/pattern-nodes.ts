/** The plan node of row pattern recognition, for MATCH_RECOGNIZE and for windows with a pattern, and what it is made of: plain JSON data. */
import type { Type } from "../../types/type.ts";
import type { Constant, RowExpression, Variable } from "./typed-expression.ts";
import type { Ordering, PlanNode } from "./node.ts";

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

/**
 * Rows come out partition by partition, in the order of the partition keys (ascending, NULL last), then of `orderBy`, match by match. Outputs: with ONE row
 * for each match its partition keys and measures; else those of the source, then the measures, then `start` and `stop` of the frame. Of a window every row of the source
 * comes out once; its measures are NULL unless its match has been sought and found.
 */
export interface PatternRecognitionNode {
  readonly kind: "PatternRecognition";
  readonly id: string;
  readonly source: PlanNode;
  readonly partitionBy: readonly Variable[];
  readonly orderBy: readonly Ordering[];
  readonly rows: "ONE" | "ALL_SHOW_EMPTY" | "ALL_OMIT_EMPTY" | "ALL_WITH_UNMATCHED" | "WINDOW";
  readonly frame?: PatternFrame;
  readonly skip: PatternSkip;
  readonly labels: readonly string[];
  readonly pattern: RowPattern;
  /** Of labels that have a condition; all others match any row. */
  readonly definitions: readonly PatternDefinition[];
  readonly measures: readonly PatternMeasure[];
}

/** What the node makes besides columns of its source. */
export function patternOutputs({ frame, measures }: PatternRecognitionNode): readonly Variable[] {
  const bounds = [frame?.start, frame?.stop].filter((variable) => variable !== undefined);
  return [...measures.map(({ output }) => output), ...bounds];
}

/** What it reads of its source. */
export function patternInputs(node: PatternRecognitionNode): readonly Variable[] {
  const expressions = [...node.definitions, ...node.measures];
  const accesses = expressions.flatMap((one) => [...one.accesses, ...one.aggregates.flatMap(({ inputs }) => inputs)]);
  const columns = accesses.flatMap(({ value }) => (value.kind === "COLUMN" ? [value.column] : []));
  const offset = node.frame?.offset;
  return [
    ...node.partitionBy,
    ...node.orderBy.map(({ variable }) => variable),
    ...columns,
    ...(offset === undefined || offset.kind === "constant" ? [] : [offset]),
  ];
}

/** Every expression inside, rewritten. */
export function mapPatternExpressions(
  node: PatternRecognitionNode,
  map: (expression: RowExpression) => RowExpression,
): PatternRecognitionNode {
  const mapped = <One extends PatternExpression>(one: One): One => ({
    ...one,
    expression: map(one.expression),
    aggregates: one.aggregates.map(({ mask, ...aggregate }) => ({
      ...aggregate,
      args: aggregate.args.map(map),
      ...(mask !== undefined && { mask: map(mask) }),
    })),
  });
  return { ...node, definitions: node.definitions.map(mapped), measures: node.measures.map(mapped) };
}

export function patternExpressions(node: PatternRecognitionNode): readonly RowExpression[] {
  return [...node.definitions, ...node.measures].flatMap(({ expression, aggregates }) => [
    expression,
    ...aggregates.flatMap(({ args, mask }) => (mask === undefined ? args : [...args, mask])),
  ]);
}
