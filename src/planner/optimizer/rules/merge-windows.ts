/**
 * Reorders and merges adjacent windows that do not use each other's results:
 *
 * - Windows with the same specification become one node.
 * - Windows with fewer partition keys go below, so that rows partitioned for them need no further exchange for the others.
 * - Windows without partition keys come last, because they need all rows in one task.
 */
import { collectVariables } from "../../plan/expression-tree.ts";
import { outputsOf, type PlanNode, type WindowNode } from "../../plan/node.ts";
import { layOut, sourcesOf, withSources } from "../../plan/plan-tree.ts";
import { expressionsOf } from "../../plan/validate.ts";
import type { Rule, RuleContext } from "./rule.ts";

export const mergeWindows: Rule = {
  name: "merge_windows",
  apply: (plan, context) => merge(plan, context),
};

function merge(node: PlanNode, context: RuleContext): PlanNode {
  if (node.kind !== "Window") {
    return withSources(
      node,
      sourcesOf(node).map((source) => merge(source, context)),
    );
  }
  const stack: WindowNode[] = [node];
  let { source } = node;
  const used = new Set<string>();
  addUsed(node, used);
  // A window whose result is used by a window above it ends the stack.
  while (source.kind === "Window" && !source.functions.some(({ output }) => used.has(output.name))) {
    stack.push(source);
    addUsed(source, used);
    source = source.source;
  }
  const below = merge(source, context);
  const merged = sameSpecifications(stack.toReversed());
  const ordered = merged.toSorted((a, b) => rankOf(a) - rankOf(b));
  const isSame = ordered.length === stack.length && ordered.every((window, index) => window === stack[stack.length - 1 - index]);
  if (isSame) {
    return stack.reduceRight<PlanNode>((current, window) => withSources(window, [current]), below);
  }
  const stacked = ordered.reduce<PlanNode>((current, window) => ({ ...window, source: current }), below);
  return layOut(context.ids, stacked, outputsOf(node));
}

/** Adds the names of the variables that the window reads. */
function addUsed(window: WindowNode, names: Set<string>): void {
  for (const expression of expressionsOf(window)) {
    for (const name of collectVariables(expression).keys()) {
      names.add(name);
    }
  }
}

/** Merges windows with the same specification, in the order of their first occurrence. */
function sameSpecifications(windows: readonly WindowNode[]): readonly WindowNode[] {
  const found = new Map<string, WindowNode>();
  for (const window of windows) {
    const key = specificationKey(window);
    const known = found.get(key);
    found.set(key, known === undefined ? window : { ...known, functions: [...known.functions, ...window.functions] });
  }
  return [...found.values()];
}

/** The order of partition keys does not matter, so they are sorted. */
function specificationKey({ partitionBy, orderBy }: WindowNode): string {
  const orderings = orderBy.map(({ variable, descending, nullsFirst }) => [variable.name, descending, nullsFirst]);
  return JSON.stringify([partitionBy.map(({ name }) => name).toSorted(), orderings]);
}

function rankOf({ partitionBy }: WindowNode): number {
  return partitionBy.length === 0 ? Number.MAX_SAFE_INTEGER : partitionBy.length;
}
