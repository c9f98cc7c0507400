import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GroupIdOperator } from "../../../../src/execution/operators/aggregation/group-id-operator.ts";
import { backends, makeBench, operatorContext, runOperator, withMemory } from "../kernels.ts";
import { arbitraryRows, arbitraryShape, cellTypes, makePage } from "../rows.ts";

describe.each(backends)("GroupIdOperator on the %s backend", (backend) => {
  const bench = makeBench(backend);

  it("gives each page once a set, with NULL in the columns that the set lacks", () => {
    const pages = fc.array(fc.record({ rows: arbitraryRows(cellTypes), shape: arbitraryShape }), { maxLength: 4 });
    const channels = [0, 2, 3];
    const sets = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pages, sets, (inputs, chosen) =>
        withMemory(bench, (memory) => {
          const types = channels.map((channel) => cellTypes[channel] as (typeof cellTypes)[number]);
          const operator = new GroupIdOperator({
            context: operatorContext(bench, memory.child("group-id")),
            channels,
            types,
            sets: chosen,
          });
          const output = runOperator(
            memory,
            operator,
            inputs.map(({ rows, shape }) => makePage(memory, cellTypes, rows, shape)),
          );
          operator.close();
          expect(output).toEqual(
            inputs.flatMap(({ rows }) =>
              chosen.flatMap((set, number) =>
                rows.map((row) => [
                  ...row,
                  ...channels.map((channel, index) => (set[index] === true ? row[channel] : null)),
                  BigInt(number),
                ]),
              ),
            ),
          );
        }),
      ),
      { numRuns: 60 },
    );
  });
});
