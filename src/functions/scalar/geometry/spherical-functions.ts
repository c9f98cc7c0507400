/**
 * Functions of SphericalGeography, in meters, and great_circle_distance.
 */
import type { HostImplementation, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { invalidArgument } from "../../runtime/nested-values.ts";
import { bytesOf, geometryOf } from "./call.ts";
import { allPaths, type Geometry, type GeometryKind, isEmpty, kindName, pointAt } from "./geometry.ts";
import { greatCircleKm, sphericalArea, sphericalCentroid, sphericalLength } from "./sphere.ts";

function sphericalOf(name: string, value: HostValue | undefined, ...kinds: readonly GeometryKind[]): Geometry {
  const geometry = geometryOf(value);
  return kinds.includes(geometry.kind)
    ? geometry
    : invalidArgument(
        `When applied to SphericalGeography inputs, ${name} only supports ${kinds.map(kindName).join(" or ")}. Input type is: ${kindName(geometry.kind)}`,
      );
}

const distanceOf: HostImplementation = (args) => {
  const [from, to] = args.map((value) => allPaths(sphericalOf("ST_Distance", value, "Point"))[0]?.[0]);
  return from === undefined || to === undefined ? null : greatCircleKm(from, to) * 1000;
};

const areaOf: HostImplementation = ([value]) => {
  const geometry = sphericalOf("ST_Area", value, "Polygon", "MultiPolygon");
  return isEmpty(geometry) ? null : sphericalArea(geometry);
};

const lengthOf: HostImplementation = ([value]) => {
  const geometry = sphericalOf("ST_Length", value, "LineString", "MultiLineString");
  return isEmpty(geometry) ? null : sphericalLength(geometry);
};

const centroidOf: HostImplementation = ([value]) => {
  const positions = allPaths(sphericalOf("ST_Centroid", value, "Point", "MultiPoint")).flat();
  return positions.length === 0 ? null : bytesOf(pointAt(sphericalCentroid(positions)));
};

function geography(text: string): string {
  return `to_spherical_geography(ST_GeometryFromText('${text}'))`;
}

export const sphericalDefinitions: readonly ScalarDefinition[] = [
  {
    name: "great_circle_distance",
    args: ["double", "double", "double", "double"],
    returns: "double",
    description: "Great-circle distance between two points on the Earth's surface, in kilometers",
    host: ([latitude, longitude, otherLatitude, otherLongitude]) =>
      greatCircleKm([longitude as number, latitude as number], [otherLongitude as number, otherLatitude as number]),
    example: { sql: "great_circle_distance(36.12, -86.67, 33.94, -118.40)", result: "2886.448973436703" },
  },
  {
    name: "st_distance",
    args: ["SphericalGeography", "SphericalGeography"],
    returns: "double",
    givesNull: true,
    description: "Great-circle distance of two points, in meters",
    host: distanceOf,
    example: {
      sql: `ST_Distance(${geography("POINT (-86.67 36.12)")}, ${geography("POINT (-118.40 33.94)")})`,
      result: "2886448.973436703",
    },
  },
  {
    name: "st_area",
    args: ["SphericalGeography"],
    returns: "double",
    givesNull: true,
    description: "Area of the polygon on the sphere, in square meters",
    host: areaOf,
    example: { sql: `round(ST_Area(${geography("POLYGON ((90 0, 0 0, 0 90, 90 0))")}) / 1e9)`, result: "63758.0" },
  },
  {
    name: "st_length",
    args: ["SphericalGeography"],
    returns: "double",
    givesNull: true,
    description: "Great-circle length of the line, in meters",
    host: lengthOf,
    example: { sql: `round(ST_Length(${geography("LINESTRING (-71.05 42.36, -87.62 41.87, -122.41 37.77)")}))`, result: "4350867.0" },
  },
  {
    name: "st_centroid",
    args: ["SphericalGeography"],
    returns: "SphericalGeography",
    givesNull: true,
    description: "Centroid of the points on the sphere",
    host: centroidOf,
    example: { sql: `ST_AsText(ST_Centroid(${geography("MULTIPOINT (0 -45, 0 45, 30 0, -30 0)")}))`, result: "POINT (0 0)" },
  },
];
