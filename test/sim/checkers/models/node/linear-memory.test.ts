/** Planted violations of the model of a node's linear memory: fabricated accounts of a worker. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { linearMemory } from "../../../../../sim/checkers/models/node/linear-memory.ts";
import { FabricatedRun } from "../fabricated.ts";

const mebi = 2 ** 20;

interface Memory {
  readonly reservedBytes?: number;
  readonly usedBytes?: number;
  readonly residentBytes?: number;
  readonly isBusy?: boolean;
}

/** Looks once a second for half a minute; `at` says what the nodes hold in that second. */
function said(at: (second: number) => Memory, notes: (run: FabricatedRun, second: number) => void = () => undefined): string {
  let second = 0;
  const accounts = (): unknown => {
    const { reservedBytes = mebi, usedBytes = mebi, residentBytes = 8 * mebi, isBusy = false } = at(second);
    const tasks = isBusy ? [{ state: "RUNNING" }] : [{ state: "FINISHED" }];
    return { sizeBytes: 64 * mebi, reservedBytes, usedBytes, residentBytes, queries: isBusy ? [{}] : [], tasks };
  };
  const knobs = { "idle-memory-bytes": 4 * mebi };
  const node = (() => ({ accounts })) as unknown as Judged["node"];
  const run = new FabricatedRun(linearMemory, { knobs, properties: { "node.memory-return-delay": "10s" } }, { node });
  for (; second < 30; second++) {
    notes(run, second);
    run
      .look(second * 1000)
      .look(second * 1000)
      .look(second * 1000);
  }
  expect(run.held + run.said.length).toBeGreaterThan(20);
  return run.said.join("\n");
}

describe("the model of linear memory", () => {
  it("lets a node that is busy keep what it has touched, and an idle one for the delay", () => {
    expect(said(() => ({ isBusy: true }))).toBe("");
    expect(said((second) => ({ residentBytes: second < 12 ? 8 * mebi : 2 * mebi }))).toBe("");
    expect(
      said(
        () => ({}),
        (run, second) =>
          run
            .note(second * 1000, "w1", "serve", "m1 c>w1 task-update POST /v1/task/t")
            .note(second * 1000, "w2", "serve", "m2 c>w2 task-update POST /v1/task/t"),
      ),
    ).toBe("");
  });

  it("lets an idle node keep less than the bound, or less than it uses", () => {
    expect(said(() => ({ residentBytes: 6 * mebi }))).toBe("");
    expect(said(() => ({ residentBytes: 21 * mebi, usedBytes: 10 * mebi }))).toBe("");
  });

  it("speaks of an idle node that gives nothing back", () => {
    expect(said(() => ({}))).toContain("bytes that are not in use");
    expect(
      said(
        () => ({}),
        (run, second) => run.note(second * 1000, "w1", "serve", "m1 c>w1 heartbeat HEAD /v1/status"),
      ),
    ).toContain("w1 has been idle");
  });

  it.each<[string, Memory]>([
    ["use that is not resident", { usedBytes: 9 * mebi }],
    ["more resident than there is", { residentBytes: 65 * mebi, isBusy: true }],
    ["use that is charged to nobody", { reservedBytes: 0, usedBytes: 4096, residentBytes: mebi }],
  ])("speaks of %s", (_, memory) => {
    expect(said(() => memory)).toContain("bytes in use");
  });
});
