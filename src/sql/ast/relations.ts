/**
 * Syntax nodes of queries: their clauses, their bodies and what stands in FROM.
 */
import type { Expression, Identifier, Location, QualifiedName, SortItem, WindowSpecification } from "./expression-nodes.ts";
import type { JsonTable } from "./json.ts";
import type { TableFunctionCall } from "./table-functions.ts";
import type { PatternRecognition } from "./patterns.ts";
import type { FunctionSpecification } from "./routines.ts";

export interface Located {
  readonly location: Location;
}

/** ORDER BY, OFFSET and LIMIT apply to the whole body. If the body is a QuerySpecification, ORDER BY may also name columns of its FROM. */
export interface Query extends Located {
  readonly kind: "Query";
  /** WITH SESSION: only for a query that is a statement. */
  readonly session?: readonly SessionAssignment[];
  /** WITH FUNCTION: only for the top-level query of a statement or view. */
  readonly functions?: readonly FunctionSpecification[];
  readonly with?: With;
  readonly body: QueryBody;
  readonly orderBy: readonly SortItem[];
  /** A constant, like the counts of LIMIT and FETCH FIRST. */
  readonly offset?: Expression;
  readonly limit?: Limit | FetchFirst;
}

/** LIMIT ALL has no count. */
export interface Limit extends Located {
  readonly kind: "Limit";
  readonly count?: Expression;
}

/** Without a count: one row. */
export interface FetchFirst extends Located {
  readonly kind: "FetchFirst";
  readonly count?: Expression;
  /** True if the count is a percentage of all rows (SQL:2008). */
  readonly percent: boolean;
  readonly withTies: boolean;
}

/** A property that WITH SESSION sets for its query. */
export interface SessionAssignment extends Located {
  readonly kind: "SessionAssignment";
  readonly name: QualifiedName;
  readonly value: Expression;
}

export interface Table extends Located {
  readonly kind: "Table";
  readonly name: QualifiedName;
  readonly period?: QueryPeriod;
}

/** `FOR VERSION AS OF 5`: which version of a table. SYSTEM_TIME and SYSTEM_VERSION are Presto's other names of the two. */
export interface QueryPeriod extends Located {
  readonly kind: "QueryPeriod";
  readonly pointer: "TIMESTAMP" | "VERSION";
  readonly state: "AS OF" | "BEFORE";
  /** A constant. */
  readonly value: Expression;
}

export interface AliasedRelation extends Located {
  readonly kind: "AliasedRelation";
  readonly relation: Relation;
  readonly alias: Identifier;
  readonly columnNames?: readonly Identifier[];
}

/** `(SELECT ...)` as a relation or as a query body. */
export interface TableSubquery extends Located {
  readonly kind: "TableSubquery";
  readonly query: Query;
}

/** IMPLICIT is the comma between relations. Chains of joins are left-deep. CROSS and IMPLICIT have no criteria; all other types do. */
export interface Join extends Located {
  readonly kind: "Join";
  readonly type: "INNER" | "LEFT" | "RIGHT" | "FULL" | "CROSS" | "IMPLICIT";
  readonly left: Relation;
  readonly right: Relation;
  readonly criteria?: JoinCriteria;
}

export type JoinCriteria = JoinOn | JoinUsing | NaturalJoin;

export interface JoinOn extends Located {
  readonly kind: "JoinOn";
  readonly expression: Expression;
}

export interface JoinUsing extends Located {
  readonly kind: "JoinUsing";
  readonly columns: readonly Identifier[];
}

export interface NaturalJoin extends Located {
  readonly kind: "NaturalJoin";
}

export interface Lateral extends Located {
  readonly kind: "Lateral";
  readonly query: Query;
}

export interface Unnest extends Located {
  readonly kind: "Unnest";
  readonly expressions: readonly Expression[];
  readonly withOrdinality: boolean;
}

export interface SampledRelation extends Located {
  readonly kind: "SampledRelation";
  readonly relation: Relation;
  readonly method: "BERNOULLI" | "SYSTEM";
  readonly percentage: Expression;
}

/** Rows of a relation as columns: each aggregation for each value of the columns. */
export interface Pivot extends Located {
  readonly kind: "Pivot";
  readonly relation: Relation;
  readonly aggregations: readonly PivotAggregation[];
  readonly columns: readonly Expression[];
  readonly values: readonly PivotValue[];
  readonly groupBy?: GroupBy;
}

export interface PivotAggregation extends Located {
  readonly kind: "PivotAggregation";
  readonly expression: Expression;
  readonly alias?: Identifier;
}

/** One expression for each column. */
export interface PivotValue extends Located {
  readonly kind: "PivotValue";
  readonly expressions: readonly Expression[];
  readonly alias?: Identifier;
}

export type Relation =
  | Table
  | AliasedRelation
  | TableSubquery
  | Join
  | Lateral
  | Unnest
  | SampledRelation
  | Pivot
  | JsonTable
  | TableFunctionCall
  | PatternRecognition;

export type QueryBody = QuerySpecification | SetOperation | Values | TableQuery | TableSubquery;

export interface QuerySpecification extends Located {
  readonly kind: "QuerySpecification";
  readonly select: Select;
  readonly from?: Relation;
  readonly where?: Expression;
  readonly groupBy?: GroupBy;
  readonly having?: Expression;
  /** Keeps rows by what window functions have computed. */
  readonly qualify?: Expression;
  readonly windows: readonly WindowDefinition[];
}

export interface Select extends Located {
  readonly kind: "Select";
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
}

export type SelectItem = SingleColumn | AllColumns;

export interface SingleColumn extends Located {
  readonly kind: "SingleColumn";
  readonly expression: Expression;
  readonly alias?: Identifier;
}

/** `*`, `t.*` (target `t`), `f(x).* AS (a, b)`. */
export interface AllColumns extends Located {
  readonly kind: "AllColumns";
  readonly target?: Expression;
  readonly aliases: readonly Identifier[];
}

export interface GroupBy extends Located {
  readonly kind: "GroupBy";
  readonly distinct: boolean;
  readonly elements: readonly GroupingElement[];
}

export type GroupingElement = SimpleGroupBy | AutoGroupBy | GroupingSets | Rollup | Cube;

/** `AUTO`: the columns of SELECT that no aggregate is in. */
export interface AutoGroupBy extends Located {
  readonly kind: "AutoGroupBy";
}

/** `GROUP BY a` has one expression, `GROUP BY (a, b)` two, and `GROUP BY ()` none. */
export interface SimpleGroupBy extends Located {
  readonly kind: "SimpleGroupBy";
  readonly expressions: readonly Expression[];
}

export interface GroupingSets extends Located {
  readonly kind: "GroupingSets";
  readonly sets: readonly (readonly Expression[])[];
}

export interface Rollup extends Located {
  readonly kind: "Rollup";
  readonly expressions: readonly Expression[];
}

export interface Cube extends Located {
  readonly kind: "Cube";
  readonly expressions: readonly Expression[];
}

export interface WindowDefinition extends Located {
  readonly kind: "WindowDefinition";
  readonly name: Identifier;
  readonly window: WindowSpecification;
}

/**
 * Terms from left to right: `a UNION b UNION c` is one node with three terms. `a UNION ALL b UNION c` is a UNION whose first term is (a
 * UNION ALL b). INTERSECT binds tighter.
 */
export interface SetOperation extends Located {
  readonly kind: "SetOperation";
  readonly operator: "UNION" | "INTERSECT" | "EXCEPT";
  /** False for ALL. */
  readonly distinct: boolean;
  /** Only for two terms: columns correspond by name instead of position. */
  readonly corresponding?: Corresponding;
  readonly terms: readonly QueryBody[];
  /** Locations of the keywords between the terms, for error messages. */
  readonly keywords: readonly Located[];
}

/** Without columns: the common column names of both terms. */
export interface Corresponding extends Located {
  readonly kind: "Corresponding";
  readonly columns?: readonly Identifier[];
}

/** One expression for each row. A Row expression has one column for each item. */
export interface Values extends Located {
  readonly kind: "Values";
  readonly rows: readonly Expression[];
}

/** `TABLE t` as a query body. */
export interface TableQuery extends Located {
  readonly kind: "TableQuery";
  readonly name: QualifiedName;
}

export interface With extends Located {
  readonly kind: "With";
  readonly recursive: boolean;
  readonly queries: readonly WithQuery[];
}

export interface WithQuery extends Located {
  readonly kind: "WithQuery";
  readonly name: Identifier;
  readonly columnNames?: readonly Identifier[];
  readonly query: Query;
}
