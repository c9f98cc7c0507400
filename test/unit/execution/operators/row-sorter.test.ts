/**
 * Sorts that take several steps: same order as a simple stable sort.
 */
import { describe, expect, test } from "vitest";
import { RowSorter } from "../../../../src/execution/operators/sort/row-sorter.ts";
import type { SortColumn } from "../../../../src/execution/operators/sort/sort-rows.ts";
import { KernelRuntime } from "../../../../src/codegen/runtime.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import type { Column } from "../../../../src/page/page.ts";
import { BIGINT, INTEGER } from "../../../../src/types/type.ts";

const ascending: SortColumn = { descending: false, nullsFirst: false };
const descending: SortColumn = { descending: true, nullsFirst: false };

/** Deterministic pseudo-random numbers. */
function numbers(count: number, range: number): number[] {
  let state = 12345;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % range;
  });
}

function sorted(columns: readonly { readonly wide: boolean; readonly values: readonly number[] }[], order: readonly SortColumn[]) {
  const { linear, root } = createNodeMemory({ sizeBytes: 64 * 1024 * 1024 });
  const memory = root.child("test");
  const rows = columns[0]?.values.length ?? 0;
  const sorter = new RowSorter(new KernelRuntime({ linear, backend: "wasm" }), memory, order);
  const page = columns.map(({ wide, values }): Column => {
    const address = memory.allocate(rows * (wide ? 8 : 4));
    values.forEach((value, row) => {
      if (wide) {
        linear.i64[address / 8 + row] = BigInt(value);
      } else {
        linear.i32[address / 4 + row] = value;
      }
    });
    return { type: wide ? BIGINT : INTEGER, values: address, nulls: 0, ids: 0, length: rows };
  });
  const job = sorter.begin({ positionCount: rows, selection: 0, columns: page });
  let steps = 1;
  while (!job.step()) {
    steps++;
  }
  const result = Array.from(linear.u32.subarray(job.order / 4, job.order / 4 + rows));
  memory.close();
  return { result, steps };
}

describe("a sort in steps", () => {
  test("many different keys", () => {
    const keys = numbers(300_000, 1 << 22);
    const { result, steps } = sorted([{ wide: true, values: keys }], [descending]);
    const expected = keys.map((_, row) => row).sort((a, b) => (keys[b] as number) - (keys[a] as number) || a - b);
    expect(result).toEqual(expected);
    expect(steps).toBeGreaterThan(10);
  });

  test("long runs of one key, ordered by the next", () => {
    // Runs of one row, of some hundred rows, and of more rows than one step merges.
    const keys = numbers(200_000, 100).map((key) => (key < 70 ? 7 : key < 90 ? 8 : key * 10_000));
    const next = numbers(200_000, 50_000).reverse();
    const { result, steps } = sorted(
      [
        { wide: false, values: keys },
        { wide: true, values: next },
      ],
      [ascending, descending],
    );
    const expected = keys
      .map((_, row) => row)
      .sort((a, b) => (keys[a] as number) - (keys[b] as number) || (next[b] as number) - (next[a] as number) || a - b);
    expect(result).toEqual(expected);
    expect(steps).toBeGreaterThan(10);
  });
});
