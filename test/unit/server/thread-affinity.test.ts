/**
 * Threads of workers stay on processors of their own.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import {
  allowedProcessors,
  pinThread,
  processorsForWorkers,
  processorsOf,
  systemThreadId,
  WorkerPins,
} from "../../../src/server/threads/thread-affinity.ts";

/** A process that waits for the end of its input. */
async function withProcess(use: (id: number) => Promise<void>): Promise<void> {
  const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  try {
    await use(child.pid as number);
  } finally {
    child.stdin.end();
    await once(child, "close");
  }
}

describe("processors", () => {
  test("are read from the system's list", () => {
    expect(processorsOf("0-2,5,8-9\n")).toEqual([0, 1, 2, 5, 8, 9]);
    expect(processorsOf("3")).toEqual([3]);
    expect(processorsOf("")).toEqual([]);
  });

  test("belong to workers if there is one for each", () => {
    expect(processorsForWorkers(2, [0, 1, 2, 3], 6)).toEqual([]);
    expect(processorsForWorkers(3, [0, 1], 6)).toEqual([]);
    expect(processorsForWorkers(1, [0], 6)).toEqual([]);
    expect(processorsForWorkers(2, [], 6)).toEqual([]);
    expect(processorsForWorkers(3, [2, 4, 6], 6)).toEqual([2, 4, 6]);
  });

  test("are given to the first worker of each process in turn", () => {
    expect([6, 7, 8].map((processId) => processorsForWorkers(3, [2, 4, 6], processId))).toEqual([
      [2, 4, 6],
      [4, 6, 2],
      [6, 2, 4],
    ]);
  });
});

describe("a thread", () => {
  test("has an id of the system's", () => {
    expect(allowedProcessors(systemThreadId())).toEqual(allowedProcessors());
    expect(allowedProcessors()).not.toEqual([]);
  });

  test("runs on its processor only, once it is pinned", async () => {
    const last = allowedProcessors().at(-1) as number;
    await withProcess(async (id) => {
      expect(await pinThread(id, last)).toBe(true);
      expect(allowedProcessors(id)).toEqual([last]);
      expect(await pinThread(id, 1_000_000)).toBe(false);
    });
  });

  test("is pinned after the start of its process, and when it starts again", async () => {
    const [first = 0] = allowedProcessors();
    await withProcess(async (id) => {
      const failed: string[] = [];
      const ended = new Promise<void>((resolve) => {
        const pins = new WorkerPins({
          processors: [first, 1_000_000],
          onFailed: (nodeId) => {
            failed.push(nodeId);
            if (failed.length === 1) {
              pins.started("worker-2", id);
            } else {
              resolve();
            }
          },
        });
        pins.started("worker-1", undefined);
        pins.started("worker-3", id);
        pins.started("worker-2", id);
        expect(allowedProcessors(id)).toEqual(allowedProcessors());
        pins.begin();
      });
      await ended;
      expect(failed).toEqual(["worker-2", "worker-2"]);
    });
  });
});
