/**
 * Filters that compare vectors of narrow integers keep the rows that plain comparisons keep, whatever the widths, the number of rows and
 * the constants, also those that no lane can hold; in both backends.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { narrowValues } from "../../../../src/connectors/memory/narrow.ts";
import { vectorFilter } from "../../../../src/execution/expressions/vector-filter.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import type { Column, NarrowBytes, Page } from "../../../../src/page/page.ts";
import type { RowExpression } from "../../../../src/planner/plan/typed-expression.ts";
import { BIGINT, BOOLEAN, DATE, INTEGER, physicalType, physicalWidth, type Type } from "../../../../src/types/type.ts";
import { constant, createWorld, makePage, run, special, variable } from "./world.ts";

const world = createWorld();
const bytes = [1, 2, 4] as const;
const names = ["$eq", "$lt", "$le", "$gt", "$ge"] as const;

/** Numbers around zero and around the edges of each width. */
const numbers = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-129, -128, -127, 126, 127, 128, -32_769, -32_768, 32_767, 32_768, -(2 ** 31), 2 ** 31 - 1),
);

interface Case {
  readonly type: Type;
  readonly width: NarrowBytes;
  readonly rows: readonly (readonly [number, number])[];
  readonly conditions: readonly (readonly [(typeof names)[number], "x" | "y", number | "y", boolean])[];
}

const cases: fc.Arbitrary<Case> = fc.constantFrom(...bytes).chain((width) => {
  const value = numbers.map((number) => (width === 4 ? number : (number << (32 - 8 * width)) >> (32 - 8 * width)));
  return fc.record({
    type: fc.constantFrom(INTEGER, DATE, BIGINT),
    width: fc.constant(width),
    rows: fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 50 }),
    conditions: fc.array(
      fc.tuple(
        fc.constantFrom(...names),
        fc.constantFrom("x" as const, "y" as const),
        fc.oneof(numbers, value, fc.constant("y" as const)),
        fc.boolean(),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  });
});

/** The columns with `width` bytes a value, which hold them all. */
function narrowed(memory: MemoryContext, column: Column, width: NarrowBytes): Column {
  const full = physicalWidth(physicalType(column.type));
  if (width >= full) {
    return column;
  }
  narrowValues(memory.linear, { address: column.values, rows: column.length, width: full }, width);
  return { ...column, narrow: width };
}

function textOf(type: Type, value: number): string | number {
  return type === BIGINT ? String(value) : value;
}

it("keep the rows that plain comparisons keep", () => {
  fc.assert(
    fc.property(cases, ({ conditions, rows, type, width }) => {
      const memory = world.memory.child("case");
      const inputs = [variable("x", type), variable("y", type)];
      const [x, y] = inputs as [RowExpression, RowExpression];
      const filters = conditions.map(([name, column, other, isTurned]): RowExpression => {
        const args = [column === "x" ? x : y, other === "y" ? y : constant(type, textOf(type, other))];
        return { kind: "call", name, type: BOOLEAN, args: isTurned ? args.toReversed() : args };
      });
      const filter = filters.length === 1 ? (filters[0] as RowExpression) : special("AND", BOOLEAN, ...filters);
      const wide = makePage(
        memory,
        [0, 1].map((column) => ({ type, values: rows.map((row) => textOf(type, row[column] as number)) })),
        rows.length,
      );
      const page: Page = { ...wide, columns: wide.columns.map((column) => narrowed(memory, column, width)) };
      const expected = rows.filter(([left, right]) =>
        conditions.every(([name, column, other, isTurned]) => {
          const [one, two] = [column === "x" ? left : right, other === "y" ? right : other];
          const [a, b] = isTurned ? [two, one] : [one, two];
          return { $eq: a === b, $lt: a < b, $le: a <= b, $gt: a > b, $ge: a >= b }[name];
        }),
      );
      const options = { inputs, filter, projections: inputs };
      const texts = expected.map((row) => row.map((value) => textOf(type, value)));
      expect(run(world.wasm, memory, options, page)).toEqual(texts);
      expect(run(world.interpreter, memory, options, page)).toEqual(texts);
      memory.close();
    }),
    { numRuns: 150 },
  );
});

it("other conditions and layouts are judged row by row", () => {
  const x = variable("x", DATE);
  const late: RowExpression = { kind: "call", name: "$gt", type: BOOLEAN, args: [x, constant(DATE, 7)] };
  const column = { type: DATE, nullable: false, indirect: false, narrow: 2 } as const;
  const isVector = (filter: RowExpression, layout: Partial<typeof column> | { readonly nullable: true }, selected = false): boolean =>
    vectorFilter(filter, [x], { columns: [{ ...column, ...layout }], selected }) !== undefined;
  expect(isVector(late, {})).toBe(true);
  expect(isVector(special("AND", BOOLEAN, late, late), {})).toBe(true);
  expect(isVector(late, { nullable: true })).toBe(false);
  expect(isVector(late, {}, true)).toBe(false);
  expect(isVector(special("OR", BOOLEAN, late, late), {})).toBe(false);
  expect(isVector({ kind: "call", name: "$gt", type: BOOLEAN, args: [x, constant(DATE, null)] }, {})).toBe(false);
});
