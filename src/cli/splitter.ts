/**
 * Text -> statements, as a person types them: ended by `;`, or by `\G`, which asks for one column a line. Quotes and comments are looked through. Fed line by
 * line or at once; linear either way.
 */

import { RoutineBlocks } from "./routine-blocks.ts";

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
  /** Of the statement that has been begun: what has been looked at, piece by piece, and what has not. */
  #seen: string[] = [];
  #rest = "";
  #inside: Inside | undefined;
  /** Something other than blanks and comments has been seen since the last terminator. */
  #hasContent = false;
  #blocks = new RoutineBlocks();

  /** Statements that are complete with this text. */
  feed(text: string): readonly SplitStatement[] {
    this.#rest += text;
    const statements: SplitStatement[] = [];
    while (this.#inside === undefined ? this.#enter(statements) : this.#leave(this.#inside)) {
      // Each step takes text from the rest, or there is nothing more to tell from it.
    }
    return statements;
  }

  /** Is there nothing that a terminator would make a statement of? */
  get isEmpty(): boolean {
    return !this.#hasContent && this.#inside === undefined;
  }

  /** What has no terminator yet; then it is forgotten. */
  rest(): string {
    this.#see(this.#rest.length);
    const rest = this.#hasContent || /\S/.test(this.#lastPiece()) ? this.#seen.join("").trim() : "";
    this.reset();
    return rest;
  }

  reset(): void {
    this.#seen = [];
    this.#rest = "";
    this.#inside = undefined;
    this.#hasContent = false;
    this.#blocks = new RoutineBlocks();
  }

  #see(length: number): void {
    this.#seen.push(this.#rest.slice(0, length));
    this.#rest = this.#rest.slice(length);
  }

  /** A lone `-`, `/` or `\` at the very end was not known to be content; within a comment nothing is. */
  #lastPiece(): string {
    return this.#inside === undefined ? (this.#seen.at(-1) ?? "") : "";
  }

  /** Goes to the next quote, comment or terminator. */
  #enter(statements: SplitStatement[]): boolean {
    opener.lastIndex = 0;
    const found = opener.exec(this.#rest);
    const end = found?.index ?? this.#lookable();
    this.#hasContent ||= /\S/.test(this.#rest.slice(0, end));
    this.#blocks.see(this.#rest.slice(0, end));
    if (found === null) {
      this.#see(end);
      return false;
    }
    const token = found[0];
    this.#blocks.see(token);
    if (token === ";" && this.#blocks.isOpen) {
      this.#see(end + 1);
      return true;
    }
    if (token === ";" || token.startsWith("\\")) {
      this.#see(end);
      if (this.#hasContent) {
        statements.push({ sql: this.#seen.join("").trim(), vertical: token !== ";" });
      }
      this.#rest = this.#rest.slice(token.length);
      this.#seen = [];
      this.#hasContent = false;
      this.#blocks = new RoutineBlocks();
      return true;
    }
    this.#see(found.index + token.length);
    this.#inside = token as Inside;
    this.#hasContent ||= token.length === 1;
    return true;
  }

  /** The last character may be the first half of `--`, of a comment or of `\G`. */
  #lookable(): number {
    return /[-/\\]$/.test(this.#rest) ? this.#rest.length - 1 : this.#rest.length;
  }

  /** A doubled quote closes and opens again, which comes to the same. */
  #leave(inside: Inside): boolean {
    const closer = closers[inside];
    const end = this.#rest.indexOf(closer);
    if (end === -1) {
      this.#see(Math.max(0, this.#rest.length - (closer.length - 1)));
      return false;
    }
    this.#see(end + closer.length);
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
