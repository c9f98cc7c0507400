/**
 * The place on the terminal where progress is drawn again and again, and that is empty before anything else is printed.
 */
import type { TextOutput } from "../output/output.ts";

const eraseLine = "\r\u001b[K";

export class ProgressDisplay {
  readonly #output: TextOutput;
  #lines = 0;

  constructor(output: TextOutput) {
    this.#output = output;
  }

  async show(lines: readonly string[]): Promise<void> {
    const up = this.#lines > 1 ? `\u001b[${this.#lines - 1}A` : "";
    const erased = this.#lines > lines.length ? "\u001b[J" : "";
    this.#lines = lines.length;
    await this.#output.write(`${up}${lines.map((line) => eraseLine + line).join("\n")}${erased}`);
  }

  async hide(): Promise<void> {
    if (this.#lines > 0) {
      const up = this.#lines > 1 ? `\u001b[${this.#lines - 1}A\r\u001b[J` : eraseLine;
      this.#lines = 0;
      await this.#output.write(up);
    }
  }
}
