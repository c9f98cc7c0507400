/**
 * Geometries as GeoJSON (RFC 7946).
 */
import { invalidArgument } from "../../../runtime/nested-values.ts";
import { ownMember } from "../../../../types/own.ts";
import {
  type Geometry,
  isEmpty,
  type LineString,
  lineOf,
  nestingMax,
  type Point,
  pointAt,
  type Polygon,
  polygonOf,
  type Position,
} from "../geometry.ts";
import { formatCoordinate } from "./wkt.ts";

function positionJson([x, y]: Position): string {
  return `[${formatCoordinate(x)},${formatCoordinate(y)}]`;
}

function listJson(items: readonly string[]): string {
  return `[${items.join(",")}]`;
}

function pathJson(path: readonly Position[]): string {
  return listJson(path.map(positionJson));
}

function coordinatesJson(geometry: Exclude<Geometry, { readonly kind: "GeometryCollection" }>): string {
  switch (geometry.kind) {
    case "Point":
      return geometry.position === undefined ? "[]" : positionJson(geometry.position);
    case "LineString":
      return pathJson(geometry.positions);
    case "Polygon":
      return listJson(geometry.rings.map(pathJson));
    case "MultiPoint":
    case "MultiLineString":
    case "MultiPolygon":
      return listJson((geometry.parts as readonly (Point | LineString | Polygon)[]).filter((part) => !isEmpty(part)).map(coordinatesJson));
  }
}

export function formatGeoJson(geometry: Geometry): string {
  return geometry.kind === "GeometryCollection"
    ? `{"type":"GeometryCollection","geometries":${listJson(geometry.parts.map(formatGeoJson))}}`
    : `{"type":"${geometry.kind}","coordinates":${coordinatesJson(geometry)}}`;
}

function fail(reason: string): never {
  return invalidArgument(`Invalid GeoJSON: ${reason}`);
}

/** A missing member is an empty list. */
function listAt(value: unknown, name: string): readonly unknown[] {
  const member = typeof value === "object" && value !== null ? (ownMember(value as Record<string, unknown>, name) ?? []) : value;
  return Array.isArray(member) ? member : fail("Could not parse Geometry from GeoJson string.");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : fail("Could not parse Geometry from GeoJson string.");
}

function positionOf(value: unknown): Position {
  const [x, y] = listOf(value);
  return typeof x === "number" && typeof y === "number" && Number.isFinite(x) && Number.isFinite(y)
    ? [x, y]
    : fail("Could not parse Geometry from GeoJson string.");
}

function pathOf(value: unknown): readonly Position[] {
  return listOf(value).map(positionOf);
}

function ringsOf(value: unknown): Polygon {
  return polygonOf(
    listOf(value)
      .map(pathOf)
      .filter((ring) => ring.length > 0),
  );
}

function geometryOf(value: unknown, depth: number): Geometry {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > nestingMax) {
    return fail("Could not parse Geometry from GeoJson string.");
  }
  const record = value as Record<string, unknown>;
  const type = ownMember(record, "type");
  const coordinates = () => listAt(value, "coordinates");
  switch (type) {
    case "Point":
      return coordinates().length === 0 ? { kind: type } : pointAt(positionOf(coordinates()));
    case "LineString":
      return lineOf(pathOf(coordinates()));
    case "Polygon":
      return ringsOf(coordinates());
    case "MultiPoint":
      return { kind: type, parts: pathOf(coordinates()).map(pointAt) };
    case "MultiLineString":
      return { kind: type, parts: coordinates().map((path) => lineOf(pathOf(path))) };
    case "MultiPolygon":
      return { kind: type, parts: coordinates().map(ringsOf) };
    case "GeometryCollection":
      return { kind: type, parts: listAt(value, "geometries").map((part) => geometryOf(part, depth + 1)) };
    case "Feature":
      return geometryOf(ownMember(record, "geometry"), depth + 1);
    case "FeatureCollection":
      return { kind: "GeometryCollection", parts: listAt(value, "features").map((feature) => geometryOf(feature, depth + 1)) };
    case undefined:
      return fail("Could not parse Geometry from Json string.  No 'type' property found.");
    default:
      return fail(typeof type === "string" ? `Unknown type: ${type}` : "Could not parse Geometry from GeoJson string.");
  }
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function parseGeoJson(text: string): Geometry {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail("Could not parse JSON.");
  }
  return geometryOf(value, 0);
}
