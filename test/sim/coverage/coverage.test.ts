/**
 * Coverage: a closed universe, uncovered goals as sentences, and an estimate of what is left.
 */
import { describe, expect, it } from "vitest";
import { drawRun } from "../../../sim/draw/draw.ts";
import { Coverage } from "../../../sim/coverage/coverage.ts";
import { excludedGoals, goals } from "../../../sim/coverage/goals.ts";
import { describeEstimate, estimate, readCoverages, upperBound, writeCoverages } from "../../../sim/coverage/estimate.ts";
import { excludedPairs, possiblePairs } from "../../../sim/coverage/pairs.ts";
import { observed } from "../../../sim/checkers/protocol/wire.ts";
import { runPlan } from "../../../sim/run.ts";

const [first = "", second = "", third = ""] = goals.map(({ id }) => id);

describe("the universe", () => {
  it("names each goal and pair once, as a sentence, and says why a pair cannot meet", () => {
    const ids = [...goals, ...excludedGoals, ...possiblePairs, ...excludedPairs].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(goals.length).toBeGreaterThanOrEqual(40);
    expect([...excludedGoals, ...excludedPairs].every(({ reason }) => reason.length > 10)).toBe(true);
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
      /excluded because .*nonsense: not in the universe/,
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
    expect(() => readCoverages("{")).toThrow("the coverage file is not JSON");
  });
});

describe("a goal", () => {
  const query = "20260101_000000_00001_abcde";
  const task = `/v1/task/${query}.1.0`;

  function watch(): {
    readonly coverage: Coverage;
    answer(from: string, method: "GET" | "POST" | "PUT", path: string, body?: string): void;
  } {
    const node = { isReady: true, state: "ACTIVE", taskState: () => "RUNNING" };
    const coverage = new Coverage({ coordinator: "c", node: () => node as never, nowNanos: () => 0 });
    const answer = (from: string, method: "GET" | "POST" | "PUT", path: string, body = ""): void => {
      const request = { method, url: path, headers: {}, body: new TextEncoder().encode(body) };
      const response = { status: 200, headers: {}, body: new TextEncoder().encode(`{"id":"${query}"}`) };
      coverage.observe(observed({ from, to: "c", request, response, arrivedNanos: 0 }, { nowNanos: 0, event: 1 }));
    };
    return { coverage, answer };
  }

  it("of turning away is about who was turned away", () => {
    const { coverage } = watch();
    coverage.note("w1", "turned-away", "m1 w2>w1 exchange-fetch 503");
    coverage.note("c", "turned-away", "m2 w1>c announcement 503");
    expect(coverage.hits).toEqual([]);
    coverage.note("w1", "turned-away", "m3 c>w1 task-status 503");
    expect(coverage.hits).toEqual(["worker-turned-away"]);
    coverage.note("c", "turned-away", "m4 u1>c statement-poll 503");
    expect(coverage.hits).toEqual(["client-turned-away", "worker-turned-away"]);
  });

  it("of a reader counts while the reader waits, not once it was answered", () => {
    const { coverage } = watch();
    coverage.note("w1", "serve", `m1 w2>w1 exchange-fetch GET ${task}/results/0/0`);
    coverage.note("w1", "respond", "m1 w2>w1 exchange-fetch 200 9 bytes");
    coverage.note("w1", "serve", `m2 c>w1 task-delete DELETE ${task}`);
    expect(coverage.hits).not.toContain("deleted-under-reader");
    coverage.note("w1", "serve", `m3 w2>w1 exchange-fetch GET ${task}/results/0/1`);
    coverage.note("w1", "serve", `m4 c>w1 task-delete DELETE ${task}`);
    expect(coverage.hits).toContain("deleted-under-reader");
  });

  it("of a user who left is about that user's query", () => {
    const { coverage, answer } = watch();
    answer("u1", "POST", "/v1/statement");
    coverage.observeTransition("query", query, "RUNNING");
    coverage.note("u2", "end", "vanished");
    coverage.observeTransition("query", query, "FAILED");
    expect(coverage.hits).not.toContain("abandoned");
    coverage.note("u1", "end", "vanished");
    coverage.observeTransition("query", query, "FAILED");
    expect(coverage.hits).toContain("abandoned");
  });

  it("of a worker that came back takes that the former life still counts", () => {
    const { coverage, answer } = watch();
    answer("w1", "PUT", "/v1/announcement/w1", '{"life":"a"}');
    answer("w1", "PUT", "/v1/announcement/w1", '{"life":"a"}');
    expect(coverage.hits).not.toContain("came-back");
    answer("w1", "PUT", "/v1/announcement/w1", '{"life":"b"}');
    expect(coverage.hits).toContain("came-back");
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
