/**
 * Draws frames on a terminal: returns what has to be written so that the frame before becomes the next one. Rows that did not change are
 * not written. Movements are relative, because the shell does not know where on the screen it is.
 */
import { type Frame, rowWidth, type ScreenRow } from "./frame.ts";
import { renditionOf, type Style } from "../formats/style.ts";

const eraseToEndOfLine = "\u001b[K";
const eraseBelow = "\u001b[J";

export class Screen {
  readonly #hasColors: boolean;
  #frame: Frame | undefined;

  constructor(hasColors: boolean) {
    this.#hasColors = hasColors;
  }

  /** `width` is that of the terminal, for which the frame was laid out. */
  draw(frame: Frame, width: number): string {
    const before = this.#frame;
    this.#frame = frame;
    const same = before === undefined ? 0 : equalRows(before.rows, frame.rows);
    const isSame = before !== undefined && same === frame.rows.length && same === before.rows.length;
    if (isSame) {
      return moveRows(before.cursorRow, frame.cursorRow) + moveToColumn(frame.cursorColumn);
    }
    const first = Math.min(same, frame.rows.length - 1);
    let text = before === undefined ? "\r" : `${moveRows(before.cursorRow, Math.min(first, before.rows.length - 1))}\r`;
    if (before !== undefined && first > before.rows.length - 1) {
      text += "\r\n";
    }
    text += frame.rows
      .slice(first)
      .map((row) => this.#rowText(row, width))
      .join("\r\n");
    if (before !== undefined && before.rows.length > frame.rows.length) {
      // Erasing below would take the last column of a full row with it.
      text += rowWidth(frame.rows.at(-1) ?? []) < width ? eraseBelow : `\r\n${eraseBelow}\u001b[A`;
    }
    return text + moveRows(frame.rows.length - 1, frame.cursorRow) + moveToColumn(frame.cursorColumn);
  }

  /** Leaves the frame on the screen and the cursor on a new line below it. */
  finish(): string {
    const frame = this.#frame;
    this.#frame = undefined;
    return frame === undefined ? "" : `${moveRows(frame.cursorRow, frame.rows.length - 1)}\r\n`;
  }

  /** Removes the frame; the cursor stands where it began. */
  erase(): string {
    const frame = this.#frame;
    this.#frame = undefined;
    return frame === undefined ? "" : `${moveRows(frame.cursorRow, 0)}\r${eraseBelow}`;
  }

  /** After something else was written, the next frame begins at the cursor. */
  forget(): void {
    this.#frame = undefined;
  }

  /** The terminal has another width and may have wrapped the rows again: removes as many rows as they can occupy. */
  resize(width: number): string {
    const frame = this.#frame;
    this.#frame = undefined;
    if (frame === undefined) {
      return "";
    }
    const above = frame.rows.slice(0, frame.cursorRow).reduce((sum, row) => sum + Math.max(1, Math.ceil(rowWidth(row) / width)), 0);
    return `${moveRows(above + Math.floor(frame.cursorColumn / width), 0)}\r${eraseBelow}`;
  }

  #rowText(row: ScreenRow, width: number): string {
    let text = "";
    let style: Style = "plain";
    let rendition = "";
    for (const cell of row) {
      if (cell.style !== style) {
        style = cell.style;
        const next = renditionOf(style, this.#hasColors);
        text += next === rendition ? "" : `\u001b[0${next === "" ? "" : `;${next}`}m`;
        rendition = next;
      }
      text += cell.text;
    }
    text += rendition === "" ? "" : "\u001b[0m";
    return rowWidth(row) < width ? text + eraseToEndOfLine : text;
  }
}

/** Number of equal rows from the first on. */
function equalRows(before: readonly ScreenRow[], after: readonly ScreenRow[]): number {
  const count = Math.min(before.length, after.length);
  for (let row = 0; row < count; row++) {
    if (!isEqual(before[row] ?? [], after[row] ?? [])) {
      return row;
    }
  }
  return count;
}

function isEqual(before: ScreenRow, after: ScreenRow): boolean {
  return (
    before.length === after.length && before.every((cell, index) => cell.text === after[index]?.text && cell.style === after[index]?.style)
  );
}

function moveRows(from: number, to: number): string {
  return from === to ? "" : from > to ? `\u001b[${from - to}A` : `\u001b[${to - from}B`;
}

function moveToColumn(column: number): string {
  return column === 0 ? "\r" : `\r\u001b[${column}C`;
}
