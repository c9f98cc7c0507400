/**
 * Splits text into statements as a person types them: ended by `;` or `\g`, by `\G` or `\gx`, which ask for one column a line, or by
 * `\watch`, which repeats the statement. The lexemes are those
 * of the engine's lexer, so quotes and comments mean what they mean to the server. Text may come line by line or at once; both take
 * linear time.
 */
import { type Lexeme, lexemeAt } from "../sql/parser/lexemes.ts";
import { RoutineBlocks } from "../sql/parser/routine-blocks.ts";

export interface SplitStatement {
  /** Without the terminator. */
  readonly sql: string;
  /** Terminated by `\G` or `\gx`. */
  readonly vertical: boolean;
  /** Seconds between two runs, if terminated by `\watch`. */
  readonly watchSeconds?: number;
}

/** Default of `\watch`, as in psql. */
export const watchSecondsDefault = 2;

const terminatorPattern = /\\(?:G|gx?(?![A-Za-z_])|watch(?![A-Za-z_])(?:[ \t]+(\d+(?:\.\d+)?))?)/y;
/** What may become a terminator with the next text. */
const beginningPattern = /\\(?:gx?|w|wa|wat|watc|watch(?:[ \t]+[\d.]*)?)?$/y;

export class StatementSplitter {
  /** Of the statement that has been begun: the lexemes that are complete, and the beginning of one that needs its closer. */
  #seen: string[] = [];
  /** The beginning of a lexeme that may go on with the next text. */
  #rest = "";
  /** What ends the quote or the comment that is open. */
  #closer: string | undefined;
  /** True if anything but white space and comments was seen since the last terminator. */
  #hasContent = false;
  #blocks = new RoutineBlocks();

  /** Returns the statements that this text completes. */
  feed(more: string): readonly SplitStatement[] {
    const text = this.#rest + more;
    this.#rest = "";
    const statements: SplitStatement[] = [];
    for (let at = 0; at < text.length; ) {
      at = this.#closer === undefined ? this.#enter(text, { at, statements }) : this.#leave(text, { at, closer: this.#closer });
    }
    return statements;
  }

  /** True if a terminator now would not complete a statement. */
  get isEmpty(): boolean {
    return !this.#hasContent && this.#closer === undefined && !hasContent(lexemeAt(this.#rest, 0));
  }

  /** Returns the text after the last terminator, and clears it. */
  rest(): string {
    const rest = this.#closer === undefined && hasContent(lexemeAt(this.#rest, 0));
    const text = this.#hasContent || rest ? `${this.#seen.join("")}${this.#rest}`.trim() : "";
    this.reset();
    return text;
  }

  reset(): void {
    this.#rest = "";
    this.#closer = undefined;
    this.#begin();
  }

  /** The next statement. */
  #begin(): void {
    this.#seen = [];
    this.#hasContent = false;
    this.#blocks = new RoutineBlocks();
  }

  /** Takes the lexeme at `at`, if it cannot go on with the next text; returns where the next one begins. */
  #enter(text: string, { at, statements }: { readonly at: number; readonly statements: SplitStatement[] }): number {
    const lexeme = lexemeAt(text, at);
    const first = text.charAt(at);
    if (first === "\\") {
      const end = this.#terminator(text, { at, statements });
      if (end !== undefined) {
        return end;
      }
    }
    if (first === ";" && !this.#blocks.isOpen) {
      this.#end(statements, {});
      return at + 1;
    }
    if (lexeme.closer !== undefined) {
      this.#see(lexeme, first);
      this.#closer = lexeme.closer;
      // The star of an opening is not the star of its closing.
      return this.#keep(text, { at, from: Math.max(at + lexeme.closer.length, text.length - lexeme.closer.length + 1) });
    }
    if (lexeme.end === text.length && first !== ";" && mayGoOn(lexeme)) {
      // Of blanks and comments whole lines are complete.
      return this.#keep(text, { at, from: lexeme.kind === "blank" ? Math.max(at, text.lastIndexOf("\n") + 1) : at });
    }
    this.#see(lexeme, lexeme.kind === "word" ? text.slice(at, lexeme.end) : first);
    this.#seen.push(text.slice(at, lexeme.end));
    return lexeme.end;
  }

  /** A terminator that begins with a backslash. Returns undefined if it is none. */
  #terminator(text: string, { at, statements }: { readonly at: number; readonly statements: SplitStatement[] }): number | undefined {
    beginningPattern.lastIndex = at;
    if (beginningPattern.test(text)) {
      return this.#keep(text, { at, from: at });
    }
    terminatorPattern.lastIndex = at;
    const match = terminatorPattern.exec(text);
    if (match === null) {
      return undefined;
    }
    const [all, seconds] = match;
    const watch = all.startsWith("\\watch") ? { watchSeconds: Number(seconds ?? watchSecondsDefault) } : {};
    this.#end(statements, { vertical: all === "\\G" || all === "\\gx", ...watch });
    return terminatorPattern.lastIndex;
  }

  #end(statements: SplitStatement[], parts: Partial<SplitStatement>): void {
    if (this.#hasContent) {
      statements.push({ vertical: false, ...parts, sql: this.#seen.join("").trim() });
    }
    this.#begin();
  }

  /** A doubled quote closes and reopens the string, which has the same effect. */
  #leave(text: string, { at, closer }: { readonly at: number; readonly closer: string }): number {
    const end = text.indexOf(closer, at);
    if (end === -1) {
      return this.#keep(text, { at, from: Math.max(at, text.length - closer.length + 1) });
    }
    this.#closer = undefined;
    this.#seen.push(text.slice(at, end + closer.length));
    return end + closer.length;
  }

  #see(lexeme: Lexeme, word: string): void {
    if (hasContent(lexeme)) {
      this.#hasContent = true;
      this.#blocks.see(word);
    }
  }

  /** What is behind `from` is looked at again with the next text. */
  #keep(text: string, { at, from }: { readonly at: number; readonly from: number }): number {
    this.#seen.push(text.slice(at, from));
    this.#rest = text.slice(from);
    return text.length;
  }
}

function hasContent({ kind }: Lexeme): boolean {
  return kind !== "end" && kind !== "blank" && kind !== "comment";
}

/** A quote that is closed may be the first of two, but then what follows is a quote as well. */
function mayGoOn({ kind }: Lexeme): boolean {
  switch (kind) {
    case "end":
    case "blank":
    case "word":
    case "double":
    case "radix":
    case "number":
    case "digitName":
    case "operator":
    case "unrecognized":
      return true;
    case "comment":
    case "string":
    case "quoted":
    case "backquoted":
    case "binary":
    case "unicodeString":
      return false;
  }
}

/** All statements of a script; the last one needs no terminator. */
export function splitScript(text: string): readonly SplitStatement[] {
  const splitter = new StatementSplitter();
  const statements = [...splitter.feed(`${text}\n`)];
  const rest = splitter.rest();
  return rest === "" ? statements : [...statements, { sql: rest, vertical: false }];
}
