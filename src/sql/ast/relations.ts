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

/**
 * ORDER BY, OFFSET and LIMIT belong to the whole body. When the body is a QuerySpecification, ORDER BY may also name the columns of its FROM.
 */
export interface Query extends Located {
  readonly kind: "Query";
  /** WITH SESSION: only of a query that is a statement. */
  readonly session?: readonly SessionAssignment[];
  /** WITH FUNCTION: only of a query that is all of a statement, or of a view. */
  readonly functions?: readonly FunctionSpecification[];
  readonly with?: With;
  readonly body: QueryBody;
  readonly orderBy: readonly SortItem[];
  /** A constant, as the counts of LIMIT and FETCH FIRST. */
  readonly offset?: Expression;
  readonly limit?: Limit | FetchFirst;
}

/** Without a count: LIMIT ALL. */
export interface Limit extends Located {
  readonly kind: "Limit";
  readonly count?: Expression;
}

/** Without a count: one row. */
export interface FetchFirst extends Located {
  readonly kind: "FetchFirst";
  readonly count?: Expression;
  /** The count is a percentage of all rows (SQL:2008). */
  readonly percent: boolean;
  readonly withTies: boolean;
}

/** A property as WITH SESSION sets it for its query. */
export interface SessionAssignment extends Located {
  readonly kind: "SessionAssignment";
  readonly name: QualifiedName;
  readonly value: Expression;
}

export interface Table extends Located {
  readonly kind: "Table";
  readonly name: QualifiedName;
}

export interface AliasedRelation extends Located {
  readonly kind: "AliasedRelation";
  readonly relation: Relation;
  readonly alias: Identifier;
  readonly columnNames?: readonly Identifier[];
}

/** `(SELECT ...)` as a relation or as the body of a query. */
export interface TableSubquery extends Located {
  readonly kind: "TableSubquery";
  readonly query: Query;
}

/** IMPLICIT is the comma between relations. Chains lean to the left. CROSS and IMPLICIT have no criteria, all others do. */
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

export type Relation =
  | Table
  | AliasedRelation
  | TableSubquery
  | Join
  | Lateral
  | Unnest
  | SampledRelation
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

export type GroupingElement = SimpleGroupBy | GroupingSets | Rollup | Cube;

/** `GROUP BY a` has one expression; `GROUP BY (a, b)` has both; `()` has none. */
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
 * Terms from left to right: `a UNION b UNION c` is one node of three terms; `a UNION ALL b UNION c` is (a UNION ALL b) as the first term of a UNION. INTERSECT binds tighter.
 */
export interface SetOperation extends Located {
  readonly kind: "SetOperation";
  readonly operator: "UNION" | "INTERSECT" | "EXCEPT";
  /** False with ALL. */
  readonly distinct: boolean;
  /** Of an operation of two terms: columns correspond by their names, not by their places. */
  readonly corresponding?: Corresponding;
  readonly terms: readonly QueryBody[];
  /** Where the keyword before each term but the first stands: there are its errors. */
  readonly keywords: readonly Located[];
}

/** Without columns: those whose names both terms have. */
export interface Corresponding extends Located {
  readonly kind: "Corresponding";
  readonly columns?: readonly Identifier[];
}

/** Each row an expression; a Row expression has a column per item. */
export interface Values extends Located {
  readonly kind: "Values";
  readonly rows: readonly Expression[];
}

/** `TABLE t` as the body of a query. */
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
