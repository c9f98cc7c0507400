/**
 * The distance of two geometries and their nearest positions. As DistanceOp of JSTS, which compares each segment with each one; here
 * blocks of segments whose boxes are too far apart are passed over. Among equally near positions the first ones in the order of JSTS are
 * given.
 */
import Distance from "jsts/org/locationtech/jts/algorithm/Distance.js";
import PointLocator from "jsts/org/locationtech/jts/algorithm/PointLocator.js";
import LineSegment from "jsts/org/locationtech/jts/geom/LineSegment.js";
import GeomLocation from "jsts/org/locationtech/jts/geom/Location.js";
import LinearComponentExtracter from "jsts/org/locationtech/jts/geom/util/LinearComponentExtracter.js";
import PointExtracter from "jsts/org/locationtech/jts/geom/util/PointExtracter.js";
import PolygonExtracter from "jsts/org/locationtech/jts/geom/util/PolygonExtracter.js";
import ConnectedElementLocationFilter from "jsts/org/locationtech/jts/operation/distance/ConnectedElementLocationFilter.js";
import type { InSteps } from "../../../runtime/steps.ts";
import { countOperations, isPauseDue } from "../effort.ts";
import type { JavaList } from "./graphs.ts";

interface Coordinate {
  readonly x: number;
  readonly y: number;
}

interface WithCoordinates {
  getCoordinate(): Coordinate;
  getCoordinates(): readonly Coordinate[];
}

export interface Nearest {
  readonly distance: number;
  readonly positions: readonly [Coordinate, Coordinate];
}

/** A segment, or a point: a segment of length zero. */
interface Facet {
  readonly from: Coordinate;
  readonly to: Coordinate;
  /** Ordinal of its line or point. */
  readonly of: number;
}

interface Block {
  readonly facets: readonly Facet[];
  readonly first: number;
  /** The least ordinal of a line or point. */
  readonly of: number;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

const blockSize = 32;
const operationsPerFacet = 4;

function boxOf(facets: readonly Facet[], first: number): Block {
  let [xMin, yMin, xMax, yMax] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { from, to } of facets) {
    xMin = Math.min(xMin, from.x, to.x);
    yMin = Math.min(yMin, from.y, to.y);
    xMax = Math.max(xMax, from.x, to.x);
    yMax = Math.max(yMax, from.y, to.y);
  }
  return { facets, first, of: facets[0]?.of ?? 0, xMin, yMin, xMax, yMax };
}

function blocksOf(facets: readonly Facet[]): readonly Block[] {
  countOperations(operationsPerFacet * facets.length);
  return Array.from({ length: Math.ceil(facets.length / blockSize) }, (_, index) =>
    boxOf(facets.slice(index * blockSize, (index + 1) * blockSize), index * blockSize),
  );
}

function between(a: Block, b: Block): number {
  const dx = Math.max(0, a.xMin - b.xMax, b.xMin - a.xMax);
  const dy = Math.max(0, a.yMin - b.yMax, b.yMin - a.yMax);
  return Math.sqrt(dx * dx + dy * dy);
}

function segmentsOf(geometry: unknown): readonly Facet[] {
  const facets: Facet[] = [];
  for (const [of, line] of (LinearComponentExtracter.getLines(geometry) as JavaList<WithCoordinates>).toArray().entries()) {
    const path = line.getCoordinates();
    for (let index = 1; index < path.length; index++) {
      facets.push({ from: path[index - 1] as Coordinate, to: path[index] as Coordinate, of });
    }
  }
  return facets;
}

function pointsOf(geometry: unknown): readonly Facet[] {
  return (PointExtracter.getPoints(geometry) as JavaList<WithCoordinates>).toArray().map((point, of): Facet => {
    const from = point.getCoordinate();
    return { from, to: from, of };
  });
}

type Measure = (one: Facet, other: Facet) => number;

/** The nearest pair so far. Ties: the order of lines, then that of segments. */
class Best {
  distance = Number.MAX_VALUE;
  #pair: readonly [Facet, Facet] | undefined;
  #order: readonly number[] = [];

  /** Whether a pair of this distance and order would be taken. */
  wants(distance: number, order: readonly number[]): boolean {
    return distance < this.distance || (distance === this.distance && isBefore(order, this.#order));
  }

  take(distance: number, pair: readonly [Facet, Facet], order: readonly number[]): void {
    if (this.wants(distance, order)) {
      this.distance = distance;
      this.#pair = pair;
      this.#order = order;
    }
  }

  get positions(): readonly [Coordinate, Coordinate] {
    const [pass = 0] = this.#order;
    const [one, other] = this.#pair as readonly [Facet, Facet];
    return (positionsOf[pass] as (typeof positionsOf)[number])(one, other);
  }
}

function isBefore(order: readonly number[], other: readonly number[]): boolean {
  const at = order.findIndex((place, index) => place !== other[index]);
  return at >= 0 && (order[at] as number) < (other[at] as number);
}

/** `pass`: ordinal of the kinds of facets, which comes before the order of facets. */
function* search(best: Best, sides: readonly [readonly Facet[], readonly Facet[]], measure: Measure, pass: number): InSteps<void> {
  const [blocks, others] = [blocksOf(sides[0]), blocksOf(sides[1])];
  for (const block of blocks) {
    for (const other of others) {
      countOperations(1);
      if (best.wants(between(block, other), leastOrder(pass, block, other))) {
        compare(best, block, other, measure, pass);
      }
      if (isPauseDue()) {
        yield 1;
      }
    }
  }
}

/** Of any pair of two blocks. */
function leastOrder(pass: number, block: Block, other: Block): readonly number[] {
  return [pass, block.of, other.of, block.first, other.first];
}

function compare(best: Best, block: Block, other: Block, measure: Measure, pass: number): void {
  for (const [index, one] of block.facets.entries()) {
    const box = boxOf([one], 0);
    countOperations(1);
    if (!best.wants(between(box, other), [pass, one.of, other.of, block.first + index, other.first])) {
      continue;
    }
    for (const [at, two] of other.facets.entries()) {
      const distance = measure(one, two);
      if (distance <= best.distance) {
        best.take(distance, [one, two], [pass, one.of, two.of, block.first + index, other.first + at]);
      }
    }
  }
}

const ofSegments: Measure = (one, other) => Distance.segmentToSegment(one.from, one.to, other.from, other.to) as number;
const ofPoint: Measure = (segment, point) => Distance.pointToSegment(point.from, segment.from, segment.to) as number;
const ofPoints: Measure = (one, other) => (one.from as unknown as { distance(to: Coordinate): number }).distance(other.from);

/** A position of one geometry within a polygon of the other one. */
function* contained(area: unknown, other: unknown): InSteps<Coordinate | undefined> {
  if ((area as { getDimension(): number }).getDimension() < 2) {
    return undefined;
  }
  const polygons = (PolygonExtracter.getPolygons(area) as JavaList<unknown>).toArray();
  const locator = new PointLocator();
  for (const place of (ConnectedElementLocationFilter.getLocations(other) as JavaList<WithCoordinates>).toArray()) {
    const position = place.getCoordinate();
    for (const polygon of polygons) {
      if (locator.locate(position, polygon) !== GeomLocation.EXTERIOR) {
        return position;
      }
      countOperations(operationsPerFacet);
      if (isPauseDue()) {
        yield 1;
      }
    }
  }
  return undefined;
}

/** Of a pass: the positions of a nearest pair, the one of the first geometry first. */
const positionsOf: readonly ((one: Facet, other: Facet) => readonly [Coordinate, Coordinate])[] = [
  (one, other) => lineOf(one).closestPoints(lineOf(other)),
  (segment, { from: point }) => [lineOf(segment).closestPoint(point), point],
  (segment, { from: point }) => [point, lineOf(segment).closestPoint(point)],
  (one, other) => [one.from, other.from],
];

interface JtsSegment {
  closestPoint(to: Coordinate): Coordinate;
  closestPoints(to: JtsSegment): readonly [Coordinate, Coordinate];
}

function lineOf({ from, to }: Facet): JtsSegment {
  return new LineSegment(from, to) as unknown as JtsSegment;
}

/** The geometries are of JSTS, and not empty. */
export function* nearestInSteps(one: unknown, other: unknown): InSteps<Nearest> {
  const within = (yield* contained(one, other)) ?? (yield* contained(other, one));
  if (within !== undefined) {
    return { distance: 0, positions: [within, within] };
  }
  const best = new Best();
  const [segments, otherSegments, points, otherPoints] = [segmentsOf(one), segmentsOf(other), pointsOf(one), pointsOf(other)];
  yield* search(best, [segments, otherSegments], ofSegments, 0);
  yield* search(best, [segments, otherPoints], ofPoint, 1);
  yield* search(best, [otherSegments, points], ofPoint, 2);
  yield* search(best, [points, otherPoints], ofPoints, 3);
  return { distance: best.distance, positions: best.positions };
}
