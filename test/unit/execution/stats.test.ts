import { describe, expect, it } from "vitest";
import { OperatorStats, shareCpu } from "../../../src/execution/driver/stats.ts";

describe("CPU time of a slice", () => {
  it("goes to the calls by their wall time", () => {
    const [scan, sum] = [new OperatorStats(), new OperatorStats()];
    scan.getOutput.count(6_000, 100);
    sum.addInput.count(3_000, 100);
    shareCpu([scan, sum], { cpuNanos: 5_000, wallNanos: 10_000, workUnits: 200 });
    expect([scan.getOutput.cpuNanos, sum.addInput.cpuNanos, sum.finish.cpuNanos]).toEqual([3_000, 1_500, 0]);
    // The next slice starts from 0.
    sum.finish.count(2_000, 1);
    shareCpu([scan, sum], { cpuNanos: 2_000, wallNanos: 2_000, workUnits: 1 });
    expect([scan.getOutput.cpuNanos, sum.addInput.cpuNanos, sum.finish.cpuNanos]).toEqual([3_000, 1_500, 2_000]);
    expect(scan.getOutput).toMatchObject({ calls: 1, nanos: 6_000 });
  });

  it("goes by work where no time has passed", () => {
    const operator = new OperatorStats();
    operator.getOutput.count(0, 30);
    operator.addInput.count(0, 10);
    shareCpu([operator], { cpuNanos: 8_000, wallNanos: 0, workUnits: 40 });
    expect([operator.getOutput.cpuNanos, operator.addInput.cpuNanos]).toEqual([6_000, 2_000]);
  });
});
