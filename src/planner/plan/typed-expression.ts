/**
 * Typed expressions of plans: names resolved, functions chosen, every coercion an explicit cast. Plain JSON data: they travel in fragments.
 */
import type { FunctionType, Type } from "../../types/type.ts";

export interface Variable {
  readonly kind: "variable";
  /** Unique within a plan: `orderkey_3`. */
  readonly name: string;
  readonly type: Type;
}

/**
 * JSON form of a value: boolean; number for tinyint to integer, date (days), interval year to month, real and double (finite, except "NaN", "Infinity",
 * "-Infinity", "-0" as text); decimal text of an integer for bigint, decimal (unscaled), timestamp (micros), interval day to second (millis);
 * text for varchar, char and json; lower-case hex of the bytes for varbinary, uuid, ipaddress, arrays, maps and rows.
 */
export type ConstantValue = null | boolean | number | string;

export interface Constant {
  readonly kind: "constant";
  readonly type: Type;
  readonly value: ConstantValue;
}

/**
 * A scalar function or operator. `name` is a name of the functions catalogue; operators are `$add $subtract $multiply $divide
 * $modulus $negate $eq $ne $lt $le $gt $ge $distinct` ($distinct is IS DISTINCT FROM). Argument types are exactly the resolved ones.
 */
export interface Call {
  readonly kind: "call";
  readonly name: string;
  readonly type: Type;
  readonly args: readonly RowExpression[];
}

/** `safe` is TRY_CAST: NULL instead of the errors that TRY swallows. */
export interface Cast {
  readonly kind: "cast";
  readonly type: Type;
  readonly arg: RowExpression;
  readonly safe: boolean;
}

/**
 * Forms that do not evaluate all their arguments or not strictly:
 * AND, OR (n-ary, left to right, three-valued), NOT is a Call `$not`;
 * IF (condition, then, else); SWITCH (condition1, value1, ..., else): searched CASE;
 * COALESCE (n-ary); IN (value, item...): three-valued; IS_NULL (x); NULL_IF (a, b), both of one type, gives a;
 * TRY (x, part...): parts of x whose errors it does not swallow, since they were columns of a subquery.
 */
export interface SpecialForm {
  readonly kind: "special";
  readonly form: "AND" | "OR" | "IF" | "SWITCH" | "COALESCE" | "IN" | "IS_NULL" | "NULL_IF" | "TRY";
  readonly type: Type;
  readonly args: readonly RowExpression[];
}

/**
 * An argument of a call whose parameter is a function. Names of parameters are unique within the plan, like all variables; the body may use other variables
 * too, which are those of the row.
 */
export interface Lambda {
  readonly kind: "lambda";
  readonly type: FunctionType;
  readonly parameters: readonly Variable[];
  readonly body: RowExpression;
}

export type RowExpression = Variable | Constant | Call | Cast | SpecialForm | Lambda;
