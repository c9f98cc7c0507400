/**
 * Every function with arguments at its bounds and beyond: it gives a value or a declared error, and what it does between two turns is
 * bounded by the size of its arguments and its result. `npm run bench -- functions` has the times.
 */
import { expect, it } from "vitest";
import { scalarDefinitions } from "../../../src/functions/registry/scalars.ts";
import { knobs } from "../../../src/ports/knobs.ts";
import { hardCalls, prepareHardCall } from "../../support/functions/hard-calls.ts";
import { createWorld } from "../execution/expressions/world.ts";
import { makeShortSlices } from "../../support/functions/short-slices.ts";

const sizes = { text: 100_000, elements: 2_000 };
const sliceSteps = knobs["function-slice-steps"].default;
/** Steps of a piece of a call: some milliseconds. */
const pieceStepsMax = 4_000;
/** One operation of JSTS is not left: its bound is some tenths of a second. */
const operationStepsMax = 60_000;
const shortSliceSteps = 500;
const operations =
  /^(st_(contains|crosses|equals|overlaps|touches|within|intersects|disjoint)|st_(intersection|difference|symdifference|union|buffer)|simplify_geometry)\(/;

/** Functions whose arguments only aggregates or other nodes make, so that they have tests of their own. */
const others = new Set([
  "value_at_quantile",
  "values_at_quantiles",
  "quantile_at_value",
  "intersection_cardinality",
  "jaccard_index",
  "hash_counts",
  "classify",
  "$like_program",
  "$in_order",
  "$reduce_agg",
  "$cast_map",
  "regress",
  // Takes any number of values of any types.
  "format",
]);

it("gives a value or a declared error, and yields in between", { timeout: 240_000 }, async () => {
  const world = createWorld(512 * 1024 * 1024);
  const hard = { world, sizes, made: new Map() };
  const skipped = new Set<string>();
  const tried = new Set<string>();
  const failures: string[] = [];
  const used = world.memory.reservedBytes;
  for (const call of hardCalls(scalarDefinitions)) {
    const what = `${call.signature} with ${call.number}`;
    try {
      const prepared = await prepareHardCall(hard, call);
      if (prepared === undefined) {
        skipped.add(call.signature);
        continue;
      }
      tried.add(call.definition.name);
      let longest = 0;
      const errorName = prepared.run((steps) => {
        longest = Math.max(longest, steps ?? 0);
      });
      if (errorName === "GENERIC_INTERNAL_ERROR") {
        failures.push(`${what}: internal error`);
      }
      if (longest > sliceSteps + (operations.test(what) ? operationStepsMax : pieceStepsMax)) {
        failures.push(`${what}: ${longest} steps without a turn`);
      }
    } catch (error) {
      failures.push(`${what}: ${String(error)}`);
    }
  }
  expect(failures).toEqual([]);
  expect(world.memory.reservedBytes).toBe(used);
  const names = new Set(scalarDefinitions.map(({ name }) => name));
  expect([...names].filter((name) => !tried.has(name) && !others.has(name))).toEqual([]);
});

it("reads and writes long arrays, maps and texts in pieces", { timeout: 120_000 }, async () => {
  // Arguments of more bytes than are read at once.
  const hard = { world: makeShortSlices(shortSliceSteps), sizes: { text: 1_200_000, elements: 7_500 }, made: new Map() };
  const failures: string[] = [];
  const used = hard.world.memory.reservedBytes;
  for (const call of hardCalls(scalarDefinitions)) {
    if (call.number !== "1" || !call.definition.args.some((arg) => /^(array|map)\(/.test(arg)) || call.definition.name.startsWith("st_")) {
      continue;
    }
    const prepared = await prepareHardCall(hard, call);
    let longest = 0;
    const errorName = prepared?.run((steps) => {
      longest = Math.max(longest, steps ?? 0);
    });
    if (longest > shortSliceSteps + pieceStepsMax || errorName === "GENERIC_INTERNAL_ERROR") {
      failures.push(`${call.signature}: ${longest} steps without a turn, ${errorName}`);
    }
  }
  expect(failures).toEqual([]);
  expect(hard.world.memory.reservedBytes).toBe(used);
});
