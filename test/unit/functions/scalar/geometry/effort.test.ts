/**
 * Geometries whose operations need the square of their vertices or more: a function ends with an error instead of keeping its thread for
 * minutes. Without the bound each of these calls takes from ten seconds to hours.
 */
import { expect, test } from "vitest";
import type { Geometry, Polygon, Position } from "../../../../../src/functions/scalar/geometry/geometry.ts";
import { geometryDefinitions } from "../../../../../src/functions/scalar/geometry/geometry-functions.ts";
import { writeWkb } from "../../../../../src/functions/scalar/geometry/encoding/wkb.ts";
import type { HostCall, HostValue } from "../../../../../src/functions/registry/definition.ts";
import { allSteps } from "../../../../../src/functions/runtime/steps.ts";
import { isSimple, union } from "../../../../../src/functions/scalar/geometry/topology.ts";
import { eachWithinBound } from "../../../../../src/functions/scalar/geometry/effort.ts";
import { BIGINT } from "../../../../../src/types/type.ts";

function line(count: number, position: (index: number) => Position): Geometry {
  return { kind: "LineString", positions: Array.from({ length: count }, (_, index) => position(index)) };
}

function ring(count: number, position: (index: number) => Position): Geometry {
  const positions = Array.from({ length: count }, (_, index) => position(index));
  return { kind: "Polygon", rings: [[...positions, positions[0] as Position]] };
}

/** Segments that overlap each other in one direction. */
const across = line(6_000, (index) => [index % 2, index / 6_000]);
const upright = line(6_000, (index) => [index / 6_000, index % 2]);
/** Segments that all meet each other. */
const tangle = line(2_000, (index) => [Math.cos(index * 2), Math.sin(index * 2)]);
/** Squares in each other. */
const boxes: Geometry = {
  kind: "MultiPolygon",
  parts: Array.from(
    { length: 1_000 },
    (_, index) => ring(4, (corner) => [corner === 1 || corner === 2 ? index + 1 : -index, corner < 2 ? -index : index + 1]) as Polygon,
  ),
};
const points: Geometry = {
  kind: "MultiPoint",
  parts: Array.from({ length: 20_000 }, (_, index) => ({ kind: "Point", position: [(index * 7919) % 20_011, (index * 104_729) % 20_011] })),
};

function call(name: string, args: readonly (Geometry | HostValue)[], work?: HostCall["work"]): HostValue {
  const definition = geometryDefinitions.find((one) => one.name === name && one.args.length === args.length);
  const values = args.map((arg) => (typeof arg === "object" && arg !== null && "kind" in arg ? writeWkb(arg) : arg));
  const types = { argTypes: [], returnType: BIGINT };
  const given = work === undefined ? types : { ...types, work };
  return definition?.steps === undefined ? (definition?.host?.(values, given) ?? null) : allSteps(definition.steps(values, given));
}

const hard: readonly { readonly name: string; readonly args: readonly (Geometry | HostValue)[] }[] = [
  { name: "st_buffer", args: [tangle, 0.01] },
  { name: "st_buffer", args: [points, 5] },
  { name: "st_relate", args: [across, upright, "T********"] },
  { name: "st_intersection", args: [across, upright] },
];

test.each(hard)("$name ends", ({ name, args }) => {
  expect(() => call(name, args)).toThrow("Geometry is too complex for this operation");
});

test("what is not complex has a result of any size", () => {
  const border = ring(10_000, (index) => [
    Math.cos((index * Math.PI) / 5_000) * (1 + (index % 3) / 1e4),
    Math.sin((index * Math.PI) / 5_000) * (1 + (index % 3) / 1e4),
  ]);
  expect(call("st_isvalid", [border])).toBe(true);
  expect(call("st_contains", [border, { kind: "Point", position: [0.5, 0.5] }])).toBe(true);
  expect(call("st_issimple", [line(100_000, (index) => [index, index])])).toBe(true);
  expect(call("st_isvalid", [boxes])).toBe(false);
  expect(call("st_issimple", [tangle])).toBe(false);
  expect(call("st_distance", [line(20_000, (index) => [index % 2, 0]), line(20_000, (index) => [index % 2, 1])])).toBe(1);
});

test("the work counts where it is limited, and a failed call leaves nothing behind", () => {
  let steps = 0;
  const work = {
    count: (more: number) => {
      steps += more;
      if (steps > 1000) {
        throw new Error("limited");
      }
    },
  };
  expect(() => call("st_issimple", [tangle], work)).toThrow("limited");
  expect(steps).toBeLessThan(1500);
  // Outside of a function nothing is bounded.
  expect(allSteps(isSimple(line(1_500, (index) => [index % 2, index])))).toBe(true);
});

test("all of a call has a bound", () => {
  // Each segment meets all others in one direction.
  const steps = () => isSimple(line(1_500, (index) => [index % 2, index]));
  expect(() => allSteps(eachWithinBound(undefined, steps(), { added: 10, operations: 1_000_000 }))).toThrow("too complex");
  expect(allSteps(eachWithinBound(undefined, steps(), { added: 10, operations: 100_000_000 }))).toBe(true);
});

test("a step of an aggregate has the bound too", () => {
  expect(() => allSteps(eachWithinBound(undefined, union([across, upright])))).toThrow("Geometry is too complex for this operation");
});
