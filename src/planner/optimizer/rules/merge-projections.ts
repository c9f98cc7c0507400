/**
 * Merges adjacent projections if no work is duplicated, merges adjacent filters, and removes projections that change nothing.
 */
import type { RowExpression } from "../../plan/typed-expression.ts";
import { childrenOf, conjunctsOf, isDeterministic, substitute } from "../../plan/expression-tree.ts";
import { type Assignment, outputsOf, type PlanNode, type ProjectNode, type ValuesNode } from "../../plan/node.ts";
import { filterNode, rewritePlan } from "../../plan/plan-tree.ts";
import type { Rule } from "./rule.ts";

export const mergeProjections: Rule = {
  name: "merge_projections",
  apply: (plan, { ids }) =>
    rewritePlan(plan, (node) => {
      if (node.kind === "Project") {
        return simplifyProject(node);
      }
      if (node.kind === "Filter" && node.source.kind === "Filter") {
        return filterNode(ids, node.source.source, [...conjunctsOf(node.source.predicate), ...conjunctsOf(node.predicate)]);
      }
      return node;
    }),
};

function simplifyProject(node: ProjectNode): PlanNode {
  if (isIdentity(node) && node.fence !== true) {
    return node.source;
  }
  const { source } = node;
  if (source.kind === "Values" && source.rows.length === 1) {
    return evaluateOnce(node, source);
  }
  if (source.kind !== "Project" || !canInline(node, source.assignments)) {
    return node;
  }
  const values = new Map(source.assignments.map((assignment) => [assignment.output.name, assignment.expression]));
  const assignments = node.assignments.map(({ output, expression }) => ({ output, expression: substitute(expression, values) }));
  return simplifyProject(Object.assign({}, node, { source: source.source, assignments }, source.fence === true && { fence: true }));
}

/** A projection of a single Values row becomes a Values row, as for SELECT 1. */
function evaluateOnce(node: ProjectNode, source: ValuesNode): PlanNode {
  const [row = []] = source.rows;
  const values = new Map(source.outputs.map((output, index) => [output.name, row[index] ?? output]));
  const lower = source.outputs.map((output, index) => ({ output, expression: row[index] ?? output }));
  if (!row.every(isDeterministic) || !canInline(node, lower)) {
    return node;
  }
  const expressions = node.assignments.map((assignment) => substitute(assignment.expression, values));
  return { ...source, outputs: node.assignments.map((assignment) => assignment.output), rows: [expressions] };
}

function isIdentity(node: ProjectNode): boolean {
  const below = outputsOf(node.source);
  return (
    node.assignments.length === below.length &&
    node.assignments.every(
      ({ output, expression }, index) =>
        expression.kind === "variable" && expression.name === output.name && below[index]?.name === output.name,
    )
  );
}

/** Columns and constants can always be inlined; a computed column only if it is read once. */
function canInline(upper: ProjectNode, lower: readonly Assignment[]): boolean {
  const uses = new Map<string, number>();
  for (const { expression } of upper.assignments) {
    countUses(expression, uses);
  }
  return lower.every(({ output, expression }) => {
    if (expression.kind === "variable" || expression.kind === "constant") {
      return true;
    }
    return isDeterministic(expression) && (uses.get(output.name) ?? 0) <= 1;
  });
}

function countUses(expression: RowExpression, uses: Map<string, number>): void {
  if (expression.kind === "variable") {
    uses.set(expression.name, (uses.get(expression.name) ?? 0) + 1);
  }
  // TRY lists parts of its own expression again, beside the expression. They are computed once, so only the expression counts.
  const children = expression.kind === "special" && expression.form === "TRY" ? expression.args.slice(0, 1) : childrenOf(expression);
  for (const child of children) {
    countUses(child, uses);
  }
  // A lambda runs several times for each row, so its reads count twice.
  if (expression.kind === "lambda") {
    countUses(expression.body, uses);
  }
}
