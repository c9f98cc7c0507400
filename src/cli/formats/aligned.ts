/**
 * Table formats: ALIGNED as Presto draws it, MARKDOWN, and AUTO, which is ALIGNED if the terminal is wide enough and VERTICAL otherwise.
 * Rows are printed in batches, because the widest cell determines the width of a column. A column never gets narrower in a later batch.
 */
import type { Row } from "../../client/statement-client.ts";
import type { ColumnDocument } from "../../protocol/documents/statement.ts";
import type { TextOutput } from "../terminal.ts";
import { type CellFormatter, cellFormatter, cellLines, isNumeric } from "./cells.ts";
import type { RowPrinter } from "./printer.ts";
import { type TextWidth, textWidth, withoutControls } from "./text.ts";
import { verticalPrinter } from "./vertical.ts";

/** Rows per batch, as in Presto. */
const batchRowsMax = 10_000;

interface Layout {
  readonly columns: readonly ColumnDocument[];
  readonly width: TextWidth;
  /** The lines of each cell of each row. */
  readonly cells: readonly (readonly (readonly string[])[])[];
  readonly widths: readonly number[];
  readonly first: boolean;
}

type Draw = (layout: Layout) => string;

class BatchPrinter implements RowPrinter {
  readonly #columns: readonly ColumnDocument[];
  readonly #output: TextOutput;
  readonly #draw: Draw;
  readonly #formatters: readonly CellFormatter[];
  readonly #chooseOther: ((rows: readonly Row[], widths: readonly number[]) => RowPrinter | undefined) | undefined;
  #held: Row[] = [];
  #widths: readonly number[];
  #first = true;
  #other: RowPrinter | undefined;

  constructor(
    columns: readonly ColumnDocument[],
    output: TextOutput,
    draw: Draw,
    chooseOther?: (rows: readonly Row[], widths: readonly number[]) => RowPrinter | undefined,
  ) {
    this.#columns = columns;
    this.#output = output;
    this.#draw = draw;
    this.#chooseOther = chooseOther;
    this.#formatters = columns.map(cellFormatter);
    this.#widths = columns.map(() => 0);
  }

  async rows(rows: readonly Row[]): Promise<void> {
    if (this.#other !== undefined) {
      return this.#other.rows(rows);
    }
    for (const row of rows) {
      this.#held.push(row);
    }
    if (this.#held.length >= batchRowsMax) {
      await this.#flush();
    }
  }

  async finish(): Promise<void> {
    if (this.#other === undefined && (this.#first || this.#held.length > 0)) {
      await this.#flush();
    }
    await this.#other?.finish();
  }

  async #flush(): Promise<void> {
    const rows = this.#held;
    this.#held = [];
    const cells = rows.map((row) => this.#formatters.map((format, index) => cellLines(row[index], format)));
    const names = this.#columns.map((column) => withoutControls(column.name));
    const width = await textWidth([...names, ...cells.flat(2)]);
    this.#widths = this.#widths.map((least, index) =>
      cells.reduce((widest, row) => Math.max(widest, ...(row[index] ?? []).map(width)), Math.max(least, width(names[index] ?? ""))),
    );
    if (this.#first) {
      this.#other = this.#chooseOther?.(rows, this.#widths);
      if (this.#other !== undefined) {
        return this.#other.rows(rows);
      }
    }
    const layout = { columns: this.#columns, width, cells, widths: this.#widths, first: this.#first };
    this.#first = false;
    await this.#output.write(this.#draw(layout));
  }
}

export function alignedPrinter(columns: readonly ColumnDocument[], output: TextOutput): RowPrinter {
  return new BatchPrinter(columns, output, drawAligned);
}

export function markdownPrinter(columns: readonly ColumnDocument[], output: TextOutput): RowPrinter {
  return new BatchPrinter(columns, output, drawMarkdown);
}

export function autoPrinter(columns: readonly ColumnDocument[], output: TextOutput): RowPrinter {
  return new BatchPrinter(columns, output, drawAligned, (_rows, widths) => {
    const lineWidth = widths.reduce((sum, width) => sum + width + 3, -1);
    return lineWidth > output.width ? verticalPrinter(columns, output) : undefined;
  });
}

function pad(text: string, spaces: number, side: "left" | "right" | "center"): string {
  const left = side === "left" ? 0 : side === "right" ? spaces : Math.floor(spaces / 2);
  return " ".repeat(left) + text + " ".repeat(spaces - left);
}

function drawAligned({ columns, width, cells, widths, first }: Layout): string {
  const lines: string[] = [];
  if (first) {
    const names = columns.map((column) => withoutControls(column.name));
    lines.push(names.map((name, index) => ` ${pad(name, (widths[index] ?? 0) - width(name), "center")} `).join("|"));
    lines.push(widths.map((columnWidth) => "-".repeat(columnWidth + 2)).join("+"));
  }
  const sides = columns.map((column) => (isNumeric(column) ? "right" : "left") as "left" | "right");
  for (const row of cells) {
    const height = Math.max(1, ...row.map((cell) => cell.length));
    for (let line = 0; line < height; line++) {
      lines.push(
        row
          .map((cell, index) => {
            const text = cell[line] ?? "";
            // A plus sign marks a cell that continues on the next line.
            const end = line + 1 < cell.length ? "+" : " ";
            return ` ${pad(text, (widths[index] ?? 0) - width(text), sides[index] ?? "left")}${end}`;
          })
          .join("|"),
      );
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

function drawMarkdown({ columns, width, cells, widths, first }: Layout): string {
  const escape = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("|", "\\|");
  const drawRow = (texts: readonly string[]): string =>
    `|${texts.map((text, index) => ` ${pad(text, Math.max(0, (widths[index] ?? 0) - width(text)), isNumeric(columns[index] as ColumnDocument) ? "right" : "left")} `).join("|")}|\n`;
  const head = first
    ? drawRow(columns.map((column) => escape(withoutControls(column.name)))) +
      `|${columns.map((column, index) => (isNumeric(column) ? ` ${"-".repeat(widths[index] ?? 0)}:` : ` ${"-".repeat(widths[index] ?? 0)} `)).join("|")}|\n`
    : "";
  return head + cells.map((row) => drawRow(row.map((cell) => cell.map(escape).join("<br>")))).join("");
}
