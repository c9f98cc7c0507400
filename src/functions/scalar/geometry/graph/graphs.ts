/**
 * Loops of JSTS over the edges and nodes of its planar graphs, as generators: JSTS runs each of its operations in one piece, of seconds for
 * polygons of some hundred thousand vertices. Here its loops are written out and yield in between; what they call are the classes of JSTS,
 * in the same order, so that results are the same to the bit.
 */
import ArrayList from "jsts/java/util/ArrayList.js";
import RobustLineIntersector from "jsts/org/locationtech/jts/algorithm/RobustLineIntersector.js";
import LinearRing from "jsts/org/locationtech/jts/geom/LinearRing.js";
import MultiPolygon from "jsts/org/locationtech/jts/geom/MultiPolygon.js";
import Polygon from "jsts/org/locationtech/jts/geom/Polygon.js";
import GeometryGraph from "jsts/org/locationtech/jts/geomgraph/GeometryGraph.js";
import SegmentIntersector from "jsts/org/locationtech/jts/geomgraph/index/SegmentIntersector.js";
import SimpleMCSweepLineIntersector from "jsts/org/locationtech/jts/geomgraph/index/SimpleMCSweepLineIntersector.js";
import { type InSteps, sortInSteps } from "../../../runtime/steps.ts";
import { countOperations, isPauseDue } from "../effort.ts";

/** The part of the API of JSTS in use; its own type declarations use `any`. */
export interface JavaIterable<T> {
  iterator(): { hasNext(): boolean; next(): T };
}

export interface JavaList<T> extends JavaIterable<T> {
  add(value: T): void;
  addAll(values: JavaIterable<T>): void;
  size(): number;
  toArray(): T[];
}

export interface EdgeIntersection {
  readonly coord: unknown;
}

export interface GraphLabel {
  getLocation(side: number): number;
  isNull(side: number): boolean;
}

/** Positions that cut an edge. */
export interface Cuts<Position, Edge> extends JavaIterable<Position> {
  addEndpoints(): void;
  createSplitEdge(from: Position, to: Position): Edge;
}

export interface GraphEdge {
  readonly eiList: Cuts<EdgeIntersection, GraphEdge>;
  getLabel(): GraphLabel;
  isIsolated(): boolean;
}

export interface Graph {
  readonly _argIndex: number;
  readonly _edges: JavaList<GraphEdge>;
  readonly _parentGeom: unknown;
  addSelfIntersectionNode(side: number, coordinate: unknown, location: number): void;
  getBoundaryNodes(): unknown;
}

/** What a sweep has found. */
export interface Intersector {
  isDone(): boolean;
  hasIntersection(): boolean;
  hasProperIntersection(): boolean;
  getProperIntersectionPoint(): { readonly x: number; readonly y: number };
}

interface SweepEvent {
  compareTo(other: SweepEvent): number;
  isInsert(): boolean;
  getInsertEvent(): SweepEvent;
  setDeleteEventIndex(index: number): void;
  getDeleteEventIndex(): number;
  getObject(): { computeIntersections(other: unknown, intersector: unknown): void };
  isSameLabel(other: SweepEvent): boolean;
}

interface Sweep {
  readonly events: JavaList<SweepEvent>;
  addEdges(edges: JavaList<GraphEdge>, set?: unknown): void;
}

export function newList<T>(): JavaList<T> {
  return new ArrayList(undefined) as unknown as JavaList<T>;
}

export function listOf<T>(value: T): JavaList<T> {
  const list = newList<T>();
  list.add(value);
  return list;
}

const operationsPerVisit = 4;

/** Calls `visit` for each value. */
export function* eachOf<T>(values: JavaIterable<T>, visit: (value: T) => void): InSteps<void> {
  for (const rest = values.iterator(); rest.hasNext(); ) {
    visit(rest.next());
    countOperations(operationsPerVisit);
    if (isPauseDue()) {
      yield 1;
    }
  }
}

/** Calls `visit` for each intersection that the edges have with others. */
export function* eachIntersection(
  edges: JavaIterable<GraphEdge>,
  visit: (edge: GraphEdge, intersection: EdgeIntersection) => void,
): InSteps<void> {
  for (const rest = edges.iterator(); rest.hasNext(); ) {
    const edge = rest.next();
    yield* eachOf(edge.eiList, (intersection) => visit(edge, intersection));
  }
}

/** Adds the edge between each two positions that follow each other. */
export function* addCutEdges<Position, Edge>(cuts: Cuts<Position, Edge>, to: JavaList<Edge>): InSteps<void> {
  let before: Position | undefined;
  yield* eachOf(cuts, (position) => {
    if (before !== undefined) {
      to.add(cuts.createSplitEdge(before, position));
    }
    before = position;
  });
}

export function graphOf(side: 0 | 1, geometry: unknown): Graph {
  return new GeometryGraph(side, geometry) as unknown as Graph;
}

export function lineIntersector(): unknown {
  return new RobustLineIntersector();
}

/** Pairs of monotone chains that overlap in x, by a sweep along x. */
function* sweepInSteps(sweep: Sweep, intersector: Intersector): InSteps<void> {
  const events = yield* sortInSteps(sweep.events.toArray(), (a, b) => a.compareTo(b));
  for (const [index, event] of events.entries()) {
    if (!event.isInsert()) {
      event.getInsertEvent().setDeleteEventIndex(index);
    }
  }
  for (const [index, event] of events.entries()) {
    const end = event.isInsert() ? event.getDeleteEventIndex() : index;
    for (let at = index; at < end; at++) {
      const other = events[at] as SweepEvent;
      if (other.isInsert() && !event.isSameLabel(other)) {
        event.getObject().computeIntersections(other.getObject(), intersector);
      }
      countOperations(1);
      if (isPauseDue()) {
        yield 1;
      }
    }
    if (intersector.isDone()) {
      return;
    }
  }
}

function newSweep(): Sweep {
  return new SimpleMCSweepLineIntersector() as unknown as Sweep;
}

/** As GeometryGraph.computeSelfNodes: intersections of the graph's edges with each other. */
export function* selfNodes(
  graph: Graph,
  lines: unknown,
  { ofRings, untilProper = false }: { readonly ofRings: boolean; readonly untilProper?: boolean },
): InSteps<Intersector> {
  const intersector = new SegmentIntersector(lines, true, false);
  intersector.setIsDoneIfProperInt(untilProper);
  const sweep = newSweep();
  const isRings = [LinearRing, Polygon, MultiPolygon].some((type) => graph._parentGeom instanceof type);
  if (ofRings || !isRings) {
    sweep.addEdges(graph._edges, null);
  } else {
    sweep.addEdges(graph._edges);
  }
  yield* sweepInSteps(sweep, intersector as Intersector);
  yield* eachIntersection(graph._edges, (edge, { coord }) =>
    graph.addSelfIntersectionNode(graph._argIndex, coord, edge.getLabel().getLocation(graph._argIndex)),
  );
  return intersector as Intersector;
}

/** As GeometryGraph.computeEdgeIntersections: intersections of the edges of two graphs. */
export function* edgeIntersections(one: Graph, other: Graph, lines: unknown, withProper: boolean): InSteps<Intersector> {
  const intersector = new SegmentIntersector(lines, withProper, true);
  intersector.setBoundaryNodes(one.getBoundaryNodes(), other.getBoundaryNodes());
  const sweep = newSweep();
  sweep.addEdges(one._edges, one._edges);
  sweep.addEdges(other._edges, other._edges);
  yield* sweepInSteps(sweep, intersector as Intersector);
  return intersector as Intersector;
}
