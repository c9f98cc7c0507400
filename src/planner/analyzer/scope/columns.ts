/**
 * Resolves columns of a relation in PARTITION BY and ORDER BY of table arguments and MATCH_RECOGNIZE.
 */
import type { Expression, SortItem } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { displayType, isComparable, isOrderable } from "../../../types/type.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import type { Assignment, Ordering } from "../../plan/node.ts";
import { extendProject, outputNames } from "../../plan/plan-tree.ts";
import type { Analysis } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { type Field, hasColumn, nameParts, type RelationPlan, resolveName, type Scope } from "./scope.ts";

/** Ensures that every field is a separate variable of the node. */
export function withVariables({ node, fields }: RelationPlan, { ids }: Analysis): RelationPlan {
  const made = outputNames(node);
  const taken = new Set<string>();
  const added: Assignment[] = [];
  const own = fields.map((field): Field => {
    const { expression, name } = field;
    if (expression.kind === "variable" && made.has(expression.name) && !taken.has(expression.name)) {
      taken.add(expression.name);
      return field;
    }
    const output = ids.variable(name ?? "column", expression.type);
    added.push({ output, expression });
    return { ...field, expression: output };
  });
  return { node: extendProject(ids, node, added), fields: own };
}

/** For fields of a relation returned by withVariables. */
export function variableOf({ expression }: Field): Variable {
  return expression as Variable;
}

function columnOf(expression: Expression, scope: Scope): Field {
  const parts = nameParts(expression);
  const text = printExpression(expression);
  if (parts === undefined) {
    throw semanticError("INVALID_COLUMN_REFERENCE", expression, `Expected column reference. Actual: ${text}`);
  }
  if (!hasColumn(scope, parts)) {
    throw semanticError("COLUMN_NOT_FOUND", expression, `Column ${text} is not present in the input relation`);
  }
  return resolveName(scope, parts, expression).field;
}

export function partitionColumn(expression: Expression, scope: Scope): Field {
  const field = columnOf(expression, scope);
  const { type } = field.expression;
  if (isComparable(type)) {
    return field;
  }
  const message = `${displayType(type)} is not comparable, and therefore cannot be used in PARTITION BY`;
  throw semanticError("TYPE_MISMATCH", expression, message);
}

export function orderColumn({ key }: SortItem, scope: Scope): Field {
  const field = columnOf(key, scope);
  const { type } = field.expression;
  if (isOrderable(type)) {
    return field;
  }
  throw semanticError("TYPE_MISMATCH", key, `${displayType(type)} is not orderable, and therefore cannot be used in ORDER BY`);
}

export function orderingOf(field: Field, { nulls, ordering }: SortItem): Ordering {
  return { variable: variableOf(field), descending: ordering === "DESC", nullsFirst: nulls === "FIRST" };
}
