/** Walks over plan trees that the coordinator needs: which stages a fragment reads and which tables it scans. */
import type { PlanFragment } from "../plan/fragment.ts";
import type { PlanNode, RemoteSourceNode, TableScanNode } from "../plan/node.ts";
import { sourcesOf } from "../plan/tree.ts";

/** In plan order: a node before what is below it, left before right. */
function nodesOf(root: PlanNode): readonly PlanNode[] {
  const found: PlanNode[] = [];
  const open: PlanNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    open.push(...sourcesOf(node).toReversed());
  }
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
