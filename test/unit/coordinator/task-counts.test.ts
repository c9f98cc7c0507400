import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ComputedSplits } from "../../../src/connectors/shared/splits.ts";
import { taskCounts, tasksFor } from "../../../src/coordinator/scheduler/task-counts.ts";
import type { NodeEstimate } from "../../../src/planner/explain/plan-estimates.ts";
import type { FragmentPartitioning, PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import type { OutputPartitioning, PlanNode } from "../../../src/planner/plan/node.ts";

const hash: OutputPartitioning = { kind: "HASH", keys: [] };
const usual = { tasksMax: 100, rowsPerTaskMin: 100 };

function read(...fragmentIds: number[]): PlanNode {
  return { kind: "RemoteSource", id: `r${fragmentIds.join("_")}`, fragmentIds, outputs: [] };
}

function scan(id: string): PlanNode {
  const table = { catalog: "t", name: { schema: "s", table: "t" }, handle: null, coordinatorOnly: false };
  return { kind: "TableScan", id, table, outputs: [], columns: [] };
}

function fragment(id: number, partitioning: FragmentPartitioning, root: PlanNode, outputPartitioning: OutputPartitioning): PlanFragment {
  return { id, root, partitioning, scanIds: [], outputTypes: [], outputPartitioning };
}

interface Table {
  readonly rows: number;
  readonly splits: number;
}

/** Counts by fragment id; scans are named by their fragments. */
function count(
  fragments: readonly PlanFragment[],
  tables: Readonly<Record<number, Table>>,
  rowsFrom: Readonly<Record<string, number>> = {},
) {
  const splits = new Map(
    Object.entries(tables).map(([id, { rows, splits: length }]) => [
      Number(id),
      [{ scanId: id, catalog: "t", splits: new ComputedSplits(length, (payload) => ({ payload, rows: rows / length })) }],
    ]),
  );
  const estimates = new Map(
    Object.entries(rowsFrom).map(([id, outputRowCount]): [string, NodeEstimate] => [id, { outputRowCount, outputSizeInBytes: 0 }]),
  );
  return [...taskCounts({ fragments, splits, estimates, settings: usual }).values()];
}

const grouped = [
  fragment(0, "COORDINATOR", read(1), { kind: "SINGLE" }),
  fragment(1, "HASH", read(2), { kind: "SINGLE" }),
  fragment(2, "SOURCE", scan("scan"), hash),
];

describe("the number of tasks of a stage", () => {
  test("is a power of two or the limit, grows with the rows, and leaves each task its rows", () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e6), fc.integer({ min: 1, max: 1000 }), fc.nat(1e5), (rows, more, tasksMax, rowsPerTaskMin) => {
        const tasks = tasksFor(rows, { tasksMax, rowsPerTaskMin });
        expect(tasks === tasksMax || Number.isInteger(Math.log2(tasks))).toBe(true);
        expect(tasks).toBeGreaterThanOrEqual(1);
        expect(tasks).toBeLessThanOrEqual(tasksMax);
        expect(rows).toBeGreaterThanOrEqual(tasks * (tasks - 1) * rowsPerTaskMin);
        expect(tasksFor(rows + more, { tasksMax, rowsPerTaskMin })).toBeGreaterThanOrEqual(tasks);
      }),
    );
    expect([199, 200, 1199, 1200, 5599, 5600].map((rows) => tasksFor(rows, usual))).toEqual([1, 2, 2, 4, 4, 8]);
  });

  test("is that of the table's rows, and a scan has no more tasks than splits", () => {
    expect(count(grouped, { 2: { rows: 199, splits: 50 } })).toEqual([1, 1, 1]);
    expect(count(grouped, { 2: { rows: 1200, splits: 50 } })).toEqual([1, 4, 4]);
    expect(count(grouped, { 2: { rows: 1200, splits: 3 } })).toEqual([1, 4, 3]);
    expect(count(grouped, { 2: { rows: 0, splits: 0 } })).toEqual([1, 1, 1]);
  });

  test("is smaller where few rows arrive, and an estimate may be ten times too low", () => {
    expect(count(grouped, { 2: { rows: 5600, splits: 50 } }, { scan: 4 })).toEqual([1, 1, 8]);
    expect(count(grouped, { 2: { rows: 5600, splits: 50 } }, { scan: 120 })).toEqual([1, 4, 8]);
    expect(count(grouped, { 2: { rows: 5600, splits: 50 } }, { scan: 1e6 })).toEqual([1, 8, 8]);
  });

  test("is the same for all readers of one fragment, and what is broadcast does not count", () => {
    const fragments = [
      fragment(0, "COORDINATOR", read(1), { kind: "SINGLE" }),
      fragment(
        1,
        "HASH",
        { kind: "Union", id: "u", sources: [read(2), read(3)], outputs: [], sourceVariables: [[], []] },
        { kind: "SINGLE" },
      ),
      fragment(2, "HASH", read(3), hash),
      fragment(3, "SOURCE", scan("small"), hash),
      fragment(4, "SOURCE", scan("large"), hash),
    ];
    const reading = (first: PlanNode) =>
      fragments.map((one) => (one.id === 1 ? { ...one, root: { ...one.root, sources: [first, read(2), read(3)] } as PlanNode } : one));
    const tables = { 3: { rows: 1, splits: 1 }, 4: { rows: 5600, splits: 8 } };
    expect(count(reading(read(4)), tables)).toEqual([1, 8, 8, 1, 8]);
    const broadcast = reading(read(4)).map((one) => (one.id === 4 ? { ...one, outputPartitioning: { kind: "BROADCAST" as const } } : one));
    expect(count(broadcast, tables)).toEqual([1, 1, 1, 1, 8]);
  });
});
