/**
 * Random geometries: with small integer coordinates, and with extreme coordinates.
 */
import fc from "fast-check";
import {
  type Geometry,
  lineOf,
  nestingMax,
  pointAt,
  type Polygon,
  polygonOf,
  type Position,
} from "../../../../../src/functions/scalar/geometry/geometry.ts";

const whole = fc.integer({ min: -20, max: 20 });
const wild = fc.oneof(
  whole,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e-300, 5e-324, 1e308, -1e308, 0.1, 1 / 3, 2 ** 53, 1e16 + 2),
);

function positions(coordinate: fc.Arbitrary<number>): fc.Arbitrary<Position> {
  return fc.tuple(coordinate, coordinate);
}

/** Any kind, valid or not, with or without empty parts. */
function geometries(coordinate: fc.Arbitrary<number>, depth: number): fc.Arbitrary<Geometry> {
  const position = positions(coordinate);
  const path = fc.array(position, { maxLength: 6 });
  const point = fc.option(position, { nil: undefined }).map((at): Geometry => (at === undefined ? { kind: "Point" } : pointAt(at)));
  const line = path.map((list): Geometry => lineOf(list));
  const polygon = fc.array(fc.array(position, { minLength: 1, maxLength: 6 }), { maxLength: 3 }).map((rings): Geometry => polygonOf(rings));
  const many = <Part extends Geometry>(part: fc.Arbitrary<Geometry>) => fc.array(part, { maxLength: 4 }) as unknown as fc.Arbitrary<Part[]>;
  const flat = fc.oneof(
    point,
    line,
    polygon,
    many(point).map((parts): Geometry => ({ kind: "MultiPoint", parts: parts as never })),
    many(line).map((parts): Geometry => ({ kind: "MultiLineString", parts: parts as never })),
    many(polygon).map((parts): Geometry => ({ kind: "MultiPolygon", parts: parts as never })),
  );
  return depth === 0
    ? flat
    : fc.oneof(
        { weight: 5, arbitrary: flat },
        {
          weight: 1,
          arbitrary: fc
            .array(geometries(coordinate, depth - 1), { maxLength: 3 })
            .map((parts): Geometry => ({ kind: "GeometryCollection", parts })),
        },
      );
}

export const plainGeometry: fc.Arbitrary<Geometry> = geometries(whole, 2);
export const wildGeometry: fc.Arbitrary<Geometry> = geometries(wild, 2);

/** Convex, with positive area, around some point of the grid. */
export const convexPolygon: fc.Arbitrary<Polygon> = fc
  .tuple(whole, whole, fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 3, maxLength: 8 }), fc.integer({ min: 1, max: 12 }))
  .map(([x, y, hours, radius]) => {
    const ring = [...hours]
      .sort((a, b) => a - b)
      .map((hour): Position => [x + radius * Math.cos((hour * Math.PI) / 12), y + radius * Math.sin((hour * Math.PI) / 12)]);
    return polygonOf([ring]);
  });

export const nested = (depth: number): string => `${"GEOMETRYCOLLECTION (".repeat(depth)}POINT (1 2)${")".repeat(depth)}`;
export const deepest = nestingMax;
