/** Pages whose work is more than a slice: thousands of aggregates or conditions, and sketches. Between slices an operator gives nothing. */
import { expect, it } from "vitest";
import { createAggregation } from "../../../../src/execution/operators/aggregation/aggregation-operators.ts";
import { candidatesOf, rowsOfAggregation, rowsOfFrames } from "../../../../src/execution/expressions/pace.ts";
import type { Operator } from "../../../../src/execution/operators/operator.ts";
import { resolveAggregate } from "../../../../src/functions/registry/registry.ts";
import type { AggregationNode, PlanNode } from "../../../../src/planner/plan/node.ts";
import type { RowExpression, Variable } from "../../../../src/planner/plan/typed-expression.ts";
import { BIGINT, BOOLEAN, DOUBLE, type Type } from "../../../../src/types/type.ts";
import { type Bench, makeBench, operatorContext, withMemory } from "../kernels.ts";
import { type Cell, makePage, readRows, type Row } from "../rows.ts";

const types: readonly Type[] = [BIGINT, DOUBLE];
const layout = types.map((type, index): Variable => ({ kind: "variable", name: `c${index}`, type }));
const [key, value] = layout as [Variable, Variable];
const half: RowExpression = { kind: "constant", type: DOUBLE, value: 0.5 };
const source = { kind: "Values", id: "0", outputs: layout, rows: [] } as PlanNode;

interface Call {
  readonly name: string;
  readonly args: readonly RowExpression[];
}

function nodeOf(keys: readonly Variable[], calls: readonly Call[]): AggregationNode {
  const aggregates = calls.map(({ name, args }, index) => {
    const argumentTypes = args.map(({ type }) => type);
    const resolved = resolveAggregate(name, argumentTypes);
    if ("error" in resolved) {
      throw new Error(name);
    }
    const output: Variable = { kind: "variable", name: `a${index}`, type: resolved.returnType };
    return { output, name, argumentTypes, args };
  });
  return { kind: "Aggregation", id: "1", source, step: "SINGLE", keys, aggregates };
}

interface Run {
  readonly rows: readonly Cell[][];
  /** Turns between two pieces of the work, for each page and for the output. */
  readonly turns: readonly number[];
}

function run(bench: Bench, node: AggregationNode, pages: readonly (readonly Row[])[]): Run {
  return withMemory(bench, (memory) => {
    const operator: Operator = createAggregation({
      context: operatorContext(bench, memory.child("operator")),
      node,
      layout,
      inlined: new Map(),
    });
    const rows: Cell[][] = [];
    const turns: number[] = [];
    const take = (): void => {
      let count = 0;
      while (!operator.isFinished && !operator.needsInput) {
        const page = operator.getOutput();
        count += page === undefined ? 1 : 0;
        rows.push(...(page === undefined ? [] : readRows(memory, page)));
      }
      turns.push(count);
    };
    for (const given of pages) {
      operator.addInput(makePage(memory, types, [...given], "flat"));
      take();
    }
    operator.finish();
    take();
    operator.close();
    operator.context.memory.close();
    return { rows, turns };
  });
}

function rowsOf(count: number, groups: number): Row[] {
  return Array.from({ length: count }, (_, index): Row => [BigInt(index % groups), (index * 7919) % 1009]);
}

it("hundreds of aggregates take some rows at once, and add up to the same", () => {
  const calls = Array.from({ length: 800 }, (_, index): Call => ({ name: index % 2 === 0 ? "sum" : "max", args: [value] }));
  const rows = rowsOf(300, 3);
  const { rows: found, turns } = run(makeBench("wasm"), nodeOf([key], calls), [rows]);
  const few = run(makeBench("wasm"), nodeOf([key], calls.slice(0, 2)), [rows]);
  const rowsMax = rowsOfAggregation([value], calls.length) as number;
  expect(rowsMax).toBeLessThan(rows.length);
  expect(few.turns).toEqual([0, 0]);
  expect(turns[0]).toBe(Math.ceil(rows.length / rowsMax) - 1);
  expect(found.map((row) => row.slice(0, 3))).toEqual(few.rows);
  expect(found.every((row) => row.slice(1).every((cell, index) => cell === row[1 + (index % 2)]))).toBe(true);
});

it.each([[[]], [[key]]])("sketches are folded and merged in slices, and are the same", (keys) => {
  const calls: readonly Call[] = [
    { name: "tdigest_agg", args: [value] },
    { name: "approx_set", args: [value] },
    { name: "sum", args: [value] },
    { name: "count", args: [] },
  ];
  const pages = [rowsOf(6_000, 2), rowsOf(400, 40)];
  const whole = run(makeBench("wasm", { "function-slice-steps": 10_000_000 }), nodeOf(keys, calls), pages);
  const sliced = run(makeBench("wasm", { "function-slice-steps": 50 }), nodeOf(keys, calls), pages);
  expect(sliced.rows).toEqual(whole.rows);
  expect(whole.turns).toEqual([0, 0, 0]);
  // A fold is more than such a slice, so that each of them ends one.
  expect(sliced.turns[0]).toBeGreaterThan(3);
  expect(sliced.turns[2]).toBeGreaterThanOrEqual(keys.length === 0 ? 0 : 30);
});

it("a slice has fewer rows the more code they run", () => {
  const or = (count: number): RowExpression => ({
    kind: "special",
    form: "OR",
    type: BOOLEAN,
    args: Array.from({ length: count }, () => ({ kind: "call" as const, name: "$lt", type: BOOLEAN, args: [value, half] })),
  });
  expect(candidatesOf(or(10), 16_384)).toBe(16_384);
  expect(candidatesOf(or(5_000), 16_384)).toBeLessThan(150);
  expect(rowsOfAggregation([value], 300)).toBe(undefined);
  expect(rowsOfFrames(20)).toBe(undefined);
  expect(rowsOfFrames(100)).toBeLessThan(20);
});
