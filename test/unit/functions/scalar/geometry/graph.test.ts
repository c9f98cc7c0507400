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
import * as chosen from "../../../../../src/functions/scalar/geometry/graph/at-once.ts";
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

/** Paths of so many positions: all segments cross each other, lie on a grid, or go around. */
const paths: Readonly<Record<string, (count: number, turned: boolean) => readonly (readonly [number, number])[]>> = {
  crossing: (count, turned) =>
    Array.from({ length: count }, (_, index) => (turned ? [index / count, index % 2] : [index % 2, index / count + 0.01])),
  grid: (count, turned) =>
    Array.from({ length: count }, (_, index) => [((index + (turned ? 3 : 0)) * 7) % 5, Math.trunc(index / 3) % 5] as const),
  circle: (count) => Array.from({ length: count }, (_, index) => [Math.cos((6 * index) / count), Math.sin((6 * index) / count)] as const),
};

/** A line, a ring and points of each path. */
function shapesOf(count: number, turned: boolean): readonly (readonly string[])[] {
  return Object.values(paths).map((path) => {
    const open = path(count, turned).map(([x, y]) => `${x} ${y}`);
    const ringOfPath = [...open.slice(0, -1), open[0]].join(", ");
    return [`LINESTRING (${open.join(", ")})`, `POLYGON ((${ringOfPath}))`, `MULTIPOINT (${open.map((at) => `(${at})`).join(", ")})`];
  });
}

interface Found {
  readonly distance: number;
  readonly positions: readonly unknown[];
}

interface Choice {
  readonly operation: unknown;
  readonly most: number;
  readonly isOfTwo: boolean;
  /** Arguments beside the geometries; undefined for geometries that the operation is not given. */
  readonly more: (one: string) => readonly unknown[] | undefined;
  readonly shown?: (result: unknown) => unknown;
}

const ofPair = { most: chosen.positionsAtOnceMax, isOfTwo: true, more: () => [] };
const ofOne = { most: chosen.positionsAtOnceMax, isOfTwo: false, more: () => [] };
const simplicityOf = (anyPosition: boolean) => (one: string) =>
  one.startsWith("POLYGON") ? undefined : [one.startsWith("LINESTRING"), anyPosition];

const choices: Readonly<Record<string, Choice>> = {
  relation: { ...ofPair, operation: chosen.relation },
  ...Object.fromEntries([1, 2, 3, 4].map((code) => [`overlay ${code}`, { ...ofPair, operation: chosen.overlaying, more: () => [code] }])),
  distance: {
    ...ofPair,
    operation: chosen.nearness,
    shown: (found) => `${textOf((found as Found).positions)} ${(found as Found).distance}`,
  },
  buffer: { ...ofOne, operation: chosen.buffering, most: chosen.bufferedAtOnceMax, more: () => [0.05, 8] },
  validity: { ...ofOne, operation: chosen.validity, shown: (error) => (error as Shown | undefined)?.getMessage() },
  simplicity: { ...ofOne, operation: chosen.simplicity, more: simplicityOf(false), shown: textOf },
  "any simplicity": { ...ofOne, operation: chosen.simplicity, more: simplicityOf(true), shown: (at) => at === undefined },
};

const shownWhole = (result: unknown): unknown => result;

test.each(Object.entries(choices))("%s at its bound is the same in one piece and in steps", (_name, choice) => {
  const { isOfTwo, more, most, shown = shownWhole } = choice;
  const { atOnce, inSteps, isSmall } = choice.operation as chosen.Operation<readonly unknown[], unknown>;
  const [ones, others] = [shapesOf(isOfTwo ? most / 2 : most, false), shapesOf(most / 2, true)];
  const given = (texts: readonly string[], rest: readonly unknown[]) => [...texts.map((text) => reader.read(text) as Jts), ...rest];
  for (const [index, shapes] of ones.entries()) {
    for (const one of shapes) {
      const rest = more(one);
      for (const other of rest === undefined ? [] : isOfTwo ? (others[index] ?? []) : [""]) {
        const args = () => given(isOfTwo ? [one, other] : [one], rest ?? []);
        expect(isSmall(...args())).toBe(true);
        expect(outcome(() => shown(stepped(() => inSteps(...args()))))).toBe(outcome(() => shown(atOnce(...args()))));
      }
    }
  }
  const [beyond, other] = [shapesOf((isOfTwo ? most / 2 : most) + 1, false)[0]?.[0] ?? "", others[0]?.[0] ?? ""];
  expect(isSmall(...given(isOfTwo ? [beyond, other] : [beyond], []))).toBe(false);
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
