/**
 * Shared plans: sub-plans that are computed once for all their readers. They are needed where two copies might return different rows, or
 * where copies would let the plan grow with every level of recursion.
 *
 * Each reader is a leaf for the optimizer rules. The shared plan is optimized and distributed separately, with the columns that any reader
 * needs. It becomes a fragment that all readers read.
 */
import type { Steps } from "../pieces.ts";
import type { Variable } from "../plan/typed-expression.ts";
import type { PlanIds } from "../plan/ids.ts";
import { type ExchangeNode, type OutputNode, outputsOf, type PlanNode, type SharedPlan, type SharedSourceNode } from "../plan/node.ts";
import { identity, isLaidOut, outputNames, projectNode, rewritePlan, visitPlan } from "../plan/plan-tree.ts";

/** By number of the shared plan: its optimized root. */
export type SharedRoots = ReadonlyMap<number, OutputNode>;

/** Returns the first reader of `root`, with the same columns. */
export function shareRows(root: PlanNode, ids: PlanIds): SharedSourceNode {
  const plan: SharedPlan = { number: ids.sharedPlan(), root };
  return { kind: "SharedSource", id: ids.node(), plan, columns: outputsOf(root), outputs: outputsOf(root) };
}

/** Optimizes each shared plan that `root` reads, directly or through other shared plans, for the columns that are read. */
export function* optimizeShared(root: PlanNode, ids: PlanIds, optimizeOne: (output: OutputNode) => Steps<OutputNode>): Steps<SharedRoots> {
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
  // A shared plan is read only by plans with higher numbers, so the highest number is always ready.
  for (let number = latest(read, roots); number !== undefined; number = latest(read, roots)) {
    const { plan, columns } = read.get(number) as { readonly plan: SharedPlan; readonly columns: ReadonlyMap<string, Variable> };
    const outputs = [...columns.values()];
    const output: OutputNode = { kind: "Output", id: ids.node(), source: plan.root, columnNames: outputs.map(({ name }) => name), outputs };
    const optimized = yield* optimizeOne(output);
    roots.set(number, optimized);
    collect(optimized);
  }
  return roots;
}

function latest(read: ReadonlyMap<number, unknown>, done: ReadonlyMap<number, unknown>): number | undefined {
  const left = [...read.keys()].filter((number) => !done.has(number));
  return left.length === 0 ? undefined : Math.max(...left);
}

/** Returns the root of the shared plan's fragment. `output` is placed in one task. */
export function sharedFragmentRoot(output: OutputNode, ids: PlanIds): PlanNode {
  const { source, outputs } = output;
  const gathered = source.kind === "Exchange" ? gatheredBelow(source) : undefined;
  const root = gathered ?? source;
  return isLaidOut(root, outputs)
    ? root
    : projectNode(ids, gathered !== undefined && hasAll(root, outputs) ? root : source, outputs.map(identity));
}

/** Returns the plan below a gathering exchange, because each reader gathers the rows itself. */
function gatheredBelow({ sources, partitioning, orderBy }: ExchangeNode): PlanNode | undefined {
  const [only] = sources;
  return sources.length === 1 && partitioning.kind === "SINGLE" && orderBy === undefined ? only : undefined;
}

function hasAll(node: PlanNode, outputs: readonly Variable[]): boolean {
  const names = outputNames(node);
  return outputs.every(({ name }) => names.has(name));
}

/** Returns the plan as one tree for display, with a copy of the shared plan under each reader. */
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
