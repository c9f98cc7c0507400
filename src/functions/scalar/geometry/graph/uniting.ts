/**
 * The union of points, lines and polygons: UnaryUnionOp and CascadedPolygonUnion of JSTS, with their loops in steps (graph/graphs.ts).
 */
import STRtree from "jsts/org/locationtech/jts/index/strtree/STRtree.js";
import OverlayOp from "jsts/org/locationtech/jts/operation/overlay/OverlayOp.js";
import CascadedPolygonUnion from "jsts/org/locationtech/jts/operation/union/CascadedPolygonUnion.js";
import OverlapUnion from "jsts/org/locationtech/jts/operation/union/OverlapUnion.js";
import PointGeometryUnion from "jsts/org/locationtech/jts/operation/union/PointGeometryUnion.js";
import type { InSteps } from "../../../runtime/steps.ts";
import { isPauseDue } from "../effort.ts";
import { type JavaList, newList } from "./graphs.ts";
import { overlayInSteps } from "./overlaying.ts";

interface Factory {
  buildGeometry(parts: JavaList<Part>): unknown;
  createPoint(): unknown;
}

interface Part {
  getEnvelopeInternal(): unknown;
  getNumPoints(): number;
}

/** Lists of parts that are near each other, and of such lists. */
type Tree = JavaList<Part | Tree>;

/** Vertices from which on a union of two polygons is made in steps. JSTS unites smaller ones where their boxes overlap. */
const largeVertices = 1_000;

/** Geometries of JSTS by their kind, none of them empty. */
export interface Kinds {
  readonly points: readonly unknown[];
  readonly lines: readonly unknown[];
  readonly polygons: readonly unknown[];
}

export function* uniteInSteps<Geometry>(factory: unknown, { lines, points, polygons }: Kinds): InSteps<Geometry> {
  const ofPoints = points.length === 0 ? undefined : yield* uniteParts(factory as Factory, points);
  const ofLines = lines.length === 0 ? undefined : yield* uniteParts(factory as Factory, lines);
  const ofPolygons = polygons.length === 0 ? undefined : yield* unitePolygons(polygons as readonly Part[]);
  const others =
    ofLines === undefined || ofPolygons === undefined
      ? (ofLines ?? ofPolygons)
      : yield* overlayInSteps<unknown>(ofLines, ofPolygons, OverlayOp.UNION as number);
  const isMixed = ofPoints !== undefined && others !== undefined;
  return (isMixed ? PointGeometryUnion.union(ofPoints, others) : (ofPoints ?? others)) as Geometry;
}

function uniteParts(factory: Factory, parts: readonly unknown[]): InSteps<unknown> {
  return overlayInSteps(factory.buildGeometry(javaList(parts as readonly Part[])), factory.createPoint(), OverlayOp.UNION as number);
}

function javaList<T>(values: readonly T[]): JavaList<T> {
  const list = newList<T>();
  for (const value of values) {
    list.add(value);
  }
  return list;
}

function* unitePolygons(polygons: readonly Part[]): InSteps<unknown> {
  const index = new STRtree(CascadedPolygonUnion.STRTREE_NODE_CAPACITY) as unknown as {
    insert(box: unknown, part: Part): void;
    itemsTree(): Tree;
  };
  for (const polygon of polygons) {
    index.insert(polygon.getEnvelopeInternal(), polygon);
  }
  return yield* uniteTree(index.itemsTree());
}

function* uniteTree(tree: Tree): InSteps<Part> {
  const parts: Part[] = [];
  for (const one of tree.toArray()) {
    parts.push("toArray" in one ? yield* uniteTree(one) : one);
  }
  return yield* uniteRange(parts, 0, parts.length);
}

function* uniteRange(parts: readonly Part[], from: number, to: number): InSteps<Part> {
  if (to - from === 1) {
    return parts[from] as Part;
  }
  const middle = to - from === 2 ? from + 1 : Math.trunc((to + from) / 2);
  const [one, other] = [yield* uniteRange(parts, from, middle), yield* uniteRange(parts, middle, to)];
  if (isPauseDue()) {
    yield 1;
  }
  const united =
    one.getNumPoints() + other.getNumPoints() < largeVertices
      ? OverlapUnion.union(one, other)
      : yield* overlayInSteps<unknown>(one, other, OverlayOp.UNION as number);
  return CascadedPolygonUnion.restrictToPolygons(united) as Part;
}
