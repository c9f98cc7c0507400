import fc from "fast-check";
import { expect, it } from "vitest";
import { constantOfHostValue } from "../../../../src/execution/expressions/constants.ts";
import { compilePageProcessor } from "../../../../src/execution/expressions/page-processor.ts";
import { type ConstantRow, isConstantRow, withConstantRows } from "../../../../src/execution/operators/scan/constant-rows.ts";
import type { ConstantValue } from "../../../../src/planner/plan/typed-expression.ts";
import { arrayType, BIGINT, BOOLEAN, DOUBLE, decimalType, INTEGER, type Type, VARCHAR } from "../../../../src/types/type.ts";
import { constant, createWorld, readPage, variable } from "../expressions/world.ts";

const bigints = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const cells: readonly { readonly type: Type; readonly values: fc.Arbitrary<ConstantValue> }[] = [
  { type: BIGINT, values: bigints.map(String) },
  { type: INTEGER, values: fc.integer() },
  { type: decimalType(30, 4), values: fc.bigInt({ min: -(10n ** 30n) + 1n, max: 10n ** 30n - 1n }).map(String) },
  { type: DOUBLE, values: fc.double().map((value) => constantOfHostValue(DOUBLE, value)) },
  { type: BOOLEAN, values: fc.boolean() },
  { type: VARCHAR, values: fc.string({ unit: "grapheme", maxLength: 30 }) },
  {
    type: arrayType(BIGINT),
    values: fc.array(fc.option(bigints), { maxLength: 4 }).map((list) => constantOfHostValue(arrayType(BIGINT), list)),
  },
];
const types = cells.map(({ type }) => type);
const arbitraryRow = fc
  .tuple(...cells.map(({ values }) => fc.option(values, { freq: 4 })))
  .map((row): ConstantRow => row.map((value, index) => constant(types[index] as Type, value)));

it("returns the same rows as kernels with their constants, and releases all memory", () => {
  const { memory, wasm } = createWorld();
  fc.assert(
    fc.property(fc.array(arbitraryRow, { minLength: 1, maxLength: 40 }), (rows) => {
      const byKernels = rows.flatMap((row) => {
        const processor = compilePageProcessor(wasm, { inputs: [], projections: row }).create(memory);
        const made = readPage(memory, processor.process({ positionCount: 1, selection: 0, columns: [] }));
        processor.close();
        return made;
      });
      const before = memory.reservedBytes;
      withConstantRows(memory, types, rows, (page) => expect(readPage(memory, page)).toEqual(byKernels));
      expect(memory.reservedBytes).toBe(before);
    }),
    { numRuns: 100 },
  );
});

it("takes rows of constants alone", () => {
  expect(isConstantRow([constant(BIGINT, "1"), constant(VARCHAR, null)])).toBe(true);
  expect(isConstantRow([constant(BIGINT, "1"), variable("x", BIGINT)])).toBe(false);
});
