/** Analyses an expression inside a clause or inside another expression, through the entry points of the analysis. */
import type { Expression } from "../../../sql/ast/ast.ts";
import { BOOLEAN, displayType } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { Environment } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { coerce } from "./functions.ts";

export function analyzeExpression(expression: Expression, env: Environment): RowExpression {
  return env.analysis.analyzers.expression(expression, env);
}

/** For WHERE, HAVING, JOIN ON and FILTER: requires a boolean and reports other types in Presto's words. */
export function analyzePredicate(expression: Expression, env: Environment): RowExpression {
  const predicate = analyzeExpression(expression, env);
  if (predicate.type.kind === "boolean" || predicate.type.kind === "unknown") {
    return coerce(predicate, BOOLEAN);
  }
  throw semanticError("TYPE_MISMATCH", expression, `${env.clause} must evaluate to a boolean: actual type ${displayType(predicate.type)}`);
}
