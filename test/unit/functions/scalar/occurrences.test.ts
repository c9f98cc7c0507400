/**
 * Searches for texts: equal to the platform's, and linear where the platform's compares a part of one letter at each position.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { compilePageProcessor } from "../../../../src/execution/expressions/page-processor.ts";
import { allSteps } from "../../../../src/functions/runtime/steps.ts";
import { occurrencesInSteps, replaceAll, splitInSteps } from "../../../../src/functions/scalar/string/occurrences.ts";
import { VARCHAR } from "../../../../src/types/type.ts";
import { analyzeWith } from "../analyzed.ts";
import { createWorld, makePage, readPage, variable } from "../../execution/expressions/world.ts";

const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
/** Parts of one or two letters repeated, on both sides of the length from which on the own search is used. */
const part = fc
  .tuple(letters, fc.integer({ min: 1, max: 40 }), letters)
  .map(([unit, times, end]) => unit.repeat(times) + end)
  .filter((text) => text !== "");
const text = fc.tuple(part, fc.array(fc.oneof(part, letters), { maxLength: 4 })).map(([first, rest]) => first + rest.join(""));
/** Often a piece of the text. */
const pair = text.chain((whole) =>
  fc.tuple(
    fc.constant(whole),
    fc.oneof(
      part,
      fc.tuple(fc.nat(whole.length), fc.nat(whole.length)).map(([a, b]) => whole.slice(Math.min(a, b), Math.max(a, b)) || "a"),
    ),
  ),
);

function occurrences(whole: string, wanted: string, backwards = false): readonly number[] {
  return [...occurrencesInSteps(whole, wanted, backwards)].filter((at) => typeof at === "number");
}

function positions(whole: string, wanted: string): readonly number[] {
  return Array.from({ length: whole.length }, (_, index) => index).filter((index) => whole.startsWith(wanted, index));
}

it("finds what the platform finds", () => {
  fc.assert(
    fc.property(pair, ([whole, wanted]) => {
      const expected = positions(whole, wanted);
      expect(occurrences(whole, wanted)).toEqual(expected);
      expect(occurrences(whole, wanted, true)).toEqual(expected.toReversed());
      expect(allSteps(splitInSteps(whole, wanted))).toEqual(whole.split(wanted));
    }),
  );
});

it("finds what begins in one piece and ends in the next one, from both sides", () => {
  fc.assert(
    fc.property(pair, fc.integer({ min: -200, max: 2 }), ([whole, wanted], before) => {
      // The platform searches the text in pieces of 65,536 code units.
      const long = `${"c".repeat(2 * 65_536 + before)}${whole}c`;
      const expected = positions(whole, wanted).map((at) => at + 2 * 65_536 + before);
      expect(occurrences(long, wanted)).toEqual(expected);
      expect(occurrences(long, wanted, true)).toEqual(expected.toReversed());
    }),
    { numRuns: 50 },
  );
});

it("finds it in kernels too", async () => {
  const world = createWorld();
  const inputs = [variable("t", VARCHAR), variable("p", VARCHAR)];
  const projection = await analyzeWith("strpos(t, p)", world, inputs);
  const processor = compilePageProcessor(world.wasm, { inputs, projections: [projection] }).create(world.memory);
  const find = (rows: readonly (readonly [string, string])[]): unknown => {
    const columns = [0, 1].map((at) => ({ type: VARCHAR, values: rows.map((row) => row[at] as string) }));
    return readPage(world.memory, processor.process(makePage(world.memory, columns, rows.length)));
  };
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 5 }), (rows) => {
      expect(find(rows)).toEqual(rows.map(([whole, wanted]) => [String(whole.indexOf(wanted) + 1)]));
    }),
  );
  // At each of 2,000,000 positions half a million letters are equal.
  const [whole, wanted] = ["a".repeat(2_000_000), `${"a".repeat(500_000)}b`];
  expect(find([[whole, wanted]])).toEqual([["0"]]);
  expect(occurrences(whole, wanted)).toEqual([]);
  expect(occurrences(whole, `b${"a".repeat(500_000)}`, true)).toEqual([]);
});

it("finds what lies across two pieces of a long text", () => {
  fc.assert(
    fc.property(pair, fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 4 }), ([whole, wanted], before, most) => {
      const long = "c".repeat(65_536 - before) + whole;
      expect(allSteps(splitInSteps(long, wanted))).toEqual(long.split(wanted));
      expect(allSteps(replaceAll(long, wanted, "de"))).toBe(long.replaceAll(wanted, "de"));
      const pieces = long.split(wanted);
      const rest = pieces.slice(most - 1).join(wanted);
      const kept = pieces.length < most ? pieces : [...pieces.slice(0, most - 1), rest];
      expect(allSteps(splitInSteps(long, wanted, most))).toEqual(kept);
    }),
  );
});
