/**
 * The interface of output formats: rows in, text out.
 */
import type { ColumnDocument } from "../../protocol/documents/statement.ts";
import type { Row } from "../../client/statement-client.ts";
import type { TextOutput } from "../terminal.ts";

export interface RowPrinter {
  rows(rows: readonly Row[]): Promise<void>;
  /** Called after the last row, but not if the query failed or was cancelled. */
  finish(): Promise<void>;
}

export type RowPrinterFactory = (columns: readonly ColumnDocument[], output: TextOutput) => RowPrinter;

/** A format that prints each row independently. */
export function linePrinter(output: TextOutput, header: string, rowText: (row: Row) => string): RowPrinter {
  let pending = header;
  return {
    rows: (rows) => {
      const text = pending + rows.map(rowText).join("");
      pending = "";
      return text === "" ? Promise.resolve() : output.write(text);
    },
    finish: () => (pending === "" ? Promise.resolve() : output.write(pending)),
  };
}
