import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitBatches, type TaskInput } from "../../../src/coordinator/scheduler/task-wire.ts";

function input(planNodeId: string, count: number, onMade: () => void = () => undefined): TaskInput {
  return {
    planNodeId,
    count,
    isExchange: false,
    split: (index) => {
      onMade();
      return { sequenceId: index, split: { kind: "connector", catalog: "c", split: { payload: index } } };
    },
  };
}

describe("the splits of a task, request by request", () => {
  test("each split comes once and in order, and the last request of a source says so", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 0, maxLength: 4 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(1, 2, 64),
        (counts, sizeMin, growthMax) => {
          const batches = [
            ...splitBatches(
              counts.map((count, index) => input(`n${index}`, count)),
              sizeMin,
              growthMax,
            ),
          ];
          // The creation request of a task names all its sources.
          expect(batches[0]?.map(({ planNodeId }) => planNodeId)).toEqual(counts.map((_, index) => `n${index}`));
          counts.forEach((count, index) => {
            const own = batches.flatMap((batch) => batch.filter(({ planNodeId }) => planNodeId === `n${index}`));
            const ids = own.flatMap(({ splits }) => splits.map(({ sequenceId }) => sequenceId));
            expect(ids).toEqual(Array.from({ length: count }, (_, id) => id));
            expect(own.map(({ noMoreSplits }) => noMoreSplits)).toEqual(own.map((_, place) => place === own.length - 1));
          });
          batches.forEach((batch, place) => {
            expect(Math.max(0, ...batch.map(({ splits }) => splits.length))).toBeLessThanOrEqual(sizeMin * Math.min(2 ** place, growthMax));
          });
        },
      ),
    );
  });

  test("the sources of an exchange come all at once", () => {
    const batches = [...splitBatches([{ ...input("exchange", 50), isExchange: true }, input("scan", 5)], 2, 64)];
    expect(batches.map((batch) => batch.map(({ planNodeId, splits, noMoreSplits }) => [planNodeId, splits.length, noMoreSplits]))).toEqual([
      [
        ["exchange", 50, true],
        ["scan", 2, false],
      ],
      [["scan", 3, true]],
    ]);
  });

  test("a split is made when its request is", () => {
    let made = 0;
    const batches = splitBatches([input("n", 1_000_000_000, () => made++)], 1000, 64);
    batches.next();
    expect(made).toBe(1000);
    batches.next();
    expect(made).toBe(3000);
  });
});
