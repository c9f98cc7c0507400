/**
 * Screen rows as cells: text is cut into rows as wide as the terminal, with the width of each character.
 */
import { graphemesOf } from "../formats/graphemes.ts";
import type { TextWidth } from "../formats/text.ts";
import type { Style } from "../formats/style.ts";

export interface Cell {
  readonly text: string;
  /** Columns: 1, or 2 for a wide character. */
  readonly width: number;
  readonly style: Style;
}

export type ScreenRow = readonly Cell[];

export interface Frame {
  readonly rows: readonly ScreenRow[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

export function rowWidth(row: ScreenRow): number {
  return row.reduce((sum, cell) => sum + cell.width, 0);
}

/** Writes characters to the rows of a frame, one behind the other. */
export class FrameWriter {
  readonly #width: number;
  readonly #textWidth: TextWidth;
  readonly #rows: Cell[][] = [[]];
  #column = 0;

  constructor(width: number, textWidth: TextWidth) {
    this.#width = Math.max(2, width);
    this.#textWidth = textWidth;
  }

  get rows(): readonly ScreenRow[] {
    return this.#rows;
  }

  get column(): number {
    return this.#column;
  }

  /** The place of the next character. Behind a full row it is the start of the next one, which is begun. */
  place(): { readonly row: number; readonly column: number } {
    if (this.#column >= this.#width) {
      this.newRow();
    }
    return { row: this.#rows.length - 1, column: this.#column };
  }

  newRow(): void {
    this.#rows.push([]);
    this.#column = 0;
  }

  write(text: string, style: Style): void {
    for (const grapheme of graphemesOf(text)) {
      this.put(grapheme, style);
    }
  }

  /** One grapheme. A character without a width joins the cell before it. */
  put(grapheme: string, style: Style): void {
    const width = Math.min(2, this.#textWidth(grapheme));
    const row = this.#rows.at(-1) as Cell[];
    const last = row.at(-1);
    if (width === 0 && last !== undefined) {
      row[row.length - 1] = { ...last, text: last.text + grapheme };
      return;
    }
    if (width === 0) {
      return;
    }
    if (this.#column + width > this.#width) {
      this.newRow();
    }
    this.#rows.at(-1)?.push({ text: grapheme, width, style });
    this.#column += width;
  }
}

/** The rows around the cursor that fit into the height. */
export function windowOf(frame: Frame, height: number): Frame {
  const { rows, cursorRow } = frame;
  if (rows.length <= height) {
    return frame;
  }
  const from = Math.max(0, Math.min(cursorRow - Math.floor(height / 2), rows.length - height));
  return { ...frame, rows: rows.slice(from, from + height), cursorRow: cursorRow - from };
}
