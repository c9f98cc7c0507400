/**
 * IN over arrays and rows against a model that compares each value with each member.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JoinBuildOperator } from "../../../../src/execution/operators/join/join-operators.ts";
import { JoinBridge } from "../../../../src/execution/hash-table/join-table.ts";
import { NestedSemiJoinOperator } from "../../../../src/execution/operators/join/nested-semi-join.ts";
import { PageBuilder } from "../../../../src/page/builder.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import type { Page } from "../../../../src/page/page.ts";
import { encodeNested, type NestedType, type NestedValue } from "../../../../src/types/nested/nested.ts";
import { arrayType, BIGINT, DOUBLE, INTEGER, tupleType, VARCHAR } from "../../../../src/types/type.ts";
import { backends, makeBench, operatorContext, runOperator, withMemory } from "../kernels.ts";

type Nested = readonly NestedValue[] | null;

function orNull(values: fc.Arbitrary<NestedValue>, freq: number): fc.Arbitrary<NestedValue> {
  return fc.option(values, { freq });
}

const small = orNull(fc.integer({ min: 0, max: 2 }), 4);
const shapes: readonly { readonly type: NestedType; readonly values: fc.Arbitrary<Nested> }[] = [
  {
    type: tupleType([BIGINT, VARCHAR]),
    values: fc.option(fc.tuple(orNull(fc.bigInt({ min: 0n, max: 2n }), 4), orNull(fc.constantFrom("", "a", "bc"), 4)), { freq: 12 }),
  },
  { type: arrayType(INTEGER), values: fc.option(fc.array(small, { maxLength: 2 }), { freq: 12 }) },
  {
    type: tupleType([DOUBLE, tupleType([INTEGER, arrayType(INTEGER)])]),
    values: fc.tuple(
      orNull(fc.constantFrom(0, -0, 1.5, Number.NaN), 6),
      orNull(fc.tuple(small, orNull(fc.array(small, { maxLength: 1 }), 6)), 6),
    ),
  },
];

function pageOf(memory: MemoryContext, type: NestedType, values: readonly Nested[]): Page {
  const builder = new PageBuilder([type], memory, 1 << 20);
  for (const value of values) {
    if (value === null) {
      builder.appendNull(0);
    } else {
      builder.appendBytes(0, encodeNested(type, value));
    }
  }
  return builder.build();
}

/** SQL `=`: null if a NULL makes the result unknown. */
function equal(a: NestedValue, b: NestedValue): boolean | null {
  if (a === null || b === null) {
    return null;
  }
  if (!Array.isArray(a) || !Array.isArray(b)) {
    return a === b;
  }
  if (a.length !== b.length) {
    return false;
  }
  const answers = a.map((item: NestedValue, index) => equal(item, b[index] as NestedValue));
  return answers.includes(false) ? false : answers.includes(null) ? null : true;
}

function isMember(value: Nested, set: readonly Nested[]): boolean | null {
  const answers = set.map((member) => equal(value, member));
  return answers.includes(true) ? true : answers.includes(null) ? null : false;
}

describe.each(backends)("IN over nested values on the %s backend", (backend) => {
  const bench = makeBench(backend);

  function mark(memory: MemoryContext, type: NestedType, pages: readonly (readonly Nested[])[], set: readonly Nested[]): unknown[] {
    const bridge = new JoinBridge();
    const context = operatorContext(bench, memory.child("set"));
    const builder = new JoinBuildOperator({ context, bridge, types: [type], keyChannels: [0], joinType: "INNER" });
    if (set.length > 0) {
      builder.addInput(pageOf(memory, type, set));
    }
    builder.finish();
    void builder.blocked();
    const operator = new NestedSemiJoinOperator(operatorContext(bench, memory.child("semi")), bridge, 0);
    const output = runOperator(
      memory,
      operator,
      pages.map((values) => pageOf(memory, type, values)),
    );
    operator.close();
    builder.close();
    return output.map((row) => row.at(-1));
  }

  it("gives true, false or NULL as each comparison of a value with a member says", () => {
    const cases = fc.constantFrom(...shapes).chain(({ type, values }) =>
      fc.record({
        type: fc.constant(type),
        pages: fc.array(fc.array(values, { maxLength: 12 }), { maxLength: 3 }),
        set: fc.array(values, { maxLength: 12 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ type, pages, set }) =>
        withMemory(bench, (memory) => {
          expect(mark(memory, type, pages, set)).toEqual(pages.flatMap((values) => values.map((value) => isMember(value, set))));
        }),
      ),
      { numRuns: backend === "wasm" ? 200 : 40 },
    );
  });

  // Values that contain a NULL are compared with all members: more work than one call does.
  it("goes on over several calls where many comparisons are asked", () => {
    const count = backend === "wasm" ? 700 : 400;
    const type = tupleType([INTEGER, INTEGER]);
    const values = Array.from({ length: count }, (_, index): Nested => [index, null]);
    const set = Array.from({ length: count }, (_, index): Nested => [index + count - 1, index % 2 === 0 ? null : 1]);
    withMemory(bench, (memory) =>
      expect(mark(memory, type, [values], set)).toEqual(values.map((_value, index) => (index === count - 1 ? null : false))),
    );
  });
});
