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

describe("the model of a node's measures", () => {
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
