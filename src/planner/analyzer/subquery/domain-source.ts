/** The part of an enclosing plan that a subquery's domain is computed from: a plan that stands twice is kept small. */
import type { RowExpression } from "../../plan/typed-expression.ts";
import { collectVariables } from "../../plan/expression-tree.ts";
import type { JoinNode, PlanNode, ProjectNode } from "../../plan/node.ts";
import { namesOf, outputNames } from "../../plan/plan-tree.ts";
import { isOneRow } from "./one-row.ts";

/**
 * The lowest node that has the columns which `read` uses, with the same distinct values. Nodes that only add columns or repeat rows are passed; filters are not, since a
 * subquery must not be computed for rows that are none of the enclosing query's.
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

/** A source of which every row gives at least one row of `node`, and every row of `node` comes from one. */
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

/** Columns that a projection leaves as they are. */
function passedOn({ assignments }: ProjectNode, below: ReadonlySet<string>): ReadonlySet<string> {
  const passed = assignments.filter(({ output, expression }) => {
    return expression.kind === "variable" && expression.name === output.name && below.has(output.name);
  });
  return namesOf(passed.map(({ output }) => output));
}
