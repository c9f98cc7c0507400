/** Walks over the fragments of a plan: which other fragments one reads and which tables it scans. Used where fragments are shared and by the coordinator. */
import type { PlanFragment } from "./fragment.ts";
import type { PlanNode, RemoteSourceNode, TableScanNode } from "../plan/node.ts";
import { visitPlan } from "../plan/plan-tree.ts";

/** In plan order: a node before what is below it, left before right. */
function nodesOf(root: PlanNode): readonly PlanNode[] {
  const found: PlanNode[] = [];
  visitPlan(root, (node) => found.push(node));
  return found;
}

export function remoteSourcesOf(fragment: PlanFragment): readonly RemoteSourceNode[] {
  return nodesOf(fragment.root).filter((node) => node.kind === "RemoteSource");
}

export function scansOf(fragment: PlanFragment): readonly TableScanNode[] {
  return nodesOf(fragment.root).filter((node) => node.kind === "TableScan");
}

/** Ids of the fragments whose rows `fragment` reads, in plan order, each once. */
export function sourceFragmentsOf(fragment: PlanFragment): readonly number[] {
  return [...new Set(remoteSourcesOf(fragment).flatMap((node) => node.fragmentIds))];
}
