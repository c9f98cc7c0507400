import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Split } from "../../../src/connectors/spi.ts";
import { ComputedSplits, type SplitList } from "../../../src/connectors/shared/splits.ts";
import { placeStages, remoteLocations, type StagePlacement } from "../../../src/coordinator/scheduler/placement.ts";
import type { FragmentPartitioning, PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import type { OutputPartitioning, PlanNode } from "../../../src/planner/plan/node.ts";
import { QueryError } from "../../../src/protocol/errors.ts";

const coordinator = { nodeId: "c", uri: "http://c:1", incarnation: "" };

function workers(count: number) {
  return Array.from({ length: count }, (_, index) => ({ nodeId: `w${index}`, uri: `http://w${index}:1`, incarnation: "" }));
}

function remote(...fragmentIds: number[]): PlanNode {
  return { kind: "RemoteSource", id: `r${fragmentIds.join("_")}`, fragmentIds, outputs: [] };
}

function scan(id: string): PlanNode {
  return {
    kind: "TableScan",
    id,
    table: { catalog: "t", name: { schema: "s", table: "t" }, handle: null, coordinatorOnly: false },
    outputs: [],
    columns: [],
  };
}

function fragment(
  id: number,
  partitioning: FragmentPartitioning,
  root: PlanNode,
  output: OutputPartitioning = { kind: "SINGLE" },
): PlanFragment {
  return { id, root, partitioning, scanIds: [], outputTypes: [], outputPartitioning: output };
}

/** Root <- final aggregation, partitioned by hash <- scan. */
const aggregation: readonly PlanFragment[] = [
  fragment(0, "COORDINATOR", remote(1)),
  fragment(1, "HASH", remote(2)),
  fragment(2, "SOURCE", scan("scan"), { kind: "HASH", keys: [] }),
];

function place(options: {
  readonly fragments: readonly PlanFragment[];
  readonly workerCount: number;
  readonly splits: SplitList;
  readonly offset?: number;
  readonly hashPartitionCount?: number;
}): readonly StagePlacement[] {
  const last = options.fragments.at(-1)?.id ?? 0;
  return placeStages({
    queryId: "q",
    fragments: options.fragments,
    splits: new Map([[last, [{ scanId: "scan", catalog: "t", splits: options.splits }]]]),
    workers: workers(options.workerCount),
    coordinator,
    hashPartitionCount: options.hashPartitionCount ?? 100,
    offset: options.offset ?? 0,
  });
}

const unbound = (count: number): readonly Split[] => Array.from({ length: count }, (_, payload) => ({ payload }));

describe("placement", () => {
  test("a query of three stages: buffers for the readers, locations of the producers, tasks numbered from 0", () => {
    const stages = place({ fragments: aggregation, workerCount: 3, splits: unbound(7) });
    expect(stages.map((stage) => stage.tasks.map((task) => `${task.taskId}@${task.node.nodeId}`))).toEqual([
      ["q.0.0@c"],
      ["q.1.0@w0", "q.1.1@w1", "q.1.2@w2"],
      ["q.2.0@w0", "q.2.1@w1", "q.2.2@w2"],
    ]);
    expect(stages.map((stage) => stage.outputBuffers)).toEqual([
      { kind: "PARTITIONED", bufferCount: 1 },
      { kind: "PARTITIONED", bufferCount: 1 },
      { kind: "PARTITIONED", bufferCount: 3 },
    ]);
    expect(remoteLocations((stages[1] as StagePlacement).fragment, stages, 2)).toEqual([
      {
        planNodeId: "r2",
        sources: [0, 1, 2].map((task) => ({ fragmentId: 2, location: `http://w${task}:1/v1/task/q.2.${task}/results/2` })),
      },
    ]);
  });

  test("every split goes to exactly one task, in order, and tasks are as even as they can be", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 7 }), fc.nat(20), (count, workerCount, offset) => {
        const leaf = place({ fragments: aggregation, workerCount, splits: unbound(count), offset }).at(-1) as StagePlacement;
        const lists = leaf.tasks.map((task) => task.splits.flatMap((one) => [...one.splits]).map((split) => split.payload as number));
        expect(lists.flat().toSorted((a, b) => a - b)).toEqual(unbound(count).map((split) => split.payload));
        for (const list of lists) {
          expect(list).toEqual(list.toSorted((a, b) => a - b));
        }
        expect(leaf.tasks.length).toBe(Math.max(1, Math.min(workerCount, count)));
        expect(Math.max(...lists.map((list) => list.length)) - Math.min(...lists.map((list) => list.length))).toBeLessThanOrEqual(1);
        expect(new Set(leaf.tasks.map((task) => task.node.nodeId)).size).toBe(leaf.tasks.length);
      }),
    );
  });

  test("splits that are made when they are asked for are placed like any others, and none is made before", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 7 }), fc.nat(20), (count, workerCount, offset) => {
        let made = 0;
        const computed = new ComputedSplits(count, (payload) => {
          made++;
          return { payload };
        });
        const [lazy, eager] = [computed, unbound(count)].map((splits) =>
          place({ fragments: aggregation, workerCount, splits, offset }).at(-1),
        );
        expect(made).toBe(0);
        const shown = (stage: StagePlacement | undefined) =>
          stage?.tasks.map((task) => [
            task.taskId,
            task.node.nodeId,
            task.splits.map(({ splits }) => [...splits]),
            task.splits.map(({ splits }) => Array.from({ length: splits.length + 1 }, (_, index) => splits.at(index))),
          ]);
        expect(shown(lazy)).toEqual(shown(eager));
      }),
    );
  });

  test("the turn of the workers changes where tasks run, never what they are", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { maxLength: 30 }), fc.nat(20), (nodes, offset) => {
        const splits = nodes.map((node, payload): Split => (node === null ? { payload } : { payload, nodes: [`w${node}`] }));
        const shape = (turn: number) =>
          (place({ fragments: aggregation, workerCount: 4, splits, offset: turn }).at(-1) as StagePlacement).tasks.map((task) =>
            task.splits.map((one) => [...one.splits].map((split) => split.payload)),
          );
        const bound = nodes.every((node) => node !== null) || nodes.every((node) => node === null);
        if (bound) {
          expect(shape(offset)).toEqual(shape(0));
        }
      }),
    );
  });

  test("splits that belong to nodes go there, and fail when the nodes are gone", () => {
    const splits: readonly Split[] = [
      { payload: 0, nodes: ["w2"] },
      { payload: 1, nodes: ["gone", "w1"] },
      { payload: 2, nodes: ["w2"] },
    ];
    const leaf = place({ fragments: aggregation, workerCount: 3, splits, offset: 5 }).at(-1) as StagePlacement;
    expect(leaf.tasks.map((task) => [task.taskId, task.node.nodeId])).toEqual([
      ["q.2.0", "w2"],
      ["q.2.1", "w1"],
    ]);
    expect(() => place({ fragments: aggregation, workerCount: 1, splits })).toThrow(QueryError);
  });

  test("no more partitions than the limit, and none without a worker", () => {
    const stages = place({ fragments: aggregation, workerCount: 5, splits: unbound(9), hashPartitionCount: 2 });
    expect(stages[1]?.tasks.length).toBe(2);
    expect(stages[2]?.outputBuffers.bufferCount).toBe(2);
    expect(() => place({ fragments: aggregation, workerCount: 0, splits: [] })).toThrow("No nodes available to run query");
  });

  test("a broadcast has a buffer for every task of its reader", () => {
    const fragments = [
      fragment(0, "COORDINATOR", remote(1)),
      fragment(1, "SOURCE", {
        kind: "Join",
        id: "j",
        type: "INNER",
        left: scan("probe"),
        right: remote(2),
        criteria: [],
        outputs: [],
        distribution: "REPLICATED",
      }),
      fragment(2, "SINGLE", { kind: "Values", id: "v", outputs: [], rows: [] }, { kind: "BROADCAST" }),
    ];
    const stages = placeStages({
      queryId: "q",
      fragments,
      splits: new Map([[1, [{ scanId: "probe", catalog: "t", splits: unbound(3) }]]]),
      workers: workers(2),
      coordinator,
      hashPartitionCount: 100,
      offset: 0,
    });
    expect(stages[2]?.outputBuffers).toEqual({ kind: "BROADCAST", bufferCount: 2 });
    expect(stages[1]?.tasks.length).toBe(2);
  });

  test("a fragment that is read several times has buffers for each reading, one after the other", () => {
    const join = (id: string, left: PlanNode, right: PlanNode): PlanNode => ({
      kind: "Join",
      id,
      type: "INNER",
      left,
      right,
      criteria: [],
      outputs: [],
      distribution: "PARTITIONED",
    });
    const stages = place({
      fragments: [
        fragment(0, "COORDINATOR", remote(1)),
        fragment(1, "HASH", join("j", { ...remote(3, 3), id: "twice" }, remote(2))),
        fragment(2, "HASH", { ...remote(3), id: "once" }, { kind: "HASH", keys: [] }),
        fragment(3, "SOURCE", scan("scan"), { kind: "HASH", keys: [] }),
      ],
      workerCount: 2,
      splits: unbound(1),
    });
    expect(stages[3]?.outputBuffers).toEqual({ kind: "SHARED", bufferCount: 6, readerCount: 3 });
    const bufferIds = (reader: number, consumer: number) =>
      remoteLocations((stages[reader] as StagePlacement).fragment, stages, consumer).map(({ sources }) =>
        sources.map(({ location }) => location.replace("http://w0:1/v1/task/", "")),
      );
    expect(bufferIds(1, 0)).toEqual([
      ["q.3.0/results/0", "q.3.0/results/2"],
      ["q.2.0/results/0", "http://w1:1/v1/task/q.2.1/results/0"],
    ]);
    expect(bufferIds(1, 1)[0]).toEqual(["q.3.0/results/1", "q.3.0/results/3"]);
    expect([bufferIds(2, 0), bufferIds(2, 1)]).toEqual([[["q.3.0/results/4"]], [["q.3.0/results/5"]]]);
  });

  test("a broadcast that is read several times has a buffer for every task of every reader", () => {
    const stages = place({
      fragments: [
        fragment(0, "COORDINATOR", remote(1)),
        fragment(1, "HASH", {
          kind: "Union",
          id: "u",
          sources: [remote(2), { ...remote(3), id: "here" }],
          outputs: [],
          sourceVariables: [[], []],
        }),
        fragment(2, "SINGLE", { ...remote(3), id: "there" }, { kind: "HASH", keys: [] }),
        fragment(3, "SOURCE", scan("scan"), { kind: "BROADCAST" }),
      ],
      workerCount: 2,
      splits: unbound(1),
    });
    expect(stages[3]?.outputBuffers).toEqual({ kind: "BROADCAST", bufferCount: 3 });
    expect(remoteLocations((stages[2] as StagePlacement).fragment, stages, 0)[0]?.sources).toEqual([
      { fragmentId: 3, location: "http://w0:1/v1/task/q.3.0/results/2" },
    ]);
  });
});
