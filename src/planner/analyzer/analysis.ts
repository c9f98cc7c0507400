/**
 * The state of the analysis of one statement, and the environment of an expression. An expression contains queries and a query contains
 * expressions. The parts of the analyzer call each other through `Analyzers`, so that no file imports a file that is built on it.
 */
import type { Expression, FunctionCall, Identifier, Query, QueryBody, Relation, With } from "../../sql/ast/ast.ts";
import type { PlanContext } from "../context.ts";
import type { RowExpression, Variable } from "../plan/typed-expression.ts";
import type { PlanIds } from "../plan/ids.ts";
import type { PlanNode } from "../plan/node.ts";
import type { AggregateCollector } from "./aggregation/aggregates.ts";
import type { Reads } from "../access/reads.ts";
import type { Tables } from "./metadata.ts";
import type { InPieces, Pace } from "../pieces.ts";
import type { PatternContext } from "./pattern/context.ts";
import type { InlineFunctions, Routine } from "./routine/definition.ts";
import type { RelationPlan, Scope } from "./scope/scope.ts";
import type { WindowCollector } from "./window/collector.ts";

/** Entry points of the mutual recursion of SQL. `analyzers.ts` fills them in where an analysis begins. */
export interface Analyzers {
  expression(expression: Expression, env: Environment): RowExpression;
  query(query: Query, analysis: Analysis, queries: QueryContext): RelationPlan;
  /** As `query`. Yields seldom, so that it may be nested deeply. */
  queryInPieces(query: Query, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan>;
  queryBody(body: QueryBody, analysis: Analysis, queries: QueryContext): RelationPlan;
  bodyInPieces(body: QueryBody, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan>;
  relation(relation: Relation, analysis: Analysis, queries: QueryContext): RelationPlan;
}

export interface Analysis {
  readonly analyzers: Analyzers;
  readonly ids: PlanIds;
  readonly context: PlanContext;
  readonly tables: Tables;
  /** Set for DESCRIBE: parameters are allowed, as constants of unknown type. */
  readonly describesParameters?: boolean;
  /** Outer references of subqueries, in the order of analysis. Used in error messages. */
  readonly outerColumns: OuterColumn[];
  /** WITH clauses whose unused queries have been checked. A clause may be planned several times, but is checked once. */
  readonly checkedWith: Set<With>;
  /** Of the queries in FROM. */
  readonly pace: Pace;
  /** Views that are being expanded, outermost first. */
  readonly views?: readonly string[];
  /** Visible functions of WITH FUNCTION, and the functions whose bodies are being analyzed, outermost first. */
  readonly routines?: { readonly inline: InlineFunctions; readonly active: readonly Routine[] };
  /**
   * Set in the step of a recursive query, which is planned once for each level. Plans with few stages are preferred over plans with few
   * comparisons.
   */
  readonly isRecursive?: true;
  /** Name of the view in CREATE VIEW. */
  readonly createdView?: string;
  /** What the statement reads, if rights are checked. */
  readonly reads?: Reads;
  /** Tables whose row filters and masks are being planned, outermost first. */
  readonly securing?: readonly string[];
}

export interface OuterColumn {
  readonly name: string;
  readonly syntax: Expression;
}

/** A query of WITH RECURSIVE that references itself exactly once, in the second term of a UNION. */
export interface Recursion {
  readonly anchor: QueryBody;
  readonly step: QueryBody;
  /** UNION DISTINCT: rows that already exist are not new. */
  readonly distinct: boolean;
  readonly columnNames: readonly string[];
}

/** A query of a WITH clause. It is planned again for each reference. */
export interface NamedQuery {
  readonly query: Query;
  readonly columnNames?: readonly Identifier[];
  /** The context in which the query itself was defined. */
  readonly surroundings: QueryContext;
  /** Set for a query of WITH RECURSIVE that references itself. */
  readonly recursion?: Recursion & { readonly name: string };
  /** Returns a level of a recursion instead of the query. */
  readonly relation?: () => RelationPlan;
}

/** The queries of WITH clauses that a query can name. */
export type NamedQueries = Pick<ReadonlyMap<string, NamedQuery>, "get">;

/** What a query can see of its surroundings. */
export interface QueryContext {
  readonly named: NamedQueries;
  /** Scope of the outer query, for a subquery. */
  readonly outer?: Scope;
}

/**
 * A subquery in an expression. The variable `output` represents its result; `apply` joins it to the plan over which the expression is
 * evaluated.
 */
export interface PendingSubquery {
  readonly output: Variable;
  /** Outer references of the subquery, and other variables that `apply` reads. */
  readonly uses: readonly Variable[];
  /** The result as an expression over the outer row, if no join is needed. */
  readonly computed?: RowExpression;
  /** `rewrite` translates columns of FROM into outputs of `node`, such as grouping keys. */
  apply(node: PlanNode, rewrite: (expression: RowExpression) => RowExpression): PlanNode;
}

/** A grouping() call. The variable `output` represents it until the grouping sets are known. */
export interface PendingGrouping {
  readonly output: Variable;
  readonly args: readonly { readonly syntax: Expression; readonly expression: RowExpression }[];
  readonly syntax: FunctionCall;
}

export interface Environment {
  readonly analysis: Analysis;
  readonly scope: Scope;
  readonly queries: QueryContext;
  /** For error messages: "WHERE clause". */
  readonly clause: string;
  /** SELECT column or sort key that is being analyzed; for error messages. */
  readonly item?: Expression;
  /** Absent where aggregates are not allowed. */
  readonly aggregates?: AggregateCollector;
  /** Absent where grouping() is not allowed. */
  readonly groupings?: PendingGrouping[];
  /** Absent where window functions are not allowed. */
  readonly windows?: WindowCollector;
  /** Absent where subqueries are not allowed. */
  readonly subqueries?: PendingSubquery[];
  /** Subqueries in arguments of aggregates; they are planned below the aggregation. */
  readonly aggregateSubqueries?: PendingSubquery[];
  /** Operand of the CASE whose clause is being analyzed: its predicates refer to it, and it has one value. */
  readonly caseOperand?: { readonly node: Expression; readonly value: RowExpression };
  /** Set in MEASURES and DEFINE of a row pattern. */
  readonly pattern?: PatternContext;
  /** Scope for names in arguments of aggregates. ORDER BY resolves SELECT aliases, but its aggregates do not. */
  readonly aggregateScope?: Scope;
}
