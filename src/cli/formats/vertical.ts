/**
 * VERTICAL: one block per record, one line per column, as Presto draws it.
 */
import type { Row } from "../../client/statement-client.ts";
import type { ColumnDocument } from "../../protocol/documents/statement.ts";
import type { TextOutput } from "../output/output.ts";
import { cellFormatter, cellLines, isNull } from "./cells.ts";
import type { DrawStyle, RowPrinter } from "./printer.ts";
import { type TextWidth, textWidth, withoutControls } from "./text.ts";

export function verticalPrinter(columns: readonly ColumnDocument[], output: TextOutput, style: DrawStyle): RowPrinter {
  const { paint, nullText } = style;
  const formatters = columns.map(cellFormatter);
  const names = columns.map((column) => withoutControls(column.name));
  let records = 0;
  const record = (row: Row, width: TextWidth): string => {
    records++;
    const cells = formatters.map((format, index) => cellLines(row[index], format, nullText));
    const nameWidth = Math.max(0, ...names.map(width));
    const valueWidth = Math.max(0, ...cells.flat().map(width));
    const lines = cells.flatMap((cell, index) =>
      cell.map((text, line) => {
        const name = line === 0 ? (names[index] ?? "") : "";
        const value = isNull(row[index]) ? paint("null", text) : text;
        return `${paint("header", name)}${" ".repeat(nameWidth - width(name))} ${paint("rule", "|")} ${value}\n`;
      }),
    );
    return `${paint("rule", drawHead(records, nameWidth, valueWidth))}\n${lines.join("")}`;
  };
  return {
    rows: async (rows) => {
      const width = await textWidth([
        ...names,
        ...rows.flatMap((row) => formatters.flatMap((format, index) => cellLines(row[index], format, nullText))),
      ]);
      await output.write(rows.map((row) => record(row, width)).join(""));
    },
    finish: () => (records === 0 ? output.write("(no rows)\n") : Promise.resolve()),
  };
}

/** `-[ RECORD 1 ]-+------` */
function drawHead(number: number, nameWidth: number, valueWidth: number): string {
  const label = `-[ RECORD ${number} ]`;
  if (label.length > nameWidth + 1) {
    return label + "-".repeat(Math.max(0, nameWidth + valueWidth + 3 - label.length));
  }
  return `${label}${"-".repeat(nameWidth + 1 - label.length)}+${"-".repeat(valueWidth + 1)}`;
}
