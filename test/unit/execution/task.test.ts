import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import {
  type AggregationNode,
  type OutputPartitioning,
  outputsOf,
  type PlanNode,
  type RemoteSourceNode,
  type TableScanNode,
} from "../../../src/planner/plan/node.ts";
import type { Constant, RowExpression, Variable } from "../../../src/planner/plan/typed-expression.ts";
import { BIGINT, BOOLEAN, type Type, VARCHAR } from "../../../src/types/type.ts";
import { releaseAll } from "../../../src/page/frame.ts";
import { backends } from "./kernels.ts";
import { arbitraryRows, arbitraryShape, type Cell, compareRows, groupKey, type Row } from "./rows.ts";
import { TestCluster, type TestSplit } from "./tasks.ts";
import { drain, settle } from "./world.ts";

const types: readonly Type[] = [BIGINT, VARCHAR];
const variable = (name: string, type: Type): Variable => ({ kind: "variable", name, type });
const key = variable("k", BIGINT);
const text = variable("t", VARCHAR);
const bigint = (value: number): Constant => ({ kind: "constant", type: BIGINT, value: String(value) });
const call = (name: string, type: Type, ...args: RowExpression[]): RowExpression => ({ kind: "call", name, type, args });

const scan: TableScanNode = {
  kind: "TableScan",
  id: "scan",
  table: { catalog: "test", name: { schema: "s", table: "t" }, handle: null, coordinatorOnly: false },
  outputs: [key, text],
  columns: [
    { name: "k", type: BIGINT },
    { name: "t", type: VARCHAR },
  ],
};

function fragment(
  id: number,
  root: PlanNode,
  outputTypes: readonly Type[],
  outputPartitioning: OutputPartitioning = { kind: "SINGLE" },
): PlanFragment {
  return { id, root, partitioning: "SOURCE", scanIds: ["scan"], outputTypes, outputPartitioning };
}

function remote(id: string, outputs: readonly Variable[], orderBy?: RemoteSourceNode["orderBy"]): RemoteSourceNode {
  return { kind: "RemoteSource", id, fragmentIds: [1], outputs, ...(orderBy === undefined ? {} : { orderBy }) };
}

const arbitrarySplits: fc.Arbitrary<TestSplit[]> = fc.array(
  fc.record({ pages: fc.array(fc.record({ rows: arbitraryRows(types), shape: arbitraryShape }), { maxLength: 3 }) }),
  { maxLength: 3 },
);
const rowsOf = (splits: readonly TestSplit[]): Row[] => splits.flatMap(({ pages }) => pages.flatMap(({ rows }) => rows));

/** Checks that tasks have released all memory. */
async function expectNothingLeft(cluster: TestCluster): Promise<void> {
  await drain(500);
  while (cluster.clock.fireNext()) {
    await drain();
  }
  expect({
    bytes: cluster.memory.root.reservedBytes,
    timers: cluster.clock.timers.size,
    requests: cluster.network.inFlight,
    files: cluster.storage.files.size,
  }).toEqual({ bytes: 0, timers: 0, requests: 0, files: 0 });
}

describe.each(backends)("tasks on the %s backend", (backend) => {
  const runs = { numRuns: backend === "wasm" ? 30 : 10 };

  it("scan, filter and project", async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySplits, async (splits) => {
        const cluster = new TestCluster(backend);
        const sum = variable("sum", BIGINT);
        const filtered: PlanNode = { kind: "Filter", id: "2", source: scan, predicate: call("$ge", BOOLEAN, key, bigint(0)) };
        const project: PlanNode = {
          kind: "Project",
          id: "3",
          source: filtered,
          assignments: [
            { output: text, expression: text },
            {
              output: sum,
              expression: {
                kind: "special",
                form: "IF",
                type: BIGINT,
                args: [call("$lt", BOOLEAN, key, bigint(1000)), call("$add", BIGINT, key, bigint(1)), key],
              },
            },
          ],
        };
        const task = cluster.create("q.0.0", fragment(0, project, [VARCHAR, BIGINT]));
        cluster.scan(task, "scan", splits);
        const rows = await cluster.rows(task, [VARCHAR, BIGINT]);
        const expected = rowsOf(splits)
          .filter(([k]) => k !== null && (k as bigint) >= 0n)
          .map(([k, t]) => [t, (k as bigint) < 1000n ? (k as bigint) + 1n : k]);
        expect(rows).toEqual(expected);
        expect(task.state).toBe("FINISHED");
        const stats = task.stats();
        expect([stats.rawInputPositions, stats.outputPositions, stats.totalDrivers, stats.completedDrivers]).toEqual([
          rowsOf(splits).length,
          expected.length,
          splits.length,
          splits.length,
        ]);
        expect(stats.pipelines[0]?.operators.map(({ operatorType }) => operatorType)).toEqual([
          "ScanFilterAndProjectOperator",
          "TaskOutputOperator",
        ]);
        await expectNothingLeft(cluster);
      }),
      runs,
    );
  });

  it("combine pages that are left with few rows, in the order of their rows", async () => {
    const filtered: PlanNode = { kind: "Filter", id: "2", source: scan, predicate: call("$ge", BOOLEAN, key, bigint(0)) };
    const numbered: PlanNode = { kind: "AssignUniqueId", id: "3", source: filtered, idVariable: variable("id", BIGINT) };
    const scanned = async (root: PlanNode, splits: readonly TestSplit[], frameRows: number) => {
      const cluster = new TestCluster(backend, {}, { "frame-rows": frameRows });
      const outputTypes = outputsOf(root).map(({ type }) => type);
      const task = cluster.create("q.0.0", fragment(0, root, outputTypes));
      cluster.scan(task, "scan", splits);
      const rows = await cluster.rows(task, outputTypes);
      const stats = task.stats();
      await expectNothingLeft(cluster);
      return {
        rows: rows.map((row) => row.slice(0, 2)),
        pages: stats.pipelines[0]?.operators[1]?.addInputCalls,
        read: stats.rawInputPositions,
      };
    };
    await fc.assert(
      fc.asyncProperty(arbitrarySplits, fc.constantFrom(1, 7, 40, 2048), async (splits, frameRows) => {
        const { rows } = await scanned(numbered, splits, frameRows);
        expect(rows).toEqual(rowsOf(splits).filter(([k]) => k !== null && (k as bigint) >= 0n));
      }),
      runs,
    );
    // Each tenth page has ten rows, the others one and two NULLs: 11 pages of one row are less than a quarter of 40 rows, ten rows are not.
    const pages = Array.from({ length: 30 }, (_, page): Row[] =>
      Array.from({ length: page % 10 === 9 ? 10 : 3 }, (__, row) => [page % 10 === 9 || row === 1 ? BigInt(page) : null, `${page}.${row}`]),
    );
    const split: TestSplit = { pages: pages.map((rows) => ({ rows, shape: "flat" })) };
    expect((await scanned(numbered, [split], 40)).pages).toBe(6);
    expect((await scanned(numbered, [split], 1000)).pages).toBe(1);
    expect((await scanned(numbered, [split], 1)).pages).toBe(30);
    // A limit takes its rows from the first pages.
    const limit: PlanNode = { kind: "Limit", id: "l", source: numbered, count: 2, partial: false };
    expect(await scanned(limit, [split], 1000)).toMatchObject({
      rows: [
        [0n, "0.1"],
        [1n, "1.1"],
      ],
      read: 6,
    });
  });

  it("say with the last pages that they are the last, whatever drivers they have", async () => {
    const [buildKey, buildText] = [variable("bk", BIGINT), variable("bt", VARCHAR)];
    const build: TableScanNode = { ...scan, id: "build", outputs: [buildKey, buildText] };
    const join: PlanNode = {
      kind: "Join",
      id: "j",
      type: "INNER",
      left: scan,
      right: build,
      criteria: [{ left: key, right: buildKey }],
      outputs: [key, buildText],
      distribution: "REPLICATED",
    };
    const cluster = new TestCluster(backend);
    const task = cluster.create("q.0.0", { ...fragment(0, join, types), scanIds: ["scan", "build"] });
    // The reader waits before there is a page.
    const answer = task.readBuffer({ bufferId: 0, token: 0, bytesMax: 1_000_000, waitMs: 1_000 });
    cluster.scan(task, "scan", [{ pages: [{ rows: [[1n, "p"]], shape: "flat" }] }]);
    cluster.scan(task, "build", [{ pages: [{ rows: [[1n, "b"]], shape: "flat" }] }]);
    const { complete, frames } = await settle(cluster.clock, answer);
    expect([complete, frames.length, task.state]).toEqual([true, 1, "FLUSHING"]);
    expect(task.stats()).toMatchObject({ totalDrivers: 2, completedDrivers: 2 });
    releaseAll(frames);
    task.destroyBuffer(0);
    expect(task.state).toBe("FINISHED");
    await expectNothingLeft(cluster);
  });

  it("aggregate in two stages over any number of partitions", async () => {
    const count = variable("count", BIGINT);
    const partialCount = variable("partial_count", BIGINT);
    const aggregation = (id: string, source: PlanNode, step: AggregationNode["step"]): AggregationNode => ({
      kind: "Aggregation",
      id,
      source,
      step,
      keys: [key],
      aggregates: [{ output: count, name: "count", argumentTypes: [], args: [], intermediates: [partialCount] }],
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitrarySplits, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 400 }),
        async (producers, consumers, bytesMax) => {
          const cluster = new TestCluster(backend, { outputBufferBytesMax: bytesMax, exchangeBufferBytesMax: bytesMax });
          const bottom = fragment(2, aggregation("a", scan, "PARTIAL"), [BIGINT, BIGINT], { kind: "HASH", keys: [key] });
          const middle = fragment(1, aggregation("b", remote("r2", [key, partialCount]), "FINAL"), [BIGINT, BIGINT]);
          const top = fragment(0, remote("r1", [key, count]), [BIGINT, BIGINT]);
          for (const [index, splits] of producers.entries()) {
            cluster.scan(cluster.create(`q.2.${index}`, bottom, consumers), "scan", splits);
          }
          for (let consumer = 0; consumer < consumers; consumer++) {
            cluster.read(
              cluster.create(`q.1.${consumer}`, middle),
              "r2",
              producers.map((_, index) => ({ taskId: `q.2.${index}`, bufferId: consumer, fragmentId: 2 })),
            );
          }
          const root = cluster.create("q.0.0", top);
          cluster.read(
            root,
            "r1",
            Array.from({ length: consumers }, (_, index) => ({ taskId: `q.1.${index}`, bufferId: 0, fragmentId: 1 })),
          );
          const rows = await cluster.rows(root, [BIGINT, BIGINT]);
          const counts = new Map<string, [Cell, bigint]>();
          for (const row of producers.flatMap(rowsOf)) {
            const group = groupKey([row[0] as Cell]);
            counts.set(group, [row[0] as Cell, (counts.get(group)?.[1] ?? 0n) + 1n]);
          }
          const sorted = (values: Iterable<readonly Cell[]>): readonly Cell[][] =>
            [...values].map((row) => [...row]).toSorted((a, b) => compareRows(a, b, [{ channel: 0, descending: false, nullsFirst: true }]));
          expect(sorted(rows)).toEqual(sorted(counts.values()));
          await drain(500);
          expect([...cluster.tasks.values()].map(({ state }) => state)).toEqual([...cluster.tasks.values()].map(() => "FINISHED"));
          await expectNothingLeft(cluster);
        },
      ),
      { numRuns: backend === "wasm" ? 40 : 8 },
    );
  });

  it("merge sorted sources, ties by source", async () => {
    const orderBy = [{ variable: key, descending: true, nullsFirst: false }];
    await fc.assert(
      fc.asyncProperty(fc.array(arbitrarySplits, { minLength: 1, maxLength: 3 }), async (producers) => {
        const cluster = new TestCluster(backend, { exchangeBufferBytesMax: 1 });
        const bottom = fragment(1, { kind: "Sort", id: "s", source: scan, orderBy }, types);
        for (const [index, splits] of producers.entries()) {
          cluster.scan(cluster.create(`q.1.${index}`, bottom), "scan", splits);
        }
        const root = cluster.create("q.0.0", fragment(0, remote("r", [key, text], orderBy), types));
        cluster.read(
          root,
          "r",
          producers.map((_, index) => ({ taskId: `q.1.${index}`, bufferId: 0, fragmentId: 1 })),
        );
        const expected = producers
          .flatMap(rowsOf)
          .toSorted((a, b) => compareRows(a, b, [{ channel: 0, descending: true, nullsFirst: false }]));
        expect(await cluster.rows(root, types)).toEqual(expected);
        await expectNothingLeft(cluster);
      }),
      runs,
    );
  });

  it("join with a filter, union, limit and values", async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySplits, fc.nat(50), async (splits, count) => {
        const cluster = new TestCluster(backend);
        const [value, other] = [variable("v", BIGINT), variable("w", BIGINT)];
        const values: PlanNode = { kind: "Values", id: "v", outputs: [value], rows: [-2, 0, 1, 1, 3].map((item) => [bigint(item)]) };
        const join: PlanNode = {
          kind: "Join",
          id: "j",
          type: "INNER",
          left: scan,
          right: values,
          criteria: [],
          filter: call("$lt", BOOLEAN, key, value),
          outputs: [key, value],
          distribution: "REPLICATED",
        };
        const second: PlanNode = {
          kind: "Values",
          id: "v2",
          outputs: [other],
          rows: [[bigint(7)], [call("$add", BIGINT, bigint(4), bigint(4))]],
        };
        const union: PlanNode = {
          kind: "Union",
          id: "u",
          sources: [join, second],
          outputs: [variable("a", BIGINT), variable("b", BIGINT)],
          sourceVariables: [
            [key, value],
            [other, other],
          ],
        };
        const limit: PlanNode = { kind: "Limit", id: "l", source: union, count, partial: false };
        const task = cluster.create("q.0.0", fragment(0, limit, [BIGINT, BIGINT]));
        cluster.scan(task, "scan", splits);
        const joined = rowsOf(splits).flatMap(([k]) =>
          [-2n, 0n, 1n, 1n, 3n].filter((item) => k !== null && (k as bigint) < item).map((item) => [k, item]),
        );
        expect(await cluster.rows(task, [BIGINT, BIGINT])).toEqual([...joined, [7n, 7n], [8n, 8n]].slice(0, count));
        await expectNothingLeft(cluster);
      }),
      runs,
    );
  });
});

describe("a task", () => {
  const failing: PlanNode = {
    kind: "Project",
    id: "p",
    source: scan,
    assignments: [{ output: key, expression: call("$divide", BIGINT, bigint(1), key) }],
  };
  const split = (values: readonly bigint[]): TestSplit => ({ pages: [{ rows: values.map((value) => [value, "x"]), shape: "flat" }] });

  it("fails with the error of its rows, never shows an end and frees everything", async () => {
    const cluster = new TestCluster("wasm");
    const task = cluster.create("q.0.0", fragment(0, failing, [BIGINT]));
    let changes = 0;
    task.onChange(() => changes++);
    cluster.scan(task, "scan", [split([1n, 0n])]);
    await drain();
    expect([task.state, task.failures[0]?.errorName, task.failures[0]?.message]).toEqual([
      "FAILED",
      "DIVISION_BY_ZERO",
      "Division by zero",
    ]);
    expect(changes).toBeGreaterThan(2);
    const read = task.readBuffer({ bufferId: 0, token: 0, bytesMax: 1000, waitMs: 10 });
    await drain();
    cluster.clock.fireNext();
    expect(await read).toMatchObject({ complete: false, frames: [] });
    await expectNothingLeft(cluster);
  });

  it("names the operator that needs too much memory", async () => {
    const cluster = new TestCluster("wasm");
    const sort: PlanNode = { kind: "Sort", id: "s", source: scan, orderBy: [{ variable: key, descending: false, nullsFirst: false }] };
    const task = cluster.create("q.0.0", fragment(0, sort, types), 1, "PARTITIONED", 1_048_576);
    cluster.scan(
      task,
      "scan",
      Array.from({ length: 20 }, () => split(Array.from({ length: 5000 }, (_, index) => BigInt(index)))),
    );
    await drain(5000);
    expect(task.failures[0]?.errorName).toBe("EXCEEDED_LOCAL_MEMORY_LIMIT");
    expect(task.failures[0]?.message).toMatch(/^Query exceeded per-node user memory limit of 1MB \[operator \w+Operator .*\]$/);
    await expectNothingLeft(cluster);
  });

  it("can be cancelled, aborted and told to stop by its consumers at any moment", async () => {
    for (const end of ["cancel", "abort", "destroy"] as const) {
      for (let rounds = 0; rounds < 12; rounds++) {
        const cluster = new TestCluster("wasm");
        const task = cluster.create("q.0.0", fragment(0, scan, types));
        cluster.scan(task, "scan", [split([1n, 2n]), split([3n])]);
        await drain(rounds);
        if (end === "destroy") {
          task.destroyBuffer(0);
        } else {
          task[end]();
        }
        const ended = { cancel: "CANCELED", abort: "ABORTED", destroy: "FINISHED" }[end];
        expect(task.state).toBe(ended);
        task.fail({ errorName: "GENERIC_INTERNAL_ERROR", message: "too late" });
        expect([task.state, task.failures.length]).toEqual([ended, 0]);
        await expectNothingLeft(cluster);
      }
    }
  });

  it("ignores splits that it has seen", async () => {
    const cluster = new TestCluster("wasm");
    const task = cluster.create("q.0.0", fragment(0, scan, types));
    cluster.splits.push(split([1n]), split([2n]));
    const at = (sequenceId: number) => ({
      sequenceId,
      split: { kind: "connector" as const, catalog: "test", split: { payload: sequenceId } },
    });
    task.addSplits("scan", [at(0)]);
    task.addSplits("scan", [at(0), at(1)]);
    task.setNoMoreSplits("scan");
    expect(await cluster.rows(task, types)).toEqual([
      [1n, "x"],
      [2n, "x"],
    ]);
    expect(task.noMoreSplits).toEqual(["scan"]);
  });

  it("of a fragment that cannot be planned has failed", () => {
    const cluster = new TestCluster("wasm");
    const broken: PlanNode = { kind: "Exchange", id: "e", sources: [], outputs: [], partitioning: { kind: "SINGLE" } };
    const task = cluster.create("q.0.0", fragment(0, broken, []));
    expect([task.state, task.failures[0]?.errorName]).toEqual(["FAILED", "GENERIC_INTERNAL_ERROR"]);
    expect(cluster.memory.root.reservedBytes).toBe(0);
  });
});
