/**
 * Syntax nodes of expressions. Locations follow Presto: of the operator for arithmetic, comparison, `||`, AT TIME ZONE and the predicates
 * (BETWEEN, IN, LIKE, IS and their NOT), of the first token for all else (AND and OR: the first operand's).
 */
import type { ProcessingMode, WindowMeasure, WindowPattern } from "./patterns.ts";
import type { JsonFunction } from "./json.ts";
import type { Query } from "./relations.ts";

/** 1-based, in characters of the statement's text. */
export interface Location {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Located {
  readonly location: Location;
}

export interface Identifier extends Located {
  readonly kind: "Identifier";
  /** As written, quotes taken off. Compare in lower case. */
  readonly value: string;
  /** True for "quoted" ones. */
  readonly delimited: boolean;
}

/** `catalog.schema.table`, or the name of a function. At least one part. */
export interface QualifiedName extends Located {
  readonly kind: "QualifiedName";
  readonly parts: readonly Identifier[];
}

/** `base.field`: a column of a relation or a field of a row; only analysis can tell. */
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

/** Digits as written, without sign. */
export interface LongLiteral extends Located {
  readonly kind: "LongLiteral";
  readonly value: string;
}

/** `12.50`, `.5`, `1.` as written. */
export interface DecimalLiteral extends Located {
  readonly kind: "DecimalLiteral";
  readonly value: string;
}

/** `1.5e3`. Infinity when it is beyond a double. */
export interface DoubleLiteral extends Located {
  readonly kind: "DoubleLiteral";
  readonly value: number;
}

export interface StringLiteral extends Located {
  readonly kind: "StringLiteral";
  readonly value: string;
}

/** `X'65 68'`: hex digits in upper case, even in number, spaces taken out. */
export interface BinaryLiteral extends Located {
  readonly kind: "BinaryLiteral";
  readonly value: string;
}

/** `DATE '1998-01-01'`, `DECIMAL '1.0'`, `TIMESTAMP '...'`: type name in lower case. */
export interface GenericLiteral extends Located {
  readonly kind: "GenericLiteral";
  readonly type: string;
  readonly value: string;
}

export type IntervalField = "YEAR" | "MONTH" | "WEEK" | "DAY" | "HOUR" | "MINUTE" | "SECOND";

/** `INTERVAL -'3' DAY`, `INTERVAL '1-2' YEAR TO MONTH`. The leading precision of `DAY (3)` is read and carries no meaning. */
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

/** N-ary, at least two terms: `a AND b AND c` is one node. A term in parentheses stays a term of its own. */
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
  /** SOME is written ANY. */
  readonly quantifier: "ALL" | "ANY";
  readonly value: Expression;
  readonly query: Query;
}

export interface WhenClause extends Located {
  readonly kind: "WhenClause";
  readonly operand: Expression;
  readonly result: Expression;
}

/** `CASE x WHEN 1 THEN ...` with `operand`, `CASE WHEN x = 1 THEN ...` without. */
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
  /** TRY_CAST. */
  readonly safe: boolean;
}

/** `field` in upper case, as written: analysis knows the fields. */
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
  /** `count(*)`; then there are no arguments. */
  readonly star: boolean;
  /** `count(A.*)` in a row pattern. */
  readonly starLabel?: Identifier;
  /** In a row pattern. */
  readonly processingMode?: ProcessingMode;
  readonly distinct: boolean;
  readonly orderBy: readonly SortItem[];
  readonly filter?: Expression;
  readonly nullTreatment?: "IGNORE" | "RESPECT";
  readonly window?: Window;
}

/** `OVER w` names a window of the WINDOW clause. */
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
  /** With PRECEDING and FOLLOWING only. */
  readonly value?: Expression;
}

export interface SortItem extends Located {
  readonly kind: "SortItem";
  readonly key: Expression;
  readonly ordering: "ASC" | "DESC";
  /** Absent: nulls last, in both directions. */
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

/** `?`, counted from 0 in the order of the text. */
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
 * `varchar(10)`, `decimal(10, 2)`, `array(bigint)`. The name is in lower case; those of several words are one name with the arguments beside it:
 * `timestamp(3) with time zone` is name `timestamp with time zone`, arguments [3]; also `time with time zone`, `interval day to second`, `interval year to month`; `double precision` is
 * `double`.
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
