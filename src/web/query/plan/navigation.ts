/** Moves between nodes by keys, and what is collapsed. Pure. */
import { type Collapsed, nodeKey, type PlanGraph, type ShownGraph, stageKey } from "../model/plan-graph.ts";

/** Plans with more nodes than this open with their stages collapsed. */
const openNodesMax = 400;

export function initiallyCollapsed(graph: PlanGraph): Collapsed {
  return graph.nodes.size > openNodesMax ? new Set(graph.stages.slice(1).map(({ number }) => stageKey(number))) : new Set();
}

export function withToggled(collapsed: Collapsed, key: string): Collapsed {
  const next = new Set(collapsed);
  if (!next.delete(key)) {
    next.add(key);
  }
  return next;
}

/** Up: the node that reads this one. Down: its first source. Left and right: the other sources of the same reader. */
export function neighbor(shown: ShownGraph, id: string, key: string): string | undefined {
  const own = nodeKey(id);
  const reader = shown.edges.find(({ from }) => from === own)?.to;
  const siblings = shown.edges.filter(({ to }) => to === reader).map(({ from }) => from);
  const at = siblings.indexOf(own);
  const target = ((): string | undefined => {
    switch (key) {
      case "ArrowUp":
        return reader;
      case "ArrowDown":
        return shown.edges.find(({ to }) => to === own)?.from;
      case "ArrowLeft":
        return siblings[at - 1];
      case "ArrowRight":
        return siblings[at + 1];
      default:
        return undefined;
    }
  })();
  return target?.startsWith("n") === true ? target.slice(1) : undefined;
}
