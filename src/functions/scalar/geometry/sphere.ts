/**
 * Distances, lengths, areas and centroids on a sphere of the Earth's mean radius; positions are degrees of longitude and latitude.
 */
import { invalidArgument } from "../../runtime/nested-values.ts";
import { allPaths, type Geometry, type Position, singlesOf } from "./geometry.ts";
import { repeatedIndex } from "./measures.ts";

const earthRadiusKm = 6371.01;
export const earthRadiusMetres = earthRadiusKm * 1000;

export function radians(degrees: number): number {
  return (degrees / 180) * Math.PI;
}

export function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}

function checkLatitude(latitude: number): void {
  if (!(latitude >= -90 && latitude <= 90)) {
    invalidArgument("Latitude must be between -90 and 90");
  }
}

function checkLongitude(longitude: number): void {
  if (!(longitude >= -180 && longitude <= 180)) {
    invalidArgument("Longitude must be between -180 and 180");
  }
}

/** Returns the geometry if all positions are valid longitudes and latitudes; fails otherwise. */
export function checkedGeography(geometry: Geometry): Geometry {
  for (const [longitude, latitude] of allPaths(geometry).flat()) {
    checkLongitude(longitude);
    checkLatitude(latitude);
  }
  return geometry;
}

/** Great-circle distance in kilometers. */
export function greatCircleKm(from: Position, to: Position): number {
  for (const [longitude, latitude] of [from, to]) {
    checkLatitude(latitude);
    checkLongitude(longitude);
  }
  const [latitude, otherLatitude] = [radians(from[1]), radians(to[1])];
  const turn = radians(from[0]) - radians(to[0]);
  const [sine, cosine] = [Math.sin(latitude), Math.cos(latitude)];
  const [otherSine, otherCosine] = [Math.sin(otherLatitude), Math.cos(otherLatitude)];
  const across = otherCosine * Math.sin(turn);
  const ahead = cosine * otherSine - sine * otherCosine * Math.cos(turn);
  return Math.atan2(Math.sqrt(across * across + ahead * ahead), sine * otherSine + cosine * otherCosine * Math.cos(turn)) * earthRadiusKm;
}

export function sphericalLength(geometry: Geometry): number {
  return allPaths(geometry).reduce(
    (sum, path) => path.slice(1).reduce((length, to, index) => length + greatCircleKm(path[index] as Position, to) * 1000, sum),
    0,
  );
}

/**
 * Spherical area of a ring in steradians. Each edge adds the area between itself and the equator; a ring around a pole gives the rest of
 * its hemisphere.
 */
function excessOf(ring: readonly Position[]): number {
  if (ring.length < 4) {
    return invalidArgument("Polygon is not valid: a loop contains less then 3 vertices.");
  }
  if (repeatedIndex(ring) !== undefined) {
    return invalidArgument("Polygon is not valid: it has two identical consecutive vertices");
  }
  let [excess, turned] = [0, 0];
  for (const [index, to] of ring.slice(1).entries()) {
    const from = ring[index] as Position;
    const turn = shortest(radians(to[0] - from[0]));
    const [low, high] = [Math.tan(radians(from[1]) / 2), Math.tan(radians(to[1]) / 2)];
    excess += 2 * Math.atan2(Math.tan(turn / 2) * (low + high), 1 + low * high);
    turned += turn;
  }
  return Math.abs(turned) > Math.PI ? Math.abs(Math.abs(excess) - 2 * Math.PI) : Math.abs(excess);
}

/** The same angle in the range from minus half a turn to half a turn. */
function shortest(angle: number): number {
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}

/** Area of polygons in square meters. */
export function sphericalArea(geometry: Geometry): number {
  return singlesOf(geometry).reduce((sum, single) => {
    const [shell = 0, ...holes] = single.kind === "Polygon" ? single.rings.map(excessOf) : [];
    return sum + holes.reduce((rest, hole) => rest - hole, shell) * earthRadiusMetres * earthRadiusMetres;
  }, 0);
}

/** The mean of the positions as vectors, projected onto the sphere. If the mean is the center of the sphere, the result is arbitrary. */
export function sphericalCentroid(positions: readonly Position[]): Position {
  if (positions.length === 1) {
    return positions[0] as Position;
  }
  let [x, y, z] = [0, 0, 0];
  for (const [longitude, latitude] of positions) {
    const [turn, height] = [radians(longitude), radians(latitude)];
    x += Math.cos(height) * Math.cos(turn);
    y += Math.cos(height) * Math.sin(turn);
    z += Math.sin(height);
  }
  const least = 1e-12 * positions.length;
  const [px, py, pz] = [x, y, z].map((part) => (Math.abs(part) < least ? 0 : part)) as [number, number, number];
  if (px === 0 && py === 0 && pz === 0) {
    return [-90, 45];
  }
  return [degrees(Math.atan2(py, px)), degrees(Math.atan2(pz, Math.hypot(px, py)))];
}
