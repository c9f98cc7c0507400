import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Split } from "../../../../src/connectors/spi.ts";
import type { WorkerNode } from "../../../../src/coordinator/context.ts";
import { placeStages, type StagePlacement } from "../../../../src/coordinator/scheduler/placement.ts";
import { reassign } from "../../../../src/coordinator/scheduler/reassignment.ts";
import type { PlanFragment } from "../../../../src/planner/fragmenter/fragment.ts";
import type { PlanNode } from "../../../../src/planner/plan/node.ts";

const coordinator = { nodeId: "c", uri: "http://c:1", incarnation: "" };

function worker(number: number, incarnation = "1"): WorkerNode {
  return { nodeId: `w${number}`, uri: `http://w${number}:1`, incarnation };
}

function fragment(id: number, partitioning: PlanFragment["partitioning"], root: PlanNode): PlanFragment {
  return {
    id,
    root,
    partitioning,
    scanIds: [],
    outputTypes: [],
    outputPartitioning: id === 2 ? { kind: "HASH", keys: [] } : { kind: "SINGLE" },
  };
}

const fragments: readonly PlanFragment[] = [
  fragment(0, "COORDINATOR", { kind: "RemoteSource", id: "r0", fragmentIds: [1], outputs: [] }),
  fragment(1, "HASH", { kind: "RemoteSource", id: "r1", fragmentIds: [2], outputs: [] }),
  fragment(2, "SOURCE", {
    kind: "TableScan",
    id: "scan",
    table: { catalog: "t", name: { schema: "s", table: "t" }, handle: null, coordinatorOnly: false },
    outputs: [],
    columns: [],
  }),
];

function placed(workerCount: number, splits: readonly Split[], offset: number): readonly StagePlacement[] {
  return placeStages({
    queryId: "q",
    fragments,
    splits: new Map([[2, [{ scanId: "scan", catalog: "t", splits }]]]),
    workers: Array.from({ length: workerCount }, (_, number) => worker(number)),
    coordinator,
    taskCounts: new Map([
      [1, 3],
      [2, Math.max(1, Math.min(4, splits.length))],
    ]),
    offset,
  });
}

interface Again {
  readonly attempt?: number;
  readonly workers: readonly WorkerNode[];
  readonly suspects?: readonly string[];
}

function again(placements: readonly StagePlacement[], { attempt = 1, workers, suspects = [] }: Again): readonly StagePlacement[] {
  return reassign({ queryId: "q", placements, fragments, attempt, workers, isSuspect: ({ nodeId }) => suspects.includes(nodeId) });
}

describe("another attempt", () => {
  test("has the tasks of the first one, with their splits, numbered on, on living nodes; only lost tasks move", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 30 }),
        fc.nat(7),
        fc.integer({ min: 1, max: 5 }),
        fc.uniqueArray(fc.nat(5), { maxLength: 5 }),
        (workerCount, splitCount, offset, attempt, lost) => {
          const splits = Array.from({ length: splitCount }, (_, part): Split => ({ payload: { part }, rows: 1 }));
          const before = placed(workerCount, splits, offset);
          const living = Array.from({ length: workerCount }, (_, number) => worker(number)).filter((_, number) => !lost.includes(number));
          fc.pre(living.length > 0);
          const after = again(before, { attempt, workers: living });
          before.forEach((stage, index) => {
            const next = after[index] as StagePlacement;
            expect([next.outputBuffers, next.readings, next.fragment]).toEqual([stage.outputBuffers, stage.readings, stage.fragment]);
            expect(next.tasks.map(({ splits: own }) => own)).toEqual(stage.tasks.map(({ splits: own }) => own));
            const count = stage.tasks.length;
            expect(next.tasks.map(({ taskId }) => taskId)).toEqual(
              stage.tasks.map((_, number) => `q.${stage.fragment.id}.${attempt * count + number}`),
            );
            next.tasks.forEach(({ node }, number) => {
              const former = stage.tasks[number]?.node as WorkerNode;
              const isLost =
                stage.fragment.id !== 0 && !living.includes(living.find(({ nodeId }) => nodeId === former.nodeId) as WorkerNode);
              expect(isLost ? living.map(({ nodeId }) => nodeId) : [former.nodeId]).toContain(node.nodeId);
            });
          });
        },
      ),
    );
  });

  test("spreads the lost tasks of all stages over the workers that are left", () => {
    const before = placed(3, [{ payload: 0 }, { payload: 1 }, { payload: 2 }], 0);
    const after = again(before, { workers: [worker(0), worker(2)] });
    const nodes = after.slice(1).flatMap(({ tasks }) => tasks.map(({ node }) => node.nodeId));
    expect(nodes.filter((nodeId) => nodeId === "w0")).toHaveLength(3);
    expect(nodes.filter((nodeId) => nodeId === "w2")).toHaveLength(3);
  });

  test("avoids a node that failed the query, unless there is no other", () => {
    const before = placed(2, [{ payload: 0 }, { payload: 1 }], 0);
    const both = [worker(0), worker(1)];
    const nodes = (stages: readonly StagePlacement[]): string[] =>
      stages.slice(1).flatMap(({ tasks }) => tasks.map(({ node }) => node.nodeId));
    expect(new Set(nodes(again(before, { workers: both, suspects: ["w1"] })))).toEqual(new Set(["w0"]));
    expect(nodes(again(before, { workers: both, suspects: ["w0", "w1"] }))).toEqual(nodes(before));
  });

  test("reads splits where their rows are, and fails without that node", () => {
    const before = placed(3, [{ payload: 0, nodes: ["w1", "w2"] }, { payload: 1 }], 0);
    expect(before[2]?.tasks[0]?.node.nodeId).toBe("w1");
    const nodeOf = (workers: readonly WorkerNode[], suspects: readonly string[] = []) =>
      again(before, { workers, suspects })[2]?.tasks[0]?.node;
    expect(nodeOf([worker(0), worker(1, "2"), worker(2)])).toMatchObject({ nodeId: "w1", incarnation: "2" });
    expect(nodeOf([worker(0), worker(1, "2"), worker(2)], ["w1"])?.nodeId).toBe("w2");
    expect(nodeOf([worker(0), worker(2)])?.nodeId).toBe("w2");
    expect(() => again(before, { workers: [worker(0)] })).toThrow("A table of catalog 't' lost data: worker w1 is gone, worker w2 is gone");
    expect(() => again(before, { workers: [] })).toThrow("No nodes available to run query");
  });
});
