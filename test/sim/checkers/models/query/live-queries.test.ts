/** Planted violations of the model of live queries: documents of a query that runs, looked at once or twice. */
import { describe, expect, it } from "vitest";
import { liveQueries } from "../../../../../sim/checkers/models/query/live-queries.ts";
import type { OrreryNode } from "../../../../../src/node.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { FabricatedRun } from "../fabricated.ts";

const queryId = "20260101_000000_00000_aaaaa";

const numbers = {
  totalTasks: 2,
  runningTasks: 1,
  completedTasks: 1,
  totalDrivers: 6,
  queuedDrivers: 1,
  runningDrivers: 2,
  completedDrivers: 3,
  totalMemoryReservation: "2kB",
  totalScheduledTime: "4.00s",
  totalCpuTime: "3.00s",
  totalBlockedTime: "1.00s",
  rawInputDataSize: "10kB",
  rawInputPositions: 100,
  processedInputDataSize: "8kB",
  processedInputPositions: 90,
  outputDataSize: "5kB",
  outputPositions: 50,
};
/** The root reads one stage, which scans. */
const root = {
  ...numbers,
  totalTasks: 1,
  runningTasks: 1,
  completedTasks: 0,
  totalDrivers: 1,
  queuedDrivers: 0,
  runningDrivers: 1,
  completedDrivers: 0,
  totalMemoryReservation: "1kB",
  totalScheduledTime: "1.00s",
  totalCpuTime: "1.00s",
  totalBlockedTime: "1.00s",
};
const scan = {
  ...numbers,
  totalTasks: 1,
  runningTasks: 0,
  completedTasks: 1,
  totalDrivers: 5,
  queuedDrivers: 1,
  runningDrivers: 1,
  completedDrivers: 3,
  totalMemoryReservation: "1kB",
  totalScheduledTime: "3.00s",
  totalCpuTime: "2.00s",
  totalBlockedTime: "0.00ns",
  outputPositions: 70,
};

interface Changes {
  readonly detail?: object;
  readonly query?: object;
  readonly root?: object;
  readonly scan?: object;
  readonly row?: object | "none";
}

function documentsOf(changes: Changes): { readonly detail: object; readonly listed: readonly object[] } {
  const stages = {
    stageId: `${queryId}.0`,
    state: "RUNNING",
    plan: { root: { kind: "RemoteSource" } },
    stageStats: { ...root, ...changes.root },
    subStages: [
      {
        stageId: `${queryId}.1`,
        state: "SCHEDULED",
        plan: { root: { kind: "TableScan" } },
        stageStats: { ...scan, ...changes.scan },
        subStages: [],
      },
    ],
  };
  const queryStats = { ...numbers, userMemoryReservation: "1kB", peakMemoryReservation: "3kB", ...changes.query };
  const plain = { queryId, state: "RUNNING", completeInfo: false, session: { user: "u1" }, queryStats };
  const row = changes.row === "none" ? [] : [{ ...plain, ...changes.row }];
  return { detail: { ...plain, outputStage: stages, ...changes.detail }, listed: row };
}

/** The query runs, and its documents are looked at, with other changes each time. */
async function said(looks: readonly Changes[], before: (run: FabricatedRun) => FabricatedRun = (run) => run): Promise<FabricatedRun> {
  let shown = documentsOf({});
  const handle = async ({ url }: { readonly url: string }): Promise<object> => {
    const body = encodeUtf8(JSON.stringify(url.includes("search") ? shown.listed : shown.detail));
    return Promise.resolve({ status: 200, headers: {}, body });
  };
  const run = new FabricatedRun(liveQueries, {}, { node: () => ({ handle }) as unknown as OrreryNode });
  before(run).transition(1, "query", queryId, "STARTING -> RUNNING").transition(1, "stage", `${queryId}.0`, "SCHEDULED -> RUNNING");
  for (const [index, changes] of looks.entries()) {
    shown = documentsOf(changes);
    for (let look = 0; look < 3; look++) {
      run.look(10 + index);
    }
    for (let turn = 0; turn < 12; turn++) {
      await Promise.resolve();
    }
  }
  return run;
}

describe("the model of live queries", () => {
  it("says nothing of documents that add up, nor of a query that runs again", async () => {
    const calm = await said([{}, { query: { totalCpuTime: "3.01s" } }]);
    expect(calm.said).toEqual([]);
    expect(calm.held).toBeGreaterThan(40);
    const again = await said([{ query: { totalTasks: 4 }, root: { completedTasks: 0 } }], (run) =>
      run.note(0, "c", "log-info", `query-attempt-lost {"queryId":"${queryId}"}`),
    );
    expect(again.said).toEqual([]);
  });

  it.each<[string, readonly Changes[], string]>([
    ["a state that it has left", [{ detail: { state: "STARTING" } }], "says that it is STARTING, and the last that it went to is RUNNING"],
    ["an end before it has ended", [{ query: { endTime: "2026-01-01T00:00:00.000Z" } }], "is RUNNING, and ended at"],
    ["whole documents of a part", [{ detail: { completeInfo: true } }], "is RUNNING, and ended at"],
    ["splits that are in no state", [{ query: { queuedDrivers: 0 } }], "has 6 splits, 0 queued, 2 running and 3 completed"],
    ["splits of a stage that are in two", [{ scan: { runningDrivers: 2 } }], "has 5 splits, 1 queued, 2 running and 3 completed"],
    ["more tasks than there are", [{ query: { runningTasks: 2 } }], "has 2 tasks, 2 of them run and 1 have ended"],
    ["more user memory than memory", [{ query: { userMemoryReservation: "9kB" } }], "of them for its operators"],
    ["more memory than ever", [{ query: { peakMemoryReservation: "1kB" } }], "and has held 1024 at most"],
    ["more CPU time than time", [{ query: { totalCpuTime: "5.00s" } }], "computed for 5000000000 ns of 4000000000"],
    ["a sum of other stages", [{ query: { rawInputPositions: 200 } }], "rawInputPositions of"],
    ["rows of another stage than the root", [{ query: { outputPositions: 70 } }], "outputPositions of"],
    ["memory that no stage holds", [{ query: { totalMemoryReservation: "3kB" } }], "totalMemoryReservation of"],
    ["numbers that fall", [{}, { query: { rawInputPositions: 99 }, scan: { rawInputPositions: 99 } }], "rawInputPositions 99, was 100"],
    ["a list without it", [{ row: "none" }], "and not in the list"],
    ["a list that differs", [{ row: { state: "FINISHING" } }], "differ in state while it runs"],
    ["numbers in a list that differ", [{ row: { queryStats: { ...numbers, totalTasks: 7 } } }], "differ in totalTasks while it runs"],
  ])("speaks of %s", async (_, looks, sentence) => {
    expect((await said(looks)).said.join("\n")).toContain(sentence);
  });

  it("speaks of a stage that says another state than its last", async () => {
    const run = await said([{}], (fabricated) => fabricated.transition(0, "stage", `${queryId}.1`, "SCHEDULED -> RUNNING"));
    expect(run.said.join()).toContain("says that it is SCHEDULED, and the last that it went to is RUNNING");
  });
});
