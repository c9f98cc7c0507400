/**
 * Scans with dynamic filters from the build side of their join: the join produces the same rows in the same order as without.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskExecution } from "../../../src/execution/task/api.ts";
import type { Variable } from "../../../src/planner/plan/typed-expression.ts";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import type { JoinNode, PlanNode, RemoteSourceNode, TableScanNode } from "../../../src/planner/plan/node.ts";
import { doubleRangeOf } from "../../../src/types/domain/double-range.ts";
import { BIGINT, BOOLEAN, DATE, DOUBLE, decimalType, INTEGER, type Type, VARCHAR } from "../../../src/types/type.ts";
import { backends } from "./kernels.ts";
import { arbitraryRows, arbitraryShape, type Cell, type Row } from "./rows.ts";
import { TestCluster, type TestSplit } from "./tasks.ts";
import { drain, settle } from "./world.ts";

const variable = (name: string, type: Type): Variable => ({ kind: "variable", name, type });

function scanOf(id: string, outputs: readonly Variable[], dynamicFilters?: TableScanNode["dynamicFilters"]): TableScanNode {
  return {
    kind: "TableScan",
    id,
    table: { catalog: "test", name: { schema: "s", table: id }, handle: null, coordinatorOnly: false },
    outputs,
    columns: outputs.map(({ name, type }) => ({ name, type })),
    ...(dynamicFilters === undefined ? {} : { dynamicFilters }),
  };
}

interface Plan {
  readonly type: "INNER" | "RIGHT";
  readonly keys: readonly number[];
  readonly columns: readonly Type[];
}

/** Two scans in one task, with columns `p<i>` and `b<i>`. */
function joinOf({ type, keys, columns }: Plan, filtered: boolean): JoinNode {
  const [probe, build] = ["p", "b"].map((side) => columns.map((column, index) => variable(`${side}${index}`, column))) as [
    Variable[],
    Variable[],
  ];
  const criteria = keys.map((key) => ({ left: probe[key] as Variable, right: build[key] as Variable }));
  const uses = criteria.map(({ left }, index) => ({ id: `df_${index}`, variable: left }));
  return {
    kind: "Join",
    id: "j",
    type,
    left: scanOf("probe", probe, filtered ? uses : undefined),
    right: scanOf("build", build),
    criteria,
    outputs: [...probe, ...build],
    distribution: "REPLICATED",
    ...(filtered && { dynamicFilters: Object.fromEntries(criteria.map(({ right }, index) => [`df_${index}`, right])) }),
  };
}

function fragment(root: PlanNode, outputTypes: readonly Type[], scanIds: readonly string[] = ["probe", "build"]): PlanFragment {
  return { id: 0, root, partitioning: "SOURCE", scanIds, outputTypes, outputPartitioning: { kind: "SINGLE" } };
}

const types: readonly Type[] = [BIGINT, INTEGER, VARCHAR, DOUBLE, BOOLEAN];
const arbitrarySplits: fc.Arbitrary<TestSplit[]> = fc.array(
  fc.record({ pages: fc.array(fc.record({ rows: arbitraryRows(types), shape: arbitraryShape }), { maxLength: 3 }) }),
  { maxLength: 3 },
);

async function joined(backend: (typeof backends)[number], root: JoinNode, probe: readonly TestSplit[], build: readonly TestSplit[]) {
  const cluster = new TestCluster(backend);
  const outputTypes = root.outputs.map(({ type }) => type);
  const task = cluster.create("q.0.0", fragment(root, outputTypes));
  cluster.scan(task, "probe", probe);
  cluster.scan(task, "build", build);
  const rows = await cluster.rows(task, outputTypes);
  await drain(500);
  const scan = task.stats().pipelines.flatMap(({ operators }) => operators.filter(({ planNodeId }) => planNodeId === "probe"))[0];
  expect(cluster.memory.root.reservedBytes).toBe(0);
  return { rows, scan, rawRows: task.stats().rawInputPositions };
}

const split = (rows: readonly Row[]): TestSplit => ({ pages: [{ rows, shape: "flat" }] });

describe.each(backends)("dynamic filters on the %s backend", (backend) => {
  it("change no row of a join, whatever its keys are", async () => {
    const plans = fc.record({
      type: fc.constantFrom<"INNER" | "RIGHT">("INNER", "RIGHT"),
      keys: fc.constantFrom<readonly number[]>([0], [1], [2], [3], [4], [0, 2], [3, 1]),
      columns: fc.constant(types),
    });
    await fc.assert(
      fc.asyncProperty(plans, arbitrarySplits, arbitrarySplits, async (plan, probe, build) => {
        const without = await joined(backend, joinOf(plan, false), probe, build);
        const filtered = await joined(backend, joinOf(plan, true), probe, build);
        expect(filtered.rows).toEqual(without.rows);
        expect(without.scan?.dynamicFilteredPositions).toBeUndefined();
        const given = filtered.scan?.outputPositions ?? 0;
        // An empty build side ends the scan before it reads.
        if (build.some(({ pages }) => pages.some(({ rows }) => rows.some((row) => plan.keys.every((key) => row[key] !== null))))) {
          expect(given + (filtered.scan?.dynamicFilteredPositions ?? 0)).toBe(without.scan?.outputPositions);
        }
      }),
      { numRuns: backend === "wasm" ? 60 : 15 },
    );
  });

  it("drop exactly the rows without a match where keys are integers over a narrow range, and count them", async () => {
    const probe = [split(Array.from({ length: 500 }, (_, index) => [BigInt(index)])), split([[null], [7n], [-1n]])];
    const build = [split([[7n], [null], [40n], [7n]])];
    const { rows, scan, rawRows } = await joined(backend, joinOf({ type: "INNER", keys: [0], columns: [BIGINT] }, true), probe, build);
    expect(rows).toEqual([
      [7n, 7n],
      [7n, 7n],
      [40n, 40n],
      [7n, 7n],
      [7n, 7n],
    ]);
    // Filtered rows still count as read.
    expect(rawRows).toBe(503 + 4);
    expect(scan).toMatchObject({ outputPositions: 3, dynamicFilteredPositions: 500 });
  });

  it("drop nearly all rows without a match where keys are wide apart or texts", async () => {
    const wide = (index: number): Cell => BigInt(index) * 1_000_000_007n * 1_000_003n;
    const text = (index: number): Cell => `key ${index}`;
    for (const [type, key] of [
      [BIGINT, wide],
      [VARCHAR, text],
    ] as const) {
      const probe = [split(Array.from({ length: 2000 }, (_, index) => [key(index)]))];
      const build = [split(Array.from({ length: 20 }, (_, index) => [key(index * 100)]))];
      const { rows, scan } = await joined(backend, joinOf({ type: "INNER", keys: [0], columns: [type] }, true), probe, build);
      expect(rows).toHaveLength(20);
      expect(scan?.dynamicFilteredPositions).toBeGreaterThan(1900);
    }
  });
});

/** Frames of a buffer, as a coordinator reads them: they must be identical when a task runs again. */
async function framesOf(cluster: TestCluster, task: TaskExecution): Promise<readonly string[]> {
  const frames: string[] = [];
  const read = async (): Promise<void> => {
    for (let token = 0; ; ) {
      const result = await task.readBuffer({ bufferId: 0, token, bytesMax: 1 << 20, waitMs: 100 });
      frames.push(...result.frames.map((frame) => frame.bytes.join()));
      if (result.complete) {
        return;
      }
      token = result.nextToken;
    }
  };
  await settle(cluster.clock, read());
  return frames;
}

it("a task gives the same bytes whenever its sides come and however its slices are cut", async () => {
  const root = joinOf({ type: "INNER", keys: [0], columns: [BIGINT, VARCHAR] }, true);
  const outputTypes = root.outputs.map(({ type }) => type);
  const key = (index: number): Row => [BigInt((index * 7919) % 5000), `text ${index}`];
  const probe = Array.from({ length: 12 }, (_, part) => split(Array.from({ length: 3000 }, (_row, index) => key(part * 3000 + index))));
  const build = Array.from({ length: 3 }, (_, part) => split(Array.from({ length: 200 }, (_row, index) => key(part * 10_000 + index))));
  const runs = await Promise.all(
    [
      { late: false, limits: {} },
      { late: true, limits: { sliceWorkUnitsMax: 1 } },
      { late: true, limits: { sliceWorkUnitsMax: 100_000, outputBufferBytesMax: 1 << 12 } },
    ].map(async ({ late, limits }) => {
      const cluster = new TestCluster("wasm", limits);
      const task = cluster.create("q.0.0", fragment(root, outputTypes));
      cluster.scan(task, "probe", probe);
      await drain(late ? 3000 : 0);
      cluster.scan(task, "build", build);
      return framesOf(cluster, task);
    }),
  );
  expect(runs[0]?.length).toBeGreaterThan(0);
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).toEqual(runs[0]);
});

describe("a scan with a dynamic filter", () => {
  const key = variable("p0", BIGINT);
  const built = variable("b0", BIGINT);
  const scan = scanOf("probe", [key], [{ id: "df", variable: key }]);
  const remote: RemoteSourceNode = { kind: "RemoteSource", id: "build", fragmentIds: [1], outputs: [built] };
  const join = (left: PlanNode): JoinNode => ({
    kind: "Join",
    id: "j",
    type: "INNER",
    left,
    right: remote,
    criteria: [{ left: key, right: built }],
    outputs: [key],
    distribution: "REPLICATED",
    dynamicFilters: { df: built },
  });
  const source = fragment({ ...scanOf("probe", [built]) }, [BIGINT], ["probe"]);

  /** A task whose build side is another task's output; the other task gets its splits later. */
  function start(root: PlanNode) {
    const cluster = new TestCluster("wasm");
    const build = cluster.create("q.1.0", source);
    const task = cluster.create("q.0.0", fragment(root, [BIGINT], ["probe"]));
    cluster.read(task, "build", [{ taskId: "q.1.0", bufferId: 0, fragmentId: 1 }]);
    cluster.scan(task, "probe", [split([[1n], [2n], [3n]])]);
    return { cluster, build, task };
  }

  /** A blocking operator between the scan and the join. */
  const grouped: PlanNode = { kind: "Aggregation", id: "a", source: scan, step: "SINGLE", keys: [key], aggregates: [] };

  it("reads nothing until the build side is there, also where an operator stands between them", async () => {
    const { cluster, build, task } = start(join(grouped));
    await drain(2000);
    expect(task.stats().rawInputPositions).toBe(0);
    cluster.scan(build, "probe", [split([[2n], [9n]])]);
    expect(await cluster.rows(task, [BIGINT])).toEqual([[2n]]);
    expect(task.stats().rawInputPositions).toBe(3 + 2);
  });

  it("ends at once when the build side has no key", async () => {
    for (const rows of [[], [[null]]] as const) {
      const { cluster, build, task } = start(join(grouped));
      cluster.scan(build, "probe", [split(rows)]);
      expect(await cluster.rows(task, [BIGINT])).toEqual([]);
      expect(task.stats().rawInputPositions).toBe(rows.length);
    }
  });

  it("can be aborted while it waits", async () => {
    const { cluster, build, task } = start(join(grouped));
    await drain(500);
    task.abort();
    build.abort();
    await drain(500);
    expect(task.state).toBe("ABORTED");
    expect(cluster.memory.root.reservedBytes).toBe(0);
  });

  it("tells its connector the range of the keys, and the keys when they are few", async () => {
    const constraintOf = async (type: Type, rows: readonly Row[]) => {
      const cluster = new TestCluster("wasm");
      const task = cluster.create("q.0.0", fragment(joinOf({ type: "INNER", keys: [0], columns: [type] }, true), [type, type]));
      cluster.scan(task, "build", [split(rows)]);
      cluster.scan(task, "probe", [split(rows.slice(0, 1))]);
      await cluster.rows(task, [type, type]);
      const { summary } = cluster.constraints.find((constraint) => constraint !== undefined) ?? {};
      return [...(summary?.domains ?? [])].map(([column, { values, nullAllowed }]) => ({
        column,
        nullAllowed,
        range: doubleRangeOf(values),
        values: values.discreteValues,
      }));
    };
    const p0 = { column: "p0", nullAllowed: false };
    expect(await constraintOf(BIGINT, [[5n], [null], [-7n], [5n]])).toEqual([{ ...p0, range: { low: -7, high: 5 }, values: [5n, -7n] }]);
    expect(await constraintOf(DATE, [[19_000], [18_000]])).toEqual([
      { ...p0, range: { low: 18_000, high: 19_000 }, values: [19_000, 18_000] },
    ]);
    expect(await constraintOf(decimalType(9, 2), [[1250n], [-5n]])).toEqual([
      { ...p0, range: { low: -0.05, high: 12.5 }, values: [1250n, -5n] },
    ]);
    expect(await constraintOf(VARCHAR, [["b"], ["\u00e9"], [null]])).toEqual([{ ...p0, range: {}, values: ["b", "\u00e9"] }]);
    expect(await constraintOf(DOUBLE, [[1.5]])).toEqual([]);
    const many = await constraintOf(
      BIGINT,
      Array.from({ length: 1001 }, (_, index) => [BigInt(index)]),
    );
    expect(many).toEqual([{ ...p0, range: { low: 0, high: 1000 }, values: undefined }]);
  });
});
