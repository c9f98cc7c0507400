/** Hulls and unions of many vertices: they have results, in steps, and these are those of JTS. */
import fc from "fast-check";
import ConvexHull from "jsts/org/locationtech/jts/algorithm/ConvexHull.js";
import GeometryFactory from "jsts/org/locationtech/jts/geom/GeometryFactory.js";
import WKTReader from "jsts/org/locationtech/jts/io/WKTReader.js";
import { describe, expect, test } from "vitest";
import { allSteps, type InSteps, sortInSteps } from "../../../../../src/functions/runtime/steps.ts";
import { hullSketch, unionSketch } from "../../../../../src/functions/scalar/geometry/combined-sketches.ts";
import { convexHullInSteps } from "../../../../../src/functions/scalar/geometry/convex-hull.ts";
import { readGeometry, writeWkb } from "../../../../../src/functions/scalar/geometry/encoding/wkb.ts";
import { formatWkt } from "../../../../../src/functions/scalar/geometry/encoding/wkt.ts";
import {
  allPaths,
  type Geometry,
  pointAt,
  type Polygon,
  polygonOf,
  type Position,
  singlesOf,
} from "../../../../../src/functions/scalar/geometry/geometry.ts";
import { areaOf, lengthOf } from "../../../../../src/functions/scalar/geometry/measures.ts";
import { buffer, union } from "../../../../../src/functions/scalar/geometry/topology.ts";
import { unionInSteps } from "../../../../../src/functions/scalar/geometry/unions.ts";

const work = { count: (): void => undefined };

/** A result in steps, and the number of its turns. */
function counted<T>(steps: InSteps<T>): { readonly result: T; readonly turns: number } {
  for (let turns = 0; ; turns++) {
    const next = steps.next();
    if (next.done === true) {
      return { result: next.value, turns };
    }
  }
}

function points(positions: readonly Position[]): Geometry {
  return { kind: "MultiPoint", parts: positions.map(pointAt) };
}

function square(x: number, y: number, size = 1): Polygon {
  return polygonOf([
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
    ],
  ]);
}

describe("convex hulls", () => {
  // The text of a negative zero has no sign.
  const coordinate = fc
    .oneof(
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 7),
    )
    .map((value) => value + 0);

  test("have the positions of those of JTS", () => {
    interface Hull {
      getConvexHull(): { getCoordinates(): readonly { readonly x: number; readonly y: number }[] };
    }
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 30 }), (positions) => {
        const text = `MULTIPOINT (${positions.map(([x, y]) => `(${x} ${y})`).join(", ")})`;
        const expected = (new ConvexHull(new WKTReader(new GeometryFactory()).read(text)) as Hull).getConvexHull().getCoordinates();
        const found = allPaths(allSteps(convexHullInSteps(points(positions)))).flat();
        const shown = (all: readonly Position[]): readonly string[] => [...new Set(all.map(([x, y]) => `${x} ${y}`))].sort();
        expect(shown(found)).toEqual(shown(expected.map(({ x, y }): Position => [x, y])));
        if (expected.length < 4) {
          expect(found).toEqual(expected.map(({ x, y }) => [x, y]));
        }
      }),
      { numRuns: 200 },
    );
  });

  test("of a circle of many positions keep them all, counterclockwise from the first one", () => {
    const circle = Array.from({ length: 30_000 }, (_, index): Position => {
      const angle = ((index * 7_919) % 30_000) * (Math.PI / 15_000);
      return [Math.cos(angle), Math.sin(angle)];
    });
    const { result, turns } = counted(convexHullInSteps(points(circle)));
    const [ring = []] = allPaths(result);
    expect(ring.length).toBe(circle.length + 1);
    expect(ring[0]).toEqual(circle[0]);
    expect(areaOf(result)).toBeCloseTo(Math.PI, 5);
    expect(turns).toBeGreaterThan(10);
  });
});

describe("unions", () => {
  test("of ten thousand squares of a board are one square", () => {
    const board = Array.from({ length: 10_000 }, (_, index) => square((index * 37) % 100, Math.floor(index / 100)));
    const { result, turns } = counted(unionInSteps(board));
    expect(result.kind).toBe("Polygon");
    expect(areaOf(result)).toBe(10_000);
    expect(turns).toBeGreaterThan(80);
  });

  test("are those of all at once: of areas that meet, and of areas, lines and points", () => {
    // As sets of points: a vertex in the middle of an edge may be there or not.
    const random = (index: number): number => ((index * 48_271) % 2_147_483_647) / 2_147_483_647;
    const areas = Array.from({ length: 220 }, (_, index) => square(60 * random(index + 1), 60 * random(7 * index + 3), 1 + (index % 3)));
    const others = Array.from({ length: 30 }, (_, index): Geometry => {
      const line: Geometry = {
        kind: "LineString",
        positions: [
          [index, 0],
          [index / 2, 70],
        ],
      };
      return index % 2 === 0 ? pointAt([index, index / 2]) : line;
    });
    const found = allSteps(unionInSteps([...areas, ...others]));
    const expected = allSteps(union([...areas, ...others]));
    const sizes = (geometry: Geometry): readonly number[] => {
      const singles = singlesOf(geometry);
      const lines = singles.flatMap((single) => (single.kind === "LineString" ? [lengthOf(single)] : []));
      return [singles.filter(({ kind }) => kind === "Point").length, areaOf(geometry), lines.reduce((sum, length) => sum + length, 0)];
    };
    sizes(found).forEach((size, index) => expect(size).toBeCloseTo(sizes(expected)[index] as number, 6));
  });
});

describe("states of aggregates", () => {
  const rows = (geometries: readonly Geometry[]) => geometries.map((geometry) => [writeWkb(geometry)]);
  const resultOf = (sketch: typeof unionSketch, state: Uint8Array): Geometry => {
    const { result } = counted(sketch.result(state, work) as InSteps<Uint8Array>);
    return readGeometry(result);
  };

  test("unions of rings around many points are made in parts, and small parts are united as they come", () => {
    const places = Array.from({ length: 400 }, (_, index): Position => [index % 20, Math.floor(index / 20)]);
    const rings = places.map((position) => allSteps(buffer(pointAt(position), 0.75)));
    let state: Uint8Array | undefined;
    for (let first = 0; first < rings.length; first += 20) {
      state = unionSketch.add(state, rows(rings.slice(first, first + 20)), work);
    }
    const half = unionSketch.add(undefined, rows(rings.slice(0, 20)), work);
    const merged = unionSketch.merge(state as Uint8Array, half, work);
    const whole = allSteps(union(rings));
    expect(areaOf(resultOf(unionSketch, state as Uint8Array))).toBeCloseTo(areaOf(whole), 6);
    expect(areaOf(resultOf(unionSketch, merged))).toBeCloseTo(areaOf(whole), 6);
    const few = [square(0, 0), square(1, 0), square(5, 5)];
    const small = few.reduce<Uint8Array | undefined>((made, one) => unionSketch.add(made, rows([one]), work), undefined);
    expect(formatWkt(resultOf(unionSketch, small as Uint8Array))).toBe(formatWkt(allSteps(union(few))));
  });

  test("hulls of parts have the hull of all", () => {
    const all = Array.from({ length: 500 }, (_, index): Position => [Math.cos(index), Math.sin(index) * (index % 7)]);
    let state: Uint8Array | undefined;
    for (let first = 0; first < all.length; first += 50) {
      state = hullSketch.add(state, rows(all.slice(first, first + 50).map(pointAt)), work);
    }
    const expected = allSteps(convexHullInSteps(points(all)));
    expect(areaOf(resultOf(hullSketch, state as Uint8Array))).toBeCloseTo(areaOf(expected), 9);
  });
});

test("values are sorted in steps as at once, equal ones in their order", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 1, max: 100 }), (length, modulus) => {
      const values = Array.from({ length }, (_, index) => ({ value: (index * 7_919) % modulus, index }));
      const compare = (a: { value: number }, b: { value: number }): number => a.value - b.value;
      expect(allSteps(sortInSteps(values, compare))).toEqual(values.toSorted(compare));
    }),
    { numRuns: 10 },
  );
});
