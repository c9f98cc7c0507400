/** What a search for a smaller plan is about, on one line of the terminal. */
import type { Search } from "../shrink/search.ts";

export class ShrinkProgress {
  readonly #title: string;
  readonly #seconds: number;
  readonly #started = performance.now();

  constructor(title: string, seconds: number) {
    this.#title = title;
    this.#seconds = seconds;
  }

  readonly onTrial = ({ stage, runs, adopted, trial }: Search): void => {
    if (process.stderr.isTTY) {
      const elapsed = (performance.now() - this.#started) / 1000;
      process.stderr.write(
        `\r${this.#title}: ${stage}, ${runs} runs, ${adopted} steps, ${trial.events} events, ${elapsed.toFixed(0)} of ${this.#seconds} s\u001b[K`,
      );
    }
  };

  clear(): void {
    if (process.stderr.isTTY) {
      process.stderr.write("\r\u001b[K");
    }
  }
}
