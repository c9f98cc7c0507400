import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AssignUniqueIdOperator } from "../../../../src/execution/operators/unique-id-operator.ts";
import { backends, makeBench, operatorContext, runOperator, withMemory } from "../kernels.ts";
import { arbitraryRows, arbitraryShape, cellTypes, makePage, type Row } from "../rows.ts";

type Shape = "flat" | "selected" | "dictionary" | "selected dictionary";

describe.each(backends)("AssignUniqueIdOperator on the %s backend", (backend) => {
  const bench = makeBench(backend);

  const number = (task: number, inputs: readonly { readonly rows: readonly Row[]; readonly shape: Shape }[]) =>
    withMemory(bench, (memory) => {
      const context = operatorContext(bench, memory.child("unique"));
      const operator = new AssignUniqueIdOperator({ ...context, partition: task });
      const output = runOperator(
        memory,
        operator,
        inputs.map(({ rows, shape }) => makePage(memory, cellTypes, rows, shape)),
      );
      operator.close();
      return output;
    });

  it("leaves the rows as they are and gives each the task's number and its own", () => {
    const inputs = fc.array(fc.record({ rows: arbitraryRows(cellTypes), shape: arbitraryShape }), { maxLength: 4 });
    fc.assert(
      fc.property(inputs, fc.integer({ min: 0, max: 100_000 }), (pages, task) => {
        const rows = pages.flatMap((page) => page.rows);
        expect(number(task, pages)).toEqual(rows.map((row, index) => [...row, (BigInt(task) << 40n) + BigInt(index)]));
      }),
      { numRuns: 60 },
    );
  });
});
