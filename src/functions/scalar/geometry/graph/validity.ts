/**
 * Validity of polygons and simplicity of lines: IsValidOp and IsSimpleOp of JSTS, with the search for intersections in steps
 * (graph/graphs.ts).
 */
import MultiPolygon from "jsts/org/locationtech/jts/geom/MultiPolygon.js";
import Polygon from "jsts/org/locationtech/jts/geom/Polygon.js";
import IsSimpleOp from "jsts/org/locationtech/jts/operation/IsSimpleOp.js";
import IsValidOp from "jsts/org/locationtech/jts/operation/valid/IsValidOp.js";
import type { InSteps } from "../../../runtime/steps.ts";
import { isPauseDue } from "../effort.ts";
import { type Graph, graphOf, type Intersector, lineIntersector, selfNodes } from "./graphs.ts";

interface Parts {
  getNumGeometries(): number;
  getGeometryN(index: number): Parts;
}

interface Coordinate {
  readonly x: number;
  readonly y: number;
}

export interface ValidationError {
  getMessage(): string;
  getCoordinate(): Coordinate;
}

interface Validity {
  readonly _validErr: ValidationError | null;
  isValid(): boolean;
  checkInvalidCoordinates(polygon: unknown): void;
  checkClosedRings(polygon: unknown): void;
  checkTooFewPoints(graph: Graph): void;
  checkConsistentArea(graph: Graph): void;
  checkNoSelfIntersectingRings(graph: Graph): void;
  checkHolesInShell(polygon: unknown, graph: Graph): void;
  checkHolesNotNested(polygon: unknown, graph: Graph): void;
  checkShellsNotNested(polygons: unknown, graph: Graph): void;
  checkConnectedInteriors(graph: Graph): void;
}

/** `geometry` is of JSTS, and not empty. */
export function* validationErrorInSteps(geometry: unknown): InSteps<ValidationError | undefined> {
  const op = new IsValidOp(geometry) as unknown as Validity;
  const parts = Array.from({ length: (geometry as Parts).getNumGeometries() }, (_, index) => (geometry as Parts).getGeometryN(index));
  if (geometry instanceof Polygon || geometry instanceof MultiPolygon) {
    return yield* polygonError(op, geometry, parts);
  }
  if (parts.length === 1) {
    return op.isValid() ? undefined : (op._validErr as ValidationError);
  }
  for (const part of parts) {
    const error = yield* validationErrorInSteps(part);
    if (error !== undefined) {
      return error;
    }
  }
  return undefined;
}

function* polygonError(op: Validity, geometry: unknown, polygons: readonly unknown[]): InSteps<ValidationError | undefined> {
  const each = (check: (polygon: unknown) => void) => polygons.map((polygon) => () => check(polygon));
  const rings = [...each((polygon) => op.checkInvalidCoordinates(polygon)), ...each((polygon) => op.checkClosedRings(polygon))];
  const invalid = yield* firstError(op, rings);
  if (invalid !== undefined) {
    return invalid;
  }
  const graph = graphOf(0, geometry) as Graph & { computeSelfNodes: () => Intersector };
  const tooFew = yield* firstError(op, [() => op.checkTooFewPoints(graph)]);
  if (tooFew !== undefined) {
    return tooFew;
  }
  const intersector = yield* selfNodes(graph, lineIntersector(), { ofRings: true, untilProper: true });
  // The check of the area asks the graph for them.
  graph.computeSelfNodes = () => intersector;
  return yield* firstError(op, [
    () => op.checkConsistentArea(graph),
    () => op.checkNoSelfIntersectingRings(graph),
    ...each((polygon) => op.checkHolesInShell(polygon, graph)),
    ...each((polygon) => op.checkHolesNotNested(polygon, graph)),
    ...(geometry instanceof MultiPolygon ? [() => op.checkShellsNotNested(geometry, graph)] : []),
    () => op.checkConnectedInteriors(graph),
  ]);
}

function* firstError(op: Validity, checks: readonly (() => void)[]): InSteps<ValidationError | undefined> {
  for (const check of checks) {
    check();
    if (op._validErr !== null) {
      return op._validErr;
    }
    if (isPauseDue()) {
      yield 1;
    }
  }
  return undefined;
}

interface Simplicity {
  isSimple(): boolean;
  hasNonEndpointIntersection(graph: Graph): boolean;
  hasClosedEndpointIntersection(graph: Graph): boolean;
  getNonSimpleLocation(): Coordinate;
}

/**
 * A position where the points are repeated or the lines cross; undefined if they are simple. The first crossing ends the search if
 * `anyPosition`; otherwise the position is the one that JTS reports.
 */
export function* nonSimpleInSteps(geometry: unknown, isLinear: boolean, anyPosition: boolean): InSteps<Coordinate | undefined> {
  const op = new IsSimpleOp(geometry) as unknown as Simplicity;
  if (!isLinear) {
    return op.isSimple() ? undefined : op.getNonSimpleLocation();
  }
  const graph = graphOf(0, geometry);
  const found = yield* selfNodes(graph, lineIntersector(), { ofRings: true, untilProper: anyPosition });
  if (!found.hasIntersection()) {
    return undefined;
  }
  if (found.hasProperIntersection()) {
    return found.getProperIntersectionPoint();
  }
  return op.hasNonEndpointIntersection(graph) || op.hasClosedEndpointIntersection(graph) ? op.getNonSimpleLocation() : undefined;
}
