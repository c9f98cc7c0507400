/**
 * Algebraic properties of geometries: written geometries parse back, areas add up, relations agree with each other and with arithmetic, and
 * no geometry causes an internal error.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Geometry,
  isEmpty,
  pointAt,
  type Polygon,
  polygonOf,
  polygonOfBounds,
  type Position,
  singlesOf,
} from "../../../../../src/functions/scalar/geometry/geometry.ts";
import { formatGeoJson, parseGeoJson } from "../../../../../src/functions/scalar/geometry/encoding/geojson.ts";
import { areaOf, boundaryOf, interpolate, lengthOf, locate } from "../../../../../src/functions/scalar/geometry/measures.ts";
import { decodePolyline, encodePolyline } from "../../../../../src/functions/scalar/geometry/encoding/polylines.ts";
import { convexHullInSteps } from "../../../../../src/functions/scalar/geometry/convex-hull.ts";
import * as relations from "../../../../../src/functions/scalar/geometry/relations.ts";
import * as topology from "../../../../../src/functions/scalar/geometry/topology.ts";
import { readGeometry, readWkb, writeWkb } from "../../../../../src/functions/scalar/geometry/encoding/wkb.ts";
import { formatWkt, parseWkt } from "../../../../../src/functions/scalar/geometry/encoding/wkt.ts";
import { allSteps, type InSteps } from "../../../../../src/functions/runtime/steps.ts";
import { QueryError } from "../../../../../src/protocol/errors.ts";
import { convexPolygon, deepest, nested, plainGeometry, wildGeometry } from "./arbitraries.ts";

/** Runs a function in steps to its end. */
function whole<Args extends readonly unknown[], Result>(steps: (...args: Args) => InSteps<Result>): (...args: Args) => Result {
  return (...args) => allSteps(steps(...args));
}

const { centroid } = topology;
const buffer = whole(topology.buffer);
const distance = whole(topology.distance);
const intersects = whole(topology.intersects);
const invalidReason = whole(topology.invalidReason);
const isSimple = whole(topology.isSimple);
const isValid = whole(topology.isValid);
const nearestPositions = whole(topology.nearestPositions);
const overlay = whole(topology.overlay);
const relate = whole(topology.relate);
const simplify = whole(topology.simplify);
const union = whole(topology.union);
const relationOf = whole(relations.relationOf);

describe("forms", () => {
  test("text and binary give the geometry back", () => {
    fc.assert(
      fc.property(wildGeometry, (geometry) => {
        const text = formatWkt(geometry);
        expect(text).not.toMatch(/e[+-]/i);
        expect(formatWkt(allSteps(parseWkt(text)))).toBe(text);
        expect(formatWkt(readWkb(writeWkb(geometry)))).toBe(text);
        expect(formatWkt(readGeometry(writeWkb(geometry)))).toBe(text);
      }),
    );
  });

  test("GeoJSON does, but for empty parts", () => {
    fc.assert(
      fc.property(wildGeometry, (geometry) => {
        const once = formatGeoJson(geometry);
        expect(formatGeoJson(parseGeoJson(once))).toBe(once);
        expect(JSON.parse(once)).toHaveProperty("type", geometry.kind);
      }),
    );
  });

  test("binary that is cut, or has a byte more or another byte, is an error of the argument or another geometry", () => {
    fc.assert(
      fc.property(wildGeometry, fc.nat(), fc.integer({ min: 0, max: 255 }), (geometry, at, byte) => {
        const bytes = writeWkb(geometry);
        expect(() => readWkb(bytes.subarray(0, at % bytes.length))).toThrow("Invalid WKB");
        expect(() => readWkb(Uint8Array.from([...bytes, 0]))).toThrow("Invalid WKB");
        const other = Uint8Array.from(bytes, (value, index) => (index === at % bytes.length ? byte : value));
        onlyQueryErrors(() => readWkb(other));
      }),
    );
  });

  test("collections nest to a bound", () => {
    expect(formatWkt(allSteps(parseWkt(nested(deepest))))).toBe(nested(deepest));
    expect(() => allSteps(parseWkt(nested(deepest + 1)))).toThrow("Invalid WKT");
    expect(() => allSteps(parseWkt(nested(100_000)))).toThrow("Invalid WKT");
  });

  test("polylines keep five digits", () => {
    const degrees = fc.integer({ min: -18_000_000, max: 18_000_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(degrees, degrees)), (points) => {
        const positions = points.map(([x, y]): Position => [x / 1e5, y / 1e5]);
        expect(decodePolyline(encodePolyline(positions))).toEqual(positions.map(([x, y]) => [x + 0, y + 0]));
      }),
    );
  });
});

/** Position relative to a convex counterclockwise ring: 1 inside, 0 on it, -1 outside. */
function sideOf({ rings }: Polygon, [x, y]: Position): number {
  const [ring = []] = rings;
  return ring.slice(1).reduce((least, to, index) => {
    const from = ring[index] as Position;
    return Math.min(least, Math.sign((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0])));
  }, 1);
}

const convexHull = (geometry: Geometry): Geometry => allSteps(convexHullInSteps(geometry));

describe("overlays and relations", () => {
  test("areas of convex polygons add up", () => {
    fc.assert(
      fc.property(convexPolygon, convexPolygon, (a, b) => {
        const both = areaOf(overlay("intersection", a, b, "test"));
        const either = areaOf(union([a, b]));
        expect(areaOf(a) + areaOf(b)).toBeCloseTo(both + either, 6);
        expect(areaOf(overlay("difference", a, b, "test"))).toBeCloseTo(areaOf(a) - both, 6);
        expect(areaOf(overlay("symmetricDifference", a, b, "test"))).toBeCloseTo(either - both, 6);
        expect(areaOf(convexHull(union([a, b])))).toBeGreaterThanOrEqual(either - 1e-6);
      }),
      { numRuns: 200 },
    );
  });

  test("relations agree with each other", () => {
    fc.assert(
      fc.property(convexPolygon, fc.oneof(convexPolygon, plainGeometry), (a, b) => {
        fc.pre(isValid(b) && isSimple(b) && b.kind !== "GeometryCollection");
        const contains = relationOf((m) => m.isContains(), "test", a, b);
        expect(relationOf((m) => m.isWithin(), "test", b, a)).toBe(contains);
        expect(intersects(a, b)).toBe(intersects(b, a));
        if (!isEmpty(b)) {
          expect(distance(a, b) === 0).toBe(intersects(a, b));
          const [from, to] = nearestPositions(a, b) as [Position, Position];
          expect(Math.hypot(from[0] - to[0], from[1] - to[1])).toBeCloseTo(distance(a, b), 9);
        }
        if (contains) {
          expect(intersects(a, b)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a point is in a convex polygon as its edges say", () => {
    fc.assert(
      fc.property(convexPolygon, fc.integer({ min: -32, max: 32 }), fc.integer({ min: -32, max: 32 }), (polygon, x, y) => {
        const side = sideOf(polygon, [x + 0.37, y + 0.71]);
        fc.pre(side !== 0);
        expect(relationOf((m) => m.isContains(), "test", polygon, pointAt([x + 0.37, y + 0.71]))).toBe(side > 0);
      }),
    );
  });

  test("a point relates to polygons as the graph of a set with that point does", () => {
    const grid = fc.integer({ min: 0, max: 6 });
    const ring = fc.array(fc.tuple(grid, grid), { minLength: 3, maxLength: 7 });
    fc.assert(
      fc.property(fc.array(ring, { minLength: 1, maxLength: 2 }), grid, grid, fc.boolean(), (rings, x, y, isHalf) => {
        const polygon = polygonOf(rings);
        fc.pre(isValid(polygon));
        const point = pointAt([isHalf ? x / 2 : x, y]);
        const set: Geometry = { kind: "MultiPoint", parts: [point] };
        for (const pattern of [
          "T********",
          "***T*****",
          "FF*FF****",
          "T*****FF*",
          "T*F**F***",
          "FT*******",
          "0F2FF1FF2",
          "FF20F1FF2",
          "FF2FF10F2",
          "0FFFFF212",
        ]) {
          expect(relate(polygon, point, "test").matches(pattern)).toBe(relate(polygon, set, "test").matches(pattern));
          expect(relate(point, polygon, "test").matches(pattern)).toBe(relate(set, polygon, "test").matches(pattern));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("a buffer holds its geometry, a hull its points", () => {
    fc.assert(
      fc.property(plainGeometry, fc.integer({ min: 1, max: 9 }), (geometry, by) => {
        fc.pre(!isEmpty(geometry));
        const hull = convexHull(geometry);
        const around = buffer(geometry, by);
        for (const single of singlesOf(geometry).flatMap((part) => (part.kind === "Point" && !isEmpty(part) ? [part] : []))) {
          expect(distance(hull, single)).toBeLessThan(1e-9);
          expect(relate(around, single, "test").isContains()).toBe(true);
        }
        expect(isValid(hull)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("a hole outside of its ring takes nothing from the buffer of another part", () => {
    const hole: Position[] = [
      [-2, -2],
      [-2, 2],
      [1, 0],
    ];
    const point = pointAt([-1, 0]);
    const around = buffer({ kind: "GeometryCollection", parts: [point, polygonOf([[[0, 0]], hole])] }, 1);
    expect(relate(around, point, "test").isContains()).toBe(true);
  });

  test("places along a line are found again", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (steps, share) => {
          // x increases, so that no point occurs twice.
          let x = 0;
          const line = {
            kind: "LineString" as const,
            positions: [[0, 0] as Position, ...steps.map((step, index): Position => [(x += step), index % 3])],
          };
          expect(locate(line, interpolate(line, share))).toBeCloseTo(share, 9);
          expect(lengthOf(line)).toBeGreaterThan(0);
        },
      ),
    );
  });
});

function onlyQueryErrors(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    expect(error.message).not.toMatch(/NaN|Infinity|undefined|null/);
  }
}

test("no geometry is an internal error", () => {
  const unary: readonly ((geometry: Geometry) => unknown)[] = [
    boundaryOf,
    centroid,
    convexHull,
    invalidReason,
    isSimple,
    isValid,
    (geometry) => buffer(geometry, 2),
    (geometry) => simplify(geometry, 1),
    (geometry) => union([geometry]),
  ];
  const binary: readonly ((one: Geometry, other: Geometry) => unknown)[] = [
    ...(["difference", "intersection", "symmetricDifference", "union"] as const).map(
      (kind) => (one: Geometry, other: Geometry) => overlay(kind, one, other, "test"),
    ),
    (one, other) => relate(one, other, "test"),
    intersects,
    (one, other) => isEmpty(one) || isEmpty(other) || distance(one, other),
    (one, other) => isEmpty(one) || isEmpty(other) || nearestPositions(one, other),
  ];
  fc.assert(
    fc.property(wildGeometry, wildGeometry, (one, other) => {
      for (const run of unary) {
        onlyQueryErrors(() => run(one));
      }
      for (const run of binary) {
        onlyQueryErrors(() => run(one, other));
      }
    }),
    { numRuns: 500 },
  );
});

test("a coordinate that underflows ends the simplification with an error", () => {
  const ring: Position[] = [
    [8, 2 ** 53],
    [-8e-323, 0],
    [0, -17],
  ];
  expect(() => simplify(polygonOf([ring]), 1)).toThrow("Exponent out of bounds");
});

test("a rectangle of bounds is a polygon that runs counterclockwise", () => {
  expect(formatWkt(polygonOfBounds({ xMin: 1, yMin: 2, xMax: 3, yMax: 4 }))).toBe("POLYGON ((1 2, 3 2, 3 4, 1 4, 1 2))");
});
