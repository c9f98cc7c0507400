/**
 * Filters over dictionaries: a condition on one column is evaluated per entry, and the rows are those of the same page without
 * dictionaries.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConstantValue, RowExpression, Variable } from "../../../../src/planner/plan/typed-expression.ts";
import { BIGINT, BOOLEAN, INTEGER, VARCHAR } from "../../../../src/types/type.ts";
import { call, constant, createWorld, makePage, run, special, variable } from "./world.ts";

const world = createWorld();
const mode = variable("mode", VARCHAR);
const word = variable("word", VARCHAR);
const number = variable("number", BIGINT);
const other = variable("other", BIGINT);
const inputs: readonly Variable[] = [mode, word, number, other];
const texts = ["", "AIR", "AIR REG", "MAIL", "SHIP"];
const numbers = ["0", "1", "2", "9223372036854775807"];

const text = (value: string | null): RowExpression => constant(VARCHAR, value);
const big = (value: string | null): RowExpression => constant(BIGINT, value);

const stringConditions = (column: Variable): fc.Arbitrary<RowExpression> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom("$eq", "$ne", "$lt", "$ge", "$distinct"), fc.option(fc.constantFrom(...texts), { freq: 5 }))
      .map(([name, value]) => call(name, column, text(value)) as RowExpression),
    fc
      .array(fc.option(fc.constantFrom(...texts), { freq: 5 }), { minLength: 1, maxLength: 3 })
      .map((items) => special("IN", BOOLEAN, column, ...items.map(text)) as RowExpression),
    fc.constantFrom("A%", "%I%", "_AIL", "%").map((pattern) => call("like", column, text(pattern)) as RowExpression),
    fc.constant(special("IS_NULL", BOOLEAN, column) as RowExpression),
    fc.constant(call("$gt", call("length", column), big("3")) as RowExpression),
  );
const numberConditions: fc.Arbitrary<RowExpression> = fc.oneof(
  fc
    .tuple(fc.constantFrom("$eq", "$lt", "$ge"), fc.constantFrom(number, other), fc.constantFrom(...numbers))
    .map(([name, column, value]) => call(name, column, big(value)) as RowExpression),
  fc.constantFrom("$eq", "$lt").map((name) => call(name, number, other) as RowExpression),
  // Overflows, so that the filter fails on some pages.
  fc.constant(call("$gt", call("$add", number, big("1")), other) as RowExpression),
);
const condition = fc.oneof(stringConditions(mode), stringConditions(word), numberConditions);
const negated = fc.oneof(
  { weight: 4, arbitrary: condition },
  { weight: 1, arbitrary: condition.map((one) => call("$not", one) as RowExpression) },
);
const filters = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: negated },
      { weight: 1, arbitrary: fc.tuple(negated, negated).map((args) => special("OR", BOOLEAN, ...args) as RowExpression) },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map(([first, ...others]) =>
    others.length === 0 ? (first as RowExpression) : special("AND", BOOLEAN, first as RowExpression, ...others),
  );

const rowCount = 40;
/** Entries, the last of which may have no row, and the entry of each row. */
const columnOf = (values: readonly string[]) =>
  fc.array(fc.option(fc.constantFrom(...values), { freq: 4 }), { minLength: 1, maxLength: 12 }).chain((entries) =>
    fc.record({
      entries: fc.constant(entries as readonly ConstantValue[]),
      ids: fc.array(fc.nat(Math.max(0, entries.length - 2)), { minLength: rowCount, maxLength: rowCount }),
      isDictionary: fc.boolean(),
    }),
  );
const pages = fc.tuple(columnOf(texts), columnOf(texts), columnOf(numbers), columnOf(numbers));
const selections = fc.option(
  fc.subarray(
    Array.from({ length: rowCount }, (_, row) => row),
    { minLength: 1 },
  ),
);

describe("filters by the entries of dictionaries", () => {
  it("keep the rows that the same filter keeps without dictionaries", () => {
    fc.assert(
      fc.property(filters, pages, selections, (filter, columns, selected) => {
        const memory = world.memory.child("case");
        const options = { inputs, filter, projections: inputs };
        const selection = selected ?? undefined;
        const flat = columns.map(({ entries, ids }) => ids.map((id) => entries[id] as ConstantValue));
        const plain = makePage(
          memory,
          flat.map((values, index) => ({ type: (inputs[index] as Variable).type, values })),
          rowCount,
          selection,
        );
        const coded = makePage(
          memory,
          columns.map(({ entries, ids, isDictionary }, index) => {
            const { type } = inputs[index] as Variable;
            return isDictionary ? { type, values: entries, ids } : { type, values: flat[index] as readonly ConstantValue[] };
          }),
          rowCount,
          selection,
        );
        const expected = run(world.interpreter, memory, options, plain);
        expect(run(world.wasm, memory, options, coded)).toEqual(expected);
        expect(run(world.interpreter, memory, options, coded)).toEqual(expected);
        memory.close();
      }),
      { numRuns: 500 },
    );
  });

  it("evaluate a condition once per entry", () => {
    // Comparing strings of more than a word is a call, which counts as a step.
    const modes = ["BY RIVER BOAT", "BY MOTOR BOAT", "BY OTHER BOAT", "BY SMALL BOAT"];
    const steps = (ids: readonly number[] | undefined): number => {
      const memory = world.memory.child("case");
      const values: ConstantValue[] = ids === undefined ? Array.from({ length: 1_000 }, (_, row) => modes[row % 4] as string) : modes;
      const page = makePage(memory, [{ type: VARCHAR, values, ...(ids !== undefined && { ids }) }], 1_000);
      const before = world.interpreter.interpreted.steps;
      run(
        world.interpreter,
        memory,
        {
          inputs: [mode],
          filter: special("IN", BOOLEAN, mode, text("BY CANAL BOAT"), text("BY RIVER BOAT"), text("BY MOTOR BOAT")),
          projections: [constant(INTEGER, 1)],
        },
        page,
      );
      memory.close();
      return world.interpreter.interpreted.steps - before;
    };
    expect(steps(Array.from({ length: 1_000 }, (_, row) => row % 4))).toBeLessThan(steps(undefined) / 2);
  });
});
