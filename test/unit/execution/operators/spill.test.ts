import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAggregation } from "../../../../src/execution/operators/aggregation/aggregation-operators.ts";
import { JoinBuildOperator, JoinProbeOperator } from "../../../../src/execution/operators/join/join-operators.ts";
import type { JoinType } from "../../../../src/execution/operators/join/join-options.ts";
import type { Operator, OperatorContext } from "../../../../src/execution/operators/operator.ts";
import { MarkDistinctOperator } from "../../../../src/execution/operators/aggregation/mark-distinct.ts";
import { WindowOperator } from "../../../../src/execution/operators/window/window-operator.ts";
import { OrderByOperator } from "../../../../src/execution/operators/sort/order-by-operator.ts";
import { TopNOperator } from "../../../../src/execution/operators/sort/top-n-operator.ts";
import { JoinBridge } from "../../../../src/execution/hash-table/join-table.ts";
import { MemoryRevoker, type Revocable, roomFor } from "../../../../src/execution/spill/memory-revoker.ts";
import { resolveAggregate } from "../../../../src/functions/registry/registry.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import type { RowExpression, Variable } from "../../../../src/planner/plan/typed-expression.ts";
import type { AggregateCall, AggregationNode, PlanNode, WindowNode } from "../../../../src/planner/plan/node.ts";
import { type Storage, StorageError } from "../../../../src/ports/storage.ts";

import { MemoryStorage } from "../../../../src/testing/memory-storage.ts";
import { BIGINT } from "../../../../src/types/type.ts";
import { type Bench, makeBench, operatorContext, runWaiting } from "../kernels.ts";
import { drain, TestClock } from "../world.ts";
import { arbitraryRows, arbitraryShape, type Cell, cellTypes, makePage, type Row, type Shape } from "../rows.ts";

const layout: readonly Variable[] = cellTypes.map((type, index) => ({ kind: "variable", name: `c${index}`, type }));
const [bigintColumn, , textColumn, doubleColumn, booleanColumn] = layout as [Variable, Variable, Variable, Variable, Variable];
const nowhere = { kind: "Values", id: "0", outputs: layout, rows: [] } as PlanNode;

/** Sums of it stay in range. */
const small: RowExpression = {
  kind: "call",
  name: "$divide",
  type: BIGINT,
  args: [bigintColumn, { kind: "constant", type: BIGINT, value: "1000" }],
};

interface Call {
  readonly name: string;
  readonly args: readonly RowExpression[];
  readonly mask?: Variable;
}

const calls: readonly Call[] = [
  { name: "count", args: [] },
  { name: "count", args: [textColumn], mask: booleanColumn },
  { name: "count_if", args: [booleanColumn] },
  { name: "sum", args: [small] },
  { name: "avg", args: [small] },
  { name: "sum", args: [doubleColumn] },
  { name: "avg", args: [doubleColumn] },
  { name: "geometric_mean", args: [doubleColumn] },
  { name: "var_samp", args: [doubleColumn] },
  { name: "stddev_pop", args: [doubleColumn] },
  { name: "skewness", args: [doubleColumn] },
  { name: "kurtosis", args: [doubleColumn] },
  { name: "corr", args: [doubleColumn, doubleColumn] },
  { name: "regr_slope", args: [doubleColumn, doubleColumn] },
  { name: "min", args: [textColumn] },
  { name: "max", args: [textColumn], mask: booleanColumn },
  { name: "max", args: [doubleColumn] },
  { name: "min_by", args: [textColumn, doubleColumn] },
  { name: "max_by", args: [bigintColumn, textColumn] },
  { name: "arbitrary", args: [textColumn] },
  { name: "array_agg", args: [textColumn] },
  { name: "array_agg", args: [doubleColumn] },
  { name: "bool_and", args: [booleanColumn] },
  { name: "bitwise_xor_agg", args: [bigintColumn] },
  { name: "checksum", args: [textColumn] },
];

function nodeOf(keys: readonly Variable[], chosen: readonly Call[]): AggregationNode {
  const aggregates = chosen.map(({ name, args, mask }, index): AggregateCall => {
    const argumentTypes = args.map(({ type }) => type);
    const resolved = resolveAggregate(name, argumentTypes);
    if ("error" in resolved) {
      throw new Error(`${name}: ${JSON.stringify(resolved.error)}`);
    }
    const output: Variable = { kind: "variable", name: `a${index}`, type: resolved.returnType };
    return { output, name, argumentTypes: resolved.argTypes, args, ...(mask === undefined ? {} : { mask }) };
  });
  return { kind: "Aggregation", id: "1", source: nowhere, step: "SINGLE", keys, aggregates };
}

interface Input {
  readonly rows: Row[];
  readonly shape: Shape;
}

const inputs = fc.array(fc.record({ rows: arbitraryRows(cellTypes), shape: arbitraryShape }), { maxLength: 5 });

/** Bounds under which operators never spill, spill once, or spill again and again. */
const kept = makeBench("wasm", { "page-rows": 7 });
const spilling = [
  makeBench("wasm", {
    "page-rows": 7,
    "revocable-bytes": 0,
    "spill-batch-bytes": 1,
    "spill-partitions": 3,
    "spill-levels": 3,
    "spill-merged-runs": 2,
  }),
  makeBench("wasm", { "page-rows": 7, "revocable-bytes": 0, "spill-partitions": 1, "spill-levels": 2 }),
  makeBench("wasm", { "page-rows": 7, "revocable-bytes": 700_000, "spill-batch-bytes": 1_000 }),
];

const runs = 15;
const mebi = 1_048_576;

type Make = (context: OperatorContext) => Operator;

const ascending = { descending: false, nullsFirst: false };

const numberedRows: WindowNode = {
  kind: "Window",
  id: "1",
  source: nowhere,
  partitionBy: [booleanColumn],
  orderBy: [{ variable: textColumn, ...ascending }],
  functions: [
    {
      output: { kind: "variable", name: "number", type: BIGINT },
      name: "row_number",
      argumentTypes: [],
      args: [],
      ignoreNulls: false,
      frame: { type: "ROWS", start: { type: "UNBOUNDED_PRECEDING" }, end: { type: "CURRENT_ROW" } },
    },
  ],
};

/** Operators with one input that spill. */
const makers: Readonly<Record<string, Make>> = {
  aggregation: (context) => createAggregation({ context, node: nodeOf([textColumn], calls), layout, inlined: new Map() }),
  sort: (context) => new OrderByOperator({ context, types: cellTypes, sortChannels: [0], order: [ascending] }),
  "first rows": (context) => new TopNOperator({ context, types: cellTypes, sortChannels: [0], order: [ascending] }, 30),
  distinct: (context) => new MarkDistinctOperator({ context, types: cellTypes, keyChannels: [0, 2] }),
  window: (context) => new WindowOperator({ context, node: numberedRows, layout }),
};

/** Rows of the output pages. All memory is free afterwards, and no file is left. */
async function outputOf(bench: Bench, pages: readonly Input[], make: Make, storage: Storage = new MemoryStorage()): Promise<Cell[][][]> {
  const memory: MemoryContext = bench.root.child("test");
  const ports = { ...bench.services.ports, storage };
  const services = { ...bench.services, ports, revoker: new MemoryRevoker() };
  const operator = make(operatorContext({ ...bench, services }, memory.child("operator")));
  try {
    const made = pages.map(({ rows, shape }) => makePage(memory, cellTypes, rows, shape));
    return await runWaiting(memory, operator, made);
  } finally {
    operator.close();
    memory.close();
    operator.close();
    expect(bench.root.reservedBytes).toBe(0);
    expect(services.revoker.count).toBe(0);
  }
}

/** Partitions of it are partitioned again. */
const manyRows: Input[] = [{ rows: Array.from({ length: 40 }, (): Row => [0n, 1, "a", 1, true]), shape: "flat" }];

/** The first column has so many values in turn, so that rows of many partitions match; 0: as it was drawn. */
function withKeys(pages: readonly Input[], distinctKeys: number): readonly Input[] {
  return distinctKeys === 0
    ? pages
    : pages.map(({ rows, shape }) => ({ rows: rows.map(([, ...others], index) => [BigInt(index % distinctKeys), ...others]), shape }));
}

interface JoinPlan {
  readonly keys: readonly number[];
  readonly joinType: JoinType;
  readonly build: readonly Input[];
  readonly probe: readonly Input[];
  /** The table goes to disk when it is built. */
  readonly isRevoked: boolean;
}

/** Rows of the output pages of a join, and the remote filter of its first key. */
async function joinOf(
  bench: Bench,
  { keys, joinType, build, probe, isRevoked }: JoinPlan,
  storage: Storage = new MemoryStorage(),
): Promise<unknown> {
  const memory = bench.root.child("test");
  const services = { ...bench.services, ports: { ...bench.services.ports, storage } };
  const context = (name: string): OperatorContext => operatorContext({ ...bench, services }, memory.child(name), name);
  const pagesOf = (given: readonly Input[]) => given.map(({ rows, shape }) => makePage(memory, cellTypes, rows, shape));
  const bridge = new JoinBridge();
  const told: unknown[] = [];
  const channel = keys[0] as number;
  const builder = new JoinBuildOperator({
    context: context("build"),
    bridge,
    types: cellTypes,
    keyChannels: keys,
    joinType,
    remoteFilters: [{ channel, tell: (domain) => told.push(domain) }],
    canSpill: true,
  });
  const joined = new JoinProbeOperator({
    context: context("probe"),
    bridge,
    joinType,
    keys: keys.map((key) => ({ probeChannel: key, buildChannel: key })),
    probeTypes: cellTypes,
    buildTypes: cellTypes,
    outputs: (["probe", "build"] as const).flatMap((side) => cellTypes.map((_, index) => ({ side, channel: index }))),
  });
  try {
    for (const page of pagesOf(build).filter(({ positionCount }) => positionCount > 0)) {
      while (!builder.needsInput) {
        await builder.blocked();
      }
      builder.addInput(page);
    }
    while (!builder.needsInput) {
      await builder.blocked();
    }
    builder.finish();
    while (bridge.built() !== undefined) {
      await Promise.race([builder.blocked(), bridge.built()]);
    }
    if (isRevoked && builder.revocableBytes > 0) {
      await builder.revoke();
      expect(bridge.spilled).toBeDefined();
    }
    const output = await runWaiting(memory, joined, pagesOf(probe));
    // A table that is probed stays.
    expect(builder.revocableBytes).toBe(0);
    return [output, told];
  } finally {
    for (const operator of [joined, builder, joined, builder]) {
      operator.close();
    }
    memory.close();
    expect(bench.root.reservedBytes).toBe(0);
  }
}

describe("operators that spill", () => {
  it("aggregate to the same pages as in memory", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
        fc.subarray([...calls]),
        inputs,
        fc.nat(spilling.length - 1),
        async (keys, chosen, pages, which) => {
          const node = nodeOf(
            keys.map((key) => layout[key] as Variable),
            chosen,
          );
          const make: Make = (context) => createAggregation({ context, node, layout, inlined: new Map() });
          const storage = new MemoryStorage();
          const spilled = await outputOf(spilling[which] as Bench, pages, make, storage);
          expect(spilled).toEqual(await outputOf(kept, pages, make));
          await drain();
          expect(await storage.list("")).toEqual([]);
        },
      ),
      { numRuns: runs },
    );
  });

  const column = fc.record({ descending: fc.boolean(), nullsFirst: fc.boolean() });

  it("sort to the same pages as in memory", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
        fc.array(column, { minLength: 5, maxLength: 5 }),
        inputs,
        fc.nat(spilling.length - 1),
        async (sortChannels, order, pages, which) => {
          const make: Make = (context) =>
            new OrderByOperator({ context, types: cellTypes, sortChannels, order: order.slice(0, sortChannels.length) });
          const storage = new MemoryStorage();
          const spilled = await outputOf(spilling[which] as Bench, pages, make, storage);
          expect(spilled).toEqual(await outputOf(kept, pages, make));
          await drain();
          expect(await storage.list("")).toEqual([]);
        },
      ),
      { numRuns: runs },
    );
  });

  it("find the first rows, and those that tie with them, in the same pages as in memory", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([0, 1, 2, 3, 4], { minLength: 1, maxLength: 2 }),
        fc.array(column, { minLength: 2, maxLength: 2 }),
        fc.record({ count: fc.nat(40), withTies: fc.boolean(), which: fc.nat(spilling.length - 1) }),
        inputs,
        async (sortChannels, order, { count, withTies, which }, pages) => {
          const make: Make = (context) =>
            new TopNOperator({ context, types: cellTypes, sortChannels, order: order.slice(0, sortChannels.length) }, count, withTies);
          const storage = new MemoryStorage();
          const spilled = await outputOf(spilling[which] as Bench, pages, make, storage);
          expect(spilled).toEqual(await outputOf(kept, pages, make));
          await drain();
          expect(await storage.list("")).toEqual([]);
        },
      ),
      { numRuns: runs },
    );
  });

  it("join to the same pages as in memory, in the order of the probe side and then the build side", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([0, 1, 2, 4], { minLength: 1 }),
        fc.constantFrom<JoinType>("INNER", "LEFT", "RIGHT", "FULL"),
        inputs,
        inputs,
        fc.nat(9),
        fc.nat(5),
        async (keys, joinType, build, probe, distinctKeys, which) => {
          const bench = spilling[which] ?? kept;
          const [left, right] = [build, probe].map((side) => withKeys(side, distinctKeys)) as [Input[], Input[]];
          const plan = { keys: distinctKeys === 0 ? keys : [0], joinType, build: left, probe: right, isRevoked: false };
          const storage = new MemoryStorage();
          const spilled = await joinOf(bench, { ...plan, isRevoked: bench === kept }, storage);
          expect(spilled).toEqual(await joinOf(kept, plan));
          await drain();
          expect(await storage.list("")).toEqual([]);
        },
      ),
      { numRuns: 2 * runs, examples: [[[0], "INNER", manyRows, manyRows, 9, 0]] },
    );
  });

  it("free memory and files when they are closed at any moment", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, fc.nat(40), fc.constantFrom(...Object.values(makers)), async (pages, steps, maker) => {
        const storage = new MemoryStorage();
        const make: Make = (context) => {
          const operator = maker(context);
          let left = steps;
          const getOutput = operator.getOutput.bind(operator);
          operator.getOutput = () => {
            if (left-- === 0) {
              throw new Error("closed early");
            }
            return getOutput();
          };
          return operator;
        };
        await outputOf(spilling[0] as Bench, pages, make, storage).catch((error: unknown) =>
          expect((error as Error).message).toBe("closed early"),
        );
        await drain();
        expect(await storage.list("")).toEqual([]);
      }),
      { numRuns: runs },
    );
  });

  it("are revoked in the order of their memory, within the context that is near its limit", () => {
    const { root } = makeBench("wasm");
    const query = root.child("query", 16 * mebi);
    const revoker = new MemoryRevoker();
    const revoked: string[] = [];
    const operators = [4, 9, 30].map((mebis, index): Revocable => {
      const memory = (index === 2 ? root : query).child(`operator ${index}`);
      memory.reserve((mebis * mebi) / 4);
      const revoke = (): Promise<void> => {
        revoked.push(memory.name);
        memory.release(memory.reservedBytes);
        return Promise.resolve();
      };
      return {
        memory,
        revoke,
        isSpilling: false,
        get revocableBytes() {
          return memory.reservedBytes;
        },
      };
    });
    for (const operator of operators) {
      revoker.add(operator);
    }
    const other = query.child("other");
    const ask = (): Promise<void> | undefined => roomFor(other, revoker, (operator) => operator === operators[0]);
    other.reserve(8 * mebi);
    expect(ask()).toBeUndefined();
    other.reserve(2 * mebi);
    expect(ask()).toBeInstanceOf(Promise);
    expect(revoked).toEqual(["operator 1"]);
    other.reserve(2 * mebi);
    // The operator that is left is its own.
    expect(ask()).toBeUndefined();
    expect(revoked).toEqual(["operator 1"]);
    query.close();
  });

  it.each(Object.entries(makers))("count as revocable until their memory is free, so that others wait for it: %s", async (_, make) => {
    const memory = kept.root.child("test");
    const revoker = new MemoryRevoker();
    const storage = new MemoryStorage();
    const services = { ...kept.services, revoker, ports: { ...kept.services.ports, storage } };
    const operator = make(operatorContext({ ...kept, services }, memory.child("operator"))) as Operator & Revocable;
    const append = storage.append.bind(storage);
    const whileWritten: unknown[] = [];
    storage.append = (path, bytes) => {
      whileWritten.push(operator.revocableBytes > 0 && revoker.largest(kept.root) === operator);
      return append(path, bytes);
    };
    operator.addInput(makePage(memory, cellTypes, [[1n, 1, "a", 1, true]], "flat"));
    await operator.revoke();
    expect(whileWritten).toEqual([true]);
    expect(operator.revocableBytes).toBe(0);
    operator.close();
    memory.close();
  });

  it.each(Object.entries(makers))("write on for others what they have begun, though their own driver waits: %s", async (name, make) => {
    // It spills before each page but the first one, and what it has at its end.
    const bench = spilling[1] as Bench;
    const memory = bench.root.child("test");
    const rows: Row[] = [1n, 2n, 3n].map((value) => [value, 1, "a", 1, true]);
    const { ports } = bench.services;
    const clock = new TestClock();
    const services = { ...bench.services, revoker: new MemoryRevoker(), ports: { ...ports, clock, storage: new MemoryStorage() } };
    const operator = make(operatorContext({ ...bench, services }, memory.child("operator"))) as Operator & Revocable;
    // Another driver asks between two steps, even before the first request has returned. The steps are run by one loop nevertheless: a
    // second one would end later, and with it whatever the operator does by then.
    const turn = clock.turn.bind(clock);
    clock.turn = (workUnits) => {
      void operator.revoke();
      return turn(workUnits);
    };
    operator.addInput(makePage(memory, cellTypes, rows, "flat"));
    operator.getOutput();
    if (name === "aggregation") {
      operator.finish();
    } else {
      operator.addInput(makePage(memory, cellTypes, rows, "flat"));
    }
    expect([operator.isSpilling, operator.revocableBytes > 0]).toEqual([true, true]);
    await operator.revoke();
    expect([operator.isSpilling, operator.revocableBytes]).toEqual([false, 0]);
    operator.close();
    memory.close();
    expect(bench.root.reservedBytes).toBe(0);
  });

  it.each([
    { kind: "NO_SPACE", message: "No free space available for spill" },
    { kind: "IO", message: "Failed to spill pages" },
  ] as const)("fail with the declared error of a disk: $kind", async ({ kind, message }) => {
    const storage = new MemoryStorage();
    storage.append = (path) => Promise.reject(new StorageError(kind, path, "no"));
    const rows: Row[] = [1n, 2n, 3n, 4n].map((value) => [value, 1, "a", 1, true]);
    const pages: Input[] = [1, 2, 3].map(() => ({ rows, shape: "flat" }));
    for (const make of Object.values(makers)) {
      await expect(outputOf(spilling[0] as Bench, pages, make, storage)).rejects.toThrow(message);
      expect(await storage.list("")).toEqual([]);
    }
  });

  it.each([
    { kind: "NO_SPACE", message: "No free space available for spill" },
    { kind: "IO", message: "Failed to spill pages" },
  ] as const)("fail the probe if a table is lost on its way to the disk: $kind", async ({ kind, message }) => {
    const storage = new MemoryStorage();
    storage.append = (path) => Promise.reject(new StorageError(kind, path, "no"));
    const side: Input[] = [{ rows: [[1n, 1, "a", 1, true]], shape: "flat" }];
    const plan: JoinPlan = { keys: [0], joinType: "LEFT", build: side, probe: side, isRevoked: true };
    await expect(joinOf(kept, plan, storage)).rejects.toThrow(message);
    expect(await storage.list("")).toEqual([]);
  });
});
