/**
 * Plan nodes: immutable trees, plain JSON data. `id` is unique within a query ("17"). The outputs of a node are `outputsOf(node)`.
 */
import type { ColumnMetadata, Json, SchemaTableName } from "../../connectors/spi.ts";
import type { Type } from "../../types/type.ts";
import type { Constant, RowExpression, Variable } from "./typed-expression.ts";
import type { PatternDefinition, PatternFrame, PatternMeasure, PatternSkip, RowPattern } from "./pattern-nodes.ts";

export interface TableReference {
  readonly catalog: string;
  readonly name: SchemaTableName;
  readonly handle: Json;
  readonly coordinatorOnly: boolean;
  /** Of a table function: its arguments, for display. */
  readonly call?: string;
}

export interface TableScanNode {
  readonly kind: "TableScan";
  readonly id: string;
  readonly table: TableReference;
  /** Output i is column i of the request to the connector. */
  readonly outputs: readonly Variable[];
  readonly columns: readonly ColumnMetadata[];
  /** Rows whose `variable`, one of the outputs, is not among the keys that a join above it, in the same task, has built are of no use. */
  readonly dynamicFilters?: readonly DynamicFilterUse[];
  /** The same of joins in the fragments that read this one: the coordinator tells the keys. Of its own name, so that a build that does not know it reads all rows. */
  readonly remoteDynamicFilters?: readonly DynamicFilterUse[];
}

export interface DynamicFilterUse {
  readonly id: string;
  readonly variable: Variable;
}

export interface ValuesNode {
  readonly kind: "Values";
  readonly id: string;
  readonly outputs: readonly Variable[];
  /** Expressions without variables, of the outputs' types. */
  readonly rows: readonly (readonly RowExpression[])[];
}

/** A plan without columns from outside, of which several nodes read the same rows. */
export interface SharedPlan {
  /** Unique within a query; that of a plan inside another is made first. */
  readonly number: number;
  readonly root: PlanNode;
}

/** The rows of a plan that is computed once, whoever reads it: output i is `columns[i]` of it. A leaf to the rules; only until the plan is cut (shared-plans.ts). */
export interface SharedSourceNode {
  readonly kind: "SharedSource";
  readonly id: string;
  readonly plan: SharedPlan;
  readonly columns: readonly Variable[];
  readonly outputs: readonly Variable[];
}

export interface FilterNode {
  readonly kind: "Filter";
  readonly id: string;
  readonly source: PlanNode;
  readonly predicate: RowExpression;
}

export interface Assignment {
  readonly output: Variable;
  readonly expression: RowExpression;
}

export interface ProjectNode {
  readonly kind: "Project";
  readonly id: string;
  readonly source: PlanNode;
  readonly assignments: readonly Assignment[];
}

/** One aggregate of an Aggregation. DISTINCT and FILTER are already a mask made by MarkDistinct and Project nodes below. */
export interface AggregateCall {
  readonly output: Variable;
  /** Name in the functions catalogue; count(*) is `count` without arguments. */
  readonly name: string;
  readonly argumentTypes: readonly Type[];
  /** Variables or constants of exactly argumentTypes; in step FINAL unused (the intermediates are read). */
  readonly args: readonly RowExpression[];
  /** A boolean variable: rows where it is not true are left out. Absent in step FINAL. */
  readonly mask?: Variable;
  /** Set in steps PARTIAL (as outputs) and FINAL (as inputs). */
  readonly intermediates?: readonly Variable[];
}

/**
 * Outputs: keys, then (SINGLE, FINAL) each aggregate's output or (PARTIAL) all intermediates. Without keys SINGLE and FINAL give exactly one row.
 * Groups come out in order of first appearance.
 */
export interface AggregationNode {
  readonly kind: "Aggregation";
  readonly id: string;
  readonly source: PlanNode;
  readonly step: "SINGLE" | "PARTIAL" | "FINAL";
  readonly keys: readonly Variable[];
  readonly aggregates: readonly AggregateCall[];
  /**
   * Over a GroupId: the numbers of its sets without columns. Each has a group even where no row came: its other keys are NULL. Made by SINGLE (in one
   * task) and by every PARTIAL.
   */
  readonly globalSets?: { readonly groupId: Variable; readonly numbers: readonly number[] };
}

export interface GroupingColumn {
  readonly output: Variable;
  readonly input: Variable;
}

/**
 * Each row once for every grouping set. Outputs: those of the source, then the output of each column (its input's value in the sets that name the
 * output, NULL in the others), then `groupId` (bigint), the number of the set. The page of one set follows that of the one before.
 */
export interface GroupIdNode {
  readonly kind: "GroupId";
  readonly id: string;
  readonly source: PlanNode;
  readonly columns: readonly GroupingColumn[];
  /** Names of outputs of `columns`. */
  readonly sets: readonly (readonly string[])[];
  readonly groupId: Variable;
}

/** Adds `marker`: true on the first row of each distinct combination of `keys` (NULL is a value). */
export interface MarkDistinctNode {
  readonly kind: "MarkDistinct";
  readonly id: string;
  readonly source: PlanNode;
  readonly marker: Variable;
  readonly keys: readonly Variable[];
}

export interface JoinCriterion {
  readonly left: Variable;
  readonly right: Variable;
}

/**
 * `left` is the probe side, `right` the build side. No criteria: a nested loop (cross join). Key columns of both sides have the same type.
 * Outputs: those of left and right that are listed, in that order.
 */
export interface JoinNode {
  readonly kind: "Join";
  readonly id: string;
  readonly type: "INNER" | "LEFT" | "RIGHT" | "FULL";
  readonly left: PlanNode;
  readonly right: PlanNode;
  readonly criteria: readonly JoinCriterion[];
  /** Over variables of both sides; part of the ON condition. */
  readonly filter?: RowExpression;
  readonly outputs: readonly Variable[];
  readonly distribution: "PARTITIONED" | "REPLICATED";
  /** By id: columns of the build side whose values are told to scans on the probe side. */
  readonly dynamicFilters?: Readonly<Record<string, Variable>>;
  /** The same, to scans in other fragments. */
  readonly remoteDynamicFilters?: Readonly<Record<string, Variable>>;
}

/** Adds boolean `output`: sourceKey IN (filteringKey of filtering), three-valued. `filtering` is the build side. */
export interface SemiJoinNode {
  readonly kind: "SemiJoin";
  readonly id: string;
  readonly source: PlanNode;
  readonly filtering: PlanNode;
  readonly sourceKey: Variable;
  readonly filteringKey: Variable;
  readonly output: Variable;
  readonly distribution: "PARTITIONED" | "REPLICATED";
  /** As a join's. Only where rows for which `output` is not true are dropped right above. */
  readonly dynamicFilters?: Readonly<Record<string, Variable>>;
  readonly remoteDynamicFilters?: Readonly<Record<string, Variable>>;
}

export interface WindowBound {
  readonly type: "UNBOUNDED_PRECEDING" | "PRECEDING" | "CURRENT_ROW" | "FOLLOWING" | "UNBOUNDED_FOLLOWING";
  /** With PRECEDING and FOLLOWING. ROWS and GROUPS: a bigint; RANGE: what `limit` was made with. NULL and less than nothing are errors of the row. */
  readonly offset?: Variable | Constant;
  /** Of a RANGE with an offset: the sort key in the type of `limit`, and the sort key of the row less or plus the offset. */
  readonly range?: { readonly key: Variable; readonly limit: Variable };
}

export interface WindowFrame {
  readonly type: "ROWS" | "RANGE" | "GROUPS";
  readonly start: WindowBound;
  readonly end: WindowBound;
}

/** One function of a Window: a window function or an aggregate over the frame of each row. */
export interface WindowCall {
  readonly output: Variable;
  readonly name: string;
  readonly argumentTypes: readonly Type[];
  /** Of exactly argumentTypes. Those of aggregates are variables. */
  readonly args: readonly (Variable | Constant)[];
  readonly ignoreNulls: boolean;
  /** Of an aggregate: rows where it is not true are left out. */
  readonly mask?: Variable;
  readonly frame: WindowFrame;
}

/**
 * Adds the functions' outputs. Rows come out partition by partition, in the order of the partition keys (ascending, NULL last), then of `orderBy`; rows
 * that agree in both stay in the order in which they came in.
 */
export interface WindowNode {
  readonly kind: "Window";
  readonly id: string;
  readonly source: PlanNode;
  readonly partitionBy: readonly Variable[];
  readonly orderBy: readonly Ordering[];
  readonly functions: readonly WindowCall[];
}

/**
 * MATCH_RECOGNIZE, and windows with a pattern. Rows come out partition by partition, in the order of the partition keys (ascending, NULL
 * last), then of `orderBy`, match by match. Outputs: with ONE row for each match its partition keys and measures; else those of the source,
 * then the measures, then `start` and `stop` of the frame. Of a window every row of the source comes out once; its measures are NULL unless
 * its match has been sought and found.
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

/** Exactly one row: NULLs for none, SUBQUERY_MULTIPLE_ROWS for more. */
export interface EnforceSingleRowNode {
  readonly kind: "EnforceSingleRow";
  readonly id: string;
  readonly source: PlanNode;
}

export interface Ordering {
  readonly variable: Variable;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Stable. */
export interface SortNode {
  readonly kind: "Sort";
  readonly id: string;
  readonly source: PlanNode;
  readonly orderBy: readonly Ordering[];
}

/** Ties follow input order; `withTies` gives all rows that tie with the last one too. PARTIAL and FINAL do the same; the step is for display. */
export interface TopNNode {
  readonly kind: "TopN";
  readonly id: string;
  readonly source: PlanNode;
  readonly count: number;
  readonly orderBy: readonly Ordering[];
  readonly step: "SINGLE" | "PARTIAL" | "FINAL";
  readonly withTies?: true;
}

export interface LimitNode {
  readonly kind: "Limit";
  readonly id: string;
  readonly source: PlanNode;
  readonly count: number;
  readonly partial: boolean;
}

export interface OffsetNode {
  readonly kind: "Offset";
  readonly id: string;
  readonly source: PlanNode;
  readonly count: number;
}

/** The rows (BERNOULLI) or pages (SYSTEM) that a hash of their position keeps: about `ratio`, 0 to 1, of them. */
export interface SampleNode {
  readonly kind: "Sample";
  readonly id: string;
  readonly source: PlanNode;
  readonly method: "BERNOULLI" | "SYSTEM";
  readonly ratio: number;
}

/** Each row as many times as `count` (bigint) says; none where it is NULL or less than one. `ordinal` (bigint), if there, numbers each row's times from 1. */
export interface UnnestNode {
  readonly kind: "Unnest";
  readonly id: string;
  readonly source: PlanNode;
  readonly count: Variable;
  readonly ordinal?: Variable;
}

/** Adds `idVariable` (bigint): another number for each row of the query, whatever task it is in; a task that runs again gives the same ones. */
export interface AssignUniqueIdNode {
  readonly kind: "AssignUniqueId";
  readonly id: string;
  readonly source: PlanNode;
  readonly idVariable: Variable;
}

/** A table argument of a TableFunction; variables are outputs of its source. */
export interface TableFunctionInput {
  /** Name of the parameter. */
  readonly argument: string;
  /** ROWS: each row is for itself; there are no keys then. */
  readonly semantics: "ROWS" | "SET";
  readonly partitionBy: readonly Variable[];
  readonly orderBy: readonly Ordering[];
  /** Without a row, or without a partition beside those of the tables it is copartitioned with, nothing is run. */
  readonly prunesWhenEmpty: boolean;
  /** What the function reads. */
  readonly required: readonly Variable[];
  /** What comes out beside the function's own columns: of the row that the function names (`passesThrough`), or of any of the partition. */
  readonly passed: readonly Variable[];
  readonly passesThrough: boolean;
}

/**
 * A function of a connector over tables. It runs once for each tuple of partitions: one of each source, or none of it where it is kept when empty.
 * Outputs: those of the function, then what each input passes.
 */
export interface TableFunctionNode {
  readonly kind: "TableFunction";
  readonly id: string;
  readonly function: { readonly catalog: string; readonly schema: string; readonly name: string; readonly handle: Json };
  readonly sources: readonly PlanNode[];
  /** As many as sources. */
  readonly inputs: readonly TableFunctionInput[];
  /** Places of inputs whose partitions go together when their keys are equal; keys have the same types. */
  readonly copartitioned: readonly (readonly number[])[];
  readonly outputs: readonly Variable[];
}

/** Rows of source 0, then 1, ...: sourceVariables[s][i] feeds outputs[i]. */
export interface UnionNode {
  readonly kind: "Union";
  readonly id: string;
  readonly sources: readonly PlanNode[];
  readonly outputs: readonly Variable[];
  readonly sourceVariables: readonly (readonly Variable[])[];
}

/** How a fragment's rows are spread over the tasks of the stage that reads it. */
export type OutputPartitioning =
  | { readonly kind: "SINGLE" }
  | { readonly kind: "HASH"; readonly keys: readonly Variable[] }
  | { readonly kind: "BROADCAST" }
  /** Page k goes to partition k modulo the number of partitions. */
  | { readonly kind: "ROUND_ROBIN" };

/** A cut: what is below runs in another stage. Only between optimiser and fragmenter. */
export interface ExchangeNode {
  readonly kind: "Exchange";
  readonly id: string;
  /** More than one: a distributed UNION ALL; each source's outputs match `outputs` by position. */
  readonly sources: readonly PlanNode[];
  readonly outputs: readonly Variable[];
  readonly partitioning: OutputPartitioning;
  /** Set: every source is sorted so, and the exchange merges (ties by source, then by position). */
  readonly orderBy?: readonly Ordering[];
}

/** Reads the output of other stages: pages in fixed rotation, or merged. */
export interface RemoteSourceNode {
  readonly kind: "RemoteSource";
  readonly id: string;
  readonly fragmentIds: readonly number[];
  /** Matched by position with the outputs of each fragment. */
  readonly outputs: readonly Variable[];
  readonly orderBy?: readonly Ordering[];
}

/** The client's columns. */
export interface OutputNode {
  readonly kind: "Output";
  readonly id: string;
  readonly source: PlanNode;
  readonly columnNames: readonly string[];
  readonly outputs: readonly Variable[];
}

/**
 * Gives one row a task: rows written (bigint) and the sink's fragment (varbinary: UTF-8 JSON). Column i of the sink takes inputs[i]; NULL in a column that has none
 * is CONSTRAINT_VIOLATION. DELETE, UPDATE and MERGE have a boolean input more, true for rows that are changed: these are counted in place of the rows written.
 * MERGE has another one, true for rows that are deleted; what DELETE changes is deleted.
 */
export interface TableWriterNode {
  readonly kind: "TableWriter";
  readonly id: string;
  readonly source: PlanNode;
  readonly target: WriteTarget;
  readonly inputs: readonly Variable[];
  readonly outputs: readonly [rowCount: Variable, fragment: Variable];
}

export type RewriteKind = "DELETE" | "UPDATE" | "MERGE";

/** Boolean inputs of the writer behind the columns of the table. */
export const rewriteMarks: Readonly<Record<RewriteKind, readonly string[]>> = Object.freeze({
  DELETE: ["changed"],
  UPDATE: ["changed"],
  MERGE: ["changed", "deleted"],
});

export function isRewrite(kind: WriteTarget["kind"]): kind is RewriteKind {
  return Object.hasOwn(rewriteMarks, kind);
}

export interface WriteTarget {
  readonly catalog: string;
  readonly name: SchemaTableName;
  /** DELETE, UPDATE and MERGE write all rows of the table anew, but for those that are deleted. */
  readonly kind: "CREATE" | "INSERT" | RewriteKind;
  readonly columns: readonly ColumnMetadata[];
  /** From beginCreate, beginInsert or beginRewrite, filled in by the coordinator when it starts the query. */
  readonly handle: Json;
}

/** On the coordinator: hands the fragments to the connector's finish and gives one row, the sum of row counts. */
export interface TableFinishNode {
  readonly kind: "TableFinish";
  readonly id: string;
  readonly source: PlanNode;
  readonly target: WriteTarget;
  readonly outputs: readonly [rowCount: Variable];
}

export type PlanNode =
  | TableScanNode
  | ValuesNode
  | SharedSourceNode
  | FilterNode
  | ProjectNode
  | AggregationNode
  | GroupIdNode
  | MarkDistinctNode
  | JoinNode
  | SemiJoinNode
  | WindowNode
  | PatternRecognitionNode
  | EnforceSingleRowNode
  | SortNode
  | TopNNode
  | LimitNode
  | OffsetNode
  | UnnestNode
  | AssignUniqueIdNode
  | SampleNode
  | UnionNode
  | TableFunctionNode
  | ExchangeNode
  | RemoteSourceNode
  | OutputNode
  | TableWriterNode
  | TableFinishNode;

export function outputsOf(node: PlanNode): readonly Variable[] {
  switch (node.kind) {
    case "TableScan":
    case "Values":
    case "SharedSource":
    case "Join":
    case "Union":
    case "Exchange":
    case "RemoteSource":
    case "Output":
    case "TableWriter":
    case "TableFinish":
      return node.outputs;
    case "Filter":
    case "EnforceSingleRow":
    case "Sort":
    case "TopN":
    case "Limit":
    case "Offset":
    case "Sample":
      return outputsOf(node.source);
    case "Unnest":
      return node.ordinal === undefined ? outputsOf(node.source) : [...outputsOf(node.source), node.ordinal];
    case "AssignUniqueId":
      return [...outputsOf(node.source), node.idVariable];
    case "Project":
      return node.assignments.map((assignment) => assignment.output);
    case "Aggregation":
      return [...node.keys, ...node.aggregates.flatMap((call) => (node.step === "PARTIAL" ? (call.intermediates ?? []) : [call.output]))];
    case "GroupId":
      return [...outputsOf(node.source), ...node.columns.map((column) => column.output), node.groupId];
    case "MarkDistinct":
      return [...outputsOf(node.source), node.marker];
    case "SemiJoin":
      return [...outputsOf(node.source), node.output];
    case "Window":
      return [...outputsOf(node.source), ...node.functions.map((call) => call.output)];
    case "PatternRecognition":
      return [...(node.rows === "ONE" ? node.partitionBy : outputsOf(node.source)), ...patternOutputs(node)];
    case "TableFunction":
      return [...node.outputs, ...node.inputs.flatMap(({ passed }) => passed)];
  }
}

/** What the node makes besides columns of its source. */
export function patternOutputs({ frame, measures }: PatternRecognitionNode): readonly Variable[] {
  const bounds = [frame?.start, frame?.stop].filter((variable) => variable !== undefined);
  return [...measures.map(({ output }) => output), ...bounds];
}
