/**
 * The intersection matrix of two geometries: RelateComputer of JSTS, with its loops in steps (graph/graphs.ts).
 */
import GeomLocation from "jsts/org/locationtech/jts/geom/Location.js";
import JtsMatrix from "jsts/org/locationtech/jts/geom/IntersectionMatrix.js";
import EdgeEndBuilder from "jsts/org/locationtech/jts/operation/relate/EdgeEndBuilder.js";
import RelateComputer from "jsts/org/locationtech/jts/operation/relate/RelateComputer.js";
import type { InSteps } from "../../../runtime/steps.ts";
import {
  type EdgeIntersection,
  eachIntersection,
  eachOf,
  edgeIntersections,
  type Graph,
  type GraphEdge,
  type GraphLabel,
  graphOf,
  type Intersector,
  type JavaIterable,
  type JavaList,
  lineIntersector,
  newList,
  selfNodes,
} from "./graphs.ts";

interface Node {
  getCoordinate(): unknown;
  getLabel(): GraphLabel;
  setLabel(side: number, location: number): void;
  setLabelBoundary(side: number): void;
  isIsolated(): boolean;
  getEdges(): { computeLabelling(graphs: readonly Graph[]): void };
  updateIM(matrix: unknown): void;
  updateIMFromEdges(matrix: unknown): void;
}

interface Computer {
  readonly _nodes: JavaIterable<Node> & { addNode(coordinate: unknown): Node; add(end: unknown): void };
  readonly _isolatedEdges: JavaList<GraphEdge>;
  computeIM(): unknown;
  computeProperIntersectionIM(intersector: Intersector, matrix: unknown): void;
  labelIsolatedNode(node: Node, target: number): void;
  labelIsolatedEdge(edge: GraphEdge, target: number, geometry: unknown): void;
}

interface Bounded {
  getEnvelopeInternal(): { intersects(other: unknown): boolean };
}

interface NodeGraph extends Graph {
  getNodeIterator(): ReturnType<JavaIterable<Node>["iterator"]>;
  getEdgeIterator(): ReturnType<JavaIterable<GraphEdge>["iterator"]>;
}

/** The geometries are of JSTS, and not collections. */
export function* relateInSteps<Matrix>(one: unknown, other: unknown): InSteps<Matrix> {
  const graphs = [graphOf(0, one), graphOf(1, other)] as unknown as readonly [NodeGraph, NodeGraph];
  const computer = new RelateComputer(graphs) as unknown as Computer;
  if (!(one as Bounded).getEnvelopeInternal().intersects((other as Bounded).getEnvelopeInternal())) {
    return computer.computeIM() as Matrix;
  }
  const matrix = new JtsMatrix() as { set(row: number, column: number, dimension: number): void };
  matrix.set(GeomLocation.EXTERIOR as number, GeomLocation.EXTERIOR as number, 2);
  const lines = lineIntersector();
  yield* selfNodes(graphs[0], lines, { ofRings: false });
  yield* selfNodes(graphs[1], lines, { ofRings: false });
  const intersector = yield* edgeIntersections(graphs[0], graphs[1], lines, false);
  yield* addIntersectionNodes(computer, graphs);
  yield* addGraphNodes(computer, graphs);
  yield* eachOf(computer._nodes, (node) => {
    if (node.isIsolated()) {
      computer.labelIsolatedNode(node, node.getLabel().isNull(0) ? 0 : 1);
    }
  });
  computer.computeProperIntersectionIM(intersector, matrix);
  yield* addEdgeEnds(computer, graphs);
  yield* eachOf(computer._nodes, (node) => node.getEdges().computeLabelling(graphs));
  yield* labelIsolatedEdges(computer, graphs);
  yield* eachOf(computer._isolatedEdges, (edge) => (edge as unknown as Node).updateIM(matrix));
  yield* eachOf(computer._nodes, (node) => {
    node.updateIM(matrix);
    node.updateIMFromEdges(matrix);
  });
  return matrix as Matrix;
}

function* addIntersectionNodes(computer: Computer, graphs: readonly NodeGraph[]): InSteps<void> {
  for (const [side, graph] of graphs.entries()) {
    yield* eachIntersection(graph._edges, (edge, { coord }) => {
      const node = computer._nodes.addNode(coord);
      if (edge.getLabel().getLocation(side) === GeomLocation.BOUNDARY) {
        node.setLabelBoundary(side);
      } else if (node.getLabel().isNull(side)) {
        node.setLabel(side, GeomLocation.INTERIOR as number);
      }
    });
  }
}

function* addGraphNodes(computer: Computer, graphs: readonly NodeGraph[]): InSteps<void> {
  for (const [side, graph] of graphs.entries()) {
    const nodes = { iterator: () => graph.getNodeIterator() };
    yield* eachOf(nodes, (node) => computer._nodes.addNode(node.getCoordinate()).setLabel(side, node.getLabel().getLocation(side)));
  }
}

interface EndBuilder {
  createEdgeEndForPrev(edge: GraphEdge, to: JavaList<unknown>, at: EdgeIntersection, before: EdgeIntersection | null): void;
  createEdgeEndForNext(edge: GraphEdge, to: JavaList<unknown>, at: EdgeIntersection, after: EdgeIntersection | null): void;
}

function* addEdgeEnds(computer: Computer, graphs: readonly NodeGraph[]): InSteps<void> {
  const builder = new EdgeEndBuilder() as unknown as EndBuilder;
  for (const graph of graphs) {
    const ends = newList<unknown>();
    for (const edge of graph._edges.toArray()) {
      edge.eiList.addEndpoints();
      yield* endsOf(builder, edge, ends);
    }
    yield* eachOf(ends, (end) => computer._nodes.add(end));
  }
}

/** The ends at each position that cuts the edge: towards the one before and the one after it. */
function* endsOf(builder: EndBuilder, edge: GraphEdge, to: JavaList<unknown>): InSteps<void> {
  let [before, at]: (EdgeIntersection | null)[] = [null, null];
  const visit = (after: EdgeIntersection | null): void => {
    if (at !== undefined && at !== null) {
      builder.createEdgeEndForPrev(edge, to, at, before ?? null);
      builder.createEdgeEndForNext(edge, to, at, after);
    }
    [before, at] = [at, after];
  };
  yield* eachOf(edge.eiList, visit);
  visit(null);
}

function* labelIsolatedEdges(computer: Computer, graphs: readonly NodeGraph[]): InSteps<void> {
  for (const [side, graph] of graphs.entries()) {
    const target = 1 - side;
    const { _parentGeom: geometry } = graphs[target] as NodeGraph;
    yield* eachOf(graph._edges, (edge) => {
      if (edge.isIsolated()) {
        computer.labelIsolatedEdge(edge, target, geometry);
        computer._isolatedEdges.add(edge);
      }
    });
  }
}
