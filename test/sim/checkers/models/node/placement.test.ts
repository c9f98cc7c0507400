/** Planted violations of the model of placement: fabricated updates of the tasks of one stage. */
import { describe, expect, it } from "vitest";
import { placement } from "../../../../../sim/checkers/models/node/placement.ts";
import { FabricatedRun } from "../fabricated.ts";

const queryId = "20260101_000000_00000_aaaaa";

interface Given {
  readonly number: number;
  /** First units of the splits, each of ten units. */
  readonly firsts: readonly number[];
  readonly partition?: number;
  readonly to?: string;
  readonly noMoreSplits?: boolean;
  readonly catalog?: string;
  readonly partitioning?: string;
}

function update(
  run: FabricatedRun,
  { number, firsts, partition, to = "w1", noMoreSplits = true, catalog = "tpch", partitioning = "SOURCE" }: Given,
): void {
  const splits = firsts.map((first, index) => ({
    sequenceId: index + (noMoreSplits ? 100 : 0),
    split: { kind: "connector", catalog, split: { payload: { first, count: 10 }, rows: 10 } },
  }));
  const fragment = { partitioning };
  const sent = JSON.stringify({
    fragment,
    ...(partition === undefined ? {} : { partition }),
    sources: [{ planNodeId: "5", splits, noMoreSplits }],
  });
  run.answer(1, `/v1/task/${queryId}.1.${number}`, { from: "c", to, method: "POST", sent, body: {} });
}

/** A task may read ten rows, unless the test says otherwise, so that the number of splits is the number of tasks. */
function said(given: readonly Given[], before: (run: FabricatedRun) => void = () => undefined, rowsMin = 0): string {
  const run = new FabricatedRun(placement, {
    properties: { "optimizer.min-input-rows-per-task": String(rowsMin), "query.hash-partition-count": String(given.length) },
  });
  before(run);
  for (const one of given) {
    update(run, one);
  }
  return run.transition(2, "query", queryId, "RUNNING -> FINISHED").said.join("\n");
}

describe("the model of placement", () => {
  it("allows splits in turn, in batches, and again in another attempt", () => {
    const [even, odd] = [
      [0, 20, 40],
      [10, 30],
    ];
    expect(
      said([
        { number: 0, firsts: even },
        { number: 1, firsts: odd, to: "w2" },
      ]),
    ).toBe("");
    expect(
      said([
        { number: 0, firsts: [0], noMoreSplits: false },
        { number: 0, firsts: [20] },
        { number: 1, firsts: [10], to: "w2" },
      ]),
    ).toBe("");
    expect(
      said([
        { number: 2, partition: 0, firsts: even },
        { number: 3, partition: 1, firsts: odd },
      ]),
    ).toBe("");
  });

  it("judges no part of a list, no other catalog, and no spread after a fault", () => {
    expect(
      said([
        { number: 0, firsts: [10] },
        { number: 1, firsts: [30], to: "w2" },
      ]),
    ).toBe("");
    expect(
      said([
        { number: 0, firsts: [10], catalog: "memory" },
        { number: 1, firsts: [0], catalog: "memory" },
      ]),
    ).toBe("");
    const spread = [0, 1, 2, 3].map((number) => ({ number, firsts: [number * 10], to: number === 3 ? "w2" : "w1" }));
    expect(said(spread, (run) => run.note(0, "c", "lost", "m1 c>w1 task-update"))).toBe("");
  });

  it("speaks of a split that another task reads", () => {
    expect(
      said([
        { number: 0, firsts: [0, 10] },
        { number: 1, firsts: [20, 30], to: "w2" },
      ]),
    ).toContain("split 1 of plan node 5");
  });

  it("speaks of parts that are interchanged", () => {
    expect(
      said([
        { number: 0, firsts: [10] },
        { number: 1, firsts: [0], to: "w2" },
      ]),
    ).toContain("not by task 0");
  });

  it("speaks of fewer and of more tasks than the rows deserve", () => {
    const two = [
      { number: 0, firsts: [0, 20] },
      { number: 1, firsts: [10, 30], to: "w2" },
    ];
    expect(said(two, () => undefined, 20)).toBe("");
    expect(said(two, () => undefined, 21)).toContain("is read by 2 tasks; its 40 rows in 4 splits deserve 1");
    expect(said([{ number: 0, firsts: [0, 10, 20, 30] }], () => undefined, 20)).toBe("");
    expect(said([{ number: 0, firsts: [0, 10, 20, 30], partitioning: "SINGLE" }], () => undefined, 1)).toBe("");
    const limits = { properties: { "optimizer.min-input-rows-per-task": "1", "query.hash-partition-count": "8" } };
    const run = new FabricatedRun(placement, limits);
    for (const one of two) {
      update(run, one);
    }
    expect(run.transition(2, "query", queryId, "RUNNING -> FINISHED").said.join()).toContain("deserve 4, of 4 allowed");
  });

  it("speaks of a worker that has most of the tasks", () => {
    const spread = [0, 1, 2, 3].map((number) => ({ number, firsts: [number * 10], to: number === 3 ? "w2" : "w1" }));
    expect(said(spread)).toContain("w1: 3, w2: 1");
  });
});
