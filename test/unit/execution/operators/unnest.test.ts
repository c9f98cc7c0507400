import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnnestOperator } from "../../../../src/execution/operators/unnest-operator.ts";
import { pageRowsMax } from "../../../../src/page/page.ts";
import { BIGINT } from "../../../../src/types/type.ts";
import { backends, makeBench, operatorContext, runOperator, withMemory } from "../kernels.ts";
import { arbitraryRows, arbitraryShape, cellTypes, makePage, type Row } from "../rows.ts";

describe.each(backends)("UnnestOperator on the %s backend", (backend) => {
  const bench = makeBench(backend);
  const types = [...cellTypes, BIGINT];

  const repeat = (
    inputs: readonly { readonly rows: readonly Row[]; readonly shape: "flat" | "selected" | "dictionary" | "selected dictionary" }[],
  ) =>
    withMemory(bench, (memory) => {
      const operator = new UnnestOperator(operatorContext(bench, memory.child("repeat")), cellTypes.length);
      const output = runOperator(
        memory,
        operator,
        inputs.map(({ rows, shape }) => makePage(memory, types, rows, shape)),
      );
      operator.close();
      return output;
    });

  it("repeats each row by its count, and drops it for NULL or a count below one", () => {
    const counts = fc.option(fc.bigInt({ min: -2n, max: 3n }));
    const rows = arbitraryRows(cellTypes).chain((own) =>
      fc
        .array(counts, { minLength: own.length, maxLength: own.length })
        .map((times) => own.map((row, index): Row => [...row, times[index] ?? null])),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ rows, shape: arbitraryShape }), { maxLength: 4 }), (inputs) => {
        expect(repeat(inputs)).toEqual(
          inputs.flatMap((page) => page.rows.flatMap((row) => Array.from({ length: Math.max(0, Number(row.at(-1) ?? 0n)) }, () => row))),
        );
      }),
      { numRuns: 60 },
    );
  });

  it("goes on in the next page with a row that fills one", () => {
    const row: Row = [1n, 2, "x", 1.5, true, BigInt(pageRowsMax + 3)];
    expect(repeat([{ rows: [row], shape: "flat" }])).toHaveLength(pageRowsMax + 3);
  });
});
