/**
 * Planar geometries as plain data: the seven OGC kinds. Polygon rings are closed; outer rings are counterclockwise and holes clockwise, as
 * Presto prints them. Coordinates have two dimensions.
 */

export type Position = readonly [x: number, y: number];

export interface Point {
  readonly kind: "Point";
  /** Undefined if the point is empty. */
  readonly position?: Position;
}

export interface LineString {
  readonly kind: "LineString";
  readonly positions: readonly Position[];
}

export interface Polygon {
  readonly kind: "Polygon";
  /** The outer ring, then the holes; no rings if empty. */
  readonly rings: readonly (readonly Position[])[];
}

export interface MultiPoint {
  readonly kind: "MultiPoint";
  readonly parts: readonly Point[];
}

export interface MultiLineString {
  readonly kind: "MultiLineString";
  readonly parts: readonly LineString[];
}

export interface MultiPolygon {
  readonly kind: "MultiPolygon";
  readonly parts: readonly Polygon[];
}

export interface GeometryCollection {
  readonly kind: "GeometryCollection";
  readonly parts: readonly Geometry[];
}

export type Single = Point | LineString | Polygon;
export type Geometry = Single | MultiPoint | MultiLineString | MultiPolygon | GeometryCollection;
export type GeometryKind = Geometry["kind"];

/** Indexed by the WKB type number. */
export const geometryKinds: readonly GeometryKind[] = Object.freeze([
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
] as const);

/** Maximum depth of nested collections. */
export const nestingMax = 64;

export const emptyMultiPolygon: MultiPolygon = Object.freeze({ kind: "MultiPolygon", parts: Object.freeze([]) });

/** Name of the kind in messages: `MULTI_LINE_STRING`. */
export function kindName(kind: GeometryKind): string {
  return kind.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

export function pointAt(position: Position): Point {
  return { kind: "Point", position };
}

export function lineOf(positions: readonly Position[]): LineString {
  return { kind: "LineString", positions };
}

/** The parts of a multi-geometry or collection; a single geometry is its own only part. */
export function partsOf(geometry: Geometry): readonly Geometry[] {
  return "parts" in geometry ? geometry.parts : [geometry];
}

/** Points, lines and polygons in order, including those inside collections. */
export function singlesOf(geometry: Geometry): readonly Single[] {
  return "parts" in geometry ? geometry.parts.flatMap(singlesOf) : [geometry];
}

/** The position lists of a point, line or polygon. */
export function pathsOf(single: Single): readonly (readonly Position[])[] {
  switch (single.kind) {
    case "Point":
      return single.position === undefined ? [] : [[single.position]];
    case "LineString":
      return single.positions.length === 0 ? [] : [single.positions];
    case "Polygon":
      return single.rings;
  }
}

/** The position lists of all parts. */
export function allPaths(geometry: Geometry): readonly (readonly Position[])[] {
  return singlesOf(geometry).flatMap(pathsOf);
}

export function isEmpty(geometry: Geometry): boolean {
  return "parts" in geometry ? geometry.parts.every(isEmpty) : pathsOf(geometry).length === 0;
}

/** 0 for points, 1 for lines, 2 for polygons; for a collection the maximum of its parts, 0 if it has none. */
export function dimensionOf(geometry: Geometry): number {
  switch (geometry.kind) {
    case "Point":
    case "MultiPoint":
      return 0;
    case "LineString":
    case "MultiLineString":
      return 1;
    case "Polygon":
    case "MultiPolygon":
      return 2;
    case "GeometryCollection":
      return geometry.parts.reduce((most, part) => Math.max(most, dimensionOf(part)), 0);
  }
}

export interface Bounds {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Undefined if the geometry is empty. */
export function boundsOf(geometry: Geometry): Bounds | undefined {
  let bounds: Bounds | undefined;
  for (const path of allPaths(geometry)) {
    for (const [x, y] of path) {
      bounds =
        bounds === undefined
          ? { xMin: x, yMin: y, xMax: x, yMax: y }
          : {
              xMin: Math.min(bounds.xMin, x),
              yMin: Math.min(bounds.yMin, y),
              xMax: Math.max(bounds.xMax, x),
              yMax: Math.max(bounds.yMax, y),
            };
    }
  }
  return bounds;
}

/** The rectangle as a polygon. */
export function polygonOfBounds({ xMin, yMin, xMax, yMax }: Bounds): Polygon {
  const corners: readonly Position[] = [
    [xMin, yMin],
    [xMax, yMin],
    [xMax, yMax],
    [xMin, yMax],
    [xMin, yMin],
  ];
  return { kind: "Polygon", rings: [corners] };
}

export function samePosition(a: Position, b: Position): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

export function isClosedPath(path: readonly Position[]): boolean {
  const [first, last] = [path[0], path.at(-1)];
  return first !== undefined && last !== undefined && samePosition(first, last);
}

/**
 * Positive if the ring is counterclockwise. Computed relative to the first position, so that a ring far from the origin loses no precision.
 */
export function signedArea(ring: readonly Position[]): number {
  const [x0, y0] = ring[0] ?? [0, 0];
  let sum = 0;
  for (let index = 1; index < ring.length; index++) {
    const [a, b] = [ring[index - 1] as Position, ring[index] as Position];
    sum += (a[0] - x0) * (b[1] - y0) - (b[0] - x0) * (a[1] - y0);
  }
  return sum / 2;
}

/** 1 for counterclockwise, -1 for clockwise, 0 if rounding or overflow leaves it open: the sums in both directions must agree. */
function turnOf(ring: readonly Position[]): number {
  const [turn, back] = [Math.sign(signedArea(ring)), Math.sign(signedArea([...ring].reverse()))];
  return turn === -back ? turn : 0;
}

/** Closes the rings and orients them: outer ring counterclockwise, holes clockwise. */
export function polygonOf(rings: readonly (readonly Position[])[]): Polygon {
  return {
    kind: "Polygon",
    rings: rings.map((ring, index) => {
      const closed = isClosedPath(ring) ? ring : [...ring, ...ring.slice(0, 1)];
      return turnOf(closed) === (index === 0 ? -1 : 1) ? [...closed].reverse() : closed;
    }),
  };
}
