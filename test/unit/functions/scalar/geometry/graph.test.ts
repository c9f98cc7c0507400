/**
 * Operations on planar graphs in steps have the results of JSTS, which runs each in one piece: of valid and invalid geometries, on a grid
 * (where vertices and edges coincide) and beside it, errors included.
 */
import fc from "fast-check";
import WKTReader from "jsts/org/locationtech/jts/io/WKTReader.js";
import WKTWriter from "jsts/org/locationtech/jts/io/WKTWriter.js";
import GeometryFactory from "jsts/org/locationtech/jts/geom/GeometryFactory.js";
import BufferOp from "jsts/org/locationtech/jts/operation/buffer/BufferOp.js";
import DistanceOp from "jsts/org/locationtech/jts/operation/distance/DistanceOp.js";
import IsSimpleOp from "jsts/org/locationtech/jts/operation/IsSimpleOp.js";
import SnapIfNeededOverlayOp from "jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js";
import RelateOp from "jsts/org/locationtech/jts/operation/relate/RelateOp.js";
import UnaryUnionOp from "jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js";
import IsValidOp from "jsts/org/locationtech/jts/operation/valid/IsValidOp.js";
import TopologyPreservingSimplifier from "jsts/org/locationtech/jts/simplify/TopologyPreservingSimplifier.js";
import { expect, test } from "vitest";
import { allSteps, type InSteps } from "../../../../../src/functions/runtime/steps.ts";
import { eachWithinBound } from "../../../../../src/functions/scalar/geometry/effort.ts";
import { polygonOf } from "../../../../../src/functions/scalar/geometry/geometry.ts";
import { bufferInSteps } from "../../../../../src/functions/scalar/geometry/graph/buffering.ts";
import { nearestInSteps } from "../../../../../src/functions/scalar/geometry/graph/nearest.ts";
import { overlayInSteps } from "../../../../../src/functions/scalar/geometry/graph/overlaying.ts";
import { relateInSteps } from "../../../../../src/functions/scalar/geometry/graph/relating.ts";
import { simplifyInSteps } from "../../../../../src/functions/scalar/geometry/graph/simplifying.ts";
import { uniteInSteps } from "../../../../../src/functions/scalar/geometry/graph/uniting.ts";
import { nonSimpleInSteps, validationErrorInSteps } from "../../../../../src/functions/scalar/geometry/graph/validity.ts";
import { distance, overlay, relate } from "../../../../../src/functions/scalar/geometry/topology.ts";

interface Jts {
  getGeometryType(): string;
  getNumGeometries(): number;
  getGeometryN(index: number): Jts;
  getDimension(): number;
}

const coordinate = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 0, max: 6_000 }).map((n) => n / 1_000),
);
const position = fc.tuple(coordinate, coordinate).map(([x, y]) => `${x} ${y}`);
const line = fc.array(position, { minLength: 2, maxLength: 6 }).map((path) => `(${path.join(", ")})`);
const ring = fc.oneof(
  fc.array(position, { minLength: 3, maxLength: 5 }).map((path) => `(${[...path, path[0]].join(", ")})`),
  fc
    .array(fc.integer({ min: 1, max: 4 }), { minLength: 4, maxLength: 4 })
    .map(([x = 0, y = 0, w = 1, h = 1]) => `(${x} ${y}, ${x + w} ${y}, ${x + w} ${y + h}, ${x} ${y + h}, ${x} ${y})`),
);
const polygon = fc.array(ring, { minLength: 1, maxLength: 2 }).map((rings) => `(${rings.join(", ")})`);
const many = (part: fc.Arbitrary<string>) => fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `(${parts.join(", ")})`);
const geometry = fc.oneof(
  position.map((at) => `POINT (${at})`),
  line.map((path) => `LINESTRING ${path}`),
  polygon.map((rings) => `POLYGON ${rings}`),
  many(position.map((at) => `(${at})`)).map((parts) => `MULTIPOINT ${parts}`),
  many(line).map((parts) => `MULTILINESTRING ${parts}`),
  many(polygon).map((parts) => `MULTIPOLYGON ${parts}`),
);

const factory = new GeometryFactory();
const [reader, writer] = [new WKTReader(factory), new WKTWriter(factory)];

function outcome(run: () => unknown): string {
  try {
    const made = run();
    return typeof made === "object" && made !== null && "getGeometryType" in made ? (writer.write(made) as string) : String(made);
  } catch (error) {
    return String(error);
  }
}

const stepped = <Result>(steps: () => InSteps<Result>) => allSteps(eachWithinBound(undefined, steps()));

function singlesOf(one: Jts): readonly Jts[] {
  return Array.from({ length: one.getNumGeometries() }, (_, index) => one.getGeometryN(index));
}

const kindOf = (all: readonly Jts[], type: string) => all.filter((one) => one.getGeometryType() === type);

interface Given {
  readonly one: Jts;
  readonly other: Jts;
  readonly by: number;
}

interface Shown {
  getCoordinate(): unknown;
  getMessage(): string;
}

/** Coordinates of JSTS have a text. */
function textOf(value: unknown): string {
  return String(value);
}

/** Results of JSTS, and those of the operation in steps. */
const operations: Readonly<Record<string, readonly [(given: Given) => unknown, (given: Given) => unknown]>> = {
  relate: [({ one, other }) => RelateOp.relate(one, other), ({ one, other }) => stepped(() => relateInSteps(one, other))],
  ...Object.fromEntries(
    [1, 2, 3, 4].map((code) => [
      `overlay ${code}`,
      [
        ({ one, other }: Given) => SnapIfNeededOverlayOp.overlayOp(one, other, code) as unknown,
        ({ one, other }: Given) => stepped(() => overlayInSteps(one, other, code)),
      ],
    ]),
  ),
  union: [
    ({ one, other }) => UnaryUnionOp.union(new GeometryFactory().createGeometryCollection([one, other])),
    ({ one, other }) => {
      const all = [one, other].flatMap(singlesOf);
      const kinds = { points: kindOf(all, "Point"), lines: kindOf(all, "LineString"), polygons: kindOf(all, "Polygon") };
      return stepped(() => uniteInSteps(new GeometryFactory(), kinds));
    },
  ],
  buffer: [({ by, one }) => BufferOp.bufferOp(one, by, 8), ({ by, one }) => stepped(() => bufferInSteps(one, by, 8))],
  simplify: [({ by, one }) => TopologyPreservingSimplifier.simplify(one, by), ({ by, one }) => stepped(() => simplifyInSteps(one, by))],
  validity: [
    ({ one }) => {
      const error = new IsValidOp(one).getValidationError() as Shown | null;
      return error === null ? "valid" : `${error.getMessage()} ${String(error.getCoordinate())}`;
    },
    ({ one }) => {
      const error = stepped(() => validationErrorInSteps(one)) as Shown | undefined;
      return error === undefined ? "valid" : `${error.getMessage()} ${String(error.getCoordinate())}`;
    },
  ],
  simplicity: [
    ({ one }) => {
      const op = new IsSimpleOp(one);
      return one.getDimension() === 2 || (op.isSimple() as boolean) ? "simple" : `at ${String(op.getNonSimpleLocation())}`;
    },
    ({ one }) => {
      const isLinear = one.getDimension() === 1;
      const at = one.getDimension() === 2 ? undefined : stepped(() => nonSimpleInSteps(one, isLinear, false));
      const isSimple = one.getDimension() === 2 || stepped(() => nonSimpleInSteps(one, isLinear, true)) === undefined;
      expect(isSimple).toBe(at === undefined);
      return at === undefined ? "simple" : `at ${textOf(at)}`;
    },
  ],
  distance: [
    ({ one, other }) => {
      const op = new DistanceOp(one, other);
      return `${String(op.nearestPoints())} ${String(op.distance())}`;
    },
    ({ one, other }) => {
      const nearest = stepped(() => nearestInSteps(one, other));
      return `${textOf(nearest.positions)} ${nearest.distance}`;
    },
  ],
};

test.each(Object.entries(operations))("%s is that of JSTS", (_name, [whole, inSteps]) => {
  fc.assert(
    fc.property(geometry, geometry, fc.integer({ min: 1, max: 200 }), (one, other, by) => {
      // Graphs and their labels are made anew: an operation changes what it is given.
      const given = (): Given => ({ one: reader.read(one) as Jts, other: reader.read(other) as Jts, by: by / 100 });
      expect(outcome(() => inSteps(given()))).toBe(outcome(() => whole(given())));
    }),
    { numRuns: 60 },
  );
});

test("large geometries are left every few milliseconds, and have a result", () => {
  const around = (x: number, vertices = 20_000) => {
    const path = Array.from({ length: vertices }, (_, index): [number, number] => {
      const [angle, radius] = [(2 * Math.PI * index) / vertices, 10 + ((index * 7_919) % 1_000) / 1e6];
      return [x + radius * Math.cos(angle), radius * Math.sin(angle)];
    });
    return polygonOf([path]);
  };
  const turnsOf = (steps: InSteps<unknown>): number => {
    const running = eachWithinBound(undefined, steps);
    for (let turns = 1; ; turns++) {
      if (running.next().done === true) {
        return turns;
      }
    }
  };
  const [here, there] = [around(0), around(5)];
  expect(turnsOf(relate(here, there, "test"))).toBeGreaterThan(2);
  expect(turnsOf(overlay("intersection", here, there, "test"))).toBeGreaterThan(2);
  // Each with each are 400 million pairs of segments.
  expect(turnsOf(distance(here, around(100)))).toBeGreaterThan(2);
});
