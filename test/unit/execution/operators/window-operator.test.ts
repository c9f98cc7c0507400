/**
 * The window operator against the model, on both backends; its slices and its memory.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WindowOperator } from "../../../../src/execution/operators/window/window-operator.ts";
import type { Constant, Variable } from "../../../../src/planner/plan/typed-expression.ts";
import type { WindowBound, WindowCall, WindowNode } from "../../../../src/planner/plan/node.ts";
import type { Storage } from "../../../../src/ports/storage.ts";
import { BIGINT, DOUBLE, type Type } from "../../../../src/types/type.ts";
import { MemoryStorage } from "../../../../src/testing/memory-storage.ts";
import { backends, type Bench, makeBench, operatorContext, runOperator, runWaiting, withMemory } from "../kernels.ts";
import { arbitraryShape, type Cell, makePage, type Row } from "../rows.ts";
import { drain } from "../world.ts";
import {
  type BoundType,
  evaluateWindow,
  type ModelBound,
  type ModelCall,
  type ModelFrame,
  type ModelOrder,
  windowColumns,
} from "./window-model.ts";

const types = windowColumns.map(({ type }) => type);
const layout = windowColumns.map(({ name, type }): Variable => ({ kind: "variable", name, type }));
const variable = (name: string): Variable =>
  name === "d" ? { kind: "variable", name, type: DOUBLE } : (layout.find((column) => column.name === name) as Variable);
const bigint = (value: bigint): Constant => ({ kind: "constant", type: BIGINT, value: String(value) });

const bounds: readonly BoundType[] = ["UNBOUNDED_PRECEDING", "PRECEDING", "CURRENT_ROW", "FOLLOWING", "UNBOUNDED_FOLLOWING"];
const offset = fc.option(fc.bigInt({ min: 0n, max: 60n }), { nil: undefined });

function arbitraryBound(allowed: readonly BoundType[]): fc.Arbitrary<ModelBound> {
  return fc
    .tuple(fc.constantFrom(...allowed), offset)
    .map(([type, value]) => ({ type, ...(value === undefined ? {} : { offset: value }) }));
}

/** The pairs of bounds that the analyzer accepts. */
const arbitraryFrame: fc.Arbitrary<ModelFrame> = fc
  .record({
    type: fc.constantFrom<ModelFrame["type"]>("ROWS", "RANGE", "GROUPS"),
    start: arbitraryBound(bounds.slice(0, 4)),
    end: arbitraryBound(bounds.slice(1)),
  })
  .filter(({ start, end }) => bounds.indexOf(start.type) <= bounds.indexOf(end.type));

const functions: readonly Pick<ModelCall, "name" | "arg" | "hasDefault">[] = [
  { name: "row_number" },
  { name: "rank" },
  { name: "dense_rank" },
  { name: "percent_rank" },
  { name: "cume_dist" },
  { name: "ntile" },
  ...(["s", "x"] as const).flatMap((arg) => [
    { name: "first_value", arg },
    { name: "last_value", arg },
    { name: "nth_value", arg },
    { name: "lag", arg },
    { name: "lead", arg, hasDefault: true },
    { name: "lag", arg, hasDefault: true },
    { name: "count", arg },
    { name: "min", arg },
    { name: "max", arg },
  ]),
  { name: "count" },
  { name: "sum", arg: "x" },
  { name: "avg", arg: "x" },
];
const values = new Set(["first_value", "last_value", "nth_value", "lag", "lead"]);
const aggregates = new Set(["count", "sum", "avg", "min", "max"]);

const arbitraryCall: fc.Arbitrary<ModelCall> = fc
  .record({
    which: fc.constantFrom(...functions),
    count: fc.bigInt({ min: 1n, max: 5n }),
    usesColumn: fc.boolean(),
    ignoreNulls: fc.boolean(),
    masked: fc.boolean(),
    frame: arbitraryFrame,
  })
  .map(({ which, ignoreNulls, masked, usesColumn, ...rest }) => ({
    ...rest,
    ...which,
    ignoreNulls: ignoreNulls && values.has(which.name),
    masked: masked && aggregates.has(which.name),
    // A row's offset may be 0, which only lag and lead accept.
    usesColumn: usesColumn && (which.name === "lag" || which.name === "lead"),
  }));

function arbitraryRow(partitions: number, keys: number): fc.Arbitrary<Row> {
  return fc
    .record({
      p: fc.option(fc.nat(partitions), { freq: 8 }),
      o: fc.option(fc.integer({ min: -keys, max: keys }), { freq: 8 }),
      s: fc.option(fc.constantFrom("", "a", "b", "a text of more than eight bytes", "zz"), { freq: 4 }),
      x: fc.option(fc.integer({ min: -9, max: 9 }), { freq: 4 }),
      n: fc.nat(6),
      m: fc.option(fc.boolean()),
    })
    .map(({ p, o, s, x, n, m }) => rowOf({ p, o, s, x, n, m }));
}

function rowOf(cells: { p: number | null; o: number | null; s: string | null; x: number | null; n: number; m: boolean | null }): Row {
  const { p, o, s, x, n, m } = cells;
  const big = (value: number | null): Cell => (value === null ? null : BigInt(value));
  return [p, big(o), s, big(x), BigInt(n), o === null ? null : BigInt(o - n), o === null ? null : BigInt(o + n), m];
}

function boundOf(bound: ModelBound, frame: ModelFrame, order: ModelOrder): WindowBound {
  if (bound.type !== "PRECEDING" && bound.type !== "FOLLOWING") {
    return { type: bound.type };
  }
  if (frame.type !== "RANGE") {
    return { type: bound.type, offset: bound.offset === undefined ? variable("n") : bigint(bound.offset) };
  }
  const goesBack = (bound.type === "PRECEDING") !== order.descending;
  return { type: bound.type, offset: variable("n"), range: { key: variable("o"), limit: variable(goesBack ? "back" : "ahead") } };
}

function resultType(call: ModelCall): Type {
  if (call.arg === "d" || call.name === "percent_rank" || call.name === "cume_dist" || call.name === "avg") {
    return DOUBLE;
  }
  return values.has(call.name) || call.name === "min" || call.name === "max" ? variable(call.arg as string).type : BIGINT;
}

function nodeOf(order: ModelOrder, calls: readonly ModelCall[]): WindowNode {
  return {
    kind: "Window",
    id: "1",
    source: { kind: "Values", id: "2", outputs: layout, rows: [] },
    partitionBy: [variable("p")],
    orderBy: [{ variable: variable("o"), ...order }],
    functions: calls.map((call, index): WindowCall => {
      const counted = call.name === "lag" || call.name === "lead" || call.name === "nth_value" || call.name === "ntile";
      const args = [
        ...(call.arg === undefined ? [] : [variable(call.arg)]),
        ...(counted ? [call.usesColumn === true ? variable("n") : bigint(call.count ?? 1n)] : []),
        ...(call.hasDefault === true ? [variable(call.arg as string)] : []),
      ];
      return {
        output: { kind: "variable", name: `f${index}`, type: resultType(call) },
        name: call.name,
        argumentTypes: args.map(({ type }) => type),
        args,
        ignoreNulls: call.ignoreNulls,
        ...(call.masked ? { mask: variable("m") } : {}),
        frame: {
          type: call.frame.type,
          start: boundOf(call.frame.start, call.frame, order),
          end: boundOf(call.frame.end, call.frame, order),
        },
      };
    }),
  };
}

const arbitraryOrder: fc.Arbitrary<ModelOrder> = fc.record({ descending: fc.boolean(), nullsFirst: fc.boolean() });

describe.each(backends)("the window operator on the %s backend", (backend) => {
  const bench = makeBench(backend);

  const check = (rows: readonly Row[], order: ModelOrder, calls: readonly ModelCall[], shape: Parameters<typeof makePage>[3]): void => {
    withMemory(bench, (memory) => {
      const operator = new WindowOperator({ context: operatorContext(bench, memory.child("window")), node: nodeOf(order, calls), layout });
      const half = Math.floor(rows.length / 2);
      const pages = [rows.slice(0, half), rows.slice(half)].filter((part) => part.length > 0);
      const found = runOperator(
        memory,
        operator,
        pages.map((part) => makePage(memory, types, [...part], shape)),
      );
      operator.close();
      expect(found).toEqual(evaluateWindow(rows, order, calls));
    });
  };

  it("gives what the model gives", () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryRow(2, 5), { maxLength: 60 }),
        arbitraryOrder,
        fc.array(arbitraryCall, { minLength: 1, maxLength: 5 }),
        arbitraryShape,
        check,
      ),
      { numRuns: backend === "wasm" ? 150 : 40 },
    );
  });

  it("follows frames over partitions that have trees, with few peers and with many", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 40).chain((keys) => fc.array(arbitraryRow(0, keys), { minLength: 260, maxLength: 320 })),
        arbitraryOrder,
        fc.array(
          arbitraryCall.filter(({ name }) => aggregates.has(name)),
          { minLength: 1, maxLength: 3 },
        ),
        (rows, order, calls) => check(rows, order, calls, "flat"),
      ),
      { numRuns: backend === "wasm" ? 25 : 5 },
    );
  });
});

describe("a window that spills", () => {
  const tight = { "window-direct-rows": 4, "window-state-bytes": 1_000, "arena-bytes": 64 };
  /** Runs that end within partitions, and runs of several partitions. */
  const cuts = [
    { ...tight, "page-rows": 7, "window-run-rows": 3 },
    { ...tight, "page-rows": 90, "window-run-rows": 60 },
  ];
  const benches = cuts.map((cut) => ({
    kept: makeBench("wasm", cut),
    spilling: [
      makeBench("wasm", { ...cut, "revocable-bytes": 0, "spill-batch-bytes": 1, "spill-merged-runs": 2 }),
      makeBench("wasm", { ...cut, "revocable-bytes": 20_000, "spill-batch-bytes": 1_000, "window-batch-bytes": 1_000 }),
    ],
  }));
  /** Sums of it depend on the order of the additions. */
  const double = variable("d");
  const doubles = [...types, DOUBLE];

  const pagesOf = async (bench: Bench, node: WindowNode, rows: readonly Row[], storage: Storage) => {
    const memory = bench.root.child("test");
    const services = { ...bench.services, ports: { ...bench.services.ports, storage } };
    const context = operatorContext({ ...bench, services }, memory.child("window"));
    const operator = new WindowOperator({ context, node, layout: [...layout, double] });
    try {
      const parts = Array.from({ length: Math.ceil(rows.length / 20) }, (_, part) => rows.slice(20 * part, 20 * part + 20));
      return await runWaiting(
        memory,
        operator,
        parts.map((part) => makePage(memory, doubles, part, "flat")),
      );
    } finally {
      operator.close();
      memory.close();
      operator.close();
      expect(bench.root.reservedBytes).toBe(0);
    }
  };

  it("gives the same pages to the bit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(2, 12).chain((partitions) => fc.array(arbitraryRow(partitions, 10), { minLength: 1, maxLength: 200, size: "max" })),
        arbitraryOrder,
        fc.array(arbitraryCall, { maxLength: 2 }),
        fc.array(arbitraryFrame, { minLength: 1, maxLength: 2 }),
        fc.nat(benches.length - 1),
        fc.nat(1),
        async (cells, order, calls, frames, cut, which) => {
          const { kept, spilling } = benches[cut] as (typeof benches)[number];
          const sums = frames.map((frame): ModelCall => ({ name: "sum", arg: "d", ignoreNulls: false, masked: false, frame }));
          const node = nodeOf(order, [...calls, ...sums]);
          const rows = cells.map((row, index): Row => [...row, index % 3 === 0 ? 1e15 / (index + 1) : 1 / (index + 3)]);
          const storage = new MemoryStorage();
          const spilled = await pagesOf(spilling[which] as Bench, node, rows, storage);
          expect(spilled).toEqual(await pagesOf(kept, node, rows, storage));
          await drain();
          expect(await storage.list("")).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("a large partition", () => {
  const bench = makeBench("wasm");
  const order: ModelOrder = { descending: false, nullsFirst: false };
  const frameOf = (start: ModelBound, end: ModelBound): ModelFrame => ({ type: "ROWS", start, end });
  const call = (name: string, frame: ModelFrame): ModelCall => ({ name, arg: "x", ignoreNulls: false, masked: false, frame });

  it("is given out in pages, with frames over their borders", () => {
    const count = 40_000;
    const rows = Array.from({ length: count }, (_, index) => rowOf({ p: 1, o: index, s: "s", x: index % 7, n: 1, m: true }));
    const wide = frameOf({ type: "PRECEDING", offset: 9_999n }, { type: "FOLLOWING", offset: 10_000n });
    const growing = frameOf({ type: "UNBOUNDED_PRECEDING" }, { type: "CURRENT_ROW" });
    const shrinking = frameOf({ type: "CURRENT_ROW" }, { type: "UNBOUNDED_FOLLOWING" });
    withMemory(bench, (memory) => {
      const node = nodeOf(order, [call("sum", wide), call("sum", growing), call("sum", shrinking)]);
      const operator = new WindowOperator({ context: operatorContext(bench, memory.child("window")), node, layout });
      const pages = [0, 1, 2].map((part) => makePage(memory, types, rows.slice(part * 14_000, (part + 1) * 14_000), "flat"));
      const found = runOperator(memory, operator, pages);
      operator.close();
      const before = [0];
      rows.forEach((_, index) => before.push((before[index] as number) + (index % 7)));
      const sum = (from: number, to: number): bigint =>
        BigInt((before[Math.min(count, to)] as number) - (before[Math.max(0, from)] as number));
      expect(found.length).toBe(count);
      found.forEach((row, index) => {
        const expected = [sum(index - 9_999, index + 10_001), sum(0, index + 1), sum(index, count)];
        if (row.slice(types.length).some((cell, place) => cell !== expected[place])) {
          expect([index, ...row.slice(types.length)]).toEqual([index, ...expected]);
        }
      });
    });
  });

  it("has a sum if the rows of a frame have one, even if a node of the tree overflows", () => {
    const largest = 2n ** 63n - 1n;
    // Rows 16 to 31 form one node of the segment tree, whose sum overflows bigint; every frame includes row 15.
    const extremes = new Map([
      [15, -largest],
      [16, largest],
      [17, largest],
    ]);
    const rows = Array.from(
      { length: 64 },
      (_, index): Row => [1, BigInt(index), null, extremes.get(index) ?? 0n, BigInt((index % 2) * 5), 0n, 0n, true],
    );
    const node = nodeOf(order, [call("sum", frameOf({ type: "UNBOUNDED_PRECEDING" }, { type: "FOLLOWING" }))]);
    withMemory(bench, (memory) => {
      const operator = new WindowOperator({ context: operatorContext(bench, memory.child("window")), node, layout });
      const found = runOperator(memory, operator, [makePage(memory, types, rows, "flat")]);
      operator.close();
      expect(found).toEqual(evaluateWindow(rows, order, [call("sum", frameOf({ type: "UNBOUNDED_PRECEDING" }, { type: "FOLLOWING" }))]));
    });
    withMemory(bench, (memory) => {
      const operator = new WindowOperator({ context: operatorContext(bench, memory.child("window")), node, layout });
      const without = rows.map((row, index) => (index === 15 ? row.with(3, 0n) : row));
      expect(() => runOperator(memory, operator, [makePage(memory, types, without, "flat")])).toThrow("bigint addition overflow");
      operator.close();
    });
  });
});
