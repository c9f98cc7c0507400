/**
 * The interface of output formats: rows in, text out.
 */
import type { ColumnDocument } from "../../protocol/documents/statement.ts";
import type { Row } from "../../client/statement-client.ts";
import type { TextOutput } from "../output/output.ts";
import { type Paint, unpainted } from "./style.ts";

export interface RowPrinter {
  rows(rows: readonly Row[]): Promise<void>;
  /** Called after the last row, but not if the query failed or was cancelled. */
  finish(): Promise<void>;
  /** Columns that the window has no room for. */
  readonly hiddenColumns?: number;
}

/** How formats for people are drawn. */
export interface DrawStyle {
  readonly paint: Paint;
  readonly nullText: string;
  /** AUTO, for rows wider than the window: one column a line, or only the columns and characters that fit. */
  readonly wide: "vertical" | "fit";
}

export const plainStyle: DrawStyle = { paint: unpainted, nullText: "NULL", wide: "vertical" };

export type RowPrinterFactory = (columns: readonly ColumnDocument[], output: TextOutput, style: DrawStyle) => RowPrinter;

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
