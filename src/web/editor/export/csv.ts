/** Results as CSV (RFC 4180 with `\n`) and as the TSV of spreadsheets. NULL is an empty field, an empty text is `""`. */
import type { ColumnType } from "../results/column-types.ts";
import { valueText } from "../results/values.ts";

export interface ExportColumn {
  readonly name: string;
  readonly type: ColumnType;
}

type Row = readonly unknown[];

/** In pieces of some thousand rows, so that a large result does not become one text. */
export function* csvPieces(columns: readonly ExportColumn[], rows: Iterable<Row>): Generator<string> {
  yield `${columns.map(({ name }) => csvField(name)).join(",")}\n`;
  const lines: string[] = [];
  for (const row of rows) {
    lines.push(columns.map(({ type }, index) => csvValue(row[index], type)).join(","));
    if (lines.length === 5000) {
      yield `${lines.join("\n")}\n`;
      lines.length = 0;
    }
  }
  if (lines.length > 0) {
    yield `${lines.join("\n")}\n`;
  }
}

function csvValue(value: unknown, type: ColumnType): string {
  return value === null || value === undefined ? "" : csvField(valueText(value, type));
}

function csvField(text: string): string {
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Cells for the clipboard. */
export function tsvText(columns: readonly ColumnType[], rows: Iterable<Row>): string {
  const lines: string[] = [];
  for (const row of rows) {
    lines.push(columns.map((type, index) => tsvField(row[index], type)).join("\t"));
  }
  return lines.join("\n");
}

function tsvField(value: unknown, type: ColumnType): string {
  const text = value === null || value === undefined ? "" : valueText(value, type);
  return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
