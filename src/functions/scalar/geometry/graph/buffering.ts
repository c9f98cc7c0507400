/**
 * Buffers: BufferOp and BufferBuilder of JSTS, with their loops in steps (graph/graphs.ts).
 */
import RuntimeException from "jsts/java/lang/RuntimeException.js";
import Edge from "jsts/org/locationtech/jts/geomgraph/Edge.js";
import Label from "jsts/org/locationtech/jts/geomgraph/Label.js";
import Position from "jsts/org/locationtech/jts/geomgraph/Position.js";
import PlanarGraph from "jsts/org/locationtech/jts/geomgraph/PlanarGraph.js";
import IntersectionAdder from "jsts/org/locationtech/jts/noding/IntersectionAdder.js";
import BufferBuilder from "jsts/org/locationtech/jts/operation/buffer/BufferBuilder.js";
import BufferOp from "jsts/org/locationtech/jts/operation/buffer/BufferOp.js";
import BufferSubgraph from "jsts/org/locationtech/jts/operation/buffer/BufferSubgraph.js";
import BufferParameters from "jsts/org/locationtech/jts/operation/buffer/BufferParameters.js";
import OffsetCurveBuilder from "jsts/org/locationtech/jts/operation/buffer/OffsetCurveBuilder.js";
import OffsetCurveSetBuilder from "jsts/org/locationtech/jts/operation/buffer/OffsetCurveSetBuilder.js";
import SubgraphDepthLocater from "jsts/org/locationtech/jts/operation/buffer/SubgraphDepthLocater.js";
import OverlayNodeFactory from "jsts/org/locationtech/jts/operation/overlay/OverlayNodeFactory.js";
import PolygonBuilder from "jsts/org/locationtech/jts/operation/overlay/PolygonBuilder.js";
import type { InSteps } from "../../../runtime/steps.ts";
import { countOperations, isPauseDue } from "../effort.ts";
import { addCutEdges, type Cuts, eachOf, type GraphEdge, type JavaIterable, type JavaList, lineIntersector, newList } from "./graphs.ts";
import { nodeInSteps } from "./noding.ts";
import { addEdges, buildPolygons, type Polygons, type ResultGraph } from "./overlaying.ts";

const operationsPerNode = 10;

interface Buffered {
  getFactory(): { buildGeometry(parts: unknown): unknown };
  getPrecisionModel(): unknown;
}

interface Line {
  getCoordinates(): readonly { equals2D(other: unknown): boolean }[];
  getData(): unknown;
  getNodeList(): Cuts<unknown, Line> & { addCollapsedNodes(): void };
}

interface Builder {
  readonly _edgeList: { getEdges(): JavaIterable<GraphEdge> };
  _geomFact: unknown;
  createEmptyResultGeometry(): unknown;
  insertUniqueEdge(edge: unknown): void;
}

interface Node {
  isVisited(): boolean;
  getEdges(): JavaIterable<DirectedEdge>;
}

interface DirectedEdge {
  getNode(): Node;
  getSym(): DirectedEdge;
  isVisited(): boolean;
  setVisited(isVisited: boolean): void;
  setEdgeDepths(side: number, depth: number): void;
  getDepth(side: number): number;
  isInteriorAreaEdge(): boolean;
  setInResult(isInResult: boolean): void;
}

/** The edges that are connected with each other. */
interface Subgraph {
  readonly _finder: { findEdge(edges: unknown): void; getCoordinate(): unknown; getEdge(): DirectedEdge };
  _rightMostCoord: unknown;
  add(node: Node, next: { push(node: Node): void }): void;
  compareTo(other: Subgraph): number;
  getRightmostCoordinate(): unknown;
  copySymDepths(edge: DirectedEdge): void;
  computeNodeDepth(node: Node): void;
  getDirectedEdges(): JavaIterable<DirectedEdge>;
  getNodes(): JavaIterable<unknown>;
}

/** As BufferOp: where rounding breaks the graph, JSTS computes with fewer digits, in one piece. */
export function* bufferInSteps<Geometry>(geometry: unknown, distance: number, quadrantSegments: number): InSteps<Geometry> {
  const parameters = new BufferParameters();
  parameters.setQuadrantSegments(quadrantSegments);
  try {
    return (yield* build(geometry as Buffered, distance, parameters)) as Geometry;
  } catch (error) {
    if (!(error instanceof RuntimeException)) {
      throw error;
    }
    yield 1;
    const op = new BufferOp(geometry, parameters) as unknown as {
      _distance: number;
      readonly _resultGeometry: unknown;
      bufferReducedPrecision(): void;
    };
    op._distance = distance;
    op.bufferReducedPrecision();
    return op._resultGeometry as Geometry;
  }
}

function* build(geometry: Buffered, distance: number, parameters: unknown): InSteps<unknown> {
  const builder = new BufferBuilder(parameters) as unknown as Builder;
  builder._geomFact = geometry.getFactory();
  const curves = new OffsetCurveSetBuilder(
    geometry,
    distance,
    new OffsetCurveBuilder(geometry.getPrecisionModel(), parameters),
  ).getCurves() as JavaList<Line>;
  if (curves.size() <= 0) {
    return builder.createEmptyResultGeometry();
  }
  yield* nodeInSteps(curves, new IntersectionAdder(lineIntersector()) as { isDone(): boolean });
  const noded = newList<Line>();
  for (const curve of curves.toArray()) {
    const cuts = curve.getNodeList();
    cuts.addEndpoints();
    cuts.addCollapsedNodes();
    yield* addCutEdges(cuts, noded);
  }
  yield* eachOf(noded, (line) => {
    const points = line.getCoordinates();
    if (points.length !== 2 || points[0]?.equals2D(points[1]) !== true) {
      builder.insertUniqueEdge(new Edge(points, new Label(line.getData())));
    }
  });
  const graph = new PlanarGraph(new OverlayNodeFactory()) as unknown as ResultGraph;
  yield* addEdges(graph, builder._edgeList.getEdges());
  const polygons = new PolygonBuilder(builder._geomFact) as unknown as Polygons;
  yield* buildSubgraphs(yield* subgraphsOf(graph.getNodes() as JavaIterable<unknown> as JavaIterable<Node>), polygons);
  const parts = polygons.getPolygons();
  return parts.size() <= 0 ? builder.createEmptyResultGeometry() : geometry.getFactory().buildGeometry(parts);
}

/** As BufferBuilder.createSubgraphs: from the right to the left. */
function* subgraphsOf(nodes: JavaIterable<Node>): InSteps<readonly Subgraph[]> {
  const subgraphs: Subgraph[] = [];
  for (const rest = nodes.iterator(); rest.hasNext(); ) {
    const first = rest.next();
    if (first.isVisited()) {
      continue;
    }
    const subgraph = new BufferSubgraph() as unknown as Subgraph;
    const stack = [first];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      subgraph.add(node, stack);
      countOperations(operationsPerNode);
      if (isPauseDue()) {
        yield 1;
      }
    }
    subgraph._finder.findEdge(subgraph.getDirectedEdges());
    subgraph._rightMostCoord = subgraph._finder.getCoordinate();
    subgraphs.push(subgraph);
  }
  return subgraphs.sort((a, b) => b.compareTo(a));
}

/** As BufferSubgraph.computeDepth: how many curves are around each side of each edge, from a side where that is known. */
function* computeDepths(subgraph: Subgraph, outside: number): InSteps<void> {
  yield* eachOf(subgraph.getDirectedEdges(), (edge) => edge.setVisited(false));
  const start = subgraph._finder.getEdge();
  start.setEdgeDepths(Position.RIGHT as number, outside);
  subgraph.copySymDepths(start);
  start.setVisited(true);
  const queue = [start.getNode()];
  const seen = new Set(queue);
  for (const node of queue) {
    subgraph.computeNodeDepth(node);
    yield* eachOf(node.getEdges(), (edge) => {
      const other = edge.getSym();
      if (!other.isVisited() && !seen.has(other.getNode())) {
        seen.add(other.getNode());
        queue.push(other.getNode());
      }
    });
  }
}

function isResult(edge: DirectedEdge): boolean {
  return edge.getDepth(Position.RIGHT as number) >= 1 && edge.getDepth(Position.LEFT as number) <= 0 && !edge.isInteriorAreaEdge();
}

function* buildSubgraphs(subgraphs: readonly Subgraph[], polygons: Polygons): InSteps<void> {
  const processed = newList<Subgraph>();
  for (const subgraph of subgraphs) {
    const locater = new SubgraphDepthLocater(processed);
    yield* computeDepths(subgraph, locater.getDepth(subgraph.getRightmostCoordinate()) as number);
    yield* eachOf(subgraph.getDirectedEdges(), (edge) => {
      if (isResult(edge)) {
        edge.setInResult(true);
      }
    });
    processed.add(subgraph);
    yield* buildPolygons(polygons, subgraph.getDirectedEdges(), subgraph.getNodes());
  }
}
