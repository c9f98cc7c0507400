/** Planted violations of the model of owners: nodes whose accounts and files say what no node may say. */
import { beforeAll, describe, expect, it } from "vitest";
import { calmCluster, reads, user, wideStatement } from "../../../../scenarios/scenario.ts";
import type { Judged } from "../../../../sim/checkers/models/model.ts";
import { owners } from "../../../../sim/checkers/models/node/owners.ts";
import { FabricatedRun } from "./fabricated.ts";
import { inResponse, type Recording, record, show } from "./recorded.ts";

const queryId = "20260101_000000_00000_aaaaa";
const taskId = `${queryId}.1.0`;

interface Fabricated {
  readonly state?: string;
  readonly holders?: number;
  readonly reservedBytes?: number;
  readonly memoryBytes?: number;
  readonly bufferedBytes?: number;
  readonly hasQuery?: boolean;
  readonly hasTask?: boolean;
  readonly files?: readonly string[];
}

/** A worker with one task. */
function run(node: Fabricated | (() => Fabricated)): FabricatedRun {
  const now = (): Fabricated => (typeof node === "function" ? node() : node);
  const accounts = (): unknown => {
    const {
      state = "RUNNING",
      holders = 1,
      reservedBytes = 100,
      memoryBytes = 0,
      bufferedBytes = 0,
      hasQuery = true,
      hasTask = true,
    } = now();
    return {
      queries: hasQuery ? [{ queryId, holders, reservedBytes }] : [],
      tasks: hasTask ? [{ taskId, state, output: { memoryBytes, bufferedBytes, buffers: [] } }] : [],
    };
  };
  return new FabricatedRun(
    owners,
    { properties: { "task.client.timeout": "10s", "task.info.max-age": "20s" } },
    {
      node: ((place: string) => (place === "w1" ? { incarnation: "life", accounts } : undefined)) as unknown as Judged["node"],
      files: (place) => (place === "w1" ? (now().files ?? []) : []),
    },
  );
}

const ask = (fabricated: FabricatedRun, ms: number): FabricatedRun =>
  fabricated.note(ms, "w1", "serve", `m${ms} c>w1 task-status GET /v1/task/${taskId}/status`);

describe("the model of owners", () => {
  it("says nothing about a task that holds memory and a file, and is asked for", () => {
    const fabricated = run({ memoryBytes: 50, bufferedBytes: 90, files: [`spill/life/${taskId}/0`, "query-history/x"] });
    for (let ms = 1_000; ms < 60_000; ms += 5_000) {
      ask(fabricated, ms).look(ms + 1);
    }
    expect(fabricated.said).toEqual([]);
    expect(fabricated.held).toBeGreaterThan(40);
  });

  it.each<[string, Fabricated, string]>([
    ["memory without a task", { hasTask: false }, "1 holders of its memory on w1, and 0 tasks"],
    ["memory of a task that has ended", { state: "FINISHED" }, "1 holders of its memory on w1, and 0 tasks"],
    ["a holder more than tasks", { holders: 2 }, "2 holders"],
    ["a task without the memory of its query", { hasQuery: false }, "its query has no memory there"],
    ["pages that are charged to nobody", { memoryBytes: 500, bufferedBytes: 500 }, "of 100 that are charged"],
    ["pages of a task that has ended", { state: "FAILED", holders: 0, bufferedBytes: 7 }, "its output holds 7 bytes"],
  ])("speaks of %s", (_, node, sentence) => {
    expect(run(node).look(1_000).said.join("\n")).toContain(sentence);
  });

  it.each<[string, Fabricated]>([
    ["of a task that has ended", { state: "FINISHED", holders: 0, files: [`spill/life/${taskId}/0`] }],
    ["of a task that is not there", { files: [`spill/life/${queryId}.7.7/0`] }],
    ["of a former incarnation", { files: [`spill/former/${taskId}/0`] }],
  ])("speaks of a file %s", (_, node) => {
    const fabricated = ask(run(node), 1_000).look(1_001);
    expect(fabricated.said).toEqual([]);
    ask(fabricated, 8_000).look(8_001);
    expect(fabricated.said.join("\n")).toContain("w1 keeps spill/");
  });

  it("allows pages of the root task of the attempt that runs, and of no other", () => {
    const kept = (file: string, attempts: number): readonly string[] => {
      const node = { incarnation: "life", accounts: () => ({ queries: [{ queryId, holders: 1, reservedBytes: 0 }], tasks: [] }) };
      const fabricated = new FabricatedRun(
        owners,
        {},
        {
          node: ((place: string) => (place === "c" ? node : undefined)) as unknown as Judged["node"],
          files: (place) => (place === "c" ? [`spill/life/${queryId}.${file}/0`] : []),
        },
      );
      for (let attempt = 0; attempt < attempts; attempt++) {
        fabricated
          .transition(attempt, "stage", `${queryId}.0`, "PLANNED -> SCHEDULING")
          .transition(attempt, "stage", `${queryId}.1`, "PLANNED -> SCHEDULING");
      }
      return fabricated.look(1_000).look(8_000).said;
    };
    expect(kept("0.0", 1)).toEqual([]);
    expect(kept("0.2", 3)).toEqual([]);
    expect(kept("0.1", 3).join()).toContain("c keeps spill/");
    expect(kept("0.1", 1).join()).toContain("c keeps spill/");
  });

  it("gives a new incarnation its own time to remove files, and no more", () => {
    const fabricated = ask(run({ files: [`spill/former/${taskId}/0`] }), 1_000).look(1_001);
    fabricated.note(4_000, "w1", "crash", "life 1").note(5_000, "w1", "start", "life 2");
    expect(ask(fabricated, 6_000).look(6_001).said).toEqual([]);
    expect(ask(fabricated, 12_000).look(12_001).said.join()).toContain("w1 keeps spill/");
  });

  it("speaks of a task that is not abandoned", () => {
    const fabricated = ask(run({}), 1_000).look(15_000);
    expect(fabricated.said).toEqual([]);
    expect(fabricated.look(30_000).said.join("\n")).toContain("has not been asked for for 29.0 s, of 10 allowed");
  });

  it("speaks of an ended task that is not forgotten", () => {
    const fabricated = run({ state: "FINISHED", holders: 0 }).look(1_000).look(25_000);
    expect(fabricated.said).toEqual([]);
    expect(fabricated.look(60_000).said.join("\n")).toContain("has ended for 59.0 s, of 20 allowed");
  });

  it("starts again with a new incarnation", () => {
    const fabricated = ask(run({}), 1_000).note(29_000, "w1", "start", "life 2");
    expect(fabricated.look(30_000).said).toEqual([]);
  });
});

describe("the documents of tasks", () => {
  let recording: Recording;
  const deletion = /^DELETE \/v1\/task\/[^/]+$/;

  beforeAll(async () => {
    recording = await record(calmCluster("1", { users: [user("u1", [reads(wideStatement)])] }));
  });

  it("say nothing wrong", () => {
    expect(show(recording, owners).said).toEqual([]);
  });

  it.each([
    [
      "a peak that was passed",
      /"peakMemoryReservation":"[^"]*"/,
      '"peakMemoryReservation":"1B","memoryReservation":"9MB"',
      "its peak is 1B",
    ],
    [
      "an exchange with pages",
      /"bufferedPages":0,"pageBufferClientStatuses"/,
      '"bufferedPages":3,"pageBufferClientStatuses"',
      "holds 3 pages",
    ],
    ["a source that is not closed", '"state":"closed"', '"state":"running"', "is running"],
  ])("speak of %s", (_, from, to, sentence) => {
    const { said, planted } = show(recording, owners, inResponse(deletion, from, to));
    expect(planted).toBe(1);
    expect(said.join("\n")).toContain(sentence);
  });
});
