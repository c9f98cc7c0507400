/**
 * A terminal as cells: what xterm does with the text and the control sequences that the shell writes. An unknown sequence throws, so that
 * tests notice it. Held against tmux by test/end-to-end/shell.test.ts.
 */
import stringWidth from "string-width";

export interface EmulatedCell {
  /** Empty behind a wide character. */
  readonly text: string;
  /** Parameters of SGR, `1;34`; empty for plain text. */
  readonly rendition: string;
}

const blank: EmulatedCell = { text: " ", rendition: "" };
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

export class TerminalEmulator {
  #width: number;
  #height: number;
  #rows: EmulatedCell[][];
  /** Rows that scrolled out at the top. */
  readonly scrolledOut: string[] = [];
  #row = 0;
  #column = 0;
  /** The last column is written; the next character goes to the next row. */
  #isWrapping = false;
  #rendition = "";

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#rows = Array.from({ length: height }, () => this.#blankRow());
  }

  get cells(): readonly (readonly EmulatedCell[])[] {
    return this.#rows;
  }

  /** Rows without blanks at the end, and without empty rows at the bottom. */
  get lines(): readonly string[] {
    const lines = this.#rows.map((row) =>
      row
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row, column: this.#column };
  }

  write(text: string): void {
    for (const part of text.match(/\p{Cc}\[[0-?]*[@-~]|\p{Cc}|\P{Cc}+/gu) ?? []) {
      if (part.startsWith("\u001b[")) {
        this.#sequence(part);
      } else if (part < " ") {
        this.#control(part);
      } else {
        for (const { segment } of segmenter.segment(part)) {
          this.#put(segment);
        }
      }
    }
  }

  #put(grapheme: string): void {
    const width = stringWidth(grapheme);
    if (this.#isWrapping || this.#column + width > this.#width) {
      this.#column = 0;
      this.#lineFeed();
    }
    const row = this.#rows[this.#row] as EmulatedCell[];
    row[this.#column] = { text: grapheme, rendition: this.#rendition };
    if (width === 2) {
      row[this.#column + 1] = { text: "", rendition: this.#rendition };
    }
    this.#column += width;
    this.#isWrapping = this.#column >= this.#width;
    if (this.#isWrapping) {
      this.#column = this.#width - 1;
    }
  }

  #control(character: string): void {
    switch (character) {
      case "\r":
        this.#moveTo(this.#row, 0);
        break;
      case "\n":
        // The shell writes a bare line feed only where the terminal's driver adds the carriage return.
        this.#column = 0;
        this.#lineFeed();
        break;
      case "\u0007":
        break;
      default:
        throw new Error(`control character ${JSON.stringify(character)}`);
    }
  }

  #lineFeed(): void {
    this.#isWrapping = false;
    if (this.#row < this.#height - 1) {
      this.#row++;
      return;
    }
    const first = this.#rows.shift() ?? [];
    this.scrolledOut.push(
      first
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    );
    this.#rows.push(this.#blankRow());
  }

  #sequence(sequence: string): void {
    const final = sequence.slice(-1);
    const parameters = sequence.slice(2, -1);
    const count = Math.max(1, Number(parameters) || 1);
    switch (final) {
      case "A":
        return this.#moveTo(this.#row - count, this.#column);
      case "B":
        return this.#moveTo(this.#row + count, this.#column);
      case "C":
        return this.#moveTo(this.#row, this.#column + count);
      case "H":
        return this.#moveTo(0, 0);
      case "J":
        return this.#eraseScreen(parameters);
      case "K":
        this.#rows[this.#row]?.fill(blank, this.#column);
        return;
      case "m":
        this.#rendition = parameters.replace(/^0?;?/, "");
        return;
      case "h":
      case "l":
        return;
      default:
        throw new Error(`sequence ${JSON.stringify(sequence)}`);
    }
  }

  #eraseScreen(parameters: string): void {
    if (parameters === "2") {
      this.#rows = Array.from({ length: this.#height }, () => this.#blankRow());
      return;
    }
    this.#rows[this.#row]?.fill(blank, this.#column);
    for (let row = this.#row + 1; row < this.#height; row++) {
      this.#rows[row] = this.#blankRow();
    }
  }

  #moveTo(row: number, column: number): void {
    this.#isWrapping = false;
    this.#row = Math.max(0, Math.min(this.#height - 1, row));
    this.#column = Math.max(0, Math.min(this.#width - 1, column));
  }

  #blankRow(): EmulatedCell[] {
    return Array.from({ length: this.#width }, () => blank);
  }
}
