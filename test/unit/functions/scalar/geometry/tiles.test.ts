/**
 * Bing tiles: every representation converts back to the tile, and coverings cover.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BingTile,
  childrenOf,
  decodeTile,
  encodeTile,
  latitudeMax,
  parentOf,
  quadKeyOf,
  tileOfInteger,
  tileOfPosition,
  tileOfQuadKey,
  tilePolygon,
  zoomMax,
} from "../../../../../src/functions/scalar/geometry/bing/bing-tiles.ts";
import { lineOf, pathsOf, pointAt, type Polygon, type Position } from "../../../../../src/functions/scalar/geometry/geometry.ts";
import { greatCircleKm } from "../../../../../src/functions/scalar/geometry/sphere.ts";
import { dissolvedTiles, tilesOfCircle, tilesOfGeometry } from "../../../../../src/functions/scalar/geometry/bing/tile-coverings.ts";
import { regionOf, relateTile } from "../../../../../src/functions/scalar/geometry/bing/tile-region.ts";
import { centroid, intersects, relate } from "../../../../../src/functions/scalar/geometry/topology.ts";
import { allSteps } from "../../../../../src/functions/runtime/steps.ts";
import { convexPolygon } from "./arbitraries.ts";

const tile: fc.Arbitrary<BingTile> = fc
  .integer({ min: 0, max: zoomMax })
  .chain((zoom) => fc.tuple(fc.nat(2 ** zoom - 1), fc.nat(2 ** zoom - 1)).map(([x, y]) => ({ x, y, zoom })));

test("integers, quadkeys, centres, parents and children give the tile back", () => {
  fc.assert(
    fc.property(tile, (given) => {
      expect(decodeTile(encodeTile(given))).toEqual(given);
      expect(tileOfInteger(encodeTile(given))).toEqual(given);
      expect(tileOfQuadKey(quadKeyOf(given))).toEqual(given);
      const [longitude, latitude] = centroid(tilePolygon(given)) as readonly [number, number];
      expect(tileOfPosition(latitude, longitude, given.zoom)).toEqual(given);
      if (given.zoom < zoomMax) {
        expect(childrenOf(given, given.zoom + 1).map((child) => parentOf(child, given.zoom))).toEqual([given, given, given, given]);
      }
    }),
  );
});

test("invalid integers are not tiles", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      const found = tileOfInteger(value);
      expect(found === undefined || encodeTile(found) === value).toBe(true);
    }),
  );
  expect(tileOfInteger(1n << 58n)).toBeUndefined();
  expect(tileOfInteger(256n | (256n << 32n) | (4n << 27n))).toBeUndefined();
});

test("the tiles of a polygon are those of its rectangle that it meets; dissolved they are the same", () => {
  fc.assert(
    fc.property(convexPolygon, fc.integer({ min: 1, max: 6 }), (polygon, zoom) => {
      const tiles = tilesOfGeometry(polygon, zoom);
      expect(tiles.every((one) => allSteps(intersects(tilePolygon(one), polygon)))).toBe(true);
      const keys = dissolvedTiles(polygon, zoom).flatMap((one) => childrenOf(one, zoom).map(quadKeyOf));
      expect(keys.sort()).toEqual(tiles.map(quadKeyOf).sort());
      const [longitude, latitude] = centroid(polygon) as readonly [number, number];
      expect(tiles).toContainEqual(tileOfPosition(latitude, longitude, zoom));
    }),
    { numRuns: 50 },
  );
});

test("a tile lies to a geometry as their planar graph says", () => {
  const coordinate = fc.oneof(
    fc.integer({ min: -4, max: 4 }).map((value) => value * 22.5),
    // The planar graph multiplies coordinates: products of what is smaller underflow, and its answer is not exact there (below).
    fc.double({ min: -85, max: 85, noNaN: true }).filter((value) => value === 0 || Math.abs(value) > 1e-60),
  );
  // The planar graph leaves out a line of no length; its tiles are those of its position (below).
  const path = fc
    .array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 5 })
    .filter(([first, ...others]) => others.some(([x, y]) => x !== first?.[0] || y !== first[1]))
    .map((positions) => lineOf(positions));
  const near = fc
    .integer({ min: 0, max: 4 })
    .chain((zoom) => fc.tuple(fc.nat(2 ** zoom - 1), fc.nat(2 ** zoom - 1)).map(([x, y]) => ({ x, y, zoom })));
  const corners = near.map((one) => lineOf(pathsOf(tilePolygon(one) as Polygon)[0] as readonly Position[]));
  fc.assert(
    fc.property(fc.oneof(path, convexPolygon, corners, near.map(tilePolygon)), near, (geometry, one) => {
      const matrix = allSteps(relate(tilePolygon(one), geometry, "relate"));
      const expected = matrix.isWithin() ? "inside" : matrix.isIntersects() ? "meets" : "apart";
      expect(relateTile(one, regionOf(geometry)).relation).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test("a line that passes the corner of a tile by the least double stays apart from it", () => {
  const line = lineOf([
    [-22.5, 22.5],
    [0, -1e-323],
    [0, -5e-324],
    [-45, 22.5],
  ]);
  expect(relateTile({ x: 1, y: 0, zoom: 1 }, regionOf(line)).relation).toBe("apart");
  expect(relateTile({ x: 1, y: 1, zoom: 1 }, regionOf(line)).relation).toBe("meets");
});

test("a line of no length meets the tile of its position", () => {
  const line = lineOf([
    [90, 45],
    [90, 45],
  ]);
  expect(tilesOfGeometry(line, 4)).toEqual([tileOfPosition(45, 90, 4)]);
});

test("a position near the centre of a circle is in one of its tiles", () => {
  const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
  fc.assert(
    fc.property(
      degrees(latitudeMax),
      degrees(180),
      degrees(latitudeMax),
      degrees(180),
      fc.integer({ min: 1, max: 1000 }),
      (latitude, longitude, otherLatitude, otherLongitude, radiusKm) => {
        const distance = greatCircleKm([longitude, latitude], [otherLongitude, otherLatitude]);
        const tiles = tilesOfCircle({ latitude, longitude, radiusKm }, 4);
        const other = tileOfPosition(otherLatitude, otherLongitude, 4);
        if (distance <= radiusKm) {
          expect(tiles).toContainEqual(other);
        }
        expect(tiles).toContainEqual(tileOfPosition(latitude, longitude, 4));
        expect(new Set(tiles.map(quadKeyOf)).size).toBe(tiles.length);
        expect(tilesOfGeometry(pointAt([longitude, latitude]), 4)).toEqual([tileOfPosition(latitude, longitude, 4)]);
      },
    ),
  );
});
