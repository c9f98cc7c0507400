/**
 * Accessor functions of geometries.
 */
import type { HostImplementation, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { bytesOf, geometryOf, ofGeometry, ofKind } from "./call.ts";
import {
  allPaths,
  type Bounds,
  boundsOf,
  dimensionOf,
  type Geometry,
  isEmpty,
  type LineString,
  lineOf,
  partsOf,
  pathsOf,
  pointAt,
  polygonOfBounds,
  type Position,
  singlesOf,
} from "./geometry.ts";
import { isClosed } from "./measures.ts";
import { isRing } from "./topology.ts";

function side(name: string, label: string, bound: keyof Bounds, result: string): ScalarDefinition {
  return {
    name,
    args: ["Geometry"],
    returns: "double",
    givesNull: true,
    description: `${label} of the bounding rectangle of the geometry`,
    host: ofGeometry((geometry) => boundsOf(geometry)?.[bound] ?? null),
    example: { sql: `${name}(ST_GeometryFromText('LINESTRING (8 4, 5 7)'))`, result },
  };
}

function coordinate(name: string, label: string, axis: 0 | 1, result: string): ScalarDefinition {
  const shown = name.toUpperCase();
  return {
    name,
    args: ["Geometry"],
    returns: "double",
    givesNull: true,
    description: `${label} coordinate of the point`,
    host: ([value]) => ofKind(shown, value, "Point").position?.[axis] ?? null,
    example: { sql: `${name}(ST_Point(1, 2))`, result },
  };
}

function linePoint(name: string, shown: string, at: 0 | -1, result: string): ScalarDefinition {
  return {
    name,
    args: ["Geometry"],
    returns: "Geometry",
    givesNull: true,
    description: `${at === 0 ? "First" : "Last"} point of the line`,
    host: ([value]) => pointOrNull(ofKind(shown, value, "LineString").positions.at(at)),
    example: { sql: `ST_AsText(${name}(ST_GeometryFromText('LINESTRING (8 4, 4 8, 5 6)')))`, result },
  };
}

function pointOrNull(position: Position | undefined): HostValue {
  return bytesOf(position === undefined ? undefined : pointAt(position));
}

/** `index` counts from 1. */
function nth<Item>(items: readonly Item[], index: HostValue | undefined): Item | undefined {
  const at = index as bigint;
  return at >= 1n && at <= BigInt(items.length) ? items[Number(at) - 1] : undefined;
}

function lineOrNull(positions: readonly Position[] | undefined): HostValue {
  return bytesOf(positions === undefined ? undefined : lineOf(positions));
}

/** Empty geometries are empty collections. */
function filledParts(geometry: Geometry): readonly Geometry[] {
  return geometry.kind === "GeometryCollection" || !isEmpty(geometry) ? partsOf(geometry) : [];
}

/** The closing position of a ring is not counted. */
function pointCount(geometry: Geometry): HostValue {
  const counts = singlesOf(geometry).flatMap((single) =>
    pathsOf(single).map((path) => path.length - Number(single.kind === "Polygon" && path.length > 1)),
  );
  return BigInt(counts.reduce((sum, count) => sum + count, 0));
}

/** Positions in the order of Presto's internal form: outer rings clockwise, holes counterclockwise. */
function pointsOf(geometry: Geometry): HostValue {
  const positions = singlesOf(geometry).flatMap((single) =>
    single.kind === "Polygon" ? single.rings.flatMap((ring) => [...ring].reverse()) : pathsOf(single).flat(),
  );
  return positions.length === 0 ? null : positions.map((position) => bytesOf(pointAt(position)));
}

function envelopePoints(geometry: Geometry): HostValue {
  const bounds = boundsOf(geometry);
  return bounds === undefined ? null : [bytesOf(pointAt([bounds.xMin, bounds.yMin])), bytesOf(pointAt([bounds.xMax, bounds.yMax]))];
}

const exteriorRing: HostImplementation = ([value]) => lineOrNull(ofKind("ST_ExteriorRing", value, "Polygon").rings[0]);

const interiorRings: HostImplementation = ([value]) => {
  const { rings } = ofKind("ST_InteriorRings", value, "Polygon");
  return rings.length === 0 ? null : rings.slice(1).map(lineOrNull);
};

function flattened(geometry: Geometry): readonly Geometry[] {
  return geometry.kind === "GeometryCollection" ? geometry.parts.flatMap(flattened) : [geometry];
}

const typeNames: Readonly<Record<Geometry["kind"], string>> = Object.freeze({
  Point: "ST_Point",
  LineString: "ST_LineString",
  Polygon: "ST_Polygon",
  MultiPoint: "ST_MultiPoint",
  MultiLineString: "ST_MultiLineString",
  MultiPolygon: "ST_MultiPolygon",
  GeometryCollection: "ST_GeomCollection",
});

const collection = "ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (2 3), LINESTRING (2 3, 3 4))')";
const withHole = "ST_GeometryFromText('POLYGON ((0 0, 0 5, 5 5, 5 0, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))')";
const line = "ST_GeometryFromText('LINESTRING (8 4, 4 8, 5 6)')";

export const geometryAccessors: readonly ScalarDefinition[] = [
  side("st_xmin", "Minimum X", "xMin", "5.0"),
  side("st_ymin", "Minimum Y", "yMin", "4.0"),
  side("st_xmax", "Maximum X", "xMax", "8.0"),
  side("st_ymax", "Maximum Y", "yMax", "7.0"),
  coordinate("st_x", "X", 0, "1.0"),
  coordinate("st_y", "Y", 1, "2.0"),
  linePoint("st_startpoint", "ST_StartPoint", 0, "POINT (8 4)"),
  linePoint("st_endpoint", "ST_EndPoint", -1, "POINT (5 6)"),
  {
    name: "st_pointn",
    args: ["Geometry", "bigint"],
    returns: "Geometry",
    givesNull: true,
    description: "Point of the line at the index, from 1, or NULL",
    host: ([value, index]) => pointOrNull(nth(ofKind("ST_PointN", value, "LineString").positions, index)),
    example: { sql: `ST_AsText(ST_PointN(${line}, 2))`, result: "POINT (4 8)" },
  },
  {
    name: "st_points",
    args: ["Geometry"],
    returns: "array(Geometry)",
    givesNull: true,
    description: "Array of the points of the geometry",
    host: ofGeometry(pointsOf),
    example: { sql: `transform(ST_Points(${line}), p -> ST_X(p))`, result: "[8.0, 4.0, 5.0]" },
  },
  {
    name: "st_numpoints",
    args: ["Geometry"],
    returns: "bigint",
    description: "Number of points in the geometry",
    host: ofGeometry(pointCount),
    example: { sql: `ST_NumPoints(${withHole})`, result: "8" },
  },
  {
    name: "st_numgeometries",
    args: ["Geometry"],
    returns: "integer",
    description: "Number of geometries in the collection",
    host: ofGeometry((geometry) => filledParts(geometry).length),
    example: { sql: `ST_NumGeometries(${collection})`, result: "2" },
  },
  {
    name: "st_geometryn",
    args: ["Geometry", "bigint"],
    returns: "Geometry",
    givesNull: true,
    description: "Geometry of the collection at the index, from 1, or NULL",
    host: ([value, index]) => bytesOf(nth(filledParts(geometryOf(value)), index)),
    example: { sql: `ST_AsText(ST_GeometryN(${collection}, 2))`, result: "LINESTRING (2 3, 3 4)" },
  },
  {
    name: "st_geometries",
    args: ["Geometry"],
    returns: "array(Geometry)",
    givesNull: true,
    description: "Array of the geometries in the collection",
    host: ofGeometry((geometry) => (isEmpty(geometry) ? null : partsOf(geometry).map(bytesOf))),
    example: { sql: `transform(ST_Geometries(${collection}), g -> ST_GeometryType(g))`, result: "[ST_Point, ST_LineString]" },
  },
  {
    name: "flatten_geometry_collections",
    args: ["Geometry"],
    returns: "array(Geometry)",
    description: "Array of the geometries in the collection and its nested collections",
    host: ofGeometry((geometry) => flattened(geometry).map(bytesOf)),
    example: {
      sql: "cardinality(flatten_geometry_collections(ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (0 0), GEOMETRYCOLLECTION (POINT (1 1)))')))",
      result: "2",
    },
  },
  {
    name: "st_exteriorring",
    args: ["Geometry"],
    returns: "Geometry",
    givesNull: true,
    description: "Exterior ring of the polygon",
    host: exteriorRing,
    example: { sql: `ST_AsText(ST_ExteriorRing(${withHole}))`, result: "LINESTRING (0 0, 5 0, 5 5, 0 5, 0 0)" },
  },
  {
    name: "st_interiorrings",
    args: ["Geometry"],
    returns: "array(Geometry)",
    givesNull: true,
    description: "Array of the interior rings of the polygon",
    host: interiorRings,
    example: { sql: `cardinality(ST_InteriorRings(${withHole}))`, result: "1" },
  },
  {
    name: "st_interiorringn",
    args: ["Geometry", "bigint"],
    returns: "Geometry",
    givesNull: true,
    description: "Interior ring of the polygon at the index, from 1, or NULL",
    host: ([value, index]) => lineOrNull(nth(ofKind("ST_InteriorRingN", value, "Polygon").rings.slice(1), index)),
    example: { sql: `ST_AsText(ST_InteriorRingN(${withHole}, 1))`, result: "LINESTRING (1 1, 1 2, 2 2, 2 1, 1 1)" },
  },
  {
    name: "st_numinteriorring",
    args: ["Geometry"],
    returns: "bigint",
    givesNull: true,
    description: "Number of interior rings of the polygon",
    host: ([value]) => {
      const { rings } = ofKind("ST_NumInteriorRing", value, "Polygon");
      return rings.length === 0 ? null : BigInt(rings.length - 1);
    },
    example: { sql: `ST_NumInteriorRing(${withHole})`, result: "1" },
  },
  {
    name: "st_geometrytype",
    args: ["Geometry"],
    returns: "varchar",
    description: "Type of the geometry, such as ST_Polygon",
    host: ofGeometry(({ kind }) => typeNames[kind]),
    example: { sql: `ST_GeometryType(${collection})`, result: "ST_GeomCollection" },
  },
  {
    name: "st_coorddim",
    args: ["Geometry"],
    returns: "tinyint",
    description: "Coordinate dimension of the geometry",
    host: ofGeometry(() => 2),
    example: { sql: `ST_CoordDim(${collection})`, result: "2" },
  },
  {
    name: "st_dimension",
    args: ["Geometry"],
    returns: "tinyint",
    description: "Dimension of the geometry: 0 for points, 1 for lines, 2 for polygons",
    host: ofGeometry(dimensionOf),
    example: { sql: `ST_Dimension(${collection})`, result: "1" },
  },
  {
    name: "st_envelope",
    args: ["Geometry"],
    returns: "Geometry",
    description: "Bounding rectangle of the geometry",
    host: ofGeometry((geometry) => {
      const bounds = boundsOf(geometry);
      return bytesOf(bounds === undefined ? { kind: "Polygon", rings: [] } : polygonOfBounds(bounds));
    }),
    example: { sql: `ST_AsText(ST_Envelope(${line}))`, result: "POLYGON ((4 4, 8 4, 8 8, 4 8, 4 4))" },
  },
  {
    name: "st_envelopeaspts",
    args: ["Geometry"],
    returns: "array(Geometry)",
    givesNull: true,
    description: "Lower left and upper right corners of the bounding rectangle",
    host: ofGeometry(envelopePoints),
    example: { sql: `transform(ST_EnvelopeAsPts(${line}), p -> ST_AsText(p))`, result: "[POINT (4 4), POINT (8 8)]" },
  },
  {
    name: "st_isempty",
    args: ["Geometry"],
    returns: "boolean",
    description: "Whether the geometry is empty",
    host: ofGeometry((geometry) => allPaths(geometry).length === 0),
    example: { sql: "ST_IsEmpty(ST_GeometryFromText('POINT EMPTY'))", result: "true" },
  },
  {
    name: "st_isclosed",
    args: ["Geometry"],
    returns: "boolean",
    description: "Whether the start and end points of the lines coincide",
    host: ([value]) => isClosed(ofKind("ST_IsClosed", value, "LineString", "MultiLineString")),
    example: { sql: `ST_IsClosed(${line})`, result: "false" },
  },
  {
    name: "st_isring",
    args: ["Geometry"],
    returns: "boolean",
    description: "Whether the line is closed and simple",
    steps: ([value]) => isRing(ofKind("ST_IsRing", value, "LineString") as LineString),
    example: { sql: "ST_IsRing(ST_GeometryFromText('LINESTRING (0 0, 1 1, 0 2, 0 0)'))", result: "true" },
  },
];
