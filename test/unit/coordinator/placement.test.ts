import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Split } from "../../../src/connectors/spi.ts";
import { ComputedSplits, type SplitList } from "../../../src/connectors/shared/splits.ts";
import { placeStages, remoteLocations, type StagePlacement } from "../../../src/coordinator/scheduler/placement.ts";
import { taskCounts } from "../../../src/coordinator/scheduler/task-counts.ts";
import type { FragmentPartitioning, PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import type { OutputPartitioning, PlanNode } from "../../../src/planner/plan/node.ts";

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

interface PlaceOptions {
  readonly fragments: readonly PlanFragment[];
  readonly workerCount: number;
  readonly splits: SplitList;
  readonly offset?: number;
  /** Of every stage that may have several; a scan has no more than splits. */
  readonly tasks?: number;
}

function place({ fragments, offset = 0, splits, tasks = 3, workerCount }: PlaceOptions): readonly StagePlacement[] {
  const listed = new Map([[fragments.at(-1)?.id ?? 0, [{ scanId: "scan", catalog: "t", splits }]]]);
  const settings = { tasksMax: tasks, rowsPerTaskMin: 0 };
  return placeStages({
    queryId: "q",
    fragments,
    splits: listed,
    workers: workers(workerCount),
    coordinator,
    taskCounts: taskCounts({ fragments, splits: listed, estimates: new Map(), settings }),
    offset,
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

  test("split i goes to task i mod D in order, and the workers take the tasks in turn", () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(20),
        (count, workerCount, tasks, offset) => {
          const leaf = place({ fragments: aggregation, workerCount, splits: unbound(count), offset, tasks }).at(-1) as StagePlacement;
          const lists = leaf.tasks.map((task) => task.splits.flatMap((one) => [...one.splits]).map((split) => split.payload as number));
          expect(leaf.tasks.length).toBe(Math.max(1, Math.min(tasks, count)));
          expect(lists).toEqual(
            lists.map((_, task) => unbound(count).flatMap(({ payload }) => ((payload as number) % lists.length === task ? [payload] : []))),
          );
          const nodes = leaf.tasks.map((task) => task.node.nodeId);
          const loads = [...new Set(nodes)].map((nodeId) => nodes.filter((one) => one === nodeId).length);
          expect(loads.length).toBe(Math.min(workerCount, leaf.tasks.length));
          expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test("splits that are made when they are asked for are placed like any others, and hardly any is made before", () => {
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
        // One is asked for its rows.
        expect(made).toBeLessThanOrEqual(1);
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

  test("workers and the query ordinal change where tasks run, never what they are", () => {
    const split = fc.record({ node: fc.option(fc.nat(3)), group: fc.option(fc.nat(5)) });
    fc.assert(
      fc.property(
        fc.array(split, { maxLength: 30 }),
        fc.integer({ min: 1, max: 16 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 9 }),
        (drawn, workerCount, offset, tasks) => {
          const splits = drawn.map(
            ({ group, node }, payload): Split => ({
              payload,
              ...(node !== null && { nodes: [`w${node}`] }),
              ...(group !== null && { group }),
            }),
          );
          const shape = (options: Pick<PlaceOptions, "offset" | "workerCount">) =>
            place({ fragments: aggregation, splits, tasks, ...options }).map((stage) => [
              stage.outputBuffers,
              stage.tasks.map((task) => [task.taskId, task.splits.map((one) => [...one.splits].map(({ payload }) => payload))]),
            ]);
          expect(shape({ workerCount, offset })).toEqual(shape({ workerCount: 1, offset: 0 }));
        },
      ),
    );
  });

  test("splits of one group go to one task, which runs where most of its rows are", () => {
    const splits: readonly Split[] = [
      { payload: 0, nodes: ["w2"], group: 0, rows: 10 },
      { payload: 1, nodes: ["gone", "w1"], group: 1, rows: 5 },
      { payload: 2, nodes: ["w0"], group: 1, rows: 4 },
      { payload: 3, nodes: ["w1"], group: 2, rows: 9 },
    ];
    const leaf = place({ fragments: aggregation, workerCount: 3, splits, offset: 5, tasks: 2 }).at(-1) as StagePlacement;
    expect(leaf.tasks.map((task) => [task.node.nodeId, [...(task.splits[0]?.splits ?? [])].map(({ payload }) => payload)])).toEqual([
      ["w2", [0, 3]],
      ["w1", [1, 2]],
    ]);
  });

  test("no more tasks than the limit, and none without a worker", () => {
    const stages = place({ fragments: aggregation, workerCount: 5, splits: unbound(9), tasks: 2 });
    expect(stages.map(({ tasks }) => tasks.length)).toEqual([1, 2, 2]);
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
      taskCounts: new Map([[1, 2]]),
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
      tasks: 2,
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
      tasks: 2,
    });
    expect(stages[3]?.outputBuffers).toEqual({ kind: "BROADCAST", bufferCount: 3 });
    expect(remoteLocations((stages[2] as StagePlacement).fragment, stages, 0)[0]?.sources).toEqual([
      { fragmentId: 3, location: "http://w0:1/v1/task/q.3.0/results/2" },
    ]);
  });
});
