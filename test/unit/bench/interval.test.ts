import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { medianInterval, valuesMin } from "../../../bench/interval.ts";

/** Probability that a fair coin falls on one side fewer than `count` times out of `throws`, by summing Pascal's triangle. */
function fewer(count: number, throws: number): number {
  let row = [1];
  for (let index = 0; index < throws; index++) {
    row = [1, ...row.slice(1).map((value, place) => value + (row[place] as number)), 1];
  }
  return row.slice(0, count).reduce((sum, value) => sum + value, 0) / 2 ** throws;
}

describe("the interval of a median", () => {
  test("has a confidence of 99 %, and no narrower one has", () => {
    fc.assert(
      fc.property(fc.integer({ min: valuesMin, max: 60 }), (count) => {
        const values = Array.from({ length: count }, (_, index) => index);
        const { low, high } = medianInterval(values);
        expect(low + high).toBe(count - 1);
        expect(2 * fewer(low + 1, count)).toBeLessThanOrEqual(0.01);
        expect(2 * fewer(low + 2, count)).toBeGreaterThan(0.01);
      }),
    );
  });

  test("does not depend on the order of the values", () => {
    const values = fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: valuesMin, maxLength: 30 });
    fc.assert(
      fc.property(values, (drawn) => {
        expect(medianInterval(drawn.toReversed())).toEqual(medianInterval(drawn));
        const { low, median, high } = medianInterval(drawn);
        expect(low).toBeLessThanOrEqual(median);
        expect(median).toBeLessThanOrEqual(high);
      }),
    );
  });

  test("needs enough values", () => {
    expect(() => medianInterval([1, 2, 3])).toThrow("3 values; an interval needs 8");
  });
});
