/**
 * Location of a point relative to polygons by ray casting, far cheaper than a planar graph.
 */
import Orientation from "jsts/org/locationtech/jts/algorithm/Orientation.js";
import Coordinate from "jsts/org/locationtech/jts/geom/Coordinate.js";
import type { MultiPolygon, Polygon, Position } from "./geometry.ts";
import { samePosition } from "./geometry.ts";

export type Location = "boundary" | "exterior" | "interior";

/** 1 if the point is left of the line from `from` to `to`, -1 if right of it, 0 if on it; exact. */
export function sideOf(from: Position, to: Position, point: Position): number {
  const [a, b, c] = [from, to, point].map(([x, y]) => new Coordinate(x, y));
  return Orientation.index(a, b, c) as number;
}

/** The ray goes to the right. An edge includes its lower end and excludes its upper end. */
function locateInRing(ring: readonly Position[], point: Position): Location {
  const [x, y] = point;
  let isInside = false;
  for (let index = 1; index < ring.length; index++) {
    const [from, to] = [ring[index - 1] as Position, ring[index] as Position];
    if (samePosition(to, point)) {
      return "boundary";
    }
    if (from[1] === y && to[1] === y && Math.min(from[0], to[0]) <= x && x <= Math.max(from[0], to[0])) {
      return "boundary";
    }
    if (from[1] > y !== to[1] > y) {
      const side = sideOf(from, to, point);
      if (side === 0) {
        return "boundary";
      }
      isInside = to[1] > from[1] === side > 0 ? !isInside : isInside;
    }
  }
  return isInside ? "interior" : "exterior";
}

function locateInPolygon({ rings }: Polygon, point: Position): Location {
  const [shell = [], ...holes] = rings;
  const inShell = locateInRing(shell, point);
  if (inShell !== "interior") {
    return inShell;
  }
  for (const hole of holes) {
    const inHole = locateInRing(hole, point);
    if (inHole !== "exterior") {
      return inHole === "interior" ? "exterior" : inHole;
    }
  }
  return "interior";
}

export function locatePoint(area: MultiPolygon | Polygon, point: Position): Location {
  const found = (area.kind === "Polygon" ? [area] : area.parts).map((polygon) => locateInPolygon(polygon, point));
  return found.find((location) => location === "interior") ?? found.find((location) => location === "boundary") ?? "exterior";
}
