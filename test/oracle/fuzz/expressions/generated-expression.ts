/** A typed expression in both dialects, and what the generator must know to build on it. */
import { type SqlType, type Text, type } from "../dialects.ts";

export interface Expression {
  readonly text: Text;
  readonly type: SqlType;
  /** No value is further from zero; infinite when unknown: then no arithmetic. */
  readonly bound: number;
  /** A column is in it, so it is no constant. */
  readonly variable: boolean;
  /** Doubles: values are multiples of 1/16, sums are exact in any order. */
  readonly exact: boolean;
}

export const BOOLEAN = type("boolean");
export const BIGINT = type("bigint");
export const VARCHAR = type("varchar");

/** An expression made of others. */
export function make(sql: Text, sqlType: SqlType, parts: readonly Expression[], bound = 0, exact = false): Expression {
  return { text: sql, type: sqlType, bound, exact, variable: parts.some((part) => part.variable) };
}
