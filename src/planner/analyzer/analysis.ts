/**
 * What is carried through the analysis of one statement, and the surroundings of one expression. An expression holds queries and a query
 * holds expressions: the parts of the analyzer reach each other through `Analyzers`, so that none of them imports what is built on it.
 */
import type { Expression, FunctionCall, Identifier, Query, QueryBody, Relation, With } from "../../sql/ast/ast.ts";
import type { PlanContext } from "../context.ts";
import type { RowExpression, Variable } from "../plan/typed-expression.ts";
import type { PlanIds } from "../plan/ids.ts";
import type { PlanNode } from "../plan/node.ts";
import type { AggregateCollector } from "./aggregation/aggregates.ts";
import type { Tables } from "./metadata.ts";
import type { PatternContext } from "./pattern/context.ts";
import type { InlineFunctions, Routine } from "./routine/definition.ts";
import type { RelationPlan, Scope } from "./scope/scope.ts";
import type { WindowCollector } from "./window/collector.ts";

/** Entry points of the mutual recursion of SQL. `analyzers.ts` fills them in where an analysis begins. */
export interface Analyzers {
  expression(expression: Expression, env: Environment): RowExpression;
  query(query: Query, analysis: Analysis, queries: QueryContext): RelationPlan;
  queryBody(body: QueryBody, analysis: Analysis, queries: QueryContext): RelationPlan;
  relation(relation: Relation, analysis: Analysis, queries: QueryContext): RelationPlan;
}

export interface Analysis {
  readonly analyzers: Analyzers;
  readonly ids: PlanIds;
  readonly context: PlanContext;
  readonly tables: Tables;
  /** DESCRIBE: parameters are no error; they stand as constants of no type. */
  readonly describesParameters?: boolean;
  /** Columns of enclosing queries that subqueries name, in the order they are met: for messages. */
  readonly outerColumns: OuterColumn[];
  /** Clauses whose unused queries have been looked at: a clause may be planned several times. */
  readonly checkedWith: Set<With>;
  /** Views that are being planned, from the outermost in. */
  readonly views?: readonly string[];
  /** Functions of WITH FUNCTION that can be seen, and the functions whose bodies are being analysed, from the outermost in. */
  readonly routines?: { readonly inline: InlineFunctions; readonly active: readonly Routine[] };
  /** In the step of a recursion, which is planned for each level: few stages matter more than few comparisons. */
  readonly isRecursive?: true;
  /** Of CREATE VIEW. */
  readonly createdView?: string;
}

export interface OuterColumn {
  readonly name: string;
  readonly syntax: Expression;
}

/** A query of WITH RECURSIVE that names itself once, behind UNION. */
export interface Recursion {
  readonly anchor: QueryBody;
  readonly step: QueryBody;
  /** UNION DISTINCT: rows that are there already are not new. */
  readonly distinct: boolean;
  readonly columnNames: readonly string[];
}

/** A query of WITH: planned anew at each mention. */
export interface NamedQuery {
  readonly query: Query;
  readonly columnNames?: readonly Identifier[];
  /** What the query itself could see. */
  readonly surroundings: QueryContext;
  /** Of WITH RECURSIVE, when it names itself. */
  readonly recursion?: Recursion & { readonly name: string };
  /** A level of a recursion in place of the query itself; asked once. */
  readonly relation?: () => RelationPlan;
}

/** What a query can see from outside. */
export interface QueryContext {
  readonly named: ReadonlyMap<string, NamedQuery>;
  /** Of the enclosing query, for a subquery in an expression. */
  readonly outer?: Scope;
}

/** A subquery met in an expression: `output` stands for it; `apply` puts it under the plan that the expression will be evaluated over. */
export interface PendingSubquery {
  readonly output: Variable;
  /** What `apply` reads of the surroundings. */
  readonly uses: readonly Variable[];
  /** The value, where it is an expression of the surroundings. */
  readonly computed?: RowExpression;
  /** `rewrite` turns what the surroundings said (columns of FROM) into what `node` has (grouping keys). */
  apply(node: PlanNode, rewrite: (expression: RowExpression) => RowExpression): PlanNode;
}

/** A grouping() met in an expression: `output` stands for it until the grouping sets are known. */
export interface PendingGrouping {
  readonly output: Variable;
  readonly args: readonly { readonly syntax: Expression; readonly expression: RowExpression }[];
  readonly syntax: FunctionCall;
}

export interface Environment {
  readonly analysis: Analysis;
  readonly scope: Scope;
  readonly queries: QueryContext;
  /** For messages: "WHERE clause". */
  readonly clause: string;
  /** The column of the SELECT or the sort key that is being analyzed: for messages. */
  readonly item?: Expression;
  /** Absent where aggregates may not stand. */
  readonly aggregates?: AggregateCollector;
  /** Absent where grouping() may not stand. */
  readonly groupings?: PendingGrouping[];
  /** Absent where windows may not stand. */
  readonly windows?: WindowCollector;
  /** Absent where subqueries may not stand. */
  readonly subqueries?: PendingSubquery[];
  /** Subqueries inside aggregates: they belong below the aggregation. */
  readonly aggregateSubqueries?: PendingSubquery[];
  /** Inside MEASURES and DEFINE of a row pattern. */
  readonly pattern?: PatternContext;
  /** Names inside aggregates look here: ORDER BY sees aliases, its aggregates do not. */
  readonly aggregateScope?: Scope;
}
