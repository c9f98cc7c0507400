/** Relations of two geometries, with a look at their bounding boxes first. */
import { boundsOf, dimensionOf, type Geometry } from "./geometry.ts";
import { type IntersectionMatrix, relate } from "./topology.ts";

/** Of the matrix of both and their dimensions. */
export type Relation = (matrix: IntersectionMatrix, dimension: number, otherDimension: number) => boolean;

/** False when the bounding boxes already tell that the geometries have no point in common; an empty one has none with any. */
export function mayMeet(left: Geometry, right: Geometry): boolean {
  const [a, b] = [boundsOf(left), boundsOf(right)];
  return a !== undefined && b !== undefined && a.xMin <= b.xMax && b.xMin <= a.xMax && a.yMin <= b.yMax && b.yMin <= a.yMax;
}

/** A relation that only geometries with a common point have. */
export function relationOf(relation: Relation, name: string, left: Geometry, right: Geometry): boolean {
  return mayMeet(left, right) && relation(relate(left, right, name), dimensionOf(left), dimensionOf(right));
}
