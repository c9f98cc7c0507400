/**
 * Table formats: ALIGNED as Presto draws it, MARKDOWN, and AUTO, which is ALIGNED if the terminal is wide enough. Rows wider than that AUTO
 * draws VERTICAL, or cuts them to the window. Rows are printed in batches, because the widest cell determines the width of a column. A
 * column never gets narrower in a later batch.
 */
import type { Row } from "../../client/statement-client.ts";
import type { ColumnDocument } from "../../protocol/documents/statement.ts";
import type { TextOutput } from "../output/output.ts";
import { type CellFormatter, cellFormatter, cellLines, isNull, isNumeric } from "./cells.ts";
import type { DrawStyle, RowPrinter } from "./printer.ts";
import { cut, type TextWidth, textWidth, withoutControls } from "./text.ts";
import { verticalPrinter } from "./vertical.ts";
import { type Choice, fitColumns, type ShownColumn, tableWidth } from "./window.ts";

/** Rows per batch, as in Presto. */
const batchRowsMax = 10_000;

/** Rows that AUTO draws VERTICAL are at most so many that the window holds them, less the lines of the summary. */
const summaryLines = 8;

interface Layout {
  readonly columns: readonly ColumnDocument[];
  readonly width: TextWidth;
  readonly rows: readonly Row[];
  /** The lines of each cell of each row. */
  readonly cells: readonly (readonly (readonly string[])[])[];
  readonly widths: readonly number[];
  readonly first: boolean;
  readonly style: DrawStyle;
  /** The columns that have room; all of them if absent. */
  readonly choice?: Choice;
}

type Draw = (layout: Layout) => string;

interface BatchOptions {
  readonly columns: readonly ColumnDocument[];
  readonly output: TextOutput;
  readonly style: DrawStyle;
  readonly draw: Draw;
  /** AUTO: rows wider than the window are drawn otherwise. */
  readonly isAuto?: boolean;
}

class BatchPrinter implements RowPrinter {
  readonly #options: BatchOptions;
  readonly #formatters: readonly CellFormatter[];
  #held: Row[] = [];
  #widths: readonly number[];
  #first = true;
  #other: RowPrinter | undefined;
  #choice: Choice | undefined;

  constructor(options: BatchOptions) {
    this.#options = options;
    this.#formatters = options.columns.map(cellFormatter);
    this.#widths = options.columns.map(() => 0);
  }

  get hiddenColumns(): number {
    return this.#choice?.hiddenColumns ?? 0;
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
    const { columns, output, style, draw } = this.#options;
    const rows = this.#held;
    this.#held = [];
    const cells = rows.map((row) => this.#formatters.map((format, index) => cellLines(row[index], format, style.nullText)));
    const names = columns.map((column) => withoutControls(column.name));
    const width = await textWidth([...names, ...cells.flat(2)]);
    this.#widths = this.#widths.map((least, index) =>
      cells.reduce((widest, row) => Math.max(widest, ...(row[index] ?? []).map(width)), Math.max(least, width(names[index] ?? ""))),
    );
    if (this.#first && this.#options.isAuto === true && tableWidth(this.#widths) > output.width) {
      this.#chooseForWide(rows);
      if (this.#other !== undefined) {
        return this.#other.rows(rows);
      }
    }
    const choice = this.#choice === undefined ? {} : { choice: this.#choice };
    const layout = { columns, width, rows, cells, widths: this.#widths, first: this.#first, style, ...choice };
    this.#first = false;
    await output.write(draw(layout));
  }

  /** Few rows are drawn VERTICAL, of many rows a part. */
  #chooseForWide(rows: readonly Row[]): void {
    const { columns, output, style } = this.#options;
    const verticalLines = rows.length * (columns.length + 1);
    if (style.wide === "vertical" || (rows.length > 0 && verticalLines <= output.height - summaryLines)) {
      this.#other = verticalPrinter(columns, output, style);
    } else {
      const mayCut = (index: number): boolean => !isNumeric(columns[index] as ColumnDocument);
      this.#choice = fitColumns({ widths: this.#widths, mayCut }, output.width);
    }
  }
}

export function alignedPrinter(columns: readonly ColumnDocument[], output: TextOutput, style: DrawStyle): RowPrinter {
  return new BatchPrinter({ columns, output, style, draw: drawAligned });
}

export function markdownPrinter(columns: readonly ColumnDocument[], output: TextOutput, style: DrawStyle): RowPrinter {
  return new BatchPrinter({ columns, output, style, draw: drawMarkdown });
}

export function autoPrinter(columns: readonly ColumnDocument[], output: TextOutput, style: DrawStyle): RowPrinter {
  return new BatchPrinter({ columns, output, style, draw: drawAligned, isAuto: true });
}

function pad(text: string, spaces: number, side: "left" | "right" | "center"): string {
  const left = side === "left" ? 0 : side === "right" ? spaces : Math.floor(spaces / 2);
  return " ".repeat(Math.max(0, left)) + text + " ".repeat(Math.max(0, spaces - left));
}

/** The cells of one line with rules between them, and the mark of hidden columns in their place. */
function joined(cells: readonly string[], choice: Choice | undefined, rule: string, gap: string): string {
  return choice === undefined || choice.hiddenColumns === 0
    ? cells.join(rule)
    : [...cells.slice(0, choice.gapAt), gap, ...cells.slice(choice.gapAt)].join(rule);
}

function drawAligned(layout: Layout): string {
  const { columns, width, rows, cells, widths, first, style, choice } = layout;
  const { paint } = style;
  const shown: readonly ShownColumn[] = choice?.shown ?? widths.map((columnWidth, index) => ({ index, width: columnWidth }));
  const bar = paint("rule", "|");
  const gap = paint("rule", " \u2026 ");
  const lines: string[] = [];
  if (first) {
    const head = shown.map(({ index, width: columnWidth }) => {
      const name = cut(withoutControls(columns[index]?.name ?? ""), columnWidth, width);
      return ` ${pad(paint("header", name), columnWidth - width(name), "center")} `;
    });
    lines.push(joined(head, choice, bar, gap));
    lines.push(
      paint(
        "rule",
        joined(
          shown.map((column) => "-".repeat(column.width + 2)),
          choice,
          "+",
          "---",
        ),
      ),
    );
  }
  const sides = columns.map((column) => (isNumeric(column) ? "right" : "left") as "left" | "right");
  for (const [rowIndex, row] of cells.entries()) {
    const height = Math.max(1, ...shown.map(({ index }) => row[index]?.length ?? 1));
    for (let line = 0; line < height; line++) {
      const drawn = shown.map(({ index, width: columnWidth }) => {
        const text = cut(row[index]?.[line] ?? "", columnWidth, width);
        // A plus sign marks a cell that continues on the next line.
        const end = line + 1 < (row[index]?.length ?? 0) ? "+" : " ";
        const value = isNull(rows[rowIndex]?.[index]) ? paint("null", text) : text;
        return ` ${pad(value, columnWidth - width(text), sides[index] ?? "left")}${end}`;
      });
      lines.push(joined(drawn, choice, bar, gap));
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
