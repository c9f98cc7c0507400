/** Coverage: a closed universe, holes as sentences, and an honest estimate of what is left. */
import { describe, expect, it } from "vitest";
import { drawRun } from "../../sim/draw/draw.ts";
import { goals } from "../../sim/coverage/goals.ts";
import { describeEstimate, estimate, readCoverages, upperBound, writeCoverages } from "../../sim/coverage/estimate.ts";
import { excludedPairs, possiblePairs } from "../../sim/coverage/pairs.ts";
import { runPlan } from "../../sim/run.ts";

const [first = "", second = "", third = ""] = goals.map(({ id }) => id);

describe("the universe", () => {
  it("names each goal and pair once, as a sentence, and says why a pair cannot meet", () => {
    const ids = [...goals, ...possiblePairs, ...excludedPairs].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(goals.length).toBeGreaterThanOrEqual(40);
    expect(excludedPairs.every(({ reason }) => reason.length > 10)).toBe(true);
  });
});

describe("the estimate", () => {
  const coverages = {
    seeds: new Map([
      ["1", [first, second]],
      ["2", [first, third]],
      ["3", [first]],
      ["4", [first]],
    ]),
  };

  it("counts holes, and the seeds that alone have shown something", () => {
    expect(estimate(coverages)).toMatchObject({
      covered: 3,
      known: goals.length + possiblePairs.length,
      lonely: 2,
      chance: 0.5,
      strangers: [],
    });
    const lines = describeEstimate(coverages);
    expect(lines.filter((line) => line.startsWith("no run yet in which "))).toHaveLength(goals.length + possiblePairs.length - 3);
    expect(lines.at(-1)).toMatch(/^chance that the next seed finds something new: 50\.0 % \(2 of 4 seeds/);
  });

  it("tells what the universe does not know", () => {
    const excluded = excludedPairs[0]?.id ?? "";
    expect(estimate({ seeds: new Map([["1", ["nonsense", excluded]]]) }).strangers.join("; ")).toMatch(
      /left out because .*nonsense: not in the universe/,
    );
  });

  it("has a bound that shrinks with the seeds", () => {
    expect(upperBound(0, 0)).toBe(1);
    expect(upperBound(0, 100)).toBeLessThan(0.03);
    expect(upperBound(0, 1_000)).toBeLessThan(upperBound(0, 100));
    expect(upperBound(50, 100)).toBeGreaterThan(0.5);
  });

  it("survives a file", () => {
    expect(readCoverages(writeCoverages(coverages))).toEqual(coverages);
    expect(() => readCoverages("{}")).toThrow("not a coverage file of version 1");
    expect(() => readCoverages("{")).toThrow("the coverage file is no JSON");
  });
});

describe("a run", () => {
  it("says what it brought about, the same each time", async () => {
    const { coverage } = await runPlan(drawRun("7"), {});
    expect(coverage.length).toBeGreaterThan(20);
    expect(coverage).toEqual((await runPlan(drawRun("7"), {})).coverage);
    expect(estimate({ seeds: new Map([["7", coverage]]) }).strangers).toEqual([]);
  });
});
