/**
 * Text with a cursor: movement and deletion by character, word and line, with undo and a kill ring. A character is a grapheme, so the
 * cursor never stands inside an emoji or between a letter and its accent.
 */

import { graphemesOf } from "../formats/graphemes.ts";

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

const undoMax = 500;
const killsMax = 20;

export class TextBuffer {
  #text = "";
  /** Offset in UTF-16 units, always between two graphemes. */
  #cursor = 0;
  #undo: Snapshot[] = [];
  #redo: Snapshot[] = [];
  #kills: string[] = [];
  /** What the last change was, so that typed characters are undone as a word and adjacent kills join. */
  #last: "insert" | "kill" | "yank" | "other" = "other";
  /** Place and length of the last yank. */
  #yanked: { readonly from: number; readonly length: number } | undefined;
  /** Column that vertical movement aims at, in graphemes. */
  #goal: number | undefined;

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Replaces everything, as one step of undo. */
  replaceAll(text: string, cursor = text.length): void {
    this.#change(text, this.#boundary(text, cursor), "other");
  }

  /** An empty buffer without a past; kills are kept. */
  clear(): void {
    this.#text = "";
    this.#cursor = 0;
    this.#undo = [];
    this.#redo = [];
    this.#settle("other");
  }

  insert(text: string): void {
    const clean = text
      .replaceAll(/\r\n?/g, "\n")
      .replaceAll("\t", "    ")
      .replaceAll(/[^\P{Cc}\n]/gu, "");
    const kind = /^[^\s]$/u.test(clean) ? "insert" : "other";
    const joined = this.#text.slice(0, this.#cursor) + clean + this.#text.slice(this.#cursor);
    this.#change(joined, this.#boundary(joined, this.#cursor + clean.length), kind);
  }

  /** Replaces from `from` to the cursor. */
  replaceBefore(from: number, text: string): void {
    this.#change(this.#text.slice(0, from) + text + this.#text.slice(this.#cursor), from + text.length, "other");
  }

  left(): void {
    this.moveTo(this.#previous());
  }

  right(): void {
    this.moveTo(this.#next());
  }

  wordLeft(): void {
    this.moveTo(wordStart(this.#text, this.#cursor));
  }

  wordRight(): void {
    this.moveTo(wordEnd(this.#text, this.#cursor));
  }

  lineStart(): void {
    this.moveTo(this.#lineStart());
  }

  lineEnd(): void {
    this.moveTo(this.#lineEnd());
  }

  start(): void {
    this.moveTo(0);
  }

  end(): void {
    this.moveTo(this.#text.length);
  }

  moveTo(cursor: number): void {
    this.#cursor = this.#boundary(this.#text, cursor);
    this.#settle("other");
  }

  /** Returns false on the first line. */
  up(): boolean {
    const start = this.#lineStart();
    return start > 0 && this.#vertical(this.#text.lastIndexOf("\n", start - 2) + 1);
  }

  /** Returns false on the last line. */
  down(): boolean {
    const end = this.#lineEnd();
    return end < this.#text.length && this.#vertical(end + 1);
  }

  get isOnFirstLine(): boolean {
    return this.#lineStart() === 0;
  }

  get isOnLastLine(): boolean {
    return this.#lineEnd() === this.#text.length;
  }

  /** Moves to the line that begins at `lineStart`, in the column that vertical movement began with. */
  #vertical(lineStart: number): boolean {
    const goal = this.#goal ?? graphemesOf(this.#text.slice(this.#lineStart(), this.#cursor)).length;
    const lineEnd = this.#text.indexOf("\n", lineStart);
    const line = graphemesOf(this.#text.slice(lineStart, lineEnd === -1 ? this.#text.length : lineEnd));
    this.#cursor = lineStart + line.slice(0, goal).join("").length;
    this.#settle("other");
    this.#goal = goal;
    return true;
  }

  backspace(): void {
    this.#remove(this.#previous(), this.#cursor);
  }

  delete(): void {
    this.#remove(this.#cursor, this.#next());
  }

  killWordLeft(): void {
    this.#kill(wordStart(this.#text, this.#cursor), this.#cursor);
  }

  /** Up to the previous blank, as Ctrl-W does. */
  killBlankWordLeft(): void {
    const before = this.#text.slice(0, this.#cursor);
    this.#kill(before.replace(/\S*\s*$/, "").length, this.#cursor);
  }

  killWordRight(): void {
    this.#kill(this.#cursor, wordEnd(this.#text, this.#cursor));
  }

  /** To the end of the line; at its end, the line break. */
  killLineRight(): void {
    const end = this.#lineEnd();
    this.#kill(this.#cursor, end === this.#cursor ? Math.min(end + 1, this.#text.length) : end);
  }

  /** To the start of the line; at its start, the line break. */
  killLineLeft(): void {
    const start = this.#lineStart();
    this.#kill(start === this.#cursor ? Math.max(0, start - 1) : start, this.#cursor);
  }

  yank(): void {
    const text = this.#kills.at(-1);
    if (text !== undefined) {
      this.#yank(this.#cursor, this.#cursor, text);
    }
  }

  /** After a yank: the kill before. */
  yankEarlier(): void {
    if (this.#last === "yank" && this.#yanked !== undefined) {
      this.#kills.unshift(this.#kills.pop() as string);
      this.#yank(this.#yanked.from, this.#yanked.from + this.#yanked.length, this.#kills.at(-1) ?? "");
    }
  }

  #yank(from: number, to: number, text: string): void {
    this.#change(this.#text.slice(0, from) + text + this.#text.slice(to), from + text.length, "yank");
    this.#yanked = { from, length: text.length };
  }

  /** Swaps the two characters before the cursor at the end of a line, else those around it. */
  transpose(): void {
    const at = this.#cursor === this.#lineEnd() ? this.#previous() : this.#cursor;
    const first = boundaryBefore(this.#text, at);
    const end = boundaryAfter(this.#text, at);
    if (first >= this.#lineStart() && first < at && end > at) {
      const swapped = this.#text.slice(at, end) + this.#text.slice(first, at);
      this.#change(this.#text.slice(0, first) + swapped + this.#text.slice(end), end, "other");
    }
  }

  /** From the cursor to the end of the word. */
  changeCase(change: (word: string) => string): void {
    const end = wordEnd(this.#text, this.#cursor);
    const changed = change(this.#text.slice(this.#cursor, end));
    this.#change(this.#text.slice(0, this.#cursor) + changed + this.#text.slice(end), this.#cursor + changed.length, "other");
  }

  undo(): void {
    const before = this.#undo.pop();
    if (before !== undefined) {
      this.#redo.push({ text: this.#text, cursor: this.#cursor });
      this.#restore(before);
    }
  }

  redo(): void {
    const after = this.#redo.pop();
    if (after !== undefined) {
      this.#undo.push({ text: this.#text, cursor: this.#cursor });
      this.#restore(after);
    }
  }

  #restore({ text, cursor }: Snapshot): void {
    this.#text = text;
    this.#cursor = cursor;
    this.#settle("other");
  }

  #remove(from: number, to: number): void {
    if (from < to) {
      this.#change(this.#text.slice(0, from) + this.#text.slice(to), from, "other");
    }
  }

  #kill(from: number, to: number): void {
    if (from >= to) {
      return;
    }
    const text = this.#text.slice(from, to);
    const before = this.#last === "kill" ? (this.#kills.pop() ?? "") : "";
    this.#kills.push(from < this.#cursor ? text + before : before + text);
    this.#kills = this.#kills.slice(-killsMax);
    this.#change(this.#text.slice(0, from) + this.#text.slice(to), from, "kill");
  }

  #change(text: string, cursor: number, kind: "insert" | "kill" | "yank" | "other"): void {
    if (text !== this.#text) {
      if (kind !== "insert" || this.#last !== "insert") {
        this.#undo.push({ text: this.#text, cursor: this.#cursor });
        this.#undo = this.#undo.slice(-undoMax);
      }
      this.#redo = [];
    }
    this.#text = text;
    this.#cursor = this.#boundary(text, cursor);
    this.#settle(kind);
  }

  #settle(kind: "insert" | "kill" | "yank" | "other"): void {
    this.#last = kind;
    this.#goal = undefined;
  }

  #previous(): number {
    return boundaryBefore(this.#text, this.#cursor);
  }

  #next(): number {
    return boundaryAfter(this.#text, this.#cursor);
  }

  #lineStart(): number {
    return this.#cursor === 0 ? 0 : this.#text.lastIndexOf("\n", this.#cursor - 1) + 1;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#cursor);
    return end === -1 ? this.#text.length : end;
  }

  /** The boundary of graphemes at `offset` or behind it. */
  #boundary(text: string, offset: number): number {
    const at = Math.max(0, Math.min(offset, text.length));
    if (at === 0 || at === text.length) {
      return at;
    }
    const start = boundaryBefore(text, at);
    return boundaryAfter(text, start) >= at ? boundaryAfter(text, start) : at;
  }
}

/** Start of the line with `offset`; segments of a line are independent of other lines. */
function lineBefore(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** The last boundary before `offset`. */
function boundaryBefore(text: string, offset: number): number {
  const start = lineBefore(text, offset);
  if (start === offset) {
    return Math.max(0, offset - 1);
  }
  const lineEnd = text.indexOf("\n", offset);
  let at = start;
  for (const grapheme of graphemesOf(text.slice(start, lineEnd === -1 ? text.length : lineEnd))) {
    if (at + grapheme.length >= offset) {
      break;
    }
    at += grapheme.length;
  }
  return at;
}

/** The first boundary behind `offset`, which is itself a boundary. */
function boundaryAfter(text: string, offset: number): number {
  if (offset >= text.length) {
    return text.length;
  }
  const lineEnd = text.indexOf("\n", offset);
  const [first = ""] = lineEnd === offset ? ["\n"] : graphemesOf(text.slice(offset, lineEnd === -1 ? text.length : lineEnd));
  return offset + first.length;
}

function wordStart(text: string, offset: number): number {
  return text.slice(0, offset).replace(/[\p{L}\p{M}\p{N}_]*[^\p{L}\p{M}\p{N}_]*$/u, "").length;
}

function wordEnd(text: string, offset: number): number {
  return offset + (/^[^\p{L}\p{M}\p{N}_]*[\p{L}\p{M}\p{N}_]*/u.exec(text.slice(offset))?.[0].length ?? 0);
}
