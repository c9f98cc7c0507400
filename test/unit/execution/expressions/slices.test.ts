/**
 * Pages are computed in slices of any length: the values are those of one slice, also under filters, errors and random functions.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { compilePageProcessor } from "../../../../src/execution/expressions/page-processor.ts";
import { KernelRuntime } from "../../../../src/codegen/runtime.ts";
import { encodeNested } from "../../../../src/types/nested/nested.ts";
import { formatHex } from "../../../../src/functions/runtime/formats.ts";
import type { RowExpression } from "../../../../src/planner/plan/typed-expression.ts";
import type { ConstantValue } from "../../../../src/planner/plan/typed-expression.ts";
import { QueryError } from "../../../../src/protocol/errors.ts";
import { arrayType, BIGINT, VARCHAR } from "../../../../src/types/type.ts";
import { analyzeWith } from "../../functions/analyzed.ts";
import { createWorld, makePage, readPage, variable } from "./world.ts";

const world = createWorld();
const listType = arrayType(BIGINT);
const inputs = [variable("list", listType), variable("text", VARCHAR), variable("n", BIGINT)];

const projections = [
  "transform(list, x -> x + n)",
  "reduce(list, n, (s, x) -> s + x * 2, s -> s)",
  "transform(list, x -> reduce(list, x, (s, y) -> s + y, s -> s + n))",
  "regexp_replace(text, '(a|b)', x -> upper(x[1]) || CAST(n AS varchar))",
  "regexp_count(text, '(a|ab)*c')",
  "filter(list, x -> any_match(list, y -> y = x + 1))",
  "text LIKE '%' || CAST(n AS varchar) || '_b%'",
  "array_sort(list, (x, y) -> IF(x < y, 1, IF(x = y, 0, -1)))",
  "TRY(reduce(list, n, (s, x) -> 100 / (x - 3), s -> s))",
  "transform(list, x -> random(1000))",
  "upper(text)",
];
const filters = [
  undefined,
  "any_match(list, x -> x > n)",
  "length(text) > 2 AND NOT none_match(list, x -> x < 5)",
  "regexp_like(text, 'b+a')",
];

interface Result {
  readonly rows: readonly (readonly ConstantValue[])[];
  readonly slices: number;
}

function compute(
  sliceSteps: number,
  expressions: readonly RowExpression[],
  filter: RowExpression | undefined,
  rows: readonly Row[],
): Result | string {
  const runtime = new KernelRuntime({
    linear: world.memory.linear,
    backend: "wasm",
    knobs: { value: (name: string) => (name === "function-slice-steps" ? sliceSteps : 1000) } as never,
  });
  const memory = world.memory.child("page");
  try {
    const page = makePage(
      memory,
      [
        { type: listType, values: rows.map(({ list }) => formatHex(encodeNested(listType, list))) },
        { type: VARCHAR, values: rows.map(({ text }) => text) },
        { type: BIGINT, values: rows.map(({ n }) => String(n)) },
      ],
      rows.length,
    );
    const processor = compilePageProcessor(runtime, {
      inputs,
      projections: expressions,
      ...(filter === undefined ? {} : { filter }),
    }).create(memory, () => 99n);
    for (let slices = 1; ; slices++) {
      expect(slices).toBeLessThan(100_000);
      const output = processor.advance(page);
      if (output !== undefined) {
        const read = readPage(memory, output);
        processor.close();
        return { rows: read, slices };
      }
    }
  } catch (error) {
    if (error instanceof QueryError) {
      return `${error.errorName}: ${error.message}`;
    }
    throw error;
  } finally {
    memory.close();
  }
}

interface Row {
  readonly list: readonly (bigint | null)[];
  readonly text: string;
  readonly n: bigint;
}

const rowOf = fc.record({
  list: fc.array(fc.oneof({ weight: 9, arbitrary: fc.bigInt(0n, 9n) }, { weight: 1, arbitrary: fc.constant(null) }), { maxLength: 12 }),
  text: fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "1"), maxLength: 12 }),
  n: fc.bigInt(0n, 5n),
});

it("has the same values for any length of slices", async () => {
  const analyzed = new Map<string, RowExpression>();
  for (const sql of [...projections, ...filters]) {
    if (sql !== undefined) {
      analyzed.set(sql, await analyzeWith(sql, world, inputs));
    }
  }
  let cuts = 0;
  fc.assert(
    fc.property(
      fc.array(rowOf, { minLength: 1, maxLength: 8 }),
      fc.subarray(projections, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...filters),
      fc.integer({ min: 1, max: 60 }),
      (rows, picked, filter, sliceSteps) => {
        const expressions = picked.map((sql) => analyzed.get(sql) as RowExpression);
        const condition = filter === undefined ? undefined : analyzed.get(filter);
        const whole = compute(1e9, expressions, condition, rows);
        const sliced = compute(sliceSteps, expressions, condition, rows);
        if (typeof whole === "string" || typeof sliced === "string") {
          expect(sliced).toBe(whole);
          return;
        }
        expect(sliced.rows).toEqual(whole.rows);
        expect(whole.slices).toBe(1);
        cuts += sliced.slices - 1;
      },
    ),
    { numRuns: 300 },
  );
  expect(cuts).toBeGreaterThan(100);
});

it("ends a slice after some rows of an expression of thousands of nodes", async () => {
  const terms = Array.from({ length: 3_000 }, (_, index) => `n = ${7 * index}`);
  const condition = await analyzeWith(`text LIKE 'z' OR ${terms.join(" OR ")}`, world, inputs);
  const choice = await analyzeWith(`CASE ${terms.map((term, index) => `WHEN ${term} THEN ${index}`).join(" ")} END`, world, inputs);
  const rows = Array.from({ length: 700 }, (_, index): Row => ({ list: [], text: "a", n: BigInt(index) }));
  const result = compute(20_000, [choice], condition, rows) as Result;
  expect(result.rows).toEqual(Array.from({ length: 100 }, (_, index) => [index]));
  // More than 12,000 nodes in the condition and as many in the projection.
  expect(result.slices).toBeGreaterThan(4);
  expect(result.slices).toBeLessThan(20);
});
