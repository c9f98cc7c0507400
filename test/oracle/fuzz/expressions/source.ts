/**
 * Where the expressions inside an expression come from. The files of one kind of expressions (structured.ts, temporal.ts, ...) draw what
 * they are made of from a source; `Expressions` is one, made of all of them.
 */
import type { Kind } from "../dialects.ts";
import type { Expression } from "./generated-expression.ts";
import type { Random } from "../random.ts";

export const kinds: readonly Kind[] = [
  "boolean",
  "integer",
  "bigint",
  "double",
  "decimal",
  "varchar",
  "date",
  "timestamp",
  "tinyint",
  "smallint",
];

export interface ExpressionSource {
  readonly random: Random;
  /** How many lambdas are around. */
  readonly level: number;
  /** Expressions for the body of a lambda: its parameters and plain columns. Aggregates, windows and subqueries are not allowed there. */
  inside(parameters: readonly Expression[]): ExpressionSource;
  /** The body of a function: it sees its parameters alone. */
  over(parameters: readonly Expression[]): ExpressionSource;
  /** Of any kind. */
  any(depth: number): Expression;
  of(kind: Kind, depth: number): Expression;
  /** A column or a literal. */
  leaf(kind: Kind): Expression;
  condition(depth: number): Expression;
}
