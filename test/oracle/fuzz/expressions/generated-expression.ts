/**
 * A typed expression in both dialects, with the properties that the generator needs to build on it.
 */
import { type SqlType, type Text, type } from "../dialects.ts";

export interface Expression {
  readonly text: Text;
  readonly type: SqlType;
  /** Largest absolute value; infinite if unknown, which excludes arithmetic. */
  readonly bound: number;
  /** True if it references a column and is not constant. */
  readonly variable: boolean;
  /** For doubles: values are multiples of 1/16, so sums are exact in any order. */
  readonly exact: boolean;
}

export const BOOLEAN = type("boolean");
export const BIGINT = type("bigint");
export const VARCHAR = type("varchar");

/** An expression composed of others. */
export function make(sql: Text, sqlType: SqlType, parts: readonly Expression[], bound = 0, exact = false): Expression {
  return { text: sql, type: sqlType, bound, exact, variable: parts.some((part) => part.variable) };
}
