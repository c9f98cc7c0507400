/**
 * Aggregates that give maps are functions of an array that array_agg makes: map_agg, multimap_agg, histogram, map_union. Called by calls.ts with the analysed
 * arguments.
 */
import { rowName } from "../../functions/structures.ts";
import { BOOLEAN } from "../../types/type.ts";
import type { RowExpression } from "../expression.ts";
import { and, not, special } from "../expressions.ts";
import { type Placed, semanticError } from "./errors.ts";
import { callFunction } from "./functions.ts";

export interface Collection {
  /** What array_agg collects. */
  readonly collected: RowExpression;
  /** Rows that count. */
  readonly filter: RowExpression;
  /** What is made of the array. */
  readonly finish: (array: RowExpression) => RowExpression;
}

const argumentCounts: Readonly<Record<string, number>> = Object.freeze({ map_agg: 2, multimap_agg: 2, histogram: 1, map_union: 1 });

export function isCollection(name: string): boolean {
  return argumentCounts[name] !== undefined;
}

export function collectionOf(name: string, args: readonly RowExpression[], filter: RowExpression | undefined, at: Placed): Collection {
  const [first] = args;
  if (first === undefined || args.length !== argumentCounts[name] || (name === "map_union" && first.type.kind !== "map")) {
    throw semanticError("FUNCTION_NOT_FOUND", at, `Unexpected parameters for function ${name}`);
  }
  const present = not(special("IS_NULL", BOOLEAN, [first]));
  return {
    collected: args.length === 1 ? first : callFunction(rowName, args, at),
    filter: filter === undefined ? present : and([filter, present]),
    finish: (array) => callFunction(`$${name}`, [array], at),
  };
}
