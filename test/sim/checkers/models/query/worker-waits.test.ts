/** Planted violations of the model of queries that wait for workers. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { workerWaits } from "../../../../../sim/checkers/models/query/worker-waits.ts";
import { FabricatedRun } from "../fabricated.ts";

describe("the model of queries that wait for workers", () => {
  const properties = {
    "query-manager.required-workers": "2",
    "query-manager.required-workers-max-wait": "20s",
    "node-scheduler.allowed-no-matching-node-period": "5s",
  };

  /** What is said of a query that waits from 100 ms on, after looks that find so many active workers; times are milliseconds. */
  function waitsBeside(looks: readonly (readonly [ms: number, active: number])[]): string {
    let active = 0;
    const node = (): unknown => ({ cluster: { activeWorkers: () => Array.from({ length: active }, () => ({})) } });
    const run = new FabricatedRun(workerWaits, { properties }, { node: node as unknown as Judged["node"] });
    for (const [ms, count] of looks) {
      active = count;
      if (ms > 100 && run.held === 0) {
        run.transition(100, "query", "a", "QUEUED -> WAITING_FOR_RESOURCES");
      }
      run.look(ms);
    }
    return run.said.join();
  }

  it("lets it wait for its time, and a little longer", () => {
    expect(
      waitsBeside([
        [200, 1],
        [9_000, 1],
        [20_900, 1],
        [20_950, 2],
        [21_050, 2],
      ]),
    ).toBe("");
  });

  it("lets it wait for its turn with its workers", () => {
    expect(
      waitsBeside([
        [200, 1],
        [21_200, 2],
      ]),
    ).toBe("");
  });

  it("reports one that waits longer than it may", () => {
    expect(
      waitsBeside([
        [200, 1],
        [21_200, 1],
      ]),
    ).toContain("a waits for workers 21100 ms after it began to wait, and may wait 20000 ms");
  });

  it("reports one that waits for workers that were lost", () => {
    expect(
      waitsBeside([
        [50, 2],
        [200, 0],
        [6_100, 0],
      ]),
    ).toBe("");
    expect(
      waitsBeside([
        [50, 2],
        [200, 0],
        [6_300, 0],
      ]),
    ).toContain("a waits for workers 6100 ms after all workers were lost");
  });
});
