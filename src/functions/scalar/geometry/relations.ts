/**
 * Relations of two geometries, with a bounding box test first.
 */
import type { InSteps } from "../../runtime/steps.ts";
import { boundsOf, dimensionOf, type Geometry } from "./geometry.ts";
import { type IntersectionMatrix, relate } from "./topology.ts";

/** A predicate over the intersection matrix and the dimensions of both geometries. */
export type Relation = (matrix: IntersectionMatrix, dimension: number, otherDimension: number) => boolean;

/** False if the bounding boxes prove that the geometries are disjoint. An empty geometry is disjoint from all. */
export function mayMeet(left: Geometry, right: Geometry): boolean {
  const [a, b] = [boundsOf(left), boundsOf(right)];
  return a !== undefined && b !== undefined && a.xMin <= b.xMax && b.xMin <= a.xMax && a.yMin <= b.yMax && b.yMin <= a.yMax;
}

/** A relation that holds only for geometries with a common point. */
export function* relationOf(relation: Relation, name: string, left: Geometry, right: Geometry): InSteps<boolean> {
  return mayMeet(left, right) && relation(yield* relate(left, right, name), dimensionOf(left), dimensionOf(right));
}
