/**
 * Tracks whether text is inside a block of a SQL function, where a `;` ends a statement of the function and not the whole statement.
 * Words decide: a function begins with FUNCTION after CREATE, REPLACE, WITH or a comma; BEGIN and CASE open a block and END closes it,
 * except END IF and the ends of loops.
 */
const beforeFunction: ReadonlySet<string> = new Set([",", "CREATE", "REPLACE", "WITH"]);
const loops: ReadonlySet<string> = new Set(["FOR", "IF", "LOOP", "REPEAT", "WHILE"]);

export class RoutineBlocks {
  #isFunction = false;
  #depth = 0;
  /** The last word or symbol. */
  #last = "";

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** The next word or sign, outside of quotes and comments. */
  see(text: string): void {
    const word = text.toUpperCase();
    this.#isFunction ||= word === "FUNCTION" && beforeFunction.has(this.#last);
    if (this.#isFunction) {
      this.#depth = Math.max(0, this.#depth + this.#change(word));
    }
    this.#last = word;
  }

  #change(word: string): number {
    if (this.#last === "END") {
      // END CASE: END has already closed the block. END IF: IF was never counted.
      return loops.has(word) ? 1 : 0;
    }
    if (word === "BEGIN" || word === "CASE") {
      return 1;
    }
    return word === "END" ? -1 : 0;
  }
}
