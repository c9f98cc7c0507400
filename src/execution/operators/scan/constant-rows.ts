/**
 * A VALUES of literals as a page, written without a kernel.
 */
import { hostValueOfConstant } from "../../expressions/constants.ts";
import { writeHostValue } from "../../../functions/runtime/host.ts";
import { Arena } from "../../../memory/arena.ts";
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import type { Constant, RowExpression } from "../../../planner/plan/typed-expression.ts";
import { physicalType, physicalWidth, type Type } from "../../../types/type.ts";

export type ConstantRow = readonly Constant[];

export function isConstantRow(row: readonly RowExpression[]): row is ConstantRow {
  return row.every(({ kind }) => kind === "constant");
}

/** Calls `use` with the page of `rows` (at least one) and frees its memory afterwards. */
export function withConstantRows(
  memory: MemoryContext,
  types: readonly Type[],
  rows: readonly ConstantRow[],
  use: (page: Page) => void,
): void {
  const blocks: Address[] = [];
  const arena = new Arena(memory);
  try {
    const columns = types.map((type, index): Column => {
      const values = rows.map((row) => hostValueOfConstant(row[index] as Constant));
      const width = physicalWidth(physicalType(type));
      const column = memory.allocateZeroed(rows.length * width);
      blocks.push(column);
      const nulls = values.includes(null) ? memory.allocateZeroed(rows.length) : 0;
      if (nulls !== 0) {
        blocks.push(nulls);
      }
      for (const [row, value] of values.entries()) {
        if (value === null) {
          memory.linear.u8[nulls + row] = 1;
        } else {
          writeHostValue(memory.linear, column + row * width, type, value, (bytes) => arena.allocate(bytes));
        }
      }
      return { type, values: column, nulls, ids: 0, length: rows.length };
    });
    use({ positionCount: rows.length, selection: 0, columns });
  } finally {
    arena.close();
    for (const block of blocks) {
      memory.free(block);
    }
  }
}
