/** Planted violations of the model of the memory of pages: what a worker says that it holds, and the pages that its consumers get. */
import { describe, expect, it } from "vitest";
import { pageMemory } from "../../../../../sim/checkers/models/node/page-memory.ts";
import type { OutputBufferSnapshot, TaskStatsSnapshot } from "../../../../../src/execution/task/api.ts";
import type { TaskAccount } from "../../../../../src/node-accounts.ts";
import type { OrreryNode } from "../../../../../src/node.ts";
import { FabricatedRun } from "../fabricated.ts";

const taskId = "20260101_000000_00000_aaaaa.1.0";
const headerBytes = 24;

interface Held {
  readonly bufferedBytes?: number;
  readonly memoryBytes?: number;
  /** Pages that are held, and those that were acknowledged, by buffer. */
  readonly buffers?: readonly (readonly [held: number, sent: number])[];
  readonly systemMemoryBytes?: number;
  readonly memoryReservationBytes?: number;
  readonly peakMemoryBytes?: number;
}

/** An operator holds 100 bytes, and an exchange has fetched 50 of its 80. The output holds pages of 24 bytes each. */
function taskOf({ buffers = [[2, 0]], bufferedBytes = 48, memoryBytes = bufferedBytes, ...stats }: Held): TaskAccount {
  const output = {
    state: "OPEN",
    pagesAdded: 2,
    bufferedBytes,
    memoryBytes,
    buffers: buffers.map(([bufferedPages, pagesSent], index) => ({ bufferId: String(index), finished: false, bufferedPages, pagesSent })),
  } as unknown as OutputBufferSnapshot;
  const operators = [{ memoryReservationBytes: 80, info: { bufferedBytes: 50 } }, { memoryReservationBytes: 100 }];
  const held = { systemMemoryBytes: 50 + memoryBytes, memoryReservationBytes: 180 + memoryBytes, peakMemoryBytes: 1_000, ...stats };
  return { taskId, state: "RUNNING", output, stats: () => ({ ...held, pipelines: [{ operators }] }) as unknown as TaskStatsSnapshot };
}

/** The worker is looked at, and then the first two pages of each buffer are given. */
function said(held: Held, outputIds: object = { kind: "PARTITIONED", bufferCount: 1 }, given = [0]): FabricatedRun {
  const node = { accounts: () => ({ tasks: [taskOf(held)] }) } as unknown as OrreryNode;
  const run = new FabricatedRun(pageMemory, {}, { node: (place) => (place === "w1" ? node : undefined) });
  run.answer(0, `/v1/task/${taskId}`, { method: "POST", to: "w1", sent: JSON.stringify({ outputIds }), body: {} });
  for (let ms = 1; ms < 8; ms++) {
    run.look(ms);
  }
  for (const buffer of given) {
    const headers = { "x-engine-page-sequence-id": "0" };
    run.answer(9, `/v1/task/${taskId}/results/${buffer}/0`, { from: "w2", to: "w1", headers, body: "\0".repeat(2 * headerBytes) });
  }
  return run;
}

const shared = { kind: "BROADCAST", bufferCount: 2 };

describe("the model of the memory of pages", () => {
  it("says nothing of pages that are held, on a disk, given to several consumers, or not known yet", () => {
    for (const run of [
      said({}),
      said({ memoryBytes: 24 }),
      said({ buffers: [[0, 2]], bufferedBytes: 0 }),
      said({ buffers: [[1, 1]], bufferedBytes: 24 }),
      said({ buffers: [[5, 0]], bufferedBytes: 799 }),
      said(
        {
          buffers: [
            [2, 0],
            [1, 1],
          ],
        },
        shared,
        [0],
      ),
    ]) {
      expect(run.said).toEqual([]);
      expect(run.held).toBeGreaterThan(1);
    }
  });

  it("speaks of bytes that are not those of the pages", () => {
    expect(said({ bufferedBytes: 72 }).said.join()).toContain("said that it held 72 bytes, of 2 pages with 48");
    expect(said({ buffers: [[1, 1]] }).said.join()).toContain("said that it held 48 bytes, of 1 pages with 24");
    expect(
      said(
        {
          buffers: [
            [2, 0],
            [1, 1],
          ],
          bufferedBytes: 72,
        },
        shared,
        [0],
      ).said.join(),
    ).toContain("of 2 pages with 48");
  });

  it("speaks of memory that is charged for pages that were acknowledged, or is not charged", () => {
    expect(said({ systemMemoryBytes: 122 }).said.join()).toContain("is charged 122 bytes for pages; its output holds 48 of 48 in memory");
    expect(said({ memoryBytes: 50 }).said.join()).toContain("its output holds 50 of 48 in memory");
    expect(said({ memoryReservationBytes: 300 }).said.join()).toContain("holds 300 bytes, and 1000 at most; its operators hold 180");
    expect(said({ peakMemoryBytes: 200 }).said.join()).toContain("holds 228 bytes, and 200 at most");
  });
});
