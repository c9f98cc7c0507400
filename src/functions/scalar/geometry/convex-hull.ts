/**
 * Convex hulls by Andrew's monotone chain, with the robust orientation of JSTS. It is our own because JSTS needs the square of the vertices
 * that are on the hull, and cannot be left and continued.
 */
import Coordinate from "jsts/org/locationtech/jts/geom/Coordinate.js";
import Orientation from "jsts/org/locationtech/jts/algorithm/Orientation.js";
import { type InSteps, sortInSteps } from "../../runtime/steps.ts";
import { checkedSize } from "./topology.ts";
import { allPaths, type Geometry, isEmpty, lineOf, pointAt, polygonOf, type Position } from "./geometry.ts";

/** A position of the geometry with the place of its first appearance. */
interface Vertex {
  readonly position: Position;
  readonly place: number;
}

const verticesAtOnce = 8_192;
const verticesPerStep = 10;
/** Error of the determinant relative to its terms, from which on its sign is certain (Shewchuk 1997). */
const certain = 3.330_669_073_875_472e-16;

function byPosition({ position: [ax, ay], place: a }: Vertex, { position: [bx, by], place: b }: Vertex): number {
  return ax - bx || ay - by || a - b;
}

/** Above 0 if the three positions turn to the left. */
function turn([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number {
  const [left, right] = [(bx - ax) * (cy - ay), (by - ay) * (cx - ax)];
  const determinant = left - right;
  if (Math.abs(determinant) > certain * (Math.abs(left) + Math.abs(right))) {
    return determinant;
  }
  return Orientation.index(new Coordinate(ax, ay), new Coordinate(bx, by), new Coordinate(cx, cy)) as number;
}

/** Half of the hull without its last vertex. Collinear vertices are left out. */
function* chainOf(vertices: Iterable<Vertex>): InSteps<Vertex[]> {
  const chain: Vertex[] = [];
  let seen = 0;
  for (const vertex of vertices) {
    while (chain.length >= 2 && turn((chain.at(-2) as Vertex).position, (chain.at(-1) as Vertex).position, vertex.position) <= 0) {
      chain.pop();
    }
    chain.push(vertex);
    if (++seen % verticesAtOnce === 0) {
      yield verticesAtOnce / verticesPerStep;
    }
  }
  chain.pop();
  return chain;
}

function* backwards<T>(values: readonly T[]): Generator<T> {
  for (let index = values.length - 1; index >= 0; index--) {
    yield values[index] as T;
  }
}

/**
 * Counterclockwise, starting at the first position of the geometry that is on the hull; a line or a point if all positions are on one.
 * Yields the steps since the last time.
 */
export function* convexHullInSteps(geometry: Geometry): InSteps<Geometry> {
  if (isEmpty(geometry)) {
    return geometry;
  }
  const vertices: Vertex[] = [];
  for (const path of allPaths(geometry)) {
    for (const position of path) {
      checkedSize(position[0]);
      checkedSize(position[1]);
      vertices.push({ position, place: vertices.length });
      if (vertices.length % verticesAtOnce === 0) {
        yield verticesAtOnce / verticesPerStep;
      }
    }
  }
  const sorted = yield* sortInSteps(vertices, byPosition);
  const distinct = sorted.filter(
    ({ position: [x, y] }, index) => index === 0 || sorted[index - 1]?.position[0] !== x || sorted[index - 1]?.position[1] !== y,
  );
  const [first] = distinct as [Vertex, ...Vertex[]];
  if (distinct.length === 1) {
    return pointAt(first.position);
  }
  const hull = [...(yield* chainOf(distinct)), ...(yield* chainOf(backwards(distinct)))];
  if (hull.length === 2) {
    const [one, other] = hull as [Vertex, Vertex];
    return lineOf(isReversed(one, other, distinct.length) ? [other.position, one.position] : [one.position, other.position]);
  }
  const start = hull.reduce((least, { place }, index) => (place < (hull[least] as Vertex).place ? index : least), 0);
  return polygonOf([[...hull.slice(start), ...hull.slice(0, start)].map(({ position }) => position)]);
}

/** As JTS: two positions stay in their order, of more the lowest one is the first. `one` is the leftmost. */
function isReversed({ position: [, y], place }: Vertex, { position: [, otherY], place: otherPlace }: Vertex, count: number): boolean {
  return count === 2 ? otherPlace < place : otherY < y;
}
