/**
 * Arithmetic over narrow columns, whose values are known to have few bits: the same values as over columns of full width, whatever the
 * widths, scales and constants, in both backends.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { bytesNeeded, narrowValues } from "../../../../src/connectors/memory/narrow.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import type { Column, NarrowBytes, Page } from "../../../../src/page/page.ts";
import type { ConstantValue, RowExpression } from "../../../../src/planner/plan/typed-expression.ts";
import { BIGINT, decimalType, INTEGER, physicalType, physicalWidth, type Type } from "../../../../src/types/type.ts";
import { call, cast, constant, createWorld, makePage, run, variable } from "./world.ts";

const world = createWorld();
const types: readonly Type[] = [INTEGER, BIGINT, decimalType(9, 2), decimalType(12, 2), decimalType(18, 0), decimalType(18, 9)];
const inputs = types.map((type, index) => variable(`c${index}`, type));

/** Values that need one, two, four or eight bytes; edges of each width are frequent. */
function valuesOf(type: Type): fc.Arbitrary<readonly ConstantValue[]> {
  const digits = type.kind === "decimal" ? 10n ** BigInt(type.precision) - 1n : type.kind === "integer" ? 2n ** 31n - 1n : 2n ** 63n - 1n;
  return fc.constantFrom(7n, 15n, 31n, 31n, 63n).chain((bits) => {
    const [low, high] = [-(1n << bits), (1n << bits) - 1n].map((edge) => (edge < -digits ? -digits : edge > digits ? digits : edge)) as [
      bigint,
      bigint,
    ];
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(low, high) },
      { weight: 1, arbitrary: fc.bigInt({ min: low, max: high }) },
    );
    const text = value.map((one) => (type.kind === "integer" ? Number(one) : String(one)));
    return fc.array(fc.option(text, { freq: 9 }), { minLength: 4, maxLength: 4 });
  });
}

const literal = fc
  .tuple(fc.constantFrom(...types.slice(2)), fc.constantFrom(0n, 1n, -1n, 7n, -8n, 8n, 100n, -32_768n, 2n ** 31n - 1n, 999_999_999n))
  .filter(([type, value]) => type.kind === "decimal" && String(value).replace("-", "").length <= type.precision)
  .map(([type, value]) => constant(type, String(value)) as RowExpression);

const operand = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<RowExpression>(...inputs) },
  { weight: 1, arbitrary: literal },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...inputs), fc.constantFrom(decimalType(18, 2), decimalType(10, 0), decimalType(30, 4)))
      .map(([input, type]) => cast(input, type) as RowExpression),
  },
);
/** Chains of operations, so that bounds come near 64 bits and pass them. */
const tree = fc
  .tuple(
    operand,
    fc.array(fc.tuple(fc.constantFrom("$multiply", "$multiply", "$add", "$subtract"), operand), { minLength: 1, maxLength: 3 }),
  )
  .map(([first, others]) => others.reduce<RowExpression>((left, [name, right]) => call(name, left, right), first));

/** A copy of the column in as few bytes as its values need. */
function narrowed(memory: MemoryContext, column: Column): Column {
  const width = physicalWidth(physicalType(column.type));
  const { linear } = memory;
  const bytes = bytesNeeded(linear, { address: column.values, rows: column.length, width });
  if (bytes >= width) {
    return column;
  }
  const values = memory.allocate(width * column.length);
  linear.u8.copyWithin(values, column.values, column.values + width * column.length);
  narrowValues(linear, { address: values, rows: column.length, width }, bytes as NarrowBytes);
  return { ...column, values, narrow: bytes as NarrowBytes };
}

it("bounds of operands do not change a result", () => {
  let narrow = 0;
  fc.assert(
    fc.property(fc.tuple(...types.map(valuesOf)), tree, (columns, expression) => {
      const memory = world.memory.child("case");
      const wide = makePage(
        memory,
        columns.map((values, index) => ({ type: types[index] as Type, values })),
        4,
      );
      const page: Page = { ...wide, columns: wide.columns.map((column) => narrowed(memory, column)) };
      const options = { inputs, projections: [expression] };
      const expected = run(world.wasm, memory, options, wide);
      narrow += page.columns.filter((column) => column.narrow !== undefined).length;
      expect(run(world.wasm, memory, options, page)).toEqual(expected);
      expect(run(world.interpreter, memory, options, page)).toEqual(expected);
      memory.close();
    }),
    { numRuns: 400 },
  );
  expect(narrow).toBeGreaterThan(200);
});

it("a product of bounded decimals keeps its second word", () => {
  const memory = world.memory.child("case");
  const type = decimalType(12, 2);
  const wide = makePage(memory, [{ type, values: ["-2147483648", "2147483647", "-1"] }], 3);
  const page: Page = { ...wide, columns: wide.columns.map((column) => narrowed(memory, column)) };
  expect(page.columns[0]?.narrow).toBe(4);
  const x = variable("x", type);
  const square = call("$multiply", x, x);
  expect(run(world.wasm, memory, { inputs: [x], projections: [square] }, page)).toEqual([
    ["4611686018427387904"],
    ["4611686014132420609"],
    ["1"],
  ]);
  // 96 bits: the bound does not hold, and the product takes the long way.
  const cube = call("$multiply", square, x);
  expect(run(world.wasm, memory, { inputs: [x], projections: [cube] }, page)).toEqual([
    ["-9903520314283042199192993792"],
    ["9903520300447984150353281023"],
    ["-1"],
  ]);
  memory.close();
});
