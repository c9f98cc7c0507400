/**
 * Text -> statements, as a person types them: ended by `;`, or by `\G`, which asks for one column a line. Quotes and comments are looked through. Fed line by
 * line or at once; linear either way.
 */

export interface SplitStatement {
  /** Without the terminator. */
  readonly sql: string;
  /** Ended by `\G`. */
  readonly vertical: boolean;
}

type Inside = "'" | '"' | "`" | "--" | "/*";

const closers: Readonly<Record<Inside, string>> = { "'": "'", '"': '"', "`": "`", "--": "\n", "/*": "*/" };
const opener = /['"`;]|--|\/\*|\\[gG]/g;

export class StatementSplitter {
  #text = "";
  #at = 0;
  #inside: Inside | undefined;
  /** Something other than blanks and comments has been seen since the last terminator. */
  #hasContent = false;

  /** Statements that are complete with this text. */
  feed(text: string): readonly SplitStatement[] {
    this.#text += text;
    const statements: SplitStatement[] = [];
    while (this.#at < this.#text.length) {
      if (this.#inside === undefined) {
        const found = this.#next();
        if (found === undefined) {
          break;
        }
        this.#take(found, statements);
      } else if (!this.#leave(this.#inside)) {
        break;
      }
    }
    return statements;
  }

  /** Is there nothing that a terminator would make a statement of? */
  get isEmpty(): boolean {
    return !this.#hasContent && this.#inside === undefined;
  }

  /** What has no terminator yet; then it is forgotten. */
  rest(): string {
    const rest = this.#hasContent ? this.#text.trim() : "";
    this.reset();
    return rest;
  }

  reset(): void {
    this.#text = "";
    this.#at = 0;
    this.#inside = undefined;
    this.#hasContent = false;
  }

  #next(): RegExpExecArray | undefined {
    opener.lastIndex = this.#at;
    const found = opener.exec(this.#text);
    const end = found?.index ?? this.#lookable();
    this.#hasContent ||= /\S/.test(this.#text.slice(this.#at, end));
    if (found === null) {
      this.#at = end;
      return undefined;
    }
    return found;
  }

  /** The last character may be the first half of `--`, of a comment or of `\G`. */
  #lookable(): number {
    return /[-/\\]$/.test(this.#text) ? this.#text.length - 1 : this.#text.length;
  }

  #take(found: RegExpExecArray, statements: SplitStatement[]): void {
    const token = found[0];
    this.#at = found.index + token.length;
    if (token === ";" || token.startsWith("\\")) {
      if (this.#hasContent) {
        statements.push({ sql: this.#text.slice(0, found.index).trim(), vertical: token !== ";" });
      }
      this.#text = this.#text.slice(this.#at);
      this.#at = 0;
      this.#hasContent = false;
      return;
    }
    this.#inside = token as Inside;
    this.#hasContent ||= token.length === 1;
  }

  /** A doubled quote closes and opens again, which comes to the same. */
  #leave(inside: Inside): boolean {
    const closer = closers[inside];
    const end = this.#text.indexOf(closer, this.#at);
    if (end === -1) {
      this.#at = Math.max(this.#at, this.#text.length - (closer.length - 1));
      return false;
    }
    this.#at = end + closer.length;
    this.#inside = undefined;
    return true;
  }
}

/** All statements of a script; the last needs no terminator. */
export function splitScript(text: string): readonly SplitStatement[] {
  const splitter = new StatementSplitter();
  const statements = [...splitter.feed(`${text}\n`)];
  const rest = splitter.rest();
  return rest === "" ? statements : [...statements, { sql: rest, vertical: false }];
}
