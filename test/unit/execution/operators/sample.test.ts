import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SampleOperator } from "../../../../src/execution/operators/sample-operator.ts";
import { backends, makeBench, operatorContext, runOperator, withMemory } from "../kernels.ts";
import { arbitraryRows, arbitraryShape, type Cell, cellTypes, makePage, type Row, type Shape } from "../rows.ts";

describe.each(backends)("SampleOperator on the %s backend", (backend) => {
  const bench = makeBench(backend);

  interface Input {
    readonly rows: readonly Row[];
    readonly shape: Shape;
  }

  const sample = (inputs: readonly Input[], ratio: number, method: "BERNOULLI" | "SYSTEM", partition = 0, taskId = "q.1.0"): Cell[][] =>
    withMemory(bench, (memory) => {
      const context = { ...operatorContext(bench, memory.child("sample")), partition, taskId };
      const operator = new SampleOperator({ context, method, ratio });
      const output = runOperator(
        memory,
        operator,
        inputs.map(({ rows, shape }) => makePage(memory, cellTypes, rows, shape)),
      );
      operator.close();
      return output;
    });

  const pages = fc.array(fc.record({ rows: arbitraryRows(cellTypes), shape: arbitraryShape }), { maxLength: 4 });
  const numbered = (count: number): Input => ({
    rows: Array.from({ length: count }, (_, index): Row => [BigInt(index), null, null, null, null]),
    shape: "flat",
  });

  it("keeps rows by their position alone, in order, the more the larger the ratio", () => {
    fc.assert(
      fc.property(pages, fc.double({ min: 0, max: 1, noNaN: true }), (inputs, ratio) => {
        const all = inputs.flatMap(({ rows }) => rows);
        const kept = new Set(sample([numbered(all.length)], ratio, "BERNOULLI").map(([position]) => Number(position)));
        expect(sample(inputs, ratio, "BERNOULLI")).toEqual(all.filter((_row, index) => kept.has(index)));
        const fewer = sample([numbered(all.length)], ratio / 2, "BERNOULLI").map(([position]) => Number(position));
        expect(fewer.every((position) => kept.has(position))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("keeps all rows, none, and about the expected fraction", () => {
    const rows = numbered(4000);
    expect(sample([rows], 1, "BERNOULLI")).toHaveLength(4000);
    expect(sample([rows], 0, "BERNOULLI")).toHaveLength(0);
    const half = sample([rows], 0.5, "BERNOULLI").length;
    // Seven standard deviations of a fair coin.
    expect(Math.abs(half - 2000)).toBeLessThan(7 * Math.sqrt(1000));
    expect(sample([rows], 0.5, "BERNOULLI", 0, "other.1.0")).toHaveLength(half);
    expect(sample([rows], 0.5, "BERNOULLI", 1)).not.toEqual(sample([rows], 0.5, "BERNOULLI"));
  });

  it("keeps or leaves out whole pages of SYSTEM samples", () => {
    const inputs = Array.from({ length: 64 }, () => numbered(3));
    const kept = sample(inputs, 0.5, "SYSTEM");
    expect(kept.length % 3).toBe(0);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(192);
    expect(sample(inputs, 1, "SYSTEM")).toHaveLength(192);
  });
});
