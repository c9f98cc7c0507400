/**
 * Traversals and builders for plan nodes: sources, rewriting, and the expressions of a node.
 */
import { assert } from "../../protocol/errors.ts";
import type { RowExpression, Variable } from "./typed-expression.ts";
import { and, conjunctsOf } from "./expression-tree.ts";
import type { PlanIds } from "./ids.ts";
import { mapPatternExpressions } from "./pattern-tree.ts";
import { outputsOf, type Assignment, type Ordering, type PlanNode, type ProjectNode } from "./node.ts";

/** Of data that hangs from plan nodes. */
export function isPlanNode(value: object): value is PlanNode {
  return "kind" in value && "id" in value;
}

export function sourcesOf(node: PlanNode): readonly PlanNode[] {
  switch (node.kind) {
    case "TableScan":
    case "Values":
    case "SharedSource":
    case "RemoteSource":
      return [];
    case "Join":
      return [node.left, node.right];
    case "SemiJoin":
      return [node.source, node.filtering];
    case "Union":
    case "TableFunction":
    case "Exchange":
      return node.sources;
    default:
      return [node.source];
  }
}

/** Copies a node with other sources. Returns the same object if no source changed. */
export function withSources(node: PlanNode, sources: readonly PlanNode[]): PlanNode {
  const old = sourcesOf(node);
  assert(old.length === sources.length, "a plan node keeps its number of sources");
  if (old.every((source, index) => source === sources[index])) {
    return node;
  }
  const first = sources[0];
  assert(first !== undefined, "a leaf has no sources to replace");
  switch (node.kind) {
    case "TableScan":
    case "Values":
    case "SharedSource":
    case "RemoteSource":
      return node;
    case "Join":
      return { ...node, left: first, right: second(sources) };
    case "SemiJoin":
      return { ...node, source: first, filtering: second(sources) };
    case "Union":
    case "TableFunction":
    case "Exchange":
      return { ...node, sources };
    default:
      return { ...node, source: first };
  }
}

function second(sources: readonly PlanNode[]): PlanNode {
  const node = sources[1];
  assert(node !== undefined, "a join has two sources");
  return node;
}

/** Rewrites a plan bottom up: `rewrite` sees each node with its rewritten sources. */
export function rewritePlan(node: PlanNode, rewrite: (node: PlanNode) => PlanNode): PlanNode {
  return rewrite(
    withSources(
      node,
      sourcesOf(node).map((source) => rewritePlan(source, rewrite)),
    ),
  );
}

export function visitPlan(node: PlanNode, visit: (node: PlanNode) => void): void {
  visit(node);
  for (const source of sourcesOf(node)) {
    visitPlan(source, visit);
  }
}

/** All nodes of a plan, each after its sources. */
export function upwards(root: PlanNode): readonly PlanNode[] {
  const found: PlanNode[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    found.push(node);
    for (const source of sourcesOf(node)) {
      waiting.push(source);
    }
  }
  return found.reverse();
}

/**
 * Rewrites every expression that the node evaluates. Returns the same node if none changed. Variables that only name columns (keys,
 * orderings) stay.
 */
export function mapExpressions(node: PlanNode, map: (expression: RowExpression) => RowExpression): PlanNode {
  let changed = false;
  const tracked = (expression: RowExpression): RowExpression => {
    const mapped = map(expression);
    changed ||= mapped !== expression;
    return mapped;
  };
  const mapped = mapOwn(node, tracked);
  return changed ? mapped : node;
}

function mapOwn(node: PlanNode, map: (expression: RowExpression) => RowExpression): PlanNode {
  switch (node.kind) {
    case "Filter":
      return { ...node, predicate: map(node.predicate) };
    case "Project":
      return { ...node, assignments: node.assignments.map((a) => ({ output: a.output, expression: map(a.expression) })) };
    case "Values":
      return { ...node, rows: node.rows.map((row) => row.map(map)) };
    case "Join":
      return node.filter === undefined ? node : { ...node, filter: map(node.filter) };
    case "PatternRecognition":
      return mapPatternExpressions(node, map);
    default:
      return node;
  }
}

export function namesOf(variables: readonly Variable[]): Set<string> {
  return new Set(variables.map((variable) => variable.name));
}

export function outputNames(node: PlanNode): Set<string> {
  return namesOf(outputsOf(node));
}

export function filterNode(ids: PlanIds, source: PlanNode, conjuncts: readonly RowExpression[]): PlanNode {
  const predicate = and(conjuncts);
  return conjunctsOf(predicate).length === 0 ? source : { kind: "Filter", id: ids.node(), source, predicate };
}

export function projectNode(ids: PlanIds, source: PlanNode, assignments: readonly Assignment[]): ProjectNode {
  return { kind: "Project", id: ids.node(), source, assignments };
}

export function identity(variable: Variable): Assignment {
  return { output: variable, expression: variable };
}

/** Returns whether the node has exactly these columns, in this order. */
export function isLaidOut(node: PlanNode, columns: readonly Variable[]): boolean {
  const given = outputsOf(node);
  return given.length === columns.length && given.every(({ name }, index) => name === columns[index]?.name);
}

/** Returns a node with exactly these columns, in this order. */
export function layOut(ids: PlanIds, node: PlanNode, columns: readonly Variable[]): PlanNode {
  return isLaidOut(node, columns) ? node : projectNode(ids, node, columns.map(identity));
}

/** Projects additional columns; keeps all columns of `source`. */
export function extendProject(ids: PlanIds, source: PlanNode, added: readonly Assignment[]): PlanNode {
  if (added.length === 0) {
    return source;
  }
  return projectNode(ids, source, [...outputsOf(source).map(identity), ...added]);
}

/** Whether conditions and computations must not go below the node. */
export function isFence(node: PlanNode): boolean {
  return node.kind === "Project" && node.fence === true;
}

/** Returns whether the node is a projection that only drops columns. */
export function passesOn(node: PlanNode): node is ProjectNode {
  return (
    node.kind === "Project" &&
    node.assignments.every(({ output, expression }) => expression.kind === "variable" && expression.name === output.name)
  );
}

export function distinctVariables(variables: readonly Variable[]): readonly Variable[] {
  const seen = new Set<string>();
  return variables.filter((variable) => {
    const fresh = !seen.has(variable.name);
    seen.add(variable.name);
    return fresh;
  });
}

/** Drops sort keys that repeat an earlier column: they cannot change the order. */
export function distinctOrderings(orderBy: readonly Ordering[]): readonly Ordering[] {
  const first = new Set(distinctVariables(orderBy.map(({ variable }) => variable)));
  return orderBy.filter(({ variable }) => first.delete(variable));
}
