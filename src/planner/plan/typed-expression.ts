/**
 * Typed expressions of plans: names and functions are resolved, and every coercion is an explicit cast. Expressions are plain JSON data and
 * are sent in fragments.
 */
import type { FunctionType, Type } from "../../types/type.ts";

export interface Variable {
  readonly kind: "variable";
  /** Unique within a plan: `orderkey_3`. */
  readonly name: string;
  readonly type: Type;
}

/**
 * JSON form of a value, by type:
 *
 * - boolean: a boolean
 * - tinyint, smallint, integer, date (days), interval year to month: a number
 * - real, double: a finite number, or the text "NaN", "Infinity", "-Infinity" or "-0"
 * - bigint, decimal (unscaled), timestamp (microseconds), interval day to second (milliseconds): an integer as decimal text
 * - varchar, char, json: text
 * - varbinary, uuid, ipaddress, arrays, maps, rows: lower-case hexadecimal text of the bytes
 */
export type ConstantValue = null | boolean | number | string;

export interface Constant {
  readonly kind: "constant";
  readonly type: Type;
  readonly value: ConstantValue;
}

/**
 * A call of a scalar function or operator. `name` is a name in the function registry. Operators are `$add $subtract $multiply $divide
 * $modulus $negate $eq $ne $lt $le $gt $ge $distinct`; `$distinct` is IS DISTINCT FROM. Argument types are exactly the resolved types.
 */
export interface Call {
  readonly kind: "call";
  readonly name: string;
  readonly type: Type;
  readonly args: readonly RowExpression[];
}

/** TRY_CAST: returns NULL for the errors that TRY swallows. */
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
 * An argument for a parameter of a function type. Parameter names are unique within the plan, like all variables. The body may also use
 * variables of the row.
 */
export interface Lambda {
  readonly kind: "lambda";
  readonly type: FunctionType;
  readonly parameters: readonly Variable[];
  readonly body: RowExpression;
}

export type RowExpression = Variable | Constant | Call | Cast | SpecialForm | Lambda;
