/**
 * Large clusters: results are correct, and the cost of a worker does not depend on the number of others. Counts events only, so a busy
 * machine does not matter.
 */
import { describe, expect, it } from "vitest";
import { growthExponent, type Measurement } from "../../sim/scale/measure.ts";
import { scalePlan } from "../../sim/scale/plans.ts";
import { describeScale } from "../../sim/scale/report.ts";
import type { RunResult } from "../../sim/result.ts";
import { runPlan } from "../../sim/run.ts";
import { SharedState } from "../../sim/shared.ts";

const second = 1_000_000_000;

describe("large clusters", () => {
  const shared = new SharedState();

  it("answer rightly, with dozens of tasks a stage on a hundred workers, while some of them crash and come back, within a budget of events", async () => {
    const result = await runPlan(scalePlan({ nodes: 100, workload: "wide", seed: "1" }), { shared });
    expect(result.violations).toEqual([]);
    expect(result.checks["convergence"]).toBe(2);
    expect(result.checks["quiescence"]).toBe(1);
    expect(result.work.tasks).toBeGreaterThan(250);
    // 26,000 when this was written. Work of every worker for every other one would double it.
    expect(result.events).toBeLessThan(40_000);
  });

  it("live at a cost for each worker that does not depend on how many there are", async () => {
    const live = (nodes: number): Promise<RunResult> =>
      runPlan({ ...scalePlan({ nodes, workload: "idle", seed: "1" }), healNanos: 4 * second }, { shared });
    const [small, large] = [await live(70), await live(140)];
    for (const result of [small, large]) {
      expect(result.violations).toEqual([]);
    }
    const bytes = (result: RunResult): number => result.messages["bytes"] as number;
    expect(large.events / small.events).toBeLessThan(2.2);
    expect(bytes(large) / bytes(small)).toBeLessThan(2.2);
    expect((large.requestsByLabel["heartbeat"] as number) / (small.requestsByLabel["heartbeat"] as number)).toBeCloseTo(2, 1);
  });
});

describe("the growth of a cost", () => {
  it("is the slope of the logarithms", () => {
    const powers = (exponent: number) => [3, 10, 100, 1000].map((nodes) => ({ nodes, cost: 7 * nodes ** exponent }));
    expect(growthExponent(powers(1))).toBeCloseTo(1, 6);
    expect(growthExponent(powers(2))).toBeCloseTo(2, 6);
    expect(growthExponent(powers(0))).toBeCloseTo(0, 6);
    expect(growthExponent([{ nodes: 3, cost: 1 }])).toBeUndefined();
  });

  it("is told over all sizes and over the last step, a table for each workload", () => {
    const measured = (nodes: number, cpuMs: number): Measurement => ({
      nodes,
      workload: "fixed",
      realMs: 2000,
      cpuMs,
      simulatedNanos: 10 * second,
      events: 1_234_567,
      messages: 200,
      idleMessages: 50,
      bytes: nodes,
      statements: 12,
      finished: 11,
      tasks: 30,
      peakBytes: 2 ** 30,
      fingerprint: "",
      violation: undefined,
    });
    const lines = describeScale([measured(10, 100), measured(100, 1000), measured(1000, 100_000)]).split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[2]).toMatch(
      /^ +10 +2\.00 s +0\.10 s +10\.0 s +5\.0x +1,234,567 +617,284 +200 +25 % +30 +11\/12 +6\.0 +1,024 MB +10\.0 ms$/,
    );
    expect(lines[5]).toContain("CPU time 1.50 (last step 2.00)");
    expect(lines[5]).toContain("events 0.00 (last step 0.00)");
  });
});
