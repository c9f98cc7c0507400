/**
 * Copies a plan with fresh node ids and variables, so that it can occur twice in one plan.
 */
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { substitute } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, type PlanNode } from "../../plan/node.ts";
import { isPlanNode, visitPlan } from "../../plan/plan-tree.ts";

export interface PlanCopy {
  readonly node: PlanNode;
  /** Returns the copy's variable for a variable of the plan; returns other variables unchanged. */
  renamed(variable: Variable): Variable;
  /** Translates an expression over the plan into one over the copy. */
  moved(expression: RowExpression): RowExpression;
}

export function copyPlan(plan: PlanNode, ids: PlanIds): PlanCopy {
  const made = new Map<string, Variable>();
  visitPlan(plan, (node) => {
    for (const output of outputsOf(node)) {
      if (!made.has(output.name)) {
        made.set(output.name, ids.variable(output.name, output.type));
      }
    }
  });
  const copyMember = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) {
      return value;
    }
    if (Array.isArray(value)) {
      return value.map(copyMember);
    }
    const { kind, name } = value as { readonly kind?: unknown; readonly name?: unknown };
    if (kind === "variable") {
      return made.get(name as string) ?? value;
    }
    if (isPlanNode(value)) {
      return copyNode(value);
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyMember(member)]));
  };
  const copyNode = (node: PlanNode): PlanNode => {
    const id = ids.node();
    if (node.kind === "SharedSource") {
      return { ...node, id, outputs: node.outputs.map((output) => made.get(output.name) ?? output) };
    }
    if (node.kind === "TableScan") {
      return { ...node, id, outputs: node.outputs.map((output) => made.get(output.name) ?? output) };
    }
    const copied = Object.fromEntries(
      Object.entries(node).map(([key, member]) => [key, key === "id" ? id : key === "function" ? member : copyMember(member)]),
    );
    if (node.kind !== "GroupId") {
      return copied as unknown as PlanNode;
    }
    const sets = node.sets.map((set) => set.map((name) => made.get(name)?.name ?? name));
    return { ...copied, sets } as unknown as PlanNode;
  };
  return {
    node: copyNode(plan),
    renamed: (variable) => made.get(variable.name) ?? variable,
    moved: (expression) => substitute(expression, made),
  };
}
