/**
 * Functions that derive geometries from geometries, and functions that measure and compare them.
 */
import type { HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { formatDouble } from "../../runtime/formats.ts";
import { invalidArgument, type List } from "../../runtime/nested-values.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { bytesOf, geometryOf, ofFilled, ofGeometry, ofGeometryInSteps, ofKind } from "./call.ts";
import { convexHullInSteps } from "./convex-hull.ts";
import { boundsOf, type Geometry, isEmpty, type LineString, pointAt, polygonOfBounds, type Position } from "./geometry.ts";
import { areaOf, boundaryOf, interpolate, interpolateAll, lengthOf, locate } from "./measures.ts";
import { mayMeet, relationOf, type Relation } from "./relations.ts";
import {
  buffer,
  centroid,
  distance,
  intersects,
  invalidReason,
  isSimple,
  isValid,
  nearestPositions,
  overlay,
  type Overlay,
  relate,
  simplify,
} from "./topology.ts";
import { unionInSteps } from "./unions.ts";

function relation(name: string, shown: string, implementation: Relation, description: string, result: string): ScalarDefinition {
  return {
    name,
    args: ["Geometry", "Geometry"],
    returns: "boolean",
    description,
    steps: ([one, other]) => relationOf(implementation, shown, geometryOf(one), geometryOf(other)),
    example: { sql: `${name}(${square}, ${cut})`, result },
  };
}

function overlayFunction(name: string, shown: string, kind: Overlay, description: string, result: string): ScalarDefinition {
  return {
    name,
    args: ["Geometry", "Geometry"],
    returns: "Geometry",
    description,
    *steps([one, other]) {
      return bytesOf(yield* overlay(kind, geometryOf(one), geometryOf(other), shown));
    },
    example: { sql: `ST_AsText(${name}(${square}, ${cut}))`, result },
  };
}

const bufferOf: HostSteps = function* ([value, away]) {
  const [geometry, by] = [geometryOf(value), away as number];
  if (Number.isNaN(by)) {
    return invalidArgument("distance is NaN");
  }
  if (by < 0) {
    return invalidArgument("distance is negative");
  }
  if (isEmpty(geometry)) {
    return null;
  }
  // A buffer of infinite distance is empty.
  return by === 0 ? (value as HostValue) : bytesOf(Number.isFinite(by) ? yield* buffer(geometry, by) : { kind: "MultiPolygon", parts: [] });
};

const expand: HostImplementation = ([value, away]) => {
  const [bounds, by] = [boundsOf(geometryOf(value)), away as number];
  if (Number.isNaN(by)) {
    return invalidArgument("expand_envelope: distance is NaN");
  }
  if (by < 0) {
    return invalidArgument(`expand_envelope: distance ${formatDouble(by)} is negative`);
  }
  if (bounds === undefined) {
    return bytesOf({ kind: "Polygon", rings: [] });
  }
  const { xMin, yMin, xMax, yMax } = bounds;
  return bytesOf(polygonOfBounds({ xMin: xMin - by, yMin: yMin - by, xMax: xMax + by, yMax: yMax + by }));
};

const centroidOf: HostImplementation = ([value]) => {
  const geometry = ofKind("ST_Centroid", value, "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon");
  const position = centroid(geometry);
  return bytesOf(position === undefined ? { kind: "Point" } : pointAt(position));
};

const simplified: HostSteps = function* ([value, tolerance]) {
  const [geometry, by] = [geometryOf(value), tolerance as number];
  if (Number.isNaN(by)) {
    return invalidArgument("distanceTolerance is NaN");
  }
  if (by < 0) {
    return invalidArgument("distanceTolerance is negative");
  }
  return by === 0 || isEmpty(geometry) ? (value as HostValue) : bytesOf(yield* simplify(geometry, by));
};

const geometriesAtOnce = 256;
const stepsOfGeometries = 256;

const unionOf: HostSteps = function* ([list]) {
  const geometries: Geometry[] = [];
  for (const value of list as List) {
    if (value !== null && geometries.push(geometryOf(value)) % geometriesAtOnce === 0) {
      yield stepsOfGeometries;
    }
  }
  return geometries.length === 0 ? null : bytesOf(yield* unionInSteps(geometries));
};

const hullOf: HostSteps = function* ([value]) {
  return bytesOf(yield* convexHullInSteps(geometryOf(value)));
};

const locatePoint: HostImplementation = ([value, place]) => {
  const [line, point] = [geometryOf(value), geometryOf(place)];
  if (line.kind !== "LineString" && line.kind !== "MultiLineString") {
    return invalidArgument(`First argument to line_locate_point must be a LineString or a MultiLineString. Got: ${line.kind}`);
  }
  if (point.kind !== "Point") {
    return invalidArgument(`Second argument to line_locate_point must be a Point. Got: ${point.kind}`);
  }
  return isEmpty(line) || point.position === undefined ? null : locate(line, point.position);
};

function checkedFraction(value: HostValue | undefined): number {
  const fraction = value as number;
  return fraction >= 0 && fraction <= 1 ? fraction : invalidArgument("fraction must be between 0 and 1");
}

function lineFor(value: HostValue | undefined): LineString {
  return ofKind("line_interpolate_point", value, "LineString");
}

const interpolatePoint: HostImplementation = ([value, fraction]) => {
  const line = lineFor(value);
  const share = checkedFraction(fraction);
  return isEmpty(line) ? null : bytesOf(pointAt(interpolate(line, share)));
};

/** Maximum number of points that line_interpolate_points returns. */
const interpolatedMax = 1_000_000;

const interpolatePoints: HostImplementation = ([value, fraction]) => {
  const line = lineFor(value);
  const share = checkedFraction(fraction);
  if (isEmpty(line)) {
    return null;
  }
  const count = share === 0 ? 1 : Math.floor(1 / share);
  if (count > interpolatedMax) {
    return invalidArgument(`result of line_interpolate_points must not have more than ${interpolatedMax} entries`);
  }
  const shares = Array.from({ length: count }, (_, index) => Math.min(1, share * (index + 1)));
  return interpolateAll(line, shares).map((position) => bytesOf(pointAt(position)));
};

function toPoints(positions: readonly Position[]): HostValue {
  return positions.map((position) => bytesOf(pointAt(position)));
}

const relateTo: HostSteps = function* ([one, other, pattern]) {
  const text = pattern as string;
  if (!/^[TF012*]{9}$/i.test(text)) {
    return invalidArgument(`Invalid intersection pattern: ${text}`);
  }
  return (yield* relate(geometryOf(one), geometryOf(other), "ST_Relate")).matches(text.toUpperCase());
};

function* intersectsWith([one, other]: List): InSteps<boolean> {
  const [left, right] = [geometryOf(one), geometryOf(other)];
  return mayMeet(left, right) && (yield* intersects(left, right));
}

const square = "ST_GeometryFromText('POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))')";
const cut = "ST_GeometryFromText('POLYGON ((2 2, 6 2, 6 6, 2 6, 2 2))')";
const bent = "ST_GeometryFromText('LINESTRING (0 0, 1 1, 10 10)')";

export const geometryRelations: readonly ScalarDefinition[] = [
  relation("st_contains", "ST_Contains", (m) => m.isContains(), "Whether the first geometry contains the second", "false"),
  relation(
    "st_crosses",
    "ST_Crosses",
    (m, a, b) => m.isCrosses(a, b),
    "Whether the geometries cross: they share some but not all interior points",
    "false",
  ),
  relation("st_equals", "ST_Equals", (m, a, b) => m.isEquals(a, b), "Whether the geometries represent the same set of points", "false"),
  relation(
    "st_overlaps",
    "ST_Overlaps",
    (m, a, b) => m.isOverlaps(a, b),
    "Whether the geometries overlap: same dimension, and neither contains the other",
    "true",
  ),
  relation("st_touches", "ST_Touches", (m, a, b) => m.isTouches(a, b), "Whether the geometries touch only at their boundaries", "false"),
  relation("st_within", "ST_Within", (m) => m.isWithin(), "Whether the first geometry is within the second", "false"),
  {
    name: "st_intersects",
    args: ["Geometry", "Geometry"],
    returns: "boolean",
    description: "Whether the geometries have a point in common",
    steps: intersectsWith,
    example: { sql: `ST_Intersects(${square}, ${cut})`, result: "true" },
  },
  {
    name: "st_disjoint",
    args: ["Geometry", "Geometry"],
    returns: "boolean",
    description: "Whether the geometries have no point in common",
    *steps(args) {
      return !(yield* intersectsWith(args));
    },
    example: { sql: `ST_Disjoint(${square}, ${cut})`, result: "false" },
  },
  {
    name: "st_relate",
    args: ["Geometry", "Geometry", "varchar"],
    returns: "boolean",
    description: "Whether the geometries match the DE-9IM relation pattern",
    steps: relateTo,
    example: { sql: `ST_Relate(${square}, ${cut}, '212101212')`, result: "true" },
  },
];

export const geometryOperations: readonly ScalarDefinition[] = [
  overlayFunction(
    "st_intersection",
    "ST_Intersection",
    "intersection",
    "Intersection of the geometries",
    "POLYGON ((2 2, 4 2, 4 4, 2 4, 2 2))",
  ),
  overlayFunction(
    "st_difference",
    "ST_Difference",
    "difference",
    "Difference of the geometries: points of the first that are not in the second",
    "POLYGON ((0 0, 4 0, 4 2, 2 2, 2 4, 0 4, 0 0))",
  ),
  overlayFunction(
    "st_symdifference",
    "ST_SymDifference",
    "symmetricDifference",
    "Symmetric difference of the geometries",
    "MULTIPOLYGON (((0 0, 4 0, 4 2, 2 2, 2 4, 0 4, 0 0)), ((4 2, 6 2, 6 6, 2 6, 2 4, 4 4, 4 2)))",
  ),
  overlayFunction("st_union", "ST_Union", "union", "Union of the geometries", "POLYGON ((0 0, 4 0, 4 2, 6 2, 6 6, 2 6, 2 4, 0 4, 0 0))"),
  {
    name: "geometry_union",
    args: ["array(Geometry)"],
    returns: "Geometry",
    givesNull: true,
    description: "Union of the geometries",
    steps: unionOf,
    example: { sql: `ST_AsText(geometry_union(ARRAY[${square}, NULL]))`, result: "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))" },
  },
  {
    name: "st_boundary",
    args: ["Geometry"],
    returns: "Geometry",
    description: "Boundary of the geometry",
    host: ofGeometry((geometry) => bytesOf(boundaryOf(geometry))),
    example: { sql: `ST_AsText(ST_Boundary(${bent}))`, result: "MULTIPOINT ((0 0), (10 10))" },
  },
  {
    name: "st_buffer",
    args: ["Geometry", "double"],
    returns: "Geometry",
    givesNull: true,
    description: "Geometry of all points within a distance of the geometry",
    steps: bufferOf,
    example: { sql: "ST_XMax(ST_Buffer(ST_Point(1, 2), 0.5))", result: "1.5" },
  },
  {
    name: "expand_envelope",
    args: ["Geometry", "double"],
    returns: "Geometry",
    description: "Bounding rectangle of the geometry, expanded by a distance",
    host: expand,
    example: { sql: "ST_AsText(expand_envelope(ST_Point(1, 2), 1))", result: "POLYGON ((0 1, 2 1, 2 3, 0 3, 0 1))" },
  },
  {
    name: "st_centroid",
    args: ["Geometry"],
    returns: "Geometry",
    description: "Centroid of the geometry",
    host: centroidOf,
    example: { sql: `ST_AsText(ST_Centroid(${square}))`, result: "POINT (2 2)" },
  },
  {
    name: "st_convexhull",
    args: ["Geometry"],
    returns: "Geometry",
    description: "Convex hull of the geometry",
    steps: hullOf,
    example: {
      sql: "ST_AsText(ST_ConvexHull(ST_GeometryFromText('LINESTRING (1 1, 1 9, 2 2)')))",
      result: "POLYGON ((1 1, 2 2, 1 9, 1 1))",
    },
  },
  {
    name: "simplify_geometry",
    args: ["Geometry", "double"],
    returns: "Geometry",
    description: "Geometry simplified by the Douglas-Peucker algorithm with a tolerance",
    steps: simplified,
    example: {
      sql: "ST_AsText(simplify_geometry(ST_GeometryFromText('LINESTRING (0 0, 1 0.1, 2 0)'), 1))",
      result: "LINESTRING (0 0, 2 0)",
    },
  },
];

export const geometryMeasures: readonly ScalarDefinition[] = [
  {
    name: "st_area",
    args: ["Geometry"],
    returns: "double",
    description: "Planar area of the geometry",
    host: ofGeometry(areaOf),
    example: { sql: `ST_Area(${square})`, result: "16.0" },
  },
  {
    name: "st_length",
    args: ["Geometry"],
    returns: "double",
    description: "Planar length of the line",
    host: ([value]) => lengthOf(ofKind("ST_Length", value, "LineString", "MultiLineString")),
    example: { sql: "ST_Length(ST_GeometryFromText('LINESTRING (0 0, 3 4)'))", result: "5.0" },
  },
  {
    name: "st_distance",
    args: ["Geometry", "Geometry"],
    returns: "double",
    givesNull: true,
    description: "Planar distance of the geometries",
    steps: ofFilled(distance),
    example: { sql: "ST_Distance(ST_Point(0, 0), ST_Point(3, 4))", result: "5.0" },
  },
  {
    name: "geometry_nearest_points",
    args: ["Geometry", "Geometry"],
    returns: "array(Geometry)",
    givesNull: true,
    description: "Nearest points of the geometries",
    steps: ofFilled(function* (left, right) {
      return toPoints(yield* nearestPositions(left, right));
    }),
    example: {
      sql: `transform(geometry_nearest_points(${square}, ST_Point(6, 3)), p -> ST_AsText(p))`,
      result: "[POINT (4 3), POINT (6 3)]",
    },
  },
  {
    name: "st_issimple",
    args: ["Geometry"],
    returns: "boolean",
    description: "Whether the geometry is simple",
    steps: ofGeometryInSteps(isSimple),
    example: { sql: "ST_IsSimple(ST_GeometryFromText('LINESTRING (0 0, 1 1, 1 0, 0 1)'))", result: "false" },
  },
  {
    name: "st_isvalid",
    args: ["Geometry"],
    returns: "boolean",
    description: "Whether the geometry is valid",
    steps: ofGeometryInSteps(isValid),
    example: { sql: `ST_IsValid(${square})`, result: "true" },
  },
  {
    name: "geometry_invalid_reason",
    args: ["Geometry"],
    returns: "varchar",
    givesNull: true,
    description: "Reason why the geometry is invalid or not simple, or NULL",
    steps: ofGeometryInSteps(function* (geometry) {
      return (yield* invalidReason(geometry)) ?? null;
    }),
    example: {
      sql: "geometry_invalid_reason(ST_GeometryFromText('POLYGON ((0 0, 0 1, 2 1, 1 1, 1 0, 0 0))'))",
      result: "Self-intersection at or near point (1.0, 1.0, NaN)",
    },
  },
  {
    name: "line_locate_point",
    args: ["Geometry", "Geometry"],
    returns: "double",
    givesNull: true,
    description: "Fraction of the line at its nearest point to the point, from 0 to 1",
    host: locatePoint,
    example: { sql: "line_locate_point(ST_GeometryFromText('LINESTRING (0 0, 0 1)'), ST_Point(0, 0.2))", result: "0.2" },
  },
  {
    name: "line_interpolate_point",
    args: ["Geometry", "double"],
    returns: "Geometry",
    givesNull: true,
    description: "Point of the line at a fraction of its length",
    host: interpolatePoint,
    example: { sql: `ST_AsText(line_interpolate_point(${bent}, 0.05))`, result: "POINT (0.5 0.5)" },
  },
  {
    name: "line_interpolate_points",
    args: ["Geometry", "double"],
    returns: "array(Geometry)",
    givesNull: true,
    description: "Points of the line at multiples of a fraction of its length",
    host: interpolatePoints,
    example: {
      sql: `transform(line_interpolate_points(${bent}, 0.3), p -> ST_AsText(p))`,
      result: "[POINT (3 3), POINT (6 6), POINT (9 9)]",
    },
  },
];
