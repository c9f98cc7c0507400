/**
 * Lengths, areas, boundaries, and positions along lines.
 */
import { invalidArgument } from "../../runtime/nested-values.ts";
import {
  allPaths,
  type Geometry,
  isClosedPath,
  kindName,
  type LineString,
  type MultiLineString,
  lineOf,
  pointAt,
  type Position,
  samePosition,
  signedArea,
  singlesOf,
} from "./geometry.ts";

/** Sum of the polygon areas without their holes. */
export function areaOf(geometry: Geometry): number {
  return singlesOf(geometry).reduce((sum, single) => {
    if (single.kind !== "Polygon") {
      return sum;
    }
    const [shell = 0, ...holes] = single.rings.map((ring) => Math.abs(signedArea(ring)));
    return sum + holes.reduce((rest, hole) => rest - hole, shell);
  }, 0);
}

function distanceBetween(a: Position, b: Position): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  return Math.sqrt(dx * dx + dy * dy);
}

function segmentsOf(path: readonly Position[]): readonly (readonly [Position, Position])[] {
  return path.slice(1).map((end, index) => [path[index] as Position, end]);
}

export function lengthOf(lines: LineString | MultiLineString): number {
  return allPaths(lines)
    .flatMap(segmentsOf)
    .reduce((sum, [from, to]) => sum + distanceBetween(from, to), 0);
}

/** An end position belongs to the boundary if an odd number of lines end there. */
function endsOf(lines: readonly LineString[]): readonly Position[] {
  const ends = new Map<string, { readonly position: Position; count: number }>();
  for (const { positions } of lines) {
    for (const position of [positions[0], positions.at(-1)]) {
      if (position !== undefined) {
        const key = position.join(" ");
        const known = ends.get(key) ?? { position, count: 0 };
        known.count += 1;
        ends.set(key, known);
      }
    }
  }
  return [...ends.values()].filter(({ count }) => count % 2 === 1).map(({ position }) => position);
}

export function boundaryOf(geometry: Geometry): Geometry {
  switch (geometry.kind) {
    case "Point":
    case "MultiPoint":
      return { kind: "MultiPoint", parts: [] };
    case "LineString":
    case "MultiLineString": {
      const lines = geometry.kind === "LineString" ? [geometry] : geometry.parts;
      return { kind: "MultiPoint", parts: endsOf(lines).map(pointAt) };
    }
    case "Polygon":
    case "MultiPolygon":
      return { kind: "MultiLineString", parts: allPaths(geometry).map(lineOf) };
    case "GeometryCollection":
      return invalidArgument(`ST_Boundary does not support ${kindName(geometry.kind)}`);
  }
}

export function isClosed(lines: LineString | MultiLineString): boolean {
  const paths = allPaths(lines);
  return paths.length > 0 && paths.every(isClosedPath);
}

/** Fraction of the segment at its nearest point to the position. */
function nearestShare([from, to]: readonly [Position, Position], [x, y]: Position): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : ((x - from[0]) * dx + (y - from[1]) * dy) / square;
  return Math.min(1, Math.max(0, share));
}

function along([from, to]: readonly [Position, Position], share: number): Position {
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** Fraction of the total length at the first point that is nearest to the position. */
export function locate(lines: LineString | MultiLineString, position: Position): number {
  let [passed, nearest, found] = [0, Number.POSITIVE_INFINITY, 0];
  for (const segment of allPaths(lines).flatMap(segmentsOf)) {
    const length = distanceBetween(...segment);
    const share = nearestShare(segment, position);
    const away = distanceBetween(along(segment, share), position);
    if (away < nearest) {
      [nearest, found] = [away, passed + share * length];
    }
    passed += length;
  }
  return passed === 0 ? 0 : found / passed;
}

/** The position at a fraction (0 to 1) of the line's length. The line must not be empty. */
export function interpolate(line: LineString, share: number): Position {
  return interpolateAll(line, [share])[0] as Position;
}

/** The positions at ascending fractions of the line's length, in one pass over the line. */
export function interpolateAll(line: LineString, shares: readonly number[]): readonly Position[] {
  const whole = lengthOf(line);
  const last = line.positions.at(-1) as Position;
  const segments = segmentsOf(line.positions);
  const lengths = segments.map((segment) => distanceBetween(...segment));
  let [index, passed] = [0, 0];
  return shares.map((share) => {
    while (index < segments.length && !((passed + (lengths[index] as number)) / whole > share)) {
      passed += lengths[index] as number;
      index++;
    }
    const segment = segments[index];
    return segment === undefined ? last : along(segment, (share - passed / whole) / ((lengths[index] as number) / whole));
  });
}

/** Index of the first position that equals its predecessor; undefined if there is none. */
export function repeatedIndex(path: readonly Position[]): number | undefined {
  const index = path.findIndex((position, at) => at > 0 && samePosition(position, path[at - 1] as Position));
  return index < 0 ? undefined : index;
}
