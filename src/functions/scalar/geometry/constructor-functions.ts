/**
 * Functions that construct geometries from text, bytes, points and other geometries, and functions that serialize them.
 */
import type { HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { eachInSteps } from "../../runtime/large/loops.ts";
import { invalidArgument, type List } from "../../runtime/nested-values.ts";
import { bytesOf, geometryOf, ofGeometry, ofKind } from "./call.ts";
import {
  type Geometry,
  type GeometryKind,
  isEmpty,
  kindName,
  lineOf,
  type Point,
  pointAt,
  type Position,
  samePosition,
} from "./geometry.ts";
import { formatGeoJson, parseGeoJson } from "./encoding/geojson.ts";
import { decodePolyline, encodePolyline } from "./encoding/polylines.ts";
import { checkedGeography } from "./sphere.ts";
import { readWkb, writeWkb } from "./encoding/wkb.ts";
import { parseWkt, wktInSteps } from "./encoding/wkt.ts";

function fromText(name: string, kind: GeometryKind): HostSteps {
  return function* ([text]) {
    const geometry = yield* parseWkt(text as string);
    return geometry.kind === kind
      ? writeWkb(geometry)
      : invalidArgument(`${name} only applies to ${kindName(kind)}. Input type is: ${kindName(geometry.kind)}`);
  };
}

const makePoint: HostImplementation = ([x, y]) => {
  const position = [x as number, y as number] as const;
  return writeWkb(position.some(Number.isNaN) ? { kind: "Point" } : pointAt(position));
};

/** Work of reading a point, beyond that of an element of a loop, in nodes. */
const nodesOfPoint = 16;

const makeLine: HostSteps = function* ([list]) {
  const fail = (reason: string) => invalidArgument(`Invalid input to ST_LineString: ${reason}`);
  const positions: Position[] = [];
  yield* eachInSteps(
    list as List,
    (value, index) => {
      const at = index + 1;
      const geometry = value === null ? fail(`null point at index ${at}`) : geometryOf(value);
      if (geometry.kind !== "Point") {
        return invalidArgument(`ST_LineString takes only an array of valid points, ${geometry.kind} was passed`);
      }
      const position = geometry.position ?? fail(`empty point at index ${at}`);
      const last = positions.at(-1);
      if (last !== undefined && samePosition(last, position)) {
        return fail(`consecutive duplicate points at index ${at}`);
      }
      return positions.push(position);
    },
    nodesOfPoint,
  );
  return writeWkb(lineOf(positions.length < 2 ? [] : positions));
};

const makeMultiPoint: HostSteps = function* ([list]) {
  const fail = (reason: string) => invalidArgument(`Invalid input to ST_MultiPoint: ${reason}`);
  const parts: Point[] = [];
  yield* eachInSteps(
    list as List,
    (value, index) => {
      const geometry = value === null ? fail(`null at index ${index + 1}`) : geometryOf(value);
      if (geometry.kind !== "Point") {
        return fail(`geometry is not a point: ${geometry.kind} at index ${index + 1}`);
      }
      return parts.push(isEmpty(geometry) ? fail(`empty point at index ${index + 1}`) : geometry);
    },
    nodesOfPoint,
  );
  return parts.length === 0 ? null : writeWkb({ kind: "MultiPoint", parts });
};

/** Empty points, lines and polygons have no GeoJSON form. */
function geoJsonOrNull(geometry: Geometry): HostValue {
  return isEmpty(geometry) && !("parts" in geometry) ? null : formatGeoJson(geometry);
}

const filledFromGeoJson: HostImplementation = ([text]) => {
  const geometry = parseGeoJson(text as string);
  return isEmpty(geometry) && !("parts" in geometry) ? invalidArgument("Invalid GeoJSON: Geometry is empty.") : writeWkb(geometry);
};

const positionsOf: HostImplementation = ([value]) => {
  const geometry = ofKind("to_encoded_polyline", value, "LineString", "MultiPoint");
  const positions =
    geometry.kind === "LineString"
      ? geometry.positions
      : geometry.parts.flatMap(({ position }) => (position === undefined ? [] : [position]));
  return encodePolyline(positions);
};

const pointSql = "ST_Point(1.5, 2)";

export const geometryConstructors: readonly ScalarDefinition[] = [
  {
    name: "st_geometryfromtext",
    args: ["varchar"],
    returns: "Geometry",
    description: "Geometry from well-known text",
    *steps([text]) {
      return writeWkb(yield* parseWkt(text as string));
    },
    example: { sql: "ST_AsText(ST_GeometryFromText('POLYGON ((1 1, 1 4, 4 4, 4 1))'))", result: "POLYGON ((1 1, 4 1, 4 4, 1 4, 1 1))" },
  },
  {
    name: "st_geomfrombinary",
    args: ["varbinary"],
    returns: "Geometry",
    description: "Geometry from well-known binary",
    host: ([bytes]) => writeWkb(readWkb(bytes as Uint8Array)),
    example: { sql: "ST_AsText(ST_GeomFromBinary(X'0101000000000000000000F03F0000000000000040'))", result: "POINT (1 2)" },
  },
  {
    name: "st_linefromtext",
    args: ["varchar"],
    returns: "Geometry",
    description: "Line from well-known text",
    steps: fromText("ST_LineFromText", "LineString"),
    example: { sql: "ST_AsText(ST_LineFromText('linestring(1 1, 2 2.50)'))", result: "LINESTRING (1 1, 2 2.5)" },
  },
  {
    name: "st_polygon",
    args: ["varchar"],
    returns: "Geometry",
    description: "Polygon from well-known text",
    steps: fromText("ST_Polygon", "Polygon"),
    example: { sql: "ST_AsText(ST_Polygon('POLYGON EMPTY'))", result: "POLYGON EMPTY" },
  },
  {
    name: "st_point",
    args: ["double", "double"],
    returns: "Geometry",
    description: "Point with the coordinates x and y",
    host: makePoint,
    example: { sql: `ST_AsText(${pointSql})`, result: "POINT (1.5 2)" },
  },
  {
    name: "st_linestring",
    args: ["array(Geometry)"],
    returns: "Geometry",
    description: "Line from an array of points",
    steps: makeLine,
    example: { sql: "ST_AsText(ST_LineString(ARRAY[ST_Point(1, 2), ST_Point(3, 4)]))", result: "LINESTRING (1 2, 3 4)" },
  },
  {
    name: "st_multipoint",
    args: ["array(Geometry)"],
    returns: "Geometry",
    givesNull: true,
    description: "Multi-point from an array of points",
    steps: makeMultiPoint,
    example: { sql: "ST_AsText(ST_MultiPoint(ARRAY[ST_Point(1, 2), ST_Point(3, 4)]))", result: "MULTIPOINT ((1 2), (3 4))" },
  },
  ...["Geometry", "SphericalGeography"].map(
    (type): ScalarDefinition => ({
      name: "st_astext",
      args: [type],
      returns: "varchar",
      description: "Well-known text of the geometry",
      steps: ([value]) => wktInSteps(geometryOf(value)),
      ...(type === "Geometry" && { example: { sql: `ST_AsText(${pointSql})`, result: "POINT (1.5 2)" } }),
    }),
  ),
  {
    name: "st_asbinary",
    args: ["Geometry"],
    returns: "varbinary",
    description: "Well-known binary of the geometry",
    host: ([value]) => value as HostValue,
    example: { sql: "to_hex(ST_AsBinary(ST_Point(1, 2)))", result: "0101000000000000000000F03F0000000000000040" },
  },
  {
    name: "to_spherical_geography",
    args: ["Geometry"],
    returns: "SphericalGeography",
    description: "Spherical geography from a geometry in degrees of longitude and latitude",
    host: ofGeometry((geometry) => bytesOf(checkedGeography(geometry))),
    example: { sql: `ST_AsText(to_spherical_geography(${pointSql}))`, result: "POINT (1.5 2)" },
  },
  {
    name: "to_geometry",
    args: ["SphericalGeography"],
    returns: "Geometry",
    description: "Geometry from a spherical geography",
    host: ([value]) => value as HostValue,
    example: { sql: `ST_AsText(to_geometry(to_spherical_geography(${pointSql})))`, result: "POINT (1.5 2)" },
  },
  {
    name: "to_geojson_geometry",
    args: ["SphericalGeography"],
    returns: "varchar",
    description: "GeoJSON of the spherical geography",
    host: ofGeometry(formatGeoJson),
    example: { sql: `to_geojson_geometry(to_spherical_geography(${pointSql}))`, result: '{"type":"Point","coordinates":[1.5,2]}' },
  },
  {
    name: "from_geojson_geometry",
    args: ["varchar"],
    returns: "SphericalGeography",
    description: "Spherical geography from GeoJSON",
    host: ([text]) => writeWkb(checkedGeography(parseGeoJson(text as string))),
    example: { sql: `ST_AsText(from_geojson_geometry('{"type":"Point","coordinates":[1.5,2]}'))`, result: "POINT (1.5 2)" },
  },
  {
    name: "geometry_as_geojson",
    args: ["Geometry"],
    returns: "varchar",
    givesNull: true,
    description: "GeoJSON of the geometry",
    host: ofGeometry(geoJsonOrNull),
    example: { sql: `geometry_as_geojson(${pointSql})`, result: '{"type":"Point","coordinates":[1.5,2]}' },
  },
  {
    name: "geometry_from_geojson",
    args: ["varchar"],
    returns: "Geometry",
    description: "Geometry from GeoJSON",
    host: filledFromGeoJson,
    example: { sql: `ST_AsText(geometry_from_geojson('{"type":"Point","coordinates":[1.5,2]}'))`, result: "POINT (1.5 2)" },
  },
  {
    name: "to_encoded_polyline",
    args: ["Geometry"],
    returns: "varchar",
    description: "Encoded polyline of the line or multi-point",
    host: positionsOf,
    example: {
      sql: "to_encoded_polyline(ST_GeometryFromText('LINESTRING (-120.2 38.5, -120.95 40.7, -126.453 43.252)'))",
      result: "_p~iF~ps|U_ulLnnqC_mqNvxq`@",
    },
  },
  {
    name: "from_encoded_polyline",
    args: ["varchar"],
    returns: "Geometry",
    description: "Line from an encoded polyline",
    host: ([text]) => writeWkb(lineOf(decodePolyline(text as string))),
    example: {
      sql: "ST_AsText(from_encoded_polyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@'))",
      result: "LINESTRING (-120.2 38.5, -120.95 40.7, -126.453 43.252)",
    },
  },
];
