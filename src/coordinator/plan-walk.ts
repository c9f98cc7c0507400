/** Walks over plan trees that the coordinator needs: which stages a fragment reads, which tables it scans, which table it writes. */
import type { PlanFragment } from "../plan/fragment.ts";
import type { PlanNode, RemoteSourceNode, TableScanNode, WriteTarget } from "../plan/node.ts";
import { unreachable } from "../protocol/errors.ts";

export function childrenOf(node: PlanNode): readonly PlanNode[] {
  switch (node.kind) {
    case "TableScan":
    case "Values":
    case "RemoteSource":
      return [];
    case "Filter":
    case "Project":
    case "Aggregation":
    case "MarkDistinct":
    case "EnforceSingleRow":
    case "Sort":
    case "TopN":
    case "Limit":
    case "Offset":
    case "Output":
    case "TableWriter":
    case "TableFinish":
      return [node.source];
    case "Join":
      return [node.left, node.right];
    case "SemiJoin":
      return [node.source, node.filtering];
    case "Union":
    case "Exchange":
      return node.sources;
    default:
      return unreachable(node);
  }
}

/** In plan order: a node before what is below it, left before right. */
export function nodesOf(root: PlanNode): readonly PlanNode[] {
  const found: PlanNode[] = [];
  const open: PlanNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    open.push(...childrenOf(node).toReversed());
  }
  return found;
}

export function remoteSourcesOf(fragment: PlanFragment): readonly RemoteSourceNode[] {
  return nodesOf(fragment.root).filter((node) => node.kind === "RemoteSource");
}

export function scansOf(fragment: PlanFragment): readonly TableScanNode[] {
  return nodesOf(fragment.root).filter((node) => node.kind === "TableScan");
}

/** Ids of the fragments whose rows `fragment` reads, in plan order. */
export function sourceFragmentsOf(fragment: PlanFragment): readonly number[] {
  return remoteSourcesOf(fragment).flatMap((node) => node.fragmentIds);
}

/** A copy of the tree in which every node that writes has this handle. Only the path to such nodes is copied. */
export function withWriteHandle(node: PlanNode, handle: WriteTarget["handle"]): PlanNode {
  switch (node.kind) {
    case "TableFinish":
    case "TableWriter":
      return { ...node, target: { ...node.target, handle }, source: withWriteHandle(node.source, handle) };
    case "Output":
    case "Project":
    case "Aggregation":
    case "Filter":
    case "Limit":
      return { ...node, source: withWriteHandle(node.source, handle) };
    case "Exchange":
    case "Union":
      return { ...node, sources: node.sources.map((source) => withWriteHandle(source, handle)) };
    default:
      return node;
  }
}
