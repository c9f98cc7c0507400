/** Planted violations of the model of a node's measures: a fabricated node, one of whose numbers is changed at a time. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { measures } from "../../../../../sim/checkers/models/node/measures.ts";
import { FabricatedRun } from "../fabricated.ts";

interface Changes {
  readonly memory?: object;
  readonly queries?: number;
  readonly live?: readonly (readonly [string, number])[];
  readonly ended?: readonly (readonly [string, number])[];
  readonly sums?: object;
  readonly blockedDrivers?: number;
  readonly rows?: number;
  readonly states?: readonly (readonly [string, number])[];
  readonly kept?: number;
  readonly keptBytes?: number;
}

const sums = { totalDrivers: 4, completedDrivers: 2, rawInputPositions: 100, rawInputBytes: 800, runningDrivers: 2 };

function keptOf({ keptBytes = 900 }: Changes): object {
  return { history: 3, historyBytes: keptBytes, unclaimed: 0, unclaimedBytes: 0 };
}

/** A worker with one running and one ended task, or a coordinator with one query. */
function nodeOf(place: string, changes: Changes): unknown {
  const isCoordinator = place === "c";
  return {
    incarnation: "1",
    accounts: () => ({
      sizeBytes: 1000,
      reservedBytes: 300,
      queryBytes: 200,
      queries: [{ queryId: "q" }],
      tasks: isCoordinator ? [] : [{ state: "RUNNING" }, { state: "FINISHED" }],
      keptQueries: isCoordinator ? keptOf(changes) : undefined,
    }),
    measures: () => ({
      tasks: {
        live: new Map(changes.live ?? [["RUNNING", 1]]),
        ended: new Map(changes.ended ?? [["FINISHED", 2]]),
        sums: { ...sums, ...changes.sums },
        blockedDrivers: changes.blockedDrivers ?? 1,
        catalogs: [{ catalog: "tpch", rows: changes.rows ?? 80, bytes: 0 }],
      },
      memory: { capacityBytes: 1000, reservedBytes: 300, queryBytes: 200, residentBytes: 400, ...changes.memory },
      queries: changes.queries ?? 1,
      ...(isCoordinator
        ? {
            coordinator: {
              queryStates: new Map(changes.states ?? [["RUNNING", 1]]),
              keptQueries: { ...keptOf(changes), history: changes.kept ?? 3 },
            },
          }
        : {}),
    }),
  };
}

/** Looks often enough to see each node twice; the changes come after the first time if `late`. */
function said(changes: Changes, late = false): string {
  let looks = 0;
  const node = (place: string): unknown => nodeOf(place, late && looks < 16 ? {} : changes);
  const run = new FabricatedRun(measures, {}, { node: node as unknown as Judged["node"] });
  run.transition(1, "query", "q", "QUEUED -> RUNNING");
  for (; looks < 32; looks++) {
    run.look(looks + 2);
  }
  expect(run.said.length > 0 || run.held > 10).toBe(true);
  return run.said.join("\n");
}

const taskId = "20260101_000000_00000_aaaaa.1.0";

/** A worker whose only task scanned 80 rows of a catalog and read 20 of an exchange, and what the worker measures. */
function saidOfTask(changes: Changes, live: readonly (readonly [string, number])[] = []): string {
  const ofTask = { totalDrivers: 4, completedDrivers: 4, rawInputPositions: 100, outputPositions: 7 };
  const measured = { live, ended: [["FINISHED", 1]] as const, ...changes, sums: { ...ofTask, runningDrivers: 2, ...changes.sums } };
  const node = (place: string): unknown => (place === "w1" ? nodeOf(place, measured) : undefined);
  const run = new FabricatedRun(measures, {}, { node: node as unknown as Judged["node"] });
  const scan = { kind: "TableScan", id: "4", table: { catalog: "tpch" } };
  const fragment = { id: 1, root: { kind: "Join", id: "3", left: scan, right: { kind: "RemoteSource", id: "5" } } };
  const stats = {
    ...ofTask,
    pipelines: [
      { rawInputPositions: 80, operatorSummaries: [{ operatorType: "ScanFilterAndProjectOperator", planNodeId: "4" }] },
      { rawInputPositions: 20, operatorSummaries: [{ operatorType: "ExchangeOperator", planNodeId: "5" }] },
    ],
  };
  run.answer(2, `/v1/task/${taskId}`, { to: "w1", method: "POST", sent: JSON.stringify({ fragment }), body: { taskId } });
  run.answer(3, `/v1/task/${taskId}`, { to: "w1", method: "DELETE", body: { taskId, state: "FINISHED", stats } });
  run.end(4);
  expect(run.said.length + run.held).toBeGreaterThan(0);
  return run.said.join();
}

describe("the model of a node's measures", () => {
  it("says nothing about sums that are those of the tasks, or more while others run", () => {
    expect(saidOfTask({})).toBe("");
    expect(saidOfTask({ rows: 95, sums: { totalDrivers: 5 } }, [["RUNNING", 1]])).toBe("");
    // Of another ended task nobody was given a document.
    expect(saidOfTask({ rows: 95, ended: [["FINISHED", 2]] })).toBe("");
  });

  it.each<[string, Changes, string]>([
    ["rows of a scan that are not counted", { rows: 79 }, "79 rows that were scanned of tpch; the scans of its 1 tasks read 80"],
    ["rows of an exchange that count for a catalog", { rows: 100 }, "100 rows that were scanned of tpch"],
    ["rows that no task gave", { sums: { outputPositions: 8 } }, "outputPositions 8; its 1 tasks have 7"],
    ["an end that is counted as another", { ended: [["FAILED", 1]] }, "1 FAILED ended tasks; its documents are of 1 FINISHED"],
  ])("speaks of %s", (_, changes, sentence) => {
    expect(saidOfTask(changes)).toContain(sentence);
  });

  it("speaks of sums that are less than those of the tasks that have ended, while others run", () => {
    expect(saidOfTask({ sums: { completedDrivers: 3 } }, [["RUNNING", 1]])).toContain("completedDrivers 3");
    expect(saidOfTask({ rows: 10 }, [["RUNNING", 1]])).toContain("10 rows that were scanned");
  });

  it("says nothing about a node whose measures are its accounts", () => {
    expect(said({})).toBe("");
    expect(said({ sums: { totalDrivers: 5 }, rows: 90, ended: [["FINISHED", 3]] }, true)).toBe("");
    expect(
      said({
        states: [
          ["RUNNING", 1],
          ["QUEUED", 4],
        ],
      }),
    ).toBe("");
  });

  it.each<[string, Changes, string]>([
    ["other reserved bytes", { memory: { reservedBytes: 301 } }, "w1 measures"],
    ["more resident than there is", { memory: { residentBytes: 1001 } }, "w1 measures"],
    ["a query too many", { queries: 2 }, "2 queries"],
    ["a live task too many", { live: [["RUNNING", 2]] }, "2 RUNNING live tasks"],
    ["a live task in another state", { live: [["FLUSHING", 1]] }, "1 FLUSHING live tasks"],
    ["an ended task that is not counted", { ended: [["FAILED", 2]] }, "2 FAILED ended tasks"],
    ["more scanned rows than were read", { rows: 101 }, "101 scanned rows of 100"],
    ["more blocked drivers than there are", { blockedDrivers: 3 }, "3 blocked drivers of 2"],
    ["a query in another state", { states: [["FINISHING", 1]] }, "1 FINISHING queries"],
    ["bytes out of all proportion", { keptBytes: 2 ** 24 }, "for 3 queries of its history"],
    ["a kept query too many", { kept: 4 }, "kept queries"],
  ])("speaks of %s", (_, changes, sentence) => {
    expect(said(changes)).toContain(sentence);
  });

  it.each<[string, Changes, string]>([
    ["a sum that falls", { sums: { totalDrivers: 3 } }, "less than before: totalDrivers"],
    ["ended tasks that are forgotten", { ended: [["FINISHED", 1]] }, "less than before: FINISHED"],
    ["scanned rows that fall", { rows: 79 }, "80 and 79 scanned rows"],
  ])("speaks of %s", (_, changes, sentence) => {
    expect(said(changes, true)).toContain(sentence);
  });
});
