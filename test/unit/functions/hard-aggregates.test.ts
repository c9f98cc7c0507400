/**
 * Every aggregate over rows, in one step and in two: it gives a value or a declared error, and what it does between two turns is bounded.
 * `npm run bench -- functions` has the times.
 */
import { expect, it } from "vitest";
import { aggregateDefinitions } from "../../../src/functions/registry/aggregates.ts";
import { knobs } from "../../../src/ports/knobs.ts";
import { type HardAggregates, runHardAggregate, signatureOf } from "../../support/functions/hard-aggregates.ts";
import { makeBench } from "../execution/kernels.ts";
import { createWorld } from "../execution/expressions/world.ts";

/** A fold of a buffer, or one state, beyond the steps of a slice. */
const uncutStepsMax = 20_000;
/** A fold unites its rows, and the result with the block before: two calls of JSTS, each with its bound (geometry/effort.ts). */
const stepsOfUnions = 2 * 120_000;

it("gives a value or a declared error, and yields in between", { timeout: 120_000 }, async () => {
  const hard: HardAggregates = {
    bench: makeBench("wasm"),
    world: createWorld(),
    sizes: { text: 12, elements: 10 },
    rows: 300,
    groups: 7,
    results: new Map(),
  };
  const failures: string[] = [];
  const skipped: string[] = [];
  for (const definition of aggregateDefinitions) {
    let longest = 0;
    try {
      const errorName = await runHardAggregate(hard, definition, (steps = 0) => {
        longest = Math.max(longest, steps);
      });
      if (errorName === false) {
        skipped.push(signatureOf(definition));
      } else if (errorName === "GENERIC_INTERNAL_ERROR") {
        failures.push(`${signatureOf(definition)}: internal error`);
      }
    } catch (error) {
      failures.push(`${signatureOf(definition)}: ${String(error)}`);
    }
    const uncutMax = definition.name === "geometry_union_agg" ? stepsOfUnions : uncutStepsMax;
    if (longest > knobs["function-slice-steps"].default + uncutMax) {
      failures.push(`${signatureOf(definition)}: ${longest} steps without a turn`);
    }
  }
  expect(failures).toEqual([]);
  expect(skipped).toEqual([]);
  expect(hard.bench.root.reservedBytes).toBe(0);
});
