/**
 * The cells of a terminal as an SVG: a window with a title, text in a monospaced font, colours of a dark palette. Text is placed by run,
 * with its exact length, so that every browser and every font keep the columns.
 */
import type { EmulatedCell, TerminalEmulator } from "../../../test/support/terminal/emulator.ts";

const cell = { width: 8.4, height: 18 };
const margin = { left: 16, top: 44, right: 16, bottom: 16 };

const background = "#16181d";
const foreground = "#d7dae0";

/** By parameter of SGR. */
const colors: Readonly<Record<string, string>> = {
  "31": "#f0717b",
  "32": "#95c76f",
  "33": "#e5b567",
  "34": "#6aa8f7",
  "35": "#c58fe8",
  "36": "#5cc3cf",
  "90": "#7d8590",
};

interface Run {
  readonly row: number;
  readonly column: number;
  readonly columns: number;
  readonly text: string;
  readonly rendition: string;
}

export function terminalSvg(emulator: TerminalEmulator, { title, label }: { readonly title: string; readonly label: string }): string {
  const rowCount = Math.max(emulator.lines.length, emulator.cursor.row + 1);
  const columnCount = emulator.cells[0]?.length ?? 0;
  const width = Math.ceil(margin.left + margin.right + columnCount * cell.width);
  const height = margin.top + margin.bottom + rowCount * cell.height;
  const runs = emulator.cells.slice(0, rowCount).flatMap((row, index) => runsOf(row, index));
  const { row, column } = emulator.cursor;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}">`,
    `<title>${escaped(label)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${background}"/>`,
    ...["#f0717b", "#e5b567", "#95c76f"].map((color, index) => `<circle cx="${20 + index * 20}" cy="20" r="6" fill="${color}"/>`),
    `<g font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    `<text x="${width / 2}" y="25" text-anchor="middle" fill="${colors["90"]}">${escaped(title)}</text>`,
    `<rect x="${x(column)}" y="${y(row) - 14}" width="${cell.width}" height="${cell.height}" fill="#6aa8f7" opacity="0.7"/>`,
    ...runs.flatMap(runLines),
    "</g>",
    "</svg>",
  ];
  return `${lines.join("\n")}\n`;
}

/** Cells of one rendition side by side. Plain blanks are left out. */
function runsOf(row: readonly EmulatedCell[], index: number): readonly Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < row.length; ) {
    const { rendition } = row[column] as EmulatedCell;
    let end = column + 1;
    while (end < row.length && row[end]?.rendition === rendition) {
      end++;
    }
    const text = row.slice(column, end).map((one) => one.text);
    const isMarked = rendition.split(";").includes("7");
    const from = isMarked ? 0 : text.findIndex((one) => one !== " ");
    const to = isMarked ? text.length : text.findLastIndex((one) => one !== " ") + 1;
    if (from !== -1 && to > from) {
      runs.push({ row: index, column: column + from, columns: to - from, text: text.slice(from, to).join(""), rendition });
    }
    column = end;
  }
  return runs;
}

function runLines({ row, column, columns, text, rendition }: Run): readonly string[] {
  const parameters = rendition.split(";");
  const isMarked = parameters.includes("7");
  const color = parameters.map((parameter) => colors[parameter]).find((found) => found !== undefined) ?? foreground;
  const length = round(columns * cell.width);
  const attributes = [
    `x="${x(column)}"`,
    `y="${y(row)}"`,
    `textLength="${length}"`,
    'lengthAdjust="spacingAndGlyphs"',
    `fill="${isMarked ? background : color}"`,
    ...(parameters.includes("1") ? ['font-weight="bold"'] : []),
    ...(parameters.includes("4") ? ['text-decoration="underline"'] : []),
    'xml:space="preserve"',
  ];
  const mark = `<rect x="${x(column)}" y="${y(row) - 14}" width="${length}" height="${cell.height}" fill="${color}"/>`;
  return [...(isMarked ? [mark] : []), `<text ${attributes.join(" ")}>${escaped(text)}</text>`];
}

function x(column: number): number {
  return round(margin.left + column * cell.width);
}

function y(row: number): number {
  return margin.top + row * cell.height + 13;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
