/**
 * Finds the part of an outer plan from which a subquery's domain is computed. The part is planned twice, so it should be small.
 */
import type { RowExpression } from "../../plan/typed-expression.ts";
import { collectVariables } from "../../plan/expression-tree.ts";
import type { JoinNode, PlanNode, ProjectNode } from "../../plan/node.ts";
import { namesOf, outputNames } from "../../plan/plan-tree.ts";
import { isOneRow } from "./one-row.ts";

/**
 * Returns the lowest node that provides the columns of `read` with the same distinct values. The search passes nodes that only add columns
 * or repeat rows. It stops at filters, because a subquery must not be computed for rows that the outer query does not have.
 */
export function domainSource(source: PlanNode, read: readonly RowExpression[]): PlanNode {
  const names = new Set<string>();
  for (const expression of read) {
    collectVariables(expression).forEach((_variable, name) => names.add(name));
  }
  return lowest(source, names);
}

function lowest(node: PlanNode, names: ReadonlySet<string>): PlanNode {
  const below = sameValuesBelow(node);
  if (below === undefined) {
    return node;
  }
  const made = node.kind === "Project" ? passedOn(node, outputNames(below)) : outputNames(below);
  return [...names].every((name) => made.has(name)) ? lowest(below, names) : node;
}

/**
 * Returns a source such that each of its rows yields at least one row of `node`, and each row of `node` derives from exactly one of its
 * rows.
 */
function sameValuesBelow(node: PlanNode): PlanNode | undefined {
  switch (node.kind) {
    case "Project":
    case "Window":
    case "MarkDistinct":
    case "SemiJoin":
    case "Sort":
      return node.source;
    case "GroupId":
      return node.sets.length > 0 ? node.source : undefined;
    case "Join":
      return node.type === "LEFT" || (isProduct(node) && isOneRow(node.right)) ? node.left : undefined;
    default:
      return undefined;
  }
}

function isProduct({ type, criteria, filter }: JoinNode): boolean {
  return type === "INNER" && criteria.length === 0 && filter === undefined;
}

/** Columns that a projection passes through unchanged. */
function passedOn({ assignments }: ProjectNode, below: ReadonlySet<string>): ReadonlySet<string> {
  const passed = assignments.filter(({ output, expression }) => {
    return expression.kind === "variable" && expression.name === output.name && below.has(output.name);
  });
  return namesOf(passed.map(({ output }) => output));
}
