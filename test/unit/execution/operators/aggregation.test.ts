import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAggregation } from "../../../../src/execution/operators/aggregation/aggregation-operators.ts";
import { resolveAggregate } from "../../../../src/functions/registry/registry.ts";
import type { RowExpression, Variable } from "../../../../src/planner/plan/typed-expression.ts";
import type { AggregateCall, AggregationNode, PlanNode } from "../../../../src/planner/plan/node.ts";
import { BIGINT, BOOLEAN, DOUBLE, type Type } from "../../../../src/types/type.ts";
import type { Operator } from "../../../../src/execution/operators/operator.ts";
import type { Page } from "../../../../src/page/page.ts";
import { backends, makeBench, operatorContext, runOperator, withMemory } from "../kernels.ts";
import { arbitraryRows, arbitraryShape, type Cell, cellTypes, compareCells, groupKey, makePage, type Row, type Shape } from "../rows.ts";

const layout: readonly Variable[] = cellTypes.map((type, index) => ({ kind: "variable", name: `c${index}`, type }));
const [bigintColumn, , textColumn, doubleColumn, maskColumn] = layout as [Variable, Variable, Variable, Variable, Variable];
const nowhere = { kind: "Values", id: "0", outputs: layout, rows: [] } as PlanNode;

interface Tested {
  readonly name: string;
  readonly args: readonly RowExpression[];
  readonly mask?: Variable;
  readonly type: Type;
  readonly model: (rows: readonly Row[]) => Cell;
}

const present = (rows: readonly Row[], channel: number): Exclude<Cell, null>[] =>
  rows.map((row) => row[channel] ?? null).filter((cell): cell is Exclude<Cell, null> => cell !== null);

const limited = (value: bigint): bigint => BigInt.asIntN(64, value);

/** Half of a bigint keeps sums in range; the kernel computes it. */
const half: RowExpression = {
  kind: "call",
  name: "$divide",
  type: BIGINT,
  args: [bigintColumn, { kind: "constant", type: BIGINT, value: "1000" }],
};

const tested: readonly Tested[] = [
  { name: "count", args: [], type: BIGINT, model: (rows) => BigInt(rows.length) },
  { name: "count", args: [], mask: maskColumn, type: BIGINT, model: (rows) => BigInt(rows.filter((row) => row[4] === true).length) },
  { name: "count", args: [textColumn], type: BIGINT, model: (rows) => BigInt(present(rows, 2).length) },
  {
    name: "sum",
    args: [half],
    type: BIGINT,
    model: (rows) =>
      present(rows, 0).length === 0 ? null : limited(present(rows, 0).reduce<bigint>((sum, cell) => sum + (cell as bigint) / 1000n, 0n)),
  },
  {
    name: "sum",
    args: [doubleColumn],
    type: DOUBLE,
    model: (rows) => (present(rows, 3).length === 0 ? null : present(rows, 3).reduce<number>((sum, cell) => sum + (cell as number), 0)),
  },
  { name: "min", args: [textColumn], type: textColumn.type, model: (rows) => present(rows, 2).toSorted(compareCells)[0] ?? null },
  {
    name: "max",
    args: [textColumn],
    mask: maskColumn,
    type: textColumn.type,
    model: (rows) =>
      present(
        rows.filter((row) => row[4] === true),
        2,
      )
        .toSorted(compareCells)
        .at(-1) ?? null,
  },
  { name: "max", args: [bigintColumn], type: BIGINT, model: (rows) => present(rows, 0).toSorted(compareCells).at(-1) ?? null },
];

function nodeOf(step: AggregationNode["step"], keys: readonly Variable[], calls: readonly Tested[]): AggregationNode {
  const aggregates = calls.map(({ name, args, mask, type }, index): AggregateCall => {
    const argumentTypes = args.map((arg) => arg.type);
    const resolved = resolveAggregate(name, argumentTypes);
    if ("error" in resolved) {
      throw new Error(name);
    }
    const intermediates = resolved.intermediateTypes.map(
      (intermediate, part): Variable => ({ kind: "variable", name: `i${index}_${part}`, type: intermediate }),
    );
    const isFinal = step === "FINAL";
    return {
      output: { kind: "variable", name: `a${index}`, type },
      name,
      argumentTypes,
      args: isFinal ? [] : args,
      ...(mask === undefined || isFinal ? {} : { mask }),
      ...(step === "SINGLE" ? {} : { intermediates }),
    };
  });
  return { kind: "Aggregation", id: "1", source: nowhere, step, keys, aggregates };
}

const pages: fc.Arbitrary<{ rows: Row[]; shape: Shape }[]> = fc.array(
  fc.record({ rows: arbitraryRows(cellTypes), shape: arbitraryShape }),
  { maxLength: 4 },
);

/** A PARTIAL step flushes after each page, and soon lets rows pass. */
const impatient = { "partial-aggregation-bytes": 0, "partial-aggregation-judged-rows": 3 } as const;

describe.each(backends)("aggregation on the %s backend", (backend) => {
  const bench = makeBench(backend);
  const impatientBench = makeBench(backend, impatient);
  const plan = fc.record({
    keys: fc.subarray([0, 1, 2, 3, 4]),
    calls: fc.subarray(tested.map((_, index) => index)),
    pages,
    splitAt: fc.nat(4),
    isImpatient: fc.boolean(),
  });

  it("equals a naive one, in one step and in two, groups in order of first appearance", () => {
    fc.assert(
      fc.property(plan, ({ keys, calls, pages: inputs, splitAt, isImpatient }) => {
        const drawn = isImpatient ? impatientBench : bench;
        withMemory(drawn, (memory) => {
          const chosen = calls.map((index) => tested[index] as Tested);
          const keyVariables = keys.map((key) => layout[key] as Variable);
          const made = inputs.map(({ rows, shape }) => makePage(memory, cellTypes, rows, shape));
          const expected = aggregateRows(
            inputs.flatMap(({ rows }) => rows),
            keys,
            chosen,
          );
          const single = createAggregation({
            context: operatorContext(drawn, memory.child("single")),
            node: nodeOf("SINGLE", keyVariables, chosen),
            layout,
            inlined: new Map(),
          });
          expect(runOperator(memory, single, made)).toEqual(expected);
          single.close();
          const partialNode = nodeOf("PARTIAL", keyVariables, chosen);
          const middle = [...keyVariables, ...partialNode.aggregates.flatMap((call) => call.intermediates ?? [])];
          const final = createAggregation({
            context: operatorContext(drawn, memory.child("final")),
            node: nodeOf("FINAL", keyVariables, chosen),
            layout: middle,
            inlined: new Map(),
          });
          for (const part of [made.slice(0, splitAt), made.slice(splitAt)]) {
            const partial = createAggregation({
              context: operatorContext(drawn, memory.child("partial")),
              node: partialNode,
              layout,
              inlined: new Map(),
            });
            runPages(partial, part, (page) => final.addInput(page));
            partial.close();
          }
          expect(runOperator(memory, final, [])).toEqual(expected);
          final.close();
        });
      }),
      { numRuns: backend === "wasm" ? 80 : 30 },
    );
  });

  it.each([
    { seen: [1n, 2n, 3n, 4n], passes: true },
    { seen: [1n, 2n, 1n, 2n], passes: false },
  ])("passes the rows after $seen: $passes", ({ seen, passes }) =>
    withMemory(impatientBench, (memory) => {
      const node = nodeOf("PARTIAL", [bigintColumn], [tested[0] as Tested]);
      const operator = createAggregation({
        context: operatorContext(impatientBench, memory.child("partial")),
        node,
        layout,
        inlined: new Map(),
      });
      const page = (keys: readonly bigint[]): Page =>
        makePage(
          memory,
          cellTypes,
          keys.map((key) => [key, 1, "a", 1, true]),
          "selected",
        );
      const output = runOperator(memory, operator, [page(seen), page([5n, 6n, 5n])]);
      const rest = passes
        ? [
            [5n, 1n],
            [6n, 1n],
            [5n, 1n],
          ]
        : [
            [5n, 2n],
            [6n, 1n],
          ];
      expect(output.slice(new Set(seen).size)).toEqual(rest);
      operator.close();
    }),
  );

  it("fails with the error of a row", () =>
    withMemory(bench, (memory) => {
      const divide: RowExpression = {
        kind: "call",
        name: "$divide",
        type: BIGINT,
        args: [{ kind: "constant", type: BIGINT, value: "1" }, bigintColumn],
      };
      const node = nodeOf("SINGLE", [], [{ name: "sum", args: [divide], type: BIGINT, model: () => null }]);
      const operator = createAggregation({ context: operatorContext(bench, memory.child("fails")), node, layout, inlined: new Map() });
      expect(() => operator.addInput(makePage(memory, cellTypes, [[0n, 1, "a", 1, true]], "flat"))).toThrow("Division by zero");
      operator.close();
    }));

  it("computes projections below it by itself", () =>
    withMemory(bench, (memory) => {
      const projected: Variable = { kind: "variable", name: "expr", type: BIGINT };
      const node = nodeOf("SINGLE", [], [{ name: "sum", args: [projected], type: BIGINT, model: () => null }]);
      const inlined = new Map<string, RowExpression>([
        ["expr", { kind: "call", name: "$multiply", type: BIGINT, args: [bigintColumn, bigintColumn] }],
      ]);
      const operator = createAggregation({ context: operatorContext(bench, memory.child("inlined")), node, layout, inlined });
      const rows: Row[] = [1n, 2n, 3n].map((value) => [value, 1, "a", 1, true]);
      expect(runOperator(memory, operator, [makePage(memory, cellTypes, rows, "selected")])).toEqual([[14n]]);
      operator.close();
    }));

  it("counts a boolean mask that a projection makes", () =>
    withMemory(bench, (memory) => {
      const mask: Variable = { kind: "variable", name: "mask", type: BOOLEAN };
      const node = nodeOf("SINGLE", [], [{ name: "count", args: [], mask, type: BIGINT, model: () => null }]);
      const inlined = new Map<string, RowExpression>([
        ["mask", { kind: "call", name: "$gt", type: BOOLEAN, args: [bigintColumn, { kind: "constant", type: BIGINT, value: "1" }] }],
      ]);
      const operator = createAggregation({ context: operatorContext(bench, memory.child("mask")), node, layout, inlined });
      const rows: Row[] = [1n, 2n, null, 3n].map((value) => [value, 1, "a", 1, true]);
      expect(runOperator(memory, operator, [makePage(memory, cellTypes, rows, "flat")])).toEqual([[2n]]);
      operator.close();
    }));
});

/** Runs an operator over pages. Each page that it outputs is valid until the next. */
function runPages(operator: Operator, inputs: readonly Page[], onPage: (page: Page) => void): void {
  const take = (): void => {
    for (let page = operator.getOutput(); page !== undefined; page = operator.getOutput()) {
      onPage(page);
    }
  };
  for (const page of inputs) {
    if (page.positionCount > 0) {
      operator.addInput(page);
      take();
    }
  }
  operator.finish();
  take();
}

function aggregateRows(rows: readonly Row[], keys: readonly number[], calls: readonly Tested[]): Row[] {
  const groups = new Map<string, Row[]>();
  if (keys.length === 0) {
    groups.set("", []);
  }
  for (const row of rows) {
    const key = groupKey(keys.map((channel) => row[channel] as Cell));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((group) => [
    ...keys.map((channel) => (group[0] as Row)[channel] as Cell),
    ...calls.map(({ model }) => model(group)),
  ]);
}
