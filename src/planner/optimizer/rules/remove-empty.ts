/**
 * Replaces plans that return no rows by empty Values nodes: filters that are never true, and nodes that derive their rows only from empty
 * sources.
 */
import { isConstant } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, type PlanNode } from "../../plan/node.ts";
import { identity, projectNode, rewritePlan } from "../../plan/plan-tree.ts";
import type { Rule } from "./rule.ts";

export const removeEmpty: Rule = {
  name: "remove_empty",
  apply: (plan, { ids }) => rewritePlan(plan, (node) => (isEmptyNode(node) ? emptyValues(node, ids) : simplifyUnion(node, ids))),
};

function emptyValues(node: PlanNode, ids: PlanIds): PlanNode {
  return { kind: "Values", id: ids.node(), outputs: outputsOf(node), rows: [] };
}

function isEmpty(node: PlanNode): boolean {
  return node.kind === "Values" && node.rows.length === 0;
}

function isEmptyNode(node: PlanNode): boolean {
  switch (node.kind) {
    case "Filter":
      return isConstant(node.predicate, false) || isConstant(node.predicate, null) || isEmpty(node.source);
    case "Project":
    case "Sort":
    case "Limit":
    case "Offset":
    case "Unnest":
    case "AssignUniqueId":
    case "Sample":
    case "MarkDistinct":
    case "Window":
    case "PatternRecognition":
    case "GroupId":
    case "SemiJoin":
      return isEmpty(node.source);
    case "Aggregation":
      return node.keys.length > 0 && node.globalSets === undefined && isEmpty(node.source);
    case "Join":
      if (node.type === "INNER") {
        return isEmpty(node.left) || isEmpty(node.right);
      }
      if (node.type === "FULL") {
        return isEmpty(node.left) && isEmpty(node.right);
      }
      return isEmpty(node.type === "LEFT" ? node.left : node.right);
    case "Union":
      return node.sources.every(isEmpty);
    case "TableFunction":
      return node.inputs.some(({ prunesWhenEmpty }, index) => prunesWhenEmpty && isEmpty(node.sources[index] as PlanNode));
    default:
      return false;
  }
}

/** Drops empty branches. A union with one remaining branch becomes that branch. */
function simplifyUnion(node: PlanNode, ids: PlanIds): PlanNode {
  if (node.kind !== "Union" || !(node.sources.some(isEmpty) || node.sources.length === 1)) {
    return node;
  }
  const kept = node.sources.map((_source, index) => index).filter((index) => !isEmpty(node.sources[index] as PlanNode));
  const [only] = kept;
  if (kept.length > 1 || only === undefined) {
    return {
      ...node,
      sources: kept.map((i) => node.sources[i] as PlanNode),
      sourceVariables: kept.map((i) => node.sourceVariables[i] ?? []),
    };
  }
  const variables = node.sourceVariables[only] ?? [];
  return projectNode(
    ids,
    node.sources[only] as PlanNode,
    node.outputs.map((output, index) => ({ ...identity(output), expression: variables[index] ?? output })),
  );
}
