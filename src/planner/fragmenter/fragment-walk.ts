/**
 * Traversals over plan fragments: the source fragments and the table scans of a fragment.
 */
import type { PlanFragment } from "./fragment.ts";
import type { PlanNode, RemoteSourceNode, TableScanNode } from "../plan/node.ts";
import { visitPlan } from "../plan/plan-tree.ts";

/** Nodes in plan order: a node before its sources, left before right. */
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

/** Ids of the source fragments of `fragment`, in plan order, without duplicates. */
export function sourceFragmentsOf(fragment: PlanFragment): readonly number[] {
  return [...new Set(remoteSourcesOf(fragment).flatMap((node) => node.fragmentIds))];
}

/** Its tasks write a table, or make what was written visible. */
export function writes(fragment: PlanFragment): boolean {
  return nodesOf(fragment.root).some(({ kind }) => kind === "TableWriter" || kind === "TableFinish");
}

/** Catalogs that the tasks of the fragment read or write, sorted. */
export function catalogsOf(fragment: PlanFragment): readonly string[] {
  const catalogs = new Set<string>();
  visitPlan(fragment.root, (node) => {
    if (node.kind === "TableScan") {
      catalogs.add(node.table.catalog);
    } else if (node.kind === "TableWriter") {
      catalogs.add(node.target.catalog);
    } else if (node.kind === "TableFunction") {
      catalogs.add(node.function.catalog);
    }
  });
  return [...catalogs].toSorted();
}
