/**
 * Syntax nodes of expressions. Locations follow Presto. Arithmetic, comparisons, `||`, AT TIME ZONE and predicates (BETWEEN, IN, LIKE, IS
 * and their NOT) have the location of their operator. All other expressions have the location of their first token; AND and OR have that of
 * their first operand.
 */
import type { ProcessingMode, WindowMeasure, WindowPattern } from "./patterns.ts";
import type { JsonFunction } from "./json.ts";
import type { Query } from "./relations.ts";

/** 1-based line and column, in characters of the statement's text. */
export interface Location {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Located {
  readonly location: Location;
}

export interface Identifier extends Located {
  readonly kind: "Identifier";
  /** As written, without quotes. Comparisons ignore case. */
  readonly value: string;
  /** True for a quoted identifier. */
  readonly delimited: boolean;
}

/** `catalog.schema.table`, or the name of a function. Has at least one part. */
export interface QualifiedName extends Located {
  readonly kind: "QualifiedName";
  readonly parts: readonly Identifier[];
  /** The only part is a path, written as a string: `FROM 'data/*.parquet'`. */
  readonly isPath?: true;
}

/** `base.field`: a column of a relation or a field of a row. The analyzer decides which. */
export interface Dereference extends Located {
  readonly kind: "Dereference";
  readonly base: Expression;
  readonly field: Identifier;
}

export interface NullLiteral extends Located {
  readonly kind: "NullLiteral";
}

export interface BooleanLiteral extends Located {
  readonly kind: "BooleanLiteral";
  readonly value: boolean;
}

/** Digits as written, without a sign. */
export interface LongLiteral extends Located {
  readonly kind: "LongLiteral";
  readonly value: string;
}

/** `12.50`, `.5` or `1.`, as written. */
export interface DecimalLiteral extends Located {
  readonly kind: "DecimalLiteral";
  readonly value: string;
}

/** `1.5e3`. Infinity if the number exceeds the range of a double. */
export interface DoubleLiteral extends Located {
  readonly kind: "DoubleLiteral";
  readonly value: number;
}

export interface StringLiteral extends Located {
  readonly kind: "StringLiteral";
  readonly value: string;
}

/** `X'65 68'`: an even number of hexadecimal digits in upper case, without spaces. */
export interface BinaryLiteral extends Located {
  readonly kind: "BinaryLiteral";
  readonly value: string;
}

/** `DATE '1998-01-01'`, `DECIMAL '1.0'`, `TIMESTAMP '...'`: the type name is in lower case. */
export interface GenericLiteral extends Located {
  readonly kind: "GenericLiteral";
  readonly type: string;
  readonly value: string;
}

export type IntervalField = "YEAR" | "MONTH" | "WEEK" | "DAY" | "HOUR" | "MINUTE" | "SECOND";

/** `INTERVAL -'3' DAY`, `INTERVAL '1-2' YEAR TO MONTH`. The leading precision of `DAY (3)` is accepted and ignored. */
export interface IntervalLiteral extends Located {
  readonly kind: "IntervalLiteral";
  readonly value: string;
  readonly sign: "+" | "-";
  readonly startField: IntervalField;
  readonly endField?: IntervalField;
}

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";

export interface ArithmeticBinary extends Located {
  readonly kind: "ArithmeticBinary";
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface ArithmeticUnary extends Located {
  readonly kind: "ArithmeticUnary";
  readonly sign: "+" | "-";
  readonly value: Expression;
}

export type ComparisonOperator = "=" | "<>" | "<" | "<=" | ">" | ">=" | "IS DISTINCT FROM";

export interface Comparison extends Located {
  readonly kind: "Comparison";
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** N-ary, with at least two terms: `a AND b AND c` is one node. A parenthesized term stays a separate node. */
export interface Logical extends Located {
  readonly kind: "Logical";
  readonly operator: "AND" | "OR";
  readonly terms: readonly Expression[];
}

export interface Not extends Located {
  readonly kind: "Not";
  readonly value: Expression;
}

export interface Between extends Located {
  readonly kind: "Between";
  readonly value: Expression;
  readonly min: Expression;
  readonly max: Expression;
}

export interface InList extends Located {
  readonly kind: "InList";
  readonly value: Expression;
  readonly list: readonly Expression[];
}

export interface InSubquery extends Located {
  readonly kind: "InSubquery";
  readonly value: Expression;
  readonly query: Query;
}

export interface Like extends Located {
  readonly kind: "Like";
  readonly value: Expression;
  readonly pattern: Expression;
  readonly escape?: Expression;
}

/** Of two periods: rows of a start and an end, or of a start and an interval. */
export interface Overlaps extends Located {
  readonly kind: "Overlaps";
  readonly left: Expression;
  readonly right: Expression;
}

export interface IsNull extends Located {
  readonly kind: "IsNull";
  readonly value: Expression;
}

export interface IsNotNull extends Located {
  readonly kind: "IsNotNull";
  readonly value: Expression;
}

export interface QuantifiedComparison extends Located {
  readonly kind: "QuantifiedComparison";
  readonly operator: ComparisonOperator;
  /** SOME is represented as ANY. */
  readonly quantifier: "ALL" | "ANY";
  readonly value: Expression;
  readonly query: Query;
}

export interface WhenClause extends Located {
  readonly kind: "WhenClause";
  readonly operand: Expression;
  /** `CASE x WHEN > 1`: the operand of the clause is a predicate on the operand of CASE, which is the same node. */
  readonly isPredicate?: true;
  readonly result: Expression;
}

/** `CASE x WHEN 1 THEN ...` has an `operand`; `CASE WHEN x = 1 THEN ...` has none. */
export interface Case extends Located {
  readonly kind: "Case";
  readonly operand?: Expression;
  readonly whenClauses: readonly WhenClause[];
  readonly defaultValue?: Expression;
}

export interface Cast extends Located {
  readonly kind: "Cast";
  readonly value: Expression;
  readonly type: TypeSyntax;
  /** True for TRY_CAST. */
  readonly safe: boolean;
}

/** `field` is in upper case and not checked; the analyzer knows the fields. */
export interface Extract extends Located {
  readonly kind: "Extract";
  readonly field: string;
  readonly value: Expression;
}

export interface AtTimeZone extends Located {
  readonly kind: "AtTimeZone";
  readonly value: Expression;
  readonly timeZone: Expression;
}

export interface CurrentTime extends Located {
  readonly kind: "CurrentTime";
  readonly function: "CURRENT_DATE" | "CURRENT_TIME" | "CURRENT_TIMESTAMP" | "LOCALTIME" | "LOCALTIMESTAMP";
  readonly precision?: number;
}

export interface CurrentName extends Located {
  readonly kind: "CurrentName";
  readonly name: "CURRENT_USER" | "CURRENT_CATALOG" | "CURRENT_SCHEMA" | "CURRENT_PATH";
}

export interface FunctionCall extends Located {
  readonly kind: "FunctionCall";
  readonly name: QualifiedName;
  readonly arguments: readonly Expression[];
  /** True for `count(*)`, which has no arguments. */
  readonly star: boolean;
  /** `count(A.*)` in a row pattern. */
  readonly starLabel?: Identifier;
  /** Only in a row pattern. */
  readonly processingMode?: ProcessingMode;
  readonly distinct: boolean;
  readonly orderBy: readonly SortItem[];
  readonly filter?: Expression;
  readonly nullTreatment?: "IGNORE" | "RESPECT";
  readonly window?: Window;
}

/** `OVER w` refers to a window of the WINDOW clause. */
export type Window = WindowReference | WindowSpecification;

export interface WindowReference extends Located {
  readonly kind: "WindowReference";
  readonly name: Identifier;
}

export interface WindowSpecification extends Located {
  readonly kind: "WindowSpecification";
  readonly existingWindow?: Identifier;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortItem[];
  readonly frame?: WindowFrame;
}

export interface WindowFrame extends Located {
  readonly kind: "WindowFrame";
  readonly type: "ROWS" | "RANGE" | "GROUPS";
  readonly start: FrameBound;
  readonly end?: FrameBound;
  readonly recognition?: WindowPattern;
}

export interface FrameBound extends Located {
  readonly kind: "FrameBound";
  readonly type: "UNBOUNDED PRECEDING" | "PRECEDING" | "CURRENT ROW" | "FOLLOWING" | "UNBOUNDED FOLLOWING";
  /** Only for PRECEDING and FOLLOWING. */
  readonly value?: Expression;
}

export interface SortItem extends Located {
  readonly kind: "SortItem";
  readonly key: Expression;
  readonly ordering: "ASC" | "DESC";
  /** Absent means NULLS LAST, for both ASC and DESC. */
  readonly nulls?: "FIRST" | "LAST";
}

/** A scalar subquery. */
export interface SubqueryExpression extends Located {
  readonly kind: "SubqueryExpression";
  readonly query: Query;
}

export interface Exists extends Located {
  readonly kind: "Exists";
  readonly query: Query;
}

/** `(a, b)` or `ROW(a)`. */
export interface Row extends Located {
  readonly kind: "Row";
  readonly items: readonly Expression[];
}

export interface ArrayConstructor extends Located {
  readonly kind: "ArrayConstructor";
  readonly items: readonly Expression[];
}

export interface Subscript extends Located {
  readonly kind: "Subscript";
  readonly base: Expression;
  readonly index: Expression;
}

export interface Lambda extends Located {
  readonly kind: "Lambda";
  readonly parameters: readonly Identifier[];
  readonly body: Expression;
}

/** `?`; positions start at 0, in the order of the text. */
export interface Parameter extends Located {
  readonly kind: "Parameter";
  readonly position: number;
}

export type Expression =
  | Identifier
  | Dereference
  | NullLiteral
  | BooleanLiteral
  | LongLiteral
  | DecimalLiteral
  | DoubleLiteral
  | StringLiteral
  | BinaryLiteral
  | GenericLiteral
  | IntervalLiteral
  | ArithmeticBinary
  | ArithmeticUnary
  | Comparison
  | Logical
  | Not
  | Between
  | InList
  | InSubquery
  | Like
  | Overlaps
  | IsNull
  | IsNotNull
  | QuantifiedComparison
  | Case
  | Cast
  | Extract
  | AtTimeZone
  | CurrentTime
  | CurrentName
  | FunctionCall
  | WindowMeasure
  | SubqueryExpression
  | Exists
  | Row
  | ArrayConstructor
  | Subscript
  | Lambda
  | Parameter
  | JsonFunction;

/** A type as written. */
export type TypeSyntax = GenericType | RowType;

/**
 * `varchar(10)`, `decimal(10, 2)`, `array(bigint)`. The name is in lower case.
 *
 * Type names of several words are one name, with the arguments separate: `timestamp(3) with time zone` has the name `timestamp with time
 * zone` and the arguments [3]. The others are `time with time zone`, `interval day to second` and `interval year to month`. `double
 * precision` becomes `double`.
 */
export interface GenericType extends Located {
  readonly kind: "GenericType";
  readonly name: string;
  readonly arguments: readonly (TypeSyntax | number)[];
}

export interface RowType extends Located {
  readonly kind: "RowType";
  readonly fields: readonly RowTypeField[];
}

export interface RowTypeField extends Located {
  readonly kind: "RowTypeField";
  readonly name?: Identifier;
  readonly type: TypeSyntax;
}
