/**
 * ORDER BY: literals that refer to columns by position, and the Sort node.
 */
import type { SortItem } from "../../../sql/ast/ast.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { Assignment, Ordering, PlanNode } from "../../plan/node.ts";
import { extendProject, outputNames } from "../../plan/plan-tree.ts";
import type { Analysis } from "../analysis.ts";
import { semanticError } from "../errors.ts";

/** Returns the 0-based index for an integer literal; undefined for other expressions. */
export function ordinal(expression: SortItem["key"], count: number, clause: string): number | undefined {
  if (expression.kind !== "LongLiteral") {
    return undefined;
  }
  const position = Number(expression.value);
  if (position < 1 || position > count) {
    throw semanticError("INVALID_COLUMN_REFERENCE", expression, `${clause} position ${String(expression.value)} is not in select list`);
  }
  return position - 1;
}

export function sortNode(source: PlanNode, items: readonly SortItem[], keys: readonly RowExpression[], analysis: Analysis): PlanNode {
  const added: Assignment[] = [];
  const orderBy: Ordering[] = [];
  const seen = new Set<string>();
  const made = outputNames(source);
  keys.forEach((key, index) => {
    const item = items[index] as SortItem;
    if (key.kind === "constant") {
      return;
    }
    const known = key.kind === "variable" && made.has(key.name);
    const variable = known ? key : analysis.ids.variable("sort", key.type);
    if (!known) {
      added.push({ output: variable, expression: key });
    }
    if (seen.has(variable.name)) {
      return;
    }
    seen.add(variable.name);
    orderBy.push({ variable, descending: item.ordering === "DESC", nullsFirst: item.nulls === "FIRST" });
  });
  const extended = extendProject(analysis.ids, source, added);
  return orderBy.length === 0 ? extended : { kind: "Sort", id: analysis.ids.node(), source: extended, orderBy };
}
