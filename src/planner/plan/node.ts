/**
 * Plan nodes: immutable trees of plain JSON data. `id` is unique within a query ("17"). `outputsOf(node)` returns the output columns of a
 * node.
 */
import type { ColumnMetadata, Json, SchemaTableName, SortedColumn } from "../../connectors/spi.ts";
import type { StagedChange } from "../../connectors/pushdown.ts";
import type { Type } from "../../types/type.ts";
import type { Constant, RowExpression, Variable } from "./typed-expression.ts";
import type { PatternDefinition, PatternFrame, PatternMeasure, PatternSkip, RowPattern } from "./pattern-nodes.ts";

export interface TableReference {
  readonly catalog: string;
  readonly name: SchemaTableName;
  readonly handle: Json;
  readonly coordinatorOnly: boolean;
  /** `FOR VERSION AS OF 5`; absent for the current version. */
  readonly version?: string;
  /** Arguments of a table function, for display. */
  readonly call?: string;
  /** What the scan asks the source for, for display. */
  readonly source?: string;
  /** Tables of the catalog with which the connector joins it. */
  readonly joined?: readonly SchemaTableName[];
  /** Estimated rows, if the connector computes others than those of the table. */
  readonly rows?: number;
}

export interface TableScanNode {
  readonly kind: "TableScan";
  readonly id: string;
  readonly table: TableReference;
  /** outputs[i] is column i of the request to the connector. */
  readonly outputs: readonly Variable[];
  readonly columns: readonly ColumnMetadata[];
  /** The splits are not distributed: one task reads all of them. */
  readonly inOneTask?: boolean;
  /**
   * Local dynamic filters. The scan may drop rows whose `variable` (one of the outputs) is not among the build keys of a join above it in
   * the same task.
   */
  readonly dynamicFilters?: readonly DynamicFilterUse[];
  /**
   * Remote dynamic filters: the joins are in other fragments, and the coordinator delivers their keys. A separate field, so that older
   * workers ignore it and read all rows.
   */
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
  /** Expressions without variables, of the types of the outputs. */
  readonly rows: readonly (readonly RowExpression[])[];
}

/** A plan without outer references whose rows several nodes read. */
export interface SharedPlan {
  /** Unique within a query. A plan nested in another one has the lower number. */
  readonly number: number;
  readonly root: PlanNode;
}

/**
 * Reads the rows of a shared plan, which is computed once for all its readers. outputs[i] is `columns[i]` of the shared plan. Optimizer
 * rules treat the node as a leaf. The node is replaced before fragmentation (shared-plans.ts).
 */
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
  /** In a project node with `read`: the column of the table or view. */
  readonly column?: string;
}

export interface ProjectNode {
  readonly kind: "Project";
  readonly id: string;
  readonly source: PlanNode;
  readonly assignments: readonly Assignment[];
  /** Number of the read (planner/access/reads.ts) whose columns these are; until the rights of the statement are checked. */
  readonly read?: number;
  /** A row filter is below: conditions on other rows than it lets through could tell of them by their errors. */
  readonly fence?: true;
}

/**
 * One aggregate of an Aggregation. The analyzer has turned DISTINCT and FILTER into a mask, computed by MarkDistinct and Project nodes
 * below.
 */
export interface AggregateCall {
  readonly output: Variable;
  /** Name in the function registry. count(*) is `count` without arguments. */
  readonly name: string;
  readonly argumentTypes: readonly Type[];
  /** Variables or constants of exactly argumentTypes. Unused in step FINAL, which reads the intermediates. */
  readonly args: readonly RowExpression[];
  /** A boolean variable: only rows where it is true are aggregated. Absent in step FINAL. */
  readonly mask?: Variable;
  /** Intermediate states: outputs in step PARTIAL, inputs in step FINAL. Absent in step SINGLE. */
  readonly intermediates?: readonly Variable[];
}

/**
 * Outputs: the keys, then each aggregate's output (SINGLE, FINAL) or all intermediates (PARTIAL). Without keys, SINGLE and FINAL return
 * exactly one row. Groups come out in order of first appearance.
 */
export interface AggregationNode {
  readonly kind: "Aggregation";
  readonly id: string;
  readonly source: PlanNode;
  readonly step: "SINGLE" | "PARTIAL" | "FINAL";
  readonly keys: readonly Variable[];
  readonly aggregates: readonly AggregateCall[];
  /**
   * Global grouping sets of the GroupId below: the numbers of the sets without columns. Each of them has a group even without input rows;
   * its other keys are NULL. SINGLE (in one task) and every PARTIAL create these groups.
   */
  readonly globalSets?: { readonly groupId: Variable; readonly numbers: readonly number[] };
}

export interface GroupingColumn {
  readonly output: Variable;
  readonly input: Variable;
}

/**
 * Repeats each row once for every grouping set.
 *
 * Outputs: the outputs of the source, then the output of each column, then `groupId` (bigint), the number of the set. A column has its
 * input's value in the sets that name its output, and NULL in the others. For each input page, the pages of the sets follow each other in
 * order.
 */
export interface GroupIdNode {
  readonly kind: "GroupId";
  readonly id: string;
  readonly source: PlanNode;
  readonly columns: readonly GroupingColumn[];
  /** Names of outputs of `columns`, one list for each set. */
  readonly sets: readonly (readonly string[])[];
  readonly groupId: Variable;
}

/** Adds the boolean `marker`: true on the first row of each distinct combination of `keys`. NULL counts as a value. */
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
 * `left` is the probe side, `right` the build side. A join without criteria is a nested-loop join (cross join). Key columns of both sides
 * have the same type. Outputs: the listed columns of left and right, in that order.
 */
export interface JoinNode {
  readonly kind: "Join";
  readonly id: string;
  readonly type: "INNER" | "LEFT" | "RIGHT" | "FULL";
  readonly left: PlanNode;
  readonly right: PlanNode;
  readonly criteria: readonly JoinCriterion[];
  /** Part of the ON condition, over variables of both sides. */
  readonly filter?: RowExpression;
  readonly outputs: readonly Variable[];
  readonly distribution: "PARTITIONED" | "REPLICATED";
  /** Local dynamic filters by id: build-side columns whose values reach scans on the probe side in the same task. */
  readonly dynamicFilters?: Readonly<Record<string, Variable>>;
  /** Remote dynamic filters by id: build-side columns whose values reach scans in other fragments. */
  readonly remoteDynamicFilters?: Readonly<Record<string, Variable>>;
}

/**
 * Adds the boolean `output`: sourceKey IN (filteringKey of filtering), in three-valued logic. `filtering` is the build side, unless `build`
 * is SOURCE: then `output` is false instead of NULL, because the parent node treats both alike. The rows come out in the same order.
 */
export interface SemiJoinNode {
  readonly kind: "SemiJoin";
  readonly id: string;
  readonly source: PlanNode;
  readonly filtering: PlanNode;
  readonly sourceKey: Variable;
  readonly filteringKey: Variable;
  readonly output: Variable;
  readonly distribution: "PARTITIONED" | "REPLICATED";
  /** Which side is kept in memory; FILTERING if absent. Older workers ignore it and build the filtering side. */
  readonly build?: "SOURCE";
  /**
   * As in JoinNode. If `filtering` is the build side, they are only present if the parent node drops the rows for which `output` is not
   * true.
   */
  readonly dynamicFilters?: Readonly<Record<string, Variable>>;
  readonly remoteDynamicFilters?: Readonly<Record<string, Variable>>;
}

export interface WindowBound {
  readonly type: "UNBOUNDED_PRECEDING" | "PRECEDING" | "CURRENT_ROW" | "FOLLOWING" | "UNBOUNDED_FOLLOWING";
  /**
   * Set for PRECEDING and FOLLOWING. A bigint for ROWS and GROUPS; for RANGE, the value that `limit` was computed from. A NULL or negative
   * offset fails the query at that row.
   */
  readonly offset?: Variable | Constant;
  /** Set for RANGE with an offset: `key` is the sort key in the type of `limit`; `limit` is the row's sort key minus or plus the offset. */
  readonly range?: { readonly key: Variable; readonly limit: Variable };
}

export interface WindowFrame {
  readonly type: "ROWS" | "RANGE" | "GROUPS";
  readonly start: WindowBound;
  readonly end: WindowBound;
}

/** One function of a Window: a window function, or an aggregate over the frame of each row. */
export interface WindowCall {
  readonly output: Variable;
  readonly name: string;
  readonly argumentTypes: readonly Type[];
  /** Of exactly argumentTypes. Arguments of aggregates are variables. */
  readonly args: readonly (Variable | Constant)[];
  readonly ignoreNulls: boolean;
  /** Only for an aggregate: rows where it is not true are left out. */
  readonly mask?: Variable;
  readonly frame: WindowFrame;
}

/**
 * Adds the functions' outputs. Rows come out partition by partition, in the order of the partition keys (ascending, NULL last), then in the
 * order of `orderBy`. Rows with equal partition and sort keys keep their input order.
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
  /** Conditions of labels. A label without a definition matches any row. */
  readonly definitions: readonly PatternDefinition[];
  readonly measures: readonly PatternMeasure[];
}

/** Returns exactly one row: a row of NULLs for empty input. More than one input row raises SUBQUERY_MULTIPLE_ROWS. */
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

/** A stable sort. */
export interface SortNode {
  readonly kind: "Sort";
  readonly id: string;
  readonly source: PlanNode;
  readonly orderBy: readonly Ordering[];
}

/**
 * Rows with equal sort keys keep their input order. `withTies` also returns all rows that tie with the last row. PARTIAL and FINAL compute
 * the same; the step is for display.
 */
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

/**
 * Keeps a fraction of about `ratio` (0 to 1) of the rows (BERNOULLI) or pages (SYSTEM). A hash of the position decides.
 */
export interface SampleNode {
  readonly kind: "Sample";
  readonly id: string;
  readonly source: PlanNode;
  readonly method: "BERNOULLI" | "SYSTEM";
  readonly ratio: number;
}

/**
 * Repeats each row `count` (bigint) times; drops rows where `count` is NULL or less than one. `ordinal` (bigint), if present, numbers the
 * copies of each row from 1.
 */
export interface UnnestNode {
  readonly kind: "Unnest";
  readonly id: string;
  readonly source: PlanNode;
  readonly count: Variable;
  readonly ordinal?: Variable;
}

/**
 * Adds `idVariable` (bigint): a number that is unique among all rows of the query, in all tasks. A task that runs again assigns the same
 * numbers.
 */
export interface AssignUniqueIdNode {
  readonly kind: "AssignUniqueId";
  readonly id: string;
  readonly source: PlanNode;
  readonly idVariable: Variable;
}

/** A table argument of a TableFunction. Its variables are outputs of its source. */
export interface TableFunctionInput {
  /** Name of the function's parameter. */
  readonly argument: string;
  /** ROWS: the function processes each row independently, and there are no partition keys. */
  readonly semantics: "ROWS" | "SET";
  readonly partitionBy: readonly Variable[];
  readonly orderBy: readonly Ordering[];
  /**
   * The function does not run without rows of this table. The same holds for a partition of copartitioned tables where this table has no
   * rows.
   */
  readonly prunesWhenEmpty: boolean;
  /** Columns that the function reads. */
  readonly required: readonly Variable[];
  /**
   * Columns that are returned beside the function's own. If `passesThrough`, they come from the row that the function names; otherwise,
   * from any row of the partition.
   */
  readonly passed: readonly Variable[];
  readonly passesThrough: boolean;
}

/**
 * A connector's table function with table arguments. It runs once for each tuple of partitions, with one partition of each source. A source
 * that is kept when empty may contribute no partition. Outputs: the columns of the function, then the passed columns of each input.
 */
export interface TableFunctionNode {
  readonly kind: "TableFunction";
  readonly id: string;
  readonly function: { readonly catalog: string; readonly schema: string; readonly name: string; readonly handle: Json };
  readonly sources: readonly PlanNode[];
  /** One for each source, in the same order. */
  readonly inputs: readonly TableFunctionInput[];
  /** Groups of input indexes that are copartitioned: partitions with equal keys are processed together. Their keys have the same types. */
  readonly copartitioned: readonly (readonly number[])[];
  readonly outputs: readonly Variable[];
}

/** Rows of source 0, then of source 1, and so on. sourceVariables[s][i] feeds outputs[i]. */
export interface UnionNode {
  readonly kind: "Union";
  readonly id: string;
  readonly sources: readonly PlanNode[];
  readonly outputs: readonly Variable[];
  readonly sourceVariables: readonly (readonly Variable[])[];
}

/** Partitioning of a fragment's rows over the tasks of the consuming stage. */
export type OutputPartitioning =
  | { readonly kind: "SINGLE" }
  | { readonly kind: "HASH"; readonly keys: readonly Variable[] }
  | { readonly kind: "BROADCAST" }
  /** Page k goes to partition k modulo the number of partitions. */
  | { readonly kind: "ROUND_ROBIN" };

/** A fragment boundary: the plan below runs in another stage. Exists only between optimizer and fragmenter. */
export interface ExchangeNode {
  readonly kind: "Exchange";
  readonly id: string;
  /** Several sources are a distributed UNION ALL. Each source's outputs match `outputs` by position. */
  readonly sources: readonly PlanNode[];
  readonly outputs: readonly Variable[];
  readonly partitioning: OutputPartitioning;
  /** If set, every source is sorted in this order and the exchange merges them. Ties are broken by source, then by position. */
  readonly orderBy?: readonly Ordering[];
}

/** Reads the output of other stages: pages in fixed rotation, or merged by `orderBy`. */
export interface RemoteSourceNode {
  readonly kind: "RemoteSource";
  readonly id: string;
  readonly fragmentIds: readonly number[];
  /** Matches the outputs of each source fragment by position. */
  readonly outputs: readonly Variable[];
  readonly orderBy?: readonly Ordering[];
}

/** Result columns of the query, as the client sees them. */
export interface OutputNode {
  readonly kind: "Output";
  readonly id: string;
  readonly source: PlanNode;
  readonly columnNames: readonly string[];
  readonly outputs: readonly Variable[];
}

/**
 * Returns one row for each task: the number of rows written (bigint) and the sink's fragment (varbinary: UTF-8 JSON).
 *
 * Column i of the sink takes inputs[i]. A NULL in a NOT NULL column raises CONSTRAINT_VIOLATION. Rewrites of a table have one more
 * boolean input, true for changed rows; these are counted instead of the rows written. MERGE has another boolean input, true for deleted
 * rows. For DELETE, every changed row is a deleted row.
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

/** Boolean inputs of the writer that follow the columns of the table. */
const rewriteMarks: Readonly<Record<RewriteKind, readonly string[]>> = Object.freeze({
  DELETE: ["changed"],
  UPDATE: ["changed"],
  MERGE: ["changed", "deleted"],
});

/** Names of the mark inputs; empty for a write without any. */
export function marksOf({ changes, kind }: WriteTarget): readonly string[] {
  return changes === undefined && isRewriteKind(kind) ? rewriteMarks[kind] : [];
}

export function isRewrite(target: WriteTarget): boolean {
  return marksOf(target).length > 0;
}

function isRewriteKind(kind: WriteTarget["kind"]): kind is RewriteKind {
  return Object.hasOwn(rewriteMarks, kind);
}

export interface WriteTarget {
  readonly catalog: string;
  readonly name: SchemaTableName;
  /** DELETE, UPDATE and MERGE without `changes` rewrite all rows of the table except the deleted ones. */
  readonly kind: "CREATE" | "INSERT" | RewriteKind;
  /** The rows that change are written alone, with `columns` as beginChanges of the connector has them. */
  readonly changes?: readonly StagedChange[];
  readonly columns: readonly ColumnMetadata[];
  /** CREATE TABLE IF NOT EXISTS: writes nothing if another statement has created the table meanwhile. */
  readonly ifNotExists?: true;
  /** Order in which each writer gets its rows; absent for any. */
  readonly sortedBy?: readonly SortedColumn[];
  /** Rows are written by one task, on the coordinator. */
  readonly coordinatorOnly?: true;
  /** Result of beginCreate, beginInsert, beginRewrite or beginChanges. The coordinator fills it in when it starts the query. */
  readonly handle: Json;
}

/** Runs on the coordinator. Hands the fragments to the connector's finish and returns one row, the sum of the row counts. */
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

/** A chain of nodes that each add a column to those of their source is walked once: hundreds of them make a plan. */
export function outputsOf(node: PlanNode): readonly Variable[] {
  const lists: (readonly Variable[])[] = [];
  for (let next: PlanNode | undefined = node; next !== undefined; ) {
    const { own, passedFrom }: OwnOutputs = ownOutputs(next);
    if (own.length > 0 || passedFrom === undefined) {
      lists.push(own);
    }
    next = passedFrom;
  }
  return lists.length === 1 ? (lists[0] as readonly Variable[]) : lists.reverse().flat();
}

export interface OwnOutputs {
  readonly own: readonly Variable[];
  /** The node whose outputs come before the own ones. */
  readonly passedFrom?: PlanNode;
}

export function ownOutputs(node: PlanNode): OwnOutputs {
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
      return { own: node.outputs };
    case "Unnest":
      return { own: node.ordinal === undefined ? [] : [node.ordinal], passedFrom: node.source };
    case "AssignUniqueId":
      return { own: [node.idVariable], passedFrom: node.source };
    case "Project":
      return { own: node.assignments.map((assignment) => assignment.output) };
    case "Aggregation":
      return { own: [...node.keys, ...node.aggregates.flatMap((call) => aggregateOutputs(call, node.step))] };
    case "GroupId":
      return { own: [...node.columns.map((column) => column.output), node.groupId], passedFrom: node.source };
    case "MarkDistinct":
      return { own: [node.marker], passedFrom: node.source };
    case "SemiJoin":
      return { own: [node.output], passedFrom: node.source };
    case "Window":
      return { own: node.functions.map((call) => call.output), passedFrom: node.source };
    case "PatternRecognition": {
      const own = patternOutputs(node);
      return node.rows === "ONE" ? { own: [...node.partitionBy, ...own] } : { own, passedFrom: node.source };
    }
    case "TableFunction":
      return { own: [...node.outputs, ...node.inputs.flatMap(({ passed }) => passed)] };
    default:
      return { own: [], passedFrom: node.source };
  }
}

function aggregateOutputs(call: AggregateCall, step: AggregationNode["step"]): readonly Variable[] {
  return step === "PARTIAL" ? (call.intermediates ?? []) : [call.output];
}

/** Outputs that the node computes, in addition to columns of its source. */
export function patternOutputs({ frame, measures }: PatternRecognitionNode): readonly Variable[] {
  const bounds = [frame?.start, frame?.stop].filter((variable) => variable !== undefined);
  return [...measures.map(({ output }) => output), ...bounds];
}
