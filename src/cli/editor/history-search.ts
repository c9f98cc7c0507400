/**
 * Incremental search through history, as Ctrl-R does it. A search in small letters ignores case.
 */

export interface SearchView {
  readonly query: string;
  readonly direction: "older" | "newer";
  readonly isFailing: boolean;
  /** Offset and length of the match in the text that is shown. */
  readonly match?: Match;
}

interface Match {
  readonly from: number;
  readonly length: number;
}

type Direction = "older" | "newer";

export class HistorySearch {
  readonly #history: readonly string[];
  readonly #original: { readonly text: string; readonly cursor: number };
  #direction: Direction;
  #query = "";
  #isFailing = false;
  #found: number | undefined;
  #match: Match | undefined;

  constructor(
    history: readonly string[],
    { text, cursor, direction }: { readonly text: string; readonly cursor: number; readonly direction: Direction },
  ) {
    this.#history = history;
    this.#original = { text, cursor };
    this.#direction = direction;
  }

  /** Of the entry that is shown; undefined if it is the original text. */
  get position(): number | undefined {
    return this.#found;
  }

  get view(): { readonly text: string; readonly cursor: number; readonly search: SearchView } {
    const text = this.#found === undefined ? this.#original.text : (this.#history[this.#found] ?? "");
    const match = this.#match === undefined ? {} : { match: this.#match };
    return {
      text,
      cursor: this.#match?.from ?? this.#original.cursor,
      search: { query: this.#query, direction: this.#direction, isFailing: this.#isFailing, ...match },
    };
  }

  /** Returns false if nothing matches; the last match stays. */
  type(text: string): boolean {
    this.#query += text.replaceAll(/\s+/g, " ");
    return this.#look(this.#found ?? this.#start(), this.#direction);
  }

  erase(): void {
    this.#query = this.#query.slice(0, -1);
    this.#found = undefined;
    this.#match = undefined;
    this.#isFailing = false;
    if (this.#query !== "") {
      this.#look(this.#start(), this.#direction);
    }
  }

  /** The next match with another text. */
  again(direction: Direction): boolean {
    this.#direction = direction;
    if (this.#query === "") {
      return true;
    }
    const step = direction === "older" ? -1 : 1;
    return this.#look(this.#found === undefined ? this.#start() : this.#found + step, direction);
  }

  #start(): number {
    return this.#direction === "older" ? this.#history.length - 1 : 0;
  }

  #look(from: number, direction: Direction): boolean {
    const shown = this.#found === undefined ? undefined : this.#history[this.#found];
    const step = direction === "older" ? -1 : 1;
    const pattern = patternOf(this.#query);
    for (let at = from; at >= 0 && at < this.#history.length; at += step) {
      const entry = this.#history[at] ?? "";
      const match = at === this.#found || entry !== shown ? pattern.exec(entry) : null;
      if (match !== null) {
        this.#found = at;
        this.#match = { from: match.index, length: match[0].length };
        this.#isFailing = false;
        return true;
      }
    }
    this.#isFailing = true;
    return false;
  }
}

/** Blanks match any blanks and line breaks. */
function patternOf(query: string): RegExp {
  const text = query.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
  return new RegExp(text, query === query.toLowerCase() ? "iu" : "u");
}
