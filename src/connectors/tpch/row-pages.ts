/**
 * Pages of tables with a fixed number of rows per unit: consecutive rows, and only full pages except the last.
 */
import { assert } from "../../protocol/errors.ts";
import type { ColumnGenerator, Generation, TableGenerator } from "./columns.ts";

/**
 * A hidden bigint column of every table, with this name under any naming: the number of the unit that the row belongs to. Units count from
 * 1, so the line items of an order and the suppliers of a part share a number. Nations and regions begin at 0.
 */
export const rowNumber = "row_number";

export function rowPages(
  generation: Generation,
  columns: Readonly<Record<string, () => ColumnGenerator>>,
  rowsPerUnit = 1,
): TableGenerator {
  let rest = generation.units.count * rowsPerUnit;
  let number = 0;
  return {
    nextPage: () => {
      const rows = Math.min(rest, generation.pageRows);
      rest -= rows;
      return rows === 0 ? undefined : { number: ++number, rows };
    },
    column: (name) => {
      const make = columns[name];
      assert(make !== undefined, `no generator for column ${name}`);
      return make();
    },
  };
}
