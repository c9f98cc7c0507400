/**
 * Exact relation between a tile and a geometry, from the edges of the geometry that meet the tile. A covering tests many tiles; a planar
 * graph of the whole geometry for each of them would take most of a minute.
 */
import { type BingTile, boundsOfTile } from "./bing-tiles.ts";
import { allPaths, type Bounds, type Geometry, type MultiPolygon, type Polygon, type Position, singlesOf } from "../geometry.ts";
import { locatePoint, sideOf } from "../point-location.ts";

/** A single position is an edge from itself to itself. */
type Edge = readonly [from: Position, to: Position];

export interface Region {
  readonly areas: MultiPolygon;
  /** Edges that may meet the tile. */
  readonly edges: readonly Edge[];
}

export type TileRelation = "apart" | "inside" | "meets";

export function regionOf(geometry: Geometry): Region {
  const edges = allPaths(geometry).flatMap((path) =>
    path.map((position, index): Edge => [path[Math.max(0, index - 1)] as Position, position]).slice(path.length > 1 ? 1 : 0),
  );
  const parts = singlesOf(geometry).filter((single): single is Polygon => single.kind === "Polygon" && single.rings.length > 0);
  return { areas: { kind: "MultiPolygon", parts }, edges };
}

/** The side of the edge's line on which each corner lies. */
function sidesOf([from, to]: Edge, { xMin, yMin, xMax, yMax }: Bounds): readonly number[] {
  return [
    [xMin, yMin],
    [xMin, yMax],
    [xMax, yMin],
    [xMax, yMax],
  ].map((corner) => sideOf(from, to, corner as unknown as Position));
}

/** Whether the edge reaches the rectangle, and whether part of it lies in the interior. */
function relateEdge(edge: Edge, bounds: Bounds): "apart" | "crosses" | "touches" {
  const [[x, y], [otherX, otherY]] = edge;
  const { xMin, yMin, xMax, yMax } = bounds;
  const [west, east, south, north] = [Math.min(x, otherX), Math.max(x, otherX), Math.min(y, otherY), Math.max(y, otherY)];
  if (east < xMin || west > xMax || north < yMin || south > yMax) {
    return "apart";
  }
  const sides = sidesOf(edge, bounds);
  const [least, greatest] = [Math.min(...sides), Math.max(...sides)];
  if (least > 0 || greatest < 0) {
    return "apart";
  }
  const isBetween = east > xMin && west < xMax && north > yMin && south < yMax;
  return isBetween && ((least < 0 && greatest > 0) || (west === east && south === north)) ? "crosses" : "touches";
}

/** `region` must contain at least the edges that meet the tile. The returned region does so for the tiles inside it. */
export function relateTile(tile: BingTile, { areas, edges }: Region): { readonly relation: TileRelation; readonly region: Region } {
  const bounds = boundsOfTile(tile);
  const near: Edge[] = [];
  let isCrossed = false;
  for (const edge of edges) {
    const relation = relateEdge(edge, bounds);
    isCrossed ||= relation === "crosses";
    if (relation !== "apart") {
      near.push(edge);
    }
  }
  const region = { areas, edges: near };
  if (isCrossed) {
    return { relation: "meets", region };
  }
  const { xMin, yMin, xMax, yMax } = bounds;
  if (areas.parts.length > 0 && locatePoint(areas, [(xMin + xMax) / 2, (yMin + yMax) / 2]) === "interior") {
    return { relation: "inside", region };
  }
  return { relation: near.length > 0 ? "meets" : "apart", region };
}
