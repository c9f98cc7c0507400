/**
 * Places the shown graph: each stage as a box with its nodes inside, then the boxes. Two small layouts are fast and keep a stage together.
 * Depends on the structure alone, so that new numbers do not move anything. A chunk of its own, because dagre is in it.
 */
import { Graph, layout } from "@dagrejs/dagre";
import { nodeKey, type ShownEdge, type ShownGraph, type ShownStage, stageKey } from "../model/plan-graph.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly edge: ShownEdge;
  readonly path: string;
  /** Where its label stands. */
  readonly x: number;
  readonly y: number;
}

export interface Placed {
  readonly width: number;
  readonly height: number;
  /** By `nodeKey` and `stageKey`. */
  readonly boxes: ReadonlyMap<string, Box>;
  readonly edges: readonly PlacedEdge[];
}

export const nodeWidth = 228;
export const fullHeight = 96;
/** Of a node without numbers of its own. */
export const smallHeight = 46;
export const stageHead = 30;
const stageGap = 12;
const nodeGap = 18;
const rankGap = 26;
const collapsedWidth = 228;
const collapsedHeight = 74;

/** Height by what the node can show. A node without an operator of its own is recognised when its stage starts. */
export function heightOf(node: { readonly document: { readonly kind: string }; readonly fusedText: string }): number {
  return node.fusedText !== "" || node.document.kind === "Output" ? smallHeight : fullHeight;
}

interface Inner {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Box>;
}

export function placeGraph(shown: ShownGraph): Placed {
  const inners = new Map(shown.stages.map((stage) => [stage.stage.number, placeStage(stage, shown.edges)]));
  const outer = new Graph({ multigraph: false }).setGraph({ rankdir: "TB", nodesep: 36, ranksep: 52, marginx: 16, marginy: 16 });
  outer.setDefaultEdgeLabel(() => ({}));
  for (const [number, { width, height }] of inners) {
    outer.setNode(String(number), { width, height });
  }
  for (const { fromStage, toStage } of shown.edges) {
    if (fromStage !== toStage) {
      outer.setEdge(String(toStage), String(fromStage));
    }
  }
  if (inners.size > 0) {
    layout(outer);
  }
  const boxes = new Map<string, Box>();
  for (const [number, inner] of inners) {
    const { x = 0, y = 0 } = outer.node(String(number)) as { x?: number; y?: number };
    const left = x - inner.width / 2;
    const top = y - inner.height / 2;
    boxes.set(stageKey(number), { x: left, y: top, width: inner.width, height: inner.height });
    for (const [key, box] of inner.boxes) {
      boxes.set(key, { ...box, x: left + box.x, y: top + box.y });
    }
  }
  const { width = 0, height = 0 } = outer.graph() as { width?: number; height?: number };
  return { width, height, boxes, edges: placeEdges(shown.edges, boxes) };
}

/**
 * Nodes inside a stage, relative to its corner. They are a tree: each node is centered above the nodes that it reads, the probe side on the
 * left.
 */
function placeStage({ stage, isCollapsed, nodes }: ShownStage, edges: readonly ShownEdge[]): Inner {
  if (isCollapsed) {
    return { width: collapsedWidth, height: collapsedHeight, boxes: new Map() };
  }
  const heights = new Map(nodes.map((node) => [nodeKey(node.id), heightOf(node)]));
  const below = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (heights.has(from) && heights.has(to)) {
      below.set(to, [...(below.get(to) ?? []), from]);
    }
  }
  const boxes = new Map<string, Box>();
  /** Places the node and what is below it from `x`, `y` on; returns the width of all that. */
  const place = (key: string, x: number, y: number): number => {
    const height = heights.get(key) ?? fullHeight;
    let width = 0;
    for (const child of below.get(key) ?? []) {
      width += (width === 0 ? 0 : nodeGap) + place(child, x + (width === 0 ? 0 : width + nodeGap), y + height + rankGap);
    }
    const whole = Math.max(nodeWidth, width);
    boxes.set(key, { x: x + (whole - nodeWidth) / 2, y, width: nodeWidth, height });
    return whole;
  };
  const width = stage.root === undefined ? nodeWidth : place(nodeKey(stage.root), stageGap, stageHead + 6);
  const bottom = [...boxes.values()].reduce((max, box) => Math.max(max, box.y + box.height), stageHead);
  return { width: width + 2 * stageGap, height: bottom + stageGap, boxes };
}

/**
 * Curves from the top of the giving box to the bottom of the taking one. Edges into one box share its bottom. What another stage gives
 * leaves at the top of that stage's frame.
 */
function placeEdges(edges: readonly ShownEdge[], boxes: ReadonlyMap<string, Box>): readonly PlacedEdge[] {
  const into = new Map<string, ShownEdge[]>();
  for (const edge of edges) {
    const group = into.get(edge.to) ?? [];
    into.set(edge.to, group);
    group.push(edge);
  }
  return [...into.values()].flatMap((group) => {
    const byPlace = [...group].sort((a, b) => (boxes.get(a.from)?.x ?? 0) - (boxes.get(b.from)?.x ?? 0));
    return byPlace.flatMap((edge, index): readonly PlacedEdge[] => {
      const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
      if (from === undefined || to === undefined) {
        return [];
      }
      const x1 = from.x + from.width / 2;
      const y1 = edge.fromStage === edge.toStage ? from.y : (boxes.get(stageKey(edge.fromStage)) ?? from).y;
      const x2 = to.x + (to.width * (index + 1)) / (group.length + 1);
      const y2 = to.y + to.height;
      const bend = Math.max(12, (y1 - y2) / 2);
      const path = `M${round(x1)},${round(y1)}C${round(x1)},${round(y1 - bend)} ${round(x2)},${round(y2 + bend)} ${round(x2)},${round(y2)}`;
      return [{ edge, path, x: round(x1), y: round(y1) }];
    });
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
