/**
 * The live plan. Drag or arrow keys move it, the wheel, a pinch, + and − zoom, 0 fits it. Arrow keys on a node go to its neighbours, Enter
 * opens its details, Space hides what is below it.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Empty, Loading } from "../../components/empty.tsx";
import { shortCountText } from "../../components/format.ts";
import type { QueryDetail } from "../model/documents.ts";
import {
  type Collapsed,
  type GraphNode,
  nodeKey,
  type PlanGraph,
  planGraph,
  shownGraph,
  type ShownGraph,
  stageKey,
} from "../model/plan-graph.ts";
import type { Placed, placeGraph } from "./layout.ts";
import { NodeCard } from "./node-card.tsx";
import { NodeDetails } from "./node-details.tsx";
import { initiallyCollapsed, neighbor, withToggled } from "./navigation.ts";
import { StageFrame } from "./stage-frame.tsx";
import { useViewport, type Viewport } from "./use-viewport.ts";

/** Loads dagre when the first plan is shown. */
function usePlacing(): typeof placeGraph | undefined {
  const [place, setPlace] = useState<{ readonly run: typeof placeGraph }>();
  useEffect(() => {
    let left = false;
    void import("./layout.ts").then((module) => left || setPlace({ run: module.placeGraph }));
    return () => {
      left = true;
    };
  }, []);
  return place?.run;
}

export function PlanView({ query }: { readonly query: QueryDetail }): JSX.Element {
  const graph = useMemo(() => planGraph(query), [query]);
  if (!graph.stages.some(({ root }) => root !== undefined)) {
    return <NoPlan query={query} />;
  }
  return <Plan key={query.queryId} graph={graph} />;
}

function NoPlan({ query }: { readonly query: QueryDetail }): JSX.Element {
  const isEnded = query.state === "FINISHED" || query.state === "FAILED";
  if (!isEnded) {
    return <Empty title="The query has no plan yet">{query.waitMessage !== undefined && <p>{query.waitMessage}</p>}</Empty>;
  }
  return (
    <Empty title="The query has no plan">
      <p>
        {query.state === "FAILED" ? "It failed before it was planned." : "The coordinator answered the statement without running tasks."}
      </p>
    </Empty>
  );
}

function Plan({ graph }: { readonly graph: PlanGraph }): JSX.Element {
  const place = usePlacing();
  const [collapsed, setCollapsed] = useState<Collapsed>(() => initiallyCollapsed(graph));
  const [selected, setSelected] = useState<string>();
  const [current, setCurrent] = useState<string | undefined>(graph.stages[0]?.root);
  const shown = useMemo(() => shownGraph(graph, collapsed), [graph, collapsed]);
  const structure = structureOf(shown);
  const placed = useMemo(() => place?.(shown), [place, structure]);
  const svg = useRef<SVGSVGElement>(null);
  const toggle = (key: string): void => setCollapsed((old) => withToggled(old, key));
  const node = selected === undefined ? undefined : graph.nodes.get(selected);
  return (
    <div class="plan">
      {placed === undefined ? (
        <Loading what="the plan" />
      ) : (
        <Drawing
          {...{ graph, shown, placed, collapsed, selected, current, svg, toggle, setSelected, setCurrent }}
          setAll={(isCollapsed) => setCollapsed(isCollapsed ? new Set(graph.stages.map((stage) => stageKey(stage.number))) : new Set())}
        />
      )}
      {node !== undefined && <NodeDetails node={node} onClose={() => setSelected(undefined)} />}
    </div>
  );
}

/** What the layout depends on. */
function structureOf({ stages, edges }: ShownGraph): string {
  const parts = stages.map(
    ({ stage, isCollapsed, nodes }) =>
      `${stage.number}${isCollapsed ? "-" : "+"}${nodes.map((node) => `${node.id}${node.fusedText === "" ? "" : "f"}`).join(",")}`,
  );
  return `${parts.join(";")}|${edges.length}`;
}

interface DrawingProps {
  readonly graph: PlanGraph;
  readonly shown: ShownGraph;
  readonly placed: Placed;
  readonly collapsed: Collapsed;
  readonly selected: string | undefined;
  readonly current: string | undefined;
  readonly svg: { current: SVGSVGElement | null };
  readonly toggle: (key: string) => void;
  readonly setSelected: (id: string | undefined) => void;
  readonly setCurrent: (id: string) => void;
  readonly setAll: (isCollapsed: boolean) => void;
}

function Drawing(props: DrawingProps): JSX.Element {
  const { graph, shown, placed, collapsed, selected, current, svg, toggle, setSelected, setCurrent, setAll } = props;
  const viewport = useViewport(svg);
  useEffect(() => viewport.setDrawing(placed), [viewport, placed]);
  const goTo = (id: string): void => {
    setCurrent(id);
    const box = placed.boxes.get(nodeKey(id));
    if (box !== undefined) {
      viewport.reveal(box);
    }
    svg.current?.querySelector<SVGElement>(`[data-node="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  };
  const onClick = (event: MouseEvent): void => {
    if (!viewport.wasDragged) {
      clicked(event.target, { toggle, open: (id) => (setCurrent(id), setSelected(id)) });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isHandled = keyed(event, { viewport, toggle, goTo, close: () => setSelected(undefined), open: setSelected, shown });
    if (isHandled) {
      event.preventDefault();
    }
  };
  // The node in the tab order must be one that is shown.
  const tabStop = shown.stages.some(({ nodes }) => nodes.some(({ id }) => id === current)) ? current : shown.stages[0]?.nodes[0]?.id;
  return (
    <div class="plan-drawing">
      <svg
        ref={svg}
        class="plan-svg"
        role="group"
        tabindex={0}
        aria-label="Plan. Arrow keys move, plus and minus zoom, 0 fits. On a node: arrow keys go to its neighbors, Enter opens its details, Space collapses."
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <g class="drawing">
          {shown.stages.map((one) => {
            const box = placed.boxes.get(stageKey(one.stage.number));
            return box === undefined ? null : <StageFrame key={one.stage.number} shown={one} box={box} />;
          })}
          <Edges placed={placed} shown={shown} />
          {shown.stages.flatMap(({ nodes }) =>
            nodes.map((node) => {
              const box = placed.boxes.get(nodeKey(node.id));
              const isCollapsed = collapsed.has(nodeKey(node.id));
              return box === undefined ? null : (
                <NodeCard
                  key={node.id}
                  {...{ node, box, isCollapsed }}
                  wallNanosMax={graph.wallNanosMax}
                  isSelected={node.id === selected}
                  isCurrent={node.id === tabStop}
                  hiddenCount={isCollapsed ? countBelow(graph, node) : 0}
                />
              );
            }),
          )}
        </g>
      </svg>
      <Controls viewport={viewport} setAll={setAll} isLarge={graph.stages.length > 1} />
    </div>
  );
}

function countBelow(graph: PlanGraph, node: GraphNode): number {
  const seen = new Set<string>();
  const visit = (id: string): void => {
    for (const child of graph.nodes.get(id)?.children ?? []) {
      if (!seen.has(child)) {
        seen.add(child);
        visit(child);
      }
    }
  };
  visit(node.id);
  return seen.size;
}

/** Edges have new row counts with each document, but their paths change with the layout only. */
function Edges({ placed, shown }: { readonly placed: Placed; readonly shown: ShownGraph }): JSX.Element {
  const rows = new Map(shown.edges.map((edge) => [`${edge.from}>${edge.to}`, edge.rows]));
  return (
    <g class="edges" aria-hidden="true">
      {placed.edges.map(({ edge, path, x, y }) => {
        const key = `${edge.from}>${edge.to}`;
        const count = rows.get(key);
        const width = count === undefined ? 1 : Math.min(7, 1 + Math.log10(1 + count) * 0.75);
        const isRemote = edge.fromStage !== edge.toStage;
        return (
          <g key={key} class={`${isRemote ? "remote" : ""} ${edge.isBuild ? "build" : ""}`}>
            <path d={path} style={{ strokeWidth: `${width.toFixed(1)}px` }} />
            {isRemote && count !== undefined && (
              <text class="near" x={x + 8} y={y - 7}>
                {shortCountText(count)}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

function clicked(target: EventTarget | null, act: { readonly toggle: (key: string) => void; readonly open: (id: string) => void }): void {
  if (!(target instanceof Element)) {
    return;
  }
  const id = target.closest("[data-toggle]")?.getAttribute("data-toggle");
  const stage = target.closest("[data-stage]")?.getAttribute("data-stage");
  const node = target.closest("[data-node]")?.getAttribute("data-node");
  if (id !== null && id !== undefined) {
    act.toggle(nodeKey(id));
  } else if (stage !== null && stage !== undefined) {
    act.toggle(stageKey(Number(stage)));
  } else if (node !== null && node !== undefined) {
    act.open(node);
  }
}

interface KeyActions {
  readonly viewport: Viewport;
  readonly toggle: (key: string) => void;
  readonly goTo: (id: string) => void;
  readonly open: (id: string) => void;
  readonly close: () => void;
  readonly shown: ShownGraph;
}

const stepPx = 60;
const zoomStep = 1.25;

/** True if the key did something. */
function keyed(event: KeyboardEvent, { viewport, toggle, goTo, open, close, shown }: KeyActions): boolean {
  const { key, target } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof Element)) {
    return false;
  }
  const id = target.closest("[data-node]")?.getAttribute("data-node") ?? undefined;
  const stage = target.closest("[data-stage]")?.getAttribute("data-stage") ?? undefined;
  const isAction = key === "Enter" || key === " ";
  if (isAction && stage !== undefined) {
    toggle(stageKey(Number(stage)));
    return true;
  }
  if (isAction && id !== undefined) {
    if (key === "Enter") {
      open(id);
    } else {
      toggle(nodeKey(id));
    }
    return true;
  }
  const next = id === undefined || event.shiftKey ? undefined : neighbor(shown, id, key);
  if (next !== undefined) {
    goTo(next);
    return true;
  }
  return moved(key, viewport, close);
}

function moved(key: string, viewport: Viewport, close: () => void): boolean {
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => viewport.pan(stepPx, 0),
    ArrowRight: () => viewport.pan(-stepPx, 0),
    ArrowUp: () => viewport.pan(0, stepPx),
    ArrowDown: () => viewport.pan(0, -stepPx),
    "+": () => viewport.zoom(zoomStep),
    "=": () => viewport.zoom(zoomStep),
    "-": () => viewport.zoom(1 / zoomStep),
    "0": () => viewport.fitAll(),
    Escape: close,
  };
  const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
  action?.();
  return action !== undefined;
}

interface ControlsProps {
  readonly viewport: Viewport;
  readonly setAll: (isCollapsed: boolean) => void;
  readonly isLarge: boolean;
}

function Controls({ viewport, setAll, isLarge }: ControlsProps): JSX.Element {
  return (
    <div class="plan-controls" role="toolbar" aria-label="View of the plan">
      <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => viewport.zoom(zoomStep)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out (−)" onClick={() => viewport.zoom(1 / zoomStep)}>
        −
      </button>
      <button type="button" title="Show the whole plan (0)" onClick={() => viewport.fitAll()}>
        Fit
      </button>
      {isLarge && (
        <>
          <button type="button" onClick={() => setAll(true)}>
            Collapse stages
          </button>
          <button type="button" onClick={() => setAll(false)}>
            Expand all
          </button>
        </>
      )}
    </div>
  );
}
