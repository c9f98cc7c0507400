/**
 * Aggregates that are planned as a scalar function over the result of array_agg: map_agg, multimap_agg, histogram, map_union,
 * map_union_sum, set_agg, set_union, listagg and reduce_agg.
 */
import { collectionSignatures } from "../../../functions/aggregate/collections.ts";
import { satisfiesConstraint, unexpectedParameters } from "../../../functions/registry/resolution.ts";
import { rowName } from "../../../functions/operator/structures.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { Expression, FunctionCall, Lambda } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { BOOLEAN, displayType, isNumeric, type Type, VARCHAR } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { and, constant, not, special } from "../../plan/expression-tree.ts";
import type { Environment } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { callFunction, coerce } from "../expression/functions.ts";
import { callWithLambdas } from "../expression/structures.ts";

export interface Collection {
  /** Argument of array_agg. */
  readonly collected: RowExpression;
  /** Only rows where this is true are collected. */
  readonly filter: RowExpression;
  readonly args: readonly RowExpression[];
  /** Computes the aggregate's result from the array. */
  readonly finish: (array: RowExpression) => RowExpression;
}

const signatures = new Map(collectionSignatures.map((signature) => [signature.name, signature]));

export function isCollection(name: string): boolean {
  return signatures.has(name);
}

function isAddable(type: Type): boolean {
  return isNumeric(type) && type.kind !== "decimal";
}

function requireText({ type }: RowExpression, call: FunctionCall): void {
  if (type.kind === "varchar" || type.kind === "char" || type.kind === "unknown") {
    return;
  }
  const argument = printExpression(call.arguments[0] as Expression);
  throw semanticError("TYPE_MISMATCH", call, `Expected expression of varchar, but '${argument}' has ${displayType(type)} type`);
}

/** `inside` is the environment of the arguments, `env` the environment of the call. */
export function analyzeCollection(
  name: string,
  node: FunctionCall,
  { inside, env, filter }: { readonly inside: Environment; readonly env: Environment; readonly filter: RowExpression | undefined },
): Collection {
  const args = node.arguments.flatMap((argument) => (argument.kind === "Lambda" ? [] : [analyzeExpression(argument, inside)]));
  const lambdas = node.arguments.filter((argument): argument is Lambda => argument.kind === "Lambda");
  const [first, ...rest] = args;
  const argumentTypes = args.map(({ type }) => type);
  if (name === "listagg" && first !== undefined) {
    requireText(first, node);
  }
  const wanted = signatures.get(name);
  const fits =
    node.arguments.length === wanted?.args.length &&
    (name !== "map_union" || first?.type.kind === "map") &&
    (name !== "map_union_sum" || (first?.type.kind === "map" && isAddable(first.type.value))) &&
    (name !== "set_union" || first?.type.kind === "array") &&
    lambdas.length === (name === "reduce_agg" ? 2 : 0) &&
    (wanted.constraint === undefined || satisfiesConstraint(wanted, argumentTypes)) &&
    node.arguments.slice(-lambdas.length || node.arguments.length).every(({ kind }) => (kind === "Lambda") === lambdas.length > 0);
  const mismatch = (): Error => {
    const shown = node.arguments.flatMap(({ kind }) => (kind === "Lambda" ? ["<function>"] : []));
    const given = [...argumentTypes.map(displayType), ...shown];
    return semanticError("FUNCTION_NOT_FOUND", node, unexpectedParameters(name, wanted === undefined ? [] : [wanted], given));
  };
  if (first === undefined || !fits) {
    throw mismatch();
  }
  if (name === "set_agg" || name === "set_union") {
    // NULL values are collected too. Without rows, the result is NULL.
    return {
      collected: first,
      filter: filter ?? constant(BOOLEAN, true),
      args,
      finish: (array) => callFunction(name === "set_agg" ? "array_distinct" : "$set_union", [array], node),
    };
  }
  const present = not(special("IS_NULL", BOOLEAN, [first]));
  const counts = filter === undefined ? present : and([filter, present]);
  switch (name) {
    case "listagg":
      return {
        collected: coerce(first, VARCHAR),
        filter: counts,
        args,
        finish: (array) => callFunction("$listagg", [array, ...rest], node),
      };
    case "reduce_agg":
      return {
        collected: first,
        filter: counts,
        args,
        finish: (array) => {
          try {
            return callWithLambdas("$reduce_agg", [array, ...rest, ...lambdas], env, node);
          } catch (error) {
            // The error message names the aggregate, not the internal function.
            throw error instanceof QueryError && error.message.includes("$reduce_agg") ? mismatch() : error;
          }
        },
      };
    default:
      return {
        collected: args.length === 1 ? first : callFunction(rowName, args, node),
        filter: counts,
        args,
        finish: (array) => callFunction(`$${name}`, [array], node),
      };
  }
}
