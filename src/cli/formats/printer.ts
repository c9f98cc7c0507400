/** What every output format is: rows go in as they come, text comes out. Made by formats.ts. */
import type { ColumnDocument } from "../../protocol/documents/statement.ts";
import type { Row } from "../../client/statement-client.ts";
import type { TextOutput } from "../terminal.ts";

export interface RowPrinter {
  rows(rows: readonly Row[]): Promise<void>;
  /** No more rows. Not called when the query failed or was cancelled. */
  finish(): Promise<void>;
}

export type RowPrinterFactory = (columns: readonly ColumnDocument[], output: TextOutput) => RowPrinter;

/** A format that writes a line or two for each row and nothing across rows. */
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
