/**
 * Output that goes to a pager once it does not fit on the screen: more rows than the window has.
 */
import { OutputClosed, type TextOutput } from "./output.ts";

export interface PagerProcess {
  /** Rejects with OutputClosed when the user has left the pager. */
  write(text: string): Promise<void>;
  /** Resolves with the exit code when the user has left the pager. */
  end(): Promise<number>;
}

/** Exit codes of a shell that finds no program, or none that it may run. */
const noProgram: readonly number[] = [126, 127];

/** Characters held back at most before the pager starts. */
const heldMax = 1024 * 1024;

export interface PagedOptions {
  readonly start: () => PagerProcess;
  /** A row that is wider than the window also starts the pager, which can scroll sideways. */
  readonly isForWide: boolean;
}

export class PagedOutput implements TextOutput {
  readonly #output: TextOutput;
  readonly #options: PagedOptions;
  /** Text that may still fit on the screen. */
  #held = "";
  #lines = 0;
  #pager: PagerProcess | undefined;
  #isDirect = false;

  constructor(output: TextOutput, options: PagedOptions) {
    this.#output = output;
    this.#options = options;
  }

  get isTerminal(): boolean {
    return this.#output.isTerminal;
  }

  get width(): number {
    return this.#output.width;
  }

  get height(): number {
    return this.#output.height;
  }

  async write(text: string): Promise<void> {
    if (this.#isDirect) {
      return this.#output.write(text);
    }
    if (this.#pager !== undefined) {
      return this.#toPager(this.#pager, text);
    }
    this.#held += text;
    this.#lines += text.split("\n").length - 1;
    const isLong = this.#lines >= this.height - 1;
    if (isLong || this.#held.length > heldMax || (this.#options.isForWide && isWide(text, this.width))) {
      this.#pager = this.#options.start();
      await this.#toPager(this.#pager, this.#held);
    }
  }

  async #toPager(pager: PagerProcess, text: string): Promise<void> {
    try {
      await pager.write(text);
    } catch (error) {
      if (!(error instanceof OutputClosed) || !noProgram.includes(await pager.end())) {
        throw error;
      }
      // The program does not exist: nothing was shown.
      this.#pager = undefined;
      this.#isDirect = true;
      await this.#output.write(text);
    }
  }

  /** Shows what was held back, or waits until the user leaves the pager. */
  async end(): Promise<void> {
    const held = this.#held;
    this.#held = "";
    if (this.#pager === undefined) {
      await (this.#isDirect || held === "" ? undefined : this.#output.write(held));
    } else if (noProgram.includes(await this.#pager.end())) {
      await this.#output.write(held);
    }
  }
}

/** Without the sequences that select colours. */
function isWide(text: string, width: number): boolean {
  return text.split("\n").some((line) => line.length > width && line.replaceAll(/\p{Cc}\[[0-9;]*m/gu, "").length > width);
}
