/** Pages of tables with a fixed number of rows for each unit: consecutive rows, full pages but the last. */
import { assert } from "../../protocol/errors.ts";
import type { ColumnGenerator, Generation, TableGenerator } from "./columns.ts";

/**
 * A hidden bigint column of every table, under this name whatever the naming: where the generator was when it made the row. That is the number of the unit,
 * from 1, so that the line items of an order and the suppliers of a part share one; nations and regions begin at 0.
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
