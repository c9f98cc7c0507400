/**
 * Whether a text stands inside a block of a function written in SQL, where a `;` ends a statement of the function and not the statement itself. Told by words alone:
 * a function begins with FUNCTION behind CREATE, REPLACE, WITH or a comma; BEGIN and CASE open what END closes, but for END IF and the ends of loops.
 */
const piece = /[A-Za-z_][A-Za-z0-9_]*|[^\s\w]/g;
const beforeFunction: ReadonlySet<string> = new Set([",", "CREATE", "REPLACE", "WITH"]);
const loops: ReadonlySet<string> = new Set(["FOR", "IF", "LOOP", "REPEAT", "WHILE"]);

export class RoutineBlocks {
  #isFunction = false;
  #depth = 0;
  /** The last word or sign. */
  #last = "";
  #unended = "";

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** Text outside of quotes and comments. A word at its end may go on with the next one. */
  see(more: string): void {
    const text = this.#unended + more;
    let end = text.length;
    while (end > 0 && /\w/.test(text.charAt(end - 1))) {
      end--;
    }
    this.#unended = text.slice(end);
    for (const [found] of text.slice(0, end).matchAll(piece)) {
      const word = found.toUpperCase();
      this.#isFunction ||= word === "FUNCTION" && beforeFunction.has(this.#last);
      if (this.#isFunction) {
        this.#depth = Math.max(0, this.#depth + this.#change(word));
      }
      this.#last = word;
    }
  }

  #change(word: string): number {
    if (this.#last === "END") {
      // END CASE closes what END has closed already; END IF closes nothing that was counted.
      return loops.has(word) ? 1 : 0;
    }
    if (word === "BEGIN" || word === "CASE") {
      return 1;
    }
    return word === "END" ? -1 : 0;
  }
}
