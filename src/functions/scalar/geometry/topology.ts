/**
 * Operations that need a planar graph: relations, overlays, buffers, validity, simplification and distances, in steps. They use JSTS, the
 * port of the JTS Topology Suite, which Presto uses too. Only this file, graph/, effort.ts, convex-hull.ts and point-location.ts use
 * classes of JSTS. Results are brought into a canonical order, so that they do not depend on how JSTS traverses its graphs.
 */
import Exception from "jsts/java/lang/Exception.js";
import IllegalArgumentException from "jsts/java/lang/IllegalArgumentException.js";
import Centroid from "jsts/org/locationtech/jts/algorithm/Centroid.js";
import Coordinate from "jsts/org/locationtech/jts/geom/Coordinate.js";
import GeometryFactory from "jsts/org/locationtech/jts/geom/GeometryFactory.js";
import JtsMatrix from "jsts/org/locationtech/jts/geom/IntersectionMatrix.js";
import TopologyException from "jsts/org/locationtech/jts/geom/TopologyException.js";
import DoubleBits from "jsts/org/locationtech/jts/index/quadtree/DoubleBits.js";
import OverlayOp from "jsts/org/locationtech/jts/operation/overlay/OverlayOp.js";
import { formatDouble } from "../../runtime/formats.ts";
import { invalidArgument } from "../../runtime/nested-values.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { countVertices } from "./effort.ts";
import {
  dimensionOf,
  emptyMultiPolygon,
  type Geometry,
  isClosedPath,
  isEmpty,
  kindName,
  type LineString,
  lineOf,
  type Point,
  pointAt,
  type Polygon,
  polygonOf,
  type Position,
  type Single,
  singlesOf,
} from "./geometry.ts";
import { buffering, nearness, type Operation, overlaying, relation, simplicity, validity } from "./graph/at-once.ts";
import type { Nearest } from "./graph/nearest.ts";
import { simplifyInSteps } from "./graph/simplifying.ts";
import { uniteInSteps } from "./graph/uniting.ts";
import type { ValidationError } from "./graph/validity.ts";
import { type Location, locatePoint } from "./point-location.ts";

/** The part of the JSTS geometry API in use; its own type declarations use `any`. */
interface JtsCoordinate {
  readonly x: number;
  readonly y: number;
}

interface JtsGeometry {
  getGeometryType(): string;
  getNumGeometries(): number;
  getGeometryN(index: number): JtsGeometry;
  getCoordinates(): readonly JtsCoordinate[];
  getExteriorRing(): JtsGeometry;
  getNumInteriorRing(): number;
  getInteriorRingN(index: number): JtsGeometry;
}

/** Relation predicates over the intersection matrix, evaluated by JSTS. */
export interface IntersectionMatrix {
  matches(pattern: string): boolean;
  isContains(): boolean;
  isWithin(): boolean;
  isCrosses(dimension: number, otherDimension: number): boolean;
  isEquals(dimension: number, otherDimension: number): boolean;
  isOverlaps(dimension: number, otherDimension: number): boolean;
  isTouches(dimension: number, otherDimension: number): boolean;
  isIntersects(): boolean;
}

/**
 * JTS bounds the exponents of the squares of its quadtree (simplification). JSTS does not, and doubles a square for ever where the quotient
 * of a coordinate and the square underflows (an extent of 1e16 with a coordinate of -1e-322).
 */
DoubleBits.powerOf2 = (exponent: number): number => {
  if (exponent < -1022 || exponent > 1023) {
    throw new IllegalArgumentException("Exponent out of bounds");
  }
  return 2 ** exponent;
};

/** Vertices per quarter circle. */
const quadrantSegments = 24;

/** JSTS requires two positions in a line and four in a ring; Presto does not. */
function atLeast(count: number, path: readonly Position[]): readonly Position[] {
  const [first] = path;
  return first === undefined || path.length >= count
    ? path
    : [...path, ...Array.from({ length: count - path.length }, () => path.at(-1) ?? first)];
}

const lineLeast = 2;
const ringLeast = 4;

/** Largest coordinate; products of coordinates must stay finite. */
const coordinateMax = 1e100;

/** Fails with INVALID_FUNCTION_ARGUMENT beyond the largest coordinate. */
export function checkedSize(value: number): number {
  return Math.abs(value) <= coordinateMax ? value : invalidArgument("Coordinates or distances of a geometry are too large");
}

function coordinates(path: readonly Position[]): readonly JtsCoordinate[] {
  countVertices(path.length);
  return path.map(([x, y]) => new Coordinate(checkedSize(x), checkedSize(y)) as JtsCoordinate);
}

function toJts(geometry: Geometry, factory = new GeometryFactory()): JtsGeometry {
  return buildJts(geometry, factory) as JtsGeometry;
}

/** Reversed, in the direction in which Presto passes rings to JTS: the direction decides which of several defects of a ring is reported. */
function ringForJts(factory: GeometryFactory, ring: readonly Position[]): unknown {
  return factory.createLinearRing(coordinates([...atLeast(ringLeast, ring)].reverse()));
}

/** JSTS declares a separate class for the result of each constructor. */
function buildJts(geometry: Geometry, factory: GeometryFactory): unknown {
  // JSTS fails on empty parts, so they are removed.
  const parts = (list: readonly Geometry[]) => list.filter((part) => !isEmpty(part)).map((part) => buildJts(part, factory));
  switch (geometry.kind) {
    case "Point":
      return geometry.position === undefined ? factory.createPoint() : factory.createPoint(coordinates([geometry.position])[0]);
    case "LineString":
      return factory.createLineString(coordinates(atLeast(lineLeast, geometry.positions)));
    case "Polygon": {
      const [shell, ...holes] = geometry.rings.map((ring) => ringForJts(factory, ring));
      return shell === undefined ? factory.createPolygon() : factory.createPolygon(shell, holes);
    }
    case "MultiPoint":
      return factory.createMultiPoint(parts(geometry.parts));
    case "MultiLineString":
      return factory.createMultiLineString(parts(geometry.parts));
    case "MultiPolygon":
      return factory.createMultiPolygon(parts(geometry.parts));
    case "GeometryCollection":
      return factory.createGeometryCollection(parts(geometry.parts));
  }
}

function pathOf(geometry: JtsGeometry): readonly Position[] {
  return geometry.getCoordinates().map(({ x, y }): Position => [x, y]);
}

function singlesOfJts(geometry: JtsGeometry): readonly Single[] {
  switch (geometry.getGeometryType()) {
    case "Point":
      return pathOf(geometry).map(pointAt);
    case "LineString":
    case "LinearRing": {
      const path = pathOf(geometry);
      return path.length === 0 ? [] : [lineOf(path)];
    }
    case "Polygon": {
      const holes = Array.from({ length: geometry.getNumInteriorRing() }, (_, index) => pathOf(geometry.getInteriorRingN(index)));
      const shell = pathOf(geometry.getExteriorRing());
      return shell.length === 0 ? [] : [polygonOf([shell, ...holes])];
    }
    default:
      return Array.from({ length: geometry.getNumGeometries() }, (_, index) => singlesOfJts(geometry.getGeometryN(index))).flat();
  }
}

/** Ordered by y, then by x. */
function comparePositions(a: Position, b: Position): number {
  return a[1] - b[1] || a[0] - b[0];
}

/** Rotates the ring so that it starts at its lowest position in that order. */
function fromLowest(ring: readonly Position[]): readonly Position[] {
  const open = ring.slice(0, -1);
  if (open.length === 0) {
    return ring;
  }
  const least = open.reduce((best, position, index) => (comparePositions(position, open[best] as Position) < 0 ? index : best), 0);
  return [...open.slice(least), ...open.slice(0, least), open[least] as Position];
}

function ordered(single: Single): Single {
  switch (single.kind) {
    case "Point":
      return single;
    case "LineString": {
      const [first, last] = [single.positions[0], single.positions.at(-1)];
      const isTurned = first !== undefined && last !== undefined && comparePositions(first, last) > 0;
      return isTurned ? lineOf([...single.positions].reverse()) : single;
    }
    case "Polygon": {
      const [shell, ...holes] = single.rings.map(fromLowest);
      return { kind: "Polygon", rings: [...(shell === undefined ? [] : [shell]), ...holes.sort(comparePaths)] };
    }
  }
}

function comparePaths(a: readonly Position[], b: readonly Position[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = comparePositions(a[index] as Position, b[index] as Position);
    if (order !== 0) {
      return order;
    }
  }
  return a.length - b.length;
}

function firstPath(single: Single): readonly Position[] {
  switch (single.kind) {
    case "Point":
      return single.position === undefined ? [] : [single.position];
    case "LineString":
      return single.positions;
    case "Polygon":
      return single.rings[0] ?? [];
  }
}

/**
 * Combines points, lines and polygons into one geometry: of one kind if possible, otherwise a collection by dimension. No parts give an
 * empty MULTIPOLYGON, as in Presto.
 */
export function gather(singles: readonly Single[]): Geometry {
  const sorted = singles.map(ordered).sort((a, b) => comparePaths(firstPath(a), firstPath(b)));
  const points = sorted.filter((single): single is Point => single.kind === "Point");
  const lines = sorted.filter((single): single is LineString => single.kind === "LineString");
  const polygons = sorted.filter((single): single is Polygon => single.kind === "Polygon");
  const groups: Geometry[] = [];
  if (points.length > 0) {
    groups.push(points.length === 1 ? (points[0] as Point) : { kind: "MultiPoint", parts: points });
  }
  if (lines.length > 0) {
    groups.push(lines.length === 1 ? (lines[0] as LineString) : { kind: "MultiLineString", parts: lines });
  }
  if (polygons.length > 0) {
    groups.push(polygons.length === 1 ? (polygons[0] as Polygon) : { kind: "MultiPolygon", parts: polygons });
  }
  const [only = emptyMultiPolygon] = groups;
  return groups.length <= 1 ? only : { kind: "GeometryCollection", parts: groups };
}

function fromJts(geometry: JtsGeometry): Geometry {
  return gather(singlesOfJts(geometry));
}

/**
 * Turns failures of JSTS on these coordinates into argument errors. Where rounding breaks its graphs, JSTS hits undefined values: JTS
 * throws and catches a RuntimeException there, JavaScript throws a TypeError.
 */
function* guardedSteps<Result>(run: () => InSteps<Result> | Made<Result>): InSteps<Result> {
  try {
    const running = run();
    return "made" in running ? running.made : yield* running;
  } catch (error) {
    return rethrown(error);
  }
}

interface Made<Result> {
  readonly made: Result;
}

/** In one piece if the geometries are small. */
function begin<Args extends readonly unknown[], Result>(operation: Operation<Args, Result>, ...args: Args): InSteps<Result> | Made<Result> {
  return operation.isSmall(...args) ? { made: operation.atOnce(...args) } : operation.inSteps(...args);
}

function rethrown(error: unknown): never {
  if (error instanceof TopologyException || error instanceof IllegalArgumentException) {
    // The unused third coordinate is shown as NaN and removed from the message.
    return invalidArgument((error as Error).message.replaceAll(", NaN", "").replace(/ at \([^)]*(?:NaN|Infinity)[^)]*\)/, ""));
  }
  // Any other is of the inner workings of JSTS, where rounding breaks a graph: of a list that is read beyond its end.
  if (error instanceof Exception || error instanceof TypeError || error instanceof RangeError) {
    return invalidArgument("Coordinates of the geometry are too close together or too far apart for this operation");
  }
  throw error;
}

/** An equivalent geometry that is not a collection; fails for collections of several dimensions. */
function* withoutCollection(geometry: Geometry, name: string): InSteps<Geometry> {
  if (geometry.kind !== "GeometryCollection") {
    return geometry;
  }
  const united = yield* union([geometry]);
  return united.kind === "GeometryCollection"
    ? invalidArgument(`${name} does not support ${kindName(geometry.kind)} of several dimensions`)
    : united;
}

/** Intersection matrices of a polygon with a point, and of a point with a polygon. */
const pointMatrices: Readonly<Record<Location, readonly [string, string]>> = Object.freeze({
  interior: ["0F2FF1FF2", "0FFFFF212"],
  boundary: ["FF20F1FF2", "F0FFFF212"],
  exterior: ["FF2FF10F2", "FF0FFF212"],
});

/** Relation of a point and polygons without a graph; undefined for other inputs. */
function relatePoint(left: Geometry, right: Geometry): IntersectionMatrix | undefined {
  const [area, point, order] = right.kind === "Point" ? [left, right, 0] : [right, left, 1];
  const isArea = area.kind === "Polygon" || area.kind === "MultiPolygon";
  if (!isArea || point.kind !== "Point" || point.position === undefined || isEmpty(area)) {
    return undefined;
  }
  return new JtsMatrix(pointMatrices[locatePoint(area, point.position)][order as 0 | 1]) as IntersectionMatrix;
}

export function* relate(left: Geometry, right: Geometry, name: string): InSteps<IntersectionMatrix> {
  const ofPoint = relatePoint(left, right);
  if (ofPoint !== undefined) {
    return ofPoint;
  }
  const [one, other] = [yield* withoutCollection(left, name), yield* withoutCollection(right, name)];
  return (yield* guardedSteps(() => begin(relation, toJts(one), toJts(other)))) as IntersectionMatrix;
}

/** Supports collections: true if any two parts intersect. */
export function* intersects(left: Geometry, right: Geometry): InSteps<boolean> {
  const [ones, others] = [left, right].map((side) => (side.kind === "GeometryCollection" ? singlesOf(side) : [side])) as [
    readonly Geometry[],
    readonly Geometry[],
  ];
  for (const one of ones) {
    for (const other of others) {
      if ((yield* relate(one, other, "ST_Intersects")).isIntersects()) {
        return true;
      }
    }
  }
  return false;
}

export type Overlay = "difference" | "intersection" | "symmetricDifference" | "union";

const overlayCodes: Readonly<Record<Overlay, number>> = Object.freeze({
  difference: OverlayOp.DIFFERENCE as number,
  intersection: OverlayOp.INTERSECTION as number,
  symmetricDifference: OverlayOp.SYMDIFFERENCE as number,
  union: OverlayOp.UNION as number,
});

export function* overlay(kind: Overlay, left: Geometry, right: Geometry, name: string): InSteps<Geometry> {
  if (kind === "union") {
    return yield* union([left, right]);
  }
  const [one, other] = [yield* withoutCollection(left, name), yield* withoutCollection(right, name)];
  if (isEmpty(one) || isEmpty(other)) {
    const kept = kind === "intersection" ? [] : kind === "difference" ? [one] : [one, other];
    return gather(kept.filter((side) => !isEmpty(side)).flatMap(singlesOf));
  }
  return fromJts((yield* guardedSteps(() => begin(overlaying, toJts(one), toJts(other), overlayCodes[kind]))) as JtsGeometry);
}

/** Union of all geometries; if all are empty, the first one. */
export function* union(geometries: readonly Geometry[]): InSteps<Geometry> {
  const filled = geometries.filter((geometry) => !isEmpty(geometry));
  const [first = emptyMultiPolygon] = geometries;
  if (filled.length === 0) {
    return first;
  }
  const singles = filled.flatMap(singlesOf).filter((single) => !isEmpty(single));
  const factory = new GeometryFactory();
  const ofKind = (kind: Single["kind"]) => singles.filter((single) => single.kind === kind).map((single) => toJts(single, factory));
  const kinds = { points: ofKind("Point"), lines: ofKind("LineString"), polygons: ofKind("Polygon") };
  return fromJts(yield* guardedSteps(() => uniteInSteps<JtsGeometry>(factory, kinds)));
}

/**
 * All within a distance of the geometry. JSTS adds the depths of all edges, so that a hole outside of its ring would take away from the
 * other parts: beside an invalid polygon, each part is buffered alone.
 */
export function* buffer(geometry: Geometry, distance: number): InSteps<Geometry> {
  if (isEmpty(geometry)) {
    return emptyMultiPolygon;
  }
  const singles = singlesOf(geometry);
  if (singles.length > 1 && (yield* anyInvalid(singles))) {
    const buffers: Geometry[] = [];
    for (const single of singles) {
      buffers.push(yield* buffer(single, distance));
    }
    return yield* union(buffers);
  }
  return fromJts((yield* guardedSteps(() => begin(buffering, toJts(geometry), checkedSize(distance), quadrantSegments))) as JtsGeometry);
}

/** Centroid of the parts of the highest dimension; undefined if empty. */
export function centroid(geometry: Geometry): Position | undefined {
  const found = isEmpty(geometry) ? null : (Centroid.getCentroid(toJts(geometry)) as JtsCoordinate | null);
  return found === null ? undefined : [found.x, found.y];
}

function* anyInvalid(singles: readonly Single[]): InSteps<boolean> {
  for (const single of singles) {
    if (single.kind === "Polygon" && !(yield* isValid(single))) {
      return true;
    }
  }
  return false;
}

/** Both geometries must be non-empty. */
export function* distance(left: Geometry, right: Geometry): InSteps<number> {
  return (yield* nearest(left, right)).distance;
}

function nearest(left: Geometry, right: Geometry): InSteps<Nearest> {
  return guardedSteps(() => begin(nearness, toJts(left), toJts(right)));
}

export function* nearestPositions(left: Geometry, right: Geometry): InSteps<readonly Position[]> {
  return (yield* nearest(left, right)).positions.map(({ x, y }): Position => [x, y]);
}

/** Keeps rings valid; a ring keeps its first position. */
export function* simplify(geometry: Geometry, tolerance: number): InSteps<Geometry> {
  if (isEmpty(geometry)) {
    return geometry;
  }
  const simpler = singlesOfJts(yield* guardedSteps(() => simplifyInSteps<JtsGeometry>(toJts(geometry), tolerance)));
  const [only] = simpler;
  switch (geometry.kind) {
    case "MultiPoint":
      return { kind: geometry.kind, parts: simpler as readonly Point[] };
    case "MultiLineString":
      return { kind: geometry.kind, parts: simpler as readonly LineString[] };
    case "MultiPolygon":
      return { kind: geometry.kind, parts: simpler as readonly Polygon[] };
    case "GeometryCollection":
      return { kind: geometry.kind, parts: simpler };
    default:
      return only ?? geometry;
  }
}

export function* isSimple(geometry: Geometry): InSteps<boolean> {
  return isEmpty(geometry) || (yield* nonSimplePosition(geometry, true)) === undefined;
}

/** The position that JTS reports, or with `any` one that is found sooner. */
function* nonSimplePosition(geometry: Geometry, any: boolean): InSteps<Position | undefined> {
  for (const part of geometry.kind === "GeometryCollection" ? geometry.parts : [geometry]) {
    // Polygon rings are checked by validity, not by simplicity.
    if (dimensionOf(part) === 2 || isEmpty(part)) {
      continue;
    }
    const found = yield* guardedSteps(() => begin(simplicity, toJts(part), dimensionOf(part) === 1, any));
    if (found !== undefined) {
      return [found.x, found.y];
    }
  }
  return undefined;
}

function* validationError(geometry: Geometry): InSteps<ValidationError | undefined> {
  return isEmpty(geometry) ? undefined : yield* guardedSteps(() => begin(validity, toJts(geometry)));
}

export function* isValid(geometry: Geometry): InSteps<boolean> {
  return (yield* validationError(geometry)) === undefined;
}

/** Why the geometry is invalid or, if valid, not simple; undefined if it is valid and simple. */
export function* invalidReason(geometry: Geometry): InSteps<string | undefined> {
  const error = yield* validationError(geometry);
  if (error !== undefined) {
    const { x, y } = error.getCoordinate();
    return `${error.getMessage()} at or near point (${formatDouble(x)}, ${formatDouble(y)}, NaN)`;
  }
  const position = yield* nonSimplePosition(geometry, false);
  if (position === undefined) {
    return undefined;
  }
  const what = dimensionOf(geometry) === 0 ? "Repeated point" : "Self-intersection at or near";
  return `[${geometry.kind}] ${what}: (${formatDouble(position[0])} ${formatDouble(position[1])})`;
}

/** Whether the line is closed and does not cross itself. */
export function* isRing(line: LineString): InSteps<boolean> {
  return isClosedPath(line.positions) && (yield* isSimple(line));
}
