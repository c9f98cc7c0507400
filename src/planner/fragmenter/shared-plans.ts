/**
 * Plans that are computed once for all that read them, where two copies might give different rows or a plan would grow with every level. To the rules each reader is a
 * leaf. The plan behind it is optimised and distributed apart, for the columns that any reader wants, and becomes a fragment that all of them read.
 */
import type { Variable } from "../plan/typed-expression.ts";
import type { PlanIds } from "../plan/ids.ts";
import { type ExchangeNode, type OutputNode, outputsOf, type PlanNode, type SharedPlan, type SharedSourceNode } from "../plan/node.ts";
import { identity, isLaidOut, outputNames, projectNode, rewritePlan, visitPlan } from "../plan/plan-tree.ts";

/** By the number of the plan: its rows in one task. */
export type SharedRoots = ReadonlyMap<number, OutputNode>;

/** The first reader of `root`; it has the same columns. */
export function shareRows(root: PlanNode, ids: PlanIds): SharedSourceNode {
  const plan: SharedPlan = { number: ids.sharedPlan(), root };
  return { kind: "SharedSource", id: ids.node(), plan, columns: outputsOf(root), outputs: outputsOf(root) };
}

/** Each plan that `root` reads, directly or by way of others, optimised for what is read of it. */
export function optimizeShared(root: PlanNode, ids: PlanIds, optimizeOne: (output: OutputNode) => OutputNode): SharedRoots {
  const roots = new Map<number, OutputNode>();
  const read = new Map<number, { readonly plan: SharedPlan; readonly columns: Map<string, Variable> }>();
  const collect = (from: PlanNode): void =>
    visitPlan(from, (node) => {
      if (node.kind !== "SharedSource") {
        return;
      }
      const known = read.get(node.plan.number) ?? { plan: node.plan, columns: new Map<string, Variable>() };
      for (const column of node.columns) {
        known.columns.set(column.name, column);
      }
      read.set(node.plan.number, known);
    });
  collect(root);
  // A plan is read by others that were made after it, and by nothing else.
  for (let number = latest(read, roots); number !== undefined; number = latest(read, roots)) {
    const { plan, columns } = read.get(number) as { readonly plan: SharedPlan; readonly columns: ReadonlyMap<string, Variable> };
    const outputs = [...columns.values()];
    const output: OutputNode = { kind: "Output", id: ids.node(), source: plan.root, columnNames: outputs.map(({ name }) => name), outputs };
    const optimized = optimizeOne(output);
    roots.set(number, optimized);
    collect(optimized);
  }
  return roots;
}

function latest(read: ReadonlyMap<number, unknown>, done: ReadonlyMap<number, unknown>): number | undefined {
  const left = [...read.keys()].filter((number) => !done.has(number));
  return left.length === 0 ? undefined : Math.max(...left);
}

/** What a fragment of the plan computes: `output` is placed in one task. */
export function sharedFragmentRoot(output: OutputNode, ids: PlanIds): PlanNode {
  const { source, outputs } = output;
  const gathered = source.kind === "Exchange" ? gatheredBelow(source) : undefined;
  const root = gathered ?? source;
  return isLaidOut(root, outputs)
    ? root
    : projectNode(ids, gathered !== undefined && hasAll(root, outputs) ? root : source, outputs.map(identity));
}

/** The readers gather the rows themselves. */
function gatheredBelow({ sources, partitioning, orderBy }: ExchangeNode): PlanNode | undefined {
  const [only] = sources;
  return sources.length === 1 && partitioning.kind === "SINGLE" && orderBy === undefined ? only : undefined;
}

function hasAll(node: PlanNode, outputs: readonly Variable[]): boolean {
  const names = outputNames(node);
  return outputs.every(({ name }) => names.has(name));
}

/** The plan as one tree, for those who read it: each reader stands over a copy. */
export function withSharedPlans(plan: PlanNode, roots: SharedRoots): PlanNode {
  return rewritePlan(plan, (node) => {
    if (node.kind !== "SharedSource") {
      return node;
    }
    const root = roots.get(node.plan.number);
    if (root === undefined) {
      return node;
    }
    const source = withSharedPlans(root.source, roots);
    return { kind: "Exchange", id: node.id, sources: [source], outputs: node.outputs, partitioning: { kind: "SINGLE" } };
  });
}
