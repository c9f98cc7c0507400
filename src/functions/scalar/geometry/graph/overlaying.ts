/**
 * Overlays of two geometries: OverlayOp of JSTS, with its loops in steps (graph/graphs.ts).
 */
import RuntimeException from "jsts/java/lang/RuntimeException.js";
import EdgeNodingValidator from "jsts/org/locationtech/jts/geomgraph/EdgeNodingValidator.js";
import FastNodingValidator from "jsts/org/locationtech/jts/noding/FastNodingValidator.js";
import NodingIntersectionFinder from "jsts/org/locationtech/jts/noding/NodingIntersectionFinder.js";
import LineBuilder from "jsts/org/locationtech/jts/operation/overlay/LineBuilder.js";
import OverlayOp from "jsts/org/locationtech/jts/operation/overlay/OverlayOp.js";
import PointBuilder from "jsts/org/locationtech/jts/operation/overlay/PointBuilder.js";
import PolygonBuilder from "jsts/org/locationtech/jts/operation/overlay/PolygonBuilder.js";
import SnapOverlayOp from "jsts/org/locationtech/jts/operation/overlay/snap/SnapOverlayOp.js";
import type { InSteps } from "../../../runtime/steps.ts";
import {
  addCutEdges,
  eachOf,
  edgeIntersections,
  type Graph,
  type GraphEdge,
  type JavaIterable,
  type JavaList,
  lineIntersector,
  listOf,
  newList,
  selfNodes,
} from "./graphs.ts";
import { nodeInSteps } from "./noding.ts";

interface EdgeStar {
  computeLabelling(graphs: readonly Graph[]): void;
  mergeSymLabels(): void;
  updateLabelling(label: unknown): void;
  linkResultDirectedEdges(): void;
  findCoveredLineEdges(): void;
  getDegree(): number;
  getLabel(): unknown;
}

interface Node {
  getCoordinate(): unknown;
  getLabel(): { isNull(side: number): boolean; merge(label: unknown): void };
  getEdges(): EdgeStar;
  isIsolated(): boolean;
  isInResult(): boolean;
  isIncidentEdgeInResult(): boolean;
}

interface DirectedEdge {
  getEdge(): { isCoveredSet(): boolean; setCovered(isCovered: boolean): void };
  getCoordinate(): unknown;
  isLineEdge(): boolean;
}

export interface ResultGraph {
  addEdges(edges: JavaList<GraphEdge>): void;
  getNodes(): JavaIterable<Node>;
  getEdgeEnds(): JavaList<DirectedEdge>;
}

interface Op {
  readonly _arg: readonly [Graph, Graph];
  readonly _li: unknown;
  readonly _graph: ResultGraph;
  readonly _edgeList: { getEdges(): JavaList<GraphEdge> };
  readonly _geomFact: unknown;
  readonly _ptLocator: unknown;
  _resultPolyList: unknown;
  _resultLineList: unknown;
  _resultPointList: unknown;
  copyPoints(side: number): void;
  insertUniqueEdge(edge: GraphEdge): void;
  computeLabelsFromDepths(): void;
  replaceCollapsedEdges(): void;
  labelIncompleteNode(node: Node, side: number): void;
  findResultAreaEdges(code: number): void;
  cancelDuplicateResultEdges(): void;
  isCoveredByA(coordinate: unknown): boolean;
  computeGeometry(points: unknown, lines: unknown, polygons: unknown, code: number): unknown;
}

/** As SnapIfNeededOverlayOp: if rounding breaks the graph, the geometries are snapped to each other first. */
export function* overlayInSteps<Geometry>(one: unknown, other: unknown, code: number): InSteps<Geometry> {
  try {
    return (yield* overlayOp(one, other, code)) as Geometry;
  } catch (error) {
    if (!(error instanceof RuntimeException)) {
      throw error;
    }
    yield 1;
    const snapping = new SnapOverlayOp(one, other) as unknown as {
      readonly _geom: unknown;
      snap(geometries: unknown): readonly [unknown, unknown];
      prepareResult(geometry: unknown): unknown;
    };
    try {
      const [snapped, otherSnapped] = snapping.snap(snapping._geom);
      yield 1;
      return snapping.prepareResult(yield* overlayOp(snapped, otherSnapped, code)) as Geometry;
    } catch (again) {
      throw again instanceof RuntimeException ? error : again;
    }
  }
}

function* overlayOp(one: unknown, other: unknown, code: number): InSteps<unknown> {
  const op = new OverlayOp(one, other) as unknown as Op;
  op.copyPoints(0);
  op.copyPoints(1);
  yield* selfNodes(op._arg[0], op._li, { ofRings: false });
  yield* selfNodes(op._arg[1], op._li, { ofRings: false });
  yield* edgeIntersections(op._arg[0], op._arg[1], op._li, true);
  const split = newList<GraphEdge>();
  for (const { eiList } of op._arg.flatMap(({ _edges }) => _edges.toArray())) {
    eiList.addEndpoints();
    yield* addCutEdges(eiList, split);
  }
  yield* eachOf(split, (edge) => op.insertUniqueEdge(edge));
  op.computeLabelsFromDepths();
  op.replaceCollapsedEdges();
  yield* checkNoding(op._edgeList.getEdges());
  yield* addEdges(op._graph, op._edgeList.getEdges());
  yield* label(op);
  op.findResultAreaEdges(code);
  op.cancelDuplicateResultEdges();
  const polygons = new PolygonBuilder(op._geomFact) as unknown as Polygons;
  yield* buildPolygons(polygons, op._graph.getEdgeEnds(), op._graph.getNodes());
  op._resultPolyList = polygons.getPolygons();
  yield* buildLines(op, code);
  yield* buildPoints(op, code);
  return op.computeGeometry(op._resultPointList, op._resultLineList, op._resultPolyList, code);
}

/** As EdgeNodingValidator: no edge may cross another one between its ends. */
function* checkNoding(edges: JavaList<GraphEdge>): InSteps<void> {
  const validator = new FastNodingValidator(EdgeNodingValidator.toSegmentStrings(edges)) as unknown as {
    readonly _segStrings: JavaIterable<unknown>;
    _segInt: unknown;
    _isValid: boolean;
    checkValid(): void;
  };
  const finder = new NodingIntersectionFinder(lineIntersector());
  finder.setFindAllIntersections(false);
  validator._segInt = finder;
  yield* nodeInSteps(validator._segStrings, finder as { isDone(): boolean });
  validator._isValid = !(finder.hasIntersection() as boolean);
  validator.checkValid();
}

/** As PlanarGraph.addEdges. */
export function* addEdges(graph: ResultGraph, edges: JavaIterable<GraphEdge>): InSteps<void> {
  yield* eachOf(edges, (edge) => graph.addEdges(listOf(edge)));
}

/** As computeLabelling and labelIncompleteNodes of OverlayOp. */
function* label(op: Op): InSteps<void> {
  yield* eachOf(op._graph.getNodes(), (node) => node.getEdges().computeLabelling(op._arg));
  yield* eachOf(op._graph.getNodes(), (node) => node.getEdges().mergeSymLabels());
  yield* eachOf(op._graph.getNodes(), (node) => node.getLabel().merge(node.getEdges().getLabel()));
  yield* eachOf(op._graph.getNodes(), (node) => {
    if (node.isIsolated()) {
      op.labelIncompleteNode(node, node.getLabel().isNull(0) ? 0 : 1);
    }
    node.getEdges().updateLabelling(node.getLabel());
  });
}

export interface Polygons {
  readonly _shellList: JavaList<unknown>;
  buildMaximalEdgeRings(edges: JavaIterable<unknown>): JavaIterable<unknown>;
  buildMinimalEdgeRings(rings: JavaIterable<unknown>, shells: unknown, holes: unknown): JavaIterable<unknown>;
  sortShellsAndHoles(rings: unknown, shells: unknown, holes: unknown): void;
  placeFreeHoles(shells: unknown, holes: unknown): void;
  getPolygons(): JavaList<unknown>;
}

/** As PolygonBuilder.add. */
export function* buildPolygons(builder: Polygons, edges: JavaIterable<unknown>, nodes: JavaIterable<unknown>): InSteps<void> {
  yield* eachOf(nodes as JavaIterable<Node>, (node) => node.getEdges().linkResultDirectedEdges());
  const holes = newList<unknown>();
  const maximal = newList<unknown>();
  yield* eachOf(edges, (edge) => maximal.addAll(builder.buildMaximalEdgeRings(listOf(edge))));
  const rings = newList<unknown>();
  yield* eachOf(maximal, (ring) => rings.addAll(builder.buildMinimalEdgeRings(listOf(ring), builder._shellList, holes)));
  builder.sortShellsAndHoles(rings, builder._shellList, holes);
  yield* eachOf(holes, (hole) => builder.placeFreeHoles(builder._shellList, listOf(hole)));
}

/** As LineBuilder.build. */
function* buildLines(op: Op, code: number): InSteps<void> {
  const builder = new LineBuilder(op, op._geomFact, op._ptLocator) as unknown as {
    readonly _resultLineList: unknown;
    collectLines(code: number): void;
    buildLines(code: number): void;
  };
  yield* eachOf(op._graph.getNodes(), (node) => node.getEdges().findCoveredLineEdges());
  yield* eachOf(op._graph.getEdgeEnds(), (end) => {
    const edge = end.getEdge();
    if (end.isLineEdge() && !edge.isCoveredSet()) {
      edge.setCovered(op.isCoveredByA(end.getCoordinate()));
    }
  });
  builder.collectLines(code);
  builder.buildLines(code);
  op._resultLineList = builder._resultLineList;
}

/** As PointBuilder.build. */
function* buildPoints(op: Op, code: number): InSteps<void> {
  const builder = new PointBuilder(op, op._geomFact, op._ptLocator) as unknown as {
    readonly _resultPointList: unknown;
    filterCoveredNodeToPoint(node: Node): void;
  };
  yield* eachOf(op._graph.getNodes(), (node) => {
    const isAlone = !node.isInResult() && !node.isIncidentEdgeInResult();
    if (isAlone && (node.getEdges().getDegree() === 0 || code === OverlayOp.INTERSECTION) && isResult(node, code)) {
      builder.filterCoveredNodeToPoint(node);
    }
  });
  op._resultPointList = builder._resultPointList;
}

function isResult(node: Node, code: number): boolean {
  return OverlayOp.isResultOfOp(node.getLabel(), code) as boolean;
}
